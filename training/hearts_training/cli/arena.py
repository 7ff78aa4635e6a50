"""`hearts arena` and `hearts agents`: who can play, and who plays better."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import tyro

from hearts_training.cli.command import (
    UNSET,
    Command,
    check_writable,
    console,
    progress_bar,
    results_table,
    write_bytes,
    write_json,
    write_text,
)

if TYPE_CHECKING:
    from rich.console import Group, RenderableType
    from rich.table import Table

    from hearts_agents.arena import AgentFailed, ArenaResult, Plan

FAILURE = Path("arena-failure.hearts")
"""Where the position goes at which an agent failed."""
PICTURES = (".png", ".svg")


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
    seatings: Literal["one-vs-rest", "two-vs-two", "all", "round-robin"] = "one-vs-rest"
    """Who sits where."""
    luck: Annotated[bool, UNSET] = False
    """Adjust the margins for the luck of the deals, which takes some more play."""
    power: Annotated[float | None, UNSET, tyro.conf.arg(metavar="POINTS")] = None
    """Say how many deals it takes to show a difference of so many points a deal, after a short pilot."""
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
                console(errors=self._pipes).print(*_tables(stop.partial))
            raise KeyboardInterrupt(self._how_to_go_on()) from None
        except AgentFailed as failure:
            raise ValueError(_keep_failure(failure)) from failure
        return 0

    @property
    def _pipes(self) -> bool:
        """Whether standard output is for a file's content."""
        return "-" in map(str, (self.json, self.csv, self.markdown))

    def _check(self) -> None:
        """Raise ValueError, before anything is played, for what cannot be."""
        if not self.agents:
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

    def _how_to_go_on(self) -> str:
        if self.power is not None:
            return "interrupted"
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
        from hearts_agents.arena.power import PILOT_DEALS

        with progress_bar() as bar:
            task = bar.add_task("pilot", total=1.0)
            return plan_deals(
                self.agents,
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

        if self.json is not None:
            write_json(self.json, result.to_dict())
        if self.csv is not None:
            write_text(self.csv, to_csv(result))
        if self.markdown is not None:
            write_text(self.markdown, to_markdown(result))
        if self.plot is not None:
            write_bytes(self.plot, draw_margins(result, self.plot.suffix[1:]))
        if not self._pipes:
            console().print(*_tables(result))

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


def plan_line(plan: Plan) -> str:
    """How many deals are needed and how long they take, in one line."""
    return (
        f"A difference of {plan.difference:g} points a deal takes {plan.deals:,} deals "
        f"(two-sided {plan.alpha:.0%}, power {plan.power:.0%}), about {_duration(plan.seconds)} here."
    )


def plan_table(plan: Plan) -> Table:
    """How far the margins spread, and how many deals each agent takes."""
    title = f"{plan.variant}: pilot of {plan.pilot_deals:,} deals, {plan.seatings}, seed {plan.seed}"
    table = results_table(title=title, caption="margin: own points minus the mean of the others", first="agent")
    for heading in ("SD of margin", "deals needed"):
        table.add_column(heading, justify="right", no_wrap=True)
    for need in plan.agents:
        table.add_row(need.name, f"{need.sd:.2f}", f"{need.deals:,}")
    return table


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(seconds, 1):.0f} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 5400 else f"{seconds / 3600:.1f} hours"


def _tables(result: ArenaResult) -> list[RenderableType]:
    return [arena_table(result.to_dict()), *pairs_table([asdict(pair) for pair in result.pairs])]


def pairs_table(pairs: list[dict[str, Any]]) -> list[Table]:
    """Who did how well against whom, as a table; none where there are no more than two agents."""
    from hearts_agents.arena.report import pair_cells

    cells = pair_cells(pairs)
    if not cells:
        return []
    caption = "own points minus the mean of the others, the agent of the row against those of the column"
    table = results_table(title="margin", caption=caption, first="agent")
    for name in cells:
        table.add_column(f"against {name}", justify="right", overflow="fold")
    for name, row in cells.items():
        table.add_row(name, *row)
    return [table]


def arena_table(result: dict[str, Any]) -> Group:
    """The result of an arena, in its published form, as tables: how well, and by what."""
    from rich.console import Group

    from hearts_agents.arena.report import other_cells, score_cells, title_of

    names = [agent["name"] for agent in result["agents"]]
    scores = [score_cells(agent) for agent in result["agents"]]
    others = [other_cells(agent) for agent in result["agents"]]
    caption = "moons per deal that it or its partner shot or went for, and those shot against it"
    if "rating" in others[0]:
        caption += "; rating: of openskill, for display"
    return Group(
        _cells_table(title_of(result), _caption(scores[0]), names, scores),
        _cells_table("moons, queens and time", caption, names, others),
    )


def _cells_table(title: str, caption: str, names: list[str], rows: list[dict[str, str]]) -> Table:
    table = results_table(title=title, caption=caption, first="agent")
    for heading in rows[0]:
        table.add_column(heading, justify="right", no_wrap=True)
    for name, cells in zip(names, rows, strict=True):
        table.add_row(name, *cells.values())
    return table


def _caption(headings: Iterable[str]) -> str:
    told = "points and margin per deal, less is better; margin: own points minus the mean of the others"
    luck = "adjusted: the margin without the luck of the deals; removed: the share of its variance that went"
    return f"{told}; {luck}" if "adjusted" in headings else told


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
