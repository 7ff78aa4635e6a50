"""The learner's seat behind each framework's interface, and the slow ways: what a user writes, is paid and waits for.

A door is the code that a user writes. It runs as it stands, and calls `policy` for its actions; the measurement looks
at the name `rewards` between two calls. ``python training/lab/doors.py`` prints the table of ``hearts_env/README.md``;
``python training/lab/doors.py --peers`` compares all doors with the environments and with other libraries.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING, Any

import numpy as np
import tyro
from numpy.typing import NDArray

from hearts_env.envs.aec import CheckedEnv
from hearts_env.envs.gym import LearnerEnv
from hearts_env.envs.learner import LearnerGames
from hearts_env.kernel.records import Phase
from hearts_training.bench import BenchReport, Budget, Row
from hearts_training.bench.report import Show, machine, measured_rows, title_of, versions, workloads
from hearts_training.cli.bench import bench_table
from hearts_training.cli.command import console, progress, results_table
from lab.door_codes import DOORS, Door

if TYPE_CHECKING:
    from rich.table import Table

GAMES = 256
OPPONENTS = "rule"
WARM_UP = 20
"""Steps that are not timed, because something may be compiled in them."""
DEALS = 20
"""The fewest deals to count points in."""
NONE = np.zeros(0)
PEERS = ("pyspiel_bare", "pyspiel_tensor", "connect_four_raw", "connect_four_env")
"""Rows of other libraries."""
ROLLOUT = 32
"""Steps of each game between two updates of MaskablePPO."""


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


def run_doors(seconds: float, show: Show) -> list[DoorRow]:
    """Measure every door whose framework is installed.

    Args:
        seconds: the processor time that a door is used for.
        show: called with the name of the next door and the fraction done.
    """
    rows = []
    for done, door in enumerate(DOORS):
        show(door.name, done / len(DOORS))
        with suppress(ImportError):  # that framework is not installed
            use = use_door(door, seconds)
            share = learning_share(door) if door.learns else None
            rows.append(DoorRow(door.name, door.lines, use.credited, use.steps, share))
    return rows


def run_peers(budget: Budget, show: Show) -> BenchReport:
    """Measure, on one thread, the kernel, the environments, the doors against random players, and other libraries."""
    plain = [row for row in workloads() if row[1] in ("decisions/s", "steps/s") and row[2] == 1]
    rows = measured_rows(plain, budget, lambda name, done: show(name, done / 2))
    for done, door in enumerate(DOORS):
        show(door.name, (1 + done / len(DOORS)) / 2)
        with suppress(ImportError):
            rows.append(Row(door.name, use_door(door, budget.seconds, None).steps, "steps/s"))
    return BenchReport(machine(), versions(), sorted(rows, key=lambda row: -row.rate))


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


def use_door(door: Door, seconds: float, opponents: str | None = OPPONENTS, games: int = GAMES) -> Use:
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


def learning_share(door: Door) -> float:
    """The share of the time of MaskablePPO, with its defaults, that a door takes. Raises ImportError without it."""
    from sb3_contrib import MaskablePPO

    def stop(*_: Any) -> None:
        raise EnoughError

    names: dict[str, Any] = {"policy": stop, "np": np}
    _run(door, names, OPPONENTS, GAMES)
    clock = _Clock(names["env"])
    model = MaskablePPO("MlpPolicy", names["env"], n_steps=ROLLOUT, batch_size=GAMES * ROLLOUT // 8, seed=1)
    start = time.perf_counter()
    model.learn(2 * GAMES * ROLLOUT)
    return clock.seconds / (time.perf_counter() - start)


class _Clock:
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


# --- report ----------------------------------------------------------------------------------------------------------


def doors_table(rows: list[DoorRow]) -> Table:
    """One row per door."""
    caption = f"opponents: {OPPONENTS}, {GAMES} games at once or one; {versions()}"
    heads = ("lines", "points credited", "steps/s", "of MaskablePPO's time")
    cells = (
        (row.door, str(row.lines), f"{row.credited:.0%}", f"{row.steps:,.0f}", f"{row.share:.0%}" if row.share else "")
        for row in rows
    )
    return results_table(heads, cells, title=title_of(machine()), caption=caption, first="door")


def draw_peers(report: BenchReport, file: Path) -> None:
    """Draw the rows, the fastest first, on a logarithmic scale."""
    from matplotlib.figure import Figure

    rows = report.rows[::-1]
    figure = Figure(figsize=(9, 0.36 * len(rows) + 1), layout="constrained")
    axes = figure.subplots()
    colors = ["tab:gray" if row.name in PEERS else "tab:green" for row in rows]
    bars = axes.barh([row.name for row in rows], [row.rate for row in rows], color=colors)
    axes.bar_label(bars, [f"{row.rate:,.0f}" for row in rows], padding=4, fontsize=8)
    axes.set(xscale="log", xlabel="decisions (of the learner, in its environments) a second, one thread")
    axes.set_title("Hearts suite (green) and others (grey)")
    axes.margins(x=0.15)
    figure.savefig(file, dpi=110)


def main(peers: bool = False, picture: Path | None = None, seconds: float | None = None, repeats: int = 5) -> None:
    """Measure the learner's seat in every framework: lines, points credited, steps, share of the time of MaskablePPO.

    Args:
        peers: measure instead every way into a game, and other libraries, on one thread.
        picture: draw the peers to this file, .png or .svg.
        seconds: minimum duration of a run; 5, or 0.5 with --peers.
        repeats: runs per row of --peers that is no door.
    """
    with progress("doors") as show:
        if peers:
            report = run_peers(Budget(repeats, seconds or 0.5), lambda name, done: show(done, name))
        else:
            rows = run_doors(seconds or 5, lambda name, done: show(done, name))
    if picture is not None and peers:
        draw_peers(report, picture)
    console().print(bench_table(report) if peers else doors_table(rows))


if __name__ == "__main__":
    tyro.cli(main)
