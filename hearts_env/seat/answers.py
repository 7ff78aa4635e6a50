"""Answers in words: the action in brackets, and the reason why it is refused."""

from __future__ import annotations

import re
from unicodedata import normalize

from hearts_env.cards import names_in
from hearts_env.seat.view import View

HOW = (
    "Cards are written rank then suit: QS is the queen of spades, TC the ten of clubs. Answer with an action in "
    "brackets, such as [{example}]. The last brackets of your answer count; those right after the word not are left "
    "out. Name no more actions than are due."
)
MOST_ANSWER = 100_000
"""The end of an answer that is read, in characters."""
_ONE = r"\[[^\[\]]*\]"
_DECORATION = r"(?:[\s*_:\"'`“”(<>\-]|</?\w+>)*\[*"
RUN = re.compile(rf"{_ONE}(?:(?:[^\w\[\].?!]|and|or|\d\d?\d?[.)])*{_ONE})*", re.IGNORECASE)
"""Brackets with no end of a sentence between them, and no word except *and*, *or* and the number of an entry."""
INSIDE = re.compile(r"\[([^\[\]]*)\]")
NEGATED = re.compile(rf"\bnot{_DECORATION}{_ONE}(?:\s*(?:or|nor|and)\s*{_ONE})*", re.IGNORECASE)
"""Brackets that directly follow the word *not*, whatever marks them, and those joined to them by *or*, *nor*, *and*."""


def words_of(answer: str) -> list[str]:
    """The words in the last brackets of an answer, in capitals; brackets right after the word *not* are left out.

    >>> words_of("Not [2C]. I pass [qs], [KS] and [ace of spades].")
    ['QS', 'KS', 'AS']
    >>> words_of("I play [5C], not [QS].")
    ['5C']
    """
    runs = RUN.findall(NEGATED.sub(".", normalize("NFKC", answer[-MOST_ANSWER:])))
    return [word for part in INSIDE.findall(runs[-1]) for word in names_in(part)] if runs else []


def number_of(view: View, word: str) -> int:
    """The id of the action that a word names in any spelling, -1 if there is none."""
    try:
        return view.game.action(word)
    except ValueError:
        return -1


def actions_of(view: View, answer: str) -> list[int]:
    """The ids of the actions that an answer names, each once, in order; legal or not.

    >>> import hearts_env as he
    >>> view = he.Match("black_lady", seed=7).view(0)
    >>> [view.game.actions[action] for action in actions_of(view, "I pass [QS], [K♠] and [queen of spades].")]
    ['QS', 'KS']
    >>> actions_of(view, view.text())
    Traceback (most recent call last):
    ValueError: 13 actions are in the last brackets, and 3 are due

    Raises:
        ValueError: in one line, nothing can be read: no brackets, a word that is no action, or more different actions
            than are due, as in an answer that repeats the question.
    """
    words = words_of(answer)
    if not words:
        raise ValueError("No action in brackets was found")
    found: dict[int, str] = {}
    for word in words:
        found.setdefault(number_of(view, word), word)
    if -1 in found:
        printable = "".join(sign for sign in found[-1] if sign.isprintable())[:20]
        raise ValueError(f"[{printable}] is no action of this game")
    if len(found) > (due := max(view.picks_left, 1)):
        raise ValueError(f"{len(found)} actions are in the last brackets, and {due} {'is' if due == 1 else 'are'} due")
    return list(found)
