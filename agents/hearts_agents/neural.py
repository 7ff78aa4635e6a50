"""Networks as agents: their definition, their files on disk, and play.

A policy is saved as two files in a folder: ``policy.safetensors``, the weights with the description in their header,
and ``policy.json``, the same description for people and other programs. Each holds a digest of itself, which is checked
when it is read. The module needs torch and safetensors (``pip install hearts-env[training]``), so it is imported only
when a network is used.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_agents.base import Agent
from hearts_agents.files import UNSEALED, is_sealed, seal, write_file
from hearts_env.checks import number
from hearts_env.compiled.game import Game, compile_game
from hearts_env.play.view import Views
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
BATCH = 8192
MOST_WIDTH = 1 << 16
"""The widest hidden layer."""
_KINDS = {"rules": str, "obs_size": int, "actions": int, "hidden": list, "extra": dict}


class PolicyNet(nn.Module):
    """A multi-layer perceptron from an observation to one logit per action.

    Attributes:
        obs_size: columns of the observation.
        actions: number of actions.
        hidden: width of each hidden layer.
    """

    def __init__(self, obs_size: int, actions: int, hidden: tuple[int, ...] = (256, 256)) -> None:
        super().__init__()
        self.obs_size, self.actions, self.hidden = obs_size, actions, tuple(hidden)
        layers: list[nn.Module] = []
        width = obs_size
        for size in self.hidden:
            layers += [nn.Linear(width, size), nn.ReLU()]
            width = size
        self.body = nn.Sequential(*layers)
        self.head = nn.Linear(width, actions)

    def forward(self, observation: Tensor, action_mask: Tensor) -> Tensor:
        """Logits.

        Args:
            observation: (n, obs_size) floats.
            action_mask: (n, actions), 0 where an action is illegal.

        Returns:
            (n, actions) float32; `ILLEGAL` where the mask is 0.
        """
        logits: Tensor = self.head(self.body(observation))
        return logits.float().masked_fill(action_mask == 0, ILLEGAL)


@dataclass(frozen=True)
class PolicyInfo:
    """The description of a saved policy.

    Attributes:
        rules: text of the rules it was trained on.
        obs_size, actions, hidden: the arguments of `PolicyNet`.
        extra: further JSON values, such as the options of the training.
        format: identifies the kind of file.
    """

    rules: str
    obs_size: int
    actions: int
    hidden: tuple[int, ...]
    extra: Mapping[str, Any]
    format: str = FORMAT


def save_policy(
    folder: str | Path, net: PolicyNet, rules: str | Rules, extra: Mapping[str, Any] | None = None
) -> PolicyInfo:
    """Write a policy to a folder, which is created if it does not exist. Each file is written whole or not at all.

    Raises:
        ValueError: the network does not fit the rules, or the folder cannot be written.
    """
    game = compile_game(read_rules(rules))
    info = PolicyInfo(str(game.rules), net.obs_size, net.actions, net.hidden, dict(extra or {}))
    check_fit(info, game, f"the network to save in {folder}")
    sealed_text = json.dumps({"format": FORMAT, "sha256": UNSEALED, **asdict(info)}, indent=2)
    header = {"policy": json.dumps(asdict(info)), "sha256": UNSEALED}
    tensors = {name: value.detach().cpu().contiguous() for name, value in net.state_dict().items()}
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
        write_file(path / WEIGHTS_FILE, seal(write_tensors(tensors, header)))
        write_file(path / DESCRIPTION_FILE, seal(sealed_text.encode()))
    except OSError as error:
        raise ValueError(f"cannot write a policy to {folder}: {error.strerror or error}") from None
    return info


def load_policy(folder: str | Path) -> tuple[PolicyNet, PolicyInfo]:
    """Read a policy that `save_policy` wrote.

    Raises:
        ValueError: a file is missing, damaged or of another kind; the message names the file and the defect.
    """
    path = Path(folder)
    if not path.is_dir():
        raise ValueError(f"there is no folder {folder}; net:DIR needs the folder that hearts train wrote")
    for name in (WEIGHTS_FILE, DESCRIPTION_FILE):
        if not (path / name).is_file():
            raise ValueError(f"{folder} holds no {name}; net:DIR needs the folder that hearts train wrote")
    described = _read_description(path / DESCRIPTION_FILE)
    info, tensors = _read_weights(path / WEIGHTS_FILE)
    if replace(described, extra=info.extra) != info:
        raise ValueError(f"{path / DESCRIPTION_FILE} and {WEIGHTS_FILE} are of different networks")
    with torch.device("meta"):  # no memory before the shapes are known to be those in the file
        net = PolicyNet(info.obs_size, info.actions, info.hidden)
    if _shapes(net.state_dict()) != _shapes(tensors):
        raise ValueError(f"the weights in {path / WEIGHTS_FILE} do not have the shapes that its header gives")
    if not all(bool(value.isfinite().all()) for value in tensors.values()):
        raise ValueError(f"{path / WEIGHTS_FILE} holds weights that are not finite; the training diverged")
    net.load_state_dict(tensors, assign=True)
    return net.eval(), info


def _shapes(tensors: Mapping[str, Tensor]) -> dict[str, Any]:
    return {name: (value.shape, value.dtype) for name, value in tensors.items()}


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
    """Raise ValueError unless a policy's observations and actions are those of a game."""
    columns, actions = int(game.tables["obs_size"]), len(game.actions)
    if (info.obs_size, info.actions) != (columns, actions):
        raise ValueError(
            f"{where} is for {info.rules} ({info.obs_size} columns, {info.actions} actions); "
            f"{game.rules} has {columns} columns and {actions} actions"
        )


class NetAgent(Agent):
    """Plays by a saved network.

    Attributes:
        info: the description of the network.
        temperature: 0 plays the most probable action; above 0, actions are sampled with the logits divided by it.
    """

    def __init__(self, folder: str | Path, temperature: float = 0.0, threads: int = 1) -> None:
        """Load a network.

        Args:
            folder: a folder that `save_policy` wrote.
            temperature: 0 or more.
            threads: number of torch's threads while it acts.

        Raises:
            ValueError: bad files or a negative temperature.
        """
        if number("temperature", temperature) < 0:
            raise ValueError(f"temperature={temperature} must be 0 or more")
        self._net, self.info = load_policy(folder)
        self.name, self.temperature, self._threads = f"net:{folder}", temperature, threads
        self.digest = digest_of(self._net)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Restart the samples of a temperature above 0 from a seed."""
        self._seed = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]

    def act_batch(self, views: Views) -> NDArray[np.int64]:
        """One action per view, shape (n,). Raises ValueError if the network does not fit the game."""
        check_fit(self.info, views.game, self.name)
        draws = self._draws(views) if self.temperature else None
        actions = np.empty(len(views), np.int64)
        with _threads(self._threads), torch.inference_mode():
            for first in range(0, len(views), BATCH):
                part = slice(first, first + BATCH)
                rows, masks = Views(views.game, views.records[part], check=False).observations()
                logits = self._net(torch.from_numpy(rows), torch.from_numpy(masks))
                actions[part] = self._pick(logits, None if draws is None else draws[part]).numpy()
        return actions

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


def digest_of(net: PolicyNet) -> str:
    """16 hexadecimal digits that identify the weights of a network."""
    found = hashlib.sha256()
    for name, value in net.state_dict().items():
        found.update(f"{name} {tuple(value.shape)}".encode())
        found.update(value.cpu().numpy().tobytes())
    return found.hexdigest()[:16]


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
