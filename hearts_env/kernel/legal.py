"""Which actions are legal: the ladder of the situation, then bans that are waived where they would leave nothing."""

from __future__ import annotations

import numpy as np

from hearts_env.kernel.bits import bit
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import Mask, Phase, Situation, State, Tables

PASS, PLAY, MOON, EXACT, OVER = (
    Phase.PASS.value,
    Phase.PLAY.value,
    Phase.MOON.value,
    Phase.EXACT.value,
    Phase.OVER.value,
)
OPENING, UNBROKEN, LEAD, FOLLOW = (s.value for s in Situation)
NONE = np.uint64(0)


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
def legal_cards(t: Tables, hand: Mask, led_suit: int, first_trick: bool, broken: bool) -> Mask:
    """Mask of the cards a non-empty hand may play; `led_suit` is -1 for a lead."""
    if led_suit >= 0:
        cards = climb(t, FOLLOW + led_suit, hand)
    elif first_trick and hand & t.opening:
        cards = climb(t, OPENING, hand)
    else:
        cards = climb(t, LEAD if broken else UNBROKEN, hand)
    return spare(cards, t.first_trick_ban) if first_trick else cards


@jit
def legal(s: State, t: Tables) -> Mask:
    """Mask of the legal actions: of kinds in the phases PASS and PLAY, of special actions (bit 0 is action `kinds`) in
    the others.
    """
    phase = s.phase
    if phase == PLAY:
        led = s.led_suit if s.trick_len else -1
        return legal_cards(t, s.hands[s.seat, 0], led, s.trick_number == 0, s.broken)
    if phase == PASS:
        return spare(s.hands[s.seat, 0], t.unpassable)
    if phase == MOON:
        return np.uint64(s.moon_choices) << np.uint64(t.moon_action - t.kinds)
    if phase == EXACT:
        return np.uint64(3) << np.uint64(t.exact_action - t.kinds)
    if phase == OVER:
        return NONE
    return t.entry_options[s.pass_entry] << np.uint64(t.direction_action - t.kinds)


@jit
def is_legal(s: State, t: Tables, action: int) -> bool:
    """Whether an action, any integer, is legal."""
    if action < 0 or action >= t.actions or s.phase == OVER:
        return False
    cards = s.phase == PLAY or s.phase == PASS
    if cards != (action < t.kinds):
        return False
    return (legal(s, t) & bit(action if cards else action - t.kinds)) != 0
