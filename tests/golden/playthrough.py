"""Golden playthroughs: one text per variant about a whole match, so that any change of behaviour shows.

A file holds the rules, the first deal ply by ply, and of every later deal its result and a checksum of its plies.
"""

import zlib
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from textwrap import wrap

import hearts_env as he
from hearts_env.ruleset.syntax import write_value
from tests.oracle.rules import height

FOLDER = Path(__file__).parent
BASIS = "black_lady"
"""The variant whose file lists every field; the others list what they change."""
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


def path_of(variant: str) -> Path:
    """The file of a variant."""
    return FOLDER / f"{variant}.txt"


def playthrough(variant: str, *, whole: bool = False) -> str:
    """The text of a variant's file; with `whole`, every ply of every deal and the match's record as well."""
    return "\n".join(_lines(he.VARIANTS[variant], whole)) + "\n"


def _lines(variant: he.Variant, whole: bool) -> Iterator[str]:
    match = he.Match(variant.name, seed=SEEDS.get(variant.name, SEED))
    yield f"A match of {variant.name}, version {variant.version}, seed {match.seed}"
    yield from ("", *_rules_lines(match, everything=variant.name == BASIS))
    yield from ("", *_match_lines(match, whole))
    record = match.record()
    yield f"record: {len(record.splitlines())} lines, checksum {_checksum(record.splitlines())}"
    for players in variant.players:
        if players != match.rules.players:
            yield _other_table(he.rules(f"{variant.name}(players={players})"))
    if whole:
        yield from ("", *record.splitlines())


def _rules_lines(match: he.Match, *, everything: bool) -> Iterator[str]:
    game, fields, basis = match.game, match.rules.flat(), he.rules(BASIS).flat()
    yield f"rules {match.rules}{'' if everything else f', which changes of {BASIS}'}"
    for path, value in fields.items():
        if everything or value != basis[path]:
            yield f"  {path} = {write_value(value)}"
    yield from _paragraph(f"pack of {len(game.deck)}: {' '.join(game.deck.cards)}")
    yield from _paragraph(f"other actions: {' '.join(game.actions[len(game.deck.kinds) :]) or 'none'}")
    layout = he.observation_layout(match.rules).items()
    columns = [f"{name} {field.columns.start}:{field.columns.stop} ({field.unit})" for name, field in layout]
    yield from _paragraph(f"observation columns (what a 1 stands for): {', '.join(columns)}")


def _paragraph(text: str) -> list[str]:
    return wrap(text, 110, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _match_lines(match: he.Match, whole: bool) -> Iterator[str]:
    while not match.over:
        number = match.deal_number
        head = f"deal {number + 1}, dealer {match.dealer}, passing {match.direction}"
        plies = list(_play_deal(match))
        result = f"points {match.deal_points[-1]}, totals {match.totals}"
        if whole or number == 0:
            yield f"{head}: phase, seat, checksum of its observation, action, the legal ones"
            yield from plies
        yield f"{head}: {_digest(plies)}, {result}"
    yield f"over: ranking {match.ranking}, losers {match.losers}"


def _play_deal(match: he.Match) -> Iterator[str]:
    number = match.deal_number
    while not match.over and match.deal_number == number:
        seat, legal = match.seat, match.legal()
        assert seat is not None
        checksum = zlib.crc32(match.view(seat).observation().astype("<f4").tobytes())
        action = _choose(match, legal)
        yield f"  {match.phase:5} {seat} {checksum:08x} {action:3} out of {_by_suit(legal)}"
        match.play(action)


def _by_suit(legal: list[str]) -> str:
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
    return f"{len(plies)} plies, checksum {_checksum(plies)}"


def _checksum(lines: Iterable[str]) -> str:
    return f"{zlib.crc32(chr(10).join(lines).encode()):08x}"


def _other_table(rules: he.Rules) -> str:
    match = he.Match(rules, seed=SEED)
    plies = list(_play_deal(match))
    return f"first deal of {rules}: {_digest(plies)}, points {match.deal_points[0]}"
