"""Chunks of an arena played here or by several processes; what a chunk gives is the same either way."""

from __future__ import annotations

import pickle
import signal
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context

from hearts_agents.arena.play import Job, Part, Player
from hearts_agents.base import Agent

MOST_PROCESSES = 1024


def play_parts(job: Job, player: Player, firsts: Iterable[int], processes: int) -> Generator[Part, None, None]:
    """Play the chunks that begin with the units `firsts`; they come as they are finished.

    Args:
        job: what is played.
        player: plays it in this process, where `processes` is 1.
        firsts: the first unit of every chunk.
        processes: how many processes play.

    Raises:
        AgentFailed: an agent raised, answered in the wrong form or chose an illegal action.
        ChildProcessError: a process died.
    """
    if processes == 1:
        yield from map(player.play, firsts)
        return
    with _workers(job, processes) as pool:
        try:
            for done in as_completed([pool.submit(_play, first) for first in firsts]):
                yield done.result()
        except BrokenProcessPool:
            raise ChildProcessError(
                "a process of the arena died, perhaps for lack of memory; use fewer processes"
            ) from None


def check_processes(job: Job, processes: int) -> None:
    """Raise ValueError for a number of processes that is not possible, or an agent that cannot be sent to another."""
    if not 1 <= processes <= MOST_PROCESSES:
        raise ValueError(f"processes={processes} must be from 1 to {MOST_PROCESSES}")
    for agent in job.agents if processes > 1 else ():
        try:
            pickle.dumps(agent)
        except Exception as error:  # pickling calls the agent's own code
            name, reason = agent.name if isinstance(agent, Agent) else agent, " ".join(str(error).split())
            raise ValueError(
                f"agent {name} cannot be sent to another process ({reason}); use processes=1 or name it by its spec"
            ) from None


@contextmanager
def _workers(job: Job, processes: int) -> Iterator[ProcessPoolExecutor]:
    """A pool whose processes end at once when it is left early, by Ctrl-C or an error."""
    others = set(active_children())
    pool = ProcessPoolExecutor(processes, get_context("spawn"), _prepare, (job,))
    try:
        yield pool
    except BaseException:
        for child in set(active_children()) - others:
            child.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


class _Worker:
    """What a process of the pool holds: its job, and its player once the first chunk has come."""

    job: Job
    player: Player | None = None


def _prepare(job: Job) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the process that started this one
    _Worker.job = job


def _play(first: int) -> Part:
    if _Worker.player is None:
        _Worker.player = Player(_Worker.job)
    return _Worker.player.play(first)
