"""Advice beside a real table: what a player has typed so far, and what the strongest agent makes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from hearts_agents.weights import strongest_agent
from hearts_env.cards import names_in, pattern_name
from hearts_env.checks import seat_of
from hearts_env.compiled.game import Game, compile_game
from hearts_env.explain.words import listing
from hearts_env.kernel.records import new_record
from hearts_env.render.ansi import counting_cards, render_view
from hearts_env.ruleset.model import Rules
from hearts_env.ruleset.syntax import brief, read_gaussian
from hearts_env.seat.illegal import refusal
from hearts_env.seat.known import OpenLeadError
from hearts_env.seat.totals import set_scores
from hearts_env.seat.view import View
from hearts_env.variants.registry import rules as read_rules
from hearts_training.web.levels import SEARCH
from hearts_training.web.questions import Question, answer
from hearts_training.web.words import counted

ROWS = 6
"""The most choices that are shown."""
Trick = tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class Notes:
    """What a player at a real table has typed: lines of cards and words, in the order in which the table asks for them.

    >>> import hearts_env as he
    >>> notes = Notes(he.rules("black_lady"), 0)
    >>> for line in ("2C 5C 9C 4D TD QD 3H 7H KH 6S JS QS AS", "hold", "2c", "King of clubs, AC 4♣"):
    ...     notes = notes.add(line)
    >>> notes.prompt, notes.tricks
    ('the lead of seat 2', (((0, '2C'), (1, 'KC'), (2, 'AC'), (3, '4C')),))
    >>> notes.add("2H")
    Traceback (most recent call last):
    ValueError: trick 2: seat 2 cannot play 2H under these rules, whatever else it holds
    """

    rules: Rules
    seat: int
    deal: int = 0
    totals: tuple[Any, ...] | None = None
    dealer: int | None = None
    dealt: tuple[str, ...] = ()
    direction: str | None = None
    passed: tuple[str, ...] = ()
    received: tuple[str, ...] = ()
    exposed: Trick | None = None
    pledges: tuple[bool, ...] = ()
    tricks: tuple[Trick, ...] = ()
    kitty: tuple[str, ...] = ()

    @property
    def game(self) -> Game:
        """The compiled rules."""
        return compile_game(self.rules)

    @property
    def ways(self) -> dict[str, int]:
        """Every way to pass, with the number of cards."""
        return {option.text: sum(move.count for move in option.moves) for option in self.game.options}

    @property
    def due(self) -> str:
        """What comes next: hand, direction, pass, receive, expose, pledge, play or over."""
        game, size = self.game, self.ways.get(self.direction or "", 0)
        cards = sum(":" not in word for trick in self.tricks for _, word in trick)
        is_open = {
            "hand": not self.dealt,
            "direction": self.direction is None,
            "pass": len(self.passed) < size,
            "receive": len(self.received) < size,
            "expose": bool(game.tables["exposures"]) and self.exposed is None,
            "pledge": bool(game.tables["score_pledge"]) and not self.pledges,
            "play": cards < game.seats * game.hand_size,
            "over": True,
        }
        return next(filter(is_open.__getitem__, is_open))

    @property
    def prompt(self) -> str:
        """The question that the next line answers."""
        size = self.ways.get(self.direction or "", 0)
        return {
            "hand": f"your {self.game.hand_size} cards",
            "direction": f"the pass of this deal: {listing(self.ways, 'or')} [{self._usual}]",
            "pass": f"the {counted(size, 'card')} that you pass",
            "receive": f"the {counted(size, 'card')} that you receive",
            "expose": "cards exposed and by whom, such as 2 QS, or none",
            "pledge": "yes or no of every seat, from 0 on",
            "play": self._turn,
            "over": "the deal is over; your next hand",
        }[self.due]

    @property
    def _turn(self) -> str:
        if self.view is None:
            return "who leads and which card, such as 2 QC"
        what = "suit called" if self.view.phase == "suit" else "card" if self.view.trick else "lead"
        turn = int(self.view.record["seat"])
        return f"your {what}" if turn == self.seat else f"the {what} of seat {turn}"

    @property
    def _usual(self) -> str:
        return list(self.ways)[self.deal % len(self.ways)]

    @cached_property
    def view(self) -> View | None:
        """The player's view; None while nobody is to act, or it is not known who. Raises ValueError as `View.of`."""
        due, held = self.due, Counter(self.dealt) - Counter(self.passed) + Counter(self.received)
        leads = due == "play" and not self.tricks and self.dealer is None and not self.game.tables["opener"]
        if due in ("hand", "direction", "receive", "over") or leads:
            return None
        held -= Counter(card for trick in self.tricks for seat, card in trick if seat == self.seat)
        number = max(self.deal, self.totals is not None)  # who leads may depend on the deal before
        known = {name: getattr(self, name) for name in ("passed", "received", "direction", "totals", "dealer", "kitty")}
        known["deal_number"] = number if list(self.ways)[number % len(self.ways)] == self.direction else None
        known["tricks"] = self.tricks or [[]] * (due == "play")
        with suppress(OpenLeadError):
            return View.of(
                self.rules, self.seat, held.elements(), exposed=self.exposed or (), pledges=self.pledges, **known
            )
        return None

    def add(self, line: str) -> Notes:
        """The notes after another line. Raises ValueError, in one line, for one that cannot be."""
        words, due = names_in(line), self.due
        if words[:1] == ["DEALER"]:
            number = int(words[-1]) if words[-1].isdecimal() else words[-1]
            notes = replace(self, dealer=seat_of("dealer", number, self.game.seats))
        elif words[:1] == ["TOTALS"]:
            notes = replace(self, totals=tuple(read_gaussian(word.lower()) for word in words[1:]))
            set_scores(self.game, new_record()[0], notes.totals, 0)
        elif words or due == "direction":
            notes = getattr(self, f"_add_{due}")(words)
        else:
            raise ValueError(f"type {self.prompt}")
        return notes._checked()

    def _checked(self) -> Notes:
        _ = self.view
        return self

    def _add_over(self, words: list[str]) -> Notes:
        dealer = None if self.dealer is None else (self.dealer + int(self.game.tables["rotation"])) % self.game.seats
        return Notes(self.rules, self.seat, self.deal + 1, self.totals, dealer)._add_hand(words)

    def _add_hand(self, words: list[str]) -> Notes:
        direction = next(iter(self.ways)) if len(self.ways) == 1 else None
        return replace(self, dealt=self._cards(words, self.game.hand_size), direction=direction)

    def _add_direction(self, words: list[str]) -> Notes:
        way = "".join(words).lower() or self._usual
        if way not in self.ways:
            raise ValueError(f"{brief(way)} is no pass of this game; it is {listing(self.ways, 'or')}")
        return replace(self, direction=way)

    def _add_pass(self, words: list[str]) -> Notes:
        notes, size = self, self.ways[self.direction or ""]
        for word in words:
            if (view := notes.view) is None:
                raise ValueError(f"more cards are named than the {size} that are passed")
            notes = replace(notes, passed=(*notes.passed, _legal(view, word)))
        return notes

    def _add_receive(self, words: list[str]) -> Notes:
        return replace(self, received=self._cards(words, self.ways[self.direction or ""]))

    def _add_expose(self, words: list[str]) -> Notes:
        pairs = () if words == ["NONE"] else _pairs(words)
        return replace(self, exposed=tuple((self.seat if seat is None else seat, card) for seat, card in pairs))

    def _add_pledge(self, words: list[str]) -> Notes:
        if len(words) != self.game.seats or not {"YES", "NO"} >= set(words):
            raise ValueError(f"type yes or no {self.game.seats} times, from seat 0 on")
        return replace(self, pledges=tuple(word == "YES" for word in words))

    def _add_play(self, words: list[str]) -> Notes:
        end = words.index("KITTY") if "KITTY" in words else len(words)
        notes, plays = self, list(_pairs(words[:end]))
        for place, (seat, word) in enumerate(plays, 1):
            notes = notes._play(seat, word, words[end + 1 :] if place == len(plays) else [])
        return notes

    def _play(self, seat: int | None, word: str, kitty: list[str]) -> Notes:
        view = self.view
        turn = seat if view is None else int(view.record["seat"])
        if turn is None or self.due == "over":
            raise ValueError(f"type {self.prompt}")
        if seat not in (None, turn):
            raise ValueError(f"it is the turn of seat {turn}, not of seat {seat}")
        calls = view is not None and view.phase == "suit"
        name = f"suit:{pattern_name(word)}" if calls else self._cards([word], 1)[0]
        if view is not None and turn == self.seat:
            _legal(view, name)
        begins = view is None or (not view.trick and not calls)
        before, trick = (self.tricks, ()) if begins else (self.tricks[:-1], self.tricks[-1])
        tricks = (*before, (*trick, (turn, name)))
        return replace(self, tricks=tricks, kitty=self.kitty + self._cards(kitty))._checked()

    def _cards(self, words: list[str], count: int | None = None) -> tuple[str, ...]:
        found = self.game.check_copies("cards", [words])[0]
        if count not in (None, len(found)):
            raise ValueError(f"{counted(len(found), 'card')} named; {count} needed")
        return tuple(found)


def _legal(view: View, word: str) -> str:
    """The name of an action of the player. Raises ValueError, with the reason, unless it is legal."""
    number = view.game.action(word)
    if number not in view.legal_ids():
        raise ValueError(refusal(view, number))
    return view.game.actions[number]


def _pairs(words: list[str]) -> Iterator[tuple[int | None, str]]:
    """(seat, card) for every card: a number before a card is its seat, as in ``2 QS`` or ``2:QS``."""
    seat = None
    for part in " ".join(words).replace(":", " ").split():
        if part.isdecimal():
            seat = int(part)
        else:
            yield seat, part
            seat = None


def advice(notes: Notes) -> str:
    """The table as the player knows it, who may hold the cards that matter, and what to do if it is their turn."""
    view = notes.view
    if view is None:
        return ""
    return "\n\n".join([render_view(view), _holders(view), *([_choices(notes, view)] if view.legal() else [])])


def _choices(notes: Notes, view: View) -> str:
    """What the strongest agent would do, and what each choice costs."""
    agent, legal, best = strongest_agent(notes.rules), view.legal(), list[str]()
    if len(legal) == 1:
        return f"You have no choice: {legal[0]}."
    chances, costs = (answer(Question.about(view, "explain", spec)) for spec in (agent, SEARCH))
    for left in range(max(view.picks_left, 1), 0, -1):
        best.append(answer(Question.about(notes.view or view, "explain", agent))[0]["action"])
        notes = notes.add(best[-1]) if left > 1 else notes
    more = {one["action"]: f"{one['cost']:+.1f} ± {one['error']:.1f}" if one["cost"] else "best" for one in costs}
    lines = [f"{agent} would choose {' '.join(best)}", f"{'':10} chance  points more than the best, by {SEARCH}"]
    lines += [f"{one['action']:10} {one['probability']:6.0%}  {more[one['action']]}" for one in chances[:ROWS]]
    return "\n".join(lines)


def _holders(view: View) -> str:
    """The chances of the other seats to hold the cards that count most, and the highest of each suit."""
    shares, worth, ids = answer(Question.about(view, "believe")), view.game.tables["values"], view.game.deck.ids
    matter = [card for card in counting_cards(view.game) if card in shares]
    matter.sort(key=lambda card: (-abs(complex(*worth[ids[card]])), -ids[card]))
    highest = {card[-1]: card for card in shares}.values()  # in kind order, so the last of a suit
    others = [seat for seat in range(view.game.seats) if seat != view.seat]
    rows = [["who may hold", *(f"seat {seat}" for seat in others)]]
    rows += [
        [card, *(f"{shares[card][seat]:.0%}" for seat in others)] for card in dict.fromkeys([*matter[:5], *highest])
    ]
    return "\n".join(row[0].ljust(13) + "".join(cell.rjust(8) for cell in row[1:]) for row in rows)


def advise(rules: str, seat: int, lines: Sequence[str]) -> dict[str, str]:
    """The advice after some lines, and the question that the next one answers. Raises ValueError as `Notes.add`."""
    notes = Notes(read_rules(rules), seat_of("seat", seat, read_rules(rules).players))
    for line in lines:
        notes = notes.add(line)
    return {"prompt": notes.prompt, "text": advice(notes)}
