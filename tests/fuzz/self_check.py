"""No attack: cases that end in every way, for the tests of the campaign."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from random import Random

from tests.fuzz.attack import Attack, Case


def draw(rng: Random) -> Case:
    """A case that is fine."""
    return {"way": "fine", "number": rng.randrange(1000)}


def check(case: Case) -> Counter[str]:
    """End in the way that the case names."""
    way = case["way"]
    if way == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if way == "hang":
        time.sleep(60)
    if way == "raise":
        raise LookupError("two\nlines")
    if way == "leave":
        os._exit(3)
    return Counter(fine=1)


ATTACK = Attack("self_check", draw, check, seconds=2)
