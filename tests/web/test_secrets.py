"""No seat's socket ever carries a card that the seat may not see."""

import json
import re
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random

import pytest
from websockets.exceptions import ConnectionClosedError

import hearts_env as he
from hearts_env.cards import SUITS
from hearts_env.compiled.game import Game
from hearts_env.explain.words import card_words
from hearts_env.table.match import Match
from hearts_training.web.database import Database
from hearts_training.web.guest import Guest
from hearts_training.web.players import Players
from hearts_training.web.table import WebTable
from hearts_training.web.tables import chair_of
from hearts_training.web.walk import Walk
from tests.support.marks import few
from tests.support.web import Site, receive

RUN = re.compile(r"([♣♦♥♠])((?:\w{1,2} )*\w{1,2})(?!\w)")
"""Cards of a suit as a table prints them: ♣2 4 K."""
HINT = '{"do": "hint", "agent": "pimc(worlds=1)"}'


def named(game: Game, text: str) -> set[str]:
    """Every card that a message names, by its name, its symbol or in words, also inside a sentence."""
    parts = {key: value for key, value in json.loads(text).items() if key not in ("rules", "agent")}
    dumped = json.dumps(parts, ensure_ascii=False)
    spelled = RUN.sub(lambda run: " ".join(rank + SUITS["♣♦♥♠".index(run[1])] for rank in run[2].split()), dumped)
    spellings = {word: card for card in game.deck.kinds for word in (card, card_words(card))}
    spellings.pop("joker", None)  # the suit of jokers, in words that name no card
    pattern = "|".join(map(re.escape, sorted(spellings, key=len, reverse=True)))
    return {spellings[word] for word in re.findall(rf"(?<!\w)({pattern})(?!\w)", spelled)}


def test_cards_are_found_in_every_spelling() -> None:
    text = '{"rules": "moon.cards=[2H]", "status": "The two of clubs or KS; ♦3 T  ♥A", "hand": ["expose:QS"]}'
    assert named(Match("black_lady").game, text) == {"2C", "KS", "3D", "TD", "AH", "QS"}


def known(match: Match, seat: int) -> set[str]:
    """Every card that a seat's view names, and those of earlier deals, which were scored."""
    view = match.view(seat)
    lists = [view.hand, view.passed, view.received, view.exposed, view.rolled, view.kitty, *view.taken]
    cards = {card for cards in lists for card in cards} | {card for _, card in view.played}
    scored = [[*deal.kitty, *(card for _, card in deal.actions)] for deal in match.log if deal.points is not None]
    return cards | {card for deal in scored for card in deal}


def check(text: str, now: Match, seat: int) -> None:
    """A message names no card that the seat may not see, and shows the seat's own cards."""
    state = json.loads(text)
    assert named(now.game, text) <= known(now, seat)
    if state["is"] == "table":
        assert (state["hand"], state["legal"]) == (now.view(seat).hand, now.view(seat).legal())
        assert state["hands"] is None


@pytest.mark.parametrize("name", few(he.VARIANTS, 9))
def test_a_seat_is_sent_only_what_it_may_see(name: str) -> None:
    """Every page that a table of people is sent, at some positions of a match."""
    rng, start = Random(3), Match(name, 3)
    chairs = [chair_of("person") for _ in range(start.game.seats)]
    database = Database(Path(":memory:"))
    table = WebTable("key", Walk(start), chairs, 0.0, database, Players(1, programs=False))
    for _ in range(150):
        if table.match.over:
            break
        table._take(rng.choice(table.match.legal()))
        if rng.random() < 0.1:
            for seat in range(start.game.seats):
                check(json.dumps(table.page(Guest(seat))), table.match, seat)
    database.close()


@pytest.mark.exhaustive
def test_a_socket_carries_the_page_of_its_seat_and_hints(site: Site) -> None:
    rng, links = Random(3), site.open("black_lady", ["person", "random", "random", "person"], seed=3)["links"]
    with ExitStack() as stack:
        sockets = {seat: stack.enter_context(site.sit(links[seat])) for seat in (0, 3)}
        texts = {seat: [str(socket.recv(timeout=60))] for seat, socket in sockets.items()}
        acted, done, advised = -1, 0, set[int]()
        while done < 8:  # decisions at random, the first of each seat after a hint
            for seat, socket in sockets.items():
                with suppress(TimeoutError):
                    while True:
                        texts[seat].append(str(socket.recv(timeout=0.01)))
                state = json.loads(texts[seat][-1])
                if state["turn"] == seat and state["at"] > acted:
                    if seat not in advised:
                        advised.add(seat)
                        socket.send(HINT)
                        texts[seat].insert(-1, json.dumps(receive(socket, "hint")))  # the last one is of the table
                    acted, done = state["at"], done + 1
                    socket.send(json.dumps({"do": "act", "actions": [rng.choice(state["legal"])], "at": acted}))
    match = site.match(links[0])
    for seat, sent in texts.items():
        assert {json.loads(text)["is"] for text in sent} == {"table", "hint"}
        for text in sent:
            check(text, match.after(json.loads(text)["at"]), seat)


def test_watching_shows_all_hands_only_where_nobody_plays(site: Site) -> None:
    table = site.open("black_lady", ["random"] * 4, pace=0.1)
    with site.sit(table["watch"]) as socket:
        assert len(receive(socket, "table")["hands"]) == 4
        socket.send('{"do": "look", "seat": 2}')
        while (state := receive(socket, "table"))["look"] != 2:
            pass
        assert (state["hands"], bool(state["hand"]), state["seat"]) == (None, True, None)
        socket.send('{"do": "look", "seat": 4}')
        assert "seats are 0 to 3" in receive(socket, "error")["line"]
    table = site.open("black_lady", ["person", "random", "random", "random"])
    assert table["watch"] is None
    with (
        site.sit(f"/table/{table['key']}/watch") as socket,
        pytest.raises(ConnectionClosedError, match="no such table"),
    ):
        socket.recv(timeout=60)
