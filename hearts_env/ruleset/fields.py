"""The fields of `Rules`, grouped by what a player would ask, with Basic Hearts for four as defaults."""

from __future__ import annotations

from dataclasses import dataclass

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
    """Who sits at the table and who deals."""

    players: int = 4
    """Number of seats, 3 to 11."""
    direction: int = 1
    """Where the turn goes: 1 to the left (clockwise), seats 0, 1, 2 ...; -1 to the right."""
    dealer_next: str = "left"
    """`left`: the deal moves on as the turn does; a card: whoever took it deals next."""
    teams: tuple[str, ...] = ()
    """The teams, each as its seats joined by ``+`` (``[0+2,1+3]``); empty: everybody for themselves."""
    team_scoring: TeamScoring = TeamScoring.SUM
    """How the totals of a team count."""


@dataclass(frozen=True)
class Pack:
    """The cards in play."""

    packs: int = 1
    """Number of packs shuffled together, 1 or 2."""
    ranks: tuple[str, ...] = STANDARD_RANKS
    """Ranks of each of the four suits, low to high."""
    added: tuple[str, ...] = ()
    """Cards added to that: jokers ``0C``, ``0D`` (lowest of their suit) and ``JK`` (unsuited), or any others."""
    removed: tuple[str, ...] = ()
    """Cards taken out of that, one copy each."""
    remainder: Remainder = Remainder.REMOVE
    """What to do if the pack does not divide among the seats."""
    removal_order: tuple[str, ...] = ("2D", "2C", "3D", "3C")
    """Cards that leave the pack, one copy each and in this order, until it divides."""
    hand_size: int | None = None
    """Cards dealt to each seat if they are fewer than would divide; the rest joins the kitty."""
    kitty_award: KittyAward = KittyAward.FIRST_TRICK
    """Who takes the kitty."""


@dataclass(frozen=True)
class Opening:
    """The lead to the first trick."""

    leader: Leader = Leader.HOLDER
    """Who leads to the first trick."""
    holder: str = "C"
    """The card whose holder opens: a card, or a suit for its lowest card in play."""
    card: OpeningCard = OpeningCard.FORCED
    """What the leader may lead: the `holder` card, any card of its suit, or any card."""
    taker: str | None = None
    """From the second deal on whoever took this card in the deal before leads, any card; None: as in the first."""


@dataclass(frozen=True)
class Passing:
    """The exchange before play: every seat picks in secret, then all picks change hands at once.

    A cycle entry is ``hold``, ``scatter`` (one card to each other seat), ``pool`` (everybody's cards are shuffled and
    dealt back, as many to each) or moves joined by ``&``; a move is ``left``, ``right``, ``across`` or a signed seat
    offset (``+2``), with ``*count`` if the count differs from `count`. Entries joined by ``|`` are the dealer's
    choice: ``left|right|hold``.
    """

    count: int = 3
    """Cards in a move that names no count of its own."""
    cycle: tuple[str, ...] = ()
    """One entry per deal, repeating; empty means left, right, +2, -2, ..., across if the seats are even, hold."""
    schedule: Schedule = Schedule.CYCLE
    """Whether entries follow in order or one is drawn at random for each deal."""
    unpassable: tuple[str, ...] = ()
    """Cards that may not be passed, as patterns, unless a hand has nothing else."""
    refusable: tuple[str, ...] = ()
    """Cards, as patterns, that their receiver may refuse: the passer takes the card back and passes another one."""
    to_partner: bool = True
    """Whether passes to the own team are allowed."""


@dataclass(frozen=True)
class Play:
    """What may be led and discarded."""

    first_trick_forbidden: tuple[str, ...] = ("H", "QS")
    """Cards, as patterns, that may not be played to the first trick by a hand that has any other legal card."""
    first_trick_scope: FirstTrickScope = FirstTrickScope.ANY_PLAY
    """Whether that covers every play or only discards on another suit."""
    heart_lead: HeartLead = HeartLead.BROKEN
    """Whether hearts must be broken before they are led."""
    break_by: BreakBy = BreakBy.HEARTS
    """Which cards break hearts."""
    break_event: BreakEvent = BreakEvent.PLAYED
    """Whether playing such a card breaks hearts or only discarding it."""
    lead_exception: LeadException = LeadException.ONLY_HEARTS
    """Which hands may lead a heart all the same (that lead breaks hearts)."""
    forced_discard: tuple[str, ...] = ()
    """Cards, as patterns, one of which a hand that cannot follow suit must discard if it has any."""


@dataclass(frozen=True)
class Trick:
    """Who wins a trick, where the highest card of the led suit alone does not say it."""

    duplicates: Duplicates = Duplicates.LAST
    """Which of identical highest cards wins."""
    exceptions: tuple[tuple[str, Duplicates], ...] = ()
    """Cards, as patterns, of which another one wins."""
    dead_trick: DeadTrick = DeadTrick.NO_LIVE_CARD
    """When cancelled cards leave a trick without a winner; the same seat leads again."""
    dead_last_trick: DeadLastTrick = DeadLastTrick.LEADER
    """Who takes a last trick without a winner."""
    extend_rank: str | None = None
    """A rank that extends a trick: everybody plays one more card to it, once, while cards are left."""
    extend_when: ExtendWhen = ExtendWhen.ANY
    """Whether any card of that rank extends the trick or only the one of the led suit."""


@dataclass(frozen=True)
class Jokers:
    """What unsuited jokers do; they never win a trick, and a trick of nothing else is the leader's."""

    play: JokerPlay = JokerPlay.ANY
    """When they may be played."""
    lead: JokerLead = JokerLead.NEVER
    """Whether they may be led."""
    scores: JokerScores = JokerScores.ALWAYS
    """When their points (`score.card_values` of ``JK``) count."""


@dataclass(frozen=True)
class Exposing:
    """Cards that may be shown before the first trick, which raises what they and their like are worth."""

    cards: tuple[tuple[str, str], ...] = ()
    """Card -> the cards, as a pattern, whose value (or whose multiplier) rises if it is shown."""
    factor: int = 2
    """By how much."""
    lock: bool = True
    """Whether a shown card may not be played to the first trick of its suit, unless it is its holder's only one."""


@dataclass(frozen=True)
class Score:
    """Points of a deal."""

    better: Better = Better.LOW
    """Which scores win."""
    card_values: tuple[tuple[str, int | complex], ...] = (("H", 1), ("QS", 13))
    """Points by pattern, later entries overriding earlier ones: whole numbers, or Gaussian integers such as ``13i``."""
    negations: tuple[tuple[str, str], ...] = ()
    """Card -> the cards, as a pattern, that score nothing for a seat that took both."""
    multipliers: tuple[tuple[str, str], ...] = ()
    """Card -> the factor (``2``, ``2i``) by which it multiplies what its taker's cards score; ``2@H``: only hearts."""
    alone: tuple[tuple[str, int], ...] = ()
    """Multiplier -> points for a seat that took it and no card named in `card_values`."""
    sweeps: tuple[tuple[str, str], ...] = ()
    """Patterns joined by ``+`` -> the cards, as a pattern, that count with the other sign for whoever took all."""
    tricks: tuple[tuple[str, int], ...] = ()
    """Points for tricks won: ``each`` trick, the ``first`` and the ``last`` of the deal (``{each:1,last:5}``)."""
    sets: tuple[tuple[str, int], ...] = ()
    """Cards, as patterns, and tricks (``each``, ``first``, ``last``) joined by ``+`` -> points for a seat that took all
    of them: ``{first+last+QC:1}``."""
    bonus_floor_hand: bool = False
    """A bonus reduces the points of a deal to 0 at most."""
    bonus_floor_total: bool = False
    """A total never falls below 0."""
    no_tricks: int = 0
    """Points for winning no trick in a deal (-5 is usual)."""
    no_tricks_on_moon: bool = False
    """Whether `no_tricks` also counts in a deal in which the moon was shot."""
    no_hearts: int = 0
    """Points for taking no heart in a deal."""
    no_hearts_on_moon: bool = True
    """Whether `no_hearts` also counts in a deal in which the moon was shot."""
    pledge: int | None = None
    """Before play anybody may pledge to take no heart: points won by keeping that, lost by breaking it; None: no."""
    chips: int | None = None
    """Chips at the start, which are the totals: in each deal everybody pays one into the pool, which those who took no
    penalty card share, odd chips staying; the match ends when somebody has none. None: points count instead."""


@dataclass(frozen=True)
class Moon:
    """Shooting the moon (every card of a set), the sun (every trick) and the big moon (deal after deal)."""

    mode: MoonMode = MoonMode.CHOICE
    """What shooting does."""
    policy: MoonPolicy = MoonPolicy.ASK
    """Whether the shooter is asked."""
    scope: MoonScope = MoonScope.PLAYER
    """Who must take the cards."""
    cards: tuple[str, ...] = ()
    """The cards to take, as patterns; empty means every penalty card."""
    least: tuple[tuple[str, int], ...] = ()
    """Pattern -> how many of those cards are enough; empty means all of `cards`. The award is then what the shooter
    took: each pattern counts twice its number here less the number taken, or all of it if none is missing, and bonus
    cards are added to the award instead of being scored."""
    amount: int | complex | None = None
    """Points of the award; None means the penalty points of `cards`."""
    others_score: bool = True
    """Whether the other seats score the cards they took."""
    multiplied: bool = True
    """Whether the shooter's multipliers also apply to what others are charged."""
    sign: MoonSign = MoonSign.PLUS
    """Which sign the award has for each opponent."""
    new_moon_min: int | None = None
    """Total from which new may be chosen."""
    new_moon_who: NewMoonWho = NewMoonWho.SHOOTER
    """Whose total must have reached `new_moon_min`."""
    extends: MoonExtends = MoonExtends.OFF
    """Whether an old moon that would end the match with somebody below the shooter keeps it going, and until when."""
    requires_sun: bool = False
    """Whether the cards count only with every trick of the deal."""
    sun_skip_first: bool = False
    """Whether the sun may miss the first trick."""
    sun_amount: int | None = None
    """Points of the award for the sun; None means those of the moon."""
    clean_slate: bool = False
    """Whether the sun takes the shooter's total to 0 instead, and nobody scores."""
    punish: int | None = None
    """Points for the seat that passed to the shooter of the sun, where the others are charged; None: as for them."""
    big_moon_deals: int | None = None
    """Number of deals in a row in which one seat must take every penalty card; None means no big moon."""
    big_moon_effect: BigMoonEffect = BigMoonEffect.ADD_TOTAL
    """What the big moon does."""


@dataclass(frozen=True)
class End:
    """When the match ends."""

    target: int | None = 100
    """The match ends after a deal in which a total reaches this; None means never by points."""
    target_cmp: TargetCmp = TargetCmp.GE
    """Whether reaching means `>=` or `>` (of the lower target `<=` or `<`)."""
    lower_target: int | None = None
    """The match ends as well after a deal in which a total falls to this; None means never."""
    max_deals: int | None = None
    """The match ends after this many deals; None means no limit."""
    tie: Tie = Tie.SHARE
    """Whether a shared best total ends the match or deals go on until it is not shared."""
    exact: tuple[tuple[int, int], ...] = ()
    """Totals hit exactly after a deal -> change applied to them, such as 100 -> -50."""
    exact_optional: bool = False
    """Whether the seat may decline the change."""
    lives: int | None = None
    """Lives of every player; None means no lives."""
    life_threshold: int = 15
    """Points in a deal from which it costs a life."""
    lives_out: LivesOut = LivesOut.END
    """What happens to a player who has lost every life."""


@dataclass(frozen=True)
class RuleFields:
    """Every field of a game's rules, valid or not; `hearts_env.ruleset.model.Rules` adds the validation."""

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
