"""How fast training would be if the networks were all there is to run: what its real speed is held against."""

from __future__ import annotations

import time
from collections.abc import Callable

import torch

from hearts_training.ppo import PPO


def network_alone(ppo: PPO, seconds: float = 0.2) -> float:
    """Decisions a second of the forward passes of playing and the forward and backward passes of learning alone.

    Measured on decisions that were really made, in the sizes that `ppo` uses, for about `seconds` each. Forced moves
    count as decisions that cost nothing, as they do in training. Leaves gradients behind; 0 before the first decision.
    """
    filled, config = ppo.experience.filled, ppo.config
    if not filled:
        return 0.0
    share = ppo.choices / ppo.decisions
    sizes = max(int(share * config.num_envs), 1), 8192, config.minibatch
    playing, valuing, learning = (torch.arange(min(size, filled), device=ppo.device) for size in sizes)

    def play() -> None:
        with torch.inference_mode():
            ppo.log_probs_of(playing)

    def value() -> None:
        with torch.inference_mode():
            ppo.values_of(valuing)

    def learn() -> None:
        (ppo.log_probs_of(learning).mean() + ppo.values_of(learning).mean()).backward()

    cost = _seconds(play, seconds) / len(playing) + _seconds(value, seconds) / len(valuing)
    cost += config.epochs * _seconds(learn, seconds) / len(learning)
    return 1 / (cost * share)


def _seconds(work: Callable[[], None], limit: float) -> float:
    """Mean time of a call, after a first one to warm up."""
    work()
    _wait()
    calls, start = 0, time.perf_counter()
    while time.perf_counter() - start < limit:
        work()
        calls += 1
    _wait()
    return (time.perf_counter() - start) / calls


def _wait() -> None:
    if torch.cuda.is_available():
        torch.cuda.synchronize()
