"""Policies trained on labels: they learn what the labels say, the same one twice, and clear refusals."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from hearts_agents import make_agent
from hearts_agents.arena import run_arena
from hearts_agents.neural import PolicyNet, load_policy, save_policy
from hearts_agents.neural.features import FACTS
from hearts_agents.neural.inputs import first_input_size
from hearts_agents.neural.known import known_names
from hearts_agents.neural.policy import arrays_of
from hearts_agents.neural.rulesnet import RulesNet, described, load_general
from hearts_agents.neural.saved import GENERAL, GeneralInfo
from hearts_agents.neural.sealed import write_network
from hearts_agents.weights import folder_of
from hearts_env.compiled.game import compile_game
from hearts_env.seat.observation import layout_of
from hearts_env.variants.registry import rules
from hearts_training.data import distil as distilling
from hearts_training.data.distil import distil, gain_of, value_loss
from hearts_training.data.label import label
from hearts_training.data.labelled import Decisions
from hearts_training.data.parts import PART
from hearts_training.data.student import KEPT, UNKNOWN
from hearts_training.folders import hold
from hearts_training.options import DistilOptions, LabelOptions

TINY = DistilOptions(hidden=(32, 32), epochs=2, batch=256, held_out=1, threads=1, seed=5)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three files of labels of a small game."""
    return labelled("trio_hearts", tmp_path_factory.mktemp("labels") / "set", 3)


def labelled(variant: str, out: Path, files: int) -> Path:
    label(LabelOptions(agent="pimc(worlds=2)", variant=variant, players=("rule",), seed=3), out, files * PART)
    return out


@pytest.fixture(scope="module")
def options(data: Path) -> DistilOptions:
    return dataclasses.replace(TINY, data=(data,))


@pytest.mark.exhaustive
@pytest.mark.release
def test_a_policy_learns_from_labels(tmp_path: Path) -> None:
    options = dataclasses.replace(TINY, data=(labelled("black_lady", tmp_path / "labels", 3),))
    fractions: list[float] = []
    result = distil(options, tmp_path / "policy", lambda fraction, gain: fractions.append(fraction))
    assert 0.2 < result.gains[-1] < result.best
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1
    agent = make_agent(f"net:{tmp_path / 'policy'}")
    margin = run_arena([agent, "random"], deals=100).agents[0].margin
    assert margin < -1.5  # one search of two worlds a decision; about 0.3 of standard error
    written = json.loads((tmp_path / "policy" / "distil.json").read_text())
    assert written["gains"] == result.gains
    assert written["labels"]["agent"] == "pimc(worlds=2)"
    net, info = load_policy(tmp_path / "policy")
    totals = layout_of(compile_game(rules(info.rules)))["totals"].columns
    assert not next(net.parameters())[:, totals].any()  # labelled deals have none


def test_a_policy_that_diverged_is_not_saved(
    options: DistilOptions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = distilling.step

    def diverge(student: Any, *rest: Any) -> None:
        right(student, *rest)
        next(student.net.parameters()).data.fill_(float("nan"))

    monkeypatch.setattr(distilling, "step", diverge)
    with pytest.raises(ValueError, match="the network holds weights that are not finite; the training diverged"):
        distil(options, tmp_path / "policy")
    assert list((tmp_path / "policy").iterdir()) == []


def test_an_interrupted_run_ends_as_one_that_was_not(options: DistilOptions, tmp_path: Path) -> None:
    options = dataclasses.replace(options, hidden=(8,))

    def stop(fraction: float, gain: float) -> None:
        if fraction > 0.6:
            raise KeyboardInterrupt

    whole = distil(options, tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        distil(options, tmp_path / "parts", stop)
    with pytest.raises(ValueError, match="holds an unfinished run with other options; name another out folder"):
        distil(dataclasses.replace(options, temperature=2), tmp_path / "parts")
    parts = distil(options, tmp_path / "parts")
    assert (parts.gains, parts.decisions) == (whole.gains, whole.decisions)
    names = [{path.name for path in result.folder.iterdir()} for result in (parts, whole)]
    assert names == [{".lock", "distil.json", "policy.json", "policy.safetensors"}] * 2
    weights = [load_policy(result.folder)[0].state_dict() for result in (parts, whole)]
    assert all(torch.equal(weights[0][name], weights[1][name]) for name in weights[0])
    runs = [json.loads((result.folder / "distil.json").read_text())["run"] for result in (parts, whole)]
    assert runs[0] == runs[1]


@pytest.fixture(scope="module")
def small_games(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ...]:
    """Two files of labels of each of two small games."""
    folder, names = tmp_path_factory.mktemp("labels"), ("duel_hearts", "trio_hearts")
    return tuple(labelled(name, folder / name, 2) for name in names)


@pytest.mark.exhaustive
@pytest.mark.release
def test_a_network_for_all_rules_learns_from_labels_of_several_games(
    small_games: tuple[Path, ...], tmp_path: Path
) -> None:
    options = dataclasses.replace(TINY, data=small_games, learning_rate=0.01, epochs=12)

    def stop(fraction: float, gain: float) -> None:
        if fraction > 0.6:
            raise KeyboardInterrupt

    whole = distil(options, tmp_path / "whole")
    assert 0.04 < max(whole.gains) < whole.best
    with pytest.raises(KeyboardInterrupt):
        distil(options, tmp_path / "parts", stop)
    parts = distil(options, tmp_path / "parts")
    assert (parts.gains, parts.decisions) == (whole.gains, whole.decisions)
    nets = [load_general(result.folder)[0].state_dict() for result in (parts, whole)]
    assert all(torch.equal(nets[0][name], nets[1][name]) for name in nets[0])
    unknown = [fact.split()[0] in UNKNOWN for fact in FACTS]
    assert any(unknown)
    assert not nets[0]["facts"][torch.tensor(unknown)].any()
    written = json.loads((tmp_path / "parts" / "distil.json").read_text())
    assert [labels["agent"] for labels in written["labels"]] == ["pimc(worlds=2)"] * 2
    for variant in ("trio_hearts", "gong_zhu"):
        run_arena([f"net:{parts.folder}", "random"], variant, deals=2)


def test_a_network_is_improved_and_keeps_its_form(small_games: tuple[Path, ...], tmp_path: Path) -> None:
    held = dataclasses.replace(TINY, data=small_games[1:], hidden=None, epochs=1, learning_rate=1e-4, temperature=1000)
    better = distil(dataclasses.replace(held, start="black_lady", epochs=3, temperature=0.1), tmp_path / "better")
    assert better.gains[-1] > better.before
    warm = dataclasses.replace(held, start="black_lady", epochs=3, start_temperature=8, temperature=0.1)
    assert distil(warm, tmp_path / "warm").gains != better.gains
    twice = dataclasses.replace(held, start="black_lady", data=small_games[1:] * 2)
    assert distil(twice, tmp_path / "twice").decisions == 2 * better.decisions
    for start, load, size in (("black_lady", load_policy, "hidden"), ("hearts", load_general, "width")):
        result = distil(dataclasses.replace(held, start=start), tmp_path / start)
        assert result.gains == pytest.approx([result.before], abs=0.01)
        old, new = (load(folder)[1] for folder in (folder_of(start), result.folder))
        assert getattr(old, size) == getattr(new, size)
        assert [new.extra.get(name) for name in KEPT] == [old.extra.get(name) for name in KEPT]
    game = compile_game(rules("trio_hearts"))
    observed = int(game.tables["obs_size"])
    save_policy(tmp_path / "observer", PolicyNet(observed, len(game.actions), (8,)), game.rules)
    with pytest.raises(
        ValueError, match="observer reads the observation alone; to be improved, it must read the count"
    ):
        distil(dataclasses.replace(held, start=str(tmp_path / "observer")), tmp_path / "none")
    with pytest.raises(ValueError, match="black_lady plays one game, and the data sets are of 2; name a network for"):
        distil(dataclasses.replace(held, data=small_games, start="black_lady"), tmp_path / "none")
    with pytest.raises(ValueError, match="is for a policy to start from; name it with start"):
        dataclasses.replace(held, start_temperature=2)
    with pytest.raises(ValueError, match="is for random weights; black_lady has its own, leave it out"):
        dataclasses.replace(held, start="black_lady", hidden=(8,))


def earlier_policy(folder: Path) -> None:
    """A policy of a release that did not tell networks who takes the trick."""
    game = compile_game(rules("trio_hearts"))
    net = PolicyNet(first_input_size(game), len(game.actions), (16, 16), len(game.deck.kinds), game.tables["obs_size"])
    save_policy(folder, net, game.rules)


def earlier_general(folder: Path) -> None:
    """The same for all rules."""
    weights, names, place = arrays_of(RulesNet(8, 1, 16)), known_names(), FACTS.index("winner")
    weights["facts"] = np.delete(weights["facts"], place, 0)
    names = {**names, "facts": [fact for fact in FACTS if fact != "winner"]}
    write_network(folder, GENERAL, dataclasses.asdict(GeneralInfo(names, 8, 1, 16, (8, 8), {})), weights, ())


def test_only_weights_of_inputs_that_a_policy_did_not_read_are_learned(
    small_games: tuple[Path, ...], tmp_path: Path
) -> None:
    start = str(tmp_path / "policy")
    options = dataclasses.replace(
        TINY, data=small_games[1:], hidden=None, start=start, new_inputs=True, learning_rate=0.01
    )
    earlier_policy(tmp_path / "policy")
    found = distil(options, tmp_path / "found")
    old, new = (load_policy(folder)[0].state_dict() for folder in (tmp_path / "policy", found.folder))
    changed = {name: (old[name] != new[name]).nonzero() for name in old if not torch.equal(old[name], new[name])}
    assert changed.keys() == {"body.0.weight"}
    columns = len(old["body.0.weight"][0])
    assert {*changed["body.0.weight"][:, 1].tolist()} <= {columns - 3, columns - 2, columns - 1}
    with pytest.raises(ValueError, match="found reads all inputs of these games; leave new_inputs out"):
        distil(dataclasses.replace(options, start=str(found.folder)), tmp_path / "again")
    assert not (tmp_path / "again").exists()
    earlier_general(tmp_path / "general")
    general = dataclasses.replace(options, data=small_games, start=str(tmp_path / "general"))
    found = distil(general, tmp_path / "general_found")
    olds, news = (load_general(folder)[0].state_dict() for folder in (tmp_path / "general", found.folder))
    changed = {name: (olds[name] != news[name]).nonzero() for name in olds if not torch.equal(olds[name], news[name])}
    assert changed.keys() == {"facts"}
    assert {*changed["facts"][:, 0].tolist()} == {FACTS.index("winner")}
    with pytest.raises(ValueError, match="new_inputs is for a policy to start from; name it with start"):
        dataclasses.replace(options, start="")


def test_a_network_for_all_rules_plays_as_before_where_it_must(small_games: tuple[Path, ...], tmp_path: Path) -> None:
    earlier_general(tmp_path / "start")
    options = dataclasses.replace(
        TINY, data=small_games, hidden=None, start=str(tmp_path / "start"), same_under=("duel_hearts",)
    )
    found = distil(dataclasses.replace(options, learning_rate=0.1), tmp_path / "found")
    games = [described(compile_game(rules(name))) for name in ("duel_hearts", "trio_hearts")]
    with torch.no_grad():
        before, after = (load_general(folder)[0].layers(games) for folder in (tmp_path / "start", found.folder))
    olds, news = (load_general(folder)[0].state_dict() for folder in (tmp_path / "start", found.folder))
    assert {name for name in olds if not torch.equal(olds[name], news[name])} == {"facts"}
    learned = {FACTS[place].split()[0] for place in (olds["facts"] != news["facts"]).flatten(1).any(1).nonzero()}
    assert {"winner", "leader", "points"} <= learned <= {"winner", "leader", "points", "dealer", "tricks_won"}
    moved = (news["facts"] - olds["facts"]).transpose(1, 2).flatten(0, 1)
    assert torch.linalg.matrix_rank(moved, rtol=1e-3) <= 3  # it has three seats
    new = distil(dataclasses.replace(options, learning_rate=0.1, new_inputs=True), tmp_path / "new")
    changed = (load_general(new.folder)[0].facts != olds["facts"]).flatten(1).any(1).nonzero().flatten().tolist()
    assert changed == [FACTS.index("winner")]
    duel, trio = (float((new.first - old.first).abs().max()) for old, new in zip(before, after, strict=True))
    assert duel < 1e-3 * trio
    assert trio > 0.01
    earlier_policy(tmp_path / "policy")
    one = dataclasses.replace(options, data=small_games[1:], start=str(tmp_path / "policy"))
    with pytest.raises(ValueError, match="same_under is for a network for all rules; leave it out for one that plays"):
        distil(one, tmp_path / "none")
    with pytest.raises(ValueError, match="same_under has all seats of the games learned from"):
        distil(dataclasses.replace(options, data=small_games[:1]), tmp_path / "none")
    assert not (tmp_path / "none").exists()
    with pytest.raises(ValueError, match="same_under is for a policy to start from; name it with start"):
        dataclasses.replace(options, start="")
    with pytest.raises(ValueError, match="duel_heart"):
        dataclasses.replace(options, same_under=("duel_heart",))


def test_data_sets_that_cannot_be_learned_from_together_are_refused(
    small_games: tuple[Path, ...], tmp_path: Path
) -> None:
    uneven = dataclasses.replace(TINY, data=small_games, hidden=(8, 9))
    with pytest.raises(ValueError, match=r"hidden=\(8, 9\) must be two widths or more, all the same"):
        distil(uneven, tmp_path / "net")
    assert not (tmp_path / "net").exists()


def decisions(values: list[list[float]], masks: list[list[bool]]) -> Decisions:
    n = len(values)
    none = torch.zeros(n, 1)
    chosen = torch.zeros(n, dtype=torch.int64)
    return Decisions(none, torch.tensor(masks), torch.tensor(values), none, none.bool(), chosen)


@pytest.mark.parametrize("before", [0.0, 3.0])
def test_the_loss_is_least_for_the_soft_choice_of_the_mean_values(before: float) -> None:
    masks = [[True, True, False]] * 2
    noisy = decisions([[0.0, 3.0, 0.0], [0.0, -1.0, 0.0]], masks)  # on average the second costs 1 more
    shift, old = torch.linspace(-5, 5, 2001), torch.tensor([[before, 0.0, -1e9]] * 2)
    losses = [float(value_loss(torch.tensor([[x, 0.0, -1e9]] * 2), old, noisy, 2.0)) for x in shift.tolist()]
    assert shift[int(np.argmin(losses))] == pytest.approx(before + 1 / 2.0, abs=0.01)


def test_a_gain_is_over_the_mean_of_legal_actions() -> None:
    test = decisions([[4.0, 0.0, 9.0]], [[True, True, False]])
    assert gain_of(test, torch.tensor([1])) == 2
    assert gain_of(test, torch.tensor([0])) == -2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"held_out": 3}, "has 3 files; 3 are held out, so more are needed"),
        ({"data": (Path("nowhere"),)}, "nowhere holds no labels.json"),
    ],
)
def test_bad_data_are_refused(options: DistilOptions, tmp_path: Path, change: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        distil(dataclasses.replace(options, **change), tmp_path / "policy")  # type: ignore[arg-type]
    assert not (tmp_path / "policy").exists()


def test_a_folder_in_use_is_refused(options: DistilOptions, tmp_path: Path) -> None:
    (tmp_path / "policy").mkdir()
    with hold(tmp_path / "policy"), pytest.raises(ValueError, match="is in use by another run"):
        distil(options, tmp_path / "policy")


def test_a_policy_that_is_there_is_not_replaced(options: DistilOptions, tmp_path: Path) -> None:
    (tmp_path / "policy.json").touch()
    with pytest.raises(ValueError, match="is not empty; name another out folder"):
        distil(options, tmp_path)
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(ValueError, match=r"cannot be written \(File exists\); name another out folder"):
        distil(options, file)
