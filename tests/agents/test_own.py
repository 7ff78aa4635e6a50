"""Agents of one's own: ``py:FILE.py:Class(n=1)``, ``py:package.module:Class(...)``, and those of packages."""

import hashlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import hearts_env as he
from hearts_agents import Agent, make_agent
from hearts_agents.arena import run_arena
from hearts_agents.registry import names_program

ROOT = Path(he.__file__).parents[1]

BOT = """
import helper
from hearts_agents import Agent

class Place:
    trained_on = "queens"
    def __init__(self, place: int = 0, last=False):
        self.place = -1 if last else place
    def act(self, view):
        return view.legal()[self.place % len(view.legal())]
    def probabilities(self, view):
        return "mine"

class Whole(Agent):
    def act(self, view):
        return helper.first(view)

def policy(observations, masks):
    return masks.argmax(axis=1)

def made(n=1.5):
    return Place(int(n))

class Mute:
    pass

class Picky:
    def __init__(self, hand: list):
        pass
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with agents and a module that they import."""
    (tmp_path / "bot.py").write_text(BOT)
    (tmp_path / "helper.py").write_text("def first(view):\n    return view.legal()[0]\n")
    (tmp_path / "broken.py").write_text("import there_is_no_such_module\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "helper", raising=False)
    monkeypatch.delitem(sys.modules, "bot", raising=False)
    return tmp_path


@pytest.mark.parametrize(
    ("spec", "place"),
    [
        ("py:bot.py:Place", 0),
        ("py:bot.py:Place(place=2)", 2),
        ("py:bot.py:Place(1)", 1),
        ("py:bot.py:Place(last=true)", -1),
        ("py(bot.py:Place(place=2))", 2),
        ("py:bot:made(n=2)", 2),
        ("py:bot:made", 1),
        ("py:bot.py:Whole", 0),
        ("py:./bot.py:policy", 0),
    ],
)
def test_a_class_a_maker_or_a_function_plays(folder: Path, spec: str, place: int) -> None:
    agent = make_agent(spec)
    match = he.Match("black_lady", seed=7)
    view = match.view(0)
    assert view.game.action(agent.act(view)) == view.legal_ids()[place]
    assert agent.act_batch(he.Views.of(view)).tolist() == [view.legal_ids()[place]]
    assert (agent.name, agent.digest) == (spec, hashlib.sha256(BOT.encode()).hexdigest())


def test_what_the_object_states_is_kept(folder: Path) -> None:
    agent = make_agent("py:bot.py:Place")
    assert agent.trained_on == "queens"
    assert agent.probabilities(None) == "mine"  # type: ignore[attr-defined]
    assert not hasattr(agent, "action_values")
    assert isinstance(agent, Agent)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("py:bot.py", "'bot.py' names no class; write FILE.py:CLASS or package.module:CLASS"),
        ("py:bot.py:Plase", "bot.py has no Plase; it defines Place, Whole, policy, made, Mute, Picky"),
        ("py:none.py:Place", "none.py cannot be imported: FileNotFoundError: .*"),
        ("py:broken.py:Place", "broken.py cannot be imported: ModuleNotFoundError: .*there_is_no_such_module.*"),
        ("py:no_module:Place", "no_module cannot be imported: ModuleNotFoundError: .*"),
        ("py:bot.py:Place(plase=1)", "py:bot.py:Place has no parameter 'plase'; the closest is place"),
        ("py:bot.py:Place(place=x)", "py:bot.py:Place: place=x is not possible; place is a whole number"),
        ("py:bot.py:Place(place=1", "py:bot.py:Place.place=1 lacks a bracket at its end"),
        ("py:bot.py:Mute", ".*cannot play: an opponent has a method act.view. or act_batch.views., .*"),
        ("py:bot.py:Picky", "py:bot.py:Picky: hand cannot be written in a spec string; .*"),
        ("py", "'py' lacks source; write py:SOURCE"),
    ],
)
def test_a_wrong_spec_is_one_line(folder: Path, spec: str, words: str) -> None:
    with pytest.raises(ValueError, match=f"^{words}$"):
        make_agent(spec)


def test_it_plays_in_the_arena_and_in_worker_processes(folder: Path) -> None:
    specs = ["py:bot.py:Place(place=1)", "py:bot.py:policy", "rule"]
    one, two = (run_arena(specs, "black_lady", deals=8, seed=1, workers=workers) for workers in (1, 2))
    assert [agent.points for agent in one.agents] == [agent.points for agent in two.agents]


def test_it_is_an_opponent(folder: Path) -> None:
    env = he.vector_env("black_lady", 4)
    env.reset(seed=1)
    assert env.act("py:bot.py:policy").tolist() == env.action_masks.argmax(axis=1).tolist()
    assert (np.asarray(env.act("py:bot.py:Place")) == env.act("py:bot.py:policy")).all()


@pytest.mark.parametrize(
    "value", ["py:bot.py:Place", "rule; py:a.b:C", ["rule", "0.5*py:a.b:C"], {"opponents": "py(x)"}]
)
def test_whoever_names_it_runs_code(value: object) -> None:
    assert names_program(value)
    assert not names_program("net:runs/py")


def test_packages_name_agents_by_entry_points(tmp_path: Path) -> None:
    info = tmp_path / "my_bots-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-bots\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[hearts_agents]\nplacer = my_bots:Place\nrule = my_bots:Place\n")
    (tmp_path / "my_bots.py").write_text(BOT.replace("import helper\n", ""))
    paths = [str(tmp_path), str(ROOT), str(ROOT / "agents")]
    program = f"import sys; sys.path[:0] = {paths!r}\nfrom hearts_agents.registry import AGENTS, make_agent\n"
    program += "agent = make_agent('placer(place=3)')\n"
    program += "print(agent.player.source.place, agent.trained_on, AGENTS['placer'].summary, agent.digest)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout == "3 queens of the package my-bots 1.0 my-bots 1.0\n"
    assert "the plug-in rule = my_bots:Place was left out: there is an agent 'rule' already" in done.stderr
