"""Everything that comes before the first trick: the deal, the pass, cards that are shown, pledges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from tests.oracle.piles import Piles
from tests.oracle.rules import in_order, named_by, oracle_passes, rest_of_pack

Hands = Sequence[Sequence[str]]


class Dealing(Piles):
    """The part of a deal in which nobody has led yet.

    Attributes:
        phase, turn: what is decided, and by which seat.
        hands: the cards held, per seat.
        direction: how the deal is passed, None as long as nobody knows.
        moves: seat offsets of that pass and how many cards each takes.
        exposed: the cards shown, sorted.
        pledges: per seat, whether it pledged to take no heart; None before it has said so.
        seen: how often rare things have happened.
    """

    seats: int
    dealer: int
    phase: str
    turn: int
    seen: Counter[str]
    deals: Callable[[int], Hands]
    kitties: Callable[[int], Sequence[str]] | None
    after_pool: Callable[[], Hands] | None
    entry_of: Callable[[int], int] | None

    def start_play(self) -> None:
        """Go on to the first trick."""
        raise NotImplementedError

    def deal_out(self, number: int, passing: bool = True) -> None:
        """Deal, and begin with the pass or with what comes after it."""
        self.hands = [list(hand) for hand in self.deals(number)]
        self.clear_piles(self.kitties(number) if self.kitties else rest_of_pack(self.rules, self.hands))
        self.exposed: list[str] = []
        self.pledges: list[bool | None] = [None] * self.seats
        self.direction: str | None = None
        self.moves: list[tuple[int, int]] = []
        entries = oracle_passes(self.rules)
        if not passing:
            self._start_showing()
            return
        entry = number % len(entries)
        if self.rules.passing.schedule == "random" and self.entry_of is not None:
            entry = self.entry_of(number)
        self.options = entries[entry]
        if len(self.options) > 1:
            self.phase, self.turn = "direction", self.dealer
        else:
            self.choose_direction(self.options[0][0])

    def choose_direction(self, text: str) -> None:
        """The dealer says how to pass, or the cycle does."""
        self.direction, self.moves = text, dict(self.options)[text]
        # Whom each picked card goes to, in the order of picking.
        self.offsets = [offset for offset, count in self.moves for _ in range(count)]
        self.picked: list[list[str]] = [[] for _ in range(self.seats)]
        self.phase, self.turn = "pass", 0
        if not self.offsets:
            self._start_showing()

    def passable(self) -> list[str]:
        """The cards that the seat may pass, each kind once."""
        hand = self.hands[self.turn]
        free = [card for card in hand if not named_by(self.rules.passing.unpassable, card)]
        return list(dict.fromkeys(free or hand))

    def pick(self, name: str) -> None:
        """Put a card aside to be passed; once everybody has, the cards change hands."""
        self.seen["protected"] += len(self.passable()) < len(set(self.hands[self.turn]))
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
        if str(self.direction).startswith("pool") and self.after_pool is not None:
            self._deal_back(self.after_pool())
        self._start_showing()

    def _deal_back(self, hands: Hands) -> None:
        """Take over the hands after a pool, if they can have come about."""
        pool = Counter(card for cards in self.picked for card in cards)
        for before, after, gone in zip(self.hands, hands, self.picked, strict=True):
            kept, now = Counter(before) - Counter(gone), Counter(after)
            assert len(before) == len(after)
            assert kept <= now, "a hand lost more than it put into the pool"
            pool -= now - kept
        assert not pool, "the pool was not dealt out"
        self.seen["pool"] += 1
        self.hands = [list(hand) for hand in hands]

    # What is said before play

    def _start_showing(self) -> None:
        self.phase, self.turn = "expose", 0
        if not self.rules.exposing.cards:
            self._start_pledging()

    def expose(self, answer: str) -> None:
        """Show a card, or have done with it."""
        if answer != "done":
            self.exposed = in_order(self.rules, [*self.exposed, answer])
            return
        self.turn += 1
        if self.turn == self.seats:
            self._start_pledging()

    def _start_pledging(self) -> None:
        self.phase, self.turn = "pledge", 0
        if self.rules.score.pledge is None:
            self.start_play()

    def pledge(self, answer: str) -> None:
        """Pledge to take no heart, or not."""
        self.pledges[self.turn] = answer == "yes"
        self.turn += 1
        if self.turn == self.seats:
            self.start_play()
