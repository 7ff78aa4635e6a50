"""Random rules, random play in compiled code: what must hold in every state, and what a seat must not notice.

A case plays 512 matches side by side. After random numbers of decisions all states are checked, and for a few seats the
hidden cards are dealt anew (a world sampled for the seat's view): nothing that the seat sees may change. A second part
also replays the deal so far in such worlds, so that no number derived from hidden cards may show either.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

import hearts_env as he
from hearts_env.compiled.game import Game, compile_game
from hearts_env.kernel import batch
from hearts_env.kernel.deduce.sampling import sample_all
from hearts_env.kernel.observe import hide
from hearts_env.kernel.records import STATE, Phase
from hearts_env.kernel.tricks import add_card
from hearts_env.ruleset.limits import KINDS
from hearts_env.seat.observation import layout_of, observation_bounds
from hearts_env.seat.scratch import scratch_records
from tests.journey.stops import seen

GAMES, CHECKS, STRETCH = 512, 15, 160
"""Matches side by side; how often they are checked; the most decisions in each before a check."""
VIEWS, WORLDS = 8, 8
"""Views whose hidden cards are dealt anew at every check, and how often each."""
REPLAYED = 12
"""Deals that are replayed in other worlds."""


def check(rules: he.Rules, seed: int) -> None:
    """Play; raises AssertionError at the first thing that is wrong."""
    game, rng = compile_game(rules), np.random.default_rng(seed)
    states = np.zeros(GAMES, STATE)
    batch.start_all(states, game.tables, _words(rng, GAMES), 0, 0)
    word = _words(rng, 1)[0]
    for _ in range(CHECKS):
        word = np.uint64(batch.play_random(states, game.tables, word, GAMES * int(rng.integers(1, STRETCH))))
        check_states(game, states)
        for row in rng.integers(GAMES, size=VIEWS):
            perturb(game, states[row], int(rng.integers(game.seats)), rng)
    replay_deals(game, rng)


def _words(rng: np.random.Generator, count: int) -> NDArray[np.uint64]:
    return rng.integers(2**64, size=count, dtype=np.uint64)


def _demand(holds: Any, game: Game, states: NDArray[Any], what: str) -> None:
    """Raise AssertionError, naming the first state, unless something holds in all states."""
    wrong = np.flatnonzero(~np.broadcast_to(np.asarray(holds), len(states)))
    if len(wrong):
        s = states[wrong[0]]
        where = f"match {s['seed']}, deal {s['deal_number']}, phase {Phase(int(s['phase'])).name}, ply {s['plies']}"
        raise AssertionError(f"{what} ({game.rules}, {where}, {len(wrong)} of {len(states)} states)")


# Invariants


def check_states(game: Game, states: NDArray[Any]) -> None:
    """What holds in every state."""
    t = game.tables
    deck = np.bincount([game.deck.kind(card) for card in game.deck.cards], minlength=KINDS)
    _demand((cards_of(game, states) == deck).all(axis=1), game, states, "the cards are not those of the pack")
    rows = np.empty((len(states), int(t["obs_size"])), np.float32)
    masks = np.empty((len(states), len(game.actions)), np.int8)
    batch.encode_all(states, t, rows, masks)
    _demand((masks.sum(axis=1) > 0) & ((masks == 0) | (masks == 1)).all(axis=1), game, states, "no action is legal")
    low, high = observation_bounds(game)
    for name, field in layout_of(game).items():
        part = rows[:, field.columns]
        inside = ((part >= low[field.columns]) & (part <= high[field.columns])).all(axis=1)
        _demand(inside, game, states, f"the observation's {name} is out of its bounds")
    seats, size = game.seats, game.hand_size
    won = states["tricks_won"][:, :seats].sum(axis=1) + states["rolled_tricks"]
    _demand(won == states["trick_number"], game, states, "the tricks won are not the tricks played")
    _demand((states["trick_number"] <= size) & (states["plies"] <= seats * size), game, states, "the deal is too long")
    _demand((states["seat"] >= 0) & (states["seat"] < seats), game, states, "nobody is to act")
    least, most = game.point_bounds
    scored = states["scored"][:, :seats].reshape(len(states), -1)
    inside = ((scored >= least) & (scored <= most)).all(axis=1) | (states["deal_number"] == 0)
    _demand(inside, game, states, "the points of a deal are out of their bounds")


def cards_of(game: Game, states: NDArray[Any]) -> NDArray[np.int64]:
    """How often each kind lies anywhere at the table, (n, KINDS)."""
    n, seats = len(states), game.seats
    found = _kinds_in(states["hands"][:, :seats].reshape(n, -1)) + _kinds_in(states["taken"][:, :seats].reshape(n, -1))
    found += _kinds_in(states["rolled_over"].reshape(n, -1))
    phase = states["phase"]
    found += _listed(states["trick"], states["trick_len"])
    given = np.isin(phase, (Phase.MOON, Phase.SIGN, Phase.EXACT)) & (game.rules.deck.kitty_award != "out_of_play")
    found += _listed(states["kitty"], np.where(given, 0, int(game.tables["kitty_size"])))
    lanes = np.where(states["pass_option"] >= 0, game.tables["option_cards"][states["pass_option"]], 0)
    for seat in range(seats):  # cards put aside to be passed
        acting, picked = states["seat"], states["picked"]
        first = np.where(seat < acting, lanes, np.where(seat == acting, picked, 0))
        again = np.where(seat == acting, picked, lanes)  # a card was refused
        aside = np.where(phase == Phase.REFUSE, lanes, np.where(states["refuser"] >= 0, again, first))
        found += _listed(states["picks"][:, seat], np.where(np.isin(phase, (Phase.PASS, Phase.REFUSE)), aside, 0))
    return found


def _kinds_in(masks: Any) -> NDArray[np.int64]:
    """How many of the masks (n, m) have each kind, (n, KINDS)."""
    bits = np.unpackbits(np.ascontiguousarray(masks).view(np.uint8), axis=1, bitorder="little")
    return np.asarray(bits.reshape(*masks.shape, 64).sum(axis=1, dtype=np.int64)[:, :KINDS])


def _listed(kinds: Any, lengths: Any) -> NDArray[np.int64]:
    """How often each kind is among the first of a list (n, m), (n, KINDS)."""
    n, width = kinds.shape
    valid = np.arange(width) < np.asarray(lengths)[:, None]
    places = (np.arange(n)[:, None] * KINDS + kinds)[valid]
    return np.bincount(places, minlength=n * KINDS).reshape(n, KINDS)


# Hidden cards


def worlds_of(game: Game, view: Any, seat: int, count: int, rng: np.random.Generator) -> NDArray[Any]:
    """Worlds that agree with a view."""
    worlds = np.zeros(count, STATE)
    hidden, scratch = scratch_records()
    if sample_all(view, game.tables, seat, _words(rng, 1)[0], hidden[0], scratch[0], worlds) < count:
        _demand(False, game, np.array([view]), f"no deal agrees with the view of seat {seat}")
    return worlds


def perturb(game: Game, record: Any, seat: int, rng: np.random.Generator) -> int:
    """Deal what a seat cannot see anew: it must see the same."""
    view = np.array([record])
    hide(view[0], game.tables, seat)
    row = seen(game, record, seat)
    worlds = worlds_of(game, view[0], seat, WORLDS, rng)
    same = cards_of(game, worlds) == cards_of(game, np.array([record]))
    _demand(same.all(axis=1), game, worlds, f"a world of seat {seat} has other cards")
    for world in worlds:
        same_row = seen(game, world, seat) == row
        _demand(same_row, game, view, f"seat {seat} observes hidden cards")
        hide(world, game.tables, seat)
    _demand([world.tobytes() == view.tobytes() for world in worlds], game, worlds, f"seat {seat}'s view shows them")
    return len(worlds)


def replay_deals(game: Game, rng: np.random.Generator) -> int:
    """Play deals, and replay them from the opening lead in worlds of one seat; returns the number of replays."""
    states, t = np.zeros(REPLAYED, STATE), game.tables
    batch.start_all(states, t, _words(rng, REPLAYED), 0, 1)
    opened, first, word = states.copy(), np.full(REPLAYED, -1), _words(rng, 1)[0]
    log: list[NDArray[np.int64]] = []
    done = 0
    while (states["phase"] != Phase.OVER).any():
        opening = (states["phase"] == Phase.PLAY) & (states["plies"] == 0) & (first < 0)
        opened[opening], first[opening] = states[opening], len(log)
        in_play = np.flatnonzero(np.isin(states["phase"], (Phase.PLAY, Phase.SUIT)))
        if len(in_play) and rng.random() < 0.3:
            row, seat = int(rng.choice(in_play)), int(rng.integers(game.seats))
            actions = [taken[row] for taken in log[first[row] :]]
            done += replay(game, opened[row : row + 1], actions, states[row : row + 1], seat, rng)
        actions_now = np.zeros(REPLAYED, np.int64)
        word = np.uint64(batch.random_actions(states, t, word, actions_now))
        log.append(actions_now)
        batch.step_all(states, game.table, actions_now)
    return done


def replay(game: Game, opened: Any, actions: list[Any], now: NDArray[Any], seat: int, rng: np.random.Generator) -> int:
    """Take the same actions in other worlds of a seat: all are legal there, and lead to the same view."""
    t, view = game.tables, now.copy()
    hide(view[0], t, seat)
    worlds = worlds_of(game, view[0], seat, 4, rng)
    tables = np.repeat(opened, len(worlds))
    others = [other for other in range(game.seats) if other != seat]
    for name in ("picks", "received", "hands"):
        tables[name][:, others] = worlds[name][:, others]
    tables["kitty"], tables["seed"] = worlds["kitty"], worlds["seed"]
    for table in tables:
        for ply in range(int(view["plies"][0])):
            if view["history_seat"][0, ply] != seat:
                add_card(table["hands"], int(view["history_seat"][0, ply]), int(view["history"][0, ply]))
    for action in actions:
        same = np.full(len(tables), action, np.int64)
        if batch.first_illegal(tables, game.table, np.arange(len(tables)), same) >= 0:
            _demand(False, game, now, f"a world of seat {seat} in which {game.actions[action]} was illegal")
        batch.step_all(tables, game.table, same)
    for table in tables:
        hide(table, t, seat)
    _demand(
        [table.tobytes() == view.tobytes() for table in tables], game, tables, f"seat {seat} could tell worlds apart"
    )
    return len(tables)
