"""A match of Hearts kept by hand: phases, turns and hands around the plain rules beside this file.

`Oracle.seen` counts the rare things that happened, so that a test can insist that they did.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from hearts_env.ruleset.model import Rules
from tests.oracle.dealing import Dealing, Hands
from tests.oracle.end import (
    Sheet,
    ends_by_itself,
    first_sheet,
    lose_lives,
    match_over,
    oracle_ranking,
    put_off,
    puts_off_the_end,
)
from tests.oracle.moon import Deal, took_all
from tests.oracle.notes import note_card, note_deal, note_end
from tests.oracle.rules import JOKER, SUITS, Points, oracle_opener, team_mates
from tests.oracle.score import oracle_score
from tests.oracle.tricks import (
    breaks_hearts,
    extends_trick,
    led_suit,
    oracle_legal,
    oracle_winner,
    takes_dead_last_trick,
)


class Oracle(Dealing):
    """The rules acted out step by step, to be compared with `Match`.

    Args:
        rules: the rules.
        deals: deal number -> the hands dealt, one list of card names per seat.
        kitties: deal number -> the kitty, in its order; by default the rest of the pack, sorted.
        after_pool: the hands after everybody's cards have been shuffled and dealt back.
        dealer: the dealer of the first deal.
        sheet: the score sheet before the first deal; by default that of a new match.
        leader: who leads to the first trick of the first deal, if not the seat the rules name.
        passing: False to start the first deal with what comes after the pass.
        entry_of: deal number -> entry of the pass cycle, for `schedule=random`.
    """

    def __init__(
        self,
        rules: Rules,
        deals: Callable[[int], Hands],
        *,
        kitties: Callable[[int], Sequence[str]] | None = None,
        after_pool: Callable[[], Hands] | None = None,
        dealer: int = 0,
        sheet: Sheet | None = None,
        leader: int | None = None,
        passing: bool = True,
        entry_of: Callable[[int], int] | None = None,
    ) -> None:
        self.rules, self.seats = rules, rules.table.players
        self.deals, self.kitties, self.after_pool, self.entry_of = deals, kitties, after_pool, entry_of
        self.dealer, self.sheet = dealer, sheet or first_sheet(rules)
        self.turn = 0
        self.deal_points: list[list[Points]] = []
        self.streaks = [0] * self.seats
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
    def totals(self) -> list[Points]:
        """Totals, per seat."""
        return self.sheet.totals

    @property
    def deal_number(self) -> int:
        """Deals finished before this one."""
        return self.sheet.deal_number

    @property
    def lives(self) -> list[int]:
        """Lives per seat, empty in a game without."""
        return self.sheet.lives

    @property
    def pool(self) -> int:
        """Chips in the pool."""
        return self.sheet.pool

    @property
    def points(self) -> list[Points]:
        """Points of the cards taken in the deal under way; once it is scored, its points."""
        if self.phase in {"exact", "over"}:
            return self.final_points
        return [self.finished.haul(self.rules, seat).score() for seat in range(self.seats)]

    @property
    def tricks_won(self) -> list[int]:
        """Number of tricks each seat has won in the deal."""
        return [self.winners.count(seat) for seat in range(self.seats)]

    @property
    def ranking(self) -> list[int]:
        """Place of every seat, 1 being the best."""
        return oracle_ranking(self.rules, self.sheet)

    @property
    def losers(self) -> list[int]:
        """The seats that share the last place once the match is over."""
        last = max(self.ranking)
        return [seat for seat in range(self.seats) if self.over and self.ranking[seat] == last]

    @property
    def finished(self) -> Deal:
        """The deal as it would be written down now."""
        passed = self.moves[0][0] if len(self.moves) == 1 else None
        signs = self.signs
        return Deal(
            self.taken, self.winners, self.exposed, self.idle, self.pledges, passed, aside=self.aside, signs=signs
        )

    def legal(self) -> list[str]:
        """The actions of the seat to decide."""
        hand = self.hands[self.turn]
        if self.phase == "pass":
            return self.passable()
        if self.phase == "play":
            return oracle_legal(
                self.rules,
                hand,
                self.trick,
                self.tricks_played == 0,
                self.broken,
                called=self.called,
                exposed=self.exposed,
                led_before=self.led_before,
                opener=self.opener,
            )
        return [f"{self.phase}:{answer}" for answer in self._answers(hand)]

    def _answers(self, hand: Sequence[str]) -> list[str]:
        if self.phase == "expose":
            showable = [card for card, _ in self.rules.exposing.cards if card in hand and card not in self.exposed]
            return [*showable, "done"]
        if self.phase == "suit":
            hearts = self.broken or self.rules.play.heart_lead == "free"
            return [letter for letter in SUITS if letter != "H" or hearts]
        if self.phase == "refuse":
            return [*self.offers[self.turn], "no"]
        if self.phase == "direction":
            return [text for text, _ in self.options]
        answers = {"moon": ["self", "others"], "sign": ["plus", "minus"]}
        return answers.get(self.phase, ["yes", "no"] if self.phase in {"pledge", "exact"} else [])

    def play(self, name: str) -> None:
        """Carry out one action."""
        assert name in self.legal(), f"{name} is not legal in phase {self.phase}"
        if ":" in name:
            self.seen[name] += 1
        step: dict[str, Callable[[str], None]] = {
            "direction": self.choose_direction,
            "pass": self.pick,
            "expose": self.expose,
            "refuse": self.refuse,
            "pledge": self.pledge,
            "sign": self._choose_sign,
            "play": self._play_card,
            "suit": self._call_suit,
            "moon": self._count,
            "exact": self._say_exact,
        }
        step[self.phase](name.partition(":")[2] or name)

    # Play

    def _deal(self, leader: int | None = None, passing: bool = True, opens: int | None = None) -> None:
        """Begin a deal: `leader` leads if given, or else `opens` does, with any card."""
        self.trick: list[str] = []
        self.called: str | None = None
        self.led_before: list[str] = []
        self.tricks_played, self.broken = 0, False
        self.first_leader, self.opens = leader, opens
        self.leader: int | None = None
        self.shooter: int | None = None
        self.signs: dict[int, int] = {}
        self.deal_out(self.deal_number, passing)

    def start_play(self) -> None:
        """Let the first seat lead."""
        self.phase = "play"
        self.opener = oracle_opener(self.rules, self.hands)
        if self.first_leader is not None:
            self.leader = self.first_leader
        elif self.opens is not None:
            self.leader, self.opener = self.opens, None
        elif self.rules.opening.leader == "left_of_dealer" or self.opener is None:
            self.leader, self.opener = self._after(self.dealer), None
        else:
            self.leader = next(seat for seat, hand in enumerate(self.hands) if self.opener in hand)
        self.turn, self.trick_size = self.leader, self.seats

    def _after(self, seat: int, steps: int = 1) -> int:
        return (seat + self.rules.table.direction * steps) % self.seats

    def _play_card(self, name: str) -> None:
        note_card(self, name)
        self.hands[self.turn].remove(name)
        self.trick.append(name)
        if breaks_hearts(self.rules, name, led_suit(self.trick, self.called)):
            self.broken = True
        if self.trick == [JOKER] and self.rules.jokers.lead == "call":
            self.phase = "suit"
        else:
            self._go_on()

    def _call_suit(self, letter: str) -> None:
        self.phase, self.called = "play", letter
        self._go_on()

    def _go_on(self) -> None:
        if len(self.trick) == self.seats and any(self.hands) and extends_trick(self.rules, self.trick, self.called):
            self.seen["extended"] += 1
            self.trick_size = 2 * self.seats
        if len(self.trick) < self.trick_size:
            self.turn = self._after(self.turn)
            return
        self._end_trick()
        if not any(self.hands):
            self.end_deal()
            self._count()

    def _end_trick(self) -> None:
        assert self.leader is not None
        trick, led = self.trick, led_suit(self.trick, self.called)
        place = oracle_winner(self.rules, trick, self.called)
        self.seen["dead trick"] += place is None
        if place is None and not any(self.hands):
            self.seen["dead last trick"] += 1
            place = takes_dead_last_trick(self.rules, trick, self.called)
        if place is None:
            self.roll_over(trick, led)
        else:
            self.leader = self._after(self.leader, place)
            self.give_trick(self.leader, trick, led)
        if led is not None:
            self.led_before.append(led)
        self.turn, self.trick, self.called = self.leader, [], None
        self.tricks_played, self.trick_size = self.tricks_played + 1, self.seats

    # Count

    def _count(self, moon: str | None = None) -> None:
        wanted = self.rules.moon.big_moon_deals
        big = None
        if moon is None:
            swept = took_all(self.rules, self.finished)
            self.streaks = [streak + 1 if seat == swept else 0 for seat, streak in enumerate(self.streaks)]
        if wanted is not None and wanted in self.streaks:
            big = self.streaks.index(wanted)
            self.streaks[big] = 0
        tally = oracle_score(self.rules, self.finished, self.sheet, moon, big_moon=big)
        self.shooter = tally.shooter
        self.seen["big moon"] += big is not None
        if moon is None and len(tally.choices) > 1:
            assert tally.shooter is not None
            self.phase, self.turn = "moon", tally.shooter
            return
        if tally.way == "others" and self._unsigned():
            assert tally.shooter is not None
            self.phase, self.turn = "sign", tally.shooter
            return
        note_deal(self, tally)
        self.final_points, self.way = tally.points, tally.way
        self.sheet = replace(self.sheet, totals=tally.totals, pool=tally.pool)
        self._exact_hits()

    def _unsigned(self) -> list[int]:
        """The opponents for whom the shooter has yet to choose a sign, in the order of their turn."""
        if self.rules.moon.sign != "chosen" or self.rules.moon.policy == "auto_best" or self.shooter is None:
            return []
        others = [self._after(self.shooter, steps) for steps in range(1, self.seats)]
        mates = team_mates(self.rules, self.shooter)
        return [seat for seat in others if seat not in mates and seat not in self.signs]

    def _choose_sign(self, answer: str) -> None:
        self.signs[self._unsigned()[0]] = 1 if answer == "plus" else -1
        if not self._unsigned():
            self._count("others")

    def _exact_hits(self) -> None:
        hits = dict(self.rules.end.exact)
        self.asked = [seat for seat, total in enumerate(self.totals) if total in hits]
        if self.rules.end.exact_optional and self.asked:
            self.phase, self.turn = "exact", self.asked[0]
            return
        for seat in self.asked:
            self.seen["exact"] += 1
            self._take_hit(seat)
        self._next()

    def _take_hit(self, seat: int) -> None:
        totals = list(self.totals)
        totals[seat] += dict(self.rules.end.exact)[totals[seat]]
        self.sheet = replace(self.sheet, totals=totals)

    def _say_exact(self, answer: str) -> None:
        if answer == "yes":
            self._take_hit(self.turn)
        self.asked = self.asked[1:]
        if self.asked:
            self.turn = self.asked[0]
        else:
            self._next()

    def _next(self) -> None:
        self.deal_points.append(self.final_points)
        before, shot = self.sheet, None if self.shooter is None else self.shooter
        self.sheet = lose_lives(self.rules, self.sheet, self.final_points)
        moon: bool | None = shot is not None
        if shot is not None and self.way == "others" and puts_off_the_end(self.rules, self.sheet, shot):
            self.sheet, moon = put_off(self.sheet), None
        over, ends = match_over(self.rules, self.sheet, moon), ends_by_itself(self.rules, self.sheet, moon)
        note_end(self, before, over, ends)
        self.sheet = replace(self.sheet, due=self.sheet.due or ends)
        if over:
            self.phase = "over"
            return
        self.dealer = self._next_dealer()
        self.sheet = replace(self.sheet, deal_number=self.deal_number + 1)
        opens = self.rules.opening.taker
        self._deal(opens=None if opens is None else self._taker_of(opens))

    def _next_dealer(self) -> int:
        card = self.rules.table.dealer_next
        taker = None if card == "left" else self._taker_of(card)
        return self._after(self.dealer) if taker is None else taker

    def _taker_of(self, card: str) -> int | None:
        return next((seat for seat, cards in enumerate(self.taken) if card in cards), None)
