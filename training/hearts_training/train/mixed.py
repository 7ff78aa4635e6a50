"""Self-play PPO over many games at once: one network whose layers are made from the rules of each.

Every round draws some games from a mix and plays one deal at each table of theirs; then the minibatches of all of them
are learned from in one shuffled order, so that no step serves a single game. Otherwise it is the algorithm of `ppo`: a
trajectory is a seat's decisions in a deal, the critic sees all hands, a teacher may be imitated at first, and other
agents hold seats at some of the tables. What a seat earns is counted in standard deviations of a deal's margin among
copies of ``rule``, and advantages are normalised in each game, so that games of large points weigh no more.

On many cores, several learners do a round each, from the same networks, and what they come to is averaged: local SGD
(Stich 2019, arXiv:1805.09767), with the moments of the optimisers averaged as well.
"""

from __future__ import annotations

import copy
import dataclasses
import math
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.stats import rankdata
from torch import Tensor

from hearts_agents.neural import ILLEGAL, PolicyNet, load_policy
from hearts_agents.neural.inputs import input_size, network_inputs
from hearts_agents.neural.rulesnet import Layers, RulesNet, described, save_general
from hearts_agents.registry import make_agent
from hearts_agents.weights import GENERAL_NAME, folder_of, strongest_agent
from hearts_agents.workers import Submit, Workers, submitting
from hearts_env.benchmark.domain import Membership, split_of
from hearts_env.benchmark.splits import SEEN, SPLITS, split, withheld_in
from hearts_env.compiled.game import Game, compile_game
from hearts_env.envs.vector import VectorEnv
from hearts_env.kernel.batch import encode_all
from hearts_env.kernel.bits import advance, mix
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import Array, Mask, Phase, Tables
from hearts_env.kernel.steps import random_action, start_match, step
from hearts_env.ruleset.model import Rules
from hearts_env.ruleset.syntax import brief
from hearts_env.seat.view import Views
from hearts_env.variants.registry import VARIANTS
from hearts_env.variants.registry import rules as read_rules
from hearts_env.variants.sample import VERSIONS, sample_rules
from hearts_training.evaluate.sides import Sides
from hearts_training.provenance import Provenance
from hearts_training.train.config import MixedConfig
from hearts_training.train.learner import DivergedError, set_counters
from hearts_training.train.ppo import PPO, PolicyLoss, Targets, begin_update, check_finite, follow, gradient_step
from hearts_training.train.rollout import Floats, Rows
from hearts_training.train.selfplay import COUNTED, SelfPlay
from hearts_training.train.sparse import by_column
from hearts_training.train.tensors import Learners, networks_from_tensors, networks_to_tensors

OVER = Phase.OVER.value
MOST_BEFORE = 7
"""Deals of a match that are played at random, at most, before the deal that is learned from."""
LEAST_GAP = 0.1
"""The least divisor in `MixedGame.behind`, in standard deviations: if ``random`` is less far behind ``rule``, margins
indicate little about strength."""
SMOOTHING = 0.2
"""Weight of the newest round in the moving average of how far the policy is behind in a game."""
KEPT = 64
"""Sampled rules that are played again, at most."""
SEEDS_OF_RUN, RUNS = 1_000_000, 1000
"""Seeds of sampled rules that a run has for itself, and the number of such runs: the benchmark's begin at 10**9."""
SEEDS_APART = 1000
"""Distance from a seed whose rules are of no use to the seed that is tried instead."""


@dataclass(frozen=True)
class TrainingGame:
    """A game of the mix.

    Attributes:
        rules: its rules.
        sd: standard deviation of a deal's margin among copies of ``rule``, in points.
        gap: the margin of ``random`` among copies of ``rule``, in units of `sd`.
        seed: of sampled rules; -1 of others.
    """

    rules: Rules
    sd: float
    gap: float
    seed: int = -1


def entry_of(rules: Rules, seed: int = -1) -> TrainingGame:
    """A game of the mix."""
    sides = Sides.of(rules)
    sd, worst = sides.spread(), float(sides.margins(make_agent("random"), make_agent("rule"), 0).mean())
    return TrainingGame(rules, sd, worst / sd if sd else 0.0, seed)


@lru_cache(maxsize=256)
def sampled_entry(seed: int, open_: bool) -> TrainingGame:
    """The rules that `hearts_env.sample_rules` draws from a seed, or from a later one if they are of no use.

    They are of no use if no deal is worth more than another to ``rule``, or if `open_` is false and they are not of the
    kind that the benchmark trains on.
    """
    for attempt in count():
        rules = sample_rules(seed + attempt * SEEDS_APART, VERSIONS[-1])
        if open_ or (split_of(rules) == Membership("train") and withheld_in(rules) is None):
            found = entry_of(rules, seed)
            if found.sd > 0:
                return found
    raise AssertionError


def lasting_entries(variants: str, open_: bool) -> tuple[TrainingGame, ...]:
    """The games that every round draws from: the registered variants, those of a split or a file, or one.

    Raises ValueError, in one line, for what cannot be read, or for rules which the benchmark tests.
    """
    if variants == "sampled" and not open_:
        return ()
    if variants in ("all", "sampled"):
        given = [read_rules(name) for name in VARIANTS]
    elif variants.partition(":")[0] in (SEEN, *SPLITS):
        given = [read_rules(line.rules) for line in split(variants)]
    else:
        given = _read(variants)
    found = list(dict.fromkeys(given))
    for rules in found:
        check_open(rules, open_ or variants == "all")
    entries = tuple(entry for entry in map(entry_of, found) if entry.sd > 0)
    if not entries:
        raise ValueError(f"there is nothing to learn in {variants}: no deal is worth more than another to rule")
    return entries


def _read(variants: str) -> list[Rules]:
    """Some rules by their text, or those of the lines of a file."""
    try:
        return [read_rules(variants)]
    except ValueError as error:
        no_rules = error
    try:
        texts = [line.strip() for line in Path(variants).read_text("utf-8").splitlines() if line.strip()]
    except FileNotFoundError:
        raise ValueError(
            f"variants={variants} is not all, sampled, a split, a file or the text of some rules ({no_rules})"
        ) from None
    except (OSError, ValueError) as error:
        raise ValueError(
            f"variants={variants} cannot be read ({error}); it is all, sampled, a split, a file or some rules"
        ) from None
    if not texts:
        raise ValueError(f"variants={variants} is empty; write the text of some rules in each line")
    found = []
    for text in texts:
        try:
            found.append(read_rules(text))
        except ValueError as error:
            raise ValueError(f"{variants} has the line {brief(text)}, which is no rules ({error})") from None
    return found


def check_open(rules: Rules, open_: bool) -> None:
    """Raise ValueError if the benchmark holds some rules back, unless the training is marked open."""
    name = None if open_ else withheld_in(rules)
    if name is not None:
        raise ValueError(
            f"{rules} is in split {name} of the benchmark, where a network trained on it is no entry; to train on it "
            "nevertheless, add --open"
        )


def teacher_of(rules: Rules) -> str | None:
    """The spec of the network that comes with the suite for a game alone, as it is; None if there is none."""
    spec = strongest_agent(rules)
    return spec if spec.startswith("net:") and spec != f"net:{GENERAL_NAME}" else None


@lru_cache(maxsize=256)
def specialist_of(rules: Rules, device: torch.device) -> PolicyNet | None:
    """The network that `teacher_of` names, on a device; None if there is none that reads the counts."""
    spec = teacher_of(rules)
    if spec is None:
        return None
    net, info = load_policy(folder_of(spec.removeprefix("net:")))
    if info.inputs != input_size(compile_game(rules)):
        return None
    by_column(net.body[0])
    return net.to(device)


@jit
def play_on(states: Array, t: Tables, deals: Rows, rng: Mask) -> None:
    """Play matches at random until so many deals of each are finished; one that ends is followed by a new one."""
    for i in range(states.shape[0]):
        s = states[i]
        while s.deal_number < deals[i]:
            rng = advance(rng)
            step(s, t, random_action(s, t, mix(rng)))
            if s.phase == OVER:
                start_match(s, t, mix(rng), 0, 0)
                break


def drawn(random: np.random.Generator, behind: NDArray[np.float64], size: int) -> list[int]:
    """Draw the places of `size` different games; the game in which the policy is nth furthest behind weighs 1/n.

    Ranks distinguish games even if the policy is ahead in all of them (prioritized level replay: Jiang et al. 2021,
    arXiv:2010.03934, with a temperature of 1). Tied games have the mean of their ranks.
    """
    if not size:
        return []
    shares = 1 / rankdata(-behind)
    places: list[int] = random.choice(len(behind), size, replace=False, p=shares / shares.sum()).tolist()
    return places


class MixedGame(SelfPlay):
    """The tables of one game in one round.

    Attributes:
        entry: the game.
        nets: the networks of the mix.
        described: the game as they read it.
        specialist: the network that teaches; None if there is none.
        policy_layers, critic_layers: made from the rules, without gradients.
    """

    def __init__(self, entry: TrainingGame, nets: dict[str, RulesNet], config: MixedConfig, seed: int) -> None:
        """Start a match at every table and play some deals of it at random, so that totals differ."""
        env = VectorEnv(entry.rules, config.num_envs, reward="relative")
        device = nets["policy"].lanes.device
        super().__init__(env, config, seed=seed, device=device)
        random = np.random.default_rng([seed, 1])
        play_on(env.states, env.game.tables, random.integers(0, MOST_BEFORE + 1, env.num_envs), np.uint64(seed))
        encode_all(env.states, env.game.tables, env.observations, env.action_masks)
        self.entry, self.nets, self.described = entry, nets, described(env.game, config.told, device)
        self.specialist = specialist_of(entry.rules, device) if config.teaching else None
        team_size = int(env.game.tables["team_size"]) if env.game.team_pay else 1  # a margin is a mean over a team
        self._reward_scale = np.float32(1 / (entry.sd * team_size))
        self._paid, self._paid_deals = np.zeros((env.num_envs, env.game.seats)), np.zeros(env.num_envs)
        with torch.no_grad():
            self.policy_layers, self.critic_layers = (net.layers([self.described])[0] for net in nets.values())

    def add_networks(self) -> None:
        """None: the networks are those of the mix."""

    def play_deal(self, imitating: bool) -> None:
        """Play on until a deal has ended at every table."""
        self.imitating = imitating
        left = np.ones(self.env.num_envs, np.bool_)
        with torch.inference_mode():
            while left.any():
                deals = self.env.states["deal_number"].copy()
                self._step()
                left &= ~(self.env.terminated | (self.env.states["deal_number"] != deals))

    def _earned(self, ended: NDArray[np.bool_]) -> Floats:
        earned = super()._earned(ended)
        self._paid += earned
        self._paid_deals += ended
        return earned

    def behind(self) -> float:
        """The policy's distance behind its opponents at the tables where it meets some, as a share of the distance of
        ``random`` behind ``rule``; from -1 (it is ahead) to 1, and NaN where it meets none.
        """
        with_opponents = self._opponent_seats.any(axis=1)
        if not with_opponents.any():
            return math.nan
        own = np.where(self._opponent_seats, 0, self._paid).sum(axis=1) / (~self._opponent_seats).sum(axis=1)
        margin = -(own / self._paid_deals)[with_opponents].mean()
        return float(np.clip(margin / max(self.entry.gap, LEAST_GAP), -1, 1))

    def log_probs_of(self, rows: Tensor, net: object = None) -> Tensor:
        """Log-probabilities of all actions in some stored decisions, by the layers that the game is played with."""
        return self.log_probs_by(self.policy_layers, rows)

    def log_probs_by(self, layers: Layers, rows: Tensor) -> Tensor:
        """Log-probabilities of all actions in some stored decisions, (n, actions)."""
        inputs = self.experience.inputs
        product = inputs.weigh(layers.first.t(), layers.bias, rows)
        with self.autocast():
            logits = self.nets["policy"].outputs(layers, product, inputs.card_counts(rows))
        return torch.log_softmax(logits.masked_fill(~self.experience.masks[rows], ILLEGAL), 1)

    def teaching_loss(self, rows: Tensor, log_probs: Tensor) -> Tensor:
        """The mean divergence of the policy, given its log-probabilities, from the network that teaches."""
        if self.specialist is None or self.imitating:
            return torch.zeros((), device=self.device)
        with torch.no_grad():
            taught = super().log_probs_of(rows, self.specialist)
        return (taught.exp() * (taught - log_probs)).sum(1).mean()

    def values(self, rows: Tensor) -> Tensor:
        """The critic's estimates by the layers that the game was played with."""
        return self.values_by(self.critic_layers, rows)

    def values_by(self, layers: Layers, rows: Tensor) -> Tensor:
        """The critic's estimates of the return of some stored decisions, (n,)."""
        product = self.experience.inputs.weigh(layers.first.t(), layers.bias, rows)
        with self.autocast():
            return self.nets["critic"].outputs(layers, product).squeeze(1)


class Task(NamedTuple):
    """The task of a learner in a round.

    Attributes:
        progress: the fraction of the budget used.
        known: the games drawn from `MixedPPO.presets`.
        seeds: seeds of the sampled rules that are also played.
        random: for all further draws.
    """

    progress: float
    known: tuple[TrainingGame, ...]
    seeds: tuple[int, ...]
    random: np.random.Generator


class Done(NamedTuple):
    """The result of a `Task`.

    Attributes:
        figures: means for the log.
        behind: each game and how far the policy is behind in it, where that is known.
        counts: how many deals, decisions and choices there were.
    """

    figures: dict[str, float]
    behind: tuple[tuple[TrainingGame, float], ...]
    counts: tuple[int, ...]


Arrays = dict[str, NDArray[Any]]


@contextmanager
def one_thread() -> Iterator[None]:
    """Let torch use one thread, as learners do everywhere: sums of several threads are rounded differently."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def make_learner(config: MixedConfig, seed: int, device: str = "cpu") -> Callable[[Task, Arrays], tuple[Done, Arrays]]:
    """The function that does a round in a worker: from networks and moments it returns those after the round."""
    ppo = MixedPPO((), dataclasses.replace(config, learners=1, average=0.0), seed=seed, device=device)

    def work(task: Task, arrays: Arrays) -> tuple[Done, Arrays]:
        with one_thread():
            for _, optimizer in ppo.learners.values():
                optimizer.state.clear()
            networks_from_tensors(ppo.learners, {name: torch.tensor(array) for name, array in arrays.items()})
            done = ppo.do(task)
            return done, ppo.arrays()

    return work


class MixedPPO:
    """Learns from many games at once.

    Attributes:
        device: where the networks are.
        nets: ``policy`` and ``critic``.
        agent: the policy that is evaluated and saved: that of `nets`, or the average of its weights.
        learners: each with its optimiser, by name.
        presets: the games of which every round draws some, those more often in which it is behind.
        behind: (presets,) how far it is behind in each, smoothed; see `MixedGame.behind`. 1 at first.
        kept: seed of sampled rules -> how far it is behind in them: those that are played again.
        deals, decisions, choices, updates: how many there were.
        imitating: whether the last update imitated the teacher.
        workers: who does the rounds of several learners.
    """

    counters: tuple[str, ...] = PPO.counters

    def __init__(
        self,
        presets: Sequence[TrainingGame],
        config: MixedConfig,
        *,
        seed: int,
        device: str = "cpu",
        workers: Workers = 1,
    ) -> None:
        """Make the networks. The seed fixes deals, weights, choices and the rules that are drawn."""
        self.config, self.presets, self.seed, self.workers = config, tuple(presets), seed, workers
        self.device = torch.device(device)
        self.behind, self.kept = np.ones(len(self.presets)), dict[int, float]()
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            sizes = config.width, config.depth, config.code
            nets = {"policy": RulesNet(*sizes), "critic": RulesNet(*sizes, critic=True)}
        self.nets = {name: net.to(self.device) for name, net in nets.items()}
        self.learners = {
            name: (net, torch.optim.Adam(net.parameters(), eps=1e-5, fused=True)) for name, net in self.nets.items()
        }
        self.agent = self.nets["policy"]
        if config.average:
            self.agent = copy.deepcopy(self.agent).requires_grad_(False)
            self.learners["averaged"] = self.agent, torch.optim.Adam(self.agent.parameters())
        self.deals = self.decisions = self.choices = self.updates = 0
        self.imitating = False
        self._made: tuple[int, dict[Game, Any]] = -1, {}  # the policy in some games, since an update
        self._submit: Submit | None = None

    def start_from(self, net: RulesNet, where: str) -> None:
        """Take over a policy, and let it grow to the sizes of the configuration. Raises ValueError if it cannot."""
        config = self.config
        if net.code != config.code:
            raise ValueError(f"{where} has code={net.code}, which does not grow; leave code={config.code} out")
        if (net.width, net.depth) != (config.width, config.depth):
            try:
                with torch.random.fork_rng():
                    torch.manual_seed(self.seed)
                    net = net.grown(config.width, config.depth)
            except ValueError as error:
                raise ValueError(f"{where}: {error}") from None
        for policy in (self.nets["policy"], self.agent):
            policy.load_state_dict(net.state_dict())

    def has_sizes(self, config: Mapping[str, Any]) -> bool:
        """True if networks of a configuration have the sizes of these."""
        return all(config.get(name) == getattr(self.config, name) for name in ("width", "depth", "code"))

    def start_critic(self, tensors: dict[str, Tensor]) -> None:
        """Take over the critic of another run, and how far its optimisers had come; `start_from` replaces the policy.

        Raises KeyError, RuntimeError or ValueError if `tensors` are not those of a run with these sizes.
        """
        networks_from_tensors(self._trained, dict(tensors))

    @property
    def _trained(self) -> Learners:
        """The learners that take gradient steps."""
        return {name: self.learners[name] for name in self.nets}

    @property
    def teachers(self) -> tuple[str, ...]:
        """Specs of the networks for one game that teach."""
        specs = {teacher_of(entry.rules) for entry in self.presets} if self.config.teaching else set()
        return tuple(sorted(spec for spec in specs if spec is not None))

    def arrays(self) -> Arrays:
        """Copies of weights and moments of policy and critic, by name."""
        return {name: tensor.numpy().copy() for name, tensor in networks_to_tensors(self._trained).items()}

    def _draw(self, random: np.random.Generator, learner: int = 0) -> tuple[tuple[TrainingGame, ...], tuple[int, ...]]:
        """The games of a learner's next round: presets, and seeds of sampled rules: some that are kept, and new ones
        that stay for `rounds` rounds each.
        """
        config = self.config
        sampled = max(config.sampled, config.games - len(self.presets)) if config.variants == "sampled" else 0
        known = drawn(random, self.behind, min(config.games - sampled, len(self.presets)))
        new = [self._sample_seed(place, learner) for place in range(sampled)]
        kept = {seed: behind for seed, behind in self.kept.items() if seed not in new}
        again = drawn(random, np.array([*kept.values()]), min(sampled // 2, len(kept)))
        seeds = [*map([*kept].__getitem__, again), *new][:sampled]
        return tuple(self.presets[place] for place in known), tuple(seeds)

    def _sample_seed(self, place: int, learner: int) -> int:
        """The seed of the rules in a place of a learner's round; the places change one after the other."""
        games, rounds, learners = self.config.games, self.config.rounds, self.config.learners
        generation = (self.updates + place * rounds // games) // rounds
        offset = (generation * learners + learner) * games + place
        return self.seed % RUNS * SEEDS_OF_RUN + offset % SEEDS_OF_RUN

    def round(self, progress: float) -> dict[str, float]:
        """Play a deal at all tables of some games, and learn from them; returns figures for the log."""
        self.imitating = progress < self.config.imitation
        tasks = []
        for learner in range(self.config.learners):
            random = np.random.default_rng([self.seed, self.updates, learner])
            tasks.append(Task(progress, *self._draw(random, learner), random))
        done = [self.do(*tasks)] if len(tasks) == 1 else self._together(tasks)
        for one in done:
            for name, more in zip(COUNTED, one.counts, strict=True):
                setattr(self, name, getattr(self, name) + more)
            if not self.imitating:
                self._weigh(one.behind)
        if self.config.average:
            follow(self.agent, self.nets["policy"], 1.0 if self.imitating else self.config.average)
        self.updates += 1
        return {name: float(np.mean([one.figures[name] for one in done])) for name in done[0].figures}

    def _together(self, tasks: Sequence[Task]) -> list[Done]:
        """Let workers do some tasks, all from the current networks, and replace these by the mean of the results."""
        assert self._submit is not None
        arrays = self.arrays()
        found = [future.result() for future in [self._submit(task, arrays) for task in tasks]]
        mean = {name: torch.tensor(np.mean([one[name] for _, one in found], 0)) for name in found[0][1]}
        networks_from_tensors(self._trained, mean)
        return [done for done, _ in found]

    def do(self, task: Task) -> Done:
        """Play the games of a task with these networks, and learn from them."""
        self.imitating = task.progress < self.config.imitation
        entries = [*task.known, *(sampled_entry(seed, self.config.open) for seed in task.seeds)]
        games = []
        for entry in entries:
            game = MixedGame(entry, self.nets, self.config, int(task.random.integers(1 << 62)))
            game.play_deal(self.imitating)
            games.append(game)
        behind = tuple((game.entry, game.behind()) for game in games)
        targets = {id(game): Targets.of(game, game.values) for game in games}
        figures = self._learn(games, targets, task.progress, task.random)
        figures["explained_variance"] = float(np.mean([target.explained_variance for target in targets.values()]))
        counts = tuple(sum(getattr(game, name) for game in games) for name in COUNTED)
        return Done(figures, tuple(one for one in behind if not math.isnan(one[1])), counts)

    def _weigh(self, found: Sequence[tuple[TrainingGame, float]]) -> None:
        """Note how far the policy is behind in some games, and keep the sampled rules in which it is most."""
        for entry, behind in found:
            if entry.seed < 0:
                place = self.presets.index(entry)
                self.behind[place] += SMOOTHING * (behind - self.behind[place])
            else:
                before = self.kept.get(entry.seed, behind)
                self.kept[entry.seed] = before + SMOOTHING * (behind - before)
        while len(self.kept) > KEPT:
            del self.kept[min(self.kept, key=self.kept.__getitem__)]

    def _learn(
        self, games: list[MixedGame], targets: dict[int, Targets], progress: float, random: np.random.Generator
    ) -> dict[str, float]:
        entropy_weight = begin_update(self.learners, self.config, progress, imitating=self.imitating)
        names = ("policy_loss", "value_loss", "teaching_loss", "entropy", "approx_kl", "clip_fraction")
        sums, steps = torch.zeros(len(names), device=self.device), 0
        for batch in self._batches(games, targets, random):
            total = torch.zeros((), device=self.device)
            size = sum(len(rows) for _, rows in batch)
            described = [game.described for game, _ in batch]
            layers = zip(*(net.layers(described) for net in self.nets.values()), strict=True)
            for (game, rows), (policy, critic) in zip(batch, layers, strict=True):
                target, log_probs = targets[id(game)], game.log_probs_by(policy, rows)
                loss, *rest = PolicyLoss.of(game, rows, log_probs, target.advantages[rows], entropy_weight)
                value_loss = (game.values_by(critic, rows) - target.returns[rows]).square().mean()
                teaching_loss = game.teaching_loss(rows, log_probs)
                loss = loss + self.config.teaching * teaching_loss
                share = len(rows) / size
                total = total + (value_loss if progress < self.config.critic_first else loss + value_loss) * share
                sums += torch.stack([loss, value_loss, teaching_loss, *rest]).detach() * share
            gradient_step(self.learners, total, self.config.max_grad_norm)
            steps += 1
        figures = dict(zip(names, (sums / max(steps, 1)).tolist(), strict=True))
        check_finite(self.learners, figures)
        return figures

    def _batches(
        self, games: list[MixedGame], targets: dict[int, Targets], random: np.random.Generator
    ) -> Iterator[list[tuple[MixedGame, Tensor]]]:
        """The games and rows of each gradient step: chunks of all games in one shuffled order."""
        for _ in range(1 if self.imitating else self.config.epochs):
            chunks: list[tuple[MixedGame, Tensor]] = []
            for game in games:
                rows = torch.from_numpy(np.flatnonzero(targets[id(game)].ready))
                order = torch.from_numpy(random.permutation(len(rows)))
                chunks += [(game, part) for part in rows[order].to(self.device).split(self.config.minibatch)]
            shuffled = [chunks[place] for place in random.permutation(len(chunks))]
            for first in range(0, len(shuffled), self.config.chunks):
                merged: dict[int, tuple[MixedGame, list[Tensor]]] = {}
                for game, rows in shuffled[first : first + self.config.chunks]:
                    merged.setdefault(id(game), (game, []))[1].append(rows)
                yield [(game, torch.cat(parts)) for game, parts in merged.values()]

    def learn(self, progress: Callable[[], float]) -> Generator[dict[str, float], None, None]:
        """Play and learn until `progress()`, the fraction of the budget used, is 1; yields figures for the log."""
        with ExitStack() as stack:
            if self.config.learners > 1:
                agents = self.config.teacher, *self.config.opponents, *self.teachers
                make = partial(make_learner, self.config, self.seed, str(self.device))
                self._submit = stack.enter_context(submitting(make, self.workers, agents))
            while (fraction := progress()) < 1:
                yield self.round(fraction)

    def act_batch(self, views: Views) -> NDArray[np.int64]:
        """The most probable action in every view. Raises DivergedError for logits that are not finite."""
        if self._made[0] != self.updates:
            self._made = self.updates, {}
        networks = self._made[1]
        if views.game not in networks:
            networks[views.game] = self.agent.network(views.game, self.config.told)
        logits = networks[views.game].logits(*network_inputs(views))
        if not np.isfinite(logits).all():
            raise DivergedError("training diverged: the policy's logits are not finite")
        actions: NDArray[np.int64] = logits.argmax(1)
        return actions

    # --- files ----------------------------------------------------------------------------------

    def save_agent(self, folder: Path, run: Sequence[Provenance] = ()) -> None:
        """Write the network, ``net:FOLDER``."""
        config = self.config
        extra = {"deals": self.deals, "variants": config.variants, **({"told": config.told} if config.told else {})}
        save_general(folder, self.agent, extra, run=run)

    def tensors(self) -> dict[str, Tensor]:
        """Networks, optimisers, `behind` and `kept`, by name, on the CPU. Every round starts its own games."""
        return networks_to_tensors(self.learners) | {
            "behind": torch.from_numpy(self.behind.copy()),
            "kept": torch.tensor([*self.kept], dtype=torch.int64),
            "kept_behind": torch.tensor([*self.kept.values()], dtype=torch.float64),
        }

    def restore(self, tensors: dict[str, Tensor], counters: Mapping[str, Any]) -> None:
        """Go back to where `tensors` and the counters were saved; errors as in `Learner.restore`."""
        rest = dict(tensors)
        behind, kept, kept_behind = (rest.pop(name).numpy() for name in ("behind", "kept", "kept_behind"))
        shares = np.concatenate([behind, kept_behind])
        if behind.shape != self.behind.shape or kept.shape != kept_behind.shape or len(kept) > KEPT:
            raise ValueError("the games that it keeps are not those of this run")
        if not (np.abs(shares) <= 1).all():
            raise ValueError("how far it is behind in each game is not possible")
        if not ((kept >= 0) & (kept < RUNS * SEEDS_OF_RUN)).all():
            raise ValueError("the seeds of its sampled rules are not possible")
        networks_from_tensors(self.learners, rest)
        self.behind = behind.astype(np.float64)
        self.kept = dict(zip(kept.tolist(), kept_behind.tolist(), strict=True))
        if rest:
            raise ValueError(f"there is a tensor {next(iter(rest))!r} too many")
        set_counters(self, counters)
