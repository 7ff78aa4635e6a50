"""Pages of the site that repeat the code: one for each variant, one for each network, and the reference.

`write_pages` writes them when the site is built; nothing of it is committed.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import hearts_env as he
from hearts_agents.weights import CARDS, FOLDER, shipped
from hearts_env.compiled.decisions import DECISIONS
from hearts_env.compiled.game import Game
from hearts_env.play.observation import layout_of
from hearts_env.render.svg import render_match_svg

DOCS = Path(__file__).parent
ROOT = DOCS.parent
ROOMS = ("hearts_env", "agents", "training", "notebooks")
"""Folders with pages."""
LINK = re.compile(r"\]\((?!\w+:)([^)\s#]*)(#[^)\s]*)?\)")
RESULTS = ROOT / "agents" / "RESULTS.md"
SEED, PLIES = 7, 40
"""The deal of the pictures, and about how many decisions of it have been made."""
MODULES = {
    "hearts_env": "rules, matches and environments",
    "hearts_env.envs.gym": "one learner, behind Gymnasium",
    "hearts_env.envs.gym_vector": "many learners, behind Gymnasium",
    "hearts_env.envs.options": "rewards and episodes",
    "hearts_env.envs.sb3": "Stable-Baselines3",
    "hearts_env.envs.torchrl": "TorchRL",
    "hearts_env.envs.openspiel": "OpenSpiel",
    "hearts_env.play.view": "what one seat may know",
    "hearts_env.play.worlds": "hidden hands that fit a view",
    "hearts_env.render.svg": "pictures",
    "hearts_env.benchmark.splits": "frozen splits of rules",
    "hearts_agents": "agents",
    "hearts_agents.base": "what an agent is",
    "hearts_agents.registry": "agents by name",
    "hearts_agents.rule": "the rule agent",
    "hearts_agents.search": "searches",
    "hearts_agents.neural": "networks",
    "hearts_agents.arena": "duplicate deals",
    "hearts_agents.engines": "bots in other programs",
    "hearts_agents.openspiel": "OpenSpiel's bots",
    "hearts_agents.workers": "processes and clusters",
    "hearts_training.train.options": "options of the commands",
    "hearts_training.train.start": "training",
    "hearts_training.data.labelled": "data sets of searched decisions",
    "hearts_training.data.recorded": "data sets of games",
}
"""Public modules -> what they are about."""


def write_pages(folder: Path) -> None:
    """Write all generated pages to a folder; what is there already and equal keeps its time."""
    for path, text in pages():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")


def pages() -> Iterator[tuple[str, str]]:
    """The path and the text of every generated page and picture."""
    yield "variants/index.md", _list_page("Variants", [(name, v.title, v.summary) for name, v in he.VARIANTS.items()])
    for name in he.VARIANTS:
        match = middle_of_a_deal(name)
        yield f"variants/{name}.svg", render_match_svg(match)
        yield f"variants/{name}.md", variant_page(match.game)
    cards = {name: network_card(name) for name in shipped()}
    yield "networks/index.md", _list_page("Networks", [(n, f"net:{n}", f"plays {_plays(c)}") for n, c in cards.items()])
    for name, card in cards.items():
        yield f"networks/{name}.md", network_page(name, card)
    yield "reference/index.md", _list_page("Reference", [(name, name, about) for name, about in MODULES.items()])
    for name in MODULES:
        yield f"reference/{name}.md", _reference(name)


def _list_page(title: str, entries: Iterable[tuple[str, str, str]]) -> str:
    rows = list(entries)
    tree = "\n".join([":::{toctree}", ":hidden:", "", *(f"{label} <{name}>" for name, label, _ in rows), ":::"])
    return (
        f"# {title}\n\n{tree}\n\n" + "\n".join(f"- [{label}]({name}.md): {text}" for name, label, text in rows) + "\n"
    )


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table in Markdown, or nothing without rows."""
    titles, body = list(head), list(rows)
    lines = [titles, ["---"] * len(titles), *body]
    return "\n".join("| " + " | ".join(str(x).replace("|", "\\|") for x in line) + " |" for line in lines if body)


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
        elif cells and cells[0] == f"`{name}`" and head[0] == "variant":
            yield heading, head, cells


def network_card(name: str) -> dict[str, Any]:
    """The description of a network that comes with the suite."""
    file = next(FOLDER / name / card for card in CARDS if (FOLDER / name / card).exists())
    card: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return card


def _plays(card: dict[str, Any]) -> str:
    return f"`{card['rules']}`" if "rules" in card else "all rules"


def network_page(name: str, card: dict[str, Any]) -> str:
    """The card of a network, from its description."""
    extra, game = card["extra"], card.get("rules", "").partition("(")[0]
    game_link = f"[{_plays(card)}](../variants/{game}.md)" if game else "[all rules](../../tree/hearts_env/SAMPLING.md)"
    size = sum(file.stat().st_size for file in (FOLDER / name).iterdir()) / 1e6
    commands = "\n".join(extra["made_by"]) or "# not recorded"
    run = "".join(f"\n\nCommit: `{entry['commit']}`." for entry in card.get("run", [])[-1:] if entry.get("commit"))
    made = f"{extra['hours']} hours on {extra['machine'] or 'an unnamed machine'}, version {extra['version']}"
    deals = f", {extra['deals']:,} deals of self-play" if "deals" in extra else ""
    return (
        "\n\n".join(
            [
                f"# net:{name}",
                f"Plays {game_link}. {size:.1f} MB, layers of {', '.join(map(str, card['hidden']))}, MIT license. "
                f'`make_agent("net:{name}")` needs NumPy, not torch.',
                f"## How it was made\n\n{made}{deals}:\n\n```text\n{commands}\n```{run}",
                f"## Strength\n\n{_strength(extra['results'])}",
                f"## Limits\n\n{_limits(name, card)}",
                f"SHA-256 of the description: `{card['sha256']}`. [More figures](../../tree/agents/RESULTS.md).",
            ]
        )
        + "\n"
    )


def _strength(results: dict[str, Any]) -> str:
    if "against" in results:
        rows = [
            [
                f"`{rival}`",
                f"{found['deals']:,} deals" if "deals" in found else f"{found['matches']:,} matches",
                _margin(found["network_alone"]),
                _margin(found["opponent_alone"]),
                _won(found.get("network_alone_won")),
                f"{found['shot']:.1%}",
                f"{found['conceded']:.1%}",
            ]
            for rival, found in results["against"].items()
        ]
        head = ["opponents", "played", "network alone", "opponent alone", "matches won", "moons shot", "conceded"]
        return (
            "Margins: own points minus the mean of the other seats, per deal, ± a standard error; negative is better. "
            f"One player alone among copies of the other; seed {results['seed']}.\n\n{table(head, rows)}"
        )
    splits = {name: found for name, found in results.items() if isinstance(found, dict)}
    text = [
        f"Split `{name}` of the [benchmark](../../tree/hearts_env/benchmark/README.md):\n\n"
        + table(["figure", "value"], [[k, _number(v)] for k, v in found.items() if k != "rules"])
        + (f"\n\n{_by_rules(found['rules'])}" if found.get("rules") else "")
        for name, found in splits.items()
    ]
    return "\n\n".join(text) or "No figures are recorded in the description."


def _by_rules(rules: dict[str, list[float | None]]) -> str:
    rows = [
        [f"`{name}`", _margin([m, e]), "" if s is None else _margin([s, se])] for name, (m, e, s, se) in rules.items()
    ]
    return table(["rules", "margin among `rule`", "score"], rows)


def _number(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    return ", ".join(map(_number, value)) if isinstance(value, list) else str(value)


def _margin(pair: Iterable[float | None]) -> str:
    value, error = pair
    return "" if value is None else f"{value:+.2f}" + ("" if error is None else f" ± {error:.2f}")


def _won(pair: list[float] | None) -> str:
    return f"{pair[0]:.1%} ± {pair[1]:.1%}" if pair else ""


def _limits(name: str, card: dict[str, Any]) -> str:
    """What the figures show that the network is bad at."""
    against = card["extra"]["results"].get("against", {})
    lines = [
        f"- Alone among `{rival}` it is not clearly ahead: {_margin(found['network_alone'])}."
        for rival, found in against.items()
        if found["network_alone"][0] + 2 * found["network_alone"][1] > 0
    ]
    if against:
        worst = max(against, key=lambda rival: against[rival]["conceded"])
        lines.append(f"- It concedes most moons to `{worst}`: {against[worst]['conceded']:.1%} of the deals.")
    if "rules" in card:
        lines.append(f"- It refuses rules whose observations or actions differ from those of `{card['rules']}`.")
    if "distilled" in card["extra"]:
        lines.append("- It ignores the totals, which the search that it was distilled from did not see.")
    return "\n".join(lines or ["- Nothing has been measured yet."])


def _reference(module: str) -> str:
    names = getattr(importlib.import_module(module), "__all__", None)
    imported = "   :imported-members:\n" if names else ""  # what it imports and lists is part of it
    return (
        f"# {module}\n\n```{{eval-rst}}\n.. automodule:: {module}\n   :members:\n{imported}   :show-inheritance:\n```\n"
    )


def copy_tree(folder: Path) -> None:
    """Copy the pages beside the code, and the files that they link to, to the same places in a folder."""
    shutil.rmtree(folder, ignore_errors=True)
    for path in tree_pages():
        linked = [path.parent / link for link, _ in LINK.findall(path.read_text(encoding="utf-8"))]
        for source in (path, *(file.resolve() for file in linked if file.is_file())):
            if not source.is_relative_to(DOCS):
                target = folder / source.relative_to(ROOT)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)


def tree_pages() -> list[Path]:
    """The pages beside the code."""
    return sorted(
        [
            *ROOT.glob("*.md"),
            *(f for room in ROOMS for kind in ("md", "ipynb") for f in ROOT.glob(f"{room}/**/*.{kind}")),
        ]
    )


def read_page(app: object, docname: str, content: list[str]) -> None:
    """Turn the source of a notebook into Markdown, and links between files into links between pages of the site."""
    if docname.startswith("tree/notebooks/"):
        content[0] = "\n\n".join(map(_cell, json.loads(content[0])["cells"]))
    if not docname.startswith("made/"):
        content[0] = LINK.sub(lambda found: f"]({_moved(docname, found[1])}{found[2] or ''})", content[0])


def _moved(docname: str, link: str) -> str:
    """A link of a page, from its place on the site. What the site does not have stays as it is."""
    here = DOCS / docname
    page = ROOT / docname.removeprefix("tree/") if docname.startswith("tree/") else here
    target = Path(os.path.normpath(page.parent / link))
    if not link or not target.is_relative_to(ROOT):
        return link
    site = target if target.is_relative_to(DOCS) else DOCS / "tree" / target.relative_to(ROOT)
    return os.path.relpath(site, here.parent)


def _cell(cell: dict[str, Any]) -> str:
    text = "".join(cell["source"])
    return text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```"
