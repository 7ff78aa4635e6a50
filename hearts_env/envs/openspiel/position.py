"""A deal in the middle of chance nodes or of play: the contents of an OpenSpiel state, and what its seats know."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_env.envs.openspiel.dealing import Dealing
from hearts_env.envs.options import EpisodeOptions
from hearts_env.envs.rewards import checked_step
from hearts_env.errors import IllegalActionError
from hearts_env.kernel.batch import encode_all
from hearts_env.kernel.records import STATE, Phase
from hearts_env.seat.illegal import why_illegal
from hearts_env.seat.public import PHASES
from hearts_env.seat.view import View, view_of

PASS, OVER = Phase.PASS.value, Phase.OVER.value
EPISODE = EpisodeOptions(team_rewards=False).record()
"""The options with which `gains` are counted: each seat's own points, after the deal."""


class Position:
    """A deal so far.

    Attributes:
        dealing: the choices that chance makes.
        drawn: the outcomes of the chance nodes so far.
        moves: (phase, seat, action) of every decision so far.
        states: the `STATE` record as an array of one; None until chance has dealt.
        gains: (seats, 1) float32, by how much the utility of each seat has changed in this deal.
        mask: (actions,) int8, the legal actions of the seat to act.
        dealt: the knowledge of each seat about the deal before its first decision, as text.
    """

    __slots__ = ("dealing", "dealt", "drawn", "gains", "mask", "moves", "states")

    def __init__(self, dealing: Dealing) -> None:
        """Take what chance decides; nothing has been dealt."""
        self.dealing = dealing
        self.drawn: list[int] = []
        self.moves: list[tuple[int, int, int]] = []
        self.states: NDArray[Any] | None = None
        self.gains = np.zeros((dealing.game.seats, 1), np.float32)
        self.mask = np.zeros(len(dealing.game.actions), np.int8)
        self.dealt: list[str] = []

    def __deepcopy__(self, _: object) -> Position:
        copy = Position.__new__(Position)
        copy.dealing, copy.drawn, copy.moves = self.dealing, self.drawn.copy(), self.moves.copy()
        # NumPy copies bytes faster than records
        copy.states = None if self.states is None else self.states.view(np.uint8).copy().view(STATE)
        copy.gains, copy.mask, copy.dealt = self.gains.copy(), self.mask.copy(), self.dealt
        return copy

    @property
    def record(self) -> Any:
        """The `STATE` record. Raises ValueError until chance has dealt."""
        if self.states is None:
            raise ValueError("chance has not dealt all cards; there is a record after the deal")
        return self.states[0]

    @property
    def seat(self) -> int | None:
        """The seat to act; None at a chance node."""
        return None if self.states is None else int(self.states["seat"][0])

    @property
    def over(self) -> bool:
        """True once the deal is over."""
        return self.states is not None and self.states["phase"][0] == OVER

    def draw(self, outcome: int) -> None:
        """Take the outcome of a chance node. Raises ValueError for one that is not possible."""
        possible = [number for number, _ in self.dealing.outcomes(self.drawn)]
        if outcome not in possible:
            raise ValueError(f"chance outcome {outcome} is not possible here; possible are {possible}")
        self.drawn.append(outcome)
        if len(self.drawn) == len(self.dealing.steps):
            self.states = self.dealing.deal(self.drawn)
            encode_all(self.states, self.dealing.game.tables, self.dealing.row[None], self.mask[None])
            self.dealt = self._deal_texts()

    def legal(self) -> list[int]:
        """Ids of the legal actions, ascending."""
        actions: list[int] = self.mask.nonzero()[0].tolist()
        return actions

    def play(self, action: int) -> None:
        """Take an action. Raises IllegalActionError if it is not legal."""
        game, states, rewards = self.dealing.game, self.states, np.empty_like(self.gains)
        if states is None:
            raise ValueError("it is chance's turn, not a seat's")
        move = int(states["phase"][0]), int(states["seat"][0]), action
        if not checked_step(states, game.table, action, EPISODE, rewards, self.dealing.row, self.mask):
            raise IllegalActionError(why_illegal(game, states[0], action))
        self.moves.append(move)
        self.gains += rewards

    def view(self, seat: int) -> View:
        """Everything that a seat may know. Raises ValueError until chance has dealt."""
        if self.states is None:
            raise ValueError("chance has not dealt all cards; a seat has a view after the deal")
        return view_of(self.dealing.game, self.states, seat)

    def _deal_texts(self) -> list[str]:
        option, options = int(self.record["pass_option"]), self.dealing.game.options
        passed = f", pass {options[option].text}" if option >= 0 and len(options) > 1 else ""
        *hands, _ = self.dealing.hands(self.drawn)
        return [
            f"seat {seat}, dealer {self.record['dealer']}{passed}, dealt {' '.join(cards)}"
            for seat, cards in enumerate(hands)
        ]

    def information(self, seat: int) -> str:
        """All that a seat has seen and done in this deal, in order: its information set."""
        if self.states is None:
            return f"seat {seat}, dealt {' '.join(self.dealing.hands(self.drawn)[seat])}"
        actions = self.dealing.game.actions
        parts = [f"{who} {actions[action]}" for phase, who, action in self.moves if phase != PASS or who == seat]
        return ", ".join([self.dealt[seat], *parts, *self._received(seat)])

    def _received(self, seat: int) -> list[str]:
        """The cards that a seat was given besides its hand: cards that others passed, and cards of the kitty."""
        record, t, kinds = self.record, self.dealing.game.tables, self.dealing.game.deck.kinds
        parts = []
        if self.moves and self.moves[0][0] <= PASS < record["phase"]:
            cards = record["received"][seat][: t["option_cards"][int(record["pass_option"])]]
            parts += [f"received {' '.join(kinds[kind] for kind in cards)}"] * bool(len(cards))
        own = [place for place in range(t["kitty_size"]) if record["kitty_seat"][place] == seat]
        if own:
            parts.append(f"kitty {' '.join(kinds[record['kitty'][place]] for place in own)}")
        return parts

    def situation(self, seat: int) -> str:
        """The present situation of a seat: its hand, the trick and the points, but not the play that led to them."""
        if self.states is None:
            return self.information(seat)
        view = self.view(seat)
        return (
            f"seat {seat}, {view.phase} of {int(view.record['seat'])}, hand {' '.join(view.hand)}, trick "
            f"{' '.join(f'{who}:{card}' for who, card in view.trick)}, taken "
            f"{' | '.join(' '.join(cards) for cards in view.taken)}, points {view.points}"
        )

    def __str__(self) -> str:
        game = self.dealing.game
        lines = [self.dealing.name(place, outcome) for place, outcome in enumerate(self.drawn)]
        if self.states is None:
            return "\n".join(lines)
        lines = lines[: self.dealing.first_card]
        hands = self.dealing.hands(self.drawn)
        lines += [f"seat {seat} dealt {' '.join(cards)}" for seat, cards in enumerate(hands[: game.seats])]
        lines += [f"kitty {' '.join(hands[-1])}"] * bool(hands[-1])
        lines += [f"{PHASES[phase]} {seat} {game.actions[action]}" for phase, seat, action in self.moves]
        return "\n".join([*lines, "over" if self.over else f"{PHASES[int(self.record['phase'])]} {self.seat} to act"])
