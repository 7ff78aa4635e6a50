"""How many ways each variant can go on from fixed hands, counted by the kernel and by the oracle."""

import pytest

import hearts_env as he
from tests.support.games import EVERY_TABLE
from tests.support.lockstep import shadow
from tests.support.marks import few
from tests.support.perft import even_deal, long_deal, oracle_perft, perft

MOST = 120
"""Sequences that the oracle counts in little time."""
PINNED = {
    "black_lady": ([1, 4, 12, 24, 210, 612], [1, 8, 64, 320]),
    "omnibus_hearts(players=3)": ([1, 3, 12, 136, 528], [1, 8, 32, 512]),
    "black_maria(players=3)": ([17, 70, 292], [17, 284]),
    "gong_zhu": ([1, 2, 6, 24, 288, 875], [1, 13, 169]),
}
"""Well-known games -> sequences of 1, 2, 3 ... actions from the start of play of the even and of the long deal."""

JOKERS = "ranks=[Q,A], added=[JK,JK,JK,JK]"
PAIRS = "packs=2, duplicates=cancel, leader=left_of_dealer, opening.card=any"
TINY = [
    "black_lady(ranks=[Q,K,A])",
    "omnibus_hearts(ranks=[J,Q,A])",
    "black_maria(ranks=[Q,K,A])",
    "rickety_kate(ranks=[Q,K,A])",
    "spot_hearts(ranks=[Q,K,A], card_values={H:10,QS:25})",
    "pip_hearts(ranks=[Q,K,A], card_values={QH:12,KH:13,AH:14})",
    "four_five_four(ranks=[Q,A], cycle=[left*1&right*1])",
    "queens(ranks=[Q,K,A])",
    "openspiel(ranks=[Q,K,A], schedule=cycle)",
    "booster_nines(ranks=[9,Q,A])",
    "heartsette(players=3, ranks=[Q,K,A], removed=[], hand_size=3, kitty_award=one_per_trick)",
    "likha(ranks=[T,Q,A])",
    "partnership_hearts(ranks=[Q,K,A])",
    "royal_hearts(ranks=[Q,A])",
    "complex_hearts(ranks=[T,J,Q])",
    "uk_black_lady(ranks=[T,Q,A], card_values={H:10,QS:50})",
    "turbo_hearts(ranks=[9,T,Q], card_values={H:1,QS:13}, exposing.cards={QS:QS,TC:TC})",
    "cancellation_hearts(players=5, ranks=[Q,A], added=[], removed=[QC])",
    "gong_zhu(ranks=[T,J,Q], card_values={H:-10,QS:-100,JD:100}, opening.holder=TS, exposing.cards={QS:QS,TC:TC})",
    "black_lady(ranks=[Q,A], exposing.cards={QS:QS,AH:H}, pledge=5, moon.mode=old)",
    "black_lady(ranks=[Q,A], exposing.cards={QS:QS,AS:S}, lock=false)",
    "black_lady(ranks=[Q,K,A], exposing.cards={QS:QS,KS:QS})",
    "booster_nines(ranks=[9,Q,A], extend_when=led_suit)",
    f"black_lady({JOKERS})",
    f"black_lady({JOKERS}, jokers.lead=call)",
    f"black_lady({JOKERS}, jokers.lead=next_card, jokers.play=void_only)",
    f"black_lady(ranks=[Q], {PAIRS})",
    f"black_lady(ranks=[Q,A], {PAIRS}, dead_trick=two_pairs)",
    "heartsette(players=3, ranks=[Q,A], removed=[], hand_size=2)",
]
"""Games of 8 to 16 cards."""


@pytest.mark.parametrize(("text", "counts"), PINNED.items())
def test_the_counts_of_well_known_games(text: str, counts: tuple[list[int], list[int]]) -> None:
    """A changed number is a changed rule."""
    rules = he.rules(text)
    for deal, wanted in zip((even_deal, long_deal), counts, strict=True):
        match = he.Match.from_hands(rules, deal(rules))
        assert [perft(match, depth) for depth in range(1, len(wanted) + 1)] == wanted


@pytest.mark.parametrize("text", few(EVERY_TABLE, 14))
def test_full_deals(text: str) -> None:
    rules = he.rules(text)
    for deal in (even_deal, long_deal):
        match = he.Match.from_hands(rules, deal(rules))
        for depth in range(1, 9):
            if (count := perft(match, depth)) >= MOST:
                break
            assert oracle_perft(shadow(match), depth) == count


@pytest.mark.parametrize("text", few(TINY, 5))
def test_whole_deals_of_tiny_packs(text: str) -> None:
    rules = he.rules(f"{text[:-1]}, passing.count=1)")
    match = he.Match.from_hands(rules, even_deal(rules))
    assert perft(match) == oracle_perft(shadow(match)) > 1


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
