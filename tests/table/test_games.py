"""Games of others: what is read agrees with the rules card by card, and is written again as it was."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

import hearts_env as he


def played(match: he.Match, deals: int, seed: int = 0) -> he.Match:
    rng = random.Random(seed)
    while not match.over and len(match.deal_points) < deals:
        match.play(rng.choice(match.legal()))
    return match


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.jsonl"


def lines_of(file: Path, *matches: he.Match) -> list[dict[str, Any]]:
    he.write_games(file, matches)
    return [json.loads(line) for line in file.read_text().splitlines()]


def read(file: Path, *lines: dict[str, Any]) -> list[he.Match]:
    file.write_text("\n\n".join(map(json.dumps, lines)))
    return list(he.read_games(file))


@pytest.mark.parametrize("variant", [*he.VARIANTS, "black_lady(players=3, deck.remainder=kitty)"])
def test_what_is_written_is_read_and_written_again(variant: str, file: Path) -> None:
    match = played(he.Match(variant, seed=2), 2)
    match.players = tuple(f"player {seat}" for seat in range(match.game.seats))
    text = "\n".join(map(json.dumps, lines_of(file, match, played(he.Match(variant, seed=3), 1))))
    found = list(he.read_games(file))
    assert [json.dumps(line) for line in lines_of(file, *found)] == text.splitlines()
    assert found[0].deal_points == match.deal_points
    assert found[0].totals == match.totals
    assert all(he.Match.replay(one.record()) == one for one in found)


def test_a_match_whose_deals_are_set_goes_back_and_forth(file: Path) -> None:
    he.write_games(file, [played(he.Match("omnibus_hearts", seed=4), 3)])
    [match] = he.read_games(file)
    headers = [line for line in match.record().splitlines() if line.startswith("deal ")]
    assert [", set before the pass" in line for line in headers] == [True, True, True, False]
    count = sum(len(deal.actions) for deal in match.log)
    early = match.after(count // 3 - 5)
    for action in [action for deal in match.log for _, action in deal.actions][count // 3 - 5 :]:
        early.play(action)  # the deals that come are those of the log
    assert early == match.clone() == match
    lines = match.record().splitlines()
    place = lines.index(headers[1])
    lines[place + 5] = lines[place + 5][:-3]
    with pytest.raises(ValueError, match=rf"^line {place + 1}: the hand of seat 3 has 12 cards; in omnibus_hearts it"):
        he.Match.replay("\n".join(lines))


def test_a_deal_under_way_is_not_set() -> None:
    match = he.Match("black_lady(cycle=[hold])", seed=1)
    hands, before = match.hands, match.clone()
    match.set_deal(hands)
    assert (match, match.record()) == (before, before.record())
    match.play("2C")
    with pytest.raises(ValueError, match="deal 1 is under way"):
        match.set_deal(hands)


def test_the_direction_may_stand_for_the_number(file: Path) -> None:
    for variant in ("black_lady", "openspiel"):  # where the pass is drawn, a seed is found that draws it
        for direction in ("left", "right", "across", "hold"):
            rules = f"{variant}(cycle=[{direction}])"
            [line] = lines_of(file, played(he.Match(rules, seed=5), 1))
            del line["deal_number"]
            [match] = read(file, line | {"rules": variant})
            assert match.log[0].direction == direction
    with pytest.raises(ValueError, match="line 1: direction=up, but deal_number 3 passes hold"):
        read(file, line | {"rules": "black_lady", "direction": "up"})


def test_a_log_may_begin_in_the_middle_of_a_match(file: Path) -> None:
    lines = lines_of(file, played(he.Match("black_lady", seed=6), 4))
    [match] = read(file, *lines[2:])
    assert match.log[0].totals == lines[1]["totals"]
    assert match.totals == lines[3]["totals"]


def test_a_leader_named_in_a_hold_leads(file: Path) -> None:
    hands = [[rank + suit for rank in "23456789TJQKA"] for suit in "CDHS"]
    match = he.Match.from_hands(
        "black_lady(opening.leader=left_of_dealer, opening.card=any)", hands, deal_number=3, leader=2
    )
    [line] = lines_of(file, played(match, 1))
    [found] = read(file, line)
    assert found.log[0].actions == match.log[0].actions
    with pytest.raises(ValueError, match=r"^line 1: (.H), number 1 of the plays: seat 1 does not hold \1"):
        read(file, line | {"leader": 1})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"rules": None}, "rules is missing"),
        ({"deal_number": None, "direction": None}, "deal_number or direction is missing"),
        ({"rules": "black_ladi"}, "black_ladi"),
        ({"card": "QS"}, "there is no key 'card'; the keys are rules match"),
        ({"plays": "2C"}, 'plays=2C is not possible; ["2C"] would be'),
        ({"plays": [3]}, "plays="),
        ({"deal_number": True}, "deal_number=True is not possible; 0 would be"),
        ({"hands": [["2C"]]}, "there are 1 hands; black_lady needs 4"),
        ({"passes": [[]]}, "passes has 1 entries; black_lady needs 4, one per seat"),
        ({"passes": []}, "the passes of seat 0 break off after 0, and seat 0 is to act (phase pass)"),
        ({"plays": ["QS"]}, "QS, number 1 of the plays: "),
        ({"plays": []}, "the plays break off after 0"),
        ({"decisions": ["moon:others"]}, "moon:others, number 1 of the decisions, is one too many"),
        ({"leader": 0}, "2C is led by seat 3, not 0"),
        ({"direction": "right"}, "direction=right, but deal_number 0 passes left"),
        ({"points": [0, 0, 0, 26]}, "points are 0 0 0 26, but the cards give"),
        ({"totals": [0, 0, 0, 26]}, "totals are 0 0 0 26, but the cards give"),
        ({"dealer": 7}, "dealer=7 is not a seat"),
        ({"players": ["Ann"]}, "players has 1 entries"),
    ],
)
def test_a_wrong_line_is_named(change: dict[str, Any], words: str, file: Path) -> None:
    [line] = lines_of(file, played(he.Match("black_lady", seed=7), 1))
    with pytest.raises(ValueError, match=r"^line 3: [^\n]+$") as error:
        read(file, line, line | change)
    assert words in str(error.value)


@pytest.mark.parametrize("text", [b"[1]", b"\xff", b"[" * 9999, b"{"])
def test_what_is_no_object_is_refused(text: bytes, file: Path) -> None:
    file.write_bytes(text)
    with pytest.raises(ValueError, match=r"^line 1: [^\n]+ is no JSON object$"):
        list(he.read_games(file))


def test_the_deals_of_a_match_follow_one_another(file: Path) -> None:
    lines = lines_of(file, played(he.Match("black_lady", seed=8), 3))
    for change in ({"rules": "omnibus_hearts"}, {"players": list("ABCD")}):
        with pytest.raises(ValueError, match=f"line 3: {min(change)} of this match were "):
            read(file, lines[0], lines[1] | change)
    with pytest.raises(ValueError, match="line 3: the match is over, or its next deal has deal_number 1"):
        read(file, lines[0], lines[2])


def test_a_file_that_cannot_be_written_whole_stays_as_it_was(file: Path) -> None:
    file.write_text("before")
    whole, begun = played(he.Match("black_lady", seed=9), 1), he.Match("black_lady", seed=9)
    begun.play(begun.legal()[0])
    later = he.Match.from_hands("black_lady", he.Match("black_lady", seed=1).hands, totals=[1, 2, 3, 4], passing=True)
    pool = played(he.Match("black_lady(cycle=[pool*3])", seed=9), 1)
    for match, words in ((begun, "is not over"), (played(later, 1), "which no deal explains"), (pool, "shuffles")):
        with pytest.raises(ValueError, match=words):
            he.write_games(file, [whole, match])
    assert file.read_text() == "before"
    assert list(file.parent.iterdir()) == [file]
