"""What comes before the first trick: the pass, the cards that are shown, the pledges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from hearts_env.ruleset.model import Rules
from tests.oracle.rules import in_order, named_by, oracle_passes

Hands = Sequence[Sequence[str]]


class BeforePlay:
    """The part of a deal in which nobody has led yet.

    Args:
        rules: the rules.
        hands: the hands dealt.
        dealer: the dealer, who may choose the direction.
        seen: counts the rare things that happen.
        after_pool: the hands after everybody's cards have been shuffled and dealt back.

    Attributes:
        phase, turn: what is decided, and by which seat; the phase is "play" once all is settled.
        hands: the cards held, per seat.
        direction: how the deal is passed, None as long as nobody knows.
        moves: seat offsets of that pass and how many cards each takes.
        exposed: the cards shown, sorted.
        pledges: per seat, whether it pledged to take no heart; None before it has answered.
    """

    def __init__(
        self, rules: Rules, hands: Hands, dealer: int, seen: Counter[str], after_pool: Callable[[], Hands] | None
    ) -> None:
        self.rules, self.dealer, self.seen, self.after_pool = rules, dealer, seen, after_pool
        self.hands = [list(hand) for hand in hands]
        self.phase, self.turn = "direction", dealer
        self.direction: str | None = None
        self.moves: list[tuple[int, int]] = []
        self.exposed: list[str] = []
        self.passed_on: int | None = 0  # turns in succession without a card; None in a turn with one
        self.pledges: list[bool | None] = [None] * len(hands)

    def start(self, entry: int, passing: bool) -> None:
        """Begin with this entry of the pass cycle, counted round and round, or without a pass."""
        entries = oracle_passes(self.rules)
        self.options = entries[entry % len(entries)]
        if not passing:  # of the pass before nothing is known, but a deal that is a hold by its number is one
            by_number = self.rules.passing.schedule != "random" or len(entries) == 1
            if by_number and [text for text, _ in self.options] == ["hold"]:
                self.direction = "hold"
            self._start_showing()
            return
        if len(self.options) == 1:
            self._choose_direction(self.options[0][0])

    def legal(self) -> list[str]:
        """The actions of the seat to decide."""
        hand = self.hands[self.turn]
        if self.phase == "direction":
            return [f"direction:{text}" for text, _ in self.options]
        if self.phase == "pass":
            free = hand
            if self.refuser is not None:  # a refused card is replaced by one that nobody may refuse
                free = [card for card in free if not named_by(self.rules.passing.refusable, card)] or free
            free = [card for card in free if not named_by(self.rules.passing.unpassable, card)] or free
            return list(dict.fromkeys(free))
        if self.phase == "refuse":
            return [f"refuse:{answer}" for answer in (*self.offers[self.turn], "no")]
        if self.phase == "expose":
            showable = [card for card, _ in self.rules.exposing.cards if card in hand and card not in self.exposed]
            return [f"expose:{answer}" for answer in (*showable, "done")]
        return ["pledge:yes", "pledge:no"]

    def play(self, answer: str) -> None:
        """Carry out one action, written without its phase."""
        {
            "direction": self._choose_direction,
            "pass": self._pick,
            "refuse": self._refuse,
            "expose": self._expose,
            "pledge": self._pledge,
        }[self.phase](answer)

    def _choose_direction(self, text: str) -> None:
        self.direction, self.moves = text, dict(self.options)[text]
        # How many seats on each picked card goes, in the order of picking.
        self.offsets = [offset for offset, count in self.moves for _ in range(count)]
        self.picked: list[list[str]] = [[] for _ in self.hands]
        self.refuser: int | None = None
        self.offers: list[list[str]] = [[] for _ in self.hands]
        self.phase, self.turn = "pass", 0
        if not self.offsets:
            self._start_showing()

    def _pick(self, card: str) -> None:
        """Put a card aside to be passed; once everybody has, the cards change hands."""
        self.seen["protected"] += len(self.legal()) < len(set(self.hands[self.turn]))
        self.seen["all protected"] += named_by(self.rules.passing.unpassable, card)
        self.hands[self.turn].remove(card)
        self.picked[self.turn].append(card)
        if len(self.picked[self.turn]) < len(self.offsets):
            return
        if self.refuser is not None:
            self._ask_refusal(self.refuser if self.offers[self.refuser] else self.refuser + 1)
            return
        self.turn += 1
        if self.turn < len(self.hands):
            return
        if not self.rules.passing.refusable:
            self._exchange()
            return
        for giver, cards in enumerate(self.picked):
            offered = [card for card in set(cards) if named_by(self.rules.passing.refusable, card)]
            self.offers[(giver + self.offsets[0]) % len(self.hands)] = in_order(self.rules, offered)
        self._ask_refusal(0)

    def _ask_refusal(self, seat: int) -> None:
        """Ask a seat whether it refuses a card; the cards change hands once all have been asked."""
        if seat == len(self.hands):
            self.refuser = None
            self._exchange()
        else:
            self.phase, self.turn, self.refuser = "refuse", seat, seat

    def _refuse(self, answer: str) -> None:
        """Hand a card back to whoever picked it, who then picks another; or refuse none."""
        if answer == "no":
            self._ask_refusal(self.turn + 1)
            return
        giver = (self.turn - self.offsets[0]) % len(self.hands)
        self.picked[giver].remove(answer)
        if answer not in self.picked[giver]:  # with two packs, another one may have been passed
            self.offers[self.turn].remove(answer)
        self.hands[giver].append(answer)
        self.phase, self.turn = "pass", giver

    def _exchange(self) -> None:
        """Let the cards change hands."""
        for giver, cards in enumerate(self.picked):
            for passed, offset in zip(cards, self.offsets, strict=True):
                self.hands[(giver + offset) % len(self.hands)].append(passed)
        if str(self.direction).startswith("pool") and self.after_pool is not None:
            self._deal_back(self.after_pool())
        self._start_showing()

    def _deal_back(self, hands: Hands) -> None:
        """Take over the hands after a pool, if they can have come about."""
        pool = Counter(card for cards in self.picked for card in cards)
        for before, after, put_in in zip(self.hands, hands, self.picked, strict=True):
            kept, now = Counter(before) - Counter(put_in), Counter(after)
            assert len(before) == len(after)
            assert kept <= now, "a hand lost more than it put into the pool"
            pool -= now - kept
        assert not pool, "the pool was not dealt out"
        self.seen["pool"] += 1
        self.hands = [list(hand) for hand in hands]

    def _start_showing(self) -> None:
        once = self.rules.exposing.rounds.startswith("once")
        self.phase, self.turn, self.passed_on = "expose", 0 if once else self.dealer, 0
        if not self.rules.exposing.cards:
            self._start_pledging()

    def _expose(self, answer: str) -> None:
        kind = self.rules.exposing.rounds.removesuffix("_blind")
        if answer != "done":
            self.exposed = in_order(self.rules, [*self.exposed, answer])
            self.passed_on = None
            return
        self.passed_on = kind == "others" if self.passed_on is None else self.passed_on + 1
        step = 1 if kind == "once" else self.rules.table.direction
        self.turn = self.turn + step if kind == "once" else (self.turn + step) % len(self.hands)
        if (self.turn if kind == "once" else self.passed_on) == len(self.hands):
            self._start_pledging()

    def _start_pledging(self) -> None:
        self.phase, self.turn = "pledge", 0
        if self.rules.score.pledge is None:
            self.phase = "play"

    def _pledge(self, answer: str) -> None:
        self.pledges[self.turn] = answer == "yes"
        self.turn += 1
        if self.turn == len(self.hands):
            self.phase = "play"
