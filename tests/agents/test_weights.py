"""The networks that come with the suite: they load by name, are small and say where they come from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

import hearts_env as he
from hearts_agents import make_agent, neural
from hearts_agents.weights import FOLDER, folder_of, shipped, strongest_agent
from hearts_env.compiled.game import compile_game

MOST_BYTES = 3_000_000


@pytest.mark.parametrize("name", shipped())
def test_a_network_is_small_and_says_where_it_comes_from(name: str) -> None:
    folder = FOLDER / name
    assert sum(file.stat().st_size for file in folder.iterdir()) <= MOST_BYTES
    net, info = neural.load_policy(folder)
    assert {value.dtype for value in net.state_dict().values()} == {torch.float32}
    variant = info.rules.partition("(")[0]
    assert name.startswith(variant)
    if name == variant:  # black_lady_match is one more of the same rules
        assert strongest_agent(he.rules(info.rules)) == f"net:{name}"
    card = json.loads((folder / "policy.json").read_text())["extra"]
    assert {"made_by", "hours", "machine", "version", "results"} <= card.keys()
    assert not [word for word in json.dumps(card).split('"') if word.startswith("/")], "a path of some machine"


def test_a_network_plays_its_own_game_only() -> None:
    name = shipped()[0]
    other = he.Match(f"{name}(moon.mode=none)", seed=1)
    with pytest.raises(ValueError, match=rf"plays {name}, not {name}\(moon.mode=none\)"):
        make_agent(f"net:{name}").act(other.view(0))


def test_names_come_before_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = shipped()[0]
    game = compile_game(he.rules(name))
    torch.manual_seed(0)
    net = neural.PolicyNet(neural.input_size(game), len(game.actions), (8,))
    neural.save_policy(tmp_path / name, net, name)
    monkeypatch.chdir(tmp_path)
    assert folder_of(name) == FOLDER / name
    assert folder_of(f"./{name}") == Path(name)
    assert make_agent(f"net:{name}").digest != make_agent(f"net:./{name}").digest
    with pytest.raises(ValueError, match=f"there is no folder nothing; .* and net:NAME plays by .*{name}"):
        make_agent("net:nothing")
