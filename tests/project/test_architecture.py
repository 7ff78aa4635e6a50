"""What the import contracts cannot say: words that belong to the environments alone, and names that mean one thing."""

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import hearts_env
from tests.support.modules import MODULES, source_of

PACKAGE = Path(hearts_env.__file__).parent
ENVIRONMENT_WORDS = re.compile(r"\b(rewards?|terminat(ed|ions?)|truncat(ed|ions?))\b", re.IGNORECASE)
BELOW_THE_ENVIRONMENTS = sorted(
    path.relative_to(PACKAGE).as_posix()
    for path in PACKAGE.rglob("*.py")
    if path.relative_to(PACKAGE).parts[0] not in ("envs", "__init__.py")
)
SECTIONS = re.compile(r"(Args|Attributes|Raises|Returns|Yields|Examples?|Note):$")


def test_there_is_something_below_the_environments() -> None:
    assert "kernel/steps.py" in BELOW_THE_ENVIRONMENTS


def test_nothing_below_the_environments_speaks_of_rewards() -> None:
    speaking = [
        name for name in BELOW_THE_ENVIRONMENTS if ENVIRONMENT_WORDS.search((PACKAGE / name).read_text("utf-8"))
    ]
    assert speaking == []


def test_the_environments_do_speak_of_rewards() -> None:
    assert ENVIRONMENT_WORDS.search((PACKAGE / "envs" / "aec.py").read_text(encoding="utf-8"))


@pytest.mark.exhaustive
def test_an_import_gives_the_module_it_names() -> None:
    for name in (name for name in MODULES if not name.endswith("__main__")):
        importlib.import_module(name)
        names: dict[str, object] = {}
        exec(f"import {name} as module", names)
        assert inspect.ismodule(names["module"])
        assert names["module"].__name__ == name


def test_paragraphs_of_docstrings_are_not_indented() -> None:
    for name in MODULES:
        for text in docstrings(source_of(name)):
            for paragraph in text.split("\n\n"):
                first, *rest = paragraph.splitlines() or [""]
                if not first.startswith((" ", ">>>", "``", "-", "*")) and not SECTIONS.match(first):
                    assert not [line for line in rest if line.startswith(" ")], f"{name}: {paragraph}"


def docstrings(source: str) -> Iterator[str]:
    """Every docstring of a module, without its common indentation."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield ast.get_docstring(node) or ""
