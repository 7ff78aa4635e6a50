"""The batched face: rows are single games, buffers stay in place, rewards add up, threads and seeds change nothing."""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import hearts_env as he
from hearts_env.compiled.game import Game
from hearts_env.envs.slices import Slices
from hearts_env.kernel.records import STATE, Phase
from tests.support.buffers import BUFFERS, everything

REWARDS = ("points", "relative", "rank", "win")
TABLES = [
    "black_lady",
    "black_lady(players=3)",
    "black_lady(players=6, moon.mode=new)",
    "omnibus_hearts(bonus_floor_total=true)",
    "black_maria(players=5)",
    "rickety_kate(big_moon_deals=1, big_moon_effect=fixed100)",
    "spot_hearts",
    "pip_hearts(moon.mode=fixed_self)",
    "four_five_four",
    "queens",
    "openspiel(no_tricks=-5)",
    "black_lady(cycle=[left|right|hold], exact={26:-26,13:5}, exact_optional=true)",
    "black_lady(ranks=[Q,K,A], passing.count=1, target=60)",
    "black_lady(players=5, chips=4, target=none, moon.mode=none)",
    "cancellation_hearts(players=6, target=60)",
    "turbo_hearts(target=60)",
    "heartsette(players=5, kitty_award=one_per_trick, target=60)",
    "danger_hearts(lives=1)",
    "joker_hearts(jokers.lead=call, target=60)",
    "partnership_hearts(target=80)",
    "likha(target=70)",
    "gong_zhu(lower_target=-300, exposing.cards={AH:H,QS:QS})",
    "math_team_hearts",
    "complex_hearts",
    "complex_hearts(score.better=real)",
]


def finish(env: he.VectorEnv, seed: int) -> NDArray[np.float64]:
    """Play every game to its end at random; what every seat was paid in all, (n, seats)."""
    assert not env.autoreset
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    paid = np.zeros(env.rewards.shape)
    while (env.states["phase"] != Phase.OVER).any():
        paid += env.step(env.sample_actions(rng))[1]
    return paid


# A row is a game


@pytest.mark.parametrize("text", TABLES)
def test_a_row_is_a_single_game(text: str) -> None:
    env = he.vector_env(text, 4, deals=2, first_deal=0)
    env.reset(seed=5)
    rng = np.random.default_rng(5)
    matches = [he.Match(env.game.rules, seed=int(seed)) for seed in env.states["seed"]]
    ended = 0
    while ended < 4:
        actions = env.sample_actions(rng)
        for row, match in enumerate(matches):
            seat = int(env.seats[row])
            assert seat == match.seat
            assert env.observations[row].tobytes() == match.view(seat).observation().tobytes()
            assert [env.game.actions[action] for action in env.action_masks[row].nonzero()[0]] == match.legal()
            match.play(int(actions[row]))
        env.step(actions)
        for row, match in enumerate(matches):
            over = match.over or len(match.deal_points) == 2
            assert env.terminated[row] == over
            if over:
                ended += 1
                assert env.game.numbers(env.finals["scored"][row]) == match.deal_points[-1]
                assert env.game.numbers(env.finals["totals"][row]) == last_totals(match)
                matches[row] = he.Match(env.game.rules, seed=int(env.states["seed"][row]))


def last_totals(match: he.Match) -> list[Any]:
    """Totals when the last finished deal was scored."""
    return match.totals if match.over else match.log[-1].totals


def test_a_new_match_follows_where_one_ends() -> None:
    env = he.vector_env("openspiel", 50)
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    first = env.states["seed"].copy()
    ends = np.zeros(50, int)
    for _ in range(200):
        before = env.states["seed"].copy()
        observations, _, terminated, truncated, infos = env.step(env.sample_actions(rng))
        ends += terminated
        assert not truncated.any()
        assert (env.states["phase"] != Phase.OVER).all()
        assert ((env.states["seed"] != before) == terminated).all()
        assert (env.finals["phase"][ends > 0] == Phase.OVER).all()
        assert (infos["action_mask"].sum(axis=1) > 0).all()
        assert observations is env.observations
    assert ends.min() >= 3
    assert not np.isin(env.states["seed"], first).any()
    assert len(np.unique(env.states["seed"])) == 50


def test_without_autoreset_a_finished_game_rests() -> None:
    env = he.vector_env("openspiel", 8, autoreset=False)
    env.reset(seed=2)
    rng = np.random.default_rng(2)
    ends = np.zeros(8, int)
    for _ in range(80):
        resting = env.states["phase"] == Phase.OVER
        before = env.states[resting]
        actions = env.sample_actions(rng)
        actions[resting] = rng.integers(-9, 99)
        ends += env.step(actions)[2]
        assert all(np.array_equal(env.states[name][resting], before[name]) for name in STATE.names or ())
        assert not env.rewards[resting].any()
        assert not env.action_masks[env.states["phase"] == Phase.OVER].any()
        assert (env.seats[env.states["phase"] == Phase.OVER] == -1).all()
    assert ends.tolist() == [1] * 8


@pytest.mark.parametrize("text", TABLES)
def test_bytes_are_the_same_observation(text: str) -> None:
    wide, packed = (he.vector_env(text, 4, deals=2, observations=kind) for kind in ("float32", "uint8"))
    rng = np.random.default_rng(5)
    for env in (wide, packed):
        env.reset(seed=5)
    for _ in range(150):
        assert packed.observations.dtype == np.uint8
        assert packed.single_observation_space.contains(packed.observations[0])
        widened = he.widen_observations(packed.observations, packed.game.rules)
        assert widened.tobytes() == wide.observations.tobytes()
        actions = wide.sample_actions(rng)
        for env in (wide, packed):
            env.step(actions)
    for env in (wide, packed):
        env.reset(seed=3, games=[2])
    assert he.widen_observations(packed.observations, packed.game.rules).tobytes() == wide.observations.tobytes()


def test_observations_are_float32_or_uint8() -> None:
    with pytest.raises(ValueError, match=r"observations='int8' is not one of float32, uint8; the closest is 'uint8'"):
        he.vector_env("black_lady", observations="int8")


# Buffers, threads, seeds


def test_buffers_stay_where_they_are() -> None:
    torch = pytest.importorskip("torch")
    env = he.vector_env("black_lady", 16, tokens=True)
    wrapped = {name: torch.from_numpy(getattr(env, name)) for name in ("observations", "action_masks", "tokens")}
    where = {name: getattr(env, name).__array_interface__["data"][0] for name in BUFFERS}
    rng = np.random.default_rng(0)
    for _ in range(3):
        env.reset(seed=0)
        for _ in range(70):
            observations, rewards, terminated, _, infos = env.step(env.sample_actions(rng))
        assert observations is env.observations
        assert rewards is env.rewards
        assert terminated is env.terminated
        assert infos["action_mask"] is env.action_masks
        assert {name: getattr(env, name).__array_interface__["data"][0] for name in BUFFERS} == where
        for name, tensor in wrapped.items():
            buffer = getattr(env, name)
            assert tensor.data_ptr() == where[name]
            assert buffer.flags["C_CONTIGUOUS"]
            assert tensor.numpy().tobytes() == buffer.tobytes()
    assert [wrapped[name].dtype for name in wrapped] == [torch.float32, torch.int8, torch.int16]


@pytest.mark.parametrize(
    "text", ["omnibus_hearts", "uk_black_lady(players=9, cycle=[pool*2])", "heartsette(players=5)"]
)
@pytest.mark.usefixtures("threads_for_few_games")
@pytest.mark.parametrize(("games", "threads"), [(64, 2), (7, 3), (1, 2), (2, 5)])
def test_threads_change_nothing(text: str, games: int, threads: int) -> None:
    one, many = (
        he.vector_env(text, games, threads=count, tokens=True, reward="relative", timing="trick", deals=1)
        for count in (1, threads)
    )
    one.reset(seed=3)
    many.reset(seed=3)
    rng = np.random.default_rng(3)
    for _ in range(150):
        actions = one.sample_actions(rng)
        one.step(actions)
        many.step(actions)
        assert everything(one) == everything(many)
    one.close()
    many.close()


def test_a_thread_is_woken_only_for_enough_work() -> None:
    slices = Slices(threads=3)

    def parts(rows: int, fewest: int) -> list[int]:
        return slices.each(len, np.arange(rows), fewest=fewest)

    assert parts(7, 4) == [7]
    assert parts(8, 4) == [4, 4]
    assert parts(100, 4) == [33, 33, 34]
    assert parts(2, 1) == [1, 1]
    assert parts(0, 1) == [0]
    slices.close()


def test_the_caller_takes_a_share() -> None:
    slices = Slices(threads=2)
    ran = slices.each(lambda rows: threading.get_ident(), np.arange(2))
    assert ran[0] == threading.get_ident()
    assert ran[1] != ran[0]
    slices.close()


@pytest.mark.parametrize(
    "text", ["black_lady", "openspiel", "queens(schedule=random)", "turbo_hearts(cycle=[pool])", "cancellation_hearts"]
)
def test_a_seed_fixes_everything(text: str) -> None:
    def story(seed: int) -> list[dict[str, bytes]]:
        env = he.vector_env(text, 6, tokens=True)
        env.reset(seed=seed)
        rng = np.random.default_rng(0)
        told = [everything(env)]
        for _ in range(100):
            env.step(env.sample_actions(rng))
            told.append(everything(env))
        return told

    assert story(11) == story(11)
    assert story(11)[0]["states"] != story(12)[0]["states"]


def test_a_reset_forgets_the_games_before() -> None:
    env, fresh = he.vector_env("black_lady", 5), he.vector_env("black_lady", 5)
    rng = np.random.default_rng(4)
    env.reset(seed=1)
    for _ in range(300):
        env.step(env.sample_actions(rng))
    env.reset(seed=9)
    fresh.reset(seed=9)
    for _ in range(300):
        actions = env.sample_actions(rng)
        for one in (env, fresh):
            one.step(actions)
        for name in ("observations", "action_masks", "rewards", "terminated"):
            assert getattr(env, name).tobytes() == getattr(fresh, name).tobytes()


def test_without_a_seed_resets_differ() -> None:
    env = he.vector_env("black_lady", 3)
    env.reset()
    first = env.observations.copy()
    env.reset()
    assert (env.observations != first).any()


@pytest.mark.exhaustive
def test_many_games() -> None:
    env = he.vector_env("rickety_kate", 20_000, deals=1, autoreset=False)
    paid = finish(env, seed=8)
    assert (paid.sum(axis=1) == -26).all()
    assert (env.finals["scored"][:, :4, 0] == -paid).all()
    assert (env.finals["tricks_won"].sum(axis=1) == 13).all()
    assert len(np.unique(env.finals["seed"])) == 20_000
    # Random play treats the seats alike: 20,000 deals with a standard deviation under 8 points.
    assert np.abs(paid.mean(axis=0) + 6.5).max() < 5 * 8 / 20_000**0.5


# Rewards


def worth(env: he.VectorEnv, scores: NDArray[Any]) -> NDArray[np.float64]:
    """What totals or points (n, seats, 2) are worth to their seats: higher is better."""
    re, im = (scores[:, : env.game.seats, part].astype(float) for part in (0, 1))
    rules = env.game.rules
    if rules.score.better == "magnitude":
        return np.asarray(-np.hypot(re, im))
    return np.asarray(re - float(rules.score.chips or 0) if upwards(env.game) else -re)


def upwards(game: Game) -> bool:
    """Whether the highest total wins."""
    return game.rules.score.better == "high" or game.rules.score.chips is not None


def standings(env: he.VectorEnv) -> NDArray[np.float64]:
    """How the seats stand at the end, (n, seats): lower is better."""
    own = -worth(env, env.finals["totals"])
    own = np.round(own**2) if env.game.rules.score.better == "magnitude" else own
    if env.game.rules.score.better == "real":  # who is at the target comes last, by magnitude
        square = (env.finals["totals"][:, : env.game.seats].astype(float) ** 2).sum(axis=2)
        own = np.where(square >= (env.game.rules.end.target or 0) ** 2, 1e7 + square, own)
    mates = np.equal.outer(env.game.teams, env.game.teams)
    sums = own @ mates
    if env.game.rules.table.team_scoring == "individual":
        sums += 1e6 * np.where(mates, own[:, None, :], -np.inf).max(axis=2)
    lost = env.game.rules.end.lives is not None and env.finals["lives"][:, : env.game.seats] == 0
    return np.asarray(sums + 1e9 * np.asarray(lost, float))


def paid_alike(game: Game) -> NDArray[np.bool_]:
    """Which seats (seats, seats) are paid for each other's points."""
    teams = game.teams if game.team_pay else range(game.seats)
    return np.equal.outer(teams, teams)


def expected_rewards(env: he.VectorEnv, reward: str, by_team: bool | None = None) -> NDArray[np.float64]:
    """What an episode is worth, from the totals at its end."""
    by_team = env.game.team_pay if by_team is None else by_team
    mates = np.equal.outer(env.game.teams, env.game.teams)
    own = worth(env, env.finals["totals"])
    others = own @ ~mates / (~mates).sum(axis=0)
    if reward in ("points", "relative"):
        size = mates.sum(axis=0) if by_team else 1
        return np.asarray((own @ mates if by_team else own) - (size * others if reward == "relative" else 0))
    keys = standings(env)
    best = keys == keys.min(axis=1, keepdims=True)
    if reward == "win":
        return np.asarray(best / best.sum(axis=1, keepdims=True))
    # Pairwise: 1 for every opponent behind, -1 for every one before.
    return np.asarray(np.sign(keys[:, None, :] - keys[:, :, None]).sum(axis=2) / (env.game.seats - 1))


@pytest.mark.parametrize("text", TABLES)
@pytest.mark.parametrize("deals", [1, None])
def test_rewards_add_up_whenever_they_are_paid(text: str, deals: int | None) -> None:
    for reward in REWARDS:
        envs = {
            timing: he.vector_env(text, 12, deals=deals, reward=reward, timing=timing, autoreset=False)
            for timing in ("deal", "trick")
        }
        paid = {timing: finish(env, seed=6) for timing, env in envs.items()}
        assert envs["deal"].states.tobytes() == envs["trick"].states.tobytes()
        for timing, sums in paid.items():
            want = expected_rewards(envs[timing], reward)
            np.testing.assert_allclose(sums, want, rtol=1e-5, atol=1e-3, err_msg=timing)
        if reward == "points" and not envs["deal"].game.gaussian:
            assert (paid["deal"] == paid["trick"]).all()
        if deals == 1 and reward == "points" and "floor" not in text and "exact" not in text and "big" not in text:
            chips = envs["deal"].game.rules.score.chips or 0
            scored = worth(envs["deal"], envs["deal"].finals["scored"]) + chips
            scored = scored @ paid_alike(envs["deal"].game)
            np.testing.assert_allclose(paid["deal"], scored, rtol=1e-5)
        if reward in ("relative", "rank"):
            np.testing.assert_allclose(paid["deal"].sum(axis=1), 0, atol=1e-2)


@pytest.mark.parametrize("text", [text for text in TABLES if he.rules(text).table.teams])
@pytest.mark.parametrize("reward", ["points", "relative"])
@pytest.mark.parametrize("timing", ["deal", "trick"])
def test_partners_may_be_paid_together(text: str, reward: str, timing: str) -> None:
    env = he.vector_env(text, 24, reward=reward, timing=timing, team_rewards=True, autoreset=False)
    paid = finish(env, seed=6)
    np.testing.assert_allclose(paid, expected_rewards(env, reward, by_team=True), atol=1e-3)
    assert (paid[:, 0] == paid[:, 2]).all()
    assert (paid[:, 0] != paid[:, 1]).any()


def test_only_teams_are_paid_together() -> None:
    with pytest.raises(ValueError, match="team_rewards needs teams"):
        he.vector_env("black_lady", team_rewards=True)


@pytest.mark.parametrize("text", TABLES)
@pytest.mark.parametrize("timing", ["deal", "trick"])
def test_vectors_add_up_to_the_totals(text: str, timing: str) -> None:
    env = he.vector_env(text, 16, reward="vector", timing=timing, deals=2, autoreset=False)
    assert env.rewards.shape == (16, env.game.seats, 2)
    assert env.rewards.dtype == np.float32
    paid = finish(env, seed=6)
    start = np.array([env.game.rules.score.chips or 0, 0])
    np.testing.assert_array_equal(paid, env.finals["totals"][:, : env.game.seats] - start)
    assert (paid[:, :, 1] != 0).any() == env.game.gaussian


@pytest.mark.parametrize(("reward", "timing"), list(product(REWARDS, ("deal", "trick"))))
def test_rewards_are_paid_in_time(reward: str, timing: str) -> None:
    env = he.vector_env("rickety_kate", 40, reward=reward, timing=timing, deals=3)
    env.reset(seed=7)
    rng = np.random.default_rng(7)
    seen = 0
    for _ in range(200):
        trick, deal = env.states["trick_number"].copy(), env.states["deal_number"].copy()
        points = env.states["points"][:, :4, 0].copy()
        env.step(env.sample_actions(rng))
        trick_ended = env.states["trick_number"] != trick
        deal_ended = (env.states["deal_number"] != deal) | env.terminated
        due = env.terminated if reward in ("rank", "win") else deal_ended if timing == "deal" else trick_ended
        assert not env.rewards[~due].any()
        seen += int(env.rewards[due].any(axis=1).sum())
        if reward == "points" and timing == "trick":
            inside = trick_ended & ~deal_ended
            gained = env.states["points"][:, :4, 0] - points
            assert (env.rewards[inside] == -gained[inside]).all()
    assert seen >= 40


@pytest.mark.parametrize("text", TABLES)
def test_what_is_paid_so_far_stands_on_the_score_sheet(text: str) -> None:
    """Totals, and in between the points of the tricks taken; those of a scored deal are in the totals already."""
    for timing in ("deal", "trick"):
        env = he.vector_env(text, 24, timing=timing, autoreset=False)
        env.reset(seed=9)
        rng = np.random.default_rng(9)
        paid = np.zeros(env.rewards.shape)
        for _ in range(300):
            paid += env.step(env.sample_actions(rng))[1]
            scored = env.states["phase"] >= Phase.EXACT
            sheet = env.states["totals"].copy()
            if timing == "trick" and env.game.rules.score.chips is None:
                sheet[~scored] += env.states["points"][~scored]
            expected = worth(env, sheet) @ paid_alike(env.game)
            np.testing.assert_allclose(paid, expected, rtol=1e-5, atol=1e-3 * env.game.gaussian)


def test_a_closed_environment_refuses_everything_in_one_line() -> None:
    env = he.vector_env("black_lady", 4096, threads=2)
    env.reset(seed=1)
    saved, actions = env.save(), env.action_masks.argmax(axis=1)
    env.step(actions)
    states = env.states.copy()
    env.close()
    env.close()
    calls: dict[str, Callable[[], Any]] = {
        "reset": env.reset,
        "step": lambda: env.step(actions),
        "save": env.save,
        "restore": lambda: env.restore(saved),
        "hidden": env.hidden,
        "sample_actions": lambda: env.sample_actions(np.random.default_rng(0)),
    }
    with pytest.raises(ValueError, match="the environment is closed"):
        copy.deepcopy(env).step(actions)
    for name, call in calls.items():
        with pytest.raises(ValueError, match=f"^{name} is not possible: the environment is closed; make another one$"):
            call()
    assert (env.states == states).all()
    assert not env._slices._pool
    public = {name for name in vars(he.VectorEnv) if not name.startswith("_") and callable(getattr(he.VectorEnv, name))}
    assert public == {*calls, "close"}
