"""The notebooks with their outputs: ``python -m tests.notebooks`` runs them all and writes what they show."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def read(path: Path) -> Any:
    """A notebook."""
    return nbformat.read(path, as_version=4)


def run(path: Path) -> Any:
    """A notebook, run from top to bottom in an empty folder; what it writes to stderr is left out."""
    notebook = read(path)
    with TemporaryDirectory() as folder:
        resources = {"metadata": {"path": folder}}
        NotebookClient(notebook, timeout=600, resources=resources, record_timing=False, coalesce_streams=True).execute()
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
    notebook.metadata.language_info = {"name": "python"}
    return notebook


def outline(notebook: Any) -> list[str]:
    """The outputs in order, without what depends on the machine: numbers, blanks, and the content of pictures."""
    found = []
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            text = output.get("text", "") or output.get("data", {}).get("text/plain", "")
            pictures = sorted(kind for kind in output.get("data", {}) if kind.startswith("image/"))
            found.append(" ".join(pictures) if pictures else re.sub(r"[-+\d.,:\s─━╴/]+", " ", text))
    return found


def main() -> int:
    """Run and write all notebooks."""
    for path in NOTEBOOKS:
        notebook = run(path)
        print(path.name, len(outline(notebook)), "outputs")
        nbformat.write(notebook, path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
