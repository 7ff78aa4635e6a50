"""Networks of strangers: whatever is wrong in their files is refused in one line, also under honest digests."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save

pytest.importorskip("torch")

from hearts_agents.files import UNSEALED, seal
from hearts_agents.neural.inputs import fingerprint, input_size
from hearts_agents.neural.known import known_names
from hearts_agents.neural.policy import PolicyNet, arrays_of
from hearts_agents.neural.rulesnet import RulesNet
from hearts_agents.neural.saved import GENERAL, POLICY, GeneralInfo, PolicyInfo
from hearts_agents.neural.sb3 import SB3, ActorNet, Sb3Info
from hearts_agents.neural.sealed import NetworkFormat
from hearts_agents.registry import make_agent
from hearts_env.compiled.game import compile_game
from hearts_env.variants.registry import rules
from tests.support.forged import forgeries, is_refused

Tensors = dict[str, np.ndarray[Any, Any]]
GAME = compile_game(rules("black_lady"))
COLUMNS, ACTIONS, TEXTS = int(GAME.tables["obs_size"]), len(GAME.actions), ("black_lady", fingerprint(GAME))
INPUTS = input_size(GAME)


def network(kind: NetworkFormat) -> tuple[dict[str, Any], Tensors]:
    """A description and weights that are right."""
    if kind is POLICY:
        policy = PolicyInfo(*TEXTS, INPUTS, ACTIONS, (8, 8), {"deals": 5})
        return asdict(policy), arrays_of(PolicyNet(INPUTS, ACTIONS, (8, 8), len(GAME.deck.kinds)))
    if kind is SB3:
        actor = Sb3Info(*TEXTS, COLUMNS, ACTIONS, (9, 7), {"deals": 5}, "Tanh")
        return asdict(actor), arrays_of(ActorNet(COLUMNS, ACTIONS, (9, 7), "Tanh"))
    return asdict(GeneralInfo(known_names(), 8, 2, 4, (8,) * 3, {"told": "nothing"})), arrays_of(RulesNet(8, 2, 4))


def content(kind: NetworkFormat, values: Any, tensors: Tensors) -> bytes:
    return seal(save(tensors, {kind.name: json.dumps(values), "sha256": UNSEALED}))


def load(kind: NetworkFormat, folder: Path, written: bytes) -> Callable[[], object]:
    (folder / kind.weights).write_bytes(written)
    return lambda: make_agent(f"{kind.spec}:{folder}")


def forged_tensors(tensors: Tensors) -> Iterator[tuple[str, Tensors]]:
    for name, value in tensors.items():
        wrong = [value[:-1], value[None], value.astype(np.float64), value.astype(np.int32), np.full_like(value, np.nan)]
        for one in wrong:
            yield f"{name} {one.shape} {one.dtype}", tensors | {name: one}
        if name != "own":
            yield f"without {name}", {other: kept for other, kept in tensors.items() if other != name}
    yield "more", tensors | {"more": np.zeros(1, np.float32)}


@pytest.mark.parametrize("kind", [POLICY, GENERAL, SB3], ids=lambda kind: kind.name)
def test_forgeries_are_refused_in_one_line(kind: NetworkFormat, tmp_path: Path) -> None:
    values, tensors = network(kind)
    values["format"] = kind.format
    assert not is_refused("right", load(kind, tmp_path, content(kind, values, tensors)))
    for what, forged in forgeries(values):
        refused = is_refused(what, load(kind, tmp_path, content(kind, forged, tensors)))
        assert refused or what.startswith("('extra'"), what
    for what, other in forged_tensors(tensors):
        assert is_refused(what, load(kind, tmp_path, content(kind, values, other))), what


@pytest.mark.parametrize(
    ("kind", "changes", "message"),
    [
        (POLICY, {"hidden": []}, r"policy\.safetensors is damaged .*hidden=\[\] is not possible"),
        (POLICY, {"hidden": [8, 9]}, "do not have the shapes that its header gives"),
        (POLICY, {"actions": 55}, r"has 1010 inputs and 55 actions; black_lady needs .*, and 54"),
        (POLICY, {"rules": "black_ladi"}, "the closest is black_lady"),
        (POLICY, {"format": "hearts-policy-1"}, "has the format hearts-policy-1; this release reads hearts-policy-2"),
        (POLICY, {"format": "other"}, "was not written by this suite"),
        (SB3, {"activation": "Tanz"}, "activation='Tanz' is not possible"),
        (SB3, {"format": "hearts-policy-2"}, "it holds no description of a policy"),
        (GENERAL, {"names": {"cards": []}}, "its names are of cards; they are of cards"),
        (GENERAL, {"names": {**known_names(), "rules": ["another"]}}, "it reads 'another' of the rules, which this"),
        (GENERAL, {"names": {**known_names(), "facts": ["x", "x"]}}, "a name stands twice among those of facts"),
    ],
)
def test_the_line_names_the_defect(kind: NetworkFormat, changes: dict[str, Any], message: str, tmp_path: Path) -> None:
    values, tensors = network(kind)
    with pytest.raises(ValueError, match=message):
        load(kind, tmp_path, content(kind, {"format": kind.format, **values, **changes}, tensors))()


def test_damage_is_noticed(tmp_path: Path) -> None:
    values, tensors = network(POLICY)
    whole = content(POLICY, {"format": POLICY.format, **values}, tensors)
    flipped = [whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :] for place in range(9, len(whole), 999)]
    for damaged in (b"", b"PK" * 400, b"\xff" * 400, whole[: len(whole) // 2], save(tensors), *flipped):
        with pytest.raises(ValueError, match=r"policy\.safetensors is damaged or was not written by this suite"):
            load(POLICY, tmp_path, damaged)()
