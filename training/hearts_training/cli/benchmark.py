"""`hearts benchmark`: scores of an agent under rules that it has not been trained on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import tyro

from hearts_training.cli.command import Reporting, check_files, check_picture, progress, results_table
from hearts_training.options import UNSET, File, WorkerOptions

if TYPE_CHECKING:
    from rich.table import Table

    from hearts_training.evaluate.benchmark import RuleScore

Folder = Annotated[Path | None, UNSET, tyro.conf.arg(metavar="FOLDER")]
Folders = Annotated[tuple[Path, ...], UNSET, tyro.conf.arg(metavar="FOLDER [FOLDER ...]")]

DECLARED = ("method", "open", "met_reference", "training_hours")
"""Options that an entry states and nobody can check."""
OPTIONS = ("agent", "split", "reference", "told")
"""Options that decide about the results."""


@dataclass(frozen=True)
class Benchmark(WorkerOptions, Reporting):
    """Score an agent over the rules of a split of the benchmark.

    The agent plays alone among copies of a reference. Its score under a rule is 0 if it plays as well as random, 1 if
    it plays as well as the reference, and above 1 if it plays better. Deals are played until the standard error of
    every score is 0.05. V, and P, the registered variants, are for development; B, C, D and E hold back values, pairs
    of values, mechanisms and numbers of players; matches are played to their ends and scored by the share of wins;
    train_0 to train_4 are training sets, A the first rule of each. C:16 are 16 rules of C. docs/benchmark.md describes
    all of it.

    Examples:
      hearts benchmark net:runs/all --split V
      hearts benchmark net:runs/all --split C --out runs/all-C --processes 2
      hearts benchmark net:hearts --split C --told next
      hearts benchmark net:runs/all --split C:32 --reference net:runs/other
      hearts benchmark --check runs/all-C
      hearts benchmark --compare runs/all-C runs/other-C --plot profiles.png
      hearts benchmark --seeds runs/seed0-C runs/seed1-C runs/seed2-C
    """

    agent: Annotated[str, tyro.conf.Positional] = ""
    """Spec of the agent."""
    split: str = "V"
    """The split."""
    reference: str = "rule"
    """Agent in the other seats: rule; pimc, which is pimc(worlds=32) and takes hours; or the spec of any agent,
    which then defines a score of 1 in place of rule."""
    told: Literal["rules", "nothing", "next"] = "rules"
    """Rules given to a network for all rules: those that are played, nothing of them, or, under each rule, those of the
    next one of the split."""
    most_error: float = 0.05
    """Deals are played until the standard error of the score under each rule is at most this, 20,000 deals at most. In
    the entries of the published tables it is 0.05."""
    out: Folder = None
    """Keep the entry in this folder: what was played, and entry.json. The same command goes on from there."""
    plot: File = None
    """Draw the share of the rules above every score to this file, .png or .svg."""
    method: str = ""
    """One line on how the agent was made; kept in the entry."""
    open: bool = False
    """Say in the entry that the agent may have been trained on rules of the tests."""
    met_reference: bool = False
    """Say in the entry that the reference was the agent's teacher or an opponent in its training, or plays its
    rollouts."""
    training_hours: float = 0.0
    """CPU hours of everything that made the agent; kept in the entry."""
    check: Folder = None
    """Compute all results of an entry again, and play the first deals of some of its rules again."""
    again: int = 3
    """Number of rules that --check plays again."""
    compare: Folders = ()
    """Two entries: the difference of the first and the second, paired deal by deal."""
    seeds: Folders = ()
    """Entries of several trainings of one method: their score, with an interval that covers trainings."""

    def run(self) -> int:
        """Do what is requested: play what is missing, or read entries."""
        given = {
            "an agent": bool(self.agent),
            "--check": self.check is not None,
            "--compare": bool(self.compare),
            "--seeds": bool(self.seeds),
        }
        if sum(given.values()) != 1:
            raise ValueError(f"give one of {', '.join(given)}")
        if self.compare and len(self.compare) != 2:
            raise ValueError(f"--compare takes two folders, not {len(self.compare)}")
        if self.seeds and len(self.seeds) < 2:
            raise ValueError("--seeds takes two folders or more")
        if self.check is not None and self.plot is not None:
            raise ValueError("--check draws nothing; leave --plot out")
        if not self.agent and self.out is not None:
            raise ValueError("--out is for an agent that is played; leave it out")
        if self.again < 0:
            raise ValueError(f"again={self.again} must be 0 or more")
        check_files({"--json": self.json, "--plot": self.plot})
        check_picture(self.plot)
        if self.check is not None:
            return self._check(self.check)
        if self.compare:
            return self._compare()
        return self._pool() if self.seeds else self._play()

    def _play(self) -> int:
        from hearts_agents.workers import check_workers, spread
        from hearts_env.benchmark.splits import split
        from hearts_env.checks import number
        from hearts_training.data.entry import EntryFolder, check_free, command_of, scores_of
        from hearts_training.data.folder import remove_drafts
        from hearts_training.evaluate.benchmark import Scorer, check_benchmark
        from hearts_training.folders import hold, make_folder
        from hearts_training.provenance import entry

        check_benchmark(self.split, self.reference)
        if number("training_hours", self.training_hours) < 0:
            raise ValueError(f"training_hours={self.training_hours} must be 0 or more")
        if not number("most_error", self.most_error) > 0:
            raise ValueError(f"most_error={self.most_error} must be above 0")
        check_workers(self.who)
        scorer = Scorer(self.agent, self.split, self.reference, self.told, self.most_error)
        command = command_of(scorer)
        if self.told != "rules":
            scorer.player(0)
        with ExitStack() as stack:
            if self.out is not None:
                check_free(self.out)
                make_folder(self.out)
                stack.enter_context(hold(self.out))
                remove_drafts(self.out)
            kept = EntryFolder(self.out, command)
            size = len(split(self.split))
            missing = [place for place in range(size) if place not in kept.played]
            made = entry({name: command[name] for name in OPTIONS}, None, (self.agent, scorer.reference_spec))
            self._report_unread(missing)
            try:
                work = spread(scorer, missing, self.who, (self.agent, scorer.reference_spec))
                with progress(f"split {self.split}", size) as show, closing(work) as plays:
                    for play in plays:
                        kept.add(play, made)
                        show(len(kept.played))
            except KeyboardInterrupt:
                saved = "" if self.out is None else " and saved; the same command continues from here"
                raise KeyboardInterrupt(f"interrupted{saved}") from None
            data = kept.finish({name: getattr(self, name) for name in DECLARED})
        scores = scores_of(command, kept.played)
        self._show(data, _table(_name(data), data, scores), {_name(data): [scores]})
        return 0

    def _report_unread(self, places: Sequence[int]) -> None:
        from hearts_agents.base import report_unread
        from hearts_agents.registry import make_agent
        from hearts_env.benchmark.splits import split
        from hearts_env.compiled.game import compile_game
        from hearts_env.variants.registry import rules as read_rules

        player, lines = make_agent(self.agent), split(self.split)
        for place in places if self.told == "rules" else ():
            report_unread([player], compile_game(read_rules(lines[place].rules)))

    def _check(self, folder: Path) -> int:
        from hearts_training.data.entry import check_entry

        deals = check_entry(folder, self.again)
        text = f"{folder}: all results were computed again and agree; {deals} deals were played again"
        self._show({"folder": folder.name, "deals_again": deals}, text)
        return 0

    def _compare(self) -> int:
        from hearts_training.data.entry import scores_of
        from hearts_training.evaluate.scores import compare

        names, sides = [], []
        for data, kept in _entries(self.compare):
            names.append(_name(data))
            scores = scores_of(kept.command, kept.played)
            sides.append([(score, kept.played[place].agent) for place, score in enumerate(scores)])
        found = compare(*sides)
        low, high = found["difference_ci"]
        mean_low, mean_high = found["mean_ci"]
        text = (
            f"{names[0]} minus {names[1]}: {found['difference']:+.3f} [{low:+.3f}, {high:+.3f}] (interquartile means; "
            f"over rules and deals)\nmean of the differences {found['mean']:+.3f} [{mean_low:+.3f}, {mean_high:+.3f}], "
            f"± {found['mean_se']:.3f} over deals alone; ahead in {found['above']:.0%} of {len(found['rules'])} rules"
        )
        profiles = {name: [[score for score, _ in side]] for name, side in zip(names, sides, strict=True)}
        self._show({"entries": names} | found, text, profiles)
        return 0

    def _pool(self) -> int:
        from hearts_training.data.entry import scores_of
        from hearts_training.evaluate.scores import summarize

        loaded = _entries(self.seeds)
        if len({one["told"] for one, _ in loaded}) > 1:
            raise ValueError("the entries differ in --told; name trainings of one method")
        if len({one["margins_sha256"] for one, _ in loaded}) < len(loaded):
            raise ValueError("two of the entries are of one training; name each training once")
        trainings = [scores_of(kept.command, kept.played) for _, kept in loaded]
        data = {"entries": [_name(one) for one, _ in loaded], "scores": [one["score"] for one, _ in loaded]}
        data |= summarize(*trainings)
        joined = [score for one in trainings for score in one]
        self._show(data, _table(f"{len(trainings)} trainings", data, joined), {"trainings": trainings})
        return 0

    def _show(
        self,
        data: dict[str, Any],
        content: Table | str,
        profiles: Mapping[str, Sequence[Sequence[RuleScore]]] | None = None,
    ) -> None:
        self.report(data, content)
        if self.plot is not None:
            from hearts_agents.files import write_file
            from hearts_training.evaluate.scores import draw_profiles

            write_file(self.plot, draw_profiles(profiles or {}, self.plot.suffix[1:]))


def _name(data: dict[str, Any]) -> str:
    suffix = {"rules": "", "nothing": ", told nothing", "next": ", told the next rules"}[data["told"]]
    return f"{data['agent']}{suffix} among {data['reference']}, split {data['split']}"


def _entries(folders: Sequence[Path]) -> list[Any]:
    """The entries in some folders. Raises ValueError if different agents held the other seats."""
    from hearts_training.data.entry import load_entry

    for folder in folders:
        if [other.resolve() for other in folders].count(folder.resolve()) > 1:
            raise ValueError(f"{folder} is named twice; name each entry once")
    loaded = [load_entry(folder) for folder in folders]
    if len({(data["reference"], data.get("reference_digest")) for data, _ in loaded}) > 1:
        raise ValueError("the entries were played among different agents; name entries of one reference")
    return loaded


def _table(name: str, summary: dict[str, Any], rules: Sequence[RuleScore]) -> Table:
    """The score over all rules, and over those that hold back the same."""
    low, high = summary["score_ci"]
    scored = len({rule.digest for rule in rules if rule.score is not None})
    rows = []
    for why in dict.fromkeys(rule.why for rule in rules):
        those = [rule for rule in rules if rule.why == why]
        scores = [rule.score for rule in those if rule.score is not None]
        margin = f"{those[0].margin:+.2f} ± {those[0].margin_se:.2f}" if len(those) == 1 else ""
        means = [f"{sum(scores) / len(scores):.3f}", f"{min(scores):.3f}"] if scores else ["", ""]
        rows.append((why or "nothing", str(len(those)), margin, *means))
    return results_table(
        ("rules", "margin", "mean score", "lowest"),
        rows,
        title=f"{name}: {summary['score']:.3f} [{low:.3f}, {high:.3f}]",
        caption=f"interquartile mean over {scored} rules with its 95% interval. {summary['covers']} Mean "
        f"{summary['mean']:.3f}, 20th percentile {summary['p20']:.3f} (moved {summary['p20_bias']:+.3f} by the noise "
        f"of deals), ahead of the reference in {summary['above']:.0%}; random 0, the reference 1",
        first="holds back",
    )
