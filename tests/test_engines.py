"""Engines from outside: what programs are told, what they may answer, and what happens if they misbehave."""

from __future__ import annotations

import gc
import io
import json
import os
import pickle
import re
import select
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import hearts_env as he
from hearts_agents.base import Agent
from hearts_agents.engines import process
from hearts_agents.engines.messages import read_line, write_line
from hearts_agents.engines.mirror import Mirror
from hearts_agents.engines.player import ExecAgent
from hearts_agents.engines.process import Program, split_command
from hearts_agents.engines.serve import Engine, serve
from hearts_agents.engines.teller import Teller
from hearts_agents.registry import make_agent
from hearts_env.kernel.batch import step_all
from hearts_env.kernel.records import Phase
from hearts_env.tables import Game
from hearts_env.view import View, view_of
from tests.worlds import SHOWN

BOTS = Path(__file__).parent / "bots"
PYTHON = f"{sys.executable} -I -S"
DECISIONS = 16  # of a seat in the first deal of black_lady: three cards passed, thirteen played


def good_bot(**options: Any) -> ExecAgent:
    return ExecAgent(f"{PYTHON} {BOTS / 'lowest.py'}", **options)


def bad_bot(way: str, time_ms: int = 150, start_ms: int = 10000, file: object = "") -> ExecAgent:
    return ExecAgent(f"{PYTHON} {BOTS / 'bad.py'} '{way}' {file}", time_ms=time_ms, start_ms=start_ms)


class First(Agent):
    """Plays the first legal action."""

    def act(self, view: View) -> int:
        return view.legal_ids()[0]


class Restless(Agent):
    """Plays at random, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def act(self, view: View) -> int:
        return self._random.choice(view.legal_ids())


def first_deal(rules: str, seed: int, totals: Sequence[Any] | None = None, number: int = 0) -> tuple[Game, Any]:
    """A table at the start of a deal that ends its episode, as in the arena."""
    match = he.Match(rules, seed)
    state = match.state
    if totals is not None or number:
        match = he.Match.from_hands(
            rules, match.hands, totals=totals, deal_number=number, passing=True, dealer=match.dealer, seed=seed
        )
        state = match.state
    state["deal_limit"] = number + 1
    return match.game, state


def play_deal(agents: Sequence[Agent], rules: str = "black_lady", seed: int = 0) -> list[int]:
    """Play one deal, an agent per seat, and return every action."""
    game, states = first_deal(rules, seed)
    actions = []
    while states["phase"][0] != Phase.OVER:
        seat = int(states["seat"][0])
        actions.append(game.action(agents[seat].act(view_of(game, states, seat))))
        step_all(states, game.tables, np.array(actions[-1:], np.int64))
    for seat, agent in enumerate(agents):
        if agent.one_table:
            agent.deal_over(view_of(game, states, seat))
    return actions


def play_with(agent: Agent, deals: int = 1) -> None:
    """Play deals with an agent in seat 1; each is played as if it were the first legal action that it named."""
    for seed in range(deals):
        table = [First(), agent, First(), First()]
        assert play_deal(table, seed=seed) == play_deal([First()] * 4, seed=seed)


@pytest.fixture
def closing() -> Iterator[list[ExecAgent]]:
    agents: list[ExecAgent] = []
    yield agents
    for agent in agents:
        agent.close()


# What is told

TOLD = [
    "black_lady",
    "black_lady(cycle=[left|right*2|hold, scatter])",
    "black_lady(cycle=[pool, left], pledge=10, max_deals=4)",
    "black_lady(players=5, chips=12, target=none, moon.mode=none)",
    "black_lady(exact={26:-26,13:5}, exact_optional=true, cycle=[left*2&across*3])",
    "danger_hearts(lives=1, lives_out=eliminate, max_deals=30)",
    f"gong_zhu({SHOWN}, exposing.lock=false, teams=[0+2,1+3], pledge=50)",
    f"gong_zhu(players=5, {SHOWN}, passing.cycle=[pool*2])",
    "turbo_hearts(cycle=[pool*4], players=4, table.direction=-1)",
    "heartsette(kitty_award=first_penalty)",
    "heartsette(players=6, kitty_award=one_per_trick)",
    "heartsette(players=5, kitty_award=out_of_play, direction=-1)",
    "heartsette(players=4, hand_size=22, packs=2, removed=[2C], duplicates=cancel, kitty_award=one_per_trick)",
    "cancellation_hearts(players=6, teams=[0+3,1+4,2+5], direction=-1, moon.scope=team, moon.mode=old)",
    "joker_hearts(players=3, jokers.lead=call, jokers.scores=heart_trick, card_values={H:1,QS:13,JK:3})",
    "booster_nines(packs=2, duplicates=first, opening.leader=left_of_dealer, opening.card=any)",
    "complex_hearts(moon.sign=hurts, moon.multiplied=false)",
    "incredu_hearts(trick.duplicates=last, teams=[0+2,1+3], team_scoring=individual)",
]


def seen(view: View) -> bytes:
    """A view as bytes, scratch apart."""
    record = np.array([view.record])
    record["after"] = 0
    return record.tobytes()


def hear_all(mirror: Mirror, news: list[dict[str, Any]]) -> None:
    for message in news:
        mirror.hear(read_line(write_line(message)))


def check_mirrors(game: Game, states: Any, random: Random) -> set[str]:
    """Play a deal at random; the view rebuilt from what each seat is told is its view. Returns the phases met."""
    tellers = [Teller(game, seat) for seat in range(game.seats)]
    mirrors = [Mirror(game, seat) for seat in range(game.seats)]
    phases = set()
    while states["phase"][0] != Phase.OVER:
        seat = int(states["seat"][0])
        view = view_of(game, states, seat)
        hear_all(mirrors[seat], [*tellers[seat].news(view), tellers[seat].act(view, 1, 1)])
        assert seen(mirrors[seat].view()) == seen(view)
        assert mirrors[seat].view().legal() == view.legal()
        phases.add(view.phase)
        step_all(states, game.tables, np.array([random.choice(view.legal_ids())], np.int64))
    for seat, mirror in enumerate(mirrors):
        view = view_of(game, states, seat)
        hear_all(mirror, list(tellers[seat].news(view)))
        assert seen(mirror.view()) == seen(view)
    return phases


@pytest.mark.parametrize("rules", TOLD)
def test_a_view_can_be_rebuilt_from_what_is_told(rules: str) -> None:
    for number in range(2):
        check_mirrors(*first_deal(rules, seed=number, number=number), Random(number))


@pytest.mark.parametrize(
    ("rules", "totals", "phase"),
    [
        ("black_lady(exact={26:-26,13:5}, exact_optional=true)", [20, 12, 22, 0], "exact"),
        ("black_lady(ranks=[Q,K,A], passing.count=1, moon.mode=choice, target=60)", [0, 0, 0, 0], "moon"),
        ("joker_hearts(players=3, jokers.lead=call)", [10, 20, 30], "suit"),
        ("black_lady(cycle=[left|right*2|hold])", [10, 20, 30, 40], "direction"),
        (f"gong_zhu({SHOWN}, pledge=50)", [-10, 20, 30, 40], "expose"),
        (f"gong_zhu({SHOWN}, pledge=50)", [-10, 20, 30, 40], "pledge"),
    ],
)
def test_a_view_can_be_rebuilt_in_every_phase(rules: str, totals: list[int], phase: str) -> None:
    for seed in range(100):
        if phase in check_mirrors(*first_deal(rules, seed, totals), Random(seed)):
            return
    pytest.fail(f"no deal came to phase {phase}")


def test_a_deal_that_was_set_by_hand_can_be_told() -> None:
    hands = he.Match("black_lady", seed=3).hands
    for leader in (None, 2):
        match = he.Match.from_hands("black_lady", hands, leader=leader, totals=[5, 6, 7, 8], dealer=1, deal_number=2)
        state = match.state
        state["deal_limit"] = 3
        assert check_mirrors(match.game, state, Random(0)) == {"play"}


def test_a_match_is_told_deal_by_deal_even_if_nobody_says_that_a_deal_is_over() -> None:
    match = he.Match("complex_hearts", seed=5)
    teller, mirror = Teller(match.game, 0), Mirror(match.game, 0)
    told: list[dict[str, Any]] = []
    random = Random(5)
    while not match.over and match.deal_number < 3:
        view = match.view(match.seat or 0)
        if view.seat == 0:
            news = [*teller.news(view), teller.act(view, 1, 1)]
            hear_all(mirror, news)
            told += news
            np.testing.assert_array_equal(mirror.view().observation(), view.observation())
            assert mirror.view().legal() == view.legal()
            assert mirror.view().played == view.played
        match.play(random.choice(match.legal()))
    deals = [message for message in told if message["type"] == "deal"]
    scores = [message for message in told if message["type"] == "score"]
    assert [deal["number"] for deal in deals] == [0, 1, 2]
    assert [score["totals"] for score in scores] == [deal["totals"] for deal in deals[1:]]


def test_complex_scores_are_told_as_text() -> None:
    game, states = first_deal("complex_hearts", seed=0, totals=[complex(0, 13), -26 + 10j, 7, 0])
    view = view_of(game, states, int(states["seat"][0]))
    deal = next(Teller(game, view.seat).news(view))
    assert deal["totals"] == ["13i", "-26+10i", "7", "0"]


def test_nobody_is_told_of_hidden_cards() -> None:
    game, states = first_deal("black_lady", seed=4)
    hidden = {card for seat in (1, 2, 3) for card in he.Match("black_lady", 4).hands[seat]}
    view = view_of(game, states, 0)
    text = json.dumps([*Teller(game, 0).news(view), Teller(game, 0).follows(view)])
    assert not [card for card in hidden if f'"{card}"' in text]


# Our agents as programs

HELLO = {"type": "hello", "protocol": 1, "rules": "black_lady", "players": 4, "seat": 0}


def played_by_messages(rules: str, spec: str, seed: int) -> list[int]:
    """Actions of a deal in which every seat is an engine."""
    game, states = first_deal(rules, seed)
    tellers = [Teller(game, seat) for seat in range(game.seats)]
    engines = [Engine(make_agent(spec)) for _ in tellers]
    for seat, engine in enumerate(engines):
        ready = engine.hear(HELLO | {"rules": str(game.rules), "players": game.seats, "seat": seat})
        assert ready == {"type": "ready", "protocol": 1, "name": spec}
    actions = []
    while states["phase"][0] != Phase.OVER:
        seat = int(states["seat"][0])
        view = view_of(game, states, seat)
        news = [*tellers[seat].news(view), tellers[seat].act(view, 7, 1)]
        answers = [engines[seat].hear(read_line(write_line(message))) for message in news]
        assert answers[:-1] == [None] * (len(news) - 1)
        assert answers[-1] is not None
        assert answers[-1]["id"] == 7
        actions.append(game.action(answers[-1]["action"]))
        step_all(states, game.tables, np.array(actions[-1:], np.int64))
    return actions


@pytest.mark.parametrize("rules", ["black_lady", TOLD[6], TOLD[12], TOLD[14], TOLD[16]])
def test_an_engine_plays_as_its_agent_does(rules: str) -> None:
    game, _ = first_deal(rules, seed=1)
    assert played_by_messages(rules, "rule", seed=1) == play_deal([make_agent("rule")] * game.seats, rules, seed=1)


@pytest.mark.slow
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
        engine, teller = Engine(make_agent("random")), Teller(game, 0)
        engine.hear(HELLO | {"seed": seed})
        for message in teller.news(view):
            engine.hear(message)
        return [engine.hear(teller.act(view, number, 1)) for number in range(20)]

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
        ([HELLO | {"protocol": 2}], "protocol 2 is not spoken here; 1 is"),
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
        ([HELLO, DEAL, {"type": "kitty", "seat": 1, "cards": ["QS"]}], "1 cards are told, but seat 1 took 0"),
        ([HELLO, DEAL, {"type": "moon", "seat": 1, "choice": "self"}], "seat 1 cannot choose moon:self now"),
        ([HELLO, DEAL, {"type": "call", "seat": 1, "suit": "C"}], "seat 1 cannot choose suit:C now"),
        ([HELLO, DEAL, {"type": "direction", "seat": 1, "direction": "up"}], "cannot choose direction:up now"),
        ([HELLO, DEAL, {"type": "totals", "totals": [0, 0, 0, 0]}], "they do not change now"),
        ([HELLO, DEAL, ACT | {"phase": "tea"}], "phase=tea is not possible; it is one of direction, pass"),
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


def told_in_a_deal(rules: str) -> list[dict[str, Any]]:
    """Everything that seat 0 is told in a deal."""
    game, states = first_deal(rules, seed=5)
    teller, random, told = Teller(game, 0), Random(rules), []
    while states["phase"][0] != Phase.OVER:
        view = view_of(game, states, int(states["seat"][0]))
        told += [*teller.news(view), teller.act(view, 1, 1)] if view.seat == 0 else []
        step_all(states, game.tables, np.array([random.choice(view.legal_ids())], np.int64))
    return [*told, *teller.news(view_of(game, states, 0))]


def spoil(told: list[dict[str, Any]], random: Random) -> list[dict[str, Any]]:
    """The messages with one left out, said twice, moved or changed."""
    told = [dict(message) for message in told]
    one, other = random.randrange(len(told)), random.randrange(len(told))
    way = random.choice(["drop", "repeat", "swap", "change", "change"])
    if way == "drop":
        del told[one]
    elif way == "repeat":
        told.insert(other, told[one])
    elif way == "swap":
        told[one], told[other] = told[other], told[one]
    else:
        key = random.choice([key for key in told[one] if key != "type"])
        told[one][key] = random.choice([None, -1, 0, 1, 10**12, 1.5, "x", "QS", [], ["QS"] * 3, ["2C"] * 13, {}, True])
    return told


def refusal(game: Game, told: list[dict[str, Any]]) -> str | None:
    """What an engine says of messages that are not possible."""
    engine = Engine(First())
    engine.hear(HELLO | {"rules": str(game.rules), "players": game.seats})
    try:
        for message in told:
            engine.hear(message)
    except ValueError as error:
        return str(error)
    return None


@pytest.mark.parametrize("rules", ["black_lady", TOLD[2], TOLD[6], TOLD[10], TOLD[12], TOLD[14]])
def test_spoilt_messages_never_do_more_than_be_refused(rules: str) -> None:
    told, random = told_in_a_deal(rules), Random(rules)
    game, _ = first_deal(rules, seed=5)
    refusals = [text for _ in range(100) if (text := refusal(game, spoil(told, random))) is not None]
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


# Programs that behave


def test_a_good_bot_plays_without_fault_and_keeps_its_process(closing: list[ExecAgent]) -> None:
    bot = good_bot(time_ms=10000)
    closing.append(bot)
    play_with(bot, deals=3)
    assert bot.faults == {}
    assert [one.starts for one in bot._bots.values()] == [1]


def test_one_bot_may_hold_every_seat(closing: list[ExecAgent]) -> None:
    bot = good_bot(time_ms=10000)
    closing.append(bot)
    assert play_deal([bot] * 4) == play_deal([First()] * 4)
    assert play_deal([bot] * 5, "black_lady(players=5)") == play_deal([First()] * 5, "black_lady(players=5)")
    assert bot.faults == {}


def test_a_bot_that_is_reset_in_mid_deal_begins_anew(closing: list[ExecAgent]) -> None:
    bot = good_bot(time_ms=10000)
    closing.append(bot)
    game, states = first_deal("black_lady", seed=0)
    view = view_of(game, states, 0)
    first = bot.act(view)
    bot.reset(5)
    assert bot.act(view) == first
    assert bot.faults == {}


def test_an_agent_travels_unstarted(closing: list[ExecAgent]) -> None:
    bot = good_bot(time_ms=10000)
    closing.append(bot)
    bot.reset(3)
    play_with(bot)
    twin = pickle.loads(pickle.dumps(bot))
    closing.append(twin)
    assert twin._bots == {}
    assert (twin.terms, twin._seed) == (bot.terms, 3)
    play_with(twin)
    assert twin.faults == {}


# Programs that do not

NONSENSE = [
    "talks nonsense",
    "sends a list",
    "names a wrong id",
    "names no id",
    "names a number",
    "says another thing",
]


@pytest.mark.parametrize(
    ("way", "faults"),
    [
        ("is late", {"late": 3, "died": DECISIONS - 3}),
        ("never reads", {"late": 3, "died": DECISIONS - 3}),
        ("dies at once", {"died": DECISIONS}),
        ("leaves politely", {"died": DECISIONS}),
        ("dies in mid-game", {"died": DECISIONS - 4}),
        *((way, {"nonsense": DECISIONS}) for way in NONSENSE),
        ("names an illegal card", {"illegal": DECISIONS}),
        ("speaks another version", {"nonsense": 1, "died": DECISIONS - 1}),
        ("writes no end of a line", {"nonsense": 1, "died": DECISIONS - 1}),
        ("writes no end of lines", {"nonsense": 1, "died": DECISIONS - 1}),
    ],
)
def test_a_bad_bot_is_replaced_and_counted(way: str, faults: dict[str, int], closing: list[ExecAgent]) -> None:
    bot = bad_bot(way, time_ms=150 if "late" in faults else 10000)
    closing.append(bot)
    play_with(bot)
    assert bot.faults == faults


def test_a_bot_that_hangs_at_the_start_is_late(closing: list[ExecAgent]) -> None:
    bot = bad_bot("hangs at hello", start_ms=100)
    closing.append(bot)
    play_with(bot)
    assert bot.faults == {"late": 1, "died": DECISIONS - 1}


def test_an_answer_that_comes_too_late_is_passed_over(closing: list[ExecAgent]) -> None:
    bot = bad_bot("is late once", time_ms=400)
    closing.append(bot)
    play_with(bot)
    assert bot.faults == {"late": 1}


def test_a_dead_bot_is_started_again_for_the_next_deal_but_not_for_ever(closing: list[ExecAgent]) -> None:
    bot = bad_bot("dies in mid-game", time_ms=10000)
    closing.append(bot)
    play_with(bot, deals=6)
    starts = bot._bots[1].starts
    assert starts == 4
    answered = 4 + 9 * (starts - 1)  # it dies when asked for the fifth, the fifteenth, ... time
    assert sum(bot.faults.values()) == bot.faults["died"] == 6 * DECISIONS - answered


# Ends


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[tuple[Path, int]]:
    """A named pipe and its reading end: whoever has opened it to write is alive as long as it is not at its end."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    yield path, reader
    os.close(reader)


def read_soon(reader: int) -> bytes:
    assert select.select([reader], [], [], 20)[0], "nothing happened for 20 s"
    return os.read(reader, 100)


@pytest.mark.parametrize("end", ["close", "forget"])
def test_whatever_a_bot_started_ends_with_it(pipe: tuple[Path, int], end: str) -> None:
    path, reader = pipe
    bot = bad_bot("has a child", time_ms=10000, file=path)
    play_with(bot)
    assert read_soon(reader) == b"here"
    if end == "close":
        bot.close()
    del bot
    gc.collect()
    assert read_soon(reader) == b""


def test_programs_end_with_the_interpreter(pipe: tuple[Path, int]) -> None:
    path, reader = pipe
    words = [sys.executable, "-I", "-S", str(BOTS / "bad.py"), "has a child", str(path)]
    script = (
        "from time import monotonic\n"
        "from hearts_agents.engines.process import Program\n"
        f"program = Program({words!r})\n"
        "program.ask({'type': 'hello'})\n"
        "print(program.line(monotonic() + 20))\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", script], check=True, capture_output=True)
    while read_soon(reader):
        pass


def test_a_closed_bot_leaves_no_process(closing: list[ExecAgent]) -> None:
    bot = good_bot(time_ms=10000)
    play_with(bot)
    program = bot._bots[1].program
    assert program is not None
    bot.close()
    assert program._process.returncode == 0  # it left by itself
    play_with(bot)  # and comes back if it is asked again
    closing.append(bot)
    assert bot.faults == {}


def send_many(program: Program) -> None:
    for _ in range(10_000):
        program.send({"type": "trick", "cards": ["2C"] * 20})


def test_a_program_that_never_reads_does_not_fill_our_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "FLOOD_LIMIT", 100_000)
    program = Program([sys.executable, "-I", "-S", str(BOTS / "bad.py"), "never reads"])
    with pytest.raises(process.FaultError) as caught:
        send_many(program)
    assert (caught.value.kind, caught.value.deadly) == ("late", True)
    program.kill()


# Commands


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("", "name a command"),
        ("no-such-program --x", "there is no program 'no-such-program'"),
        ("python3 'bot.py", "no closing quotation"),
    ],
)
def test_an_impossible_command_is_refused_before_play(command: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        ExecAgent(command)


def test_a_file_that_is_no_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bot"
    path.write_text("no program")
    path.chmod(0o755)
    with pytest.raises(ValueError, match="bot cannot be started: Exec format error"):
        Program([str(path)])


@pytest.mark.parametrize("option", ["time_ms", "start_ms"])
def test_a_bot_needs_time(option: str) -> None:
    with pytest.raises(ValueError, match=f"{option}=0 is not possible"):
        make_agent(f"exec({sys.executable}, {option}=0)")


@pytest.mark.parametrize(
    ("spec", "words", "time_ms"),
    [
        ("exec:python3 bot.py", ["python3", "bot.py"], 1000),
        ("exec:python3 -c 'print(1, 2)' --x=3 \"a b\",c", ["python3", "-c", "print(1, 2)", "--x=3", "a b,c"], 1000),
        ("exec(python3 bot.py, time_ms=500)", ["python3", "bot.py"], 500),
        ("exec(command=python3 bot.py rule(x=1, y=2), time_ms=5)", ["python3", "bot.py", "rule(x=1,", "y=2)"], 5),
    ],
)
def test_a_spec_names_the_command_and_its_time(
    spec: str, words: list[str], time_ms: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda word: f"/bin/{word}")
    agent = make_agent(spec)
    assert isinstance(agent, ExecAgent)
    assert (agent.name, agent.terms.words, agent.terms.time_ms) == (spec, words, time_ms)
    assert agent.one_table
    assert agent.faults == {}


def test_a_command_is_split_as_by_a_shell() -> None:
    assert split_command(f"{sys.executable} 'a b' c=\"d, e\"") == [sys.executable, "a b", "c=d, e"]
