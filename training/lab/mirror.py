"""Magnetic mirror descent on a whole game tree, for any number of players (Sokota et al. 2023, arXiv:2206.05825).

In every information set at once the policy moves towards actions that pay, and towards the uniform policy, its magnet:
π' ∝ (π · exp(η q))^(1 / (1 + ηc)), where q is what an action pays given that the set is reached. Step size η and
temperature c both fall as 1 / √t, so that the last policy itself approaches an equilibrium of two players; with three
nothing is guaranteed. Payoffs are divided by the largest.
"""

from __future__ import annotations

import numpy as np

from lab.trees import Tree


class MirrorDescent:
    """The solver; its policy is uniform at first.

    Attributes:
        tree: the game.
        policy: (pairs,) as in `Tree`.
        steps: how many there were.

    >>> from hearts_agents.openspiel.exploitability import load_tree
    >>> tree = Tree(load_tree("duel_hearts(hand_size=2)"))
    >>> solver = MirrorDescent(tree)
    >>> before = tree.nash_conv(solver.policy)
    >>> for _ in range(30):
    ...     solver.step()
    >>> tree.nash_conv(solver.policy) < before / 4
    True
    """

    def __init__(self, tree: Tree) -> None:
        self.tree, self.policy, self.steps = tree, tree.uniform(), 0
        self._scale = 1 / max(float(np.abs(level.pays).max()) for level in tree.levels)

    def step(self) -> None:
        """One step in all information sets."""
        self.steps += 1
        tree, rate = self.tree, 1 / np.sqrt(self.steps)
        temperature = rate
        pays = self._scale * tree.pays_of_pairs(self.policy)
        logits = (np.log(self.policy) + rate * pays) / (1 + rate * temperature)
        powers = np.exp(logits - np.maximum.reduceat(logits, tree.first)[tree.sets])
        self.policy = np.maximum(powers / np.bincount(tree.sets, powers)[tree.sets], 1e-300)
