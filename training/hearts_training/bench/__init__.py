"""`hearts bench`: the speed of kernel and environments on this machine, and of other libraries that are installed.

Every rate is the median of repeated runs after a warm-up. All rows of a report come from one run, so that their ratios
are meaningful on a shared machine, too.
"""

from hearts_training.bench.report import BenchReport, Budget, Row, run_bench

__all__ = ["BenchReport", "Budget", "Row", "run_bench"]
