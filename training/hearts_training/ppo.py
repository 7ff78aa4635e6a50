"""Self-play PPO in one file: one network passes and plays in every seat, and learns from all of them.

A run may begin with imitation of a teacher and keep it as the opponent in a share of the games; see `PPOConfig`.

Proximal policy optimisation (Schulman et al. 2017, arXiv:1707.06347) with generalised advantage estimation
(arXiv:1506.02438), for a game of several seats. The seat to act changes from step to step, so a game is several
trajectories, one per seat and deal: `Experience` links each decision to the same seat's next one in the deal, and
credits a reward, whoever moved when it was paid, to the latest decision of the seat that earned it. A trajectory
ends with the deal, so nothing is bootstrapped: an update learns from all deals that have ended and keeps the
decisions of the others for the next one. Moves without an alternative are no decisions: they are played and
forgotten. The critic sees every hand (it is thrown away after training); the policy sees what its seat may know.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from hearts_agents.neural import ILLEGAL, PolicyNet
from hearts_agents.registry import make_agent
from hearts_env.envs.vector import VectorEnv
from hearts_env.kernel.batch import take_views
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import STATE
from hearts_env.play.view import Views
from hearts_training.sparse import SparseRows, by_column

END, OPEN = -1, -2
Rows = NDArray[np.int64]
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class PPOConfig:
    """Every hyper-parameter.

    Attributes:
        num_envs: games played in parallel.
        rollout_steps: steps of all games between two updates; a deal of the classic game takes 64.
        hidden: widths of the policy's hidden layers.
        critic_hidden: widths of the critic's hidden layers.
        learning_rate: Adam's step size at the start, annealed linearly ...
        final_learning_rate: ... to this.
        entropy: weight of the entropy bonus at the start, annealed linearly ...
        final_entropy: ... to this.
        clip: how far the probability ratio may leave 1 before its gradient is cut.
        gae_lambda: weight of longer returns in the advantage; 1 is Monte Carlo, 0 one decision
            ahead. There is no discount.
        epochs: passes over the decisions of an update.
        minibatch: decisions per gradient step.
        max_grad_norm: the norm that gradients are cut to, for policy and critic each.
        imitation: share of the budget at the start in which `teacher` plays all seats, the policy learns to predict its
            moves and the critic its results; 0 learns from nothing but self-play.
        imitation_learning_rate: Adam's step size then.
        teacher: the agent imitated.
        rivals: share of the games in which, after that, the teacher holds all seats but one.
        timing: when points are rewarded, after each ``deal`` or each ``trick``; the sum is the same.
        bfloat16: multiply hidden layers in bfloat16; parameters, first layers and losses stay float32.
    """

    num_envs: int = 512
    rollout_steps: int = 64
    hidden: tuple[int, ...] = (256, 256)
    critic_hidden: tuple[int, ...] = (256, 256)
    learning_rate: float = 5e-4
    final_learning_rate: float = 5e-5
    entropy: float = 0.02
    final_entropy: float = 0.005
    clip: float = 0.15
    gae_lambda: float = 0.8
    epochs: int = 2
    minibatch: int = 1024
    max_grad_norm: float = 0.5
    imitation: float = 0.25
    imitation_learning_rate: float = 1e-3
    teacher: str = "rule"
    rivals: float = 0.25
    timing: str = "deal"
    bfloat16: bool = True

    def __post_init__(self) -> None:
        for name in ("num_envs", "rollout_steps", "epochs", "minibatch"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}={getattr(self, name)} must be at least 1")


def anneal(first: float, last: float, progress: float) -> float:
    """The value at a share `progress` (0 to 1) of the way from `first` to `last`."""
    return first + (last - first) * min(max(progress, 0.0), 1.0)


@jit
def advantages(
    following: Rows, rewards: Floats, values: Floats, lam: np.float32, out: Floats, ready: NDArray[np.bool_]
) -> None:
    """Write generalised advantages to `out`, and to `ready` whether the deal has ended: one entry per decision each.

    ``following[i]`` is the same seat's next decision in the deal, further down; END after the last; OPEN while the
    deal runs.
    """
    for i in range(following.shape[0] - 1, -1, -1):
        after = following[i]
        ready[i] = after == END or (after >= 0 and ready[after])
        ahead = values[after] + lam * out[after] if after >= 0 else 0.0
        out[i] = rewards[i] + ahead - values[i]


def make_critic(inputs: int, widths: tuple[int, ...]) -> nn.Sequential:
    """A network that estimates a seat's return from its observation and the hands it does not see, (n, 1)."""
    layers: list[nn.Module] = [nn.Linear(inputs, widths[0])]
    for width, following in zip(widths, (*widths[1:], 1), strict=True):
        layers += [nn.ReLU(), nn.Linear(width, following)]
    return nn.Sequential(*layers)


class Experience:
    """The decisions not yet learned from, in the order they were made, in preallocated rows.

    Attributes:
        count: rows in use.
        filled: rows that ever were in use.
        seen: what the seats saw and what they did not.
        masks, actions, log_probs: (rows, ...) tensors on the learner's device.
        rewards: (rows,) what the seat earned between this decision and its next.
        following: (rows,) see `advantages`.
        latest: (games, seats) row of the seat's latest decision in the deal, -1 before the first.
    """

    def __init__(self, env: VectorEnv, rows: int, device: torch.device) -> None:
        """Allocate for `rows` decisions."""
        self.count = self.filled = 0
        self.seen = SparseRows(env, rows, device)
        self.masks = torch.empty((rows, env.action_masks.shape[1]), dtype=torch.bool, device=device)
        self.actions = torch.empty(rows, dtype=torch.int64, device=device)
        self.log_probs = torch.empty(rows, dtype=torch.float32, device=device)
        self.rewards = np.zeros(rows, np.float32)
        self.following = np.full(rows, OPEN, np.int64)
        self.latest = np.full((env.num_envs, env.game.seats), -1, np.int64)

    @property
    def tensors(self) -> dict[str, Tensor]:
        """What is stored of every decision."""
        return {**self.seen.tensors, "masks": self.masks, "actions": self.actions, "log_probs": self.log_probs}

    def extend(self, games: Rows, seats: NDArray[np.int8]) -> slice:
        """Rows for a new decision of one seat in each of some games, linked to the seats' decisions before."""
        new = slice(self.count, self.count + len(games))
        rows = np.arange(new.start, new.stop)
        before = self.latest[games, seats]
        self.following[before[before >= 0]] = rows[before >= 0]
        self.latest[games, seats] = rows
        self.rewards[new], self.following[new] = 0, OPEN
        self.count = new.stop
        self.filled = max(self.filled, self.count)
        return new

    def credit(self, rewards: Floats) -> None:
        """Give each seat's reward, (games, seats), to its latest decision."""
        known = self.latest >= 0
        self.rewards[self.latest[known]] += rewards[known]

    def close(self, ended: NDArray[np.bool_]) -> None:
        """End all trajectories of the games whose deal has ended."""
        last = self.latest[ended]
        self.following[last[last >= 0]] = END
        self.latest[ended] = -1

    def keep(self, rows: Rows) -> None:
        """Forget all decisions but these (ascending), of which no other is linked to one of them."""
        place = np.full(self.count + 1, -1, np.int64)
        place[rows] = np.arange(len(rows))
        where = torch.from_numpy(rows).to(self.actions.device)
        for tensor in self.tensors.values():
            tensor[: len(rows)] = tensor[where]
        self.rewards[: len(rows)] = self.rewards[rows]
        after = self.following[rows]
        self.following[: len(rows)] = np.where(after >= 0, place[after], after)
        self.latest = np.where(self.latest >= 0, place[self.latest], -1)
        self.count = len(rows)


class PPO:
    """Games, networks and optimisers: `collect` plays, `update` learns."""

    def __init__(self, env: VectorEnv, config: PPOConfig, *, seed: int, device: str = "cpu") -> None:
        """Start all games; `env` must give ``reward="relative"``. The seed fixes deals, weights and choices."""
        self.env, self.config, self.device = env, config, torch.device(device)
        seeds = np.random.SeedSequence(seed).generate_state(3)
        env.reset(seed=int(seeds[0]))
        t = env.game.tables
        per_deal = int(t["deck_size"]) + env.game.seats * (int(t["option_cards"].max()) + 3)
        rows = (max(config.rollout_steps, per_deal) + per_deal) * env.num_envs
        self.experience = Experience(env, rows, self.device)
        with torch.random.fork_rng():
            torch.manual_seed(int(seeds[1]))
            self.policy = PolicyNet(env.observations.shape[1], env.action_masks.shape[1], config.hidden)
            self.critic = make_critic(self.experience.seen.width, config.critic_hidden)
            self.learners = {
                name: self._learner(net) for name, net in (("policy", self.policy), ("critic", self.critic))
            }
        self.generator = torch.Generator(self.device).manual_seed(int(seeds[2]))
        self.teacher = make_agent(config.teacher)
        self.imitating = False
        self.deals = self.decisions = self.choices = self.updates = 0
        self._masks, self._views = torch.from_numpy(env.action_masks), np.zeros(env.num_envs, STATE)
        games, seats = np.arange(env.num_envs), env.game.seats
        self._taught = (games < config.rivals * env.num_envs)[:, None] & (games[:, None] % seats != np.arange(seats))
        self._scale = np.float32(t["point_scale"])

    def _learner(self, net: nn.Module) -> tuple[nn.Module, torch.optim.Adam]:
        """Orthogonal weights, zero biases, a nearly uniform policy or zero value; and the network's optimiser."""
        layers = [layer for layer in net.modules() if isinstance(layer, nn.Linear)]
        for layer in layers:
            nn.init.orthogonal_(layer.weight, 0.01 if layer is layers[-1] else 2**0.5)
            nn.init.zeros_(layer.bias)
        by_column(layers[0])
        return net.to(self.device), torch.optim.Adam(net.parameters(), eps=1e-5, fused=True)

    # --- playing --------------------------------------------------------------------------------

    def collect(self, progress: float) -> None:
        """Play `rollout_steps` moves in every game, or more until a deal has ended somewhere.

        The teacher plays while `progress`, the share of the budget used, is below `imitation`.
        """
        teaching = progress < self.config.imitation
        if self.imitating and not teaching:
            self.experience.keep(np.empty(0, np.int64))  # the teacher's moves are no sample of the policy
        self.imitating = teaching
        steps, deals = 0, self.deals
        with torch.inference_mode():
            while steps < self.config.rollout_steps or self.deals == deals:
                self._step()
                steps += 1

    def _step(self) -> None:
        env, experience = self.env, self.experience
        actions = env.action_masks.argmax(1)
        choices = env.action_masks.sum(1) > 1
        taught = choices & self._taught[np.arange(env.num_envs), env.seats]
        if not self.imitating and taught.any():
            actions[taught] = self._advice(np.flatnonzero(taught))
            choices &= ~taught
        games = np.flatnonzero(choices)
        if games.size:
            actions[games] = self._choose(games)
        self.choices += len(games)
        self.decisions += env.num_envs
        deal_number = env.states["deal_number"].copy()
        env.step(actions)
        ended = env.terminated | (env.states["deal_number"] != deal_number)
        if env.rewards.any():
            experience.credit(env.rewards * self._scale)
        experience.close(ended)
        self.deals += int(ended.sum())

    def _choose(self, games: Rows) -> Rows:
        """A move in each of some games, remembered as decisions."""
        experience = self.experience
        new = experience.extend(games, self.env.seats[games])
        experience.seen.write(new, self.env, games)
        experience.masks[new] = self._masks[torch.from_numpy(games)].to(self.device, torch.bool)
        if self.imitating:
            actions = self._advice(games)
            experience.actions[new] = torch.from_numpy(actions).to(self.device)
            return actions
        log_probs = self.log_probs_of(torch.arange(new.start, new.stop, device=self.device))
        noise = torch.empty_like(log_probs).exponential_(generator=self.generator)
        chosen = (log_probs - noise.log()).argmax(1)
        experience.actions[new] = chosen
        experience.log_probs[new] = log_probs.gather(1, chosen[:, None]).squeeze(1)
        sampled: Rows = chosen.cpu().numpy()
        return sampled

    def _advice(self, games: Rows) -> Rows:
        """The teacher's moves in some games."""
        take_views(self.env.states, self.env.game.tables, games, self._views)
        return self.teacher.act_batch(Views(self.env.game, self._views[: len(games)]))

    def autocast(self) -> torch.autocast:
        """The precision in which networks run."""
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self.config.bfloat16)

    def log_probs_of(self, rows: Tensor) -> Tensor:
        """Log-probabilities of all actions in some decisions, (n, actions) float32."""
        policy, experience = self.policy, self.experience
        with self.autocast():
            first = experience.seen.product(policy.body[0], rows)
            logits = policy.head(policy.body[1:](first)).float()
        return torch.log_softmax(logits.masked_fill(~experience.masks[rows], ILLEGAL), 1)

    def values_of(self, rows: Tensor) -> Tensor:
        """The critic's values of some decisions, (n,) float32."""
        with self.autocast():
            first = self.experience.seen.product(self.critic[0], rows)
            values: Tensor = self.critic[1:](first).float().squeeze(1)
        return values

    # --- learning -------------------------------------------------------------------------------

    def update(self, progress: float) -> dict[str, float]:
        """Learn from the deals that have ended, at a share `progress` of the budget; returns figures for the log."""
        config, experience = self.config, self.experience
        share = (progress - config.imitation) / max(1 - config.imitation, 1e-9)
        rate = anneal(config.learning_rate, config.final_learning_rate, share)
        for _, optimizer in self.learners.values():
            for group in optimizer.param_groups:
                group["lr"] = config.imitation_learning_rate if self.imitating else rate
        gains, returns, ready = self._advantages()
        rows = torch.from_numpy(np.flatnonzero(ready)).to(self.device)
        sums, steps = torch.zeros(4, device=self.device), 0
        for batch in self._minibatches(rows):
            policy_loss, entropy, kl = self._policy_loss(
                batch, gains, anneal(config.entropy, config.final_entropy, share)
            )
            value_loss = (self.values_of(batch) - returns[batch]).square().mean()
            self._descend(policy_loss + value_loss)
            sums += torch.stack([policy_loss, value_loss, entropy, kl]).detach()
            steps += 1
        experience.keep(np.flatnonzero(~ready))
        self.updates += 1
        names = ("policy_loss", "value_loss", "entropy", "kl")
        return dict(zip(names, (sums / max(steps, 1)).tolist(), strict=True))

    def _advantages(self) -> tuple[Tensor, Tensor, NDArray[np.bool_]]:
        """Normalised advantages and returns of all rows, and which rows are ready to be learned from."""
        n = self.experience.count
        with torch.inference_mode():
            parts = torch.arange(n, device=self.device).split(8192)
            values = torch.cat([self.values_of(part) for part in parts]).cpu().numpy()
        gains, ready = np.empty(n, np.float32), np.empty(n, np.bool_)
        rewards, following = self.experience.rewards[:n], self.experience.following[:n]
        advantages(following, rewards, values, np.float32(self.config.gae_lambda), gains, ready)
        returns = gains + values
        if ready.any():
            gains = (gains - gains[ready].mean()) / (gains[ready].std() + 1e-8)
        return torch.from_numpy(gains).to(self.device), torch.from_numpy(returns).to(self.device), ready

    def _minibatches(self, rows: Tensor) -> Iterator[Tensor]:
        """Shuffled row numbers, `epochs` times over."""
        for _ in range(1 if self.imitating else self.config.epochs):
            order = torch.randperm(len(rows), generator=self.generator, device=self.device)
            yield from rows[order].split(self.config.minibatch)

    def _policy_loss(self, batch: Tensor, gains: Tensor, entropy_weight: float) -> tuple[Tensor, Tensor, Tensor]:
        """What to minimise, the mean entropy, and the divergence from the policy that played (0 for a teacher)."""
        log_probs = self.log_probs_of(batch)
        taken = log_probs.gather(1, self.experience.actions[batch][:, None]).squeeze(1)
        entropy = -(log_probs.exp() * log_probs).sum(1).mean()
        if self.imitating:
            return -taken.mean(), entropy, torch.zeros_like(entropy)
        gain, clip = gains[batch], self.config.clip
        change = taken - self.experience.log_probs[batch]
        ratio = change.exp()
        surrogate = torch.minimum(ratio * gain, ratio.clamp(1 - clip, 1 + clip) * gain).mean()
        kl = (ratio - 1 - change).mean()  # the low-variance estimate of http://joschu.net/blog/kl-approx.html
        return -surrogate - entropy_weight * entropy, entropy, kl

    def _descend(self, loss: Tensor) -> None:
        """One step of both optimisers."""
        for _, optimizer in self.learners.values():
            optimizer.zero_grad()
        loss.backward()
        for net, optimizer in self.learners.values():
            nn.utils.clip_grad_norm_(net.parameters(), self.config.max_grad_norm)
            optimizer.step()
