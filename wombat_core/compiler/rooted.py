"""A query tree looked at from its root: what every atom has to show to the one before it, never counting that one.

``evidence(q, p)`` is what an atom that can be q shows to a neighbour that can be p: branches of its own, all away from
that neighbour. Of every set of branches that Hall's condition counts the neighbour p

- is always one, where the motif makes it one: one more is asked for;
- can never be one (``never.py``): nothing changes;
- or may be one: then p's atom says which. One more is asked for where it is one of those counted, and none where it is
  not. Being counted is the same question with the roles exchanged, about smaller branches, so that this ends.

All three are exact: the branches found are never the neighbour one came from. Where the third would be asked, a branch
may also show what lies around its first atom in the motif, the reader included (a ball of one or two bonds). Every
match has that, so nothing is missed, and it often makes the second answer sure: of a chain of equal atoms none but the
right one has such a ball.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import inf

from .conditions import any_atom
from .exclusion import Branch, Term, both, count, either, impossible, type_sets, unanchored, without
from .never import Never
from .predicates import ALL_BONDS, Label, Literal, Node, Predicate, implies, options
from .query import Query, read_query
from .smarts_error import SmartsError, check_time, too_many_branches
from .tree import Tree
from .valence import least_order

MOST_QUESTIONS = 6
MOST_CASES = 64
MOST_RADIUS = 2


@dataclass(frozen=True)
class WalkBackCase:
    """What an atom shows to a reader of one kind; every reader is of exactly one.

    Attributes:
        wanted: predicates that hold for the reader.
        unwanted: predicates that do not.
        branch: what is shown, over which bonds to the reader.
    """

    wanted: tuple[Predicate, ...]
    unwanted: tuple[Predicate, ...]
    branch: Branch

    def of(self, atom: Label | Node) -> list[Label | Node]:
        """The atoms of a predicate that are readers of this kind, as alternatives."""
        found = [atom]
        for predicate in self.wanted:
            found = [part for own in found for part in both(own, predicate)]
        for predicate in self.unwanted:
            found = [part for own in found for part in without(own, predicate)]
        return found


@dataclass(frozen=True)
class _Row:
    """One way the branches of an atom can look at it, and what they then count.

    Attributes:
        cases: of every branch the kind of reader that the atom is.
        sets: (types, how many).
    """

    cases: tuple[WalkBackCase, ...]
    sets: tuple[tuple[tuple[Branch, ...], int], ...]


class Rooted:
    """A tree and its root.

    Args:
        tree: the query.
        root: its atom at which the readout looks.
        with_balls: whether branches may show what lies around their first atoms.
        until: when to give up, in the seconds of ``time.thread_time``.

    Attributes:
        undecided: whether any atom had to be asked if it is one of those counted.
    """

    def __init__(self, tree: Tree, root: int, with_balls: bool = False, until: float = inf):
        self.tree, self.root, self.with_balls, self.until = tree, root, with_balls, until
        self.undecided = False
        self._never = Never(tree, root)
        self._evidence: dict[tuple[int, int, int], tuple[WalkBackCase, ...]] = {}
        self._balls: dict[tuple[int, int], Predicate] = {}
        self._whole: dict[tuple[int, int], Predicate] = {}

    def predicate(self) -> Predicate:
        """What the root must show.

        Raises:
            TooLarge: too many branches can stand for the same atoms.
            SmartsError: the SMARTS can match nothing.
        """
        rows = self._rows(self.root, None)
        found = self._nodes(self.root, [(row, tuple(least for _, least in row.sets)) for row in rows], (), 0)
        if not found:
            raise SmartsError("The SMARTS can match nothing: no atom has room for its branches.")
        return either(found)

    def evidence(self, atom: int, reader: int, radius: int = 0) -> tuple[WalkBackCase, ...]:
        """What an atom shows to the atom that reads it, one case a kind of reader.

        Args:
            atom, reader: neighbours in the motif.
            radius: how far around itself the atom shows the motif as well, its reader included.
        """
        key = atom, reader, radius
        if key not in self._evidence:
            check_time(self.until)
            self._evidence[key] = tuple(self._cases(atom, reader, radius))
        return self._evidence[key]

    def _shown(self, other: int, atom: int, reader: int | None) -> tuple[WalkBackCase, ...]:
        """The evidence of a branch, with as small a ball as decides whether the reader can be counted."""
        plain = self.evidence(other, atom)
        if reader is None or not self.with_balls:
            return plain
        for radius in range(MOST_RADIUS + 1):
            found = self.evidence(other, atom, radius)
            if all(isinstance(self._counts_reader(atom, reader, (case.branch,)), int) for case in found):
                return found
        return plain

    def _around(self, atom: int, radius: int) -> list[Literal]:
        """What an atom's neighbours in the motif must be, up to a radius."""
        if radius == 0:
            return []
        tree = self.tree
        branches: list[Branch] = [
            ((self._ball(other, radius - 1), tree.types(atom, other)),) for other in tree.around(atom)
        ]
        return [count(types, least) for types, least in type_sets(branches)]

    def _ball(self, atom: int, radius: int) -> Predicate:
        key = atom, radius
        if key not in self._balls:
            literals = self._around(atom, radius)
            self._balls[key] = either([self.tree.node(piece, literals) for piece in self.tree.pieces[atom]])
        return self._balls[key]

    def _rows(self, atom: int, reader: int | None) -> list[_Row]:
        shown = [self._shown(other, atom, reader) for other in self.tree.around(atom, reader)]
        rows = []
        for cases in product(*shown):
            if all(case.branch for case in cases):
                rows.append(_Row(cases, tuple(type_sets([case.branch for case in cases]))))
            if len(rows) > MOST_CASES:
                raise too_many_branches()
        return rows

    def _cases(self, atom: int, reader: int, radius: int) -> list[WalkBackCase]:
        rows = self._rows(atom, reader)
        more = [[self._counts_reader(atom, reader, types) for types, _ in row.sets] for row in rows]
        asked = {term: None for own in more for terms in own if not isinstance(terms, int) for term in terms}
        questions = list(dict.fromkeys(predicate for predicate, _ in asked))
        if len(questions) > MOST_QUESTIONS:
            raise too_many_branches()
        bonds = self.tree.types(atom, reader)
        groups: dict[tuple[bool, ...], set[int]] = {}
        for kind in sorted(bonds):
            groups.setdefault(tuple(kind in allowed for _, allowed in asked), set()).add(kind)
        unsure = any(not isinstance(terms, int) for own in more for terms in own)
        plus = any(terms == 1 for own in more for terms in own)
        taken = 0 if unsure or plus or radius else least_order(bonds)
        self.undecided = self.undecided or unsure
        ball = self._around(atom, radius)
        cases = []
        for answers in product((True, False), repeat=len(questions)):
            true = {predicate for predicate, answer in zip(questions, answers, strict=True) if answer}
            wanted = tuple(predicate for predicate in questions if predicate in true)
            unwanted = tuple(predicate for predicate in questions if predicate not in true)
            kind_of_reader = WalkBackCase(wanted, unwanted, ())
            own = options(self.tree.alone(reader))
            if questions and not any(kind_of_reader.of(option) for option in own):
                continue
            shown: dict[Predicate, frozenset[int]] = {}
            for group in groups.values():
                counted = [
                    tuple(
                        least + (terms if isinstance(terms, int) else _is_counted(terms, true, group))
                        for terms, (_, least) in zip(own, row.sets, strict=True)
                    )
                    for row, own in zip(rows, more, strict=True)
                ]
                found = self._nodes(atom, list(zip(rows, counted, strict=True)), ball, taken)
                if found:
                    predicate = either(found)
                    shown[predicate] = shown.get(predicate, frozenset()) | group
            cases.append(WalkBackCase(wanted, unwanted, tuple(shown.items())))
        return cases

    def _nodes(self, atom: int, rows: list[tuple[_Row, tuple[int, ...]]], ball, taken: int) -> list[Label | Node]:
        """An atom with its branches: for every row (kinds of reader, how many of each set)."""
        found: dict[Label | Node, None] = {}
        anchors = self.tree.anchors(atom)
        for row, numbers in rows:
            literals = [count(types, least) for (types, _), least in zip(row.sets, numbers, strict=True)]
            literals += ball
            for piece in self.tree.pieces[atom]:
                nodes = [self.tree.node(piece, literals, anchors, taken)]
                for case in row.cases:
                    nodes = [part for node in nodes for part in case.of(node)]
                found.update(dict.fromkeys(node for node in nodes if not impossible(node)))
        return list(found)

    def _counts_reader(self, atom: int, reader: int, types: tuple[Branch, ...]) -> int | tuple[Term, ...]:
        """1 where the reader is always one of the counted, 0 where it never is, else what it may be counted as."""
        bonds = self.tree.types(atom, reader)
        terms = [term for branch in types for term in branch if term[1] & bonds]
        if any(bonds <= allowed and self._reader_is(reader, atom, predicate) for predicate, allowed in terms):
            return 1
        depth = self._never.depth(atom)
        left = [(unanchored(own), allowed) for own, allowed in terms if not self._never(reader, own, depth)]
        return tuple(dict.fromkeys(left)) or 0

    def _reader_is(self, reader: int, atom: int, predicate: Predicate) -> bool:
        """Whether the reader, with all its branches away from the atom, is always what is counted."""
        return implies(self._full(reader, atom), predicate)

    def _full(self, atom: int, apart: int) -> Predicate:
        """An atom with all its branches away from another, as the whole motif has it there."""
        key = atom, apart
        if key not in self._whole:
            tree = self.tree
            branches: list[Branch] = [
                ((self._full(other, atom), tree.types(atom, other)),) for other in tree.around(atom, apart)
            ]
            literals = [count(types, least) for types, least in type_sets(branches)]
            # Its neighbour on the other side is there as well.
            whole: list[Branch] = [*branches, ((tree.label(apart), tree.types(atom, apart)),)]
            literals += [count(types, least) for types, least in type_sets(whole)]
            literals.append(count((((any_atom(), ALL_BONDS),),), len(whole)))
            self._whole[key] = either([tree.node(piece, literals) for piece in tree.pieces[atom]])
        return self._whole[key]


def _is_counted(terms: tuple[Term, ...], true: set[Predicate], bonds: set[int]) -> int:
    return int(any(predicate in true and bonds <= allowed for predicate, allowed in terms))


@lru_cache(maxsize=500)
def predicate_of_recursive(smarts: str) -> Predicate:
    """The predicate of a recursive SMARTS at its first atom."""
    return unanchored(Rooted(read_tree(smarts, 1), 0).predicate())


def notes_inside(query: Query) -> tuple[str, ...]:
    """The notes of its recursive SMARTS."""
    texts = {text for atom in query.atoms for box in atom.boxes for text, _ in box.inside}
    return tuple(note for text in sorted(texts) for note in _notes_of_recursive(text))


def _notes_of_recursive(smarts: str) -> tuple[str, ...]:
    tree = read_tree(smarts, 1)
    return (*tree.notes, *notes_inside(tree.query))


def read_tree(smarts: str, nested: int = 0) -> Tree:
    """The tree of a SMARTS.

    Raises:
        SmartsError: it cannot be compiled.
    """
    return Tree(read_query(smarts, nested), predicate_of_recursive)
