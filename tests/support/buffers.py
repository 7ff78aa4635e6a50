"""What a batched environment holds."""

import hearts_env as he
from hearts_env.envs.learner import LearnerGames

BUFFERS = ("observations", "action_masks", "rewards", "terminated", "states", "finals", "tokens")
LEARNERS = ("over", "final_observations", "seats")
"""Those that only `LearnerGames` has."""


def everything(env: he.VectorEnv | LearnerGames) -> dict[str, bytes]:
    """The contents of every buffer there is."""
    found = {name: getattr(env, name, None) for name in (*BUFFERS, *LEARNERS)}
    return {name: array.tobytes() for name, array in found.items() if array is not None}
