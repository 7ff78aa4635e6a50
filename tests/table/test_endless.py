"""A match without an end: it goes on for ever, and what needs an end says so in one line."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import hearts_env as he
from hearts_agents.arena.run import run_arena
from hearts_env.benchmark.domain import of_deals
from hearts_env.explain.page import rules_page
from tests.training.runs import play_of, tiny

GAME = "black_lady(ranks=[J,Q,K,A], passing.count=1, target=none, endless=true, exact={26:-26})"
NO_END = r"^a match of black_lady\(.*end.endless=true.* has no end \(end.endless=true\); "


def test_it_goes_on_for_ever_and_is_replayed() -> None:
    match, rng = he.Match(GAME, seed=3), Random(3)
    while match.deal_number < 60:
        assert not match.over
        match.play(rng.choice(match.legal()))
    assert max(map(abs, match.totals)) > 100
    assert he.Match.replay(match.record()) == match
    assert "The match has no end: deals follow one another until the players stop." in " ".join(
        rules_page(GAME).split()
    )
    assert not of_deals(he.rules(GAME)).end.endless


def mixed(game: str, **options: Any) -> Any:
    return he.mixed_env([game], **options)


@pytest.mark.parametrize("make", [he.env, he.raw_env, he.vector_env, he.text_env, mixed])
def test_an_environment_needs_a_number_of_deals(make: Callable[..., Any]) -> None:
    with pytest.raises(ValueError, match=f"{NO_END}set deals, such as deals=1$"):
        make(GAME, deals=None)
    make(GAME, deals=1).reset(seed=1)


def test_an_arena_plays_deals_and_no_matches() -> None:
    with pytest.raises(ValueError, match=f"{NO_END}play deals, not matches$"):
        run_arena(["rule", "random"], GAME, matches=2)
    assert run_arena(["rule", "random"], GAME, 4).deals == 4


def test_training_is_on_points() -> None:
    with pytest.raises(ValueError, match=f"{NO_END}use objective=points$"):
        tiny(GAME, objective="match")
    learner = tiny(GAME)
    learner.round(0.0)
    assert play_of(learner).deals > 0


def test_openspiel_plays_a_deal_of_it() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    state = pyspiel.load_game("hearts_env", {"variant": GAME}).new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert any(state.returns())
