"""`jit`: a decorator like Numba's, quick to compile (`dispatch`) and with a disk cache that is never stale (`cache`).

Numba keys a cached function by its own source file and does not notice an edit in a callee that lives in another file.
So the cache folder's name is a hash of every source that a compiled function depends on: those of the kernel, the codes
and limits it takes from the rules, and for functions elsewhere those of their whole import package as well. Any edit
starts a new folder.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from platformdirs import user_cache_dir

from hearts_env.kernel.dispatch import dispatcher

KERNEL = Path(__file__).parent
CONSTANTS = [KERNEL.parent / "ruleset" / name for name in ("enums.py", "limits.py")]


@cache
def cache_folder(package: Path) -> Path:
    """The folder of code compiled from exactly today's sources: the kernel's and those under `package`.

    It lies under NUMBA_CACHE_DIR or in the user's cache.
    """
    digest = hashlib.sha256()
    sources = [source for folder in sorted({KERNEL, package}) for source in sorted(folder.rglob("*.py"))]
    for source in [*CONSTANTS, *sources]:
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    base = os.environ.get("NUMBA_CACHE_DIR") or user_cache_dir("hearts-env")
    return Path(base) / f"kernel-{digest.hexdigest()[:16]}"


def inlined(function: Callable[..., Any]) -> Any:
    """`jit` for a long function that is called from one place, and so often that the call takes time."""
    return jit(function, inline=True)


def jit(function: Callable[..., Any], inline: bool = False) -> Any:
    """Compile without the interpreter lock, cached in the function's `cache_folder`."""
    package = Path(function.__code__.co_filename).parent
    while package != KERNEL and (package.parent / "__init__.py").exists():
        package = package.parent
    return dispatcher(function, cache_folder(package), inline)
