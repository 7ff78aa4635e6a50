"""Wrong values at the public doors: each is refused in one line and leaves everything as it was, or means what it says.

A door is a function of a fresh object and a value. A value that is accepted must be one of those that the door takes:
whole numbers in range, right cards, arrays of the right form. A wrong one that passes has been changed on the way.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

import hearts_env as he
from tests.fuzz.attack import Attack, BrokenError, Case, refusal
from tests.support.buffers import everything

HANDS = [[rank + suit for rank in "23456789TJQKA"] for suit in "CDHS"]
ENVS = 3
HUGE = int("9" * 400)
SCALARS: dict[str, Any] = {
    **{str(number): number for number in (0, 1, 2, 3, 4, 5, 53, 54, 255, -1, -2, 10**9, 2**31, -(2**31))},
    **{f"2**{power}": 2**power for power in (32, 53, 63, 64)} | {"2**32+1": 2**32 + 1, "2**64-1": 2**64 - 1},
    **{"10**400": HUGE, "-10**400": -HUGE, "1.5": 1.5, "-0.99": -0.99, "1e300": 1e300, "nan": float("nan")},
    **{
        "inf": float("inf"),
        "1j": 1j,
        "None": None,
        "True": True,
        "'1'": "1",
        "''": "",
        "'2C'": "2C",
        "'x'*9999": "x" * 9999,
    },
    **{"'\\0'": "\0", "b'1'": b"1", "[]": [], "[1]": [1], "{}": {}, "object": object, "1/2": Fraction(1, 2)},
    **{"np.int8(-1)": np.int8(-1), "np.float32(1.5)": np.float32(1.5), "np.uint64(max)": np.uint64(2**64 - 1)},
    **{"np.array(1)": np.array(1), "np.array([])": np.array([]), "np.array('x')": np.array("x"), "print": print},
}
ARRAYS: dict[str, Callable[[Any], Any]] = {
    "+0.99": lambda right: right + 0.99,
    "as float": lambda right: right.astype(np.float64),
    "as complex": lambda right: right.astype(np.complex64) + 1j,
    "as bool": lambda right: right.astype(bool),
    "as text": lambda right: right.astype(str),
    "as objects": lambda right: np.array([object()] * right.size, object).reshape(right.shape),
    "as int8": lambda right: right.astype(np.int8),
    "+2**32": lambda right: right.astype(np.int64) + 2**32,
    "+2**63": lambda right: right.astype(np.uint64) + np.uint64(2**63),
    "nan": lambda right: np.full(right.shape, np.nan),
    "too short": lambda right: right[:-1],
    "too long": lambda right: np.concatenate([right, right]),
    "empty": lambda right: right[:0],
    "one more axis": lambda right: right[..., None],
    "flat": lambda right: right.reshape(-1)[: right.size - 1],
    "narrow": lambda right: np.zeros((*right.shape[:-1], 1), right.dtype),
    "a number": lambda right: right.dtype.type(0),
    "every other": lambda right: np.repeat(right, 2, axis=-1)[..., ::2],
    "transposed": lambda right: np.ascontiguousarray(right.T).T,
    "read-only": lambda right: np.frombuffer(right.tobytes(), right.dtype).reshape(right.shape),
    "swapped bytes": lambda right: right.astype(right.dtype.newbyteorder()),
    "list": lambda right: right.tolist(),
    "none": lambda right: None,
}


class World:
    """Fresh objects for a door, and their contents as bytes."""

    def __init__(self) -> None:
        self.match = he.Match("black_lady", seed=3)
        self.vector = he.vector_env("black_lady", ENVS)
        self.vector.reset(seed=3)
        self.actions = self.vector.sample_actions(np.random.default_rng(1))
        self.aec = he.raw_env("black_lady")
        self.aec.reset(seed=3)

    def content(self) -> Any:
        """Everything that a refusal must leave as it was."""
        return self.match.record(), self.match.state.tobytes(), everything(self.vector), self.aec.record.tobytes()


@dataclass(frozen=True)
class Door:
    """A public function with one argument left open.

    Attributes:
        call: the call with a value; its result tells what the value came to, or is None.
        takes: whether a value, and what it came to, is right for it.
        right: for an array, the right one.
    """

    call: Callable[[World, Any], Any]
    takes: Callable[[Any, Any], bool] = lambda value, result: False
    right: Callable[[World], Any] | None = None


def whole(least: int, most: int, also: tuple[Any, ...] = ()) -> Callable[[Any, Any], bool]:
    """Whole numbers in a range that come to themselves."""

    def takes(value: Any, result: Any) -> bool:
        if any(value is other for other in also):
            return True
        try:
            number = operator.index(value)
        except TypeError:
            return False
        return least <= number <= most and result in (None, number)

    return takes


def _vector(name: str) -> Callable[[World, Any], Any]:
    return lambda world, value: he.vector_env("black_lady", **{"num_envs": 2, name: value}).reset(seed=1) and None


def _position(name: str) -> Callable[[World, Any], Any]:
    return lambda world, value: he.Match.from_hands("black_lady", HANDS, **{name: value}) and None


def _same(value: Any, wanted: Any) -> bool:
    found = np.asarray(value)
    return found.shape == wanted.shape and found.dtype != bool and bool((found == wanted).all())


def _step(world: World, value: Any) -> Any:
    before = world.actions.copy()
    world.vector.step(value)
    return before


def _hidden(world: World, value: Any) -> Any:
    if value is None:
        return None
    world.vector.hidden(out=value)
    return world.vector.hidden()


def _worlds(name: str) -> Callable[[World, Any], Any]:
    from hearts_env.play.worlds import sample_worlds

    return lambda world, value: sample_worlds(world.match.view(0), **{"count": 2, name: value}) and None


def _arena(name: str) -> Callable[[World, Any], Any]:
    from hearts_agents.arena import run_arena

    return lambda world, value: run_arena(["random"], **{"deals": 1, name: value}) and None


def _agent(world: World, value: Any) -> None:
    from hearts_agents import make_agent

    make_agent(value)


MOST_SEED = 2**64 - 1
NUMBERS: dict[str, Door] = {
    "Match(seed=)": Door(lambda w, v: he.Match("black_lady", seed=v).seed, whole(0, MOST_SEED, (None,))),
    "Match(rules)": Door(lambda w, v: he.Match(v) and None),
    "Match.play": Door(lambda w, v: w.match.play(v), lambda v, _: v in ("2C",) or whole(0, 53)(v, None)),
    "Match.view": Door(lambda w, v: w.match.view(v) and None, whole(0, 3)),
    "Match.replay": Door(lambda w, v: he.Match.replay(v)),
    "from_hands(hands)": Door(lambda w, v: he.Match.from_hands("black_lady", v), lambda v, _: v is None),
    "from_hands(hands=[v]*4)": Door(lambda w, v: he.Match.from_hands("black_lady", [v] * 4)),
    "from_hands(leader=)": Door(_position("leader"), whole(0, 3, (None,))),
    "from_hands(dealer=)": Door(_position("dealer"), whole(0, 3)),
    "from_hands(totals=)": Door(_position("totals"), lambda v, _: v is None),
    "from_hands(totals=[v]*4)": Door(
        lambda w, v: he.Match.from_hands("black_lady", HANDS, totals=[v] * 4).totals[0], whole(-(10**9), 10**9)
    ),
    "from_hands(deal_number=)": Door(_position("deal_number"), whole(0, 10**9)),
    "from_hands(seed=)": Door(_position("seed"), whole(0, MOST_SEED, (None,))),
    "from_hands(played=)": Door(_position("played"), lambda v, _: hasattr(v, "__len__") and not len(v)),
    "from_hands(played=[v])": Door(
        lambda w, v: he.Match.from_hands("black_lady", HANDS, played=[v]) and None, lambda v, _: v in ("2C", 0)
    ),
    "vector_env(num_envs=)": Door(_vector("num_envs"), whole(1, 10**6)),
    "vector_env(threads=)": Door(_vector("threads"), whole(1, 4096)),
    "vector_env(deals=)": Door(_vector("deals"), whole(1, 2**31 - 1, (None,))),
    "vector_env(players=)": Door(_vector("players"), whole(3, 6)),
    "vector_env(end.target=)": Door(_vector("end.target"), lambda v, _: v in (None, "1") or whole(1, 10**9)(v, None)),
    "vector_env(reward=)": Door(_vector("reward")),
    "VectorEnv.reset": Door(lambda w, v: w.vector.reset(seed=v) and None, whole(0, HUGE, (None,))),
    "VectorEnv.sample_actions": Door(lambda w, v: w.vector.sample_actions(v)),
    "raw_env.step": Door(lambda w, v: w.aec.step(v), whole(0, 53)),
    "raw_env.reset": Door(lambda w, v: w.aec.reset(seed=v), whole(0, HUGE, (None,))),
    "env(deals=)": Door(lambda w, v: he.env("black_lady", deals=v).reset(seed=1), whole(1, 2**31 - 1, (None,))),
    "score_deal(taken)": Door(lambda w, v: he.score_deal("black_lady", v)),
    "score_deal(tricks_won=)": Door(
        lambda w, v: he.score_deal("black_lady", HANDS, tricks_won=v), lambda v, _: v is None
    ),
    "score_deal(totals=)": Door(lambda w, v: he.score_deal("black_lady", HANDS, totals=v), lambda v, _: v is None),
    "score_deal(deal_number=)": Door(
        lambda w, v: he.score_deal("black_lady", HANDS, deal_number=v) and None, whole(0, 10**9)
    ),
    "legal_plays(hand)": Door(
        lambda w, v: he.legal_plays("black_lady", v), lambda v, _: hasattr(v, "__len__") and not len(v)
    ),
    "legal_plays(trick)": Door(
        lambda w, v: he.legal_plays("black_lady", ["2C"], v), lambda v, _: hasattr(v, "__len__") and not len(v)
    ),
    "trick_winner": Door(lambda w, v: he.trick_winner("black_lady", v)),
    "observation_layout": Door(lambda w, v: he.observation_layout(v)),
    "sample_worlds(count=)": Door(_worlds("count"), whole(1, 10**6)),
    "sample_worlds(seed=)": Door(_worlds("seed"), whole(0, HUGE, (None,))),
    "make_agent": Door(_agent),
    "run_arena(deals=)": Door(_arena("deals"), whole(1, 10**3, (None,))),
    "run_arena(seed=)": Door(_arena("seed"), whole(0, MOST_SEED, (None,))),
    "run_arena(processes=)": Door(_arena("processes"), whole(1, 10**3)),
    "run_arena(tables_at_once=)": Door(_arena("tables_at_once"), whole(1, HUGE, (None,))),
}
FORMS: dict[str, Door] = {
    "VectorEnv.step": Door(_step, _same, lambda w: w.actions),
    "VectorEnv.hidden(out=)": Door(
        _hidden, lambda v, result: result is None or _same(v, result), lambda w: w.vector.hidden()
    ),
}


def draw(rng: Random) -> Case:
    """A door and the name of a value."""
    if rng.random() < 0.3:
        return {"door": rng.choice(sorted(FORMS)), "value": rng.choice(sorted(ARRAYS))}
    return {"door": rng.choice(sorted(NUMBERS)), "value": rng.choice(sorted(SCALARS))}


def check(case: Case) -> Counter[str]:
    """Call a door with a value."""
    world = World()
    before, name = world.content(), case["door"]
    door = FORMS[name] if name in FORMS else NUMBERS[name]
    value = SCALARS[case["value"]] if door.right is None else ARRAYS[case["value"]](door.right(world))
    try:
        result = door.call(world, value)
    except (ValueError, TypeError, AttributeError, AssertionError, MemoryError) as error:  # as Python itself refuses
        refusal(error)
    else:
        if not door.takes(value, result):
            raise BrokenError(f"{name} accepts {case['value']}")
        return Counter(accepted=1)
    if world.content() != before:
        raise BrokenError(f"{name} refuses {case['value']} but something has changed")
    return Counter(refused=1)


ATTACK = Attack("api", draw, check, seconds=20, memory=12)
