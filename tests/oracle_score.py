"""What a careful scorekeeper would write down: points, moons, totals and the end, as the rulebook says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hearts_env.rules import Rules
from tests.oracle_rules import moon_set, moon_worth, value


@dataclass
class Tally:
    """A deal written down: points of the deal and totals after it, before any exact hit."""

    points: list[int]
    totals: list[int]
    shooter: int | None
    choices: list[str]


def took_all(rules: Rules, taken: Sequence[Sequence[str]]) -> int | None:
    """The seat that took every moon card, if one did."""
    wanted = set(moon_set(rules))
    if not wanted:
        return None
    return next((seat for seat, cards in enumerate(taken) if wanted <= set(cards)), None)


def shot_the_sun(rules: Rules, seat: int, winners: Sequence[int]) -> bool:
    """Whether a seat won every trick of the deal, or every one that counts."""
    counting = winners[1:] if rules.moon.sun_skip_first else winners
    return all(winner == seat for winner in counting)


def oracle_shooter(rules: Rules, taken: Sequence[Sequence[str]], winners: Sequence[int]) -> int | None:
    """The seat that is rewarded (or fined) for the moon or the sun, if any."""
    seat = took_all(rules, taken)
    if rules.moon.mode == "none" or seat is None:
        return None
    if rules.moon.requires_sun and not shot_the_sun(rules, seat, winners):
        return None
    return seat


def oracle_score(
    rules: Rules,
    taken: Sequence[Sequence[str]],
    winners: Sequence[int],
    totals: Sequence[int],
    moon: str | None = None,
    *,
    deal_number: int = 0,
    big_moon: int | None = None,
    due: bool = False,
) -> Tally:
    """Score a deal.

    Args:
        rules: the rules.
        taken: the cards each seat took.
        winners: the winner of each trick, in order.
        totals: totals before the deal.
        moon: what the shooter said, "self" or "others", if that was asked.
        deal_number: deals played before this one.
        big_moon: the seat that completes a big moon with this deal, if any.
        due: whether the match should have ended before and went on because of a tie.

    Returns:
        The tally; with more than one entry in `choices` and no `moon` the shooter has yet to say.
    """
    shooter = oracle_shooter(rules, taken, winners)
    if shooter is None:
        points = _plain_points(rules, taken, winners)
        return Tally(points, _add_up(rules, totals, points, big_moon), None, [])

    def outcome(way: str) -> tuple[list[int], list[int]]:
        points = _moon_points(rules, taken, winners, shooter, way)
        return points, _add_up(rules, totals, points, None)

    def lost_with_others() -> bool:
        after = outcome("others")[1]
        if not rules.end.exact_optional:
            after = [total + dict(rules.end.exact).get(total, 0) for total in after]
        return match_over(rules, after, deal_number, due=due) and min(after) < after[shooter]

    choices = _choices(rules, totals, shooter, lost_with_others)
    way = moon or choices[0]
    if moon is None and len(choices) == 2 and rules.moon.policy == "auto_best":
        choices = ["self"] if lost_with_others() else ["others"]
        way = choices[0]
    assert way in choices
    return Tally(*outcome(way), shooter, choices)


def _choices(rules: Rules, totals: Sequence[int], shooter: int, lost_with_others: Callable[[], bool]) -> list[str]:
    mode = rules.moon.mode
    if mode == "old":
        return ["others"]
    if mode == "new":
        return ["self"]
    if mode == "fixed_self":
        return ["fine"]
    if mode == "new_if_old_loses":
        return ["others", "self"] if lost_with_others() else ["others"]
    assert mode == "choice"
    needed = rules.moon.new_moon_min
    reached = max(totals) if rules.moon.new_moon_who == "any" else totals[shooter]
    if needed is not None and reached < needed:
        return ["others"]
    return ["others", "self"]


def _plain_points(rules: Rules, taken: Sequence[Sequence[str]], winners: Sequence[int]) -> list[int]:
    points = []
    for seat, cards in enumerate(taken):
        score = sum(value(rules, card) for card in cards)
        if seat not in winners:
            score += rules.score.no_tricks
        points.append(_with_floor(rules, cards, score))
    return points


def _moon_points(
    rules: Rules, taken: Sequence[Sequence[str]], winners: Sequence[int], shooter: int, way: str
) -> list[int]:
    amount = rules.moon.amount if rules.moon.amount is not None else moon_worth(rules)
    if rules.moon.sun_amount is not None and shot_the_sun(rules, shooter, winners):
        amount = rules.moon.sun_amount
    points = []
    for seat, cards in enumerate(taken):
        score = 0
        for card in cards:
            cleared = seat == shooter and card in moon_set(rules) and value(rules, card) > 0
            score += 0 if cleared else value(rules, card)
        if way == "others" and seat != shooter:
            score += amount
        if way == "self" and seat == shooter:
            score -= amount
        if way == "fine" and seat == shooter:
            score += amount
        if seat not in winners and rules.score.no_tricks_on_moon:
            score += rules.score.no_tricks
        points.append(_with_floor(rules, cards, score))
    return points


def _with_floor(rules: Rules, cards: Sequence[str], score: int) -> int:
    """Undo what a bonus took off beyond 0; a score that is below 0 for another reason stays there."""
    bonus = sum(value(rules, card) for card in cards if value(rules, card) < 0)
    without_bonus = score - bonus
    if rules.score.bonus_floor_hand:
        return max(score, min(without_bonus, 0))
    return score


def _add_up(rules: Rules, totals: Sequence[int], points: Sequence[int], big_moon: int | None) -> list[int]:
    after = [total + score for total, score in zip(totals, points, strict=True)]
    if big_moon is not None:
        gift = 100
        if rules.moon.big_moon_effect == "add_total":
            gift = (rules.moon.big_moon_deals or 0) * moon_worth(rules)
        after = [0 if seat == big_moon else total + gift for seat, total in enumerate(after)]
    if rules.score.bonus_floor_total:
        after = [max(total, 0) for total in after]
    return after


def ends_by_itself(rules: Rules, totals: Sequence[int], deal_number: int) -> bool:
    """Whether somebody has reached the target or the last deal has been played."""
    target = rules.end.target
    if target is not None and rules.end.target_cmp == "ge" and max(totals) >= target:
        return True
    if target is not None and rules.end.target_cmp == "gt" and max(totals) > target:
        return True
    return rules.end.max_deals is not None and deal_number + 1 >= rules.end.max_deals


def match_over(rules: Rules, totals: Sequence[int], deal_number: int, *, due: bool = False) -> bool:
    """Whether the match is over after a deal; with tie=continue a shared lowest total keeps it going.

    `due`: the match should have ended before, but the lowest total was shared; it ends as soon as that is over.
    """
    if rules.end.tie == "continue" and list(totals).count(min(totals)) > 1:
        return False
    return due or ends_by_itself(rules, totals, deal_number)


def oracle_ranking(totals: Sequence[int]) -> list[int]:
    """Place of every seat: 1 plus the number of seats that have less."""
    return [1 + sum(other < total for other in totals) for total in totals]
