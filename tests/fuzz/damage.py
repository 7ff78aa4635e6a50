"""Damage to files: the operations that cases of `files` are made of.

An operation is a list: its name, the name of a file, and arguments. Places are fractions of the file (or of the list of
all paths in its JSON), so that a case means the same where the file has another length. The JSON of a safetensors file
is its header.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

VALUES = [
    *("null", "true", "-1", "0", "1", "3", "1e999", "NaN", "1.5", "4294967297", "9" * 400, "-" + "9" * 25, '""'),
    *('"x"', '"nan"', "[]", "{}", "[[]]", "[null]", '{"x": 1}', '"black_lady(players=5)"', "[" * 50 + "]" * 50),
    *(
        '"exec:touch PLANTED"',
        '"exec:sh -c \\"touch PLANTED\\""',
        '"net:/nowhere"',
        '"\\u0000"',
        '"../../x"',
        "[1000000000]",
    ),
]
"""What JSON values are replaced by. No program named in a file may run: `PLANTED` must not appear."""
SEAL = re.compile(rb'"sha256": ?"([0-9a-f]{64})"')


def draw_damage(files: list[str], rng: Random) -> list[list[Any]]:
    """One to three operations; now and then the digests are made to fit again."""
    found: list[list[Any]] = []
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        file, place = rng.choice(files), round(rng.random(), 6)
        size = rng.choice([1, 2, 8, 64, 1000, 100_000])
        json_only: list[list[Any]] = [
            ["set", place, rng.choice(VALUES)],
            ["delete", place],
            ["twice", place],
            ["swap", place, rng.random()],
        ]
        anywhere: list[list[Any]] = [
            ["flip", place, rng.randrange(8)],
            ["cut", place],
            ["drop", place, size],
            ["double", place, size],
            ["fill", place, size, rng.choice([0, 48, 57, 255])],
            ["insert", place, rng.randbytes(rng.choice([1, 4, 40])).hex()],
            ["replace", place, rng.choice(["0", "-1", "9" * 30, "exec:touch PLANTED", "\n\n", "♥"])],
            ["remove"],
            ["folder"],
        ]
        holds_json = file.endswith(("json", "safetensors", "save"))
        chosen = rng.choice(json_only if holds_json and rng.random() < 0.5 else anywhere)
        if file.endswith("safetensors") and rng.random() < 0.25:
            chosen = ["tensor", place, rng.choice([-1, 0, 1, 255, 10**6, -(10**9), 2**62])]
        found.append([chosen[0], file, *chosen[1:]])
    return [*found, ["forge", ""]] if rng.random() < 0.3 else found


def apply(operations: list[list[Any]], folder: Path) -> None:
    """Damage the files of a folder."""
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    for name, file, *arguments in operations:
        if name == "forge":
            forge(folder, before)
        for path in [path for path in folder.rglob(file) if path.is_file()] if file else []:
            if name in _PAIRS:
                _PAIRS[name](path, folder / arguments[0])
            else:
                _damage(path, name, arguments)


def _damage(path: Path, name: str, arguments: list[Any]) -> None:
    if name in ("remove", "folder"):
        path.unlink()
        if name == "folder":
            path.mkdir()
    elif name == "tensor":
        _fill_tensor(path, *arguments)
    elif name in _JSON:
        try:
            head, data, tail = _read_json(path)
        except ValueError:  # earlier damage
            return
        _write_json(path, head, _JSON[name](data, *arguments), tail)
    else:
        content = path.read_bytes()
        place = min(int(arguments[0] * len(content)), max(len(content) - 1, 0))
        path.write_bytes(_BYTES[name](content, place, *arguments[1:]))


def _exchange(path: Path, other: Path) -> None:
    mine, its = path.read_bytes(), other.read_bytes()
    path.write_bytes(its)
    other.write_bytes(mine)


_PAIRS: dict[str, Callable[[Path, Path], object]] = {
    "exchange": _exchange,
    "over": lambda path, other: shutil.copy(other, path),
}


def _flip(content: bytes, place: int, bit: int) -> bytes:
    changed = bytearray(content)
    if changed:
        changed[place] ^= 1 << bit
    return bytes(changed)


_BYTES: dict[str, Callable[..., bytes]] = {
    "flip": _flip,
    "cut": lambda content, place: content[:place],
    "drop": lambda content, place, size: content[:place] + content[place + size :],
    "double": lambda content, place, size: content[: place + size] + content[place:],
    "fill": lambda content, place, size, byte: content[:place] + bytes([byte]) * size + content[place + size :],
    "insert": lambda content, place, text: content[:place] + bytes.fromhex(text) + content[place:],
    "replace": lambda content, place, text: content[:place] + text.encode() + content[place + len(text) :],
}


# JSON


def _read_json(path: Path) -> tuple[bytes, Any, bytes]:
    """What stands before the JSON, the JSON and what follows."""
    content = path.read_bytes()
    if path.suffix != ".safetensors":
        return b"", json.loads(content), b""
    size = int.from_bytes(content[:8], "little")
    return content[:8], json.loads(content[8 : 8 + size]), content[8 + size :]


def _write_json(path: Path, head: bytes, data: Any, tail: bytes) -> None:
    text = json.dumps(data).encode()
    path.write_bytes((len(text).to_bytes(8, "little") if head else b"") + text + tail)


def _paths(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    keys = data if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
    for key in keys:
        yield (*path, key)
        yield from _paths(data[key], (*path, key))


def _find(data: Any, place: Any) -> tuple[Any, Any]:
    """The container and the key of a path, given by name (``config.teacher``) or as a fraction of all paths."""
    every = list(_paths(data))
    wanted = [path for path in every if ".".join(map(str, path)) == place] if isinstance(place, str) else every
    if not wanted:
        return {"": None}, ""
    path = wanted[0] if isinstance(place, str) else wanted[min(int(place * len(wanted)), len(wanted) - 1)]
    for key in path[:-1]:
        data = data[key]
    return data, path[-1]


def _set(data: Any, place: Any, text: str) -> Any:
    container, key = _find(data, place)
    container[key] = json.loads(text)
    return data


def _delete(data: Any, place: Any) -> Any:
    container, key = _find(data, place)
    del container[key]
    return data


def _twice(data: Any, place: Any) -> Any:
    container, key = _find(data, place)
    if isinstance(container, list):
        container.insert(key, container[key])
    else:
        container[f"{key}2"] = container[key]
    return data


def _swap(data: Any, place: Any, other: Any) -> Any:
    (one, first), (two, second) = _find(data, place), _find(data, other)
    one[first], two[second] = json.loads(json.dumps(two[second])), json.loads(json.dumps(one[first]))
    return data


_JSON: dict[str, Callable[..., Any]] = {"set": _set, "delete": _delete, "twice": _twice, "swap": _swap}


def _fill_tensor(path: Path, place: Any, value: int) -> None:
    """Set every number of a tensor, named or as a fraction of all tensors, to a value of its width."""
    try:
        head, header, tail = _read_json(path)
        names = [name for name in header if name != "__metadata__"]
        name = place if isinstance(place, str) else names[int(place * len(names)) % len(names)]
        first, last = map(int, header[name]["data_offsets"])
        width = {"64": 8, "32": 4, "16": 2}.get(header[name]["dtype"][-2:], 1)
    except (ValueError, LookupError, TypeError, AttributeError):  # earlier damage
        return
    number = (value % (1 << 8 * width)).to_bytes(width, "little")
    _write_json(path, head, header, tail[:first] + number * ((last - first) // width) + tail[last:])


# Digests


def forge(folder: Path, before: dict[Path, bytes]) -> None:
    """Make the digests fit the damaged files, as somebody who wants to be believed would."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    for path in files:
        old, new = (hashlib.sha256(content).hexdigest() for content in (before[path], path.read_bytes()))
        for other in files:
            other.write_bytes(other.read_bytes().replace(old.encode(), new.encode()))
    for path in files:
        with suppress(ValueError):  # no seal, or no place for one
            if _sealed(before[path]) == before[path]:
                path.write_bytes(_sealed(path.read_bytes()))


def _sealed(content: bytes) -> bytes:
    """A file with the SHA-256 of itself, in which zeros stand for it."""
    found = SEAL.search(content)
    if found is None:
        raise ValueError("it has no digest")
    blank = content[: found.start(1)] + b"0" * 64 + content[found.end(1) :]
    return content[: found.start(1)] + hashlib.sha256(blank).hexdigest().encode() + content[found.end(1) :]


def copy_to(original: Path, folder: Path) -> None:
    """A fresh copy of a folder."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(original, folder)
