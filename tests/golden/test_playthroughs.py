"""Nothing changes unnoticed: every variant plays its golden match as written down."""

import pytest

import hearts_env as he
from tests.golden.playthrough import FOLDER, path_of, playthrough

QUICK = {"black_lady", "booster_nines", "gong_zhu", "partnership_hearts", "complex_hearts"}


def test_every_variant_has_a_playthrough_and_nothing_else_is_there() -> None:
    assert sorted(FOLDER.glob("*.txt")) == sorted(path_of(variant) for variant in he.VARIANTS)


@pytest.mark.parametrize(
    "variant", [pytest.param(name, marks=[pytest.mark.exhaustive] * (name not in QUICK)) for name in he.VARIANTS]
)
def test_the_match_is_as_written(variant: str) -> None:
    assert playthrough(variant) == path_of(variant).read_text(encoding="utf-8"), (
        "behaviour changed; if that was meant, raise the variant's version and run python -m tests.golden --write"
    )
