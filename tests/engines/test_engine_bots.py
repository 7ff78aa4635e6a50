"""`exec:COMMAND`: external programs that play, and programs that misbehave."""

import gc
import os
import select
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hearts_env as he
from hearts_agents.arena import run_arena
from hearts_agents.base import Agent, AgentRefused
from hearts_agents.engines.player import ExecAgent, Terms, _Bot, _why_wrong
from hearts_agents.engines.process import Program
from hearts_agents.registry import make_agent
from hearts_env.compiled.game import compile_game
from hearts_env.seat.view import View
from tests.support.engine_deals import First, play_deal
from tests.support.marks import marked

BOTS = Path(__file__).parent / "bots"
PYTHON = f"{sys.executable} -I -S"
SEND = Program.send
DECISIONS = 16  # of a seat in the first deal of black_lady: three cards passed, thirteen played


def good_bot(**options: Any) -> ExecAgent:
    return ExecAgent(f"{PYTHON} {BOTS / 'lowest.py'}", **options)


def bad_bot(way: str, time_ms: int = 150, start_ms: int = 10000, file: object = "") -> ExecAgent:
    return ExecAgent(f"{PYTHON} {BOTS / 'bad.py'} '{way}' {file}", time_ms=time_ms, start_ms=start_ms)


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


# Programs that behave


def test_a_good_bot_plays_without_fault_and_keeps_its_process(closing: list[ExecAgent]) -> None:
    bot = good_bot(time_ms=10000)
    closing.append(bot)
    play_with(bot, deals=3)
    assert bot.faults == {}
    assert [one.starts for one in bot._bots.values()] == [1]


def test_a_bot_passes_all_its_cards_in_one_answer(closing: list[ExecAgent]) -> None:
    bot = ExecAgent(f"{PYTHON} {BOTS / 'passer.py'}", time_ms=10000)
    closing.append(bot)
    match = he.Match("black_lady", seed=1)
    highest = sorted(match.hands[1], key=lambda card: "23456789TJQKA".find(card[0]))[-3:]
    passed = [match.game.actions[action] for action in play_deal([First(), bot, First(), First()], seed=1)[3:6]]
    assert (passed, bot.faults, bot._bots[1].requests) == (highest, {}, 1 + 13)


def test_a_wrong_answer_is_refused_with_a_reason(monkeypatch: pytest.MonkeyPatch, closing: list[ExecAgent]) -> None:
    sent: list[Any] = []

    def send(program: Program, *messages: Any) -> None:
        sent.extend(messages)
        SEND(program, *messages)

    monkeypatch.setattr(Program, "send", send)
    bot = bad_bot("passes too few", time_ms=10000)
    closing.append(bot)
    play_with(bot)
    faults = [message for message in sent if message["type"] == "fault"]
    assert [(fault["id"], fault["reason"]) for fault in faults] == [
        (1, "a list of 2 is not possible; 3 are due"),
        (2, "a list of 1 is not possible; 2 are due"),
    ]


@pytest.mark.parametrize(
    ("cards", "reason"),
    [
        (["4C", "4C", "7C"], "You do not hold 4C; legal: "),
        (["4C", "KIT", "7C"], "KIT is no action of this game; legal: "),
        ("3C", "You do not hold 3C; legal: 4C 7C "),
        (["4C"], "a list of 1 is not possible; 3 are due"),
        (["4C", "7C", "8C"], ""),
    ],
)
def test_a_list_is_judged_as_a_whole(cards: str | list[str], reason: str) -> None:
    view = he.Match("black_lady", seed=7).view(0)
    before = view.record.tobytes()
    assert _why_wrong(view, cards).startswith(reason)
    assert bool(_why_wrong(view, cards)) == bool(reason)
    assert view.record.tobytes() == before


DEALS = ["black_lady", "black_lady(refusable=[QS])", "heartsette", "cancellation_hearts(players=8)", "joker_hearts"]


@pytest.mark.parametrize("rules", DEALS)
def test_every_deal_of_every_match_has_its_own_number(rules: str) -> None:
    """Also the same deal again, and the next match where nobody reports the end of a deal."""
    bot = _Bot(Terms([], 1, 1, False), compile_game(he.rules(rules)), 1, None)
    numbers = []
    for seed in (1, 2):
        match = he.Match(rules, seed)
        while match.deal_number < 2:
            if match.seat == 1:
                bot._follow(match.view(1))
                numbers.append((seed, match.deal_number, bot.deal))
            match.play(match.legal()[0])
    assert sorted(set(numbers)) == [(1, 0, 1), (1, 1, 2), (2, 0, 3), (2, 1, 4)]
    start = he.Match(rules, 2).view(1)
    bot.send_end(start)
    bot._follow(start)
    assert bot.deal == 6


# Programs that do not

NONSENSE = [
    "talks nonsense", "sends a list", "names a wrong id", "names no id", "names a number", "sends deep JSON",
    "sends no text",
]  # fmt: skip


@pytest.mark.parametrize(
    ("way", "faults"),
    [
        ("is late", {"late": 12, "died": DECISIONS - 12}),
        marked(("never reads", {"late": 12, "died": DECISIONS - 12})),
        ("leaves politely", {"died": DECISIONS}),
        ("dies in mid-game", {"died": 2}),
        marked(("says another thing", {"late": 12, "died": DECISIONS - 12})),
        *((way, {"nonsense": DECISIONS}) for way in NONSENSE),
        ("sends a list of numbers", {"nonsense": DECISIONS}),
        ("passes too few", {"illegal": 2}),
        ("passes a card twice", {"illegal": 2}),
        ("plays a list", {"illegal": 13}),
        ("floods its errors", {}),
        ("names an illegal card", {"illegal": DECISIONS}),
        ("writes no end of a line", {"nonsense": 4, "died": DECISIONS - 4}),
        ("writes no end of lines", {"nonsense": 4, "died": DECISIONS - 4}),
    ],
)
def test_a_bad_bot_is_replaced_and_counted(way: str, faults: dict[str, int], closing: list[ExecAgent]) -> None:
    bot = bad_bot(way, time_ms=150 if "late" in faults else 10000)
    closing.append(bot)
    play_with(bot)
    assert bot.faults == faults


def test_a_dead_bot_is_started_again_but_not_for_ever(closing: list[ExecAgent]) -> None:
    bot = bad_bot("dies in mid-game", time_ms=10000)
    closing.append(bot)
    play_with(bot, deals=4)
    assert bot._bots[1].starts == 4
    assert bot.faults == {
        "died": 4 * DECISIONS - (4 + 3 * 9)
    }  # it dies when asked for the fifth, the fifteenth, ... time


def test_messages_of_other_types_are_passed_over(closing: list[ExecAgent]) -> None:
    bot = bad_bot("talks much", time_ms=10000)
    closing.append(bot)
    play_with(bot)
    assert bot.faults == {}


@pytest.mark.parametrize(
    ("way", "reason"),
    [
        ("refuses", r"I play for money\[31m only"),
        ("speaks another version", "it speaks version 1 of the protocol, and PROTOCOL.md has version 2"),
        ("dies at once", "it ended with exit code 3 before it was ready; stderr=true shows what it writes"),
    ],
)
def test_a_bot_may_refuse_the_game(way: str, reason: str, closing: list[ExecAgent]) -> None:
    bot = bad_bot(way)
    closing.append(bot)
    bot.name = "exec:bad"
    with pytest.raises(AgentRefused, match=f"^agent exec:bad refuses black_lady: {reason}"):
        run_arena([bot, "random"], deals=2)
    assert bot.faults == {}


def test_a_refusal_in_another_process_ends_the_arena() -> None:
    spec = f"exec(command={PYTHON} {BOTS / 'bad.py'} refuses, time_ms=10000)"
    with pytest.raises(AgentRefused, match="refuses black_lady: I play for money"):
        run_arena([spec, "random"], deals=8, processes=2)


# Seeds


class Spy(Agent):
    """Plays the first legal action, and notes its seeds."""

    name = "spy"
    stateful = True
    tables_at_once = 8

    def __init__(self) -> None:
        self.seeds: list[int] = []

    def reset(self, seed: int) -> None:
        self.seeds.append(seed)

    def act(self, view: View) -> int:
        return view.legal_ids()[0]


def test_seeds_of_agents_reveal_no_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[int] = []
    monkeypatch.setattr(Program, "send", _noting(Program.send, sent))  # `request` calls it
    spy, bot = Spy(), good_bot(time_ms=10000)
    run_arena([spy, bot], deals=3, seed=77, tables_at_once=8)
    bot.close()
    dealt = np.random.SeedSequence(77).generate_state(3, np.uint64).tolist()
    seen = [*spy.seeds, *sent]
    assert len(set(spy.seeds)) == len(spy.seeds) == 3, "a seed of its own for every chunk"
    assert len(set(sent)) == len(sent) > 8, "and for every seat"
    assert all(0 <= seed < 2**63 for seed in seen)
    near = {abs(seed - factor * other) for seed in seen for other in (*dealt, 77) for factor in (1, 11)}
    assert min(near) > 2**32, "no seed is a sum or a multiple of those of the deals"


def _noting(method: Any, seeds: list[int]) -> Any:
    def noted(program: Program, *messages: Any) -> Any:
        if messages[0].get("type") in ("hello", "reset"):
            seeds.append(messages[0]["seed"])
        return method(program, *messages)

    return noted


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
        "program.request({'type': 'hello'})\n"
        "print(program.line(monotonic() + 20))\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", script], check=True, capture_output=True)
    while read_soon(reader):
        pass


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
    assert agent.stateful
    assert agent.faults == {}


def test_the_digest_is_that_of_the_script_or_of_the_program(tmp_path: Path) -> None:
    one, two = tmp_path / "one.py", tmp_path / "two.py"
    one.write_text("print(1)")
    two.write_text("print(2)")
    digests = {
        make_agent(f"{kind}:{words}").digest for kind in ("exec", "text") for words in (f"sh {one}", f"sh {two}")
    }
    assert len(digests) == 2
    assert make_agent(f"exec:sh -x {one}").digest in digests
    assert make_agent("exec:sh").digest not in {"", *digests}
