"""Random and mutated texts of rules: each is refused in one line, or is read, and what is read reads back equal."""

from __future__ import annotations

import string
import time
from collections import Counter
from random import Random

import hearts_env as he
from hearts_env.ruleset.model import field_types
from tests.fuzz.attack import Attack, BrokenError, Case, refusal
from tests.fuzz.drawing import KNOWN, draw_rules
from tests.support.fields import FIELDS

SECONDS = 1.0
"""The longest that reading a text may take."""
PATHS = sorted(field_types())
WORDS = [
    *(
        "none",
        "true",
        "false",
        "hold",
        "left*3",
        "scatter",
        "pool",
        "0+2",
        "1+3",
        "QS",
        "H",
        "JK",
        "0C",
        "A",
        "*",
        "any",
    ),
    *("-1", "0", "1", "1e9", "nan", "inf", "9" * 400, "-" + "9" * 19, "2**64", "13i", "-26+10i", "1_000", "٣", "½"),
    *(
        "[]",
        "{}",
        "{H:1}",
        "[H,QS]",
        "{QS:13,H:1}",
        "[left|right]",
        "(((",
        ")]}",
        "[" * 60,
        ",",
        "=",
        ":",
        "&",
        "\0",
        "\n",
    ),
]
GAPS = string.ascii_letters + string.digits + "()[]{}=,:|&*+-@. \n\té♥\0"


def draw(rng: Random) -> Case:
    """A text; half of them are rules with some damage, the others fields with words."""
    if rng.random() < 0.5:
        return {"text": _damaged(rng.choice(KNOWN) if rng.random() < 0.97 else draw_rules(rng), rng)}
    fields = [_field(rng) for _ in range(rng.randint(1, 3))]
    return {"text": f"{rng.choice(sorted(he.VARIANTS))}({', '.join(fields)})"}


def _field(rng: Random) -> str:
    """A field and a value; two of three values are of its kind."""
    path = rng.choice(PATHS)
    words = ["".join(rng.choices(WORDS, k=rng.choice([1, 1, 1, 2, 3]))), str(rng.randint(-5, 120))]
    words += 4 * [str(FIELDS[path].change).replace("'", "").replace(" ", "").replace("None", "none")]
    return f"{path if rng.random() < 0.5 else path.rpartition('.')[2]}={rng.choice(words)}"


def _damaged(text: str, rng: Random) -> str:
    for _ in range(rng.choice([1, 1, 2, 3, 5])):
        place, size = rng.randrange(len(text) + 1), rng.randint(1, 12)
        rest = text[place + size :]
        text = rng.choice(
            [
                text[:place] + rest,
                text[:place] + text[place : place + size] * 2 + rest,
                text[:place] + rng.choice(GAPS) + text[place:],
                text[:place] + rng.choice(WORDS) + rest,
                text[:place] + text[place : place + size].swapcase() + rest,
                text[:place] + text[place : place + size][::-1] + rest,
            ]
        )
    return text


def check(case: Case) -> Counter[str]:
    """Read a text twice: as it is, and as what was read is written."""
    rules: he.Rules | None = None
    found, began = Counter(texts=1, refused=1), time.process_time()
    try:
        rules = he.rules(case["text"])
    except ValueError as error:
        refusal(error)
    if time.process_time() - began > SECONDS:
        raise BrokenError(f"reading takes more than {SECONDS:g} s")
    if rules is not None:
        text = str(rules)
        again = he.rules(text)
        if (again, hash(again), str(again)) != (rules, hash(rules), text):
            raise BrokenError(f"{text!r} reads back as {str(again)!r}")
        match = he.Match(text, seed=1)
        match.play(match.legal()[0])
        if he.Match.replay(match.record()) != match or he.raw_env(text).game.rules != rules:
            raise BrokenError(f"a record or an environment of {text!r} is of other rules")
        found = Counter(texts=1, accepted=1)
    return found


ATTACK = Attack("rules", draw, check, seconds=10, memory=8)
