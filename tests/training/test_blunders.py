"""The blunder suite: its positions, its verdicts, and the agents' choices in them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import hearts_env as he
from hearts_agents import make_agent
from hearts_env.compiled.game import compile_game
from hearts_env.seat.view import Views
from hearts_training.cli import main
from hearts_training.evaluate.blunders import FILE, GAMES, JUDGE, Spot, draw_spots, find_blunders, spots_of, wrong_of
from hearts_training.evaluate.blunders import replay_spots as replay
from hearts_training.evaluate.blunders_kinds import CERTAIN, JUDGED, KINDS
from hearts_training.evaluate.positions import Positions

RULES = {name: he.rules(name) for name in GAMES}
SUITE = {name: spots_of(rules) for name, rules in RULES.items()}
STORED = [(name, spot) for name, spots in SUITE.items() for spot in spots]
NAMES_OF_JUDGED = {kind.__name__ for kind in JUDGED}


def views_of_kind(kind: str, game: str) -> list[tuple[he.View, set[str]]]:
    """The views of a kind, with their wrong cards."""
    spots = [spot for spot in SUITE[game] if spot.kind == kind]
    views = replay(compile_game(RULES[game]), spots)
    return [(view, {view.game.actions[one] for one in spot.wrong}) for view, spot in zip(views, spots, strict=True)]


def test_three_games_are_stored_with_verdicts() -> None:
    assert FILE.stat().st_size <= 200_000
    for name, spots in SUITE.items():
        counts = Counter(spot.kind for spot in spots)
        assert len([kind for kind, count in counts.items() if count >= 20]) >= 8, name
        assert set(counts) <= set(KINDS)
        for spot, view in zip(spots, replay(compile_game(RULES[name]), spots), strict=True):
            assert [action for action, *_ in spot.verdict] == view.legal_ids()
            assert 0 < len(spot.wrong) < len(view.legal_ids())
            surely, perhaps = (
                set(wrong_of(tuple((one, value + by, error - by) for one, value, error in spot.verdict)))
                for by in (-0.06, 0.06)  # the file has tenths
            )
            assert set(spot.wrong) <= perhaps
            assert surely <= set(spot.wrong) or spot.kind not in NAMES_OF_JUDGED


@pytest.mark.exhaustive
@pytest.mark.release
def test_the_stored_positions_are_drawn_again() -> None:
    drawn = draw_spots(RULES["black_lady"], count=1, judge=make_agent(JUDGE), most=256)
    first = {spot.kind: spot for spot in reversed(SUITE["black_lady"])}
    assert len(drawn) >= 7
    assert [spot[:3] for spot in drawn] == [first[spot.kind][:3] for spot in drawn]


def test_a_spot_is_written_and_read() -> None:
    spot = Spot("takes_hearts", 7, (0, 51), (3,), ((3, 1.5, 0.2), (51, 0.0, 0.0)))
    assert Spot.from_json(spot.kind, *json.loads(json.dumps(spot.to_json()))) == spot


# --- the kinds, by what a player sees -------------------------------------------------------------------------------


def taker(view: he.View, card: str) -> int:
    seats, cards = zip(*view.trick, (view.seat, card), strict=True)
    place = he.trick_winner(view.game.rules, cards)
    assert place is not None
    return int(seats[place])


def queen_on_partner(view: he.View, wrong: set[str]) -> bool:
    return wrong == {"QS"} and taker(view, "QS") == (view.seat + 2) % 4 and sum(map(bool, view.points)) >= 2


def takes_queen(view: he.View, wrong: set[str]) -> bool:
    takers = {card: taker(view, card) == view.seat for card in view.legal()}
    return "QS" in dict(view.trick).values() and wrong == {card for card, own in takers.items() if own}


def misses_bonus(view: he.View, wrong: set[str]) -> bool:
    return "JD" in dict(view.trick).values() and all(taker(view, card) != view.seat for card in wrong)


def gives_up_moon(view: he.View, wrong: set[str]) -> bool:
    seen = {card for _, card in view.played} | set(view.hand)
    out = set(view.game.deck.kinds) - seen
    order = view.game.deck.kinds.index
    higher = [any(other[-1] == card[-1] and order(other) > order(card) for other in out) for card in wrong]
    return (
        not view.trick
        and all(higher)
        and all(point <= 0 for seat, point in enumerate(view.points) if seat != view.seat)
    )


@pytest.mark.parametrize(
    ("check", "game"),
    [
        (queen_on_partner, "partnership_hearts"),
        *((takes_queen, game) for game in ("black_lady", "partnership_hearts")),
        (misses_bonus, "omnibus_hearts"),
        (gives_up_moon, "black_lady"),
    ],
)
def test_kinds_that_need_no_judge(check: Callable[[he.View, set[str]], bool], game: str) -> None:
    found = views_of_kind(check.__name__, game)
    assert len(found) >= 20
    assert all(check(view, wrong) for view, wrong in found)


def test_tempting_cards_of_judged_kinds() -> None:
    for view, wrong in views_of_kind("high_spade", "black_lady"):
        assert wrong & {"KS", "AS"}
        assert "QS" not in {card for _, card in view.played} | set(view.hand)
    for view, wrong in views_of_kind("leads_lone_suit", "black_lady"):
        of_suit = Counter(card[-1] for _, card in view.played) + Counter(card[-1] for card in view.hand)
        assert not view.trick
        assert any(of_suit[card[-1]] == 13 for card in wrong)
    for view, wrong in views_of_kind("covers_for_bonus", "omnibus_hearts"):
        assert "JD" in dict(view.trick).values()
        assert wrong


def test_tempting_cards_of_the_kinds_from_logs() -> None:
    for view, wrong in views_of_kind("clings_to_suit", "black_lady"):
        of_suit = Counter(card[-1] for _, card in view.played) + Counter(card[-1] for card in view.hand)
        assert not view.trick
        assert [seat for seat, points in enumerate(view.points) if points] == [view.seat]
        assert any(of_suit[card[-1]] == 13 for card in wrong)
    for view, wrong in views_of_kind("keeps_low_heart", "black_lady"):
        order = [card for card in view.game.deck.kinds if card[-1] == "H"].index
        held = set(view.game.deck.kinds[26:39]) - {card for _, card in view.played} - set(view.hand)
        assert min(map(order, set(view.legal()) & set(view.game.deck.kinds[26:39]))) < min(map(order, held))
        assert {card[-1] for card in wrong} != {"H"}
    for view, wrong in views_of_kind("creeps_in_hearts", "black_lady"):
        assert {card[-1] for card in view.hand} == {"H"} == {view.trick[0][1][-1]}
        assert view.legal()[0] in wrong
    for view, wrong in views_of_kind("queen_last", "black_lady"):
        assert wrong == set(view.hand) - {"QS"} != set(view.hand)
        assert len(view.hand) == 2
    for view, wrong in views_of_kind("spares_shooter", "black_lady"):
        assert [seat == view.seat for seat, points in enumerate(view.points) if points] == [False]
        assert sum(view.points) >= 13
        assert any(card[-1] == "H" for card in view.legal())
        assert any(card[-1] != "H" for card in wrong)
    for view, wrong in views_of_kind("goes_over", "partnership_hearts"):
        assert len(view.trick) in {1, 2}
        assert any(taker(view, card) == view.seat for card in wrong)
        assert any(taker(view, card) != view.seat and card[-1] == view.trick[0][1][-1] for card in view.legal())


HEARTS = [f"{rank}H" for rank in "23456789"]
CLUBS = [f"{rank}C" for rank in "245678QKA"]


@pytest.mark.parametrize(
    ("kind", "wrong", "right", "hand", "taken", "gone", "trick"),
    [
        ("keeps_loser", "KD", "4C", "4C QD KD AD QS KS AS", HEARTS, HEARTS, []),
        ("keeps_low_heart", "8S", "5H", "6D 7D 8D 5H JH 8S", [], HEARTS[:3], []),
        ("clings_to_suit", "TC", "6D", "3C 9C TC JC 6D 9D", ["QS"], [*CLUBS, "QS"], []),
        ("creeps_in_hearts", "4H", "QH", "4H 6H 8H 9H QH KH", [], HEARTS[:2], ["3H", "2H"]),
    ],
)
def test_blunders_of_logs_are_of_a_kind(
    kind: str, wrong: str, right: str, hand: str, taken: list[str], gone: list[str], trick: list[str]
) -> None:
    game = compile_game(RULES["black_lady"])
    record = replay(game, SUITE["black_lady"][:1]).records.copy()
    seat, action = int(record["seat"][0]), game.actions.index
    record["taken"] = 0
    record["hands"][0, seat, 0], record["taken"][0, seat, 0] = game.mask(hand.split()), game.mask(taken)
    record["played"][0, 0], record["trick_len"], record["led_suit"] = game.mask(gone), len(trick), 2
    record["trick"][0, : len(trick)] = [action(card) for card in trick]
    legal = np.isin(np.arange(len(game.deck.kinds)), [action(card) for card in hand.split()])[None]
    tempting = KINDS[kind](Positions(Views(game, record, check=False), legal))[0]
    assert tempting[action(wrong)]
    assert not tempting[action(right)]


# --- agents ---------------------------------------------------------------------------------------------------------


def test_wrong_choices_are_counted() -> None:
    rules, spots = RULES["partnership_hearts"], SUITE["partnership_hearts"]
    rule, random = (find_blunders(agent, rules, spots) for agent in ("rule", "random"))
    assert [one.kind for one in rule] == list(dict.fromkeys(spot.kind for spot in spots))
    assert rule[0][:5] == ("rule", "queen_on_partner", 50, 0, 0.0)
    for one in random:
        assert one.rate == one.wrong / one.spots
        assert one.rate_se == pytest.approx(np.sqrt(one.rate * (1 - one.rate) / (one.spots - 1)))
    assert sum(one.wrong for one in rule) < sum(one.wrong for one in random)


def test_other_games_have_the_kinds_that_need_no_judge() -> None:
    drawn = draw_spots(he.rules("black_lady(heart_lead=free)"), count=3, most=256)
    assert {spot.kind for spot in drawn} == {"takes_queen", "gives_up_moon"} <= {kind.__name__ for kind in CERTAIN}
    assert not any(spot.verdict for spot in drawn)
    rules = he.rules("black_maria")  # its first trick may have points
    drawn = [spot for spot in draw_spots(rules, count=3, most=256) if spot.kind == "points_on_first_trick"]
    assert len(drawn) == 3
    for view, spot in zip(replay(compile_game(rules), drawn), drawn, strict=True):
        assert len(view.played) == len(view.trick) == view.game.seats - 1
        assert all(taker(view, view.game.actions[one]) == view.seat for one in spot.wrong)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "blunders.json"
    assert main(["evaluate", "rule", "guard", "--only", "blunders", "--json", str(file)]) == 0
    assert "Blunders in black_lady" in capsys.readouterr().out
    found = json.loads(file.read_text())["blunders"]
    assert {tuple(one) for one in found} == {("agent", "kind", "spots", "wrong", "rate", "rate_se")}
    assert {one["agent"] for one in found} == {"rule", "guard"}
    program = "exec:python3 tests/engines/bots/lowest.py"
    for wrong, line in (
        (
            ["rule", "--variant", "cancellation_hearts"],
            "cancellation_hearts has no kinds of positions: they take one pack",
        ),
        ([program], "follows one table at a time; it cannot be asked about single positions"),
    ):
        assert main(["evaluate", *wrong, "--only", "blunders"]) == 2
        assert line in capsys.readouterr().err
