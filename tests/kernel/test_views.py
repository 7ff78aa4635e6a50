"""What `hide` leaves of a record: the public fields whole, of the others what is the seat's own, and nothing else."""

import numpy as np
import pytest

import hearts_env as he
from hearts_env.compiled.game import compile_game
from hearts_env.kernel.observe import hide
from hearts_env.kernel.records import STATE, STATE_FIELDS, Visibility

PUBLIC, OWN_PART, NEVER = ({field.name for field in STATE_FIELDS if field.visibility is one} for one in Visibility)


def test_the_seed_is_secret_and_hidden_cards_are_their_owners() -> None:
    """`hide` erases by hand what is a seat's own: a further field needs its lines there."""
    assert {"seed"} == NEVER
    assert {"hands", "picks", "received", "offered", "kitty"} == OWN_PART


def test_a_record_has_no_bytes_between_its_fields() -> None:
    """So records with equal fields are equal bytes."""
    assert STATE.itemsize == sum(STATE[name].itemsize for name in STATE.names or ())


@pytest.mark.parametrize("variant", ["black_lady", "cancellation_hearts(players=7)", "heartsette(players=3)"])
def test_whatever_a_record_holds_only_that_survives(variant: str) -> None:
    game = compile_game(he.rules(variant))
    noise = np.frombuffer(np.random.default_rng(1).bytes(STATE.itemsize), STATE).copy()
    noise["kitty_seat"] = [1, 0, 2, -1] * 4
    for seat in range(game.seats):
        view = noise.copy()
        hide(view[0], game.tables, seat)
        for name in PUBLIC:
            assert np.array_equal(view[name], noise[name]), name
        for name in NEVER:
            assert not view[name].any(), name
        for name in OWN_PART - {"kitty"}:
            expected = np.zeros_like(noise[name][0])
            expected[seat] = noise[name][0][seat]
            expected[game.seats :] = noise[name][0][game.seats :]  # no such seat
            assert np.array_equal(view[name][0], expected), name
        size = int(game.tables["kitty_size"])
        own = np.where(noise["kitty_seat"][0][:size] == seat, noise["kitty"][0][:size], 0)
        assert np.array_equal(view["kitty"][0][:size], own)
