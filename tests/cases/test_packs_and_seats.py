"""Packs, kitties, seats and openings, put to engine and oracle: worked cases (D.) and options (B.) of RULES.md."""

import pytest

import hearts_env as he
from tests.support.judges import Judge, both_judges, play_all

with_both = both_judges()


@pytest.mark.parametrize(
    ("rules", "cards", "hand"),
    [
        ("heartsette(players=3)", 51, 16),
        ("heartsette", 51, 12),
        ("heartsette(players=5)", 52, 10),
        ("heartsette(players=6)", 52, 8),
        ("joker_hearts(players=3)", 54, 18),
        ("joker_hearts", 56, 14),
        ("joker_hearts(players=6)", 54, 9),
        ("five_hundred_hearts", 60, 15),
        ("five_hundred_hearts(players=5)", 60, 12),
        ("five_hundred_hearts(players=6)", 60, 10),
        ("small_hearts", 28, 7),
        ("small_hearts(ranks=[7,8,9,T,J,Q,K,A])", 32, 8),
        ("gong_zhu(players=5)", 50, 10),
        ("black_lady(players=3, remainder=jokers)", 54, 18),
        ("black_lady(remainder=jokers)", 52, 13),
        ("black_lady(players=5, remainder=jokers)", 55, 11),
        ("black_lady(players=7, removal_order=[2D,2C,3D])", 49, 7),
        *[(f"incredu_hearts(players={n})", cards, cards // n) for n, cards in {4: 104, 5: 105, 6: 102, 7: 105}.items()],
        ("incredu_hearts(players=8)", 104, 13),
        *[
            (f"cancellation_hearts(players={n})", cards, cards // n)
            for n, cards in {5: 105, 6: 102, 7: 105, 8: 104, 9: 99, 10: 100, 11: 99}.items()
        ],
        ("cancellation_hearts(players=7, added=[], remainder=kitty, leader=left_of_dealer, opening.card=any)", 104, 14),
    ],
)
def test_packs_and_hands(rules: str, cards: int, hand: int) -> None:
    match = he.Match(rules, seed=1)
    assert {len(held) for held in match.hands} == {hand}
    assert len(match.kitty) == cards - hand * match.rules.players


@pytest.mark.parametrize(
    ("rules", "opener"),
    [
        ("incredu_hearts", "2C"),
        ("incredu_hearts(opening.holder=C)", "0C"),
        ("incredu_hearts(players=5)", "0C"),
        ("incredu_hearts(players=6)", "2C"),
        ("incredu_hearts(players=7)", "0C"),
        ("incredu_hearts(players=8)", "2C"),
        *[(f"cancellation_hearts(players={n})", "0C" if n in (5, 7, 8) else "2C") for n in range(5, 12)],
        ("gong_zhu", "2S"),
        ("small_hearts", "8C"),
        ("small_hearts(ranks=[7,8,9,T,J,Q,K,A])", "7C"),
        ("queens", "2C"),
        ("black_lady(added=[0C,0D], players=6, removed=[2D,2C,3D,3C,4D,4C])", "0C"),
    ],
)
def test_who_opens(rules: str, opener: str) -> None:
    match = he.Match(he.rules(rules).replace(cycle=["hold"]), seed=3)
    assert match.seat is not None
    assert opener in match.hands[match.seat]
    assert match.legal() == [opener]
    assert sum(opener in hand for hand in match.hands) == 1


KITTY = (
    "black_lady(players=3, ranks=[Q,K,A], remainder=kitty, cycle=[hold], moon.mode=none, leader=left_of_dealer,"
    "opening.card=any, heart_lead=free, first_trick_forbidden=[], card_values={AC:1,AD:10,AS:100}, max_deals=1,"
)


@with_both
@pytest.mark.parametrize(
    ("award", "totals"),
    [
        ("first_trick", [0, 111, 0]),
        ("first_penalty", [111, 0, 0]),
        ("one_per_trick", [10, 1, 100]),
        ("out_of_play", [0, 0, 0]),
    ],
)
def test_option_13_the_kitty(judge: Judge, award: str, totals: list[int]) -> None:
    hands = ["QC AH QS", "KC KH KD", "KS QH QD"]
    table = judge.match(f"{KITTY} hand_size=3, kitty_award={award})", [hand.split() for hand in hands], leader=0)
    play_all(table, "QC KC QD KH QH AH QS KD KS")
    assert list(table.totals) == totals


@with_both
@pytest.mark.parametrize(("award", "totals"), [("one_per_trick", [110, 1, 0]), ("first_penalty", [111, 0, 0])])
def test_option_13_the_rest_of_the_kitty_goes_with_the_last_trick(judge: Judge, award: str, totals: list[int]) -> None:
    hands = ["QC AH", "KC KH", "QD QH"]
    table = judge.match(f"{KITTY} hand_size=2, kitty_award={award})", [hand.split() for hand in hands], leader=0)
    play_all(table, "QC KC QD KH QH AH")
    assert list(table.totals) == totals


@with_both
def test_option_13_without_a_penalty_trick_the_kitty_goes_with_the_last_one(judge: Judge) -> None:
    hands = [["QC"], ["KC"], ["QD"]]
    table = judge.match(f"{KITTY} hand_size=1, kitty_award=first_penalty)", hands, leader=0)
    play_all(table, "QC KC QD")
    assert list(table.totals) == [0, 111, 0]


@with_both
def test_the_moon_needs_no_card_that_is_out_of_play(judge: Judge) -> None:
    rules = KITTY.replace("moon.mode=none", "moon.mode=old").replace("{AC:1,AD:10,AS:100}", "{H:1,QS:13}")
    hands = ["AC AH AS", "KC QH KS", "QC KD QS"]
    for award, totals in [("out_of_play", [0, 16, 16]), ("first_trick", [0, 16, 16])]:
        table = judge.match(f"{rules} hand_size=3, kitty_award={award})", [hand.split() for hand in hands], leader=0)
        play_all(table, "AC KC QC AH QH KD AS KS QS")
        assert list(table.totals) == totals


@with_both
def test_a_named_opener_in_the_kitty_leaves_the_lead_to_the_next_seat(judge: Judge) -> None:
    rules = KITTY.replace("leader=left_of_dealer,opening.card=any", "opening.holder=AC") + " hand_size=3)"
    hands = [["QC", "AH", "QS"], ["KC", "KH", "KD"], ["KS", "QH", "QD"]]
    table = judge.match(rules, hands, dealer=1)
    assert (table.seat, set(table.legal())) == (2, {"KS", "QH", "QD"})
    lowest = judge.match(rules.replace("holder=AC", "holder=C"), hands, dealer=1)
    assert (lowest.seat, list(lowest.legal())) == (0, ["QC"])


@with_both
@pytest.mark.parametrize(
    ("direction", "dealer", "seats"), [(1, 0, [1, 2, 3, 0]), (-1, 0, [3, 2, 1, 0]), (-1, 2, [1, 0, 3, 2])]
)
def test_the_turn_goes_either_way(judge: Judge, direction: int, dealer: int, seats: list[int]) -> None:
    rules = f"black_maria(table.direction={direction}, ranks=[Q,A], card_values={{QS:13}}, cycle=[hold])"
    table = judge.match(rules, [["AC", "AH"], ["QC", "QH"], ["QD", "AD"], ["QS", "AS"]], dealer=dealer)
    for seat in seats:
        assert table.seat == seat
        table.play(sorted(table.legal())[0])
    while table.deal_number == 0:
        table.play(sorted(table.legal())[0])
    assert table.dealer == (dealer + direction) % 4


@with_both
@pytest.mark.parametrize(
    ("changes", "seat"), [("dealer_next=QS", 0), ("dealer_next=left", 2), ("dealer_next=QS, table.direction=-1", 2)]
)
def test_the_seat_beside_the_next_dealer_opens(judge: Judge, changes: str, seat: int) -> None:
    direction = "" if "direction" in changes else ", table.direction=1"
    rules = f"black_maria(ranks=[Q,A], card_values={{H:1,QS:13}}, cycle=[hold], {changes}{direction})"
    table = judge.match(rules, [["AC", "AH"], ["QC", "QH"], ["QD", "AD"], ["QS", "AS"]], leader=3)
    while table.deal_number == 0:
        hand = sorted(table.legal(), reverse=True)
        table.play(hand[0])
    assert table.dealer == {"dealer_next=QS": 3, "dealer_next=left": 1}.get(changes, 3)
    assert table.seat == seat


@with_both
def test_gong_zhu_is_opened_by_who_took_the_pig(judge: Judge) -> None:
    rules = "gong_zhu(ranks=[Q,K,A], card_values={H:-10,QS:-100,JD:100}, multipliers={}, alone={}, opening.holder=QS)"
    rules = rules.replace("JD:100", "KD:100")
    hands = ["AC KC AS", "QC QD KH", "KD QH AH", "QS KS AD"]
    table = judge.match(rules, [hand.split() for hand in hands])
    assert (table.seat, list(table.legal())) == (3, ["QS"])
    play_all(table, "QS AH QC AS")
    assert (table.seat, table.deal_number) == (0, 0)
    while table.deal_number == 0:
        table.play(sorted(table.legal())[0])
    assert table.seat == 0
    assert set(table.legal()) == set(table.hands[0]), "any card"


@with_both
def test_an_opener_nobody_took_leads_as_in_the_first_deal(judge: Judge) -> None:
    rules = KITTY.replace("leader=left_of_dealer", "opening.taker=AS, leader=left_of_dealer").replace(
        "deals=1", "deals=9"
    )
    table = judge.match(
        f"{rules} hand_size=3, kitty_award=out_of_play)", [["QC", "AH", "QS"], ["KC", "KH", "KD"], ["KS", "QH", "QD"]]
    )
    assert table.seat == 1
    play_all(table, "KC QD QC KH QH AH QS KD KS")
    assert (table.deal_number, table.dealer, table.seat) == (1, 1, 2)


ROLLING = (
    "cancellation_hearts(players=6, ranks=[T,J], removed=[], remainder=kitty, hand_size=2, card_values={TS:1,JS:10},"
    "moon.mode=none, cycle=[hold], leader=left_of_dealer, opening.card=any, heart_lead=free, max_deals=1,"
    "first_trick_forbidden=[]"
)


@with_both
@pytest.mark.parametrize("award", ["first_trick", "one_per_trick"])
@pytest.mark.parametrize(
    ("dead", "totals"), [("no_live_card", [0, 22, 0, 0, 0, 0]), ("two_pairs", [22, 0, 0, 0, 0, 0])]
)
def test_a_dead_first_trick_rolls_the_kitty_over(judge: Judge, award: str, dead: str, totals: list[int]) -> None:
    """The winner of the second trick takes both, and the kitty with them; if that is dead too its leader does."""
    hands = ["JC TD", "JC JD", "TC TH", "TC TH", "TD JH", "JD JH"]
    rules = f"{ROLLING}, kitty_award={award}, dead_trick={dead})"
    table = judge.match(rules, [hand.split() for hand in hands], leader=0)
    play_all(table, "JC JC TC TC TD JD")
    assert table.seat == 0
    play_all(table, "TD JD TH TH JH JH")
    assert list(table.totals) == totals
