"""Passes, put to engine and oracle: worked cases (D.) and options (B.) of RULES.md."""

from collections import Counter

import pytest

import hearts_env as he
from tests.support.judges import Judge, both_judges, deal_out, passed_to, play_all

pytestmark = both_judges()
DEALER = "black_lady(cycle=[left|across*2|left*4&right*4|hold])"
"""The dealer chooses."""
WAYS: list[tuple[str, str, list[list[int]]]] = [
    *[
        ("B.1 and 2", f"black_lady(players={len(offsets)})", 2 * [[offset] * 3 if offset else [] for offset in offsets])
        for offsets in ([1, 2, 0], [1, 3, 2, 0], [1, 4, 2, 3, 0], [1, 5, 2, 4, 3, 0])
    ],
    *[("B.3", f"black_lady(players={n}, cycle=[scatter])", [list(range(1, n))]) for n in (3, 4, 5, 6)],
    ("B.6 and D.98", "four_five_four", 4 * [[1] * 4 + [2] * 5 + [3] * 4]),
    ("B.7", "black_maria", 5 * [[3, 3, 3]]),
    ("B.8", "black_lady(cycle=[left,right], passing.count=2)", 2 * [[1, 1], [3, 3]]),
    ("B.9", "black_lady(cycle=[left,across,right], passing.count=1)", [[1], [2], [3], [1]]),
    ("B.10", "black_lady(cycle=[across*3])", [[2, 2, 2]]),
    ("B.10", "black_lady(players=5, cycle=[-2*1])", [[3]]),
    ("left is the next seat number", "black_lady(table.direction=-1, cycle=[left])", [[1, 1, 1]]),
    ("royal hearts", "royal_hearts", [[1] * 3, [2] * 3, [3] * 3, [1] * 3]),
    ("likha", "likha", 3 * [[3, 3, 3]]),
    ("greek hearts", "greek_hearts", 3 * [[3, 3, 3]]),
    ("gong zhu", "gong_zhu", [[], [], []]),
    ("UK Black Lady", "uk_black_lady", 3 * [[1, 1, 1]]),
]
CHOSEN: list[tuple[str, str, list[int]]] = [
    (DEALER, "left", [1, 1, 1]),
    (DEALER, "across*2", [2, 2]),
    (DEALER, "left*4&right*4", [1] * 4 + [3] * 4),
    (DEALER, "hold", []),
    ("dirty_hearts", "across", [2, 2, 2]),
    ("math_team_hearts(cycle=[left|hold])", "left", [1, 1, 1]),
]


@pytest.mark.parametrize(("rules", "offsets"), [row[1:] for row in WAYS], ids=[row[0] for row in WAYS])
def test_where_passes_go(judge: Judge, rules: str, offsets: list[list[int]]) -> None:
    assert [passed_to(judge, rules, deal) for deal in range(len(offsets))] == offsets


@pytest.mark.parametrize(("rules", "direction", "offsets"), CHOSEN)
def test_option_5_the_dealer_chooses(judge: Judge, rules: str, direction: str, offsets: list[int]) -> None:
    table = judge.match(rules, deal_out(rules, {}), passing=True, dealer=2)
    assert (table.phase, table.seat) == ("direction", 2)
    assert f"direction:{direction}" in table.legal()
    assert passed_to(judge, rules, direction=f"direction:{direction}") == offsets


def test_option_11_protected_cards(judge: Judge) -> None:
    rules = "black_lady(ranks=[J,Q,K,A], unpassable=[QS,K,H], cycle=[left*2])"
    hands = deal_out(rules, {0: "JC QS KD JS", 1: "KC JH QH KH", 2: "QC QD AH AS"})
    table = judge.match(rules, hands, passing=True)
    assert set(table.legal()) == {"JC", "JS"}
    play_all(table, "JC JS")
    assert set(table.legal()) == {"KC", "JH", "QH", "KH"}, "a hand of protected cards may pass any"
    play_all(table, "KC JH")
    assert set(table.legal()) == {"QC", "QD", "AS"}


def test_a_drawn_pass_takes_every_entry(judge: Judge) -> None:
    rules = "black_lady(schedule=random, cycle=[left,hold,across], passing.count=1)"
    assert passed_to(judge, rules) in ([1], [], [2])


@pytest.mark.parametrize(
    ("players", "count", "offsets"),
    [
        (4, 5, [1, 3, 2, 0]),
        (5, 4, [1, 4, 2, 3, 0]),
        (6, 4, [1, 5, 2, 4, 3, 0]),
        (7, 3, [1, 6, 2, 5, 3, 4, 0]),
        (8, 3, [1, 7, 2, 6, 3, 5, 4, 0]),
    ],
)
def test_case_74_the_passes_of_incredu_hearts(judge: Judge, players: int, count: int, offsets: list[int]) -> None:
    hands = he.Match(f"incredu_hearts(players={players})", seed=1).hands
    for deal, offset in enumerate([*offsets, offsets[0]]):
        table = judge.match(f"incredu_hearts(players={players})", hands, passing=True, deal_number=deal)
        picks: list[list[str]] = [[] for _ in hands]
        while table.phase == "pass":
            seat, card = table.seat, sorted(table.legal())[0]
            picks[seat].append(card)
            table.play(card)
        assert {len(cards) for cards in picks} == {count if offset else 0}
        for seat, hand in enumerate(table.hands):
            came, gone = picks[(seat - offset) % players], picks[seat]
            assert Counter(hand) == Counter(hands[seat]) - Counter(gone) + Counter(came)
