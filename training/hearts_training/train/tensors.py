"""Conversion of a learner to tensors and back. Compiled code indexes by their values, so every value is checked."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping

import numpy as np
import torch
from torch import Tensor, nn

from hearts_env.kernel.records import STATE
from hearts_training.train.memory import most_decisions
from hearts_training.train.rollout import END, OPEN
from hearts_training.train.selfplay import SelfPlay

Learners = Mapping[str, tuple[nn.Module, torch.optim.Adam]]
"""Networks with their optimisers, by name."""
MOMENTS = ("step", "exp_avg", "exp_avg_sq")
"""Adam's state of a parameter; there is none before the first gradient step."""


def to_tensors(play: SelfPlay, learners: Learners) -> dict[str, Tensor]:
    """Tensors for `from_tensors`, by name, on the CPU: games, decisions not learned from yet, generator, networks."""
    tensors = {
        "generator": play.generator.get_state(),
        "games": _pack(torch.from_numpy(play.env.states.view(np.uint8))),
    }
    experience, n = play.experience, play.experience.count
    inputs = experience.inputs
    unused = torch.arange(inputs.columns.shape[1], device=play.device) >= inputs.counts[:n, None]
    for name, tensor in experience.tensors.items():
        used = tensor[:n].masked_fill(unused, 0) if name in ("columns", "values") else tensor[:n]
        tensors[f"rows.{name}"] = _pack(used)
    tensors |= {
        "rows.rewards": torch.from_numpy(experience.rewards[:n]),
        "rows.next_row": torch.from_numpy(experience.next_row[:n]),
        "last_row": torch.from_numpy(experience.last_row),
    }
    found = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    return found | networks_to_tensors(learners)


def networks_to_tensors(learners: Learners) -> dict[str, Tensor]:
    """The tensors that `networks_from_tensors` needs, by name, on the CPU: weights and Adam's moments."""
    tensors: dict[str, Tensor] = {}
    for part, name, parameter, optimizer in _parameters(learners):
        tensors[f"{part}.{name}"] = parameter
        tensors |= {f"adam.{part}.{name}.{moment}": tensor for moment, tensor in optimizer.state[parameter].items()}
    return {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}


def from_tensors(play: SelfPlay, learners: Learners, tensors: dict[str, Tensor]) -> None:
    """Restore a learner with the same rules and configuration to the state that `to_tensors` saved.

    Raises:
        KeyError, RuntimeError, ValueError, zlib.error: tensors that are missing, do not fit or hold impossible values.
            The learner is then of no use.
    """
    rest = dict(tensors)
    networks_from_tensors(learners, rest)
    play.generator.set_state(_take(rest, "generator", torch.uint8, (len(play.generator.get_state()),)))
    _restore_experience(play, rest)
    _restore_games(play, rest)
    _check(not rest, f"there is a tensor {next(iter(rest), '')!r} too many")


def _parameters(learners: Learners) -> Iterator[tuple[str, str, nn.Parameter, torch.optim.Adam]]:
    for part, (net, optimizer) in learners.items():
        for name, parameter in net.named_parameters():
            yield part, name, parameter, optimizer


def networks_from_tensors(learners: Learners, tensors: dict[str, Tensor]) -> None:
    """Remove from `tensors` what `networks_to_tensors` returned, and restore it; errors as in `from_tensors`."""
    for part, name, parameter, optimizer in _parameters(learners):
        shape = tuple(parameter.shape)
        with torch.no_grad():
            parameter.copy_(_finite(tensors, f"{part}.{name}", shape))
        prefix = f"adam.{part}.{name}."
        if prefix + MOMENTS[0] not in tensors:
            continue
        step, mean, square = (
            _finite(tensors, prefix + moment, shape if moment != "step" else ()) for moment in MOMENTS
        )
        _check(bool((step >= 0) & (square >= 0).all()), f"{prefix}* are below 0")
        like = (torch.empty_like(parameter).copy_(tensor) for tensor in (mean, square))  # with its memory layout
        optimizer.state[parameter] = dict(zip(MOMENTS, (step.to(parameter.device, copy=True), *like), strict=True))


def _restore_experience(play: SelfPlay, tensors: dict[str, Tensor]) -> None:
    experience, env = play.experience, play.env
    inputs, n = experience.inputs, len(tensors["rows.rewards"])
    _check(n <= most_decisions(env.game) * env.num_envs, f"{n} decisions are stored")
    rows = {
        name: _unpack(tensors, f"rows.{name}", tensor.dtype, (n, *tensor.shape[1:]))
        for name, tensor in experience.tensors.items()
    }
    entries = torch.arange(inputs.columns.shape[1])
    counts, observed, columns = rows["counts"], rows["observed"], rows["columns"]
    limits = torch.where(entries < observed[:, None], inputs.input_size, inputs.width)
    actions, masks = rows["actions"], rows["masks"]
    next_row = _take(tensors, "rows.next_row", torch.int64, (n,))
    last_row = _take(tensors, "last_row", torch.int64, experience.last_row.shape)
    numbers = torch.arange(n)
    for name, fits in {
        "counts": (observed >= 0) & (observed <= counts) & (counts <= len(entries)),
        "columns": (columns >= 0) & (columns < limits),
        "values": rows["values"].isfinite(),
        "log_probs": rows["log_probs"].isfinite(),
        "actions": (actions >= 0) & (actions < masks.shape[1]),
        "next_row": (next_row == END) | (next_row == OPEN) | ((next_row > numbers) & (next_row < n)),
        "last_row": (last_row >= -1) & (last_row < n),
    }.items():
        _check(bool(fits.all()), f"{name} are out of range")
    _check(bool(masks.gather(1, actions[:, None]).all()), "actions are illegal")
    experience.count = experience.filled = n
    for name, tensor in experience.tensors.items():
        tensor[:n] = rows[name].to(play.device)
    experience.rewards[:n] = _finite(tensors, "rows.rewards", (n,)).numpy()
    experience.next_row[:n], experience.last_row[:] = next_row.numpy(), last_row.numpy()


def _restore_games(play: SelfPlay, tensors: dict[str, Tensor]) -> None:
    env = play.env
    cells = _unpack(tensors, "games", torch.uint8, (env.num_envs * STATE.itemsize,)).numpy()
    env.restore(env.save() | {"states": cells.view(STATE)})
    _check(bool((env.seats >= 0).all()), "the games in progress include one that is over")


def _check(fits: bool, message: str) -> None:
    if not fits:
        raise ValueError(message)


def _take(tensors: dict[str, Tensor], name: str, dtype: torch.dtype, shape: tuple[int, ...]) -> Tensor:
    tensor = tensors.pop(name)
    if tensor.dtype != dtype or tuple(tensor.shape) != shape:
        raise ValueError(f"{name} is {tensor.dtype} {tuple(tensor.shape)}; {dtype} {shape} is needed")
    return tensor


def _finite(tensors: dict[str, Tensor], name: str, shape: tuple[int, ...]) -> Tensor:
    tensor = _take(tensors, name, torch.float32, shape)
    _check(bool(tensor.isfinite().all()), f"{name} is not finite")
    return tensor


def _pack(tensor: Tensor) -> Tensor:
    """The compressed bytes of a tensor; observations are mostly zeros."""
    raw = tensor.cpu().numpy().tobytes()
    return torch.frombuffer(bytearray(zlib.compress(raw, 1)), dtype=torch.uint8)


def _unpack(tensors: dict[str, Tensor], name: str, dtype: torch.dtype, shape: tuple[int, ...]) -> Tensor:
    """Remove a tensor that `_pack` compressed, and check the size of its content."""
    packed = tensors.pop(name)
    size = int(np.prod(shape)) * dtype.itemsize
    _check(packed.dtype == torch.uint8 and packed.dim() == 1, f"{name} is not bytes")
    raw = bytearray(zlib.decompressobj().decompress(packed.numpy().tobytes(), size + 1))
    _check(len(raw) == size, f"{name} has another size than {dtype} {shape}")
    if dtype == torch.bool:
        _check(not raw or max(raw) <= 1, f"{name} is not made of 0 and 1")
    return (torch.frombuffer(raw, dtype=dtype) if raw else torch.empty(0, dtype=dtype)).reshape(shape)
