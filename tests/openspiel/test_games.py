"""Our games in OpenSpiel: its own simulations and algorithms run on them, and they play as `Match` does."""

import copy
import pickle
import subprocess
import sys
from collections import Counter
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import hearts_env as he
from tests.journey.faces import worth
from tests.support.games import LARGEST
from tests.support.marks import few, marked

pyspiel: Any = pytest.importorskip("pyspiel")
import hearts_env.envs.openspiel  # noqa: E402 - registers the game

ROOT = Path(he.__file__).parents[1]
UNUSUAL = [
    "black_lady(players=3, ranks=[Q,K,A], pledge=10)",
    "black_lady(teams=[0+2,1+3], moon.scope=team, moon.mode=old)",
    "black_lady(cycle=[left|right|scatter|hold])",
    "black_lady(cycle=[left&right], passing.count=1, schedule=random)",
    "gong_zhu(exposing.cards={AH:H,QS:QS,JD:JD,TC:TC})",
    "heartsette(players=6, kitty_award=one_per_trick)",
    "heartsette(players=5, kitty_award=out_of_play, direction=-1)",
    "joker_hearts(players=3, jokers.lead=call, jokers.scores=heart_trick, card_values={H:1,QS:13,JK:3})",
    "complex_hearts(moon.sign=chosen)",
    "rickety_kate(chips=25, target=none)",
    "incredu_hearts(players=4, exact={1:-50}, exact_optional=true)",
]


def load(variant: str, **parameters: str) -> Any:
    return pyspiel.load_game("hearts_env", {"variant": variant, **parameters})


def after_the_deal(game: Any, rng: Random) -> Any:
    state = game.new_initial_state()
    while state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        assert sum(chances) == pytest.approx(1)
        state.apply_action(rng.choices(outcomes, chances)[0])
    return state


def match_of(state: Any) -> he.Match:
    """The match whose first deal is that of a state."""
    position = state.position
    game, hands, record = position.dealing.game, position.dealing.hands(position.drawn), position.record
    kitty = [game.deck.kinds[kind] for kind in record["kitty"][: game.tables["kitty_size"]]]
    dealt: dict[str, Any] = {"passing": True, "dealer": int(record["dealer"]), "kitty": kitty}
    matches = (he.Match.from_hands(game.rules, hands[:-1], seed=seed, **dealt) for seed in count())
    return next(match for match in matches if match.direction == position.view(0).direction)


@pytest.mark.parametrize("table", UNUSUAL)
def test_open_spiels_own_simulation_runs(table: str) -> None:
    pyspiel.random_sim_test(load(table), 1, True, False)


@pytest.mark.parametrize("table", [*UNUSUAL, *map(marked, LARGEST)])
def test_a_deal_is_that_of_a_match(table: str) -> None:
    game, rng = load(table), Random(table)
    state = after_the_deal(game, rng)
    match = match_of(state)
    while not state.is_terminal():
        assert match.seat is not None
        assert state.current_player() == match.seat
        assert [state.action_to_string(action) for action in state.legal_actions()] == match.legal()
        tensor = np.array(state.observation_tensor(match.seat))
        assert (tensor == match.view(match.seat).observation()).all()
        action = rng.choice(state.legal_actions())
        state.apply_action(action)
        match.play(action)
    assert state.returns() == pytest.approx(worth(match.game, match.state[0], "relative"))


@pytest.mark.parametrize("table", UNUSUAL)
def test_resampled_deals_look_the_same_to_the_player(table: str) -> None:
    game, rng = load(table), Random(table)
    state, changed = after_the_deal(game, rng), False
    while not state.is_terminal():
        for player in rng.sample(range(game.num_players()), 2) if rng.random() < 0.4 else []:
            other = state.resample_from_infostate(player, rng.random)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.information_state_tensor(player) == state.information_state_tensor(player)
            assert other.current_player() == state.current_player()
            changed |= str(other) != str(state)
            if player == state.current_player():
                assert other.legal_actions() == state.legal_actions()
        state.apply_action(rng.choice(state.legal_actions()))
    assert changed


@pytest.mark.parametrize(
    "table", few(["duel_hearts", "black_lady(players=3, ranks=[Q,A], removed=[QC,AC], holder=D, passing.count=1)"], 1)
)
def test_an_information_set_is_what_the_player_knows(table: str) -> None:
    """States of the same text have the same tensor, actions and earlier actions; others differ in their tensors."""
    game, rng = load(table), Random(3)
    by_text: dict[str, tuple[Any, ...]] = {}
    by_tensor: dict[Any, str] = {}
    for _ in range(800):
        state, own = after_the_deal(game, rng), dict.fromkeys(range(game.num_players()), ())
        while not state.is_terminal():
            player = state.current_player()
            text, tensor = state.information_state_string(player), tuple(state.information_state_tensor(player))
            known = (tensor, tuple(state.legal_actions()), own[player], state.observation_string(player))
            assert by_text.setdefault(text, known) == known
            if "received" not in text:  # the tensor shows which cards were passed, not in which order
                assert by_tensor.setdefault((player, tensor), text) == text
            action = rng.choice(state.legal_actions())
            own[player] += (action,)  # type: ignore[assignment]
            state.apply_action(action)
    assert len(by_text) > 400


def test_chance_meets_each_deal_once() -> None:
    """8 cards, 3 each and 2 in the kitty: 8! / (3! 3! 2!) deals."""
    state = load("duel_hearts").new_initial_state()
    deals, stack = Counter[str](), [(state, 1.0)]
    while stack:
        state, chance = stack.pop()
        if state.is_chance_node():
            stack += [(state.child(outcome), chance * share) for outcome, share in state.chance_outcomes()]
        else:
            deals[str(state)] += 1
            assert chance == pytest.approx(1 / 560)
    assert len(deals) == deals.total() == 560


@pytest.mark.parametrize("reward", ["relative", "points"])
def test_a_game_is_read_back_from_its_text(reward: str) -> None:
    game = load("black_lady(players=3, ranks=[Q,K,A], card_values={H:1,QS:5})", reward=reward)
    again = pyspiel.load_game(str(game))
    assert str(again) == str(game)
    assert again.settings == game.settings
    assert (game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM) == (reward == "relative")
    state = after_the_deal(game, Random(1))
    assert str(pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1]) == str(state)


@pytest.mark.parametrize(
    ("variant", "message"),
    [
        ("black_lady(cycle=[pool*2])", "passing.cycle shuffles cards in a pool"),
        ("black_lady(cycle=[left,pool*2], schedule=random)", "passing.cycle shuffles cards in a pool"),
        ("black_lady(refusable=[QS])", "passing.refusable takes back"),
        ("blak_lady", "the closest is black_lady"),
    ],
)
def test_what_cannot_be_expressed_is_refused_in_one_line(variant: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as refusal:
        load(variant)
    assert "\n" not in str(refusal.value)
    assert load("black_lady(cycle=[left,pool*2])").max_game_length() == 65


def test_wrong_use_is_refused_in_one_line() -> None:
    with pytest.raises(ValueError, match="reward=win is not one of relative, points"):
        load("duel_hearts", reward="win")
    state = load("duel_hearts").new_initial_state()
    with pytest.raises(ValueError, match="outcome 3 is not possible"):
        state.apply_action(3)
    with pytest.raises(ValueError, match="resample a state after the deal"):
        state.resample_from_infostate(0, lambda: 0.5)
    state = after_the_deal(load("duel_hearts"), Random(2))
    with pytest.raises(ValueError, match=r"does not hold|must") as refusal:
        state.apply_action(next(action for action in range(8) if action not in state.legal_actions()))
    assert "\n" not in str(refusal.value)


def test_copies_of_a_state_are_independent() -> None:
    rng = Random(5)
    state = after_the_deal(load("black_lady"), rng)
    copies = [state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]
    before = str(state)
    for _ in range(20):
        state.apply_action(rng.choice(state.legal_actions()))
    assert [str(other) for other in copies] == [before] * 3
    assert [other.legal_actions() for other in copies] == [copies[0].legal_actions()] * 3


def test_mccfr_runs() -> None:
    from open_spiel.python.algorithms import external_sampling_mccfr, outcome_sampling_mccfr

    game = load("duel_hearts")
    np.random.seed(1)  # noqa: NPY002 - OpenSpiel draws from it
    solvers = external_sampling_mccfr.ExternalSamplingSolver, outcome_sampling_mccfr.OutcomeSamplingSolver
    for solver in (kind(game) for kind in solvers):
        for _ in range(5):
            solver.iteration()
        state = after_the_deal(game, Random(1))
        shares = solver.average_policy().action_probabilities(state)
        assert sorted(shares) == state.legal_actions()
        assert sum(shares.values()) == pytest.approx(1)


@pytest.mark.parametrize("variant", ["duel_hearts", "black_lady"])
def test_ismcts_decides(variant: str) -> None:
    from open_spiel.python.algorithms import ismcts, mcts

    rng = np.random.RandomState(1)
    game = load(variant)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, rng), 5.0, 10, random_state=rng)
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, rng.uniform))
    state = after_the_deal(game, Random(1))
    assert bot.step(state) in state.legal_actions()


@pytest.mark.parametrize("modules", few(["pyspiel, hearts_env", "hearts_env, pyspiel", "hearts_env.envs.openspiel"], 1))
def test_the_game_is_there_after_both_imports(modules: str) -> None:
    program = (
        f"import sys, {modules}; heavy = 'numba' in sys.modules; import pyspiel; "
        "print(pyspiel.load_game('hearts_env(variant=duel_hearts)'), heavy)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["hearts_env(variant=duel_hearts)", "False"], done.stderr
