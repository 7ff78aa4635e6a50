"""`hearts benchmark`: how an agent plays rules that it has not been trained on."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import tyro

from hearts_training.cli.command import Command, check_writable, console, progress, results_table, write_json
from hearts_training.train.options import File, WorkerOptions

if TYPE_CHECKING:
    from rich.table import Table

    from hearts_training.evaluate.benchmark import RuleScore, Scorer


@dataclass(frozen=True)
class Benchmark(WorkerOptions, Command):
    """Score an agent over the rules of a split of the benchmark.

    The agent plays alone among copies of a reference. Its score under a rule is 0 if it does as random does there, 1 if
    it does as the reference does, and more if it is better. Deals are played until the standard error of every score is
    0.05. V, and P, the registered variants, are for development; B, C, D and E hold back values, pairs of values,
    mechanisms and numbers of players; train_0 to train_4 are training sets. hearts_env/benchmark/README.md describes
    them.

    Examples:
      hearts benchmark net:runs/all --split V
      hearts benchmark net:runs/all --split C --json scores.json --processes 2
      hearts benchmark shooter --split C --reference pimc --save scores.part
    """

    agent: Annotated[str, tyro.conf.Positional]
    """Spec of the agent."""
    split: str = "V"
    """The split."""
    reference: Literal["rule", "pimc"] = "rule"
    """Who holds the other seats: rule, or pimc(worlds=32), which takes hours."""
    json: File = None
    """Write JSON to this file; - writes it to standard output instead of the table."""
    save: File = None
    """Keep the rules that are finished in this file; the same command with the same file goes on from there."""

    def run(self) -> int:
        """Play what is missing, print the table and write the file."""
        from hearts_agents.workers import check_workers, spread
        from hearts_env.benchmark.splits import split
        from hearts_training.evaluate.benchmark import Scorer, check_benchmark, summarize
        from hearts_training.provenance import entry

        check_benchmark(self.split, self.reference)
        check_workers(self.who)
        check_writable(self.json)
        check_writable(self.save)
        scorer = Scorer(self.agent, self.split, self.reference)
        command = self._command(scorer)
        found = {} if self.save is None else _read(self.save, command)
        missing = [place for place in range(len(split(self.split))) if place not in found]
        size = len(found) + len(missing)
        try:
            work = spread(scorer, missing, self.who, (self.agent,))
            with progress(f"split {self.split}", size) as show, closing(work) as scores:
                for place, score in scores:
                    found[place] = score
                    show(len(found))
                    if self.save is not None:
                        _write(self.save, command, found)
        except KeyboardInterrupt:
            kept = "" if self.save is None else " and saved; the same command continues from here"
            raise KeyboardInterrupt(f"interrupted{kept}") from None
        rules = [found[place] for place in range(size)]
        summary = summarize(rules)
        if self.json is not None:
            data = command | summary | {"rules": [asdict(rule) for rule in rules]}
            write_json(self.json, data | {"run": [entry({"agent": self.agent, "split": self.split}, None)]})
        if str(self.json) != "-":
            console().print(_table(command, summary, rules))
        return 0

    def _command(self, scorer: Scorer) -> dict[str, Any]:
        """What must be equal for a file to be resumed."""
        from hearts_agents.registry import make_agent
        from hearts_env.benchmark.domain import VERSION

        agent = make_agent(scorer.agent)
        return {
            "benchmark": VERSION,
            "agent": agent.name,
            "digest": agent.digest,
            "split": scorer.split,
            "reference": scorer.reference,
        }


def _write(file: Path, command: dict[str, Any], found: dict[int, RuleScore]) -> None:
    from hearts_agents.files import UNSEALED, seal, write_file

    rules = {str(place): asdict(score) for place, score in sorted(found.items())}
    write_file(file, seal(json.dumps({"sha256": UNSEALED, "command": command, "rules": rules}, indent=1).encode()))


def _read(file: Path, command: dict[str, Any]) -> dict[int, RuleScore]:
    """What a file has kept. Raises ValueError, in one line, for one that is broken or of another command."""
    from hearts_agents.files import is_sealed, read_file
    from hearts_training.evaluate.benchmark import RuleScore

    if not file.is_file():
        return {}
    content = read_file(file)
    try:
        data = json.loads(content)
        kept = {int(place): RuleScore(**score) for place, score in data["rules"].items()}
        other = dict(data["command"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise ValueError(f"{file} is no save of hearts benchmark, or a broken one; name another file") from None
    if not is_sealed(content):
        raise ValueError(f"{file} is a broken save of hearts benchmark; name another file")
    for name, value in command.items():
        if other.get(name) != value:
            raise ValueError(
                f"{file} is of another command: there {name} is {other.get(name)}, here {value}; name another file"
            )
    return kept


def _table(command: dict[str, Any], summary: dict[str, Any], rules: list[RuleScore]) -> Table:
    """The score over all rules, and over those that hold back the same."""
    low, high = summary["score_ci"]
    scored = sum(rule.score is not None for rule in rules)
    table = results_table(
        title=f"{command['agent']} among {command['reference']}, split {command['split']}: {summary['score']:.3f} "
        f"[{low:.3f}, {high:.3f}]",
        caption=f"interquartile mean over {scored} rules with its 95% interval; mean {summary['mean']:.3f}, 20th "
        f"percentile {summary['p20']:.3f}, ahead of the reference in {summary['above']:.0%}; random 0, the reference 1",
        first="holds back",
    )
    for head in ("rules", "margin", "mean score", "lowest"):
        table.add_column(head, justify="right")
    for why in dict.fromkeys(rule.why for rule in rules):
        those = [rule for rule in rules if rule.why == why]
        scores = [rule.score for rule in those if rule.score is not None]
        margin = f"{those[0].margin:+.2f} ± {those[0].margin_se:.2f}" if len(those) == 1 else ""
        means = [f"{sum(scores) / len(scores):.3f}", f"{min(scores):.3f}"] if scores else ["", ""]
        table.add_row(why or "nothing", str(len(those)), margin, *means)
    return table
