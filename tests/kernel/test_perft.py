"""How many ways each variant can go on from fixed hands; a changed number is a changed rule."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

import hearts_env as he
from tests.support.games import EVERY_TABLE
from tests.support.lockstep import shadow
from tests.support.perft import WHOLE_DEAL, even_deal, long_deal, oracle_perft, perft

FULL: list[tuple[int, str, list[int], list[int]]] = [
    (2, "duel_hearts", [2, 4, 4, 4, 4, 4], [3, 9, 18, 36, 36, 36]),
    (2, "duel_hearts_10", [3, 3, 7, 15, 30, 60, 60, 60], [4, 4, 12, 36, 72, 144, 144, 144]),
    (3, "trio_hearts", [2, 4, 4, 8, 8, 8, 8, 8, 8], [1, 3, 3, 6, 12, 24, 24, 24, 24]),
    (
        3,
        "black_lady omnibus_hearts rickety_kate big_moon danger_hearts greek_hearts "
        "spot_hearts spot_hearts_129 pip_hearts hooligan_hearts high_hearts "
        "math_team_hearts uk_black_lady",
        [1, 3, 12, 136, 528],
        [1, 8, 32, 512],
    ),
    (3, "black_maria", [17, 70, 292], [17, 284]),
    (3, "heartsette", [1, 4, 16, 185, 709], [1, 8, 40, 600]),
    (3, "joker_hearts", [1, 4, 20, 229, 981], [1, 8, 40, 680]),
    (
        4,
        "black_lady omnibus_hearts rickety_kate big_moon four_five_four booster_nines "
        "danger_hearts greek_hearts dirty_hearts openspiel spot_hearts spot_hearts_129 "
        "pip_hearts hooligan_hearts high_hearts math_team_hearts complex_hearts "
        "uk_black_lady partnership_hearts",
        [1, 4, 12, 24, 210, 612],
        [1, 8, 64, 320],
    ),
    (4, "black_maria", [13, 42, 128, 384], [13, 144]),
    (4, "five_hundred_hearts", [1, 4, 16, 32, 337, 1062], [1, 10, 100, 500]),
    (4, "gong_zhu", [1, 2, 6, 24, 288, 875], [1, 13, 169]),
    (4, "heartsette", [1, 4, 4, 16, 138, 539], [1, 8, 72, 144]),
    (4, "incredu_hearts", [1, 6, 30, 90], [1, 11, 110, 330]),
    (4, "joker_hearts", [1, 3, 12, 48, 386], [1, 8, 56, 448]),
    (4, "likha", [13, 42, 128, 384], [13, 105, 105, 1040]),
    (4, "queens", [1, 4, 12, 24, 288, 884], [1, 8, 104]),
    (4, "royal_hearts", [1, 4, 12, 24, 210, 612], [1, 8, 104]),
    (4, "small_hearts", [1, 1, 2, 2, 8, 16, 29, 96], [1, 2, 4, 16, 96, 176, 1056]),
    (4, "turbo_hearts", [2, 4, 8, 11, 14, 21, 42, 101], [2, 3, 5, 8, 12, 22, 106, 618]),
    (
        5,
        "black_lady omnibus_hearts rickety_kate big_moon danger_hearts greek_hearts "
        "spot_hearts spot_hearts_129 pip_hearts hooligan_hearts high_hearts "
        "math_team_hearts uk_black_lady",
        [1, 1, 3, 9, 18, 120, 252, 622],
        [1, 7, 63, 630],
    ),
    (5, "incredu_hearts cancellation_hearts", [1, 6, 30, 150, 750], [1, 11, 11, 33, 165]),
    (5, "black_maria", [10, 22, 50, 132, 300], [10, 100, 920]),
    (5, "five_hundred_hearts", [1, 2, 6, 18, 36, 270, 712], [1, 10, 120, 120, 960]),
    (5, "gong_zhu", [1, 2, 8, 16, 32, 288, 634], [1, 10, 100, 1000]),
    (5, "heartsette", [1, 2, 4, 12, 24, 149, 318, 717], [1, 8, 80, 80, 480]),
    (
        6,
        "black_lady omnibus_hearts rickety_kate big_moon danger_hearts greek_hearts "
        "spot_hearts spot_hearts_129 pip_hearts hooligan_hearts high_hearts "
        "math_team_hearts uk_black_lady",
        [1, 3, 6, 6, 6, 6, 30, 71],
        [1, 6, 48, 48, 96, 768],
    ),
    (6, "black_maria", [8, 16, 30, 66, 142, 218], [8, 8, 64, 512]),
    (6, "cancellation_hearts", [1, 5, 20, 60, 240, 720], [1, 9, 18, 108, 972]),
    (6, "five_hundred_hearts", [1, 3, 6, 12, 24, 48, 303, 673], [1, 10, 100, 500]),
    (6, "heartsette", [1, 3, 6, 18, 18, 36, 188, 524], [1, 8, 64, 320]),
    (6, "incredu_hearts", [1, 5, 20, 60, 240, 720], [1, 9, 18, 90, 810]),
    (6, "joker_hearts", [1, 3, 6, 12, 24, 72, 387, 1068], [1, 8, 72, 216, 432]),
    (7, "cancellation_hearts", [1, 3, 12, 60, 180, 900], [1, 8, 32, 256, 512, 512]),
    (7, "incredu_hearts", [1, 3, 12, 60, 180, 900], [1, 8, 32, 224, 448, 448]),
    (7, "uk_black_lady", [13, 38, 85, 310], [8, 56, 448, 896]),
    (8, "cancellation_hearts", [1, 4, 16, 64, 256, 768, 768], [1, 7, 28, 196, 784]),
    (8, "incredu_hearts", [1, 4, 16, 64, 192, 192, 384], [1, 7, 28, 196, 588]),
    (8, "uk_black_lady", [9, 35, 124, 352, 1056], [7, 49, 196]),
    (9, "cancellation_hearts", [1, 3, 9, 9, 18, 72, 288, 864], [1, 6, 30, 180, 1080]),
    (9, "uk_black_lady", [10, 28, 79, 170, 406], [6, 36, 180, 1080]),
    (10, "cancellation_hearts", [1, 3, 3, 9, 36, 72, 72, 216], [1, 5, 25, 125, 625]),
    (10, "five_hundred_hearts", [1, 2, 8, 16, 32, 32, 32, 64, 128, 512], [1, 6, 24, 144, 864]),
    (10, "uk_black_lady", [9, 23, 118, 264], [6, 36, 216, 432]),
    (11, "cancellation_hearts", [1, 3, 18, 54, 108, 108, 432, 432], [1, 5, 25, 25, 125, 500]),
]
"""Seats, variants -> sequences of 1, 2, 3 ... actions from the start of play of the even and of the long deal."""
FULL_TABLES = [(f"{name}(players={players})", counts) for players, names, *counts in FULL for name in names.split()]

TINY = {
    "black_lady": "ranks=[Q,K,A]",
    "omnibus_hearts": "ranks=[J,Q,A]",
    "black_maria": "ranks=[Q,K,A]",
    "rickety_kate": "ranks=[Q,K,A]",
    "spot_hearts": "ranks=[Q,K,A], card_values={H:10,QS:25}",
    "pip_hearts": "ranks=[Q,K,A], card_values={QH:12,KH:13,AH:14}",
    "four_five_four": "ranks=[Q,A], cycle=[left*1&right*1]",
    "queens": "ranks=[Q,K,A]",
    "openspiel": "ranks=[Q,K,A], schedule=cycle",
    "booster_nines": "ranks=[9,Q,A]",
    "heartsette": "ranks=[Q,K,A], removed=[], hand_size=3, kitty_award=one_per_trick",
    "likha": "ranks=[T,Q,A]",
    "partnership_hearts": "ranks=[Q,K,A]",
    "royal_hearts": "ranks=[Q,A]",
    "complex_hearts": "ranks=[T,J,Q]",
    "uk_black_lady": "ranks=[T,Q,A], card_values={H:10,QS:50}",
    "turbo_hearts": "ranks=[9,T,Q], card_values={H:1,QS:13}, exposing.cards={QS:QS,TC:TC}",
    "cancellation_hearts": "ranks=[Q,A], added=[], removed=[QC]",
    "gong_zhu": "ranks=[T,J,Q], card_values={H:-10,QS:-100,JD:100}, opening.holder=TS, exposing.cards={QS:QS,TC:TC}",
}
"""Changes that leave a pack of 8 to 15 cards, of which one goes left."""

WHOLE = {
    ("black_lady", 3): (69, None),
    ("black_lady", 4): (96, None),
    ("omnibus_hearts", 3): (16, None),
    ("omnibus_hearts", 4): (96, 1186),
    ("black_maria", 3): (740, None),
    ("black_maria", 4): (432, None),
    ("rickety_kate", 3): (50, None),
    ("rickety_kate", 4): (48, 956),
    ("spot_hearts", 3): (69, None),
    ("spot_hearts", 4): (96, None),
    ("pip_hearts", 3): (82, None),
    ("pip_hearts", 4): (144, None),
    ("four_five_four", 4): (4, 48),
    ("queens", 4): (72, None),
    ("openspiel", 4): (48, 980),
    ("booster_nines", 4): (36, 772),
    ("heartsette", 3): (16, 433),
    ("likha", 4): (396, None),
    ("partnership_hearts", 4): (48, 956),
    ("royal_hearts", 4): (6, 156),
    ("complex_hearts", 4): (96, None),
    ("uk_black_lady", 4): (96, 1186),
    ("turbo_hearts", 4): (144, None),
    ("cancellation_hearts", 5): (14, None),
    ("gong_zhu", 4): (288, None),
}
"""Variant, seats -> ways a deal of the tiny pack can go, moon choices included: after the pass, and with it."""
JOKERS = "ranks=[Q,A], added=[JK,JK,JK,JK]"
PAIRS = "packs=2, duplicates=cancel, leader=left_of_dealer, opening.card=any"
OPTIONS = {
    "black_lady(ranks=[Q,A], exposing.cards={QS:QS,AH:H}, pledge=5, moon.mode=old)": 160,
    "black_lady(ranks=[Q,A], exposing.cards={QS:QS,AS:S}, lock=false)": 16,
    "black_lady(ranks=[Q,K,A], exposing.cards={QS:QS,KS:QS})": 384,
    "booster_nines(ranks=[9,Q,A], extend_when=led_suit)": 36,
    f"black_lady({JOKERS})": 54,
    f"black_lady({JOKERS}, jokers.lead=call)": 106,
    f"black_lady({JOKERS}, jokers.lead=next_card, jokers.play=void_only)": 33,
    f"black_lady(ranks=[Q], {PAIRS})": 4,
    f"black_lady(ranks=[Q,A], {PAIRS}, dead_trick=two_pairs)": 930,
    "heartsette(players=3, ranks=[Q,A], removed=[], hand_size=2)": 4,
}
"""Rules of a tiny pack with options -> ways a deal can go after the pass."""


def test_every_variant_has_counts() -> None:
    assert sorted(text for text, _ in FULL_TABLES) == sorted(EVERY_TABLE)


def some(cases: Iterable[Any]) -> list[Any]:
    """Every seventh case; the others are exhaustive."""
    return [pytest.param(*case, marks=[pytest.mark.exhaustive] * (place % 7 > 0)) for place, case in enumerate(cases)]


def check(match: he.Match, wanted: int, depth: int = WHOLE_DEAL, most: int = 300) -> None:
    """The kernel counts what is wanted, and so does the oracle where there is little to count."""
    assert perft(match, depth) == wanted
    assert wanted >= most or oracle_perft(shadow(match), depth) == wanted


@pytest.mark.parametrize(("text", "counts"), some(FULL_TABLES))
def test_full_deals(text: str, counts: tuple[list[int], list[int]]) -> None:
    rules = he.rules(text)
    for deal, wanted in zip((even_deal, long_deal), counts, strict=True):
        match = he.Match.from_hands(rules, deal(rules))
        for depth, count in enumerate(wanted, 1):
            check(match, count, depth, most=120)


@pytest.mark.parametrize(("name", "players", "counts"), some((*table, counts) for table, counts in WHOLE.items()))
def test_whole_deals_of_tiny_packs(name: str, players: int, counts: tuple[int, int | None]) -> None:
    rules = he.rules(f"{name}(players={players}, passing.count=1, {TINY[name]})")
    for passing, count in zip((False, True), counts, strict=True):
        if count is not None:
            check(he.Match.from_hands(rules, even_deal(rules), passing=passing), count)


@pytest.mark.parametrize(("text", "count"), some(OPTIONS.items()))
def test_whole_deals_with_options(text: str, count: int) -> None:
    rules = he.rules(f"{text[:-1]}, passing.count=1)")
    check(he.Match.from_hands(rules, even_deal(rules)), count, most=1000)


def test_the_pass_is_one_card_per_action() -> None:
    for text, fourth in (("black_lady", 13), ("four_five_four", 10)):
        match = he.Match.from_hands(text, even_deal(he.rules(text)), passing=True)
        assert [perft(match, depth) for depth in (1, 2, 3, 4)] == [13, 156, 1716, 1716 * fourth]


def test_a_card_shown_is_one_action_and_so_is_having_done() -> None:
    rules = he.rules("turbo_hearts(pledge=5)")
    match = he.Match.from_hands(rules, even_deal(rules))
    assert perft(match, 1) == 1 + sum(card in match.hands[0] for card in ("QS", "AH", "JD", "TC"))
    while match.phase == "expose":
        match.play("expose:done")
    assert [perft(match, depth) for depth in (1, 2, 3, 4)] == [2, 4, 8, 16]
