"""Shooting the moon and the sun: the shooter, the award, and whether the new moon is allowed."""

from __future__ import annotations

import numpy as np

from hearts_env.kernel.bits import INT64
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import NOBODY, UNSET, Mask, MoonChoice, State, Tables
from hearts_env.kernel.tricks import count
from hearts_env.ruleset.enums import KittyAward, MoonMode, MoonScope, NewMoonWho

SELF, OTHERS, FIXED, SLATE = (choice.value for choice in MoonChoice)
NO_MOON = MoonMode.NONE.code
BOTH = (1 << SELF) | (1 << OTHERS)
TEAM = MoonScope.TEAM.code
ANY_SEAT = NewMoonWho.ANY.code
OUT_OF_PLAY = KittyAward.OUT_OF_PLAY.code


@jit
def shoots_with(t: Tables, seat: int, shooter: int) -> bool:
    """True if a seat is the shooter or shoots together with it."""
    # moon.scope: one player must take the cards, or the members of a team together
    return seat == shooter or (t.moon_scope == TEAM and t.team[seat] == t.team[shooter])


@jit
def group_count(s: State, t: Tables, shooter: int, cards: Mask) -> int:
    """Number of cards of a mask that the shooter, or its team where teams shoot together, took."""
    if t.moon_scope != TEAM:
        return count(s.taken, shooter, cards, t.copies)
    number = 0
    for seat in range(INT64(t.seats)):
        if shoots_with(t, seat, shooter):
            number += count(s.taken, seat, cards, t.copies)
    return number


@jit
def is_sun(s: State, t: Tables, shooter: int) -> bool:
    """True if the shooter's side won every trick, the first one excepted where the rules allow it."""
    missing = INT64(s.trick_number)
    for seat in range(INT64(t.seats)):
        if shoots_with(t, seat, shooter):
            missing -= s.tricks_won[seat]
    if missing == 0:
        return True
    # moon.sun_skip_first: the sun may miss the first trick
    missed_first = s.first_winner < 0 or not shoots_with(t, INT64(s.first_winner), shooter)
    return t.moon_sun_skip_first and missing == 1 and missed_first


@jit
def has_moon_set(s: State, t: Tables, shooter: int) -> bool:
    """True if the shooter's side took the cards that make the moon."""
    # moon.least: so many of each of these cards are enough
    for place in range(t.leasts):
        if group_count(s, t, shooter, t.least[place]) < t.least_count[place, 0]:
            return False
    if t.leasts:
        return True
    # moon.cards: every one of them must be taken, except those that lie in a kitty out of play
    wanted = INT64(t.moon_count)
    if t.kitty_size and t.deck_kitty_award == OUT_OF_PLAY:
        for place in range(t.kitty_size):
            wanted -= INT64((t.moon_set >> np.uint64(s.kitty[place])) & np.uint64(1))
    return group_count(s, t, shooter, t.moon_set) == wanted and wanted > 0


@jit
def find_shooter(s: State, t: Tables) -> int:
    """The seat that shot the moon in a deal that is played out (of a team the first that took a moon card), or -1."""
    if t.moon_mode == NO_MOON:
        return NOBODY
    for seat in range(INT64(t.seats)):
        if s.taken[seat, 0] & t.moon_set and has_moon_set(s, t, seat):
            # moon.requires_sun: the cards count only with every trick of the deal
            return seat if is_sun(s, t, seat) or not t.moon_requires_sun else NOBODY
    return NOBODY


@jit
def award(s: State, t: Tables, shooter: int) -> tuple[int, int]:
    """Points of the award."""
    # moon.sun_amount: the sun has an award of its own
    if t.moon_sun_amount != UNSET and is_sun(s, t, shooter):
        return INT64(t.moon_sun_amount), INT64(0)
    # moon.amount: the award of the moon
    if not t.leasts:
        return INT64(t.moon_amount[0]), INT64(t.moon_amount[1])
    # moon.least: the award is what the shooter took; cards missing count twice, and bonus cards are added
    re, im = INT64(0), INT64(0)
    for place in range(t.leasts):
        number = group_count(s, t, shooter, t.least[place])
        if number < t.least_count[place, 1]:
            number = 2 * t.least_count[place, 0] - number
        re += number * t.least_value[place, 0]
        im += number * t.least_value[place, 1]
    for kind in range(t.kinds):
        card = np.uint64(1) << np.uint64(kind)
        if card & t.bonus:
            number = group_count(s, t, shooter, card)
            re -= number * t.values[kind, 0]
            im -= number * t.values[kind, 1]
    return re, im


@jit
def new_moon_allowed(s: State, t: Tables) -> bool:
    """True if the total that unlocks new moon has been reached."""
    # moon.new_moon_min, moon.new_moon_who: new may be chosen once the shooter's total, or any total, has reached this
    if s.totals[s.shooter, 0] >= t.moon_new_moon_min:
        return True
    for seat in range(INT64(t.seats)):
        if t.moon_new_moon_who == ANY_SEAT and s.totals[seat, 0] >= t.moon_new_moon_min:
            return True
    return False
