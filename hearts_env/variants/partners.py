"""Games of partners, or played to the right: Gong Zhu, Likha, Partnership Hearts."""

from __future__ import annotations

from hearts_env.ruleset.model import Variant
from hearts_env.ruleset.reading import MOON, PACK, POINTS, Reading
from hearts_env.variants.classic import WIKIPEDIA

PARTNERS = (
    Variant(
        name="partnership_hearts",
        aliases=("partnership", "partners"),
        players=(4,),
        summary="Basic Hearts for two teams of partners who sit opposite each other and add up their points. A moon "
        "costs the other team 52.",
        source=WIKIPEDIA,
        delta={"table.teams": ("0+2", "1+3"), "moon.mode": "old", "moon.scope": "team"},
        readings=(
            Reading(
                "A team shoots the moon if its two players together take all 26 points. With moon.scope=player one of "
                "them must take them all.",
                about=(*POINTS, *PACK, *MOON, "table.teams"),
            ),
            Reading(
                "The match ends when a team's total is 100 or more. Some play to 200.",
                about=("table.teams", "table.team_scoring", "end.target", "end.target_cmp"),
            ),
        ),
    ),
    Variant(
        name="likha",
        aliases=("leekha",),
        players=(4,),
        summary="Middle Eastern Hearts for two teams: the queen of spades costs 13 and the ten of diamonds 10, and a "
        "player who cannot follow suit must discard one of them if possible. The first player to reach 101 loses for "
        "the team.",
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
            Reading(
                "Play goes to the right, so the player on the dealer's right leads to the first trick, any card.",
                about=(
                    *("table.direction", "opening.leader", "opening.card", "opening.taker"),
                    *("play.heart_lead", "play.first_trick_forbidden"),
                ),
            ),
            Reading(
                "A player who takes all 36 points scores 37.",
                about=(*POINTS, *PACK, *MOON),
            ),
            Reading(
                "If both teams have a player at 101 or more, the team of the higher one loses. If they are equal, the "
                "team with the higher sum loses.",
                about=("table.teams", "table.team_scoring", "score.better", "end.target", "end.target_cmp"),
            ),
            Reading(
                "With play.forced_discard=[] nobody has to discard those cards. With table.dealer_next=left the deal "
                "rotates.",
                about=("play.forced_discard", "table.dealer_next"),
            ),
        ),
    ),
    Variant(
        name="gong_zhu",
        title="Gong Zhu (Chase the Pig)",
        aliases=("gongzhu", "chinese_hearts", "chase_the_pig"),
        players=(4, 5),
        summary="Chinese Hearts: hearts cost up to 50 each and the queen of spades 100, the jack of diamonds earns "
        "100, and the ten of clubs doubles its taker's score. The first player to fall to -1000 is the pig and loses.",
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
            Reading(
                "The ten of clubs without any other scoring card is worth 50. The two, three and four of hearts are "
                "scoring cards worth 0.",
                about=(*POINTS, "score.alone", "exposing.cards"),
            ),
            Reading(
                "A player who takes all the hearts scores +200 for them, and with the queen of spades another +100. "
                "If the queen should need all sixteen scoring cards, write sweeps={H:H,H+QS+JD+TC:QS}.",
                about=(*POINTS, *PACK, "exposing.cards"),
            ),
            Reading(
                "The holder of the two of spades leads in the first deal, and whoever took the queen of spades in "
                "every later one.",
                about=(*PACK, "opening.leader", "opening.holder", "opening.taker"),
            ),
            Reading(
                "Cards may be shown before play with exposing.cards={AH:H,QS:QS,JD:JD,TC:TC}.",
                about=("exposing.cards",),
            ),
            Reading(
                "Partners may play together with teams=[0+2,1+3].",
                about=("table.teams",),
            ),
            Reading(
                "With end.target=1000 a total of 1000 or more also ends the match.",
                about=("end.target", "end.target_cmp"),
            ),
        ),
    ),
)
