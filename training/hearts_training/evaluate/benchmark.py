"""Hearts over rules: how an agent plays, alone among copies of a reference, under one rule after another.

The splits of rules and what they hold back are in `hearts_env.benchmark`. An agent sits in every seat (or is every
team) of each deal in turn, all others are the reference; its margin is its cost minus the mean cost of the others, so
lower is better and the reference alone among copies of itself has 0. The score under a rule is 1 - margin(agent) /
margin(`random`): the reference has 1, `random` 0, and a better player more than 1.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hearts_agents.arena.stats import mean_of
from hearts_agents.arena.tables import MEASURES, TableBatch, TimedAgent, deal_numbers, units_of
from hearts_agents.base import Agent
from hearts_agents.registry import make_agent
from hearts_env.benchmark.digest import rules_digest
from hearts_env.benchmark.splits import TRAINING, SplitRule, split
from hearts_env.compiled.game import Game, compile_game
from hearts_env.kernel.records import Phase
from hearts_env.play.seeds import agent_seed
from hearts_env.ruleset.model import Rules
from hearts_env.variants.registry import rules as read_rules

CHUNK = 250
"""Deals that are played together; agents are reset before each chunk."""
ERROR, MOST = 0.05, 20_000
"""Deals are played until the standard error of a rule's score is at most this, or there are so many."""
REFERENCES = {"rule": "rule", "pimc": "pimc(worlds=32)"}
"""Name of a reference -> its spec. Nobody may train on the second one."""
CLEAR = (5, 0.2)
"""Standard errors, and standard deviations of a deal, by which ``rule`` beats ``random`` where a score is given."""
RESAMPLES = 2000
"""Of the bootstrap."""
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


@dataclass(frozen=True)
class RuleScore:
    """How an agent did under a rule.

    Attributes:
        digest, why, rules: of the rule; see `hearts_env.benchmark.splits.SplitRule`.
        score, error: the score and its standard error, which includes that of `random`'s margin; None in split P where
            ``rule`` is not clearly ahead of ``random``, so that a score would mean nothing.
        margin, margin_se: of the agent, in points a deal, and its standard error.
        random: the margin of `random`.
        deals: number of deals, each in every seat.
    """

    digest: str
    why: str
    rules: str
    score: float | None
    error: float | None
    margin: float
    margin_se: float
    random: float
    deals: int


@dataclass(frozen=True)
class Scorer:
    """Scores an agent under the rules of a split, by their places.

    Attributes:
        agent: its spec.
        split: name of the split.
        reference: a key of `REFERENCES`.
    """

    agent: str
    split: str
    reference: str

    def __call__(self) -> Callable[[int], tuple[int, RuleScore]]:
        """What a worker does: the place of a rule -> the place and the score there."""
        players = [make_agent(spec) for spec in (self.agent, REFERENCES[self.reference], "random")]
        return lambda place: (place, self._score(place, *players))

    def _score(self, place: int, agent: Agent, reference: Agent, random: Agent) -> RuleScore:
        line = split(self.split)[place]
        sides = Sides.of(read_rules(line.rules))
        self._check_golden(line, sides, reference)
        own: list[float] = []
        theirs: list[float] = []
        worst, worst_error = line.random["margin"], line.random["error"]  # among `rule`
        clear = worst >= max(CLEAR[0] * worst_error, CLEAR[1] * line.random["sd"])
        while True:
            chunk = len(own) // CHUNK
            own += sides.margins(agent, reference, chunk).mean(axis=1).tolist()
            found = mean_of(np.array(own))
            if self.reference != "rule":
                theirs += sides.margins(random, reference, chunk).mean(axis=1).tolist()
                worst, worst_error, _ = mean_of(np.array(theirs))
            error = math.hypot(found.error, found.value * worst_error / worst) / abs(worst)
            if (error if clear else found.error / line.random["sd"]) <= ERROR or len(own) >= MOST:
                break
        score, error_of_score = (1 - found.value / worst, error) if clear else (None, None)
        margin = found.value, found.error, worst
        return RuleScore(line.digest, line.why, line.rules, score, error_of_score, *margin, len(own))

    def _check_golden(self, line: SplitRule, sides: Sides, reference: Agent) -> None:
        """Raise ValueError if the deals, or what the reference does in them, are not those of the benchmark."""
        golden = sides.golden(reference, GOLDEN_DEALS if self.reference == "rule" else 1)
        same = golden.played == line.golden[self.reference]
        if self.reference == "rule":
            same = same and golden.dealt == line.golden["dealt"]
        if not same:
            raise ValueError(
                f"{REFERENCES[self.reference]} does not play {line.rules} as it did when the benchmark was made; "
                "scores of this release are not comparable"
            )


def quick_score(agent: Agent, name: str, rules: int) -> tuple[float, float]:
    """The mean score of an agent over some rules of a split, in `CHUNK` deals of each, and its standard error: that of
    the deals, the rules being given.
    """
    lines, reference = split(name), make_agent(REFERENCES["rule"])
    scores, variances = [], []
    for place in range(0, len(lines), len(lines) // rules)[:rules]:
        sides, worst = Sides.of(read_rules(lines[place].rules)), lines[place].random["margin"]
        found = mean_of(sides.margins(agent, reference, 0).mean(axis=1))
        scores.append(1 - found.value / worst)
        variances.append((found.error / worst) ** 2)
    return float(np.mean(scores)), math.sqrt(sum(variances)) / len(scores)


def check_benchmark(name: str, reference: str) -> None:
    """Raise ValueError unless agents are scored in a split, with a reference."""
    if name not in ("P", "V", "B", "C", "D", "E", *TRAINING):
        raise ValueError(f"--split {name} is not possible; it is one of P, V, B, C, D, E and {', '.join(TRAINING)}")
    if reference == "pimc" and name in ("P", *TRAINING):
        raise ValueError(f"--reference pimc is not for {name}, which may be trained on; leave it out")


def summarize(scores: Sequence[RuleScore]) -> dict[str, Any]:
    """The aggregates over the rules that have a score.

    Returns:
        ``score``, the interquartile mean (Agarwal et al. 2021, arXiv:2108.13264), with ``score_ci``, ``mean``, ``p20``,
        the 20th percentile, and ``above``, the share of the rules in which the agent is ahead of the reference. The
        interval is that of a bootstrap over rules and over the deals within a rule; it says nothing about other
        trainings.
    """
    known = [one for one in scores if one.score is not None]
    values, errors = (np.array([getattr(one, name) for one in known]) for name in ("score", "error"))
    random = np.random.default_rng(0)
    places = random.integers(0, len(values), (RESAMPLES, len(values)))
    drawn = values[places] + errors[places] * random.standard_normal(places.shape)
    low, high = np.quantile([_interquartile(row) for row in drawn], [0.025, 0.975])
    return {
        "score": _interquartile(values),
        "score_ci": [float(low), float(high)],
        "mean": float(values.mean()),
        "p20": float(np.quantile(values, 0.2)),
        "above": float((values > 1).mean()),
    }


def _interquartile(values: NDArray[np.float64]) -> float:
    cut = len(values) // 4
    return float(np.sort(values)[cut : len(values) - cut].mean())
