"""The network of a policy, and its files on disk.

A policy is saved as two files in a folder, ``policy.safetensors`` and ``policy.json``; see `sealed`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from hearts_agents.base import AgentRefused
from hearts_agents.neural.counts import BLOCKS as COUNTS
from hearts_agents.neural.counts import SUITS
from hearts_agents.neural.inputs import fingerprint, input_size
from hearts_agents.neural.sealed import Kind, check_weights, damaged, read_network, write_network
from hearts_agents.weights import shipped
from hearts_env.compiled.game import Game, compile_game
from hearts_env.ruleset.model import Rules
from hearts_env.variants.registry import rules as read_rules

try:
    import torch
    from torch import Tensor, nn
except ImportError as error:
    raise ValueError(f"networks need {error.name}; install it with: pip install 'hearts-env[training]'") from None

FORMAT = "hearts-policy-2"
POLICY = Kind(
    "policy",
    FORMAT,
    "net",
    "hearts train or hearts distil",
    {"rules": str, "fingerprint": str, "inputs": int, "actions": int, "hidden": list, "extra": dict},
)
WEIGHTS_FILE, DESCRIPTION_FILE = POLICY.weights, POLICY.description
ILLEGAL = -1e9


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
    for before, width in pairwise((inputs, *widths)):
        if layers and before == width:
            layers.append(Residual(width))
        else:
            layers += [nn.Linear(before, width), nn.ReLU()]
    return nn.Sequential(*layers)


class PolicyNet(nn.Module):
    """A multi-layer perceptron from the input of `network_inputs`, or the observation alone, to one logit per action.

    Attributes:
        inputs: columns of the input; the observation is the first columns of what `network_inputs` returns.
        actions: number of actions.
        hidden: width of each hidden layer; one that is as wide as the layer before is residual.
        counts: (blocks, kinds) weights of the counts of each card in its own logit; None without them.
    """

    def __init__(self, inputs: int, actions: int, hidden: tuple[int, ...] = (256, 256), *, counted: int = 0) -> None:
        """`counted`: number of kinds of cards whose counts are weighed in their own logits; 0 for none."""
        super().__init__()
        self.inputs, self.actions, self.hidden, self.counted = inputs, actions, tuple(hidden), counted
        self.body = hidden_layers(inputs, self.hidden)
        self.head = nn.Linear(self.hidden[-1], actions)
        self.counts = nn.Parameter(torch.zeros(len(COUNTS), counted)) if counted else None

    def forward(self, inputs: Tensor, action_mask: Tensor) -> Tensor:
        """Logits.

        Args:
            inputs: (n, inputs) floats.
            action_mask: (n, actions), 0 where an action is illegal.

        Returns:
            (n, actions) float32; `ILLEGAL` where the mask is 0.
        """
        logits: Tensor = self.head(self.body(inputs))
        if self.counts is not None:
            first = self.inputs - len(COUNTS) * self.counted - 2 * SUITS
            own = inputs[:, first : self.inputs - 2 * SUITS].unflatten(1, self.counts.shape)
            logits[:, : self.counted] += (own * self.counts).sum(1)
        return logits.float().masked_fill(action_mask == 0, ILLEGAL)


@dataclass(frozen=True)
class PolicyInfo:
    """The description of a saved policy.

    Attributes:
        rules: text of the rules it was trained on.
        fingerprint: of the rules, the columns of the input and the actions; see `inputs.fingerprint`.
        inputs, actions, hidden: the arguments of `PolicyNet`.
        extra: further JSON values, such as the options of the training.
        format: identifies the kind of file.
    """

    rules: str
    fingerprint: str
    inputs: int
    actions: int
    hidden: tuple[int, ...]
    extra: Mapping[str, Any]
    format: str = FORMAT


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
    check_fit(info, game, f"the network to save in {folder}")
    kind = torch.float16 if half else torch.float32
    tensors = {name: value.detach().to(kind) for name, value in net.state_dict().items()}
    write_network(folder, POLICY, asdict(info), tensors, run)
    return info


def load_policy(folder: str | Path) -> tuple[PolicyNet, PolicyInfo]:
    """Read a policy that `save_policy` wrote.

    Raises:
        ValueError: a file is missing, damaged or of another kind; the message names the file and the defect.
    """
    path = Path(folder)
    if not path.is_dir():
        raise ValueError(
            f"there is no folder {folder}; net:DIR needs a folder that {POLICY.writers} wrote, and net:NAME plays by "
            f"{' or '.join(shipped())}"
        )
    info, tensors = read_network(path, POLICY, _read_info)
    with torch.device("meta"):  # no memory before the shapes are known to be those in the file
        net = PolicyNet(info.inputs, info.actions, info.hidden)
    check_weights(path / WEIGHTS_FILE, tensors, net.state_dict())
    net.load_state_dict({name: value.float() for name, value in tensors.items()}, assign=True)
    return net.eval(), info


def _read_info(path: Path, values: Mapping[str, Any]) -> PolicyInfo:
    info = PolicyInfo(**{**values, "hidden": tuple(values["hidden"])})
    try:
        game = compile_game(read_rules(info.rules))
    except (OverflowError, ValueError) as error:
        raise damaged(path, error) from None
    check_fit(info, game, str(path))
    return info


def check_fit(info: PolicyInfo, game: Game, where: str) -> None:
    """Raise ValueError unless a network was trained on a game: on its columns and actions; AgentRefused, which is one,
    if its rules are others.
    """
    if info.rules != str(game.rules):
        raise AgentRefused(f"{where} plays {info.rules}, not {game.rules}")
    if info.fingerprint != fingerprint(game):
        raise ValueError(f"{where} reads the observations of another release; train it again")
    sizes = input_size(game), int(game.tables["obs_size"])
    if info.inputs not in sizes or info.actions != len(game.actions):
        raise ValueError(
            f"{where} has {info.inputs} inputs and {info.actions} actions; {game.rules} needs {sizes[0]}, or "
            f"{sizes[1]} to read the observation alone, and {len(game.actions)}"
        )


def digest_of(net: nn.Module) -> str:
    """16 hexadecimal digits that identify the weights of a network."""
    found = hashlib.sha256()
    for name, value in net.state_dict().items():
        found.update(f"{name} {tuple(value.shape)}".encode())
        found.update(value.cpu().numpy().tobytes())
    return found.hexdigest()[:16]
