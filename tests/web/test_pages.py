"""The pages around the table in a real browser: the first page, a study, the results."""

from pathlib import Path
from typing import Any

import pytest

import hearts_env as he
from hearts_env.variants.known import KNOWN
from hearts_training.web.database import Database
from hearts_training.web.levels import levels
from tests.support.web import Site, finished, running
from tests.web.test_browser import play

pytestmark = pytest.mark.exhaustive


def chairs(site: Site, page: Any) -> list[str | None]:
    """The agents of the table that a page shows, None for a person."""
    database = Database(site.server.options.file)
    try:
        return [chair.agent for chair in database.table(page.url.split("/")[4]).chairs]
    finally:
        database.close()


@pytest.fixture
def first(page: Any, site: Site) -> Any:
    """The first page, ready to start."""
    page.goto(site.at())
    page.wait_for_selector("#start:not([disabled])")
    return page


@pytest.mark.release
def test_opponents_are_chosen_by_their_strength(first: Any, site: Site) -> None:
    first.wait_for_selector("#level-3")
    captions = first.locator(".opponents label > span:first-child").all_text_contents()
    assert captions == ["West", "North", "East"]
    first.select_option("#level-1", "Beginner")
    first.select_option("#level-3", "Strong")
    first.click("#start")
    first.wait_for_selector(".felt")
    easy, normal, strong, _ = (level.spec for level in levels(he.rules("black_lady")))
    assert chairs(site, first) == [None, easy, normal, strong]
    assert play(first, 4) == 4


def test_a_friend_gets_a_link_and_a_seat_is_chosen(first: Any, site: Site) -> None:
    first.click("#games summary")
    first.click("#games label:has-text('Partnership Hearts')")
    assert not first.locator("#games").get_attribute("open")
    first.wait_for_selector("label:has-text('Partner') #level-2")
    first.click("#more summary")
    first.select_option("#own", "1")
    first.select_option("#level-2", "friend")
    first.wait_for_selector("label:has-text('You get a link to send') #level-2")
    first.click("#start")
    first.wait_for_selector(".links input")
    assert chairs(site, first) == ["rule", None, "rule", None]
    assert first.locator("#study, #record").count() == 0  # the record would show the friend's hand
    friend = first.input_value(".links input")
    first.goto(friend)
    first.wait_for_selector(".felt")


def test_no_table_opens_under_the_rules_from_before(first: Any) -> None:
    held: list[Any] = []
    first.click("#more summary")
    first.route("**/api/rules", lambda route: held.append(route))  # noqa: PLW0108  # Playwright marks the handler
    first.fill("#options", "target=30")
    assert first.locator("#start").is_disabled()
    held[0].continue_()
    first.wait_for_selector("#start:not([disabled])")
    first.press("#options", "Enter")
    first.wait_for_selector(".side p:has-text('Changed: end.target=30')")


def test_rules_that_somebody_knows_are_chosen_by_their_name(first: Any, site: Site) -> None:
    first.click("#more summary")
    first.select_option("#known", KNOWN["trickster_left"].title)
    first.wait_for_selector("#start:not([disabled])")
    first.click("#start")
    first.wait_for_selector(".felt")
    rules = site.match(first.url.partition(site.link)[2].partition("?")[0]).rules
    assert rules == he.rules(KNOWN["trickster_left"].rules or "") != he.rules("black_lady")


def test_whoever_watches_a_seat_sees_its_hand_and_the_backs_of_the_others(page: Any, site: Site) -> None:
    page.goto(site.at(site.open("black_lady", ["rule"] * 4, pace=5.0)["watch"]))
    page.select_option("#look", "2")
    page.wait_for_selector(".hand button")
    assert page.locator(".seat:not(:has(.backs))").get_attribute("aria-label") == "North"


def test_results_are_empty_at_first_and_there_after_a_match(first: Any, tmp_path: Path) -> None:
    page = first
    with running(tmp_path / "tables.sqlite3") as site:
        page.goto(site.at("/results"))
        page.wait_for_selector("#none")
        assert page.locator("table").count() == 0
        table = site.open("gong_zhu(max_deals=1)", ["person Ann", "rule", "rule", "rule"])
        page.goto(site.at(table["links"][0]))
        page.wait_for_selector(".felt")
        play(page, 60)
        assert site.match(table["links"][0]).over
        page.goto(site.at("/results"))
        page.wait_for_selector("#played td:has-text('Gong Zhu')")
        assert "Lower is better in every game" in page.text_content("#played")
        assert page.locator("#ratings tbody tr").count() == 2
        assert page.locator("#none").count() == 0
        page.goto(site.at())
        page.wait_for_selector(".tables li:has-text('finished: Ann')")


def test_a_study_names_the_players_and_begins_by_itself(page: Any, site: Site) -> None:
    match = finished("black_lady(max_deals=1)", 7)
    study = {"record": match.record(), "names": ["Ann", "rule", "Bob", "rule"], "seat": 2}
    page.goto(site.at(site.request("/api/studies", study)[1]["study"]))
    page.wait_for_selector("h3:has-text('Bob (you)')")
    first = match.log[0].actions[0][0]
    names = ["Ann", "rule, seat 1", "Bob (you)", "rule, seat 3"]
    assert page.text_content("#choices h2").startswith(f"{names[first]} passes the ")
    page.wait_for_selector("#verdict:has-text('Your verdict')")  # a player need not request it
    assert page.input_value("#who") == "2"
    page.click("#believe")
    page.wait_for_selector("#beliefs caption:has-text('Ann')")
    page.evaluate("document.querySelector('#stop')?.click()")  # it is there only while the analysis goes on
