"""The networks that come with the suite: they load by name, are small and say where they come from."""

import json
from pathlib import Path

import pytest
import torch

import hearts_env as he
from hearts_agents import make_agent, neural
from hearts_agents.arena import run_arena
from hearts_agents.arena.report import to_markdown
from hearts_agents.weights import FOLDER, folder_of, shipped, strongest_agent
from hearts_env.compiled.game import compile_game
from tests.agents.test_agents import positions, views_of

MOST_BYTES = 3_000_000
ENTRIES = Path(__file__).parents[2] / "docs" / "benchmark"


@pytest.mark.parametrize("name", shipped())
def test_a_network_is_small_and_says_where_it_comes_from(name: str) -> None:
    folder = FOLDER / name
    assert sum(file.stat().st_size for file in folder.iterdir()) <= MOST_BYTES
    info = neural.NetAgent(name).info
    if isinstance(info, neural.PolicyInfo):
        assert name == info.rules.partition("(")[0]
        assert strongest_agent(he.rules(info.rules)) == f"net:{name}"
    (file,) = folder.glob("*.json")
    card = json.loads(file.read_text())["extra"]
    assert {"made_by", "hours", "machine", "version", "results"} <= card.keys()
    assert not [word for word in json.dumps(card).split('"') if word.startswith("/")], "a path of some machine"


def test_the_network_of_the_published_tables_is_this_one() -> None:
    """Names and columns that a release adds, which the network does not know, do not change its digest."""
    entry = json.loads((ENTRIES / "C-hearts.json").read_text(encoding="utf-8"))
    assert entry["digest"] == make_agent("net:hearts").digest


@pytest.mark.parametrize("text", ["black_lady(players=6)", "trio_hearts", "cancellation_hearts(players=11)"])
def test_one_network_plays_every_other_game(text: str) -> None:
    assert strongest_agent(he.rules(text)) == "net:hearts"
    assert run_arena(["net:hearts", "random"], text, deals=20, seed=1).agents[0].margin < 0


def test_the_strongest_agent_plays_the_game() -> None:
    """The deals of Danger Hearts are those of Basic Hearts, but its observation has the lives, too."""
    for text in ("danger_hearts", "danger_hearts(end.lives=2)"):
        spec = strongest_agent(he.rules(text))
        assert spec == "net(black_lady, transfer=true)"
        make_agent(spec).act_batch(views_of(*positions(text, 1, plies=3)))
    assert strongest_agent(he.rules("danger_hearts(players=3)")) == "net:hearts"


def test_a_network_plays_where_its_inputs_and_actions_fit() -> None:
    for text in ("black_lady(end.target=50)", "spot_hearts"):
        result = run_arena(["net:black_lady", "random"], text, deals=20)
        assert result.agents[0].margin < -5
        assert result.agents[0].trained_on == "black_lady"
        assert "net:black_lady was trained on black_lady" in to_markdown(result)
    assert run_arena(["net:black_lady", "random"], deals=1).agents[0].trained_on is None
    for text in ("likha", "black_lady(players=5)", "gong_zhu"):
        with pytest.raises(ValueError, match=r"net:black_lady was trained on black_lady; .* has another observation"):
            make_agent("net:black_lady").act_batch(views_of(*positions(text, 1, plies=3)))


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
