"""Networks on disk: written whole or not at all, and refused in one line when they are not whole."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from hearts_agents import neural
from hearts_agents.arena import ArenaResult, run_arena
from hearts_agents.neural.forward import network_of
from hearts_agents.neural.inputs import first_input_size
from hearts_agents.neural.policy import arrays_of
from hearts_agents.neural.saved import digest_of, read_policy
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


def test_a_network_of_an_earlier_release_plays_as_before(tmp_path: Path) -> None:
    """Columns of the counts that were added after it was trained have weights of 0 wherever it learns or moves on."""
    kinds, observed, columns = len(GAME.deck.kinds), int(GAME.tables["obs_size"]), first_input_size(GAME)
    assert columns < neural.input_size(GAME)
    torch.manual_seed(3)
    net = neural.PolicyNet(columns, len(GAME.actions), (8, 8), kinds, observed)
    assert net.own is not None
    torch.nn.init.normal_(net.own)
    neural.save_policy(tmp_path, net, "black_lady")
    rows, masks = neural.network_inputs(views_of(*positions("black_lady", 20, plies=30)))
    tensors = torch.from_numpy(rows), torch.from_numpy(masks)
    wanted = net(tensors[0][:, :columns], tensors[1]).detach()
    agents = [make_agent(f"net({tmp_path}, transfer={moves})") for moves in ("false", "true")]
    for agent in agents:
        assert isinstance(agent, neural.NetAgent)
        np.testing.assert_allclose(agent.network(GAME).logits(rows, masks), wanted.numpy(), atol=1e-5)
        assert agent.digest == digest_of(arrays_of(net))
    wide, info = neural.load_policy(tmp_path)
    assert (info.inputs, wide.inputs) == (neural.input_size(GAME), neural.input_size(GAME))
    torch.testing.assert_close(wide(*tensors).detach(), wanted)


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
    np.testing.assert_allclose(network_of(weights, info.hidden, 0).logits(rows, masks), logits, atol=1e-5)
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


def test_missing_files_and_bad_arguments(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no folder"):
        make_agent(f"net:{tmp_path / 'nothing'}")
    (folder / "policy.json").unlink()
    assert make_agent(f"net:{folder}").digest, "a description for people"
    (folder / "policy.safetensors").unlink()
    with pytest.raises(ValueError, match=r"holds no policy\.safetensors; net:DIR needs the folder"):
        make_agent(f"net:{folder}")
    with pytest.raises(ValueError, match="temperature=-1"):
        make_agent(f"net({folder}, temperature=-1)")
    with pytest.raises(ValueError, match=r"the network to save in .* has 1010 inputs and 54 actions; black"):
        neural.save_policy(tmp_path / "x", small_net(), "black_lady(players=5)")
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="cannot write a policy"):
        neural.save_policy(tmp_path / "file", small_net(), "black_lady")
