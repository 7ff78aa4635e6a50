"""Steps that keep the ends of deals, which the next deal of a match would erase."""

from __future__ import annotations

from hearts_env.kernel.bits import INT64
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import Array, Phase
from hearts_env.kernel.steps import next_deal, step

OVER = Phase.OVER.value
RUNNING, DEAL_OVER, EPISODE_OVER = 0, 1, 2


@jit
def play_to_deal_ends(
    states: Array, tables: Array, games: Array, rows: Array, actions: Array, ends: Array, over: Array
) -> None:
    """Take legal actions, one for each of `rows`; where a deal ends, copy its record to `ends` (n,) and write DEAL_OVER
    or EPISODE_OVER to `over` (n,) before the next one is dealt.
    """
    for i in range(rows.shape[0]):
        row = rows[i]
        s, t = states[row], tables[games[row]]
        if s.phase == OVER:
            continue
        limit = INT64(s.deal_limit)
        s.deal_limit = s.deal_number + 1
        step(s, t, actions[i])
        s.deal_limit = limit
        if s.phase == OVER:
            ends[row] = s
            over[row] = EPISODE_OVER
            if not s.finished and s.deal_number + 1 != limit:
                over[row] = DEAL_OVER
                next_deal(s, t)
