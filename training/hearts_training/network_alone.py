"""How fast training would be if the networks were all there is to run: what its real speed is held against."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable

import torch
from torch import Tensor

from hearts_training.ppo import PPO


def network_alone(ppo: PPO, seconds: float = 0.5) -> float:
    """Decisions a second of the forward passes of playing and the forward and backward passes of learning alone.

    Measured with copies of both networks on the games' current observations, in the sizes that `ppo` uses, for about
    `seconds` each. Forced moves count as decisions that cost nothing, as they do in training.
    """
    policy, critic, config = copy.deepcopy(ppo.policy), copy.deepcopy(ppo.critic), ppo.config
    share = ppo.choices / max(ppo.decisions, 1)

    def rows(count: int) -> tuple[Tensor, Tensor, Tensor]:
        games = torch.arange(count) % ppo.env.num_envs
        kept = ppo.experience.tensors.values()
        source = (ppo.env.observations, ppo.env.hidden(), ppo.env.action_masks)
        arrays = (torch.from_numpy(array)[games] for array in source)
        a, b, c = (array.to(ppo.device, tensor.dtype) for array, tensor in zip(arrays, kept, strict=False))
        return a, b, c

    playing, valuing, learning = rows(max(int(share * ppo.env.num_envs), 1)), rows(8192), rows(config.minibatch)

    def play() -> None:
        with torch.inference_mode(), ppo.autocast():
            policy(playing[0], playing[2])

    def value() -> None:
        with torch.inference_mode(), ppo.autocast():
            critic(valuing[0], valuing[1])

    def learn() -> None:
        with ppo.autocast():
            logits, values = policy(learning[0], learning[2]), critic(learning[0], learning[1])
        (logits.float().square().mean() + values.square().mean()).backward()

    cost = _seconds(play, seconds) / len(playing[0]) + _seconds(value, seconds) / len(valuing[0])
    cost += config.epochs * _seconds(learn, seconds) / len(learning[0])
    return float(1 / (cost * max(share, 1e-9)))


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
