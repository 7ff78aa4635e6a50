"""The table in a real browser; `conftest.py` finds it."""

from itertools import takewhile
from pathlib import Path
from random import Random
from typing import Any

import pytest

import hearts_env as he
from hearts_env.table.match import Match
from hearts_training.web.seen import seen_by
from hearts_training.web.words import Names
from tests.support.games import positions
from tests.support.marks import rare
from tests.support.web import Site, Visit, running

pytestmark = pytest.mark.exhaustive

TURN_OR_END = (
    "document.querySelector('.own.turn') || document.querySelector('#next-deal') "
    "|| document.querySelector('.situation').textContent.includes('is over')"
)


def seat(page: Any, visit: Visit, rules: str, **more: Any) -> dict[str, Any]:
    """Sit down on the first seat, against agents."""
    table = visit.open(rules, ["person me", *["rule"] * (he.rules(rules).players - 1)], **more)
    page.goto(visit.at(table["links"][0]))
    page.wait_for_selector(".felt")
    return table


def decide(page: Any, rng: Random) -> bool:
    """Take one decision by the mouse. Returns whether the match goes on."""
    page.wait_for_function(TURN_OR_END)
    if "is over" in page.text_content(".situation"):
        return False
    if page.locator("#next-deal").count():
        page.click("#next-deal")
        return True
    before = page.get_attribute(".play", "data-at")
    if page.locator("#pass").count():
        wanted = int(page.text_content("#pass").split()[1])
        cards = page.locator(".hand .legal")
        for place in rng.sample(range(cards.count()), wanted):
            cards.nth(place).click()
        page.click("#pass")
    else:
        choices = page.locator(".hand .legal, .decisions button")
        choices.nth(rng.randrange(choices.count())).click()
    page.wait_for_function("before => document.querySelector('.play').dataset.at !== before", arg=before)
    return True


def play(page: Any, most: int, seed: int = 1) -> int:
    rng, done = Random(seed), 0
    while done < most and decide(page, rng):
        done += 1
    return done


def test_a_whole_match_from_the_first_page(page: Any, site: Site) -> None:
    page.goto(site.at())
    page.wait_for_selector("#level-3")
    page.click("#more summary")
    page.fill("#options", "max_deals=1")
    page.select_option("[id='moon.mode']", "old")
    page.select_option("#level-2", "Beginner")
    page.wait_for_selector("#verdict.good:has-text('moon.mode=old, end.max_deals=1')")
    page.fill("#seed", "7")
    page.fill("#name", "Ann")
    page.click("#start")
    page.wait_for_selector(".felt")
    page.evaluate("document.querySelector('.tools input[type=range]').value = 0")
    page.dispatch_event(".tools input[type=range]", "change")
    assert play(page, 400) == 14
    assert "The match is over" in page.text_content(".situation")
    _, _, _, _, key, token = page.url.split("/")
    assert site.match(f"/table/{key}/{token}").over
    page.click("#play-again")
    page.wait_for_function("key => !location.pathname.includes(key) && document.querySelector('.hand .legal')", arg=key)
    assert page.locator(".level").all_text_contents() == ["Solid", "Beginner", "Solid"]
    page.goto(site.at())
    page.wait_for_selector("#verdict:has-text('moon.mode=old, end.max_deals=1')", state="attached")
    assert page.input_value("#level-2") == "Beginner"
    page.goto(site.at("/results"))
    page.wait_for_selector("#played td:has-text('Hearts (Black Lady)')")


@pytest.mark.parametrize(
    ("rules", "kind"),
    rare(
        [
            ("dirty_hearts", "direction"),
            ("turbo_hearts", "expose"),
            ("black_lady(pledge=10)", "pledge"),
            ("joker_hearts(jokers.lead=call)", "suit"),
            ("black_lady(moon.cards=[QS])", "moon"),
            ("black_lady(better=magnitude, moon.cards=[QS], moon.sign=chosen)", "sign"),
            ("black_lady(exact={2:10}, exact_optional=true)", "exact"),
            ("black_lady", "pass"),
        ],
        daily=3,
    ),
)
def test_every_kind_of_decision_has_its_buttons(page: Any, site: Site, rules: str, kind: str) -> None:
    match = until(rules, kind)
    own = at_position(page, site, match)
    page.wait_for_selector(".own.turn")
    if kind == "pass":
        assert page.locator("#pass").is_disabled()
        assert page.evaluate("document.activeElement.matches('.hand .legal')")
        return
    buttons = page.locator(".decisions [data-action]")
    assert buttons.evaluate_all("all => all.map(one => one.dataset.action)") == match.legal()
    shows = seen_by(match, own, Names.of(["me" if seat == own else None for seat in range(match.rules.players)], own))
    assert buttons.all_text_contents() == list(shows["labels"].values())
    before = page.get_attribute(".play", "data-at")
    taken = match.legal()[-1]
    buttons.last.click()
    page.wait_for_function("before => document.querySelector('.play').dataset.at !== before", arg=before)
    assert (own, taken) in [
        action for deal in site.match(page.url.removeprefix(site.link)).log for action in deal.actions
    ]


def test_a_moon_is_an_event(page: Any, site: Site) -> None:
    own = at_position(page, site, until("black_lady(moon.cards=[QS])", "moon"))
    page.locator(".decisions button").first.click()
    page.wait_for_selector(".moon:has-text('You shot the moon.')")
    assert "You shot the moon." in page.text_content("#news")
    match = site.match(page.url.removeprefix(site.link))
    assert match.log[0].actions[-1][0] == own
    assert "with the moon" in page.text_content(".deal-end .chosen .took")
    assert page.locator("#tricks tbody tr").count() == 13
    page.click("#next-deal")
    page.wait_for_selector("#pass")
    assert page.locator(".middle .played").count() == 0


def test_both_copies_of_a_card_are_passed(page: Any, site: Site) -> None:
    rules = "cancellation_hearts(players=7)"
    match = next(one for seed in range(100) if twice(one := Match(rules, seed)))
    own, (card, *_) = at_position(page, site, match), twice(match)
    for place in range(2):
        page.locator(f".hand [data-card='{card}']").nth(place).click()
    wanted = int(match.view(own).game.tables["option_cards"][int(match.view(own).record["pass_option"])])
    others = page.locator(f".hand .legal:not(.up):not([data-card='{card}'])")
    for _ in range(wanted - 2):
        others.first.click()
    page.click("#pass")
    page.wait_for_function("document.querySelector('.play').dataset.at !== '0'")
    passed = [action for seat, action in site.match(page.url.removeprefix(site.link)).log[0].actions if seat == own]
    assert passed[:wanted].count(card) == 2


def twice(match: Match) -> list[str]:
    """Cards that the seat to act holds twice and may pass."""
    hand = match.hands[match.seat or 0]
    return [card for card in match.legal() if hand.count(card) == 2]


def until(rules: str, kind: str) -> Match:
    """A match, played at random, in which a decision of a kind is to be taken in the first deal."""
    firsts = (takewhile(lambda match: not match.deal_number, positions(rules, seed)) for seed in range(100))
    return next(match for first in firsts for match in first if match.phase == kind)


def at_position(page: Any, site: Site, match: Match) -> int:
    """Sit down on the seat to act, against agents."""
    own = match.seat or 0
    chairs = ["person me" if seat == own else "rule" for seat in range(match.rules.players)]
    table = site.open(str(match.rules), chairs, record=match.record())
    page.goto(site.at(table["links"][own]))
    page.wait_for_selector(".felt")
    return own


def test_a_hint_marks_every_decision_that_is_as_good(page: Any, site: Site) -> None:
    at_position(page, site, until("black_lady(moon.cards=[QS])", "moon"))
    page.click("#expert summary")
    page.fill("#adviser", "pimc(worlds=8)")
    page.click("#hint")
    page.wait_for_selector(".badge")
    assert page.locator(".decisions .badge.best").count() == 2


def test_the_keyboard_alone_suffices(page: Any, site: Site) -> None:
    table = seat(page, site, "black_lady(cycle=[hold], max_deals=1)", seed=2)
    link = table["links"][0]
    page.keyboard.press("Tab")
    for _ in range(60):
        page.wait_for_function(TURN_OR_END)
        if site.match(link).over:
            break
        page.wait_for_function("document.activeElement.closest('.hand') || document.querySelector('.hand .legal')")
        if not page.evaluate("document.activeElement.matches('.hand .legal')"):
            page.evaluate("document.querySelector('.hand button').focus()")
            for _ in range(13):
                if page.evaluate("document.activeElement.matches('.hand .legal')"):
                    break
                page.keyboard.press("ArrowRight")
        before = page.get_attribute(".play", "data-at")
        page.keyboard.press("Enter")
        page.wait_for_function("before => document.querySelector('.play').dataset.at !== before", arg=before)
    assert site.match(link).over


def test_hint_take_back_and_study(page: Any, site: Site) -> None:
    seat(page, site, "black_lady(cycle=[hold])", seed=7)
    play(page, 3)
    page.wait_for_selector(".own.turn")
    page.click("#expert summary")
    page.fill("#adviser", "pimc(worlds=8)")
    page.click("#hint")
    page.wait_for_selector(".hand .badge.best")
    cards = page.locator(".hand button").count()
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("u")
    page.wait_for_function("count => document.querySelectorAll('.hand button').length === count + 1", arg=cards)
    page.click("#belief")
    page.wait_for_selector(".belief")
    page.once("dialog", lambda dialog: dialog.dismiss())  # the hands of a deal in progress are not opened unasked
    page.click("#study")
    assert "/table/" in page.url
    page.once("dialog", lambda dialog: dialog.accept())
    page.click("#study")
    page.wait_for_selector("#analyse, #stop")
    page.click("#next")
    page.wait_for_selector("text=1 of")
    page.select_option("#who", "1")
    page.click("#play-on")
    page.wait_for_selector(".own")


def test_an_illegal_card_says_why(page: Any, site: Site) -> None:
    seat(page, site, "black_lady(cycle=[hold])", seed=7)
    page.wait_for_selector(".own.turn")
    assert page.title() == "Your turn · Hearts (Black Lady)"
    page.click("#game-rules summary")
    page.wait_for_selector("#game-rules h3:has-text('Scoring')")
    page.locator(".hand .idle").first.click()
    page.wait_for_selector("#line.shown:has-text('Follow suit: clubs were led.')")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("1")
    page.wait_for_selector("#line:not(.shown)", state="attached")


def test_a_narrow_screen_scrolls_only_downwards(page: Any, site: Site) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    for rules in ("black_lady", "cancellation_hearts(players=11)", "complex_hearts"):
        seat(page, site, rules, seed=1)
        page.wait_for_selector(".hand button")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    names = page.locator(".plane text").evaluate_all("all => all.map((one) => ({ y: one.getBBox().y }))")
    assert len(names) == 4
    for place, one in enumerate(names):
        assert all(abs(one["y"] - other["y"]) >= 9 for other in names[:place]), "no name lies on another"
    page.goto(site.at())
    page.wait_for_selector("#level-3")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_page_reconnects_when_the_server_comes_back(page: Any, tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite3"
    with running(file) as first:
        port = int(first.address.rpartition(":")[2])
        seat(page, first, "black_lady(cycle=[hold])", seed=7)
        play(page, 2)
        hand = page.locator(".hand button").count()
    page.wait_for_selector("body.offline")
    with running(file, port=port):
        page.wait_for_selector("body:not(.offline)")
        page.wait_for_selector(".own.turn")
        assert page.locator(".hand button").count() == hand
        assert play(page, 2) == 2
