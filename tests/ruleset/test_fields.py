"""No field of `Rules` is dead: for each there are two games that differ in it alone and play or score differently."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

import hearts_env as he
from hearts_env.cards import RANKS
from hearts_env.ruleset.derived import build_deck, hand_size, penalty_cards
from hearts_env.ruleset.model import field_types
from tests.support.deals import near_the_end
from tests.support.lockstep import seen_by


@dataclass(frozen=True)
class Pair:
    """A game, a change of one field, and what shows the difference first."""

    game: str
    change: Any
    shows: str


DOUBLE = "players=6, packs=2, ranks=[Q,K,A], passing.count=1, leader=left_of_dealer, opening.card=any"
"""Twenty-four cards, four in a hand: identical cards meet often."""

SHORT = "ranks=[J,Q,K,A], passing.count=1"
"""Sixteen cards, four in a hand: moons are frequent."""

PAIRS: dict[str, Pair] = {
    "table.players": Pair("black_lady", 5, "hands"),
    "table.dealer_next": Pair("black_maria", "QS", "dealer"),
    "deck.ranks": Pair("black_lady", ["7", "8", "9", "T", "J", "Q", "K", "A"], "hands"),
    "deck.removal_order": Pair("black_lady(players=3)", ["2C"], "hands"),
    "opening.leader": Pair("black_lady(opening.card=any)", "left_of_dealer", "seat"),
    "opening.holder": Pair("black_lady", "2D", "seat"),
    "opening.card": Pair("black_lady", "any_of_suit", "legal"),
    "passing.count": Pair("black_lady", 2, "seat"),
    "passing.cycle": Pair("black_lady", ["left", "hold"], "phase"),
    "passing.schedule": Pair("black_lady", "random", "phase"),
    "passing.unpassable": Pair("black_lady", ["QS"], "legal"),
    "passing.refusable": Pair("black_lady", ["QS"], "phase"),
    "play.first_trick_forbidden": Pair("black_lady", [], "legal"),
    "play.heart_lead": Pair("black_lady", "free", "legal"),
    "play.break_by": Pair("black_lady", "hearts_or_qs", "legal"),
    "play.break_event": Pair("black_lady(break_by=hearts_or_qs)", "discarded", "legal"),
    "play.lead_exception": Pair(f"black_lady({SHORT})", "hearts_plus_penalty", "legal"),
    "score.card_values": Pair("black_lady", {"H": 1, "QS": 12}, "points"),
    "score.bonus_floor_hand": Pair("omnibus_hearts", True, "totals"),
    "score.bonus_floor_total": Pair("omnibus_hearts", True, "totals"),
    "score.tricks": Pair("black_lady", {"each": 1}, "totals"),
    "score.sets": Pair("black_lady", {"AS+KS": 5}, "totals"),
    "score.no_tricks": Pair("black_lady", -5, "totals"),
    "score.no_tricks_on_moon": Pair("black_lady(no_tricks=-5, moon.mode=old)", True, "totals"),
    "moon.mode": Pair("black_lady(moon.mode=old)", "new", "totals"),
    "moon.policy": Pair("black_lady", "auto_best", "phase"),
    "moon.cards": Pair("black_lady(moon.mode=old, moon.amount=26)", ["H"], "totals"),
    "moon.amount": Pair("black_lady(moon.mode=old)", 13, "totals"),
    "moon.new_moon_min": Pair("black_lady", 50, "phase"),
    "moon.new_moon_who": Pair(f"black_lady({SHORT}, new_moon_min=50)", "any", "phase"),
    "moon.requires_sun": Pair("black_lady(moon.mode=old)", True, "totals"),
    "moon.sun_skip_first": Pair("black_lady(moon.mode=old, requires_sun=true)", True, "totals"),
    "moon.sun_amount": Pair("black_lady(moon.mode=old)", 52, "totals"),
    "moon.big_moon_deals": Pair("rickety_kate(big_moon_effect=fixed100)", 1, "totals"),
    "moon.big_moon_effect": Pair("rickety_kate(big_moon_deals=1, target=none, max_deals=40)", "fixed100", "totals"),
    "end.target": Pair("black_lady", 50, "over"),
    "end.target_cmp": Pair(f"rickety_kate({SHORT})", "gt", "over"),
    "end.max_deals": Pair("black_lady", 3, "over"),
    "end.tie": Pair(f"rickety_kate({SHORT})", "continue", "over"),
    "end.exact": Pair("black_lady", {50: -50, 100: -50}, "totals"),
    "end.exact_optional": Pair("black_lady(exact={50:-50,100:-50})", True, "phase"),
    "table.direction": Pair("black_maria", -1, "seat"),
    "table.teams": Pair("black_lady", ["0+2", "1+3"], "ranking"),
    "table.team_scoring": Pair("partnership_hearts", "individual", "ranking"),
    "deck.packs": Pair("black_maria", 2, "hands"),
    "deck.added": Pair("black_lady", ["JK"] * 4, "hands"),
    "deck.removed": Pair("heartsette(players=5)", ["2S"], "hands"),
    "deck.hand_size": Pair("heartsette", 11, "hands"),
    "deck.kitty_award": Pair("heartsette", "out_of_play", "totals"),
    "opening.taker": Pair("black_maria", "QS", "seat"),
    "play.first_trick_scope": Pair("hooligan_hearts(first_trick_forbidden=[H,QS,7C])", "discard", "legal"),
    "play.forced_discard": Pair("black_lady", ["QS"], "legal"),
    "trick.duplicates": Pair(f"black_lady({DOUBLE})", "first", "leader"),
    "trick.exceptions": Pair(f"black_lady({DOUBLE})", {"A": "first"}, "leader"),
    "trick.dead_trick": Pair(f"black_lady({DOUBLE}, duplicates=cancel)", "two_pairs", "taken"),
    "trick.dead_last_trick": Pair(f"rickety_kate({DOUBLE}, duplicates=cancel)", "second_of_top_pair", "totals"),
    "trick.extend_rank": Pair("black_lady", "9", "trick"),
    "trick.extend_when": Pair("booster_nines", "led_suit", "trick"),
    "jokers.play": Pair("joker_hearts", "void_only", "legal"),
    "jokers.lead": Pair("joker_hearts", "next_card", "legal"),
    "jokers.scores": Pair("joker_hearts(card_values={H:1,QS:13,JK:5})", "heart_trick", "points"),
    "exposing.cards": Pair("rickety_kate", {"QS": "QS"}, "phase"),
    "exposing.factor": Pair("rickety_kate(exposing.cards={QS:QS,AH:H})", 3, "points"),
    "exposing.lock": Pair("rickety_kate(exposing.cards={QS:QS,AH:H})", False, "legal"),
    "score.better": Pair("rickety_kate(max_deals=9)", "high", "ranking"),
    "score.negations": Pair("black_lady", {"QC": "QS"}, "points"),
    "score.multipliers": Pair("black_lady", {"TC": "2"}, "points"),
    "score.alone": Pair("black_lady(multipliers={TC:2})", {"TC": 50}, "points"),
    "score.sweeps": Pair("black_lady", {"2H+3H": "H"}, "points"),
    "score.no_hearts": Pair("black_lady", 1, "totals"),
    "score.no_hearts_on_moon": Pair("math_team_hearts", False, "totals"),
    "score.pledge": Pair("black_lady", 10, "phase"),
    "score.chips": Pair("rickety_kate(target=none, max_deals=9)", 25, "totals"),
    "moon.scope": Pair("partnership_hearts", "player", "totals"),
    "moon.least": Pair("black_lady(moon.mode=old)", {"H": 7, "QS": 1}, "totals"),
    "moon.others_score": Pair(f"black_lady({SHORT}, moon.mode=old, card_values={{H:1,QS:13,JD:-10}})", False, "totals"),
    "moon.multiplied": Pair("black_lady(moon.mode=old, multipliers={TC:2})", False, "totals"),
    "moon.sign": Pair("complex_hearts", "hurts", "totals"),
    "moon.extends": Pair(f"black_lady({SHORT}, moon.mode=old)", "until_moonless_deal", "over"),
    "moon.clean_slate": Pair("black_lady(moon.mode=old)", True, "totals"),
    "moon.punish": Pair(f"black_lady({SHORT}, moon.mode=old)", 52, "totals"),
    "end.lower_target": Pair("omnibus_hearts", -10, "over"),
    "end.lives": Pair("rickety_kate(max_deals=9)", 1, "lives"),
    "end.life_threshold": Pair("danger_hearts(lives=1)", 5, "over"),
    "end.lives_out": Pair("danger_hearts(lives=1)", "rank_last", "over"),
}
PACK = {path for path in PAIRS if path.startswith("deck.")} - {"deck.kitty_award"} | {"table.players"}
"""Fields that change the hands dealt."""
REFUSALS = {"deck.remainder", "passing.to_partner"}
"""Fields that make no difference to a game, only to which games there are."""

PART_B_OR_C = {
    "passing.unpassable": "B.11",
    "passing.refusable": "B.12",
    "score.tricks": "C, beyond the rulebook: Knaves, Slobberhannes",
    "score.sets": "C, beyond the rulebook: Polignac, Slobberhannes",
    "score.bonus_floor_hand": "B.32",
    "score.bonus_floor_total": "B.32",
    "score.no_tricks_on_moon": "B.35",
    "moon.policy": "B.57",
    "moon.new_moon_min": "B.47",
    "moon.new_moon_who": "B.47",
    "moon.requires_sun": "B.52",
    "moon.big_moon_effect": "B.53",
    "moon.sun_skip_first": "B.51",
    "end.exact_optional": "B.34",
    "deck.kitty_award": "B.13, C kitty_award",
    "play.first_trick_scope": "C first_trick_scope",
    "trick.dead_last_trick": "A.15",
    "jokers.play": "B.23",
    "jokers.lead": "B.25",
    "jokers.scores": "B.26",
    "exposing.factor": "A.16",
    "exposing.lock": "A.16",
    "score.no_hearts_on_moon": "A.8",
    "score.pledge": "B.36",
    "score.chips": "B.37",
    "moon.others_score": "A.9",
    "moon.multiplied": "A.10",
    "moon.sign": "A.10",
    "moon.extends": "B.46",
    "moon.clean_slate": "B.49",
    "moon.punish": "B.48",
    "end.life_threshold": "B.58",
    "end.lives_out": "A.14",
}
"""Options of the rulebook that no registered variant uses, and where it describes them."""


def test_every_field_has_a_pair() -> None:
    assert set(PAIRS) | REFUSALS == set(field_types())


def test_every_field_is_used_by_a_variant_or_is_an_option_of_the_rulebook() -> None:
    plain = he.rules("black_lady").flat()
    used = set()
    for variant in he.VARIANTS.values():
        for players in variant.players:
            said = variant.build(players).flat()
            told = {*variant.delta, *variant.by_players.get(players, {})}
            assert all(said[path] != plain[path] for path in told), f"{variant.name} says what is said already"
            used |= told
    assert used | {"table.players"} | set(PART_B_OR_C) == set(field_types())
    assert not used & set(PART_B_OR_C)


@pytest.mark.parametrize("path", PAIRS)
def test_the_field_matters(path: str) -> None:
    pair = PAIRS[path]
    one = he.rules(pair.game)
    other = one.replace(**{path: pair.change})
    assert [name for name, value in one.flat().items() if value != other.flat()[name]] == [path]
    if path in PACK:
        assert pair.shows in _differences(he.Match(one, seed=1), he.Match(other, seed=1))
    else:
        assert any(pair.shows in _played_alike(one, other, Random(seed)) for seed in range(400))


def _differences(one: he.Match, other: he.Match) -> set[str]:
    left, right = seen_by(one), seen_by(other)
    return {name for name in left if left[name] != right[name]}


def _played_alike(one: he.Rules, other: he.Rules, rng: Random) -> set[str]:
    """Deal and play two games alike until something shows that they differ; what shows it."""
    hands = _hands(one, rng)
    totals = rng.choice([near_the_end(one, rng), [rng.choice([-9, 37, 40, 48, 49]) for _ in hands]])
    deal_number, passing, dealer = rng.randrange(8), rng.random() < 0.3, rng.randrange(one.players)
    left, right = (
        he.Match.from_hands(
            rules, hands, totals=totals, deal_number=deal_number, passing=passing, dealer=dealer, seed=5
        )
        for rules in (one, other)
    )
    strong = max(range(one.players), key=lambda seat: sum(card[:-1] in "AKQ" for card in hands[seat]))
    policy = rng.choice([_anyhow, _one_against_all(strong)])
    while not (shown := _differences(left, right)):
        if left.over or left.deal_number > deal_number + 1:
            return set()
        action = policy(left, rng)
        left.play(action)
        right.play(action)
    return shown


def _hands(rules: he.Rules, rng: Random) -> list[list[str]]:
    """Hands of which one is strong, weak, short of clubs, full of penalty cards or nothing of the sort."""
    deck = build_deck(rules)
    cards, bad = list(deck.cards), penalty_cards(rules, deck)
    wanted = rng.choice(
        [
            lambda card: 0.0,
            _height,
            lambda card: -_height(card),
            lambda card: _height(card) - 100 * (card[-1] == "C"),
            lambda card: (card in bad) + (card[-1] == "H"),
            lambda card: (card[-1] == "H") + 0.5 * rng.random(),
            lambda card: "CDHS".find(card[-1]) + 0.5 * rng.random(),
        ]
    )
    rng.shuffle(cards)
    cards.sort(key=wanted, reverse=True)
    size = hand_size(rules, deck)
    rest = cards[size:]
    if rng.random() < 0.8:
        rng.shuffle(rest)
    hands = [rest[start : start + size] for start in range(0, size * (rules.players - 1), size)]
    hands.insert(rng.randrange(rules.players), cards[:size])
    return hands


def _height(card: str) -> float:
    return -1.0 if card == "JK" else RANKS.index(card[:-1])


def _anyhow(match: he.Match, rng: Random) -> str:
    return rng.choice(match.legal())


def _one_against_all(strong: int) -> Callable[[he.Match, Random], str]:
    """One seat tries to win every trick, the others to win none, hearts and spades thrown first."""

    def policy(match: he.Match, rng: Random) -> str:
        legal = match.legal()
        if match.phase not in ("pass", "play"):
            return rng.choice(legal)
        if match.phase == "pass":
            return min(legal, key=_height)
        if match.seat == strong:
            return max(legal, key=_height)
        if match.trick and legal[0][-1] != match.trick[0][-1]:
            return max(legal, key=lambda card: (card == "QS", card[-1] == "H", _height(card)))
        return min(legal, key=_height)

    return policy


def test_a_strict_pack_has_to_divide() -> None:
    assert he.rules("black_lady(players=5)").deck.remainder == "remove"
    with pytest.raises(ValueError, match="do not divide"):
        he.rules("black_lady(players=5, remainder=strict)")
    assert he.rules("black_lady(remainder=strict)") != he.rules("black_lady")


def test_a_pass_to_a_partner_may_be_ruled_out() -> None:
    assert he.rules("partnership_hearts(cycle=[across])").passing.to_partner
    with pytest.raises(ValueError, match="partner"):
        he.rules("partnership_hearts(cycle=[across], to_partner=false)")
