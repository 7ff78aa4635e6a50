"""The pages around the table in a real browser: the first page, a study, the results."""

from __future__ import annotations

from random import Random
from typing import Any

from hearts_env.play.match import Match
from tests.support.web import Site


def finished(rules: str, seed: int) -> Match:
    """A match that was played at random."""
    match, rng = Match(rules, seed), Random(seed)
    while not match.over:
        match.play(rng.choice(match.legal()))
    return match


def test_a_study_names_the_players_and_what_their_choices_cost(page: Any, site: Site) -> None:
    match = finished("black_lady(max_deals=1)", 7)
    study = {"record": match.record(), "names": ["Ann", "rule", "Bob", "rule"], "seat": 2}
    page.goto(site.link + site.request("/api/studies", study)[1]["study"])
    page.wait_for_selector("h3:has-text('Bob (you)')")
    first = match.log[0].actions[0][0]
    names = ["Ann", "rule, seat 1", "Bob (you)", "rule, seat 3"]
    assert page.text_content("#choices h2").startswith(f"{names[first]} passes the ")
    page.fill("#adviser", "pimc(worlds=4)")
    page.dispatch_event("#adviser", "change")
    page.click("#analyse")
    page.wait_for_selector("#valued")
    page.wait_for_selector("#analyse")
    assert "compared with the best" in page.text_content("#choices caption")
    assert page.locator("#choices .chosen").count() == 1
    assert page.locator(".costs .bad").count() == page.locator(".worst li").count() == 10
    assert "Red: the 10 costliest" in page.text_content("#bars")
    page.locator(".worst button").first.click()
    page.wait_for_selector("#choices .chosen td:has-text('±')")
    assert page.input_value("#who") == "2"
    page.click("#believe")
    page.wait_for_selector(".belief th:has-text('Bob (you)')")
