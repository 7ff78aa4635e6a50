"""Deals for tests of external engines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import hearts_env as he
from hearts_agents.base import Agent
from hearts_env.compiled.game import Game
from hearts_env.kernel.batch import step_all
from hearts_env.kernel.records import Phase
from hearts_env.play.view import View, view_of
from tests.support.games import SHOWN

TOLD = [
    "black_lady",
    "black_lady(cycle=[left|right*2|hold, scatter])",
    "black_lady(cycle=[pool, left], pledge=10, max_deals=4)",
    "black_lady(players=5, chips=12, target=none, moon.mode=none)",
    "black_lady(exact={26:-26,13:5}, exact_optional=true, cycle=[left*2&across*3])",
    "danger_hearts(lives=1, lives_out=eliminate, max_deals=30)",
    f"gong_zhu({SHOWN}, exposing.lock=false, teams=[0+2,1+3], pledge=50)",
    f"gong_zhu(players=5, {SHOWN}, passing.cycle=[pool*2])",
    "turbo_hearts(cycle=[pool*4], players=4, table.direction=-1)",
    "heartsette(kitty_award=first_penalty)",
    "heartsette(players=6, kitty_award=one_per_trick)",
    "heartsette(players=5, kitty_award=out_of_play, direction=-1)",
    "heartsette(players=4, hand_size=22, packs=2, removed=[2C], duplicates=cancel, kitty_award=one_per_trick)",
    "cancellation_hearts(players=6, teams=[0+3,1+4,2+5], direction=-1, moon.scope=team, moon.mode=old)",
    "joker_hearts(players=3, jokers.lead=call, jokers.scores=heart_trick, card_values={H:1,QS:13,JK:3})",
    "booster_nines(packs=2, duplicates=first, opening.leader=left_of_dealer, opening.card=any)",
    "complex_hearts(moon.sign=hurts, moon.multiplied=false)",
    "incredu_hearts(trick.duplicates=last, teams=[0+2,1+3], team_scoring=individual)",
]
"""Rules with every kind of message."""


class First(Agent):
    """Plays the first legal action."""

    def act(self, view: View) -> int:
        return view.legal_ids()[0]


def first_deal(rules: str, seed: int, totals: Sequence[Any] | None = None, number: int = 0) -> tuple[Game, Any]:
    """A table at the start of a deal that ends its episode, as in the arena."""
    match = he.Match(rules, seed)
    state = match.state
    if totals is not None or number:
        match = he.Match.from_hands(
            rules, match.hands, totals=totals, deal_number=number, passing=True, dealer=match.dealer, seed=seed
        )
        state = match.state
    state["deal_limit"] = number + 1
    return match.game, state


def play_deal(agents: Sequence[Agent], rules: str = "black_lady", seed: int = 0) -> list[int]:
    """Play one deal, an agent per seat, and return every action."""
    game, states = first_deal(rules, seed)
    actions = []
    while states["phase"][0] != Phase.OVER:
        seat = int(states["seat"][0])
        actions.append(game.action(agents[seat].act(view_of(game, states, seat))))
        step_all(states, game.tables, np.array(actions[-1:], np.int64))
    for seat, agent in enumerate(agents):
        if agent.stateful:
            agent.on_deal_end(view_of(game, states, seat))
    return actions
