"""`deck.ranks` is an order: a pack whose ten stands above the king, or whose ace is low, is played like that."""

from random import Random

import pytest

import hearts_env as he
from tests.support.lockstep import play_matches

TEN_HIGH = "ranks=[7,8,9,J,Q,K,10,A]"


def test_the_order_given_is_kept_and_printed() -> None:
    rules = he.rules(f"black_lady({TEN_HIGH})")
    assert rules.deck.ranks == ("7", "8", "9", "J", "Q", "K", "T", "A")
    assert he.rules(str(rules)) == rules != he.rules("black_lady(ranks=[7,8,9,T,J,Q,K,A])")


def test_deals_from_a_seed_depend_on_the_places_of_cards_only() -> None:
    standard, other = (he.Match(f"black_lady({ranks})", seed=9) for ranks in ("ranks=[7,8,9,T,J,Q,K,A]", TEN_HIGH))
    renamed = dict(zip(standard.game.deck.kinds, other.game.deck.kinds, strict=True))
    assert [[renamed[card] for card in hand] for hand in standard.hands] == other.hands


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
