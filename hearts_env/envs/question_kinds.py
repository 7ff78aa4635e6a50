"""The kinds of `hearts_env.questions`: positions, questions about them, and the exact answers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from hearts_env.cards import SUITS, suit_of
from hearts_env.errors import RulesError
from hearts_env.ruleset.model import BLACK_LADY, Rules
from hearts_env.ruleset.syntax import write_gaussian
from hearts_env.seat.view import View
from hearts_env.seat.worlds import every_deal, ways_to_deal
from hearts_env.table.match import Match
from hearts_env.table.score import legal_plays, score_deal, trick_winner
from hearts_env.variants.sample import Draws

MOST_DEALS = 600
"""The most ways to deal the hidden cards of a position that is enumerated."""
CONSISTENT = (
    "Consider every way to deal the cards that you cannot see that agrees with what you saw and makes every card "
    "played legal; identical cards count as different cards."
)
NOBODY = "nobody"
Deals = list[list[list[str]]]
"""For each deal the cards held, per seat."""


class Asked(NamedTuple):
    """A question about a position, in parts."""

    match: Match  # the position, as the seat to act sees it
    ask: str
    answer: str
    basic: str | None  # the answer if Basic Hearts were played, None if the position has none then
    chance: float  # the probability that a uniform guess among such answers is right; 0 for numbers


def seen_by(match: Match) -> View:
    """Everything that the seat to act may know."""
    return match.view(int(match.state["seat"][0]))


# Basic Hearts


def basic_rules(rules: Rules) -> Rules | None:
    """Basic Hearts with the players and the pack of other rules, None if it cannot be played with them."""
    pack = {path: value for path, value in rules.flat().items() if path.startswith("deck.")}
    free = {"opening.leader": "left_of_dealer", "opening.card": "any", "passing.unpassable": ()}
    for further in ({}, free):  # of two packs nobody alone holds the two of clubs
        try:
            return BLACK_LADY.build(rules.players, **pack, **further)
        except RulesError:
            continue
    return None


def _as_basic(answer: Callable[[Rules], str], rules: Rules) -> str | None:
    """An answer under Basic Hearts' rules, None if the position cannot be there."""
    basic = basic_rules(rules)
    try:
        return None if basic is None else answer(basic)
    except ValueError:
        return None


def _not_followed(view: View) -> Iterator[tuple[int, str]]:
    """Each seat that did not follow suit, and the suit."""
    seen = view.as_dict()
    for trick in (*seen["tricks"], seen["trick"]):
        led = next((suit for _, card in trick["cards"] if (suit := suit_of(card))), None)
        yield from ((seat, led) for seat, card in trick["cards"] if led and suit_of(card) != led)


def _basic_deals(match: Match) -> Deals:
    """The deals that agree with a position in Basic Hearts.

    Where its cards could not have been played there, those in which the seats that did not follow suit are void.
    """
    start, view, basic = match.after(0), seen_by(match), basic_rules(match.rules)
    if basic is not None:
        played = [card for _, card in view.played]
        try:
            again = Match.from_hands(basic, start.hands, dealer=match.dealer, kitty=start.kitty, played=played)
            if again.view(view.seat).played == view.played:
                return every_deal(again.view(view.seat), MOST_DEALS)
        except ValueError:
            pass
    return _deals_by_suit(match)


def _deals_by_suit(match: Match) -> Deals:
    view, kinds = seen_by(match), match.game.deck.kinds
    unseen = match.game.deck.copies - Counter([*view.hand, *view.kitty, *(card for _, card in view.played)])
    cards = sorted(kinds.index(card) for card in unseen.elements())
    room = [0 if seat == view.seat else len(hand) for seat, hand in enumerate(match.hands)]
    room.append(len(match.kitty) - len(view.kitty))
    forbidden = [0] * len(room)
    for seat, suit in _not_followed(view):
        forbidden[seat] |= sum(1 << kind for kind, name in enumerate(kinds) if suit_of(name) == suit)
    return [
        [
            [kinds[kind] for kind, holder in zip(cards, holders, strict=True) if holder == seat]
            for seat in range(len(room))
        ]
        for holders in ways_to_deal(cards, room, forbidden)
    ]


# Positions


def _positions(rules: Rules, draws: Draws, *, skewed: bool = False) -> list[Match]:
    """The positions of a deal in which a card is to be played, in the order of play.

    Play is random. A skewed deal gives the highest cards to one seat, which plays high, and the others play low, so
    that moons happen.
    """
    deal = Match(rules, draws.below(2**63))
    lucky, hands = draws.below(rules.players), deal.hands
    if skewed:
        hands = _skewed(deal, lucky, draws)
    match = Match.from_hands(rules, hands, dealer=draws.below(rules.players), kitty=deal.kitty)
    found = []
    while match.deal_number == 0 and any(match.hands):
        legal = match.legal()
        if match.phase == "play":
            found.append(match.clone())
            legal = sorted(legal, key=partial(_height, match), reverse=match.seat == lucky)[:1] if skewed else legal
        match.play(draws.pick(legal))
    return found


def _height(match: Match, card: str) -> int:
    """The place of a card within its suit."""
    return -1 if suit_of(card) is None else match.game.deck.ranks.index(card[:-1])


def _skewed(deal: Match, lucky: int, draws: Draws) -> list[list[str]]:
    """The hands of a deal, dealt again so that one has the highest cards."""
    cards, size = [card for hand in deal.hands for card in hand], deal.game.hand_size
    cards = sorted(draws.some(cards, len(cards)), key=partial(_height, deal), reverse=True)
    others = draws.some(cards[size:], len(cards))
    hands = [others[start : start + size] for start in range(0, len(others), size)]
    return [*hands[:lucky], cards[:size], *hands[lucky:]]


def _enumerable(rules: Rules, draws: Draws) -> Iterator[tuple[Match, Deals]]:
    """The positions of a deal whose hidden cards can be dealt in few enough ways, in random order, and these deals."""
    found = []
    for match in _positions(rules, draws):
        sizes = [len(hand) for seat, hand in enumerate(match.hands) if seat != match.seat]
        kitty = len(match.kitty) - len(seen_by(match).kitty)
        ways = math.factorial(sum(sizes) + kitty) // math.prod(map(math.factorial, [*sizes, kitty]))
        if min(sizes) and ways <= MOST_DEALS:
            found.append(match)
    for match in draws.some(found, len(found)):
        yield match, every_deal(seen_by(match), MOST_DEALS)


# Questions, about the positions of one deal


def ask_legal(rules: Rules, draws: Draws) -> Iterator[Asked]:
    """Questions about the cards that may be played."""
    found = _positions(rules, draws)
    ask = "Which cards of your hand may you play now? Answer with all of them in brackets, such as [2C 5C JC]."
    for match in draws.some(found, len(found)):
        kinds = len(set(seen_by(match).hand))
        if kinds > 1:
            basic = _as_basic(partial(_basic_legal, match), rules)
            yield Asked(match, ask, " ".join(match.legal()), basic, 1 / (2**kinds - 1))


def _basic_legal(match: Match, basic: Rules) -> str:
    view = seen_by(match)
    broken = any(suit_of(card) == "H" for _, card in view.played)
    first = len(view.played) == len(view.trick)
    return " ".join(legal_plays(basic, view.hand, match.trick, first_trick=first, broken=broken))


def ask_winner(rules: Rules, draws: Draws) -> Iterator[Asked]:
    """Questions about the seat that takes a trick."""
    found = _positions(rules, draws)
    for match in draws.some(found, len(found)):
        card, after = draws.pick(match.legal()), match.clone()
        if not match.trick or sum(map(len, match.hands)) == 1:
            continue
        after.play(card)
        if after.phase == "play" and not after.trick:
            won = [seat for seat in range(rules.players) if after.tricks_won[seat] > match.tricks_won[seat]]
            ask = (
                f"You play {card}, the last card of this trick. Who takes the trick? Answer with the number of the "
                "seat in brackets, such as [0], or with [nobody]."
            )
            basic = _as_basic(partial(_basic_winner, match, card), rules)
            yield Asked(match, ask, str(won[0]) if won else NOBODY, basic, 1 / rules.players)


def _basic_winner(match: Match, card: str, basic: Rules) -> str:
    view = seen_by(match)
    place = trick_winner(basic, [*match.trick, card])
    return NOBODY if place is None else str([*(seat for seat, _ in view.trick), view.seat][place])


def ask_score(rules: Rules, draws: Draws) -> Iterator[Asked]:
    """Questions about the score of a deal; a third of the deals are skewed."""
    match = _positions(rules, draws, skewed=draws.chance(33))[-1]
    if sum(map(len, match.hands)) != 1:
        return
    card, after, choices = match.legal()[0], match.clone(), []
    after.play(card)
    while not after.deal_points:
        choices.append((after.seat, draws.pick(after.legal())))
        after.play(choices[-1][1])
    moon = next((choice[5:] for _, choice in choices if choice.startswith("moon:")), None)
    kitty = f" The kitty was {' '.join(match.kitty)}, in this order." if match.kitty else ""
    then = "".join(f" Then seat {seat} chooses {choice}." for seat, choice in choices)
    what = "points does each seat score" if rules.score.chips is None else "chips does each seat gain"
    ask = (
        f"You play {card}, the last card of the deal.{kitty}{then} How many {what} in this deal? Answer with the "
        f"numbers of seat 0, seat 1 and so on in brackets, such as [{' '.join('7' * rules.players)}]."
    )
    basic = _as_basic(partial(_basic_score, match, card, moon), rules)
    yield Asked(match, ask, _numbers(after.deal_points[0]), basic, 0.0)


def _basic_score(match: Match, card: str, moon: str | None, basic: Rules) -> str:
    taken, winner = match.taken, _basic_winner(match, card, basic)
    if winner != NOBODY:
        taken[int(winner)] += [*match.trick, card]
    return _numbers(score_deal(basic, taken, moon=moon).points)


def _numbers(points: Sequence[Any]) -> str:
    return " ".join(write_gaussian(number) for number in points)


def ask_void(rules: Rules, draws: Draws) -> Iterator[Asked]:
    """Questions about the seats that lack a suit in every deal that agrees with what a seat saw."""
    ask = (
        f"{CONSISTENT} In which suits is another seat void in every one of these deals? Answer with all in brackets, "
        "such as [1:C 3:DH] (seat 1 has no club, seat 3 neither a diamond nor a heart), or with [none]."
    )
    for match, deals in _enumerable(rules, draws):
        suits = [suit for suit in SUITS if match.game.deck.match(suit)]
        pairs = [(seat, suit) for seat in range(rules.players) if seat != match.seat for suit in suits]
        yield Asked(match, ask, _voids(pairs, deals), _voids(pairs, _basic_deals(match)), 0.5 ** len(pairs))


def _voids(pairs: Iterable[tuple[int, str]], deals: Deals) -> str:
    """The pairs that no deal has, such as ``1:C 3:DH``."""
    held = {(seat, suit_of(card)) for hands in deals for seat, hand in enumerate(hands) for card in hand}
    suits: dict[int, str] = {}
    for seat, suit in pairs:
        if (seat, suit) not in held:
            suits[seat] = suits.get(seat, "") + suit
    return " ".join(f"{seat}:{letters}" for seat, letters in suits.items()) or "none"


def ask_fraction(rules: Rules, draws: Draws) -> Iterator[Asked]:
    """In what fraction of those deals a seat holds a card."""
    for match, deals in _enumerable(rules, draws):
        held = _holders(deals)
        uncertain = [pair for pair, number in sorted(held.items()) if number < len(deals)]
        if uncertain:
            seat, card = pair = draws.pick(uncertain)
            basic = _basic_deals(match)
            ask = (
                f"{CONSISTENT} In what fraction of these deals does seat {seat} hold {card}? Answer with an exact "
                "fraction in brackets, such as [3/7]."
            )
            known = str(Fraction(_holders(basic)[pair], len(basic))) if basic else None
            yield Asked(match, ask, str(Fraction(held[pair], len(deals))), known, 0.0)


def _holders(deals: Deals) -> Counter[tuple[int, str]]:
    """In how many deals each seat holds each card."""
    return Counter((seat, card) for hands in deals for seat, hand in enumerate(hands) for card in set(hand))


KINDS: dict[str, Callable[[Rules, Draws], Iterator[Asked]]] = {
    "legal": ask_legal,
    "winner": ask_winner,
    "score": ask_score,
    "void": ask_void,
    "fraction": ask_fraction,
}
"""Kind of question -> the function that draws a deal of some rules and yields questions about its positions in random
order."""
