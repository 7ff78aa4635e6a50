"""Advantages of ragged trajectories, against their closed forms."""

import numpy as np
import pytest

from hearts_env.envs.trajectories import seat_advantages, seat_rewards


@pytest.mark.parametrize("seed", range(4))
def test_advantages_are_their_closed_forms_in_random_ragged_sequences(seed: int) -> None:
    """Each trajectory on its own, as a sum over its later decisions: of returns for lambda 1, of one decision for 0."""
    rng = np.random.default_rng(seed)
    steps, games, count, discount = 40, 5, 3, 0.9
    ended, seats = rng.random((steps, games)) < 0.1, rng.integers(-1, count, (steps, games))
    rewards, values = rng.normal(size=(steps, games, count)), rng.normal(size=(steps, games))
    last = rng.normal(size=(games, count))
    found = {
        decay: seat_advantages(rewards, seats, values, ended, decay=decay, discount=discount, last_values=last)
        for decay in (0, 0.7, 1)
    }
    earned = seat_rewards(rewards, seats, ended)
    for game, seat in np.ndindex(games, count):
        episodes = np.concatenate([[0], ended[:-1, game].cumsum()])
        for episode in range(episodes[-1] + 1):
            own = np.flatnonzero((seats[:, game] == seat) & (episodes == episode))
            stop = np.flatnonzero(episodes == episode)[-1] + 1
            paid = [rewards[a:b, game, seat].sum() for a, b in zip(own, [*own[1:], stop], strict=False)]
            end = 0 if ended[stop - 1, game] else last[game, seat]
            value = np.array([*values[own, game], end])
            deltas = paid + discount * value[1:] - value[:-1] if own.size else np.zeros(0)
            n = len(own)
            for i, step in enumerate(own):
                future = discount ** np.arange(n - i)
                returns = (future * paid[i:]).sum() + discount ** (n - i) * end
                assert np.isclose(found[1][step, game], returns - value[i])
                assert np.isclose(found[0][step, game], deltas[i])
                assert np.isclose(found[0.7][step, game], (future * 0.7 ** np.arange(n - i) * deltas[i:]).sum())
                assert np.isclose(earned[step, game], paid[i])
    assert not found[1][seats < 0].any()


def test_shapes_and_seats_that_do_not_fit_are_refused() -> None:
    seats = np.zeros((3, 2), int)
    ended = np.zeros((3, 2), bool)
    with pytest.raises(ValueError, match=r"shapes \(3, 2\), \(3, 2\), .* only rewards have a third axis$"):
        seat_rewards(np.zeros((3, 2)), seats, ended)
    with pytest.raises(ValueError, match=r"^seats from 4 to 4 must be from -1 to 3$"):
        seat_rewards(np.zeros((3, 2, 4)), seats + 4, ended)
    with pytest.raises(ValueError, match=r"^last_values=\(4,\) must have shape \(2, 4\), \(games, seats\)$"):
        seat_advantages(np.zeros((3, 2, 4)), seats, ended, ended, last_values=np.zeros(4))
