"""The course of a match: deal, pass, expose and pledge, play, score, and on to the next deal."""

from __future__ import annotations

from hearts_env.kernel.before_play import begin, choose_pass, expose, pick, pledge, refuse
from hearts_env.kernel.bits import INT64, below, bit, clear_bytes, nth, popcount
from hearts_env.kernel.choices import best_choice, moon_choices
from hearts_env.kernel.dealing import (
    clear_deal,
    clear_match,
    draw_entry,
    draw_first_deal,
    first_dealer,
    next_seat,
    shuffle,
)
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import legal
from hearts_env.kernel.moon import BOTH, OTHERS, SELF, find_shooter
from hearts_env.kernel.ranking import ends, is_due, lose_lives, may_extend, shooter_is_behind
from hearts_env.kernel.records import DRAWN, JOKER_SUIT, NOBODY, UNSET, Mask, Phase, Scoring, State, Tables
from hearts_env.kernel.scoring import score, sign_seat, tally
from hearts_env.kernel.taking import take_kitty, take_trick
from hearts_env.kernel.totals import add_to_totals, apply_exact_hit, exact_hit, taker
from hearts_env.kernel.tricks import add_card, remove_card
from hearts_env.ruleset.enums import BreakEvent, ExtendWhen, JokerLead, JokerPlay, MoonPolicy, MoonSign, OpeningCard

DIRECTION, REFUSE, PASS, EXPOSE, PLEDGE, PLAY, SUIT, MOON, SIGN, EXACT, OVER = (phase.value for phase in Phase)
IDLE, PLAYED_OUT, MOON_CHOSEN, HIT_DECIDED = (stage.value for stage in Scoring)
FORCED = OpeningCard.FORCED.code
DISCARDED = BreakEvent.DISCARDED.code
CALL, VOID_ONLY = JokerLead.CALL.code, JokerPlay.VOID_ONLY.code
LED_SUIT = ExtendWhen.LED_SUIT.code
CHOSEN = MoonSign.CHOSEN.code
AUTO_BEST = MoonPolicy.AUTO_BEST.code


@jit
def start_match(s: State, t: Tables, seed: Mask, first_deal: int, deals: int) -> None:
    """Reset a record to the start of an episode of the match that `seed` fixes, with the totals of a new match.

    It begins with deal `first_deal` (DRAWN: see `draw_first_deal`) and ends after `deals` deals (0: with the match).
    """
    clear_bytes(s)  # of another match, or of another game with more seats and cards
    s.seed = seed
    s.deal_number = draw_first_deal(s, t, deals) if first_deal == DRAWN else first_deal
    s.deal_limit = s.deal_number + deals if deals else 0
    s.dealer = first_dealer(s, t)
    clear_match(s, t)
    for seat in range(INT64(t.seats)):
        s.totals[seat, 0] = t.score_chips  # score.chips: the chips at the start are the totals
        s.totals[seat, 1] = 0
    start_deal(s, t)


@jit
def start_deal(s: State, t: Tables) -> None:
    """Shuffle, deal and go to the first decision of deal `deal_number`."""
    shuffle(s, t)
    clear_deal(s, t)
    begin(s, t, draw_entry(s, t))


@jit
def play(s: State, t: Tables, kind: int) -> None:
    """Play a card from the seat to act."""
    # What is read often stands in locals: the compiler cannot know that no store below changes it.
    seat, length, led = INT64(s.seat), INT64(s.trick_len), INT64(s.led_suit)
    suit = INT64(t.suit_of[kind])
    remove_card(s.hands, seat, kind)
    add_card(s.played, 0, kind)
    add_card(s.played_by, seat, kind)
    s.history[s.plies] = kind
    s.history_seat[s.plies] = seat
    s.plies += 1
    if length == 0:
        led = suit
        s.led_suit = suit
        s.trick_goal = t.seats
    elif suit != led:
        if led == JOKER_SUIT:
            led = suit
            s.led_suit = suit
        elif suit != JOKER_SUIT or t.jokers_play == VOID_ONLY:  # jokers.play: void_only: a joker shows a void
            s.voids[seat] |= 1 << led
    card = bit(kind)
    # play.break_by, play.break_event: such a card breaks hearts whenever it is played, or only as a discard
    if t.play_break_by & card and (t.play_break_event != DISCARDED or suit != led or t.hearts & card):
        s.broken = 1
    s.trick[length] = kind
    s.trick_len = length + 1
    # jokers.lead: call: the leader calls the suit to follow
    if suit == JOKER_SUIT and length == 0 and t.jokers_lead == CALL:
        s.phase = SUIT
    else:
        next_play(s, t)


@jit
def call_suit(s: State, t: Tables, suit: int) -> None:
    """Call the suit to follow to the joker that was led."""
    s.led_suit = suit
    s.calls |= suit << (2 * s.called)
    s.called += 1
    s.phase = PLAY
    next_play(s, t)


@jit
def next_play(s: State, t: Tables) -> None:
    """Go to the next card of the trick, or end it."""
    if s.trick_len < s.trick_goal:
        s.seat = next_seat(t, s.seat)
        return
    # trick.extend_rank: a card of this rank extends the trick: everybody plays one more card to it, once
    if t.trick_extend_rank and extends(s, t):
        s.trick_goal = 2 * t.seats
        s.seat = next_seat(t, s.seat)
        return
    take_trick(s, t)
    s.seat = s.leader
    if s.plies == t.seats * t.hand_size:
        s.scoring = PLAYED_OUT


@jit
def extends(s: State, t: Tables) -> bool:
    """True if everybody plays one more card to the trick."""
    if s.trick_goal > t.seats or s.plies == t.seats * t.hand_size:
        return False
    cards = t.trick_extend_rank
    if t.trick_extend_when == LED_SUIT:  # trick.extend_when: led_suit: only the card of the suit led
        cards &= t.suit_mask[s.led_suit]
    for place in range(s.trick_len):
        if cards & bit(s.trick[place]):
            return True
    return False


@jit
def end_deal(s: State, t: Tables) -> None:
    """Score a deal that is played out, after the shooter's decision where it has a choice."""
    if t.kitty_size:
        take_kitty(s, t)
        tally(s, t)
    s.shooter = find_shooter(s, t)
    if s.shooter < 0:
        settle(s, t, INT64(OTHERS))
        return
    s.moon_choice = NOBODY
    s.passer = passer_to(s, t)
    choices = moon_choices(s, t)
    # moon.policy: ask the shooter, or take the better choice
    if choices == BOTH and t.moon_policy != AUTO_BEST:
        tally(s, t)
        s.moon_choices = choices
        s.phase = MOON
        s.seat = s.shooter
    else:
        settle_moon(s, t, best_choice(s, t, choices))


@jit
def settle_moon(s: State, t: Tables, choice: int) -> None:
    """Score a deal in which the moon was shot, after the shooter's decisions on the signs that it may choose."""
    # moon.sign: chosen: the shooter chooses the sign for each opponent, in the order of their turn
    if t.moon_sign == CHOSEN and t.moon_policy != AUTO_BEST and choice == OTHERS and sign_seat(s, t) >= 0:
        tally(s, t)
        s.moon_choice = choice
        s.phase = SIGN
        s.seat = s.shooter
    else:
        settle(s, t, choice)


@jit
def choose_sign(s: State, t: Tables, answer: int) -> None:
    """Set the sign of the award for the next opponent."""
    s.signs[sign_seat(s, t)] = 1 - 2 * answer
    if sign_seat(s, t) < 0:
        s.scoring = MOON_CHOSEN


@jit
def passer_to(s: State, t: Tables) -> int:
    """The seat that passed to the shooter and may be punished for it, or -1."""
    # moon.punish: the seat that passed to the shooter of the sun
    if t.moon_punish == UNSET or s.pass_option < 0 or t.option_len[s.pass_option] == 0:
        return NOBODY
    seat = s.shooter - t.option_moves[s.pass_option, 0, 0]
    return seat if seat >= 0 else seat + t.seats


@jit
def settle(s: State, t: Tables, choice: int) -> None:
    """Score the deal with the moon settled by `choice`, then look for exact hits."""
    score(s, t, choice)
    for seat in range(INT64(t.seats)):
        s.scored[seat, 0] = s.points[seat, 0]
        s.scored[seat, 1] = s.points[seat, 1]
    add_to_totals(s, t)
    next_hit(s, t, INT64(0))


@jit
def next_hit(s: State, t: Tables, first_seat: int) -> None:
    """Apply exact hits from `first_seat` on, stopping at a seat that may decline."""
    for seat in range(first_seat, t.seats if t.exact_hits else 0):
        # end.exact_optional: the seat may decline the change
        if t.end_exact_optional and exact_hit(s, t, seat) >= 0:
            s.phase = EXACT
            s.seat = seat
            return
        apply_exact_hit(s, t, seat)
    conclude(s, t)


@jit
def conclude(s: State, t: Tables) -> None:
    """End the match, or deal again."""
    # table.dealer_next: whoever took this card deals next
    owner = taker(s, t, t.table_dealer_next)
    s.next_dealer = owner if owner >= 0 else next_seat(t, s.dealer)
    s.finished = is_over(s, t)
    if s.finished or s.deal_number + 1 == s.deal_limit:
        s.phase = OVER
        s.seat = NOBODY
    else:
        next_deal(s, t)


@jit
def next_deal(s: State, t: Tables) -> None:
    """Deal again after a deal that did not finish the match."""
    s.next_leader = taker(s, t, t.opening_taker)
    s.dealer = s.next_dealer
    s.deal_number += 1
    start_deal(s, t)


@jit
def is_over(s: State, t: Tables) -> bool:
    """True if the match ends after a deal that has been added to the totals; records what prolongs it."""
    lose_lives(s, t)
    if not ends(s, t):
        s.tie_pending = is_due(s, t)
        return False
    if s.shooter >= 0 and may_extend(s, t):
        s.moon_extension = shooter_is_behind(s, t)
        if s.moon_extension:
            s.tie_pending = 0
            return False
    return True


@jit
def step(s: State, t: Tables, action: int) -> None:
    """Take one legal action (the caller has checked it)."""
    phase = s.phase
    if phase == PLAY:
        play(s, t, action)
    elif phase == PASS:
        pick(s, t, action)
    else:
        decide(s, t, action)
    # Playing a card does not call the scoring, or every function on the way down would be compiled together with it.
    if s.scoring != IDLE:
        go_on_scoring(s, t)


@jit
def go_on_scoring(s: State, t: Tables) -> None:
    """Go on with the scoring of a deal from where the last action left it."""
    stage = s.scoring
    s.scoring = IDLE
    if stage == PLAYED_OUT:
        end_deal(s, t)
    elif stage == MOON_CHOSEN:
        settle_moon(s, t, INT64(s.moon_choice))
    else:
        next_hit(s, t, INT64(s.seat) + 1)


@jit
def decide(s: State, t: Tables, action: int) -> None:
    """Take one legal special action."""
    phase = s.phase
    if phase == EXPOSE:
        expose(s, t, action - t.expose_action)
    elif phase == PLEDGE:
        pledge(s, t, action - t.pledge_action)
    elif phase == SUIT:
        call_suit(s, t, action - t.suit_action)
    elif phase == MOON:
        s.moon_choice = SELF if action == t.moon_action + SELF else OTHERS
        s.scoring = MOON_CHOSEN
    elif phase == SIGN:
        choose_sign(s, t, INT64(action - t.sign_action))
    elif phase == REFUSE:
        refuse(s, t, action - t.refuse_action)
    elif phase == EXACT:
        if action == t.exact_action:
            apply_exact_hit(s, t, INT64(s.seat))
        s.scoring = HIT_DECIDED
    else:
        choose_pass(s, t, action - t.direction_action)


@jit
def random_action(s: State, t: Tables, word: Mask) -> int:
    """A uniformly random legal action from a random word."""
    return random_of(s, t, legal(s, t), word)


@jit
def random_of(s: State, t: Tables, left: Mask, word: Mask) -> int:
    """One of the legal actions of a state, which `legal` returned, from a random word."""
    kind = nth(left, below(word, popcount(left)))
    return kind if s.phase == PLAY or s.phase == PASS else kind + t.kinds
