"""The vectorised environment: thousands of games per step, in buffers that torch wraps without a copy."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from hearts_env.checks import MOST, flag, output, seed_of, whole, whole_array
from hearts_env.envs.options import open_game
from hearts_env.envs.rewards import vector_step
from hearts_env.errors import IllegalActionError
from hearts_env.kernel import batch
from hearts_env.kernel.records import STATE
from hearts_env.kernel.store import one_message
from hearts_env.play.illegal import why_illegal
from hearts_env.play.observation import observation_bounds, token_shape
from hearts_env.ruleset.model import Rules
from hearts_env.ruleset.syntax import shown

_T = TypeVar("_T")

MOST_THREADS = 1024


class VectorEnv:
    """Many games in lockstep; in each, one seat acts per step.

    All arrays are allocated once and written in place by `reset` and `step`, so ``torch.from_numpy(env.observations)``
    stays current; copy what must outlive the next step. Which actions are legal is decided from `states`: what a caller
    writes into `action_masks` or `observations` stays there until the next step and changes nothing else. With
    autoreset (the default) a game that ends is followed by a new one in the same step: its rewards and `terminated`
    flag belong to the game that ended, its observation to the new one.

    Attributes:
        game: the compiled rules.
        num_envs: number of games, n.
        observations: (n, columns) float32, of the seat to act; `hearts_env.observation_layout` names the columns.
        action_masks: (n, actions) int8, its legal actions.
        seats: (n,) int8, the seat to act; -1 after the end without autoreset.
        tokens: (n, length) int16 under ``tokens=True``, the deal so far; see `observation.token_shape`. None otherwise.
        rewards: (n, seats) float32, of the last step; (n, seats, 2) under ``reward="vector"``.
        terminated: (n,) bool, the games that ended in the last step.
        finals: (n,) `STATE` records of the last game that ended in each place (points, totals, shooter, taken cards).
        states: (n,) `STATE` records of the games themselves, hidden cards included.
    """

    def __init__(
        self,
        variant: str | Rules = "black_lady",
        num_envs: int = 1,
        *,
        threads: int = 1,
        autoreset: bool = True,
        **options: Any,
    ) -> None:
        """Make `num_envs` games of a variant.

        Args:
            variant: rules or their text.
            num_envs: number of games, at most 1,000,000.
            threads: worker threads that share the games of a step, at most 1,024.
            autoreset: start a new game where one ends.
            options: reward, timing, deals, team_rewards, tokens (see `EpisodeOptions`) and any field of the rules.

        Raises:
            RulesError: unknown, misspelled or contradictory rules.
            ValueError: a bad option, or a number out of range.
        """
        num_envs, threads = whole("num_envs", num_envs, 1, MOST), whole("threads", threads, 1, MOST_THREADS)
        autoreset = flag("autoreset", autoreset)
        self.game, self._episode = open_game(variant, options)
        self.num_envs, self.autoreset = num_envs, autoreset
        t = self.game.tables
        self.states = np.zeros(num_envs, STATE)
        self.finals = np.zeros(num_envs, STATE)
        self.observations = np.zeros((num_envs, int(t["obs_size"])), np.float32)
        self.action_masks = np.zeros((num_envs, int(t["actions"])), np.int8)
        self.tokens = np.zeros((num_envs, token_shape(self.game)[0]), np.int16) if self._episode.tokens else None
        self._paid = np.zeros((num_envs, self.game.seats, self._episode.parts), np.float32)
        self.rewards = self._paid[:, :, 0] if self._episode.parts == 1 else self._paid
        self._pay_rule = self._episode.pay()
        self.terminated = np.zeros(num_envs, np.bool_)
        low, high = observation_bounds(self.game)
        self.single_observation_space = spaces.Box(low, high, dtype=np.float32)
        self.single_action_space = spaces.Discrete(int(t["actions"]))
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        cuts = np.linspace(0, num_envs, min(threads, num_envs) + 1).astype(int)
        self._slices = [slice(first, last) for first, last in pairwise(cuts)]
        self._started = False

    @property
    def seats(self) -> NDArray[np.int8]:
        """(n,) the seat to act in each game."""
        seats: NDArray[np.int8] = self.states["seat"]
        return seats

    @one_message
    def reset(self, *, seed: int | None = None) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Start every game anew; the seed fixes all deals of all games. Returns observations and infos.

        Raises ValueError, and changes nothing, unless the seed is a whole number from 0 to 2**64 - 1 or None.
        """
        seeds = np.random.SeedSequence(None if seed is None else seed_of(seed)).generate_state(self.num_envs, np.uint64)
        limit = self._episode.deals or 0
        batch.start_all(self.states, self.game.tables, seeds, limit)
        batch.encode_all(self.states, self.game.tables, self.observations, self.action_masks)
        if self.tokens is not None:
            batch.encode_tokens_all(self.states, self.game.tables, self.tokens)
        self.rewards[:], self.terminated[:] = 0, False
        for work in (self._first_illegal, self._step_slice):  # a step of no game, but now it is compiled
            work(slice(0), np.zeros(0, np.int64))
        self._started = True
        return self.observations, self.infos

    @property
    def infos(self) -> dict[str, Any]:
        """`action_mask` (n, actions) and `seat` (n,) of the seats to act."""
        return {"action_mask": self.action_masks, "seat": self.seats}

    def step(
        self, actions: NDArray[np.integer[Any]]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Take one action in every game.

        Args:
            actions: (n,) integers; ignored in games that are over.

        Returns:
            observations, rewards (n, seats; vectors n, seats, 2), terminated (n,), truncated (n,; always False), infos.

        Raises:
            IllegalActionError: an illegal action; the message names game, seat, card and rule. No game is changed.
            ValueError: a wrong number of actions, actions that are no integers, or a step before `reset`.
        """
        self._check_started("step")
        chosen = whole_array("actions", actions, (self.num_envs,))
        self._check(chosen)
        self._each(self._step_slice, chosen)
        return self.observations, self.rewards, self.terminated, np.zeros_like(self.terminated), self.infos

    def _check(self, chosen: NDArray[np.int64]) -> None:
        for part, place in zip(self._slices, self._each(self._first_illegal, chosen), strict=True):
            if place >= 0:
                bad = part.start + place
                raise IllegalActionError(f"game {bad}: {why_illegal(self.game, self.states[bad], int(chosen[bad]))}")

    def _check_started(self, method: str) -> None:
        if not self._started:
            raise ValueError(f"call reset before {method}")

    def _first_illegal(self, part: slice, chosen: NDArray[np.int64]) -> int:
        return int(batch.first_illegal(self.states[part], self.game.tables, chosen[part]))

    def _step_slice(self, part: slice, chosen: NDArray[np.int64]) -> None:
        vector_step(
            self.states[part],
            self.game.tables,
            chosen[part],
            self._pay_rule,
            self.autoreset,
            self._paid[part],
            self.terminated[part],
            self.finals[part],
            self.observations[part],
            self.action_masks[part],
        )
        if self.tokens is not None:
            batch.encode_tokens_all(self.states[part], self.game.tables, self.tokens[part])

    def _each(self, work: Callable[..., _T], *arguments: Any) -> list[_T]:
        """Do `work` on every slice of the games, in the worker threads if there are any."""
        if self._pool is None:
            return [work(part, *arguments) for part in self._slices]
        return list(self._pool.map(lambda part: work(part, *arguments), self._slices))

    def hidden(self, out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """Hands that the seats to act do not see, in relative order, float32 (n, (seats - 1) * kinds).

        For critics, never for policies. `out` is the array to write to, contiguous; a new one by default.

        Raises:
            ValueError: `out` has another type or shape, or a call before `reset`.
        """
        self._check_started("hidden")
        shape = self.num_envs, (self.game.seats - 1) * len(self.game.deck.kinds)
        out = np.empty(shape, np.float32) if out is None else output("out", out, np.float32, shape)
        batch.encode_hidden_all(self.states, self.game.tables, out)
        return out

    def sample_actions(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """A uniformly random legal action for every game. Raises ValueError before `reset`."""
        self._check_started("sample_actions")
        if not isinstance(rng, np.random.Generator):
            raise ValueError(f"rng={shown(rng)} is not possible; it is a numpy.random.Generator")
        actions = np.zeros(self.num_envs, np.int64)
        batch.random_actions(self.states, self.game.tables, rng.integers(0, 2**63, dtype=np.uint64), actions)
        return actions

    def close(self) -> None:
        """Stop the worker threads."""
        if self._pool is not None:
            self._pool.shutdown()


def vector_env(variant: str | Rules = "black_lady", num_envs: int = 1, **options: Any) -> VectorEnv:
    """Many games in lockstep, in shared buffers; see `VectorEnv` for options and errors.

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
    return VectorEnv(variant, num_envs, **options)
