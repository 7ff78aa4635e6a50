"""`run_arena`: paired duplicate deals or matches and their statistics. `plan_deals`: how many deals an arena needs."""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, TypedDict, Unpack

from hearts_agents.arena.chunks import Save, Summary, saved_seed
from hearts_agents.arena.given import GivenDeals
from hearts_agents.arena.kept import KeptGames
from hearts_agents.arena.play import Job, Player, check_job, play_chunks
from hearts_agents.arena.results import ArenaResult
from hearts_agents.arena.seatings import make_seatings
from hearts_agents.arena.stats import FEWEST_DEALS, control_variate, sample_size
from hearts_agents.base import Agent, report_unread
from hearts_agents.registry import make_agent
from hearts_agents.workers import Workers
from hearts_env.checks import seed_of, whole
from hearts_env.compiled.game import compile_game
from hearts_env.ruleset.derived import check_end
from hearts_env.ruleset.model import Rules
from hearts_env.variants.registry import rules as read_rules

DEALS, MOST = 1000, 100_000_000
"""Deals by default, and the most deals or matches."""
PILOT_DEALS = 200
ALPHA, POWER = 0.05, 0.8
LEAST_DIFFERENCE = 1e-6
"""The smallest difference to plan for, in points a deal: no arena could show a smaller one."""


class ArenaInterrupted(KeyboardInterrupt):
    """Ctrl-C during an arena.

    Attributes:
        partial: the result of the deals that were finished; None if there are none.
    """

    def __init__(self, partial: ArenaResult | None) -> None:
        super().__init__("the arena was interrupted")
        self.partial = partial


class Execution(TypedDict, total=False):
    """Options of how an arena runs: keyword arguments of `run_arena`, which explains them, and of `plan_deals`."""

    processes: int
    workers: Workers | None
    save: str | Path | None
    progress: Callable[[float], None] | None
    tables_at_once: int | None
    given: GivenDeals | None
    kept: KeptGames | None
    made: Mapping[str, Any] | None


def run_arena(
    agents: Sequence[str | Agent],
    variant: str | Rules = "black_lady",
    deals: int | None = None,
    seed: int | None = 0,
    seatings: str = "one-vs-rest",
    *,
    matches: int | None = None,
    luck: bool = False,
    **execution: Unpack[Execution],
) -> ArenaResult:
    """Compare agents on paired duplicate deals, or on whole matches.

    The seed fixes deal i, which is dealt with all totals at 0 and passed as deal i of a match. It is played once in
    every seating; partners are always the same agent. An agent's result for a deal is the mean over the seats in which
    it counts. Points are costs, lower is better (see `hearts_agents.arena.tables.costs_of`). Means and standard errors
    are over deals. Matches work in the same way and are played to their ends: results are still per deal, but means
    and standard errors are over matches.

    The same arguments give the same table, apart from times, for any number of processes: agents are reset at the start
    of every chunk of deals.

    Args:
        agents: spec strings or agents; with several processes, agents that can be pickled.
        variant: rules or their text.
        deals: number of deals, 1 or more; 1000 by default.
        seed: fixes deals and random choices; 0 to 2**64 - 1. None takes the seed of `save`, if that file exists, and
            otherwise draws one. Agents get seeds that are derived from it by a cryptographic hash, but a small seed can
            be guessed: dealing a million seeds and comparing hands finds one below a million.
        seatings: ``one-vs-rest``, ``two-vs-two``, ``all``, ``round-robin`` or ``ladder``; see
            `hearts_agents.arena.seatings.make_seatings`.
        matches: number of whole matches to play, in place of single deals.
        luck: adjust the margins by a control variate of the deals; see `hearts_agents.arena.stats`.
        **execution: any of the following.
            processes: number of processes that play, 1 by default. They are spawned: a script that uses several must
            keep its own work under ``if __name__ == "__main__":``.
            workers: instead of processes, the address of a Ray cluster: ``HOST:PORT``, ``auto`` or ``local``.
            save: a file for the finished chunks; the same arguments with the same file resume from it. Agents are
            identified by their names and digests.
            progress: called with the share that is done, from 0 to 1.
            tables_at_once: tables played together (a chunk), about 6 kB of memory each; by default the smallest
            `Agent.tables_at_once`. It does not change the result of agents that depend on their views alone.
            given: deals to play in place of those of the seed, of the same rules; `deals` is their number. With
            ``two-vs-two`` two agents sit as the players of the log did.
            kept: keeps games of the deals, also after Ctrl-C. Those of the chunks in `save` are played again.
            made: the provenance of the result, as JSON values; kept in `save` and in the result's `run`.

    Raises:
        AgentFailed: an agent raised, answered in the wrong form or chose an illegal action; a ValueError.
        AgentRefused: an agent does not play this variant; a ValueError.
        ValueError: a bad argument, or a `save` of another arena.
        OSError: `save` cannot be written, a process died, or a cluster failed.
        ArenaInterrupted: Ctrl-C; its attribute `partial` is the result of the deals that were finished.

    >>> result = run_arena(["rule", "rule"], deals=2)
    >>> [(agent.name, agent.margin) for agent in result.agents]
    [('rule', 0.0), ('rule', 0.0)]
    """
    if unknown := execution.keys() - Execution.__annotations__:
        raise TypeError(f"run_arena() has no argument {min(unknown)}")
    given = execution.get("given")
    if given is not None and (deals, matches, luck, str(read_rules(variant))) != (None, None, False, str(given.rules)):
        raise ValueError(f"given deals of {given.rules} are played as they are: leave out other rules, deals and luck")
    units = _units(deals if given is None else len(given.starts), matches, luck)
    rules, players = read_rules(variant), [make_agent(agent) for agent in agents]
    if matches is not None:
        check_end(rules, "play deals, not matches")
    at_once = execution.get("tables_at_once")
    if at_once is None:
        at_once = min((agent.tables_at_once for agent in players), default=1)
    at_once = whole("tables_at_once", at_once, 1)
    workers = execution.get("workers")
    if workers is None:
        workers = whole("processes", execution.get("processes", 1))
    file = execution.get("save")
    file = None if file is None else Path(file)
    seed = _seed(file) if seed is None else seed_of(seed)
    line_ups = make_seatings(seatings, len(players), compile_game(rules).teams)
    if given is not None and seatings == "two-vs-two":
        line_ups = given.as_seated(line_ups)
    starts, at_once = None if given is None else given.starts, max(1, at_once // len(line_ups))
    recorded = execution.get("kept") is not None
    job = Job(rules, tuple(agents), line_ups, seed, units, matches is not None, at_once, starts, recorded)
    check_job(job, workers)
    report_unread(players, compile_game(rules))
    save = Save(file, job, players, seatings, execution.get("made"))
    return _play(Player(job, players), save, workers, execution, luck)


def _seed(save: Path | None) -> int:
    saved = None if save is None else saved_seed(save)
    return secrets.randbits(64) if saved is None else seed_of(saved)


def _units(deals: int | None, matches: int | None, luck: bool) -> int:
    if matches is None:
        deals = whole("deals", DEALS if deals is None else deals, 1, MOST)
        if luck and deals < FEWEST_DEALS:
            raise ValueError(f"luck adjustment needs deals={FEWEST_DEALS} or more, not {deals}")
        return deals
    if deals is not None:
        raise ValueError(f"deals={deals} and matches={matches} contradict: give one of them")
    if luck:
        raise ValueError("luck adjustment is for single deals; leave out luck or matches")
    return whole("matches", matches, 1, MOST)


def _play(player: Player, save: Save, workers: Workers, execution: Execution, luck: bool) -> ArenaResult:
    job, began, kept = player.job, perf_counter(), execution.get("kept")
    report = execution.get("progress") or (lambda _: None)
    missing, again = save.missing(), [] if kept is None else kept.begin(player, save.chunks)
    try:
        if workers == 1:
            player.warm_up()
        began = perf_counter()
        if save.chunks:
            report(save.units / job.units)
        with closing(play_chunks(job, player, again + missing, workers)) as chunks:
            for chunk in chunks:
                played = chunk if kept is None else kept.take(chunk)
                if chunk.first not in again:
                    save.add(played)
                report(save.units / job.units)
        variate = control_variate(player.game, player.seeds, job.seed) if luck else None
    except KeyboardInterrupt:
        partial = Summary(job, save).result(None, perf_counter() - began) if save.chunks else None
        raise ArenaInterrupted(partial) from None
    finally:
        save.write()
    return Summary(job, save).result(variate, perf_counter() - began)


@dataclass(frozen=True)
class SampleSize:
    """The sample size for one agent's margin.

    Attributes:
        name: the agent.
        sd: standard deviation of its margin from deal to deal, in the pilot.
        deals: the number of deals that a test needs to detect the difference.
    """

    name: str
    sd: float
    deals: int


@dataclass(frozen=True)
class Plan:
    """The number of duplicate deals that a test needs to detect a difference.

    Attributes:
        variant: text of the rules.
        seed: fixes the pilot.
        seatings: the kind of seating.
        difference: the difference in margin to detect, in points per deal.
        alpha: the probability of reporting a difference where there is none (two-sided).
        power: the probability of detecting the difference where there is one.
        pilot_deals: deals of the pilot.
        agents: the sample size for every agent.
        deals: the largest of them.
        seconds: about how long these deals take on this machine.
    """

    variant: str
    seed: int
    seatings: str
    difference: float
    alpha: float
    power: float
    pilot_deals: int
    agents: tuple[SampleSize, ...]
    deals: int
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return asdict(self) | {"agents": [asdict(size) for size in self.agents]}


def plan_deals(
    agents: Sequence[str | Agent],
    difference: float,
    variant: str | Rules = "black_lady",
    deals: int = PILOT_DEALS,
    seed: int | None = 0,
    seatings: str = "one-vs-rest",
    **execution: Unpack[Execution],
) -> Plan:
    """Play a pilot and compute how many deals a test needs to detect a difference in margin.

    The test is two-sided at `ALPHA` with power `POWER`; see `hearts_agents.arena.stats.sample_size`.

    Args:
        agents: as in `run_arena`.
        difference: points per deal, above 0.
        variant: rules or their text.
        deals: deals of the pilot, 2 or more.
        seed: fixes the pilot; as in `run_arena`.
        seatings: as in `run_arena`.
        **execution: as in `run_arena`, without `save`: a pilot that was resumed would not know how long deals take.

    Raises:
        ValueError: a bad argument, or margins that do not vary, such as those of an agent against itself.
        AgentFailed, OSError, ArenaInterrupted: as in `run_arena`.
    """
    if not LEAST_DIFFERENCE <= difference < math.inf:
        raise ValueError(f"difference={difference} (of --power) must be {LEAST_DIFFERENCE} points or more, such as 0.3")
    if whole("deals", deals, high=MOST) < 2:
        raise ValueError(f"deals={deals} must be at least 2 for a pilot")
    if execution.get("save") is not None:
        raise ValueError(f"save={execution['save']} is not for a pilot, whose time is measured; leave it out")
    pilot = run_arena(agents, variant, deals, seed, seatings, **execution)
    spreads = [(agent.name, agent.margin_se * math.sqrt(deals)) for agent in pilot.agents]
    if not any(sd for _, sd in spreads):
        raise ValueError("the margins do not vary, so there is no difference to be shown; name agents that differ")
    sizes = tuple(SampleSize(name, sd, sample_size(sd, difference, ALPHA, POWER)) for name, sd in spreads)
    most = max(size.deals for size in sizes)
    return Plan(
        variant=pilot.variant,
        seed=pilot.seed,
        seatings=seatings,
        difference=difference,
        alpha=ALPHA,
        power=POWER,
        pilot_deals=deals,
        agents=sizes,
        deals=most,
        seconds=pilot.seconds / deals * most,
    )
