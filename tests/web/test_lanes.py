"""Time limits count no compiling, and what is compiled once serves everybody."""

import asyncio
import json
import sys
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from hearts_agents import registry
from hearts_agents.base import Agent
from hearts_agents.registry import AgentType, Parameter, make_agent
from hearts_env.kernel import cache
from hearts_env.table.match import Match
from hearts_training.web import players as players_module
from hearts_training.web import prepare
from hearts_training.web.lanes import Clock, Lane
from hearts_training.web.levels import SEARCH, plain_name
from hearts_training.web.players import Players
from hearts_training.web.questions import AGENTS, MOST_AGENTS, Question, agent_of, answer
from tests.support.slow import compile_slowly
from tests.support.web import apart, receive, running

LONG = 600.0
"""Seconds that no test waits for."""


@pytest.mark.exhaustive
def test_a_limit_counts_work_but_no_compiling(tmp_path: Path) -> None:
    async def ask() -> None:
        lane = Lane(1, int)
        try:
            assert await lane.ask(partial(compile_slowly, tmp_path, 3.0, "compiled"), patience=1.0) == "compiled"
            with pytest.raises(TimeoutError):
                await lane.ask(partial(time.sleep, LONG), patience=1.0)
        finally:
            lane.stop()

    apart(ask())


@pytest.mark.exhaustive
def test_workers_begin_without_a_limit() -> None:
    async def ask() -> None:
        lane = Lane(2, partial(time.sleep, 2.0))
        try:
            assert await lane.ask(partial(int, "7"), patience=0.5) == 7
        finally:
            lane.stop()

    apart(ask())


@pytest.mark.exhaustive
def test_who_leaves_does_not_stop_a_worker_that_compiles(tmp_path: Path) -> None:
    async def leave_and_ask_again() -> None:
        lane = Lane(1, int)
        try:
            await lane.warm()
            first = asyncio.create_task(lane.ask(partial(compile_slowly, tmp_path, 2.0, "first"), patience=1.0))
            while not lane.clock.is_running:
                await asyncio.sleep(0.01)
            first.cancel()
            assert await lane.ask(partial(int, "7"), patience=LONG) == 7
        finally:
            lane.stop()

    apart(leave_and_ask_again())
    assert (tmp_path / "first").exists()


@pytest.mark.exhaustive
@pytest.mark.release
def test_who_leaves_stops_their_own_job_alone() -> None:
    async def leave_and_ask_again() -> None:
        lane = Lane(2, int)
        try:
            patient = asyncio.create_task(lane.ask(partial(time.sleep, 1.0), patience=LONG))
            for _ in range(2):
                slow = asyncio.create_task(lane.ask(partial(time.sleep, LONG), patience=LONG))
                await lane.warm()
                await asyncio.sleep(0.2)
                slow.cancel()
            await asyncio.wait_for(patient, 60)
            assert await asyncio.wait_for(lane.ask(partial(int, "7"), patience=LONG), 60) == 7
        finally:
            lane.stop()

    apart(leave_and_ask_again())


def test_threads_that_compile_at_the_same_time_count_once() -> None:
    clock, known = Clock([0.0, 0.0]), len(cache.watchers)
    clock.watch()
    watcher, running = cache.watchers.pop(), list[bool]()
    for begins in (True, True, False, False, True, False):
        watcher(begins)
        running.append(clock.is_running)
    assert running == [True, True, True, False, True, False]
    assert len(cache.watchers) == known


def test_a_limit_in_this_process_counts_no_compiling(tmp_path: Path) -> None:
    async def ask(seconds: float) -> str:
        return await players_module.in_thread(compile_slowly, tmp_path, seconds, "here", patience=0.5)

    assert apart(ask(2.0)) == "here"
    with pytest.raises(TimeoutError):
        apart(players_module.in_thread(time.sleep, 5.0, patience=0.5))


def prepare_slowly(folder: Path, seconds: float) -> str:
    """Let a worker load what hints need, so that no limit counts that, and compile."""
    answer(Question.about(Match("black_lady", seed=7).view(0), "explain", SEARCH))
    return compile_slowly(folder, seconds, "prepared")


@pytest.mark.exhaustive
@pytest.mark.release
def test_a_hint_waits_for_the_preparation_beyond_its_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the page that opened first has left before its end."""
    monkeypatch.setattr(prepare, "for_tables", partial(prepare_slowly, tmp_path / "tables", 2.0))
    monkeypatch.setattr(prepare, "for_questions", partial(prepare_slowly, tmp_path / "questions", 6.0))
    monkeypatch.setattr(players_module, "PATIENCE", 2.0)
    monkeypatch.setattr(players_module, "HINT_PATIENCE", 3.0)
    with running(tmp_path / "tables.sqlite3", prepared=True) as site:
        assert site.request("/api/ready") == (200, {"ready": False})
        assert site.request("/api/menu")[1]["ready"] is False
        with site.sit("/table/none/none") as socket:
            assert json.loads(socket.recv(timeout=60)) == {"is": "preparing"}
        assert not (tmp_path / "tables" / "prepared").exists()
        table = site.open("black_lady(cycle=[hold])", ["person", "rule", "rule", "rule"], seed=7)["links"][0]
        assert site.request("/api/ready") == (200, {"ready": True})
        with site.sit(table) as socket:
            while (state := receive(socket, "table"))["turn"] != state["seat"]:
                pass
            socket.send('{"do": "hint"}')
            receive(socket, "wait")
        with site.sit(table) as socket:  # again, and it was not begun again
            receive(socket, "table")
            socket.send('{"do": "hint"}')
            assert receive(socket, "hint")["values"]


def test_tables_open_although_the_preparation_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("for_tables", "for_questions"):
        monkeypatch.setattr(prepare, name, partial(int, "no number"))
    with running(tmp_path / "tables.sqlite3", prepared=True) as site:
        assert site.open("black_lady", ["rule"] * 4)["watch"]
        assert site.request("/api/ready") == (200, {"ready": True})


def test_a_program_has_the_name_that_it_gives_itself() -> None:
    match, players = Match("black_lady", seed=7), Players(1, programs=True)
    spec = f"exec:{sys.executable} -I -S {Path(__file__).parents[1] / 'engines' / 'bots' / 'lowest.py'}"
    assert players.name_of(spec, match.rules) == plain_name(spec, match.rules)
    assert apart(players.act(spec, match.view(0), ("key", 0), 7)) in match.view(0).legal()
    assert players.name_of(spec, match.rules) == "lowest"
    players.close()


def test_few_agents_are_kept() -> None:
    for place in range(3 * MOST_AGENTS):
        agent_of(f"rule(duck={place})")
    kept = [place for place in range(3 * MOST_AGENTS) if AGENTS.made(f"rule(duck={place})")]
    assert kept == list(range(2 * MOST_AGENTS, 3 * MOST_AGENTS))


class Slow(AgentType):
    """An agent whose library and whose folder answer once there is a sign."""

    sign = Event()

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        """None, once its library is there."""
        assert Slow.sign.wait(LONG)
        return {}

    @property
    def factory(self) -> Callable[..., Agent]:
        """Makes one, once its folder is read."""
        assert Slow.sign.wait(LONG)
        return partial(make_agent, "random")


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """The sign for which agents called `slow` wait, which is not given."""
    monkeypatch.setattr(Slow, "sign", Event())
    monkeypatch.setattr(AGENTS, "_agents", OrderedDict())
    monkeypatch.setitem(registry._AGENTS, "slow", Slow("slow", "nowhere:slow", "waits"))
    yield Slow.sign
    Slow.sign.set()


def test_an_agent_that_is_slow_to_make_stops_no_table(tmp_path: Path, slow: Event) -> None:
    rules = "black_lady(max_deals=1)"
    with running(tmp_path / "tables.sqlite3") as site, ThreadPoolExecutor(10) as pages:
        slow.set()
        waits = site.open(rules, ["slow"] * 4)["watch"]
        slow.clear()
        AGENTS._agents.clear()  # as in another process
        asked = [pages.submit(site.request, "/api/agent", {"agent": "slow"}) for _ in range(10)]
        try:
            with site.sit(waits) as socket, site.sit(site.open(rules, ["rule"] * 4)["watch"]) as other:
                receive(socket, "table")
                while not receive(other, "table", timeout=20)["over"]:
                    pass
                assert not any(one.done() for one in asked)
                slow.set()
                while not receive(socket, "table")["over"]:
                    pass
        finally:
            slow.set()
        assert [one.result()[0] for one in asked] == [200] * 10


def test_an_agent_that_could_not_be_made_is_made_anew(slow: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    slow.set()
    with monkeypatch.context() as patch:
        patch.setattr(Slow, "factory", partial(int, "no number"))
        for _ in range(2):
            with pytest.raises(ValueError, match="no number"):
                agent_of("slow")
            assert AGENTS.made("slow") is None
    assert agent_of("slow") is AGENTS.made("slow")


@pytest.mark.parametrize("spec", ["net(black_lady)", " net:black_lady ", "net( folder = black_lady )"])
def test_one_network_serves_every_spelling(spec: str) -> None:
    assert agent_of(spec) is agent_of("net:black_lady")


@pytest.mark.exhaustive
def test_a_program_may_be_asked_while_something_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players_module, "START_PATIENCE", 1.0)

    def act(self: Players, *arguments: Any) -> str:
        return compile_slowly(tmp_path, 3.0, "2C")

    monkeypatch.setattr(Players, "_act_of_program", act)
    view = Match("black_lady", seed=7).view(0)

    async def ask() -> str:
        return await Players(1, programs=True).act("exec:true", view, ("key", 0), 7)

    assert apart(ask()) == "2C"
