"""`distil`: train a policy on labelled decisions.

The loss of a decision is the expected value of the policy's action minus an entropy bonus::

    sum over actions of p(a) * (value(a) - mean value) / temperature  -  entropy(p)

It is least for the soft choice, p proportional to exp(-value / temperature), and it is linear in the values, so that
their errors, which are as large as the differences between good actions, cancel over many decisions. Cross-entropy to
the soft choice, or to the best action, is not linear in them and learns from the noise (figures: training/README.md).
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from shutil import rmtree
from time import perf_counter
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from hearts_agents.arena.tables import deal_numbers
from hearts_agents.files import write_file
from hearts_agents.neural import PolicyNet, input_size, network_inputs, save_policy
from hearts_agents.neural.policy import arrays_of
from hearts_agents.neural.sealed import check_finite
from hearts_env.compiled.game import Game
from hearts_env.play.observation import layout_of
from hearts_env.play.view import Views
from hearts_training.data.labelled import Decisions, LabelledDecisions
from hearts_training.precision import autocast
from hearts_training.provenance import Entry, add_entry, entry, plain
from hearts_training.train.checkpoint import checkpoints, find_checkpoint, load_state, restore, save_checkpoint
from hearts_training.train.learner import set_counters
from hearts_training.train.match_critic import STANDINGS
from hearts_training.train.options import DistilOptions
from hearts_training.train.ppo import gradient_step, set_rate
from hearts_training.train.run_folder import hold, make_empty
from hearts_training.train.tensors import networks_from_tensors, networks_to_tensors

RESULT = "distil.json"


@dataclass(frozen=True)
class Distilled:
    """What a distillation came to.

    Attributes:
        folder: the policy's folder.
        decisions: labelled decisions it was trained on.
        epochs: passes over them.
        seconds: how long it took.
        gains: after each pass, the mean over held-out decisions of (mean value of the legal actions - value of the
            policy's action), in points of the deal.
        best: what the search's own choices gain on the same decisions; its values favour them, so no policy reaches
            it.
    """

    folder: Path
    decisions: int
    epochs: int
    seconds: float
    gains: list[float]
    best: float


def distil(
    options: DistilOptions, folder: Path, progress: Callable[[float, float], None] = lambda fraction, gain: None
) -> Distilled:
    """Train a policy on a data set that `hearts label` wrote, and save it.

    The last `held_out` of its files are kept for evaluation. The learning rate rises for a twentieth of the steps and
    then falls to 0 along a cosine (one cycle; Smith and Topin 2019, arXiv:1708.07120). A checkpoint is written after
    every pass; the same options with the same folder go on from it, to the policy of a run that was not interrupted.

    Args:
        options: data and hyper-parameters.
        folder: the policy is saved there, with ``distil.json``: options, figures and, under ``run``, how it came to be.
        progress: called after every step with the fraction done and the last gain (0 before the first).

    Raises:
        ValueError: a folder that holds no data set, a broken one, or too few files of one; weights that are not
            finite; `folder` is not empty, or of a run with other options, in use or cannot be written.
        OSError: the folder can be written no longer.
    """
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    held_out = slice(-options.held_out, None)
    data = LabelledDecisions(options.data, options.batch, parts=slice(None, -options.held_out), seed=options.seed)
    rest = LabelledDecisions(options.data, parts=held_out)
    if not data.files:
        raise ValueError(
            f"{options.data} has {len(rest.files)} files; {options.held_out} are held out, so more are needed"
        )
    if not checkpoints(folder):
        make_empty(folder)
    with hold(folder):
        return _distil(options, folder, data, rest, progress)


class _Distillation:
    """A policy in training: what a checkpoint keeps after a pass over the data, and the figures of the passes."""

    counters: tuple[str, ...] = ("updates", "steps", "decisions")

    def __init__(self, game: Game, options: DistilOptions) -> None:
        self.net = PolicyNet(input_size(game), len(game.actions), options.hidden)
        self.optimizer = torch.optim.AdamW(
            self.net.parameters(), options.learning_rate, weight_decay=options.weight_decay
        )
        self.updates = self.steps = self.decisions = 0
        self.gains: list[float] = []
        self.seconds = 0.0
        self.run: list[Entry] = []

    def tensors(self) -> dict[str, Tensor]:
        return networks_to_tensors({"policy": (self.net, self.optimizer)})

    def restore(self, tensors: dict[str, Tensor], counters: Mapping[str, Any]) -> None:
        networks_from_tensors({"policy": (self.net, self.optimizer)}, tensors)
        set_counters(self, counters)

    def save(self, folder: Path, made: dict[str, Any]) -> None:
        save_checkpoint(folder, self, {**made, "gains": self.gains, "seconds": self.seconds, "run": self.run})

    def resume(self, folder: Path, made: dict[str, Any]) -> None:
        """Go on from the checkpoint in a folder, if there is one. Raises ValueError if it is of other options."""
        if not checkpoints(folder):
            return
        checkpoint = find_checkpoint(folder)
        state = load_state(checkpoint)
        for name, value in made.items():
            if state.get(name) != value:
                raise ValueError(f"{folder} holds an unfinished run with other {name}; name another out folder")
        restore(checkpoint, state, self)
        self.gains, self.seconds, self.run = state["gains"], state["seconds"], state["run"]


def _distil(
    options: DistilOptions,
    folder: Path,
    data: LabelledDecisions,
    rest: LabelledDecisions,
    progress: Callable[[float, float], None],
) -> Distilled:
    test = Decisions.join([rest.read(place) for place in range(len(rest.files))])
    game, steps = data.game, options.epochs * data.batches()
    labels = plain(data.description) | {"files": len(data.files) + len(rest.files), "run": data.run}
    made = json.loads(json.dumps({"options": _plain(options), "labels": labels}))
    passes = _Distillation(game, options)
    passes.resume(folder, made)
    passes.run = add_entry(passes.run, entry(made["options"], options.seed))
    began, data.passes = perf_counter() - passes.seconds, passes.updates
    for epoch in range(passes.updates, options.epochs):
        for batch in data:
            set_rate(passes.optimizer, options.learning_rate * one_cycle(passes.steps / steps))
            step(passes.net, passes.optimizer, batch, options)
            passes.steps += 1
            passes.decisions += len(batch) if not epoch else 0
            progress(min(passes.steps / steps, 1.0), passes.gains[-1] if passes.gains else 0.0)
        check_finite("the network", arrays_of(passes.net))
        passes.gains.append(gain(passes.net, test))
        passes.updates, passes.seconds = epoch + 1, perf_counter() - began
        passes.save(folder, made)
    forget_match(passes.net, game)
    best = gain_of(test, test.choices)
    result = Distilled(folder, passes.decisions, options.epochs, passes.seconds, passes.gains, best)
    figures = asdict(result) | {"folder": folder.name, **made}
    save_policy(folder, passes.net, game.rules, {"distilled": figures}, run=passes.run)
    write_file(folder / RESULT, (json.dumps(figures | {"run": passes.run}, indent=2) + "\n").encode())
    rmtree(find_checkpoint(folder))
    return result


def forget_match(net: PolicyNet, game: Game) -> None:
    """Make a network play every deal as it plays those that were labelled, at the start of a match.

    Labels are of deals with the totals of a new match, so the weights of the columns that describe a match are as they
    were drawn, and noise in the middle of one. They become 0. What was learned from the number of the deal, within one
    cycle of passes, moves to the direction of the pass, or to the bias where it says nothing about that.
    """
    layout, cycle = layout_of(game), game.pass_cycle
    starts = Views(game, deal_numbers(game, np.arange(cycle, dtype=np.uint64), np.arange(cycle)))
    rows = torch.from_numpy(network_inputs(starts)[0])
    first = net.body[0]
    assert isinstance(first, nn.Linear)
    with torch.no_grad():
        weight, direction, number = first.weight, layout["direction"].columns, layout["deal_number"].columns
        effects = rows[:, number] @ weight[:, number].T  # of the number of the deal, (cycle, width)
        flags = rows[:, direction]
        if bool((flags.sum(1) == 1).all()):
            mean = flags.T @ effects / flags.sum(0).clamp(min=1)[:, None]
            weight[:, direction] += mean.T
        else:
            first.bias.add_(effects.mean(0))
        weight[:, number] = 0
        for name in set(STANDINGS) & layout.keys():
            columns = layout[name].columns
            first.bias.add_(weight[:, columns] @ rows[0, columns])
            weight[:, columns] = 0


def _plain(options: DistilOptions) -> dict[str, Any]:
    return asdict(options) | {"data": options.data.name}


def one_cycle(fraction: float) -> float:
    """The learning rate at a fraction of the steps, as a share of its highest value.

    >>> [round(one_cycle(fraction), 3) for fraction in (0.0, 0.025, 0.05, 0.5, 1.0)]
    [0.02, 0.51, 1.0, 0.541, 0.0]
    """
    if fraction < 0.05:
        return 0.02 + 0.98 * fraction / 0.05
    return 0.5 * (1 + math.cos(math.pi * min((fraction - 0.05) / 0.95, 1.0)))


def step(net: PolicyNet, optimizer: torch.optim.Adam, batch: Decisions, options: DistilOptions) -> None:
    """One gradient step."""
    with autocast("cpu"):
        logits = net(batch.inputs, batch.masks)
    gradient_step({"policy": (net, optimizer)}, value_loss(logits.float(), batch, options.temperature), 1.0)


def value_loss(logits: Tensor, batch: Decisions, temperature: float) -> Tensor:
    """The mean loss of some decisions; `logits` (n, actions)."""
    log_probs = torch.log_softmax(logits, 1)
    probs = log_probs.exp()
    entropy = -(probs * log_probs.masked_fill(~batch.masks, 0)).sum(1)
    above = (batch.values - mean_values(batch)[:, None]) * batch.masks
    return ((probs * above).sum(1) / temperature - entropy).mean()


def mean_values(batch: Decisions) -> Tensor:
    """The mean value of the legal actions of every decision, (n,)."""
    return (batch.values * batch.masks).sum(1) / batch.masks.sum(1)


def gain(net: PolicyNet, test: Decisions) -> float:
    """The gain of a policy's most probable actions over random ones, in points of the deal."""
    net.eval()
    with torch.inference_mode():
        parts = zip(test.inputs.split(8192), test.masks.split(8192), strict=True)
        actions = torch.cat([net(inputs, masks).argmax(1) for inputs, masks in parts])
    net.train()
    return gain_of(test, actions)


def gain_of(test: Decisions, actions: Tensor) -> float:
    """The gain of some actions over random ones."""
    return float((mean_values(test) - test.values.gather(1, actions[:, None]).squeeze(1)).mean())
