"""A match of Hearts kept by hand: phases, turns and hands around the plain rules beside this file.

`Oracle.seen` counts the rare things that happened, so that a test can insist that they did.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from operator import attrgetter

from hearts_env.ruleset.model import Rules
from tests.oracle.after_play import AfterPlay
from tests.oracle.before_play import BeforePlay, Hands
from tests.oracle.end import Sheet, first_sheet, oracle_ranking
from tests.oracle.moon import Deal, count_streak, sweepers
from tests.oracle.notes import note_card
from tests.oracle.piles import Piles
from tests.oracle.rules import JOKER, SUITS, Points, oracle_opener, rest_of_pack
from tests.oracle.tricks import (
    breaks_hearts,
    extends_trick,
    led_suit,
    oracle_legal,
    oracle_winner,
    takes_dead_last_trick,
)


class Oracle:
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

    Attributes:
        phase, turn: what is decided, and by which seat.
        hands: the cards held, per seat.
        piles: the cards that have left the hands.
        before, after: the parts of the deal before the first and after the last trick.
        trick: the cards of the trick under way.
        sheet: the score sheet.
        seen: how often rare things have happened.
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
        self.deal_points: list[list[Points]] = []
        self.streaks = [0] * self.seats
        self.seen: Counter[str] = Counter()
        self._deal(leader, passing)

    def fork(self) -> Oracle:
        """A copy that can be played on by itself."""
        return copy.deepcopy(self, {id(self.rules): self.rules})

    # What can be seen

    @property
    def over(self) -> bool:
        return self.phase == "over"

    @property
    def seat(self) -> int | None:
        """The seat to decide, None once the match is over."""
        return None if self.over else self.turn

    totals = property(attrgetter("sheet.totals"))
    deal_number = property(attrgetter("sheet.deal_number"))
    lives = property(attrgetter("sheet.lives"))
    pool = property(attrgetter("sheet.pool"))
    direction = property(attrgetter("before.direction"))
    exposed = property(attrgetter("before.exposed"))
    pledges = property(attrgetter("before.pledges"))
    taken = property(attrgetter("piles.taken"))
    rolled = property(attrgetter("piles.rolled_over"))
    kitty = property(attrgetter("piles.kitty"))

    @property
    def tricks_won(self) -> list[int]:
        return [self.piles.winners.count(seat) for seat in range(self.seats)]

    @property
    def points(self) -> list[Points]:
        """Points of the cards taken in the deal under way; once it is scored, its points."""
        if self.phase in {"exact", "over"}:
            return self.after.tally.points
        return [self.deal_so_far.haul(self.rules, seat).score() for seat in range(self.seats)]

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
    def deal_so_far(self) -> Deal:
        """The deal as it would be written down now."""
        piles, moves = self.piles, self.before.moves
        passed = moves[0][0] if len(moves) == 1 else None
        out_of_play = piles.out_of_play
        return Deal(piles.taken, piles.winners, self.exposed, piles.idle, self.pledges, passed, None, out_of_play)

    def legal(self) -> list[str]:
        """The actions of the seat to decide."""
        if self.phase == "play":
            return oracle_legal(
                self.rules,
                self.hands[self.turn],
                self.trick,
                self.tricks_played == 0,
                self.broken,
                called=self.called,
                exposed=self.exposed,
                led_before=self.led_before,
                opener=self.opener,
            )
        if self.phase == "suit":
            when = self.rules.play.heart_lead
            hearts = when == "free" or (self.broken and when == "broken")
            return [f"suit:{letter}" for letter in SUITS if letter != "H" or hearts]
        return self.after.legal() if self.phase in {"moon", "sign", "exact", "over"} else self.before.legal()

    def play(self, name: str) -> None:
        assert name in self.legal(), f"{name} is not legal in phase {self.phase}"
        if ":" in name:
            self.seen[name] += 1
        step: dict[str, Callable[[str], None]] = {
            "play": self._play_card,
            "suit": self._call_suit,
            "moon": self._settle,
            "sign": self._settle,
            "exact": self._settle,
        }
        step.get(self.phase, self._prepare)(name.partition(":")[2] or name)

    # Before the first trick

    def _deal(self, leader: int | None = None, passing: bool = True, opens: int | None = None) -> None:
        """Begin a deal: `leader` leads if given, or else `opens` does, with any card."""
        hands = self.deals(self.deal_number)
        kitty = self.kitties(self.deal_number) if self.kitties else rest_of_pack(self.rules, hands)
        self.piles = Piles(self.rules, kitty)
        self.trick: list[str] = []
        self.called: str | None = None
        self.led_before: list[str] = []
        self.tricks_played, self.broken = 0, False
        self.first_leader, self.opens = leader, opens
        self.leader: int | None = None
        self.shooter: int | None = None
        entry = self.deal_number
        if passing and self.entry_of and self.rules.passing.schedule == "random":
            entry = self.entry_of(entry)
        self.before = BeforePlay(self.rules, hands, self.dealer, self.seen, self.after_pool)
        self.before.start(entry, passing)
        self._follow_before()

    def _prepare(self, answer: str) -> None:
        self.before.play(answer)
        self._follow_before()

    def _follow_before(self) -> None:
        """Take over what has come of the pass, the cards shown and the pledges."""
        self.phase, self.turn, self.hands = self.before.phase, self.before.turn, self.before.hands
        if self.phase == "play":
            self._start_play()

    # Tricks

    def _start_play(self) -> None:
        self.opener = oracle_opener(self.rules, self.hands)
        if self.first_leader is not None:
            self.leader = self.first_leader
            holders = [seat for seat, hand in enumerate(self.hands) if self.opener in hand]
            if self.rules.opening.card == "both" and self.leader != holders[0]:
                self.opener = None  # a lead of another seat's is free
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
            self._start_scoring()

    def _end_trick(self) -> None:
        assert self.leader is not None
        trick, led = self.trick, led_suit(self.trick, self.called)
        place = oracle_winner(self.rules, trick, self.called)
        self.seen["dead trick"] += place is None
        if place is None and not any(self.hands):
            self.seen["dead last trick"] += 1
            place = takes_dead_last_trick(self.rules, trick, self.called)
        if place is None:
            self.piles.lay_aside(trick, led)
        else:
            self.leader = self._after(self.leader, place)
            self.piles.give_trick(self.leader, trick, led)
        if led is not None:
            self.led_before.append(led)
        self.turn, self.trick, self.called = self.leader, [], None
        self.tricks_played, self.trick_size = self.tricks_played + 1, self.seats

    # Scores

    def _start_scoring(self) -> None:
        self.piles.end_deal()
        deal = self.deal_so_far
        self.streaks, big_moon = count_streak(self.rules, self.streaks, sweepers(self.rules, deal))
        self.seen["kitty"] += bool(self.kitty)
        self.seen["big moon"] += big_moon is not None
        self.after = AfterPlay(self.rules, deal, self.sheet, big_moon, self.seen)
        self._follow_after()

    def _settle(self, answer: str) -> None:
        self.after.play(answer)
        self._follow_after()

    def _follow_after(self) -> None:
        """Take over what has come of the moon, the score and the exact hits; go on to the next deal."""
        after = self.after
        self.phase, self.turn, self.sheet, self.shooter = after.phase, after.turn, after.sheet, after.tally.shooter
        if after.phase != "done":
            return
        self.deal_points.append(after.tally.points)
        if after.over:
            self.phase = "over"
            return
        self.dealer = self._next_dealer()
        self.sheet = replace(self.sheet, deal_number=self.deal_number + 1)
        taker = self.rules.opening.taker
        self._deal(opens=None if taker is None else self._taker_of(taker))

    def _next_dealer(self) -> int:
        card = self.rules.table.dealer_next
        taker = None if card == "left" else self._taker_of(card)
        return self._after(self.dealer) if taker is None else taker

    def _taker_of(self, card: str) -> int | None:
        return next((seat for seat, cards in enumerate(self.taken) if card in cards), None)
