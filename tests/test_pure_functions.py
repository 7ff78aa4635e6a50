"""`legal_plays`, `trick_winner` and `score_deal` against the oracle, on positions no match need have reached."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings

import hearts_env as he
from tests.deals import near_the_end
from tests.judges import deal_out
from tests.oracle_rules import oracle_deck, oracle_legal, oracle_winner, suit
from tests.oracle_score import Tally, match_over, oracle_ranking, oracle_score
from tests.strategies import drawn_rules

some_draws = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    # Fields drawn at random often contradict each other.
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)


@some_draws
@given(drawn_rules(), st.integers(0, 2**32))
def test_legal_plays(rules: he.Rules, seed: int) -> None:
    rng = Random(seed)
    for _ in range(20):
        cards = oracle_deck(rules)
        rng.shuffle(cards)
        trick, rest = cards[: rng.randrange(rules.players)], cards[rules.players :]
        liked = rng.choice("CDHS")
        hand = [card for card in rest if suit(card) == liked or rng.random() < 0.2]
        hand = hand[: len(cards) // rules.players] or cards[-1:]
        first, broken = rng.random() < 0.4, rng.random() < 0.4
        legal = he.legal_plays(rules, hand, trick, first_trick=first, broken=broken)
        assert sorted(legal) == sorted(oracle_legal(rules, hand, trick, first, broken))


@some_draws
@given(drawn_rules(), st.integers(0, 2**32))
def test_trick_winner(rules: he.Rules, seed: int) -> None:
    rng = Random(seed)
    for _ in range(20):
        cards = rng.sample(oracle_deck(rules), rng.randint(1, rules.players))
        assert he.trick_winner(rules, cards) == oracle_winner(rules, cards)


def _a_deal_taken(rules: he.Rules, rng: Random) -> tuple[list[list[str]], list[int]]:
    """Who took what and who won each trick, often nearly all by one seat."""
    cards = oracle_deck(rules)
    rng.shuffle(cards)
    taken: list[list[str]] = [[] for _ in range(rules.players)]
    winners = []
    strong, share = rng.randrange(rules.players), rng.choice([0.3, 0.9, 1.0])
    while cards:
        winner = strong if rng.random() < share else rng.randrange(rules.players)
        taken[winner] += [cards.pop() for _ in range(rules.players)]
        winners.append(winner)
    if rng.random() < 0.2:
        # Somebody else won a first trick in which there was nothing to score.
        winners[0] = (strong + 1) % rules.players
    return taken, winners


@some_draws
@given(drawn_rules(), st.integers(0, 2**32))
def test_score_deal(rules: he.Rules, seed: int) -> None:
    rng = Random(seed)
    if rules.moon.big_moon_deals == 1 or rules.end.exact_optional:
        # Streaks and answers are beyond one deal's score.
        rules = replace(
            rules, moon=replace(rules.moon, big_moon_deals=None), end=replace(rules.end, exact_optional=False)
        )
    for _ in range(10):
        taken, winners = _a_deal_taken(rules, rng)
        totals, deal_number = near_the_end(rules, rng), rng.randrange(4)
        tricks_won = [winners.count(seat) for seat in range(rules.players)]
        asked = oracle_score(rules, taken, winners, totals, deal_number=deal_number)
        for moon in asked.choices if len(asked.choices) > 1 else [None]:
            tally = oracle_score(rules, taken, winners, totals, moon, deal_number=deal_number)
            said = he.score_deal(rules, taken, tricks_won=tricks_won, totals=totals, moon=moon, deal_number=deal_number)
            _agree(rules, said, tally, deal_number)


def _agree(rules: he.Rules, said: he.DealScore, tally: Tally, deal_number: int) -> None:
    after = [total + dict(rules.end.exact).get(total, 0) for total in tally.totals]
    assert list(said.points) == tally.points
    assert list(said.totals) == after
    assert said.shooter == tally.shooter
    assert said.over is match_over(rules, after, deal_number)
    assert list(said.ranking) == oracle_ranking(after)
    last = [seat for seat, place in enumerate(said.ranking) if place == max(said.ranking)]
    assert list(said.losers) == (last if said.over else [])


ALL = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH QS"


def test_without_a_choice_the_better_outcome_is_taken() -> None:
    taken = [ALL.split(), [], [], []]
    assert he.score_deal("black_lady", taken, totals=[10, 20, 30, 40]).points == (0, 26, 26, 26)
    assert he.score_deal("black_lady", taken, totals=[90, 95, 63, 70]).points == (-26, 0, 0, 0)


def test_names_may_be_spelt_freely() -> None:
    assert set(he.legal_plays("black_lady", ["10h", "qs"], ["2c"])) == {"TH", "QS"}
    assert he.trick_winner("black_lady", ["9c", "10C", "8C"]) == 1


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: he.score_deal("black_lady", [["QS"], ["QS"], [], []]), ["QS"]),
        (lambda: he.score_deal("black_lady", [["ZZ"], [], [], []]), ["ZZ"]),
        (lambda: he.score_deal("black_lady(players=3)", [["2D"], [], []]), ["2D"]),
        (lambda: he.score_deal("black_lady", [[], [], []]), ["taken", "3"]),
        (lambda: he.score_deal("black_lady", [[], [], [], []], totals=[1]), ["totals", "1"]),
        (lambda: he.score_deal("black_lady", [[], [], [], []], tricks_won=[9, 9, 0, 0]), ["tricks_won"]),
        (lambda: he.score_deal("black_lady", [[], [], [], []], tricks_won=[-1, 9, 0, 0]), ["tricks_won"]),
        (lambda: he.score_deal("black_lady", [ALL.split(), [], [], []], moon="both"), ["both", "self", "others"]),
        (lambda: he.score_deal("black_lady(moon.mode=old)", [ALL.split(), [], [], []], moon="self"), ["self", "old"]),
        (lambda: he.score_deal("black_lady(moon.mode=new)", [ALL.split(), [], [], []], moon="others"), ["others"]),
        (
            lambda: he.score_deal(
                "black_lady(moon.mode=new_if_old_loses)", [ALL.split(), [], [], []], moon="self", totals=[1, 2, 3, 4]
            ),
            ["self"],
        ),
        (lambda: he.score_deal("black_lady", [[], [], [], []], totals=[3_000_000_000, 0, 0, 0]), ["totals"]),
        (lambda: he.score_deal("black_lady", [[], [], [], []], deal_number=2**40), ["deal_number"]),
        (lambda: he.Match.from_hands("black_lady", deal_out("black_lady", {}), totals=[2**40, 0, 0, 0]), ["totals"]),
        (lambda: he.Match.from_hands("black_lady", deal_out("black_lady", {}), deal_number=2**40), ["deal_number"]),
        (lambda: he.score_deal("black_lady", [[], [], [], []], exposed=["QS"]), ["exposed"]),
        (lambda: he.legal_plays("black_lady", ["QS", "QS"]), ["QS"]),
        (lambda: he.legal_plays("black_lady", ["QS"], ["QS"]), ["QS"]),
        (lambda: he.legal_plays("black_lady", ["1S"]), ["1S"]),
        (lambda: he.trick_winner("black_lady", ["QS", "QS"]), ["QS"]),
        (lambda: he.trick_winner("black_lady", []), ["card"]),
        (lambda: he.trick_winner("black_lady(ranks=[J,Q,K,A])", ["2C"]), ["2C"]),
        (lambda: he.Match.from_hands("black_lady", [["QS"]] * 4), ["QS"]),
        (lambda: he.Match.from_hands("black_lady", [["QS"], ["2C"], ["3C"], ["4C"]]), ["13"]),
        (lambda: he.Match("black_lady", seed=-1), ["seed", "-1"]),
    ],
)
def test_bad_calls_are_refused(call: object, words: list[str]) -> None:
    assert callable(call)
    with pytest.raises(ValueError, match=r"\S") as refusal:
        call()
    assert "\n" not in str(refusal.value)
    for word in words:
        assert word in str(refusal.value)
