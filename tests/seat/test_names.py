"""Names that may grow: what is added to the rules later changes no column, action or network of version 1."""

import hashlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import hearts_env as he
from hearts_env.compiled import names as names_module
from hearts_env.compiled import statics
from hearts_env.compiled.game import compile_game
from hearts_env.compiled.names import names, newest
from hearts_env.seat import universal
from hearts_env.seat.universal import universal_of, universal_size
from tests.support.games import COVERING

LAYOUT, ACTIONS = "dc2984b5913cf48e", "3b2c90ea362b3144"


def digest_of(value: Any) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()[:16]


def layout_digest() -> str:
    layout = he.universal_layout(1).items()
    return digest_of([(name, field.columns, field.shape, field.low, field.high, field.unit) for name, field in layout])


def test_version_1_is_frozen() -> None:
    assert (layout_digest(), universal_size(1)) == (LAYOUT, 9140)
    assert (digest_of(he.universal_actions(1)), len(he.universal_actions(1))) == (ACTIONS, 238)
    with pytest.raises(ValueError, match="there are versions 1 to"):
        he.universal_layout(newest() + 1)


@pytest.mark.parametrize("text", [*he.VARIANTS, *COVERING])
def test_every_game_without_an_added_field_has_a_place_in_version_1(text: str) -> None:
    game, known = compile_game(he.rules(text)), names(1).terms
    tables = zip(names().terms.items(), statics.statics_of(game), strict=True)
    if any(rows[..., [name not in known[table] for name in of]].any() for (table, of), rows in tables):
        with pytest.raises(ValueError, match="which version 1 of the universal layout lacks"):
            universal_of(game, 1)
        return
    assert len(universal_of(game, 1).statics) == universal_size(1) - universal.dynamic_size(1)


CACHED = (
    *(names_module.names, names_module.newest, statics.statics_of),
    *(universal.universal_layout, universal.universal_actions, universal.universal_of),
)


@pytest.fixture
def grown(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Version 1 with a term and an answer added in the middle of their lists."""
    terms = {table: {name: of[name] for name in names(1).terms[table]} for table, of in statics.TERMS.items()}
    rules = list(terms["rules"].items())
    rules.insert(7, ("many seats", lambda game: float(game.seats > 4)))
    terms["rules"] = dict(rules)
    for module in (statics, names_module):
        monkeypatch.setattr(module, "TERMS", terms)
    monkeypatch.setattr(names_module, "ANSWERS", {"new": ("yes",), **names_module.ANSWERS})
    for cached in CACHED:
        cached.cache_clear()
    yield
    monkeypatch.undo()
    for cached in CACHED:
        cached.cache_clear()


@pytest.mark.usefixtures("grown")
def test_what_is_added_belongs_to_the_next_version() -> None:
    assert (newest(), layout_digest(), digest_of(he.universal_actions(1))) == (2, LAYOUT, ACTIONS)
    assert he.universal_layout() == he.universal_layout(2)
    assert universal_size() == universal_size(1) + 1
    assert he.universal_actions() == (*he.universal_actions(1), "new:yes")
    assert names().terms["rules"].index("many seats") == 7
    four, six = (compile_game(he.rules(f"black_lady(players={players})")) for players in (4, 6))
    first = he.universal_layout()["rules"].columns.start - universal.dynamic_size() + 7
    assert [universal_of(game).statics[first] for game in (four, six)] == [0, 1]
    assert np.array_equal(np.delete(universal_of(four).statics, first), universal_of(four, 1).statics)
    with pytest.raises(ValueError, match=r"needs many seats, which version 1 of the universal layout lacks; layout="):
        universal_of(six, 1)


@pytest.mark.usefixtures("grown")
def test_environments_take_both_versions() -> None:
    layouts: list[Any] = ["universal", "universal-1"]
    for layout, size in zip(layouts, (9141, 9140), strict=True):
        env = he.vector_env("black_lady", 3, layout=layout, deals=1)
        observations, infos = env.reset(seed=1)
        assert observations.shape == (3, size)
        assert infos["action_mask"].shape == (3, 238 + (size > 9140))
        seen = he.env("black_lady", layout=layout).unwrapped
        seen.reset(seed=1)
        assert seen.observe("player_0")["observation"].shape == (size,)
    with pytest.raises(ValueError, match="needs many seats"):
        he.env("black_lady(players=5)", layout="universal-1")
    with pytest.raises(ValueError, match="layout='universal-3' is not one of"):
        he.env("black_lady", layout="universal-3")


def test_version_1_is_a_part_of_the_newest() -> None:
    rng = np.random.default_rng(0)
    one, two = (
        he.vector_env("turbo_hearts", 5, layout="universal"),
        he.vector_env("turbo_hearts", 5, layout="universal-1"),
    )
    one.reset(seed=3)
    two.reset(seed=3)
    for _ in range(60):
        actions = two.sample_actions(rng)
        one.step(actions)  # numbers of version 1 stay
        two.step(actions)
        assert np.array_equal(
            one.observations[:, : universal.dynamic_size(1) - 64], two.observations[:, : universal.dynamic_size(1) - 64]
        )
    assert two.observations.shape == (5, 9140)
