"""Hearts and its near relatives: one pack, everybody for themselves, the lowest total wins."""

from __future__ import annotations

from hearts_env.ruleset.model import BLACK_LADY, Variant
from hearts_env.ruleset.reading import MOON, PACK, POINTS, Reading

WIKIPEDIA = "Wikipedia, Hearts (card game): variations"

CLASSIC = (
    BLACK_LADY,
    Variant(
        name="omnibus_hearts",
        aliases=("omnibus", "jack_of_diamonds"),
        players=(3, 4, 5, 6),
        summary="Basic Hearts with a bonus card: the jack of diamonds takes 10 points off.",
        source="Pagat, Hearts (variations: jack of diamonds); Wikipedia, Hearts (card game)",
        delta={"score.card_values": {"H": 1, "QS": 13, "JD": -10}},
        readings=(
            Reading(
                "The moon needs only the hearts and the queen of spades. The jack of diamonds is scored separately, "
                "by whoever took it.",
                about=(*POINTS, "moon.mode", "moon.cards", "moon.least", "moon.others_score", "moon.requires_sun"),
            ),
            Reading(
                "The jack of diamonds may be discarded on the first trick. Among our sources only IncreduHearts "
                "forbids that, in its own game.",
                about=("score.card_values", "play.first_trick_forbidden"),
            ),
        ),
    ),
    Variant(
        name="black_maria",
        aliases=("maria",),
        players=(3, 4, 5, 6),
        summary="British Hearts: the queen, king and ace of spades cost 13, 10 and 7, three cards are passed to the "
        "right in every deal, and hearts may be led at any time.",
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
        readings=(
            Reading(
                "There is no award for taking all 43 points. With moon.mode=old every other player would score 43.",
                about=(*POINTS, *PACK, "moon.mode"),
            ),
        ),
    ),
    Variant(
        name="rickety_kate",
        aliases=("kate",),
        players=(3, 4, 5, 6),
        summary="Basic Hearts without shooting the moon: a player who takes all 26 points scores 26.",
        source=WIKIPEDIA,
        delta={"moon.mode": "none"},
        readings=(
            Reading(
                "The same name is also used for other games, and for Hearts with the moon.",
                about=("moon.mode",),
            ),
        ),
    ),
    Variant(
        name="big_moon",
        title="The Big Moon",
        aliases=("shooting_the_big_moon",),
        players=(3, 4, 5, 6),
        summary="Ten deals without the ordinary moon. A player who takes every penalty card in all ten returns to 0, "
        "and every other total rises by 260.",
        source=WIKIPEDIA,
        delta={"moon.mode": "none", "moon.big_moon_deals": 10, "end.target": None, "end.max_deals": 10},
        readings=(
            Reading(
                "In a match to 100 points the big moon adds 100 to every other total instead (end.target=100, "
                "moon.big_moon_effect=fixed100). A player who takes all the penalty cards in four deals ends such a "
                "match, so it needs a shorter series, such as moon.big_moon_deals=3.",
                about=(*POINTS, *PACK, "moon.big_moon_deals", "moon.big_moon_effect", "end.target"),
            ),
        ),
    ),
    Variant(
        name="four_five_four",
        title="4-5-4 Hearts",
        aliases=("454", "4-5-4", "454_hearts", "four_five_four_hearts"),
        players=(4,),
        summary="In every deal four cards go left, five across and four right, so nobody plays a card they were dealt.",
        source=WIKIPEDIA,
        delta={"passing.cycle": ("left*4&across*5&right*4",)},
    ),
    Variant(
        name="queens",
        title="Queens Hearts",
        aliases=("queens_hearts",),
        players=(4,),
        summary="Every queen costs 13, hearts may be led at any time, and there is no moon. Whoever takes the queen "
        "of spades deals next.",
        source=WIKIPEDIA,
        delta={
            "table.dealer_next": "QS",
            "play.first_trick_forbidden": (),
            "play.heart_lead": "free",
            "score.card_values": {"H": 1, "Q": 13},
            "moon.mode": "none",
            "end.target": 108,
        },
        readings=(
            Reading(
                "The queen of hearts costs 13, not 14 (card_values={H:1,Q:13,QH:14}).",
                about=("score.card_values",),
            ),
            Reading(
                "The holder of the two of clubs leads to the first trick, whoever deals.",
                about=(*PACK, "opening.leader", "opening.holder", "opening.card", "opening.taker"),
            ),
        ),
    ),
    Variant(
        name="booster_nines",
        aliases=("nines", "booster"),
        players=(4,),
        summary="When a nine is played, the trick gets a second round: everybody plays one more card to it.",
        source=f"{WIKIPEDIA}; the rules of Turbo Hearts",
        delta={"trick.extend_rank": "9"},
        readings=(
            Reading(
                "A nine of any suit extends the trick. With trick.extend_when=led_suit only the nine of the suit led "
                "does.",
                about=("trick.extend_rank", "trick.extend_when"),
            ),
            Reading(
                "A nine played in the second round does not extend the trick again.",
                about=("trick.extend_rank",),
            ),
            Reading(
                "Hearts and the queen of spades are barred from both rounds of the first trick.",
                about=("trick.extend_rank", "play.first_trick_forbidden", "play.first_trick_scope"),
            ),
        ),
    ),
    Variant(
        name="danger_hearts",
        aliases=("danger",),
        players=(3, 4, 5, 6),
        summary="Ten deals and three lives each: scoring 15 points or more in a deal costs a life.",
        source=WIKIPEDIA,
        delta={"end.target": None, "end.max_deals": 10, "end.lives": 3},
        readings=(
            Reading(
                "The match ends as soon as somebody has lost all three lives. That player comes last.",
                about=("end.lives", "end.lives_out"),
            ),
            Reading(
                "All points count, even those from somebody else's moon: its 26 points cost a life.",
                about=(
                    *POINTS,
                    *PACK,
                    "end.lives",
                    "end.life_threshold",
                    "moon.mode",
                    "moon.cards",
                    "moon.least",
                    "moon.amount",
                ),
            ),
        ),
    ),
    Variant(
        name="joker_hearts",
        aliases=("jokers",),
        players=(3, 4, 5, 6),
        summary="Hearts with jokers, which may be played to any trick, even by a player who could follow suit. They "
        "never win and score nothing.",
        source=WIKIPEDIA,
        delta={"deck.remainder": "strict"},
        by_players={
            3: {"deck.added": ("JK",) * 2},
            4: {"deck.added": ("JK",) * 4},
            5: {"deck.added": ("JK",) * 3},
            6: {"deck.added": ("JK",) * 2},
        },
        readings=(
            Reading(
                "A joker may be led only by a player who has nothing else. The next card that has a suit then sets "
                "the suit to follow.",
                about=("deck.added", "jokers.lead"),
            ),
            Reading(
                "A trick of nothing but jokers goes to its leader.",
                about=("deck.added",),
            ),
            Reading(
                "Jokers may be played to the first trick.",
                about=("deck.added", "jokers.play", "play.first_trick_forbidden"),
            ),
        ),
    ),
    Variant(
        name="five_hundred_hearts",
        title="500 Hearts",
        aliases=("five_hundred", "500_hearts", "500"),
        players=(4, 5, 6, 10),
        summary="Hearts with the 60-card pack of the game 500, which has an eleven and a twelve in each suit: 15 "
        "hearts, 28 points in all, and a moon worth 28.",
        source=WIKIPEDIA,
        delta={
            "deck.ranks": ("2", "3", "4", "5", "6", "7", "8", "9", "T", "11", "12", "J", "Q", "K", "A"),
            "deck.remainder": "strict",
        },
        readings=(Reading("The source names four to six players. The 60 cards also divide among ten.", about=PACK),),
    ),
    Variant(
        name="small_hearts",
        aliases=("small",),
        players=(4,),
        summary="Hearts with 28 cards, eight to ace in each suit: the queen of spades costs 7, and a moon takes 14 "
        "off the shooter's score.",
        source=WIKIPEDIA,
        delta={
            "deck.ranks": ("8", "9", "T", "J", "Q", "K", "A"),
            "score.card_values": {"H": 1, "QS": 7},
            "moon.mode": "new",
        },
        readings=(
            Reading(
                "A moon worth 14 fits a pack of 28 cards. With 32 cards (deck.ranks=[7,8,9,T,J,Q,K,A]) it is worth 15.",
                about=(*POINTS, *PACK, *MOON),
            ),
            Reading(
                "In another form the jack of diamonds takes 5 off: card_values={H:1,QS:7,JD:-5}.",
                about=POINTS,
            ),
        ),
    ),
    Variant(
        name="turbo_hearts",
        aliases=("turbo",),
        players=(4,),
        summary="Fast Hearts: four cards may be shown to double what they count, a nine of the suit led extends the "
        "trick, the jack of diamonds takes 10 off, and the ten of clubs doubles its taker's score.",
        source="The rules of Turbo Hearts",
        delta={
            "trick.extend_rank": "9",
            "trick.extend_when": "led_suit",
            "exposing.cards": {"QS": "QS", "AH": "H", "JD": "JD", "TC": "TC"},
            "score.card_values": {"H": 1, "QS": 13, "JD": -10},
            "score.multipliers": {"TC": "2"},
        },
        readings=(
            Reading(
                "A shown queen of spades costs 26, a shown ace makes every heart cost 2, a shown jack takes 20 off, "
                "and a shown ten multiplies by 4.",
                about=(*POINTS, "exposing.cards", "exposing.factor"),
            ),
            Reading(
                "The moon is worth 26, twice that if the shooter took the ten of clubs, or four times if the ten was "
                "shown.",
                about=(*POINTS, *PACK, *MOON, "moon.multiplied", "exposing.cards", "exposing.factor"),
            ),
            Reading(
                "The public server plays four deals by turbo_hearts(first_trick_forbidden=[H,QS,JD], "
                "exposing.lead_lock=true, exposing.rounds=others, score.sweeps={H+QS:H,2H+H+QS:QS}, moon.mode=none, "
                "target=none, max_deals=4). Its charging rules classic and bridge are exposing.rounds=others, chain is "
                "all, blind and blind bridge are others_blind, and blind chain is all_blind. In classic and blind "
                "anybody may show a card at any time; here everybody waits for their turn. The pass of a hold deal in "
                "which nobody shows a card has no field.",
                about=(
                    *(
                        "exposing.rounds",
                        "exposing.lead_lock",
                        "play.first_trick_forbidden",
                        "score.sweeps",
                        "moon.mode",
                    ),
                    *("end.target", "end.max_deals"),
                ),
            ),
        ),
    ),
    Variant(
        name="greek_hearts",
        aliases=("greek",),
        players=(3, 4, 5, 6),
        summary="Basic Hearts in which three cards are passed to the right in every deal and a moon costs everybody "
        "else 26.",
        source="Pages of Greek Hearts rules",
        delta={"passing.cycle": ("right",), "moon.mode": "old"},
        readings=(
            Reading(
                "With moon.mode=paid the shooter receives 26 from each: +26 for the others, minus their sum for the "
                "shooter.",
                about=("moon.mode", "moon.amount"),
            ),
        ),
    ),
    Variant(
        name="dirty_hearts",
        aliases=("dirty",),
        players=(4,),
        summary="The ten of diamonds costs 10 as well, which makes 36 points in all. There is no moon, the dealer "
        "chooses the pass, and the match goes to 52.",
        source="Pages of Dirty Hearts rules",
        delta={
            "passing.cycle": ("left|right|across|hold",),
            "score.card_values": {"H": 1, "QS": 13, "TD": 10},
            "moon.mode": "none",
            "end.target": 52,
        },
        readings=(
            Reading(
                "The dealer may also choose that no cards are passed.",
                about=("passing.cycle",),
            ),
        ),
    ),
    Variant(
        name="heartsette",
        players=(3, 4, 5, 6),
        summary="Hearts with a widow: the cards left over after the deal lie face down and go to the winner of the "
        "first trick.",
        source="Hoyle's Games, Heartsette",
        delta={"deck.remainder": "kitty"},
        by_players={
            3: {"deck.removed": ("2S",), "deck.hand_size": 16},
            4: {"deck.removed": ("2S",)},
        },
        readings=(
            Reading(
                "Without the two of spades three players get 16 cards each and four get 12, which leaves a widow of "
                "three.",
                about=PACK,
            ),
            Reading(
                "The holder of the lowest club in anybody's hand leads to the first trick.",
                about=(*PACK, "opening.leader", "opening.holder", "opening.card", "opening.taker"),
            ),
            Reading(
                "The queen of spades, the pass and the moon are as in Basic Hearts. In old books only the hearts "
                "score (card_values={H:1}).",
                about=(*POINTS, "passing.cycle", "passing.count", "passing.schedule", *MOON, "moon.new_moon_min"),
            ),
        ),
    ),
    Variant(
        name="openspiel",
        title="Hearts of OpenSpiel",
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
        readings=(
            Reading(
                "The direction of the pass, or no pass at all, is drawn at random for the deal.",
                about=("passing.cycle", "passing.schedule"),
            ),
        ),
    ),
)
