"""Data sets of searched decisions: the same whoever writes them, and read back as what the seats saw."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from hearts_agents.neural import network_inputs
from hearts_agents.registry import make_agent
from hearts_agents.search import PimcAgent
from hearts_env import Match
from hearts_env.seat.view import Views
from hearts_training.data.label import label
from hearts_training.data.labelled import LabelledDecisions
from hearts_training.data.parts import PART
from hearts_training.evaluate.analysis import decisions
from hearts_training.evaluate.probabilities import rate_decisions
from hearts_training.options import LabelOptions
from hearts_training.web.questions import Question, answer

GAME = "black_lady(ranks=[J,Q,K,A], passing.count=1)"
PLAYERS = ("pimc(worlds=1)", "rule", "random")
SMALL = LabelOptions(agent="pimc(worlds=1)", variant=GAME, players=PLAYERS, explore=0.1, seed=3)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data set of two parts."""
    out = tmp_path_factory.mktemp("labels") / "set"
    assert label(SMALL, out, PART + 1) == 2 * PART
    return out


def replay(row: dict[str, Any], game: str = GAME) -> Match:
    """The match at a labelled decision, by public means."""
    hands = [hand.split() for hand in row["hands"].split("|")]
    match = Match.from_hands(game, hands, deal_number=row["deal_number"], dealer=row["dealer"], passing=True)
    for action in row["actions"][: row["step"]]:
        match.play(action)
    return match


def test_a_decision_is_what_the_match_shows(folder: Path) -> None:
    rows = pq.read_table(folder / "part-000001.parquet").slice(300, 100).to_pylist()
    read = LabelledDecisions(folder).read(1)
    for place, row in enumerate(rows, start=300):
        match = replay(row)
        view = match.view(row["seat"])
        assert match.seat == row["seat"]
        assert view.legal_ids() == row["legal"]
        inputs, masks = network_inputs(Views.of(view))
        assert np.array_equal(read.inputs[place].numpy(), inputs[0])
        assert np.array_equal(read.masks[place].numpy(), masks[0] != 0)


def test_choices_and_values_are_those_of_the_search(folder: Path) -> None:
    row = pq.read_table(folder / "part-000000.parquet").slice(0, 1).to_pylist()[0]
    view = replay(row).view(row["seat"])
    values = dict(zip(row["legal"], row["values"], strict=True))
    assert row["choice"] in values
    search = PimcAgent(worlds=64)
    found = search.action_values(Views.of(view))
    assert found.actions[0] == search.act_batch(Views.of(view))[0]
    assert set(np.flatnonzero(found.worlds[0])) == set(values)
    assert np.isnan(found.values[0][found.worlds[0] == 0]).all()


def test_only_decisions_of_chosen_phases_and_kinds_are_labelled(tmp_path: Path) -> None:
    options = dataclasses.replace(SMALL, variant="black_lady", players=("rule", "random"), only=("pass", "high_spade"))
    label(options, tmp_path / "only", 1)
    rows = pq.read_table(tmp_path / "only" / "part-000000.parquet").to_pylist()
    views = [replay(row, "black_lady").view(row["seat"]) for row in rows[:200]]
    spades = [view for view in views if view.as_dict()["phase"] == "play"]
    assert {view.as_dict()["phase"] for view in views} == {"pass", "play"}
    assert all({"KS", "AS"} & {*view.as_dict()["legal"]} for view in spades)
    assert len(spades) < 30
    label(dataclasses.replace(options, others=0.02), tmp_path / "more", 1)
    assert len(rows) < pq.read_table(tmp_path / "more" / "part-000000.parquet").num_rows < 2 * len(rows)
    for wrong, line in (("pas", "there is no phase or kind of position 'pas'; known: direction"), ("", "there is no")):
        with pytest.raises(ValueError, match=line):
            label(dataclasses.replace(options, only=(wrong,)), tmp_path / "none", 1)
    with pytest.raises(ValueError, match="has no kinds of positions"):
        label(LabelOptions(variant="complex_hearts", only=("high_spade",)), tmp_path / "none", 1)


def test_another_command_and_other_folders_are_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="holds labels of another command"):
        label(LabelOptions(seed=4), folder, 1)
    (tmp_path / "note").touch()
    with pytest.raises(ValueError, match=r"is not empty and holds no labels.json"):
        label(SMALL, tmp_path, 1)
    with pytest.raises(ValueError, match=r"holds no labels.json; name a folder"):
        LabelledDecisions(tmp_path)
    with pytest.raises(ValueError, match="rule does not value actions; label with pimc"):
        label(LabelOptions(agent="rule"), tmp_path / "new", 1)
    with pytest.raises(ValueError, match="deals=0 must be from 1"):
        label(SMALL, tmp_path / "new", 0)
    assert not (tmp_path / "new").exists()


BOT = """
import numpy as np

class Values:
    def action_values(self, views):
        return np.tile(-np.arange(54.0), (len(views), 1))

    def act_batch(self, views):
        return self.action_values(views).argmin(1)

class Short(Values):
    def action_values(self, views):
        return np.zeros((len(views), 3))

    def probabilities(self, view):
        return dict.fromkeys(view.legal(), 0.5)
"""


def test_an_agent_of_ones_own_values_actions_everywhere(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    spec, short = (f"py:{tmp_path / 'bot.py'}:{name}" for name in ("Values", "Short"))
    assert label(LabelOptions(agent=spec, players=("rule",)), tmp_path / "set", 1) == PART
    row = pq.read_table(tmp_path / "set" / "part-000000.parquet").slice(0, 1).to_pylist()[0]
    assert row["values"] == [-action for action in row["legal"]]
    assert (row["choice"], set(row["errors"]), set(row["worlds"])) == (row["legal"][-1], {0}, {1})
    match = Match("black_lady(cycle=[hold], max_deals=1)", seed=7)
    while not match.over:
        match.play(match.legal()[0])
    found = list(decisions(match, make_agent(spec), seat=0))
    assert all(one.action != one.best and one.cost > 0 for one in found)
    view = Match("black_lady", seed=1).view(0)
    explained = answer(Question.about(view, "explain", spec))
    assert [one["action"] for one in explained] == view.legal()[::-1]
    assert {one["error"] for one in explained} == {0}
    rated = rate_decisions(match, make_agent(short), 1, 0)  # type: ignore[arg-type]
    assert {share for one in rated for share in one.probabilities.values()} == {0.5}
    with pytest.raises(ValueError, match=r"action_values returned no finite number for each of \(1, 54\) actions"):
        answer(Question.about(view, "explain", short))
