"""The PettingZoo environment: the checks of MOMAland, names, rendering."""

import importlib
from typing import Any

import numpy as np
import pettingzoo
import pytest

import hearts_env as he
from hearts_env.envs.gym import LearnerEnv
from tests.support.aec_play import any_action


@pytest.mark.filterwarnings("ignore")  # of MOMAland's own imports, and the hints that `pyproject.toml` ignores
def test_momaland_finds_nothing_wrong() -> None:
    moma = pytest.importorskip("momaland.test.api_test", reason="MOMAland is not installed; .ci/run does it last")
    moma.api_test(he.env("complex_hearts", reward="vector", deals=1), num_cycles=200)


# Names


@pytest.mark.parametrize("variant", he.VARIANTS)
def test_every_variant_has_a_module_and_a_registered_name(variant: str) -> None:
    name = f"{variant}_v{he.VARIANTS[variant].version}"
    module = getattr(he, name)
    assert getattr(he, name) is module
    for made in (module.env(), module.raw_env(), pettingzoo.make("aec", f"hearts/{name}")):
        assert made.unwrapped.metadata["name"] == str(made) == name
        assert made.unwrapped.game.rules == he.rules(variant)
    assert str(pettingzoo.make("aec", f"hearts/{name.replace('_v', '-v')}", deals=1)) == name
    players = he.VARIANTS[variant].players[-1]
    assert module.env(players=players, max_deals=12).game.rules == he.rules(
        f"{variant}(players={players}, max_deals=12)"
    )


def test_modules_are_imported_by_name() -> None:
    from hearts_env import black_lady_v0

    assert isinstance(black_lady_v0.env(), pettingzoo.AECEnv)
    assert importlib.import_module("hearts_env.black_lady_v0") is black_lady_v0
    names: dict[str, Any] = {}
    exec("from hearts_env.queens_v0 import env\nimport hearts_env.queens_v0 as module", names)
    assert names["env"]().metadata["name"] == "queens_v0"
    assert names["module"].__name__ == "hearts_env.queens_v0"
    with pytest.raises(AttributeError, match="parallel_env"):
        getattr(black_lady_v0, "parallel_env")  # noqa: B009  # type checkers know that it is not there
    with pytest.raises(ImportError):
        from hearts_env import black_lady_v99  # noqa: F401
    with pytest.raises(AttributeError, match="black_ladi_v0"):
        he.black_ladi_v0  # noqa: B018


# Rendering


def test_ansi_is_returned_human_is_printed_and_none_is_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    env, human, quiet = (he.env("black_lady", render_mode=mode) for mode in ("ansi", "human", None))
    for one in (env, human, quiet):
        one.reset(seed=1)
    capsys.readouterr()
    text = env.render()
    assert isinstance(text, str)
    assert "black_lady" in text
    assert quiet.render() is None
    assert capsys.readouterr().out == ""
    assert human.render() is None
    assert text in capsys.readouterr().out
    human.step(any_action(human, np.random.default_rng(0)))
    assert "black_lady" in capsys.readouterr().out
    assert env.metadata["render_modes"] == ["human", "ansi", "rgb_array"]


@pytest.mark.parametrize("make", [he.env, LearnerEnv])
def test_one_seat_s_view_is_shown_where_it_is_asked_for(make: Any) -> None:
    whole, own = (make("black_lady", cycle="hold", render_mode="ansi", **option) for option in ({}, {"render_seat": 2}))
    for env in (whole, own):
        env.reset(seed=1)
    assert "cards" not in whole.render()
    assert own.render().count("13 cards") + own.render().count("12 cards") == 3
    assert "13 cards" not in own.render().splitlines()[5], "the hand of seat 2 is shown"
    for seat in (4, -1, "0", 1.5, True):
        with pytest.raises(ValueError, match="render_seat"):
            make("black_lady", render_mode="ansi", render_seat=seat)
