"""Wrong options, actions and resets of every environment: refused in one line that names them, and nothing changed."""

from typing import Any

import numpy as np
import pytest

import hearts_env as he
from hearts_env.envs.gym import LearnerEnv
from hearts_env.envs.learner import LearnerGames
from tests.support.buffers import everything

ALL: list[Any] = [he.env, he.raw_env, he.vector_env, LearnerEnv, LearnerGames]
OPTIONS: list[tuple[list[Any], dict[str, Any], str]] = [
    (ALL, {"reward": "point"}, "closest is 'points'"),
    (ALL, {"rewards": "points"}, "closest"),
    (ALL, {"timing": "game"}, "timing='game'"),
    (ALL, {"players": 7}, "players, not 7"),
    (ALL, {"player": 5}, "the closest is players"),
    (ALL, {"rewards": "rank"}, "there is no option or rule field 'rewards'; the closest is reward$"),
    (ALL, {"layouts": 5}, "there is no option or rule field 'layouts' here$"),
    *((ALL, {"deals": deals}, f"deals={deals} must be at") for deals in (0, -1, 2**31, 2**32 + 1, 1_000_001)),
    *((ALL, {"first_deal": wrong}, f"first_deal={wrong}") for wrong in (-1, 1.5, True)),
    (ALL, {"first_deal": 4, "max_deals": 4}, "first_deal=4 is not possible.*the deals 0 to 3"),
    *((ALL, {"illegal_reward": wrong}, "illegal_reward=.* a finite number$") for wrong in ("low", float("nan"), True)),
    (ALL, {"team_rewards": True}, "team_rewards needs teams"),
    (ALL[:2], {"render_mode": "rgb"}, "render_mode='rgb'"),
    (ALL[2:3], {"num_envs": 0}, "num_envs=0"),
    (ALL[2:3], {"threads": 0}, "threads=0"),
    (ALL[2:3], {"observations": "int8"}, "observations='int8' is not one of float32, uint8; the closest is 'uint8'"),
    (ALL[3:], {"seat": 4}, "seat=4 is not a seat"),
    (ALL[3:], {"reward": "vector"}, "vector"),
    (ALL[3:], {"opponents": ["rule"] * 2}, "2 opponents; 3 seats"),
    (ALL[3:], {"opponents": object()}, "has a method act"),
    (ALL[3:], {"opponents": "-1*rule; random"}, "a number above 0"),
    (ALL[3:], {"opponents": "ruel"}, "closest is rule"),
    (ALL[4:], {"opponents": lambda: 3}, "has a method act"),
    (ALL[4:], {"opponents": "rule; ("}, "brackets"),
    (ALL[4:], {"seat": "rotate"}, "seat=rotate is not"),
    (ALL[4:], {"autoreset": "sometimes"}, "autoreset=sometimes is not one of same_step"),
    (ALL[3:], {"tokens": True}, "tokens=True"),
    (ALL[2:3], {"illegal_reward": -3}, "illegal_reward is not for vector_env"),
]


@pytest.mark.parametrize(("makers", "options", "words"), OPTIONS)
def test_bad_options_are_named(makers: list[Any], options: dict[str, Any], words: str) -> None:
    for make in makers:
        with pytest.raises(ValueError, match=words) as refusal:
            make("black_lady", **options)
        assert "\n" not in str(refusal.value)


def test_nothing_works_before_reset() -> None:
    games, batch, one = LearnerGames("black_lady", 2), he.vector_env("black_lady", 2), LearnerEnv("black_lady")
    calls = [lambda: one.step(0), games.save, batch.save, batch.hidden]
    for env in (games, batch):
        calls += [lambda env=env: env.step(np.zeros(2, np.int64)), lambda env=env: env.reset(games=[0])]  # type: ignore[misc]  # of one type or the other
    for call in calls:
        with pytest.raises(ValueError, match="call reset"):
            call()


# One game


def all_of(env: Any) -> list[Any]:
    """What an environment of one game shows and would do next."""
    env = getattr(env, "_env", env)
    seen = env.observe(env.agent_selection)
    state = [env._states.tobytes(), str(env._rng.bit_generator.state), *(part.tobytes() for part in seen.values())]
    return [*state, env.rewards, env._cumulative_rewards, env.terminations, env.agents, env.agent_selection]


def begun() -> list[Any]:
    """Every environment of one game, with an episode begun."""
    made: list[Any] = [he.raw_env("black_lady"), he.env("black_lady"), LearnerEnv("black_lady")]
    for env in made:
        env.reset(seed=1)
    return made


WRONG_ACTIONS = [
    0.99, 1.0, 1.5, float("nan"), True, "2C", None, [0], 10**400, -1, 54, np.float64(3), np.array([3]), 2**32,
]  # fmt: skip


@pytest.mark.parametrize("action", WRONG_ACTIONS, ids=lambda action: str(action)[:9])
def test_a_refused_action_changes_nothing(action: Any) -> None:
    raw, checked, gym = made = begun()
    before = [all_of(env) for env in made]
    with pytest.raises(he.IllegalActionError):
        raw.step(action)
    with pytest.raises(AssertionError, match="action is not in action space"):
        checked.step(action)
    with pytest.raises(he.IllegalActionError, match="actions are 0 to 53"):
        gym.step(action)
    assert [all_of(env) for env in made] == before


HANDS = he.Match("black_lady", seed=1).hands
WRONG_RESETS: list[tuple[Any, Any, str]] = [
    (1.5, None, "seed"), (-1, None, "seed"), (2**64, None, "seed"), (True, None, "seed"), ("1", None, "seed"),
    (2, {"totals": [1, 2]}, "totals has 2 entries"), (2, {"totals": [0.5, 0, 0, 0]}, "totals"),
    (None, {"totals": [10**7, 0, 0, 0]}, "totals"), (2, {"totals": [100.0, 0, 0, 0]}, "totals"),
    (None, {"hands": 5}, "."), (2, {"hands": [[1] * 13] * 4}, "."), (2, {"hands": [["2C"]] * 4}, "2C"),
    (2, {"hands": HANDS[:3]}, "3 hands"), (2, {"hands": [hand[:12] for hand in HANDS]}, "12 cards"),
    (2, {"total": [0]}, "'totals'"), (None, {"deal_number": 1.5}, "deal_number"),
    (2, {"deal_number": -1}, "deal_number"), (2, {"dealer": 9}, "dealer"),
    (2, {"leader": 4, "hands": HANDS}, "leader=4"), (2, {"passing": 1}, "passing"),
    (2, [("totals", [0, 0, 0, 0])], "options"),
]  # fmt: skip


@pytest.mark.parametrize(("seed", "options", "words"), WRONG_RESETS)
def test_a_refused_reset_changes_nothing(seed: Any, options: Any, words: str) -> None:
    made = begun()
    before = [all_of(env) for env in made], str(made[2].np_random.bit_generator.state)
    for env in made:
        with pytest.raises((ValueError, TypeError), match=words) as refusal:
            env.reset(seed=seed, options=options)
        assert "\n" not in str(refusal.value)
    assert ([all_of(env) for env in made], str(made[2].np_random.bit_generator.state)) == before


# Many games


@pytest.mark.usefixtures("threads_for_few_games")
def test_a_refused_batch_changes_nothing() -> None:
    env: Any
    for env in (he.vector_env("black_lady", 3, threads=2), LearnerGames("black_lady", 3)):
        env.reset(seed=1)
        right = env.action_masks.argmax(axis=1)
        before = everything(env)
        for wrong in (
            right + 0.99, right.astype(float), right > 0, right.astype(object), list(map(float, right)), right[:2],
            None, right[None], [10**400, 0, 0], right.astype(np.uint64) + np.uint64(2**63), right + 2**32, "abc",
            [[1], [2, 3]], [0, 54, 0], [0, -1, 0],
        ):  # fmt: skip
            with pytest.raises(ValueError, match=r"\S") as refusal:
                env.step(wrong)
            assert "\n" not in str(refusal.value)
            assert everything(env) == before
        env.step(right.astype(np.uint8).tolist())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seed": 1.5}, "seed"),
        ({"seed": [1, 2]}, "seed has 2 entries; 3 games"),
        ({"seed": [1, 2, -3]}, "seed=-3 is out of range"),
        ({"seed": "one"}, "seed=one is not a whole number"),
        ({"options": [{}] * 2}, "options has 2 entries; 3 games"),
        ({"options": [None, {"total": [0, 0, 0, 0]}, None]}, "the closest is 'totals'"),
        ({"options": [None, None, {"totals": [0, 0]}]}, "totals has 2 entries"),
        ({"options": "totals"}, "options=totals is not possible"),
        ({"games": [0, 3]}, "games=3 must be at most 2"),
        ({"games": [1, 1]}, "games names a game twice"),
        ({"games": [True, False]}, "whole numbers are needed"),
        ({"games": [0.5]}, "whole numbers are needed"),
        ({"games": [[0], [1, 2]]}, "is not an array"),
    ],
)
def test_a_refused_reset_of_many_games_changes_nothing(arguments: dict[str, Any], message: str) -> None:
    env = he.vector_env("black_lady", 3)
    env.reset(seed=1)
    before = everything(env)
    with pytest.raises(ValueError, match=message):
        env.reset(**arguments)
    assert everything(env) == before


def test_what_is_no_saved_state_changes_nothing() -> None:
    batch, games = he.vector_env("black_lady", 3), LearnerGames("black_lady", 3)
    for env in (batch, games):
        env.reset(seed=3)
    states, saved = batch.save(), games.save()
    broken = states["states"].copy()
    broken["seat"] = 77
    wrong: list[tuple[Any, Any]] = [
        (batch, {name: array for name, array in states.items() if name != "finals"}),
        (batch, states | {"states": states["states"][:2]}),
        (batch, states | {"rewards": states["rewards"].astype(float)}),
        (batch, states | {"states": broken}),
        (batch, states | {"terminated": None}),
        (games, {name: value for name, value in saved.items() if name != "opponents"}),
        (games, saved | {"seats": np.array([0, 4, 1])}),
        (games, saved | {"players": saved["players"] + 5}),
        (games, saved | {"over": saved["over"][:1]}),
    ]
    for env, one in wrong:
        before = everything(env)
        with pytest.raises(ValueError, match=r"missing|at most|shape|must be an array|is no position"):
            env.restore(one)
        assert everything(env) == before
