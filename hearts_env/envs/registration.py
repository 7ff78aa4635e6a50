"""Names for `gymnasium.make` (``Hearts/BlackLady-v0``) and `pettingzoo.make` (``hearts/black_lady-v0``)."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

from hearts_env.variants.registry import VARIANTS

_GYMNASIUM = "gymnasium.envs.registration"


def register_gymnasium() -> None:
    """Register every variant with Gymnasium; before version 1.4 its plugin mechanism calls this."""
    from gymnasium.envs.registration import register, registry

    for variant in VARIANTS.values():
        name = f"Hearts/{''.join(word.capitalize() for word in variant.name.split('_'))}-v{variant.version}"
        if name not in registry:
            register(name, entry_point="hearts_env.envs.gym:LearnerEnv", kwargs={"variant": variant.name})


def register_pettingzoo() -> bool:
    """Register every variant with PettingZoo. Returns False where its version has no registry (before 1.27)."""
    try:
        from pettingzoo.env_registry.registration import aec_registry, register
    except ImportError:
        return False
    for variant in VARIANTS.values():
        name = f"hearts/{variant.name}-v{variant.version}"
        if name not in aec_registry:
            register("aec", name, entry_point="hearts_env.envs.aec:env", kwargs={"variant": variant.name})
    return True


def register_on_import() -> None:
    """Register with Gymnasium now if it is imported, otherwise once it is; this never imports it.

    `hearts_env` calls this, so that ``gymnasium.make("hearts_env:Hearts/BlackLady-v0")`` works in any order of imports.
    """
    if _GYMNASIUM in sys.modules:
        register_gymnasium()
    else:
        sys.meta_path.insert(0, _RegisterAfterImport())


class _RegisterAfterImport(MetaPathFinder):
    """Waits for the import of Gymnasium's registry, lets it happen, then registers."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != _GYMNASIUM:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def execute_and_register(module: ModuleType) -> None:
                execute(module)
                register_gymnasium()

            spec.loader.exec_module = execute_and_register  # type: ignore[method-assign]
        return spec
