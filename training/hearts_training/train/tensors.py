"""Networks and their optimisers as tensors, for checkpoints and for workers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import torch
from torch import Tensor, nn

Optimised = Mapping[str, tuple[nn.Module, torch.optim.Adam]]
"""Networks with their optimisers, by name."""


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
