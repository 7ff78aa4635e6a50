"""Start-up times, each measured in a new process."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile

_IMPORT = "import hearts_env"
_FIRST_STEP = """
import hearts_env as he
env = he.env("black_lady")
env.reset(seed=1)
env.step(int(env.last()[0]["action_mask"].argmax()))
batch = he.vector_env("black_lady", 16)
batch.reset(seed=1)
batch.step(batch.action_masks.argmax(axis=1))
"""
_TIMED = """
import time
start = time.perf_counter()
{code}
print(time.perf_counter() - start)
"""


def measure(repeats: int) -> dict[str, float]:
    """Seconds of new processes, by the names of their rows: to the first step of both environments, once with an empty
    cache and `repeats` times with a full one (the median), and to import the package.
    """
    with tempfile.TemporaryDirectory() as cache:
        return {
            "cold_compile": _seconds(_FIRST_STEP, cache),
            "warm_start": statistics.median(_seconds(_FIRST_STEP, cache) for _ in range(repeats)),
            "import": statistics.median(_seconds(_IMPORT, cache) for _ in range(repeats)),
        }


def _seconds(code: str, cache: str) -> float:
    environment = os.environ | {"NUMBA_CACHE_DIR": cache}
    command = [sys.executable, "-c", _TIMED.format(code=code)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1])
