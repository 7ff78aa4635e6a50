"""The speed of every variant relative to `black_lady`, measured just before and after."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import hearts_env as he
from hearts_training.bench import ours
from hearts_training.bench.measure import Budget, median_rate
from hearts_training.bench.report import machine, versions

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


@dataclass(frozen=True)
class VariantReport:
    """All rows of one run.

    Attributes:
        kernels: how often the kernel was compiled or loaded.
    """

    machine: dict[str, Any]
    versions: dict[str, str]
    kernels: int
    rows: list[VariantRow]

    def to_json(self) -> dict[str, Any]:
        """The report as plain data."""
        return {
            "machine": self.machine,
            "versions": self.versions,
            "kernels": self.kernels,
            "rows": [asdict(row) for row in self.rows],
        }


def run_variants(budget: Budget, progress: Callable[[str, float], None]) -> VariantReport:
    """Measure every registered variant with its fewest, default and most players.

    Args:
        budget: how long each measurement takes.
        progress: called with the text of the next rules and the fraction done.
    """
    tables = [str(variant.build(n)) for variant in he.VARIANTS.values() for n in _sizes(variant)]
    rows = []
    for done, rules in enumerate(tables):
        progress(rules, done / len(tables))
        rows.append(_row(rules, budget))
    progress("done", 1.0)
    return VariantReport(machine(), versions(), ours.kernels_compiled(), rows)


def _sizes(variant: he.Variant) -> list[int]:
    return sorted({min(variant.players), variant.default_players, max(variant.players)})


def _row(rules: str, budget: Budget) -> VariantRow:
    random, slower = _compared(lambda text: ours.kernel_random(rules=text), rules, budget)
    observed, observed_slower = _compared(ours.kernel_observed, rules, budget)
    return VariantRow(rules, random, observed, slower, observed_slower)


def _compared(make: Callable[[str], Callable[[int], int]], rules: str, budget: Budget) -> tuple[float, float]:
    before = median_rate(make(REFERENCE), budget)
    rate = median_rate(make(rules), budget)
    after = median_rate(make(REFERENCE), budget)
    return rate, (before + after) / 2 / rate
