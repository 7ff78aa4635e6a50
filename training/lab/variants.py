"""The speed of every variant relative to `black_lady`, measured just before and after.

``python training/lab/variants.py`` takes a few minutes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import tyro

import hearts_env as he
from hearts_env.kernel import batch
from hearts_training.bench import Budget, workloads
from hearts_training.bench.measure import median_rate
from hearts_training.bench.report import Show, machine, title_of, versions
from hearts_training.cli.command import console, progress, results_table, write_json

REFERENCE = "black_lady"


@dataclass(frozen=True)
class VariantRow:
    """One variant with one number of players.

    Attributes:
        rules: text of the rules.
        random, observed: decisions per second of `kernel_random` and `kernel_observed`.
        random_slowdown, observed_slowdown: time of a decision divided by that in `black_lady`.
    """

    rules: str
    random: float
    observed: float
    random_slowdown: float
    observed_slowdown: float


def run_variants(budget: Budget, show: Show) -> list[VariantRow]:
    """Measure every registered variant with its fewest, default and most players; `show` is that of `run_bench`."""
    tables = [str(variant.build(n)) for variant in he.VARIANTS.values() for n in _sizes(variant)]
    rows = []
    for done, rules in enumerate(tables):
        show(rules, done / len(tables))
        rows.append(_row(rules, budget))
    return rows


def _sizes(variant: he.Variant) -> list[int]:
    return sorted({min(variant.players), variant.default_players, max(variant.players)})


def _row(rules: str, budget: Budget) -> VariantRow:
    random, slower = _compared(lambda text: workloads.kernel_random(rules=text), rules, budget)
    observed, observed_slower = _compared(workloads.kernel_observed, rules, budget)
    return VariantRow(rules, random, observed, slower, observed_slower)


def _compared(make: Callable[[str], Callable[[int], int]], rules: str, budget: Budget) -> tuple[float, float]:
    before = median_rate(make(REFERENCE), budget)
    rate = median_rate(make(rules), budget)
    after = median_rate(make(REFERENCE), budget)
    return rate, (before + after) / 2 / rate


def main(json: Path | None = None, seconds: float = 0.05, repeats: int = 5) -> None:
    """Measure every variant with the fewest, the default and the most players.

    Args:
        json: write JSON to this file.
        seconds: minimum duration of a run.
        repeats: runs per row; the median is reported.
    """
    with progress("variants") as show:
        rows = run_variants(Budget(repeats, seconds), lambda name, done: show(done, name))
    kernels = len(batch.play_random.signatures)  # 1: all variants are played by the same compiled code
    if json is not None:
        write_json(
            json,
            {"machine": machine(), "versions": versions(), "kernels": kernels, "rows": [asdict(row) for row in rows]},
        )
    caption = f"time: of one decision, relative to {REFERENCE} measured just before and after; kernels: {kernels}"
    table = results_table(title=title_of(machine()), caption=caption, first="variant")
    for heading in ("random play, M/s", "time", "observed, M/s", "time"):
        table.add_column(heading, justify="right")
    for row in rows:
        random, observed = f"{row.random / 1e6:.1f}", f"{row.observed / 1e6:.2f}"
        table.add_row(row.rules, random, f"{row.random_slowdown:.2f}", observed, f"{row.observed_slowdown:.2f}")
    console().print(table)


if __name__ == "__main__":
    tyro.cli(main)
