"""What a careful onlooker would say: pack, passes, legal cards and tricks, straight from the rulebook.

Written from RULEBOOK and the agreed reading only, with names, lists, sets and ifs. It shares nothing with the
engine but the `Rules` value itself, so that an error has to be made twice, in two shapes, to go unseen.
"""

from __future__ import annotations

from collections.abc import Sequence

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
                entries += ["left", "right"] if distance == 1 else [f"+{distance}", f"-{distance}"]
        entries += ["across", "hold"] if seats % 2 == 0 else ["hold"]
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
