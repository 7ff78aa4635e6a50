"""Deals that an agent plays alone among copies of another, in every seat in turn."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hearts_agents.arena.tables import MEASURES, TableBatch, TimedAgent, deal_numbers, start_matches, units_of
from hearts_agents.base import Agent
from hearts_agents.registry import make_agent
from hearts_env.benchmark.digest import rules_digest
from hearts_env.compiled.game import Game, compile_game
from hearts_env.kernel.records import Phase
from hearts_env.ruleset.model import Rules
from hearts_env.table.seeds import agent_seed

CHUNK, CHUNK_OF_MATCHES = 250, 50
"""Deals, or matches, that are played together; agents are reset before each chunk."""
GOLDEN_DEALS = 8
"""Deals whose hands and whose play by the reference are digested."""
_MARGIN, _WON = MEASURES.index("margin"), MEASURES.index("won")


def deal_seeds(digest: str, deals: int) -> NDArray[np.uint64]:
    """(deals,) seeds of the deals of a rule: the same for every agent, and for any number of deals."""
    return np.random.SeedSequence(int(digest, 16)).generate_state(deals, np.uint64).astype(np.uint64, copy=False)


def begin_chunk(
    digest: str, players: Sequence[TimedAgent], chunk: int, size: int = CHUNK
) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Numbers and seeds of the deals ``chunk * size`` and following of a rule, for which all players are reset."""
    for place, player in enumerate(players):
        player.agent.reset(agent_seed(int(digest, 16), chunk, place))
    numbers = chunk * size + np.arange(size)
    return numbers, deal_seeds(digest, (chunk + 1) * size)[numbers]


class Played(NamedTuple):
    """An agent's results in some deals, or matches, of a rule, alone in every seat (or as every team) in turn.

    Attributes:
        margins: (deals, sides) float64, in points a deal.
        decisions: (deals, sides) int64, decisions of all seats.
        choices: (deals, sides) int64, decisions of the agent with more than one legal action.
    """

    margins: NDArray[np.float64]
    decisions: NDArray[np.int64]
    choices: NDArray[np.int64]

    def and_then(self, more: Played) -> Played:
        """These deals and some more."""
        margins, decisions, choices = (np.concatenate(both) for both in zip(self, more, strict=True))
        return Played(margins, decisions, choices)


class CountedTables(TableBatch):
    """Tables at which decisions are counted: (tables,) those of all seats, and the choices of player 0."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.decisions, self.choices = np.zeros((2, len(self.states)), np.int64)

    def decide(self, index: int, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """As `TableBatch.decide`, and counted."""
        from hearts_env.kernel.deduce.sampling import count_legal

        chosen = super().decide(index, rows)
        self.decisions[rows] += 1
        if index == 0:
            legal = np.zeros(len(rows), np.int64)
            count_legal(self._views[: len(rows)], self.game.tables, legal)
            self.choices[rows] += legal > 1
        return chosen


class Sides(NamedTuple):
    """The deals of a rule, and who sits where.

    Attributes:
        game: the compiled rules.
        digest: of the rules.
        lineups: (sides, seats) 0 where the agent sits, 1 where the reference does.
        matches: whether whole matches are played instead of deals.
        chunk: deals or matches that are played together.
    """

    game: Game
    digest: str
    lineups: NDArray[np.int64]
    matches: bool
    chunk: int

    @staticmethod
    def of(rules: Rules, matches: bool = False, chunk: int = 0) -> Sides:
        """One line-up a seat; in a team game, one a team. A `chunk` of 0 is that of the benchmark."""
        game = compile_game(rules)
        own = np.arange(max(game.teams) + 1)[:, None] == np.array(game.teams)
        chunk = chunk or (CHUNK_OF_MATCHES if matches else CHUNK)
        return Sides(game, rules_digest(rules), (~own).astype(np.int64), matches, chunk)

    def margins(self, agent: Agent, reference: Agent, chunk: int) -> NDArray[np.float64]:
        """The margins of `play`."""
        return self.play(TimedAgent(agent), reference, chunk).margins

    def spread(self) -> float:
        """The standard deviation of a deal's margin among copies of ``rule``, in points."""
        rule = make_agent("rule")
        return float(self.margins(rule, rule, 0).std())

    def tables(self, agent: TimedAgent, reference: Agent, chunk: int) -> CountedTables:
        """The tables of the deals ``chunk * self.chunk`` and following, each deal with the agent on every side.

        Both agents are reset from the digest of the rules and the number of the chunk.
        """
        size, sides = self.chunk, len(self.lineups)
        players = [agent, TimedAgent(reference)]
        numbers, seeds = begin_chunk(self.digest, players, chunk, size)
        dealt = (
            start_matches(self.game, seeds)
            if self.matches
            else deal_numbers(self.game, seeds, numbers % self.game.pass_cycle)
        )
        states, lineups, units = np.repeat(dealt, sides), np.tile(self.lineups, (size, 1)), np.repeat(numbers, sides)
        return CountedTables(self.game, players, states, lineups, units, self.matches)

    def play(self, agent: TimedAgent, reference: Agent, chunk: int) -> Played:
        """Play the deals of `tables`."""
        tables, sides = self.tables(agent, reference, chunk), len(self.lineups)
        measured, seated = tables.play()[_WON if self.matches else _MARGIN], tables.lineups == 0
        measure = units_of(self.game)["won" if self.matches else "margin"]
        own = (seated * measured).sum(axis=1) / seated.sum(axis=1) / measure
        margins = 1 / sides - own if self.matches else own
        shape = self.chunk, sides
        return Played(margins.reshape(shape), tables.decisions.reshape(shape), tables.choices.reshape(shape))

    def golden(self, reference: Agent, deals: int = GOLDEN_DEALS) -> Golden:
        """Digests of the first deals, and of what the reference does in them in all seats."""
        states = deal_numbers(self.game, deal_seeds(self.digest, deals), np.arange(deals) % self.game.pass_cycle)
        hands = states["hands"][:, : self.game.seats, : int(self.game.tables["copies"])]
        dealt = hashlib.sha256(hands.astype("<u8").tobytes()).hexdigest()[:16]
        reference.reset(agent_seed(int(self.digest, 16)))
        player = TimedAgent(reference)
        seated = np.zeros((deals, self.game.seats), np.int64)
        batch = TableBatch(self.game, [player], states, seated, np.arange(deals))
        played = hashlib.sha256()
        while (live := np.flatnonzero(batch.states["phase"] != Phase.OVER)).size:
            actions = np.zeros(deals, np.int64)
            actions[live] = batch.decide(0, live)
            played.update(actions.astype("<i2").tobytes())
            batch.take(actions)
        return Golden(dealt, played.hexdigest()[:16])


class Golden(NamedTuple):
    """Digests that must not change: scores of releases with different digests are not comparable.

    Attributes:
        dealt: digest of the hands.
        played: digest of the reference's actions.
    """

    dealt: str
    played: str
