"""Two judges with one face, the engine and the oracle, so that every worked case is put to both."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import pytest

import hearts_env as he
from tests.oracle import Oracle
from tests.oracle_rules import oracle_deck, oracle_legal, oracle_winner
from tests.oracle_score import match_over, oracle_ranking, oracle_score

Hands = Sequence[Sequence[str]]


@dataclass(frozen=True)
class Verdict:
    """A scored deal, one entry per seat."""

    points: list[int]
    totals: list[int]
    shooter: int | None
    over: bool
    losers: list[int]
    ranking: list[int]


class Table(Protocol):
    """What both `Match` and `Oracle` offer."""

    phase: str
    seat: Any
    leader: Any
    totals: Any
    hands: Any
    taken: Any
    shooter: Any
    deal_number: int
    dealer: int

    @property
    def over(self) -> bool: ...
    @property
    def ranking(self) -> Sequence[int]: ...
    def legal(self) -> Sequence[str]: ...
    def play(self, name: str) -> None: ...


class Judge(Protocol):
    """Answers the questions of the worked cases."""

    def legal(
        self, rules: str, hand: str, trick: str = "", *, first_trick: bool = False, broken: bool = False
    ) -> set[str]: ...
    def winner(self, rules: str, cards: str) -> int | None: ...
    def score(
        self,
        rules: str,
        taken: Sequence[str],
        *,
        tricks_won: Sequence[int] | None = None,
        totals: Sequence[int] | None = None,
        moon: str | None = None,
    ) -> Verdict: ...
    def match(self, rules: str, hands: Hands, **position: Any) -> Any: ...


class EngineJudge:
    """Asks the public functions of `hearts_env`."""

    def legal(
        self, rules: str, hand: str, trick: str = "", *, first_trick: bool = False, broken: bool = False
    ) -> set[str]:
        cards = he.legal_plays(he.rules(rules), hand.split(), trick.split(), first_trick=first_trick, broken=broken)
        assert len(set(cards)) == len(cards)
        return set(cards)

    def winner(self, rules: str, cards: str) -> int | None:
        return he.trick_winner(he.rules(rules), cards.split())

    def score(
        self,
        rules: str,
        taken: Sequence[str],
        *,
        tricks_won: Sequence[int] | None = None,
        totals: Sequence[int] | None = None,
        moon: str | None = None,
    ) -> Verdict:
        said = he.score_deal(
            he.rules(rules),
            [cards.split() for cards in taken],
            tricks_won=tricks_won,
            totals=totals,
            moon=moon,
        )
        return Verdict(
            points=list(said.points),
            totals=list(said.totals),
            shooter=said.shooter,
            over=said.over,
            losers=list(said.losers),
            ranking=list(said.ranking),
        )

    def match(self, rules: str, hands: Hands, **position: Any) -> Any:
        return he.Match.from_hands(he.rules(rules), [list(hand) for hand in hands], **position)


class OracleJudge:
    """Asks the oracle."""

    def legal(
        self, rules: str, hand: str, trick: str = "", *, first_trick: bool = False, broken: bool = False
    ) -> set[str]:
        return set(oracle_legal(he.rules(rules), hand.split(), trick.split(), first_trick, broken))

    def winner(self, rules: str, cards: str) -> int | None:
        return oracle_winner(he.rules(rules), cards.split())

    def score(
        self,
        rules: str,
        taken: Sequence[str],
        *,
        tricks_won: Sequence[int] | None = None,
        totals: Sequence[int] | None = None,
        moon: str | None = None,
    ) -> Verdict:
        said = he.rules(rules)
        cards = [text.split() for text in taken]
        counts = tricks_won or [1 if seat_took else 0 for seat_took in cards]
        winners = [seat for seat, count in enumerate(counts) for _ in range(count)]
        tally = oracle_score(said, cards, winners, totals or [0] * len(cards), moon)
        after = [total + dict(said.end.exact).get(total, 0) for total in tally.totals]
        over, ranking = match_over(said, after, 0), oracle_ranking(after)
        losers = [seat for seat, place in enumerate(ranking) if over and place == max(ranking)]
        return Verdict(tally.points, after, tally.shooter, over, losers, ranking)

    def match(self, rules: str, hands: Hands, **position: Any) -> Any:
        return Oracle(he.rules(rules), lambda _: hands, **({"passing": False} | position))


JUDGES = {"engine": EngineJudge(), "oracle": OracleJudge()}


def deal_out(rules: str, held: dict[int, str]) -> list[list[str]]:
    """Full hands in which the seats named hold these cards; the rest of the pack goes round in order."""
    said = he.rules(rules)
    hands = [held.get(seat, "").split() for seat in range(said.players)]
    rest = [card for card in oracle_deck(said) if not any(card in hand for hand in hands)]
    size = len(oracle_deck(said)) // said.players
    for hand in hands:
        while len(hand) < size:
            hand.append(rest.pop(0))
    assert not rest
    return hands


def play_all(table: Table, cards: Iterable[str] | str) -> None:
    """Play these actions one after the other."""
    for name in cards.split() if isinstance(cards, str) else cards:
        table.play(name)


def both_judges() -> pytest.MarkDecorator:
    """Run each test of a module with either judge."""
    return pytest.mark.parametrize("judge", JUDGES.values(), ids=JUDGES.keys())
