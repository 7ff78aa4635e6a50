"""Training, evaluation and data sets for Hearts agents.

After ``import hearts_training as ht``: `ht.run_training` learns by self-play with `ht.TrainOptions`, and
`ht.run_tuning` fits a rule agent; `ht.learn` trains a best response, and `ht.run_exploit` measures candidates for one;
`ht.record` and `ht.label` write data sets, `ht.RecordedGames` and `ht.LabelledDecisions` read them, `ht.replay` goes
through a game again, and `ht.distil` makes a network of labels; `ht.study_passes`, `ht.run_suite` (moons),
`ht.find_blunders`, `ht.cross_play` (partners), `ht.run_payoff` (leagues) and `ht.quick_score` (the benchmark) evaluate
agents.

Importing the package imports neither torch nor Numba.

>>> import hearts_training as ht
>>> ht.RecordOptions(agents=("rule", "random")).agents
('rule', 'random')
"""

from __future__ import annotations

import importlib
import os
from typing import Any

# Threads that wait for work should sleep, not spin: on a busy machine spinning made training 3 to 40 times slower. The
# OpenMP runtime reads this once, when torch is imported.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

_LAZY = {
    "hearts_training.data.distil": ("distil",),
    "hearts_training.data.label": ("label",),
    "hearts_training.data.labelled": ("LabelledDecisions",),
    "hearts_training.data.record": ("record",),
    "hearts_training.data.recorded": ("RecordedGames",),
    "hearts_training.data.replay": ("Replay", "replay"),
    "hearts_training.evaluate.benchmark": ("quick_score",),
    "hearts_training.evaluate.blunders": ("find_blunders",),
    "hearts_training.evaluate.moon_suite": ("run_suite",),
    "hearts_training.evaluate.partners": ("cross_play",),
    "hearts_training.evaluate.passing": ("study_passes",),
    "hearts_training.evaluate.payoff": ("run_payoff",),
    "hearts_training.exploit": ("learn", "run_exploit"),
    "hearts_training.options": ("DistilOptions", "LabelOptions", "RecordOptions", "TuneOptions"),
    "hearts_training.train.options": ("TrainOptions",),
    "hearts_training.train.start": ("run_training",),
    "hearts_training.tune": ("run_tuning",),
}

__all__ = [name for names in _LAZY.values() for name in names]


def __getattr__(name: str) -> Any:
    for module, names in _LAZY.items():
        if name in names:
            return getattr(importlib.import_module(module), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
