"""The reason why an action is illegal, in one line: the card, the seat and the rule it breaks."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from hearts_env.cards import JOKER, SUITS, suit_of
from hearts_env.checks import whole
from hearts_env.compiled.decisions import DECISIONS
from hearts_env.compiled.game import Game
from hearts_env.errors import IllegalActionError
from hearts_env.ruleset.enums import FirstTrickScope, HeartLead, Locked, OpeningCard
from hearts_env.ruleset.syntax import brief
from hearts_env.seat.public import PHASES
from hearts_env.seat.view import View, check_record

SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


class Broken(StrEnum):
    """A rule that forbids a card of the hand; its value ends the line of `why_illegal`."""

    REFUSABLE = "passing.refusable requires a card that nobody may refuse"
    UNPASSABLE = "passing.unpassable protects it"
    FOLLOW = "it must follow the led suit"
    FORCED_DISCARD = "play.forced_discard requires another card"
    SHOWN = "it was exposed and may not be played to the first trick of its suit"
    OPENING = "opening.card fixes the first lead"
    OPENING_ALL = "opening.card=both: the opening card goes to the first trick"
    LOCKED = "play.locked bars it until hearts are broken"
    FIRST_TRICK = "play.first_trick_forbidden bars it from the first trick"
    JOKER_LEAD = "jokers.lead=never bars it"
    HEART_LEAD = "hearts are not broken"
    NO_HEART_LEAD = "play.heart_lead=never bars hearts"


def action_id(game: Game, action: str | int) -> int:
    """The id of an action given by name or id. Raises IllegalActionError, naming what is possible, if there is none."""
    try:
        return game.action(action)
    except ValueError as error:
        raise IllegalActionError(str(error)) from None


def why_illegal(game: Game, record: Any, action: int) -> str:
    """One line that explains why an action is illegal: the card, the seat and the rule it breaks."""
    check_record(game, record)
    if not 0 <= whole("action", action) < len(game.actions):
        return f"action {brief(action)} is out of range; {game.rules} has actions 0 to {len(game.actions) - 1}"
    name, seat, phase = game.actions[action], int(record["seat"]), PHASES[int(record["phase"])]
    if phase == "over":
        return f"{name} cannot be played: the match is over"
    view = View(game, record, seat, check=False)
    legal = view.legal()
    decision = DECISIONS[phase]
    if not decision.of_cards or action >= len(game.deck.kinds):
        choices = "" if decision.of_cards else f": {', '.join(legal)}"
        return f"{name} is not possible now: seat {seat} must {decision.task}{choices}"
    if name not in view.hand:
        return f"seat {seat} does not hold {name}; its cards are {' '.join(view.hand)}"
    rule = broken_rule(view, name)
    suit = f", {led_suit(view)}" if rule is Broken.FOLLOW else ""
    return f"seat {seat} may not {phase} {name}: {rule}{suit}; legal: {' '.join(legal)}"


def first_mistake(game: Game, records: Any, rows: Any, actions: Any) -> tuple[int, str] | None:
    """The first i whose `actions[i]` is illegal in `records[rows[i]]`, and the reason; None if all are legal."""
    from hearts_env.kernel.batch import first_illegal  # imports Numba

    place = int(first_illegal(records, game.table, rows, actions))
    return None if place < 0 else (place, why_illegal(game, records[rows[place]], int(actions[place])))


def refusal(view: View, action: int, *, listed: bool = True) -> str:
    """The reason why the seat to act may not take an action, in one line addressed to it; the legal ones follow if
    `listed`.

    >>> import hearts_env as he
    >>> hands = [[rank + suit for rank in "23456789TJQKA"] for suit in "CDHS"]
    >>> view = he.Match.from_hands("black_lady", hands).view(0)
    >>> refusal(view, view.game.action("3C"))
    'You may not play 3C: opening.card fixes the first lead; legal: 2C'
    >>> refusal(view, view.game.action("QS"), listed=False)
    'You do not hold QS'
    """
    if view.phase == "over":
        return "The match is over"
    name, decision, legal = view.game.actions[action], DECISIONS[view.phase], view.legal()
    if not decision.of_cards or action >= len(view.game.deck.kinds):
        return f"{name} is not possible now: you must {decision.task}" + f"; legal: {' '.join(legal)}" * listed
    if name not in view.hand:
        return f"You do not hold {name}" + f"; legal: {' '.join(legal)}" * listed
    rule, suit = broken_rule(view, name), led_suit(view)
    if rule is Broken.FOLLOW and suit is not None:
        return f"You must follow {SUIT_NAMES[suit]}" + f": {', '.join(legal)}" * listed
    return f"You may not {view.phase} {name}: {rule}" + f"; legal: {' '.join(legal)}" * listed


def led_suit(view: View) -> str | None:
    """The letter of the suit to follow; None where a card is led, or no suit is set yet.

    >>> import hearts_env as he
    >>> hands = [[rank + suit for rank in "23456789TJQKA"] for suit in "CDHS"]
    >>> led_suit(he.Match.from_hands("black_lady", hands, played=["2C"]).view(1))
    'C'
    """
    led = int(view.record["led_suit"])
    return SUITS[led] if view.record["trick_len"] and led < len(SUITS) else None


def broken_rule(view: View, name: str) -> Broken:
    """The rule that forbids the seat to act a card of its hand, which must be illegal.

    >>> import hearts_env as he
    >>> match = he.Match("black_lady(cycle=[hold])", seed=7)
    >>> view = match.view(match.seat)
    >>> view.legal(), broken_rule(view, view.hand[-1]).name
    (['2C'], 'OPENING')
    """
    game, record, suit = view.game, view.record, suit_of(name)
    if view.phase == "pass":
        if int(record["refuser"]) >= 0 and name in game.deck.match_all(game.rules.passing.refusable):
            return Broken.REFUSABLE
        return Broken.UNPASSABLE
    leads, first, led = not record["trick_len"], int(record["trick_number"]) == 0, led_suit(view)
    if led is not None and suit != led:
        if any(suit_of(card) == led for card in view.hand):
            return Broken.FOLLOW
        forced = game.deck.match_all(game.rules.play.forced_discard)
        if name not in forced and any(card in forced for card in view.legal()):
            return Broken.FORCED_DISCARD
    if _is_locked(view, name, led):
        return Broken.SHOWN
    openers = int(game.tables["opening"]) if first and not record["free_lead"] else 0
    chosen = game.rules.opening.card is OpeningCard.ANY_OF_SUIT and game.mask([name]) & openers
    if game.mask(view.hand) & openers and (leads or game.tables["opening_all"]) and not chosen:
        return Broken.OPENING if leads else Broken.OPENING_ALL
    if _waits(view, name):
        return Broken.LOCKED
    never = game.rules.play.heart_lead is HeartLead.NEVER
    unled = Broken.JOKER_LEAD if name == JOKER else Broken.NO_HEART_LEAD if never else Broken.HEART_LEAD
    return Broken.FIRST_TRICK if first and _is_banned(game, name, led) else unled


def _waits(view: View, name: str) -> bool:
    """True if play.locked bars a card until hearts are broken, and there is another one to play."""
    leads, pairs = not view.record["trick_len"], view.game.rules.play.locked
    locked = view.game.deck.match_all(pattern for pattern, barred in pairs if leads or barred is Locked.PLAY)
    return not view.record["broken"] and name in locked and not set(view.legal()) <= set(locked)


def _is_locked(view: View, name: str, led: str | None) -> bool:
    """True if exposing.lock keeps a shown card out of the trick: it is the first of its suit, others could go to it."""
    suit, leads, exposing = suit_of(name), not view.record["trick_len"], view.game.rules.exposing
    if name not in view.exposed:
        return False
    if suit is not None and int(view.record["led_suits"]) >> SUITS.index(suit) & 1:  # an earlier trick was of this suit
        return False
    if exposing.lead_lock and leads:
        return True
    others = any(suit_of(card) == suit and card != name for card in view.hand)
    return exposing.lock and others and (leads or led in (None, suit))  # after jokers alone, it would call the suit


def _is_banned(game: Game, name: str, led: str | None) -> bool:
    """True if play.first_trick_forbidden names a card that is led, played or, by its scope, discarded."""
    if not int(game.tables["play_first_trick_forbidden"]) >> game.deck.kind(name) & 1:
        return False
    only_discards = game.rules.play.first_trick_scope is FirstTrickScope.DISCARD
    return not only_discards or (led is not None and suit_of(name) != led)
