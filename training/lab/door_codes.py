"""The doors that `doors.py` measures: what a user writes to have a learner in one seat, for each framework."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent


@dataclass(frozen=True)
class Door:
    """A way into a game.

    Attributes:
        name: for the table.
        code: what a user writes.
        learns: whether its ``env`` is a `VecEnv` that MaskablePPO learns on.
    """

    name: str
    code: str
    learns: bool = False

    @property
    def lines(self) -> int:
        """Number of lines of the code."""
        return len(dedent(self.code).strip().splitlines())


MAKE_VEC = """
    import gymnasium
    envs = gymnasium.make_vec("hearts_env:Hearts/BlackLady-v0", num_envs=GAMES, opponents=OPPONENTS, deals=1)
    observations, infos = envs.reset()
    while True:
        actions = policy(observations, infos["action_mask"])
        observations, rewards, terminations, truncations, infos = envs.step(actions)
"""
VEC_ENV = """
    from hearts_env.envs.sb3 import LearnerVecEnv
    env = LearnerVecEnv("black_lady", GAMES, opponents=OPPONENTS, deals=1)
    observations = env.reset()
    while True:
        observations, rewards, dones, infos = env.step(policy(observations, env.action_masks()))
"""
TORCHRL = """
    from hearts_env.envs.torchrl import LearnerTorchEnv
    env = LearnerTorchEnv("black_lady", GAMES, opponents=OPPONENTS, deals=1)
    data = env.reset()
    while True:
        data["action"] = policy(data["observation"], data["action_mask"])
        stepped, data = env.step_and_maybe_reset(data)
        rewards = stepped["next", "reward"]
"""
MAKE = """
    import gymnasium
    env = gymnasium.make("hearts_env:Hearts/BlackLady-v0", opponents=OPPONENTS, deals=1)
    observation, info = env.reset()
    while True:
        action = policy(observation[None], info["action_mask"][None])[0]
        observation, rewards, terminated, truncated, info = env.step(action)
        if terminated:
            observation, info = env.reset()
"""
DUMMY = """
    from stable_baselines3.common.env_util import make_vec_env
    env = make_vec_env("hearts_env:Hearts/BlackLady-v0", GAMES, env_kwargs={"opponents": OPPONENTS, "deals": 1})
    observations = env.reset()
    while True:
        masks = np.stack(env.env_method("action_masks"))
        observations, rewards, dones, infos = env.step(policy(observations, masks))
"""
WRAPPER = """
    import hearts_env, torch
    from torchrl.envs.libs.pettingzoo import PettingZooWrapper
    env = PettingZooWrapper(hearts_env.env("black_lady", deals=1), use_mask=True, seed=1)
    data = env.reset()
    while True:
        seen, turn = data["player_0"], data["player_0", "mask"]
        actions = policy(seen["observation", "observation"][turn], seen["action_mask"][turn])
        data = env.rand_action(data)
        if turn.any():
            data["player_0", "action"] = torch.as_tensor(actions)
        stepped, data = env.step_and_maybe_reset(data)
        rewards = stepped["next", "player_0", "reward"][turn]
"""
DOORS = (
    Door("LearnerVecEnv (Stable-Baselines3)", VEC_ENV, learns=True),
    Door("gymnasium.make_vec", MAKE_VEC),
    Door("LearnerTorchEnv (TorchRL)", TORCHRL),
    Door("gymnasium.make, one game", MAKE),
    Door("DummyVecEnv of gymnasium.make", DUMMY, learns=True),
    Door("TorchRL's PettingZooWrapper, one game", WRAPPER),
)
