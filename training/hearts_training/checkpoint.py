"""Checkpoints: everything a training run needs to go on exactly as if it had never stopped.

A checkpoint is a folder ``checkpoint-<updates>`` of `tensors.safetensors` (weights, Adam's moments, the generator,
the games under way, the decisions not yet learned from) and `state.json` (counters, configuration, rules, digest of
the tensors). It is written under another name, flushed and then renamed, so it is there whole or not at all; the one
before is removed after that. Nothing is pickled.
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

FORMAT, VERSION = "hearts-checkpoint", 1
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
    unused = torch.arange(experience.seen.columns.shape[1], device=ppo.device) >= experience.seen.counts[:n, None]
    for name, tensor in experience.tensors.items():
        used = tensor[:n].masked_fill(unused, 0) if name in ("columns", "values") else tensor[:n]
        tensors[f"rows.{name}"] = _pack(used)
    tensors |= {
        "rows.rewards": torch.from_numpy(experience.rewards[:n]),
        "rows.following": torch.from_numpy(experience.following[:n]),
        "latest": torch.from_numpy(experience.latest),
    }
    return {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}


def from_tensors(ppo: PPO, tensors: dict[str, Tensor]) -> None:
    """Put a learner, made with the same rules and configuration, into the state `to_tensors` took.

    Raises KeyError, RuntimeError or ValueError where the tensors do not fit.
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
    """Adam's count of steps as it is; a moment on the device and in the memory layout of its parameter."""
    return torch.empty_like(parameter).copy_(tensor) if tensor.dim() else tensor.clone()


def _restore_experience(ppo: PPO, tensors: dict[str, Tensor]) -> None:
    experience = ppo.experience
    n = experience.count = experience.filled = len(tensors["rows.rewards"])
    for name, tensor in experience.tensors.items():
        tensor[:n] = _unpack(tensors[f"rows.{name}"], tensor.dtype, (n, *tensor.shape[1:])).to(ppo.device)
    experience.rewards[:n] = tensors["rows.rewards"].numpy()
    experience.following[:n] = tensors["rows.following"].numpy()
    experience.latest[:] = tensors["latest"].numpy()


def _pack(tensor: Tensor) -> Tensor:
    """The compressed bytes of a tensor; observations are mostly zeros."""
    raw = tensor.cpu().contiguous().view(torch.uint8).numpy().tobytes()
    return torch.frombuffer(bytearray(zlib.compress(raw, 1)), dtype=torch.uint8)


def _unpack(packed: Tensor, dtype: torch.dtype, shape: tuple[int, ...]) -> Tensor:
    raw = bytearray(zlib.decompress(packed.numpy().tobytes()))
    return (torch.frombuffer(raw, dtype=dtype) if raw else torch.empty(0, dtype=dtype)).reshape(shape)


# --- files ----------------------------------------------------------------------------------------------------------


def save_checkpoint(folder: Path, ppo: PPO, state: dict[str, Any]) -> Path:
    """Write a checkpoint into a folder, in place of the one before; `state` must suit JSON. Returns where it lies.

    One of the same update is left as it is. The folder's drafts and older checkpoints are removed.

    Raises OSError if it cannot be written; the one before is intact then.
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
    """The newest checkpoint in a folder that `hearts train` wrote, or the folder itself if it is one.

    Raises ValueError if there is none.
    """
    if (folder / STATE_FILE).is_file():
        return folder
    found = sorted(folder.glob(f"{PREFIX}*")) if folder.is_dir() else []
    if not found:
        raise ValueError(f"{folder} holds no checkpoint; give --resume a folder that `hearts train` wrote")
    return found[-1]


def load_state(checkpoint: Path) -> dict[str, Any]:
    """What `save_checkpoint` was told, and the counters.

    Raises:
        ValueError: a torn or foreign file, or one of another version, in one line.
    """
    try:
        state = json.loads((checkpoint / STATE_FILE).read_text())
    except (OSError, ValueError) as error:
        raise ValueError(f"{checkpoint / STATE_FILE} is damaged ({_line(error)}); resume from another copy") from None
    if not isinstance(state, dict) or state.get("format") != FORMAT:
        raise ValueError(f"{checkpoint} is no checkpoint of this suite; give a folder that `hearts train` wrote")
    if state.get("version") != VERSION:
        raise ValueError(f"{checkpoint} has format {state.get('version')}; this release reads format {VERSION}")
    return state


def restore(checkpoint: Path, state: dict[str, Any], ppo: PPO) -> None:
    """Put a learner, made from the configuration in `state`, where the checkpoint left it.

    Raises:
        ValueError: torn or foreign tensors, in one line.
    """
    path = checkpoint / TENSORS
    try:
        content = path.read_bytes()
        if hashlib.sha256(content).hexdigest() != state["sha256"]:
            raise ValueError("its digest is not the one in state.json")
        from_tensors(ppo, load(content))
        for name in COUNTERS:
            setattr(ppo, name, type(getattr(ppo, name))(state["counters"][name]))
    except (OSError, SafetensorError, KeyError, RuntimeError, TypeError, ValueError, zlib.error) as error:
        raise ValueError(f"{path} is damaged or foreign ({_line(error)}); resume from another copy") from None


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:120]
