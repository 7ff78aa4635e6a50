"""How the cost of a decision grows with games, seats and threads, and the arena's speed with worker processes.

``python training/lab/growth.py --picture docs/growth.png`` prints the figures of ``training/README.md``; it takes two
minutes and 2 GB of memory.

What stands side by side, the rows of a number of games or the sizes of a variant, is measured in turn, several times
over, beside a reference: `kernel_observed` of 256 games of `black_lady` on one thread.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import tyro

import hearts_env as he
from hearts_agents.arena.run import run_arena
from hearts_training.bench import Budget, workloads
from hearts_training.bench.measure import enough, timed
from hearts_training.bench.report import Work, machine, title_of
from hearts_training.cli.command import progress

GAMES = tuple(4**power for power in range(9))
THREADS = (1, 2)
ROWS = ("kernel_observed", "vector_env")
VARIANTS = ("black_lady", "uk_black_lady", "cancellation_hearts")
"""For 3 to 6, 3 to 10 and 5 to 11 players."""
AGENTS = ("rule", "rule")
CHUNK = 32
"""Deals that the arena hands to a worker at once, 8 line-ups each."""
ARENA_SECONDS, ARENA_REPEATS = 40, 3
"""An arena plays so many times as long as another measurement, and at most so many times."""


@dataclass(frozen=True)
class Setting:
    """What is measured.

    Attributes:
        row: ``kernel_observed`` or ``vector_env``, as in the table of `hearts bench`.
        rules: text of the rules.
        games: games that are played at once.
        threads: threads that share the games.
    """

    row: str = "kernel_observed"
    rules: str = "black_lady"
    games: int = workloads.GAMES
    threads: int = 1

    def work(self) -> Work:
        """Random play, with the games at different plies."""
        if self.row == "vector_env":
            return workloads.vector_env(self.threads, self.games, apart=True)
        return workloads.kernel_observed(self.rules, games=self.games, threads=self.threads, apart=True)


@dataclass(frozen=True)
class Point(Setting):
    """The cost of a decision.

    Attributes:
        seats: number of players.
        wall: nanoseconds of a decision by the clock.
        cpu: nanoseconds of processor time, of all threads.
        times: the processor time relative to that of the reference, measured at the same moment.
    """

    seats: int = 0
    wall: float = 0.0
    cpu: float = 0.0
    times: float = 0.0


@dataclass(frozen=True)
class Crew:
    """The speed of an arena with a number of workers.

    Attributes:
        workers: how many processes play.
        rate: deals per second, once they play.
        startup: seconds until they play.
        speedup: `rate` relative to one worker, measured at the same moment.
    """

    workers: int
    rate: float
    startup: float
    speedup: float


# --- games and seats -------------------------------------------------------------------------------------------------


def games_settings(games: int) -> list[Setting]:
    """The kernel and `VectorEnv` with so many games, on as many threads as there are games and cores for."""
    threads = [count for count in THREADS if count <= min(games, _cores())]
    return [Setting(row, games=games, threads=count) for row in ROWS for count in threads]


def seats_settings(variant: str) -> list[Setting]:
    """A variant with every number of players.

    >>> [setting.rules for setting in seats_settings("black_lady")][:2]
    ['black_lady(players=3)', 'black_lady(players=4)']
    """
    return [Setting(rules=f"{variant}(players={players})") for players in he.VARIANTS[variant].players]


def measure(settings: Sequence[Setting], budget: Budget) -> list[Point]:
    """Measure some settings in turn, beside the reference."""
    costs = interleaved([setting.work() for setting in (Setting(), *settings)], budget)
    return [_point(setting, [(row[0], row[place]) for row in costs]) for place, setting in enumerate(settings, 1)]


Cost = tuple[float, float]
"""Nanoseconds of a unit of work by the clock, and of processor time of all threads of this process."""


def interleaved(works: Sequence[Callable[[int], int]], budget: Budget) -> list[list[Cost]]:
    """Costs of several works that are measured in turn, so that their ratios hold on a busy machine, too.

    Returns `budget.repeats` lists with a cost for each of `works`.

    >>> costs = interleaved([lambda units: len(list(range(units)))] * 2, Budget(repeats=3, seconds=1e-6))
    >>> len(costs), len(costs[0]), costs[0][0][0] > 0
    (3, 2, True)
    """
    units = [enough(work, budget.seconds) for work in works]
    return [[_cost(*one) for one in zip(works, units, strict=True)] for _ in range(budget.repeats)]


def _cost(work: Callable[[int], int], units: int) -> Cost:
    cpu = time.process_time()
    done, seconds = timed(work, units)
    return seconds / done * 1e9, (time.process_time() - cpu) / done * 1e9


def _point(setting: Setting, costs: Sequence[tuple[Cost, Cost]]) -> Point:
    """Medians over pairs of the cost of the reference and that of a setting."""
    return Point(
        **asdict(setting),
        seats=he.rules(setting.rules).players,
        wall=statistics.median(cost[0] for _, cost in costs),
        cpu=statistics.median(cost[1] for _, cost in costs),
        times=statistics.median(cost[1] / reference[1] for reference, cost in costs),
    )


# --- workers ---------------------------------------------------------------------------------------------------------


def worker_counts(cores: int) -> list[int]:
    """Powers of two up to the number of cores, and that number.

    >>> worker_counts(12)
    [1, 2, 4, 8, 12]
    """
    return sorted({2**power for power in range(cores.bit_length())} | {cores})


def arena_growth(counts: Sequence[int], budget: Budget) -> list[Crew]:
    """The speed of an arena of `AGENTS` with every number of worker processes.

    A short and a long arena are timed: the deals that the long one has more give the rate, and the rest of the time is
    the start-up.

    Args:
        counts: numbers of workers; the first is 1.
        budget: a long arena takes `ARENA_SECONDS` times `seconds`, or longer.
    """
    deals, repeats = enough(_arena_deals, ARENA_SECONDS * budget.seconds, CHUNK), min(budget.repeats, ARENA_REPEATS)
    found = [[_arena_times(workers, deals) for workers in counts] for _ in range(repeats)]
    return [_crew(workers, [(row[0][0], *row[place]) for row in found]) for place, workers in enumerate(counts)]


def _crew(workers: int, found: Sequence[tuple[float, float, float]]) -> Crew:
    """Medians over the rates of one worker, and the rates and start-up times of several."""
    rates, startups, speedups = zip(*((rate, startup, rate / one) for one, rate, startup in found), strict=True)
    return Crew(workers, statistics.median(rates), statistics.median(startups), statistics.median(speedups))


def _arena_times(workers: int, deals: int) -> tuple[float, float]:
    """Deals per second of some workers who play `deals` each, and the seconds before they do."""
    few, more = CHUNK * workers, deals * workers
    short, long = (_arena_seconds(count, processes=workers) for count in (few, few + more))
    rate = more / max(long - short, 1e-9)
    return rate, max(short - few / rate, 0.0)


def _arena_deals(deals: int) -> int:
    _arena_seconds(deals, processes=1)
    return deals


def _arena_seconds(deals: int, processes: int) -> float:
    start = time.perf_counter()
    run_arena(AGENTS, deals=deals, processes=processes)
    return time.perf_counter() - start


def _cores() -> int:
    return os.cpu_count() or 1


# --- report ----------------------------------------------------------------------------------------------------------


def print_growth(games: Sequence[Point], seats: Sequence[Point], crews: Sequence[Crew]) -> None:
    """Print a line for every point."""
    print(title_of(machine()))
    for point in games:
        where = f"{point.games:,} games, {point.row}, threads={point.threads}"
        print(f"{where}: {point.wall:,.0f} ns a decision ({point.cpu:,.0f} of processor time)")
    for point in seats:
        print(f"{point.rules}: {point.cpu:,.0f} ns of processor time, {point.times:.2f} times {Setting().rules}")
    for crew in crews:
        figures = f"{crew.rate:,.0f} deals/s, {crew.speedup:.2f} times one, start-up {crew.startup:.1f} s"
        print(f"arena of rule, {crew.workers} processes: {figures}")


def draw_growth(file: Path, games: Sequence[Point], seats: Sequence[Point], crews: Sequence[Crew]) -> None:
    """Draw the three kinds of curves to a file."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13, 4.5), layout="constrained")
    left, middle, right = figure.subplots(1, 3)
    _draw_games(left, games)
    _draw_seats(middle, seats)
    _draw_workers(right, crews)
    figure.savefig(file, dpi=110)


def _draw_games(axes: Any, points: Sequence[Point]) -> None:
    for row, color in zip(ROWS, ("tab:green", "tab:blue"), strict=True):
        for threads, style in zip(THREADS, ("o-", "s--"), strict=True):
            curve = [point for point in points if (point.row, point.threads) == (row, threads)]
            label = f"{row}, {threads} thread{'s' * (threads > 1)}"
            axes.plot([p.games for p in curve], [p.cpu for p in curve], style, color=color, label=label, markersize=4)
    axes.set_xscale("log", base=4)
    axes.set_yscale("log")
    axes.set_xticks(GAMES, [f"{count:,}" for count in GAMES], rotation=45)
    axes.set(title="Games at once", xlabel="games", ylabel="processor time of a decision, ns (all threads)")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)


def _draw_seats(axes: Any, points: Sequence[Point]) -> None:
    for variant in VARIANTS:
        curve = [point for point in points if point.rules.startswith(f"{variant}(")]
        axes.plot([p.seats for p in curve], [p.times for p in curve], "o-", label=variant, markersize=4)
    axes.set(title="Seats", xlabel="players", ylabel="processor time, black_lady with 4 players = 1")
    axes.set(ylim=(0, None), xticks=range(3, 12))
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)


def _draw_workers(axes: Any, crews: Sequence[Crew]) -> None:
    counts = [crew.workers for crew in crews]
    axes.plot(counts, [crew.rate for crew in crews], "o-", color="tab:green", label="arena of rule", markersize=4)
    axes.plot(counts, [crews[0].rate * count for count in counts], ":", color="gray", label="in proportion")
    for crew in crews:
        axes.annotate(f"{crew.rate:,.0f}", (crew.workers, crew.rate), (0, -14), textcoords="offset points", ha="center")
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.set(title="Workers", xlabel="processes", ylabel="deals a second, start-up apart")
    axes.set(xlim=(0, 1.1 * counts[-1]), ylim=(0, None), xticks=counts)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)


def main(picture: Path | None = None, seconds: float = 0.05, repeats: int = 5) -> None:
    """Measure 1 to 65,536 games, 3 to 11 seats, 1 and 2 threads, and 1 worker process to one for each core.

    Args:
        picture: draw the curves to this file, .png or .svg.
        seconds: minimum duration of a run.
        repeats: runs per point; medians are reported.
    """
    budget, games, seats = Budget(repeats, seconds), list[Point](), list[Point]()
    with progress("growth", len(GAMES) + len(VARIANTS) + 1) as show:
        for done, count in enumerate(GAMES):
            show(done, f"{count:,} games")
            games += measure(games_settings(count), budget)
        for done, name in enumerate(VARIANTS, len(GAMES)):
            show(done, f"seats of {name}")
            seats += measure(seats_settings(name), budget)
        show(len(GAMES) + len(VARIANTS), "arena")
        crews = arena_growth(worker_counts(_cores()), budget)
    if picture is not None:
        draw_growth(picture, games, seats, crews)
    print_growth(games, seats, crews)


if __name__ == "__main__":
    tyro.cli(main)
