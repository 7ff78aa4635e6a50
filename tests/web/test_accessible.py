"""Pages pass the checks of axe for WCAG 2.2 AA."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.web import Site, finished

pytestmark = pytest.mark.exhaustive

AXE = Path(__file__).parent / "vendor" / "axe-4.10.2.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]


def check(page: Any) -> None:
    page.add_script_tag(content=AXE.read_text(encoding="utf-8"))
    found = page.evaluate("tags => axe.run({ runOnly: tags })", TAGS)["violations"]
    assert [(one["id"], [node["target"] for node in one["nodes"]][:4]) for one in found] == []


def test_pages_have_no_barriers(page: Any, site: Site) -> None:
    record = finished("black_lady(max_deals=1)", 7).record()
    study = site.request("/api/studies", {"record": record})[1]["study"]
    links = [
        ("/", "#level-3"),
        ("/results", "h1"),
        (study, "#choices"),
        ("/table/none/none", "h1"),
        (site.open("black_lady", ["person me", "rule", "rule", "rule"], seed=7)["links"][0], ".hand .legal"),
        (site.open("black_lady(cycle=[hold])", ["person", *["rule"] * 3], seed=7)["links"][0], ".hand .idle"),
    ]
    for link, ready in links:
        page.goto(site.link + link)
        page.wait_for_selector(ready)
        check(page)
