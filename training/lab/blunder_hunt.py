"""Hunt for blunders that nobody has named: ``python training/lab/blunder_hunt.py net:black_lady --deals 80``.

An agent plays itself. A quick search looks through all of its cards; where one seems dear, two deep ones judge it: one
takes all worlds for equally likely and lets `rule` play on, the other weighs worlds by a network that plays on. A find
is a card that both find worse than their best by a point and by two standard errors.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import tyro
from numpy.typing import NDArray

import hearts_env as he
from hearts_agents import make_agent
from hearts_env.compiled.game import Game, compile_game
from hearts_env.envs.all_seats import views_in
from hearts_env.kernel.batch import step_all
from hearts_env.kernel.records import STATE, Phase
from hearts_env.seat.view import View, Views
from hearts_training.cli.command import console, results_table
from hearts_training.evaluate.blunders import JUDGE, Verdict, judge_all, wrong_of
from hearts_training.evaluate.blunders_kinds import KINDS
from hearts_training.evaluate.moon_suite import deals_of
from hearts_training.evaluate.positions import Positions

COLUMNS = ("hand", "points", "card", "best", "worse by", "kinds")


@dataclass(frozen=True)
class Hunt:
    """The agent, its deals and its judges."""

    agent: tyro.conf.Positional[str] = "net:black_lady"
    """The agent that plays itself."""
    variant: str = "black_lady"
    """The rules."""
    deals: int = 80
    """Deals that it plays."""
    first: int = 50_000
    """Number of the first deal; the blunder suite uses those up to 16,383."""
    screen: str = "pimc(worlds=64)"
    """The quick search."""
    judges: tuple[str, ...] = (JUDGE, "net+pimc(black_lady, worlds=64, candidates=256)")
    """The deep ones."""
    shortlist: int = 60
    """Decisions that are judged: those that are dearest by the quick search."""

    def run(self) -> None:
        """Print the finds, the dearest first, and what they cost."""
        rules = he.rules(self.variant)
        views, chosen = played(compile_game(rules), self.agent, np.arange(self.first, self.first + self.deals))
        losses = [loss(verdict, card) for verdict, card in zip(verdicts(self.screen, views), chosen, strict=True)]
        dearest = np.argsort(losses)[::-1][: self.shortlist]
        judged, cards = Views(views.game, views.records[dearest], check=False), chosen[dearest]
        of_judges = [verdicts(judge, judged) for judge in self.judges]
        found = []
        for view, kinds, card, *ours in zip(judged, kinds_of(judged, cards), cards, *of_judges, strict=True):
            if all(card in wrong_of(verdict) for verdict in ours):
                found.append((min(loss(verdict, card) for verdict in ours), line(view, kinds, card, ours)))
        found.sort(reverse=True)
        cost = sum(least for least, _ in found) / (self.deals * views.game.seats)
        caption = (
            f"{len(chosen):,} decisions of {self.deals} deals, {len(dearest)} judged; {cost:.3f} points a seat and deal"
        )
        title, rows = f"{self.agent} in {rules}", [row for _, row in found]
        console().print(results_table(COLUMNS, rows, title=title, caption=caption, first="trick"))


def played(game: Game, agent: str, deals: NDArray[np.int64]) -> tuple[Views, NDArray[np.int64]]:
    """The views of all choices of cards when an agent plays itself, and what it played."""
    states, player = deals_of(game, deals), make_agent(agent)
    player.reset(0)
    records, chosen = [np.zeros(0, STATE)], [np.zeros(0, np.int64)]
    while (rows := np.flatnonzero(states["phase"] != Phase.OVER)).size:
        views = views_in(game, states, rows)
        actions = player.act_batch(views)
        places, at = Positions.of(views)
        records.append(at.views.records)
        chosen.append(actions[places])
        moved = states[rows]
        step_all(moved, game.table, actions)
        states[rows] = moved
    return Views(game, np.concatenate(records), check=False), np.concatenate(chosen)


def verdicts(judge: str, views: Views) -> list[Verdict]:
    """The verdicts of a search, (n,)."""
    return list(judge_all(make_agent(judge), views))


def loss(verdict: Verdict, card: int) -> float:
    """Points by which a card is worse than the best."""
    return {action: value for action, value, _ in verdict}.get(card, 0.0)


def kinds_of(views: Views, cards: NDArray[np.int64]) -> list[str]:
    """The kinds of the blunder suite in which a card tempts, for each view."""
    at, rows = Positions.of(views)[1], np.arange(len(cards))
    tempts = {name: (kind(at) & at.legal)[rows, cards] for name, kind in KINDS.items()}
    return [", ".join(name for name, found in tempts.items() if found[row]) for row in rows]


def line(view: View, kinds: str, card: int, of_judges: list[Verdict]) -> tuple[str, ...]:
    """A find, for the table: the points of the seat itself come first."""
    names = view.game.actions
    best = dict.fromkeys(names[min(verdict, key=lambda one: one[1])[0]] for verdict in of_judges)
    worse = ", ".join(f"{loss(verdict, card):.1f}" for verdict in of_judges)
    trick = " ".join(name for _, name in view.trick) or "leads"
    points = " ".join(map(str, [*view.points[view.seat :], *view.points[: view.seat]]))
    return trick, " ".join(view.hand), points, names[card], "/".join(best), worse, kinds


if __name__ == "__main__":
    tyro.cli(Hunt).run()
