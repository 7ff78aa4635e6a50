"""What the arena says at the terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from hearts_training.cli.command import results_table

if TYPE_CHECKING:
    from rich.console import Group, RenderableType
    from rich.table import Table

    from hearts_agents.arena import ArenaResult, Plan


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
    for size in plan.agents:
        table.add_row(size.name, f"{size.sd:.2f}", f"{size.deals:,}")
    return table


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} seconds" if seconds >= 1.5 else "a second"
    return f"{seconds / 60:.0f} minutes" if seconds < 5400 else f"{seconds / 3600:.1f} hours"


def arena_tables(result: ArenaResult) -> list[RenderableType]:
    """Everything that is told of a result at the terminal."""
    pairs = pairs_table(result.to_dict()["pairs"])
    return [arena_table(result.to_dict()), *([""] if pairs else []), *pairs]


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

    from hearts_agents.arena.report import fault_lines, other_cells, score_cells, title_of

    names = [agent["name"] for agent in result["agents"]]
    scores = [score_cells(agent) for agent in result["agents"]]
    others = [other_cells(agent) for agent in result["agents"]]
    caption = "moons per deal that it or its partner shot or went for, and those shot against it"
    if "rating" in others[0]:
        caption += "; rating: of openskill, for display"
    return Group(
        _cells_table(title_of(result), _caption(scores[0]), names, scores),
        "",
        _cells_table("moons, queens and time", caption, names, others),
        *fault_lines(result["agents"]),
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
