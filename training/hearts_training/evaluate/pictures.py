"""The measures of `hearts evaluate` as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hearts_agents.arena.pictures import draw_shares, plain_text, written
from hearts_training.evaluate.passing import draw_passes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from hearts_env.compiled.game import Game
    from hearts_training.evaluate.blunders import Blunders
    from hearts_training.evaluate.moon_suite import MoonResult
    from hearts_training.evaluate.passing import Passes
    from hearts_training.evaluate.play import Habit


def draw_evaluation(
    passes: list[Passes],
    moons: list[MoonResult],
    blunders: list[Blunders],
    habits: list[Habit],
    game: Game,
    form: str,
) -> bytes:
    """A picture of all that was measured: the passes of each agent, its moons, its blunders by kind, its habits.

    `form` is ``png`` or ``svg``.
    """
    from matplotlib.figure import Figure

    agents, kinds = (list(dict.fromkeys(getattr(one, key) for one in blunders)) for key in ("agent", "kind"))
    names = list(dict.fromkeys(one.habit for one in habits))
    heights = [3.0] * len(passes)
    heights += [1.4 + 0.5 * len(moons)] if moons else []
    heights += [1.4 + 0.3 * len(kinds)] if blunders else []
    heights += [1.4 + 0.5 * len(names)] if habits else []
    figure = Figure(figsize=(11, sum(heights)), layout="constrained")
    parts = list(figure.subfigures(len(heights), 1, squeeze=False, height_ratios=heights)[:, 0])
    for part, one in zip(parts, passes, strict=False):
        draw_passes(part, one, game)
    if moons:
        words = {"tried": "attempted", "shot": "shot", "conceded to shooter": "conceded"}
        shares = {
            word: [(getattr(one, key), getattr(one, f"{key}_se")) for one in moons] for word, key in words.items()
        }
        draw_shares(
            parts[len(passes)].subplots(), [plain_text(one.agent) for one in moons], shares, "deals of the moon suite"
        )
    if blunders:
        _draw_blunders(parts[-1].subplots(), agents, kinds, blunders)
    if habits:
        found = {(one.agent, one.habit): (one.rate, one.rate_se) for one in habits}
        followed = {
            plain_text(agent): [found.get((agent, name), (0.0, None)) for name in names]
            for agent in dict.fromkeys(one.agent for one in habits)
        }
        draw_shares(parts[-1].subplots(), names, followed, "positions in which it could")
    return written(figure, form)


def _draw_blunders(axes: Axes, agents: list[str], kinds: list[str], blunders: list[Blunders]) -> None:
    rates = np.full((len(kinds), len(agents)), np.nan)
    for one in blunders:
        rates[kinds.index(one.kind), agents.index(one.agent)] = 100 * one.rate
    axes.imshow(rates, cmap="Reds", vmin=0, vmax=100, aspect="auto")
    for (row, column), rate in np.ndenumerate(rates):
        axes.text(column, row, f"{rate:.0f} %", ha="center", va="center", fontsize="small")
    axes.set_yticks(range(len(kinds)), kinds)
    axes.set_xticks(range(len(agents)), map(plain_text, agents))
    axes.set_title("positions of each kind with a wrong choice", fontsize="medium")
