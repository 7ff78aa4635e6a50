"""Network-only throughput: an upper bound for the speed of training."""

from __future__ import annotations

import time
from collections.abc import Callable

import torch

from hearts_training.train.ppo import PPO


def network_only(ppo: PPO, seconds: float = 0.2) -> float:
    """Decisions per second if training ran the networks' forward and backward passes and nothing else.

    Times the three passes (choosing, estimating values, learning) for about `seconds` each, on stored decisions and in
    the batch sizes that `ppo` uses. Forced moves count as decisions that cost nothing, as they do in training. Returns
    0 before the first decision. Leaves gradients behind.
    """
    filled, config = ppo.experience.filled, ppo.config
    if not filled:
        return 0.0
    chosen = ppo.choices / ppo.decisions  # the fraction that was not forced
    sizes = max(int(chosen * config.num_envs), 1), 8192, config.minibatch
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
    return 1 / (cost * chosen)


def _seconds(work: Callable[[], None], limit: float) -> float:
    """Mean time of a call, after one call to warm up."""
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
