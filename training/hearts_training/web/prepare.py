"""What the tables of a server need compiled: everything is done once, so that its code is on disk and loaded."""

from __future__ import annotations

from hearts_env.seat.view import View
from hearts_env.table.match import Match
from hearts_env.variants.registry import rules as read_rules
from hearts_training.web.levels import levels
from hearts_training.web.questions import Question, answer
from hearts_training.web.seen import seen_by, seen_openly
from hearts_training.web.walk import Walk

GAMES = ("black_lady", "gong_zhu", "cancellation_hearts", "partnership_hearts")
"""Games that need, between them, all code: networks for one game and for all, two packs, teams, other scores."""
SEARCH = "pimc(worlds=2)"


def everything() -> None:
    """Do all that is compiled: what matches, pages, agents, hints and beliefs need."""
    a_match()
    for name in GAMES:
        match = Match(name, seed=1)
        for _ in range(2):
            _ask(match)
            while match.phase != "play":
                match.play(match.legal()[0])


def _ask(match: Match) -> None:
    """Ask every kind of question about a position."""
    view = match.view(match.seat or 0)
    for spec in (level.spec for level in levels(match.rules)[1:3]):
        answer(Question.about(view, "act", spec))
        if spec.startswith("net"):
            answer(Question.about(view, "explain", spec))
    answer(Question.about(view, "explain", SEARCH))
    answer(Question.about(view, "believe"))


def a_match() -> None:
    """Play, show, write and read a match of one deal."""
    walk = Walk(Match(read_rules("black_lady(max_deals=1)"), seed=1))
    while not walk.match.over:
        walk.step(walk.match.legal()[0])
    match = Match.replay(walk.match.record()).after(20)
    view = match.view(match.seat or 0)
    seen_by(match, view.seat)
    seen_openly(match)
    View.from_dict(view.as_dict()).text()
