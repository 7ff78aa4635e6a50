"""Every parameter of OpenSpiel's Hearts against the same rules here: same deals, same play, in lockstep."""

from collections import Counter
from functools import cache
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

import hearts_env as he
from hearts_agents.openspiel.parameters import DEFAULTS, openspiel_rules
from hearts_env.compiled.game import compile_game
from hearts_env.kernel.legal import legal
from hearts_env.kernel.records import STATE, Phase
from hearts_env.kernel.steps import step
from hearts_env.table.log import DealStart
from hearts_env.table.setup import set_start
from tests.support.deals import SHAPES, Hands, uniform
from tests.support.marks import rare

pyspiel = pytest.importorskip("pyspiel")

DIRECTIONS = ("hold", "left", "across", "right")  # in OpenSpiel's order of actions
DEALS = 12  # per setting, half of them skewed
TOTAL = 26  # OpenSpiel returns this minus the points
Parameters = dict[str, bool]
PLAY_FLAGS = (
    "no_pts_on_first_trick",
    "can_lead_any_club",
    "must_break_hearts",
    "qs_breaks_hearts",
    "can_lead_hearts_instead_of_qs",
)
OTHER_FLAGS = ("pass_cards", "jd_bonus", "avoid_all_tricks_bonus")


def queen_and_hearts(rules: he.Rules, rng: Random) -> Hands:
    """Without a pass, one seat wins the first trick and then holds hearts and the queen of spades, or hearts only."""
    cards = [card for hand in uniform(rules, rng) for card in hand]
    best = rng.choice([["AC"], ["AC", "QS"], ["AC", "QS"], ["AC", "QS", "AD"]])
    best = best + [card for card in cards if card[-1] == "H"][: 13 - len(best)]
    rest = [card for card in cards if card not in best]
    hands = [rest[start : start + 13] for start in (0, 13, 26)]
    hands.insert(rng.randrange(4), best)
    return hands


@cache
def ids() -> dict[str, int]:
    """Card name -> OpenSpiel's action."""
    state = pyspiel.load_game("hearts").new_initial_state()
    state.apply_action(0)
    return {state.action_to_string(0, action): action for action in range(52)}


@cache
def kinds() -> list[int]:
    """OpenSpiel's action -> our kind."""
    deck = compile_game(he.rules("openspiel")).deck
    return [deck.kind(card) for card, _ in sorted(ids().items(), key=lambda item: item[1])]


def dealt(parameters: Parameters, direction: str, hands: Hands) -> Any:
    """OpenSpiel's state after the deal."""
    state = pyspiel.load_game("hearts", parameters).new_initial_state()
    state.apply_action(DIRECTIONS.index(direction))
    for place in range(52):
        state.apply_action(ids()[hands[place % 4][place // 4]])
    return state


def possible_directions(parameters: Parameters) -> set[str]:
    state = pyspiel.load_game("hearts", parameters).new_initial_state()
    return {DIRECTIONS[action] for action in state.legal_actions()}  # chance_outcomes() lists four in any case


def disagreement(rules: he.Rules, parameters: Parameters, hands: Hands, rng: Random, seen: Counter[str]) -> str:
    """What first differs between the two games of a deal played at random, or nothing; `seen` counts what happened."""
    game = compile_game(rules)
    t, record = game.tables, np.zeros(1, STATE)[0]
    set_start(game, record, DealStart(hands, passing=True), rng.randrange(2**63))
    direction = game.options[int(record["pass_option"])].text
    state = dealt(parameters, direction, hands)
    seen[direction] += 1
    bold = rng.choice([None, 0, 1, 2, 3])  # a seat that tries to win every trick while the others play low
    while not state.is_terminal():
        if record["phase"] == Phase.OVER or state.current_player() != record["seat"]:
            return "seat to act"
        theirs = state.legal_actions()
        if int(legal(record, t)) != sum(1 << kinds()[action] for action in theirs):
            return "legal actions"
        chosen = rng.choice(theirs)
        if bold is not None and record["phase"] == Phase.PLAY:  # OpenSpiel numbers cards by rank
            chosen = max(theirs) if state.current_player() == bold else min(theirs)
        seen["compared"] += 1
        state.apply_action(chosen)
        step(record, t, kinds()[chosen])
    if record["phase"] != Phase.OVER:
        return "end"
    seen["shot"] += record["shooter"] >= 0
    seen["no tricks"] += 0 in record["tricks_won"][:4]
    seen["negative"] += int(record["points"][:4, 0].min()) < 0
    return "" if state.returns() == [TOTAL - points for points in record["points"][:4, 0]] else "returns"


def disagreements(rules: he.Rules, parameters: Parameters, rng: Random, deals: int, seen: Counter[str]) -> str:
    """The first disagreement over so many deals, half of them skewed, and over the ways to pass."""
    if {option.text for option in compile_game(rules).options} != possible_directions(parameters):
        return "directions"
    for deal in range(deals):
        shape = rng.choice([*[queen_and_hearts] * 4, *SHAPES]) if deal % 2 else uniform
        found = disagreement(rules, parameters, shape(rules, rng), rng, seen)
        if found:
            return found
    return ""


def every_setting(flags: tuple[str, ...]) -> list[Parameters]:
    return [dict(zip(flags, values, strict=True)) for values in product([False, True], repeat=len(flags))]


@pytest.mark.parametrize("others", rare(every_setting(OTHER_FLAGS), 2), ids=str)
def test_every_parameter_setting(others: Parameters) -> None:
    seen: Counter[str] = Counter()
    for place, flags in enumerate(every_setting(PLAY_FLAGS)):
        parameters = flags | others
        assert not disagreements(openspiel_rules(**parameters), parameters, Random(place), DEALS, seen), parameters
    assert seen["compared"] > 32 * DEALS * 50
    wanted = {"shot", "no tricks", *(DIRECTIONS if others["pass_cards"] else ["hold"])}
    wanted |= {"negative"} if others["jd_bonus"] or others["avoid_all_tricks_bonus"] else set()
    assert not wanted - set(+seen)


def test_defaults_are_the_registered_variant() -> None:
    assert pyspiel.load_game("hearts").get_parameters() == DEFAULTS
    assert openspiel_rules() == he.rules("openspiel")


def test_match_plays_the_same_deals() -> None:
    rng = Random(3)
    for seed in range(16):
        match = he.Match("openspiel", seed=seed)
        state = dealt({}, str(match.direction), match.hands)
        while not state.is_terminal():
            assert match.seat == state.current_player()
            assert sorted(match.legal()) == sorted(state.action_to_string(action) for action in state.legal_actions())
            chosen = rng.choice(match.legal())
            match.play(chosen)
            state.apply_action(ids()[chosen])
        assert match.over
        assert state.returns() == [TOTAL - points for points in match.points]


@pytest.mark.parametrize("flag", DEFAULTS)
@pytest.mark.parametrize("value", [False, True])
def test_a_flag_flipped_on_one_side_is_noticed(flag: str, value: bool) -> None:
    """The corpus above is sharp enough to tell every flag from its opposite."""
    for place, flags in enumerate(every_setting(PLAY_FLAGS)):
        parameters = {**DEFAULTS, **flags, flag: value}
        flipped = openspiel_rules(**(parameters | {flag: not value}))
        if disagreements(flipped, parameters, Random(place), DEALS, Counter()):
            return
    pytest.fail(f"{flag}={value} looks like {flag}={not value}")
