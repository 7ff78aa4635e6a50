"""From taken cards to totals: one pipeline for all rules, in a fixed order.

Cards (`points`), moon and sun (`moon`), events, hand floor, chips; then totals, big moon, total floor, exact hits
(RULES.md, part C).
"""

from __future__ import annotations

import numpy as np

from hearts_env.kernel.bits import INT64, copy_on_stack
from hearts_env.kernel.dealing import next_seat
from hearts_env.kernel.jit import jit
from hearts_env.kernel.moon import (
    BOTH,
    FIXED,
    OTHERS,
    SELF,
    SLATE,
    award,
    find_shooter,
    has_moon_set,
    is_sun,
    new_moon_allowed,
    shoots_with,
)
from hearts_env.kernel.points import hand_factor, points_taken, times
from hearts_env.kernel.ranking import HIGH, MAGNITUDE, ends, lose_lives, may_extend, shooter_is_behind
from hearts_env.kernel.records import NOBODY, UNSET, Mask, Pledge, State, Tables
from hearts_env.kernel.tricks import count
from hearts_env.ruleset.enums import MoonMode, MoonSign

OLD, NEW, CHOICE = MoonMode.OLD.code, MoonMode.NEW.code, MoonMode.CHOICE.code
FIXED_SELF, RESET_OR_DOUBLE = MoonMode.FIXED_SELF.code, MoonMode.RESET_OR_DOUBLE.code
PLUS = MoonSign.PLUS.code
PLEDGED = Pledge.YES.value
EACH, FIRST, LAST = 1, 2, 4
NONE = np.uint64(0)
WON, GOES_ON, LOST = 0, 1, 2


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
        add_events(s, t, seat)
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
            if choice == SELF and not reset:  # moon.mode: new: the shooter's score goes down by the award
                own, own_im = -re, -im
            elif choice == FIXED and seat == shooter:  # moon.mode: fixed_self: the shooter scores the award
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
            # moon.sign: hurts: the sign that takes the opponent's total farther from 0
            sign = -1 if t.moon_sign != PLUS and brings_nearer(s, seat, re, im) else 1
        s.points[seat, 0] += factor * t.moon_punish if seat == punished else sign * re
        s.points[seat, 1] += sign * im


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
def brings_nearer(s: State, seat: int, re: int, im: int) -> bool:
    """Whether a seat's total would come nearer to 0 with an award than with its negative."""
    # |z + a|^2 - |z - a|^2 is four times the scalar product of z and a
    total = INT64(s.totals[seat, 0]) + s.points[seat, 0]
    total_im = INT64(s.totals[seat, 1]) + s.points[seat, 1]
    return total * re + total_im * im < 0


@jit
def add_events(s: State, t: Tables, seat: int) -> None:
    """Add to a seat's points what it scores for what it did, not for its cards."""
    # score.tricks: points for each trick won, for the first and for the last
    s.points[seat, 0] += t.trick_points[0] * s.tricks_won[seat]
    s.points[seat, 0] += t.trick_points[1] * (s.first_winner == seat) + t.trick_points[2] * (s.leader == seat)
    # score.sets: points for taking all of these cards and tricks
    for place in range(t.sets):
        if has_set(s, t, seat, place):
            s.points[seat, 0] += t.set_points[place]
    # score.no_tricks, score.no_tricks_on_moon: points for winning no trick
    if s.tricks_won[seat] == 0 and (s.shooter < 0 or t.score_no_tricks_on_moon):
        s.points[seat, 0] += t.score_no_tricks
    if not (t.score_no_hearts or t.score_pledge):
        return
    hearts = count(s.taken, seat, t.hearts, t.copies)
    # score.no_hearts, score.no_hearts_on_moon: points for taking no heart
    if hearts == 0 and (s.shooter < 0 or t.score_no_hearts_on_moon):
        s.points[seat, 0] += t.score_no_hearts
    # score.pledge: points won by keeping a pledge to take no heart, lost by breaking it
    if t.score_pledge and s.pledges[seat] == PLEDGED:
        good = (hearts == 0) == (t.score_better == HIGH)
        s.points[seat, 0] += t.score_pledge if good else -t.score_pledge


@jit
def has_set(s: State, t: Tables, seat: int, place: int) -> bool:
    """Whether a seat took every card and trick of an entry of `score.sets`."""
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


@jit
def moon_choices(s: State, t: Tables) -> int:
    """The choices a shooter has, as bits: 1 << SELF, 1 << OTHERS, 1 << FIXED, 1 << SLATE."""
    mode = t.moon_mode
    # moon.clean_slate: the sun takes the shooter's total to 0 instead
    if t.moon_clean_slate and is_sun(s, t, INT64(s.shooter)):
        return 1 << SLATE
    if mode == FIXED_SELF:
        return 1 << FIXED
    if mode == OLD:
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
    """What a choice leads to, tried in a copy of the record: WON, GOES_ON or LOST, and the shooter's lead."""
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
    """How far the shooter's team is ahead: the mean cost of the other teams less its own, times the members of both
    sides, which keeps whole numbers exact.
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
    return -re if t.score_better == HIGH or t.score_chips else re


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
def add_to_totals(s: State, t: Tables) -> None:
    """Add `points` to the totals, do to totals what the moon does to them, and apply the floor of totals."""
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
    """A part of a seat's total once `points` are added and the moon has done to it what it does to totals."""
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
    """Count the deals in a row in which each seat took every moon card, and honour enough of them."""
    big = NOBODY
    for seat in range(INT64(t.seats)):
        s.streak[seat] = s.streak[seat] + 1 if s.taken[seat, 0] & t.moon_set and has_moon_set(s, t, seat) else 0
        # moon.big_moon_deals: so many deals in a row make a big moon
        if s.streak[seat] == t.moon_big_moon_deals:
            big = seat
    if big < 0:
        return
    # moon.big_moon_effect: the shooter's total becomes 0, every other total rises
    for seat in range(INT64(t.seats)):
        s.totals[seat, 0] += t.big_moon_points
        if t.score_bonus_floor_total:
            s.totals[seat, 0] = max(s.totals[seat, 0], 0)
    s.totals[big, 0] = 0
    s.streak[big] = 0


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
    # end.exact: a total that hits one of these changes
    if hit >= 0:
        s.totals[seat, 0] += t.exact_change[hit]


@jit
def exact_hit_helps(s: State, t: Tables, seat: int) -> bool:
    """Whether a seat's total makes an exact hit whose change is good for it."""
    hit = exact_hit(s, t, seat)
    return hit >= 0 and t.exact_change[hit] != 0 and (t.exact_change[hit] > 0) == (t.score_better == HIGH)


@jit
def taker(s: State, t: Tables, kind_mask: Mask) -> int:
    """The seat that took a card of the mask, or -1."""
    for seat in range(INT64(t.seats)):
        if s.taken[seat, 0] & kind_mask:
            return seat
    return NOBODY


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
