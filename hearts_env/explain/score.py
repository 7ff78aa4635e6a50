"""Points, chips and the end of the match in words."""

from __future__ import annotations

from collections.abc import Sequence

from hearts_env.cards import SUITS, Deck
from hearts_env.explain.words import (
    SUIT_WORDS,
    all_words,
    best_words,
    card_words,
    kind_words,
    listing,
    named_cards,
    signed,
)
from hearts_env.ruleset import derived
from hearts_env.ruleset.enums import Better, JokerScores, LivesOut, MoonMode, TargetCmp, TeamScoring, Tie
from hearts_env.ruleset.model import Rules
from hearts_env.ruleset.syntax import write_gaussian

Points = dict[str, int | complex]


def scoring_lines(rules: Rules, deck: Deck) -> list[str]:
    """What a deal is worth to everybody."""
    if rules.score.chips is not None:
        return _chips(rules, deck)
    points = derived.card_points(rules, deck)
    lines = [_values_words(points, deck)] if any(points.values()) else ["No card scores."]
    return [*lines, _sense(rules, deck, points), *_relations(rules, deck), *_events(rules), *_floors(rules)]


def _chips(rules: Rules, deck: Deck) -> list[str]:
    cards = listing(_penalty_words(rules, deck))
    return [
        f"Chips are counted, not points; everybody starts with {rules.score.chips}. The penalty cards: {cards}.",
        "After each deal everybody pays a chip into the pool. Those who took no penalty card share the pool equally; "
        "chips that do not divide, or all if nobody is clean, stay in it for the next deal.",
    ]


def _penalty_words(rules: Rules, deck: Deck) -> list[str]:
    left, words = list(derived.penalty_cards(rules, deck)), []
    for suit in SUITS:
        cards = deck.match(suit)
        if cards and set(cards) <= set(left):
            words.append(f"any of the {SUIT_WORDS[suit]}")
            left = [card for card in left if card not in cards]
    return words + [f"the {card_words(card)}" for card in left]


def _sense(rules: Rules, deck: Deck, points: Points) -> str:
    total = sum(points[card] * deck.copies[card] for card in derived.penalty_cards(rules, deck))
    better = rules.score.better
    numbers = "Scores are complex numbers, i being the square root of -1"
    meaning = {
        Better.LOW: "Points are bad: the lowest total wins.",
        Better.HIGH: "Points are good: the highest total wins; cards that count below 0 are the penalty cards.",
        Better.MAGNITUDE: f"{numbers}: the total of the least absolute value wins.",
        Better.REAL: f"{numbers}: the total with the lowest real part wins.",
    }[better]
    return f"The penalty cards come to {write_gaussian(total)}. {meaning}"


def _values_words(points: Points, deck: Deck) -> str:
    """Points by card: single cards, dearest first, then the suits most of whose cards share a value."""
    said: list[tuple[str, int | complex]] = []
    pips = [run for suit in SUITS for sign in (1, -1) if len(run := _pips(points, deck.match(suit), sign)) > 2]
    in_runs = {card for run in pips for card in run}
    left = {card: value for card, value in points.items() if value and card not in in_runs}
    for suit in SUITS:
        value, cards = max(_by_value(left, deck.match(suit)).items(), key=lambda item: len(item[1]), default=(0, []))
        if 2 * len(cards) > len(deck.match(suit)):
            every = "each of the" if len(cards) == len(deck.match(suit)) else "each of the other"
            said.append((f"{every} {SUIT_WORDS[suit]}", value))
            left = {card: worth for card, worth in left.items() if card not in cards}
    singles = sorted(_by_value(left, list(left)).items(), key=lambda item: (item[0].real, item[0].imag), reverse=True)
    words = [f"{named_cards(cards)}{' each' * (len(cards) > 1)} {signed(value)}" for value, cards in singles]
    words += [
        f"{named_cards(run)} their number ({signed(points[run[0]])} to {signed(points[run[-1]])})" for run in pips
    ]
    return "Points: " + "; ".join(words + [f"{names} {signed(value)}" for names, value in said]) + "."


def _pips(points: Points, cards: Sequence[str], sign: int) -> list[str]:
    """The cards worth the number they show, with this sign."""
    return [card for card in cards if card[:-1].isdigit() and points[card] == sign * int(card[:-1]) != 0]


def _by_value(points: Points, cards: Sequence[str]) -> dict[int | complex, list[str]]:
    groups: dict[int | complex, list[str]] = {}
    for card in cards:
        if card in points:
            groups.setdefault(points[card], []).append(card)
    return groups


def _relations(rules: Rules, deck: Deck) -> list[str]:
    """What cards change in the worth of others."""
    score, lines = rules.score, []
    for card, pattern in score.negations:
        lines.append(f"Whoever takes the {card_words(card)} scores nothing for {kind_words(pattern)}.")
    for required, pattern in score.sweeps:
        all_of = listing(all_words(part, deck) for part in derived.sweep_patterns(required))
        lines.append(f"Whoever takes {all_of} counts {kind_words(pattern)} with the opposite sign.")
    lines += [_multiplier_words(rules, deck, multiplier) for multiplier in derived.multipliers(rules)]
    if rules.jokers.scores is JokerScores.HEART_TRICK:
        lines.append("A joker without a suit scores only if it falls in a trick to which hearts were led or called.")
    return lines


def _multiplier_words(rules: Rules, deck: Deck, multiplier: derived.Multiplier) -> str:
    alone, card = dict(rules.score.alone), f"the {card_words(multiplier.card)}"
    what = "everything its taker's cards score"
    if multiplier.scope is not None:
        what = f"what its taker scores for {kind_words(multiplier.scope)}"
        what += " (itself included)" if multiplier.card in deck.match(multiplier.scope) else ""
    copies = ", once for each copy" if deck.copies[multiplier.card] > 1 else ""
    text = f"{card.capitalize()} multiplies {what} by {write_gaussian(multiplier.factor)}{copies}."
    if multiplier.scope is None and multiplier.card in alone:
        zero = [name for name in derived.named_cards(rules, deck) if not derived.card_points(rules, deck)[name]]
        counting = f" (to which {named_cards(zero)} belong)" if zero else ""
        text += f" Taken without any scoring card{counting} it is worth {signed(alone[multiplier.card])} instead"
        raised = any(multiplier.card in deck.match(pattern) for _, pattern in rules.exposing.cards)
        text += f" ({signed(alone[multiplier.card] * rules.exposing.factor)} if raised by showing)." if raised else "."
    return text


def _events(rules: Rules) -> list[str]:
    score, lines = rules.score, []
    for what, worth, on_moon in (
        ("Winning no trick at all", score.no_tricks, score.no_tricks_on_moon),
        ("Taking no heart at all", score.no_hearts, score.no_hearts_on_moon),
    ):
        when = "always" if on_moon else "not in a deal in which somebody shot the moon"
        when = "" if rules.moon.mode is MoonMode.NONE else f" ({when})"
        lines += [f"{what}: {signed(worth)}{when}."] if worth else []
    return lines


def _floors(rules: Rules) -> list[str]:
    lines = ["A bonus takes the points of a deal down to 0 at most."] if rules.score.bonus_floor_hand else []
    return lines + (["A total never falls below 0."] if rules.score.bonus_floor_total else [])


def end_lines(rules: Rules) -> list[str]:
    """When the match ends and who has won it."""
    end = rules.end
    ends = [*_by_total(rules), *_by_loss(rules)]
    if end.max_deals is not None:
        ends.append(f"after {end.max_deals} deal{'s' if end.max_deals > 1 else ''}")
    lines = [f"The match ends {listing(ends, 'or')}; {_winner(rules)}."]
    lines += _team_lines(rules)
    best = "best score of a team" if rules.table.teams else best_words(rules)
    shared = f"A shared {best} wins for all who have it."
    lines.append(shared if end.tie is Tie.SHARE else f"If the {best} is shared, deals go on until it is not.")
    for total, change in end.exact:
        may = "may change" if end.exact_optional else "changes"
        lines.append(f"A total of exactly {total} after a deal {may} to {total + change}.")
    return lines + _lives(rules)


def _by_total(rules: Rules) -> list[str]:
    end, or_more = rules.end, rules.end.target_cmp is TargetCmp.GE
    team = rules.table.teams and rules.table.team_scoring is TeamScoring.SUM
    total = "the total of a team" if team else "a total"
    if rules.score.better in (Better.MAGNITUDE, Better.REAL):
        total = "the absolute value of a total"
    said = []
    if end.target is not None:
        said.append(f"{total} {'reaches' if or_more else 'exceeds'} {end.target}")
    if end.lower_target is not None:
        verb = "falls to" if or_more else "falls below"
        said.append(f"{verb if said else f'{total} {verb}'} {end.lower_target}")
    return [f"as soon as {listing(said, 'or')} after a deal"] if said else []


def _by_loss(rules: Rules) -> list[str]:
    said = ["as soon as somebody has no chip left"] if rules.score.chips is not None else []
    if rules.end.lives is not None and rules.end.lives_out is LivesOut.END:
        said.append("as soon as somebody has lost the last life")
    if rules.end.lives is not None and rules.end.lives_out is LivesOut.ELIMINATE:
        said.append("as soon as at most one player has a life left")
    return said


def _winner(rules: Rules) -> str:
    if not rules.table.teams:
        return f"the {best_words(rules)} wins"
    if rules.table.team_scoring is TeamScoring.SUM:
        return f"the team with the {best_words(rules)} wins"
    return f"the team of the player with the {'lowest' if rules.score.better is Better.HIGH else 'highest'} total loses"


def _team_lines(rules: Rules) -> list[str]:
    if not rules.table.teams:
        return []
    if rules.table.team_scoring is TeamScoring.SUM:
        return ["The totals of partners are added."]
    worse = "lower" if rules.score.better is Better.HIGH else "higher"
    return [f"Every player has a total; if the teams' worst totals are equal, the {worse} sum of the partners loses."]


def _lives(rules: Rules) -> list[str]:
    end = rules.end
    if end.lives is None:
        return []
    lost = {
        LivesOut.END: "Whoever has none left is last.",
        LivesOut.RANK_LAST: "Whoever has none left plays on but ranks behind all who have one.",
        LivesOut.ELIMINATE: (
            "Whoever has none left plays on but cannot win, and ranks behind those who lost their last life later."
        ),
    }[end.lives_out]
    number = f"{end.lives} {'life' if end.lives == 1 else 'lives'}"
    return [f"Everybody has {number}; {end.life_threshold} points or more in a deal cost one. {lost}"]
