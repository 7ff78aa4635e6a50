"""Rules as text: what is read, what is written, and what is refused with which words."""

from dataclasses import FrozenInstanceError

import pytest

import hearts_env as he

NEW_KINDS = [
    ("complex_hearts(card_values={H:1i,QS:-13-2i,JD:4+i})", "score.card_values", ("QS", -13 - 2j)),
    ("complex_hearts(card_values={H:-i,QS:13j})", "score.card_values", ("H", -1j)),
    ("complex_hearts(moon.amount=13+13i)", "moon.amount", 13 + 13j),
    ("complex_hearts(multipliers={TC:-2i,TD:2i@H})", "score.multipliers", ("TD", "2i@H")),
    ("black_lady(multipliers={TC:2,QH:3@H,9D:-1@9D})", "score.multipliers", ("QH", "3@H")),
    ("black_lady(multipliers={tc: 2 @ h})", "score.multipliers", ("TC", "2@H")),
    ("black_lady(multipliers={TC:2}, alone={TC:50})", "score.alone", ("TC", 50)),
    ("black_lady(negations={QC:QS,KC:H})", "score.negations", ("KC", "H")),
    ("black_lady(sweeps={h + qs:QS,H:H})", "score.sweeps", ("H+QS", "QS")),
    ("black_lady(exposing.cards={ah:h,QS:QS}, exposing.factor=3)", "exposing.cards", ("AH", "H")),
    ("black_lady(teams=[3+1,2+0])", "table.teams", "1+3"),
    ("black_lady(players=6, teams=[5+1+3,0+2+4], team_scoring=individual)", "table.teams", "0+2+4"),
    ("incredu_hearts(moon.least={H:14,QS:2})", "moon.least", ("H", 14)),
    ("incredu_hearts(trick.exceptions={QS:first,A:last})", "trick.exceptions", ("A", "last")),
    ("black_lady(added=[0c,0D,jk,JK], removed=[2c,2d,3c,3d])", "deck.added", "0C"),
    ("black_lady(added=[JK,JK,JK,JK])", "deck.added", "JK"),
    ("black_lady(ranks=[10,J,12,Q,K,11,A])", "deck.ranks", "12"),
    ("black_lady(extend_rank=10)", "trick.extend_rank", "T"),
    ("black_lady(cycle=[POOL*2, pool | left*2&right, hold])", "passing.cycle", "pool|left*2&right"),
    ("black_lady(exact={100:-100,-100:100})", "end.exact", (-100, 100)),
    ("black_lady(opening.taker=qs)", "opening.taker", "QS"),
    ("heartsette(kitty_award=one_per_trick, hand_size=11)", "deck.hand_size", 11),
    ("black_lady(forced_discard=[td,QS])", "play.forced_discard", "TD"),
    ("black_lady(locked={qs:lead})", "play.locked", ("QS", "lead")),
]


@pytest.mark.parametrize(("text", "path", "value"), NEW_KINDS)
def test_every_kind_of_value_reads_back_equal(text: str, path: str, value: object) -> None:
    rules = he.rules(text)
    parsed = rules.flat()[path]
    assert parsed == value or value in parsed
    again = he.rules(str(rules))
    assert (again, again.flat(), str(again)) == (rules, rules.flat(), str(rules))
    assert he.rules(rules.variant.name).replace(**rules.changes(), players=rules.players) == rules


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("black_ladi", ["black_ladi", "black_lady"]),
        ("omnibuss", ["omnibuss", "omnibus"]),
        ("black_lady(playrs=5)", ["playrs", "table.players"]),
        ("black_lady(moon.mod=old)", ["moon.mod", "moon.mode"]),
        ("black_lady(moon.mode=olde)", ["moon.mode", "olde", "old", "new", "choice"]),
        ("black_lady(heart_lead=always)", ["heart_lead", "always", "broken", "free"]),
        ("black_lady(target=many)", ["end.target", "many", "whole number"]),
        ("black_lady(no_tricks=1.5)", ["score.no_tricks", "1.5"]),
        ("black_lady(requires_sun=perhaps)", ["requires_sun", "perhaps", "true or false"]),
        ("black_lady(card_values=[H])", ["card_values", "map"]),
        ("black_lady(card_values={1X:5})", ["1X", "card"]),
        ("black_lady(unpassable=[ZZ])", ["ZZ"]),
        ("black_lady(players=5", ["black_lady(players=5"]),
        ("black_lady(players)", ["players", "field=value"]),
        ("black_lady(players=5, players=6)", ["players", "twice"]),
        ("black_lady(cycle=[left)", ["cycle"]),
        ("", ["''"]),
        ("complex_hearts(card_values={H:1+})", ["score.card_values", "13i"]),
        ("complex_hearts(card_values={H:1.5i})", ["score.card_values", "1.5i"]),
        ("complex_hearts(card_values={H:})", ["score.card_values"]),
        ("black_lady(moon.amount=many)", ["moon.amount", "many"]),
        ("black_lady(exact={100:1i})", ["end.exact", "100:-50"]),
        ("black_lady(teams=[0-2,1-3])", ["table.teams", "[0+2,1+3]"]),
        ("black_lady(multipliers={TC:2@})", ["names no cards"]),
        ("black_lady(multipliers={TC:2@ZZ})", ["ZZ"]),
        ("black_lady(multipliers={C:2})", ["C"]),
        ("black_lady(sweeps={H+:QS})", ["names no cards"]),
        ("black_lady(cycle=[pool*0])", ["pool*0"]),
        ("black_lady(cycle=[pool&left])", ["pool"]),
        ("black_lady(trick.exceptions={QS:latest})", ["trick.exceptions", "QS:last"]),
        ("black_lady(kitty_award=winner)", ["kitty_award", "winner", "first_trick", "out_of_play"]),
        ("black_lady(extend_rank=99)", ["99"]),
        ("black_lady(chips=few)", ["score.chips", "few"]),
    ],
)
def test_misspelt_rules_are_refused(text: str, words: list[str]) -> None:
    with pytest.raises(ValueError, match=r"\S") as refusal:
        he.rules(text)
    message = str(refusal.value)
    assert "\n" not in message
    for word in words:
        assert word in message, f"{message!r} does not name {word!r}"


def test_rules_are_frozen_and_hashable() -> None:
    rules = he.rules("black_lady")
    with pytest.raises(FrozenInstanceError):
        rules.end.target = 50  # type: ignore[misc]
    assert {rules: 1}[he.rules("hearts")] == 1


def test_replace_keeps_the_other_changes() -> None:
    rules = he.rules("omnibus_hearts(no_tricks=-5)").replace(players=5).replace(target=50)
    assert (rules.players, rules.score.no_tricks, rules.end.target) == (5, -5, 50)
    assert ("JD", -10) in rules.score.card_values


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("passing.counts", "the closest is passing.count"),
        ("passing.cards", "passing has count, cycle, schedule, unpassable, refusable, to_partner"),
        ("heart_leed", "the closest is play.heart_lead"),
    ],
)
def test_an_unknown_field_is_answered_from_its_own_group(path: str, found: str) -> None:
    with pytest.raises(he.RulesError, match=f"^there is no rule field '{path}'; {found}$"):
        he.rules(f"black_lady({path}=3)")
