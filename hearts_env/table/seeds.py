"""Seeds for the random choices of agents, which reveal nothing about the deals."""

from __future__ import annotations

from hashlib import blake2b

_DOMAIN = b"hearts agents"


def agent_seed(*parts: int) -> int:
    """A seed for an agent, derived from whole numbers such as the seed of the deals and a seat.

    It is a cryptographic hash (BLAKE2b) under a domain of its own, so the deals cannot be computed from it. A seed of
    the deals that is easily guessed is not protected by that: whoever tries a million seeds finds a number below a
    million by the hands alone.

    Returns:
        A whole number from 0 to 2**63 - 1.

    >>> agent_seed(7, 0), agent_seed(7, 1)
    (1087304562413385687, 642303825978846684)
    """
    text = ",".join(map(str, parts)).encode()
    return int.from_bytes(blake2b(text, digest_size=8, person=_DOMAIN).digest(), "big") >> 1
