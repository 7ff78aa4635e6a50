"""Read the games that `hearts record` wrote, and play them again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from hearts_env.compiled.game import Game
from hearts_env.ruleset.model import Rules
from hearts_env.table.match import Match
from hearts_training.data.deals import check_dealt, starts_of
from hearts_training.data.folder import DataSet
from hearts_training.data.given import start_of, starts_given
from hearts_training.data.parts import PART, part_number
from hearts_training.data.record import GAMES, schema
from hearts_training.data.replay import Replay, replay


@dataclass(frozen=True)
class RecordedGame:
    """A deal that was recorded.

    Attributes:
        rules: the rules.
        deal: its number in the data set.
        seed: what fixes the cards.
        deal_number: deals finished before in its match.
        dealer: the seat that dealt.
        agents: spec of the agent in each seat.
        hands: the cards dealt, per seat.
        kitty: the cards left over, in order.
        actions: ids of all actions, in order; `Game.actions` names them.
        seats: who took each action.
        points: points of the deal, per seat; complex numbers in a game of Gaussian integers.
        totals: totals after the deal, per seat.
        totals_before: totals before it, per seat; None for those at the start of a match.
        leader: the seat that was named to lead; None where the rules name it.
        is_set: true if the cards are not those that the seed deals.
    """

    rules: Rules
    deal: int
    seed: int
    deal_number: int
    dealer: int
    agents: tuple[str, ...]
    hands: tuple[tuple[str, ...], ...]
    kitty: tuple[str, ...]
    actions: tuple[int, ...]
    seats: tuple[int, ...]
    points: tuple[int | complex, ...]
    totals: tuple[int | complex, ...]
    totals_before: tuple[int | complex, ...] | None = None
    leader: int | None = None
    is_set: bool = False

    def match(self, actions: int | None = None) -> Match:
        """The match set to this deal, after its first `actions` actions, or played to its end.

        Raises:
            ValueError: an action is illegal, or the deal ends with other points than were recorded.
        """
        match = Match.from_hands(
            self.rules,
            self.hands,
            deal_number=self.deal_number,
            passing=self.leader is None,
            leader=self.leader,
            totals=self.totals_before,
            dealer=self.dealer,
            seed=self.seed,
            kitty=self.kitty,
            played=self.actions[:actions],
        )
        points = match.log[0].points
        if actions is None and (points is None or tuple(points) != self.points):
            raise ValueError(f"deal {self.deal} ends with points {points} and was recorded with {list(self.points)}")
        return match


class RecordedGames(DataSet):
    """The games of a data set, in order; an iterable of `RecordedGame`."""

    kind = GAMES

    def __len__(self) -> int:
        return self.rows()

    @property
    def is_given(self) -> bool:
        """True if files gave the deals."""
        return "from" in self.description

    def __iter__(self) -> Iterator[RecordedGame]:
        for place in range(len(self.files)):
            yield from self.games(place)

    def table(self, place: int) -> pa.Table:
        """All columns of one part. Raises ValueError if the file is broken."""
        table = super().table(place)
        with self.fitting(place):
            seed = None if self.is_given else self.description["seed"]
            check_games(self.game, seed, part_number(self.files[place]), table)
        return table

    def games(self, place: int) -> Iterator[RecordedGame]:
        """The games of one part. Raises ValueError if the file is broken."""
        columns = schema(self.game, observations=False, given=self.is_given)
        return map(self._game, self.table(place).select(columns.names).to_pylist())

    def _game(self, row: dict[str, Any]) -> RecordedGame:
        return RecordedGame(
            self.game.rules,
            row["deal"],
            row["seed"],
            row["deal_number"],
            row["dealer"],
            tuple(row["agents"]),
            tuple(tuple(hand.split()) for hand in row["hands"].split("|")),
            tuple(row["kitty"].split()),
            tuple(row["actions"]),
            tuple(row["seats"]),
            self._numbers(row, "points"),
            self._numbers(row, "totals"),
            self._numbers(row, "totals_before") if self.is_given else None,
            start_of(self.game, row).leader if self.is_given else None,
            row.get("set", False),
        )

    def _numbers(self, row: dict[str, Any], name: str) -> tuple[int | complex, ...]:
        return tuple(self.game.numbers(np.array([row[name], row[f"{name}_imaginary"]]).T))

    def replay(self, place: int, *, reward: str = "points", timing: str = "deal") -> Replay:
        """All decisions of one part, with observations, masks and rewards.

        Args:
            place: which part.
            reward: ``points`` or ``relative``, as in the environments.
            timing: when points are paid, after each ``deal`` or each ``trick``.

        Raises:
            ValueError: the file is broken, or was written by another version of the rules.
        """
        table = self.table(place)
        with self.fitting(place):
            starts = (starts_given if self.is_given else starts_of)(self.game, table)
            logs = table["actions"].to_pylist()
            found = replay(self.game, starts, logs, reward=reward, timing=timing)
            points = np.stack([np.array(table[name].to_pylist()) for name in ("points", "points_imaginary")], axis=2)
            if not np.array_equal(points, found.ends["scored"][:, : self.game.seats]):
                raise ValueError("the points differ")
        return found


def check_games(game: Game, seed: int | None, number: int, table: pa.Table) -> None:
    """Raise ValueError unless a table has a row for every deal of a part, with entries for every seat and action; for
    deals that files give, without a seed, it may have fewer.
    """
    places = table["deal"].to_numpy() - number * PART if seed is None else check_dealt(game, seed, number, table)
    if not np.array_equal(places, np.arange(PART)[: len(places) if seed is None else None]):
        raise ValueError(f"it has not its {PART} deals")
    per_seat = {"points", "points_imaginary", "totals", "totals_imaginary", "totals_before", "totals_before_imaginary"}
    for name in ("agents", *sorted(per_seat & {*table.column_names})):
        if not all(len(row) == game.seats for row in table[name].to_pylist()):
            raise ValueError(f"its column {name} has not an entry for each seat")
    seats, actions = (table[name].to_pylist() for name in ("seats", "actions"))
    if list(map(len, seats)) != list(map(len, actions)):
        raise ValueError("its actions and seats differ in number")
    if max(b"".join(actions), default=0) >= len(game.actions) or max(b"".join(seats), default=0) >= game.seats:
        raise ValueError("an action or a seat is not of these rules")
