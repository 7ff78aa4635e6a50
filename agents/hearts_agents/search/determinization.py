"""Determinization: drawing worlds that agree with a view, and their importance weights."""

from __future__ import annotations

import numpy as np

from hearts_agents.rule.choose import choose
from hearts_agents.search.players import player_action, seat_players
from hearts_agents.search.rollout import is_random
from hearts_agents.search.workspace import SCRATCH, SearchWorkspace
from hearts_env.kernel.bits import INT64, ONE, advance, mix
from hearts_env.kernel.deduce.constraints import replay, rewind
from hearts_env.kernel.deduce.sampling import sample
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import legal
from hearts_env.kernel.records import Array, Mask, Phase, State, Tables
from hearts_env.kernel.tricks import add_card, remove_card
from hearts_env.ruleset.limits import PICKS

PASS, PLAY, SUIT = Phase.PASS.value, Phase.PLAY.value, Phase.SUIT.value


@jit
def draw_worlds(view: State, t: Tables, ws: SearchWorkspace, worlds: Array) -> None:
    """Fill `worlds` with worlds number `ws.tried` and following of the view that the search began with.

    While nothing is known about the other hands, worlds come in groups in which every card goes once to (nearly) every
    holder: each world is as likely as before, but the means over worlds vary less (stratified sampling).
    """
    for place in range(worlds.shape[0]):
        draw_world(view, t, ws, ws.tried + place, worlds, place)


@jit
def draw_world(view: State, t: Tables, ws: SearchWorkspace, number: int, worlds: Array, place: int) -> None:
    me = INT64(view.seat)
    group = max(INT64(ws.hidden.holders) if ws.hidden.constrained == 0 else INT64(1), 1)
    rng = mix(ws.word ^ mix(np.uint64(number // group)))
    ws.hidden.rotation = number % group
    sample(view, t, me, rng, ws.hidden, ws.states[SCRATCH], worlds, place)
    worlds[place].deal_limit = view.deal_number + 1
    if view.phase == PASS:
        seat_players(view, t, ws, number)
        pick_again(worlds[place], t, ws, me, rng)


@jit
def pick_again(s: State, t: Tables, ws: SearchWorkspace, seat: int, rng: Mask) -> None:
    """Let the seats that have picked already pick again, by the policy: the sampler drew their picks at random."""
    acting, picked = s.seat, s.picked
    count = t.option_cards[s.pass_option]
    for other in range(acting):
        if other == seat:
            continue
        for lane in range(count):
            add_card(s.hands, other, s.picks[other, lane])
        s.seat = other
        for lane in range(count):
            s.picked = lane
            kind = player_action(s, t, ws, advance(rng + np.uint64(other * PICKS + lane)))
            remove_card(s.hands, other, kind)
            s.picks[other, lane] = kind
    s.seat, s.picked = acting, picked


@jit
def weigh_worlds(view: State, t: Tables, ws: SearchWorkspace, worlds: Array, weights: Array) -> None:
    """Write the importance weights: a factor `play_likelihood` per card that the policy would not have played."""
    for place in range(worlds.shape[0]):
        weights[place] = 1.0
    if ws.play_likelihood <= 0.0 or (view.phase != PLAY and view.phase != SUIT):
        return
    fewest = 1 << 30
    for place in range(worlds.shape[0]):
        ws.states[SCRATCH] = worlds[place]
        seat_players(view, t, ws, ws.tried + place)
        unlikely = count_unlikely_plays(view, t, ws, ws.states[SCRATCH])
        weights[place] = unlikely
        fewest = min(fewest, unlikely)
    if ws.fewest_unlikely < 0:  # the first worlds of a search set the scale for those that follow
        ws.fewest_unlikely = fewest
    for place in range(worlds.shape[0]):
        weights[place] = ws.play_likelihood ** (weights[place] - ws.fewest_unlikely)


@jit
def count_unlikely_plays(view: State, t: Tables, ws: SearchWorkspace, world: State) -> int:
    """Count the cards that others played and the policy would not have played in a world, which is used up.

    A random policy might have played any of them.
    """
    rewind(view, t, world)
    unlikely = 0
    for ply in range(view.plies):
        world.seat = view.history_seat[ply]
        player = ws.players[world.seat]
        if world.seat != view.seat and not is_random(ws.epsilons[player]):
            cards = legal(world, t)
            if cards & (cards - ONE) and choose(world, t, ws.policies[player]) != view.history[ply]:
                unlikely += 1
        replay(view, t, world, ply)
    return unlikely
