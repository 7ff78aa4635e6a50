"""The messages for a program: the differences between its seat's view and what earlier messages contained."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TypeVar, cast

from hearts_agents.engines.messages import (
    Act,
    Call,
    Deal,
    DealScore,
    Direction,
    Event,
    Expose,
    Kitty,
    Lead,
    Moon,
    Pass,
    Play,
    Pledge,
    Receive,
    Standing,
    Totals,
    Trick,
    write_scores,
)
from hearts_agents.engines.replica import MATCH_STANDING, SEAT_STANDING, Replica
from hearts_env.cards import SUITS
from hearts_env.compiled.game import Game
from hearts_env.kernel.records import Phase, Scoring
from hearts_env.play.view import View

M = TypeVar("M", bound=Event | Act)


class ViewDiff:
    """Finds the messages that one seat has not received yet.

    Attributes:
        game: the compiled rules.
        seat: the seat.
        replica: the table as the messages so far describe it.
    """

    def __init__(self, game: Game, seat: int) -> None:
        self.game, self.seat = game, seat
        self.replica = Replica(game, seat)
        self._hand: list[str] = []

    def continues(self, view: View) -> bool:
        """Whether a view is a later one of the deal that the messages so far describe."""
        known, seen = self.replica.record, view.record
        plies = int(known["plies"])
        return bool(
            not self.replica.over
            and known["deal_number"] == seen["deal_number"]
            and plies <= seen["plies"]
            and (known["history"][:plies] == seen["history"][:plies]).all()
            and (known["history_seat"][:plies] == seen["history_seat"][:plies]).all()
            and self._hand == dealt_hand(view)
        )

    def events(self, view: View) -> Iterator[Event]:
        """The messages that lead from the replica to a view of the seat. Consume them all: each updates the replica."""
        if not self.continues(view):
            if not self.replica.over:
                yield self._apply(_unseen_score(view))
            self._hand = dealt_hand(view)
            yield self._apply(_deal(view, self._hand))
        yield from self._before_play(view)
        yield from self._play(view)
        if view.record["phase"] >= Phase.MOON:
            yield from self._after_play(view)

    def request(self, view: View, number: int, time_ms: int) -> Act:
        """The message that requests decision `number`."""
        return self._apply(Act(type="act", id=number, phase=view.phase, legal=view.legal(), time_ms=time_ms))

    def _apply(self, message: M) -> M:
        self.replica.apply(message)
        return message

    def _before_play(self, view: View) -> Iterator[Event]:
        known, seen = self.replica.record, view.record
        if known["pass_option"] != seen["pass_option"]:
            yield self._apply(Direction(type="direction", seat=int(seen["dealer"]), direction=str(view.direction)))
        yield from self._passes(view)
        for seat in range(self.game.seats):
            if cards := self.game.names([seen["shown"][seat] & ~known["shown"][seat]]):
                yield self._apply(Expose(type="expose", seat=seat, cards=cards))
        for seat, pledge in enumerate(view.pledges):
            if known["pledges"][seat] != seen["pledges"][seat]:
                yield self._apply(Pledge(type="pledge", seat=seat, pledge=bool(pledge)))
        if seen["leader"] >= 0 and not self.replica.led:
            first = seen["history_seat"][0] if seen["plies"] else seen["leader"]
            yield self._apply(Lead(type="lead", seat=int(first), free=bool(seen["free_lead"])))

    def _passes(self, view: View) -> Iterator[Event]:
        known = self.replica.record
        if known["phase"] != Phase.PASS:
            return
        first, lanes = int(known["picked"]), _lanes(view)
        if cards := view.passed[first:]:
            to = [_other(self.game, self.seat, lane) for lane in lanes[first : first + len(cards)]]
            yield self._apply(Pass(type="pass", cards=cards, to=to))
        if cards := view.received:
            givers = [_other(self.game, self.seat, lane, giver=True) for lane in lanes]
            yield self._apply(Receive({"type": "receive", "cards": cards, "from": givers}))

    def _play(self, view: View) -> Iterator[Event]:
        known = self.replica.record
        yield from self._call(view)
        for seat, card in view.played[int(known["plies"]) :]:
            tricks, rolled = int(known["trick_number"]), int(known["rolled_tricks"])
            yield self._apply(Play(type="play", seat=seat, card=card))
            yield from self._call(view)
            if known["trick_number"] > tricks:
                yield self._trick(rolled)
        own = [place for place, seat in enumerate(known["kitty_seat"]) if seat == self.seat]
        if cards := view.kitty[len(self.replica.kitty_known.intersection(own)) :]:
            yield self._apply(Kitty(type="kitty", seat=self.seat, cards=cards))

    def _call(self, view: View) -> Iterator[Event]:
        known, seen = self.replica.record, view.record
        if known["phase"] == Phase.SUIT and known["called"] < seen["called"]:
            suit = int(seen["calls"]) >> 2 * int(known["called"]) & 3
            yield self._apply(Call(type="call", seat=int(known["seat"]), suit=SUITS[suit]))

    def _trick(self, rolled: int) -> Trick:
        """The trick that has just ended; it is dead if more tricks than `rolled` wait for a winner."""
        known = self.replica.record
        length, plies = int(known["trick_goal"]), int(known["plies"])
        cards = [self.game.deck.kinds[kind] for kind in known["history"][plies - length : plies]]
        winner = None if known["rolled_tricks"] > rolled else int(known["leader"])
        return self._apply(Trick(type="trick", winner=winner, cards=cards))

    def _after_play(self, view: View) -> Iterator[Event]:
        known, seen = self.replica.record, view.record
        if known["scoring"] == Scoring.PLAYED_OUT:
            for seat in range(self.game.seats):
                yield from self._other_kitty(view, seat)
        if seen["phase"] != Phase.MOON and seen["moon_choices"] and known["moon_choice"] < 0:
            choice = "self" if seen["moon_choice"] == 0 else "others"
            yield self._apply(Moon(type="moon", seat=int(seen["shooter"]), choice=choice))
        if seen["phase"] == Phase.EXACT:
            yield self._apply(Totals(type="totals", totals=write_scores(view.totals)))
        if seen["phase"] == Phase.OVER:
            shooter = int(seen["shooter"])
            yield self._apply(
                DealScore(
                    type="score",
                    points=write_scores(view.points),
                    totals=write_scores(view.totals),
                    shooter=shooter if shooter >= 0 else None,
                )
            )

    def _other_kitty(self, view: View, seat: int) -> Iterator[Event]:
        """The cards of the kitty that another seat took are public once the last card is played."""
        before = Counter(self.game.names(self.replica.record["taken"][seat]))
        cards = list((Counter(view.taken[seat]) - before).elements())
        if seat != self.seat and cards:
            yield self._apply(Kitty(type="kitty", seat=seat, cards=cards))


def dealt_hand(view: View) -> list[str]:
    """The cards a seat was dealt, in kind order: its hand and what it passed and played, without what it received."""
    cards = Counter([*view.hand, *view.passed, *(card for seat, card in view.played if seat == view.seat)])
    cards.subtract(view.received)
    return sorted(cards.elements(), key=view.game.deck.ids.__getitem__)


def _deal(view: View, hand: list[str]) -> Deal:
    """How the deal begins, and what stands from the deals before."""
    seen, game = view.record, view.game
    passing = seen["pass_option"] >= 0 or seen["phase"] == Phase.DIRECTION
    entry = int(seen["pass_entry"])
    settled = passing and int(game.tables["entry_options"][entry]).bit_count() == 1
    leader = max(int(seen["next_leader"]), int(seen["named_leader"]))
    return Deal(
        type="deal",
        number=view.deal_number,
        dealer=int(seen["dealer"]),
        hand=hand,
        totals=write_scores(view.totals),
        entry=entry if passing else None,
        direction=view.direction if settled else None,
        leader=leader if leader >= 0 else None,
        kitty=int(game.tables["kitty_size"]),
        **_standing(view),
    )


def _standing(view: View) -> Standing:
    seen, t, seats = view.record, view.game.tables, view.game.seats
    initial = {"lives": int(t["end_lives"]), "lost_at": -1, "streak": 0}
    rows = {key: [int(one) for one in seen[name][:seats]] for key, (name, _) in SEAT_STANDING.items()}
    changed = {key: row for key, row in rows.items() if row != [initial[key]] * seats}
    match = {key: int(seen[name]) for key, (name, _) in MATCH_STANDING.items() if seen[name]}
    return cast("Standing", {**changed, **match})


def _unseen_score(view: View) -> DealScore:
    """The score of a deal whose end was not shown, from the view of the next deal."""
    points = write_scores(view.game.numbers(view.record["scored"]))
    return DealScore(type="score", points=points, totals=write_scores(view.totals), shooter=None)


def _lanes(view: View) -> list[int]:
    """Offset of the receiver of each passed card; 0 is the pool."""
    option = view.game.options[int(view.record["pass_option"])]
    return [move.offset for move in option.moves for _ in range(move.count)]


def _other(game: Game, seat: int, offset: int, giver: bool = False) -> int | None:
    """The seat that a card goes to or comes from; None for the pool."""
    return None if offset == 0 else (seat + (-offset if giver else offset)) % game.seats
