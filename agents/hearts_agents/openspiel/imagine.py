"""A deal as one seat might imagine it: what it knows is as it is, every hidden card lies where it may lie."""

from __future__ import annotations

from random import Random

from hearts_agents.openspiel.convert import DIRECTIONS, Deal
from hearts_env.play.view import View

_OPENER = "2C"
_PASSED = 3


def imagine(view: View, rng: Random) -> Deal:
    """A random deal that agrees with a view of a game of OpenSpiel's rules, turned so that its seat is seat 0.

    Seat 0 is the first to pass, so it passes before anybody else has: OpenSpiel's own resampling goes wrong where a
    card is on its way to a seat that has not passed yet, and by the rules no seat is different from the others.

    It agrees in hand sizes, the suits that seats have shown to lack, the cards the seat passed and received, and who
    holds the two of clubs; it is not drawn evenly from all such deals.
    """
    direction = view.direction or "hold"
    hands = _imagine_hands(view, rng)
    if direction == "hold":
        picks: list[list[str]] = [[], [], [], []]
    elif view.phase == "pass":
        picks = [view.passed if seat == view.seat else [] for seat in range(4)]
    else:
        picks = _undo_exchange(view, DIRECTIONS.index(direction), hands, rng)
    actions = [card for cards in _turned(view, picks) for card in cards] + [card for _, card in view.played]
    return Deal(direction, _turned(view, hands), actions)


def _turned(view: View, by_seat: list[list[str]]) -> list[list[str]]:
    return by_seat[view.seat :] + by_seat[: view.seat]


def _imagine_hands(view: View, rng: Random) -> list[list[str]]:
    """The thirteen cards of every seat: as dealt during the pass, after the exchange later."""
    hands: list[list[str]] = [[], [], [], []]
    for seat, card in view.played:
        hands[seat].append(card)
    hands[view.seat] += view.hand
    if view.phase == "pass":
        hands[view.seat] += view.passed
    elif view.passed:
        receiver = (view.seat + DIRECTIONS.index(str(view.direction))) % 4
        hands[receiver] += [card for card in view.passed if card not in hands[receiver]]
    known = {card for hand in hands for card in hand}
    hidden = [card for card in view.game.deck.cards if card not in known]
    rng.shuffle(hidden)
    slots = [seat for seat in range(4) for _ in range(13 - len(hands[seat]))]
    rng.shuffle(slots)
    for card, slot in zip(hidden, _seat_cards(view, hidden, slots), strict=True):
        hands[slots[slot]].append(card)
    return hands


def _seat_cards(view: View, cards: list[str], slots: list[int]) -> list[int]:
    """A slot for every card, such that no seat gets a card it cannot hold: a matching by augmenting paths."""
    owner: dict[int, int] = {}  # slot -> place of its card

    def settle(place: int, tried: set[int]) -> bool:
        for slot, seat in enumerate(slots):
            if slot in tried or not _may_hold(view, seat, cards[place]):
                continue
            tried.add(slot)
            if slot not in owner or settle(owner[slot], tried):
                owner[slot] = place
                return True
        return False

    for place in range(len(cards)):
        if not settle(place, set()):
            raise ValueError(f"no deal agrees with the view of seat {view.seat}")
    return sorted(owner, key=lambda slot: owner[slot])


def _may_hold(view: View, seat: int, card: str) -> bool:
    if card == _OPENER and view.phase == "play":  # if it may lead another club, it may hold this one for long
        return seat == (view.played[0][0] if view.played else int(view.record["leader"]))
    return card[-1] not in view.voids[seat]


def _undo_exchange(view: View, distance: int, hands: list[list[str]], rng: Random) -> list[list[str]]:
    """What each seat passed; the hands become those that were dealt."""
    picks = []
    for seat in range(4):
        receiver = (seat + distance) % 4
        if seat == view.seat:
            picks.append(view.passed)
        else:
            picks.append(view.received if receiver == view.seat else rng.sample(hands[receiver], _PASSED))
    for seat, cards in enumerate(picks):
        arrived = picks[(seat - distance) % 4]
        hands[seat][:] = [card for card in hands[seat] if card not in arrived] + cards
    return picks
