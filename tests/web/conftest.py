import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.web import Site, running

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with running(tmp_path_factory.mktemp("web") / "tables.sqlite3", apart=True) as one:
        yield one


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """Headless Chromium. Where there is none, the tests of pages are left out and say so."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        pytest.skip("no Chromium is installed: the pages are not tested in a browser")
    with playwright.sync_playwright() as library:
        one = library.chromium.launch(
            executable_path=chromium, args=[*FLAGS, "--disable-component-update", "--disable-sync"]
        )
        yield one
        one.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page without animation; an error in its scripts fails the test."""
    context = browser.new_context(
        viewport={"width": 1280, "height": 860}, reduced_motion="reduce", bypass_csp=True
    )  # for wait_for_function
    one, errors = context.new_page(), list[str]()
    one.on("pageerror", lambda error: errors.append(str(error)))
    one.set_default_timeout(60_000)
    yield one
    context.close()
    assert errors == []
