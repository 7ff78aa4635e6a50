"""Make a trained network one that comes with the suite: ``python -m hearts_training.ship FOLDER NAME``.

It measures the network alone among three of each of some agents, and each of these alone among three of the network,
and writes it in half precision to ``hearts_agents/weights/NAME``, with a card of where it comes from and how it plays.
"""

from __future__ import annotations

import json
import os
import platform
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro

import hearts_env
from hearts_agents.arena import run_arena
from hearts_agents.files import read_file
from hearts_agents.neural import load_policy, save_policy
from hearts_agents.neural.policy import DESCRIPTION_FILE
from hearts_agents.weights import FOLDER

MOST_BYTES = 3_000_000


@dataclass(frozen=True)
class Ship:
    """Measure a trained network and put it among those that come with the suite."""

    folder: Annotated[Path, tyro.conf.Positional]
    """Folder of the network."""
    name: Annotated[str, tyro.conf.Positional]
    """Its name, that of the variant or one that begins with it."""
    commands: tuple[str, ...]
    """The commands that made it."""
    hours: float
    """How long they took, in hours."""
    opponents: tuple[str, ...] = ("rule", "shooter", "guard")
    """Agents to measure it with."""
    deals: int = 5000
    """Deals for each of them."""
    search_deals: int = 500
    """Deals with pimc(worlds=64); 0 for none."""
    matches: bool = False
    """Play whole matches: `deals` and `search_deals` count matches."""
    seed: int = 2026
    """Fixes the deals."""

    def run(self) -> dict[str, Any]:
        """Measure, write, and return the card."""
        net, info = load_policy(self.folder)
        card = {
            **info.extra,
            "made_by": list(self.commands),
            "hours": self.hours,
            "machine": f"{os.cpu_count()} cores, {platform.machine()}",
            "version": hearts_env.__version__,
        }
        weights = 2 * sum(value.numel() for value in net.state_dict().values())
        if weights > MOST_BYTES:
            raise ValueError(f"{self.folder}: {weights:,} bytes in half precision are more than {MOST_BYTES:,}")
        target = FOLDER / self.name
        run = json.loads(read_file(self.folder / DESCRIPTION_FILE)).get("run", [])
        save_policy(target, net, info.rules, card, half=True, run=run)  # what is measured is what is shipped
        rows = [(name, self.deals) for name in self.opponents]
        rows += [("pimc(worlds=64)", self.search_deals)] if self.search_deals else []
        card["results"] = {
            "seatings": "one-vs-rest",
            "seed": self.seed,
            "against": {name: self._measure(target, name, deals) for name, deals in rows},
        }
        save_policy(target, net, info.rules, card, half=True, run=run)
        return card

    def _measure(self, target: Path, opponent: str, deals: int) -> dict[str, Any]:
        """Margins, own points minus the mean of the others, of each alone among three of the other; and what it won."""
        rules, agents = load_policy(target)[1].rules, [f"net:{target}", opponent]
        if self.matches:
            table = run_arena(agents, rules, matches=deals, seed=self.seed)
        else:
            table = run_arena(agents, rules, deals, seed=self.seed)
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


if __name__ == "__main__":
    print(json.dumps(tyro.cli(Ship).run(), indent=2))
