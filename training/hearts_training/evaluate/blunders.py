"""The blunder suite: positions in which a card is a known mistake, and how often an agent plays it.

`rule`, with `shooter` in seat 0, plays deals that a seed fixes, with a random card now and then; the first position of
a kind (`hearts_training.evaluate.blunders_kinds`) in a deal is kept. Those of three games are stored in
``blunders.jsonl``, with the verdicts of a search: a card is wrong if it is worse than the best by at least a point and
two standard errors. In other games the kinds that need no judge are drawn when asked for.

The judge samples worlds that are all equally likely: it does not read why others played as they did.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hearts_agents.arena.stats import mean_of
from hearts_agents.base import Agent
from hearts_agents.registry import make_agent
from hearts_agents.values import values_of
from hearts_agents.workers import Workers, spread
from hearts_env.compiled.game import Game, compile_game
from hearts_env.envs.all_seats import views_in
from hearts_env.kernel.batch import step_all
from hearts_env.kernel.records import Phase
from hearts_env.ruleset.model import Rules
from hearts_env.seat.view import Views
from hearts_env.table.seeds import agent_seed
from hearts_env.variants.registry import rules as read_rules
from hearts_training.evaluate.blunders_kinds import JUDGED, KINDS, tempted
from hearts_training.evaluate.moon_suite import OTHER, SHOOTER, deals_of
from hearts_training.evaluate.positions import Positions, check_suite

FILE = Path(__file__).with_name("blunders.jsonl")
GAMES = ("black_lady", "omnibus_hearts", "partnership_hearts")
"""Games whose positions and verdicts are stored."""
JUDGE = "pimc(worlds=1024)"
SEED, SPOTS, SLIPS = 20261128, 50, 1 / 8
"""Seed of the play, positions of each kind, and the share of cards that are random."""
POINT, ERRORS = 1.0, 2.0
"""A wrong card is worse than the best by this many points, and by this many standard errors."""
_BATCH = 256
_FIRST, _BASE = 35, 57  # the character of 0 in the file, and how many follow none of which needs an escape in JSON

Verdict = tuple[tuple[int, float, float], ...]
"""(action, points by which it is worse than the best, standard error of that) of every legal action."""
Progress = Callable[[float], object]


class Spot(NamedTuple):
    """A position of the suite.

    Attributes:
        kind: name of its kind.
        deal: number of the deal, as `moon_suite.deals_of` deals it.
        actions: ids of the actions that lead to it.
        wrong: ids of the actions that are wrong.
        verdict: of the judge, rounded to tenths in the file; empty without one.
    """

    kind: str
    deal: int
    actions: tuple[int, ...]
    wrong: tuple[int, ...]
    verdict: Verdict = ()

    def to_json(self) -> list[Any]:
        """It without its kind, for the file."""
        verdict = "".join(_letters((action,)) + _pair(value) + _pair(error) for action, value, error in self.verdict)
        return [self.deal, _letters(self.actions), _letters(self.wrong), verdict]

    @staticmethod
    def from_json(kind: str, deal: int, actions: str, wrong: str, verdict: str) -> Spot:
        """The position that `to_json` wrote."""
        rows = np.reshape(_numbers(verdict), (-1, 5))
        tenths = zip(rows[:, 0].tolist(), *(rows[:, 1::2] * _BASE + rows[:, 2::2]).T.tolist(), strict=True)
        values = tuple((action, value / 10, error / 10) for action, value, error in tenths)
        return Spot(kind, deal, _numbers(actions), _numbers(wrong), values)


def _letters(numbers: Iterable[int]) -> str:
    return "".join(chr(_FIRST + number) for number in numbers)


def _pair(value: float) -> str:
    """Tenths in two letters."""
    return _letters(divmod(round(10 * value), _BASE))


def _numbers(letters: str) -> tuple[int, ...]:
    return tuple(ord(letter) - _FIRST for letter in letters)


def wrong_of(verdict: Verdict) -> tuple[int, ...]:
    """The actions that are wrong by a verdict.

    >>> wrong_of(((3, 0.0, 0.0), (4, 1.5, 0.5), (5, 1.5, 0.8), (6, 0.9, 0.1)))
    (4,)
    """
    return tuple(action for action, value, error in verdict if value >= max(POINT, ERRORS * error))


def judge_all(judge: Agent, views: Views) -> Iterator[Verdict]:
    """The verdicts of an agent that values actions.

    The error of a difference is the root of the sum of the squares of both actions' errors.
    """
    judge.reset(agent_seed(SEED, 0))
    found = values_of(judge, views)
    for values, errors in zip(found.values.astype(float), found.errors.astype(float), strict=True):
        best = int(np.nanargmin(values))
        error = np.hypot(errors, errors[best]) * (np.arange(len(errors)) != best)
        yield tuple(
            (one, values[one] - values[best], error[one]) for one in np.flatnonzero(np.isfinite(values)).tolist()
        )


# --- positions -------------------------------------------------------------------------------------------------------


def draw_spots(
    rules: Rules, count: int = SPOTS, judge: Agent | None = None, most: int = 2048, progress: Progress = lambda _: None
) -> list[Spot]:
    """The first `count` positions of every kind, fewer where the first `most` deals have fewer.

    Kinds that need a judge are left out without one.

    Raises:
        ValueError: rules with several packs, jokers or complex points.
    """
    game = compile_game(rules)
    check_suite(game)
    found: dict[str, list[Spot]] = {name: [] for name, kind in KINDS.items() if judge is not None or kind not in JUDGED}
    for first in range(0, most, _BATCH):
        for spot in _spots_of(game, np.arange(first, first + _BATCH), found, count, judge):
            found[spot.kind].append(spot)
        progress(first / most)
    return [spot for spots in found.values() for spot in spots]


def _spots_of(
    game: Game, deals: NDArray[np.int64], found: dict[str, list[Spot]], count: int, judge: Agent | None
) -> Iterator[Spot]:
    """Positions of the kinds of which fewer than `count` are found, at most one of a kind in a deal."""
    had: set[tuple[str, int]] = set()
    for rows, views, logs in _play(game, deals):
        places, at = Positions.of(views)
        for name in (name for name, spots in found.items() if len(spots) < count and len(places)):
            cards = KINDS[name](at) & at.legal
            new = [place for place in tempted(name, at).tolist() if (name, rows[places[place]]) not in had]
            spots = [
                Spot(name, int(deals[row]), tuple(logs[row]), tuple(np.flatnonzero(cards[place]).tolist()))
                for place, row in zip(new, rows[places[new]], strict=True)
            ]
            if judge is not None and spots:
                spots = _judged(spots, Views(game, at.views.records[new], check=False), judge)
            kept = spots[: count - len(found[name])]
            had |= {(name, int(spot.deal - deals[0])) for spot in kept}
            yield from kept


def _judged(spots: list[Spot], views: Views, judge: Agent) -> list[Spot]:
    """The positions in which the judge finds the cards that tempt wrong, with its verdicts.

    In kinds that need a judge one is enough, unless another is best; there all cards that it finds wrong are wrong.
    """
    kept = []
    for spot, verdict in zip(spots, judge_all(judge, views), strict=True):
        tempting, wrong, best = set(spot.wrong), wrong_of(verdict), min(verdict, key=lambda one: one[1])[0]
        if KINDS[spot.kind] not in JUDGED and tempting <= set(wrong):
            kept.append(spot._replace(verdict=verdict))
        if KINDS[spot.kind] in JUDGED and tempting & set(wrong) and best not in tempting:
            kept.append(spot._replace(wrong=wrong, verdict=verdict))
    return kept


def _play(game: Game, deals: NDArray[np.int64]) -> Iterator[tuple[NDArray[np.int64], Views, list[list[int]]]]:
    """Play deals; of every step the rows of those that go on, their views, and the actions so far of all."""
    states, logs = deals_of(game, deals), [list[int]() for _ in deals]
    players, rng = [make_agent(spec) for spec in (OTHER, SHOOTER, "random")], np.random.default_rng(SEED)
    for index, agent in enumerate(players):
        agent.reset(agent_seed(SEED, index))
    while (rows := np.flatnonzero(states["phase"] != Phase.OVER)).size:
        views = views_in(game, states, rows)
        yield rows, views, logs
        slips = (rng.random(len(rows)) < SLIPS) & (views.records["phase"] == Phase.PLAY)
        who, actions = np.where(slips, 2, views.records["seat"] == 0), np.zeros(len(rows), np.int64)
        for index, agent in enumerate(players):
            if (part := np.flatnonzero(who == index)).size:
                actions[part] = agent.act_batch(Views(game, views.records[part], check=False))
        _step(game, states, rows, actions)
        for row, action in zip(rows.tolist(), actions.tolist(), strict=True):
            logs[row].append(action)


def _step(game: Game, states: NDArray[Any], rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
    moved = states[rows]
    step_all(moved, game.table, actions)
    states[rows] = moved


def replay_spots(game: Game, spots: Sequence[Spot]) -> Views:
    """The views of the seats to act in positions of the suite."""
    states = deals_of(game, np.array([spot.deal for spot in spots], np.int64))
    for ply in range(max(len(spot.actions) for spot in spots)):
        rows = np.array([row for row, spot in enumerate(spots) if ply < len(spot.actions)])
        _step(game, states, rows, np.array([spots[row].actions[ply] for row in rows], np.int64))
    return views_in(game, states, np.arange(len(spots)))


def spots_of(rules: Rules, progress: Progress = lambda _: None) -> list[Spot]:
    """The positions of the suite: those stored for these rules, otherwise drawn now.

    >>> import hearts_env as he
    >>> len({spot.kind for spot in spots_of(he.rules("black_lady"))})
    15
    """
    lines = map(json.loads, FILE.read_text(encoding="utf-8").splitlines())
    stored = [Spot.from_json(kind, *spot) for variant, kind, spots in lines if variant == str(rules) for spot in spots]
    return stored or draw_spots(rules, progress=progress)


def write_spots(variants: Sequence[str] = GAMES, most: int = 16_384) -> None:
    """Draw and judge the positions of some games anew, and write the file: a line for each kind of a game."""
    lines = []
    for variant in variants:
        spots = draw_spots(read_rules(variant), judge=make_agent(JUDGE), most=most)
        for kind, those in groupby(spots, key=lambda spot: spot.kind):
            line = [variant, kind, [spot.to_json() for spot in those]]
            lines.append(json.dumps(line, separators=(",", ":")) + "\n")
    FILE.write_text("".join(lines), encoding="utf-8")


# --- the suite -------------------------------------------------------------------------------------------------------


class Blunders(NamedTuple):
    """An agent's blunders of one kind.

    Attributes:
        agent: its spec.
        kind: name of the kind.
        spots: positions of that kind.
        wrong: the number of those in which it plays a wrong card.
        rate: their share.
        rate_se: its standard error; NaN for one position.
    """

    agent: str
    kind: str
    spots: int
    wrong: int
    rate: float
    rate_se: float


def _chooser(spec: str, rules: Rules, spots: Sequence[Spot]) -> Callable[[int], tuple[int, NDArray[np.int64]]]:
    game, agent = compile_game(rules), make_agent(spec)
    views = replay_spots(game, spots)

    def choose(first: int) -> tuple[int, NDArray[np.int64]]:
        agent.reset(agent_seed(SEED, first))
        part = views.records[first : first + agent.tables_at_once]
        return first, agent.act_batch(Views(game, part, check=False))

    return choose


def find_blunders(spec: str, rules: Rules, spots: Sequence[Spot] | None = None, workers: Workers = 1) -> list[Blunders]:
    """An agent's blunders, kind by kind.

    Args:
        spec: the agent.
        rules: the rules.
        spots: the positions; by default those of the suite.
        workers: who plays.

    Raises:
        ValueError: no position, or an agent that follows one table at a time.

    >>> import hearts_env as he
    >>> found = find_blunders("rule", he.rules("partnership_hearts"))
    >>> [(one.wrong, one.spots) for one in found if one.kind == "queen_on_partner"]
    [(0, 50)]
    """
    spots, agent = spots_of(rules) if spots is None else spots, make_agent(spec)
    if agent.stateful:
        raise ValueError(f"{spec} follows one table at a time; it cannot be asked about single positions")
    if not spots:
        raise ValueError(f"{rules} has no blunder suite: no kind of blunder occurs in its deals")
    firsts = range(0, len(spots), agent.tables_at_once)
    parts = dict(spread(partial(_chooser, spec, rules, spots), firsts, workers, [spec]))
    actions = np.concatenate([parts[first] for first in firsts]).tolist()
    of_kind: dict[str, list[float]] = {}
    for action, spot in zip(actions, spots, strict=True):
        of_kind.setdefault(spot.kind, []).append(action in spot.wrong)
    return [
        Blunders(spec, kind, len(wrong), int(sum(wrong)), *mean_of(np.array(wrong, float))[:2])
        for kind, wrong in of_kind.items()
    ]
