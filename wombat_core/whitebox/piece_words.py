"""What a channel asks of an atom, in words."""

from rdkit import Chem

from .asked import ANY, BONDS, COUNTS, ELEMENTS, Ask, Atom, most_neighbours
from .piece_smarts import branches, split_degree
from .wording import article, bonds_word, element_word, hydrogens

MOST_CHARACTERS = 320
_SIGNS = "-=#:"
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six")


def alternatives_words(atoms: tuple[Atom, ...]) -> str:
    """Atoms that are one of these, in one phrase without a full stop."""
    words = ", or ".join(atom_words(atom) for atom in atoms[:3])
    if len(atoms) > 3:
        words += f", or one of {len(atoms) - 3} others"
    if len(words) <= MOST_CHARACTERS:
        return words
    return ", or ".join(_flat(atom) for atom in atoms[:3])


def atom_words(atom: Atom) -> str:
    """ "a carbon with no hydrogens, with a double bond to an oxygen"."""
    return _phrase(atom, None, 1)


def _phrase(atom: Atom, reader, least: int) -> str:
    own, degree = split_degree(atom)
    below, inside = branches(own, reader)
    words = _noun(atom, degree, least)
    parts = [_bonded(ask, count, atom, reader) for ask, count in below]
    parts += [f"{_bonded(ask, ask.least, ANY, None)} (which may be one of those already named)" for ask in inside]
    if parts:
        joined = ", ".join(parts[:-1]) + (" and " if len(parts) > 1 else "") + parts[-1]
        words += f", with {joined}" if degree or atom.hydrogens != COUNTS else f" with {joined}"
    if atom.never:
        never = " or ".join(_phrase(other, None, 1) for other in atom.never)
        words += f", that {'is' if least == 1 else 'are'} not {never}"
    return words


def _bonded(ask: Ask, least: int, atom: Atom, reader) -> str:
    known = atom
    if reader is not None:
        there = Ask((Atom(reader[0].elements, reader[0].hydrogens),), reader[1])
        known = Atom(atom.elements, atom.hydrogens, (*atom.asks, there), atom.never, atom.more)
    kind = "" if ask.bonds == BONDS else bonds_word("".join(_SIGNS[own] for own in sorted(ask.bonds))) + " "
    targets = " or ".join(_phrase(target, (known, ask.bonds), least) for target in ask.target[:3])
    if any(target.asks or target.never for target in ask.target):
        targets = f"{targets.partition(',')[0]} ({targets.partition(', ')[2]})" if _one_comma(targets) else targets
    bonds = f"{kind}bonds to" if least > 1 else f"{article(kind + 'bond')} to"
    return f"{bonds} {targets}"


def _one_comma(words: str) -> bool:
    return ", " in words and "(" not in words.partition(", ")[0]


def _flat(atom: Atom) -> str:
    """The atom alone, where the rest would be too long to read."""
    return f"{_noun(atom, split_degree(atom)[1], 1)}, with more of the motif around it than words can say"


def _noun(atom: Atom, degree: int, least: int) -> str:
    many = least > 1
    table = Chem.GetPeriodicTable()
    if len(atom.elements) >= len(ELEMENTS) - 1:
        words = "atoms" if many else "atom"
    elif len(atom.elements) > len(ELEMENTS) // 2:
        missing = sorted(ELEMENTS - atom.elements - {0})
        named = " or ".join(element_word(table.GetElementSymbol(slot)) for slot in missing[:4])
        words = f"atom{'s' if many else ''} other than {named}"
    else:
        named = [element_word(table.GetElementSymbol(slot)) + ("s" if many else "") for slot in sorted(atom.elements)]
        words = named[0] if len(named) == 1 else ", ".join(named[:-1]) + " or " + named[-1]
    if atom.hydrogens != COUNTS:
        words += " " + hydrogens(tuple(sorted(atom.hydrogens))).replace("exactly ", "")
    if degree > 1:
        exactly = degree == most_neighbours(atom, BONDS)
        words += (
            f"{' and' if atom.hydrogens != COUNTS else ' with'} {'' if exactly else 'at least '}{degree} neighbours"
        )
    for more in atom.more:
        what = "neighbours and hydrogens" if more[0] == "X" else "valence"
        number = more[2:-2]
        words += (
            f" with at least {number} {what}" if what.startswith("n") else f" with a total valence of {number} or more"
        )
    if many:
        return f"{_NUMBERS[least] if least < len(_NUMBERS) else least} {words}"
    return article(words)
