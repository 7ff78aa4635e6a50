"""What the oracle notes of a match: the rare things that a test may want to have happened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Protocol

from hearts_env.ruleset.model import Rules
from tests.oracle.end import Sheet, best_is_shared
from tests.oracle.moon import Deal, took_all
from tests.oracle.rules import JOKER, named_by, suit
from tests.oracle.score import Tally


class Noted(Protocol):
    """What is looked at of an oracle."""

    rules: Rules
    seats: int
    turn: int
    trick: Any
    tricks_played: int
    broken: bool
    hands: Any
    exposed: Any
    kitty: Any
    winners: Any
    taken: Any
    idle: Any
    sheet: Sheet
    seen: Counter[str]

    @property
    def finished(self) -> Deal: ...
    @property
    def totals(self) -> Sequence[Any]: ...


def note_card(table: Noted, name: str) -> None:
    """Note what is special about a card just before it is played."""
    seen, rules, leading = table.seen, table.rules, not table.trick
    heart_waits = suit(name) == "H" and not table.broken and rules.play.heart_lead == "broken"
    seen["heart led by exception"] += leading and heart_waits
    seen["ban waived"] += table.tricks_played == 0 and named_by(rules.play.first_trick_forbidden, name)
    seen["heart led"] += leading and suit(name) == "H"
    seen["joker led"] += leading and name == JOKER
    follows = bool(table.trick) and any(suit(card) == suit(table.trick[0]) for card in table.hands[table.turn])
    seen["joker instead of following"] += follows and name == JOKER
    void = bool(table.trick) and not follows
    seen["forced discard"] += void and named_by(rules.play.forced_discard, name)
    seen["shown card played"] += name in table.exposed


def note_deal(table: Noted, tally: Tally) -> None:
    """Note what is special about a deal just before its points are added."""
    seen, rules, deal = table.seen, table.rules, table.finished
    taker, shooter = took_all(rules, deal), tally.shooter
    seen["everything taken"] += taker is not None
    seen["no award"] += taker is not None and shooter is None
    seen["shot"] += shooter is not None
    seen["together"] += shooter is not None and taker is None
    seen["clean slate"] += tally.way == "clean"
    seen["kitty"] += bool(table.kitty)
    seen["idle joker"] += any(table.idle)
    seen["pool kept"] += tally.pool > 0
    for seat in range(table.seats):
        _note_seat(table, tally, seat)


def _note_seat(table: Noted, tally: Tally, seat: int) -> None:
    seen, score, won = table.seen, table.rules.score, table.winners.count(seat)
    seen["no tricks"] += won == 0
    seen["every trick"] += won == len(table.winners)
    seen["all but the first"] += won == len(table.winners) - 1 and table.winners[0] != seat
    haul = table.finished.haul(table.rules, seat)
    seen["hand floor"] += score.bonus_floor_hand and haul.score() < 0 and seat != tally.shooter
    seen["total floor"] += score.bonus_floor_total and table.totals[seat] + tally.points[seat] < 0
    seen["alone"] += haul.is_alone()
    seen["multiplied"] += haul.whole_factor() != 1 and haul.score() != 0
    seen["negated"] += any(
        key in haul.cards and any(named_by([pattern], card) for card in haul.cards) for key, pattern in score.negations
    )


def note_end(table: Noted, before: Sheet, over: bool, ends: bool) -> None:
    """Note what is special about the end of a deal or of the match; `before`: the sheet before lives and moons."""
    seen, shared = table.seen, best_is_shared(table.rules, table.sheet)
    seen["played on"] += ends and not over
    seen["shared"] += over and shared
    seen["life lost"] += before.lives != table.sheet.lives
    seen["put off"] += table.sheet.extended and not before.extended
    seen["extended end"] += over and table.sheet.extended
