"""The Gymnasium environment: conformance, credit, opponents and errors."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import hearts_env as he
from hearts_env import VARIANTS
from hearts_env.envs.gym import LearnerEnv
from hearts_env.envs.opponents import Mixture
from hearts_env.play.view import View
from tests.support.games import SEATS


class Lowest:
    """Plays its first legal action and remembers what it saw."""

    def __init__(self) -> None:
        self.views: list[View] = []

    def act(self, view: View) -> str:
        self.views.append(view)
        return view.legal()[0]


def play(env: LearnerEnv, seed: int) -> tuple[float, int]:
    """One episode of last legal actions: the sum of the rewards and the number of steps."""
    _, info = env.reset(seed=seed)
    total, steps, over = 0.0, 0, False
    while not over:
        _, reward, over, _, info = env.step(int(info["action_mask"].nonzero()[0][-1]))
        total, steps = total + reward, steps + 1
    return total, steps


@pytest.mark.parametrize(("name", "players"), SEATS)
def test_gymnasium_finds_nothing_to_warn_of(name: str, players: int) -> None:
    env = LearnerEnv(name, players=players, deals=1)
    check_env(env, skip_render_check=True)  # warnings are errors
    assert env.observation_space.contains(env.reset(seed=1)[0])


def test_gymnasium_finds_nothing_to_warn_of_in_pictures(capsys: pytest.CaptureFixture[str]) -> None:
    check_env(gymnasium.make("Hearts/BlackLady-v0", deals=1).unwrapped)
    assert "seat 0" in capsys.readouterr().out


def test_every_variant_is_registered() -> None:
    for name, variant in VARIANTS.items():
        made = gymnasium.make(f"Hearts/{name.title().replace('_', '')}-v{variant.version}", deals=1).unwrapped
        assert isinstance(made, LearnerEnv)
        assert made._env.game.rules.variant.name == name


def test_pettingzoo_makes_every_variant() -> None:
    registry = pytest.importorskip("pettingzoo.env_registry.registration")
    for name, variant in VARIANTS.items():
        assert str(registry.make("aec", f"hearts/{name}-v{variant.version}", deals=1)) == f"{name}_v{variant.version}"


@pytest.mark.parametrize("seat", range(4))
def test_rewards_are_all_that_came_to_the_seat(seat: int) -> None:
    env = LearnerEnv("black_lady", opponents=Lowest(), seat=seat, deals=2)
    for seed in range(5):
        total, steps = play(env, seed)
        assert steps > 20
        assert total == -env._env._states["totals"][0, seat, 0]


def test_every_episode_draws_from_a_mixture() -> None:
    first, second = Lowest(), Lowest()
    env = LearnerEnv("black_lady", opponents=Mixture(first, second), deals=1)
    drawn = []
    for seed in [*range(12), *range(12)]:
        before = len(first.views), len(second.views)
        play(env, seed)
        grown = len(first.views) > before[0], len(second.views) > before[1]
        assert sum(grown) == 1, "one for all seats"
        drawn.append(grown[0])
    assert drawn[:12] == drawn[12:]
    assert 0 < sum(drawn) < 24


@pytest.mark.parametrize(
    "variant",
    [
        "gong_zhu",
        "math_team_hearts",
        "cancellation_hearts(players=11)",
        "joker_hearts(jokers.lead=call)",
        "turbo_hearts",
    ],
)
def test_more_is_better_for_the_learner_whatever_wins(variant: str) -> None:
    env = LearnerEnv(variant, opponents=Lowest(), seat=2, deals=1)
    sign = 1 if env._env.game.rules.score.better == "high" else -1
    for seed in range(3):
        assert play(env, seed)[0] == sign * env._env._states["totals"][0, 2, 0]


def test_a_learner_may_be_paid_with_its_partner() -> None:
    env = LearnerEnv("partnership_hearts", opponents=Lowest(), seat=1, deals=1, team_rewards=True)
    assert play(env, 3)[0] == -env._env._states["totals"][0, [1, 3], 0].sum()


def test_a_learner_is_paid_one_number() -> None:
    with pytest.raises(ValueError, match="vector"):
        LearnerEnv("complex_hearts", reward="vector")


def test_opponents_see_only_their_own_cards() -> None:
    player = Lowest()
    play(LearnerEnv("black_lady", opponents=player, deals=1), seed=4)
    assert {view.seat for view in player.views} == {1, 2, 3}
    for view in player.views:
        others = np.delete(view.record["hands"], view.seat, axis=0)
        assert not others.any()


def test_the_same_seed_plays_the_same_episode() -> None:
    env = LearnerEnv("omnibus_hearts", deals=1)
    assert play(env, 7) == play(env, 7)


def test_an_illegal_action_ends_the_episode_and_says_why() -> None:
    env = LearnerEnv("black_lady", deals=1)
    env.reset(seed=2)
    illegal = int((env.action_masks() == 0).argmax())
    _, reward, terminated, truncated, info = env.step(illegal)
    assert (reward, terminated, truncated) == (-53.0, True, False)
    assert info["illegal"].startswith("seat 0 does not hold")
    with pytest.raises(ValueError, match="call reset"):
        env.step(illegal)
    assert "illegal" not in env.reset(seed=2)[1]


@pytest.mark.parametrize("action", [-1, 54, 1.5])
def test_a_number_that_is_no_action(action: float) -> None:
    env = LearnerEnv("black_lady", deals=1)
    env.reset(seed=2)
    before = env._env._states.copy()
    with pytest.raises(he.IllegalActionError, match="actions are 0 to 53"):
        env.step(action)  # type: ignore[arg-type]
    assert (env._env._states == before).all()


@pytest.mark.parametrize("action", ["no card", 54, -1])
def test_an_opponent_whose_action_does_not_exist(action: str | int) -> None:
    class Stubborn:
        def act(self, view: View) -> str | int:
            return action

    env = LearnerEnv("black_lady", opponents=Stubborn(), deals=1, first_deal=0)
    env.reset(seed=2)
    for _ in range(2):
        env.step(int(env.action_masks().argmax()))
    last = int(env.action_masks().argmax())  # of three cards to pass; then an opponent is to act
    with pytest.raises(he.IllegalActionError):
        env.step(last)


def test_writing_into_a_mask_changes_nothing() -> None:
    env = LearnerEnv("black_lady", deals=1)
    _, info = env.reset(seed=2)
    legal = int(info["action_mask"].argmax())
    info["action_mask"][:] = 0
    env.action_masks()[:] = 0
    _, _, terminated, _, info = env.step(legal)
    assert not terminated
    assert "illegal" not in info


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seat": 4}, "seat=4 is not a seat"),
        ({"opponents": [Lowest()] * 2}, "2 opponents; 3 seats"),
        ({"opponents": object()}, "has a method act"),
        ({"rewards": "points"}, "closest"),
        ({"reward": "point"}, "closest is 'points'"),
        ({"deals": 0}, "deals=0 must be at least 1"),
    ],
)
def test_bad_options_are_named(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        LearnerEnv("black_lady", **options)  # type: ignore[arg-type]


def test_stepping_without_an_episode() -> None:
    with pytest.raises(ValueError, match="call reset"):
        LearnerEnv("black_lady").step(0)


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
