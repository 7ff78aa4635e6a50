"""Every phase occurs in the games that tests share, and no list by phase misses one.

The terminal's pictures are in `tests/render`; the agents and the search play the shared games in tests of their own.
"""

import re
from pathlib import Path

import pytest

import hearts_env as he
from hearts_env.compiled import decisions
from hearts_env.seat.public import PHASES
from hearts_env.seat.view import View
from hearts_training.web.seen import seen_by
from hearts_training.web.words import Names, status
from tests.support.games import COVERING, match_in, phases_of

ROOT = Path(__file__).parents[2]
DECISIONS = PHASES[:-1]
SPECIAL = [phase for phase in DECISIONS if phase not in ("pass", "play")]


def test_every_phase_occurs_in_the_shared_games() -> None:
    assert set().union(*map(phases_of, COVERING)) == set(PHASES)
    assert set(SPECIAL) <= set().union(*map(phases_of, COVERING)), "agents and records are tried on these"


@pytest.mark.parametrize("phase", PHASES)
def test_every_phase_has_its_words(phase: str) -> None:
    match = match_in(phase)
    for own in ((match.seat or 0), ((match.seat or 0) + 1) % match.game.seats):  # who decides, and who waits
        names = Names.of(["Ann" if seat == own else None for seat in range(match.game.seats)], own)
        assert status(match.view(own), names)
    for seat in range(match.game.seats):
        page = seen_by(match, seat, Names.plain(match.game.seats))
        special = [action for action in match.legal() if ":" in action and seat == match.seat]
        assert [action for action in page["labels"] if page["labels"][action]] == special


def test_every_phase_has_a_decision() -> None:
    assert tuple(decisions.DECISIONS) == DECISIONS


@pytest.mark.parametrize("kind", [he.Match, View])
def test_the_documentation_of_phase_names_them_all(kind: type) -> None:
    listed = (kind.phase.__doc__ or "").partition(": ")[2]  # type: ignore[attr-defined]  # both have it
    assert re.findall(r"[a-z]+", listed) == [*DECISIONS, "or", "over"]


def test_the_pages_name_the_actions_of_every_phase() -> None:
    readme = (ROOT / "hearts_env/README.md").read_text("utf-8").partition("## Actions")[2].partition("## Rewards")[0]
    assert set(re.findall(r"^\| `([a-z]+):", readme, re.MULTILINE)) == set(SPECIAL)
