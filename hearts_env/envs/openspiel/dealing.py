"""The chance nodes of a deal, in the order in which they come.

Dealing goes card by card: for each card of the pack, in order, chance draws its holder. Every way to deal the pack is
then one history, equally likely, so that exact tools meet each deal once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_env.compiled.game import Game
from hearts_env.kernel.before_play import begin
from hearts_env.kernel.records import STATE
from hearts_env.kernel.steps import start_match
from hearts_env.ruleset.enums import KittyAward, Leader, Schedule

Outcomes = list[tuple[int, float]]
"""(outcome, probability), ascending."""


@dataclass(frozen=True)
class Dealing:
    """The choices that chance makes in a deal of a game.

    Attributes:
        game: the compiled rules.
    """

    game: Game

    @cached_property
    def steps(self) -> tuple[tuple[str, int], ...]:
        """The draw of each chance node, and its card or place: ``dealer``, ``entry``, ``card`` or ``kitty``."""
        t = self.game.tables
        places = int(t["kitty_size"]) if self.game.rules.deck.kitty_award is KittyAward.ONE_PER_TRICK else 0
        return (
            *([("dealer", 0)] if self._dealer_matters else []),
            *([("entry", 0)] if self._entry_is_drawn else []),
            *(("card", place) for place in range(len(self.game.deck))),
            *(("kitty", place) for place in range(places)),
        )

    @cached_property
    def most_outcomes(self) -> int:
        """Outcomes of the chance node that has the most."""
        t = self.game.tables
        return max(self.game.seats + 1, int(t["entries"]), int(t["kitty_size"]))

    @cached_property
    def row(self) -> NDArray[np.float32]:
        """(columns,) where compiled code writes an observation that nobody reads."""
        return np.zeros(int(self.game.tables["obs_size"]), np.float32)

    @property
    def _dealer_matters(self) -> bool:
        """True if the dealer chooses the pass or may decide who leads; otherwise seat 0 deals."""
        rules, t = self.game.rules, self.game.tables
        chooses = any(int(options).bit_count() > 1 for options in t["entry_options"][: t["entries"]])
        no_holder = 0 < int(t["opener"]).bit_count() <= t["kitty_size"]
        return chooses or no_holder or rules.opening.leader is Leader.LEFT_OF_DEALER

    @property
    def _entry_is_drawn(self) -> bool:
        return self.game.rules.passing.schedule is Schedule.RANDOM and int(self.game.tables["entries"]) > 1

    def outcomes(self, drawn: list[int]) -> Outcomes:
        """The outcomes of the next chance node."""
        what, place = self.steps[len(drawn)]
        if what == "card":
            room = self._room(drawn)
            return [(holder, count / sum(room)) for holder, count in enumerate(room) if count]
        counts = {"dealer": self.game.seats, "entry": int(self.game.tables["entries"])}
        count = counts.get(what, int(self.game.tables["kitty_size"]) - place)
        return [(outcome, 1 / count) for outcome in range(count)]

    def _room(self, drawn: list[int]) -> list[int]:
        """Number of cards that each holder still lacks: the seats, then the kitty."""
        room = [self.game.hand_size] * self.game.seats + [int(self.game.tables["kitty_size"])]
        for holder in drawn[self.first_card :]:
            room[holder] -= 1
        return room

    @cached_property
    def first_card(self) -> int:
        """Number of chance nodes before the first card."""
        return self.steps.index(("card", 0))

    def name(self, place: int, outcome: int) -> str:
        """An outcome of a chance node in words."""
        what, card = self.steps[place]
        if what == "dealer":
            return f"dealer {outcome}"
        if what == "entry":
            options = int(self.game.tables["entry_options"][outcome])
            return f"pass {'|'.join(o.text for i, o in enumerate(self.game.options) if options >> i & 1)}"
        if what == "kitty":
            return f"kitty {outcome}"
        return f"{self.game.deck.cards[card]} to {'the kitty' if outcome == self.game.seats else outcome}"

    def hands(self, drawn: list[int]) -> list[list[str]]:
        """The cards dealt so far, per holder: the seats, then the kitty."""
        hands: list[list[str]] = [[] for _ in range(self.game.seats + 1)]
        for card, holder in zip(self.game.deck.cards, drawn[self.first_card :], strict=False):
            hands[holder].append(card)
        return hands

    def deal(self, drawn: list[int]) -> NDArray[Any]:
        """The record at the first decision, as an array of one, when every chance node has been drawn."""
        states, t = np.zeros(1, STATE), self.game.tables
        record = states[0]
        start_match(record, t, np.uint64(0), 0, 1)
        given = dict(zip([what for what, _ in self.steps[: self.first_card]], drawn, strict=False))
        *hands, kitty = self.hands(drawn[: self.first_card + len(self.game.deck)])
        for seat, cards in enumerate(hands):
            record["hands"][seat] = self.game.planes(cards)
        ordered = [kitty.pop(place) for place in drawn[self.first_card + len(self.game.deck) :]] or kitty
        record["kitty"][: len(ordered)] = [self.game.deck.ids[card] for card in ordered]
        record["dealer"] = given.get("dealer", 0)
        begin(record, t, given.get("entry", 0))
        return states

    def drawn_for(self, dealer: int, entry: int, hands: list[list[str]], kitty: list[str]) -> list[int]:
        """The outcomes that deal these hands and this kitty."""
        first = {"dealer": dealer, "entry": entry}
        left = [list(cards) for cards in (*hands, kitty)]
        drawn = [first[what] for what, _ in self.steps[: self.first_card]]
        for card in self.game.deck.cards:
            holder = next(place for place, cards in enumerate(left) if card in cards)
            left[holder].remove(card)
            drawn.append(holder)
        rest = sorted(kitty, key=self.game.deck.ids.__getitem__)
        for place in range(len(self.steps) - len(drawn)):
            drawn.append(rest.index(kitty[place]))
            rest.remove(kitty[place])
        return drawn
