"""Learners from labelled decisions: a policy for one game, or, from several games, a network for all rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from hearts_agents.arena.tables import deal_numbers
from hearts_agents.neural import ILLEGAL, PolicyNet, input_size, network_inputs, save_policy
from hearts_agents.neural.features import FACTS
from hearts_agents.neural.inputs import counts_size
from hearts_agents.neural.known import with_all_names
from hearts_agents.neural.rulesnet import Layers, RulesNet, described, load_general, save_general
from hearts_agents.neural.saved import GeneralInfo, is_general, read_general, read_policy
from hearts_agents.neural.transfer import transfer
from hearts_agents.weights import folder_of
from hearts_env.compiled.game import Game, compile_game
from hearts_env.kernel.counts import BLOCKS as COUNTS
from hearts_env.seat.observation import layout_of
from hearts_env.seat.view import Views
from hearts_env.variants.registry import rules as read_rules
from hearts_training.data.labelled import Decisions, LabelledDecisions
from hearts_training.evaluate.sides import Sides
from hearts_training.provenance import Provenance
from hearts_training.train.match_critic import STANDINGS
from hearts_training.train.networks import policy_in

TEMPERATURE, TEMPERATURE_OF_MANY = 1.0, 0.1
"""Defaults: in points for one game, in standard deviations of a deal's margin among ``rule`` for many."""
TOGETHER = 4
"""Batches in a gradient step on several games."""
KEPT = ("deals", "variants", "told")
"""Deals of self-play, and of a network for all rules, the rules it was trained on and what it is told of them."""
UNKNOWN = (*STANDINGS, "deal_number")
"""Fields of an observation that labels of single deals do not cover."""

Batch = tuple[int, Decisions]
"""The place of a data set, and decisions of it."""


WIDTHS = (512, 512, 512, 512)
"""Of the hidden layers, if none are given."""


def make_student(games: Sequence[Game], hidden: tuple[int, ...] | None, start: str = "") -> OneGame | ManyGames:
    """The one that learns from data sets of some games, or of one.

    Raises ValueError for a policy to start from that does not fit them, or widths that several games do not allow.
    """
    several = len({game.rules for game in games})
    if not start:
        hidden = hidden or WIDTHS
        return OneGame(games, hidden) if several == 1 else ManyGames(games, hidden)
    folder = folder_of(start)
    if is_general(folder):
        return ManyGames(games, (), load_general(folder)[0])
    if several > 1:
        raise ValueError(f"{start} plays one game, and the data sets are of {several}; name a network for all rules")
    policy = policy_in(folder, games[0], start)
    if policy.inputs != input_size(games[0]):
        raise ValueError(f"{start} reads the observation alone; to be improved, it must read the counts beside it")
    return OneGame(games, (), policy)


def kept_of(start: str) -> dict[str, Any]:
    """What stays true of a policy that was improved, from the description of the one in `start`; nothing if none is."""
    if not start:
        return {}
    folder = folder_of(start)
    extra = (read_general if is_general(folder) else read_policy)(folder)[1].extra
    return {name: extra[name] for name in KEPT if name in extra}


def new_weights(start: str, student: Student) -> dict[str, Tensor]:
    """1 for every weight of a student of an input or action that the policy in `start` did not have, 0 for others.

    Raises ValueError if it had them all.
    """
    folder = folder_of(start)
    weights, info = (read_general if is_general(folder) else read_policy)(folder)
    had: dict[str, NDArray[Any]] = {name: np.ones_like(value) for name, value in weights.items()}
    if isinstance(info, GeneralInfo):
        had = with_all_names(had, info.names)
    else:
        had = transfer(had, compile_game(read_rules(info.rules)), student.games[0])
    new = {name: torch.from_numpy(1 - value) for name, value in had.items()}
    if not any(bool(value.any()) for value in new.values()):
        raise ValueError(f"{start} reads all inputs of these games; leave new_inputs out")
    return new


def interleaved(sets: Sequence[LabelledDecisions], seed: int, together: int) -> Iterator[list[Batch]]:
    """The batches of every gradient step of a pass: those of all data sets in a random order, some `together`."""
    random = np.random.default_rng([seed, sets[0].passes])
    left, weights = dict(enumerate(map(iter, sets))), [one.rows() for one in sets]
    step: list[Batch] = []
    while left:
        places = [*left]
        shares = np.array([weights[place] for place in places], np.float64)
        place = places[random.choice(len(places), p=shares / shares.sum())]
        batch = next(left[place], None)
        if batch is None:
            del left[place]
        else:
            step.append((place, batch))
        if len(step) == together or (step and not left):
            yield step
            step = []


class OneGame:
    """A policy for one game that learns from labelled decisions.

    Attributes:
        games: of the data sets.
        net: its weights.
        units: the points of each data set in which its values are counted.
        temperature: the default, in those units.
        together: batches in a gradient step.
    """

    temperature, together = TEMPERATURE, 1

    def __init__(self, games: Sequence[Game], hidden: tuple[int, ...], start: PolicyNet | None = None) -> None:
        self.games, self._start = tuple(games), start
        game = games[0]
        self.units: tuple[float, ...] = (1.0,) * len(games)
        self.net = deepcopy(start) if start else PolicyNet(input_size(game), len(game.actions), hidden)

    def logits(self, batches: Sequence[Batch], *, start: bool = False) -> list[Tensor]:
        """Logits for each batch, (n, actions); where an action is illegal, far below all others.

        With `start`, those of the policy that it began from; equal ones for all legal actions if there was none.
        """
        net = self._start if start else self.net
        return [net(batch.inputs, batch.masks) if net else _equal(batch) for _, batch in batches]

    def finish(self) -> None:
        """Remove the random weights of the state of the match, after the last pass."""
        if not self._start:
            forget_match(self.net, self.games[0])

    def save(self, folder: Path, extra: Mapping[str, Any], run: Sequence[Provenance]) -> None:
        """Write it as an agent, ``net:FOLDER``."""
        save_policy(folder, self.net, self.games[0].rules, extra, run=run)


class ManyGames:
    """A network for all rules. From labels, which are of single deals, it learns nothing about the state of the match:
    one with random weights ignores it. Attributes are as in `OneGame`.
    """

    temperature, together = TEMPERATURE_OF_MANY, TOGETHER

    def __init__(self, games: Sequence[Game], hidden: tuple[int, ...], start: RulesNet | None = None) -> None:
        """Make the network. Raises ValueError for layers of different widths, or a game without anything to learn."""
        if not start and (len({*hidden}) > 1 or len(hidden) < 2):
            raise ValueError(f"hidden={hidden} must be two widths or more, all the same, for several data sets")
        self.games, self._start = tuple(games), start
        self.units: tuple[float, ...] = tuple(map(_unit, games))
        self.net = deepcopy(start) if start else RulesNet(hidden[0], len(hidden) - 1)
        known = torch.tensor([fact.split()[0] not in UNKNOWN for fact in FACTS])[:, None, None]
        if not start:
            with torch.no_grad():
                self.net.facts.mul_(known)
        self.net.facts.register_hook(lambda gradient: gradient * known)

    def logits(self, batches: Sequence[Batch], *, start: bool = False) -> list[Tensor]:
        """As in `OneGame`."""
        net = self._start if start else self.net
        if not net:
            return [_equal(batch) for _, batch in batches]
        places = list(dict.fromkeys(place for place, _ in batches))
        layers = dict(zip(places, net.layers([described(self.games[place]) for place in places]), strict=True))
        return [self._logits(net, layers[place], self.games[place], batch) for place, batch in batches]

    @staticmethod
    def _logits(net: RulesNet, layers: Layers, game: Game, batch: Decisions) -> Tensor:
        first, kinds = input_size(game) - counts_size(game), len(game.deck.kinds)
        own = batch.inputs[:, first : first + len(COUNTS) * kinds].view(-1, len(COUNTS), kinds)
        product = nn.functional.linear(batch.inputs, layers.first.t(), layers.bias)
        return net.outputs(layers, product, own).masked_fill(~batch.masks, ILLEGAL)

    def finish(self) -> None:
        """Nothing is left to do: no weight of the state of the match was changed."""

    def save(self, folder: Path, extra: Mapping[str, Any], run: Sequence[Provenance]) -> None:
        """As in `OneGame`."""
        save_general(folder, self.net, extra, run=run)


Student = OneGame | ManyGames
"""A network that learns from labelled decisions."""


def _equal(batch: Decisions) -> Tensor:
    return torch.zeros(batch.masks.shape).masked_fill(~batch.masks, ILLEGAL)


def _unit(game: Game) -> float:
    """The standard deviation of a deal's margin, in points. Raises ValueError if it is 0."""
    found = Sides.of(game.rules).spread()
    if found == 0:
        raise ValueError(f"there is nothing to learn in {game.rules}: no deal is worth more than another to rule")
    return found


def forget_match(net: PolicyNet, game: Game) -> None:
    """Make a network play every deal as it plays those that were labelled, at the start of a match.

    Labels are of deals with the totals of a new match, so the weights of the columns that describe a match keep their
    random initial values, which add noise later in a match. They are set to 0. What was learned from the number of the
    deal, within one cycle of passes, moves to the weights of the direction of the pass, or to the bias where the number
    does not determine the direction.
    """
    layout, cycle = layout_of(game), game.pass_cycle
    starts = Views(game, deal_numbers(game, np.arange(cycle, dtype=np.uint64), np.arange(cycle)), check=False)
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
