"""Rules compiled to the kernel's numeric tables, and the bounds that follow from them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_env import validation
from hearts_env.cards import SUITS, Deck, suit_of
from hearts_env.fields import (
    BigMoonEffect,
    BreakBy,
    BreakEvent,
    HeartLead,
    Leader,
    LeadException,
    MoonMode,
    MoonPolicy,
    NewMoonWho,
    OpeningCard,
    Schedule,
    TargetCmp,
    Tie,
)
from hearts_env.kernel.records import ENTRIES, EXACT_HITS, OPTIONS, TABLES, Phase, Situation
from hearts_env.passes import PassOption, pass_schedule
from hearts_env.rules import Rules

FULL = (1 << 64) - 1


@dataclass(frozen=True, eq=False)
class Game:
    """Compiled rules: what every face and agent needs to know about a game.

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

    def __reduce__(self) -> tuple[Any, ...]:
        return compile_game, (self.rules,)  # copies and pickles share the compiled tables

    @property
    def seats(self) -> int:
        """Number of seats."""
        return self.rules.players

    @property
    def hand_size(self) -> int:
        """Cards per seat, which is the number of tricks in a deal."""
        return len(self.deck) // self.seats

    @property
    def point_bounds(self) -> tuple[int, int]:
        """What the points of a deal never fall below or exceed: cards, awards and `no_tricks` at their extremes."""
        t, score, moon = self.tables, self.rules.score, self.rules.moon
        values = t["values"][: len(self.deck.kinds), 0] * int(t["copies"])
        award = 0 if moon.mode is MoonMode.NONE else max(abs(int(t["moon_amount"])), abs(int(t["sun_amount"])))
        low = int(values[values < 0].sum()) + min(score.no_tricks, 0) - award
        return low, int(values[values > 0].sum()) + max(score.no_tricks, 0) + award

    def action(self, name_or_id: str | int) -> int:
        """The id of an action given by name or id. Raises ValueError naming what is possible if there is none."""
        if isinstance(name_or_id, str):
            name = name_or_id.strip()
            if name in self.actions:
                return self.actions.index(name)
            if ":" in name:
                special = [action for action in self.actions if ":" in action]
                raise ValueError(
                    f"there is no action {name!r} in {self.rules}; special actions are {special or 'none'}"
                )
            return self.deck.kind(name)
        if not 0 <= name_or_id < len(self.actions):
            raise ValueError(
                f"action {name_or_id} is out of range; {self.rules} has actions 0 to {len(self.actions) - 1}"
            )
        return int(name_or_id)

    def names(self, plane: int, second: int = 0) -> list[str]:
        """Card names of a set given as its two masks, in kind order, second copies repeated."""
        return [
            name for kind, name in enumerate(self.deck.kinds) for mask in (int(plane), int(second)) if mask >> kind & 1
        ]

    def mask(self, names: Iterable[str]) -> int:
        """The mask of the kinds named."""
        return sum({1 << self.deck.kind(name) for name in names})


def compile_game(rules: Rules) -> Game:
    """Compile rules. The result is cached; the same rules under the same variant's name give the same object."""
    return _compile(rules, rules.variant.name)


@lru_cache(maxsize=256)
def _compile(rules: Rules, _name: str) -> Game:
    deck = validation.build_deck(rules)
    schedule = pass_schedule(rules.passing.cycle, rules.players, rules.passing.count)
    options = tuple(dict.fromkeys(option for entry in schedule for option in entry))
    asks_direction = any(len(entry) > 1 for entry in schedule)
    specials = [f"direction:{option.text}" for option in options] if asks_direction else []
    moon_first = len(deck.kinds) + len(specials)
    asks_moon = rules.moon.policy is MoonPolicy.ASK and rules.moon.mode in (MoonMode.CHOICE, MoonMode.NEW_IF_OLD_LOSES)
    specials += ["moon:self", "moon:others"] if asks_moon else []
    exact_first = len(deck.kinds) + len(specials)
    specials += ["exact:yes", "exact:no"] if rules.end.exact_optional else []

    table = np.zeros(1, TABLES)
    t = table[0]
    t["actions"] = len(deck.kinds) + len(specials)
    t["direction_action"], t["moon_action"], t["exact_action"] = len(deck.kinds), moon_first, exact_first
    _deck_tables(t, rules, deck)
    _pass_tables(t, rules, deck, schedule, options)
    _play_tables(t, rules, deck)
    _score_tables(t, rules, deck)
    _moon_tables(t, rules, deck)
    _end_tables(t, rules)
    _observation_tables(t, rules)
    table.flags.writeable = False
    return Game(rules, deck, (*deck.kinds, *specials), options, table)


def _mask(deck: Deck, kinds: Iterable[str]) -> int:
    return sum(1 << deck.ids[name] for name in kinds)


def _deck_tables(t: Any, rules: Rules, deck: Deck) -> None:
    t["seats"], t["kinds"], t["copies"] = rules.players, len(deck.kinds), max(deck.copies.values())
    t["deck_size"], t["hand_size"] = len(deck), len(deck) // rules.players
    t["deck"][: len(deck)] = [deck.ids[name] for name in deck.cards]
    for kind, name in enumerate(deck.kinds):
        t["suit_of"][kind] = SUITS.index(suit_of(name) or "")
    for suit, letter in enumerate(SUITS):
        t["suit_mask"][suit] = _mask(deck, deck.match(letter))
    t["hearts"] = _mask(deck, deck.match("H"))


def _pass_tables(
    t: Any, rules: Rules, deck: Deck, schedule: tuple[tuple[PassOption, ...], ...], options: tuple[PassOption, ...]
) -> None:
    if len(options) > OPTIONS or len(schedule) > ENTRIES:
        raise ValueError(
            f"passing.cycle has {len(schedule)} entries and {len(options)} ways to pass; "
            f"at most {ENTRIES} and {OPTIONS} are possible"
        )
    t["entries"], t["options"] = len(schedule), len(options)
    t["lanes"] = max(len(option.moves) for option in options)
    for place, entry in enumerate(schedule):
        t["entry_options"][place] = sum(1 << options.index(option) for option in entry)
    for place, option in enumerate(options):
        t["option_len"][place] = len(option.moves)
        t["option_cards"][place] = sum(move.count for move in option.moves)
        for lane, move in enumerate(option.moves):
            t["option_moves"][place, lane] = move.offset, move.count
    t["unpassable"] = _mask(deck, deck.match_all(rules.passing.unpassable))
    t["random_entry"] = rules.passing.schedule is Schedule.RANDOM


def _play_tables(t: Any, rules: Rules, deck: Deck) -> None:
    play, opening = rules.play, rules.opening
    hearts = _mask(deck, deck.match("H"))
    penalty = _mask(deck, validation.penalty_cards(rules, deck))
    card = validation.opening_card(rules, deck)
    t["opener"] = 1 << deck.ids[card] if opening.leader is Leader.HOLDER else 0
    t["opening"] = 0 if opening.card is OpeningCard.ANY else 1 << deck.ids[card]
    if opening.card is OpeningCard.ANY_OF_SUIT:
        t["opening"] = _mask(deck, deck.match(suit_of(card) or ""))
    t["first_trick_ban"] = _mask(deck, deck.match_all(play.first_trick_forbidden))
    queen = _mask(deck, deck.match("QS"))
    t["breaking"] = (
        hearts | {BreakBy.HEARTS: 0, BreakBy.HEARTS_OR_QS: queen, BreakBy.ANY_PENALTY: penalty}[play.break_by]
    )
    t["break_on_discard"] = play.break_event is BreakEvent.DISCARDED

    others = FULL & ~hearts
    needed = others & ~penalty if play.lead_exception is LeadException.HEARTS_PLUS_PENALTY else others
    ladders: dict[int, list[tuple[int, int]]] = {
        Situation.OPENING: [(int(t["opening"]), int(t["opening"]))],
        Situation.UNBROKEN: [(needed, others)] if play.heart_lead is HeartLead.BROKEN else [],
        Situation.LEAD: [],
    }
    for suit in range(len(SUITS)):
        follow = int(t["suit_mask"][suit])
        ladders[Situation.FOLLOW + suit] = [(follow, follow)]
    for row, rungs in ladders.items():
        for place, rung in enumerate([*rungs, (FULL, FULL)]):
            t["ladder"][row, place] = rung


def _score_tables(t: Any, rules: Rules, deck: Deck) -> None:
    points = validation.card_points(rules, deck)
    for kind, name in enumerate(deck.kinds):
        t["values"][kind, 0] = points[name]
    scoring = [name for name in deck.kinds if points[name] or name in validation.moon_cards(rules, deck)]
    t["valued"] = _mask(deck, (name for name in deck.kinds if points[name]))
    t["scoring"] = _mask(deck, scoring)
    t["scoring_count"] = len(scoring)
    for column, name in enumerate(scoring):
        t["scoring_column"][deck.ids[name]] = column
    t["bonus_floor_hand"], t["bonus_floor_total"] = rules.score.bonus_floor_hand, rules.score.bonus_floor_total
    t["no_tricks"], t["no_tricks_on_moon"] = rules.score.no_tricks, rules.score.no_tricks_on_moon
    if rules.table.dealer_next != "left":
        t["dealer_card"] = 1 << deck.ids[rules.table.dealer_next]


def _moon_tables(t: Any, rules: Rules, deck: Deck) -> None:
    moon = rules.moon
    points = validation.card_points(rules, deck)
    cards = validation.moon_cards(rules, deck)
    total = sum(max(points[name], 0) * deck.copies[name] for name in cards)
    amount = total if moon.amount is None else moon.amount
    t["moon_rule"] = list(MoonMode).index(moon.mode)
    t["moon_auto"] = moon.policy is MoonPolicy.AUTO_BEST
    t["moon_set"] = _mask(deck, cards), _mask(deck, (name for name in cards if deck.copies[name] > 1))
    t["moon_waived"] = _mask(deck, (name for name in cards if points[name] > 0))
    t["moon_amount"] = amount
    t["sun_amount"] = amount if moon.sun_amount is None else moon.sun_amount
    t["new_moon_min"] = np.iinfo(np.int32).min if moon.new_moon_min is None else moon.new_moon_min
    t["new_moon_any"] = moon.new_moon_who is NewMoonWho.ANY
    t["requires_sun"], t["sun_skip_first"] = moon.requires_sun, moon.sun_skip_first
    if moon.big_moon_deals is not None:
        t["big_moon_deals"] = moon.big_moon_deals
        t["big_moon_points"] = 100 if moon.big_moon_effect is BigMoonEffect.FIXED_100 else moon.big_moon_deals * total


def _end_tables(t: Any, rules: Rules) -> None:
    end = rules.end
    t["target"], t["max_deals"] = end.target or 0, end.max_deals or 0
    t["target_strict"] = end.target_cmp is TargetCmp.GT
    t["tie_continue"] = end.tie is Tie.CONTINUE
    if len(end.exact) > EXACT_HITS:
        raise ValueError(f"end.exact lists {len(end.exact)} totals; at most {EXACT_HITS} are possible")
    t["exact_hits"], t["exact_optional"] = len(end.exact), end.exact_optional
    for hit, (total, change) in enumerate(end.exact):
        t["exact_total"][hit], t["exact_change"][hit] = total, change


def _observation_tables(t: Any, rules: Rules) -> None:
    kinds, seats, lanes = int(t["kinds"]), int(t["seats"]), int(t["lanes"])
    planes = kinds * (1 + 2 * lanes + 2 * seats)
    t["obs_size"] = planes + seats * (int(t["scoring_count"]) + 9) + 4 + len(Phase) + int(t["options"]) + 3
    scale = int(np.maximum(t["values"][:, 0], 0).sum()) or 1
    t["point_scale"] = 1 / scale
    t["total_scale"] = 1 / (rules.end.target or scale * (rules.end.max_deals or 1))
