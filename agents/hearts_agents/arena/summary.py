"""From what the chunks of an arena gave to its result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_agents.arena.play import RATED_TABLES, Job, Key, Part
from hearts_agents.arena.luck import Features, adjust
from hearts_agents.arena.measures import MEASURES, units_of
from hearts_agents.arena.ratings import rate_agents
from hearts_agents.arena.results import AgentResult, ArenaResult, PairResult
from hearts_agents.arena.stats import Mean, mean_of
from hearts_env.compiled.game import compile_game

_DEALS, _WON = MEASURES.index("deals"), MEASURES.index("won")


class Summary:
    """The finished chunks of a job, in the order of their units."""

    def __init__(self, job: Job, names: Sequence[str], parts: Sequence[Part]) -> None:
        """Gather the chunks.

        Args:
            job: what was played.
            names: the agents' spec strings.
            parts: one chunk or more, in any order.
        """
        parts = sorted(parts, key=lambda part: part.first)
        self.job, self.names, self.keys = job, names, job.keys
        self.sums = np.concatenate([part.sums for part in parts], axis=2)
        self.costs = np.concatenate([part.costs for part in parts])
        self.seconds = np.sum([part.seconds for part in parts], axis=0)
        self.decisions = np.sum([part.decisions for part in parts], axis=0)
        self.faults = [sum((Counter(part.faults[agent]) for part in parts), Counter()) for agent in range(len(names))]
        self.seats = job.counted().sum(axis=0)
        self.units = units_of(compile_game(job.rules))

    def result(self, kind: str, luck: Features | None, seconds: float) -> ArenaResult:
        """The result: `kind` of seating, `luck` of the deals where it is adjusted for, `seconds` it took."""
        ratings = rate_agents(len(self.names), [s.lineup for s in self.job.seatings], self.costs, RATED_TABLES)
        whole = self.job.whole_matches
        units = self.sums.shape[2]
        length = float(self.sums[_DEALS].sum() / (self.seats.sum() * units))
        return ArenaResult(
            variant=str(self.job.rules),
            deals=round(length * units),
            seed=self.job.seed,
            seatings=kind,
            agents=tuple(self._agent(index, luck, ratings) for index in range(len(self.names))),
            pairs=tuple(self._pair(key) for key in self.keys if key[1] is not None),
            matches=units if whole else None,
            deals_per_match=length if whole else None,
            seconds=seconds,
        )

    def margins(self, key: Key) -> NDArray[np.float64]:
        """(units,) margin per deal of an agent against one rival."""
        return self._per_unit(MEASURES.index("margin"), [self.keys.index(key)])

    def _per_unit(self, measure: int, places: Sequence[int]) -> NDArray[np.float64]:
        """(units,) a measure per deal, or ``won`` per match, over some of the keys."""
        sums = self.sums[:, places].sum(axis=1)
        count: Any = self.seats[places].sum() if measure == _WON else sums[_DEALS]
        found: NDArray[np.float64] = sums[measure] / (count * self.units.get(MEASURES[measure], 1))
        return found

    def _means(self, places: Sequence[int]) -> dict[str, Mean]:
        return {name: mean_of(self._per_unit(index, places)) for index, name in enumerate(MEASURES)}

    def _agent(self, agent: int, luck: Features | None, ratings: list[tuple[float, float]] | None) -> AgentResult:
        places = [place for place, key in enumerate(self.keys) if key[0] == agent]
        found = self._means(places)
        adjusted = None if luck is None else adjust(self._per_unit(MEASURES.index("margin"), places), luck)
        rating = (None, None) if ratings is None or len(ratings) == 1 else ratings[agent]
        return AgentResult(
            name=self.names[agent],
            points=found["points"].value,
            points_se=found["points"].error,
            points_ci=found["points"].interval,
            margin=found["margin"].value,
            margin_se=found["margin"].error,
            margin_ci=found["margin"].interval,
            moons_shot=found["shot"].value,
            moons_attempted=found["attempted"].value,
            moons_conceded=found["conceded"].value,
            queens=found["queens"].value,
            ms_per_decision=1000 * float(self.seconds[agent]) / max(int(self.decisions[agent]), 1),
            decisions=int(self.decisions[agent]),
            won=found["won"].value if self.job.whole_matches else None,
            margin_adjusted=None if adjusted is None else adjusted.margin.value,
            margin_adjusted_se=None if adjusted is None else adjusted.margin.error,
            margin_adjusted_ci=None if adjusted is None else adjusted.margin.interval,
            variance_removed=None if adjusted is None else adjusted.removed,
            rating=rating[0],
            rating_sigma=rating[1],
            faults=dict(self.faults[agent]),
        )

    def _pair(self, key: Key) -> PairResult:
        found, rival = self._means([self.keys.index(key)]), key[1]
        assert rival is not None
        points, margin = found["points"], found["margin"]
        return PairResult(self.names[key[0]], self.names[rival], points.value, points.error, margin.value, margin.error)
