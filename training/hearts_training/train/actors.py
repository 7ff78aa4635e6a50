"""PPO whose games are played by actors, in processes or on a Ray cluster, while one learner updates.

The games are divided among the actors. A rollout is a function of the weights and of the state of the actor's games. It
returns the decisions whose deals have ended and the new state, so an actor keeps nothing: any process may play its next
rollout, and a rollout that was lost is played again, card for card. Hence a training with ``staleness=0`` is the same
in one process, in several and on a cluster, and a checkpoint of the learner is all that a training needs to go on.

With ``staleness`` above 0 actors do not wait for the learner (as in IMPALA, Espeholt et al. 2018, arXiv:1802.01561; the
clipped ratio of PPO takes the place of its correction): an update takes what has arrived.
"""

from __future__ import annotations

import dataclasses
import zlib
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future
from concurrent.futures import wait as wait_for
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from hearts_agents.workers import Submit, Workers, submitting
from hearts_env.envs.vector import VectorEnv
from hearts_training.train.config import PPOConfig
from hearts_training.train.ppo import PPO
from hearts_training.train.selfplay import COUNTED, SelfPlay
from hearts_training.train.tensors import games_from_tensors, games_to_tensors

GamesState = dict[str, NDArray[Any]]
"""The state of an actor's games, with decisions of deals that have not ended; empty before its first rollout."""


Packed = tuple[str, tuple[int, ...], bytes]
"""An array for the wire: its type, its shape and its compressed bytes."""


def packed(arrays: Mapping[str, NDArray[Any]]) -> dict[str, Packed]:
    """Arrays for the wire; decisions come down to a quarter of their size.

    >>> {name: array.tolist() for name, array in unpacked(packed({"a": np.eye(2, dtype=np.int8)})).items()}
    {'a': [[1, 0], [0, 1]]}
    """
    return {name: (array.dtype.str, array.shape, zlib.compress(array.tobytes(), 1)) for name, array in arrays.items()}


def unpacked(arrays: Mapping[str, Packed]) -> dict[str, NDArray[Any]]:
    """The arrays that `packed` packed; they are read-only."""
    return {
        name: np.frombuffer(zlib.decompress(content), np.dtype(kind)).reshape(shape)
        for name, (kind, shape, content) in arrays.items()
    }


class Request(NamedTuple):
    """A rollout to play.

    Attributes:
        actor: number of the actor.
        progress: fraction of the budget used.
        imitating: whether the teacher played in its last rollout.
        games: the state of its games.
        stale: whether its last rollout was dropped (see `ActorLearner`), and so are the decisions in `games`.
    """

    actor: int
    progress: float
    imitating: bool
    games: GamesState
    stale: bool = False


class Rollout(NamedTuple):
    """The result of a rollout by an actor.

    Attributes:
        decisions: those whose deals have ended, `packed`; `Experience.append` reads them.
        games: the state of its games after it.
        imitating: true if the teacher played.
        counts: how many deals, decisions and choices there were.
    """

    decisions: dict[str, Packed]
    games: GamesState
    imitating: bool
    counts: tuple[int, ...]


class Actor:
    """Plays the rollouts of any actor, in one process."""

    def __init__(self, rules: str, config: PPOConfig, seed: int) -> None:
        """`config` is that of the whole training."""
        games = config.num_envs // config.actors
        self.rules, self.seed, self.actors = rules, seed, config.actors
        self.config = dataclasses.replace(config, num_envs=games, actors=0, staleness=0)
        self._play: SelfPlay | None = None

    def play(self, request: Request, weights: Mapping[str, NDArray[Any]]) -> Rollout:
        """A rollout with the given weights of the policy."""
        with one_thread():
            play = self.resume(request)
            play.policy.load_state_dict({name: torch.tensor(array) for name, array in weights.items()})
            before = [getattr(play, name) for name in COUNTED]
            play.imitating = request.imitating
            if request.stale:
                play.experience.keep(np.empty(0, np.int64))
            play.collect(request.progress)
            counts = tuple(getattr(play, name) - old for name, old in zip(COUNTED, before, strict=True))
            decisions = packed(play.experience.take_ready())
            games = {name: tensor.numpy().copy() for name, tensor in games_to_tensors(play).items()}
            return Rollout(decisions, games, play.imitating, counts)

    def resume(self, request: Request) -> SelfPlay:
        """The games in the state that the request names, or new ones.

        Raises:
            KeyError, RuntimeError, ValueError, zlib.error: a state that does not fit or is impossible.
        """
        games = self.config.num_envs
        if self._play is None or not request.games:
            env = VectorEnv(self.rules, games, reward="relative", timing=self.config.timing)
            seed = int(np.random.SeedSequence([self.seed, request.actor]).generate_state(1)[0])
            self._play = SelfPlay(env, self.config, seed=seed)
        self._play.assign_opponents(request.actor + np.arange(games) * self.actors, games * self.actors)
        if request.games:
            games_from_tensors(self._play, {name: torch.tensor(array) for name, array in request.games.items()})
        return self._play


@contextmanager
def one_thread() -> Iterator[None]:
    """Let torch use one thread, as actors do everywhere: sums of several threads are rounded differently."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def make_actor(rules: str, config: PPOConfig, seed: int) -> Callable[[Request, Mapping[str, NDArray[Any]]], Rollout]:
    """The function that plays rollouts, in a worker."""
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
        games: the state of every actor's games.
        dropped: rollouts that were too old to learn from, or of the phase before; their deals count towards the budget.
        staleness: mean number of updates between the weights that finished the deals of the last update and those that
            learned from them. A deal that was open before may have begun one rollout earlier.
    """

    counters = (*PPO.counters, "dropped")

    def __init__(self, rules: str, config: PPOConfig, *, seed: int, device: str = "cpu", workers: Workers = 1) -> None:
        super().__init__(VectorEnv(rules, 1, reward="relative", timing=config.timing), config, seed=seed, device=device)
        self.seed, self.workers = seed, workers
        if any(agent.stateful for agent in (self.teacher, *self.opponents)):
            raise ValueError("actors play without memory; leave out a teacher or opponents that are programs")
        self.games: list[GamesState] = [{} for _ in range(config.actors)]
        self.was_imitating, self.was_stale = [False] * config.actors, [False] * config.actors
        self.dropped, self.staleness = 0, 0.0
        self._submit: Submit | None = None
        self._waiting: dict[Future[Any], Waiting] = {}

    def learn(self, progress: Callable[[], float]) -> Generator[dict[str, float], None, None]:
        """As `PPO.learn`, with workers while it lasts."""
        rules, config = str(self.env.game.rules), self.config
        agents = (config.teacher, *config.opponents)
        with submitting(partial(make_actor, rules, config, self.seed), self.workers, agents) as submit:
            self._submit, self._waiting = submit, {}
            for figures in super().learn(progress):
                yield figures | {"staleness": self.staleness, "dropped": float(self.dropped)}

    def collect(self, progress: float) -> None:
        """Add a rollout of every actor to the experience; with `staleness`, the same number of any actors' rollouts."""
        self.imitating = progress < self.config.imitation
        parameters = self.policy.state_dict().items()  # copied: they may be sent while the learner updates
        weights = {name: tensor.detach().cpu().numpy().copy() for name, tensor in parameters}
        self._hand_out(progress, weights)
        taken, ages = 0, 0
        while taken < self.config.actors:
            for future in self._next():
                waiting, rollout = self._waiting.pop(future), future.result()
                age = self.updates - waiting.updates
                stale = age > self.config.staleness or rollout.imitating != self.imitating
                if stale:
                    self.dropped += 1
                else:
                    taken, ages = taken + 1, ages + age
                    self.experience.append(unpacked(rollout.decisions))
                self._note(waiting.actor, rollout, stale)
                if taken == self.config.actors:
                    break
            if self.config.staleness and taken < self.config.actors:
                self._hand_out(progress, weights)
        self.staleness = ages / taken

    def _hand_out(self, progress: float, weights: Mapping[str, NDArray[Any]]) -> None:
        assert self._submit is not None
        busy = {waiting.actor for waiting in self._waiting.values()}
        for actor, games in enumerate(self.games):
            if actor not in busy:
                request = Request(actor, progress, self.was_imitating[actor], games, self.was_stale[actor])
                self._waiting[self._submit(request, weights)] = Waiting(actor, self.updates)

    def _next(self) -> list[Future[Any]]:
        """The rollouts to take next: in the order of the actors, or those that have arrived."""
        if not self.config.staleness:
            return list(self._waiting)
        done = wait_for(self._waiting, return_when=FIRST_COMPLETED).done
        return sorted(done, key=lambda future: self._waiting[future].actor)

    def _note(self, actor: int, rollout: Rollout, stale: bool) -> None:
        self.games[actor], self.was_imitating[actor], self.was_stale[actor] = rollout.games, rollout.imitating, stale
        for name, count in zip(COUNTED, rollout.counts, strict=True):
            setattr(self, name, getattr(self, name) + count)

    # --- files ----------------------------------------------------------------------------------

    def tensors(self) -> dict[str, Tensor]:
        """Those of `PPO`, and the state of every actor's games."""
        found = super().tensors()
        for actor, games in enumerate(self.games):
            found |= {f"actor.{actor}.{name}": torch.tensor(array) for name, array in games.items()}
            found[f"actor.{actor}.last"] = torch.tensor([self.was_imitating[actor], self.was_stale[actor]])
        return found

    def restore(self, tensors: dict[str, Tensor], counters: Mapping[str, Any]) -> None:
        """As in `PPO`."""
        rest, checker = dict(tensors), Actor(str(self.env.game.rules), self.config, self.seed)
        for actor in range(self.config.actors):
            prefix = f"actor.{actor}."
            own = {name.removeprefix(prefix): rest.pop(name) for name in tensors if name.startswith(prefix)}
            last = own.pop("last")
            if last.dtype != torch.bool or last.shape != (2,):
                raise ValueError(f"{prefix}last is {last.dtype} {tuple(last.shape)}; torch.bool (2,) is needed")
            self.was_imitating[actor], self.was_stale[actor] = last.tolist()
            self.games[actor] = {name: tensor.numpy() for name, tensor in own.items()}
            if own:
                with one_thread():
                    checker.resume(Request(actor, 0.0, False, self.games[actor]))
        super().restore(rest, counters)
