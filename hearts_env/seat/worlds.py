"""Determinization: worlds, full deals that agree with what a seat may know, for search, inference and analysis.

Worlds are drawn from the information set of the seat. Every deal of the hidden cards that agrees with the view is
equally likely: with the voids that the seats have shown and all else that the cards played imply under the rules, with
the cards that this seat passed, with cards shown, and with the seat that had to lead. Identical cards of two packs are
different cards, as in dealing. The cards that the other seats passed are unknown; they are drawn among the cards that
may have been passed, so that each world is a whole deal.

All worlds have the same weight unless a policy is given. Then they have importance weights: the probability of the
cards that the other seats played, if they follow the policy in that world.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_env.checks import MOST, array_of, number, seed_of, whole, whole_array
from hearts_env.compiled.game import Game
from hearts_env.kernel.records import STATE
from hearts_env.ruleset.syntax import brief
from hearts_env.seat.scratch import scratch_records
from hearts_env.seat.view import View, Views, check_records

Policy = Callable[[Views], NDArray[Any]]
"""Views -> one legal action id per view, (n,), such as `hearts_agents.Agent.act_batch`; or the probabilities of all
actions, (n, actions)."""


@dataclass(frozen=True, repr=False)
class Worlds:
    """Deals that agree with a view.

    Attributes:
        game: the compiled rules.
        records: (n,) `STATE` records at the point of the view, nothing hidden; later deals of a match are random.
        weights: (n,) probability of each, sum 1.
    """

    game: Game
    records: NDArray[Any]
    weights: NDArray[np.float64]

    def __post_init__(self) -> None:
        object.__setattr__(self, "records", check_records(self.game, "records", self.records))
        array_of("weights", self.weights, np.float64, (len(self.records),))

    def __repr__(self) -> str:
        return f"<{len(self)} Worlds of {self.game.rules}>"

    def __len__(self) -> int:
        return len(self.records)

    def hands(self, place: int) -> list[list[str]]:
        """Cards held in one world, per seat, in kind order."""
        place = whole("place", place, 0, len(self) - 1)
        return [self.game.names(planes) for planes in self.records["hands"][place][: self.game.seats]]

    def kitty(self, place: int) -> list[str]:
        """The kitty of one world, in its order."""
        place = whole("place", place, 0, len(self) - 1)
        size = int(self.game.tables["kitty_size"])
        return [self.game.deck.kinds[kind] for kind in self.records["kitty"][place][:size]]


def sample_worlds(
    view: View,
    count: int,
    seed: int = 0,
    *,
    policy: Policy | None = None,
    epsilon: float = 0.1,
    behind: float = math.inf,
) -> Worlds:
    """Draw worlds independently, each possible deal of the hidden cards with the same probability.

    >>> import hearts_env as he
    >>> from hearts_env.seat.worlds import sample_worlds
    >>> match = he.Match("black_lady(cycle=[hold])", seed=7)
    >>> worlds = sample_worlds(match.view(0), 100, seed=1)
    >>> all(worlds.hands(place)[0] == match.hands[0] for place in range(100))
    True
    >>> len({tuple(worlds.hands(place)[1]) for place in range(100)})  # hands of seat 1
    100

    Args:
        view: what a seat may know; any seat at any point of a deal.
        count: number of worlds, 1 to 1,000,000.
        seed: fixes the draws, a whole number from 0 to 2**64 - 1.
        policy: how the other seats are supposed to play; their cards so far then weigh the worlds (see `likelihood`).
        epsilon: the probability that they play any legal card instead, above 0 and up to 1.
        behind: as in `likelihood`; worlds that are given up have weight 0.

    Raises:
        ValueError: a bad argument, or no deal agrees with the view.
    """
    from hearts_env.kernel.deduce.sampling import sample_all

    count, seed = whole("count", count, 1, MOST), seed_of(seed)
    _check_epsilon(epsilon)
    records = np.zeros(count, STATE)
    hidden, scratch = scratch_records()
    word = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]
    found = sample_all(view.record, view.game.tables, view.seat, word, hidden[0], scratch[0], records)
    if found < count:
        raise ValueError("no deal agrees with this view: its cards played, voids and hands contradict each other")
    weights = np.full(count, 1 / count)
    if policy is not None:
        logs = likelihood(view, records, policy, epsilon, behind)
        weights = np.exp(logs - logs.max())
        weights /= weights.sum()
    return Worlds(view.game, records, weights)


def every_deal(view: View, most: int = 2_000) -> list[list[list[str]]]:
    """Every deal of the hidden cards that agrees with a view in play, one by one: the whole information set.

    Identical cards of two packs are different cards, so a deal may come up several times.

    >>> import hearts_env as he
    >>> from hearts_env.seat.worlds import every_deal
    >>> rules = "black_lady(ranks=[Q,K,A], cycle=[hold], players=3)"
    >>> match = he.Match(rules, seed=7)
    >>> for _ in range(6):
    ...     match.play(match.legal()[0])
    >>> deals = every_deal(match.view(match.seat))
    >>> len(deals), deals[0]
    (6, [['KH', 'AH'], ['QS', 'AS'], ['AD', 'KS']])

    Args:
        view: what a seat may know while cards are played.
        most: the largest number of ways to deal the hidden cards, before those that disagree are left out.

    Returns:
        For each deal the cards held, per seat, in kind order.

    Raises:
        ValueError: no cards are being played, or there are more ways to deal than `most`.
    """
    from hearts_env.kernel.deduce.constraints import read_hidden
    from hearts_env.kernel.deduce.sampling import agrees
    from hearts_env.kernel.tricks import add_card

    if view.phase not in ("play", "suit"):
        raise ValueError(f"cards are not being played: phase {view.phase}")
    game, seats, (hidden, scratch) = view.game, view.game.seats, scratch_records()
    h, work, world = hidden[0], scratch[0], view.record.copy()
    work["hands"] = view.record["hands"]
    read_hidden(view.record, game.tables, view.seat, h, work)
    cards = [kind for kind in range(len(game.deck.kinds)) for _ in range(h["unplaced"][kind])]
    room = [int(number) for number in h["capacity"][: seats + 1]]
    ways = math.factorial(len(cards)) // math.prod(map(math.factorial, room))
    if ways > most:
        raise ValueError(f"there are {ways} ways to deal the hidden cards, more than most={most}")
    deals, known = [], h["known"][:seats].copy()
    known[view.seat] = view.record["hands"][view.seat]
    for holders in ways_to_deal(cards, room, [*map(int, h["forbidden"][:seats]), 0]):
        world["hands"][:seats] = known
        for kind, holder in zip(cards, holders, strict=True):
            if holder < seats:
                add_card(world["hands"], holder, kind)
        if agrees(view.record, game.tables, view.seat, world, work):
            deals.append([game.names(planes) for planes in world["hands"][:seats]])
    return deals


def ways_to_deal(kinds: Sequence[int], room: list[int], forbidden: Sequence[int]) -> Iterator[list[int]]:
    """Every way to deal cards to holders: the holder of each card, which has room and no such bit in `forbidden`."""
    if not kinds:
        yield []
        return
    for holder, barred in enumerate(forbidden):
        if room[holder] and not barred >> kinds[0] & 1:
            room[holder] -= 1
            for rest in ways_to_deal(kinds[1:], room, forbidden):
                yield [holder, *rest]
            room[holder] += 1


def likelihood(
    view: View, worlds: NDArray[Any], policy: Policy, epsilon: float = 0.1, behind: float = math.inf
) -> NDArray[np.float64]:
    """Logarithm of the probability, in each world, of the cards that the other seats played in this deal.

    A seat is supposed to do what the policy does with its hand, but with probability `epsilon` to play any legal card.

    Args:
        view: the view.
        worlds: (n,) `STATE` records that agree with it.
        policy: called once per card played, with the views of the worlds in which the seat had a choice.
        epsilon: above 0 and up to 1.
        behind: worlds whose logarithm is so far below the best, after any card, are given up: they get -inf. 0 or more.

    Returns:
        (n,) logarithms.

    Raises:
        ValueError: a bad argument, or a policy that answers with neither actions nor probabilities.
    """
    from hearts_env.kernel.batch import take_views
    from hearts_env.kernel.deduce.sampling import count_legal, replay_all, rewind_all

    _check_epsilon(epsilon)
    if not behind >= 0:
        raise ValueError(f"behind={brief(behind)} must be at least 0; math.inf gives up no world")
    worlds = check_records(view.game, "worlds", worlds)
    t, logs = view.game.tables, np.zeros(len(worlds))
    tables, views = worlds.copy(), np.zeros(len(worlds), STATE)
    rewind_all(view.record, t, tables)
    places = np.arange(len(worlds))  # of those that are not given up
    for ply in range(int(view.record["plies"])):
        seat, kind = int(view.record["history_seat"][ply]), int(view.record["history"][ply])
        tables["seat"] = seat
        if seat != view.seat:
            legal = np.zeros(len(tables), np.int64)
            count_legal(tables, t, legal)
            free = np.flatnonzero(legal > 1)
            if free.size:
                take_views(tables, view.game.table, free, views[: free.size])
                share = _share(policy, Views(view.game, views[: free.size], check=False), kind)
                logs[places[free]] += np.log(epsilon / legal[free] + (1 - epsilon) * share)
                kept = logs[places] >= logs[places].max() - behind
                if not kept.all():
                    logs[places[~kept]] = -math.inf
                    places, tables = places[kept], tables[kept]
        replay_all(view.record, t, tables, ply)
    return logs


def _share(policy: Policy, views: Views, kind: int) -> NDArray[np.float64]:
    """(n,) the probability with which a policy plays a kind of card in every view."""
    answers = np.asarray(policy(views))
    if answers.ndim == 2:
        shares = array_of("the policy's probabilities", answers, np.float64, (len(views), len(views.game.actions)))
        found: NDArray[np.float64] = shares[:, kind]
        return found
    chosen = whole_array("the policy's actions", answers, (len(views),))
    return np.where(chosen == kind, 1.0, 0.0)


def _check_epsilon(epsilon: float) -> None:
    if not 0 < number("epsilon", epsilon) <= 1:
        raise ValueError(f"epsilon={brief(epsilon)} must be above 0 and at most 1")
