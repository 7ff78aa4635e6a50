"""Networks on disk: written whole or not at all, and refused in one line when they are not whole."""

from __future__ import annotations

import dataclasses
import json
import os
import re
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from safetensors.torch import save as write_tensors

from hearts_agents import neural
from hearts_agents.arena import ArenaResult, run_arena
from hearts_agents.files import UNSEALED, seal
from hearts_agents.neural.forward import network_of
from hearts_agents.neural.inputs import fingerprint
from hearts_agents.neural.saved import read_policy
from hearts_agents.registry import make_agent
from hearts_env.compiled.game import compile_game
from hearts_env.variants.registry import rules
from tests.agents.test_agents import positions, views_of

GAME = compile_game(rules("black_lady"))


def small_net(seed: int = 0) -> neural.PolicyNet:
    torch.manual_seed(seed)
    return neural.PolicyNet(neural.input_size(GAME), len(GAME.actions), (8,))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    neural.save_policy(tmp_path / "run", small_net(), "black_lady", {"deals": 5})
    return tmp_path / "run"


def test_a_policy_comes_back_as_it_was_saved(folder: Path) -> None:
    net, info = neural.load_policy(folder)
    assert (info.rules, info.inputs, info.actions, info.hidden) == ("black_lady", net.inputs, net.actions, (8,))
    assert info.extra == {"deals": 5}
    for name, value in small_net().state_dict().items():
        assert torch.equal(net.state_dict()[name], value)
    assert json.loads((folder / "policy.json").read_text())["hidden"] == [8]
    assert sorted(os.listdir(folder)) == ["policy.json", "policy.safetensors"]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e30])
def test_weights_that_are_not_finite_are_not_saved(folder: Path, tmp_path: Path, value: float) -> None:
    net, before = small_net(), (folder / "policy.safetensors").read_bytes()
    with torch.no_grad():
        next(net.parameters())[0, 0] = value  # the last one is not finite in half precision
    with pytest.raises(ValueError, match="holds weights that are not finite; the training diverged"):
        neural.save_policy(folder, net, "black_lady", half=True)
    assert (folder / "policy.safetensors").read_bytes() == before
    with pytest.raises(ValueError, match="holds weights that are not finite"):
        neural.save_policy(tmp_path / "new", net, "black_lady", half=True)
    assert not (tmp_path / "new").exists()


def test_a_save_of_the_arena_knows_the_weights(folder: Path, tmp_path: Path) -> None:
    def play() -> ArenaResult:
        return run_arena([f"net:{folder}", "random"], deals=2, save=tmp_path / "arena.save")

    first = play()
    assert play().to_dict() == first.to_dict()
    kept = (tmp_path / "arena.save").read_bytes()
    neural.save_policy(folder, small_net(1), "black_lady", {"deals": 5})
    with pytest.raises(ValueError, match=r"another arena: there the digest of net:\S+ is [0-9a-f]{16}, here") as error:
        play()
    assert "\n" not in str(error.value)
    assert (tmp_path / "arena.save").read_bytes() == kept


def test_illegal_actions_never_win(folder: Path) -> None:
    views = views_of(*positions("black_lady", 50, 20))
    rows, masks = neural.network_inputs(views)
    logits = small_net()(torch.from_numpy(rows), torch.from_numpy(masks)).detach()
    assert logits.dtype == torch.float32
    assert bool((logits[torch.from_numpy(masks) == 0] == neural.ILLEGAL).all())
    greedy = make_agent(f"net:{folder}").act_batch(views)
    assert (greedy == logits.argmax(1).numpy()).all()
    weights, info = read_policy(folder)
    np.testing.assert_allclose(network_of(weights, info.inputs, info.hidden).logits(rows, masks), logits, atol=1e-5)
    cold = make_agent(f"net({folder}, temperature=0.0001)").act_batch(views)
    assert (cold == greedy).all()


def test_temperature_draws_as_often_as_the_network_says(folder: Path) -> None:
    views = views_of(*positions("black_lady", 3000, 0))
    agent = make_agent(f"net({folder}, temperature=1)")
    rows, masks = neural.network_inputs(views)
    shares = torch.softmax(small_net()(torch.from_numpy(rows), torch.from_numpy(masks)), 1).detach().numpy()
    drawn = np.bincount(agent.act_batch(views), minlength=masks.shape[1])
    expected = shares.sum(0)
    assert (np.abs(drawn - expected) < 5 * np.sqrt(expected + 1)).all()
    first = agent.act_batch(views)
    agent.reset(7)
    assert (agent.act_batch(views) != first).any()


def resealed(content: bytes, old: bytes = b"", new: bytes = b"") -> bytes:
    """A file with a part replaced and the digest made to fit: nobody's accident."""
    assert old in content
    blank = re.sub(rb'("sha256": ?")[0-9a-f]{64}', rb"\g<1>" + UNSEALED.encode(), content.replace(old, new, 1), count=1)
    return seal(blank)


def weights_of(tensors: dict[str, torch.Tensor], **changes: object) -> bytes:
    info = neural.PolicyInfo(
        "black_lady", fingerprint(GAME), neural.input_size(GAME), len(GAME.actions), (8,), {"deals": 5}
    )
    text = json.dumps({"format": "hearts-policy-2"} | dataclasses.asdict(info) | changes)
    return seal(write_tensors(tensors, {"policy": text, "sha256": UNSEALED}))


def test_damaged_and_foreign_files_are_refused(folder: Path) -> None:
    weights, description = folder / "policy.safetensors", folder / "policy.json"
    whole, text, good = weights.read_bytes(), description.read_bytes(), small_net().state_dict()
    huge = {"head.weight": torch.zeros(1)}
    cases = [
        (weights, whole[: len(whole) // 2], "digest"),
        (weights, b"", "is damaged"),
        (weights, b"PK" * 400, "is damaged"),
        (weights, b"\xff" * 400, "is damaged"),
        (weights, write_tensors({"x": torch.zeros(1)}), "was not written by this suite"),
        (weights, weights_of(good, hidden=[9]), "shapes"),
        (weights, weights_of(good, hidden=[8, 8]), "different networks"),
        (weights, weights_of(good, hidden=[10**9]), "hidden="),
        (weights, weights_of(good, hidden="8"), "hidden="),
        (weights, weights_of(good, hidden=[-8]), "hidden="),
        (weights, weights_of(good, extra=3), "extra=3 is not possible"),
        (weights, weights_of(good, format="hearts-policy-1"), "format hearts-policy-1; this release reads"),
        (weights, weights_of(huge), "shapes"),
        (weights, weights_of({name: value.double() for name, value in good.items()}), "single or half precision"),
        (weights, weights_of(_broken()), "not finite"),
        (description, text[:40], "is damaged or was not written by this suite"),
        (description, b"\xff\xfe", "is damaged"),
        (description, b"[" * 100_000, "is damaged"),
        (description, b'{"format": "other"}', "was not written by this suite"),
        (description, text.replace(b'"deals": 5', b'"deals": 6'), "its digest is not that of its content"),
        (description, text.replace(b'"sha256"', b'"sha265"'), "its digest is not that of its content"),
        (description, resealed(text, b"hearts-policy-2", b"hearts-policy-1"), "has the format hearts-policy-1"),
        (description, resealed(text, b"black_lady", b"black_ladi"), "the closest is black_lady"),
        (description, resealed(text, b'"actions": 54', b'"actions": 55'), "55 actions"),
        (description, resealed(text, b'"actions": 54', b'"actions": "54"'), "actions='54' is not possible"),
    ]
    for path, content, message in cases:
        weights.write_bytes(whole)
        description.write_bytes(text)
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r".") as error:
            make_agent(f"net:{folder}")
        assert message in str(error.value) or (message == "shapes" and "different" in str(error.value)), error.value
        assert path.name in str(error.value)
        assert "\n" not in str(error.value)
    description.write_bytes(resealed(text, b'"deals": 5', b'"deals": 6'))
    weights.write_bytes(whole)
    assert make_agent(f"net:{folder}").digest


def _broken() -> dict[str, torch.Tensor]:
    return {name: value * float("nan") for name, value in small_net().state_dict().items()}


def test_missing_files_and_bad_arguments(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no folder"):
        make_agent(f"net:{tmp_path / 'nothing'}")
    (folder / "policy.json").unlink()
    with pytest.raises(ValueError, match=r"holds no policy\.json"):
        make_agent(f"net:{folder}")
    with pytest.raises(ValueError, match="temperature=-1"):
        make_agent(f"net({folder}, temperature=-1)")
    with pytest.raises(ValueError, match=r"the network to save in .* has 1006 inputs and 54 actions; black"):
        neural.save_policy(tmp_path / "x", small_net(), "black_lady(players=5)")
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="cannot write a policy"):
        neural.save_policy(tmp_path / "file", small_net(), "black_lady")
