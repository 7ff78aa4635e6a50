"""What a network for all rules knows of games that it was kept from: some are left out of a mix in turn.

    python training/lab/left_out.py train    # the trainings that are missing, each some 15 minutes of a core
    python training/lab/left_out.py table    # of all that are there

The mix has the registered variants and draws of `hearts_env.sample_rules`. Each network learns from it without one
group of rules, sees as many deals as the others, and is scored under rules of that group; so is a network that was kept
from none. Of five players and of teams, those rules are in splits E and D, which no training draws from. The scores
stand in ``docs/benchmark/left_out.jsonl``; nothing else of a training is kept.
"""

from __future__ import annotations

import math
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from pathlib import Path
from time import process_time
from typing import Annotated, Any, NamedTuple

import numpy as np
import tyro

from hearts_agents.arena.tables import TimedAgent
from hearts_agents.registry import make_agent
from hearts_env.benchmark.digest import rules_digest
from hearts_env.benchmark.domain import of_deals
from hearts_env.benchmark.splits import SplitRule, held_out, split
from hearts_env.ruleset.model import Rules
from hearts_env.variants.registry import VARIANTS
from hearts_env.variants.registry import rules as read_rules
from hearts_env.variants.sample import sample_rules
from hearts_training.evaluate.benchmark import score_rule
from hearts_training.evaluate.sides import Played, Sides
from hearts_training.provenance import entry
from lab.results import add_lines, read_lines, show
from lab.trained import trained

LINES = Path(__file__).parents[2] / "docs" / "benchmark" / "left_out.jsonl"
DRAWS = 94
"""Sampled rules of the mix."""
DEALS = 240_000
CHUNKS = 16
"""Chunks of deals under the rules of a group; under each of many, `LEAST`."""
LEAST = 2
SETTINGS: dict[str, Any] = {"epochs": 1}
TESTS = ("P", "D", "E")
SEED = 0


class Group(NamedTuple):
    """Rules that a network is kept from.

    Attributes:
        has: whether some rules are in it.
        whys: the reasons for which lines of `TESTS` are in a split; under the rules of these it is scored.
    """

    has: Callable[[Rules], bool]
    whys: tuple[str, ...]

    def tests(self) -> list[SplitRule]:
        """The lines under whose rules it is scored."""
        return [line for name in TESTS for line in split(name) if line.why in self.whys]


def plays(name: str, rules: Rules) -> bool:
    """Whether some rules play the deals of a variant."""
    return rules_digest(of_deals(rules)) == rules_digest(of_deals(read_rules(name)))


GROUPS = {
    "five players": Group(lambda rules: rules.players == 5, ("5 players",)),
    "team games": Group(lambda rules: bool(rules.flat()["table.teams"]), ("partnership_hearts", "likha", "teams")),
    "rickety_kate": Group(partial(plays, "rickety_kate"), ("rickety_kate",)),
    "gong_zhu": Group(partial(plays, "gong_zhu"), ("gong_zhu",)),
}
NONE = "none"


def the_mix(left_out: str) -> list[str]:
    """The texts of the rules that a network learns from."""
    rules = [read_rules(name) for name in VARIANTS]
    drawn = (sample_rules(seed) for seed in range(DRAWS))
    rules += [one for one in drawn if rules_digest(of_deals(one)) not in held_out()]
    has = GROUPS[left_out].has if left_out != NONE else None
    return [str(one) for one in rules if has is None or not has(one)]


def learn(left_out: str) -> dict[str, Any]:
    """Train a network and score it under the rules that it was kept from, or all groups of them; its line."""
    texts, began = the_mix(left_out), process_time()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "mix.txt")
        file.write_text("\n".join(texts), "utf-8")
        options: dict[str, Any] = {"variants": str(file), "open": True, "deals": DEALS, "seed": SEED}
        with trained(hyper_parameters=SETTINGS, **options) as result:
            minutes = (process_time() - began) / 60
            agent = TimedAgent(make_agent(f"net:{result.folder}"))
            scored = GROUPS if left_out == NONE else {left_out: GROUPS[left_out]}
            scores = {name: _scores(agent, group.tests()) for name, group in scored.items()}
    return {
        "left_out": left_out,
        "rules": len(texts),
        "cpu_minutes": round(minutes, 2),
        "decisions": result.decisions,
        "scores": scores,
        "run": entry({"settings": SETTINGS, "deals": DEALS}, SEED),
    }


def _scores(agent: TimedAgent, lines: Sequence[SplitRule]) -> list[tuple[str, float, float]]:
    """Digest, score and standard error of each of some rules."""
    rule, chunks, found = make_agent("rule"), range(max(LEAST, CHUNKS // len(lines))), []
    for line in lines:
        sides = Sides.of(read_rules(line.rules))
        one = score_rule(line, reduce(Played.and_then, (sides.play(agent, rule, chunk) for chunk in chunks)))
        if one.score is None or one.error is None:
            raise ValueError(f"{line.rules}: rule is not clearly ahead of random")
        found.append((line.digest, round(one.score, 4), round(one.error, 4)))
    return found


@dataclass(frozen=True)
class Train:
    """Train and score what is missing."""

    left_out: Annotated[tuple[str, ...], tyro.conf.Positional] = (NONE, *GROUPS)
    """What is left out of the mix of each training; ``none`` is the one that all others are compared with."""

    def run(self) -> None:
        """Do it; a line is written when its network has been scored."""
        for name in self.left_out:
            if not any(line["left_out"] == name for line in read_lines(LINES)):
                add_lines(LINES, learn(name))


HEADS = ("rules", "minutes", "trained without them", "trained on the full mix", "difference")


def rows() -> list[list[str]]:
    """Of every group: its name, how many rules networks are scored under, minutes of CPU time, the mean score of the
    network that was trained without the group and of the one that was trained on all, and the difference.
    """
    lines = {line["left_out"]: line for line in read_lines(LINES)}
    found = []
    for name in GROUPS:
        if name in lines and NONE in lines:
            kept, none = (np.array([one[1:] for one in lines[each]["scores"][name]]) for each in (name, NONE))
            means = [f"{scores[:, 0].mean():.3f} ± {_error(scores):.3f}" for scores in (kept, none)]
            change = f"{(kept - none)[:, 0].mean():+.3f} ± {math.hypot(_error(kept), _error(none)):.3f}"
            found.append([name, str(len(kept)), f"{lines[name]['cpu_minutes']:.0f}", *means, change])
    return found


def _error(scores: np.ndarray[Any, np.dtype[np.float64]]) -> float:
    """The standard error of the mean over these rules, by deals."""
    return float(np.sqrt((scores[:, 1] ** 2).sum()) / len(scores))


@dataclass(frozen=True)
class Table:
    """Print the table."""

    def run(self) -> None:
        """Do it."""
        show(rows(), HEADS, title="Left out of the mix", caption="scores; ± is over deals", first="group")


if __name__ == "__main__":
    tyro.extras.subcommand_cli_from_dict({"train": Train, "table": Table}, prog=Path(sys.argv[0]).name).run()
