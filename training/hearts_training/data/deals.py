"""The deals of a part, played in lockstep by agents that are drawn for every seat."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

import hearts_env
from hearts_agents.arena.tables import TableBatch, TimedAgent, deal_numbers
from hearts_agents.base import Agent
from hearts_agents.registry import make_agent
from hearts_env.compiled.game import Game
from hearts_env.kernel.batch import random_actions, take_views
from hearts_env.kernel.records import STATE, Phase
from hearts_env.ruleset.model import Rules
from hearts_env.seat.view import Views
from hearts_env.table.seeds import agent_seed
from hearts_training.data.parts import PART, Description
from hearts_training.options import LabelOptions, RecordOptions

OVER = 255
"""In place of an action: the deal is over."""
Rows = NDArray[np.int64]


class Deals:
    """Deals ``number * PART`` and following of a data set, `PART` in all, while they are played.

    They follow the pass cycle as the deals of a match do, with totals as at the start of a match.

    Attributes:
        game: the compiled rules.
        numbers: (PART,) number of each deal in the data set.
        seeds: (PART,) uint64, the seed that fixes the cards.
        deal_numbers: (PART,) deals finished before in its match.
        lineups: (PART, seats) index of the agent in each seat.
        starts: (PART,) `STATE` records before the first action.
        log: for every step, (PART,) uint8, the action taken in each deal, or `OVER`.
        seats: for every step, (PART,) int8, the seat that acted.
    """

    def __init__(self, game: Game, players: Sequence[Agent], seed: int, number: int, explore: float = 0.0) -> None:
        """Deal the cards and seat the players. `explore` is the probability of any legal action instead of theirs."""
        self.game, self._explore = game, explore
        self.numbers, self.seeds, self.deal_numbers = dealt_in(game, seed, number)
        self._rng = np.random.default_rng(np.random.SeedSequence([seed, number]).spawn(1)[0])
        self.lineups = self._rng.integers(len(players), size=(PART, game.seats))
        self.starts = deal_numbers(game, self.seeds, self.deal_numbers)
        timed = [TimedAgent(agent) for agent in players]
        self._tables = TableBatch(game, timed, self.starts.copy(), self.lineups, self.numbers)
        self.log: list[NDArray[np.uint8]] = []
        self.seats: list[NDArray[np.int8]] = []

    @property
    def states(self) -> NDArray[Any]:
        """(PART,) `STATE` records as they are now, hidden cards included."""
        return self._tables.states

    def live(self) -> Rows:
        """The places of the deals that are not over."""
        return np.flatnonzero(self.states["phase"] != Phase.OVER)

    def views(self, live: Rows) -> Views:
        """The views of the seats to act in some deals."""
        records = np.zeros(len(live), STATE)
        take_views(self.states, self.game.table, live, records)
        return Views(self.game, records, check=False)

    def players(self, live: Rows) -> Rows:
        """The index of the player to act in some deals."""
        found: Rows = self.lineups[live, self.states["seat"][live]]
        return found

    def step(self, live: Rows, known: Mapping[int, Rows] | None = None) -> None:
        """Play one action in every deal that is not over.

        Args:
            live: the places of these deals.
            known: index of a player -> its actions in all of them, (n,), if they are known already.

        Raises:
            AgentFailed, AgentRefused: as the arena raises them.
        """
        to_act = self.players(live)
        chosen = np.zeros(len(live), np.int64)
        for index in np.unique(to_act):
            rows = np.flatnonzero(to_act == index)
            given = (known or {}).get(int(index))
            chosen[rows] = self._tables.decide(int(index), live[rows]) if given is None else given[rows]
        actions = np.zeros(len(self.states), np.int64)
        actions[live] = self._explored(live, chosen)
        self.seats.append(self.states["seat"].astype(np.int8))
        self._tables.take(actions)
        self.log.append(np.full(len(actions), OVER, np.uint8))
        self.log[-1][live] = actions[live]

    def _explored(self, live: Rows, chosen: Rows) -> Rows:
        if self._explore:
            anything = np.zeros(len(live), np.int64)
            words = self._rng.integers(2**63, dtype=np.uint64)
            random_actions(self.states[live], self.game.tables, words, anything)
            explored = self._rng.random(len(live)) < self._explore
            chosen[explored] = anything[explored]
        return chosen

    def actions(self, place: int) -> bytes:
        """The ids of the actions of a deal, one byte each."""
        found: NDArray[np.uint8] = np.array(self.log, np.uint8)[:, place]
        return bytes(found[found != OVER])

    def dealt(self, place: int) -> dict[str, Any]:
        """The start of a deal, as columns of a data set."""
        start, game = self.starts[place], self.game
        hands = [" ".join(game.names(planes)) for planes in start["hands"][: game.seats]]
        kitty = (game.deck.kinds[kind] for kind in start["kitty"][: int(game.tables["kitty_size"])])
        return {
            "deal": int(self.numbers[place]),
            "seed": int(self.seeds[place]),
            "deal_number": int(self.deal_numbers[place]),
            "dealer": int(start["dealer"]),
            "hands": "|".join(hands),
            "kitty": " ".join(kitty),
        }


def dealt_in(game: Game, seed: int, number: int) -> tuple[Rows, NDArray[np.uint64], Rows]:
    """The deals of a part, (PART,) each: their numbers, what fixes their cards, and their numbers in their matches."""
    numbers = number * PART + np.arange(PART)
    seeds = np.random.SeedSequence([seed, number]).generate_state(PART, np.uint64).astype(np.uint64, copy=False)
    return numbers, seeds, numbers % game.pass_cycle


def check_dealt(game: Game, seed: int, number: int, table: pa.Table) -> Rows:
    """The place of every row's deal in a part. Raises ValueError unless the deals are those of that part."""
    numbers, seeds, deal_numbers = dealt_in(game, seed, number)
    places: Rows = table["deal"].to_numpy() - numbers[0]
    if (places < 0).any() or (places >= PART).any() or (np.diff(places) < 0).any():
        raise ValueError("its deals are not those of its number")
    found, wanted = (table["seed"], table["deal_number"]), (seeds, deal_numbers)
    if not all(np.array_equal(column.to_numpy(), value[places]) for column, value in zip(found, wanted, strict=True)):
        raise ValueError("its deals are not those that its seed deals")
    return places


def starts_of(game: Game, table: pa.Table) -> NDArray[Any]:
    """The `STATE` records at the start of the deals of some rows."""
    return deal_numbers(game, table["seed"].to_numpy(), table["deal_number"].to_numpy().astype(np.int64))


def make_players(specs: Sequence[str], verb: str) -> list[Agent]:
    """The agents that specs name. Raises ValueError for one that follows a single table."""
    players = [make_agent(spec) for spec in specs]
    for agent in players:
        if agent.stateful:
            raise ValueError(f"{agent.name} follows one table at a time; {verb} with agents that do not")
    return players


def reset_players(players: Sequence[Agent], seed: int, number: int) -> None:
    """Restart the random choices of agents for a part, so that parts may be played in any order."""
    for index, agent in enumerate(players):
        agent.reset(agent_seed(seed, number, index))


def plain(options: LabelOptions | RecordOptions) -> Description:
    """Options as JSON values."""
    found: Description = json.loads(json.dumps(asdict(options)))
    return found


def describe(options: LabelOptions | RecordOptions, rules: Rules, agents: Sequence[Agent]) -> Description:
    """The content of a data set: the options, the version, and the digests of agents that have weights, by name."""
    return plain(options) | {
        "variant": str(rules),
        "digests": {agent.name: agent.digest for agent in agents if agent.digest},
        "version": hearts_env.__version__,
    }
