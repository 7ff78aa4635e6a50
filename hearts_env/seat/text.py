"""A view in plain words, for people at a terminal and for agents that read: `View.text`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from hearts_env.compiled.game import Game
from hearts_env.seat.as_dict import Data

OMITTED = "(earlier tricks are left out)"


def write_text(game: Game, fields: Data, max_chars: int | None) -> str:
    """See `View.text`; `fields` is the dict of the view."""
    before, after = _before_the_tricks(game, fields), _after_the_tricks(game, fields)
    history = [f"{number}. {_cards(trick)}" for number, trick in enumerate(fields["tricks"], 1)]
    heading = ["Tricks, with * for the card that took them:"] if history else []
    text = "\n".join([*before, *heading, *history, *after])
    while history and max_chars is not None and len(text) > max_chars:
        history = history[1:]
        text = "\n".join([*before, OMITTED, *history, *after])
    return text


def _before_the_tricks(game: Game, fields: Data) -> list[str]:
    own, teams = fields["seat"], game.teams if game.rules.table.teams else ()
    partners = [str(seat) for seat, team in enumerate(teams) if team == teams[own] and seat != own]
    with_whom = f", partner of {' and '.join(partners)}" if partners else ""
    lines = [
        f"Rules: {fields['rules']}",
        f"Deal {fields['deal_number'] + 1}, dealt by seat {fields['dealer']}. You are seat {own}{with_whom}.",
    ]
    if fields["direction"]:
        lines.append(
            f"Pass: {fields['direction']}{_and('you passed', fields['passed'])}{_and('received', fields['received'])}"
        )
    lines += _per_seat("Handed back", fields["handed_back"], bool, " ".join)
    if fields["offered"]:
        lines.append(f"You may refuse: {' '.join(fields['offered'])}")
    lines += _per_seat("Shown before play", fields["exposed"], bool, " ".join)
    return lines + _per_seat(
        "Pledged to take no heart", fields["pledges"], _is_decided, lambda pledge: "yes" if pledge else "no"
    )


def _after_the_tricks(game: Game, fields: Data) -> list[str]:
    lines = [f"Trick {len(fields['tricks']) + 1} so far: {_cards(fields['trick'])}"] if fields["trick"]["cards"] else []
    lines += [f"Cards of dead tricks: {' '.join(fields['rolled'])}"] if fields["rolled"] else []
    lines += _per_seat("Cards of the kitty taken", fields["kitty_taken"], bool, str)
    lines += [f"You took from the kitty: {' '.join(fields['kitty'])}"] if fields["kitty"] else []
    lines += _per_seat("Void in", fields["voids"], bool, str)
    lines += [f"Seat {fields['shooter']} shot the moon"] if fields["shooter"] is not None else []
    lines += _per_seat("Sign of the award", fields["signs"], bool, lambda sign: "plus" if sign > 0 else "minus")
    lines += _per_seat("Points", fields["points"], _is_decided, str)
    lines += _per_seat("Totals", fields["totals"], _is_decided, str)
    lines += _per_seat("Lives", fields["lives"], _is_decided, str) if game.tables["end_lives"] else []
    lines += [f"Pool: {fields['pool']} chips"] if game.rules.score.chips is not None else []
    lines.append(f"Hand: {' '.join(fields['hand']) or 'empty'}")
    whose = "It is your turn" if fields["turn"] == fields["seat"] else f"It is the turn of seat {fields['turn']}"
    lines.append("The match is over." if fields["phase"] == "over" else f"{whose}: {fields['phase']}.")
    return [*lines, f"Legal actions: {' '.join(f'[{action}]' for action in fields['legal']) or 'none'}"]


def _cards(trick: Data) -> str:
    words = [f"{seat}:{card}{'*' * (seat == trick['winner'])}" for seat, card in trick["cards"]]
    words += [f"(suit called: {trick['called']})"] if trick["called"] else []
    return " ".join(words)


def _and(what: str, cards: list[str]) -> str:
    return f", {what} {' '.join(cards)}" if cards else ""


def _is_decided(value: Any) -> bool:
    return value is not None


def _per_seat(what: str, values: Iterable[Any], known: Callable[[Any], bool], write: Callable[[Any], str]) -> list[str]:
    """One line with what is known of each seat; none if nothing is."""
    parts = [f"seat {seat} {write(value)}" for seat, value in enumerate(values) if known(value)]
    return [f"{what}: {', '.join(parts)}"] if parts else []
