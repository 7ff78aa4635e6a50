"""A job of worker processes that takes a while, in a module that is quick to import."""

import time
from pathlib import Path

from hearts_env.kernel.cache import compiling


def compile_slowly(folder: Path, seconds: float, mark: str) -> str:
    """What a worker does that compiles something new."""
    with compiling("entry", folder, "once", 1):
        time.sleep(seconds)
    (folder / mark).touch()
    return mark
