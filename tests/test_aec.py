"""The PettingZoo face against PettingZoo's own tests, its wrappers and the batched face."""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pettingzoo
import pytest
from gymnasium import spaces
from pettingzoo.utils import wrappers
from pettingzoo.utils.env_logger import EnvLogger

import hearts_env as he

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # its tests import a game in a way it has deprecated
    from pettingzoo.test import api_test, render_test, seed_test

EVERY_TABLE = [(name, players) for name, variant in he.VARIANTS.items() for players in variant.players]
ASKING = "black_lady(cycle=[left|right|hold], exact={26:-26,13:5}, exact_optional=true, target=40)"
FACES = [he.env, he.raw_env]


@pytest.fixture(autouse=True)
def _no_warnings_left_over() -> Iterator[None]:
    EnvLogger.flush()
    yield
    EnvLogger.flush()


def any_action(env: Any, rng: np.random.Generator) -> int | None:
    """A random legal action of the agent to act, None once it is done."""
    observation, _, termination, truncation, _ = env.last()
    return None if termination or truncation else int(rng.choice(observation["action_mask"].nonzero()[0]))


def play_on(env: Any, seed: int, steps: int) -> list[Any]:
    """What `steps` random steps show; shorter where the episode ends."""
    rng = np.random.default_rng(seed)
    told: list[Any] = []
    for _ in range(steps):
        if not env.agents:
            break
        observation, reward, termination, truncation, info = env.last()
        seen = {name: part.tobytes() for name, part in observation.items()} | {"info": info["action_mask"].tobytes()}
        told.append((env.agent_selection, reward, termination, truncation, seen, dict(env.rewards)))
        env.step(any_action(env, rng))
    return told


# PettingZoo's own tests


@pytest.mark.parametrize(("variant", "players"), EVERY_TABLE)
def test_api(variant: str, players: int, capsys: pytest.CaptureFixture[str]) -> None:
    for face in FACES:
        api_test(face(variant, players=players), num_cycles=30)
    api_test(he.env(variant, players=players, deals=1, reward="relative", timing="trick", tokens=True), num_cycles=70)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("reward", ["points", "relative", "rank", "win"])
def test_api_of_short_episodes(reward: str) -> None:
    api_test(he.env(ASKING, reward=reward), num_cycles=400)
    api_test(he.raw_env("openspiel", reward=reward, timing="trick"), num_cycles=400)


@pytest.mark.parametrize(("variant", "players"), EVERY_TABLE)
def test_seeds(variant: str, players: int) -> None:
    seed_test(lambda: he.env(variant, players=players, deals=1), num_cycles=20)


def test_seeds_of_the_bare_face() -> None:
    seed_test(lambda: he.raw_env(ASKING, tokens=True), num_cycles=500)


@pytest.mark.parametrize("variant", he.VARIANTS)
def test_rendering(variant: str, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda render_mode: he.env(variant, render_mode=render_mode))
    assert "deal 1" in capsys.readouterr().out


# Names


@pytest.mark.parametrize("variant", he.VARIANTS)
def test_every_variant_has_a_module_and_a_registered_name(variant: str) -> None:
    name = f"{variant}_v{he.VARIANTS[variant].version}"
    module = getattr(he, name)
    assert getattr(he, name) is module
    for made in (module.env(), module.raw_env(), pettingzoo.make("aec", f"hearts/{name}")):
        assert made.unwrapped.metadata["name"] == name
        assert made.unwrapped.game.rules == he.rules(variant)
    assert module.env(players=4, target=50).game.rules == he.rules(f"{variant}(players=4, target=50)")


def test_modules_are_imported_by_name() -> None:
    from hearts_env import black_lady_v0

    assert isinstance(black_lady_v0.env(), pettingzoo.AECEnv)
    with pytest.raises(ImportError):
        from hearts_env import black_lady_v99  # noqa: F401
    with pytest.raises(AttributeError, match="black_ladi_v0"):
        he.black_ladi_v0  # noqa: B018


# Rewards and observations


@pytest.mark.parametrize(("reward", "timing"), list(product(["points", "relative", "rank", "win"], ["deal", "trick"])))
@pytest.mark.parametrize("variant", ["omnibus_hearts(players=5)", ASKING])
def test_the_same_play_means_the_same_as_in_the_batched_face(variant: str, reward: str, timing: str) -> None:
    env = he.env(variant, reward=reward, timing=timing, deals=3)
    env.reset(seed=4)
    batch = he.vector_env(variant, 1, reward=reward, timing=timing, autoreset=False)
    batch.reset()
    batch.states[:] = env._states
    rng = np.random.default_rng(4)
    since = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, earned, termination, truncation, info = env.last()
        assert observation is not None
        assert earned == since[agent]
        assert info["action_mask"] is observation["action_mask"] or not observation["action_mask"].any()
        assert not truncation
        action = any_action(env, rng)
        env.step(action)
        if action is None:
            assert termination
            continue
        batch.step(np.array([action]))
        since = {name: (0.0 if name == agent else old) + env.rewards[name] for name, old in since.items()}
        np.testing.assert_array_equal(list(env.rewards.values()), batch.rewards[0])
        seen = env.observe(env.agent_selection)
        assert seen["observation"].tobytes() == batch.observations[0].tobytes()
        assert seen["action_mask"].tobytes() == batch.action_masks[0].tobytes()
        assert all(env.terminations.values()) == bool(batch.terminated[0])
    assert env.agents == []


def test_all_seats_look_at_the_same_table() -> None:
    env = he.env("black_lady", tokens=True)
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(90):
        for agent in env.agents:
            seen = env.observe(agent)
            assert seen["observation"].tobytes() == env.view(agent).observation().tobytes()
            assert seen["action_mask"].tobytes() == env.view(agent).action_mask().tobytes()
            assert env.observation_space(agent).contains(seen)
            assert env.infos[agent]["action_mask"].tobytes() == seen["action_mask"].tobytes()
            assert env.infos[agent]["action_mask"].dtype == np.int8
        assert env.state_space.contains(env.state())
        env.step(any_action(env, rng))


def test_observations_are_the_callers_to_keep() -> None:
    env = he.raw_env("black_lady", tokens=True)
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    kept, copies = [], []
    for _ in range(70):
        kept.append(env.last()[0])
        copies.append(copy.deepcopy(kept[-1]))
        env.step(any_action(env, rng))
    for old, told in zip(kept, copies, strict=True):
        assert old is not None
        assert told is not None
        for name, part in old.items():
            assert part.tobytes() == told[name].tobytes()


def test_spaces_are_the_same_objects_at_every_call() -> None:
    env = he.env("black_lady")
    for agent in env.possible_agents:
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)
    assert env.action_space("player_0") is not env.action_space("player_1")


# Copies


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("steps", [0, 5, 40, 250, 2000])
def test_copies_play_on_alike_and_apart(face: Any, steps: int) -> None:
    env = face(ASKING, tokens=True)
    env.reset(seed=2)
    play_on(env, 2, steps)
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    state = env._states.tobytes()
    told = [play_on(twin, 3, 100) for twin in twins]
    assert env._states.tobytes() == state
    assert told[0] == told[1] == play_on(env, 3, 100)
    for one in (env, *twins):
        one.reset()  # the generator travels too
    assert play_on(env, 5, 30) == play_on(twins[0], 5, 30) == play_on(twins[1], 5, 30)


@pytest.mark.parametrize("face", FACES)
def test_copies_before_reset(face: Any) -> None:
    for twin in (copy.deepcopy(face("queens")), pickle.loads(pickle.dumps(face("queens")))):
        twin.reset(seed=1)
        assert twin.agents


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


@pytest.mark.parametrize("face", FACES)
def test_reset_sets_a_position(face: Any) -> None:
    env = face("black_lady", deals=2)
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


def test_the_bare_face_refuses_an_illegal_action() -> None:
    env = he.raw_env("black_lady")
    env.reset(seed=1, options={"hands": dealt_by_suit()})
    env.step(env.game.action("2C"))
    before, row = env._states.tobytes(), env.last()[0]
    for action, message in ((env.game.action("3C"), "seat 1 does not hold 3C"), (54, "action 54"), (-1, "action -1")):
        with pytest.raises(ValueError, match=message):
            env.step(action)
    for nothing in (None, 1.5, "2D"):
        with pytest.raises(ValueError, match="is not an action"):
            env.step(nothing)  # type: ignore[arg-type]
    assert env._states.tobytes() == before
    assert env.last()[0] is not None
    assert row is not None
    assert env.last()[0]["observation"].tobytes() == row["observation"].tobytes()
    assert env.agent_selection == "player_1"
    assert not any(env.terminations.values())


def wrapped(variant: str) -> Any:
    """The bare face in PettingZoo's usual wrappers, which `he.env` stands for."""
    env = wrappers.TerminateIllegalWrapper(he.raw_env(variant, deals=1), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


@pytest.mark.parametrize("steps", [0, 3, 30, 62, 1000])
def test_an_illegal_action_ends_the_episode_as_pettingzoos_wrappers_do(steps: int) -> None:
    fused, stack = he.env("queens", deals=1), wrapped("queens")
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
    for face in FACES:
        env = face("black_lady")
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
    for face in FACES:
        env = face("openspiel")
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
    assert env.metadata["render_modes"] == ["human", "ansi"]
