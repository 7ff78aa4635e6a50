"""Proximal policy optimisation of one network that passes and plays in every seat, on one game or on many at once.

PPO (Schulman et al. 2017, arXiv:1707.06347) with generalised advantage estimation (Schulman et al. 2016,
arXiv:1506.02438). `Learner.learn` is the loop: play a deal at every table of some games, then learn from the
minibatches of all of them in one shuffled order. It differs from PPO for one player in four points:

- A game is several trajectories, one per seat and deal, because the seat to act changes from step to step. A reward is
  credited to the last decision of the seat that earned it, whoever has just moved (see `Experience`).
- A trajectory is a whole deal and is never cut off, so no value stands in for its end: an update learns from the deals
  that have ended and keeps the decisions of the others for the next update.
- Forced moves are played but not stored.
- The critic sees all hands and is not needed after training; the policy sees what a player may know.

A run may begin with a policy that was trained before, and stay near it, or with imitation of a teacher; other agents
may be the opponents in a fraction of the games. The reward is the points of a deal, or the change of the chance to win
the match (see `MatchCritic`).

On many cores, several learners do a round each, from the same networks, and what they come to is averaged: local SGD
(Stich 2019, arXiv:1805.09767), with the moments of the optimisers averaged as well.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.optim import Adam

from hearts_agents.base import Agent
from hearts_agents.neural import PolicyNet
from hearts_agents.workers import Submit, Workers, submitting
from hearts_training.optimisers import (
    check_finite,
    gradient_step,
    network_tensors,
    probabilities,
    restore_networks,
    set_rate,
)
from hearts_training.provenance import Provenance
from hearts_training.train.config import Config
from hearts_training.train.games import Behind, Draw, Games, ManyGames, specialist_of
from hearts_training.train.match_critic import MatchCritic
from hearts_training.train.networks import Heads, ManyNets, Networks, policy_logits
from hearts_training.train.ppo import Part, Targets, anneal, follow, policy_loss
from hearts_training.train.selfplay import SelfPlay

MATCH_STEPS = 16
"""Gradient steps of the match critic in an update."""
FIGURES = ("policy_loss", "value_loss", "entropy", "approx_kl", "clip_fraction", "divergence")
"""Means over the minibatches of an update; `divergence` is that from the anchor or from the networks that teach."""
Arrays = dict[str, NDArray[Any]]
"""Weights and moments of policy and critic, by name."""


class Task(NamedTuple):
    """The round of one learner.

    Attributes:
        progress: the fraction of the budget used.
        drawn: its games.
        random: for all further draws.
    """

    progress: float
    drawn: Draw
    random: np.random.Generator


class Done(NamedTuple):
    """The result of a `Task`.

    Attributes:
        figures: means for the log.
        behind: each game and how far the policy is behind in it, where that is known.
        deals, decisions: deals finished and moves made.
    """

    figures: dict[str, float]
    behind: Behind
    deals: int
    decisions: int


class Learner:
    """Plays and learns.

    Attributes:
        games, networks, config, seed: as given.
        optimised: the networks that learn, with their optimisers, by name.
        copies: frozen copies of the policy, by name: the ``anchor`` to stay near, and the ``averaged`` weights.
        deals, decisions, updates: deals finished, moves made and rounds done so far.
        imitating: whether the last round imitated the teacher.
    """

    counters: tuple[str, ...] = ("deals", "decisions", "updates", "imitating")

    def __init__(self, games: Games, networks: Networks, config: Config, seed: int, workers: Workers = 1) -> None:
        """`workers` do the rounds of several learners; the result does not depend on them."""
        self.games, self.networks, self.config, self.seed, self.workers = games, networks, config, seed, workers
        self.device = next(networks.policy.parameters()).device
        nets: dict[str, nn.Module] = {"policy": networks.policy, "critic": networks.critic}
        if games.match_critic is not None:
            nets["match_critic"] = games.match_critic.net
        self.optimised = {name: (net, Adam(net.parameters(), eps=1e-5, fused=True)) for name, net in nets.items()}
        wanted = {"anchor": config.anchor, "averaged": config.average}
        self.copies = {
            name: copy.deepcopy(networks.policy).requires_grad_(False) for name, weight in wanted.items() if weight
        }
        self.deals = self.decisions = self.updates = 0
        self.imitating = False
        self._submit: Submit | None = None

    @property
    def policy(self) -> nn.Module:
        """The policy that is evaluated and saved: the one that learns, or the average of its weights."""
        return self.copies.get("averaged", self.networks.policy)

    def start_from(self, policy: Mapping[str, Tensor], tensors: Mapping[str, Tensor] | None = None) -> None:
        """Take over the weights of a policy, and the critic and the moments in the `tensors` of another run.

        Raises KeyError or RuntimeError for `tensors` of networks of other sizes.
        """
        if tensors is not None:
            restore_networks(self.optimised, tensors)
        for net in (self.networks.policy, *self.copies.values()):
            net.load_state_dict(policy)

    def learn(self, progress: Callable[[], float]) -> Generator[dict[str, float], None, None]:
        """Do rounds until `progress()`, the fraction of the budget used, is 1; yields the figures of each.

        Raises DivergedError.
        """
        with ExitStack() as stack:
            if self._learners > 1:
                agents = self.config.teacher, *self.config.opponents, *self.games.teachers
                assert isinstance(self.networks, ManyNets)
                make = partial(make_worker, self.config, self.seed, str(self.device), self.networks.policy.code)
                self._submit = stack.enter_context(submitting(make, self.workers, agents))
            while (fraction := progress()) < 1:
                yield self.round(fraction)

    @property
    def _learners(self) -> int:
        return self.config.many.learners if self.config.many else 1

    def round(self, progress: float) -> dict[str, float]:
        """Play a deal at every table of some games, and learn from them.

        Returns:
            Means over the minibatches for the log, by the names in `FIGURES`; ``explained_variance``; and
            ``match_loss`` if the objective is the match.

        Raises:
            DivergedError: one of them, or a weight, is not finite afterwards.
        """
        self.imitating = progress < self.config.imitation
        tasks = []
        for learner in range(self._learners):
            random = np.random.default_rng([self.seed, self.updates, learner])
            tasks.append(Task(progress, self.games.draw(random, self.updates, learner), random))
        done = [self.do(*tasks)] if len(tasks) == 1 else self._together(tasks)
        for one in done:
            self.deals += one.deals
            self.decisions += one.decisions
            if not self.imitating:
                self.games.weigh(one.behind)
        if "averaged" in self.copies:
            follow(self.copies["averaged"], self.networks.policy, 1.0 if self.imitating else self.config.average)
        self.updates += 1
        return {name: float(np.mean([one.figures[name] for one in done])) for name in done[0].figures}

    def _together(self, tasks: Sequence[Task]) -> list[Done]:
        """Let workers do some tasks, all from the current networks, and replace these by the mean of the results."""
        assert self._submit is not None
        arrays = self.arrays()
        found = [future.result() for future in [self._submit(task, arrays) for task in tasks]]
        mean = {name: torch.tensor(np.mean([one[name] for _, one in found], 0)) for name in found[0][1]}
        restore_networks(self.optimised, mean)
        return [done for done, _ in found]

    def arrays(self) -> Arrays:
        """Copies of the weights and moments of the networks that learn, by name."""
        return {name: tensor.numpy().copy() for name, tensor in network_tensors(self.optimised).items()}

    def do(self, task: Task) -> Done:
        """Play the games of a task with these networks, and learn from them."""
        tables = self.games.tables(task.drawn, self.networks, task.random)
        before = sum(play.deals for play in tables), sum(play.decisions for play in tables)
        for play in tables:
            play.collect(imitating=task.progress < self.config.imitation)
        behind = tuple((play.game, play.behind()) for play in tables)
        figures = self.update(tables, task.progress, task.random)
        after = sum(play.deals for play in tables), sum(play.decisions for play in tables)
        known = tuple(one for one in behind if not math.isnan(one[1]))
        return Done(figures, known, after[0] - before[0], after[1] - before[1])

    def update(self, tables: Sequence[SelfPlay], progress: float, random: np.random.Generator) -> dict[str, float]:
        """Learn from the deals that have ended, at a fraction of the budget."""
        config = self.config
        fraction = (progress - config.imitation) / max(1 - config.imitation, 1e-9)  # of self-play
        imitating = progress < config.imitation
        rate = anneal(config.learning_rate, config.final_learning_rate, fraction)
        for _, optimizer in self.optimised.values():
            set_rate(optimizer, config.imitation_learning_rate if imitating else rate)
        entropy_weight = anneal(config.entropy, config.final_entropy, fraction)
        targets = [Targets.of(play) for play in tables]
        sums, steps = torch.zeros(len(FIGURES), device=self.device), 0
        for parts in self._batches(tables, targets, random, 1 if imitating else config.epochs):
            loss, size = torch.zeros((), device=self.device), sum(len(part.rows) for part in parts)
            heads = self.networks.heads([(part.play.env.game, part.play.experience.inputs) for part in parts])
            for part, own in zip(parts, heads, strict=True):
                share, figures = len(part.rows) / size, self._figures(part, own, entropy_weight)
                loss = loss + (figures[1] if progress < config.critic_first else figures[0] + figures[1]) * share
                sums += torch.stack(figures).detach() * share
            gradient_step(self.optimised, loss, config.max_grad_norm)
            steps += 1
        for play, target in zip(tables, targets, strict=True):
            play.experience.keep(np.flatnonzero(~target.ready))
        means = dict(zip(FIGURES, (sums / max(steps, 1)).tolist(), strict=True))
        means["explained_variance"] = float(np.mean([target.explained_variance for target in targets]))
        if self.games.match_critic is not None:
            means["match_loss"] = self._learn_matches(self.games.match_critic, random)
        check_finite(self.optimised, means)
        return means

    def _figures(self, part: Part, heads: Heads, entropy_weight: float) -> list[Tensor]:
        """The figures of a game in a gradient step, in the order of `FIGURES`; the first two are to be minimised."""
        play, rows = part.play, part.rows
        log_probs = play.log_probs(heads.logits(rows), rows)
        loss, *figures = policy_loss(part, log_probs, entropy_weight)
        value_loss = (heads.values(rows) - part.targets.returns[rows]).square().mean()
        weight, divergence = self._divergence(part, log_probs)
        return [loss + weight * divergence, value_loss, *figures, divergence]

    def _divergence(self, part: Part, log_probs: Tensor) -> tuple[float, Tensor]:
        """The weight of a Kullback-Leibler divergence in the loss, and its mean: that of the policy from its anchor, or
        that of the network that teaches the game from the policy.
        """
        play, many = part.play, self.config.many
        teacher = specialist_of(play.game.rules, self.device) if many is not None and many.teaching else None
        other = teacher or self.copies.get("anchor")
        if other is None or play.imitating:
            return 0.0, torch.zeros((), device=self.device)
        assert isinstance(other, PolicyNet)
        with torch.no_grad():
            others = play.log_probs(policy_logits(other, play.experience.inputs, part.rows), part.rows)
        if teacher is None or many is None:
            return self.config.anchor, (probabilities(log_probs) * (log_probs - others)).sum(1).mean()
        return many.teaching, (probabilities(others) * (others - log_probs)).sum(1).mean()

    def _batches(
        self, tables: Sequence[SelfPlay], targets: Sequence[Targets], random: np.random.Generator, epochs: int
    ) -> Iterator[list[Part]]:
        """The decisions of each gradient step: minibatches of all games in one shuffled order, some together."""
        together = self.config.many.chunks if self.config.many else 1
        for _ in range(epochs):
            chunks: list[Part] = []
            for play, target in zip(tables, targets, strict=True):
                order = torch.from_numpy(random.permutation(np.flatnonzero(target.ready))).to(self.device)
                chunks += [Part(play, target, rows) for rows in order.split(self.config.minibatch)]
            shuffled = [chunks[place] for place in random.permutation(len(chunks))]
            for first in range(0, len(shuffled), together):
                merged: dict[int, list[Part]] = {}
                for part in shuffled[first : first + together]:
                    merged.setdefault(id(part.play), []).append(part)
                yield [same[0]._replace(rows=torch.cat([part.rows for part in same])) for same in merged.values()]

    def _learn_matches(self, critic: MatchCritic, random: np.random.Generator) -> float:
        losses = []
        for batch in critic.batches(MATCH_STEPS, self.config.minibatch, random):
            loss = critic.loss(*batch)
            gradient_step(self.optimised, loss, self.config.max_grad_norm)
            losses.append(float(loss.detach()))
        return sum(losses) / max(len(losses), 1)

    # --- files ----------------------------------------------------------------------------------

    def player(self) -> Agent:
        """The agent that has been trained so far."""
        return self.networks.player(self.policy)

    def save_agent(self, folder: Path, run: Sequence[Provenance] = ()) -> None:
        """Write the agent that has been trained so far, ``net:FOLDER``; `run` is how it came to be."""
        self.networks.save(folder, self.policy, self.deals, run)

    def tensors(self) -> dict[str, Tensor]:
        """Everything that `restore` needs besides the counters, by name, on the CPU."""
        copies = {
            f"{name}.{part}": tensor.detach().cpu().contiguous()
            for name, net in self.copies.items()
            for part, tensor in net.state_dict().items()
        }
        games = {f"games.{name}": tensor for name, tensor in self.games.tensors().items()}
        return network_tensors(self.optimised) | copies | games

    def restore(self, tensors: Mapping[str, Tensor]) -> None:
        """Go back to what `tensors` returned. Raises KeyError, RuntimeError or ValueError for what does not fit."""
        restore_networks(self.optimised, tensors)
        for name, net in self.copies.items():
            net.load_state_dict({part: tensors[f"{name}.{part}"] for part in net.state_dict()})
        self.games.restore(
            {name.removeprefix("games."): part for name, part in tensors.items() if name[:6] == "games."}
        )


def make_worker(config: Config, seed: int, device: str, code: int) -> Callable[[Task, Arrays], tuple[Done, Arrays]]:
    """The function that does a round in a worker: from networks and moments it returns those after the round."""
    where = torch.device(device)
    networks = ManyNets(config, where, code)
    learner = Learner(ManyGames((), config, seed, where), networks, replace(config, average=0.0), seed)

    def work(task: Task, arrays: Arrays) -> tuple[Done, Arrays]:
        with one_thread():
            for _, optimizer in learner.optimised.values():
                optimizer.state.clear()
            restore_networks(learner.optimised, {name: torch.tensor(array) for name, array in arrays.items()})
            return learner.do(task), learner.arrays()

    return work


@contextmanager
def one_thread() -> Iterator[None]:
    """Let torch use one thread, as workers do everywhere: sums of several threads are rounded differently."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
