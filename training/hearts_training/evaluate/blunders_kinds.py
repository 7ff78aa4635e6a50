"""Kinds of blunders: functions from positions to the cards, (n, kinds), that tempt in them.

In the kinds `CERTAIN` a card that tempts is wrong, and no other is: the seat plays last, so that each card has one
known result, or its hand needs no luck. In those of `JUDGED` a card that tempts is often wrong, and a search decides
(`hearts_training.evaluate.blunders`). Nothing hidden from the seat to act is read.
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


def _any(cards: Flags) -> Flags:
    return cards.any(axis=1, keepdims=True)


def _there(cards: Masks) -> Flags:
    return (cards != 0)[:, None]


def queen_on_partner(at: Positions) -> Flags:
    """Last to play, throws QS on a trick of the partner; no moon is possible."""
    return at.split & at.among(at.mask("QS")) & at.to_mate & at.worse()


def takes_queen(at: Positions) -> Flags:
    """Last to play, takes a trick with QS that an opponent would take; no moon is possible."""
    return at.split & _there(at.trick & at.mask("QS")) & _any(at.to_foe) & at.wins & at.worse()


def keeps_queen(at: Positions) -> Flags:
    """Last to play, keeps QS though an opponent would take it; no moon is possible."""
    queen = at.among(at.mask("QS"))
    return at.split & _any(queen & at.to_foe & ~at.worse()) & ~queen & at.worse()


def gives_bonus(at: Positions) -> Flags:
    """Last to play, throws a bonus card on a trick of an opponent; no moon is possible."""
    return at.split & at.among(at.mask("bonus")) & at.to_foe & at.worse()


def misses_bonus(at: Positions) -> Flags:
    """Last to play, leaves a bonus card to an opponent; no moon is possible."""
    return at.split & _there(at.trick & at.mask("bonus")) & _any(at.wins & ~at.worse()) & at.to_foe & at.worse()


def gives_up_moon(at: Positions) -> Flags:
    """Leads a card that may lose, with all moon cards so far and a hand that wins every trick from the top."""
    return at.shoots & at.laydown & at.legal & at.beaten


def points_on_first_trick(at: Positions) -> Flags:
    """Last to play to the first trick, takes points that an opponent would take; no moon is possible."""
    first = np.bitwise_count(at.planes("played")[:, 0]) == at.numbers("trick_len")
    return at.split & first[:, None] & _any(at.to_foe) & at.wins & at.worse()


def high_spade(at: Positions) -> Flags:
    """Not last to play, leads KS or AS or plays it to spades, with QS out and a lower spade in hand."""
    high = at.among(at.mask("KS") | at.mask("AS"))
    spades = at.leads | (at.numbers("led_suit") == SPADES)[:, None]
    low = _any(at.legal & (at.suits == SPADES) & ~high)
    return spades & low & ~at.last & _there(at.out & at.mask("QS")) & at.legal & high


def leads_lone_suit(at: Positions) -> Flags:
    """Leads a suit that it alone still holds, with penalties out and not all moon cards so far."""
    return at.leads & ~at.shoots & _there(at.out & at.mask("penalty")) & at.legal & (at.left == 0)


def leaves_hearts(at: Positions) -> Flags:
    """Leads no heart, with all moon cards so far, 6 or more, and the highest heart."""
    hearts = at.among(at.mask("hearts"))
    return at.shoots & at.many & _any(at.legal & hearts & ~at.beaten & (at.left > 0)) & at.legal & ~hearts


def keeps_loser(at: Positions) -> Flags:
    """Leads a sure winner, with all moon cards so far, 6 or more, and one or two cards that may lose."""
    losers = at.legal & at.beaten
    few = np.isin(losers.sum(axis=1, keepdims=True), (1, 2))
    return at.shoots & at.many & few & ~at.laydown & at.legal & ~losers


def feeds_shooter(at: Positions) -> Flags:
    """Last to play, leaves a trick to an opponent with all moon cards so far, 6 or more."""
    return at.last & at.foe & at.many & _any(at.wins | at.to_mate) & at.legal & (at.ends[1] == at.sole[:, None])


def takes_hearts(at: Positions) -> Flags:
    """Last to play, takes a trick with two hearts or more; no moon is possible."""
    hearts = (np.bitwise_count(at.trick & at.mask("hearts")) >= 2)[:, None]
    return at.split & hearts & ~_there(at.trick & at.mask("QS")) & at.wins & at.worse(1)


def covers_for_bonus(at: Positions) -> Flags:
    """Goes over a trick with a bonus card, with QS in it, or out and somebody still to play."""
    queen = np.where(at.last[:, 0], at.trick, at.trick | at.out) & at.mask("QS")
    return _there(at.trick & at.mask("bonus")) & _there(queen) & at.legal & at.over


def clings_to_suit(at: Positions) -> Flags:
    """Leads a suit that it alone still holds, with all moon cards so far and a hand that cannot win every trick."""
    return at.shoots & ~at.laydown & _there(at.out & at.mask("penalty")) & at.legal & (at.left == 0)


def keeps_low_heart(at: Positions) -> Flags:
    """Leads another suit, not with all moon cards so far, though it may lead a heart that must lose."""
    hearts = at.among(at.mask("hearts"))
    return at.leads & ~at.shoots & _any(at.legal & hearts & at.lowest & (at.left > 0)) & at.legal & ~hearts


def creeps_in_hearts(at: Positions) -> Flags:
    """Not last to play to a trick of hearts, plays its lowest heart, with nothing but hearts in hand."""
    led = (at.numbers("led_suit") == HEARTS)[:, None]
    only = ~at.last & ~at.leads & led & ~_there(at.hand & ~at.mask("hearts"))
    return only & at.legal & (at.legal.cumsum(axis=1) == 1)


def queen_last(at: Positions) -> Flags:
    """Keeps QS as its last card, with two cards in hand."""
    queen = at.mask("QS")
    return (np.bitwise_count(at.hand) == 2)[:, None] & _there(at.hand & queen) & at.legal & ~at.among(queen)


def spares_shooter(at: Positions) -> Flags:
    """Void, throws no moon card, though an opponent has QS and all moon cards so far, and may not take the trick."""
    moon, queen = at.among(at.mask("moon_set")), np.bitwise_or.reduce(at.moon, axis=1) & at.mask("QS")
    void = ~at.leads & ~_any(at.legal & at.led)
    misses = ~at.last | (at.ends[1] != at.sole[:, None])
    return at.foe & _there(queen) & void & misses & _any(at.legal & moon) & at.legal & ~moon


def goes_over(at: Positions) -> Flags:
    """Not last to play, goes over the trick, with a card of the suit that ducks."""
    return ~at.last & _any(at.legal & at.led & ~at.over) & at.legal & at.over


CERTAIN = (queen_on_partner, takes_queen, misses_bonus, gives_up_moon, points_on_first_trick)
JUDGED = (
    keeps_queen,
    gives_bonus,
    high_spade,
    leads_lone_suit,
    leaves_hearts,
    keeps_loser,
    feeds_shooter,
    takes_hearts,
    covers_for_bonus,
    clings_to_suit,
    keeps_low_heart,
    creeps_in_hearts,
    queen_last,
    spares_shooter,
    goes_over,
)
KINDS = {kind.__name__: kind for kind in (*CERTAIN, *JUDGED)}
"""Name -> kind."""


def tempted(kind: str, at: Positions) -> NDArray[np.int64]:
    """The places of the positions of a kind: those with a legal card that tempts, and another."""
    cards = KINDS[kind](at) & at.legal
    return np.flatnonzero(cards.any(axis=1) & (at.legal & ~cards).any(axis=1))


def check_suite(game: Game) -> None:
    """Raise ValueError for rules with several packs, jokers or complex points, which the kinds do not know."""
    if game.tables["copies"] > 1 or game.tables["jokers"] or game.rules.score.better is Better.MAGNITUDE:
        raise ValueError(
            f"{game.rules} has no kinds of positions: they take one pack without jokers, and points that add up"
        )
