"""Games for research: a deal of a few cards, so small that exact tools can solve it."""

from __future__ import annotations

from typing import Any

from hearts_env.ruleset.model import Variant
from hearts_env.ruleset.reading import PACK, Reading

SOURCE = "this suite, for research"
SMALL: dict[str, Any] = {
    "opening.holder": "S",
    "opening.card": "any",
    "passing.cycle": ("hold",),
    "play.first_trick_forbidden": (),
    "moon.mode": "old",
    "end.target": None,
    "end.max_deals": 1,
}
"""The fields that the games have in common."""
READINGS = (
    Reading(
        "The holder of the lowest spade in anybody's hand leads to the first trick, any card but a heart.",
        about=(*PACK, "opening.leader", "opening.holder", "opening.card", "opening.taker", "play.heart_lead"),
    ),
)
DUEL: dict[str, Any] = SMALL | {
    "deck.remainder": "kitty",
    "deck.kitty_award": "out_of_play",
    "score.card_values": {"H": 1, "QS": 4},
}
KITTY = Reading(
    "The two cards of the kitty stay face down. They are what the players do not know.",
    about=("deck.remainder", "deck.hand_size", "deck.kitty_award", "deck.packs", "deck.ranks", "deck.added"),
)

RESEARCH = (
    Variant(
        name="duel_hearts",
        players=(2,),
        summary="One deal for two with eight cards, jack to ace of hearts and spades: three cards each, and two that "
        "stay out of play. The queen of spades costs 4.",
        source=SOURCE,
        delta=DUEL
        | {
            "deck.ranks": tuple("JQKA"),
            "deck.removed": tuple(rank + suit for suit in "CD" for rank in "JQKA"),
            "deck.hand_size": 3,
        },
        readings=(*READINGS, KITTY),
    ),
    Variant(
        name="duel_hearts_10",
        players=(2,),
        summary="One deal for two with ten cards, ten to ace of hearts and spades: four cards each, and two that stay "
        "out of play. The queen of spades costs 4.",
        source=SOURCE,
        delta=DUEL
        | {
            "deck.ranks": tuple("TJQKA"),
            "deck.removed": tuple(rank + suit for suit in "CD" for rank in "TJQKA"),
            "deck.hand_size": 4,
        },
        readings=(*READINGS, KITTY),
    ),
    Variant(
        name="trio_hearts",
        players=(3,),
        summary="One deal for three with nine cards, ten to ace of spades and jack to ace of hearts: three cards each. "
        "The queen of spades costs 4.",
        source=SOURCE,
        delta=SMALL
        | {
            "deck.ranks": tuple("TJQKA"),
            "deck.removed": (*(rank + suit for suit in "CD" for rank in "TJQKA"), "TH"),
            "score.card_values": {"H": 1, "QS": 4},
        },
        readings=READINGS,
    ),
)
