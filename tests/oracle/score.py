"""What a careful scorekeeper would write down: the points of a deal and the totals after it, as the rulebook says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from hearts_env.ruleset.model import Rules
from tests.oracle.end import Sheet, after_deal, somebody_is_ahead, squared, with_exact_hits
from tests.oracle.moon import Deal, Shot, charge, charged, moon_amount, moon_choices, shooters, waived_for, who_shot
from tests.oracle.rules import Points, gaussian, is_penalty, moon_worth, named_by, oracle_deck, suit, team_mates


@dataclass
class Tally:
    """A deal written down.

    Attributes:
        points: points of the deal, per seat.
        totals: totals after it, before any exact hit.
        shooter: who shot the moon, or None.
        choices: what the shooter may do about it.
        way: what the points and totals stand for: self, others, fine (the shooter's), clean (slate) or None.
        best: the way that is better for the shooter.
        pool: chips in the pool after the deal.
    """

    points: list[Points]
    totals: list[Points]
    shooter: int | None
    choices: list[str]
    way: str | None = None
    best: str | None = None
    pool: int = 0


def oracle_score(
    rules: Rules, deal: Deal, sheet: Sheet, moon: str | None = None, *, big_moon: int | None = None
) -> Tally:
    """Score a deal.

    Args:
        rules: the rules.
        deal: the deal.
        sheet: what stood on the score sheet before.
        moon: what the shooter said, "self" or "others", if that was asked.
        big_moon: the seat that completes a big moon with this deal, if any.

    Returns:
        The tally; with more than one entry in `choices` and no `moon` the shooter has yet to say.
    """
    if rules.score.chips is not None:
        return _chips(rules, deal, sheet)
    shot = who_shot(rules, deal)
    if shot is None:
        points = deal_points(rules, deal, sheet.totals, None, None)
        return Tally(points, _add_up(rules, sheet.totals, points, None, None, big_moon), None, [], pool=sheet.pool)

    def outcome(way: str) -> tuple[list[Points], list[Points]]:
        points = deal_points(rules, deal, sheet.totals, shot, way)
        return points, _add_up(rules, sheet.totals, points, shot, way, None)

    def prospect(way: str) -> tuple[str, float]:
        return _prospect(rules, sheet, shot, way, *outcome(way))

    lost = not (rules.moon.clean_slate and shot.sun) and prospect("others")[0] == "lost"
    choices = moon_choices(rules, shot, sheet.totals, lost)
    best = choices[0]
    if len(choices) == 2:
        best = _better_way(prospect("self"), prospect("others"))
        if rules.moon.policy == "auto_best":
            choices = [best]
    way = moon or choices[0]
    assert way in choices
    points, totals = outcome(way)
    return Tally(points, totals, shot.shooter, choices, way, best, sheet.pool)


def _prospect(
    rules: Rules, sheet: Sheet, shot: Shot, way: str, points: list[Points], totals: list[Points]
) -> tuple[str, float]:
    """Whether the shooter has then won, has lost or plays on, and by how much its side leads the others on average."""
    after = totals if rules.end.exact_optional else with_exact_hits(rules, totals)
    then, over, _ = after_deal(rules, replace(sheet, totals=after), points, shot.shooter, way)
    costs = [-total.real if rules.score.better == "high" else total.real for total in after]
    if rules.score.better == "magnitude":
        costs = [abs(total) for total in after]
    side = team_mates(rules, shot.shooter)
    others = [cost for seat, cost in enumerate(costs) if seat not in side]
    lead = sum(others) / len(others) - sum(costs[seat] for seat in side) / len(side)
    if not over:
        return "plays on", lead
    return "lost" if somebody_is_ahead(rules, then, shot.shooter) else "won", lead


def _better_way(own: tuple[str, float], others: tuple[str, float]) -> str:
    """The better of two prospects for the shooter; equally good ones charge the others, unless that loses."""
    order = ["won", "plays on", "lost"]
    if own[0] != others[0]:
        return "self" if order.index(own[0]) < order.index(others[0]) else "others"
    if abs(own[1] - others[1]) < 1e-9:
        return "self" if others[0] == "lost" else "others"
    return "self" if own[1] > others[1] else "others"


def deal_points(rules: Rules, deal: Deal, totals: Sequence[Points], shot: Shot | None, way: str | None) -> list[Points]:
    """Points of a deal, per seat."""
    if way == "clean":
        return [0] * len(totals)
    points: list[Points] = []
    away = [shot is not None and seat not in shot.group and not rules.moon.others_score for seat in range(len(totals))]
    cards = [0 if away[seat] else _cards(rules, deal, shot, way, seat) for seat in range(len(totals))]
    paying = charged(rules, shot) if shot is not None and way == "others" else []
    payments = {
        seat: _signed(rules, _charge(rules, deal, shot, seat), totals[seat] + cards[seat], deal.signs.get(seat))
        for seat in paying
        if shot is not None
    }
    for seat, own in enumerate(cards):
        waived = waived_for(rules, shot, seat)
        score = own + payments.get(seat, 0)
        if shot is not None and seat == shot.shooter and rules.moon.mode == "paid":
            score -= sum(payments.values())
        events = _events(rules, deal, shot, seat)
        score += events * (deal.haul(rules, seat).whole_factor() if rules.score.multiplied_events else 1)
        if rules.score.bonus_floor_hand and not away[seat]:
            score = _with_floor(score, deal.haul(rules, seat).bonus(waived))
        points.append(complex(score) if gaussian(rules) else score)
    return points


def _cards(rules: Rules, deal: Deal, shot: Shot | None, way: str | None, seat: int) -> Points:
    """Points of a seat's cards, and of the award that its multipliers apply to."""
    award = _own_award(rules, deal, shot, way, seat)
    return deal.haul(rules, seat).score(waived_for(rules, shot, seat), award)


def _own_award(rules: Rules, deal: Deal, shot: Shot | None, way: str | None, seat: int) -> Points:
    """What the moon puts on a seat's own cards."""
    if shot is None or rules.moon.mode == "reset_or_double":
        return 0
    if way == "self" and seat in shot.group:
        return -moon_amount(rules, deal, shot)
    if way == "fine" and seat == shot.shooter:
        return moon_amount(rules, deal, shot)
    return 0


def _charge(rules: Rules, deal: Deal, shot: Shot, seat: int) -> Points:
    return 0 if rules.moon.mode == "reset_or_double" else charge(rules, deal, shot, seat)


def _signed(rules: Rules, award: Points, before: Points, chosen: int | None) -> Points:
    if chosen is not None:
        return chosen * award
    if rules.moon.sign in {"hurts", "chosen"} and squared(before - award) > squared(before + award):
        return -award
    return award


def _events(rules: Rules, deal: Deal, shot: Shot | None, seat: int) -> int:
    """Points for what a seat did not do."""
    points, score = 0, rules.score
    no_heart = not any(suit(card) == "H" for card in deal.taken[seat])
    if seat not in deal.winners and (shot is None or score.no_tricks_on_moon):
        points += score.no_tricks
    points += _trick_points(rules, deal, seat)
    if no_heart and (shot is None or score.no_hearts_on_moon):
        points += score.no_hearts
    if score.pledge is not None and deal.pledges[seat]:
        good = score.pledge if score.better == "high" else -score.pledge
        points += good if no_heart else -good
    return points


def _trick_points(rules: Rules, deal: Deal, seat: int) -> int:
    """Points for the tricks a seat won, and for sets of cards and tricks."""
    won = {
        "each": deal.winners.count(seat),
        "first": int(deal.winners[:1] == [seat]),
        "last": int(deal.winners[-1:] == [seat]),
    }
    points = sum(won[word] * worth for word, worth in rules.score.tricks)
    for text, worth in rules.score.sets:
        wanted = text.split("+")
        cards = [
            card for card in oracle_deck(rules) if any(named_by([part], card) for part in wanted if part not in won)
        ]
        has_cards = not Counter(cards) - Counter(deal.taken[seat])
        has_tricks = all(won[word] == (len(deal.winners) if word == "each" else 1) for word in wanted if word in won)
        points += worth * (has_cards and has_tricks)
    return points


def _with_floor(score: int, bonus: int) -> int:
    """Undo what a bonus took off beyond 0; a score that is below 0 for another reason stays there."""
    without_bonus = score - bonus
    return max(score, min(without_bonus, 0))


def _add_up(
    rules: Rules,
    totals: Sequence[Points],
    points: Sequence[Points],
    shot: Shot | None,
    way: str | None,
    big_moon: int | None,
) -> list[Points]:
    after = [total + score for total, score in zip(totals, points, strict=True)]
    if shot is not None and way == "clean":
        after[shot.shooter] = after[shot.shooter] * 0
    if shot is not None and rules.moon.mode == "reset_or_double":
        if way == "self":
            after[shot.shooter] = 0
        if way == "others":
            after = [2 * total if seat in charged(rules, shot) else total for seat, total in enumerate(after)]
    if big_moon is not None:
        gift = 100
        if rules.moon.big_moon_effect == "add_total":
            gift = (rules.moon.big_moon_deals or 0) * moon_worth(rules)
        friends = team_mates(rules, big_moon)
        after = [total if seat in friends else total + gift for seat, total in enumerate(after)]
        after = [0 if seat in shooters(rules, big_moon) else total for seat, total in enumerate(after)]
    if rules.score.bonus_floor_total:
        after = [max(total, 0) for total in after]
    return after


def _chips(rules: Rules, deal: Deal, sheet: Sheet) -> Tally:
    """Everybody pays a chip; those without a penalty card share the pool, as far as it goes evenly."""
    clean = [seat for seat, cards in enumerate(deal.taken) if not any(is_penalty(rules, card) for card in cards)]
    pool = sheet.pool + len(sheet.totals)
    share = pool // len(clean) if clean else 0
    points = [share - 1 if seat in clean else -1 for seat in range(len(sheet.totals))]
    totals = [total + score for total, score in zip(sheet.totals, points, strict=True)]
    return Tally(points, totals, None, [], pool=pool - share * len(clean))
