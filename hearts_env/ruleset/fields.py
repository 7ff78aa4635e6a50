"""The fields of `Rules`, in groups; the defaults are Basic Hearts for four.

A *penalty card* is a card whose points make its taker's total worse, a *bonus card* one whose points make it better.
Fields "as patterns" take suits (``H``), ranks (``Q``) and cards (``QS``), as `hearts_env.cards` describes.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from hearts_env.cards import STANDARD_RANKS
from hearts_env.ruleset.enums import (
    Better,
    BigMoonEffect,
    BreakBy,
    BreakEvent,
    DeadLastTrick,
    DeadTrick,
    Duplicates,
    ExtendWhen,
    FirstTrickScope,
    HeartLead,
    JokerLead,
    JokerPlay,
    JokerScores,
    KittyAward,
    Leader,
    LeadException,
    LivesOut,
    MoonExtends,
    MoonMode,
    MoonPolicy,
    MoonScope,
    MoonSign,
    NewMoonWho,
    OpeningCard,
    Remainder,
    Schedule,
    TargetCmp,
    TeamScoring,
    Tie,
)


@dataclass(frozen=True)
class Table:
    """The players at the table, and the dealer."""

    players: int = 4
    """Number of seats, 2 to 11."""
    direction: int = 1
    """Direction of play and of the deal: 1 to the left (clockwise, seats 0, 1, 2 ...) or -1 to the right."""
    dealer_next: str = "left"
    """The next dealer: ``left`` for the next seat in the direction of play, or a card for the player who took it."""
    teams: tuple[str, ...] = ()
    """The teams, each written as its seats joined by ``+`` (``[0+2,1+3]``); empty if everybody plays alone."""
    team_scoring: TeamScoring = TeamScoring.SUM
    """The number of a team that counts for the end of the match and the ranking."""


@dataclass(frozen=True)
class Pack:
    """The cards in play."""

    packs: int = 1
    """Number of packs shuffled together, 1 or 2."""
    ranks: tuple[str, ...] = STANDARD_RANKS
    """The ranks of each of the four suits, from the lowest to the highest: their order decides which card wins a
    trick."""
    added: tuple[str, ...] = ()
    """Cards added to the pack: jokers ``0C``, ``0D`` (lowest of their suit) and ``JK`` (unsuited), or any others. A
    rank that `ranks` leaves out stands right above the rank below it in the usual order."""
    removed: tuple[str, ...] = ()
    """Cards taken out of the pack, one copy for each time a card is named."""
    remainder: Remainder = Remainder.REMOVE
    """The way in which a pack is dealt that does not divide evenly among the seats."""
    removal_order: tuple[str, ...] = ("2D", "2C", "3D", "3C")
    """With ``remainder=remove``: the cards that leave the pack until it divides, in this order."""
    hand_size: int | None = None
    """With ``remainder=kitty``: the number of cards dealt to each seat; none deals as many as divide evenly."""
    kitty_award: KittyAward = KittyAward.FIRST_TRICK
    """With ``remainder=kitty``: who takes the kitty."""


@dataclass(frozen=True)
class Opening:
    """The lead to the first trick."""

    leader: Leader = Leader.HOLDER
    """The leader of the first trick."""
    holder: str = "C"
    """The opening card: a card, or a suit for the lowest card of it in play."""
    card: OpeningCard = OpeningCard.FORCED
    """The cards that this leader may lead."""
    taker: str | None = None
    """From the second deal on, the player who took this card in the deal before leads, with any card; none if every
    deal opens as the first."""


@dataclass(frozen=True)
class Passing:
    """The exchange before play: every seat picks cards in secret, then all of them change hands at once.

    An entry of the cycle is ``hold`` (no pass), ``scatter`` (one card to each other seat), ``pool`` (the cards of all
    seats are shuffled together, and each seat is dealt the number it gave), or moves joined by ``&``. A move is
    ``left``, ``right``, ``across`` or a signed number of seats to the left (``+2``, ``-2``), followed by ``*`` and a
    number of cards if that differs from `count`. The dealer chooses among entries joined by ``|``: ``left|right|hold``.
    """

    count: int = 3
    """Number of cards in a move, or given to the pool, where the entry names no number."""
    cycle: tuple[str, ...] = ()
    """The passes, one entry per deal, beginning again after the last. Empty for the usual cycle: left, right, +2, -2
    and so on, across if the number of seats is even, hold."""
    schedule: Schedule = Schedule.CYCLE
    """The entry of `cycle` that a deal uses."""
    unpassable: tuple[str, ...] = ()
    """Cards, as patterns, that a hand may pass only if it has nothing else left to pass."""
    refusable: tuple[str, ...] = ()
    """Cards, as patterns, that their receiver may refuse: the passer takes the card back and passes another one."""
    to_partner: bool = True
    """`cycle` may pass cards to a member of the same team."""


@dataclass(frozen=True)
class Play:
    """The cards that may be led and discarded."""

    first_trick_forbidden: tuple[str, ...] = ("H", "QS")
    """Cards, as patterns, that may be played to the first trick only by a hand without any other legal card."""
    first_trick_scope: FirstTrickScope = FirstTrickScope.ANY_PLAY
    """The plays to the first trick that `first_trick_forbidden` restricts."""
    heart_lead: HeartLead = HeartLead.BROKEN
    """The time from which hearts may be led."""
    break_by: BreakBy = BreakBy.HEARTS
    """The cards that break hearts, besides hearts themselves."""
    break_event: BreakEvent = BreakEvent.PLAYED
    """The play by which a card of `break_by` breaks hearts."""
    lead_exception: LeadException = LeadException.ONLY_HEARTS
    """The hands that may lead a heart although hearts are not broken; that lead breaks them."""
    forced_discard: tuple[str, ...] = ()
    """Cards, as patterns: a hand that cannot follow suit and has some of them must discard one of them."""


@dataclass(frozen=True)
class Trick:
    """The winner of a trick, beyond the rule that the highest card of the led suit wins."""

    duplicates: Duplicates = Duplicates.LAST
    """The winner among several identical cards that are the highest of a trick."""
    exceptions: tuple[tuple[str, Duplicates], ...] = ()
    """Card, as a pattern -> which of its copies wins instead; later entries override earlier ones."""
    dead_trick: DeadTrick = DeadTrick.NO_LIVE_CARD
    """With ``duplicates=cancel``: when a trick is dead, that is has no winner. Its leader then leads again."""
    dead_last_trick: DeadLastTrick = DeadLastTrick.LEADER
    """With ``duplicates=cancel``: who takes a dead last trick."""
    extend_rank: str | None = None
    """A rank that extends the trick it is played to: everybody plays a second card to it, if they have cards left. A
    trick is extended only once. None for no such rank."""
    extend_when: ExtendWhen = ExtendWhen.ANY
    """The cards of the rank `extend_rank` that extend a trick."""


@dataclass(frozen=True)
class Jokers:
    """The use of unsuited jokers (``JK``). They never win a trick; a trick of jokers alone goes to its leader."""

    play: JokerPlay = JokerPlay.ANY
    """The hands that may play them."""
    lead: JokerLead = JokerLead.NEVER
    """The leads that they are allowed."""
    scores: JokerScores = JokerScores.ALWAYS
    """The tricks in which the points count that `score.card_values` gives ``JK``."""


@dataclass(frozen=True)
class Exposing:
    """Cards that their holder may show before the first trick, which multiplies the points of some cards."""

    cards: tuple[tuple[str, str], ...] = ()
    """Card that may be shown -> the cards, as a pattern, whose points (or whose factor in `score.multipliers`) are
    multiplied by `factor` if it is."""
    factor: int = 2
    """The factor by which a shown card multiplies points (see `cards`)."""
    lock: bool = True
    """A shown card may not be played to the first trick to which its suit is led, except as its holder's only
    card of the suit."""


@dataclass(frozen=True)
class Score:
    """The points of a deal."""

    better: Better = Better.LOW
    """The total that wins."""
    card_values: tuple[tuple[str, int | complex], ...] = (("H", 1), ("QS", 13))
    """Cards, as a pattern -> points for taking one: a whole number, or a Gaussian integer such as ``13i``. Later
    entries override earlier ones."""
    negations: tuple[tuple[str, str], ...] = ()
    """Card -> the cards, as a pattern, that score nothing for a seat that took that card as well."""
    multipliers: tuple[tuple[str, str], ...] = ()
    """Card -> the factor (``2``, ``2i``) that multiplies the points of all cards its taker took; ``2@H`` multiplies
    those of the hearts only."""
    alone: tuple[tuple[str, int], ...] = ()
    """Card of `multipliers` -> points for a seat that took it and no card that `card_values` names."""
    sweeps: tuple[tuple[str, str], ...] = ()
    """Cards, as patterns joined by ``+`` -> the cards, as a pattern, whose points change sign for a seat that took all
    of the first."""
    tricks: tuple[tuple[str, int], ...] = ()
    """Points for tricks won: ``each`` trick, the ``first`` and the ``last`` of the deal (``{each:1,last:5}``)."""
    sets: tuple[tuple[str, int], ...] = ()
    """Cards, as patterns, and tricks (``each``, ``first``, ``last``) joined by ``+`` -> points for a seat that took all
    of them: ``{first+last+QC:1}``."""
    bonus_floor_hand: bool = False
    """Bonus cards cannot bring the points of a deal below 0."""
    bonus_floor_total: bool = False
    """A total that would fall below 0 becomes 0."""
    no_tricks: int = 0
    """Points for a seat that wins no trick in a deal (-5 is usual); 0 for none."""
    no_tricks_on_moon: bool = False
    """`no_tricks` counts in deals in which the moon is shot as well."""
    no_hearts: int = 0
    """Points for a seat that takes no heart in a deal; 0 for none."""
    no_hearts_on_moon: bool = True
    """`no_hearts` counts in deals in which the moon is shot as well."""
    pledge: int | None = None
    """Points for a pledge: before play each seat may pledge to take no heart, which makes its score better by this if
    it takes none and worse by this if it does. None if there are no pledges."""
    chips: int | None = None
    """Number of chips that each seat has at the start; chips are then the totals. In each deal every seat pays one chip
    into the pool, and the seats that take no penalty card share the pool evenly; odd chips stay in it. The match ends
    when a seat has no chip. None if points count instead."""


@dataclass(frozen=True)
class Moon:
    """Shooting the moon (every card of a set), the sun (every trick) and the big moon (deal after deal)."""

    mode: MoonMode = MoonMode.CHOICE
    """The effect of shooting the moon."""
    policy: MoonPolicy = MoonPolicy.ASK
    """The way in which a choice of the shooter is made."""
    scope: MoonScope = MoonScope.PLAYER
    """Those who must take the cards: one player, or a team together."""
    cards: tuple[str, ...] = ()
    """The cards to take, as patterns; empty for every penalty card."""
    least: tuple[tuple[str, int], ...] = ()
    """Pattern -> number of those cards that is enough to shoot the moon; empty if `cards` says what to take. The award
    is then a sum over the patterns of a number of cards times the points of one: the number in the pack if the shooter
    took them all, otherwise twice the number given here minus the number taken. Bonus cards of the shooter raise the
    award by what they are worth instead of being scored."""
    amount: int | complex | None = None
    """Points of the award; none for the penalty points of the cards to take."""
    others_score: bool = True
    """The opponents score the cards they took in that deal."""
    multiplied: bool = True
    """The cards of `score.multipliers` that the shooter took multiply the award that opponents score."""
    sign: MoonSign = MoonSign.PLUS
    """The sign of the award that an opponent scores."""
    new_moon_min: int | None = None
    """Lowest total before the deal with which the new moon may be chosen; none if it always may."""
    new_moon_who: NewMoonWho = NewMoonWho.SHOOTER
    """Whose total must be at least `new_moon_min`: the shooter's, or any player's."""
    extends: MoonExtends = MoonExtends.OFF
    """The time for which a match goes on that an old moon would end with somebody ahead of the shooter."""
    requires_sun: bool = False
    """The shooter must win every trick of the deal (the sun) as well."""
    sun_skip_first: bool = False
    """The sun needs every trick except the first."""
    sun_amount: int | None = None
    """Points of the award if the shooter won every trick (the sun); none for those of the moon."""
    clean_slate: bool = False
    """The shooter's total becomes 0 after the sun, in place of any award, and nobody scores in that deal."""
    punish: int | None = None
    """Points, after the sun with an old moon, for the seat that passed cards to the shooter; none for those of the
    other opponents."""
    big_moon_deals: int | None = None
    """Number of deals in a row in which a seat (or a team, under `moon.scope=team`) must take every penalty card to
    shoot the big moon; none for no big moon."""
    big_moon_effect: BigMoonEffect = BigMoonEffect.ADD_TOTAL
    """The effect of shooting the big moon."""


@dataclass(frozen=True)
class End:
    """The end of the match."""

    target: int | None = 100
    """Total that ends the match after the deal in which a seat reaches it; none if no total does."""
    target_cmp: TargetCmp = TargetCmp.GE
    """The way in which a total reaches `target` (`lower_target`): at it or beyond, or only beyond it."""
    lower_target: int | None = None
    """Total below 0 that ends the match after the deal in which a seat falls to it; none if no total does."""
    max_deals: int | None = None
    """Number of deals after which the match ends; none for no limit."""
    tie: Tie = Tie.SHARE
    """The result if two or more share the best total when the match would end."""
    exact: tuple[tuple[int, int], ...] = ()
    """Total -> what is added to it if a seat hits it exactly after a deal: ``{100:-50}`` makes 50 of 100. It is added
    once, even if the new total is listed as well."""
    exact_optional: bool = False
    """The seat may decline the change that `exact` makes."""
    lives: int | None = None
    """Number of lives of each player; none for a match without lives."""
    life_threshold: int = 15
    """Lowest number of points in a deal that costs a life."""
    lives_out: LivesOut = LivesOut.END
    """The effect of losing every life."""


@dataclass(frozen=True)
class RuleFields:
    """Every field of the rules, valid or not; `hearts_env.ruleset.model.Rules` adds the validation."""

    table: Table = Table()
    deck: Pack = Pack()
    opening: Opening = Opening()
    passing: Passing = Passing()
    play: Play = Play()
    trick: Trick = Trick()
    jokers: Jokers = Jokers()
    exposing: Exposing = Exposing()
    score: Score = Score()
    moon: Moon = Moon()
    end: End = End()

    @property
    def players(self) -> int:
        """Number of seats."""
        return self.table.players


def flat_fields(rules: RuleFields) -> dict[str, Any]:
    """Every field: ``group.field`` -> value."""
    groups = {group.name: vars(getattr(rules, group.name)) for group in fields(RuleFields)}
    return {f"{name}.{leaf}": value for name, leaves in groups.items() for leaf, value in leaves.items()}
