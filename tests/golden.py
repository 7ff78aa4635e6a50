"""Golden playthroughs: one text per variant that tells a whole match, so that any change of behaviour shows.

``python -m tests.golden --write`` writes them anew, after a change that was meant; ``python -m tests.golden`` only says
which ones differ.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import hearts_env as he
from hearts_env.ruleset.syntax import write_value
from tests.oracle.rules import height

FOLDER = Path(__file__).parent / "golden"
SEEDS = {
    "black_lady": 38,
    "omnibus_hearts": 32,
    "black_maria": 1,
    "rickety_kate": 29,
    "spot_hearts": 32,
    "pip_hearts": 11,
    "four_five_four": 2,
    "queens": 6,
    "openspiel": 317,
}
"""Matches in which somebody takes every penalty card, or nearly; a variant that is not listed plays `SEED`."""
SEED = 1
TOLD_DEALS = 2  # every ply of the first deals; of later ones a line


def path_of(variant: str) -> Path:
    """The file of a variant."""
    return FOLDER / f"{variant}.txt"


def playthrough(variant: str) -> str:
    """The text of a variant's file."""
    return "\n".join(_lines(he.VARIANTS[variant])) + "\n"


def _lines(variant: he.Variant) -> Iterator[str]:
    yield f"A match of {variant.name}, version {variant.version}, written by python -m tests.golden --write"
    match = he.Match(variant.name, seed=SEEDS.get(variant.name, SEED))
    yield from _rules_lines(match)
    yield from _match_lines(match)
    for players in variant.players:
        if players != match.rules.players:
            yield from _other_table(he.rules(f"{variant.name}(players={players})"))
    yield ""
    yield "Its record"
    yield ""
    yield from match.record().splitlines()


def _rules_lines(match: he.Match) -> Iterator[str]:
    game = match.game
    yield ""
    yield f"seed {match.seed}"
    yield f"rules {match.rules}"
    yield from (f"  {path} = {write_value(value)}" for path, value in match.rules.flat().items())
    yield f"pack of {len(game.deck)}: {' '.join(game.deck.cards)}"
    yield f"other actions: {' '.join(game.actions[len(game.deck.kinds) :]) or 'none'}"
    yield "observation:"
    for name, field in he.observation_layout(match.rules).items():
        yield f"  {name} {field.columns.start}:{field.columns.stop}, 1 is {field.unit}"


def _match_lines(match: he.Match) -> Iterator[str]:
    number = -1
    while not match.over:
        if match.deal_number != number:
            number = match.deal_number
            yield from _deal_head(match)
        plies = list(_play_deal(match))
        yield from plies if number < TOLD_DEALS else [_digest(plies)]
        yield f"points {match.deal_points[-1]}, totals {match.totals}"
    yield f"over: ranking {match.ranking}, losers {match.losers}"


def _deal_head(match: he.Match) -> Iterator[str]:
    yield ""
    yield f"deal {match.deal_number + 1}, dealer {match.dealer}, passing {match.direction}"
    if match.deal_number < TOLD_DEALS:
        yield "  phase, seat, checksum of its observation, action, the legal ones"


def _play_deal(match: he.Match) -> Iterator[str]:
    number = match.deal_number
    while not match.over and match.deal_number == number:
        seat, legal = match.seat, match.legal()
        assert seat is not None
        checksum = zlib.crc32(match.view(seat).observation().astype("<f4").tobytes())
        action = _choose(match, legal)
        yield f"  {match.phase:5} {seat} {checksum:08x} {action:3} out of {_told(legal)}"
        match.play(action)


def _told(legal: list[str]) -> str:
    """Legal actions by suit: ``3C 5C KC, 7H``."""
    return ", ".join(" ".join(group) for _, group in groupby(legal, key=lambda action: action[-1]))


def _choose(match: he.Match, legal: list[str]) -> str:
    """Any legal action in every other deal; in between one seat plays high and the others low."""
    number = match.deal_number
    if (number + match.seed) % 2 and match.phase == "play":
        bold = (number + match.seed) // 2 % match.rules.players
        return (max if match.seat == bold else min)(legal, key=height)
    ply = f"{match.rules}, {number}, {len(match.log[-1].actions)}"
    return legal[zlib.crc32(ply.encode()) % len(legal)]


def _digest(plies: list[str]) -> str:
    return f"  {len(plies)} plies, checksum {zlib.crc32(chr(10).join(plies).encode()):08x}"


def _other_table(rules: he.Rules) -> Iterator[str]:
    match = he.Match(rules, seed=SEED)
    plies = list(_play_deal(match))
    yield ""
    yield f"first deal of {rules}"
    yield _digest(plies)
    yield f"points {match.deal_points[0]}"


def main(arguments: list[str]) -> int:
    """Write the files, or say which ones differ."""
    if arguments not in ([], ["--write"]):
        print("usage: python -m tests.golden [--write]")
        return 2
    FOLDER.mkdir(exist_ok=True)
    changed = 0
    for variant in he.VARIANTS:
        path, text = path_of(variant), playthrough(variant)
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        changed += 1
        if arguments:
            path.write_text(text, encoding="utf-8", newline="\n")
        print(f"{path.name} {'written' if arguments else 'differs'}")
    return 0 if arguments else min(changed, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
