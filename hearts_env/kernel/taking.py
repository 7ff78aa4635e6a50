"""Taking tricks: cards to their winner, dead tricks rolled over, the kitty handed out."""

from __future__ import annotations

import numpy as np

from hearts_env.kernel.bits import INT64, ONE, bit, lowest
from hearts_env.kernel.jit import jit
from hearts_env.kernel.points import points_taken
from hearts_env.kernel.records import Mask, State, Tables
from hearts_env.kernel.tricks import add_card, give_all, second_of_top_pair, winning_place
from hearts_env.ruleset.enums import DeadLastTrick, JokerScores, KittyAward

HEARTS = 2
FIRST_TRICK, FIRST_PENALTY, ONE_PER_TRICK, OUT_OF_PLAY, _ = (award.code for award in KittyAward)
SECOND_OF_TOP_PAIR = DeadLastTrick.SECOND_OF_TOP_PAIR.code
HEART_TRICK = JokerScores.HEART_TRICK.code
NONE = np.uint64(0)


@jit
def take_trick(s: State, t: Tables) -> None:
    """Give the trick on the table to its winner, who leads next, or let a dead one roll over."""
    length, led = INT64(s.trick_len), INT64(s.led_suit)
    place = winning_place(t, s.trick, length, led)
    last = s.plies == t.seats * t.hand_size
    if place < 0 and last:
        # trick.dead_last_trick: its leader takes it, or whoever played the second card of the highest pair
        place = second_of_top_pair(t, s.trick, length, led) if t.trick_dead_last_trick == SECOND_OF_TOP_PAIR else 0
    s.trick_number += 1
    s.led_suits |= 1 << led
    if place < 0:
        roll_over(s, t)
        return
    winner = INT64(s.history_seat[s.plies - length + place])
    if t.plain_trick:
        take_cards(s, t, winner, length)
    else:
        take_more(s, t, winner, last)
        for card in range(length):
            add_card(s.taken, winner, s.trick[card])
    if not (t.plain_trick and t.plain_score):
        s.points[winner, 0], s.points[winner, 1] = points_taken(s, t, winner, NONE, INT64(0), INT64(0))
    if s.first_winner < 0:
        s.first_winner = winner
    s.tricks_won[winner] += 1 + s.rolled_tricks
    s.rolled_tricks = 0
    s.trick_len = 0
    s.leader = winner


@jit
def take_cards(s: State, t: Tables, winner: int, length: int) -> None:
    """Give the winner the cards of a trick without identical ones, and their points."""
    cards = NONE
    for card in range(length):
        cards |= bit(s.trick[card])
    s.taken[winner, 0] |= cards
    cards &= t.valued
    while cards:
        kind = lowest(cards)
        s.points[winner, 0] += t.values[kind, 0]
        s.points[winner, 1] += t.values[kind, 1]
        cards &= cards - ONE


@jit
def count_idle_jokers(s: State, t: Tables) -> int:
    """Number of jokers in the trick that score nothing because no hearts were led."""
    # jokers.scores: heart_trick: a joker scores only if it is taken in a trick to which hearts were led
    idle = 0
    for place in range(s.trick_len if t.jokers_scores == HEART_TRICK and s.led_suit != HEARTS else 0):
        idle += t.jokers & bit(s.trick[place]) != 0
    return idle


@jit
def roll_over(s: State, t: Tables) -> None:
    """Lay a dead trick aside for the winner of the next one; the same seat leads again."""
    s.rolled_idle += count_idle_jokers(s, t)
    for place in range(s.trick_len):
        add_card(s.rolled_over, 0, s.trick[place])
    s.rolled_tricks += 1
    s.trick_len = 0


@jit
def take_more(s: State, t: Tables, winner: int, last: bool) -> None:
    """Give the winner of a trick what comes with it: cards of dead tricks and of the kitty."""
    s.idle_jokers[winner] += s.rolled_idle + count_idle_jokers(s, t)
    s.rolled_idle = 0
    if s.kitty_given < t.kitty_size and t.deck_kitty_award != OUT_OF_PLAY:
        to = kitty_until(s, t, last)
        for card in range(s.kitty_given, to):
            s.kitty_seat[card] = winner
        s.kitty_given = to
    if s.rolled_tricks:
        give_all(s.rolled_over, 0, s.taken, winner)


@jit
def kitty_until(s: State, t: Tables, last: bool) -> int:
    """Number of cards of the kitty that have been taken after this trick."""
    # deck.kitty_award: who takes the kitty; the last trick takes what is left of it
    if (
        last
        or t.deck_kitty_award == FIRST_TRICK
        or (t.deck_kitty_award == FIRST_PENALTY and holds_one_of(s, t.hearts | t.penalty))
    ):
        return t.kitty_size
    if t.deck_kitty_award == ONE_PER_TRICK:
        return min(s.kitty_given + 1 + s.rolled_tricks, t.kitty_size)
    return s.kitty_given


@jit
def holds_one_of(s: State, cards: Mask) -> bool:
    """True if the trick, or a dead one that comes with it, holds one of the cards."""
    if s.rolled_over[0, 0] & cards:
        return True
    for place in range(s.trick_len):
        if bit(s.trick[place]) & cards:
            return True
    return False


@jit
def take_kitty(s: State, t: Tables) -> None:
    """Put the cards of the kitty among those their takers took: known to all from now on."""
    for card in range(t.kitty_size):
        if s.kitty_seat[card] >= 0:
            add_card(s.taken, s.kitty_seat[card], s.kitty[card])
            # a joker from the kitty was played to no trick, so to none of hearts
            s.idle_jokers[s.kitty_seat[card]] += t.jokers_scores == HEART_TRICK and t.jokers & bit(s.kitty[card]) != 0
