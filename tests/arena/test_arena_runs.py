"""How the arena runs in several processes, and what it writes."""

import csv
import io
from collections.abc import Callable
from contextlib import suppress
from itertools import permutations
from multiprocessing import active_children
from pickle import PicklingError
from typing import Any

import numpy as np
import pytest

from hearts_agents import Agent
from hearts_agents.arena import AgentFailed, ArenaInterrupted, ArenaResult, run_arena
from hearts_agents.arena.report import pair_cells, to_csv, to_markdown
from hearts_agents.workers.processes import pool, work
from hearts_env.seat.view import Views
from hearts_env.table.match import Match


def untimed(result: ArenaResult) -> dict[str, Any]:
    data = result.to_dict()
    for agent in data["agents"]:
        del agent["ms_per_decision"]
    return data


COMMAND: dict[str, Any] = {"agents": ["rule", "random"], "deals": 10, "seed": 2, "tables_at_once": 16}


class Stream(Agent):
    """Plays at random from a stream: what it does depends on its earlier decisions."""

    name = "stream"

    def reset(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def __init__(self) -> None:
        self.reset(0)

    def act_batch(self, views: Views) -> np.ndarray:
        return np.array([self.rng.choice(view.legal_ids()) for view in views])


class Broken(Agent):
    """Fails at once."""

    name = "broken"

    def act_batch(self, views: Views) -> np.ndarray:
        raise LookupError("nothing there")


# --- several processes -----------------------------------------------------------------------------


def nothing() -> Callable[[int], int]:
    return abs


def test_a_pool_that_is_stopped_leaves_the_others_alone() -> None:
    with pool(nothing, 1) as stays:
        with suppress(KeyboardInterrupt), pool(nothing, 1) as stops:
            assert stays.submit(work, -1).result() == stops.submit(work, -1).result() == 1
            raise KeyboardInterrupt
        assert stays.submit(work, -2).result() == 2


def test_what_cannot_be_sent_to_a_process_is_the_error() -> None:
    with pytest.raises((AttributeError, PicklingError), match="pickle"), pool(lambda: abs, 1) as workers:
        workers.submit(work, -1).result()


@pytest.mark.exhaustive
def test_the_table_does_not_depend_on_the_number_of_processes() -> None:
    shares: list[float] = []
    arguments: dict[str, Any] = {"deals": 10, "seed": 4, "tables_at_once": 16}
    one = run_arena(["rule", Stream()], **arguments)
    two = run_arena(["rule", Stream()], **arguments, processes=2, progress=shares.append)
    assert untimed(two) == untimed(one)
    assert shares == [0.2, 0.4, 0.6, 0.8, 1.0]
    assert all(agent.ms_per_decision > 0 for agent in two.agents)


@pytest.mark.exhaustive
def test_processes_end_with_a_failure_or_an_interruption() -> None:
    def stop(share: float) -> None:
        raise KeyboardInterrupt

    others = set(active_children())
    with pytest.raises(ArenaInterrupted) as stopped:
        run_arena(["random"], deals=400, tables_at_once=4, processes=1, progress=stop)
    assert stopped.value.partial is not None
    with pytest.raises(ArenaInterrupted) as stopped:
        run_arena(["random"], deals=40, tables_at_once=4, processes=2, progress=stop)
    assert stopped.value.partial is not None
    assert stopped.value.partial.deals >= 1
    assert set(active_children()) == others


def test_a_failure_in_another_process_is_the_same_as_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hearts_agents.arena.play.Player.warm_up", lambda player: None)  # so that it fails over there
    with pytest.raises(AgentFailed, match="agent broken, deal 0, seat 0, phase pass: it raised LookupError") as error:
        run_arena([Broken()], deals=2, processes=2)
    assert Match.replay(error.value.record).phase == "pass"


def test_agents_that_cannot_be_sent_are_refused() -> None:
    class Local(Agent):
        name = "local"

    with pytest.raises(ValueError, match="agent local cannot be sent to another process") as error:
        run_arena([Local()], processes=2)
    assert "\n" not in str(error.value)


# --- what is written -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def result() -> ArenaResult:
    return run_arena(["rule", "random", "rule(shoot=0.9)"], deals=20, luck=True)


def test_csv_has_a_row_for_every_agent(result: ArenaResult) -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(result))))
    assert [row["name"] for row in rows] == ["rule", "random", "rule(shoot=0.9)"]
    for row, agent in zip(rows, result.agents, strict=True):
        assert float(row["margin"]) == agent.margin
        assert (float(row["margin_low"]), float(row["margin_high"])) == agent.margin_ci
        assert (row["variant"], row["deals"], row["won"], row["matches"]) == ("black_lady", "20", "", "")
    single = next(csv.DictReader(io.StringIO(to_csv(run_arena(["random"], deals=1)))))
    assert (single["points_se"], single["points_low"]) == ("", "")


def test_markdown_has_the_tables(result: ArenaResult) -> None:
    lines = to_markdown(result).splitlines()
    assert lines[0].startswith("black_lady: 20 deals, one-vs-rest, seed 0.")
    tables = [line for line in lines if line.startswith("|")]
    assert len(tables) == 3 * (2 + 3)
    assert [len({line.count("|") for line in tables[at : at + 5]}) for at in (0, 5, 10)] == [1, 1, 1]
    pair = result.pairs[0]
    assert f"| rule |  | {pair.margin:+.2f} ± {pair.margin_se:.2f} |" in tables[7]
    assert to_markdown(run_arena(["rule", "random"], deals=2)).count("| agent ") == 1


def test_agents_with_the_same_name_have_rows_of_their_own() -> None:
    agents = ["rule", "random", "rule", "shooter"]
    result = run_arena(agents, deals=4, seatings="round-robin")
    assert [(pair.name, pair.rival) for pair in result.pairs] == [*permutations(agents, 2)]
    cells = pair_cells(result.to_dict())["margin"]
    assert [*cells] == ["rule", "random", "rule (2)", "shooter"]
    assert cells["rule"][2] == cells["rule (2)"][0] == "+0.00 ± 0.00"
    assert [row[place] for place, row in enumerate(cells.values())] == [""] * 4
    assert cells["rule"][3] == cells["rule (2)"][3] != ""
    assert pair_cells(run_arena(agents, deals=1, seatings="ladder").to_dict()) == {}
