"""The Gymnasium environment of one game: rewards, opponents, and what an illegal action pays in every environment."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import hearts_env as he
from hearts_env.envs.gym import LearnerEnv
from hearts_env.envs.illegal import worst_return
from hearts_env.envs.options import open_game
from hearts_env.seat.view import View
from tests.support.games import COVERING


class Lowest:
    """Plays its first legal action."""

    def act(self, view: View) -> str:
        assert not np.delete(view.record["hands"], view.seat, axis=0).any(), "it sees its own cards only"
        return view.legal()[0]


def test_gymnasium_finds_nothing_to_warn_of_in_pictures(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("resvg_py")
    check_env(gymnasium.make("Hearts/BlackLady-v0", deals=1).unwrapped)
    assert "seat 0" in capsys.readouterr().out


# Opponents


def test_opponents_are_not_told_the_seed_of_the_deals() -> None:
    class Spy(Lowest):
        def reset(self, seed: int) -> None:
            seeds.append(seed)

    seeds: list[int] = []
    env = LearnerEnv("black_lady", opponents=[Spy(), Spy(), Spy()])
    for seed in range(20):
        env.reset(seed=seed)
    assert len(set(seeds)) == 60
    assert min(seeds) > 2**32, "the seeds of the deals are below 2**31"


def test_how_the_learner_plays_changes_no_later_deal() -> None:
    def second(moves: int) -> bytes:
        env = LearnerEnv("black_lady", deals=1)
        _, info = env.reset(seed=3)
        for _ in range(moves):
            info = env.step(info["action_mask"].argmax())[-1]
        return env.reset()[0].tobytes()

    assert second(0) == second(5)


# Illegal actions


def test_an_illegal_action_ends_the_episode_and_says_why() -> None:
    env = LearnerEnv("black_lady", deals=1)
    _, info = env.reset(seed=2)
    illegal = int((env.action_masks() == 0).argmax())
    info["action_mask"][:] = env.action_masks()[:] = 1  # changes nothing
    _, reward, terminated, truncated, info = env.step(illegal)
    assert (reward, terminated, truncated) == (-53.0, True, False)
    assert info["illegal"].startswith("seat 0 does not hold")
    with pytest.raises(ValueError, match="call reset"):
        env.step(illegal)
    assert "illegal" not in env.reset(seed=2)[1]


def test_a_deal_whose_points_are_doubled_at_once_is_within_the_bound() -> None:
    rules = "black_lady(moon.mode=reset_or_double, moon.cards=[2H])"
    hearts = [rank + "H" for rank in "3456789TJQKA"]
    worst = max(he.score_deal(rules, [["2H"], [*hearts, "QS"], [], []], moon="others").totals)
    assert -worst >= worst_return(*open_game(rules, {"deals": 1}))


@pytest.mark.parametrize("options", [{"deals": 1, "reward": "relative"}, {}, {"reward": "rank"}, {"reward": "win"}])
def test_no_legal_episode_pays_less_than_the_bound(options: dict[str, Any]) -> None:
    for text in list(COVERING)[::3]:
        rules = he.rules(text).replace(max_deals=3)
        env = he.vector_env(rules, 32, autoreset=False, **options)
        env.reset(seed=5)
        rng, total = np.random.default_rng(5), np.zeros(env.rewards.shape)
        while (env.seats >= 0).any():
            total += env.step(env.sample_actions(rng))[1]
        assert total.min() >= worst_return(*open_game(rules, options))


@pytest.mark.parametrize(
    ("rules", "options", "reward"),
    [
        ("black_lady", {"deals": 1}, -53),
        ("black_lady", {"deals": 1, "reward": "relative"}, -79),
        ("black_lady", {"deals": 2}, -105),
        ("black_lady", {"deals": 50}, -153),
        ("black_lady", {}, -153),
        ("black_lady(tie=continue)", {"deals": 50}, -2601),
        ("black_lady(exact={13:99})", {"deals": 1}, -152),
        ("black_lady", {"reward": "rank"}, -2),
        ("black_lady", {"reward": "win"}, -1),
        ("big_moon", {}, -521),
        ("math_team_hearts", {}, -25),
        ("gong_zhu", {}, -1901),
        ("uk_black_lady", {"deals": 2}, -2449),
        ("partnership_hearts", {"deals": 1, "team_rewards": True}, -105),
        ("black_lady", {"illegal_reward": 2.5}, 2.5),
    ],
)
def test_what_an_illegal_action_pays(rules: str, options: dict[str, Any], reward: float) -> None:
    env = he.env(rules, **options)
    env.reset(seed=1)
    offender = env.agent_selection
    env.step(int((env.last()[0]["action_mask"] == 0).argmax()))
    assert env.rewards == {agent: reward if agent == offender else 0 for agent in env.possible_agents}
    assert LearnerEnv(rules, **options)._env.illegal_reward == reward


@pytest.mark.parametrize("mode", ["sync", "async", "vector_entry_point"])
@pytest.mark.parametrize("layout", ["variant", "universal"])
def test_every_action_is_allowed_after_the_end_by_every_way_to_make_many(mode: str, layout: str) -> None:
    """A masked distribution over the actions of a whole batch is proper at every step, ends included."""
    name = "hearts_env:Hearts/BlackLady-v0"
    made: dict[str, Any] = {"vectorization_mode": mode, "deals": 1, "first_deal": 3, "layout": layout}
    envs = gymnasium.make_vec(name, num_envs=2, **made)
    rng = np.random.default_rng(0)
    try:
        _, infos = envs.reset(seed=7)
        ends = 0
        for _ in range(30):
            masks = infos["action_mask"]
            assert masks.any(axis=1).all()
            shares = masks / masks.sum(axis=1, keepdims=True)
            actions = np.array([rng.choice(masks.shape[1], p=row) for row in shares])
            observations, _, over, _, infos = envs.step(actions)
            ends += over.sum()
            assert infos["action_mask"][over].all()
            if layout == "universal":
                assert observations[over, he.universal_layout()["legal"].columns].sum() == 52 * over.sum()
    finally:
        envs.close()
    assert ends >= 2
