"""`hearts engine`: our agents as programs, and the messages they refuse."""

import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

import hearts_env as he
from hearts_agents.base import Agent
from hearts_agents.engines.hello import make_hello
from hearts_agents.engines.messages import LINE_LIMIT, read_line, write_line
from hearts_agents.engines.player import ExecAgent
from hearts_agents.engines.serve import Engine, serve
from hearts_agents.registry import make_agent
from hearts_env.compiled.game import compile_game
from hearts_env.kernel import cache
from hearts_env.ruleset.passing import default_cycle
from hearts_env.seat.as_dict import FIELDS
from hearts_env.seat.view import View, view_of
from tests.support.engine_deals import First, first_deal, play_deal

HELLO = {"type": "hello", "protocol": 2, "rules": "black_lady", "players": 4, "seat": 0}
PROTOCOL = Path(__file__).parents[2] / "agents" / "hearts_agents" / "engines" / "PROTOCOL.md"


def act(view: View, number: int = 7) -> dict[str, Any]:
    """The message that requests a decision, as it comes over the wire."""
    return dict(read_line(write_line({"type": "act", "id": number, "time_ms": 1, "view": view.as_dict()})))


def answered(engine: Engine, view: View, number: int = 7) -> Any:
    """The answer of an engine to `act`."""
    return engine.answer(act(view, number))


class Remote(First):
    """An agent behind messages."""

    stateful = True

    def __init__(self, agent: Agent) -> None:
        self.engine = Engine(agent)
        self.engine.answer(HELLO)

    def act(self, view: View) -> int:
        answer = answered(self.engine, view)
        assert (answer["type"], answer["id"]) == ("action", 7)
        return view.game.action(answer["action"])

    def on_deal_end(self, view: View) -> None:
        assert self.engine.answer({"type": "score", "view": view.as_dict()}) is None


@pytest.mark.parametrize(
    "rules", ["black_lady(refusable=[QS])", "complex_hearts(moon.sign=chosen)", "heartsette(players=6)"]
)
def test_an_engine_plays_as_its_agent_does(rules: str) -> None:
    """One engine for all seats and any game: every message has all that it needs."""
    agents = [make_agent("rule")] * he.rules(rules).players
    assert play_deal([Remote(make_agent("rule"))] * len(agents), rules, seed=1) == play_deal(agents, rules, seed=1)


@pytest.mark.exhaustive
def test_an_engine_in_a_process_plays_as_its_agent_does() -> None:
    engine = ExecAgent(f"{sys.executable} -m hearts_training engine --agent rule", time_ms=60_000, start_ms=300_000)
    rule = make_agent("rule")
    for seed in range(2):
        assert play_deal([rule, engine, rule, engine], seed=seed) == play_deal([rule] * 4, seed=seed)
    assert engine.faults == {}
    engine.close()


def test_the_seed_makes_an_engine_play_the_same_again() -> None:
    game, states = first_deal("black_lady", seed=0)
    view = view_of(game, states, 0)

    def answers(seed: int) -> list[Any]:
        engine = Engine(make_agent("random"))
        engine.answer(HELLO | {"seed": seed})
        return [answered(engine, view, number) for number in range(20)]

    assert answers(1) == answers(1)
    assert answers(1) != answers(2)


def spoken(*lines: object) -> list[dict[str, Any]]:
    """What an engine answers to messages (or bytes)."""
    out = io.BytesIO()
    serve("random", [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines], out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_an_engine_ends_with_bye_or_with_its_input() -> None:
    assert [answer["type"] for answer in spoken(HELLO)] == ["ready"]
    assert spoken({"type": "bye"}, b"never read") == []


@pytest.mark.parametrize(
    "rules", ["black_lady", "gong_zhu(players=5)", "complex_hearts", "black_lady(cycle=[left|hold, scatter])"]
)
def test_hello_has_the_rules_in_fields(rules: str) -> None:
    game = compile_game(he.rules(rules))
    hello = make_hello(game, 1, 500, None)
    assert json.loads(write_line(hello)) == hello
    assert len(write_line(hello)) < LINE_LIMIT
    assert he.VARIANTS[game.rules.variant.name].build(**hello["fields"]) == game.rules
    assert list(hello["points"]) == list(game.deck.kinds)
    assert [[way["direction"] for way in ways] for ways in hello["passes"]] == [
        entry.split("|") for entry in game.rules.passing.cycle or default_cycle(game.seats)
    ]
    assert "seed" not in hello


VIEW = he.Match("black_lady", 0).view(0)
ACT = act(VIEW)


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ([b"hello"], "'hello' is not a line of JSON"),
        ([b"[" * 60000], "is not a line of JSON"),
        ([b"\xff"], "is not a line of JSON"),
        ([b" " * 70000], "a message of 70000 bytes is too long"),
        ([[1]], "is not a JSON object with a type"),
        ([{"type": 3}], "is not a JSON object with a type"),
        ([ACT], "the message act comes before hello"),
        ([HELLO | {"protocol": 1}], "version 1 of the protocol is not supported; PROTOCOL.md has version 2"),
        ([HELLO | {"rules": "black_ladi"}], "black_lady"),
        ([HELLO | {"rules": 5}], "rules=5 is not possible; it is text"),
        ([HELLO | {"seat": 4}], "seat=4 is not a seat; seats are 0 to 3"),
        ([HELLO | {"seat": True}], "seat=True is not a whole number"),
        ([HELLO, {"type": "reset"}], "seed=None is not a whole number"),
        ([HELLO, {"type": "reset", "seed": 2**63}], "must be at most"),
        ([HELLO, ACT | {"id": "x"}], "id=x is not a whole number"),
        ([HELLO, ACT | {"view": None}], "None is not possible; a view is an object"),
        ([HELLO, ACT | {"view": VIEW.as_dict() | {"version": 2}}], "version=2 is not possible"),
        ([HELLO, ACT | {"view": he.Match("black_lady", 0).view(1).as_dict()}], "seat 1 has nothing to decide"),
    ],
)
def test_an_engine_refuses_impossible_messages_in_one_line(lines: list[object], complaint: str) -> None:
    with pytest.raises(ValueError, match=re.escape(complaint)) as caught:
        spoken(*lines)
    assert "\n" not in str(caught.value)


def test_what_an_agent_prints_does_not_mix_with_its_answers(capsys: pytest.CaptureFixture[str]) -> None:
    class Chatty(First):
        def act(self, view: View) -> int:
            print("let me see")
            return super().act(view)

    out = io.BytesIO()
    serve(Chatty(), [json.dumps(HELLO).encode()], out)  # it warms up with two decisions
    assert json.loads(out.getvalue())["type"] == "ready"
    assert capsys.readouterr() == ("", "let me see\n" * 2)


def test_the_transcript_in_the_documentation_is_what_an_engine_says() -> None:
    page = PROTOCOL.read_text(encoding="utf-8")
    lines = page[page.index('< {"type": "hello"') :].partition("```")[0].splitlines()
    agent = First()
    agent.name = "lowest"
    engine = Engine(agent)
    answers = [engine.answer(json.loads(line[2:])) for line in lines if line.startswith("<") and "bye" not in line]
    assert [answer for answer in answers if answer is not None] == [
        json.loads(line[2:]) for line in lines if line.startswith(">")
    ]
    assert len(lines) == 5


def test_the_documentation_explains_every_field_of_a_view() -> None:
    page = PROTOCOL.read_text(encoding="utf-8")
    assert table_of_fields() in page


def table_of_fields() -> str:
    """The table of `PROTOCOL.md`."""
    rows = [f"| `{name}` | {kind.words} | {meaning} |" for name, (kind, _, meaning) in FIELDS.items()]
    return "\n".join(["| field | values | meaning |", "| --- | --- | --- |", *rows])


class Compiles(First):
    """An agent that compiles something of its own for every phase."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.known = folder, set[str]()

    def act(self, view: View) -> int:
        if view.phase not in self.known:
            self.known.add(view.phase)
            with cache.compiling(view.phase, self.folder, "once", 1):
                pass
        return super().act(view)


@pytest.mark.parametrize("rules", ["black_lady", "black_lady(cycle=[hold])", "likha"])
def test_no_decision_waits_for_a_compiler(rules: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    marks: list[bool] = []
    engine = Engine(Compiles(tmp_path))
    monkeypatch.setattr(cache, "watchers", [marks.append])
    assert engine.answer(HELLO | {"rules": rules}) is not None
    assert marks.count(True) >= 1
    marks.clear()
    match = he.Match(rules, seed=7)
    while match.deal_number == 0:
        match.play(answered(engine, match.view(match.seat or 0))["action"])
    assert marks == []


def test_who_reads_words_is_not_asked_before_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    agent = make_agent("text(command=true)")
    monkeypatch.setattr(type(agent), "ask", None)
    assert Engine(agent).answer(HELLO) is not None
