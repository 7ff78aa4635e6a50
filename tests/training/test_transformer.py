"""The recipe's transformer, a network of one's own, in every command that seats agents."""

import io
import json
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")

import hearts_env as he
from hearts_agents import make_agent
from hearts_agents.address import load
from hearts_training.cli import main
from hearts_training.evaluate import sides
from tests.support.web import receive, running

RECIPE = Path(__file__).parents[2] / "training" / "recipes" / "transformer.py"


@pytest.mark.exhaustive
@pytest.mark.release
@pytest.mark.usefixtures("one_thread")
def test_it_is_trained_saved_and_seated_by_all_six_commands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    train, args = (load(f"{RECIPE}:{name}")[0] for name in ("train", "Args"))
    spec = train(args(steps=2000, games=100, width=8, layers=1, out="runs/mine"))
    assert spec == "py:runs/mine"

    monkeypatch.setattr(sides, "CHUNK", 10)
    for command in (
        ("arena", spec, "random", "--deals", "1"),
        ("evaluate", spec, "--only", "passing", "--deals", "2"),
        ("exploit", spec, "--minutes", "0", "--deals", "2", "--choose-deals", "2", "--candidates", "random"),
        ("benchmark", spec, "--split", "P:1", "--most-error", "2"),
    ):
        assert main([*command, "--json", "-"]) == 0
        assert make_agent(spec).digest in capsys.readouterr().out, command
    hand = he.Match("black_lady", seed=3).hands[0]
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(hand[:3])))
    assert main(["play", "--agents", spec, "--seed", "3"]) == 0
    assert "and received" in capsys.readouterr().out
    with running(tmp_path / "tables.sqlite3", programs=True) as site:
        table = site.open("black_lady", ["person", spec, spec, spec], seed=3)
        with site.sit(table["links"][0]) as socket:
            socket.send(json.dumps({"do": "hint", "agent": spec}))
            assert {one["action"] for one in receive(socket, "hint")["values"]} == set(hand)
            socket.send(json.dumps({"do": "act", "actions": hand[:3], "at": 0}))
            while receive(socket, "table")["phase"] == "pass":
                pass
