"""How well a network plays rules it has not seen, by the number of rules it learned from and by what it is told.

    python training/lab/generalization.py train 0 1      # the trainings of chains 0 and 1, those that are missing
    python training/lab/generalization.py picture        # docs/generalization.png, of all that are there

The first 1, 4, 16, 64 and 256 rules of each chain of the benchmark are learned from twice: by a network that is told
the rules, and by one that is told nothing of them. All see as many deals, in rounds of as many tables; nobody imitates
or meets the reference. Each is scored on split C, and on the first rule of its chain, which all have seen. A training
takes 5 to 14 minutes of a core, its line stands in ``docs/benchmark/generalization``, and nothing else of it is kept.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from time import process_time
from typing import Annotated, Any

import numpy as np
import tyro
from matplotlib.figure import Figure

from hearts_agents.arena.pictures import written
from hearts_agents.files import write_file
from hearts_env.benchmark import splits as benchmark
from hearts_env.benchmark.splits import CHAINS, SIZES, TRAINING
from hearts_training.data.entry import command_of, results_of
from hearts_training.evaluate.benchmark import RuleScore, Scorer
from hearts_training.evaluate.scores import summarize
from hearts_training.provenance import entry
from lab.results import add_lines, read_lines
from lab.trained import trained

LINES = Path(__file__).parents[2] / "docs" / "benchmark" / "generalization"
PICTURE = LINES.parents[1] / "generalization.png"
DEALS = 320_000
"""About 20 million decisions."""
TABLES = 4096
"""Of a round, in at most 16 games."""
SETTINGS: dict[str, Any] = {"imitation": 0.0, "opponent_games": 0.0, "epochs": 1}
TOLD = ("rules", "nothing")
HEADLINE = "C"


def _file(chain: int) -> Path:
    return LINES / f"chain_{chain}.jsonl"


def _known(chain: int) -> list[dict[str, Any]]:
    return read_lines(_file(chain))


def learn(chain: int, size: int, told: str) -> dict[str, Any]:
    """Train and score one network; its line. `told` is one of `TOLD`."""
    settings = SETTINGS | {"num_envs": TABLES // min(size, 16), "told": told if told == "nothing" else ""}
    rules, began = TRAINING[chain], process_time()
    with trained(variants=f"{rules}:{size}", seed=chain, hyper_parameters=settings, deals=DEALS) as result:
        seconds = process_time() - began
        agent = f"net:{result.folder}"
        (digest, headline), (_, seen) = (_scores(agent, split, told) for split in (HEADLINE, f"{rules}:1"))
    return {
        "chain": chain,
        "rules": size,
        "told": told,
        "seed": chain,
        "deals": result.deals,
        "decisions": result.decisions,
        "cpu_minutes": round(seconds / 60, 2),
        "digest": digest,
        "seen": seen["score"],
        "margins_sha256": headline["margins_sha256"],
        "scores": [[one["digest"], round(one["score"], 4), round(one["error"], 4)] for one in headline["rules"]],
        "run": entry({"settings": settings}, chain),
    }


def _scores(agent: str, split: str, told: str) -> tuple[str, dict[str, Any]]:
    """The digest of an agent's weights, and what it does in a split."""
    scorer = Scorer(agent, split, "rule", told)
    command, play = command_of(scorer), scorer()
    return command["digest"], results_of(command, {place: play(place) for place in range(len(benchmark.split(split)))})


def keep(chain: int, size: int, told: str) -> None:
    """Train and score one network as `learn` does, and write its line, unless it is there."""
    if any((one["rules"], one["told"]) == (size, told) for one in _known(chain)):
        return
    found = learn(chain, size, told)
    add_lines(_file(chain), found)
    score = Pooled(size, told, [found]).summary["score"]
    print(f"{TRAINING[chain]}:{size}, told {told}: {score:.3f} on {HEADLINE}", flush=True)


def train(chains: Annotated[tuple[int, ...], tyro.conf.Positional] = tuple(range(CHAINS))) -> None:
    """Train and score what is missing of some chains; a line is written when its network has been scored."""
    for chain, size, told in product(chains, SIZES, TOLD):
        keep(chain, size, told)


@dataclass(frozen=True)
class Pooled:
    """Trainings on as many rules, told the same: one of each chain.

    Attributes:
        rules: how many they learned from.
        told: ``rules`` or ``nothing``.
        lines: of the trainings.
        summary: `summarize` of their scores.
    """

    rules: int
    told: str
    lines: list[dict[str, Any]]

    @property
    def summary(self) -> dict[str, Any]:
        """`summarize` of their scores on the headline split."""
        return summarize(*([_score(*one) for one in line["scores"]] for line in self.lines))

    @property
    def seen(self) -> float:
        """The mean score on the rule that all of a chain have seen."""
        return float(np.mean([line["seen"] for line in self.lines]))


def pooled() -> list[Pooled]:
    """The trainings that are there."""
    lines = [line for chain in range(CHAINS) for line in _known(chain)]
    keys = [(size, told) for told in TOLD for size in SIZES]
    those = [[line for line in lines if (line["rules"], line["told"]) == key] for key in keys]
    return [Pooled(*key, found) for key, found in zip(keys, those, strict=True) if found]


def worth() -> str:
    """What receiving the rules is worth: the difference of two trainings on the same rules of a chain."""
    scores = {
        (chain, line["rules"], line["told"]): Pooled(line["rules"], line["told"], [line]).summary["score"]
        for chain in range(CHAINS)
        for line in _known(chain)
    }
    pairs = [(chain, size) for chain, size, told in scores if told == TOLD[1] and (chain, size, TOLD[0]) in scores]
    gains = {pair: scores[*pair, TOLD[0]] - scores[*pair, TOLD[1]] for pair in pairs}
    several = [gain for (_, size), gain in gains.items() if size in SIZES[1:]]
    return (
        f"With {SIZES[1]} rules of a chain or more, the network that receives them is ahead of the other in "
        f"{sum(gain > 0 for gain in several)} of {len(several)} pairs, by "
        f"{_mean(gains, SIZES[1:])} (over {len(dict(pairs))} chains). With one rule the difference is "
        f"{_mean(gains, SIZES[:1])}; that input never varies then."
    )


def _mean(gains: Mapping[tuple[int, int], float], sizes: Sequence[int]) -> str:
    """The mean gain over chains, each the mean over some sizes, with its standard error."""
    known = {pair: gain for pair, gain in gains.items() if pair[1] in sizes}
    chains = [
        np.mean([gain for (one, _), gain in known.items() if one == chain]) for chain in {one for one, _ in known}
    ]
    return f"{np.mean(chains):.3f} ± {np.std(chains, ddof=1) / np.sqrt(len(chains)):.3f}"


def _score(digest: str, score: float, error: float) -> RuleScore:
    return RuleScore(digest, "", "", score, error, margin=0.0, margin_se=0.0, random=0.0, deals=0)


def picture(out: Path = PICTURE) -> None:
    """Draw the score on C by the number of rules, and print the numbers."""
    figure = Figure(figsize=(6.4, 3.8), layout="constrained")
    axes = figure.subplots()
    for told, label, colour in zip(TOLD, ("with the rules", "without"), ("C0", "C1"), strict=True):
        found = [one for one in pooled() if one.told == told]
        scores = [one.summary for one in found]
        low, high = zip(*(one["score_ci"] for one in scores), strict=True)
        sizes = [one.rules for one in found]
        axes.plot(sizes, [one["score"] for one in scores], "o-", color=colour, label=f"{label}, unseen rules (C)")
        axes.fill_between(sizes, low, high, color=colour, alpha=0.2, linewidth=0)
        axes.plot(sizes, [one.seen for one in found], ":", color=colour, label=f"{label}, a rule all have seen")
        for one, summary in zip(found, scores, strict=True):
            ends = " to ".join(f"{end:.3f}" for end in summary["score_ci"])
            print(f"{one.rules:4} {told:8} {len(one.lines)} {summary['score']:.3f} {ends} {one.seen:.3f}")
    print(worth())
    axes.set_xscale("log", base=4)
    axes.set_xticks(SIZES, [str(size) for size in SIZES])
    axes.axhline(1, color="grey", linewidth=0.8)
    axes.set_xlabel("rules learned from")
    axes.set_ylabel("score (random 0, rule 1)")
    axes.set_ylim(0.5, 1.1)  # the interval of two trainings is wider than any picture
    axes.legend(fontsize="small")
    write_file(out, written(figure, "png"))


if __name__ == "__main__":
    tyro.extras.subcommand_cli_from_dict({"train": train, "picture": picture}, prog=Path(sys.argv[0]).name)
