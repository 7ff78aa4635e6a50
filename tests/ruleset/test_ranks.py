"""`deck.ranks` is an order: a pack whose ten stands above the king, or whose ace is low, is played like that."""

from __future__ import annotations

from random import Random

import pytest

import hearts_env as he
from hearts_env.cards import rank_order
from tests.oracle.rules import oracle_opener
from tests.support.lockstep import play_matches

TEN_HIGH = "ranks=[7,8,9,J,Q,K,10,A]"
ACE_LOW = "ranks=[A,2,3,4,5,6,7,8,9,T,J,Q,K]"


def test_the_order_given_is_kept_and_printed() -> None:
    rules = he.rules(f"black_lady({TEN_HIGH})")
    assert rules.deck.ranks == ("7", "8", "9", "J", "Q", "K", "T", "A")
    assert he.rules(str(rules)) == rules != he.rules("black_lady(ranks=[7,8,9,T,J,Q,K,A])")


@pytest.mark.parametrize(
    ("ranks", "order"),
    [
        ("789JQKTA", "0 2 3 4 5 6 7 8 9 J Q K T 11 12 A"),
        ("A23456789TJQK", "0 A 2 3 4 5 6 7 8 9 T 11 12 J Q K"),
        ("KQJ", "0 2 3 4 5 6 7 8 9 T 11 12 K A Q J"),
    ],
)
def test_ranks_of_added_cards_stand_above_the_rank_below_them(ranks: str, order: str) -> None:
    assert rank_order(ranks) == tuple(order.split())


@pytest.mark.parametrize(
    ("rules", "trick", "winner"),
    [
        (f"black_lady({TEN_HIGH})", ["KD", "TD", "QD", "9D"], 1),
        (f"black_lady({TEN_HIGH})", ["KD", "TD", "AD", "9D"], 2),
        (f"black_lady({ACE_LOW})", ["2D", "AD", "3D", "AC"], 2),
        ("black_lady(ranks=[7,8,9,T,J,Q,K,A])", ["KD", "TD", "QD", "9D"], 0),
        ("black_lady(ranks=[A,K,Q,J,T,9,8,7])", ["KD", "TD", "QD", "9D"], 3),
        (f"black_lady({ACE_LOW}, removed=[2C,3C,4C,5C], added=[0C,0D,11D,12D])", ["TD", "0D", "12D", "11D"], 2),
    ],
)
def test_the_highest_card_in_that_order_wins(rules: str, trick: list[str], winner: int) -> None:
    assert he.trick_winner(he.rules(rules), trick) == winner


@pytest.mark.parametrize(
    ("text", "opener"),
    [
        (f"black_lady({ACE_LOW})", "AC"),
        (f"black_lady({TEN_HIGH})", "7C"),
        ("black_lady(ranks=[T,J,9,A], passing.count=1, card_values={H:1})", "TC"),
        (f"black_lady({ACE_LOW}, removed=[2D,2H,2S,AC], added=[0C,0D,11D,12D])", "0C"),
    ],
)
def test_the_lowest_card_in_that_order_opens(text: str, opener: str) -> None:
    rules = he.rules(text)
    assert oracle_opener(rules) == opener
    match = he.Match(rules, seed=3)
    while match.phase != "play":
        match.play(match.legal()[0])
    assert match.legal() == [opener]


def test_deals_from_a_seed_depend_on_the_places_of_cards_only() -> None:
    usual, other = (he.Match(f"black_lady({ranks})", seed=9) for ranks in ("ranks=[7,8,9,T,J,Q,K,A]", TEN_HIGH))
    renamed = dict(zip(usual.game.deck.kinds, other.game.deck.kinds, strict=True))
    assert [[renamed[card] for card in hand] for hand in usual.hands] == other.hands


@pytest.mark.parametrize(
    "text",
    [
        "black_lady(ranks=[8,9,J,Q,K,T,A], passing.count=1)",
        "cancellation_hearts(ranks=[A,9,T,Q,J,K], players=6, removed=[AC], remainder=kitty, passing.count=1)",
        "turbo_hearts(ranks=[A,9,T,J,Q], passing.count=1, added=[8D,0C,12H,7S])",
    ],
)
def test_the_reference_plays_the_same_game(text: str) -> None:
    assert play_matches(he.rules(text), Random(3), matches=2, deals=4).total()


@pytest.mark.parametrize("ranks", ["[Q,Q,A]", "[0,Q,K,A]", "[X,Q]", "[]", "[H,S]"])
def test_an_order_names_every_rank_once(ranks: str) -> None:
    with pytest.raises(ValueError, match=r"deck\.ranks"):
        he.rules(f"black_lady(ranks={ranks})")
