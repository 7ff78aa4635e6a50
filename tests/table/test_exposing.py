"""Cards that are shown in rounds, openly or blind, and wait for their suit to be led."""

import pytest

import hearts_env as he

HANDS = [
    "QS 5C 6D 2S 3S 4S 5S 6S 7S 8S 9S TS JS",
    "2C 3C 4C 6C 7C 8C 9C TC JC QC KC AC 2D",
    "JD AH 3D 4D 5D 7D 8D 9D TD QD KD AD 2H",
    "3H 4H 5H 6H 7H 8H 9H TH JH QH KH KS AS",
]
SERVER = (
    "turbo_hearts(first_trick_forbidden=[H,QS,JD], exposing.lead_lock=true, exposing.rounds=others, "
    "score.sweeps={H+QS:H,2H+H+QS:QS}, moon.mode=none, target=none, max_deals=4)"
)


def dealt(rounds: str) -> he.Match:
    rules = he.rules(SERVER).replace(exposing_rounds=rounds)
    return he.Match.from_hands(rules, [hand.split() for hand in HANDS], dealer=1)


def play(match: he.Match, actions: str) -> list[int]:
    """Show these cards and `-` for no more; the seats that decided."""
    seats = []
    for word in actions.split():
        assert match.phase == "expose"
        assert match.seat is not None
        seats.append(match.seat)
        match.play(f"expose:{'done' if word == '-' else word}")
    return seats


@pytest.mark.parametrize(
    ("rounds", "actions", "seats"),
    [
        ("once", "QS - TC - JD - -", [0, 0, 1, 1, 2, 2, 3]),
        ("others", "- - - -", [1, 2, 3, 0]),
        ("others", "- JD - - QS - TC - - - -", [1, 2, 2, 3, 0, 0, 1, 1, 2, 3, 0]),
        ("others", "- - - QS - - - -", [1, 2, 3, 0, 0, 1, 2, 3]),
        ("all", "- - - QS - - - - -", [1, 2, 3, 0, 0, 1, 2, 3, 0]),
        ("all_blind", "- JD AH - - - - -", [1, 2, 2, 2, 3, 0, 1, 2]),
    ],
)
def test_the_turns(rounds: str, actions: str, seats: list[int]) -> None:
    match = dealt(rounds)
    assert play(match, actions) == seats
    assert match.phase == "play"
    assert he.Match.replay(match.record()) == match


def test_blind_cards_are_revealed_together() -> None:
    match, nothing = dealt("others_blind"), dealt("others_blind")
    play(match, "TC - JD - - QS")
    play(nothing, "- - -")
    for seat, own in ((1, ["TC"]), (2, ["JD"]), (3, []), (0, ["QS"])):
        view = match.view(seat)
        assert view.exposed == own
        assert he.View.from_dict(view.as_dict()) == view
        rows = [one.view(seat).observation() for one in (match, nothing)]
        assert (rows[0] != rows[1]).sum() == len(own)
        if seat in (1, 2):  # it does not know that seat 0 has the queen
            worlds = he.sample_worlds(view, 20, seed=1)
            assert any("QS" in worlds.hands(place)[3] for place in range(20))
    play(match, "- - - -")
    assert all(match.view(seat).exposed == ["TC", "JD", "QS"] for seat in range(4))


def test_a_shown_card_is_not_led_before_its_suit() -> None:
    def legal(rules: str, hand: str, led: str) -> list[str]:
        return he.legal_plays(rules, hand.split(), exposed=["QS"], led_before=list(led))

    assert legal(SERVER, "QS 5C 6D", "C") == ["5C", "6D"]
    assert "QS" in legal("turbo_hearts", "QS 5C 6D", "C")
    assert legal(SERVER, "QS 5H", "C") == ["QS"]
    assert "QS" in legal(SERVER, "QS 5C", "CS")


def test_the_server_pays_a_moon_with_what_was_shown() -> None:
    hearts = [f"{rank}H" for rank in "23456789TJQKA"]
    exposed = ["AH", "QS", "TC"]
    assert he.score_deal(SERVER, [[*hearts, "QS"], ["JD"], ["TC"], []], exposed=exposed).points == (-52, -10, 0, 0)
    assert he.score_deal(SERVER, [[*hearts, "QS", "TC", "JD"], [], [], []], exposed=exposed).points[0] == 4 * -62
    (reading,) = (r.text for r in he.VARIANTS["turbo_hearts"].readings if "public server" in r.text)
    assert he.rules(reading.partition(" by ")[2].partition(". Its")[0]) == he.rules(SERVER)
