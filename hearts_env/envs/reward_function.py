"""Rewards of one's own: a function of a batch of games before and after a step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from traceback import extract_tb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_env.compiled.game import Game
from hearts_env.envs.outcome import READERS, read_records
from hearts_env.kernel.records import STATE, Phase
from hearts_env.ruleset.syntax import brief

Array = NDArray[Any]


def _taken(game: Game, records: Array) -> Array:
    kinds = np.arange(len(game.deck.kinds), dtype=np.uint64)
    held = records["taken"][:, : game.seats, :, None] >> kinds & np.uint64(1)
    taken: Array = held.sum(axis=2, dtype=np.int64)
    return taken


class Moment:
    """What a reward function sees of n games before, or after, a step. Arrays are made when they are read.

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

    def __init__(self, kinds: Sequence[Game], records: Array, games: Array | None, between: Array | bool) -> None:
        """`between` (n,) marks the games in which another deal follows the end of this one."""
        self.phase, self.ended = records["phase"], (records["phase"] == Phase.OVER) & ~np.asarray(between)
        self.games = np.zeros(len(records), np.int64) if games is None else games
        self._source = kinds, records, games

    def __getattr__(self, name: str) -> Array:
        if name not in ("points", "tricks", "taken", "shooter", "attempted"):
            raise AttributeError(f"a moment has no {name!r}; it has {', '.join(Moment.__annotations__)}")
        array = read_records(_taken if name == "taken" else READERS[name], *self._source)
        setattr(self, name, array)
        return array


Function = Callable[[Moment, Moment], Any]


class RewardFunction:
    """A reward function, and the records of n games that it is called with.

    A step of an environment is `begin`, `play` for each action in turn, then `pay`: what happens in between, such as
    the opponents' play, is part of the step.

    Attributes:
        by_ply: whether `checked_step` is a whole step; otherwise the environment calls `begin` and `pay`.
    """

    by_ply = True

    def __init__(self, function: Function, kinds: Sequence[Game], count: int = 1) -> None:
        """`kinds` are the games, `count` is n."""
        self._function, self._kinds = function, kinds
        self._tables = np.concatenate([game.table for game in kinds])
        self._ends, self._over = np.zeros(count, STATE), np.zeros(count, np.int8)
        self._games: Array | None = None
        self._places = np.zeros(count, np.int64)

    def begin(self, states: Array, games: Array | None = None) -> None:
        """Keep the `STATE` records (n,) before a step; `games` (n,) are the places of their games in `kinds`."""
        self._over[:] = 0
        if games is not None:
            self._games = self._places = games.copy()
        self._before = Moment(self._kinds, states.copy(), self._games, False)

    def play(self, states: Array, rows: Array, actions: Array) -> None:
        """Take legal actions, one for each of `rows`, and keep the deals that end."""
        from hearts_env.kernel.deal_ends import play_to_deal_ends  # imports Numba

        play_to_deal_ends(states, self._tables, self._places, rows, actions, self._ends, self._over)

    def pay(self, states: Array) -> NDArray[np.float32]:
        """What the function pays for the step, (n, seats).

        Raises ValueError if the function fails or returns anything but finite numbers.
        """
        from hearts_env.kernel.deal_ends import DEAL_OVER

        records, over = states.copy(), self._over > 0
        records[over] = self._ends[over]
        after = Moment(self._kinds, records, self._games, self._over == DEAL_OVER)
        try:
            paid = self._function(self._before, after)
        except Exception as error:
            at = extract_tb(error.__traceback__)[:2][-1]  # the function's own frame, if it was entered
            text = f"{type(error).__name__}: {' '.join(str(error).split())}"
            raise ValueError(f"reward failed in {at.name}, line {at.lineno}: {text}") from error
        return _checked(paid, self._before.tricks.shape)

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


def _checked(returned: Any, shape: tuple[int, ...]) -> NDArray[np.float32]:
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
