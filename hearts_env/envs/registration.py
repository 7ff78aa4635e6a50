"""Names for `gymnasium.make` (``Hearts/BlackLady-v0``) and `pettingzoo.make` (``hearts/black_lady-v0``)."""

from __future__ import annotations

from hearts_env.variants.registry import VARIANTS


def register_gymnasium() -> None:
    """Register every variant with Gymnasium, whose plugin mechanism calls this when it is imported."""
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
