"""Monte Carlo tree search over connected coalitions of atoms, as SubgraphX does it.

Source: H. Yuan, H. Yu, J. Wang, K. Li, S. Ji, "On Explainability of Graph Neural Networks via Subgraph Explorations",
ICML 2021, Section 3.3 and Algorithm 1.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import networkx as nx

Coalition = frozenset[int]


@dataclass(eq=False)
class Node:
    """A coalition in the tree.

    Attributes:
        coalition: its atoms.
        reward: what the coalition is worth (None until it is scored).
        visits: how often a rollout went through.
        total_reward: the sum of the rewards that these rollouts ended in.
        children: the coalitions that are left when one of its atoms is taken away; None until expanded.
    """

    coalition: Coalition
    reward: float | None = None
    visits: int = 0
    total_reward: float = 0.0
    children: list["Node"] | None = field(default=None, repr=False)

    def priority(self, sibling_visits: int, exploration: float) -> float:
        """Mean reward so far plus the bonus for rarely visited coalitions of high reward."""
        if self.reward is None:
            raise AssertionError("a child is scored when its parent is expanded")
        mean = self.total_reward / self.visits if self.visits else 0.0
        return mean + exploration * self.reward * sibling_visits**0.5 / (1 + self.visits)


class Search:
    """The search tree of one graph. Equal coalitions reached on different ways are one node.

    Args:
        graph: the molecule.
        rewards: from coalitions to what they are worth.
        min_atoms: coalitions of at most this size are leaves.
        exploration: weight of the exploration bonus (``c_puct``).
        expand_atoms: at most this many atoms are tried when a node is expanded, those of lowest degree first.
        centre: an atom that every coalition holds, or None.
    """

    def __init__(
        self,
        graph: nx.Graph,
        rewards: Callable[[Sequence[Coalition]], Sequence[float]],
        min_atoms: int,
        exploration: float,
        expand_atoms: int,
        centre: int | None = None,
    ):
        self._graph = graph
        self._rewards = rewards
        self._min_atoms = min_atoms
        self._exploration = exploration
        self._expand_atoms = expand_atoms
        self._centre = centre
        self.root = Node(frozenset(graph))
        self.nodes = {self.root.coalition: self.root}

    def rollout(self) -> None:
        """Go from the whole molecule down to a leaf, and credit the leaf's reward to every node on the way."""
        path = [self.root]
        while len(path[-1].coalition) > self._min_atoms:
            node = path[-1]
            children = self._expand(node) if node.children is None else node.children
            visits = sum(child.visits for child in children)
            path.append(max(children, key=lambda child: child.priority(visits, self._exploration)))
        reward = path[-1].reward
        for node in path[1:]:
            if reward is None:
                raise AssertionError("a child is scored when its parent is expanded")
            node.visits += 1
            node.total_reward += reward

    def best(self, largest: int | None = None) -> Node:
        """The coalition of highest reward, the smaller one on ties; the whole molecule where nothing was scored.

        Args:
            largest: the most atoms it may hold; where none is that small, the smallest ones are looked at.
        """
        scored = [node for node in self.nodes.values() if node.reward is not None]
        if scored and largest is not None:
            limit = max(largest, min(len(node.coalition) for node in scored))
            scored = [node for node in scored if len(node.coalition) <= limit]
        return max(scored, key=lambda node: (node.reward, -len(node.coalition)), default=self.root)

    def _expand(self, node: Node) -> list[Node]:
        # A copy: views of networkx ask every node and edge anew whether it is inside.
        inside = self._graph.subgraph(node.coalition).copy()
        movable = (atom for atom in inside if atom != self._centre)
        tried = sorted(movable, key=lambda atom: (inside.degree(atom), atom))[: self._expand_atoms]
        coalitions = dict.fromkeys(self._without(inside, atom) for atom in tried)
        node.children = [self.nodes.setdefault(coalition, Node(coalition)) for coalition in coalitions]
        unscored = [child for child in node.children if child.reward is None]
        for child, reward in zip(unscored, self._rewards([child.coalition for child in unscored]), strict=True):
            child.reward = reward
        return node.children

    def _without(self, inside: nx.Graph, atom: int) -> Coalition:
        """The connected piece with the centre, else the largest one (of equal ones that with the lowest atom)."""
        bonds = list(inside.edges(atom))
        inside.remove_node(atom)
        if self._centre is None:
            largest = max(nx.connected_components(inside), key=lambda piece: (len(piece), -min(piece)))
        else:
            largest = nx.node_connected_component(inside, self._centre)
        inside.add_node(atom)
        inside.add_edges_from(bonds)
        return frozenset(largest)
