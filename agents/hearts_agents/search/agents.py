"""The search agents: their parameters, and how they search one view or many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hearts_agents.rule import RuleAgent
from hearts_agents.search.base import CHUNK, Enough, SearchAgent, check_budget
from hearts_env.checks import number, whole
from hearts_env.kernel.records import STATE
from hearts_env.ruleset.syntax import brief
from hearts_env.seat.view import View, Views


@dataclass(frozen=True)
class Estimate:
    """The estimates of a search for one action. All values are points of the deal; lower is better.

    Attributes:
        action: its name.
        margin: expected points of the seat (the mean of its team) minus the mean of its opponents.
        error: standard error of the margin over worlds.
        difference: margin of the action minus that of the policy's own action in the same worlds.
        difference_error: standard error of the difference.
        worlds: number of worlds in which it was tried.
    """

    action: str
    margin: float
    error: float
    difference: float
    difference_error: float
    worlds: int


class ActionValues(NamedTuple):
    """The estimates of a search for the legal actions of many views. Points of the deal; lower is better.

    Attributes:
        actions: (n,) int64, the agent's choices.
        values: (n, actions) float32, expected margin of the seat (the mean of its team minus the mean of its
            opponents) after each action; NaN where an action is illegal or the decision was not searched.
        errors: (n, actions) float32, standard error of the difference between the value and that of the policy's own
            action, which has 0; NaN as above.
        worlds: (n, actions) int32, number of worlds in which the action was tried; 0 as above.
    """

    actions: NDArray[np.int64]
    values: NDArray[np.float32]
    errors: NDArray[np.float32]
    worlds: NDArray[np.int32]


class PimcAgent(SearchAgent):
    """Perfect-information Monte Carlo: tries every legal action in the same worlds and takes the best.

    Worlds are full deals that agree with everything the seat knows, all equally likely (`hearts_env.seat.worlds`). A
    policy plays each to the end of the deal, which is scored by the rules with its moons, sweeps and multipliers.
    Ginsberg (2001) describes the method.

    Attributes:
        worlds, rollouts, millis, policy, endgame_tricks: as given.

    >>> import hearts_env as he
    >>> agent = PimcAgent(worlds=4)
    >>> match = he.Match("black_lady", seed=1)
    >>> view = match.view(match.seat)
    >>> agent.act(view) in view.legal_ids()
    True
    """

    def __init__(
        self,
        worlds: int = 64,
        rollouts: int = 0,
        millis: float = 0.0,
        policy: str = "rule",
        passing: bool = True,
        endgame_tricks: int = 0,
        min_z: float = 1.0,
        play_likelihood: float = 0.0,
    ) -> None:
        """Make an agent.

        Args:
            worlds: worlds per decision, 1 or more.
            rollouts: if not 0, rollouts per decision, shared among the legal actions, instead of `worlds`.
            millis: if not 0, milliseconds per decision instead of `worlds`; then play depends on the machine.
            policy: who plays the rollouts: rule, random, shooter, guard, slips (rule with one random action in five),
                or several joined by +, such as rule+shooter+guard.
            passing: whether passes are searched; if not, the policy passes (the first legal cards for ``random``).
            endgame_tricks: number of last tricks of each world that are solved exactly, 0 to 5.
            min_z: standard errors by which an action must beat the policy's own action, 0 or more.
            play_likelihood: if not 0, factor on the importance weight of a world for every card played that the policy
                would not have played in it, up to 1.

        Raises:
            ValueError: a value out of range, or both `rollouts` and `millis`.
        """
        check_budget("pimc", worlds=worlds, rollouts=rollouts, millis=millis)
        endgame_tricks = whole("pimc: endgame_tricks", endgame_tricks)
        if rollouts and millis:
            raise ValueError(f"pimc: rollouts={rollouts} and millis={millis} contradict: give one of them")
        if not 0 <= endgame_tricks <= 5:
            raise ValueError(
                f"pimc: endgame_tricks={brief(endgame_tricks)} is not possible; it is a number of tricks from 0 to 5"
            )
        if number("pimc: min_z", min_z) < 0 or not 0 <= number("pimc: play_likelihood", play_likelihood) <= 1:
            raise ValueError(
                f"pimc: min_z={min_z} must be 0 or more, and play_likelihood={play_likelihood} between 0 (off) and 1"
            )
        settings = {"endgame_tricks": endgame_tricks, "min_z": min_z, "play_likelihood": play_likelihood}
        super().__init__("pimc", policy, passing, millis, **settings)
        self.worlds, self.rollouts, self.endgame_tricks = int(worlds), int(rollouts), endgame_tricks

    def explain(self, view: View) -> list[Estimate]:
        """Estimate every legal action of a view, best first, each in `worlds` worlds or more.

        Raises:
            ValueError: it is not the turn of the view's seat, or no deal agrees with the view.

        >>> import hearts_env as he
        >>> match = he.Match("black_lady", seed=1)
        >>> estimates = PimcAgent(worlds=16).explain(match.view(match.seat))
        >>> [estimate.worlds for estimate in estimates[:3]]
        [16, 16, 16]
        >>> estimates[0].margin <= estimates[1].margin
        True
        """
        actions = view.legal_ids()
        if not actions:
            raise ValueError("there is nothing to explain: it is another seat's turn, or the deal is over")
        game, workspace = view.game, self._workspace(view.game)
        if not self._begin(view, workspace):
            raise ValueError("no deal agrees with this view")
        self._try_worlds(view, workspace, CHUNK, lambda tried: tried >= self.worlds)
        found = [_estimate(workspace, game.actions[action], action) for action in actions]
        return sorted(found, key=lambda estimate: estimate.margin)

    def action_values(self, views: Views) -> ActionValues:
        """Choose one action per view as `act_batch` does, and estimate every legal action.

        Decisions with one legal action, and those that are left to the rule agent, are not searched.

        Raises:
            ValueError: the budget is not a number of worlds.

        >>> import hearts_env as he
        >>> views = he.Views.of(he.Match("black_lady", seed=1).view(0))
        >>> found = PimcAgent(worlds=16).action_values(views)
        >>> int(np.isfinite(found.values).sum()), found.values.shape
        (13, (1, 54))
        """
        if self._one_by_one():
            raise ValueError(f"{self.name}: action values need a budget in worlds, without millis and rollouts")
        return self._value(views)

    def _value(self, views: Views) -> ActionValues:
        from hearts_agents.search.pimc import ERROR, TRIED, VALUE, search_all

        found = np.full((len(views), len(views.game.actions), 3), (np.nan, np.nan, 0), np.float32)
        worlds, weights = np.zeros(self.worlds, STATE), np.zeros(self.worlds)
        words, workspace = self._random_words(views.records), self._workspace(views.game)
        actions = np.zeros(len(views), np.int64)
        search_all(views.records, views.game.tables, words, workspace, worlds, weights, actions, found)
        return ActionValues(actions, found[..., VALUE], found[..., ERROR], found[..., TRIED].astype(np.int32))

    def _one_by_one(self) -> bool:
        return self.millis > 0 or self.rollouts > 0

    def _search_batch(self, views: Views) -> NDArray[np.int64]:
        return self._value(views).actions

    def _search(self, view: View, workspace: Any, enough: Enough) -> int:
        from hearts_agents.search.pimc import best_action

        count = CHUNK if self.millis else max(1, self.rollouts // len(view.legal_ids()))
        self._try_worlds(view, workspace, count, enough)
        return int(best_action(view.record, view.game.tables, workspace))

    def _try_worlds(self, view: View, workspace: Any, count: int, enough: Enough) -> None:
        """Try the actions in `count` worlds at a time until it is enough."""
        from hearts_agents.search.pimc import try_all

        worlds, weights = np.zeros(count, STATE), np.zeros(count)
        while not workspace["tried"] or not enough(int(workspace["tried"])):
            try_all(view.record, view.game.tables, workspace, worlds, weights)


def _estimate(workspace: Any, name: str, action: int) -> Estimate:
    from hearts_agents.search.pimc import mean_and_error
    from hearts_agents.search.workspace import DIFFERENCE, DIFFERENCE_SQUARE, MARGIN, MARGIN_SQUARE, WORLDS

    margin, error = map(float, mean_and_error(workspace, action, MARGIN, MARGIN_SQUARE))
    difference, its_error = map(float, mean_and_error(workspace, action, DIFFERENCE, DIFFERENCE_SQUARE))
    return Estimate(name, margin, error, difference, its_error, int(workspace["sums"][action, WORLDS]))


class IsmctsAgent(SearchAgent):
    """Information-set Monte Carlo tree search: one tree of what everybody sees, grown by one world per iteration.

    Attributes:
        rollouts, millis, policy: as given.

    >>> import hearts_env as he
    >>> agent = IsmctsAgent(rollouts=20)
    >>> match = he.Match("black_lady", seed=1)
    >>> view = match.view(match.seat)
    >>> agent.act(view) in view.legal_ids()
    True
    """

    def __init__(
        self,
        rollouts: int = 1000,
        millis: float = 0.0,
        policy: str = "rule",
        passing: bool = True,
        exploration: float = 20.0,
        prior_bonus: float = 20.0,
        min_z: float = 1.0,
    ) -> None:
        """Make an agent.

        Args:
            rollouts: iterations per decision, 1 or more.
            millis: if not 0, milliseconds per decision instead of `rollouts`; then play depends on the machine.
            policy: who plays the rollouts: rule, random, shooter, guard, slips (rule with one random action in five),
                or several joined by +, such as rule+shooter+guard.
            passing: whether passes are searched; if not, the policy passes (the first legal cards for ``random``).
            exploration: width of the confidence bounds, in points of a pack of 26; above 0.
            prior_bonus: points by which, below the root, the action that the policy takes with the cards of a world is
                ahead of the others; 0 or more.
            min_z: standard errors of the most visited action's mean by which it must beat the policy's own action, 0 or
                more.

        Raises:
            ValueError: a value out of range.
        """
        check_budget("ismcts", rollouts=rollouts, millis=millis)
        if number("ismcts: exploration", exploration) <= 0:
            raise ValueError(f"ismcts: exploration={exploration} must be above 0")
        if number("ismcts: prior_bonus", prior_bonus) < 0 or number("ismcts: min_z", min_z) < 0:
            raise ValueError(f"ismcts: prior_bonus={prior_bonus} and min_z={min_z} must be 0 or more")
        settings = {"exploration": exploration, "prior_bonus": prior_bonus, "min_z": min_z}
        super().__init__("ismcts", policy, passing, millis, **settings)
        self.rollouts = rollouts

    def _search_batch(self, views: Views) -> NDArray[np.int64]:
        from hearts_agents.search.ismcts import NODE, search_trees

        worlds, nodes, actions = np.zeros(1, STATE), np.zeros(self.rollouts + 1, NODE), np.zeros(len(views), np.int64)
        words, workspace = self._random_words(views.records), self._workspace(views.game)
        search_trees(views.records, views.game.tables, words, workspace, worlds, nodes, actions)
        return actions

    def _search(self, view: View, workspace: Any, enough: Enough) -> int:
        from hearts_agents.search.ismcts import NODE, decide, grow, plant

        worlds, nodes = np.zeros(1, STATE), np.zeros(1 + 64 * CHUNK, NODE)
        plant(workspace, nodes)
        while not workspace["tried"] or not enough(int(workspace["tried"])):
            if workspace["tried"] + CHUNK >= len(nodes):
                nodes = np.concatenate([nodes, np.zeros_like(nodes)])
            grow(view.record, view.game.tables, workspace, worlds, nodes, CHUNK)
        return int(decide(nodes, workspace, int(workspace["default_action"])))


class EndgameAgent(PimcAgent):
    """Plays as the rule agent until the last tricks, which it solves exactly in many worlds.

    It begins when at most `tricks` tricks and 20 cards are left: at larger tables fewer tricks.

    Attributes:
        worlds, tricks: as given.

    >>> import hearts_env as he
    >>> agent = EndgameAgent(tricks=2, worlds=4)
    >>> match = he.Match("black_lady", seed=1)
    >>> view = match.view(match.seat)
    >>> agent.act(view) in view.legal_ids()
    True
    """

    def __init__(self, tricks: int = 4, worlds: int = 32) -> None:
        """Make an agent.

        Args:
            tricks: number of last tricks that are solved, 1 to 5.
            worlds: worlds per decision, 1 or more.

        Raises:
            ValueError: a value out of range.
        """
        check_budget("endgame", worlds=worlds)
        tricks = whole("endgame: tricks", tricks)
        if not 1 <= tricks <= 5:
            raise ValueError(f"endgame: tricks={brief(tricks)} is not possible; it is a number of tricks from 1 to 5")
        super().__init__(worlds, endgame_tricks=tricks, min_z=0.0)
        self.tricks, self.name, self._rule = tricks, "endgame", RuleAgent()

    def action_values(self, views: Views) -> ActionValues:
        """Raises ValueError: most of its decisions are the rule agent's, which values nothing."""
        raise ValueError("endgame values no actions; use pimc, such as pimc(worlds=32, endgame_tricks=4)")

    def _search_batch(self, views: Views) -> NDArray[np.int64]:
        from hearts_agents.search.endgame import find_near_end

        actions, near = self._rule.act_batch(views), np.zeros(len(views), np.bool_)
        find_near_end(views.records, views.game.tables, self.tricks, near)
        rows = np.flatnonzero(near)
        if rows.size:
            actions[rows] = super()._search_batch(Views(views.game, views.records[rows], check=False))
        return actions
