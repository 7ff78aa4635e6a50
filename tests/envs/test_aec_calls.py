"""The calling order, illegal actions, positions and arrays of the PettingZoo environment."""

from collections.abc import Iterator
from typing import Any

import pytest
from gymnasium import spaces
from pettingzoo.utils import wrappers
from pettingzoo.utils.env_logger import EnvLogger

import hearts_env as he
from tests.support.aec_play import ASKING, ENVS, play_on

HANDS = [list(he.Match("black_lady").game.deck.match(suit)) for suit in "CDHS"]


@pytest.fixture(autouse=True)
def _no_warnings_left_over() -> Iterator[None]:
    EnvLogger.flush()
    yield
    EnvLogger.flush()


def reset_to(env: Any, **options: Any) -> Any:
    """The view of seat 0 after a reset with options."""
    env.reset(seed=1, options=options or None)
    return env.view("player_0")


# Resets


@pytest.mark.parametrize("make_env", ENVS)
def test_reset_sets_a_position(make_env: Any) -> None:
    env = make_env("black_lady", deals=2)
    view = reset_to(env, hands=HANDS, deal_number=5, totals=[1, 2, 3, 4])
    assert (view.hand, view.deal_number, view.totals, view.phase) == (HANDS[0], 5, [1, 2, 3, 4], "play")
    assert env.agent_selection == "player_0"
    play_on(env, 1, 53)
    assert env.view("player_0").deal_number == 6
    play_on(env, 2, 1000)
    assert env.agents == []
    view = reset_to(env, hands=HANDS, passing=True, dealer=2, deal_number=1)
    assert (view.phase, view.direction) == ("pass", "right")
    view, plain = reset_to(env, totals=[99, 0, 0, 0]), reset_to(env)
    assert (view.hand, view.totals, plain.totals) == (plain.hand, [99, 0, 0, 0], [0, 0, 0, 0])
    reset_to(env, hands=HANDS, leader=3)
    assert env.agent_selection == "player_3"


# Arrays


@pytest.mark.parametrize("make_env", ENVS)
def test_arrays_are_the_callers_to_keep_and_to_write_into(make_env: Any) -> None:
    env, untouched = make_env("black_lady", deals=1, tokens=True), make_env("black_lady", deals=1, tokens=True)
    for one in (env, untouched):
        one.reset(seed=1)
    kept = []
    while untouched.agents:
        observation, _, _, _, info = env.last()
        wanted, _, over, _, wanted_info = untouched.last()
        assert all((observation[name] == wanted[name]).all() for name in wanted)
        assert (info["action_mask"] == wanted_info["action_mask"]).all()
        kept.append((wanted, {name: array.tobytes() for name, array in wanted.items()}))
        for array in (*observation.values(), *env.observe("player_2").values()):
            array[:] = 1 - array
        for written in env.infos.values():
            written["action_mask"][:] = 0
        again = env.last()[0]
        assert all((again[name] == wanted[name]).all() for name in wanted)
        for one in (env, untouched):
            one.step(None if over else int(wanted["action_mask"].argmax()))
        assert env._states.tobytes() == untouched._states.tobytes()
        masks = ([one.infos[agent]["action_mask"].tolist() for agent in one.agents] for one in (env, untouched))
        assert next(masks) == next(masks)
    assert all(array.tobytes() == before[name] for arrays, before in kept for name, array in arrays.items())


@pytest.mark.parametrize("make_env", ENVS)
@pytest.mark.parametrize("illegal", [False, True])
def test_after_the_end_every_agent_sees_its_own_observation_and_may_do_nothing(make_env: Any, illegal: bool) -> None:
    env = make_env("black_lady", deals=1)
    env.reset(seed=1)
    while not any(env.terminations.values()):
        mask = env.last()[0]["action_mask"]
        breaks = illegal and make_env is he.env and env.view(env.agent_selection).seat == 2
        env.step(int(mask.argmin() if breaks else mask.argmax()))
    rows = {agent: env.view(agent).observation() for agent in env.agents}
    assert len({row.tobytes() for row in rows.values()}) == 4
    with pytest.raises(ValueError, match="None"):
        env.step(0)
    while env.agents:
        observation, _, termination, truncation, info = env.last()
        assert (termination, truncation) == (True, breaks)
        assert (observation["observation"] == rows[env.agent_selection]).all()
        assert not observation["action_mask"].any()
        assert not info["action_mask"].any()
        env.step(None)


# Illegal actions and the calling order


def wrapped(variant: str) -> Any:
    """The bare environment in PettingZoo's usual wrappers, which `he.env` stands for."""
    env = wrappers.TerminateIllegalWrapper(he.raw_env(variant, deals=1), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


@pytest.mark.parametrize("variant", ["queens", ASKING, "turbo_hearts(cycle=[hold])"])
@pytest.mark.parametrize("steps", [0, 6, 62, 1000])
def test_an_illegal_action_ends_the_episode_as_pettingzoos_wrappers_do(variant: str, steps: int) -> None:
    fused, stack = he.env(variant, deals=1, illegal_reward=-1), wrapped(variant)
    logs: list[list[Any]] = []
    for env in (fused, stack):
        lines: list[Any] = []
        logs.append(lines)
        env.reset(seed=3)
        lines.extend(play_on(env, 3, steps))
        if env.agents and not env.terminations[env.agent_selection]:
            offender = env.agent_selection
            mask = env.last()[0]["action_mask"]
            env.step(int((mask == 0).nonzero()[0][0]))
            lines.append((env.agent_selection, dict(env.rewards), dict(env.terminations), dict(env.truncations)))
            assert env.rewards == {agent: -1.0 if agent == offender else 0.0 for agent in env.possible_agents}
            assert all(env.terminations.values())
        while env.agents:
            _, reward, termination, truncation, _ = env.last()
            lines.append((env.agent_selection, reward, termination, truncation, list(env.agents)))
            env.step(None)
        env.step(None)  # only a warning
        lines.append((env.agents, env.rewards))
        env.reset(seed=4)
        lines.extend(play_on(env, 4, 200))
    assert logs[0] == logs[1]


def test_before_reset_nothing_can_be_used() -> None:
    for env in (he.env("black_lady"), wrapped("black_lady")):
        calls = [lambda env=env: env.step(0), lambda env=env: env.observe("player_0")]
        for call in [*calls, env.last, env.state, env.render, env.agent_iter]:
            with pytest.raises((AssertionError, AttributeError), match="reset"):
                call()
        for name in ("rewards", "terminations", "truncations", "infos", "agent_selection", "num_agents", "agents"):
            with pytest.raises(AttributeError):
                getattr(env, name)
        assert env.possible_agents[0] == "player_0"
        assert env.action_space("player_0") == spaces.Discrete(54)
    for bare in (he.env("likha"), he.raw_env("likha")):
        with pytest.raises(ValueError, match="call reset before hidden"):
            bare.hidden("player_0")
