"""Records and arrays of callers: what enters compiled code has the right shape, type and content, or is refused."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import hearts_env as he
from hearts_agents import make_agent
from hearts_agents.arena.tables import TableBatch, TimedAgent, deal_numbers, measure_deals
from hearts_env.render.ansi import render_match_record
from hearts_env.render.svg import render_record_svg
from hearts_env.seat.illegal import why_illegal
from hearts_env.seat.view import view_of
from hearts_env.seat.worlds import Worlds, likelihood, sample_worlds
from hearts_env.table.ranking import ranking_of

RULES = "black_lady(cycle=[hold])"
MATCH = he.Match(RULES, seed=3)
for _ in range(6):
    MATCH.play(MATCH.legal()[-1])
GAME, VIEW = MATCH.game, MATCH.view(MATCH.seat or 0)
WRONG_FIELDS: tuple[tuple[str, Any], ...] = (
    ("seat", 99), ("seat", -1), ("seat", 4), ("phase", 77), ("phase", -1), ("phase", 0), ("phase", 2), ("phase", 7),
    ("plies", 9999), ("plies", -1), ("plies", 2), ("history", 200), ("history_seat", 9), ("history", 0),
    ("trick_len", 120), ("trick_len", -3), ("trick_number", 100), ("led_suit", 100), ("leader", 50), ("dealer", -9),
    ("pass_option", 31), ("pass_entry", 31), ("hands", 0), ("hands", 2**64 - 1), ("taken", 2**63), ("kitty_given", 99),
    ("deal_number", -5), ("called", 100), ("first_winner", 100), ("shooter", -50), ("refuser", 90), ("next_leader", 44),
)  # fmt: skip


def started() -> he.VectorEnv:
    """Three games that have begun."""
    env = he.vector_env(RULES, 3)
    env.reset(seed=3)
    return env


def restored(states: Any) -> Any:
    env = started()
    env.restore(env.save() | {"states": states})
    return env.observations


def tables(states: Any, lineups: Any = None, units: Any = None) -> TableBatch:
    """Two tables that the random agent plays."""
    lineups, units = (
        (np.zeros((2, 4), np.int64) if lineups is None else lineups),
        (np.arange(2) if units is None else units),
    )
    return TableBatch(GAME, [TimedAgent(make_agent("random"))], states, lineups, units)


def finished() -> Any:
    batch = tables(np.repeat(MATCH.state, 2))
    batch.play()
    return batch.states


def acted(records: Any) -> Any:
    views = he.Views(GAME, records)
    return [make_agent(spec).act_batch(views).tolist() for spec in ("rule", "pimc(worlds=2)", "endgame(worlds=2)")]


SAMPLED = sample_worlds(VIEW, 3)
RECORDS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "View": (lambda value: he.View(GAME, value, VIEW.seat).observation(), VIEW.record),
    "Views": (acted, np.repeat(np.array([VIEW.record]), 3)),
    "view_of": (lambda value: view_of(GAME, value, 1).observation(), MATCH.state),
    "why_illegal": (lambda value: why_illegal(GAME, value, 3), MATCH.state[0]),
    "ranking_of": (lambda value: ranking_of(GAME, value), MATCH.state[0]),
    "Worlds": (lambda value: Worlds(GAME, value, SAMPLED.weights).hands(0), SAMPLED.records),
    "likelihood": (lambda value: likelihood(VIEW, value, make_agent("rule").act_batch), SAMPLED.records),
    "render_match_record": (lambda value: render_match_record(GAME, value), MATCH.state[0]),
    "render_record_svg": (lambda value: render_record_svg(GAME, value), MATCH.state[0]),
    "VectorEnv.restore": (restored, started().states),
    "TableBatch": (lambda value: tables(value).play(), np.repeat(MATCH.state, 2)),
    "measure_deals": (lambda value: measure_deals(GAME, value), finished()),
}
"""Functions of records, and a right value."""
LOOKS_AT_FEW = ("view_of", "ranking_of")
"""They say nothing about fields that they do not read."""


def refused(call: Callable[[Any], Any], value: Any) -> bool:
    """Whether a value is refused, in one line."""
    try:
        call(value)
    except (ValueError, TypeError) as error:
        line = str(error)
    else:
        return False
    assert 0 < len(line) < 500
    assert "\n" not in line
    return True


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_that_cannot_be_is_refused_in_one_line(name: str) -> None:
    call, good = RECORDS[name]
    assert not refused(call, good)
    shape = np.shape(good)
    wrong = [
        None,
        "array",
        5,
        [[1, 2], [3]],
        np.zeros(shape),
        np.zeros(shape, object),
        np.zeros(shape, [("seat", "i1")]),
    ]
    assert [value for value in wrong if not refused(call, value)] == []
    for field, value in WRONG_FIELDS if name not in LOOKS_AT_FEW else ():
        changed = np.array(good)
        changed[field] = value
        record = changed if shape else changed[()]
        assert refused(call, record) or repr(call(record)) == repr(call(good)), (field, value)


ARRAYS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "VectorEnv.step games": (lambda value: started().step(started().action_masks.argmax(axis=1), value), np.arange(3)),
    "deal_numbers": (lambda value: deal_numbers(GAME, np.arange(3, dtype=np.uint64), value), np.arange(3)),
    "lineups": (lambda value: tables(np.repeat(MATCH.state, 2), value).play(), np.zeros((2, 4), np.int64)),
    "take": (lambda value: tables(np.repeat(MATCH.state, 2)).take(value), np.repeat(VIEW.legal_ids()[0], 2)),
}
"""Functions of numbers, and a right value."""


@pytest.mark.parametrize("name", ARRAYS)
def test_an_array_that_is_out_of_range_is_refused_in_one_line(name: str) -> None:
    call, good = ARRAYS[name]
    assert not refused(call, good)
    wrong = ["array", [[1], [2, 3]], good + 0.99, good > 0, good.astype(object), good[None], good + 2**40, good - 2**40]
    assert [value for value in wrong if not refused(call, value)] == []


def test_hidden_hands_are_written_into_a_right_array_only() -> None:
    env = started()
    right = env.hidden()
    for wrong in (right[:-1], np.concatenate([right, right]), right.astype(np.float64), right[..., None], right.T, 5):
        assert refused(env.hidden, wrong)
    assert env.hidden(np.empty_like(right)).tobytes() == right.tobytes()
