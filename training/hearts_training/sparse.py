"""Observations as sparse rows, and first layers that read them: of 681 columns of the classic game some 40 are not 0.

A first layer over such rows takes a tenth of the arithmetic of the dense one. On a processor the products run in
Numba, in float32; on other devices rows are spread out and multiplied as ever. There are gradients for weights, not
for inputs.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from hearts_env.envs.vector import VectorEnv
from hearts_env.kernel.jit import jit

BLOCK = 16


@jit
def append(
    dense: NDArray[np.float32], game: int, start: int, length: int, first: int, columns: Any, values: Any, count: int
) -> int:
    """Append what is not 0 in some columns of a dense row to a sparse one; returns its new length."""
    for column in range(start, start + length):
        value = dense[game, column]
        columns[count] = first + column  # kept only if the count moves on: cheaper than a branch
        values[count] = value
        count += value != 0
    return count


@jit
def compress(
    dense: NDArray[np.float32], games: NDArray[np.int64], first: int, columns: Any, values: Any, counts: Any
) -> None:
    """Append what is not 0 in rows `games` of `dense`, its columns counted from `first`, to sparse rows."""
    whole = dense.shape[1] - dense.shape[1] % BLOCK
    for i in range(games.shape[0]):
        game, count = games[i], counts[i]
        for start in range(0, whole, BLOCK):
            size = np.float32(0)
            for j in range(BLOCK):
                size += abs(dense[game, start + j])
            if size != 0:  # most blocks are empty
                count = append(dense, game, start, BLOCK, first, columns[i], values[i], count)
        counts[i] = append(dense, game, whole, dense.shape[1] - whole, first, columns[i], values[i], count)


@jit
def multiply(rows: NDArray[np.int64], columns: Any, values: Any, counts: Any, weight: Any, bias: Any, out: Any) -> None:
    """Write ``bias + row @ weight`` for some sparse rows; `weight` is (columns, width)."""
    width = weight.shape[1]
    for i in range(rows.shape[0]):
        row = rows[i]
        for j in range(width):
            out[i, j] = bias[j]
        k, count = 0, counts[row]
        while k + 4 <= count:  # four at a time: each turn reads and writes `out` once
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
    """Add the gradient of the weights, (columns, width), given that of the products of some sparse rows."""
    width = gradient.shape[1]
    for i in range(rows.shape[0]):
        row = rows[i]
        for k in range(counts[row]):
            column, value = columns[row, k], values[row, k]
            for j in range(width):
                out[column, j] += value * gradient[i, j]


class SparseRows:
    """Preallocated sparse rows: what a seat sees, followed by what it does not.

    Attributes:
        obs_size: columns of an observation.
        width: the same and those of the hidden hands.
        columns, values: (rows, entries) where and what is not 0; hidden hands have the columns after the observation's.
        seen: (rows,) number of entries of the observation.
        counts: (rows,) number of entries in all.
    """

    def __init__(self, env: VectorEnv, rows: int, device: torch.device) -> None:
        """Allocate."""
        t, self.device = env.game.tables, device
        seats, self.obs_size = env.game.seats, env.observations.shape[1]
        self.hidden_size = (seats - 1) * len(env.game.deck.kinds)
        passed = int(t["option_cards"].max())
        most = 2 * (int(t["deck_size"]) + passed) + seats * (9 + int(t["scoring_count"])) + 16
        entries = min(most, self.obs_size + self.hidden_size) + 1
        self.columns = torch.empty((rows, entries), dtype=torch.int16, device=device)
        self.values = torch.empty((rows, entries), dtype=torch.float32, device=device)
        self.seen = torch.empty(rows, dtype=torch.int32, device=device)
        self.counts = torch.empty(rows, dtype=torch.int32, device=device)
        self.width = self.obs_size + self.hidden_size
        self._hidden = np.empty((env.num_envs, self.hidden_size), np.float32)
        self._threads = torch.get_num_threads() if device.type == "cpu" else 1
        self._pool = ThreadPoolExecutor(self._threads)

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def tensors(self) -> dict[str, Tensor]:
        """The four arrays by name."""
        return {name: getattr(self, name) for name in ("columns", "values", "seen", "counts")}

    def write(self, new: slice, env: VectorEnv, games: NDArray[np.int64]) -> None:
        """Fill rows `new` with what the seats to act in some games see and do not see."""
        if self.device.type == "cpu":
            columns, values, seen, counts = (tensor[new].numpy() for tensor in self.tensors.values())
        else:
            shape = (len(games), self.columns.shape[1])
            columns, values = np.zeros(shape, np.int16), np.zeros(shape, np.float32)
            seen, counts = np.zeros(len(games), np.int32), np.zeros(len(games), np.int32)
        counts[:] = 0
        compress(env.observations, games, 0, columns, values, counts)
        seen[:] = counts
        compress(env.hidden(self._hidden), games, self.obs_size, columns, values, counts)
        if self.device.type != "cpu":
            for tensor, array in zip(self.tensors.values(), (columns, values, seen, counts), strict=True):
                tensor[new] = torch.from_numpy(array).to(self.device)

    def product(self, layer: nn.Module, rows: Tensor) -> Tensor:
        """What a layer gives for some rows, (n, width) float32.

        A layer as wide as the observation does not get to see the rest. Its weights must lie in memory as `by_column`
        puts them.
        """
        assert isinstance(layer, nn.Linear)
        if self.device.type == "cpu":
            found: Tensor = _Product.apply(layer.weight, layer.bias, self, rows)  # type: ignore[no-untyped-call]
            return found
        return nn.functional.linear(self.spread(rows, layer.in_features), layer.weight, layer.bias)

    def spread(self, rows: Tensor, width: int) -> Tensor:
        """Some rows as dense ones of the first `width` columns, (n, width) float32."""
        dense = torch.zeros((len(rows), self.obs_size + self.hidden_size + 1), device=self.device)
        places = torch.arange(self.columns.shape[1], device=self.device)
        unused = places >= self.counts[rows, None]
        columns = self.columns[rows].long().masked_fill(unused, dense.shape[1] - 1)
        return dense.scatter_(1, columns, self.values[rows])[:, :width]

    def _parts(self, size: int) -> list[tuple[int, int]]:
        cuts = np.linspace(0, size, self._threads + 1).astype(int).tolist()
        return list(pairwise(cuts))

    def forward(self, weight: Tensor, bias: Tensor, rows: Tensor) -> Tensor:
        """`multiply` in threads; each takes some of the rows."""
        out = torch.empty((len(rows), len(weight)))
        columns, values, counts = self._arrays(weight)
        names, result, matrix, offset = rows.numpy(), out.numpy(), weight.t().numpy(), bias.numpy()

        def part(cut: tuple[int, int]) -> None:
            here = slice(*cut)
            multiply(names[here], columns, values, counts, matrix, offset, result[here])

        list(self._pool.map(part, self._parts(len(rows))))
        return out

    def backward(self, weight: Tensor, rows: Tensor, gradient: Tensor) -> Tensor:
        """`accumulate` in threads; each takes some of the rows. The gradient lies in memory as the weights do."""
        out = np.zeros((self._threads, weight.shape[1], weight.shape[0]), np.float32)
        columns, values, counts = self._arrays(weight)
        names, given = rows.numpy(), gradient.contiguous().numpy()

        def part(cut: tuple[int, int], result: NDArray[np.float32]) -> None:
            here = slice(*cut)
            accumulate(names[here], columns, values, counts, given[here], result)

        list(self._pool.map(part, self._parts(len(rows)), out))
        return torch.from_numpy(out if len(out) == 1 else out.sum(0, keepdims=True))[0].t()

    def _arrays(self, weight: Tensor) -> tuple[Any, Any, Any]:
        counts = self.seen if weight.shape[1] == self.obs_size else self.counts
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


def by_column(layer: nn.Linear) -> None:
    """Lay a layer's weights out column by column: one input's weights side by side, as sparse rows need them."""
    layer.weight.data = layer.weight.data.t().contiguous().t()
