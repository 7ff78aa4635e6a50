"""Pages on seven sizes of screen, light and dark: the checks of axe for WCAG 2.2 AA, the hand in reach, seats apart."""

from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

import hearts_env as he
from tests.support.marks import rare
from tests.support.web import Site
from tests.web.test_study_pages import study_of

pytestmark = pytest.mark.exhaustive

AXE = Path(__file__).parent / "vendor" / "axe-4.10.2.min.js"
OPTIONS = {"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"], "rules": {"target-size": {"enabled": True}}}
SIZES = [(360, 740), (740, 360), (768, 1024), (1024, 768), (1280, 720), (1920, 1080), (2560, 1440)]
GAMES = {players: f"black_lady(players={players})" for players in (3, 4, 5, 6)} | {
    players: f"cancellation_hearts(players={players})" for players in (7, 8, 9, 10, 11)
}
FAULTS = """() => {
  const box = (one) => one.getBoundingClientRect();
  const all = (selector) => [...document.querySelectorAll(selector)];
  const faults = document.documentElement.scrollWidth > innerWidth ? ["the page scrolls sideways"] : [];
  for (const card of all(".hand button")) {
    const { left, top, right, bottom, width, height } = box(card);
    if (width < 44 || height < 44) faults.push(`${card.dataset.card} is ${width} by ${height} pixels`);
    if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) faults.push(`${card.dataset.card} is off`);
    else if (document.elementFromPoint(left + width / 2, top + height / 2)?.closest("button") !== card)
      faults.push(`${card.dataset.card} is covered`);
  }
  const felt = box(document.querySelector(".felt")), seats = all(".seat").map((one) => [one.ariaLabel, box(one)]);
  seats.forEach(([name, one], place) => {
    if (one.left < felt.left || one.top < felt.top || one.right > felt.right || one.bottom > felt.bottom)
      faults.push(`${name} is beyond the felt`);
    for (const [other, two] of seats.slice(place + 1))
      if (one.left < two.right && two.left < one.right && one.top < two.bottom && two.top < one.bottom)
        faults.push(`${name} overlaps ${other}`);
  });
  return faults;
}"""


def looks(page: Any, sizes: Sequence[tuple[int, int]]) -> Iterator[str]:
    """Show a page on some sizes, by turns light and dark."""
    for (width, height), scheme in zip(sizes, cycle(("light", "dark")), strict=False):
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.wait_for_timeout(50)
        yield f"{width} by {height}, {scheme}"


def check(page: Any, sizes: Sequence[tuple[int, int]]) -> None:
    """What axe finds. It takes a ten's corner to lie on the page, not on the card, and skips the single characters."""
    page.add_script_tag(content=AXE.read_text(encoding="utf-8"))
    for look in looks(page, sizes):
        found = page.evaluate("options => axe.run({ exclude: ['.card .tight'] }, options)", OPTIONS)["violations"]
        assert [
            (look, one["id"], [(node["target"], node["failureSummary"]) for node in one["nodes"]][:4]) for one in found
        ] == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), look


@pytest.mark.parametrize(
    ("link", "ready"),
    [
        ("/", "#level-3"),
        pytest.param("/results", "h1", marks=pytest.mark.release),
        pytest.param("/advise", "#entry", marks=pytest.mark.release),
        ("/study", "#open"),
        pytest.param("/table/none/none", "h1", marks=pytest.mark.release),
        ("study", "#next-mistake"),
        pytest.param("watch", "#pause", marks=pytest.mark.release),
        pytest.param("pass", ".hand .legal", marks=pytest.mark.release),
        ("play", ".hand .idle"),
        pytest.param("crowd", ".hand button", marks=pytest.mark.release),
        ("end", "#next-deal"),
    ],
)
def test_pages_have_no_barriers(page: Any, site: Site, link: str, ready: str) -> None:
    seats = ["person me", "rule", "rule", "rule"]
    match link:
        case "study":
            link = study_of(site, "black_lady(max_deals=1)")
        case "watch":
            link = site.open("black_lady", ["rule"] * 4, seed=7, pace=5.0)["watch"]
        case "pass":
            table = site.open("black_lady", ["person", "person", "rule", "rule"], seed=7)
            page.add_init_script(f"localStorage.setItem('friends {table['key']}', '{table['invite']}')")
            link = table["links"][0]
        case "play":
            link = site.open("black_lady(cycle=[hold])", seats, seed=7)["links"][0]
        case "crowd":
            link = site.open(GAMES[11], ["person me", *["rule"] * 10], seed=7)["links"][0]
        case "end":
            link = last_card(site)
    page.goto(site.at(link))
    if ready == "#next-deal":
        page.locator(".hand .legal").first.click()
    page.wait_for_selector(ready)
    if ready == "#next-deal":
        page.set_viewport_size({"width": 844, "height": 390})
        box = page.locator(ready).bounding_box()
        assert box["y"] + box["height"] < 390, "above the fold of a telephone on its side"
    page.wait_for_selector("#stop", state="detached")
    check(page, SIZES[::6])


def last_card(site: Site) -> str:
    """The link of a seat that plays the last card of a deal."""
    match = he.Match("black_lady(cycle=[hold])", seed=7)
    while sum(map(len, match.hands)) > 1:
        match.play(match.legal()[0])
    chairs = ["person me" if seat == match.seat else "rule" for seat in range(4)]
    table = site.open("ignored", chairs, record=match.record())
    return str(next(link for link in table["links"] if link))


@pytest.mark.parametrize("players", rare(GAMES, 3))
def test_the_hand_is_in_reach_and_no_seats_overlap(page: Any, site: Site, players: int) -> None:
    table = site.open(GAMES[players], ["person me", *["rule"] * (players - 1)], seed=5)
    page.goto(site.at(table["links"][0]))
    page.wait_for_selector(".own.turn")
    assert {look: faults for look in looks(page, SIZES) if (faults := page.evaluate(FAULTS))} == {}


def test_colours_are_of_the_system_or_chosen(page: Any, site: Site) -> None:
    page.emulate_media(color_scheme="dark")
    page.goto(site.at())
    page.wait_for_selector("#level-3")
    colour = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(colour)
    page.click(".settings summary")
    page.select_option("#theme", "light")
    light = page.evaluate(colour)
    assert light != dark
    page.reload()
    assert page.evaluate(colour) == light
