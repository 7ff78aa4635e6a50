"""Read the games that `hearts record` wrote, and play them again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from hearts_agents.arena.tables import deal_numbers
from hearts_env.compiled.game import compile_game
from hearts_env.play.match import Match
from hearts_env.ruleset.model import Rules
from hearts_env.variants.registry import rules as read_rules
from hearts_training.data.parts import part_files, read_description, read_part
from hearts_training.data.record import GAMES
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

    def match(self, actions: int | None = None) -> Match:
        """The match set to this deal, after its first `actions` actions, or played to its end.

        Raises:
            ValueError: an action is illegal, or the deal ends with other points than were recorded.
        """
        match = Match.from_hands(
            self.rules,
            self.hands,
            deal_number=self.deal_number,
            passing=True,
            dealer=self.dealer,
            seed=self.seed,
            kitty=self.kitty,
            played=self.actions[:actions],
        )
        points = match.log[0].points
        if actions is None and (points is None or tuple(points) != self.points):
            raise ValueError(f"deal {self.deal} ends with points {points} and was recorded with {list(self.points)}")
        return match


class RecordedGames:
    """The games of a data set, in order; an iterable of `RecordedGame`.

    Attributes:
        folder: its folder.
        description: the content of ``games.json``: agents, rules, options.
        game: the compiled rules.
        files: the parts, each of `hearts_training.data.parts.PART` deals.
    """

    def __init__(self, folder: str | Path) -> None:
        """Open a data set. Raises ValueError if the folder holds none, or one of another format."""
        self.folder = Path(folder)
        self.description = read_description(GAMES, self.folder)
        self.game = compile_game(read_rules(self.description["variant"]))
        self.files = part_files(self.folder)

    def __len__(self) -> int:
        return sum(int(pq.read_metadata(file).num_rows) for file in self.files)

    def __iter__(self) -> Iterator[RecordedGame]:
        for place in range(len(self.files)):
            yield from self.games(place)

    def table(self, place: int) -> pa.Table:
        """All columns of one part. Raises ValueError if the file is broken."""
        return read_part(self.files[place])

    def games(self, place: int) -> Iterator[RecordedGame]:
        """The games of one part. Raises ValueError if the file is broken."""
        return map(self._game, self.table(place).to_pylist())

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
        try:
            found = replay(self.game, self._starts(table), table["actions"].to_pylist(), reward=reward, timing=timing)
        except ValueError as error:
            raise ValueError(f"{self.files[place]} does not fit its rules; record again: {error}") from None
        points = np.stack([_rows(table, name) for name in ("points", "points_imaginary")], axis=2)
        if not np.array_equal(points, found.ends["scored"][:, : self.game.seats]):
            raise ValueError(f"{self.files[place]} does not fit its rules; record again: the points differ")
        return found

    def _starts(self, table: pa.Table) -> NDArray[Any]:
        return deal_numbers(self.game, table["seed"].to_numpy(), table["deal_number"].to_numpy().astype(np.int64))


def _rows(table: pa.Table, name: str) -> NDArray[np.int64]:
    return np.array(table[name].to_pylist(), np.int64)
