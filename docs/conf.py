"""The site: ``python -m sphinx -nW -b html docs OUT``, with the extra ``docs``.

Pages beside the code keep their place in the repository: `generate` copies them to ``docs/tree`` when the site is
built, and writes those that repeat the code to ``docs/made``. Both folders are ignored by git.
"""

import sys
from pathlib import Path

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

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
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
napoleon_use_ivar = True
nitpick_ignore_regex = [("py:.*", ".*")]  # annotations name classes of NumPy, torch and private modules: no inventories

html_theme = "furo"
html_title = f"Hearts suite {release}"
html_show_sourcelink = False


def setup(app: Sphinx) -> None:
    """Write what is generated before the pages are looked for; move links, and read notebooks as Markdown."""
    generate.copy_tree(DOCS / "tree")
    generate.write_pages(DOCS / "made")
    app.connect("source-read", generate.read_page)
