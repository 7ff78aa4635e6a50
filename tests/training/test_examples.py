"""The examples in docstrings give what they show."""

from __future__ import annotations

import doctest
import importlib

import pytest

MODULES = ["cli.arguments", "cli.pages", "cli.train", "evaluate", "options", "ppo"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_give_what_they_show(name: str) -> None:
    result = doctest.testmod(importlib.import_module(f"hearts_training.{name}"))
    assert result.attempted > 0
    assert result.failed == 0
