"""The frozen splits: what each line says is so, and nothing is in two of them."""

from collections import Counter
from itertools import combinations

import pytest

import hearts_env as he
from hearts_agents import make_agent
from hearts_env.benchmark.digest import rules_digest
from hearts_env.benchmark.domain import DEVELOPMENT_PAIRS, PAIRS, Membership, Trait, of_deals, split_of
from hearts_env.benchmark.splits import SPLITS, TESTS, TRAINING, SplitRule, split, withheld_in
from hearts_training.evaluate.sides import Sides
from tests.support.marks import few

LINES = [(name, place) for name in SPLITS for place in range(0, len(split(name)), 37)]
"""Some of each split; `training/lab/splits.py` makes all of them again."""


def members() -> set[Trait]:
    return {trait for pair in (*PAIRS, *DEVELOPMENT_PAIRS) for trait in pair}


@pytest.mark.parametrize(("name", "place"), few(LINES, 20))
def test_a_line_is_a_draw_of_its_kind(name: str, place: int) -> None:
    line = split(name)[place]
    rules = he.rules(line.rules)
    assert str(rules) == line.rules
    assert rules_digest(of_deals(rules)) == line.digest
    if line.seed is None:
        assert (name, rules) == ("P", of_deals(he.rules(line.why)))
        return
    drawn = he.sample_rules(line.seed)
    assert rules == (drawn if name == "matches" else of_deals(drawn))
    wanted = Membership("train") if name == "matches" or name in TRAINING else Membership(name, line.why)
    assert split_of(rules) == wanted


@pytest.mark.parametrize(("name", "place"), [line for line in LINES if line[0] != "P"])
def test_random_loses_clearly(name: str, place: int) -> None:
    measured = split(name)[place].random
    assert measured["margin"] >= 20 * measured["error"]
    assert measured["margin"] >= 0.2 * measured["sd"]
    assert measured["deals"] <= 10_000


@pytest.mark.parametrize(("name", "place"), few(LINES, 12))
def test_deals_and_reference_are_the_same(name: str, place: int) -> None:
    line = split(name)[place]
    golden = Sides.of(he.rules(line.rules)).golden(make_agent("rule"))
    assert (golden.dealt, golden.played) == (line.golden["dealt"], line.golden["rule"])


@pytest.mark.exhaustive
@pytest.mark.release
@pytest.mark.parametrize("name", [*TESTS, "V"])
def test_the_second_reference_is_the_same(name: str) -> None:
    line = split(name)[0]
    golden = Sides.of(he.rules(line.rules)).golden(make_agent("pimc(worlds=32)"), 1)
    assert golden.played == line.golden["pimc"]


def test_no_rule_is_in_two_splits() -> None:
    named = {name: {line.digest for line in split(name)} for name in SPLITS}
    assert all(len(named[name]) == len(split(name)) for name in SPLITS if name != "P")
    for one, other in combinations(SPLITS, 2):
        assert named[one].isdisjoint(named[other]), (one, other)


@pytest.mark.exhaustive
@pytest.mark.release
@pytest.mark.parametrize("name", TRAINING)
def test_a_training_set_has_both_members_of_every_pair(name: str) -> None:
    found = Counter(trait for line in split(name) for trait in members() if trait.of(he.rules(line.rules)))
    assert {trait: count for trait in members() if (count := found[trait]) < 8} == {}


@pytest.mark.parametrize(("name", "least"), [("B", 8), ("C", 8), ("D", 26), ("E", 18), ("V", 8)])
def test_everything_that_is_held_back_has_as_many_rules(name: str, least: int) -> None:
    assert set(Counter(line.why for line in split(name)).values()) == {least}


def test_tested_rules_are_known_however_they_are_spelled() -> None:
    def known(line: SplitRule) -> str | None:
        return withheld_in(he.rules(line.rules).replace(**{"end.tie": "continue"}))

    assert [known(split(name)[0]) for name in ("V", "B", "C", "D", "E")] == ["V", "B", "C", "D", "E"]
    assert known(split("train_0")[0]) is None
    assert withheld_in(he.rules("black_lady")) is None


def test_the_presets_are_the_variants_of_version_1_for_ever() -> None:
    names = [line.why for line in split("P")]
    assert len(names) == 34
    assert [name for name in he.VARIANTS if name not in names] == ["reversis", "four_jacks", "hearts_1850"]


def test_an_unknown_split_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'F' is not a split; splits are A, train_0, .*, P"):
        split("F")
    with pytest.raises(ValueError, match="C:129 is not possible; C has 128 rules"):
        split("C:129")


def test_a_part_of_a_training_set_is_its_beginning_and_of_a_test_all_that_it_holds_back() -> None:
    assert split("train_1:4") == split("train_1")[:4]
    assert split("A") == tuple(split(f"train_{chain}")[0] for chain in range(5))
    assert len({line.why for line in split("C:16")}) == 16
    assert len({line.why for line in split("C:115")}) == 16, "rules at equal distances, to the end"
    assert [split("C").index(line) for line in split("C:16")] == list(range(0, 128, 8))
