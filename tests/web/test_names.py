"""Names of players: what may stand in them, wherever they come from."""

import json

import pytest

from hearts_training.web.names import checked_name, checked_seat
from tests.support.web import Site, finished, receive

RULES = "black_lady(max_deals=1)"
GOOD = [
    "Ann", "Ann B. O'Neil-Łukasz (2)", "Ζωή", "李小龍", "山田\u3000太郎", "محمد", "می\u200cترا", "ශ්\u200dරී",  # noqa: RUF001
    "नमस्ते", "🦊", "👩\u200d💻", "❤\ufe0f\u200d🔥", "👍🏽", "🇨🇭", "1\ufe0f\u20e3", "#\ufe0f\u20e3", "Ann ❤\ufe0e",
    "\u2139\ufe0f\u203c\ufe0f", "🏴\u200d☠\ufe0f", "\U0001fae8",
]  # fmt: skip
BAD = [
    "\u202eAnn", "Ann\u202c", "\u2066Ann\u2069", "A\u200fnn", "A\x00nn", "A\nnn", "A\tnn", "A\x1b[31mnn",
    "A\x7fnn", "A\x85nn", "A\u2028nn", "A\u2029nn", "A\u200bnn", "A\u00adnn", "A\u2060nn", "\ufeffAnn",
    "A\ue000nn", "A\U000e0041nn", "A\uffffnn", "A\u0378nn", "A\u200dnn", "A\u200cnn", "👩\u200d", "\u200d💻",
    "👩\u200d\u200d💻", "👩\u200d 💻", " ", "   ", "\u00a0", "\u3000\u2003", "\u3164", "A\u3164", "\u2800",
    "\u115f\u1160", "\uffa0", "\u0301", "\ufe0f", "\u034f", "a\ufe0fb", "Ann\ufe0f", "\ufe0fAnn", "Ann \ufe00B",
    "a\U000e0100b", "Ann\U000e01ef", "é\ufe0f", "Ann+\ufe0f", "Ann 1\ufe0f", "1\ufe0fb", "❤\ufe0f\ufe0f",
    "❤\ufe0f\U000e0100",
]  # fmt: skip
SURROGATES = [r"\ud800", r"Ann\udc00", r"\udc00\ud800"]


def messages(name: str) -> list[tuple[str, str]]:
    """Every request that takes a name, as JSON with an escape for each character."""
    order = {"rules": RULES, "seats": ["person NAME", "rule", "rule", "rule"]}
    study = {"record": finished(RULES, 7).record(), "names": ["NAME", "rule", "rule", "rule"]}
    escaped = name if name in SURROGATES else json.dumps(name)[1:-1]
    return [
        (path, json.dumps(one).replace("NAME", escaped))
        for path, one in (("/api/tables", order), ("/api/studies", study))
    ]


def said(site: Site, name: str) -> dict[str, object]:
    """What the socket of a seat answers to a name."""
    link = site.open(RULES, ["person", "person", "person", "person"])["links"][0]
    with site.sit(link) as socket:
        receive(socket, "table")
        socket.send(
            '{"do": "name", "name": "NAME"}'.replace("NAME", name if name in SURROGATES else json.dumps(name)[1:-1])
        )
        answer = json.loads(socket.recv(timeout=60))
        assert isinstance(answer, dict)
        return answer


@pytest.mark.parametrize("name", [*BAD, *SURROGATES], ids=ascii)
def test_a_name_that_cannot_be_read_is_refused_in_one_line(site: Site, name: str) -> None:
    for path, body in messages(name):
        status, answer = site.request(path, body.encode())
        assert (status, "\n" in answer["error"]) == (400, False)
        assert any(word in answer["error"] for word in ("name", "surrogate", "hex escape"))
        assert answer["error"].isprintable()
    answer = said(site, name)
    assert (answer["is"], str(answer["line"]).isprintable()) == ("error", True)
    assert any(word in str(answer["line"]) for word in ("name", "surrogate", "hex escape"))


@pytest.mark.parametrize("name", GOOD, ids=ascii)
def test_names_of_all_scripts_and_emoji_are_taken(site: Site, name: str) -> None:
    for path, body in messages(name):
        assert site.request(path, body.encode())[0] == 200
    seen = name.replace("\u3000", " ")
    names = said(site, f" {name}  ")["names"]
    assert isinstance(names, list)
    assert names[0] == seen


def test_a_refusal_names_the_character(site: Site) -> None:
    assert said(site, "Ann\u202e")["line"] == (
        "name: U+202E (right-to-left override) cannot stand in a name; letters, digits, signs, emoji and spaces can"
    )
    assert said(site, "A\x00")["line"] == (
        "name: U+0000 cannot stand in a name; letters, digits, signs, emoji and spaces can"
    )
    assert said(site, "  ")["line"] == "name: a name has at least one letter, digit or sign that can be seen"


@pytest.mark.parametrize("seat", ["rule\u202e", "person\u202e", "rule\x00", "\u202eperson Ann", "person  "])
def test_no_seat_holds_what_cannot_be_read(site: Site, seat: str) -> None:
    status, answer = site.request("/api/tables", {"rules": RULES, "seats": [seat, "rule", "rule", "rule"]})
    assert (status, answer["error"].isprintable(), "name" in answer["error"]) == (400, True, True)


@pytest.mark.parametrize("text", ["\ud800", "Ann\udc00", "person \udfff"])
def test_a_lone_surrogate_is_refused(text: str) -> None:
    for check in (checked_name, checked_seat):
        with pytest.raises(ValueError, match=r"U\+D[8CF][0F][0F] cannot stand in a name"):
            check(text)


def test_a_seat_without_a_name_is_open(site: Site) -> None:
    assert site.open(RULES, ["person", "rule", "rule", "rule"])["links"][0]
