"""How many ways each variant can go on from fixed hands; a changed number is a changed rule."""

from __future__ import annotations

import pytest

import hearts_env as he
from tests.lockstep import shadow
from tests.perft import WHOLE_DEAL, even_deal, long_deal, oracle_perft, perft

BASE = {
    3: ([1, 3, 12, 136, 528, 1968], [1, 8, 32, 512, 4232]),
    4: ([1, 4, 12, 24, 210, 612, 1822], [1, 8, 64, 320, 3840]),
    5: ([1, 1, 3, 9, 18, 120, 252, 622], [1, 7, 63, 630, 5040]),
    6: ([1, 3, 6, 6, 6, 6, 30, 71], [1, 6, 48, 48, 96, 768, 5376]),
}
"""Seats -> sequences of 1, 2, 3 ... cards from the opening lead of the even and of the long deal, in Basic Hearts."""

FULL = {
    "black_lady": BASE,
    "omnibus_hearts": BASE,
    "black_maria": {
        3: ([17, 70, 292, 4672], [17, 284, 4471]),
        4: ([13, 42, 128, 384, 4608], [13, 144, 1872]),
        5: ([10, 22, 50, 132, 300, 2700], [10, 100, 920]),
        6: ([8, 16, 30, 66, 142, 218, 1526], [8, 8, 64, 512, 4096]),
    },
    "rickety_kate": BASE,
    "spot_hearts": BASE,
    "pip_hearts": BASE,
    "four_five_four": {4: BASE[4]},
    "queens": {4: ([1, 4, 12, 24, 288, 884, 2590], [1, 8, 104, 1352])},
    "openspiel": {4: BASE[4]},
}
FULL_TABLES = [(name, players) for name, tables in FULL.items() for players in tables]

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
}
"""Changes that leave a pack of 8 or 12 cards, of which one goes left."""

WHOLE = {
    ("black_lady", 3): (69, None),
    ("black_lady", 4): (96, 1561),
    ("omnibus_hearts", 3): (16, None),
    ("omnibus_hearts", 4): (96, 1186),
    ("black_maria", 3): (740, None),
    ("black_maria", 4): (432, None),
    ("rickety_kate", 3): (50, None),
    ("rickety_kate", 4): (48, 956),
    ("spot_hearts", 3): (69, None),
    ("spot_hearts", 4): (96, 1561),
    ("pip_hearts", 3): (82, None),
    ("pip_hearts", 4): (144, 1702),
    ("four_five_four", 4): (4, 48),
    ("queens", 4): (72, 2896),
    ("openspiel", 4): (48, 980),
}
"""Variant, seats -> ways a deal of the tiny pack can go, moon choices included: after the pass, and with it."""


def test_every_variant_has_counts() -> None:
    assert {name: set(tables) for name, tables in FULL.items()} == {
        name: set(variant.players) for name, variant in he.VARIANTS.items()
    }
    assert {name for name, _ in WHOLE} == set(he.VARIANTS)


@pytest.mark.parametrize(("name", "players"), FULL_TABLES)
def test_full_deals(name: str, players: int) -> None:
    rules = he.rules(f"{name}(players={players})")
    for deal, counts in zip((even_deal, long_deal), FULL[name][players], strict=True):
        match = he.Match.from_hands(rules, deal(rules))
        assert [perft(match, depth) for depth in range(1, len(counts) + 1)] == counts
        shallow = [depth for depth, count in enumerate(counts, 1) if count < 300]
        assert [oracle_perft(shadow(match), depth) for depth in shallow] == counts[: len(shallow)]


@pytest.mark.parametrize(("name", "players"), WHOLE)
def test_whole_deals_of_tiny_packs(name: str, players: int) -> None:
    rules = he.rules(f"{name}(players={players}, passing.count=1, {TINY[name]})")
    for passing, count in zip((False, True), WHOLE[name, players], strict=True):
        if count is None:
            continue
        match = he.Match.from_hands(rules, even_deal(rules), passing=passing)
        assert perft(match, WHOLE_DEAL) == count
        if count < 1200:
            assert oracle_perft(shadow(match), WHOLE_DEAL) == count


def test_the_pass_is_one_card_per_action() -> None:
    match = he.Match.from_hands("black_lady", even_deal(he.rules("black_lady")), passing=True)
    assert [perft(match, depth) for depth in (1, 2, 3, 4)] == [13, 13 * 12, 13 * 12 * 11, 13 * 12 * 11 * 13]
    match = he.Match.from_hands("four_five_four", even_deal(he.rules("four_five_four")), passing=True)
    assert [perft(match, depth) for depth in (1, 2, 3, 4)] == [13, 13 * 12, 13 * 12 * 11, 13 * 12 * 11 * 10]
