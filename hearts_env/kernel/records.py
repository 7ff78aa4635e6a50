"""The memory of the kernel: one `STATE` record per table of players, one `TABLES` record per rules.

Shapes are those of the whole rulebook: up to 11 seats, two copies of a card, jokers, tricks of two rounds,
Gaussian-integer scores, exposures, pledges, lives and chips. Cards are kind ids (bit k of a mask is kind k, suits
contiguous and ascending); a set that may hold two copies of a kind is a pair of masks: plane 0 has every kind held,
plane 1 the kinds held twice.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

# What compiled functions are passed. NumPy's stubs describe Python's arithmetic, not Numba's: these names are to read.
State = Any
"""A `STATE` record."""
Tables = Any
"""A `TABLES` record."""
Mask = Any
"""A uint64, one bit per kind (or a word of the random generator)."""
Array = Any
"""A NumPy array."""

SEATS = 11
KINDS = 64
CARDS = 112
TRICK = 24
PICKS = 16
OPTIONS = 32
ENTRIES = 32
MOVES = 10
SITUATIONS = 8
RUNGS = 4
EXACT_HITS = 8
NOBODY = -1


class Phase(IntEnum):
    """What the seat to act decides; the order is that of a deal."""

    DIRECTION = 0
    PASS = 1
    PLAY = 2
    MOON = 3
    EXACT = 4
    OVER = 5


class Situation(IntEnum):
    """Rows of the legality ladder; following suit s is row FOLLOW + s."""

    OPENING = 0
    UNBROKEN = 1
    LEAD = 2
    FOLLOW = 3


class MoonChoice(IntEnum):
    """What the award of a moon does; SELF and OTHERS are also bits of the choices allowed (1 << value)."""

    SELF = 0
    OTHERS = 1
    FIXED = 2
    NOTHING = 3


class MoonRule(IntEnum):
    """Codes of `fields.MoonMode`, in its order."""

    NONE = 0
    OLD = 1
    NEW = 2
    CHOICE = 3
    NEW_IF_OLD_LOSES = 4
    FIXED_SELF = 5


STATE = np.dtype(
    [
        ("seed", "u8"),
        ("hands", "u8", (SEATS, 2)),
        ("taken", "u8", (SEATS, 2)),
        ("gone", "u8", (1, 2)),
        ("rolled", "u8", 2),
        ("kitty", "u8", 2),
        ("exposed", "u8"),
        ("totals", "i4", (SEATS, 2)),
        ("points", "i4", (SEATS, 2)),
        ("scored", "i4", (SEATS, 2)),
        ("pool", "i4"),
        ("deal_number", "i4"),
        ("deal_limit", "i4"),
        ("chips", "i2", SEATS),
        ("plies", "i2"),
        ("history", "u1", CARDS),
        ("history_seat", "u1", CARDS),
        ("picks", "u1", (SEATS, PICKS)),
        ("received", "u1", (SEATS, PICKS)),
        ("trick", "u1", TRICK),
        ("tricks_won", "u1", SEATS),
        ("voids", "u1", SEATS),
        ("streak", "u1", SEATS),
        ("lives", "i1", SEATS),
        ("pledges", "i1", SEATS),
        ("phase", "i1"),
        ("seat", "i1"),
        ("dealer", "i1"),
        ("leader", "i1"),
        ("next_dealer", "i1"),
        ("first_winner", "i1"),
        ("shooter", "i1"),
        ("moon_choices", "i1"),
        ("moon_choice", "i1"),
        ("led_suit", "i1"),
        ("led_suits", "u1"),
        ("broken", "i1"),
        ("pass_entry", "i1"),
        ("pass_option", "i1"),
        ("picked", "i1"),
        ("trick_len", "i1"),
        ("trick_number", "i1"),
        ("due", "i1"),
        ("spare", "u1", 3),  # fills the record, so that equal records are equal bytes
    ],
    align=True,
)
"""One table of players.

`seed` fixes every deal of the match; `points` are those of the deal under way (after the match, of the last deal) and
`scored` those of the last finished deal;
`history` and `history_seat` list the cards played in the deal and `gone` is their set; `picks` are cards passed in
order and `received` what arrived, lane by lane; `voids` are suits a seat has publicly shown to lack (bit s for suit s);
`streak` counts deals in a row with every moon card; `due` is 1 once a
match that would be over goes on because of a tie; `deal_limit` ends the episode after that many deals (0: never).
Fields for rules that a variant lacks stay 0.
"""

TABLES = np.dtype(
    [
        ("suit_mask", "u8", 4),
        ("ladder", "u8", (SITUATIONS, RUNGS, 2)),
        ("first_trick_ban", "u8"),
        ("breaking", "u8"),
        ("hearts", "u8"),
        ("unpassable", "u8"),
        ("opener", "u8"),
        ("opening", "u8"),
        ("valued", "u8"),
        ("scoring", "u8"),
        ("moon_set", "u8", 2),
        ("moon_waived", "u8"),
        ("dealer_card", "u8"),
        ("entry_options", "u8", ENTRIES),
        ("values", "i4", (KINDS, 2)),
        ("moon_amount", "i4"),
        ("sun_amount", "i4"),
        ("big_moon_points", "i4"),
        ("new_moon_min", "i4"),
        ("target", "i4"),
        ("max_deals", "i4"),
        ("no_tricks", "i4"),
        ("exact_total", "i4", EXACT_HITS),
        ("exact_change", "i4", EXACT_HITS),
        ("obs_size", "i4"),
        ("point_scale", "f4"),
        ("total_scale", "f4"),
        ("deck", "u1", CARDS),
        ("suit_of", "u1", KINDS),
        ("scoring_column", "u1", KINDS),
        ("option_moves", "u1", (OPTIONS, MOVES, 2)),
        ("option_len", "u1", OPTIONS),
        ("option_cards", "u1", OPTIONS),
        ("seats", "i1"),
        ("copies", "i1"),
        ("deck_size", "i1"),
        ("hand_size", "i1"),
        ("kinds", "i1"),
        ("actions", "i2"),
        ("direction_action", "i2"),
        ("moon_action", "i2"),
        ("exact_action", "i2"),
        ("entries", "i1"),
        ("options", "i1"),
        ("lanes", "i1"),
        ("scoring_count", "i1"),
        ("exact_hits", "i1"),
        ("moon_rule", "i1"),
        ("random_entry", "i1"),
        ("break_on_discard", "i1"),
        ("bonus_floor_hand", "i1"),
        ("bonus_floor_total", "i1"),
        ("no_tricks_on_moon", "i1"),
        ("moon_auto", "i1"),
        ("new_moon_any", "i1"),
        ("requires_sun", "i1"),
        ("sun_skip_first", "i1"),
        ("big_moon_deals", "i1"),
        ("target_strict", "i1"),
        ("tie_continue", "i1"),
        ("exact_optional", "i1"),
    ],
    align=True,
)
"""Compiled rules; see `hearts_env.tables.compile_game`.

Fields that do not apply hold neutral values: masks 0, numbers 0, `target` and `max_deals` 0 for none. `ladder` rows are
(test, grant) pairs: the first rung with ``hand & test`` gives ``hand & grant``. The holder of `opener` leads first (the
seat after the dealer if it is 0), one of `opening` (0: anything). Special actions are numbered from `kinds` on.
"""
