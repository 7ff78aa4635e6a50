"""The messages to an external program: enough to rebuild its seat's view, and no more."""

from __future__ import annotations

import json
from collections.abc import Iterable
from random import Random
from typing import Any

import numpy as np
import pytest

import hearts_env as he
from hearts_agents.engines.messages import Message, read_line, write_line
from hearts_agents.engines.replica import Replica
from hearts_agents.engines.view_diff import ViewDiff
from hearts_env.compiled.game import Game
from hearts_env.kernel.batch import step_all
from hearts_env.kernel.records import Phase
from hearts_env.play.view import View, view_of
from tests.support.engine_deals import TOLD, first_deal
from tests.support.games import SHOWN


def seen(view: View) -> bytes:
    """The record of a view as bytes."""
    return np.array([view.record]).tobytes()


def apply_all(replica: Replica, messages: Iterable[Message]) -> None:
    for message in messages:
        replica.apply(read_line(write_line(message)))


def check_replicas(game: Game, states: Any, random: Random) -> set[str]:
    """Play a deal at random; each seat's view rebuilt from its messages is its view. Returns the phases met."""
    diffs = [ViewDiff(game, seat) for seat in range(game.seats)]
    replicas = [Replica(game, seat) for seat in range(game.seats)]
    phases = set()
    while states["phase"][0] != Phase.OVER:
        seat = int(states["seat"][0])
        view = view_of(game, states, seat)
        apply_all(replicas[seat], [*diffs[seat].events(view), diffs[seat].request(view, 1, 1)])
        assert seen(replicas[seat].view()) == seen(view)
        assert replicas[seat].view().legal() == view.legal()
        phases.add(view.phase)
        step_all(states, game.tables, np.array([random.choice(view.legal_ids())], np.int64))
    for seat, replica in enumerate(replicas):
        view = view_of(game, states, seat)
        apply_all(replica, list(diffs[seat].events(view)))
        assert seen(replica.view()) == seen(view)
    return phases


@pytest.mark.parametrize("rules", TOLD)
def test_a_view_can_be_rebuilt_from_its_messages(rules: str) -> None:
    for number in range(2):
        check_replicas(*first_deal(rules, seed=number, number=number), Random(number))


@pytest.mark.parametrize(
    ("rules", "totals", "phase"),
    [
        ("black_lady(exact={26:-26,13:5}, exact_optional=true)", [20, 12, 22, 0], "exact"),
        ("black_lady(ranks=[Q,K,A], passing.count=1, moon.mode=choice, target=60)", [0, 0, 0, 0], "moon"),
        ("joker_hearts(players=3, jokers.lead=call)", [10, 20, 30], "suit"),
        ("black_lady(cycle=[left|right*2|hold])", [10, 20, 30, 40], "direction"),
        (f"gong_zhu({SHOWN}, pledge=50)", [-10, 20, 30, 40], "expose"),
        (f"gong_zhu({SHOWN}, pledge=50)", [-10, 20, 30, 40], "pledge"),
    ],
)
def test_a_view_can_be_rebuilt_in_every_phase(rules: str, totals: list[int], phase: str) -> None:
    for seed in range(100):
        if phase in check_replicas(*first_deal(rules, seed, totals), Random(seed)):
            return
    pytest.fail(f"no deal came to phase {phase}")


def test_a_deal_that_was_set_by_hand_can_be_sent() -> None:
    hands = he.Match("black_lady", seed=3).hands
    for leader in (None, 2):
        match = he.Match.from_hands("black_lady", hands, leader=leader, totals=[5, 6, 7, 8], dealer=1, deal_number=2)
        state = match.state
        state["deal_limit"] = 3
        assert check_replicas(match.game, state, Random(0)) == {"play"}


def test_a_match_is_sent_deal_by_deal_even_if_the_ends_of_deals_are_not_shown() -> None:
    match = he.Match("complex_hearts", seed=5)
    diff, replica = ViewDiff(match.game, 0), Replica(match.game, 0)
    told: list[Message] = []
    random = Random(5)
    while not match.over and match.deal_number < 3:
        view = match.view(match.seat or 0)
        if view.seat == 0:
            sent = [*diff.events(view), diff.request(view, 1, 1)]
            apply_all(replica, sent)
            told += sent
            np.testing.assert_array_equal(replica.view().observation(), view.observation())
            assert replica.view().legal() == view.legal()
            assert replica.view().played == view.played
            assert replica.view().record["deal_limit"] == view.record["deal_limit"] == 0
        match.play(random.choice(match.legal()))
    deals = [message for message in told if message["type"] == "deal"]
    scores = [message for message in told if message["type"] == "score"]
    assert [deal["number"] for deal in deals] == [0, 1, 2]
    assert [score["totals"] for score in scores] == [deal["totals"] for deal in deals[1:]]


def test_complex_scores_are_sent_as_text() -> None:
    game, states = first_deal("complex_hearts", seed=0, totals=[complex(0, 13), -26 + 10j, 7, 0])
    view = view_of(game, states, int(states["seat"][0]))
    deal = next(ViewDiff(game, view.seat).events(view))
    assert deal["type"] == "deal"
    assert deal["totals"] == ["13i", "-26+10i", "7", "0"]


def test_messages_contain_no_hidden_cards() -> None:
    game, states = first_deal("black_lady", seed=4)
    hidden = {card for seat in (1, 2, 3) for card in he.Match("black_lady", 4).hands[seat]}
    view = view_of(game, states, 0)
    text = json.dumps([*ViewDiff(game, 0).events(view), ViewDiff(game, 0).continues(view)])
    assert not [card for card in hidden if f'"{card}"' in text]
