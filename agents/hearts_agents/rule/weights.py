"""What the rule agent weighs: one frozen value whose fields a spec string may set."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray


def _weight(default: float, doc: str) -> Any:
    return field(default=default, metadata={"doc": doc})


@dataclass(frozen=True)
class Weights:
    """The weights, in points of a game whose penalties sum to 26 (other games are scaled to that).

    Each field's description is its metadata ``doc``; `describe` lists them. Those of the danger of a card come twice:
    for play, and with ``pass_`` for the pass. The defaults were fitted by an evolution strategy (CMA-ES) to the margin
    in ``black_lady`` against random players, plain rules and earlier versions of this agent.
    """

    height: float = _weight(
        2.4, "danger of a card for each unseen lower card of its suit, per opponent who may hold them"
    )
    top: float = _weight(0.0, "danger added to a card that nothing unseen beats")
    short: float = _weight(
        1.26, "danger added to the cards of a short suit, for each card that it has fewer than `long`"
    )
    long: float = _weight(8.9, "length from which a suit is not short")
    hearts: float = _weight(
        -0.37, "more danger by height in a suit of penalty cards, per mean point of its unseen cards"
    )
    value: float = _weight(0.44, "danger of a penalty card by its own points, dear cards apart")
    dear: float = _weight(0.57, "danger of a dear card (such as the queen of spades), per point")
    trap: float = _weight(0.0, "danger of a card that may catch a dear one (such as the king of spades), per point")
    guard: float = _weight(0.21, "how much each low card of the suit lowers both")
    cover: float = _weight(4.4, "worth of such a low card")
    hope: float = _weight(0.5, "worth of holding a bonus card, per point")
    catch: float = _weight(0.15, "worth of a card that may catch a bonus card, per point")
    pass_height: float = _weight(2.4, "when passing: as height")
    pass_top: float = _weight(0.0, "when passing: as top")
    pass_short: float = _weight(1.34, "when passing: as short")
    pass_long: float = _weight(8.9, "when passing: as long")
    pass_hearts: float = _weight(-0.37, "when passing: as hearts")
    pass_value: float = _weight(0.44, "when passing: as value")
    pass_dear: float = _weight(4.1, "when passing: as dear")
    pass_spades: float = _weight(0.1, "when passing: as trap; it says how eagerly high spades are passed")
    pass_guard: float = _weight(0.21, "when passing: as guard")
    pass_cover: float = _weight(31.0, "when passing: as cover")
    pass_hope: float = _weight(0.5, "when passing: as hope")
    pass_catch: float = _weight(0.15, "when passing: as catch")
    lead_away: float = _weight(0.44, "how much the danger of a card speaks for leading it")
    follow_away: float = _weight(0.27, "how much it speaks for playing it when following suit")
    discard_away: float = _weight(0.86, "how much it speaks for discarding it")
    late: float = _weight(0.0, "how much more danger counts in the last trick than in the first, as a share")
    below: float = _weight(0.88, "cost of leading a card for each unseen lower card of its suit, per opponent")
    duck: float = _weight(
        1.0, "chance that an opponent stays under the winning card when it can; otherwise it follows at random"
    )
    lead: float = _weight(0.17, "cost of winning a trick, which means leading to the next")
    exit: float = _weight(
        0.0, "more of that cost for each unseen lower card, per opponent, under the hand's best card to lead next"
    )
    bleed: float = _weight(0.22, "pull to lead a suit whose dear card is out and harmless to this hand, per point")
    gift: float = _weight(0.3, "chance that an opponent lets go of a bonus card it could keep")
    hold: float = _weight(8.0, "danger of the worst card up to which a dealer who may choose prefers to hold")
    shoot: float = _weight(0.6, "chance of success from which the moon is tried, when all its cards are still out")
    shoot_pass: float = _weight(0.6, "the same for passing low cards instead of dangerous ones")
    slope: float = _weight(0.8, "how fast the chance of a moon falls with each card that may lose a trick")
    slope_hearts: float = _weight(1.2, "the same for cards of a suit of penalty cards")
    entry: float = _weight(0.1, "how much it falls while another seat has the lead")
    keep: float = _weight(0.2, "while shooting: cost of spending a sure winner")
    run: float = _weight(0.0, "while shooting: pull to lead suits that are nearly played out, per unseen card")
    fear_from: float = _weight(0.2, "share of the moon's points in one other seat from which it counts as a threat")
    fear_full: float = _weight(0.7, "share from which the threat is taken as certain")
    defend: float = _weight(12.0, "points that breaking a certain moon is worth")
    stopper: float = _weight(0.7, "how much a certain threat lowers the danger of high cards, which may stop it")


DANGER_FIELDS = (
    "height", "top", "short", "long", "hearts", "value", "dear", "trap", "guard", "cover", "hope", "catch",
)  # fmt: skip
DANGER = np.dtype([(name, "f8") for name in DANGER_FIELDS], align=True)
_PASS_NAMES = {"trap": "pass_spades"}
_REST = tuple(
    weight.name
    for weight in dataclasses.fields(Weights)
    if weight.name not in DANGER_FIELDS and not (weight.name.startswith("pass_"))
)
WEIGHTS = np.dtype([("play", DANGER), ("passing", DANGER), *((name, "f8") for name in _REST)], align=True)
"""`Weights` as the record that the compiled functions read."""

Weighing = Any
"""A `WEIGHTS` record, or one of its two `DANGER` records."""


def pack(weights: Weights) -> NDArray[Any]:
    """One `WEIGHTS` record, as an array of shape (1,)."""
    packed = np.zeros(1, WEIGHTS)
    for name in DANGER_FIELDS:
        packed["play"][name] = getattr(weights, name)
        packed["passing"][name] = getattr(weights, _PASS_NAMES.get(name, f"pass_{name}"))
    for name in _REST:
        packed[name] = getattr(weights, name)
    return packed


def describe() -> dict[str, str]:
    """Field -> what it means."""
    return {weight.name: weight.metadata["doc"] for weight in dataclasses.fields(Weights)}
