"""Checkpoints: everything a training run needs to continue exactly as if it had never stopped.

A checkpoint is a folder ``checkpoint-<updates>`` with two files: `tensors.safetensors` (weights, Adam's moments, the
random generator, the games in progress, the decisions not learned from yet) and `state.json` (counters,
configuration, rules, digest of the tensors). It is written under another name, flushed and then renamed, so that it
is either complete or absent; then the previous one is removed. Nothing is pickled.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from hearts_agents.files import write_file
from hearts_env.kernel import batch
from hearts_env.kernel.records import STATE
from hearts_training.ppo import PPO

FORMAT, VERSION = "hearts-checkpoint", 2
TENSORS, STATE_FILE, PREFIX = "tensors.safetensors", "state.json", "checkpoint-"
COUNTERS = ("deals", "decisions", "choices", "updates", "imitating")


# --- the learner as tensors and back --------------------------------------------------------------------------------


def to_tensors(ppo: PPO) -> dict[str, Tensor]:
    """Everything that `from_tensors` needs, by name, on the CPU."""
    tensors = {"generator": ppo.generator.get_state(), "games": _pack(torch.from_numpy(ppo.env.states.view(np.uint8)))}
    for part, (net, optimizer) in ppo.learners.items():
        tensors |= {f"{part}.{name}": tensor for name, tensor in net.state_dict().items()}
        for name, parameter in net.named_parameters():
            moments = optimizer.state[parameter].items()
            tensors |= {f"adam.{part}.{name}.{moment}": tensor for moment, tensor in moments}
    experience, n = ppo.experience, ppo.experience.count
    inputs = experience.inputs
    unused = torch.arange(inputs.columns.shape[1], device=ppo.device) >= inputs.counts[:n, None]
    for name, tensor in experience.tensors.items():
        used = tensor[:n].masked_fill(unused, 0) if name in ("columns", "values") else tensor[:n]
        tensors[f"rows.{name}"] = _pack(used)
    tensors |= {
        "rows.rewards": torch.from_numpy(experience.rewards[:n]),
        "rows.next_row": torch.from_numpy(experience.next_row[:n]),
        "last_row": torch.from_numpy(experience.last_row),
    }
    return {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}


def from_tensors(ppo: PPO, tensors: dict[str, Tensor]) -> None:
    """Restore a learner with the same rules and configuration to the state that `to_tensors` saved.

    Raises KeyError, RuntimeError or ValueError if the tensors do not fit.
    """
    ppo.generator.set_state(tensors["generator"])
    for part, (net, optimizer) in ppo.learners.items():
        net.load_state_dict({name: tensors[f"{part}.{name}"] for name in net.state_dict()})
        for name, parameter in net.named_parameters():
            prefix = f"adam.{part}.{name}."
            moments = {key.removeprefix(prefix): tensor for key, tensor in tensors.items() if key.startswith(prefix)}
            optimizer.state[parameter] = {moment: _like(tensor, parameter) for moment, tensor in moments.items()}
    _restore_experience(ppo, tensors)
    env = ppo.env
    env.states[:] = _unpack(tensors["games"], torch.uint8, (env.num_envs, STATE.itemsize)).numpy().view(STATE)[:, 0]
    batch.encode_all(env.states, env.game.tables, env.observations, env.action_masks)


def _like(tensor: Tensor, parameter: Tensor) -> Tensor:
    """A moment on the device and in the memory layout of its parameter; Adam's step count (a scalar) unchanged."""
    return torch.empty_like(parameter).copy_(tensor) if tensor.dim() else tensor.clone()


def _restore_experience(ppo: PPO, tensors: dict[str, Tensor]) -> None:
    experience = ppo.experience
    n = experience.count = experience.filled = len(tensors["rows.rewards"])
    for name, tensor in experience.tensors.items():
        tensor[:n] = _unpack(tensors[f"rows.{name}"], tensor.dtype, (n, *tensor.shape[1:])).to(ppo.device)
    experience.rewards[:n] = tensors["rows.rewards"].numpy()
    experience.next_row[:n] = tensors["rows.next_row"].numpy()
    experience.last_row[:] = tensors["last_row"].numpy()


def _pack(tensor: Tensor) -> Tensor:
    """The compressed bytes of a tensor; observations are mostly zeros."""
    raw = tensor.cpu().contiguous().view(torch.uint8).numpy().tobytes()
    return torch.frombuffer(bytearray(zlib.compress(raw, 1)), dtype=torch.uint8)


def _unpack(packed: Tensor, dtype: torch.dtype, shape: tuple[int, ...]) -> Tensor:
    raw = bytearray(zlib.decompress(packed.numpy().tobytes()))
    return (torch.frombuffer(raw, dtype=dtype) if raw else torch.empty(0, dtype=dtype)).reshape(shape)


# --- files ----------------------------------------------------------------------------------------------------------


def save_checkpoint(folder: Path, ppo: PPO, state: dict[str, Any]) -> Path:
    """Write a checkpoint into a folder, then remove older ones and unfinished drafts. Returns its path.

    `state` must be serialisable as JSON. A checkpoint of the same update is left unchanged.

    Raises OSError if it cannot be written; the previous checkpoint is then intact.
    """
    final = folder / f"{PREFIX}{ppo.updates:08d}"
    if final.exists():
        return final
    draft = folder / f".{final.name}.{os.getpid()}"
    content = save(to_tensors(ppo))
    description = {
        "format": FORMAT,
        "version": VERSION,
        "sha256": hashlib.sha256(content).hexdigest(),
        "counters": {name: getattr(ppo, name) for name in COUNTERS},
        **state,
    }
    try:
        draft.mkdir()
        write_file(draft / TENSORS, content)
        write_file(draft / STATE_FILE, (json.dumps(description, indent=2) + "\n").encode())
        draft.rename(final)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    for other in (*folder.glob(f"{PREFIX}*"), *folder.glob(f".{PREFIX}*")):
        if other != final:
            shutil.rmtree(other, ignore_errors=True)
    return final


def find_checkpoint(folder: Path) -> Path:
    """The newest checkpoint in a folder that `hearts train` wrote, or the folder itself if it is a checkpoint.

    Raises ValueError if there is none.
    """
    if (folder / STATE_FILE).is_file():
        return folder
    found = sorted(folder.glob(f"{PREFIX}*")) if folder.is_dir() else []
    if not found:
        raise ValueError(f"{folder} holds no checkpoint; give --resume a folder that `hearts train` wrote")
    return found[-1]


def load_state(checkpoint: Path) -> dict[str, Any]:
    """The `state` given to `save_checkpoint`, and the counters.

    Raises:
        ValueError: in one line, for a damaged file, a file of another program or one of another version.
    """
    try:
        state = json.loads((checkpoint / STATE_FILE).read_text())
    except (OSError, ValueError) as error:
        raise ValueError(f"{checkpoint / STATE_FILE} is damaged ({_line(error)}); resume from another copy") from None
    if not isinstance(state, dict) or state.get("format") != FORMAT:
        raise ValueError(f"{checkpoint} is not a checkpoint of this package; give a folder that `hearts train` wrote")
    if state.get("version") != VERSION:
        raise ValueError(f"{checkpoint} has format {state.get('version')}; this release reads format {VERSION}")
    return state


def restore(checkpoint: Path, state: dict[str, Any], ppo: PPO) -> None:
    """Restore a learner made from the configuration in `state` to where the checkpoint left it.

    Raises:
        ValueError: in one line, for tensors that are damaged or do not fit.
    """
    path = checkpoint / TENSORS
    try:
        content = path.read_bytes()
        if hashlib.sha256(content).hexdigest() != state["sha256"]:
            raise ValueError("its digest differs from the one in state.json")
        from_tensors(ppo, load(content))
        for name in COUNTERS:
            setattr(ppo, name, type(getattr(ppo, name))(state["counters"][name]))
    except (OSError, SafetensorError, KeyError, RuntimeError, TypeError, ValueError, zlib.error) as error:
        raise ValueError(f"{path} is damaged or does not fit ({_line(error)}); resume from another copy") from None


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:120]
