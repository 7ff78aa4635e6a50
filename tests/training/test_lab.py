"""training/lab: what is measured, on a clock that the tests set, and what is tried before a release."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path

import pytest
import torch

import hearts_env as he
from hearts_agents.neural import load_policy
from hearts_agents.neural.rulesnet import RulesNet, load_general, save_general
from hearts_agents.weights import folder_of
from hearts_env.compiled.game import compile_game
from lab import blunder_hunt, doors, packages, ship
from lab.door_codes import DOORS, WRAPPER, Door
from lab.doors import use_door

pytestmark = pytest.mark.usefixtures("one_thread")
OURS = [door for door in DOORS if door.code != WRAPPER]


# --- doors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("door", OURS, ids=lambda door: door.name)
def test_every_door_credits_every_point(door: Door) -> None:
    pytest.importorskip("torchrl")
    use = use_door(door, 0.0, "random", games=8)
    assert use.deals >= doors.DEALS
    assert use.paid == use.due < 0


# --- releases -------------------------------------------------------------------------------------------------------


@pytest.mark.exhaustive
def test_steps_that_passed_with_this_code_are_not_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = tmp_path / "tried"
    note = f"open({str(tried)!r}, 'a').write('x'); print('3 passed')"
    steps = {"good": ship.Step(("-c", note)), "bad": ship.Step(("-c", "raise SystemExit(1)"))}
    monkeypatch.setattr(ship, "steps", lambda: steps)
    monkeypatch.setattr(ship, "RESULTS", tmp_path / "ship.json")
    for again, times in ((False, 1), (True, 2)):
        with pytest.raises(SystemExit, match="failed: bad"):
            ship.Check(again=again).run()
        assert tried.read_text() == "x" * times
    found = json.loads((tmp_path / "ship.json").read_text())
    assert (found["good"]["passed"], found["good"]["summary"], found["bad"]["passed"]) == (True, "3 passed", False)
    assert {"date", "release", "code", "versions", "seconds"} < found["good"].keys()
    for code, times in ((ship.code(), 2), ("changed", 3)):
        monkeypatch.setattr(ship, "code", lambda code=code: code)
        assert ship.Check(only=("good",)).run() == "every step has passed"
        assert tried.read_text() == "x" * times


@pytest.mark.parametrize(
    ("left_out", "put_in"),
    [("hearts_env/py.typed", ""), ("x.dist-info/licenses/preact-LICENSE", ""), ("", "lab/ship.py")],
)
def test_a_wheel_that_lacks_a_file_or_has_one_too_many_is_refused(tmp_path: Path, left_out: str, put_in: str) -> None:
    names = {name.partition("/")[2] if "/hearts_" in name else name for name in packages.files_of_packages()}
    names |= {"x.dist-info/licenses/LICENSE", "x.dist-info/licenses/preact-LICENSE"}

    def check(names: set[str]) -> None:
        with zipfile.ZipFile(tmp_path / "x.whl", "w") as wheel:
            for name in names - {""}:
                wheel.writestr(name, "")
        packages.check_wheel(tmp_path / "x.whl")

    check(names)
    with pytest.raises(ValueError, match=Path(left_out or put_in).name):
        check((names | {put_in}) - {left_out})


def test_every_step_names_tests_that_exist() -> None:
    steps = ship.steps()
    assert len(steps) > 10
    for step in steps.values():
        for word in (word for word in step.arguments if word.startswith("tests/")):
            assert (ship.ROOT / word).exists()


def test_a_trained_network_becomes_one_that_comes_with_the_suite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ship, "FOLDER", tmp_path)
    commands = ("hearts train",)
    made = ship.Network(folder_of("openspiel"), "mine", commands, 1.0, ("rule",), deals=4, search_deals=0)
    card = json.loads(made.run())
    net, info = load_policy(tmp_path / "mine")
    assert info.extra == card
    assert (card["made_by"], card["results"]["against"]["rule"]["deals"]) == (["hearts train"], 4)
    shipped = load_policy(folder_of("openspiel"))[0].state_dict()
    assert all(torch.equal(value, shipped[name]) for name, value in net.state_dict().items())


def test_a_network_for_all_rules_that_one_game_trained_becomes_a_policy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ship, "FOLDER", tmp_path)
    general = RulesNet(8, 1, 4)
    about = {"variants": "openspiel", "deals": 9}
    save_general(tmp_path / "trained", general, about, run=[{"command": "hearts train"}])
    ship.Network(tmp_path / "trained", "mine", ("hearts train",), 1.0, ("rule",), deals=4, search_deals=0).run()
    net, info = load_policy(tmp_path / "mine")
    assert (info.rules, info.extra["deals"]) == ("openspiel", 9)
    wanted = general.policy(compile_game(he.rules("openspiel"))).state_dict()
    assert all(torch.equal(value.half(), wanted[name].half()) for name, value in net.state_dict().items())
    assert json.loads((tmp_path / "mine" / "policy.json").read_text())["run"] == [{"command": "hearts train"}]


def test_the_mean_of_networks_is_that_of_their_weights(tmp_path: Path) -> None:
    nets = []
    for name, seed in (("one", 1), ("other", 2)):
        torch.manual_seed(seed)
        nets.append(RulesNet(8, 1, 4))
        about = {"variants": "sampled", "deals": seed}
        save_general(tmp_path / name, nets[-1], about, run=[{"command": f"hearts train --out {name}"}])
    folders = tmp_path / "one", tmp_path / "other"
    assert ship.Mean(folders, tmp_path / "mean").run().endswith(f"net:{tmp_path / 'mean'}")
    net, info = load_general(tmp_path / "mean")
    assert (info.extra["deals"], len(json.loads((tmp_path / "mean" / "general.json").read_text())["run"])) == (3, 2)
    one, other = (one.state_dict() for one in nets)
    for name, value in net.state_dict().items():
        torch.testing.assert_close(value, (one[name] + other[name]) / 2)
    save_general(tmp_path / "wide", RulesNet(16, 1, 4), {})
    with pytest.raises(ValueError, match="different sizes"):
        ship.Mean((*folders, tmp_path / "wide"), tmp_path / "no").run()


# --- blunders -------------------------------------------------------------------------------------------------------


def test_the_hunt_finds_what_both_judges_refuse(capsys: pytest.CaptureFixture[str]) -> None:
    hunt = blunder_hunt.Hunt(
        "random", deals=4, screen="pimc(worlds=4)", judges=("pimc(worlds=8)", "pimc(worlds=16)"), shortlist=40
    )
    hunt.run()
    lines = capsys.readouterr().out.splitlines()
    finds = [re.search(r"(\d+\.\d), (\d+\.\d)", line) for line in lines]
    losses = [min(map(float, find.groups())) for find in finds if find]
    assert len(losses) >= 10  # of a player at random
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] >= 1
    total = re.search(r"of 4 deals, 40 judged; (\d+\.\d+) points", " ".join(lines))
    assert total
    assert abs(float(total[1]) - sum(losses) / 16) < 0.1
