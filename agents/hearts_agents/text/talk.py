"""Agents that get the rules and what their seat sees in words, and answer in words; `text(command=...)` is one."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections import Counter
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from time import monotonic
from typing import Any

from hearts_agents.base import Agent
from hearts_agents.engines.process import FaultError, Program, check_time, digest_of_files, split_command
from hearts_env.explain.page import rules_page
from hearts_env.explain.short import short_page
from hearts_env.seat.answers import HOW, actions_of
from hearts_env.seat.illegal import refusal
from hearts_env.seat.view import View

PAGES = {"full": rules_page, "short": short_page}
MOST_TRIES = 20
MOST_KEPT = 4000
"""The end of a refused answer that its writer is reminded of, in characters."""
Turn = tuple[str, str]
"""The speaker, ``user`` or ``assistant``, and the words."""


class TalkAgent(Agent):
    """A player that is asked in words: the rules once more at every decision, and the view of its seat.

    A refused answer is followed by the reason and another question, `tries` times; after the last, or without an
    answer, the first legal action is substituted and counted in `faults` by its reason.

    Attributes:
        faults: reason -> number of substituted decisions: ``illegal``, ``unreadable``, or why there was no answer.
        usage: what was spent: ``answers``, ``illegal`` and ``unreadable`` (answers, substituted or not), ``tokens``,
            `COST` where prices are known.
    """

    external = True
    tables_at_once = 8

    def __init__(self, name: str, rules: str, tries: int, log: str) -> None:
        """See `TextAgent`. Raises ValueError for an option that is out of range."""
        if rules not in PAGES:
            raise ValueError(f"{name}: rules={rules} is not possible; it is full or short")
        if not 0 <= tries <= MOST_TRIES:
            raise ValueError(f"{name}: tries={tries} is not possible; it is from 0 to {MOST_TRIES}")
        self.name, self._rules, self._tries, self._log = name, rules, tries, log
        self.faults: Counter[str] = Counter()
        self.usage: Counter[str] = Counter()

    @abstractmethod
    def ask(self, rules: str, turns: list[Turn]) -> str:
        """The answer to the last of `turns`. Raises FaultError, which names the reason, if there is none."""

    def act(self, view: View) -> int:
        """The action in the answer, or the first legal one in its place."""
        rules, turns = _page(self._rules, view.game.text), [("user", view.text())]
        kind = ""
        for _ in range(self._tries + 1):
            try:
                answer = self.ask(rules, turns)
            except FaultError as fault:
                kind = fault.kind
                break
            self.usage["answers"] += 1
            action, kind, reason = _read(view, answer)
            self._keep(rules, turns, answer, not kind)
            if not kind:
                return action
            self.usage[kind] += 1
            turns += [("assistant", answer[-MOST_KEPT:] or "-"), ("user", f"{reason}. Answer with another action.")]
        self.faults[kind] += 1
        return view.legal_ids()[0]

    def _keep(self, rules: str, turns: list[Turn], answer: str, legal: bool) -> None:
        if self._log:
            digest = blake2b(json.dumps([rules, turns]).encode(), digest_size=8).hexdigest()
            line = {"agent": self.name, "prompt": digest, "question": turns[-1][1], "answer": answer, "legal": legal}
            with Path(self._log).open("a", encoding="utf-8", errors="backslashreplace") as file:
                file.write(json.dumps(line, ensure_ascii=False) + "\n")


def _read(view: View, answer: str) -> tuple[int, str, str]:
    """The action that an answer names last; or the kind of its refusal, and the reason in one line."""
    try:
        action = actions_of(view, answer)[-1]
    except ValueError as error:
        return -1, "unreadable", str(error)
    return (action, "", "") if action in view.legal_ids() else (-1, "illegal", refusal(view, action))


@lru_cache(maxsize=64)
def _page(kind: str, rules: str) -> str:
    return f"{PAGES[kind](rules)}\n{HOW.format(example='QS')}"


class TextAgent(TalkAgent):
    """A program that reads questions and writes answers, one line each."""

    def __init__(self, command: str, time_ms: int = 10000, rules: str = "full", tries: int = 3, log: str = "") -> None:
        """Check the command; the program is started at its first decision.

        Args:
            command: the program and its arguments, such as python3 reader.py.
            time_ms: time limit of an answer, in milliseconds.
            rules: the page of rules it gets, full or short.
            tries: further questions after a refused answer.
            log: a file to which every answer is added as a line of JSON; empty for none.

        Raises:
            ValueError: the program does not exist, or an option is out of range.
        """
        super().__init__(f"text:{command}", rules, tries, log)
        check_time("text", "time_ms", time_ms)
        self._words, self._time_ms = split_command(command), time_ms
        self.digest = digest_of_files(self._words)
        self._program: Program | None = None

    def ask(self, rules: str, turns: list[Turn]) -> str:
        """One line of JSON to the program, with ``rules`` and ``turns``; its next line is the answer."""
        program = self._program = self._program or Program(self._words)
        try:
            message: dict[str, Any] = {"type": "question", "rules": rules, "turns": turns}
            program.request(message)
            return program.line(monotonic() + self._time_ms / 1000).decode(errors="replace")
        except FaultError:  # what a late program writes later would be read as the answer to another question
            self.close(kill=True)
            raise

    def close(self, *, kill: bool = False) -> None:
        """End the program; a later decision starts it again."""
        if self._program is not None:
            (self._program.kill if kill else self._program.close)()
            self._program = None

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_program": None}
