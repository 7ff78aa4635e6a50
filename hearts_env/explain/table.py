"""The table, the pack, the pass and what is announced before play, in words."""

from __future__ import annotations

from hearts_env.cards import JOKER, Deck, suit_of
from hearts_env.explain.words import (
    SUIT_WORDS,
    all_words,
    card_words,
    counted,
    listing,
    pattern_words,
    side_words,
    signed,
)
from hearts_env.ruleset import derived
from hearts_env.ruleset.enums import Better, KittyAward, MoonMode, Remainder, Schedule
from hearts_env.ruleset.model import Rules
from hearts_env.ruleset.passing import PassOption, pass_schedule
from hearts_env.ruleset.syntax import write_gaussian

ORDINALS = ("", "first", "second", "third", "fourth", "fifth")
FACTOR_WORDS = {2: "double", 3: "three times", 4: "four times"}


def pack_lines(rules: Rules, deck: Deck) -> list[str]:
    """Players, cards and who deals."""
    hand = derived.hand_size(rules, deck)
    lines = [f"{rules.players} players; {len(deck)} cards, {hand} to each."]
    if rules.table.teams:
        teams = (f"seats {listing(team.split('+'))}" for team in rules.table.teams)
        lines.append(f"Partners: {' against '.join(teams)}.")
    if rules.deck.packs == 2:
        lines.append("Two packs are shuffled together, so a card may be there twice.")
    lines.append(f"In each suit the cards rank, low to high: {' '.join(rules.deck.ranks)}.")
    lines += [*_changed_pack(rules), *_remainder(rules, deck), *_kitty(rules, deck)]
    return [*lines, *_dealer(rules)]


def _dealer(rules: Rules) -> list[str]:
    side, dealer = side_words(rules), rules.table.dealer_next
    clock = "clockwise" if side == "left" else "counter-clockwise"
    after = f"the player to the {side}"
    taker = after if dealer == "left" else f"whoever took the {card_words(dealer)}"
    return [
        f"The turn goes to the {side} ({clock}).",
        f"The first dealer is drawn; {taker} deals next.",
    ]


def _changed_pack(rules: Rules) -> list[str]:
    added, removed = rules.deck.added, rules.deck.removed
    lines = []
    if added:
        lines.append(f"Added to the pack: {counted(added)}.")
        suits = dict.fromkeys(SUIT_WORDS[suit_of(card) or ""] for card in added if card[0] == "0")
        if suits:
            lines.append(f"A joker of a suit is its lowest card (written 0: {listing(suits)}).")
    if removed and rules.deck.packs == 1:
        lines.append(f"Taken out of the pack: {listing('the ' + card_words(card) for card in removed)}.")
    elif removed:
        lines.append(f"Taken out of the pack: {counted(removed)}.")
    return lines


def _remainder(rules: Rules, deck: Deck) -> list[str]:
    pack = rules.deck
    full = 4 * len(pack.ranks) * pack.packs + len(pack.added) - len(pack.removed)
    if pack.remainder is Remainder.STRICT:
        return [f"The pack must divide as it is: no {'other ' if pack.removed else ''}card ever stays out."]
    if len(deck) > full:
        return [f"So that the pack divides, {_number(len(deck) - full, 'joker')} without a suit are added."]
    out = pack.removal_order[: full - len(deck)]
    if not out:
        return []
    cards = counted(out) if pack.packs == 2 else listing("the " + card_words(card) for card in out)
    return [f"So that the pack divides, {cards} {'stays' if len(out) == 1 else 'stay'} out."]


def _number(count: int, word: str) -> str:
    return f"{count} {word}{'s' * (count != 1)}"


def _kitty(rules: Rules, deck: Deck) -> list[str]:
    pack = rules.deck
    if pack.remainder is not Remainder.KITTY:
        return []
    left = derived.kitty_size(rules, deck)
    if not left:
        return ["Cards that do not divide would lie face down, but here none is left over."]
    award = {
        KittyAward.FIRST_TRICK: "The winner of the first trick takes it and may look at it.",
        KittyAward.FIRST_PENALTY: (
            "The winner of the first trick that holds a heart or a penalty card takes it and may look at it; if there "
            "is none, the winner of the last trick."
        ),
        KittyAward.ONE_PER_TRICK: (
            "The winner of each trick takes one card of it along while there are any; the winner of the last trick "
            "takes the rest."
        ),
        KittyAward.OUT_OF_PLAY: "It stays out of play, unseen.",
    }[pack.kitty_award]
    counts = "" if pack.kitty_award is KittyAward.OUT_OF_PLAY else " Its cards count for whoever takes them."
    lie = "card is left over and lies" if left == 1 else "cards are left over and lie"
    return [f"{left} {lie} face down: the kitty. {award}{counts}"]


def pass_lines(rules: Rules) -> list[str]:
    """The exchange of cards."""
    passing, seats = rules.passing, rules.players
    entries = pass_schedule(passing.cycle, seats, passing.count)
    if all(option.text == "hold" for entry in entries for option in entry):
        return ["No cards are passed."]
    lines = ["Everybody puts the cards to pass face down before looking at what arrives."]
    spoken = [listing((_option_words(option, seats) for option in entry), "or") for entry in entries]
    if len(spoken) == 1:
        lines.append(f"In every deal: {spoken[0]}.")
    else:
        turn = "One of these is drawn for each deal" if passing.schedule is Schedule.RANDOM else "Deal by deal, in turn"
        lines.append(f"{turn}: {'; '.join(spoken)}.")
    if any(len(entry) > 1 for entry in entries):
        lines.append("Where there is a choice, the dealer makes it after looking at the own hand.")
    if any(option.text.startswith("pool") for entry in entries for option in entry):
        lines.append("What comes back from a pool may be one's own cards.")
    if passing.unpassable:
        lines.append(f"Not to be passed while other cards are held: {listing(map(pattern_words, passing.unpassable))}.")
    if rules.table.teams and not passing.to_partner:
        lines.append("Nobody passes to a partner.")
    return lines


def _option_words(option: PassOption, seats: int) -> str:
    if not option.moves:
        return "nothing (hold)"
    if option.text == "scatter":
        return "one card to each other player"
    if option.moves[0].offset == 0:
        count = option.moves[0].count
        return f"{_number(count, 'card')} each into a pool, which is shuffled and dealt back, {count} to each"
    moves = [(move.count, _direction(move.offset, seats)) for move in option.moves]
    first, *others = (f"{_number(count, 'card')} {to}" for count, to in moves)
    return listing([first, *(other.replace(" cards", "").replace(" card", "") for other in others)])


def _direction(offset: int, seats: int) -> str:
    if 2 * offset == seats:
        return "across"
    steps, side = (offset, "left") if 2 * offset < seats else (seats - offset, "right")
    return f"to the {side}" if steps == 1 else f"to the {ORDINALS[steps]} player on the {side}"


def announcement_lines(rules: Rules, deck: Deck) -> list[str]:
    """What may be shown or pledged before the first trick."""
    return [*_exposing(rules, deck), *_pledge(rules)]


def _exposing(rules: Rules, deck: Deck) -> list[str]:
    exposing = rules.exposing
    if not exposing.cards:
        return []
    lines = ["Before the first lead everybody, in the order of the seats, may lay cards of these face up:"]
    lines[0] = f"{lines[0][:-1]}: {listing('the ' + card_words(card) for card, _ in exposing.cards)}."
    lines += [_raise_words(rules, deck, card, pattern) for card, pattern in exposing.cards]
    lines.append("No card is raised twice. A shown card stays in its hand and is played like any other.")
    if exposing.lock:
        lines.append(
            "But until its suit has been led once a shown card may neither be led nor played to its suit, unless its "
            "holder has no other card of that suit that is not shown."
        )
    if rules.moon.mode not in (MoonMode.NONE, MoonMode.RESET_OR_DOUBLE):
        lines.append("What is shown does not change the award for the moon, but for multipliers that apply to it.")
    return lines


def _raise_words(rules: Rules, deck: Deck, card: str, pattern: str) -> str:
    factor, points = rules.exposing.factor, derived.card_points(rules, deck)
    times = FACTOR_WORDS.get(factor, f"{factor} times")
    effects = [f"{all_words(pattern, deck)} {_count(pattern)} {times}"] if _scores(deck, pattern, points) else []
    for multiplier in derived.multipliers(rules):
        if multiplier.card in deck.match(pattern):
            raised = write_gaussian(multiplier.factor * factor)
            effects.append(f"the {card_words(multiplier.card)} multiplies by {raised}")
    return f"If the {card_words(card)} is shown, {listing(effects)}."


def _scores(deck: Deck, pattern: str, points: dict[str, int | complex]) -> bool:
    return any(points[name] for name in deck.match(pattern))


def _count(pattern: str) -> str:
    return "counts" if len(pattern) > 1 and pattern != JOKER and not pattern.isdigit() else "count"


def _pledge(rules: Rules) -> list[str]:
    pledge = rules.score.pledge
    if pledge is None:
        return []
    good = -pledge if rules.score.better is Better.LOW else pledge
    when = "Then" if rules.exposing.cards else "Before the first lead"
    return [
        f"{when} everybody, in the order of the seats, may pledge aloud to take no heart in the deal: "
        f"a kept pledge counts {signed(good)}, a broken one {signed(-good)}."
    ]
