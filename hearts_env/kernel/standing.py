"""How seats stand: totals that may come about, who is ahead, and whether the match ends."""

from __future__ import annotations

from hearts_env.kernel.bits import INT64
from hearts_env.kernel.jit import jit
from hearts_env.kernel.moon import OTHERS, RULE_RESET, SELF, SLATE
from hearts_env.kernel.records import BetterRule, ExtendRule, LivesRule, State, Tables

HIGH, MAGNITUDE, REAL = BetterRule.HIGH.value, BetterRule.MAGNITUDE.value, BetterRule.REAL.value
UNTIL_NEXT_MOON = ExtendRule.UNTIL_NEXT_MOON.value
LIVES_END, ELIMINATE = LivesRule.END.value, LivesRule.ELIMINATE.value
WORST = INT64(1) << INT64(32)
OUT = INT64(1) << INT64(61)
BEYOND = INT64(1) << INT64(50)


@jit
def fill_after(s: State, t: Tables, hits: bool) -> None:
    """Set `after` to the totals once `points` are added, with exact hits that nobody may decline if `hits`."""
    for seat in range(INT64(t.seats)):
        s.after[seat, 0] = total_after(s, t, seat, 0)
        s.after[seat, 1] = total_after(s, t, seat, 1) if t.better >= MAGNITUDE else 0
        if t.bonus_floor_total:
            s.after[seat, 0] = max(s.after[seat, 0], 0)
        if hits and not t.exact_optional:
            for hit in range(t.exact_hits):
                if s.after[seat, 0] == t.exact_total[hit]:
                    s.after[seat, 0] += t.exact_change[hit]
                    break


@jit
def total_after(s: State, t: Tables, seat: int, part: int) -> int:
    """A part of a seat's total once `points` are added and the moon has done to it what it does to totals."""
    total = s.totals[seat, part] + s.points[seat, part]
    if s.shooter < 0:
        return total
    own = seat == s.shooter
    if own and (s.moon_choice == SLATE or (t.moon_rule == RULE_RESET and s.moon_choice == SELF)):
        return 0
    if t.moon_rule == RULE_RESET and s.moon_choice == OTHERS and t.team[seat] != t.team[s.shooter]:
        return 2 * total
    return total


@jit
def keep_totals(s: State, t: Tables) -> None:
    """Set `after` to the totals as they are."""
    for seat in range(INT64(t.seats)):
        s.after[seat, 0] = s.totals[seat, 0]
        s.after[seat, 1] = s.totals[seat, 1]


@jit
def own_standing(s: State, t: Tables, seat: int) -> int:
    """A seat's own standing by `after`: lower is better."""
    re = INT64(s.after[seat, 0])
    if t.better >= MAGNITUDE:
        im = INT64(s.after[seat, 1])
        square = re * re + im * im
        if t.better == MAGNITUDE:
            return square
        # whoever is at the target has lost, the farther the worse, whatever the real part says
        return BEYOND + square if reaches(s, t, seat) else re
    return -re if t.better == HIGH or t.chips else re


@jit
def standing(s: State, t: Tables, seat: int) -> int:
    """How a seat stands by `after`, with its team and its lives: lower is better, equal seats share a place."""
    key = own_standing(s, t, seat)
    if t.team_size > 1:
        worst = key
        for other in range(INT64(t.seats)):
            if other != seat and t.team[other] == t.team[seat]:
                own = own_standing(s, t, other)
                key += own
                worst = max(worst, own)
        if t.team_worst:
            key += worst * WORST
    if t.lives and s.lives[seat] == 0:
        key += OUT
        if t.lives_out == ELIMINATE:
            key -= INT64(s.lost_at[seat]) * WORST
    return key


@jit
def ends(s: State, t: Tables) -> bool:
    """Whether the match ends with the totals of `after`: it is due, and no tie that keeps it going is shared."""
    return (is_due(s, t) and not (t.tie_continue and best_is_shared(s, t))) or lives_end(s, t)


@jit
def is_due(s: State, t: Tables) -> bool:
    """Whether the match is to end, a tie apart."""
    if s.due or last_deal(s, t):
        return True
    if s.extended:
        return (s.shooter >= 0) == (t.moon_extends == UNTIL_NEXT_MOON)
    for seat in range(INT64(t.seats)):
        if t.chips:
            if s.after[seat, 0] <= 0:
                return True
        elif reaches(s, t, seat):
            return True
    return False


@jit
def reaches(s: State, t: Tables, seat: int) -> bool:
    """Whether a seat's total, or its team's, reaches a target."""
    re = INT64(s.after[seat, 0])
    if t.better >= MAGNITUDE:
        im = INT64(s.after[seat, 1])
        return t.target > 0 and re * re + im * im >= t.target_square + t.target_strict
    if t.team_size > 1 and not t.team_worst:
        for other in range(INT64(t.seats)):
            if other != seat and t.team[other] == t.team[seat]:
                re += s.after[other, 0]
    if t.target > 0 and re >= t.target + t.target_strict:
        return True
    return t.lower_target < 0 and re <= t.lower_target - t.target_strict


@jit
def best_is_shared(s: State, t: Tables) -> bool:
    """Whether seats of different teams share the best standing."""
    best, sharing = standing(s, t, INT64(0)), 0
    for seat in range(INT64(t.seats)):
        key = standing(s, t, seat)
        if key < best:
            best, sharing = key, 0
        sharing += key == best
    return sharing > t.team_size


@jit
def lives_end(s: State, t: Tables) -> bool:
    """Whether lost lives end the match."""
    if not t.lives:
        return False
    alive = 0
    for seat in range(INT64(t.seats)):
        alive += s.lives[seat] > 0
    return (t.lives_out == LIVES_END and alive < t.seats) or (t.lives_out == ELIMINATE and alive <= 1)


@jit
def lose_lives(s: State, t: Tables) -> None:
    """Take a life from every seat whose points of the deal cost one."""
    for seat in range(INT64(t.seats) if t.lives else 0):
        if s.points[seat, 0] >= t.life_threshold and s.lives[seat] > 0:
            s.lives[seat] -= 1
            if s.lives[seat] == 0:
                s.lost_at[seat] = s.deal_number


@jit
def restore_lives(s: State, t: Tables) -> None:
    """Undo `lose_lives` of this deal."""
    for seat in range(INT64(t.seats) if t.lives else 0):
        if s.points[seat, 0] >= t.life_threshold and (s.lives[seat] > 0 or s.lost_at[seat] == s.deal_number):
            s.lives[seat] += 1
            s.lost_at[seat] = -1


@jit
def last_deal(s: State, t: Tables) -> bool:
    """Whether the match has as many deals as it may have."""
    return t.max_deals > 0 and s.deal_number + 1 >= t.max_deals


@jit
def may_go_on(s: State, t: Tables) -> bool:
    """Whether a moon charged to the others that would end the match keeps it going instead."""
    return t.moon_extends > 0 and not s.extended and s.moon_choice == OTHERS and not last_deal(s, t)


@jit
def shooter_is_behind(s: State, t: Tables) -> bool:
    """Whether somebody stands better than the shooter by `after`."""
    own = standing(s, t, INT64(s.shooter))
    for seat in range(INT64(t.seats)):
        if standing(s, t, seat) < own:
            return True
    return False


@jit
def count_places(s: State, t: Tables, seat: int) -> tuple[int, int]:
    """How many seats stand better than a seat by its total, and how many, itself included, equally well."""
    better, equal = 0, 0
    own = standing(s, t, seat)
    for other in range(INT64(t.seats)):
        key = standing(s, t, other)
        better += key < own
        equal += key == own
    return better, equal
