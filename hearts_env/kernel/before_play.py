"""The phases before the first trick: the dealer's choice, the pass, refusals, exposures, pledges, the opening lead."""

from __future__ import annotations

from hearts_env.kernel.bits import INT64, bit, lowest, popcount
from hearts_env.kernel.dealing import exchange, hand_back, next_seat, offer_cards, opening_seat
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import FORCED
from hearts_env.kernel.records import NOBODY, Phase, State, Tables
from hearts_env.kernel.tricks import remove_card
from hearts_env.ruleset.enums import Rounds

ONCE, OTHERS, BLIND = Rounds.ONCE.code, Rounds.OTHERS.code, Rounds.ONCE_BLIND.code
DIRECTION, REFUSE, PASS = Phase.DIRECTION.value, Phase.REFUSE.value, Phase.PASS.value
EXPOSE, PLEDGE, PLAY = Phase.EXPOSE.value, Phase.PLEDGE.value, Phase.PLAY.value


@jit
def begin(s: State, t: Tables, entry: int) -> None:
    """Go to the first decision of a deal: the dealer's call, the first pick or what follows the pass."""
    options = t.entry_options[entry]
    s.pass_entry = entry
    if popcount(options) > 1:
        s.pass_option = NOBODY
        s.phase = DIRECTION
        s.seat = s.dealer
    else:
        choose_pass(s, t, lowest(options))


@jit
def choose_pass(s: State, t: Tables, option: int) -> None:
    """Settle how the deal is passed."""
    s.pass_option = option
    if t.option_cards[option]:
        s.phase = PASS
        s.seat = 0
    else:
        after_pass(s, t)


@jit
def pick(s: State, t: Tables, kind: int) -> None:
    """Put one more card aside to pass; once every seat has, exchange them all."""
    seat = s.seat
    remove_card(s.hands, seat, kind)
    s.picks[seat, s.picked] = kind
    s.picked += 1
    if s.picked == t.option_cards[s.pass_option]:
        s.picked = 0
        if s.refuser >= 0:
            s.handed_back[seat] &= ~bit(kind)
            ask_refusal(s, t, INT64(s.refuser) + (s.offered[s.refuser] == 0))
            return
        s.seat += 1
        if s.seat < t.seats:
            return
        if t.refusals:  # passing.refusable: every seat decides, so that whose turn it is reveals nothing
            offer_cards(s, t)
            ask_refusal(s, t, INT64(0))
        else:
            exchange(s, t)
            after_pass(s, t)


@jit
def ask_refusal(s: State, t: Tables, seat: int) -> None:
    """Let a seat accept or refuse a card; after the last one, exchange the cards."""
    if seat < t.seats:
        s.phase = REFUSE
        s.refuser = seat
        s.seat = seat
        return
    s.refuser = NOBODY
    for other in range(INT64(t.seats)):
        s.offered[other] = 0
    exchange(s, t)
    after_pass(s, t)


@jit
def refuse(s: State, t: Tables, answer: int) -> None:
    """Refuse an offered card, for which the passer has to pick another, or accept them all."""
    if answer == t.refusals:
        ask_refusal(s, t, INT64(s.seat) + 1)
        return
    card = t.refuse_card[answer]
    giver = hand_back(s, t, INT64(s.seat), card)
    s.offered[s.seat] &= ~card
    for lane in range(INT64(t.option_cards[s.pass_option]) - 1):  # of two packs, another one may have been passed
        s.offered[s.seat] |= bit(s.picks[giver, lane]) & card
    s.phase = PASS
    s.seat = giver
    s.picked = t.option_cards[s.pass_option] - 1


@jit
def after_pass(s: State, t: Tables) -> None:
    """Go to the exposures, the pledges or the opening lead."""
    s.seat = 0
    if t.exposures:
        s.phase = EXPOSE
        if t.exposing_rounds % BLIND != ONCE:
            s.seat = s.dealer
    else:
        after_exposures(s, t)


@jit
def after_exposures(s: State, t: Tables) -> None:
    """Go to the pledges or the opening lead."""
    s.seat = 0
    if t.score_pledge:
        s.phase = PLEDGE
    else:
        open_play(s, t)


@jit
def expose(s: State, t: Tables, answer: int) -> None:
    """Show a card, or finish showing cards."""
    # exposing.rounds: once: each seat has a turn; others, all: a card shown gives the others, or all, another one
    rounds = t.exposing_rounds % BLIND
    if answer < t.exposures:
        s.exposed |= t.expose_card[answer]
        s.shown[s.seat] |= t.expose_card[answer]
        s.raised |= t.expose_raises[answer]
        s.declined = 0 if rounds == ONCE else NOBODY
        return
    if rounds == ONCE:
        s.seat += 1
        done = s.seat == t.seats
    else:
        s.declined = s.declined + 1 if s.declined >= 0 else INT64(rounds == OTHERS)
        s.seat = next_seat(t, s.seat)
        done = s.declined == t.seats
    if done:
        s.declined = 0
        after_exposures(s, t)


@jit
def pledge(s: State, t: Tables, answer: int) -> None:
    """Pledge to take no heart, or decline to."""
    s.pledges[s.seat] = 1 - answer
    s.seat += 1
    if s.seat == t.seats:
        open_play(s, t)


@jit
def open_play(s: State, t: Tables) -> None:
    """Go to the opening lead."""
    s.phase = PLAY
    s.leader = opening_seat(s, t)
    # opening.taker: whoever took this card in the deal before leads, any card
    if s.next_leader >= 0:
        s.free_lead = 1
        s.leader = s.next_leader
    elif s.named_leader >= 0:
        # another seat has the card that must open
        s.free_lead = t.opening_card == FORCED and s.named_leader != s.leader
        s.leader = s.named_leader
    s.seat = s.leader
