"""Networks with their optimisers: precision, exponentials, gradient steps, tensors for checkpoints and workers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import torch
from torch import Tensor, nn

Optimised = Mapping[str, tuple[nn.Module, torch.optim.Adam]]
"""Networks with their optimisers, by name."""
LEAST = -80.0
"""The least log-probability that `probabilities` reads."""


class DivergedError(ValueError):
    """Weights, losses or logits are not finite any more."""


def autocast(device: str, *, enabled: bool = True) -> torch.autocast:
    """Multiply layers in bfloat16 where that is faster: on a GPU, and on a CPU with 512-bit vectors.

    Other CPUs convert every number in software: training with layers of 128 took 3.7 times as long on one with AVX2.
    """
    fast = device != "cpu" or torch.backends.cpu.get_cpu_capability().startswith("AVX512")
    return torch.autocast(device, torch.bfloat16, enabled=enabled and fast)


def probabilities(log_probs: Tensor) -> Tensor:
    """The exponentials of log-probabilities, and at least exp(-80): numbers that underflow take ten times as long.

    >>> probabilities(torch.tensor([0.0, -1e9])).round()
    tensor([1., 0.])
    """
    return log_probs.clamp(min=LEAST).exp()


def set_rate(optimizer: torch.optim.Optimizer, rate: float) -> None:
    """Set the step size of an optimiser."""
    for group in optimizer.param_groups:
        group["lr"] = rate


def gradient_step(optimised: Optimised, loss: Tensor, max_norm: float) -> None:
    """One step of every optimiser, with gradients clipped for each network."""
    for _, optimizer in optimised.values():
        optimizer.zero_grad()
    loss.backward()
    for net, optimizer in optimised.values():
        nn.utils.clip_grad_norm_(net.parameters(), max_norm)
        optimizer.step()  # a network without gradients stays as it is


def check_finite(optimised: Optimised, figures: Mapping[str, float]) -> None:
    """Raise DivergedError if a figure or a weight is not finite."""
    for name, value in figures.items():
        if not np.isfinite(value):
            raise DivergedError(f"training diverged: {name} is {value}")
    for name, (net, _) in optimised.items():
        if not np.isfinite(float(sum(parameter.detach().abs().max() for parameter in net.parameters()))):
            raise DivergedError(f"training diverged: weights of the {name} are not finite")


def _parameters(optimised: Optimised) -> Iterator[tuple[str, nn.Parameter, torch.optim.Adam]]:
    for part, (net, optimizer) in optimised.items():
        for name, parameter in net.named_parameters():
            yield f"{part}.{name}", parameter, optimizer


def network_tensors(optimised: Optimised) -> dict[str, Tensor]:
    """Weights and Adam's moments, by name, on the CPU; no moments before the first gradient step."""
    tensors: dict[str, Tensor] = {}
    for name, parameter, optimizer in _parameters(optimised):
        tensors[name] = parameter
        tensors |= {f"adam.{name}.{moment}": tensor for moment, tensor in optimizer.state[parameter].items()}
    return {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}


def restore_networks(optimised: Optimised, tensors: Mapping[str, Tensor]) -> None:
    """Go back to what `network_tensors` returned. Raises KeyError or RuntimeError for what is missing or has another
    shape.
    """
    for name, parameter, optimizer in _parameters(optimised):
        moments = {moment: tensors.get(f"adam.{name}.{moment}") for moment in ("step", "exp_avg", "exp_avg_sq")}
        with torch.no_grad():
            _copy(parameter, tensors[name], name)
            if moments["step"] is not None:  # with the memory layout of the parameter
                optimizer.state[parameter] = {
                    moment: tensor.to(parameter.device, copy=True)
                    if moment == "step"
                    else _copy(torch.empty_like(parameter), tensor, name)
                    for moment, tensor in moments.items()
                    if tensor is not None
                }


def _copy(target: Tensor, source: Tensor, name: str) -> Tensor:
    if target.shape != source.shape:
        raise RuntimeError(f"{name} has the shape {tuple(source.shape)}, not {tuple(target.shape)}")
    return target.copy_(source)
