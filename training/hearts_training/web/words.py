"""Text about a table in the words of card players: names of seats, what to do, what a decision means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count as numbers
from itertools import groupby
from typing import Any

from hearts_env.compiled.decisions import DECISIONS, Decision, Widget
from hearts_env.explain.words import SUIT_WORDS, card_words, listing, signed
from hearts_env.ruleset.passing import PassOption
from hearts_env.ruleset.syntax import write_gaussian
from hearts_env.seat.illegal import led_suit
from hearts_env.seat.view import View
from hearts_env.table.ranking import ranking_of

COMPASS = {
    2: ("South", "North"),
    3: ("South", "West", "East"),
    4: ("South", "West", "North", "East"),
    5: ("South", "West", "Northwest", "Northeast", "East"),
    6: ("South", "Southwest", "Northwest", "North", "Northeast", "Southeast"),
}
"""Number of players -> the seats as they stand on a page, from the one at the bottom to the left."""
PLAYER = "Player"
"""The name of a person who has given none."""
ARROWS = "↓↙←↖↑↗→↘"
"""Arrows by direction, clockwise from the bottom in eighths of a turn."""


@dataclass(frozen=True)
class Names:
    """The names of the seats on a page.

    >>> names = Names.of(["Ann", None, None, "Bob"], 0)
    >>> names.seats, names.does(0, "wins", "win"), names.does(1, "wins", "win")
    (('Ann', 'West', 'North', 'Bob'), 'You win', 'West wins')

    Attributes:
        seats: the name of each seat.
        you: the seat of the page's reader; None for somebody who watches.
    """

    seats: tuple[str, ...]
    you: int | None = None

    @staticmethod
    def plain(players: int) -> Names:
        """Names of seats about which nothing is known: their numbers."""
        return Names(tuple(f"seat {seat}" for seat in range(players)))

    @staticmethod
    def of(persons: Sequence[str | None], bottom: int, watching: bool = False) -> Names:
        """Names for a page that shows the seat `bottom` at its bottom; all are different.

        Args:
            persons: the name of each seat's person; None for an agent, which is called by where it sits.
            bottom: a seat, that of the reader unless they watch.
            watching: whether the reader has no seat.
        """
        count = len(persons)
        around = places(count, bottom)
        called = _distinct([person and _third_person(person) for person in persons], around)
        named = (name or around[(seat - bottom) % count] for seat, name in enumerate(called))
        return Names(tuple(named), None if watching else bottom)

    def does(self, seat: int, verb: str, your_verb: str) -> str:
        """A seat and what it does: ``West wins``, ``You win``."""
        return f"You {your_verb}" if seat == self.you else f"{self.seats[seat]} {verb}"

    def who(self, seats: Sequence[int]) -> str:
        """Seats, the reader's first as ``You``."""
        ordered = sorted(seats, key=lambda seat: seat != self.you)
        return listing("You" if seat == self.you else self.seats[seat] for seat in ordered)

    def whose(self, seat: int) -> str:
        """A seat as an owner: ``Your``, ``West's``."""
        return "Your" if seat == self.you else f"{self.seats[seat]}'s"


def places(players: int, bottom: int) -> tuple[str, ...]:
    """The names of the seats by their places on a page, from the one at its bottom to the left.

    >>> places(4, 2), places(7, 5)[:3]
    (('South', 'West', 'North', 'East'), ('Seat 5', 'Seat 6', 'Seat 0'))
    """
    return COMPASS.get(players, tuple(f"Seat {(bottom + step) % players}" for step in range(players)))


def _third_person(name: str) -> str:
    """A name that reads well in ``Waiting for NAME`` on the page of somebody else."""
    return PLAYER if name.strip().casefold() in ("you", "your") else name


def _distinct(persons: Sequence[str | None], around: Sequence[str]) -> list[str | None]:
    """Names of persons; one that another person has already, or that is a place, is followed by a number."""
    taken, wanted = ({name.casefold() for name in names if name} for names in (around, persons))
    found: list[str | None] = []
    for person in persons:
        name = person
        if name and name.casefold() in taken:
            name = next(other for nth in numbers(2) if (other := f"{name} {nth}").casefold() not in taken | wanted)
        taken.add((name or "").casefold())
        found.append(name)
    return found


def number(value: Any) -> Any:
    """A score for JSON: a whole number, or the real and the imaginary part in a list.

    >>> number(13), number(complex(3, -13))
    (13, [3, -13])
    """
    return [int(value.real), int(value.imag)] if isinstance(value, complex) else int(value)


def score_words(value: Any) -> str:
    """A number of points with a minus sign as it is printed.

    >>> score_words(-13), score_words(complex(0, 13))
    ('−13', '13i')
    """
    return write_gaussian(value).replace("-", "−")


def counted(count: int, word: str) -> str:
    """A number of things.

    >>> counted(1, "trick"), counted(3, "card")
    ('1 trick', '3 cards')
    """
    return f"{count} {word}{'s' * (count != 1)}"


def trick_words(trick: dict[str, Any] | None, points: Any, names: Names) -> str:
    """A sentence about the winner of a trick and the points that it brought.

    >>> trick_words({"taker": 1}, 4, Names.of(["Ann", None, None, None], 0))
    'West won the last trick: +4.'

    Args:
        trick: with its ``taker``, None for nobody; None if there was no trick.
        points: what the winner's points rose by; None if that is not known.
        names: of the seats.
    """
    if trick is None or trick["taker"] is None:
        return "" if trick is None else "Nobody won the last trick."
    gain = "" if points is None else f": {signed(points)}".replace("-", "−") if points else ", without points"
    return f"{names.does(trick['taker'], 'won', 'won')} the last trick{gain}."


# --- what to do -----------------------------------------------------------------------------------


def status(view: View, names: Names) -> str:
    """A line about the state of the table and the reader's task.

    >>> import hearts_env as he
    >>> match = he.Match("black_lady", seed=7)
    >>> names = Names.of(["Ann", None, None, None], 0)
    >>> status(match.view(0), names)
    'Deal 1 · Choose 3 cards for West ←'
    >>> match.play(match.legal()[0])
    >>> status(match.view(0), names)
    'Deal 1 · Choose 2 cards for West ←'

    Args:
        view: of the reader's seat, or of any seat if they watch.
        names: of the seats.
    """
    if view.phase == "over":
        best = [seat for seat, place in enumerate(ranking_of(view.game, view.record)) if place == 1]
        wins = "wins" if len(best) == 1 and best[0] != names.you else "win"
        return f"The match is over: {names.who(best)} {wins}."
    seat = int(view.record["seat"])
    decision = DECISIONS[view.phase]
    todo = _own(view, decision, names) if seat == names.you else f"Waiting for {names.seats[seat]} to {decision.task}"
    return f"Deal {view.deal_number + 1} · {todo}"


def _own(view: View, decision: Decision, names: Names) -> str:
    if decision.widget is Widget.BUTTONS:
        return decision.prompt
    return _pass_words(view, names) if decision.widget is Widget.PICK else _play_words(view)


def _pass_words(view: View, names: Names) -> str:
    if int(view.record["refuser"]) >= 0:
        return "Your card was refused: choose another one"
    option = view.game.options[int(view.record["pass_option"])]
    return f"Choose {passed(option, view.seat, names, 'for', int(view.record['picked']))}"


def _play_words(view: View) -> str:
    legal, led = view.legal(), led_suit(view)
    if not view.trick:
        return f"Your turn: lead {f'the {card_words(legal[0])}' if len(legal) == 1 else 'a card'}"
    if led is None:
        return "Your turn: play a card"
    if any(card[-1] == led and card in legal for card in view.hand):
        return f"Your turn: follow {SUIT_WORDS[led]}"
    return f"Your turn: you have no {SUIT_WORDS[led]}, discard"


def passed(option: PassOption, seat: int, names: Names, to: str, picked: int = 0) -> str:
    """The cards that a seat passes, and to whom.

    >>> from hearts_env.ruleset.passing import pass_schedule
    >>> [[option]] = pass_schedule(("left*4&across*5",), seats=4, count=3)
    >>> passed(option, 0, Names.of(["Ann", None, None, None], 0), "to")
    '4 cards to West ←, then 5 cards to North ↑'

    Args:
        option: the way to pass.
        seat: who passes.
        names: of the seats.
        to: ``to`` or ``for``.
        picked: how many of the cards are chosen already.
    """
    targets = [move.offset for move in option.moves for _ in range(move.count)][picked:]
    runs = [(offset, len(list(run))) for offset, run in groupby(targets)]
    return ", then ".join(f"{counted(count, 'card')} {to} {_target(offset, seat, names)}" for offset, count in runs)


def _target(offset: int, seat: int, names: Names) -> str:
    if not offset:
        return "the pool"
    count = len(names.seats)
    return f"{names.seats[(seat + offset) % count]} {ARROWS[round(8 * offset / count) % 8]}"


# --- what a decision means ------------------------------------------------------------------------


def label(view: View, action: str, names: Names) -> str:
    """The meaning of a special action before or during play; see `deals.label` for what comes after it.

    >>> import hearts_env as he
    >>> view = he.Match("black_lady(pledge=10, cycle=[hold])", seed=7).view(0)
    >>> [label(view, action, Names.plain(4)) for action in view.legal()]
    ['Pledge to take no heart', 'Do not pledge']
    """
    kind, _, what = action.partition(":")
    if kind == "direction":
        option = next(option for option in view.game.options if option.text == what)
        return f"Pass {passed(option, view.seat, names, 'to')}" if option.moves else "Pass no cards"
    if kind == "suit":
        return f"Call {SUIT_WORDS[what]}"
    if action == "expose:done":
        nothing = "Show nothing" if view.legal()[1:] else "Nothing to show: go on"
        return "Show no more" if view.shown[view.seat] else nothing
    card = {"refuse": "Refuse", "expose": "Show"}.get(kind)
    return _ANSWERS.get(action) or f"{card} the {card_words(what)}"


_ANSWERS = {
    "refuse:no": "Accept the cards",
    "pledge:yes": "Pledge to take no heart",
    "pledge:no": "Do not pledge",
}
