"""The choices of the shooter of the moon, and the best one for it."""

from __future__ import annotations

import numpy as np

from hearts_env.kernel.bits import INT64, copy_on_stack
from hearts_env.kernel.jit import jit
from hearts_env.kernel.moon import BOTH, FIXED, OTHERS, SELF, SLATE, find_shooter, is_sun, new_moon_allowed
from hearts_env.kernel.ranking import MAGNITUDE, WINS, ends, lose_lives, may_extend, shooter_is_behind
from hearts_env.kernel.records import State, Tables
from hearts_env.kernel.scoring import CHOICE, FIXED_SELF, NEW, OLD, PAID, RESET_OR_DOUBLE, score, sign_seat, tally
from hearts_env.kernel.totals import add_to_totals, apply_exact_hit, exact_hit_helps

WON, GOES_ON, LOST = 0, 1, 2


@jit
def moon_choices(s: State, t: Tables) -> int:
    """The choices a shooter has, as bits: 1 << SELF, 1 << OTHERS, 1 << FIXED, 1 << SLATE."""
    mode = t.moon_mode
    # moon.clean_slate: the sun takes the shooter's total to 0 instead
    if t.moon_clean_slate and is_sun(s, t, INT64(s.shooter)):
        return 1 << SLATE
    if mode == FIXED_SELF or mode == WINS:
        return 1 << FIXED
    if mode == OLD or mode == PAID:
        return 1 << OTHERS
    if mode == NEW:
        return 1 << SELF
    if mode == RESET_OR_DOUBLE:
        return BOTH
    if mode == CHOICE:
        return BOTH if new_moon_allowed(s, t) else 1 << OTHERS
    # moon.mode: new_if_old_loses: new only if old would end the match with the shooter behind somebody
    return BOTH if outcome(s, t, INT64(OTHERS))[0] == LOST else 1 << OTHERS


@jit
def outcome(s: State, t: Tables, choice: int) -> tuple[int, float]:
    """The outcome of a choice, tried in a copy of the record: WON, GOES_ON or LOST, and the shooter's lead."""
    trial = copy_on_stack(s)
    score(trial, t, choice)
    add_to_totals(trial, t)
    for seat in range(INT64(t.seats) if not t.end_exact_optional else 0):
        apply_exact_hit(trial, t, seat)
    lose_lives(trial, t)
    lead = shooter_lead(trial, t)
    if not ends(trial, t):
        return GOES_ON, lead
    if not shooter_is_behind(trial, t):
        return WON, lead
    return (GOES_ON if may_extend(trial, t) else LOST), lead


@jit
def shooter_lead(s: State, t: Tables) -> float:
    """The lead of the shooter's team: the mean cost of the other teams less its own, times the members of both sides,
    so that there is no division: costs that are whole numbers are compared exactly.
    """
    own, others = 0.0, 0.0
    for seat in range(INT64(t.seats)):
        if t.team[seat] == t.team[s.shooter]:
            own += cost_of_total(s, t, seat)
        else:
            others += cost_of_total(s, t, seat)
    return others * t.team_size - own * (t.seats - t.team_size)


@jit
def cost_of_total(s: State, t: Tables, seat: int) -> float:
    """A seat's total as a cost: lower is better, whatever the rules call better."""
    re = np.float64(s.totals[seat, 0])
    if t.score_better == MAGNITUDE:
        return np.hypot(re, np.float64(s.totals[seat, 1]))
    return t.cost_sign * re


@jit
def best_choice(s: State, t: Tables, choices: int) -> int:
    """The choice that is best for the shooter.

    A match won beats one that goes on, which beats one lost; then the greater lead over the other teams decides.
    Choices that are equally good charge the others, unless that loses.
    """
    if choices == BOTH:
        own_end, own_lead = outcome(s, t, INT64(SELF))
        end, lead = outcome(s, t, INT64(OTHERS))
        if own_end != end:
            return SELF if own_end < end else OTHERS
        return SELF if own_lead > lead or (own_lead == lead and end == LOST) else OTHERS
    choice = SELF
    while not choices >> choice & 1:
        choice += 1
    return choice


@jit
def hurting_sign(s: State, t: Tables) -> int:
    """The sign of the award that takes the total of the next opponent farther from 0."""
    trial = copy_on_stack(s)
    score(trial, t, INT64(OTHERS))
    seat = sign_seat(s, t)
    re, im = INT64(trial.points[seat, 0]), INT64(trial.points[seat, 1])
    plain = copy_on_stack(s)
    plain.signs[seat] = 1
    score(plain, t, INT64(OTHERS))
    return 1 if re == plain.points[seat, 0] and im == plain.points[seat, 1] else -1


@jit
def score_taken(s: State, t: Tables, choice: int) -> bool:
    """Score a record whose taken cards, tricks won and totals the caller has filled in, up to the totals.

    `choice` settles the moon (-1: the best allowed); a seat accepts an exact hit that it may decline if the hit is good
    for it. Returns False, with nothing scored, if the choice is not allowed.
    """
    s.shooter = find_shooter(s, t)
    if s.shooter >= 0:
        choices = moon_choices(s, t)
        if choice < 0 or choices > BOTH:
            choice = best_choice(s, t, choices)
        elif not choices >> choice & 1:
            return False
    tally(s, t)
    score(s, t, choice)
    add_to_totals(s, t)
    for seat in range(INT64(t.seats)):
        # end.exact_optional: the seat may decline the change
        if not t.end_exact_optional or exact_hit_helps(s, t, seat):
            apply_exact_hit(s, t, seat)
    return True
