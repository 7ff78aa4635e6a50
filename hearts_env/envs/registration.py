"""Names for `gymnasium.make` (``hearts_env:Hearts/BlackLady-v0``), `pettingzoo.make` (``hearts/black_lady-v0``) and
`pyspiel.load_game` (``hearts_env``).

Variants that are registered later get their names when they are.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

from hearts_env.ruleset.model import Variant
from hearts_env.variants.registry import VARIANTS, watch


def register_gymnasium() -> None:
    """Register every variant with Gymnasium; before version 1.4 its plugin mechanism calls this."""
    len(VARIANTS)  # loads those of plug-ins
    watch(_add_to_gymnasium)


def gymnasium_name(variant: Variant) -> str:
    """The name of a variant for `gymnasium.make`.

    >>> gymnasium_name(VARIANTS["black_lady"])
    'Hearts/BlackLady-v0'
    """
    return f"Hearts/{''.join(word.capitalize() for word in variant.name.split('_'))}-v{variant.version}"


def _add_to_gymnasium(variant: Variant) -> None:
    from gymnasium.envs.registration import register, registry

    name = gymnasium_name(variant)
    if name not in registry:
        register(
            name,
            entry_point="hearts_env.envs.gym:LearnerEnv",
            vector_entry_point="hearts_env.envs.gym_vector:LearnerVectorEnv",
            kwargs={"variant": variant.name},
        )


def register_pettingzoo() -> None:
    """Register every variant with PettingZoo, from version 1.27 on, which has a registry."""
    len(VARIANTS)  # loads those of plug-ins
    watch(_add_to_pettingzoo)


def _add_to_pettingzoo(variant: Variant) -> None:
    from pettingzoo.env_registry.registration import aec_registry, register

    name = f"hearts/{variant.name}-v{variant.version}"
    if name not in aec_registry:
        register("aec", name, entry_point="hearts_env.envs.aec:env", kwargs={"variant": variant.name})


def register_openspiel() -> None:
    """Register our game with OpenSpiel."""
    import hearts_env.envs.openspiel  # noqa: F401 - importing it registers the game


REGISTRIES: dict[str, Callable[[], None]] = {
    "gymnasium.envs.registration": register_gymnasium,
    "pettingzoo.env_registry.registration": register_pettingzoo,
    "pyspiel": register_openspiel,
}
"""The modules of the frameworks that hold names, and what registers ours there."""


def register_on_import() -> None:
    """Register with each framework now if it is imported, otherwise once it is; this never imports one.

    `hearts_env` calls this, so that ``gymnasium.make("hearts_env:Hearts/BlackLady-v0")`` works in any order of imports.
    """
    for module, register in REGISTRIES.items():
        if module in sys.modules:
            register()
        else:
            sys.meta_path.insert(0, _RegisterAfterImport(module, register))


class _RegisterAfterImport(MetaPathFinder):
    """Waits for the import of a framework's registry, lets it happen, then registers."""

    def __init__(self, module: str, register: Callable[[], None]) -> None:
        self._module, self._register = module, register

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self._module:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def execute_and_register(module: ModuleType) -> None:
                execute(module)
                if self in sys.meta_path:
                    sys.meta_path.remove(self)
                self._register()

            spec.loader.exec_module = execute_and_register  # type: ignore[method-assign]
        return spec
