"""The memory of the kernel: one `STATE` record per table of players, one `TABLES` record per rules.

Shapes are those of the whole rulebook: up to 11 seats, two packs, four jokers, tricks of two rounds, a kitty,
Gaussian-integer scores, exposures, pledges, lives and chips. Cards are kind ids (bit k of a mask is kind k, suits
contiguous and ascending); a set that may hold several copies of a kind is a row of masks: plane p has the kinds held
more than p times.
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
PLANES = 4
TRICK = 24
PICKS = 16
KITTY = 16
OPTIONS = 32
ENTRIES = 32
MOVES = 10
SITUATIONS = 8
RUNGS = 4
FEW = 8
NOBODY = -1
JOKER_SUIT = 4
"""Suit of unsuited jokers, and of a trick to which only they were led."""


class Phase(IntEnum):
    """What the seat to act decides; the order is that of a deal."""

    DIRECTION = 0
    PASS = 1
    EXPOSE = 2
    PLEDGE = 3
    PLAY = 4
    SUIT = 5
    MOON = 6
    EXACT = 7
    OVER = 8


class Situation(IntEnum):
    """Rows of the legality ladder; following suit s is row FOLLOW + s (JOKER_SUIT: no suit is set yet)."""

    UNBROKEN = 0
    LEAD = 1
    FOLLOW = 2


class MoonChoice(IntEnum):
    """What the award of a moon does; SELF and OTHERS are also bits of the choices allowed (1 << value)."""

    SELF = 0
    OTHERS = 1
    FIXED = 2
    SLATE = 3


class MoonRule(IntEnum):
    """Codes of `choices.MoonMode`, in its order."""

    NONE = 0
    OLD = 1
    NEW = 2
    CHOICE = 3
    NEW_IF_OLD_LOSES = 4
    FIXED_SELF = 5
    RESET_OR_DOUBLE = 6


class Pledge(IntEnum):
    """What a seat has said about its hearts."""

    NONE = -1
    NO = 0
    YES = 1


STATE = np.dtype(
    [
        ("seed", "u8"),
        ("hands", "u8", (SEATS, PLANES)),
        ("taken", "u8", (SEATS, PLANES)),
        ("gone", "u8", (1, PLANES)),
        ("rolled", "u8", (1, PLANES)),
        ("exposed", "u8"),
        ("shown", "u8", SEATS),
        ("raised", "u8"),
        ("totals", "i4", (SEATS, 2)),
        ("points", "i4", (SEATS, 2)),
        ("scored", "i4", (SEATS, 2)),
        ("after", "i4", (SEATS, 2)),
        ("lost_at", "i4", SEATS),
        ("pool", "i4"),
        ("deal_number", "i4"),
        ("deal_limit", "i4"),
        ("calls", "u4"),
        ("plies", "i2"),
        ("history", "u1", CARDS),
        ("history_seat", "u1", CARDS),
        ("picks", "u1", (SEATS, PICKS)),
        ("received", "u1", (SEATS, PICKS)),
        ("kitty", "u1", KITTY),
        ("kitty_seat", "i1", KITTY),
        ("trick", "u1", TRICK),
        ("tricks_won", "u1", SEATS),
        ("idle", "u1", SEATS),
        ("voids", "u1", SEATS),
        ("streak", "u1", SEATS),
        ("lives", "i1", SEATS),
        ("pledges", "i1", SEATS),
        ("phase", "i1"),
        ("seat", "i1"),
        ("dealer", "i1"),
        ("leader", "i1"),
        ("next_dealer", "i1"),
        ("next_leader", "i1"),
        ("named_leader", "i1"),
        ("free_lead", "i1"),
        ("first_winner", "i1"),
        ("shooter", "i1"),
        ("passer", "i1"),
        ("moon_choices", "i1"),
        ("moon_choice", "i1"),
        ("led_suit", "i1"),
        ("led_suits", "u1"),
        ("broken", "i1"),
        ("pass_entry", "i1"),
        ("pass_option", "i1"),
        ("picked", "i1"),
        ("trick_len", "i1"),
        ("trick_goal", "i1"),
        ("trick_number", "i1"),
        ("rolled_tricks", "i1"),
        ("rolled_idle", "i1"),
        ("kitty_given", "i1"),
        ("due", "i1"),
        ("extended", "i1"),
        ("called", "i1"),
        ("finished", "i1"),
        ("spare", "u1", 3),  # fills the record, so that equal records are equal bytes
    ],
    align=True,
)
"""One table of players.

`seed` fixes every deal of the match; `points` are those of the deal under way (after the match, of the last deal) and
`scored` those of the last finished deal, `after` is scratch for totals that may come about; `history` and
`history_seat` list the cards played in the deal and `gone` is their set; `picks` are cards passed in order and
`received` what arrived, lane by lane; `kitty` lists the cards laid aside, of which `kitty_given` have been taken, by
`kitty_seat`; `rolled` are the cards of `rolled_tricks` dead tricks, `rolled_idle` of them jokers that score nothing;
`voids` are suits a seat has publicly shown to lack (bit s for suit s), `led_suits` the suits led in earlier tricks;
`exposed` are the cards shown, `shown` those that each seat has shown, and `raised` those whose worth that raises;
`idle` counts jokers that score nothing; `trick_goal` is the number of cards at which the trick on the table ends;
`named_leader` is who leads first in a deal that was set so, `free_lead` is 1 if the opening lead is free; `streak`
counts deals in a row with every moon card, `lost_at` is the deal after which the last life was lost; `due` is 1 once
a match that would be over goes on because of a tie, `extended` once it does because of a moon (2: it has been settled
when), `finished` once it is over by its rules; `deal_limit` ends the episode after that many deals (0: never); `calls`
are the suits of the `called` jokers that were led and named one, two bits each from the lowest on. Fields for rules
that a variant lacks stay 0.
"""

TABLES = np.dtype(
    [
        ("suit_mask", "u8", JOKER_SUIT + 1),
        ("ladder", "u8", (SITUATIONS, RUNGS, 2)),
        ("first_trick_ban", "u8"),
        ("breaking", "u8"),
        ("hearts", "u8"),
        ("jokers", "u8"),
        ("unpassable", "u8"),
        ("opener", "u8"),
        ("opening", "u8"),
        ("extending", "u8"),
        ("exposable", "u8"),
        ("expose_card", "u8", FEW),
        ("expose_raises", "u8", FEW),
        ("valued", "u8"),
        ("named", "u8"),
        ("penalty", "u8"),
        ("bonus", "u8"),
        ("scoring", "u8"),
        ("negation", "u8", (FEW, 2)),
        ("multiplier", "u8", (FEW, 2)),
        ("sweep", "u8", (FEW, 2)),
        ("least", "u8", FEW),
        ("moon_set", "u8"),
        ("moon_waived", "u8"),
        ("dealer_card", "u8"),
        ("leader_card", "u8"),
        ("cancels", "u8"),
        ("first_wins", "u8"),
        ("entry_options", "u8", ENTRIES),
        ("target_square", "i8"),
        ("values", "i4", (KINDS, 2)),
        ("factor", "i4", (FEW, 2)),
        ("alone", "i4", FEW),
        ("least_value", "i4", (FEW, 2)),
        ("moon_amount", "i4", 2),
        ("sun_amount", "i4", 2),
        ("punish", "i4"),
        ("big_moon_points", "i4"),
        ("new_moon_min", "i4"),
        ("target", "i4"),
        ("lower_target", "i4"),
        ("max_deals", "i4"),
        ("no_tricks", "i4"),
        ("no_hearts", "i4"),
        ("pledge", "i4"),
        ("chips", "i4"),
        ("life_threshold", "i4"),
        ("expose_factor", "i4"),
        ("exact_total", "i4", FEW),
        ("exact_change", "i4", FEW),
        ("obs_size", "i4"),
        ("point_scale", "f4"),
        ("total_scale", "f4"),
        ("deck", "u1", CARDS),
        ("suit_of", "u1", KINDS),
        ("scoring_column", "u1", KINDS),
        ("option_moves", "u1", (OPTIONS, MOVES, 2)),
        ("option_len", "u1", OPTIONS),
        ("option_cards", "u1", OPTIONS),
        ("team", "u1", SEATS),
        ("sweep_count", "u1", FEW),
        ("least_count", "u1", (FEW, 2)),
        ("seats", "i1"),
        ("turn", "i1"),
        ("team_size", "i1"),
        ("copies", "i1"),
        ("deck_size", "i1"),
        ("hand_size", "i1"),
        ("kinds", "i1"),
        ("kitty_size", "i1"),
        ("kitty_award", "i1"),
        ("actions", "i2"),
        ("direction_action", "i2"),
        ("expose_action", "i2"),
        ("pledge_action", "i2"),
        ("suit_action", "i2"),
        ("moon_action", "i2"),
        ("exact_action", "i2"),
        ("entries", "i1"),
        ("options", "i1"),
        ("lanes", "i1"),
        ("scoring_count", "i1"),
        ("exposures", "i1"),
        ("negations", "i1"),
        ("multipliers", "i1"),
        ("sweeps", "i1"),
        ("leasts", "i1"),
        ("moon_count", "u1"),
        ("exact_hits", "i1"),
        ("moon_rule", "i1"),
        ("moon_sign_hurts", "i1"),
        ("moon_extends", "i1"),
        ("moon_by_team", "i1"),
        ("moon_silences", "i1"),
        ("moon_multiplied", "i1"),
        ("better", "i1"),
        ("team_worst", "i1"),
        ("random_entry", "i1"),
        ("break_on_discard", "i1"),
        ("ban_discards", "i1"),
        ("joker_lead", "i1"),
        ("joker_shows_void", "i1"),
        ("joker_heart_trick", "i1"),
        ("heart_calls", "i1"),
        ("expose_lock", "i1"),
        ("opening_lowest", "i1"),
        ("plain_trick", "i1"),
        ("plain_score", "i1"),
        ("cancelling", "i1"),
        ("two_pairs", "i1"),
        ("last_to_pair", "i1"),
        ("extend_led_suit", "i1"),
        ("bonus_floor_hand", "i1"),
        ("bonus_floor_total", "i1"),
        ("no_tricks_on_moon", "i1"),
        ("no_hearts_on_moon", "i1"),
        ("moon_auto", "i1"),
        ("new_moon_any", "i1"),
        ("requires_sun", "i1"),
        ("sun_skip_first", "i1"),
        ("clean_slate", "i1"),
        ("big_moon_deals", "i1"),
        ("target_strict", "i1"),
        ("tie_continue", "i1"),
        ("exact_optional", "i1"),
        ("lives", "i1"),
        ("lives_out", "i1"),
    ],
    align=True,
)
"""Compiled rules; see `hearts_env.compiled.game.compile_game`.

Fields that do not apply hold neutral values: masks and numbers 0; `lower_target` and `max_deals` 0 for none, `punish`
`UNSET` for none. `ladder` rows are
(test, grant) pairs: the first rung with ``hand & test`` gives ``hand & grant``. The holder of the lowest card of
`opener` in any hand leads first (the seat after the dealer if it is 0), one of `opening` (0: anything). Pairs of masks
(`negation`, `multiplier`, `sweep`) are (cards that do it, cards it is done to; 0: the whole hand). The `plain` flags
are 1 for a game whose tricks, scores or ends need none of the special rules. Special actions are numbered from `kinds`
on.
"""

UNSET: int = int(np.iinfo(np.int32).min)
"""A number that a table does not have."""


class KittyRule(IntEnum):
    """Codes of `choices.KittyAward`, in its order."""

    FIRST_TRICK = 0
    FIRST_PENALTY = 1
    ONE_PER_TRICK = 2
    OUT_OF_PLAY = 3


class BetterRule(IntEnum):
    """Codes of `choices.Better`, in its order."""

    LOW = 0
    HIGH = 1
    MAGNITUDE = 2
    REAL = 3


class JokerLeadRule(IntEnum):
    """Codes of `choices.JokerLead`, in its order."""

    NEVER = 0
    CALL = 1
    NEXT_CARD = 2


class ExtendRule(IntEnum):
    """Codes of `choices.MoonExtends`, in its order."""

    OFF = 0
    UNTIL_NEXT_MOON = 1
    UNTIL_MOONLESS_DEAL = 2


class LivesRule(IntEnum):
    """Codes of `choices.LivesOut`, in its order."""

    END = 0
    RANK_LAST = 1
    ELIMINATE = 2
