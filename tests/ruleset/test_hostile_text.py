"""Text that nobody would type: refused in one line, and at once."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import hearts_env as he
from hearts_env.errors import RulesError
from hearts_env.ruleset.model import field_types

DIGITS = "9" * 400
LONG = 1_000_000
TEXTS = {
    "digits": f"black_lady(target={DIGITS})",
    "many digits": f"black_lady(target={'9' * LONG})",
    "digits of a Gaussian": f"complex_hearts(moon.amount={DIGITS}+{DIGITS}i)",
    "digits of a factor": f"black_lady(multipliers={{TC:{DIGITS}@H}})",
    "digits of a seat": f"black_lady(teams=[{DIGITS}+1,2+3])",
    "digits of players": f"black_lady(players={DIGITS})",
    "opened": "black_lady" + "(" * LONG,
    "nested lists": f"black_lady(cycle={'[' * LONG}left{']' * LONG})",
    "nested within the limit": f"black_lady(cycle={'[' * 9000}left{']' * 9000})",
    "commas": "black_lady(" + "," * LONG + ")",
    "long list": "black_lady(cycle=[" + ",".join(["left"] * 3900) + "])",
    "long choice": "black_lady(cycle=[" + "|".join(["left"] * 3900) + "])",
    "long map": "black_lady(card_values={" + ",".join(["H:1"] * 4900) + "})",
    "exceptions": "cancellation_hearts(trick.exceptions={" + ",".join(["QS:last,QS:first"] * 1100) + "})",
    "sets": "black_lady(score.sets={" + "+".join(["QS"] * 6000) + ":1})",
    "added": "black_lady(added=[" + ",".join(["JK"] * 6000) + "])",
    "fields": "black_lady(" + ",".join(f"field{n}=1" for n in range(1500)) + ")",
    "name": "a" * LONG,
    "name within the limit": "black" * 3900,
    "NUL": "black_lady(target=\0)",
    "superscript": "black_lady(target=\u00b250)",
    "digit of a seat": "black_lady(teams=[\u00b2+1,0+3])",
    "lines": "black_lady(target=\n\n5\n0x)",
    "line separators": "black_lady(tar\u2028get=5)",
    "surrogate": "black_lady(tie=\ud800)",
    "empty": "",
    "bracket first": "(target=50)",
    "direction override": "black_lady(tie=\u202eshare)",
}


def refuse(kind: str) -> None:
    with pytest.raises(RulesError) as refusal:
        he.rules(TEXTS[kind])
    assert len(str(refusal.value).splitlines()) == 1
    assert len(str(refusal.value)) < 1000


def test_hostile_text_is_refused_in_one_line_at_once() -> None:
    """All texts take a fraction of a second; the minute is for a busy machine."""
    program = "from tests.ruleset.test_hostile_text import TEXTS, refuse\nfor kind in TEXTS: print(kind), refuse(kind)"
    subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parents[2], check=True, timeout=60)


def test_digits_of_other_scripts_read_as_the_numbers_they_are() -> None:
    rules = he.rules("black_lady(target=\u0665\u0660)")
    assert str(rules) == "black_lady(end.target=50)"


VALUES: list[Any] = [
    10**400, -(10**400), 10**5000, 10**15, 2**63, 2**31, 10**6, 1000, 300, 128, -1, -129, 0, 1.0, 1.5, float("nan"),
    float("inf"), True, None, 1j, complex("nan"), b"x", "", "x" * 2000, "\0", [], {}, [[]], [1], [None], {1: 2},
    {"H": []}, ["left"] * 300, {"H": 10**400}, {"QS": 1.5}, {"QS": True}, [10**400], (("H", 1, 2),), ("H",), object,
    print, "0", "\u0663",
]  # fmt: skip


def changed(path: str, value: Any) -> he.Rules | str:
    """Black Lady with a field changed, or why not."""
    try:
        return he.rules("black_lady").replace(**{path: value})
    except RulesError as error:
        return str(error)


@pytest.mark.parametrize("path", field_types())
def test_every_field_takes_a_value_or_refuses_it_in_one_line(path: str) -> None:
    """What is accepted compiles, plays a deal and reads back."""
    for value in VALUES:
        rules = changed(path, value)
        if isinstance(rules, str):
            assert len(rules.splitlines()) == 1
            assert len(rules) < 1000
            continue
        assert he.rules(str(rules)) == rules, (path, value)
        match = he.Match(rules, seed=1)
        while not match.over and match.deal_number < 1:
            match.play(match.legal()[0])
