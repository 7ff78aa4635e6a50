"""Seatings: the line-ups in which every deal is replayed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import combinations, permutations, product

SEATINGS = ("one-vs-rest", "two-vs-two", "all", "round-robin", "ladder")
MOST = 5040
"""The most line-ups."""


@dataclass(frozen=True)
class Seating:
    """One line-up.

    Attributes:
        lineup: index of the agent in each seat.
        counted: the seats whose results count for the agent that sits there.
        rivals: for each counted seat, the index of the agent it is measured against; None if the table seats more
            than two agents.
    """

    lineup: tuple[int, ...]
    counted: tuple[int, ...]
    rivals: tuple[int | None, ...]


def make_seatings(kind: str, agents: int, teams: Sequence[int]) -> tuple[Seating, ...]:
    """The line-ups of a kind of seating; in each kind every agent is measured in every seat equally often.

    ``one-vs-rest``
        With one agent per seat: the order given, in every rotation, and every seat counts. Otherwise every ordered pair
        of agents, one seat against all others, in every rotation; only the lone seat counts.
    ``two-vs-two``
        Four seats: every pair of agents, two seats each, in all six placements; every seat counts.
    ``all``
        With one agent per seat: every order in which they can sit. Otherwise every pair of agents in every assignment
        of seats in which both play: 2**seats - 2, for four seats the fourteen mixed seatings of the literature. Every
        seat counts.
    ``round-robin``
        Every ordered pair of agents, one seat against all others, in every rotation, whatever the number of agents.
    ``ladder``
        Every other agent, one seat against the last agent in all others, in every rotation; only the lone seat counts.
        The last agent also plays one table with itself, where every seat counts: its margin is 0, its points are the
        scale of the ladder.

    A single agent is measured against itself. A team is one side: an agent that plays for it sits in all its seats.

    Args:
        kind: one of `SEATINGS`.
        agents: number of agents, 1 or more.
        teams: number of the team of every seat; all different where there are no partners.

    Raises:
        ValueError: an unknown kind, no agents, a kind that the number of seats does not allow, or too many line-ups.

    >>> [seating.lineup for seating in make_seatings("one-vs-rest", 2, range(3))]
    [(0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    """
    if kind not in SEATINGS:
        close = get_close_matches(kind, SEATINGS, n=1, cutoff=0)[0]
        raise ValueError(f"seatings={kind!r} is not one of {', '.join(SEATINGS)}; the closest is {close}")
    if agents < 1:
        raise ValueError("the arena needs at least one agent")
    sides = len(set(teams))
    if kind == "two-vs-two" and sides != 4:
        raise ValueError(f"two-vs-two needs four seats without partners, not {sides}; choose one-vs-rest or all")
    if kind == "one-vs-rest":
        found = _rotations(sides) if agents == sides else _alone(_ordered_pairs(agents), sides)
    elif kind == "round-robin":
        found = _alone(_ordered_pairs(agents), sides)
    elif kind == "ladder":
        found = _ladder(agents, sides)
    elif kind == "two-vs-two":
        found = _mixed(agents, sides, 2)
    else:
        found = _orders(sides) if agents == sides else _mixed(agents, sides, None)
    return _limited((_seated(seating, teams) for seating in found), kind)


def _seated(seating: Seating, teams: Sequence[int]) -> Seating:
    """The line-up of seats for a line-up of teams."""
    rival = dict(zip(seating.counted, seating.rivals, strict=True))
    counted = tuple(seat for seat, team in enumerate(teams) if team in rival)
    return Seating(
        tuple(seating.lineup[team] for team in teams), counted, tuple(rival[teams[seat]] for seat in counted)
    )


def _limited(found: Iterable[Seating], kind: str) -> tuple[Seating, ...]:
    seatings: list[Seating] = []
    for seating in found:
        seatings.append(seating)
        if len(seatings) > MOST:
            raise ValueError(f"seatings={kind} would play each deal more than {MOST} times; choose one-vs-rest")
    return tuple(seatings)


def _rotations(seats: int) -> Iterator[Seating]:
    for shift in range(seats):
        yield _together(tuple((seat + shift) % seats for seat in range(seats)))


def _orders(seats: int) -> Iterator[Seating]:
    for lineup in permutations(range(seats)):
        yield _together(lineup)


def _together(lineup: tuple[int, ...]) -> Seating:
    """A line-up with one agent per seat, or per team; of only two agents, each is the other's rival."""
    rivals = lineup[::-1] if len(lineup) == 2 else (None,) * len(lineup)
    return Seating(lineup, tuple(range(len(lineup))), rivals)


def _ordered_pairs(agents: int) -> Sequence[tuple[int, int]]:
    return [(one, other) for one, other in permutations(range(agents), 2)] or [(0, 0)]


def _alone(pairs: Sequence[tuple[int, int]], seats: int) -> Iterator[Seating]:
    for one, rest in pairs:
        for seat in range(seats):
            yield Seating(tuple(one if s == seat else rest for s in range(seats)), (seat,), (rest,))


def _ladder(agents: int, seats: int) -> Iterator[Seating]:
    last = agents - 1
    yield from _alone([(agent, last) for agent in range(last)], seats)
    yield Seating((last,) * seats, tuple(range(seats)), (last,) * seats)  # a rotation of it would be the same table


def _mixed(agents: int, seats: int, first_count: int | None) -> Iterator[Seating]:
    pairs = list(combinations(range(agents), 2)) or [(0, 0)]
    for pair in pairs:
        for picks in product((0, 1), repeat=seats):
            if 0 < sum(picks) < seats and first_count in (None, sum(picks)):
                rivals = tuple(pair[1 - pick] for pick in picks)
                yield Seating(tuple(pair[pick] for pick in picks), tuple(range(seats)), rivals)
