"""Rules compiled to the kernel's numeric tables, and the bounds that follow from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_env.cards import Deck, pattern_name
from hearts_env.checks import index, listed
from hearts_env.compiled.fill import fill, special_actions
from hearts_env.compiled.tables import TABLES
from hearts_env.ruleset import derived
from hearts_env.ruleset.declaration import MOST
from hearts_env.ruleset.enums import Better, TeamScoring, Tie
from hearts_env.ruleset.limits import PLANES
from hearts_env.ruleset.model import Rules
from hearts_env.ruleset.passing import PassOption, pass_schedule
from hearts_env.ruleset.syntax import brief


@dataclass(frozen=True, eq=False, repr=False)
class Game:
    """Compiled rules: everything that environments and agents need to know about a game.

    Attributes:
        rules: the value compiled.
        deck: the pack in play; the kinds are the first actions.
        actions: the name of every action, in order: the kinds, then the special decisions this game has.
        table: the `TABLES` record the kernel reads, as a read-only array of one: Numba takes an array from Python in
            0.3 us, a record of this size in 5.
        options: every way to pass that the cycle uses, in the order of the observation's `direction` field.
    """

    rules: Rules
    deck: Deck
    actions: tuple[str, ...]
    options: tuple[PassOption, ...]
    table: NDArray[Any]

    @cached_property
    def tables(self) -> Any:
        """The `TABLES` record itself."""
        return self.table[0]

    def __repr__(self) -> str:
        return f"<Game {self.rules}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return compile_game, (self.rules,)  # copies and pickles share the compiled tables

    @cached_property
    def seats(self) -> int:
        """Number of seats."""
        return self.rules.players

    @property
    def hand_size(self) -> int:
        """Cards per seat, which is the number of tricks in a deal (the most, if tricks may be extended)."""
        return int(self.tables["hand_size"])

    @property
    def pass_cycle(self) -> int:
        """Number of deals after which the passes of the arena's deals, and of short episodes, repeat."""
        return int(self.tables["pass_cycle"])

    @cached_property
    def gaussian(self) -> bool:
        """True if points and totals are Gaussian integers, Python complex numbers."""
        return self.rules.score.better in (Better.MAGNITUDE, Better.REAL)

    @property
    def cost_sign(self) -> int:
        """-1 where high totals win, so that a total times this is a cost; 1 elsewhere."""
        return int(self.tables["cost_sign"])

    @cached_property
    def text(self) -> str:
        """The canonical text of the rules."""
        return str(self.rules)

    @cached_property
    def teams(self) -> tuple[int, ...]:
        """Number of the team of every seat; every seat its own team where there are none."""
        return derived.team_of(self.rules)

    @cached_property
    def team_pay(self) -> bool:
        """True if the sum of a team decides the match, so that partners are paid alike."""
        table = self.rules.table  # table.team_scoring: individual: one player's total decides
        return bool(table.teams) and table.team_scoring is TeamScoring.SUM

    @cached_property
    def point_bounds(self) -> tuple[int, int]:
        """Lower and upper bound of the points of a running or finished deal (real and imaginary parts)."""
        low, high = derived.point_bounds(self.rules, self.deck)
        score = self.rules.score
        if score.chips is not None:  # a finished deal scores the chips paid, a running one the cards taken
            return min(low, -1), max(high, self._largest_pool(score.chips))
        return low, high

    def _largest_pool(self, chips: int) -> int:
        """Upper bound of a pool of chips: all chips; more where a tie for the lead lets others run into debt."""
        if self.rules.end.tie is not Tie.CONTINUE:
            return chips * self.seats
        return self.seats * max(chips, self.rules.end.max_deals or MOST)

    def action(self, name_or_id: str | int) -> int:
        """The id of an action given by name or id. Raises ValueError naming what is possible if there is none."""
        if isinstance(name_or_id, str):
            found = self._numbers.get(name_or_id)
            return self._number_of(name_or_id.strip()) if found is None else found
        number = index(name_or_id)
        if number is None:
            raise ValueError(f"{brief(name_or_id)} is not an action; an action is a name or a whole number")
        if not 0 <= number < len(self.actions):
            most = len(self.actions) - 1
            raise ValueError(f"action {brief(number)} is out of range; {self.rules} has actions 0 to {most}")
        return number

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.actions)}

    def _number_of(self, name: str) -> int:
        """The id of an action in any spelling: ``10♥``, ``expose:queen of spades``, ``Moon:Self``."""
        if ":" not in name:
            return self.deck.kind(name)
        phase, _, choice = name.partition(":")
        wanted = {f"{phase}:{choice}".lower()}
        with suppress(ValueError):
            wanted.add(f"{phase}:{pattern_name(choice)}".lower())
        for action, number in self._numbers.items():
            if action.lower() in wanted:
                return number
        special = [action for action in self.actions if ":" in action]
        raise ValueError(f"there is no action {brief(name)!r} in {self.rules}; special actions are {special or 'none'}")

    def names(self, planes: Iterable[int]) -> list[str]:
        """Card names of a set given as its masks, in kind order, further copies repeated."""
        masks = [mask for plane in planes if (mask := int(plane))]
        if len(masks) == 1:  # by far the most common, and quicker so
            return [name for name, bit in zip(self.deck.kinds, f"{masks[0]:b}"[::-1], strict=False) if bit == "1"]
        kinds = enumerate(self.deck.kinds) if masks else ()
        return [name for kind, name in kinds for mask in masks if mask >> kind & 1]

    def numbers(self, rows: Any) -> list[Any]:
        """Points or totals of every seat from their (seats, 2) rows: ints, or complex numbers in a game of those."""
        if self.gaussian:
            return [complex(int(re), int(im)) for re, im in rows[: self.seats]]
        return [int(re) for re, _ in rows[: self.seats]]

    def mask(self, names: Iterable[str]) -> int:
        """The mask of the kinds named."""
        return sum({1 << self.deck.kind(name) for name in names})

    def planes(self, names: Iterable[str]) -> list[int]:
        """The masks of a set of cards: bit `kind` of plane p is set if it has more than p copies of the kind."""
        counts = Counter(self.deck.kind(name) for name in names)
        return [sum(1 << kind for kind, count in counts.items() if count > plane) for plane in range(PLANES)]

    def check_copies(self, argument: str, sets: Iterable[Iterable[str]]) -> list[list[str]]:
        """Canonical names of several sets of cards, which `argument` holds.

        Raises:
            ValueError: a card that the pack lacks, or more copies of one, over all sets, than the pack has.
        """
        named = [[self.deck.kinds[self.deck.kind(card)] for card in listed(argument, cards)] for cards in sets]
        for card, count in Counter(card for cards in named for card in cards).items():
            if count > self.deck.copies[card]:
                raise ValueError(f"{card} occurs {count} times, but the pack has {self.deck.copies[card]}")
        return named


def compile_game(rules: Rules) -> Game:
    """Compile rules. The last 256 results are kept: the same rules under one variant's name give the same object."""
    return _compile(rules, rules.variant.name)


@lru_cache(maxsize=256)
def _compile(rules: Rules, _name: str) -> Game:
    # deck.packs, deck.ranks, deck.added, deck.removed, deck.remainder, deck.removal_order: the pack in play
    deck = derived.build_deck(rules)
    # passing.to_partner: only restricts the cycles that are valid
    schedule = pass_schedule(rules.passing.cycle, rules.players, rules.passing.count)
    options = tuple(dict.fromkeys(option for entry in schedule for option in entry))
    specials = special_actions(rules, deck)
    table = np.zeros(1, TABLES)
    fill(table[0], rules, deck, schedule, options, specials)
    table.flags.writeable = False
    return Game(rules, deck, (*deck.kinds, *chain.from_iterable(specials.values())), options, table)
