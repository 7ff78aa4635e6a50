"""`run_arena`: paired duplicate deals or matches, in chunks, and their statistics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from time import perf_counter

from hearts_agents.arena.play import Job, Player
from hearts_agents.arena.luck import FEWEST_DEALS, measure_luck
from hearts_agents.arena.pool import check_processes, play_parts
from hearts_agents.arena.results import ArenaResult
from hearts_agents.arena.chunks import Save
from hearts_agents.arena.seatings import make_seatings
from hearts_agents.arena.summary import Summary
from hearts_agents.base import Agent
from hearts_agents.registry import make_agent
from hearts_env.compiled.game import compile_game
from hearts_env.ruleset.model import Rules
from hearts_env.variants.registry import rules as read_rules

DEALS, MOST = 1000, 100_000_000
"""Deals by default, and the most deals or matches."""


class ArenaInterrupted(KeyboardInterrupt):
    """Ctrl-C during an arena.

    Attributes:
        partial: the result of the deals that were finished; None if there are none.
    """

    def __init__(self, partial: ArenaResult | None) -> None:
        super().__init__("the arena was interrupted")
        self.partial = partial


def run_arena(  # noqa: PLR0913 - two ways to say how much, and four ways to play it: all named at the call
    agents: Sequence[str | Agent],
    variant: str | Rules = "black_lady",
    deals: int | None = None,
    seed: int = 0,
    seatings: str = "one-vs-rest",
    *,
    matches: int | None = None,
    luck: bool = False,
    processes: int = 1,
    save: str | Path | None = None,
    progress: Callable[[float], None] | None = None,
    tables_at_once: int | None = None,
) -> ArenaResult:
    """Compare agents on paired duplicate deals, or on whole matches.

    Deal i is fixed by the seed, dealt as the deal of a match that stands at 0 (the pass cycle turns with i), and played
    once in every seating; partners are always played by one agent. An agent's result for a deal is the mean over the
    seats in which it counts. Points are costs, lower is better (see `costs_of`); means and standard errors are over
    deals. Match i is fixed by the seed in the same way, and played to its end in every seating; the result is still
    told per deal, but the matches are what means and standard errors are over.

    The same arguments give the same table, times apart, whatever the number of processes; agents begin their random
    choices anew with every chunk of deals.

    Args:
        agents: spec strings or agents; with several processes, agents that can be pickled.
        variant: rules or their text.
        deals: number of deals, 1 or more; 1000 by default.
        seed: fixes deals and random choices; 0 or more.
        seatings: ``one-vs-rest``, ``two-vs-two``, ``all``, ``round-robin`` or ``ladder``; see
            `hearts_agents.arena.seatings.make_seatings`.
        matches: number of whole matches to play, in place of single deals.
        luck: adjust the margins for the luck of the deals; see `hearts_agents.arena.luck`.
        processes: how many processes play. They are started afresh: a script that asks for several must keep its own
            work under ``if __name__ == "__main__":``.
        save: a file for the finished chunks; the same arguments with the same file go on from there. Agents are known
            by their names and digests.
        progress: called with the share that is done, from 0 to 1.
        tables_at_once: tables stepped together (a chunk), about 6 kB of memory each; by default as many as the agent
            that asks for fewest likes. The result does not depend on it if the agents depend on their views alone.

    Raises:
        AgentFailed: an agent raised, answered in the wrong form or chose an illegal action; a ValueError.
        ValueError: a bad argument, or a `save` of another arena.
        OSError: `save` cannot be written, or a process died.
        ArenaInterrupted: Ctrl-C; it carries the result so far.
    """
    units = _units(deals, matches, luck)
    rules, players = read_rules(variant), [make_agent(agent) for agent in agents]
    if tables_at_once is None:
        tables_at_once = min((agent.tables_at_once for agent in players), default=1)
    if seed < 0 or tables_at_once < 1:
        raise ValueError(f"seed={seed} must be 0 or more, and tables_at_once={tables_at_once} 1 or more")
    line_ups = make_seatings(seatings, len(players), compile_game(rules).teams)
    chunk = max(1, tables_at_once // len(line_ups))
    job = Job(rules, tuple(agents), line_ups, seed, units, matches is not None, chunk)
    check_processes(job, processes)
    file = Save(None if save is None else Path(save), job, players, seatings)
    return _Arena(Player(job, players), seatings, file).run(processes, luck, progress)


def _units(deals: int | None, matches: int | None, luck: bool) -> int:
    """How many deals, or matches."""
    for name, count in (("deals", deals), ("matches", matches)):
        if count is not None and count > MOST:
            raise ValueError(f"{name}={count} must be at most {MOST}")
    if matches is None:
        deals = DEALS if deals is None else deals
        if deals < 1:
            raise ValueError(f"deals={deals} must be at least 1")
        if luck and deals < FEWEST_DEALS:
            raise ValueError(f"luck adjustment needs deals={FEWEST_DEALS} or more, not {deals}")
        return deals
    if deals is not None:
        raise ValueError(f"deals={deals} and matches={matches} contradict: give one of them")
    if luck:
        raise ValueError("luck adjustment is for single deals; leave out luck or matches")
    if matches < 1:
        raise ValueError(f"matches={matches} must be at least 1")
    return matches


class _Arena:
    def __init__(self, player: Player, kind: str, save: Save) -> None:
        self.player, self.job, self.kind, self.save = player, player.job, kind, save
        self.began = perf_counter()

    def run(self, processes: int, luck: bool, progress: Callable[[float], None] | None) -> ArenaResult:
        """Play what is missing and sum up."""
        player = self.player
        try:
            if processes == 1:
                player.warm_up()
            self.began = perf_counter()
            if self.save.parts:
                self._tell(progress)
            with closing(play_parts(self.job, player, self.save.missing(), processes)) as parts:
                for part in parts:
                    self.save.add(part)
                    self._tell(progress)
            features = measure_luck(player.game, player.seeds, self.job.seed) if luck else None
        except KeyboardInterrupt:
            raise ArenaInterrupted(self._partial()) from None
        finally:
            self.save.write()
        return self._summary().result(self.kind, features, perf_counter() - self.began)

    def _tell(self, progress: Callable[[float], None] | None) -> None:
        if progress is not None:
            progress(self.save.units / self.job.units)

    def _partial(self) -> ArenaResult | None:
        seconds = perf_counter() - self.began
        return self._summary().result(self.kind, None, seconds) if self.save.parts else None

    def _summary(self) -> Summary:
        return Summary(self.job, [agent.name for agent in self.player.agents], self.save.parts)
