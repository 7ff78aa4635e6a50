"""Rewards, and the compiled steps of the environments: the one place where points become rewards.

A seat's *running total* is the total it would have if play stopped now; its *utility* is that total as one number,
higher is better. Rewards are changes of the utility: their sum over an episode does not depend on when they are paid.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hearts_env.kernel.bits import mix, prefetch
from hearts_env.kernel.blocks import Row, row_of
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import is_legal
from hearts_env.kernel.observe import encode, encode_mask
from hearts_env.kernel.ranking import MAGNITUDE, count_places
from hearts_env.kernel.records import Array, Phase, State, Tables
from hearts_env.kernel.rows import write_mask, write_row
from hearts_env.kernel.steps import start_match, step

EPISODE = np.dtype(
    [
        ("first_deal", "i4"),  # number of the first deal, or DRAWN
        ("deals", "i4"),  # deals of an episode; 0: as the rules end the match
        ("reward", "i1"),  # its code
        ("by_trick", "i1"),  # paid after every trick, not after every deal
        ("by_team", "i1"),  # paid to the team, not to the seat
    ]
)
"""The options of episodes as numbers; see `EpisodeOptions`."""

Episode = Any
"""An `EPISODE` record."""

PLAY, EXACT, OVER = Phase.PLAY.value, Phase.EXACT.value, Phase.OVER.value
AHEAD = 2
"""Number of games before its turn at which a record is fetched from memory."""
POINTS, RELATIVE, RANK, WIN, VECTOR = range(5)


@jit
def running_total(s: State, t: Tables, seat: int, by_trick: bool, part: int) -> int:
    """A seat's total, plus its points in the running deal if `by_trick`; part 0 is the real, 1 the imaginary part."""
    running = by_trick and s.phase < EXACT and not t.score_chips
    return s.totals[seat, part] + (s.points[seat, part] if running else 0)


@jit
def utility(s: State, t: Tables, seat: int, by_trick: bool) -> float:
    """A seat's running total as one number, higher is better."""
    re = running_total(s, t, seat, by_trick, 0)
    if t.score_better == MAGNITUDE:
        im = running_total(s, t, seat, by_trick, 1)
        return -np.sqrt(np.float64(re * re + im * im))
    return np.float64(-t.cost_sign * re)


@jit
def others_of(t: Tables, episode: Episode) -> int:
    """The number of opponents whose mean is taken off; 1 where none is."""
    return max(t.seats - t.team_size, 1) if episode.reward == RELATIVE else 1


@jit
def add_utilities(s: State, t: Tables, episode: Episode, sign: int, rewards: Row) -> None:
    """Add `sign` times the quantity whose change is the reward, per seat, to `rewards`, a row of (seats, parts).

    It is counted in parts of a point, `others_of` to the point: whole numbers, so that large totals are not rounded.
    """
    n, others = t.seats, others_of(t, episode)
    for seat in range(n):
        own = 0.0
        for other in range(n):
            mate = t.team[other] == t.team[seat]
            counts = other == seat or (mate and episode.by_team)
            if episode.reward == VECTOR:
                for part in range(2 if counts else 0):
                    rewards[2 * seat + part] += np.float32(sign * running_total(s, t, other, episode.by_trick, part))
            elif counts:
                own += others * utility(s, t, other, episode.by_trick)
            elif episode.reward == RELATIVE and not mate:
                own -= utility(s, t, other, episode.by_trick) * (t.team_size if episode.by_team else 1)
        if episode.reward != VECTOR:
            rewards[seat] += np.float32(sign * own)


@jit
def final_rewards(s: State, t: Tables, kind: int, rewards: Row) -> None:
    """Write the rewards at the end of a match.

    RANK: 1 for the best place to -1 for the last, shared places averaged. WIN: 1, shared by the winners.
    """
    n = t.seats
    for seat in range(n):
        better, equal = count_places(s, t, seat)
        if kind == RANK:
            rewards[seat] = np.float32(1 - (2 * better + equal - 1) / (n - 1))
        else:
            rewards[seat] = np.float32(1 / equal if better == 0 else 0)


@jit
def no_rewards(t: Tables, episode: Episode, rewards: Row) -> None:
    """Write 0 for every seat."""
    for place in range(2 * t.seats if episode.reward == VECTOR else t.seats):
        rewards[place] = np.float32(0)


@jit
def rewarded_step(s: State, t: Tables, action: int, episode: Episode, rewards: Row) -> None:
    """Take a legal action and write every seat's reward for it, a row of (seats, parts)."""
    no_rewards(t, episode, rewards)
    if episode.reward == RANK or episode.reward == WIN:
        step(s, t, action)
        if s.phase == OVER:
            final_rewards(s, t, episode.reward, rewards)
        return
    # nothing is scored before the last card of a trick
    if s.phase <= PLAY and s.trick_len != t.seats - 1 and s.trick_len != 2 * t.seats - 1:
        step(s, t, action)
        return
    add_utilities(s, t, episode, -1, rewards)
    step(s, t, action)
    add_utilities(s, t, episode, 1, rewards)
    if episode.reward == RELATIVE:
        for seat in range(t.seats):
            rewards[seat] /= np.float32(others_of(t, episode))


@jit
def checked_step(
    states: Array, table: Array, action: int, episodes: Array, rewards: Array, observation: Array, mask: Array
) -> bool:
    """One step of the only record of `states`. Returns False, with nothing changed, if the action is illegal."""
    s, t = states[0], table[0]
    if not is_legal(s, t, action):
        return False
    rewarded_step(s, t, action, episodes[0], row_of(rewards, 0))
    encode(s, t, max(s.seat, 0), observation)
    encode_mask(s, t, s.seat, mask)
    return True


@jit
def seat_observation(states: Array, table: Array, seat: int, observation: Array) -> None:
    """Write the observation of any seat, from the only record of `states`."""
    encode(states[0], table[0], seat, observation)


@jit
def vector_step(
    states: Array,
    t: Tables,
    rows: Array,
    actions: Array,
    episodes: Array,
    restart: bool,
    rewards: Array,
    terminated: Array,
    finals: Array,
    observations: Array,
    masks: Array,
) -> None:
    """One step of the games `rows`: rewards, ends, restarts, and the observation of the next seat.

    `actions` has one action for each of `rows`, `episodes` one `EPISODE` record. Where an episode ends, another one
    follows if `restart`. Written are `rewards` (n, seats, parts), `terminated` (n,) and, where an episode ends, its
    last record to `finals` (n,).
    """
    for place in range(rows.shape[0]):
        i = rows[place]
        s = states[i]
        prefetch(states[rows[min(place + AHEAD, rows.shape[0] - 1)]])
        terminated[i] = False
        if s.phase == OVER:
            no_rewards(t, episodes[0], row_of(rewards, i))
            continue
        rewarded_step(s, t, actions[place], episodes[0], row_of(rewards, i))
        if s.phase == OVER:
            terminated[i] = True
            finals[i] = s
            if restart:
                start_match(s, t, mix(s.seed), episodes[0].first_deal, episodes[0].deals)
        write_row(s, t, max(s.seat, 0), row_of(observations, i))
        write_mask(s, t, s.seat, row_of(masks, i))
