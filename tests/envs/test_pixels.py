"""Pictures as pixels, and what asks for them: recorders, windows."""

import sys
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers import HumanRendering, RecordVideo

import hearts_env as he

pytest.importorskip("resvg_py")
pytest.importorskip("PIL")
ID = "Hearts/BlackLady-v0"
BACK = (0x8F, 0xA8, 0xC8)
GREEN = (0x2F, 0x6B, 0x4F)


def test_a_picture_shows_the_table() -> None:
    env = he.env("black_lady", render_mode="rgb_array")
    env.reset(seed=7)
    before = env.render()
    assert isinstance(before, np.ndarray)
    assert before.shape == (600, 960, 3)
    assert before.dtype == np.uint8
    assert (before == GREEN).all(axis=2).mean() > 0.5
    assert (before == 255).all(axis=2).mean() > 0.05  # cards
    env.step(int(env.last()[0]["action_mask"].argmax()))
    after = env.render()
    assert isinstance(after, np.ndarray)
    assert (before != after).any()
    assert env.render() is not after


def test_a_picture_of_one_seat_s_view_has_backs_of_cards() -> None:
    blue = {}
    for seat in (None, 2):
        env = he.env("black_lady", render_mode="rgb_array", render_seat=seat)
        env.reset(seed=7)
        picture = env.render()
        assert isinstance(picture, np.ndarray)
        blue[seat] = (picture == BACK).all(axis=2).mean()
    assert blue[None] == 0 < blue[2]


def test_without_the_library_there_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    env = he.env("black_lady", render_mode="rgb_array")
    env.reset(seed=7)
    with pytest.raises(ModuleNotFoundError, match=r"^pictures as pixels need resvg_py; pip install .* brings it$"):
        env.render()


@pytest.mark.exhaustive
def test_gymnasium_records_a_video(tmp_path: Path) -> None:
    pytest.importorskip("moviepy")
    made = gymnasium.make(ID, render_mode="rgb_array", deals=1)
    env = RecordVideo(made, str(tmp_path / "video"), disable_logger=True)
    _, info = env.reset(seed=1)
    for _ in range(3):
        _, _, _, _, info = env.step(int(info["action_mask"].argmax()))
    env.close()
    assert [file.stat().st_size > 1000 for file in tmp_path.rglob("*.mp4")] == [True]


def test_gymnasium_shows_a_window(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    env = HumanRendering(gymnasium.make(ID, render_mode="rgb_array", deals=1))
    env.reset(seed=1)
    assert env.window is not None
    assert env.window.get_size() == (960, 600)
    env.close()
