"""The part of a match that a page may show, as data for JSON.

Everything comes from a seat's `View` and from what the whole table has seen: points of finished deals, the last trick.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from hearts_env.compiled.decisions import DECISIONS
from hearts_env.render.ansi import cards_left, cards_text, counting_cards, extras, notes
from hearts_env.ruleset.model import Rules
from hearts_env.ruleset.syntax import write_value
from hearts_env.seat.view import View
from hearts_env.table.log import DealLog
from hearts_env.table.match import Match
from hearts_env.table.score import trick_winner
from hearts_training.web import deals, words
from hearts_training.web.words import Names, number, status

Data = dict[str, Any]


def seen_by(match: Match, seat: int, names: Names | None = None) -> Data:
    """A match as one seat may see it; without names, seats are called by their numbers.

    >>> import hearts_env as he
    >>> page = seen_by(he.Match("black_lady(cycle=[hold])", seed=7), 1)
    >>> page["phase"], page["turn"] == 1, len(page["hand"]), page["hands"]
    ('play', False, 13, None)
    """
    view = match.view(seat)
    own: Data = {"seat": seat, "hand": view.hand, "hands": None, "legal": view.legal(), "picks_left": view.picks_left}
    names = names or Names.plain(match.game.seats)
    own |= {"passed": view.passed, "received": view.received, "labels": labels(match, names, view)}
    seen = _public(match, view, (seat,), names) | own
    given = _givers(view, names) if not seen["tricks"] else []
    return seen | {"notes": [*given, *seen["notes"]]}


def _givers(view: View, names: Names) -> list[str]:
    if not view.received:
        return []
    moves = view.game.options[int(view.record["pass_option"])].moves
    offsets = [move.offset for move in moves for _ in range(move.count)]
    found: dict[int, list[str]] = {}
    for offset, card in zip(offsets, view.received, strict=True):
        found.setdefault(offset, []).append(card)
    seats = {offset: names.seats[(view.seat - offset) % view.game.seats] if offset else "the pool" for offset in found}
    return [f"from {seats[offset]}: {cards_text(cards)}" for offset, cards in found.items()]


def labels(match: Match, names: Names, view: View | None = None) -> dict[str, str]:
    """Legal special action of a view, or of the seat to act -> what it means.

    >>> import hearts_env as he
    >>> labels(he.Match("black_lady(pledge=10, cycle=[hold])", seed=7), Names.plain(4))
    {'pledge:yes': 'Pledge to take no heart', 'pledge:no': 'Do not pledge'}
    """
    view = match.view(match.seat or 0) if view is None else view
    label = (lambda action: deals.label(match, action, names)) if view.phase in ("moon", "sign", "exact") else None
    special = [action for action in view.legal() if ":" in action]
    return {action: label(action) if label else words.label(view, action, names) for action in special}


def seen_openly(match: Match, names: Names | None = None) -> Data:
    """A match with every hand, for those who watch agents and for finished records; names as in `seen_by`.

    >>> import hearts_env as he
    >>> page = seen_openly(he.Match("black_lady", seed=7))
    >>> page["seat"], [len(hand) for hand in page["hands"]]
    (None, [13, 13, 13, 13])
    """
    seat = match.seat or 0
    view = match.view(seat)
    legal = view.legal() if match.seat is not None else []
    own: Data = {"seat": None, "hand": [], "hands": match.hands, "legal": legal, "picks_left": 0, "labels": {}}
    return (
        _public(match, view, range(match.game.seats), names or Names.plain(match.game.seats))
        | own
        | {"passed": [], "received": []}
    )


def _public(match: Match, view: View, revealed: Any, names: Names) -> Data:
    game, seats = match.game, range(match.game.seats)
    counting = counting_cards(game)
    return {
        "rules": _text(match.rules),
        "title": match.rules.variant.title,
        "changed": _changed(match.rules),
        "players": game.seats,
        "gaussian": bool(game.gaussian),
        "teams": list(game.teams) if match.rules.table.teams else None,
        "phase": match.phase,
        "widget": None if match.over else DECISIONS[match.phase].widget,
        "status": status(view, names),
        "turn": match.seat,
        "deal": match.deal_number + 1,
        "direction": view.direction,
        "broken": match.broken,
        "trick": view.trick,
        "tricks": tricks_of(match.rules, match.log[-1]),
        "taken": [[card for card in cards if card in counting] for cards in view.taken],
        "shown": view.shown,
        "tricks_won": match.tricks_won,
        "cards_left": [cards_left(view, other) for other in seats],
        "voids": view.voids,
        "points": [number(points) for points in view.points],
        "totals": [number(total) for total in view.totals],
        "settled": match.phase in ("exact", "over"),
        "history": _history(match),
        "extras": [[word for word in extras(view, other) if word] for other in seats],
        "notes": notes(view, revealed, names.seats.__getitem__) if match.phase != "over" else [],
        "over": match.over,
        "ranking": match.ranking if match.over else [],
    }


def _history(match: Match) -> list[Data]:
    """The parts that make up the totals: totals at the start, points of each deal, and all other changes."""
    rows = [("start", match.log[0].totals)]
    for deal in match.log:
        points, after = deal.points, deal.totals_after
        if match.phase == "exact" and points is None:  # decided once the points have been added
            points, after = match.points, match.totals
        if points is not None and after is not None:
            rows.append((str(deal.number + 1), points))
            rows.append(
                ("change", [end - start - own for end, start, own in zip(after, deal.totals, points, strict=True)])
            )
    kept = [(row, values) for row, values in rows if row.isdigit() or any(values)]
    return [{"row": row, "values": [number(value) for value in values]} for row, values in kept]


@lru_cache(maxsize=256)
def _text(rules: Rules) -> str:
    return str(rules)


@lru_cache(maxsize=256)
def _changed(rules: Rules) -> str:
    """The fields that differ from the variant's, as a page of rules names them; empty for the variant itself."""
    return ", ".join(f"{path}={write_value(value)}" for path, value in rules.changes().items())


def tricks_of(rules: Rules, deal: DealLog) -> list[Data]:
    """The complete tricks of a deal: cards as (seat, card) in order, and the seat that took them, None for nobody.

    >>> import hearts_env as he
    >>> match = he.Match("black_lady(cycle=[hold])", seed=7)
    >>> for _ in range(4):
    ...     match.play(match.legal()[0])
    >>> tricks_of(match.rules, match.log[-1])
    [{'cards': [(3, '2C'), (0, '4C'), (1, 'TC'), (2, '3C')], 'taker': 1}]
    """
    found, first = [], 0
    for end in deal.trick_ends:
        steps = zip(deal.actions[first:end], deal.phases[first:end], strict=True)
        words = [action for action, phase in steps if phase in ("play", "suit")]  # a suit is called for a joker
        cards = [(seat, word) for seat, word in words if ":" not in word]
        place = _winner(rules, tuple(word for _, word in words))
        found.append({"cards": cards, "taker": None if place is None else cards[place][0]})
        first = end
    return found


@lru_cache(maxsize=4096)
def _winner(rules: Rules, words: tuple[str, ...]) -> int | None:
    return trick_winner(rules, words)
