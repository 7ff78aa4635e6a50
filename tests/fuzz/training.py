"""A small training with a checkpoint after nearly every update, for `kill`: ``python -m tests.fuzz.training SEED``.

It begins or goes on in the folder ``run``, and ends as ``hearts train`` does.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any
from unittest import mock

from hearts_training.train import run
from hearts_training.train.options import TrainOptions
from hearts_training.train.start import train

RUN = Path("run")
OPTIONS: dict[str, Any] = {
    "threads": 1,
    "device": "cpu",
    "arena_deals": 0,
    "evaluations": 3,
    "evaluation_games": 16,
    "checkpoint_minutes": 0.002,
}
TINY = {"num_envs": 8, "rollout_steps": 40, "hidden": [8], "critic_hidden": [8], "minibatch": 64}
DEALS = 300


def main() -> int:
    """Train."""
    if list(RUN.glob("checkpoint-*")):
        options = TrainOptions(resume=RUN, **OPTIONS)
    else:
        options = TrainOptions(out=RUN, deals=DEALS, seed=int(sys.argv[1]), hyper_parameters=TINY, **OPTIONS)
    try:
        with mock.patch.multiple(run, network_only=lambda _: 0.0):  # it measures for seconds and changes nothing
            result = train(options, report=lambda _: None)
    except KeyboardInterrupt:
        return 130
    except (ValueError, OSError) as error:
        print(f"hearts: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    return 130 if result.interrupted else 0


if __name__ == "__main__":
    sys.exit(main())
