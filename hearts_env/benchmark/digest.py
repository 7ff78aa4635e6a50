"""One digest for all spellings of a game."""

from __future__ import annotations

import hashlib
import json
import re
from itertools import permutations
from typing import Any

from hearts_env.compiled.game import compile_game
from hearts_env.ruleset.enums import BreakBy
from hearts_env.ruleset.model import BLACK_LADY, Rules

SUITS = "CDS"
"""The suits that can be renamed: hearts are named by leads, by what breaks them and by bonuses."""
UNPLAYED = frozenset(
    {"obs_size", "byte_size", "column", "first_number", "numbers", "number_column", "number_scale"}
    | {"point_scale", "total_scale", "scoring_moves", "pack"}
)
"""Fields of the compiled tables that describe the notation of a position, not its play, or repeat another field."""
_SUIT = re.compile(r"(?<![A-Za-z0-9])(0|[2-9]|T|1[12]|[JQKA]|)([CDS])(?![A-Za-z0-9])")


def rules_digest(rules: Rules) -> str:
    """16 hexadecimal digits that all spellings of a game share, also those that rename clubs, diamonds and spades.

    They are the least digest of the compiled tables over the renamings.

    >>> import hearts_env as he
    >>> rules_digest(he.rules("black_lady"))
    '101c6c54e8175af5'
    >>> clubs = "score.card_values={H:1,QC:13}, first_trick_forbidden=[H,QC], opening.holder=S"
    >>> rules_digest(he.rules(f"black_lady({clubs})"))
    '101c6c54e8175af5'
    """
    # play.break_by: hearts_or_qs and qs name a spade
    renamed = SUITS[:2] if rules.play.break_by in (BreakBy.HEARTS_OR_QS, BreakBy.QS) else SUITS
    return min(_digest(rules, dict(zip(renamed, names, strict=True))) for names in permutations(renamed))


def spelled_out(rules: Rules) -> Rules:
    """The same game as changes of Basic Hearts, whatever variant it is.

    >>> import hearts_env as he
    >>> str(spelled_out(he.rules("spot_hearts")))
    'black_lady(score.card_values={H:10,2H:2,3H:3,4H:4,5H:5,6H:6,7H:7,8H:8,9H:9,QS:25}, end.target=500)'
    """
    return BLACK_LADY.build(**rules.flat())


def _digest(rules: Rules, names: dict[str, str]) -> str:
    flat = {path: _renamed(value, names) for path, value in rules.flat().items()}
    tables = compile_game(BLACK_LADY.build(**flat)).tables
    played = {name: tables[name].tolist() for name in tables.dtype.names if name not in UNPLAYED}
    # Fields that are 0 are left out, so that a field added later does not change the games that lack it.
    used = {name: value for name, value in played.items() if _is_used(value)}
    return hashlib.sha256(json.dumps(used, sort_keys=True).encode()).hexdigest()[:16]


def _is_used(value: Any) -> bool:
    return any(map(_is_used, value)) if isinstance(value, list) else value != 0


def _renamed(value: Any, names: dict[str, str]) -> Any:
    """The value of a field with its suits renamed."""
    if isinstance(value, tuple):
        return tuple(_renamed(one, names) for one in value)
    return _SUIT.sub(lambda found: found[1] + names.get(found[2], found[2]), value) if isinstance(value, str) else value
