"""The examples in docstrings are true: every `>>>` line of the three packages is run."""

from __future__ import annotations

import doctest
import importlib

import pytest

from tests.support.modules import MODULES, source_of

WITH_EXAMPLES = [name for name in MODULES if ">>>" in source_of(name)]


def test_the_public_functions_have_examples() -> None:
    assert {"hearts_env.play.match", "hearts_env.play.score", "hearts_env.play.view"} <= set(WITH_EXAMPLES)


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_the_examples_are_true(name: str) -> None:
    tried = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert tried.attempted
    assert not tried.failed, "see the captured output"
