"""The compiled rules: one `TABLES` record, as the kernel reads it.

`hearts_env.compiled.fill` fills it in. Most fields of the rules have a column of their own, `group_field` for
``group.field``: a number as it is, the code of a choice, 0 or 1 for a flag, the mask of the cards that patterns name. A
number that the rules do not give is 0, or `UNSET` where the field can be 0. All other columns are listed here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hearts_env.kernel.records import JOKER_SUIT, MOVES
from hearts_env.ruleset.limits import CARDS, ENTRIES, FEW, KINDS, OPTIONS, PICKS, PLANES, SEATS
from hearts_env.ruleset.model import field_types

SITUATIONS = 8
"""Rows of the legality ladder."""
RUNGS = 4
"""Rungs of a row of the legality ladder."""
NUMBERS = 7 * SEATS + 3
"""Columns of an observation that count points or tricks."""
MOST_BLOCKS = 40
"""Blocks of columns that an observation may have (`hearts_env.kernel.columns`)."""
COMPILED = (
    *("table.players", "table.direction", "table.dealer_next", "table.teams", "deck.packs", "deck.ranks"),
    *("deck.added", "deck.removed", "deck.remainder", "deck.removal_order", "deck.hand_size", "opening.leader"),
    *("opening.holder", "passing.count", "passing.cycle", "passing.to_partner", "play.break_by", "play.locked"),
    *("play.lead_exception", "play.forced_discard", "trick.exceptions", "exposing.cards", "score.card_values"),
    *("score.negations", "score.multipliers", "score.alone", "score.sweeps", "score.tricks", "score.sets"),
    *("moon.cards", "moon.least", "moon.amount", "moon.big_moon_effect", "end.exact"),
)
"""Fields that reach the kernel in columns that `fill` computes."""


def _kind(hint: Any) -> str:
    """The type of the column of a field."""
    return "i4" if hint in (int, int | None) else "i1" if isinstance(hint, type) else "u8"


COPIED = {path: hint for path, hint in field_types().items() if path not in COMPILED}
"""The fields that have a column of their own, and their types."""
TABLES = np.dtype(
    [
        # cards
        ("deck", "u1", CARDS),  # kind of every card of the pack
        ("pack", "u8", PLANES),  # the same as a set
        ("suit_of", "u1", KINDS),  # suit of a kind; JOKER_SUIT for unsuited jokers
        ("suit_mask", "u8", JOKER_SUIT + 1),  # kinds of a suit
        ("hearts", "u8"),
        ("jokers", "u8"),  # unsuited ones
        ("seats", "i1"),  # table.players
        ("rotation", "i1"),  # table.direction: what the turn adds to a seat, modulo the seats
        ("copies", "i1"),  # most copies of a kind
        ("deck_size", "i1"),
        ("hand_size", "i1"),  # cards dealt to each seat
        ("kinds", "i1"),
        ("kitty_size", "i1"),
        ("table_dealer_next", "u8"),  # the card whose taker deals next; 0: the deal moves on as the turn does
        # actions: the kinds, then the special ones; the first action of each kind of decision
        ("actions", "i2"),
        ("direction_action", "i2"),
        ("expose_action", "i2"),
        ("pledge_action", "i2"),
        ("suit_action", "i2"),
        ("moon_action", "i2"),
        ("exact_action", "i2"),
        ("refuse_action", "i2"),
        ("sign_action", "i2"),
        # pass
        ("entries", "i1"),  # length of passing.cycle
        ("pass_cycle", "i1"),  # number of deals after which the passes of short episodes repeat
        ("options", "i1"),  # different ways to pass in it
        ("lanes", "i1"),  # most moves of one of them
        ("entry_options", "u8", ENTRIES),  # the ways to pass of an entry, as bits
        ("option_moves", "u1", (OPTIONS, MOVES, 2)),  # moves of a way to pass: (seats on, or 0 for the pool; cards)
        ("option_len", "u1", OPTIONS),  # their number; 0: hold
        ("option_cards", "u1", OPTIONS),  # cards that a seat passes in all
        ("pick_move", "u1", (OPTIONS, PICKS)),  # the move to which each of them belongs
        ("refusals", "i1"),  # number of the cards of passing.refusable
        ("refuse_card", "u8", FEW),  # each of them, in the order of the actions
        # play
        ("ladder", "u8", (SITUATIONS, RUNGS, 2)),  # (test, grant): the first with hand & test grants hand & grant
        ("opener", "u8"),  # opening.holder: who has the lowest of these in a hand leads; 0: the seat after the dealer
        ("opening", "u8"),  # opening.card: one of these must open; 0: any card
        ("opening_all", "i1"),  # opening.card: 1 if every holder of one plays it to the first trick
        ("play_break_by", "u8"),  # the cards that break hearts
        ("play_locked", "u8"),  # the cards that may be played only once hearts are broken
        ("exposures", "i1"),  # length of exposing.cards
        ("exposable", "u8"),  # all of its cards
        ("expose_card", "u8", FEW),  # each of its cards, in the order of the actions
        ("expose_raises", "u8", FEW),  # what each of them raises
        # tricks
        ("plain_trick", "i1"),  # 1 if no trick can be dead, extended or won by one of two identical cards
        ("may_die", "i1"),  # trick.duplicates: 1 if tricks may be dead
        ("cancels", "u8"),  # trick.duplicates, trick.exceptions: copies of these cancel each other
        ("first_wins", "u8"),  # trick.duplicates, trick.exceptions: the first copy of these wins
        # points of the cards
        ("plain_score", "i1"),  # 1 if a card is worth the same whatever else its taker has
        ("cost_sign", "i1"),  # -1 where high totals win, 1 elsewhere: what makes a cost of a total
        ("gaussian", "i1"),  # score.better: 1 if totals are complex numbers
        ("values", "i4", (KINDS, 2)),  # score.card_values, by kind
        ("valued", "u8"),  # kinds worth other than 0
        ("named", "u8"),  # kinds that score.card_values names
        ("penalty", "u8"),  # kinds that are bad for their taker
        ("bonus", "u8"),  # kinds that are good for their taker
        ("scoring", "u8"),  # kinds that have to do with scoring: a column of the observation each
        ("scoring_count", "i1"),  # their number
        ("scoring_moves", "u8", 6),  # what `bits.compress` needs to move them to the lowest bits
        ("negations", "i1"),  # length of score.negations
        ("negation", "u8", (FEW, 2)),  # (the card, the cards that then score nothing)
        ("multipliers", "i1"),  # length of score.multipliers
        ("multiplier", "u8", (FEW, 2)),  # (the card, the cards it multiplies; 0: the whole hand)
        ("factor", "i4", (FEW, 2)),  # by which it multiplies
        ("alone", "i4", FEW),  # score.alone: points of the multiplier without another scoring card
        ("sweeps", "i1"),  # length of score.sweeps
        ("sweep", "u8", (FEW, 2)),  # (cards to take, cards whose sign then changes)
        ("sweep_count", "u1", FEW),  # cards to take, copies included
        ("trick_points", "i4", 3),  # score.tricks: points for each trick, the first and the last
        ("sets", "i1"),  # length of score.sets
        ("set_cards", "u8", FEW),  # cards to take
        ("set_count", "u1", FEW),  # their number, copies included
        ("set_tricks", "u1", FEW),  # tricks to win, as bits: 1 each, 2 the first, 4 the last
        ("set_points", "i4", FEW),  # for a seat that took all of them
        # moon
        ("moon_set", "u8"),  # moon.cards: the kinds to take
        ("moon_count", "u1"),  # cards to take, copies included
        ("moon_waived", "u8"),  # kinds that the shooter does not score beside the award
        ("leasts", "i1"),  # length of moon.least
        ("least", "u8", FEW),  # the kinds of each entry
        ("least_count", "u1", (FEW, 2)),  # (how many are enough, how many there are)
        ("least_value", "i4", (FEW, 2)),  # what one of them is worth
        ("moon_amount", "i4", 2),  # the award
        ("chooses_signs", "i1"),  # moon.sign: 1 if the shooter chooses them
        ("big_moon_points", "i4"),  # moon.big_moon_effect: what it adds to the other totals
        # teams and the end of the match
        ("team", "u1", SEATS),  # table.teams: number of a seat's team
        ("team_size", "i1"),
        ("target_square", "i8"),  # the square of end.target, in a game of magnitudes
        ("exact_hits", "i1"),  # length of end.exact
        ("exact_total", "i4", FEW),  # totals to hit
        ("exact_change", "i4", FEW),  # what hitting them adds
        # observation
        ("obs_size", "i4"),  # columns
        ("byte_size", "i4"),  # bytes of a row of bytes: the columns, and four bytes for each number
        ("column", "i4", MOST_BLOCKS),  # the first column of every block; -1: this game has none
        ("first_number", "i4", MOST_BLOCKS),  # the place of its first number among `number_column`; -1: it has none
        ("numbers", "i4"),  # columns that count points or tricks, and no cards
        ("number_column", "i4", NUMBERS),  # each of them
        ("number_scale", "f8", NUMBERS),  # what it is multiplied by
        ("point_scale", "f4"),  # a point of a deal
        ("total_scale", "f4"),  # a point of a total
        *((path.replace(".", "_"), _kind(hint)) for path, hint in COPIED.items()),
    ],
    align=True,
)
"""Compiled rules."""
