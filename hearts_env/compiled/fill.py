"""Filling a `TABLES` record from rules, group by group."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from hearts_env.cards import JOKER, SUITS, Deck, suit_of
from hearts_env.compiled.decisions import DECISIONS
from hearts_env.compiled.tables import COPIED
from hearts_env.kernel.columns import BLOCKS, Block
from hearts_env.kernel.records import JOKER_SUIT, UNSET, Situation
from hearts_env.ruleset import derived
from hearts_env.ruleset.enums import (
    Better,
    BigMoonEffect,
    BreakBy,
    Choice,
    Duplicates,
    HeartLead,
    JokerLead,
    JokerPlay,
    Leader,
    LeadException,
    Locked,
    MoonSign,
    OpeningCard,
    Remainder,
)
from hearts_env.ruleset.fields import DECLARATIONS
from hearts_env.ruleset.limits import PLANES
from hearts_env.ruleset.model import Rules
from hearts_env.ruleset.passing import PassOption

FULL = (1 << 64) - 1
PassSchedule = tuple[tuple[PassOption, ...], ...]


def special_actions(rules: Rules, deck: Deck) -> dict[str, list[str]]:
    """Phase -> its special actions, in order; none of a decision that a game does not require."""
    return {
        phase: [f"{phase}:{answer}" for answer in decision.answers(rules, deck)]
        for phase, decision in DECISIONS.items()
        if not decision.of_cards
    }


def fill(
    t: Any,
    rules: Rules,
    deck: Deck,
    schedule: PassSchedule,
    options: tuple[PassOption, ...],
    specials: Mapping[str, Sequence[str]],
) -> None:
    """Fill a zeroed `TABLES` record."""
    t["actions"] = len(deck.kinds)
    for phase, names in specials.items():
        t[f"{phase}_action"] = t["actions"]
        t["actions"] += len(names)
    worth = derived.card_worth(rules, deck)
    _copy_fields(t, rules, deck)
    _table(t, rules)
    _deck(t, rules, deck)
    _passes(t, schedule, options)
    _values(t, rules, deck, worth)
    _opening(t, rules, deck)
    _breaking(t, rules, deck)
    _ladder(t, rules, deck)
    _tricks(t, rules, deck)
    _sets(t, rules, deck)
    _factors(t, rules, deck)
    _exposing(t, rules, deck)
    _moon(t, rules, deck, worth)
    _scoring(t)
    _end(t, rules)
    _observation(t, rules, deck)


def _copy_fields(t: Any, rules: Rules, deck: Deck) -> None:
    flat = rules.flat()
    for path, hint in COPIED.items():
        missing = UNSET if hint == int | None and DECLARATIONS[path].can_be_zero else 0
        t[path.replace(".", "_")] = missing if flat[path] is None else _number(flat[path], deck)


def _number(value: Any, deck: Deck) -> int:
    """The code of a choice, a number or flag as it is, the mask of one or many patterns."""
    if isinstance(value, Choice):
        return value.code
    if isinstance(value, str):
        return _mask(deck, deck.match(value))
    return _mask(deck, deck.match_all(value)) if isinstance(value, tuple) else int(value)


def _mask(deck: Deck, kinds: Iterable[str]) -> int:
    return sum(1 << deck.ids[name] for name in kinds)


def _parts(number: int | complex) -> tuple[int, int]:
    return int(number.real), int(number.imag)


def _table(t: Any, rules: Rules) -> None:
    seats = rules.players
    t["seats"], t["rotation"] = seats, rules.table.direction % seats
    t["team"][:seats] = derived.team_of(rules)
    t["team_size"] = seats // len(rules.table.teams) if rules.table.teams else 1
    # score.better, score.chips: where high totals win, a total is a gain, and its cost has the other sign
    t["cost_sign"] = -1 if rules.score.better is Better.HIGH or rules.score.chips is not None else 1


def _deck(t: Any, rules: Rules, deck: Deck) -> None:
    t["kinds"], t["copies"] = len(deck.kinds), max(deck.copies.values())
    # deck.hand_size: fewer cards than would divide; the rest joins the kitty
    t["deck_size"], t["hand_size"] = len(deck), derived.hand_size(rules, deck)
    t["kitty_size"] = derived.kitty_size(rules, deck)
    t["deck"][: len(deck)] = [deck.ids[name] for name in deck.cards]
    t["pack"] = [_mask(deck, (kind for kind in deck.kinds if deck.copies[kind] > plane)) for plane in range(PLANES)]
    for kind, name in enumerate(deck.kinds):
        suit = suit_of(name)
        t["suit_of"][kind] = JOKER_SUIT if suit is None else SUITS.index(suit)
    for place, letter in enumerate(SUITS):
        t["suit_mask"][place] = _mask(deck, deck.match(letter))
    t["suit_mask"][JOKER_SUIT] = t["jokers"] = _mask(deck, deck.match(JOKER))
    t["hearts"] = _mask(deck, deck.match("H"))


def _passes(t: Any, schedule: PassSchedule, options: tuple[PassOption, ...]) -> None:
    # passing.cycle, passing.count, passing.refusable
    refusable = [card for card in range(int(t["kinds"])) if int(t["passing_refusable"]) >> card & 1]
    t["refusals"] = len(refusable)
    t["refuse_card"][: len(refusable)] = [1 << card for card in refusable]
    t["entries"], t["options"] = len(schedule), len(options)
    t["lanes"] = max(len(option.moves) for option in options)
    for place, entry in enumerate(schedule):
        t["entry_options"][place] = sum(1 << options.index(option) for option in entry)
    for place, option in enumerate(options):
        t["option_len"][place] = len(option.moves)
        t["option_cards"][place] = sum(move.count for move in option.moves)
        for lane, move in enumerate(option.moves):
            t["option_moves"][place, lane] = move.offset, move.count
        moves = [lane for lane, move in enumerate(option.moves) for _ in range(move.count)]
        t["pick_move"][place, : len(moves)] = moves


def _opening(t: Any, rules: Rules, deck: Deck) -> None:
    opening, card = rules.opening, derived.opening_card(rules, deck)
    suit = _mask(deck, deck.match(suit_of(card) or ""))
    # With a kitty the lowest card of the suit may lie there: then the lowest one in a hand opens.
    openers = suit if rules.deck.remainder is Remainder.KITTY and opening.holder in SUITS else 1 << deck.ids[card]
    t["opener"] = openers if opening.leader is Leader.HOLDER else 0
    t["opening"] = {OpeningCard.ANY_OF_SUIT: suit, OpeningCard.ANY: 0}.get(opening.card, openers)
    if opening.card is OpeningCard.BOTH:
        t["opening_card"], t["opening_all"] = OpeningCard.FORCED.code, 1
    if rules.table.dealer_next != "left":
        t["table_dealer_next"] = 1 << deck.ids[rules.table.dealer_next]


def _breaking(t: Any, rules: Rules, deck: Deck) -> None:
    queen = _mask(deck, deck.match("QS"))
    breakers = {BreakBy.HEARTS: 0, BreakBy.ANY_PENALTY: int(t["penalty"])}
    hearts = 0 if rules.play.break_by is BreakBy.QS else int(t["hearts"])
    t["play_break_by"] = hearts | breakers.get(rules.play.break_by, queen)


def _ladder(t: Any, rules: Rules, deck: Deck) -> None:
    play, jokers = rules.play, rules.jokers
    hearts, joker, penalty = int(t["hearts"]), int(t["jokers"]), int(t["penalty"])
    # jokers.lead: never: only from a hand of nothing else
    leads = FULL & ~joker if jokers.lead is JokerLead.NEVER else FULL
    # play.locked: these cards may not be led, or not be played at all, until hearts are broken
    unlocked = leads & ~_mask(deck, deck.match_all(dict(play.locked)))
    t["play_locked"] = _mask(deck, deck.match_all(card for card, barred in play.locked if barred is Locked.PLAY))
    # play.lead_exception: hearts_plus_penalty: a hand of hearts and penalty cards may lead a heart as well
    spared = penalty if play.lead_exception is LeadException.HEARTS_PLUS_PENALTY else 0
    # play.heart_lead: hearts may not be led until broken, or never
    bars = {HeartLead.FREE: (False, False), HeartLead.BROKEN: (True, False), HeartLead.NEVER: (True, True)}
    for situation, barred, cards in zip(
        (Situation.UNBROKEN, Situation.LEAD), bars[play.heart_lead], (unlocked, leads), strict=True
    ):
        others = cards & ~hearts
        rungs = [(others & ~spared, others), (others, cards)] if barred else [(cards, cards)]
        if cards == leads:
            rungs.pop()  # the last rung grants as much
        _write_rungs(t, situation, [*rungs, (leads, leads)])
    # play.forced_discard: a hand that cannot follow must discard one of these
    forced = _mask(deck, deck.match_all(play.forced_discard))
    for suit in range(len(SUITS)):
        follow = int(t["suit_mask"][suit])
        # jokers.play: any: even by a hand that could follow suit
        free = joker if jokers.play is JokerPlay.ANY else 0
        _write_rungs(t, Situation.FOLLOW + suit, [(follow, follow | free), (forced, forced)])
    _write_rungs(t, Situation.FOLLOW + JOKER_SUIT, [])


def _write_rungs(t: Any, row: int, rungs: Sequence[tuple[int, int]]) -> None:
    for place, rung in enumerate([*rungs, (FULL, FULL)]):
        t["ladder"][row, place] = rung


def _tricks(t: Any, rules: Rules, deck: Deck) -> None:
    trick = rules.trick
    repeated = [name for name in deck.kinds if deck.copies[name] > 1 and name != JOKER]
    winner = dict.fromkeys(repeated, trick.duplicates)
    for pattern, exception in trick.exceptions:
        winner |= {name: exception for name in deck.match(pattern) if name in winner}
    t["cancels"] = _mask(deck, (name for name in repeated if winner[name] is Duplicates.CANCEL))
    t["first_wins"] = _mask(deck, (name for name in repeated if winner[name] is Duplicates.FIRST))
    t["plain_trick"] = not (repeated or t["trick_extend_rank"] or t["jokers"] or t["kitty_size"])


def _values(t: Any, rules: Rules, deck: Deck, worth: derived.CardWorth) -> None:
    points = worth.points
    t["values"][: len(deck.kinds)] = [_parts(points[name]) for name in deck.kinds]  # score.card_values
    t["valued"] = _mask(deck, (name for name in deck.kinds if points[name]))
    t["named"] = _mask(deck, derived.named_cards(rules, deck))
    t["penalty"] = _mask(deck, worth.penalties)
    t["bonus"] = _mask(deck, (name for name in deck.kinds if derived.badness(rules, points[name]) < 0))


def _sets(t: Any, rules: Rules, deck: Deck) -> None:
    points_of = dict(rules.score.tricks)
    t["trick_points"] = [points_of.get(word, 0) for word in derived.TRICK_WORDS]
    t["sets"] = len(rules.score.sets)
    for place, (patterns, tricks, award) in enumerate(derived.card_sets(rules)):
        cards = deck.match_all(patterns)
        t["set_cards"][place], t["set_points"][place] = _mask(deck, cards), award
        t["set_count"][place] = sum(deck.copies[card] for card in cards)
        t["set_tricks"][place] = sum(1 << derived.TRICK_WORDS.index(word) for word in tricks)


def _scoring(t: Any) -> None:
    moved = [t["named"], t["moon_set"], *t["negation"].flat, *t["multiplier"][:, 0], *t["set_cards"]]
    scoring = int(np.bitwise_or.reduce(moved))
    t["scoring"], t["scoring_count"], t["scoring_moves"] = scoring, scoring.bit_count(), _moves(scoring)


def _moves(mask: int) -> list[int]:
    """For `bits.compress`: for each power of two, the bits of a mask that move down by it, where they are by then."""
    kinds = [kind for kind in range(64) if mask >> kind & 1]
    ways = [(kind, kind - column) for column, kind in enumerate(kinds)]
    return [sum(1 << kind - way % (1 << power) for kind, way in ways if way >> power & 1) for power in range(6)]


def _factors(t: Any, rules: Rules, deck: Deck) -> None:
    score, alone = rules.score, dict(rules.score.alone)
    t["negations"], t["multipliers"], t["sweeps"] = map(len, (score.negations, score.multipliers, score.sweeps))
    for place, pair in enumerate(score.negations):
        t["negation"][place] = [_mask(deck, deck.match(pattern)) for pattern in pair]
    for place, (card, factor, scope) in enumerate(derived.multipliers(rules)):
        t["multiplier"][place] = 1 << deck.ids[card], 0 if scope is None else _mask(deck, deck.match(scope))
        t["factor"][place] = _parts(factor)
        t["alone"][place] = alone.get(card, 0) if scope is None else 0
    for place, (required, affected) in enumerate(score.sweeps):
        cards = deck.match_all(derived.sweep_patterns(required))
        t["sweep"][place] = _mask(deck, cards), _mask(deck, deck.match(affected))
        t["sweep_count"][place] = sum(deck.copies[card] for card in cards)
    t["plain_score"] = derived.is_plain(rules)


def _exposing(t: Any, rules: Rules, deck: Deck) -> None:
    pairs = sorted(rules.exposing.cards, key=lambda pair: deck.kind(pair[0]))
    t["exposures"] = len(pairs)
    for place, (card, pattern) in enumerate(pairs):
        t["expose_card"][place] = 1 << deck.ids[card]
        t["expose_raises"][place] = _mask(deck, deck.match(pattern))
        t["exposable"] |= t["expose_card"][place]


def _moon(t: Any, rules: Rules, deck: Deck, worth: derived.CardWorth) -> None:
    moon = rules.moon
    t["moon_set"], t["moon_count"] = _mask(deck, worth.moon), sum(deck.copies[name] for name in worth.moon)
    t["moon_waived"] = FULL if moon.least else t["moon_set"] & t["penalty"]
    t["leasts"] = len(moon.least)
    for place, (pattern, least) in enumerate(moon.least):
        named = deck.match(pattern)
        t["least"][place] = _mask(deck, named)
        t["least_count"][place] = least, sum(deck.copies[name] for name in named)
        t["least_value"][place] = t["values"][deck.ids[named[0]]]
    t["moon_amount"] = _parts(worth.award if moon.amount is None else moon.amount)  # moon.amount
    if moon.big_moon_deals is not None:
        fixed = moon.big_moon_effect is BigMoonEffect.FIXED_100
        t["big_moon_points"] = 100 if fixed else moon.big_moon_deals * int(worth.award.real)


def _end(t: Any, rules: Rules) -> None:
    end = rules.end  # end.endless: it has no target and no number of deals
    t["pass_cycle"] = min(int(t["entries"]), end.max_deals or int(t["entries"]))  # passing.cycle, end.max_deals
    t["target_square"] = (end.target or 0) ** 2 if _is_gaussian(rules) else 0
    t["exact_hits"] = len(end.exact)
    for hit, (total, change) in enumerate(end.exact):
        t["exact_total"][hit], t["exact_change"][hit] = total, change


def _is_gaussian(rules: Rules) -> bool:
    return rules.score.better in (Better.MAGNITUDE, Better.REAL)


def _observation(t: Any, rules: Rules, deck: Deck) -> None:
    sizes = [sum(map(abs, t["values"][kind].tolist())) * deck.copies[name] for kind, name in enumerate(deck.kinds)]
    penalties = (size for kind, size in enumerate(sizes) if int(t["penalty"]) >> kind & 1)
    scale = sum(penalties) or sum(sizes) or 1
    end, seats = rules.end, int(t["seats"])
    reach = (
        end.target
        or -(end.lower_target or 0)
        or int(t["score_chips"]) * seats
        or scale * (end.max_deals or 1 + 3 * end.endless)
    )
    t["point_scale"], t["total_scale"] = 1 / scale, 1 / reach
    _place_blocks(t, rules)


def _place_blocks(t: Any, rules: Rules) -> None:
    t["gaussian"], t["may_die"] = _is_gaussian(rules), rules.trick.duplicates is Duplicates.CANCEL
    t["chooses_signs"] = rules.moon.sign is MoonSign.CHOSEN
    scales = _scales(t)
    column = number = 0
    for place, block in enumerate(BLOCKS):
        there = not block.present or t[block.present] != 0
        t["column"][place] = column if there else -1
        t["first_number"][place] = number if there and block.unit in scales else -1
        size = prod(shape_of(t, block)) if there else 0
        if block.unit in scales:
            t["number_column"][number : number + size] = range(column, column + size)
            t["number_scale"][number : number + size] = scales[block.unit]
            number += size
        column += size
    t["obs_size"], t["numbers"], t["byte_size"] = column, number, column + 4 * number


def shape_of(t: Any, block: Block) -> tuple[int, ...]:
    """The shape of a block in a game."""
    return tuple(int(t[size]) if isinstance(size, str) else size for size in block.shape)


def _scales(t: Any) -> dict[str, float]:
    """Unit of a block -> the factor by which its numbers are multiplied; cards and flags are written as they are."""
    return {
        "tricks": float(np.float32(1 / int(t["hand_size"]))),  # rounded once more than "trick", as it has always been
        "trick": 1 / int(t["hand_size"]),
        "points": float(t["point_scale"]),
        "totals": float(t["total_scale"]),
        "deals": 1 / 16,
        "lives": 1 / max(int(t["end_lives"]), 1),
        "kitty": 1 / max(int(t["kitty_size"]), 1),
    }
