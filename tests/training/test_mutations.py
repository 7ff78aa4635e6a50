"""Files of a run that were changed: every change is refused in one line, or the run goes on."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import load, save

from hearts_agents.files import UNSEALED, seal
from hearts_training.train import checkpoints
from hearts_training.train.options import TrainOptions
from hearts_training.train.start import train
from tests.support.marks import few
from tests.training.runs import run

pytestmark = pytest.mark.usefixtures("one_thread", "no_figures")
WRONG: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    10**18,
    -(10**30),
    1.5,
    1e308,
    float("nan"),
    "",
    "x",
    "exec:false",
    [],
    [1],
    {},
)
EACH = 20


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mutations") / "run"
    run(folder, deals=25, evaluation_games=2)
    return folder


# --- the digests are made to fit ------------------------------------------------------------------------------


def places_of(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a JSON value."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, part in inside for place in places_of(part, (*path, key)))]


def change_json(state: Any, rng: random.Random) -> str:
    place = rng.choice(places_of(state)[1:])
    holder = state
    for key in place[:-1]:
        holder = holder[key]
    old = holder[place[-1]]
    if rng.random() < 0.2:
        del holder[place[-1]]
        return f"{place} removed"
    holder[place[-1]] = rng.choice([wrong for wrong in WRONG if wrong != old])
    return f"{place}: {old!r} -> {holder[place[-1]]!r}"


def scramble(array: NDArray[Any], rng: random.Random) -> NDArray[Any]:
    """An array with one value changed, or of another shape or type."""
    kind = rng.randrange(6)
    if kind == 0:
        return array[:-1].copy() if array.ndim else np.zeros(3, array.dtype)
    if kind == 1:
        return array.astype(np.float64 if array.dtype != np.float64 else np.int32)
    if kind == 2:
        return np.concatenate([array.ravel(), array.ravel()[:1]])
    flat = array.ravel().copy()
    if flat.size:
        place = rng.randrange(flat.size)
        values = [np.nan, np.inf, -1.0, 1e30] if flat.dtype.kind == "f" else _integers(flat.dtype)
        flat[place] = rng.choice(values)
    return flat.reshape(array.shape)


def _integers(dtype: Any) -> list[int]:
    low, high = (0, 1) if dtype == np.bool_ else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    return [low, high, *(value for value in (-3, -1, 0, 1, 53, 54, 700, 1000, 10**6) if low <= value <= high)]


def packed_types(name: str) -> Any:
    types = {"columns": "i2", "values": "f4", "observed": "i4", "counts": "i4", "masks": "u1", "actions": "i8"}
    return np.dtype({**types, "log_probs": "f4", "games": "u1"}[name.removeprefix("rows.")])


def change_tensors(tensors: dict[str, NDArray[Any]], rng: random.Random) -> str:
    rows = [name for name in tensors if name.partition(".")[0] in ("rows", "games")]
    name = rng.choice(rows if rng.random() < 0.7 else list(tensors))
    kind = rng.randrange(8)
    if kind == 0:
        del tensors[name]
    elif kind == 1:
        tensors["more"] = tensors[name]
    elif kind == 2:
        tensors[name] = tensors[rng.choice(list(tensors))]
    elif tensors[name].dtype == np.uint8 and name != "generator" and kind > 3:
        raw = np.frombuffer(zlib.decompress(tensors[name].tobytes()), packed_types(name)).copy()
        if raw.size:
            raw = scramble(raw, rng).astype(raw.dtype)
        tensors[name] = np.frombuffer(zlib.compress(raw.tobytes(), 1), np.uint8)
    else:
        tensors[name] = scramble(tensors[name], rng)
    return f"{name}, kind {kind}"


def write_checkpoint(checkpoint: Path, state: dict[str, Any], tensors: dict[str, NDArray[Any]]) -> None:
    """Write a checkpoint whose digests fit."""
    content = save(tensors)
    (checkpoint / checkpoints.TENSORS).write_bytes(content)
    fitting = {"sha256": UNSEALED, "tensors_sha256": hashlib.sha256(content).hexdigest()}
    (checkpoint / checkpoints.STATE_FILE).write_bytes(seal(json.dumps({**state, **fitting}).encode()))


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", few(range(4), 1))
def test_forged_checkpoints_are_refused_or_can_be_trained_on(original: Path, tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    checkpoint = checkpoints.find_checkpoint(original)
    state, content = checkpoints.load_state(checkpoint), (checkpoint / checkpoints.TENSORS).read_bytes()
    for number in range(EACH):
        changed, tensors = json.loads(json.dumps(state)), load(content)
        what = change_json(changed, rng) if number % 2 else change_tensors(tensors, rng)
        folder = tmp_path / str(number)
        (folder / checkpoint.name).mkdir(parents=True)
        write_checkpoint(folder / checkpoint.name, changed, tensors)
        options = TrainOptions(resume=folder, deals=20, threads=1, arena_deals=0, evaluation_games=2)
        try:
            train(options, lambda status: None)
        except ValueError as error:
            assert "\n" not in str(error), what  # noqa: PT017 - many of them are valid
        except BaseException as error:
            pytest.fail(f"{what}: {type(error).__name__}: {error}")
        shutil.rmtree(folder)
