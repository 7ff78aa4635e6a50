"""`hearts arena` and `hearts agents`: who can play, and who plays better."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import tyro

from hearts_training.cli.arena_tables import arena_tables, plan_line, plan_table
from hearts_training.cli.command import (
    UNSET,
    Command,
    check_writable,
    console,
    progress_bar,
    write_json,
    write_text,
)

if TYPE_CHECKING:
    from hearts_agents.arena import AgentFailed, ArenaResult, Plan

FAILURE = Path("arena-failure.hearts")
"""Where the position goes at which an agent failed."""
PICTURES = (".png", ".svg")
PILOTS = ("pimc(worlds=8)", "rule")
"""Who plays the pilot of --power if nobody is named: a pair about as far apart as agents worth comparing are."""


@dataclass(frozen=True)
class Arena(Command):
    """Compare agents on the same deals, replayed with the seats exchanged.

    With one-vs-rest each agent sits alone against each other one, in every seat. Points are penalty points per deal;
    the margin is own points minus the mean of the others, so below 0 is better than they are. Errors are standard
    errors over deals; JSON, CSV and the plot have 95 % confidence intervals. `hearts agents` lists who can play.

    Ctrl-C prints the table of what is finished; with --save FILE the same command goes on from there.

    Examples:
      hearts arena rule random
      hearts arena net:runs/first rule random --deals 5000
      hearts arena "rule(pass_spades=2)" rule --seatings all --json table.json
      hearts arena rule random --variant "black_lady(players=5)" --json -
      hearts arena rule random --matches 100 --processes 2 --save arena.save
      hearts arena random "pimc(worlds=8)" ismcts rule --seatings ladder --deals 100
      hearts arena rule "rule(shoot=0.9)" --power 0.3
    """

    agents: Annotated[tuple[str, ...], tyro.conf.Positional, UNSET, tyro.conf.arg(metavar="AGENT [AGENT ...]")]
    """Agents by their specs."""
    variant: str = "black_lady"
    """Rules: a variant, with changes in brackets if you like."""
    deals: Annotated[int | None, UNSET, tyro.conf.arg(metavar="INT")] = None
    """Deals, each replayed in every seating: 1000, or 200 with --power."""
    matches: Annotated[int | None, UNSET, tyro.conf.arg(metavar="INT")] = None
    """Play whole matches in place of single deals, so many."""
    seed: int = 0
    """Fixes the deals and all random choices."""
    seatings: Literal["one-vs-rest", "two-vs-two", "all", "round-robin", "ladder"] = "one-vs-rest"
    """Who sits where."""
    luck: Annotated[bool, UNSET] = False
    """Adjust the margins for the luck of the deals, which takes some more play."""
    power: Annotated[float | None, UNSET, tyro.conf.arg(metavar="POINTS")] = None
    """Say how many deals it takes to show a difference of so many points a deal, after a short pilot; of
    pimc(worlds=8) and rule if no agent is named."""
    processes: int = 1
    """Processes that play; the table does not depend on it."""
    save: Annotated[Path | None, UNSET, tyro.conf.arg(metavar="FILE")] = None
    """Keep what is finished in this file; the same command with the same file goes on from there."""
    json: Annotated[Path | None, UNSET, tyro.conf.arg(metavar="FILE")] = None
    """Write JSON to this file; - is standard output, in place of the table."""
    csv: Annotated[Path | None, UNSET, tyro.conf.arg(metavar="FILE")] = None
    """Write CSV to this file, or to - as above."""
    markdown: Annotated[Path | None, UNSET, tyro.conf.arg(metavar="FILE")] = None
    """Write Markdown to this file, or to - as above."""
    plot: Annotated[Path | None, UNSET, tyro.conf.arg(metavar="FILE")] = None
    """Draw the margins with their confidence intervals to this file, .png or .svg."""

    def run(self) -> int:
        """Play, print the table, write the files."""
        self._check()
        from hearts_agents.arena import AgentFailed, ArenaInterrupted

        try:
            if self.power is not None:
                self._tell_plan(self._plan(self.power))
            else:
                self._tell(self._play())
        except ArenaInterrupted as stop:
            if stop.partial is not None and self.power is None:
                console(errors=self._pipes).print(*arena_tables(stop.partial))
            raise KeyboardInterrupt(self._how_to_go_on(stop.partial)) from None
        except AgentFailed as failure:
            raise ValueError(_keep_failure(failure)) from failure
        return 0

    @property
    def _pipes(self) -> bool:
        """Whether standard output is for a file's content."""
        return "-" in map(str, (self.json, self.csv, self.markdown))

    def _check(self) -> None:
        """Raise ValueError, before anything is played, for what cannot be."""
        if not self.agents and self.power is None:
            raise ValueError("name at least one agent, such as: hearts arena rule random (hearts agents lists them)")
        outputs = {"--json": self.json, "--csv": self.csv, "--markdown": self.markdown, "--plot": self.plot}
        _check_files({name: file for name, file in {**outputs, "--save": self.save}.items() if file is not None})
        if self.plot is not None and self.plot.suffix not in PICTURES:
            raise ValueError(f"--plot {self.plot} must be a file that ends in {' or '.join(PICTURES)}")
        if self.plot is not None:
            import_module("matplotlib")  # it is not part of a plain installation: better told now than after the play
        if str(self.save) == "-":
            raise ValueError("--save - is not possible: it is read again; name a file")
        if self.power is not None:
            others = {"--matches": self.matches, "--luck": self.luck or None, "--save": self.save} | outputs
            given = [name for name, value in others.items() if value is not None and name != "--json"]
            if given:
                raise ValueError(f"--power plays a pilot of single deals and tells nothing else; leave out {given[0]}")

    def _how_to_go_on(self, partial: ArenaResult | None) -> str:
        if self.power is not None:
            return "interrupted"
        if partial is None:
            return "interrupted before any deal was finished"
        told = "interrupted; the table counts the deals that were finished"
        return told if self.save is None else f"{told}; the same command with --save {self.save} goes on from there"

    def _play(self) -> ArenaResult:
        from hearts_agents.arena import run_arena

        with progress_bar() as bar:
            task = bar.add_task("arena", total=1.0)
            return run_arena(
                self.agents,
                variant=self.variant,
                deals=self.deals,
                seed=self.seed,
                seatings=self.seatings,
                matches=self.matches,
                luck=self.luck,
                processes=self.processes,
                save=self.save,
                progress=lambda share: bar.update(task, completed=share),
            )

    def _plan(self, difference: float) -> Plan:
        from hearts_agents.arena import plan_deals
        from hearts_agents.arena.run import PILOT_DEALS

        with progress_bar() as bar:
            task = bar.add_task("pilot", total=1.0)
            return plan_deals(
                self.agents or PILOTS,
                difference,
                variant=self.variant,
                deals=PILOT_DEALS if self.deals is None else self.deals,
                seed=self.seed,
                seatings=self.seatings,
                processes=self.processes,
                progress=lambda share: bar.update(task, completed=share),
            )

    def _tell(self, result: ArenaResult) -> None:
        """Write the files and print the table."""
        from hearts_agents.arena.report import draw_margins, to_csv, to_markdown
        from hearts_agents.files import write_file

        if self.json is not None:
            write_json(self.json, result.to_dict())
        if self.csv is not None:
            write_text(self.csv, to_csv(result))
        if self.markdown is not None:
            write_text(self.markdown, to_markdown(result))
        if self.plot is not None:
            write_file(self.plot, draw_margins(result, self.plot.suffix[1:]))
        if not self._pipes:
            console().print(*arena_tables(result))

    def _tell_plan(self, plan: Plan) -> None:
        """Print how many deals are needed, or write it as JSON."""
        if self.json is not None:
            write_json(self.json, plan.to_dict())
        if not self._pipes:
            console().print(plan_table(plan))
            print(plan_line(plan))


def _check_files(files: dict[str, Path]) -> None:
    """Raise ValueError for a file that cannot be written, or that two options name."""
    for name, file in files.items():
        check_writable(file)
        same = [other for other in files if files[other] == file]
        if len(same) > 1:
            where = "to standard output" if str(file) == "-" else f"to {file}"
            raise ValueError(f"{name} and {same[1]} cannot both go {where}; name another file for one")


def _keep_failure(failure: AgentFailed) -> str:
    """Write the position at which an agent failed, and say where it is."""
    try:
        write_text(FAILURE, failure.record)
    except OSError:
        return f"{failure} (the position could not be written to {FAILURE})"
    return f"{failure} (the position is in {FAILURE}: hearts replay {FAILURE})"


@dataclass(frozen=True)
class Agents(Command):
    """List the agents that can play, and their parameters.

    Examples:
      hearts agents
      hearts agents --json
    """

    json: bool = False
    """Print JSON instead of a table."""

    def run(self) -> int:
        """Print the list."""
        from hearts_agents.registry import AGENTS

        if self.json:
            write_json(Path("-"), [_agent_data(agent) for agent in AGENTS.values()])
            return 0
        from rich.table import Table

        table = Table("agent", "parameter", "default", "meaning", box=None, padding=(0, 2, 0, 0))
        for agent in AGENTS.values():
            table.add_row(agent.name, "", "", agent.summary)
            for parameter in agent.parameters.values():
                default = "" if parameter.default is None else str(parameter.default)
                table.add_row("", parameter.name, default, parameter.doc)
        console().print(table)
        return 0


def _agent_data(agent: Any) -> dict[str, Any]:
    parameters = [
        {"name": one.name, "type": one.kind.__name__, "default": one.default, "doc": one.doc}
        for one in agent.parameters.values()
    ]
    return {"name": agent.name, "summary": agent.summary, "parameters": parameters}
