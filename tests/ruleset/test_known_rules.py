"""The rules of places where people play, as texts."""

import pytest

import hearts_env as he
from hearts_env.variants.known import KNOWN, find_known

TYPED = [name for name, known in KNOWN.items() if known.rules is not None]
HEARTS = [f"{rank}H" for rank in "23456789TJQKA"]


def typed(name: str) -> str:
    known = find_known(name)
    assert known is not None
    assert known.rules is not None
    return known.rules


@pytest.mark.parametrize("name", TYPED)
def test_a_deal_of_every_text_is_played(name: str) -> None:
    match = he.Match(typed(name), seed=1)
    while match.deal_number == 0 and not match.over:
        match.play(match.legal()[-1])
    assert len(match.log[0].points or []) == match.rules.players


def test_names_of_places_are_no_variants() -> None:
    for name, known in KNOWN.items():
        assert all([known.title, known.source, known.rules or known.missing])
        with pytest.raises(ValueError, match="there is no variant"):
            he.rules(name)


def test_most_rules_that_people_know_can_be_typed() -> None:
    assert (len(KNOWN), len(TYPED)) == (92, 87)
    assert find_known("no such place") is None
    assert find_known("World of Card Games") is KNOWN["world_of_card_games"]
    with pytest.raises(ValueError, match=r"^the rules of Parlett, Draw Hearts cannot be typed: cards are drawn from"):
        find_known("parlett_draw")


@pytest.mark.parametrize(
    ("name", "taken", "points"),
    [
        ("microsoft", [[*HEARTS, "QS"], [], [], []], [0, 26, 26, 26]),
        ("eliters_spot", [["QS", "2H"], ["JD", "AH"], [], []], [52, -26, 0, 0]),
        ("eliters_spot", [[*HEARTS, "QS"], ["JD"], [], []], [0, 110, 150, 150]),
        ("bicycle_omnibus", [[*HEARTS, "QS", "TD"], [], [], []], [-26, 0, 0, 0]),
        ("bicycle_omnibus", [[*HEARTS, "QS"], ["TD"], [], []], [26, -10, 0, 0]),
        ("gnome", [[*HEARTS, "QS"], [], [], []], [-26, 0, 0, 0]),
        ("chasse_coeur", [["QH", "QS"], ["2H", "QC", "QD"], [], []], [27, 27, 0, 0]),
        ("six_without_twos", [[*HEARTS[1:], "QS"], [], [], [], [], []], [0, 25, 25, 25, 25, 25]),
        ("foster_black_jack", [["JS", "2H"], ["QS"], [], []], [11, 0, 0, 0]),
    ],
)
def test_a_place_scores_as_it_says(name: str, taken: list[list[str]], points: list[int]) -> None:
    assert [*he.score_deal(typed(name), taken).points] == points


def test_the_queen_waits_where_its_rules_say_so() -> None:
    follows, leads = ["QS", "4D", "5H"], ["QS", "4D", "5H"]
    assert he.legal_plays(typed("trickster_queen"), follows, ["2C"]) == ["4D", "5H"]
    assert he.legal_plays(typed("tournament_sheet"), follows, ["2C"]) == ["4D", "5H", "QS"]
    assert he.legal_plays(typed("tournament_sheet"), leads) == ["4D"]
    assert he.legal_plays(typed("trickster"), leads) == ["4D", "QS"]
