"""The network of a policy, and its files on disk.

A policy is saved as two files in a folder: ``policy.safetensors``, the weights with the description in their header,
and ``policy.json``, the same description for people and other programs. Each holds a digest of itself, which is checked
when it is read.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from hearts_agents.files import UNSEALED, is_sealed, seal, write_file
from hearts_agents.neural.inputs import fingerprint, input_size
from hearts_agents.weights import shipped
from hearts_env.compiled.game import Game, compile_game
from hearts_env.ruleset.model import Rules
from hearts_env.variants.registry import rules as read_rules

try:
    import torch
    from safetensors import SafetensorError
    from safetensors.torch import load as read_tensors
    from safetensors.torch import save as write_tensors
    from torch import Tensor, nn
except ImportError as error:
    raise ValueError(f"networks need {error.name}; install it with: pip install 'hearts-env[training]'") from None

WEIGHTS_FILE, DESCRIPTION_FILE = "policy.safetensors", "policy.json"
FORMAT = "hearts-policy-2"
ILLEGAL = -1e9
MOST_WIDTH = 1 << 16
"""The widest hidden layer."""
_KINDS = {"rules": str, "fingerprint": str, "inputs": int, "actions": int, "hidden": list, "extra": dict}


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
    """A multi-layer perceptron from the input of `network_inputs` to one logit per action.

    Attributes:
        inputs: columns of the input.
        actions: number of actions.
        hidden: width of each hidden layer; one that is as wide as the layer before is residual.
    """

    def __init__(self, inputs: int, actions: int, hidden: tuple[int, ...] = (256, 256)) -> None:
        super().__init__()
        self.inputs, self.actions, self.hidden = inputs, actions, tuple(hidden)
        self.body = hidden_layers(inputs, self.hidden)
        self.head = nn.Linear(self.hidden[-1], actions)

    def forward(self, inputs: Tensor, action_mask: Tensor) -> Tensor:
        """Logits.

        Args:
            inputs: (n, inputs) floats.
            action_mask: (n, actions), 0 where an action is illegal.

        Returns:
            (n, actions) float32; `ILLEGAL` where the mask is 0.
        """
        logits: Tensor = self.head(self.body(inputs))
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
) -> PolicyInfo:
    """Write a policy to a folder, which is created if it does not exist. Each file is written whole or not at all.

    Args:
        folder: the folder.
        net: the network.
        rules: the rules it was trained on.
        extra: further JSON values for its description.
        half: write weights in half precision, half the size.

    Raises:
        ValueError: the network does not fit the rules, or the folder cannot be written.
    """
    game = compile_game(read_rules(rules))
    info = PolicyInfo(str(game.rules), fingerprint(game), net.inputs, net.actions, net.hidden, dict(extra or {}))
    check_fit(info, game, f"the network to save in {folder}")
    sealed_text = json.dumps({"format": FORMAT, "sha256": UNSEALED, **asdict(info)}, indent=2)
    header = {"policy": json.dumps(asdict(info)), "sha256": UNSEALED}
    kind = torch.float16 if half else torch.float32
    tensors = {name: value.detach().cpu().to(kind).contiguous() for name, value in net.state_dict().items()}
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
        write_file(path / WEIGHTS_FILE, seal(_in_order(write_tensors(tensors, header))))
        write_file(path / DESCRIPTION_FILE, seal(sealed_text.encode()))
    except OSError as error:
        raise ValueError(f"cannot write a policy to {folder}: {error.strerror or error}") from None
    return info


def _in_order(content: bytes) -> bytes:
    """A safetensors file with its header sorted: the library writes the metadata in random order, and the same policy
    must be the same file.
    """
    size = int.from_bytes(content[:8], "little")
    header = json.dumps(json.loads(content[8 : 8 + size]), sort_keys=True).encode()
    header += b" " * (-len(header) % 8)  # the tensors that follow are aligned to 8 bytes
    return len(header).to_bytes(8, "little") + header + content[8 + size :]


def load_policy(folder: str | Path) -> tuple[PolicyNet, PolicyInfo]:
    """Read a policy that `save_policy` wrote.

    Raises:
        ValueError: a file is missing, damaged or of another kind; the message names the file and the defect.
    """
    path = Path(folder)
    if not path.is_dir():
        raise ValueError(
            f"there is no folder {folder}; net:DIR needs a folder that hearts train wrote, and net:NAME plays by "
            f"{' or '.join(shipped())}"
        )
    for name in (WEIGHTS_FILE, DESCRIPTION_FILE):
        if not (path / name).is_file():
            raise ValueError(f"{folder} holds no {name}; net:DIR needs the folder that hearts train wrote")
    described = _read_description(path / DESCRIPTION_FILE)
    info, tensors = _read_weights(path / WEIGHTS_FILE)
    if replace(described, extra=info.extra) != info:
        raise ValueError(f"{path / DESCRIPTION_FILE} and {WEIGHTS_FILE} are of different networks")
    with torch.device("meta"):  # no memory before the shapes are known to be those in the file
        net = PolicyNet(info.inputs, info.actions, info.hidden)
    if _shapes(net.state_dict()) != _shapes(tensors):
        raise ValueError(f"the weights in {path / WEIGHTS_FILE} do not have the shapes that its header gives")
    if {value.dtype for value in tensors.values()} - {torch.float32, torch.float16}:
        raise ValueError(f"the weights in {path / WEIGHTS_FILE} are not numbers in single or half precision")
    if not all(bool(value.isfinite().all()) for value in tensors.values()):
        raise ValueError(f"{path / WEIGHTS_FILE} holds weights that are not finite; the training diverged")
    net.load_state_dict({name: value.float() for name, value in tensors.items()}, assign=True)
    return net.eval(), info


def _shapes(tensors: Mapping[str, Tensor]) -> dict[str, Any]:
    return {name: value.shape for name, value in tensors.items()}


def _read_description(path: Path) -> PolicyInfo:
    content = _read(path)
    return _read_info(path, _parse(path, content), content)


def _read_weights(path: Path) -> tuple[PolicyInfo, dict[str, Tensor]]:
    content = _read(path)
    header = _parse(path, content[8 : 8 + int.from_bytes(content[:8], "little")])  # the safetensors format
    try:
        text = header["__metadata__"]["policy"]
    except (KeyError, TypeError):
        raise _damaged(path, "it holds no description of a policy") from None
    info = _read_info(path, _parse(path, text), content)
    try:
        return info, read_tensors(content)
    except (SafetensorError, KeyError, RuntimeError, TypeError, ValueError) as error:
        raise _damaged(path, error) from None


def _damaged(path: Path, why: object) -> ValueError:
    return ValueError(f"{path} is damaged or was not written by hearts train: {' '.join(str(why).split())[:160]}")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from None


def _parse(path: Path, text: str | bytes) -> Any:
    try:
        return json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise _damaged(path, error) from None


def _read_info(path: Path, found: Any, content: bytes) -> PolicyInfo:
    """The description in a file, whose digest is checked as soon as its format is known."""
    form = found.get("format") if isinstance(found, dict) else None
    if not isinstance(form, str) or not form.startswith("hearts-policy-"):
        raise _damaged(path, "it holds no description of a policy")
    if form != FORMAT:
        raise ValueError(f"{path} has the format {form}; this release reads {FORMAT}: train again")
    if not is_sealed(content):
        raise _damaged(path, "its digest is not that of its content")
    values = {name: found.get(name) for name in _KINDS}
    for name, kind in _KINDS.items():
        if type(values[name]) is not kind:
            raise _damaged(path, f"{name}={values[name]!r} is not possible")
    if not all(type(width) is int and 0 < width <= MOST_WIDTH for width in values["hidden"]):
        raise _damaged(path, f"hidden={values['hidden']} is not possible")
    info = PolicyInfo(**{**values, "hidden": tuple(values["hidden"])})
    try:
        game = compile_game(read_rules(info.rules))
    except (OverflowError, ValueError) as error:
        raise _damaged(path, error) from None
    check_fit(info, game, str(path))
    return info


def check_fit(info: PolicyInfo, game: Game, where: str) -> None:
    """Raise ValueError unless a network was trained on a game: on its rules, columns and actions."""
    if info.rules != str(game.rules):
        raise ValueError(f"{where} plays {info.rules}, not {game.rules}")
    if info.fingerprint != fingerprint(game):
        raise ValueError(f"{where} reads the observations of another release; train it again")
    if (info.inputs, info.actions) != (input_size(game), len(game.actions)):
        raise ValueError(
            f"{where} has {info.inputs} inputs and {info.actions} actions; "
            f"{game.rules} needs {input_size(game)} and {len(game.actions)}"
        )


def digest_of(net: PolicyNet) -> str:
    """16 hexadecimal digits that identify the weights of a network."""
    found = hashlib.sha256()
    for name, value in net.state_dict().items():
        found.update(f"{name} {tuple(value.shape)}".encode())
        found.update(value.cpu().numpy().tobytes())
    return found.hexdigest()[:16]
