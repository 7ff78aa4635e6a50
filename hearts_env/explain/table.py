"""The pack, the deal, the pass and what is announced before play, in words."""

from __future__ import annotations

from hearts_env.cards import JOKER, STANDARD_RANKS, Deck, rank_of, suit_of
from hearts_env.explain.words import (
    RANK_WORDS,
    SUIT_WORDS,
    all_words,
    card_words,
    counted,
    kind_words,
    listing,
    side_words,
    signed,
    whole_hand_multipliers,
)
from hearts_env.ruleset import derived
from hearts_env.ruleset.enums import Better, KittyAward, MoonMode, Remainder, Rounds, Schedule
from hearts_env.ruleset.model import Rules
from hearts_env.ruleset.passing import PassOption, pass_schedule
from hearts_env.ruleset.syntax import write_gaussian

ORDINALS = ("", "first", "second", "third", "fourth", "fifth")
FACTOR_WORDS = {2: "double", 3: "three times", 4: "four times"}


def pack_lines(rules: Rules, deck: Deck) -> list[str]:
    """The cards, how they are dealt, and who deals."""
    hand = derived.hand_size(rules, deck)
    return [
        f"{len(deck)} cards, {hand} to each player: {_composition(rules, deck)}.",
        f"In each suit the cards rank, from low to high: {' '.join(_suit_ranks(rules, deck))}.",  # deck.ranks
        *_suited_jokers(rules),
        *_kitty(rules, deck),
        *_direction(rules),
    ]


def _suit_ranks(rules: Rules, deck: Deck) -> list[str]:
    """The ranks of the pack, with those that deck.added brings; jokers of a suit have a line of their own."""
    added = {rank_of(card) for card in rules.deck.added if card != JOKER} - {"0"}
    return [rank for rank in deck.ranks if rank in rules.deck.ranks or rank in added]


def _composition(rules: Rules, deck: Deck) -> str:
    """The contents of the pack: ``two standard packs shuffled together plus one joker of clubs``."""
    pack = rules.deck
    two = pack.packs == 2  # deck.packs
    words = "two standard packs" if two else "a standard pack"
    if pack.ranks != STANDARD_RANKS:  # deck.ranks
        words = f"{'two packs' if two else 'a pack'} with {_named_ranks(pack.ranks)} in each suit"
    words += " shuffled together" if two else ""
    comma = "," if pack.added else ""
    if pack.added:  # deck.added
        words += f" plus {counted(pack.added)}"
    if pack.removed:  # deck.removed
        words += f"{comma} without {_cards(rules, pack.removed)}"
    return words + _divided(rules, deck)


def _named_ranks(ranks: tuple[str, ...]) -> str:
    """``eight to ace`` for a run of the usual order, otherwise the number of ranks."""
    start = STANDARD_RANKS.index(ranks[0]) if ranks[0] in STANDARD_RANKS else 0
    if ranks == STANDARD_RANKS[start : start + len(ranks)] and len(ranks) > 1:
        return f"{RANK_WORDS[ranks[0]]} to {RANK_WORDS[ranks[-1]]}"
    return f"{len(ranks)} ranks"


def _cards(rules: Rules, cards: tuple[str, ...]) -> str:
    """Single cards of one pack, or a number of copies where there are two packs."""
    return counted(cards) if rules.deck.packs == 2 else listing("the " + card_words(card) for card in cards)


def _divided(rules: Rules, deck: Deck) -> str:
    # deck.remainder: with `strict` nothing is done, so that fewer numbers of players are possible
    pack = rules.deck
    full = 4 * len(pack.ranks) * pack.packs + len(pack.added) - len(pack.removed)
    if len(deck) > full:
        return f" plus {_number(len(deck) - full, 'unsuited joker')}, so that the cards divide evenly"
    out = pack.removal_order[: full - len(deck)]  # deck.removal_order
    also = " and" if pack.removed else ""
    return f"{also} without {_cards(rules, out)}, so that the cards divide evenly" if out else ""


def _number(count: int, word: str) -> str:
    return f"{count} {word}{'s' * (count != 1)}"


def _suited_jokers(rules: Rules) -> list[str]:
    cards = [card for card in dict.fromkeys(rules.deck.added) if card[0] == "0"]  # deck.added
    return [
        f"The {card_words(card)} (written {card}) is an ordinary card and the lowest of the "
        f"{SUIT_WORDS[suit_of(card) or '']}."
        for card in cards
    ]


def _kitty(rules: Rules, deck: Deck) -> list[str]:
    pack = rules.deck
    if pack.remainder is not Remainder.KITTY:  # deck.remainder
        return []
    left = derived.kitty_size(rules, deck)  # deck.hand_size
    if not left:
        return ["Cards left over would form a kitty, but here the cards divide evenly."]
    award = {  # deck.kitty_award
        KittyAward.FIRST_TRICK: "The winner of the first trick takes it and may look at it.",
        KittyAward.FIRST_PENALTY: (
            "The winner of the first trick that contains a heart or a penalty card takes it and may look at it; if "
            "there is no such trick, the winner of the last one takes it."
        ),
        KittyAward.ONE_PER_TRICK: (
            "The winner of each trick also takes one card from it while it lasts; the winner of the last trick takes "
            "the rest."
        ),
        KittyAward.OUT_OF_PLAY: "It stays out of play, and nobody sees it.",
        KittyAward.LAST_TRICK: "The winner of the last trick takes it.",
    }[pack.kitty_award]
    counts = "" if pack.kitty_award is KittyAward.OUT_OF_PLAY else " Its cards count for the player who takes them."
    lie = "card is left over and lies" if left == 1 else "cards are left over and lie"
    return [f"{left} {lie} face down, as the kitty. {award}{counts}"]


def _direction(rules: Rules) -> list[str]:
    side, dealer = side_words(rules), rules.table.dealer_next
    clock = "clockwise" if side == "left" else "counter-clockwise"
    after = f"the player on the dealer's {side}"
    if dealer != "left":  # table.dealer_next
        nobody = rules.deck.kitty_award is KittyAward.OUT_OF_PLAY
        after = f"whoever took the {card_words(dealer)}{f' (if nobody did, {after})' if nobody else ''}"
    return [
        f"Play goes to the {side} ({clock}).",  # table.direction
        f"The first dealer is drawn at random; the next dealer is {after}.",
    ]


def pass_lines(rules: Rules) -> list[str]:
    """The exchange of cards."""
    passing, seats = rules.passing, rules.players
    entries = pass_schedule(passing.cycle, seats, passing.count)  # passing.cycle, passing.count
    options = [option for entry in entries for option in entry]
    if not any(option.moves for option in options):
        return ["No cards are passed."]
    lines = ["Players lay the cards they pass face down before they see the cards passed to them."]
    lines.append(_cycle_words(entries, passing.schedule, seats))
    if any(len(entry) > 1 for entry in entries):
        lines.append("Where there is a choice, the dealer decides after looking at their own hand.")
    if any(option.text.startswith("pool") for option in options):
        lines.append("Players may get cards of their own back from a pool.")
    if passing.unpassable:  # passing.unpassable
        cards = listing(map(kind_words, passing.unpassable))
        lines.append(f"These cards may be passed only by a player who has no other cards to pass: {cards}.")
    if passing.refusable:  # passing.refusable
        cards = listing(map(kind_words, passing.refusable), "or")
        lines.append(
            f"A player who is passed {cards} may refuse it once all have picked: the passer takes the card back and "
            "passes another one instead. Everybody sees who took which card back, but not what came instead."
        )
    if rules.table.teams and not passing.to_partner:  # passing.to_partner
        lines.append("Nobody passes to a partner.")
    return lines


def _cycle_words(entries: tuple[tuple[PassOption, ...], ...], schedule: Schedule, seats: int) -> str:
    """The passes in words; where all of them move the same number of cards one way, only the directions change."""
    spoken = [listing((_option_words(option, seats) for option in entry), "or") for entry in entries]
    if len(spoken) == 1:
        return f"In every deal: {spoken[0]}."
    drawn = schedule is Schedule.RANDOM  # passing.schedule
    moves = [move for entry in entries for option in entry for move in option.moves]
    plain = all(len(entry) == 1 and len(entry[0].moves) < 2 for entry in entries)
    if not plain or len({move.count for move in moves}) > 1 or any(move.offset == 0 for move in moves):
        when = "In each deal one of these is drawn at random" if drawn else "Deal by deal, in rotation"
        return f"{when}: {'; '.join(spoken)}."
    ways = [
        _pass_direction(entry[0].moves[0].offset, seats) if entry[0].moves else "no pass (hold)" for entry in entries
    ]
    when = "is drawn at random in each deal" if drawn else "changes from deal to deal, in rotation"
    count = moves[0].count
    return f"{_number(count, 'card')} {'is' if count == 1 else 'are'} passed. The direction {when}: {'; '.join(ways)}."


def _option_words(option: PassOption, seats: int) -> str:
    if not option.moves:
        return "no pass (hold)"
    if option.text == "scatter":
        return "one card to each other player"
    if option.moves[0].offset == 0:
        count = option.moves[0].count
        return f"{_number(count, 'card')} from each player into a pool, which is shuffled and dealt out again"
    moves = [(move.count, _pass_direction(move.offset, seats)) for move in option.moves]
    first, *others = (f"{_number(count, 'card')} {to}" for count, to in moves)
    return listing([first, *(other.replace(" cards", "").replace(" card", "") for other in others)])


def _pass_direction(offset: int, seats: int) -> str:
    if 2 * offset == seats:
        return "across"
    steps, side = (offset, "left") if 2 * offset < seats else (seats - offset, "right")
    return f"to the {side}" if steps == 1 else f"to the {ORDINALS[steps]} player on the {side}"


def announcement_lines(rules: Rules, deck: Deck) -> list[str]:
    """Lines about the cards that may be shown, and the pledges that may be made, before the first trick."""
    return [*_exposing(rules, deck), *_pledge(rules)]


def _exposing(rules: Rules, deck: Deck) -> list[str]:
    exposing = rules.exposing
    if not exposing.cards:  # exposing.cards
        return []
    cards = listing("the " + card_words(card) for card, _ in exposing.cards)
    rounds = exposing.rounds  # exposing.rounds
    lines = [f"Before the first lead each player, {_turns(rounds)}, may lay any of these cards face up: {cards}."]
    if rounds.endswith("blind"):
        lines.append("Nobody sees the cards that others lay down; all are revealed together, after the last turn.")
    lines += [_raise_words(rules, deck, card, pattern) for card, pattern in exposing.cards]
    raised = [card for _, pattern in exposing.cards for card in deck.match(pattern)]
    if len(set(raised)) < len(raised):
        lines.append("A value is raised only once, even if two shown cards would raise it.")
    lines.append("A shown card stays in its holder's hand and is played from there.")
    if exposing.lock:  # exposing.lock
        lines.append(
            "A shown card may not be played, either as the lead or to follow, to the first trick in which its suit is "
            "led, unless its holder has no other card of that suit, or only such cards to play."
        )
    if exposing.lead_lock:  # exposing.lead_lock
        lines.append("A shown card may not be led before its suit has been led, unless no other card may be led.")
    if rules.moon.mode not in (MoonMode.NONE, MoonMode.RESET_OR_DOUBLE, MoonMode.WINS):
        multiplied = {multiplier.card for multiplier in whole_hand_multipliers(rules)} & set(raised)
        but = ", except that a shown multiplier multiplies the award by its raised factor" if multiplied else ""
        lines.append(f"Shown cards do not change the award for the moon{but}.")
    return lines


def _turns(rounds: Rounds) -> str:
    if rounds in (Rounds.ONCE, Rounds.ONCE_BLIND):
        return "in seat order"
    who = "the others" if rounds in (Rounds.OTHERS, Rounds.OTHERS_BLIND) else "all, the same player included,"
    return f"in turn from the dealer on, until all have declined in succession (after a card {who} may show more)"


def _raise_words(rules: Rules, deck: Deck, card: str, pattern: str) -> str:
    factor, points = rules.exposing.factor, derived.card_points(rules, deck)  # exposing.factor
    times = FACTOR_WORDS.get(factor, f"{factor} times")
    plural = len(pattern) == 1 or pattern == JOKER or pattern.isdigit()
    what = "it" if pattern == card else all_words(pattern, deck)
    effects = []
    if any(points[name] for name in deck.match(pattern)):
        effects.append(f"{what} count{'' if plural else 's'} {times}")
    for multiplier in derived.multipliers(rules):
        if multiplier.card in deck.match(pattern):
            who = "it" if multiplier.card == card else f"the {card_words(multiplier.card)}"
            raised = write_gaussian(multiplier.factor * factor)
            effects.append(f"{who} multiplies by {raised} instead of {write_gaussian(multiplier.factor)}")
    return f"If the {card_words(card)} is shown, {listing(effects)}."


def _pledge(rules: Rules) -> list[str]:
    pledge = rules.score.pledge  # score.pledge
    if pledge is None:
        return []
    good = -pledge if rules.score.better is Better.LOW else pledge
    when = "Then" if rules.exposing.cards else "Before the first lead"
    return [
        f"{when} each player, in seat order, may pledge aloud to take no heart in the deal: keeping the pledge scores "
        f"{signed(good)}, breaking it {signed(-good)}."
    ]
