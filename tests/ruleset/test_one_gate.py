"""Every face accepts and refuses the same rules, and what is accepted reads back."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

import hearts_env as he
from hearts_env.envs.gym import LearnerEnv
from hearts_env.errors import RulesError
from hearts_env.ruleset.model import field_types
from hearts_env.ruleset.syntax import write_value
from tests.support.marks import few

PLAYERS = range(2, 12)
FACES: dict[str, Callable[[str, dict[str, Any]], he.Rules]] = {
    "rules": lambda text, _: he.rules(text),
    "replace": lambda text, changes: he.rules(text.partition("(")[0]).replace(**changes),
    "Variant.build": lambda text, changes: he.VARIANTS[text.partition("(")[0]].build(**changes),
    "Match": lambda text, _: he.Match(text, seed=1).rules,
    "env": lambda text, changes: he.env(text.partition("(")[0], **changes).game.rules,
    "env of text": lambda text, _: he.raw_env(text).game.rules,
    "vector": lambda text, changes: he.vector_env(text.partition("(")[0], 1, **changes).game.rules,
    "gym": lambda text, changes: LearnerEnv(text.partition("(")[0], **changes)._env.game.rules,
    "replay": lambda text, _: he.Match.replay(f"{he.Match(text, seed=1).record()}").rules,
}
CHEAP = ("rules", "replace", "Variant.build")


def answer(face: str, text: str, changes: dict[str, Any]) -> he.Rules | str:
    """The rules that a face takes, or its message."""
    try:
        return FACES[face](text, changes)
    except RulesError as error:
        return str(error)


@cache
def defaults(name: str, players: int) -> dict[str, Any]:
    """Every field of a variant at its default for a number of players."""
    fields = he.VARIANTS[name].standard(players)
    return {path: fields[path] for path in field_types() if path != "table.players"}


def compare(name: str, players: int, named: dict[str, Any], faces: tuple[str, ...]) -> None:
    changes = {"players": players} | named
    text = f"{name}({', '.join(f'{path}={write_value(value)}' for path, value in changes.items())})"
    answers = {face: answer(face, text, changes) for face in faces}
    first = answers["rules"]
    assert all(one == first for one in answers.values()), (text, answers)
    if isinstance(first, str):
        assert "\n" not in first
        assert players not in he.VARIANTS[name].players, (text, first)
        return
    assert he.rules(str(first)) == first, text
    assert str(he.rules(str(first))) == str(first)
    if players not in he.VARIANTS[name].players:  # only what says how the pack divides lets it through
        assert named.keys() & {"deck.remainder", "deck.removal_order"}, text


@pytest.mark.parametrize("name", few([*he.VARIANTS][::4], 1, daily=1))
def test_a_field_named_at_its_default_opens_no_door(name: str) -> None:
    for players in PLAYERS:
        compare(name, players, {}, CHEAP)
        for path, value in defaults(name, players).items():
            compare(name, players, {path: value}, CHEAP if path.startswith("deck.") else CHEAP[:1])


@pytest.mark.parametrize("name", few([*he.VARIANTS][1::4], 1, daily=3))
def test_every_face_takes_the_same_rules(name: str) -> None:
    for players in PLAYERS:
        fields = defaults(name, players)
        for path in ("deck.packs", "deck.removal_order", "end.target"):
            compare(name, players, {path: fields[path]}, tuple(FACES))


@pytest.mark.parametrize("entries", [33, 200])
def test_a_cycle_that_is_too_long_is_refused_by_every_face(entries: int) -> None:
    changes = {"passing.cycle": ["left", "hold"] * (entries // 2) + ["left"] * (entries % 2)}
    text = f"black_lady(passing.cycle=[{','.join(changes['passing.cycle'])}])"
    answers = {answer(face, text, changes) for face in FACES}
    assert len(answers) == 1
    assert f"passing.cycle has {entries} entries" in str(answers.pop())
