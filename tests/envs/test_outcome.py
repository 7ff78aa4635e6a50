"""`outcome`: what happened in an episode, as every environment reports it."""

from typing import Any

import numpy as np
import pytest

import hearts_env as he
from hearts_agents.arena.tables import MEASURES, measure_deals
from hearts_env.envs.gym import LearnerEnv
from hearts_env.envs.outcome import Outcome
from tests.envs.doors import DOORS, Games

RULES = ["black_lady", "partnership_hearts", "complex_hearts", "omnibus_hearts(players=3)"]


def played(env: Any, agent: Any) -> Any:
    """The environment after the end of every game, and the infos of its last step."""
    env.reset(seed=3)
    while (env.seats >= 0).any():
        *_, infos = env.step_with([agent] * env._most_seats)
    return infos


def test_a_batch_reports_what_the_arena_measures_and_how_totals_compare() -> None:
    mixed, shot, stopped = he.mixed_env(RULES, 160, deals=1, autoreset=False), 0, 0
    of_mixed = played(mixed, "shooter")["outcome"]
    for index, text in enumerate(RULES):
        env = he.vector_env(text, 40, deals=1, autoreset=False)
        info, game, ends = played(env, "shooter")["outcome"], env.game, env.finals
        found = dict(env.outcome)
        assert all((info[name] == found[name]).all() for name in found), "in `infos` as well"
        measured = dict(zip(MEASURES, measure_deals(game, ends), strict=True))
        mates = np.equal.outer(game.teams, game.teams)
        assert (found["queens"] == measured["queens"]).all()
        assert (found["attempted"] @ mates == (measured["attempted"] > 0)).all()
        assert (found["stopped"] == found["attempted"] & (measured["shot"] == 0)).all()
        assert (found["shooter"] == ends["shooter"]).all()
        assert (found["tricks"].sum(axis=1) == game.hand_size).all()
        for place in range(40):
            assert found["points"][place].tolist() == game.numbers(ends["scored"][place])
            assert found["totals"][place].tolist() == game.numbers(ends["totals"][place])
        keys = (game.cost_sign * np.abs(found["totals"]) if game.gaussian else found["totals"] * game.cost_sign) @ mates
        assert (found["place"] == 1 + (keys[:, :, None] > keys[:, None, :]).sum(axis=2)).all()
        shot, stopped = shot + (found["shooter"] >= 0).sum(), stopped + found["stopped"].sum()
        own = mixed.final_games == index
        again = Outcome((game,), mixed.finals[own])
        for name, array in again.items():
            assert (of_mixed[name][own][(slice(None), *map(slice, array.shape[1:]))] == array).all()
    assert shot
    assert stopped
    with pytest.raises(KeyError, match="opponents"):
        of_mixed["opponents"]
    assert of_mixed["points"].shape == (160, 11)


@pytest.mark.parametrize("make", DOORS)
def test_a_learner_is_told_at_the_end_who_sat_there(make: type[Games]) -> None:
    door = make("black_lady", 9, opponents="rule; random", seat="rotating", deals=1)
    door.reset(1)
    names, ends = set(), 0
    for step in range(45):
        if step == 30:
            door.games.set_opponents("random")
        seats = door.games.seats.copy()
        ended = np.flatnonzero(door.step(door.games.action_masks.argmax(axis=1)).ended)
        outcome = door.env.outcome
        for game in ended:
            others = [*outcome["opponents"][game]]
            assert others.pop(seats[game]) == ""
            assert len(set(others)) == 1
            assert step < 30 or others[0] == "random"
            names.update(others)
            assert outcome["tricks"][game].tolist() == door.games.finals["tricks_won"][game, :4].tolist()
        ends += len(ended)
    assert names == {"rule", "random"}
    assert ends >= 18


def test_infos_at_the_end_hold_the_outcome() -> None:
    sb3 = pytest.importorskip("hearts_env.envs.sb3").LearnerVecEnv("black_lady", 3, deals=1, first_deal=0)
    sb3.seed(1)
    sb3.reset()
    alone = LearnerEnv("black_lady", deals=1, first_deal=0)
    _, info = alone.reset(seed=1)
    over, infos = False, []
    while not over:
        assert alone.outcome is None
        assert "outcome" not in info
        _, _, over, _, info = alone.step(info["action_mask"].argmax())
        *_, infos = sb3.step(sb3.action_masks().argmax(axis=1))
    assert info["outcome"]["opponents"].tolist() == ["", "random", "random", "random"]
    assert info["outcome"]["points"].tolist() == alone.record["scored"][:4, 0].tolist()
    for game, one in enumerate(infos):
        for name, value in one["outcome"].items():
            assert np.array_equal(value, sb3.outcome[name][game])


@pytest.mark.parametrize("illegal", [False, True])
def test_one_game_reports_its_end(illegal: bool) -> None:
    aec = he.env("black_lady(cycle=[hold])", deals=1)
    assert aec.outcome is None
    aec.reset(seed=1)
    text = he.text_env("black_lady(cycle=[hold])", opponents=None, tries=0)
    _, info = text.reset(seed=1)
    plies = 0
    while not any(aec.terminations.values()):
        assert aec.outcome is text.outcome is None
        mask = aec.action_mask(aec.agent_selection)
        bad = illegal and plies == 4
        aec.step(int(mask.argmin() if bad else mask.argmax()))
        *_, info = text.step("[QQ]" if bad else f"[{text.view().legal()[0]}]")
        plies += 1
    assert aec.outcome is not None
    assert sum(aec.outcome["tricks"]) == (1 if illegal else 13)
    assert sum(info["outcome"]["tricks"]) == (1 if illegal else 13)
    assert info["outcome"]["opponents"] == [""] * 4
    assert "opponents" not in aec.outcome
