"""What a search gains over the network that plays its rollouts.

    python training/lab/search_gain.py play "net+pimc(black_lady, worlds=64)"   # whole deals, alone among three of it
    python training/lab/search_gain.py decisions black_lady                     # one decision at a time

*Decisions* come from deals in which the network draws its actions in all seats, so that the worlds' importance weights
by its own probabilities are exact where nothing is passed. In each, three sets of worlds are played on with every
action: all equally likely; drawn by their weights; and drawn so from other candidates. The first two choose, with
several thresholds, and the gain of a choice is measured in the true deal, and in the third set.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import tyro
from numpy.typing import NDArray

from hearts_agents.arena.tables import TimedAgent
from hearts_agents.neural import NetAgent
from hearts_agents.registry import make_agent, parse_spec
from hearts_agents.search.lockstep import copy_records, try_actions
from hearts_agents.search.network import best_action
from hearts_env.compiled.game import Game
from hearts_env.envs.vector import VectorEnv
from hearts_env.kernel.batch import step_all, take_views
from hearts_env.kernel.deduce.sampling import count_legal
from hearts_env.kernel.records import STATE, Phase
from hearts_env.seat.view import View, Views
from hearts_env.seat.worlds import sample_worlds
from hearts_env.variants.registry import rules
from hearts_training.cli.command import progress
from hearts_training.evaluate.sides import Sides
from lab.results import show

THRESHOLDS = (0.0, 1.0, 2.0, 3.0)
TRICKS = ((0, 3), (3, 6), (6, 20))
"""Parts of a deal, by the number of tricks that were played."""
EXACT = 1e-3
"""Probability of any legal card beside the network's own, which keeps weights above 0."""


@dataclass(frozen=True)
class Play:
    """Margins of agents, each alone in every seat of the same deals among copies of a network."""

    agents: Annotated[tuple[str, ...], tyro.conf.Positional]
    """Their specs, such as "net+pimc(black_lady, worlds=64)"; differences to the first are paired deal by deal."""
    among: str = ""
    """Spec of the others; by default the network that the first agent searches with."""
    variant: str = ""
    """The game; by default that of the network."""
    deals: int = 160
    """How many."""
    at_once: int = 20
    """Deals between two lines of output."""

    def run(self) -> None:
        """Do it."""
        net = parse_spec(self.agents[0])[1].get("net", "")
        players, among = [TimedAgent(make_agent(spec)) for spec in self.agents], make_agent(self.among or f"net:{net}")
        seated = Sides.of(rules(self.variant or net), chunk=self.at_once)
        margins = [list[float]() for _ in players]
        for chunk in range(self.deals // self.at_once):
            for own, player in zip(margins, players, strict=True):
                own.extend(seated.play(player, among, chunk).margins.mean(axis=1))
                found = np.array(own)
                spent = 1000 * player.seconds / player.decisions
                difference = "" if own is margins[0] else f", {_mean(found - margins[0])} against the first"
                text = f"{len(own)} deals: {_mean(found)}{difference}, {spent:.0f} ms a decision"
                print(f"{player.agent.name}, {text}", flush=True)


class Tried(NamedTuple):
    """A decision.

    Attributes:
        trick: number of tricks that were played.
        default: place of the network's action among the legal ones.
        truth: (actions,) margin after each action in the true deal.
        sets: (3, worlds, actions) the same in worlds: equally likely, drawn by weights, and drawn from others.
    """

    trick: int
    default: int
    truth: NDArray[np.float64]
    sets: NDArray[np.float64]


@dataclass(frozen=True)
class Decisions:
    """One decision at a time: what choosing by worlds gains."""

    net: Annotated[str, tyro.conf.Positional] = "black_lady"
    """The network, which plays the variant of its name."""
    deals: int = 150
    """Deals of self-play."""
    deal: int = 3
    """Their number in the match; in deal 3 of `black_lady` nothing is passed."""
    share: float = 0.25
    """Which part of their decisions is tried."""
    worlds: int = 64
    """Worlds of a set."""
    candidates: int = 1024
    """Worlds of which those of a set are drawn."""
    seed: int = 21
    """Fixes deals and draws."""

    def run(self) -> None:
        """Do it."""
        net, random = NetAgent(self.net), np.random.default_rng(self.seed)
        game, found, decisions = self._decisions(random)
        tried = []
        with progress("decisions", len(found)) as report:
            for state in found:
                tried.append(self._try(game, net, state, random))
                report(len(tried))
        rows = []
        scale = decisions / self.deals / game.seats / len(tried)
        for first, last in ((0, 20), *TRICKS):
            some = [one for one in tried if first <= one.trick < last]
            for place, name in enumerate(("equally likely", "by weight")):
                for threshold in THRESHOLDS:
                    gains = self._gains(some, place, threshold, scale)
                    rows.append((f"{first} to {last - 1}", name, f"{threshold:g}", *gains))
        show(
            rows,
            ("worlds", "standard errors", "changed", "in the true deal", "in other worlds"),
            title=f"{len(tried)} decisions of {decisions} in {self.deals} deals",
            caption="gain in points, of all decisions of a seat in a deal",
            first="tricks played",
        )

    def _decisions(self, random: np.random.Generator) -> tuple[Game, list[Any], int]:
        """The game, states at decisions of cards, and how many there were of which they were drawn."""
        env = VectorEnv(rules(self.net), self.deals, first_deal=self.deal)
        env.reset(seed=self.seed)
        game, states, player = env.game, env.states, NetAgent(self.net, temperature=1)
        states["deal_limit"] = states["deal_number"] + 1
        found, decisions = [], 0
        while (rows := np.flatnonzero(states["phase"] != Phase.OVER.value)).size:
            views, legal = np.empty(rows.size, STATE), np.zeros(rows.size, np.int64)
            take_views(states, game.tables, rows, views)
            count_legal(views, game.tables, legal)
            free = (legal > 1) & (views["phase"] == Phase.PLAY.value)
            decisions += int(free.sum())
            found += [states[row].copy() for row in rows[free & (random.random(rows.size) < self.share)]]
            actions = np.zeros(self.deals, np.int64)
            actions[rows] = player.act_batch(Views(game, views, check=False))
            step_all(states, game.tables, actions)
        return game, found, decisions

    def _try(self, game: Game, net: NetAgent, state: Any, random: np.random.Generator) -> Tried:
        views, true = np.empty(1, STATE), np.zeros(1, STATE)
        true[0] = state
        take_views(true, game.tables, np.zeros(1, np.int64), views)
        view = View(game, views[0], int(state["seat"]), check=False)
        drawn = [
            sample_worlds(view, self.candidates, int(random.integers(1 << 62)), policy=net.shares, epsilon=EXACT)
            for _ in range(2)
        ]
        by_weight = [
            copy_records(worlds.records, random.choice(self.candidates, self.worlds, p=worlds.weights))
            for worlds in drawn
        ]
        starts = np.concatenate([true, drawn[0].records[: self.worlds], *by_weight])
        starts["deal_limit"] = view.deal_number + 1
        options = np.array(view.legal_ids())
        (margins,) = try_actions(game, net, [starts], [options])
        default = int(np.flatnonzero(options == net.act(view))[0])
        sets = margins[1:].reshape(3, self.worlds, -1)
        return Tried(int(state["plies"]) // game.seats, default, margins[0], sets)

    def _gains(self, some: list[Tried], place: int, threshold: float, scale: float) -> list[str]:
        equal = np.full(self.worlds, 1 / self.worlds)
        gains, changed = np.zeros((2, len(some))), 0
        for row, one in enumerate(some):
            options = np.arange(len(one.truth))
            action = best_action(options, one.sets[place], equal, one.default, threshold)
            changed += action != one.default
            gains[0, row] = one.truth[one.default] - one.truth[action]
            gains[1, row] = (one.sets[2][:, one.default] - one.sets[2][:, action]).mean()
        return [f"{changed / len(some):.1%}", *(_mean(gain, scale * len(some)) for gain in gains)]


def _mean(values: NDArray[np.float64], scale: float = 1.0) -> str:
    return f"{scale * values.mean():+.2f} ± {scale * values.std(ddof=1) / len(values) ** 0.5:.2f}"


if __name__ == "__main__":
    tyro.extras.subcommand_cli_from_dict({"play": Play, "decisions": Decisions}, prog=Path(sys.argv[0]).name).run()
