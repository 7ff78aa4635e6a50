"""Work on a Ray cluster (extra ``cluster``), as `hearts_agents.workers` does it in processes.

Ray moves the work and starts it again where a worker or a machine dies; what the work is, how it is cut and what
becomes of the results is the same as on one machine. A worker must have the same code and the same weights as the
process that gives the work; `identity` is what is compared.
"""

from __future__ import annotations

import hashlib
import logging
import os
import platform
import signal
import socket
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from uuid import uuid4

from hearts_agents.registry import make_agent

MOST_DEATHS = 100
"""Workers that may die over one piece of work before it is given up."""
PACKAGES = ("hearts_env", "hearts_agents", "hearts_training")

Submit = Callable[..., "Future[Any]"]
"""Hands an item to the workers, with values that many items share, if any; the future is its result."""

Identity = dict[str, str]
"""What must be the same everywhere -> its digest."""


def identity(agents: Sequence[str]) -> Identity:
    """The digests of the suite's packages and of the agents that have weights.

    Raises ValueError for an agent that cannot be made, such as one whose folder is missing.

    >>> list(identity(["rule", "net:black_lady"]))
    ['hearts_env', 'hearts_agents', 'hearts_training', 'net:black_lady']
    """
    digests = {spec: make_agent(spec).digest for spec in agents}
    return _packages() | {spec: digest for spec, digest in digests.items() if digest}


@cache
def _packages() -> Identity:
    """Package -> the digest of its code; rules, kernel and agents are code."""
    found = {}
    for name in PACKAGES:
        spec = find_spec(name)
        if spec is not None and spec.origin is not None:
            folder, digest = Path(spec.origin).parent, hashlib.sha256()
            for file in sorted(folder.rglob("*.py")):
                digest.update(str(file.relative_to(folder)).encode() + file.read_bytes())
            found[name] = digest.hexdigest()
    return found


def check_identity(wanted: Identity, agents: Sequence[str], worker: str) -> None:
    """Raise ValueError, in one line, if this process does not have what the work needs.

    >>> check_identity(identity(["rule"]) | {"hearts_env": "0" * 64}, ["rule"], "ada")
    Traceback (most recent call last):
        ...
    ValueError: worker ada is refused: it has another hearts_env; install the same version there
    """
    try:
        own = identity(agents)
    except (ValueError, OSError) as error:
        raise ValueError(f"worker {worker} is refused: {' '.join(str(error).split())}") from None
    for name, digest in wanted.items():
        if own.get(name) != digest and name in PACKAGES:
            raise ValueError(f"worker {worker} is refused: it has another {name}; install the same version there")
        if own.get(name) != digest:
            raise ValueError(f"worker {worker} is refused: it has other weights of {name}; copy the same files there")


@contextmanager
def cluster(make: Callable[[], Callable[..., Any]], address: str, agents: Sequence[str] = ()) -> Iterator[Submit]:
    """Hand work to a Ray cluster while the block lasts; one piece of work takes one core.

    Args:
        make: called once in every process that works; returns the function that does the work for an item.
        address: ``local`` starts Ray on this machine, on all its cores and on loopback alone, and stops it afterwards;
            ``auto`` finds the cluster that runs on this machine; otherwise the address of a cluster's head.
        agents: specs of agents of which a worker must have the same weights.

    Raises:
        ValueError: Ray is not installed, or the address leads nowhere.
    """
    ray, started = _connect(address)
    try:
        order = ray.put((make, identity(agents), tuple(agents)))
        task = ray.remote(num_cpus=1, max_retries=MOST_DEATHS)(_work)
        key, refs, sent = uuid4().hex, set[Any](), dict[int, Any]()

        def send(value: Any) -> Any:
            """The reference of a shared value, which goes to each machine once; the last one is remembered."""
            if id(value) not in sent:
                sent.clear()
                sent[id(value)] = value, ray.put(value)
            return sent[id(value)][1]

        def submit(item: Any, *shared: Any) -> Future[Any]:
            ref = task.remote(key, [order], item, *map(send, shared))
            refs.add(ref)
            return _answer(ray, ref, refs)

        try:
            yield submit
        finally:
            for ref in list(refs):
                ray.cancel(ref, force=True)
    finally:
        if started:
            ray.shutdown()


def _answer(ray: Any, ref: Any, refs: set[Any]) -> Future[Any]:
    """The result of a piece of work, which leaves `refs` when it is known."""
    answer = Future[Any]()

    def finish(done: Future[Any]) -> None:
        refs.discard(ref)
        error = done.exception()
        if error is None:
            answer.set_result(done.result())
        else:
            answer.set_exception(_own_error(ray, error))

    ref.future().add_done_callback(finish)
    return answer


def _own_error(ray: Any, error: BaseException) -> BaseException:
    """What the work itself raised, or an OSError, in one line, for what went wrong on the cluster."""
    if isinstance(error, ray.exceptions.RayTaskError):
        return error.cause if isinstance(error.cause, Exception) else error
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return OSError(f"the cluster failed ({type(error).__name__}: {' '.join(lines[0].split())[:200]})")


@dataclass
class _Worker:
    """The work of this process, and the order it belongs to."""

    key: str = ""
    work: Callable[..., Any] | None = None


_worker = _Worker()


def _work(key: str, order: list[Any], item: Any, *shared: Any) -> Any:
    """Do the work for an item, in a process of the cluster."""
    if _worker.key != key:
        import ray

        make, wanted, agents = ray.get(order[0])
        check_identity(wanted, agents, platform.node())
        _worker.work, _worker.key = make(), key
    assert _worker.work is not None
    return _worker.work(item, *shared)


def _connect(address: str) -> tuple[Any, bool]:
    """Ray, and whether it was connected here. Raises ValueError, in one line."""
    if address == "local":
        os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # before the import: all ports on loopback
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ModuleNotFoundError:
        raise ValueError('workers on a cluster need Ray: pip install "hearts-env[cluster]"') from None
    if ray.is_initialized():
        return ray, False
    _check_address(address)
    before = signal.getsignal(signal.SIGTERM)
    where = {"include_dashboard": False} if address == "local" else {"address": address}
    try:
        ray.init(**where, logging_level=logging.ERROR, log_to_driver=False)
    except (ConnectionError, OSError, RuntimeError, ValueError) as error:
        reason = " ".join(str(error).split())[:200]
        raise ValueError(f"workers={address}: there is no Ray cluster that answers ({reason})") from None
    finally:
        signal.signal(signal.SIGTERM, before)  # Ray's own handler would end the process without saving
    return ray, True


def _check_address(address: str) -> None:
    """Raise ValueError, within seconds, for an address at which nobody listens; Ray itself tries for minutes."""
    if address in ("local", "auto"):
        return
    host, colon, port = address.rpartition(":")
    if not colon or not host or not port.isdecimal() or not 0 < int(port) < 1 << 16:
        raise ValueError(f"workers={address} is no address; give HOST:PORT of a Ray cluster's head, or auto or local")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=5).close()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ValueError(f"workers={address}: nobody answers there ({reason}); is the cluster running?") from None
