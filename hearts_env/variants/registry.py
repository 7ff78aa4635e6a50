"""The registered variants by name, and `rules`, which reads them from text."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from types import MappingProxyType

from hearts_env.ruleset.model import Rules, Variant
from hearts_env.ruleset.syntax import parse_call
from hearts_env.variants.classic import CLASSIC
from hearts_env.variants.large import LARGE
from hearts_env.variants.partners import PARTNERS
from hearts_env.variants.values import VALUES

_REGISTERED = (*CLASSIC, *VALUES, *LARGE, *PARTNERS)

VARIANTS: Mapping[str, Variant] = MappingProxyType({variant.name: variant for variant in _REGISTERED})
"""Every registered variant by its name."""

_BY_ANY_NAME = dict(VARIANTS) | {alias: variant for variant in _REGISTERED for alias in variant.aliases}


def find_variant(name: str) -> Variant:
    """The variant with this name or alias. Raises ValueError naming the closest one if there is none."""
    key = name.strip().lower().replace(" ", "_")
    for spelling in (key, key.replace("-", "_")):
        if spelling in _BY_ANY_NAME:
            return _BY_ANY_NAME[spelling]
    close = get_close_matches(key, _BY_ANY_NAME, n=1, cutoff=0)[0]
    raise ValueError(f"there is no variant {name!r}; the closest is {close} (hearts variants lists all)")


def rules(text: str | Rules = "black_lady") -> Rules:
    """Rules from text such as ``black_lady(players=5, moon.mode=old)``; a `Rules` value passes through.

    Raises ValueError for an unknown variant or field (naming the closest), a bad value or a contradiction.
    """
    if isinstance(text, Rules):
        return text
    name, arguments = parse_call(text)
    return find_variant(name).build().replace(**arguments)
