"""MaskablePPO of sb3-contrib against the `rule` agent, then against copies of itself: `python sb3_ppo.py`.

`VecMonitor` adds the statistics of episodes (`rollout/ep_rew_mean`): a `VecEnv` does not keep them itself. The model is
saved in the framework's own way, a pickle: load only your own files. `sb3:FOLDER` is without pickles.
"""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import tyro
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecMonitor
from torch import nn

from hearts_agents.arena import run_arena
from hearts_agents.arena.report import to_markdown
from hearts_agents.neural.sb3 import save_sb3
from hearts_env.envs.sb3 import FrozenPolicy, LearnerVecEnv


@dataclass
class Args:
    """Every option and hyper-parameter."""

    variant: str = "black_lady"  # rules, as in `hearts rules`
    steps: int = 1_000_000  # decisions of the learner; the second half of them is self-play
    out: str = "runs/sb3_ppo"  # folder for the actor, the model and TensorBoard's log
    resume: bool = False  # go on from the model in that folder, in self-play
    seed: int = 1  # of deals, weights and choices
    arena_deals: int = 200  # of the arena at the end
    games: int = 256  # played at once
    rows: int = 16  # decisions of each game between two updates
    width: int = 256  # of both hidden layers, of policy and critic
    learning_rate: float = 1e-3  # Adam's
    epochs: int = 2  # passes over the decisions of an update
    batch: int = 1024  # decisions per gradient step
    gae_lambda: float = 0.9  # 0 looks one decision ahead, 1 waits for the end of the deal
    entropy: float = 0.01  # weight of the entropy bonus
    value: float = 0.005  # weight of the critic's loss, the square of points
    snapshots: int = 4  # how often the opponents become copies of the learner


class Moons(BaseCallback):
    """Logs the shares of the deals in which the learner shot the moon, or tried to and was stopped."""

    def _on_step(self) -> bool:
        for outcome in [info["outcome"] for info in self.locals["infos"] if "outcome" in info]:
            seat = list(outcome["opponents"]).index("")  # the learner's
            self.logger.record_mean("outcome/shot", float(outcome["shooter"] == seat))
            self.logger.record_mean("outcome/stopped", float(outcome["stopped"][seat]))
        return True


args = tyro.cli(Args)
options = {"deals": 1, "reward": "relative", "timing": "trick", "seat": "rotating"}
env = VecMonitor(LearnerVecEnv(args.variant, args.games, opponents="rule", **options))
zipped = Path(args.out) / "model.zip"
if args.resume:
    model = MaskablePPO.load(zipped, env, device="cpu")
else:
    model = MaskablePPO(
        "MlpPolicy",
        env,
        learning_rate=args.learning_rate,
        n_steps=args.rows,
        batch_size=args.batch,
        n_epochs=args.epochs,
        gamma=1.0,
        gae_lambda=args.gae_lambda,
        ent_coef=args.entropy,
        vf_coef=args.value,
        policy_kwargs={"net_arch": [args.width, args.width], "activation_fn": nn.ReLU},
        tensorboard_log=args.out,
        seed=args.seed,
        device="cpu",
        verbose=1,
    )
with suppress(KeyboardInterrupt):  # Ctrl-C saves, and --resume goes on
    if not args.resume:
        model.learn(args.steps // 2, Moons())
    for _ in range(args.snapshots):
        env.set_opponents(FrozenPolicy(model))
        model.learn(args.steps // 2 // args.snapshots, Moons(), reset_num_timesteps=False)
model.save(zipped)
agent = save_sb3(args.out, model.policy, args.variant)
print(to_markdown(run_arena([agent, "rule", "random"], args.variant, deals=args.arena_deals)))
