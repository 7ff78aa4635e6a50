"""Modules of torch of one's own as agents: saved with the address of their code, moved, and refused in one line."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from hearts_agents import make_agent
from hearts_agents.address import load
from hearts_agents.arena import run_arena
from hearts_agents.neural import TorchAgent
from hearts_agents.registry import names_program
from tests.agents.test_agents import positions, views_of

NET = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self, columns: int, actions: int, activation: type, widths: list):
        super().__init__()
        sizes = [columns, *widths]
        layers = [part for size in zip(sizes, sizes[1:]) for part in (nn.Linear(*size), activation())]
        self.body, self.head = nn.Sequential(*layers), nn.Linear(sizes[-1], actions)

    def forward(self, rows, masks):
        return self.head(self.body(rows)) + 0 * masks

def made(**arguments):
    return Net(**arguments)

def inputs(views):
    rows, masks = views.observations()
    return rows[:, :100], masks

def short(views):
    return views.observations()[0][:, :99], views.observations()[1]
"""
SIZES: dict[str, Any] = {"columns": 100, "actions": 54, "activation": torch.nn.ELU, "widths": [16, 8]}


@pytest.fixture
def code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """What a file of one's own defines, by name; the file lies in the working directory."""
    monkeypatch.chdir(tmp_path)
    Path("net.py").write_text(NET)
    return lambda name: load(f"net.py:{name}")[0]


def test_it_plays_as_before_it_was_saved_and_wherever_it_is_moved(code: Callable[[str], Any], tmp_path: Path) -> None:
    views = views_of(*positions("black_lady", 40, plies=30))
    torch.manual_seed(1)
    agent = TorchAgent(code("Net")(**SIZES).train(), code("inputs"))
    spec = agent.save("runs/one", "black_lady", SIZES, extra={"deals": 5})
    loaded: Any = make_agent(spec)
    assert (spec, loaded.name, loaded.trained_on) == ("py:runs/one", "py:runs/one", "black_lady")
    assert names_program(spec)
    assert agent.module.training
    assert not loaded.module.training
    assert np.array_equal(loaded.logits(views), agent.logits(views))
    assert (views.observations()[1][np.arange(len(views)), loaded.act_batch(views)] == 1).all()
    shares = loaded.probabilities(next(iter(views)))
    assert list(shares.values()) == sorted(shares.values(), reverse=True)
    assert sum(shares.values()) == pytest.approx(1)
    assert run_arena([spec, agent], deals=2, seed=1).agents[0].margin == 0
    shutil.copytree(tmp_path / "runs", tmp_path / "kept" / "runs")
    shutil.copy("net.py", tmp_path / "kept")
    Path("net.py").unlink()
    assert make_agent("py:kept/runs/one").digest == loaded.digest
    with pytest.raises(ValueError, match=r"net.py cannot be imported: FileNotFoundError"):
        make_agent(spec)
    for kind in ("net", "sb3"):
        with pytest.raises(ValueError, match=r"^the network in runs/one runs code of its own; write py:runs/one$"):
            make_agent(f"{kind}:runs/one")
    with pytest.raises(ValueError, match=r"^py:kept/runs/one was trained on black_lady; likha has another"):
        make_agent("py:kept/runs/one").act_batch(views_of(*positions("likha", 1, plies=3)))


def test_the_digest_is_of_weights_and_code(code: Callable[[str], Any]) -> None:
    digests = set()
    for seed, more in ((1, ""), (2, ""), (2, "# more")):
        Path("net.py").write_text(NET + more)
        torch.manual_seed(seed)
        TorchAgent(code("Net")(**SIZES), code("inputs")).save("run", "black_lady", SIZES, make=code("made"))
        digests.add(make_agent("py:run").digest)
    assert len(digests) == 3


def test_what_cannot_be_saved_or_loaded_is_one_line(code: Callable[[str], Any]) -> None:
    net, inputs = code("Net")(**SIZES), code("inputs")

    def refused(line: str, agent: TorchAgent, *given: Any, **more: Any) -> None:
        with pytest.raises(ValueError, match=f"^{line}") as caught:
            agent.save("run", *given, **more)
        assert "\n" not in str(caught.value)
        assert not Path("run").exists()

    refused(".*lambda.* cannot be saved; define it at the top of a file", TorchAgent(net, lambda _: 0), "black_lady")
    refused(r".*net.py:Net does not make the module again of \{\}: ", TorchAgent(net, inputs), "black_lady")
    refused("'likha.' is not of the form", TorchAgent(net, inputs), "likha(", SIZES)
    refused(
        r".*net.py:Net does not play black_lady\(players=5\): ", TorchAgent(net, inputs), "hearts(players=5)", SIZES
    )
    refused(r".*net.py:Net does not play black_lady: .* cannot be mul", TorchAgent(net, code("short")), "hearts", SIZES)
    refused(
        ".* cannot be saved; arguments are values of JSON", TorchAgent(net, inputs), "hearts", SIZES | {"x": {1j: 2j}}
    )
    Path("run").mkdir()
    with pytest.raises(ValueError, match=r"^run holds no torch.safetensors; py:DIR needs the folder that TorchAgent"):
        make_agent("py:run")
    TorchAgent(net, inputs).save("run", "black_lady", SIZES)
    Path("run/torch.safetensors").write_bytes(Path("run/torch.safetensors").read_bytes()[:-4] + b"abcd")
    with pytest.raises(ValueError, match=r"^run/torch.safetensors is damaged .*digest"):
        make_agent("py:run")
