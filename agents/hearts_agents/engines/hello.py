"""The message `hello`: what a program has to know about the game before it plays."""

from __future__ import annotations

from typing import Any, get_args, get_origin

from hearts_agents.engines.messages import PROTOCOL, Hello, PassMove, PassWay
from hearts_env.compiled.game import Game
from hearts_env.ruleset.derived import card_points
from hearts_env.ruleset.model import field_types
from hearts_env.ruleset.passing import PassOption, pass_schedule
from hearts_env.ruleset.syntax import write_gaussian


def make_hello(game: Game, seat: int, time_ms: int, seed: int | None) -> Hello:
    """The message for the program in a seat."""
    rules, points = game.rules, card_points(game.rules, game.deck)
    cycle = pass_schedule(rules.passing.cycle, rules.players, rules.passing.count)
    hello = Hello(
        type="hello",
        protocol=PROTOCOL,
        rules=str(rules),
        fields={path: _plain(value, field_types()[path]) for path, value in rules.flat().items()},
        points={card: _number(points[card]) for card in game.deck.kinds},
        passes=[[_way(option) for option in options] for options in cycle],
        players=game.seats,
        seat=seat,
        time_ms=time_ms,
        actions=list(game.actions),
    )
    if seed is not None:
        hello["seed"] = seed
    return hello


def _way(option: PassOption) -> PassWay:
    moves = [PassMove(to=move.offset or None, cards=move.count) for move in option.moves]
    return PassWay(direction=option.text, moves=moves)


def _plain(value: Any, kind: Any) -> object:
    """The value of a field of some type in JSON: maps as objects, Gaussian integers as text."""
    if get_origin(kind) is tuple:
        is_map = get_origin(get_args(kind)[0]) is tuple
        return {str(key): _number(worth) for key, worth in value} if is_map else list(value)
    return _number(value)


def _number(value: Any) -> Any:
    return write_gaussian(value) if isinstance(value, complex) else value
