"""What happened in an episode, worked out when it is read: points, places, moons, queens, tricks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_env.compiled.game import Game
from hearts_env.kernel.records import STATE
from hearts_env.ruleset.limits import KINDS, SEATS

Array = NDArray[Any]
Reader = Callable[[Game, Array], Array]


class Outcome(Mapping[str, Array]):
    """What happened in the last episode that ended in each place of a batch: name -> array with a row per game.

    Arrays are made when they are read, from the records at the end, as they are then: read before the next step what
    belongs to this one. Rows of places where no episode has ended yet mean nothing. In a `MixedEnv` there are 11 seats,
    with 0 for those that a game lacks.

    ``points`` (n, seats): of the last deal (complex in Complex Hearts).
    ``totals`` (n, seats): at the end.
    ``place`` (n, seats): 1 for the best total; seats that share a place have the better number.
    ``shooter`` (n,): who shot the moon in the last deal; -1 if nobody did.
    ``attempted`` (n, seats): whether it tried to in that deal: after some trick it, or its team where teams shoot
    together, had every moon card taken so far, at least half of all of them.
    ``stopped`` (n, seats): whether it tried and neither it nor its partner shot the moon.
    ``queens`` (n, seats): queens of spades taken in that deal.
    ``tricks`` (n, seats): tricks won in that deal.
    ``opponents`` (n, seats), where the environment seats them: their names; "" for the learner's seat.

    An episode that an illegal action ended is reported as it stood.

    >>> import hearts_env as he
    >>> env = he.vector_env("black_lady", 100, deals=1)
    >>> observations, infos = env.reset(seed=7)
    >>> while not env.terminated.any():
    ...     *_, infos = env.step(env.action_masks.argmax(axis=1))
    >>> ended = env.terminated
    >>> infos["outcome"]["tricks"][ended].sum(axis=1).max(), env.outcome["place"].shape
    (np.int64(13), (100, 4))
    """

    def __init__(self, kinds: Sequence[Game], records: Array, games: Array | None = None, names: Any = None) -> None:
        """`games` (n,) says which of `kinds` each of the `records` (n,) is of; all are of the first by default."""
        self._kinds, self._records, self._games, self._names = kinds, records, games, names

    def __iter__(self) -> Iterator[str]:
        yield from READERS
        if self._names is not None:
            yield "opponents"

    def __len__(self) -> int:
        return len([*self])

    def __getitem__(self, name: str) -> Array:
        if name == "opponents" and self._names is not None:
            return np.array(self._names)
        return read_records(READERS[name], self._kinds, self._records, self._games)

    def __repr__(self) -> str:
        return f"<Outcome of {len(self._records)} games: {', '.join(self)}>"


def read_records(read: Reader, kinds: Sequence[Game], records: Array, games: Array | None) -> Array:
    """What `read` finds in records; where `games` says which of `kinds` each is of, (n, 11 seats, 64 kinds)."""
    if games is None:
        return read(kinds[0], records)
    places = [np.flatnonzero(games == index) for index in range(len(kinds))]
    parts = [read(game, records[rows]) for game, rows in zip(kinds, places, strict=True)]
    found = np.zeros((len(records), *(SEATS, KINDS)[: parts[0].ndim - 1]), np.result_type(*parts))
    for rows, part in zip(places, parts, strict=True):
        room = found[:, *map(slice, part.shape[1:])]
        room[rows] = part
    return found


def outcome_of(game: Game, states: Array, names: Any = None) -> dict[str, Any]:
    """The outcome of the only record of `states`: each array of `Outcome` without its first axis."""
    return {name: array[0] for name, array in Outcome((game,), states, names=names).items()}


def _numbers(game: Game, rows: Array) -> Array:
    re, im = rows[:, : game.seats, 0].astype(np.int64), rows[:, : game.seats, 1]
    return re + 1j * im if game.gaussian else re


def _places(game: Game, records: Array) -> Array:
    from hearts_env.kernel.outcomes import find_places  # imports Numba

    places = np.zeros((len(records), game.seats), np.int64)
    find_places(records, game.table, places)
    return places


def _attempted(game: Game, records: Array) -> Array:
    from hearts_env.kernel.outcomes import find_attempts

    attempted = np.zeros((len(records), game.seats), np.bool_)
    find_attempts(records, game.table, np.zeros(1, STATE), attempted)
    return attempted


def _stopped(game: Game, records: Array) -> Array:
    teams, shooter = np.array(game.teams), records["shooter"]
    shot: Array = (shooter[:, None] >= 0) & (teams == teams[shooter][:, None])
    return _attempted(game, records) & ~shot


def _queens(game: Game, records: Array) -> Array:
    mask = np.uint64(game.mask(["QS"]) if "QS" in game.deck.kinds else 0)
    queens: Array = np.bitwise_count(records["taken"][:, : game.seats] & mask).sum(axis=2, dtype=np.int64)
    return queens


READERS: dict[str, Reader] = {
    "points": lambda game, records: _numbers(game, records["points"]),
    "totals": lambda game, records: _numbers(game, records["totals"]),
    "place": _places,
    "shooter": lambda game, records: records["shooter"].astype(np.int64),
    "attempted": _attempted,
    "stopped": _stopped,
    "queens": _queens,
    "tricks": lambda game, records: records["tricks_won"][:, : game.seats].astype(np.int64),
}
"""What an outcome holds: name -> array with a row per record."""
