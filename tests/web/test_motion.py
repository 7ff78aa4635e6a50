"""Controls under a moving hand: presses of 110 ms, drags and keys while agents play without pause, with animation."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.web import Site, finished

pytestmark = pytest.mark.exhaustive


PRESSES = 6
"""Presses, and drags, of each test."""


@pytest.fixture
def moving(browser: Any) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1280, "height": 860}, bypass_csp=True)
    yield context.new_page()
    context.close()


def press(page: Any, selector: str) -> None:
    """A click as a hand does it: the button is down for 110 ms."""
    box = page.locator(selector).bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.wait_for_timeout(110)
    page.mouse.up()


def test_no_press_of_pause_is_lost_while_agents_play(moving: Any, site: Site) -> None:
    table = site.open("black_lady(target=none, max_deals=400)", ["rule"] * 4, pace=0.02)
    moving.goto(site.at(table["watch"]))
    moving.wait_for_selector("#pause")
    for press_number in range(PRESSES):
        press(moving, "#pause")
        moving.wait_for_selector(f"#pause:has-text('{'Pause' if press_number % 2 else 'Go on'}')", timeout=20000)
    assert moving.evaluate("document.activeElement.id") == "pause"


def drag(page: Any, selector: str, to: str) -> None:
    """A drag as a hand does it: in small steps, with a rest before the button goes up."""
    (x, y), (to_x, to_y) = (
        (box["x"] + box["width"] / 2, box["y"] + box["height"] / 3)
        for box in (page.locator(one).bounding_box() for one in (selector, to))
    )
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(to_x, to_y, steps=12)
    page.wait_for_timeout(110)
    page.mouse.up()


def test_no_press_or_drag_of_a_card_is_lost_while_tricks_go_to_their_winners(moving: Any, site: Site) -> None:
    table = site.open(
        "black_lady(cycle=[hold], target=none, max_deals=400)", ["person me", "rule", "rule", "rule"], pace=0.05, seed=7
    )
    moving.goto(site.at(table["links"][0]))
    for number in range(PRESSES):
        moving.wait_for_selector(".hand .legal, #next-deal")
        if moving.locator("#next-deal").count():
            press(moving, "#next-deal")
            moving.wait_for_selector(".hand .legal")
        before = moving.get_attribute(".play", "data-at")
        if number % 2:
            drag(moving, ".hand .legal >> nth=0", ".middle")
        else:
            press(moving, ".hand .legal >> nth=0")
        moving.wait_for_function("at => document.querySelector('.play').dataset.at !== at", arg=before, timeout=20000)
    assert moving.locator(".swept, .fresh").count()


@pytest.mark.release
def test_the_slider_of_a_study_stays_under_the_hand(moving: Any, site: Site) -> None:
    match = finished("black_lady(max_deals=4)", 7)
    moving.goto(site.at(site.request("/api/studies", {"record": match.record()})[1]["study"]))
    moving.wait_for_selector("#slider")
    box = moving.locator("#slider").bounding_box()
    middle, total = box["y"] + box["height"] / 2, int(moving.get_attribute("#slider", "max"))
    for share in [0.6, 0.2, 0.9] * (PRESSES // 3):
        now = int(moving.input_value("#slider")) / total
        moving.mouse.move(box["x"] + 8 + (box["width"] - 16) * now, middle)
        moving.mouse.down()
        moving.mouse.move(box["x"] + 8 + (box["width"] - 16) * share, middle, steps=15)
        moving.wait_for_timeout(110)
        moving.mouse.up()
        assert int(moving.input_value("#slider")) / total == pytest.approx(share, abs=0.03)
    moving.keyboard.press("ArrowRight")
    assert moving.evaluate("document.activeElement.id") == "slider"


def test_a_caret_stays_where_it_is_while_the_table_changes(moving: Any, site: Site) -> None:
    table = site.open("black_lady(cycle=[hold])", ["person me", "rule", "rule", "rule"], pace=0.1, seed=7)
    moving.goto(site.at(table["links"][0]))
    moving.click("#expert summary")
    moving.fill("#adviser", "pimc(worlds=8)")
    moving.evaluate("document.getElementById('adviser').setSelectionRange(4, 4)")
    with site.sit(table["links"][0]) as socket:
        for pace in range(10):
            socket.send(f'{{"do": "pace", "seconds": 0.0{pace}}}')
            moving.keyboard.type("x")
    moving.wait_for_timeout(200)
    assert moving.input_value("#adviser") == "pimc" + 10 * "x" + "(worlds=8)"
