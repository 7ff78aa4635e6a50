"""Agents that were trained with Stable-Baselines3, saved as safetensors and JSON; to play they need torch alone.

`save_sb3` takes the policy of any model without `VecNormalize` and without memory. One with ``"MlpPolicy"`` (PPO, A2C,
MaskablePPO) is then the agent ``sb3:FOLDER``; one with parts of its own is ``py:FOLDER``, for it names their code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from hearts_agents.base import Agent
from hearts_agents.neural.forward import ILLEGAL
from hearts_agents.neural.inputs import fingerprint
from hearts_agents.neural.policy import arrays_of
from hearts_agents.neural.saved import (
    POLICY,
    PolicyInfo,
    check_fit,
    check_trained,
    digest_of,
    linear_shapes,
    policy_info,
)
from hearts_agents.neural.sealed import NetworkFormat, check_weights, damaged, read_network, write_network
from hearts_agents.neural.torch_agent import Inputs, TorchAgent
from hearts_env.compiled.game import Game, compile_game
from hearts_env.ruleset.model import Rules
from hearts_env.seat.shared import SharedLayout
from hearts_env.seat.view import Views
from hearts_env.variants.registry import rules as read_rules

try:
    import torch
    from torch import Tensor, nn
except ImportError as error:
    raise ValueError(f"networks need {error.name}; install it with: pip install 'hearts-env[training]'") from None

if TYPE_CHECKING:
    from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
    from stable_baselines3.common.policies import ActorCriticPolicy, BasePolicy

    ActorCritic = ActorCriticPolicy | MaskableActorCriticPolicy

SB3 = NetworkFormat("sb3", "hearts-sb3-1", "sb3", "save_sb3", {**POLICY.fields, "activation": str})
ACTIVATIONS: Mapping[str, type[nn.Module]] = {kind.__name__: kind for kind in (nn.Tanh, nn.ReLU, nn.ELU, nn.GELU)}


class ActorNet(nn.Module):
    """The actor of Stable-Baselines3's ``MlpPolicy``: from observations (n, inputs) to one logit per action."""

    def __init__(self, inputs: int, actions: int, hidden: tuple[int, ...], activation: str) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        for before, width in pairwise((inputs, *hidden)):
            layers += [nn.Linear(before, width), ACTIVATIONS[activation]()]
        self.body = nn.Sequential(*layers)
        self.head = nn.Linear((inputs, *hidden)[-1], actions)

    def forward(self, observations: Tensor, action_mask: Tensor) -> Tensor:
        """Logits, (n, actions) float32; `ILLEGAL` where the mask is 0."""
        logits: Tensor = self.head(self.body(observations))
        return logits.masked_fill(action_mask == 0, ILLEGAL)


@dataclass(frozen=True)
class Sb3Info(PolicyInfo):
    """The description of a saved actor: that of a policy, with the last argument of `ActorNet`."""

    activation: str


class Sb3Logits(nn.Module):
    """A policy of any kind, from observations (n, columns) to one logit, or one estimated return, per action."""

    def __init__(self, policy: type[Any], columns: int, actions: int, options: Mapping[str, Any]) -> None:
        """`options` are the other arguments of the class of the policy."""
        super().__init__()
        seen = spaces.Box(-np.inf, np.inf, (columns,))
        self.policy = policy(seen, spaces.Discrete(actions), lambda _: 0.0, **options)

    def forward(self, observations: Tensor) -> Tensor:
        """(n, columns) to (n, actions)."""
        if hasattr(self.policy, "q_net"):
            values: Tensor = self.policy.q_net(observations)
            return values
        logits: Tensor = self.policy.get_distribution(observations).distribution.logits
        return logits


def save_sb3(
    folder: str | Path,
    policy: BasePolicy,
    rules: str | Rules,
    extra: Mapping[str, Any] | None = None,
    features: Inputs | None = None,
    layout: str | SharedLayout = "variant",
) -> str:
    """Write a Stable-Baselines3 policy, such as ``model.policy``, to a folder.

    The actor of an ``MlpPolicy`` that reads the observations as they are becomes ``sb3:FOLDER``, which needs no code.
    Any other policy becomes a `TorchAgent`, ``py:FOLDER``.

    Args:
        folder: the folder, which is created if it does not exist.
        policy: the policy.
        rules: the rules it was trained on.
        extra: further JSON values for its description.
        features: that of the environment in which it was trained.
        layout: likewise.

    Returns:
        The spec string that plays it.

    Raises:
        ValueError: a policy that does not fit the rules or whose weights are not finite; parts of it without an
            address; or a folder that cannot be written.
    """
    if features is None and layout == "variant" and _is_plain(policy):
        net, info = actor_of(policy, compile_game(read_rules(rules)), extra)  # type: ignore[arg-type]
        write_network(folder, SB3, asdict(info), arrays_of(net))
        return f"sb3:{folder}"
    own = policy._get_constructor_parameters()
    space, actions = own.pop("observation_space"), own.pop("action_space")
    own.pop("lr_schedule", None)
    arguments = {"policy": type(policy), "columns": space.shape[0], "actions": int(actions.n), "options": own}
    module = Sb3Logits(**arguments)
    module.policy.load_state_dict(policy.state_dict())
    return TorchAgent(module, features, layout).save(folder, rules, arguments, extra=extra)


def _is_plain(policy: Any) -> bool:
    """True for a policy that `ActorNet` holds whole."""
    from stable_baselines3.common.torch_layers import FlattenExtractor, MlpExtractor

    kinds = type(getattr(policy, "features_extractor", None)), type(getattr(policy, "mlp_extractor", None))
    if kinds != (FlattenExtractor, MlpExtractor) or type(policy.action_net) is not nn.Linear:
        return False
    layers = {type(layer).__name__ for layer in policy.mlp_extractor.policy_net} - {"Linear"}
    return len(layers) <= 1 and layers <= ACTIVATIONS.keys()


def actor_of(policy: ActorCritic, game: Game, extra: Mapping[str, Any] | None = None) -> tuple[ActorNet, Sb3Info]:
    """A copy of the actor of an ``MlpPolicy``, and its description. Raises ValueError if it does not fit the game."""
    body, head = policy.mlp_extractor.policy_net, cast(nn.Linear, policy.action_net)
    kinds = {type(layer).__name__ for layer in body} - {"Linear"}
    hidden = tuple(layer.out_features for layer in body if isinstance(layer, nn.Linear))
    first = next((layer for layer in body if isinstance(layer, nn.Linear)), head)
    info = Sb3Info(
        str(game.rules),
        fingerprint(game),
        first.in_features,
        head.out_features,
        hidden,
        dict(extra or {}),
        next(iter(kinds), "Tanh"),
    )
    check_trained(info, game, "the policy", counts=False)
    net = ActorNet(info.inputs, info.actions, info.hidden, info.activation)
    weights = {f"body.{name}": value for name, value in body.state_dict().items()}
    weights |= {f"head.{name}": value for name, value in head.state_dict().items()}
    net.load_state_dict({name: value.detach().cpu().clone() for name, value in weights.items()})
    return net.eval(), info


def load_sb3(folder: str | Path) -> tuple[ActorNet, Sb3Info]:
    """Read what `save_sb3` wrote.

    Raises:
        ValueError: a file is missing, damaged or of another kind; the message names the file and the defect.
    """
    path = Path(folder)
    values, tensors = read_network(path, SB3)
    info = policy_info(path / SB3.weights, values, Sb3Info, counts=False)
    if info.activation not in ACTIVATIONS:
        raise damaged(path / SB3.weights, f"activation={info.activation!r} is not possible")
    shapes = linear_shapes("head", (info.inputs, *info.hidden)[-1], info.actions)
    for place, (before, width) in enumerate(pairwise((info.inputs, *info.hidden))):
        shapes |= linear_shapes(f"body.{2 * place}", before, width)
    weights = check_weights(path / SB3.weights, tensors, shapes)
    with torch.device("meta"):
        net = ActorNet(info.inputs, info.actions, info.hidden, info.activation)
    net.load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()}, assign=True)
    return net.eval(), info


class Sb3Agent(Agent):
    """Plays the most probable action of a saved actor.

    Attributes:
        info: the description of the actor.
    """

    def __init__(self, folder: str | Path) -> None:
        """Load an actor from a folder that `save_sb3` wrote. Raises ValueError for bad files."""
        self._net, self.info = load_sb3(folder)
        self.name, self.digest = f"sb3:{folder}", digest_of(arrays_of(self._net))
        self.trained_on = self.info.rules

    def act_batch(self, views: Views) -> NDArray[np.int64]:
        """One action per view, shape (n,). Raises ValueError if the actor does not fit the game."""
        check_fit(self.info, views.game, self.name)
        observations, masks = (torch.from_numpy(rows) for rows in views.observations())
        with torch.inference_mode():
            actions: NDArray[np.int64] = self._net(observations, masks).argmax(1).numpy()
        return actions
