"""Numbers of callers: never rounded, cut or wrapped; refused in one line, and nothing has changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import hearts_env as he
from hearts_agents.rule import RuleAgent, Weights
from hearts_agents.search import EndgameAgent, IsmctsAgent, PimcAgent
from hearts_env.compiled.game import compile_game
from hearts_env.envs.gym import LearnerEnv
from hearts_env.play.worlds import Worlds, likelihood, sample_worlds
from tests.support.buffers import everything

HANDS = [list(compile_game(he.rules("black_lady")).deck.match(suit)) for suit in "CDHS"]
NEVER = [10**400, 10**5000, float("nan"), float("inf"), 1.5, 1.0, True, "1", np.float32(1), np.True_, 1j, [1], b"1"]
"""No whole numbers, or too large for anything; None is tried where it has no meaning of its own."""


def bare() -> he.View:
    return he.Match("black_lady", seed=1).view(0)


def reset_with(name: str, value: Any) -> Any:
    options = {name: value} if name != "leader" else {name: value, "hands": HANDS}
    return he.raw_env("black_lady").reset(seed=1, options=options)


def scored(**arguments: Any) -> Any:
    return he.score_deal("black_lady", [["QS"], [], [], []], **arguments)


NUMBERS: dict[str, tuple[Callable[[Any], Any], int, bool]] = {
    # what is called, a right number, and whether None has a meaning
    "Match seed": (lambda n: he.Match("black_lady", seed=n), 1, True),
    "Match.view seat": (lambda n: he.Match("black_lady").view(n), 1, False),
    "Match.play": (lambda n: he.Match.from_hands("black_lady", HANDS).play(n), 0, False),
    "Game.action": (lambda n: compile_game(he.rules()).action(n), 1, False),
    "from_hands leader": (lambda n: he.Match.from_hands("black_lady", HANDS, leader=n), 1, True),
    "from_hands dealer": (lambda n: he.Match.from_hands("black_lady", HANDS, dealer=n), 1, False),
    "from_hands seed": (lambda n: he.Match.from_hands("black_lady", HANDS, seed=n), 1, True),
    "from_hands deal_number": (lambda n: he.Match.from_hands("black_lady", HANDS, deal_number=n), 1, False),
    "from_hands totals": (lambda n: he.Match.from_hands("black_lady", HANDS, totals=[0, n, 0, 0]), 1, False),
    "score_deal totals": (lambda n: scored(totals=[0, n, 0, 0]), 1, False),
    "score_deal deal_number": (lambda n: scored(deal_number=n), 1, False),
    "score_deal tricks_won": (lambda n: scored(tricks_won=[n, 0, 0, 0]), 1, False),
    "score_deal first_trick": (lambda n: scored(first_trick=n), 1, True),
    "score_deal last_trick": (lambda n: scored(last_trick=n), 1, True),
    "sample_worlds count": (lambda n: sample_worlds(bare(), n), 1, False),
    "sample_worlds seed": (lambda n: sample_worlds(bare(), 1, n), 1, False),
    "Worlds.hands": (lambda n: sample_worlds(bare(), 2).hands(n), 1, False),
    "View seat": (lambda n: he.View(bare().game, bare().record, n), 0, False),
    "env deals": (lambda n: he.env("black_lady", deals=n), 1, True),
    "vector deals": (lambda n: he.vector_env("black_lady", 1, deals=n), 1, True),
    "vector num_envs": (lambda n: he.vector_env("black_lady", n), 1, False),
    "vector threads": (lambda n: he.vector_env("black_lady", 1, threads=n), 1, False),
    "vector reset": (lambda n: he.vector_env("black_lady", 1).reset(seed=n), 1, True),
    "aec reset": (lambda n: he.env("black_lady").reset(seed=n), 1, True),
    "gym reset": (lambda n: LearnerEnv("black_lady").reset(seed=n), 1, True),
    "gym seat": (lambda n: LearnerEnv("black_lady", seat=n), 1, False),
    "option deal_number": (lambda n: reset_with("deal_number", n), 1, False),
    "option dealer": (lambda n: reset_with("dealer", n), 1, False),
    "option leader": (lambda n: reset_with("leader", n), 1, True),
    "option totals": (lambda n: reset_with("totals", [n, 0, 0, 0]), 1, False),
    "players": (lambda n: he.rules("black_lady").replace(players=n), 4, False),
    "build players": (he.VARIANTS["black_lady"].build, 4, True),
    "target": (lambda n: he.rules("black_lady").replace(target=n), 50, True),
    "card_values": (lambda n: he.rules("black_lady").replace(card_values={"H": 1, "QS": n}), 5, False),
    "pimc worlds": (PimcAgent, 1, False),
    "pimc endgame_tricks": (lambda n: PimcAgent(endgame_tricks=n), 1, False),
    "ismcts rollouts": (IsmctsAgent, 1, False),
    "endgame tricks": (EndgameAgent, 1, False),
    "endgame worlds": (lambda n: EndgameAgent(1, n), 1, False),
}
AS_TEXT = {"Match.play", "Game.action", "players", "target", "card_values", "build players"}
"""Where a text is another way to name it."""
GAUSSIAN = {"card_values"}
PER_GAME = {"vector reset"}
"""Where a list has a number for every game."""


@pytest.mark.parametrize("name", NUMBERS)
def test_what_is_no_whole_number_is_refused_in_one_line(name: str) -> None:
    call, right, takes_none = NUMBERS[name]
    for good in (right, np.int64(right), np.uint8(right), np.array(right)):
        call(good)
    for bad in [*NEVER, -(10**30), 2**64, *([] if takes_none else [None])]:
        if (name in AS_TEXT and bad == "1") or (name in GAUSSIAN and isinstance(bad, complex)):
            continue
        if name in PER_GAME and isinstance(bad, list):
            continue
        with pytest.raises((ValueError, TypeError)) as refusal:
            call(bad)
        assert "\n" not in str(refusal.value), bad
        assert len(str(refusal.value)) < 400, bad


@pytest.mark.parametrize("deals", [0, -1, 2**31, 2**32 + 1, 1_000_001])
def test_lengths_of_episodes_have_a_limit(deals: int) -> None:
    for make in (he.env, he.raw_env, he.vector_env, LearnerEnv):
        with pytest.raises(ValueError, match=f"deals={deals} must be at"):
            make("black_lady", deals=deals)
    assert he.env("black_lady", deals=1_000_000)._episode.deals == 1_000_000


FRACTIONS = [float("nan"), float("inf"), "1", True, None, 10**400, 1j]


@pytest.mark.parametrize(
    "call",
    [
        lambda x: sample_worlds(bare(), 1, policy=lambda views: np.zeros(len(views), int), epsilon=x),
        lambda x: likelihood(bare(), sample_worlds(bare(), 1).records, lambda views: np.zeros(1, int), x),
        lambda x: Weights(height=x),
        lambda x: PimcAgent(millis=x),
        lambda x: PimcAgent(min_z=x),
        lambda x: IsmctsAgent(exploration=x),
        lambda x: IsmctsAgent(prior_bonus=x),
    ],
)
def test_real_numbers_are_finite(call: Callable[[Any], Any]) -> None:
    call(0.5)
    for bad in FRACTIONS:
        with pytest.raises((ValueError, TypeError)) as refusal:
            call(bad)
        assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("flag", [1, 0, "no", "true", None, 0.0])
def test_flags_are_true_or_false(flag: Any) -> None:
    for name in ("team_rewards", "tokens")[flag is None :]:  # team_rewards=None follows from the rules
        with pytest.raises(ValueError, match=f"{name}=.* True or False"):
            he.env("partnership_hearts", **{name: flag})
    with pytest.raises(ValueError, match=r"autoreset=.* True or False"):
        he.vector_env("black_lady", 1, autoreset=flag)
    with pytest.raises(ValueError, match=r"passing=.* True or False"):
        he.Match.from_hands("black_lady", HANDS, passing=flag)
    for name in ("first_trick", "broken"):
        with pytest.raises(ValueError, match=f"{name}=.* True or False"):
            he.legal_plays("black_lady", ["2C"], **{name: flag})


# Refused, and as before


def all_of(env: Any) -> list[Any]:
    """What an environment of one game shows and would do next."""
    seen = env.observe(env.agent_selection)
    state = [env._states.tobytes(), str(env._rng.bit_generator.state), *(part.tobytes() for part in seen.values())]
    return [*state, env.rewards, env._cumulative_rewards, env.terminations, env.agents, env.agent_selection]


WRONG_ACTIONS = [0.99, 1.0, float("nan"), True, "2C", None, [0], 10**400, -1, 54, np.float64(3), np.array([3]), 2**32]


@pytest.mark.parametrize("action", WRONG_ACTIONS, ids=lambda action: str(action)[:9])
def test_a_refused_action_changes_nothing(action: Any) -> None:
    raw: Any = he.raw_env("black_lady")
    checked: Any = he.env("black_lady")
    gym: Any = LearnerEnv("black_lady")
    legal = 0
    for env in (raw, checked):
        env.reset(seed=1)
        legal = int(env.last()[0]["action_mask"].argmax())
    gym.reset(seed=1)
    wrong = [action] if isinstance(action, str | list) or action is None else [action, legal + 0.99]
    for one in wrong:
        before = all_of(raw), all_of(checked), all_of(gym._env)
        with pytest.raises(he.IllegalActionError):
            raw.step(one)
        with pytest.raises(AssertionError, match="action is not in action space"):
            checked.step(one)
        with pytest.raises(he.IllegalActionError, match="actions are 0 to 53"):
            gym.step(one)
        assert (all_of(raw), all_of(checked), all_of(gym._env)) == before
    raw.step(np.array(legal))
    assert raw.view("player_0").passed == [raw.game.actions[legal]]


def test_a_refused_batch_changes_nothing() -> None:
    env = he.vector_env("black_lady", 3)
    env.reset(seed=1)
    right = env.action_masks.argmax(axis=1)
    before = everything(env)
    for wrong in (
        right + 0.99, right.astype(float), right > 0, right.astype(object), list(map(float, right)), right[:2], None,
        right[None], [10**400, 0, 0], right.astype(np.uint64) + np.uint64(2**63), right + 2**32, "abc", [[1], [2, 3]],
    ):  # fmt: skip
        with pytest.raises(ValueError) as refusal:  # noqa: PT011 - any line will do
            env.step(wrong)  # type: ignore[arg-type]
        assert "\n" not in str(refusal.value)
        assert everything(env) == before
    with pytest.raises(ValueError, match="seed"):
        env.reset(seed=1.5)  # type: ignore[arg-type]
    assert everything(env) == before
    env.step(right.astype(np.uint8).tolist())


@pytest.mark.parametrize(
    ("seed", "options"),
    [
        (1.5, None), (-1, None), (2**64, None), (True, None), ("1", None),
        (2, {"totals": [1, 2]}), (2, {"totals": [0.5, 0, 0, 0]}), (None, {"totals": [10**7, 0, 0, 0]}),
        (2, {"totals": [100.0, 0, 0, 0]}), (None, {"hands": 5}), (2, {"hands": [[1] * 13] * 4}), (2, {"total": [0]}),
        (None, {"deal_number": 1.5}), (2, {"dealer": 9}), (2, [("totals", [0, 0, 0, 0])]), (2, {"passing": 1}),
    ],
)  # fmt: skip
def test_a_refused_reset_changes_nothing(seed: Any, options: Any) -> None:
    env, gym = he.raw_env("black_lady"), LearnerEnv("black_lady")
    env.reset(seed=1)
    gym.reset(seed=1)
    before = all_of(env), all_of(gym._env), str(gym.np_random.bit_generator.state)
    for one in (env, gym):
        with pytest.raises((ValueError, TypeError)) as refusal:
            one.reset(seed=seed, options=options)
        assert "\n" not in str(refusal.value)
    assert (all_of(env), all_of(gym._env), str(gym.np_random.bit_generator.state)) == before


def test_totals_of_gaussian_games_are_gaussian_integers() -> None:
    start = he.Match("complex_hearts", seed=1)
    hands = start.hands
    again = he.Match.from_hands(start.rules, hands, totals=[1 + 2j, 3, -1j, 0j])
    assert again.totals == [1 + 2j, 3, -1j, 0]
    for wrong in (0.5j, 1.5, complex("nan"), complex("inf"), 2e6j, 1.0, "1+i"):
        with pytest.raises(ValueError, match="totals are Gaussian integers"):
            he.Match.from_hands(start.rules, hands, totals=[wrong, 0, 0, 0])


def test_the_default_agent_of_weights_is_unchanged() -> None:
    assert RuleAgent(Weights(pass_spades=2)).weights.pass_spades == 2
    assert isinstance(sample_worlds(bare(), 2), Worlds)
