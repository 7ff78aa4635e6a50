"""Rules that people know from sites, apps, leagues and books: texts by name, none of them a variant.

``known.json`` maps each name to a title, the text (null if the rules cannot be typed), what the text leaves out, and
the source (empty for that of the row above).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from hearts_env.errors import RulesError


class KnownRules(NamedTuple):
    """Rules as one place plays them.

    Attributes:
        title: the place, and its switch.
        rules: the text to type; None if no text says these rules.
        missing: what the text does not say; empty if it says everything.
        source: where the rules were read.
    """

    title: str
    rules: str | None
    missing: str
    source: str


def _read() -> dict[str, KnownRules]:
    found, source = dict[str, KnownRules](), ""
    rows = json.loads(Path(__file__).with_name("known.json").read_text(encoding="utf-8"))
    for name, (title, rules, missing, own) in rows.items():
        source = own or source
        found[name] = KnownRules(title, rules, missing, source)
    return found


KNOWN: Mapping[str, KnownRules] = MappingProxyType(_read())
"""Name -> rules."""


def find_known(name: str) -> KnownRules | None:
    """The rules that a name stands for, in upper or lower case; None if it is not among `KNOWN`.

    >>> find_known("Microsoft").rules
    'black_lady(moon.mode=old)'

    Raises:
        RulesError: the rules cannot be typed.
    """
    known = KNOWN.get(name.strip().casefold().replace(" ", "_"))
    if known is not None and known.rules is None:
        raise RulesError(f"the rules of {known.title} cannot be typed: {known.missing}")
    return known
