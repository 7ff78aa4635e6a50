"""What changes to learning are worth, at equal CPU time, over several seeds.

    python training/lab/learning.py train                      # what is missing of docs/learning/black_lady.jsonl
    python training/lab/learning.py train league --minutes 20  # one idea, longer
    python training/lab/learning.py table                      # of all that is there

Every idea is some options of `hearts train`. Those of `NAMED` are trained only where they are named: ``layers from
rules`` is a network for all rules in one game, from random weights, and ``from net:hearts`` goes on from the one that
comes with the suite. A network is measured alone among copies of each opponent, always on the same deals, with its most
probable actions and, among some, with sampled ones; nothing else of it is kept. Ideas are compared with ``plain`` seed
by seed, and intervals are over seeds, since two trainings of one kind differ by more than their deals can show.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any
from unittest.mock import patch

import numpy as np
import tyro

from hearts_agents.arena import AgentResult, run_arena
from hearts_agents.base import Agent
from hearts_agents.neural import NetAgent
from hearts_agents.weights import shipped
from hearts_training.provenance import entry
from hearts_training.train import start
from hearts_training.train.ppo import PPO
from lab.results import add_lines, read_lines, show
from lab.selves import BothNetworks, League, TwoNetworks
from lab.trained import trained

LINES = Path(__file__).parents[2] / "docs" / "learning"
ARENA_SEED = 2027
PLAIN = "plain"
SAMPLED_AMONG = "rule", "net:hearts"
"""Among whom a network is also measured with actions that are sampled, as in training."""
NAMED: dict[str, dict[str, Any]] = {"layers from rules": {}, "from net:hearts": {"start": "hearts"}}
MANY: dict[str, Any] = {"opponents": ("rule", "shooter", "guard"), "opponent_games": 0.4}
IDEAS: dict[str, dict[str, Any]] = {
    PLAIN: {},
    "entropy": {"final_entropy": 0.05},
    "average": {"average": 0.05},
    "one epoch": {"epochs": 1, "learning_rate": 1e-3},
    "three opponents": MANY,
    "search among them": {**MANY, "opponents": ("rule", "shooter", "guard", "pimc(worlds=8)")},
    "no opponents": {"opponent_games": 0.0},
    "league": {"opponents": ("rule",) * 8, "opponent_games": 0.4},
    "two networks": {},
}
"""Idea -> its hyper-parameters, from random weights."""
LEARNERS = {"league": League, "two networks": TwoNetworks}
"""Those that are learned otherwise: among past selves, or by a network of its own for the pass and the first tricks."""


def options_of(idea: str, variant: str) -> dict[str, Any]:
    """The options of `hearts train` for an idea."""
    if idea in NAMED:
        return {"variants": variant, "open": True, "hyper_parameters": {"num_envs": 1024}, **NAMED[idea]}
    return {"hyper_parameters": IDEAS[idea]}


Line = dict[str, Any]


def opponents(variant: str) -> list[str]:
    """Whom networks are measured among."""
    return ["rule", "guard", "shooter", *(f"net:{name}" for name in (variant, "hearts") if name in shipped())]


def known(variant: str) -> list[Line]:
    """The lines of a game."""
    return read_lines(LINES / f"{variant}.jsonl")


@dataclass(frozen=True)
class Train:
    """Train and measure what is missing; a line is written when its network has been measured."""

    ideas: Annotated[tuple[str, ...], tyro.conf.Positional] = tuple(IDEAS)
    """The ideas, in turns."""
    variant: str = "black_lady"
    """The game."""
    minutes: float = 5.0
    """CPU time of a training, on one thread."""
    seeds: tuple[int, ...] = (0, 1, 2)
    """Seeds of the trainings."""
    deals: int = 1000
    """Deals with each opponent, in every seating."""

    def run(self) -> None:
        """Do it. Raises SystemExit for an idea that there is not."""
        unknown = [idea for idea in self.ideas if idea not in (*IDEAS, *NAMED)]
        if unknown:
            raise SystemExit(f"there is no idea {unknown[0]!r} (known: {', '.join((*IDEAS, *NAMED))})")
        for idea, seed in self._missing():
            line = self._learn(idea, seed)
            add_lines(LINES / f"{self.variant}.jsonl", line)
            print(f"{idea}, seed {seed}: {line['margins']}", flush=True)

    def _missing(self) -> Iterator[tuple[str, int]]:
        for seed in self.seeds:
            for idea in self.ideas:
                there = {(one["idea"], one["seed"], one["minutes"]) for one in known(self.variant)}
                if (idea, seed, self.minutes) not in there:
                    yield idea, seed

    def _learn(self, idea: str, seed: int) -> Line:
        """Train and measure one network; its line."""
        options = options_of(idea, self.variant) | {"minutes": self.minutes, "cpu_time": True}
        learner = LEARNERS.get(idea, PPO)
        network = BothNetworks if learner is TwoNetworks else NetAgent
        with patch.object(start, "PPO", learner), trained(variant=self.variant, seed=seed, **options) as result:
            tables = {one: self._alone(network(result.folder), one) for one in opponents(self.variant)}
            sampled = {one: self._alone(network(result.folder, 1.0), one) for one in SAMPLED_AMONG}
        return {
            "idea": idea,
            "seed": seed,
            "minutes": self.minutes,
            "deals": result.deals,
            "margins": _rounded(tables),
            "sampled": _rounded(sampled),
            "conceded": {one: round(own.moons_conceded, 4) for one, own in tables.items()},
            "run": entry(options | {"variant": self.variant, "arena_deals": self.deals}, seed),
        }

    def _alone(self, network: Agent, opponent: str) -> AgentResult:
        """How a network does alone among copies of an opponent."""
        return run_arena([network, opponent], self.variant, self.deals, seed=ARENA_SEED).agents[0]


def _rounded(tables: Mapping[str, AgentResult]) -> dict[str, list[float]]:
    """Margin and standard error among each opponent."""
    return {one: [round(own.margin, 3), round(own.margin_se, 3)] for one, own in tables.items()}


@dataclass(frozen=True)
class Row:
    """Trainings of one idea and length.

    Attributes:
        idea, minutes: of the trainings.
        lines: one a seed.
        plain: of the same seeds and length, without the idea.
    """

    idea: str
    minutes: float
    lines: list[Line]
    plain: list[Line]

    def cells(self, opponents: Sequence[str]) -> list[str]:
        """Idea, minutes, seeds, deals, the margin among each opponent (of an idea its difference from ``plain``), the
        same with sampled actions among those of `SAMPLED_AMONG`, and moons conceded to ``shooter``.
        """
        deals = np.mean([line["deals"] for line in self.lines])
        conceded = np.mean([line["conceded"]["shooter"] for line in self.lines])
        return [
            self.idea,
            f"{self.minutes:g}",
            str(len(self.lines)),
            f"{deals:,.0f}",
            *(self._margin("margins", one) for one in opponents),
            *(self._margin("sampled", one) for one in SAMPLED_AMONG),
            f"{conceded:.1%}",
        ]

    def _margin(self, kind: str, opponent: str) -> str:
        """The mean over seeds; of an idea its difference from ``plain``, paired by seed."""
        own, plain = (
            {line["seed"]: line[kind][opponent][0] for line in lines if opponent in line[kind]}
            for lines in (self.lines, self.plain)
        )
        if self.idea == PLAIN:
            return _text(np.array([*own.values()]), ".2f")
        return _text(np.array([own[seed] - plain[seed] for seed in own if seed in plain]), "+.2f")


def heads(opponents: Sequence[str], name: Callable[[str], str] = str) -> list[str]:
    """What stands above the cells of a row; `name` is applied to the names of agents."""
    among = [f"among {name(one)}" for one in opponents] + [f"sampled, among {name(one)}" for one in SAMPLED_AMONG]
    return ["idea", "minutes", "seeds", "deals", *among, f"moons conceded to {name('shooter')}"]


def _text(values: Any, form: str) -> str:
    if not len(values):
        return ""
    error = f" ± {values.std(ddof=1) / len(values) ** 0.5:.2f}" if len(values) > 1 else ""
    return f"{values.mean():{form}}{error}"


def rows(variant: str) -> list[Row]:
    """All trainings of a game that are there, the shortest first."""
    lines = known(variant)
    keys = dict.fromkeys((line["minutes"], line["idea"]) for line in lines)
    found = []
    for minutes, idea in sorted(keys, key=lambda key: (key[0], key[1] != PLAIN)):
        those = [line for line in lines if line["minutes"] == minutes]
        own, plain = ([line for line in those if line["idea"] == name] for name in (idea, PLAIN))
        found.append(Row(idea, minutes, own, plain))
    return found


def opponents_met(variant: str) -> list[str]:
    """Whom the networks of a game have been measured among."""
    return list(dict.fromkeys(one for line in known(variant) for one in line["margins"]))


@dataclass(frozen=True)
class Show:
    """Print the table of a game."""

    variant: Annotated[str, tyro.conf.Positional] = "black_lady"
    """The game."""

    def run(self) -> None:
        """Do it."""
        found, met = rows(self.variant), opponents_met(self.variant)
        first, *others = heads(met)
        caption = f"differences from {PLAIN}; negative is better"
        show([row.cells(met) for row in found], others, title=self.variant, caption=caption, first=first)


if __name__ == "__main__":
    tyro.extras.subcommand_cli_from_dict({"train": Train, "table": Show}, prog=Path(sys.argv[0]).name).run()
