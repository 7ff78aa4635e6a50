"""Why an action is illegal, in one line: the card, the seat and the rule it breaks."""

from __future__ import annotations

from typing import Any

from hearts_env.cards import JOKER, SUITS, suit_of
from hearts_env.compiled.game import Game
from hearts_env.play.view import PHASES, View


def why_illegal(game: Game, record: Any, action: int) -> str:
    """One line that says why an action is illegal: the card, the seat and the rule it breaks."""
    if not 0 <= action < len(game.actions):
        return f"action {action} is out of range; {game.rules} has actions 0 to {len(game.actions) - 1}"
    name, seat, phase = game.actions[action], int(record["seat"]), PHASES[int(record["phase"])]
    if phase == "over":
        return f"{name} cannot be played: the match is over"
    view = View(game, record, seat)
    legal = view.legal()
    cards = phase in ("pass", "play")
    if not cards or action >= len(game.deck.kinds):
        wanted = "a card to pass" if phase == "pass" else "a card to play" if cards else f"one of {', '.join(legal)}"
        return f"{name} is not possible now: seat {seat} must choose {wanted}"
    if cards and name not in view.hand:
        return f"seat {seat} does not hold {name}; its cards are {' '.join(view.hand)}"
    verb = "pass" if phase == "pass" else "play"
    return f"seat {seat} may not {verb} {name}: {_broken_rule(view, name)}; legal: {' '.join(legal)}"


def _broken_rule(view: View, name: str) -> str:
    game, record = view.game, view.record
    if view.phase == "pass":
        return "passing.unpassable protects it"
    first = int(record["trick_number"]) == 0
    led = SUITS[record["led_suit"]] if record["trick_len"] and record["led_suit"] < len(SUITS) else None
    if led is not None and suit_of(name) != led and any(suit_of(card) == led for card in view.hand):
        return f"it must follow the led suit, {led}"
    forced = game.deck.match_all(game.rules.play.forced_discard)
    if led is not None and suit_of(name) != led and name not in forced and any(card in forced for card in view.hand):
        return "play.forced_discard asks for another card"
    if name in view.exposed and name[-1] not in led_suits(record):
        return "it was exposed and may not be played to the first trick of its suit"
    if (
        first
        and not record["trick_len"]
        and not record["free_lead"]
        and any(int(game.tables["opening"]) >> game.deck.kind(card) & 1 for card in view.hand)
    ):
        return "the first lead is laid down by opening.card"
    if first and int(game.tables["play_first_trick_forbidden"]) >> game.deck.kind(name) & 1:
        return "play.first_trick_forbidden bars it from the first trick"
    return "jokers.lead=never bars it" if name == JOKER else "hearts are not broken"


def led_suits(record: Any) -> list[str]:
    """The suits led in earlier tricks."""
    return [suit for place, suit in enumerate(SUITS) if int(record["led_suits"]) >> place & 1]
