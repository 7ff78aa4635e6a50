"""The search of the site finds the page that a reader looks for, in Chromium."""

import functools
import os
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import quote

import pytest

EXPECTED = {
    "install": "install",
    "reward relative": "tree/hearts_env/README",
    "observation columns": "tree/hearts_env/README",
    "action mask": "tree/hearts_env/README",
    "write an agent": "tutorials/agent",
    "results": "tree/agents/RESULTS",
    "train": "tree/training/README",
    "resume training": "tree/training/README",
    "gpu": "tree/training/README",
    "data sets": "tree/training/DATA",
    "lost rewards": "tree/training/REWARDS",
    "benchmark": "benchmark",
    "language model": "tree/hearts_env/TEXT",
    "bot in another language": "tree/agents/hearts_agents/engines/README",
    "exploitability": "tutorials/exploitability",
    "margin": "glossary",
    "add a variant": "tree/CONTRIBUTING",
    "duplicate deals": "tree/agents/hearts_agents/arena/README",
    "omnibus hearts": "made/variants/omnibus_hearts",
    "vector_env": "made/reference/hearts_env",
}
"""What readers ask -> a page that must be among the first three."""


LINKS = "#search-results ul.search > li > a"
SHOWN = f"document.querySelectorAll('{LINKS}').length > 9 || /finished|did not/.test(Search.status?.innerText)"
NO_SUMMARIES = "window.fetch = () => new Promise(() => {})"
"""Only links are looked at; a summary still on its way when the page is left would be an error of the page."""


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and logs nothing."""

    def log_message(self, *args: object) -> None: ...


@pytest.fixture
def address() -> Iterator[str]:
    """The site that `.ci/run` has built, served on this machine."""
    folder = os.environ.get("HEARTS_SITE")
    if folder is None:
        pytest.skip("HEARTS_SITE names no built site; .ci/run builds one")
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.exhaustive
def test_readers_find_their_page_among_the_first_three(page: Any, address: str) -> None:
    page.add_init_script(NO_SUMMARIES)
    missed = {}
    for query, expected in EXPECTED.items():
        page.goto(f"{address}/search.html?q={quote(query)}")
        page.wait_for_function(SHOWN)
        links = page.eval_on_selector_all(LINKS, "all => all.map(a => a.pathname)")
        found = list(dict.fromkeys(links))[:3]
        if f"/{expected}.html" not in found:
            missed[query] = found
    assert missed == {}
