"""`hearts distil`: a policy trained on labelled decisions, or on games."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hearts_training.cli.command import Command, options_of, progress, resumable
from hearts_training.options import DistilOptions


@dataclass(frozen=True)
class Distil(DistilOptions, Command):
    """Train a policy on the decisions that hearts label wrote, or on the games that hearts record wrote.

    The policy learns to choose what the search values most, or what was played. net:FOLDER is the trained agent.
    Trained on data sets of one game, it plays that game; trained on those of different games, any rules;
    with --start a network is improved and plays what it played. The figure shown is the gain over random actions on
    files that are held out, in points a deal (of games: the share of decisions in which it plays as the data do, minus
    that of random actions); for several games, their mean in standard deviations of a deal's margin. Every pass over
    the data is saved: after Ctrl-C or SIGTERM the same command continues after the last one.

    Examples:
      hearts distil data/black_lady --out runs/distilled
      hearts distil data/black_lady data/gong_zhu data/likha --hidden 128 128 128 --out runs/labels
      hearts distil data/team --start partnership_hearts --start-temperature 8 --learning-rate 1e-4 --out runs/improved
      hearts distil data/people --held-out 1 --out runs/imitation
      hearts distil data/black_lady --out runs/small --hidden 256 256 --epochs 5
    """

    out: Path = Path("runs/distilled")
    """Folder of the policy."""

    def run(self) -> int:
        """Train, then print the figures."""
        from hearts_agents.weights import network_spec
        from hearts_training.data.distil import distil

        with resumable("after the last pass"), progress("distilling") as show:
            result = distil(
                options_of(DistilOptions, self),
                self.out,
                lambda fraction, gain: show(fraction, f"distilling, gain {gain:.3f}"),
            )
        gains = " ".join(f"{gain:.3f}" for gain in (result.before, *result.gains))
        print(
            f"{result.decisions:,} decisions in {result.seconds:.0f} s; gain over random actions before and after each "
            f"pass: {gains} ({result.best:.3f} for the choices in the data, whose values favour them). The agent is "
            f"{network_spec(result.folder)}"
        )
        return 0
