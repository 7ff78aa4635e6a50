"""The analysis of a match as text, for `hearts play` and `hearts replay`."""

from __future__ import annotations

from hearts_agents.base import Agent
from hearts_agents.registry import make_agent
from hearts_agents.values import has_values
from hearts_env.table.match import Match
from hearts_training.cli.command import console, progress, results_table


def adviser(spec: str) -> Agent:
    """The agent of a spec. Raises ValueError, in one line, for an agent that does not value every action."""
    agent = make_agent(spec)
    if not (has_values(agent) or hasattr(agent, "explain")):
        raise ValueError(
            f"{spec} does not value every action; name a search such as pimc(worlds=64), or an agent with "
            "action_values(views)"
        )
    return agent


def print_analysis(match: Match, spec: str, seat: int | None = None) -> None:
    """Print what the decisions of a match cost: the sum, and the ten costliest."""
    from hearts_training.evaluate.analysis import decisions, worst

    agent, found = adviser(spec), []
    with progress("analysing", sum(len(deal.actions) for deal in match.log)) as show:
        for decision in decisions(match, agent, seat):
            found.append(decision)
            show(decision.at)
    rows = (
        (
            f"deal {one.deal}, seat {one.seat}, action {one.at}",
            one.action,
            one.best,
            f"{one.cost:.2f} ± {one.error:.2f}",
        )
        for one in worst(found)
    )
    title, caption = "The costliest decisions", f"as {spec} values them"
    table = results_table(("chosen", "better", "cost"), rows, title=title, caption=caption, first="decision")
    terminal = console()
    terminal.print(
        f"{len(found)} decisions that were not forced cost {sum(one.cost for one in found):.1f} points in all."
    )
    terminal.print(table)
