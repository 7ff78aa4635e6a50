"""The agent that plays by a network."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hearts_agents.base import AgentRefused, report_unread
from hearts_agents.neural.features import NOTHING
from hearts_agents.neural.forward import Averaged, Floats, Network, network_of
from hearts_agents.neural.general import network_for
from hearts_agents.neural.inputs import first_input_size, network_inputs
from hearts_agents.neural.known import unread, with_all_names
from hearts_agents.neural.saved import (
    GeneralInfo,
    PolicyInfo,
    check_fit,
    digest_of,
    is_general,
    read_general,
    read_policy,
)
from hearts_agents.neural.transfer import transfer as transferred
from hearts_agents.uniform import SeededAgent
from hearts_agents.weights import fits, folder_of
from hearts_env.checks import number
from hearts_env.compiled.game import Game, compile_game
from hearts_env.seat.view import View, Views
from hearts_env.variants.registry import rules

BATCH = 8192
"""The most views whose inputs are in memory at once."""
GAMES = 16
"""Games whose layers are kept."""


class NetAgent(SeededAgent):
    """Plays by a saved network.

    Attributes:
        info: the description of the network: for one game, or for all.
        temperature: 0 plays the most probable action; above 0, actions are sampled with the logits divided by it.
        told: the text that replaces the rules for a network for all rules; empty for the rules themselves.
        transfer: whether a network for one game plays all others.
    """

    _is_single = False

    def __init__(self, folder: str | Path, temperature: float = 0.0, told: str = "", transfer: bool = False) -> None:
        """Load a network.

        Args:
            folder: a folder that `save_policy` or `save_general` wrote, or the name of a network that comes with the
                suite.
            temperature: 0 or more.
            told: for experiments with a network for all rules, the text that replaces the rules: ``nothing``, or other
                rules. One that was trained with ``told=nothing`` receives ``nothing`` by default.
            transfer: let a network for one game play those with other columns and actions, too, by the weights of the
                inputs and actions that both games have (`hearts_agents.neural.transfer`).

        Raises:
            ValueError: bad files, a negative temperature, bad rules, `told` for a network for one game, or a
                transfer of one for all rules.
        """
        super().__init__()
        if number("temperature", temperature) < 0:
            raise ValueError(f"temperature={temperature} must be 0 or more")
        path = folder_of(folder)
        self.info: PolicyInfo | GeneralInfo
        self._weights, self.info = read_general(path) if is_general(path) else read_policy(path)
        self.temperature, self.digest = temperature, digest_of(self._weights)
        if told and isinstance(self.info, PolicyInfo):
            raise ValueError(
                f"net:{folder} plays one game and reads no rules; leave told out, or name a network for all rules"
            )
        if transfer and not isinstance(self.info, PolicyInfo):
            raise ValueError(f"net:{folder} plays every game; leave transfer out, or name a network for one game")
        self.transfer = transfer
        told = told or self.info.extra.get("told", "")
        self.told = told if told in ("", NOTHING) else str(rules(told))
        self._networks: dict[Game, Network | Averaged] = {}
        options = [f"told={self.told}"] * bool(told) + ["transfer=true"] * transfer
        self.name = f"net({', '.join([str(folder), *options])})" if options else f"net:{folder}"
        self.trained_on = ""
        if isinstance(self.info, PolicyInfo):
            self.trained_on = self.info.rules
        else:
            self._weights = with_all_names(self._weights, self.info.names)

    def act_batch(self, views: Views) -> NDArray[np.int64]:
        """One action per view, shape (n,). Raises ValueError if the network does not fit the game."""
        draws = (self._random_words(views.records) >> np.uint64(11)) * 2.0**-53 if self.temperature else None
        actions = np.empty(len(views), np.int64)
        for part, logits in self._logits(views):
            actions[part] = self._pick(logits, None if draws is None else draws[part])
        return actions

    def shares(self, views: Views, temperature: float = 1.0) -> NDArray[np.float64]:
        """The probability that the network gives each action in every view, (n, actions).

        Raises:
            ValueError: the network does not fit the game.
        """
        return np.concatenate([_softmax(logits / temperature) for _, logits in self._logits(views)])

    def _logits(self, views: Views) -> Iterator[tuple[slice, Floats]]:
        """The logits of at most `BATCH` views at a time."""
        net = self.network(views.game)
        for first in range(0, len(views), BATCH):
            part = slice(first, first + BATCH)
            yield part, net.logits(*network_inputs(Views(views.game, views.records[part], check=False)))

    def probabilities(self, view: View) -> dict[str, float]:
        """Legal action -> the probability that the network gives it, the most probable first.

        Raises:
            ValueError: the network does not fit the game, or another seat is to act.
        """
        shares = self.shares(Views.of(view))[0]
        legal = sorted(view.legal_ids(), key=lambda action: -float(shares[action]))
        return {view.game.actions[action]: float(shares[action]) for action in legal}

    def network(self, game: Game) -> Network | Averaged:
        """The network that plays a game. Raises ValueError if there is none."""
        if game not in self._networks:
            while len(self._networks) >= GAMES:
                self._networks.pop(next(iter(self._networks)), None)
            if isinstance(self.info, PolicyInfo):
                self._networks[game] = self._one_game(self.info, game)
            else:
                report_unread([self], game)
                found = network_for(self._weights, game, self.told)
                self._networks[game] = found.networks[0] if self._is_single and isinstance(found, Averaged) else found
        return self._networks[game]

    def single(self) -> NetAgent:
        """The same network without the average over the names of suits that the rules do not distinguish, which is as
        many times quicker. It shares the weights.
        """
        found = copy(self)
        found._is_single, found._networks = True, {}
        return found

    def notice(self, game: Game) -> str:
        """One line on the rules of a game that the network was trained without."""
        missing = [] if isinstance(self.info, PolicyInfo) or self.told else unread(self.info.names, game)
        if not missing:
            return ""
        more = f" and {len(missing) - 3} more" * (len(missing) > 3)
        what = f"{', '.join(missing[:3])}{more}"
        return f"{self.name} was trained without {what}, which {game.rules} uses: it plays as if they were not there"

    def _one_game(self, info: PolicyInfo, game: Game) -> Network:
        if not self.transfer or fits(info.rules, game):
            check_fit(info, game, self.name)
            return network_of(self._weights, info.hidden, int(game.tables["obs_size"]))
        before = compile_game(rules(info.rules))
        if info.inputs < first_input_size(before):
            raise AgentRefused(
                f"{self.name} reads the observation alone; only a network that reads counts plays other games"
            )
        return network_of(transferred(self._weights, before, game), info.hidden, int(game.tables["obs_size"]))

    def _pick(self, logits: Floats, draws: NDArray[np.floating] | None) -> NDArray[np.int64]:
        if draws is None:
            best: NDArray[np.int64] = logits.argmax(1)
            return best
        shares = _softmax(logits / self.temperature)
        sums = shares.cumsum(1)
        reached: NDArray[np.int64] = ((sums > draws[:, None] * sums[:, -1:]) & (shares > 0)).argmax(1)
        return reached


def _softmax(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    powers = np.exp((logits - logits.max(1, keepdims=True)).astype(np.float64))
    shares: NDArray[np.float64] = powers / powers.sum(1, keepdims=True)
    return shares
