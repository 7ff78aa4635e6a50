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

import layers
from network_pages import network_card, network_page, plays
from variant_pages import middle_of_a_deal, variant_page

import hearts_env as he
from hearts_agents.weights import shipped
from hearts_env.render.svg import render_match_svg

DOCS = Path(__file__).parent
ROOT = DOCS.parent
ROOMS = ("hearts_env", "agents", "training", "notebooks")
"""Folders with pages."""
LINK = re.compile(r"\]\((?!\w+:)([^)\s#]*)(#[^)\s]*)?\)")
MODULES = {
    "hearts_env": "rules, matches and environments",
    "hearts_env.envs.gym": "one learner, behind Gymnasium",
    "hearts_env.envs.gym_vector": "many learners, behind Gymnasium",
    "hearts_env.envs.options": "rewards and episodes",
    "hearts_env.envs.outcome": "outcomes of episodes",
    "hearts_env.envs.reward_function": "rewards of one's own",
    "hearts_env.envs.trajectories": "advantages of every seat",
    "hearts_env.envs.sb3": "Stable-Baselines3",
    "hearts_env.envs.torchrl": "TorchRL",
    "hearts_env.envs.openspiel": "OpenSpiel",
    "hearts_env.compiled.game": "compiled rules",
    "hearts_env.ruleset.reading": "readings of a variant's sources",
    "hearts_env.seat.view": "what one seat may know",
    "hearts_env.seat.worlds": "hidden hands that fit a view",
    "hearts_env.render.svg": "pictures",
    "hearts_env.benchmark.splits": "frozen splits of rules",
    "hearts_agents": "agents",
    "hearts_agents.base": "what an agent is",
    "hearts_agents.registry": "agents by name",
    "hearts_agents.rule": "the rule agent",
    "hearts_agents.search": "searches",
    "hearts_agents.neural": "networks",
    "hearts_agents.arena": "duplicate deals",
    "hearts_agents.arena.run": "options of an arena",
    "hearts_agents.engines": "bots in other programs",
    "hearts_agents.openspiel": "OpenSpiel's bots",
    "hearts_agents.workers": "processes and clusters",
    "hearts_training.options": "options of the commands",
    "hearts_training.train.options": "options of training",
    "hearts_training.train.start": "training",
    "hearts_training.data.labelled": "data sets of searched decisions",
    "hearts_training.data.recorded": "data sets of games",
}
"""Public modules -> what they are about."""
LAYERS = """# Layers

The parts of the packages, drawn from their imports: `hearts_training` above `hearts_agents` above `hearts_env`. A part
imports only what lies below it. A line leads to what it imports, unless it reaches that through another part.
[Contributing](../tree/CONTRIBUTING.md#the-tree) describes the parts.

![The parts of the three packages in rows, with lines to those that each imports](layers.svg)
"""


def write_pages(folder: Path) -> None:
    """Write all generated pages to a folder; what is there already and equal keeps its time."""
    for path, text in pages():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")


def pages() -> Iterator[tuple[str, str]]:
    """The path and the text of every generated page and picture."""
    yield "variants/index.md", _gallery()
    for name in he.VARIANTS:
        match = middle_of_a_deal(name)
        yield f"variants/{name}.svg", render_match_svg(match)
        yield f"variants/{name}.md", variant_page(match.game)
    cards = {name: network_card(name) for name in shipped()}
    yield "networks/index.md", _list_page("Networks", [(n, f"net:{n}", f"plays {plays(c)}") for n, c in cards.items()])
    for name, card in cards.items():
        yield f"networks/{name}.md", network_page(name, card)
    yield "layers.svg", layers.drawing()
    yield "layers.md", LAYERS
    yield "reference/index.md", _list_page("Reference", [(name, name, about) for name, about in MODULES.items()])
    for name in MODULES:
        yield f"reference/{name}.md", _reference(name)


def _gallery() -> str:
    """The variants, a picture of each."""
    tree = "\n".join(
        [":::{toctree}", ":hidden:", "", *(f"{v.title} <{name}>" for name, v in he.VARIANTS.items()), ":::"]
    )
    cards = (
        f":::{{grid-item-card}} {v.title}\n:img-top: {name}.svg\n:link: {name}\n:link-type: doc\n\n{v.summary}\n:::"
        for name, v in he.VARIANTS.items()
    )
    grid = "\n".join(["::::{grid} 1 2 3 3", ":gutter: 2", "", *cards, "::::"])
    return f"# Games\n\n{tree}\n\n{grid}\n"


def _list_page(title: str, entries: Iterable[tuple[str, str, str]]) -> str:
    rows = list(entries)
    tree = "\n".join([":::{toctree}", ":hidden:", "", *(f"{label} <{name}>" for name, label, _ in rows), ":::"])
    return (
        f"# {title}\n\n{tree}\n\n" + "\n".join(f"- [{label}]({name}.md): {text}" for name, label, text in rows) + "\n"
    )


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
    if cell["cell_type"] == "markdown":
        return text
    return "\n\n".join([f"```python\n{text}\n```", *filter(None, map(_output, cell["outputs"]))])


def _output(output: dict[str, Any]) -> str:
    """What a cell showed: a picture, or text."""
    data = output.get("data", {})
    if "image/png" in data:
        return f"![what the cell shows](data:image/png;base64,{''.join(data['image/png']).strip()})"
    if "image/svg+xml" in data:
        return f"```{{raw}} html\n{''.join(data['image/svg+xml'])}\n```"
    text = "".join(output.get("text", data.get("text/plain", ""))).rstrip()
    return f"```text\n{text}\n```" if text else ""
