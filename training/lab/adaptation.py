"""What a few deals of new rules are worth to a network for all rules: ``python training/lab/adaptation.py``.

Under each rule of a split the network is trained further by self-play on that rule alone, for so many deals, and scored
there as in `hearts benchmark`, on other deals. Differences to the network as it was are paired by rule.
"""

from __future__ import annotations

import math
import tempfile
from dataclasses import dataclass
from time import process_time

import numpy as np
import tyro

from hearts_env.benchmark.splits import split
from hearts_training.cli.command import progress
from hearts_training.evaluate.benchmark import RuleScore, Scorer
from hearts_training.evaluate.scores import summarize
from lab.trained import trained


@dataclass(frozen=True)
class Adaptation:
    """Train a network further on each rule of a split, and print its scores and the CPU time."""

    start: str = "hearts"
    """The network: a name, or a folder; random: weights that know nothing."""
    split: str = "V:16"
    """The split. V is for development, C a test."""
    deals: tuple[int, ...] = (64, 1024, 16384)
    """Numbers of deals."""
    tables: int = 64
    """Tables of a round."""
    learning_rate: float = 1e-4
    """At first; it falls to a tenth."""
    critic_first: float = 0.25
    """In this share of the deals only the critic learns, which starts from nothing."""
    seed: int = 0
    """Fixes deals and choices."""

    def run(self) -> None:
        """Do it."""
        places = range(len(split(self.split)))
        before: list[RuleScore] = []
        if self.start != "random":
            before = [self._score(f"net:{self.start}", place) for place in places]
            print(f"as it is: {_text(before)}", flush=True)
        for deals in self.deals:
            found, began = list[RuleScore](), process_time()
            with progress(f"{deals:,} deals", len(places)) as show:
                for place in places:
                    found.append(self._adapted(place, deals))
                    show(len(found))
            spent = (process_time() - began) / len(places)
            print(
                f"{deals:,} deals: {_text(found, before)}; {spent:.1f} s of CPU time a rule with the scoring",
                flush=True,
            )

    def _adapted(self, place: int, deals: int) -> RuleScore:
        """The score under a rule after some deals of it."""
        changes = {
            "num_envs": min(self.tables, deals),
            "learning_rate": self.learning_rate,
            "final_learning_rate": self.learning_rate / 10,
            "critic_first": self.critic_first,
            "imitation": 0.0,
            "opponent_games": 0.0,
        }
        options = {"start": None if self.start == "random" else self.start, "deals": deals, "seed": self.seed}
        with tempfile.NamedTemporaryFile("w", encoding="utf-8") as file:
            file.write(split(self.split)[place].rules)
            file.flush()
            games = {"variants": file.name, "open": True, "hyper_parameters": changes}
            with trained(lambda status: False, **games, **options) as result:
                return self._score(f"net:{result.folder}", place)

    def _score(self, agent: str, place: int) -> RuleScore:
        scorer = Scorer(agent, self.split, "rule")
        return scorer.score(scorer()(place))


def _text(found: list[RuleScore], before: list[RuleScore] | None = None) -> str:
    summary = summarize(found)
    text = f"{summary['score']:.3f} (mean {summary['mean']:.3f})"
    if not before:
        return text
    pairs = [(one.score, old.score) for one, old in zip(found, before, strict=True)]
    gains = np.array([new - old for new, old in pairs if new is not None and old is not None])
    return f"{text}, {gains.mean():+.3f} ± {gains.std(ddof=1) / math.sqrt(len(gains)):.3f} against what it was"


if __name__ == "__main__":
    tyro.cli(Adaptation).run()
