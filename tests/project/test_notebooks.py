"""Every notebook runs from top to bottom, and holds no stored output that could go stale."""

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
LONG = ("01_quick_tour", "03_train_and_study", "04_benchmark")


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


def test_the_quick_tour_is_there() -> None:
    assert NOTEBOOKS[0].name == "01_quick_tour.ipynb"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_output_is_stored(path: Path) -> None:
    assert not any(cell.get("outputs") for cell in read(path).cells)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "path", [pytest.param(one, marks=[pytest.mark.release] * (one.stem in LONG), id=one.stem) for one in NOTEBOOKS]
)
def test_the_notebook_runs(path: Path, tmp_path: Path) -> None:
    notebook = read(path)
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code
    assert all(cell.execution_count for cell in code)
    assert any("image/png" in output.get("data", {}) for output in code[-1].outputs)
