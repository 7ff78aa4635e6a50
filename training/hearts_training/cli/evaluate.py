"""`hearts evaluate`: what agents pass and what that is worth, and what they make of the moon suite."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import tyro

from hearts_env.ruleset.enums import MoonMode
from hearts_env.variants.registry import rules as read_rules
from hearts_training.cli.command import (
    Command,
    Show,
    check_picture,
    check_writable,
    console,
    progress,
    results_table,
    write_json,
)
from hearts_training.train.options import UNSET, File, WorkerOptions

if TYPE_CHECKING:
    from rich.table import Table

    from hearts_training.evaluate.moon_suite import MoonResult
    from hearts_training.evaluate.passing import Passes


@dataclass(frozen=True)
class Evaluate(WorkerOptions, Command):
    """Measure passing and the moon.

    Passing: an agent alone among three that play cards as it does but pass as rule, or at random; the suits that a pass
    empties; and how often each card is passed. The moon suite: deals in which shooter shoots the moon against three
    rule, played with the agent in the shooter's seat, and against the shooter.

    Examples:
      hearts evaluate net:black_lady rule
      hearts evaluate net:black_lady --only passing --deals 5000 --plot passes.png
      hearts evaluate "pimc(worlds=64)" shooter guard --only moons
    """

    agents: Annotated[tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="AGENT [AGENT ...]")]
    """Specs of the agents."""
    variant: str = "black_lady"
    """The variant, optionally with changes to its rules in brackets."""
    only: Annotated[Literal["passing", "moons"] | None, UNSET] = None
    """Measure only one of the two."""
    deals: int = 1000
    """Duplicate deals for the passes."""
    seed: int = 0
    """Fixes the deals for the passes; the deals of the suite are fixed."""
    json: File = None
    """Write JSON to this file; - writes it to standard output instead of the tables."""
    plot: File = None
    """Draw what the first agent passes to this file, .png or .svg."""

    def run(self) -> int:
        """Measure, print the tables and write the files."""
        self._check()
        passes, moons = list[Any](), list[Any]()
        with progress("evaluating") as show:
            deals = self._suite(show)
            if self.only != "moons" and self._has_pass():
                passes = self._passes(lambda what, done: show(done, what))
            if deals:
                moons = self._moons(deals, show)
        self._report(passes, moons)
        return 0

    def _check(self) -> None:
        from hearts_agents.registry import make_agent
        from hearts_agents.workers import check_workers

        check_workers(self.who)
        check_writable(self.json)
        check_writable(self.plot)
        check_picture(self.plot)
        if self.deals < 2:
            raise ValueError(f"--deals {self.deals} must be at least 2")
        if self.only == "passing" and not self._has_pass():
            raise ValueError(f"{read_rules(self.variant)} has no pass")
        if self.plot is not None and (self.only == "moons" or not self._has_pass()):
            raise ValueError(f"--plot {self.plot} draws passes, and none are measured; leave it out")
        if not self.agents:
            raise ValueError("name the agents, such as: hearts evaluate rule net:black_lady")
        for spec in self.agents:
            make_agent(spec)

    def _has_pass(self) -> bool:
        from hearts_env.compiled.game import compile_game

        return bool(compile_game(read_rules(self.variant)).tables["option_cards"].any())

    def _passes(self, show: Callable[[str, float], None]) -> list[Passes]:
        from hearts_training.evaluate.passing import study_passes

        rules = read_rules(self.variant)
        return [study_passes(spec, rules, self.deals, self.seed, self.who, show) for spec in self.agents]

    def _suite(self, show: Show) -> list[int]:
        """The deals of the moon suite; none where it is not measured.

        Raises ValueError, before anything else is measured, if there is none in a game with moons, or with --only.
        """
        from hearts_training.evaluate.moon_suite import suite

        rules = read_rules(self.variant)
        if self.only == "passing" or (self.only is None and rules.moon.mode == MoonMode.NONE):
            return []
        return suite(rules, lambda done: show(done, "drawing the moon suite"))

    def _moons(self, deals: list[int], show: Show) -> list[MoonResult]:
        from hearts_training.evaluate.moon_suite import run_suite

        rules, found = read_rules(self.variant), []
        for place, spec in enumerate(self.agents):
            show(place / len(self.agents), f"moon suite, {spec}")
            found.append(run_suite(spec, rules, deals, self.who))
        return found

    def _report(self, passes: list[Passes], moons: list[MoonResult]) -> None:
        from hearts_agents.files import write_file
        from hearts_env.compiled.game import compile_game
        from hearts_training.provenance import entry

        rules = read_rules(self.variant)
        game = compile_game(rules)
        if self.json is not None:
            data = {"variant": str(rules), "deals": self.deals, "seed": self.seed}
            data |= {"passing": [one.to_dict(game) for one in passes], "moons": [one.to_dict() for one in moons]}
            options = {name: getattr(self, name) for name in ("agents", "variant", "only", "deals")}
            data["run"] = [entry(options, self.seed)]
            write_json(self.json, data)
        if self.plot is not None and passes:
            from hearts_training.evaluate.passing import draw_passes

            write_file(self.plot, draw_passes(passes[0], game, self.plot.suffix[1:]))
        if str(self.json) != "-":
            terminal = console()
            terminal.print(*([passes_table(passes, str(rules), self.seed)] if passes else []))
            terminal.print(*([moons_table(moons, str(rules))] if moons else []))


def passes_table(passes: list[Passes], rules: str, seed: int) -> Table:
    """Gains over other passes and voids, a row per agent."""
    caption = (
        "own passes: margin of the agent alone among three that play as it does and pass as named; negative is better"
    )
    table = results_table(title=f"Passing in {rules}, seed {seed}", caption=caption, first="agent")
    for gain in passes[0].gains:
        table.add_column(f"against passes of {gain.passes}", justify="right")
    table.add_column("suits emptied by a pass", justify="right")
    for one in passes:
        table.add_row(one.agent, *(f"{gain.margin:+.2f} ± {gain.error:.2f}" for gain in one.gains), f"{one.voids:.2f}")
    return table


def moons_table(moons: list[MoonResult], rules: str) -> Table:
    """Moons tried, shot and conceded in the suite, a row per agent."""
    caption = f"{moons[0].deals} deals in which shooter shoots the moon against three rule"
    table = results_table(title=f"The moon suite of {rules}", caption=caption, first="agent")
    for heading in ("tried", "shot", "conceded to shooter"):
        table.add_column(heading, justify="right")
    for one in moons:
        table.add_row(one.agent, f"{one.attempted:.1%}", f"{one.shot:.1%}", f"{one.conceded:.1%}")
    return table
