"""Hearts and its near relatives: one pack, everybody for themselves, the lowest total wins."""

from __future__ import annotations

from hearts_env.ruleset.model import BLACK_LADY, Variant

WIKIPEDIA = "Wikipedia, Hearts (card game): variations"

CLASSIC = (
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
        source=WIKIPEDIA,
        delta={"moon.mode": "none"},
        readings=("Elsewhere the name stands for other games, and for Hearts with the moon.",),
    ),
    Variant(
        name="big_moon",
        aliases=("shooting_the_big_moon",),
        players=(3, 4, 5, 6),
        summary="Ten deals in which one moon changes nothing, but ten in a row do: the own total becomes 0 and all "
        "others rise by 260.",
        source=WIKIPEDIA,
        delta={"moon.mode": "none", "moon.big_moon_deals": 10, "end.target": None, "end.max_deals": 10},
        readings=(
            "In a game to 100 the others receive 100 (moon.big_moon_effect=fixed100); four moons end such a game, so "
            "it is for shorter series, such as moon.big_moon_deals=3.",
        ),
    ),
    Variant(
        name="four_five_four",
        aliases=("454", "4-5-4", "454_hearts", "four_five_four_hearts"),
        players=(4,),
        summary="Every deal, four cards go left, five across and four right: nobody plays a card of the own deal.",
        source=WIKIPEDIA,
        delta={"passing.cycle": ("left*4&across*5&right*4",)},
    ),
    Variant(
        name="queens",
        aliases=("queens_hearts",),
        players=(4,),
        summary="Every queen costs 13, hearts may be led at once, no moon; whoever takes the queen of spades deals.",
        source=WIKIPEDIA,
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
        name="booster_nines",
        aliases=("nines", "booster"),
        players=(4,),
        summary="A nine extends its trick by a second round: everybody plays one more card to it.",
        source=f"{WIKIPEDIA}; the rules of Turbo Hearts",
        delta={"trick.extend_rank": "9"},
        readings=(
            "Any nine extends, on another suit too; trick.extend_when=led_suit asks for a nine of the led suit.",
            "A trick is extended once at most, and not after the last card of the deal.",
            "The ban of hearts and queen on the first trick covers its second round.",
        ),
    ),
    Variant(
        name="danger_hearts",
        aliases=("danger",),
        players=(3, 4, 5, 6),
        summary="Ten deals and three lives each: 15 points or more in a deal cost a life.",
        source=WIKIPEDIA,
        delta={"end.target": None, "end.max_deals": 10, "end.lives": 3},
        readings=(
            "The match ends when somebody has lost the third life; that player is last.",
            "The 26 points of somebody else's moon cost a life as well.",
        ),
    ),
    Variant(
        name="joker_hearts",
        aliases=("jokers",),
        players=(3, 4, 6),
        summary="Jokers may be thrown on any trick, even by a hand that could follow; they win and score nothing.",
        source=WIKIPEDIA,
        delta={"deck.remainder": "strict"},
        by_players={
            3: {"deck.added": ("JK",) * 2},
            4: {"deck.added": ("JK",) * 4},
            6: {"deck.added": ("JK",) * 2},
        },
        readings=(
            "A joker may be led only from a hand of jokers; the next suited card then sets the suit.",
            "A trick of jokers alone goes to its leader.",
            "A joker may be thrown on the first trick.",
        ),
    ),
    Variant(
        name="five_hundred_hearts",
        aliases=("five_hundred", "500_hearts", "500"),
        players=(4, 5, 6, 10),
        summary="Hearts with the 60-card pack that has elevens and twelves: 15 hearts, 28 points, a moon of 28.",
        source=WIKIPEDIA,
        delta={
            "deck.ranks": ("2", "3", "4", "5", "6", "7", "8", "9", "T", "11", "12", "J", "Q", "K", "A"),
            "deck.remainder": "strict",
        },
    ),
    Variant(
        name="small_hearts",
        aliases=("small",),
        players=(4,),
        summary="A pack of 28 cards, eight to ace: the queen of spades costs 7, and the moon takes 14 off.",
        source=WIKIPEDIA,
        delta={
            "deck.ranks": ("8", "9", "T", "J", "Q", "K", "A"),
            "score.card_values": {"H": 1, "QS": 7},
            "moon.mode": "new",
        },
        readings=(
            "An award of 14 fits the 28-card pack; with 32 cards (deck.ranks=[7,8,9,T,J,Q,K,A]) it is 15.",
            "The jack of diamonds may take 5 off: card_values={H:1,QS:7,JD:-5}.",
        ),
    ),
    Variant(
        name="turbo_hearts",
        aliases=("turbo",),
        players=(4,),
        summary="Fast Hearts: four cards may be shown for double stakes, nines of the led suit extend the trick, the "
        "jack of diamonds takes 10 off and the ten of clubs doubles.",
        source="The rules of Turbo Hearts",
        delta={
            "trick.extend_rank": "9",
            "trick.extend_when": "led_suit",
            "exposing.cards": {"QS": "QS", "AH": "H", "JD": "JD", "TC": "TC"},
            "score.card_values": {"H": 1, "QS": 13, "JD": -10},
            "score.multipliers": {"TC": "2"},
        },
        readings=(
            "Showing doubles: the queen costs 26, the ace makes every heart cost 2, the jack takes 20 off, the ten "
            "multiplies by 4.",
            "The moon is worth 26, or 2 or 4 times that for a shooter who also took the ten, hidden or shown.",
        ),
    ),
    Variant(
        name="greek_hearts",
        aliases=("greek",),
        players=(3, 4, 5, 6),
        summary="Basic Hearts with three cards passed to the right before every deal and an old moon of 26.",
        source="Pages of Greek Hearts rules",
        delta={"passing.cycle": ("right",), "moon.mode": "old"},
    ),
    Variant(
        name="dirty_hearts",
        aliases=("dirty",),
        players=(4,),
        summary="The ten of diamonds costs 10, 36 points in all; no moon, the dealer calls the pass, 52 points end it.",
        source="Pages of Dirty Hearts rules",
        delta={
            "passing.cycle": ("left|right|across|hold",),
            "score.card_values": {"H": 1, "QS": 13, "TD": 10},
            "moon.mode": "none",
            "end.target": 52,
        },
        readings=("The dealer may also call no pass at all.",),
    ),
    Variant(
        name="heartsette",
        players=(3, 4, 5, 6),
        summary="Hearts with a widow: the cards left over lie face down and go to the winner of the first trick.",
        source="Hoyle's Games, Heartsette",
        delta={"deck.remainder": "kitty"},
        by_players={
            3: {"deck.removed": ("2S",), "deck.hand_size": 16},
            4: {"deck.removed": ("2S",)},
        },
        readings=(
            "Without the two of spades three hold 16 cards each and four 12, which leaves a widow of three.",
            "Whoever holds the lowest club that is in a hand opens; the winner of the widow may look at it.",
            "Queen, pass and moon as in Basic Hearts; old books score hearts alone (card_values={H:1}).",
        ),
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
