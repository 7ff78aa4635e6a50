"""What holds for any rules and any deal: a table that is turned has the same result, turned."""

import zlib
from random import Random
from typing import Any

import pytest

import hearts_env as he
from hearts_env.cards import RANKS
from tests.support.games import COVERING
from tests.support.marks import few
from tests.support.worlds import skewed_hands


def by_cards(match: he.Match) -> str:
    """An action that depends on what the acting seat holds and sees, not on its number."""
    assert match.seat is not None
    legal = sorted(match.legal())
    seen = [match.phase, *sorted(match.hands[match.seat]), *match.trick, *sorted(match.taken[match.seat])]
    return legal[zlib.crc32(" ".join(seen).encode()) % len(legal)]


def one_deal(rules: he.Rules, hands: list[list[str]], **options: Any) -> list[list[Any]]:
    """Play one deal; points, totals and ranking, and the cards taken before the last trick."""
    match = he.Match.from_hands(rules, hands, deal_number=4, seed=1, **options)
    taken = match.taken
    while not match.deal_points:
        taken = [sorted(cards) for cards in match.taken]
        match.play(by_cards(match))
    return [match.deal_points[0], match.totals, match.ranking, taken]


def turned_rules(rules: he.Rules, turn: int) -> he.Rules:
    """The rules with the teams `turn` seats on."""
    teams = [[(int(seat) + turn) % rules.players for seat in team.split("+")] for team in rules.table.teams]
    return rules.replace(**{"table.teams": ["+".join(map(str, sorted(team))) for team in teams]})


def two_openers(rules: he.Rules, hands: list[list[str]]) -> bool:
    """Whether the first lead depends on the numbers of the seats."""
    suited = [card for hand in hands for card in hand if card[-1] == rules.opening.holder[-1]]
    by_holder = rules.opening.leader == "holder" and rules.opening.holder in "CDHS"
    return by_holder and suited.count(min(suited, key=lambda card: RANKS.index(card[:-1]))) > 1


@pytest.mark.parametrize("text", few(COVERING, 15, daily=99))
def test_turning_the_table_turns_the_result(text: str) -> None:
    rules, rng = he.rules(text), Random(2)
    for _ in range(2):
        hands, dealer = skewed_hands(he.Match(rules, seed=0).game, rng), rng.randrange(rules.players)
        if two_openers(rules, hands):
            assert rules.deck.packs == 2
            continue
        # A drawn pass, and what comes out of the pool, depends on the shuffle, not on the seats.
        drawn = rules.passing.schedule != "cycle" or any("pool" in entry for entry in rules.passing.cycle)
        passing = rng.random() < 0.5 and not drawn
        totals = [rng.choice([24, 37, 49, 50, 80]) for _ in range(rules.players)]
        straight = one_deal(rules, hands, totals=totals, dealer=dealer, passing=passing)
        turn = rng.randrange(1, rules.players)
        back = [(seat - turn) % rules.players for seat in range(rules.players)]
        turned = one_deal(
            turned_rules(rules, turn),
            [hands[seat] for seat in back],
            totals=[totals[seat] for seat in back],
            dealer=(dealer + turn) % rules.players,
            passing=passing,
        )
        assert turned == [[result[seat] for seat in back] for result in straight]
