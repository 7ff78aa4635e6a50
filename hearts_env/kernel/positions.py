"""Records that a caller has filled in: deals set by hand, and taken cards to be scored."""

from __future__ import annotations

from hearts_env.kernel.dealing import clear_deal, clear_match, draw_entry
from hearts_env.kernel.jit import jit
from hearts_env.kernel.moon import BOTH, find_shooter
from hearts_env.kernel.records import NOBODY, Mask, State, Tables
from hearts_env.kernel.scoring import add_to_totals, best_choice, exact_hit, moon_choices, score, tally
from hearts_env.kernel.steps import OVER, PLAY, after_pass, begin, is_over

_NOBODY = NOBODY


@jit
def set_position(s: State, t: Tables, seed: Mask, dealer: int, deal_number: int, passing: bool, leader: int) -> None:
    """Go to the first decision of a deal whose hands, kitty and totals the caller has filled in; `leader` -1 follows
    the rules.
    """
    s.seed = seed
    s.dealer = dealer
    s.deal_number = deal_number
    clear_match(s, t)
    clear_deal(s, t)
    if passing:
        begin(s, t, draw_entry(s, t))
        return
    s.pass_option = _NOBODY
    s.named_leader = leader
    after_pass(s, t)


@jit
def score_position(s: State, t: Tables, choice: int) -> bool:
    """Score a record whose taken cards, tricks won and totals the caller has filled in.

    `choice` settles the moon (-1: the best allowed); a seat takes an exact hit it may decline if that lowers its total.
    `phase` becomes OVER if the match ends. Returns False, with nothing scored, if the choice is not allowed.
    """
    s.shooter = find_shooter(s, t)
    if s.shooter >= 0:
        choices = moon_choices(s, t)
        if choice < 0 or choices > BOTH:
            choice = best_choice(s, t, choices)
        elif not choices >> choice & 1:
            return False
    tally(s, t)
    score(s, t, choice)
    add_to_totals(s, t)
    for seat in range(t.seats):
        hit = exact_hit(s, t, seat)
        if hit >= 0 and not (t.exact_optional and t.exact_change[hit] > 0):
            s.totals[seat, 0] += t.exact_change[hit]
    s.phase = OVER if is_over(s, t) else PLAY
    return True
