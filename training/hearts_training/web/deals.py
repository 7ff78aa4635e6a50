"""The end of a deal: the effect of each decision after its last card, and the result of the deal.

Both are found by trying: the kernel takes the action in a copy of the state, in which no further deal is dealt.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hearts_env.cards import suit_of
from hearts_env.explain.words import card_words
from hearts_env.render.ansi import counting_cards
from hearts_env.ruleset.enums import MoonMode, MoonScope, TeamScoring
from hearts_env.seat.view import View
from hearts_env.table.match import Match
from hearts_env.table.ranking import ranking_of
from hearts_training.web.words import Names, counted, number, score_words


def tried(match: Match, *actions: str) -> View:
    """The table after some actions, which end at most the deal under way: the next one is not dealt.

    >>> import hearts_env as he
    >>> match = he.Match("black_lady(cycle=[hold])", seed=7)
    >>> tried(match, "2C").trick, match.trick
    ([(3, '2C')], [])
    """
    from hearts_env.kernel.steps import step

    state = match.state
    state["deal_limit"] = match.deal_number + 1
    for action in actions:
        step(state[0], match.game.tables, match.game.action(action))
    return View(match.game, state[0], 0, check=False)


# --- what a decision would do ---------------------------------------------------------------------


def label(match: Match, action: str, names: Names) -> str:
    """The effect that an action of the phases moon, sign and exact would have, with its amount.

    >>> import hearts_env as he
    >>> hands = [[rank + suit for rank in "23456789TJQKA"] for suit in "CDHS"]
    >>> rules = "black_lady(opening.card=any, first_trick_forbidden=[], heart_lead=free)"
    >>> match = he.Match.from_hands(rules, [*hands[:2], hands[2][1:] + ["QS"], ["2H"] + hands[3][:10] + hands[3][11:]])
    >>> while match.phase == "play":
    ...     match.play(next((card for card in match.legal()[::-1] if card[-1] == "H"), match.legal()[-1]))
    >>> [label(match, action, Names.plain(4)) for action in match.legal()]
    ['Take 26 off my score', 'Add 26 to everyone else']
    """
    return {"moon": _moon_label, "sign": _sign_label, "exact": _exact_label}[match.phase](match, action, names)


def _moon_label(match: Match, action: str, names: Names) -> str:
    own, rules = match.seat or 0, match.rules
    everyone = "every opponent" if rules.table.teams else "everyone else"
    if rules.moon.mode is MoonMode.RESET_OR_DOUBLE:
        kept = score_words(tried(match, "moon:others").totals[own])
        return f"Double the total of {everyone}" if action == "moon:others" else f"Set my total to 0 instead of {kept}"
    if action == "moon:self":
        award = _scored(match, "moon:self")[own] - _scored(match, "moon:others")[own]
        of_each = " of each of us" if rules.moon.scope is MoonScope.TEAM else ""
        return _change(award, f"my score{of_each}")
    charged, uncharged = (_scored(match, name) for name in (action, "moon:self"))
    teams = match.game.teams
    awards = {seat: charged[seat] - uncharged[seat] for seat in range(len(teams)) if teams[seat] != teams[own]}
    first = next(iter(awards.values()))
    if tried(match, action).phase == "sign":
        return f"Add {score_words(first)} to {everyone} or take it off: I choose for each"
    if set(awards.values()) == {first}:
        return _change(first, everyone)
    groups = {award: [seat for seat in awards if awards[seat] == award] for award in awards.values()}
    return "; ".join(_change(award, names.who(seats)) for award, seats in groups.items())


def _scored(match: Match, action: str) -> list[Any]:
    return match.game.numbers(_signed(match, action).record["scored"])


def _change(points: Any, whom: str) -> str:
    """``Add 26 to whom``, ``Take 26 off whom``; what is neither more nor less than 0 is added."""
    below = (points.real, points.imag) < (0, 0)
    return f"Take {score_words(-points)} off {whom}" if below else f"Add {score_words(points)} to {whom}"


def _sign_label(match: Match, action: str, names: Names) -> str:
    plus, minus = (_signed(match, sign).totals for sign in ("sign:plus", "sign:minus"))
    seat = next((seat for seat, total in enumerate(plus) if total != minus[seat]), 0)
    verb, totals = ("Add", plus) if action == "sign:plus" else ("Subtract", minus)
    return f"{verb}: {names.whose(seat)} total becomes {score_words(totals[seat])}"


def _signed(match: Match, *actions: str) -> View:
    """The table after actions of the shooter; every further sign that it may choose is plus."""
    while (view := tried(match, *actions)).phase == "sign":
        actions = (*actions, "sign:plus")
    return view


def _exact_label(match: Match, action: str, names: Names) -> str:
    own = match.seat or 0
    now = score_words(match.totals[own])
    if action == "exact:no":
        return f"Keep {now}"
    return f"Change my total from {now} to {score_words(tried(match, action).totals[own])}"


# --- what a deal came to --------------------------------------------------------------------------


@dataclass(frozen=True)
class DealEnd:
    """A deal that is over.

    Attributes:
        before: the table before the last action of the deal.
        after: the table after it; the next deal has not been dealt.
        totals: the totals before the deal.
    """

    before: View
    after: View
    totals: list[Any]

    @property
    def points(self) -> list[Any]:
        """Points of the deal, per seat."""
        return self.after.game.numbers(self.after.record["scored"])


def deal_end(match: Match, action: str) -> DealEnd | None:
    """The end of the deal if an action, which must be legal, ends it; otherwise None.

    >>> import hearts_env as he
    >>> match = he.Match("black_lady(max_deals=1)", seed=7)
    >>> while (end := deal_end(match, match.legal()[0])) is None:
    ...     match.play(match.legal()[0])
    >>> sum(end.points) % 26, end.after.phase
    (0, 'over')
    """
    after = tried(match, action)
    if after.phase != "over":
        return None
    return DealEnd(View(match.game, match.state[0], 0, check=False), after, match.log[-1].totals)


def summary(end: DealEnd, names: Names) -> dict[str, Any]:
    """The data that a page shows about a deal that is over.

    >>> import hearts_env as he
    >>> match = he.Match("black_lady(max_deals=1)", seed=7)
    >>> while (end := deal_end(match, match.legal()[0])) is None:
    ...     match.play(match.legal()[0])
    >>> page = summary(end, Names.plain(4))
    >>> page["deal"], sum(page["points"]) == sum(page["totals"]), page["moon"], page["lines"]
    (1, True, [], [])
    """
    view = end.after
    lines = [*_pledges(end, names), *_changes(end, names), *_lives(end, names)]
    over = bool(view.record["finished"])
    return {
        "deal": view.deal_number + 1,
        "points": [number(points) for points in end.points],
        "totals": [number(total) for total in view.totals],
        "taken": [[card for card in cards if card in counting_cards(view.game)] for cards in view.taken],
        "how": how(end),
        "moon": _moon(end, names),
        "lines": [*lines, *_teams(end, names), *_goes_on(end)],
        "over": over,
        "places": list(ranking_of(view.game, view.record)) if over else [],
    }


def how(end: DealEnd) -> list[str]:
    """How the points of each seat came about, where they are not simply those of the cards it took.

    >>> import hearts_env as he
    >>> hands = [[rank + suit for rank in "23456789TJQKA"] for suit in "CDHS"]
    >>> match = he.Match.from_hands("black_lady(multipliers={TC:2}, moon.mode=old)", hands)
    >>> while (end := deal_end(match, match.legal()[0])) is None:
    ...     match.play(match.legal()[0])
    >>> how(end)[:2]
    ['cards 26, × 2 for the ten of clubs: 52, with the moon 0', 'cards 0, with the moon 52']
    """
    from hearts_env.kernel.scoring import tally

    view = end.after
    game, record = view.game, view.record.copy()
    tally(record, game.tables)
    worth = [complex(*value) if game.gaussian else int(value[0]) for value in game.tables["values"].tolist()]
    cards = game.numbers(record["points"])
    rest = "with the moon" if view.shooter is not None else "with all else that scores"
    found = []
    for taken, summed, points in zip(view.taken, cards, end.points, strict=True):
        plain = sum(worth[game.deck.kind(card)] for card in taken)
        parts = [f"cards {score_words(plain)}"]
        parts += [f"{_factors(view, taken)}: {score_words(summed)}"] if summed != plain else []
        parts += [f"{rest} {score_words(points)}"] if points != summed else []
        found.append(", ".join(parts[:1] * (len(parts) > 1) + parts[1:]))
    return found


def _factors(view: View, taken: list[str]) -> str:
    """What changes the sum of a seat's cards, such as ``× 2 for the ten of clubs``."""
    score, exposing, deck = view.game.rules.score, view.game.rules.exposing, view.game.deck
    words = [f"× {factor} for the {card_words(card)}" for card, factor in score.multipliers if card in taken]
    shown = [card for card, raised in exposing.cards if card in view.exposed and {*deck.match(raised)} & {*taken}]
    words += [f"the shown {card_words(card)} counts × {exposing.factor}" for card in shown]
    return ", ".join(words) or "by the rules of their points"


def _moon(end: DealEnd, names: Names) -> list[str]:
    view, rules = end.after, end.after.game.rules
    shooter, lines = int(view.record["shooter"]), []
    if shooter >= 0:
        team = [seat for seat in range(view.game.seats) if view.game.teams[seat] == view.game.teams[shooter]]
        lines.append(f"{names.who(team if rules.moon.scope is MoonScope.TEAM else [shooter])} shot the moon.")
    if rules.moon.big_moon_deals is not None:
        streaks = end.before.record["streak"], view.record["streak"]
        last = rules.moon.big_moon_deals - 1
        big = [seat for seat in range(view.game.seats) if streaks[0][seat] == last and _is_reset(end, seat)]
        lines += [f"{names.who(big)} shot the big moon."] if big else []
    return lines


def _is_reset(end: DealEnd, seat: int) -> bool:
    return bool(end.after.totals[seat] == 0 != end.totals[seat] + end.points[seat])


def _pledges(end: DealEnd, names: Names) -> list[str]:
    view, found = end.after, []
    for kept, verb in ((True, "kept the pledge"), (False, "broke the pledge")):
        seats = [
            seat
            for seat in range(view.game.seats)
            if view.pledges[seat] and kept != any(suit_of(card) == "H" for card in view.taken[seat])
        ]
        found += [f"{names.who(seats)} {verb} to take no heart."] if seats else []
    return found


def _changes(end: DealEnd, names: Names) -> list[str]:
    """Totals that are not simply the sum: exact hits, totals doubled or set to 0."""
    lines, exact = [], dict(end.after.game.rules.end.exact)
    for seat, (total, before, points) in enumerate(zip(end.after.totals, end.totals, end.points, strict=True)):
        summed = before + points
        if total != summed:
            hit = " exactly" if int(summed.real) in exact else ""
            change = f"reached {score_words(summed)}{hit} and becomes {score_words(total)}"
            lines.append(f"{names.whose(seat)} total {change}.")
    return lines


def _lives(end: DealEnd, names: Names) -> list[str]:
    lines = []
    for seat, (before, after) in enumerate(zip(end.before.lives, end.after.lives, strict=True)):
        if after < before:
            has = "have" if seat == names.you else "has"
            left = counted(after, "life") if after < 2 else f"{after} lives"
            lines.append(f"{names.does(seat, 'loses', 'lose')} a life and {has} {left if after else 'none'} left.")
    return lines


def _teams(end: DealEnd, names: Names) -> list[str]:
    view, rules = end.after, end.after.game.rules
    if not rules.table.teams or rules.table.team_scoring is not TeamScoring.SUM:
        return []
    seats, teams = range(view.game.seats), view.game.teams
    sides = [[seat for seat in seats if teams[seat] == team] for team in sorted(set(teams))]
    words = [f"{names.who(side)} {score_words(sum(view.totals[seat] for seat in side))}" for side in sides]
    return [f"Totals of the teams: {'; '.join(words)}."]


def _goes_on(end: DealEnd) -> list[str]:
    record, chips = end.after.record, end.after.game.rules.score.chips
    lines = [f"The pool holds {counted(end.after.pool, 'chip')}."] if chips is not None else []
    lines += ["The best total is shared, so the match goes on."] if record["tie_pending"] else []
    started = record["moon_extension"] and not end.before.record["moon_extension"]
    return lines + (["The match goes on because of the moon."] if started else [])
