"""Hearts for verifiers: one seat played by a model in words, among `rule` or other opponents; a taskset and its `Env`.

    PYTHONPATH=training/recipes/text vf-eval hearts-verifiers -n 5 -m NAME --client.base-url http://localhost:8000/v1

Task i is the episode of seed `first + i`: its prompt has the rules and the first observation, and `HeartsEnv.run`
answers each reply with the next one. The reward is the sum of the seat's, in points; metrics count answers.
"""

import itertools
from collections.abc import Iterator
from typing import Any

import verifiers.v1 as vf
from pydantic import Field

import hearts_env as he

__all__ = ["HeartsEnv", "HeartsTaskset"]


class HeartsConfig(vf.TasksetConfig):
    """Which games."""

    variant: str = "black_lady"
    """Rules or their text."""
    options: dict[str, Any] = Field({})
    """Of `hearts_env.text_env`; one seat is played by text, so `opponents` is not None."""
    first: int = 0
    """The seed of task 0."""


class HeartsData(vf.TaskData):
    """One episode, which anybody can play again."""

    variant: str
    options: dict[str, Any]
    seed: int


class HeartsTask(vf.Task[HeartsData, vf.State, vf.TaskConfig]):
    """An episode; what it pays is recorded by `HeartsEnv.run`."""

    def start(self) -> tuple[he.TextEnv, str]:
        """The environment after its reset, and the text that this gave."""
        env = text_env(self.data.variant, self.data.options)
        return env, env.reset(seed=self.data.seed)[0]

    async def validate(self, runtime: vf.Runtime) -> bool:
        """Whether the seed gives the prompt, and the last legal action at every turn leads to the end unrefused."""
        env, text = self.start()
        same, over = text == self.data.prompt, False
        while not over:
            text, _, terminated, truncated, _ = env.step(text.split()[-1])
            over = terminated or truncated
        return same and env.counts["illegal"] + env.counts["unreadable"] == 0


class HeartsTaskset(vf.Taskset[HeartsTask, HeartsConfig]):
    """Endless tasks, by seed."""

    INFINITE = True

    def load(self) -> Iterator[HeartsTask]:
        """Yield tasks. Raises ValueError for bad rules or options."""
        config = self.config
        env = text_env(config.variant, config.options)
        for seed in itertools.count(config.first):
            data = HeartsData(
                name=f"{config.variant}#{seed}",
                prompt=env.reset(seed=seed)[0],
                variant=config.variant,
                options=config.options,
                seed=seed,
            )
            yield HeartsTask(data, config.task)


def text_env(variant: str, options: dict[str, Any]) -> he.TextEnv:
    """The text face with one seat for the model. Raises ValueError if `opponents` is None."""
    if options.get("opponents", "rule") is None:
        raise ValueError("opponents=None is not possible here; one seat is played by text")
    return he.text_env(variant, **options)


class HeartsEnvConfig(vf.EnvConfig):
    """The seat, as a chat without tools on this machine."""

    player: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"}, runtime=vf.SubprocessConfig())


class HeartsEnv(vf.Env[HeartsEnvConfig]):
    """Plays a task: the model speaks first, to the prompt."""

    async def run(self, task: HeartsTask, agents: vf.Agents) -> None:
        """Play until the episode, or the conversation, is over."""
        env, _ = task.start()
        total, over, text = 0.0, False, None  # the prompt is the first text
        async with agents.player.interaction(task) as interaction:
            while not over and not (segment := await interaction.turn(text)).terminated:
                text, reward, terminated, truncated, _ = env.step(segment.last_reply)
                total, over = total + reward, terminated or truncated
        interaction.trace.record_reward("points", total)
        interaction.trace.record_metrics({**env.counts, "finished": over})
