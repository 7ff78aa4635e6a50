"""Perft: how many sequences of legal actions there are from a position, counted by the kernel and by the oracle.

A count that changes means that the rules changed; two ways of counting that differ mean that one is wrong.
"""

import math
from typing import Any

import hearts_env as he
from hearts_env.compiled.game import Game, compile_game
from hearts_env.kernel.legal import legal
from hearts_env.kernel.records import Phase
from hearts_env.kernel.steps import step
from tests.oracle.game import Oracle

WHOLE_DEAL = 1000
"""A depth that no deal reaches."""


def even_deal(rules: he.Rules) -> list[list[str]]:
    """Hands of all suits: every seventh card of the sorted pack, round and round (or whichever reaches all)."""
    game = compile_game(rules)
    cards = game.deck.cards
    step = next(step for step in (7, 5, 11) if math.gcd(step, len(cards)) == 1)
    return _cut([cards[step * place % len(cards)] for place in range(len(cards))], game)


def long_deal(rules: he.Rules) -> list[list[str]]:
    """Hands of one or two suits: the sorted pack, cut off a little below the middle of the clubs."""
    game = compile_game(rules)
    return _cut([*game.deck.cards[5:], *game.deck.cards[:5]], game)


def _cut(cards: list[str], game: Game) -> list[list[str]]:
    size = game.hand_size
    return [cards[seat * size : (seat + 1) * size] for seat in range(game.seats)]


def perft(match: he.Match, depth: int = WHOLE_DEAL) -> int:
    """Sequences of `depth` legal actions from where a match stands, shorter ones where the deal ends before."""
    return _count(match.game, match.state, int(match.state["deal_number"][0]), depth)


def _count(game: Game, states: Any, deal: int, depth: int) -> int:
    s, t = states[0], game.tables
    if s["phase"] == Phase.OVER or s["deal_number"] != deal:
        return 1
    mask = int(legal(s, t))
    if depth == 1:
        return mask.bit_count()
    first = 0 if s["phase"] in (Phase.PASS, Phase.PLAY) else len(game.deck.kinds)
    total = 0
    while mask:
        child = states.copy()
        step(child[0], t, first + (mask & -mask).bit_length() - 1)
        total += _count(game, child, deal, depth - 1)
        mask &= mask - 1
    return total


def oracle_perft(oracle: Oracle, depth: int = WHOLE_DEAL) -> int:
    deal = oracle.deal_number
    if depth == 0 or oracle.over:
        return 1
    total = 0
    for action in oracle.legal():
        child = oracle.fork()
        child.play(action)
        total += oracle_perft(child, depth - 1) if child.deal_number == deal else 1
    return total
