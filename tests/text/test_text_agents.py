"""Agents that play in words: programs and language models, those that behave and those that do not."""

import json
import pickle
import sys
from pathlib import Path
from typing import Any

import pytest

import hearts_env as he
from hearts_agents.arena import run_arena
from hearts_agents.arena.report import agent_lines
from hearts_agents.registry import make_agent
from hearts_agents.text import chat
from hearts_env.seat.answers import number_of
from tests.text.servers import Server, serving

READER = f"{sys.executable} {Path(__file__).with_name('reader.py')}"
KEY = "secret-key"


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat, "PAUSE", 0.0)
    monkeypatch.setenv(chat.KEY, f"127.0.0.1={KEY}")


def asked(server: Server, **options: Any) -> tuple[Any, he.View, int]:
    """A model, a view in the middle of a deal, and what the model chooses there."""
    text = "".join(f", {name}={value}" for name, value in ({"time_ms": 2000} | options).items())
    agent: Any = make_agent(f"llm(model=m, url={server.url}{text})")
    view = he.Match("black_lady", seed=1).view(0)
    return agent, view, agent.act(view)


def test_a_model_is_asked_with_the_rules_and_its_view() -> None:
    with serving("well") as server:
        agent, view, action = asked(server, rules="short")
    path, headers, body = server.seen[0]  # type: ignore[attr-defined]  # of this server
    assert action == view.legal_ids()[-1]
    assert path == "/v1/chat/completions"
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert body["model"] == "m"
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert "most people know" in body["messages"][0]["content"]
    assert body["messages"][1]["content"] == view.text()
    assert (dict(agent.usage), dict(agent.faults)) == ({"answers": 1, "tokens": 100}, {})
    assert agent.called == "", "the server does not name its model"


def test_refused_answers_are_asked_for_again() -> None:
    with serving("lost") as server:
        agent, view, action = asked(server)
    assert action == view.legal_ids()[-1]
    assert dict(agent.usage) == {"answers": 3, "tokens": 300, "illegal": 1, "unreadable": 1}
    assert not agent.faults
    turns = [message["content"] for message in server.seen[-1][2]["messages"]]  # type: ignore[attr-defined]
    assert turns[2] == "[moon:self]"
    assert "you must pass a card" in turns[3]


@pytest.mark.parametrize(
    ("manner", "fault", "requests"),
    [
        ("never", "unreadable", 3),
        ("denied", "refused", 1),
        ("moved", "refused", 1),
        ("torn", "nonsense", 2),
        ("other", "nonsense", 2),
        ("huge", "nonsense", 2),
        ("slow", "late", 2),
        ("silent", "unreachable", 2),
    ],
)
def test_a_server_that_fails(manner: str, fault: str, requests: int) -> None:
    with serving(manner) as server:
        agent, view, action = asked(server, retries=1, tries=2, time_ms=150 if manner == "slow" else 2000)
        assert action == view.legal_ids()[0]
        assert dict(agent.faults) == {fault: 1}
        seen = server.seen  # type: ignore[attr-defined]  # of this server
        assert len(seen) == requests
        assert {path for path, _, _ in seen} == {"/v1/chat/completions"}


def test_a_busy_server_is_asked_again() -> None:
    with serving("busy") as server:
        agent, view, action = asked(server)
    assert action == view.legal_ids()[-1]
    assert agent.usage["repeated"] == 1


def test_no_server() -> None:
    with serving("well") as server:
        pass
    agent, view, action = asked(server, retries=0)
    assert (action, dict(agent.faults)) == (view.legal_ids()[0], {"unreachable": 1})


def test_a_budget_ends_the_questions() -> None:
    with serving("well") as server:
        agent, view, _ = asked(server, budget=150)
        for _ in range(3):
            agent.act(view)
        assert (agent.usage["answers"], dict(agent.faults)) == (2, {"budget": 2})


@pytest.mark.parametrize("bound", ["", KEY, f"example.org={KEY}", f"127.0.0.1.example.org={KEY}", "127.0.0.1="])
def test_the_key_goes_to_one_host_only(bound: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(chat.KEY, bound)
    with serving("well") as server:
        asked(server)
    assert "Authorization" not in server.seen[0][1]  # type: ignore[attr-defined]  # of this server


def test_the_key_is_kept_nowhere(tmp_path: Path) -> None:
    log = tmp_path / "answers.jsonl"
    with serving("denied") as server:
        agent, _, _ = asked(server, log=log)
        assert KEY.encode() not in pickle.dumps(agent)
        server.manner = "well"
        agent.act(he.Match("black_lady", seed=1).view(0))
    (line,) = map(json.loads, log.read_text().splitlines())
    assert line["legal"]
    assert line["answer"].startswith("I choose [")
    assert KEY not in log.read_text()
    assert chat._authorization("http", "example.org") == {}


def test_a_key_is_never_sent_in_the_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(chat.KEY, f"example.org={KEY}")
    assert chat._authorization("http", "example.org") == {}
    assert chat._authorization("https", "example.org") == {"Authorization": f"Bearer {KEY}"}


@pytest.mark.parametrize(("kind", "fault"), [("", ""), ("lost", "unreadable"), ("late", "late"), ("dies", "died")])
def test_a_program(kind: str, fault: str) -> None:
    agent: Any = make_agent(f"text(command={READER} {kind}, time_ms={400 if kind == 'late' else 9000}, tries=1)")
    view = he.Match("black_lady", seed=1).view(0)
    chosen = {agent.act(view) for _ in range(2)}
    agent.close()
    assert chosen == {view.legal_ids()[0 if kind else -1]}
    assert dict(agent.faults) == ({fault: 2} if fault else {})


def test_the_arena_reports_what_was_spent() -> None:
    with serving("lost") as server:
        model = f"llm(model=m, url={server.url}, input_price=2.5, output_price=10)"
        result = run_arena([model, "random"], "duel_hearts", deals=1, seed=1)
    agent = result.to_dict()["agents"][0]
    assert agent["usage"]["answers"] == 3 * agent["decisions"]
    cost = agent["usage"]["answers"] * (90 * 2.5 + 10 * 10) / 10**6
    assert agent["usage"]["cost_millionths"] == cost * 10**6
    lines = agent_lines(result.to_dict()["agents"])
    assert any(" used " in line and "answers " in line and "unreadable" in line and "tokens" in line for line in lines)
    assert any(line.endswith(f"cost {cost:.4f}") for line in lines)


def test_words_name_actions_in_any_case() -> None:
    view = he.Match("black_lady", seed=1).view(0)
    assert view.game.actions[number_of(view, "MOON:SELF")] == "moon:self"
    assert number_of(view, "1C") == -1


def test_the_tokens_and_the_model_are_those_that_a_server_reports() -> None:
    with serving("brief") as server:
        agent, _, _ = asked(server)
    assert (agent.usage["tokens"], agent.called) == (7, "m-2026")
