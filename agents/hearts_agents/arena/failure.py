"""The error for an agent that fails: which agent, where, why, and the position as a record that can be replayed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hearts_env.compiled.game import Game
from hearts_env.kernel.records import Phase
from hearts_env.play.match import Match
from hearts_env.play.picture import PHASES


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


@dataclass(frozen=True)
class Position:
    """A position at a table of the arena.

    Attributes:
        game: the compiled rules.
        start: the `STATE` record at the start of the table.
        actions: actions taken since, in order.
        now: the record at the position, hidden cards included.
        unit: what is played at the table: ``deal 3`` or ``match 3``.
        whole_match: whether the table plays a match, not one deal.
    """

    game: Game
    start: Any
    actions: list[int]
    now: Any
    unit: str
    whole_match: bool

    def failed(self, name: str, seat: int, what: str) -> AgentFailed:
        """The error for an agent that failed in this position, in a seat."""
        now = self.now
        cards = int(now["phase"]) in (Phase.PLAY, Phase.SUIT)
        when = f"trick {int(now['trick_number']) + 1}" if cards else f"phase {PHASES[int(now['phase'])]}"
        unit = f"{self.unit}, deal {int(now['deal_number'])} of it" if self.whole_match else self.unit
        return AgentFailed(f"agent {name}, {unit}, seat {seat}, {when}: {' '.join(what.split())}", self.record())

    def record(self) -> str:
        """The position as the record of a match."""
        game, start = self.game, self.start
        if self.whole_match:
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
        for action in self.actions:
            match.play(action)
        return match.record()
