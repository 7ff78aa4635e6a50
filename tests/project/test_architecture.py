"""What the import contracts cannot say: the words that belong to the faces alone."""

import re
from pathlib import Path

import pytest

import hearts_env

PACKAGE = Path(hearts_env.__file__).parent
FACE_WORDS = re.compile(r"\b(rewards?|terminat(ed|ions?)|truncat(ed|ions?))\b", re.IGNORECASE)
BELOW_THE_FACES = sorted(
    path.relative_to(PACKAGE).as_posix()
    for path in PACKAGE.rglob("*.py")
    if path.relative_to(PACKAGE).parts[0] not in ("envs", "__init__.py")
)


def test_there_is_something_below_the_faces() -> None:
    assert "kernel/steps.py" in BELOW_THE_FACES


@pytest.mark.parametrize("name", BELOW_THE_FACES)
def test_nothing_below_the_faces_speaks_of_rewards(name: str) -> None:
    text = (PACKAGE / name).read_text(encoding="utf-8")
    assert FACE_WORDS.search(text) is None


def test_the_faces_do_speak_of_rewards() -> None:
    assert FACE_WORDS.search((PACKAGE / "envs" / "aec.py").read_text(encoding="utf-8"))
