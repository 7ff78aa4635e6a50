"""What has to hold of the picture of a seat, as data and as text."""

import json
from random import Random
from typing import Any

import hearts_env as he
from hearts_env.seat.view import View, view_of
from hearts_env.seat.worlds import sample_worlds
from tests.support.worlds import some_seats

MOST_TEXT = 1500
"""Characters for four seats in the first half of a deal, rules not counted."""


def picture(match: he.Match, rng: Random) -> None:
    """A view survives JSON; hidden cards change neither data nor text; the text ends with the legal actions."""
    for seat in some_seats(match, rng):
        view = match.view(seat)
        data = view.as_dict()
        again = View.from_dict(json.loads(json.dumps(data)))
        assert content(again) == content(view)
        assert again.observation().tobytes() == view.observation().tobytes()
        assert again.action_mask().tobytes() == view.action_mask().tobytes()
        assert data["legal"] == view.legal()
        text = view.text()
        twin = view_of(match.game, sample_worlds(view, 1, seed=rng.randrange(2**32)).records, seat)
        assert (twin.as_dict(), twin.text()) == (data, text)
        check_text(view, text)


def check_text(view: View, text: str) -> None:
    """The last line names the legal actions, however short the text, and four seats need few characters."""
    last = " ".join(f"[{action}]" for action in view.legal()) or "none"
    short = view.text(max_chars=300)
    assert text.splitlines()[-1] == short.splitlines()[-1] == f"Legal actions: {last}"
    assert len(short) <= max(300, len(text))
    if view.game.seats == 4 and 2 * len(view.hand) >= view.game.hand_size:
        assert len(text) - len(str(view.game.rules)) <= MOST_TEXT


def content(view: View) -> Any:
    """The record of a view as bytes, with 0 in the memory that nothing of this deal has used yet."""
    record, seat = view.record.copy(), view.seat
    record["picks"][seat, len(view.passed) :] = 0
    record["received"][seat, len(view.received) :] = 0
    record["trick"][int(record["trick_len"]) :] = 0
    record["history_seat"][int(record["plies"]) :] = 0
    record["trick_goal"] *= record["plies"] > 0
    return record.tobytes()
