"""Hearts over rules: how an agent plays, alone among copies of a reference, under one rule after another.

The splits of rules and what they hold back are in `hearts_env.benchmark`. An agent sits in every seat (or is every
team) of each deal in turn, all others are the reference; its margin is its cost minus the mean cost of the others, so
lower is better and the reference alone among copies of itself has 0.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hearts_agents.arena.tables import MEASURES, TableBatch, TimedAgent, deal_numbers, units_of
from hearts_agents.base import Agent
from hearts_env.benchmark.digest import rules_digest
from hearts_env.compiled.game import Game, compile_game
from hearts_env.kernel.records import Phase
from hearts_env.play.seeds import agent_seed
from hearts_env.ruleset.model import Rules

CHUNK = 250
"""Deals that are played together; agents are reset before each chunk."""
GOLDEN_DEALS = 8
"""Deals whose hands and whose play by the reference are digested."""
_MARGIN = MEASURES.index("margin")


def deal_seeds(digest: str, deals: int) -> NDArray[np.uint64]:
    """(deals,) seeds of the deals of a rule: the same for every agent, and for any number of deals."""
    return np.random.SeedSequence(int(digest, 16)).generate_state(deals, np.uint64).astype(np.uint64, copy=False)


class Sides(NamedTuple):
    """The deals of a rule, and who sits where.

    Attributes:
        game: the compiled rules.
        digest: of the rules.
        lineups: (sides, seats) 0 where the agent sits, 1 where the reference does.
    """

    game: Game
    digest: str
    lineups: NDArray[np.int64]

    @staticmethod
    def of(rules: Rules) -> Sides:
        """One line-up a seat; in a team game, one a team."""
        game = compile_game(rules)
        own = np.arange(max(game.teams) + 1)[:, None] == np.array(game.teams)
        return Sides(game, rules_digest(rules), (~own).astype(np.int64))

    def margins(self, agent: Agent, reference: Agent, chunk: int) -> NDArray[np.float64]:
        """(CHUNK, sides) margins of an agent in points a deal, in deals ``chunk * CHUNK`` and following.

        Both are reset from the digest of the rules and the number of the chunk.
        """
        numbers = chunk * CHUNK + np.arange(CHUNK)
        seeds = deal_seeds(self.digest, (chunk + 1) * CHUNK)[chunk * CHUNK :]
        sides = len(self.lineups)
        states = np.repeat(deal_numbers(self.game, seeds, numbers % self.game.pass_cycle), sides)
        players = [TimedAgent(agent), TimedAgent(reference)]
        for place, player in enumerate(players):
            player.agent.reset(agent_seed(int(self.digest, 16), chunk, place))
        lineups = np.tile(self.lineups, (CHUNK, 1))
        sums = TableBatch(self.game, players, states, lineups, np.repeat(numbers, sides)).play()[_MARGIN]
        own = (lineups == 0) * sums
        per_table: NDArray[np.float64] = own.sum(axis=1) / (lineups == 0).sum(axis=1) / units_of(self.game)["margin"]
        return per_table.reshape(CHUNK, sides)

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
    """What must not change, or scores of different days are of different games.

    Attributes:
        dealt: digest of the hands.
        played: digest of the reference's actions.
    """

    dealt: str
    played: str
