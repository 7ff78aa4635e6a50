"""Networks that come with the suite: ``net:NAME`` plays by one of them. Each folder holds a policy and its card.

The card is the ``extra`` of its description (`CARDS`): data, seed, commands, hours, machine and results of the network.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

from hearts_env.benchmark.domain import of_deals
from hearts_env.compiled.game import Game, compile_game
from hearts_env.ruleset.model import Rules
from hearts_env.seat.observation import layout_of
from hearts_env.variants.registry import rules as read_rules

FOLDER = Path(__file__).parent
CARDS = ("policy.json", "general.json")
"""The description of a network for one game, and of one for all rules."""
SMALL = "small.safetensors"
"""The small network that was distilled from one, for rollouts (`hearts_agents.search.distilled`)."""
ONE_PACK = 64
"""Most cards for which a search over a large network tries eight worlds in time."""
GENERAL_NAME = "hearts"
"""The network for all rules."""


def shipped() -> list[str]:
    """The names of the networks.

    >>> "black_lady" in shipped()
    True
    """
    return sorted(file.parent.name for name in CARDS for file in FOLDER.glob(f"*/{name}"))


def folder_of(name_or_folder: str | Path) -> Path:
    """The folder of a network that comes with the suite, or the folder given; the text ``./NAME`` is a folder."""
    return FOLDER / name_or_folder if str(name_or_folder) in shipped() else Path(name_or_folder)


def network_spec(folder: Path) -> str:
    """The spec of the network in a folder, which may have the name of one that comes with the suite.

    >>> network_spec(Path("runs/first")), network_spec(Path("./black_lady"))
    ('net:runs/first', 'net:./black_lady')
    """
    return f"net:./{folder}" if str(folder) in shipped() else f"net:{folder}"


def strongest_agent(rules: Rules | str, search: bool = False) -> str:
    """The spec of the strongest quick agent for some rules: the network that was trained on their deals, by transfer if
    the observation is another, otherwise the one for all rules.

    With `search` it is the strongest search at 50 ms of CPU a decision or less on one core: over a network, with its
    small network where it has one, or over the rule agent where the network plays by transfer.

    >>> [strongest_agent(text) for text in ("black_lady", "danger_hearts", "black_lady(players=6)")]
    ['net:black_lady', 'net(black_lady, transfer=true)', 'net:hearts']
    >>> strongest_agent("black_lady", search=True)
    'net+pimc(black_lady, worlds=64, candidates=256, small=true)'
    """
    rules = read_rules(rules)
    deals, game, moved = of_deals(rules), compile_game(rules), ""
    for file in sorted(FOLDER.glob("*/policy.json")):
        name, trained_on = file.parent.name, json.loads(file.read_text(encoding="utf-8"))["rules"]
        if of_deals(read_rules(trained_on)) == deals:
            if fits(trained_on, game):
                return _searching(name, game) if search else f"net:{name}"
            moved = moved or f"net({name}, transfer=true)"
    if search:
        return "pimc(worlds=64)" if moved else _searching(GENERAL_NAME, game)
    return moved or f"net:{GENERAL_NAME}"


def _searching(name: str, game: Game) -> str:
    if (FOLDER / name / SMALL).is_file():
        return f"net+pimc({name}, worlds=64, candidates=256, small=true)"
    worlds = 8 if int(game.tables["deck_size"]) <= ONE_PACK else 4  # large packs make long rollouts
    return f"net+pimc({name}, worlds={worlds})"


def fits(trained_on: str, game: Game) -> bool:
    """True if a game has the columns and actions of the one that a network was trained on."""
    return trained_on == str(game.rules) or _shape(trained_on) == _shape(str(game.rules))


@lru_cache(maxsize=256)
def _shape(rules: str) -> tuple[object, ...]:
    """The columns of the observation and the actions of a game."""
    game = compile_game(read_rules(rules))
    return tuple((name, field.shape) for name, field in layout_of(game).items()), game.actions
