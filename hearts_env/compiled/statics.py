"""The rules of a game as numbers: one row for each kind of card, suit, seat, way to pass and action, and one row for
everything that concerns none of these.

Everything is read from the compiled tables, so two spellings of a game have the same numbers, and the name of a variant
is nowhere. Points are costs, in units of all penalty points of the pack, each once as it is and once on a logarithmic
scale. Rows stand in the order of the pack and of the game's actions; seats are relative to the observer.

A test changes every field of the rules and looks for the difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hearts_env.cards import SUITS
from hearts_env.compiled.decisions import DECISIONS
from hearts_env.compiled.game import Game
from hearts_env.compiled.tables import COPIED
from hearts_env.kernel.records import JOKER_SUIT, UNSET, Situation
from hearts_env.ruleset import enums
from hearts_env.ruleset.enums import Choice
from hearts_env.ruleset.fields import DECLARATIONS

Floats = NDArray[np.float32]
Term = Callable[[Game], Any]
MOST = 4.0
"""Upper bound of points, in units of all penalty points, where they are not on the logarithmic scale."""
FINE = 26.0
"""Points of this share of all penalty points are 1 within the logarithm: a heart of Basic Hearts."""


def worth(game: Game, points: Any) -> Floats:
    """Points as costs, in units of all penalty points of the pack."""
    scale = float(game.tables["point_scale"]) * int(game.tables["cost_sign"])
    return np.asarray(points, np.float32) * np.float32(scale)


def logarithm(costs: Any) -> Floats:
    """Costs on a logarithmic scale: all penalty points are 1."""
    costs = np.asarray(costs, np.float32)
    found: Floats = np.sign(costs) * np.log1p(FINE * np.abs(costs)) / np.float32(np.log1p(FINE))
    return found


def _cards(column: str, *entry: int) -> Term:
    """1 for each kind in a mask of the tables, 0 for the others."""
    return lambda game: _bits(game.tables[column][entry] if entry else game.tables[column])


def _any_of(masks: Callable[[Any], Iterable[Any]]) -> Term:
    """Number of the masks that contain each kind."""
    return lambda game: sum((_bits(mask) for mask in masks(game.tables)), np.zeros(64, np.float32))


def _bits(mask: Any) -> Floats:
    return (np.uint64(mask) >> np.arange(64, dtype=np.uint64) & np.uint64(1)).astype(np.float32)


def _suit_of(game: Game) -> NDArray[np.int64]:
    """Suit of every kind, 5 beyond the pack."""
    kinds = int(game.tables["kinds"])
    return np.where(np.arange(64) < kinds, game.tables["suit_of"], JOKER_SUIT + 1).astype(np.int64)


def _copies(game: Game) -> Floats:
    t = game.tables
    return np.bincount(t["deck"][: int(t["deck_size"])], minlength=64).astype(np.float32)


def _beside(above: bool) -> Term:
    """Cards of the suit below or above each kind, in suits of thirteen."""

    def term(game: Game) -> Any:
        suit, copies, kind = _suit_of(game), _copies(game), np.arange(64)
        beyond = kind[None, :] > kind[:, None] if above else kind[None, :] < kind[:, None]
        return ((suit[None, :] == suit[:, None]) & beyond) @ copies / np.float32(13)

    return term


def _values(part: int) -> Term:
    return lambda game: np.clip(worth(game, game.tables["values"][:, part]), -MOST, MOST)


def _entries(length: str, mask: Callable[[Any, int], Any], value: Callable[[Game, int], float]) -> Term:
    """A number for each kind, summed over the entries of a map that name it."""

    def term(game: Game) -> Floats:
        found = np.zeros(64, np.float32)
        for entry in range(int(game.tables[length])):
            found += np.float32(value(game, entry)) * _bits(mask(game.tables, entry))
        return found

    return term


def _effect(factor: Any) -> float:
    """A factor, as what it adds to 1."""
    return float(factor) - 1


def _scoped(t: Any, entry: int) -> Any:
    """The cards that an entry of the multipliers multiplies; none if it is the whole hand."""
    return t["multiplier"][entry, 1]


CARD_TERMS: Mapping[str, Term] = {
    "there": lambda game: _copies(game) > 0,
    "copies": lambda game: _copies(game) / 2,
    "below": _beside(above=False),
    "above": _beside(above=True),
    "heart": _cards("hearts"),
    "joker": _cards("jokers"),
    "cost": _values(0),
    "log cost": lambda game: logarithm(worth(game, game.tables["values"][:, 0])),
    "imaginary cost": _values(1),
    "log imaginary cost": lambda game: logarithm(worth(game, game.tables["values"][:, 1])),
    "penalty": _cards("penalty"),
    "bonus": _cards("bonus"),
    "named": _cards("named"),
    "in the moon": _cards("moon_set"),
    "not scored beside the award": lambda game: _cards("moon_waived")(game) * (_copies(game) > 0),
    "enough for the moon": _entries(
        "leasts", lambda t, e: t["least"][e], lambda g, e: g.tables["least_count"][e, 0] / g.tables["least_count"][e, 1]
    ),
    "opens": _cards("opener"),
    "must open": _cards("opening"),
    "its taker opens": _cards("opening_taker"),
    "its taker deals": _cards("table_dealer_next"),
    "not passed": _cards("passing_unpassable"),
    "refusable": _cards("passing_refusable"),
    "barred from the first trick": _cards("play_first_trick_forbidden"),
    "breaks hearts": _cards("play_break_by"),
    "locked": _cards("play_locked"),
    "led unbroken": _cards("ladder", Situation.UNBROKEN.value, 0, 1),
    "keeps hearts unled": _cards("ladder", Situation.UNBROKEN.value, 0, 0),
    "led": _cards("ladder", Situation.LEAD.value, 0, 1),
    "played by whoever follows": _any_of(lambda t: [t["ladder"][Situation.FOLLOW + suit, 0, 1] for suit in range(4)]),
    "discarded first": _cards("ladder", Situation.FOLLOW.value, 1, 1),
    "copies cancel": _cards("cancels"),
    "first copy wins": _cards("first_wins"),
    "extends": _cards("trick_extend_rank"),
    "exposable": _cards("exposable"),
    "raised by exposing": _any_of(lambda t: t["expose_raises"][: int(t["exposures"])]),
    "multiplies": _entries(
        "multipliers", lambda t, e: t["multiplier"][e, 0], lambda g, e: _effect(g.tables["factor"][e, 0])
    ),
    "multiplies by i": _entries(
        "multipliers", lambda t, e: t["multiplier"][e, 0], lambda g, e: float(g.tables["factor"][e, 1])
    ),
    "multiplies some": _entries(
        "multipliers", lambda t, e: t["multiplier"][e, 0] * (_scoped(t, e) != 0), lambda g, e: 1
    ),
    "multiplied": _entries("multipliers", _scoped, lambda g, e: _effect(g.tables["factor"][e, 0])),
    "alone": _entries(
        "multipliers", lambda t, e: t["multiplier"][e, 0], lambda g, e: float(logarithm(worth(g, g.tables["alone"][e])))
    ),
    "negates": _entries("negations", lambda t, e: t["negation"][e, 0], lambda g, e: 1),
    "negated": _entries("negations", lambda t, e: t["negation"][e, 1], lambda g, e: 1),
    "sweeps": _entries("sweeps", lambda t, e: t["sweep"][e, 0], lambda g, e: 4 / int(g.tables["sweep_count"][e])),
    "swept": _entries("sweeps", lambda t, e: t["sweep"][e, 1], lambda g, e: 1),
    "in a set": _entries("sets", lambda t, e: t["set_cards"][e], lambda g, e: 2 / int(g.tables["set_count"][e])),
    "cost of its sets": _entries(
        "sets", lambda t, e: t["set_cards"][e], lambda g, e: float(logarithm(worth(g, g.tables["set_points"][e])))
    ),
}
"""Name -> the number for each kind of card."""


def _by_suit(reduce: Callable[[Floats], float], term: Term) -> Term:
    """A number for each of five suits, from its cards; unsuited jokers are the last."""

    def found(game: Game) -> list[float]:
        suit, values = _suit_of(game), np.asarray(term(game), np.float32)
        return [float(reduce(values[suit == one])) if (suit == one).any() else 0.0 for one in range(JOKER_SUIT + 1)]

    return found


SUIT_TERMS: Mapping[str, Term] = {
    "cards": _by_suit(lambda v: v.sum() / 13, _copies),
    "heart": _by_suit(np.max, _cards("hearts")),
    "joker": _by_suit(np.max, _cards("jokers")),
    "cost": _by_suit(np.sum, _values(0)),
    "highest cost": _by_suit(np.max, lambda game: logarithm(_values(0)(game))),
    "lowest cost": _by_suit(np.min, lambda game: logarithm(_values(0)(game))),
    "imaginary cost": _by_suit(np.sum, _values(1)),
    "opens": _by_suit(np.max, _cards("opener")),
    "scores": _by_suit(np.mean, _cards("scoring")),
}
"""Name -> the number for each suit: C, D, H, S and the unsuited jokers."""


def _seats(of: Callable[[NDArray[np.int64], int], Any]) -> Term:
    """Of each relative seat, from how many turns after the observer it plays, and the number of seats."""

    def term(game: Game) -> Any:
        n, place = game.seats, np.arange(game.seats)
        return of(place if int(game.tables["rotation"]) == 1 else -place % n, n)

    return term


SEAT_TERMS: Mapping[str, Term] = {
    "me": _seats(lambda turn, n: turn == 0),
    "turns until it plays": _seats(lambda turn, n: turn / n),
    "plays after me": _seats(lambda turn, n: turn == 1),
    "plays before me": _seats(lambda turn, n: turn == n - 1),
    "opposite": _seats(lambda turn, n: 2 * turn == n),
    "to the left": lambda game: np.arange(game.seats) == 1,
    "to the right": lambda game: np.arange(game.seats) == game.seats - 1,
    "teammate": lambda game: np.array(game.teams) == game.teams[0],
    "one of so many": _seats(lambda turn, n: np.full(n, 1 / n)),
}
"""Name -> the number for each relative seat. Teammates are those of seat 0."""


def _moves(of: Callable[[NDArray[np.int64], NDArray[np.int64], int], float]) -> Term:
    """Of each way to pass, from the offsets and the numbers of cards of its moves, and the number of seats."""

    def term(game: Game) -> list[float]:
        t, found = game.tables, []
        for option in range(int(t["options"])):
            moves = t["option_moves"][option, : int(t["option_len"][option])].astype(np.int64)
            found.append(float(of(moves[:, 0], moves[:, 1], game.seats)))
        return found

    return term


OPTION_TERMS: Mapping[str, Term] = {
    "hold": _moves(lambda to, cards, n: not len(to)),
    "pool": _moves(lambda to, cards, n: (to == 0).any()),
    "cards": _moves(lambda to, cards, n: cards.sum() / 5),
    "seats": _moves(lambda to, cards, n: len(to) / n),
    "to the left": _moves(lambda to, cards, n: cards[to == 1].sum() / 3),
    "to the right": _moves(lambda to, cards, n: cards[(to == n - 1) & (n > 2)].sum() / 3),
    "across": _moves(lambda to, cards, n: cards[2 * to == n].sum() / 3),
    "elsewhere": _moves(lambda to, cards, n: cards[(to > 1) & (to < n - 1) & (2 * to != n)].sum() / 3),
    "distance": _moves(lambda to, cards, n: to.mean() / n if len(to) else 0),
}
"""Name -> the number for each way to pass."""
WORDS = ("yes", "no", "self", "others", "plus", "minus", "done")
"""Answers that are no card, suit or way to pass."""


class Answer(NamedTuple):
    """A special action.

    Attributes:
        phase: its decision, a place in `DECISIONS`.
        word: a place in `WORDS`, or -1.
        card, suit, option: what it names, or -1.
    """

    phase: int
    word: int = -1
    card: int = -1
    suit: int = -1
    option: int = -1


def answers(game: Game) -> tuple[Answer, ...]:
    """The special actions of a game, in order."""
    return tuple(_answer(game, name) for name in game.actions[len(game.deck.kinds) :])


def _answer(game: Game, name: str) -> Answer:
    phase, word = name.split(":", 1)
    place = list(DECISIONS).index(phase)
    if word in WORDS:
        return Answer(place, word=WORDS.index(word))
    if word in game.deck.ids:
        return Answer(place, card=game.deck.ids[word])
    if word in SUITS:
        return Answer(place, suit=SUITS.index(word))
    return Answer(place, option=[option.text for option in game.options].index(word))


def _choice(path: str, kind: type[Choice], when: str = "") -> dict[str, Term]:
    """A column for each value of a closed choice; all 0 in games without what it is about."""
    column = path.replace(".", "_")

    def term(code: int) -> Term:
        return lambda game: game.tables[column] == code and (not when or _is_there(game, when))

    return {f"{path}={choice}": term(choice.code) for choice in kind}


def _flag(path: str, when: str = "") -> dict[str, Term]:
    column = path.replace(".", "_")
    return {path: lambda game: bool(game.tables[column]) and (not when or _is_there(game, when))}


def _is_there(game: Game, column: str) -> bool:
    return bool(np.any(game.tables[column] != 0))


def _points(path: str, column: str = "", *entry: int, when: str = "") -> dict[str, Term]:
    """Points as a cost, twice; 0 where the rules give none."""
    column = column or path.replace(".", "_")

    def term(game: Game) -> Floats:
        found = game.tables[column][entry] if entry else game.tables[column]
        there = int(found) != UNSET and (not when or _is_there(game, when))
        return worth(game, found if there else 0)

    return {path: lambda game: np.clip(term(game), -MOST, MOST), f"log {path}": lambda game: logarithm(term(game))}


def _given(path: str) -> dict[str, Term]:
    column = path.replace(".", "_")
    return {f"{path} given": lambda game: int(game.tables[column]) != UNSET}


def _number(path: str, column: str, scale: float) -> dict[str, Term]:
    return {path: lambda game: float(game.tables[column]) * scale}


def _total(path: str, column: str, *entry: int) -> dict[str, Term]:
    """A total, on a logarithmic scale of the penalty points of a deal."""

    def term(game: Game) -> Floats:
        found = int(game.tables[column][entry] if entry else game.tables[column])
        return logarithm(worth(game, 0 if found == UNSET else found))

    return {path: term}


def _term_of(path: str, hint: Any) -> dict[str, Term]:
    """The terms of a field with a column of its own."""
    column = path.replace(".", "_")
    if DECLARATIONS[path].pays:
        return _points(path)
    if hint is bool:
        return _flag(path)
    if isinstance(hint, type) and issubclass(hint, Choice):
        return dict([*_choice(path, hint).items()][1:])  # none for the default, which every game has
    return {path: lambda game: np.sign(game.tables[column]) * np.log1p(np.abs(float(game.tables[column]))) / 4}


OTHERWISE = (
    *("opening.card", "opening.taker", "passing.unpassable", "passing.refusable", "play.first_trick_forbidden"),
    *("trick.duplicates", "trick.extend_rank", "score.chips"),
)
"""Fields whose terms have other names."""
_FIRST: dict[str, Term] = {
    **_number("table.players", "seats", 1 / 11),
    "one of so many": lambda game: 1 / game.seats,
    "size of a team": lambda game: (int(game.tables["team_size"]) - 1) / 4,
    **_choice("table.team_scoring", enums.TeamScoring, "team"),
    **_number("cards of a hand", "hand_size", 1 / 13),
    **_number("cards of the pack", "deck_size", 1 / 52),
    **_number("cards of the kitty", "kitty_size", 1 / 8),
    **_choice("deck.kitty_award", enums.KittyAward, "kitty_size"),
    "anybody may open": lambda game: int(game.tables["opener"]) == 0,
    "any card opens": lambda game: int(game.tables["opening"]) == 0,
    **_choice("passing.schedule", enums.Schedule),
    **_number("entries of the cycle", "entries", 1 / 4),
    **_choice("play.first_trick_scope", enums.FirstTrickScope, "play_first_trick_forbidden"),
    **_choice("play.heart_lead", enums.HeartLead),
    **_choice("play.break_event", enums.BreakEvent),
    **_choice("jokers.play", enums.JokerPlay, "jokers"),
    **_choice("jokers.lead", enums.JokerLead, "jokers"),
    **_choice("jokers.scores", enums.JokerScores, "jokers"),
    **_number("exposures", "exposures", 1 / 4),
    **_number("exposing.factor", "exposing_factor", 1 / 2),
    **_flag("exposing.lock", "exposures"),
    "may die": lambda game: bool(game.tables["may_die"]),
    **_choice("trick.dead_trick", enums.DeadTrick, "may_die"),
    **_choice("trick.dead_last_trick", enums.DeadLastTrick, "may_die"),
    **_choice("trick.extend_when", enums.ExtendWhen, "trick_extend_rank"),
    **_choice("score.better", enums.Better),
    **_points("score.tricks: each", "trick_points", 0),
    **_points("score.tricks: first", "trick_points", 1),
    **_points("score.tricks: last", "trick_points", 2),
    "sets of tricks": lambda game: sum(
        float(logarithm(worth(game, game.tables["set_points"][place])))
        for place in range(int(game.tables["sets"]))
        if game.tables["set_tricks"][place]
    ),
    **_number("multipliers", "multipliers", 1 / 4),
    **_number("negations", "negations", 1 / 4),
    **_number("sweeps", "sweeps", 1 / 4),
    **_number("sets", "sets", 1 / 4),
    **_flag("score.bonus_floor_hand"),
    **_flag("score.bonus_floor_total"),
    **_points("score.no_tricks"),
    **_flag("score.no_tricks_on_moon", "score_no_tricks"),
    **_points("score.no_hearts"),
    **_flag("score.no_hearts_on_moon", "score_no_hearts"),
    **_points("score.pledge"),
    "chips": lambda game: float(game.tables["score_chips"]) / 25,
    **_choice("moon.mode", enums.MoonMode),
    **_choice("moon.policy", enums.MoonPolicy, "moon_mode"),
    **_choice("moon.scope", enums.MoonScope, "moon_mode"),
    **_number("cards of the moon", "moon_count", 1 / 13),
    **_number("patterns of the moon", "leasts", 1 / 4),
    **_points("moon.amount", "moon_amount", 0, when="moon_mode"),
    **_points("moon.amount, imaginary", "moon_amount", 1, when="moon_mode"),
    **_flag("moon.others_score", "moon_mode"),
    **_flag("moon.multiplied", "multipliers"),
    **_choice("moon.sign", enums.MoonSign),
    **_given("moon.new_moon_min"),
    **_total("moon.new_moon_min", "moon_new_moon_min"),
    **_choice("moon.new_moon_who", enums.NewMoonWho),
    **_choice("moon.extends", enums.MoonExtends),
    **_flag("moon.requires_sun", "moon_mode"),
    **_flag("moon.sun_skip_first", "moon_mode"),
    **_given("moon.sun_amount"),
    **_points("moon.sun_amount"),
    **_flag("moon.clean_slate", "moon_mode"),
    **_given("moon.punish"),
    **_points("moon.punish"),
    **_number("moon.big_moon_deals", "moon_big_moon_deals", 1 / 3),
    **_points("moon.big_moon_effect", "big_moon_points"),
    **_total("end.target", "end_target"),
    **_choice("end.target_cmp", enums.TargetCmp),
    **_total("end.lower_target", "end_lower_target"),
    "end.max_deals": lambda game: np.log1p(float(game.tables["end_max_deals"])) / 4,
    **_choice("end.tie", enums.Tie),
    **{
        name: term
        for slot in range(4)
        for name, term in _total(f"end.exact: total {slot}", "exact_total", slot).items()
    },
    **{
        name: term
        for slot in range(4)
        for name, term in _total(f"end.exact: added {slot}", "exact_change", slot).items()
    },
    **_flag("end.exact_optional"),
    **_number("end.lives", "end_lives", 1 / 3),
    **_total("end.life_threshold", "end_life_threshold"),
    **_choice("end.lives_out", enums.LivesOut, "end_lives"),
}
_KNOWN = {name.partition("=")[0] for name in _FIRST}.union(OTHERWISE)
RULE_TERMS: Mapping[str, Term] = _FIRST | {
    name: term for path, hint in COPIED.items() if path not in _KNOWN for name, term in _term_of(path, hint).items()
}
"""Name -> the number for a property of the rules that concerns no single card, suit, seat or way to pass. The terms of
a number, a flag or a choice that is added to the rules follow from its declaration.
"""
TERMS = {"cards": CARD_TERMS, "suits": SUIT_TERMS, "seats": SEAT_TERMS, "options": OPTION_TERMS, "rules": RULE_TERMS}
"""Table of the statics -> its terms, in the order of `Statics`."""


class Statics(NamedTuple):
    """The rules as numbers, float32.

    Attributes:
        cards: (kinds, len(CARD_TERMS)).
        suits: (5, len(SUIT_TERMS)).
        seats: (seats, len(SEAT_TERMS)), relative to the observer.
        options: (ways to pass, len(OPTION_TERMS)).
        rules: (len(RULE_TERMS),).
    """

    cards: Floats
    suits: Floats
    seats: Floats
    options: Floats
    rules: Floats


@lru_cache(maxsize=256)
def statics_of(game: Game) -> Statics:
    """The rules of a game as numbers.

    >>> import hearts_env as he
    >>> game = he.Match("black_lady").game
    >>> statics = statics_of(game)
    >>> dict(zip(CARD_TERMS, statics.cards[game.deck.ids["QS"]].tolist()))["cost"]
    0.5
    """
    cards, *others = (_rows(game, terms) for terms in TERMS.values())
    return Statics(cards[: len(game.deck.kinds)], *others)


def _rows(game: Game, terms: Mapping[str, Term]) -> Floats:
    columns = [np.asarray(term(game), np.float32) for term in terms.values()]
    found = np.stack(columns, axis=-1)
    found.flags.writeable = False
    return found
