"""The rule agent plays otherwise where a field pays otherwise, or the field is listed with the reason."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

import pytest

import hearts_env as he
from hearts_agents.rule import RuleAgent
from hearts_env.ruleset.fields import DECLARATIONS

PAYS = [
    path
    for path, field in DECLARATIONS.items()
    if path.startswith(("score.", "moon.")) and (field.pays or field.shows in ("points", "totals"))
]
IGNORED = {
    "it counts cards, not tricks or sets of them": ("score.tricks", "score.sets"),
    "it changes few deals": (
        *("score.bonus_floor_hand", "score.bonus_floor_total", "score.no_tricks_on_moon", "score.no_hearts_on_moon"),
        "score.multiplied_events",
        "moon.sun_skip_first",
    ),
    "a moon is worth the award of all its cards, whoever scores it": (
        *("moon.mode", "moon.least", "moon.others_score", "moon.multiplied", "moon.sign", "moon.punish"),
        *("moon.sun_amount", "moon.clean_slate"),
    ),
    "it plans no further than the deal": ("moon.big_moon_deals", "moon.big_moon_effect"),
}
"""Reason -> the fields that the rule agent does not read for it."""


def cards(rules: he.Rules, seed: int) -> Iterator[str]:
    """The cards of a deal in which the rule agent has all seats."""
    match, agent = he.Match(rules, seed=seed), RuleAgent()
    while match.seat is not None and match.deal_number == 0:
        name = match.game.actions[match.game.action(agent.act(match.view(match.seat)))]
        if ":" not in name:
            yield name
        match.play(name)


@pytest.mark.parametrize("path", PAYS)
def test_a_field_that_pays_is_read(path: str) -> None:
    rules = he.rules(DECLARATIONS[path].game)
    other = rules.replace(**{path: DECLARATIONS[path].change})
    pairs = (zip_longest(cards(rules, seed), cards(other, seed)) for seed in range(30))
    ignored = any(path in fields for fields in IGNORED.values())
    assert any(one != two for pair in pairs for one, two in pair) != ignored
