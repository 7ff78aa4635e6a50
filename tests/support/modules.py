"""The modules of the packages and of the laboratory, by name, found without importing them."""

from pathlib import Path

import hearts_agents
import hearts_env
import hearts_training
import lab

_PATHS = {
    ".".join(path.relative_to(folder.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for package in (hearts_env, hearts_agents, hearts_training, lab)
    for folder in [Path(str(package.__file__)).parent]
    for path in sorted(folder.rglob("*.py"))
}
MODULES = list(_PATHS)


def source_of(name: str) -> str:
    """The text of a module."""
    return _PATHS[name].read_text(encoding="utf-8")
