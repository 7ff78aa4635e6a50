"""Where episodes begin, how long they last, and whom they pay, through every door."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import hearts_env as he
from hearts_env.compiled.game import compile_game
from hearts_env.envs.gym import LearnerEnv
from tests.envs.doors import DOORS
from tests.support.games import COVERING


def vector(**options: Any) -> Iterator[int]:
    env = he.vector_env("black_lady", 16, **options)
    _, infos = env.reset(seed=3)
    yield from infos["deal_number"].tolist()
    while True:
        *_, infos = env.step(env.action_masks.argmax(axis=1))
        yield from infos["deal_number"][env.terminated].tolist()


def single(**options: Any) -> Iterator[int]:
    env = LearnerEnv("black_lady", **options)
    _, info = env.reset(seed=3)
    while True:
        yield info["deal_number"]
        _, info = env.reset()


def pettingzoo(**options: Any) -> Iterator[int]:
    envs: list[Any] = [he.env("black_lady", **options), he.late_rewards(he.env("black_lady", **options))]
    for env in envs:
        env.reset(seed=3)
        for _ in range(20):
            yield env.unwrapped.deal_number
            env.reset()


def through(door: str, **options: Any) -> Iterator[int]:
    """The numbers of the deals in which the episodes of a door begin."""
    (made,) = (make("black_lady", 16, **options) for make in DOORS if make.__name__ == door)
    made.reset(3)
    yield from made.games.states["deal_number"].tolist()
    while True:
        ended = made.step(made.games.action_masks.argmax(axis=1)).ended
        yield from made.games.states["deal_number"][ended].tolist()


def begins(door: str, count: int, **options: Any) -> list[int]:
    own = {"vector": vector, "single": single, "pettingzoo": pettingzoo}
    numbers = own[door](**options) if door in own else through(door, **options)
    return [next(numbers) for _ in range(count)]


@pytest.mark.parametrize("door", ["vector", "single", "pettingzoo", *(make.__name__ for make in DOORS)])
def test_an_episode_shorter_than_a_match_begins_anywhere_in_the_pass_cycle(door: str) -> None:
    found = begins(door, 40, deals=1)
    assert set(found) == {0, 1, 2, 3}
    assert begins(door, 16, deals=1) == found[:16]
    assert set(begins(door, 20, deals=1, first_deal=2)) == {2}


def test_short_episodes_have_all_their_deals() -> None:
    for text in COVERING:
        game = compile_game(he.rules(text))
        for deals in (1, 2):
            env = he.vector_env(text, 200, deals=deals)
            first, most = env.reset(seed=5)[1]["deal_number"], game.rules.end.max_deals
            assert first.min() == 0
            assert first.max() == max(0, min(game.pass_cycle, (most or 1000) - deals + 1) - 1)
            assert (env.states["deal_limit"] == first + deals).all()


def test_a_match_begins_with_its_first_deal() -> None:
    cases: list[dict[str, Any]] = [{}, {"max_deals": 3, "deals": 3}, {"max_deals": 3, "deals": 7}]
    for options in cases:
        assert not he.vector_env("black_lady", 50, **options).reset(seed=1)[1]["deal_number"].any()
    assert (he.vector_env("black_lady", 50, first_deal=2).reset(seed=1)[1]["deal_number"] == 2).all()


def test_a_position_without_hands_follows_the_same_rule() -> None:
    totals, dealt = [10, 0, 0, 30], {"hands": he.Match("black_lady", seed=1).hands}
    cases: list[tuple[dict[str, Any], dict[str, Any], set[int]]] = [
        ({}, {"totals": totals}, {0, 1, 2, 3}),
        ({}, {"totals": totals, "deal_number": 2}, {2}),
        ({}, dealt, {0}),
        ({}, dealt | {"deal_number": 5}, {5}),
        ({"first_deal": 1}, dealt, {1}),
        ({"first_deal": 1}, {"totals": totals}, {1}),
    ]
    for given, option, want in cases:
        env = he.vector_env("black_lady", 40, deals=1, **given)
        assert set(env.reset(seed=4, options=[option] * 40)[1]["deal_number"].tolist()) == want
        assert (env.states["deal_limit"] == env.states["deal_number"] + 1).all()


def test_a_position_with_hands_is_that_of_a_match() -> None:
    text = "black_lady(leader=left_of_dealer, opening.card=any, end.max_deals=3)"
    match = he.Match.from_hands(text, he.Match(text, seed=1).hands)
    env = he.env(text)
    for seed in range(6):
        env.reset(seed=seed, options={"hands": match.hands})
        assert env.view(env.agent_selection).as_dict() == match.view(1).as_dict()
    with pytest.raises(ValueError, match=r"deal_number=3 is not possible; .* has the deals 0 to 2"):
        env.reset(options={"deal_number": 3})


# Whom they pay

TEAMS = {
    "black_lady": False,
    "partnership_hearts": True,
    "likha": False,
    "likha(team_scoring=sum)": True,
    "gong_zhu(teams=[0+2,1+3])": True,
}


@pytest.mark.parametrize(("text", "together"), TEAMS.items())
def test_partners_are_paid_for_what_decides_the_match(text: str, together: bool) -> None:
    """``table.team_scoring``: the sum of a team, or the total of one player."""

    def paid(**options: Any) -> Any:
        env = he.vector_env(text, 32, deals=1, reward="relative", autoreset=False, **options)
        env.reset(seed=6)
        total = np.zeros(env.rewards.shape)
        while (env.seats >= 0).any():
            total += env.step(env.action_masks.argmax(axis=1))[1]
        return total

    assert (paid() == paid(team_rewards=False)).all() != together
    if he.rules(text).table.teams:
        assert (paid() == paid(team_rewards=True)).all() == together
        assert (paid()[:, 0] == paid()[:, 2]).all() == together


def test_a_refused_position_changes_no_later_deal() -> None:
    env, other, kitty = he.raw_env("heartsette", deals=1), he.raw_env("heartsette", deals=1), ["3H", "3D", "3S"]
    learner, fellow = (LearnerEnv("heartsette", deals=1) for _ in range(2))
    for one in (env, other, learner, fellow):
        one.reset(seed=5)
    for seed in (None, 9):
        for refused in (env.reset, learner.reset):
            with pytest.raises(ValueError, match="kitty"):
                refused(seed=seed, options={"kitty": kitty})
    for _ in range(2):
        for one in (env, other, learner, fellow):
            one.reset()
        assert env.record["hands"].tobytes() == other.record["hands"].tobytes()
        assert learner.record["hands"].tobytes() == fellow.record["hands"].tobytes()
    env.reset(seed=5)
    own = [env.game.deck.kinds[kind] for kind in env.record["kitty"][:3]]
    env.reset(seed=5, options={"kitty": own})


def test_a_tie_is_played_off_from_a_position_beyond_the_last_deal() -> None:
    text = "black_lady(end.max_deals=1, end.target=none, end.tie={})"
    hands = [[rank + suit for rank in "23456789TJQKA"] for suit in "CDHS"]
    position = {"hands": hands, "totals": [9, 9, 4, 4], "deal_number": 1}
    env = he.vector_env(text.format("continue"), 1)
    env.reset(seed=1, options=position)
    assert env.states["deal_number"].tolist() == [1]
    with pytest.raises(ValueError, match="has the deals 0 to 0"):
        he.vector_env(text.format("share"), 1).reset(seed=1, options=position)


def test_rewards_as_vectors_are_those_of_the_team() -> None:
    paid = {}
    for reward in ("vector", "points"):
        env = he.vector_env("partnership_hearts", 4, deals=1, reward=reward, team_rewards=True, autoreset=False)
        env.reset(seed=1)
        paid[reward] = np.zeros(env.rewards.shape)
        while (env.seats >= 0).any():
            env.step(env.action_masks.argmax(axis=1))
            paid[reward] += env.rewards
    assert np.array_equal(-paid["vector"][:, :, 0], paid["points"])
    assert paid["points"].any()
