"""The small network: its compiled output is that of its layers, and searches by it repeat."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import hearts_env as he
from hearts_agents import make_agent
from hearts_agents.base import AgentRefused
from hearts_agents.search.distilled import LAYERS, SmallNetwork, save_small
from hearts_agents.search.network import NetPimcAgent
from hearts_agents.search.small import LOGITS, best_card, columns_in_all, write_inputs
from hearts_agents.weights import FOLDER, SMALL, folder_of, strongest_agent
from hearts_env.compiled.game import compile_game

GAME = compile_game(he.rules("black_lady"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The network for Black Lady with a small one of random weights."""
    out = tmp_path_factory.mktemp("small") / "net"
    shutil.copytree(folder_of("black_lady"), out)
    rng, inputs, width = np.random.default_rng(1), columns_in_all(4, 52), 64
    shapes = [(inputs, width), (width,), (width, width), (width,), (52, width), (52,)]
    save_small(
        out,
        GAME,
        {name: np.asarray(rng.normal(size=shape) / 4, np.float32) for name, shape in zip(LAYERS, shapes, strict=True)},
    )
    return out


def views() -> he.Views:
    """Of some games in the middle of play."""
    env = he.vector_env("black_lady", 16, deals=1)
    env.reset(seed=3)
    for _ in range(42):
        env.step(env.act("rule"))
    return env.views()


def dense(seen: he.Views) -> NDArray[np.float32]:
    rows = np.zeros((len(seen), columns_in_all(4, 52)), np.float32)
    write_inputs(seen.records, GAME.tables, rows)
    return rows


def test_its_logits_are_those_of_its_layers(folder: Path) -> None:
    net, seen = SmallNetwork(folder), views()
    weights, room, entries = net._network
    sizes = [columns_in_all(4, 52) * 64, 64, 64 * 64, 64, 52 * 64, 52]
    first, bias, second, other, head, last = np.split(weights, np.cumsum(sizes)[:-1])
    hidden = np.maximum(dense(seen) @ first.reshape(-1, 64) + bias, 0)
    logits = np.maximum(hidden @ second.reshape(64, 64) + other, 0) @ head.reshape(52, 64).T + last
    for record, line, view in zip(seen.records, logits, seen, strict=True):
        legal = view.legal_ids()
        cards = np.uint64(sum(1 << kind for kind in legal))
        best = best_card(record, GAME.tables, int(record["seat"]), cards, weights, room, entries)
        assert room[LOGITS, legal] == pytest.approx(line[legal], abs=1e-4)
        assert best == legal[int(line[legal].argmax())]


def test_its_input_shows_nothing_hidden() -> None:
    seen = views()
    worlds = [he.sample_worlds(view, 1, seed=5).records[0] for view in seen]
    others = he.Views(seen.game, np.array(worlds), check=False)
    assert np.array_equal(dense(seen), dense(others))
    assert (dense(seen).sum(1) > 30).all()


def test_a_search_by_it_repeats_and_keeps_to_the_rules(folder: Path) -> None:
    agent, seen = NetPimcAgent(str(folder), worlds=8, candidates=16, small=True), views()
    assert "+" in agent.digest
    agent.reset(4)
    first = agent.act_batch(seen)
    agent.reset(4)
    found = agent.action_values(seen)
    assert np.array_equal(found.actions, first)
    for row, view in enumerate(seen):
        legal = view.legal_ids()
        assert np.isfinite(found.values[row]).sum() == (len(legal) if len(legal) > 1 else 0)
        assert (found.errors[row, legal] >= 0).all() or len(legal) == 1
    assert all(action in view.legal_ids() for action, view in zip(first, seen, strict=True))


def test_worlds_in_which_the_cards_are_likely_weigh_more(folder: Path) -> None:
    net, view = SmallNetwork(folder), next(iter(views()))
    worlds = he.sample_worlds(view, 32, seed=2).records
    weights = net.weights(view, worlds, 0.02, np.inf)
    assert weights.sum() == pytest.approx(1)
    assert len(set(weights)) > 8
    few = net.weights(view, worlds, 0.02, 1.0)
    assert 0 < (few > 0).sum() < 32
    assert few.argmax() == weights.argmax()


def test_what_is_missing_or_broken_is_one_line(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^likha has no small.safetensors; leave small out$"):
        make_agent("net+pimc(likha, small=true)")
    with pytest.raises(AgentRefused, match="plays games of 4 seats and 52 kinds, not black_lady"):
        SmallNetwork(folder).play_out(compile_game(he.rules("black_lady(players=5)")), np.zeros(0))
    content = (folder / SMALL).read_bytes()
    (tmp_path / SMALL).write_bytes(content[: len(content) // 2])
    with pytest.raises(ValueError, match=r"small\.safetensors is broken"):
        SmallNetwork(tmp_path)


@pytest.mark.parametrize("name", sorted(file.parent.name for file in FOLDER.glob(f"*/{SMALL}")))
def test_a_small_network_plays_the_game_of_the_large_one(name: str) -> None:
    net, game = SmallNetwork(name), compile_game(he.rules(name))
    assert (net.seats, net.kinds) == (game.seats, len(game.deck.kinds))
    assert strongest_agent(name, search=True) == f"net+pimc({name}, worlds=64, candidates=256, small=true)"


def test_the_strongest_search_is_an_agent_of_its_game() -> None:
    for text in ("black_lady", "danger_hearts", "black_lady(players=6)"):
        assert make_agent(strongest_agent(he.rules(text), search=True)).act_batch(
            he.Views.of(he.Match(text, seed=1).view(0))
        ).shape == (1,)
