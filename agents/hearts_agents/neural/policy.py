"""The network of a policy, and its files on disk.

A policy is saved as two files in a folder: ``policy.safetensors``, and ``policy.json`` for people; see `sealed`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from hearts_agents.neural.forward import ILLEGAL
from hearts_agents.neural.inputs import fingerprint, first_input_size, input_size
from hearts_agents.neural.saved import POLICY, PolicyInfo, check_trained, hidden_names, read_policy
from hearts_agents.neural.sealed import write_network
from hearts_agents.neural.transfer import transfer
from hearts_env.compiled.game import Game, compile_game
from hearts_env.kernel.counts import BLOCKS as COUNTS
from hearts_env.ruleset.model import Rules
from hearts_env.variants.registry import rules as read_rules

try:
    import torch
    from torch import Tensor, nn
except ImportError as error:
    raise ValueError(f"training needs {error.name}; install it with: pip install 'hearts-env[training]'") from None


class Residual(nn.Module):
    """A hidden layer that adds to its input: ``x + relu(linear(norm(x)))``."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm, self.linear = nn.LayerNorm(width), nn.Linear(width, width)

    def forward(self, hidden: Tensor) -> Tensor:
        """(n, width) to (n, width)."""
        return hidden + torch.relu(self.linear(self.norm(hidden)))


def hidden_layers(inputs: int, widths: tuple[int, ...]) -> nn.Sequential:
    """The body of a network: a linear layer with ReLU, then further ones, residual where the width stays the same."""
    layers: list[nn.Module] = []
    for _, before, width, residual in hidden_names(inputs, widths):
        layers += [Residual(width)] if residual else [nn.Linear(before, width), nn.ReLU()]
    return nn.Sequential(*layers)


class PolicyNet(nn.Module):
    """A multi-layer perceptron from the input of `network_inputs`, or the observation alone, to one logit per action.

    Attributes:
        inputs: columns of the input; the observation is the first columns of what `network_inputs` returns.
        actions: number of actions.
        hidden: width of each hidden layer; one that is as wide as the layer before is residual.
        own: (counts, kinds) weights of the counts of each kind of card in its logit; None if there are none.
        counted: column of the input where these counts begin: the number of columns of the observation.
    """

    def __init__(
        self, inputs: int, actions: int, hidden: tuple[int, ...] = (256, 256), kinds: int = 0, counted: int = 0
    ) -> None:
        """`kinds`: kinds of card, the first actions, whose logits have a term of their own counts; at first it is 0."""
        super().__init__()
        self.inputs, self.actions, self.hidden, self.counted = inputs, actions, tuple(hidden), counted
        self.body = hidden_layers(inputs, self.hidden)
        self.head = nn.Linear(self.hidden[-1], actions)
        self.own = nn.Parameter(torch.zeros(len(COUNTS), kinds)) if kinds else None

    def forward(self, inputs: Tensor, action_mask: Tensor) -> Tensor:
        """Logits.

        Args:
            inputs: (n, inputs) floats.
            action_mask: (n, actions), 0 where an action is illegal.

        Returns:
            (n, actions) float32; `ILLEGAL` where the mask is 0.
        """
        counts = None
        if self.own is not None:
            counts = inputs[:, self.counted : self.counted + self.own.numel()].view(-1, *self.own.shape)
        return self.logits(self.body(inputs), counts).masked_fill(action_mask == 0, ILLEGAL)

    def logits(self, hidden: Tensor, counts: Tensor | None) -> Tensor:
        """Logits, legal or not, of the last hidden layer and of the counts of each card, (n, counts, kinds)."""
        logits: Tensor = self.head(hidden).float()
        return logits if self.own is None or counts is None else with_own(logits, counts, self.own)


def with_own(logits: Tensor, counts: Tensor, own: Tensor) -> Tensor:
    """Add the weighted counts of each card, (n, counts, kinds), to the logits, (n, actions)."""
    cards = (counts * own).sum(1)
    return torch.cat([logits[:, : cards.shape[1]] + cards, logits[:, cards.shape[1] :]], 1)


def save_policy(
    folder: str | Path,
    net: PolicyNet,
    rules: str | Rules,
    extra: Mapping[str, Any] | None = None,
    *,
    half: bool = False,
    run: Sequence[Mapping[str, Any]] = (),
) -> PolicyInfo:
    """Write a policy to a folder, which is created if it does not exist. Each file is written whole or not at all.

    Args:
        folder: the folder.
        net: the network.
        rules: the rules it was trained on.
        extra: further JSON values for its description.
        half: write weights in half precision, half the size.
        run: how it came to be: JSON values for the key ``run`` of ``policy.json``, which no reader compares.

    Raises:
        ValueError: the network does not fit the rules, its weights are not finite, or the folder cannot be written.
    """
    game = compile_game(read_rules(rules))
    info = PolicyInfo(str(game.rules), fingerprint(game), net.inputs, net.actions, net.hidden, dict(extra or {}))
    check_trained(info, game, f"the network to save in {folder}")
    write_network(folder, POLICY, asdict(info), arrays_of(net, half=half), run)
    return info


def load_policy(folder: str | Path) -> tuple[PolicyNet, PolicyInfo]:
    """Read a policy that `save_policy` wrote. If it reads counts, those that were added since have weights of 0.

    Raises:
        ValueError: a file is missing, damaged or of another kind; the message names the file and the defect.
    """
    weights, info = read_policy(folder)
    game = compile_game(read_rules(info.rules))
    if first_input_size(game) <= info.inputs < input_size(game):
        weights, info = transfer(weights, game, game), replace(info, inputs=input_size(game))
    return policy_of(weights, info.hidden, game), info


def policy_of(weights: Mapping[str, NDArray[Any]], hidden: tuple[int, ...], game: Game) -> PolicyNet:
    """The network that has these weights of a game, which are not copied, and hidden layers of these widths."""
    inputs, actions = weights["body.0.weight"].shape[1], weights["head.weight"].shape[0]
    kinds = weights["own"].shape[1] if "own" in weights else 0
    with torch.device("meta"):
        net = PolicyNet(inputs, actions, hidden, kinds, int(game.tables["obs_size"]))
    net.load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()}, assign=True)
    return net.eval()


def arrays_of(net: nn.Module, *, half: bool = False) -> dict[str, NDArray[Any]]:
    """The weights of a network by name, as they are saved."""
    kind = torch.float16 if half else torch.float32
    return {name: value.detach().to(kind).numpy(force=True) for name, value in net.state_dict().items()}
