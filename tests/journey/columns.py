"""What the columns of an observation should hold, read from the words of a match and not from its record."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import hearts_env as he
from hearts_env.kernel.records import COMMON_PHASES
from tests.support.worlds import finished, told_tricks

SIGNS = ("plus", "minus")


def fields(match: he.Match, seat: int) -> dict[str, NDArray[np.float32]]:
    """The named parts of what a seat observes, in their shapes."""
    row = match.view(seat).observation()
    return {name: row[field.columns].reshape(field.shape) for name, field in he.observation_layout(match.rules).items()}


def lines(match: he.Match, *rows: list[str]) -> list[list[int]]:
    """Cards per row as columns of kinds."""
    return [[row.count(kind) for kind in match.game.deck.kinds] for row in rows]


def expected(match: he.Match, seat: int) -> dict[str, Any]:
    """What the columns of a seat should say, from the words of the match; numbers in their natural units."""
    game, n, view = match.game, match.rules.players, match.view(seat)
    around = [(seat + place) % n for place in range(n)]
    played, trick, taken, voids = view.played, view.trick, match.taken, shown_voids(match)
    scoring = game.names([game.tables["scoring"]])
    by_place: dict[str, list[Any]] = {
        "played": lines(match, *([card for who, card in played if who == other] for other in around)),
        "trick": lines(match, *([card for who, card in trick if who == other] for other in around)),
        "scoring_taken": [[taken[other].count(card) for card in scoring] for other in around],
        "voids": [[suit in voids[other] for suit in "CDHS"] for other in around],
        "leader": [other == match.leader for other in around],
        "dealer": [other == match.dealer for other in around],
    }
    by_place |= {
        name: [values[other].real for other in around]
        for name, values in (("tricks_won", match.tricks_won), ("points", match.points), ("totals", match.totals))
    }
    led = told_tricks(match)[-1][0] if trick else None
    return (
        by_place
        | {
            "hand": lines(match, match.hands[seat]),
            "led_suit": [led == suit for suit in "CDHS"],
            "phase": [match.phase == phase.name.lower() for phase in COMMON_PHASES],
            "direction": [match.direction == option.text for option in game.options],
            "broken": [match.broken],
            "trick_number": [finished(match)],
            "deal_number": [match.deal_number],
        }
        | special(match, seat, around)
    )


def special(match: he.Match, seat: int, around: list[int]) -> dict[str, Any]:
    """The same of the columns that only some games have."""
    rules, takers = match.rules, match.state[0]["kitty_seat"]
    size = int(match.game.tables["kitty_size"])
    owners = [int(takers[place]) for place in range(size)]
    have: dict[str, tuple[bool, Any]] = {
        "points_im": (match.game.gaussian, [complex(match.points[other]).imag for other in around]),
        "totals_im": (match.game.gaussian, [complex(match.totals[other]).imag for other in around]),
        "exposed": (bool(rules.exposing.cards), lines(match, *(shown_by(match, other, seat) for other in around))),
        "pledges": (
            rules.score.pledge is not None,
            [[match.pledges[other] is pledged for other in around] for pledged in (True, False)],
        ),
        "pool": (rules.score.chips is not None, [match.pool]),
        "lives": (rules.end.lives is not None, [match.lives[other] for other in around] if match.lives else []),
        "rolled": (cancels(rules), lines(match, match.rolled)),
        "kitty": (
            size > 0,
            lines(match, [card for card, owner in zip(match.kitty, owners, strict=True) if owner == seat]),
        ),
        "kitty_taken": (size > 0, [owners.count(other) for other in around]),
        "extended": (rules.moon.extends != "off", [bool(match.state[0]["moon_extension"])]),
        "refusing": (bool(rules.passing.refusable), [match.phase == "refuse"]),
        "handed_back": (
            bool(rules.passing.refusable),
            lines(match, *(handed_back_to(match, other) for other in around)),
        ),
    }
    signs = signs_of(match)
    have["signs"] = rules.moon.sign == "chosen", [[signs.get(other) == which for other in around] for which in SIGNS]
    have["sign_for"] = rules.moon.sign == "chosen", [signs.get(other) == "next" for other in around]
    return {name: values for name, (there, values) in have.items() if there}


def shown_by(match: he.Match, seat: int, observer: int) -> list[str]:
    """The cards a seat has shown in the deal, as far as `observer` has seen them."""
    if match.phase == "expose" and match.rules.exposing.rounds.endswith("blind") and seat != observer:
        return []
    return [
        action.removeprefix("expose:") for who, action in match.log[-1].actions if who == seat and "expose:" in action
    ]


def handed_back_to(match: he.Match, seat: int) -> list[str]:
    """The cards that a seat passed in the deal and took back because they were refused."""
    refusals = [(who, action[7:]) for who, action in match.log[-1].actions if "refuse:" in action]
    offsets = {move.offset for option in match.game.options for move in option.moves if option.text == match.direction}
    return [
        card
        for who, card in refusals
        for offset in offsets
        if card != "no" and (seat + offset - who) % match.rules.players == 0
    ]


def signs_of(match: he.Match) -> dict[int, str]:
    """``plus`` or ``minus`` for each seat whose sign the shooter has chosen, ``next`` for whom it chooses now."""
    chosen = [(who, action[5:]) for who, action in match.log[-1].actions if "sign:" in action]
    if match.phase == "sign":
        chosen.append((match.seat or 0, "next"))
    n, turn = match.rules.players, match.rules.table.direction
    return {(who + turn * (place + 1)) % n: sign for place, (who, sign) in enumerate(chosen)}


def cancels(rules: he.Rules) -> bool:
    """Whether tricks may be dead."""
    return "cancel" in (rules.trick.duplicates, *(how for _, how in rules.trick.exceptions))


def shown_voids(match: he.Match) -> list[str]:
    """Suits each seat has shown to lack in the deal, from the cards played."""
    voids: list[set[str]] = [set() for _ in range(match.rules.players)]
    jokers = match.rules.jokers
    for led, cards in told_tricks(match):
        known = False
        for seat, card in cards:
            joker = card == "JK"
            if known and led is not None and (jokers.play == "void_only" if joker else card[-1] != led):
                voids[seat].add(led)
            known = known or not joker or jokers.lead == "call"
    return ["".join(sorted(suits)) for suits in voids]


def check_columns(match: he.Match, seats: Iterable[int]) -> None:
    """Every field of the layout holds what its name says, for some seats."""
    t = match.game.tables
    units = {"points": float(t["point_scale"]), "totals": float(t["total_scale"]), "deal_number": 1 / 16}
    units |= dict.fromkeys(("tricks_won", "trick_number"), 1 / int(t["hand_size"]))
    units |= {"points_im": units["points"], "totals_im": units["totals"], "pool": units["totals"]}
    units |= {"lives": 1 / max(int(t["end_lives"]), 1), "kitty_taken": 1 / max(int(t["kitty_size"]), 1)}
    assert match.view(0).voids == shown_voids(match)
    for seat in seats:
        have, want = fields(match, seat), expected(match, seat)
        for name, values in want.items():
            scaled = np.array(values, np.float32) * np.float32(units.get(name, 1))
            np.testing.assert_allclose(have[name], scaled.reshape(have[name].shape), rtol=1e-6, err_msg=name)
        for name in ("passed", "received"):
            cards = getattr(match.view(seat), name)
            np.testing.assert_array_equal(have[name].sum(axis=0), lines(match, cards)[0], err_msg=name)
        assert not set(have) - set(want) - {"passed", "received"}
