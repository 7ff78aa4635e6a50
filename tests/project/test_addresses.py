"""Each rule has an address: the path of its field stands at the line that enforces it, and where it is explained."""

import re
from pathlib import Path

import hearts_env
from hearts_env.ruleset.model import field_types

PACKAGE = Path(hearts_env.__file__).parent


def sources(*rooms: str) -> str:
    """The text of all modules of some rooms."""
    return "".join(
        path.read_text(encoding="utf-8") for room in rooms for path in sorted((PACKAGE / room).rglob("*.py"))
    )


def test_the_path_stands_beside_the_sentence_that_explains_the_rule() -> None:
    comments = " ".join(re.findall("#.*", sources("explain")))
    assert [path for path in field_types() if not re.search(rf"(?<![\w.]){re.escape(path)}\b", comments)] == []


def test_the_path_stands_where_the_rule_is_enforced() -> None:
    enforced = sources("kernel", "compiled")
    assert [path for path in field_types() if not re.search(rf"(?<![\w.]){re.escape(path)}\b", enforced)] == []
