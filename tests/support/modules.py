"""The modules of the three packages, by name, found without importing them."""

from __future__ import annotations

from pathlib import Path

import hearts_agents
import hearts_env
import hearts_training


def _names(package: str, folder: Path) -> dict[str, Path]:
    found = {}
    for path in sorted(folder.rglob("*.py")):
        parts = [package, *path.relative_to(folder).with_suffix("").parts]
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


_PATHS = {
    name: path
    for package in (hearts_env, hearts_agents, hearts_training)
    for name, path in _names(package.__name__, Path(str(package.__file__)).parent).items()
}
MODULES = list(_PATHS)


def source_of(name: str) -> str:
    """The text of a module."""
    return _PATHS[name].read_text(encoding="utf-8")
