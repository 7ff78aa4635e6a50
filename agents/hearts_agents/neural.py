"""Networks as agents: their definition, their files on disk, and play.

A policy is saved as two files in a folder: ``policy.safetensors``, the weights with the description in their header,
and ``policy.json``, the same description for people and other programs. The module needs torch and safetensors
(``pip install hearts-env[training]``), so it is imported only when a network is used.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_agents.base import Agent
from hearts_agents.files import write_file
from hearts_env.checks import number
from hearts_env.compiled.game import Game, compile_game
from hearts_env.play.view import Views
from hearts_env.ruleset.model import Rules
from hearts_env.variants.registry import rules as read_rules

try:
    import torch
    from safetensors import SafetensorError, safe_open
    from safetensors.torch import save as write_tensors
    from torch import Tensor, nn
except ImportError as error:
    raise ValueError(f"networks need {error.name}; install it with: pip install 'hearts-env[training]'") from None

WEIGHTS_FILE, DESCRIPTION_FILE = "policy.safetensors", "policy.json"
FORMAT = "hearts-policy-1"
ILLEGAL = -1e9
BATCH = 8192


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
    text = json.dumps(asdict(info), indent=2)
    tensors = {name: value.detach().cpu().contiguous() for name, value in net.state_dict().items()}
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
        write_file(path / WEIGHTS_FILE, write_tensors(tensors, {"policy": text}))
        write_file(path / DESCRIPTION_FILE, text.encode())
    except OSError as error:
        raise ValueError(f"cannot write a policy to {folder}: {error.strerror or error}") from None
    return info


def load_policy(folder: str | Path) -> tuple[PolicyNet, PolicyInfo]:
    """Read a policy that `save_policy` wrote.

    Raises:
        ValueError: a file is missing, torn or of another kind; the message names the file and the defect.
    """
    path = Path(folder)
    if not path.is_dir():
        raise ValueError(f"there is no folder {folder}; net:DIR needs the folder that hearts train wrote")
    for name in (WEIGHTS_FILE, DESCRIPTION_FILE):
        if not (path / name).is_file():
            raise ValueError(f"{folder} holds no {name}; net:DIR needs the folder that hearts train wrote")
    _read_info(path / DESCRIPTION_FILE, _read_text(path / DESCRIPTION_FILE))
    text, tensors = _read_tensors(path / WEIGHTS_FILE)
    info = _read_info(path / WEIGHTS_FILE, text)
    net = PolicyNet(info.obs_size, info.actions, info.hidden)
    try:
        net.load_state_dict(tensors)
    except RuntimeError:
        raise ValueError(f"the weights in {path / WEIGHTS_FILE} do not have the shape that its header gives") from None
    if not all(bool(value.isfinite().all()) for value in tensors.values()):
        raise ValueError(f"{path / WEIGHTS_FILE} holds weights that are not finite; the training diverged")
    return net.eval(), info


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"cannot read {path}: {error}") from None


def _read_tensors(path: Path) -> tuple[str, dict[str, Tensor]]:
    try:
        with safe_open(path, "pt") as file:
            text = (file.metadata() or {}).get("policy", "")
            return text, {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - it is no mapping
    except (SafetensorError, OSError) as error:
        raise ValueError(f"{path} is torn or no safetensors file: {error}") from None


def _read_info(path: Path, text: str) -> PolicyInfo:
    try:
        found = json.loads(text)
        known = found["format"] == FORMAT
    except (json.JSONDecodeError, KeyError, TypeError):
        known = False
    if not known:
        raise ValueError(f"{path} is torn or was not written by hearts train (format {FORMAT})")
    try:
        hidden = tuple(int(size) for size in found["hidden"])
        info = PolicyInfo(str(found["rules"]), int(found["obs_size"]), int(found["actions"]), hidden, found["extra"])
        game = compile_game(read_rules(info.rules))
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} describes no policy: {error}") from None
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
