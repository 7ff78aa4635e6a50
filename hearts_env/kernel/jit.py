"""`jit`: Numba's decorator with a disk cache that is never stale.

Numba keys a cached function by its own source file and does not notice an edit in a callee that lives in another file.
So the cache folder's name is a hash of every source that the function may call: those of the kernel, and for functions
elsewhere those of their whole import package as well. Any edit starts a new folder.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core import sigutils
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher
from platformdirs import user_cache_dir


@cache
def cache_folder(package: Path) -> Path:
    """The folder of code compiled from the kernel's sources, those under `package` and exactly these, under
    NUMBA_CACHE_DIR or the user's cache.
    """
    digest = hashlib.sha256()
    for folder in sorted({Path(__file__).parent, package}):
        for source in sorted(folder.rglob("*.py")):
            digest.update(str(source.relative_to(folder)).encode() + b"\0" + source.read_bytes())
    base = os.environ.get("NUMBA_CACHE_DIR") or user_cache_dir("hearts-env")
    return Path(base) / f"kernel-{digest.hexdigest()[:16]}"


class _PartLibrary(JITCodeLibrary):
    def _optimize_final_module(self):
        pass

    def _finalize_final_module(self):
        self._finalized = True


class _PartCompiler(Compiler):
    def define_pipelines(self):
        self.state.flags.no_compile = True
        self.state.library = _PartLibrary(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        return super().define_pipelines()


class _Part(CPUDispatcher):
    def add_overload(self, cres):
        self.overloads[tuple(cres.signature.args)] = cres
        self.targetctx.insert_user_function(cres.fndesc, cres.fndesc, [cres.library])

    def get_overload(self, sig):
        return self.overloads[sigutils.normalize_signature(sig)[0]].fndesc


class _Entry(CPUDispatcher):
    def get_call_template(self, args, kws):
        return self.part.get_call_template(args, kws)

    def get_overload(self, sig):
        return self.part.get_overload(sig)


def jit(function: Callable[..., Any]) -> Any:
    """Compile without the interpreter lock, cached in the function's `cache_folder`."""
    before = numba.config.CACHE_DIR
    package = Path(function.__code__.co_filename).parent
    while package != Path(__file__).parent and (package.parent / "__init__.py").exists():
        package = package.parent
    options = dict(nopython=True, boundscheck=None, error_model="numpy", no_cfunc_wrapper=True)
    entry = _Entry(function, targetoptions=options | {"nogil": True})
    entry.part = _Part(function, targetoptions=options | {"no_cpython_wrapper": True}, pipeline_class=_PartCompiler)
    numba.config.CACHE_DIR = str(cache_folder(package))  # read once, when the decorator makes its cache
    try:
        entry.enable_caching()
    finally:
        numba.config.CACHE_DIR = before
    return entry
