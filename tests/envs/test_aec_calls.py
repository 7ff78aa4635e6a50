"""The calling order, illegal actions, positions and rendering of the PettingZoo environment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces
from pettingzoo.utils import wrappers
from pettingzoo.utils.env_logger import EnvLogger

import hearts_env as he
from hearts_env.envs.gym import LearnerEnv
from tests.support.aec_play import ASKING, ENVS, any_action, play_on


@pytest.fixture(autouse=True)
def _no_warnings_left_over() -> Iterator[None]:
    EnvLogger.flush()
    yield
    EnvLogger.flush()


# Resets


def test_seeds_fix_episodes_and_those_that_follow() -> None:
    env, twin = he.raw_env("black_lady"), he.raw_env("black_lady")
    firsts = []
    for one in (env, twin):
        one.reset(seed=5)
        firsts.append([one.state().tobytes()])
        for _ in range(3):
            one.reset()
            firsts[-1].append(one.state().tobytes())
    assert firsts[0] == firsts[1]
    assert len(set(firsts[0])) == 4


def dealt_by_suit() -> list[list[str]]:
    deck = he.Match("black_lady").game.deck
    return [list(deck.match(suit)) for suit in "CDHS"]


@pytest.mark.parametrize("make_env", ENVS)
def test_reset_sets_a_position(make_env: Any) -> None:
    env = make_env("black_lady", deals=2)
    env.reset(seed=1, options={"hands": dealt_by_suit(), "deal_number": 5, "totals": [1, 2, 3, 4]})
    view = env.view("player_0")
    assert (view.hand, view.deal_number, view.totals, view.phase) == (dealt_by_suit()[0], 5, [1, 2, 3, 4], "play")
    assert env.agent_selection == "player_0"
    play_on(env, 1, 53)
    assert env.view("player_0").deal_number == 6
    play_on(env, 2, 1000)
    assert env.agents == []

    env.reset(seed=1, options={"hands": dealt_by_suit(), "passing": True, "dealer": 2, "deal_number": 1})
    assert env.view("player_0").phase == "pass"
    assert env.view("player_0").direction == "right"
    env.reset(seed=1, options={"totals": [99, 0, 0, 0]})
    assert env.view("player_3").totals == [99, 0, 0, 0]
    totals_only = env.view("player_3").hand
    env.reset(seed=1)
    assert env.view("player_3").hand == totals_only
    assert env.view("player_3").totals == [0, 0, 0, 0]
    env.reset(seed=1, options={"hands": dealt_by_suit(), "leader": 3})
    assert env.agent_selection == "player_3"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hands": [["2C"]] * 4}, "2C"),
        ({"hands": dealt_by_suit()[:3]}, "3 hands"),
        ({"hands": [hand[:12] for hand in dealt_by_suit()]}, "12 cards"),
        ({"totals": [1, 2]}, "totals has 2 entries"),
        ({"deal_number": -1}, "deal_number=-1"),
        ({"leader": 4, "hands": dealt_by_suit()}, "leader=4"),
        ({"total": [0, 0, 0, 0]}, "'totals'"),
    ],
)
def test_an_impossible_position_leaves_the_episode_alone(options: dict[str, Any], message: str) -> None:
    env = he.env("black_lady")
    env.reset(seed=1)
    play_on(env, 1, 20)
    before = env.state().tobytes()
    with pytest.raises(ValueError, match=message):
        env.reset(seed=2, options=options)
    assert env.state().tobytes() == before
    untouched = he.env("black_lady")
    untouched.reset(seed=1)
    play_on(untouched, 1, 20)
    assert play_on(env, 3, 200) == play_on(untouched, 3, 200)


@pytest.mark.parametrize("make_env", ENVS)
def test_writing_into_what_is_handed_out_changes_nothing_that_is_handed_out_later(make_env: Any) -> None:
    env, untouched = make_env("black_lady", deals=1), make_env("black_lady", deals=1)
    for one in (env, untouched):
        one.reset(seed=1)
    while untouched.agents:
        for _ in range(2):
            observation, _, _, _, info = env.last()
            assert (info["action_mask"] == untouched.last()[0]["action_mask"]).all()
            for array in (*observation.values(), env.observe("player_2")["observation"]):
                array[:] = 9
        info["action_mask"][:] = 9
        seen, (wanted, _, over, _, _) = env.last()[0], untouched.last()
        assert all((seen[name] == wanted[name]).all() for name in wanted)
        for one in (env, untouched):
            one.step(None if over else int(wanted["action_mask"].argmax()))


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
    while env.agents:
        observation, _, _, _, info = env.last()
        assert (observation["observation"] == rows[env.agent_selection]).all()
        assert not observation["action_mask"].any()
        assert not info["action_mask"].any()
        env.step(None)


@pytest.mark.parametrize("make_env", ENVS)
def test_writing_into_a_mask_changes_nothing(make_env: Any) -> None:
    env, untouched = make_env("black_lady", deals=1), make_env("black_lady", deals=1)
    rng = np.random.default_rng(1)
    for one in (env, untouched):
        one.reset(seed=1)
    for _ in range(40):
        action = any_action(untouched, rng)
        for mask in [env.observe(agent)["action_mask"] for agent in env.agents]:
            mask[:] = 1 - mask
        for info in env.infos.values():
            info["action_mask"][:] = 0
        for one in (env, untouched):
            one.step(action)
        for agent in env.agents:
            assert (env.infos[agent]["action_mask"].sum() > 0) == (agent == env.agent_selection)
            assert (env.observe(agent)["action_mask"] == untouched.observe(agent)["action_mask"]).all()
        assert env._states.tobytes() == untouched._states.tobytes()


def test_bad_arguments() -> None:
    with pytest.raises(ValueError, match="render_mode='rgb'"):
        he.env("black_lady", render_mode="rgb")
    with pytest.raises(ValueError, match="closest is black_lady"):
        he.env("blak_lady")
    with pytest.raises(ValueError, match="reward='wins'"):
        he.raw_env("black_lady", reward="wins")
    with pytest.raises(ValueError, match="players"):
        he.raw_env("black_lady", player=5)


# Illegal actions and the calling order


def test_the_bare_environment_refuses_an_illegal_action() -> None:
    env = he.raw_env("black_lady")
    env.reset(seed=1, options={"hands": dealt_by_suit()})
    env.step(env.game.action("2C"))
    before, row = env._states.tobytes(), env.last()[0]
    for action, message in ((env.game.action("3C"), "seat 1 does not hold 3C"), (54, "action 54"), (-1, "action -1")):
        with pytest.raises(he.IllegalActionError, match=message):
            env.step(action)
    for nothing in (None, 1.5, "2D"):
        with pytest.raises(he.IllegalActionError, match="is not an action"):
            env.step(nothing)  # type: ignore[arg-type]
    assert env._states.tobytes() == before
    assert env.last()[0] is not None
    assert row is not None
    assert env.last()[0]["observation"].tobytes() == row["observation"].tobytes()
    assert env.agent_selection == "player_1"
    assert not any(env.terminations.values())


@pytest.mark.parametrize(
    ("variant", "reasons"),
    [
        (ASKING, ["must choose one of", "must choose a card to play", "does not hold", "it must follow the led suit"]),
        ("likha", ["play.forced_discard requires another card"]),
        ("turbo_hearts", ["it was exposed and may not be played to the first trick of its suit"]),
        ("joker_hearts", ["jokers.lead=never bars it", "play.first_trick_forbidden bars it"]),
        ("heartsette(players=3)", ["hearts are not broken", "opening.card fixes the first lead"]),
        ("cancellation_hearts(players=11)", ["hearts are not broken"]),
        ("black_lady(cycle=[pool], unpassable=[H])", ["passing.unpassable protects it"]),
    ],
)
def test_in_every_phase_an_illegal_action_changes_nothing(variant: str, reasons: list[str]) -> None:
    env, rng = he.raw_env(variant), np.random.default_rng(5)
    env.reset(seed=5)
    told, phases = "", set[str]()
    while env.agents and not (len(phases) > 1 and all(reason in told for reason in reasons)):
        if any(env.terminations.values()):
            break
        seat, mask = int(env._states["seat"][0]), env.last()[0]["action_mask"]
        phases.add(env.view(env.agent_selection).phase)
        before = env._states.tobytes()
        for action in (mask == 0).nonzero()[0]:
            with pytest.raises(he.IllegalActionError, match=rf"\bseat {seat}\b") as refusal:
                env.step(int(action))
            assert env.game.actions[action] in str(refusal.value)
            assert "\n" not in str(refusal.value)
            told += str(refusal.value)
        assert env._states.tobytes() == before
        assert env.agent_selection == f"player_{seat}"
        env.step(any_action(env, rng))
    assert [reason for reason in reasons if reason not in told] == []


def wrapped(variant: str) -> Any:
    """The bare environment in PettingZoo's usual wrappers, which `he.env` stands for."""
    env = wrappers.TerminateIllegalWrapper(he.raw_env(variant, deals=1), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


@pytest.mark.parametrize("variant", ["queens", ASKING, "turbo_hearts(cycle=[hold])", "uk_black_lady(players=7)"])
@pytest.mark.parametrize("steps", [0, 3, 6, 30, 62, 1000])
def test_an_illegal_action_ends_the_episode_as_pettingzoos_wrappers_do(variant: str, steps: int) -> None:
    fused, stack = he.env(variant, deals=1, illegal_reward=-1), wrapped(variant)
    told: list[list[Any]] = []
    for env in (fused, stack):
        lines: list[Any] = []
        told.append(lines)
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
    assert told[0] == told[1]


def test_before_reset_nothing_can_be_used() -> None:
    for env in (he.env("black_lady"), wrapped("black_lady")):
        for call in (
            lambda env=env: env.step(0),
            lambda env=env: env.observe("player_0"),
            lambda env=env: env.last(),
            lambda env=env: env.state(),
            lambda env=env: env.render(),
            lambda env=env: env.agent_iter(),
        ):
            with pytest.raises((AssertionError, AttributeError), match="reset"):
                call()
        for name in ("rewards", "terminations", "truncations", "infos", "agent_selection", "num_agents", "agents"):
            with pytest.raises(AttributeError):
                getattr(env, name)
        assert env.possible_agents[0] == "player_0"
        assert env.action_space("player_0") == spaces.Discrete(54)


def test_actions_outside_the_space() -> None:
    env = he.env("black_lady")
    env.reset(seed=1)
    before = env.state().tobytes()
    for action in (54, -1, 10**30, None, 1.5, "2C"):
        with pytest.raises(AssertionError, match="action is not in action space"):
            env.step(action)  # type: ignore[arg-type]
    assert env.state().tobytes() == before
    assert not any(env.terminations.values())


@pytest.mark.parametrize("kind", [np.int64, np.int32, np.uint8, int])
def test_whole_numbers_of_any_kind_are_actions(kind: Any) -> None:
    for make_env in ENVS:
        env = make_env("black_lady")
        env.reset(seed=1)
        action = int(env.last()[0]["action_mask"].argmax())
        env.step(kind(action))
        assert env.view("player_0").passed == [env.game.actions[action]]


def test_the_loop_must_step() -> None:
    env = he.env("black_lady")
    env.reset(seed=1)
    with pytest.raises(AssertionError, match="step"):  # noqa: PT012 - the second round of the loop raises
        for _ in env.agent_iter():
            env.last()


def test_a_finished_agent_takes_no_action() -> None:
    for make_env in ENVS:
        env = make_env("openspiel")
        env.reset(seed=1)
        while not any(env.terminations.values()):
            play_on(env, 1, 1)
        with pytest.raises(ValueError, match="None"):
            env.step(0)
        assert [env.last()[2], env.last()[3]] == [True, False]
        assert env.observation_space(env.agent_selection).contains(env.last()[0])
        play_on(env, 1, 10)
        assert env.agents == []


# Rendering


def test_ansi_is_returned_human_is_printed_and_none_is_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    env = he.env("black_lady", render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert isinstance(text, str)
    assert "black_lady" in text
    assert capsys.readouterr().out == ""

    human = he.env("black_lady", render_mode="human")
    human.reset(seed=1)
    assert human.render() is None
    assert text in capsys.readouterr().out
    human.step(any_action(human, np.random.default_rng(0)))
    assert "black_lady" in capsys.readouterr().out

    quiet = he.env("black_lady")
    quiet.reset(seed=1)
    assert quiet.render() is None
    assert capsys.readouterr().out == ""
    assert env.metadata["render_modes"] == ["human", "ansi", "rgb_array"]


@pytest.mark.parametrize("make", [he.env, LearnerEnv])
def test_one_seat_s_view_is_shown_where_it_is_asked_for(make: Any) -> None:
    whole, own = (make("black_lady", cycle="hold", render_mode="ansi", **option) for option in ({}, {"render_seat": 2}))
    for env in (whole, own):
        env.reset(seed=1)
    assert "cards" not in whole.render()
    assert own.render().count("13 cards") + own.render().count("12 cards") == 3
    assert "13 cards" not in own.render().splitlines()[5], "the hand of seat 2 is shown"


@pytest.mark.parametrize("seat", [4, -1, "0", 1.5, True])
def test_a_seat_to_show_has_to_exist(seat: Any) -> None:
    for make in (he.env, LearnerEnv):
        with pytest.raises(ValueError, match="render_seat"):
            make("black_lady", render_mode="ansi", render_seat=seat)
