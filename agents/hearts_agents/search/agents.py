"""The search agents: what they can be told, and how they answer batches of views."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_agents.base import Agent
from hearts_agents.rule import RuleAgent, Weights
from hearts_env.compiled.game import Game
from hearts_env.kernel.records import STATE, Phase
from hearts_env.play.view import View, Views

POLICIES = ("rule", "random")
CHUNK = 16
LEFT_TO_RULE = (Phase.REFUSE, Phase.MOON, Phase.SIGN, Phase.EXACT, Phase.OVER)
"""Decisions that the rule agent makes: little or nothing is hidden in them."""
"""Worlds between two looks at the clock."""
TABLES_AT_ONCE = 32


@dataclass(frozen=True)
class Estimate:
    """What a search thinks of an action.

    Attributes:
        action: its name.
        margin: expected points of the seat (its team) for the deal, less the mean of the opponents'; lower is better.
        error: standard error of that over worlds.
        difference: how much more that is than the rollout policy's own action gets in the same worlds.
        difference_error: standard error of the difference.
        worlds: in how many worlds it was tried.
    """

    action: str
    margin: float
    error: float
    difference: float
    difference_error: float
    worlds: int


class PimcAgent(Agent):
    """Flat sampling: tries every legal action in the same worlds, plays each world out by a policy, takes the best.

    Worlds agree with everything the seat knows and are equally likely (`hearts_env.play.worlds`); a rollout goes to
    the end of the deal and is scored by the rules, so moons, sweeps and multipliers are worth what they are worth. The
    same seed and view give the same action in whatever batch, unless `millis` limits the search. (Known elsewhere as
    perfect-information Monte Carlo; Ginsberg 2001.)

    Attributes:
        worlds, policy, exact: as given.
    """

    tables_at_once = TABLES_AT_ONCE

    def __init__(
        self,
        worlds: int = 64,
        rollouts: int = 0,
        millis: float = 0.0,
        policy: str = "rule",
        passing: bool = True,
        exact: int = 0,
        doubt: float = 1.0,
        surprise: float = 0.0,
    ) -> None:
        """Make a player.

        Args:
            worlds: worlds per decision, 1 or more.
            rollouts: if not 0, as many worlds as give this many rollouts per decision instead.
            millis: if not 0, as many worlds as fit into this time per decision instead; then play depends on the
                machine.
            policy: who plays the rollouts, ``rule`` or ``random``.
            passing: whether it searches passes too; if not, the policy passes (at random for ``random``).
            exact: number of last tricks of each world to solve exactly.
            doubt: standard errors by which an action must beat the one the policy would take.
            surprise: if not 0, a world counts this factor less for every card played that the policy would not have
                played in it.

        Raises:
            ValueError: a value that is not possible.
        """
        check_budget("pimc", worlds=worlds, rollouts=rollouts, millis=millis)
        if rollouts and millis:
            raise ValueError(f"pimc: rollouts={rollouts} and millis={millis} contradict: give one of them")
        check_policy("pimc", policy)
        if not 0 <= exact <= 5:
            raise ValueError(f"pimc: exact={exact} is not possible; it is a number of tricks from 0 to 5")
        if doubt < 0 or not 0 <= surprise <= 1:
            raise ValueError(f"pimc: doubt={doubt} must be 0 or more, and surprise={surprise} between 0 (off) and 1")
        self.worlds, self.rollouts, self.millis, self.policy, self.exact = worlds, rollouts, millis, policy, exact
        self._settings = settings(policy, passing) | {"exact": exact, "doubt": doubt, "surprise": surprise}
        self.name = "pimc"
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Restart from a seed, any whole number."""
        self._seed = seed_word(seed)

    def act_batch(self, views: Views) -> NDArray[np.int64]:
        """One action per view; views of a finished match get 0."""
        from hearts_agents.search.pimc import search_all

        if self.millis or self.rollouts:
            return np.array([self._act_within(view) for view in views], np.int64)
        actions = np.zeros(len(views), np.int64)
        work = self._work(views.game, self.worlds)
        search_all(views.records, views.game.tables, words_of(views.records, self._seed), *work, actions)
        return actions

    def explain(self, view: View) -> list[Estimate]:
        """What the search thinks of every legal action of a view, best first, each tried in `worlds` worlds or more.

        Raises ValueError if it is not the turn of the view's seat.
        """
        actions = view.legal_ids()
        if not actions:
            raise ValueError("there is nothing to explain: it is another seat's turn, or the deal is over")
        game, (bench, states, worlds, weights) = view.game, self._work(view.game, CHUNK)
        self._search(view, bench, states, worlds, weights, lambda tried: tried >= self.worlds)
        found = [_estimate(bench, game.actions[action], action) for action in actions]
        return sorted(found, key=lambda estimate: estimate.margin)

    def _work(self, game: Game, worlds: int) -> tuple[Any, NDArray[Any], NDArray[Any], NDArray[np.float64]]:
        from hearts_agents.search.workspace import new_bench, new_states

        bench = new_bench(game, Weights(), **self._settings)
        return bench[0], new_states(self.exact), np.zeros(worlds, STATE), np.zeros(worlds)

    def _act_within(self, view: View) -> int:
        from hearts_agents.search.pimc import best_action, first_guess, is_left_to_policy

        record, t = view.record, view.game.tables
        if int(record["phase"]) in LEFT_TO_RULE:
            return int(RuleAgent().act_batch(Views.of(view))[0])
        count = CHUNK if self.millis else max(1, self.rollouts // len(view.legal_ids()))
        bench, states, worlds, weights = self._work(view.game, count)
        if is_left_to_policy(record, t, bench):
            return int(first_guess(record, t, bench))
        deadline = perf_counter() + self.millis / 1000
        usual = self._search(view, bench, states, worlds, weights, lambda _: perf_counter() >= deadline)
        return int(best_action(record, t, bench, usual))

    def _search(
        self,
        view: View,
        bench: Any,
        states: NDArray[Any],
        worlds: NDArray[Any],
        weights: NDArray[np.float64],
        enough: Callable[[int], bool],
    ) -> int:
        """Try worlds, a chunk at a time, until it is enough. Returns the policy's own action."""
        from hearts_agents.search.pimc import clear_sums, first_guess, try_all
        from hearts_env.kernel.deduce.counting import prepare

        record, t = view.record, view.game.tables
        word = words_of(np.array([record]), self._seed)[0]
        usual, tried = int(first_guess(record, t, bench)), 0
        clear_sums(bench)
        if not prepare(record, t, view.seat, bench["hidden"], states[1]):
            raise ValueError("no deal agrees with this view")
        while tried == 0 or not enough(tried):
            try_all(record, t, word, tried, usual, bench, states, worlds, weights)
            tried += len(worlds)
        return usual


def _estimate(bench: Any, name: str, action: int) -> Estimate:
    margin, difference, square, margin_square, weight = (float(value) for value in bench["sums"][action])
    worlds = float(bench["weight"]) ** 2 / float(bench["squares"])
    mean, mean_difference = margin / weight, difference / weight

    def error(squares: float, center: float) -> float:
        return float(np.sqrt(max(squares / weight - center * center, 0.0) / max(worlds - 1, 1)))

    return Estimate(
        name, mean, error(margin_square, mean), mean_difference, error(square, mean_difference), round(weight)
    )


class IsmctsAgent(Agent):
    """Tree search over information sets: a tree of what everybody sees, grown through one world per iteration.

    Attributes:
        rollouts, millis: as given.
    """

    tables_at_once = TABLES_AT_ONCE

    def __init__(
        self,
        rollouts: int = 1000,
        millis: float = 0.0,
        policy: str = "rule",
        passing: bool = True,
        explore: float = 20.0,
        trust: float = 20.0,
        doubt: float = 1.0,
    ) -> None:
        """Make a player.

        Args:
            rollouts: iterations per decision, 1 or more.
            millis: if not 0, as many as fit into this time instead; then play depends on the machine.
            policy: who plays the rollouts, ``rule`` or ``random``.
            passing: whether it searches its passes too.
            explore: width of the confidence bounds, in points of a pack of 26; above 0.
            trust: points by which, below the root, what the policy would do with the cards of a world is ahead of
                other actions; 0 or more.
            doubt: standard errors by which an action must beat the one the policy would take.

        Raises:
            ValueError: a value that is not possible.
        """
        check_budget("ismcts", rollouts=rollouts, millis=millis)
        check_policy("ismcts", policy)
        if explore <= 0:
            raise ValueError(f"ismcts: explore={explore} must be above 0")
        if trust < 0 or doubt < 0:
            raise ValueError(f"ismcts: trust={trust} and doubt={doubt} must be 0 or more")
        self.rollouts, self.millis = rollouts, millis
        self._settings = settings(policy, passing) | {"explore": explore, "trust": trust, "doubt": doubt}
        self.name = "ismcts"
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Restart from a seed, any whole number."""
        self._seed = seed_word(seed)

    def act_batch(self, views: Views) -> NDArray[np.int64]:
        """One action per view; views of a finished match get 0."""
        from hearts_agents.search.ismcts import NODE, search_trees
        from hearts_agents.search.workspace import new_bench, new_states

        bench = new_bench(views.game, Weights(), **self._settings)[0]
        work = (bench, new_states(0), np.zeros(1, STATE))
        if self.millis:
            return np.array([self._act_within(view, *work) for view in views], np.int64)
        actions, nodes = np.zeros(len(views), np.int64), np.zeros(self.rollouts + 1, NODE)
        words = words_of(views.records, self._seed)
        search_trees(views.records, views.game.tables, words, self.rollouts, *work, nodes, actions)
        return actions

    def _act_within(self, view: View, bench: Any, states: NDArray[Any], worlds: NDArray[Any]) -> int:
        from hearts_agents.search.ismcts import NODE, decide, grow, plant
        from hearts_agents.search.pimc import first_guess, is_left_to_policy
        from hearts_env.kernel.deduce.counting import prepare

        record, t = view.record, view.game.tables
        if int(record["phase"]) in LEFT_TO_RULE:
            return int(RuleAgent().act_batch(Views.of(view))[0])
        if is_left_to_policy(record, t, bench) or not prepare(record, t, view.seat, bench["hidden"], states[1]):
            return int(first_guess(record, t, bench))
        deadline = perf_counter() + self.millis / 1000
        word, done = words_of(np.array([record]), self._seed)[0], 0
        nodes = np.zeros(1 + 64 * CHUNK, NODE)
        plant(bench, nodes)
        while done == 0 or perf_counter() < deadline:
            if done + CHUNK >= len(nodes):
                nodes = np.concatenate([nodes, np.zeros_like(nodes)])
            grow(record, t, word, done, CHUNK, bench, states, worlds, nodes)
            done += CHUNK
        return int(decide(nodes, bench, int(first_guess(record, t, bench))))


class EndgameAgent(Agent):
    """Plays as the rule agent, and the last tricks by solving them exactly in many worlds.

    It begins when at most `tricks` tricks and 20 cards are left: at larger tables fewer tricks.
    """

    tables_at_once = TABLES_AT_ONCE

    def __init__(self, tricks: int = 4, worlds: int = 32) -> None:
        """Make a player.

        Args:
            tricks: last tricks that are solved, 1 to 5.
            worlds: worlds in which they are, 1 or more.

        Raises:
            ValueError: a value that is not possible.
        """
        check_budget("endgame", worlds=worlds)
        if not 1 <= tricks <= 5:
            raise ValueError(f"endgame: tricks={tricks} is not possible; it is a number of tricks from 1 to 5")
        self.tricks, self.name = tricks, "endgame"
        self._rule, self._search = RuleAgent(), PimcAgent(worlds, exact=tricks, doubt=0.0)

    def reset(self, seed: int) -> None:
        """Restart from a seed, any whole number."""
        self._search.reset(seed)

    def act_batch(self, views: Views) -> NDArray[np.int64]:
        """One action per view; views of a finished match get 0."""
        from hearts_agents.search.endgame import find_near_end

        actions, near = self._rule.act_batch(views), np.zeros(len(views), np.bool_)
        find_near_end(views.records, views.game.tables, self.tricks, near)
        rows = np.flatnonzero(near)
        if rows.size:
            actions[rows] = self._search.act_batch(Views(views.game, views.records[rows]))
        return actions


def settings(policy: str, passing: bool) -> dict[str, float]:
    """What the search kernels are told of a policy."""
    return {"slips": float(policy == "random"), "searches_pass": int(passing)}


def seed_word(seed: int) -> np.uint64:
    """A random word for a seed, any whole number."""
    return np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]


def words_of(records: NDArray[Any], seed: np.uint64) -> NDArray[np.uint64]:
    """A random word for every view, which depends on the seed and on what the view shows."""
    from hearts_agents.uniform_kernel import view_words

    words = np.zeros(len(records), np.uint64)
    view_words(records, seed, words)
    return words


MOST = 1_000_000
"""The largest budget: so many worlds take two gigabytes, so many milliseconds a quarter of an hour."""


def check_budget(agent: str, **limits: float) -> None:
    """Refuse a budget of nothing or without measure. `rollouts` and `millis` may be 0 where they replace another."""
    main, *others = limits
    for name, value in limits.items():
        if value > MOST:
            raise ValueError(f"{agent}: {name}={value} must be at most {MOST}")
    if limits[main] < 1:
        raise ValueError(f"{agent}: {main}={limits[main]} must be at least 1")
    for name in others:
        if limits[name] < 0:
            raise ValueError(f"{agent}: {name}={limits[name]} must be above 0, or left out")


def check_policy(agent: str, policy: str) -> None:
    """Refuse a policy that nobody knows."""
    if policy not in POLICIES:
        raise ValueError(f"{agent}: policy={policy} is not possible; it is {' or '.join(POLICIES)}")
