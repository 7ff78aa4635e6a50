"""A study in a real browser: the answer beside its question, advisers, deeper searches, addresses."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.web import Site, apart, bare, finished, running

pytestmark = pytest.mark.exhaustive

SIZES = [(1440, 900), (1280, 720), (390, 844), (844, 390)]
PARTS = [".felt", ".seat", ".option", ".strip", "#choices h2", "#cost", "#next-mistake"]
OUTSIDE = """selectors => selectors.filter(selector => {
  const all = [...document.querySelectorAll(selector)];
  return !all.length || all.some(one => { const { top, left, bottom, right } = one.getBoundingClientRect();
    const room = one.closest(".game")?.getBoundingClientRect().bottom ?? innerHeight;
    return top < 0 || left < 0 || bottom > room + 1 || right > innerWidth; });
})"""


def study_of(site: Site, rules: str = "black_lady(max_deals=5)") -> str:
    """The link of a study whose values are made up: each choice of seat 0 costs something, and is a clear mistake."""
    link = str(site.request("/api/studies", {"record": finished(rules, 7).record(), "seat": 0})[1]["study"])
    study = apart(site.server.studies.find(bare(link).rpartition("/")[2]))
    study.advisers = ["pimc(worlds=64)"]
    for at, decision in enumerate(study.decisions):
        names = study.position(at).legal()
        names.sort(key=lambda name: (name == decision["action"]) == (decision["seat"] == 0))
        if len(names) > 1:
            step = decision["seat"] == 0
            values = [{"action": name, "cost": float(step * nth), "error": 0.3} for nth, name in enumerate(names)]
            study.keep("pimc(worlds=64)", at, values)
    return link


@pytest.fixture
def studied(page: Any, site: Site) -> Any:
    """The page of such a study."""
    page.goto(site.at(study_of(site)))
    page.wait_for_selector(".valued .chosen")
    return page


def visit(page: Any, address: str) -> None:
    """Go to a position of the study on a page."""
    page.evaluate("address => { location.hash = address; }", address)
    page.wait_for_selector(f".study[data-address='{address}']")


def test_the_answer_is_beside_its_question_on_four_sizes(studied: Any) -> None:
    page = studied
    assert page.locator(".marks .clear").count() >= 16
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for address in ("deal2-pass", "deal3-trick2"):
            visit(page, address)
            assert (width, address, page.evaluate(OUTSIDE, PARTS)) == (width, address, [])
            values = page.locator(".option:not(.idle) .value").all_text_contents()
            assert values[0]
            assert "·" not in values
            assert page.locator(".option.best").count() == page.locator(".option.chosen").count() == 1
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), (width, height)
    page.locator(".picture .on").last.click()
    page.wait_for_selector(".study[data-address^='deal3-trick13']")
    page.click("#outlook")
    page.wait_for_selector("#curve .line >> nth=3", state="attached")
    page.click(".strip a:has-text('deal 4, ')")
    page.wait_for_selector(".study[data-address^='deal4-']")


def test_advisers_are_compared(studied: Any, site: Site) -> None:
    page, other = studied, "net:hearts"
    study = apart(site.server.studies.find(bare(page.url).rpartition("/")[2]))
    study.advisers.append(other)
    known = study.values["pimc(worlds=64)"]
    small, large = [at for at, found in known.items() if len(found) > 2 and found[2]["cost"]][:2]
    for at, found in known.items():
        names = [one["action"] for one in found]
        names.insert(0, names.pop({small: 1, large: 2}.get(at, 0)))
        study.keep(other, at, [{"action": name, "probability": 2.0**-nth} for nth, name in enumerate(names, 1)])
    page.reload()
    share = round(100 * (len(known) - 2) / len(known))
    page.wait_for_selector(f"#agreement:has-text('agree on {share}% of {len(known)} decisions.')")
    for nth, at in enumerate((large, small, large)):
        page.click("#disagreement")
        page.wait_for_selector(f"#advisers span:has-text('{nth % 2 + 1} of 2, the largest first')")
        assert int(page.input_value("#slider")) == at


@pytest.mark.release
def test_mistakes_are_found_from_a_link(page: Any, site: Site) -> None:
    plain = [
        site.request("/api/studies", {"record": finished("black_lady", seed).record()})[1]["study"] for seed in (7, 8)
    ]
    page.goto(site.at(plain[0]))
    page.click("#find")
    page.select_option("#who", "1")
    page.wait_for_selector("#verdict h2:has-text('seat 1')")
    page.click("#share-here")
    page.wait_for_selector("#link:focus")
    page.click("#stop")
    page.goto(site.at(plain[1]) + "#deal2-trick5")
    page.wait_for_selector(".option.best")  # valued unasked, and before the others
    page.click("#stop")


@pytest.mark.release
def test_a_decision_is_made_again_and_searched_further(studied: Any) -> None:
    page = studied
    page.wait_for_selector("h3:has-text('seat 0 (you)')")
    page.wait_for_selector("#verdict:has-text('Your verdict')")
    visit(page, "deal2-pass")
    page.wait_for_selector("#cost:has-text('points; best found: ')")
    page.click("#retry")
    assert page.locator(".felt .backs").count() == 3  # the other hands are covered
    assert page.locator(".option.chosen, .option.best").count() == 0
    assert "±" not in page.text_content("#choices")
    page.locator(".option:not(.chosen)").nth(3).click()
    page.wait_for_selector("#answer:has-text('±')")
    page.wait_for_selector("#depth:has-text('By a search on '):has-text(' worlds: differences below about ')")
    assert "as good as the best" not in page.text_content("#choices")
    assert page.locator("#advisers th:text-matches('^(256|1,024|4,096) worlds$')").count() == 1
    assert page.locator(".felt .backs").count() == 0
    page.click("#next-mistake")
    page.wait_for_selector("#choices .place:has-text('of ')")
    with page.expect_download() as download:
        page.click("#values")
    assert "place,deal,seat,name" in download.value.path().read_text(encoding="utf-8")


def test_a_position_has_an_address_a_link_and_a_picture(studied: Any, site: Site, tmp_path: Path) -> None:
    page = studied
    visit(page, "deal2-trick5.2")
    cards = "[...document.querySelectorAll('.option')].map(one => one.dataset.action)"
    before = page.evaluate(cards)
    page.reload()
    page.wait_for_selector(".study[data-address='deal2-trick5.2'] .valued .chosen")
    page.click("#share-link")
    link = page.input_value("#link")
    assert len(link) < 3_000
    for button, begins in (("#share a[download]", b"<svg"), ("#png", b"\x89PNG")):
        with page.expect_download() as download:
            page.click(button)
        assert download.value.suggested_filename.startswith("deal2-trick5.2.")
        assert download.value.path().read_bytes().startswith(begins)
    with running(tmp_path / "tables.sqlite3") as other:  # which has never seen the record
        page.goto(other.at("/study"))
        page.fill("#text", link[:-30])
        page.click("#open")
        page.wait_for_selector("#line.shown")
        page.goto(other.at("/study") + link[link.index("#") :])
        page.wait_for_selector(".study[data-address='deal2-trick5.2'] .valued .chosen")
        assert page.locator("h3:has-text('seat 0 (you)')").count() == 1
        assert page.evaluate(cards) == before


def test_a_line_is_tried_and_kept_with_a_comment(studied: Any) -> None:
    page = studied
    visit(page, "deal2-trick11")
    page.fill("#against", "net:black_lady")
    page.click("#try")
    page.wait_for_selector("#branch")
    for _ in range(3):
        moves = page.text_content("#moves")
        page.locator(".option:not(.idle)").first.click()
        page.wait_for_function("moves => document.querySelector('#moves').textContent !== moves", arg=moves)
    page.wait_for_selector("#ended")
    assert page.locator("#ended:has-text('In the record: ')").count() == 1
    line = page.text_content("#moves")
    page.click("#undo-line")
    page.wait_for_selector("#ended", state="detached")
    page.locator(".option:not(.idle)").first.click()
    page.wait_for_selector("#ended")
    page.fill("#branch #comment", "the queen falls")
    page.click("#keep")
    page.wait_for_selector("#lines li:has-text('the queen falls')")
    page.click("#leave-line")
    page.wait_for_selector("#cost")
    page.fill("#comment", "here it began")
    page.click("#keep")
    page.wait_for_selector("#lines li:has-text('here it began')")
    page.reload()
    page.click("#lines li:has-text('the queen falls') button >> nth=0")
    page.wait_for_selector("#ended")
    assert page.text_content("#moves") == line
    page.click("#lines li:has-text('the queen falls') button >> nth=1")
    page.wait_for_selector("#lines li:has-text('the queen falls')", state="detached")
