"""What a distilled network does not know of the match makes no difference to it."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from hearts_agents.neural import PolicyNet, input_size, network_inputs
from hearts_env.compiled.game import compile_game
from hearts_env.envs.vector import VectorEnv
from hearts_env.seat.observation import layout_of
from hearts_env.seat.view import Views
from hearts_env.variants.registry import rules
from hearts_training.data.student import forget_match
from hearts_training.train.match_critic import STANDINGS


@pytest.mark.parametrize("name", ["black_lady", "gong_zhu", "complex_hearts", "danger_hearts", "small_hearts"])
def test_a_network_plays_a_deal_of_a_match_like_the_same_deal_of_a_new_one(name: str) -> None:
    game = compile_game(rules(name))
    layout = layout_of(game)
    torch.manual_seed(0)
    net = PolicyNet(input_size(game), len(game.actions), (32, 32))
    env = VectorEnv(game.rules, 64, deals=1)
    env.reset(seed=4)
    rng = np.random.default_rng(1)
    for _ in range(9):
        env.step(env.sample_actions(rng))
    inputs, masks = (torch.from_numpy(rows) for rows in network_inputs(Views(game, env.states, check=False)))
    with torch.inference_mode():
        before = net(inputs, masks)
        forget_match(net, game)
        assert torch.allclose(net(inputs, masks), before, atol=1e-4)
        for field in (*STANDINGS, "deal_number"):
            if field in layout:
                inputs[:, layout[field].columns] = 7.5
        assert torch.allclose(net(inputs, masks), before, atol=1e-4)
