"""Read a data set of labelled decisions as batches of tensors.

Nothing that depends on the layout of observations is stored: the deals are replayed, 100,000 decisions in two seconds,
so that a data set outlives changes of the observation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.data import IterableDataset, get_worker_info

from hearts_agents.neural import network_inputs
from hearts_env.compiled.game import Game
from hearts_env.kernel.batch import encode_hidden_all
from hearts_env.seat.view import Views
from hearts_training.data.deals import check_dealt, starts_of
from hearts_training.data.folder import DataSet
from hearts_training.data.label import LABELS
from hearts_training.data.parts import part_number
from hearts_training.data.record import GAMES
from hearts_training.data.recorded import RecordedGames
from hearts_training.data.replay import replay


@dataclass(frozen=True)
class Decisions:
    """Labelled decisions; every tensor has a row per decision.

    Attributes:
        inputs: float32 (n, columns), what networks read: the observation, then the counts
            (`hearts_agents.neural.network_inputs`).
        masks: bool (n, actions), legal actions.
        values: float32 (n, actions), expected margin of the seat after each action in points, lower is better; 0 where
            it is illegal.
        errors: float32 (n, actions), standard errors of the differences from the action of the search's rollout policy.
        hidden: bool (n, (seats - 1) * kinds), the hands that the seat does not see, in relative order.
        choices: int64 (n,), the search's own choice.
    """

    inputs: Tensor
    masks: Tensor
    values: Tensor
    errors: Tensor
    hidden: Tensor
    choices: Tensor

    def __len__(self) -> int:
        return len(self.choices)

    def take(self, rows: Tensor) -> Decisions:
        """Some of the decisions."""
        return Decisions(*(getattr(self, name)[rows] for name in self.__dataclass_fields__))

    @staticmethod
    def join(parts: list[Decisions]) -> Decisions:
        """All decisions of several sets."""
        return Decisions(*(torch.cat([getattr(p, name) for p in parts]) for name in Decisions.__dataclass_fields__))


class LabelledDecisions(DataSet, IterableDataset[Decisions]):
    """A data set that `label` wrote, as batches in random order.

    Attributes:
        batch, seed, mixed: as given.
        passes: how often it has been read; the next pass is in the order of that number.
    """

    kind = LABELS

    def __init__(
        self, folder: str | Path, batch: int = 1024, *, parts: slice = slice(None), mixed: int = 16, seed: int = 0
    ) -> None:
        """Open a data set.

        Args:
            folder: its folder.
            batch: decisions per batch.
            parts: which of its parts to read; keep some for validation.
            mixed: parts that are in memory and shuffled together.
            seed: fixes the order; each pass over the data set has another one.

        Raises:
            ValueError: the folder holds no data set, an empty one, or one of another format.
        """
        super().__init__(folder)
        self.batch, self.seed, self.mixed, self.passes = batch, seed, mixed, 0
        self.files = self.files[parts]

    def batches(self) -> int:
        """About the number of batches of a pass. Every file is checked; raises ValueError if one is broken."""
        return max(1, -(-self.rows() // self.batch))

    def __iter__(self) -> Iterator[Decisions]:
        """The batches of a pass; the workers of a `DataLoader`, if there are several, share the parts."""
        worker = get_worker_info()
        entropy = [self.seed, self.passes]
        if worker is not None:  # a new copy of this object in every pass; torch draws a seed for all of them
            entropy.append(worker.seed - worker.id)
        rng = np.random.default_rng(entropy)
        self.passes += 1
        order = rng.permutation(len(self.files))
        if worker is not None:
            order = order[worker.id :: worker.num_workers]
        for first in range(0, len(order), self.mixed):
            pool = Decisions.join([self.read(place) for place in order[first : first + self.mixed]])
            rows = torch.from_numpy(rng.permutation(len(pool)))
            for start in range(0, len(rows), self.batch):
                yield pool.take(rows[start : start + self.batch])

    def read(self, place: int) -> Decisions:
        """All decisions of one part, in the order of the deals.

        Raises ValueError if the file is broken, or was written by a kernel that deals other cards.
        """
        table = self.table(place)
        with self.fitting(place):
            return decisions_of(self.game, self.description["seed"], part_number(self.files[place]), table)


class PlayedDecisions(LabelledDecisions):
    """A data set that `record` wrote, to imitate: an action that was taken has the value -1, others have 0."""

    kind = GAMES

    def rows(self) -> int:
        """Number of decisions that are not forced."""
        return sum(len(self.read(place)) for place in range(len(self.files)))

    def read(self, place: int) -> Decisions:
        """As in `LabelledDecisions`, without forced decisions."""
        games = RecordedGames(self.folder)
        games.files = self.files
        found = games.replay(place)
        free = np.flatnonzero(found.masks.sum(axis=1) > 1)
        inputs, masks, hidden = _seen(self.game, found.states[free])
        taken = torch.from_numpy(found.actions[free])
        values = -torch.nn.functional.one_hot(taken, masks.shape[1]).float()
        return Decisions(inputs, masks, values, torch.zeros_like(values), hidden, taken)


def _seen(game: Game, states: NDArray[Any]) -> tuple[Tensor, Tensor, Tensor]:
    """Inputs, masks and hidden hands of decisions."""
    inputs, masks = network_inputs(Views(game, states, check=False))
    n, kinds = len(states), len(game.deck.kinds)
    hidden = np.zeros((n, (game.seats - 1) * kinds), np.float32)
    encode_hidden_all(states, game.table, np.zeros(n, np.int64), states["seat"].astype(np.int64), kinds, hidden)
    return torch.from_numpy(inputs), torch.from_numpy(masks != 0), torch.from_numpy(hidden != 0)


def decisions_of(game: Game, seed: int, number: int, table: pa.Table) -> Decisions:
    """The decisions of a part.

    Args:
        game: the compiled rules.
        seed: that of the data set.
        number: that of the part.
        table: its columns, as `label` writes them.

    Raises:
        ValueError: they do not fit each other, or the rules.
    """
    n, deals = table.num_rows, check_dealt(game, seed, number, table)
    _check_rows(game, table)
    first = np.flatnonzero(np.diff(deals, prepend=-1))
    places = np.cumsum(np.diff(deals, prepend=deals[0]) != 0)
    logs = [table["actions"][int(row)].as_py() for row in first]
    played = replay(game, starts_of(game, table.select(["seed", "deal_number"]).take(first)), logs)
    states = played.states[played.offsets[places] + table["step"].to_numpy()]
    inputs, masks, hidden = _seen(game, states)
    values, errors, legal = (_spread(table, name, (n, masks.shape[1])) for name in ("values", "errors", "legal"))
    choices = table["choice"].to_numpy().astype(np.int64)
    if not np.array_equal(legal != 0, masks.numpy()) or not masks.numpy()[np.arange(n), choices].all():
        raise ValueError("its decisions have other legal actions")
    return Decisions(
        inputs,
        masks,
        torch.from_numpy(values),
        torch.from_numpy(errors),
        hidden,
        torch.from_numpy(choices),
    )


def _check_rows(game: Game, table: pa.Table) -> None:
    """Raise ValueError for numbers that are out of range, which compiled code would not notice."""
    logs = table["actions"].combine_chunks()
    lengths = np.array([len(log.as_py()) for log in logs.dictionary])[logs.indices.to_numpy()]
    steps = table["step"].to_numpy()
    if (steps < 0).any() or (steps >= lengths).any():
        raise ValueError("a decision is outside its deal")
    lists = [table[name].combine_chunks() for name in ("legal", "values", "errors", "worlds")]
    if not all(np.array_equal(np.diff(lists[0].offsets), np.diff(column.offsets)) for column in lists[1:]):
        raise ValueError("its lists of legal actions, values, errors and worlds differ in length")
    used = [table["choice"].to_numpy(), lists[0].values.to_numpy()]
    used += [np.frombuffer(log.as_py(), np.uint8) for log in logs.dictionary]
    if max(int(ids.max(initial=0)) for ids in used) >= len(game.actions):
        raise ValueError("an action is not of these rules")


def _spread(table: pa.Table, name: str, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """A list column as rows with an entry per action; for ``legal`` 1 where an action is in the list."""
    lists, legal = (table[column].combine_chunks() for column in (name, "legal"))
    lengths = np.diff(legal.offsets.to_numpy())
    rows = np.repeat(np.arange(shape[0]), lengths)
    spread = np.zeros(shape, np.float32)
    spread[rows, legal.values.to_numpy()] = 1.0 if name == "legal" else lists.values.to_numpy()
    return spread
