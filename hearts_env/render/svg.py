"""A table as an SVG picture: hands around the table, the trick in the middle, points beside the seats.

Play goes clockwise. A match shows every hand, with seat 0 at the bottom; a view shows what its seat, at the bottom, may
know.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from math import cos, sin, tau
from typing import Any

from hearts_env.cards import JOKER
from hearts_env.match import Match
from hearts_env.render.ansi import SYMBOLS
from hearts_env.tables import Game
from hearts_env.view import View

WIDTH, HEIGHT = 960, 600
CARD_WIDTH, CARD_HEIGHT, STEP = 36, 52, 19
_TABLE, _INK, _RED, _BACK = "#2f6b4f", "#1d1d1f", "#c0392b", "#8fa8c8"


def render_match_svg(match: Match) -> str:
    """The whole table with every hand, as the text of an SVG picture."""
    return render_record_svg(match.game, match.state[0])


def render_record_svg(game: Game, record: Any) -> str:
    """The whole table with every hand, from compiled rules and a `STATE` record."""
    return _picture(View(game, record, 0), range(game.seats))


def render_view_svg(view: View) -> str:
    """What one seat sees of the table; the cards of the others lie face down."""
    return _picture(view, (view.seat,))


def _picture(view: View, shown: Collection[int]) -> str:
    body = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="24" fill="{_TABLE}"/>',
        *(line for seat in range(view.game.seats) for line in _seat(view, seat, seat in shown)),
        *(line for seat, card in view.trick for line in _card(*_at(view, seat, 80, 75), card)),
        "</svg>",
    ]
    return "\n".join(body)


def _at(view: View, seat: int, across: float, along: float) -> tuple[float, float]:
    """The point before a seat, on an ellipse of these half axes around the middle of the table."""
    angle = tau * (seat - view.seat) / view.game.seats
    return WIDTH / 2 - across * sin(angle), HEIGHT / 2 + along * cos(angle)


def _seat(view: View, seat: int, shown: bool) -> Iterator[str]:
    game, record = view.game, view.record
    x, y = _at(view, seat, WIDTH / 2 - 180, HEIGHT / 2 - 70)
    hand: list[str | None] = [*View(game, record, seat).hand] if shown else [None] * _hidden_count(view, seat)
    left = x - (STEP * (len(hand) - 1)) / 2
    for place, card in enumerate(hand):
        yield from _card(left + STEP * place, y, card)
    acts = seat == int(record["seat"])
    label = f"seat {seat} · {view.points[seat]} points · total {view.totals[seat]}"
    yield (
        f'<text x="{x:.0f}" y="{y + CARD_HEIGHT / 2 + 20:.0f}" text-anchor="middle" font-size="15" '
        f'fill="{"#ffe08a" if acts else "#ffffff"}">{"▸ " if acts else ""}{label}</text>'
    )


def _hidden_count(view: View, seat: int) -> int:
    return view.game.hand_size - int(view.record["trick_number"]) - (seat in dict(view.trick))


def _card(x: float, y: float, card: str | None) -> Iterator[str]:
    """A card centred at a point; None is its back."""
    fill = _BACK if card is None else "#ffffff"
    yield (
        f'<rect x="{x - CARD_WIDTH / 2:.1f}" y="{y - CARD_HEIGHT / 2:.1f}" width="{CARD_WIDTH}" '
        f'height="{CARD_HEIGHT}" rx="5" fill="{fill}" stroke="{_INK}" stroke-opacity="0.4"/>'
    )
    if card is not None:
        rank, suit = (card, "") if card == JOKER else (card[:-1].replace("T", "10"), SYMBOLS[card[-1]])
        color = _RED if suit and suit in "♦♥" else _INK
        for text, shift in ((rank, -8), (suit, 13)):
            yield (
                f'<text x="{x - CARD_WIDTH / 2 + 10:.1f}" y="{y + shift:.1f}" text-anchor="middle" font-size="16" '
                f'fill="{color}">{text}</text>'
            )
