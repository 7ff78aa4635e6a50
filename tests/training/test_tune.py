"""Tuning: the same search whenever it is stopped, better weights where there are some, and clear refusals."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from hearts_agents import make_agent
from hearts_agents.rule import RuleAgent, Weights
from hearts_training.options import TuneOptions
from hearts_training.tune import SCORES, run_tuning

SMALL = TuneOptions(generations=3, population=4, deals=6, check_deals=10, names=("shoot", "pass_dear"), seed=4)


@pytest.mark.exhaustive
def test_a_search_that_was_stopped_ends_where_it_would_have(tmp_path: Path) -> None:
    whole = run_tuning(SMALL, tmp_path / "whole")

    def stop(share: float, score: float) -> None:
        if share > 0.3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_tuning(SMALL, tmp_path / "parts", stop)
    assert len(json.loads((tmp_path / "parts" / SCORES).read_text())["scores"]) == 1
    shares: list[float] = []
    parts = run_tuning(SMALL, tmp_path / "parts", lambda share, score: shares.append(share))
    assert parts["weights"] == whole["weights"]
    assert shares == pytest.approx([1 / 3, 2 / 3, 1])
    assert json.loads((tmp_path / "parts" / "result.json").read_text())["weights"] == whole["weights"]


def test_the_spec_that_is_told_makes_the_agent_that_was_found(tmp_path: Path) -> None:
    result = run_tuning(SMALL, tmp_path)
    agent = make_agent(result["spec"])
    assert isinstance(agent, RuleAgent)
    assert dataclasses.asdict(agent.weights) == pytest.approx(result["weights"])
    changed = {name for name, value in result["weights"].items() if value != getattr(Weights(), name)}
    assert changed <= {"shoot", "pass_dear"}
    assert [table["deals"] for table in result["check"]] == [10, 10]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"generations": 0}, "generations=0 must be at least 1"),
        ({"population": 3}, "population=3 must be at least 4"),
        ({"names": ("shoots",)}, "there is no weight 'shoots'; the closest is shoot "),
        ({"names": ("shoot", "lead", "shoot")}, "names has shoot twice"),
        ({"seed": -1}, "seed=-1 must be at least 0"),
    ],
)
def test_bad_options_are_named(change: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        dataclasses.replace(SMALL, **change)  # type: ignore[arg-type]  # the point is to give the wrong ones


def test_a_folder_of_another_search_is_refused(tmp_path: Path) -> None:
    run_tuning(dataclasses.replace(SMALL, generations=1), tmp_path)
    with pytest.raises(ValueError, match="holds a search with deals=6, not 7"):
        run_tuning(dataclasses.replace(SMALL, deals=7), tmp_path)
    (tmp_path / SCORES).write_text("{}")
    with pytest.raises(ValueError, match="is not the record of a search"):
        run_tuning(SMALL, tmp_path)
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "result.json").write_text("a training")
    with pytest.raises(ValueError, match="run is not empty; name another out folder"):
        run_tuning(SMALL, tmp_path / "run")
    assert (tmp_path / "run" / "result.json").read_text() == "a training"
