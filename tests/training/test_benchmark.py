"""`hearts benchmark`: scores over the rules of a split."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hearts_env.benchmark import splits
from hearts_training.cli import main
from hearts_training.evaluate import benchmark
from hearts_training.evaluate.benchmark import RuleScore, Scorer, summarize

PRESETS = splits.split("P")


@pytest.fixture(autouse=True)
def three_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """A split of three rules, and few deals."""
    kept = splits.split("V")[:3]
    monkeypatch.setattr(benchmark, "split", lambda name: kept)
    monkeypatch.setattr(splits, "split", lambda name: kept)
    monkeypatch.setattr(benchmark, "ERROR", 0.2)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["benchmark", *arguments, "--json", "-"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_the_reference_has_one_and_random_none(capsys: pytest.CaptureFixture[str]) -> None:
    best, worst = run(capsys, "rule"), run(capsys, "random")
    assert (best["score"], best["mean"], best["above"]) == (1.0, 1.0, 0.0)
    assert abs(worst["score"]) < 0.3
    assert all(abs(rule["score"]) < 4 * rule["error"] for rule in worst["rules"])
    assert [rule["digest"] for rule in worst["rules"]] == [line.digest for line in splits.split("V")]


def test_the_same_command_gives_the_same_and_goes_on(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    whole = run(capsys, "shooter")
    kept = tmp_path / "kept.json"
    run(capsys, "shooter", "--save", str(kept))
    data = json.loads(kept.read_text())
    assert len(data["rules"]) == 3
    again = run(capsys, "shooter", "--save", str(kept))
    for found in (whole, again):
        found.pop("run")
    assert again == whole
    assert main(["benchmark", "guard", "--save", str(kept)]) == 2
    assert "is of another command: there agent is shooter, here guard" in capsys.readouterr().err
    kept.write_text(kept.read_text().replace('"deals": ', '"deals": 1'))
    assert main(["benchmark", "shooter", "--save", str(kept)]) == 2
    assert "is a broken save" in capsys.readouterr().err


def test_where_rule_is_not_clearly_ahead_of_random_there_is_a_margin_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmark, "split", lambda name: [line for line in PRESETS if line.why == "duel_hearts"])
    _, found = Scorer("random", "P", "rule")()(0)
    assert found.score is None
    assert 0 < found.margin_se < 2
    assert "score" in summarize([found, replace(found, score=0.5, error=0.1)])


def test_a_reference_that_plays_otherwise_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(benchmark.REFERENCES, "rule", "rule(pass_spades=9)")
    with pytest.raises(ValueError, match=r"does not play .* as it did when the benchmark was made"):
        Scorer("random", "V", "rule")()(0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("rule", "--split", "A"), "--split A is not possible; it is one of P, V, B, C, D, E and train_0"),
        (("rule", "--split", "train_0", "--reference", "pimc"), "--reference pimc is not for train_0"),
        (("rul",), "no agent 'rul'; the closest is rule"),
        (("rule", "--json", "/no/such/file"), "/no/such is not a folder"),
    ],
)
def test_bad_arguments_are_one_line(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["benchmark", *arguments]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert len(said.strip().splitlines()) == 1


def test_the_interval_covers_rules_and_deals() -> None:
    def scores(error: float, spread: float) -> list[RuleScore]:
        values = 1 + spread * np.linspace(-1, 1, 64)
        return [RuleScore(str(place), "", "", value, error, 0.0, 0.1, 1.0, 1) for place, value in enumerate(values)]

    exact = summarize(scores(0.0, 0.0))
    assert (exact["score"], exact["score_ci"]) == (1.0, [1.0, 1.0])
    noisy, varied = (summarize(scores(*parts)) for parts in ((0.1, 0.0), (0.0, 0.2)))
    low, high = noisy["score_ci"]
    assert 0.5 < (high - low) / (2 * 1.96 * 0.1 / math.sqrt(64)) < 2
    assert varied["score_ci"][1] - varied["score_ci"][0] > 0.03
    assert varied["p20"] == pytest.approx(0.88, abs=0.01)
    assert varied["above"] == 0.5
