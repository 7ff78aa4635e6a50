"""The play of the cards in words: opening, following, hearts, jokers, and who wins a trick."""

from __future__ import annotations

from hearts_env.cards import JOKER, SUITS, Deck
from hearts_env.explain.words import (
    card_words,
    cards_words,
    is_card,
    kind_words,
    listing,
    one_word,
    pattern_words,
    side_words,
)
from hearts_env.ruleset import derived
from hearts_env.ruleset.enums import (
    BreakBy,
    BreakEvent,
    DeadLastTrick,
    DeadTrick,
    Duplicates,
    ExtendWhen,
    FirstTrickScope,
    HeartLead,
    JokerLead,
    JokerPlay,
    KittyAward,
    Leader,
    LeadException,
    Locked,
    OpeningCard,
    Remainder,
)
from hearts_env.ruleset.model import Rules


def play_lines(rules: Rules, deck: Deck) -> list[str]:
    """Everything between the first lead and the last trick."""
    return [
        *_opening(rules, deck),
        *_following(rules, deck),
        *_first_trick(rules, deck),
        *_hearts(rules, deck),
        *_jokers(rules, deck),
        *_identical(rules, deck),
        *_extension(rules),
    ]


def _opening(rules: Rules, deck: Deck) -> list[str]:
    opening, card = rules.opening, derived.opening_card(rules, deck)
    free = rules.play.heart_lead is HeartLead.FREE and not rules.play.first_trick_forbidden
    free &= not rules.play.locked
    free &= JOKER not in deck.ids or rules.jokers.lead is not JokerLead.NEVER
    anything = "may choose any card" if free else "may choose any card that the rules below allow"
    what = {  # opening.card
        OpeningCard.FORCED: "leads it to the first trick",
        OpeningCard.ANY_OF_SUIT: f"leads any {one_word(card[-1])} to the first trick",
        OpeningCard.ANY: f"leads to the first trick and {anything}",
        OpeningCard.BOTH: "leads it to the first trick, and the holder of another one plays it to that trick",
    }[opening.card]
    lines = [f"{_opener(rules, deck, card)} {what}."]
    in_kitty = rules.deck.remainder is Remainder.KITTY and derived.kitty_size(rules, deck)
    if opening.leader is Leader.HOLDER and in_kitty and opening.holder not in SUITS:
        suit = one_word(card[-1])
        leads = f"leads any {suit}; without one, they" if opening.card is OpeningCard.ANY_OF_SUIT else "leads and"
        lines.append(f"If that card lies in the kitty, {_after_dealer(rules)} {leads} {anything}.")
    if opening.taker is not None:  # opening.taker
        taken = f"took the {card_words(opening.taker)} in the deal before"
        out = rules.deck.kitty_award is KittyAward.OUT_OF_PLAY
        nobody = " If nobody took it, the rule for the first deal applies." if out else ""
        lines[-1] += " This is the rule for the first deal."
        lines.append(f"In every later deal the player who {taken} leads to the first trick and {anything}.{nobody}")
    return lines


def _after_dealer(rules: Rules) -> str:
    return f"the player on the dealer's {side_words(rules)}"


def _opener(rules: Rules, deck: Deck, card: str) -> str:
    opening = rules.opening
    if opening.leader is Leader.LEFT_OF_DEALER:  # opening.leader
        return _after_dealer(rules).capitalize()
    if rules.deck.remainder is Remainder.KITTY and opening.holder in SUITS:  # opening.holder
        lowest = deck.match(opening.holder)[: derived.kitty_size(rules, deck) + 1]
        two = any(deck.copies[name] > 1 for name in lowest)
        tie = " (of two holders, the one in the seat with the lower number)" if two else ""
        return f"The holder of the lowest {one_word(card[-1])} in anybody's hand{tie}"
    tie = " (of two, the one in the seat with the lower number)" if opening.card is OpeningCard.BOTH else ""
    return f"The holder of the {card_words(card)}{tie}"


def _following(rules: Rules, deck: Deck) -> list[str]:
    duty = rules.play.forced_discard  # play.forced_discard
    text = "Follow suit if you can; otherwise play any card."
    if duty:
        both = set(duty) & set(rules.play.first_trick_forbidden)
        even = " On the first trick this does not apply to cards that are barred from it." if both else ""
        waiting = deck.match_all(pattern for pattern, barred in rules.play.locked if barred is Locked.PLAY)
        even += " Until hearts are broken it does not apply to cards that wait for that." * bool(
            {*waiting} & {*deck.match_all(duty)}
        )
        have = "it" if len(duty) == 1 and is_card(duty[0]) else "one"
        free = JOKER in deck.ids and rules.jokers.play is JokerPlay.ANY
        joker = " A joker may not be played instead." if free else ""
        text = (
            f"Follow suit if you can. If you cannot, you must discard {listing(map(pattern_words, duty), 'or')} if you "
            f"have {have}; otherwise play any card.{joker}{even}"
        )
    return [f"{text} The highest card of the suit led wins the trick, and its player leads the next one."]


def _first_trick(rules: Rules, deck: Deck) -> list[str]:
    banned = [pattern for pattern in rules.play.first_trick_forbidden if deck.match(pattern)]
    if not banned:  # play.first_trick_forbidden
        return ["Any card may be discarded on the first trick, penalty cards included."]
    rounds = " (in either round, if it is extended)" if rules.trick.extend_rank else ""
    cards = listing(map(kind_words, banned))
    cards = cards[0].upper() + cards[1:]
    if rules.play.first_trick_scope is FirstTrickScope.ANY_PLAY:  # play.first_trick_scope
        where = f"played to the first trick{rounds}"
    else:
        where = f"discarded on another suit in the first trick{rounds}"
    return [f"{cards} may not be {where} unless no other card may be played."]


def _hearts(rules: Rules, deck: Deck) -> list[str]:
    play = rules.play
    cards = {  # play.break_by
        BreakBy.HEARTS: "a heart",
        BreakBy.HEARTS_OR_QS: "a heart or the queen of spades",
        BreakBy.ANY_PENALTY: "a heart or any penalty card",
        BreakBy.QS: "the queen of spades",
    }[play.break_by]
    # play.break_event
    event = "has been played" if play.break_event is BreakEvent.PLAYED else "has been discarded on another suit"
    breaks = [f"Hearts are broken as soon as {cards} {event}.", *_locked(rules)] if play.locked else []
    if play.heart_lead is HeartLead.FREE or not deck.match("H"):  # play.heart_lead
        return [*(["Hearts may be led at any time."] if deck.match("H") else []), *breaks]
    # play.lead_exception
    lone = "hearts" if play.lead_exception is LeadException.ONLY_HEARTS else "hearts and penalty cards"
    besides = " (jokers aside)" if JOKER in deck.ids and rules.jokers.lead is JokerLead.NEVER else ""
    if play.heart_lead is HeartLead.NEVER:
        return [f"Hearts may be led only by a player who holds nothing but {lone}{besides}.", *breaks]
    free = "QS" in derived.penalty_cards(rules, deck) and "QS" not in deck.match_all(dict(play.locked))
    queen = " The queen of spades may be led before that." * free
    return [
        f"Hearts may not be led until they are broken, that is, until {cards} {event}.{queen}",
        f"A player who holds nothing but {lone}{besides} may lead a heart anyway"
        + ("." if play.break_by is BreakBy.QS else ", which breaks hearts."),
        *_locked(rules),
    ]


def _locked(rules: Rules) -> list[str]:
    lines = []
    for choice, word in ((Locked.PLAY, "played"), (Locked.LEAD, "led")):  # play.locked
        if cards := [kind_words(pattern) for pattern, barred in rules.play.locked if barred is choice]:
            text = f"{listing(cards)} may not be {word} until hearts are broken, unless no other card may be {word}."
            lines.append(text[0].upper() + text[1:])
    if lines and rules.play.heart_lead is not HeartLead.FREE:
        lines.append("A player who holds nothing but such cards and hearts may lead any of them.")
    return lines


def _jokers(rules: Rules, deck: Deck) -> list[str]:
    jokers = rules.jokers
    if JOKER not in deck.ids:
        return []
    when = {  # jokers.play
        JokerPlay.ANY: "to any trick, even by a player who could follow suit",
        JokerPlay.VOID_ONLY: "to a trick only by a player who cannot follow suit",
    }[jokers.play]
    hearts, too = {
        HeartLead.FREE: ("", ""),
        HeartLead.BROKEN: (" (hearts only once they are broken)", " (unbroken hearts, too)"),
        HeartLead.NEVER: (", but never hearts", " (hearts, too)"),
    }[rules.play.heart_lead]
    sets = f"the next card that has a suit then sets the suit to follow{too}."
    lead = {  # jokers.lead
        JokerLead.NEVER: f"It may be led only by a player who holds nothing but jokers; {sets}",
        JokerLead.CALL: f"It may be led; its player then names the suit to follow{hearts}.",
        JokerLead.NEXT_CARD: f"It may be led; {sets}",
    }[jokers.lead]
    alone = "in which nobody follows the suit named" if jokers.lead is JokerLead.CALL else "of nothing but jokers"
    return [
        f"An unsuited joker may be played {when}. {lead}",
        f"Unsuited jokers never win, except that a trick {alone} goes to its leader.",
    ]


def _identical(rules: Rules, deck: Deck) -> list[str]:
    if not any(deck.copies[card] > 1 for card in deck.kinds if card != JOKER):
        return []
    rule = rules.trick.duplicates  # trick.duplicates
    if rule is Duplicates.CANCEL:
        exceptions = "".join(
            f" Two {_twins(pattern)} do not cancel: the {which} one played may win."
            for pattern, which in rules.trick.exceptions  # trick.exceptions
        )
        return [
            f"Identical cards in a trick cancel each other: they cannot win but still score.{exceptions}",
            *_dead_tricks(rules),
        ]
    exceptions = "".join(
        f" Of two {_twins(pattern)}, however, the {which} one played wins."
        for pattern, which in rules.trick.exceptions
        if which != rule
    )
    return [f"If two identical cards are the highest of the suit led, the {rule} one played wins.{exceptions}"]


def _twins(pattern: str) -> str:
    return cards_words(pattern) if is_card(pattern) else f"identical {kind_words(pattern)}"


def _dead_tricks(rules: Rules) -> list[str]:
    trick = rules.trick
    pairs = ", or if two pairs of any suits cancel" if trick.dead_trick is DeadTrick.TWO_PAIRS else ""
    last = {  # trick.dead_last_trick
        DeadLastTrick.LEADER: "its leader takes it",
        DeadLastTrick.SECOND_OF_TOP_PAIR: (
            "the player of the second card of its highest cancelled pair in the suit led takes it (its leader, if "
            "there is no such pair)"
        ),
    }[trick.dead_last_trick]
    kitty = rules.deck.remainder is Remainder.KITTY and rules.deck.kitty_award is not KittyAward.OUT_OF_PLAY
    also = ", with the kitty cards that belong to it" if kitty else ""
    return [
        # trick.dead_trick
        f"If no card of the suit led is left uncancelled{pairs}, the trick is dead: its cards stay on the table, the "
        f"same player leads again, and the winner of the next trick takes them as well{also}.",
        f"If the last trick of a deal is dead, {last}, along with all the cards left on the table.",
    ]


def _extension(rules: Rules) -> list[str]:
    trick = rules.trick
    if trick.extend_rank is None:  # trick.extend_rank
        return []
    led = " of the suit led" if trick.extend_when is ExtendWhen.LED_SUIT else ""  # trick.extend_when
    rank = pattern_words(trick.extend_rank)
    return [
        f"If {rank}{led} is played to a trick, the trick gets a second round: everybody plays one more card, in the "
        "same order and still following the suit led.",
        "The highest card of the suit led in both rounds together wins all the cards, which count as one trick. A "
        "trick gets only one extra round, and none if no cards are left.",
    ]
