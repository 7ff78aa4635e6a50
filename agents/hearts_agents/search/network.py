"""`net+pimc`: perfect-information Monte Carlo (PIMC), rollouts played by a network or an agent of one's own."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_agents.registry import make_agent
from hearts_agents.search.agents import ActionValues
from hearts_agents.search.base import TABLES_AT_ONCE, check_budget
from hearts_agents.uniform import SeededAgent
from hearts_env.checks import number, whole
from hearts_env.compiled.game import Game
from hearts_env.kernel.records import STATE, Phase
from hearts_env.seat.view import View, Views
from hearts_env.seat.worlds import sample_worlds

SEARCHED = (Phase.DIRECTION, Phase.EXPOSE, Phase.PLEDGE, Phase.PLAY, Phase.SUIT)
"""Decisions that are searched; the network passes, and it decides alone what the moon does after a deal."""
SLIP = 0.02
"""Probability that a seat plays any legal card, where the network's probabilities weigh worlds."""
BEHIND = 10.0
"""Worlds that are less likely than the best by this factor, as a logarithm, are given up."""
FEWEST = 16
"""Worlds chosen by their weights count for at least so many."""
BATCH = 16384
"""About how many deals are played at once."""
LATE = 0.45
"""A search by the small network leaves the tricks before this share of the deal to the large one."""


class NetPimcAgent(SeededAgent):
    """Tries every legal action in the same worlds, plays each to the end by a network, and takes the best.

    The network's own action is the default: another one must beat it by more than `min_z` standard errors. With
    `candidates`, the worlds are chosen among so many, by how likely the network is to have played the cards seen.

    Attributes:
        worlds, candidates, min_z: as given.

    >>> import hearts_env as he
    >>> agent = NetPimcAgent("black_lady", worlds=2)
    >>> match = he.Match("black_lady(passing.cycle=[hold])", seed=1)
    >>> view = match.view(match.seat)
    >>> view.legal_ids()
    [0]
    """

    tables_at_once = TABLES_AT_ONCE

    def __init__(
        self, net: str, worlds: int = 32, min_z: float = 1.0, candidates: int = 0, small: bool = False
    ) -> None:
        """Load a network.

        Args:
            net: a name such as black_lady, a folder with policy.safetensors, or an agent of one's own:
                py:FILE.py:CLASS; all its decisions in rollouts come as batches, to ``act_batch`` where it has one.
            worlds: worlds per decision, 2 or more.
            min_z: standard errors by which an action must beat the network's own action, 0 or more.
            candidates: if not 0, draw so many worlds and keep those in which the network is likely to have played the
                cards that the others played; at least `worlds`.
            small: use the small network in the folder, of networks that have one (small.safetensors).

        Raises:
            ValueError: bad files, a value out of range, or an agent of one's own that is stateful, or with candidates
                or small.
        """
        from hearts_agents.neural import NetAgent
        from hearts_agents.search.distilled import SmallNetwork

        check_budget("net+pimc", worlds=worlds)
        if worlds < 2 or number("net+pimc: min_z", min_z) < 0:
            raise ValueError(f"net+pimc: worlds={worlds} must be at least 2, and min_z={min_z} 0 or more")
        if (candidates := whole("net+pimc: candidates", candidates)) and candidates < worlds:
            raise ValueError(f"net+pimc: candidates={candidates} must be 0, or at least worlds={worlds}")
        if net.startswith("py:"):
            self._net = self._rollouts = make_agent(net)
            if self._net.stateful or candidates or small:
                raise ValueError(
                    f"net+pimc({net}): an agent of one's own must decide many views at once, and candidates and small "
                    "are for networks of the suite"
                )
        else:
            network = NetAgent(net)
            self._net, self._rollouts, self._shares = network, network.single(), network.shares
        self.trained_on = self._net.trained_on
        self.worlds, self.min_z, self.candidates, self.small = int(worlds), float(min_z), candidates, small
        self._small = SmallNetwork(net) if small else None
        among = f", candidates={candidates}" * bool(candidates) + ", small=true" * small
        self.name, self.digest = f"net+pimc({net}, worlds={worlds}{among})", self._net.digest
        if self._small:
            self.digest = f"{self.digest}+{self._small.digest}"
        super().__init__()

    def notice(self, game: Game) -> str:
        """That of its network."""
        return self._net.notice(game)

    def act_batch(self, views: Views) -> NDArray[np.int64]:
        """One action per view, shape (n,). Raises ValueError if the network does not fit the game."""
        return self.action_values(views).actions

    def action_values(self, views: Views) -> ActionValues:
        """Choose one action per view, and estimate the legal actions of those that are searched.

        Raises:
            ValueError: the network does not fit the game.
        """
        from hearts_env.kernel.deduce.sampling import count_legal

        actions = self._net.act_batch(views)
        shape = (len(views), len(views.game.actions))
        values, errors = np.full(shape, np.nan, np.float32), np.full(shape, np.nan, np.float32)
        found = ActionValues(actions, values, errors, np.zeros(shape, np.int32))
        legal, words = np.zeros(len(views), np.int64), self._random_words(views.records)
        count_legal(views.records, views.game.tables, legal)
        rows = np.flatnonzero((legal > 1) & np.isin(views.records["phase"], SEARCHED) & self._in_time(views))
        for some in _groups(rows, legal * self.worlds):
            self._search(views, some, words, found)
        return found

    def _in_time(self, views: Views) -> NDArray[np.bool_]:
        """True where the deal is far enough on to be searched."""
        late = views.records["plies"] >= LATE * views.game.seats * views.game.hand_size
        return late & (views.records["phase"] == Phase.PLAY) if self._small else np.ones(len(views), np.bool_)

    def _search(self, views: Views, rows: NDArray[np.int64], words: NDArray[np.uint64], found: ActionValues) -> None:
        """Search the views `rows`, where `found` has the network's own actions, and write what is found there."""
        from hearts_agents.search.lockstep import play_out_all, try_actions

        worlds, tried = [], []
        for row in rows:
            view = View(views.game, views.records[row], int(views.records["seat"][row]), check=False)
            drawn, weights = self._draw(view, int(words[row]))
            if len(drawn):
                worlds.append(drawn)
                tried.append((row, np.array(view.legal_ids()), weights))
        if not tried:
            return
        game, player = views.game, self._small
        play_out = (
            partial(player.play_out, game) if player else lambda tables: play_out_all(game, tables, self._rollouts)
        )
        margins = try_actions(game, play_out, worlds, [options for _, options, _ in tried])
        for (row, options, weights), outcomes in zip(tried, margins, strict=True):
            default = int(found.actions[row])
            found.values[row, options] = weights @ outcomes
            found.errors[row, options] = differences(options, outcomes, weights, default)[1]
            found.worlds[row, options] = len(weights)
            found.actions[row] = best_action(options, outcomes, weights, default, self.min_z)

    def _draw(self, view: View, seed: int) -> tuple[NDArray[Any], NDArray[np.float64]]:
        """Worlds of a view, limited to its deal, and their weights; none if no deal agrees with it."""
        from hearts_agents.search.lockstep import copy_records

        try:
            if self.candidates:
                records, chances = self._candidates(view, seed)
                places, weights = choose_worlds(chances, self.worlds, (seed >> 11) * 2.0**-53)
                worlds = copy_records(records, places)
            else:
                worlds = sample_worlds(view, self.worlds, seed).records
                weights = np.full(self.worlds, 1 / self.worlds)
        except ValueError:
            return np.zeros(0, STATE), np.zeros(0)
        worlds["deal_limit"] = view.deal_number + 1
        return worlds, weights

    def _candidates(self, view: View, seed: int) -> tuple[NDArray[Any], NDArray[np.float64]]:
        """Worlds and their importance weights."""
        if self._small is None:
            found = sample_worlds(view, self.candidates, seed, policy=self._shares, epsilon=SLIP, behind=BEHIND)
            return found.records, found.weights
        records = sample_worlds(view, self.candidates, seed).records
        return records, self._small.weights(view, records, SLIP, BEHIND)


def _groups(rows: NDArray[np.int64], deals: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """The rows in groups of about `BATCH` deals."""
    return np.split(rows, np.flatnonzero(np.diff(np.cumsum(deals[rows]) // BATCH)) + 1) if rows.size else []


def choose_worlds(
    weights: NDArray[np.float64], count: int, draw: float
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Draw `count` worlds by their importance weights (systematic resampling: Kitagawa 1996).

    Where a few worlds have nearly all of the weight, all weights are raised to the largest power below 1 at which the
    effective sample size is `FEWEST`: the evidence counts for less, but no world for all.

    >>> choose_worlds(np.array([0.1, 0.3, 0.0, 0.4, 0.1, 0.1]), 3, draw=0.5)
    (array([1, 3, 4]), array([0.33333333, 0.33333333, 0.33333333]))

    Args:
        weights: (worlds,) with the sum 1.
        count: how many.
        draw: from 0 to 1.

    Returns:
        The places of those that were drawn, each once, and how often each was, as a share.
    """
    alive = np.flatnonzero(weights)
    logs = np.log(weights[alive])
    fewest, power = min(FEWEST, count, len(alive)), 1.0
    if effective(_powers(logs, power)) < fewest:
        low, high = 0.0, 1.0
        for _ in range(20):
            power = (low + high) / 2
            low, high = (low, power) if effective(_powers(logs, power)) < fewest else (power, high)
    drawn = np.searchsorted(_powers(logs, power).cumsum(), (np.arange(count) + draw) / count)
    places, times = np.unique(np.minimum(drawn, len(alive) - 1), return_counts=True)
    return alive[places], times / count


def _powers(logs: NDArray[np.float64], power: float) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.exp(power * (logs - logs.max()))
    return found / found.sum()


def effective(weights: NDArray[np.float64]) -> float:
    """The effective sample size (Kish 1965) of weights with the sum 1.

    >>> effective(np.array([0.5, 0.25, 0.25]))
    2.6666666666666665
    """
    return 1 / float(np.square(weights).sum())


def best_action(
    options: NDArray[np.int64], margins: NDArray[np.float64], weights: NDArray[np.float64], default: int, min_z: float
) -> int:
    """The action of least mean margin among those that beat the default action by more than `min_z` standard errors.

    >>> thirds = np.full(3, 1 / 3)
    >>> best_action(np.array([3, 8]), np.array([[2.0, 1.0], [2.0, 0.0], [3.0, 2.0]]), thirds, default=3, min_z=1)
    8

    Args:
        options: (actions,) ids of the legal actions.
        margins: (worlds, actions) margin after each of them in the same worlds; lower is better.
        weights: (worlds,) of the worlds, with the sum 1.
        default: the network's own action, one of them.
        min_z: standard errors.
    """
    means, errors = differences(options, margins, weights, default)
    means[means + min_z * errors >= -1e-9] = 0
    return default if not means.min() else int(options[means.argmin()])


def differences(
    options: NDArray[np.int64], margins: NDArray[np.float64], weights: NDArray[np.float64], default: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(actions,) the mean margin of each action minus that of the default action, and its standard error; the arguments
    are those of `best_action`.
    """
    each = margins - margins[:, options == default]
    means: NDArray[np.float64] = weights @ each
    errors: NDArray[np.float64] = np.sqrt(weights @ np.square(each - means) / max(effective(weights) - 1, 1))
    return means, errors
