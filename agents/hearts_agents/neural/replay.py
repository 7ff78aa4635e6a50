"""Decisions of recorded deals, replayed and turned into inputs."""

from __future__ import annotations

from hearts_env.kernel.bits import INT64
from hearts_env.kernel.counts import encode_counts
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import is_legal
from hearts_env.kernel.observe import encode, encode_hidden, encode_mask
from hearts_env.kernel.records import Array, Tables
from hearts_env.kernel.steps import step


@jit
def observe_decisions(
    states: Array,
    t: Tables,
    actions: Array,
    places: Array,
    steps: Array,
    inputs: Array,
    masks: Array,
    hidden: Array,
) -> int:
    """Replay deals and observe some of their decisions.

    Args:
        states: (deals,) `STATE` records at the start of a deal; afterwards at its last decision that was asked for.
        t: the compiled rules.
        actions: (deals, most) the actions of each deal.
        places: (n,) the deal of each decision, ascending.
        steps: (n,) its number of actions before the decision, ascending within a deal.
        inputs: (n, columns) rows to fill with what the seat to act sees: the observation, then the counts.
        masks: (n, actions) rows to fill with its legal actions.
        hidden: (n, (seats - 1) * kinds) rows to fill with the hands it does not see.

    Returns:
        The first decision before which an action is not legal, or -1.
    """
    done, last, columns = 0, -1, INT64(t.obs_size)
    for i in range(places.shape[0]):
        place = places[i]
        if place != last:
            done, last = 0, place
        s = states[place]
        while done < steps[i]:
            if not is_legal(s, t, actions[place, done]):
                return i
            step(s, t, actions[place, done])
            done += 1
        seat = s.seat
        if seat < 0:
            return i
        encode(s, t, seat, inputs[i, :columns])
        encode_counts(s, t, seat, inputs[i, columns:])
        encode_mask(s, t, seat, masks[i])
        encode_hidden(s, t, seat, hidden[i])
    return -1
