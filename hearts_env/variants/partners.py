"""Games of partners, or played to the right: Gong Zhu, Likha, Partnership Hearts."""

from __future__ import annotations

from hearts_env.ruleset.model import Variant
from hearts_env.variants.classic import WIKIPEDIA

PARTNERS = (
    Variant(
        name="partnership_hearts",
        aliases=("partnership", "partners"),
        players=(4,),
        summary="Basic Hearts for two teams of opposite players, who add up their points; a moon costs the others 52.",
        source=WIKIPEDIA,
        delta={"table.teams": ("0+2", "1+3"), "moon.mode": "old", "moon.scope": "team"},
        readings=(
            "A team shoots if its players take all 26 points together; moon.scope=player asks it of one player.",
            "The match ends at a team total of 100; some play to 200.",
        ),
    ),
    Variant(
        name="likha",
        aliases=("leekha",),
        players=(4,),
        summary="Middle Eastern Hearts for partners: the queen of spades 13 and the ten of diamonds 10 must be thrown "
        "by who cannot follow; the first player at 101 loses for the team.",
        source="Pages of Likha and Leekha rules; Wikipedia, Hearts (card game): variations",
        delta={
            "table.direction": -1,
            "table.dealer_next": "QS",
            "table.teams": ("0+2", "1+3"),
            "table.team_scoring": "individual",
            "opening.leader": "left_of_dealer",
            "opening.card": "any",
            "passing.cycle": ("right",),
            "passing.to_partner": False,
            "play.first_trick_forbidden": (),
            "play.heart_lead": "free",
            "play.forced_discard": ("QS", "TD"),
            "score.card_values": {"H": 1, "TD": 10, "QS": 13},
            "moon.mode": "fixed_self",
            "moon.amount": 37,
            "end.target": 101,
            "end.tie": "continue",
        },
        readings=(
            "Play goes to the right, so the player to the dealer's right opens, with any card.",
            "Taking all 36 points costs 37.",
            "If both teams have a player at 101 the one with the higher total loses, then the higher sum of the team.",
            "play.forced_discard=[] drops the duty to discard; table.dealer_next=left lets the deal rotate.",
        ),
    ),
    Variant(
        name="gong_zhu",
        aliases=("gongzhu", "chinese_hearts", "chase_the_pig"),
        players=(4, 5),
        summary="Chinese Hearts: hearts and the queen of spades cost up to 100, the jack of diamonds earns 100, the "
        "ten of clubs doubles the hand; whoever falls to -1000 is the pig.",
        source="Pagat, Gong Zhu; Wikipedia, Hearts (card game): variations",
        delta={
            "table.direction": -1,
            "deck.removal_order": ("2C", "2D"),
            "opening.holder": "2S",
            "opening.taker": "QS",
            "passing.cycle": ("hold",),
            "play.first_trick_forbidden": (),
            "play.heart_lead": "free",
            "score.better": "high",
            "score.card_values": {
                **{f"{spots}H": 0 for spots in (2, 3, 4)},
                **{f"{spots}H": -10 for spots in (5, 6, 7, 8, 9, 10)},
                "JH": -20,
                "QH": -30,
                "KH": -40,
                "AH": -50,
                "QS": -100,
                "JD": 100,
            },
            "score.multipliers": {"TC": "2"},
            "score.alone": {"TC": 50},
            "score.sweeps": {"H": "H", "H+QS": "QS"},
            "moon.mode": "none",
            "end.target": None,
            "end.lower_target": -1000,
        },
        readings=(
            "The ten of clubs alone is worth 50; the low hearts count 0 but are scoring cards beside it.",
            "All thirteen hearts count +200, and the queen taken with them +100; for all sixteen scoring cards instead "
            "write sweeps={H:H,H+QS+JD+TC:QS}.",
            "The holder of the two of spades opens the first deal, whoever took the queen of spades every later one.",
            "Showing cards is an option: exposing.cards={AH:H,QS:QS,JD:JD,TC:TC}; partners too: teams=[0+2,1+3].",
            "end.target=1000 also ends the match at +1000.",
        ),
    ),
)
