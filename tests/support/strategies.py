"""Hypothesis strategies: rules composed of fields that no variant puts together."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
from hypothesis import assume

import hearts_env as he
from tests.support.fields import FIELDS, GAUSSIAN, VALUES

PACKS: list[list[str]] = [
    [],
    [],
    ["A"],
    ["Q", "A"],
    ["Q", "K", "A"],
    ["J", "Q", "K", "A"],
    ["9", "T", "J", "Q", "K", "A"],
    ["8", "9", "T", "J", "Q", "K", "A"],
    ["2", "T", "11", "12", "J", "Q", "K", "A"],
]
DRAWN = sorted(path for path, field in FIELDS.items() if field.draws is not None)
JOKERS: list[list[str]] = [[], [], ["JK"], ["JK", "JK"], ["0C"], ["0C", "0D", "JK", "JK", "JK"]]


@st.composite
def packs(draw: st.DrawFn) -> dict[str, Any]:
    """A number of seats and a pack that divides among them, as changes to a variant."""
    players = draw(st.integers(3, 8))
    ranks = draw(st.sampled_from(PACKS)) or list("23456789TJQKA")
    changes: dict[str, Any] = {"players": players, "deck.ranks": ranks, "deck.packs": draw(st.sampled_from([1, 1, 2]))}
    added = draw(st.sampled_from(JOKERS)) + ["QS"] * draw(st.sampled_from([0, 0, 0, 1]))
    cards = 4 * len(ranks) * changes["deck.packs"] + len(added)
    assume(cards // players >= 2)
    changes |= {"deck.added": added, "deck.removed": [], "deck.remainder": "remove", "deck.hand_size": None}
    way = draw(st.sampled_from(["remove", "remove", "kitty", "jokers"]))
    if way == "remove":
        removable = [rank + suit for rank in ranks for suit in "CDHS"]
        removed = draw(st.permutations(removable[: max(8, players)]))[: cards % players]
        return changes | {"deck.removal_order": removed}
    changes |= {"deck.remainder": way, "deck.removal_order": []}
    if way == "kitty":
        award = st.sampled_from(["first_trick", "first_penalty", "one_per_trick", "out_of_play"])
        fewer = draw(st.sampled_from([None, cards // players - 1]))
        changes |= {"deck.kitty_award": draw(award), "deck.hand_size": fewer}
    return changes


@st.composite
def drawn_rules(draw: st.DrawFn) -> he.Rules:
    """Rules of a random variant with a random pack and a few random fields; contradictions are drawn again."""
    variant = he.VARIANTS[draw(st.sampled_from(sorted(he.VARIANTS)))]
    changes: dict[str, Any] = {}
    players = draw(st.sampled_from(variant.players))
    if draw(st.booleans()):
        changes |= draw(packs())
        players = changes.pop("players")
        # The variant's own cards may not be in this pack, its moves may be too many for these hands.
        variant = he.VARIANTS["black_lady"]
        changes["score.card_values"] = _draw_field(draw, "score.card_values")
        changes["passing.cycle"] = _draw_field(draw, "passing.cycle")
        changes["passing.count"] = 1
        if draw(st.booleans()) or changes["deck.packs"] > 1:
            changes |= {"opening.leader": "left_of_dealer", "opening.card": "any"}
    if players % 2 == 0 and draw(st.booleans()):
        changes["table.teams"] = draw(st.sampled_from(_teams(players)))
        changes["table.team_scoring"] = draw(st.sampled_from(["sum", "individual"]))
    if draw(st.sampled_from([False] * 12 + [True])):
        changes |= _chips(draw)
    try:
        rules = variant.build(players, **changes)
    except ValueError:
        assume(False)
        raise
    # One field after the other, each with what it needs; those that contradict the ones before are left out.
    for path in draw(st.lists(st.sampled_from(DRAWN), min_size=3, max_size=12, unique=True)):
        more = changes | {path: _draw_field(draw, path)}
        _settle(draw, more)
        try:
            rules, changes = variant.build(players, **more), more
        except ValueError:
            continue
    return rules


def _draw_field(draw: st.DrawFn, path: str) -> Any:
    draws = FIELDS[path].draws
    assert draws is not None
    return draw(draws)


def _teams(players: int) -> list[list[str]]:
    half = players // 2
    opposite = [f"{seat}+{seat + half}" for seat in range(half)]
    by_turns = ["+".join(map(str, range(start, players, 2))) for start in (0, 1)]
    return [opposite, by_turns]


def _chips(draw: st.DrawFn) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "moon.mode": "none",
        "end.target": None,
        "end.lower_target": None,
        "end.exact": {},
        "end.lives": None,
    }
    plain |= {"score.no_tricks": 0, "score.no_hearts": 0, "score.pledge": None, "moon.big_moon_deals": None}
    plain |= {"table.teams": [], "end.exact_optional": False, "score.better": "low", "end.max_deals": 30}
    return plain | {"score.chips": draw(st.integers(1, 6))}


def _settle(draw: st.DrawFn, changes: dict[str, Any]) -> None:
    """Fill in what a drawn field needs, so that fewer draws contradict themselves."""
    _settle_scores(draw, changes)
    _settle_moon(changes)
    _settle_end(changes)
    if changes.get("opening.leader") == "left_of_dealer":
        changes["opening.card"] = "any"
    if changes.get("trick.extend_rank") is None:
        changes["trick.extend_when"] = "any"


PLAIN: dict[str, Any] = {
    "end.lives": None,
    "moon.new_moon_min": None,
    "moon.big_moon_deals": None,
    "moon.punish": None,
    "score.bonus_floor_hand": False,
    "score.bonus_floor_total": False,
}
"""What only games of low whole numbers have."""


def _settle_scores(draw: st.DrawFn, changes: dict[str, Any]) -> None:
    better = changes.get("score.better", "low")
    if better != "low":
        changes |= PLAIN
    if better in ("magnitude", "real"):
        changes |= {"score.card_values": draw(st.sampled_from(GAUSSIAN)), "score.pledge": None, "table.teams": []}
        changes |= {"end.exact": {}, "end.exact_optional": False, "end.lower_target": None, "end.target": 25}
    if better == "high":
        changes |= {"score.card_values": {"H": -1, "QS": -13, "JD": 10}, "end.target": None}
        changes["end.lower_target"] = draw(st.integers(-60, -10))
    if changes.get("score.alone"):
        changes |= {"score.multipliers": {"KC": "2"}, "score.card_values": VALUES[0]}


def _settle_moon(changes: dict[str, Any]) -> None:
    if changes.get("moon.big_moon_deals") is not None:
        changes |= {"moon.mode": "none", "moon.big_moon_effect": "fixed100"}
    if changes.get("moon.new_moon_min") is not None:
        changes["moon.mode"] = "choice"
    if changes.get("moon.extends", "off") != "off":
        changes |= {"moon.mode": "old", "end.max_deals": 9}
        if changes.get("end.target", 1) is None and changes.get("end.lower_target") is None:
            changes["end.target"] = 30
    if changes.get("moon.sun_skip_first") and changes.get("moon.sun_amount") is None:
        changes["moon.requires_sun"] = True
    if changes.get("moon.least"):
        changes |= {"moon.cards": [], "moon.amount": None}
    if not changes.get("table.teams"):
        changes["moon.scope"] = "player"
    suns = ("moon.requires_sun", "moon.sun_amount", "moon.clean_slate", "moon.punish")
    if any(changes.get(path) not in (None, False) for path in suns):
        changes.setdefault("moon.mode", "old")


def _settle_end(changes: dict[str, Any]) -> None:
    if changes.get("end.lives") is None:
        changes |= {"end.life_threshold": 15, "end.lives_out": "end", "end.lives": None}
    else:
        changes.setdefault("end.max_deals", 4)
    if changes.get("end.target", 1) is None and changes.get("end.max_deals") is None:
        changes["end.max_deals"] = 3
    if changes.get("end.exact_optional") and not changes.get("end.exact"):
        changes["end.exact"] = {50: -50, 100: -50}
