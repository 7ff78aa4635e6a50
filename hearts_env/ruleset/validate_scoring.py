"""The contradictions among the fields about points, moons and the end of the match."""

from __future__ import annotations

from collections.abc import Iterable

from hearts_env.cards import Deck
from hearts_env.errors import RulesError
from hearts_env.ruleset import derived
from hearts_env.ruleset.declaration import MOST
from hearts_env.ruleset.enums import (
    Better,
    BigMoonEffect,
    MoonExtends,
    MoonMode,
    MoonScope,
    MoonSign,
    Schedule,
    TeamScoring,
    Tie,
)
from hearts_env.ruleset.fields import PAYING, End, RuleFields, flat_fields
from hearts_env.ruleset.limits import FEW
from hearts_env.ruleset.passing import pass_schedule

MOST_POINTS = 2**31 - 1
"""The largest total that the kernel can count."""
CHARGES = (MoonMode.OLD, MoonMode.CHOICE, MoonMode.NEW_IF_OLD_LOSES, MoonMode.PAID)
"""The moons that may charge the other seats."""
BASIC = flat_fields(RuleFields())
PLAIN = (
    "score.bonus_floor_hand",
    "score.bonus_floor_total",
    "score.pledge",
    "score.chips",
    "moon.new_moon_min",
    "moon.punish",
    "moon.big_moon_deals",
    "end.exact",
    "end.exact_wins",
    "end.lower_target",
    "end.lives",
    "table.teams",
)
"""Fields for games of whole points only."""
COUNTED = (*PAYING, "score.multipliers", "score.sweeps", "score.tricks", "score.sets")
"""Fields that give points for anything besides cards."""


def check_scoring(rules: RuleFields, deck: Deck) -> None:
    """Raise RulesError, naming both sides, if the scoring contradicts itself."""
    _check_domain(rules)
    _check_tricks(rules, deck)
    _check_events(rules, deck)
    _check_factors(rules, deck)
    _check_moon(rules, deck)
    _check_awards(rules)
    _check_sun(rules)
    if rules.moon.big_moon_deals is not None:
        _check_big_moon(rules)
    _check_least(rules, deck)
    _check_end(rules)
    _check_target(rules)
    _check_bounds(rules, deck)
    _check_lives(rules)
    if rules.score.chips is not None:
        _check_chips(rules)


def _check_tricks(rules: RuleFields, deck: Deck) -> None:
    score = rules.score
    for word, _ in score.tricks:
        if word not in derived.TRICK_WORDS:
            raise RulesError(f"score.tricks names {word!r}; it can name {', '.join(derived.TRICK_WORDS)}")
    if len(score.sets) > FEW:
        raise RulesError(f"score.sets has {len(score.sets)} entries; at most {FEW} are possible")
    for text, _ in score.sets:
        for part in text.split("+"):
            if part not in derived.TRICK_WORDS and not deck.match(part):
                raise RulesError(
                    f"score.sets has {text}, but {part} is neither in the pack nor one of "
                    f"{', '.join(derived.TRICK_WORDS)}"
                )


def _check_domain(rules: RuleFields) -> None:
    score, moon = rules.score, rules.moon
    numbers = [value for _, value in score.card_values] + [m.factor for m in derived.multipliers(rules)]
    gaussian = score.better in (Better.MAGNITUDE, Better.REAL)
    if not gaussian and any(isinstance(number, complex) for number in [*numbers, moon.amount]):
        raise RulesError(
            f"score.better={score.better} cannot compare Gaussian integers, but some points or factors are; "
            "use score.better=magnitude"
        )
    changed = _changed(rules, PLAIN) + ["moon.mode=reset_or_double"] * (moon.mode is MoonMode.RESET_OR_DOUBLE)
    fit_for_high = ("end.exact", "end.exact_wins", "end.lower_target", "table.teams", "score.pledge")
    for path in changed:
        if gaussian or (score.better is Better.HIGH and path not in fit_for_high):
            fit = "games of whole points" if gaussian else "games in which the lowest total wins"
            raise RulesError(f"{path} and score.better={score.better} contradict: it is for {fit}")
    if moon.sign is MoonSign.CHOSEN and moon.mode not in CHARGES:
        raise RulesError(f"moon.sign=chosen is about charging the others, but moon.mode={moon.mode}")
    if moon.sign is not MoonSign.PLUS and score.better is not Better.MAGNITUDE:
        raise RulesError(
            f"moon.sign={moon.sign} is about absolute values, but score.better={score.better}; use magnitude"
        )


def _check_events(rules: RuleFields, deck: Deck) -> None:
    score = rules.score
    for path, points in (("no_hearts", score.no_hearts), ("pledge", score.pledge)):
        if points and not deck.match("H"):
            raise RulesError(f"score.{path}={points} is about hearts, but the pack has none")


def _check_factors(rules: RuleFields, deck: Deck) -> None:
    score = rules.score
    whole = {m.card for m in derived.multipliers(rules) if m.scope is None}
    for card, _ in score.alone:
        if card not in whole:
            raise RulesError(f"score.alone names {card}, which is not among score.multipliers of the whole hand")
        if derived.card_points(rules, deck)[card]:
            raise RulesError(f"score.alone and score.card_values both give {card} points; give it none in card_values")
    for path, pairs in (
        ("score.negations", score.negations),
        ("score.multipliers", score.multipliers),
        ("score.alone", score.alone),
        ("score.sweeps", score.sweeps),
        ("exposing.cards", rules.exposing.cards),
        ("moon.least", rules.moon.least),
        ("end.exact", rules.end.exact),
    ):
        if len(pairs) > FEW:
            raise RulesError(f"{path} has {len(pairs)} entries; at most {FEW} are possible")
    if not rules.moon.multiplied and not whole:
        raise RulesError("moon.multiplied=false has nothing to leave out: score.multipliers has none of the whole hand")
    if score.multiplied_events and not whole:
        raise RulesError("score.multiplied_events needs score.multipliers of the whole hand, such as {TC:2}")


def _check_moon(rules: RuleFields, deck: Deck) -> None:
    moon, end = rules.moon, rules.end
    if not derived.moon_cards(rules, deck) and (moon.mode is not MoonMode.NONE or moon.big_moon_deals is not None):
        award = "moon.big_moon_deals" if moon.mode is MoonMode.NONE else f"moon.mode={moon.mode}"
        raise RulesError(f"{award} needs cards to take, but score.card_values has no penalty card")
    if moon.mode is MoonMode.NEW_IF_OLD_LOSES and end.target is None:
        raise RulesError("moon.mode=new_if_old_loses needs a target to lose by, but end.target=none")
    if moon.new_moon_min is not None and moon.mode is not MoonMode.CHOICE:
        raise RulesError(f"moon.new_moon_min restricts a choice, but moon.mode={moon.mode}; use moon.mode=choice")
    if moon.scope is MoonScope.TEAM and not rules.table.teams:
        raise RulesError("moon.scope=team needs teams, but table.teams is empty")
    if moon.mode is MoonMode.NONE and not moon.others_score:
        raise RulesError("moon.others_score=false needs an award, but moon.mode=none")


def _check_awards(rules: RuleFields) -> None:
    moon, end = rules.moon, rules.end
    if moon.extends is not MoonExtends.OFF:
        if moon.mode not in (MoonMode.OLD, MoonMode.CHOICE):
            raise RulesError(f"moon.extends={moon.extends} is about old moons, but moon.mode={moon.mode}")
        if end.target is None and end.lower_target is None:
            raise RulesError(f"moon.extends={moon.extends} needs a target that an old moon may reach")
        if moon.extends is MoonExtends.UNTIL_NEXT_MOON and end.max_deals is None:
            raise RulesError(
                "moon.extends=until_next_moon and end.max_deals=none contradict: without another moon the match would "
                "never end; set end.max_deals"
            )
    if moon.punish is not None:
        if moon.mode not in CHARGES:
            raise RulesError(f"moon.punish charges one of the others, but moon.mode={moon.mode}")
        schedule = pass_schedule(rules.passing.cycle, rules.players, rules.passing.count)
        options = [o for entry in schedule for o in entry]
        odd = next((o.text for o in options if len(o.moves) > 1 or any(m.offset == 0 for m in o.moves)), None)
        if odd is not None or rules.passing.schedule is Schedule.RANDOM:
            raise RulesError(
                f"moon.punish needs to know who passed to whom, but the pass may be {odd or 'drawn at random'}"
            )


def _check_sun(rules: RuleFields) -> None:
    moon = rules.moon
    sun = moon.requires_sun or moon.sun_amount is not None or moon.clean_slate or moon.punish is not None
    if moon.mode is MoonMode.NONE and (sun or moon.sun_skip_first):
        raise RulesError(
            "moon.mode=none has no award, but a sun field is set; choose another mode or leave the sun out"
        )
    if moon.sun_skip_first and not sun:
        raise RulesError("moon.sun_skip_first needs a sun that matters: set moon.requires_sun or moon.sun_amount")
    if moon.requires_sun and moon.amount is not None and moon.sun_amount is not None:
        raise RulesError(
            "moon.requires_sun leaves only the sun, so moon.amount and moon.sun_amount contradict; keep one"
        )
    if moon.clean_slate and moon.sun_amount is not None:
        raise RulesError(f"moon.clean_slate and moon.sun_amount={moon.sun_amount} contradict; keep one")
    if moon.clean_slate and moon.punish is not None:
        raise RulesError(f"moon.clean_slate and moon.punish={moon.punish} contradict: a clean slate charges nobody")


def _check_big_moon(rules: RuleFields) -> None:
    moon, end = rules.moon, rules.end
    deals = moon.big_moon_deals or 0
    if moon.mode is not MoonMode.NONE:
        raise RulesError(
            f"moon.big_moon_deals and moon.mode={moon.mode} contradict: the big moon is for moon.mode=none"
        )
    if end.max_deals is not None and end.max_deals < deals:
        raise RulesError(f"moon.big_moon_deals={deals} is never reached with end.max_deals={end.max_deals}")
    if moon.big_moon_effect is BigMoonEffect.ADD_TOTAL and end.target is not None:
        raise RulesError(
            f"moon.big_moon_effect=add_total is for a match of fixed length, but end.target={end.target} ends it "
            "by points; use fixed100, or end.target=none"
        )


def _check_least(rules: RuleFields, deck: Deck) -> None:
    moon = rules.moon
    if not moon.least:
        return
    if moon.cards or moon.amount is not None:
        field = "moon.cards" if moon.cards else "moon.amount"
        raise RulesError(f"moon.least and {field} contradict: the cards named there say what to take and its worth")
    points = derived.card_points(rules, deck)
    copies = {pattern: sum(deck.copies[card] for card in deck.match(pattern)) for pattern, _ in moon.least}
    for pattern, least in moon.least:
        if not 1 <= least <= copies[pattern]:
            raise RulesError(f"moon.least asks for {least} of {pattern}, of which the pack has {copies[pattern]}")
        if len({points[card] for card in deck.match(pattern)}) > 1:
            raise RulesError(f"moon.least names {pattern}, whose cards differ in points; name cards of one value")
    if all(2 * least <= copies[pattern] for pattern, least in moon.least):
        raise RulesError("moon.least can be met by two seats at once; ask for more than half of some cards")


def _check_end(rules: RuleFields) -> None:
    end, score = rules.end, rules.score
    ends = {f"end.{path}": getattr(end, path) for path in ("target", "lower_target", "max_deals")}
    given = [f"{path}={value}" for path, value in (ends | {"score.chips": score.chips}).items() if value is not None]
    if not (given or end.endless):
        raise RulesError("the match never ends: set end.target or end.max_deals, or end.endless=true if it should not")
    given += [f"end.tie={end.tie}"] * (end.tie is Tie.CONTINUE)
    given += [f"moon.mode={rules.moon.mode}"] * (rules.moon.mode in (MoonMode.RESET_OR_DOUBLE, MoonMode.WINS))
    given += [f"end.exact_wins={end.exact_wins}"] * (end.exact_wins is not None)
    if end.endless and given:
        path = given[0].partition("=")[0]
        raise RulesError(
            f"end.endless=true and {given[0]} contradict; set {path}={'share' * (path == 'end.tie') or 'none'}"
        )
    hits = dict(end.exact)
    if len(hits) != len(end.exact):
        raise RulesError("end.exact names a total twice")
    for total, change in end.exact:
        if total + change in hits and change != 0:
            _check_hit_chain(total, change)
    if end.exact_wins is not None and rules.table.teams:
        raise RulesError(f"end.exact_wins={end.exact_wins} and table.teams contradict: the total is a player's own")
    if end.exact_optional and not end.exact:
        raise RulesError("end.exact_optional has nothing to decline: end.exact is empty")


def _check_hit_chain(total: int, change: int) -> None:
    # A hit is applied once, never chained: the usual list may send 100 to 50 and 50 to 0. Upwards, 50 to 100 and 100
    # to 50, it is refused, because a reader would expect the two to undo each other.
    if change > 0:
        raise RulesError(
            f"end.exact sends {total} up to {total + change}, itself a listed total; a hit is applied once, so leave "
            "out one of the two"
        )


def _check_target(rules: RuleFields) -> None:
    end, better = rules.end, rules.score.better
    if better is Better.LOW and end.lower_target is not None and end.target is None and end.max_deals is None:
        raise RulesError("end.lower_target alone and score.better=low contradict: totals rise; set end.target as well")
    if better is Better.HIGH and end.target is not None and end.lower_target is None and end.max_deals is None:
        raise RulesError("end.target alone and score.better=high contradict: totals may fall; set end.lower_target too")


def _check_bounds(rules: RuleFields, deck: Deck) -> None:
    end, score = rules.end, rules.score
    low, high = derived.point_bounds(rules, deck)
    if max(-low, high) * (end.max_deals or (MOST if end.endless else 1)) > MOST_POINTS:
        raise RulesError(
            f"totals may exceed {MOST_POINTS}, the largest possible number; use smaller points, score.multipliers "
            "or end.max_deals"
        )
    # Totals reach a target or a last deal; which way points can go is exact where cards are worth the same to all.
    reached = (end.target is not None and high > 0) or (end.lower_target is not None and low < 0)
    gaussian = score.better in (Better.MAGNITUDE, Better.REAL)
    if end.max_deals is None and score.chips is None and not (gaussian or reached or end.endless):
        paths = [path for path, target in (("target", end.target), ("lower_target", end.lower_target)) if target]
        raise RulesError(
            f"the match never ends: no deal moves a total towards {' or '.join(f'end.{path}' for path in paths)}; set "
            "end.max_deals, or change score.card_values"
        )


def _check_lives(rules: RuleFields) -> None:
    end, plain = rules.end, End()
    if end.lives is None:
        if (end.life_threshold, end.lives_out) != (plain.life_threshold, plain.lives_out):
            raise RulesError("end.life_threshold or end.lives_out is set, but end.lives=none")
        return
    if end.max_deals is None:
        raise RulesError(f"end.lives={end.lives} and end.max_deals=none contradict: set the number of deals")
    if rules.table.teams:
        raise RulesError(f"end.lives={end.lives} and table.teams contradict: lives are each player's own")


def _check_chips(rules: RuleFields) -> None:
    table, chips = rules.table, rules.score.chips
    others = [path for path in _changed(rules, (*PLAIN, *COUNTED)) if path not in ("score.chips", "table.teams")]
    others += ["moon.mode"] * (rules.moon.mode is not MoonMode.NONE) + ["end.target"] * (rules.end.target is not None)
    others += ["table.teams"] * (bool(table.teams) and table.team_scoring is not TeamScoring.SUM)
    if others:
        raise RulesError(
            f"score.chips={chips} and {others[0]} contradict: chips count, not points; switch {others[0]} off"
        )
    if not any(derived.badness(rules, value) > 0 for _, value in rules.score.card_values):
        raise RulesError(f"score.chips={chips} needs penalty cards, but score.card_values has none")


def _changed(rules: RuleFields, paths: Iterable[str]) -> list[str]:
    """The fields among `paths` that are not as in Basic Hearts."""
    values = flat_fields(rules)
    return [path for path in paths if values[path] != BASIC[path]]
