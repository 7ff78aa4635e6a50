"""Every array that a public function hands to compiled code, fed with wrong ones; run as a program of its own.

A wrong array may crash the process, so `tests/play/test_arrays.py` starts this module and reads what it prints: a line
of JSON for each trial, and none after a crash.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import hearts_env as he
from hearts_agents import make_agent
from hearts_agents.arena.stats import control_variate
from hearts_agents.arena.tables import (
    TableBatch,
    TimedAgent,
    deal_numbers,
    deal_tables,
    measure_deals,
    share_matches,
    start_matches,
)
from hearts_agents.neural.inputs import counts_size, write_counts
from hearts_env.envs.learner import LearnerGames
from hearts_env.envs.options import EpisodeOptions
from hearts_env.envs.starts import start_games
from hearts_env.kernel.records import STATE
from hearts_env.play.illegal import why_illegal
from hearts_env.play.ranking import ranking_of
from hearts_env.play.view import check_records, view_of
from hearts_env.play.worlds import Worlds, likelihood, sample_worlds
from hearts_env.render.ansi import render_match_record
from hearts_env.render.pixels import render_record_pixels
from hearts_env.render.svg import render_record_svg

AGENTS = ("random", "rule", "pimc(worlds=2)", "ismcts(rollouts=4)", "endgame(worlds=2)")
SEEDS = np.arange(3, dtype=np.uint64)


def match() -> he.Match:
    """A match in its second trick."""
    match = he.Match("black_lady(cycle=[hold])", seed=3)
    for _ in range(6):
        match.play(match.legal()[-1])
    return match


def view() -> he.View:
    """The view of the seat to act."""
    position = match()
    return position.view(int(position.state["seat"][0]))


def records() -> Any:
    """Views of the seat to act, three times."""
    return np.repeat(np.array([view().record]), 3)


def finished() -> Any:
    """Records of finished deals."""
    batch = tables(np.repeat(match().state, 2), np.zeros((2, 4), np.int64), np.arange(2))
    batch.play()
    return batch.states


def tables(states: Any, lineups: Any, units: Any) -> TableBatch:
    """Tables that the random agent plays."""
    return TableBatch(match().game, [TimedAgent(make_agent("random"))], states, lineups, units)


def started() -> he.VectorEnv:
    """Three games that have begun."""
    env = he.vector_env("black_lady(cycle=[hold])", 3)
    env.reset(seed=3)
    return env


def restored(states: Any) -> he.VectorEnv:
    """Three games that go on from other records."""
    env = started()
    env.restore(env.save() | {"states": states})
    return env


def learner() -> LearnerGames:
    """The learner's seat in three games that have begun."""
    games = LearnerGames("black_lady(cycle=[hold])", 3)
    games.reset(seed=3)
    return games


def learned(actions: Any) -> list[Any]:
    """What a step of the learner's seat writes."""
    games = learner()
    games.step(actions)
    return [games.observations, games.action_masks, games.rewards]


def act(records: Any) -> list[Any]:
    """What agents and observations make of views."""
    views = he.Views(view().game, records)
    return [*(make_agent(spec).act_batch(views) for spec in AGENTS), *views.observations()]


def look(record: Any) -> list[Any]:
    """What one view shows."""
    seen = he.View(view().game, record, view().seat)
    return [seen.observation(), seen.action_mask(), seen.legal(), sample_worlds(seen, 2).records.tobytes()]


def worlds_of(records: Any = None, weights: Any = None) -> Any:
    """Hands of worlds."""
    drawn = sample_worlds(view(), 3)
    made = Worlds(
        view().game, drawn.records if records is None else records, drawn.weights if weights is None else weights
    )
    return [made.hands(place) for place in range(3)]


def decided(rows: Any) -> Any:
    """Decisions at some of three tables."""
    return tables(np.repeat(match().state, 3), np.zeros((3, 4), np.int64), np.arange(3)).decide(0, rows)


def game() -> Any:
    """The compiled rules."""
    return view().game


def first(views: he.Views) -> Any:
    """A policy: the first legal action."""
    return np.array([one.legal_ids()[0] for one in views])


@dataclass(frozen=True)
class Entry:
    """An array argument of a public function.

    Attributes:
        call: calls the function with a value for it.
        good: makes a right value.
        wrong: makes values that are right in type and shape, but not in what they hold.
    """

    call: Callable[[Any], Any]
    good: Callable[[], Any]
    wrong: Callable[[], list[Any]] = list


def changed(good: Any, *changes: tuple[Any, ...]) -> list[Any]:
    """Copies of records, one for each field that is set to another value."""
    found = []
    for name, *place, value in changes:
        copy = np.array(good)
        copy[name][(..., *place)] = value
        found.append(copy)
    return found


WRONG_FIELDS: tuple[tuple[Any, ...], ...] = (
    ("seat", 99), ("seat", -1), ("seat", 4), ("phase", 77), ("phase", -1), ("phase", 0), ("phase", 2), ("phase", 7),
    ("plies", 9999), ("plies", -1), ("plies", 2), ("history", 200), ("history_seat", 9), ("history", 0),
    ("trick_len", 120), ("trick_len", -3), ("trick_number", 100), ("led_suit", 100), ("leader", 50), ("dealer", -9),
    ("pass_option", 31), ("pass_entry", 31), ("hands", 0), ("hands", 2**64 - 1), ("taken", 2**63), ("kitty_given", 99),
    ("deal_number", -5), ("called", 100), ("first_winner", 100), ("shooter", -50), ("refuser", 90), ("next_leader", 44),
)  # fmt: skip


def void(array: Any) -> Any:
    """The first record of an array."""
    return array[0]


def broken(good: Callable[[], Any]) -> Callable[[], list[Any]]:
    """Records with fields that are out of range."""
    return lambda: changed(good(), *WRONG_FIELDS)


def broken_one(good: Callable[[], Any]) -> Callable[[], list[Any]]:
    """As `broken`, for one record."""
    return lambda: [void(array) for array in broken(good)()]


SEEDED = Entry(lambda value: start_matches(game(), value), lambda: SEEDS)
LINEUPS = [np.full((2, 4), 1), np.full((2, 4), -1), np.full((2, 4), 2**40)]
TOO_FAR = [np.array([0, 1, 2**40]), np.array([0, -1, 2])]
WHOLE = Entry(lambda value: render_match_record(game(), value), lambda: void(match().state))

ENTRIES: dict[str, Entry] = {
    "envs.vector.VectorEnv.step actions": Entry(
        lambda value: started().step(value)[:3],
        lambda: started().action_masks.argmax(axis=1),
        lambda: [*TOO_FAR, np.array([0, 1, 2**63 + 5], np.uint64), started().action_masks.argmax(axis=1) + 0.99],
    ),
    "envs.vector.VectorEnv.step games": Entry(
        lambda value: started().step(started().action_masks.argmax(axis=1), value)[:3],
        lambda: np.arange(3),
        lambda: [*TOO_FAR, np.array([0, 1, 1])],
    ),
    "envs.vector.VectorEnv.restore saved": Entry(
        lambda value: restored(value).observations,
        lambda: started().states,
        broken(lambda: started().states),
    ),
    "envs.vector.VectorEnv.hidden out": Entry(lambda value: started().hidden(value), lambda: started().hidden()),
    "envs.learner.LearnerGames.step actions": Entry(
        learned, lambda: learner().action_masks.argmax(axis=1), lambda: TOO_FAR
    ),
    "envs.starts.start_games seeds": Entry(
        lambda value: start_games(game(), value, None, EpisodeOptions()), lambda: np.arange(3, dtype=np.uint64)
    ),
    "neural.inputs.write_counts counts": Entry(
        lambda value: write_counts(he.Views(game(), records()), value),
        lambda: np.zeros((len(records()), counts_size(game())), np.float32),
    ),
    "play.observation.widen_observations rows": Entry(
        he.widen_observations, lambda: he.vector_env(num_envs=3, observations="uint8").observations
    ),
    "play.view.View.__init__ record": Entry(look, lambda: view().record, broken_one(records)),
    "play.view.Views.__init__ records": Entry(act, records, broken(records)),
    "play.view.check_records records": Entry(
        lambda value: check_records(game(), "x", value, -2), records, broken(records)
    ),
    "play.view.check_record record": Entry(look, lambda: view().record, broken_one(records)),
    "play.setup.check_type record": Entry(look, lambda: view().record),
    "play.view.view_of states": Entry(
        lambda value: view_of(game(), value, 1).observation(), lambda: match().state
    ),
    "play.illegal.why_illegal record": Entry(
        lambda value: why_illegal(game(), value, 3), lambda: void(match().state), broken_one(lambda: match().state)
    ),
    "play.ranking.ranking_of record": Entry(lambda value: ranking_of(game(), value), lambda: void(match().state)),
    "play.worlds.Worlds.__init__ records": Entry(
        worlds_of, lambda: sample_worlds(view(), 3).records, broken(lambda: sample_worlds(view(), 3).records)
    ),
    "play.worlds.Worlds.__init__ weights": Entry(
        lambda value: worlds_of(weights=value), lambda: sample_worlds(view(), 3).weights
    ),
    "play.worlds.likelihood worlds": Entry(
        lambda value: likelihood(view(), value, first),
        lambda: sample_worlds(view(), 3).records,
        broken(lambda: sample_worlds(view(), 3).records),
    ),
    "play.worlds.likelihood policy": Entry(
        lambda value: likelihood(view(), sample_worlds(view(), 3).records, lambda _: value), lambda: np.arange(3)
    ),
    "play.worlds.sample_worlds policy": Entry(
        lambda value: sample_worlds(view(), 3, policy=lambda _: value).weights, lambda: np.arange(3)
    ),
    "render.ansi.render_match_record record": Entry(WHOLE.call, WHOLE.good, broken_one(lambda: match().state)),
    "render.pixels.render_record_pixels record": Entry(
        lambda value: render_record_pixels(game(), value).sum(), WHOLE.good, broken_one(lambda: match().state)
    ),
    "render.svg.render_record_svg record": Entry(
        lambda value: render_record_svg(game(), value), WHOLE.good, broken_one(lambda: match().state)
    ),
    "arena.tables.start_matches seeds": SEEDED,
    "arena.tables.deal_tables seeds": Entry(lambda value: deal_tables(game(), value, 0), lambda: SEEDS),
    "arena.tables.deal_numbers seeds": Entry(
        lambda value: deal_numbers(game(), value, np.zeros(3, np.int64)), lambda: SEEDS
    ),
    "arena.tables.deal_numbers numbers": Entry(
        lambda value: deal_numbers(game(), SEEDS, value), lambda: np.arange(3), lambda: TOO_FAR
    ),
    "arena.tables.measure_deals ends": Entry(lambda value: measure_deals(game(), value), finished, broken(finished)),
    "arena.tables.share_matches ends": Entry(lambda value: share_matches(game(), value), finished, broken(finished)),
    "arena.tables.TableBatch.__init__ states": Entry(
        lambda value: tables(value, np.zeros((2, 4), np.int64), np.arange(2)).play(),
        lambda: np.repeat(match().state, 2),
        broken(lambda: np.repeat(match().state, 2)),
    ),
    "arena.tables.TableBatch.__init__ lineups": Entry(
        lambda value: tables(np.repeat(match().state, 2), value, np.arange(2)).play(),
        lambda: np.zeros((2, 4), np.int64),
        lambda: LINEUPS,
    ),
    "arena.tables.TableBatch.__init__ units": Entry(
        lambda value: tables(np.repeat(match().state, 2), np.zeros((2, 4), np.int64), value).play(),
        lambda: np.arange(2),
        lambda: [np.array([-1, 0])],
    ),
    "arena.tables.TableBatch.decide rows": Entry(decided, lambda: np.arange(3), lambda: TOO_FAR),
    "arena.tables.TableBatch.take actions": Entry(
        lambda value: tables(np.repeat(match().state, 2), np.zeros((2, 4), np.int64), np.arange(2)).take(value),
        lambda: np.repeat(view().legal_ids()[0], 2),
        lambda: [np.array([0, 99]), np.array([-1, 0])],
    ),
    "arena.stats.control_variate seeds": Entry(
        lambda value: control_variate(game(), value, 1).features, lambda: np.arange(30, dtype=np.uint64)
    ),
}  # fmt: skip
"""Function and argument -> how to try it."""


def variants(good: Any) -> Iterator[tuple[str, Any]]:
    """Arrays that differ from a right one in shape, type or layout; a name that begins with "same" holds the same."""
    yield "None", None
    yield "text", "array"
    yield "list", [[1, 2], [3]]
    yield "number", 5
    array = np.array(good)
    yield "floats", np.zeros(array.shape, np.float64)
    yield "bytes", np.zeros(array.shape, np.int8)
    yield "objects", np.zeros(array.shape, object)
    yield "other records", np.zeros(array.shape, [("seat", "i1"), ("phase", "i1")])
    if not array.ndim:
        return
    yield "one more", np.concatenate([array, array[:1]])
    yield "too small", array[:-1]
    yield "deeper", array[None]
    yield "flat", array.reshape(-1)[: max(1, array.size // 2)]
    strided = np.repeat(array, 2, axis=0)[::2]
    yield "same, strided", strided
    fixed = array.copy()
    fixed.flags.writeable = False
    yield "same, read-only", fixed
    if array.ndim > 1:
        yield "same, Fortran", np.asfortranarray(array)
    yield "no entries", array[:0]


def tried(entry: Entry, value: Any) -> dict[str, Any]:
    """What comes of a call."""
    try:
        result = entry.call(value)
    except (ValueError, TypeError) as error:
        return {"error": f"{type(error).__name__}: {error}"}
    except Exception as error:
        return {"odd": f"{type(error).__name__}: {error}"}
    return {"result": content(result)}


def content(result: Any) -> str:
    """A result as text that can be compared."""
    if isinstance(result, np.ndarray):
        return result.tobytes().hex()
    return str([content(one) for one in result]) if isinstance(result, list | tuple) else str(result)


def main() -> None:
    """Try every entry with everything."""
    for name, entry in ENTRIES.items():
        trials = [("good", entry.good()), *variants(entry.good())]
        trials += [(f"wrong {place}", value) for place, value in enumerate(entry.wrong())]
        for kind, value in trials:
            print(json.dumps({"entry": name, "kind": kind, "begins": True}), flush=True)
            print(json.dumps({"entry": name, "kind": kind, **tried(entry, value)}), flush=True)


if __name__ == "__main__":
    assert STATE.itemsize
    main()
    sys.exit(0)
