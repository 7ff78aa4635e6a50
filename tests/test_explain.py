"""The page of rules: every variant has one, and no field of the rules is missing from its words."""

from __future__ import annotations

from typing import Any

import pytest

import hearts_env as he
from hearts_env.explain import explain
from hearts_env.rules import field_types

SECTIONS = ("Players and pack", "Pass", "Play", "Scoring", "Shooting the moon", "End of the match", "Source")

# A game in which the field matters, and another value of it.
CHANGES: dict[str, tuple[str, Any]] = {
    "table.players": ("black_lady", 5),
    "table.dealer_next": ("black_lady", "QS"),
    "deck.ranks": ("black_lady", ["7", "8", "9", "T", "J", "Q", "K", "A"]),
    "deck.remainder": ("black_lady", "strict"),
    "deck.removal_order": ("black_lady(players=3)", ["2S"]),
    "opening.leader": ("black_lady(opening.card=any)", "left_of_dealer"),
    "opening.holder": ("black_lady", "3D"),
    "opening.card": ("black_lady", "any_of_suit"),
    "passing.count": ("black_lady", 2),
    "passing.cycle": ("black_lady", ["left", "scatter"]),
    "passing.schedule": ("black_lady", "random"),
    "passing.unpassable": ("black_lady", ["QS", "A"]),
    "play.first_trick_forbidden": ("black_lady", []),
    "play.heart_lead": ("black_lady", "free"),
    "play.break_by": ("black_lady", "any_penalty"),
    "play.break_event": ("black_lady", "discarded"),
    "play.lead_exception": ("black_lady", "hearts_plus_penalty"),
    "score.card_values": ("black_lady", {"H": 1, "QS": 13, "JD": -10}),
    "score.bonus_floor_hand": ("omnibus_hearts", True),
    "score.bonus_floor_total": ("omnibus_hearts", True),
    "score.no_tricks": ("black_lady", -5),
    "score.no_tricks_on_moon": ("black_lady(no_tricks=-5)", True),
    "moon.mode": ("black_lady", "old"),
    "moon.policy": ("black_lady", "auto_best"),
    "moon.cards": ("black_lady(moon.amount=26)", ["H"]),
    "moon.amount": ("black_lady", 30),
    "moon.new_moon_min": ("black_lady", 50),
    "moon.new_moon_who": ("black_lady(new_moon_min=50)", "any"),
    "moon.requires_sun": ("black_lady", True),
    "moon.sun_skip_first": ("black_lady(requires_sun=true)", True),
    "moon.sun_amount": ("black_lady", 52),
    "moon.big_moon_deals": ("rickety_kate(big_moon_effect=fixed100)", 2),
    "moon.big_moon_effect": ("rickety_kate(target=none, max_deals=9, big_moon_deals=2)", "fixed100"),
    "end.target": ("black_lady", 50),
    "end.target_cmp": ("black_lady", "gt"),
    "end.max_deals": ("black_lady", 12),
    "end.tie": ("black_lady", "continue"),
    "end.exact": ("black_lady", {"100": "-50"}),
    "end.exact_optional": ("black_lady(exact={100:-50})", True),
}


def words(rules: he.Rules) -> str:
    """The page without its title and the list of fields."""
    sections = explain(rules).split("\n## ")[1:]
    return "\n".join(section for section in sections if not section.startswith("Differences"))


@pytest.mark.parametrize("name", list(he.VARIANTS))
def test_every_variant_has_a_page_for_every_number_of_players(name: str) -> None:
    variant = he.VARIANTS[name]
    for players in variant.players:
        page = explain(variant.build(players))
        assert [title for title in SECTIONS if f"\n## {title}\n" in page] == list(SECTIONS)
        assert max(map(len, page.splitlines())) <= 88
        assert f"{players} players; " in page
        flowing = " ".join(page.replace("\n  ", " ").split())
        for text in (variant.summary, variant.source, *variant.aliases, *variant.readings):
            assert " ".join(text.split()) in flowing


def test_every_field_is_listed_here() -> None:
    assert set(CHANGES) == set(field_types())


@pytest.mark.parametrize("path", list(CHANGES))
def test_every_field_is_put_into_words(path: str) -> None:
    game, value = CHANGES[path]
    before = he.rules(game)
    after = before.replace(**{path: value})
    assert before.flat()[path] != after.flat()[path]
    assert words(before) != words(after)
    assert explain(after).startswith(f"# {after}\n")
    if path != "table.players":
        assert f"- {path} = " in explain(after)


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ("black_lady", "Deal by deal, in turn: 3 cards to the left; 3 cards to the right; 3 cards across; nothing"),
        (
            "black_lady(players=6)",
            "3 cards to the second player on the left; 3 cards to the second player on the right",
        ),
        (
            "black_lady(players=6)",
            "the two of diamonds, the two of clubs, the three of diamonds and the three of clubs",
        ),
        ("black_maria(players=3)", "the two of clubs stays out"),
        ("four_five_four", "In every deal: 4 cards to the left, 5 across and 4 to the right."),
        ("black_lady(cycle=[left|hold])", "In every deal: 3 cards to the left or nothing (hold)."),
        ("black_lady(cycle=[hold])", "No cards are passed."),
        ("black_lady(cycle=[left*1])", "In every deal: 1 card to the left."),
        ("omnibus_hearts", "the queen of spades +13; the jack of diamonds -10; each of the hearts +1."),
        ("queens", "whoever took the queen of spades deals next"),
        ("black_lady(deck.remainder=strict)", "no card ever stays out"),
        ("rickety_kate", "No award: whoever takes all the penalty cards scores them."),
        ("black_lady(max_deals=1)", "as soon as a total reaches 100 after a deal or after 1 deal;"),
        ("black_lady(exact={100:-50}, exact_optional=true)", "A total of exactly 100 after a deal may change to 50."),
    ],
)
def test_the_words_are_right(rules: str, sentence: str) -> None:
    assert sentence in " ".join(explain(rules).split())
