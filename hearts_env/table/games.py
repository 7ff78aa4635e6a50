"""Games of others as JSON Lines, one object a deal: `read_games` plays and checks them, `write_games` writes them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from hearts_env.compiled.game import Game, compile_game
from hearts_env.kernel.records import STATE
from hearts_env.ruleset.enums import Schedule
from hearts_env.ruleset.model import Rules
from hearts_env.ruleset.syntax import brief, read_gaussian, write_gaussian
from hearts_env.seat.totals import per_seat
from hearts_env.table.log import DealLog, DealStart
from hearts_env.table.match import Match
from hearts_env.table.notation import at_line, rules_text
from hearts_env.variants.registry import rules as read_rules

KEYS: dict[str, Any] = {"rules": "black_lady", "match": None, "deal_number": 0, "direction": "left"}
KEYS |= {"dealer": 0, "leader": 0, "players": ["Ann"], "hands": [["QS"]], "kitty": ["3C"], "passes": [["QS"]]}
KEYS |= {"decisions": ["moon:others"], "plays": ["2C"], "points": [None], "totals": [None]}
KEYS |= {"seed": 0, "seat": 0, "margin": None, "shooter": 0}
"""Key of a deal -> a value such as its values; None stands for any."""
_NEEDED, _NUMBERED = {"rules", "hands", "passes", "plays"}, {"deal_number", "direction"}
MOST_SEEDS = 1 << 16
"""Seeds that are tried for one that draws the passes of a match, where passes are drawn."""
Deal = dict[str, Any]
Line = tuple[int, Deal]


def read_games(path: str | Path) -> Iterator[Match]:
    """The matches of a file of games, as they are read. Every card is played under the rules.

    Each line has the keys ``rules``, ``hands`` before the pass, ``deal_number`` (0 for the first) or ``direction``,
    ``passes`` and ``plays``; if known ``match``, ``dealer``, ``leader``, ``kitty``, ``decisions``, ``players``, and
    ``points`` and ``totals`` after the deal, which are checked. (An arena adds ``seed``, ``seat``, ``margin`` and
    ``shooter``, which are ignored here.) Consecutive lines with the same ``match`` are one match, whose deals are set;
    a line without it is a match. A match that is not over after its last line stands at the start of one more deal,
    dealt by a seed.

    >>> import hearts_env as he, tempfile
    >>> match = he.Match("black_lady", seed=7)
    >>> while not match.deal_points:
    ...     match.play(match.legal()[0])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     he.write_games(f"{folder}/games.jsonl", [match])
    ...     [found] = he.read_games(f"{folder}/games.jsonl")
    >>> found.log[0].actions == match.log[0].actions, found.deal_points == match.deal_points
    (True, True)

    Yields:
        Matches, with the names of the players in `Match.players`.

    Raises:
        ValueError: a line is no deal, or does not agree with the rules: one line with its number and the card.
        OSError: the file cannot be read.
    """
    with Path(path).open("rb") as file:
        yield from games_of(file)


def games_of(lines: Iterable[bytes]) -> Iterator[Match]:
    """The matches of the lines of a file, as `read_games` yields them."""
    deals = ((number, read_line(number, line)) for number, line in enumerate(lines, 1) if line.strip())
    for _, match in groupby(deals, lambda line: (line[1].get("match"), "match" not in line[1] and line[0])):
        yield _play_match(list(match))


def read_matches(path: Path) -> Iterator[Match]:
    """The match of a record, or the matches of a file of games.

    Raises ValueError, in one line that names the file, if it is neither, or cannot be read.
    """
    try:
        content = path.read_bytes()
        if is_games(content):
            yield from games_of(content.splitlines())
        else:
            yield Match.replay(content.decode())
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not text, so it is not the record of a match") from None
    except ValueError as error:
        raise ValueError(f"{path}, {error}") from None


def finished_deals(paths: Iterable[Path], what: str) -> list[tuple[Path, Match, DealLog]]:
    """The finished deals of records and files of games, for `what` needs them to be of one game.

    Raises ValueError, in one line, for a broken file, several games, or no deal.
    """
    found: list[tuple[Path, Match, DealLog]] = []
    for path in paths:
        for match in read_matches(path):
            found += [(path, match, log) for log in match.log if log.points is not None]
            if found and match.rules != found[0][1].rules:
                here = found[0][1].rules
                raise ValueError(f"{path} has deals of {match.rules}, and {what} is of one game, here {here}")
    if not found:
        raise ValueError(f"no deal in {' '.join(map(str, paths))} is finished")
    return found


def is_games(content: bytes) -> bool:
    """True if the content of a file is not a record, but may be of a file of games."""
    return content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")


def read_line(number: int, line: bytes) -> Deal:
    """The deal on a line, whose keys and types are checked. Raises ValueError, in one line."""
    with at_line(number):
        try:
            deal = json.loads(line.decode("utf-8-sig"))
        except (ValueError, RecursionError):
            deal = None
        if not isinstance(deal, dict):
            raise ValueError(f"{brief(line.decode(errors='replace').strip())} is no JSON object")
        deal = {key: value for key, value in deal.items() if value is not None}
        for key, value in deal.items():
            if key not in KEYS:
                raise ValueError(f"there is no key {brief(key)!r}; the keys are {' '.join(KEYS)}")
            if not _fits(value, KEYS[key]):
                raise ValueError(f"{key}={brief(value)} is not possible; {json.dumps(KEYS[key])} would be")
        if missing := sorted(_NEEDED - deal.keys()) or ["deal_number or direction"] * (not _NUMBERED & deal.keys()):
            raise ValueError(f"{missing[0]} is missing")
        return deal


def _fits(value: Any, like: Any) -> bool:
    if isinstance(like, list):
        return isinstance(value, list) and all(_fits(one, like[0]) for one in value)
    return like is None or type(value) is type(like)


def _play_match(lines: Sequence[Line]) -> Match:
    line, first = lines[0]
    with at_line(line):
        match = _begin(lines)
        _play_deal(match, first)
        log, totals = match.log[0], _numbers(first, "totals")
        if totals not in (None, log.totals_after) and first.get("deal_number") != 0 and log.points is not None:
            gains = zip(totals or (), log.points, strict=False)  # earlier deals are not in the file
            match = _begin(lines, [after - points for after, points in gains])
            _play_deal(match, first)
        _check_end(match.log[0], first)
    for number, deal in lines[1:]:
        with at_line(number):
            for key, wanted in (("rules", first["rules"]), ("players", first.get("players"))):
                if deal.get(key) != wanted:
                    raise ValueError(f"{key} of this match were {brief(wanted)} on line {line}")
            if match.over or deal.get("deal_number", match.deal_number) != match.deal_number:
                raise ValueError(f"the match is over, or its next deal has deal_number {match.deal_number}")
            _play_deal(match, deal)
            _check_end(match.log[-1] if match.over else match.log[-2], deal)
    return match


def _begin(lines: Sequence[Line], totals: Sequence[Any] | None = None) -> Match:
    """A match before its first deal is set."""
    deal = lines[0][1]
    game, direction = settable(read_rules(deal["rules"])), deal.get("direction")
    numbers = [deal["deal_number"]] if "deal_number" in deal else range(game.pass_cycle)
    seed = _seed(game, numbers[0], [one.get("direction") for _, one in lines])
    for number in numbers:
        match = Match._set(game.rules, seed, DealStart(None, None, totals, number, True, deal.get("dealer", 0)))
        if direction in (None, match.direction):
            break
    match.players = tuple(per_seat(game, "players", deal["players"])) if deal.get("players") else ()
    return match


def settable(rules: Rules) -> Game:
    """The compiled rules, whose deals can be set. Raises ValueError where they cannot."""
    game = compile_game(rules)
    if any(move.offset == 0 for option in game.options for move in option.moves):
        raise ValueError(f"{game.rules} shuffles the cards that are passed, so that its deals cannot be set")
    return game


def _seed(game: Game, first: int, directions: Sequence[str | None]) -> int:
    """A seed that draws the passes of a match from its deal `first` on, where passes are drawn; 0 elsewhere."""
    from hearts_env.kernel.dealing import draw_entry

    if game.rules.passing.schedule is not Schedule.RANDOM:
        return 0
    drawn = [
        tuple(one.text for place, one in enumerate(game.options) if int(entry) >> place & 1)
        for entry in game.tables["entry_options"]
    ]
    record = np.zeros(1, STATE)[0]
    for record["seed"] in range(MOST_SEEDS):
        for record["deal_number"], direction in enumerate(directions, first):
            if direction not in (None, *drawn[draw_entry(record, game.tables)]):
                break
        else:
            return int(record["seed"])
    raise ValueError(f"no seed draws the passes {_text(directions)}; make each deal a match of its own")


def _play_deal(match: Match, deal: Deal) -> None:
    """Set a deal and play it. Raises ValueError naming the first action that is illegal, is missing or is left over."""
    leader, dealer, kitty = (deal.get(key) for key in ("leader", "dealer", "kitty"))
    match.set_deal(deal["hands"], dealer=dealer, kitty=kitty)
    if leader is not None and match.direction == "hold":
        match.set_deal(deal["hands"], dealer=dealer, kitty=kitty, leader=leader, passing=False)
    _check_direction(match.log[-1], deal)
    given = {"plays": deal["plays"], "decisions": deal.get("decisions", [])}
    passes = per_seat(match.game, "passes", deal["passes"] or [[]] * match.game.seats)
    given |= {f"passes of seat {seat}": cards for seat, cards in enumerate(passes)}
    log, taken = match.log[-1], dict.fromkeys(given, 0)
    while log.points is None:
        phase, place = match.phase, len(log.actions)
        key = {"pass": f"passes of seat {match.seat}", "play": "plays"}.get(phase, "decisions")
        if taken[key] == len(given[key]):
            raise ValueError(f"the {key} break off after {taken[key]}, and seat {match.seat} is to act (phase {phase})")
        action = given[key][taken[key]]
        taken[key] += 1
        if phase == "play" and taken[key] == 1 and leader not in (None, match.leader):
            raise ValueError(f"{action} is led by seat {match.leader}, not {leader}")
        try:
            match.play(action)
        except ValueError as error:
            raise ValueError(f"{brief(action)}, number {taken[key]} of the {key}: {error}") from None
    for key, place in taken.items():
        if place < len(given[key]):
            raise ValueError(f"{brief(given[key][place])}, number {place + 1} of the {key}, is one too many")


def _check_direction(log: DealLog, deal: Deal) -> None:
    if log.direction not in (None, deal.get("direction", log.direction)):
        raise ValueError(f"direction={brief(deal['direction'])}, but deal_number {log.number} passes {log.direction}")


def _check_end(log: DealLog, deal: Deal) -> None:
    _check_direction(log, deal)  # which the dealer may have chosen
    for key, found in (("points", log.points), ("totals", log.totals_after)):
        if _numbers(deal, key) not in (None, found):
            raise ValueError(f"{key} are {_text(deal[key])}, but the cards give {_text(_plain(found or ()))}")


def _numbers(deal: Deal, key: str) -> list[Any] | None:
    return [read_gaussian(value) for value in deal[key]] if key in deal else None


def _text(values: Iterable[Any]) -> str:
    return " ".join(map(str, values))


def write_games(path: str | Path, matches: Iterable[Match]) -> None:
    """Write all deals begun in matches to a file, whole or not at all; `read_games` has an example.

    Raises:
        ValueError: a deal is not over, was set after its pass, or has totals before it that no deal explains.
        OSError: the file cannot be written.
    """
    write_deals(path, (deal for number, match in enumerate(matches) for deal in _deals(match, number)))


def _deals(match: Match, number: int) -> Iterator[Deal]:
    return deals_of(match.rules, [log for log in match.log if log.actions], match.players, number)


def write_deals(path: str | Path, deals: Iterable[Deal]) -> None:
    """Write the lines of a file of games, one after the other, whole or not at all. Raises OSError."""
    file = Path(path)
    draft = file.with_name(f".{file.name}.draft")
    try:
        with draft.open("w", encoding="utf-8", newline="\n") as text:
            text.writelines(json.dumps(deal, ensure_ascii=False) + "\n" for deal in deals)
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)


def deals_of(rules: Rules, deals: Sequence[DealLog], players: Sequence[str], number: int) -> Iterator[Deal]:
    """The lines of the deals of a match, the `number`-th of a file. Raises ValueError as `write_games` does."""
    game = settable(rules)
    for log in deals:
        where = f"deal {log.number + 1} of match {number + 1}"
        if log.points is None or (not log.passing and log.direction != "hold"):
            raise ValueError(f"{where} is not over, or was set after its pass; a file of games holds whole deals")
        if log.number == 0 and set(log.totals) != {int(game.tables["score_chips"])}:
            raise ValueError(f"{where} begins with the totals {_text(log.totals)}, which no deal explains")
        done = list(zip(log.phases, log.actions, strict=True))
        known: Deal = {"match": number if len(deals) > 1 else None, "direction": log.direction, "leader": log.leader}
        known |= {"players": list(players) or None, "kitty": log.kitty or None}
        known["decisions"] = [name for phase, (_, name) in done if phase not in ("pass", "play")] or None
        known |= {"hands": log.hands, "plays": [card for phase, (_, card) in done if phase == "play"]}
        passes = [[card for phase, (by, card) in done if (phase, by) == ("pass", seat)] for seat in range(game.seats)]
        known |= {"passes": passes, "points": _plain(log.points), "totals": _plain(log.totals_after or ())}
        known |= {"rules": rules_text(rules), "deal_number": log.number, "dealer": log.dealer}
        yield {key: known[key] for key in KEYS if known.get(key) is not None}


def _plain(numbers: Iterable[Any]) -> list[int | str]:
    return [write_gaussian(number) if isinstance(number, complex) else number for number in numbers]
