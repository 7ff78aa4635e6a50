"""Counts that networks read beside the observation: the numbers that a player keeps track of, card by card.

The first layer of a network adds up its inputs. To find out that nothing unseen beats a card it would have to compare
sums for every card, which takes many units; these columns do it exactly.
"""

from __future__ import annotations

import numpy as np

from hearts_env.kernel.bits import INT64, ONE, bit, lowest, popcount
from hearts_env.kernel.blocks import Row, put, row_of, spread
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import JOKER_SUIT, Array, Mask, Phase, State, Tables
from hearts_env.kernel.rows import relative, write_mask, write_row
from hearts_env.kernel.tricks import count, winning_place

PLAY = Phase.PLAY.value
NONE = np.uint64(0)
BLOCKS = ("below", "above", "lowest", "highest", "takes", "known")
"""Blocks of one column per kind of card, in this order:

- below, above: for cards of the hand, the number of unseen lower and higher cards of the suit, times `SCALE`
- lowest, highest: cards of the hand below or above which no card of the suit is unseen
- takes: cards of the hand that would win the trick as it lies on the table
- known: cards that this seat passed to another, which holds them still
"""
SUITS = JOKER_SUIT + 1
"""After the blocks: the seat's cards and the unseen cards of every suit (unsuited jokers are one), times `SCALE`."""
SEAT_BLOCKS = ("winner",)
"""After the suits: blocks of one column per seat, in relative order.

- winner: who takes the trick as it lies on the table; nobody before its first card, or if it is dead
"""
SCALE = np.float32(1 / 6)


@jit
def write_counts(s: State, t: Tables, seat: int, row: Row, first: int) -> None:
    """Write the counts of a seat, those of cards and the blocks of seats, into a row from column `first` on."""
    write_card_counts(s, t, seat, row, first)
    seats = first + len(BLOCKS) * INT64(t.kinds) + 2 * SUITS
    spread(row, seats, winner(s, t, seat), seats + INT64(t.seats))


@jit
def write_card_counts(s: State, t: Tables, seat: int, row: Row, first: int) -> None:
    """Write the counts of cards, ``len(BLOCKS) * kinds + 2 * SUITS`` columns, into a row from column `first` on."""
    kinds = INT64(t.kinds)
    suits = first + len(BLOCKS) * kinds
    for column in range(first, first + 2 * kinds, 64):
        spread(row, column, NONE, suits)
    lows = highs = NONE
    for suit in range(SUITS):
        cards = t.suit_mask[suit]
        left = unseen(s, t, seat, cards)
        put(row, suits + suit, SCALE * count(s.hands, seat, cards, t.copies))
        put(row, suits + SUITS + suit, SCALE * left)
        own = s.hands[seat, 0] & cards
        while own:
            kind = INT64(lowest(own))
            below = unseen(s, t, seat, cards & (bit(kind) - ONE))
            above = left - below - unseen(s, t, seat, bit(kind))
            put(row, first + kind, SCALE * below)
            put(row, first + kinds + kind, SCALE * above)
            lows |= np.uint64(below == 0) << np.uint64(kind)
            highs |= np.uint64(above == 0) << np.uint64(kind)
            own &= own - ONE
    for block, cards in enumerate((lows, highs, taking(s, t, seat), known_cards(s, t, seat))):
        spread(row, first + (2 + block) * kinds, cards, suits)


@jit
def unseen(s: State, t: Tables, seat: int, cards: Mask) -> int:
    """Number of the given cards that a seat neither holds nor has seen played."""
    number = 0
    for plane in range(t.copies):
        number += popcount(t.pack[plane] & cards)
        number -= popcount(s.hands[seat, plane] & cards) + popcount(s.played[0, plane] & cards)
    return number


@jit
def taking(s: State, t: Tables, seat: int) -> Mask:
    """The cards of the hand that would win the trick as it lies on the table."""
    if s.phase != PLAY or s.trick_len == 0:
        return s.hands[seat, 0] if s.phase == PLAY else NONE
    suit, beaten = t.suit_mask[s.led_suit], NONE
    for place in range(s.trick_len):
        card = bit(s.trick[place])
        beaten |= card | (card - ONE) if card & suit else NONE
    return s.hands[seat, 0] & suit & ~beaten


@jit
def winner(s: State, t: Tables, seat: int) -> Mask:
    """The relative seat, as a bit, that takes the trick as it lies on the table."""
    if s.phase != PLAY or s.trick_len == 0:
        return NONE
    place = winning_place(t, s.trick, INT64(s.trick_len), INT64(s.led_suit))
    if place < 0:
        return NONE
    return bit(relative(INT64(s.history_seat[s.plies - s.trick_len + place]), seat, INT64(t.seats)))


@jit
def known_cards(s: State, t: Tables, seat: int) -> Mask:
    """The cards that the seat passed to another and that have not been played since."""
    cards = NONE
    if s.phase < PLAY or s.pass_option < 0:
        return cards
    lane = 0
    for move in range(t.option_len[s.pass_option]):
        to_pool = t.option_moves[s.pass_option, move, 0] == 0  # nobody knows where its cards went
        for _ in range(t.option_moves[s.pass_option, move, 1]):
            cards |= NONE if to_pool else bit(s.picks[seat, lane])
            lane += 1
    return cards & ~s.played[0, 0]


@jit
def encode_card_counts_all(states: Array, t: Tables, seats: Array, counts: Array) -> None:
    """Write the counts of cards of a seat of every record."""
    for i in range(states.shape[0]):
        write_card_counts(states[i], t, seats[i], row_of(counts, i), INT64(0))


@jit
def encode_inputs_all(states: Array, t: Tables, inputs: Array, masks: Array) -> None:
    """Write observation, counts and mask of the seat to act (of seat 0 after the end) of every record."""
    for i in range(states.shape[0]):
        seat = max(states[i].seat, 0)
        write_row(states[i], t, seat, row_of(inputs, i))
        write_counts(states[i], t, seat, row_of(inputs, i), INT64(t.obs_size))
        write_mask(states[i], t, seat, row_of(masks, i))
