"""Filling a `TABLES` record from rules, group by group."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from hearts_env.cards import JOKER, SUITS, Deck, suit_of
from hearts_env.kernel.records import JOKER_SUIT, UNSET, Phase, Situation
from hearts_env.ruleset import derived
from hearts_env.ruleset.enums import (
    Better,
    BigMoonEffect,
    BreakBy,
    BreakEvent,
    DeadLastTrick,
    DeadTrick,
    Duplicates,
    ExtendWhen,
    FirstTrickScope,
    HeartLead,
    JokerLead,
    JokerPlay,
    JokerScores,
    Leader,
    LeadException,
    MoonMode,
    MoonPolicy,
    MoonScope,
    MoonSign,
    NewMoonWho,
    OpeningCard,
    Remainder,
    Schedule,
    TargetCmp,
    TeamScoring,
    Tie,
)
from hearts_env.ruleset.model import Rules
from hearts_env.ruleset.passing import PassOption

FULL = (1 << 64) - 1
PassSchedule = tuple[tuple[PassOption, ...], ...]


@dataclass(frozen=True)
class Specials:
    """The special actions of a game.

    Attributes:
        names: in order.
        first: kind of decision (``moon``, ``exact``, ...) -> its first action among them.
    """

    names: tuple[str, ...]
    first: dict[str, int]

    @staticmethod
    def of(rules: Rules, deck: Deck, schedule: PassSchedule) -> Specials:
        """Those of some rules; a decision that a game does not ask for has no actions."""
        moon = rules.moon
        options = dict.fromkeys(option.text for entry in schedule for option in entry)
        asks_moon = moon.policy is MoonPolicy.ASK and moon.mode in (
            MoonMode.CHOICE,
            MoonMode.NEW_IF_OLD_LOSES,
            MoonMode.RESET_OR_DOUBLE,
        )
        calls = JOKER in deck.ids and rules.jokers.lead is JokerLead.CALL
        shown = sorted((card for card, _ in rules.exposing.cards), key=deck.kind)
        decisions: dict[str, Iterable[str]] = {
            "direction": options if any(len(entry) > 1 for entry in schedule) else (),
            "expose": [*shown, "done"] if shown else (),
            "pledge": ("yes", "no") if rules.score.pledge is not None else (),
            "suit": SUITS if calls else (),
            "moon": ("self", "others") if asks_moon else (),
            "exact": ("yes", "no") if rules.end.exact_optional else (),
        }
        names: list[str] = []
        first = {}
        for decision, answers in decisions.items():
            first[decision] = len(names)
            names += [f"{decision}:{answer}" for answer in answers]
        return Specials(tuple(names), first)


def fill(
    t: Any, rules: Rules, deck: Deck, schedule: PassSchedule, options: tuple[PassOption, ...], specials: Specials
) -> None:
    """Fill a zeroed `TABLES` record."""
    kinds = len(deck.kinds)
    t["actions"] = kinds + len(specials.names)
    for decision, first in specials.first.items():
        t[f"{decision}_action"] = kinds + first
    _table(t, rules)
    _deck(t, rules, deck)
    _passes(t, rules, deck, schedule, options)
    _opening(t, rules, deck)
    _play(t, rules, deck)
    _ladder(t, rules, deck)
    _tricks(t, rules, deck)
    _values(t, rules, deck)
    _factors(t, rules, deck)
    _exposing(t, rules, deck)
    _moon(t, rules, deck)
    _awards(t, rules)
    _end(t, rules)
    _observation(t, rules, deck)


def _code(choice: StrEnum) -> int:
    """Place of a choice among its kind, which is its code in the kernel."""
    return list(type(choice)).index(choice)


def _mask(deck: Deck, kinds: Iterable[str]) -> int:
    return sum(1 << deck.ids[name] for name in kinds)


def _parts(number: int | complex) -> tuple[int, int]:
    return int(number.real), int(number.imag)


def _table(t: Any, rules: Rules) -> None:
    seats = rules.players
    t["seats"], t["turn"] = seats, rules.table.direction % seats
    t["team"][:seats] = derived.team_of(rules)
    t["team_size"] = seats // len(rules.table.teams) if rules.table.teams else 1
    t["team_worst"] = rules.table.team_scoring is TeamScoring.INDIVIDUAL


def _deck(t: Any, rules: Rules, deck: Deck) -> None:
    t["kinds"], t["copies"] = len(deck.kinds), max(deck.copies.values())
    t["deck_size"], t["hand_size"] = len(deck), derived.hand_size(rules, deck)
    t["kitty_size"], t["kitty_award"] = derived.kitty_size(rules, deck), _code(rules.deck.kitty_award)
    t["deck"][: len(deck)] = [deck.ids[name] for name in deck.cards]
    for kind, name in enumerate(deck.kinds):
        suit = suit_of(name)
        t["suit_of"][kind] = JOKER_SUIT if suit is None else SUITS.index(suit)
    for place, letter in enumerate(SUITS):
        t["suit_mask"][place] = _mask(deck, deck.match(letter))
    t["suit_mask"][JOKER_SUIT] = t["jokers"] = _mask(deck, deck.match(JOKER))
    t["hearts"] = _mask(deck, deck.match("H"))


def _passes(t: Any, rules: Rules, deck: Deck, schedule: PassSchedule, options: tuple[PassOption, ...]) -> None:
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


def _opening(t: Any, rules: Rules, deck: Deck) -> None:
    opening, card = rules.opening, derived.opening_card(rules, deck)
    suit = _mask(deck, deck.match(suit_of(card) or ""))
    # With a kitty the lowest card of the suit may lie there: then the lowest one in a hand opens.
    openers = suit if rules.deck.remainder is Remainder.KITTY and opening.holder in SUITS else 1 << deck.ids[card]
    t["opener"] = openers if opening.leader is Leader.HOLDER else 0
    t["opening"] = {OpeningCard.FORCED: openers, OpeningCard.ANY_OF_SUIT: suit, OpeningCard.ANY: 0}[opening.card]
    t["opening_lowest"] = opening.card is OpeningCard.FORCED
    if opening.taker is not None:
        t["leader_card"] = 1 << deck.ids[opening.taker]
    if rules.table.dealer_next != "left":
        t["dealer_card"] = 1 << deck.ids[rules.table.dealer_next]


def _play(t: Any, rules: Rules, deck: Deck) -> None:
    play, jokers = rules.play, rules.jokers
    penalty = _mask(deck, derived.penalty_cards(rules, deck))
    t["first_trick_ban"] = _mask(deck, deck.match_all(play.first_trick_forbidden))
    t["ban_discards"] = play.first_trick_scope is FirstTrickScope.DISCARD
    breakers = {BreakBy.HEARTS: 0, BreakBy.HEARTS_OR_QS: _mask(deck, deck.match("QS")), BreakBy.ANY_PENALTY: penalty}
    t["breaking"] = int(t["hearts"]) | breakers[play.break_by]
    t["break_on_discard"] = play.break_event is BreakEvent.DISCARDED
    t["joker_lead"] = _code(jokers.lead)
    t["joker_shows_void"] = jokers.play is JokerPlay.VOID_ONLY
    t["joker_heart_trick"] = jokers.scores is JokerScores.HEART_TRICK
    t["heart_calls"] = play.heart_lead is HeartLead.FREE


def _ladder(t: Any, rules: Rules, deck: Deck) -> None:
    play, jokers = rules.play, rules.jokers
    hearts, joker, penalty = int(t["hearts"]), int(t["jokers"]), _mask(deck, derived.penalty_cards(rules, deck))
    leads = FULL & ~joker if jokers.lead is JokerLead.NEVER else FULL
    others = leads & ~hearts
    needed = others & ~penalty if play.lead_exception is LeadException.HEARTS_PLUS_PENALTY else others
    forced = _mask(deck, deck.match_all(play.forced_discard))
    rows = {
        Situation.UNBROKEN: [(needed, others)] if play.heart_lead is HeartLead.BROKEN else [],
        Situation.LEAD: [],
    }
    for row, rungs in rows.items():
        _climbable(t, row, [*rungs, (leads, leads)])
    for suit in range(len(SUITS)):
        follow = int(t["suit_mask"][suit])
        free = joker if jokers.play is JokerPlay.ANY else 0
        _climbable(t, Situation.FOLLOW + suit, [(follow, follow | free), (forced, forced)])
    _climbable(t, Situation.FOLLOW + JOKER_SUIT, [])


def _climbable(t: Any, row: int, rungs: Sequence[tuple[int, int]]) -> None:
    for place, rung in enumerate([*rungs, (FULL, FULL)]):
        t["ladder"][row, place] = rung


def _tricks(t: Any, rules: Rules, deck: Deck) -> None:
    trick = rules.trick
    repeated = [name for name in deck.kinds if deck.copies[name] > 1 and name != JOKER]
    rule = dict.fromkeys(repeated, trick.duplicates)
    for pattern, exception in trick.exceptions:
        rule |= {name: exception for name in deck.match(pattern) if name in rule}
    t["cancels"] = _mask(deck, (name for name in repeated if rule[name] is Duplicates.CANCEL))
    t["first_wins"] = _mask(deck, (name for name in repeated if rule[name] is Duplicates.FIRST))
    t["cancelling"] = trick.duplicates is Duplicates.CANCEL
    t["two_pairs"] = trick.dead_trick is DeadTrick.TWO_PAIRS
    t["last_to_pair"] = trick.dead_last_trick is DeadLastTrick.SECOND_OF_TOP_PAIR
    if trick.extend_rank is not None:
        t["extending"] = _mask(deck, deck.match(trick.extend_rank))
    t["extend_led_suit"] = trick.extend_when is ExtendWhen.LED_SUIT
    t["plain_trick"] = not (repeated or t["extending"] or t["jokers"] or t["kitty_size"])


def _values(t: Any, rules: Rules, deck: Deck) -> None:
    score, points = rules.score, derived.card_points(rules, deck)
    for kind, name in enumerate(deck.kinds):
        t["values"][kind] = _parts(points[name])
    t["better"] = _code(score.better)
    t["valued"] = _mask(deck, (name for name in deck.kinds if points[name]))
    t["named"] = _mask(deck, derived.named_cards(rules, deck))
    t["penalty"] = _mask(deck, derived.penalty_cards(rules, deck))
    t["bonus"] = _mask(deck, (name for name in deck.kinds if derived.badness(rules, points[name]) < 0))
    t["bonus_floor_hand"], t["bonus_floor_total"] = score.bonus_floor_hand, score.bonus_floor_total
    t["no_tricks"], t["no_tricks_on_moon"] = score.no_tricks, score.no_tricks_on_moon
    t["no_hearts"], t["no_hearts_on_moon"] = score.no_hearts, score.no_hearts_on_moon
    t["pledge"], t["chips"] = score.pledge or 0, score.chips or 0
    moved = {card for pair in score.negations for card in deck.match_all(pair)}
    moved |= {m.card for m in derived.multipliers(rules)} | set(derived.moon_cards(rules, deck))
    scoring = [name for name in deck.kinds if name in moved or int(t["named"]) >> deck.ids[name] & 1]
    t["scoring"], t["scoring_count"] = _mask(deck, scoring), len(scoring)
    for column, name in enumerate(scoring):
        t["scoring_column"][deck.ids[name]] = column


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
    special = score.negations or score.multipliers or score.sweeps or rules.exposing.cards
    t["plain_score"] = not (special or t["joker_heart_trick"])


def _exposing(t: Any, rules: Rules, deck: Deck) -> None:
    exposing = rules.exposing
    pairs = sorted(exposing.cards, key=lambda pair: deck.kind(pair[0]))
    t["exposures"], t["expose_factor"], t["expose_lock"] = len(pairs), exposing.factor, exposing.lock
    for place, (card, pattern) in enumerate(pairs):
        t["expose_card"][place] = 1 << deck.ids[card]
        t["expose_raises"][place] = _mask(deck, deck.match(pattern))
        t["exposable"] |= t["expose_card"][place]


def _moon(t: Any, rules: Rules, deck: Deck) -> None:
    moon, points, cards = rules.moon, derived.card_points(rules, deck), derived.moon_cards(rules, deck)
    penalties = derived.penalty_cards(rules, deck)
    t["moon_set"], t["moon_count"] = _mask(deck, cards), sum(deck.copies[name] for name in cards)
    t["moon_waived"] = FULL if moon.least else _mask(deck, (name for name in cards if name in penalties))
    t["leasts"] = len(moon.least)
    for place, (pattern, least) in enumerate(moon.least):
        named = deck.match(pattern)
        t["least"][place] = _mask(deck, named)
        t["least_count"][place] = least, sum(deck.copies[name] for name in named)
        t["least_value"][place] = _parts(points[named[0]])
    total = derived.moon_worth(rules, deck)
    amount = total if moon.amount is None else moon.amount
    t["moon_amount"] = _parts(amount)
    t["sun_amount"] = UNSET if moon.sun_amount is None else (moon.sun_amount, 0)
    t["punish"] = UNSET if moon.punish is None else moon.punish
    if moon.big_moon_deals is not None:
        t["big_moon_deals"] = moon.big_moon_deals
        fixed = moon.big_moon_effect is BigMoonEffect.FIXED_100
        t["big_moon_points"] = 100 if fixed else moon.big_moon_deals * int(total.real)


def _awards(t: Any, rules: Rules) -> None:
    moon = rules.moon
    t["moon_rule"] = _code(moon.mode)
    t["moon_auto"] = moon.policy is MoonPolicy.AUTO_BEST
    t["moon_by_team"], t["moon_silences"] = moon.scope is MoonScope.TEAM, not moon.others_score
    t["moon_multiplied"], t["moon_sign_hurts"] = moon.multiplied, moon.sign is MoonSign.HURTS
    t["moon_extends"] = _code(moon.extends)
    t["new_moon_min"] = UNSET if moon.new_moon_min is None else moon.new_moon_min
    t["new_moon_any"] = moon.new_moon_who is NewMoonWho.ANY
    t["requires_sun"], t["sun_skip_first"] = moon.requires_sun, moon.sun_skip_first
    t["clean_slate"] = moon.clean_slate


def _end(t: Any, rules: Rules) -> None:
    end, gaussian = rules.end, rules.score.better in (Better.MAGNITUDE, Better.REAL)
    t["target"], t["lower_target"], t["max_deals"] = end.target or 0, end.lower_target or 0, end.max_deals or 0
    t["target_square"] = (end.target or 0) ** 2 if gaussian else 0
    t["target_strict"] = end.target_cmp is TargetCmp.GT
    t["tie_continue"] = end.tie is Tie.CONTINUE
    t["exact_hits"], t["exact_optional"] = len(end.exact), end.exact_optional
    for hit, (total, change) in enumerate(end.exact):
        t["exact_total"][hit], t["exact_change"][hit] = total, change
    t["lives"], t["life_threshold"], t["lives_out"] = end.lives or 0, end.life_threshold, _code(end.lives_out)


def _observation(t: Any, rules: Rules, deck: Deck) -> None:
    kinds, seats, lanes = int(t["kinds"]), int(t["seats"]), int(t["lanes"])
    planes = kinds * (1 + 2 * lanes + 2 * seats)
    common = planes + seats * (int(t["scoring_count"]) + 9) + 4 + len(Phase) + int(t["options"]) + 3
    extra = 2 * seats * (rules.score.better in (Better.MAGNITUDE, Better.REAL))
    extra += (
        seats * kinds * bool(t["exposures"])
        + 2 * seats * bool(t["pledge"])
        + bool(t["chips"])
        + seats * bool(t["lives"])
    )
    extra += kinds * bool(t["cancelling"]) + (kinds + seats) * bool(t["kitty_size"]) + bool(t["moon_extends"])
    t["obs_size"] = common + extra
    points = derived.card_points(rules, deck)
    bad = [sum(map(abs, _parts(points[name]))) * deck.copies[name] for name in derived.penalty_cards(rules, deck)]
    scale = sum(bad) or 1
    end = rules.end
    reach = end.target or -(end.lower_target or 0) or int(t["chips"]) * seats or scale * (end.max_deals or 1)
    t["point_scale"], t["total_scale"] = 1 / scale, 1 / reach
