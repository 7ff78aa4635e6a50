"""The options of RULES.md parts A and B on factors, moons, teams, chips and lives; option 31 is B.31, case 42 D.42."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

import hearts_env as he
from tests.support.judges import Judge, both_judges, play_all

with_both = both_judges()

HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
ALL = HEARTS + " QS"
PLAIN = ["2C", "3C", "4C", "5C"]
EIGHT = "ranks=[Q,A], cycle=[hold], first_trick_forbidden=[], opening.holder=AC"
"""Eight cards, two tricks: seat 0 takes everything, 15 points."""
EIGHT_HANDS = [["AC", "AH"], ["QC", "QH"], ["QD", "AD"], ["QS", "AS"]]
EIGHT_PLAY = "AC QC QD QS AH QH AD AS"


# Factors


@with_both
@pytest.mark.parametrize(
    ("taken", "points"),
    [
        ("QH 2H 3H", 6),
        ("2H 3H", 2),
        ("QS", 26),
        ("QS QC", 0),
        ("QC", 0),
        ("QD", -10),
        ("QH QD", -8),
        ("QH QS", 28),
        ("QH QS QC QD", -8),
    ],
)
def test_royal_hearts(judge: Judge, taken: str, points: int) -> None:
    assert judge.score("royal_hearts", [taken, "", "", ""]).points == [points, 0, 0, 0]


@with_both
def test_royal_moons_and_ends(judge: Judge) -> None:
    taken = [ALL, "QD", "QC", ""]
    assert judge.score("royal_hearts", taken, moon="others").points == [0, 16, 26, 26]
    assert judge.score("royal_hearts(moon.amount=52)", taken, moon="others").points == [0, 42, 52, 52]
    assert not judge.score("royal_hearts", PLAIN, totals=[100, 0, 0, 0]).over
    assert judge.score("royal_hearts", PLAIN, totals=[101, 0, 0, 0]).over


@with_both
def test_factors_count_per_copy(judge: Judge) -> None:
    rules = "incredu_hearts(multipliers={TC:2,TD:3@H})"
    won = [7, 7, 6, 6]
    assert judge.score(rules, ["2H QS TC TC TD", "3C", "4C", "5C"], tricks_won=won).points[0] == (3 + 13) * 4
    assert judge.score(rules, ["2H QS TD TD", "3C", "4C", "5C"], tricks_won=won).points[0] == 9 + 13


@with_both
@pytest.mark.parametrize(
    ("rules", "taken", "points"),
    [
        ("omnibus_hearts(multipliers={TC:2}, bonus_floor_hand=true)", "2H JD TC", 0),
        ("omnibus_hearts(multipliers={TC:2}, bonus_floor_hand=true)", "2H 3H 4H JD TC QS", 12),
        ("royal_hearts(bonus_floor_hand=true)", "QD QC QS", 0),
        ("omnibus_hearts(negations={JC:JD}, bonus_floor_hand=true)", "2H JD JC", 1),
        ("joker_hearts(card_values={H:1,QS:13,JK:-5}, bonus_floor_hand=true)", "2H JK", 0),
        ("black_lady(sweeps={QS+KS:QS})", "QS KS 2H", -12),
        ("black_lady(sweeps={QS+KS:QS}, multipliers={TC:3})", "QS KS 2H TC", -36),
        ("black_lady(multipliers={TC:2,QH:3@H})", "QH 2H QS TC", 38),
    ],
)
def test_the_order_of_scoring(judge: Judge, rules: str, taken: str, points: int) -> None:
    """Card values, negations, sweeps and factors come before the floor of the deal."""
    assert judge.score(rules, [taken, "", "", ""]).points == [points, 0, 0, 0]


@with_both
@pytest.mark.parametrize(
    ("rules", "moon", "points"),
    [
        ("partnership_hearts(moon.mode=new)", None, [-26, 0, -26, 0]),
        ("partnership_hearts(moon.mode=choice)", "self", [-26, 0, -26, 0]),
        ("partnership_hearts(moon.mode=choice)", "others", [0, 26, 0, 26]),
        ("partnership_hearts(moon.mode=none)", None, [13, 0, 13, 0]),
        ("partnership_hearts(moon.mode=fixed_self)", None, [26, 0, 0, 0]),
    ],
)
def test_the_moons_of_a_team(judge: Judge, rules: str, moon: str | None, points: list[int]) -> None:
    assert judge.score(rules, [HEARTS, "", "QS", ""], moon=moon).points == points


HOUSE = "complex_hearts(card_values={H:1i,QS:13}, multipliers={TC:1i}, target=50, moon.sign=hurts)"


@with_both
def test_complex_hearts_in_its_house_form(judge: Judge) -> None:
    assert judge.score(HOUSE, ["2H 3H 4H 5H 6H QS TC", "", "", ""]).points[0] == -5 + 13j
    assert judge.score(HOUSE, PLAIN, totals=[30 + 40j, 0, 0, 0]).over
    assert not judge.score(HOUSE, PLAIN, totals=[30 + 39j, 0, 0, 0]).over
    said = judge.score(HOUSE, [ALL, "", "", ""], totals=[0, 10 + 10j, -10 - 10j, 10 - 10j], moon="others")
    assert said.points == [0, 13 + 13j, -13 - 13j, 13 + 13j]
    own = judge.score(HOUSE, [ALL, "", "", ""], totals=[0, 10, 10, 10], moon="self")
    assert own.points == [-13 - 13j, 0, 0, 0]


@with_both
def test_complex_hearts_ranked_by_the_real_part(judge: Judge) -> None:
    rules, totals = "complex_hearts(better=real)", [3 + 50j, -4, 5, -60 - 80j]
    said = judge.score(rules, PLAIN, totals=totals)
    assert (said.over, said.ranking) == (True, [2, 1, 3, 4])  # who is at the target comes last
    assert judge.score("complex_hearts", PLAIN, totals=totals).ranking == [3, 1, 2, 4]


@with_both
@pytest.mark.parametrize(
    ("rules", "taken", "points"),
    [
        ("queens(card_values={H:1,Q:13,QH:14})", "QH 3H", 15),
        ("dirty_hearts", "TD QS 2H", 24),
        ("spot_hearts_129", "JH 5H QS", 41),
        ("high_hearts", "JH 5H QS", 16),
        ("hooligan_hearts", "7C 2H", 8),
        ("small_hearts", "8H 9H TH QS", 10),
        ("small_hearts", "8H 9H TH JH QH KH AH QS", -14),
        ("small_hearts(ranks=[7,8,9,T,J,Q,K,A])", "7H 8H 9H TH JH QH KH AH QS", -15),
        ("five_hundred_hearts(moon.mode=new)", ALL + " 11H 12H", -28),
        ("five_hundred_hearts(moon.mode=new, moon.amount=26)", ALL + " 11H 12H", -26),
        ("omnibus_hearts(moon.mode=new, moon.cards=[H,QS,JD])", ALL, 26),
        ("hooligan_hearts(moon.mode=new)", ALL, 26),
        ("hooligan_hearts(moon.mode=new)", ALL + " 7C", -33),
        ("hooligan_hearts(moon.mode=new, moon.cards=[H,QS])", ALL + " 7C", -19),
        ("pip_hearts(moon.mode=new)", HEARTS, -104),
        ("likha", ALL + " TD", 37),
        ("likha", ALL, 26),
        ("heartsette(card_values={H:1}, moon.mode=none)", ALL, 13),
    ],
)
def test_points_of_further_games(judge: Judge, rules: str, taken: str, points: int) -> None:
    assert judge.score(rules, [taken, "", "", ""]).points == [points, 0, 0, 0]


@with_both
def test_two_packs_are_worth_a_moon_of_52(judge: Judge) -> None:
    rules = "cancellation_hearts(players=5, moon.mode=old)"
    both = " ".join([ALL, ALL])
    assert judge.score(rules, [both, "", "", "", ""]).points == [0, 52, 52, 52, 52]
    assert judge.score(rules, [ALL, HEARTS, "QS", "", ""]).points == [26, 13, 13, 0, 0]


# Moon and sun


@with_both
def test_option_49_the_slate_is_cleaned(judge: Judge) -> None:
    rules, totals = "omnibus_hearts(moon.mode=old, clean_slate=true, no_tricks=-5)", [50, 20, 30, 40]
    said = judge.score(rules, [ALL + " JD", "", "", ""], tricks_won=[13, 0, 0, 0], totals=totals)
    assert (said.points, said.totals) == ([0, 0, 0, 0], [0, 20, 30, 40])
    said = judge.score(rules, [ALL, "JD", "2C", "3C"], tricks_won=[10, 1, 1, 1], totals=totals)
    assert (said.points, said.totals) == ([0, 16, 26, 26], [50, 36, 56, 66])


@with_both
def test_a_clean_slate_may_miss_the_first_trick(judge: Judge) -> None:
    rules, taken, won = "black_lady(moon.mode=new, clean_slate=true", ["2C 3C 4C 5C", ALL, "", ""], [1, 12, 0, 0]
    near = judge.score(f"{rules}, sun_skip_first=true)", taken, tricks_won=won, totals=[9, 9, 9, 9])
    assert near.totals == [9, 0, 9, 9]
    assert judge.score(f"{rules})", taken, tricks_won=won, totals=[9, 9, 9, 9]).totals == [9, -17, 9, 9]


@with_both
def test_a_clean_slate_keeps_no_pledge(judge: Judge) -> None:
    rules = "black_lady(moon.mode=old, clean_slate=true, pledge=10, no_hearts=-3)"
    said = judge.score(rules, [ALL, "", "", ""], tricks_won=[13, 0, 0, 0], totals=[9, 9, 9, 9], pledges=[1])
    assert (said.points, said.totals) == ([0, 0, 0, 0], [0, 9, 9, 9])


@with_both
def test_option_55_reset_or_double(judge: Judge) -> None:
    rules, taken = "omnibus_hearts(moon.mode=reset_or_double)", [ALL, "JD", "", ""]
    said = judge.score(rules, taken, totals=[50, 20, 30, 40], moon="self")
    assert said.totals == [0, 10, 30, 40]
    said = judge.score(rules, taken, totals=[50, 20, 30, 40], moon="others")
    assert said.totals == [50, 20, 60, 80], "the points of the deal are doubled along"


@with_both
def test_option_55_is_asked(judge: Judge) -> None:
    rules = f"black_lady({EIGHT}, moon.mode=reset_or_double)"
    for choice, totals in {"self": [0, 8, 9, 10], "others": [7, 16, 18, 20]}.items():
        table = judge.match(rules, EIGHT_HANDS, totals=[7, 8, 9, 10])
        play_all(table, EIGHT_PLAY)
        assert (table.phase, table.seat, set(table.legal())) == ("moon", 0, {"moon:self", "moon:others"})
        table.play(f"moon:{choice}")
        assert list(table.totals) == totals


@with_both
def test_the_others_score_nothing_beside_a_moon(judge: Judge) -> None:
    taken = [ALL, "JD", "", ""]
    assert judge.score("omnibus_hearts(others_score=false)", taken, moon="others").points == [0, 26, 26, 26]
    assert judge.score("omnibus_hearts(others_score=false)", taken, moon="self").points == [-26, 0, 0, 0]
    assert judge.score("omnibus_hearts(others_score=false)", ["2H", "JD", "", ""]).points == [1, -10, 0, 0]


LONG = f"black_lady({EIGHT}, moon.mode=old, moon.cards=[QS], moon.amount=26, max_deals=6"
"""Somebody shoots in every deal."""


@with_both
@pytest.mark.parametrize(("extends", "deals"), [("off", 1), ("until_next_moon", 2), ("until_moonless_deal", 6)])
def test_option_46_a_moon_keeps_the_match_going(judge: Judge, extends: str, deals: int) -> None:
    table = judge.match(f"{LONG}, moon.extends={extends})", EIGHT_HANDS, totals=[95, 80, 60, 60])
    played = 0
    while not table.over:
        before = table.deal_number
        table.play(sorted(table.legal())[0])
        played += table.over or table.deal_number != before
    assert played == deals


@with_both
@pytest.mark.parametrize(
    ("totals", "after", "over"),
    [([50, 80, 60, 60], [52, 106, 86, 86], True), ([95, 0, 60, 99], [97, 26, 86, 125], False)],
)
def test_option_46_only_a_moon_that_would_lose(judge: Judge, totals: list[int], after: list[int], over: bool) -> None:
    table = judge.match(f"{LONG}, moon.extends=until_next_moon)", EIGHT_HANDS, totals=totals)
    play_all(table, EIGHT_PLAY)
    assert (list(table.totals), table.over) == (after, over)


@pytest.mark.parametrize(("extends", "over"), [("until_moonless_deal", True), ("until_next_moon", False)])
def test_option_46_a_deal_without_a_moon(extends: str, over: bool) -> None:
    rules = f"black_lady(moon.mode=old, moon.extends={extends}, max_deals=30, cycle=[hold])"
    hands = [[rank + suit for rank in "23456789TJQKA"] for suit in "CDHS"]
    match = he.Match.from_hands(rules, hands, totals=[95, 80, 60, 60])
    while match.deal_number == 0:
        match.play(match.legal()[0])
    assert (match.totals, match.over) == ([95, 106, 86, 86], False)
    while match.deal_number == 1 and not match.over:
        match.play(match.legal()[0])
    assert match.shooter is None or not match.over
    assert match.over is over


@with_both
def test_option_46_new_moons_extend_nothing(judge: Judge) -> None:
    rules = LONG.replace("moon.mode=old", "moon.mode=choice") + ", moon.extends=until_next_moon)"
    for choice, over in [("self", True), ("others", False)]:
        table = judge.match(rules, EIGHT_HANDS, totals=[90, 120, 60, 60])
        play_all(table, EIGHT_PLAY)
        table.play(f"moon:{choice}")
        assert table.over is over


# Teams


@with_both
def test_likha_is_lost_by_one_player(judge: Judge) -> None:
    said = judge.score("likha", PLAIN, totals=[101, 99, 0, 100])
    assert (said.over, said.ranking, said.losers) == (True, [3, 1, 3, 1], [0, 2])
    said = judge.score("likha", PLAIN, totals=[101, 103, 0, 0])
    assert (said.over, said.losers) == (True, [1, 3])
    said = judge.score("likha", PLAIN, totals=[101, 101, 5, 9])
    assert (said.over, said.ranking, said.losers) == (True, [1, 3, 1, 3], [1, 3])
    said = judge.score("likha", PLAIN, totals=[101, 101, 7, 7])
    assert (said.over, said.ranking) == (False, [1, 1, 1, 1])
    assert judge.score("likha(tie=share)", PLAIN, totals=[101, 101, 7, 7]).over
    assert not judge.score("likha", PLAIN, totals=[100, 100, 100, 99]).over


@with_both
def test_partners_add_up(judge: Judge) -> None:
    said = judge.score("partnership_hearts", PLAIN, totals=[60, 99, 40, 0])
    assert (said.over, said.ranking, said.losers) == (True, [3, 1, 3, 1], [0, 2])
    assert not judge.score("partnership_hearts", PLAIN, totals=[60, 99, 39, 0]).over
    assert not judge.score("partnership_hearts(target=200)", PLAIN, totals=[150, 10, 49, 0]).over
    even = judge.score("partnership_hearts(tie=continue)", PLAIN, totals=[60, 50, 50, 60])
    assert (even.over, even.ranking) == (False, [1, 1, 1, 1])
    assert judge.score("partnership_hearts", PLAIN, totals=[60, 50, 50, 60]).over


@with_both
def test_partners_at_gong_zhu(judge: Judge) -> None:
    said = judge.score("gong_zhu(teams=[0+2,1+3])", PLAIN, totals=[-600, 100, -400, -900])
    assert (said.over, said.ranking, said.losers) == (True, [3, 1, 3, 1], [0, 2])


@with_both
def test_new_if_old_loses_looks_at_teams(judge: Judge) -> None:
    """A partner with less does not make the shooter a loser; the other team with less does."""
    rules, taken = "partnership_hearts(moon.mode=new_if_old_loses, max_deals=1)", [HEARTS, "", "QS", ""]
    assert judge.score(rules, taken, totals=[51, 0, 0, 0]).points == [0, 26, 0, 26]
    assert judge.score(rules, taken, totals=[53, 0, 0, 0], moon="self").points == [-26, 0, -26, 0]


# Chips and lives


@pytest.mark.parametrize("seed", range(3))
def test_case_42_chips_stay_in_the_game(seed: int) -> None:
    """What the seats hold and what lies in the pool is always the same; nobody clean leaves the pool as it is."""
    match, rng = he.Match("rickety_kate(chips=4, target=none, cycle=[hold], max_deals=40)", seed=seed), Random(seed)
    pools = [0]
    while not match.over:
        number = match.deal_number
        match.play(rng.choice(match.legal()))
        if match.over or match.deal_number != number:
            points = match.deal_points[-1]
            assert sum(match.totals) + match.pool == 16
            shares = {point + 1 for point in points if point != -1}
            clean = sum(point != -1 for point in points)
            assert len(shares) <= 1
            if shares and clean:
                assert shares == {(pools[-1] + 4) // clean}
                assert match.pool == (pools[-1] + 4) % clean
            pools.append(match.pool)
    assert max(pools) > 0
    assert min(match.totals) == 0 or match.deal_number == 39


@with_both
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


@with_both
@pytest.mark.parametrize(
    ("changes", "over", "ranking"),
    [
        ("", True, [4, 3, 1, 2]),
        (", lives_out=rank_last", False, [4, 3, 1, 2]),
        (", lives_out=eliminate", False, [4, 3, 1, 2]),
        (", lives_out=rank_last, max_deals=1", True, [4, 3, 1, 2]),
        (", lives_out=eliminate, max_deals=1", True, [4, 3, 1, 2]),
    ],
)
def test_option_58_a_player_without_lives_is_last(judge: Judge, changes: str, over: bool, ranking: list[int]) -> None:
    rules = f"danger_hearts(lives=1, moon.mode=none{changes})"
    said = judge.score(rules, ["QS 2H 3H", "4H", "5H", "6H"], totals=[0, 90, 20, 30])
    assert (said.over, said.ranking) == (over, ranking)
    assert said.losers == ([0] if over else [])


@with_both
def test_option_58_the_last_with_a_life_wins(judge: Judge) -> None:
    rules = "danger_hearts(lives=1, moon.mode=old, lives_out=eliminate)"
    said = judge.score(rules, [ALL, "", "", ""], totals=[200, 0, 10, 10])
    assert (said.over, said.ranking, said.losers) == (True, [1, 2, 3, 3], [2, 3])


@pytest.mark.parametrize("seed", range(4))
def test_option_58_who_lasted_longer_ranks_ahead(seed: int) -> None:
    rules = "danger_hearts(lives=2, life_threshold=6, lives_out=eliminate, moon.mode=none, cycle=[hold], max_deals=30)"
    match, rng = he.Match(rules, seed=seed), Random(seed)
    history = [match.lives]
    while not match.over:
        number = match.deal_number
        match.play(rng.choice(match.legal()))
        if match.over or match.deal_number != number:
            history.append(match.lives)
            lost = [before > after for before, after in zip(history[-2], history[-1], strict=True)]
            assert lost == [old > 0 and p >= 6 for old, p in zip(history[-2], match.deal_points[-1], strict=True)]
            assert match.over is (sum(life > 0 for life in match.lives) <= 1 or len(history) == 31)
    lasted = [sum(lives[seat] > 0 for lives in history) for seat in range(4)]
    keys = [(-lasted[seat], match.totals[seat]) for seat in range(4)]
    order = sorted(range(4), key=lambda seat: match.ranking[seat])
    assert all(keys[one] <= keys[two] for one, two in pairwise(order))
