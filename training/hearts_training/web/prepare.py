"""Compilation of all that the tables of a server need, done once, so that the code is on disk and loaded."""

from __future__ import annotations

from collections.abc import Iterator

from hearts_env.seat.view import View
from hearts_env.table.match import Match
from hearts_env.variants.registry import rules as read_rules
from hearts_training.web.deals import how
from hearts_training.web.levels import levels
from hearts_training.web.questions import Question, answer
from hearts_training.web.seen import seen_by, seen_openly
from hearts_training.web.walk import Walk

GAMES = ("black_lady", "gong_zhu", "cancellation_hearts", "partnership_hearts")
"""Games that need, between them, all code: networks for one game and for all, two packs, teams, other scores."""
SEARCH = "pimc(worlds=2)"


def for_tables() -> None:
    """Do all that is compiled for matches, pages and quick agents."""
    _a_match()
    for match in _positions():
        for spec in (level.spec for level in levels(match.rules)[1:3]):
            answer(_about(match, "act", spec))


def for_questions() -> None:
    """Do all that is compiled for hints, beliefs and agents that search."""
    for match in _positions():
        strong = levels(match.rules)[2].spec
        for kind, spec in (("believe", ""), ("explain", SEARCH), ("act", SEARCH), ("explain", strong)):
            if (kind, spec) != ("explain", "rule"):  # it explains nothing
                answer(_about(match, kind, spec))


def _positions() -> Iterator[Match]:
    """The first decision and the first card of some games."""
    for name in GAMES:
        match = Match(name, seed=1)
        yield match
        while match.phase != "play":
            match.play(match.legal()[0])
        yield match


def _about(match: Match, kind: str, spec: str) -> Question:
    return Question.about(match.view(match.seat or 0), kind, spec)


def _a_match() -> None:
    walk = Walk(Match(read_rules("black_lady(max_deals=1)"), seed=1))
    while not walk.match.over:
        walk.step(walk.match.legal()[0])
    if walk.deal is not None:
        how(walk.deal)
    match = Match.replay(walk.match.record()).after(20)
    view = match.view(match.seat or 0)
    seen_by(match, view.seat)
    seen_openly(match)
    View.from_dict(view.as_dict()).text()
