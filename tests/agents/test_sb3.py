"""Networks of Stable-Baselines3 as agents: they play what the model would, and bad files are refused in one line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("stable_baselines3")

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3 import DQN, PPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from hearts_agents.neural.sb3 import ActorNet, load_sb3, save_sb3
from hearts_agents.registry import make_agent
from hearts_env.envs.gym import LearnerEnv
from tests.agents.test_agents import positions, views_of


@pytest.fixture(scope="module")
def model() -> MaskablePPO:
    return MaskablePPO("MlpPolicy", LearnerEnv("black_lady"), policy_kwargs={"net_arch": [12, 7]}, device="cpu", seed=1)


@pytest.fixture
def folder(model: MaskablePPO, tmp_path: Path) -> Path:
    assert save_sb3(tmp_path / "run", model.policy, "black_lady", {"deals": 5}) == f"sb3:{tmp_path / 'run'}"
    return tmp_path / "run"


def test_the_agent_plays_what_the_model_predicts(model: MaskablePPO, folder: Path) -> None:
    views = views_of(*positions("black_lady", 40, plies=30))
    observations, masks = views.observations()
    predicted, _ = model.predict(observations, action_masks=masks, deterministic=True)
    agent = make_agent(f"sb3:{folder}")
    assert np.array_equal(agent.act_batch(views), predicted)
    assert len(np.unique(predicted)) > 5
    info = load_sb3(folder)[1]
    assert (info.rules, info.hidden, info.activation, info.extra) == ("black_lady", (12, 7), "Tanh", {"deals": 5})
    assert sorted(path.name for path in folder.iterdir()) == ["sb3.json", "sb3.safetensors"]


@pytest.mark.parametrize("activation", [torch.nn.ReLU, torch.nn.ELU, torch.nn.GELU])
def test_models_of_other_shapes(activation: type[torch.nn.Module], tmp_path: Path) -> None:
    env = LearnerEnv("likha")
    kwargs = {"net_arch": {"pi": [9], "vf": [5, 5]}, "activation_fn": activation}
    plain = PPO("MlpPolicy", env, policy_kwargs=kwargs, device="cpu", n_steps=8, batch_size=8)
    save_sb3(tmp_path, plain.policy, "likha")
    net, info = load_sb3(tmp_path)
    observation = torch.from_numpy(env.reset(seed=1)[0])[None]
    everything = torch.ones(1, info.actions)
    with torch.inference_mode():
        wanted = plain.policy.get_distribution(observation).distribution.probs  # type: ignore[union-attr]
        assert torch.allclose(net(observation, everything).softmax(1), wanted, atol=1e-6)
    assert isinstance(net, ActorNet)


def test_what_does_not_fit_is_refused(model: MaskablePPO, folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="the policy has 684 inputs and 54 actions; omnibus_hearts"):
        save_sb3(tmp_path / "other", model.policy, "omnibus_hearts(players=5)")
    views = views_of(*positions("likha", 1, plies=3))
    with pytest.raises(ValueError, match="was trained on black_lady; likha has another observation or other actions"):
        make_agent(f"sb3:{folder}").act_batch(views)
    assert not (tmp_path / "other").exists()
    (tmp_path / "file").touch()
    with pytest.raises(ValueError, match="cannot write a policy to"):
        save_sb3(tmp_path / "file", model.policy, "black_lady")


class Wide(BaseFeaturesExtractor):
    """A features extractor of one's own."""

    def __init__(self, observation_space: Any, width: int) -> None:
        super().__init__(observation_space, width)
        self.body = torch.nn.Linear(observation_space.shape[0], width)

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        found: torch.Tensor = self.body(rows).relu()
        return found


@pytest.mark.parametrize("kind", [MaskablePPO, DQN])
def test_a_policy_with_parts_of_its_own_is_an_agent_that_names_code(kind: Any, tmp_path: Path) -> None:
    own = {"features_extractor_class": Wide, "features_extractor_kwargs": {"width": 9}, "net_arch": [8]}
    more = {"activation_fn": torch.nn.LeakyReLU, **own}
    model = kind("MlpPolicy", LearnerEnv("black_lady"), policy_kwargs=more, device="cpu", seed=1)
    spec = save_sb3(tmp_path / "run", model.policy, "black_lady", {"deals": 5})
    assert spec == f"py:{tmp_path / 'run'}"
    views = views_of(*positions("black_lady", 40, plies=30))
    rows, masks = views.observations()
    agent: Any = make_agent(spec)
    if kind is DQN:
        with torch.inference_mode():
            values = model.q_net(torch.from_numpy(rows)).numpy()
        wanted = np.where(masks, values, -np.inf).argmax(1)
    else:
        wanted, _ = model.predict(rows, action_masks=masks, deterministic=True)
    assert np.array_equal(agent.act_batch(views), wanted)
    with pytest.raises(ValueError, match="does not play black_lady\\(players=5\\)"):
        save_sb3(tmp_path / "other", model.policy, "black_lady(players=5)")
