"""Data sets with one file damaged: a bit flipped, cut, a block of zeros, bytes put in, a part in place of another.

They are read, or the command goes on; a third kind of case (``at large``) does what `files` does to other files.
"""

from __future__ import annotations

from random import Random

from tests.fuzz.attack import Attack, Case
from tests.fuzz.damage import draw_damage
from tests.fuzz.datasets import PARTS, SETS, files_of
from tests.fuzz.files import check


def draw(rng: Random) -> Case:
    """A kind of data set, whether it is read or resumed, and one damage, mostly to a part; or any damage."""
    kind = rng.choice(list(SETS))
    file = f"set/{SETS[kind] if rng.random() < 0.1 else rng.choice(PARTS)}"
    place = round(rng.random(), 6)
    damage = rng.choice(
        [
            ["flip", file, place, rng.randrange(8)],
            ["cut", file, place],
            ["fill", file, place, rng.choice([8, 64, 512, 4096]), 0],
            ["insert", file, place, rng.randbytes(rng.choice([1, 8, 100])).hex()],
            [rng.choice(["exchange", "over"]), f"set/{PARTS[0]}", rng.choice([f"set/{PARTS[1]}", f"other/{PARTS[0]}"])],
        ]
    )
    name = rng.choice([kind, f"{kind} resumed"])
    if name != kind and rng.random() < 0.5:
        return {"format": f"{kind} at large", "damage": draw_damage(files_of(kind), rng)}
    return {"format": name, "damage": [damage]}


ATTACK = Attack("data", draw, check, seconds=60, memory=16)
