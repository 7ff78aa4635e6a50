"""What holds for any rules and any deal, checked on single matches of the engine."""

from __future__ import annotations

import zlib
from collections import Counter
from random import Random
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings

import hearts_env as he
from hearts_env.cards import RANKS
from hearts_env.ruleset import derived
from tests.support.games import COVERING
from tests.support.strategies import drawn_rules
from tests.support.worlds import finished, skewed_hands, snapshot, told_tricks

TEXTS = [
    *COVERING,
    "omnibus_hearts(players=5, cycle=[left|scatter|hold], exact={50:-50,100:-50}, exact_optional=true, target=60)",
    "black_lady(schedule=random, moon.mode=new_if_old_loses, no_tricks=-5, dealer_next=QS, tie=continue)",
    "rickety_kate(players=3, ranks=[J,Q,K,A], removal_order=[JC], passing.count=1, target=90,"
    "big_moon_deals=2, big_moon_effect=fixed100)",
    "black_lady(players=7, removal_order=[2D,2C,3D], sun_amount=52, sun_skip_first=true)",
]
NEUTRAL: dict[str, Any] = {
    "deck.kitty_award": "first_trick",
    "exposing.cards": {},
    "score.negations": {},
    "score.multipliers": {},
    "score.alone": {},
    "score.sweeps": {},
    "score.no_tricks": 0,
    "score.no_hearts": 0,
    "moon.mode": "none",
    "moon.cards": (),
    "moon.least": {},
    "moon.amount": None,
    "moon.sun_amount": None,
    "moon.scope": "player",
    "end.exact": {},
}
"""Without these every card counts what it is worth, once."""
few_draws = settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    # Fields drawn at random often contradict each other, and a match takes its time.
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)


def check_position(match: he.Match) -> None:
    """The table as it stands makes sense."""
    rules, legal = match.rules, match.legal()
    assert bool(legal) is not match.over
    assert len(set(legal)) == len(legal)
    cards = match.phase in {"pass", "play"}
    assert all(cards is (":" not in action) for action in legal)
    if cards:
        assert match.seat is not None
        assert set(legal) <= set(match.hands[match.seat])
    scored = match.phase in {"moon", "sign", "exact", "over"}
    passing = match.phase in {"refuse", "pass"}
    picks = [card for seat in range(rules.players) for card in match.view(seat).passed if passing]
    kitty = match.kitty if not scored or rules.deck.kitty_award == "out_of_play" else []
    seen: Counter[str] = Counter()
    for place in (*match.hands, *match.taken, match.trick, match.rolled, kitty, picks):
        seen.update(place)
    assert seen == Counter(match.game.deck.cards)
    tricks = told_tricks(match)
    assert sum(match.tricks_won) + int(match.state[0]["rolled_tricks"]) == finished(match)
    for _, played in tricks:
        turn = [(played[0][0] + rules.table.direction * place) % rules.players for place in range(len(played))]
        assert [seat for seat, _ in played] == turn
    if match.phase == "play" and plain(rules):
        values = derived.card_points(rules, match.game.deck)
        assert match.points == [sum(values[card] for card in taken) for taken in match.taken]


def plain(rules: he.Rules) -> bool:
    """Whether every card counts what it is worth, once."""
    score = rules.score
    special = score.negations, score.multipliers, score.alone, score.sweeps, rules.exposing.cards
    return not any(special) and rules.jokers.scores == "always"


def check_points(match: he.Match) -> None:
    """The points of the finished deals lie within their bounds."""
    low, high = match.game.point_bounds
    published = he.observation_layout(match.rules)["points"]
    unit = float(published.unit.split()[0])
    for points in match.deal_points:
        for part in (part for one in points for part in (complex(one).real, complex(one).imag)):
            assert low <= part <= high
            assert published.low - 1e-6 <= part / unit <= published.high + 1e-6


def play_checked(rules: he.Rules, seed: int, deals: int) -> None:
    rng, match = Random(seed), he.Match(rules, seed=seed)
    while not match.over and match.deal_number < deals:
        if match.phase != "play" or rng.random() < 0.3:
            check_position(match)
        match.play(rng.choice(match.legal()))
    check_position(match)
    check_points(match)


@pytest.mark.parametrize("text", TEXTS)
def test_positions_make_sense(text: str) -> None:
    play_checked(he.rules(text), seed=11, deals=2)


@pytest.mark.exhaustive
@few_draws
@given(drawn_rules(), st.integers(0, 2**32))
def test_positions_make_sense_whatever_the_rules(rules: he.Rules, seed: int) -> None:
    play_checked(rules, seed, deals=2)


@pytest.mark.parametrize("text", TEXTS)
def test_points_stay_within_their_bounds_however_the_cards_fall(text: str) -> None:
    """One seat wants every trick, the others want none, all cards are shown and every pledge is given."""
    rules, rng = he.rules(text), Random(text)
    for _ in range(3):
        match = he.Match.from_hands(rules, skewed_hands(he.Match(rules, seed=0).game, rng), seed=rng.randrange(2**63))
        bold = rng.randrange(rules.players)
        while not match.deal_points:
            best = max if match.seat == bold else min
            match.play(
                best(
                    match.legal(), key=lambda card: -1 if ":" in card else RANKS.index(card[:-1]) if card != "JK" else 0
                )
            )
        check_position(match)
        check_points(match)


@pytest.mark.parametrize("name", he.VARIANTS)
def test_points_without_award_add_up_to_the_pack(name: str) -> None:
    rules = he.rules(name).replace(**NEUTRAL)
    rng, match = Random(3), he.Match(rules, seed=3)
    values = derived.card_points(rules, match.game.deck)
    worth = sum(values[card] for card in match.game.deck.cards)
    while not match.over and len(match.deal_points) < 20:
        match.play(rng.choice(match.legal()))
    assert match.deal_points
    assert all(sum(points) == worth for points in match.deal_points)
    assert [sum(column) for column in zip(*match.deal_points, strict=True)] == match.totals


@pytest.mark.parametrize("players", [3, 5])
def test_chips_are_neither_made_nor_lost(players: int) -> None:
    rng, match = Random(3), he.Match(f"black_lady(players={players}, chips=12, target=none, moon.mode=none)", seed=3)
    while not match.over:
        match.play(rng.choice(match.legal()))
        assert sum(match.totals) + match.pool == 12 * players
    assert min(match.totals) <= 0


def advance(match: he.Match, rng: Random, plies: int) -> None:
    for _ in range(plies):
        if not match.over:
            match.play(rng.choice(match.legal()))


def rest_of(match: he.Match, seed: int) -> list[str]:
    """Play on at random, at most 40 plies; the actions."""
    rng = Random(seed)
    actions: list[str] = []
    while not match.over and len(actions) < 40:
        actions.append(rng.choice(match.legal()))
        match.play(actions[-1])
    return actions


@pytest.mark.parametrize("text", TEXTS)
def test_a_clone_is_independent_and_goes_on_the_same(text: str) -> None:
    match, rng = he.Match(text, seed=5), Random(5)
    for _ in range(2):
        advance(match, rng, rng.randrange(80))
        clone, before, record = match.clone(), snapshot(match), match.record()
        assert clone == match
        assert clone.record() == record
        actions = rest_of(clone, seed=8)
        assert (clone != match) is bool(actions)
        assert snapshot(match) == before
        assert match.record() == record
        again = match.clone()
        assert rest_of(again, seed=8) == actions
        assert again == clone
        assert snapshot(again) == snapshot(clone)


@pytest.mark.parametrize("text", TEXTS)
def test_a_record_replays(text: str) -> None:
    match, rng = he.Match(text, seed=6), Random(6)
    for _ in range(2):
        copy = he.Match.replay(match.record())
        assert copy == match
        assert copy.record() == match.record()
        assert snapshot(copy) == snapshot(match)
        assert rest_of(copy, seed=1) == rest_of(match.clone(), seed=1)
        advance(match, rng, rng.randrange(100))


@pytest.mark.parametrize("text", TEXTS)
def test_a_position_set_by_hand_replays(text: str) -> None:
    rules, rng = he.rules(text), Random(9)
    for passing in (False, True):
        totals = [rng.randrange(1, 20) for _ in range(rules.players)]
        dealer, hands = rng.randrange(rules.players), skewed_hands(he.Match(rules, seed=0).game, rng)
        match = he.Match.from_hands(rules, hands, totals=totals, deal_number=3, dealer=dealer, passing=passing, seed=4)
        advance(match, rng, 60)
        assert he.Match.replay(match.record()) == match


@pytest.mark.exhaustive
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
    assert snapshot(one) == snapshot(same)


def told(match: he.Match) -> str:
    """An action that depends on what the acting seat holds and sees, not on its number."""
    assert match.seat is not None
    legal = sorted(match.legal())
    seen = [match.phase, *sorted(match.hands[match.seat]), *match.trick, *sorted(match.taken[match.seat])]
    return legal[zlib.crc32(" ".join(seen).encode()) % len(legal)]


def one_deal(
    rules: he.Rules, hands: list[list[str]], *, totals: list[int], dealer: int, passing: bool
) -> tuple[list[list[Any]], list[list[str]]]:
    """Play one deal; points, totals and ranking, and the cards taken before the last trick."""
    match = he.Match.from_hands(rules, hands, totals=totals, dealer=dealer, passing=passing, deal_number=4, seed=1)
    taken = match.taken
    while not match.deal_points:
        taken = [sorted(cards) for cards in match.taken]
        match.play(told(match))
    return [match.deal_points[0], match.totals, match.ranking], taken


def turned_rules(rules: he.Rules, turn: int) -> he.Rules:
    """The rules with the teams `turn` seats on."""
    teams = [[(int(seat) + turn) % rules.players for seat in team.split("+")] for team in rules.table.teams]
    return rules.replace(**{"table.teams": ["+".join(map(str, sorted(team))) for team in teams]})


def turns(rules: he.Rules, hands: list[list[str]]) -> bool:
    """Whether nothing depends on the numbers of the seats: no two openers."""
    clubs = [card for hand in hands for card in hand if card[-1] == rules.opening.holder[-1]]
    by_holder = rules.opening.leader == "holder" and rules.opening.holder in "CDHS"
    return not (by_holder and clubs.count(min(clubs, key=lambda card: RANKS.index(card[:-1]))) > 1)


@pytest.mark.parametrize("text", TEXTS)
def test_turning_the_table_turns_the_result(text: str) -> None:
    rules, rng = he.rules(text), Random(2)
    game = he.Match(rules, seed=0).game
    turned_once = 0
    for _ in range(2):
        hands, dealer = skewed_hands(game, rng), rng.randrange(rules.players)
        if not turns(rules, hands):
            continue
        turned_once += 1
        # A drawn pass, and what comes out of the pool, depends on the shuffle, not on the seats.
        drawn = rules.passing.schedule != "cycle" or any("pool" in entry for entry in rules.passing.cycle)
        passing = rng.random() < 0.5 and not drawn
        totals = [rng.choice([24, 37, 49, 50, 80]) for _ in range(rules.players)]
        results, taken = one_deal(rules, hands, totals=totals, dealer=dealer, passing=passing)
        turn = rng.randrange(1, rules.players)
        back = [(seat - turn) % rules.players for seat in range(rules.players)]
        turned, turned_taken = one_deal(
            turned_rules(rules, turn),
            [hands[seat] for seat in back],
            totals=[totals[seat] for seat in back],
            dealer=(dealer + turn) % rules.players,
            passing=passing,
        )
        assert turned == [[result[seat] for seat in back] for result in results]
        assert turned_taken == [taken[seat] for seat in back]
    assert turned_once or rules.deck.packs == 2


def test_an_illegal_action_changes_nothing() -> None:
    match = he.Match("black_lady", seed=2)
    before, record = snapshot(match), match.record()
    actions: list[str | int] = ["moon:self", "ZZ", "", "2C 3C", -1, 10_000, match.hands[1][0]]
    for action in actions:
        with pytest.raises(ValueError, match=r"\S") as refusal:
            match.play(action)
        assert "\n" not in str(refusal.value)
        assert snapshot(match) == before
        assert match.record() == record
