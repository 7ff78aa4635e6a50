"""The figures of agents/RESULTS.md, by commands of the suite.

    python training/lab/leaderboard.py play    # what is missing of docs/leaderboard/, an hour of one core
    python training/lab/leaderboard.py draw    # its pictures

Delete a file to have it played again. The tables are written by ``python -m tests.pages --write``.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import tyro
from matplotlib.figure import Figure

from hearts_agents.arena.pictures import draw_map
from hearts_agents.neural.saved import POLICY
from hearts_agents.weights import FOLDER as WEIGHTS
from hearts_agents.weights import GENERAL_NAME, SMALL, shipped, strongest_agent

FOLDER = Path(__file__).parents[2] / "docs" / "leaderboard"
GAMES = ("black_lady", "omnibus_hearts", "gong_zhu", "partnership_hearts")
"""Games in which every agent meets every other."""
DEALS = dict.fromkeys(GAMES, "100") | {"black_lady": "200"}
JUDGED = ("black_lady", "omnibus_hearts", "partnership_hearts")
"""Games whose blunder suite has a judge."""
NETWORKS = tuple(name for name in shipped() if name != GENERAL_NAME)
SEARCHED = tuple(name for name in NETWORKS if (WEIGHTS / name / SMALL).is_file())
"""Networks that have a small one, to search with."""
CROWDED = 20.0
"""Milliseconds from which on the picture has the names of agents to the left of them, one under the other."""
MATCHES = ("complex_hearts",)
"""Networks of games whose winner the points of a deal do not decide: they are measured in matches."""
STUDIED = ("net:black_lady", "net:hearts", "pimc(worlds=64)", "rule")
"""Agents of docs/self_play.md."""
SEARCH = strongest_agent("black_lady", search=True)
LADDER = (
    *("random", "shooter", "guard", "pimc(worlds=8)", "pimc(worlds=32)", "pimc(worlds=128)", "ismcts(rollouts=500)"),
    *("net:hearts", "net:black_lady", SEARCH, "rule"),
)


def commands() -> dict[str, list[str]]:
    """File -> the command that writes it, without ``--json``."""
    found = {"ladder": ["hearts", "arena", *LADDER, "--seatings", "ladder", "--deals", "200", "--seed", "1"]}
    for game in GAMES:
        agents = [f"net:{game}", "net:hearts", "pimc(worlds=8)", "rule", "guard", "shooter", "random"]
        found[game] = ["hearts", "payoff", *agents, "--variant", game, "--deals", DEALS[game], "--seed", "1"]
    for name in NETWORKS:
        rules, lengths = rules_of(name), ["--matches", "100"] if name in MATCHES else ["--deals", "2000"]
        words = ["hearts", "arena", f"net:{name}", "rule", "--variant", rules, *lengths, "--seed", "2026"]
        found[f"net_{name}"] = [*words, "--seatings", "one-vs-rest"]
    for name in SEARCHED:
        rules = rules_of(name)
        words = ["hearts", "arena", strongest_agent(rules, search=True), f"net:{name}", "--variant", rules]
        found[f"search_{name}"] = [*words, "--deals", "120", "--seed", "5", "--seatings", "one-vs-rest"]
    for game in JUDGED:
        agents = [f"net:{game}", "net:hearts", "rule", "guard", "pimc(worlds=64)"]
        found[f"blunders_{game}"] = ["hearts", "evaluate", *agents, "--only", "blunders", "--variant", game]
    for part in ("play", "moons"):
        found[part] = ["hearts", "evaluate", *STUDIED, "--only", part]
    found["passing"] = ["hearts", "evaluate", STUDIED[0], STUDIED[-1], "--only", "passing"]
    return found


def rules_of(name: str) -> str:
    """The text of the rules that a network plays."""
    card: dict[str, Any] = json.loads((WEIGHTS / name / POLICY.description).read_text("utf-8"))
    return str(card["rules"])


def read(name: str) -> dict[str, Any]:
    """A file that `play` wrote."""
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return found


def play() -> None:
    """Play what is missing."""
    FOLDER.mkdir(exist_ok=True)
    for name, words in commands().items():
        if not (FOLDER / f"{name}.json").exists():
            print(shlex.join(words), file=sys.stderr)
            subprocess.run([*words, "--json", str(FOLDER / f"{name}.json")], check=True)


def draw() -> None:
    """Draw the cross tables, and strength by time."""
    figure = Figure(figsize=(13, 11), layout="constrained")
    for axes, game in zip(figure.subplots(2, 2).flat, GAMES, strict=True):
        margins = np.array(read(game)["margins"])
        np.fill_diagonal(margins, np.nan)
        draw_map(axes, [agent["name"] for agent in read(game)["agents"]], margins)
        axes.set_title(game)
    figure.savefig(FOLDER / "cross.png", dpi=90)
    figure = Figure(figsize=(9, 5), layout="constrained")
    axes = figure.subplots()
    shown = [agent for agent in read("ladder")["agents"] if agent["name"] != "random"]
    for place, agent in enumerate(sorted(shown, key=lambda one: float(one["margin"]))):
        time, margin, name = agent["ms_per_decision"], -agent["margin"], agent["name"]
        colour = "tab:red" if "net" in name else "tab:blue"
        axes.errorbar(time, margin, agent["margin_se"], fmt="o", color=colour)
        label = name.replace(SEARCH, "net+pimc:black_lady")
        where = {"xytext": (-6, 14 - 12 * place), "ha": "right"} if time > CROWDED else {"xytext": (6, 4)}
        axes.annotate(label, (time, margin), textcoords="offset points", fontsize=8, color=colour, **where)
    axes.set(xscale="log", xlabel="milliseconds a decision", ylabel="points a deal better than rule")
    axes.grid(alpha=0.3)
    figure.savefig(FOLDER / "strength.png", dpi=100)


if __name__ == "__main__":
    tyro.extras.subcommand_cli_from_dict({"play": play, "draw": draw})
