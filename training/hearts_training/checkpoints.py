"""Checkpoints: everything a training run needs to continue exactly as if it had never stopped.

A checkpoint is a folder ``checkpoint-<updates>`` with two files: `tensors.safetensors` (weights, Adam's moments, the
random generator, the games in progress, the decisions not learned from yet) and `state.json` (counters, configuration,
rules, digests of the tensors and of itself). It is written under another name, flushed and then renamed, so that it is
either complete or absent; then the previous one is removed, but no copy of it under another name. Nothing is pickled.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from hearts_agents.files import UNSEALED, is_sealed, read_file, seal, write_file

FORMAT, VERSION = "hearts-checkpoint", 5
POLICIES, MOST_POLICIES = "checkpoints", 10
TENSORS, STATE_FILE, PREFIX = "tensors.safetensors", "state.json", "checkpoint-"


class Restorable(Protocol):
    """An object whose state a checkpoint can keep.

    Attributes:
        counters: names of the attributes that count something and are part of a checkpoint.
        updates: how often it has been updated; the number in a checkpoint's name.
    """

    counters: tuple[str, ...]
    updates: int

    def tensors(self) -> dict[str, Tensor]:
        """Everything that `restore` needs besides the counters, by name, on the CPU."""

    def restore(self, tensors: Mapping[str, Tensor]) -> None:
        """Go back to what `tensors` returned. Raises KeyError, RuntimeError or ValueError for what does not fit."""


def save_checkpoint(folder: Path, learner: Restorable, state: dict[str, Any]) -> Path:
    """Write a checkpoint into a folder, then remove older ones and unfinished drafts. Returns its path.

    `state` must be serialisable as JSON. In a checkpoint with the same tensors, only `state` is replaced.

    Raises OSError if it cannot be written; the previous checkpoint is then intact.
    """
    final = folder / f"{PREFIX}{learner.updates:08d}"
    content = save(learner.tensors())
    digest = hashlib.sha256(content).hexdigest()
    description = {
        "format": FORMAT,
        "version": VERSION,
        "sha256": UNSEALED,
        "tensors_sha256": digest,
        "counters": {name: getattr(learner, name) for name in learner.counters},
        **state,
    }
    text = seal((json.dumps(description, indent=2) + "\n").encode())
    if _digest(final / TENSORS) == digest:
        write_file(final / STATE_FILE, text)
    else:
        _write(final, content, text)
    for other in (*list_checkpoints(folder), *folder.glob(f".{PREFIX}*")):
        if other != final:
            shutil.rmtree(other, ignore_errors=True)
    return final


def kept_policy(folder: Path, number: int) -> Path | None:
    """The folder for the policy of evaluation `number` of a run, ``checkpoints/NUMBER``; None if it is not kept.

    Some `MOST_POLICIES` are kept, evenly spaced. Those between them are removed.
    """
    step = 1
    while number // step > MOST_POLICIES:
        step *= 2
    for path in (folder / POLICIES).glob("*"):
        if path.name.isdecimal() and int(path.name) % step:
            shutil.rmtree(path, ignore_errors=True)
    return None if number % step else folder / POLICIES / str(number)


def _digest(path: Path) -> str | None:
    try:
        return hashlib.sha256(read_file(path)).hexdigest()
    except FileNotFoundError:
        return None


def _write(final: Path, content: bytes, text: bytes) -> None:
    draft = final.parent / f".{final.name}.{os.getpid()}"
    try:
        draft.mkdir()
        write_file(draft / TENSORS, content)
        write_file(draft / STATE_FILE, text)
        if final.exists():  # of the same update, but with other tensors: it is of no use
            shutil.rmtree(final)
        draft.rename(final)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def is_checkpoint(path: Path) -> bool:
    """True if a folder has the name of a checkpoint.

    >>> is_checkpoint(Path("run/checkpoint-00000039")), is_checkpoint(Path("run/checkpoint-00000039-copy"))
    (True, False)
    """
    number = path.name.removeprefix(PREFIX)
    return path.name == f"{PREFIX}{number}" and number.isdecimal()


def list_checkpoints(folder: Path) -> list[Path]:
    """The checkpoints in a folder, the newest last."""
    return sorted(path for path in folder.glob(f"{PREFIX}*") if is_checkpoint(path))


def find_checkpoint(folder: Path) -> Path:
    """The newest checkpoint in a folder that `hearts train` wrote, or the folder itself if it is a checkpoint.

    A run that is resumed from a copy of a checkpoint under another name writes into that copy, so newer checkpoints are
    looked for there first.

    Raises ValueError if there is none.
    """
    if found := list_checkpoints(folder):
        return found[-1]
    if not (folder / STATE_FILE).is_file():
        raise ValueError(f"{folder} holds no checkpoint; give --resume a folder that `hearts train` wrote")
    return folder


def load_state(checkpoint: Path) -> dict[str, Any]:
    """The `state` given to `save_checkpoint`, and the counters.

    Raises:
        ValueError: in one line, for a damaged file, a file of another program or one of another version.
    """
    path = checkpoint / STATE_FILE
    try:
        content = read_file(path)
        state = json.loads(content)
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"{path} is damaged ({_line(error)}); resume from another copy") from None
    if not isinstance(state, dict) or state.get("format") != FORMAT:
        raise ValueError(f"{path} is not of a checkpoint of this package; give a folder that `hearts train` wrote")
    if state.get("version") != VERSION:
        raise ValueError(f"{path} has format {_line(state.get('version'))}; this release reads format {VERSION}")
    if not is_sealed(content):
        raise ValueError(f"{path} is damaged (its digest is not that of its content); resume from another copy")
    return state


def load_tensors(checkpoint: Path, state: Mapping[str, Any]) -> dict[str, Tensor]:
    """The tensors of a checkpoint. Raises ValueError, in one line, for a damaged file."""
    path = checkpoint / TENSORS
    try:
        content = read_file(path)
        if hashlib.sha256(content).hexdigest() != state["tensors_sha256"]:
            raise ValueError(f"its digest is not the one in {STATE_FILE}")
        return load(content)
    except (OSError, SafetensorError, KeyError, ValueError) as error:
        raise ValueError(f"{path} is damaged ({_line(error)}); resume from another copy") from None


def restore(checkpoint: Path, state: Mapping[str, Any], learner: Restorable) -> None:
    """Restore a learner made from the configuration in `state` to where the checkpoint left it.

    Raises:
        ValueError: in one line, for tensors that are damaged or do not fit.
    """
    try:
        learner.restore(load_tensors(checkpoint, state))
        for name in learner.counters:
            setattr(learner, name, state["counters"][name])
    except (KeyError, RuntimeError, TypeError) as error:
        raise ValueError(f"{checkpoint} does not fit this release ({_line(error)}); start a new run") from None


def _line(error: object) -> str:
    return " ".join(str(error).split())[:120]
