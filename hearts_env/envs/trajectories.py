"""Trajectories in a batch of games in which all seats act, one a step: their rewards and advantages.

The decisions of one seat in one episode are a trajectory. They are ragged: seats act at different steps, and episodes
of different lengths (a hold deal has no pass) follow one another in a place of the batch. Most of what a seat earns
reaches it while others act, and belongs to its last decision before. Arrays are those of `seat_advantages`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_env.ruleset.syntax import brief

Floats = NDArray[np.float64]


def seat_rewards(rewards: NDArray[Any], seats: NDArray[np.integer[Any]], terminated: NDArray[np.bool_]) -> Floats:
    """What the seat to act earns from its decision until its next one or the end, (steps, games).

    What a seat earns before its first decision of the batch is left out.

    >>> rewards = np.array([[[0, 0]], [[1, 2]], [[4, 8]]])  # three steps of one game of two seats
    >>> seat_rewards(rewards, np.array([[0], [1], [0]]), np.array([[False], [False], [True]])).tolist()
    [[1.0], [10.0], [4.0]]

    Raises:
        ValueError: shapes that do not fit together, or a seat that does not exist.
    """
    return seat_advantages(rewards, seats, np.zeros(np.shape(seats)), terminated)


def seat_advantages(
    rewards: NDArray[Any],
    seats: NDArray[np.integer[Any]],
    values: NDArray[Any],
    terminated: NDArray[np.bool_],
    *,
    decay: float = 0.0,
    discount: float = 1.0,
    last_values: NDArray[Any] | None = None,
) -> Floats:
    """Generalised advantages (Schulman et al. 2016) of all decisions, each over the trajectory of its seat.

    Args:
        rewards: (steps, games, seats) what each step paid.
        seats: (steps, games) the seat that acted in it; -1 where a game was over.
        values: (steps, games) the critic's value for that seat.
        terminated: (steps, games) whether the episode ended in it.
        decay: lambda; 0 looks one decision of the seat ahead, 1 waits for the end.
        discount: gamma, a decision of the seat; rewards until its next decision are not discounted.
        last_values: (games, seats) values of trajectories that go on after the last step, 0 by default.

    Returns:
        (steps, games), 0 where a game is over. Added to `values` they are the critic's targets.

    Raises:
        ValueError: shapes that do not fit together, or a seat that does not exist.

    >>> import hearts_env as he
    >>> env = he.vector_env("black_lady", 8, deals=1)
    >>> env.reset(seed=1)[0].shape
    (8, 684)
    >>> rows = []
    >>> for _ in range(60):
    ...     seats = env.seats.copy()
    ...     _, paid, ended, *_ = env.step(env.action_masks.argmax(axis=1))
    ...     rows.append((paid.copy(), seats, np.zeros(8), ended.copy()))
    >>> seat_advantages(*map(np.stack, zip(*rows)), decay=0.9).shape
    (60, 8)
    """
    rewards, seats, values = np.asarray(rewards, np.float64), np.asarray(seats), np.asarray(values, np.float64)
    ended = np.asarray(terminated, np.bool_)
    if not rewards.shape[:2] == seats.shape == values.shape == ended.shape or rewards.ndim != 3:
        shapes = ", ".join(str(array.shape) for array in (rewards, seats, values, ended))
        raise ValueError(f"rewards, seats, values, terminated have shapes {shapes}; only rewards have a third axis")
    if seats.size and not -1 <= seats.min() <= seats.max() < rewards.shape[2]:
        raise ValueError(f"seats from {seats.min()} to {seats.max()} must be from -1 to {rewards.shape[2] - 1}")
    advantages, due, ahead = np.zeros(seats.shape), np.zeros(rewards.shape[1:]), np.zeros(rewards.shape[1:])
    following = ahead.copy() if last_values is None else np.array(last_values, np.float64)
    if following.shape != due.shape:
        raise ValueError(f"last_values={brief(following.shape)} must have shape {due.shape}, (games, seats)")
    for step in reversed(range(len(seats))):
        for array in (due, ahead, following):
            array[ended[step]] = 0  # what follows is another episode
        due += rewards[step]
        games = np.flatnonzero(seats[step] >= 0)
        own = games, seats[step, games]
        ahead[own] = due[own] + discount * (following[own] + decay * ahead[own]) - values[step, games]
        advantages[step, games], following[own], due[own] = ahead[own], values[step, games], 0
    return advantages
