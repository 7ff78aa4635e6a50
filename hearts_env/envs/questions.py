"""Questions about positions of any rules, with exact answers: does a reader understand the rules that it was given?"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import count
from typing import Any, TypedDict

from hearts_env.cards import card_name, names_in
from hearts_env.checks import flag, seed_of, whole
from hearts_env.envs.options import one_of
from hearts_env.envs.question_kinds import KINDS, Asked, seen_by
from hearts_env.envs.text import RULES
from hearts_env.errors import RulesError
from hearts_env.ruleset import derived
from hearts_env.ruleset.model import BLACK_LADY, Rules
from hearts_env.ruleset.syntax import read_gaussian
from hearts_env.seat.answers import MOST_ANSWER, words_of
from hearts_env.variants.registry import rules as read_rules
from hearts_env.variants.sample import LARGEST, SMALLEST, Draws, sample_rules

TRIES = 200
"""Deals that are tried for a question of a kind before the kind is reported as impossible."""
MOST_CHANGES = 20
LEFT_OUT = ("Void in:", "Points:", "Legal actions:", "It is ")
"""Lines of a view that would answer a question."""
CARDS = "Cards are written rank then suit: QS is the queen of spades. No cards are passed in this deal."


class Question(TypedDict):
    """A question, its answer and what is known about it: types of JSON only, the form of reasoning-gym."""

    question: str
    answer: str
    metadata: dict[str, Any]


class Questions:
    """An endless sequence of questions. See `questions`.

    The metadata of a question has its ``kind``, the ``rules``, the fields in which they differ from Basic Hearts
    (``changes``), ``seed`` and ``index``, a ``digest`` of the text, a ``record`` of the position that
    `hearts_env.Match.replay` reads, and two floors: ``basic``, the answer of a reader who plays Basic Hearts with the
    same pack (None where the position has none), and ``chance``, the probability that a guess among the possible
    answers is right (0 for numbers).
    """

    def __init__(
        self,
        rules: Rules | str | None = None,
        *,
        kind: str | None = None,
        changes: int | None = None,
        differs: bool = False,
        page: str = "full",
        seed: int = 0,
    ) -> None:
        """See `questions`."""
        if kind is not None:
            one_of("kind", kind, tuple(KINDS))
        one_of("page", page, tuple(RULES))
        if rules is not None and changes is not None:
            raise ValueError("changes are drawn for Basic Hearts; leave out rules or changes")
        self._rules = None if rules is None else read_rules(rules)
        self._changes = None if changes is None else whole("changes", changes, 0, MOST_CHANGES)
        self._kind, self._page, self._seed, self._differs = kind, page, seed_of(seed), flag("differs", differs)

    def __iter__(self) -> Iterator[Question]:
        return map(self.__getitem__, count())

    def __getitem__(self, index: int) -> Question:
        """One question, the same whichever were made before it.

        Raises:
            ValueError: a bad index, or the rules give no position for a question of this kind.
        """
        index = whole("index", index, 0)
        kind = self._kind or tuple(KINDS)[index % len(KINDS)]
        word = hashlib.sha256(f"{self._seed} {index}".encode()).digest()[:8]
        draws = Draws(int.from_bytes(word, "big"))
        for _ in range(TRIES):
            for asked in KINDS[kind](self._draw_rules(draws), draws):
                if not self._differs or asked.basic not in (None, asked.answer):
                    return self._entry(asked, kind, index)
        raise ValueError(
            f"{TRIES} deals of {self._rules or 'these rules'} have no position for such a question ({kind})"
        )

    def _draw_rules(self, draws: Draws) -> Rules:
        if self._rules is not None:
            return self._rules
        return sample_rules(draws.below(2**63)) if self._changes is None else change_fields(self._changes, draws)

    def _entry(self, asked: Asked, kind: str, index: int) -> Question:
        match, rules = asked.match, asked.match.rules
        position = [line for line in seen_by(match).text().splitlines() if not line.startswith(LEFT_OUT)]
        text = "\n\n".join([RULES[self._page](rules).strip(), CARDS, "\n".join(position), asked.ask])
        metadata = {
            "kind": kind,
            "rules": str(rules),
            "changes": changed_fields(rules),
            "seed": self._seed,
            "index": index,
            "basic": asked.basic,
            "chance": asked.chance,
            "record": match.record(),
            "digest": hashlib.sha256(text.encode()).hexdigest()[:16],
        }
        return {"question": text, "answer": asked.answer, "metadata": metadata}

    @staticmethod
    def score_answer(answer: str | None, entry: Question) -> float:
        """1.0 if the last brackets of an answer are right, else 0.0; an answer without brackets is read whole.

        >>> import hearts_env as he
        >>> entry = {"question": "...", "answer": "1/2", "metadata": {"kind": "fraction"}}
        >>> [he.Questions.score_answer(text, entry) for text in ("It is [2/4].", "0.5", "[1/3]", None)]
        [1.0, 1.0, 0.0, 0.0]
        """
        kind = entry["metadata"]["kind"]
        given = read_answer(kind, answer) if isinstance(answer, str) else None
        return float(given is not None and given == read_answer(kind, entry["answer"]))


def questions(rules: Rules | str | None = None, **options: Any) -> Questions:
    """Questions with exact answers about positions, endless and reproducible: iterate, or take one by its index.

    >>> import hearts_env as he
    >>> asked = he.questions("black_lady", kind="winner", seed=7)
    >>> entry = asked[0]
    >>> print(entry["question"][entry["question"].index("Trick 7") :].partition("?")[0])
    Trick 7 so far: 0:3C 1:5C 2:QC
    Totals: seat 0 0, seat 1 0, seat 2 0, seat 3 0
    Hand: 2D 8D QD 5H 7H 8H JH
    <BLANKLINE>
    You play 8H, the last card of this trick. Who takes the trick
    >>> entry["answer"], asked.score_answer("The highest club wins, so it is [2].", entry)
    ('2', 1.0)

    Args:
        rules: rules or their text; None draws others for each question, as `hearts_env.sample_rules` does.
        options: ``kind``: ``"legal"`` (which cards may you play), ``"winner"`` (who takes this trick), ``"score"``
            (what does this deal score), ``"void"`` (who lacks a suit in every deal that agrees with what you saw) or
            ``"fraction"`` (in what fraction of those deals does a seat hold a card); None takes them in turn.
            ``changes``: draw Basic Hearts for four with so many fields changed, 0 to 20, a measure of difficulty.
            ``differs`` (False): only questions whose answer is another one in Basic Hearts with the same pack.
            ``page``: the rules in words, ``"full"`` (`hearts_env.rules_page`) or ``"short"``. ``seed`` (0): fixes the
            questions, a whole number from 0 to 2**64 - 1.

    Raises:
        RulesError: unknown, misspelled or contradictory rules.
        ValueError: a bad option.
    """
    return Questions(rules, **options)


# Rules


def changed_fields(rules: Rules) -> list[str]:
    """Fields that differ from Basic Hearts with the same number of players, and `table.players` unless that is 4."""
    basic = BLACK_LADY.standard(rules.players) | {"table.players": BLACK_LADY.default_players}
    return [path for path, value in rules.flat().items() if value != basic[path]]


def change_fields(number: int, draws: Draws) -> Rules:
    """Basic Hearts for four with some fields changed, each to a value of rules drawn by `sample_rules`."""
    rules = BLACK_LADY.build()
    while (done := len(changed_fields(rules))) < number:
        drawn = sample_rules(draws.below(2**63)).flat()
        paths = [path for path in changed_fields(BLACK_LADY.build(**drawn)) if path != "table.players"]
        try:
            changed = rules.replace(**{path: drawn[path] for path in draws.some(paths, 1)})
        except RulesError:
            continue
        deck = derived.build_deck(changed)
        plays = SMALLEST <= derived.hand_size(changed, deck) <= LARGEST
        if plays and any(derived.card_points(changed, deck).values()) and len(changed_fields(changed)) == done + 1:
            rules = changed
    return rules


# Answers


def read_answer(kind: str, answer: str) -> Any:
    """The meaning of an answer of a kind, in a form in which equal answers are equal; None if nothing of it can be
    read.
    """
    words = words_of(answer)
    found = [READ[kind](word) for word in words or names_in(answer[:MOST_ANSWER])]
    values = [value for value in found if value is not None]
    if not values or (not words and len(values) < len(found)):  # without brackets every word counts
        return None
    if kind == "void":
        return frozenset().union(*values)
    if kind == "legal":
        return frozenset(values)
    return values if kind == "score" else list(dict.fromkeys(values))  # the same answer twice is one


def _card(word: str) -> str | None:
    try:
        return card_name(word)
    except ValueError:
        return None


def _seat(word: str) -> int | str | None:
    return word if word == "NOBODY" else int(word) if re.fullmatch(r"[0-9]{1,2}", word) else None


def _number(word: str) -> int | complex | None:
    try:
        return read_gaussian(word)
    except ValueError:
        return None


def _voids(word: str) -> frozenset[tuple[int, str]] | None:
    found = re.fullmatch(r"([0-9]{1,2}):?([CDHS]+)", word)
    if found is None:
        return frozenset() if word == "NONE" else None
    return frozenset((int(found[1]), suit) for suit in found[2])


def _fraction(word: str) -> Fraction | None:
    try:
        return Fraction(word) if re.fullmatch(r"[0-9]{0,9}([/.][0-9]{1,9})?", word) else None
    except (ValueError, ZeroDivisionError):
        return None


READ: dict[str, Callable[[str], Any]] = {
    "legal": _card,
    "winner": _seat,
    "score": _number,
    "void": _voids,
    "fraction": _fraction,
}
"""Kind of question -> the function that reads a word of an answer; it returns None for a word without meaning."""
