"""What a careful scorekeeper would say: pack, passes, legal cards, tricks and points, straight from the rulebook.

Written from RULEBOOK and the agreed reading only, with names, lists, sets and ifs. It shares nothing with the engine but
the `Rules` value itself, so that an error has to be made twice, in two shapes, to go unseen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hearts_env.rules import Rules

SUITS = ["C", "D", "H", "S"]
RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "T", "11", "12", "J", "Q", "K", "A"]


def suit(card: str) -> str:
    """The suit letter of a card."""
    return card[-1]


def height(card: str) -> int:
    """How high a card stands within its suit."""
    return RANKS.index(card[:-1])


def named_by(patterns: Sequence[str], card: str) -> bool:
    """Whether a card is meant by one of the patterns: its suit, its rank or itself."""
    return card in patterns or card[-1] in patterns or card[:-1] in patterns


def oracle_deck(rules: Rules) -> list[str]:
    """The pack after as many removals, in order, as it takes to divide it among the seats."""
    cards = [rank + letter for letter in SUITS for rank in RANKS if rank in rules.deck.ranks]
    for card in rules.deck.removal_order:
        if len(cards) % rules.table.players:
            cards.remove(card)
    assert len(cards) % rules.table.players == 0
    return cards


def oracle_opener(rules: Rules) -> str:
    """The card that opens: the one named, or the lowest of the suit named that is still in the pack."""
    named = rules.opening.holder
    if named not in SUITS:
        return named
    return min((card for card in oracle_deck(rules) if suit(card) == named), key=height)


def oracle_passes(rules: Rules) -> list[list[tuple[str, list[tuple[int, int]]]]]:
    """For every entry of the cycle its options, each with its text and its (seat offset, cards) moves."""
    seats = rules.table.players
    entries = list(rules.passing.cycle)
    if not entries:
        for distance in range(1, seats):
            if 2 * distance < seats:
                entries += [f"+{distance}", f"-{distance}"]
        if seats % 2 == 0:
            entries.append("across")
        entries.append("hold")
    return [[(option, _moves(option, rules)) for option in entry.split("|")] for entry in entries]


def _moves(option: str, rules: Rules) -> list[tuple[int, int]]:
    seats = rules.table.players
    if option == "hold":
        return []
    if option == "scatter":
        return [(offset, 1) for offset in range(1, seats)]
    moves = []
    for part in option.split("&"):
        where, _, count = part.partition("*")
        words = {"left": 1, "right": seats - 1, "across": seats // 2}
        offset = words[where] if where in words else int(where) % seats
        moves.append((offset, int(count) if count else rules.passing.count))
    return moves


def value(rules: Rules, card: str) -> int:
    """What a card costs its taker; the last entry that names it counts."""
    worth = 0
    for pattern, points in rules.score.card_values:
        if named_by([pattern], card):
            worth = points
    return worth


def moon_set(rules: Rules) -> list[str]:
    """The cards one seat has to take to shoot the moon."""
    if rules.moon.cards:
        return [card for card in oracle_deck(rules) if named_by(rules.moon.cards, card)]
    return [card for card in oracle_deck(rules) if value(rules, card) > 0]


def moon_worth(rules: Rules) -> int:
    """The penalty points of the moon cards."""
    return sum(value(rules, card) for card in moon_set(rules) if value(rules, card) > 0)


def oracle_legal(rules: Rules, hand: Sequence[str], trick: Sequence[str], first_trick: bool, broken: bool) -> list[str]:
    """The cards of a hand that may be played now."""
    if trick:
        cards = [card for card in hand if suit(card) == suit(trick[0])] or list(hand)
    elif first_trick:
        cards = _opening_lead(rules, hand, broken)
    else:
        cards = _lead(rules, hand, broken)
    if first_trick:
        allowed = [card for card in cards if not named_by(rules.play.first_trick_forbidden, card)]
        cards = allowed or cards
    return cards


def _opening_lead(rules: Rules, hand: Sequence[str], broken: bool) -> list[str]:
    opener = oracle_opener(rules)
    if rules.opening.card == "forced" and opener in hand:
        return [opener]
    if rules.opening.card == "any_of_suit":
        of_suit = [card for card in hand if suit(card) == suit(opener)]
        if of_suit:
            return of_suit
    return _lead(rules, hand, broken)


def _lead(rules: Rules, hand: Sequence[str], broken: bool) -> list[str]:
    if rules.play.heart_lead == "free" or broken:
        return list(hand)
    others = [card for card in hand if suit(card) != "H"]
    if not others:
        return list(hand)
    only_bad_cards = all(value(rules, card) > 0 for card in others)
    if rules.play.lead_exception == "hearts_plus_penalty" and only_bad_cards:
        return list(hand)
    return others


def breaks_hearts(rules: Rules, card: str, led: str) -> bool:
    """Whether hearts may be led once this card has gone to a trick in which the suit `led` was led."""
    if suit(card) == "H" and led == "H":
        # A heart was led: hearts are broken, be it that they were before or that the hand had to.
        return True
    breaker = suit(card) == "H"
    if rules.play.break_by == "hearts_or_qs" and card == "QS":
        breaker = True
    if rules.play.break_by == "any_penalty" and value(rules, card) > 0:
        breaker = True
    if rules.play.break_event == "discarded" and suit(card) == led:
        return False
    return breaker


def oracle_winner(rules: Rules, cards: Sequence[str]) -> int:
    """The place in play order of the highest card of the led suit."""
    following = [card for card in cards if suit(card) == suit(cards[0])]
    return list(cards).index(max(following, key=height))


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
        return ends_by_itself(rules, after, deal_number) and min(after) < after[shooter]

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


def match_over(rules: Rules, totals: Sequence[int], deal_number: int) -> bool:
    """Whether the match is over after a deal; with tie=continue a shared lowest total keeps it going."""
    if rules.end.tie == "continue" and list(totals).count(min(totals)) > 1:
        return False
    return ends_by_itself(rules, totals, deal_number)


def oracle_ranking(totals: Sequence[int]) -> list[int]:
    """Place of every seat: 1 plus the number of seats that have less."""
    return [1 + sum(other < total for other in totals) for total in totals]
