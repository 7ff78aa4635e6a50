"""Rewards of one's own: a function of what a batch of games looked like before and after a step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hearts_env.compiled.game import Game
from hearts_env.kernel.records import STATE
from hearts_env.ruleset.limits import KINDS, SEATS
from hearts_env.ruleset.syntax import brief

Array = NDArray[Any]


class Moment(NamedTuple):
    """What a reward function sees of n games before, or after, a step; the arrays are its to read until it returns.

    Both moments of a step are of the same deal: where a deal ended in the step, `after` is its end, with its final
    points, and not the deal that followed. In a `MixedEnv` there are 11 seats and 64 kinds, 0 beyond those of a game.

    Attributes:
        points: (n, seats) points of the cards taken in the deal so far; at its end its final points. Whole numbers,
            complex in Complex Hearts.
        tricks: (n, seats) tricks won in the deal.
        taken: (n, seats, kinds) copies of each card taken in the deal; kinds in the order of the actions.
        shooter: (n,) who shot the moon, once the deal is played out; -1 if nobody has.
        attempted: (n, seats) bool, whether the seat has tried to shoot the moon in the deal (see `Outcome`).
        phase: (n,) a `hearts_env.kernel.records.Phase`; OVER at the end of a deal.
        ended: (n,) bool, whether the episode is over.
        games: (n,) the game in each place: an index into `MixedEnv.kinds`, 0 elsewhere.
    """

    points: Array
    tricks: Array
    taken: Array
    shooter: Array
    attempted: Array
    phase: Array
    ended: Array
    games: Array


Function = Callable[[Moment, Moment], Any]


class RewardFunction:
    """A reward function, and the looks at n games that it is called with.

    A step of an environment is `begin`, `play` for each action in turn, then `pay`: what happens in between, such as
    the opponents' play, is part of the step.

    Attributes:
        by_ply: whether `checked_step` is a whole step; otherwise the environment calls `begin` and `pay`.
    """

    by_ply = True

    def __init__(self, function: Function, kinds: Sequence[Game], count: int = 1, *, wide: bool = False) -> None:
        """`kinds` are the games, `count` is n; `wide` asks for the seats and kinds of cards of the largest game."""
        from hearts_env.kernel.looks import LOOK  # imports Numba

        self._function, self._kinds = function, kinds
        self._seats, self._cards = (SEATS, KINDS) if wide else (kinds[0].seats, len(kinds[0].deck.kinds))
        self._tables = np.concatenate([game.table for game in kinds])
        self._before, self._after = np.zeros(count, LOOK), np.zeros(count, LOOK)
        self._games, self._closed = np.zeros(count, np.int64), np.zeros(count, np.bool_)

    def begin(self, states: Array, games: Array | None = None) -> None:
        """Look at the `STATE` records (n,) before a step; `games` (n,) are the places of their games in `kinds`."""
        from hearts_env.kernel.looks import refresh

        self._closed[:], self._games[:] = False, 0 if games is None else games
        refresh(states, self._tables, self._games, np.zeros(1, STATE), self._before)

    def play(self, states: Array, rows: Array, actions: Array) -> None:
        """Take legal actions, one for each of `rows`, and look at the deals that end."""
        from hearts_env.kernel.looks import play_to_end_of_deal

        scratch = np.zeros(1, STATE)  # of this thread
        play_to_end_of_deal(states, self._tables, self._games, rows, actions, scratch, self._closed, self._after)

    def pay(self, states: Array) -> NDArray[np.float32]:
        """What the function pays for the step, (n, seats). Raises ValueError for anything but finite numbers."""
        from hearts_env.kernel.looks import look_on

        scratch = np.zeros(1, STATE)
        look_on(states, self._tables, self._games, scratch, self._closed, self._before, self._after)
        moments = self._moment(self._before), self._moment(self._after)
        self._before, self._after = self._after, self._before
        return self._checked(self._function(*moments))

    def _moment(self, looks: Array) -> Moment:
        points, gaussian = looks["points"][:, : self._seats], any(game.gaussian for game in self._kinds)
        return Moment(
            points=points[..., 0] + 1j * points[..., 1] if gaussian else points[..., 0],
            taken=looks["taken"][:, : self._seats, : self._cards],
            games=self._games,
            tricks=looks["tricks"][:, : self._seats],
            attempted=looks["attempted"][:, : self._seats] > 0,
            shooter=looks["shooter"],
            phase=looks["phase"],
            ended=looks["ended"] > 0,
        )

    def _checked(self, returned: Any) -> NDArray[np.float32]:
        shape = len(self._games), self._seats
        try:
            paid = np.asarray(returned)
        except (TypeError, ValueError):  # lists of different lengths
            paid = np.empty(0, object)
        if paid.shape != shape or paid.dtype.kind not in "biuf":
            given = f"{paid.dtype} of shape {paid.shape}" if paid.dtype.kind != "O" else brief(returned)
            raise ValueError(f"reward returned {given}; it must return numbers of shape {shape}, one a game and seat")
        if (wrong := np.argwhere(~np.isfinite(paid))).size:
            game, seat = wrong[0]
            raise ValueError(f"reward returned {paid[game, seat]} for game {game}, seat {seat}; rewards are finite")
        return paid.astype(np.float32)

    def checked_step(
        self, states: Array, table: Array, action: int, _: Array, rewards: Array, observation: Array, mask: Array
    ) -> bool:
        """As `hearts_env.envs.rewards.checked_step`; `rewards` (seats, 1) are 0 unless `by_ply`."""
        from hearts_env.kernel.batch import encode_all, first_illegal

        rows, actions = np.zeros(1, np.int64), np.array([action])
        if states["seat"][0] < 0 or first_illegal(states, table, rows, actions) >= 0:
            return False
        if self.by_ply:
            self.begin(states)
        self.play(states, rows, actions)
        encode_all(states, table[0], observation[None], mask[None])
        rewards[:, 0] = self.pay(states)[0] if self.by_ply else 0
        return True
