"""Other deals that agree with what a seat knows, as histories of OpenSpiel."""

from __future__ import annotations

from typing import Any

from hearts_env.envs.openspiel.position import Position
from hearts_env.kernel.records import Phase
from hearts_env.seat.worlds import sample_worlds


def actions_of(position: Position, seat: int, seed: int) -> list[int]:
    """The history of a random deal that a seat cannot tell from its own: chance outcomes, then actions."""
    game, world = position.dealing.game, sample_worlds(position.view(seat), 1, seed).records[0]
    dealt = [_dealt(position, world, holder) for holder in range(game.seats)]
    kitty = [game.deck.kinds[kind] for kind in world["kitty"][: game.tables["kitty_size"]]]
    drawn = position.dealing.drawn_for(int(world["dealer"]), int(world["pass_entry"]), dealt, kitty)
    actions, picked = [], [0] * game.seats
    for phase, who, action in position.moves:
        if phase == Phase.PASS:
            actions.append(int(world["picks"][who][picked[who]]))
            picked[who] += 1
        else:
            actions.append(action)
    return drawn + actions


def _dealt(position: Position, world: Any, holder: int) -> list[str]:
    """The cards that chance dealt to a seat of a world."""
    game, size = position.dealing.game, position.dealing.game.hand_size
    held = game.names(world["hands"][holder])
    held += [game.actions[action] for phase, who, action in position.moves if phase == Phase.PLAY and who == holder]
    option = int(world["pass_option"])
    passed = int(game.tables["option_cards"][option]) if option >= 0 else 0
    if passed and world["phase"] > Phase.PASS:
        for kind in world["received"][holder][:passed]:
            held.remove(game.deck.kinds[kind])
    missing = size - len(held)
    return held + [game.deck.kinds[kind] for kind in world["picks"][holder][:missing]]
