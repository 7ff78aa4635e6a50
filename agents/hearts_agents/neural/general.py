"""A network for all rules on disk: ``general.safetensors`` and ``general.json`` in a folder; see `sealed`."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from hearts_agents.neural.features import FACTS
from hearts_agents.neural.rulesnet import RulesNet
from hearts_agents.neural.sealed import Kind, check_weights, damaged, read_network, write_network
from hearts_env.compiled.decisions import DECISIONS
from hearts_env.compiled.statics import CARD_TERMS, OPTION_TERMS, RULE_TERMS, SEAT_TERMS, SUIT_TERMS, WORDS

GENERAL = Kind(
    "general",
    "hearts-general-1",
    "net",
    "hearts train --variants",
    {"terms": str, "width": int, "depth": int, "code": int, "hidden": list, "extra": dict},
)
MOST_DEPTH = 16


@dataclass(frozen=True)
class GeneralInfo:
    """The description of a saved network for all rules.

    Attributes:
        terms: `terms_digest` of what it reads of the rules.
        width, depth, code: the arguments of `RulesNet`; `hidden` repeats the widths of the hidden layers.
        extra: further JSON values, such as the options of the training.
        format: identifies the kind of file.
    """

    terms: str
    width: int
    depth: int
    code: int
    hidden: tuple[int, ...]
    extra: Mapping[str, Any]
    format: str = GENERAL.format


def terms_digest() -> str:
    """16 hexadecimal digits that identify what a network reads of the rules, and the facts of its input."""
    terms = [list(table) for table in (CARD_TERMS, SUIT_TERMS, SEAT_TERMS, OPTION_TERMS, RULE_TERMS, DECISIONS)]
    return hashlib.sha256(repr((terms, FACTS, WORDS)).encode()).hexdigest()[:16]


def save_general(
    folder: str | Path,
    net: RulesNet,
    extra: Mapping[str, Any] | None = None,
    *,
    half: bool = False,
    run: Sequence[Mapping[str, Any]] = (),
) -> GeneralInfo:
    """Write a network for all rules to a folder, which is created if it does not exist.

    Args:
        folder: the folder.
        net: the policy.
        extra: further JSON values for its description.
        half: write weights in half precision, half the size.
        run: how it came to be: JSON values for the key ``run`` of ``general.json``, which no reader compares.

    Raises:
        ValueError: its weights are not finite, or the folder cannot be written.
    """
    hidden = (net.width,) * (net.depth + 1)
    info = GeneralInfo(terms_digest(), net.width, net.depth, net.code, hidden, dict(extra or {}))
    kind = torch.float16 if half else torch.float32
    tensors = {name: value.detach().to(kind) for name, value in net.state_dict().items()}
    write_network(folder, GENERAL, asdict(info), tensors, run)
    return info


def load_general(folder: str | Path) -> tuple[RulesNet, GeneralInfo]:
    """Read a network that `save_general` wrote.

    Raises:
        ValueError: a file is missing, damaged or of another kind; the message names the file and the defect.
    """
    path = Path(folder)
    info, tensors = read_network(path, GENERAL, _read_info)
    with torch.device("meta"):  # no memory before the shapes are known to be those in the file
        net = RulesNet(info.width, info.depth, info.code)
    check_weights(path / GENERAL.weights, tensors, net.state_dict())
    net.load_state_dict({name: value.float() for name, value in tensors.items()}, assign=True)
    return net.eval(), info


def _read_info(path: Path, values: Mapping[str, Any]) -> GeneralInfo:
    info = GeneralInfo(**{**values, "hidden": tuple(values["hidden"])})
    if info.terms != terms_digest():
        raise ValueError(f"{path} reads the rules of another release; train it again")
    if not 0 < info.depth <= MOST_DEPTH or info.hidden != (info.width,) * (info.depth + 1) or not 0 < info.code <= 4096:
        raise damaged(path, f"width={info.width}, depth={info.depth}, code={info.code} is not possible")
    return info
