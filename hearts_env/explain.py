"""A page of rules for card players, written from the `Rules` value itself, so that it cannot drift from the play.

Every field that differs from Basic Hearts is listed by name as well, whether or not it matters.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from hearts_env import validation
from hearts_env.cards import RANKS, SUITS, Deck, rank_of, suit_of
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
    Remainder,
    Schedule,
    TargetCmp,
    Tie,
)
from hearts_env.passes import PassOption, pass_schedule
from hearts_env.rules import BLACK_LADY, Rules
from hearts_env.text import write_value
from hearts_env.variants import rules as read_rules

WIDTH = 88
SUIT_WORDS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
RANK_WORDS = {"T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}
ORDINALS = ("", "first", "second", "third", "fourth", "fifth")
NUMBER_WORDS = dict(enumerate(("two", "three", "four", "five", "six", "seven", "eight", "nine"), start=2))


def explain(rules: Rules | str) -> str:
    """The rules as a page of text, ``## `` before each section, lines of at most 88 columns."""
    value = read_rules(rules)
    deck = validation.build_deck(value)
    sections: list[tuple[str, list[str]]] = [
        ("Players and pack", _pack(value, deck)),
        ("Pass", _pass(value, deck)),
        ("Play", [*_opening(value, deck), *_play(value, deck)]),
        ("Scoring", _scoring(value, deck)),
        ("Shooting the moon", _moon(value, deck)),
        ("End of the match", _end(value)),
        ("Differences from Basic Hearts", _differences(value)),
        ("Readings", list(value.variant.readings)),
        ("Source", [value.variant.source + "."]),
    ]
    head = [f"# {value}", "", *textwrap.wrap(value.variant.summary, WIDTH)]
    if value.variant.aliases:
        head += textwrap.wrap(f"Also typed: {', '.join(value.variant.aliases)}.", WIDTH)
    pages = ["\n".join(head)]
    pages += ["\n".join([f"## {title}", *map(_item, lines)]) for title, lines in sections if lines]
    return "\n\n".join(pages) + "\n"


def _item(line: str) -> str:
    return textwrap.fill(line, WIDTH, initial_indent="- ", subsequent_indent="  ")


def card_words(card: str) -> str:
    """A card in words, such as ``queen of spades``."""
    rank, suit = rank_of(card), suit_of(card)
    word = RANK_WORDS.get(rank) or NUMBER_WORDS.get(int(rank) if rank.isdigit() else 0, rank)
    return f"{word} of {SUIT_WORDS[suit]}" if suit else "joker"


def pattern_words(pattern: str) -> str:
    """A pattern in words: a card, all cards of a suit or of a rank."""
    if pattern in SUITS:
        return f"any of the {SUIT_WORDS[pattern]}"
    if pattern in RANKS:
        return f"any {RANK_WORDS.get(pattern) or NUMBER_WORDS.get(int(pattern), pattern)}"
    return f"the {card_words(pattern)}"


def _list(words: Iterable[str], joint: str = "and") -> str:
    parts = list(words)
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {joint} {parts[-1]}"


def _pack(rules: Rules, deck: Deck) -> list[str]:
    seats, ranks = rules.players, rules.deck.ranks
    removed = [card for card in rules.deck.removal_order if card not in deck.ids and rank_of(card) in ranks]
    lines = [f"{seats} players; {len(deck)} cards, {len(deck) // seats} to each."]
    lines.append(f"In each suit the cards rank, low to high: {' '.join(ranks)}.")
    if removed:
        stay = "stays" if len(removed) == 1 else "stay"
        lines.append(f"So that the pack divides, {_list('the ' + card_words(card) for card in removed)} {stay} out.")
    elif rules.deck.remainder is Remainder.STRICT:
        lines.append("The pack must divide as it is: no card ever stays out.")
    dealer = rules.table.dealer_next
    next_dealer = "the player to the left" if dealer == "left" else f"whoever took the {card_words(dealer)}"
    lines.append(f"The first dealer is drawn; {next_dealer} deals next.")
    return lines


def _pass(rules: Rules, deck: Deck) -> list[str]:
    passing = rules.passing
    entries = pass_schedule(passing.cycle, rules.players, passing.count)
    if all(option.text == "hold" for entry in entries for option in entry):
        return ["No cards are passed."]
    lines = ["Everybody puts the cards to pass face down before looking at what arrives."]
    seats = rules.players
    spoken = [_list((_option_words(option, seats) for option in entry), "or") for entry in entries]
    if len(spoken) == 1:
        lines.append(f"In every deal: {spoken[0]}.")
    else:
        turn = "One of these is drawn for each deal" if passing.schedule is Schedule.RANDOM else "Deal by deal, in turn"
        lines.append(f"{turn}: {'; '.join(spoken)}.")
    if any(len(entry) > 1 for entry in entries):
        lines.append("Where there is a choice, the dealer makes it after looking at the own hand.")
    if passing.unpassable:
        lines.append(f"Not to be passed while other cards are held: {_list(map(pattern_words, passing.unpassable))}.")
    return lines


def _option_words(option: PassOption, seats: int) -> str:
    if not option.moves:
        return "nothing (hold)"
    if option.text == "scatter":
        return "one card to each other player"
    moves = [(move.count, _direction(move.offset, seats)) for move in option.moves]
    first, *others = (f"{count} {'card' if count == 1 else 'cards'} {to}" for count, to in moves)
    return _list([first, *(other.replace(" cards", "").replace(" card", "") for other in others)])


def _direction(offset: int, seats: int) -> str:
    if 2 * offset == seats:
        return "across"
    steps, side = (offset, "left") if 2 * offset < seats else (seats - offset, "right")
    return f"to the {side}" if steps == 1 else f"to the {ORDINALS[steps]} player on the {side}"


def _opening(rules: Rules, deck: Deck) -> list[str]:
    opening, card = rules.opening, validation.opening_card(rules, deck)
    who = f"The holder of the {card_words(card)}" if opening.leader is Leader.HOLDER else "The player after the dealer"
    what = {
        OpeningCard.FORCED: "with that card",
        OpeningCard.ANY_OF_SUIT: f"with any of the {SUIT_WORDS[card[-1]]}",
        OpeningCard.ANY: "with any card that may be led",
    }[opening.card]
    return [f"{who} leads to the first trick, {what}."]


def _play(rules: Rules, deck: Deck) -> list[str]:
    play = rules.play
    lines = ["Follow suit if you can, otherwise play anything. The highest card of the suit led wins and leads next."]
    banned = [pattern for pattern in play.first_trick_forbidden if deck.match(pattern)]
    if banned:
        lines.append(f"Not on the first trick, unless nothing else may be played: {_list(map(pattern_words, banned))}.")
    else:
        lines.append("Anything may be thrown on the first trick.")
    if play.heart_lead is HeartLead.FREE:
        return [*lines, "Hearts may be led at any time."]
    cards = {
        BreakBy.HEARTS: "a heart",
        BreakBy.HEARTS_OR_QS: "a heart or the queen of spades",
        BreakBy.ANY_PENALTY: "any card that costs points",
    }[play.break_by]
    event = "has been played" if play.break_event is BreakEvent.PLAYED else "has been discarded on another suit"
    lone = "hearts" if play.lead_exception is LeadException.ONLY_HEARTS else "hearts and cards that cost points"
    lines.append(f"Hearts may not be led until they are broken, that is, until {cards} {event}.")
    return [*lines, f"A hand of nothing but {lone} may lead a heart all the same."]


def _scoring(rules: Rules, deck: Deck) -> list[str]:
    score, points = rules.score, validation.card_points(rules, deck)
    lines = [_values_words(points, deck)] if any(points.values()) else ["No card scores."]
    total = sum(max(value, 0) * deck.copies[card] for card, value in points.items())
    lines.append(f"The penalty cards come to {total}. Points are bad: the lowest total wins.")
    if score.no_tricks:
        when = "always" if score.no_tricks_on_moon else "not in a deal in which somebody shot the moon"
        lines.append(f"Winning no trick at all: {score.no_tricks:+d} ({when}).")
    if score.bonus_floor_hand:
        lines.append("A bonus takes the points of a deal down to 0 at most.")
    if score.bonus_floor_total:
        lines.append("A total never falls below 0.")
    return lines


def _values_words(points: dict[str, int], deck: Deck) -> str:
    """Points by card: single cards, dearest first, then the suits most of whose cards share a value."""
    said: list[tuple[str, int]] = []
    left = {card: value for card, value in points.items() if value}
    for suit in SUITS:
        value, cards = max(_by_value(left, deck.match(suit)).items(), key=lambda item: len(item[1]), default=(0, []))
        if 2 * len(cards) > len(deck.match(suit)):
            every = "each of the" if len(cards) == len(deck.match(suit)) else "each of the other"
            said.append((f"{every} {SUIT_WORDS[suit]}", value))
            left = {card: worth for card, worth in left.items() if card not in cards}
    singles = sorted(_by_value(left, list(left)).items(), reverse=True)
    each = [("the " + _list(map(card_words, cards)), value, len(cards)) for value, cards in singles]
    words = [f"{names}{' each' * (count > 1)} {value:+d}" for names, value, count in each]
    return "Points: " + "; ".join(words + [f"{names} {value:+d}" for names, value in said]) + "."


def _by_value(points: dict[str, int], cards: Sequence[str]) -> dict[int, list[str]]:
    groups: dict[int, list[str]] = {}
    for card in cards:
        if card in points:
            groups.setdefault(points[card], []).append(card)
    return groups


def _moon(rules: Rules, deck: Deck) -> list[str]:
    moon = rules.moon
    big = [] if moon.big_moon_deals is None else [_big_moon(rules)]
    if moon.mode is MoonMode.NONE:
        return ["No award: whoever takes all the penalty cards scores them.", *big]
    named = "all cards of: " + _list(map(pattern_words, moon.cards)) if moon.cards else "all the penalty cards"
    need = " and win every trick of the deal" if moon.requires_sun else ""
    points = validation.card_points(rules, deck)
    total = sum(max(points[card], 0) * deck.copies[card] for card in validation.moon_cards(rules, deck))
    amount = total if moon.amount is None else moon.amount
    lines = [f"To shoot the moon is to take {named}{need}. It is worth {amount}; other cards count as usual."]
    lines.append(_award(rules))
    if moon.sun_amount is not None:
        lines.append(f"Winning every trick (the sun) makes it {moon.sun_amount}.")
    if moon.sun_skip_first:
        lines.append("The sun may miss the first trick.")
    return lines + big


def _award(rules: Rules) -> str:
    moon = rules.moon
    asked = "the shooter chooses" if moon.policy is MoonPolicy.ASK else "the better for the shooter is taken"
    text = {
        MoonMode.OLD: "Every other player scores it, the shooter nothing (old moon).",
        MoonMode.NEW: "It comes off the shooter's score (new moon).",
        MoonMode.CHOICE: f"Either every other player scores it or it comes off the shooter's score: {asked}.",
        MoonMode.NEW_IF_OLD_LOSES: (
            "Every other player scores it; only if that would end the match with somebody below the shooter may it "
            "come "
            f"off the shooter's score instead: {asked}."
        ),
        MoonMode.FIXED_SELF: "The shooter scores it in place of the cards: no award but a penalty.",
        MoonMode.NONE: "",
    }[moon.mode]
    who = "the shooter" if moon.new_moon_who is NewMoonWho.SHOOTER else "any player"
    if moon.new_moon_min is not None:
        text += f" It may come off the score only once {who} has a total of {moon.new_moon_min}."
    return text


def _big_moon(rules: Rules) -> str:
    moon = rules.moon
    fixed = moon.big_moon_effect is BigMoonEffect.FIXED_100
    gain = "100" if fixed else "the points of all those deals"
    return (
        f"The big moon: whoever takes all the penalty cards in {moon.big_moon_deals} deals in a row goes to a total "
        "of 0, "
        f"and every other total rises by {gain}."
    )


def _end(rules: Rules) -> list[str]:
    end, ends = rules.end, []
    if end.target is not None:
        reached = "reaches" if end.target_cmp is TargetCmp.GE else "exceeds"
        ends.append(f"as soon as a total {reached} {end.target} after a deal")
    if end.max_deals is not None:
        ends.append(f"after {end.max_deals} deal{'s' if end.max_deals > 1 else ''}")
    lines = [f"The match ends {_list(ends, 'or')}; the lowest total wins."]
    shared = end.tie is Tie.SHARE
    lines.append("A shared lowest total wins for all who have it." if shared else "More deals break a tie for it.")
    for total, change in end.exact:
        may = "may change" if end.exact_optional else "changes"
        lines.append(f"A total of exactly {total} after a deal {may} to {total + change}.")
    return lines


def _differences(rules: Rules) -> list[str]:
    basic = BLACK_LADY.standard(rules.players)
    return [
        f"{path} = {write_value(value)}, not {write_value(basic[path])}"
        for path, value in rules.flat().items()
        if value != basic[path]
    ]
