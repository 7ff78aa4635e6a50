"""Counts that networks read beside the observation: what a player keeps track of, card by card.

The first layer of a network adds up its inputs. To find out that nothing unseen beats a card it would have to compare
sums for every card, which takes many units; these columns do it exactly. What they are worth on labelled decisions:
training/README.md, "Distillation".
"""

from __future__ import annotations

import numpy as np

from hearts_env.kernel.bits import INT64, bit
from hearts_env.kernel.jit import jit
from hearts_env.kernel.observe import encode, encode_mask
from hearts_env.kernel.records import JOKER_SUIT, Array, Phase, State, Tables
from hearts_env.kernel.tricks import count

PLAY = Phase.PLAY.value
BLOCKS = ("below", "above", "lowest", "highest", "takes", "known")
"""Blocks of one column per kind of card, in this order:

- below, above: for own cards, the number of unseen lower and higher cards of the suit, times `SCALE`
- lowest, highest: own cards below or above which no card of the suit is unseen
- takes: own cards that would be the winning one on the table
- known: cards that this seat passed to another, which holds them still
"""
SUITS = JOKER_SUIT + 1
"""After the blocks: the own and the unseen cards of every suit (unsuited jokers are one), times `SCALE`."""
SCALE = np.float32(1 / 6)


@jit
def encode_counts(s: State, t: Tables, seat: int, out: Array) -> None:
    """Write the counts of a seat into a row of ``len(BLOCKS) * kinds + 2 * SUITS`` floats."""
    for column in range(out.shape[0]):
        out[column] = np.float32(0)
    kinds, suits = INT64(t.kinds), len(BLOCKS) * INT64(t.kinds)
    top = highest_on_table(s, t)
    place, last, below = 0, INT64(-1), 0
    for kind in range(kinds):
        card, suit = bit(kind), INT64(t.suit_of[kind])
        below = below if suit == last else 0
        last = suit
        own = count(s.hands, seat, card, t.copies)
        unseen = -own - count(s.played, 0, card, t.copies)
        while place < t.deck_size and t.deck[place] == kind:
            unseen += 1
            place += 1
        out[suits + suit] += SCALE * own
        out[suits + SUITS + suit] += SCALE * unseen
        if own:
            out[kind] = SCALE * below
            out[kinds + kind] = SCALE * unseen
            out[2 * kinds + kind] = np.float32(below == 0)
            takes = s.phase == PLAY and (s.trick_len == 0 or (suit == s.led_suit and kind > top))
            out[4 * kinds + kind] = np.float32(takes)
        below += unseen
    finish_above(s, t, seat, out)
    mark_known(s, t, seat, out, 5 * kinds)


@jit
def finish_above(s: State, t: Tables, seat: int, out: Array) -> None:
    """Write `above` and `highest`, from the totals of the suits and what is below."""
    kinds, suits = INT64(t.kinds), len(BLOCKS) * INT64(t.kinds)
    for kind in range(kinds):
        if count(s.hands, seat, bit(kind), t.copies):
            total = out[suits + SUITS + INT64(t.suit_of[kind])]
            above = total - out[kind] - out[kinds + kind]
            out[kinds + kind] = above if above > np.float32(0.01) else np.float32(0)
            out[3 * kinds + kind] = np.float32(above <= np.float32(0.01))


@jit
def highest_on_table(s: State, t: Tables) -> int:
    """The highest card of the suit led that lies on the table, or -1."""
    top = -1
    for place in range(s.trick_len):
        kind = INT64(s.trick[place])
        if INT64(t.suit_of[kind]) == s.led_suit and kind > top:
            top = kind
    return top


@jit
def mark_known(s: State, t: Tables, seat: int, out: Array, start: int) -> None:
    """Mark the cards that the seat passed to another and that have not been played since."""
    if s.phase < PLAY or s.pass_option < 0:
        return
    lane = 0
    for move in range(t.option_len[s.pass_option]):
        for _ in range(t.option_moves[s.pass_option, move, 1]):
            kind = INT64(s.picks[seat, lane])
            gone = count(s.played, 0, bit(kind), t.copies) > 0
            if t.option_moves[s.pass_option, move, 0] != 0 and not gone:  # nobody knows where cards of the pool went
                out[start + kind] = np.float32(1)
            lane += 1


@jit
def encode_counts_all(states: Array, t: Tables, seats: Array, counts: Array) -> None:
    """Write the counts of a seat of every record."""
    for i in range(states.shape[0]):
        encode_counts(states[i], t, seats[i], counts[i])


@jit
def encode_inputs_all(states: Array, t: Tables, inputs: Array, masks: Array) -> None:
    """Write observation, counts and mask of the seat to act (of seat 0 after the end) of every record."""
    columns = INT64(t.obs_size)
    for i in range(states.shape[0]):
        seat = max(states[i].seat, 0)
        encode(states[i], t, seat, inputs[i, :columns])
        encode_counts(states[i], t, seat, inputs[i, columns:])
        encode_mask(states[i], t, seat, masks[i])
