"""`hearts engine`: our agents as programs, and the messages they refuse."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import hearts_env as he
from hearts_agents.engines.hello import make_hello
from hearts_agents.engines.messages import LINE_LIMIT, Message, read_line, write_line
from hearts_agents.engines.player import ExecAgent
from hearts_agents.engines.serve import Engine, serve
from hearts_agents.engines.view_diff import ViewDiff
from hearts_agents.registry import make_agent
from hearts_env.compiled.game import Game, compile_game
from hearts_env.kernel.batch import step_all
from hearts_env.kernel.records import Phase
from hearts_env.play.view import View, view_of
from hearts_env.ruleset.passing import default_cycle
from tests.support.engine_deals import TOLD, First, first_deal, play_deal

HELLO = {"type": "hello", "protocol": 1, "rules": "black_lady", "players": 4, "seat": 0}
PROTOCOL = Path(__file__).parents[2] / "agents" / "hearts_agents" / "engines" / "PROTOCOL.md"


def played_by_messages(rules: str, spec: str, seed: int) -> list[int]:
    """Actions of a deal in which every seat is an engine."""
    game, states = first_deal(rules, seed)
    diffs = [ViewDiff(game, seat) for seat in range(game.seats)]
    engines = [Engine(make_agent(spec)) for _ in diffs]
    for seat, engine in enumerate(engines):
        ready = engine.answer(HELLO | {"rules": str(game.rules), "players": game.seats, "seat": seat})
        assert ready == {"type": "ready", "protocol": 1, "name": spec}
    actions = []
    while states["phase"][0] != Phase.OVER:
        seat = int(states["seat"][0])
        view = view_of(game, states, seat)
        sent = [*diffs[seat].events(view), diffs[seat].request(view, 7, 1)]
        answers = [engines[seat].answer(read_line(write_line(message))) for message in sent]
        assert answers[:-1] == [None] * (len(sent) - 1)
        answer = answers[-1]
        assert answer is not None
        assert answer["type"] == "action"
        assert answer["id"] == 7
        actions.append(game.action(answer["action"]))
        step_all(states, game.tables, np.array(actions[-1:], np.int64))
    return actions


@pytest.mark.parametrize("rules", ["black_lady", TOLD[6], TOLD[12], TOLD[14], TOLD[16]])
def test_an_engine_plays_as_its_agent_does(rules: str) -> None:
    game, _ = first_deal(rules, seed=1)
    assert played_by_messages(rules, "rule", seed=1) == play_deal([make_agent("rule")] * game.seats, rules, seed=1)


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
        engine, diff = Engine(make_agent("random")), ViewDiff(game, 0)
        engine.answer(HELLO | {"seed": seed})
        for message in diff.events(view):
            engine.answer(message)
        return [engine.answer(diff.request(view, number, 1)) for number in range(20)]

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


def test_an_engine_refuses_rules_by_a_message_and_in_one_line() -> None:
    out = io.BytesIO()
    with pytest.raises(ValueError, match="closest is black_lady"):
        serve("random", [json.dumps(HELLO | {"rules": "black_ladi"}).encode()], out)
    (answer,) = map(json.loads, out.getvalue().splitlines())
    assert answer["type"] == "refuse"
    assert "black_ladi" in answer["reason"]


@pytest.mark.parametrize("rules", TOLD)
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


def test_hello_says_what_is_passed_and_what_cards_cost() -> None:
    hello = make_hello(compile_game(he.rules("black_lady(cycle=[left*2&across|hold, pool])")), 0, 500, 7)
    left_across = {"direction": "left*2&across", "moves": [{"to": 1, "cards": 2}, {"to": 2, "cards": 3}]}
    assert hello["passes"] == [
        [left_across, {"direction": "hold", "moves": []}],
        [{"direction": "pool", "moves": [{"to": None, "cards": 3}]}],
    ]
    assert {card: points for card, points in hello["points"].items() if points} == {
        **{f"{rank}H": 1 for rank in "23456789TJQKA"},
        "QS": 13,
    }
    assert (hello["fields"]["moon.mode"], hello["fields"]["score.card_values"]) == ("choice", {"H": 1, "QS": 13})
    assert hello["seed"] == 7


DEAL: dict[str, Any] = {
    "type": "deal",
    "number": 3,
    "dealer": 0,
    "hand": he.Match("black_lady", 0).hands[0],
    "totals": [0, 0, 0, 0],
    "entry": 3,
}
LEAD = {"type": "lead", "seat": 1, "free": False}
ACT = {"type": "act", "id": 1, "phase": "play", "legal": ["2C"]}


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ([b"hello"], "'hello' is not a line of JSON"),
        ([b"[" * 60000], "is not a line of JSON"),
        ([b"\xff"], "is not a line of JSON"),
        ([b" " * 70000], "a message of 70000 bytes is too long"),
        ([[1]], "is not a JSON object with a type"),
        ([{"type": 3}], "is not a JSON object with a type"),
        ([DEAL], "the message deal comes before hello"),
        ([HELLO | {"protocol": 2}], "protocol 2 is not supported; version 1 is"),
        ([HELLO | {"rules": "black_ladi"}], "black_lady"),
        ([HELLO | {"rules": 5}], "rules=5 is not possible; it is text"),
        ([HELLO | {"players": 5}], "players=5 is not possible"),
        ([HELLO | {"seat": 4}], "seat=4 is not possible; it is a whole number from 0 to 3"),
        ([HELLO | {"seat": True}], "seat=True is not possible"),
        ([HELLO, {"type": "reset"}], "the message reset lacks seed"),
        ([HELLO, ACT], "the message act needs a deal under way"),
        ([HELLO, DEAL | {"hand": ["2C"]}], "the hand has 1 cards; it is 13 cards"),
        ([HELLO, DEAL | {"hand": ["XX"] * 13}], "it is cards of black_lady"),
        ([HELLO, DEAL | {"hand": ["2C"] * 13}], "2C"),
        ([HELLO, DEAL | {"hand": "2C"}], "it is a list of texts"),
        ([HELLO, DEAL | {"totals": [0]}], "it is a list of 4 scores"),
        ([HELLO, DEAL | {"totals": [0, 0, 0, "x"]}], "it is a list of whole numbers or Gaussian integers"),
        ([HELLO, DEAL | {"totals": [0, 0, 0, None]}], "it is a list of whole numbers or Gaussian integers"),
        ([HELLO, DEAL | {"totals": [0, 0, 0, 2**31]}], "at most 9 digits"),
        ([HELLO, DEAL | {"entry": 9}], "entry=9 is not possible"),
        ([HELLO, DEAL | {"lives": [1]}], "it is a list of 4 whole numbers"),
        ([HELLO, DEAL, LEAD, LEAD], "the message lead: play cannot begin now"),
        ([HELLO, DEAL, {"type": "play", "seat": 1, "card": "KIT"}], "it is cards of black_lady"),
        ([HELLO, DEAL, LEAD, {"type": "play", "seat": 2, "card": "2C"}], "seat 2 cannot play 2C now"),
        ([HELLO, DEAL, LEAD, {"type": "play", "seat": 1, "card": DEAL["hand"][0]}], "seat 1 cannot play"),
        ([HELLO, DEAL, {"type": "pass", "cards": ["2C"]}], "2C cannot be passed now"),
        ([HELLO, DEAL, {"type": "receive", "cards": ["2C"]}], "1 cards cannot be received now"),
        ([HELLO, DEAL, {"type": "expose", "seat": 1, "cards": ["QS"]}], "QS cannot be shown now"),
        ([HELLO, DEAL, {"type": "pledge", "seat": 1, "pledge": True}], "there are no pledges"),
        ([HELLO, DEAL, {"type": "kitty", "seat": 1, "cards": ["QS"]}], "1 cards are named, but seat 1 took 0"),
        ([HELLO, DEAL, {"type": "moon", "seat": 1, "choice": "self"}], "seat 1 cannot choose moon:self now"),
        ([HELLO, DEAL, {"type": "call", "seat": 1, "suit": "C"}], "seat 1 cannot choose suit:C now"),
        ([HELLO, DEAL, {"type": "direction", "seat": 1, "direction": "up"}], "cannot choose direction:up now"),
        ([HELLO, DEAL, {"type": "totals", "totals": [0, 0, 0, 0]}], "they do not change now"),
        ([HELLO, DEAL, ACT | {"phase": "tea"}], "phase=tea is not possible; it is one of direction, "),
        ([HELLO, DEAL, ACT], "seat 0 has nothing to decide in phase play now"),
        ([HELLO, DEAL, ACT | {"phase": "moon"}], "seat 0 has nothing to decide in phase moon now"),
        ([HELLO, DEAL, LEAD | {"seat": 0}, ACT | {"legal": ["KIT"]}], "legal=['KIT'] is not possible; it is"),
        ([HELLO, DEAL, LEAD | {"seat": 0}, ACT | {"id": "x"}], "id='x' is not possible"),
    ],
)
def test_an_engine_refuses_impossible_messages_in_one_line(lines: list[object], complaint: str) -> None:
    with pytest.raises(ValueError, match=re.escape(complaint)) as caught:
        spoken(*lines)
    assert "\n" not in str(caught.value)


def sent_in_a_deal(rules: str) -> list[dict[str, object]]:
    """Every message to seat 0 in a deal."""
    game, states = first_deal(rules, seed=5)
    diff, random = ViewDiff(game, 0), Random(rules)
    sent: list[Message] = []
    while states["phase"][0] != Phase.OVER:
        view = view_of(game, states, int(states["seat"][0]))
        sent += [*diff.events(view), diff.request(view, 1, 1)] if view.seat == 0 else []
        step_all(states, game.tables, np.array([random.choice(view.legal_ids())], np.int64))
    return [dict(message) for message in [*sent, *diff.events(view_of(game, states, 0))]]


def spoil(sent: list[dict[str, object]], random: Random) -> list[dict[str, object]]:
    """The messages with one dropped, repeated, swapped with another or changed."""
    sent = [dict(message) for message in sent]
    one, other = random.randrange(len(sent)), random.randrange(len(sent))
    way = random.choice(["drop", "repeat", "swap", "change", "change"])
    if way == "drop":
        del sent[one]
    elif way == "repeat":
        sent.insert(other, sent[one])
    elif way == "swap":
        sent[one], sent[other] = sent[other], sent[one]
    else:
        key = random.choice([key for key in sent[one] if key != "type"])
        sent[one][key] = random.choice([None, -1, 0, 1, 10**12, 1.5, "x", "QS", [], ["QS"] * 3, ["2C"] * 13, {}, True])
    return sent


def refusal(game: Game, sent: list[dict[str, object]]) -> str | None:
    """The error of an engine for impossible messages."""
    engine = Engine(First())
    engine.answer(HELLO | {"rules": str(game.rules), "players": game.seats})
    try:
        for message in sent:
            engine.answer(message)
    except ValueError as error:
        return str(error)
    return None


@pytest.mark.parametrize("rules", ["black_lady", TOLD[2], TOLD[6], TOLD[10], TOLD[12], TOLD[14]])
@pytest.mark.exhaustive
def test_spoilt_messages_never_do_more_than_be_refused(rules: str) -> None:
    sent, random = sent_in_a_deal(rules), Random(rules)
    game, _ = first_deal(rules, seed=5)
    refusals = [text for _ in range(100) if (text := refusal(game, spoil(sent, random))) is not None]
    assert 50 < len(refusals) < 100
    assert not any("\n" in text for text in refusals)


def test_the_command_ends_with_code_2_and_one_line() -> None:
    command = [sys.executable, "-m", "hearts_training", "engine", "--agent", "random"]
    done = subprocess.run(command, input=b"nonsense\n", capture_output=True, check=False)
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr == b"hearts: 'nonsense' is not a line of JSON in UTF-8\n"


def test_what_an_agent_prints_does_not_mix_with_its_answers(capsys: pytest.CaptureFixture[str]) -> None:
    class Chatty(First):
        def act(self, view: View) -> int:
            print("let me see")
            return super().act(view)

    out = io.BytesIO()
    serve(Chatty(), [json.dumps(HELLO).encode()], out)  # it warms up with one decision
    assert json.loads(out.getvalue())["type"] == "ready"
    assert capsys.readouterr() == ("", "let me see\n")


def test_the_transcript_in_the_documentation_is_what_an_engine_says() -> None:
    lines = PROTOCOL.read_text(encoding="utf-8").partition('< {"type": "hello"')
    told = (lines[1] + lines[2]).partition("  ...")[0].splitlines()
    agent = First()
    agent.name = "lowest"
    engine = Engine(agent)
    answers: list[Any] = []
    expected: list[Any] = []
    for line in told:
        if line.startswith("<"):
            answers += [answer for answer in [engine.answer(json.loads(line[2:]))] if answer is not None]
        else:
            expected.append(json.loads(line[2:]))
    assert len(expected) == 6
    assert answers == expected
