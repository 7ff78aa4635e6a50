"""Points, chips and the end of the match in words."""

from __future__ import annotations

from collections.abc import Sequence

from hearts_env.cards import RANKS, SUITS, Deck
from hearts_env.explain.words import (
    RANK_WORDS,
    SUIT_WORDS,
    all_words,
    best_words,
    card_words,
    cards_words,
    kind_words,
    listing,
    named_cards,
    one_word,
    signed,
)
from hearts_env.ruleset import derived
from hearts_env.ruleset.enums import Better, JokerScores, LivesOut, MoonMode, TargetCmp, TeamScoring, Tie
from hearts_env.ruleset.model import Rules
from hearts_env.ruleset.syntax import write_gaussian

Points = dict[str, int | complex]


def scoring_lines(rules: Rules, deck: Deck) -> list[str]:
    """Lines about the points that a deal brings to everybody."""
    if rules.score.chips is not None:  # score.chips
        return _chips(rules, deck)
    points = derived.card_points(rules, deck)  # score.card_values
    lines = [_values_words(points, deck)] if any(points.values()) else ["No card scores."]
    return [*lines, _sense(rules, deck, points), *_relations(rules, deck), *_events(rules, deck), *_floors(rules)]


def _chips(rules: Rules, deck: Deck) -> list[str]:
    cards = listing(_penalty_words(rules, deck))
    return [
        f"Chips are counted instead of points; everybody starts with {rules.score.chips}. The penalty cards are "
        f"{cards}.",
        "After each deal everybody pays one chip into the pool, and the players who took no penalty card share the "
        "pool equally. Chips that cannot be shared equally, or all of them if everybody took a penalty card, stay in "
        "the pool for the next deal.",
    ]


def _penalty_words(rules: Rules, deck: Deck) -> list[str]:
    left, words = list(derived.penalty_cards(rules, deck)), []
    for suit in SUITS:
        cards = deck.match(suit)
        if cards and set(cards) <= set(left):
            words.append(f"all the {SUIT_WORDS[suit]}")
            left = [card for card in left if card not in cards]
    return words + [f"the {card_words(card)}" for card in left]


def _sense(rules: Rules, deck: Deck, points: Points) -> str:
    total = sum(points[card] * deck.copies[card] for card in derived.penalty_cards(rules, deck))
    numbers = "Scores are complex numbers (i is the square root of -1)"
    lost = " among the players who have not reached the target" if rules.end.target is not None else ""
    meaning = {  # score.better
        Better.LOW: "Points are bad: the lowest total wins.",
        Better.HIGH: "Points are good: the highest total wins. Cards worth less than 0 are the penalty cards.",
        Better.MAGNITUDE: f"{numbers}: the total with the smallest absolute value wins.",
        Better.REAL: f"{numbers}: the total with the lowest real part wins{lost}.",
    }[rules.score.better]
    return f"The penalty cards add up to {write_gaussian(total)}. {meaning}"


def _values_words(points: Points, deck: Deck) -> str:
    """Points by card: single cards, dearest first, then the suits most of whose cards share a value."""
    groups: dict[bool, list[str]] = {True: [], False: []}  # of suits, of ranks
    pips = [run for suit in SUITS for sign in (1, -1) if len(run := _pips(points, deck.match(suit), sign)) > 2]
    in_runs = {card for run in pips for card in run}
    left = {card: value for card, value in points.items() if value and card not in in_runs}
    for pattern in (*SUITS, *RANKS):
        cards = deck.match(pattern)
        value, same = max(_by_value(left, cards).items(), key=lambda item: len(item[1]), default=(0, []))
        if len(same) > 1 and (same == list(cards) or (pattern in SUITS and 2 * len(same) > len(cards))):
            other = "" if len(same) == len(cards) else "other "
            if zeros := [card for card in cards if not points.get(card, 0)]:
                groups[pattern in SUITS].append(f"{_named(zeros, deck)} 0")
            groups[pattern in SUITS].append(f"each {other}{one_word(pattern)} {signed(value)}")
            left = {card: worth for card, worth in left.items() if card not in same}
    singles = sorted(_by_value(left, list(left)).items(), key=lambda item: (item[0].real, item[0].imag), reverse=True)
    words = [f"{_named(cards, deck)} {signed(value)}" + " each" * _several(cards, deck) for value, cards in singles]
    words += [
        f"{_run_words(run)} their face value, {signed(points[run[0]])} to {signed(points[run[-1]])}" for run in pips
    ]
    return "Points: " + "; ".join([*groups[False], *words, *groups[True]]) + "."


def _several(cards: Sequence[str], deck: Deck) -> bool:
    return sum(deck.copies[card] for card in cards) > 1


def _named(cards: Sequence[str], deck: Deck) -> str:
    """``the queen of spades``; ``the queens of spades`` where there are two."""
    return f"the {cards_words(cards[0])}" if len(cards) == 1 and _several(cards, deck) else named_cards(cards)


def _run_words(run: Sequence[str]) -> str:
    """``the two to nine of hearts`` for a run without gaps, otherwise each card."""
    ranks = [RANKS.index(card[:-1]) for card in run]
    if ranks != list(range(ranks[0], ranks[0] + len(ranks))):
        return named_cards(run)
    return f"the {RANK_WORDS[run[0][:-1]]} to {RANK_WORDS[run[-1][:-1]]} of {SUIT_WORDS[run[0][-1]]}"


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
    score, lines = rules.score, []
    for card, pattern in score.negations:  # score.negations
        lines.append(f"A player who takes the {card_words(card)} scores nothing for {kind_words(pattern)}.")
    points = derived.card_points(rules, deck)
    for required, pattern in score.sweeps:  # score.sweeps
        all_of = listing(all_words(part, deck) for part in derived.sweep_patterns(required))
        total = -sum(points[card] * deck.copies[card] for card in deck.match(pattern))
        more = ", unless cards shown multiply it" if rules.exposing.cards else ""
        lines.append(
            f"A player who takes {all_of} scores {kind_words(pattern)} with the opposite sign: {signed(total)} in "
            f"all{more}."
        )
    lines += [_multiplier_words(rules, deck, multiplier) for multiplier in derived.multipliers(rules)]
    if rules.jokers.scores is JokerScores.HEART_TRICK:  # jokers.scores
        lines.append("An unsuited joker scores only in a trick to which hearts were led or named.")
    return lines


def _multiplier_words(rules: Rules, deck: Deck, multiplier: derived.Multiplier) -> str:
    alone, card = dict(rules.score.alone), f"the {card_words(multiplier.card)}"
    events = " and for what they did besides" * rules.score.multiplied_events  # score.multiplied_events
    what = f"everything that its taker scores for cards{events}"
    if multiplier.scope is not None:
        what = f"what its taker scores for {kind_words(multiplier.scope)}"
        what += " (itself included)" if multiplier.card in deck.match(multiplier.scope) else ""
    copies = ", once for each copy" if deck.copies[multiplier.card] > 1 else ""
    # score.multipliers
    text = f"{card.capitalize()} multiplies {what} by {write_gaussian(multiplier.factor)}{copies}."
    if multiplier.scope is None and multiplier.card in alone:  # score.alone
        zero = [name for name in derived.named_cards(rules, deck) if not derived.card_points(rules, deck)[name]]
        counts = "counts" if len(zero) == 1 else "count"
        counting = f" ({named_cards(zero)} {counts} as scoring cards)" if zero else ""
        each = " for each copy" if copies else ""
        text += (
            f" A player who takes it without any scoring card{counting} scores {signed(alone[multiplier.card])}{each}"
        )
        raised = any(multiplier.card in deck.match(pattern) for _, pattern in rules.exposing.cards)
        text += (
            f" ({signed(alone[multiplier.card] * rules.exposing.factor)} if a shown card raised it)." if raised else "."
        )
    return text


def _events(rules: Rules, deck: Deck) -> list[str]:
    score, lines = rules.score, []
    tricks = {"each": "each trick", "first": "the first trick of the deal", "last": "the last trick of the deal"}
    for word, points in score.tricks:  # score.tricks
        lines.append(f"The winner of {tricks[word]} scores {signed(points)} for it.")
    tricks["each"] = "every trick"
    for entry in derived.card_sets(rules):  # score.sets
        taken = [*(all_words(part, deck) for part in entry.patterns), *(tricks[word] for word in entry.tricks)]
        lines.append(f"A player who takes {listing(taken)} scores {signed(entry.points)}.")
    for who, worth, on_moon in (
        ("A player who wins no trick", score.no_tricks, score.no_tricks_on_moon),  # score.no_tricks_on_moon
        ("A player who takes no heart", score.no_hearts, score.no_hearts_on_moon),  # score.no_hearts_on_moon
    ):
        when = f", {'even' if on_moon else 'but not'} in a deal in which somebody shoots the moon"
        # score.no_tricks, score.no_hearts
        lines += [f"{who} scores {signed(worth)}{'' if rules.moon.mode is MoonMode.NONE else when}."] if worth else []
    return lines


def _floors(rules: Rules) -> list[str]:
    lines = []
    if rules.score.bonus_floor_hand:  # score.bonus_floor_hand
        lines.append("Bonus cards can bring a player's points for a deal down to 0 but not below.")
    if rules.score.bonus_floor_total:  # score.bonus_floor_total
        lines.append("A total never falls below 0.")
    return lines


def end_lines(rules: Rules) -> list[str]:
    """Lines about the end of the match and its winner."""
    end = rules.end
    no_end = "has no end: deals follow one another until the players stop"
    when = no_end if end.endless else f"ends {_when(rules)}"  # end.endless
    lines = [f"The match {when}. {_winner(rules)}", *_team_lines(rules), *_shared(rules)]
    if end.exact_wins is not None:  # end.exact_wins
        lines.append(f"A player whose total is exactly {end.exact_wins} after a deal wins the match, which ends.")
    for total, change in end.exact:  # end.exact
        if end.exact_optional:  # end.exact_optional
            lines.append(f"A player whose total is exactly {total} after a deal may change it to {total + change}.")
        else:
            lines.append(f"A total of exactly {total} after a deal becomes {total + change}.")
    return lines + _lives(rules)


def _when(rules: Rules) -> str:
    end, ends = rules.end, [*_by_total(rules), *_by_loss(rules)]
    deals = [] if end.max_deals is None else [f"{end.max_deals} deal{'s' * (end.max_deals > 1)}"]  # end.max_deals
    if not ends:
        return f"after {deals[0]}"
    many = [f"{number} {'has' if end.max_deals == 1 else 'have'} been played" for number in deals]
    return f"when, after a deal, {listing([*ends, *many], 'or')}"


def _shared(rules: Rules) -> list[str]:
    if rules.end.endless:
        return []
    best = "best team score" if rules.table.teams else best_words(rules)
    sharers = "Teams that" if rules.table.teams else "Players who"
    shared = f"{sharers} share the {best} share the win."
    if rules.end.tie is Tie.CONTINUE:  # end.tie
        what = "chips" if rules.score.chips is not None else "lives" if derived.ends_by_lives(rules) else ""
        loss = f", unless the match ends because somebody has no {what} left: they then share the win"
        then = loss if what else ""
        shared = f"If the {best} is shared, more deals are played until it is not{then}."
    return [shared]


def _by_total(rules: Rules) -> list[str]:
    end, or_more = rules.end, rules.end.target_cmp is TargetCmp.GE
    total = "a team's total" if rules.table.teams and rules.table.team_scoring is TeamScoring.SUM else "a total"
    if rules.score.better in (Better.MAGNITUDE, Better.REAL):
        total = "the absolute value of a total"
    conditions = []
    if end.target is not None:  # end.target, end.target_cmp
        conditions.append(f"{total} is {f'{end.target} or more' if or_more else f'above {end.target}'}")
    if end.lower_target is not None:  # end.lower_target
        conditions.append(f"{total} is {f'{end.lower_target} or less' if or_more else f'below {end.lower_target}'}")
    return conditions


def _by_loss(rules: Rules) -> list[str]:
    conditions = ["somebody has no chips left"] if rules.score.chips is not None else []
    if rules.end.lives is not None and rules.end.lives_out is LivesOut.END:
        conditions.append("somebody has no lives left")
    if rules.end.lives is not None and rules.end.lives_out is LivesOut.ELIMINATE:
        conditions.append("at most one player has a life left")
    return conditions


def _winner(rules: Rules) -> str:
    best = best_words(rules)
    if not rules.table.teams:
        return f"The {best} wins."
    if rules.table.team_scoring is TeamScoring.SUM:  # table.team_scoring
        return f"The team with the {best} wins."
    worst = "lowest" if rules.score.better is Better.HIGH else "highest"
    return f"The team of the player with the {worst} total loses."


def _team_lines(rules: Rules) -> list[str]:
    if not rules.table.teams:
        return []
    if rules.table.team_scoring is TeamScoring.SUM:
        return ["The totals of partners are added together."]
    worst, worse = ("lowest", "lower") if rules.score.better is Better.HIGH else ("highest", "higher")
    return [
        "Partners keep separate totals.",
        f"If the {worst} totals of the teams are equal, the team with the {worse} sum loses.",
    ]


def _lives(rules: Rules) -> list[str]:
    end = rules.end
    if end.lives is None:  # end.lives
        return []
    lost = {  # end.lives_out
        LivesOut.END: "A player with no lives left comes last.",
        LivesOut.RANK_LAST: "A player with no lives left plays on but ranks behind everyone who has one.",
        LivesOut.ELIMINATE: (
            "A player with no lives left plays on but cannot win, and ranks behind those who lost their last life "
            "later."
        ),
    }[end.lives_out]
    number = f"{end.lives} {'life' if end.lives == 1 else 'lives'}"
    points = f"{end.life_threshold} point{'s' * (end.life_threshold > 1)}"  # end.life_threshold
    return [f"Each player has {number} and loses one for scoring {points} or more in a deal. {lost}"]
