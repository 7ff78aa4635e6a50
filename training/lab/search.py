"""The speed of the search agents in `black_lady`: ``python training/lab/search.py``."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import hearts_env as he
from hearts_agents import make_agent
from hearts_agents.arena.tables import deal_tables
from hearts_agents.rule import Weights
from hearts_agents.rule.workspace import new_workspace
from hearts_env.compiled.game import compile_game
from hearts_env.kernel.deduce.sampling import sample_all
from hearts_env.kernel.records import STATE
from hearts_env.play.view import Views
from hearts_env.play.worlds import scratch_records
from hearts_training.bench import Budget
from hearts_training.bench.measure import median_rate

DEALS = 256


def rollouts(policy: str) -> Callable[[int], int]:
    """Whole deals (pass, play, score) by the policy ``random`` or ``rule``."""
    from hearts_agents.search.rollout import roll_out_all

    game = compile_game(he.rules("black_lady"))
    starts = deal_tables(game, np.arange(DEALS, dtype=np.uint64), 0)
    rule, trials, costs = new_workspace(game, Weights())[0], np.zeros(1, STATE), np.zeros((DEALS, game.seats))

    def work(deals: int) -> int:
        rounds = max(deals // DEALS, 1)
        for number in range(rounds):
            roll_out_all(starts, game.tables, rule, float(policy == "random"), np.uint64(number), trials, costs)
        return rounds * DEALS

    return work


def worlds() -> Callable[[int], int]:
    """Worlds sampled for a view in the middle of a deal, when voids are known."""
    view = Views(compile_game(he.rules("black_lady")), _decisions(1)).records[30:31]
    game, (hidden, scratch), drawn = compile_game(he.rules("black_lady")), scratch_records(), np.zeros(256, STATE)

    def work(count: int) -> int:
        rounds = max(count // len(drawn), 1)
        for number in range(rounds):
            sample_all(view[0], game.tables, int(view[0]["seat"]), np.uint64(number), hidden[0], scratch[0], drawn)
        return rounds * len(drawn)

    return work


def median_milliseconds(spec: str, deals: int = 6) -> float:
    """Median time of one decision by an agent, over all decisions of some deals played by the rule agent."""
    game, agent = compile_game(he.rules("black_lady")), make_agent(spec)
    records = _decisions(deals)
    agent.act_batch(Views(game, records[:1]))
    times = []
    for place in range(len(records)):
        start = time.perf_counter()
        agent.act_batch(Views(game, records[place : place + 1]))
        times.append(time.perf_counter() - start)
    return 1000 * statistics.median(times)


def _decisions(deals: int) -> Any:
    """The views of all decisions of some deals, in order."""
    rule, views = make_agent("rule"), []
    for seed in range(deals):
        match = he.Match("black_lady", seed=seed)
        while match.deal_number == 0 and not match.over:
            view = match.view(match.seat or 0)
            views.append(view.record)
            match.play(rule.act(view))
    return np.array(views)


if __name__ == "__main__":
    for policy in ("random", "rule"):
        print(f"rollouts by {policy}: {median_rate(rollouts(policy), Budget()):,.0f} deals/s")
    print(f"sampled worlds: {median_rate(worlds(), Budget()):,.0f} worlds/s")
    print(f"a decision of pimc(worlds=64): {median_milliseconds('pimc(worlds=64)'):.2f} ms, the median")
