"""What a program has to be told: the news of a view, found by comparing it with what has been told before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from hearts_agents.engines.messages import Message, write_scores
from hearts_agents.engines.replica import MATCH, STANDING, Mirror
from hearts_env.cards import SUITS
from hearts_env.compiled.game import Game
from hearts_env.kernel.records import Phase
from hearts_env.play.view import View


class Teller:
    """Tells one seat's news.

    Attributes:
        game: the compiled rules.
        seat: the seat.
        mirror: what has been told.
    """

    def __init__(self, game: Game, seat: int) -> None:
        self.game, self.seat = game, seat
        self.mirror = Mirror(game, seat)
        self._hand: list[str] = []

    def follows(self, view: View) -> bool:
        """Whether a view is a later one of the deal that is being told."""
        told, seen = self.mirror.record, view.record
        plies = int(told["plies"])
        return bool(
            not self.mirror.over
            and told["deal_number"] == seen["deal_number"]
            and plies <= seen["plies"]
            and (told["history"][:plies] == seen["history"][:plies]).all()
            and (told["history_seat"][:plies] == seen["history_seat"][:plies]).all()
            and self._hand == dealt_hand(view)
        )

    def news(self, view: View) -> Iterator[Message]:
        """The messages that bring a seat up to date; all must be read."""
        if not self.follows(view):
            if not self.mirror.over:
                yield self._tell("score", **_unseen_score(view))
            self._hand = dealt_hand(view)
            yield self._tell("deal", **_deal(view, self._hand))
        yield from self._before_play(view)
        yield from self._play(view)
        if view.record["phase"] >= Phase.MOON:
            yield from self._after_play(view)

    def act(self, view: View, number: int, time_ms: int) -> Message:
        """The message that asks for decision `number`."""
        return self._tell("act", id=number, phase=view.phase, legal=view.legal(), time_ms=time_ms)

    def _tell(self, kind: str, **fields: Any) -> Message:
        message = {"type": kind, **fields}
        self.mirror.hear(message)
        return message

    def _before_play(self, view: View) -> Iterator[Message]:
        told, seen = self.mirror.record, view.record
        if told["pass_option"] != seen["pass_option"]:
            yield self._tell("direction", seat=int(seen["dealer"]), direction=view.direction)
        yield from self._passes(view)
        for seat in range(self.game.seats):
            if cards := self.game.names([seen["shown"][seat] & ~told["shown"][seat]]):
                yield self._tell("expose", seat=seat, cards=cards)
        for seat, pledge in enumerate(view.pledges):
            if told["pledges"][seat] != seen["pledges"][seat]:
                yield self._tell("pledge", seat=seat, pledge=pledge)
        if seen["leader"] >= 0 and not self.mirror.led:
            first = seen["history_seat"][0] if seen["plies"] else seen["leader"]
            yield self._tell("lead", seat=int(first), free=bool(seen["free_lead"]))

    def _passes(self, view: View) -> Iterator[Message]:
        told = self.mirror.record
        if told["phase"] != Phase.PASS:
            return
        first, lanes = int(told["picked"]), _lanes(view)
        if cards := view.passed[first:]:
            to = [_other(self.game, self.seat, lane) for lane in lanes[first : first + len(cards)]]
            yield self._tell("pass", cards=cards, to=to)
        if cards := view.received:
            givers = [_other(self.game, self.seat, lane, giver=True) for lane in lanes]
            yield self._tell("receive", cards=cards, **{"from": givers})

    def _play(self, view: View) -> Iterator[Message]:
        told = self.mirror.record
        yield from self._call(view)
        for seat, card in view.played[int(told["plies"]) :]:
            tricks, rolled = int(told["trick_number"]), int(told["rolled_tricks"])
            yield self._tell("play", seat=seat, card=card)
            yield from self._call(view)
            if told["trick_number"] > tricks:
                yield self._trick(rolled)
        mine = [place for place, seat in enumerate(told["kitty_seat"]) if seat == self.seat]
        if cards := view.kitty[len(self.mirror.kitty_told.intersection(mine)) :]:
            yield self._tell("kitty", seat=self.seat, cards=cards)

    def _call(self, view: View) -> Iterator[Message]:
        told, seen = self.mirror.record, view.record
        if told["phase"] == Phase.SUIT and told["called"] < seen["called"]:
            suit = int(seen["calls"]) >> 2 * int(told["called"]) & 3
            yield self._tell("call", seat=int(told["seat"]), suit=SUITS[suit])

    def _trick(self, rolled: int) -> Message:
        """The trick that has just ended; dead if one more waits for a winner."""
        told = self.mirror.record
        length, plies = int(told["trick_goal"]), int(told["plies"])
        cards = [self.game.deck.kinds[kind] for kind in told["history"][plies - length : plies]]
        winner = None if told["rolled_tricks"] > rolled else int(told["leader"])
        return self._tell("trick", winner=winner, cards=cards)

    def _after_play(self, view: View) -> Iterator[Message]:
        told, seen = self.mirror.record, view.record
        if told["phase"] < 0:
            for seat in range(self.game.seats):
                yield from self._other_kitty(view, seat)
        if seen["phase"] != Phase.MOON and seen["moon_choices"] and told["moon_choice"] < 0:
            choice = "self" if seen["moon_choice"] == 0 else "others"
            yield self._tell("moon", seat=int(seen["shooter"]), choice=choice)
        if seen["phase"] == Phase.EXACT:
            yield self._tell("totals", totals=write_scores(view.totals))
        if seen["phase"] == Phase.OVER:
            shooter = int(seen["shooter"])
            points, totals = write_scores(view.points), write_scores(view.totals)
            yield self._tell("score", points=points, totals=totals, shooter=shooter if shooter >= 0 else None)

    def _other_kitty(self, view: View, seat: int) -> Iterator[Message]:
        """The cards of the kitty that another seat took lie open once all is played."""
        before = Counter(self.game.names(self.mirror.record["taken"][seat]))
        cards = list((Counter(view.taken[seat]) - before).elements())
        if seat != self.seat and cards:
            yield self._tell("kitty", seat=seat, cards=cards)


def dealt_hand(view: View) -> list[str]:
    """The cards a seat was dealt, in kind order: its hand, with what it passed and played, without what it received."""
    cards = Counter([*view.hand, *view.passed, *(card for seat, card in view.played if seat == view.seat)])
    cards.subtract(view.received)
    return sorted(cards.elements(), key=view.game.deck.ids.__getitem__)


def _deal(view: View, hand: list[str]) -> Message:
    """What `deal` says: how the deal begins, and what stands from the deals before."""
    seen, game = view.record, view.game
    passing = seen["pass_option"] >= 0 or seen["phase"] == Phase.DIRECTION
    entry = int(seen["pass_entry"])
    settled = passing and int(game.tables["entry_options"][entry]).bit_count() == 1
    leader = max(int(seen["next_leader"]), int(seen["named_leader"]))
    return {
        "number": view.deal_number,
        "dealer": int(seen["dealer"]),
        "hand": hand,
        "totals": write_scores(view.totals),
        "entry": entry if passing else None,
        "direction": view.direction if settled else None,
        "leader": leader if leader >= 0 else None,
        "kitty": int(game.tables["kitty_size"]),
        **_standing(view),
    }


def _standing(view: View) -> Message:
    seen, t, seats = view.record, view.game.tables, view.game.seats
    first = {"lives": int(t["end_lives"]), "lost_at": -1, "streak": 0}
    rows = {key: [int(one) for one in seen[key][:seats]] for key in STANDING}
    found: Message = {key: row for key, row in rows.items() if row != [first[key]] * seats}
    return found | {key: int(seen[key]) for key in MATCH if seen[key]}


def _unseen_score(view: View) -> Message:
    """The score of a deal whose end was not shown, from the view of the next one."""
    points = write_scores(view.game.numbers(view.record["scored"]))
    return {"points": points, "totals": write_scores(view.totals), "shooter": None}


def _lanes(view: View) -> list[int]:
    """Offset of the receiver of each card of the pass; 0 is the pool."""
    option = view.game.options[int(view.record["pass_option"])]
    return [move.offset for move in option.moves for _ in range(move.count)]


def _other(game: Game, seat: int, offset: int, giver: bool = False) -> int | None:
    """Who a card goes to or comes from; nobody for the pool."""
    return None if offset == 0 else (seat + (-offset if giver else offset)) % game.seats
