"""`hearts partners`: cross-play of partners."""

from __future__ import annotations

import json

import pytest

from hearts_agents.registry import make_agent
from hearts_env.variants.registry import rules
from hearts_training.cli import main
from hearts_training.evaluate.partners import cross_play
from hearts_training.evaluate.sides import Sides


def test_an_agent_with_itself_has_the_margin_of_the_benchmark() -> None:
    found = cross_play(["shooter", "rule"], deals=250)
    sides = Sides.of(rules("partnership_hearts"))
    alone = sides.margins(make_agent("shooter"), make_agent("rule"), 0)
    assert found["margins"][0][0] == pytest.approx(alone.mean())
    assert found["margins"][1][1] == pytest.approx(0)
    assert found["loss"] == pytest.approx(found["cross_play"] - found["self_play"])


def test_the_matrix_is_printed_and_written(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["partners", "rule", "random", "--variant", "likha", "--deals", "1", "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["deals"] == 250
    (best, _), (_, worst) = found["margins"]
    assert best < found["cross_play"] < worst
    assert main(["partners", "rule", "random", "--deals", "1"]) == 0
    assert "with another partner" in " ".join(capsys.readouterr().out.split())
