"""Shooting the moon, the sun and the big moon in words."""

from __future__ import annotations

from hearts_env.cards import Deck
from hearts_env.explain.words import (
    COUNT_WORDS,
    all_words,
    card_words,
    cards_words,
    is_card,
    kind_words,
    listing,
    one_word,
    signed,
    whole_hand_multipliers,
)
from hearts_env.ruleset import derived
from hearts_env.ruleset.enums import (
    BigMoonEffect,
    KittyAward,
    MoonExtends,
    MoonMode,
    MoonPolicy,
    MoonScope,
    MoonSign,
    NewMoonWho,
)
from hearts_env.ruleset.model import Rules
from hearts_env.ruleset.syntax import write_gaussian
from hearts_env.ruleset.validate_scoring import CHARGES


def moon_lines(rules: Rules, deck: Deck) -> list[str]:
    """The consequences for a player who takes all the cards of the moon."""
    moon = rules.moon
    if moon.mode is MoonMode.NONE:  # moon.mode
        none = "There is no award for taking all the penalty cards"
        scored = f": whoever takes them scores them{' as described above' if rules.score.sweeps else ''}."
        big = [] if moon.big_moon_deals is None else [_big_moon(rules, deck)]
        return [none + (scored if rules.score.chips is None else "."), *big]
    award = None if moon.least else _amount(rules, deck)
    return [
        _needed(rules, deck),
        *_single_card(rules, deck),
        *_worth(rules, deck, award),
        _award(rules, award),
        *_new_moon(rules),
        *_details(rules),
        *_factors(rules),
        *_sun(rules),
        *_extends(rules),
    ]


def _set_words(rules: Rules, deck: Deck) -> str:
    if rules.moon.least:  # moon.least
        return listing(_least_words(deck, pattern, least) for pattern, least in rules.moon.least)
    if rules.moon.cards:  # moon.cards
        return listing(all_words(pattern, deck) for pattern in rules.moon.cards)
    return "all the penalty cards"


def _least_words(deck: Deck, pattern: str, least: int) -> str:
    copies = _copies(deck, pattern)
    if copies == least:
        return all_words(pattern, deck)
    cards = cards_words(pattern) if is_card(pattern) else kind_words(pattern)
    return f"at least {_number(least)} of the {_number(copies)} {cards}"


def _copies(deck: Deck, pattern: str) -> int:
    return sum(deck.copies[card] for card in deck.match(pattern))


def _needed(rules: Rules, deck: Deck) -> str:
    moon = rules.moon
    who, takes, wins = "A player who", "takes", "wins"
    if moon.scope is MoonScope.TEAM:  # moon.scope
        who, takes, wins = "A team whose players together", "take", "win"
    but = ", the first one aside," if moon.sun_skip_first else ""
    tricks = f" and {wins} every trick of the deal{but}" if moon.requires_sun else ""  # moon.requires_sun
    out = rules.deck.kitty_award is KittyAward.OUT_OF_PLAY and derived.kitty_size(rules, deck) and not moon.least
    unseen = " Cards that lie in the kitty are not needed." if out else ""
    shooter = " The first of them in seat order who took such a card is the shooter." * (moon.scope is MoonScope.TEAM)
    return f"{who} {takes} {_set_words(rules, deck)}{tricks} shoots the moon.{unseen}{shooter}"


def _single_card(rules: Rules, deck: Deck) -> list[str]:
    """A warning where one card makes the moon, as in rules whose writer meant that other cards cost nothing."""
    cards = derived.moon_cards(rules, deck)
    needed = sum(least for _, least in rules.moon.least) or sum(deck.copies[card] for card in cards)
    if needed != 1 or rules.moon.requires_sun:
        return []
    card = f"the {card_words(cards[0])}" if len(cards) == 1 else f"any of {listing(map(card_words, cards), 'or')}"
    return [f"One card is enough for the moon here: whoever takes {card} shoots it, in every deal."]


def _worth(rules: Rules, deck: Deck, award: int | complex | None) -> list[str]:
    """The award: a number, or (None) a sum over what the shooter took, with an example."""
    if rules.moon.mode in (MoonMode.RESET_OR_DOUBLE, MoonMode.WINS):
        return []
    if award is not None:
        return [f"The award is {write_gaussian(award)}."]
    parts = [_part_words(rules, deck, pattern, least) for pattern, least in rules.moon.least]
    points = derived.card_points(rules, deck)
    bonus = [card for card in deck.kinds if derived.badness(rules, points[card]) < 0]
    parts += [f"for each {card_words(card)}, {write_gaussian(-points[card])}" for card in bonus]
    taken = [(pattern, _example(deck, pattern, least)) for pattern, least in rules.moon.least]
    cards = listing(_number_words(deck, pattern, number) for pattern, number in taken)
    worth = [_part(rules, deck, pattern, number) for pattern, number in taken]
    total = write_gaussian(sum(worth))
    sum_words = total if len(worth) == 1 else f"{' + '.join(map(write_gaussian, worth))} = {total}"
    make = "makes" if sum(number for _, number in taken) == 1 else "make"
    return [f"The award is the sum of these parts: {'; '.join(parts)}.", f"Example: {cards} {make} {sum_words}."]


def _part(rules: Rules, deck: Deck, pattern: str, taken: int) -> int | complex:
    """The part of the award that a number of cards adds."""
    least, each = dict(rules.moon.least)[pattern], derived.card_points(rules, deck)[deck.match(pattern)[0]]
    return each * (taken if taken == _copies(deck, pattern) else 2 * least - taken)


def _part_words(rules: Rules, deck: Deck, pattern: str, least: int) -> str:
    copies, each = _copies(deck, pattern), derived.card_points(rules, deck)[deck.match(pattern)[0]]
    one = card_words(pattern) if is_card(pattern) else one_word(pattern)
    if copies == 1:
        return f"for the {one}, {write_gaussian(each)}"
    if all(_part(rules, deck, pattern, taken) == taken * each for taken in range(least, copies + 1)):
        return f"for each {one}, {write_gaussian(each)}"
    cards = cards_words(pattern) if is_card(pattern) else kind_words(pattern)
    few = f"{2 * least} minus the number of {cards} taken"
    times = "" if each == 1 else f", each time multiplied by {write_gaussian(each)}"
    return f"for the {cards}, {few}, but {copies} for all {copies}{times}"


def _example(deck: Deck, pattern: str, least: int) -> int:
    """A number of cards for the example: a few more than needed, but not all."""
    return max(least, min(least + 2, _copies(deck, pattern) - 1))


def _number_words(deck: Deck, pattern: str, number: int) -> str:
    if number == 1:
        article = "the" if _copies(deck, pattern) == 1 else "one"
        return f"{article} {card_words(pattern) if is_card(pattern) else one_word(pattern)}"
    return f"{_number(number)} {cards_words(pattern) if is_card(pattern) else kind_words(pattern)}"


def _number(number: int) -> str:
    return COUNT_WORDS[number] if number < len(COUNT_WORDS) else str(number)


def _amount(rules: Rules, deck: Deck) -> int | complex:
    amount = rules.moon.amount  # moon.amount
    return derived.card_worth(rules, deck).award if amount is None else amount


def _others(rules: Rules) -> str:
    return "every opponent" if rules.table.teams else "every other player"


def _award(rules: Rules, award: int | complex | None) -> str:
    moon = rules.moon
    plus, minus = ("the award", "minus the award") if award is None else (signed(award), signed(-award))
    charge = f"{_others(rules)} scores {plus} (old moon)"
    shooter = "each player of the team" if moon.scope is MoonScope.TEAM else "the shooter"
    new = f"{shooter} scores {minus}"
    asked = ", as the shooter chooses"
    if moon.policy is MoonPolicy.AUTO_BEST:  # moon.policy
        asked = (
            ", whichever is better for the shooter: winning the match, then playing on, then the greater lead over "
            "the opponents; if they are equal, the first, or the second where the match is lost"
        )
    instead = "the new moon applies instead, unless it is worse for the shooter"
    if moon.policy is MoonPolicy.ASK:
        instead = "the shooter may choose the new moon instead"
    text = {  # moon.mode
        MoonMode.OLD: f"{charge}.",
        MoonMode.NEW: f"{new} (new moon).",
        MoonMode.CHOICE: f"either {charge} or {new} (new moon){asked}.",
        MoonMode.NEW_IF_OLD_LOSES: (
            f"{charge}. If that would end the match with somebody ahead of the shooter, {instead}: {new}."
        ),
        MoonMode.FIXED_SELF: (
            f"the shooter scores {plus} in place of the cards of the moon. The award does not affect the others."
        ),
        MoonMode.RESET_OR_DOUBLE: (
            f"either the total of {_others(rules)}, this deal included, is doubled or the shooter's total becomes "
            f"0{asked}."
        ),
        MoonMode.PAID: f"{charge}, and the shooter minus the sum of that.",
        MoonMode.WINS: f"{'the team of ' * bool(rules.table.teams)}the shooter wins the match, which ends.",
        MoonMode.NONE: "",
    }[moon.mode]
    return text[:1].upper() + text[1:]


def _new_moon(rules: Rules) -> list[str]:
    moon = rules.moon
    if moon.new_moon_min is None:  # moon.new_moon_min
        return []
    who = "the shooter's" if moon.new_moon_who is NewMoonWho.SHOOTER else "some player's"  # moon.new_moon_who
    return [f"The new moon may be chosen only if {who} total before the deal was {moon.new_moon_min} or more."]


def _details(rules: Rules) -> list[str]:
    moon = rules.moon
    shooter, they = ("The team", "it") if moon.scope is MoonScope.TEAM else ("The shooter", "they")
    if moon.least:
        lines = [f"{shooter} does not score any cards."]
    else:
        lines = [f"{shooter} does not score the penalty cards of the moon; any other cards {they} took count as usual."]
    lines.append(  # moon.others_score
        "The other players also score the cards they took."
        if moon.others_score
        else "The other players do not score the cards they took."
    )
    asks = moon.sign is MoonSign.CHOSEN and moon.policy is not MoonPolicy.AUTO_BEST  # moon.sign
    if moon.sign is not MoonSign.PLUS and not asks:
        lines.append(
            "For each opponent the award is added or subtracted, whichever takes that player's total farther from 0 "
            "before any points for tricks, sets, or a hand without hearts or tricks."
        )
    if asks:
        lines.append("For each opponent in turn, the shooter chooses whether the award is added or subtracted.")
    return lines


def _factors(rules: Rules) -> list[str]:
    if not whole_hand_multipliers(rules) or rules.moon.mode in (MoonMode.RESET_OR_DOUBLE, MoonMode.WINS):
        return []
    taken = "If the shooter took a multiplier, it multiplies"
    if rules.moon.mode not in CHARGES:
        return [f"{taken} the award, too."]
    if not rules.moon.multiplied:  # moon.multiplied
        return [f"{taken} what the shooter scores for a new moon, but not what the others score for an old moon."]
    return [f"{taken} the award, in an old moon as in a new one. Multipliers that the others took do not."]


def _sun(rules: Rules) -> list[str]:
    moon, lines = rules.moon, []
    side = "shooter's team" if moon.scope is MoonScope.TEAM else "shooter"
    every = f"If the {side} wins every trick (the sun)"
    if moon.sun_amount is not None and moon.mode not in (MoonMode.RESET_OR_DOUBLE, MoonMode.WINS):  # moon.sun_amount
        lines.append(f"{every}, the award is {moon.sun_amount} instead.")
    if moon.clean_slate:  # moon.clean_slate
        lines.append(f"{every}, the shooter's total becomes 0 instead, and nobody scores anything in that deal.")
    if moon.punish is not None:  # moon.punish
        nobody = "If no cards were passed, or a partner passed them" if rules.table.teams else "If no cards were passed"
        lines.append(
            f"{every} and the others are charged, the player who passed cards to the shooter scores "
            f"{signed(moon.punish)} in place of the award. {nobody}, {_others(rules)} scores the award."
        )
    if moon.sun_skip_first and lines:  # moon.sun_skip_first
        lines.append("Winning every trick but the first is enough for the sun.")
    return lines


def _extends(rules: Rules) -> list[str]:
    until = {  # moon.extends
        MoonExtends.OFF: "",
        MoonExtends.UNTIL_NEXT_MOON: "the next deal in which somebody shoots the moon",
        MoonExtends.UNTIL_MOONLESS_DEAL: "the first deal in which nobody shoots the moon",
    }[rules.moon.extends]
    if not until:
        return []
    lost = "; lost lives end it all the same" if derived.ends_by_lives(rules) else ""
    limit = "" if rules.end.max_deals is None else f", or until {rules.end.max_deals} deals in all have been played"
    return [
        "Once in a match, if an old moon would end it with somebody ahead of the shooter, play goes on instead, "
        f"whatever the totals, until after {until}{limit}{lost}."
    ]


def _big_moon(rules: Rules, deck: Deck) -> str:
    moon = rules.moon
    deals = moon.big_moon_deals or 0
    fixed = moon.big_moon_effect is BigMoonEffect.FIXED_100  # moon.big_moon_effect
    gain = "100" if fixed else write_gaussian(deals * derived.card_worth(rules, deck).award)
    often = "in a deal" if deals == 1 else f"in {deals} deals in a row"  # moon.big_moon_deals
    if moon.scope is MoonScope.TEAM:  # moon.scope
        who, reset = "A team whose members together take", "the totals of all of them become 0"
    else:
        who, reset = "A player who takes", "that player's total becomes 0"
    others = "every opponent's" if rules.table.teams else "every other"
    return f"{who} {_set_words(rules, deck)} {often} shoots the big moon: {reset}, and {others} total rises by {gain}."
