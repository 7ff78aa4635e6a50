"""An agent's passes and their value, measured with the same card play and other passes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hearts_agents.arena import GivenDeals, KeptGames, run_arena
from hearts_agents.arena.stats import mean_of
from hearts_agents.arena.tables import TableBatch, TimedAgent, deal_numbers
from hearts_agents.base import Agent
from hearts_agents.registry import make_agent
from hearts_agents.workers import Workers
from hearts_env.cards import SUITS, suit_of
from hearts_env.compiled.game import Game, compile_game
from hearts_env.kernel.records import Phase
from hearts_env.ruleset.model import Rules
from hearts_env.seat.view import Views

if TYPE_CHECKING:
    from matplotlib.figure import SubFigure

Counts = NDArray[np.int64]
OTHERS = ("rule", "random")
"""Agents whose passes are compared with an agent's own."""
LENGTHS = 8
"""Suits of this length or more are one row of the picture."""


class PassedBy(Agent):
    """Plays as one agent and passes as another.

    >>> import hearts_env as he
    >>> from hearts_agents import make_agent
    >>> agent = PassedBy(make_agent("rule"), make_agent("random"))
    >>> agent.name, len(agent.act_batch(he.Views.of(he.Match("black_lady", seed=1).view(0))))
    ('rule, passes of random', 1)
    """

    def __init__(self, play: Agent, passes: Agent) -> None:
        self.play, self.passes = play, passes
        self.name = f"{play.name}, passes of {passes.name}"
        self.tables_at_once = min(play.tables_at_once, passes.tables_at_once)
        self.digest = play.digest + passes.digest

    def reset(self, seed: int) -> None:
        """Restart both agents."""
        self.play.reset(seed)
        self.passes.reset(seed)

    def act_batch(self, views: Views) -> NDArray[np.int64]:
        """One action per view, shape (n,)."""
        actions = np.empty(len(views), np.int64)
        passing = views.records["phase"] == Phase.PASS
        for agent, rows in ((self.passes, np.flatnonzero(passing)), (self.play, np.flatnonzero(~passing))):
            if rows.size:
                actions[rows] = agent.act_batch(Views(views.game, views.records[rows], check=False))
        return actions


@dataclass(frozen=True)
class Gain:
    """The gain of an agent's own passes over those of another, with the same card play.

    Attributes:
        passes: the other agent.
        margin: own points minus the mean of the opponents, which pass as the other does, per deal; negative is better.
        error: its standard error over duplicate deals.
    """

    passes: str
    margin: float
    error: float


@dataclass(frozen=True)
class Alike:
    """The share of the cards that a player of a log passed which an agent passes from the same hand.

    Attributes:
        player: the player.
        share: the mean over deals.
        error: its standard error.
    """

    player: str
    share: float
    error: float


@dataclass(frozen=True)
class Passes:
    """An agent's passes.

    Attributes:
        agent: its spec.
        deals: deals in which every seat was dealt a hand and passed.
        voids: suits that a pass empties, on average.
        held: (kinds,) how often each card was held.
        passed: (kinds,) how often it was then passed.
        held_by_length: (suits, `LENGTHS`) cards held in suits of length 1, 2 and so on; the last column is that length
            or more.
        passed_by_length: how many of these were passed.
        gains: its gains over the passes of `OTHERS`.
        alike: how it passes beside the players of a log, if there is one.
    """

    agent: str
    deals: int
    voids: float
    held: NDArray[np.int64]
    passed: NDArray[np.int64]
    held_by_length: NDArray[np.int64]
    passed_by_length: NDArray[np.int64]
    gains: tuple[Gain, ...]
    alike: tuple[Alike, ...] = ()

    def to_dict(self, game: Game) -> dict[str, Any]:
        """Plain values, for JSON: shares passed, by card and by suit and length."""
        shares = dict(zip(game.deck.kinds, map(float, share(self.passed, self.held)), strict=True))
        lengths = share(self.passed_by_length, self.held_by_length)
        return {
            "agent": self.agent,
            "deals": self.deals,
            "voids": self.voids,
            "passed": {card: round(part, 4) for card, part in shares.items()},
            "passed_by_length": {suit: lengths[place].round(4).tolist() for place, suit in enumerate(SUITS)},
            "gains": [vars(gain) for gain in self.gains],
        } | ({"log": [vars(one) for one in self.alike]} if self.alike else {})


def share(part: NDArray[np.int64], whole: NDArray[np.int64]) -> NDArray[np.float64]:
    """Parts of wholes; 0 of nothing."""
    found: NDArray[np.float64] = part / np.maximum(whole, 1)
    return found


def study_passes(
    agent: str,
    rules: Rules,
    deals: int,
    seed: int,
    workers: Workers,
    progress: Callable[[str, float], None],
    given: GivenDeals | None = None,
    kept: KeptGames | None = None,
) -> Passes:
    """Measure an agent's passes.

    Args:
        agent: its spec.
        rules: the rules; they must have a pass.
        deals: duplicate deals for the gains, and deals for what is passed.
        seed: fixes the deals.
        workers: who plays.
        progress: called with what is measured and the fraction done.
        given: deals of a log to measure them in, `deals` in number; its players' passes are compared.
        kept: keeps games of the deals that the gains come from.

    Raises ValueError for an agent that follows a single table: the deals end with the pass.
    """
    game, own = compile_game(rules), make_agent(agent)
    if own.stateful:
        raise ValueError(f"{agent} follows one table at a time; its passes cannot be studied")
    starts = _dealt(game, deals, seed) if given is None else given.starts
    held, passed, places = _pick(game, own, starts, seed)
    gains = []
    for other in OTHERS:
        players = [own, PassedBy(make_agent(agent), make_agent(other))]
        show = partial(progress, f"passes of {other}")
        number = deals if given is None else None
        result = run_arena(players, rules, number, seed, workers=workers, progress=show, given=given, kept=kept)
        gains.append(Gain(other, result.agents[0].margin, result.agents[0].margin_se))
    alike = () if given is None else _alike(given, game, dict(zip(places, passed, strict=True)))
    return replace(_count(agent, game, held, passed, tuple(gains)), alike=alike)


def _alike(given: GivenDeals, game: Game, picks: dict[tuple[int, int], Counts]) -> tuple[Alike, ...]:
    """The comparison with the players of a log; (deal, seat) -> the cards that the agent passes, (kinds,)."""
    shares: dict[str, dict[int, list[float]]] = {}
    for place, names, log in given.played:
        for seat, name in enumerate(names):
            passed = [
                card for (by, card), phase in zip(log.actions, log.phases, strict=True) if (by, phase) == (seat, "pass")
            ]
            own = picks.get((place, seat))
            if own is not None and passed:
                theirs = np.bincount([game.deck.kind(card) for card in passed], minlength=len(own))
                shares.setdefault(name, {}).setdefault(place, []).append(np.minimum(own, theirs).sum() / len(passed))
    means = {
        name: mean_of(np.array([np.mean(one) for one in found.values()])) for name, found in sorted(shares.items())
    }
    return tuple(Alike(name, mean.value, mean.error) for name, mean in means.items())


def pick_all(game: Game, agent: Agent, deals: int, seed: int) -> tuple[Counts, Counts]:
    """The cards of each suit in every hand that passes, (n, suits), and how many of them the agent passes."""
    held, passed, _ = _pick(game, agent, _dealt(game, deals, seed), seed)
    return held @ suits_of(game), passed @ suits_of(game)


def suits_of(game: Game) -> Counts:
    """1 at the suit of each kind of card, (kinds, suits); jokers have none."""
    return np.array([[suit_of(card) == suit for suit in SUITS] for card in game.deck.kinds], np.int64)


def _dealt(game: Game, deals: int, seed: int) -> NDArray[Any]:
    seeds = np.random.SeedSequence(seed).generate_state(deals, np.uint64).astype(np.uint64, copy=False)
    return deal_numbers(game, seeds, np.arange(deals) % game.pass_cycle)


def _pick(game: Game, agent: Agent, starts: NDArray[Any], seed: int) -> tuple[Counts, Counts, list[tuple[int, int]]]:
    """The cards of every hand that passes, (n, kinds), those that the agent passes, and whose it is: (deal, seat)."""
    deals, kinds = len(starts), np.arange(len(game.deck.kinds), dtype=np.uint64)
    lineups = np.zeros((deals, game.seats), np.int64)
    batch = TableBatch(game, [TimedAgent(agent)], starts.copy(), lineups, np.arange(deals))
    agent.reset(seed)
    _play(batch, agent, Phase.DIRECTION)
    passing = np.flatnonzero(batch.states["phase"] == Phase.PASS)
    planes = batch.states["hands"][passing, : game.seats, :, None].copy()
    _play(batch, agent, Phase.PASS)
    picks = batch.states["picks"][passing, : game.seats, :, None]
    sizes = game.tables["option_cards"][batch.states["pass_option"][passing]]
    used = np.arange(picks.shape[2]) < sizes[:, None]
    held = (planes >> kinds & np.uint64(1)).sum(axis=2, dtype=np.int64)
    passed = ((picks == kinds) & used[:, None, :, None]).sum(axis=2)
    places = [(int(row), seat) for row in passing for seat in range(game.seats)]
    return held.reshape(-1, len(kinds)), passed.reshape(-1, len(kinds)), places


def _play(batch: TableBatch, agent: Agent, phase: Phase) -> None:
    """Let the agent, in all seats, decide until no table is in a phase."""
    from hearts_env.kernel.batch import step_all

    while (rows := np.flatnonzero(batch.states["phase"] == phase)).size:
        actions = np.zeros(len(rows), np.int64)
        part = min(agent.tables_at_once, len(rows))
        for first in range(0, len(rows), part):
            actions[first : first + part] = batch.decide(0, rows[first : first + part])
        deciding = batch.states[rows]
        step_all(deciding, batch.game.table, actions)
        batch.states[rows] = deciding


def _count(agent: str, game: Game, held: Counts, passed: Counts, gains: tuple[Gain, ...]) -> Passes:
    own, away = held @ suits_of(game), passed @ suits_of(game)
    hands, suits = np.nonzero(own)
    by_length = np.zeros((2, len(SUITS), LENGTHS), np.int64)
    for part, cards in zip(by_length, (own, away), strict=True):
        np.add.at(part, (suits, np.minimum(own[hands, suits], LENGTHS) - 1), cards[hands, suits])
    voids = int((own == away)[hands, suits].sum()) / max(len(held), 1)
    sums = held.sum(axis=0), passed.sum(axis=0), by_length[0], by_length[1]
    return Passes(agent, len(held) // game.seats, voids, *sums, gains)


def draw_passes(figure: SubFigure, passes: Passes, game: Game) -> None:
    """Draw how often each card and each length of suit is passed."""
    ranks = [rank for rank in game.deck.ranks if any(card[:-1] == rank for card in game.deck.kinds)]
    cards = np.full((len(SUITS), len(ranks)), np.nan)
    shares = share(passes.passed, passes.held)
    for card, part in zip(game.deck.kinds, shares, strict=True):
        if suit_of(card) in SUITS:
            cards[SUITS.index(card[-1]), ranks.index(card[:-1])] = part
    lengths = np.where(passes.held_by_length, share(passes.passed_by_length, passes.held_by_length), np.nan)
    left, right = figure.subplots(1, 2, width_ratios=[len(ranks), LENGTHS])
    for axes, values, labels, title in (
        (left, cards, ranks, f"{passes.agent}: share of the cards held that is passed"),
        (right, lengths, [*map(str, range(1, LENGTHS)), f"{LENGTHS}+"], "by length of the suit"),
    ):
        picture = axes.imshow(values, cmap="magma_r", vmin=0, vmax=1, aspect="auto")
        axes.set(xticks=range(len(labels)), yticks=range(len(SUITS)), title=title)
        axes.set_xticklabels(labels)
        axes.set_yticklabels("♣♦♥♠")
    figure.colorbar(picture, ax=[left, right], label="share")
