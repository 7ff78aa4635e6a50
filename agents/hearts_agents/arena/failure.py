"""The error for an agent that fails: which agent, where, why, and the position as a record that can be replayed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hearts_env.compiled.game import Game
from hearts_env.table.match import Match


class AgentFailed(ValueError):  # noqa: N818 - a public name
    """An agent raised, answered in the wrong form or chose an illegal action.

    The message is one line with the agent, the deal, the seat, the trick and the failure.

    Attributes:
        record: text for `Match.replay`, up to the decision at which the agent failed.
    """

    def __init__(self, message: str, record: str) -> None:
        super().__init__(message, record)
        self.record = record

    def __str__(self) -> str:
        return str(self.args[0])


def record_of(game: Game, start: Any, actions: Iterable[int], whole_match: bool) -> str:
    """A position at a table of the arena as the record of a match.

    Args:
        game: the compiled rules.
        start: the `STATE` record at the start of the table.
        actions: actions taken since, in order.
        whole_match: whether the table plays a match, not one deal.
    """
    if whole_match:
        match = Match(game.rules, int(start["seed"]))
    else:
        match = Match.from_hands(
            game.rules,
            [game.names(hand) for hand in start["hands"][: game.seats]],
            deal_number=int(start["deal_number"]),
            passing=True,
            dealer=int(start["dealer"]),
            seed=int(start["seed"]),
            kitty=[game.deck.kinds[kind] for kind in start["kitty"][: game.tables["kitty_size"]]],
        )
    for action in actions:
        match.play(action)
    return match.record()
