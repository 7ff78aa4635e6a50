"""The environment of many rules at once: one batch, in the layout that is the same for every game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hearts_env.checks import MOST, array_of, flag, output, whole, whole_array
from hearts_env.compiled.game import Game
from hearts_env.compiled.tables import TABLES
from hearts_env.envs.all_seats import AllSeats, views_in
from hearts_env.envs.forms import FeatureForm, Features, Layout, check_layout, encode_part, form_of, kept_columns
from hearts_env.envs.illegal import check_range
from hearts_env.envs.mixed_steps import first_refused, mixed_step, start_mixed, start_next_mixed
from hearts_env.envs.options import LAYOUTS, one_of, open_game
from hearts_env.envs.outcome import Outcome
from hearts_env.envs.reward_function import RewardFunction
from hearts_env.envs.starts import game_seeds
from hearts_env.envs.universal import UniversalForm
from hearts_env.errors import IllegalActionError
from hearts_env.kernel import universal
from hearts_env.kernel.batch import encode_hidden_all, random_actions
from hearts_env.kernel.cache import one_message
from hearts_env.kernel.records import STATE
from hearts_env.ruleset.limits import KINDS, SEATS
from hearts_env.ruleset.model import Rules
from hearts_env.ruleset.syntax import brief
from hearts_env.seat.illegal import why_illegal
from hearts_env.seat.shared import SharedLayout
from hearts_env.seat.universal import (
    byte_codes,
    byte_width,
    dynamic_size,
    layout_version,
    most_entries,
    number_columns,
    number_units,
    universal_actions,
    universal_layout,
    universal_of,
)
from hearts_env.seat.view import Views, check_records

FORMS = ("float32", "uint8", "sparse")
SAVED = ("states", "finals", "rewards", "terminated", "games", "final_games", "shares")
"""The arrays from which all others follow."""


class Sparse(NamedTuple):
    """Observations as the columns that are not 0; the columns of the rules are left out (`MixedEnv.rules_rows`).

    Attributes:
        columns: (n, most) int16, column numbers; those behind the count are of no meaning.
        values: (n, most) float32.
        counts: (n,) int32, how many of them are used.
    """

    columns: NDArray[np.int16]
    values: NDArray[np.float32]
    counts: NDArray[np.int32]


class MixedEnv(AllSeats):
    """Games of several rules in lockstep; in each, one seat acts per step.

    Observations, actions and masks are those of `hearts_env.universal_layout`, of one size for all games. As in
    `VectorEnv`, arrays are allocated once and written in place; copy what must outlive the next step.

    Attributes:
        kinds: the compiled games, in the order given.
        num_envs: number of games, n.
        games: (n,) int64, which of `kinds` is played in each place.
        num_seats: (n,) its number of seats.
        observations: float32 (n, columns); bytes (n, ...) under ``observations="uint8"``; `Sparse` under ``"sparse"``.
            The last two leave out the columns of the rules.
        rules_rows: (kinds, columns of the rules) float32: the last columns of a float32 row.
        action_masks: (n, actions) int8, the legal actions of the seat to act.
        seats: (n,) int8, the seat to act; -1 after the end without autoreset.
        rewards: (n, 11) float32, of the last step, 0 beyond the seats of the game; (n, 11, 2) under
            ``reward="vector"``.
        terminated: (n,) bool, the games that ended in the last step.
        outcome: what happened in the last game that ended in each place, an `Outcome`.
        finals, final_games: (n,) the record of that game at its end, and which of `kinds` it was.
        states: (n,) `STATE` records of the games themselves, hidden cards included.
    """

    def __init__(
        self,
        variants: Sequence[str | Rules],
        num_envs: int = 1,
        *,
        autoreset: bool = True,
        observations: str = "float32",
        layout: Layout = "universal",
        features: Features | None = None,
        **options: Any,
    ) -> None:
        """Make `num_envs` games, of the rules given in turns.

        Args:
            variants: rules or their texts.
            num_envs: number of games, at most 1,000,000.
            autoreset: start a new game where one ends.
            observations: ``float32``, ``uint8`` or ``sparse``.
            layout: ``universal``, or ``universal-1`` for the first version, which never changes; or what
                `hearts_env.shared_layout` returns.
            features: a function of `Views` that returns the observations, (n, columns), in place of the layout's,
                called once a step for each game; 0 where a game is over.
            options: reward, timing, deals, first_deal and team_rewards, as in `VectorEnv`.

        Raises:
            RulesError: unknown, misspelled or contradictory rules.
            ValueError: no rules, a bad option, or a number out of range.
        """
        super().__init__()
        given = [] if isinstance(variants, str | Rules) or not isinstance(variants, Iterable) else list(variants)
        if not given:
            raise ValueError(f"{brief(variants)} is not possible; mixed_env takes a list of rules, one or more")
        self.num_envs, self.autoreset = whole("num_envs", num_envs, 1, MOST), flag("autoreset", autoreset)
        one_of("observations", observations, FORMS)
        check_layout(layout, LAYOUTS[1:])
        self._layout = layout if isinstance(layout, SharedLayout) else None
        self._version = layout_version(layout) if isinstance(layout, str) else None
        if observations != "float32" and (self._layout or features):
            raise ValueError(f"observations={observations} is for layout=universal without features; leave it out")
        opened = [open_game(variant, options) for variant in given]
        if opened[0][1].tokens:
            raise ValueError("tokens=True is for one game; use vector_env")
        if opened[0][1].illegal_reward is not None:
            raise ValueError("illegal_reward is not for mixed_env, which refuses illegal actions; leave it out")
        self.kinds: tuple[Game, ...] = tuple(game for game, _ in opened)
        self._most_seats = max(game.seats for game in self.kinds)
        self._episodes = np.concatenate([episode.record() for _, episode in opened])
        self._tables = np.concatenate([game.table for game in self.kinds]).astype(TABLES, copy=False)
        self._lay_out(layout, features)
        n, self._form = self.num_envs, observations
        most = max(most_entries(game, self._version) for game in self.kinds)
        self._room = np.zeros(most + 2, np.uint64)  # their number, the entries, and one that turns out to be 0
        self._sparse = Sparse(np.zeros((n, most), np.int16), np.zeros((n, most), np.float32), np.zeros(n, np.int32))
        self._told = np.full(n, -1)
        parts = opened[0][1].parts
        self.states, self.finals = np.zeros(n, STATE), np.zeros(n, STATE)
        self.games, self.final_games = np.arange(n) % len(self.kinds), np.zeros(n, np.int64)
        self.shares = np.zeros(0)
        self.action_masks = np.zeros((n, len(self._actions)), np.int8)
        self._rewards = np.zeros((n, SEATS, parts), np.float32)
        self.terminated = np.zeros(n, np.bool_)
        self.observations = self._allocate(n)
        self._function = opened[0][1].function(self.kinds, n)

    def _lay_out(self, layout: Layout, features: Features | None) -> None:
        fits = [universal_of(game, self._version) for game in self.kinds]
        self._places = _padded([fit.places for fit in fits])
        if self._layout:
            fits, self._kept = [self._layout.fit(game) for game in self.kinds], kept_columns(self._layout)
        self._actions = self._layout.actions if self._layout else universal_actions(self._version)
        self._dynamic = self._layout.dynamic if self._layout else dynamic_size(self._version)
        self._forms: list[Any] = [form_of(game, layout, features) for game in self.kinds]
        self._own = _padded([fit.actions for fit in fits])
        self._back = np.stack([fit.back for fit in fits])
        self.rules_rows = np.stack([fit.statics for fit in fits])

    def _allocate(self, n: int) -> Any:
        if self._form == "float32":
            forms = self._forms if isinstance(self._forms[0], FeatureForm) else self._forms[:1]
            columns = {len(form.bounds[0]) for form in forms}
            if len(columns) > 1:
                raise ValueError(f"features returned {sorted(columns)} columns; it must be the same for every game")
            return np.zeros((n, *columns), np.float32)
        if self._form == "uint8":
            self._units = np.stack([number_units(game, self._version) for game in self.kinds])
            return np.zeros((n, byte_width(self._version) + 4 * len(number_columns(self._version))), np.uint8)
        return self._sparse

    @property
    def seats(self) -> NDArray[np.int8]:
        """(n,) the seat to act in each game."""
        seats: NDArray[np.int8] = self.states["seat"]
        return seats

    @property
    def num_seats(self) -> NDArray[np.int64]:
        """(n,) the number of seats of each game."""
        found: NDArray[np.int64] = self._tables["seats"][self.games].astype(np.int64)
        return found

    @property
    def rewards(self) -> NDArray[np.float32]:
        """(n, 11) what every seat earned in the last step; (n, 11, 2) under ``reward="vector"``."""
        return self._rewards[:, :, 0] if self._rewards.shape[2] == 1 else self._rewards

    @property
    def infos(self) -> dict[str, Any]:
        """`action_mask`, `seat`, `deal_number` and `outcome` as in `VectorEnv`, `games` and `num_seats`."""
        own = {"action_mask": self.action_masks, "seat": self.seats, "deal_number": self.states["deal_number"]}
        return {**own, "outcome": self.outcome, "games": self.games, "num_seats": self.num_seats}

    @property
    def outcome(self) -> Outcome:
        """What happened in the last game that ended in each place: arrays with a row per game, made when read."""
        return Outcome(self.kinds, self.finals, self.final_games)

    def set_shares(self, shares: Sequence[float] | NDArray[np.float64] | None) -> None:
        """Choose how often each of the rules is played, from the next episode of every place on.

        Args:
            shares: a number for each of `kinds`, 0 or more, of any sum above 0. None: every place goes on with the
                rules that it has.

        Raises:
            ValueError: something else.

        >>> env = mixed_env(["black_lady", "gong_zhu"], 100, deals=1)
        >>> _ = env.reset(seed=1)
        >>> env.set_shares([1, 0])
        >>> rng = np.random.default_rng(0)
        >>> for _ in range(100):
        ...     _ = env.step(env.sample_actions(rng))
        >>> env.games.max()
        np.int64(0)
        """
        if shares is None:
            self.shares = np.zeros(0)
            return
        try:
            given = np.asarray(shares, np.float64)
        except (TypeError, ValueError, OverflowError):
            given = np.zeros(0)
        with np.errstate(over="ignore", invalid="ignore"):
            sums = np.cumsum(given)
        counted = np.array_equal(np.diff(sums, prepend=0.0) > 0, given > 0)  # none is lost beside a larger one
        if given.shape != (len(self.kinds),) or (given < 0).any() or not counted or not _are_sums(sums):
            raise ValueError(
                f"shares={brief(shares)} must be {len(self.kinds)} numbers of 0 or more, not all 0, with a finite sum "
                "in which each counts"
            )
        self.shares = sums

    @one_message
    def reset(self, *, seed: int | Sequence[int] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start all games again. Returns observations and infos.

        Args:
            seed: fixes all deals, and those after later resets without one: one number, or one for each game; from 0 to
                2**64 - 1.

        Raises ValueError for a bad seed, or after `close`; nothing is changed.
        """
        self._check_open("reset")
        seeds = game_seeds(seed, self.states, np.arange(self.num_envs), started=self._started)
        start_mixed(self.states, self._tables, self.games, seeds, self.shares, self._episodes)
        if seed is not None:
            self._seed_agents(int(seeds[0]))
        self._rewards[:], self.terminated[:] = 0, False
        self._encode()
        self._started = True
        return self.observations, self.infos

    def _encode(self) -> None:
        where = (self.states, self._tables, self.games)
        fits, first_legal = (self._places, self._own), universal_layout(self._version)["legal"].columns.start
        universal.encode_sparse(*where, *fits, first_legal, self._room, self.action_masks, *self._sparse)
        if self._form == "uint8":
            units = self._units, byte_codes(self._version)
            universal.encode_bytes(*self._sparse, self.games, byte_width(self._version), *units, self.observations)
        elif isinstance(self._forms[0], FeatureForm):
            self.observations[:] = 0
            for places, views, form in self._in_play():
                self.observations[places] = form.of(views)
        elif self._form == "float32":
            if self._layout:
                encode_part(*self._sparse, self._kept, self.observations[:, : self._dynamic])
            else:
                universal.encode_dense(*self._sparse, self._dynamic, self.observations)
            stale = np.flatnonzero(self._told != self.games)
            self.observations[stale, self._dynamic :] = self.rules_rows[self.games[stale]]
            self._told[:] = self.games

    def step(
        self, actions: NDArray[np.integer[Any]]
    ) -> tuple[Any, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Take one action in every game.

        Args:
            actions: (n,) universal numbers; ignored in games that are over.

        Returns:
            observations, rewards, terminated (n,), truncated (n,; always False), infos.

        Raises:
            IllegalActionError: an illegal action; the message names place, seat, card and rule. No game is changed.
            ValueError: a wrong number of actions, actions that are no integers, or a step before `reset`.
        """
        self._check_started("step")
        given = whole_array("actions", actions, (self.num_envs,))
        check_range(np.flatnonzero(self.seats >= 0), given, len(self._actions))
        given = np.where(self.seats < 0, 0, given)
        chosen = self._back[self.games, given].astype(np.int64)
        bad = int(first_refused(self.states, self._tables, self.games, chosen))
        if bad >= 0:
            game, name = self.kinds[self.games[bad]], self._actions[given[bad]]
            none = f"action {name} is none of {game.rules}"
            reason = none if chosen[bad] < 0 else why_illegal(game, self.states[bad], int(chosen[bad]))
            raise IllegalActionError(f"game {bad}: {reason}")
        if self._function is not None:
            self._step_paid_by(self._function, chosen)
        else:
            self._step(chosen)
        return self.observations, self.rewards, self.terminated, np.zeros_like(self.terminated), self.infos

    def _step(self, chosen: NDArray[np.int64]) -> None:
        mixed_step(
            self.states,
            self._tables,
            self.games,
            chosen,
            self._episodes,
            self.autoreset,
            self.shares,
            self._rewards,
            self.terminated,
            self.finals,
            self.final_games,
        )
        self._encode()

    def _step_paid_by(self, function: RewardFunction, chosen: NDArray[np.int64]) -> None:
        live, beyond = self.seats >= 0, np.arange(SEATS) >= self.num_seats[:, None]
        function.begin(self.states, self.games)
        function.play(self.states, np.arange(self.num_envs), chosen)
        self._rewards[:], self.terminated[:] = 0, live & (self.seats < 0)
        ended = np.flatnonzero(self.terminated)
        self.finals[ended], self.final_games[ended] = self.states[ended], self.games[ended]
        if self.autoreset:
            start_next_mixed(self.states, self._tables, self.games, ended, self.shares, self._episodes)
        self._encode()
        self._rewards[:, :, 0] = np.where(beyond | ~live[:, None], 0, function.pay(self.states))

    def views(self) -> list[tuple[NDArray[np.int64], Views]]:
        """What each seat to act may know: for each game in play its places, ascending, and their views.

        Places whose game is over are left out. Raises ValueError before `reset`.

        >>> env = mixed_env(["black_lady", "gong_zhu"], 3)
        >>> _ = env.reset(seed=7)
        >>> [(places.tolist(), str(views.game.rules)) for places, views in env.views()]
        [([0, 2], 'black_lady'), ([1], 'gong_zhu')]
        """
        self._check_started("views")
        return [(places, views) for places, views, _ in self._in_play()]

    def _in_play(self) -> Iterator[tuple[NDArray[np.int64], Views, Any]]:
        for index, game in enumerate(self.kinds):
            places = np.flatnonzero((self.games == index) & (self.seats >= 0))
            if places.size:
                yield places, views_in(game, self.states, places), self._forms[index]

    def _tables_in_play(self) -> Iterator[tuple[NDArray[np.int64], Views, UniversalForm]]:
        return self._in_play()

    def sample_actions(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """A uniformly random legal action for every game. Raises ValueError before `reset`."""
        self._check_started("sample_actions")
        if not isinstance(rng, np.random.Generator):
            raise ValueError(f"rng={brief(rng)} is not possible; it is a numpy.random.Generator")
        actions = np.zeros(self.num_envs, np.int64)
        for index, game in enumerate(self.kinds):
            rows = np.flatnonzero(self.games == index)
            chosen = np.zeros(len(rows), np.int64)
            random_actions(self.states[rows], game.tables, rng.integers(0, 2**63, dtype=np.uint64), chosen)
            actions[rows] = self._own[index, chosen]
        return actions

    def hidden(self, out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """Hands that the seats to act do not see, in relative order: (n, 10, 64), 0 beyond those of the game.

        For critics, never for policies. `out` is the array to write to; a new one by default.

        Raises:
            ValueError: `out` has another type or shape, or a call before `reset`.
        """
        self._check_started("hidden")
        shape = self.num_envs, SEATS - 1, KINDS
        out = np.empty(shape, np.float32) if out is None else output("out", out, np.float32, shape)
        seats = np.maximum(self.states["seat"], 0).astype(np.int64)
        encode_hidden_all(self.states, self._tables, self.games, seats, KINDS, out.reshape(self.num_envs, -1))
        return out

    def close(self) -> None:
        """End the games. Every later call but this one raises ValueError."""
        self._closed = True

    def save(self) -> dict[str, NDArray[Any]]:
        """All that `restore` needs to go on from here, as copies. Raises ValueError before `reset`."""
        self._check_started("save")
        return {name: getattr(self, name).copy() for name in SAVED}

    def restore(self, saved: Mapping[str, NDArray[Any]]) -> None:
        """Go back to what `save` returned, of this environment or of another one with the same rules, shapes and
        autoreset.

        Raises ValueError, and changes nothing, for something else.
        """
        self._check_open("restore")
        if missing := [name for name in SAVED if name not in saved]:
            raise ValueError(f"{missing[0]} is missing; a saved state holds {', '.join(SAVED)}")
        own = {name: getattr(self, name) for name in SAVED if name != "shares"}
        given = {name: array_of(name, saved[name], old.dtype, old.shape) for name, old in own.items()}
        for name in ("games", "final_games"):
            given[name] = whole_array(name, given[name], (self.num_envs,), 0, len(self.kinds) - 1)
        for index, game in enumerate(self.kinds):
            check_records(game, "states", given["states"][given["games"] == index])
        self._check_running((given["states"]["seat"] < 0) & self.autoreset)
        size = (len(self.kinds),) if np.size(saved["shares"]) else (0,)
        shares = array_of("shares", saved["shares"], np.float64, size)
        if size[0] and not _are_sums(shares):
            raise ValueError(f"shares={brief(shares)} is not possible; it holds the running sums of `set_shares`")
        for name, old in own.items():
            if name == "rewards":
                self._rewards[:] = given[name].reshape(self._rewards.shape)
            else:
                old[...] = given[name]
        self.shares = shares.copy()
        self._encode()
        self._started = True


def _are_sums(sums: NDArray[np.float64]) -> bool:
    """True for running sums of numbers of 0 or more, not all 0."""
    return bool(np.isfinite(sums).all() and (np.diff(sums, prepend=0.0) >= 0).all() and sums[-1:].any())


def _padded(rows: Sequence[NDArray[np.int16]]) -> NDArray[np.int16]:
    """Rows of different lengths as one array; what is missing is -1."""
    found = np.full((len(rows), max(map(len, rows))), -1, np.int16)
    for place, row in enumerate(rows):
        found[place, : len(row)] = row
    return found


def mixed_env(variants: Sequence[str | Rules], num_envs: int = 1, **options: Any) -> MixedEnv:
    """Games of several rules in lockstep, in one layout; see `MixedEnv` for options and errors.

    >>> import numpy as np
    >>> import hearts_env as he
    >>> env = he.mixed_env(["black_lady", "gong_zhu(players=5)"], 1000, deals=1, observations="sparse")
    >>> observations, infos = env.reset(seed=7)
    >>> rng = np.random.default_rng(0)
    >>> while not env.terminated.any():
    ...     observations, rewards, terminated, truncated, infos = env.step(env.sample_actions(rng))
    >>> rewards.shape, sorted(set(env.num_seats.tolist())), env.action_masks.shape
    ((1000, 11), [4, 5], (1000, 238))
    """
    return MixedEnv(variants, num_envs, **options)
