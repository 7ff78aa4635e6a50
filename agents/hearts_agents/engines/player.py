"""`exec:COMMAND`: an external program as an agent."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from time import monotonic
from typing import Any, NamedTuple

from hearts_agents.base import Agent, AgentRefused
from hearts_agents.engines.hello import make_hello
from hearts_agents.engines.messages import (
    LINE_LIMIT,
    PROTOCOL,
    Act,
    DealScore,
    Reset,
    Unchecked,
    printable,
    read_line,
    write_line,
)
from hearts_agents.engines.process import FaultError, Program, check_time, split_command
from hearts_env.compiled.game import Game
from hearts_env.ruleset.syntax import brief
from hearts_env.seat.view import View
from hearts_env.table.seeds import agent_seed

RESTARTS = 3
"""The number of times that a dead program is restarted, each time for the next decision."""
LATE_IN_A_ROW = 3
"""The number of consecutive late answers after which a program is ended."""


class Terms(NamedTuple):
    """The command that starts a program, its time limits, and the use of its standard error; see `ExecAgent`."""

    words: list[str]
    time_ms: int
    start_ms: int
    stderr: bool


class ExecAgent(Agent):
    """A program that speaks the protocol of engines/PROTOCOL.md, in one process for every seat it holds.

    If it fails, the first legal action is substituted and counted in `faults` by its reason: ``late`` (no answer in
    time), ``died`` (it has ended, or has been ended), ``nonsense`` (an answer that breaks the protocol), ``illegal``
    (not a legal action).

    Attributes:
        faults: reason -> number of substituted decisions.
        called: the name it gave itself in `ready`, printable and cut after 60 characters.
    """

    stateful = True
    external = True
    tables_at_once = 32

    def __init__(self, command: str, time_ms: int = 1000, start_ms: int = 120000, stderr: bool = False) -> None:
        """Check the command; the program is started at its first decision.

        Args:
            command: the program and its arguments, quoted as for a shell; no shell reads it.
            time_ms: time limit of a decision, in milliseconds.
            start_ms: time limit from its start until it is ready, in milliseconds.
            stderr: whether its standard error is shown; otherwise it is discarded.

        Raises:
            ValueError: the program does not exist, or a time limit is out of range.
        """
        check_time("exec", "time_ms", time_ms)
        check_time("exec", "start_ms", start_ms)
        self.name = f"exec:{command}"
        self.terms = Terms(split_command(command), time_ms, start_ms, stderr)
        self.faults: Counter[str] = Counter()
        self._seed: int | None = None
        self._bots: dict[int, _Bot] = {}

    def reset(self, seed: int) -> None:
        """Send every program a seed of its own, derived from this one and its seat."""
        self._seed = seed
        for seat, bot in self._bots.items():
            bot.reset(agent_seed(seed, seat))

    def act(self, view: View) -> int:
        """The program's choice, or the first legal action in its place.

        Raises:
            AgentRefused: the program refuses the game, or ends when it is told which one it is.
            ValueError: the program cannot be started.
        """
        bot = self._bot(view)
        try:
            return view.game.action(bot.choose(view))
        except FaultError as fault:
            if fault.kind == "refused":
                raise AgentRefused(f"agent {self.name} refuses {view.game.rules}: {fault.reason}") from None
            self.faults[fault.kind] += 1
            return view.legal_ids()[0]
        finally:
            self.called = bot.called or self.called

    def on_deal_end(self, view: View) -> None:
        """Send the end of the deal to the program."""
        self._bot(view).send_end(view)

    def close(self) -> None:
        """End all its processes; a later decision starts new ones. Processes also end when this object is deleted."""
        for bot in self._bots.values():
            bot.close()
        self._bots = {}

    def _bot(self, view: View) -> _Bot:
        bot = self._bots.get(view.seat)
        if bot is None or bot.game is not view.game:
            if bot is not None:
                bot.close()
            seed = None if self._seed is None else agent_seed(self._seed, view.seat)
            bot = self._bots[view.seat] = _Bot(self.terms, view.game, view.seat, seed)
        return bot

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_bots": {}}  # processes stay where they were started


class _Bot:
    """The program in one seat: starts it, restarts it, and requests decisions."""

    def __init__(self, terms: Terms, game: Game, seat: int, seed: int | None) -> None:
        self.terms, self.game, self.seat, self.seed = terms, game, seat, seed
        self.program: Program | None = None
        self.starts = self.late = self.requests = 0
        self.called = ""

    def reset(self, seed: int) -> None:
        self.seed = seed
        self._send(Reset(type="reset", seed=seed))

    def choose(self, view: View) -> str:
        """The name of a legal action.

        Raises:
            FaultError: the program did not name one.
        """
        if self.program is None and self.starts <= RESTARTS:
            self._guard(self._start)
        if self.program is None:
            raise FaultError("died")
        choice: str = self._guard(self._request, self.program, view)
        self.late = 0
        return choice

    def send_end(self, view: View) -> None:
        if self.program is not None:
            self._send(DealScore(type="score", view=view.as_dict()))

    def _send(self, message: DealScore | Reset) -> None:
        """Send a message that needs no answer. A failure counts at the next decision, not here."""
        if self.program is not None:
            with suppress(FaultError):
                self._guard(self.program.send, message)

    def close(self) -> None:
        if self.program is not None:
            self.program.close()
            self.program = None

    def _guard(self, action: Any, *arguments: Any) -> Any:
        """Call a method that uses the program; on a deadly fault, or too many late answers, end the program."""
        try:
            return action(*arguments)
        except FaultError as fault:
            self.late = self.late + 1 if fault.kind == "late" else 0
            if self.program is not None and (fault.deadly or self.late == LATE_IN_A_ROW):
                self.program.kill()
                self.program = None
            raise

    def _start(self) -> None:
        hello = make_hello(self.game, self.seat, self.terms.time_ms, self.seed)
        if (size := len(write_line(hello))) > LINE_LIMIT:
            reason = f"its first message would have {size:,} bytes; at most {LINE_LIMIT:,} are allowed"
            raise FaultError("refused", deadly=True, reason=reason)
        self.starts += 1
        self.late = 0
        self.program = Program(self.terms.words, self.terms.stderr)
        deadline = monotonic() + self.terms.start_ms / 1000
        try:
            self.program.request(hello)
            while (answer := _read(self.program.line(deadline)))["type"] not in ("ready", "refuse"):
                pass
        except FaultError as fault:
            if fault.kind == "died" and self.starts == 1:
                raise FaultError("refused", deadly=True, reason=_end_of(self.program)) from None
            raise FaultError(fault.kind, deadly=True) from None
        if answer["type"] == "refuse":
            raise FaultError("refused", deadly=True, reason=printable(answer.get("reason")) or "it gives no reason")
        if type(spoken := answer.get("protocol")) is not int:
            raise FaultError("nonsense", deadly=True)
        if spoken != PROTOCOL:
            reason = f"it speaks version {brief(spoken)} of the protocol, and PROTOCOL.md has version {PROTOCOL}"
            raise FaultError("refused", deadly=True, reason=reason)
        self.called = printable(answer.get("name"), 60)

    def _request(self, program: Program, view: View) -> str:
        self.requests += 1
        act = Act(type="act", id=self.requests, time_ms=self.terms.time_ms, view=view.as_dict())
        deadline = monotonic() + self.terms.time_ms / 1000
        program.request(act)
        while (choice := _answer(_read(program.line(deadline)), self.requests)) is None:
            pass
        if choice not in act["view"]["legal"]:
            raise FaultError("illegal")
        return choice


def _read(line: bytes) -> Unchecked:
    try:
        return read_line(line)
    except ValueError:
        raise FaultError("nonsense") from None


def _answer(answer: Unchecked, request: int) -> str | None:
    """The name of the action in an answer; None for another message, or a late answer to an earlier request."""
    if answer["type"] != "action":
        return None
    number, choice = answer.get("id"), answer.get("action")
    if type(number) is not int or number > request or not isinstance(choice, str):
        raise FaultError("nonsense")
    return choice if number == request else None


def _end_of(program: Program) -> str:
    code = program.exit_code()
    ended = "it closed its output" if code is None else f"it ended with exit code {code}"
    return f"{ended} before it was ready; stderr=true shows what it writes to standard error"
