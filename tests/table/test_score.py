"""`legal_plays`, `trick_winner` and `score_deal` against the oracle, on positions no match need have reached."""

from dataclasses import replace
from random import Random
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings

import hearts_env as he
from hearts_env.ruleset.enums import JokerScores
from tests.oracle.end import Sheet, first_sheet
from tests.oracle.moon import Deal
from tests.oracle.rules import oracle_deck, oracle_hand_size, team_mates
from tests.oracle.score import oracle_score
from tests.support.deals import near_the_end
from tests.support.games import DRAWN
from tests.support.judges import EngineJudge, verdict

some_draws = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


def _shown(rules: he.Rules, rng: Random) -> list[str]:
    return [card for card, _ in rules.exposing.cards if rng.random() < 0.5]


def _a_deal_taken(rules: he.Rules, rng: Random) -> tuple[list[list[str]], list[int], list[str]]:
    """Who took what, who won each trick, and the cards out of play.

    Often one seat or its team wins nearly all, and the last tricks.
    """
    cards = oracle_deck(rules)
    rng.shuffle(cards)
    taken: list[list[str]] = [[] for _ in range(rules.players)]
    winners = []
    strong, share = rng.randrange(rules.players), rng.choice([0.3, 0.9, 1.0])
    mates = team_mates(rules, strong)
    for _ in range(oracle_hand_size(rules)):
        winner = rng.choice([strong, *mates]) if rng.random() < share else rng.randrange(rules.players)
        taken[winner] += [cards.pop() for _ in range(rules.players)]
        winners.append(winner)
    if rules.deck.kitty_award != "out_of_play":
        taken[strong], cards = taken[strong] + cards, []
    if rng.random() < 0.2:
        # Somebody else won a first trick in which there was nothing to score.
        winners[0] = (strong + 1) % rules.players
    return taken, sorted(winners, key=lambda seat: (seat in mates, seat == strong)), cards


@pytest.mark.exhaustive
@some_draws
@given(DRAWN, st.integers(0, 2**32))
def test_score_deal(rules: he.Rules, seed: int) -> None:
    rng = Random(seed)
    rules = _without_memory(rules)
    for _ in range(10):
        taken, winners, out_of_play = _a_deal_taken(rules, rng)
        deal = Deal(
            taken,
            winners,
            exposed=_shown(rules, rng),
            pledges=[rules.score.pledge is not None and rng.random() < 0.5 for _ in taken],
            passer=None if rules.moon.punish is None else rng.choice([None, *range(rules.players)]),
            out_of_play=out_of_play,
        )
        totals: list[complex] = [*near_the_end(rules, rng)]
        if rules.score.better in ("magnitude", "real"):
            totals = [complex(total, rng.randrange(-40, 40)) for total in totals]
        sheet = first_sheet(rules, totals, rng.randrange(4))
        asked = oracle_score(rules, deal, sheet)
        for moon in asked.choices if len(asked.choices) > 1 else [None]:
            _agree(rules, deal, sheet, moon)


def _without_memory(rules: he.Rules) -> he.Rules:
    """Streaks, answers and the tricks in which jokers fell are beyond one deal's score."""
    return replace(
        rules,
        jokers=replace(rules.jokers, scores=JokerScores.ALWAYS),
        moon=replace(rules.moon, big_moon_deals=None),
        end=replace(rules.end, exact_optional=False),
    )


def _agree(rules: he.Rules, deal: Deal, sheet: Sheet, moon: str | None) -> None:
    seats = range(rules.players)
    result = EngineJudge().score(
        rules,
        [" ".join(cards) for cards in deal.taken],
        tricks_won=[deal.winners.count(seat) for seat in seats],
        totals=sheet.totals,
        moon=moon,
        pledges=[seat for seat in seats if deal.pledges[seat]],
        exposed=deal.exposed,
        passer=deal.passer,
        deal_number=sheet.deal_number,
        first_trick=deal.winners[0],
        last_trick=deal.winners[-1],
    )
    assert result == verdict(rules, sheet, oracle_score(rules, deal, sheet, moon))


FIVE: Any = 5
NARROW = "(extend_when=led_suit)"
JOKERS = "joker_hearts(card_values={H:1,QS:13,JK:5}, jokers.scores=heart_trick, moon.mode=none)"
PACK = "AS KS QS JS AH KH QH JH"
ALL = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH QS"


def test_pledges_may_be_seats_or_flags() -> None:
    taken = [["2H"], [], ["QS"], []]
    by_seat = he.score_deal("black_lady(pledge=10)", taken, pledges=[0, 2])
    assert by_seat == he.score_deal("black_lady(pledge=10)", taken, pledges=[True, False, True, False])
    assert by_seat.points == (11, 0, 3, 0)


def test_complex_scores_are_complex_numbers() -> None:
    result = he.score_deal("complex_hearts", [["QS", "TC"], ["2H"], [], []], totals=[1j, 0, 2 - 3j, 0])
    assert result.points == (-26, 1, 0, 0)
    assert result.totals == (-26 + 1j, 1, 2 - 3j, 0)
    assert {type(number) for number in (*result.points, *result.totals)} == {complex}


@pytest.mark.parametrize("rules", ["duel_hearts", "duel_hearts_10", "heartsette(kitty_award=out_of_play)"])
def test_a_kitty_that_is_out_of_play_takes_its_cards_from_the_moon(rules: str) -> None:
    moons = 0
    for seed in range(60):
        match, rng = he.Match(he.rules(rules).replace(target=None, max_deals=1), seed), Random(seed)
        while not match.over:
            match.play(rng.choice(match.legal()))
        result = he.score_deal(match.rules, match.taken, tricks_won=match.tricks_won)
        assert [*result.points] == match.points
        moons += result.shooter is not None
    assert moons or "heartsette" in rules


def test_a_card_named_twice_is_exposed_once() -> None:
    for exposed in (["QS"], ["QS", "QS"]):
        assert he.legal_plays("turbo_hearts", ["QS", "2S"], ["3S"], exposed=exposed) == ["2S"]


def test_a_joker_scores_by_the_trick_that_it_was_played_to() -> None:
    hands = [[rank + suit for rank in "23456789TJQKA"] + ["JK"] for suit in "CDHS"]
    for lead, points in (("2C", 0), ("2H", 16)):
        match = he.Match.from_hands(JOKERS, hands, leader="CDHS".index(lead[1]))
        for card in (lead, "JK", "JK", "JK"):
            match.play(card)
        idle = [taken.count("JK") * (lead == "2C") for taken in match.taken]
        scored = he.score_deal(JOKERS, match.taken, idle_jokers=idle).points
        assert list(scored) == match.points
        assert sum(scored) == points


def test_nines_extend_a_trick_for_all() -> None:
    assert he.legal_plays("booster_nines", ["3C", "4D"], ["8C", "2C", "5C", "9H"]) == ["3C"]
    assert he.legal_plays(f"booster_nines{NARROW}", ["3C", "4D"], ["8C", "2C", "5C", "9C"]) == ["3C"]
    assert he.trick_winner("booster_nines", ["8C", "2C", "9C", "7H", "AC"]) == 4


def test_two_exposed_cards_of_a_suit_wait_for_the_others() -> None:
    rules, exposed = "black_lady(card_values={H:1,QS:13,KS:10}, exposing.cards={QS:QS,KS:KS})", ["QS", "KS"]
    assert he.legal_plays(rules, ["QS", "KS", "3D"], exposed=exposed) == ["3D"]
    assert he.legal_plays(rules, ["QS", "KS", "3D"], ["2S"], exposed=exposed) == ["QS", "KS"]
    assert he.legal_plays(rules, ["QS", "3D"], exposed=["QS"]) == ["3D", "QS"]


def test_names_may_be_spelt_freely() -> None:
    assert he.trick_winner("joker_hearts(jokers.lead=call)", ["jk", "Suit:d", "5c", "6d"]) == 2
    assert set(he.legal_plays("black_lady", ["10h", "qs"], ["2c"])) == {"TH", "QS"}
    assert he.trick_winner("black_lady", ["9c", "10C", "8C"]) == 1


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: he.score_deal("black_lady", [["QS"], ["QS"], [], []]), ["QS"]),
        (lambda: he.score_deal("black_lady", [[], [], []]), ["taken", "3"]),
        (lambda: he.score_deal("black_lady", [[], [], [], []], totals=[1]), ["totals", "1"]),
        (lambda: he.score_deal("black_lady", [[], [], [], []], tricks_won=[9, 9, 0, 0]), ["tricks_won"]),
        (lambda: he.score_deal("black_lady", [ALL.split(), [], [], []], moon="both"), ["both", "self", "others"]),
        (lambda: he.score_deal("black_lady(moon.mode=old)", [ALL.split(), [], [], []], moon="self"), ["self", "old"]),
        (
            lambda: he.score_deal(
                "black_lady(moon.mode=new_if_old_loses)", [ALL.split(), [], [], []], moon="self", totals=[1, 2, 3, 4]
            ),
            ["self"],
        ),
        (lambda: he.score_deal("black_lady", [[], [], [], []], exposed=["QS"]), ["exposed"]),
        (lambda: he.score_deal("turbo_hearts", [[], [], [], []], exposed=["KS"]), ["KS", "exposed", "QS"]),
        (lambda: he.score_deal("black_lady(pledge=10)", [[], [], [], []], pledges=[4]), ["pledges", "4"]),
        (lambda: he.score_deal("black_lady", [[], [], [], []], passer=1), ["passer"]),
        (lambda: he.score_deal("black_lady(punish=52)", [[], [], [], []], passer=4), ["passer", "4"]),
        (lambda: he.score_deal("black_lady", [[], [], [], []], totals=[1j, 0, 0, 0]), ["totals", "1j"]),
        (lambda: he.legal_plays("turbo_hearts", ["QS"], exposed=["2C"]), ["2C", "exposed"]),
        (lambda: he.legal_plays("black_lady", ["QS"], led_before=["X"]), ["led_before", "X"]),
        (lambda: he.legal_plays("joker_hearts(jokers.lead=call)", ["QS"], ["5C", "suit:D"]), ["suit"]),
        (lambda: he.trick_winner("booster_nines", ["9C", "3C", "4C", "5C", "6C", "7C", "8C", "2C", "TC"]), ["8", "9"]),
        (lambda: he.trick_winner("black_lady", ["JK", "2C"]), ["JK"]),
        (lambda: he.trick_winner("booster_nines", ["8C", "2C", "5C", "7H", "AC"]), ["4", "5"]),
        (lambda: he.legal_plays("booster_nines", ["3C"], ["8C", "2C", "5C", "7C"]), ["4 cards already"]),
        (lambda: he.legal_plays(f"booster_nines{NARROW}", ["3C"], ["8C", "2C", "5C", "9H"]), ["4 cards already"]),
        (lambda: he.score_deal(JOKERS, [["JK"], [], [], []]), ["idle_jokers"]),
        (
            lambda: he.score_deal(JOKERS, [["JK"], [], [], []], idle_jokers=[2, 0, 0, 0]),
            ["idle_jokers", "[1, 0, 0, 0]"],
        ),
        (lambda: he.score_deal("black_lady", [[], [], [], []], idle_jokers=[0, 0, 0, 0]), ["leave idle_jokers out"]),
        (lambda: he.legal_plays("black_lady", ["QS", "QS"]), ["QS"]),
        (lambda: he.trick_winner("black_lady", []), ["card"]),
        (lambda: he.Match.from_hands("black_lady", [["QS"], ["2C"], ["3C"], ["4C"]]), ["13"]),
        (lambda: he.Match.from_hands("black_lady", FIVE), ["hands=5"]),
        (lambda: he.Match.replay(FIVE), ["5", "text"]),
        (lambda: he.score_deal("black_lady", FIVE), ["taken=5"]),
        (lambda: he.score_deal("black_lady", [["QS"], FIVE, [], []]), ["taken=5"]),
        (lambda: he.legal_plays("black_lady", FIVE), ["hand=5"]),
        (lambda: he.score_deal("black_lady(pledge=10)", [[], [], [], []], pledges=FIVE), ["pledges=5"]),
        (lambda: he.score_deal("duel_hearts", [PACK.split(), []], tricks_won=[3, 0]), ["8 cards", "6 are dealt"]),
        (lambda: he.legal_plays("black_lady", ["QS"], led_before=FIVE), ["led_before=5"]),
        (lambda: he.trick_winner("black_lady", FIVE), ["cards=5"]),
        (lambda: he.trick_winner("joker_hearts(jokers.lead=call)", ["JK", "5C", "suit:D", "6D"]), ["suit:D"]),
        (lambda: he.trick_winner("joker_hearts(jokers.lead=call)", ["JK", "suit:hearts"]), ["nobody calls"]),
        (lambda: he.trick_winner("joker_hearts(jokers.lead=call)", ["JK", "suit:"]), ["nobody calls"]),
    ],
)
def test_bad_calls_are_refused(call: object, words: list[str]) -> None:
    assert callable(call)
    with pytest.raises(ValueError, match=r"\S") as refusal:
        call()
    assert "\n" not in str(refusal.value)
    for word in words:
        assert word in str(refusal.value)
