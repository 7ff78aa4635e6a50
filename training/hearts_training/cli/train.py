"""`hearts train`: train a network on a variant by self-play."""

from __future__ import annotations

import dataclasses
import re
import shlex
import sys
from dataclasses import dataclass
from typing import Annotated, Any

import tyro

from hearts_env.ruleset.syntax import split
from hearts_training.cli.command import Command, console, options_of, waiting
from hearts_training.interrupt import interrupts
from hearts_training.options import UNSET
from hearts_training.train.options import TrainOptions


@dataclass(frozen=True)
class Train(TrainOptions, Command):
    """Train a network by self-play.

    One network passes and plays in all seats and learns from all of them (PPO with masked actions), from random
    weights; --start goes on from a network, and --variants trains one for many games. The run writes checkpoints,
    TensorBoard files, a learning curve and result.json to its folder; net:FOLDER is the trained agent.
    Ctrl-C and SIGTERM save and stop; --resume continues a run exactly where it stopped.

    Examples:
      hearts train
      hearts train --minutes 10 --out runs/first
      hearts train --resume runs/first --minutes 10
      hearts train --start black_lady --minutes 30
      hearts train --preset strong
      hearts train --set objective=match --minutes 30
      hearts train --variant "omnibus_hearts(players=5)" --deals 200000 --seed 3
      hearts train --set learning_rate=0.001 num_envs=512
      hearts train --variants sampled --minutes 60 --set width=192 --out runs/all
      hearts train --variants sampled --minutes 60 --set learners=16 --processes 16
    """

    set: Annotated[tuple[str, ...], UNSET, tyro.conf.arg(metavar="NAME=VALUE [NAME=VALUE ...]")] = ()
    """Hyper-parameters to change; `train.config` documents them. With --resume, they must be those of the run; only a
    teacher, opponents or a reward that are programs have to be given again."""

    def run(self) -> int:
        """Train, then print the final table and the speed."""
        with waiting("loading torch"), interrupts() as check:
            from hearts_training.train.run import CURVE
            from hearts_training.train.start import run_training

            check()

        settings = hyper_parameters(self.set)
        result = run_training(dataclasses.replace(options_of(TrainOptions, self), hyper_parameters=settings))
        terminal = console()
        if result.arena:
            from hearts_training.cli.arena_tables import arena_table, pairs_tables

            terminal.print(arena_table(result.arena), *pairs_tables(result.arena))
        if result.table_interrupted:
            agent, variant = shlex.quote(result.agent), shlex.quote(result.variant)
            again = f"hearts arena {agent} random rule --seatings round-robin --variant {variant}"
            print(f"hearts: the final table was interrupted; it is played again by: {again}", file=sys.stderr)
        terminal.print(
            f"{result.deals:,} deals in {result.minutes:.1f} minutes, {result.decisions_per_second:,.0f} decisions/s. "
            f"The agent is {result.agent}"
        )
        terminal.print(f"Its learning curve is {result.folder / CURVE}")
        if result.interrupted:
            folder = shlex.quote(str(result.folder))
            raise KeyboardInterrupt(f"interrupted and saved; continue with: hearts train --resume {folder}")
        return 0


def hyper_parameters(settings: tuple[str, ...]) -> dict[str, Any]:
    """Hyper-parameters from ``NAME=VALUE`` texts, with the types that the configuration has.

    Raises ValueError for a text that has another form, an unknown name or a value of another type.

    >>> hyper_parameters(("learning_rate=0.001", "hidden=32,16"))
    {'learning_rate': 0.001, 'hidden': (32, 16)}
    >>> hyper_parameters(("opponents=rule; shooter; pimc(worlds=8)",))
    {'opponents': ('rule', 'shooter', 'pimc(worlds=8)')}
    """
    if not settings:
        return {}
    from hearts_training.train.config import check_hyper_parameter, defaults

    known = defaults(many=False) | defaults(many=True)
    values: dict[str, Any] = {}
    for setting in settings:
        name, equals, text = (part.strip() for part in setting.partition("="))
        if not equals:
            raise ValueError(f"--set {setting} is not possible; write NAME=VALUE with one of {', '.join(known)}")
        if name not in known:
            check_hyper_parameter(name)
        if name in values:
            raise ValueError(f"--set gives {name} twice; keep one")
        try:
            values[name] = _value(known[name], text)
        except (ValueError, KeyError):
            example = "rule; shooter" if _are_specs(known[name]) else known[name]
            raise ValueError(f"--set {setting} is not possible; write it like {name}={example}") from None
    return values


def _are_specs(default: Any) -> bool:
    return isinstance(default, tuple) and isinstance(default[0], str)


def _value(default: Any, text: str) -> Any:
    if isinstance(default, bool):
        return {"true": True, "false": False}[text.lower()]
    if _are_specs(default):
        specs = tuple(split(text, ";"))
        if any("," in re.sub(r"\(.*\)", "", spec) for spec in specs if ":" not in spec):
            raise ValueError(text)  # agents separated by commas, which only folders and programs may contain
        return specs
    if isinstance(default, tuple):
        return tuple(int(width) for width in text.strip("()[]").split(",") if width.strip())
    return type(default)(text)
