"""Magnetic mirror descent on a whole game tree, for any number of players (Sokota et al. 2023, arXiv:2206.05825).

In every information set at once the policy moves towards actions that pay, and towards the uniform policy, its magnet:
π' ∝ (π · exp(η q))^(1 / (1 + ηc)), where q is what an action pays given that the set is reached. Step size η and
temperature c both fall as 1 / √t, so that the last policy itself approaches an equilibrium of two players; with three
nothing is guaranteed. Payoffs are divided by the largest.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hearts_agents.openspiel.exploitability import Table

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


class MirrorDescent:
    """The solver; its policy is uniform at first.

    Attributes:
        levels: the tree, without its root.
        names: of each information set, the number of its first pair, and its actions.
        sets: (pairs,) number of the information set of each pair.
        policy: (pairs,) probability of the action in its set.
        steps: how many there were.

    >>> from hearts_agents.openspiel.exploitability import load_tree, nash_conv
    >>> tree = load_tree("duel_hearts(hand_size=2)")
    >>> solver = MirrorDescent(tree)
    >>> before = nash_conv(tree, solver.table())
    >>> for _ in range(30):
    ...     solver.step()
    >>> nash_conv(tree, solver.table()) < before / 4
    True
    """

    def __init__(self, tree: Any) -> None:
        """Read a tree, a `pyspiel.Game` of which every state is visited."""
        self.players = int(tree.num_players())
        self.names: dict[str, tuple[int, list[int]]] = {}
        self._pairs = 0
        self.levels, nodes = list[Level](), [tree.new_initial_state()]
        while nodes:
            level, nodes = self._below(nodes)
            self.levels.append(level)
        self.levels.pop()  # below the last nodes there is nothing
        sizes = [len(actions) for _, actions in self.names.values()]
        self._first = np.array([first for first, _ in self.names.values()])
        self.sets = np.repeat(np.arange(len(sizes)), sizes)
        self.policy = 1.0 / np.repeat(np.array(sizes, np.float64), sizes)
        self.steps = 0
        self._scale = 1 / max(float(np.abs(level.pays).max()) for level in self.levels)

    def _below(self, nodes: list[Any]) -> tuple[Level, list[Any]]:
        rows: list[tuple[int, int, float, int]] = []
        children, pays = [], []
        for place, node in enumerate(nodes):
            if node.is_terminal():
                continue
            if node.is_chance_node():
                moves = [(action, self.players, share, -1) for action, share in node.chance_outcomes()]
            else:
                first, player = self._pairs_of(node), node.current_player()
                moves = [(action, player, 1.0, first + k) for k, action in enumerate(node.legal_actions())]
            for action, mover, share, pair in moves:
                child = node.child(action)
                rows.append((place, mover, share, pair))
                children.append(child)
                pays.append(child.returns() if child.is_terminal() else [0.0] * self.players)
        columns = np.array(rows, np.float64).reshape(-1, 4).T
        parent, mover, pair = columns[[0, 1, 3]].astype(np.int64)
        return Level(parent, mover, columns[2], pair, np.array(pays).reshape(-1, self.players)), children

    def _pairs_of(self, node: Any) -> int:
        """The number of the first action in the information set of a node."""
        name = node.information_state_string()
        if name not in self.names:
            self.names[name] = self._pairs, node.legal_actions()
            self._pairs += len(self.names[name][1])
        return self.names[name][0]

    def step(self) -> None:
        """One step in all information sets."""
        self.steps += 1
        rate = temperature = 1 / np.sqrt(self.steps)
        logits = (np.log(self.policy) + rate * self._scale * self._pays_of_pairs()) / (1 + rate * temperature)
        powers = np.exp(logits - np.maximum.reduceat(logits, self._first)[self.sets])
        self.policy = np.maximum(powers / np.bincount(self.sets, powers)[self.sets], 1e-300)

    def _pays_of_pairs(self) -> Floats:
        """(pairs,) what each action pays its seat, given that its information set is reached."""
        shares = [
            np.where(level.pair < 0, level.chance, self.policy[np.maximum(level.pair, 0)]) for level in self.levels
        ]
        reaches = [np.ones((self.players, 1))]  # by the moves of all but that seat
        for level, share in zip(self.levels, shares, strict=True):
            other = level.mover != np.arange(self.players)[:, None]
            reaches.append(reaches[-1][:, level.parent] * np.where(other, share, 1.0))
        sums, weights = np.zeros(self._pairs), np.zeros(self._pairs)
        values = self.levels[-1].pays
        for depth in range(len(self.levels) - 1, -1, -1):
            level = self.levels[depth]
            own = np.flatnonzero(level.pair >= 0)
            reach = reaches[depth + 1][level.mover[own], own]
            np.add.at(sums, level.pair[own], reach * values[own, level.mover[own]])
            np.add.at(weights, level.pair[own], reach)
            above = self.levels[depth - 1].pays.copy() if depth else np.zeros((1, self.players))
            np.add.at(above, level.parent, shares[depth][:, None] * values)
            values = above
        return sums / np.maximum(weights, 1e-300)

    def table(self) -> Table:
        """The policy as it is now."""
        return {
            name: [(action, float(self.policy[first + k])) for k, action in enumerate(actions)]
            for name, (first, actions) in self.names.items()
        }
