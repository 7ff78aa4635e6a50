"""A match and the oracle side by side: the same actions, and everything visible compared."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from random import Random
from typing import Any

import hearts_env as he
from tests.oracle.end import first_sheet
from tests.oracle.game import Oracle
from tests.oracle.rules import height, oracle_passes
from tests.support.deals import SHAPES, Policy, anyhow, greedy, near_the_end

TURN = ["phase", "seat", "trick", "leader", "broken", "direction", "exposed", "pledges", "shooter", "over"]
"""What an action may change in the middle of a pass or of a trick, beside the legal actions."""
FIELDS = [
    *TURN,
    *("tricks_won", "points", "totals", "deal_points", "deal_number", "dealer"),
    *("ranking", "losers", "lives", "pool", "kitty"),
]
MOST = 200
"""Positions after which something wanted is given up on."""


def turn_at(table: Any) -> dict[str, Any]:
    """What to compare after every action."""
    return {name: getattr(table, name) for name in TURN} | {"legal": sorted(table.legal())}


def seen_by(table: Any) -> dict[str, Any]:
    """Everything to compare, in a form that does not depend on the order of cards in a hand."""
    seen = {name: getattr(table, name) for name in FIELDS}
    seen["legal"] = sorted(table.legal())
    seen["hands"] = [sorted(hand) for hand in table.hands]
    seen["taken"] = [sorted(cards) for cards in table.taken]
    seen["rolled"] = sorted(table.rolled)
    return seen


def shadow(match: he.Match) -> Oracle:
    """An oracle that starts where the match stands, at the start of a deal, and gets the same hands from then on."""
    begun = match.log[-1]

    def entry_of(_: int) -> int:
        texts = [options[0][0] for options in oracle_passes(match.rules)]
        return texts.index(str(match.direction))

    return Oracle(
        match.rules,
        lambda _: match.hands,
        kitties=lambda _: match.kitty,
        after_pool=lambda: match.hands,
        dealer=begun.dealer,
        sheet=replace(first_sheet(match.rules, begun.totals, begun.number), lives=match.lives, pool=match.pool),
        leader=begun.leader,
        passing=begun.passing,
        entry_of=entry_of,
    )


def pass_by(match: he.Match) -> None:
    """Look at nothing."""


def lockstep(
    match: he.Match, policy: Policy, rng: Random, deals: int = 1000, visit: Callable[[he.Match], None] = pass_by
) -> Oracle:
    """Play a match to its end, or until so many deals are finished, and compare; returns the oracle.

    The turn is compared at every ply, everything else whenever a phase or a trick begins; `visit` is
    called at every ply.
    """
    oracle = shadow(match)
    last = oracle.deal_number + deals
    actions: list[str] = []
    phase = ""
    while True:
        look = turn_at if oracle.phase == phase and (oracle.trick or phase != "play") else seen_by
        mine, theirs = look(oracle), look(match)
        assert mine == theirs, report(match, actions, mine, theirs)
        visit(match)
        if match.over or match.deal_number >= last:
            return oracle
        phase = oracle.phase
        action = policy(oracle, rng)
        actions.append(action)
        match.play(action)
        oracle.play(action)


def report(match: he.Match, actions: list[str], mine: dict[str, Any], theirs: dict[str, Any]) -> str:
    """What differs and how to get there."""
    lines = [f"  {name}: oracle {mine[name]}, match {theirs[name]}" for name in mine if mine[name] != theirs[name]]
    start = match.log[0]
    return "\n".join(
        [f"{match.rules} after {len(actions)} actions:", *lines, f"  start {start}", f"  actions {' '.join(actions)}"]
    )


def play_skewed(
    rules: he.Rules,
    rng: Random,
    starts: int,
    deals: int = 1,
    wanted: Iterable[str] = (),
    visit: Callable[[he.Match], None] = pass_by,
) -> Counter[str]:
    """Lockstep from so many constructed positions, and more until everything wanted has happened.

    Returns what happened; gives up on a rare thing after `MOST` positions.
    """
    seen: Counter[str] = Counter()
    for start in range(MOST):
        if start >= starts and set(wanted) <= set(+seen):
            break
        seen += lockstep(*_skewed_start(rules, rng), rng, deals, visit).seen
    return seen


def _skewed_start(rules: he.Rules, rng: Random) -> tuple[he.Match, Policy]:
    hands = rng.choice(SHAPES)(rules, rng)
    passing = rng.random() < 0.4
    match = he.Match.from_hands(
        rules,
        hands,
        totals=near_the_end(rules, rng),
        deal_number=rng.randrange(12),
        passing=passing,
        dealer=rng.randrange(rules.players),
        leader=None if passing else rng.choice([None, None, rng.randrange(rules.players)]),
        seed=rng.randrange(2**63),
    )
    strong = max(range(rules.players), key=lambda seat: sum(height(card) >= height("QC") for card in hands[seat]))
    partners = [strong, (strong + rules.players // 2) % rules.players]
    return match, rng.choice([anyhow, greedy([strong]), greedy([strong]), greedy(partners), greedy([])])


def play_matches(
    rules: he.Rules, rng: Random, matches: int, deals: int = 40, visit: Callable[[he.Match], None] = pass_by
) -> Counter[str]:
    """Lockstep through so many matches as the shuffles give them; what happened in them."""
    seen: Counter[str] = Counter()
    for _ in range(matches):
        policy = rng.choice([anyhow, anyhow, greedy([rng.randrange(rules.players)])])
        seen += lockstep(he.Match(rules, seed=rng.randrange(2**63)), policy, rng, deals, visit).seen
    return seen
