"""The fields of `Rules`, grouped by what a player would ask, with Basic Hearts for four as defaults."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from hearts_env.cards import STANDARD_RANKS


class Remainder(StrEnum):
    """What happens to the cards that do not divide evenly among the seats."""

    REMOVE = "remove"
    """Cards leave the pack in `removal_order` until it divides."""
    STRICT = "strict"
    """The pack must divide as it is."""


class Leader(StrEnum):
    """Who leads to the first trick."""

    HOLDER = "holder"
    LEFT_OF_DEALER = "left_of_dealer"


class OpeningCard(StrEnum):
    """What may be led to the first trick."""

    FORCED = "forced"
    ANY_OF_SUIT = "any_of_suit"
    ANY = "any"


class Schedule(StrEnum):
    """How the pass of a deal is picked from the cycle."""

    CYCLE = "cycle"
    RANDOM = "random"


class HeartLead(StrEnum):
    """When hearts may be led."""

    BROKEN = "broken"
    FREE = "free"


class BreakBy(StrEnum):
    """Which cards break hearts."""

    HEARTS = "hearts"
    HEARTS_OR_QS = "hearts_or_qs"
    ANY_PENALTY = "any_penalty"


class BreakEvent(StrEnum):
    """Whether a breaking card counts whenever it is played or only when thrown off suit."""

    PLAYED = "played"
    DISCARDED = "discarded"


class LeadException(StrEnum):
    """Which hands may lead an unbroken heart."""

    ONLY_HEARTS = "only_hearts"
    HEARTS_PLUS_PENALTY = "hearts_plus_penalty"


class MoonMode(StrEnum):
    """What shooting the moon does."""

    NONE = "none"
    """Nothing: the taker scores the cards."""
    OLD = "old"
    """Every other seat scores the amount."""
    NEW = "new"
    """The shooter's score goes down by the amount."""
    CHOICE = "choice"
    """The shooter chooses between old and new."""
    NEW_IF_OLD_LOSES = "new_if_old_loses"
    """New may be chosen only if old would end the match with the shooter behind somebody."""
    FIXED_SELF = "fixed_self"
    """The shooter scores the amount in place of the cards."""


class MoonPolicy(StrEnum):
    """Whether the shooter is asked or the better outcome is taken."""

    ASK = "ask"
    AUTO_BEST = "auto_best"


class NewMoonWho(StrEnum):
    """Whose total must have reached `new_moon_min`."""

    SHOOTER = "shooter"
    ANY = "any"


class BigMoonEffect(StrEnum):
    """What shooting the big moon does."""

    ADD_TOTAL = "add_total"
    """The shooter's total becomes 0 and every other total rises by the points of all those deals."""
    FIXED_100 = "fixed100"
    """The shooter's total becomes 0 and every other total rises by 100."""


class TargetCmp(StrEnum):
    """How a total reaches the target."""

    GE = "ge"
    GT = "gt"


class Tie(StrEnum):
    """What happens if the best total is shared when the match would end."""

    SHARE = "share"
    CONTINUE = "continue"


@dataclass(frozen=True)
class Table:
    """Who sits at the table and who deals."""

    players: int = 4
    """Number of seats, 3 to 11, counted in play order."""
    dealer_next: str = "left"
    """`left`: the deal moves one seat on; a card: whoever took it deals next."""


@dataclass(frozen=True)
class Pack:
    """The cards in play."""

    ranks: tuple[str, ...] = STANDARD_RANKS
    """Ranks of each of the four suits, low to high."""
    remainder: Remainder = Remainder.REMOVE
    """What to do if the pack does not divide among the seats."""
    removal_order: tuple[str, ...] = ("2D", "2C", "3D", "3C")
    """Cards that leave the pack, in this order, until it divides."""


@dataclass(frozen=True)
class Opening:
    """The lead to the first trick."""

    leader: Leader = Leader.HOLDER
    """Who leads to the first trick."""
    holder: str = "C"
    """The card whose holder opens: a card, or a suit for its lowest card in the pack."""
    card: OpeningCard = OpeningCard.FORCED
    """What the leader may lead: the `holder` card, any card of its suit, or any card."""


@dataclass(frozen=True)
class Passing:
    """The exchange before play: every seat picks in secret, then all picks change hands at once.

    A cycle entry is ``hold``, ``scatter`` (one card to each other seat) or moves joined by ``&``; a move is ``left``,
    ``right``, ``across`` or a signed seat offset (``+2``), with ``*count`` if the count differs from `count`.
    Entries joined by ``|`` are the dealer's choice: ``left|right|hold``.
    """

    count: int = 3
    """Cards in a move that names no count of its own."""
    cycle: tuple[str, ...] = ()
    """One entry per deal, repeating; empty means left, right, +2, -2, ..., across if the seats are even, hold."""
    schedule: Schedule = Schedule.CYCLE
    """Whether entries follow in order or one is drawn at random for each deal."""
    unpassable: tuple[str, ...] = ()
    """Cards that may not be passed, as patterns, unless a hand has nothing else."""


@dataclass(frozen=True)
class Play:
    """What may be led and discarded."""

    first_trick_forbidden: tuple[str, ...] = ("H", "QS")
    """Cards, as patterns, that may not be played to the first trick by a hand that has any other legal card."""
    heart_lead: HeartLead = HeartLead.BROKEN
    """Whether hearts must be broken before they are led."""
    break_by: BreakBy = BreakBy.HEARTS
    """Which cards break hearts."""
    break_event: BreakEvent = BreakEvent.PLAYED
    """Whether playing such a card breaks hearts or only discarding it."""
    lead_exception: LeadException = LeadException.ONLY_HEARTS
    """Which hands may lead a heart all the same (that lead breaks hearts)."""


@dataclass(frozen=True)
class Score:
    """Points of a deal."""

    card_values: tuple[tuple[str, int], ...] = (("H", 1), ("QS", 13))
    """Points by pattern, later entries overriding earlier ones; positive is a penalty, negative a bonus."""
    bonus_floor_hand: bool = False
    """A bonus reduces the points of a deal to 0 at most."""
    bonus_floor_total: bool = False
    """A total never falls below 0."""
    no_tricks: int = 0
    """Points for winning no trick in a deal (-5 is usual)."""
    no_tricks_on_moon: bool = False
    """Whether `no_tricks` also counts in a deal in which the moon was shot."""


@dataclass(frozen=True)
class Moon:
    """Shooting the moon (every card of a set), the sun (every trick) and the big moon (deal after deal)."""

    mode: MoonMode = MoonMode.CHOICE
    """What shooting does."""
    policy: MoonPolicy = MoonPolicy.ASK
    """Whether the shooter is asked."""
    cards: tuple[str, ...] = ()
    """The cards to take, as patterns; empty means every penalty card."""
    amount: int | None = None
    """Points of the award; None means the penalty points of `cards`."""
    new_moon_min: int | None = None
    """Total from which new may be chosen."""
    new_moon_who: NewMoonWho = NewMoonWho.SHOOTER
    """Whose total must have reached `new_moon_min`."""
    requires_sun: bool = False
    """Whether the cards count only with every trick of the deal."""
    sun_skip_first: bool = False
    """Whether the sun may miss the first trick."""
    sun_amount: int | None = None
    """Points of the award for the sun; None means those of the moon."""
    big_moon_deals: int | None = None
    """Number of deals in a row in which one seat must take every penalty card; None means no big moon."""
    big_moon_effect: BigMoonEffect = BigMoonEffect.ADD_TOTAL
    """What the big moon does."""


@dataclass(frozen=True)
class End:
    """When the match ends; the lowest total wins."""

    target: int | None = 100
    """The match ends after a deal in which a total reaches this; None means never by points."""
    target_cmp: TargetCmp = TargetCmp.GE
    """Whether reaching means `>=` or `>`."""
    max_deals: int | None = None
    """The match ends after this many deals; None means no limit."""
    tie: Tie = Tie.SHARE
    """Whether a shared lowest total ends the match or deals go on until it is not shared."""
    exact: tuple[tuple[int, int], ...] = ()
    """Totals hit exactly after a deal -> change applied to them, such as 100 -> -50."""
    exact_optional: bool = False
    """Whether the seat may decline the change."""
