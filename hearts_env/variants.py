"""The registered variants, each a few lines of data on Basic Hearts, and `rules`, which reads them by name."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from types import MappingProxyType

from hearts_env.rules import BLACK_LADY, Rules, Variant
from hearts_env.text import parse_call

_REGISTERED = (
    BLACK_LADY,
    Variant(
        name="omnibus_hearts",
        aliases=("omnibus", "jack_of_diamonds"),
        players=(3, 4, 5, 6),
        summary="Basic Hearts in which the jack of diamonds takes 10 points off.",
        source="Pagat, Hearts (variations: jack of diamonds); Wikipedia, Hearts (card game)",
        delta={"score.card_values": {"H": 1, "QS": 13, "JD": -10}},
        readings=(
            "The moon needs the hearts and the queen only; the jack counts for whoever took it, on top.",
            "The jack may be thrown on the first trick; only IncreduHearts forbids it, in its own game.",
        ),
    ),
    Variant(
        name="black_maria",
        aliases=("maria",),
        players=(3, 4, 5, 6),
        summary="British Hearts: the three top spades cost 7, 10 and 13; three cards go right before every deal.",
        source="Wikipedia, Black Maria (card game)",
        delta={
            "deck.removal_order": ("2C", "2D", "3C", "3D"),
            "opening.leader": "left_of_dealer",
            "opening.card": "any",
            "passing.cycle": ("right",),
            "play.first_trick_forbidden": (),
            "play.heart_lead": "free",
            "score.card_values": {"H": 1, "AS": 7, "KS": 10, "QS": 13},
            "moon.mode": "none",
        },
        readings=("No award for taking all 43 points by default; moon.mode=old makes it 43 to the others.",),
    ),
    Variant(
        name="rickety_kate",
        aliases=("kate",),
        players=(3, 4, 5, 6),
        summary="Basic Hearts without shooting the moon: 26 points are 26 points.",
        source="Wikipedia, Hearts (card game): variations",
        delta={"moon.mode": "none"},
        readings=("Elsewhere the name stands for other games, and for Hearts with the moon.",),
    ),
    Variant(
        name="spot_hearts",
        aliases=("spot_119",),
        players=(3, 4, 5, 6),
        summary="Hearts cost their spots, honours 10 each, the queen of spades 25: 119 in all, played to 500.",
        source="Wikipedia, Hearts (card game): scoring variants",
        delta={
            "score.card_values": {"H": 10, **{f"{spots}H": spots for spots in range(2, 10)}, "QS": 25},
            "end.target": 500,
        },
        readings=("The target of 500 is our choice; published values run from 200 to 500.",),
    ),
    Variant(
        name="pip_hearts",
        aliases=("pip",),
        players=(3, 4, 5, 6),
        summary="Hearts cost their rank, 2 to 14, and the queen of spades nothing: 104 in all, played to 400.",
        source="Wikipedia, Hearts (card game): scoring variants",
        delta={
            "play.first_trick_forbidden": ("H",),
            "score.card_values": {f"{rank}H": value for value, rank in enumerate("23456789TJQKA", start=2)},
            "end.target": 400,
        },
        readings=(
            "The queen of spades is an ordinary card: allowed on the first trick, not needed for the moon.",
            "The target of 400 is our choice.",
        ),
    ),
    Variant(
        name="four_five_four",
        aliases=("454", "4-5-4"),
        players=(4,),
        summary="Every deal, four cards go left, five across and four right: nobody plays a card of the own deal.",
        source="Wikipedia, Hearts (card game): variations",
        delta={"passing.cycle": ("left*4&across*5&right*4",)},
    ),
    Variant(
        name="queens",
        players=(4,),
        summary="Every queen costs 13, hearts may be led at once, no moon; whoever takes the queen of spades deals.",
        source="Wikipedia, Hearts (card game): variations",
        delta={
            "table.dealer_next": "QS",
            "play.first_trick_forbidden": (),
            "play.heart_lead": "free",
            "score.card_values": {"H": 1, "Q": 13},
            "moon.mode": "none",
            "end.target": 108,
        },
        readings=("The queen of hearts costs 13, not 14; the holder of the two of clubs still opens.",),
    ),
    Variant(
        name="openspiel",
        aliases=("pyspiel",),
        players=(4,),
        summary="One deal under the default parameters of OpenSpiel's Hearts, for comparison with published agents.",
        source="OpenSpiel's hearts game, default parameters",
        delta={
            "passing.schedule": "random",
            "play.break_by": "hearts_or_qs",
            "moon.mode": "old",
            "end.target": None,
            "end.max_deals": 1,
        },
        readings=("The direction of the pass, hold included, is drawn at random for the deal.",),
    ),
)

VARIANTS: Mapping[str, Variant] = MappingProxyType({variant.name: variant for variant in _REGISTERED})
"""Every registered variant by its name."""

_BY_ANY_NAME = dict(VARIANTS) | {alias: variant for variant in _REGISTERED for alias in variant.aliases}


def find_variant(name: str) -> Variant:
    """The variant with this name or alias. Raises ValueError naming the closest one if there is none."""
    key = name.strip().lower().replace(" ", "_")
    for spelling in (key, key.replace("-", "_")):
        if spelling in _BY_ANY_NAME:
            return _BY_ANY_NAME[spelling]
    close = get_close_matches(key, _BY_ANY_NAME, n=1, cutoff=0)[0]
    raise ValueError(f"there is no variant {name!r}; the closest is {close} (hearts variants lists all)")


def rules(text: str | Rules = "black_lady") -> Rules:
    """Rules from text such as ``black_lady(players=5, moon.mode=old)``; a `Rules` value passes through.

    Raises ValueError for an unknown variant or field (naming the closest), a bad value or a contradiction.
    """
    if isinstance(text, Rules):
        return text
    name, arguments = parse_call(text)
    return find_variant(name).build().replace(**arguments)
