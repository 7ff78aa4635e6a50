"""A table as an SVG picture: hands around the table, the trick in the middle, points beside the seats.

Seat 1 sits to the left of seat 0, and so on. A match shows every hand, with seat 0 at the bottom; a view shows what its
seat, at the bottom, may know.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from math import cos, pi, sin, tau
from typing import Any

from hearts_env.cards import JOKER
from hearts_env.compiled.game import Game
from hearts_env.render.ansi import SYMBOLS, cards_left, extras, notes, played_by
from hearts_env.ruleset.syntax import write_gaussian
from hearts_env.seat.view import View, check_record
from hearts_env.table.match import Match

WIDTH, HEIGHT = 960, 600
CARD_WIDTH, CARD_HEIGHT, STEP = 36, 52, 19
ACROSS, ALONG = WIDTH / 2 - 180, HEIGHT / 2 - 70
MANY = 6
"""More seats than this are drawn smaller, around a wider trick."""
_TABLE, _INK, _RED, _BACK = "#2f6b4f", "#1d1d1f", "#c0392b", "#8fa8c8"


def render_match_svg(match: Match) -> str:
    """The whole table with every hand, as the text of an SVG picture.

    >>> import hearts_env as he
    >>> from hearts_env.render.svg import render_match_svg
    >>> render_match_svg(he.Match("black_lady", seed=7)).splitlines()[-1]
    '</svg>'
    """
    return render_record_svg(match.game, match.state[0])


def render_record_svg(game: Game, record: Any, playing: str | None = None) -> str:
    """The whole table with every hand, from compiled rules and a `STATE` record.

    Args:
        game: the compiled rules.
        record: the table.
        playing: a card of the seat to act, which is drawn in the trick instead of the hand.
    """
    check_record(game, record)
    return _picture(View(game, record, 0, check=False), range(game.seats), playing)  # shows every hand


def render_view_svg(view: View) -> str:
    """The table as one seat sees it; the cards of the other seats lie face down."""
    return _picture(view, (view.seat,))


def _picture(view: View, revealed: Collection[int], playing: str | None = None) -> str:
    cards = [playing if seat == int(view.record["seat"]) else None for seat in range(view.game.seats)]
    body = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="24" fill="{_TABLE}"/>',
        *(line for seat in range(view.game.seats) for line in _seat(view, seat, seat in revealed, cards[seat])),
        *(line for seat in range(view.game.seats) for line in _played(view, seat, cards[seat])),
        *_notes(view, revealed),
        "</svg>",
    ]
    return "\n".join(body)


def _at(view: View, seat: int, across: float, along: float) -> tuple[float, float]:
    """The point in front of a seat, on an ellipse with these half axes around the middle of the table."""
    angle = tau * (seat - view.seat) / view.game.seats
    return WIDTH / 2 - across * sin(angle), HEIGHT / 2 + along * cos(angle)


def _played(view: View, seat: int, playing: str | None) -> Iterator[str]:
    """A seat's cards in the current trick, the second one beside the first."""
    across, along = (80, 75) if view.game.seats <= MANY else (150, 120)
    x, y = _at(view, seat, across, along)
    for place, card in enumerate(played_by(view, seat) + ([playing] if playing else [])):
        yield from _card(x + STEP * place, y, card)


def _seat(view: View, seat: int, revealed: bool, playing: str | None) -> Iterator[str]:
    game = view.game
    x, y = _at(view, seat, ACROSS, ALONG)
    hand: list[str | None] = (
        [*View(game, view.record, seat, check=False).hand] if revealed else [None] * cards_left(view, seat)
    )
    if playing:
        hand.remove(playing)
    step = _step(game.seats, len(hand))
    left = x - (step * (len(hand) - 1)) / 2
    for place, card in enumerate(hand):
        yield from _card(left + step * place, y, card)
    acts = seat == int(view.record["seat"])
    points, total = write_gaussian(view.points[seat]), write_gaussian(view.totals[seat])
    label = f"{'▸ ' if acts else ''}seat {seat} · {points} points · total {total}"
    size, color = 15 if game.seats <= MANY else 11, "#ffe08a" if acts else "#ffffff"
    more = " · ".join(word for word in extras(view, seat) if word)
    for row, text in enumerate([label, more] if more else [label]):
        yield (
            f'<text x="{x:.0f}" y="{y + CARD_HEIGHT / 2 + 20 + 16 * row:.0f}" text-anchor="middle" '
            f'font-size="{size}" fill="{color}">{text}</text>'
        )


def _step(seats: int, cards: int) -> float:
    """Distance between cards of a hand, such that hands neither overlap nor leave the picture."""
    room = min(0.9 * 2 * ACROSS * sin(pi / seats), 2 * (WIDTH / 2 - ACROSS)) - CARD_WIDTH
    return min(STEP, room / max(cards - 1, 1))


def _notes(view: View, revealed: Collection[int]) -> Iterator[str]:
    for row, text in enumerate(notes(view, revealed)):
        yield f'<text x="24" y="{32 + 18 * row}" font-size="13" fill="#ffffff">{text}</text>'


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
