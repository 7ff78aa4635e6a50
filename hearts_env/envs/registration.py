"""Names for `gymnasium.make` (``Hearts/BlackLady-v0``) and `pettingzoo.make` (``hearts/black_lady-v0``).

Variants that are registered later get their names when they are.
"""

from __future__ import annotations

from hearts_env.ruleset.model import Variant
from hearts_env.variants.registry import watch


def register_gymnasium() -> None:
    """Register every variant with Gymnasium; its plugin mechanism calls this, so the names are always there."""
    watch(_add_to_gymnasium)


def _add_to_gymnasium(variant: Variant) -> None:
    from gymnasium.envs.registration import register, registry

    name = f"Hearts/{''.join(word.capitalize() for word in variant.name.split('_'))}-v{variant.version}"
    if name not in registry:
        register(name, entry_point="hearts_env.envs.gym:LearnerEnv", kwargs={"variant": variant.name})


def register_pettingzoo() -> bool:
    """Register every variant with PettingZoo. Returns False where its version has no registry (before 1.27)."""
    try:
        import pettingzoo.env_registry.registration  # noqa: F401
    except ImportError:
        return False
    watch(_add_to_pettingzoo)
    return True


def _add_to_pettingzoo(variant: Variant) -> None:
    from pettingzoo.env_registry.registration import aec_registry, register

    name = f"hearts/{variant.name}-v{variant.version}"
    if name not in aec_registry:
        register("aec", name, entry_point="hearts_env.envs.aec:env", kwargs={"variant": variant.name})
