"""Numbers of callers: never rounded, cut or wrapped; refused in one line, and nothing has changed."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import hearts_env as he
from hearts_agents.rule import Weights
from hearts_agents.search import EndgameAgent, IsmctsAgent, PimcAgent
from hearts_env.compiled.game import compile_game
from hearts_env.envs.gym import LearnerEnv
from hearts_env.seat.worlds import likelihood, sample_worlds

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
MEANT = {(name, str) for name in AS_TEXT} | {("card_values", complex), ("vector reset", list)}
"""Where a text is another way to name it, numbers may be Gaussian, and a list has a number for every game."""


@pytest.mark.parametrize("name", NUMBERS)
def test_what_is_no_whole_number_is_refused_in_one_line(name: str) -> None:
    call, right, takes_none = NUMBERS[name]
    for good in (right, np.int64(right), np.uint8(right), np.array(right)):
        call(good)
    for bad in [*NEVER, -(10**30), 2**64, *([] if takes_none else [None])]:
        if (name, type(bad)) not in MEANT:
            with pytest.raises((ValueError, TypeError)) as refusal:
                call(bad)
            assert "\n" not in str(refusal.value), bad
            assert len(str(refusal.value)) < 400, bad


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
    for bad in (float("nan"), float("inf"), "1", True, None, 10**400, 1j):
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


def test_totals_of_gaussian_games_are_gaussian_integers() -> None:
    start = he.Match("complex_hearts", seed=1)
    hands = start.hands
    again = he.Match.from_hands(start.rules, hands, totals=[1 + 2j, 3, -1j, 0j])
    assert again.totals == [1 + 2j, 3, -1j, 0]
    for wrong in (0.5j, 1.5, complex("nan"), complex("inf"), 2e6j, 1.0, "1+i"):
        with pytest.raises(ValueError, match="totals are Gaussian integers"):
            he.Match.from_hands(start.rules, hands, totals=[wrong, 0, 0, 0])
