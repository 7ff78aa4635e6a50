"""Every notebook is stored with its outputs, which are those of a run from top to bottom."""

from pathlib import Path

import pytest

from tests.notebooks import NOTEBOOKS, outline, read, run

LONG = ("01_quick_tour", "04_benchmark")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_outputs_are_stored(path: Path) -> None:
    code = [cell for cell in read(path).cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == [*range(1, len(code) + 1)]
    assert any("image/png" in output.get("data", {}) for output in code[-1].outputs)
    assert not any(output.output_type == "error" for cell in code for output in cell.outputs)
    assert path.stat().st_size < 600_000


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "path", [pytest.param(one, marks=[pytest.mark.release] * (one.stem in LONG), id=one.stem) for one in NOTEBOOKS]
)
def test_the_notebook_runs(path: Path) -> None:
    assert outline(run(path)) == outline(read(path))
