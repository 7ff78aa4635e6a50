"""Hands of random shapes, and what a match was like so far."""

from random import Random

import hearts_env as he
from hearts_env.compiled.game import Game


def skewed_hands(game: Game, rng: Random) -> list[list[str]]:
    """Hands of a random shape: even, or sorted by rank or suit with some blur, so that rare things happen."""
    blur = rng.choice([0.3, 2.0, 50.0])
    by_rank = rng.random() < 0.5
    cards = list(game.deck.cards)
    kinds = game.deck.kinds
    height = {kind: place % 13 if by_rank else place / 6 for place, kind in enumerate(kinds)}
    cards.sort(key=lambda card: height[card] + blur * rng.gauss(0, 1))
    size = game.hand_size
    hands = [cards[seat * size : (seat + 1) * size] for seat in range(game.seats)]
    rng.shuffle(hands)
    return hands


def told_tricks(match: he.Match) -> list[tuple[str | None, list[tuple[int, str]]]]:
    """The tricks of the deal: the suit to follow (None while only jokers lie there) and (seat, card) in play order; the
    last one may be unfinished.
    """
    rules, n = match.rules, match.rules.players
    calls = (action[-1] for _, action in match.log[-1].actions if action.startswith("suit:"))
    played = match.view(0).played
    tricks: list[tuple[str | None, list[tuple[int, str]]]] = []
    goal = 0
    for ply, (seat, card) in enumerate(played):
        if not tricks or len(tricks[-1][1]) == goal:
            called = card == "JK" and rules.jokers.lead == "call"
            tricks.append((next(calls, None) if called else None, []))
            goal = n
        led, cards = tricks[-1]
        cards.append((seat, card))
        if led is None and card != "JK":
            led = card[-1]
            tricks[-1] = led, cards
        if len(cards) == n and rules.trick.extend_rank is not None and ply + 1 < n * match.game.hand_size:
            wide = rules.trick.extend_when == "any"
            nines = [one for _, one in cards if one[:-1] == rules.trick.extend_rank and (wide or one[-1] == led)]
            goal = 2 * n if nines else n
    return tricks


def finished(match: he.Match) -> int:
    """Tricks of the deal that are complete."""
    return len(told_tricks(match)) - bool(match.trick)


def some_seats(match: he.Match, rng: Random) -> list[int]:
    """The seat to act and one or two others."""
    return sorted({match.seat or 0, *rng.sample(range(match.rules.players), 2)})


def snapshot(match: he.Match) -> tuple[bytes, str]:
    """Everything a match holds, scratch apart."""
    state = match.state
    return state.tobytes(), repr(match.log)
