"""Layouts that are chosen: those that some games share, and columns that a function makes of views, at every door."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hearts_env as he
from hearts_env.envs.gym import LearnerEnv
from hearts_env.envs.learner import LearnerGames

GAMES = ["black_lady", "omnibus_hearts", "gong_zhu"]
LAYOUT = he.shared_layout(GAMES)


def hands(views: he.Views) -> Any:
    """The hand, and the place of the row in the batch."""
    rows = views.observations()[0][:, :52]
    return np.concatenate([rows, 0 * rows[:, :1] + len(views.game.actions)], 1)


@pytest.mark.parametrize("name", GAMES)
def test_a_shared_layout_is_a_part_of_that_of_all_games_at_every_door(name: str) -> None:
    rng, kept = np.random.default_rng(1), (LAYOUT.columns, LAYOUT.numbers)
    whole, part = (he.mixed_env(GAMES, 12, deals=2, layout=layout) for layout in ("universal", LAYOUT))
    for env in (whole, part):
        env.reset(seed=7)
    for _ in range(150):
        assert np.array_equal(part.observations, whole.observations[:, kept[0]])
        assert np.array_equal(part.action_masks, whole.action_masks[:, kept[1]])
        actions = part.sample_actions(rng)
        assert part.action_masks[np.arange(12), actions].all()
        part.step(actions)
        whole.step(LAYOUT.numbers[actions])
    assert (part.rewards[part.terminated] == whole.rewards[whole.terminated]).all()
    both = ("universal", LAYOUT)
    learners = [LearnerGames(name, 3, deals=1, layout=layout) for layout in both]
    ones = [LearnerEnv(name, deals=1, layout=layout) for layout in both]
    raws = [he.raw_env(name, deals=1, layout=layout) for layout in both]
    doors: tuple[Any, ...] = (*learners, *ones, *raws)
    for door in doors:
        door.reset(seed=3)
    for _ in range(9):
        assert np.array_equal(learners[1].observations, learners[0].observations[:, kept[0]])
        chosen = learners[1].action_masks.argmax(1)
        learners[1].step(chosen)
        learners[0].step(LAYOUT.numbers[chosen])
        action = int(ones[1].action_masks().argmax())
        rows = [one.step(number)[0] for one, number in zip(ones, (LAYOUT.numbers[action], action), strict=True)]
        assert np.array_equal(rows[1], rows[0][kept[0]])
        seen = [raw.observe(raw.agent_selection) for raw in raws]
        assert np.array_equal(seen[1]["observation"], seen[0]["observation"][kept[0]])
        assert raws[1].observation_space("player_0").contains(seen[1])
        action = int(seen[1]["action_mask"].argmax())
        raws[0].step(int(LAYOUT.numbers[action]))
        raws[1].step(action)


def test_features_are_the_observations_at_every_door() -> None:
    env = he.vector_env("black_lady", 9, deals=1, features=hands, autoreset=False)
    plain = he.vector_env("black_lady", 9, deals=1, autoreset=False)
    mixed = he.mixed_env(["black_lady", "gong_zhu"], 8, features=hands, layout=LAYOUT)
    learner, plain_learner = (LearnerGames("black_lady", 5, deals=1, features=made) for made in (hands, None))
    one, raw = LearnerEnv("black_lady", features=hands), he.raw_env("black_lady", features=hands)
    for each in (env, plain, mixed, learner, plain_learner, one, raw):
        each.reset(seed=5)
    assert env.single_observation_space.shape == learner.single_observation_space.shape == (53,)
    rng = np.random.default_rng(0)
    while (env.seats >= 0).any():
        live = env.seats >= 0
        assert np.array_equal(env.observations[live, :52], plain.observations[live, :52])
        assert not env.observations[~live].any()
        actions = plain.sample_actions(rng)
        env.step(actions)
        plain.step(actions)
    for _ in range(40):
        mixed.step(mixed.sample_actions(rng))
        for places, views in mixed.views():
            assert np.array_equal(mixed.observations[places], hands(views))
    assert mixed.act(lambda rows, masks: masks.argmax(1) + 0 * rows[:, 52].astype(int)).shape == (8,)
    while not learner.terminated.any():
        assert np.array_equal(learner.observations[:, :52], plain_learner.observations[:, :52])
        for games in (learner, plain_learner):
            games.step(plain_learner.action_masks.argmax(1))
    assert one.step(one.action_masks().argmax())[0].sum() == 12 + 54
    assert raw.observe(raw.agent_selection)["observation"].sum() == 13 + 54
    assert not raw.observe("player_3")["observation"].any()
    assert one.observation_space.contains(one.reset(seed=1)[0])


@pytest.mark.parametrize(
    ("line", "options"),
    [
        ("features=hand is not possible; it is a function of views", {"features": "hand"}),
        (
            r"features returned shape \(684,\); it must be \(1, columns\)",
            {"features": lambda v: v.observations()[0][0]},
        ),
        ("features are float32; leave observations=uint8 out", {"features": hands, "observations": "uint8"}),
        ("observations=uint8 is for layout=universal without features", {"layout": LAYOUT, "observations": "uint8"}),
        ("layout='shared' is not one of variant, universal", {"layout": "shared"}),
        (
            r"black_lady\(players=6\) needs columns or actions that the layout of black_lady; omn",
            {"layout": LAYOUT, "players": 6},
        ),
    ],
)
def test_what_does_not_fit_is_one_line(line: str, options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"^{line}"):
        he.vector_env("black_lady", 2, **options)
    with pytest.raises(ValueError, match="shared_layout takes a list of rules"):
        he.shared_layout("black_lady")


def test_a_policy_of_a_shared_layout_or_of_features_is_saved_and_plays(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from hearts_agents import make_agent
    from hearts_agents.arena import run_arena
    from hearts_agents.neural import TorchAgent

    sizes = {"in_features": len(LAYOUT.columns), "out_features": len(LAYOUT.numbers)}
    torch.manual_seed(2)
    spec = TorchAgent(torch.nn.Linear(**sizes), layout=LAYOUT).save(tmp_path / "shared", "black_lady", sizes)
    saved: Any = make_agent(spec)
    mixed = he.mixed_env(GAMES, 9, layout=LAYOUT)
    mixed.reset(seed=1)
    for _ in range(60):
        with torch.inference_mode():
            logits = saved.module(torch.from_numpy(mixed.observations)).numpy()
        wanted = np.where(mixed.action_masks, logits, -np.inf).argmax(1)
        assert np.array_equal(mixed.act(saved), wanted)
        mixed.step(wanted)
    for name in GAMES:
        assert run_arena([spec, "random"], name, deals=1, seed=1).deals == 1
    match = he.Match("gong_zhu", seed=2)
    view = match.view(match.seat or 0)
    assert next(iter(saved.probabilities(view))) == view.game.actions[saved.act(view)]
    with pytest.raises(ValueError, match=r"^py:.*: black_lady\(players=6\) needs columns"):
        saved.act_batch(he.Views.of(he.Match("black_lady(players=6)", seed=1).view(0)))
    sizes = {"in_features": 53, "out_features": 54}
    spec = TorchAgent(torch.nn.Linear(**sizes), hands).save(tmp_path / "features", "black_lady", sizes)
    env = he.vector_env("black_lady", 9, features=hands)
    env.reset(seed=1)
    with torch.inference_mode():
        logits = make_agent(spec).module(torch.from_numpy(env.observations)).numpy()  # type: ignore[attr-defined]
    assert np.array_equal(env.act(spec), np.where(env.action_masks, logits, -np.inf).argmax(1))
