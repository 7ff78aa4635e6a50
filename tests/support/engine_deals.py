"""Deals for tests of external engines."""

from collections.abc import Sequence
from typing import Any

import numpy as np

import hearts_env as he
from hearts_agents.base import Agent
from hearts_env.compiled.game import Game
from hearts_env.kernel.batch import step_all
from hearts_env.kernel.records import Phase
from hearts_env.seat.view import View, view_of


class First(Agent):
    """Plays the first legal action."""

    def act(self, view: View) -> int:
        return view.legal_ids()[0]


def first_deal(rules: str, seed: int) -> tuple[Game, Any]:
    """A table at the start of a deal that ends its episode, as in the arena."""
    match = he.Match(rules, seed)
    state = match.state
    state["deal_limit"] = 1
    return match.game, state


def play_deal(agents: Sequence[Agent], rules: str = "black_lady", seed: int = 0) -> list[int]:
    """Play one deal, an agent per seat, and return every action."""
    game, states = first_deal(rules, seed)
    actions = []
    while states["phase"][0] != Phase.OVER:
        seat = int(states["seat"][0])
        actions.append(game.action(agents[seat].act(view_of(game, states, seat))))
        step_all(states, game.table, np.array(actions[-1:], np.int64))
    for seat, agent in enumerate(agents):
        if agent.stateful:
            agent.on_deal_end(view_of(game, states, seat))
    return actions
