"""Hearts with other scores: dearer cards, multiplied hands, and numbers that are not real."""

from __future__ import annotations

from hearts_env.ruleset.model import Variant

SCORING = "Wikipedia, Hearts (card game): scoring variants"
PIPS = {f"{rank}H": value for value, rank in enumerate("23456789TJQKA", start=2)}

VALUES = (
    Variant(
        name="spot_hearts",
        aliases=("spot_119", "spot"),
        players=(3, 4, 5, 6),
        summary="Hearts cost their spots, honours 10 each, the queen of spades 25: 119 in all, played to 500.",
        source=SCORING,
        delta={
            "score.card_values": {"H": 10, **{f"{spots}H": spots for spots in range(2, 10)}, "QS": 25},
            "end.target": 500,
        },
        readings=("The target of 500 is our choice; published values run from 200 to 500.",),
    ),
    Variant(
        name="spot_hearts_129",
        aliases=("spot_129",),
        players=(3, 4, 5, 6),
        summary="Hearts cost their rank, 2 to 14, the queen of spades 25: 129 in all, played to 500.",
        source="Fun52, Spot Hearts",
        delta={"score.card_values": {**PIPS, "QS": 25}, "end.target": 500},
        readings=("The target of 500 is our choice; elsewhere the jack of diamonds takes 30 off and 300 end it.",),
    ),
    Variant(
        name="pip_hearts",
        aliases=("pip",),
        players=(3, 4, 5, 6),
        summary="Hearts cost their rank, 2 to 14, and the queen of spades nothing: 104 in all, played to 400.",
        source=SCORING,
        delta={
            "play.first_trick_forbidden": ("H",),
            "score.card_values": PIPS,
            "end.target": 400,
        },
        readings=(
            "The queen of spades is an ordinary card: allowed on the first trick, not needed for the moon.",
            "The target of 400 is our choice.",
        ),
    ),
    Variant(
        name="hooligan_hearts",
        aliases=("hooligan",),
        players=(3, 4, 5, 6),
        summary="Basic Hearts in which a seven, here that of clubs, costs 7: 33 points in all.",
        source=SCORING,
        delta={"score.card_values": {"H": 1, "QS": 13, "7C": 7}},
        readings=(
            "No source names the suit of the seven; for another write card_values={H:1,QS:13,7D:7}.",
            "The moon takes all 33 points, the seven included; moon.cards=[H,QS] leaves it out.",
            "The seven may be played to the first trick, which clubs open.",
        ),
    ),
    Variant(
        name="high_hearts",
        aliases=("high_heart_values",),
        players=(3, 4, 5, 6),
        summary="The high hearts cost more: jack 2, queen 3, king 4, ace 5; 36 points in all.",
        source=SCORING,
        delta={"score.card_values": {"H": 1, "JH": 2, "QH": 3, "KH": 4, "AH": 5, "QS": 13}},
        readings=("Another form raises the ace alone: card_values={H:1,AH:13,QS:13}.",),
    ),
    Variant(
        name="royal_hearts",
        aliases=("royal",),
        players=(4,),
        summary="Four queens: spades cost 26, hearts double the hearts of their taker, diamonds take 10 off, clubs "
        "cancel the queen of spades.",
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
            "Which of the other three queens does what is the likeliest reading of a damaged list.",
            "The queen of hearts doubles herself as well.",
            "Nothing is said of the moon: it takes all hearts and the queen of spades and is worth 26; moon.amount=52 "
            "is a dearer form.",
        ),
    ),
    Variant(
        name="math_team_hearts",
        aliases=("math_team",),
        players=(3, 4, 5, 6),
        summary="More is better: 1 for taking no heart, -1 for the queen of spades, 2 for the moon; eight deals.",
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
            "The others get their 1 for no hearts in a moon deal too; score.no_hearts_on_moon=false denies it.",
            "The source has no end: eight deals are our choice.",
            "Dealer's choice of the pass is the source's option: passing.cycle=[left|right|across|hold].",
        ),
    ),
    Variant(
        name="complex_hearts",
        aliases=("complex",),
        players=(4,),
        summary="Scores are complex numbers: hearts 1, the queen of spades 13i, the jack of diamonds -10, and the ten "
        "of clubs multiplies the hand by 2i; whoever reaches a magnitude of 100 loses.",
        source="R. Dieter, Complex Hearts; Wikipedia, Hearts (card game): variations",
        delta={
            "play.break_by": "hearts_or_qs",
            "score.better": "magnitude",
            "score.card_values": {"H": 1, "QS": "13i", "JD": -10},
            "score.multipliers": {"TC": "2i"},
        },
        readings=(
            "The moon needs the hearts and the queen of spades; taking the jack and the ten as well is worse.",
            "A moon with the ten charges the others 2i times 13+13i, that is -26+26i; moon.multiplied=false leaves the "
            "ten out of that.",
            "The least magnitude wins; score.better=real ranks by the real part instead.",
            "Elsewhere the ten is barred from the first trick (first_trick_forbidden=[H,QS,TC]), the target must be "
            "exceeded (target_cmp=gt), and the shooter chooses a sign for each opponent; moon.sign=hurts takes the "
            "worse one for each.",
        ),
    ),
)
