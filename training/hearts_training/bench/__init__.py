"""`hearts bench`: how fast the kernel and the faces are on this machine, beside what else is installed.

Warm-up is excluded, every rate is the median of repeated runs, and all rows of a report come from one run, so that
ratios mean something even where the machine is shared.
"""

from hearts_training.bench.report import BenchReport, Row, run_bench

__all__ = ["BenchReport", "Row", "run_bench"]
