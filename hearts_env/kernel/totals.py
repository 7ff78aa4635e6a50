"""From the points of a deal to the totals: the moon's effect on totals, the big moon, the floor, exact hits."""

from __future__ import annotations

from hearts_env.kernel.bits import INT64
from hearts_env.kernel.jit import jit
from hearts_env.kernel.moon import OTHERS, SELF, SLATE, has_moon_set, shoots_with
from hearts_env.kernel.ranking import HIGH
from hearts_env.kernel.records import NOBODY, Mask, State, Tables
from hearts_env.kernel.scoring import RESET_OR_DOUBLE


@jit
def add_to_totals(s: State, t: Tables) -> None:
    """Add `points` to the totals, apply the moon's effect on totals, and apply the floor of totals."""
    paid = 0
    for seat in range(INT64(t.seats)):
        paid += s.points[seat, 0]
        for part in range(2):
            s.totals[seat, part] = new_total(s, t, seat, INT64(part))
        # score.bonus_floor_total: a total never falls below 0
        if t.score_bonus_floor_total:
            s.totals[seat, 0] = max(s.totals[seat, 0], 0)
    if t.score_chips:
        s.pool -= paid
    if t.moon_big_moon_deals:
        apply_big_moon(s, t)


@jit
def new_total(s: State, t: Tables, seat: int, part: int) -> int:
    """A part of a seat's total with `points` added and the moon's effect applied."""
    total = s.totals[seat, part] + s.points[seat, part]
    if s.shooter < 0:
        return total
    # moon.mode: reset_or_double: the shooter's total becomes 0, or every opponent's doubles
    reset = t.moon_mode == RESET_OR_DOUBLE
    if seat == s.shooter and (s.moon_choice == SLATE or (reset and s.moon_choice == SELF)):
        return 0
    if reset and s.moon_choice == OTHERS and t.team[seat] != t.team[s.shooter]:
        return 2 * total
    return total


@jit
def apply_big_moon(s: State, t: Tables) -> None:
    """Count the deals in a row in which each seat, or those that shoot with it, took every moon card, and honour enough
    of them.
    """
    big = NOBODY
    for seat in range(INT64(t.seats)):
        s.streak[seat] = s.streak[seat] + 1 if has_moon_set(s, t, seat) else 0
        # moon.big_moon_deals: so many deals in a row make a big moon
        if big < 0 and s.streak[seat] == t.moon_big_moon_deals:
            big = seat
    if big < 0:
        return
    # moon.big_moon_effect: the shooter's total becomes 0, every opponent's rises
    for seat in range(INT64(t.seats)):
        if shoots_with(t, seat, big):
            s.totals[seat, 0] = s.streak[seat] = 0
        elif t.team[seat] != t.team[big]:
            s.totals[seat, 0] += t.big_moon_points
            if t.score_bonus_floor_total:
                s.totals[seat, 0] = max(s.totals[seat, 0], 0)


@jit
def exact_hit(s: State, t: Tables, seat: int) -> int:
    """Index of the exact hit that a seat's total makes, or -1."""
    for hit in range(t.exact_hits):
        if s.totals[seat, 0] == t.exact_total[hit]:
            return hit
    return NOBODY


@jit
def apply_exact_hit(s: State, t: Tables, seat: int) -> None:
    """Change a seat's total if it makes an exact hit."""
    hit = exact_hit(s, t, seat)
    # end.exact: a total equal to one of these values changes
    if hit >= 0:
        s.totals[seat, 0] += t.exact_change[hit]


@jit
def exact_hit_helps(s: State, t: Tables, seat: int) -> bool:
    """True if a seat's total makes an exact hit whose change is good for it."""
    hit = exact_hit(s, t, seat)
    return hit >= 0 and t.exact_change[hit] != 0 and (t.exact_change[hit] > 0) == (t.score_better == HIGH)


@jit
def taker(s: State, t: Tables, kind_mask: Mask) -> int:
    """The seat that took a card of the mask, or -1."""
    for seat in range(INT64(t.seats)):
        if s.taken[seat, 0] & kind_mask:
            return seat
    return NOBODY
