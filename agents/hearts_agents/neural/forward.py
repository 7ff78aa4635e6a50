"""The output of a network, without torch: a few rows at a time through all layers, in compiled code.

Inputs that are 0, as most of a row are, cost nothing. A row's logits are the same in every batch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hearts_agents.neural.saved import hidden_names
from hearts_env.kernel.counts import BLOCKS as COUNTS
from hearts_env.kernel.jit import jit

Floats = NDArray[np.float32]
Rows = NDArray[np.int64]
ILLEGAL = -1e9
TOGETHER = 16
"""Rows that pass through a layer together, so that its weights are read once for them."""
EPSILON = 1e-5
"""Of torch's layer normalisation."""


class Layer(NamedTuple):
    """A hidden layer, ``relu(x @ weights + bias)``; a residual one normalises `x` first, and adds its output to `x`.

    Attributes:
        weights: (inputs, outputs).
        bias: (outputs,).
        norm: (2, inputs) scale and shift after the normalisation of a residual layer.
    """

    weights: Floats
    bias: Floats
    norm: Floats | None = None


class Network:
    """A policy for one game.

    Attributes:
        inputs: columns of the input.
        sizes: (layers, 3) inputs and outputs of each layer, and whether it is residual; the last one is the head.
        weights: of all layers, one after the other: weights, bias, scale and shift.
        own: (counts, kinds) weights of each card's counts in its logit; without kinds if there are none.
        counted: column where these counts begin: the number of columns of the observation.
    """

    def __init__(self, body: Sequence[Layer], head: Layer, own: Floats | None = None, counted: int = 0) -> None:
        """`body` are the hidden layers; `head` has an output for each action."""
        layers = (*body, head)
        self.inputs, self.counted = len(layers[0].weights), counted
        self.sizes = np.array([(*layer.weights.shape, layer.norm is not None) for layer in layers], np.int64)
        parts = [part.ravel() for layer in layers for part in layer if part is not None]
        self.weights: Floats = np.concatenate(parts, dtype=np.float32)
        self.own = np.zeros((len(COUNTS), 0), np.float32) if own is None else np.ascontiguousarray(own, np.float32)

    def logits(self, rows: Floats, masks: NDArray[np.int8]) -> Floats:
        """Logits.

        Args:
            rows: (n, columns) inputs; columns beyond `inputs` are not read.
            masks: (n, actions), 0 where an action is illegal.

        Returns:
            (n, actions); `ILLEGAL` where the mask is 0.
        """
        out = np.empty(masks.shape, np.float32)
        pass_through(rows, masks, self.sizes, self.weights, self.own, self.counted, out)
        return out


class Averaged(NamedTuple):
    """Networks for one game; their output is the mean of their logits."""

    networks: Sequence[Network]

    def logits(self, rows: Floats, masks: NDArray[np.int8]) -> Floats:
        """Logits, as of each network."""
        found: Floats = np.mean([network.logits(rows, masks) for network in self.networks], axis=0)
        return found


def network_of(weights: Mapping[str, Floats], hidden: tuple[int, ...], counted: int) -> Network:
    """The network of a saved policy, for a game whose observation has `counted` columns."""
    body = []
    for name, _, _, residual in hidden_names(weights["body.0.weight"].shape[1], hidden):
        line = f"{name}.linear" if residual else name
        norm = np.stack([weights[f"{name}.norm.weight"], weights[f"{name}.norm.bias"]]) if residual else None
        body.append(Layer(weights[f"{line}.weight"].T, weights[f"{line}.bias"], norm))
    return Network(body, Layer(weights["head.weight"].T, weights["head.bias"]), weights.get("own"), counted)


@jit
def pass_through(
    rows: Floats, masks: NDArray[np.int8], sizes: Rows, weights: Floats, own: Floats, counted: int, out: Floats
) -> None:
    """Write the logits of every row into `out`; see `Network`."""
    last, widest = sizes.shape[0] - 1, sizes[:, 1].max()
    hidden = np.empty((TOGETHER, widest), np.float32)
    normal, now = np.empty_like(hidden), np.empty_like(hidden)
    for start in range(0, rows.shape[0], TOGETHER):
        stop = min(start + TOGETHER, rows.shape[0])
        block, place = stop - start, 0
        for layer in range(last + 1):
            n, m = sizes[layer, 0], sizes[layer, 1]
            matrix, bias = weights[place : place + n * m].reshape(n, m), weights[place + n * m : place + n * m + m]
            place += n * m + m
            if layer == 0:
                weigh_few(rows[start:stop], matrix, bias, now)
            elif sizes[layer, 2]:
                normalise(hidden[:block], weights[place : place + 2 * n].reshape(2, n), normal)
                place += 2 * n
                weigh(normal[:block], matrix, bias, now)
            else:
                weigh(hidden[:block], matrix, bias, out[start:stop] if layer == last else now)
            if layer < last:
                add_positive(now[:block], m, sizes[layer, 2], hidden)
    add_counts(rows, counted, own, out)
    for i in range(masks.shape[0]):
        for action in range(masks.shape[1]):
            if not masks[i, action]:
                out[i, action] = np.float32(ILLEGAL)


@jit
def add_counts(rows: Floats, first: int, own: Floats, out: Floats) -> None:
    """Weigh the counts of each card, whose columns begin at `first`, in its logit."""
    blocks, kinds = own.shape
    for i in range(rows.shape[0]):
        for block in range(blocks):
            for kind in range(kinds):
                out[i, kind] += rows[i, first + block * kinds + kind] * own[block, kind]


@jit
def weigh_few(inputs: Floats, matrix: Floats, bias: Floats, out: Floats) -> None:
    """``out = inputs @ matrix + bias`` of some rows, most of whose inputs are 0."""
    for i in range(inputs.shape[0]):
        line = out[i, : bias.shape[0]]
        line[:] = bias
        for j in range(matrix.shape[0]):
            factor = inputs[i, j]
            if factor != 0:
                weights = matrix[j]
                for k in range(line.shape[0]):
                    line[k] += factor * weights[k]


@jit
def weigh(inputs: Floats, matrix: Floats, bias: Floats, out: Floats) -> None:
    """``out = inputs @ matrix + bias`` of some rows, which share every line of the matrix that is read."""
    n, m = matrix.shape
    for i in range(inputs.shape[0]):
        out[i, :m] = bias
    for j in range(0, n - 3, 4):
        a, b, c, d = matrix[j], matrix[j + 1], matrix[j + 2], matrix[j + 3]
        for i in range(inputs.shape[0]):
            by_a, by_b, by_c, by_d = inputs[i, j], inputs[i, j + 1], inputs[i, j + 2], inputs[i, j + 3]
            line = out[i, :m]
            for k in range(m):
                line[k] += by_a * a[k] + by_b * b[k] + by_c * c[k] + by_d * d[k]
    for j in range(n - n % 4, n):
        weights = matrix[j]
        for i in range(inputs.shape[0]):
            line, factor = out[i, :m], inputs[i, j]
            for k in range(m):
                line[k] += factor * weights[k]


@jit
def add_positive(answers: Floats, width: int, residual: int, hidden: Floats) -> None:
    """Apply ReLU; the output of a residual layer is added to its input."""
    for i in range(answers.shape[0]):
        answer, line = answers[i, :width], hidden[i, :width]
        for k in range(width):
            found = max(answer[k], np.float32(0))
            line[k] = line[k] + found if residual else found


@jit
def normalise(inputs: Floats, norm: Floats, out: Floats) -> None:
    """Make mean 0 and variance 1, then apply a scale and a shift, in each row."""
    n = norm.shape[1]
    scale, shift = norm[0], norm[1]
    for i in range(inputs.shape[0]):
        row, line = inputs[i, :n], out[i, :n]
        total = np.float32(0)
        for k in range(n):
            total += row[k]
        mean = total / np.float32(n)
        squares = np.float32(0)
        for k in range(n):
            squares += (row[k] - mean) * (row[k] - mean)
        factor = np.float32(1) / np.sqrt(squares / np.float32(n) + np.float32(EPSILON))
        for k in range(n):
            line[k] = (row[k] - mean) * factor * scale[k] + shift[k]
