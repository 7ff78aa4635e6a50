"""`hearts benchmark`: scores over the rules of a split, and entries on disk."""

from __future__ import annotations

import json
import math
import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from hearts_agents import Agent, make_agent
from hearts_agents.files import UNSEALED, seal
from hearts_env.benchmark.splits import split
from hearts_env.seat.view import View, Views
from hearts_env.variants.registry import rules
from hearts_training.cli import main
from hearts_training.data import entry
from hearts_training.data.parts import encode_part, part_file
from hearts_training.evaluate import benchmark
from hearts_training.evaluate.benchmark import RuleScore, Scorer
from hearts_training.evaluate.scores import compare, draw_profiles, summarize
from hearts_training.evaluate.sides import Played, Sides
from tests.support.forged import forgeries, is_refused

V3 = "V:3"
FEW = ("--most-error", "0.2")
"""So that few deals are enough."""


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["benchmark", *FEW, *arguments, "--json", "-"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What is said, in one line, about arguments that are refused."""
    assert main(["benchmark", *FEW, *arguments]) == 2
    error = capsys.readouterr().err
    assert len(error.strip().splitlines()) == 1
    return error


@pytest.fixture(scope="module")
def entries(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Two finished entries; nobody may write to them."""
    folder = tmp_path_factory.mktemp("entries")
    for name in ("rule", "shooter"):
        command = ["benchmark", name, "--split", V3, *FEW, "--out", str(folder / name), "--json", "/dev/null"]
        assert main(command) == 0
    return {name: folder / name for name in ("rule", "shooter")}


def test_the_reference_has_one_and_random_none(capsys: pytest.CaptureFixture[str]) -> None:
    best, worst = run(capsys, "rule", "--split", V3), run(capsys, "random", "--split", V3)
    assert (best["score"], best["mean"], best["above"]) == (1.0, 1.0, 0.0)
    assert abs(worst["score"]) < 0.3
    assert all(abs(rule["score"]) < 4 * rule["error"] for rule in worst["rules"])
    assert [rule["digest"] for rule in worst["rules"]] == [line.digest for line in split(V3)]
    assert worst["choices"] < worst["decisions"] / 3


def test_no_result_replaces_a_file_of_an_entry(capsys: pytest.CaptureFixture[str], entries: dict[str, Path]) -> None:
    for file in (entries["rule"] / "entry.json", entries["rule"] / "part-000000.parquet"):
        before = file.read_bytes()
        for arguments in (["rule", "--split", V3], ["--check", str(entries["rule"])]):
            assert "belongs to an entry, a network or a run" in refused(capsys, *arguments, "--json", str(file))
        assert file.read_bytes() == before


def test_a_refused_entry_leaves_its_folder_free(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out, other = tmp_path / "out", tmp_path / "other"
    other.mkdir()
    (other / "notes.txt").write_text("mine")
    refused(capsys, "net:black_lady", "--split", "V:1", "--out", str(out))
    assert list(out.iterdir()) == []
    assert "is not empty and holds no entry.json" in refused(capsys, "rule", "--split", "V:1", "--out", str(other))
    assert [file.name for file in other.iterdir()] == ["notes.txt"]
    assert "cannot be written" in refused(capsys, "rule", "--split", "V:1", "--out", str(other / "notes.txt"))
    assert run(capsys, "rule", "--split", "V:1", "--out", str(out))["score"] == 1.0
    same = str(tmp_path / "same.png")
    assert "--json and --plot cannot both go to" in refused(capsys, "rule", "--json", same, "--plot", same)


def test_what_was_declared_stays_and_a_training_counts_once(
    capsys: pytest.CaptureFixture[str], entries: dict[str, Path], tmp_path: Path
) -> None:
    out = Path(shutil.copytree(entries["rule"], tmp_path / "out"))
    command = ["rule", "--split", V3, "--out", str(out)]
    declared = run(capsys, *command, "--open", "--method", "by hand", "--training-hours", "2")["declared"]
    assert declared == {"method": "by hand", "open": True, "met_reference": False, "training_hours": 2}
    assert run(capsys, *command)["declared"] == declared
    assert "one training" in refused(capsys, "--seeds", str(out), str(entries["rule"]))
    assert "random has the score 0" in refused(capsys, "rule", "--split", V3, "--reference", "random")


def test_the_same_command_gives_the_same_and_goes_on(
    capsys: pytest.CaptureFixture[str], entries: dict[str, Path], tmp_path: Path
) -> None:
    whole = run(capsys, "shooter", "--split", V3)
    out = Path(shutil.copytree(entries["shooter"], tmp_path / "out"))
    (out / "part-000001.parquet").unlink()
    again = run(capsys, "shooter", "--split", V3, "--out", str(out))
    assert (out / "part-000001.parquet").read_bytes() == (entries["shooter"] / "part-000001.parquet").read_bytes()
    kept = json.loads((out / "entry.json").read_text())
    times = [one.pop("run") for one in (whole, again, kept)]
    kept.pop("sha256")
    assert whole == again == kept
    assert all(run["class"] in ("1 ms", "100 ms") and run["cpu_seconds"] > 0 for runs in times for run in runs)
    assert "another command: there agent is shooter, here guard" in refused(
        capsys, "guard", "--split", V3, "--out", str(out)
    )
    scorer = Scorer("shooter", V3, "rule", most_error=0.2)
    command = {name: value for name, value in kept.items() if name in entry.command_of(scorer)}
    (new := tmp_path / "new").mkdir()
    entry.EntryFolder(new, command)._write({})
    (new / "part-000000.parquet").write_bytes((out / "part-000000.parquet").read_bytes())  # stopped before the rest
    assert len(entry.EntryFolder(new, command).played) == 1
    assert "not empty and holds no entry.json" in refused(capsys, "guard", "--out", str(out.parent))
    (out / "entry.json").write_text((out / "entry.json").read_text().replace('"deals": ', '"deals": 1'))
    assert "entry.json is broken" in refused(capsys, "shooter", "--split", V3, "--out", str(out))


def test_deals_are_played_until_the_error_is_as_small_as_asked(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    command = ("random", "--split", "V:1", "--out", str(out))
    few = run(capsys, "random", "--split", "V:1")["rules"][0]
    error = 0.9 * few["margin_se"] / few["random"]  # without that of the margin of `random`, which is frozen
    more = run(capsys, *command, "--most-error", str(error))["rules"][0]
    assert more["margin_se"] / more["random"] <= error
    assert more["deals"] > few["deals"] == 250
    assert run(capsys, "--check", str(out))["deals_again"] == 250
    assert "there most_error is 0." in refused(capsys, *command, "--most-error", "0.05")
    assert "most_error=0.0 must be above 0" in refused(capsys, *command, "--most-error", "0")


def test_any_agent_can_hold_the_other_seats(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Another reference has 1 among itself, `random` 0, and its digest stands in the entry."""
    among = ("--split", V3, "--reference", "shooter", "--out")
    own, worst = (
        run(capsys, "shooter", *among, str(tmp_path / "own")),
        run(capsys, "random", *among, str(tmp_path / "w")),
    )
    assert (own["score"], own["reference"], worst["score"]) == (1.0, "shooter", 0.0)
    assert own["reference_digest"] == make_agent("shooter").digest
    assert run(capsys, "--check", str(tmp_path / "own"))["deals_again"] > 0
    assert "another command: there reference is shooter" in refused(
        capsys, "shooter", "--split", V3, "--out", str(tmp_path / "own")
    )


def test_where_rule_is_not_clearly_ahead_of_random_there_is_a_margin_only() -> None:
    place = next(place for place, line in enumerate(split("P")) if line.why == "duel_hearts")
    scorer = Scorer("random", "P", "rule")
    found = scorer.score(scorer()(place))
    assert found.score is None
    assert 0 < found.margin_se < 2
    assert "score" in summarize([found, replace(found, score=0.5, error=0.1)])
    with pytest.raises(ValueError, match="there is no score"):
        summarize([found])


def test_a_reference_that_plays_otherwise_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(benchmark.REFERENCES, "rule", "rule(pass_spades=9)")
    with pytest.raises(ValueError, match=r"does not play .* as it did when the benchmark was made"):
        Scorer("random", "V", "rule")()(0)


def test_matches_are_scored_by_the_share_of_wins(capsys: pytest.CaptureFixture[str]) -> None:
    one_chunk = ("--split", "matches:1", "--most-error", "9")
    best, worst = run(capsys, "rule", *one_chunk), run(capsys, "random", *one_chunk)
    assert best["score"] == pytest.approx(1)
    rule = worst["rules"][0]
    assert worst["score"] == pytest.approx(1 - rule["margin"] / rule["random"])
    assert 0 <= worst["score"] < 0.5
    assert rule["deals"] == 50


@pytest.mark.exhaustive
@pytest.mark.release
def test_a_network_is_told_the_rules_nothing_or_other_rules(capsys: pytest.CaptureFixture[str]) -> None:
    right, none, wrong = (
        run(capsys, "net:hearts", "--split", V3, "--told", given) for given in ("rules", "nothing", "next")
    )
    assert right["score"] > wrong["score"]
    assert right["score"] > none["score"]
    scorer = Scorer("net:hearts", V3, "rule", "next")
    assert split(V3)[0].rules in scorer.player(2).name
    with pytest.raises(ValueError, match="told=next is not possible: V:1 has one rule"):
        Scorer("net:hearts", "V:1", "rule", "next").player(0)


def test_an_entry_is_checked(capsys: pytest.CaptureFixture[str], entries: dict[str, Path], tmp_path: Path) -> None:
    assert run(capsys, "--check", str(entries["shooter"]), "--again", "1")["deals_again"] == 250

    folder = Path(shutil.copytree(entries["shooter"], tmp_path / "one"))
    data, kept = entry.load_entry(folder)
    kept._write(data | {"score": 9.0})
    assert "does not follow from what was played: score differs" in refused(capsys, "--check", str(folder))

    margins = kept.played[0].agent.margins.copy()
    margins[0, 0] += 1
    kept.add(kept.played[0]._replace(agent=kept.played[0].agent._replace(margins=margins)), kept.run[0])
    kept.finish({})
    assert "part-000000.parquet plays otherwise" in refused(capsys, "--check", str(folder))
    assert run(capsys, "--check", str(folder), "--again", "0")["deals_again"] == 0

    assert "again=-1 must be 0 or more" in refused(capsys, "--check", str(folder), "--again", "-1")

    part = folder / "part-000002.parquet"
    part.write_bytes(part.read_bytes()[:-100] + b"x" * 100)
    assert "part-000002.parquet is broken" in refused(capsys, "--check", str(folder))
    part.unlink()
    assert "1 of 3 rules are missing" in refused(capsys, "--check", str(folder))


@pytest.mark.exhaustive
def test_forged_entries_are_refused_or_have_another_meaning(entries: dict[str, Path], tmp_path: Path) -> None:
    folder = Path(shutil.copytree(entries["shooter"], tmp_path / "one"))
    data, kept = entry.load_entry(folder)
    tables = [entry._table_of(kept.played[place], kept.command) for place in range(3)]
    for what, forged in forgeries(data, 200):
        command = {name: forged[name] for name in kept.command if name in forged}
        (folder / entry.FILE).write_bytes(seal(json.dumps({"sha256": UNSEALED, **forged}).encode()))
        for place, table in enumerate(tables):
            part_file(folder, place).write_bytes(encode_part(table, place, command))
        refused = is_refused(what, lambda: entry.check_entry(folder, 0))
        weaker = forged.get("most_error", 0) > data["most_error"]  # than what the deals show
        named = what.startswith(("('run'", "('declared'", "('agent'", "('digest'", "('told'"))
        assert refused or weaker or named, what
    shutil.copy(entries["shooter"] / entry.FILE, folder)
    for name, wrong in (("seat", 1), ("seat", -1), ("deal", 1), ("margin", 1e300), ("choices", -1)):
        field = tables[0].schema.field(name)
        column = pa.array([wrong, *tables[0][name].to_pylist()[1:]], field.type)
        forged = tables[0].set_column(tables[0].schema.get_field_index(name), field, column)
        part_file(folder, 0).write_bytes(encode_part(forged, 0, kept.command))
        with pytest.raises(ValueError, match="its rows are not those of two whole deals or more, or a number is not"):
            entry.load_entry(folder)


@pytest.mark.parametrize(
    ("name", "value"),
    [("split", []), ("told", "all"), ("run", [1]), ("declared", -1), ("agent", None), ("margins_sha256", 3)],
)
def test_a_value_of_an_entry_that_is_not_possible_is_named(
    entries: dict[str, Path], tmp_path: Path, name: str, value: Any
) -> None:
    data = entry.read_entry(entries["rule"])
    (tmp_path / entry.FILE).write_bytes(seal(json.dumps({"sha256": UNSEALED, **data, name: value}).encode()))
    with pytest.raises(ValueError, match=rf"entry\.json is broken: .*{name}.* is not possible"):
        entry.load_entry(tmp_path)


def test_two_entries_are_compared_and_several_put_together(
    capsys: pytest.CaptureFixture[str], entries: dict[str, Path], tmp_path: Path
) -> None:
    folders = [str(entries[name]) for name in ("shooter", "rule")]
    picture = tmp_path / "profiles.svg"
    found = run(capsys, "--compare", *folders, "--plot", str(picture))
    scores = [json.loads((entries[name] / "entry.json").read_text())["score"] for name in ("shooter", "rule")]
    assert found["difference"] == pytest.approx(scores[0] - scores[1], abs=0.1)
    assert "<svg" in picture.read_text()
    pooled = run(capsys, "--seeds", *folders)
    assert pooled["scores"] == scores
    assert pooled["standard_errors"]["trainings"] > 0
    assert "2" in pooled["covers"]
    assert main(["benchmark", "--compare", *folders]) == 0
    assert "over deals alone" in capsys.readouterr().out
    assert "is named twice; name each entry once" in refused(capsys, "--seeds", *folders, folders[0])


def test_entries_among_different_agents_are_not_compared(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = {"one": {"reference": "rule"}, "other": {"reference": "net:hearts", "reference_digest": "ab"}}
    monkeypatch.setattr("hearts_training.data.entry.load_entry", lambda folder: (entries[folder.name], None))
    for option in ("--compare", "--seeds"):
        assert "played among different agents" in refused(capsys, option, "one", "other")


def scores_of(values: np.ndarray[Any, Any], error: float) -> list[RuleScore]:
    return [RuleScore(str(place), "", "", value, error, 0.0, 0.1, 1.0, 1) for place, value in enumerate(values)]


def test_the_interval_covers_what_it_says() -> None:
    values = 1 + 0.2 * np.linspace(-1, 1, 64)
    exact = summarize(scores_of(np.ones(64), 0.0))
    assert (exact["score"], exact["score_ci"], exact["p20_bias"]) == (1.0, [1.0, 1.0], 0.0)
    one = summarize(scores_of(values, 0.1))
    assert 0.8 < one["standard_errors"]["deals"] / (1.1 * 0.1 / math.sqrt(64)) < 1.3
    assert one["score_ci"][1] - one["score_ci"][0] == pytest.approx(2 * 2.0 * one["standard_errors"]["rules"], rel=0.01)
    assert one["p20"] == pytest.approx(0.88, abs=0.01)
    assert one["p20_bias"] < -0.005
    assert one["above"] == 0.5
    several = summarize(*(scores_of(values + shift, 0.1) for shift in (-0.1, 0.0, 0.1)))
    assert several["standard_errors"]["trainings"] == pytest.approx(0.1 / math.sqrt(3), rel=0.1)
    assert several["score_ci"][1] - several["score_ci"][0] > 2 * 4.3 * 0.09 / math.sqrt(3)
    assert "trainings" in several["covers"]
    single = summarize(scores_of(np.ones(1), 0.1))
    assert single["score_ci"][1] == pytest.approx(1 + 1.96 * 0.1, rel=0.1)
    with pytest.raises(ValueError, match="not of the same rules"):
        summarize(scores_of(values, 0.1), scores_of(values[:9], 0.1))


def test_a_comparison_is_paired_deal_by_deal() -> None:
    random = np.random.default_rng(1)
    luck = [random.standard_normal((100, 4)) for _ in range(20)]
    scores = scores_of(np.zeros(20), 0.1)
    zeros = np.zeros((100, 4), np.int64)
    first, second = (
        [(score, Played(shift + deals, zeros, zeros)) for score, deals in zip(scores, luck, strict=True)]
        for shift in (0.0, 0.3)
    )
    found = compare(first, second)
    assert found["difference"] == pytest.approx(0.3)
    assert found["mean"] == pytest.approx(0.3)
    assert max(rule["error"] for rule in found["rules"]) < 1e-9  # the luck of the deals is common to both
    assert found["difference_ci"] == pytest.approx([0.3, 0.3])
    assert found["above"] == 1
    of_one = compare(first[:1], second[:1])  # over deals alone
    assert of_one["difference_ci"] == pytest.approx([0.3, 0.3])
    assert of_one["mean_ci"] == pytest.approx([0.3, 0.3])


@pytest.mark.parametrize("name", ["agent", "reference"])
def test_a_program_that_only_an_entry_names_is_not_started(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    mark = tmp_path / "mark"
    data = {"agent": "rule", "reference": "rule", "margins_sha256": "00000000", name: f"exec:touch {mark}"}
    kept = SimpleNamespace(command={}, played={0: None})
    monkeypatch.setattr(entry, "load_entry", lambda folder: (data, kept))
    monkeypatch.setattr(entry, "results_of", lambda *_: {})
    assert f"exec:touch {mark} is a program" in refused(capsys, "--check", str(tmp_path))
    assert not mark.exists()


def test_an_agent_that_follows_a_table_gets_its_tables_one_after_another() -> None:
    random, asked, ended = make_agent("random"), list[int](), list[int]()

    class Follower(Agent):
        stateful = True

        def reset(self, seed: int) -> None:
            random.reset(seed)

        def act_batch(self, views: Views) -> np.ndarray[Any, Any]:
            asked.append(int(views.records["seed"][0]))
            return random.act_batch(views)

        def on_deal_end(self, view: View) -> None:
            ended.append(len(asked))

    sides = Sides.of(rules("black_lady"), chunk=3)
    margins = sides.margins(Follower(), make_agent("rule"), 0)
    assert (margins == sides.margins(make_agent("random"), make_agent("rule"), 0)).all()
    parts = np.split(np.array(asked), ended)
    assert [len({*part}) for part in parts] == [1] * 12 + [0]


def test_profiles_are_drawn() -> None:
    assert draw_profiles({"one": [scores_of(np.linspace(0, 1, 9), 0.1)]})[1:4] == b"PNG"
