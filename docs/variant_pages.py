"""The page of each variant, from the registry, the compiled rules and the page of results."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from network_pages import network_card, table

import hearts_env as he
from hearts_agents.weights import shipped
from hearts_env.compiled.decisions import DECISIONS
from hearts_env.compiled.game import Game
from hearts_env.seat.observation import layout_of

RESULTS = Path(__file__).parents[1] / "agents" / "RESULTS.md"
SEED, PLIES = 7, 40
"""The deal of the pictures, and about how many decisions of it have been made."""


def middle_of_a_deal(variant: str) -> he.Match:
    """A match in the middle of a deal, with a trick on the table where the deal is long enough."""
    match = he.Match(variant, seed=SEED)
    while match.phase != "play":
        match.play(match.legal()[0])
    plays = len(match.hands[0]) * match.game.seats
    for _ in range(min(PLIES, plays // 2) // match.game.seats * match.game.seats + match.game.seats // 2):
        match.play(match.legal()[-1])
    return match


def variant_page(game: Game) -> str:
    """Everything there is to say about a variant."""
    name, variant = game.rules.variant.name, game.rules.variant
    rules = re.sub(r"^##? ", lambda found: "#" + found[0], he.rules_page(name), flags=re.MULTILINE)
    rules = rules.replace(f"## {name}\n", "## Rules\n", 1)
    sections = [
        f"# {variant.title}",
        f"`he.env({name!r})`, `from hearts_env import {name}_v{variant.version}`, `hearts play --variant {name}`",
        variant.summary,
        f"![A deal of {variant.title}, in the middle of play]({name}.svg)",
        rules.strip(),
        f"## Decisions and actions\n\n{_decisions(game)}",
        f"## Observation\n\n{_observation(game)}",
        f"## Rewards\n\n{_rewards(game)}",
        f"## Results\n\n{_results(name)}",
        f"## Versions\n\n`{name}_v{variant.version}` is the current version of the environments. "
        "[What a version promises](../../citing.md#versions); [changes](../../tree/CHANGELOG.md).",
    ]
    return "\n\n".join(sections) + "\n"


def _decisions(game: Game) -> str:
    kinds = [name for name in game.actions if ":" not in name]
    passes = bool(game.tables["option_cards"].any())
    rows = []
    for phase, decision in DECISIONS.items():
        answers = [name for name in game.actions if name.startswith(f"{phase}:")]
        if answers or phase == "play" or (phase == "pass" and passes):
            where = ", ".join(f"`{name}`" for name in answers) or f"a card, 0 to {len(kinds) - 1}"
            rows.append([phase, decision.prompt, where])
    cards = ", ".join(f"`{name}`" for name in kinds)
    return f"`Discrete({len(game.actions)})`.\n\n{table(['phase', 'question', 'actions'], rows)}\n\nCards: {cards}."


def _observation(game: Game) -> str:
    layout = layout_of(game)
    rows = [
        [f"`{name}`", f"{f.columns.start}–{f.columns.stop - 1}", " × ".join(map(str, f.shape)), f.unit, f.meaning]
        for name, f in layout.items()
        if f.columns.stop > f.columns.start
    ]
    columns = int(game.tables["obs_size"])
    fields = table(["field", "columns", "shape", "unit", "meaning"], rows)
    return f"{columns} columns for {game.seats} players.\n\n{fields}"


def _rewards(game: Game) -> str:
    rules = game.rules
    paid = "the points of the deal" if rules.score.better == "high" else "the points of the deal, negated"
    if game.gaussian:
        paid = "minus the change of the magnitude of the total"
    partners = (
        "Partners are paid the sum of the team" if rules.table.team_scoring == "sum" else "Partners are paid alone"
    )
    teams = f" {partners}, unless `team_rewards` says otherwise." if rules.table.teams else ""
    return (
        f'`points` (the default) pays {paid}, after each deal or with `timing="trick"` after each trick. `relative`, '
        f"`rank`, `win` and `vector` are described [for all games](../../tree/hearts_env/README.md).{teams}"
    )


def _results(name: str) -> str:
    """The rows about a variant in the page of results, and the networks that play it."""
    parts = [f"From {_where(heading)}:\n\n{table(head, [row])}" for heading, head, row in _rows_about(name)]
    nets = [n for n in shipped() if network_card(n).get("rules", "").partition("(")[0] == name]
    links = ", ".join(f"[`net:{n}`](../networks/{n}.md)" for n in [*nets, *({"hearts"} & set(shipped()))])
    return "\n\n".join([f"Networks: {links}.", *parts])


def _where(heading: str) -> str:
    return f"[Results: {heading.replace('`', '')}](../../tree/agents/RESULTS.md)"


def _rows_about(name: str) -> Iterator[tuple[str, list[str], list[str]]]:
    """Heading, titles and cells of every row of the results that begins with a variant's name."""
    heading, head = "", [""]
    for line in RESULTS.read_text(encoding="utf-8").splitlines():
        heading = line.lstrip("# ") if line.startswith("#") else heading
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        head = head if cells else [""]
        if cells and head == [""]:
            head = cells
        elif cells and cells[0] == f"`{name}`" and head[0] == "game":
            yield heading, head, cells
