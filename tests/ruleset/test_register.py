"""Variants of one's own: registered in a program or by a plug-in, and then known wherever a variant is named."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import pytest

import hearts_env as he
from hearts_env.envs import aec
from hearts_env.errors import RulesError
from hearts_env.variants import registry
from hearts_env.variants.registry import find_variant, unregister

ROOT = Path(he.__file__).parents[1]


def my_game(**changes: Any) -> he.Variant:
    fields: dict[str, Any] = {
        "name": "my_game",
        "players": (4, 5),
        "summary": "Hearts to 50 with a bonus.",
        "source": "Ours.",
        "delta": {"target": 50, "score.card_values": {"H": 1, "QS": 13, "JD": -10}},
        "by_players": {5: {"passing_count": 2}},
        "aliases": ("mine",),
    }
    return he.Variant(**(fields | changes))


@pytest.fixture(autouse=True)
def _own_registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A registry that forgets what a test registers."""
    known = list(he.VARIANTS)
    monkeypatch.setattr(registry, "_listeners", list(registry._listeners))
    yield
    for name in set(he.VARIANTS) - set(known):
        unregister(name)
    assert list(he.VARIANTS) == known


def test_a_registered_variant_is_a_variant_like_any_other() -> None:
    variant = he.register(my_game())
    assert he.VARIANTS["my_game"] is variant
    assert list(he.VARIANTS)[-1] == "my_game"
    assert find_variant("My Game") is find_variant("MINE") is variant
    rules = he.rules("my_game(players=5, tie=continue)")
    assert str(rules) == "my_game(players=5, end.tie=continue)"
    assert (rules.end.target, rules.passing.count) == (50, 2)
    assert he.rules(str(rules)) == rules
    match = he.Match("mine(max_deals=1)", seed=1)
    while not match.over:
        match.play(match.legal()[0])
    assert "rules my_game(end.max_deals=1)" in match.record()
    assert he.Match.replay(match.record()) == match


def test_every_face_knows_it() -> None:
    he.register(my_game())
    assert str(he.env("my_game")) == str(he.my_game_v0.env()) == "my_game_v0"
    assert str(aec.env("mine", players=5)) == "my_game_v0"
    assert he.vector_env("my_game", 2).num_envs == 2
    assert gymnasium.make("Hearts/MyGame-v0").unwrapped.spec is not None
    pettingzoo = pytest.importorskip("pettingzoo.env_registry.registration")
    assert str(pettingzoo.make("aec", "hearts/my_game-v0")) == "my_game_v0"
    with pytest.raises(AttributeError):
        _ = he.my_game_v1


def test_an_equal_variant_may_be_registered_again_and_another_once_the_name_is_free() -> None:
    he.register(my_game())
    he.register(my_game())
    changed = my_game(delta={"target": 60})
    with pytest.raises(RulesError, match="taken by the variant my_game"):
        he.register(changed)
    unregister("mine")
    he.register(changed)
    assert he.rules("my_game").end.target == 60
    with pytest.raises(RulesError, match="built-in"):
        unregister("black_lady")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": "black_lady"}, "black_lady.* taken by the variant black_lady"),
        ({"name": "hearts"}, "hearts.* taken by the variant black_lady"),
        ({"name": "blacklady"}, "blacklady.* taken by the variant black_lady"),
        ({"aliases": ("Black Widow",)}, "Black Widow.* taken by the variant black_lady"),
        ({"aliases": "mine"}, "aliases='mine'"),
        ({"aliases": ("--",)}, "'--' is no alias"),
        ({"aliases": ("a(b)",)}, r"a\(b\).* is no alias"),
        ({"name": "My Game"}, "'My Game' is no name"),
        ({"name": ""}, "'' is no name"),
        ({"delta": {"targt": 50}}, "my_game with 4 players: there is no rule field 'targt'; the closest is end.target"),
        ({"delta": {"target": "many"}}, "my_game with 4 players: end.target=many is not possible"),
        ({"delta": {"target": 50, "end.target": 60}}, "my_game with 4 players: end.target is given twice"),
        ({"delta": {"players": 5}}, "my_game with 4 players: players is given in a delta"),
        ({"delta": {"card_values": {}}}, "my_game with 4 players: moon.mode=choice needs cards"),
        ({"by_players": {5: {"cycle": ["across"]}}}, "my_game with 5 players: the pass 'across'"),
        ({"by_players": {6: {"target": 50}}}, "by_players names 6"),
        ({"players": (4, 5, 7), "delta": {"remainder": "strict"}, "by_players": {}}, "with 5 players: 52 cards"),
    ],
)
def test_a_bad_variant_is_refused_in_a_line_and_leaves_no_trace(changes: dict[str, Any], words: str) -> None:
    before = list(he.VARIANTS)
    with pytest.raises(RulesError, match=words) as error:
        he.register(my_game(**changes))
    assert "\n" not in str(error.value)
    assert list(he.VARIANTS) == before
    with pytest.raises(RulesError, match="there is no variant"):
        he.rules("mine")


# Plug-ins: packages with an entry point, seen by a fresh interpreter

PLUGIN = """
from hearts_env import Variant
print("loaded")
ONE = Variant("plugged_hearts", (4,), "Hearts to 60.", "Ours.", {"target": 60})
TWO = [Variant("second_game", (3,), "Three.", "Ours.", {"tie": "continue"}, aliases=("zweites",))]
TAKEN = Variant("queens", (4,), "Taken.", "Ours.", {"target": 61})
"""


def installed(folder: Path, entries: str) -> Path:
    """A folder that looks like one with an installed plug-in."""
    info = folder / "my_plugin-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-plugin\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[hearts_env.variants]\n{entries}")
    (folder / "my_plugin.py").write_text(PLUGIN)
    return folder


def run(folder: Path, statements: str) -> subprocess.CompletedProcess[str]:
    program = f"import sys; sys.path[:0] = [{str(ROOT)!r}, {str(folder)!r}]\nimport hearts_env as he\n{statements}"
    return subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.exhaustive
def test_plug_ins_are_loaded_when_they_are_needed(tmp_path: Path) -> None:
    folder = installed(tmp_path, "one = my_plugin:ONE\ntwo = my_plugin:TWO\n")
    done = run(folder, "he.rules('queens(players=4)'); hasattr(he, '__wrapped__'); print(list(sys.modules))")
    assert done.returncode == 0, done.stderr
    assert "loaded" not in done.stdout
    assert "importlib.metadata" not in done.stdout
    for use in (
        "he.rules('Plugged Hearts').end.target == 60",
        "he.rules('zweites').players == 3",
        "'second_game' in he.VARIANTS",
        "len(he.VARIANTS) == 39 and list(he.VARIANTS)[-2:] == ['plugged_hearts', 'second_game']",
        "he.plugged_hearts_v0.__name__ == 'hearts_env.plugged_hearts_v0'",
        "he.VARIANTS['plugged_hearts'].version == 0",
    ):
        done = run(folder, f"print({use})")
        assert (done.stdout, done.stderr) == ("loaded\nTrue\n", ""), use


def test_a_broken_plug_in_is_left_out_with_one_line(tmp_path: Path) -> None:
    folder = installed(
        tmp_path, "bad = my_plugin:NOTHING\none = my_plugin:ONE\nworse = nowhere:X\ntaken = my_plugin:TAKEN\n"
    )
    done = run(folder, "print('plugged_hearts' in he.VARIANTS, len(he.VARIANTS), he.rules('queens').end.target)")
    assert done.stdout == "loaded\nTrue 38 108\n"
    warnings = [line for line in done.stderr.splitlines() if "plug-in" in line and "Warning" in line]
    assert len(warnings) == 3
    for words in ("bad = my_plugin:NOTHING", "worse = nowhere:X", "taken = my_plugin:TAKEN was left out"):
        assert sum(words in line for line in warnings) == 1
