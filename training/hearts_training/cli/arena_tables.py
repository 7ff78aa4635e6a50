"""The arena's tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from hearts_training.cli.command import WIDEST, console, results_table

if TYPE_CHECKING:
    from rich.console import Group, RenderableType
    from rich.table import Table

    from hearts_agents.arena import ArenaResult, Plan


def plan_line(plan: Plan) -> str:
    """The number of deals needed and the time they take, in one line."""
    return (
        f"Detecting a difference of {plan.difference:g} points per deal takes {plan.deals:,} deals "
        f"(two-sided {plan.alpha:.0%}, power {plan.power:.0%}), about {_duration(plan.seconds)} on this machine."
    )


def plan_table(plan: Plan) -> Table:
    """The standard deviation of each agent's margin, and the deals it needs."""
    title = f"{plan.variant}: pilot of {plan.pilot_deals:,} deals, {plan.seatings}, seed {plan.seed}"
    heads, caption = ("SD of margin", "deals needed"), "margin: own points minus the mean of the others"
    rows = ((size.name, f"{size.sd:.2f}", f"{size.deals:,}") for size in plan.agents)
    return results_table(heads, rows, title=title, caption=caption, first="agent", no_wrap=True)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} seconds" if seconds >= 1.5 else "a second"
    return f"{seconds / 60:.0f} minutes" if seconds < 5400 else f"{seconds / 3600:.1f} hours"


def arena_tables(result: ArenaResult) -> list[RenderableType]:
    """All tables of a result."""
    return [arena_table(result.to_dict()), *pairs_tables(result.to_dict())]


def pairs_tables(result: dict[str, Any]) -> list[RenderableType]:
    """Tables of each agent against each other, with an empty line before each; none for two agents or fewer."""
    from hearts_agents.arena.report import PAIR_TITLES, pair_cells

    tables: list[RenderableType] = []
    for measure, cells in pair_cells(result).items():
        title = f"{PAIR_TITLES[measure].lower()}, the row against the column"
        tables += matrix_tables(title, "against", [*cells], [*cells.values()])
    return tables


def matrix_tables(title: str, word: str, agents: Sequence[str], cells: Sequence[Sequence[str]]) -> list[RenderableType]:
    """A matrix of agents, with an empty line before each table.

    Rows are numbered, columns have the numbers after `word`; where they do not fit beside each other, a table has some
    of them.
    """
    tables: list[RenderableType] = []
    for columns in _chunks(len(agents)):
        heads = [f"{word} {column + 1}" for column in columns]
        rows = ((f"{row + 1} {name}", *(cells[row][column] for column in columns)) for row, name in enumerate(agents))
        tables += ["", results_table(heads, rows, title=title, caption="", first="agent", no_wrap=True)]
    return tables


def matrix_cells(margins: Sequence[Sequence[float]], errors: Sequence[Sequence[float]]) -> list[list[str]]:
    """Margins and their errors as cells."""
    return [[f"{m:+.2f} ± {e:.2f}" for m, e in zip(*row, strict=True)] for row in zip(margins, errors, strict=True)]


def _chunks(agents: int) -> Iterator[range]:
    """The columns of agents that fit beside each other: a cell has up to 14 characters, a name 24."""
    most = max(1, (min(console().width, WIDEST) - 24) // 16)
    return (range(first, min(first + most, agents)) for first in range(0, agents, most))


def log_table(log: list[dict[str, Any]]) -> list[RenderableType]:
    """What the players of a log made of its deals, and the agents beside them; nothing without a log."""
    if not log:
        return []
    caption = "agents: their margin minus that of the player, in the same deals; negative is better"
    title, heads = f"players of the log, {log[0]['deals']:,} deals", [agent["name"] for agent in log[0]["agents"]]
    rows = (
        (
            one["name"],
            _with_error(one, "points", ".2f"),
            _with_error(one, "margin", "+.2f"),
            *(_with_error(agent, "margin_difference", "+.2f") for agent in one["agents"]),
        )
        for one in log
    )
    return ["", results_table(("points", "margin", *heads), rows, title=title, caption=caption, first="player")]


def _with_error(scores: dict[str, Any], key: str, form: str) -> str:
    error = scores[f"{key}_se"]
    return f"{scores[key]:{form}} ± {'?' if error is None else format(error, '.2f')}"


def arena_table(result: dict[str, Any]) -> Group:
    """The result of an arena, as `ArenaResult.to_dict` gives it: a table of scores and a table of the rest."""
    from rich.console import Group

    from hearts_agents.arena.report import agent_lines, title_of
    from hearts_agents.arena.results import OTHERS, SCORES, cells_of, labels_of

    names = labels_of(result["agents"])
    scores, moons, rest = (
        [cells_of(agent, columns) for agent in result["agents"]] for columns in (SCORES, OTHERS[:3], OTHERS[3:])
    )
    caption = "per deal: attempted and shot by the agent or its partner, and shot against it"
    rating = "rating: by openskill, for display" if "rating" in rest[0] else ""
    return Group(
        _cells_table(title_of(result), _caption(scores[0]), names, scores),
        "",
        _cells_table("moons", caption, names, moons),
        "",
        _cells_table("queens and time", rating, names, rest),
        *agent_lines(result["agents"]),
    )


def _cells_table(title: str, caption: str, names: list[str], rows: list[dict[str, str]]) -> Table:
    shown = ((name, *cells.values()) for name, cells in zip(names, rows, strict=True))
    return results_table(rows[0], shown, title=title, caption=caption, first="agent", no_wrap=True)


def _caption(headings: Iterable[str]) -> str:
    scores = "points and margin per deal, lower is better; margin: own points minus the mean of the others"
    luck = "adjusted: the margin without the luck of the deals; removed: the fraction of its variance removed"
    return f"{scores}; {luck}" if "adjusted" in headings else scores
