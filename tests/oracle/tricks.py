"""What a careful onlooker would say of play: which cards may be played, what breaks hearts, who takes a trick."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from hearts_env.ruleset.model import Rules
from tests.oracle.rules import JOKER, height_in, is_penalty, named_by, oracle_opener, suit

BY_THE_PACK = "by the pack"
"""In place of an opening card: the one that the pack as a whole makes it."""


def led_suit(trick: Sequence[str], called: str | None = None) -> str | None:
    """The suit to follow: the one called, or that of the first card that has one; None as long as there is none."""
    return called or next((suit(card) for card in trick if card != JOKER), None)


def oracle_legal(
    rules: Rules,
    hand: Sequence[str],
    trick: Sequence[str],
    first_trick: bool,
    broken: bool,
    *,
    called: str | None = None,
    exposed: Sequence[str] = (),
    led_before: Collection[str] = (),
    opener: str | None = BY_THE_PACK,
) -> list[str]:
    """The cards of a hand that may be played now, each kind once.

    Args:
        rules: the rules.
        hand: the cards held.
        trick: the cards on the table.
        first_trick: whether this is the first trick of the deal.
        broken: whether hearts are broken.
        called: the suit that the leader of a joker called.
        exposed: the cards shown before play.
        led_before: the suits led in earlier tricks.
        opener: the card that opens; None if the first lead is free.
    """
    led = led_suit(trick, called)
    if opener == BY_THE_PACK:
        opener = oracle_opener(rules)
    if first_trick and rules.opening.card == "both" and opener in hand:
        cards = [card for card in hand if card == opener]
    elif trick:
        if not broken and all(suit(card) != led for card in hand):
            hand = _without_locked(rules, list(hand))
        cards = _follow(rules, hand, led) if led else list(hand)
        cards = cards if broken else _without_locked(rules, cards)
    elif first_trick and opener:
        cards = _opening_lead(rules, hand, broken, opener)
    else:
        cards = _lead(rules, hand, broken)
    if rules.exposing.lock:
        locked = [card for card in exposed if suit(card) not in led_before and _has_another(hand, card)]
        cards = _unless_nothing_is_left(cards, [card for card in locked if led in {None, suit(card)}])
    if rules.exposing.lead_lock and not trick:
        cards = _unless_nothing_is_left(cards, [card for card in exposed if suit(card) not in led_before])
    if first_trick:
        allowed = [card for card in cards if card not in _banned(rules, cards, trick, led)]
        if not allowed and trick and led and all(suit(card) != led for card in hand):
            # a forced discard that is banned is not forced
            allowed = [card for card in hand if card not in _banned(rules, hand, trick, led)]
        cards = allowed or cards
    return list(dict.fromkeys(cards))


def _unless_nothing_is_left(cards: list[str], unwanted: Sequence[str]) -> list[str]:
    return [card for card in cards if card not in unwanted] or cards


def _without_locked(rules: Rules, cards: list[str], leads: bool = False) -> list[str]:
    return _unless_nothing_is_left(cards, [card for card in cards if _is_locked(rules, card, leads)])


def _is_locked(rules: Rules, card: str, leads: bool) -> bool:
    return any(named_by([pattern], card) and (leads or barred == "play") for pattern, barred in rules.play.locked)


def _has_another(hand: Sequence[str], exposed: str) -> bool:
    return any(suit(card) == suit(exposed) and card != exposed for card in hand)


def _banned(rules: Rules, cards: Sequence[str], trick: Sequence[str], led: str | None) -> list[str]:
    banned = [card for card in cards if named_by(rules.play.first_trick_forbidden, card)]
    if rules.play.first_trick_scope == "any_play":
        return banned
    if not trick or led is None:
        return []
    return [card for card in banned if suit(card) != led]


def _follow(rules: Rules, hand: Sequence[str], led: str) -> list[str]:
    following = [card for card in hand if suit(card) == led]
    if following and rules.jokers.play == "any":
        return following + [card for card in hand if card == JOKER]
    if following:
        return following
    forced = [card for card in hand if named_by(rules.play.forced_discard, card)]
    return forced or list(hand)


def _opening_lead(rules: Rules, hand: Sequence[str], broken: bool, opener: str) -> list[str]:
    if rules.opening.card == "forced" and opener in hand:
        return [opener]
    if rules.opening.card == "any_of_suit":
        of_suit = [card for card in hand if suit(card) == suit(opener)]
        if of_suit:
            return _without_locked(rules, of_suit, leads=True)
    return _lead(rules, hand, broken)


def _lead(rules: Rules, hand: Sequence[str], broken: bool) -> list[str]:
    cards = list(hand)
    if rules.jokers.lead == "never":
        cards = _unless_nothing_is_left(cards, [JOKER])
    locked = [] if broken else [card for card in cards if _is_locked(rules, card, leads=True)]
    unlocked = _unless_nothing_is_left(cards, locked)
    if rules.play.heart_lead == "free" or (broken and rules.play.heart_lead == "broken"):
        return unlocked
    others = [card for card in unlocked if suit(card) != "H" and card not in locked]
    only_penalties = all(is_penalty(rules, card) for card in others)
    if others and rules.play.lead_exception == "hearts_plus_penalty" and only_penalties:
        return unlocked
    return others or cards


def breaks_hearts(rules: Rules, card: str, led: str | None) -> bool:
    """Whether hearts may be led once this card has gone to a trick with this led suit (None: only jokers so far)."""
    if rules.play.break_by == "qs":
        return card == "QS" and not (rules.play.break_event == "discarded" and led in {None, "S"})
    if suit(card) == "H" and led == "H":
        # A heart was led: hearts are broken, be it that they were before or that the hand had to.
        return True
    breaker = suit(card) == "H"
    if rules.play.break_by == "hearts_or_qs" and card == "QS":
        breaker = True
    if rules.play.break_by == "any_penalty" and is_penalty(rules, card):
        breaker = True
    if rules.play.break_event == "discarded" and led in {None, suit(card)}:
        # Nothing is thrown off suit as long as there is none, as after a joker that was led.
        return False
    return breaker


# Who takes a trick


def which_copy(rules: Rules, card: str) -> str:
    """Which of several copies of a card wins: first, last, or cancel for none of them."""
    answer = str(rules.trick.duplicates)
    for pattern, rule in rules.trick.exceptions:
        if named_by([pattern], card):
            answer = str(rule)
    return answer


def cancelled_kinds(rules: Rules, cards: Sequence[str]) -> set[str]:
    """The cards that are there more than once and so cannot win."""
    twice = {card for card in cards if card != JOKER and list(cards).count(card) > 1}
    return {card for card in twice if which_copy(rules, card) == "cancel"}


def oracle_winner(rules: Rules, cards: Sequence[str], called: str | None = None) -> int | None:
    """The place in play order of the card that takes a trick, None if nobody does.

    A trick to which nobody played the led suit, be it called or not there at all, is its leader's.
    """
    led, cancelled = led_suit(cards, called), cancelled_kinds(rules, cards)
    if rules.trick.dead_trick == "two_pairs" and len(cancelled) > 1:
        return None
    following = [card for card in cards if card != JOKER and suit(card) == led]
    if not following:
        return 0
    live = [card for card in following if card not in cancelled]
    if not live:
        return None
    best = max(live, key=lambda card: height_in(rules, card))
    places = [place for place, card in enumerate(cards) if card == best]
    return places[0] if which_copy(rules, best) == "first" else places[-1]


def takes_dead_last_trick(rules: Rules, cards: Sequence[str], called: str | None = None) -> int:
    """The place in play order of who takes a last trick that nobody won."""
    led = led_suit(cards, called)
    pairs = [card for card in cancelled_kinds(rules, cards) if suit(card) == led]
    if rules.trick.dead_last_trick == "leader" or not pairs:
        return 0
    top = max(pairs, key=lambda card: height_in(rules, card))
    return [place for place, card in enumerate(cards) if card == top][1]


def extends_trick(rules: Rules, cards: Sequence[str], called: str | None = None) -> bool:
    """Whether the first round of a trick calls for a second one, if there are cards for it."""
    wanted = [card for card in cards if card != JOKER and card[:-1] == rules.trick.extend_rank]
    if rules.trick.extend_when == "led_suit":
        wanted = [card for card in wanted if suit(card) == led_suit(cards, called)]
    return bool(wanted)
