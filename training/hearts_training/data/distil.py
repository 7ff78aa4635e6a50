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
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
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
from hearts_training.provenance import Entry, entry, plain
from hearts_training.train.match_critic import STANDINGS
from hearts_training.train.options import DistilOptions
from hearts_training.train.run_folder import hold, make_empty

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
    then falls to 0 along a cosine (one cycle; Smith and Topin 2019, arXiv:1708.07120).

    Args:
        options: data and hyper-parameters.
        folder: the policy is saved there, with ``distil.json``: options, figures and, under ``run``, how it came to be.
        progress: called after every step with the fraction done and the last gain (0 before the first).

    Raises:
        ValueError: a folder that holds no data set, a broken one, or too few files of one; weights that are not
            finite; `folder` is not empty, in use or cannot be written.
        OSError: the folder can be written no longer.
    """
    run = [entry(_plain(options), options.seed)]
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    held_out = slice(-options.held_out, None)
    data = LabelledDecisions(options.data, options.batch, parts=slice(None, -options.held_out), seed=options.seed)
    rest = LabelledDecisions(options.data, parts=held_out)
    if not data.files:
        raise ValueError(
            f"{options.data} has {len(rest.files)} files; {options.held_out} are held out, so more are needed"
        )
    make_empty(folder)
    with hold(folder):
        return _distil(options, folder, data, rest, run, progress)


def _distil(
    options: DistilOptions,
    folder: Path,
    data: LabelledDecisions,
    rest: LabelledDecisions,
    run: list[Entry],
    progress: Callable[[float, float], None],
) -> Distilled:
    test = Decisions.join([rest.read(place) for place in range(len(rest.files))])
    game, began = data.game, perf_counter()
    net = PolicyNet(input_size(game), len(game.actions), options.hidden)
    optimizer = torch.optim.AdamW(net.parameters(), options.learning_rate, weight_decay=options.weight_decay)
    steps = options.epochs * data.batches()
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: one_cycle(step / steps))
    gains: list[float] = []
    done = decisions = 0
    for epoch in range(options.epochs):
        for batch in data:
            step(net, optimizer, batch, options)
            schedule.step()
            done += 1
            decisions += len(batch) if not epoch else 0
            progress(min(done / steps, 1.0), gains[-1] if gains else 0.0)
        check_finite("the network", arrays_of(net))
        gains.append(gain(net, test))
    seconds = perf_counter() - began
    forget_match(net, game)
    result = Distilled(folder, decisions, options.epochs, seconds, gains, gain_of(test, test.choices))
    labels = plain(data.description) | {"run": data.run}
    figures = asdict(result) | {"folder": folder.name, "options": _plain(options), "labels": labels}
    save_policy(folder, net, game.rules, {"distilled": figures}, run=run)
    write_file(folder / RESULT, (json.dumps(figures | {"run": run}, indent=2) + "\n").encode())
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


def step(net: PolicyNet, optimizer: torch.optim.Optimizer, batch: Decisions, options: DistilOptions) -> None:
    """One gradient step."""
    with autocast("cpu"):
        logits = net(batch.inputs, batch.masks)
    optimizer.zero_grad()
    value_loss(logits.float(), batch, options.temperature).backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()


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
