"""Work on a Ray cluster (extra ``cluster``).

Ray distributes the work and starts it again where a worker or a machine dies; the work, its parts and its results are
the same as on one machine. A worker must have the same code and the same weights as the driver, the process that hands
out the work; both compute `identity`, and the two are compared.
"""

from __future__ import annotations

import hashlib
import logging
import os
import pickle
import platform
import signal
import socket
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any
from uuid import uuid4

from hearts_agents.engines import guard
from hearts_agents.registry import make_agent

MOST_DEATHS = 100
"""Workers that may die over one piece of work before it is given up."""
PACKAGES = ("hearts_env", "hearts_agents", "hearts_training")
"""Packages whose code must be the same everywhere."""
LIBRARIES = ("numpy", "numba", "torch")
"""Libraries whose version must be the same everywhere: they round numbers."""

Submit = Callable[..., "Future[Any]"]
"""Hands an item to the workers, with values that many items share, if any; the future is its result."""

Identity = dict[str, str]
"""Name of a package or an agent -> its digest or version, which must be the same on every worker."""


def identity(agents: Sequence[str]) -> Identity:
    """The digests of the suite's packages and of agents that have weights, and the versions of libraries.

    Raises ValueError for an agent that cannot be made, such as one whose folder is missing.

    >>> list(identity(["rule", "net:black_lady"]))
    ['hearts_env', 'hearts_agents', 'hearts_training', 'numpy', 'numba', 'torch', 'net:black_lady']
    """
    digests = {spec: make_agent(spec).digest for spec in agents}
    libraries = {name: version(name) for name in LIBRARIES if find_spec(name) is not None}
    return packages() | libraries | {spec: digest for spec, digest in digests.items() if digest}


@cache
def packages() -> Identity:
    """Package -> the digest of its code; rules, kernel and agents are code."""
    found = {}
    for name in PACKAGES:
        spec = find_spec(name)
        if spec is not None and spec.origin is not None:
            folder, digest = Path(spec.origin).parent, hashlib.sha256()
            for file in sorted(folder.rglob("*.py")):
                digest.update(file.relative_to(folder).as_posix().encode() + file.read_bytes())
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
        if own.get(name) != digest:
            lack = f"other weights of {name}; copy the same files"
            if name in (*PACKAGES, *LIBRARIES):
                lack = f"another {name}; install the same version"
            raise ValueError(f"worker {worker} is refused: it has {lack} there")


class ClusterError(OSError):
    """Ray, one of its machines or its object store failed; one line."""


@contextmanager
def ray_cluster(make: Callable[[], Callable[..., Any]], address: str, agents: Sequence[str] = ()) -> Iterator[Submit]:
    """Hand work to a Ray cluster while the block lasts; one piece of work takes one core.

    Args:
        make: called once in every process that works; returns the function that does the work for an item.
        address: ``local`` starts Ray on this machine, on all its cores and on loopback alone, and stops it afterwards;
            ``auto`` finds the cluster that this machine belongs to; otherwise the address of that cluster's head.
        agents: specs of agents of which a worker must have the same weights.

    Raises:
        ValueError: Ray is not installed, or the address leads nowhere.
        ClusterError: Ray failed.
    """
    ray, connected = _connect(address)
    agents_of_ray = _agents_of(ray) if connected and address == "local" else []
    with guard.guarding(agents_of_ray) if agents_of_ray else nullcontext():
        try:
            jobs = _Jobs(ray, make, agents)
            try:
                yield jobs.submit
            finally:
                jobs.cancel()
        except ray.exceptions.RayError as error:
            raise _own_error(ray, error) from None
        finally:
            if connected:
                ray.shutdown()


class _Jobs:
    """The work of one block on a cluster.

    Python objects travel as bytes and are opened on the worker only after its packages have been compared, so that
    another version is refused by name and not by an error of unpickling.
    """

    def __init__(self, ray: Any, make: Callable[[], Callable[..., Any]], agents: Sequence[str]) -> None:
        self._ray, self._key = ray, uuid4().hex
        self._setup = [ray.put((identity(agents), tuple(agents))), ray.put(ray.cloudpickle.dumps(make))]
        self._task = ray.remote(num_cpus=1, max_retries=MOST_DEATHS)(_work)
        self._refs: set[Any] = set()
        self._shared: tuple[Any, Any] = (None, None)

    def submit(self, item: Any, *shared: Any) -> Future[Any]:
        """See `Submit`. A shared value goes to each machine once; the last one is remembered."""
        ref = self._task.remote(self._key, self._setup, pickle.dumps(item), *map(self._share, shared))
        self._refs.add(ref)
        answer = Future[Any]()

        def finish(done: Future[Any]) -> None:
            self._refs.discard(ref)
            error = done.exception()
            if error is None:
                answer.set_result(done.result())
            else:
                answer.set_exception(_own_error(self._ray, error))

        ref.future().add_done_callback(finish)
        return answer

    def _share(self, value: Any) -> Any:
        if self._shared[0] is not value:
            self._shared = value, self._ray.put(value)
        return self._shared[1]

    def cancel(self) -> None:
        for ref in list(self._refs):
            with suppress(self._ray.exceptions.RayError):
                self._ray.cancel(ref, force=True)


def _own_error(ray: Any, error: BaseException) -> BaseException:
    """The error that the work itself raised, or a `ClusterError` for a failure of the cluster."""
    cause = error.cause if isinstance(error, ray.exceptions.RayTaskError) else error
    if isinstance(cause, Exception) and not isinstance(cause, ray.exceptions.RayError):
        return cause
    lines = str(cause).strip().splitlines() or [""]
    return ClusterError(f"the cluster failed ({type(cause).__name__}: {' '.join(lines[0].split())[:200]})")


@dataclass
class _Worker:
    """The work of this process, and the block that it belongs to."""

    key: str = ""
    work: Callable[..., Any] | None = None


_worker = _Worker()


def _work(key: str, setup: list[Any], item: bytes, *shared: Any) -> Any:
    if _worker.key != key:
        import ray

        wanted, agents = ray.get(setup[0])
        check_identity(wanted, agents, platform.node())
        _worker.work, _worker.key = pickle.loads(ray.get(setup[1]))(), key
    assert _worker.work is not None
    return _worker.work(pickle.loads(item), *shared)


def _connect(address: str) -> tuple[Any, bool]:
    """Ray, and whether it was connected here. Raises ValueError, in one line."""
    check_address(address)
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    import ray
    from ray._private import ray_constants

    if ray.is_initialized():
        return ray, False
    ray_constants.ENABLE_RAY_CLUSTER = address != "local"  # False keeps every port on loopback
    own: dict[str, Any] = {"include_dashboard": False} if address == "local" else {}
    before = signal.getsignal(signal.SIGTERM)
    try:
        ray.init(address, **own, logging_level=logging.ERROR, log_to_driver=False)
    except (ConnectionError, OSError, RuntimeError, ValueError) as error:
        reason = " ".join(str(error).split())[:200]
        raise ValueError(f"workers={address}: Ray could not connect ({reason})") from None
    finally:
        if current_thread() is main_thread() and before is not None:
            signal.signal(signal.SIGTERM, before)  # Ray's own handler would end the process without saving
    return ray, True


def _agents_of(ray: Any) -> list[int]:
    """The two agents of a Ray that was started here: children of its raylet in our process group.

    Ray's other processes end with the driver, even by SIGKILL. The agents notice as well, but first try for 60 seconds
    to report it to a head that is gone. Only Linux lists the children of a process.
    """
    raylet = ray._private.worker._global_node.all_processes["raylet"][0].process.pid
    found: list[int] = []
    for file in Path(f"/proc/{raylet}/task").glob("*/children"):
        with suppress(OSError):  # a thread or a worker may end meanwhile
            found += [child for child in map(int, file.read_text().split()) if os.getpgid(child) == os.getpgrp()]
    return found


def check_address(address: str) -> None:
    """Raise ValueError, within seconds, if Ray is not installed or nobody listens at an address.

    Ray itself would try for minutes.

    >>> check_address("head")
    Traceback (most recent call last):
        ...
    ValueError: workers=head is no address; give HOST:PORT of a Ray cluster's head, or auto or local
    """
    if find_spec("ray") is None:
        raise ValueError('workers on a cluster need Ray: pip install "hearts-env[cluster]"')
    if address in ("local", "auto"):
        return
    host, colon, port = address.rpartition(":")
    wrong = ValueError(f"workers={address} is no address; give HOST:PORT of a Ray cluster's head, or auto or local")
    if not colon or not host or not port.isdecimal() or not 0 < int(port) < 1 << 16:
        raise wrong
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=5).close()
    except UnicodeError:  # a..b is no name of a host
        raise wrong from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ValueError(f"workers={address}: nobody answers there ({reason}); is the cluster running?") from None
