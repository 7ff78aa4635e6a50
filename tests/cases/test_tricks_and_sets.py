"""Points for tricks and sets, the fields that Hearts shares with Reversis, Slobberhannes, Polignac and Knaves."""

import pytest

import hearts_env as he

SLOBBERHANNES = (
    "black_lady(ranks=[7,8,9,T,J,Q,K,A], card_values={QC:1}, score.tricks={first:1,last:1}, "
    "score.sets={first+last+QC:1}, moon.mode=none, first_trick_forbidden=[], heart_lead=free, cycle=[hold], target=10)"
)


def test_slobberhannes_charges_the_first_trick_the_last_and_the_queen_of_clubs() -> None:
    taken = [["QC"], ["7H"], [], []]
    scored = he.score_deal(SLOBBERHANNES, taken, tricks_won=[5, 1, 2, 0], first_trick=1, last_trick=2)
    assert scored.points == (1, 1, 1, 0)


def test_slobberhannes_charges_one_more_for_all_three() -> None:
    scored = he.score_deal(SLOBBERHANNES, [["QC"], [], [], []], tricks_won=[8, 0, 0, 0], first_trick=0, last_trick=0)
    assert scored.points == (4, 0, 0, 0)


def test_who_won_the_first_trick_must_be_said_where_it_scores() -> None:
    with pytest.raises(ValueError, match="scores the first trick; name the seat that won it as first_trick"):
        he.score_deal(SLOBBERHANNES, [["QC"], [], [], []])
