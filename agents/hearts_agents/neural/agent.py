"""The agent that plays by a network."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from hearts_agents.base import Agent
from hearts_agents.neural.general import GENERAL, GeneralInfo, load_general
from hearts_agents.neural.inputs import network_inputs
from hearts_agents.neural.policy import PolicyInfo, PolicyNet, check_fit, digest_of, load_policy
from hearts_agents.neural.rulesnet import RulesNet
from hearts_agents.weights import folder_of
from hearts_env.checks import number
from hearts_env.compiled.game import Game
from hearts_env.play.view import View, Views

BATCH = 8192
"""The most views that pass through the network at once."""
GAMES = 16
"""Games whose layers a network for all rules keeps."""


class NetAgent(Agent):
    """Plays by a saved network.

    Attributes:
        info: the description of the network: for one game, or for all.
        temperature: 0 plays the most probable action; above 0, actions are sampled with the logits divided by it.
    """

    def __init__(self, folder: str | Path, temperature: float = 0.0, threads: int = 1) -> None:
        """Load a network.

        Args:
            folder: a folder that `save_policy` or `save_general` wrote, or the name of a network that comes with the
                suite.
            temperature: 0 or more.
            threads: number of torch's threads while it acts.

        Raises:
            ValueError: bad files or a negative temperature.
        """
        if number("temperature", temperature) < 0:
            raise ValueError(f"temperature={temperature} must be 0 or more")
        path = folder_of(folder)
        self._net: PolicyNet | RulesNet
        self.info: PolicyInfo | GeneralInfo
        self._net, self.info = load_general(path) if (path / GENERAL.description).is_file() else load_policy(path)
        self._made: dict[Game, PolicyNet] = {}
        self.name, self.temperature, self._threads = f"net:{folder}", temperature, threads
        self.digest = digest_of(self._net)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Restart the samples of a temperature above 0 from a seed."""
        self._seed = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]

    def act_batch(self, views: Views) -> NDArray[np.int64]:
        """One action per view, shape (n,). Raises ValueError if the network does not fit the game."""
        net = self.network(views.game)
        draws = self._draws(views) if self.temperature else None
        actions = np.empty(len(views), np.int64)
        with _threads(self._threads), torch.inference_mode():
            for first in range(0, len(views), BATCH):
                part = slice(first, first + BATCH)
                rows, masks = network_inputs(Views(views.game, views.records[part], check=False))
                logits = _logits(net, rows, masks)
                actions[part] = self._pick(logits, None if draws is None else draws[part]).numpy()
        return actions

    def probabilities(self, view: View) -> dict[str, float]:
        """Legal action -> the probability that the network gives it, the most probable first.

        Raises:
            ValueError: the network does not fit the game, or another seat is to act.
        """
        net = self.network(view.game)
        rows, masks = network_inputs(Views.of(view))
        with _threads(self._threads), torch.inference_mode():
            shares = torch.softmax(_logits(net, rows, masks).double(), 1)[0]
        legal = sorted(view.legal_ids(), key=lambda action: -float(shares[action]))
        return {view.game.actions[action]: float(shares[action]) for action in legal}

    def network(self, game: Game) -> PolicyNet:
        """The network that plays a game. Raises ValueError if there is none."""
        if isinstance(self.info, PolicyInfo):
            check_fit(self.info, game, self.name)
            assert isinstance(self._net, PolicyNet)
            return self._net
        if game not in self._made:
            assert isinstance(self._net, RulesNet)
            while len(self._made) >= GAMES:
                self._made.pop(next(iter(self._made)), None)
            self._made[game] = self._net.policy(game)
        return self._made[game]

    def _pick(self, logits: Tensor, draws: NDArray[np.float64] | None) -> Tensor:
        if draws is None:
            return logits.argmax(1)
        shares = torch.softmax(logits.double() / self.temperature, 1)
        sums = shares.cumsum(1)
        reached = (sums > torch.from_numpy(draws)[:, None] * sums[:, -1:]) & (shares > 0)
        return reached.int().argmax(1)

    def _draws(self, views: Views) -> NDArray[np.float64]:
        from hearts_agents.uniform_kernel import view_words

        words = np.empty(len(views), np.uint64)
        view_words(views.records, self._seed, words)
        return (words >> np.uint64(11)).astype(np.float64) * 2.0**-53


def _logits(net: PolicyNet, rows: NDArray[np.float32], masks: NDArray[np.int8]) -> Tensor:
    logits: Tensor = net(torch.from_numpy(rows[:, : net.inputs]), torch.from_numpy(masks))
    return logits


@contextmanager
def _threads(count: int) -> Iterator[None]:
    before = torch.get_num_threads()
    _set_threads(before, count)
    try:
        yield
    finally:
        _set_threads(count, before)


def _set_threads(current: int, count: int) -> None:
    if current != count:
        torch.set_num_threads(count)
