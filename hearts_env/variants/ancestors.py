"""The ancestors of Hearts: games without a pass, in which any card may be led, and a few cards or each trick cost 1."""

from __future__ import annotations

from typing import Any

from hearts_env.ruleset.model import Variant
from hearts_env.ruleset.reading import PACK, POINTS, Reading

HISTORY = "Wikipedia, Hearts (card game): history"
PLAIN: dict[str, Any] = {
    "opening.leader": "left_of_dealer",
    "opening.card": "any",
    "passing.cycle": ("hold",),
    "play.first_trick_forbidden": (),
    "play.heart_lead": "free",
    "moon.mode": "none",
}
"""The fields that the games have in common."""
SILENT = Reading(
    "The source gives the points only. Old rules of these games have no pass, let the player after the dealer lead any "
    "card, and make no award for taking everything.",
    about=("passing.cycle", "opening.leader", "opening.card", "moon.mode", "play.heart_lead"),
)


def _target(points: int) -> Reading:
    """The reading on the end of a match."""
    return Reading(f"The source gives no end. A match to {points} points is our choice.", about=("end.target",))


ANCESTORS = (
    Variant(
        name="reversis",
        players=(3, 4, 5, 6),
        summary="The ancestor of Hearts, popular around 1750: each trick costs 1, and so do the jack and the queen of "
        "hearts.",
        source=HISTORY,
        delta=PLAIN | {"score.card_values": {"JH": 1, "QH": 1}, "score.tricks": {"each": 1}, "end.target": 60},
        readings=(
            SILENT,
            Reading(
                "The pack has 52 cards. Spanish players left the tens out: deck.ranks=[2,3,4,5,6,7,8,9,J,Q,K,A].",
                about=PACK,
            ),
            _target(60),
        ),
    ),
    Variant(
        name="four_jacks",
        aliases=("polignac", "quatre_valets"),
        players=(3, 4, 5, 6),
        summary="Each jack costs 1, and the jack of spades 2; nothing else counts.",
        source=HISTORY,
        delta=PLAIN | {"score.card_values": {"J": 1, "JS": 2}, "end.target": 20},
        readings=(
            SILENT,
            Reading(
                "The pack has 52 cards. In France it has 32 (deck.ranks=[7,8,9,T,J,Q,K,A]), and a player may announce "
                "to take every trick, which is not offered here.",
                about=(*PACK, *POINTS),
            ),
            _target(20),
        ),
    ),
    Variant(
        name="hearts_1850",
        title="Hearts of 1850",
        aliases=("original_hearts",),
        players=(3, 4, 5, 6),
        summary="The first game of that name: each heart costs 1, nothing else counts, and hearts may always be led.",
        source=HISTORY,
        delta=PLAIN | {"score.card_values": {"H": 1}, "end.target": 50},
        readings=(
            SILENT,
            Reading(
                "Some played for chips: score.chips=25, end.target=none.",
                about=("score.chips", "end.target"),
            ),
            _target(50),
        ),
    ),
)
