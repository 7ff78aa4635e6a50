"""The reasons why a card may not be played or passed now, in the words of card players."""

from __future__ import annotations

from collections.abc import Callable

from hearts_env.compiled.decisions import DECISIONS
from hearts_env.explain.words import SUIT_WORDS, card_words, kind_words, listing, one_word, pattern_words
from hearts_env.ruleset.enums import FirstTrickScope
from hearts_env.seat.illegal import Broken, broken_rule, led_suit
from hearts_env.seat.view import View


def why_not(view: View, action: str) -> str:
    """The reason why the seat to act may not take an action.

    >>> import hearts_env as he
    >>> hands = [[rank + suit for rank in "23456789TJQKA"] for suit in "CDHS"]
    >>> hands[1][0], hands[0][1] = "3C", "2D"
    >>> match = he.Match.from_hands("black_lady", hands, played=["2C"])
    >>> why_not(match.view(1), "AD")
    'Follow suit: clubs were led.'

    Args:
        view: of the seat to act.
        action: the name of an action of the game that is not legal.
    """
    if not DECISIONS[view.phase].of_cards:
        return "No card is played now: decide first, by one of the buttons."
    if action not in view.hand:
        return "You do not hold that card." if action in view.game.deck.kinds else "That choice is not open now."
    rule = broken_rule(view, action)
    return _WITH_CARDS[rule](view, action) if rule in _WITH_CARDS else _LINES[rule].format(f"The {card_words(action)}")


_LINES = {
    Broken.REFUSABLE: "{} may be refused as well: choose a card that cannot be.",
    Broken.UNPASSABLE: "{} may not be passed.",
    Broken.SHOWN: "{} was shown: it may not be played to the first trick of its suit.",
    Broken.OPENING_ALL: "{} may not be played to the first trick: another card of yours belongs there.",
    Broken.JOKER_LEAD: "A joker may be led only when you have nothing else.",
    Broken.HEART_LEAD: "Hearts may not be led until they are broken.",
    Broken.NO_HEART_LEAD: "Hearts may be led only when you have nothing else.",
}
"""Broken rule -> the line about a card."""


def _forced(view: View, card: str) -> str:
    duty = listing(map(pattern_words, view.game.rules.play.forced_discard), "or")
    return f"You cannot follow suit: discard {duty}."


def _opening(view: View, card: str) -> str:
    legal = view.legal()
    must = f"the {card_words(legal[0])}" if len(legal) == 1 else f"a {one_word(legal[0][-1])}"
    return f"The first card of the deal must be {must}."


def _locked(view: View, card: str) -> str:
    barred = "played" if view.record["trick_len"] else "led"
    return f"The {card_words(card)} may not be {barred} until hearts are broken."


def _first_trick(view: View, card: str) -> str:
    play = view.game.rules.play
    named = next(pattern for pattern in play.first_trick_forbidden if card in view.game.deck.match(pattern))
    cards = kind_words(named)
    where = "played to" if play.first_trick_scope is FirstTrickScope.ANY_PLAY else "discarded on"
    return f"{cards[0].upper()}{cards[1:]} may not be {where} the first trick."


_WITH_CARDS: dict[Broken, Callable[[View, str], str]] = {
    Broken.FOLLOW: lambda view, card: f"Follow suit: {SUIT_WORDS[led_suit(view) or '']} were led.",
    Broken.FORCED_DISCARD: _forced,
    Broken.OPENING: _opening,
    Broken.LOCKED: _locked,
    Broken.FIRST_TRICK: _first_trick,
}
"""The same where the line names other cards or suits."""
