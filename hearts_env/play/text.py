"""A view in plain words, for people at a terminal and for agents that read: `View.text`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from hearts_env.play.picture import Data, Seen

if TYPE_CHECKING:
    from hearts_env.play.view import View

OMITTED = "(earlier tricks are left out)"


def write_text(view: View, max_chars: int | None) -> str:
    """See `View.text`."""
    seen = Seen(view)
    before, after = _before_the_tricks(view, seen), _after_the_tricks(view, seen)
    history = [f"{number}. {_cards(trick)}" for number, trick in enumerate(seen["tricks"], 1)]
    heading = ["Tricks, with * for the card that took them:"] if history else []
    text = "\n".join([*before, *heading, *history, *after])
    while history and max_chars is not None and len(text) > max_chars:
        history = history[1:]
        text = "\n".join([*before, OMITTED, *history, *after])
    return text


def _before_the_tricks(view: View, seen: Data) -> list[str]:
    teams = view.game.teams if view.game.rules.table.teams else ()
    partners = [str(seat) for seat, team in enumerate(teams) if team == teams[view.seat] and seat != view.seat]
    with_whom = f", partner of {' and '.join(partners)}" if partners else ""
    lines = [
        f"Rules: {seen['rules']}",
        f"Deal {view.deal_number + 1}, dealt by seat {seen['dealer']}. You are seat {view.seat}{with_whom}.",
    ]
    if seen["direction"]:
        lines.append(
            f"Pass: {seen['direction']}{_and('you passed', seen['passed'])}{_and('received', seen['received'])}"
        )
    lines += _per_seat("Handed back", seen["handed_back"], bool, " ".join)
    if seen["offered"]:
        lines.append(f"You may refuse: {' '.join(seen['offered'])}")
    lines += _per_seat("Shown before play", seen["exposed"], bool, " ".join)
    return lines + _per_seat(
        "Pledged to take no heart", seen["pledges"], _is_decided, lambda said: "yes" if said else "no"
    )


def _after_the_tricks(view: View, seen: Data) -> list[str]:
    lines = [f"Trick {len(seen['tricks']) + 1} so far: {_cards(seen['trick'])}"] if seen["trick"]["cards"] else []
    lines += [f"Cards of dead tricks: {' '.join(seen['rolled'])}"] if seen["rolled"] else []
    lines += _per_seat("Cards of the kitty taken", seen["kitty_taken"], bool, str)
    lines += [f"You took from the kitty: {' '.join(seen['kitty'])}"] if seen["kitty"] else []
    lines += _per_seat("Void in", seen["voids"], bool, str)
    lines += [f"Seat {seen['shooter']} shot the moon"] if seen["shooter"] is not None else []
    lines += _per_seat("Sign of the award", seen["signs"], bool, lambda sign: "plus" if sign > 0 else "minus")
    lines += _per_seat("Points", seen["points"], _is_decided, str)
    lines += _per_seat("Totals", seen["totals"], _is_decided, str)
    lines += _per_seat("Lives", view.lives, _is_decided, str)
    lines += [f"Pool: {view.pool} chips"] if view.game.rules.score.chips is not None else []
    lines.append(f"Hand: {' '.join(seen['hand']) or 'empty'}")
    whose = "It is your turn" if seen["turn"] == view.seat else f"It is the turn of seat {seen['turn']}"
    lines.append("The match is over." if view.phase == "over" else f"{whose}: {view.phase}.")
    return [*lines, f"Legal actions: {' '.join(f'[{action}]' for action in seen['legal']) or 'none'}"]


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
