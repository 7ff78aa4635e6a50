"""The learner's seat in many games: every reward is credited, whoever plays the others and however episodes end."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import hearts_env as he
from hearts_env.envs.gym import LearnerEnv
from hearts_env.envs.learner import LearnerGames
from hearts_env.seat.view import View, Views
from tests.support.buffers import everything


class Lowest:
    """Plays its first legal action."""

    def act(self, view: View) -> str:
        return view.legal()[0]


class LowestAtOnce:
    """The same, for many views."""

    def act_batch(self, views: Views) -> NDArray[np.int64]:
        return lowest_of_views(views)


def lowest_of_views(views: Views) -> NDArray[np.int64]:
    return np.array([view.legal_ids()[0] for view in views])


def lowest_of_observations(observations: NDArray[np.float32], masks: NDArray[np.int8]) -> NDArray[np.int64]:
    assert len(observations) == len(masks)
    return np.asarray(masks.argmax(axis=1))


LOWEST = [Lowest(), LowestAtOnce(), lowest_of_views, lowest_of_observations]


def choose(games: LearnerGames, rng: np.random.Generator) -> NDArray[np.int64]:
    """Uniformly random allowed actions."""
    return np.asarray((rng.random(games.action_masks.shape) * games.action_masks).argmax(axis=1))


def play(games: LearnerGames, steps: int) -> None:
    """Steps of the lowest allowed actions, from a reset on."""
    games.reset(seed=2)
    for _ in range(steps):
        games.step(games.action_masks.argmax(axis=1))


def earned(games: LearnerGames, records: Any) -> NDArray[np.float64]:
    """What the learner's seats have earned by the totals of these records, in a game in which fewer points win."""
    return np.asarray(-records["totals"][np.arange(games.num_envs), games.seats, 0].astype(float))


# Credit


@pytest.mark.parametrize("autoreset", ["next_step", "disabled"])
def test_every_point_of_the_learner_is_credited(autoreset: str) -> None:
    """Where the next episode begins in the same step, `tests.envs.test_doors` looks."""
    games = LearnerGames("omnibus_hearts", 24, opponents="rule; random", seat=2, autoreset=autoreset, deals=2)
    games.reset(seed=1)
    rng = np.random.default_rng(1)
    paid, ends = np.zeros(24), np.zeros(24, int)
    for _ in range(120):
        games.step(choose(games, rng))
        assert (games.action_masks.sum(axis=1) > 0).all()
        paid += games.rewards
        assert (paid[games.terminated] == earned(games, games.finals)[games.terminated]).all()
        paid[games.terminated] = 0
        ends += games.terminated
        if autoreset == "disabled" and games.over.any():
            games.reset(games=games.over)
    assert ends.min() >= 3
    assert (paid == earned(games, games.states)).all(), "episodes that are cut"


def test_one_game_of_many_is_the_game_of_gymnasium() -> None:
    games = LearnerGames("black_lady", 3, opponents=Lowest(), seat=1, deals=1, autoreset="disabled")
    alone = LearnerEnv("black_lady", opponents=Lowest(), seat=1, deals=1)
    position = {"hands": he.Match("black_lady", seed=5).hands, "leader": 3, "dealer": 0}
    games.reset(seed=1, options=[None, position, {"totals": [1, 2, 3, 4]}])
    observation, info = alone.reset(seed=1, options=position)
    over = False
    while not over:
        assert games.observations[1].tobytes() == observation.tobytes()
        assert games.action_masks[1].tolist() == info["action_mask"].tolist()
        games.step(games.action_masks.argmax(axis=1))
        observation, reward, over, _, info = alone.step(int(info["action_mask"].argmax()))
        assert (games.rewards[1], games.terminated[1]) == (reward, over)
    assert games.final_observations[1].tobytes() == observation.tobytes()


# Opponents


def test_opponents_may_be_agents_or_functions() -> None:
    def story(opponents: Any) -> list[Any]:
        games = LearnerGames("black_lady", 5, opponents=opponents, deals=1)
        env = LearnerEnv("black_lady", opponents=opponents, deals=1, first_deal=0)
        games.reset(seed=2)
        env.reset(seed=2)
        events: list[Any] = []
        for _ in range(16):
            games.step(games.action_masks.argmax(axis=1))
            events += [everything(games), env.step(int(env.action_masks().argmax()))[1]]
        return events

    stories = [story(opponents) for opponents in LOWEST]
    assert stories.count(stories[0]) == 4


def test_each_seat_may_have_an_opponent_of_its_own_that_sees_its_own_cards_only() -> None:
    seats: dict[str, set[int]] = {"a": set(), "b": set()}

    def named(name: str) -> Callable[[Views], NDArray[np.int64]]:
        def decide(views: Views) -> NDArray[np.int64]:
            seats[name] |= {view.seat for view in views}
            assert not any(np.delete(view.record["hands"], view.seat, axis=0).any() for view in views)
            return lowest_of_views(views)

        return decide

    first, second = named("a"), named("b")
    games = LearnerGames("black_lady", 4, opponents=[first, second, first], seat=2, deals=1)
    play(games, 16)
    assert seats == {"a": {3, 1}, "b": {0}}


def test_an_opponent_may_not_play_what_is_illegal() -> None:
    def stubborn(views: Views) -> NDArray[np.int64]:
        return np.zeros(len(views), np.int64)

    games = LearnerGames("black_lady", 4, opponents=stubborn, deals=1)
    message = r"game \d, opponent .*stubborn.*: seat \d does not hold 2C"
    with pytest.raises(he.IllegalActionError, match=message):
        play(games, 20)


# Ends of episodes


def test_the_next_episode_begins_in_the_next_step() -> None:
    games = LearnerGames("black_lady", 8, deals=1, autoreset="next_step")
    games.reset(seed=2)
    rng = np.random.default_rng(1)
    for _ in range(40):
        was_over = games.over.copy()
        actions = choose(games, rng)
        actions[was_over] = rng.integers(-9, 99)
        games.step(actions)
        assert not games.rewards[was_over].any()
        assert not games.terminated[was_over].any()
        assert (games.over == games.terminated).all()
        assert (games.observations[games.over] == games.final_observations[games.over]).all()
        assert (games.action_masks[games.over] == 1).all()


# Copies and saved states


@pytest.mark.parametrize("way", ["deepcopy", "pickle", "restore"])
@pytest.mark.parametrize("opponents", [None, "rule; random"])
def test_a_copy_goes_on_the_same(way: str, opponents: str | None) -> None:
    games = LearnerGames("black_lady", 6, opponents=opponents, seat="rotating", deals=1)
    games.reset(seed=4)
    rng = np.random.default_rng(4)
    for _ in range(13):
        games.step(choose(games, rng))
    if way == "restore":
        other = LearnerGames("black_lady", 6, opponents="rule", seat="rotating", deals=1)
        other.restore(games.save())
    else:
        other = copy.deepcopy(games) if way == "deepcopy" else pickle.loads(pickle.dumps(games))
    for _ in range(30):
        assert everything(other) == everything(games)
        actions = choose(games, rng)
        games.step(actions)
        other.step(actions)


def test_what_was_not_saved_is_refused() -> None:
    games = LearnerGames("black_lady", 2, deals=1, opponents="rule")
    play(games, 3)
    saved, before = games.save(), everything(games)
    for wrong in (None, ("rule", 3)):
        with pytest.raises(ValueError, match="is not what save returns"):
            games.restore(saved | {"opponents": wrong})
    with pytest.raises(ValueError, match="ended games"):
        games.restore(saved | {"over": np.ones(2, np.bool_)})
    assert everything(games) == before
