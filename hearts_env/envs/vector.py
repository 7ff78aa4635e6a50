"""The vectorised environment: thousands of games per step, in buffers that torch wraps without a copy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Literal, overload

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from hearts_env.checks import MOST, array_of, flag, output, whole, whole_array
from hearts_env.envs.all_seats import AllSeats, views_in
from hearts_env.envs.forms import FeatureForm, Features, Layout, check_layout
from hearts_env.envs.learner_steps import start_next
from hearts_env.envs.mixed import MixedEnv
from hearts_env.envs.options import observation_space, one_of, open_game
from hearts_env.envs.outcome import Outcome
from hearts_env.envs.reward_function import RewardFunction
from hearts_env.envs.rewards import vector_step
from hearts_env.envs.slices import Slices
from hearts_env.envs.starts import game_rows, game_seeds, start_games
from hearts_env.errors import IllegalActionError
from hearts_env.kernel import batch
from hearts_env.kernel.cache import one_message
from hearts_env.kernel.records import STATE
from hearts_env.ruleset.model import Rules
from hearts_env.ruleset.syntax import brief
from hearts_env.seat.illegal import first_mistake
from hearts_env.seat.observation import token_shape
from hearts_env.seat.shared import SharedLayout
from hearts_env.seat.view import Views, check_records

MOST_THREADS = 1024
STEPPED, CHECKED = 1024, 16_384
"""The fewest games of a thread, to step and to check actions in: with fewer, waking it costs more than it saves."""
SAVED = ("states", "finals", "rewards", "terminated")
"""The arrays of which all others follow."""


class VectorEnv(AllSeats):
    """Many games in lockstep; in each, one seat acts per step.

    All arrays are allocated once and written in place by `reset` and `step`, so ``torch.from_numpy(env.observations)``
    stays current; copy what must outlive the next step. Which actions are legal is decided from `states`: what a caller
    writes into `action_masks` or `observations` stays there until the next step and changes nothing else. With
    autoreset (the default) a game that ends is followed by a new one in the same step: its rewards and `terminated`
    flag belong to the game that ended, its observation to the new one. A copy, of `copy.deepcopy` or through pickle,
    has arrays of its own and goes on by itself.

    Attributes:
        game: the compiled rules.
        num_envs: number of games, n.
        observations: (n, columns) float32, of the seat to act; `hearts_env.observation_layout` names the columns. Under
            ``observations="uint8"`` bytes, which `hearts_env.widen_observations` turns into the same.
        action_masks: (n, actions) int8, its legal actions.
        seats: (n,) int8, the seat to act; -1 after the end without autoreset.
        tokens: (n, length) int16 under ``tokens=True``, the deal so far; see `observation.token_shape`. None otherwise.
        rewards: (n, seats) float32, of the last step; (n, seats, 2) under ``reward="vector"``.
        terminated: (n,) bool, the games that ended in the last step.
        outcome: what happened in the last game that ended in each place, an `Outcome`: points, places, moons, queens.
        finals: (n,) `STATE` records of these games at their end.
        states: (n,) `STATE` records of the games themselves, hidden cards included.
    """

    def __init__(
        self,
        variant: str | Rules = "black_lady",
        num_envs: int = 1,
        *,
        threads: int = 1,
        autoreset: bool = True,
        observations: str = "float32",
        features: Features | None = None,
        **options: Any,
    ) -> None:
        """Make `num_envs` games of a variant.

        Args:
            variant: rules or their text.
            num_envs: number of games, at most 1,000,000.
            threads: threads that share the games of a step, the caller's among them, at most 1,024. One thread
                takes 1,024 games or more: with fewer it would take longer to wake it than to do its work.
            autoreset: start a new game where one ends.
            observations: ``float32``, or ``uint8`` for the same in 27% of the memory, as
                `hearts_env.widen_observations` describes.
            features: a function of `Views` that returns the observations, (n, columns), in their place, called once a
                step; 0 where a game is over.

                >>> import hearts_env as he
                >>> def hands(views):
                ...     return views.observations()[0][:, he.observation_layout("black_lady")["hand"].columns]
                >>> he.vector_env("black_lady", 2, features=hands).reset(seed=7)[0].sum(axis=1)
                array([13., 13.], dtype=float32)

            options: reward, timing, deals, first_deal, team_rewards, tokens (see `EpisodeOptions`) and any field of
                the rules.

        Raises:
            RulesError: unknown, misspelled or contradictory rules.
            ValueError: a bad option, or a number out of range.
        """
        super().__init__()
        num_envs, threads = whole("num_envs", num_envs, 1, MOST), whole("threads", threads, 1, MOST_THREADS)
        autoreset = flag("autoreset", autoreset)
        self.game, self._episode = open_game(variant, options)
        if self._episode.illegal_reward is not None:
            raise ValueError("illegal_reward is not for vector_env, which refuses illegal actions; leave it out")
        self.num_envs, self.autoreset, self._most_seats = num_envs, autoreset, self.game.seats
        t = self.game.tables
        self.states = np.zeros(num_envs, STATE)
        self.finals = np.zeros(num_envs, STATE)
        one_of("observations", observations, ("float32", "uint8"))
        self.single_observation_space = observation_space(self.game, observations)
        self.observations = np.zeros((num_envs, *self.single_observation_space.shape), observations)
        self._rows, self._form = self.observations, None if features is None else FeatureForm(self.game, features)
        if self._form is not None:
            if observations != "float32":
                raise ValueError(f"features are float32; leave observations={observations} out")
            self.single_observation_space = spaces.Box(*self._form.bounds, dtype=np.float32)
            self.observations = np.zeros((num_envs, *self.single_observation_space.shape), np.float32)
        self.action_masks = np.zeros((num_envs, int(t["actions"])), np.int8)
        self.tokens = np.zeros((num_envs, token_shape(self.game)[0]), np.int16) if self._episode.tokens else None
        self.rewards = np.zeros((num_envs, self.game.seats, 2)[: 1 + self._episode.parts], np.float32)
        self._record = self._episode.record()
        self.terminated = np.zeros(num_envs, np.bool_)
        self.single_action_space = spaces.Discrete(int(t["actions"]))
        self._slices = Slices(threads)
        self._function = self._episode.function((self.game,), num_envs)

    @property
    def seats(self) -> NDArray[np.int8]:
        """(n,) the seat to act in each game."""
        seats: NDArray[np.int8] = self.states["seat"]
        return seats

    @one_message
    def reset(
        self,
        *,
        seed: int | Sequence[int] | None = None,
        options: dict[str, Any] | Sequence[dict[str, Any] | None] | None = None,
        games: Any = None,
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Start games again. Returns observations and infos.

        Args:
            seed: fixes all deals of these games and of those that follow them, after later resets without a seed as
                well: one number from which the seed of every game is drawn, or the seeds themselves, one for each game.
                From 0 to 2**64 - 1.
            options: positions to start from, as in `HeartsEnv.reset`: one dict for all, or one or None for each game.
            games: the games, as numbers or as a mask (n,) of bool; all by default. The others are not touched.

        Raises:
            ValueError: a bad seed, option or game, some games only before all have been reset, or a closed environment.
                Nothing is changed.

        >>> import hearts_env as he
        >>> env = he.vector_env("black_lady", 3)
        >>> observations, infos = env.reset(seed=7)
        >>> observations, infos = env.reset(options=[{"totals": [90, 40, 0, 12]}, None], games=[0, 2])
        >>> env.states["totals"][:, :4, 0].tolist()
        [[90, 40, 0, 12], [0, 0, 0, 0], [0, 0, 0, 0]]
        """
        self._check_open("reset")
        if games is not None:
            self._check_started("reset of some games")
        rows = game_rows(games, self.num_envs)
        seeds = game_seeds(seed, self.states, rows, started=self._started)
        self.states[rows] = start_games(self.game, seeds, options, self._episode)
        self.rewards[rows], self.terminated[rows] = 0, False
        if seed is not None:
            self._seed_agents(int(seeds[0]) if seeds.size else 0)
        self._encode(rows)
        for work in (self._illegal, self._step):  # a step of no game, but now it is compiled
            work(rows[:0], rows[:0])
        self._started = True
        return self.observations, self.infos

    def _encode(self, rows: NDArray[np.int64]) -> None:
        if len(rows) == self.num_envs:
            batch.encode_all(self.states, self.game.tables, self._rows, self.action_masks)
        else:
            observations, masks = self._rows[rows], self.action_masks[rows]
            batch.encode_all(self.states[rows], self.game.tables, observations, masks)
            self._rows[rows], self.action_masks[rows] = observations, masks
        self._write_features(rows)
        if self.tokens is not None:
            batch.encode_tokens_all(self.states, self.game.tables, rows, self.tokens)

    def _write_features(self, rows: NDArray[np.int64]) -> None:
        if self._form is not None:
            states, masks = self.states[rows], self.action_masks[rows]
            self.observations[rows] = self._form.rows(states, states["seat"], self._rows[rows], masks)

    @property
    def infos(self) -> dict[str, Any]:
        """`action_mask` (n, actions) and `seat` (n,) of the seats to act, `deal_number` (n,) of the deals, and
        `outcome`, an `Outcome` of the games that have ended.
        """
        own = {"action_mask": self.action_masks, "seat": self.seats, "deal_number": self.states["deal_number"]}
        return {**own, "outcome": self.outcome}

    @property
    def outcome(self) -> Outcome:
        """What happened in the last game that ended in each place: arrays with a row per game, made when read."""
        return Outcome((self.game,), self.finals)

    def step(
        self, actions: NDArray[np.integer[Any]], games: Any = None
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Take one action in every game, or in some games only.

        Args:
            actions: (k,) integers, one for each game; ignored in games that are over.
            games: the games, as k numbers or as a mask (n,) of bool with k set; all by default. The others are not
                touched; their rewards are 0 and they have not terminated.

        Returns:
            observations, rewards (n, seats; vectors n, seats, 2), terminated (n,), truncated (n,; always False), infos.

        Raises:
            IllegalActionError: an illegal action; the message names game, seat, card and rule. No game is changed.
            ValueError: a wrong number of actions, actions that are no integers, a game that does not exist or is named
                twice, or a step before `reset` or after `close`.
        """
        self._check_started("step")
        rows = game_rows(games, self.num_envs)
        chosen = whole_array("actions", actions, rows.shape)
        for message in filter(None, self._slices.each(self._illegal, rows, chosen, fewest=CHECKED)):
            raise IllegalActionError(message)
        if games is not None:
            self.rewards[:], self.terminated[:] = 0, False
        if self._function is None:
            self._slices.each(self._step, rows, chosen, fewest=STEPPED)
            self._write_features(rows)
        else:
            self._step_paid_by(self._function, rows, chosen)
        return self.observations, self.rewards, self.terminated, np.zeros_like(self.terminated), self.infos

    def _illegal(self, rows: NDArray[np.int64], chosen: NDArray[np.int64]) -> str | None:
        mistake = first_mistake(self.game, self.states, rows, chosen)
        return mistake and f"game {rows[mistake[0]]}: {mistake[1]}"

    def _step(self, rows: NDArray[np.int64], chosen: NDArray[np.int64]) -> None:
        vector_step(
            self.states,
            self.game.tables,
            rows,
            chosen,
            self._record,
            self.autoreset,
            self.rewards.reshape(self.num_envs, self.game.seats, self._episode.parts),
            self.terminated,
            self.finals,
            self._rows,
            self.action_masks,
        )
        if self.tokens is not None:
            batch.encode_tokens_all(self.states, self.game.tables, rows, self.tokens)

    def _step_paid_by(self, function: RewardFunction, rows: NDArray[np.int64], chosen: NDArray[np.int64]) -> None:
        live = rows[self.seats[rows] >= 0]
        function.begin(self.states)
        self._slices.each(partial(function.play, self.states), rows, chosen, fewest=STEPPED)
        ended = live[self.seats[live] < 0]
        self.rewards[:], self.terminated[:] = 0, False
        self.terminated[ended], self.finals[ended] = True, self.states[ended]
        if self.autoreset:
            start_next(self.states, self.game.tables, ended, self._record)
        self._encode(rows)
        self.rewards[live] = function.pay(self.states)[live]

    def save(self) -> dict[str, NDArray[Any]]:
        """All that `restore` needs to go on from here, as copies: ``states``, ``finals``, ``rewards``, ``terminated``.

        Hidden cards are included. ``numpy.savez(file, **env.save())`` writes it to a file. Raises ValueError before
        `reset`.

        >>> import hearts_env as he
        >>> env = he.vector_env("black_lady", 2)
        >>> env.reset(seed=7)[0].shape
        (2, 684)
        >>> saved = env.save()
        >>> actions = env.action_masks.argmax(axis=1)
        >>> once = env.step(actions)[0].copy()
        >>> env.restore(saved)
        >>> (env.step(actions)[0] == once).all()
        np.True_
        """
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
        own = {name: getattr(self, name) for name in SAVED}
        given = {name: array_of(name, saved[name], old.dtype, old.shape) for name, old in own.items()}
        check_records(self.game, "states", given["states"])
        self._check_running((given["states"]["seat"] < 0) & self.autoreset)
        for name, old in own.items():
            old[...] = given[name]
        self._encode(np.arange(self.num_envs))
        self._started = True

    def hidden(self, out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """Hands that the seats to act do not see, in relative order, float32 (n, (seats - 1) * kinds).

        For critics, never for policies. `out` is the array to write to, contiguous; a new one by default.

        Raises:
            ValueError: `out` has another type or shape, or a call before `reset`.
        """
        self._check_started("hidden")
        shape = self.num_envs, (self.game.seats - 1) * len(self.game.deck.kinds)
        out = np.empty(shape, np.float32) if out is None else output("out", out, np.float32, shape)
        games, seats = np.zeros(self.num_envs, np.int64), np.maximum(self.seats, 0).astype(np.int64)
        batch.encode_hidden_all(self.states, self.game.table, games, seats, len(self.game.deck.kinds), out)
        return out

    def views(self) -> Views:
        """What each seat to act may know: a row for every game that is not over, in order.

        Agents act on these; `states` shows all hands. Raises ValueError before `reset`.

        >>> import hearts_env as he
        >>> env = he.vector_env("black_lady", 2)
        >>> observations, infos = env.reset(seed=7)
        >>> [len(view.hand) for view in env.views()]
        [13, 13]
        >>> he.Views(env.game, env.states)
        Traceback (most recent call last):
        ValueError: records[0] shows more than seat 0 may know; views() of an environment leaves that out
        """
        self._check_started("views")
        return views_in(self.game, self.states, np.flatnonzero(self.seats >= 0))

    def _tables_in_play(self) -> Iterator[tuple[NDArray[np.int64], Views, FeatureForm | None]]:
        if len(views := self.views()):
            yield np.flatnonzero(self.seats >= 0), views, self._form

    def sample_actions(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """A uniformly random legal action for every game. Raises ValueError before `reset`."""
        self._check_started("sample_actions")
        if not isinstance(rng, np.random.Generator):
            raise ValueError(f"rng={brief(rng)} is not possible; it is a numpy.random.Generator")
        actions = np.zeros(self.num_envs, np.int64)
        batch.random_actions(self.states, self.game.tables, rng.integers(0, 2**63, dtype=np.uint64), actions)
        return actions

    def close(self) -> None:
        """Stop the worker threads. The arrays stay as they are; every later call but this one raises ValueError."""
        self._slices.close()
        self._closed = True


@overload
def vector_env(
    variant: str | Rules = "black_lady", num_envs: int = 1, *, layout: Literal["variant"] = "variant", **options: Any
) -> VectorEnv: ...


@overload
def vector_env(
    variant: str | Rules = "black_lady",
    num_envs: int = 1,
    *,
    layout: Literal["universal", "universal-1"] | SharedLayout,
    **options: Any,
) -> MixedEnv: ...


def vector_env(
    variant: str | Rules = "black_lady", num_envs: int = 1, *, layout: Layout = "variant", **options: Any
) -> VectorEnv | MixedEnv:
    """Many games in lockstep, in shared buffers; see `VectorEnv` for options and errors.

    ``layout="universal"``, or a `hearts_env.shared_layout`, makes a `MixedEnv` of one game, which has no threads: its
    observations and actions are those that all, or some, games share.

    >>> import numpy as np
    >>> import hearts_env as he
    >>> env = he.vector_env("black_lady", 1000, deals=1)
    >>> observations, infos = env.reset(seed=7)
    >>> rng = np.random.default_rng(0)
    >>> while not env.terminated.any():
    ...     observations, rewards, terminated, truncated, infos = env.step(env.sample_actions(rng))
    >>> observations.shape, rewards.shape, infos["seat"].shape
    ((1000, 684), (1000, 4), (1000,))
    >>> set(rewards[terminated].sum(axis=1).tolist())  # points of a deal without a moon
    {-26.0}
    """
    check_layout(layout)
    if layout == "variant":
        return VectorEnv(variant, num_envs, **options)
    if "threads" in options:
        raise ValueError("threads is for layout=variant; leave it out")
    return MixedEnv([variant], num_envs, layout=layout, **options)
