"""Learning that leaves the play under some rules as it is."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from hearts_agents.neural.features import AXES, FACTS
from hearts_agents.neural.rulesnet import RulesNet, described
from hearts_env.compiled.game import compile_game
from hearts_env.variants.registry import rules as read_rules

SILENT = 1e-3
"""Directions of codes with singular values up to this share of the largest do not count."""


def learn_elsewhere(net: RulesNet, optimizer: torch.optim.Optimizer, rules: Sequence[str]) -> None:
    """Let a network for all rules learn only what it reads of seats that some rules do not have, such as partners.

    The weights of a fact about a seat are applied to the seat's code. Only these weights learn, and every step loses
    the directions of the codes of seats under these rules, under which the network therefore plays as before.

    Args:
        net: the network.
        optimizer: of its weights.
        rules: as `hearts_env.rules` reads them.
    """
    games = [described(compile_game(read_rules(one))) for one in rules]
    fact = torch.cat([game.fact[: game.inputs] for game in games])
    about = torch.cat([game.about[: game.inputs] >= 0 for game in games])
    about_seats = (about == torch.tensor([axis == "seat" for axis in AXES])).all(1)
    learning = torch.zeros(len(FACTS), 1, 1)
    learning[fact[about_seats]] = 1
    with torch.no_grad():
        _, sizes, directions = torch.linalg.svd(net.seat_codes(games).double(), full_matrices=False)
    used = directions[sizes > SILENT * sizes.max()]
    free = (torch.eye(net.code) - used.T @ used).float()
    for weights in net.parameters():
        weights.requires_grad_(weights is net.facts)
    before = net.facts.detach().clone()

    @torch.no_grad()
    def project(*_: object) -> None:
        net.facts.copy_(before + learning * (free @ (net.facts - before)))

    optimizer.register_step_post_hook(project)
