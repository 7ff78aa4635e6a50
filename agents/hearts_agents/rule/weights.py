"""The weights of the rule agent's cost: one frozen value, whose fields a spec string may set."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_env.checks import number


def _weight(default: float, doc: str) -> Any:
    return field(default=default, metadata={"doc": doc})


def _when_passing(default: float, name: str, more: str = "") -> Any:
    """A weight that takes the place of the weight `name` when passing."""
    return field(default=default, metadata={"doc": f"when passing: as {name}{more}", "replaces": name})


@dataclass(frozen=True)
class Weights:
    """The weights, in points of a game whose penalties sum to 26 (other games are scaled to that).

    Each field's description is its metadata ``doc``. The weights of the danger of a card exist twice: for play, and
    with ``pass_`` for the pass. ``hearts tune`` found the defaults (``rule/README.md`` describes how): those of bonus
    cards in ``omnibus_hearts``, all others in ``black_lady``.

    >>> Weights(pass_spades=2).pass_spades
    2
    >>> Weights().long
    5.451

    Raises:
        ValueError: a weight that is not a finite number.
    """

    def __post_init__(self) -> None:
        for weight in dataclasses.fields(self):
            number(f"rule: {weight.name}", getattr(self, weight.name))

    height: float = _weight(
        2.137, "danger of a card for each unseen lower card of its suit, per opponent who may hold them"
    )
    top: float = _weight(-0.125, "danger added to a card that nothing unseen beats")
    short: float = _weight(
        1.69, "danger added to the cards of a short suit, for each card that it has fewer than `long`"
    )
    long: float = _weight(5.451, "length from which a suit is not short")
    hearts: float = _weight(
        0.007, "danger added per unseen lower card in a suit of penalty cards, per mean point of its unseen cards"
    )
    value: float = _weight(0.496, "danger of a penalty card that is not dear, per point")
    dear: float = _weight(1.366, "danger of a dear card (such as the queen of spades), per point")
    trap: float = _weight(0.475, "danger of a card that may catch a dear one (such as the king of spades), per point")
    guard: float = _weight(0.502, "how much each lower card of the suit in the hand lowers `dear` and `trap`")
    cover: float = _weight(5.333, "danger that such a low card takes off, in points")
    hope: float = _weight(2.651, "points expected from holding a bonus card, per point")
    catch: float = _weight(1.477, "points expected from a card that may catch a bonus card, per point")
    pass_height: float = _when_passing(2.564, "height")
    pass_top: float = _when_passing(0.214, "top")
    pass_short: float = _when_passing(1.973, "short")
    pass_long: float = _when_passing(10.361, "long")
    pass_hearts: float = _when_passing(-0.009, "hearts")
    pass_value: float = _when_passing(0.039, "value")
    pass_dear: float = _when_passing(0.934, "dear")
    pass_spades: float = _when_passing(-0.034, "trap", "; in Black Lady, how eagerly high spades are passed")
    pass_guard: float = _when_passing(0.697, "guard")
    pass_cover: float = _when_passing(17.424, "cover")
    pass_hope: float = _when_passing(6.643, "hope")
    pass_catch: float = _when_passing(1.688, "catch")
    lead_away: float = _weight(0.317, "part of the danger of a card that counts in favour of leading it")
    follow_away: float = _weight(0.297, "the same for following suit with it")
    discard_away: float = _weight(0.355, "the same for discarding it")
    late: float = _weight(0.234, "how much more danger counts in the last trick than in the first, as a fraction")
    below: float = _weight(0.118, "cost of leading a card for each unseen lower card of its suit, per opponent")
    duck: float = _weight(
        0.867, "chance that an opponent stays under the winning card when it can; otherwise it follows at random"
    )
    lead: float = _weight(0.325, "cost of winning a trick, which means leading to the next")
    exit: float = _weight(
        -0.057, "cost of winning a trick, per unseen lower card per opponent under the hand's best card to lead next"
    )
    bleed: float = _weight(
        0.455, "benefit of leading a suit whose dear card is out and harmless to this hand, per point"
    )
    gift: float = _weight(0.109, "chance that an opponent gives away a bonus card that it could keep")
    hold: float = _weight(20.0, "danger of the most dangerous card up to which a dealer who may choose prefers to hold")
    shoot: float = _weight(
        0.446, "chance of success from which the moon is tried while nobody has a card of it; 1: never"
    )
    shoot_pass: float = _weight(0.212, "the same for passing low cards instead of dangerous ones")
    slope: float = _weight(0.866, "how fast the chance of a moon falls with each card that may lose a trick")
    slope_hearts: float = _weight(3.914, "the same for cards of a suit of penalty cards")
    entry: float = _weight(0.371, "fraction by which the chance of a moon falls while another seat has the lead")
    keep: float = _weight(-0.305, "while shooting: cost of spending a sure winner")
    run: float = _weight(-0.001, "while shooting: cost of leading a suit, per unseen card of it")
    fear_points: float = _weight(
        0.194, "threat of a moon from a seat that alone has penalties, by its share of their points"
    )
    fear_run: float = _weight(0.062, "the same by the number of tricks that it has led and won in a row")
    fear_from: float = _weight(0.023, "sum of the two up to which there is no threat; it is certain 1 above that")
    defend: float = _weight(11.6, "points gained by breaking a certain moon")
    seize: float = _weight(-0.189, "points gained by winning any trick from a seat that is certain to be shooting")
    stopper: float = _weight(
        0.916, "fraction by which a certain threat lowers the danger of cards: high ones may stop it"
    )
    reserve: float = _weight(1.922, "points gained by keeping a sure winner while a threat is certain")
    caution: float = _weight(
        0.415, "points gained by keeping the best card of a suit of penalty cards while somebody may still shoot"
    )
    pass_caution: float = _weight(0.945, "the same when passing")


def shooter_weights(eagerness: float = 0.85) -> Weights:
    """The weights of ``shooter``, which often tries to shoot the moon: from a chance of success of 1 - eagerness on.

    >>> shooter_weights(eagerness=0.75).shoot
    0.25

    Raises:
        ValueError: an eagerness that is not between 0 and 1.
    """
    if not 0 < eagerness < 1:
        raise ValueError(f"shooter: eagerness={eagerness} must lie between 0 and 1")
    return Weights(shoot=1 - eagerness, shoot_pass=1 - eagerness)


def guard_weights(vigilance: float = 3.0) -> Weights:
    """The weights of ``guard``, which never tries a moon; `vigilance` is a factor on those that guard against one.

    >>> guard_weights(vigilance=2).defend == 2 * Weights().defend
    True

    Raises:
        ValueError: a vigilance that is not above 0.
    """
    if vigilance <= 0:
        raise ValueError(f"guard: vigilance={vigilance} must be above 0")
    guarding = ("fear_points", "fear_run", "defend", "caution", "pass_caution")
    more = {name: vigilance * getattr(Weights, name) for name in guarding}
    return Weights(**more, shoot=1.0, shoot_pass=1.0)


_PASSING = {
    weight.name: weight.metadata["replaces"] for weight in dataclasses.fields(Weights) if "replaces" in weight.metadata
}
DANGER_FIELDS = tuple(_PASSING.values())
DANGER = np.dtype([(name, "f8") for name in DANGER_FIELDS], align=True)
_REST = tuple(weight.name for weight in dataclasses.fields(Weights) if weight.name not in {*DANGER_FIELDS, *_PASSING})
WEIGHTS = np.dtype([("play", DANGER), ("passing", DANGER), *((name, "f8") for name in _REST)], align=True)
"""`Weights` as the record that the compiled functions read."""

DangerWeights = Any
"""A `DANGER` record: ``play`` or ``passing`` of a `WEIGHTS` record."""


def pack(weights: Weights) -> NDArray[Any]:
    """Make a `WEIGHTS` record, as an array of shape (1,)."""
    packed = np.zeros(1, WEIGHTS)
    for name in DANGER_FIELDS:
        packed["play"][name] = getattr(weights, name)
    for full, name in _PASSING.items():
        packed["passing"][name] = getattr(weights, full)
    for name in _REST:
        packed[name] = getattr(weights, name)
    return packed
