"""Players of the seats that are not the learner's: spec strings, agents and functions, one way to play them all."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hearts_env.checks import whole_array
from hearts_env.envs.mixture import Mixture, shares_of
from hearts_env.envs.universal import UniversalForm
from hearts_env.errors import IllegalActionError
from hearts_env.kernel.batch import random_actions
from hearts_env.ruleset.syntax import brief, weighted
from hearts_env.seat.illegal import first_mistake
from hearts_env.seat.view import View, Views
from hearts_env.table.seeds import agent_seed

OPPONENT_MAKERS = "hearts_env.opponents"


class Opponent(Protocol):
    """A player for another seat, such as any agent of `hearts_agents`."""

    def act(self, view: View) -> int | str:
        """One legal action, by id or name."""


class Uniform:
    """Plays uniformly at random, without a package of agents."""

    name = "random"

    def __init__(self) -> None:
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Restart from a seed."""
        self._rng = np.random.default_rng(seed)

    def act_batch(self, views: Views) -> NDArray[np.int64]:
        """One legal action per view."""
        actions = np.zeros(len(views), np.int64)
        random_actions(views.records, views.game.tables, self._rng.integers(2**63, dtype=np.uint64), actions)
        return actions


class Player:
    """Whatever plays another seat, behind the methods of an agent.

    Attributes:
        source: an object with ``act(view)`` or ``act_batch(views)`` (an agent has both), a function of one argument,
            the `Views` of n decisions, or a function of two, observations (n, columns) and action masks (n, actions).
            Functions return n actions.
        takes_rows: whether it is a function of two.
    """

    def __init__(self, source: Any) -> None:
        """Raises ValueError for what cannot play, and for a spec string where no package of agents is installed."""
        player: Any = _made(source) if isinstance(source, str) else source
        self.source: Any = player if player is not None else Uniform()
        self.batch: Callable[..., Any] | None = getattr(self.source, "act_batch", None)
        self.takes_rows = False
        if self.batch is None and not callable(getattr(player, "act", None)):
            self.batch, self.takes_rows = player, _parameters(player) == 2

    def act(self, view: View, form: UniversalForm | None = None) -> Any:
        """One action, by id or name; see `act_batch`."""
        if act := getattr(self.source, "act", None):
            return act(view)
        return int(self.act_batch(Views.of(view), form)[0])

    def act_batch(self, views: Views, form: UniversalForm | None = None) -> NDArray[np.int64]:
        """The id of an action per view. A function of observations and masks reads and answers in `form`.

        Raises ValueError for an answer that is not a whole number for each view.
        """
        if self.batch is None:
            return np.array([views.game.action(self.source.act(view)) for view in views], np.int64)
        form = form if self.takes_rows else None
        given: tuple[Any, ...] = views.observations() if self.takes_rows else (views,)
        if form is not None:
            given = form.rows(views.records, views.records["seat"], *given), form.masks(given[1])
        chosen = whole_array(f"the actions of opponent {self}", self.batch(*given), (len(views),))
        return chosen if form is None else form.own(chosen)

    def act_in(self, views: Views, places: NDArray[np.int64], form: UniversalForm | None = None) -> NDArray[np.int64]:
        """As `act_batch`, checked; `places` are the games of the views, for the message.

        Raises IllegalActionError, naming the game, the player and the rule, for an illegal action.
        """
        chosen = self.act_batch(views, form)
        if mistake := first_mistake(views.game, views.records, np.arange(len(views)), chosen):
            raise IllegalActionError(f"game {places[mistake[0]]}, opponent {self}: {mistake[1]}")
        return chosen

    def reset(self, seed: int) -> None:
        """Restart random choices, where the player makes any that a seed fixes."""
        if hasattr(self.source, "reset"):
            self.source.reset(seed)

    def __str__(self) -> str:
        return str(getattr(self.source, "name", None) or brief(self.source))


def _made(spec: str) -> Any:
    makers = list(entry_points(group=OPPONENT_MAKERS))
    if not makers:
        raise ValueError(
            f"opponent {spec!r} needs a package of agents, and none is installed; pass an object with act(view)"
        )
    return makers[0].load()(spec)


def _parameters(source: Any) -> int:
    """The number of arguments that a function needs, 1 or 2."""
    try:
        needed = [one for one in inspect.signature(source).parameters.values() if one.default is one.empty]
    except (TypeError, ValueError):
        needed = []
    if len(needed) not in (1, 2):
        raise ValueError(
            f"{source!r} cannot play: an opponent has a method act(view) or act_batch(views), or is a function of "
            "views or of (observations, masks)"
        )
    return len(needed)


def choices_of(opponents: Any) -> list[tuple[Any, float]]:
    """The opponents of which every episode draws one, with their weights: each a player for all seats, or a list.

    >>> choices_of("0.5*rule(shoot=0.3); random"), choices_of(["rule", "random"])
    ([('rule(shoot=0.3)', 0.5), ('random', 1.0)], [(['rule', 'random'], 1.0)])

    Raises:
        ValueError: a spec string that `hearts_env.ruleset.syntax.weighted` refuses.
    """
    if isinstance(opponents, str):
        return [*weighted(opponents)]
    if not isinstance(opponents, Mixture):
        return [(opponents, 1.0)]
    return [*zip(opponents.opponents, opponents.weights, strict=True)]


def specs_in(opponents: Any) -> list[str]:
    """The spec string of every player that ``opponents=`` names, as it is read; for whoever checks them first.

    >>> specs_in("0.9*rule(shoot=0.3); exec:./bot"), specs_in(["rule", "rule; random"]), specs_in(None)
    (['rule(shoot=0.3)', 'exec:./bot'], ['rule', 'rule', 'random'], [])

    Raises:
        ValueError: a player that is no spec string, or what `choices_of` refuses.
    """
    found = []
    for choice, _ in choices_of(opponents):
        players = choice if isinstance(choice, Sequence) and not isinstance(choice, str) else [choice]
        for player in players:
            if not isinstance(player, str | None):
                raise ValueError(f"opponent {brief(player)} is no spec string, such as rule")
            found += [] if player is None else [spec for spec, _ in weighted(player)]
    return found


class LineUps:
    """The line-ups of players in the seats beside the learner.

    Attributes:
        players: the different players.
        table: (line-ups, seats) index of the player in each seat, in the order of the seats after the learner's.
        shares: (line-ups,) the probability of each.
    """

    def __init__(self, opponents: Any, seats: int) -> None:
        """Read an argument ``opponents=``.

        Args:
            opponents: one player for all seats or a list with one for each: spec strings, agents, functions (see
                `Player`), or None for uniformly random play. A `Mixture` holds several of these, and a spec string
                several players, such as ``0.7*rule; 0.3*random``.
            seats: the number of seats beside the learner.

        Raises:
            ValueError: a player that cannot play, or a wrong number of players.
        """
        choices = choices_of(opponents)
        lineups = [_lineup(one, seats) for one, _ in choices]
        self.shares = shares_of([weight for _, weight in choices])
        sources = {key_of(source): source for lineup in lineups for source in lineup}
        places = {key: place for place, key in enumerate(sources)}
        self.players = [Player(source) for source in sources.values()]
        self.table = np.array([[places[key_of(source)] for source in lineup] for lineup in lineups], np.int64)

    def draw(self, rng: np.random.Generator, count: int) -> NDArray[np.int64]:
        """Line-ups for `count` episodes, (count, seats); where there is only one, nothing is drawn."""
        several = len(self.table) > 1
        return self.table[rng.choice(len(self.table), count, p=self.shares) if several else np.zeros(count, np.int64)]

    def reset(self, seed: int) -> None:
        """Restart every player's random choices."""
        for place, player in enumerate(self.players):
            player.reset(agent_seed(seed, place))


def _lineup(opponents: Any, seats: int) -> list[Any]:
    given = (
        list(opponents) if isinstance(opponents, Sequence) and not isinstance(opponents, str) else [opponents] * seats
    )
    if len(given) != seats:
        raise ValueError(
            f"there are {len(given)} opponents; {seats} seats are to be filled (one player alone fills all)"
        )
    return given


def key_of(source: Any) -> Any:
    """Equal spec strings name one player; objects are told apart by identity."""
    return source if isinstance(source, str) else id(source)
