"""The value of a deal in a match: the change of every seat's chance to win it.

Points of a deal do not win matches: far behind, a player must take risks; ahead, it must stop the player behind it. The
match critic estimates every seat's chance to win from the state of the match between two deals (totals, the number of
the deal, the dealer), and a deal earns a seat the change of its chance. As long as the estimates stay the same, these
add up over a match to 1 for the winner minus the chance at the start. The policy learns from each deal separately, so a
wrong estimate gives a wrong reward. The critic does not know which agents hold the seats. It learns from the matches
that have ended.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from hearts_agents.neural.policy import hidden_layers
from hearts_env.envs.vector import VectorEnv
from hearts_env.kernel.jit import jit
from hearts_env.kernel.observe import encode
from hearts_env.kernel.records import Array, Tables
from hearts_env.seat.observation import layout_of
from hearts_training.train.networks import initialise
from hearts_training.train.rollout import Floats, Rows

STANDINGS = ("totals", "totals_im", "pool", "lives", "extended")
"""The fields of an observation that only matches change."""
FIELDS = (*STANDINGS, "dealer", "deal_number")
"""The fields of an observation that are the state of a match between two deals."""
WIDTHS = (64, 64)
SAVED = ("before", "states", "games", "shares")
REMEMBERED = 64
"""Deals that are remembered, for each game; older ones are forgotten."""


@jit
def observe_seats(states: Array, t: Tables, games: Rows, observations: Array) -> None:
    """Write what every seat observes in some games, (games, seats, columns)."""
    for i in range(games.shape[0]):
        for seat in range(t.seats):
            encode(states[games[i]], t, seat, observations[i, seat])


class MatchCritic:
    """Estimates chances to win a match, and remembers matches to learn from.

    Attributes:
        net: from the state of a match as a seat sees it, (n, columns), to the logit of its chance, (n, 1).
        columns: the columns of an observation that `net` reads.
        before: (games, seats, columns) the states before the running deals.
        states: (rows, seats, columns) the states before deals that have ended, in a ring.
        games: (rows,) the game in which the deal was played, until its match has ended; -1 otherwise.
        shares: (rows, seats) each seat's share of the win; they sum to 1, or to 0 until the match has ended.
        next_row: the row that is written next.
    """

    def __init__(self, env: VectorEnv, seed: int = 0, device: torch.device | None = None) -> None:
        """`env` must have ``reward="win"`` and have been reset; the seed fixes the weights of the network."""
        layout = layout_of(env.game)
        found = [np.arange(layout[name].columns.stop)[layout[name].columns] for name in FIELDS if name in layout]
        self.columns = np.concatenate(found)
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            self.net = nn.Sequential(*hidden_layers(len(self.columns), WIDTHS), nn.Linear(WIDTHS[-1], 1))
            initialise(self.net)
        self.net.to(device)
        rows = REMEMBERED * env.num_envs
        self.before = self._observe(env, np.arange(env.num_envs))
        self.states = np.zeros((rows, *self.before.shape[1:]), np.float32)
        self.games, self.shares = np.full(rows, -1), np.zeros((rows, env.game.seats), np.float32)
        self.next_row = 0

    def pay(self, env: VectorEnv, ended: NDArray[np.bool_]) -> Floats:
        """The rewards of every seat, (games, seats), in the games whose deal has ended with the last step."""
        rewards = np.zeros(env.rewards.shape, np.float32)
        games = np.flatnonzero(ended)
        if games.size:
            over, after = env.terminated[games], self._observe(env, games)
            chances = np.where(over[:, None], env.rewards[games], self.chances(after))
            rewards[games] = chances - self.chances(self.before[games])
            self._remember(games, self.before[games])
            self._settle(games[over], env.rewards)
            self.before[games] = after
        return rewards

    def chances(self, states: Floats) -> Floats:
        """Every seat's chance to win, (n, seats), given the states of some matches, (n, seats, columns)."""
        with torch.inference_mode():
            logits = self._logits(torch.from_numpy(states))
            chances: Floats = torch.softmax(logits, 1).cpu().numpy()
        return chances

    def batches(self, number: int, size: int, random: np.random.Generator) -> Iterator[tuple[Tensor, Tensor]]:
        """Random states and who won, `number` times `size` of them; nothing before the first match has ended."""
        known = np.flatnonzero(self.shares.any(1))
        for _ in range(number if known.size else 0):
            rows = known[random.integers(len(known), size=size)]
            yield torch.from_numpy(self.states[rows]), torch.from_numpy(self.shares[rows])

    def loss(self, states: Tensor, shares: Tensor) -> Tensor:
        """The mean cross-entropy of what `batches` has drawn."""
        logits = self._logits(states)
        return nn.functional.cross_entropy(logits, shares.to(logits.device))

    def _logits(self, states: Tensor) -> Tensor:
        device = next(self.net.parameters()).device
        logits: Tensor = self.net(states.to(device)).squeeze(2)
        return logits

    def _observe(self, env: VectorEnv, games: Rows) -> Floats:
        observations = np.zeros((len(games), env.game.seats, int(env.game.tables["obs_size"])), np.float32)
        observe_seats(env.states, env.game.tables, games, observations)
        found: Floats = observations[..., self.columns]
        return found

    def _remember(self, games: Rows, states: Floats) -> None:
        rows = (self.next_row + np.arange(len(games))) % len(self.games)
        self.states[rows], self.games[rows], self.shares[rows] = states, games, 0
        self.next_row = int(rows[-1] + 1) % len(self.games)

    def _settle(self, games: Rows, shares: Floats) -> None:
        if games.size:
            rows = np.flatnonzero(np.isin(self.games, games))
            self.shares[rows], self.games[rows] = shares[self.games[rows]], -1

    # --- files ----------------------------------------------------------------------------------

    def tensors(self) -> dict[str, Tensor]:
        """The tensors that `restore` needs besides the network, by name."""
        return {name: torch.from_numpy(getattr(self, name).copy()) for name in SAVED} | {
            "next_row": torch.tensor(self.next_row)
        }

    def restore(self, tensors: Mapping[str, Tensor]) -> None:
        """Go back to what `tensors` returned. Raises KeyError or ValueError for what is missing or does not fit."""
        for name in SAVED:
            getattr(self, name)[...] = tensors[name].numpy()
        self.next_row = int(tensors["next_row"])
