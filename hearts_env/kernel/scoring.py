"""From taken cards to totals: one pipeline for all rules, in a fixed order.

Cards (`points`), moon and sun (`moon`), events, floor of a deal, chips; then totals, big moon, total floor, exact hits
(RULES.md, part C).
"""

from __future__ import annotations

import numpy as np

from hearts_env.kernel.bits import INT64
from hearts_env.kernel.dealing import next_seat
from hearts_env.kernel.jit import jit
from hearts_env.kernel.moon import (
    FIXED,
    OTHERS,
    SELF,
    SLATE,
    award,
    is_sun,
    shoots_with,
)
from hearts_env.kernel.points import hand_factor, points_taken, times
from hearts_env.kernel.ranking import HIGH
from hearts_env.kernel.records import NOBODY, UNSET, Mask, Pledge, State, Tables
from hearts_env.kernel.tricks import count
from hearts_env.ruleset.enums import MoonMode, MoonSign

OLD, NEW, CHOICE = MoonMode.OLD.code, MoonMode.NEW.code, MoonMode.CHOICE.code
FIXED_SELF, RESET_OR_DOUBLE = MoonMode.FIXED_SELF.code, MoonMode.RESET_OR_DOUBLE.code
PAID = MoonMode.PAID.code
PLUS = MoonSign.PLUS.code
PLEDGED = Pledge.YES.value
EACH, FIRST, LAST = 1, 2, 4
NONE = np.uint64(0)


@jit
def tally(s: State, t: Tables) -> None:
    """Set `points` to those of the cards taken so far."""
    for seat in range(INT64(t.seats)):
        s.points[seat, 0], s.points[seat, 1] = points_taken(s, t, seat, NONE, INT64(0), INT64(0))


@jit
def score(s: State, t: Tables, choice: int) -> None:
    """Turn `points` into the final points of the deal, the moon (if `shooter` is a seat) settled by `choice`.

    Without a shooter `points` must be those of the cards taken.
    """
    if s.shooter >= 0:
        s.moon_choice = choice
        if choice == SLATE:  # moon.clean_slate: nobody scores
            for seat in range(INT64(t.seats)):
                s.points[seat, 0] = 0
                s.points[seat, 1] = 0
            return
        score_moon(s, t, choice)
    if t.score_chips:
        share_pool(s, t)
        return
    for seat in range(INT64(t.seats)):
        re, im = INT64(event_points(s, t, seat)), INT64(0)
        # score.multiplied_events: the multipliers of the whole hand act on these points, too
        if t.score_multiplied_events:
            factor, factor_im = hand_factor(s, t, seat)
            re, im = times(re, im, factor, factor_im)
        s.points[seat, 0] += re
        s.points[seat, 1] += im
        # score.bonus_floor_hand: a bonus reduces the points of a deal to 0 at most
        if t.score_bonus_floor_hand:
            base = s.points[seat, 0] - bonus_points(s, t, seat)
            s.points[seat, 0] = max(s.points[seat, 0], min(base, 0))


@jit
def score_moon(s: State, t: Tables, choice: int) -> None:
    """Set `points` to those of cards and award."""
    shooter = INT64(s.shooter)
    re, im = award(s, t, shooter)
    reset = t.moon_mode == RESET_OR_DOUBLE
    for seat in range(INT64(t.seats)):
        own, own_im = INT64(0), INT64(0)
        if shoots_with(t, seat, shooter):
            # moon.mode: new: the shooter's score goes down by the award; fixed_self: the shooter scores it
            if choice == SELF and not reset:
                own, own_im = -re, -im
            elif t.moon_mode == FIXED_SELF and choice == FIXED and seat == shooter:
                own, own_im = re, im
        s.points[seat, 0], s.points[seat, 1] = points_taken(s, t, seat, waived_for(s, t, seat), own, own_im)
    if choice == OTHERS and not reset:  # moon.mode: old: every opponent scores the award
        charge(s, t, shooter, re, im)


@jit
def waived_for(s: State, t: Tables, seat: int) -> Mask:
    """The cards that a seat does not score because of a moon."""
    if s.shooter < 0:
        return NONE
    if shoots_with(t, seat, INT64(s.shooter)):
        return t.moon_waived
    # moon.others_score: whether the others score the cards they took
    return NONE if t.moon_others_score else ~NONE


@jit
def charge(s: State, t: Tables, shooter: int, re: int, im: int) -> None:
    """Add an award to the points of every seat outside the shooter's team."""
    factor, factor_im = INT64(1), INT64(0)
    # moon.multiplied: the shooter's multipliers apply to what others are charged
    if t.moon_multiplied and not t.plain_score:
        factor, factor_im = hand_factor(s, t, shooter)
        re, im = times(re, im, factor, factor_im)
    # moon.punish: of the sun, whoever passed to the shooter is charged this instead
    punished = s.passer if t.moon_punish != UNSET and is_sun(s, t, shooter) else NOBODY
    for seat in range(INT64(t.seats)):
        if seat == shooter or t.team[seat] == t.team[shooter]:
            continue
        sign = INT64(s.signs[seat])  # moon.sign: chosen
        if sign == 0:
            # moon.sign: hurts (and chosen, where nobody is asked): the sign that takes the total farther from 0
            sign = -1 if t.moon_sign != PLUS and brings_nearer(s, seat, re, im) else 1
        charged = factor * t.moon_punish if seat == punished else sign * re
        s.points[seat, 0] += charged
        s.points[seat, 1] += sign * im
        if t.moon_mode == PAID:  # moon.mode: paid: the shooter scores minus what the others are charged
            s.points[shooter, 0] -= charged
            s.points[shooter, 1] -= sign * im


@jit
def sign_seat(s: State, t: Tables) -> int:
    """The opponent for whom the shooter chooses a sign next, in the order of the turn; -1 once all are chosen."""
    seat = next_seat(t, INT64(s.shooter))
    while seat != s.shooter:
        if t.team[seat] != t.team[s.shooter] and s.signs[seat] == 0:
            return seat
        seat = next_seat(t, seat)
    return NOBODY


@jit
def brings_nearer(s: State, seat: int, re: int, im: int) -> bool:
    """True if a seat's total would come nearer to 0 with an award than with its negative."""
    # |z + a|^2 - |z - a|^2 is four times the scalar product of z and a
    total = INT64(s.totals[seat, 0]) + s.points[seat, 0]
    total_im = INT64(s.totals[seat, 1]) + s.points[seat, 1]
    return total * re + total_im * im < 0


@jit
def event_points(s: State, t: Tables, seat: int) -> int:
    """Points of a seat for what it did, not for its cards."""
    # score.tricks: points for each trick won, for the first and for the last
    points = INT64(t.trick_points[0] * s.tricks_won[seat])
    points += t.trick_points[1] * (s.first_winner == seat) + t.trick_points[2] * (s.leader == seat)
    # score.sets: points for taking all of these cards and tricks
    for place in range(t.sets):
        if has_set(s, t, seat, place):
            points += t.set_points[place]
    # score.no_tricks, score.no_tricks_on_moon: points for winning no trick
    if s.tricks_won[seat] == 0 and (s.shooter < 0 or t.score_no_tricks_on_moon):
        points += t.score_no_tricks
    return points + card_events(s, t, seat)


@jit
def card_events(s: State, t: Tables, seat: int) -> int:
    """Points for kinds of cards that a seat took or did not take; the rule agent expects them, too."""
    points = INT64(0)
    if not (t.score_no_hearts or t.score_pledge):
        return points
    hearts = count(s.taken, seat, t.hearts, t.copies)
    # score.no_hearts, score.no_hearts_on_moon: points for taking no heart
    if hearts == 0 and (s.shooter < 0 or t.score_no_hearts_on_moon):
        points += t.score_no_hearts
    # score.pledge: points won by keeping a pledge to take no heart, lost by breaking it
    if t.score_pledge and s.pledges[seat] == PLEDGED:
        good = (hearts == 0) == (t.score_better == HIGH)
        points += t.score_pledge if good else -t.score_pledge
    return points


@jit
def has_set(s: State, t: Tables, seat: int, place: int) -> bool:
    """True if a seat took every card and trick of an entry of `score.sets`."""
    if count(s.taken, seat, t.set_cards[place], t.copies) < t.set_count[place]:
        return False
    tricks = t.set_tricks[place]
    if tricks & EACH and s.tricks_won[seat] < s.trick_number:
        return False
    if tricks & FIRST and s.first_winner != seat:
        return False
    return not tricks & LAST or s.leader == seat  # the winner of the last trick would lead to the next


@jit
def bonus_points(s: State, t: Tables, seat: int) -> int:
    """Points of a seat's bonus cards."""
    return points_taken(s, t, seat, ~t.bonus | waived_for(s, t, seat), INT64(0), INT64(0))[0]


@jit
def share_pool(s: State, t: Tables) -> None:
    """Set `points` to the chips each seat wins or loses."""
    # score.chips: everybody pays one into the pool, which those without a penalty card share, odd chips staying
    clean = 0
    for seat in range(INT64(t.seats)):
        clean += not s.taken[seat, 0] & t.penalty
    share = (s.pool + t.seats) // clean if clean else 0
    for seat in range(INT64(t.seats)):
        s.points[seat, 0] = -1 if s.taken[seat, 0] & t.penalty else share - 1
