"""Deals played to their end, put to engine and oracle: the worked cases (D.) and options (A., B.) of RULES.md."""

import pytest

from tests.support.judges import Judge, both_judges, deal_out, play_all

pytestmark = both_judges()

EIGHT = "ranks=[Q,A], cycle=[hold], first_trick_forbidden=[], opening.holder=AC"
"""Eight cards, two tricks: seat 0 takes everything, 15 points."""
EIGHT_HANDS = [["AC", "AH"], ["QC", "QH"], ["QD", "AD"], ["QS", "AS"]]
EIGHT_PLAY = "AC QC QD QS AH QH AD AS"


@pytest.mark.parametrize(
    ("who", "totals", "asked"),
    [
        ("shooter", [48, 0, 0, 0], False),
        ("shooter", [50, 0, 0, 0], True),
        ("shooter", [48, 55, 0, 0], False),
        ("any", [48, 55, 0, 0], True),
        ("any", [48, 49, 0, 0], False),
    ],
)
def test_case_50_new_moon_from_a_threshold(judge: Judge, who: str, totals: list[int], asked: bool) -> None:
    rules = f"black_lady({EIGHT}, moon.amount=26, new_moon_min=50, new_moon_who={who})"
    table = judge.match(rules, EIGHT_HANDS, totals=totals)
    play_all(table, EIGHT_PLAY)
    assert (table.phase == "moon") == asked
    if asked:
        assert set(table.legal()) == {"moon:self", "moon:others"}
        table.play("moon:self")
    gift = [-26, 0, 0, 0] if asked else [0, 26, 26, 26]
    assert list(table.totals) == [total + more for total, more in zip(totals, gift, strict=True)]


@pytest.mark.parametrize(
    ("deal_number", "points"), [(0, [0, 15, 15, 52]), (1, [0, 52, 15, 15]), (2, [0, 15, 52, 15]), (3, [0, 15, 15, 15])]
)
def test_case_51_the_passer_of_a_deal(judge: Judge, deal_number: int, points: list[int]) -> None:
    rules = (
        "black_lady(ranks=[Q,A], moon.mode=old, punish=52, passing.count=1, opening.holder=AC,"
        "first_trick_forbidden=[], cycle=[left,right,across,hold], max_deals=5)"
    )
    passes = ["QC QD QS AC", "QS AC QC QD", "QD QS AC QC", ""]
    given = passes[deal_number].split() or ["AC", "QC", "QD", "QS"]
    before = [[card, kept] for card, kept in zip(given, ["AH", "QH", "AD", "AS"], strict=True)]
    table = judge.match(rules, before, passing=True, deal_number=deal_number)
    play_all(table, passes[deal_number])
    play_all(table, EIGHT_PLAY)
    assert list(table.totals) == points


@pytest.mark.parametrize(
    ("changes", "lives"),
    [
        ("moon.mode=none, card_values={H:1,QS:12}", [3, 3, 3, 3]),
        ("moon.mode=none", [2, 3, 3, 3]),
        ("moon.mode=none, life_threshold=16", [3, 3, 3, 3]),
        ("moon.mode=old, moon.amount=26", [3, 2, 2, 2]),
        ("moon.mode=old, moon.amount=14", [3, 3, 3, 3]),
    ],
)
def test_case_97_fifteen_points_cost_a_life(judge: Judge, changes: str, lives: list[int]) -> None:
    table = judge.match(f"danger_hearts({EIGHT}, {changes})", EIGHT_HANDS)
    play_all(table, EIGHT_PLAY)
    assert (table.deal_number, list(table.lives)) == (1, lives)


SMALL_PACK = "ranks=[Q,A], cycle=[hold], first_trick_forbidden=[]"
EXACT = SMALL_PACK + ", opening.holder=AC, exact={50:-50,100:-50}"
EXACT_HANDS = {0: "AC AD", 1: "QC QD", 2: "AH QH", 3: "QS AS"}
EXACT_PLAY = "AC QC QH QS AD QD AH AS"


def test_option_34_exact_totals_may_be_declined(judge: Judge) -> None:
    rules = f"rickety_kate({EXACT}, exact_optional=true)"
    table = judge.match(rules, deal_out(rules, EXACT_HANDS), totals=[85, 50, 50, 70])
    play_all(table, EXACT_PLAY)
    assert list(table.totals) == [100, 50, 50, 70]
    for seat, answer in [(0, "yes"), (1, "no"), (2, "yes")]:
        assert (table.phase, table.seat) == ("exact", seat)
        assert set(table.legal()) == {"exact:yes", "exact:no"}
        table.play(f"exact:{answer}")
    assert list(table.totals) == [50, 50, 0, 70]
    assert not table.over


def test_option_34_declining_a_hundred_ends_the_match(judge: Judge) -> None:
    rules = f"rickety_kate({EXACT}, exact_optional=true)"
    table = judge.match(rules, deal_out(rules, EXACT_HANDS), totals=[85, 0, 0, 70])
    play_all(table, EXACT_PLAY)
    table.play("exact:no")
    assert (table.over, list(table.totals)) == (True, [100, 0, 0, 70])


def test_option_39_fixed_deals(judge: Judge) -> None:
    rules = f"rickety_kate({EXACT}, target=none, max_deals=3)"
    for deal_number, over in [(0, False), (1, False), (2, True)]:
        table = judge.match(rules, deal_out(rules, EXACT_HANDS), deal_number=deal_number, totals=[200, 1, 2, 3])
        play_all(table, EXACT_PLAY)
        assert table.over is over


@pytest.mark.parametrize(
    ("changes", "cards", "dealer"),
    [
        ("opening.holder=AC", EXACT_PLAY, 2),
        ("dealer_next=QD, opening.holder=AC", EXACT_PLAY, 0),
        ("dealer_next=QS, opening.holder=AS", "AS AC QC QH QS AD QD AH", 3),
    ],
)
def test_the_next_dealer(judge: Judge, changes: str, cards: str, dealer: int) -> None:
    rules = f"rickety_kate({SMALL_PACK}, {changes})"
    table = judge.match(rules, deal_out(rules, EXACT_HANDS), dealer=1)
    play_all(table, cards)
    assert (table.deal_number, table.dealer) == (1, dealer)


@pytest.mark.parametrize(
    ("sun", "points"),
    [
        ("requires_sun=true", [16, 0, 0]),
        ("requires_sun=true, sun_skip_first=true", [0, 16, 16]),
        ("sun_amount=52", [0, 16, 16]),
        ("sun_amount=52, sun_skip_first=true", [0, 52, 52]),
    ],
)
def test_option_51_and_case_54_the_first_trick_does_not_count(judge: Judge, sun: str, points: list[int]) -> None:
    # Seat 1 wins the first trick, seat 0 the other three with every penalty card.
    rules = f"black_lady(ranks=[Q,K,A], players=3, cycle=[hold], opening.holder=AC, moon.mode=old, {sun})"
    table = judge.match(rules, deal_out(rules, {0: "KC AD AS AH", 1: "AC QD QS QH", 2: "QC KD KS KH"}))
    play_all(table, "AC QC KC QD KD AD AS QS KS AH QH KH")
    assert list(table.totals) == points


@pytest.mark.parametrize("effect", ["add_total", "fixed100"])
def test_option_53_the_big_moon(judge: Judge, effect: str) -> None:
    end = "target=none, max_deals=5" if effect == "add_total" else "target=100"
    rules = (
        f"rickety_kate({SMALL_PACK}, opening.holder=AC, no_tricks=-5, {end},big_moon_deals=1, big_moon_effect={effect})"
    )
    table = judge.match(rules, deal_out(rules, EXACT_HANDS), totals=[40, 1, 2, 3])
    play_all(table, EXACT_PLAY)
    gift = 15 if effect == "add_total" else 100
    assert list(table.totals) == [0, 1 - 5 + gift, 2 - 5 + gift, 3 - 5 + gift]


@pytest.mark.parametrize(("scope", "after"), [("player", [0, 1, 102, 103]), ("team", [0, 0, 102, 103])])
def test_option_53_the_big_moon_of_a_partner(judge: Judge, scope: str, after: list[int]) -> None:
    """Partners are not charged, as in other moons; in a team that shoots together both totals become 0."""
    rules = (
        f"rickety_kate({SMALL_PACK}, opening.holder=AC, big_moon_deals=1, big_moon_effect=fixed100, target=150,"
        f"teams=[0+1,2+3], to_partner=true, moon.scope={scope})"
    )
    table = judge.match(rules, deal_out(rules, EXACT_HANDS), totals=[40, 1, 2, 3])
    play_all(table, EXACT_PLAY)
    assert list(table.totals) == after


def test_option_55_is_asked(judge: Judge) -> None:
    rules = f"black_lady({EIGHT}, moon.mode=reset_or_double)"
    for choice, totals in {"self": [0, 8, 9, 10], "others": [7, 16, 18, 20]}.items():
        table = judge.match(rules, EIGHT_HANDS, totals=[7, 8, 9, 10])
        play_all(table, EIGHT_PLAY)
        assert (table.phase, table.seat, set(table.legal())) == ("moon", 0, {"moon:self", "moon:others"})
        table.play(f"moon:{choice}")
        assert list(table.totals) == totals


LONG = f"black_lady({EIGHT}, moon.mode=old, moon.cards=[QS], moon.amount=26, max_deals=6"
"""Somebody shoots in every deal."""


@pytest.mark.parametrize(("extends", "deals"), [("off", 1), ("until_next_moon", 2), ("until_moonless_deal", 6)])
def test_option_46_a_moon_keeps_the_match_going(judge: Judge, extends: str, deals: int) -> None:
    table = judge.match(f"{LONG}, moon.extends={extends})", EIGHT_HANDS, totals=[95, 80, 60, 60])
    played = 0
    while not table.over:
        before = table.deal_number
        table.play(sorted(table.legal())[0])
        played += table.over or table.deal_number != before
    assert played == deals


@pytest.mark.parametrize(
    ("totals", "after", "over"),
    [([50, 80, 60, 60], [52, 106, 86, 86], True), ([95, 0, 60, 99], [97, 26, 86, 125], False)],
)
def test_option_46_only_a_moon_that_would_lose(judge: Judge, totals: list[int], after: list[int], over: bool) -> None:
    table = judge.match(f"{LONG}, moon.extends=until_next_moon)", EIGHT_HANDS, totals=totals)
    play_all(table, EIGHT_PLAY)
    assert (list(table.totals), table.over) == (after, over)


def test_option_46_a_moon_gives_no_lives_back(judge: Judge) -> None:
    """A.14: without lives the game ends at once."""
    rules = LONG + ", moon.extends=until_next_moon, lives=1, life_threshold=26, lives_out={})"
    for out, over in [("end", True), ("rank_last", False)]:
        table = judge.match(rules.format(out), EIGHT_HANDS, totals=[95, 0, 60, 60])
        play_all(table, EIGHT_PLAY)
        assert table.over is over


def test_option_46_new_moons_extend_nothing(judge: Judge) -> None:
    rules = LONG.replace("moon.mode=old", "moon.mode=choice") + ", moon.extends=until_next_moon)"
    for choice, over in [("self", True), ("others", False)]:
        table = judge.match(rules, EIGHT_HANDS, totals=[90, 120, 60, 60])
        play_all(table, EIGHT_PLAY)
        table.play(f"moon:{choice}")
        assert table.over is over


def test_case_42_two_pools_in_a_row(judge: Judge) -> None:
    """Nobody is clean at first, so the pool holds 3; then it is 6."""
    rules = (
        "rickety_kate(players=3, ranks=[Q,K,A], card_values={H:1}, chips=25, target=none, cycle=[hold],heart_lead=free,"
        "leader=left_of_dealer, opening.card=any, first_trick_forbidden=[], max_deals=9)"
    )
    hands = ["AC QD AH KD", "QC AD QS KC", "QH KH AS KS"]
    table = judge.match(rules, [hand.split() for hand in hands], leader=0)
    play_all(table, "AC QC QH QD AD KH QS AS AH KS KD KC")
    assert (list(table.totals), table.pool) == ([24, 24, 24], 3)
    while table.deal_number == 1:
        table.play(sorted(table.legal())[0])
    shares = [total - 23 for total in table.totals if total != 23]
    assert set(shares) <= {6 // max(len(shares), 1)}
    assert table.pool == 6 - sum(shares)


def test_exposed_cards_count_more_in_play(judge: Judge) -> None:
    rules = f"rickety_kate({EIGHT}, exposing.cards={{QS:QS,AH:H}}, max_deals=1)"
    table = judge.match(rules, EIGHT_HANDS)
    play_all(table, "expose:AH expose:done expose:done expose:done expose:QS expose:done")
    play_all(table, EIGHT_PLAY)
    assert list(table.totals) == [30, 0, 0, 0]


def test_the_order_of_pledging(judge: Judge) -> None:
    rules = f"rickety_kate({EIGHT}, pledge=10, max_deals=1)"
    table = judge.match(rules, EIGHT_HANDS)
    for seat, answer in enumerate(["yes", "yes", "no", "yes"]):
        assert (table.phase, table.seat, set(table.legal())) == ("pledge", seat, {"pledge:yes", "pledge:no"})
        table.play(f"pledge:{answer}")
    assert list(table.pledges) == [True, True, False, True]
    play_all(table, EIGHT_PLAY)
    assert list(table.totals) == [25, -10, 0, -10]
