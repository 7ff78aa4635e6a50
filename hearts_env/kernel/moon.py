"""Shooting the moon, the sun and the big moon: who did, what it is worth, and what the shooter may choose."""

from __future__ import annotations

import numpy as np

from hearts_env.kernel.bits import INT64
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import NOBODY, UNSET, KittyRule, Mask, MoonChoice, MoonRule, State, Tables
from hearts_env.kernel.tricks import count

SELF, OTHERS, FIXED, SLATE = (choice.value for choice in MoonChoice)
RULE_NONE, RULE_OLD, RULE_NEW, RULE_CHOICE, RULE_NEW_IF_OLD_LOSES, RULE_FIXED, RULE_RESET = (r.value for r in MoonRule)
BOTH = (1 << SELF) | (1 << OTHERS)
OUT_OF_PLAY = KittyRule.OUT_OF_PLAY.value
_NOBODY, _UNSET = NOBODY, UNSET


@jit
def in_group(t: Tables, seat: int, shooter: int) -> bool:
    """Whether a seat shoots together with the shooter."""
    return seat == shooter or (t.moon_by_team and t.team[seat] == t.team[shooter])


@jit
def group_count(s: State, t: Tables, shooter: int, cards: Mask) -> int:
    """How many cards of a mask the shooter's group took."""
    if not t.moon_by_team:
        return count(s.taken, shooter, cards, t.copies)
    number = 0
    for seat in range(INT64(t.seats)):
        if in_group(t, seat, shooter):
            number += count(s.taken, seat, cards, t.copies)
    return number


@jit
def is_sun(s: State, t: Tables, shooter: int) -> bool:
    """Whether the shooter's group won every trick, the first one excepted where the rules say so."""
    missing = INT64(s.trick_number)
    for seat in range(INT64(t.seats)):
        if in_group(t, seat, shooter):
            missing -= s.tricks_won[seat]
    if missing == 0:
        return True
    missed_first = s.first_winner < 0 or not in_group(t, INT64(s.first_winner), shooter)
    return t.sun_skip_first and missing == 1 and missed_first


@jit
def has_moon_set(s: State, t: Tables, shooter: int) -> bool:
    """Whether the shooter's group took the cards that make the moon."""
    for place in range(t.leasts):
        if group_count(s, t, shooter, t.least[place]) < t.least_count[place, 0]:
            return False
    if t.leasts:
        return True
    wanted = INT64(t.moon_count)
    if t.kitty_size and t.kitty_award == OUT_OF_PLAY:
        for place in range(t.kitty_size):
            wanted -= INT64((t.moon_set >> np.uint64(s.kitty[place])) & np.uint64(1))
    return group_count(s, t, shooter, t.moon_set) == wanted and wanted > 0


@jit
def find_shooter(s: State, t: Tables) -> int:
    """The seat that shot the moon in a deal that is played out (of a team the first that took a moon card), or -1."""
    if t.moon_rule == RULE_NONE:
        return _NOBODY
    for seat in range(INT64(t.seats)):
        if s.taken[seat, 0] & t.moon_set and has_moon_set(s, t, seat):
            return seat if is_sun(s, t, seat) or not t.requires_sun else _NOBODY
    return _NOBODY


@jit
def award(s: State, t: Tables, shooter: int) -> tuple[int, int]:
    """What the moon is worth."""
    if t.sun_amount[0] != _UNSET and is_sun(s, t, shooter):
        return INT64(t.sun_amount[0]), INT64(t.sun_amount[1])
    if not t.leasts:
        return INT64(t.moon_amount[0]), INT64(t.moon_amount[1])
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
    """Whether the total that unlocks new moon has been reached."""
    if s.totals[s.shooter, 0] >= t.new_moon_min:
        return True
    for seat in range(INT64(t.seats)):
        if t.new_moon_any and s.totals[seat, 0] >= t.new_moon_min:
            return True
    return False
