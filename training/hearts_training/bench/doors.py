"""The learner's seat behind each framework's interface, and the slow ways: what a user writes, is paid and waits for.

A door is the code that a user writes. It runs as it stands, and calls `policy` for its actions; the measurement looks
at the name `rewards` between two calls.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from textwrap import dedent
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_env.envs.aec import CheckedEnv
from hearts_env.envs.gym import LearnerEnv
from hearts_env.envs.learner import LearnerGames
from hearts_env.kernel.records import Phase
from hearts_training.bench.measure import Budget
from hearts_training.bench.report import machine, versions

GAMES = 256
WARM_UP = 20
"""Steps that are not timed, because something may be compiled in them."""
DEALS = 20
"""The fewest deals to count points in."""
NONE = np.zeros(0)
ROLLOUT = 32
"""Steps of each game between two updates of MaskablePPO."""


@dataclass(frozen=True)
class Door:
    """A way into a game.

    Attributes:
        name: for the table.
        code: what a user writes.
        learns: whether its ``env`` is a `VecEnv` that MaskablePPO learns on.
    """

    name: str
    code: str
    learns: bool = False

    @property
    def lines(self) -> int:
        """Number of lines of the code."""
        return len(dedent(self.code).strip().splitlines())


MAKE_VEC = """
    import gymnasium
    envs = gymnasium.make_vec("hearts_env:Hearts/BlackLady-v0", num_envs=GAMES, opponents=OPPONENTS, deals=1)
    observations, infos = envs.reset()
    while True:
        actions = policy(observations, infos["action_mask"])
        observations, rewards, terminations, truncations, infos = envs.step(actions)
"""
VEC_ENV = """
    from hearts_env.envs.sb3 import LearnerVecEnv
    env = LearnerVecEnv("black_lady", GAMES, opponents=OPPONENTS, deals=1)
    observations = env.reset()
    while True:
        observations, rewards, dones, infos = env.step(policy(observations, env.action_masks()))
"""
TORCHRL = """
    from hearts_env.envs.torchrl import LearnerTorchEnv
    env = LearnerTorchEnv("black_lady", GAMES, opponents=OPPONENTS, deals=1)
    data = env.reset()
    while True:
        data["action"] = policy(data["observation"], data["action_mask"])
        stepped, data = env.step_and_maybe_reset(data)
        rewards = stepped["next", "reward"]
"""
MAKE = """
    import gymnasium
    env = gymnasium.make("hearts_env:Hearts/BlackLady-v0", opponents=OPPONENTS, deals=1)
    observation, info = env.reset()
    while True:
        action = policy(observation[None], info["action_mask"][None])[0]
        observation, rewards, terminated, truncated, info = env.step(action)
        if terminated:
            observation, info = env.reset()
"""
DUMMY = """
    from stable_baselines3.common.env_util import make_vec_env
    env = make_vec_env("hearts_env:Hearts/BlackLady-v0", GAMES, env_kwargs={"opponents": OPPONENTS, "deals": 1})
    observations = env.reset()
    while True:
        masks = np.stack(env.env_method("action_masks"))
        observations, rewards, dones, infos = env.step(policy(observations, masks))
"""
WRAPPER = """
    import hearts_env, torch
    from torchrl.envs.libs.pettingzoo import PettingZooWrapper
    env = PettingZooWrapper(hearts_env.env("black_lady", deals=1), use_mask=True, seed=1)
    data = env.reset()
    while True:
        seen, turn = data["player_0"], data["player_0", "mask"]
        actions = policy(seen["observation", "observation"][turn], seen["action_mask"][turn])
        data = env.rand_action(data)
        if turn.any():
            data["player_0", "action"] = torch.as_tensor(actions)
        stepped, data = env.step_and_maybe_reset(data)
        rewards = stepped["next", "player_0", "reward"][turn]
"""
DOORS = (
    Door("LearnerVecEnv (Stable-Baselines3)", VEC_ENV, learns=True),
    Door("gymnasium.make_vec", MAKE_VEC),
    Door("LearnerTorchEnv (TorchRL)", TORCHRL),
    Door("gymnasium.make, one game", MAKE),
    Door("DummyVecEnv of gymnasium.make", DUMMY, learns=True),
    Door("TorchRL's PettingZooWrapper, one game", WRAPPER),
)


@dataclass(frozen=True)
class DoorRow:
    """A door, measured.

    Attributes:
        door: its name.
        lines: lines of code that a user writes.
        credited: the rewards of the learner's own steps, as a share of what its seat scored.
        steps: steps of the learner per second of processor time, in which all seats act. On a machine that does nothing
            else this is the usual time; on a busy one it says the same.
        share: of the time of MaskablePPO, what the environment takes; None where that cannot learn.
    """

    door: str
    lines: int
    credited: float
    steps: float
    share: float | None


@dataclass(frozen=True)
class DoorReport:
    """All rows of one run."""

    machine: dict[str, Any]
    versions: dict[str, str]
    opponents: str | None
    rows: list[DoorRow]

    def to_json(self) -> dict[str, Any]:
        """The report as plain data."""
        return asdict(self)


def run_doors(budget: Budget, progress: Callable[[str, float], None], opponents: str | None = "rule") -> DoorReport:
    """Measure every door whose framework is installed.

    Args:
        budget: `seconds` is the processor time that a door is used for.
        progress: called with the name of the next door and the fraction done.
        opponents: who plays the other seats, where a door can seat anybody.
    """
    rows = []
    for done, door in enumerate(DOORS):
        progress(door.name, done / len(DOORS))
        try:
            use = use_door(door, budget.seconds, opponents)
            share = learning_share(door, opponents) if door.learns else None
        except ImportError:
            continue  # that framework is not installed
        rows.append(DoorRow(door.name, door.lines, use.credited, use.steps, share))
    progress("done", 1.0)
    return DoorReport(machine(), versions(), opponents, rows)


# --- use -------------------------------------------------------------------------------------------------------------


class EnoughError(Exception):
    """Ends the endless loop of a door."""


class Use:
    """A policy of uniformly random legal actions, and what comes of it.

    Attributes:
        paid: sum of the rewards.
        due: points of the learner's seat in the deals that have ended.
        deals: number of these deals.
    """

    def __init__(self, seconds: float) -> None:
        """Play for at least so long, after a warm-up, and to the end of at least `DEALS` deals."""
        self.paid = self.due = 0.0
        self.deals = 0
        self.names: dict[str, Any] = {"policy": self, "np": np}
        self._seconds, self._rng = seconds, np.random.default_rng(1)
        self._spent = self._begun = 0.0
        self._calls = self._steps = 0

    @property
    def credited(self) -> float:
        """The share of the points that reached the learner."""
        return self.paid / self.due + 0.0

    @property
    def steps(self) -> float:
        """Steps per second of processor time, without the time that the policy takes."""
        return self._steps / self._spent

    def __call__(self, observations: Any, masks: Any) -> NDArray[np.int64]:
        """Actions for rows of masks; raises `EnoughError` when it is time."""
        now = time.process_time()
        if "rewards" in self.names:
            self.paid += float(np.asarray(self.names["rewards"], np.float64).sum())
        shown = np.asarray(masks)
        self._calls += 1
        if self._calls > WARM_UP:
            self._spent += now - self._begun
            if self._spent >= self._seconds and self.deals >= DEALS:
                raise EnoughError
            self._steps += len(shown)
        actions: NDArray[np.int64] = (self._rng.random(shown.shape) * shown).argmax(axis=-1)
        self._begun = time.process_time()
        return actions


def use_door(door: Door, seconds: float, opponents: str | None = "rule", games: int = GAMES) -> Use:
    """Run the code of a door for so many seconds. Raises ImportError if its framework is not installed."""
    use = Use(seconds)
    with _scores(use):
        _run(door, use.names, opponents, games)
    return use


def _run(door: Door, names: dict[str, Any], opponents: str | None, games: int) -> None:
    """Run the code of a door until its policy has enough; `names` are its global variables, before and after."""
    names |= {"GAMES": games, "OPPONENTS": opponents}
    with suppress(EnoughError):
        exec(dedent(door.code), names)


@contextmanager
def _scores(use: Use) -> Iterator[None]:
    """Note the points of seat 0, the learner's, where a deal ends, whatever the environment pays for them."""
    kinds: dict[Any, Callable[[Any], NDArray[Any]]] = {
        CheckedEnv: lambda env: env.record["totals"][:1, 0] if _has_ended(env) else NONE,
        LearnerEnv: lambda env: env.record["totals"][:1, 0] if env.record["phase"] == Phase.OVER else NONE,
        LearnerGames: lambda games: games.finals["totals"][games.terminated, 0, 0],
    }
    kept = {kind: kind.step for kind in kinds}
    for kind, points in kinds.items():
        kind.step = _noting(use, kept[kind], points)
    try:
        yield
    finally:
        for kind, step in kept.items():
            kind.step = step


def _has_ended(env: CheckedEnv) -> bool:
    """Whether the last step was the last of the episode; the steps of dead agents come after it."""
    return len(env.agents) == len(env.possible_agents) and all(env.terminations.values())


def _noting(use: Use, step: Callable[..., Any], points: Callable[[Any], NDArray[Any]]) -> Callable[..., Any]:
    def noting(env: Any, *arguments: Any, **named: Any) -> Any:
        result = step(env, *arguments, **named)
        ended = points(env)
        use.due, use.deals = use.due - float(ended.sum()), use.deals + len(ended)
        return result

    return noting


# --- learning --------------------------------------------------------------------------------------------------------


def learning_share(door: Door, opponents: str | None = "rule", games: int = GAMES, rollout: int = ROLLOUT) -> float:
    """The share of the time of MaskablePPO, with its defaults, that a door takes. Raises ImportError without it."""
    from sb3_contrib import MaskablePPO

    def stop(*_: Any) -> None:
        raise EnoughError

    names: dict[str, Any] = {"policy": stop, "np": np}
    _run(door, names, opponents, games)
    clock = _Clock(names["env"])
    model = MaskablePPO("MlpPolicy", names["env"], n_steps=rollout, batch_size=games * rollout // 8, seed=1)
    start = time.perf_counter()
    model.learn(2 * games * rollout)
    return clock.seconds / (time.perf_counter() - start)


class _Clock:
    """Adds up the seconds that the methods of a `VecEnv` take."""

    def __init__(self, env: Any) -> None:
        self.seconds = 0.0
        for method in ("reset", "step", "env_method"):
            setattr(env, method, self._timed(getattr(env, method)))

    def _timed(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*arguments: Any, **named: Any) -> Any:
            start = time.perf_counter()
            try:
                return method(*arguments, **named)
            finally:
                self.seconds += time.perf_counter() - start

        return timed
