"""The decision that a seat makes in each phase: the names of its answers, and the words of its prompt.

A game has actions for the decisions that its rules can require. `fill` lays them out in the order of `DECISIONS`; the
terminal, the browser and the messages about illegal actions take their words from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from hearts_env.cards import JOKER, SUITS, Deck
from hearts_env.ruleset import derived
from hearts_env.ruleset.enums import JokerLead, MoonMode, MoonPolicy, MoonSign
from hearts_env.ruleset.model import Rules
from hearts_env.ruleset.passing import pass_schedule


class Widget(StrEnum):
    """The control with which a person answers on a screen."""

    PICK = "pick"
    """By picking cards of the hand, and confirming."""
    CARD = "card"
    """By one card of the hand."""
    BUTTONS = "buttons"
    """By a button for each answer."""


@dataclass(frozen=True)
class Decision:
    """The decision that a seat makes in a phase.

    Attributes:
        prompt: the question to the seat.
        task: the words for the decision, after "must": for other seats, and for messages that refuse an action.
        widget: the control with which a person answers.
        answers: from the rules and their pack to the answers, none in games without the decision; each is an action,
            written after the name of the phase: ``moon:self``.
    """

    prompt: str
    task: str
    widget: Widget = Widget.BUTTONS
    answers: Callable[[Rules, Deck], Iterable[str]] = lambda rules, deck: ()  # a card is an action of its own

    @property
    def of_cards(self) -> bool:
        """True if the answers are cards of the hand."""
        return self.widget is not Widget.BUTTONS


def _directions(rules: Rules, deck: Deck) -> Iterable[str]:
    # passing.cycle: left|hold: the dealer chooses
    schedule = pass_schedule(rules.passing.cycle, rules.players, rules.passing.count)
    options = dict.fromkeys(option.text for entry in schedule for option in entry)
    return options if any(len(entry) > 1 for entry in schedule) else ()


def _refusals(rules: Rules, deck: Deck) -> Iterable[str]:
    refusable = derived.refusable_cards(rules, deck)
    return [*refusable, "no"] if refusable else ()


def _exposures(rules: Rules, deck: Deck) -> Iterable[str]:
    cards = sorted((card for card, _ in rules.exposing.cards), key=deck.kind)
    return [*cards, "done"] if cards else ()


def _suits(rules: Rules, deck: Deck) -> Iterable[str]:
    return SUITS if JOKER in deck.ids and rules.jokers.lead is JokerLead.CALL else ()


def _moons(rules: Rules, deck: Deck) -> Iterable[str]:
    modes = (MoonMode.CHOICE, MoonMode.NEW_IF_OLD_LOSES, MoonMode.RESET_OR_DOUBLE)
    return ("self", "others") if rules.moon.policy is MoonPolicy.ASK and rules.moon.mode in modes else ()


DECISIONS = {
    "direction": Decision("Choose how everybody passes", "choose how cards are passed", answers=_directions),
    "refuse": Decision("You are offered a card that you may refuse", "accept or refuse a card", answers=_refusals),
    "pass": Decision("Choose a card to pass", "pass a card", Widget.PICK),
    "expose": Decision("Show a card before play, or go on", "show a card or go on", answers=_exposures),
    "pledge": Decision(
        "Do you pledge to take no heart?",
        "pledge to take no heart or not",
        answers=lambda rules, deck: ("yes", "no") if rules.score.pledge is not None else (),
    ),
    "play": Decision("Play a card", "play a card", Widget.CARD),
    "suit": Decision("Call the suit that follows your joker", "call the suit for the joker", answers=_suits),
    "moon": Decision("You shot the moon: choose what it does", "choose what the moon does", answers=_moons),
    "sign": Decision(
        "Your moon: add or subtract?",
        "choose the sign of the moon's award",
        answers=lambda rules, deck: ("plus", "minus") if rules.moon.sign is MoonSign.CHOSEN else (),
    ),
    "exact": Decision(
        "Your total is hit exactly: change it or keep it?",
        "change its total, hit exactly, or keep it",
        answers=lambda rules, deck: ("yes", "no") if rules.end.exact_optional else (),
    ),
}
"""The name of every phase but the last, in the order of a deal -> its decision."""
