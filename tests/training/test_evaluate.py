"""Measurements: the learning curve of a run, and the passes and the moon suite of `hearts evaluate`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import hearts_env as he
from hearts_agents import make_agent
from hearts_agents.arena import run_arena
from hearts_env.compiled.game import compile_game
from hearts_training.cli import main
from hearts_training.evaluate.benchmark import quick_score
from hearts_training.evaluate.moon_suite import FILE, draw_suite, run_suite, suite
from hearts_training.evaluate.passing import pick_all, study_passes
from hearts_training.evaluate.quick import evaluate
from hearts_training.evaluate.sides import Sides

RULES = he.rules("black_lady")
GAME = compile_game(RULES)
Output = pytest.CaptureFixture[str]


# --- the learning curve ---------------------------------------------------------------------------------------------


def test_an_agent_is_level_with_itself() -> None:
    assert evaluate(RULES, make_agent("rule"), "rule", 1600).margin.value == pytest.approx(0, abs=1e-9)
    assert evaluate(RULES, make_agent("random"), "rule", 1600).margin.value > 5


def test_a_team_is_measured_as_in_the_arena() -> None:
    rules = he.rules("partnership_hearts")
    found = evaluate(rules, make_agent("random"), "rule", 500)
    margins = Sides.of(rules).margins(make_agent("random"), make_agent("rule"), 0).mean(axis=1)
    assert (found.margin.value, found.margin.error) == pytest.approx((margins.mean(), margins.std(ddof=1) / 250**0.5))


def test_a_moon_of_a_team_counts_once() -> None:
    arena = run_arena(["shooter(eagerness=0.99)", "random"], "partnership_hearts", deals=250, seed=1).agents[0]
    found = evaluate(he.rules("partnership_hearts"), make_agent("shooter(eagerness=0.99)"), "random", 500)
    assert found.shot == pytest.approx(arena.moons_shot, abs=0.1)
    assert found.attempted == pytest.approx(arena.moons_attempted, abs=0.1)


def test_moons_that_are_attempted_and_shot() -> None:
    agents = map(make_agent, ("shooter(eagerness=0.99)", "guard"))
    eager, careful = (evaluate(RULES, agent, "random", 1024) for agent in agents)
    assert 0 < (eager.shot or 0) < (eager.attempted or 0) < 1
    assert (careful.attempted or 0) < (eager.attempted or 0)


# --- passes and the moon suite --------------------------------------------------------------------------------------


def test_the_kept_suite_is_what_the_criterion_draws() -> None:
    kept = json.loads(FILE.read_text())["black_lady"]
    assert len(kept) == 200
    assert kept[:20] == draw_suite(RULES, 20)


def test_both_sides_of_the_suite_are_measured() -> None:
    deals = suite(RULES)[:40]
    assert run_suite("shooter", RULES, deals).shot == 1
    rule, guard = run_suite("rule", RULES, deals), run_suite("guard", RULES, deals)
    assert rule.conceded == 1
    assert guard.conceded < 1
    assert guard.shot < rule.shot <= rule.attempted


def test_passes_are_counted_from_the_hands_dealt() -> None:
    dealt, picks = pick_all(GAME, make_agent("rule"), 8, 1)
    assert len(dealt) == len(picks) == 6 * 4  # nothing is passed in every fourth deal
    assert set(dealt.sum(axis=1)) == {13}
    assert set(picks.sum(axis=1)) == {3}
    assert (picks <= dealt).all()
    found = study_passes("rule", RULES, 8, 1, 1, lambda *_: None)
    assert (found.held.sum(), found.passed.sum()) == (24 * 13, 24 * 3)
    assert (found.held_by_length.sum(), found.passed_by_length.sum()) == (24 * 13, 24 * 3)
    assert found.voids == ((dealt > 0) & (dealt == picks)).sum() / 24 > 0
    assert (found.gains[0].passes, found.gains[0].margin) == ("rule", 0.0)


def test_the_command_writes_tables_numbers_and_a_picture(tmp_path: Path, capsys: Output) -> None:
    files = [str(tmp_path / name) for name in ("numbers.json", "passes.svg")]
    assert main(["evaluate", "rule", "guard", "--deals", "4", "--json", files[0], "--plot", files[1]]) == 0
    out = capsys.readouterr().out
    assert "Passing in black_lady" in out
    assert "The moon suite of black_lady" in out
    data = json.loads(Path(files[0]).read_text())
    assert [one["agent"] for one in data["moons"]] == ["rule", "guard"]
    assert len(data["passing"][0]["passed"]) == 52
    assert Path(files[1]).read_text().startswith("<?xml")


def test_what_cannot_be_measured_is_refused(capsys: Output) -> None:
    assert main(["evaluate", "rule", "--variant", "gong_zhu"]) == 2
    assert "gong_zhu has no pass and no moon suite" in capsys.readouterr().err
    program = "exec:python3 tests/engines/bots/lowest.py"
    assert main(["evaluate", program, "--only", "passing", "--deals", "2"]) == 2
    assert "follows one table at a time; its passes cannot be studied" in capsys.readouterr().err


def test_the_score_over_unseen_rules() -> None:
    assert quick_score(make_agent("rule"), "V", 2) == (1.0, 0.0)
    score, error = quick_score(make_agent("random"), "V", 2)
    assert abs(score) < 4 * error < 0.5
