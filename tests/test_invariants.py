"""What holds for any rules and any deal, checked on single matches of the engine."""

from __future__ import annotations

import zlib
from collections import Counter
from random import Random

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings

import hearts_env as he
from tests.deals import SHAPES
from tests.lockstep import seen_by
from tests.oracle_rules import moon_worth, oracle_deck, value
from tests.strategies import drawn_rules

TEXTS = [
    *(f"{name}(players={players})" for name, variant in he.VARIANTS.items() for players in variant.players),
    "omnibus_hearts(players=5, cycle=[left|scatter|hold], exact={50:-50,100:-50}, exact_optional=true, target=60)",
    "black_lady(schedule=random, moon.mode=new_if_old_loses, no_tricks=-5, dealer_next=QS, tie=continue)",
    "rickety_kate(players=3, ranks=[J,Q,K,A], removal_order=[JC], passing.count=1, target=90,"
    "big_moon_deals=2, big_moon_effect=fixed100)",
    "black_lady(players=7, removal_order=[2D,2C,3D], sun_amount=52, sun_skip_first=true)",
]
few_draws = settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    # Fields drawn at random often contradict each other, and a match takes its time.
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)


def check_position(match: he.Match, picks: int) -> None:
    """The table as it stands makes sense, `picks` cards being on their way to another seat."""
    legal = match.legal()
    assert bool(legal) is not match.over
    assert len(set(legal)) == len(legal)
    if match.phase in {"pass", "play"}:
        assert match.seat is not None
        assert set(legal) <= set(match.hands[match.seat])
    pack = Counter(oracle_deck(match.rules))
    seen = Counter(match.trick)
    for cards in (*match.hands, *match.taken):
        seen.update(cards)
    assert not seen - pack
    assert (pack - seen).total() == picks
    assert sum(match.tricks_won) * match.rules.players == sum(map(len, match.taken))


def points_bounds(rules: he.Rules) -> tuple[int, int]:
    """The least and the most a seat can score in a deal."""
    values = [value(rules, card) for card in oracle_deck(rules)]
    award = max(moon_worth(rules), rules.moon.amount or 0, rules.moon.sun_amount or 0)
    award = 0 if rules.moon.mode == "none" else award
    low = sum(v for v in values if v < 0) - award + min(rules.score.no_tricks, 0)
    return low, sum(v for v in values if v > 0) + award + max(rules.score.no_tricks, 0)


def play_checked(rules: he.Rules, seed: int, deals: int) -> None:
    rng, match, picks = Random(seed), he.Match(rules, seed=seed), 0
    low, high = points_bounds(rules)
    while not match.over and match.deal_number < deals:
        check_position(match, picks)
        if match.phase == "play":
            assert match.points == [sum(value(rules, card) for card in cards) for cards in match.taken]
        passing = match.phase == "pass"
        match.play(rng.choice(match.legal()))
        picks = picks + 1 if passing and match.phase == "pass" else 0
    check_position(match, picks)
    published = he.observation_layout(rules)["points"]
    unit = float(published.unit.split()[0])
    for points in match.deal_points:
        assert all(low <= one <= high for one in points)
        assert all(published.low - 1e-6 <= one / unit <= published.high + 1e-6 for one in points)


@pytest.mark.parametrize("text", TEXTS)
def test_positions_make_sense(text: str) -> None:
    play_checked(he.rules(text), seed=11, deals=5)


@few_draws
@given(drawn_rules(), st.integers(0, 2**32))
def test_positions_make_sense_whatever_the_rules(rules: he.Rules, seed: int) -> None:
    play_checked(rules, seed, deals=3)


@pytest.mark.parametrize("name", he.VARIANTS)
def test_points_without_award_add_up_to_the_pack(name: str) -> None:
    rules = he.rules(name).replace(**{"moon.mode": "none"})
    worth = sum(value(rules, card) for card in oracle_deck(rules))
    rng, match = Random(3), he.Match(rules, seed=3)
    while not match.over:
        match.play(rng.choice(match.legal()))
    assert match.deal_points
    assert all(sum(points) == worth for points in match.deal_points)
    assert [sum(column) for column in zip(*match.deal_points, strict=True)] == match.totals


def advance(match: he.Match, rng: Random, plies: int) -> None:
    for _ in range(plies):
        if not match.over:
            match.play(rng.choice(match.legal()))


def rest_of(match: he.Match, seed: int) -> list[str]:
    """Play on at random, at most 200 plies; the actions."""
    rng = Random(seed)
    actions: list[str] = []
    while not match.over and len(actions) < 200:
        actions.append(rng.choice(match.legal()))
        match.play(actions[-1])
    return actions


@pytest.mark.parametrize("text", TEXTS)
def test_a_clone_is_independent_and_goes_on_the_same(text: str) -> None:
    match, rng = he.Match(text, seed=5), Random(5)
    for _ in range(4):
        advance(match, rng, rng.randrange(60))
        clone, before, record = match.clone(), seen_by(match), match.record()
        assert clone == match
        assert clone.record() == record
        actions = rest_of(clone, seed=8)
        assert (clone != match) is bool(actions)
        assert seen_by(match) == before
        assert match.record() == record
        again = match.clone()
        assert rest_of(again, seed=8) == actions
        assert again == clone
        assert seen_by(again) == seen_by(clone)


@pytest.mark.parametrize("text", TEXTS)
def test_a_record_replays(text: str) -> None:
    match, rng = he.Match(text, seed=6), Random(6)
    for _ in range(5):
        copy = he.Match.replay(match.record())
        assert copy == match
        assert copy.record() == match.record()
        assert seen_by(copy) == seen_by(match)
        assert rest_of(copy, seed=1) == rest_of(match.clone(), seed=1)
        advance(match, rng, rng.randrange(80))


@pytest.mark.parametrize("text", TEXTS)
def test_a_position_set_by_hand_replays(text: str) -> None:
    rules, rng = he.rules(text), Random(9)
    for shape in SHAPES[:4]:
        totals = [rng.randrange(-5, 20) for _ in range(rules.players)]
        dealer, passing = rng.randrange(rules.players), rng.random() < 0.5
        match = he.Match.from_hands(
            rules, shape(rules, rng), totals=totals, deal_number=3, dealer=dealer, passing=passing, seed=4
        )
        advance(match, rng, 30)
        assert he.Match.replay(match.record()) == match


@few_draws
@given(drawn_rules(), st.integers(0, 2**32), st.integers(0, 150))
def test_records_replay_whatever_the_rules(rules: he.Rules, seed: int, plies: int) -> None:
    match = he.Match(rules, seed=seed)
    advance(match, Random(seed), plies)
    assert he.Match.replay(match.record()) == match


@pytest.mark.parametrize("text", TEXTS)
def test_the_seed_fixes_the_match(text: str) -> None:
    one, same, other = (he.Match(text, seed=seed) for seed in (7, 7, 8))
    assert one == same != other
    assert one.hands != other.hands
    assert rest_of(one, 3) == rest_of(same, 3)
    assert seen_by(one) == seen_by(same)


def told(match: he.Match) -> str:
    """An action that depends on what the acting seat holds and sees, not on its number."""
    assert match.seat is not None
    legal = sorted(match.legal())
    seen = [match.phase, *sorted(match.hands[match.seat]), *match.trick, *sorted(match.taken[match.seat])]
    return legal[zlib.crc32(" ".join(seen).encode()) % len(legal)]


def one_deal(
    rules: he.Rules, hands: list[list[str]], *, totals: list[int], dealer: int, passing: bool
) -> tuple[list[list[int]], list[list[str]]]:
    """Play one deal; points, totals and ranking, and the cards taken before the last trick."""
    match = he.Match.from_hands(rules, hands, totals=totals, dealer=dealer, passing=passing, deal_number=4, seed=1)
    taken = match.taken
    while not match.deal_points:
        taken = [sorted(cards) for cards in match.taken]
        match.play(told(match))
    return [match.deal_points[0], match.totals, match.ranking], taken


@pytest.mark.parametrize("text", TEXTS)
def test_turning_the_table_turns_the_result(text: str) -> None:
    rules, rng = he.rules(text), Random(2)
    for shape in SHAPES:
        hands, dealer = shape(rules, rng), rng.randrange(rules.players)
        # A drawn pass depends on the shuffle, not on the seats.
        passing = rng.random() < 0.5 and rules.passing.schedule == "cycle"
        totals = [rng.choice([24, 37, 49, 50, 80]) for _ in range(rules.players)]
        results, taken = one_deal(rules, hands, totals=totals, dealer=dealer, passing=passing)
        turn = rng.randrange(1, rules.players)
        back = [(seat - turn) % rules.players for seat in range(rules.players)]
        turned, turned_taken = one_deal(
            rules,
            [hands[seat] for seat in back],
            totals=[totals[seat] for seat in back],
            dealer=(dealer + turn) % rules.players,
            passing=passing,
        )
        assert turned == [[result[seat] for seat in back] for result in results]
        assert turned_taken == [taken[seat] for seat in back]


def test_an_illegal_action_changes_nothing() -> None:
    match = he.Match("black_lady", seed=2)
    before, record = seen_by(match), match.record()
    actions: list[str | int] = ["moon:self", "ZZ", "", "2C 3C", -1, 10_000, match.hands[1][0]]
    for action in actions:
        with pytest.raises(ValueError, match=r"\S") as refusal:
            match.play(action)
        assert "\n" not in str(refusal.value)
        assert seen_by(match) == before
        assert match.record() == record
