"""Moons and suns: who shot, what the award is and what the shooter may choose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from hearts_env.ruleset.model import Rules
from tests.oracle.rules import (
    Points,
    badness,
    is_penalty,
    moon_set,
    moon_worth,
    named_by,
    oracle_deck,
    team_mates,
    value,
)
from tests.oracle.worth import Haul, Waived, nothing_waived


@dataclass
class Deal:
    """A deal played out.

    Attributes:
        taken: the cards each seat took.
        winners: who won each trick, in order; None where nobody says who.
        exposed: the cards shown before play.
        idle: per seat, how many of its unsuited jokers score nothing.
        pledges: per seat, whether it pledged to take no heart.
        passed: offset of the pass if all cards went one way.
        passer: the seat that passed to the shooter, if that is said outright.
        out_of_play: the cards out of play.
        signs: opponent -> sign that the shooter chose for it, 1 or -1.
    """

    taken: Sequence[Sequence[str]]
    winners: Sequence[int | None]
    exposed: Sequence[str] = ()
    idle: Sequence[int] = ()
    pledges: Sequence[bool | None] = ()
    passed: int | None = None
    passer: int | None = None
    out_of_play: Sequence[str] = ()
    signs: dict[int, int] = field(default_factory=dict)

    def haul(self, rules: Rules, seat: int) -> Haul:
        """What a seat took."""
        return Haul(rules, self.taken[seat], self.exposed, self.idle[seat] if self.idle else 0)


@dataclass
class Shot:
    """A moon that was shot.

    Attributes:
        group: the seats that shot it together.
        shooter: the one that chooses.
        sun: whether they won every trick.
    """

    group: list[int] = field(default_factory=list)
    shooter: int = 0
    sun: bool = False


def took_the_cards(rules: Rules, cards: Sequence[str], out_of_play: Sequence[str] = ()) -> bool:
    """Whether cards are enough for a moon; those out of play are not asked for."""
    if rules.moon.least:
        return all(_count(cards, pattern) >= least for pattern, least in rules.moon.least)
    wanted = Counter(moon_set(rules)) - Counter(out_of_play)
    return bool(wanted) and wanted <= Counter(cards)


def sweepers(rules: Rules, deal: Deal) -> list[int]:
    """The seats that took the moon cards, alone or where teams shoot together as a team, if any did."""
    for seat in range(len(deal.taken)):
        group = shooters(rules, seat)
        if took_the_cards(rules, [card for member in group for card in deal.taken[member]], deal.out_of_play):
            return group
    return []


def shooters(rules: Rules, seat: int) -> list[int]:
    """A seat and those that shoot with it."""
    return team_mates(rules, seat) if rules.moon.scope == "team" else [seat]


def count_streak(rules: Rules, streaks: Sequence[int], swept: Sequence[int]) -> tuple[list[int], int | None]:
    """The deals in a row in which each seat took everything, after one more, and who completes a big moon with it."""
    after = [streak + 1 if seat in swept else 0 for seat, streak in enumerate(streaks)]
    wanted = rules.moon.big_moon_deals
    if wanted is None or wanted not in after:
        return after, None
    return [0] * len(after), after.index(wanted)


def _count(cards: Sequence[str], pattern: str) -> int:
    return sum(named_by([pattern], card) for card in cards)


def shot_the_sun(rules: Rules, group: Sequence[int], winners: Sequence[int | None]) -> bool:
    """Whether these seats won every trick of the deal, or every one that counts."""
    counting = winners[1:] if rules.moon.sun_skip_first else winners
    return all(winner in group for winner in counting)


def who_shot(rules: Rules, deal: Deal) -> Shot | None:
    """The moon of a deal that is rewarded (or fined), if any."""
    if rules.moon.mode == "none":
        return None
    group = sweepers(rules, deal)
    sun = shot_the_sun(rules, group, deal.winners)
    if not group or (rules.moon.requires_sun and not sun):
        return None
    helped = [member for member in group if any(card in moon_set(rules) for card in deal.taken[member])]
    return Shot(group, min(helped), sun)


def waived_for(rules: Rules, shot: Shot | None, seat: int) -> Waived:
    """The cards that a seat does not score because the moon was shot."""
    if shot is None:
        return nothing_waived
    if seat not in shot.group:
        return nothing_waived if rules.moon.others_score else lambda card: True
    if rules.moon.least:
        return lambda card: True
    moon = moon_set(rules)
    return lambda card: card in moon and is_penalty(rules, card)


def moon_amount(rules: Rules, deal: Deal, shot: Shot) -> Points:
    """What the award is worth."""
    moon = rules.moon
    if shot.sun and moon.sun_amount is not None:
        return moon.sun_amount
    if moon.least:
        return _least_amount(rules, [card for seat in shot.group for card in deal.taken[seat]])
    return moon.amount if moon.amount is not None else moon_worth(rules)


def _least_amount(rules: Rules, cards: Sequence[str]) -> Points:
    amount: Points = 0
    for pattern, least in rules.moon.least:
        there, got = _count(oracle_deck(rules), pattern), _count(cards, pattern)
        one = next(value(rules, card) for card in cards if named_by([pattern], card))
        amount += one * (got if got == there else 2 * least - got)
    return amount - sum(value(rules, card) for card in cards if badness(rules, card) < 0)


def charged(rules: Rules, shot: Shot) -> list[int]:
    """The seats that pay for the moon of others: not those who shot it, and no partner of the shooter."""
    friends = {*shot.group, *team_mates(rules, shot.shooter)}
    return [seat for seat in range(rules.table.players) if seat not in friends]


def charge(rules: Rules, deal: Deal, shot: Shot, seat: int) -> Points:
    """What a seat is charged for the moon of somebody else, before any choice of sign."""
    award = moon_amount(rules, deal, shot)
    if rules.moon.punish is not None and shot.sun and seat == _passer(deal, shot):
        award = rules.moon.punish
    return award * deal.haul(rules, shot.shooter).whole_factor() if rules.moon.multiplied else award


def _passer(deal: Deal, shot: Shot) -> int | None:
    if deal.passed is None:
        return deal.passer
    return (shot.shooter - deal.passed) % len(deal.taken)


def moon_choices(rules: Rules, shot: Shot, totals: Sequence[Points], lost_with_others: bool) -> list[str]:
    """What may be done about a moon, the usual choice first.

    `lost_with_others` says whether "others" would end the match with somebody else ahead of the shooter.
    """
    mode = rules.moon.mode
    if rules.moon.clean_slate and shot.sun:
        return ["clean"]
    if mode in {"old", "paid", "new", "fixed_self", "wins"}:
        return [{"new": "self", "fixed_self": "fine", "wins": "match"}.get(mode, "others")]
    if mode == "new_if_old_loses":
        return ["others", "self"] if lost_with_others else ["others"]
    assert mode in {"choice", "reset_or_double"}
    needed = rules.moon.new_moon_min
    if needed is not None:
        reached = max(totals) if rules.moon.new_moon_who == "any" else totals[shot.shooter]
        if reached < needed:
            return ["others"]
    return ["others", "self"]
