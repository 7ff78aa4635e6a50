"""`exec:COMMAND`: a program outside as an agent."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import Any

from hearts_agents.base import Agent
from hearts_agents.engines.messages import PROTOCOL, Message, read_line
from hearts_agents.engines.process import FaultError, Program, split_command
from hearts_agents.engines.view_diff import Teller
from hearts_env.compiled.game import Game
from hearts_env.play.view import View
from hearts_env.ruleset.limits import SEATS

RESTARTS = 3
"""How often a program that has died is started again, each time for the next deal."""
LATE_IN_A_ROW = 3
"""How often in a row a program may be late before it is ended."""
MOST_MS = 3_600_000
"""The longest time limit, an hour."""


@dataclass(frozen=True)
class Terms:
    """How a program is started, and what time it has.

    Attributes:
        words: the command, split.
        time_ms: milliseconds for a decision.
        start_ms: milliseconds from its start to `ready`.
        stderr: whether its standard error is shown; it is dropped otherwise.
    """

    words: list[str]
    time_ms: int
    start_ms: int
    stderr: bool


class ExecAgent(Agent):
    """A program that speaks the protocol of engines/PROTOCOL.md, one process for every seat it holds.

    Where it fails, the first legal action is played, and counted in `faults`: ``late`` (no answer in time), ``died``
    (it has ended, or has been ended), ``nonsense`` (no answer of the protocol), ``illegal`` (not a legal action).

    Attributes:
        faults: decisions that were taken for it, by the reason.
    """

    one_table = True
    tables_at_once = 32

    def __init__(self, command: str, time_ms: int = 1000, start_ms: int = 30000, stderr: bool = False) -> None:
        """Nothing is started yet.

        Args:
            command: the program and its arguments, quoted as for a shell; no shell reads it.
            time_ms: milliseconds for a decision.
            start_ms: milliseconds from its start to `ready`.
            stderr: whether its standard error is shown; it is dropped otherwise.

        Raises:
            ValueError: there is no such program, or no time.
        """
        for key, value in (("time_ms", time_ms), ("start_ms", start_ms)):
            if not 1 <= value <= MOST_MS:
                raise ValueError(f"exec: {key}={value} is not possible; it is from 1 to {MOST_MS}")
        self.terms = Terms(split_command(command), time_ms, start_ms, stderr)
        self.faults: Counter[str] = Counter()
        self._seed: int | None = None
        self._bots: dict[int, _Bot] = {}

    def reset(self, seed: int) -> None:
        """Pass the seed on: seat k gets 11 * seed + k. Deals under way are forgotten."""
        self._seed = seed
        for seat, bot in self._bots.items():
            bot.reset(SEATS * seed + seat)

    def act(self, view: View) -> int:
        """The program's choice, or the first legal action in its place.

        Raises:
            ValueError: the program cannot be started.
        """
        try:
            return view.game.action(self._bot(view).choose(view))
        except FaultError as fault:
            self.faults[fault.kind] += 1
            return view.legal_ids()[0]

    def deal_over(self, view: View) -> None:
        """Tell the program how the deal ended."""
        self._bot(view).hear_end(view)

    def close(self) -> None:
        """End all its processes; a later decision starts new ones. They also end with this object."""
        for bot in self._bots.values():
            bot.close()
        self._bots = {}

    def _bot(self, view: View) -> _Bot:
        bot = self._bots.get(view.seat)
        if bot is None or bot.game is not view.game:
            if bot is not None:
                bot.close()
            seed = None if self._seed is None else SEATS * self._seed + view.seat
            bot = self._bots[view.seat] = _Bot(self.terms, view.game, view.seat, seed)
        return bot

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_bots": {}}  # processes stay where they were started


class _Bot:
    """The program in one seat: started anew if need be, told what happens, asked for decisions."""

    def __init__(self, terms: Terms, game: Game, seat: int, seed: int | None) -> None:
        self.terms, self.game, self.seat, self.seed = terms, game, seat, seed
        self.teller = Teller(game, seat)
        self.program: Program | None = None
        self.starts = self.late = self.asked = 0

    def reset(self, seed: int) -> None:
        """Forget the deal under way, and pass on a new seed."""
        self.seed, self.teller = seed, Teller(self.game, self.seat)
        if self.program is not None:
            self._inform([{"type": "reset", "seed": seed}])

    def choose(self, view: View) -> str:
        """The name of a legal action.

        Raises:
            FaultError: the program gave none.
        """
        is_new = not self.teller.follows(view)
        if is_new and self.program is None:
            self.teller = Teller(self.game, self.seat)
        news = list(self.teller.news(view))
        if self.program is None and is_new and self.starts <= RESTARTS:
            self._guard(self._start)
        if self.program is None:
            raise FaultError("died")
        choice: str = self._guard(self._ask, self.program, view, news)
        self.late = 0
        return choice

    def hear_end(self, view: View) -> None:
        """Tell the rest of the deal."""
        if self.teller.follows(view):
            self._inform(list(self.teller.news(view)))

    def _inform(self, news: list[Message]) -> None:
        """Tell the program something without asking; one that is gone is missed at its next decision."""
        if self.program is not None:
            with suppress(FaultError):
                self._guard(self.program.send, *news)

    def close(self) -> None:
        """End the process."""
        if self.program is not None:
            self.program.close()
            self.program = None

    def _guard(self, action: Any, *arguments: Any) -> Any:
        """Do something with the program, and end it if that shows it to be of no more use."""
        try:
            return action(*arguments)
        except FaultError as fault:
            self.late = self.late + 1 if fault.kind == "late" else 0
            if self.program is not None and (fault.deadly or self.late == LATE_IN_A_ROW):
                self.program.kill()
                self.program = None
            raise

    def _start(self) -> None:
        self.starts += 1
        self.late = 0
        self.program = Program(self.terms.words, self.terms.stderr)
        deadline = monotonic() + self.terms.start_ms / 1000
        try:
            self.program.ask(self._hello())
            answer = _read(self.program.line(deadline))
        except FaultError as fault:
            raise FaultError(fault.kind, deadly=True) from None
        if answer["type"] != "ready" or answer.get("protocol") != PROTOCOL:
            raise FaultError("nonsense", deadly=True)

    def _hello(self) -> Message:
        seed = {} if self.seed is None else {"seed": self.seed}
        return {
            "type": "hello",
            "protocol": PROTOCOL,
            "rules": str(self.game.rules),
            "players": self.game.seats,
            "seat": self.seat,
            "time_ms": self.terms.time_ms,
            "actions": list(self.game.actions),
            **seed,
        }

    def _ask(self, program: Program, view: View, news: list[Message]) -> str:
        self.asked += 1
        deadline = monotonic() + self.terms.time_ms / 1000
        program.ask(*news, self.teller.act(view, self.asked, self.terms.time_ms))
        while (choice := _answer(_read(program.line(deadline)), self.asked)) is None:
            pass
        if choice not in view.legal():
            raise FaultError("illegal")
        return choice


def _read(line: bytes) -> Message:
    try:
        return read_line(line)
    except ValueError:
        raise FaultError("nonsense") from None


def _answer(answer: Message, asked: int) -> str | None:
    """The action an answer names; None if it comes too late for an earlier request."""
    number, choice = answer.get("id"), answer.get("action")
    if answer["type"] != "action" or type(number) is not int or number > asked or not isinstance(choice, str):
        raise FaultError("nonsense")
    return choice if number == asked else None
