"""Whether `SparseRows` pays: training end to end with it, with PyTorch's embedding_bag and with dense observations.

``python training/lab/first_layer.py`` prints the cost of training with each, relative to `SparseRows`.
"""

from __future__ import annotations

import statistics
import time
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from hearts_agents.neural import network_inputs
from hearts_env.envs.vector import VectorEnv
from hearts_env.play.view import Views
from hearts_training.train.config import PPOConfig
from hearts_training.train.ppo import PPO
from hearts_training.train.sparse import SparseRows

DEALS, REPEATS, THREADS = 3_000, 5, 2


class BagRows(SparseRows):
    """Sparse rows multiplied by `torch.nn.functional.embedding_bag`."""

    def product(self, layer: nn.Module, rows: Tensor) -> Tensor:
        """The output of a linear layer for some rows, (n, outputs)."""
        assert isinstance(layer, nn.Linear)
        counts = (self.observed if layer.in_features == self.input_size else self.counts)[rows]
        used = torch.arange(self.columns.shape[1], device=self.device) < counts[:, None]
        columns, values = self.columns[rows][used].int(), self.values[rows][used]
        offsets = (counts.cumsum(0) - counts).int()
        with torch.autocast(self.device.type, enabled=False):
            bag = nn.functional.embedding_bag(columns, layer.weight.t(), offsets, mode="sum", per_sample_weights=values)
            return bag + layer.bias


class DenseRows(SparseRows):
    """Dense rows in bfloat16, multiplied in the precision of the other layers."""

    dtype = torch.bfloat16

    def __init__(self, env: VectorEnv, rows: int, device: torch.device) -> None:
        super().__init__(env, rows, device)
        self.dense = torch.empty((rows, self.width), dtype=self.dtype, device=device)

    @property
    def tensors(self) -> dict[str, Tensor]:
        """The one tensor, by name."""
        return {"dense": self.dense}

    def write(self, new: slice, env: VectorEnv, games: NDArray[np.int64]) -> None:
        """Fill rows `new` with the inputs of the seats to act in some games and the hands hidden from them."""
        views = Views(env.game, env.states[games], check=False)
        self.dense[new, : self.input_size] = torch.from_numpy(network_inputs(views)[0])
        self.dense[new, self.input_size :] = torch.from_numpy(env.hidden()[games])

    def product(self, layer: nn.Module, rows: Tensor) -> Tensor:
        """The output of a linear layer for some rows, (n, outputs)."""
        assert isinstance(layer, nn.Linear)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.dtype == torch.bfloat16):
            return nn.functional.linear(self.dense[rows][:, : layer.in_features], layer.weight, layer.bias)


class DenseFloatRows(DenseRows):
    """Dense rows in float32, the precision of `SparseRows`."""

    dtype = torch.float32


def learner(kind: type[SparseRows], config: PPOConfig | None = None, seed: int = 0) -> PPO:
    """A learner of `black_lady` whose experience is stored in rows of some kind."""
    config = config or PPOConfig()
    ppo = PPO(VectorEnv("black_lady", config.num_envs, threads=THREADS, reward="relative"), config, seed=seed)
    rows = len(ppo.experience.inputs)
    ppo.experience.inputs = kind(ppo.env, rows, ppo.device)
    return ppo


def run(kind: type[SparseRows], deals: int) -> tuple[float, float]:
    """Train for some deals. Returns seconds and CPU seconds; the latter vary less on a shared machine."""
    ppo = learner(kind)
    start, cpu = time.perf_counter(), time.process_time()
    for _ in ppo.learn(lambda: ppo.deals / deals):
        pass
    return time.perf_counter() - start, time.process_time() - cpu


def main() -> None:
    """Run all kinds in turn, after a warm-up, and print the medians."""
    torch.set_num_threads(THREADS)
    kinds: dict[type[SparseRows], list[Any]] = {SparseRows: [], BagRows: [], DenseFloatRows: [], DenseRows: []}
    for kind in kinds:
        run(kind, 1)
    for _ in range(REPEATS):
        for kind, times in kinds.items():
            times.append(run(kind, DEALS))
    for kind, times in kinds.items():
        ratios = [statistics.median(column) for column in zip(*(np.divide(times, kinds[SparseRows])), strict=True)]
        print(f"{kind.__name__}: {ratios[0]:.2f} times the time of SparseRows, {ratios[1]:.2f} times its CPU time")


if __name__ == "__main__":
    main()
