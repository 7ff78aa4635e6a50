"""`hearts train`: a network learns a variant by playing against itself."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import tyro

from hearts_training.cli.command import UNSET, Command, console
from hearts_training.options import TrainOptions


@dataclass(frozen=True)
class Train(Command):
    """Train a network by self-play.

    One network passes and plays in all seats and learns from all of them (PPO with masked actions). The run's folder
    gets checkpoints, TensorBoard files, a learning curve and result.json; its network is the agent net:FOLDER. Ctrl-C
    saves and stops; --resume goes on exactly where a run stopped.

    Examples:
      hearts train
      hearts train --minutes 10 --out runs/first
      hearts train --resume runs/first --minutes 10
      hearts train --variant "omnibus_hearts(players=5)" --deals 200000 --seed 3
      hearts train --set learning_rate=0.001 num_envs=512
    """

    variant: str = TrainOptions.variant
    """Rules: a variant, with changes in brackets if you like."""
    minutes: Annotated[float | None, UNSET] = None
    """Training time; 2 minutes if neither this nor --deals is given. With --resume: further minutes."""
    deals: Annotated[int | None, UNSET] = None
    """Deals to play instead. With --resume: further deals."""
    out: Annotated[Path | None, UNSET] = None
    """New folder for everything written. By default runs/VARIANT-TIME-SEED."""
    resume: Annotated[Path | None, UNSET] = None
    """Folder of a run to go on with."""
    seed: int = TrainOptions.seed
    """Fixes deals, first weights and choices."""
    threads: int = TrainOptions.threads
    """Processor cores to use."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    """Where the network is computed; auto takes cuda where there is one."""
    arena_deals: int = TrainOptions.arena_deals
    """Deals per opponent of the table at the end; 0 for no table."""
    set: Annotated[tuple[str, ...], UNSET, tyro.conf.arg(metavar="NAME=VALUE")] = ()
    """Hyper-parameters to change; hearts_training.ppo.PPOConfig explains them."""

    def run(self) -> int:
        """Train, then print what came of it."""
        given = {field.name: getattr(self, field.name) for field in dataclasses.fields(self) if field.name != "set"}
        options = TrainOptions(**given)
        from hearts_training.train import train

        result = train(dataclasses.replace(options, hyper_parameters=hyper_parameters(self.set)))
        terminal = console()
        if result.arena:
            from hearts_training.cli.arena_tables import arena_table, pairs_table

            terminal.print(arena_table(result.arena), *pairs_table(result.pairs))
        terminal.print(
            f"{result.deals:,} deals in {result.minutes:.1f} minutes, {result.decisions_per_second:,.0f} decisions/s "
            f"(the network alone: {result.network_alone_per_second:,.0f}). The agent is net:{result.folder}"
        )
        if result.interrupted:
            raise KeyboardInterrupt(f"interrupted and saved; go on with: hearts train --resume {result.folder}")
        return 0


def hyper_parameters(settings: tuple[str, ...]) -> dict[str, Any]:
    """``("learning_rate=0.001",)`` -> names and values of the types that `PPOConfig` has.

    Raises ValueError naming what is not of the form or not a value of that type.
    """
    if not settings:
        return {}
    from hearts_training.ppo import PPOConfig

    defaults = {field.name: field.default for field in dataclasses.fields(PPOConfig)}
    values = {}
    for setting in settings:
        name, equals, text = (part.strip() for part in setting.partition("="))
        if not equals or name not in defaults:
            raise ValueError(f"--set {setting} is not possible; write NAME=VALUE with one of {', '.join(defaults)}")
        try:
            values[name] = _value(defaults[name], text)
        except (ValueError, KeyError):
            raise ValueError(f"--set {setting} is not possible; the default is {name}={defaults[name]}") from None
    return values


def _value(default: Any, text: str) -> Any:
    if isinstance(default, bool):
        return {"true": True, "false": False}[text.lower()]
    if isinstance(default, tuple):
        return tuple(int(width) for width in text.strip("()[]").split(",") if width.strip())
    return type(default)(text)
