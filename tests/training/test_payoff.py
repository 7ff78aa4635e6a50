"""Payoff matrices, their equilibria, alpha-rank, and the league that grows by them."""

import importlib.util
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hearts_agents.arena import run_arena
from hearts_training.cli import main
from hearts_training.evaluate.payoff import alpha_rank, elo_of, run_payoff, symmetric_equilibrium

RECIPE = Path(__file__).parents[2] / "training" / "recipes" / "psro.py"
AGENTS = ["rule", "shooter", "random"]


def test_an_equilibrium_is_found_for_every_matrix() -> None:
    rng = np.random.default_rng(1)
    for n in range(1, 9):
        drawn = [rng.normal(size=(n, n)) for _ in range(40)]
        for costs in (*drawn, np.zeros((n, n)), *(np.rint(one) for one in drawn), drawn[0] - drawn[0].T):
            mixed = symmetric_equilibrium(costs)
            assert mixed.sum() == pytest.approx(1)
            assert mixed.min() >= 0
            assert (costs @ mixed).min() == pytest.approx(mixed @ costs @ mixed, abs=1e-8)


def test_alpha_rank_is_that_of_openspiel() -> None:
    theirs: Any = pytest.importorskip("open_spiel.python.egt.alpharank")
    rng = np.random.default_rng(2)
    for n in range(2, 7):
        costs = np.rint(3 * rng.normal(size=(n, n)))
        found = theirs.compute([-costs], use_inf_alpha=True, inf_alpha_eps=0.01)[2]
        assert alpha_rank(costs) == pytest.approx(found)


def test_elo_differs_by_400_for_ten_wins_to_one() -> None:
    elo = elo_of(np.array([[0, 1e6, 1e8], [1e5, 0, 1e6], [1e6, 1e5, 0]]))
    assert elo == pytest.approx([400, 0, -400], abs=0.1)


def test_the_command_reports_the_round_robin_of_the_arena(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = ["--json", str(tmp_path / "a.json"), "--plot", str(tmp_path / "a.svg")]
    assert main(["payoff", *AGENTS, "--variant", "trio_hearts", "--deals", "40", *files]) == 0
    found, table = json.loads((tmp_path / "a.json").read_text()), run_arena(AGENTS, "trio_hearts", 40, 0, "round-robin")
    assert [[one[place] for place in range(3) if place != row] for row, one in enumerate(found["margins"])] == [
        pytest.approx([pair.margin for pair in table.pairs if pair.name == name]) for name in AGENTS
    ]
    assert found["margins_se"][0][1] == table.pairs[0].margin_se
    assert [one["digest"] for one in found["agents"]] == [one.digest for one in table.agents]
    assert all(low <= one["nash"] <= high for one in found["agents"] for low, high in [one["nash_ci"]])
    assert found["run"][0]["players"][2]["spec"] == "random"
    assert "nash: 1*rule" in capsys.readouterr().out
    assert (tmp_path / "a.svg").read_bytes().startswith(b"<?xml")


def test_a_matrix_takes_two_agents_and_two_deals() -> None:
    for agents, deals, message in ((["rule"], 10, "two agents or more, not 1"), (AGENTS, 1, "deals=1 must be")):
        with pytest.raises(ValueError, match=message):
            run_payoff(agents, "trio_hearts", deals)


def test_a_league_grows_by_responses_and_is_saved(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    spec = importlib.util.spec_from_file_location("psro", RECIPE)
    assert spec is not None
    assert spec.loader is not None
    recipe = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(recipe)
    tiny = {"deals": 8, "width": 8, "payoff_deals": 10, "arena_deals": 2, "responses": 1, "agents": ("random", "guard")}
    recipe.main(recipe.Args(variant="trio_hearts", out=str(tmp_path / "run"), **tiny))
    first, last = json.loads((tmp_path / "run" / "result.json").read_text())["rounds"]
    assert first["response"] == f"net:{tmp_path / 'run' / 'response0'}"
    names = [one["name"] for one in last["payoff"]["agents"]]
    assert names == ["random", "guard"] + [first["response"]] * (first["gain"] > 0)
