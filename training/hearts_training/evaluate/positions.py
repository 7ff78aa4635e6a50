"""Positions of play as arrays, for questions about the cards in them (`hearts_training.evaluate.blunders_kinds`).

Nothing hidden from the seat to act is read.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_env.compiled.game import Game
from hearts_env.kernel.batch import step_all
from hearts_env.kernel.records import Phase
from hearts_env.ruleset.enums import Better, MoonMode
from hearts_env.seat.view import Views

# NumPy's stubs lose the types of masks and of what is computed from them.
Flags = Any
"""Booleans, (n, kinds) or (n, 1)."""
Masks = Any
"""Sets of cards, uint64."""
CLEAR = 3
"""Points by which a card must be worse than another to be wrong without a judge."""
MANY = 6
"""Moon cards taken by one seat alone that make it an obvious shooter."""
HEARTS, SPADES = 2, 3


@dataclass(frozen=True)
class Positions:
    """Positions of play with several legal cards each, in a game of one pack without jokers.

    Attributes:
        views: n of them.
        legal: (n, kinds) the cards that may be played.
    """

    views: Views
    legal: Flags

    @staticmethod
    def of(views: Views) -> tuple[NDArray[np.int64], Positions]:
        """The places of the views with a choice of cards, and these."""
        legal = views.observations()[1][:, : len(views.game.deck.kinds)] != 0
        rows = np.flatnonzero((views.records["phase"] == Phase.PLAY) & (legal.sum(axis=1) > 1))
        return rows, Positions(Views(views.game, views.records[rows], check=False), legal[rows])

    def numbers(self, name: str) -> NDArray[np.int64]:
        """A field of the records."""
        return np.asarray(self.views.records[name], np.int64)

    def planes(self, name: str) -> Masks:
        """A field of the records that holds sets of cards."""
        return self.views.records[name][..., 0]

    def mask(self, cards: str) -> np.uint64:
        """A card, empty in a game without it, or a set of cards that the compiled rules name."""
        if cards in self.views.game.deck.kinds:
            return np.uint64(self.views.game.mask([cards]))
        return np.uint64(self.views.game.tables[cards] if cards.islower() else 0)

    def among(self, cards: Masks | np.uint64) -> Flags:
        """(n or 1, kinds) the cards of masks."""
        kinds = np.arange(self.legal.shape[1], dtype=np.uint64)
        return (np.atleast_1d(cards)[:, None] >> kinds & np.uint64(1)) != 0

    @cached_property
    def suits(self) -> NDArray[np.int64]:
        """(kinds,) the suit of every card."""
        return np.asarray(self.views.game.tables["suit_of"][: self.legal.shape[1]], np.int64)

    @cached_property
    def seat(self) -> NDArray[np.int64]:
        """(n,) the seat to act."""
        return self.numbers("seat")

    @cached_property
    def hand(self) -> Masks:
        """(n,) its cards."""
        return self.planes("hands")[np.arange(len(self.seat)), self.seat]

    @cached_property
    def out(self) -> Masks:
        """(n,) the cards that it has not seen: others hold them."""
        pack = np.uint64(self.views.game.tables["pack"][0])
        return pack & ~self.planes("played")[:, 0] & ~self.hand

    @cached_property
    def trick(self) -> Masks:
        """(n,) the cards on the table."""
        cards, length = self.numbers("trick").astype(np.uint64), self.numbers("trick_len")
        there = np.arange(cards.shape[1]) < length[:, None]
        return np.bitwise_or.reduce(np.where(there, np.uint64(1) << cards, np.uint64(0)), axis=1)

    @cached_property
    def leads(self) -> Flags:
        """(n, 1) the seat leads."""
        return (self.numbers("trick_len") == 0)[:, None]

    @cached_property
    def led(self) -> Flags:
        """(n, kinds) cards of the suit led; none for the leader."""
        return ~self.leads & (self.suits == self.numbers("led_suit")[:, None])

    @cached_property
    def over(self) -> Flags:
        """(n, kinds) cards of the suit led above all on the table."""
        top = np.where(self.among(self.trick) & self.led, np.arange(len(self.suits)), -1).max(axis=1, keepdims=True)
        return self.led & (np.arange(len(self.suits)) > top)

    @cached_property
    def last(self) -> Flags:
        """(n, 1) the seat plays last to the trick."""
        seats = self.views.game.seats
        return ((self.numbers("trick_len") == seats - 1) & (self.numbers("trick_goal") == seats))[:, None]

    @cached_property
    def moon(self) -> Masks:
        """(n, seats) the moon cards that each has taken."""
        return self.planes("taken")[:, : self.views.game.seats] & self.mask("moon_set")

    @cached_property
    def mates(self) -> Flags:
        """(n, seats) the seats of the own team, the own one included."""
        teams = np.array(self.views.game.teams)
        return teams[self.seat][:, None] == teams

    @cached_property
    def split(self) -> Flags:
        """(n, 1) two teams, or players alone, have taken moon cards, or there is no moon: none can be shot."""
        teams, there = np.array(self.views.game.teams), self.moon != 0
        sides = np.stack([there[:, teams == team].any(axis=1) for team in np.unique(teams)])
        return (sides.sum(axis=0) > 1)[:, None] | (self.views.game.rules.moon.mode is MoonMode.NONE)

    @cached_property
    def sole(self) -> NDArray[np.int64]:
        """(n,) the seat that has taken all moon cards taken so far; -1 if there is none, or no moon."""
        alone = ((self.moon != 0).sum(axis=1) == 1) & (self.views.game.rules.moon.mode is not MoonMode.NONE)
        return np.where(alone, (self.moon != 0).argmax(axis=1), -1)

    @cached_property
    def foe(self) -> Flags:
        """(n, 1) `sole` is an opponent."""
        return (self.sole >= 0)[:, None] & ~np.take_along_axis(self.mates, np.maximum(self.sole, 0)[:, None], axis=1)

    @cached_property
    def many(self) -> Flags:
        """(n, 1) so many moon cards have been taken that somebody who has them all is shooting."""
        return (np.bitwise_count(self.moon).sum(axis=1) >= MANY)[:, None]

    @cached_property
    def shoots(self) -> Flags:
        """(n, 1) the seat leads and has taken all moon cards taken so far."""
        return self.leads & (self.sole == self.seat)[:, None]

    @cached_property
    def beaten(self) -> Flags:
        """(n, kinds) others hold a higher card of the suit."""
        suits = self.views.game.tables["suit_mask"]
        higher = [int(suits[suit]) >> kind + 1 << kind + 1 for kind, suit in enumerate(self.suits)]
        return (self.out[:, None] & np.array(higher, np.uint64)) != 0

    @cached_property
    def lowest(self) -> Flags:
        """(n, kinds) others hold no lower card of the suit."""
        lower = [
            int(self.views.game.tables["suit_mask"][suit]) & (1 << kind) - 1 for kind, suit in enumerate(self.suits)
        ]
        return (self.out[:, None] & np.array(lower, np.uint64)) == 0

    @cached_property
    def left(self) -> NDArray[np.int64]:
        """(n, kinds) the number of cards of the suit that others hold."""
        suits = np.asarray(self.views.game.tables["suit_mask"][self.suits], np.uint64)
        return np.asarray(np.bitwise_count(self.out[:, None] & suits), np.int64)

    @cached_property
    def laydown(self) -> Flags:
        """(n, 1) led from the top, every suit wins all its tricks, however the cards lie."""
        held, sure = self.among(self.hand), np.ones((len(self.seat), 1), np.bool_)
        for suit in np.unique(self.suits):
            mine = held & (self.suits == suit)
            above = mine[:, ::-1].cumsum(axis=1)[:, ::-1] - 1
            sure &= (~mine | ~self.beaten | (self.left <= above)).all(axis=1, keepdims=True)
        return sure

    @cached_property
    def ends(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """(n, kinds) of legal cards of the last to play: what the trick adds to its margin (or NaN), and its taker."""
        game, shape = self.views.game, self.legal.shape
        margin, taker = np.full(shape, np.nan), np.full(shape, -1)
        rows, cards = np.nonzero(self.legal & self.last)
        before = self.views.records[rows]
        after, own = before.copy(), self.mates[rows]
        step_all(after, game.table, cards.astype(np.int64))
        costs = game.cost_sign * (after["points"] - before["points"])[:, : game.seats, 0].astype(np.float64)
        margin[rows, cards] = (costs * own).sum(1) / own.sum(1) - (costs * ~own).sum(1) / (~own).sum(1)
        taker[rows, cards] = after["leader"]
        return margin, taker

    def worse(self, by: float = CLEAR) -> Flags:
        """(n, kinds) cards of the last to play that cost so much more than the best."""
        margin = self.ends[0]
        return margin >= np.where(np.isnan(margin), np.inf, margin).min(axis=1, keepdims=True) + by

    @cached_property
    def wins(self) -> Flags:
        """(n, kinds) cards with which the last to play takes the trick."""
        return self.ends[1] == self.seat[:, None]

    @cached_property
    def to_mate(self) -> Flags:
        """(n, kinds) cards with which the partner of the last to play takes the trick."""
        taker = self.ends[1]
        return (taker >= 0) & np.take_along_axis(self.mates, np.maximum(taker, 0), axis=1) & ~self.wins

    @cached_property
    def to_foe(self) -> Flags:
        """(n, kinds) cards with which an opponent of the last to play takes the trick."""
        return (self.ends[1] >= 0) & ~self.to_mate & ~self.wins


def check_suite(game: Game) -> None:
    """Raise ValueError for rules with several packs, jokers or complex points, which the kinds do not know."""
    if game.tables["copies"] > 1 or game.tables["jokers"] or game.rules.score.better is Better.MAGNITUDE:
        raise ValueError(
            f"{game.rules} has no kinds of positions: they take one pack without jokers, and points that add up"
        )
