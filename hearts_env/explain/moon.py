"""Shooting the moon, the sun and the big moon in words."""

from __future__ import annotations

from hearts_env.cards import Deck
from hearts_env.explain.words import all_words, cards_words, kind_words, listing, signed, whole_hand_multipliers
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

CHARGES = (MoonMode.OLD, MoonMode.CHOICE, MoonMode.NEW_IF_OLD_LOSES)
"""The moons that may charge the other players."""


def moon_lines(rules: Rules, deck: Deck) -> list[str]:
    """What the taker of all the cards of the moon gets."""
    moon = rules.moon
    big = [] if moon.big_moon_deals is None else [_big_moon(rules, deck)]
    if moon.mode is MoonMode.NONE:
        text = "whoever takes all the penalty cards scores them"
        text += " as said above" if rules.score.sweeps else ""
        return [
            f"No award: {text}." if rules.score.chips is None else "Nothing is awarded for all penalty cards.",
            *big,
        ]
    return [
        _needed(rules, deck),
        *_worth(rules, deck),
        _award(rules, deck),
        *_new_moon(rules),
        *_details(rules),
        *_factors(rules),
        *_sun(rules),
        *_extends(rules),
    ]


def _set_words(rules: Rules, deck: Deck) -> str:
    if rules.moon.least:
        return listing(_least_words(deck, pattern, least) for pattern, least in rules.moon.least)
    if rules.moon.cards:
        return listing(all_words(pattern, deck) for pattern in rules.moon.cards)
    return "all the penalty cards"


def _least_words(deck: Deck, pattern: str, least: int) -> str:
    copies = sum(deck.copies[card] for card in deck.match(pattern))
    if copies == least:
        return all_words(pattern, deck)
    cards = cards_words(pattern) if len(deck.match(pattern)) == 1 else kind_words(pattern)
    return f"at least {least} of the {copies} {cards}"


def _needed(rules: Rules, deck: Deck) -> str:
    moon = rules.moon
    need = " and to win every trick of the deal" if moon.requires_sun else ""
    who = " The players of a team may do it together." if moon.scope is MoonScope.TEAM else ""
    unseen = " Cards that lie in the kitty are not needed."
    out = rules.deck.kitty_award is KittyAward.OUT_OF_PLAY and derived.kitty_size(rules, deck) and not moon.least
    return f"To shoot the moon is to take {_set_words(rules, deck)}{need}.{who}{unseen if out else ''}"


def _worth(rules: Rules, deck: Deck) -> list[str]:
    """The award, where it is not a single number."""
    if rules.moon.mode is MoonMode.RESET_OR_DOUBLE:
        return []
    if not rules.moon.least:
        return [f"The award is {write_gaussian(_amount(rules, deck))}."]
    points, lines = derived.card_points(rules, deck), []
    for pattern, least in rules.moon.least:
        copies = sum(deck.copies[card] for card in deck.match(pattern))
        each = points[deck.match(pattern)[0]]
        whole = {1: "it is", 2: "both are"}.get(copies, f"all {copies} are")
        times = "" if each == 1 else f", times {write_gaussian(each)}"
        lines.append(f"{kind_words(pattern)}: {2 * least} less the number taken, or {copies} if {whole} taken{times}")
    return [
        f"The award adds up, for {'; for '.join(lines)}; bonus cards of the shooter raise it by what they are worth."
    ]


def _amount(rules: Rules, deck: Deck) -> int | complex:
    amount = rules.moon.amount
    return derived.moon_worth(rules, deck) if amount is None else amount


def _gain(rules: Rules, deck: Deck, sign: int) -> str:
    """What a seat scores that is given the award (sign 1) or has it taken off (sign -1)."""
    if rules.moon.least:
        return "the award" if sign == 1 else "the award with the opposite sign"
    return signed(sign * _amount(rules, deck))


def _others(rules: Rules) -> str:
    return "every opponent" if rules.table.teams else "every other player"


def _award(rules: Rules, deck: Deck) -> str:
    moon = rules.moon
    charge = f"{_others(rules)} scores {_gain(rules, deck, 1)}"
    team = moon.scope is MoonScope.TEAM
    shooter = "each player of the team" if team else "the shooter"
    relief = f"{shooter} scores {_gain(rules, deck, -1)}"
    first = "the first is taken unless it would end the match with somebody ahead of the shooter"
    asked = "the shooter chooses" if moon.policy is MoonPolicy.ASK else first
    return {
        MoonMode.OLD: f"{charge.capitalize()} (old moon).",
        MoonMode.NEW: f"{relief.capitalize()} (new moon).",
        MoonMode.CHOICE: f"Either {charge} (old moon) or {relief} (new moon): {asked}.",
        MoonMode.NEW_IF_OLD_LOSES: (
            f"{charge.capitalize()} (old moon). Only if that would end the match with somebody ahead of the shooter "
            f"may it be instead that {relief} (new moon)"
            + (": the shooter chooses." if moon.policy is MoonPolicy.ASK else ", and then it is.")
        ),
        MoonMode.FIXED_SELF: f"The shooter scores {_gain(rules, deck, 1)} in place of the cards; nobody is charged.",
        MoonMode.RESET_OR_DOUBLE: (
            f"Either the total of {_others(rules)} doubles, this deal included, or the shooter's total becomes 0: "
            f"{asked}."
        ),
        MoonMode.NONE: "",
    }[moon.mode]


def _new_moon(rules: Rules) -> list[str]:
    moon = rules.moon
    if moon.new_moon_min is None:
        return []
    who = "the shooter" if moon.new_moon_who is NewMoonWho.SHOOTER else "any player"
    return [f"The new moon may be chosen only if {who} has a total of at least {moon.new_moon_min} before the deal."]


def _details(rules: Rules) -> list[str]:
    moon = rules.moon
    own = "The shooter scores no card" if moon.least else "The shooter scores nothing for the penalty cards of the moon"
    rest = "" if moon.least else "; what else the shooter took counts as usual"
    if moon.scope is MoonScope.TEAM:
        own, rest = own.replace("The shooter", "The team"), rest.replace("the shooter", "it")
    lines = [f"{own}{rest}."]
    if moon.others_score:
        lines.append("The others also score the cards they took.")
    else:
        lines.append("The cards that the others took count nothing.")
    if moon.sign is MoonSign.HURTS:
        lines.append("For each opponent the award takes the sign that leads the total farther from 0.")
    return lines


def _factors(rules: Rules) -> list[str]:
    if not whole_hand_multipliers(rules) or rules.moon.mode is MoonMode.RESET_OR_DOUBLE:
        return []
    if rules.moon.mode not in CHARGES:
        return ["Multipliers of the shooter multiply the award as well."]
    if not rules.moon.multiplied:
        return [
            "Multipliers of the shooter multiply what comes off the own score, but not what the others are charged."
        ]
    return ["Multipliers of the shooter multiply the award, also what the others are charged; theirs do not."]


def _sun(rules: Rules) -> list[str]:
    moon, lines = rules.moon, []
    if moon.sun_amount is not None:
        lines.append(f"If the shooter wins every trick (the sun) the award is {moon.sun_amount} instead.")
    if moon.clean_slate:
        lines.append(
            "If the shooter wins every trick (the sun) the shooter's total becomes 0 instead, and nobody scores "
            "anything in that deal."
        )
    if moon.punish is not None:
        lines.append(
            "If the shooter wins every trick (the sun) and the others are charged, the player who passed to the "
            f"shooter scores {signed(moon.punish)} in place of the award (nobody does if no cards were passed)."
        )
    if moon.sun_skip_first:
        lines.append("The sun may miss the first trick.")
    return lines


def _extends(rules: Rules) -> list[str]:
    until = {
        MoonExtends.OFF: "",
        MoonExtends.UNTIL_NEXT_MOON: "the next deal in which somebody shoots the moon",
        MoonExtends.UNTIL_MOONLESS_DEAL: "the first deal in which nobody shoots the moon",
    }[rules.moon.extends]
    if not until:
        return []
    limit = "" if rules.end.max_deals is None else f", or for {rules.end.max_deals} deals in all"
    return [
        "If an old moon would end the match with somebody ahead of the shooter, the match goes on instead, whatever "
        f"the totals, until after {until}{limit}. That happens once in a match at most."
    ]


def _big_moon(rules: Rules, deck: Deck) -> str:
    moon = rules.moon
    fixed = moon.big_moon_effect is BigMoonEffect.FIXED_100
    gain = "100" if fixed else "the points of those cards in all those deals"
    return (
        f"The big moon: whoever takes {_set_words(rules, deck)} in {moon.big_moon_deals} deals in a row goes to a "
        f"total of 0, and every other total rises by {gain}."
    )
