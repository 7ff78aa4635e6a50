"""Hearts with other scores: costlier cards, multiplied hands, and complex numbers."""

from __future__ import annotations

from hearts_env.ruleset.model import Variant
from hearts_env.ruleset.reading import MOON, PACK, POINTS, Reading

SCORING = "Wikipedia, Hearts (card game): scoring variants"
PIPS = {f"{rank}H": value for value, rank in enumerate("23456789TJQKA", start=2)}

VALUES = (
    Variant(
        name="spot_hearts",
        aliases=("spot_119", "spot"),
        players=(3, 4, 5, 6),
        summary="Hearts cost their face value, the honours from jack to ace 10 each, and the queen of spades 25: 119 "
        "points in all. The match goes to 500.",
        source=SCORING,
        delta={
            "score.card_values": {"H": 10, **{f"{spots}H": spots for spots in range(2, 10)}, "QS": 25},
            "end.target": 500,
        },
        readings=(
            Reading(
                "The target of 500 is our choice. Published values run from 200 to 500.",
                about=("end.target",),
            ),
        ),
    ),
    Variant(
        name="spot_hearts_129",
        aliases=("spot_129",),
        players=(3, 4, 5, 6),
        summary="Hearts cost their rank, from 2 to 14 for the ace, and the queen of spades costs 25: 129 points in "
        "all. The match goes to 500.",
        source="Fun52, Spot Hearts",
        delta={"score.card_values": {**PIPS, "QS": 25}, "end.target": 500},
        readings=(
            Reading(
                "The target of 500 is our choice. The source also has a jack of diamonds that takes 30 off, and a "
                "target of 300.",
                about=(*POINTS, "end.target"),
            ),
        ),
    ),
    Variant(
        name="pip_hearts",
        aliases=("pip",),
        players=(3, 4, 5, 6),
        summary="Hearts cost their rank, from 2 to 14 for the ace, and the queen of spades costs nothing: 104 points "
        "in all. The match goes to 400.",
        source=SCORING,
        delta={
            "play.first_trick_forbidden": ("H",),
            "score.card_values": PIPS,
            "end.target": 400,
        },
        readings=(
            Reading(
                "The queen of spades is an ordinary card. It may be played to the first trick and is not needed for "
                "the moon.",
                about=(*POINTS, "play.first_trick_forbidden", "moon.mode", "moon.cards", "moon.least"),
            ),
            Reading(
                "The target of 400 is our choice.",
                about=("end.target",),
            ),
        ),
    ),
    Variant(
        name="hooligan_hearts",
        aliases=("hooligan",),
        players=(3, 4, 5, 6),
        summary="Basic Hearts in which the seven of clubs costs 7: 33 points in all.",
        source=SCORING,
        delta={"score.card_values": {"H": 1, "QS": 13, "7C": 7}},
        readings=(
            Reading(
                "The seven is that of clubs in a public app's own test. For another write, for example, "
                "card_values={H:1,QS:13,7D:7}.",
                about=("score.card_values",),
            ),
            Reading(
                "The moon needs all 33 points, the seven included. With moon.cards=[H,QS] it does not need the seven.",
                about=(*POINTS, *PACK, *MOON),
            ),
            Reading(
                "The seven may be played to the first trick, to which clubs are led.",
                about=(
                    "score.card_values",
                    "play.first_trick_forbidden",
                    "opening.leader",
                    "opening.holder",
                    "opening.card",
                    "opening.taker",
                ),
            ),
        ),
    ),
    Variant(
        name="high_hearts",
        aliases=("high_heart_values",),
        players=(3, 4, 5, 6),
        summary="The high hearts cost more than 1: the jack 2, the queen 3, the king 4 and the ace 5. With the queen "
        "of spades that makes 36 points.",
        source=SCORING,
        delta={"score.card_values": {"H": 1, "JH": 2, "QH": 3, "KH": 4, "AH": 5, "QS": 13}},
        readings=(
            Reading(
                "In another form only the ace costs more: card_values={H:1,AH:13,QS:13}.",
                about=("score.card_values",),
            ),
        ),
    ),
    Variant(
        name="royal_hearts",
        aliases=("royal",),
        players=(4,),
        summary="All four queens count: the queen of spades costs 26, the queen of hearts doubles the hearts of its "
        "taker, the queen of diamonds takes 10 off, and the queen of clubs cancels the queen of spades.",
        source="Parker Brothers' Royal Hearts leaflet; Wikipedia, Hearts (card game): variations",
        delta={
            "passing.cycle": ("left", "across", "right"),
            "play.first_trick_forbidden": (),
            "play.break_by": "hearts_or_qs",
            "score.card_values": {"H": 1, "QS": 26, "QD": -10},
            "score.negations": {"QC": "QS"},
            "score.multipliers": {"QH": "2@H"},
            "moon.amount": 26,
            "end.target_cmp": "gt",
        },
        readings=(
            Reading(
                "The source is damaged. Which of the red and club queens does what is its likeliest reading.",
                about=("score.card_values", "score.negations", "score.multipliers"),
            ),
            Reading(
                "The queen of hearts doubles itself as well.",
                about=("score.multipliers",),
            ),
            Reading(
                "The sources do not describe the moon. Here it takes all the hearts and the queen of spades and is "
                "worth 26. With moon.amount=52 it would be worth 52.",
                about=(*POINTS, *PACK, *MOON),
            ),
        ),
    ),
    Variant(
        name="math_team_hearts",
        aliases=("math_team",),
        players=(3, 4, 5, 6),
        summary="The highest total wins: 1 point for taking no heart, -1 for the queen of spades, 2 for the moon. The "
        "match has eight deals.",
        source="The blog post Math Team Hearts (2015)",
        delta={
            "score.better": "high",
            "score.card_values": {"QS": -1},
            "score.no_hearts": 1,
            "moon.mode": "fixed_self",
            "moon.cards": ("H", "QS"),
            "moon.amount": 2,
            "end.target": None,
            "end.max_deals": 8,
        },
        readings=(
            Reading(
                "The other players score their 1 point for no hearts in a moon deal, too. With "
                "score.no_hearts_on_moon=false they do not.",
                about=("score.no_hearts", "score.no_hearts_on_moon", "moon.mode", "moon.cards"),
            ),
            Reading(
                "The source gives no end. Eight deals are our choice.",
                about=("end.target", "end.max_deals"),
            ),
            Reading(
                "The source also allows a pass of the dealer's choice: passing.cycle=[left|right|across|hold], without "
                "across for an odd number of players.",
                about=("passing.cycle",),
            ),
        ),
    ),
    Variant(
        name="complex_hearts",
        aliases=("complex",),
        players=(4,),
        summary="Scores are complex numbers: hearts count 1, the queen of spades 13i and the jack of diamonds -10, "
        "and the ten of clubs multiplies its taker's score by 2i. A player whose total reaches an absolute value of "
        "100 loses.",
        source="R. Dieter, Complex Hearts; Wikipedia, Hearts (card game): variations",
        delta={
            "play.break_by": "hearts_or_qs",
            "score.better": "magnitude",
            "score.card_values": {"H": 1, "QS": "13i", "JD": -10},
            "score.multipliers": {"TC": "2i"},
        },
        readings=(
            Reading(
                "The moon needs only the hearts and the queen of spades. Taking the jack of diamonds and the ten of "
                "clubs as well makes it worse.",
                about=(*POINTS, *PACK, *MOON),
            ),
            Reading(
                "If the shooter of an old moon took the ten of clubs, the others score 2i times 13+13i, which is "
                "-26+26i. With moon.multiplied=false they score 13+13i.",
                about=(*POINTS, *PACK, *MOON, "moon.multiplied", "moon.sign"),
            ),
            Reading(
                "The smallest absolute value wins. With score.better=real the lowest real part wins instead.",
                about=("score.better",),
            ),
            Reading(
                "In other versions the ten of clubs is barred from the first trick (first_trick_forbidden=[H,QS,TC]) "
                "or the target must be exceeded (target_cmp=gt).",
                about=("play.first_trick_forbidden", "end.target_cmp"),
            ),
            Reading(
                "In another version the shooter of an old moon chooses a sign for each opponent. With moon.sign=hurts "
                "the sign is the one that is worse for the opponent.",
                about=("moon.mode", "moon.sign"),
            ),
        ),
    ),
)
