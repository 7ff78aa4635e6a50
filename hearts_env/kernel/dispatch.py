"""The compilation of the kernel by Numba: each function to LLVM's intermediate code once, to machine code with each
entry.

Left alone, Numba optimises and translates every function together with all that it calls: a function that ten others
call, directly or not, is compiled again for each of them, and a cold start takes twice as long. So a function here is
two things. To compiled code it is a *part*: intermediate code that is linked into its callers' and left as it is. To
Python it is an *entry*: the parts it needs, optimised and translated as a whole. Both are kept on disk, so that the
parts compiled for one entry serve the next.

Parts depend on the inside of Numba's compiler. With a release that is not `KNOWN`, functions are compiled Numba's way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding
from numba.core import config
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.types import Record

from hearts_env.kernel.cache import DiskCache, compiling

KNOWN = {(0, minor) for minor in range(61, 69)}
"""Releases of Numba whose compiler has been seen to work in parts."""
OPTIONS = {"nopython": True, "error_model": "numpy", "no_cfunc_wrapper": True}


class PartLibrary(JITCodeLibrary):
    """Code to be linked into others'."""

    def _optimize_final_module(self) -> None:
        """Left to the entry."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


class PartCompiler(Compiler):
    """Numba's compiler up to the intermediate code."""

    def define_pipelines(self) -> Any:
        """As in Numba, with a library of another kind."""
        self.state.flags.no_compile = True
        self.state.library = PartLibrary(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        return super().define_pipelines()


class Part(CPUDispatcher):
    """A function as compiled code calls it."""

    def add_overload(self, result: Any) -> None:
        """Make a compiled signature known; functions without an address are looked up by signature."""
        self.overloads[tuple(result.signature.args)] = result._replace(entry_point=result.fndesc)
        self.targetctx.insert_user_function(result.fndesc, result.fndesc, [result.library])


class EntryPoint(CPUDispatcher):
    """A function as Python calls it."""

    seconds = 40

    def compile(self, signature: Any) -> Any:
        """Load a signature's code, or compile it while other processes wait for it."""
        if global_compiler_lock.is_locked():  # what calls it is being compiled
            return super().compile(signature)
        if not (lack := self._cache.lacks(signature)):
            return super().compile(signature)
        with compiling(self.__name__, self._cache.folder, lack, self.seconds), _switched_on(), _written_once():
            return super().compile(signature)

    def __reduce__(self) -> str:
        """Pickled by name, as Python's own functions."""
        return self.__name__


class QuickEntryPoint(EntryPoint):
    """An entry made of parts; compiled code that calls it gets the part."""

    seconds = 20
    _part: Part

    def get_call_template(self, *arguments: Any) -> Any:
        """The template from which a caller infers its types."""
        return self._part.get_call_template(*arguments)

    def get_overload(self, signature: Any) -> Any:
        """The code that a caller links."""
        return self._part.get_overload(signature)


@contextmanager
def _switched_on() -> Iterator[None]:
    """Compile under NUMBA_DISABLE_JIT too: that switches off `numba.jit`, which Numba's compiler uses itself."""
    before, config.DISABLE_JIT = config.DISABLE_JIT, 0
    try:
        yield
    finally:
        config.DISABLE_JIT = before


@contextmanager
def _written_once() -> Iterator[None]:
    """Write the text of a record's type once: Numba writes those of a function's arguments before each of its passes,
    and ours are long. Compiling takes a sixth less time.
    """
    before: Any = Record.__repr__
    texts: dict[int, tuple[Record, str]] = {}

    def text(record: Record) -> str:
        if id(record) not in texts:
            texts[id(record)] = record, before(record)  # kept, so that no other gets its number
        return texts[id(record)][1]

    Record.__repr__ = text  # type: ignore[assignment,method-assign]
    try:
        yield
    finally:
        Record.__repr__ = before  # type: ignore[method-assign]


def dispatcher(function: Callable[..., Any], folder: Path, inline: bool) -> EntryPoint:
    """The compiled form of a function, kept in a folder; its callers call it, or have a copy of it `inline`."""
    if numba.version_info.short not in KNOWN:
        plain = EntryPoint(function, targetoptions=OPTIONS | {"nogil": True, "forceinline": inline})
        plain._cache = DiskCache(folder, function, "plain.entry", CompileResult._reduce, CompileResult._rebuild)
        return plain
    entry = QuickEntryPoint(function, targetoptions=OPTIONS | {"nogil": True})
    entry._cache = DiskCache(folder, function, "entry", CompileResult._reduce, CompileResult._rebuild)
    options = OPTIONS | {"no_cpython_wrapper": True, "forceinline": inline}
    entry._part = Part(function, targetoptions=options, pipeline_class=PartCompiler)
    entry._part._cache = DiskCache(folder, function, "part", _reduce_part, _rebuild_part)
    return entry


def _reduce_part(result: Any) -> tuple[Any, ...]:
    result.fndesc.typemap = result.fndesc.calltypes = None  # large, and of no use to callers
    return result.library.name, result.library._final_module.as_bitcode(), result.fndesc, result.signature


def _rebuild_part(target: Any, name: str, code: bytes, description: Any, signature: Any) -> Any:
    library = PartLibrary(target.codegen(), name)
    library._final_module = binding.parse_bitcode(code)
    library._finalized = True
    blank = CompileResult(*[None] * len(CompileResult._fields))
    return blank._replace(target_context=target, library=library, fndesc=description, signature=signature)
