"""From taken cards to totals: one pipeline for all rules, in a fixed order.

Cards and bonuses, moon and sun, events, hand floor, totals, big moon, total floor, exact hits, end of the match.
"""

from __future__ import annotations

from hearts_env.kernel.bits import ONE, lowest
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import NOBODY, Mask, MoonChoice, MoonRule, State, Tables

SELF, OTHERS, FIXED, NOTHING = (choice.value for choice in MoonChoice)
RULE_NONE, RULE_OLD, RULE_NEW, RULE_CHOICE, RULE_NEW_IF_OLD_LOSES, RULE_FIXED = (rule.value for rule in MoonRule)
BOTH = (1 << SELF) | (1 << OTHERS)
_NOBODY = NOBODY


@jit
def card_points(s: State, t: Tables, seat: int, cards: Mask, part: int) -> int:
    """Sum of the values of a seat's taken cards that lie in the mask `cards`; part 0 is real, 1 imaginary."""
    points = 0
    for plane in range(t.copies):
        left = s.taken[seat, plane] & cards
        while left:
            points += t.values[lowest(left), part]
            left &= left - ONE
    return points


@jit
def bonus_points(s: State, t: Tables, seat: int) -> int:
    """Sum of the negative values a seat took."""
    points = 0
    for plane in range(t.copies):
        left = s.taken[seat, plane] & t.valued
        while left:
            points += min(t.values[lowest(left), 0], 0)
            left &= left - ONE
    return points


@jit
def tally(s: State, t: Tables) -> None:
    """Set `points` to the card points taken so far."""
    for seat in range(t.seats):
        s.points[seat, 0] = card_points(s, t, seat, t.valued, 0)
        s.points[seat, 1] = card_points(s, t, seat, t.valued, 1)


@jit
def is_sun(s: State, t: Tables, seat: int) -> bool:
    """Whether a seat won every trick, the first one excepted where the rules say so."""
    missing = t.hand_size - s.tricks_won[seat]
    return missing == 0 or (t.sun_skip_first and missing == 1 and s.first_winner != seat)


@jit
def has_moon_set(s: State, t: Tables, seat: int) -> bool:
    """Whether a seat took every card of the moon set, all copies."""
    for plane in range(t.copies):
        if t.moon_set[plane] & ~s.taken[seat, plane]:
            return False
    return True


@jit
def find_shooter(s: State, t: Tables) -> int:
    """The seat that shot the moon in a deal that is played out, or -1."""
    if t.moon_rule == RULE_NONE:
        return _NOBODY
    for seat in range(t.seats):
        if has_moon_set(s, t, seat) and (not t.requires_sun or is_sun(s, t, seat)):
            return seat
    return _NOBODY


@jit
def score(s: State, t: Tables, choice: int) -> None:
    """Set `points` to the final points of the deal, the moon (if `shooter` is a seat) settled by `choice`."""
    tally(s, t)
    shooter = s.shooter
    if shooter >= 0:
        _award(s, t, shooter, choice)
    for seat in range(t.seats):
        if s.tricks_won[seat] == 0 and (shooter < 0 or t.no_tricks_on_moon):
            s.points[seat, 0] += t.no_tricks
        if t.bonus_floor_hand:
            base = s.points[seat, 0] - bonus_points(s, t, seat)
            s.points[seat, 0] = max(s.points[seat, 0], min(base, 0))


@jit
def _award(s: State, t: Tables, shooter: int, choice: int) -> None:
    amount = t.sun_amount if is_sun(s, t, shooter) else t.moon_amount
    s.points[shooter, 0] -= card_points(s, t, shooter, t.moon_waived, 0)
    if choice == SELF:
        s.points[shooter, 0] -= amount
    elif choice == FIXED:
        s.points[shooter, 0] += amount
    else:
        for seat in range(t.seats):
            if seat != shooter:
                s.points[seat, 0] += amount


@jit
def total_after(s: State, t: Tables, seat: int) -> int:
    """A seat's total once `points` are added, exact hits that nobody may decline included."""
    total = s.totals[seat, 0] + s.points[seat, 0]
    if t.bonus_floor_total:
        total = max(total, 0)
    for hit in range(0 if t.exact_optional else t.exact_hits):
        if total == t.exact_total[hit]:
            return total + t.exact_change[hit]
    return total


@jit
def ends_with(s: State, t: Tables, coming: bool) -> bool:
    """Whether the match ends: with the totals as they stand, or as they will be once `points` are added (`coming`).

    A match that was due to end and went on because of a shared lowest total stays due (`due`).
    """
    due = s.due or (t.max_deals > 0 and s.deal_number + 1 >= t.max_deals)
    lowest_total, sharing = 0, 0
    for seat in range(t.seats):
        total = total_after(s, t, seat) if coming else s.totals[seat, 0]
        due |= t.target > 0 and total >= t.target + t.target_strict
        if seat == 0 or total < lowest_total:
            lowest_total, sharing = total, 0
        sharing += total == lowest_total
    if not coming:
        s.due = due
    return due and not (t.tie_continue and sharing > 1)


@jit
def old_moon_loses(s: State, t: Tables) -> bool:
    """Whether `points`, scored by old moon, would end the match with somebody below the shooter."""
    behind = False
    own = total_after(s, t, s.shooter)
    for seat in range(t.seats):
        behind |= total_after(s, t, seat) < own
    return behind and ends_with(s, t, True)


@jit
def new_moon_allowed(s: State, t: Tables) -> bool:
    """Whether the total that unlocks new moon has been reached."""
    if s.totals[s.shooter, 0] >= t.new_moon_min:
        return True
    for seat in range(t.seats):
        if t.new_moon_any and s.totals[seat, 0] >= t.new_moon_min:
            return True
    return False


@jit
def moon_choices(s: State, t: Tables) -> int:
    """The choices a shooter has, as bits: 1 << SELF, 1 << OTHERS, 1 << FIXED."""
    rule = t.moon_rule
    if rule == RULE_FIXED:
        return 1 << FIXED
    if rule == RULE_OLD:
        return 1 << OTHERS
    if rule == RULE_NEW:
        return 1 << SELF
    if rule == RULE_CHOICE:
        return BOTH if new_moon_allowed(s, t) else 1 << OTHERS
    score(s, t, OTHERS)
    return BOTH if old_moon_loses(s, t) else 1 << OTHERS


@jit
def best_choice(s: State, t: Tables, choices: int) -> int:
    """The better of the allowed choices: others, unless that ends the match with somebody below the shooter."""
    if choices == 1 << FIXED:
        return FIXED
    if choices == BOTH:
        score(s, t, OTHERS)
        return SELF if old_moon_loses(s, t) else OTHERS
    return SELF if choices == 1 << SELF else OTHERS


@jit
def add_to_totals(s: State, t: Tables) -> None:
    """Add `points` to the totals and apply the big moon and the floor of totals."""
    big = _NOBODY
    for seat in range(t.seats):
        s.totals[seat, 0] += s.points[seat, 0]
        s.totals[seat, 1] += s.points[seat, 1]
        if t.big_moon_deals:
            s.streak[seat] = s.streak[seat] + 1 if has_moon_set(s, t, seat) else 0
            if s.streak[seat] == t.big_moon_deals:
                big = seat
    if big >= 0:
        _big_moon(s, t, big)
    if t.bonus_floor_total:
        for seat in range(t.seats):
            s.totals[seat, 0] = max(s.totals[seat, 0], 0)


@jit
def _big_moon(s: State, t: Tables, shooter: int) -> None:
    for seat in range(t.seats):
        s.totals[seat, 0] += t.big_moon_points
    s.totals[shooter, 0] = 0
    s.streak[shooter] = 0


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
    for seat in range(t.seats):
        if s.taken[seat, 0] & kind_mask:
            return seat
    return _NOBODY
