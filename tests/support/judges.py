"""Two judges with one face, the engine and the oracle, so that every worked case is put to both."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

import hearts_env as he
from tests.oracle.end import Sheet, after_deal, first_sheet, oracle_ranking, with_exact_hits
from tests.oracle.game import Oracle
from tests.oracle.moon import Deal
from tests.oracle.rules import oracle_hand_size, rest_of_pack
from tests.oracle.score import Tally, oracle_score
from tests.oracle.tricks import oracle_legal, oracle_winner

Hands = Sequence[Sequence[str]]


@dataclass(frozen=True)
class Verdict:
    """A scored deal, one entry per seat."""

    points: list[Any]
    totals: list[Any]
    shooter: int | None
    over: bool
    losers: list[int]
    ranking: list[int]


class EngineJudge:
    """Asks the public functions of `hearts_env`."""

    def legal(self, rules: str, hand: str, trick: str = "", **position: Any) -> set[str]:
        cards = he.legal_plays(he.rules(rules), hand.split(), trick.split(), **position)
        assert len(set(cards)) == len(cards)
        return set(cards)

    def winner(self, rules: str, cards: str) -> int | None:
        return he.trick_winner(he.rules(rules), cards.split())

    def score(self, rules: str | he.Rules, taken: Sequence[str], **position: Any) -> Verdict:
        result = he.score_deal(he.rules(rules), [cards.split() for cards in taken], **position)
        losers, ranking = list(result.losers), list(result.ranking)
        return Verdict(list(result.points), list(result.totals), result.shooter, result.over, losers, ranking)

    def match(self, rules: str, hands: Hands, **position: Any) -> Any:
        return he.Match.from_hands(he.rules(rules), [list(hand) for hand in hands], **position)


class OracleJudge:
    def legal(
        self, rules: str, hand: str, trick: str = "", *, first_trick: bool = False, broken: bool = False, **cards: Any
    ) -> set[str]:
        played, called = _read_trick(trick)
        legal = oracle_legal(he.rules(rules), _read_cards(hand), played, first_trick, broken, called=called, **cards)
        assert len(set(legal)) == len(legal)
        return set(legal)

    def winner(self, rules: str, cards: str) -> int | None:
        trick, called = _read_trick(cards)
        return oracle_winner(he.rules(rules), trick, called)

    def score(self, rules: str, taken: Sequence[str], **position: Any) -> Verdict:
        parsed, moon = he.rules(rules), position.get("moon")
        cards = [_read_cards(text) for text in taken]
        pledged = [seat in position.get("pledges", ()) for seat in range(parsed.players)]
        winners = winners_of(parsed, cards, position.get("tricks_won"))
        exposed, passer = position.get("exposed", ()), position.get("passer")
        deal = Deal(cards, winners, exposed, pledges=pledged, passer=passer)
        sheet = first_sheet(parsed, position.get("totals"))
        tally = oracle_score(parsed, deal, sheet, moon)
        if moon is None and tally.way != tally.best:
            tally = oracle_score(parsed, deal, sheet, tally.best)
        return verdict(parsed, sheet, tally)

    def match(self, rules: str, hands: Hands, **position: Any) -> Any:
        parsed = he.rules(rules)
        sheet = first_sheet(parsed, position.pop("totals", None), position.pop("deal_number", 0))
        return Oracle(parsed, lambda _: hands, sheet=sheet, **({"passing": False} | position))


Judge = EngineJudge | OracleJudge
"""Answers the questions of the worked cases.

Cards are written as in the rulebook: a second copy may have a dash (``QS'``), and the suit that the leader of a joker
called follows the joker (``JK suit:D``).
"""


def _read_cards(text: str) -> list[str]:
    return [card.rstrip("'") for card in text.split()]


def _read_trick(text: str) -> tuple[list[str], str | None]:
    """The cards of a trick and the suit called, if one was."""
    words = _read_cards(text)
    called = [word.removeprefix("suit:") for word in words if word.startswith("suit:")]
    return [word for word in words if not word.startswith("suit:")], called[0] if called else None


def winners_of(rules: he.Rules, taken: Hands, tricks_won: Sequence[int] | None) -> list[int | None]:
    """Who won each trick, as far as it is said: the winner of few tricks first, before all the tricks of nobody.

    Without numbers a seat has won as many tricks as its cards make.
    """
    counts = list(tricks_won or [])
    if tricks_won is None:
        counts = [-(-len(cards) // rules.players) for cards in taken]
        if sum(counts) > oracle_hand_size(rules):
            counts = [len(cards) // rules.players for cards in taken]
    by_few = sorted(range(rules.players), key=lambda seat: counts[seat])
    winners: list[int | None] = [seat for seat in by_few for _ in range(counts[seat])]
    if rules.trick.extend_rank is None:
        for _ in range(oracle_hand_size(rules) - len(winners)):
            winners.insert(0, None)
    return winners


def verdict(rules: he.Rules, sheet: Sheet, tally: Tally) -> Verdict:
    """A tally and what it means for the match, all exact hits taken."""
    totals = with_exact_hits(rules, tally.totals)
    after, over, _ = after_deal(rules, replace(sheet, totals=totals), tally.points, tally.shooter, tally.way)
    ranking = oracle_ranking(rules, after)
    losers = [seat for seat, place in enumerate(ranking) if over and place == max(ranking)]
    return Verdict(tally.points, totals, tally.shooter, over, losers, ranking)


JUDGES: dict[str, Judge] = {"engine": EngineJudge(), "oracle": OracleJudge()}


def deal_out(rules: str, held: dict[int, str]) -> list[list[str]]:
    """Full hands in which the seats named hold these cards; the rest of the pack goes round in order."""
    parsed = he.rules(rules)
    hands = [_read_cards(held.get(seat, "")) for seat in range(parsed.players)]
    rest = rest_of_pack(parsed, hands)
    for hand in hands:
        while len(hand) < oracle_hand_size(parsed):
            hand.append(rest.pop(0))
    assert not rest or parsed.deck.remainder == "kitty"
    return hands


def play_all(table: Any, cards: Iterable[str] | str) -> None:
    for name in cards.split() if isinstance(cards, str) else cards:
        table.play(name)


def pass_low(table: Any) -> list[list[str]]:
    """Every seat passes the first cards of its hand; the picks of each seat, in order."""
    picks: list[list[str]] = [[] for _ in table.hands]
    while table.phase == "pass":
        seat, card = table.seat, sorted(table.legal())[0]
        picks[seat].append(card)
        table.play(card)
    return picks


def passed_to(judge: Judge, rules: str, deal_number: int = 0, direction: str = "") -> list[int]:
    """Where the picks of seat 0 went, as seat offsets in the order of picking; every seat must agree."""
    hands = deal_out(rules, {})
    table = judge.match(rules, hands, passing=True, deal_number=deal_number)
    if direction:
        table.play(direction)
    picks = pass_low(table)
    owners = {card: seat for seat, hand in enumerate(table.hands) for card in hand}
    offsets = [[(owners[card] - seat) % len(hands) for card in cards] for seat, cards in enumerate(picks)]
    assert all(row == offsets[0] for row in offsets)
    return offsets[0]


def both_judges() -> pytest.MarkDecorator:
    """Run each test of a module with either judge."""
    return pytest.mark.parametrize("judge", JUDGES.values(), ids=JUDGES.keys())
