"""Hearts for large tables: two packs shuffled together."""

from __future__ import annotations

from hearts_env.ruleset.model import Variant

LARGE = (
    Variant(
        name="uk_black_lady",
        aliases=("black_lady_uk",),
        players=(3, 4, 5, 6, 7, 8, 9, 10),
        summary="British Black Lady for three to ten: hearts cost their face, honours 10, three top spades 50, 40 and "
        "20; whoever takes the lot clears the own total or doubles all others.",
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
            "One pack for up to six players, two for more; two for fewer are deck.packs=2 with "
            "opening.leader=left_of_dealer and opening.card=any.",
            "The listed values come to 204 a pack, not the 205 of the page.",
            "With two packs nobody alone need hold the lowest club: the player after the dealer opens with any card.",
            "Ten deals are our choice for its end on time.",
        ),
    ),
    Variant(
        name="incredu_hearts",
        aliases=("incredu", "incredu-hearts", "incredible_hearts"),
        players=(4, 5, 6, 7, 8),
        summary="Two packs and a moon that needs only 18 of the 26 hearts and a queen; taking no trick is worth -5, "
        "and exactly 100 counts as 0.",
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
            "With 4 or 8 players the two of clubs opens, as the page has it, and the joker is a lower club; "
            "opening.holder=C lets the joker open.",
            "In a moon deal the others still score what they took; moon.others_score=false spares them.",
            "end.lower_target=-100 also ends the match below -100.",
        ),
    ),
    Variant(
        name="cancellation_hearts",
        aliases=("cancellation",),
        players=(5, 6, 7, 8, 9, 10, 11),
        summary="Two packs: identical cards in a trick cancel each other, and a trick that two pairs cancel rolls over "
        "to the next winner.",
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
            "Two cancelled pairs of any suit kill the trick; with trick.dead_trick=no_live_card only a trick whose led "
            "suit is cancelled altogether.",
            "After a dead trick the same player leads; a dead last trick goes to its leader.",
            "The lowest club is made unique, with a joker as zero of clubs or fewer cards, so that its holder opens.",
            "The moon takes all 52 points.",
        ),
    ),
)
