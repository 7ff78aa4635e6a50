"""The ranking of the seats, and the end of the match: everything here reads the totals of a record as they are."""

from __future__ import annotations

from hearts_env.kernel.bits import INT64
from hearts_env.kernel.jit import jit
from hearts_env.kernel.moon import OTHERS
from hearts_env.kernel.records import State, Tables
from hearts_env.ruleset.enums import Better, LivesOut, MoonExtends, MoonMode, TargetCmp, TeamScoring, Tie

HIGH, MAGNITUDE, REAL = Better.HIGH.code, Better.MAGNITUDE.code, Better.REAL.code
UNTIL_NEXT_MOON = MoonExtends.UNTIL_NEXT_MOON.code
LIVES_END, ELIMINATE = LivesOut.END.code, LivesOut.ELIMINATE.code
WINS = MoonMode.WINS.code
INDIVIDUAL = TeamScoring.INDIVIDUAL.code
MORE_THAN = TargetCmp.GT.code
CONTINUE = Tie.CONTINUE.code
WORST = INT64(1) << INT64(32)
OUT = INT64(1) << INT64(61)
BEYOND = INT64(1) << INT64(50)


@jit
def total_key(s: State, t: Tables, seat: int) -> int:
    """A seat's own total as a number to compare: lower is better."""
    re = INT64(s.totals[seat, 0])
    # score.better: magnitude: the least absolute value wins
    if t.score_better >= MAGNITUDE:
        im = INT64(s.totals[seat, 1])
        square = re * re + im * im
        if t.score_better == MAGNITUDE:
            return square
        # score.better: real: the least real part wins, but whoever is at the target loses, the farther the worse
        return BEYOND + square if reaches(s, t, seat) else re
    # end.exact_wins: a total of exactly so much is the best
    if t.end_exact_wins and re == t.end_exact_wins:
        return -BEYOND
    # score.better: low or high; score.chips: the most chips win
    return t.cost_sign * re


@jit
def rank_key(s: State, t: Tables, seat: int) -> int:
    """A seat's rank, with its team and its lives, as a number to compare: lower is better; equals share."""
    # moon.mode: wins: the shooter, with their team, wins
    if moon_wins(s, t) and t.team[seat] == t.team[s.shooter]:
        return -OUT
    key = total_key(s, t, seat)
    if t.team_size > 1:
        worst = key
        for other in range(INT64(t.seats)):
            if other != seat and t.team[other] == t.team[seat]:
                own = total_key(s, t, other)
                key += own
                worst = max(worst, own)
        # table.team_scoring: individual: the team with the worst single total loses, then the worse sum
        if t.table_team_scoring == INDIVIDUAL:
            key += worst * WORST
    # end.lives, end.lives_out: a player without lives is last; of those eliminated, the first to go
    if t.end_lives and s.lives[seat] == 0:
        key += OUT
        if t.end_lives_out == ELIMINATE:
            key -= INT64(s.lost_at[seat]) * WORST
    return key


@jit
def ends(s: State, t: Tables) -> bool:
    """True if the match ends after this deal, a moon that would keep it going apart."""
    # end.tie: deals go on while the best total is shared
    due = is_due(s, t) and not (t.end_tie == CONTINUE and best_is_shared(s, t))
    return due or lives_end(s, t) or has_no_chip(s, t) or moon_wins(s, t)


@jit
def moon_wins(s: State, t: Tables) -> bool:
    """True if the moon was shot in the deal, and wins the match."""
    return s.shooter >= 0 and t.moon_mode == WINS


@jit
def is_due(s: State, t: Tables) -> bool:
    """True if the match is to end, unless a tie prolongs it."""
    if s.tie_pending or is_last_deal(s, t):
        return True
    # moon.extends: until_next_moon or until_moonless_deal
    if s.moon_extension:
        return (s.shooter >= 0) == (t.moon_extends == UNTIL_NEXT_MOON)
    for seat in range(INT64(t.seats)):
        if reaches(s, t, seat):
            return True
    return False


@jit
def has_no_chip(s: State, t: Tables) -> bool:
    """True if a seat has no chip for the next deal."""
    # score.chips: the match ends when somebody has none
    for seat in range(INT64(t.seats) if t.score_chips else 0):
        if s.totals[seat, 0] <= 0:
            return True
    return False


@jit
def reaches(s: State, t: Tables, seat: int) -> bool:
    """True if a seat's total, or its team's, reaches a target."""
    if t.end_exact_wins and s.totals[seat, 0] == t.end_exact_wins:
        return True
    beyond = 1 if t.end_target_cmp == MORE_THAN else 0  # end.target_cmp: gt: reaching the target is not enough
    re = INT64(s.totals[seat, 0])
    if t.score_better >= MAGNITUDE:
        im = INT64(s.totals[seat, 1])
        return t.end_target > 0 and re * re + im * im >= t.target_square + beyond
    # table.team_scoring: sum: the totals of a team are added
    if t.team_size > 1 and t.table_team_scoring != INDIVIDUAL:
        for other in range(INT64(t.seats)):
            if other != seat and t.team[other] == t.team[seat]:
                re += s.totals[other, 0]
    # end.target, end.lower_target: the match ends once a total rises to the one or falls to the other
    if t.end_target > 0 and re >= t.end_target + beyond:
        return True
    return t.end_lower_target < 0 and re <= t.end_lower_target - beyond


@jit
def best_is_shared(s: State, t: Tables) -> bool:
    """True if seats of different teams share the best rank."""
    best, sharing = rank_key(s, t, INT64(0)), 0
    for seat in range(INT64(t.seats)):
        key = rank_key(s, t, seat)
        if key < best:
            best, sharing = key, 0
        sharing += key == best
    return sharing > t.team_size


@jit
def lives_end(s: State, t: Tables) -> bool:
    """True if lost lives end the match."""
    if not t.end_lives:
        return False
    alive = 0
    for seat in range(INT64(t.seats)):
        alive += s.lives[seat] > 0
    # end.lives_out: end: the first player without lives ends the match; eliminate: the last one with a life does
    return (t.end_lives_out == LIVES_END and alive < t.seats) or (t.end_lives_out == ELIMINATE and alive <= 1)


@jit
def lose_lives(s: State, t: Tables) -> None:
    """Take a life from every seat whose points of the deal cost one."""
    for seat in range(INT64(t.seats) if t.end_lives else 0):
        # end.life_threshold: so many points in a deal cost a life
        if s.points[seat, 0] >= t.end_life_threshold and s.lives[seat] > 0:
            s.lives[seat] -= 1
            if s.lives[seat] == 0:
                s.lost_at[seat] = s.deal_number


@jit
def is_last_deal(s: State, t: Tables) -> bool:
    """True if the match has had all its deals."""
    # end.max_deals: the match ends after so many deals
    return t.end_max_deals > 0 and s.deal_number + 1 >= t.end_max_deals


@jit
def may_extend(s: State, t: Tables) -> bool:
    """True if a moon charged to the others keeps a match going that it would end."""
    # moon.extends: an old moon that would end the match with somebody ahead of the shooter keeps it going
    if t.moon_extends == 0 or s.moon_extension or s.moon_choice != OTHERS:
        return False
    return not (is_last_deal(s, t) or lives_end(s, t))


@jit
def shooter_is_behind(s: State, t: Tables) -> bool:
    """True if somebody is ahead of the shooter."""
    return count_places(s, t, INT64(s.shooter))[0] > 0


@jit
def count_places(s: State, t: Tables, seat: int) -> tuple[int, int]:
    """The number of seats ranked better than a seat, and of those ranked equally, itself included."""
    better, equal = 0, 0
    own = rank_key(s, t, seat)
    for other in range(INT64(t.seats)):
        key = rank_key(s, t, other)
        better += key < own
        equal += key == own
    return better, equal
