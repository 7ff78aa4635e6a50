"""What comes after the last trick: the moon, the score sheet, exact hits, and whether the match goes on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from hearts_env.ruleset.model import Rules
from tests.oracle.end import Sheet, after_deal
from tests.oracle.moon import Deal
from tests.oracle.notes import note_deal, note_end
from tests.oracle.rules import team_mates
from tests.oracle.score import oracle_score


class AfterPlay:
    """The part of a deal in which it is scored.

    Args:
        rules: the rules.
        deal: the deal played out.
        sheet: the score sheet before it.
        big_moon: the seat that completes a big moon, if any.
        seen: counts the rare things that happen.

    Attributes:
        phase, turn: what is decided, and by which seat; the phase is "done" once the deal is scored.
        sheet: the score sheet, with the deal once the moon is settled.
        tally: what the deal scored, as far as it is settled.
        over: whether the match has ended with the deal.
    """

    def __init__(self, rules: Rules, deal: Deal, sheet: Sheet, big_moon: int | None, seen: Counter[str]) -> None:
        self.rules, self.deal, self.sheet, self.big_moon, self.seen = rules, deal, sheet, big_moon, seen
        self.turn, self.over = 0, False
        self._score()

    def legal(self) -> list[str]:
        """The actions of the seat to decide."""
        return {
            "moon": ["moon:self", "moon:others"],
            "sign": ["sign:plus", "sign:minus"],
            "exact": ["exact:yes", "exact:no"],
            "done": [],
        }[self.phase]

    def play(self, answer: str) -> None:
        """Carry out one action, written without its phase."""
        step: dict[str, Callable[[str], None]] = {
            "moon": self._score,
            "sign": self._choose_sign,
            "exact": self._answer_exact,
        }
        step[self.phase](answer)

    def _score(self, choice: str | None = None) -> None:
        self.tally = oracle_score(self.rules, self.deal, self.sheet, choice, big_moon=self.big_moon)
        if choice is None and len(self.tally.choices) > 1:
            assert self.tally.shooter is not None
            self.phase, self.turn = "moon", self.tally.shooter
            return
        if self.tally.way == "others" and self._unsigned():
            assert self.tally.shooter is not None
            self.phase, self.turn = "sign", self.tally.shooter
            return
        note_deal(self.seen, self.rules, self.deal, self.sheet, self.tally)
        winner = self.tally.shooter if self.rules.moon.mode == "wins" else None
        self.sheet = replace(self.sheet, totals=self.tally.totals, pool=self.tally.pool, winner=winner)
        self._exact_hits()

    def _unsigned(self) -> list[int]:
        """The opponents for whom the shooter has yet to choose a sign, in the order of their turn."""
        shooter, moon = self.tally.shooter, self.rules.moon
        if moon.sign != "chosen" or moon.policy == "auto_best" or shooter is None:
            return []
        seats, mates = self.rules.table.players, team_mates(self.rules, shooter)
        others = [(shooter + self.rules.table.direction * steps) % seats for steps in range(1, seats)]
        return [seat for seat in others if seat not in mates and seat not in self.deal.signs]

    def _choose_sign(self, answer: str) -> None:
        sign = {self._unsigned()[0]: 1 if answer == "plus" else -1}
        self.deal = replace(self.deal, signs=self.deal.signs | sign)
        if not self._unsigned():
            self._score("others")

    def _exact_hits(self) -> None:
        hits = dict(self.rules.end.exact)
        self.asked = [seat for seat, total in enumerate(self.sheet.totals) if total in hits]
        if self.rules.end.exact_optional and self.asked:
            self.phase, self.turn = "exact", self.asked[0]
            return
        for seat in self.asked:
            self.seen["exact"] += 1
            self._take_hit(seat)
        self._finish()

    def _answer_exact(self, answer: str) -> None:
        if answer == "yes":
            self._take_hit(self.turn)
        self.asked = self.asked[1:]
        if self.asked:
            self.turn = self.asked[0]
        else:
            self._finish()

    def _take_hit(self, seat: int) -> None:
        totals = list(self.sheet.totals)
        totals[seat] += dict(self.rules.end.exact)[totals[seat]]
        self.sheet = replace(self.sheet, totals=totals)

    def _finish(self) -> None:
        before, tally = self.sheet, self.tally
        self.phase = "done"
        self.sheet, self.over, ends = after_deal(self.rules, before, tally.points, tally.shooter, tally.way)
        note_end(self.seen, self.rules, before, self.sheet, over=self.over, ends=ends)
        self.sheet = replace(self.sheet, tie_pending=self.sheet.tie_pending or ends)
