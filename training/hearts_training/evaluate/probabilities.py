"""A deal replayed with the probabilities that a network gives a seat's actions, as a picture."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from hearts_agents.arena.pictures import written
from hearts_env.cards import SUITS
from hearts_env.checks import seat_of, whole
from hearts_env.render.ansi import SYMBOLS
from hearts_env.seat.view import View
from hearts_env.table.log import DealLog
from hearts_env.table.match import Match
from hearts_env.table.score import trick_winner

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_OWN, _OTHER = "tab:orange", "0.85"


class Rater(Protocol):
    """An agent that gives probabilities, such as a network."""

    name: str

    def probabilities(self, view: View) -> dict[str, float]:
        """Legal action -> its probability, the most probable first."""


@dataclass(frozen=True)
class Rated:
    """A decision of a seat, and the probabilities that a network gives its legal actions.

    Attributes:
        place: number of actions of the deal before it.
        phase: its phase, such as ``pass`` or ``play``.
        action: the chosen action.
        probabilities: legal action -> the probability that the network gives it, the most probable first.
    """

    place: int
    phase: str
    action: str
    probabilities: dict[str, float]


def rate_decisions(match: Match, agent: Rater, deal: int, seat: int) -> list[Rated]:
    """The decisions of a seat in a deal, each with the probabilities that a network gives its legal actions.

    >>> import hearts_env as he
    >>> from hearts_agents import make_agent
    >>> agent, match = make_agent("net:black_lady"), he.Match("black_lady", seed=7)
    >>> while match.deal_number == 0:
    ...     match.play(agent.act(match.view(match.seat)))
    >>> rated = rate_decisions(match, agent, 1, 0)
    >>> len(rated), all(one.action == next(iter(one.probabilities)) for one in rated)
    (16, True)

    Args:
        match: the match, finished or not; the seats may have been played by anybody.
        agent: a network, or another agent with ``probabilities(view)``.
        deal: number of the deal, from 1.
        seat: whose decisions.

    Raises:
        ValueError: the match has no such deal or seat, or the network does not fit its rules.
    """
    place = whole("deal", deal, 1, len(match.log)) - 1
    seat = seat_of("seat", seat, match.game.seats)
    now = match.after(sum(len(earlier.actions) for earlier in match.log[:place]))
    log, found = match.log[place], []
    for number, (taker, action) in enumerate(log.actions):
        if taker == seat:
            found.append(Rated(number, log.phases[number], action, agent.probabilities(now.view(seat))))
        now.play(action)
    return found


def draw_probabilities(match: Match, agent: Rater, deal: int, seat: int, kind: str) -> bytes:
    """A picture of a deal: a column for each decision of a seat, and below it the trick.

    The cells are the seat's legal actions with their probabilities in percent, and a ring marks what was chosen. Below,
    each seat's card in the trick; the winner's is orange if the seat won it, and grey if another did.

    >>> import hearts_env as he
    >>> from hearts_agents import make_agent
    >>> agent, match = make_agent("net:black_lady"), he.Match("black_lady", seed=7)
    >>> while match.deal_number == 0:
    ...     match.play(agent.act(match.view(match.seat)))
    >>> draw_probabilities(match, agent, 1, 0, "png")[1:4]
    b'PNG'

    Args:
        match: the match, finished or not.
        agent: a network, or another agent with ``probabilities(view)``.
        deal: number of the deal, from 1.
        seat: whose decisions.
        kind: ``png`` or ``svg``.

    Raises:
        ValueError: as in `rate_decisions`, or the seat has decided nothing in this deal.
    """
    from matplotlib.figure import Figure

    rated = rate_decisions(match, agent, deal, seat)
    if not rated:
        raise ValueError(f"seat {seat} has decided nothing in deal {deal}")
    rows = sorted({name for one in rated for name in one.probabilities}, key=match.game.actions.index)
    seats = match.game.seats
    figure = Figure(figsize=(2 + 0.5 * len(rated), 1.5 + 0.3 * (len(rows) + seats)), layout="constrained")
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=[len(rows), seats])
    upper.set_title(f"{agent.name}: probabilities of the actions of seat {seat}, deal {deal} of {match.rules}")
    _draw_actions(upper, rated, rows)
    _draw_tricks(lower, match, match.log[deal - 1], rated, seat)
    return written(figure, kind)


def _draw_actions(axes: Axes, rated: Sequence[Rated], rows: list[str]) -> None:
    cells = np.full((len(rows), len(rated)), np.nan)
    for column, one in enumerate(rated):
        for name, share in one.probabilities.items():
            cells[rows.index(name), column] = share
            if share >= 0.005:
                text = f"{100 * share:.0f}"
                axes.text(column, rows.index(name), text, ha="center", va="center", size=7, color=_ink(share))
    axes.imshow(cells, cmap="Blues", vmin=0, vmax=1, aspect="auto")
    axes.set_facecolor("0.93")  # what is not legal
    chosen = [rows.index(one.action) for one in rated]
    axes.scatter(range(len(rated)), chosen, s=300, facecolors="none", edgecolors=_OWN, linewidths=1.5)
    axes.set_yticks(range(len(rows)), [_label(name) for name in rows])
    axes.set_ylabel("probability in %; ring: what was chosen")


def _draw_tricks(axes: Axes, match: Match, log: DealLog, rated: Sequence[Rated], seat: int) -> None:
    seats, names = match.game.seats, []
    for column, one in enumerate(rated):
        trick = bisect_right(log.trick_ends, one.place)
        names.append(str(trick + 1) if one.phase == "play" else one.phase)
        for taker, cards, color in _trick(match, log, trick, seat) if one.phase == "play" else ():
            box = {"facecolor": color, "edgecolor": "none", "pad": 2}
            axes.text(column, taker, cards, ha="center", va="center", size=8, bbox=box)
    axes.set(ylim=(seats - 0.5, -0.5), xlabel="number of the trick, or phase before or after the tricks")
    axes.set_xticks(range(len(rated)), names)
    axes.set_yticks(range(seats), [f"seat {one}" for one in range(seats)])
    axes.set_ylabel("tricks")


def _trick(match: Match, log: DealLog, number: int, seat: int) -> list[tuple[int, str, str]]:
    first, end = [0, *log.trick_ends, len(log.actions)][number : number + 2]
    places = [place for place in range(first, end) if log.phases[place] in ("play", "suit")]
    cards = [log.actions[place] for place in places if log.phases[place] == "play"]
    won = trick_winner(match.rules, [log.actions[place][1] for place in places])
    winner = None if won is None or number == len(log.trick_ends) else cards[won][0]
    colors = {winner: _OWN if winner == seat else _OTHER}
    return [
        (taker, " ".join(_label(card) for one, card in cards if one == taker), colors.get(taker, "none"))
        for taker in dict.fromkeys(one for one, _ in cards)
    ]


def _ink(share: float) -> str:
    return "white" if share > 0.5 else "black"


def _label(action: str) -> str:
    return SYMBOLS[action[-1]] + action[:-1] if action[-1:] in SUITS and ":" not in action else action
