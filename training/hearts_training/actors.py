"""PPO whose games are played by actors, in processes or on a Ray cluster, while one learner updates.

The games are divided among the actors. A rollout is a function of what an actor is given: the weights, and where its
games stand. It returns the decisions whose deals have ended and where the games stand then, so an actor keeps nothing:
any process may play its next rollout, and a rollout that was lost is played again, card for card. Hence a training
with ``staleness=0`` is the same in one process, in several and on a cluster, and a checkpoint of the learner is all
that a training needs to go on.

With ``staleness`` above 0 actors do not wait for the learner (as in IMPALA, Espeholt et al. 2018, arXiv:1802.01561; the
clipped ratio of PPO takes the place of its correction): an update takes what has arrived.
"""

from __future__ import annotations

import dataclasses
import zlib
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future
from concurrent.futures import wait as wait_for
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from hearts_agents.cluster import Submit
from hearts_agents.workers import Workers, submitting
from hearts_env.envs.vector import VectorEnv
from hearts_training.config import PPOConfig
from hearts_training.ppo import PPO
from hearts_training.tensors import games_from_tensors, games_to_tensors

COUNTED = ("deals", "decisions", "choices")

Games = dict[str, NDArray[Any]]
"""Where the games of an actor stand; empty before its first rollout."""


Packed = tuple[str, tuple[int, ...], bytes]
"""An array for the wire: its type, its shape and its compressed bytes."""


def packed(arrays: Mapping[str, NDArray[Any]]) -> dict[str, Packed]:
    """Arrays for the wire; decisions come down to a quarter of their size.

    >>> {name: array.tolist() for name, array in unpacked(packed({"a": np.eye(2, dtype=np.int8)})).items()}
    {'a': [[1, 0], [0, 1]]}
    """
    return {name: (array.dtype.str, array.shape, zlib.compress(array.tobytes(), 1)) for name, array in arrays.items()}


def unpacked(arrays: Mapping[str, Packed]) -> dict[str, NDArray[Any]]:
    """What `packed` packed; the arrays are read-only."""
    return {
        name: np.frombuffer(zlib.decompress(content), np.dtype(kind)).reshape(shape)
        for name, (kind, shape, content) in arrays.items()
    }


class Order(NamedTuple):
    """A rollout to play.

    Attributes:
        actor: number of the actor.
        progress: fraction of the budget used.
        imitating: whether the teacher played in its last rollout.
        games: where its games stand.
    """

    actor: int
    progress: float
    imitating: bool
    games: Games


class Rollout(NamedTuple):
    """What an actor has played.

    Attributes:
        decisions: those whose deals have ended, `packed`; `Experience.append` reads them.
        games: where its games stand now.
        imitating: whether the teacher played.
        counts: how many deals, decisions and choices there were.
    """

    decisions: dict[str, Packed]
    games: Games
    imitating: bool
    counts: tuple[int, ...]


class Actor:
    """Plays rollouts, in one process, for whichever actor it is asked."""

    def __init__(self, rules: str, config: PPOConfig, seed: int) -> None:
        """`config` is that of the whole training."""
        games = config.num_envs // config.actors
        self.rules, self.seed = rules, seed
        self.config = dataclasses.replace(config, num_envs=games, actors=0, staleness=0)
        self._ppo: PPO | None = None

    def play(self, order: Order, weights: Mapping[str, NDArray[Any]]) -> Rollout:
        """A rollout with the given weights of the policy."""
        with one_thread():
            ppo = self._at(order)
            ppo.policy.load_state_dict({name: torch.tensor(array) for name, array in weights.items()})
            before = [getattr(ppo, name) for name in COUNTED]
            ppo.imitating = order.imitating
            ppo.collect(order.progress)
            counts = tuple(getattr(ppo, name) - old for name, old in zip(COUNTED, before, strict=True))
            decisions = packed(ppo.experience.take_ready())
            games = {name: tensor.numpy().copy() for name, tensor in games_to_tensors(ppo).items()}
            return Rollout(decisions, games, ppo.imitating, counts)

    def _at(self, order: Order) -> PPO:
        """Games and networks, where the order's actor left the games."""
        if self._ppo is None or not order.games:
            env = VectorEnv(self.rules, self.config.num_envs, reward="relative", timing=self.config.timing)
            seed = int(np.random.SeedSequence([self.seed, order.actor]).generate_state(1)[0])
            self._ppo = PPO(env, self.config, seed=seed)
        if order.games:
            games_from_tensors(self._ppo, {name: torch.tensor(array) for name, array in order.games.items()})
        return self._ppo


@contextmanager
def one_thread() -> Iterator[None]:
    """Let torch use one thread, as actors do everywhere: sums of several threads are rounded differently."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def make_actor(rules: str, config: PPOConfig, seed: int) -> Callable[[Order, Mapping[str, NDArray[Any]]], Rollout]:
    """What a worker does."""
    return Actor(rules, config, seed).play


class Waiting(NamedTuple):
    """A rollout that is being played: by which actor, with the weights after how many updates."""

    actor: int
    updates: int


class ActorLearner(PPO):
    """The learner of a training with actors; `PPO` has further attributes.

    Its own environment has one game, which nobody plays.

    Attributes:
        seed: that of the training.
        workers: who plays.
        games: where the games of every actor stand.
        dropped: rollouts that were too old to learn from.
        age: updates, on average, between the weights that played the last rollouts and those that learned from them.
    """

    counters = (*PPO.counters, "dropped")

    def __init__(self, rules: str, config: PPOConfig, *, seed: int, device: str = "cpu", workers: Workers = 1) -> None:
        super().__init__(VectorEnv(rules, 1, reward="relative", timing=config.timing), config, seed=seed, device=device)
        self.seed, self.workers = seed, workers
        self.games: list[Games] = [{} for _ in range(config.actors)]
        self.was_imitating = [False] * config.actors
        self.dropped, self.age = 0, 0.0
        self._submit: Submit | None = None
        self._waiting: dict[Future[Any], Waiting] = {}

    def learn(self, progress: Callable[[], float]) -> Iterator[dict[str, float]]:
        """As `PPO.learn`, with workers while it lasts."""
        rules, config = str(self.env.game.rules), self.config
        agents = (config.teacher, *config.opponents)
        with submitting(partial(make_actor, rules, config, self.seed), self.workers, agents) as submit:
            self._submit, self._waiting = submit, {}
            for figures in super().learn(progress):
                yield figures | {"staleness": self.age, "dropped": float(self.dropped)}

    def collect(self, progress: float) -> None:
        """Add a rollout of every actor to the experience; with `staleness`, as many as there are actors."""
        self.imitating = progress < self.config.imitation
        weights = {name: tensor.detach().cpu().numpy() for name, tensor in self.policy.state_dict().items()}
        self._hand_out(progress, weights)
        taken, ages = 0, 0
        while taken < self.config.actors:
            for future in self._next():
                waiting, rollout = self._waiting.pop(future), future.result()
                age = self.updates - waiting.updates
                if age > self.config.staleness or rollout.imitating != self.imitating:
                    self.dropped += 1
                else:
                    taken, ages = taken + 1, ages + age
                    self.experience.append(unpacked(rollout.decisions))
                self._note(waiting.actor, rollout)
                if taken == self.config.actors:
                    break
            if self.config.staleness and taken < self.config.actors:
                self._hand_out(progress, weights)
        self.age = ages / taken

    def _hand_out(self, progress: float, weights: Mapping[str, NDArray[Any]]) -> None:
        """Let every idle actor play a rollout."""
        assert self._submit is not None
        busy = {waiting.actor for waiting in self._waiting.values()}
        for actor, games in enumerate(self.games):
            if actor not in busy:
                order = Order(actor, progress, self.was_imitating[actor], games)
                self._waiting[self._submit(order, weights)] = Waiting(actor, self.updates)

    def _next(self) -> list[Future[Any]]:
        """The rollouts to take next: in the order of the actors, or those that have arrived."""
        if not self.config.staleness:
            return list(self._waiting)
        return list(wait_for(self._waiting, return_when=FIRST_COMPLETED).done)

    def _note(self, actor: int, rollout: Rollout) -> None:
        self.games[actor], self.was_imitating[actor] = rollout.games, rollout.imitating
        for name, count in zip(COUNTED, rollout.counts, strict=True):
            setattr(self, name, getattr(self, name) + count)

    # --- files ----------------------------------------------------------------------------------

    def tensors(self) -> dict[str, Tensor]:
        """Those of `PPO`, and where the games of every actor stand."""
        found = super().tensors()
        for actor, games in enumerate(self.games):
            found |= {f"actor.{actor}.{name}": torch.tensor(array) for name, array in games.items()}
            found[f"actor.{actor}.imitating"] = torch.tensor(self.was_imitating[actor])
        return found

    def restore(self, tensors: dict[str, Tensor], counters: Mapping[str, Any]) -> None:
        """As in `SelfPlay`."""
        rest = dict(tensors)
        for actor in range(self.config.actors):
            prefix = f"actor.{actor}."
            own = {name.removeprefix(prefix): rest.pop(name) for name in tensors if name.startswith(prefix)}
            self.was_imitating[actor] = bool(own.pop("imitating"))
            self.games[actor] = {name: tensor.numpy() for name, tensor in own.items()}
        super().restore(rest, counters)
