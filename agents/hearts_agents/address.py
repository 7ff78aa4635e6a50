"""The addresses of code: ``FILE.py:NAME`` and ``package.module:NAME``."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from hearts_env.ruleset.syntax import brief


def load(address: str) -> tuple[Any, str]:
    """The object at ``FILE.py:NAME`` or ``package.module:NAME``, and the SHA-256 of its file.

    A file may import modules beside it; modules are looked for in the working directory, too.

    Raises:
        ValueError: no such file, module or name, or an error while it was imported, in one line.
    """
    place, colon, name = address.rpartition(":")
    if not colon or not place or not name.isidentifier():
        raise ValueError(f"{address!r} names no class; write FILE.py:CLASS or package.module:CLASS")
    try:
        module = _module_of_file(Path(place)) if place.endswith(".py") else _module(place)
    except Exception as error:  # whatever a stranger's module raises
        reason = str(error).splitlines()[0] if str(error) else "no reason given"
        raise ValueError(f"{place} cannot be imported: {type(error).__name__}: {reason}") from error
    if not hasattr(module, name):
        public = ", ".join(own for own, value in vars(module).items() if _defined(module, value)) or "nothing"
        raise ValueError(f"{place} has no {name}; it defines {public}")
    source = module.__file__
    content = Path(source).read_bytes() if source and Path(source).is_file() else b""
    return getattr(module, name), hashlib.sha256(content).hexdigest()


def _defined(module: ModuleType, value: Any) -> bool:
    return callable(value) and getattr(value, "__module__", "") == module.__name__


def _module_of_file(file: Path) -> ModuleType:
    file = file.expanduser().resolve()
    name = f"py_{hashlib.sha256(str(file).encode() + file.read_bytes()).hexdigest()[:16]}"
    if name not in sys.modules:
        _add_path(file.parent)
        spec = importlib.util.spec_from_file_location(name, file)
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(sys.modules[name])
        except BaseException:
            del sys.modules[name]
            raise
    return sys.modules[name]


def _module(name: str) -> ModuleType:
    _add_path(Path.cwd())
    return importlib.import_module(name)


def _add_path(folder: Path) -> None:
    if str(folder) not in sys.path:
        sys.path.append(str(folder))


def address_of(value: Any, folder: Path) -> str:
    """``package.module:NAME``, or ``FILE.py:NAME`` from a folder, of a class or function. ValueError if it has none."""
    name, module = getattr(value, "__qualname__", ""), sys.modules.get(getattr(value, "__module__", None) or "")
    if module is None or getattr(module, name, None) is not value:
        raise ValueError(f"{brief(value)} cannot be saved; define it at the top of a file, as a class or function")
    if "." in module.__name__ or hasattr(module, "__path__") or not module.__file__:
        return f"{module.__name__}:{name}"
    return f"{os.path.relpath(Path(module.__file__).resolve(), folder)}:{name}"
