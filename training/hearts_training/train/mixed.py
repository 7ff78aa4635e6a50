"""Self-play PPO over many games at once: one network whose layers are made from the rules of each.

Every round draws some games from a mix and plays one deal at each table of theirs; then the minibatches of all of them
are learned from in one shuffled order, so that no step serves a single game. Otherwise it is the algorithm of `ppo`: a
trajectory is a seat's decisions in a deal, the critic sees all hands, a teacher may be imitated at first, and other
agents hold seats at some of the tables. What a seat earns is counted in standard deviations of a deal's margin among
copies of ``rule``, and advantages are normalised in each game, so that games of large points weigh no more.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from hearts_agents.neural import ILLEGAL
from hearts_agents.neural.counts import BLOCKS as COUNTS
from hearts_agents.neural.inputs import network_inputs
from hearts_agents.neural.rulesnet import Layers, RulesNet, describe
from hearts_agents.registry import make_agent
from hearts_env.compiled.game import Game
from hearts_env.envs.vector import VectorEnv
from hearts_env.kernel.jit import jit
from hearts_env.play.view import Views
from hearts_env.ruleset.model import Rules
from hearts_env.variants.sample import sample_rules
from hearts_training.evaluate.benchmark import Sides
from hearts_training.train.config import PPOConfig
from hearts_training.train.learner import DivergedError
from hearts_training.train.ppo import anneal, generalized_advantages
from hearts_training.train.rollout import Experience, Floats, Rows
from hearts_training.train.selfplay import SelfPlay
from hearts_training.train.sparse import SparseRows, _Product

VALUES_AT_ONCE = 8192


@jit
def own_counts(rows: NDArray[np.int64], columns: Floats, values: Floats, counts: Rows, first: int, out: Floats) -> None:
    """Write the counts of each card, (n, counts, kinds), out of sparse rows; their columns begin at `first`."""
    blocks, kinds = out.shape[1], out.shape[2]
    for i in range(rows.shape[0]):
        row = rows[i]
        for j in range(blocks):
            for k in range(kinds):
                out[i, j, k] = np.float32(0)
        for entry in range(counts[row]):
            place = columns[row, entry] - first
            if place >= 0 and place < blocks * kinds:
                out[i, place // kinds, place % kinds] = values[row, entry]


class MixedGame(SelfPlay):
    """The tables of one game of the mix. Its layers are set before it plays.

    Attributes:
        described: the game as the network reads it.
        policy_layers, critic_layers: made from the rules, without gradients.
    """

    policy_layers: Layers
    critic_layers: Layers

    def __init__(self, rules: Rules, sd: float, nets: dict[str, RulesNet], config: PPOConfig, seed: int) -> None:
        """Make the tables; `sd` is the standard deviation of a deal's margin among copies of ``rule``."""
        env = VectorEnv(rules, config.num_envs, reward="relative")
        self.nets = nets
        super().__init__(env, config, seed=seed)
        self.described = describe(env.game)
        self._reward_scale = np.float32(1 / sd)

    def add_networks(self) -> None:
        """None: the networks are those of the mix."""

    def make_layers(self) -> None:
        """Make the layers from the rules as the networks are now."""
        with torch.no_grad():
            self.policy_layers = self.nets["policy"].layers([self.described])[0]
            self.critic_layers = self.nets["critic"].layers([self.described])[0]

    def play_deals(self, imitating: bool) -> None:
        """Play on until a deal has ended at every table. Matches go on from round to round."""
        self.imitating = imitating
        self.experience = Experience(self.env, len(self.experience.rewards), self.device)
        left = np.ones(self.env.num_envs, np.bool_)
        self.make_layers()
        with torch.inference_mode():
            while left.any():
                deals = self.env.states["deal_number"].copy()
                self._step()
                left &= ~(self.env.terminated | (self.env.states["deal_number"] != deals))

    def forget(self) -> None:
        """Free the memory of the decisions."""
        self.experience = Experience(self.env, len(self.experience.rewards), self.device)

    def log_probs_of(self, rows: Tensor, net: object = None) -> Tensor:
        """Log-probabilities of all actions in some stored decisions, by the layers made last."""
        return self.log_probs_by(self.policy_layers, rows)

    def log_probs_by(self, layers: Layers, rows: Tensor) -> Tensor:
        """Log-probabilities of all actions in some stored decisions, (n, actions)."""
        inputs = self.experience.inputs
        product = product_of(inputs, layers, rows)
        own = np.empty((len(rows), len(COUNTS), len(self.env.game.deck.kinds)), np.float32)
        first = int(self.env.game.tables["obs_size"])
        columns, values, counts = (tensor.numpy() for tensor in (inputs.columns, inputs.values, inputs.observed))
        own_counts(rows.numpy(), columns, values, counts, first, own)
        with self.autocast():
            logits = self.nets["policy"].outputs(layers, product, torch.from_numpy(own))
        return torch.log_softmax(logits.masked_fill(~self.experience.masks[rows], ILLEGAL), 1)

    def values_by(self, layers: Layers, rows: Tensor) -> Tensor:
        """The critic's estimates of the return of some stored decisions, (n,)."""
        product = product_of(self.experience.inputs, layers, rows)
        with self.autocast():
            return self.nets["critic"].outputs(layers, product).squeeze(1)


def product_of(inputs: SparseRows, layers: Layers, rows: Tensor) -> Tensor:
    """The output of the first layer for some rows."""
    found: Tensor = _Product.apply(layers.first.t(), layers.bias, inputs, rows)  # type: ignore[no-untyped-call]
    return found


@dataclass(frozen=True)
class Entry:
    """A game of the mix: its rules, and the standard deviation of a deal's margin among copies of ``rule``."""

    rules: Rules
    sd: float


def sampled_entries(first: int) -> Iterator[Entry]:
    """Rules drawn by `hearts_env.sample_rules` from a seed on, without those in which no deal differs from another."""
    rule = make_agent("rule")
    for seed in count(first):
        rules = sample_rules(seed)
        sd = float(Sides.of(rules).margins(rule, rule, 0).std())
        if sd > 0:
            yield Entry(rules, sd)


class Mix:
    """The games that are learned from: some for ever, others drawn at random and replaced after some rounds.

    Attributes:
        lasting: number of the games that stay.
        games: of which every round draws some.
    """

    def __init__(
        self,
        entries: Sequence[Entry],
        fresh: Iterator[Entry],
        drawn: int,
        rounds: int,
        make: Callable[[Entry, int], MixedGame],
    ) -> None:
        """`drawn` games at a time come from `fresh`, each for so many rounds."""
        self._fresh, self._rounds, self._make = fresh, rounds, make
        self.made = 0
        self.games = [self._new(entry) for entry in entries]
        self.lasting = len(self.games)
        self._used = [0] * self.lasting
        for place in range(drawn):
            self.games.append(self._new(next(fresh)))
            self._used.append(place % rounds)  # so that they are not replaced all at once

    def _new(self, entry: Entry) -> MixedGame:
        self.made += 1
        return self._make(entry, self.made)

    def draw(self, random: np.random.Generator, size: int) -> list[MixedGame]:
        """Different games for a round, half of them lasting ones."""
        drawn = len(self.games) - self.lasting
        old = min(self.lasting, max(size // 2, size - drawn)) if drawn else min(self.lasting, size)
        places = [*random.choice(self.lasting, old, replace=False)] if old else []
        places += [*(self.lasting + random.choice(drawn, min(size - old, drawn), replace=False))] if drawn else []
        for place in places:
            if place >= self.lasting:
                if self._used[place] >= self._rounds:
                    self.games[place], self._used[place] = self._new(next(self._fresh)), 0
                self._used[place] += 1
        return [self.games[place] for place in places]


class Targets:
    """What the decisions of a game are learned towards."""

    def __init__(self, game: MixedGame) -> None:
        n = game.experience.count
        with torch.inference_mode():
            parts = torch.arange(n).split(VALUES_AT_ONCE)
            values = torch.cat([game.values_by(game.critic_layers, part) for part in parts]).numpy()
        advantages, ready = np.empty(n, np.float32), np.empty(n, np.bool_)
        rewards, next_row = game.experience.rewards[:n], game.experience.next_row[:n]
        generalized_advantages(next_row, rewards, values, np.float32(game.config.gae_lambda), advantages, ready)
        self.rows = torch.from_numpy(np.flatnonzero(ready))
        self.returns = torch.from_numpy(advantages + values)
        spread = advantages[ready].std() + 1e-8
        self.explained = 1 - float(np.square(spread) / ((advantages + values)[ready].var() + 1e-8))
        self.advantages = torch.from_numpy((advantages - advantages[ready].mean()) / spread)


class MixedPPO:
    """Learns from many games at once.

    Attributes:
        nets: ``policy`` and ``critic``.
        optimizers: of each.
        mix: the games.
        deals, decisions, choices, updates: how many there were.
    """

    def __init__(
        self,
        entries: Sequence[Entry],
        config: PPOConfig,
        *,
        seed: int,
        width: int = 128,
        depth: int = 2,
        code: int = 64,
        games_of_round: int = 16,
        games_of_step: int = 4,
        drawn: int = 64,
        rounds: int = 8,
        first: int = 0,
    ) -> None:
        self.config, self.seed = config, seed
        self.games_of_round, self.games_of_step = games_of_round, games_of_step
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            self.nets = {
                "policy": RulesNet(width, depth, code),
                "critic": RulesNet(width, depth, code, critic=True),
            }
        self.optimizers = {
            name: torch.optim.Adam(net.parameters(), eps=1e-5, fused=True) for name, net in self.nets.items()
        }
        self.random = np.random.default_rng([seed, 2])
        self.deals = self.decisions = self.choices = self.updates = 0
        self.seconds = {"play": 0.0, "value": 0.0, "learn": 0.0}
        self.mix = Mix(entries, sampled_entries(first), drawn, rounds, self._game)

    def _game(self, entry: Entry, number: int) -> MixedGame:
        return MixedGame(entry.rules, entry.sd, self.nets, self.config, self.seed * 1_000_003 + number)

    def round(self, progress: float) -> dict[str, float]:
        """Play a deal at all tables of some games, and learn from them."""
        config, games = self.config, self.mix.draw(self.random, self.games_of_round)
        imitating = progress < config.imitation
        began = time.perf_counter()
        for game in games:
            before = game.deals, game.decisions, game.choices
            game.play_deals(imitating)
            self.deals += game.deals - before[0]
            self.decisions += game.decisions - before[1]
            self.choices += game.choices - before[2]
        played = time.perf_counter()
        targets = {id(game): Targets(game) for game in games}
        valued = time.perf_counter()
        figures = self._learn(games, targets, progress, imitating)
        for game in games:
            game.forget()
        self.updates += 1
        for name, spent in zip(
            self.seconds, (played - began, valued - played, time.perf_counter() - valued), strict=True
        ):
            self.seconds[name] += spent
        figures["explained_variance"] = float(np.mean([target.explained for target in targets.values()]))
        return figures

    def _learn(
        self, games: list[MixedGame], targets: dict[int, Targets], progress: float, imitating: bool
    ) -> dict[str, float]:
        config = self.config
        fraction = (progress - config.imitation) / max(1 - config.imitation, 1e-9)
        entropy_weight = anneal(config.entropy, config.final_entropy, fraction)
        rate = anneal(config.learning_rate, config.final_learning_rate, fraction)
        for optimizer in self.optimizers.values():
            for group in optimizer.param_groups:
                group["lr"] = config.imitation_learning_rate if imitating else rate
        names = ("policy_loss", "value_loss", "entropy", "approx_kl", "clip_fraction")
        sums, steps = torch.zeros(len(names)), 0
        for step in self._steps(games, targets, 1 if imitating else config.epochs):
            total = torch.zeros(())
            size = sum(len(rows) for _, rows in step)
            described = [game.described for game, _ in step]
            layers = zip(*(net.layers(described) for net in self.nets.values()), strict=True)
            for (game, rows), (policy, critic) in zip(step, layers, strict=True):
                log_probs, values = game.log_probs_by(policy, rows), game.values_by(critic, rows)
                losses = self._losses(game, rows, targets[id(game)], log_probs, values, entropy_weight)
                total = total + (losses[0] + losses[1]) * (len(rows) / size)
                sums += torch.stack(losses).detach() * (len(rows) / size)
            for optimizer in self.optimizers.values():
                optimizer.zero_grad()
            total.backward()
            for name, net in self.nets.items():
                nn.utils.clip_grad_norm_(net.parameters(), config.max_grad_norm)
                self.optimizers[name].step()
            steps += 1
        figures = dict(zip(names, (sums / max(steps, 1)).tolist(), strict=True))
        for name, value in figures.items():
            if not np.isfinite(value):
                raise DivergedError(f"training diverged: {name} is {value}")
        return figures

    def _steps(
        self, games: list[MixedGame], targets: dict[int, Targets], epochs: int
    ) -> Iterator[list[tuple[MixedGame, Tensor]]]:
        """The games and rows of each gradient step: chunks of all games in one shuffled order."""
        for _ in range(epochs):
            chunks: list[tuple[MixedGame, Tensor]] = []
            for game in games:
                rows = targets[id(game)].rows
                order = torch.from_numpy(self.random.permutation(len(rows)))
                chunks += [(game, part) for part in rows[order].split(self.config.minibatch)]
            shuffled = [chunks[place] for place in self.random.permutation(len(chunks))]
            for first in range(0, len(shuffled), self.games_of_step):
                merged: dict[int, tuple[MixedGame, list[Tensor]]] = {}
                for game, rows in shuffled[first : first + self.games_of_step]:
                    merged.setdefault(id(game), (game, []))[1].append(rows)
                yield [(game, torch.cat(parts)) for game, parts in merged.values()]

    def _losses(
        self,
        game: MixedGame,
        rows: Tensor,
        targets: Targets,
        log_probs: Tensor,
        values: Tensor,
        entropy_weight: float,
    ) -> list[Tensor]:
        """Of the policy, with its entropy bonus, and of the critic; entropy, approximate KL, clip fraction."""
        clip = self.config.clip
        value_loss = (values - targets.returns[rows]).square().mean()
        new = log_probs.gather(1, game.experience.actions[rows][:, None]).squeeze(1)
        entropy = -(log_probs.exp() * log_probs).sum(1).mean()
        if game.imitating:
            zero = torch.zeros(())
            return [-new.mean(), value_loss, entropy, zero, zero]
        log_ratio = new - game.experience.log_probs[rows]
        ratio, advantages = log_ratio.exp(), targets.advantages[rows]
        surrogate = torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages).mean()
        approx_kl = (ratio - 1 - log_ratio).mean()
        clipped = ((ratio - 1).abs() > clip).float().mean()
        return [-surrogate - entropy_weight * entropy, value_loss, entropy, approx_kl, clipped]


class Player:
    """Plays the most probable action in any game.

    Attributes:
        net: the policy.
    """

    def __init__(self, net: RulesNet) -> None:
        self.net = net
        self._layers: dict[Game, Layers] = {}

    def act_batch(self, views: Views) -> NDArray[np.int64]:
        """The most probable action in every view."""
        game = views.game
        inputs, masks = (torch.from_numpy(rows) for rows in network_inputs(views))
        with torch.inference_mode():
            if game not in self._layers:
                self._layers[game] = self.net.layers([describe(game)])[0]
            layers = self._layers[game]
            own = inputs[:, describe(game).own.flatten()].view(len(inputs), *describe(game).own.shape)
            logits = self.net.outputs(layers, torch.addmm(layers.bias, inputs, layers.first), own)
            actions: NDArray[np.int64] = logits.masked_fill(masks == 0, ILLEGAL).argmax(1).numpy()
        return actions
