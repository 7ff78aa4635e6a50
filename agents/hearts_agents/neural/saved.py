"""Networks on disk, for one game or for all rules: their descriptions, and their weights as arrays."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from hearts_agents.base import AgentRefused
from hearts_agents.neural.features import LANES, SUITS
from hearts_agents.neural.inputs import fingerprint, first_input_size, input_size
from hearts_agents.neural.known import Known, check_known, first_digest, known_names
from hearts_agents.neural.sealed import NetworkFormat, check_weights, damaged, read_network
from hearts_agents.sizes import MOST_CODE, MOST_LAYERS
from hearts_agents.weights import fits, shipped
from hearts_env.compiled.game import Game, compile_game
from hearts_env.compiled.statics import TERMS as TABLES
from hearts_env.kernel.counts import BLOCKS as COUNTS
from hearts_env.variants.registry import rules as read_rules

Weights = dict[str, NDArray[np.float32]]
Shapes = dict[str, tuple[int, ...]]
_Info = TypeVar("_Info", bound="PolicyInfo")
POLICY = NetworkFormat(
    "policy",
    "hearts-policy-2",
    "net",
    "hearts train or hearts distil",
    {"rules": str, "fingerprint": str, "inputs": int, "actions": int, "hidden": list, "extra": dict},
)
_SIZES = {"width": int, "depth": int, "code": int, "hidden": list, "extra": dict}
GENERAL = NetworkFormat(
    "general",
    "hearts-general-2",
    "net",
    "hearts train --variants",
    {"names": dict, **_SIZES},
    {"hearts-general-1": {"terms": str, **_SIZES}},
)


@dataclass(frozen=True)
class PolicyInfo:
    """The description of a saved policy.

    Attributes:
        rules: text of the rules it was trained on.
        fingerprint: of the rules, the columns of the input and the actions; see `inputs.fingerprint`.
        inputs, actions, hidden: the arguments of `PolicyNet`.
        extra: further JSON values, such as the options of the training.
    """

    rules: str
    fingerprint: str
    inputs: int
    actions: int
    hidden: tuple[int, ...]
    extra: Mapping[str, Any]


@dataclass(frozen=True)
class GeneralInfo:
    """The description of a saved network for all rules.

    Attributes:
        names: of what it reads; see `known.Known`.
        width, depth, code: the arguments of `RulesNet`; `hidden` repeats the widths of the hidden layers.
        extra: further JSON values, such as the options of the training.
    """

    names: Known
    width: int
    depth: int
    code: int
    hidden: tuple[int, ...]
    extra: Mapping[str, Any]


def read_policy(folder: str | Path) -> tuple[Weights, PolicyInfo]:
    """Read the network for one game that `save_policy` wrote.

    Raises:
        ValueError: a file is missing, damaged or of another kind; the message names the file and the defect.
    """
    path = Path(folder)
    if not path.is_dir():
        raise ValueError(
            f"there is no folder {folder}; net:DIR needs a folder that {POLICY.writers} wrote, and net:NAME plays by "
            f"{' or '.join(shipped())}"
        )
    values, tensors = read_network(path, POLICY)
    info = policy_info(path / POLICY.weights, values, PolicyInfo)
    if not info.hidden:
        raise damaged(path / POLICY.weights, "hidden=[] is not possible: it has one layer or more")
    return check_weights(path / POLICY.weights, tensors, policy_shapes(info, own="own" in tensors)), info


def is_general(folder: Path) -> bool:
    """True if a folder holds a network for all rules."""
    return (folder / GENERAL.weights).is_file()


def read_general(folder: str | Path) -> tuple[Weights, GeneralInfo]:
    """Read the network for all rules that `save_general` wrote; errors as in `read_policy`.

    The weights are those of the names that it was trained with; see `known.with_all_names`.
    """
    path = Path(folder)
    values, tensors = read_network(path, GENERAL)
    info = _general_info(path / GENERAL.weights, values)
    return check_weights(path / GENERAL.weights, tensors, general_shapes(info)), info


def hidden_names(inputs: int, widths: tuple[int, ...]) -> Iterator[tuple[str, int, int, bool]]:
    """The hidden layers of a policy in order: the beginning of the names of its weights, its inputs, its outputs, and
    whether it is residual, ``x + relu(linear(norm(x)))``, as where the width stays the same.

    In the numbering of the names, the ReLU after a layer that is not residual takes a number of its own.
    """
    place = 0
    for before, width in pairwise((inputs, *widths)):
        residual = place > 0 and before == width
        yield f"body.{place}", before, width, residual
        place += 1 if residual else 2


def policy_shapes(info: PolicyInfo, *, own: bool = False) -> Shapes:
    """Name -> shape of every weight of a policy; `own`: whether cards' own counts, if it reads them, have weights."""
    shapes: Shapes = {}
    game = compile_game(read_rules(info.rules))
    if own and info.inputs >= first_input_size(game):
        shapes["own"] = len(COUNTS), len(game.deck.kinds)
    for name, before, width, residual in hidden_names(info.inputs, info.hidden):
        if residual:
            shapes |= {f"{name}.norm.weight": (before,), f"{name}.norm.bias": (before,)}
        shapes |= linear_shapes(f"{name}.linear" if residual else name, before, width)
    return shapes | linear_shapes("head", info.hidden[-1], info.actions)


def general_shapes(info: GeneralInfo) -> Shapes:
    """Name -> shape of every weight of a network for all rules, as it was trained."""
    width, code = info.width, info.code
    sizes = {table: len(of) for table, of in info.names.items()}
    shapes: Shapes = {"lanes": (LANES, code), "facts": (sizes["facts"], code, width)}
    for table in TABLES:
        terms = sizes[table] + SUITS * (table in ("cards", "suits"))
        shapes |= linear_shapes(f"{table}.0", terms, 2 * code) | linear_shapes(f"{table}.2", 2 * code, code)
    shapes |= linear_shapes("bias", code, width) | linear_shapes("films", code, info.depth * 2 * width)
    for place in range(info.depth):
        shapes |= linear_shapes(f"hidden.{place}", width, width)
    words = sizes["decisions"] + sizes["words"]
    shapes |= linear_shapes("specials.0", words, 2 * code) | linear_shapes("specials.2", 2 * code, code)
    shapes |= {f"named.{place}.weight": (code, code) for place in range(3)}
    counts = width + 1 + sizes["counts"]
    return shapes | linear_shapes("card_head", code, counts) | linear_shapes("special_head", code, width + 1)


def linear_shapes(name: str, inputs: int, outputs: int) -> Shapes:
    """Name -> shape of the weights of a linear layer."""
    return {f"{name}.weight": (outputs, inputs), f"{name}.bias": (outputs,)}


def policy_info(path: Path, values: Mapping[str, Any], kind: type[_Info], *, counts: bool = True) -> _Info:
    """The description of a network for one game from the values in a file. Raises ValueError if it fits no game.

    `counts` as in `check_trained`.
    """
    kept = {field.name: values[field.name] for field in fields(kind)}
    info = kind(**{**kept, "hidden": tuple(values["hidden"])})
    try:
        game = compile_game(read_rules(info.rules))
    except (OverflowError, ValueError) as error:
        raise damaged(path, error) from None
    check_trained(info, game, str(path), counts=counts)
    return info


def _general_info(path: Path, values: Mapping[str, Any]) -> GeneralInfo:
    kept = {name: values[name] for name in _SIZES if name != "hidden"}
    info = GeneralInfo(_names(path, values), hidden=tuple(values["hidden"]), **kept)
    if (
        not 0 < info.depth <= MOST_LAYERS
        or info.hidden != (info.width,) * (info.depth + 1)
        or not 0 < info.code <= MOST_CODE
    ):
        raise damaged(path, f"width={info.width}, depth={info.depth}, code={info.code} is not possible")
    return info


def _names(path: Path, values: Mapping[str, Any]) -> Known:
    if "terms" in values:  # hearts-general-1 holds no names
        if values["terms"] != first_digest():
            raise ValueError(f"{path} reads the rules of another release; train it again")
        return known_names(1)
    given = values["names"]
    if not all(isinstance(of, list) and all(type(name) is str for name in of) for of in given.values()):
        raise damaged(path, "names are lists of texts")
    try:
        check_known(given)
    except ValueError as error:
        raise ValueError(f"{path} does not fit: {error}") from None
    return {table: tuple(of) for table, of in given.items()}


def check_trained(info: PolicyInfo, game: Game, where: str, *, counts: bool = True) -> None:
    """Raise ValueError unless a network has the inputs and actions of the game it was trained on.

    `counts`: whether its input may have the counts behind the observation.
    """
    if info.rules != str(game.rules):
        raise AgentRefused(f"{where} plays {info.rules}, not {game.rules}")
    if info.fingerprint != fingerprint(game):
        raise ValueError(f"{where} reads the observations of another release; train it again")
    columns, actions = int(game.tables["obs_size"]), len(game.actions)
    sizes = {columns: "to read the observation alone"} | ({input_size(game): "with the counts"} if counts else {})
    first = (first_input_size(game),) if counts else ()
    if info.inputs not in (*sizes, *first) or info.actions != actions:
        wanted = " or ".join(f"{size} {what}" for size, what in sizes.items())
        raise ValueError(
            f"{where} has {info.inputs} inputs and {info.actions} actions; {game.rules} needs {wanted}, and {actions}"
        )


def check_fit(info: PolicyInfo, game: Game, where: str) -> None:
    """Raise AgentRefused, a ValueError, unless a network can play a game: one with the same columns and actions as the
    game it was trained on, whatever its other rules.
    """
    if not fits(info.rules, game):
        raise AgentRefused(
            f"{where} was trained on {info.rules}; {game.rules} has another observation or other actions"
        )


def is_taught(extra: Mapping[str, Any]) -> bool:
    """True for a network that `hearts distil` made of random weights: its logits are values, and it ignores totals."""
    options = extra.get("distilled", {}).get("options")
    return options is not None and not options.get("start")


def digest_of(weights: Mapping[str, NDArray[np.float32]]) -> str:
    """16 hexadecimal digits that identify the weights of a network."""
    found = hashlib.sha256()
    for name, value in weights.items():
        found.update(f"{name} {tuple(value.shape)}".encode())
        found.update(np.ascontiguousarray(value).tobytes())
    return found.hexdigest()[:16]
