"""Text records: what is written is read back equal, and nothing else is read."""

import random

import pytest

import hearts_env as he


def played(match: he.Match, plies: int | None = None, seed: int = 0) -> he.Match:
    """The match, `plies` random actions further (or at its end)."""
    rng = random.Random(seed)
    while not match.over and plies != 0:
        match.play(rng.choice(match.legal()))
        plies = None if plies is None else plies - 1
    return match


def reads_back(match: he.Match) -> bool:
    return he.Match.replay(match.record()) == match


def test_a_kitty_set_in_an_order_keeps_it() -> None:
    dealt = he.Match("heartsette", seed=3)
    order = sorted(dealt.kitty, reverse=True)
    match = he.Match.from_hands("heartsette", dealt.hands, deal_number=2, kitty=order)
    assert match.kitty == order != he.Match.from_hands("heartsette", dealt.hands).kitty
    assert reads_back(match)
    with pytest.raises(ValueError, match=r"kitty=.* is not what the hands leave: "):
        he.Match.from_hands("heartsette", dealt.hands, kitty=order[1:])
    with pytest.raises(ValueError, match=r"line \d+: .* should be the kitty, such as 'kitty 3C 9D'"):
        he.Match.replay("\n".join(line for line in match.record().splitlines() if not line.startswith("kitty ")))


def test_the_record_reads_like_a_game() -> None:
    lines = played(he.Match("black_lady(max_deals=1)", seed=7)).record().splitlines()
    assert lines[:5] == ["hearts-match 1", "rules black_lady(end.max_deals=1)", "seed 7", "", "deal 1, dealer 1"]
    assert lines[5].startswith("seat 0 holds ")
    assert lines[9] == "passing left"
    assert lines[10].startswith("seat 0 passes ")
    assert lines[14].startswith("trick 1: seat ")
    assert " leads 2C " in lines[14]
    assert lines[14].endswith(" takes it")
    assert lines[26].startswith("trick 13: ")
    assert lines[27].startswith("points ")
    assert lines[28] == lines[27].replace("points", "totals")
    assert lines[30].startswith("end: over, places ")


def test_spelling_of_rules_line_ends_and_blank_lines_do_not_matter() -> None:
    match = played(he.Match("black_lady", seed=7), 30)
    text = match.record().replace("rules black_lady", "rules Hearts").replace("seed 7", "seed 07")
    assert he.Match.replay("\n\n" + text.replace("\n", "\r\n \n")) == match


def test_the_log_says_what_was_decided_when() -> None:
    match = played(he.Match("black_lady(cycle=[left|right])", seed=7), 0)
    assert match.log[0].direction is None
    match.play("direction:right")
    played(match, 4 * 3 + 4 + 1)
    deal = match.log[0]
    assert deal.direction == "right"
    assert deal.phases == ["direction"] + ["pass"] * 12 + ["play"] * 5
    assert deal.trick_ends == [1 + 12 + 4]
    assert deal.totals_after is deal.points is None
    copy = match.clone()
    played(match, 60)
    assert deal.totals_after == deal.points == match.totals
    assert len(deal.trick_ends) == 13
    assert copy.log[0].trick_ends == [1 + 12 + 4]


RECORD = played(he.Match("black_lady(target=1)", seed=7)).record()
LINES = RECORD.splitlines()


def test_a_record_without_its_last_lines_is_torn() -> None:
    for cut in (cut for cut in range(1, len(LINES)) if LINES[cut - 1]):
        words = rf"^line {cut + 1}: the record breaks off here; next should come [^\n]*$"
        with pytest.raises(ValueError, match=words):
            he.Match.replay("\n".join(LINES[:cut]))


@pytest.mark.parametrize("text", ["", "\n\n", "\0\1\2", "{}", "hearts-match", "hearts-match 1", RECORD + "more"])
def test_foreign_text_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(ValueError, match=r"^line \d+: [^\n]+$"):
        he.Match.replay(text)


def test_a_record_cut_anywhere_is_refused_in_one_line() -> None:
    for cut in range(5, len(RECORD) - 1, 37):
        test_foreign_text_is_refused_in_one_line(RECORD[:cut])


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("hearts-match 1", "hearts-match 2", 1, "version 2; version 1 is needed"),
        ("hearts-match 1", '[Event "Casual"]', 1, "no record of a match"),
        ("rules black_lady", "rules black_lad", 2, "no variant 'black_lad'"),
        ("rules black_lady", "black_lady", 2, "should be the rules"),
        ("seed 7", "seed 99999999999999999999", 3, "out of range"),
        ("seed 7", "seed -7", 3, "should be the seed"),
        ("deal 1, dealer 1", "deal one", 5, "should be the first deal"),
        ("deal 1, dealer 1", "deal 1, dealer 2", 5, "which gives 'deal 1, dealer 1'"),
        (LINES[5], LINES[5][:-2] + "QD", 6, "does not agree with the game"),
        ("passing left", "passing right", 10, "does not agree"),
        ("seat 0 passes", "seat 1 passes", 11, "does not agree"),
        (LINES[10], "seat 0 passes 2C 2D 2S", 11, "seat 0 does not hold 2C"),
        (LINES[10], "seat 0 passes QZ 2D 2S", 11, "is not a card"),
        ("trick 2:", "trick 3:", 16, "does not agree"),
        (LINES[14], LINES[14].replace(" takes it", " takes them"), 15, "no line of a record"),
        (LINES[14], LINES[14].replace("2C", "AC"), 15, "AC"),
        (LINES[14], LINES[14].split(";")[0] + "; seat 9 takes it", 15, "does not agree"),
        ("points ", "points 1 ", 28, "does not agree"),
        ("totals ", "sums ", 29, "no line of a record"),
        ("end: over", "end: over, and\nmore", 32, "no line of a record"),
    ],
)
def test_a_record_that_is_changed_is_refused_at_the_line(old: str, new: str, line: int, words: str) -> None:
    assert old in RECORD
    with pytest.raises(ValueError, match=rf"^line {line}: [^\n]*$") as caught:
        he.Match.replay(RECORD.replace(old, new, 1))
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("totals before 0 0 0 0\n", "", "line 6: .* should be the totals"),
        ("seat 2 holds", "seat 2 had", "line 9: .* should be the hand"),
        ("seat 2 holds ", "seat 2 holds 2C ", "line 5: 2C occurs 2 times"),
        ("leader 1", "leader 7", "line 5: leader=7 is not a seat"),
        ("deal 1", "deal 0", "line 5: deal_number=-1"),
        ("totals before 0 0 0 0", "totals before 0 0 0", "line 5: totals has 3 entries"),
        ("totals before 0", "totals before 9999999999", "line 6: .* should be the totals"),
    ],
)
def test_an_impossible_position_is_refused(old: str, new: str, words: str) -> None:
    hands = he.Match("black_lady", seed=3).hands
    text = he.Match.from_hands("black_lady", hands, leader=1).record()
    assert old in text
    with pytest.raises(ValueError, match=words):
        he.Match.replay(text.replace(old, new, 1))
