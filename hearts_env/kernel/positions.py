"""Records that a caller has filled in: deals set by hand, and taken cards to be scored."""

from __future__ import annotations

from hearts_env.kernel.before_play import after_pass, begin
from hearts_env.kernel.bits import lowest, popcount
from hearts_env.kernel.choices import score_taken
from hearts_env.kernel.dealing import RANDOM, clear_deal, clear_match, draw_entry
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import NOBODY, Mask, State, Tables
from hearts_env.kernel.steps import OVER, PLAY, is_over


@jit
def set_position(s: State, t: Tables, seed: Mask, dealer: int, deal_number: int, passing: bool, leader: int) -> None:
    """Go to the first decision of a deal whose hands, kitty and totals the caller has filled in; `leader` -1 follows
    the rules.
    """
    s.seed = seed
    s.deal_number = deal_number
    clear_match(s, t)
    set_deal(s, t, dealer, passing, leader)


@jit
def set_deal(s: State, t: Tables, dealer: int, passing: bool, leader: int) -> None:
    """As `set_position`, in a match that goes on: what it remembers of earlier deals stays."""
    s.dealer = dealer
    clear_deal(s, t)
    if passing:
        begin(s, t, draw_entry(s, t))
        return
    set_hold(s, t)
    s.named_leader = leader
    after_pass(s, t)


@jit
def set_hold(s: State, t: Tables) -> None:
    """Write that the deal is a hold where its number makes it one; of other passes a position knows nothing."""
    s.pass_entry, s.pass_option = 0, NOBODY
    if t.passing_schedule == RANDOM and t.entries > 1:  # passing.schedule: the seed of a position draws no pass
        return
    entry = draw_entry(s, t)
    option = lowest(t.entry_options[entry])
    if popcount(t.entry_options[entry]) == 1 and t.option_len[option] == 0:  # passing.cycle: this deal is a hold
        s.pass_entry, s.pass_option = entry, option


@jit
def score_position(s: State, t: Tables, choice: int) -> bool:
    """Score a record as `score_taken` does; `phase` becomes OVER if the match ends, PLAY otherwise."""
    if not score_taken(s, t, choice):
        return False
    s.phase = OVER if is_over(s, t) else PLAY
    return True
