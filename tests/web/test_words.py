"""What the pages say: every word comes from the server, and every number in it is what happens."""

import re
from random import Random
from typing import Any

import pytest

import hearts_env as he
from hearts_env.seat.illegal import Broken
from hearts_env.table.match import Match
from hearts_training.web.deals import deal_end, summary
from hearts_training.web.seen import seen_by
from hearts_training.web.why import _LINES, _WITH_CARDS, why_not
from hearts_training.web.words import COMPASS, Names, status
from tests.seat.test_illegal import HANDS, TO_DIAMONDS
from tests.support.games import positions
from tests.support.marks import few

QUICK_MOON = "black_lady(moon.cards=[QS], max_deals=4)"
SIGNS = "black_lady(better=magnitude, moon.cards=[QS], moon.sign=chosen, max_deals=4)"
EXACT = "black_lady(exact={13:-10,26:-20,2:10}, exact_optional=true, max_deals=6)"
RESET = "black_lady(moon.cards=[QS], moon.mode=reset_or_double, max_deals=4)"
LIVES = "danger_hearts(lives=2, life_threshold=8)"
BIG_MOON = "big_moon(moon.cards=[QS], big_moon_deals=2)"
OPTIONS = (
    QUICK_MOON, SIGNS, EXACT, RESET, "black_lady(pledge=10, max_deals=2)", "black_lady(refusable=[QS], max_deals=2)",
    "joker_hearts(jokers.lead=call, max_deals=2)", LIVES, BIG_MOON,
)  # fmt: skip


def names_for(match: Match, seat: int) -> Names:
    return Names.of(["Ann" if other == seat else None for other in range(match.game.seats)], seat)


def until(rules: str, phase: str) -> Match:
    """A match that has come to a phase."""
    return next(match for seed in range(100) for match in positions(rules, seed) if match.phase == phase)


# --- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(2, 12))
def test_every_seat_has_a_name_of_its_own(players: int) -> None:
    for own in range(players):
        names = Names.of(["Ann" if seat == own else None for seat in range(players)], own)
        assert len(set(names.seats)) == players
        assert names.seats[own] == "Ann"
        assert players not in COMPASS or names.seats[(own + 1) % players] == COMPASS[players][1]


# --- what to do -----------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", few([*he.VARIANTS, *OPTIONS], 8))
def test_a_status_says_who_acts(rules: str) -> None:
    for match in positions(rules, 1, 150):
        if match.over:
            assert "The match is over" in status(match.view(0), names_for(match, 0))
            return
        seat = match.seat or 0
        other = (seat + 1) % match.game.seats
        own, waiting = (status(match.view(place), names_for(match, place)) for place in (seat, other))
        assert "Waiting" not in own
        assert f"Waiting for {names_for(match, other).seats[seat]} to" in waiting
        assert not re.search(r"\bseat \d|[_{}\[\]]", own + waiting)


def test_a_status_says_what_to_follow() -> None:
    hands = [[rank + suit for rank in "23456789TJQKA"] for suit in "CDHS"]
    hands[1][0], hands[0][1] = "3C", "2D"
    match = Match.from_hands("black_lady", hands)
    statuses = [status(match.view(0), names_for(match, 0))]
    for card in ("2C", "3C"):
        match.play(card)
        statuses.append(status(match.view(match.seat or 0), names_for(match, match.seat or 0)))
    assert [line.partition(" · ")[2] for line in statuses] == [
        "Your turn: lead the two of clubs",
        "Your turn: follow clubs",
        "Your turn: you have no clubs, discard",
    ]


# --- why not --------------------------------------------------------------------------------------

DISCARDS = "black_lady(first_trick_scope=discard)"
FORCED = "likha(forced_discard=[KD], direction=1)"


@pytest.mark.parametrize(
    ("rules", "played", "card", "line"),
    [
        ("black_lady", [], "3C", "The first card of the deal must be the two of clubs."),
        ("black_lady(opening.card=any_of_suit)", [], "2H", "The first card of the deal must be a club."),
        ("black_lady", ["2C"], "QS", "Follow suit: clubs were led."),
        ("black_lady", ["2C", "AC"], "4H", "Hearts may not be played to the first trick."),
        (DISCARDS, ["2C", "AC"], "4H", "Hearts may not be discarded on the first trick."),
        ("black_lady", TO_DIAMONDS, "4H", "Hearts may not be led until they are broken."),
        ("black_lady(heart_lead=never)", TO_DIAMONDS, "4H", "Hearts may be led only when you have nothing else."),
        (FORCED, ["2C", "AC"], "4H", "You cannot follow suit: discard the king of diamonds."),
        (
            "black_lady(locked={2D:lead})",
            TO_DIAMONDS[:4],
            "2D",
            "The two of diamonds may not be led until hearts are broken.",
        ),
        ("black_lady", [], "moon:self", "That choice is not open now."),
        ("black_lady", [], "AS", "You do not hold that card."),
        ("black_lady(pledge=10)", [], "2C", "No card is played now: decide first, by one of the buttons."),
    ],
)
def test_why_a_card_may_not_be_played(rules: str, played: list[str], card: str, line: str) -> None:
    leader = 0 if rules.startswith("likha") else None
    match = Match.from_hands(rules, [hand.split() for hand in HANDS], played=played, leader=leader)
    assert why_not(match.view(match.seat or 0), card) == line


def test_every_rule_that_a_card_can_break_has_a_line() -> None:
    assert set(Broken) == {*_LINES, *_WITH_CARDS}


# --- decisions and their amounts ------------------------------------------------------------------


def labels(match: Match) -> dict[str, str]:
    seat = match.seat or 0
    found: dict[str, str] = seen_by(match, seat, names_for(match, seat))["labels"]
    return found


def test_the_amounts_of_a_moon_are_what_it_does() -> None:
    match = until(QUICK_MOON, "moon")
    assert labels(match) == {"moon:self": "Take 13 off my score", "moon:others": "Add 13 to everyone else"}
    seat = match.seat or 0
    own, others = (end.points for action in match.legal() if (end := deal_end(match, action)))
    assert [new - old for new, old in zip(others, own, strict=True)] == [13] * 4
    assert others[seat] - own[seat] == 13


def test_an_exact_hit_names_both_totals() -> None:
    match = until(EXACT, "exact")
    seat = match.seat or 0
    kept, changed = (match.clone() for _ in range(2))
    kept.play("exact:no")
    changed.play("exact:yes")
    page = seen_by(match, seat, names_for(match, seat))
    assert page["labels"] == {
        "exact:yes": f"Change my total from {kept.totals[seat]} to {changed.totals[seat]}".replace("-", "−"),
        "exact:no": f"Keep {kept.totals[seat]}",
    }
    assert page["settled"]
    assert page["totals"][seat] == kept.totals[seat]


# --- what a seat has taken ------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "card"), [("royal_hearts", "QC"), ("gong_zhu", "2H"), ("math_team_hearts", "5H")])
def test_a_card_that_counts_is_shown_where_it_was_taken(rules: str, card: str) -> None:
    for match in positions(rules, 1):
        takers = [seat for seat in range(match.game.seats) if card in match.view(0).taken[seat]]
        if takers:
            assert card in seen_by(match, 0)["taken"][takers[0]]
            return
    pytest.fail(f"nobody took {card}")


# --- the end of a deal ----------------------------------------------------------------------------


def value(number: Any) -> Any:
    return complex(*number) if isinstance(number, list) else number


@pytest.mark.parametrize("rules", few([*he.VARIANTS, *OPTIONS], 8))
def test_the_end_of_a_deal_is_that_of_the_match(rules: str) -> None:
    match, rng, ended = Match(rules, 5), Random(5), 0
    while not match.over and ended < 3:
        action, names = rng.choice(match.legal()), names_for(match, 0)
        before, end = len(match.deal_points), deal_end(match, action)
        match.play(action)
        assert (end is not None) == (len(match.deal_points) > before)
        if end is None:
            continue
        ended += 1
        page = summary(end, names)
        assert [value(points) for points in page["points"]] == match.deal_points[-1]
        assert [value(total) for total in page["totals"]] == match.totals
        assert (page["deal"], page["over"]) == (len(match.deal_points), match.over)
        assert page["places"] == (match.ranking if match.over else [])
        assert all(line.endswith(".") for line in page["lines"])


@pytest.mark.parametrize(
    ("rules", "line"),
    [
        (QUICK_MOON, r"(You|West|North|East) shot the moon\."),
        ("partnership_hearts(moon.cards=[QS])", r"(You and North|West and East) shot the moon\."),
        ("partnership_hearts", r"Totals of the teams: You and North \d+; West and East \d+\."),
        (RESET, r"(Your|\w+'s) total reached \d+ and becomes \d+\."),
        (EXACT, r"(Your|\w+'s) total reached (2|13|26) exactly and becomes (12|3|6)\."),
        ("black_lady(pledge=10)", r"(You|\w+)( and \w+)* (kept|broke) the pledge to take no heart\."),
        (LIVES, r"(You lose a life and have|\w+ loses a life and has) 1 life left."),
        (LIVES, r"(You lose a life and have|\w+ loses a life and has) none left\."),
        (BIG_MOON, r"(You|\w+) shot the big moon\."),
        ("black_lady(score.chips=30, moon.mode=none, target=none)", r"The pool holds \d+ chips?\."),
        ("black_lady(end.tie=continue, end.target=10)", "The best total is shared, so the match goes on."),
    ],
)
def test_what_a_deal_came_to(rules: str, line: str) -> None:
    printed: list[str] = []
    for seed in range(40):
        match, rng = Match(rules, seed), Random(seed)
        while not match.over and match.deal_number < 12:
            action = rng.choice(match.legal())
            end = deal_end(match, action)
            page = summary(end, names_for(match, 0)) if end else {"moon": [], "lines": []}
            printed += [*page["moon"], *page["lines"]]
            match.play(action)
        if any(re.fullmatch(line, one) for one in printed):
            return
    pytest.fail(f"no deal came to {line!r}: {sorted(set(printed))[:20]}")


def test_showing_cards_is_said_by_seat_and_asked_in_words() -> None:
    match, said = Match("black_lady(cycle=[hold], exposing.cards={AH:H}, exposing.lock=false)", 3), {}
    while match.phase == "expose":
        said[match.legal()[0]] = list(seen_by(match, match.seat or 0)["labels"].values())
        match.play(match.legal()[0])
    assert said == {"expose:AH": ["Show the ace of hearts", "Show nothing"], "expose:done": ["Nothing to show: go on"]}
    holder = next(seat for seat, hand in enumerate(match.hands) if "AH" in hand)
    assert f"shown: ♥A (seat {holder})" in seen_by(match, (holder + 1) % 4)["notes"]
