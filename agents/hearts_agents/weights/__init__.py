"""Networks that come with the suite, by name: ``net:NAME`` plays by one. Each folder holds a policy with its card.

The card is the ``extra`` of ``policy.json``: data, seed, commands, hours, machine and results of the network.
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent


def shipped() -> list[str]:
    """The names of the networks.

    >>> "black_lady" in shipped()
    True
    """
    return sorted(file.parent.name for file in FOLDER.glob("*/policy.json"))


def folder_of(name_or_folder: str | Path) -> Path:
    """The folder of a network that comes with the suite, or the folder given; ``./NAME`` is always a folder."""
    return FOLDER / name_or_folder if str(name_or_folder) in shipped() else Path(name_or_folder)
