"""The examples in docstrings are true: every `>>>` line of the packages and of the laboratory is run."""

import doctest
import importlib

import pytest

from tests.support.modules import MODULES, source_of

WITH_EXAMPLES = [name for name in MODULES if ">>>" in source_of(name)]


def test_the_public_functions_have_examples() -> None:
    assert {"hearts_env.table.match", "hearts_env.table.score", "hearts_env.seat.view"} <= set(WITH_EXAMPLES)


@pytest.mark.parametrize(
    "package",
    [
        "hearts_env",
        *(pytest.param(n, marks=pytest.mark.exhaustive) for n in ("hearts_agents", "hearts_training", "lab")),
    ],
)
def test_the_examples_are_true(package: str) -> None:
    for name in (name for name in WITH_EXAMPLES if name.startswith(package)):
        tried = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
        assert tried.attempted
        assert not tried.failed, "see the captured output"
