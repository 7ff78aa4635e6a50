"""Counting the determinizations of a view: the ways to deal the hidden cards so that no holder gets a forbidden one.

Cards that the same holders may have form a class. Holders that may have every class (unconstrained ones) can share what
is left in any way. For the others (constrained ones) the number of ways to go on is counted for every number of cards
left in each class, from the last such holder to the first. Where that would take too many numbers, the two smallest
classes are merged: worlds that then break a rule are rejected later and drawn again.
"""

from __future__ import annotations

from hearts_env.kernel.bits import INT64, bit
from hearts_env.kernel.deduce.constraints import CLASSES, STATES, Hidden, copy_hands, read_hidden
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import Array, State, Tables


@jit
def prepare(view: State, t: Tables, me: int, h: Hidden, w: State) -> bool:
    """Read a view and count its worlds. Returns whether there are any."""
    copy_hands(w, view)
    read_hidden(view, t, me, h, w)
    if not _classify(t, h):
        return False
    while _numbers(h) > STATES:
        _merge_smallest(t, h)
    _order_holders(t, h)
    return count_ways(h) > 0.0


@jit
def _classify(t: Tables, h: Hidden) -> bool:
    """Find the classes of the free cards. Returns whether every card has a holder and all fit."""
    h.classes = 0
    capacity = 0
    for holder in range(INT64(t.seats) + 1):
        capacity += h.capacity[holder]
        if h.capacity[holder] < 0:
            return False
    for kind in range(t.kinds):
        if h.unplaced[kind] < 0:
            return False
        capacity -= h.unplaced[kind]
        if h.unplaced[kind]:
            holders = _holders_of(t, h, kind)
            if not holders:
                return False
            place = _class_of(h, holders)
            h.class_of[kind] = place
            h.size[place] += h.unplaced[kind]
    return capacity == 0


@jit
def _holders_of(t: Tables, h: Hidden, kind: int) -> int:
    """The holders that may have a kind, as bits."""
    holders = 1 << INT64(t.seats) if h.capacity[t.seats] > 0 else 0
    for seat in range(INT64(t.seats)):
        if h.capacity[seat] > 0 and not h.forbidden[seat] & bit(kind):
            holders |= 1 << seat
    return holders


@jit
def _class_of(h: Hidden, holders: int) -> int:
    """The class of some holders: a new one, or if there are too many the last."""
    for place in range(h.classes):
        if h.allowed[place] == holders:
            return place
    if h.classes == CLASSES:
        h.allowed[CLASSES - 1] |= holders
        return CLASSES - 1
    h.allowed[h.classes] = holders
    h.size[h.classes] = 0
    h.classes += 1
    return h.classes - 1


@jit
def _numbers(h: Hidden) -> int:
    """Number of combinations of numbers of cards left, or a number above `STATES` if there are more than that."""
    numbers = INT64(1)
    for place in range(h.classes):
        h.stride[place] = numbers
        numbers *= h.size[place] + 1
        if numbers > STATES:
            break
    return numbers


@jit
def _merge_smallest(t: Tables, h: Hidden) -> None:
    """Throw the two smallest classes together, and let the last class take the empty place."""
    one, two = 0, 1
    if h.size[two] < h.size[one]:
        one, two = two, one
    for place in range(2, h.classes):
        if h.size[place] < h.size[one]:
            one, two = place, one
        elif h.size[place] < h.size[two]:
            two = place
    one, two = min(one, two), max(one, two)
    h.allowed[one] |= h.allowed[two]
    h.size[one] += h.size[two]
    last = h.classes - 1
    h.allowed[two], h.size[two] = h.allowed[last], h.size[last]
    for kind in range(t.kinds):
        if h.unplaced[kind] and h.class_of[kind] == two:
            h.class_of[kind] = one
        elif h.unplaced[kind] and h.class_of[kind] == last:
            h.class_of[kind] = two
    h.classes = last


@jit
def list_cards(t: Tables, h: Hidden) -> None:
    """Lay out the free cards, class by class."""
    start = INT64(0)
    for place in range(h.classes):
        h.start[place] = start
        start += h.size[place]
        h.left[place] = 0
    for kind in range(t.kinds):
        place = h.class_of[kind]
        for _ in range(h.unplaced[kind]):
            h.cards[h.start[place] + h.left[place]] = kind
            h.left[place] += 1


@jit
def _order_holders(t: Tables, h: Hidden) -> None:
    """List the holders with room, those excluded from a class first."""
    h.holders = 0
    for unconstrained in range(2):
        for holder in range(INT64(t.seats) + 1):
            if h.capacity[holder] > 0 and _is_unconstrained(h, holder) == unconstrained:
                h.order[h.holders] = holder
                h.holders += 1
        if not unconstrained:
            h.constrained = h.holders


@jit
def _is_unconstrained(h: Hidden, holder: int) -> int:
    """1 for a holder that may have every class."""
    for place in range(h.classes):
        if not h.allowed[place] >> holder & 1:
            return 0
    return 1


@jit
def count_ways(h: Hidden) -> float:
    """Fill `ways`, backwards. Returns the number of ways to deal all free cards to constrained holders."""
    total = INT64(0)
    for place in range(h.constrained, h.holders):
        total += h.capacity[h.order[place]]
    _cap_by(h, h.size)
    more = first_part(h, h.left, total)
    while more:
        h.ways[index(h, h.left)] = 1.0
        _cap_by(h, h.size)
        more = next_part(h, h.left)
    for place in range(h.constrained - 1, -1, -1):
        holder = h.order[place]
        total += h.capacity[holder]
        _cap_by(h, h.size)
        more = first_part(h, h.left, total)
        while more:
            h.ways[index(h, h.left)] = _ways_from(h, holder)
            _cap_by(h, h.size)
            more = next_part(h, h.left)
    return h.ways[index(h, h.size)]


@jit
def _ways_from(h: Hidden, holder: int) -> float:
    """The number of ways to deal the cards `left` to a holder and those after it."""
    ways = 0.0
    cap_for(h, holder)
    more = first_part(h, h.part, h.capacity[holder])
    while more:
        ways += weight(h)
        more = next_part(h, h.part)
    return ways


@jit
def weight(h: Hidden) -> float:
    """The number of ways in which a holder gets the numbers of cards in `part`."""
    ways, after = 1.0, INT64(0)
    for place in range(h.classes):
        ways *= h.choose[h.left[place], h.part[place]]
        after += (h.left[place] - h.part[place]) * h.stride[place]
    return ways * h.ways[after]


@jit
def index(h: Hidden, numbers: Array) -> int:
    """The place in `ways` of the number of ways for these numbers of cards left."""
    found = INT64(0)
    for place in range(h.classes):
        found += numbers[place] * h.stride[place]
    return found


@jit
def _cap_by(h: Hidden, most: Array) -> None:
    for place in range(h.classes):
        h.cap[place] = most[place]


@jit
def cap_for(h: Hidden, holder: int) -> None:
    """Let a holder get up to what is left of the classes that it may have."""
    for place in range(h.classes):
        h.cap[place] = h.left[place] if h.allowed[place] >> holder & 1 else 0


@jit
def first_part(h: Hidden, part: Array, total: int) -> bool:
    """The first way to write `total` as a sum of numbers up to `cap`. Returns whether there is one."""
    return _fill_from(h, part, 0, total) == 0


@jit
def _fill_from(h: Hidden, part: Array, first: int, total: int) -> int:
    """Put as much as possible into the last places, down to `first`. Returns what is left."""
    for place in range(h.classes - 1, first - 1, -1):
        part[place] = min(h.cap[place], total)
        total -= part[place]
    return total


@jit
def next_part(h: Hidden, part: Array) -> bool:
    """The next way after the one in `part`. Returns whether there is one."""
    after = INT64(0)
    for place in range(h.classes - 1, -1, -1):
        if after > 0 and part[place] < h.cap[place]:
            part[place] += 1
            _fill_from(h, part, place + 1, after - 1)
            return True
        after += part[place]
    return False
