"""From taken cards to totals: one pipeline for all rules, in a fixed order.

Cards (`worth`), moon and sun (`moon`), events, hand floor, chips; then totals, big moon, total floor, exact hits.
"""

from __future__ import annotations

import numpy as np

from hearts_env.kernel.bits import INT64
from hearts_env.kernel.jit import jit
from hearts_env.kernel.moon import (
    BOTH,
    FIXED,
    OTHERS,
    RULE_CHOICE,
    RULE_FIXED,
    RULE_NEW,
    RULE_OLD,
    RULE_RESET,
    SELF,
    SLATE,
    award,
    has_moon_set,
    in_group,
    is_sun,
    new_moon_allowed,
)
from hearts_env.kernel.records import NOBODY, UNSET, BetterRule, Mask, Pledge, State, Tables
from hearts_env.kernel.standing import ends, fill_after, lose_lives, may_go_on, restore_lives, shooter_is_behind
from hearts_env.kernel.tricks import count
from hearts_env.kernel.worth import hand_factor, hand_worth, times

HIGH = BetterRule.HIGH.value
PLEDGED = Pledge.YES.value
NONE = np.uint64(0)
_NOBODY, _UNSET = NOBODY, UNSET


@jit
def tally(s: State, t: Tables) -> None:
    """Set `points` to what the cards taken so far are worth."""
    for seat in range(INT64(t.seats)):
        s.points[seat, 0], s.points[seat, 1] = hand_worth(s, t, seat, NONE, INT64(0), INT64(0))


@jit
def score(s: State, t: Tables, choice: int) -> None:
    """Turn `points` into the final points of the deal, the moon (if `shooter` is a seat) settled by `choice`.

    Without a shooter `points` must be those of the cards taken.
    """
    if s.shooter >= 0:
        s.moon_choice = choice
        if choice == SLATE:
            for seat in range(INT64(t.seats)):
                s.points[seat, 0] = 0
                s.points[seat, 1] = 0
            return
        score_moon(s, t, choice)
    if t.chips:
        share_pool(s, t)
        return
    for seat in range(INT64(t.seats)):
        events(s, t, seat)
        if t.bonus_floor_hand:
            base = s.points[seat, 0] - bonus_points(s, t, seat)
            s.points[seat, 0] = max(s.points[seat, 0], min(base, 0))


@jit
def score_moon(s: State, t: Tables, choice: int) -> None:
    """Set `points` to those of cards and award."""
    shooter = INT64(s.shooter)
    re, im = award(s, t, shooter)
    reset = t.moon_rule == RULE_RESET
    for seat in range(INT64(t.seats)):
        own, own_im = INT64(0), INT64(0)
        if in_group(t, seat, shooter):
            if choice == SELF and not reset:
                own, own_im = -re, -im
            elif choice == FIXED and seat == shooter:
                own, own_im = re, im
        s.points[seat, 0], s.points[seat, 1] = hand_worth(s, t, seat, waived_for(s, t, seat), own, own_im)
    if choice == OTHERS and not reset:
        charge(s, t, shooter, re, im)


@jit
def waived_for(s: State, t: Tables, seat: int) -> Mask:
    """The cards that a seat does not score because of a moon."""
    if s.shooter < 0:
        return NONE
    if in_group(t, seat, INT64(s.shooter)):
        return t.moon_waived
    return ~NONE if t.moon_silences else NONE


@jit
def charge(s: State, t: Tables, shooter: int, re: int, im: int) -> None:
    """Add an award to the points of every seat outside the shooter's team."""
    factor, factor_im = INT64(1), INT64(0)
    if t.moon_multiplied and not t.plain_score:
        factor, factor_im = hand_factor(s, t, shooter)
        re, im = times(re, im, factor, factor_im)
    punished = s.passer if t.punish != _UNSET and is_sun(s, t, shooter) else _NOBODY
    for seat in range(INT64(t.seats)):
        if seat == shooter or t.team[seat] == t.team[shooter]:
            continue
        sign = -1 if t.moon_sign_hurts and gains(s, seat, re, im) else 1
        s.points[seat, 0] += factor * t.punish if seat == punished else sign * re
        s.points[seat, 1] += sign * im


@jit
def gains(s: State, seat: int, re: int, im: int) -> bool:
    """Whether a seat's total would come nearer to 0 with an award than with its negative."""
    # |z + a|^2 - |z - a|^2 is four times the scalar product of z and a
    total = INT64(s.totals[seat, 0]) + s.points[seat, 0]
    total_im = INT64(s.totals[seat, 1]) + s.points[seat, 1]
    return total * re + total_im * im < 0


@jit
def events(s: State, t: Tables, seat: int) -> None:
    """Add to a seat's points what it scores for what it did, not for its cards."""
    if s.tricks_won[seat] == 0 and (s.shooter < 0 or t.no_tricks_on_moon):
        s.points[seat, 0] += t.no_tricks
    if not (t.no_hearts or t.pledge):
        return
    hearts = count(s.taken, seat, t.hearts, t.copies)
    if hearts == 0 and (s.shooter < 0 or t.no_hearts_on_moon):
        s.points[seat, 0] += t.no_hearts
    if t.pledge and s.pledges[seat] == PLEDGED:
        good = (hearts == 0) == (t.better == HIGH)
        s.points[seat, 0] += t.pledge if good else -t.pledge


@jit
def bonus_points(s: State, t: Tables, seat: int) -> int:
    """What a seat scores for bonus cards."""
    return hand_worth(s, t, seat, ~t.bonus | waived_for(s, t, seat), INT64(0), INT64(0))[0]


@jit
def share_pool(s: State, t: Tables) -> None:
    """Set `points` to the chips each seat wins or loses."""
    clean = 0
    for seat in range(INT64(t.seats)):
        clean += not s.taken[seat, 0] & t.penalty
    share = (s.pool + t.seats) // clean if clean else 0
    for seat in range(INT64(t.seats)):
        s.points[seat, 0] = -1 if s.taken[seat, 0] & t.penalty else share - 1


@jit
def moon_choices(s: State, t: Tables) -> int:
    """The choices a shooter has, as bits: 1 << SELF, 1 << OTHERS, 1 << FIXED, 1 << SLATE."""
    rule = t.moon_rule
    if t.clean_slate and is_sun(s, t, INT64(s.shooter)):
        return 1 << SLATE
    if rule == RULE_FIXED:
        return 1 << FIXED
    if rule == RULE_OLD:
        return 1 << OTHERS
    if rule == RULE_NEW:
        return 1 << SELF
    if rule == RULE_RESET:
        return BOTH
    if rule == RULE_CHOICE:
        return BOTH if new_moon_allowed(s, t) else 1 << OTHERS
    return BOTH if old_moon_loses(s, t) else 1 << OTHERS


@jit
def best_choice(s: State, t: Tables, choices: int) -> int:
    """The better of the allowed choices: others, unless that ends the match with somebody better than the shooter."""
    if choices == BOTH:
        return SELF if old_moon_loses(s, t) else OTHERS
    choice = SELF
    while not choices >> choice & 1:
        choice += 1
    return choice


@jit
def old_moon_loses(s: State, t: Tables) -> bool:
    """Whether charging the others would end the match with somebody better than the shooter."""
    score(s, t, INT64(OTHERS))
    fill_after(s, t, True)
    lose_lives(s, t)
    loses = shooter_is_behind(s, t) and ends(s, t) and not may_go_on(s, t)
    restore_lives(s, t)
    return loses


@jit
def add_to_totals(s: State, t: Tables) -> None:
    """Add `points` to the totals and apply the big moon and the floor of totals."""
    fill_after(s, t, False)
    gained = 0
    for seat in range(INT64(t.seats)):
        s.totals[seat, 0] = s.after[seat, 0]
        s.totals[seat, 1] = s.after[seat, 1]
        gained += s.points[seat, 0]
    if t.chips:
        s.pool -= gained
    if t.big_moon_deals:
        big_moon(s, t)


@jit
def big_moon(s: State, t: Tables) -> None:
    """Count the deals in a row in which each seat took every moon card, and honour enough of them."""
    big = _NOBODY
    for seat in range(INT64(t.seats)):
        s.streak[seat] = s.streak[seat] + 1 if s.taken[seat, 0] & t.moon_set and has_moon_set(s, t, seat) else 0
        if s.streak[seat] == t.big_moon_deals:
            big = seat
    if big < 0:
        return
    for seat in range(INT64(t.seats)):
        s.totals[seat, 0] += t.big_moon_points
        if t.bonus_floor_total:
            s.totals[seat, 0] = max(s.totals[seat, 0], 0)
    s.totals[big, 0] = 0
    s.streak[big] = 0


@jit
def exact_hit(s: State, t: Tables, seat: int) -> int:
    """Index of the exact hit a seat's total makes, or -1."""
    for hit in range(t.exact_hits):
        if s.totals[seat, 0] == t.exact_total[hit]:
            return hit
    return _NOBODY


@jit
def taker(s: State, t: Tables, kind_mask: Mask) -> int:
    """The seat that took a card of the mask, or -1."""
    for seat in range(INT64(t.seats)):
        if s.taken[seat, 0] & kind_mask:
            return seat
    return _NOBODY
