"""Kinds of blunders: functions from positions to the cards, (n, kinds), that tempt in them.

In the kinds `CERTAIN` a card that tempts is wrong, and no other is: the seat plays last, so that each card has one
known result, or its hand needs no luck. In those of `JUDGED` a card that tempts is often wrong, and a search decides
(`hearts_training.evaluate.blunders`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hearts_training.evaluate.positions import HEARTS, SPADES, Flags, Masks, Positions


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
