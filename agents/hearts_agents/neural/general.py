"""The layers of one game, made by the weights of a network for all rules; `rulesnet` says how, and learns them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from hearts_agents.neural.features import Order, describe, suit_orders
from hearts_agents.neural.forward import EPSILON, Averaged, Floats, Layer, Network
from hearts_env.compiled.game import Game
from hearts_env.kernel.counts import BLOCKS as COUNTS


def network_for(weights: Mapping[str, Floats], game: Game, told: str = "") -> Network | Averaged:
    """The network that plays a game; `told` as in `features.told_statics`.

    Where the rules do not tell some suits apart, it is one for every order of them, and their mean does not depend on
    the suits' names.
    """
    networks = [layers_of(weights, game, told, order) for order in suit_orders(game, told)]
    return networks[0] if len(networks) == 1 else Averaged(networks)


def layers_of(weights: Mapping[str, Floats], game: Game, told: str, order: Order) -> Network:
    """The network that plays a game with its suits in one of the `suit_orders`."""

    def linear(name: str, inputs: Floats) -> Floats:
        made: Floats = inputs @ weights[f"{name}.weight"].T
        return made + weights[f"{name}.bias"] if f"{name}.bias" in weights else made

    def encoded(name: str, inputs: Floats) -> Floats:
        return linear(f"{name}.2", np.maximum(linear(f"{name}.0", inputs), 0))

    described = describe(game, told, order)
    cards, suits = _normal(encoded("cards", described.cards)), _normal(encoded("suits", described.suits))
    seats, options = 1 + encoded("seats", described.seats), 1 + encoded("options", described.options)
    facts, rules = weights["facts"], encoded("rules", described.rules)
    code, width = facts.shape[1:]

    fact, about = described.fact[: described.inputs], described.about[: described.inputs]
    product = np.ones((len(fact), code), np.float32)
    for codes, place in zip((cards, seats, suits, options, 1 + weights["lanes"]), about.T, strict=True):
        product *= np.concatenate([codes, np.ones((1, code), np.float32)])[place]  # of place -1: 1
    first = np.empty((len(fact), width), np.float32)
    for one in np.unique(fact):
        first[fact == one] = product[fact == one] @ facts[one]

    norms = linear("films", rules).reshape(-1, 2, width) + np.array([[1], [0]], np.float32)
    body = [Layer(first, linear("bias", rules))]
    for place, norm in enumerate(norms):
        body.append(Layer(weights[f"hidden.{place}.weight"].T, weights[f"hidden.{place}.bias"], norm))

    special = encoded("specials", described.specials)
    for axis, codes in enumerate((cards, suits, options)):
        special = (
            special
            + linear(f"named.{axis}", np.concatenate([codes, np.zeros((1, code), np.float32)]))[
                described.named[:, axis]
            ]
        )
    heads = linear("card_head", cards)
    outputs = np.concatenate([heads[:, : width + 1], linear("special_head", special)])
    own = heads[:, -len(COUNTS) :].T
    return Network(body, Layer(outputs[:, :width].T, outputs[:, width]), own)


def _normal(codes: Floats) -> Floats:
    """Codes of mean 0 and variance 1."""
    centred = codes - codes.mean(axis=1, keepdims=True)
    made: Floats = centred / np.sqrt(np.square(centred).mean(axis=1, keepdims=True) + np.float32(EPSILON))
    return made
