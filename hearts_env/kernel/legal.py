"""Which actions are legal: the ladder of the situation, then bans that are waived where they would leave nothing."""

from __future__ import annotations

import numpy as np

from hearts_env.kernel.bits import ONE, bit
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import Mask, Phase, Situation, State, Tables

PASS, EXPOSE, PLEDGE, PLAY, SUIT, MOON, EXACT, OVER = (
    Phase.PASS.value,
    Phase.EXPOSE.value,
    Phase.PLEDGE.value,
    Phase.PLAY.value,
    Phase.SUIT.value,
    Phase.MOON.value,
    Phase.EXACT.value,
    Phase.OVER.value,
)
UNBROKEN, LEAD, FOLLOW = (s.value for s in Situation)
NONE = np.uint64(0)
ANY_SUIT, NO_HEARTS = np.uint64(0b1111), np.uint64(0b1011)


@jit
def climb(t: Tables, situation: int, hand: Mask) -> Mask:
    """The cards the first rung of a ladder that fits the hand grants."""
    rung = 0
    while not hand & t.ladder[situation, rung, 0]:
        rung += 1
    return hand & t.ladder[situation, rung, 1]


@jit
def spare(cards: Mask, banned: Mask) -> Mask:
    """`cards` without those banned, or all of them if nothing else is left."""
    kept = cards & ~banned
    return kept if kept else cards


@jit
def locked(t: Tables, hand: Mask, led_suit: int, exposed: Mask, led_suits: int) -> Mask:
    """The exposed cards that may not go to the first trick of their suit."""
    cards = NONE
    for suit in range(4):
        own = hand & t.suit_mask[suit]
        if (led_suit < 0 or led_suit == suit) and not led_suits >> suit & 1 and own & ~exposed:
            cards |= own & exposed
    return cards


@jit
def legal_cards(
    t: Tables, hand: Mask, led_suit: int, first_trick: bool, broken: bool, opening: Mask, exposed: Mask, led_suits: int
) -> Mask:
    """Mask of the cards a non-empty hand may play.

    `led_suit` is -1 for a lead and `JOKER_SUIT` while only jokers lie there; `opening` are the cards one of which must
    open (0: any), `exposed` those shown, `led_suits` the suits led in earlier tricks as bits.
    """
    if led_suit >= 0:
        cards = climb(t, FOLLOW + led_suit, hand)
    elif first_trick and hand & opening:
        cards = hand & opening
        if t.opening_lowest:
            cards &= ~cards + ONE
    else:
        cards = climb(t, LEAD if broken else UNBROKEN, hand)
    return unbanned(t, cards, hand, led_suit, first_trick, exposed, led_suits) if first_trick or exposed else cards


@jit
def unbanned(
    t: Tables, cards: Mask, hand: Mask, led_suit: int, first_trick: bool, exposed: Mask, led_suits: int
) -> Mask:
    """The cards that neither the lock of exposed ones nor the ban of the first trick takes away."""
    if exposed & hand and t.expose_lock:
        cards = spare(cards, locked(t, hand, led_suit, exposed, led_suits))
    if not first_trick:
        return cards
    if not t.ban_discards:
        return spare(cards, t.first_trick_ban)
    return spare(cards, t.first_trick_ban & ~t.suit_mask[led_suit]) if 0 <= led_suit < 4 else cards


@jit
def legal(s: State, t: Tables) -> Mask:
    """Mask of the legal actions: of kinds in the phases PASS and PLAY, of special actions (bit 0 is action `kinds`) in
    the others.
    """
    phase = s.phase
    if phase == PLAY:
        hand = s.hands[s.seat, 0]
        if s.trick_len and s.trick_number and not t.exposures:  # most plays, so worth a short cut
            return climb(t, FOLLOW + s.led_suit, hand)
        led = s.led_suit if s.trick_len else -1
        opening = NONE if s.free_lead else t.opening
        return legal_cards(t, hand, led, s.trick_number == 0, s.broken, opening, s.exposed, s.led_suits)
    if phase == PASS:
        return spare(s.hands[s.seat, 0], t.unpassable)
    return legal_special(s, t)


@jit
def legal_special(s: State, t: Tables) -> Mask:
    """Mask of the legal special actions."""
    phase = s.phase
    if phase == MOON:
        answers, first = np.uint64(s.moon_choices), t.moon_action
    elif phase == EXPOSE:
        answers, first = exposures(s, t), t.expose_action
    elif phase == PLEDGE:
        answers, first = np.uint64(3), t.pledge_action
    elif phase == SUIT:
        answers, first = (ANY_SUIT if s.broken or t.heart_calls else NO_HEARTS), t.suit_action
    elif phase == EXACT:
        answers, first = np.uint64(3), t.exact_action
    elif phase == OVER:
        return NONE
    else:
        answers, first = t.entry_options[s.pass_entry], t.direction_action
    return answers << np.uint64(first - t.kinds)


@jit
def exposures(s: State, t: Tables) -> Mask:
    """The cards a seat may show, as bits in the order of the actions, and the bit of having done."""
    answers = bit(t.exposures)
    for place in range(t.exposures):
        if t.expose_card[place] & s.hands[s.seat, 0] & ~s.exposed:
            answers |= bit(place)
    return answers


@jit
def is_legal(s: State, t: Tables, action: int) -> bool:
    """Whether an action, any integer, is legal."""
    if action < 0 or action >= t.actions or s.phase == OVER:
        return False
    cards = s.phase == PLAY or s.phase == PASS
    if cards != (action < t.kinds):
        return False
    return (legal(s, t) & bit(action if cards else action - t.kinds)) != 0
