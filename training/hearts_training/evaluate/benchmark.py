"""Hearts over rules: how an agent plays, alone among copies of a reference, under one rule after another.

The splits of rules and what they hold back are in `hearts_env.benchmark`. An agent sits in every seat (or is every
team) of each deal in turn, all others are the reference; its margin is its cost minus the mean cost of the others, so
lower is better and the reference alone among copies of itself has 0. The score under a rule is 1 - margin(agent) /
margin(`random`): the reference has 1, `random` 0, and a better player more than 1. For whole matches, the margin is an
equal share of wins minus the agent's share, and the score is the agent's share divided by an equal share.

`sides` plays, `scores` adds up, and `hearts_training.data.entry` keeps what was played.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from time import process_time
from typing import NamedTuple

from hearts_agents.arena.stats import mean_of
from hearts_agents.arena.tables import TimedAgent
from hearts_agents.base import Agent
from hearts_agents.registry import make_agent, parse_spec
from hearts_env.benchmark.splits import SEEN, TRAINING, SplitRule, split
from hearts_env.variants.registry import rules as read_rules
from hearts_training.evaluate.sides import GOLDEN_DEALS, Played, Sides

ERROR, MOST = 0.05, 20_000
"""Deals are played until the standard error of a rule's score is at most `ERROR`, or the `most_error` of a `Scorer`, or
until there are `MOST` deals. The error of `random`'s margin counts only where that margin is measured as well."""
REFERENCES = {"rule": "rule", "pimc": "pimc(worlds=32)"}
"""Name of a reference -> its spec. Nobody may train on the second one. Any other agent is named by its spec."""
CLEAR = (5, 0.2)
"""A score is given where ``rule`` beats ``random`` by this number of standard errors, and of standard deviations of a
deal."""
MATCHES = "matches"
"""The split of whole matches."""


@dataclass(frozen=True)
class RuleScore:
    """The results of an agent under a rule.

    Attributes:
        digest, why, rules: of the rule; see `hearts_env.benchmark.splits.SplitRule`.
        score, error: the score and its standard error, which includes that of `random`'s margin; None in split P where
            ``rule`` is not clearly ahead of ``random``, so that a score would mean nothing.
        margin, margin_se: of the agent, in points a deal, and its standard error.
        random: the margin of `random`.
        deals: number of deals, or matches, each in every seat.
        decisions: of all seats.
        choices: decisions of the agent with more than one legal action.
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
    decisions: int = 0
    choices: int = 0


def score_rule(line: SplitRule, agent: Played, random: Played | None = None, matches: bool = False) -> RuleScore:
    """The score under a rule.

    Args:
        line: the rule.
        agent: what the agent did.
        random: what `random` did against the same reference; None where that is ``rule``, and the line has it.
        matches: whether whole matches were played.
    """
    found = mean_of(agent.margins.mean(axis=1))
    worst, worst_error = line.random["margin"], line.random["error"]  # among `rule`
    clear = worst >= max(CLEAR[0] * worst_error, CLEAR[1] * line.random["sd"])
    if matches:
        worst, worst_error, clear = 1 / agent.margins.shape[1], 0.0, True  # of one that never wins
    elif random is not None:
        worst, worst_error, _ = mean_of(random.margins.mean(axis=1))
    error = math.hypot(found.error, found.value * worst_error / worst) / abs(worst)
    return RuleScore(
        digest=line.digest,
        why=line.why,
        rules=line.rules,
        score=1 - found.value / worst if clear else None,
        error=error if clear else None,
        margin=found.value,
        margin_se=found.error,
        random=worst,
        deals=len(agent.margins),
        decisions=int(agent.decisions.sum()),
        choices=int(agent.choices.sum()),
    )


class RulePlay(NamedTuple):
    """All that was played of a rule.

    Attributes:
        place: of the rule in its split.
        agent: what the agent did.
        random: what `random` did, where the reference is not ``rule``.
        seconds: CPU time of it all.
        thinking: seconds in which the agent decided.
        decisions: how many decisions these were, forced ones included.
    """

    place: int
    agent: Played
    random: Played | None
    seconds: float = 0.0
    thinking: float = 0.0
    decisions: int = 0


@dataclass(frozen=True)
class Scorer:
    """Plays an agent under the rules of a split, by their places.

    Attributes:
        agent: its spec.
        split: name of the split.
        reference: a key of `REFERENCES`, or the spec of any other agent.
        told: the rules given to a network for all rules: the ``rules`` played, ``nothing`` of them, or those of the
            ``next`` rule of the split.
        most_error: deals are played until the standard error of a rule's score is at most this; see `ERROR`.
    """

    agent: str
    split: str
    reference: str
    told: str = "rules"
    most_error: float = ERROR

    @property
    def reference_spec(self) -> str:
        """The spec of the reference."""
        return REFERENCES.get(self.reference, self.reference)

    @property
    def matches(self) -> bool:
        """True if whole matches are played."""
        return self.split.partition(":")[0] == MATCHES

    @property
    def knows_random(self) -> bool:
        """True if the margin of `random` is known and not played."""
        return self.reference == "rule" or self.matches

    def __call__(self) -> Callable[[int], RulePlay]:
        """The function that plays a rule, given its place, in a worker."""
        players = [make_agent(spec) for spec in (self.reference_spec, "random")]
        agent = make_agent(self.agent) if self.told == "rules" else None
        return lambda place: self._play(place, agent or self.player(place), *players)

    def player(self, place: int) -> Agent:
        """The agent that plays a rule. Raises ValueError if `told` cannot apply to it."""
        name, arguments = parse_spec(self.agent)
        if name != "net" or "told" in arguments:
            raise ValueError(f"told={self.told} is for a network for all rules, such as net:hearts, not {self.agent}")
        lines = split(self.split)
        if self.told == "next" and len(lines) == 1:
            raise ValueError(f"told=next is not possible: {self.split} has one rule, so the next one is the same")
        replacement = self.told if self.told == "nothing" else lines[(place + 1) % len(lines)].rules
        return make_agent(f"net({', '.join(f'{key}={value}' for key, value in arguments.items())}, told={replacement})")

    def score(self, play: RulePlay) -> RuleScore:
        """The score of what was played."""
        return score_rule(split(self.split)[play.place], play.agent, play.random, self.matches)

    def _play(self, place: int, agent: Agent, reference: Agent, random: Agent) -> RulePlay:
        line, began, player = split(self.split)[place], process_time(), TimedAgent(agent)
        sides = Sides.of(read_rules(line.rules), self.matches)
        self._check_golden(line, sides, reference)
        play, chunk = RulePlay(place, *self.chunk(sides, 0, player, reference, random)), 1
        while not self.is_enough(play):
            own, theirs = self.chunk(sides, chunk, player, reference, random)
            both = None if theirs is None or play.random is None else play.random.and_then(theirs)
            play, chunk = play._replace(agent=play.agent.and_then(own), random=both), chunk + 1
        return play._replace(seconds=process_time() - began, thinking=player.seconds, decisions=player.decisions)

    def chunk(
        self, sides: Sides, chunk: int, player: TimedAgent, reference: Agent, random: Agent
    ) -> tuple[Played, Played | None]:
        """The play of an agent in a chunk of deals, and that of `random` where its margin is not known."""
        own = sides.play(player, reference, chunk)
        return own, None if self.knows_random else sides.play(TimedAgent(random), reference, chunk)

    def is_enough(self, play: RulePlay) -> bool:
        """True if so many deals of a rule were played that its score is as precise as asked."""
        line, found = split(self.split)[play.place], self.score(play)
        error = found.margin_se / (line.random["sd"] if found.error is None else abs(found.random))
        if play.random is not None and found.error is not None:
            error = found.error  # that of the margin of `random` shrinks as well
        return error <= self.most_error or found.deals >= MOST

    def _check_golden(self, line: SplitRule, sides: Sides, reference: Agent) -> None:
        """Raise ValueError if the deals, or what the reference does in them, are not those of the benchmark."""
        if self.reference not in REFERENCES:
            return
        golden = sides.golden(reference, GOLDEN_DEALS if self.reference == "rule" else 1)
        same = golden.played == line.golden[self.reference]
        if self.reference == "rule":
            same = same and golden.dealt == line.golden["dealt"]
        if not same:
            raise ValueError(
                f"{self.reference_spec} does not play {line.rules} as it did when the benchmark was made; "
                "scores of this release are not comparable"
            )


def quick_score(agent: Agent, name: str, rules: int) -> tuple[float, float]:
    """The mean score of an agent over some rules of a split, in one chunk of deals of each, and its standard error:
    that of the deals, the rules being given.
    """
    lines, reference, player = split(name), make_agent(REFERENCES["rule"]), TimedAgent(agent)
    chosen = lines[:: len(lines) // rules][:rules]
    found = [score_rule(line, Sides.of(read_rules(line.rules)).play(player, reference, 0)) for line in chosen]
    clear = [(one.score, one.error) for one in found if one.score is not None and one.error is not None]
    scores, errors = zip(*clear, strict=True)
    return sum(scores) / len(scores), math.hypot(*errors) / len(errors)


def check_benchmark(name: str, reference: str) -> None:
    """Raise ValueError unless agents are scored in a split, with a reference."""
    split(name)
    if reference == "random":
        raise ValueError("--reference random is not possible: random has the score 0; name another agent")
    if reference == "pimc" and name.partition(":")[0] in ("P", SEEN, *TRAINING):
        raise ValueError(f"--reference pimc is not for {name}, which may be trained on; leave it out")
