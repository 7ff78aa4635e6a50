"""Questions about a view, and their answers: actions, costs of all actions, and who may hold which cards."""

from __future__ import annotations

from collections import OrderedDict
from concurrent.futures import Future
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_agents.base import Agent
from hearts_agents.registry import make_agent, parse_spec
from hearts_agents.values import estimates, has_values
from hearts_env.compiled.game import Game, compile_game
from hearts_env.envs.outcome import Outcome
from hearts_env.ruleset.syntax import weighted
from hearts_env.seat.marginals import marginals_of
from hearts_env.seat.view import View
from hearts_env.seat.worlds import sample_worlds
from hearts_env.variants.registry import rules as read_rules
from hearts_training.evaluate.analysis import costs_of

MOST_AGENTS = 12
"""Agents that a process keeps: more than sit at the largest table."""
WEIGHED, WORLDS = 512, 64
"""Worlds whose hands a network weighs, and worlds that are played out."""
MOST_SPELLINGS = 1_000
"""Spellings of specs that a process remembers."""


@dataclass(frozen=True)
class Question:
    """Something to ask about a view, in a form that travels to another process.

    Attributes:
        kind: ``act``, ``explain``, ``believe``, ``weigh`` or ``outlook``.
        spec: the agent; empty for ``believe``.
        seed: of the agent's random choices.
        rules: the rules as text.
        record: the view's record, an array of one.
        seat: the view's seat.
    """

    kind: str
    spec: str
    seed: int
    rules: str
    record: NDArray[Any]
    seat: int

    @staticmethod
    def about(view: View, kind: str, spec: str = "", seed: int = 0) -> Question:
        """A question about a view."""
        return Question(kind, spec, seed, str(view.game.rules), np.array([view.record]), view.seat)

    @property
    def view(self) -> View:
        """The view it is about."""
        return View(_game(self.rules), self.record[0], self.seat, check=False)


@lru_cache(maxsize=64)
def _game(rules: str) -> Game:
    return compile_game(read_rules(rules))


def answer(question: Question) -> Any:
    """The answer to a question: an action, or data for JSON. Raises ValueError where the agent cannot give it."""
    if question.kind == "act":
        return act(question.spec, question.view, question.seed)
    return {"explain": _explain, "believe": _believe, "weigh": _weigh, "outlook": _outlook}[question.kind](question)


class Agents:
    """The agents that were used last. An agent with a network takes megabytes, so few are kept.

    Nothing is made, read or imported while the lock is held: `made` may be called where nobody may wait.

    >>> agents = Agents(most=1)
    >>> agents.get("rule( pass_spades=2 )") is agents.get("rule(pass_spades=2)")
    True
    >>> agents.get("random").name, agents.made("rule(pass_spades=2)")
    ('random', None)
    """

    def __init__(self, most: int) -> None:
        self._most, self._lock = most, Lock()
        self._agents: OrderedDict[Any, Future[Agent]] = OrderedDict()
        self._keys: OrderedDict[str, Any] = OrderedDict()  # by spelling

    def made(self, spec: str) -> Agent | None:
        """The agent of a spec that `get` has had in the same spelling, if it is kept; None otherwise, at once."""
        with self._lock:
            found = self._agents.get(self._keys.get(spec))
            if found is None or not found.done() or found.exception() is not None:
                return None
            self._agents.move_to_end(self._keys[spec])
        return found.result()

    def get(self, spec: str) -> Agent:
        """The agent of a spec; one object serves every table and every spelling. Raises ValueError for a bad spec.

        Who asks while it is made waits for it; who asks for another one does not.
        """
        key = _key(spec)
        agent, is_new = self._place(spec, key)
        if is_new:
            try:
                agent.set_result(make_agent(spec))
            except BaseException as error:
                self._forget(key, agent)
                agent.set_exception(error)
        return agent.result()

    def _place(self, spec: str, key: Any) -> tuple[Future[Agent], bool]:
        """Where an agent is, or will be, and whether it is still to be made."""
        with self._lock:
            is_new = key not in self._agents
            agent = self._agents.setdefault(key, Future())
            self._agents.move_to_end(key)
            self._keys[spec] = key
            while len(self._agents) > self._most:
                self._agents.popitem(last=False)
            while len(self._keys) > MOST_SPELLINGS:
                self._keys.popitem(last=False)
        return agent, is_new

    def _forget(self, key: Any, agent: Future[Agent]) -> None:
        """Let the next who asks try again."""
        with self._lock:
            if self._agents.get(key) is agent:
                del self._agents[key]


def _key(spec: str) -> Any:
    parts = [(parse_spec(part), weight) for part, weight in weighted(spec)]
    return tuple((name, tuple(sorted(arguments.items())), weight) for (name, arguments), weight in parts)


AGENTS = Agents(MOST_AGENTS)
"""The agents of this process."""


def agent_of(spec: str) -> Agent:
    """The agent of a spec. Raises ValueError for a bad one."""
    return AGENTS.get(spec)


def act(spec: str, view: View, seed: int) -> str:
    """The action of an agent whose random choices begin with a seed."""
    return act_of(agent_of(spec), view, seed)


def act_of(agent: Agent, view: View, seed: int) -> str:
    """The action of an agent that is made, as `act`."""
    agent.reset(seed)
    return view.game.actions[view.game.action(agent.act(view))]


def _explain(question: Question) -> list[dict[str, Any]]:
    """Every legal action with its cost and standard error, or with its probability; the best first."""
    agent: Any = agent_of(question.spec)
    view = question.view
    agent.reset(question.seed)
    if hasattr(agent, "explain") or has_values(agent):
        costs, errors = costs_of(estimates(agent, view))
        return [{"action": name, "cost": cost, "error": errors[name]} for name, cost in costs.items()]
    return [{"action": name, "probability": share} for name, share in agent.probabilities(view).items()]


def _outlook(question: Question) -> dict[str, Any]:
    agent = agent_of(question.spec)
    agent.reset(question.seed)
    return outlook(question.view, agent, question.seed)


def outlook(view: View, agent: Agent, seed: int) -> dict[str, Any]:
    """Points of the deal and moons, by seat, over `WORLDS` worlds of a view that an agent plays out.

    >>> import hearts_env as he
    >>> from hearts_agents import make_agent
    >>> match = he.Match("black_lady(cycle=[hold])", seed=7)
    >>> found = outlook(match.view(0), make_agent("rule"), 1)
    >>> sum(found["points"]) >= 26, found["error"] > 0, all(0 <= share <= 1 for share in found["moons"])
    (True, True, True)

    Returns:
        Per seat: mean ``points`` (of complex points the magnitude) and the share of the worlds in which it shoots the
        moon, ``moons``; and ``error``, the largest standard error of the points.
    """
    from hearts_agents.search.lockstep import play_out_all

    worlds = sample_worlds(view, WORLDS, seed).records
    worlds["deal_limit"] = view.deal_number + 1
    play_out_all(view.game, worlds, agent)
    ends = Outcome((view.game,), worlds)
    points = np.abs(ends["points"]) if view.game.gaussian else ends["points"]
    moons = (ends["shooter"][:, None] == np.arange(view.game.seats)).mean(axis=0)
    error = points.std(axis=0).max() / np.sqrt(WORLDS)
    return {"points": points.mean(axis=0).tolist(), "moons": moons.tolist(), "error": float(error)}


def _believe(question: Question) -> dict[str, list[float]]:
    """Card -> the expected number of copies that each seat holds, for every card that another seat holds or may hold.

    Cards set aside for a pass count as held by who passes them; what a row lacks to 1 is the share of the kitty.
    """
    view = question.view
    shares = marginals_of(view)
    return {
        name: [round(float(share), 3) for share in shares[:, kind]]
        for kind, name in enumerate(view.game.deck.kinds)
        if any(share for seat, share in enumerate(shares[:, kind]) if seat != view.seat)
    }


def _weigh(question: Question) -> dict[str, Any]:
    """As `_believe`, with worlds weighed by how a network would have played; and how many of equal weight tell as much.

    The hands of the worlds do not hold cards that are set aside for a pass.
    """
    view, agent = question.view, agent_of(question.spec)
    worlds = sample_worlds(view, WEIGHED, question.seed, policy=getattr(agent, "shares", agent.act_batch))
    cards: dict[str, list[float]] = {}
    for place, weight in enumerate(worlds.weights.tolist()):
        for seat, hand in enumerate(worlds.hands(place)):
            for card in hand if seat != view.seat else ():
                cards.setdefault(card, [0.0] * view.game.seats)[seat] += weight
    known = {name: [round(share, 3) for share in cards[name]] for name in view.game.deck.kinds if name in cards}
    return {"cards": known, "worlds": float(1 / np.square(worlds.weights).sum())}
