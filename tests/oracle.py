"""A match of Hearts kept by hand: phases, turns and hands around the plain rules beside this file.

`Oracle.seen` counts the rare things that happened, so that a test can insist that they did.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from hearts_env.rules import Rules
from tests.oracle_rules import (
    breaks_hearts,
    named_by,
    oracle_legal,
    oracle_opener,
    oracle_passes,
    oracle_winner,
    suit,
    value,
)
from tests.oracle_score import Tally, ends_by_itself, match_over, oracle_ranking, oracle_score, took_all

Deals = Callable[[int], Sequence[Sequence[str]]]


class Oracle:
    """The rules acted out step by step, to be compared with `Match`.

    Args:
        rules: the rules.
        deals: deal number -> the hands dealt, one list of card names per seat.
        dealer: the dealer of the first deal.
        totals: totals before the first deal.
        deal_number: number of the first deal.
        leader: who leads to the first trick of the first deal, if not the seat the rules name.
        passing: False to start the first deal with the play.
        entry_of: deal number -> entry of the pass cycle, for `schedule=random`.
    """

    def __init__(
        self,
        rules: Rules,
        deals: Deals,
        *,
        dealer: int = 0,
        totals: Sequence[int] | None = None,
        deal_number: int = 0,
        leader: int | None = None,
        passing: bool = True,
        entry_of: Callable[[int], int] | None = None,
    ) -> None:
        self.rules, self.seats = rules, rules.table.players
        self.deals, self.entry_of = deals, entry_of
        self.dealer, self.deal_number = dealer, deal_number
        self.turn = 0
        self.totals = list(totals) if totals is not None else [0] * self.seats
        self.deal_points: list[list[int]] = []
        self.streaks = [0] * self.seats
        self.due = False
        self.seen: Counter[str] = Counter()
        self._deal(leader, passing)

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.phase == "over"

    @property
    def seat(self) -> int | None:
        """The seat to decide, None once the match is over."""
        return None if self.over else self.turn

    @property
    def points(self) -> list[int]:
        """Card points taken in the deal under way; once it is scored, its points."""
        if self.phase in {"exact", "over"}:
            return self.final_points
        return [sum(value(self.rules, card) for card in cards) for cards in self.taken]

    @property
    def tricks_won(self) -> list[int]:
        """Number of tricks each seat has won in the deal."""
        return [self.winners.count(seat) for seat in range(self.seats)]

    @property
    def ranking(self) -> list[int]:
        """Place of every seat, 1 being the best."""
        return oracle_ranking(self.totals)

    @property
    def losers(self) -> list[int]:
        """The seats that share the last place once the match is over."""
        last = max(self.ranking)
        return [seat for seat in range(self.seats) if self.over and self.ranking[seat] == last]

    def legal(self) -> list[str]:
        """The actions of the seat to decide."""
        if self.phase == "direction":
            return ["direction:" + text for text, _ in self.options]
        if self.phase == "pass":
            hand = self.hands[self.turn]
            free = [card for card in hand if not named_by(self.rules.passing.unpassable, card)]
            return free or list(hand)
        if self.phase == "play":
            return oracle_legal(self.rules, self.hands[self.turn], self.trick, not self.winners, self.broken)
        if self.phase == "moon":
            return ["moon:self", "moon:others"]
        if self.phase == "exact":
            return ["exact:yes", "exact:no"]
        return []

    def play(self, name: str) -> None:
        """Carry out one action."""
        assert name in self.legal(), f"{name} is not legal in phase {self.phase}"
        if ":" in name:
            self.seen[name] += 1
        {
            "direction": self._choose_direction,
            "pass": self._pick,
            "play": self._play_card,
            "moon": self._say_moon,
            "exact": self._say_exact,
        }[self.phase](name)

    # Deal and pass

    def _deal(self, leader: int | None = None, passing: bool = True) -> None:
        self.hands = [list(hand) for hand in self.deals(self.deal_number)]
        self.taken: list[list[str]] = [[] for _ in range(self.seats)]
        self.winners: list[int] = []
        self.trick: list[str] = []
        self.broken = False
        self.shooter: int | None = None
        self.first_leader = leader
        self.leader: int | None = None
        self.direction: str | None = None
        entries = oracle_passes(self.rules)
        if not passing:
            self._start_play()
            return
        entry = self.deal_number % len(entries)
        if self.rules.passing.schedule == "random" and self.entry_of is not None:
            entry = self.entry_of(self.deal_number)
        self.options = entries[entry]
        if len(self.options) > 1:
            self.phase, self.turn = "direction", self.dealer
        else:
            self._start_pass(*self.options[0])

    def _choose_direction(self, name: str) -> None:
        text = name.removeprefix("direction:")
        self._start_pass(text, dict(self.options)[text])

    def _start_pass(self, text: str, moves: list[tuple[int, int]]) -> None:
        self.direction = text
        # Whom each picked card goes to, in the order of picking.
        self.offsets = [offset for offset, count in moves for _ in range(count)]
        self.picked: list[list[str]] = [[] for _ in range(self.seats)]
        if not self.offsets:
            self._start_play()
            return
        self.phase, self.turn = "pass", 0

    def _pick(self, name: str) -> None:
        self.seen["protected"] += len(self.legal()) < len(self.hands[self.turn])
        self.seen["all protected"] += named_by(self.rules.passing.unpassable, name)
        self.hands[self.turn].remove(name)
        self.picked[self.turn].append(name)
        if len(self.picked[self.turn]) < len(self.offsets):
            return
        if self.turn < self.seats - 1:
            self.turn += 1
            return
        for giver, cards in enumerate(self.picked):
            for card, offset in zip(cards, self.offsets, strict=True):
                self.hands[(giver + offset) % self.seats].append(card)
        self._start_play()

    # Play

    def _start_play(self) -> None:
        self.phase = "play"
        if self.first_leader is not None:
            self.leader = self.first_leader
        elif self.rules.opening.leader == "left_of_dealer":
            self.leader = (self.dealer + 1) % self.seats
        else:
            opener = oracle_opener(self.rules)
            self.leader = next(seat for seat, hand in enumerate(self.hands) if opener in hand)
        self.turn = self.leader

    def _play_card(self, name: str) -> None:
        self._notice_play(name)
        self.hands[self.turn].remove(name)
        self.trick.append(name)
        if breaks_hearts(self.rules, name, suit(self.trick[0])):
            self.broken = True
        if len(self.trick) < self.seats:
            self.turn = (self.turn + 1) % self.seats
            return
        assert self.leader is not None
        winner = (self.leader + oracle_winner(self.rules, self.trick)) % self.seats
        self.taken[winner] += self.trick
        self.winners.append(winner)
        self.trick = []
        self.leader = self.turn = winner
        if not any(self.hands):
            self._count()

    def _notice_play(self, name: str) -> None:
        leading, banned = not self.trick, self.rules.play.first_trick_forbidden
        heart_waits = suit(name) == "H" and not self.broken and self.rules.play.heart_lead == "broken"
        self.seen["heart led by exception"] += leading and heart_waits
        self.seen["ban waived"] += not self.winners and named_by(banned, name)
        self.seen["heart led"] += leading and suit(name) == "H"

    # Count

    def _count(self, moon: str | None = None) -> None:
        wanted = self.rules.moon.big_moon_deals
        big = None
        if moon is None:
            swept = took_all(self.rules, self.taken)
            self.streaks = [streak + 1 if seat == swept else 0 for seat, streak in enumerate(self.streaks)]
        if wanted is not None and wanted in self.streaks:
            big = self.streaks.index(wanted)
            self.streaks[big] = 0
        tally = oracle_score(
            self.rules,
            self.taken,
            self.winners,
            self.totals,
            moon,
            deal_number=self.deal_number,
            big_moon=big,
            due=self.due,
        )
        self.shooter = tally.shooter
        self.seen["big moon"] += big is not None
        if moon is None and len(tally.choices) > 1:
            assert tally.shooter is not None
            self.phase, self.turn = "moon", tally.shooter
            return
        self._notice_score(tally)
        self.final_points, self.totals = tally.points, tally.totals
        self._exact_hits()

    def _notice_score(self, tally: Tally) -> None:
        taker, shooter = took_all(self.rules, self.taken), tally.shooter
        self.seen["everything taken"] += taker is not None
        self.seen["no award"] += taker is not None and shooter is None
        self.seen["shot"] += shooter is not None
        for seat in range(self.seats):
            won = self.winners.count(seat)
            self.seen["no tricks"] += won == 0
            self.seen["every trick"] += won == len(self.winners)
            self.seen["all but the first"] += won == len(self.winners) - 1 and self.winners[0] != seat
            raw = sum(value(self.rules, card) for card in self.taken[seat])
            self.seen["hand floor"] += raw < 0 and self.rules.score.bonus_floor_hand and seat != shooter
            unfloored = self.totals[seat] + tally.points[seat]
            self.seen["total floor"] += unfloored < 0 and self.rules.score.bonus_floor_total

    def _say_moon(self, name: str) -> None:
        self._count(name.removeprefix("moon:"))

    def _exact_hits(self) -> None:
        hits = dict(self.rules.end.exact)
        self.asked = [seat for seat, total in enumerate(self.totals) if total in hits]
        if self.rules.end.exact_optional and self.asked:
            self.phase, self.turn = "exact", self.asked[0]
            return
        for seat in self.asked:
            self.seen["exact"] += 1
            self.totals[seat] += hits[self.totals[seat]]
        self._next()

    def _say_exact(self, name: str) -> None:
        if name == "exact:yes":
            self.totals[self.turn] += dict(self.rules.end.exact)[self.totals[self.turn]]
        self.asked = self.asked[1:]
        if self.asked:
            self.turn = self.asked[0]
        else:
            self._next()

    def _next(self) -> None:
        self.deal_points.append(self.final_points)
        over = match_over(self.rules, self.totals, self.deal_number, due=self.due)
        self.due = self.due or ends_by_itself(self.rules, self.totals, self.deal_number)
        self.seen["played on"] += not over and ends_by_itself(self.rules, self.totals, self.deal_number)
        self.seen["shared"] += over and self.totals.count(min(self.totals)) > 1
        if over:
            self.phase = "over"
            return
        self.dealer = self._next_dealer()
        self.deal_number += 1
        self._deal()

    def _next_dealer(self) -> int:
        card = self.rules.table.dealer_next
        if card == "left":
            return (self.dealer + 1) % self.seats
        return next(seat for seat, cards in enumerate(self.taken) if card in cards)
