"""Learning that leaves the play under some rules as it is."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from hearts_agents.neural.features import AXES, FACTS
from hearts_agents.neural.rulesnet import RulesNet, described
from hearts_env.compiled.game import Game, compile_game
from hearts_env.variants.registry import rules as read_rules

SILENT = 1e-3
"""Directions of codes with singular values up to this share of the largest do not count."""
FAINT = 1e-2
"""The same of what is learned: weights in fainter directions would grow large, and further training would stir them."""


def learn_elsewhere(
    net: RulesNet, optimizer: torch.optim.Optimizer, rules: Sequence[str], learned: Sequence[Game]
) -> None:
    """Let a network for all rules learn only what it reads of seats that some rules do not have, such as partners.

    The weights of a fact about a seat are applied to the seat's code. Only these weights learn, and every step keeps
    only directions that codes of seats have in the games learned from and not under these rules, under which the
    network therefore plays as before.

    Args:
        net: the network.
        optimizer: of its weights.
        rules: as `hearts_env.rules` reads them.
        learned: the games learned from.

    Raises:
        ValueError: codes of seats of these games have no other directions.
    """
    games = [described(compile_game(read_rules(one))) for one in rules]
    fact = torch.cat([game.fact[: game.inputs] for game in games])
    about = torch.cat([game.about[: game.inputs] >= 0 for game in games])
    about_seats = (about == torch.tensor([axis == "seat" for axis in AXES])).all(1)
    learning = torch.zeros(len(FACTS), 1, 1)
    learning[fact[about_seats]] = 1
    with torch.no_grad():
        used = _directions(net.seat_codes(games).double(), SILENT)
        codes = net.seat_codes([described(game) for game in learned]).double()
    outside = codes - codes @ used.T @ used
    if outside.norm() <= SILENT * codes.norm():
        raise ValueError("same_under has all seats of the games learned from; add a data set of one with partners, say")
    new = _directions(outside, FAINT)
    free = (new.T @ new).float()
    for weights in net.parameters():
        weights.requires_grad_(weights is net.facts)
    before = net.facts.detach().clone()

    @torch.no_grad()
    def project(*_: object) -> None:
        net.facts.copy_(before + learning * (free @ (net.facts - before)))

    optimizer.register_step_post_hook(project)


def _directions(codes: Tensor, least: float) -> Tensor:
    """(directions, code): those of some codes with singular values above a share of the largest."""
    _, sizes, directions = torch.linalg.svd(codes, full_matrices=False)
    found: Tensor = directions[sizes > least * sizes.max()]
    return found
