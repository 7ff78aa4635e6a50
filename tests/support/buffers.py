"""What a batched environment holds."""

from __future__ import annotations

import hearts_env as he

BUFFERS = ("observations", "action_masks", "rewards", "terminated", "states", "finals", "tokens")


def everything(env: he.VectorEnv) -> dict[str, bytes]:
    """The contents of every buffer there is."""
    return {name: getattr(env, name).tobytes() for name in BUFFERS if getattr(env, name) is not None}
