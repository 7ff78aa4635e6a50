"""`Match`: a game of Hearts in players' words, over one `STATE` record of the kernel."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from hearts_env.checks import MAX_SEED, seat_of, seed_of, whole
from hearts_env.compiled.game import Game, compile_game
from hearts_env.errors import IllegalActionError
from hearts_env.kernel.records import STATE, Phase
from hearts_env.ruleset.model import Rules
from hearts_env.seat.illegal import action_id, why_illegal
from hearts_env.seat.public import Public
from hearts_env.seat.view import View, view_of
from hearts_env.table.log import DealLog, DealStart
from hearts_env.table.notation import Over, Unfinished, at_line, read_record, write_record
from hearts_env.table.ranking import last_places, ranking_of
from hearts_env.table.setup import hands_before, set_later, set_start
from hearts_env.variants.registry import rules as read_rules


class Match(Public):
    """A match from the first deal to its end, deal after deal. The same seed gives the same deals.

    Decisions come one at a time: `seat` is to act, `legal()` lists its actions, `play` takes one of them. Every error
    is a ValueError with a message of one line, and leaves the match as it was.

    >>> import hearts_env as he
    >>> match = he.Match("black_lady", seed=7)
    >>> match.phase, match.seat
    ('pass', 0)
    >>> while not match.over:
    ...     match.play(match.legal()[0])
    >>> min(match.totals) < 100 <= max(match.totals)
    True

    Attributes:
        rules: the rules.
        game: the compiled rules.
        seed: fixes the deals, an integer from 0 to 2**64 - 1.
        log: one `DealLog` per deal begun.
        players: names of the players, per seat, if `hearts_env.read_games` found any; of no consequence here.
    """

    players: tuple[str, ...] = ()

    def __init__(self, rules: Rules | str = "black_lady", seed: int | None = None) -> None:
        """Deal the first hands. Without a seed one is drawn; the attribute `seed` has it.

        Raises:
            RulesError: unknown, misspelled or contradictory rules.
            ValueError: a seed out of range.
        """
        from hearts_env.kernel.steps import start_match

        self._open(rules, seed)
        start_match(self._record, self.game.tables, np.uint64(self.seed), 0, 0)
        self._begin_log(None, passing=True)

    def _open(self, rules: Rules | str, seed: int | None) -> None:
        self.rules = read_rules(rules)
        self.game: Game = compile_game(self.rules)
        drawn = int(np.random.default_rng().integers(MAX_SEED, dtype=np.uint64)) if seed is None else seed
        self.seed = seed_of(drawn)
        self._states = np.zeros(1, STATE)
        self.log: list[DealLog] = []
        self._given: dict[int, DealStart] = {}  # deals to set in place of those that the seed deals, by their number

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
        passed: Sequence[Iterable[str]] | None = None,
        received: Sequence[Iterable[str]] | None = None,
    ) -> Match:
        """A match set to a position in its first deal. What earlier deals leave beside totals is as at the start of a
        match: no deals of a big moon, all lives, no chips in the pool.

        >>> import hearts_env as he
        >>> hands = [[rank + suit for rank in "23456789TJQKA"] for suit in "CDHS"]
        >>> match = he.Match.from_hands("black_lady", hands, totals=[90, 40, 0, 12], played=["2C", "3D"])
        >>> match.seat, match.trick, match.totals
        (2, ['2C', '3D'], [90, 40, 0, 12])
        >>> passed = [[rank + suit for rank in "QKA"] for suit in "SCDH"]
        >>> match = he.Match.from_hands("black_lady", hands, passed=passed, received=[passed[3], *passed[:3]])
        Traceback (most recent call last):
        ValueError: seat 0 received AH, which its hand lacks

        Args:
            rules: rules or their text.
            hands: the cards each seat holds at the start of the deal: after the pass, or before it if `passing`; the
                rest of the pack is the kitty. Without `passing` nobody has passed a card, so `moon.punish` punishes
                nobody.
            leader: the seat that leads to the first trick; by default the one that the rules name.
            totals: totals before the deal, per seat; by default those at the start of a match.
            deal_number: number of deals finished before this one. If it makes the deal a hold, the direction is
                ``hold``; after another pass it is None.
            passing: whether the deal begins with the pass.
            played: actions to take from there, names or ids.
            dealer: the seat that dealt.
            seed: fixes the deals that follow.
            kitty: the rest of the pack in the order of the kitty; by default in kind order.
            passed: the cards that each seat passed, in order, and
            received: those that it received, both or neither; they are passed again, and the direction is the deal's.

        Raises:
            IllegalActionError: an action in `played` or a card in `passed` is illegal.
            ValueError: hands that overlap, lack cards or have the wrong size; an impossible seat or number; a leader
                named although the deal begins with the pass; a kitty that is not the rest; cards received that the pass
                does not give, as always in a pass through a pool, which the seed deals out.
        """
        start = DealStart(hands, leader, totals, deal_number, passing, dealer, kitty)
        if passed is not None and received is not None and not passing:
            match = Match._after_pass(rules, seed, start, passed, received)
        elif passed is None and received is None:
            match = Match._set(rules, seed, start)
        else:
            raise ValueError("passed and received are named together, and without passing")
        for action in played:
            match.play(action)
        return match

    @staticmethod
    def _set(rules: Rules | str, seed: int, start: DealStart) -> Match:
        match = Match.__new__(Match)
        match._open(rules, seed)
        set_start(match.game, match._record, start, match.seed)
        match._begin_log(start.leader, start.passing)
        return match

    @staticmethod
    def _after_pass(rules: Rules | str, seed: int, start: DealStart, passed: Any, received: Any) -> Match:
        """A deal passed again: the dealer's choice is the one that gives what was received."""
        before, picks, wanted = hands_before(compile_game(read_rules(rules)), start.hands or [], passed, received)
        begun = Match._set(rules, seed, replace(start, hands=before, passing=True))
        for choice in begun.legal() if begun.phase == "direction" else [""]:
            match = begun.clone()
            if choice:
                match.play(choice)
            if {len(cards) for cards in picks} != {match.view(0).picks_left}:
                continue
            for card in chain(*picks):
                match.play(card)
            while match.phase == "refuse":
                match.play("refuse:no")
            if [sorted(match.view(seat).received) for seat in range(match.game.seats)] == wanted:
                return match
        raise ValueError(f"passed and received do not agree with the pass of deal {start.deal_number + 1}")

    @staticmethod
    def replay(text: str) -> Match:
        """The match that `record` wrote.

        >>> import hearts_env as he
        >>> match = he.Match("black_lady", seed=7)
        >>> he.Match.replay(match.record()) == match
        True
        >>> he.Match.replay(match.record().replace("dealer 1", "dealer 2"))
        Traceback (most recent call last):
        ValueError: line 5: 'deal 1, dealer 2' does not agree with the game, which gives 'deal 1, dealer 1'

        Raises:
            ValueError: the text is no record, is torn or of another version, contains an illegal action, or has a line
                that disagrees with the match as it was played; the message begins with the line's number.
        """
        record = read_record(text)
        with at_line(record.start_line):
            if record.start is None:
                match = Match(record.rules, record.seed)
            else:
                match = Match._set(record.rules, record.seed, record.start)
        for number, event in record.events():
            try:
                if isinstance(event, DealStart):
                    match._set_later(event)
                else:
                    match.play(event)
            except ValueError as error:
                record.compare(match.record(), before=number)  # the cause may be an earlier line
                raise ValueError(f"line {number}: {error}") from None
        record.compare(match.record())
        return match

    def record(self) -> str:
        """The match as text that a person can read and `replay` plays again; see `hearts_env.table.notation`.

        >>> import hearts_env as he
        >>> he.Match("black_lady", seed=7).record().splitlines()[:3]
        ['hearts-match 1', 'rules black_lady', 'seed 7']
        """
        first = self.log[0]
        are_set = self._given.keys() | {first.number}
        if first.start == Match(self.rules, self.seed).log[0].start:
            are_set -= {first.number}
        end = Over(self.ranking) if self.over else Unfinished(int(self._record["seat"]), self.phase)
        return write_record(self.rules, self.seed, self.log, are_set, end)

    def after(self, count: int) -> Match:
        """The match as it stood after its first `count` actions, as a match of its own.

        >>> import hearts_env as he
        >>> match = he.Match("black_lady(cycle=[hold])", seed=7)
        >>> match.play("2C")
        >>> match.after(0).legal(), match.after(1) == match
        (['2C'], True)

        Raises:
            ValueError: fewer actions have been taken.
        """
        actions = [action for deal in self.log for _, action in deal.actions]
        count = whole("count", count, 0, len(actions))
        start = Match(self.rules, self.seed)
        if self.log[0].start != start.log[0].start:
            start = Match._set(self.rules, self.seed, self.log[0].start)
        start.players, start._given = self.players, self._given.copy()
        for action in actions[:count]:
            start.play(action)
        return start

    def clone(self) -> Match:
        """An independent copy.

        >>> import hearts_env as he
        >>> match = he.Match("black_lady(cycle=[hold])", seed=7)
        >>> copy = match.clone()
        >>> copy.play("2C")
        >>> match.trick, copy.trick
        ([], ['2C'])
        """
        copy = Match.__new__(Match)
        copy.rules, copy.game, copy.seed = self.rules, self.game, self.seed
        copy._states = self._states.copy()
        copy.log = [deal.copy() for deal in self.log]
        copy.players, copy._given = self.players, self._given.copy()
        return copy

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Match):
            return NotImplemented
        return (self.rules, self.seed, self.log) == (other.rules, other.seed, other.log)

    __hash__ = None  # type: ignore[assignment]  # mutable

    @property
    def seat(self) -> int | None:
        """The seat to act, None when the match is over."""
        return None if self.over else int(self._record["seat"])

    def legal(self) -> list[str]:
        """Names of the actions that `seat` may take; empty when the match is over.

        >>> import hearts_env as he
        >>> he.Match("black_lady(cycle=[hold])", seed=7).legal()
        ['2C']
        """
        return [] if self.over else self.view(int(self._record["seat"])).legal()

    def play(self, action: str | int) -> None:
        """Take an action for the seat to act.

        >>> import hearts_env as he
        >>> hands = [[rank + suit for rank in "23456789TJQKA"] for suit in "CDHS"]
        >>> match = he.Match.from_hands("black_lady", hands)
        >>> match.play("2C")
        >>> match.play("2S")
        Traceback (most recent call last):
        hearts_env.errors.IllegalActionError: seat 1 does not hold 2S; its cards are 2D 3D 4D 5D 6D 7D 8D 9D TD JD ...

        Args:
            action: name or id.

        Raises:
            IllegalActionError: the action is illegal; the message names card, seat and rule.
        """
        from hearts_env.kernel.batch import step_first

        chosen, record = action_id(self.game, action), self._record
        seat, phase, number, deal = int(record["seat"]), self.phase, self.deal_number, self.log[-1]
        if not step_first(self._states, self.game.table, chosen):
            raise IllegalActionError(why_illegal(self.game, record, chosen))
        deal.actions.append((seat, self.game.actions[chosen]))
        deal.phases.append(phase)
        if phase == "direction":
            deal.direction = self.direction
        if phase == "play" and not record["trick_len"]:
            deal.trick_ends.append(len(deal.actions))
        if self.over or self.deal_number != number:
            deal.points, deal.totals_after = self.game.numbers(record["scored"]), self.totals
        if self.deal_number != number:
            self._begin_log(None, passing=True)
            if self.deal_number in self._given:
                self._set_later(self._given[self.deal_number])

    def set_deal(
        self,
        hands: Sequence[Iterable[str]],
        *,
        dealer: int | None = None,
        leader: int | None = None,
        passing: bool = True,
        kitty: Sequence[str] | None = None,
    ) -> None:
        """Set the deal that has just begun, in place of the cards that the seed deals. The record states it, and copies
        and `after` keep it.

        >>> import hearts_env as he
        >>> hands = [[rank + suit for rank in "23456789TJQKA"] for suit in "CDHS"]
        >>> match = he.Match("black_lady", seed=7)
        >>> match.set_deal(hands)
        >>> match.hands == hands, he.Match.replay(match.record()) == match
        (True, True)

        Args:
            hands: as in `from_hands`.
            dealer: the seat that dealt; by default the one that the rules name.
            leader: as in `from_hands`.
            passing: as in `from_hands`, but True by default.
            kitty: as in `from_hands`.

        Raises:
            ValueError: an action has been taken in this deal, or as in `from_hands`.
        """
        dealer = self.dealer if dealer is None else dealer
        self._set_later(DealStart(hands, leader, passing=passing, dealer=dealer, kitty=kitty))

    def _set_later(self, start: DealStart) -> None:
        if self.log[-1].actions:
            raise ValueError(f"deal {self.deal_number + 1} is under way; a deal is set before its first action")
        states = self._states.copy()
        set_later(self.game, states[0], start)
        dealt, self._states = self.log.pop().start, states
        self._begin_log(start.leader, start.passing)
        self._given.pop(self.deal_number, None)
        if self.log[-1].start != dealt:
            self._given[self.deal_number] = self.log[-1].start

    def _begin_log(self, leader: int | None, passing: bool) -> None:
        start = (self.deal_number, self.dealer, leader, self.totals, self.hands, passing, self.kitty, self.direction)
        self.log.append(DealLog(*start))

    def view(self, seat: int) -> View:
        """Everything that one seat may know. Raises ValueError for a seat that does not exist."""
        return view_of(self.game, self._states, seat_of("seat", seat, self.game.seats))

    @property
    def state(self) -> Any:
        """A copy of the kernel's `STATE` record, hidden cards included, as an array of one."""
        return self._states.copy()

    @property
    def hands(self) -> list[list[str]]:
        """Cards held, per seat, in kind order."""
        return [self.game.names(self._record["hands"][seat]) for seat in range(self.game.seats)]

    @property
    def trick(self) -> list[str]:
        """Cards on the table in play order."""
        return [card for _, card in self.played[len(self.played) - int(self._record["trick_len"]) :]]

    @property
    def deal_points(self) -> list[list[Any]]:
        """Final points of every finished deal, per seat."""
        return [deal.points for deal in self.log if deal.points is not None]

    @property
    def kitty(self) -> list[str]:
        """Every card of the kitty of this deal, in the order of the kitty."""
        return [self.game.deck.kinds[kind] for kind in self._record["kitty"][: self.game.tables["kitty_size"]]]

    @property
    def over(self) -> bool:
        """True once the match is over."""
        return int(self._record["phase"]) == Phase.OVER

    @property
    def ranking(self) -> list[int]:
        """Place of each seat, 1 is best, by its total, its team's total or its lives; equal seats share a place."""
        return list(ranking_of(self.game, self._record))

    @property
    def losers(self) -> list[int]:
        """The seats that share the last place; empty until the match is over."""
        return list(last_places(self.ranking)) if self.over else []

    def __str__(self) -> str:
        if self.over:
            return f"{self.rules}: over, totals {self.totals}"
        return f"{self.rules}: deal {self.deal_number + 1}, {self.phase}, seat {self.seat} to act, totals {self.totals}"
