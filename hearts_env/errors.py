"""The exceptions that the package raises on purpose. Each is a ValueError with a message of one line."""

from __future__ import annotations


class RulesError(ValueError):
    """The rules are unknown, misspelled or contradict one another; the message names the option or field."""


class IllegalActionError(ValueError):
    """The action is not legal now; the message names the seat, the action and the rule that forbids it."""
