"""The course of a match: deal, pass, play, score, and on to the next deal."""

from __future__ import annotations

import numpy as np

from hearts_env.kernel.bits import ONE, advance, below, bit, lowest, mix, popcount
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import legal
from hearts_env.kernel.records import NOBODY, Mask, Phase, State, Tables
from hearts_env.kernel.scoring import (
    BOTH,
    OTHERS,
    SELF,
    add_to_totals,
    best_choice,
    ends_with,
    exact_hit,
    find_shooter,
    moon_choices,
    score,
    taker,
    tally,
)
from hearts_env.kernel.tricks import add_card, remove_card, winning_place

DIRECTION, PASS, PLAY, MOON, EXACT, OVER = (phase.value for phase in Phase)
_NOBODY = NOBODY


@jit
def start_match(s: State, t: Tables, seed: Mask, deal_limit: int) -> None:
    """Reset a record to the first deal of the match that `seed` fixes; `deal_limit` 0 plays to the end."""
    s.seed = seed
    s.deal_limit = deal_limit
    s.deal_number = 0
    s.due = 0
    s.dealer = below(mix(seed), t.seats)
    for seat in range(t.seats):
        s.totals[seat, 0] = 0
        s.totals[seat, 1] = 0
        s.streak[seat] = 0
    start_deal(s, t)


@jit
def start_deal(s: State, t: Tables) -> None:
    """Shuffle, deal and go to the first decision of deal `deal_number`."""
    shuffle(s, t)
    clear_deal(s, t)
    begin(s, t, draw_entry(s, t))


@jit
def deal_random(s: State) -> Mask:
    """The generator of deal `deal_number`: it depends on that and `seed` only, never on how the cards were played."""
    return mix(s.seed ^ mix(np.uint64(s.deal_number)))


@jit
def draw_entry(s: State, t: Tables) -> int:
    """The entry of the pass cycle for this deal."""
    return below(mix(deal_random(s)), t.entries) if t.random_entry else s.deal_number % t.entries


@jit
def shuffle(s: State, t: Tables) -> None:
    """Deal the pack."""
    rng = deal_random(s)
    left = np.int64(t.deck_size)
    for place in range(left):
        s.history[place] = t.deck[place]  # scratch until the first card is played
    for seat in range(t.seats):
        s.hands[seat, 0] = 0
        s.hands[seat, 1] = 0
        for _ in range(t.hand_size):
            rng = advance(rng)
            place = below(mix(rng), left)
            left -= 1
            add_card(s.hands, seat, s.history[place])
            s.history[place] = s.history[left]
    for place in range(t.deck_size):
        s.history[place] = 0  # what shuffling leaves there would tell a view of hidden cards


@jit
def clear_deal(s: State, t: Tables) -> None:
    """Forget everything about the last deal but totals and streaks."""
    for seat in range(t.seats):
        s.taken[seat, 0] = 0
        s.taken[seat, 1] = 0
        s.points[seat, 0] = 0
        s.points[seat, 1] = 0
        s.tricks_won[seat] = 0
        s.voids[seat] = 0
    s.gone[0, 0] = 0
    s.gone[0, 1] = 0
    s.plies = 0
    s.trick_len = 0
    s.trick_number = 0
    s.picked = 0
    s.broken = 0
    s.led_suits = 0
    s.led_suit = _NOBODY
    s.leader = _NOBODY
    s.first_winner = _NOBODY
    s.shooter = _NOBODY
    s.moon_choices = 0
    s.moon_choice = _NOBODY
    s.next_dealer = _NOBODY


@jit
def begin(s: State, t: Tables, entry: int) -> None:
    """Go to the first decision of a deal: the dealer's call, the first pick or the opening lead."""
    options = t.entry_options[entry]
    s.pass_entry = entry
    if popcount(options) > 1:
        s.pass_option = _NOBODY
        s.phase = DIRECTION
        s.seat = s.dealer
    else:
        choose_pass(s, t, lowest(options))


@jit
def choose_pass(s: State, t: Tables, option: int) -> None:
    """Settle how the deal is passed."""
    s.pass_option = option
    if t.option_cards[option]:
        s.phase = PASS
        s.seat = 0
    else:
        open_play(s, t)


@jit
def pick(s: State, t: Tables, kind: int) -> None:
    """Put one more card aside to pass; once every seat has, exchange them all."""
    seat = s.seat
    remove_card(s.hands, seat, kind)
    s.picks[seat, s.picked] = kind
    s.picked += 1
    if s.picked == t.option_cards[s.pass_option]:
        s.picked = 0
        s.seat += 1
        if s.seat == t.seats:
            exchange(s, t)
            open_play(s, t)


@jit
def exchange(s: State, t: Tables) -> None:
    """Hand every pick to its receiver; lane by lane, so that a seat knows which seat each card came from."""
    option = s.pass_option
    lane = 0
    for move in range(t.option_len[option]):
        offset = t.option_moves[option, move, 0]
        for _ in range(t.option_moves[option, move, 1]):
            for seat in range(t.seats):
                to = seat + offset
                if to >= t.seats:
                    to -= t.seats
                s.received[to, lane] = s.picks[seat, lane]
                add_card(s.hands, to, s.picks[seat, lane])
            lane += 1


@jit
def open_play(s: State, t: Tables) -> None:
    """Go to the opening lead."""
    s.phase = PLAY
    leader = s.dealer + 1 if s.dealer + 1 < t.seats else 0
    for seat in range(t.seats):
        if s.hands[seat, 0] & t.opener:
            leader = seat
    s.leader = leader
    s.seat = leader


@jit
def play(s: State, t: Tables, kind: int) -> None:
    """Play a card from the seat to act."""
    seat = s.seat
    remove_card(s.hands, seat, kind)
    add_card(s.gone, 0, kind)
    s.history[s.plies] = kind
    s.history_seat[s.plies] = seat
    s.plies += 1
    suit = t.suit_of[kind]
    if s.trick_len == 0:
        s.led_suit = suit
        s.led_suits |= 1 << suit
    elif suit != s.led_suit:
        s.voids[seat] |= 1 << s.led_suit
    card = bit(kind)
    if t.breaking & card and (not t.break_on_discard or suit != s.led_suit or (s.trick_len == 0 and t.hearts & card)):
        s.broken = 1
    s.trick[s.trick_len] = kind
    s.trick_len += 1
    if s.trick_len == t.seats:
        end_trick(s, t)
    else:
        s.seat = seat + 1 if seat + 1 < t.seats else 0


@jit
def end_trick(s: State, t: Tables) -> None:
    """Give the trick to its winner, who leads next."""
    winner = s.leader + winning_place(t, s.trick, s.trick_len)
    if winner >= t.seats:
        winner -= t.seats
    for place in range(s.trick_len):
        kind = s.trick[place]
        add_card(s.taken, winner, kind)
        s.points[winner, 0] += t.values[kind, 0]
        s.points[winner, 1] += t.values[kind, 1]
    if s.trick_number == 0:
        s.first_winner = winner
    s.tricks_won[winner] += 1
    s.trick_number += 1
    s.trick_len = 0
    s.leader = winner
    s.seat = winner
    if s.trick_number == t.hand_size:
        end_deal(s, t)


@jit
def end_deal(s: State, t: Tables) -> None:
    """Score a deal that is played out, asking the shooter first where there is a choice."""
    s.shooter = find_shooter(s, t)
    if s.shooter < 0:
        settle(s, t, OTHERS)
        return
    choices = moon_choices(s, t)
    if choices == BOTH and not t.moon_auto:
        tally(s, t)
        s.moon_choices = choices
        s.phase = MOON
        s.seat = s.shooter
    else:
        settle(s, t, best_choice(s, t, choices))


@jit
def settle(s: State, t: Tables, choice: int) -> None:
    """Score the deal with the moon settled by `choice`, then look for exact hits."""
    if s.shooter >= 0:
        s.moon_choice = choice
    score(s, t, choice)
    for seat in range(t.seats):
        s.scored[seat, 0] = s.points[seat, 0]
        s.scored[seat, 1] = s.points[seat, 1]
    add_to_totals(s, t)
    next_hit(s, t, 0)


@jit
def next_hit(s: State, t: Tables, first_seat: int) -> None:
    """Apply exact hits from `first_seat` on, stopping at a seat that may decline."""
    for seat in range(first_seat, t.seats):
        hit = exact_hit(s, t, seat)
        if hit >= 0 and t.exact_optional:
            s.phase = EXACT
            s.seat = seat
            return
        if hit >= 0:
            s.totals[seat, 0] += t.exact_change[hit]
    conclude(s, t)


@jit
def conclude(s: State, t: Tables) -> None:
    """End the match, or deal again."""
    owner = taker(s, t, t.dealer_card)
    s.next_dealer = owner if owner >= 0 else (s.dealer + 1 if s.dealer + 1 < t.seats else 0)
    if ends_with(s, t, False) or s.deal_number + 1 == s.deal_limit:
        s.phase = OVER
        s.seat = _NOBODY
        return
    s.dealer = s.next_dealer
    s.deal_number += 1
    start_deal(s, t)


@jit
def set_position(s: State, t: Tables, seed: Mask, dealer: int, deal_number: int, passing: bool, leader: int) -> None:
    """Go to the first decision of a deal whose hands and totals the caller has filled in; `leader` -1 follows the
    rules.
    """
    s.seed = seed
    s.dealer = dealer
    s.deal_number = deal_number
    s.due = 0
    clear_deal(s, t)
    if passing:
        begin(s, t, draw_entry(s, t))
        return
    s.pass_option = _NOBODY
    open_play(s, t)
    if leader >= 0:
        s.leader = leader
        s.seat = leader


@jit
def score_position(s: State, t: Tables, choice: int) -> bool:
    """Score a record whose taken cards, tricks won and totals the caller has filled in.

    `choice` settles the moon (-1: the best allowed); a seat takes an exact hit it may decline if that lowers its total.
    `phase` becomes OVER if the match ends. Returns False, with nothing scored, if the choice is not allowed.
    """
    s.shooter = find_shooter(s, t)
    if s.shooter >= 0:
        choices = moon_choices(s, t)
        if choice < 0:
            choice = best_choice(s, t, choices)
        elif choice <= OTHERS and choices <= BOTH and not choices >> choice & 1:
            return False
        elif choices > BOTH:
            choice = best_choice(s, t, choices)
        s.moon_choice = choice
    score(s, t, choice)
    add_to_totals(s, t)
    for seat in range(t.seats):
        hit = exact_hit(s, t, seat)
        if hit >= 0 and not (t.exact_optional and t.exact_change[hit] > 0):
            s.totals[seat, 0] += t.exact_change[hit]
    s.phase = OVER if ends_with(s, t, False) else PLAY
    return True


@jit
def step(s: State, t: Tables, action: int) -> None:
    """Take one legal action (the caller has checked it)."""
    phase = s.phase
    if phase == PLAY:
        play(s, t, action)
    elif phase == PASS:
        pick(s, t, action)
    elif phase == MOON:
        settle(s, t, SELF if action == t.moon_action + SELF else OTHERS)
    elif phase == EXACT:
        seat = s.seat
        if action == t.exact_action:
            s.totals[seat, 0] += t.exact_change[exact_hit(s, t, seat)]
        next_hit(s, t, seat + 1)
    else:
        choose_pass(s, t, action - t.direction_action)


@jit
def random_action(s: State, t: Tables, word: Mask) -> int:
    """A uniformly random legal action from a random word."""
    left = legal(s, t)
    for _ in range(below(word, popcount(left))):
        left &= left - ONE
    kind = lowest(left)
    return kind if s.phase == PLAY or s.phase == PASS else kind + t.kinds
