"""A game tree in arrays, level by level: expected points, best responses and NashConv of tables in milliseconds.

OpenSpiel's own best responses walk a tree of `trio_hearts` in a quarter of a minute; a test holds the two together.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hearts_agents.openspiel.exploitability import StrategyTable

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Level(NamedTuple):
    """The nodes of a depth: each a child of one of the depth before, those of one parent side by side.

    Attributes:
        parent: (n,) place in the depth before.
        mover: (n,) seat that moved there; the number of players for chance.
        chance: (n,) probability of a move of chance, 1 elsewhere.
        pair: (n,) the information set and action that were left, as a number; -1 for a move of chance.
        pays: (n, players) of a terminal node; 0 elsewhere.
    """

    parent: Ints
    mover: Ints
    chance: Floats
    pair: Ints
    pays: Floats


class Tree:
    """A game of OpenSpiel of which every state has been visited. A policy is (pairs,) numbers, of each information set
    and action, in the order in which they were found.

    Attributes:
        levels: the tree, without its root.
        players: how many there are.
        actions: information set -> its actions.
        states: information set -> a state of it.
        sets: (pairs,) number of the information set of each pair.
        first: (information sets,) number of the first pair of each.

    >>> from hearts_agents.openspiel.exploitability import load_tree, nash_conv
    >>> game = load_tree("duel_hearts(hand_size=2)")
    >>> tree = Tree(game)
    >>> uniform = tree.uniform()
    >>> bool(np.isclose(tree.nash_conv(uniform), nash_conv(game, tree.table(uniform))))
    True
    """

    def __init__(self, game: Any) -> None:
        """Visit every state of a `pyspiel.Game`. Raises ValueError if an information set is met at several depths."""
        self.players = int(game.num_players())
        self.actions: dict[str, list[int]] = {}
        self.states: dict[str, Any] = {}
        self._places: dict[str, tuple[int, int]] = {}  # information set -> its first pair, and its depth
        self._pairs = 0
        self.levels, nodes = list[Level](), [game.new_initial_state()]
        while nodes:
            level, nodes = self._below(nodes)
            self.levels.append(level)
        self.levels.pop()  # below the last nodes there is nothing
        sizes = [len(actions) for actions in self.actions.values()]
        self.first = np.array([first for first, _ in self._places.values()])
        self.sets = np.repeat(np.arange(len(sizes)), sizes)

    def _below(self, nodes: list[Any]) -> tuple[Level, list[Any]]:
        rows: list[tuple[int, int, float, int]] = []
        children, pays = [], []
        for place, node in enumerate(nodes):
            if node.is_terminal():
                continue
            if node.is_chance_node():
                moves = [(action, self.players, share, -1) for action, share in node.chance_outcomes()]
            else:
                first, player = self._first_pair(node), node.current_player()
                moves = [(action, player, 1.0, first + k) for k, action in enumerate(node.legal_actions())]
            for action, mover, share, pair in moves:
                child = node.child(action)
                rows.append((place, mover, share, pair))
                children.append(child)
                pays.append(child.returns() if child.is_terminal() else [0.0] * self.players)
        columns = np.array(rows, np.float64).reshape(-1, 4).T
        parent, mover, pair = columns[[0, 1, 3]].astype(np.int64)
        return Level(parent, mover, columns[2], pair, np.array(pays).reshape(-1, self.players)), children

    def _first_pair(self, node: Any) -> int:
        name, depth = node.information_state_string(), len(self.levels)
        if name not in self.actions:
            self.actions[name], self.states[name] = node.legal_actions(), node
            self._places[name] = self._pairs, depth
            self._pairs += len(self.actions[name])
        first, found = self._places[name]
        if found != depth:
            raise ValueError(f"information set {name!r} is met after {found} and after {depth} moves")
        return first

    def uniform(self) -> Floats:
        """The policy that plays every action with the same probability."""
        return 1.0 / np.bincount(self.sets)[self.sets]

    def table(self, policy: Floats) -> StrategyTable:
        """A policy as a table."""
        shares = np.split(policy, self.first[1:])
        pairs = zip(self.actions.items(), shares, strict=True)
        return {name: [*zip(actions, share.tolist(), strict=True)] for (name, actions), share in pairs}

    def policy(self, table: StrategyTable) -> Floats:
        """A table as a policy; what it says of other information sets is left out. Raises KeyError for a set or action
        that it lacks.
        """
        shares = ((actions, dict(table[name])) for name, actions in self.actions.items())
        return np.array([share[action] for actions, share in shares for action in actions])

    def returns(self, policy: Floats) -> Floats:
        """(players,) what each seat is paid on average."""
        return self._valued(policy)[0]

    def nash_conv(self, policy: Floats) -> float:
        """By how many points the seats could improve in all, each alone by its best response to the others."""
        return float((self._valued(policy, best=True)[0] - self.returns(policy)).sum())

    def pays_of_pairs(self, policy: Floats) -> Floats:
        """(pairs,) what each action pays its seat, given that its information set is reached."""
        return self._valued(policy)[1]

    def _valued(self, policy: Floats, best: bool = False) -> tuple[Floats, Floats]:
        """(players,) what each seat is paid, and (pairs,) what each of its actions pays it, given that the others reach
        its information set; where all play on by a policy, or each seat itself by its `best` response.
        """
        moved = [np.where(one.pair < 0, one.chance, policy[np.maximum(one.pair, 0)]) for one in self.levels]
        reaches = [np.ones((1, self.players))]  # by the moves of all but that seat
        for level, share in zip(self.levels, moved, strict=True):
            other = level.mover[:, None] != np.arange(self.players)
            reaches.append(reaches[-1][level.parent] * np.where(other, share[:, None], 1.0))
        sums, weights = np.zeros(self._pairs), np.zeros(self._pairs)
        values = self.levels[-1].pays
        for depth in range(len(self.levels) - 1, -1, -1):
            level, shares = self.levels[depth], np.repeat(moved[depth][:, None], self.players, 1)
            own = np.flatnonzero(level.pair >= 0)
            pair, mine = level.pair[own], (own, level.mover[own])
            sums += np.bincount(pair, reaches[depth + 1][mine] * values[mine], self._pairs)
            weights += np.bincount(pair, reaches[depth + 1][mine], self._pairs)
            if best:
                shares[mine] = self._chosen(sums)[pair]
            values = self._above(depth, shares * values)
        return values[0], sums / np.maximum(weights, 1e-300)

    def _above(self, depth: int, values: Floats) -> Floats:
        """Values of the nodes of a level, (n, players), added up at their parents."""
        above = self.levels[depth - 1].pays if depth else np.zeros((1, self.players))
        parent = self.levels[depth].parent
        sums: Floats = np.stack([np.bincount(parent, column, len(above)) for column in values.T], 1) + above
        return sums

    def _chosen(self, pays: Floats) -> Floats:
        """(pairs,) 1 at the first of the best actions of each information set, 0 elsewhere."""
        best = np.flatnonzero(pays == np.maximum.reduceat(pays, self.first)[self.sets])
        chosen = np.zeros(len(pays))
        chosen[best[np.unique(self.sets[best], return_index=True)[1]]] = 1
        return chosen
