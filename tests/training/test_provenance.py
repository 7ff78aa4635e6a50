"""How a result came to be: in everything that a command writes, beside what is compared, and with nothing private."""

from __future__ import annotations

import getpass
import hashlib
import json
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import hearts_env
from hearts_agents import make_agent
from hearts_training import provenance
from hearts_training.cli import main
from hearts_training.provenance import command

FIELDS = {"command", "options", "seed", "players", "version", "commit", "dirty", "packages", "libraries", "processor"}
TRAIN = "--deals 8 --threads 1 --arena-deals 0 --evaluations 0 --device cpu"
SMALL = "--set num_envs=8 minibatch=64 hidden=8 critic_hidden=8"


def hearts(text: str, monkeypatch: pytest.MonkeyPatch, commit: str = "0" * 40) -> None:
    """Run a command as it is typed, in a checkout of some commit."""
    monkeypatch.setattr(sys, "argv", ["/usr/local/bin/hearts", *text.split()])
    monkeypatch.setattr(provenance, "checkout", lambda: {"commit": commit, "dirty": False})
    assert main() == 0


def runs(file: Path) -> list[dict[str, Any]]:
    """The entries in a file, with all fields and nothing private in them."""
    found: list[dict[str, Any]] = json.loads(file.read_text())["run"]
    for one in found:
        assert one.keys() == FIELDS
        assert one["version"] == hearts_env.__version__
        assert one["packages"].keys() == {"hearts_env", "hearts_agents", "hearts_training"}
        assert all(player["digest"] for player in one["players"])
        assert {"python", "numpy", "numba", "torch"} <= one["libraries"].keys()
        assert one["processor"]
        text = json.dumps({name: value for name, value in one.items() if name != "processor"})
        for private in (str(file.parent), str(Path.home()) + "/", socket.gethostname(), f"/{getpass.getuser()}/"):
            assert private not in text
    return found


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that commands run in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


BOT = "class First:\n    def act(self, view):\n        return view.legal()[0]\n"
RELEASE = f"hearts-env {hearts_env.__version__}"
PLAYED = {
    "py:bot.py:First": (hashlib.sha256(BOT.encode()).hexdigest(), ""),
    "rule": (RELEASE, ""),
    "net:black_lady": (make_agent("net:black_lady").digest, make_agent("net:black_lady").trained_on),
}
"""Agents -> their digest, and what they were trained on."""


@pytest.mark.parametrize("words", ["arena AGENTS --deals 4", "evaluate AGENTS --deals 4 --only passing"])
def test_a_result_proves_which_agents_played(there: Path, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("bot.py").write_text(BOT)
    hearts(words.replace("AGENTS", " ".join(PLAYED)) + " --json one.json", monkeypatch)
    [one] = runs(there / "one.json")
    assert {agent["spec"]: (agent["digest"], agent["trained_on"]) for agent in one["players"]} == PLAYED
    if words.startswith("arena"):
        found = json.loads(Path("one.json").read_text())["agents"]
        assert [(agent["name"], agent["digest"]) for agent in found] == [(name, one[0]) for name, one in PLAYED.items()]


@pytest.mark.exhaustive
def test_a_data_set_and_the_policy_from_it(there: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = "pimc(worlds=1) --players random --seed 7"
    for deals, commit in ((256, "a"), (512, "b"), (512, "c")):  # the last one has nothing to do
        hearts(f"label {words} --deals {deals} --out {there}/set", monkeypatch, commit)
    found = runs(there / "set" / "labels.json")
    assert [(one["commit"], one["command"]) for one in found] == [
        ("a", "hearts label 'pimc(worlds=1)' --players random --seed 7 --deals 256 --out set"),
        ("b", "hearts label 'pimc(worlds=1)' --players random --seed 7 --deals 512 --out set"),
    ]
    assert found[0]["seed"] == 7
    assert found[0]["options"]["players"] == ["random"]
    hearts(f"distil {there}/set --out policy --hidden 8 --held-out 1 --epochs 1 --threads 1", monkeypatch)
    (made,) = runs(there / "policy" / "distil.json")
    assert made["options"] == {**made["options"], "data": "set", "hidden": [8], "epochs": 1}
    assert runs(there / "policy" / "policy.json") == [made]
    card = json.loads((there / "policy" / "policy.json").read_text())["extra"]["distilled"]
    assert card["labels"]["run"] == found
    assert str(there) not in json.dumps(card)


@pytest.mark.usefixtures("no_figures", "one_thread")
def test_a_training_that_another_commit_goes_on_with(there: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hearts(f"train --out {there}/run --seed 3 {TRAIN} {SMALL}", monkeypatch, "a")
    (made,) = runs(there / "run" / "result.json")
    assert (made["seed"], made["options"]["num_envs"], made["options"]["variant"]) == (3, 8, "black_lady")
    weights = (there / "run" / "policy.safetensors").read_bytes()
    hearts(f"train --resume {there}/run {TRAIN}", monkeypatch, "b")
    found = runs(there / "run" / "result.json")
    assert [one["commit"] for one in found] == ["a", "b"]
    assert found[0] == made
    assert found[1]["command"] == f"hearts train --resume run {TRAIN}"
    assert runs(there / "run" / "policy.json") == found
    hearts(f"train --out again --seed 3 {TRAIN} {SMALL}", monkeypatch, "c")
    assert (there / "again" / "policy.safetensors").read_bytes() == weights  # equal weights are equal files


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        (["/x/hearts_training/__main__.py", "arena", "rule"], "hearts arena rule"),
        (["C:\\tools\\hearts.exe", "--out", "C:\\Users\\me\\runs"], "hearts.exe --out runs"),
        (["hearts", "train", "--out=/home/me/my runs/one/"], "hearts train --out=one"),
        (["hearts", "train", "--out", "~/runs/one"], "hearts train --out one"),
        (["hearts", "train", "--out", "../../me/one"], "hearts train --out one"),
        (["hearts", "train", "--out", "runs/one"], "hearts train --out runs/one"),
        (["hearts", "arena", "net:/home/me/a", "net:/home/me/b"], "hearts arena net:a net:b"),
        (["hearts", "train", "--set", "opponents=rule;net:/home/me/a"], "hearts train --set 'opponents=rule;net:a'"),
        (["hearts", "tune", "--workers", "ray://head.lab:10001"], "hearts tune --workers ADDRESS"),
        (["hearts", "tune", "--workers=head.lab:6379"], "hearts tune --workers=ADDRESS"),
        (["hearts", "tune", "--workers", "auto"], "hearts tune --workers auto"),
        (["hearts", "arena", "exec:ssh me@lab /opt/bot --api-key=abc"], "hearts arena exec:ssh"),
        (["hearts", "arena", "exec(/opt/my/bot --token abc, time_ms=5)"], "hearts arena exec:bot"),
        (["hearts", "arena", "exec(command='/opt/my/bot -v')"], "hearts arena exec:bot"),
        (["script.py", "--api-key", "abc", "--password=def"], "script.py --api-key ... --password=..."),
    ],
)
def test_a_command_names_nothing_private(typed: list[str], kept: str) -> None:
    found = command(typed)
    assert found == kept
    assert not any(private in found for private in ("home", "lab", "abc", "def", "Users", "me/", "me@"))


def test_the_commit_is_that_of_the_checkout_of_the_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def git(*words: str) -> str:
        who = ["-c", "user.name=n", "-c", "user.email=e@x"]
        return subprocess.run(["git", *who, *words], cwd=tmp_path, check=True, capture_output=True, text=True).stdout

    package = tmp_path / "hearts_env"
    package.mkdir()
    (package / "__init__.py").write_text("")
    monkeypatch.setattr(hearts_env, "__file__", str(package / "__init__.py"))
    found = provenance.checkout.__wrapped__
    assert found() == {"commit": None, "dirty": None}  # an installed package
    git("init", "-q")
    assert found() == {"commit": None, "dirty": None}
    git("add", ".")
    git("commit", "-q", "-m", "first")
    assert found() == {"commit": git("rev-parse", "HEAD").strip(), "dirty": False}
    (package / "__init__.py").write_text("changed = True\n")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))  # as in a hook of another repository
    assert found()["dirty"] is True
    inside = tmp_path / "venv" / "site-packages" / "hearts_env"
    inside.mkdir(parents=True)
    monkeypatch.setattr(hearts_env, "__file__", str(inside / "__init__.py"))
    assert found() == {"commit": None, "dirty": None}  # an environment inside a checkout is none


def test_a_result_is_cited_or_lacks_something(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "result.json"
    hearts(f"arena net:hearts rule --deals 1 --seed 5 --json {file}", monkeypatch)
    hearts(f"cite {file}", monkeypatch)
    cited = capsys.readouterr().out
    digest = make_agent("net:hearts").digest[:12]
    for part in (
        "black_lady_v0",
        f"net:hearts ({digest})",
        "played 1 deals",
        "seed 5",
        "@software{",
        "(commit 000000000000)",
    ):
        assert part in cited
    good = json.loads(file.read_text())
    training = json.loads(file.read_text()) | {"agent": "net:a", "start": "black_lady", "deals": 512}
    options = training["run"][0]["options"]
    options["reward"] = "py:a.py:paid"
    file.write_text(json.dumps(training | {"arena": {"deals": 3}}))
    assert main(["cite", str(file)]) == 2
    assert "no digest of the reward py:a.py:paid" in capsys.readouterr().err
    options["digests"] = {"py:a.py:paid": "0123456789abcdef"}
    file.write_text(json.dumps(training | {"arena": {"deals": 3}}))
    hearts(f"cite {file}", monkeypatch)
    trained = "net:a was trained from black_lady for 512 deals, with the reward py:a.py:paid (0123456789ab). Each "
    assert trained in capsys.readouterr().out
    player, run = good["run"][0]["players"][0], good["run"][0]
    bad: dict[str, Any] = {
        "no digest of the agent": [run | {"players": [player | {"digest": ""}]}],
        "names no agents": [run | {"players": []}],
        "lacks 'version'": [{key: run[key] for key in FIELDS - {"version"}}],
        "no key 'run'": None,
    }
    for reason, runs in bad.items():
        file.write_text(json.dumps({"variant": "black_lady", "run": runs}))
        assert main(["cite", str(file)]) == 2
        assert reason in capsys.readouterr().err
