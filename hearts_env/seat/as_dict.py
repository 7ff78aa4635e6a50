"""A view as data for JSON, and back: `View.as_dict` and `View.from_dict`.

`FIELDS` names every field of the dict in order, with the values it may have. Most fields stand for one field of the
`STATE` record. The tricks follow from the cards played, which the kernel plays again, both to write and to read them.
The parts that a dict gives twice (the cards taken, the legal actions) must agree: the view that was read is written
once more, and the two dicts must be equal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter
from typing import Any, Protocol

import numpy as np

from hearts_env.cards import SUITS
from hearts_env.compiled.game import Game, compile_game
from hearts_env.kernel.records import NOBODY, STATE, MoonChoice, Phase, Scoring, new_record
from hearts_env.ruleset.limits import PICKS
from hearts_env.ruleset.syntax import brief, read_gaussian, write_gaussian
from hearts_env.seat.public import PHASES
from hearts_env.variants.registry import rules as read_rules

VERSION = 1
"""The version of the dict."""
CHOICES = tuple(choice.name.lower() for choice in MoonChoice)
BOTH = 1 << MoonChoice.SELF | 1 << MoonChoice.OTHERS
MOST_POINTS = 2**30
MOST_CALLS = 16

Data = dict[str, Any]


class Known(Protocol):
    """The parts of a `View` that its dict is made from, besides the attributes that `FIELDS` names."""

    @property
    def game(self) -> Game:
        """The compiled rules."""

    @property
    def record(self) -> Any:
        """A `STATE` record in which everything the seat may not know is 0."""

    @property
    def seat(self) -> int:
        """The seat whose view it is."""

    @property
    def played(self) -> list[tuple[int, str]]:
        """(seat, card) in play order of the whole deal."""

    def legal(self) -> list[str]:
        """Names of the legal actions."""


def _as_it_is(_: Game, part: Any) -> Any:
    return part


@dataclass(frozen=True)
class FieldType:
    """The values that a field may have.

    Attributes:
        words: a description of them, for messages.
        test: whether a value is one of them.
        write: from the part of a record to the value, where the field stands for one field of the record.
        read: the other way round.
    """

    words: str
    test: Callable[[Game, Any], bool]
    write: Callable[[Game, Any], Any] = _as_it_is
    read: Callable[[Game, Any], Any] = _as_it_is


def _whole(low: int, high: int) -> FieldType:
    return FieldType(
        f"a whole number from {low} to {high}",
        lambda _, value: type(value) is int and low <= value <= high,
    )


def _or_none(kind: FieldType) -> FieldType:
    """Also None, which is `NOBODY` in the record."""
    return FieldType(
        f"{kind.words}, or null",
        lambda game, value: value is None or kind.test(game, value),
        lambda game, part: None if part == NOBODY else kind.write(game, part),
        lambda game, value: NOBODY if value is None else kind.read(game, value),
    )


def _list_of(kind: FieldType) -> FieldType:
    return FieldType(
        f"a list, each {kind.words}",
        lambda game, value: isinstance(value, list) and all(kind.test(game, one) for one in value),
    )


def _per_seat(kind: FieldType) -> FieldType:
    listed = _list_of(kind)
    return FieldType(
        f"a list, per seat {kind.words}",
        lambda game, value: listed.test(game, value) and len(value) == game.seats,
        lambda game, part: _each(kind.write, game, part[: game.seats].tolist()),
        lambda game, value: _each(kind.read, game, value),
    )


def _each(change: Callable[[Game, Any], Any], game: Game, parts: list[Any]) -> list[Any]:
    return parts if change is _as_it_is else [change(game, one) for one in parts]


def _is_score(_: Game, value: Any) -> bool:
    if type(value) not in (int, str):
        return False
    try:
        number = complex(read_gaussian(value))
    except ValueError:
        return False
    return max(abs(number.real), abs(number.imag)) <= MOST_POINTS


def _write_score(game: Game, part: Any) -> int | str:
    return write_gaussian(complex(*part)) if game.gaussian else part[0]


def _read_score(_: Game, value: Any) -> tuple[int, int]:
    number = complex(read_gaussian(value))
    return int(number.real), int(number.imag)


def _is_trick(game: Game, value: Any) -> bool:
    if not isinstance(value, dict) or set(value) != {"cards", "called", "winner"}:
        return False
    pairs = isinstance(value["cards"], list) and all(
        isinstance(one, list) and len(one) == 2 and SEAT.test(game, one[0]) and CARD.test(game, one[1])
        for one in value["cards"]
    )
    return pairs and _or_none(SUIT).test(game, value["called"]) and _or_none(SEAT).test(game, value["winner"])


FLAG = FieldType("true or false", lambda _, value: type(value) is bool, lambda _, part: bool(part))
TEXT = FieldType("text", lambda _, value: isinstance(value, str))
SEAT = FieldType(
    "the number of a seat",
    lambda game, value: type(value) is int and 0 <= value < game.seats,
)
SUIT = FieldType("C, D, H or S", lambda _, value: isinstance(value, str) and value in tuple(SUITS))
CARD = FieldType("a card of the pack", lambda game, value: isinstance(value, str) and value in game.deck.ids)
CARDS = _list_of(CARD)
CARD_SET = FieldType(
    "a list of different cards of the pack",
    lambda game, value: CARDS.test(game, value) and len(set(value)) == len(value),
    lambda game, part: game.names([part]) if part else [],
    lambda game, value: np.uint64(game.mask(value)),
)
CHOICE = FieldType(
    "one of self, others, fixed and slate",
    lambda _, value: isinstance(value, str) and value in CHOICES,
    lambda _, part: CHOICES[part],
    lambda _, value: CHOICES.index(value),
)
OFFERED = FieldType("true or false", FLAG.test, lambda _, part: bool(part), lambda _, value: BOTH * value)
SCORE = FieldType(
    "a whole number or a Gaussian integer such as 13i, of at most 9 digits", _is_score, _write_score, _read_score
)
TRICK = FieldType("an object with cards (pairs of seat and card), called and winner", _is_trick)
COUNT = _whole(0, 10**9)

FIELDS: dict[str, tuple[FieldType, str, str]] = {
    "version": (_whole(VERSION, VERSION), "", "the version of this dict"),
    "rules": (TEXT, "", "the rules, canonical and complete"),
    "seat": (SEAT, "", "whose view it is"),
    "phase": (
        FieldType(f"one of {', '.join(PHASES)}", lambda _, value: isinstance(value, str) and value in PHASES),
        "",
        "the kind of decision to take next, or over",
    ),
    "turn": (_or_none(SEAT), "seat", "the seat to act; null once the match is over"),
    "deal_number": (COUNT, "deal_number", "deals finished"),
    "deal_limit": (COUNT, "deal_limit", "the deal before which play stops; 0: as the rules end the match"),
    "dealer": (SEAT, "dealer", "who dealt"),
    "hand": (CARDS, "", "own cards, in kind order"),
    "pass_entry": (_whole(0, 127), "pass_entry", "place of this deal in the pass cycle"),
    "direction": (_or_none(TEXT), "", "how the deal is passed; null before the dealer has chosen, or without a pass"),
    "picked": (_whole(0, 15), "picked", "cards that the seat to act has picked to pass"),
    "passed": (CARDS, "", "own cards passed, or picked to pass so far, in order"),
    "received": (CARDS, "", "cards received in the pass, in order"),
    "refuser": (_or_none(SEAT), "refuser", "who may refuse a card, or has refused the one now replaced"),
    "offered": (CARD_SET, "", "cards that the seat may refuse to receive"),
    "handed_back": (_per_seat(CARD_SET), "handed_back", "refused cards that came back to each seat, which holds them"),
    "exposed": (_per_seat(CARD_SET), "shown", "cards that each seat showed before play"),
    "declined": (
        _whole(-1, 10),
        "declined",
        "seats in succession that showed no card; -1: the one to act has shown some",
    ),
    "pledges": (_per_seat(_or_none(FLAG)), "pledges", "whether each seat pledged to take no heart; null: undecided"),
    "opening_leader": (_or_none(SEAT), "", "who leads, or led, to the first trick; null before play"),
    "named_leader": (_or_none(SEAT), "named_leader", "the first leader of a deal set by hand"),
    "next_leader": (_or_none(SEAT), "next_leader", "who leads first because of a card taken in the deal before"),
    "free_lead": (FLAG, "free_lead", "whether any card may open although the rules name one"),
    "tricks": (_list_of(TRICK), "", "the finished tricks; winner null: dead, the cards go with a later trick"),
    "trick": (TRICK, "", "the current trick; called: the suit called to a joker that was led"),
    "broken": (FLAG, "", "whether hearts are broken"),
    "voids": (_per_seat(TEXT), "", "suits that each seat has shown to lack, such as CD"),
    "tricks_won": (_per_seat(COUNT), "", "tricks that each seat won in this deal"),
    "taken": (_per_seat(CARDS), "", "cards that each seat took in this deal, in kind order"),
    "rolled": (CARDS, "", "cards of dead tricks that go with the next one"),
    "kitty": (CARDS, "", "cards of the kitty that the seat took, in order"),
    "kitty_taken": (_per_seat(COUNT), "", "number of cards of the kitty that each seat took"),
    "points": (_per_seat(SCORE), "", "points of this deal so far; final once the deal is scored"),
    "shooter": (_or_none(SEAT), "shooter", "who shot the moon, in a deal that is being scored"),
    "passer": (_or_none(SEAT), "passer", "who passed to the shooter and may be punished for it"),
    "moon_offered": (OFFERED, "moon_choices", "whether the shooter chooses, or chose, what the moon does"),
    "moon_choice": (_or_none(CHOICE), "moon_choice", "what the moon does; null before the choice"),
    "signs": (_per_seat(_whole(-1, 1)), "signs", "sign chosen for the award to each seat; 0: none"),
    "last_points": (_per_seat(SCORE), "scored", "points of the last finished deal"),
    "totals": (_per_seat(SCORE), "totals", "totals of the finished deals"),
    "lives": (_per_seat(_whole(0, 127)), "lives", "lives left; 0 in games without lives"),
    "lost_at": (_per_seat(_whole(-1, 10**9)), "lost_at", "number of the deal that cost the last life; -1: none"),
    "streak": (_per_seat(_whole(0, 255)), "streak", "deals in a row in which the seat took every moon card"),
    "pool": (_whole(0, MOST_POINTS), "pool", "chips in the pool"),
    "tie_pending": (FLAG, "tie_pending", "whether only a tie keeps the match going"),
    "moon_extension": (FLAG, "moon_extension", "whether only a moon keeps the match going"),
    "next_dealer": (_or_none(SEAT), "next_dealer", "who would deal next; null until the deal is scored"),
    "finished": (FLAG, "finished", "whether the match is over by its rules"),
    "legal": (_list_of(TEXT), "", "names of the legal actions; none if another seat is to act"),
}
"""Name -> its values, the field of the `STATE` record that it stands for (if it is one), and what it means."""


def write_view(view: Known) -> Data:
    """See `View.as_dict`."""
    fields = ViewFields(view)
    return {name: fields[name] for name in FIELDS}


_OF_RECORD = {field: (name, kind.write) for name, (kind, field, _) in FIELDS.items() if field}
_PARTS = itemgetter(*map(list(STATE.fields or ()).index, _OF_RECORD))


ADDED: Data = {"declined": 0}
"""Fields that views written before they were added lack -> their value there."""


class ViewFields(Data):
    """The dict of a view, in which each field that stands for none of the record is worked out when first read."""

    def __init__(self, view: Known) -> None:
        game, parts = view.game, _PARTS(view.record.item())  # at once: each part alone takes as long as five of these
        super().__init__(
            (name, write(game, part)) for (name, write), part in zip(_OF_RECORD.values(), parts, strict=True)
        )
        self.view = view

    def __missing__(self, name: str) -> Any:
        if name in ("tricks", "trick"):
            self["tricks"], self["trick"] = replay_tricks(self.view.game, self.view.record, self.view.played)[1:]
        else:
            self[name] = WORKED_OUT[name](self.view) if name in WORKED_OUT else getattr(self.view, name)
        return self[name]


def _opening_leader(view: Known) -> int | None:
    first = int(view.record["history_seat"][0] if view.record["plies"] else view.record["leader"])
    return None if first == NOBODY else first


def _kitty_taken(view: Known) -> list[int]:
    takers = view.record["kitty_seat"][: int(view.game.tables["kitty_size"])].tolist()
    return [takers.count(seat) for seat in range(view.game.seats)]


WORKED_OUT: dict[str, Callable[[Known], Any]] = {
    "version": lambda _: VERSION,
    "rules": lambda view: view.game.text,
    "offered": lambda view: view.game.names([view.record["offered"][view.seat]]),
    "opening_leader": _opening_leader,
    "kitty_taken": _kitty_taken,
    "points": lambda view: FIELDS["points"][0].write(view.game, view.record["points"]),
    "legal": lambda view: view.legal(),
}
"""The fields that stand for no field of the record and for no attribute of the view, except the tricks."""


def replay_tricks(game: Game, record: Any, played: list[tuple[int, str]]) -> tuple[Any, list[Data], Data]:
    """Play a deal again from the opening lead: the record at its end, the finished tricks and the current one.

    Raises:
        ValueError: a seat played out of turn.
    """
    from hearts_env.kernel.deduce.constraints import replay_deal

    states, marks = np.frombuffer(bytearray(record.tobytes()), STATE), np.zeros((len(played), 3), np.int64)
    ply = replay_deal(np.frombuffer(record, STATE), game.table, states, marks)
    if ply < len(played):
        seat, card = played[ply]
        raise ValueError(f"seat {seat} cannot play {card} as card {ply + 1} of the deal: it is not its turn")
    cards, rows = list(map(list, played)), marks.tolist()
    ends = [place for place, (is_end, _, _) in enumerate(rows, 1) if is_end]
    tricks = [_trick(cards[start:end], rows[start:end]) for start, end in pairwise([0, *ends, len(rows)])]
    for trick, end in zip(tricks, ends, strict=False):
        trick["winner"] = None if rows[end - 1][1] == NOBODY else rows[end - 1][1]
    return states[0], tricks[:-1], tricks[-1]


def _trick(cards: list[list[Any]], rows: list[list[int]]) -> Data:
    calls = [suit for _, _, suit in rows if suit != NOBODY]
    return {"cards": cards, "called": SUITS[calls[-1]] if calls else None, "winner": None}


def record_of(data: Any) -> tuple[Game, Any]:
    """The compiled rules of a dict, and its record, which `check_same` has yet to compare with it.

    Raises:
        ValueError: a field is missing, unknown or impossible.
    """
    game = _check_shape(data)
    return game, _record(game, data)


def check_same(view: Known, data: Any) -> None:
    """Raise ValueError unless a view that was read from a dict has that dict."""
    again = write_view(view)
    for name in FIELDS:
        if again[name] != data[name]:
            raise _wrong(name, data[name], f"by the other fields it is {brief(again[name])}")


def _check_shape(data: Any) -> Game:
    """The game that a dict names. Raises ValueError unless each field is there and has a possible value."""
    if not isinstance(data, Mapping):
        raise ValueError(f"{brief(data)} is not possible; a view is an object with the field version and more")
    for name, (kind, _, _) in FIELDS.items():
        if name not in data:
            raise ValueError(f"the view lacks {name}; it is {kind.words}")
    for name in data:
        if name not in FIELDS:
            raise ValueError(f"the view has a field {brief(name)}, which version {VERSION} does not know")
    if not isinstance(data["rules"], str):
        raise _wrong("rules", data["rules"], "it is text")
    game = compile_game(read_rules(data["rules"]))
    for name, (kind, _, _) in FIELDS.items():
        if not kind.test(game, data[name]):
            raise _wrong(name, data[name], f"it is {kind.words}")
    return game


def _wrong(name: str, value: Any, needed: str) -> ValueError:
    return ValueError(f"{name}={brief(value)} is not possible; {needed}")


def _record(game: Game, data: Any) -> Any:
    """The `STATE` record of a dict whose fields are possible one by one."""
    from hearts_env.kernel.dealing import clear_deal, clear_match

    states = new_record()
    s, t, phase = states[0], game.tables, PHASES.index(data["phase"])
    clear_match(s, t)
    clear_deal(s, t)
    tricks = [*data["tricks"], data["trick"]]
    played = [(seat, card) for trick in tricks for seat, card in trick["cards"]]
    _check_cards(game, data, played)
    _fill(game, s, data)
    if phase < Phase.PLAY:
        return s
    s["leader"] = NOBODY if data["opening_leader"] is None else data["opening_leader"]
    s["plies"] = len(played)
    s["history"][: len(played)] = [game.deck.ids[card] for _, card in played]
    s["history_seat"][: len(played)] = [seat for seat, _ in played]
    calls = [SUITS.index(trick["called"]) for trick in tricks if trick["called"] is not None]
    if len(calls) > MOST_CALLS:
        raise _wrong("tricks", len(calls), f"at most {MOST_CALLS} suits are called in a deal")
    s["called"], s["calls"] = len(calls), sum(suit << 2 * place for place, suit in enumerate(calls))
    w = replay_tricks(game, s, played)[0]
    _fill_kitty(game, w, data, scored=phase > Phase.SUIT)
    _fill(game, w, data)
    return w


def _check_cards(game: Game, data: Any, played: list[tuple[int, str]]) -> None:
    """Raise ValueError unless the cards held, put aside and played are of one pack, and the hand has its size."""
    seat, passing = data["seat"], data["phase"] in ("refuse", "pass")
    aside = data["passed"] if passing else []
    try:
        game.check_copies("cards", [data["hand"], aside, [card for _, card in played]])
    except ValueError as error:
        raise ValueError(f"hand, passed and tricks do not agree: {error}") from None
    left = game.hand_size - len(aside) - sum(player == seat for player, _ in played)
    if len(data["hand"]) != left:
        raise _wrong("hand", " ".join(data["hand"]), f"by the other fields it has {left} cards")
    taken = Counter(card for cards in data["taken"] for card in cards)
    if not taken <= game.deck.copies:
        raise _wrong("taken", data["taken"], "there are more cards than in the pack")


def _fill(game: Game, s: Any, data: Any) -> None:
    seat, t = data["seat"], game.tables
    for name, (kind, field, _) in FIELDS.items():
        if field:
            value = kind.read(game, data[name])
            s[field] = value if STATE[field].ndim == 0 else _padded(s[field], value)
    s["phase"], s["scoring"] = PHASES.index(data["phase"]), Scoring.IDLE
    s["hands"][seat] = game.planes(data["hand"])
    s["offered"][seat] = game.mask(data["offered"])
    raise_exposed(s, t)
    s["pass_option"] = _option(game, data)
    for name, field in (("passed", "picks"), ("received", "received")):
        if len(data[name]) > PICKS:
            raise _wrong(name, " ".join(data[name]), f"at most {PICKS} cards are passed")
        s[field][seat, : len(data[name])] = [game.deck.ids[card] for card in data[name]]


def raise_exposed(s: Any, t: Any) -> None:
    """Write which cards of a record are exposed, and which they raise, from those that each seat has shown."""
    s["exposed"] = np.bitwise_or.reduce(s["shown"])
    for place in range(int(t["exposures"])):
        if s["exposed"] & t["expose_card"][place]:
            s["raised"] |= t["expose_raises"][place]


def _padded(part: Any, rows: list[Any]) -> Any:
    """Values per seat with 0 for the seats that a game lacks."""
    whole = np.zeros_like(part)
    whole[: len(rows)] = rows
    return whole


def _option(game: Game, data: Any) -> int:
    """The way to pass that a dict names, among those of the deal's entry of the pass cycle."""
    entry, direction, entries = data["pass_entry"], data["direction"], int(game.tables["entries"])
    if entry >= entries:
        raise _wrong("pass_entry", entry, f"it is a whole number from 0 to {entries - 1}")
    if direction is None:
        return NOBODY
    mask = int(game.tables["entry_options"][entry])
    texts = {option.text: place for place, option in enumerate(game.options) if mask >> place & 1}
    if direction not in texts:
        raise _wrong("direction", direction, f"it is one of {', '.join(texts)}")
    return texts[direction]


def _fill_kitty(game: Game, w: Any, data: Any, *, scored: bool) -> None:
    """Write the cards of the kitty that a seat knows. Once a deal is scored, they are among the cards taken."""
    from hearts_env.kernel.taking import take_kitty

    if scored and w["scoring"] != Scoring.PLAYED_OUT:
        raise _wrong("phase", data["phase"], "not every card is played")
    size, seat = int(game.tables["kitty_size"]), data["seat"]
    for taker in range(game.seats) if scored else (seat,):
        cards = Counter(data["taken"][taker]) - Counter(game.names(w["taken"][taker]))
        named = list(cards.elements()) if taker != seat else data["kitty"]
        places = [place for place in range(size) if w["kitty_seat"][place] == taker]
        if len(named) != len(places):
            raise _wrong("kitty" if taker == seat else "taken", named, f"seat {taker} took {len(places)} of the kitty")
        w["kitty"][places] = [game.deck.ids[card] for card in named]
    if scored:
        take_kitty(w, game.tables)
        w["points"][: game.seats] = [_read_score(game, points) for points in data["points"]]
        w["kitty"][:size] *= w["kitty_seat"][:size] == seat
