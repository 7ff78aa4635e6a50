"""Training of agents by self-play: `train.start.train` starts a run, and `train.learner` is its algorithm.

Importing the package imports neither torch nor Numba.
"""

from __future__ import annotations

import os

# Threads that wait for work should sleep, not spin: on a busy machine spinning made training 3 to 40 times slower. The
# OpenMP runtime reads this once, when torch is imported.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
