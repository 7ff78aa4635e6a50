"""Inputs of networks as sparse rows, and first layers that read them.

About 90 of the 1,010 inputs of Basic Hearts are not 0, so a first layer over sparse rows takes a tenth of the
arithmetic of a dense one. On the CPU the products run in Numba, in float32. On other devices the rows are made
dense and multiplied by `torch.nn.functional.linear`. Gradients are computed for weights, not for inputs.

Training end to end on a CPU took 1.34 times the CPU time of `SparseRows` with `torch.nn.functional.embedding_bag`, 1.45
times with dense rows in float32, and 1.11 times with dense rows in bfloat16, which are less precise.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from hearts_agents.neural.inputs import input_size
from hearts_env.envs.slices import Slices
from hearts_env.envs.vector import VectorEnv
from hearts_env.kernel.bits import INT64
from hearts_env.kernel.blocks import row_of
from hearts_env.kernel.counts import BLOCKS as COUNTS
from hearts_env.kernel.counts import write_counts
from hearts_env.kernel.jit import jit
from hearts_env.kernel.observe import encode_hidden
from hearts_env.kernel.records import Array, Tables
from hearts_training.train.memory import hidden_size, sparse_entries

BLOCK = 16
WRITTEN = 64
"""Rows that a thread writes, at least: fewer take no longer than waking it."""


@jit
def append(
    dense: Any, row: int, start: int, stop: int, first: int, columns: Any, values: Any, i: int, count: int
) -> int:
    """Append the nonzero entries of ``dense[row, start:stop]`` to sparse row `i`, `count` long; returns its length."""
    for column in range(start, stop):
        value = dense[row, column]
        columns[i, count] = first + column  # overwritten by the next column if the value is 0: cheaper than a branch
        values[i, count] = value
        count += value != 0
    return count


@jit
def compress(dense: Any, row: int, first: int, columns: Any, values: Any, i: int, count: int) -> int:
    """`append` for a whole row of `dense`, whose columns are numbered from `first`."""
    whole = dense.shape[1] - dense.shape[1] % BLOCK
    for start in range(0, whole, BLOCK):
        size = np.float32(0)
        for column in range(start, start + BLOCK):
            size += abs(dense[row, column])
        if size != 0:  # most blocks are empty
            count = append(dense, row, start, start + BLOCK, first, columns, values, i, count)
    count = append(dense, row, whole, dense.shape[1], first, columns, values, i, count)
    return count


@jit
def write_rows(states: Array, t: Tables, games: Any, observations: Any, counted: Any, hidden: Any, rows: Any) -> None:
    """Write a sparse row for the seat to act in each of some games; `counted` and `hidden`, of one row, are scratch."""
    (columns, values, observed, counts), hands = rows, hidden[0]
    for i in range(games.shape[0]):
        s, game, first = states[games[i]], games[i], observations.shape[1]
        write_counts(s, t, INT64(s.seat), row_of(counted, 0), INT64(0))
        encode_hidden(s, t, INT64(s.seat), INT64(t.kinds), hands)
        count = compress(observations, game, 0, columns, values, i, 0)
        observed[i] = compress(counted, 0, first, columns, values, i, count)
        counts[i] = compress(hidden, 0, first + counted.shape[1], columns, values, i, observed[i])


@jit
def multiply(rows: NDArray[np.int64], columns: Any, values: Any, counts: Any, weight: Any, bias: Any, out: Any) -> None:
    """Write ``bias + row @ weight`` for some sparse rows; `weight` is (columns, width)."""
    width = weight.shape[1]
    for i in range(rows.shape[0]):
        row = rows[i]
        for j in range(width):
            out[i, j] = bias[j]
        k, count = 0, counts[row]
        while k + 4 <= count:  # four entries at a time, so that `out` is read and written a quarter as often
            a, b, c, d = columns[row, k], columns[row, k + 1], columns[row, k + 2], columns[row, k + 3]
            p, q, r, s = values[row, k], values[row, k + 1], values[row, k + 2], values[row, k + 3]
            for j in range(width):
                out[i, j] += p * weight[a, j] + q * weight[b, j] + r * weight[c, j] + s * weight[d, j]
            k += 4
        while k < count:
            a, p = columns[row, k], values[row, k]
            for j in range(width):
                out[i, j] += p * weight[a, j]
            k += 1


@jit
def accumulate(rows: NDArray[np.int64], columns: Any, values: Any, counts: Any, gradient: Any, out: Any) -> None:
    """Add the gradient of the weights, (columns, width), to `out`, given the gradient of some rows' products."""
    width = gradient.shape[1]
    for i in range(rows.shape[0]):
        row = rows[i]
        for k in range(counts[row]):
            column, value = columns[row, k], values[row, k]
            for j in range(width):
                out[column, j] += value * gradient[i, j]


@jit
def gather(rows: NDArray[np.int64], columns: Any, values: Any, counts: Any, first: int, out: Any) -> None:
    """Write dense columns of some sparse rows, beginning with column `first`, to `out`, (n, columns)."""
    out[:] = 0
    for i in range(rows.shape[0]):
        row = rows[i]
        for entry in range(counts[row]):
            place = columns[row, entry] - first
            if place >= 0 and place < out.shape[1]:
                out[i, place] = values[row, entry]


class SparseRows:
    """Preallocated sparse rows: a seat's input (see `network_inputs`), followed by the hands hidden from it.

    Attributes:
        input_size: columns of the input.
        width: columns of the input and the hidden hands together.
        columns, values: (rows, entries) column numbers and values of the nonzero entries. Hidden hands have the columns
            after the input's.
        observed: (rows,) number of entries that belong to the input.
        counts: (rows,) number of entries in all.
    """

    def __init__(self, env: VectorEnv, rows: int, device: torch.device) -> None:
        """Allocate `rows` rows."""
        self.device, self.input_size = device, input_size(env.game)
        self.hidden_size, entries = hidden_size(env.game), sparse_entries(env.game)
        self.columns = torch.empty((rows, entries), dtype=torch.int16, device=device)
        self.values = torch.empty((rows, entries), dtype=torch.float32, device=device)
        self.observed = torch.empty(rows, dtype=torch.int32, device=device)
        self.counts = torch.empty(rows, dtype=torch.int32, device=device)
        self.width = self.input_size + self.hidden_size
        self._counted = env.observations.shape[1], len(env.game.deck.kinds)
        self._slices = Slices(torch.get_num_threads())

    @property
    def tensors(self) -> dict[str, Tensor]:
        """The four tensors by name."""
        return {name: getattr(self, name) for name in ("columns", "values", "observed", "counts")}

    def write(self, new: slice, env: VectorEnv, games: NDArray[np.int64]) -> None:
        """Fill rows `new` with the inputs of the seats to act in some games and the hands hidden from them."""
        if self.device.type == "cpu":
            columns, values, observed, counts = (tensor[new].numpy() for tensor in self.tensors.values())
        else:
            shape = (len(games), self.columns.shape[1])
            columns, values = np.empty(shape, np.int16), np.empty(shape, np.float32)
            observed, counts = np.empty(len(games), np.int32), np.empty(len(games), np.int32)
        self._slices.each(partial(self._write, env), games, columns, values, observed, counts, fewest=WRITTEN)
        if self.device.type != "cpu":
            for tensor, array in zip(self.tensors.values(), (columns, values, observed, counts), strict=True):
                tensor[new] = torch.from_numpy(array).to(self.device)

    def _write(self, env: VectorEnv, games: NDArray[np.int64], *rows: NDArray[Any]) -> None:
        counted = np.empty((1, self.input_size - env.observations.shape[1]), np.float32)
        hidden = np.empty((1, self.hidden_size), np.float32)
        write_rows(env.states, env.game.tables, games, env.observations, counted, hidden, rows)

    def product(self, layer: nn.Module, rows: Tensor) -> Tensor:
        """The output of a linear layer for some rows, (n, outputs).

        A layer with `input_size` inputs does not read the hidden hands, one with `width` inputs does. Its weights must
        be laid out by `by_column`.
        """
        assert isinstance(layer, nn.Linear)
        return self.weigh(layer.weight, layer.bias, rows)

    def weigh(self, weight: Tensor, bias: Tensor, rows: Tensor) -> Tensor:
        """`product` by weights (outputs, columns), laid out as by `by_column`."""
        if self.device.type != "cpu":
            return nn.functional.linear(self.to_dense(rows, weight.shape[1]), weight, bias)
        found: Tensor = _Product.apply(weight, bias, self, rows)  # type: ignore[no-untyped-call]
        return found

    def to_dense(self, rows: Tensor, width: int) -> Tensor:
        """The first `width` columns of some rows, (n, width) float32."""
        dense = torch.zeros((len(rows), self.input_size + self.hidden_size + 1), device=self.device)
        places = torch.arange(self.columns.shape[1], device=self.device)
        unused = places >= self.counts[rows, None]
        columns = self.columns[rows].long().masked_fill(unused, dense.shape[1] - 1)
        return dense.scatter_(1, columns, self.values[rows])[:, :width]

    def card_counts(self, rows: Tensor) -> Tensor:
        """The counts of each kind of card in some rows, (n, counts, kinds) float32."""
        first, kinds = self._counted
        return self.block(rows, slice(first, first + len(COUNTS) * kinds)).view(-1, len(COUNTS), kinds)

    def block(self, rows: Tensor, block: slice) -> Tensor:
        """Some columns of the input, one after the other, of some rows, (n, columns) float32."""
        if self.device.type != "cpu":
            return self.to_dense(rows, block.stop)[:, block.start :]
        out = np.empty((len(rows), block.stop - block.start), np.float32)
        columns, values, observed = (tensor.numpy() for tensor in (self.columns, self.values, self.observed))
        gather(rows.numpy(), columns, values, observed, block.start, out)
        return torch.from_numpy(out)

    def forward(self, weight: Tensor, bias: Tensor, rows: Tensor) -> Tensor:
        """`multiply`, with the rows divided among threads."""
        out = torch.empty((len(rows), len(weight)))
        columns, values, counts = self._arrays(weight)
        matrix, offset = weight.t().numpy(), bias.numpy()

        def work(numbers: NDArray[np.int64], result: NDArray[np.float32]) -> None:
            multiply(numbers, columns, values, counts, matrix, offset, result)

        self._slices.each(work, rows.numpy(), out.numpy())
        return out

    def backward(self, weight: Tensor, rows: Tensor, gradient: Tensor) -> Tensor:
        """`accumulate`, with the rows divided among threads. The result has the memory layout of the weights."""
        columns, values, counts = self._arrays(weight)

        def work(numbers: NDArray[np.int64], given: NDArray[np.float32]) -> NDArray[np.float32]:
            found = np.zeros((weight.shape[1], weight.shape[0]), np.float32)
            accumulate(numbers, columns, values, counts, given, found)
            return found

        first, *others = self._slices.each(work, rows.numpy(), gradient.contiguous().numpy())
        for other in others:
            first += other
        return torch.from_numpy(first).t()

    def _arrays(self, weight: Tensor) -> tuple[Any, Any, Any]:
        counts = self.observed if weight.shape[1] == self.input_size else self.counts
        return self.columns.numpy(), self.values.numpy(), counts.numpy()


class _Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, weight: Tensor, bias: Tensor, sparse: SparseRows, rows: Tensor) -> Tensor:
        ctx.save_for_backward(weight, rows)
        ctx.sparse = sparse
        return sparse.forward(weight.detach(), bias.detach(), rows)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, None, None]:
        weight, rows = ctx.saved_tensors
        return ctx.sparse.backward(weight, rows, gradient), gradient.sum(0), None, None


def by_column(layer: nn.Module) -> None:
    """Lay out a linear layer's weights column by column: those of one input are then adjacent in memory."""
    assert isinstance(layer, nn.Linear)
    layer.weight.data = layer.weight.data.t().contiguous().t()
