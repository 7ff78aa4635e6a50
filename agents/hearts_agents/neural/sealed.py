"""The files of a network: a folder with weights in safetensors and a description in JSON, nothing pickled.

The header of the weights holds the description as well, and only that file is read; the one in JSON is for people.
Every value is checked, whoever computed the digests: these only show damage, such as a download that broke off.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load as read_tensors
from safetensors.numpy import save as write_tensors

from hearts_agents.files import UNSEALED, is_sealed, read_file, seal, write_file
from hearts_agents.sizes import MOST_WIDTH


@dataclass(frozen=True)
class NetworkFormat:
    """A kind of network on disk.

    Attributes:
        name: of the files, without their suffixes.
        format: identifies the content; it ends with a number.
        spec: how the agent is written.
        writers: what writes its folder.
        fields: name and type of everything in the description, besides the format.
        older: earlier formats that are read as well -> the same for them.
    """

    name: str
    format: str
    spec: str
    writers: str
    fields: Mapping[str, type]
    older: Mapping[str, Mapping[str, type]] = field(default_factory=dict)

    @property
    def weights(self) -> str:
        """Name of the file of weights."""
        return f"{self.name}.safetensors"

    @property
    def description(self) -> str:
        """Name of the description."""
        return f"{self.name}.json"


TORCH = NetworkFormat(
    "torch",
    "hearts-torch-1",
    "py",
    "TorchAgent.save",
    {"module": str, "inputs": str, "arguments": dict, "layout": list, "rules": str, "extra": dict},
)
"""A network that names its own code."""


def write_network(
    folder: str | Path,
    kind: NetworkFormat,
    values: Mapping[str, Any],
    tensors: Mapping[str, NDArray[Any]],
    run: Sequence[Mapping[str, Any]] = (),
) -> None:
    """Write a network to a folder, which is created if it does not exist. Each file is written whole or not at all.

    `run`, how it came to be, stands in the description only: equal networks are equal files of weights, whoever made
    them.

    Raises ValueError if a weight is not finite, or the folder cannot be written.
    """
    check_finite(f"the network to save in {folder}", tensors)
    described = {"format": kind.format, "sha256": UNSEALED, **values}
    sealed_text = json.dumps(described | ({"run": list(run)} if run else {}), indent=2)
    header = {kind.name: json.dumps({**values, "format": kind.format}), "sha256": UNSEALED}
    kept = {name: np.ascontiguousarray(value) for name, value in tensors.items()}
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
        write_file(path / kind.weights, seal(_in_order(write_tensors(kept, header))))
        write_file(path / kind.description, seal(sealed_text.encode()))
    except OSError as error:
        raise ValueError(f"cannot write a policy to {folder}: {error.strerror or error}") from None


def _in_order(content: bytes) -> bytes:
    """A safetensors file with its header sorted: the library writes the metadata in random order, and the same policy
    must be the same file.
    """
    size = int.from_bytes(content[:8], "little")
    header = json.dumps(json.loads(content[8 : 8 + size]), sort_keys=True).encode()
    header += b" " * (-len(header) % 8)  # the tensors that follow are aligned to 8 bytes
    return len(header).to_bytes(8, "little") + header + content[8 + size :]


def read_network(folder: str | Path, kind: NetworkFormat) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The description and the weights that `write_network` wrote.

    The description has a value of the right type for each of `kind.fields`, and the sizes in ``hidden`` are possible;
    the rest is up to the kind of network.

    Raises:
        ValueError: the file is missing, damaged or of another kind; the message names the file and the defect.
    """
    path = Path(folder) / kind.weights
    if not path.is_file():
        if (Path(folder) / TORCH.weights).is_file():
            raise ValueError(f"the network in {folder} runs code of its own; write py:{folder}")
        raise ValueError(f"{folder} holds no {path.name}; {kind.spec}:DIR needs the folder that {kind.writers} wrote")
    try:
        content = read_file(path)
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from None
    values = _description(path, kind, content)
    if not is_sealed(content):
        raise damaged(path, "its digest is not that of its content")
    for name, needed in kind.older.get(values["format"], kind.fields).items():
        if type(values.get(name)) is not needed:
            raise damaged(path, f"{name}={values.get(name)!r} is not possible")
    if not all(type(width) is int and 0 < width <= MOST_WIDTH for width in values.get("hidden", ())):
        raise damaged(path, f"hidden={values['hidden']} is not possible")
    try:
        return values, read_tensors(content)
    except (SafetensorError, KeyError, RuntimeError, TypeError, ValueError) as error:
        raise damaged(path, error) from None


def _description(path: Path, kind: NetworkFormat, content: bytes) -> dict[str, Any]:
    """The values in the header of a file. Raises ValueError if they are not of this kind."""
    try:
        header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])  # the safetensors format
        values: dict[str, Any] = json.loads(header["__metadata__"][kind.name])
        form = values["format"]
        known = form == kind.format or form in kind.older
        own = known or form.startswith(kind.format.rstrip("0123456789"))
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
        own = False
    if not own:
        raise damaged(path, "it holds no description of a policy")
    if not known:
        raise ValueError(f"{path} has the format {form}; this release reads {kind.format}: train again")
    return values


def check_weights(
    path: Path, tensors: Mapping[str, NDArray[Any]], shapes: Mapping[str, tuple[int, ...]]
) -> dict[str, NDArray[np.float32]]:
    """The weights in a file in single precision, in the order of `shapes`.

    Raises ValueError unless they have these shapes, and are finite floats in single or half precision.
    """
    if {name: value.shape for name, value in tensors.items()} != shapes:
        raise ValueError(f"the weights in {path} do not have the shapes that its header gives")
    if {value.dtype for value in tensors.values()} - {np.dtype(np.float32), np.dtype(np.float16)}:
        raise ValueError(f"the weights in {path} are not numbers in single or half precision")
    check_finite(str(path), tensors)
    return {name: tensors[name].astype(np.float32) for name in shapes}


def check_finite(where: str, tensors: Mapping[str, NDArray[Any]]) -> None:
    """Raise ValueError unless all weights are finite."""
    if not all(bool(np.isfinite(value).all()) for value in tensors.values()):
        raise ValueError(f"{where} holds weights that are not finite; the training diverged")


def damaged(path: Path, why: object) -> ValueError:
    """The error for a damaged file, in one line."""
    return ValueError(f"{path} is damaged or was not written by this suite: {' '.join(str(why).split())[:160]}")
