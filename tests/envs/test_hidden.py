"""The hidden hands, which every door gives to critics: those of the other seats, from the learner's seat on."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from numpy.typing import NDArray

import hearts_env as he
from hearts_env.compiled.game import Game
from hearts_env.envs.gym import LearnerEnv
from hearts_env.envs.gym_vector import LearnerVectorEnv
from hearts_env.envs.learner import LearnerGames
from hearts_env.play.view import view_of

RULES = ["black_lady", "omnibus_hearts(players=5)", "likha", "incredu_hearts", "heartsette(direction=-1)"]
Hands = NDArray[np.float32]


def other_hands(game: Game, states: Any, seat: int) -> list[float]:
    """The hands of the other seats by the cards that each of them sees in its own hand, the next seat's first."""
    kinds = len(game.deck.kinds)
    row = np.zeros((game.seats - 1, kinds))
    for place in range(game.seats - 1):
        for card in view_of(game, states, (seat + 1 + place) % game.seats).hand:
            row[place, game.action(card)] += 1
    return [float(value) for value in row.ravel()]


def is_right(games: LearnerGames, hidden: Any) -> bool:
    rows = [other_hands(games.game, games.states[i : i + 1], int(seat)) for i, seat in enumerate(games.seats)]
    assert hidden.dtype == np.float32
    return bool((np.asarray(hidden) == rows).all())


def any_action(masks: NDArray[Any], rng: np.random.Generator) -> NDArray[np.int64]:
    return np.asarray((rng.random(masks.shape) * masks).argmax(axis=-1))


@pytest.mark.parametrize("autoreset", ["same_step", "next_step", "disabled"])
@pytest.mark.parametrize("rules", RULES)
def test_games_show_the_hands_that_the_learner_does_not_see(rules: str, autoreset: str) -> None:
    games = LearnerGames(rules, 4, seat="rotating", autoreset=autoreset, deals=1)
    with pytest.raises(ValueError, match="call reset before hidden"):
        games.hidden()
    games.reset(seed=1)
    rng = np.random.default_rng(1)
    seen = []
    for step in range(40):
        seen.append(games.hidden())
        assert step % 3 or is_right(games, seen[-1])
        games.step(any_action(games.action_masks, rng))
    assert (seen[0] != seen[9]).any(), "each call returns an array of its own"


@pytest.mark.parametrize("rules", RULES)
def test_one_game_shows_them(rules: str) -> None:
    for seat in (0, 2):
        env = LearnerEnv(rules, seat=seat, deals=1)
        with pytest.raises(ValueError, match="call reset before hidden"):
            env.hidden()
        _, info = env.reset(seed=1)
        over, rng = False, np.random.default_rng(seat)
        while not over:
            states = np.asarray(env.record).reshape(1)
            assert env.hidden().tolist() == other_hands(env._env.game, states, seat)
            _, _, over, _, info = env.step(int(any_action(info["action_mask"], rng)))
        assert not env.hidden().any(), "after a deal nobody holds a card"


def test_gymnasium_shows_them() -> None:
    env = gymnasium.make("Hearts/BlackLady-v0", deals=1, seat=1)
    env.reset(seed=1)
    assert env.get_wrapper_attr("hidden")().shape == (156,)
    envs = gymnasium.make_vec("Hearts/BlackLady-v0", num_envs=3, deals=1, seat="rotating")
    assert isinstance(envs, LearnerVectorEnv)
    envs.reset(seed=1)
    assert is_right(envs.games, envs.hidden())
    wrapped = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
    assert wrapped.unwrapped.hidden().shape == (3, 156)  # type: ignore[attr-defined]  # as gymnasium.make_vec's


def test_stable_baselines_shows_them() -> None:
    sb3 = pytest.importorskip("hearts_env.envs.sb3")
    from stable_baselines3.common.vec_env import VecMonitor

    env = VecMonitor(sb3.LearnerVecEnv("black_lady", 3, deals=1, seat="rotating"))
    env.reset()
    assert is_right(env.games, env.hidden())
    assert is_right(env.games, np.stack(env.env_method("hidden")))
    assert (env.env_method("hidden", indices=[2])[0] == env.hidden()[2]).all()


def test_torchrl_shows_them() -> None:
    torchrl = pytest.importorskip("hearts_env.envs.torchrl")
    env = torchrl.LearnerTorchEnv("incredu_hearts", 3, deals=1, seat="rotating")
    data = env.reset()
    for _ in range(20):
        assert is_right(env.games, data["hidden"].numpy())
        assert env.observation_spec["hidden"].is_in(data["hidden"])
        _, data = env.step_and_maybe_reset(env.rand_action(data))


@pytest.mark.parametrize("rules", RULES)
def test_pettingzoo_and_the_batch_show_them(rules: str) -> None:
    env, batch = he.raw_env(rules, deals=1), he.vector_env(rules, 2, deals=1)
    for before in (lambda: env.hidden("player_0"), lambda: he.env(rules).hidden("player_0"), batch.hidden):
        with pytest.raises(ValueError, match="call reset before hidden"):
            before()
    env.reset(seed=1)
    batch.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(30):
        for seat, agent in enumerate(env.possible_agents):
            assert env.hidden(agent).tolist() == other_hands(env.game, np.asarray(env.record).reshape(1), seat)
        columns = len(env.observe(env.agent_selection)["observation"])
        assert (env.state()[columns:] == env.hidden(env.agent_selection)).all()
        rows = [other_hands(batch.game, batch.states[i : i + 1], int(batch.seats[i])) for i in range(2)]
        assert batch.hidden().tolist() == rows
        env.step(int(any_action(env.action_mask(env.agent_selection), rng)))
        batch.step(batch.sample_actions(rng))
