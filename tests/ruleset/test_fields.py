"""No field of `Rules` is dead: for each there are two games that differ in it alone and play or score differently."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

import hearts_env as he
from hearts_env.cards import RANKS
from hearts_env.ruleset.derived import build_deck, hand_size, penalty_cards
from hearts_env.ruleset.model import field_types
from tests.support.deals import near_the_end
from tests.support.fields import FIELDS
from tests.support.lockstep import seen_by

PACK = {path for path in FIELDS if path.startswith("deck.")} - {"deck.kitty_award"} | {"table.players"}
"""Fields that change the hands dealt."""


def test_every_field_has_its_row() -> None:
    assert list(FIELDS) == list(field_types())


def test_every_field_is_used_by_a_variant_or_is_an_option_of_the_rulebook() -> None:
    plain = he.rules("black_lady").flat()
    used = set()
    for variant in he.VARIANTS.values():
        for players in variant.players:
            said = variant.build(players).flat()
            told = {*variant.delta, *variant.by_players.get(players, {})}
            assert all(said[path] != plain[path] for path in told), f"{variant.name} says what is said already"
            used |= told
    described = {path for path, field in FIELDS.items() if field.source}
    assert used | {"table.players"} | described == set(field_types())
    assert not used & described


@pytest.mark.parametrize("path", FIELDS)
def test_the_field_matters(path: str) -> None:
    field = FIELDS[path]
    one = he.rules(field.game)
    if field.shows == "refusal":
        with pytest.raises(ValueError, match=path):
            one.replace(**{path: field.change})
        return
    other = one.replace(**{path: field.change})
    assert [name for name, value in one.flat().items() if value != other.flat()[name]] == [path]
    if path in PACK:
        assert field.shows in _differences(he.Match(one, seed=1), he.Match(other, seed=1))
    else:
        assert any(field.shows in _played_alike(one, other, Random(seed)) for seed in range(400))


def _differences(one: he.Match, other: he.Match) -> set[str]:
    left, right = seen_by(one), seen_by(other)
    return {name for name in left if left[name] != right[name]}


def _played_alike(one: he.Rules, other: he.Rules, rng: Random) -> set[str]:
    """Deal and play two games alike until something shows that they differ; what shows it."""
    hands = _hands(one, rng)
    totals = rng.choice([near_the_end(one, rng), [rng.choice([-9, 37, 40, 48, 49]) for _ in hands]])
    deal_number, passing, dealer = rng.randrange(8), rng.random() < 0.3, rng.randrange(one.players)
    left, right = (
        he.Match.from_hands(
            rules, hands, totals=totals, deal_number=deal_number, passing=passing, dealer=dealer, seed=5
        )
        for rules in (one, other)
    )
    strong = max(range(one.players), key=lambda seat: sum(card[:-1] in "AKQ" for card in hands[seat]))
    policy = rng.choice([_anyhow, _one_against_all(strong)])
    while not (shown := _differences(left, right)):
        if left.over or left.deal_number > deal_number + 1:
            return set()
        action = policy(left, rng)
        left.play(action)
        right.play(action)
    return shown


def _hands(rules: he.Rules, rng: Random) -> list[list[str]]:
    """Hands of which one is strong, weak, short of clubs, full of penalty cards or nothing of the sort."""
    deck = build_deck(rules)
    cards, bad = list(deck.cards), penalty_cards(rules, deck)
    wanted = rng.choice(
        [
            lambda card: 0.0,
            _height,
            lambda card: -_height(card),
            lambda card: _height(card) - 100 * (card[-1] == "C"),
            lambda card: (card in bad) + (card[-1] == "H"),
            lambda card: (card[-1] == "H") + 0.5 * rng.random(),
            lambda card: "CDHS".find(card[-1]) + 0.5 * rng.random(),
        ]
    )
    rng.shuffle(cards)
    cards.sort(key=wanted, reverse=True)
    size = hand_size(rules, deck)
    rest = cards[size:]
    if rng.random() < 0.8:
        rng.shuffle(rest)
    hands = [rest[start : start + size] for start in range(0, size * (rules.players - 1), size)]
    hands.insert(rng.randrange(rules.players), cards[:size])
    return hands


def _height(card: str) -> float:
    return -1.0 if card == "JK" else RANKS.index(card[:-1])


def _anyhow(match: he.Match, rng: Random) -> str:
    return rng.choice(match.legal())


def _one_against_all(strong: int) -> Callable[[he.Match, Random], str]:
    """One seat tries to win every trick, the others to win none, hearts and spades thrown first."""

    def policy(match: he.Match, rng: Random) -> str:
        legal = match.legal()
        if match.phase not in ("pass", "play"):
            return rng.choice(legal)
        if match.phase == "pass":
            return min(legal, key=_height)
        if match.seat == strong:
            return max(legal, key=_height)
        if match.trick and legal[0][-1] != match.trick[0][-1]:
            return max(legal, key=lambda card: (card == "QS", card[-1] == "H", _height(card)))
        return min(legal, key=_height)

    return policy
