"""Mixtures of agents, of which one plays a deal: ``0.5*rule; 0.3*net:runs/a; 0.2*shooter``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b, sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_agents.base import Agent, identity_of
from hearts_env.checks import whole_array
from hearts_env.compiled.game import Game
from hearts_env.envs.mixture import Mixture, shares_of
from hearts_env.kernel.records import Phase
from hearts_env.seat.view import View, Views

_WORTH = np.random.default_rng(0).integers(2**64, size=64, dtype=np.uint64)
"""A number for each kind of card; their sum modulo 2**64 identifies a hand (Zobrist hashing)."""
_KINDS = np.arange(64, dtype=np.uint64)


class MixtureAgent(Agent, Mixture):
    """Several agents, one of which plays each deal with a probability proportional to its weight.

    Where tables are set up (the arena, `hearts exploit`, data) one draw a table holds for all seats of the mixture; it
    depends on the cards dealt, so it is the same in every seating of a deal. Environments draw for each episode.
    Anywhere else a seat draws for itself, by the cards that it was dealt.

    Attributes:
        parts: the agents.
        weights: their weights.

    >>> from hearts_agents import make_agent
    >>> agent = make_agent("3*rule; random")
    >>> agent.name, [part.name for part in agent.parts], agent.weights
    ('3*rule; random', ['rule', 'random'], [3.0, 1.0])
    """

    def __init__(self, parts: Sequence[Agent], weights: Sequence[float] | None = None) -> None:
        """Make a mixture of agents with weights above 0, which need not sum to 1 and are equal by default.

        Raises ValueError for no parts, or weights that do not fit them.
        """
        self.parts = [*parts]
        Mixture.__init__(self, *self.parts, weights=weights)
        self.name = "; ".join(f"{one:g}*{part.name}" for one, part in zip(self.weights, self.parts, strict=True))
        self.stateful = any(part.stateful for part in self.parts)
        self.external = any(part.external for part in self.parts)
        self.tables_at_once = min(part.tables_at_once for part in self.parts)
        self.digest = sha256("\n".join(identity_of(part)["digest"] for part in self.parts).encode()).hexdigest()
        self.trained_on = "; ".join(dict.fromkeys(part.trained_on for part in self.parts if part.trained_on))
        self._ends = np.cumsum(shares_of(self.weights))

    @property
    def faults(self) -> Mapping[str, int]:  # type: ignore[override]
        """Those of all parts."""
        return _total(part.faults for part in self.parts)

    @property
    def usage(self) -> Mapping[str, int]:  # type: ignore[override]
        """That of all parts."""
        return _total(part.usage for part in self.parts)

    def reset(self, seed: int) -> None:
        """Restart every part from the same seed."""
        for part in self.parts:
            part.reset(seed)

    def notice(self, game: Game) -> str:
        """The first notice of a part."""
        return next(filter(None, (part.notice(game) for part in self.parts)), "")

    def act_batch(self, views: Views) -> NDArray[np.int64]:
        """One legal action per view, (n,), each by the part that the seat draws."""
        return self.act_as(self._drawn(views.game, views.records, views.records["seat"]), views)

    def act_as(self, parts: NDArray[np.int64], views: Views) -> NDArray[np.int64]:
        """One legal action per view, (n,); `parts` (n,) are the places of those who decide."""
        actions = np.zeros(len(views), np.int64)
        for place in np.unique(parts):
            rows = np.flatnonzero(parts == place)
            part, some = self.parts[place], Views(views.game, views.records[rows], check=False)
            actions[rows] = whole_array(f"the actions of {part.name}", part.act_batch(some), (len(rows),))
        return actions

    def on_deal_end(self, view: View) -> None:
        """Report the end of the deal to the part that the seat drew."""
        self.parts[self._drawn(view.game, view.record[None], np.array([view.seat]))[0]].on_deal_end(view)

    def draw(self, states: NDArray[Any], holder: int = 0) -> NDArray[np.int64]:
        """Places of the parts (n,) that play tables, by the hands of their `STATE` records and a number of the holder:
        two mixtures at a table draw independently.
        """
        hands = states["hands"].reshape(len(states), -1)
        return self._choose(np.column_stack([np.full(len(states), holder, np.uint64), hands]))

    def _drawn(self, game: Game, records: NDArray[Any], seats: NDArray[Any]) -> NDArray[np.int64]:
        return self._choose(dealt_codes(game, records, seats)[:, None])

    def _choose(self, codes: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Places of parts (n,), each drawn by a row of numbers."""
        words = [int.from_bytes(blake2b(row.tobytes(), digest_size=6).digest()) for row in codes]
        places: NDArray[np.int64] = np.searchsorted(self._ends[:-1], np.array(words) / 2.0**48, "right")
        return places


def dealt_codes(game: Game, records: NDArray[Any], seats: NDArray[Any]) -> NDArray[np.uint64]:
    """Codes (n,) of the cards that a seat of each record was dealt: equal throughout a deal.

    >>> import hearts_env as he
    >>> match, codes = he.Match("black_lady", seed=7), set()
    >>> while match.deal_number == 0:
    ...     record = match.view(2).record[None]
    ...     codes.add(int(dealt_codes(match.game, record, np.array([2]))[0]))
    ...     match.play(match.legal()[0])
    >>> len(codes)
    1
    """
    rows, tables = np.arange(len(records)), game.tables
    held = np.stack([records["hands"][rows, seats], records["played_by"][rows, seats]])
    cards = held[..., None] >> _KINDS & np.uint64(1)
    option = records["pass_option"]
    passed = np.where((option >= 0) & (records["phase"] > Phase.PASS), tables["option_cards"][option], 0)
    picked = int(tables["hand_size"]) - cards.sum(axis=(0, 2, 3)).astype(np.int64) + passed
    codes: NDArray[np.uint64] = (cards * _WORTH).sum(axis=(0, 2, 3), dtype=np.uint64)
    for name, count, sign in (("picks", picked, 1), ("received", passed, -1)):
        kinds = records[name][rows, seats]
        counted = np.arange(kinds.shape[1]) < count[:, None]
        codes += np.uint64(sign % 2**64) * (counted * _WORTH[kinds]).sum(axis=1, dtype=np.uint64)
    return codes


def _total(counts: Iterable[Mapping[str, int]]) -> Counter[str]:
    return sum(map(Counter, counts), Counter[str]())
