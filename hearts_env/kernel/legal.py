"""The legal actions: the ladder of the situation, then bans that are waived where they would leave nothing."""

from __future__ import annotations

import numpy as np

from hearts_env.kernel.bits import ONE, bit
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import JOKER_SUIT, Mask, Phase, Situation, State, Tables
from hearts_env.ruleset.enums import FirstTrickScope, HeartLead, OpeningCard

_, REFUSE, PASS, EXPOSE, PLEDGE, PLAY, SUIT, MOON, SIGN, EXACT, OVER = (phase.value for phase in Phase)
UNBROKEN, LEAD, FOLLOW = (s.value for s in Situation)
FORCED = OpeningCard.FORCED.code
DISCARD = FirstTrickScope.DISCARD.code
FREE, NEVER = HeartLead.FREE.code, HeartLead.NEVER.code
NONE = np.uint64(0)
ANY_SUIT, NO_HEARTS = np.uint64(0b1111), np.uint64(0b1011)


@jit
def climb(t: Tables, situation: int, hand: Mask) -> Mask:
    """Legal cards: the grant of the first (test, grant) pair whose test the hand meets."""
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
    """The exposed cards that may not go to the first trick of their suit, which they would lead or, after jokers alone,
    call.
    """
    cards = NONE
    for suit in range(4):
        own = hand & t.suit_mask[suit]
        goes = led_suit < 0 or led_suit == JOKER_SUIT or led_suit == suit
        if goes and not led_suits >> suit & 1 and own & (own - np.uint64(1)):
            cards |= own & exposed  # unless it is the only card of its suit
    return cards


@jit
def suits(t: Tables, bits: int) -> Mask:
    """The cards of some suits, given as bits."""
    cards = NONE
    for suit in range(4):
        if bits >> suit & 1:
            cards |= t.suit_mask[suit]
    return cards


@jit
def legal_cards(
    t: Tables, hand: Mask, led_suit: int, first_trick: bool, broken: bool, opening: Mask, exposed: Mask, led_suits: int
) -> Mask:
    """Mask of the cards a non-empty hand may play.

    `led_suit` is -1 for a lead and `JOKER_SUIT` while only jokers lie there; `opening` are the cards one of which must
    open (0: any), `exposed` those shown, `led_suits` the suits led in earlier tricks as bits.
    """
    if first_trick and hand & opening and (led_suit < 0 or t.opening_all):
        # opening.card: one of these cards must open; forced: the lowest of them; both: every copy goes to that trick
        cards = hand & opening
        if t.opening_card == FORCED:
            cards &= ~cards + ONE
        else:
            cards = climb(t, UNBROKEN, cards)  # play.locked: not such a card, if another one may open
    elif led_suit >= 0:
        # play.locked: play: such a card waits until hearts are broken; the suit led comes first
        waiting = NONE if broken else t.play_locked
        hand = hand if hand & t.suit_mask[led_suit] else spare(hand, waiting)
        # play.forced_discard, jokers.play: follow the suit led; a hand that cannot may have to discard certain cards
        cards = spare(climb(t, FOLLOW + led_suit, hand), waiting)
    else:
        # play.heart_lead, play.lead_exception, jokers.lead: hearts may not be led until broken
        cards = climb(t, LEAD if broken else UNBROKEN, hand)
    return unbanned(t, cards, hand, led_suit, first_trick, exposed, led_suits) if first_trick or exposed else cards


@jit
def unbanned(
    t: Tables, cards: Mask, hand: Mask, led_suit: int, first_trick: bool, exposed: Mask, led_suits: int
) -> Mask:
    """`cards` without those that the lock of exposed cards or the ban of the first trick forbids."""
    # exposing.lock: a shown card may not go to the first trick of its suit
    if exposed & hand and t.exposing_lock:
        cards = spare(cards, locked(t, hand, led_suit, exposed, led_suits))
    # exposing.lead_lock: nor be led before its suit has been, while another card may be
    if exposed & hand and t.exposing_lead_lock and led_suit < 0:
        cards = spare(cards, exposed & ~suits(t, led_suits))
    if not first_trick:
        return cards
    # play.first_trick_forbidden, play.first_trick_scope: no such card on the first trick, or not as a discard
    banned = t.play_first_trick_forbidden
    if t.play_first_trick_scope == DISCARD:
        banned = banned & ~t.suit_mask[led_suit] if 0 <= led_suit < 4 else NONE
    # play.forced_discard: loses against that ban
    if led_suit >= 0 and hand & ~banned and not cards & ~banned and not hand & t.suit_mask[led_suit]:
        return hand & ~banned
    return spare(cards, banned)


@jit
def legal(s: State, t: Tables) -> Mask:
    """Mask of the legal actions: of kinds in the phases PASS and PLAY, of special actions (bit 0 is action `kinds`) in
    the others.
    """
    phase = s.phase
    if phase == PLAY:
        hand = s.hands[s.seat, 0]
        # most plays, so worth a short cut
        if s.trick_len and s.trick_number and not t.exposures and not t.play_locked:
            return climb(t, FOLLOW + s.led_suit, hand)
        led = s.led_suit if s.trick_len else -1
        opening = NONE if s.free_lead else t.opening
        return legal_cards(t, hand, led, s.trick_number == 0, s.broken, opening, s.exposed, s.led_suits)
    if phase == PASS:
        # passing.refusable: no such card replaces one that was refused, unless the hand has nothing else
        cards = spare(s.hands[s.seat, 0], t.passing_refusable) if s.refuser >= 0 else s.hands[s.seat, 0]
        # passing.unpassable: these cards may not be passed unless nothing else is left
        return spare(cards, t.passing_unpassable)
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
        # jokers.lead: call: the leader calls a suit, hearts only once they may be led
        hearts = t.play_heart_lead == FREE or (s.broken and t.play_heart_lead != NEVER)
        answers, first = (ANY_SUIT if hearts else NO_HEARTS), t.suit_action
    elif phase == SIGN:
        answers, first = np.uint64(3), t.sign_action
    elif phase == REFUSE:
        answers, first = refusals(s, t), t.refuse_action
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
def refusals(s: State, t: Tables) -> Mask:
    """The cards a seat may refuse, as bits in the order of the actions, and the bit of refusing none."""
    answers = bit(t.refusals)
    for place in range(t.refusals):
        if t.refuse_card[place] & s.offered[s.seat]:
            answers |= bit(place)
    return answers


@jit
def is_legal(s: State, t: Tables, action: int) -> bool:
    """True if an action, any integer, is legal."""
    if action < 0 or action >= t.actions or s.phase == OVER:
        return False
    cards = s.phase == PLAY or s.phase == PASS
    if cards != (action < t.kinds):
        return False
    return (legal(s, t) & bit(action if cards else action - t.kinds)) != 0
