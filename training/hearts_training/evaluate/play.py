"""The strategy that books on Hearts describe, at work: how often an agent does it where it can.

An agent plays all seats of deals that a seed fixes. A habit is a function from positions to the cards, (n, kinds), that
follow it; a position counts where such a card and another one are legal. Nothing is said about what is right: what is
wrong is in `hearts_training.evaluate.blunders`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hearts_agents.arena.stats import mean_of
from hearts_agents.arena.tables import MEASURES, TableBatch, TimedAgent, deal_numbers
from hearts_agents.base import Agent
from hearts_agents.registry import make_agent
from hearts_agents.workers import Workers, spread
from hearts_env.cards import SUITS
from hearts_env.compiled.game import Game, compile_game
from hearts_env.ruleset.enums import MoonMode
from hearts_env.ruleset.model import Rules
from hearts_env.seat.view import Views
from hearts_env.table.seeds import agent_seed
from hearts_training.evaluate.passing import pick_all
from hearts_training.evaluate.positions import SPADES, Flags, Positions, check_suite

_CHUNK = 256
Counts = dict[str, NDArray[np.int64]]
"""Habit -> positions in which it can be followed, and in which it is."""


def bleeds_spades(at: Positions) -> Flags:
    """Leads a low spade, with QS out and none of Q, K and A of spades in hand."""
    high = at.mask("QS") | at.mask("KS") | at.mask("AS")
    out, none = (at.out & at.mask("QS")) != 0, (at.hand & high) == 0
    return at.leads & (out & none)[:, None] & (at.suits == SPADES)


def ducks(at: Positions) -> Flags:
    """Last to play, stays under a trick with points that it could take."""
    points = ((at.trick & at.mask("penalty")) != 0)[:, None]
    return points & at.wins.any(axis=1, keepdims=True) & at.legal & ~at.wins


def ducks_high(at: Positions) -> Flags:
    """Last to play and able to stay under the suit led, plays the highest card that does."""
    under = at.legal & ~at.wins & at.last & (at.suits == at.numbers("led_suit")[:, None])
    highest = np.where(under, np.arange(under.shape[1]), -1).max(axis=1, keepdims=True)
    return (under.sum(axis=1, keepdims=True) > 1) & (np.arange(under.shape[1]) == highest)


def throws_queen(at: Positions) -> Flags:
    """Out of the suit led, throws QS; not on a trick that is the partner's for sure."""
    void = ~at.leads & ~(at.legal & (at.suits == at.numbers("led_suit")[:, None])).any(axis=1, keepdims=True)
    return void & at.among(at.mask("QS")) & ~at.to_mate


HABITS = {habit.__name__: habit for habit in (bleeds_spades, ducks, ducks_high, throws_queen)}
"""Name -> habit."""


class Habit(NamedTuple):
    """How often an agent follows a habit.

    Attributes:
        agent: its spec.
        habit: a name of `HABITS`; ``begins_moon`` (of deals and seats) and ``finishes_moon`` (of those begun);
            ``empties_C`` and so on (of hands that pass and hold the suit).
        positions: where it could.
        did: where it did.
        rate: their share.
        rate_se: its standard error, as if positions were independent; NaN for one.
    """

    agent: str
    habit: str
    positions: int
    did: int
    rate: float
    rate_se: float


class _Watched(Agent):
    """An agent whose choices are counted."""

    def __init__(self, agent: Agent) -> None:
        self._agent, self.name, self.found = agent, agent.name, dict[str, NDArray[np.int64]]()

    def act_batch(self, views: Views) -> NDArray[np.int64]:
        """Its choices."""
        actions = self._agent.act_batch(views)
        rows, at = Positions.of(views)
        for name, habit in HABITS.items() if len(rows) else ():
            cards = habit(at) & at.legal
            can = cards.any(axis=1) & (at.legal & ~cards).any(axis=1)
            _add(self.found, name, int(can.sum()), int(cards[can, actions[rows][can]].sum()))
        return actions


def _add(found: Counts, name: str, positions: int, did: int) -> None:
    found[name] = np.add(found.get(name, 0), (positions, did))


def _player(spec: str, rules: Rules, deals: int, seed: int) -> Callable[[int], tuple[int, Counts]]:
    game, agent = compile_game(rules), make_agent(spec)
    seeds = np.random.SeedSequence(seed).generate_state(deals, np.uint64).astype(np.uint64, copy=False)

    def play(first: int) -> tuple[int, Counts]:
        agent.reset(agent_seed(seed, first))
        numbers = np.arange(first, min(first + _CHUNK, deals))
        starts = deal_numbers(game, seeds[numbers], numbers % game.pass_cycle)  # networks never met deal 900
        watched, lineups = _Watched(agent), np.zeros((len(numbers), game.seats), np.int64)
        sums = TableBatch(game, [TimedAgent(watched)], starts, lineups, numbers).play()
        if rules.moon.mode is not MoonMode.NONE:
            begun, shot = (int(sums[MEASURES.index(name)].sum()) for name in ("attempted", "shot"))
            _add(watched.found, "begins_moon", sums[0].size, begun)
            _add(watched.found, "finishes_moon", begun, shot)
        return first, watched.found

    return play


def study_play(
    spec: str,
    rules: Rules,
    deals: int = 1000,
    seed: int = 0,
    workers: Workers = 1,
) -> list[Habit]:
    """An agent's habits, in deals in which it holds all seats; those that do not occur are left out.

    Args:
        spec: the agent.
        rules: the rules.
        deals: deals, 2 or more; they follow the pass cycle.
        seed: fixes them.
        workers: who plays.

    Raises:
        ValueError: several packs, jokers or complex points, or an agent that follows one table at a time.

    >>> import hearts_env as he
    >>> found = {one.habit: one for one in study_play("rule", he.rules("black_lady"), deals=64, seed=1)}
    >>> found["bleeds_spades"].rate, found["ducks"].rate > found["throws_queen"].positions / 10_000
    (1.0, True)
    """
    game, agent = compile_game(rules), make_agent(spec)
    check_suite(game)
    if agent.stateful:
        raise ValueError(f"{spec} follows one table at a time; its habits cannot be counted")
    found: Counts = {}
    firsts = range(0, deals, _CHUNK)
    for _, part in spread(partial(_player, spec, rules, deals, seed), firsts, workers, [spec]):
        for name, (positions, did) in part.items():
            _add(found, name, positions, did)
    for name, counts in _emptied(game, agent, deals, seed).items():
        _add(found, name, *counts)
    return [
        Habit(spec, name, positions, did, *mean_of(np.repeat([1.0, 0.0], [did, positions - did]))[:2])
        for name, (positions, did) in ((name, counts.tolist()) for name, counts in found.items())
        if positions
    ]


def _emptied(game: Game, agent: Agent, deals: int, seed: int) -> dict[str, tuple[int, int]]:
    """The suits that passes empty: hands that hold them, and those that lose them."""
    if not game.tables["option_cards"].any():
        return {}
    own, away = pick_all(game, agent, deals, seed)
    counts = zip((own > 0).sum(axis=0).tolist(), ((own > 0) & (own == away)).sum(axis=0).tolist(), strict=True)
    return {f"empties_{suit}": pair for suit, pair in zip(SUITS, counts, strict=True)}
