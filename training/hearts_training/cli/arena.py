"""`hearts arena` and `hearts agents`: who can play, and who plays better."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import tyro

from hearts_training.cli.command import UNSET, Command, check_writable, console, progress_bar, results_table, write_json

if TYPE_CHECKING:
    from rich.table import Table

    from hearts_agents.arena.results import ArenaResult


@dataclass(frozen=True)
class Arena(Command):
    """Compare agents on the same deals, replayed with the seats exchanged.

    With one-vs-rest each agent sits alone against each other one, in every seat. Points are penalty points per deal;
    the margin is own points minus the mean of the others, so below 0 is better than they are. Errors are standard
    errors over deals. `hearts agents` lists who can play.

    Examples:
      hearts arena rule random
      hearts arena net:runs/first rule random --deals 5000
      hearts arena "rule(pass_spades=2)" rule --seatings all --json table.json
      hearts arena rule random --variant "black_lady(players=5)" --json -
    """

    agents: Annotated[tuple[str, ...], tyro.conf.Positional, UNSET, tyro.conf.arg(metavar="AGENT [AGENT ...]")]
    """Agents by their specs."""
    variant: str = "black_lady"
    """Rules: a variant, with changes in brackets if you like."""
    deals: int = 1000
    """Deals, each replayed in every seating."""
    seed: int = 0
    """Fixes the deals and all random choices."""
    seatings: Literal["one-vs-rest", "two-vs-two", "all"] = "one-vs-rest"
    """Who sits where."""
    json: Annotated[Path | None, UNSET, tyro.conf.arg(metavar="FILE")] = None
    """Write JSON to this file; - is standard output, in place of the table."""

    def run(self) -> int:
        """Play, print the table, write the file."""
        if not self.agents:
            raise ValueError("name at least one agent, such as: hearts arena rule random (hearts agents lists them)")
        check_writable(self.json)
        from hearts_agents.arena import ArenaInterrupted

        try:
            result = self._play()
        except ArenaInterrupted as stop:
            if stop.partial is not None:
                console(errors=str(self.json) == "-").print(*_tables(stop.partial))
            raise KeyboardInterrupt("interrupted; the table counts the deals that were finished") from None
        if self.json is not None:
            write_json(self.json, result.to_dict())
        if str(self.json) != "-":
            console().print(*_tables(result))
        return 0

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
                progress=lambda share: bar.update(task, completed=share),
            )


def _tables(result: ArenaResult) -> list[Table]:
    return [arena_table(result.to_dict()), *pairs_table([asdict(pair) for pair in result.pairs])]


def pairs_table(pairs: list[dict[str, Any]]) -> list[Table]:
    """Who did how well against whom, as a table; none where there are no more than two agents."""
    names = list(dict.fromkeys(pair["name"] for pair in pairs))
    if len(names) < 3:  # two agents meet only each other: the table of agents says it all
        return []
    caption = "own points minus the mean of the others, the agent of the row alone against those of the column"
    table = results_table(title="margin", caption=caption, first="agent")
    for name in names:
        table.add_column(f"against {name}", justify="right", overflow="fold")
    cells = {(pair["name"], pair["rival"]): pair for pair in pairs}
    for name in names:
        found = [cells.get((name, rival)) for rival in names]
        table.add_row(name, *(f"{c['margin']:+.2f} ± {_error(c['margin_se'])}" if c else "" for c in found))
    return [table]


def arena_table(result: dict[str, Any]) -> Table:
    """The result of an arena, in its published form, as a table."""
    title = f"{result['variant']}: {result['deals']:,} deals, {result['seatings']}, seed {result['seed']}"
    caption = "points and margin per deal, less is better; margin: own points minus the mean of the others"
    table = results_table(title=title, caption=caption, first="agent")
    for heading in ("points", "margin", "shot", "conceded", "queens", "ms/move"):
        table.add_column(heading, justify="right", no_wrap=True)
    for agent in result["agents"]:
        table.add_row(
            agent["name"],
            f"{agent['points']:.2f} ± {_error(agent['points_se'])}",
            f"{agent['margin']:+.2f} ± {_error(agent['margin_se'])}",
            f"{agent['moons_shot']:.1%}",
            f"{agent['moons_conceded']:.1%}",
            f"{agent['queens']:.2f}",
            f"{agent['ms_per_decision']:.3f}",
        )
    return table


def _error(value: float | None) -> str:
    return "?" if value is None else f"{value:.2f}"


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
