"""`exec:COMMAND`: an external program as an agent."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from hearts_agents.base import Agent, AgentRefused
from hearts_agents.engines.hello import make_hello
from hearts_agents.engines.messages import (
    LINE_LIMIT,
    PROTOCOL,
    Act,
    DealScore,
    Fault,
    Reset,
    Unchecked,
    printable,
    read_line,
    write_line,
)
from hearts_agents.engines.process import FaultError, Program, check_time, digest_of_files, split_command
from hearts_env.compiled.game import Game
from hearts_env.kernel.records import STATE
from hearts_env.ruleset.syntax import brief
from hearts_env.seat.illegal import refusal
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
        self.digest = digest_of_files(self.terms.words)
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
        self.starts = self.late = self.requests = self.deal = 0
        self.called = ""
        self._dealt: Any = None
        self._passing: list[str] = []

    def reset(self, seed: int) -> None:
        self.seed, self._dealt = seed, None
        self._send(Reset(type="reset", seed=seed))

    def choose(self, view: View) -> str:
        """The name of a legal action.

        Raises:
            FaultError: the program did not name one.
        """
        self._follow(view)
        if (card := self._listed(view)) is not None:
            return card
        if self.program is None and self.starts <= RESTARTS:
            self._guard(self._start)
        if self.program is None:
            raise FaultError("died")
        try:
            choice: str | list[str] = self._guard(self._request, self.program, view)
        except FaultError as fault:
            if fault.reason:
                self._send(Fault(type="fault", id=self.requests, kind=fault.kind, reason=fault.reason))
            raise
        self.late = 0
        if isinstance(choice, str):
            return choice
        self._passing = [*view.passed, *choice]
        return choice[0]

    def _listed(self, view: View) -> str | None:
        """The next card of the list that the program answered to pass."""
        done = len(view.passed)
        if view.phase != "pass" or self._passing[:done] != view.passed:
            return None
        return next((card for card in self._passing[done : done + 1] if card in view.legal()), None)

    def send_end(self, view: View) -> None:
        self._follow(view)
        self._dealt = None
        if self.program is not None:
            self._send(DealScore(type="score", deal=self.deal, view=view.as_dict()))

    def _follow(self, view: View) -> None:
        """Count the deals: a new one has another number, or other cards for this seat, or follows the end of one."""
        dealt = Counter([*view.hand, *view.passed, *(card for seat, card in view.played if seat == view.seat)])
        dealt.subtract(view.received)
        if (view.deal_number, dealt) != self._dealt:
            self._dealt, self._passing = (view.deal_number, dealt), []
            self.deal += 1

    def _send(self, message: DealScore | Reset | Fault) -> None:
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

    def _request(self, program: Program, view: View) -> str | list[str]:
        self.requests += 1
        number, picks, time_ms = self.requests, view.picks_left, self.terms.time_ms
        act = Act(type="act", id=number, deal=self.deal, picks=picks, time_ms=time_ms, view=view.as_dict())
        deadline = monotonic() + self.terms.time_ms / 1000
        program.request(act)
        while (choice := _answer(_read(program.line(deadline)), self.requests)) is None:
            pass
        if choice not in act["view"]["legal"] and (reason := _why_wrong(view, choice)):
            raise FaultError("illegal", reason=reason)
        return choice


def _why_wrong(view: View, choice: str | list[str]) -> str:
    """One line on the reason why an answer cannot be played; empty for a list of cards that can all be passed."""
    names, due = [choice] if isinstance(choice, str) else choice, view.picks_left
    if isinstance(choice, list) and len(choice) != due:
        needed = f"{due} {'is' if due == 1 else 'are'} due" if due else "only a pass takes a list"
        return f"a list of {len(choice)} is not possible; {needed}"
    for place, name in enumerate(names, 1):
        if name not in view.game.actions:
            return f"{brief(name)} is no action of this game; legal: {' '.join(view.legal())}"
        if name not in view.legal():
            return refusal(view, view.game.action(name))
        if place < due:
            view = _with_pick(view, name)
    return ""


def _with_pick(view: View, name: str) -> View:
    from hearts_env.kernel.batch import step_first

    states = np.frombuffer(bytearray(view.record.tobytes()), STATE)
    step_first(states, view.game.table, view.game.action(name))
    return View(view.game, states[0], view.seat, check=False)


def _read(line: bytes) -> Unchecked:
    try:
        return read_line(line)
    except ValueError as error:
        raise FaultError("nonsense", reason=str(error)) from None


def _answer(answer: Unchecked, request: int) -> str | list[str] | None:
    """The action in an answer, or a list of them; None for another message, or a late answer to an earlier request."""
    if answer["type"] != "action":
        return None
    number, choice = answer.get("id"), answer.get("action")
    listed = isinstance(choice, list) and all(isinstance(name, str) for name in choice)
    if type(number) is not int or number > request or not (isinstance(choice, str) or listed):
        reason = f"an answer to request {request} has this id, and as action text or a list of texts"
        raise FaultError("nonsense", reason=reason)
    return choice if number == request else None  # type: ignore[return-value]  # checked above


def _end_of(program: Program) -> str:
    code = program.exit_code()
    ended = "it closed its output" if code is None else f"it ended with exit code {code}"
    return f"{ended} before it was ready; stderr=true shows what it writes to standard error"
