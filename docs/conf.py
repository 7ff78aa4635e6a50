"""The site: ``python -m sphinx -nW -b html docs OUT``, with the extra ``docs``.

Pages beside the code keep their place in the repository: `generate` copies them to ``docs/tree`` when the site is
built, and writes those that repeat the code to ``docs/made``. Both folders are ignored by git.
"""

import sys
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

DOCS = Path(__file__).parent
ROOT = DOCS.parent
sys.path[:0] = map(str, (DOCS, ROOT, ROOT / "agents", ROOT / "training"))

import generate  # noqa: E402 - found by the path above

import hearts_env  # noqa: E402 - the same

project = "Hearts suite"
author = "The Hearts suite authors"
project_copyright = f"2026 {author}, MIT License"
release = hearts_env.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton", "sphinx_design"]
source_suffix = {".md": "markdown", ".ipynb": "markdown"}
root_doc = "index"
exclude_patterns = ["_build"]

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
suppress_warnings = [
    "myst.header",  # the cells of a notebook begin at any level
    "ref.python",  # the name of an argument may be that of many attributes
]

default_role = "code"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_member_order = "groupwise"
add_module_names = False
napoleon_numpy_docstring = False
napoleon_use_ivar = True
OUTSIDE = "collections dataclasses gymnasium numpy pathlib pettingzoo pyarrow stable_baselines3 torch types typing"
UNLISTED = (  # of our own, not in the reference: bases of what is, and what only annotations name
    "hearts_agents.arena.results.Scores",
    "hearts_agents.search.base.SearchAgent",
    "hearts_agents.uniform.SeededAgent",
    "hearts_env.cards.Deck",
    "hearts_env.envs.all_seats.AllSeats",
    "hearts_env.ruleset.passing.PassOption",
    "hearts_agents.workers._Result",
    "hearts_env.seat.public.Public",
    "hearts_env.table.log.DealLog",
    "hearts_env.ruleset.fields.RuleFields",
    "hearts_training.data.folder.DataSet",
    "hearts_training.progress.Status",
)
MARKS = "DivergedError|Fixed|Positional|Suppress|[a-z_]+"  # Tyro's, and names of attributes described together
nitpick_ignore_regex = [("py:.*", rf"({'|'.join(OUTSIDE.split())})\w*\b.*"), ("py:.*", MARKS)]
nitpick_ignore = [("py:class", name) for name in UNLISTED]

html_theme = "furo"
html_title = f"Hearts suite {release}"
html_show_sourcelink = False
html_search_scorer = str(DOCS / "scorer.js")
html_static_path = ["static"]
html_css_files = ["site.css"]
html_favicon = html_logo = str(ROOT / "training/hearts_training/web/static/heart.svg")


def setup(app: Sphinx) -> None:
    """Write what is generated before the pages are looked for; move links, and read notebooks as Markdown."""
    generate.copy_tree(DOCS / "tree")
    generate.write_pages(DOCS / "made")
    app.connect("source-read", generate.read_page)
    app.connect("doctree-read", guides_first)
    app.connect("autodoc-process-docstring", whole_sentences, priority=1)


def guides_first(app: Sphinx, doctree: nodes.document) -> None:
    """Keep from the search what every variant's page repeats: all its sections, but not its title and summary."""
    if app.env.docname.startswith("made/variants/"):
        for section in doctree.findall(nodes.section):
            if isinstance(section.parent, nodes.section):
                section["classes"].append("no-search")


def whole_sentences(app: Sphinx, what: str, name: str, value: object, options: object, lines: list[str]) -> None:
    """Keep napoleon from taking what stands before a colon in the docstring of an attribute for its type."""
    if what in ("attribute", "data", "property") and lines:
        lines[0] = f": {lines[0]}"  # no type, then the sentence
