"""`distil`: train a policy on labelled decisions of one game, or a network for all rules on those of several.

The loss of a decision is the expected value of the policy's action minus an entropy bonus::

    sum over actions of p(a) * (value(a) - mean value) / temperature  -  entropy(p)

With a policy to start from, the divergence from it takes the place of the entropy: the policy moves away only where
that pays (as in maximum a posteriori policy optimisation; Abdolmaleki et al. 2018, arXiv:1806.06920).

The loss is least for the soft choice, p proportional to exp(-value / temperature) (times the probability
before), and it is linear in the values, so that
their errors, which are as large as the differences between good actions, cancel over many decisions. Cross-entropy to
the soft choice, or to the best action, is not linear in them and learns from the noise.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from shutil import rmtree
from time import perf_counter
from typing import Any

import torch
from torch import Tensor

from hearts_agents.files import write_file
from hearts_agents.neural.policy import arrays_of
from hearts_agents.neural.rulesnet import RulesNet
from hearts_agents.neural.sealed import check_finite
from hearts_env.compiled.game import Game
from hearts_training.checkpoints import find_checkpoint, list_checkpoints, load_state, restore, save_checkpoint
from hearts_training.data.elsewhere import learn_elsewhere
from hearts_training.data.labelled import Decisions, LabelledDecisions, PlayedDecisions
from hearts_training.data.record import GAMES
from hearts_training.data.student import Batch, Student, interleaved, kept_of, make_student, new_weights
from hearts_training.folders import hold, make_empty
from hearts_training.optimisers import (
    autocast,
    gradient_step,
    network_tensors,
    probabilities,
    restore_networks,
    set_rate,
)
from hearts_training.options import DistilOptions
from hearts_training.provenance import Provenance, add_entry, entry, plain

RESULT = "distil.json"
IMITATION = 0.1
"""Default temperature for data sets of games, of which a policy learns what was played."""


@dataclass(frozen=True)
class Distilled:
    """The result of a distillation.

    Attributes:
        folder: the policy's folder.
        decisions: labelled decisions it was trained on.
        epochs: passes over them.
        seconds: how long it took.
        gains: after each pass, the mean over held-out decisions of (mean value of the legal actions - value of the
            policy's action): in points of the deal, or, of several data sets, the mean over them in standard deviations
            of a deal's margin among copies of ``rule``.
        before: the same before the first pass.
        best: the gain of the search's own choices on the same decisions. The values of the search favour its choices,
            so no policy reaches this gain.
    """

    folder: Path
    decisions: int
    epochs: int
    seconds: float
    before: float
    gains: list[float]
    best: float


def distil(
    options: DistilOptions, folder: Path, progress: Callable[[float, float], None] = lambda fraction, gain: None
) -> Distilled:
    """Train a policy on a data set that `hearts label` wrote, or a network for all rules on several, and save it.

    Of a data set that `hearts record` wrote it learns to do what was done there; its gains are the shares of decisions
    in which it does, minus those of random actions.

    The last `held_out` files of each are kept for evaluation. The learning rate rises for a twentieth of the steps and
    then falls to 0 along a cosine (one cycle; Smith and Topin 2019, arXiv:1708.07120). A checkpoint is written after
    every pass; the same options with the same folder go on from it, to the policy of a run that was not interrupted.

    Args:
        options: data and hyper-parameters.
        folder: the policy is saved there, with ``distil.json``: options, figures and, under ``run``, how it came to be.
        progress: called after every step with the fraction done and the last gain (0 before the first).

    Raises:
        ValueError: a folder that holds no data set, a broken one, or too few files of one; a policy to start from that
            does not fit; weights that are not finite; `folder` is not empty, or of a run with other options, in use or
            cannot be written.
        OSError: the folder can be written no longer.
    """
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    sets = [_Labels(folder, options) for folder in options.data]
    student = make_student([one.data.game for one in sets], options.hidden, options.start)
    for one in sets:
        one.data.batch = max(1, options.batch // student.together)
        one.data.mixed = max(1, 16 // len(sets))
    passes = _Distillation(student, options, [one.data.game for one in sets])
    if not list_checkpoints(folder):
        make_empty(folder)
    with hold(folder):
        return _distil(options, folder, sets, passes, progress)


class _Labels:
    """A data set: what is learned from, and what is held out."""

    def __init__(self, folder: Path, options: DistilOptions) -> None:
        held_out, kept = slice(-options.held_out, None), slice(None, -options.held_out)
        kind = PlayedDecisions if (folder / GAMES.file).exists() else LabelledDecisions
        self.data = kind(folder, parts=kept, seed=options.seed)
        self.rest = kind(folder, parts=held_out)
        if not self.data.files:
            files = len(self.rest.files)
            raise ValueError(f"{folder} has {files} files; {options.held_out} are held out, so more are needed")

    @property
    def description(self) -> dict[str, Any]:
        """Its content and provenance."""
        files = len(self.data.files) + len(self.rest.files)
        return {**plain(self.data.description), "files": files, "run": self.data.run}

    def test(self) -> Decisions:
        """The decisions that are held out."""
        return Decisions.join([self.rest.read(place) for place in range(len(self.rest.files))])


class _Distillation:
    """A policy in training: what a checkpoint keeps after a pass over the data, and the figures of the passes."""

    counters: tuple[str, ...] = ("updates", "steps", "decisions")

    def __init__(self, student: Student, options: DistilOptions, games: Sequence[Game]) -> None:
        self.student, self.net = student, student.net
        decay = 0.0 if options.new_inputs or options.same_under else options.weight_decay
        self.optimizer = torch.optim.AdamW(self.net.parameters(), options.learning_rate, weight_decay=decay)
        if options.new_inputs:
            learned = new_weights(options.start, student)
            for name, weights in self.net.named_parameters():
                weights.register_hook(partial(torch.mul, learned[name]))
        if options.same_under:
            if not isinstance(self.net, RulesNet):
                raise ValueError("same_under is for a network for all rules; leave it out for one that plays one game")
            learn_elsewhere(self.net, self.optimizer, options.same_under, games)
        self.updates = self.steps = self.decisions = 0
        self.before, self.gains = 0.0, list[float]()
        self.seconds = 0.0
        self.run: list[Provenance] = []

    def tensors(self) -> dict[str, Tensor]:
        return network_tensors({"policy": (self.net, self.optimizer)})

    def restore(self, tensors: Mapping[str, Tensor]) -> None:
        restore_networks({"policy": (self.net, self.optimizer)}, tensors)

    def save(self, folder: Path, made: dict[str, Any]) -> None:
        save_checkpoint(
            folder, self, {**made, "before": self.before, "gains": self.gains, "seconds": self.seconds, "run": self.run}
        )

    def resume(self, folder: Path, made: dict[str, Any]) -> None:
        """Go on from the checkpoint in a folder, if there is one. Raises ValueError if it is of other options."""
        if not list_checkpoints(folder):
            return
        checkpoint = find_checkpoint(folder)
        state = load_state(checkpoint)
        for name, value in made.items():
            if state.get(name) != value:
                raise ValueError(f"{folder} holds an unfinished run with other {name}; name another out folder")
        restore(checkpoint, state, self)
        self.before, self.gains = state["before"], state["gains"]
        self.seconds, self.run = state["seconds"], state["run"]


def _distil(
    options: DistilOptions,
    folder: Path,
    sets: list[_Labels],
    passes: _Distillation,
    progress: Callable[[float, float], None],
) -> Distilled:
    student = passes.student
    data, tests = [one.data for one in sets], [one.test() for one in sets]
    steps = options.epochs * -(-sum(one.batches() for one in data) // student.together)
    labels = [one.description for one in sets]
    temperature = options.temperature or (IMITATION if isinstance(data[0], PlayedDecisions) else student.temperature)
    made = json.loads(json.dumps({"options": _plain(options), "labels": labels if len(labels) > 1 else labels[0]}))
    passes.resume(folder, made)
    passes.run = add_entry(passes.run, entry(made["options"], options.seed))
    began = perf_counter() - passes.seconds
    if not passes.updates:
        passes.before = gain(student, tests)
    for one in data:
        one.passes = passes.updates
    for epoch in range(passes.updates, options.epochs):
        for batches in interleaved(data, options.seed, student.together):
            set_rate(passes.optimizer, options.learning_rate * one_cycle(passes.steps / steps))
            step(student, passes.optimizer, batches, temperature, options.start_temperature)
            passes.steps += 1
            passes.decisions += sum(len(batch) for _, batch in batches) if not epoch else 0
            progress(min(passes.steps / steps, 1.0), passes.gains[-1] if passes.gains else 0.0)
        check_finite("the network", arrays_of(passes.net))
        passes.gains.append(gain(student, tests))
        passes.updates, passes.seconds = epoch + 1, perf_counter() - began
        passes.save(folder, made)
    student.finish()
    best = mean_gain(student, tests, [test.choices for test in tests])
    result = Distilled(folder, passes.decisions, options.epochs, passes.seconds, passes.before, passes.gains, best)
    figures = asdict(result) | {"folder": folder.name, **made}
    student.save(folder, kept_of(options.start) | {"distilled": figures}, passes.run)
    write_file(folder / RESULT, (json.dumps(figures | {"run": passes.run}, indent=2) + "\n").encode())
    rmtree(find_checkpoint(folder))
    return result


def _plain(options: DistilOptions) -> dict[str, Any]:
    names = [folder.name for folder in options.data]
    return asdict(options) | {"data": names if len(names) > 1 else names[0]}


def one_cycle(fraction: float) -> float:
    """The learning rate at a fraction of the steps, as a share of its highest value.

    >>> [round(one_cycle(fraction), 3) for fraction in (0.0, 0.025, 0.05, 0.5, 1.0)]
    [0.02, 0.51, 1.0, 0.541, 0.0]
    """
    if fraction < 0.05:
        return 0.02 + 0.98 * fraction / 0.05
    return 0.5 * (1 + math.cos(math.pi * min((fraction - 0.05) / 0.95, 1.0)))


def step(
    student: Student, optimizer: torch.optim.Adam, batches: Sequence[Batch], temperature: float, divisor: float
) -> None:
    """One gradient step; `temperature` in the units of the student; logits are divided by `divisor`."""
    with autocast("cpu"):
        with torch.no_grad():
            before = student.logits(batches, start=True)
        logits = student.logits(batches)
    size, loss = sum(len(batch) for _, batch in batches), torch.zeros(())
    for (place, batch), new, old in zip(batches, logits, before, strict=True):
        part = value_loss(new.float() / divisor, old.float() / divisor, batch, temperature * student.units[place])
        loss = loss + part * (len(batch) / size)
    gradient_step({"policy": (student.net, optimizer)}, loss, 1.0)


def value_loss(logits: Tensor, before: Tensor, batch: Decisions, temperature: float) -> Tensor:
    """The mean loss of some decisions; `logits` and those `before`, (n, actions). Equal ones `before` make the
    divergence from them the negative entropy, up to a constant.
    """
    log_probs, old = torch.log_softmax(logits, 1), torch.log_softmax(before, 1)
    probs = probabilities(log_probs)
    divergence = (probs * (log_probs - old).masked_fill(~batch.masks, 0)).sum(1)
    above = (batch.values - mean_values(batch)[:, None]) * batch.masks
    return ((probs * above).sum(1) / temperature + divergence).mean()


def mean_values(batch: Decisions) -> Tensor:
    """The mean value of the legal actions of every decision, (n,)."""
    return (batch.values * batch.masks).sum(1) / batch.masks.sum(1)


def gain(student: Student, tests: Sequence[Decisions]) -> float:
    """The gain of the most probable actions over random ones, in the units of the student."""
    student.net.eval()
    actions = []
    with torch.inference_mode():
        for place, test in enumerate(tests):
            parts = [test.take(rows) for rows in torch.arange(len(test)).split(8192)]
            actions.append(torch.cat([student.logits([(place, part)])[0].argmax(1) for part in parts]))
    student.net.train()
    return mean_gain(student, tests, actions)


def mean_gain(student: Student, tests: Sequence[Decisions], actions: Sequence[Tensor]) -> float:
    """The gain of some actions over random ones, the mean over data sets, in the units of the student."""
    gains = map(gain_of, tests, actions)
    return sum(gain / unit for gain, unit in zip(gains, student.units, strict=True)) / len(tests)


def gain_of(test: Decisions, actions: Tensor) -> float:
    """The gain of some actions over random ones, in points of the deal."""
    return float((mean_values(test) - test.values.gather(1, actions[:, None]).squeeze(1)).mean())
