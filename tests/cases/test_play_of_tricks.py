"""Tricks played card by card, put to engine and oracle: the worked cases (D.) and options (A., B.) of RULES.md."""

import pytest

from tests.support.judges import Judge, both_judges, deal_out, pass_low, play_all

pytestmark = both_judges()

INCREDU = "break_by=hearts_or_qs, break_event=discarded, lead_exception=hearts_plus_penalty"
COMPLEX = "break_by=hearts_or_qs"
BREAKING = {0: "JC QD KD JS", 1: "QC AD JH QH", 2: "KC AC KH KS", 3: "JD QS AH AS"}
BREAKING_PACK = "ranks=[J,Q,K,A], passing.cycle=[hold]"


def _after(judge: Judge, changes: str, cards: str) -> set[str]:
    """What seat 2, on lead, may play after these cards of the deal above."""
    rules = f"black_lady({BREAKING_PACK}, {changes})"
    table = judge.match(rules, deal_out(rules, BREAKING))
    play_all(table, cards)
    assert table.seat == 2
    return set(table.legal())


@pytest.mark.parametrize(
    ("changes", "led"),
    [
        ("break_by=hearts", {"KS"}),
        (INCREDU, {"KH", "KS"}),
        (COMPLEX, {"KH", "KS"}),
        ("break_by=any_penalty", {"KH", "KS"}),
        ("break_by=any_penalty, break_event=discarded", {"KH", "KS"}),
        ("break_by=any_penalty, card_values={H:1}", {"KS"}),
        ("break_by=qs", {"KH", "KS"}),
        ("break_by=qs, heart_lead=never", {"KS"}),
    ],
)
def test_case_8_the_queen_discarded_on_a_club(judge: Judge, changes: str, led: set[str]) -> None:
    assert _after(judge, changes, "JC QC KC JD AC QS QD AD") == led


@pytest.mark.parametrize(
    ("changes", "led"),
    [
        ("break_by=hearts", {"AC"}),
        (INCREDU, {"AC"}),
        (COMPLEX, {"AC", "KH"}),
        ("break_by=any_penalty", {"AC", "KH"}),
        ("break_by=any_penalty, break_event=discarded", {"AC"}),
        ("break_by=qs", {"AC", "KH"}),
        ("break_by=qs, break_event=discarded", {"AC"}),
    ],
)
def test_case_9_the_queen_played_under_a_spade(judge: Judge, changes: str, led: set[str]) -> None:
    assert _after(judge, changes, "JC QC KC JD KS QS JS AD") == led


@pytest.mark.parametrize(("changes", "led"), [("break_by=hearts", {"KH", "KS"}), ("break_by=qs", {"KS"})])
def test_option_16_a_heart_discarded_on_a_club(judge: Judge, changes: str, led: set[str]) -> None:
    assert _after(judge, changes, "JC QC KC JD AC AH QD AD") == led


@pytest.mark.parametrize("by", ["hearts", "hearts_or_qs", "any_penalty", "qs"])
@pytest.mark.parametrize("event", ["played", "discarded"])
def test_case_10_the_jack_of_diamonds_breaks_nothing(judge: Judge, by: str, event: str) -> None:
    changes = f"break_by={by}, break_event={event}, card_values={{H:1,QS:13,JD:-10}}"
    assert _after(judge, changes, "JC QC KC JD") == {"AC", "KS"}


DEAD = (
    "cancellation_hearts(players=6, ranks=[9,T,J], removed=[], card_values={H:1}, moon.mode=none, cycle=[hold],"
    "leader=left_of_dealer, opening.card=any, heart_lead=free, first_trick_forbidden=[], max_deals=1"
)
DEAD_HANDS = ["JC 9D 9D 9H", "JC JD TD 9H", "TC TD JD JH", "TC JS JS JH", "9C TS TS TH", "9C 9S 9S TH"]


@pytest.mark.parametrize(("last", "taker"), [("leader", 2), ("second_of_top_pair", 3)])
def test_cases_23_and_26_dead_tricks_roll_over(judge: Judge, last: str, taker: int) -> None:
    table = judge.match(f"{DEAD}, dead_last_trick={last})", [hand.split() for hand in DEAD_HANDS], leader=0)
    play_all(table, "JC JC TC TC 9C 9C")
    assert table.seat == 0, "nobody won: the same seat leads"
    assert not any(table.taken)
    play_all(table, "9D JD TD JS TS 9S")
    assert table.seat == 1
    assert [len(cards) for cards in table.taken] == [0, 12, 0, 0, 0, 0]
    play_all(table, "TD JD JS TS 9S 9D")
    assert table.seat == 2
    play_all(table, "JH JH TH TH 9H 9H")
    assert list(table.totals) == [6 * (seat == taker) for seat in range(6)]


def test_case_26_a_dead_last_trick_takes_the_rolled_cards_along(judge: Judge) -> None:
    hands = ["9C JH", "9C JH", "TC TH", "TC TH", "JC 9H", "JC 9H"]
    rules = DEAD + ", removed=[9D,9D,TD,TD,JD,JD,9S,9S,TS,TS,JS,JS])"
    rules = rules.replace(" removed=[],", "")
    for last, taker in [("leader", 4), ("second_of_top_pair", 1)]:
        varied = rules.replace(")", f", dead_last_trick={last})")
        table = judge.match(varied, [hand.split() for hand in hands], leader=4)
        play_all(table, "JC JC 9C 9C TC TC 9H 9H JH JH TH TH")
        assert list(table.totals) == [6 * (seat == taker) for seat in range(6)]


NINES = "ranks=[8,9,T,J], card_values={H:1}, moon.mode=none, cycle=[hold], first_trick_forbidden=[], max_deals=1"
NINES_HANDS = ["8C 9C 8D 8S", "TC TD TH TS", "JC JD JH JS", "9H 9D 9S 8H"]


def test_cases_28_and_29_any_nine_extends(judge: Judge) -> None:
    table = judge.match(f"booster_nines({NINES})", [hand.split() for hand in NINES_HANDS])
    play_all(table, "8C TC JC 9H")
    assert (table.seat, table.leader, list(table.legal())) == (0, 0, ["9C"]), "one more each, following suit"
    play_all(table, "9C TD JD 9D")
    assert (table.seat, len(table.taken[2])) == (2, 8), "a nine in the second round does not extend again"
    play_all(table, "JS 9S 8S TS JH 8H 8D TH")
    assert table.over
    assert list(table.totals) == [0, 0, 4, 0]


def test_cases_29_and_30_a_nine_of_the_led_suit_extends(judge: Judge) -> None:
    table = judge.match(f"booster_nines({NINES}, extend_when=led_suit)", [hand.split() for hand in NINES_HANDS])
    play_all(table, "8C TC JC 9H")
    assert (table.seat, len(table.taken[2])) == (2, 4), "the nine was of another suit"
    play_all(table, "JS 9S 8S TS JH 8H 8D TH")
    assert (table.seat, len(table.taken[2])) == (2, 12)
    play_all(table, "JD 9D 9C TD")
    assert table.over, "no card is left to extend the last trick with"


def test_the_first_trick_ban_covers_the_second_round(judge: Judge) -> None:
    rules = f"booster_nines({NINES})".replace("first_trick_forbidden=[]", "first_trick_forbidden=[H]")
    hands = ["8C 9C 8D 8S", "TC TD TH TS", "JC JD JH JS", "9D 9S 9H 8H"]
    table = judge.match(rules, [hand.split() for hand in hands])
    play_all(table, "8C TC JC 9D 9C")
    assert set(table.legal()) == {"TD", "TS"}


SIXTEEN = (
    "ranks=[Q,K,A], cycle=[hold], moon.mode=none, first_trick_forbidden=[], leader=left_of_dealer, opening.card=any,"
    "max_deals=1"
)
SIXTEEN_HANDS = ["JK AD AS KS", "JK QC KC AC", "QH QS JK KD", "QD KH AH JK"]


def test_option_25_the_call(judge: Judge) -> None:
    hands = [hand.split() for hand in SIXTEEN_HANDS]
    rules = f"joker_hearts({SIXTEEN}, jokers.lead=call)"
    table = judge.match(rules, hands, leader=0)
    table.play("JK")
    assert (table.phase, table.seat) == ("suit", 0)
    assert list(table.legal()) == ["suit:C", "suit:D", "suit:S"], "hearts are not broken"
    table.play("suit:D")
    assert (table.phase, table.seat) == ("play", 1)
    assert set(table.legal()) == {"JK", "QC", "KC", "AC"}
    table.play("AC")
    assert set(table.legal()) == {"JK", "KD"}
    play_all(table, "KD QD")
    assert table.seat == 2
    free = judge.match(rules.replace("lead=call", "lead=call, heart_lead=free"), hands, leader=0)
    free.play("JK")
    assert list(free.legal()) == ["suit:C", "suit:D", "suit:H", "suit:S"]


@pytest.mark.parametrize(("scores", "points"), [("always", 36), ("heart_trick", 21)])
def test_option_26_penalty_jokers(judge: Judge, scores: str, points: int) -> None:
    rules = f"joker_hearts({SIXTEEN}, jokers.scores={scores}, card_values={{H:1,QS:13,JK:5}}, heart_lead=free)"
    hands = ["AC AH AD AS", "JK KC KD KS", "KH JK QD QS", "QC QH JK JK"]
    table = judge.match(rules, [hand.split() for hand in hands], leader=0)
    play_all(table, "AC JK JK QC AH KC KH JK AD KD QD JK AS KS QS QH")
    assert list(table.totals) == [points, 0, 0, 0]


def test_jokers_break_hearts_only_where_they_cost(judge: Judge) -> None:
    rules = f"joker_hearts({SIXTEEN}, break_by=any_penalty, card_values={{H:1,QS:13"
    hands = [hand.split() for hand in ["AC AH AD KS", "JK QC KC AS", "JK JK QH KD", "QD KH QS JK"]]
    for points, legal in [("", {"AD", "KS"}), (",JK:1", {"AH", "AD", "KS"})]:
        table = judge.match(f"{rules}{points}}})", hands, leader=0)
        play_all(table, "AC KC JK QD")
        assert (table.seat, set(table.legal())) == (0, legal)


def test_the_order_of_exposing(judge: Judge) -> None:
    rules = "turbo_hearts(ranks=[T,J,Q,A], extend_rank=T, cycle=[hold])"
    hands = ["TC QC AH QS", "JC TD QD AD", "TH JH QH JD", "AC TS JS AS"]
    table = judge.match(rules, [hand.split() for hand in hands])
    assert (table.phase, table.seat) == ("expose", 0)
    assert set(table.legal()) == {"expose:TC", "expose:AH", "expose:QS", "expose:done"}
    table.play("expose:AH")
    assert (table.seat, set(table.legal())) == (0, {"expose:TC", "expose:QS", "expose:done"})
    play_all(table, "expose:TC expose:QS")
    assert set(table.legal()) == {"expose:done"}
    table.play("expose:done")
    assert (table.seat, list(table.legal())) == (1, ["expose:done"])
    table.play("expose:done")
    assert (table.seat, set(table.legal())) == (2, {"expose:JD", "expose:done"})
    play_all(table, "expose:done expose:done")
    assert sorted(table.exposed) == ["AH", "QS", "TC"]
    assert (table.phase, table.seat, list(table.legal())) == ("play", 0, ["TC"]), "the lock is waived for the opening"


def test_option_19_such_a_lead_breaks_hearts(judge: Judge) -> None:
    rules = (
        "black_lady(ranks=[Q,K,A], players=3, cycle=[hold], opening.card=any, break_event=discarded,"
        "lead_exception=hearts_plus_penalty, first_trick_forbidden=[])"
    )
    table = judge.match(rules, deal_out(rules, {0: "QS QH KC KD", 1: "AH AC QC AD", 2: "KH KS AS QD"}), leader=1)
    play_all(table, "QC AS KC")
    play_all(table, "KD AD QD")
    assert set(table.legal()) == {"AC"}
    play_all(table, "AC KS QS")
    assert set(table.legal()) == {"AH"}


def test_option_20_the_opener_may_come_with_the_pass(judge: Judge) -> None:
    hands = deal_out("black_lady", {0: "2C 3C 4C"})
    table = judge.match("black_lady", hands, passing=True)
    play_all(table, "2C 3C 4C")
    pass_low(table)
    assert (table.seat, list(table.legal())) == (1, ["2C"])
