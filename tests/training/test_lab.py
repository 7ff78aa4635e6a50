"""training/lab: what is measured, on a clock that the tests set, and what is tried before a release."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from unittest.mock import patch

import pytest
import torch

import hearts_env as he
from hearts_agents.neural import load_policy
from hearts_agents.neural.rulesnet import RulesNet, load_general, save_general
from hearts_agents.weights import folder_of
from hearts_env.compiled.game import compile_game
from hearts_env.envs.vector import VectorEnv
from hearts_env.seat.view import Views
from hearts_training.train.config import MixedConfig, PPOConfig
from hearts_training.train.mixed import MixedPPO, entry_of
from lab import doors, learning, packages, ship
from lab.door_codes import DOORS, WRAPPER, Door
from lab.doors import use_door
from lab.selves import BothNetworks, League, TwoNetworks, is_early
from lab.tokens import Played, TokenGame, Tokens, tokens

pytestmark = pytest.mark.usefixtures("one_thread")
OURS = [door for door in DOORS if door.code != WRAPPER]


# --- doors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("door", OURS, ids=lambda door: door.name)
def test_every_door_credits_every_point(door: Door) -> None:
    pytest.importorskip("torchrl")
    use = use_door(door, 0.0, "random", games=8)
    assert use.deals >= doors.DEALS
    assert use.paid == use.due < 0


# --- card tokens ----------------------------------------------------------------------------------------------------


def test_card_tokens_play_as_they_were_trained() -> None:
    config = MixedConfig(variants="all", num_envs=8, code=8, minibatch=64, imitation=0.0, bfloat16=False)
    with tokens():
        ppo = MixedPPO([entry_of(he.rules("black_lady(ranks=[Q,K,A], passing.count=1)"))], config, seed=0)
        before = ppo.nets["policy"].state_dict()["start.weight"].clone()
        ppo.round(0.5)
    net = ppo.nets["policy"]
    assert isinstance(net, Tokens)
    assert not torch.equal(net.start.weight, before)
    game = TokenGame(ppo.presets[0], ppo.nets, config, seed=1)
    game.play_deal(False)
    rows, stored = torch.arange(game.experience.count), game.experience
    inputs, masks = stored.inputs.to_dense(rows, stored.inputs.input_size), stored.masks[rows].numpy()
    logits = Played(net, game.env.game).logits(inputs.numpy(), masks)
    assert torch.allclose(torch.from_numpy(logits).log_softmax(1), game.log_probs_of(rows), atol=1e-5)


# --- releases -------------------------------------------------------------------------------------------------------


def test_steps_that_passed_with_this_code_are_not_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = tmp_path / "tried"
    note = f"open({str(tried)!r}, 'a').write('x'); print('3 passed')"
    steps = {"good": ship.Step(("-c", note)), "bad": ship.Step(("-c", "raise SystemExit(1)"))}
    monkeypatch.setattr(ship, "steps", lambda: steps)
    monkeypatch.setattr(ship, "RESULTS", tmp_path / "ship.json")
    for again, times in ((False, 1), (True, 2)):
        with pytest.raises(SystemExit, match="failed: bad"):
            ship.Check(again=again).run()
        assert tried.read_text() == "x" * times
    found = json.loads((tmp_path / "ship.json").read_text())
    assert (found["good"]["passed"], found["good"]["summary"], found["bad"]["passed"]) == (True, "3 passed", False)
    assert {"date", "release", "code", "versions", "seconds"} < found["good"].keys()
    for code, times in ((ship.code(), 2), ("changed", 3)):
        monkeypatch.setattr(ship, "code", lambda code=code: code)
        assert ship.Check(only=("good",)).run() == "every step has passed"
        assert tried.read_text() == "x" * times


@pytest.mark.parametrize(
    ("left_out", "put_in"),
    [("hearts_env/py.typed", ""), ("x.dist-info/licenses/preact-LICENSE", ""), ("", "lab/ship.py")],
)
def test_a_wheel_that_lacks_a_file_or_has_one_too_many_is_refused(tmp_path: Path, left_out: str, put_in: str) -> None:
    names = {name.partition("/")[2] if "/hearts_" in name else name for name in packages.files_of_packages()}
    names |= {"x.dist-info/licenses/LICENSE", "x.dist-info/licenses/preact-LICENSE"}

    def check(names: set[str]) -> None:
        with zipfile.ZipFile(tmp_path / "x.whl", "w") as wheel:
            for name in names - {""}:
                wheel.writestr(name, "")
        packages.check_wheel(tmp_path / "x.whl")

    check(names)
    with pytest.raises(ValueError, match=Path(left_out or put_in).name):
        check((names | {put_in}) - {left_out})


def test_every_step_names_tests_that_exist() -> None:
    steps = ship.steps()
    assert len(steps) > 10
    for step in steps.values():
        for word in (word for word in step.arguments if word.startswith("tests/")):
            assert (ship.ROOT / word).exists()


def test_a_trained_network_becomes_one_that_comes_with_the_suite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ship, "FOLDER", tmp_path)
    commands = ("hearts train",)
    made = ship.Network(folder_of("openspiel"), "mine", commands, 1.0, ("rule",), deals=4, search_deals=0)
    card = json.loads(made.run())
    net, info = load_policy(tmp_path / "mine")
    assert info.extra == card
    assert (card["made_by"], card["results"]["against"]["rule"]["deals"]) == (["hearts train"], 4)
    shipped = load_policy(folder_of("openspiel"))[0].state_dict()
    assert all(torch.equal(value, shipped[name]) for name, value in net.state_dict().items())


def test_a_network_for_all_rules_that_one_game_trained_becomes_a_policy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ship, "FOLDER", tmp_path)
    general = RulesNet(8, 1, 4)
    about = {"variants": "openspiel", "deals": 9}
    save_general(tmp_path / "trained", general, about, run=[{"command": "hearts train"}])
    ship.Network(tmp_path / "trained", "mine", ("hearts train",), 1.0, ("rule",), deals=4, search_deals=0).run()
    net, info = load_policy(tmp_path / "mine")
    assert (info.rules, info.extra["deals"]) == ("openspiel", 9)
    wanted = general.policy(compile_game(he.rules("openspiel"))).state_dict()
    assert all(torch.equal(value.half(), wanted[name].half()) for name, value in net.state_dict().items())
    assert json.loads((tmp_path / "mine" / "policy.json").read_text())["run"] == [{"command": "hearts train"}]


def test_the_mean_of_networks_is_that_of_their_weights(tmp_path: Path) -> None:
    nets = []
    for name, seed in (("one", 1), ("other", 2)):
        torch.manual_seed(seed)
        nets.append(RulesNet(8, 1, 4))
        about = {"variants": "sampled", "deals": seed}
        save_general(tmp_path / name, nets[-1], about, run=[{"command": f"hearts train --out {name}"}])
    folders = tmp_path / "one", tmp_path / "other"
    assert ship.Mean(folders, tmp_path / "mean").run().endswith(f"net:{tmp_path / 'mean'}")
    net, info = load_general(tmp_path / "mean")
    assert (info.extra["deals"], len(json.loads((tmp_path / "mean" / "general.json").read_text())["run"])) == (3, 2)
    one, other = (one.state_dict() for one in nets)
    for name, value in net.state_dict().items():
        torch.testing.assert_close(value, (one[name] + other[name]) / 2)
    save_general(tmp_path / "wide", RulesNet(16, 1, 4), {})
    with pytest.raises(ValueError, match="different sizes"):
        ship.Mean((*folders, tmp_path / "wide"), tmp_path / "no").run()


# --- ideas of learning ----------------------------------------------------------------------------------------------


def test_ideas_are_compared_seed_by_seed_at_equal_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "LINES", tmp_path)

    def line(idea: str, seed: int, margin: float, minutes: float = 5.0) -> str:
        margins = {one: [margin, 0.1] for one in learning.opponents("black_lady")}
        sampled = {one: [2 * margin, 0.1] for one in learning.SAMPLED_AMONG}
        found = {"idea": idea, "seed": seed, "minutes": minutes, "deals": 100, "margins": margins, "sampled": sampled}
        return json.dumps({**found, "conceded": {"shooter": 0.125}})

    lines = [line("plain", 0, 1.0), line("plain", 1, 3.0), line("average", 1, 2.0), line("average", 0, 1.0)]
    lines += [line("average", 2, 9.0), line("plain", 0, 9.0, 20.0)]
    (tmp_path / "black_lady.jsonl").write_text("\n".join(lines))
    met = learning.opponents("black_lady")
    plain, average, longer = (row.cells(met) for row in learning.rows("black_lady"))
    assert plain == ["plain", "5", "2", "100", *["2.00 ± 1.00"] * 5, *["4.00 ± 2.00"] * 2, "12.5%"]
    half, one = ["-0.50 ± 0.50"] * 5, ["-1.00 ± 1.00"] * 2
    assert average == ["average", "5", "3", "100", *half, *one, "12.5%"], "seed 2 has nothing to compare with"
    assert longer[:4] == ["plain", "20", "1", "100"]
    assert longer[4] == "9.00"
    assert longer[5:9] == ["9.00"] * 4


def test_an_idea_that_there_is_not_is_one_line() -> None:
    with pytest.raises(SystemExit, match="no idea 'averages'"):
        learning.Train(("averages",)).run()


def test_a_league_is_filled_with_past_selves_that_play() -> None:
    config = PPOConfig(num_envs=16, hidden=(8,), critic_hidden=(8,), opponents=("rule",) * 3, opponent_games=1.0)
    ppo = League(VectorEnv("black_lady", 16, reward="relative"), config, seed=0)
    filled = []
    for progress in (0.1, 0.45, 0.6, 0.9):
        ppo.collect(progress)
        ppo.update(progress)
        filled.append([place.net is not None for place in ppo.places])
    assert filled == [[False, False], [False, False], [True, False], [True, True]]
    first, last = (place.net for place in ppo.places)
    assert first is not None
    assert last is not None
    assert not torch.equal(first.head.weight, last.head.weight), "each is the policy as it was at that time"
    with patch.object(first, "logits", side_effect=first.logits) as asked:
        ppo.collect(0.95)
    assert asked.called


@pytest.mark.parametrize("variant", ["black_lady", "four_five_four"])
def test_of_two_networks_one_plays_the_pass_and_the_first_tricks(tmp_path: Path, variant: str) -> None:
    config = PPOConfig(num_envs=8, hidden=(8,), critic_hidden=(8,), imitation=0.0, bfloat16=False)
    ppo = TwoNetworks(VectorEnv(variant, 8, reward="relative"), config, seed=0)
    ppo.collect(0.0)
    rows = torch.arange(ppo.experience.count)
    cards = ppo.experience.inputs.to_dense(rows, 52).sum(1)
    both = ppo.log_probs_of(rows)
    for net, mine in ((ppo.policy, cards >= 10), (ppo.late, cards < 10)):
        inputs = ppo.experience.inputs.to_dense(rows[mine], ppo.experience.inputs.input_size)
        alone = net(inputs, ppo.experience.masks[rows[mine]]).log_softmax(1)
        torch.testing.assert_close(both[mine], alone)
    before = ppo.late.head.weight.clone()
    ppo.update(0.0)
    assert not torch.equal(ppo.late.head.weight, before)
    ppo.save_agent(tmp_path)
    views = Views(ppo.env.game, ppo.env.states)
    assert is_early(views).tolist() == (views.observations()[0][:, :52].sum(1) >= 10).tolist()
    assert BothNetworks(tmp_path).act_batch(views).tolist() == ppo.act_batch(views).tolist()
