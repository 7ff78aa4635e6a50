"""Agents at the tables of a batch: they see what their seats may know, and nothing else."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import hearts_env as he
from hearts_agents import make_agent
from hearts_env.envs.vector import VectorEnv
from hearts_env.kernel.records import STATE
from hearts_env.seat.view import View, Views

GAMES = ["black_lady", "gong_zhu", "cancellation_hearts(players=6)", "danger_hearts"]


def played(game: str, steps: int, count: int = 5, **options: Any) -> VectorEnv:
    """A batch that `rule` has played for some steps."""
    env = VectorEnv(game, count, autoreset=False, **options)
    env.reset(seed=7)
    for _ in range(steps):
        env.step_with(["rule"] * env.game.seats)
    return env


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("steps", [0, 20])
def test_views_are_those_of_the_seats_to_act(game: str, steps: int) -> None:
    env = played(game, steps)
    views = env.views()
    assert len(views) == env.num_envs
    for place, view in enumerate(views):
        seat = int(env.seats[place])
        assert view.record.tobytes() == he.view_of(env.game, env.states[place : place + 1], seat).record.tobytes()
        assert (
            len(view.hand)
            > 0
            == sum(int(hand.any()) for other, hand in enumerate(view.record["hands"]) if other != seat)
        )


def test_games_that_are_over_have_no_row() -> None:
    env = played("black_lady", 40, deals=1, first_deal=3)
    env.reset(seed=1, games=[2])
    while (env.seats >= 0).sum() > 1:
        env.step_with(["rule"] * 4)
    (place,) = np.flatnonzero(env.seats >= 0)
    assert [view.seat for view in env.views()] == [env.seats[place]]
    assert (env.act("random")[np.arange(5) != place] == 0).all()


@pytest.mark.parametrize("game", GAMES)
def test_records_that_show_another_hand_are_refused(game: str) -> None:
    env = played(game, 20)
    seat = int(env.seats[0])
    with pytest.raises(ValueError, match=rf"records\[0\] shows more than seat {seat} may know; views\(\)"):
        Views(env.game, env.states)
    with pytest.raises(ValueError, match=f"shows more than seat {seat} may know"):
        View(env.game, env.states[0], seat)
    assert len(Views(env.game, env.views().records)) == 5


def test_one_hidden_card_is_enough_to_be_refused() -> None:
    views = played("black_lady", 20).views()
    records = views.records.copy()
    other = (int(records["seat"][3]) + 1) % 4
    unseen = [kind for kind in range(52) if not any(views.records["hands"][3, :, 0] >> np.uint64(kind) & np.uint64(1))]
    card = next(kind for kind in unseen if kind not in records["history"][3, : records["plies"][3]])
    records["hands"][3, other, 0] = np.uint64(1 << card)
    with pytest.raises(ValueError, match=r"records\[3\] shows more than"):
        Views(views.game, records)


def test_an_agent_acts_on_the_views() -> None:
    env = played("black_lady", 20)
    agent = make_agent("rule")
    assert env.act("rule").tolist() == agent.act_batch(env.views()).tolist()
    assert env.act(agent).tolist() == env.act(agent.act_batch).tolist() == env.act("rule").tolist()
    first = env.act(lambda observations, masks: masks.argmax(axis=1))
    assert first.tolist() == env.action_masks.argmax(axis=1).tolist()


def test_each_agent_holds_its_seat() -> None:
    env = played("black_lady", 0)
    asked: list[tuple[int, set[int]]] = []

    def spy(seat: int) -> Callable[[Views], NDArray[np.int64]]:
        def act(views: Views) -> NDArray[np.int64]:
            asked.append((seat, set(views.records["seat"].tolist())))
            return make_agent("rule").act_batch(views)

        return act

    for _ in range(56):
        env.step_with([spy(seat) for seat in range(4)])
    assert {seat for seat, _ in asked} == set(range(4))
    assert all(seats == {seat} for seat, seats in asked)


def test_the_seed_of_a_reset_fixes_what_named_agents_draw() -> None:
    env = he.vector_env("black_lady", 50)
    draws = []
    for seed in (1, 1, 2):
        env.reset(seed=seed)
        draws.append([env.act(None).tolist() for _ in range(2)])
    assert draws[0] == draws[1] != draws[2]
    assert draws[0][0] != draws[0][1]


def test_mistakes_are_one_line_and_change_nothing() -> None:
    env = played("black_lady", 20)
    before = env.states.tobytes()
    with pytest.raises(ValueError, match="it is a list with one for each of the 4 seats"):
        env.step_with(["rule"] * 3)
    with pytest.raises(ValueError, match="it is a list with one for each of the 4 seats"):
        env.step_with("rule")
    with pytest.raises(he.IllegalActionError, match=r"^game 0, opponent .*: "):
        env.step_with([lambda views: np.full(len(views), 99)] * 4)
    with pytest.raises(ValueError, match="call reset before act"):
        he.vector_env("black_lady").act("rule")
    assert env.states.tobytes() == before


def test_many_games_at_once() -> None:
    env = he.mixed_env(["black_lady(players=3)", "gong_zhu", "cancellation_hearts(players=6)"], 30, autoreset=False)
    env.reset(seed=7)
    for _ in range(30):
        env.step_with(["rule", "random", None, "rule", "rule", "rule"])
    taken = np.zeros(30, int)
    for places, views in env.views():
        taken[places] += 1
        assert {str(env.kinds[index].rules) for index in env.games[places]} == {str(views.game.rules)}
        assert views.records.dtype == STATE
        assert views.records["seat"].tolist() == env.seats[places].tolist()
    assert taken.tolist() == (env.seats >= 0).astype(int).tolist()
    chosen = env.act(lambda observations, masks: masks.argmax(axis=1))
    assert (chosen == np.where(env.seats >= 0, env.action_masks.argmax(axis=1), 0)).all()
    with pytest.raises(ValueError, match="one for each of the 6 seats"):
        env.step_with(["rule"] * 4)
