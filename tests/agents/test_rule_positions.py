"""Positions in which the rule agent was wrong once."""

from hearts_agents import make_agent
from hearts_env import Match

PASSED_A_JOKER_OF_FOUR = """\
hearts-match 1
rules black_lady(players=6, deck.ranks=[7,8,9,T,J,Q,K,A], deck.remainder=jokers, play.first_trick_forbidden=[QS])
seed 12416876845985778775

deal 3, dealer 3, set before the pass
totals before 0 0 0 0 0 0
seat 0 holds JD 9H TH AH TS JS
seat 1 holds AC QD QS KS AS JK
seat 2 holds QC KC JH QH 7S JK
seat 3 holds 7C 8C 8D 8H KH JK
seat 4 holds 9C TC 7D TD 7H JK
seat 5 holds JC 9D KD AD 8S 9S
passing +2
seat 0 passes JD JS TS
seat 1 passes JK QD AS
seat 2 passes KC QC QH
seat 3 passes 8D KH 8H
seat 4 passes 7H TD 7D
seat 5 passes JC 9S 8S
trick 1: seat 3 leads 7C TC KH TD JC JH; seat 1 takes it
trick 2: seat 1 leads AC JD 8C KC 8H 7D; seat 1 takes it
trick 3: seat 1 leads KS JS JK QH AD TH; seat 1 takes it
trick 4: seat 1 leads QS TS JK QC 9D 9H; seat 1 takes it

end: unfinished, seat 1 to decide, phase play
"""


def test_a_copy_of_a_passed_card_that_its_receiver_has_played_is_not_expected_there() -> None:
    match = Match.replay(PASSED_A_JOKER_OF_FOUR)
    view = match.view(1)
    assert make_agent("rule").act(view) in view.legal_ids()
