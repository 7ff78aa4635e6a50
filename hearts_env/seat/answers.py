"""Answers in words: the action in brackets, and the reason why it is refused."""

from __future__ import annotations

import re

from hearts_env.seat.illegal import refusal
from hearts_env.seat.view import View

HOW = (
    "Cards are written rank then suit: QS is the queen of spades, TC the ten of clubs. Answer with an action in "
    "brackets, such as [{example}]. The last brackets of your answer count."
)
MOST_ANSWER = 100_000
"""The end of an answer that is read, in characters."""
RUN = re.compile(r"\[[^\[\]]*\](?:(?:[\s,;&]|and)*\[[^\[\]]*\])*")
"""Brackets with nothing but white space, commas, semicolons and ands between them."""
INSIDE, WORD = re.compile(r"\[([^\[\]]*)\]"), re.compile(r"[^\s,;]+")


def words_of(answer: str) -> list[str]:
    """The words in the last brackets of an answer, in capitals.

    >>> words_of("Not [2C]. I pass [qs], [KS] and [AS].")
    ['QS', 'KS', 'AS']
    """
    runs = RUN.findall(answer[-MOST_ANSWER:])
    return [word for part in INSIDE.findall(runs[-1]) for word in WORD.findall(part.upper())] if runs else []


def number_of(view: View, word: str) -> int:
    """The id of the action that a word in capitals names, -1 if there is none."""
    return next((action for action, name in enumerate(view.game.actions) if name.upper() == word), -1)


def why_refused(view: View, word: str, *, listed: bool = True) -> tuple[str, str]:
    """The reason why a word that names no legal action is refused: ``unreadable`` or ``illegal``, and a line for the
    reader.

    Args:
        view: of the seat that answered.
        word: in capitals; empty if the answer had none in brackets.
        listed: whether the line lists the legal actions.
    """
    if not word:
        return "unreadable", "No action in brackets was found"
    action = number_of(view, word)
    if action < 0:
        printable = "".join(sign for sign in word if sign.isprintable())[:20]
        return "unreadable", f"[{printable}] is no action of this game"
    return "illegal", refusal(view, action, listed=listed)
