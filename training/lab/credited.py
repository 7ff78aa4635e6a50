"""What share of the points usual training loops credit to the seat that earned them, with and without `late_rewards`.

``python training/lab/credited.py`` prints the table of ``training/REWARDS.md``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tyro
from numpy.typing import NDArray

import hearts_env as he

Loop = Callable[[Any, np.random.Generator], dict[str, Any]]
"""Plays one episode of an environment that was reset and returns what it credits to each agent."""
DEALS = 500


def after_each_step(reward: Callable[[Any, Any], float]) -> Loop:
    """A loop with one row per step; `reward` is what it reads, after a step, for the agent that has just acted."""

    def loop(env: Any, rng: np.random.Generator) -> dict[str, Any]:
        credited, over = _nothing(env), False
        while not over:
            agent = env.agent_selection
            env.step(_legal(env.observe(agent), rng))
            credited[agent] = credited[agent] + reward(env, agent)
            over = env.terminations[agent] or env.truncations[agent]
        return credited

    return loop


tutorial = after_each_step(lambda env, agent: env._cumulative_rewards[agent])
"""PettingZoo's tutorial for Stable-Baselines3: the cumulative reward of the agent that has just acted."""
tianshou_rows = after_each_step(lambda env, agent: env.rewards.get(agent, 0))
"""Tianshou's `PettingZooEnv`: a row holds all rewards of a step; the agent that acted learns from its own only."""
rows = after_each_step(lambda env, agent: env.rewards[agent])
"""As in CleanRL: the reward of that step for the agent that acted."""
next_last = after_each_step(lambda env, agent: env.last()[1] if env.agent_selection == agent else 0.0)
"""The reward of `last` after the step, which is that of the agent to act next and usually another agent's."""


def until_first_done(env: Any, rng: np.random.Generator) -> dict[str, Any]:
    """The reward of `last` for the agent's own row before, until the first agent is done."""
    credited = _nothing(env)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        credited[agent] = credited[agent] + reward
        if terminated or truncated:
            break
        env.step(_legal(observation, rng))
    return credited


def until_all_done(env: Any, rng: np.random.Generator) -> dict[str, Any]:
    """The reward of `last` for the agent's own row before, until every agent is done: the right loop."""
    credited = _nothing(env)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        credited[agent] = credited[agent] + reward
        env.step(None if terminated or truncated else _legal(observation, rng))
    return credited


LOOPS: dict[str, Loop] = {
    "PettingZoo's tutorial for Stable-Baselines3": tutorial,
    "rows as in Tianshou": tianshou_rows,
    "rows as in CleanRL": rows,
    "`last()` in the row just written": next_last,
    "`last()` in the agent's own row, until the first is done": until_first_done,
    "`last()` in the agent's own row, until all are done": until_all_done,
}


def _legal(observation: dict[str, NDArray[Any]], rng: np.random.Generator) -> int:
    return int(rng.choice(observation["action_mask"].nonzero()[0]))


def _nothing(env: Any) -> dict[str, Any]:
    return dict.fromkeys(env.possible_agents, 0.0)


def share(loop: Loop, *, late: bool, deals: int = DEALS, timing: str = "deal") -> float:
    """The share of the points of `black_lady`, in episodes of one deal, that a loop credits to the right seat.

    >>> share(until_all_done, late=False, deals=2)
    1.0
    """
    env: Any = he.env("black_lady", deals=1, timing=timing)
    env, rng = he.late_rewards(env) if late else env, np.random.default_rng(0)
    credited = earned = 0.0
    for deal in range(deals):
        env.reset(seed=deal)
        got = loop(env, rng)
        paid = dict(zip(env.possible_agents, -env.record["totals"][:, 0].astype(float), strict=False))
        earned += sum(map(abs, paid.values()))
        credited += sum(abs(paid[seat]) - abs(paid[seat] - got[seat]) for seat in paid)
    return float(credited / earned)


def main() -> None:
    """Print the table."""
    print("| loop | points credited | with `late_rewards` |\n|---|---|---|")
    for name, loop in LOOPS.items():
        plain, late = (share(loop, late=late) for late in (False, True))
        print(f"| {name} | {plain:.0%} | {late:.0%} |")


if __name__ == "__main__":
    tyro.cli(main)
