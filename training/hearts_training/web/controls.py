"""The options of a game that the first page offers as controls, in words; every other one is typed."""

from __future__ import annotations

from typing import NamedTuple


class Control(NamedTuple):
    """An option with a control of its own.

    Attributes:
        path: the field of the rules.
        label: the question it answers.
        choices: values as rules are written, each with its words; none for a number.
    """

    path: str
    label: str
    choices: tuple[tuple[str, str], ...] = ()


CONTROLS = (
    Control("end.target", "The match ends at a total of"),
    Control("passing.count", "Cards passed"),
    Control(
        "passing.cycle",
        "Passing",
        (("[hold]", "none"), ("[left]", "always to the left"), ("[left,right]", "left, right, left, ...")),
    ),
    Control(
        "moon.mode",
        "Shooting the moon",
        (
            ("choice", "old or new, as the shooter chooses"),
            ("old", "old: the others score it"),
            ("new", "new: the shooter subtracts it"),
            ("none", "no award"),
        ),
    ),
    Control(
        "play.heart_lead",
        "Hearts may be led",
        (("broken", "once one has been played"), ("free", "at any time")),
    ),
    Control(
        "play.first_trick_forbidden",
        "Penalty cards on the first trick",
        (("[H,QS]", "no hearts, no queen of spades"), ("[]", "allowed")),
    ),
)
