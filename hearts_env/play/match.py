"""`Match`: a game of Hearts in players' words, over one record of the kernel."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hearts_env.compiled.game import Game, compile_game
from hearts_env.kernel.records import NOBODY, STATE, Phase
from hearts_env.play.illegal import why_illegal
from hearts_env.play.score import check_copies, last_places, planes, ranking_of, set_scores
from hearts_env.play.view import PHASES, View, view_of
from hearts_env.ruleset.model import Rules
from hearts_env.variants.registry import rules as read_rules

MAX_SEED = 2**64


@dataclass
class DealLog:
    """What happened in one deal, for records: everything needed to play it again.

    Attributes:
        number: deals finished before it.
        dealer, leader: seats; `leader` is None where the rules name it.
        totals: totals before it.
        hands: cards dealt, per seat.
        passing: whether the deal begins with the pass.
        actions: (seat, action name) in order.
        points: points per seat once it is over.
        kitty: cards laid aside.
    """

    number: int
    dealer: int
    leader: int | None
    totals: list[Any]
    hands: list[list[str]]
    passing: bool
    actions: list[tuple[int, str]] = field(default_factory=list)
    points: list[Any] | None = None
    kitty: list[str] = field(default_factory=list)


class Match:
    """A match from the first deal to its end, deal after deal; the same seed gives the same deals.

    Decisions come one at a time: `seat` chooses one of `legal()` and `play`s it. All errors are ValueErrors of one line
        and leave
    the match as it was.

    Attributes:
        rules: the rules.
        game: the rules compiled.
        seed: what fixes the deals.
        log: one `DealLog` per deal begun.
    """

    def __init__(self, rules: Rules | str = "black_lady", seed: int | None = None) -> None:
        """Deal the first hands. Without a seed one is drawn and kept in `seed`."""
        from hearts_env.kernel.steps import start_match

        self._open(rules, seed)
        start_match(self._record, self.game.tables, np.uint64(self.seed), 0)
        self._begin_log(None, passing=True)

    def _open(self, rules: Rules | str, seed: int | None) -> None:
        self.rules = read_rules(rules)
        self.game: Game = compile_game(self.rules)
        self.seed = int(np.random.default_rng().integers(MAX_SEED, dtype=np.uint64)) if seed is None else int(seed)
        if not 0 <= self.seed < MAX_SEED:
            raise ValueError(f"seed={seed} is out of range; seeds are whole numbers from 0 to 2**64 - 1")
        self._states = np.zeros(1, STATE)
        self.log: list[DealLog] = []

    @property
    def _record(self) -> Any:
        return self._states[0]

    @staticmethod
    def from_hands(  # noqa: PLR0913 - a position has so many parts: all named at the call
        rules: Rules | str,
        hands: Sequence[Iterable[str]],
        *,
        leader: int | None = None,
        totals: Sequence[Any] | None = None,
        deal_number: int = 0,
        passing: bool = False,
        played: Sequence[str | int] = (),
        dealer: int = 0,
        seed: int = 0,
        kitty: Sequence[str] | None = None,
    ) -> Match:
        """A match set to a position.

        Args:
            rules: rules or their text.
            hands: the cards each seat holds at the start of the deal: after the pass, or before it if `passing`; the
                rest of the pack is the kitty.
            leader: who leads to the first trick; by default as the rules say.
            totals: totals before the deal; 0, or the chips at the start, by default.
            deal_number: deals finished before this one.
            passing: whether the deal begins with its pass.
            played: actions to take from there.
            dealer: the seat that dealt.
            seed: what fixes the deals that follow.
            kitty: the rest of the pack in the order of the kitty; by default in kind order.

        Raises:
            ValueError: hands that overlap, lack cards or have the wrong size; an impossible seat or number; a leader
                named although the deal begins with the pass; a kitty that is not the rest; an illegal action.
        """
        match = Match.__new__(Match)
        match._open(rules, seed)
        set_hands(match.game, match._record, hands, leader, totals, deal_number, passing, dealer, match.seed)
        if kitty is not None:
            order_kitty(match.game, match._record, kitty)
        match._begin_log(leader, passing)
        for action in played:
            match.play(action)
        return match

    @staticmethod
    def replay(text: str) -> Match:
        """The match that `record` wrote. Raises ValueError, naming the line, if the text is not such a record."""
        from hearts_env.play.notation import read_match

        return read_match(text)

    def record(self) -> str:
        """The match as text that a person can read and `replay` plays again."""
        from hearts_env.play.notation import write_match

        return write_match(self)

    def clone(self) -> Match:
        """An independent copy."""
        copy = Match.__new__(Match)
        copy.rules, copy.game, copy.seed = self.rules, self.game, self.seed
        copy._states = self._states.copy()
        copy.log = [DealLog(**(vars(deal) | {"actions": list(deal.actions)})) for deal in self.log]
        return copy

    def __eq__(self, other: object) -> bool:
        """Whether both are the same match at the same point, hidden cards included."""
        if not isinstance(other, Match):
            return NotImplemented
        return (self.rules, self.seed, self.log) == (other.rules, other.seed, other.log)

    __hash__ = None  # type: ignore[assignment]  # mutable

    @property
    def phase(self) -> str:
        """What is decided next: direction, pass, expose, pledge, play, suit, moon, exact; or over."""
        return PHASES[int(self._record["phase"])]

    @property
    def seat(self) -> int | None:
        """The seat to act, None when the match is over."""
        return None if self.over else int(self._record["seat"])

    def legal(self) -> list[str]:
        """Names of the actions `seat` may take; empty when the match is over."""
        return [] if self.over else self.view(int(self._record["seat"])).legal()

    def play(self, action: str | int) -> None:
        """Take an action for the seat to act, by name or id. Raises ValueError, naming card, seat and rule, if it is
        illegal.
        """
        from hearts_env.kernel.legal import is_legal
        from hearts_env.kernel.steps import step

        chosen = self.game.action(action)
        if not is_legal(self._record, self.game.tables, chosen):
            raise ValueError(why_illegal(self.game, self._record, chosen))
        seat, number = int(self._record["seat"]), self.deal_number
        step(self._record, self.game.tables, chosen)
        self.log[-1].actions.append((seat, self.game.actions[chosen]))
        if self.over or self.deal_number != number:
            self.log[-1].points = self.game.numbers(self._record["scored"])
        if self.deal_number != number:
            self._begin_log(None, passing=True)

    def _begin_log(self, leader: int | None, passing: bool) -> None:
        start = DealLog(self.deal_number, self.dealer, leader, self.totals, self.hands, passing, kitty=self.kitty)
        self.log.append(start)

    def view(self, seat: int) -> View:
        """What one seat may know."""
        if not 0 <= seat < self.game.seats:
            raise ValueError(f"{seat} is not a seat; seats are 0 to {self.game.seats - 1}")
        return view_of(self.game, self._states, seat)

    @property
    def state(self) -> Any:
        """A copy of the kernel's `STATE` record, hidden cards included, as an array of one."""
        return self._states.copy()

    @property
    def _open_view(self) -> View:
        return View(self.game, self._record, 0)

    @property
    def hands(self) -> list[list[str]]:
        """Cards held, per seat, in kind order."""
        return [self.game.names(self._record["hands"][seat]) for seat in range(self.game.seats)]

    @property
    def trick(self) -> list[str]:
        """Cards on the table in play order."""
        return [card for _, card in self._open_view.trick]

    @property
    def leader(self) -> int | None:
        """Who leads the current trick; None before play."""
        leader = int(self._record["leader"])
        return leader if leader >= 0 else None

    @property
    def taken(self) -> list[list[str]]:
        """Cards taken in this deal, per seat."""
        return self._open_view.taken

    @property
    def tricks_won(self) -> list[int]:
        """Tricks won in this deal, per seat."""
        return [int(count) for count in self._record["tricks_won"][: self.game.seats]]

    @property
    def points(self) -> list[Any]:
        """Points of the cards taken so far in this deal, per seat; when the match is over, the points of the last
        deal.
        """
        return self._open_view.points

    @property
    def deal_points(self) -> list[list[Any]]:
        """Final points of every finished deal, per seat."""
        return [deal.points for deal in self.log if deal.points is not None]

    @property
    def totals(self) -> list[Any]:
        """Totals of the finished deals, per seat."""
        return self._open_view.totals

    @property
    def exposed(self) -> list[str]:
        """Cards shown before play, in kind order."""
        return self._open_view.exposed

    @property
    def pledges(self) -> list[bool | None]:
        """Whether each seat has pledged to take no heart; None before it has said so."""
        return self._open_view.pledges

    @property
    def lives(self) -> list[int]:
        """Lives left per seat; empty in a game without."""
        return self._open_view.lives

    @property
    def pool(self) -> int:
        """Chips in the pool."""
        return self._open_view.pool

    @property
    def rolled(self) -> list[str]:
        """Cards of dead tricks that go to the winner of the next one, in kind order."""
        return self._open_view.rolled

    @property
    def kitty(self) -> list[str]:
        """Every card of the kitty of this deal, in the order of the kitty."""
        return [self.game.deck.kinds[kind] for kind in self._record["kitty"][: self.game.tables["kitty_size"]]]

    @property
    def deal_number(self) -> int:
        """Deals finished before the one under way (when the match is over, before the last one)."""
        return int(self._record["deal_number"])

    @property
    def dealer(self) -> int:
        """The seat that dealt."""
        return int(self._record["dealer"])

    @property
    def direction(self) -> str | None:
        """How this deal is passed; None until it is settled."""
        return self._open_view.direction

    @property
    def broken(self) -> bool:
        """Whether hearts are broken."""
        return bool(self._record["broken"])

    @property
    def shooter(self) -> int | None:
        """Who shot the moon in the deal that is being scored, or in the last one when the match is over."""
        shooter = int(self._record["shooter"])
        return shooter if shooter >= 0 else None

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return int(self._record["phase"]) == Phase.OVER

    @property
    def ranking(self) -> list[int]:
        """Place of each seat by its total (its team's, its lives'), 1 is best; equal ones share a place."""
        return list(ranking_of(self.game, self._record))

    @property
    def losers(self) -> list[int]:
        """The seats that share the last place once the match is over."""
        return list(last_places(self.ranking)) if self.over else []

    def __str__(self) -> str:
        if self.over:
            return f"{self.rules}: over, totals {self.totals}"
        return f"{self.rules}: deal {self.deal_number + 1}, {self.phase}, seat {self.seat} to act, totals {self.totals}"


def set_hands(
    game: Game,
    record: Any,
    hands: Sequence[Iterable[str]] | None,
    leader: int | None = None,
    totals: Sequence[Any] | None = None,
    deal_number: int = 0,
    passing: bool = False,
    dealer: int = 0,
    seed: int = 0,
) -> None:
    """Set a record to the start of a deal; arguments and errors as in `Match.from_hands`, no hands for those the seed
    deals.
    """
    from hearts_env.kernel.dealing import shuffle
    from hearts_env.kernel.positions import set_position

    for name, seat in (("leader", leader), ("dealer", dealer)):
        if seat is not None and not 0 <= seat < game.seats:
            raise ValueError(f"{name}={seat} is not a seat; seats are 0 to {game.seats - 1}")
    if leader is not None and passing:
        raise ValueError(f"leader={leader} and passing contradict: the hands after the pass settle who leads")
    set_scores(game, record, totals, deal_number)
    record["seed"] = seed
    if hands is None:
        shuffle(record, game.tables)
    else:
        named = whole_deal(game, hands)
        for seat, cards in enumerate(named):
            record["hands"][seat] = planes(game, cards)
        rest = game.deck.copies - Counter(card for cards in named for card in cards)
        record["kitty"][: game.tables["kitty_size"]] = sorted(game.deck.ids[card] for card in rest.elements())
    first = NOBODY if leader is None else leader
    set_position(record, game.tables, np.uint64(seed), dealer, deal_number, passing, first)


def order_kitty(game: Game, record: Any, kitty: Sequence[str]) -> None:
    """Put the kitty of a record in another order. Raises ValueError for other cards than it has."""
    there = [game.deck.kinds[kind] for kind in record["kitty"][: game.tables["kitty_size"]]]
    named = check_copies(game, [kitty])[0]
    if Counter(named) != Counter(there):
        raise ValueError(f"kitty={' '.join(named)} is not what the hands leave: {' '.join(there) or 'nothing'}")
    record["kitty"][: len(named)] = [game.deck.ids[card] for card in named]


def whole_deal(game: Game, hands: Sequence[Iterable[str]]) -> list[list[str]]:
    """Canonical names of hands that are a whole deal. Raises ValueError naming what overlaps, is missing or has the
    wrong size.
    """
    if len(hands) != game.seats:
        raise ValueError(f"there are {len(hands)} hands; {game.rules} needs {game.seats}")
    named = check_copies(game, hands)
    for seat, cards in enumerate(named):
        if len(cards) != game.hand_size:
            raise ValueError(f"the hand of seat {seat} has {len(cards)} cards; in {game.rules} it has {game.hand_size}")
    return named
