"""Hearts for large tables: two packs shuffled together."""

from __future__ import annotations

from hearts_env.ruleset.model import Variant
from hearts_env.ruleset.reading import MOON, PACK, POINTS, Reading

LARGE = (
    Variant(
        name="uk_black_lady",
        title="Black Lady (UK)",
        aliases=("black_lady_uk",),
        players=(3, 4, 5, 6, 7, 8, 9, 10),
        summary="British Black Lady for up to ten players: hearts cost their face value, honours 10 each, and the "
        "queen, ace and ten of spades 50, 40 and 20. A player who takes every penalty card either resets their own "
        "total to 0 or doubles everyone else's.",
        source="Pages of British Black Lady rules",
        delta={
            "passing.cycle": ("left",),
            "trick.duplicates": "first",
            "score.card_values": {
                **{f"{spots}H": spots for spots in range(2, 11)},
                **{f"{honour}H": 10 for honour in "JQKA"},
                "QS": 50,
                "AS": 40,
                "TS": 20,
            },
            "moon.mode": "reset_or_double",
            "end.target": None,
            "end.max_deals": 10,
        },
        by_players={
            players: {
                "deck.packs": 2,
                "deck.removal_order": ("2D", "2C", "2D", "2C", "3D", "3C"),
                "opening.leader": "left_of_dealer",
                "opening.card": "any",
            }
            for players in (7, 8, 9, 10)
        },
        readings=(
            Reading(
                "One pack serves up to six players, two packs serve more. For two packs with fewer players write "
                "deck.packs=2, deck.removal_order=[2D,2C,2D,2C], opening.leader=left_of_dealer, opening.card=any.",
                about=("deck.packs", "deck.removal_order", "opening.leader", "opening.card"),
            ),
            Reading(
                "The values listed in the source add up to 204 points a pack, not to the 205 it states.",
                about=(*POINTS, *PACK),
            ),
            Reading(
                "With two packs the lowest club may be held twice, so the player on the dealer's left leads to the "
                "first trick, any card that the rules allow.",
                about=(*PACK, "table.direction", "opening.leader", "opening.holder", "opening.card"),
            ),
            Reading(
                "The source ends the match at an agreed time. Ten deals are our choice.",
                about=("end.target", "end.max_deals"),
            ),
        ),
    ),
    Variant(
        name="incredu_hearts",
        title="IncreduHearts",
        aliases=("incredu", "incredu-hearts", "incredible_hearts"),
        players=(4, 5, 6, 7, 8),
        summary="Hearts with two packs, where the moon needs only 18 of the 26 hearts and one queen of spades. "
        "Winning no trick scores -5, and a total of exactly 100 becomes 0.",
        source="C. M. Register, The Official IncreduHearts Rules Page (2002)",
        delta={
            "deck.packs": 2,
            "deck.remainder": "strict",
            "play.first_trick_forbidden": ("H", "QS", "JD"),
            "play.break_by": "hearts_or_qs",
            "play.break_event": "discarded",
            "play.lead_exception": "hearts_plus_penalty",
            "trick.duplicates": "first",
            "trick.exceptions": {"QS": "last"},
            "score.card_values": {"H": 1, "QS": 13, "JD": -10},
            "score.no_tricks": -5,
            "moon.least": {"H": 18, "QS": 1},
            "end.target_cmp": "gt",
            "end.exact": {100: -100, -100: 100},
        },
        by_players={
            4: {
                "deck.added": ("0C",),
                "deck.removed": ("2C",),
                "opening.holder": "2C",
                "passing.count": 5,
                "moon.sun_amount": 104,
            },
            5: {"deck.added": ("0C",), "passing.count": 4, "moon.sun_amount": 105},
            6: {"deck.removed": ("2C", "2D"), "passing.count": 4, "moon.sun_amount": 102},
            7: {"deck.added": ("0C",), "moon.sun_amount": 105},
            8: {"deck.added": ("0C",), "deck.removed": ("2C",), "opening.holder": "2C", "moon.sun_amount": 104},
        },
        readings=(
            Reading(
                "With 4 or 8 players the two of clubs is led to the first trick, as the source says, and the joker is "
                "a lower club. With opening.holder=C the joker is led.",
                about=(*PACK, "opening.leader", "opening.holder", "opening.card", "opening.taker"),
            ),
            Reading(
                "In a deal in which somebody shoots the moon the others still score the cards they took. With "
                "moon.others_score=false they do not.",
                about=("moon.mode", "moon.others_score", "moon.clean_slate", "moon.sun_amount"),
            ),
            Reading(
                "With end.lower_target=-100 a total below -100 also ends the match.",
                about=("end.target_cmp", "end.lower_target", "end.exact"),
            ),
        ),
    ),
    Variant(
        name="cancellation_hearts",
        aliases=("cancellation",),
        players=(5, 6, 7, 8, 9, 10, 11),
        summary="Hearts with two packs: identical cards in a trick cancel each other. If two pairs cancel, nobody "
        "wins the trick, and its cards go to the winner of the next one.",
        source="Wikipedia, Hearts (card game): variations; Bicycle, Cancellation Hearts",
        delta={
            "deck.packs": 2,
            "deck.remainder": "strict",
            "trick.duplicates": "cancel",
            "trick.dead_trick": "two_pairs",
        },
        by_players={
            5: {"deck.added": ("0C",)},
            6: {"deck.removed": ("2C", "2D")},
            7: {"deck.added": ("0C",)},
            8: {"deck.added": ("0C",), "deck.removed": ("2C",)},
            9: {"deck.removed": ("2C", "2D", "2S", "2D", "2S")},
            10: {"deck.removed": ("2C", "2D", "2S", "2D")},
            11: {"deck.removed": ("2C", "2D", "2S", "2D", "2S")},
        },
        readings=(
            Reading(
                "Two cancelled pairs of any suits make a trick dead. With trick.dead_trick=no_live_card a trick is "
                "dead only if every card of the suit led is cancelled.",
                about=("trick.duplicates", "trick.dead_trick", "trick.exceptions"),
            ),
            Reading(
                "After a dead trick the same player leads again. A dead last trick goes to its leader.",
                about=("trick.duplicates", "trick.dead_last_trick"),
            ),
            Reading(
                "A joker (the zero of clubs) or a smaller pack makes the lowest club unique, so that only one player "
                "can hold it and lead to the first trick.",
                about=(*PACK, "opening.leader", "opening.holder", "opening.card", "opening.taker"),
            ),
            Reading(
                "The moon needs all 52 points.",
                about=(*POINTS, *PACK, *MOON),
            ),
        ),
    ),
)
