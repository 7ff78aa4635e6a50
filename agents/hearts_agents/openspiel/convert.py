"""Deals between `Match` and `pyspiel.State`.

Both have the same decisions in the same order (three picks of each seat, then the play). So a deal is determined by its
direction, the hands dealt and the actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import count
from typing import Any

from hearts_agents.openspiel.parameters import load_hearts, openspiel_rules, parameters_of
from hearts_env.compiled.game import compile_game
from hearts_env.ruleset.model import Rules
from hearts_env.table.match import Match

DIRECTIONS = ("hold", "left", "across", "right")
"""By OpenSpiel's first chance action: the number of seats to the left that cards are passed."""
_RANKS, _SUITS = "23456789TJQKA", "CDHS"
CARDS = tuple(rank + suit for rank in _RANKS for suit in _SUITS)
"""By OpenSpiel's action."""
_DEALT = 1 + len(CARDS)


def card_action(card: str) -> int:
    """OpenSpiel's action for a card."""
    return CARDS.index(card)


def to_pyspiel(match: Match) -> Any:
    """The `pyspiel.State` of a match, hidden cards included.

    Raises:
        ValueError: OpenSpiel is not installed or cannot play by these rules, or the match was set up with a leader that
            does not hold the two of clubs.
    """
    parameters_of(match.rules)
    deal = match.log[-1]
    if deal.leader is not None and "2C" not in deal.hands[deal.leader]:
        raise ValueError(f"seat {deal.leader} leads without the 2C; in OpenSpiel the holder of the 2C leads")
    actions = [action for _, action in deal.actions]
    return state_of(match.rules, match.direction or "hold", deal.hands, actions)


def from_pyspiel(state: Any) -> Match:
    """The match of a `pyspiel.State` of Hearts with any parameters.

    Raises:
        ValueError: the state is of another game, its cards are not all dealt, or its parameters do not allow its pass.
    """
    game = state.get_game()
    if game.get_type().short_name != "hearts":
        raise ValueError(f"this is a state of {game.get_type().short_name}; a state of hearts is needed")
    history = state.history()
    if len(history) < _DEALT:
        raise ValueError(f"OpenSpiel has dealt {max(len(history) - 1, 0)} of 52 cards; convert a state after the deal")
    dealt, actions = ([CARDS[card] for card in part] for part in (history[1:_DEALT], history[_DEALT:]))
    rules = openspiel_rules(**game.get_parameters())
    hands, seed = [dealt[seat::4] for seat in range(4)], _seed_of(rules, DIRECTIONS[history[0]])
    return Match.from_hands(rules, hands, passing=True, played=actions, seed=seed)


def state_of(rules: Rules, direction: str, hands: Sequence[Sequence[str]], actions: Sequence[str]) -> Any:
    """The `pyspiel.State` of a deal under OpenSpiel's rules.

    Args:
        rules: the rules.
        direction: the pass, one of `DIRECTIONS`.
        hands: the cards dealt, per seat.
        actions: cards passed and played, in order.
    """
    state = load_hearts(rules).new_initial_state()
    state.apply_action(DIRECTIONS.index(direction))
    for place in range(len(CARDS)):
        state.apply_action(card_action(hands[place % 4][place // 4]))
    for action in actions:
        state.apply_action(card_action(action))
    return state


@cache
def _seed_of(rules: Rules, direction: str) -> int:
    """The first seed whose deal is passed in a direction; the rules draw the direction."""
    possible = [option.text for option in compile_game(rules).options]
    if direction not in possible:
        raise ValueError(
            f"the deal is passed {direction}, but under its parameters only {', '.join(possible)} is possible; "
            "choose among legal_actions() of OpenSpiel's first state, not chance_outcomes()"
        )
    return next(seed for seed in count() if Match(rules, seed).direction == direction)
