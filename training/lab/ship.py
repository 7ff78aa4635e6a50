"""Before a release: what needs an environment of its own, and networks that come with the suite.

    python training/lab/ship.py check                   # every step that has not passed with this code
    python training/lab/ship.py network FOLDER NAME     # make a trained network one that comes with the suite
    python training/lab/ship.py general FOLDER          # the same of a network for all rules, net:hearts
    python training/lab/ship.py mean FOLDER FOLDER --out FOLDER   # the mean of networks for all rules

`check` goes through `STEPS`: other releases of Numba, the lowest and the newest versions of all dependencies, the wheel
alone under each Python, MOMAland, frameworks of recipes and texts, CITATION.cff, descriptions of data sets, and the
strength of each network. It writes results, with their date and versions, to
``ship.json``, and goes on where it stopped. `network` measures a network alone among three of each of some agents, and
each of these alone among three of the network, and writes it in half precision to ``hearts_agents/weights/NAME``, with
a card of where it comes from and how it plays. `general` scores a network for all rules over splits of the benchmark.
`mean` takes the mean of the weights of runs that started from one network (model soups: Wortsman et al. 2022,
arXiv:2203.05482).
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
import tomllib
import venv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import tyro

import hearts_env
from hearts_agents.arena import run_arena
from hearts_agents.files import read_file, write_file
from hearts_agents.neural import NetAgent, PolicyInfo, PolicyNet, load_policy, save_policy
from hearts_agents.neural.features import FACTS
from hearts_agents.neural.rulesnet import load_general, save_general
from hearts_agents.neural.saved import GENERAL, POLICY, is_general
from hearts_agents.weights import FOLDER, GENERAL_NAME, shipped
from hearts_env.benchmark.splits import split
from hearts_env.compiled.game import compile_game
from hearts_training.evaluate.benchmark import Scorer
from hearts_training.evaluate.scores import summarize

ROOT = Path(__file__).parents[2]
RESULTS = Path(__file__).with_suffix(".json")
SOURCES = ("hearts_env", "agents/hearts_agents", "training/hearts_training", "training/recipes")
VERSIONS = ("numba", "numpy", "torch", "gymnasium", "pettingzoo", "stable_baselines3", "ray", "momaland", "tianshou")
"""Packages whose versions are kept."""
TEXT = {"TextArena": ("textarena",), "verifiers": ("verifiers", "uv"), "openenv": ("openenv",)}
"""What the door of each text framework needs; the versions of these are kept, too."""

CITATION = "import sys; from cffconvert.cli.cli import cli; sys.argv.append('--validate'); cli()"


@dataclass(frozen=True)
class Step:
    """Something to try in an environment of its own.

    Attributes:
        arguments: those of Python.
        installs: arguments of pip, one tuple for each call of it; without any, the environment that runs is used.
    """

    arguments: tuple[str, ...]
    installs: tuple[tuple[str, ...], ...] = ()

    def run(self) -> dict[str, Any]:
        """Whether it passed, the last line that it printed, and the versions that it ran with."""
        if not self.installs:
            return _outcome(sys.executable, self.arguments, dict(os.environ))
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        with tempfile.TemporaryDirectory() as folder:
            venv.create(folder, with_pip=True)
            python = str(Path(folder, "Scripts" if os.name == "nt" else "bin", "python"))
            for packages in self.installs:
                installed = _outcome(python, ("-m", "pip", "install", "-q", *packages), environment)
                if not installed["passed"]:
                    return installed
            return _outcome(python, self.arguments, environment)


def _outcome(python: str, arguments: tuple[str, ...], environment: dict[str, str]) -> dict[str, Any]:
    done = subprocess.run([python, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stdout, done.stderr, file=sys.stderr)
    listing = [python, "-m", "pip", "list", "--format=json"]
    listed = subprocess.run(listing, env=environment, capture_output=True, text=True, check=False)
    found = {one["name"]: one["version"] for one in json.loads(listed.stdout or "[]")}
    return {
        "passed": done.returncode == 0,
        "summary": (done.stdout.strip().splitlines() or [""])[-1].strip("= "),
        "versions": {"python": platform.python_version()}
        | {name: found[name] for name in (*VERSIONS, *TEXT) if name in found},
    }


def lowest(requirements: list[str]) -> list[str]:
    """The lowest versions that requirements allow.

    >>> lowest(["numpy>=2.0", "ray[default]>=2.50"])
    ['numpy==2.0.*', 'ray[default]==2.50.*']
    """
    return [re.sub(r">=(\d+\.\d+)(\.\d+)*$", r"==\1.*", one) for one in requirements]


def steps() -> dict[str, Step]:
    """Every step of `check`, by name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = [*project["dependencies"], *project["optional-dependencies"]["training"]]
    everything, pinned = ("-e", f"{ROOT}[dev]"), ("-c", str(ROOT / "constraints.txt"), "-e", f"{ROOT}[dev]")
    pytest, kernel = ("-m", "pytest", "-q", "-n", "2"), ("-m", "pytest", "-q", "-n", "2", "tests/kernel")
    tools = ("pytest>=8.2", "pytest-xdist>=3.6", "hypothesis>=6.100")
    numba = next(one for one in needed if one.startswith("numba"))
    strength = {f"strength of net:{name}": Step((__file__, "strength", name)) for name in shipped()}
    doors = {
        f"text: {name}": Step(
            (*pytest[:3], "tests/text/test_doors.py", "-k", name), (("-e", str(ROOT), *packages, *tools),)
        )
        for name, packages in TEXT.items()
    }
    wheels = {
        f"wheel, {python}": Step(("training/lab/packages.py", "--python", python), (("hatchling>=1.25", "tyro>=0.9"),))
        for python in ("python3.11", "python3.12", "python3.13")
    }
    return {
        **strength,
        **doors,
        "long tests": Step((*pytest, "-m", "release")),
        **wheels,
        "croissant": Step(
            (*pytest[:3], "tests/training/test_record.py", "-k", "croissant"), (pinned, ("mlcroissant[parquet]",))
        ),
        "citation": Step(("-c", CITATION), (("cffconvert",),)),
        "numba, oldest": Step(kernel, ((*everything, *lowest([numba])),)),
        "numba, newest": Step(kernel, (everything,)),
        "dependencies, lowest": Step(
            (*kernel, "tests/seat", "tests/table", "tests/envs"), (("-e", str(ROOT), *lowest(needed), *tools),)
        ),
        "dependencies, newest": Step((*pytest, "-m", "not exhaustive"), (everything,)),
        "MOMAland": Step(
            (*pytest, "tests/envs/test_aec.py", "-k", "momaland"), (pinned, ("momaland==0.2.0", "--no-deps"))
        ),
        "recipes": Step(
            (*pytest, "tests/training/test_recipes.py"), ((*everything, "ray[rllib]", "tianshou", "pandas<3"),)
        ),
        "recipe for AgileRL": Step(
            (*pytest, "tests/training/test_recipes.py", "-k", "agilerl"),
            (("-e", str(ROOT), "agilerl==2.7.1", "tensorboard", *tools),),
        ),
    }


@dataclass(frozen=True)
class Check:
    """Try what needs an environment of its own, and keep the results in training/lab/ship.json."""

    only: tuple[str, ...] = ()
    """Names of steps, or how they begin; all by default."""
    again: bool = False
    """Try steps that have passed with this code, too."""

    def run(self) -> str:
        """Try every step that has not passed with this code. Raises SystemExit, with names, if any fails."""
        failed = []
        for name, step in steps().items():
            if not name.startswith(self.only or ""):
                continue
            results = _results()
            if self.again or not (results.get(name, {}).get("passed") and results[name]["code"] == code()):
                print(f"{name} ...", file=sys.stderr, flush=True)
                results[name] = _timed(step)
                write_file(RESULTS, (json.dumps(results, indent=2) + "\n").encode())
            failed += [] if results[name]["passed"] else [name]
        if failed:
            raise SystemExit(f"failed: {', '.join(failed)}")
        return "every step has passed"


def _results() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    return found


def _timed(step: Step) -> Mapping[str, Any]:
    began, date = time.monotonic(), datetime.now(UTC).date().isoformat()
    outcome = step.run()
    return {"date": date, "release": hearts_env.__version__, "code": code(), **outcome} | {
        "seconds": round(time.monotonic() - began)
    }


def code() -> str:
    """A digest of the packages' source."""
    digest = hashlib.sha256()
    for file in sorted(file for folder in SOURCES for file in (ROOT / folder).rglob("*.py")):
        digest.update(file.relative_to(ROOT).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]


@dataclass(frozen=True)
class Strength:
    """Measure whether a network that comes with the suite beats the rule agent by three standard errors."""

    name: Annotated[str, tyro.conf.Positional]
    """Name of the network."""
    deals: int = 500
    """Duplicate deals, or in a game that is played to its end eight times fewer matches."""

    def run(self) -> str:
        """The margin among three of `rule`. Raises SystemExit if it is not below 0."""
        info = NetAgent(self.name).info
        rules = info.rules if isinstance(info, PolicyInfo) else "black_lady"
        by_match = hearts_env.rules(rules).end.max_deals != 1
        deals, matches = (None, max(1, self.deals // 8)) if by_match else (self.deals, None)
        agent = run_arena([f"net:{self.name}", "rule"], rules, deals, seed=0, matches=matches).agents[0]
        result = f"{agent.margin:+.2f} ± {agent.margin_se:.2f} among three rule"
        if agent.margin + 3 * agent.margin_se >= 0:
            raise SystemExit(f"net:{self.name} has {result}")
        return result


MOST_BYTES = 3_000_000


@dataclass(frozen=True)
class Network:
    """Measure a trained network and put it among those that come with the suite."""

    folder: Annotated[Path, tyro.conf.Positional]
    """Folder of the network."""
    name: Annotated[str, tyro.conf.Positional]
    """Its name, that of the variant or one that begins with it."""
    commands: tuple[str, ...]
    """The commands that made it."""
    hours: float
    """How long they took, in hours."""
    opponents: tuple[str, ...] = ("rule", "shooter", "guard", f"net:{GENERAL_NAME}")
    """Agents to measure it with."""
    deals: int = 5000
    """Deals for each of them."""
    search_deals: int = 500
    """Deals with pimc(worlds=64); 0 for none."""
    matches: bool = False
    """Play whole matches: `deals` and `search_deals` count matches."""
    seed: int = 2026
    """Fixes the deals."""

    def run(self) -> str:
        """Measure, write, and return the card that lies beside the network."""
        net, rules, file, extra = _of_one_game(self.folder)
        card = _card(extra, self.commands, self.hours)
        weights = 2 * sum(value.numel() for value in net.state_dict().values())
        if weights > MOST_BYTES:
            raise ValueError(f"{self.folder}: {weights:,} bytes in half precision are more than {MOST_BYTES:,}")
        target = FOLDER / self.name
        run = json.loads(read_file(file)).get("run", [])
        save_policy(target, net, rules, card, half=True, run=run)  # what is measured is what is shipped
        rows = [(name, self.deals) for name in self.opponents]
        rows += [("pimc(worlds=64)", self.search_deals)] if self.search_deals else []
        card["results"] = {
            "seatings": "one-vs-rest",
            "seed": self.seed,
            "against": {name: self._measure(target, name, deals) for name, deals in rows},
        }
        save_policy(target, net, rules, card, half=True, run=run)
        return json.dumps(card, indent=2)

    def _measure(self, target: Path, opponent: str, deals: int) -> dict[str, Any]:
        """Margins, own points minus the mean of the others, of each alone among three of the other; and what it won."""
        rules, agents = load_policy(target)[1].rules, [f"net:{target}", opponent]
        amounts = (None, deals) if self.matches else (deals, None)
        table = run_arena(agents, rules, amounts[0], seed=self.seed, matches=amounts[1])
        names = ("network_alone", "opponent_alone")
        found: dict[str, Any] = {"matches" if self.matches else "deals": deals}
        for name, agent in zip(names, table.agents, strict=True):
            found[name] = [round(agent.margin, 3), round(agent.margin_se, 3)]
            if agent.won is not None and agent.won_se is not None:
                found[f"{name}_won"] = [round(agent.won, 4), round(agent.won_se, 4)]
        found["shot"], found["conceded"] = (
            round(rate, 4) for rate in (table.agents[0].moons_shot, table.agents[0].moons_conceded)
        )
        return found


def _of_one_game(folder: Path) -> tuple[PolicyNet, str, Path, Mapping[str, Any]]:
    """A policy, its rules, the file that describes it, and what that says beside them.

    Of a network for all rules that was trained on one game, it is the layers of that game.
    """
    if is_general(folder):
        general, about = load_general(folder)
        rules = hearts_env.rules(about.extra["variants"])
        return general.policy(compile_game(rules)), str(rules), folder / GENERAL.description, about.extra
    net, info = load_policy(folder)
    return net, info.rules, folder / POLICY.description, info.extra


def _card(extra: Mapping[str, Any], commands: tuple[str, ...], hours: float) -> dict[str, Any]:
    machine = f"{os.cpu_count()} cores, {platform.machine()}"
    if distilled := extra.get("distilled"):  # the commands have what its labels are from
        extra = {**extra, "distilled": {name: value for name, value in distilled.items() if name != "labels"}}
    return {**extra, "made_by": [*commands], "hours": hours, "machine": machine, "version": hearts_env.__version__}


@dataclass(frozen=True)
class General:
    """Measure a network for all rules and make it net:hearts."""

    folder: Annotated[Path, tyro.conf.Positional]
    """Folder of the network."""
    commands: tuple[str, ...]
    """The commands that made it."""
    hours: float
    """How long they took, in hours of CPU time."""
    splits: tuple[str, ...] = ("P", "V")
    """Splits of the benchmark to score it over; nothing may be chosen by others."""
    most_error: float = 0.02
    """Deals are played until the standard error of the score under each rule is at most this."""

    def run(self) -> str:
        """Measure, write, and return the card that lies beside the network."""
        net, info = load_general(self.folder)
        net.facts.data[FACTS.index("hidden")] = 0  # a policy does not see the hidden hands; zeros are not written
        card, target = _card(info.extra, self.commands, self.hours), FOLDER / GENERAL_NAME
        run = json.loads(read_file(self.folder / GENERAL.description)).get("run", [])
        save_general(target, net, card, half=True, run=run)  # what is measured is what is shipped
        card["results"] = {name: self._score(name) for name in self.splits}
        save_general(target, net, card, half=True, run=run)
        return json.dumps(card, indent=2)

    def _score(self, name: str) -> dict[str, Any]:
        scorer = Scorer(f"net:{GENERAL_NAME}", name, "rule", most_error=self.most_error)
        play = scorer()
        found = [scorer.score(play(place)) for place in range(len(split(name)))]
        rules = {one.why: [one.margin, one.margin_se, one.score, one.error] for one in found} if name == "P" else {}
        return summarize(found) | ({"rules": rules} if rules else {})


@dataclass(frozen=True)
class Mean:
    """Write the mean of the weights of networks for all rules, all of which were trained further from one network."""

    folders: Annotated[tuple[Path, ...], tyro.conf.Positional]
    """Folders of the networks."""
    out: Path
    """Folder to write."""

    def run(self) -> str:
        """Do it; returns where it is. Raises ValueError for networks of different sizes."""
        nets, infos = zip(*map(load_general, self.folders), strict=True)
        sizes = {(info.width, info.depth, info.code) for info in infos}
        if len(sizes) > 1:
            raise ValueError(f"the networks have different sizes (width, depth, code): {sorted(sizes)}")
        (mean, *_), states = nets, [net.state_dict() for net in nets]
        mean.load_state_dict({name: sum(state[name].float() for state in states) / len(nets) for name in states[0]})
        runs = [one for folder in self.folders for one in json.loads(read_file(folder / GENERAL.description))["run"]]
        extra = {name: infos[0].extra[name] for name in ("variants", "told") if name in infos[0].extra}
        extra["deals"] = sum(info.extra.get("deals", 0) for info in infos)  # none where labels taught
        save_general(self.out, mean, extra, run=runs)
        return f"The agent is net:{self.out}"


if __name__ == "__main__":
    commands: dict[str, Callable[..., Any]] = {
        "check": Check,
        "strength": Strength,
        "network": Network,
        "general": General,
        "mean": Mean,
    }
    print(tyro.extras.subcommand_cli_from_dict(commands).run())
