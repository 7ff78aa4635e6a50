"""The memory of the kernel: one `STATE` record per table of players.

Cards are kind ids: bit k of a mask is kind k, with suits contiguous and ascending (C D H S). A set that may hold
several copies of a kind is a row of masks: plane p has the kinds held more than p times. Scores are Gaussian
integers, (re, im) pairs whose imaginary part is 0 in most games. A record has room for the largest game
(`hearts_env.ruleset.limits`); seats that a game lacks, and fields for rules that it lacks, stay 0. Codes of choices are
those of `hearts_env.ruleset.enums`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum, IntEnum, auto
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hearts_env.ruleset.limits import CARDS, KITTY, PICKS, PLANES, SEATS

# What compiled functions are passed. NumPy's stubs describe Python's arithmetic, not Numba's: these names are for
# readers.
State = Any
"""A `STATE` record."""
Tables = Any
"""A record of `hearts_env.compiled.tables.TABLES`."""
Mask = Any
"""A uint64, one bit per kind (or a word of the random generator)."""
Array = Any
"""A NumPy array."""

TRICK = 24
"""Cards of the longest trick: two rounds of eleven seats."""
MOVES = 10
"""Moves of one way to pass: a card to each other seat."""
DRAWN = -1
"""In place of the number of an episode's first deal: drawn from the pass cycle."""
NOBODY = -1
"""No seat, no suit or no choice yet."""
JOKER_SUIT = 4
"""Suit of unsuited jokers, and of a trick to which only they have been played."""
UNSET: int = int(np.iinfo(np.int32).min)
"""A number that the rules do not give."""


class Phase(IntEnum):
    """The decision that the seat to act makes; the order is that of a deal."""

    DIRECTION = 0
    REFUSE = 1
    """Interrupts the pass: every seat has picked, and no card has changed hands."""
    PASS = 2
    EXPOSE = 3
    PLEDGE = 4
    PLAY = 5
    SUIT = 6
    MOON = 7
    SIGN = 8
    EXACT = 9
    OVER = 10


COMMON_PHASES = tuple(phase for phase in Phase if phase not in (Phase.REFUSE, Phase.SIGN))
"""The phases that have a column in every observation; the others have one in games that know them."""


class Scoring(IntEnum):
    """The stage that the scoring of a deal has reached when an action has been taken."""

    IDLE = 0
    """The deal is not played out, or a decision is pending."""
    PLAYED_OUT = 1
    """The last card has been played."""
    MOON_CHOSEN = 2
    """The shooter has chosen."""
    HIT_DECIDED = 3
    """The seat to act has accepted or declined the change for an exact hit."""


class Situation(IntEnum):
    """Rows of the legality ladder; following suit s is row FOLLOW + s (JOKER_SUIT: no suit is set yet)."""

    UNBROKEN = 0
    LEAD = 1
    FOLLOW = 2


class MoonChoice(IntEnum):
    """The effect of the award of a moon; SELF and OTHERS are also bits of the choices allowed (1 << value)."""

    SELF = 0
    OTHERS = 1
    FIXED = 2
    SLATE = 3


class Pledge(IntEnum):
    """A seat's answer to the offer of a pledge."""

    NONE = -1
    NO = 0
    YES = 1


class Visibility(Enum):
    """The part of a field of `STATE` that a view shows."""

    PUBLIC = auto()
    """All of it."""
    OWN = auto()
    """The seat's own part; `observe.hide` erases that of the others."""
    SECRET = auto()
    """Nothing."""


class StateField(NamedTuple):
    """A field of `STATE`.

    Attributes:
        visibility: the part of it that a view shows.
        name: its name.
        kind: its type.
        shape: its shape.
        holds: the numbers that a position may have in it: an expression of compiled code in `x`, the record `s`, the
            tables `t` and `every`, the kinds of the pack; empty for any.
        length: how many of its rows are in use, in the same way; by default those of the seats, or all.
        replayed: whether it is 0 before play, and follows from the cards played in it.
    """

    visibility: Visibility
    name: str
    kind: str
    shape: tuple[int, ...]
    holds: str
    length: str
    replayed: bool


def _field(
    visibility: Visibility,
    name: str,
    kind: str,
    *shape: int,
    holds: str = "",
    length: str = "",
    replayed: bool = False,
) -> StateField:
    return StateField(visibility, name, kind, shape, holds, length, replayed)


public, own, secret = (partial(_field, visibility) for visibility in Visibility)
SEAT, ANY_SEAT = "0 <= x < t.seats", "-1 <= x < t.seats"
KIND, MASK, CARD_SET = "x < t.kinds", "not x & ~every", "is_set"

STATE_FIELDS = [
    # cards
    secret("seed", "u8"),  # fixes every deal of the match
    own("hands", "u8", SEATS, PLANES, holds=CARD_SET),  # cards held
    public("taken", "u8", SEATS, PLANES, holds=CARD_SET, replayed=True),  # cards taken in this deal
    public("played", "u8", 1, PLANES, holds=CARD_SET, replayed=True),  # cards played in this deal
    public("played_by", "u8", SEATS, PLANES, holds=CARD_SET, replayed=True),  # the same by seat
    public("rolled_over", "u8", 1, PLANES, holds=CARD_SET, replayed=True),  # cards of dead tricks
    public("exposed", "u8", holds=MASK),  # cards shown before play, by anybody
    public("shown", "u8", SEATS, holds=MASK),  # cards shown before play, by seat
    public("raised", "u8", holds=MASK),  # cards whose value the exposures raise
    own("picks", "u1", SEATS, PICKS, holds=KIND),  # cards passed, in order
    own(
        "received", "u1", SEATS, PICKS, holds=KIND
    ),  # cards received, lane by lane: lane i came from pick i of its giver
    own("offered", "u8", SEATS, holds=MASK),  # cards that the seat may refuse to receive
    public("handed_back", "u8", SEATS, holds=MASK),  # refused cards that came back to the seat, which holds them
    own("kitty", "u1", KITTY, holds=KIND, length="t.kitty_size"),  # cards laid aside, in order
    public("kitty_seat", "i1", KITTY, holds=ANY_SEAT, length="t.kitty_size"),  # who took each; NOBODY: nobody has
    public("history", "u1", CARDS, holds=KIND, length="s.plies"),  # cards played in this deal, in order
    public("history_seat", "u1", CARDS, holds=SEAT, length="s.plies"),  # who played each of them
    # turn
    public("phase", "i1", holds=f"0 <= x < {len(Phase)}"),  # a Phase
    public("scoring", "i1"),  # a Scoring
    public("seat", "i1", holds=ANY_SEAT),  # to act; NOBODY once the match is over
    public("dealer", "i1", holds=SEAT),  # of this deal
    public("leader", "i1", holds=ANY_SEAT),  # of this trick; NOBODY before play
    public("named_leader", "i1", holds=ANY_SEAT),  # who leads first in a deal set by hand; NOBODY: as ruled
    public("free_lead", "i1"),  # 1 if the opening lead is free
    public("pass_entry", "i1", holds="0 <= x < t.entries"),  # entry of the pass cycle
    public("pass_option", "i1", holds="-1 <= x < t.options"),  # way to pass; NOBODY: not chosen, or no pass
    public("picked", "i1", holds=f"0 <= x <= {PICKS}"),  # picks of the seat to act
    public("refuser", "i1", holds=ANY_SEAT),  # who may refuse a card now, or has refused it; NOBODY while nobody may
    # trick, and what the tricks decide
    public("trick", "u1", TRICK, holds=KIND, length="s.trick_len"),  # cards on the table, in order
    public("trick_len", "i1", holds=f"0 <= x <= {TRICK}"),  # their number
    public("trick_goal", "i1"),  # number of cards at which the trick ends
    public("trick_number", "i1", holds=f"0 <= x <= {CARDS}", replayed=True),  # tricks finished in this deal
    public("led_suit", "i1", holds=f"-1 <= x <= {JOKER_SUIT}"),  # suit to follow, or JOKER_SUIT; NOBODY before play
    public("led_suits", "u1", replayed=True),  # suits led in earlier tricks, one bit each
    public("broken", "i1", replayed=True),  # 1 if hearts are broken
    public("voids", "u1", SEATS),  # suits that a seat has been shown to lack, one bit each
    public("calls", "u4"),  # suits called to jokers that were led, two bits each from the lowest on
    public("plies", "i2", holds="0 <= x <= t.seats * t.hand_size"),  # cards played in this deal
    public("called", "i1", holds="0 <= x <= 16", replayed=True),  # number of those calls
    public("rolled_tricks", "i1", replayed=True),  # dead tricks whose cards have rolled over
    public("rolled_idle", "i1"),  # jokers among those cards that score nothing
    public("kitty_given", "i1", holds="0 <= x <= t.kitty_size", replayed=True),  # cards of the kitty taken
    public("next_dealer", "i1", holds=ANY_SEAT),  # of the next deal; NOBODY until this one is scored
    public("next_leader", "i1", holds=ANY_SEAT),  # who leads first because of a card taken in the last deal
    # score of the deal
    public("points", "i4", SEATS, 2),  # of the cards taken; once the match is over, final points of the last deal
    public("scored", "i4", SEATS, 2),  # final points of the last finished deal
    public("tricks_won", "u1", SEATS, replayed=True),  # in this deal
    public("idle_jokers", "u1", SEATS),  # jokers taken that score nothing
    public("pledges", "i1", SEATS),  # a Pledge each
    public("first_winner", "i1", holds=ANY_SEAT),  # winner of the first trick; NOBODY before
    public("shooter", "i1", holds=ANY_SEAT),  # who shot the moon in the deal being scored; NOBODY if nobody did
    public("passer", "i1", holds=ANY_SEAT),  # who passed to the shooter and may be punished for it; NOBODY if nobody
    public("moon_choices", "i1", holds="0 <= x <= 3"),  # choices the shooter is offered, as bits 1 << MoonChoice
    public("moon_choice", "i1"),  # the MoonChoice made; NOBODY before
    public("signs", "i1", SEATS),  # sign of the award for an opponent of the shooter, 1 or -1; 0 before it is chosen
    public("streak", "u1", SEATS),  # deals in a row in which the seat took every moon card
    # match
    public("totals", "i4", SEATS, 2),  # points of the finished deals, or chips
    public("deal_number", "i4", holds="x >= 0"),  # deals finished
    public("deal_limit", "i4"),  # the deal before which the episode ends; 0: as the rules end the match
    public("pool", "i4"),  # chips in the pool
    public("lost_at", "i4", SEATS),  # number of the deal that cost the last life; -1 before
    public("lives", "i1", SEATS),  # lives left
    public("tie_pending", "i1"),  # 1 while a shared best total keeps a match going that would be over
    public("moon_extension", "i1"),  # 1 while a moon keeps a match going that would be over
    public("finished", "i1"),  # 1 once the match is over by its rules
    public("declined", "i1", holds="-1 <= x < t.seats"),  # seats in succession that showed nothing; -1: one has now
    public("padding", "u1", 5),  # always 0: fills the record, so that equal records are equal bytes
]
"""The fields of `STATE`, in order."""
STATE = np.dtype([(field.name, field.kind, field.shape) for field in STATE_FIELDS], align=True)
"""One table of players."""


def new_record() -> NDArray[Any]:
    """An array of one `STATE` record that is all 0; `np.zeros` takes ten times as long for a nested type."""
    return np.frombuffer(bytearray(STATE.itemsize), STATE)


def spans(fields: Iterable[StateField]) -> NDArray[np.int64]:
    """First byte and end of some fields in a record of `STATE`, a row each."""
    places: Mapping[str, Any] = STATE.fields or {}
    return np.array([(places[one.name][1], places[one.name][1] + STATE[one.name].itemsize) for one in fields])
