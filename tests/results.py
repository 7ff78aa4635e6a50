"""The tables of agents/RESULTS.md, from the descriptions of networks and the files in docs/leaderboard/."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Any

from hearts_agents.neural.saved import GENERAL, POLICY
from hearts_agents.weights import FOLDER, GENERAL_NAME, shipped
from lab.leaderboard import GAMES, JUDGED, NETWORKS, SEARCHED, read


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A Markdown table."""
    titles = list(head)
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)


def code(text: object) -> str:
    """Text as code, empty text as nothing."""
    return f"`{text}`" if str(text) else ""


def card(name: str) -> dict[str, Any]:
    """How a network that comes with the suite was made, and what was measured of it."""
    kind = GENERAL if name == GENERAL_NAME else POLICY
    found: dict[str, Any] = json.loads((FOLDER / name / kind.description).read_text(encoding="utf-8"))["extra"]
    return found


def signed(value: float, error: float) -> str:
    """A margin with its error."""
    digits = 1 if error >= 1 else 2
    return f"{value:+.{digits}f} ± {error:.{digits}f}".replace("-", "−")


def networks() -> str:
    """Every network of one game among `rule`, and `rule` among it."""
    rows = []
    for name in NETWORKS:
        found = read(f"net_{name}")
        own, rule = found["agents"]
        if found["matches"]:
            margins = [f"{one['won']:.1%} ± {one['won_se']:.1%} of matches" for one in (own, rule)]
        else:
            margins = [signed(one["margin"], one["margin_se"]) for one in (own, rule)]
        moons = f"{own['moons_shot']:.1%}, {own['moons_conceded']:.1%}"
        rows.append([code(f"net:{name}"), f"{found['deals']:,}", *margins, moons, f"{own['ms_per_decision']:.2f}"])
    head = ["network", "deals", "among `rule`", "`rule` among it", "moons shot, conceded", "ms"]
    return table(head, rows)


def general() -> str:
    """The scores of `net:hearts` among `rule`, from its description."""
    results = card(GENERAL_NAME)["results"]
    kinds = {"P": "registered variants", "V": "rules that it was not trained on"}
    rows = []
    for name, what in kinds.items():
        score, (low, high) = results[name]["score"], results[name]["score_ci"]
        count = sum(row[2] is not None for row in results["P"]["rules"].values()) if name == "P" else 64
        rows.append([f"{count} {what}", f"{score:.3f} [{low:.3f}, {high:.3f}]", f"{results[name]['above']:.0%}"])
    return table(["`net:hearts` in", "score", "ahead of `rule` in"], rows)


def cross() -> str:
    """Elo numbers, and the agents that the equilibrium of the cross table plays."""
    rows = []
    for game in GAMES:
        found = read(game)
        best = sorted(found["agents"], key=lambda one: -one["elo"])
        elo = ", ".join(f"{code(one['name'])} {one['elo']:+.0f}" for one in best)
        rows.append([code(game), elo.replace("-", "−"), code(found["mixture"])])
    return table(["game", "Elo", "Nash equilibrium"], rows)


def strength() -> str:
    """The agents of `black_lady` alone among `rule`, the strongest first."""
    agents = sorted(read("ladder")["agents"], key=lambda one: one["margin"])
    rows = [
        [
            code(one["name"]),
            signed(one["margin"], one["margin_se"]) if one["name"] != "rule" else "0",
            f"{one['moons_shot']:.1%}, {one['moons_conceded']:.1%}",
            f"{one['ms_per_decision']:.2g}",
        ]
        for one in agents
    ]
    return table(["agent", "margin", "moons shot, conceded", "ms"], rows)


def searches() -> str:
    """The search over each network that has a small one, alone among copies of the network."""
    rows = []
    for name in SEARCHED:
        own = read(f"search_{name}")["agents"][0]
        rows.append([code(f"net:{name}"), signed(own["margin"], own["margin_se"]), f"{own['ms_per_decision']:.0f}"])
    return table(["network", "margin of the search", "ms"], rows)


def blunder_rates() -> str:
    """Shares of wrong choices in the blunder suite, over the games of `JUDGED`."""
    found: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for game in JUDGED:
        for one in read(f"blunders_{game}")["blunders"]:
            agent = one["agent"].replace(f"net:{game}", "the game's network")
            found.setdefault((one["kind"], agent), []).append((one["wrong"], one["spots"]))
    agents, kinds = (list(dict.fromkeys(key[place] for key in found)) for place in (1, 0))
    rows = ([code(kind), *(_share(found[kind, agent]) for agent in agents)] for kind in kinds)
    return table(["wrong", *(agent if " " in agent else code(agent) for agent in agents)], rows)


def _share(counts: list[tuple[int, int]]) -> str:
    wrong, spots = map(sum, zip(*counts, strict=True))
    return f"{wrong / spots:.0%}"


HABITS = {
    "bleeds_spades": "leads a low spade to drive the queen out",
    "ducks": "last to play, ducks under points",
    "ducks_high": "last to play, plays the highest card that ducks",
    "throws_queen": "throws the queen when void",
    "begins_moon": "begins a moon",
    "finishes_moon": "finishes the moon begun",
}
"""Habit -> what it is."""


def habits() -> str:
    """How often agents follow habits that books describe, and what they do in the moon suite."""
    found = {(one["habit"], one["agent"]): one for one in read("play")["play"]}
    moons = {one["agent"]: one for one in read("moons")["moons"]}

    rows = [[words, *(f"{found[name, agent]['rate']:.0%}" for agent in moons)] for name, words in HABITS.items()]
    for name, words in (("shot", "shoots"), ("conceded", "concedes")):
        rows.append([f"moon suite: {words}", *(f"{one[name]:.0%}" for one in moons.values())])
    return table(["where it could, it", *map(code, moons)], rows)


def made() -> str:
    """The start, hours and deals of every network."""
    rows = []
    for name in NETWORKS:
        extra = card(name)
        commands = " ".join(extra["made_by"])
        others = [one for one in re.findall(r"--start (\w+)", commands) if one in shipped() and one != name]
        first = extra["made_by"][0].split()[1]
        start = "a search" if first in ("label", "distil") else code(f"net:{others[0]}") if others else "random weights"
        rows.append([code(f"net:{name}"), start, f"{extra['deals']:,}", f"{extra['hours']:g}"])
    return table(["network", "from", "deals of self-play", "hours"], rows)


RESULTS: dict[str, Callable[[], str]] = {
    "networks": networks,
    "general": general,
    "cross": cross,
    "strength": strength,
    "searches": searches,
    "blunder-rates": blunder_rates,
    "made": made,
}
"""Name of a part of the page -> what writes it."""
