"""What makes `Rules` a game: canonical spelling of its fields and the contradictions it must not contain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hearts_env.cards import RANKS, SUITS, Deck, card_name, pattern_name
from hearts_env.fields import BigMoonEffect, Leader, MoonMode, OpeningCard, Remainder, Schedule
from hearts_env.passes import PassOption, pass_schedule

if TYPE_CHECKING:
    from hearts_env.rules import Rules

MIN_SEATS, MAX_SEATS = 3, 11
MOST = 1_000_000
MOST_PASSED = 16
MOST_BIG_MOON_DEALS = 100


def build_deck(rules: Rules) -> Deck:
    """The pack the rules are played with, after removals. Raises ValueError if it cannot divide among the seats."""
    seats, pack = rules.table.players, rules.deck
    cards = [rank + suit for suit in SUITS for rank in pack.ranks]
    full = len(cards)
    if full % seats and pack.remainder is Remainder.STRICT:
        raise ValueError(f"{full} cards do not divide among players={seats}; use deck.remainder=remove or another pack")
    for card in pack.removal_order:
        if len(cards) % seats == 0:
            break
        if card not in cards:
            raise ValueError(f"deck.removal_order takes out {card}, which is not in the pack")
        cards.remove(card)
    if len(cards) % seats:
        raise ValueError(
            f"{full} cards do not divide among players={seats} even after removing all of deck.removal_order="
            f"[{','.join(pack.removal_order)}]; name more cards to remove"
        )
    return Deck(tuple(cards))


def penalty_cards(rules: Rules, deck: Deck) -> tuple[str, ...]:
    """The kinds that cost points, in kind order."""
    values = card_points(rules, deck)
    return tuple(name for name in deck.kinds if values[name] > 0)


def card_points(rules: Rules, deck: Deck) -> dict[str, int]:
    """Points of every kind of the deck."""
    points = dict.fromkeys(deck.kinds, 0)
    for pattern, value in rules.score.card_values:
        points |= dict.fromkeys(deck.match(pattern), value)
    return points


def moon_cards(rules: Rules, deck: Deck) -> tuple[str, ...]:
    """The kinds to take to shoot the moon, in kind order."""
    return deck.match_all(rules.moon.cards) if rules.moon.cards else penalty_cards(rules, deck)


def opening_card(rules: Rules, deck: Deck) -> str:
    """The card whose holder opens: `opening.holder`, or the lowest of that suit. Raises ValueError if it is not in the
    pack.
    """
    holder = rules.opening.holder
    named = deck.match(holder)
    if not named or holder in RANKS:
        raise ValueError(f"opening.holder={holder} is not in the pack after removals; name a card or suit that is")
    return named[0]


def normal_form(rules: Rules) -> None:
    """Spell cards and patterns canonically, in place, so that equal games compare equal. Raises ValueError for a bad
    card.
    """
    deck, passing, play, score, moon = rules.deck, rules.passing, rules.play, rules.score, rules.moon
    dealer = rules.table.dealer_next
    spelled = {
        "table": replace(rules.table, dealer_next=dealer.lower() if dealer.lower() == "left" else card_name(dealer)),
        "deck": replace(
            deck,
            ranks=tuple(sorted((pattern_name(rank) for rank in deck.ranks), key=_rank_order)),
            removal_order=tuple(card_name(card) for card in deck.removal_order),
        ),
        "opening": replace(rules.opening, holder=pattern_name(rules.opening.holder)),
        "passing": replace(
            passing,
            cycle=tuple("".join(entry.lower().split()) for entry in passing.cycle),
            unpassable=_patterns(passing.unpassable),
        ),
        "play": replace(play, first_trick_forbidden=_patterns(play.first_trick_forbidden)),
        "score": replace(score, card_values=tuple((pattern_name(p), value) for p, value in score.card_values)),
        "moon": replace(moon, cards=_patterns(moon.cards)),
    }
    for group, value in spelled.items():
        object.__setattr__(rules, group, value)


def _patterns(patterns: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted({pattern_name(pattern) for pattern in patterns}))


def _rank_order(rank: str) -> int:
    if rank not in RANKS:
        raise ValueError(f"deck.ranks names {rank!r}; ranks are {', '.join(RANKS)}")
    return RANKS.index(rank)


def check(rules: Rules) -> None:
    """Raise ValueError, naming both sides, if the fields contradict each other."""
    _check_sizes(rules)
    _check_deck(rules)
    deck = build_deck(rules)
    _check_patterns(rules, deck)
    _check_opening(rules, deck)
    _check_passing(rules, deck)
    _check_moon(rules, deck)
    _check_end(rules)


def _check_sizes(rules: Rules) -> None:
    score, moon, end = rules.score, rules.moon, rules.end
    numbers: dict[str, Sequence[int | None]] = {
        "score.card_values": [value for _, value in score.card_values],
        "score.no_tricks": [score.no_tricks],
        "moon.amount": [moon.amount],
        "moon.sun_amount": [moon.sun_amount],
        "moon.new_moon_min": [moon.new_moon_min],
        "end.target": [end.target],
        "end.max_deals": [end.max_deals],
        "end.exact": [number for hit in end.exact for number in hit],
    }
    for path, values in numbers.items():
        for value in values:
            if value is not None and abs(value) > MOST:
                raise ValueError(f"{path} has {value}; numbers up to {MOST} are possible")


def _check_deck(rules: Rules) -> None:
    seats, ranks = rules.table.players, rules.deck.ranks
    if not MIN_SEATS <= seats <= MAX_SEATS:
        raise ValueError(f"players={seats} is not possible; Hearts is for {MIN_SEATS} to {MAX_SEATS} players")
    if not ranks or len(set(ranks)) != len(ranks) or "0" in ranks:
        raise ValueError(f"deck.ranks=[{','.join(ranks)}] must name each rank of a suit once (0 is a joker's)")


def _check_patterns(rules: Rules, deck: Deck) -> None:
    named = {
        "passing.unpassable": rules.passing.unpassable,
        "score.card_values": tuple(pattern for pattern, _ in rules.score.card_values),
        "moon.cards": rules.moon.cards,
    }
    for path, patterns in named.items():
        for pattern in patterns:
            if not deck.match(pattern):
                raise ValueError(f"{path} names {pattern}, but the pack of {len(deck)} cards has none")
    dealer = rules.table.dealer_next
    if dealer != "left" and dealer not in deck.ids:
        raise ValueError(f"table.dealer_next={dealer} is not in the pack; name a card that is, or left")


def _check_opening(rules: Rules, deck: Deck) -> None:
    opening = rules.opening
    opening_card(rules, deck)
    if opening.leader is Leader.LEFT_OF_DEALER and opening.card is not OpeningCard.ANY:
        raise ValueError(
            f"opening.leader=left_of_dealer and opening.card={opening.card} contradict: that seat need not hold "
            "such a card; use opening.card=any"
        )


def _check_passing(rules: Rules, deck: Deck) -> None:
    passing = rules.passing
    if passing.count < 1:
        raise ValueError(f"passing.count={passing.count} must be at least 1; for no passing use passing.cycle=[hold]")
    entries = pass_schedule(passing.cycle, rules.table.players, passing.count)
    hand = len(deck) // rules.table.players
    for entry in entries:
        if len(set(entry)) != len(entry):
            raise ValueError(f"the dealer's choice {'|'.join(o.text for o in entry)} offers the same pass twice")
        for option in entry:
            _check_option(option, hand)
    if passing.schedule is Schedule.RANDOM and any(len(entry) > 1 for entry in entries):
        raise ValueError("passing.schedule=random and a dealer's choice in passing.cycle contradict; keep one of them")


def _check_option(option: PassOption, hand: int) -> None:
    total = sum(move.count for move in option.moves)
    if total > hand:
        raise ValueError(f"the pass {option.text} moves {total} cards, but a hand has {hand}")
    if total > MOST_PASSED:
        raise ValueError(f"the pass {option.text} moves {total} cards; at most {MOST_PASSED} are possible")


def _check_moon(rules: Rules, deck: Deck) -> None:
    moon, end = rules.moon, rules.end
    if not moon_cards(rules, deck) and (moon.mode is not MoonMode.NONE or moon.big_moon_deals is not None):
        award = "moon.big_moon_deals" if moon.mode is MoonMode.NONE else f"moon.mode={moon.mode}"
        raise ValueError(f"{award} needs cards to take, but score.card_values has no penalty card")
    if moon.big_moon_deals is not None:
        _check_big_moon(rules)
    if moon.mode is MoonMode.NEW_IF_OLD_LOSES and end.target is None:
        raise ValueError("moon.mode=new_if_old_loses needs a target to lose by, but end.target=none")
    if moon.new_moon_min is not None and moon.mode is not MoonMode.CHOICE:
        raise ValueError(f"moon.new_moon_min restricts a choice, but moon.mode={moon.mode}; use moon.mode=choice")
    if moon.mode is MoonMode.NONE and (moon.requires_sun or moon.sun_skip_first or moon.sun_amount is not None):
        raise ValueError(
            "moon.mode=none has no award, but a sun field is set; choose another mode or leave the sun out"
        )
    if moon.sun_skip_first and not (moon.requires_sun or moon.sun_amount is not None):
        raise ValueError("moon.sun_skip_first needs a sun that matters: set moon.requires_sun or moon.sun_amount")
    if moon.requires_sun and moon.amount is not None and moon.sun_amount is not None:
        raise ValueError(
            "moon.requires_sun leaves only the sun, so moon.amount and moon.sun_amount contradict; keep one"
        )


def _check_big_moon(rules: Rules) -> None:
    moon, end = rules.moon, rules.end
    deals = moon.big_moon_deals or 0
    if moon.mode is not MoonMode.NONE:
        raise ValueError(
            f"moon.big_moon_deals and moon.mode={moon.mode} contradict: the big moon is for moon.mode=none"
        )
    if not 1 <= deals <= MOST_BIG_MOON_DEALS:
        raise ValueError(f"moon.big_moon_deals={deals} must be from 1 to {MOST_BIG_MOON_DEALS}")
    if end.max_deals is not None and end.max_deals < deals:
        raise ValueError(f"moon.big_moon_deals={deals} is never reached with end.max_deals={end.max_deals}")
    if moon.big_moon_effect is BigMoonEffect.ADD_TOTAL and end.target is not None:
        raise ValueError(
            f"moon.big_moon_effect=add_total is for a match of fixed length, but end.target={end.target} ends it "
            "by points; use fixed100, or end.target=none"
        )


def _check_end(rules: Rules) -> None:
    end = rules.end
    if end.target is None and end.max_deals is None:
        raise ValueError("the match never ends: set end.target or end.max_deals")
    if end.target is not None and end.target < 1:
        raise ValueError(f"end.target={end.target} must be at least 1, since totals start at 0")
    if end.max_deals is not None and end.max_deals < 1:
        raise ValueError(f"end.max_deals={end.max_deals} must be at least 1")
    hits = dict(end.exact)
    if len(hits) != len(end.exact):
        raise ValueError("end.exact names a total twice")
    for total, change in end.exact:
        if total + change in hits and change != 0:
            _check_hit_chain(total, change)
    if end.exact_optional and not end.exact:
        raise ValueError("end.exact_optional has nothing to decline: end.exact is empty")


def _check_hit_chain(total: int, change: int) -> None:
    # The usual list sends 100 to 50, itself a listed total: hits are applied once, never chained.
    if change > 0:
        raise ValueError(f"end.exact sends {total} up to {total + change}, itself a listed total; that would loop")
