"""A table as text for terminals: one row per seat with its hand, the cards it played and took, and its points.

Pledges, lives and teams have a column in games that have them; shown cards, cards that rolled over, the kitty and the
pool of chips have a line below. Suits are written as symbols; `color` paints the red ones red. A view shows what its
seat may know, a match shows every hand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from typing import Any

from hearts_env.cards import JOKER, SUITS
from hearts_env.compiled.decisions import DECISIONS
from hearts_env.compiled.game import Game
from hearts_env.ruleset.enums import JokerLead, KittyAward
from hearts_env.ruleset.syntax import write_gaussian
from hearts_env.seat.view import View, check_record
from hearts_env.table.match import Match
from hearts_env.table.ranking import ranking_of

SYMBOLS = dict(zip(SUITS, "♣♦♥♠", strict=True))
_RED = re.compile(r"[♦♥](?: ?(?:[02-9TJQKA]|1[12])(?![\w:]))*")
_RED_ON, _RED_OFF, _BOLD_ON, _BOLD_OFF = "\x1b[31m", "\x1b[39m", "\x1b[1m", "\x1b[22m"
_GAP = "   "
_PASSING = ("refuse", "pass")


def render_view(view: View, *, color: bool = False, as_you: bool = False) -> str:
    """The table as one seat sees it.

    >>> import hearts_env as he
    >>> from hearts_env.render.ansi import render_view
    >>> hands = [[rank + suit for rank in "23456789TJQKA"] for suit in "CDHS"]
    >>> print(render_view(he.Match.from_hands("black_lady", hands, played=["2C"]).view(1)))
    black_lady · deal 1 · trick 1 of 13
    <BLANKLINE>
         hand                         trick    tricks   taken   points   total
      0  12 cards                     ♣2 led   0                     0       0
    > 1  ♦2 3 4 5 6 7 8 9 T J Q K A            0                     0       0
      2  13 cards                              0                     0       0
      3  13 cards                              0                     0       0
    <BLANKLINE>
    seat 1 plays

    Args:
        view: the seat's view.
        color: whether to use ANSI escape sequences.
        as_you: whether lines below the table call the seat "you".

    Returns:
        Lines, without a line break at the end.
    """
    return _render(view, color, (view.seat,), lambda seat: "you" if as_you and seat == view.seat else f"seat {seat}")


def render_match(match: Match, *, color: bool = False) -> str:
    """The whole table with every hand; arguments and result as in `render_view`."""
    return render_match_record(match.game, match.state[0], color=color)


def render_match_record(game: Game, record: Any, *, color: bool = False) -> str:
    """The whole table with every hand, from compiled rules and a `STATE` record; otherwise like `render_view`."""
    check_record(game, record)
    return _render(View(game, record, max(int(record["seat"]), 0), check=False), color, range(game.seats))


def cards_text(cards: Iterable[str]) -> str:
    """Cards suit by suit.

    >>> from hearts_env.render.ansi import cards_text
    >>> cards_text(["2C", "4C", "KC", "AH"])
    '♣2 4 K  ♥A'
    """
    by_suit: dict[str, list[str]] = {}
    for card in cards:
        suit, rank = ("", card) if card == JOKER else (SYMBOLS[card[-1]], card[:-1])
        by_suit.setdefault(suit, []).append(rank)
    return "  ".join(suit + " ".join(ranks) for suit, ranks in by_suit.items())


def paint(text: str) -> str:
    """The text with red suits in red, by ANSI escape sequences."""
    return _RED.sub(lambda found: f"{_RED_ON}{found[0]}{_RED_OFF}", text)


def played_by(view: View, seat: int) -> list[str]:
    """Cards a seat has played to the current trick; two if the trick is extended."""
    return [card for player, card in view.trick if player == seat]


def cards_left(view: View, seat: int) -> int:
    """Number of cards a seat holds, which is public."""
    return view.game.hand_size - sum(player == seat for player, _ in view.played)


def extras(view: View, seat: int) -> list[str]:
    """Team, pledge and lives of a seat, in games that have them."""
    rules, pledge = view.game.rules, view.pledges[seat]
    words = [f"team {view.game.teams[seat]}"] if rules.table.teams else []
    words += [{None: "", True: "pledged", False: "no pledge"}[pledge]] if rules.score.pledge is not None else []
    return words + ([f"{view.lives[seat]} {'life' if view.lives[seat] == 1 else 'lives'}"] if view.lives else [])


def notes(view: View, revealed: Collection[int], name: Callable[[int], str] = "seat {}".format) -> list[str]:
    """One line each for shown cards, rolled-over cards, the kitty and the pool, in games that have them.

    Args:
        view: the table.
        revealed: seats whose hands may be seen.
        name: the name of a seat.
    """
    exposed = [_shown_card(view, card, name) for card in view.exposed]
    lines = [f"shown: {', '.join(exposed)}"] if exposed else []
    lines += [f"rolled over: {cards_text(view.rolled)}"] if view.rolled else []
    lines += [_kitty(view, revealed, name)] if view.game.tables["kitty_size"] else []
    return lines + ([f"pool: {view.pool} chips"] if view.game.rules.score.chips is not None else [])


def _shown_card(view: View, card: str, name: Callable[[int], str]) -> str:
    """A shown card and the seats that showed it."""
    seats = [name(seat) for seat, shown in enumerate(view.shown) if card in shown]
    return cards_text([card]) + (f" ({', '.join(seats)})" if seats else "")


def _kitty(view: View, revealed: Collection[int], name: Callable[[int], str]) -> str:
    """The kitty: its size, how many of its cards each seat took, and those that may be seen."""
    size, record, kinds = int(view.game.tables["kitty_size"]), view.record, view.game.deck.kinds
    takers = [int(seat) for seat in record["kitty_seat"][:size]]
    taken = [f"{name(seat)} took {takers.count(seat)}" for seat in range(view.game.seats) if seat in takers]
    known = [kinds[record["kitty"][place]] for place in range(size) if takers[place] in revealed or len(revealed) > 1]
    aside = "out of play" if view.game.rules.deck.kitty_award is KittyAward.OUT_OF_PLAY else "face down"
    cards = f"; {cards_text(sorted(known, key=kinds.index))}" if known else ""
    return f"kitty of {size}, {', '.join(taken) or aside}{cards}"


def _render(view: View, color: bool, revealed: Collection[int], name: Callable[[int], str] = "seat {}".format) -> str:
    rows = [_columns(view), *(_seat_row(view, seat, seat in revealed) for seat in range(view.game.seats))]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [_heading(view), "", *(_line(row, widths) for row in rows), "", *_state_lines(view, revealed, name)]
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
        parts.append(_trick_words(view))
        parts += ["hearts are broken"] if record["broken"] else []
    return " · ".join(parts)


def _trick_words(view: View) -> str:
    record, game = view.record, view.game
    number = f"trick {int(record['trick_number']) + 1}"
    if game.rules.trick.extend_rank is None:
        return f"{number} of {game.hand_size}"
    return f"{number}, extended" if view.trick and record["trick_goal"] > game.seats else number


def _columns(view: View) -> list[str]:
    names = ["", "", "hand", "passes" if view.phase in _PASSING else "trick", "tricks", "taken"]
    return [*names, *("" for _ in extras(view, 0)), "points", "chips" if view.game.rules.score.chips else "total"]


def _seat_row(view: View, seat: int, revealed: bool) -> list[str]:
    game, record = view.game, view.record
    own = View(game, record, seat, check=False)
    table = cards_text(played_by(view, seat)) + (_led(view) if view.trick and seat == view.trick[0][0] else "")
    if view.phase in _PASSING:
        table = cards_text(own.passed) if revealed else ""
    counting = counting_cards(game)
    return [
        ">" if seat == int(record["seat"]) else "",
        str(seat),
        cards_text(own.hand) if revealed else _hidden_hand(view, seat),
        table,
        str(record["tricks_won"][seat]),
        cards_text(card for card in view.taken[seat] if card in counting),
        *extras(view, seat),
        write_gaussian(view.points[seat]),
        write_gaussian(view.totals[seat]),
    ]


def counting_cards(game: Game) -> list[str]:
    """The kinds of cards that can change what the seat that takes them scores.

    >>> import hearts_env as he
    >>> from hearts_env.render.ansi import counting_cards
    >>> counting_cards(he.Match("omnibus_hearts").game)[:3], len(counting_cards(he.Match("complex_hearts").game))
    (['JD', '2H', '3H'], 16)
    """
    tables, score = game.tables, game.rules.score
    hearts = int(tables["hearts"]) if score.no_hearts or score.pledge is not None else 0
    return game.names([int(tables["scoring"]) | int(tables["moon_set"]) | hearts])


def _led(view: View) -> str:
    """The mark of the seat that led, with the suit it called for a joker."""
    suit = int(view.record["led_suit"])
    called = view.trick[0][1] == JOKER and view.game.rules.jokers.lead is JokerLead.CALL and 0 <= suit < len(SUITS)
    return f" led, calls {SYMBOLS[SUITS[suit]]}" if called and view.phase != "suit" else " led"


def _hidden_hand(view: View, seat: int) -> str:
    left, void = cards_left(view, seat), "".join(SYMBOLS[suit] for suit in view.voids[seat])
    return f"{left} card{'s' * (left != 1)}" + (f", no {void}" if void else "")


def _line(row: list[str], widths: list[int]) -> str:
    mark, seat, *words, points, total = row
    cells = [text.ljust(width) for text, width in zip(words, widths[2:-2], strict=True)]
    numbers = [text.rjust(width) for text, width in zip((points, total), widths[-2:], strict=True)]
    return f"{mark.ljust(1)} {seat.ljust(widths[1])}  {_GAP.join([*cells, *numbers])}".rstrip()


def _state_lines(view: View, revealed: Collection[int], name: Callable[[int], str]) -> list[str]:
    """The lines below the table: notes, the pass of the one seat whose hand is revealed, and the next decision."""
    lines = notes(view, revealed, name)
    if len(revealed) == 1 and view.phase != "pass" and view.received:
        lines.append(f"{name(view.seat)} passed {cards_text(view.passed)} and received {cards_text(view.received)}")
    return [*lines, _decision(view, name)]


def _decision(view: View, name: Callable[[int], str]) -> str:
    seat = int(view.record["seat"])
    if view.phase == "over":
        best = [name(place) for place, rank in enumerate(ranking_of(view.game, view.record)) if rank == 1]
        return f"the match is over; best: {' and '.join(best)}"
    if view.phase == "play":
        verb = "play" if view.trick else "lead"
        return f"{name(seat)} {verb if name(seat) == 'you' else f'{verb}s'}"
    turn = f"{name(seat)} must {DECISIONS[view.phase].task}"
    if DECISIONS[view.phase].of_cards:
        return turn
    names = [action for action in view.game.actions if action.startswith(f"{view.phase}:")]
    names = view.legal() if view.seat == seat else names
    whom = f" for seat {_charged(view)}" if view.phase == "sign" else ""
    return f"{turn}{whom}: {' or '.join(names)}"


def _charged(view: View) -> int:
    """The seat that is charged the award with the sign chosen now."""
    from hearts_env.kernel.scoring import sign_seat  # imports Numba

    return int(sign_seat(view.record, view.game.tables))
