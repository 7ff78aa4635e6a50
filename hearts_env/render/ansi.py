"""A table as text for terminals: one row per seat with its cards, what it played, what it took and its points.

Suits are written as symbols; `color` paints the red ones red. A view shows what its seat may know, a match shows every
hand.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any

from hearts_env.cards import JOKER, SUITS
from hearts_env.match import Match
from hearts_env.scorekeeping import ranking_of
from hearts_env.tables import Game
from hearts_env.view import View

SYMBOLS = dict(zip(SUITS, "♣♦♥♠", strict=True))
_RED = re.compile(r"[♦♥](?: ?(?:[02-9TJQKA]|1[12])(?![\w:]))*")
_RED_ON, _RED_OFF, _BOLD_ON, _BOLD_OFF = "\x1b[31m", "\x1b[39m", "\x1b[1m", "\x1b[22m"
_GAP = "   "


def render_view(view: View, *, color: bool = False) -> str:
    """What one seat sees of the table.

    Args:
        view: the seat's view.
        color: use ANSI escape sequences.

    Returns:
        Lines without a final line end.
    """
    return _render(view, color, shown=(view.seat,))


def render_match(match: Match, *, color: bool = False) -> str:
    """The whole table with every hand; arguments and result as in `render_view`."""
    return render_match_record(match.game, match.state[0], color=color)


def render_match_record(game: Game, record: Any, *, color: bool = False) -> str:
    """The whole table with every hand, from compiled rules and a `STATE` record; otherwise as `render_view`."""
    return _render(View(game, record, max(int(record["seat"]), 0)), color, shown=range(game.seats))


def cards_text(cards: Iterable[str]) -> str:
    """Cards as ``♣2 4 K  ♥A``, suit by suit; a card alone is ``♣K``."""
    by_suit: dict[str, list[str]] = {}
    for card in cards:
        suit, rank = ("", card) if card == JOKER else (SYMBOLS[card[-1]], card[:-1])
        by_suit.setdefault(suit, []).append(rank)
    return "  ".join(suit + " ".join(ranks) for suit, ranks in by_suit.items())


def paint(text: str) -> str:
    """Red suits in red."""
    return _RED.sub(lambda found: f"{_RED_ON}{found[0]}{_RED_OFF}", text)


def _render(view: View, color: bool, shown: Collection[int]) -> str:
    rows = [_columns(view), *(_seat_row(view, seat, seat in shown) for seat in range(view.game.seats))]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [_heading(view), "", *(_line(row, widths) for row in rows), "", *_state_lines(view, shown)]
    if not color:
        return "\n".join(lines)
    bold = {0, 3 + int(view.record["seat"])}  # the heading and the seat to act; after the end the line of the columns
    return "\n".join(
        f"{_BOLD_ON}{paint(line)}{_BOLD_OFF}" if place in bold else paint(line) for place, line in enumerate(lines)
    )


def _heading(view: View) -> str:
    record, rules = view.record, view.game.rules
    parts = [str(rules), f"deal {view.deal_number + 1}"]
    parts += [f"passing {view.direction}"] if view.direction not in (None, "hold") else []
    if view.phase == "play":
        parts.append(f"trick {int(record['trick_number']) + 1} of {view.game.hand_size}")
        parts += ["hearts are broken"] if record["broken"] else []
    return " · ".join(parts)


def _columns(view: View) -> list[str]:
    return ["", "", "hand", "passes" if view.phase == "pass" else "trick", "tricks", "taken", "points", "total"]


def _seat_row(view: View, seat: int, shown: bool) -> list[str]:
    game, record = view.game, view.record
    own = View(game, record, seat)
    trick = dict(view.trick)
    table = cards_text([trick[seat]]) if seat in trick else ""
    if view.phase == "pass":
        table = cards_text(own.passed) if shown else ""
    values = game.tables["values"][:, 0]
    worth = [card for card in view.taken[seat] if values[game.deck.kind(card)]]
    return [
        ">" if seat == int(record["seat"]) else "",
        str(seat),
        cards_text(own.hand) if shown else _hidden_hand(view, seat, seat in trick),
        table + (" led" if trick and seat == view.trick[0][0] else ""),
        str(record["tricks_won"][seat]),
        cards_text(worth),
        str(view.points[seat]),
        str(view.totals[seat]),
    ]


def _hidden_hand(view: View, seat: int, has_played: bool) -> str:
    left = view.game.hand_size - int(view.record["trick_number"]) - has_played
    void = "".join(SYMBOLS[suit] for suit in view.voids[seat])
    return f"{left} cards" + (f", no {void}" if void else "")


def _line(row: list[str], widths: list[int]) -> str:
    mark, seat, *words, points, total = row
    cells = [text.ljust(width) for text, width in zip(words, widths[2:-2], strict=True)]
    numbers = [text.rjust(width) for text, width in zip((points, total), widths[-2:], strict=True)]
    return f"{mark.ljust(1)} {seat.ljust(widths[1])}  {_GAP.join([*cells, *numbers])}".rstrip()


def _state_lines(view: View, shown: Collection[int]) -> list[str]:
    """What one seat's view tells of the pass, and what is decided next."""
    lines = []
    if len(shown) == 1 and view.phase != "pass" and view.received:
        lines.append(f"seat {view.seat} passed {cards_text(view.passed)} and received {cards_text(view.received)}")
    return [*lines, _decision(view)]


def _decision(view: View) -> str:
    seat = int(view.record["seat"])
    if view.phase == "over":
        best = [str(place) for place, rank in enumerate(ranking_of(view.totals)) if rank == 1]
        return f"the match is over; best: seat {' and '.join(best)}"
    if view.phase == "pass":
        return f"seat {seat} picks a card to pass"
    if view.phase == "play":
        return f"seat {seat} {'plays' if view.trick else 'leads'}"
    asked = {"direction": "calls the pass", "moon": "has shot the moon", "exact": "has hit an exact total"}[view.phase]
    names = [name for name in view.game.actions if name.startswith(f"{view.phase}:")]
    return f"seat {seat} {asked}: {' or '.join(names)}"
