"""The loops over many games, and a few entry points for one.

`states` is an array of `STATE` records, `t` one `TABLES` record, `table` an array of one: from Python an array is
passed in 0.3 us, a record of this size in 28. Nothing here allocates; the interpreter lock is released.
"""

from __future__ import annotations

from hearts_env.kernel.bits import advance, mix
from hearts_env.kernel.blocks import row_of
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import is_legal, legal
from hearts_env.kernel.observe import encode_hidden, encode_tokens, hide
from hearts_env.kernel.records import Array, Mask, Phase, Tables
from hearts_env.kernel.rows import known_picks, write_mask, write_row
from hearts_env.kernel.steps import random_action, random_of, start_match, step
from hearts_env.kernel.tricks import add_cards

REFUSE, PASS, OVER = Phase.REFUSE.value, Phase.PASS.value, Phase.OVER.value


@jit
def start_all(states: Array, t: Tables, seeds: Array, first_deal: int, deals: int) -> None:
    """Start the episode that `seeds[i]` fixes in every record; see `start_match`."""
    for i in range(states.shape[0]):
        start_match(states[i], t, seeds[i], first_deal, deals)


@jit
def first_illegal(states: Array, table: Array, rows: Array, actions: Array) -> int:
    """The first index i whose action is not legal in record `rows[i]`, or -1; finished matches take any action."""
    t = table[0]
    for i in range(rows.shape[0]):
        s = states[rows[i]]
        if s.phase != OVER and not is_legal(s, t, actions[i]):
            return i
    return -1


@jit
def step_all(states: Array, table: Array, actions: Array) -> None:
    """Take one legal action in every record that is not over."""
    t = table[0]
    for i in range(states.shape[0]):
        if states[i].phase != OVER:
            step(states[i], t, actions[i])


@jit
def take_views(states: Array, table: Array, rows: Array, views: Array) -> None:
    """Copy records `rows` into `views`, each with everything its seat to act may not know erased."""
    t = table[0]
    for i in range(rows.shape[0]):
        views[i] = states[rows[i]]
        hide(views[i], t, views[i].seat)


@jit
def take_view(states: Array, table: Array, seat: int, views: Array) -> None:
    """Copy the first record into the first of `views`, with everything `seat` may not know erased."""
    views[0] = states[0]
    hide(views[0], table[0], seat)


@jit
def legal_first(states: Array, table: Array) -> Mask:
    """`legal` of the first record."""
    return legal(states[0], table[0])


@jit
def step_first(states: Array, table: Array, action: int) -> bool:
    """`step` of the first record. Returns False, with nothing changed, if the action is illegal."""
    if not is_legal(states[0], table[0], action):
        return False
    step(states[0], table[0], action)
    return True


@jit
def encode_all(states: Array, t: Tables, observations: Array, masks: Array) -> None:
    """Write observation and mask of the seat to act (of seat 0 after the end) of every record."""
    for i in range(states.shape[0]):
        seat = max(states[i].seat, 0)
        write_row(states[i], t, seat, row_of(observations, i))
        write_mask(states[i], t, seat, row_of(masks, i))


@jit
def encode_hidden_all(states: Array, tables: Array, games: Array, seats: Array, width: int, out: Array) -> None:
    """Write the hands that a seat of every record does not see, then 0; `games` are places in `tables`."""
    for i in range(states.shape[0]):
        t = tables[games[i]]
        encode_hidden(states[i], t, seats[i], width, out[i])
        out[i, (t.seats - 1) * width :] = 0


@jit
def write_holdings(states: Array, t: Tables, out: Array) -> None:
    """Add the cards of every seat, those it has picked to pass included, to `out` (n, seats, kinds)."""
    for i in range(states.shape[0]):
        s = states[i]
        for seat in range(t.seats):
            add_cards(t, s.hands, seat, 1, out[i])
            for place in range(known_picks(s, t, seat, False) if s.phase == PASS or s.phase == REFUSE else 0):
                out[i, seat, s.picks[seat, place]] += 1


@jit
def encode_tokens_all(states: Array, t: Tables, rows: Array, tokens: Array) -> None:
    """Write the deal so far as tokens (n, length) for the seat to act of the records `rows`."""
    for i in range(rows.shape[0]):
        s = states[rows[i]]
        encode_tokens(s, t, max(s.seat, 0), tokens[rows[i]])


@jit
def random_actions(states: Array, t: Tables, rng: Mask, actions: Array) -> Mask:
    """A uniformly random legal action for every record that is not over. Returns the generator."""
    for i in range(states.shape[0]):
        rng = advance(rng)
        if states[i].phase != OVER:
            actions[i] = random_action(states[i], t, mix(rng))
    return rng


@jit
def play_random(states: Array, t: Tables, rng: Mask, decisions: int) -> Mask:
    """Uniformly random play, game after game: `decisions` in all, each finished match followed by a new one. Returns
    the generator.
    """
    per_game = decisions // states.shape[0]
    for i in range(states.shape[0]):
        s = states[i]
        for _ in range(per_game):
            rng = advance(rng)
            step(s, t, random_action(s, t, mix(rng)))
            if s.phase == OVER:
                start_match(s, t, mix(rng), 0, 0)
    return rng


@jit
def play_random_observed(
    states: Array, t: Tables, rng: Mask, rounds: int, actions: Array, observations: Array, masks: Array
) -> Mask:
    """Like `play_random` in lockstep, each step writing the observation and mask of the seat to act next, and drawing
    one of the actions that the mask shows; `actions` holds the first ones. Returns the generator.
    """
    for _ in range(rounds):
        for i in range(states.shape[0]):
            s = states[i]
            rng = advance(rng)
            step(s, t, actions[i])
            if s.phase == OVER:
                start_match(s, t, mix(rng), 0, 0)
            write_row(s, t, s.seat, row_of(observations, i))
            actions[i] = random_of(s, t, write_mask(s, t, s.seat, row_of(masks, i)), mix(rng))
    return rng
