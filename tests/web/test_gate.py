"""Who may connect: strangers, other users of the machine, and two servers in one browser."""

import logging
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener

import pytest
from starlette.routing import Mount, Route
from websockets.exceptions import InvalidStatus

from hearts_training.web.options import ServerOptions
from tests.support.web import Site, Visit, bare, receive, running

ORDER: dict[str, Any] = {"rules": "black_lady", "seats": ["person", "person", "rule", "rule"]}


@pytest.fixture(scope="module", params=["127.0.0.1", "0.0.0.0"])
def guarded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with running(tmp_path_factory.mktemp("web") / "tables.sqlite3", host=request.param) as one:
        yield one


@pytest.fixture
def logged(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """What the server logs."""
    logger = logging.getLogger("uvicorn.error")  # it tells no other logger
    logger.addHandler(caplog.handler)
    yield caplog
    logger.removeHandler(caplog.handler)


def refusal_of_socket(visit: Visit, link: str, **headers: str) -> int:
    """Status with which a socket is refused."""
    with pytest.raises(InvalidStatus) as refused, visit.sit(link, headers=headers):
        pass
    return refused.value.response.status_code


# --- without the key ------------------------------------------------------------------------------


def test_no_route_opens_without_the_key(guarded: Site, logged: pytest.LogCaptureFixture) -> None:
    """What another user of the machine can send: every route, with no key or a wrong one, and by no other way."""
    table = guarded.open(**ORDER)
    study = guarded.request("/api/studies", {"record": guarded.match(table["links"][0]).record()})[1]["study"]
    names = {"key": table["key"], "token": bare(table["links"][0]).split("/")[3]}
    strangers = [
        {"Cookie": ""},
        {"Cookie": f"hearts_key_{guarded.port}=wrong"},
        {"Cookie": f"hearts_key_{guarded.port}="},
        {"Cookie": f"hearts_key={guarded.key}"},
        {"Cookie": f"hearts_key_1={guarded.key}"},
        {"Cookie": f"hearts_browser_{guarded.port}={guarded.key}"},
        {"Cookie": "", "Authorization": f"token {guarded.key}"},
        {"Cookie": "", "X-Forwarded-For": "127.0.0.1"},
    ]
    tried = 0
    for route in guarded.server._routes():
        if not isinstance(route, Route | Mount):
            continue
        path = route.path.format(**names) + ("/app.js" if isinstance(route, Mount) else "")
        for headers in strangers:
            for query in ("", "?key=", "?key=wrong", "?key=%00", "?token=" + guarded.key):
                for body in (None, ORDER):
                    status, text = guarded.request(path + query, body, headers)
                    assert (status, text.count(b"\n"), b"holds the key" in text) == (403, 1, True), (path, headers)
                    tried += 1
    assert tried > 1000
    stranger = Visit(guarded.address, "wrong")
    for link in (bare(table["links"][0]), bare(study), f"/table/{table['key']}/watch", "/nowhere"):
        assert refusal_of_socket(stranger, link) == 403
    assert logged.text == ""  # strangers fill no log


def test_the_link_of_a_friend_opens_everything(guarded: Site) -> None:
    """The page that a link opens sets a cookie: later pages, requests and sockets need no key in their address."""
    links = guarded.open(**ORDER)["links"]
    friend = build_opener(HTTPCookieProcessor(CookieJar()))
    assert links[1].endswith(f"?key={guarded.key}")
    for path in (links[1], bare(links[1]), "/", "/static/app.js", "/api/menu", "/results"):
        assert friend.open(guarded.link + path, timeout=60).status == 200
    with guarded.sit(bare(links[1])) as socket:
        assert receive(socket, "table")["seat"] == 1
    with Visit(guarded.address).sit(links[1]) as socket:
        assert receive(socket, "table")["seat"] == 1


def test_every_link_that_a_page_gets_holds_the_key(guarded: Site) -> None:
    key = f"?key={guarded.key}"
    seats = guarded.open(**ORDER)
    watched = guarded.open("black_lady", ["rule"] * 4)
    study = guarded.request("/api/studies", {"record": guarded.match(watched["watch"]).record()})[1]
    with guarded.sit(seats["links"][0], f"hearts_browser_{guarded.port}=mine") as socket:
        receive(socket, "table")
    cookies = f"{guarded.cookie}; hearts_browser_{guarded.port}=mine"
    listed = guarded.request("/api/tables", headers={"Cookie": cookies})[1]
    links = [*seats["links"][:2], watched["watch"], study["study"], *(one["link"] for one in listed)]
    assert [link.count("?key=") for link in links] == [1] * 5
    assert all(link.endswith(key) for link in links)


def test_nobody_reads_the_links_of_others(guarded: Site) -> None:
    name = f"hearts_browser_{guarded.port}"
    with guarded.sit(guarded.open(**ORDER)["links"][0], f"{name}=hers") as socket:
        receive(socket, "table")
    for cookie in ("", f"{name}=other", f"{name}="):
        assert guarded.request("/api/tables", headers={"Cookie": f"{guarded.cookie}; {cookie}"})[1] == []


def test_only_a_server_of_this_machine_reads_folders(tmp_path: Path) -> None:
    with running(tmp_path / "tables.sqlite3", host="0.0.0.0") as site:
        for agent in ("net:runs/first", "net+pimc(runs/first)", "sb3:black_lady"):
            status, answer = site.request("/api/agent", {"agent": agent})
            assert (status, "is no network of the suite" in answer["error"]) == (400, True)
        assert site.request("/api/agent", {"agent": "net:black_lady"})[0] == 200


# --- of other pages -------------------------------------------------------------------------------


@pytest.mark.parametrize("headers", [{"Origin": "http://example.org"}, {"Host": "example.org"}, {"Origin": "null"}])
def test_foreign_pages_are_refused(site: Site, headers: dict[str, str]) -> None:
    assert site.request("/api/rules", {"rules": "black_lady"}, headers)[0] == 403


MALFORMED = [
    ("Origin", "http://["), ("Origin", "http://[::1"), ("Origin", "http://[]"), ("Origin", "http://[nowhere]:80"),
    ("Origin", "http://\u2100.example"), ("Origin", "http://a\xaab"), ("Origin", ""), ("Origin", "x" * 5000),
    ("Host", "["), ("Host", "[::1"), ("Host", "127.0.0.1:["), ("Host", "[v1.x]"), ("Host", "@"),
    ("Host", "example.org:99999999"), ("Host", "\xff"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), MALFORMED)
@pytest.mark.parametrize("key", ["", "right"])
def test_a_malformed_header_is_refused_in_one_line(
    site: Site, name: str, value: str, key: str, logged: pytest.LogCaptureFixture
) -> None:
    visitor, sent = Visit(site.address, key and site.key), value.encode().decode("latin-1")
    status, text = visitor.request("/api/rules", {"rules": "black_lady"}, {name: sent})
    assert (status, text.count(b"\n")) == (403, 1)
    assert len(text) < 500
    if name == "Origin":
        assert refusal_of_socket(visitor, "/table/one/watch", Origin=sent) == 403
    assert logged.text == ""


@pytest.mark.parametrize(
    "cookie", ["=", ";;;", 'a="', 'hearts_key="\\400"', "\xff=\xfe", "k" * 9000, "hearts_key_1=\\"]
)
def test_a_malformed_cookie_is_no_key(site: Site, cookie: str) -> None:
    assert site.request("/api/menu", headers={"Cookie": cookie})[0] == 403
    assert site.request(f"/api/menu?key={site.key}", headers={"Cookie": cookie})[0] == 200


@pytest.mark.parametrize("query", ["?key=%ff", "?key=%ed%a0%80", "?key", "?&&==", "?key=" + "x" * 9000, "?%00=%00"])
def test_a_malformed_query_is_no_key(site: Site, query: str) -> None:
    assert Visit(site.address).request("/api/menu" + query)[0] == 403
    assert site.request("/api/menu" + query)[0] == 200


@pytest.mark.parametrize(
    "path", ["/static/%00", "/static/../gate.py", "/static/%2e%2e/gate.py", "/static/" + "x" * 5000]
)
def test_a_malformed_path_is_not_found(site: Site, path: str) -> None:
    assert site.request(path)[0] == 404


# --- a key that stays -----------------------------------------------------------------------------


def test_the_key_outlives_the_server(tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite3"
    with running(file) as first:
        link = first.open(**ORDER)["links"][1]
    with running(file, port=int(first.port)) as again:
        assert again.key == first.key
        assert Visit(again.address).request(link)[0] == 200
        assert again.request("/api/menu", headers={"Cookie": first.cookie})[0] == 200
    with running(file, port=int(first.port), new_key=True) as other:
        assert other.key != first.key
        assert Visit(other.address).request(link)[0] == 403
        assert other.request("/api/menu", headers={"Cookie": first.cookie})[0] == 403
    with running(file) as last:
        assert last.key == other.key


def browser_names(opener: OpenerDirector, site: Site) -> Any:
    """What a server calls a browser that asks for its menu: the names of the cookies it sets."""
    with opener.open(site.link + "/api/menu", timeout=60) as answer:
        return sorted(one.partition("=")[0] for one in answer.headers.get_all("set-cookie"))


def test_two_servers_work_side_by_side_in_one_browser(tmp_path: Path) -> None:
    with running(tmp_path / "one.sqlite3") as one, running(tmp_path / "two.sqlite3") as two:
        jar = CookieJar()
        opener = build_opener(HTTPCookieProcessor(jar))
        for site in (one, two):
            assert opener.open(site.at(), timeout=60).status == 200
        values = {cookie.name: cookie.value for cookie in jar}
        for site in (one, two, one, two):
            assert browser_names(opener, site) == [f"hearts_key_{site.port}"]  # it keeps the browser's own name
        assert values == {cookie.name: cookie.value for cookie in jar}
        assert {f"hearts_{what}_{site.port}" for what in ("key", "browser") for site in (one, two)} == set(values)


def test_a_server_listens_on_loopback_unless_told() -> None:
    assert ServerOptions().is_local
