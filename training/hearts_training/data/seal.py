"""`seal`: check the parts that a release without digests wrote, by playing all their deals again, and seal them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pyarrow as pa

from hearts_agents.files import has_seal, write_file
from hearts_agents.uniform import RandomAgent
from hearts_env.compiled.game import Game, compile_game
from hearts_env.variants.registry import rules as read_rules
from hearts_training.data.deals import Deals
from hearts_training.data.folder import Kind, read_description, remove_drafts, write_description
from hearts_training.data.label import LABELS, SCHEMA, label_table
from hearts_training.data.labelled import decisions_of
from hearts_training.data.parts import (
    PART,
    Description,
    check_part,
    encode_part,
    parse_part,
    part_content,
    part_files,
    part_number,
)
from hearts_training.data.record import GAMES, game_table, schema
from hearts_training.data.recorded import check_games
from hearts_training.data.replay import replay
from hearts_training.provenance import add_entry, entry
from hearts_training.train.run_folder import hold_folder


def seal_folder(folder: Path, progress: Callable[[float], None] = lambda fraction: None) -> tuple[int, int]:
    """Seal a data set whose parts have no digest. Each is played again and compared; parts with a digest are checked.

    Args:
        folder: a folder that `hearts label` or `hearts record` wrote.
        progress: called with the fraction done.

    Returns:
        The number of parts that were sealed, and of all parts.

    Raises:
        ValueError: a folder without a data set, or a part that is broken or plays otherwise; the parts before it are
            sealed, and it is unchanged.
        OSError: the folder cannot be written.
    """
    kind = GAMES if (folder / GAMES.file).exists() else LABELS
    holds, run = read_description(kind, folder, sealed=False)
    with hold_folder(folder):
        remove_drafts(folder)
        files, done = part_files(folder), 0
        for place, file in enumerate(files):
            progress(place / len(files))
            content = part_content(file)
            if has_seal(content):
                check_part(file, holds)
                continue
            table = played_again(kind, holds, file, content)
            write_file(file, encode_part(table, part_number(file), holds))
            done += 1
        run = add_entry(run, entry({}, holds["seed"])) if done else run
        write_description(kind, folder, holds, run)
        return done, len(files)


def played_again(kind: Kind, holds: Description, file: Path, content: bytes) -> pa.Table:
    """A part as its deals are when its actions are played again. Raises ValueError unless that is what it holds."""
    game, number = compile_game(read_rules(holds["variant"])), part_number(file)
    play = _games if kind is GAMES else _labels
    table = parse_part(file, content, SCHEMA if kind is LABELS else schema(game, holds["observations"]))
    try:
        again = play(game, holds, number, table)
    except (LookupError, ValueError) as error:
        raise ValueError(f"{file} does not fit its rules and is not sealed: {error}") from None
    for name in table.column_names:
        if not table[name].combine_chunks().equals(again[name].combine_chunks()):
            raise ValueError(f"{file} is not sealed: played again, its deals have other values in the column {name}")
    return again


def _games(game: Game, holds: Description, number: int, table: pa.Table) -> pa.Table:
    check_games(game, holds["seed"], number, table)
    deals, names = _deals(game, holds, "agents", number)
    logs = table["actions"].to_pylist()
    found = replay(game, deals.starts, logs)
    seats = [found.seats[start:end].tobytes() for start, end in pairwise(found.offsets)]
    return game_table(deals, names, logs, seats, found.ends, found if holds["observations"] else None)


def _labels(game: Game, holds: Description, number: int, table: pa.Table) -> pa.Table:
    """The values of the search stay as they are."""
    decisions_of(game, holds["seed"], number, table)
    deals, names = _deals(game, holds, "players", number)
    rows = table.select(["deal", "step", "choice", "legal", "values", "errors", "worlds"]).to_pylist()
    for row in rows:
        row["place"] = row["deal"] - number * PART
    logs = dict(zip([row["place"] for row in rows], table["actions"].to_pylist(), strict=True))
    found = replay(game, deals.starts[list(logs)], list(logs.values()))
    first = dict(zip(logs, found.offsets, strict=False))
    for row in rows:
        row["seat"] = int(found.seats[first[row["place"]] + row["step"]])
    return label_table(deals, names, logs, rows)


def _deals(game: Game, holds: Description, players: str, number: int) -> tuple[Deals, list[str]]:
    """The deals of a part, and its players' names; what they do is known, so that the players themselves are not
    needed.
    """
    names = [spec.strip() for spec in holds[players]]
    return Deals(game, [RandomAgent() for _ in names], holds["seed"], number), names
