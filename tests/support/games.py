"""The games that tests go through: every variant, and rules that no variant puts together."""

from __future__ import annotations

from pathlib import Path
from random import Random

import hearts_env as he

SEATS = [(name, players) for name, variant in he.VARIANTS.items() for players in variant.players]
"""Every variant with every number of players it is for."""
EVERY_TABLE = [f"{name}(players={players})" for name, players in SEATS]
FEW_CARDS = 10
"""A pack no larger than those of the games for research, in which a deal has few decisions, and little is hidden."""
LARGEST = [f"{name}(players={variant.players[-1]})" for name, variant in he.VARIANTS.items()]
"""Every variant at its largest table."""
SHOWN = "exposing.cards={AH:H,QS:QS,JD:JD,TC:TC}"
COVERING = {
    text: set(events.split(", ")) - {""}
    for text, _, events in (
        line.partition(" # ") for line in Path(__file__).with_name("covering.txt").read_text("utf-8").splitlines()
    )
}
"""Games that cover the rules (`tests.support.covering`), and what has to happen in each on skewed deals."""


def match_in(phase: str) -> he.Match:
    """A match of one of `COVERING`, played at random, that has come to a phase."""
    games = [text for text in COVERING if phase in phases_of(text)]
    for seed in range(200):
        match, rng = he.Match(games[seed % len(games)], seed), Random(seed)
        for _ in range(300):
            if match.phase == phase:
                return match
            if match.over:
                break
            match.play(rng.choice(match.legal()))
    raise AssertionError(f"no match came to the phase {phase}")


def phases_of(rules: str) -> set[str]:
    """The phases that a game can come to."""
    actions = he.Match(rules, 0).game.actions
    return {"pass", "play", "over"} | {action.partition(":")[0] for action in actions if ":" in action}


TINY = "ranks=[Q,A], passing.count=1, card_values={H:1,QS:13}"
OPTIONS: dict[str, str] = {
    "black_lady(moon.mode=old, tie=continue)": "shot, played on",
    "black_lady(moon.mode=new)": "shot",
    "black_lady(moon.mode=fixed_self, moon.amount=37)": "shot",
    "black_lady(moon.mode=new_if_old_loses)": "moon:self, moon:others",
    "black_lady(moon.mode=new_if_old_loses, policy=auto_best)": "shot",
    "black_lady(policy=auto_best)": "shot",
    "black_lady(new_moon_min=50)": "shot, moon:self, moon:others",
    "black_lady(new_moon_min=50, new_moon_who=any, policy=auto_best)": "shot",
    "black_lady(moon.mode=old, requires_sun=true)": "shot, no award",
    "black_lady(moon.mode=old, requires_sun=true, sun_skip_first=true)": "shot, no award, all but the first",
    "black_lady(sun_amount=52)": "shot, moon:self, every trick",
    "black_lady(sun_amount=39, sun_skip_first=true)": "shot, moon:self, all but the first",
    "black_lady(moon.cards=[QS,A], moon.amount=15)": "shot",
    "omnibus_hearts(moon.cards=[H,QS,JD])": "shot",
    "omnibus_hearts(bonus_floor_hand=true)": "hand floor, shot",
    "omnibus_hearts(bonus_floor_total=true, moon.mode=new)": "total floor, shot",
    "omnibus_hearts(bonus_floor_hand=true, bonus_floor_total=true, no_tricks=-5)": "hand floor, total floor",
    "black_lady(no_tricks=-5)": "no tricks, shot",
    "black_lady(no_tricks=-5, no_tricks_on_moon=true)": "no tricks, shot",
    "black_lady(exact={50:-50,100:-50})": "exact",
    "black_lady(exact={100:-100,-100:100}, target_cmp=gt)": "exact",
    "omnibus_hearts(exact={50:-50,100:-50}, exact_optional=true)": "exact:yes, exact:no",
    "rickety_kate(big_moon_deals=1, big_moon_effect=fixed100)": "big moon",
    "rickety_kate(big_moon_deals=1, target=none, max_deals=9)": "big moon",
    "black_lady(unpassable=[QS,H,A])": "protected, all protected",
    "black_lady(break_by=hearts_or_qs, break_event=discarded, lead_exception=hearts_plus_penalty)": (
        "heart led by exception"
    ),
    "black_maria(heart_lead=broken, break_by=any_penalty)": "heart led by exception",
    "black_maria(heart_lead=broken, break_by=any_penalty, break_event=discarded)": "heart led by exception",
    "queens(heart_lead=broken, lead_exception=hearts_plus_penalty)": "heart led by exception",
    "omnibus_hearts(first_trick_forbidden=[H,QS,JD,A])": "ban waived",
    "black_lady(heart_lead=free, first_trick_forbidden=[])": "heart led",
    "black_lady(opening.card=any)": "heart led",
    "black_lady(opening.card=any, opening.leader=left_of_dealer)": "ban waived",
    "black_lady(opening.card=any_of_suit, opening.holder=S)": "heart led",
    "black_lady(opening.holder=QS, first_trick_forbidden=[])": "heart led",
    "black_lady(opening.holder=2H, break_event=discarded)": "heart led",
    "black_lady(dealer_next=AH, cycle=[left|right|hold])": "direction:left, direction:right, direction:hold",
    "black_lady(cycle=[left*4&across*5&right*4|scatter, across])": "direction:scatter",
    "black_lady(cycle=[left, left|right, hold|left, right])": "direction:left, direction:right, direction:hold",
    "black_lady(schedule=random, cycle=[left,+2*1,scatter,hold,left&right*2])": "heart led",
    "black_lady(passing.count=13, cycle=[right])": "heart led",
    "black_lady(target=none, max_deals=9, tie=continue)": "played on",
    "black_lady(players=5, remainder=remove, removal_order=[JC,2S,2D])": "shot",
    "black_lady(players=7, removal_order=[2D,2C,3D], no_tricks=-5)": "shot, no tricks",
    "black_lady(players=8, deck.remainder=remove)": "shot",
    "black_lady(players=9, removal_order=[2C,2D,2S,3C,3D,3S,4C], passing.count=1)": "shot",
    "black_lady(players=10, ranks=[2,3,4,5,6,7,8,9,T,J,Q,A], removal_order=[2C,2D,2S,3C,3D,3S,4C,4D])": "shot",
    "black_lady(players=11, removal_order=[2C,2D,2S,3C,3D,3S,4C,4D], cycle=[left|+5], passing.count=1)": "direction:+5",
    "black_lady(ranks=[2,3,4,5,6,7,8,9,T,11,12,J,Q,K,A])": "shot",
    "black_lady(players=5, ranks=[2,3,4,5,6,7,8,9,T,11,12,J,Q,K,A], no_tricks=-5)": "shot",
    "black_lady(players=6, ranks=[2,3,4,5,6,7,8,9,T,11,12,J,Q,K,A])": "shot",
    "black_lady(ranks=[8,9,T,J,Q,K,A], card_values={H:1,QS:7,JD:-5}, moon.mode=new)": "shot",
    f"black_lady({TINY}, target=30)": "shot",
    "black_lady(table.direction=-1, dealer_next=AH)": "shot",
    "black_lady(cycle=[pool|pool*1|left])": "pool, direction:pool",
    "black_lady(score.pledge=10)": "pledge:yes, pledge:no",
    "black_lady(exposing.cards={AH:H,QS:QS}, exposing.lock=false)": "expose:AH, shown card played",
    "gong_zhu(exposing.cards={AH:H,QS:QS,JD:JD,TC:TC})": "expose:TC, shown card played, alone",
    "gong_zhu(teams=[0+2,1+3], end.target=1000)": "alone",
    "black_lady(remainder=kitty, players=5, kitty_award=first_trick)": "kitty",
    "black_lady(remainder=kitty, players=5, kitty_award=first_penalty)": "kitty",
    "black_lady(remainder=kitty, players=5, kitty_award=one_per_trick)": "kitty",
    "black_lady(remainder=kitty, players=5, kitty_award=out_of_play)": "kitty",
    "black_lady(remainder=kitty, hand_size=11, opening.holder=5D)": "kitty",
    "black_lady(remainder=jokers, players=5, jokers.play=void_only)": "heart led",
    "joker_hearts(jokers.lead=call)": "joker led, suit:C, suit:S",
    "joker_hearts(jokers.lead=next_card)": "joker led",
    "joker_hearts(card_values={H:1,QS:13,JK:5}, jokers.scores=heart_trick)": "idle joker",
    "black_lady(score.chips=4, moon.mode=none, target=none)": "pool kept",
    "black_lady(moon.mode=old, requires_sun=true, clean_slate=true)": "clean slate",
    "black_lady(moon.mode=old, punish=52)": "shot, every trick",
    "black_lady(moon.mode=reset_or_double)": "moon:self, moon:others",
    "black_lady(moon.mode=old, extends=until_moonless_deal)": "put off",
    "black_lady(moon.mode=old, extends=until_next_moon, max_deals=20)": "put off",
    "black_lady(first_trick_scope=discard, opening.card=any)": "ban waived",
    "black_lady(forced_discard=[QS,K])": "forced discard",
    "cancellation_hearts(dead_trick=no_live_card)": "dead trick",
    "cancellation_hearts(players=6, dead_last_trick=second_of_top_pair)": "dead trick",
    "black_lady(packs=2, opening.leader=left_of_dealer, opening.card=any)": "no tricks",
    "incredu_hearts(duplicates=last, trick.exceptions={A:first})": "shot",
    "incredu_hearts(others_score=false, lower_target=-100)": "shot",
    "complex_hearts(moon.multiplied=false, moon.sign=hurts)": "shot, multiplied",
    "complex_hearts(score.better=real)": "shot",
    "complex_hearts(card_values={H:1i,QS:13}, multipliers={TC:1i}, end.target=50, moon.sign=hurts)": "multiplied",
    "danger_hearts(lives_out=rank_last, lives=1)": "life lost",
    "danger_hearts(lives_out=eliminate, lives=1, max_deals=30)": "life lost",
    "partnership_hearts(moon.scope=player, tie=continue)": "shot",
    "likha(moon.mode=old, players=4)": "forced discard",
    "math_team_hearts(no_hearts_on_moon=false)": "shot",
    "black_lady(refusable=[QS], cycle=[left])": "refuse:QS",
    "black_lady(players=5, refusable=[QS,KS,AS], unpassable=[AC], cycle=[right,+2])": "refuse:QS",
    "complex_hearts(moon.sign=chosen)": "sign:plus, sign:minus",
    "complex_hearts(moon.mode=old, moon.sign=chosen, ranks=[T,J,Q,K,A], passing.count=1)": "sign:plus, sign:minus",
}
"""Options of the rules, and what has to happen in such a game when it is played on skewed deals."""
