"""The play of the cards in words: opening, following, hearts, jokers, and who wins a trick."""

from __future__ import annotations

from hearts_env.cards import JOKER, SUITS, Deck
from hearts_env.explain.words import (
    RANK_WORDS,
    SUIT_WORDS,
    card_words,
    cards_words,
    kind_words,
    listing,
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
    OpeningCard,
    Remainder,
)
from hearts_env.ruleset.model import Rules


def play_lines(rules: Rules, deck: Deck) -> list[str]:
    """Everything between the first lead and the last trick."""
    return [
        *_opening(rules, deck),
        *_following(rules),
        *_first_trick(rules, deck),
        *_hearts(rules, deck),
        *_jokers(rules, deck),
        *_identical(rules, deck),
        *_extension(rules),
    ]


def _opening(rules: Rules, deck: Deck) -> list[str]:
    opening, card = rules.opening, derived.opening_card(rules, deck)
    what = {
        OpeningCard.FORCED: "with that card",
        OpeningCard.ANY_OF_SUIT: f"with any of the {SUIT_WORDS[card[-1]]}",
        OpeningCard.ANY: "with any card that may be led",
    }[opening.card]
    lines = [f"{_opener(rules, card)} leads to the first trick, {what}."]
    if opening.leader is Leader.HOLDER and _kitty(rules, deck) and opening.holder not in SUITS:
        lines.append(f"If that card lies in the kitty, {_after_dealer(rules)} leads any card.")
    if opening.taker is not None:
        lines.append(
            f"That is for the first deal. From the second on whoever took the {card_words(opening.taker)} in the deal "
            "before leads, with any card that may be led; if nobody took it, it is as in the first deal."
        )
    return lines


def _kitty(rules: Rules, deck: Deck) -> int:
    return derived.kitty_size(rules, deck) if rules.deck.remainder is Remainder.KITTY else 0


def _after_dealer(rules: Rules) -> str:
    return f"the player to the dealer's {side_words(rules)}"


def _opener(rules: Rules, card: str) -> str:
    if rules.opening.leader is Leader.LEFT_OF_DEALER:
        return _after_dealer(rules).capitalize()
    if rules.deck.remainder is Remainder.KITTY and rules.opening.holder in SUITS:
        return f"The holder of the lowest of the {SUIT_WORDS[card[-1]]} that is in any hand"
    return f"The holder of the {card_words(card)}"


def _following(rules: Rules) -> list[str]:
    duty = rules.play.forced_discard
    if not duty:
        lines = ["Follow suit if you can, otherwise play anything."]
    else:
        both = set(duty) & set(rules.play.first_trick_forbidden)
        even = " (also on the first trick, if you hold no other of them)" if both else ""
        lines = [
            f"Follow suit if you can. If you cannot, you must discard {listing(map(pattern_words, duty), 'or')} if you "
            f"hold such a card{even}, otherwise play anything."
        ]
    lines[0] += " The highest card of the suit led wins and leads next."
    return lines


def _first_trick(rules: Rules, deck: Deck) -> list[str]:
    play = rules.play
    banned = [pattern for pattern in play.first_trick_forbidden if deck.match(pattern)]
    if not banned:
        return ["Anything may be thrown on the first trick."]
    any_play = play.first_trick_scope is FirstTrickScope.ANY_PLAY
    where = "on the first trick" if any_play else "on the first trick as a discard on another suit"
    rounds = ", in both its rounds if it is extended" if rules.trick.extend_rank else ""
    cards = listing(map(pattern_words, banned))
    return [f"Not {where}{rounds}, unless nothing else may be played: {cards}."]


def _hearts(rules: Rules, deck: Deck) -> list[str]:
    play = rules.play
    if not deck.match("H"):
        return []
    if play.heart_lead is HeartLead.FREE:
        return ["Hearts may be led at any time."]
    cards = {
        BreakBy.HEARTS: "a heart",
        BreakBy.HEARTS_OR_QS: "a heart or the queen of spades",
        BreakBy.ANY_PENALTY: "a heart or any penalty card",
    }[play.break_by]
    event = "has been played" if play.break_event is BreakEvent.PLAYED else "has been discarded on another suit"
    lone = "hearts" if play.lead_exception is LeadException.ONLY_HEARTS else "hearts and penalty cards"
    besides = " (jokers aside)" if JOKER in deck.ids and rules.jokers.lead is JokerLead.NEVER else ""
    return [
        f"Hearts may not be led until they are broken, that is, until {cards} {event}.",
        f"A hand of nothing but {lone}{besides} may lead a heart all the same, which breaks hearts.",
    ]


def _jokers(rules: Rules, deck: Deck) -> list[str]:
    jokers = rules.jokers
    if JOKER not in deck.ids:
        return []
    when = {
        JokerPlay.ANY: "at any time, even by a hand that could follow suit",
        JokerPlay.VOID_ONLY: "only by a hand that cannot follow suit",
    }[jokers.play]
    hearts = "" if rules.play.heart_lead is HeartLead.FREE else " (hearts only once they are broken)"
    lead = {
        JokerLead.NEVER: "It may be led only from a hand of jokers; the next card of a suit then sets the suit.",
        JokerLead.CALL: f"It may be led; the leader then calls the suit to be followed{hearts}.",
        JokerLead.NEXT_CARD: "It may be led; the next card of a suit then sets the suit.",
    }[jokers.lead]
    alone = "in which nobody plays the called suit" if jokers.lead is JokerLead.CALL else "of jokers alone"
    return [
        f"A joker without a suit may be played to a trick {when}. {lead}",
        f"Such a joker never wins: a trick {alone} goes to its leader.",
    ]


def _identical(rules: Rules, deck: Deck) -> list[str]:
    if not any(deck.copies[card] > 1 for card in deck.kinds if card != JOKER):
        return []
    trick = rules.trick
    if trick.duplicates is Duplicates.CANCEL:
        lines = [f"Identical cards in the same trick cancel each other and cannot win{_exceptions(rules)}."]
        return [*lines, *_dead_tricks(rules)]
    return [f"Of two identical highest cards the {trick.duplicates} one played wins{_exceptions(rules)}."]


def _exceptions(rules: Rules) -> str:
    verb = "can" if rules.trick.duplicates is Duplicates.CANCEL else "does"
    said = [f"of two {_twins(pattern)} the {rule} one {verb}" for pattern, rule in rules.trick.exceptions]
    return f"; but {listing(said)}" if said else ""


def _twins(pattern: str) -> str:
    single = pattern not in SUITS and pattern not in RANK_WORDS
    return cards_words(pattern) if single else f"identical {kind_words(pattern)}"


def _dead_tricks(rules: Rules) -> list[str]:
    trick = rules.trick
    pairs = trick.dead_trick is DeadTrick.TWO_PAIRS
    also = ", and so is one in which two pairs of any suits cancelled" if pairs else ""
    last = {
        DeadLastTrick.LEADER: "its leader takes it",
        DeadLastTrick.SECOND_OF_TOP_PAIR: (
            "whoever played the second card of its highest cancelled pair of the suit led takes it (without such a "
            "pair its leader)"
        ),
    }[trick.dead_last_trick]
    kitty = rules.deck.remainder is Remainder.KITTY and rules.deck.kitty_award is not KittyAward.OUT_OF_PLAY
    also_kitty = " (and the kitty that goes with it)" if kitty else ""
    return [
        f"A trick without an uncancelled card of the suit led is dead{also}. Its cards stay on the table, the same "
        f"player leads again, and the winner of the next trick takes them along{also_kitty}.",
        f"If the last trick is dead, {last}, with all that stayed on the table.",
    ]


def _extension(rules: Rules) -> list[str]:
    trick = rules.trick
    if trick.extend_rank is None:
        return []
    led = " of the suit led" if trick.extend_when is ExtendWhen.LED_SUIT else ""
    rank = RANK_WORDS[trick.extend_rank]
    article = "An" if rank[0] in "ae" else "A"
    return [
        f"{article} {rank}{led} extends its trick: once all have played, everybody plays one more card to it, in the "
        f"same order. That happens once a trick at most, and not when no cards are left. Such a trick counts as one."
    ]
