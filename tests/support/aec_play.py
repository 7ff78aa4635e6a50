"""Random play of the PettingZoo environments, and everything they return."""

from typing import Any

import numpy as np

import hearts_env as he

ASKING = (
    "black_lady(cycle=[left|right|hold], exact={26:-26,13:5}, exact_optional=true, target=40, exposing.cards={QS:QS},"
    "pledge=5, added=[JK,JK,JK,JK], jokers.lead=call)"
)
"""Rules with every kind of decision."""
ENVS = [he.env, he.raw_env]


def any_action(env: Any, rng: np.random.Generator) -> int | None:
    """A random legal action of the agent to act, None once it is done."""
    observation, _, termination, truncation, _ = env.last()
    return None if termination or truncation else int(rng.choice(observation["action_mask"].nonzero()[0]))


def play_on(env: Any, seed: int, steps: int) -> list[Any]:
    """What `steps` random steps show; shorter where the episode ends."""
    rng = np.random.default_rng(seed)
    log: list[Any] = []
    for _ in range(steps):
        if not env.agents:
            break
        observation, reward, termination, truncation, info = env.last()
        seen = {name: part.tobytes() for name, part in observation.items()} | {"info": info["action_mask"].tobytes()}
        log.append((env.agent_selection, reward, termination, truncation, seen, dict(env.rewards)))
        env.step(any_action(env, rng))
    return log
