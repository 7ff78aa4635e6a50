"""Work on a Ray cluster: the same results as on one machine, whoever works and whoever dies."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
import yaml

from hearts_agents.arena import run_arena
from hearts_agents.workers import spread
from hearts_agents.workers.cluster import check_identity, identity
from tests.arena.test_arena_runs import untimed
from tests.cluster.kills import COMMANDS, Killer, training, works

ARENA: dict[str, Any] = {"agents": ["rule", "random"], "seed": 2, "tables_at_once": 16}


def refuses(item: int) -> int:
    raise ValueError(f"item {item} is not possible")


def refusing() -> Callable[[int], int]:
    return refuses


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.release] * (name != "arena")) for name in COMMANDS]
)
def test_a_command_gives_the_same_on_a_cluster_and_errors_are_unchanged(
    name: str, address: str, tmp_path: Path
) -> None:
    assert COMMANDS[name](address, tmp_path / "cluster", 1) == COMMANDS[name](1, tmp_path / "here", 1)
    with pytest.raises(ValueError, match=r"^item 3 is not possible$"):
        list(spread(refusing, [3], address))


# --- faults --------------------------------------------------------------------------------------


@pytest.mark.release
def test_a_machine_that_is_killed_changes_no_table(nodes: Any, address: str) -> None:
    """While its workers play: their chunks are played again elsewhere."""
    killed: list[Any] = []

    def kill(share: float) -> None:
        if not killed:
            killed.append(next(iter(nodes.worker_nodes)))
            nodes.remove_node(killed[0], allow_graceful=False)
            nodes.add_node(num_cpus=1)

    more = ARENA | {"deals": 200}
    assert untimed(run_arena(workers=address, progress=kill, **more)) == untimed(run_arena(**more))
    assert killed


@pytest.mark.release
def test_learners_and_a_machine_that_are_killed_change_nothing(nodes: Any, address: str, tmp_path: Path) -> None:
    undisturbed = training(1, tmp_path, 8)
    with Killer(most=2, pause=0.3) as killer:
        assert training(address, tmp_path, 8) == undisturbed
    assert killer.killed

    def replace_a_machine(updates: int) -> None:
        if updates == 2:
            nodes.remove_node(next(iter(nodes.worker_nodes)), allow_graceful=False)
            nodes.add_node(num_cpus=1)

    assert training(address, tmp_path, 8, replace_a_machine) == undisturbed


def test_a_worker_with_other_weights_is_refused_by_name() -> None:
    wanted = identity(["rule", "net:black_lady"])
    check_identity(wanted, ["rule", "net:black_lady"], "ada")
    with pytest.raises(ValueError, match=r"^worker ada is refused: it has other weights of net:black_lady; copy"):
        check_identity(wanted | {"net:black_lady": "0"}, ["net:black_lady"], "ada")
    with pytest.raises(ValueError, match=r"^worker ada is refused: it has another hearts_env; install the same"):
        check_identity(wanted | {"hearts_env": "0"}, ["net:black_lady"], "ada")
    with pytest.raises(ValueError, match=r"^worker ada is refused: .*nowhere"):
        check_identity(wanted, ["net:/nowhere"], "ada")


@pytest.mark.parametrize(
    ("workers", "message"),
    [
        (" ", "workers=  is no address; give HOST:PORT of a Ray cluster's head, or auto or local"),
        ("127.0.0.1:1", "workers=127.0.0.1:1: nobody answers there \\(Connection refused\\); is the cluster running"),
        ("head", "workers=head is no address; give HOST:PORT of a Ray cluster's head, or auto or local"),
        (0, "processes=0 must be from 1 to 1024"),
    ],
)
def test_bad_workers(workers: int | str, message: str) -> None:
    with pytest.raises(ValueError, match=rf"^{message}"):
        run_arena(workers=workers, **ARENA)


# --- ready cluster files -------------------------------------------------------------------------

FILES = Path(__file__).parents[2] / "training/cluster"


def test_ray_up_takes_the_cluster_file() -> None:
    from ray.autoscaler._private.util import prepare_config, validate_config

    config = yaml.safe_load((FILES / "ray-up.yaml").read_text())
    validate_config(prepare_config(config))
    assert config["available_node_types"]["worker"]["resources"]["CPU"] * config["max_workers"] == 240


def test_the_cluster_under_kubernetes_has_the_version_of_ray_that_is_tested() -> None:
    import ray

    spec = yaml.safe_load((FILES / "kuberay.yaml").read_text())["spec"]
    assert spec["rayVersion"] == ray.__version__
    assert f"rayproject/ray:{ray.__version__}-py311" in (FILES / "Dockerfile").read_text()
    assert {"headGroupSpec", "workerGroupSpecs"} < spec.keys()


@pytest.mark.exhaustive
@pytest.mark.release
def test_a_ray_of_our_own_ends_with_a_driver_that_is_killed(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hearts_training", "arena", "pimc(worlds=64)", "rule"]
    driver = psutil.Popen(
        [*command, "--deals", "100000", "--workers", "local"], cwd=tmp_path, stderr=subprocess.DEVNULL
    )
    try:
        deadline = time.monotonic() + 120
        while not any(works(one) for one in driver.children(recursive=True)):
            assert time.monotonic() < deadline
            time.sleep(0.5)
        started = driver.children(recursive=True)
    finally:
        driver.kill()
        driver.wait()
    assert len(started) > 6
    assert psutil.wait_procs(started, timeout=30)[1] == []
