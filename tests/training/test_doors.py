"""`hearts bench --doors`: the code of every door runs as printed, and all of ours credit every point."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hearts_training.bench import doors
from hearts_training.bench.doors import DOORS, DUMMY, WRAPPER, Door, learning_share, use_door
from hearts_training.cli import main

pytest.importorskip("torchrl")
pytest.importorskip("sb3_contrib")
OURS = [door for door in DOORS if door.code != WRAPPER]


@pytest.mark.parametrize("opponents", ["rule", "random"])
@pytest.mark.parametrize("door", OURS, ids=lambda door: door.name)
def test_every_door_credits_every_point(door: Door, opponents: str) -> None:
    use = use_door(door, 0.0, opponents, games=8)
    assert use.deals >= doors.DEALS
    assert use.due < 0
    assert use.paid == use.due


@pytest.mark.exhaustive
@pytest.mark.filterwarnings("ignore:PettingZoo in TorchRL:UserWarning")  # it was tested with an older version
def test_a_wrapper_that_loses_rewards_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    torch.manual_seed(1)
    monkeypatch.setattr(doors, "DEALS", 4)
    use = use_door(next(door for door in DOORS if door.code == WRAPPER), 0.0)
    assert use.due < 0
    assert use.credited < 0.9


@pytest.mark.parametrize("door", [door for door in DOORS if door.learns], ids=lambda door: door.name)
def test_the_environments_share_of_learning(door: Door) -> None:
    assert 0 < learning_share(door, "random", games=4, rollout=8) < 1


def test_the_table_has_a_row_for_every_door(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from hearts_training.cli.app import main

    monkeypatch.setattr(doors, "DOORS", (Door("slow", DUMMY), Door("missing", "import no_such_framework")))
    monkeypatch.setattr(doors, "GAMES", 4)
    assert main(["bench", "--doors", "--seconds", "0.01", "--opponents", "random", "--json", "-"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["opponents"] == "random"
    assert [(row["door"], row["lines"], row["credited"], row["share"]) for row in data["rows"]] == [
        ("slow", 6, 1.0, None)
    ]


@pytest.mark.exhaustive
@pytest.mark.filterwarnings("ignore:PettingZoo in TorchRL:UserWarning")  # as above
def test_all_doors_and_peers_stand_side_by_side(tmp_path: Path) -> None:
    files = [str(tmp_path / name) for name in ("peers.json", "peers.svg")]
    arguments = ["bench", "--peers", "--seconds", "0.01", "--repeats", "1", "--json", files[0], "--picture", files[1]]
    assert main(arguments) == 0
    rows = json.loads(Path(files[0]).read_text())["rows"]
    assert {"kernel_observed_uint8", "vector_env", "aec_env", "pyspiel_tensor"} < {row["name"] for row in rows}
    assert {door.name for door in DOORS} < {row["name"] for row in rows}
    assert [row["rate"] for row in rows] == sorted((row["rate"] for row in rows), reverse=True)
    assert Path(files[1]).read_text().startswith("<?xml")


def test_a_picture_is_of_peers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--picture", "speed.png"]) == 2
    assert "--picture speed.png is for --peers" in capsys.readouterr().err
