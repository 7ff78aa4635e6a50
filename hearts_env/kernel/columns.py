"""The table of the observation: every block of columns, in order.

From it follow the published layout (`hearts_env.seat.observation`), where each block begins and which of its columns
are scaled numbers (`hearts_env.compiled.fill`), and where `hearts_env.kernel.rows` writes. A new block is a row here
and what writes it there; it finds its place as ``t.column[MY_BLOCK]``.
"""

from __future__ import annotations

from typing import NamedTuple

from hearts_env.kernel.records import COMMON_PHASES

CARD, FLAG = "card", "flag"
"""Units of blocks that are written alike in float32 and in bytes."""


class Block(NamedTuple):
    """A block of columns.

    Attributes:
        name: of its field in `observation_layout`.
        shape: numbers, and columns of `TABLES` that hold them.
        unit: `CARD`, `FLAG`, or what its scaled numbers count: ``tricks``, ``trick``, ``points``, ``totals``,
            ``deals``, ``lives`` or ``kitty``.
        meaning: one line.
        present: a column of `TABLES` that is 0 in games without this block; empty if every game has it.
    """

    name: str
    shape: tuple[str | int, ...]
    unit: str
    meaning: str
    present: str = ""


BLOCKS = (
    Block("hand", ("kinds",), CARD, "own cards"),
    Block("passed", ("lanes", "kinds"), CARD, "cards passed, per move of the pass"),
    Block("received", ("lanes", "kinds"), CARD, "cards received, per move of the pass"),
    Block("played", ("seats", "kinds"), CARD, "cards played in this deal, by seat"),
    Block("trick", ("seats", "kinds"), CARD, "cards played to the current trick, by seat"),
    Block("scoring_taken", ("seats", "scoring_count"), CARD, "scoring cards taken, by seat"),
    Block("voids", ("seats", 4), FLAG, "suits (C D H S) a seat has been shown to lack"),
    Block("tricks_won", ("seats",), "tricks", "tricks won in this deal"),
    Block("points", ("seats",), "points", "points of the cards taken in this deal"),
    Block("totals", ("seats",), "totals", "totals before this deal"),
    Block("leader", ("seats",), FLAG, "who leads the current trick"),
    Block("dealer", ("seats",), FLAG, "who dealt"),
    Block("led_suit", (4,), FLAG, "suit led (C D H S)"),
    Block("phase", (len(COMMON_PHASES),), FLAG, ", ".join(phase.name.lower() for phase in COMMON_PHASES)),
    Block("direction", ("options",), FLAG, "how this deal is passed, in the order of Game.options"),
    Block("broken", (1,), FLAG, "whether hearts are broken"),
    Block("trick_number", (1,), "trick", "tricks played"),
    Block("deal_number", (1,), "deals", "deals finished"),
    # blocks of some games
    Block("points_im", ("seats",), "points", "imaginary part of points", "gaussian"),
    Block("totals_im", ("seats",), "totals", "imaginary part of totals", "gaussian"),
    Block("exposed", ("seats", "kinds"), FLAG, "cards shown before play, by seat", "exposures"),
    Block("pledges", (2, "seats"), FLAG, "who has pledged to take no heart, who has declined to", "score_pledge"),
    Block("pool", (1,), "totals", "chips in the pool", "score_chips"),
    Block("lives", ("seats",), "lives", "lives left", "end_lives"),
    Block("rolled", ("kinds",), CARD, "cards of dead tricks that wait for the next winner", "may_die"),
    Block("kitty", ("kinds",), CARD, "cards of the kitty that this seat took", "kitty_size"),
    Block("kitty_taken", ("seats",), "kitty", "cards of the kitty each seat took", "kitty_size"),
    Block("extended", (1,), FLAG, "whether a moon keeps the match going", "moon_extends"),
    Block("refusing", (1,), FLAG, "whether the decision is to refuse a card", "refusals"),
    Block(
        "handed_back", ("seats", "kinds"), FLAG, "cards that came back because they were refused, by seat", "refusals"
    ),
    Block("sign_for", ("seats",), FLAG, "for whom the shooter chooses a sign now", "chooses_signs"),
    Block("signs", (2, "seats"), FLAG, "who is charged the award with sign plus, who with sign minus", "chooses_signs"),
)
"""Every block, in the order of the columns."""
PLACE = {block.name: place for place, block in enumerate(BLOCKS)}
"""Name of a block -> its place in `BLOCKS`, and in the columns ``column`` and ``first_number`` of `TABLES`."""
