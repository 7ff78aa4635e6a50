"""Policy and critic as the learner uses them: those of one game, or those that are made from the rules of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from hearts_agents.base import Agent
from hearts_agents.neural import PolicyNet, network_inputs, save_policy
from hearts_agents.neural.inputs import input_size
from hearts_agents.neural.policy import arrays_of, hidden_layers, load_policy, policy_of
from hearts_agents.neural.rulesnet import Layers, RulesNet, described, load_general, save_general
from hearts_agents.neural.saved import check_trained, is_general
from hearts_agents.neural.transfer import transfer
from hearts_env.compiled.game import Game, compile_game
from hearts_env.seat.view import Views
from hearts_env.variants.registry import rules as read_rules
from hearts_training.optimisers import DivergedError, autocast
from hearts_training.provenance import Provenance
from hearts_training.train.config import Config
from hearts_training.train.memory import hidden_size
from hearts_training.train.sparse import SparseRows, by_column

Floats = NDArray[np.float32]


class Heads(NamedTuple):
    """The networks in one game, as functions of rows of the decisions that are stored in it."""

    logits: Callable[[Tensor], Tensor]
    """(n, actions) float32, legal or not."""
    values: Callable[[Tensor], Tensor]
    """(n,) float32: the return that a critic expects who sees all hands."""


class Player(Agent):
    """A policy that is being trained, as an agent."""

    name = "policy"

    def __init__(self, logits: Callable[[Views], Floats]) -> None:
        """`logits` are (n, actions) of some views."""
        self._logits = logits

    def act_batch(self, views: Views) -> NDArray[np.int64]:
        """The most probable action in every view. Raises DivergedError for logits that are not finite."""
        logits = self._logits(views)
        if not np.isfinite(logits).all():
            raise DivergedError("training diverged: the policy's logits are not finite")
        actions: NDArray[np.int64] = logits.argmax(1)
        return actions


def policy_logits(policy: PolicyNet, inputs: SparseRows, rows: Tensor) -> Tensor:
    """The logits of a policy for one game in some stored decisions, (n, actions) float32."""
    counts = None if policy.own is None else inputs.card_counts(rows)
    return policy.logits(policy.body[1:](inputs.product(policy.body[0], rows)), counts)


class GameNets:
    """The networks of one game: multi-layer perceptrons."""

    def __init__(self, game: Game, config: Config, device: torch.device, *, own: bool = False) -> None:
        """Initialise them; `own` adds a term of each card's own counts to its logit."""
        self.game, inputs, kinds = game, input_size(game), len(game.deck.kinds)
        counted = int(game.tables["obs_size"])
        self.policy = PolicyNet(inputs, len(game.actions), config.hidden, kinds if own else 0, counted)
        widths = config.critic_hidden
        body = hidden_layers(inputs + hidden_size(game), widths)
        self.critic = nn.Sequential(*body, nn.Linear(widths[-1], 1))
        for net in (self.policy, self.critic):
            initialise(net)
            net.to(device)
        self._precision = partial(autocast, device.type, enabled=config.bfloat16)

    def heads(self, games: Sequence[tuple[Game, SparseRows]]) -> list[Heads]:
        """The networks, given the inputs that are stored in their game."""
        return [Heads(partial(self._logits, inputs), partial(self._values, inputs)) for _, inputs in games]

    def _logits(self, inputs: SparseRows, rows: Tensor) -> Tensor:
        with self._precision():
            return policy_logits(self.policy, inputs, rows)

    def _values(self, inputs: SparseRows, rows: Tensor) -> Tensor:
        with self._precision():
            found: Tensor = self.critic[1:](inputs.product(self.critic[0], rows)).float().squeeze(1)
        return found

    def player(self, policy: nn.Module) -> Agent:
        """`policy`, which is this one or a copy of it, as an agent that plays until it learns more."""
        device = next(policy.parameters()).device

        def logits(views: Views) -> Floats:
            inputs, masks = (torch.from_numpy(rows).to(device) for rows in network_inputs(views))
            with torch.inference_mode():
                found: Floats = policy(inputs, masks).cpu().numpy()
            return found

        return Player(logits)

    def save(self, folder: Path, policy: nn.Module, deals: int, run: Sequence[Provenance]) -> None:
        """Write `policy`, which is this one or a copy of it, as an agent; `run` is how it came to be."""
        assert isinstance(policy, PolicyNet)
        save_policy(folder, policy, self.game.rules, {"deals": deals}, run=run)


def initialise(net: nn.Module) -> None:
    """Orthogonal weights, zero biases, a last layer that is nearly uniform or zero."""
    layers = [layer for layer in net.modules() if isinstance(layer, nn.Linear)]
    for layer in layers:
        nn.init.orthogonal_(layer.weight, 0.01 if layer is layers[-1] else 2**0.5)
        nn.init.zeros_(layer.bias)
    by_column(layers[0])


class ManyNets:
    """The networks of all games, whose first and last layers are made from the rules."""

    def __init__(self, config: Config, device: torch.device, code: int) -> None:
        """Initialise them; `code` is the size of the codes."""
        assert config.many is not None
        self._many, self._device = config.many, device
        sizes = config.many.width, config.many.depth, code
        self.policy, self.critic = RulesNet(*sizes).to(device), RulesNet(*sizes, critic=True).to(device)
        self._precision = partial(autocast, device.type, enabled=config.bfloat16)

    def heads(self, games: Sequence[tuple[Game, SparseRows]]) -> list[Heads]:
        """The networks in some games, given the inputs that are stored in each. Their layers are made together."""
        read = [described(game, self._many.told, self._device) for game, _ in games]
        made = zip(games, self.policy.layers(read), self.critic.layers(read), strict=True)
        return [
            Heads(partial(self._logits, inputs, policy), partial(self._values, inputs, critic))
            for (_, inputs), policy, critic in made
        ]

    def _logits(self, inputs: SparseRows, layers: Layers, rows: Tensor) -> Tensor:
        product = inputs.weigh(layers.first.t(), layers.bias, rows)
        with self._precision():
            return self.policy.outputs(layers, product, inputs.card_counts(rows))

    def _values(self, inputs: SparseRows, layers: Layers, rows: Tensor) -> Tensor:
        product = inputs.weigh(layers.first.t(), layers.bias, rows)
        with self._precision():
            return self.critic.outputs(layers, product).squeeze(1)

    def player(self, policy: nn.Module) -> Agent:
        """`policy`, which is this one or a copy of it, as an agent that plays until it learns more."""
        assert isinstance(policy, RulesNet)
        network = cache(policy.network)
        return Player(lambda views: network(views.game, self._many.told).logits(*network_inputs(views)))

    def save(self, folder: Path, policy: nn.Module, deals: int, run: Sequence[Provenance]) -> None:
        """Write `policy`, which is this one or a copy of it, as an agent; `run` is how it came to be."""
        assert isinstance(policy, RulesNet)
        told = {"told": self._many.told} if self._many.told else {}
        save_general(folder, policy, {"deals": deals, "variants": self._many.variants, **told}, run=run)


Networks = GameNets | ManyNets
"""A policy and a critic, and what they are in each game."""


def policy_in(folder: Path, game: Game, where: str) -> PolicyNet:
    """The policy in a folder; of a network for all rules, its layers of a game; of one of another game, what both games
    see and do. Raises ValueError, naming `where`, if it cannot be read.
    """
    if is_general(folder):
        net, general = load_general(folder)
        return net.policy(game, general.extra.get("told", ""))
    policy, info = load_policy(folder)
    trained_on = compile_game(read_rules(info.rules))
    check_trained(info, trained_on, where)
    if trained_on.rules == game.rules or policy.inputs != input_size(trained_on):
        return policy
    return policy_of(transfer(arrays_of(policy), trained_on, game), policy.hidden, game)
