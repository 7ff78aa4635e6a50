"""Every field of the rules has an address in `hearts_env.explain`: a comment with its path beside its sentence."""

from __future__ import annotations

import io
import re
import tokenize
from pathlib import Path

import hearts_env.explain
from hearts_env.ruleset.model import field_types


def test_every_field_is_named_in_a_comment() -> None:
    comments = []
    for file in Path(hearts_env.explain.__file__).parent.glob("*.py"):
        tokens = tokenize.generate_tokens(io.StringIO(file.read_text(encoding="utf-8")).readline)
        comments += [token.string for token in tokens if token.type == tokenize.COMMENT]
    named = {path for comment in comments for path in re.findall(r"\b[a-z]+\.[a-z_]+\b", comment)}
    assert field_types().keys() - named == set()
    assert {path for path in named if path.split(".")[0] in {p.split(".")[0] for p in field_types()}} <= set(
        field_types()
    )
