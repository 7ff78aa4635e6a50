"""The `hearts` command: what it prints, what it refuses and in which words, and how it ends."""

from __future__ import annotations

import io
import json
import random
import re
import shlex
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

import hearts_env as he
from hearts_agents import make_agent
from hearts_env.ruleset.model import field_types
from hearts_env.variants.known import KNOWN
from hearts_training.bench import startup
from hearts_training.cli import main
from hearts_training.cli.app import COMMANDS, parse
from hearts_training.cli.play import Sitting
from hearts_training.folders import hold
from hearts_training.train.options import TrainOptions
from tests.support.games import positions

Output = pytest.CaptureFixture[str]
BOTS = Path(__file__).parents[1] / "engines" / "bots"


def run(capsys: Output, *arguments: str) -> str:
    """What a command prints when all is well."""
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def refused(capsys: Output, *arguments: str, code: int = 2) -> str:
    """The one line with which a command refuses."""
    assert main(arguments) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("hearts: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    return err


def test_help_explains_every_command_and_breaks_no_word(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    def page(width: int, *command: str) -> str:
        monkeypatch.setenv("COLUMNS", str(width))
        text = run(capsys, *command)
        assert max(map(len, text.splitlines())) <= width, (command, width)
        return text

    def words(text: str) -> Counter[str]:
        return Counter(word for word in re.split(r"[\s,]+", text) if word.strip("-─"))  # tyro breaks after commas

    whole = {name: page(400, name, "--help") for name in COMMANDS} | {"--help": page(400, "--help")}
    for name, text in whole.items():
        assert all(words(page(width, *dict.fromkeys((name, "--help")))) == words(text) for width in (60, 80, 120)), name
        assert name == "--help" or f"• {name}" in whole["--help"]
        assert name == "--help" or f"usage: hearts {name}" in text
        assert "Examples:\n  hearts" in text


def rules_from(changes: dict[str, Any]) -> he.Rules:
    """Basic Hearts with changes, the pack among them, so that any number of players will do."""
    return he.rules().replace(**{"deck.remainder": "remove"} | changes)


def test_variants_are_listed(capsys: Output) -> None:
    table = run(capsys, "variants")
    data = json.loads(run(capsys, "variants", "--json"))
    assert [one["name"] for one in data] == list(he.VARIANTS)
    for one in data:
        assert one["name"] in table
        for players in one["players"]:
            changes = one["changes"] | one["changes_by_players"].get(str(players), {}) | {"table.players": players}
            assert he.VARIANTS[one["name"]].build(players) == rules_from(changes)


@pytest.mark.parametrize("name", ["hearts", "queens(end.target=50)", "black_maria(players=5)", *he.VARIANTS])
def test_rules_are_explained(capsys: Output, name: str) -> None:
    page = run(capsys, "rules", name)
    data = json.loads(run(capsys, "rules", name, "--json"))
    assert data["page"] == page
    assert set(data["fields"]) == set(field_types())
    assert he.rules(data["rules"]) == he.rules(name)
    assert data["players"] == he.rules(name).players


def test_rules_are_found_by_the_place_where_people_play(capsys: Output) -> None:
    page = run(capsys, "rules", "bicycle_omnibus")
    assert page.startswith("Bicycle, omnibus: omnibus_hearts(card_values={H:1,QS:13,TD:-10}, moon.cards=")
    assert he.rules_page(KNOWN["bicycle_omnibus"].rules or "") in page


REFUSED = {
    "": "name a command: variants, rules, play",
    "variant": "no command 'variant'; the closest is variants",
    "--version": "there is no option --version before a command (hearts --help)",
    "variants --jsn": "Unrecognized options: --jsn; perhaps you meant --json (hearts variants --help)",
    "variants more": "Unrecognized options: more (hearts variants --help)",
    "replay match.txt --fast": "Unrecognized options: --fast (hearts replay --help)",
    "arena rule -d 5": "Unrecognized options: -d, 5 (hearts arena --help)",
    "rules": "Missing from hearts rules: NAME (hearts rules --help)",
    "rules black_lady(playrs=3)": "the closest is table.players",
    "arena": "name at least one agent",
    "arena rule --deels 5": "; perhaps you meant --deals",
    "arena rule --deals 0": "deals=0 must be at least 1",
    "arena rule --deals five": "Error parsing --deals: no type matching INT could be instantiated from ['five']",
    "arena rule --deals": "Missing value for argument '--deals'. Expected 1 values. (hearts arena --help)",
    "arena rule --json --csv x": "Missing value for argument '--json'",
    "arena rule --seed -1": "seed=-1 is out of range",
    f"arena rule --deals {'9' * 400}": "deals=a number of many digits must be at most 100000000",
    "arena rule --seatings one": "invalid choice 'one' for argument '--seatings'. Expected one of ('one-vs-rest'",
    "arena rule --json /no/such/folder/file": "/no/such/folder is not a folder",
    "arena rule --json .": "is a folder; name a file in it",
    "arena rule --save -": "--save - is not possible",
    "arena rule --json - --csv -": "--json and --csv cannot both go to standard output",
    "arena rule --save x --json x": "--json and --save cannot both go to x",
    "arena rule --plot picture.gif": "must be a file that ends in .png or .svg",
    "arena rule --matches 2 --deals 3": "deals=3 and matches=2 contradict: give one of them",
    "arena rule --luck --deals 5": "luck adjustment needs deals=20 or more, not 5",
    "arena rule random --power 0": "difference=0.0 (of --power) must be 1e-06 points or more",
    "arena rule random --power 1e-160": "difference=1e-160 (of --power) must be 1e-06 points or more",
    "arena rule random --power 1 --matches 3": "leave out --matches",
    "arena rule rule --power 1 --deals 5": "the margins do not vary",
    "arena net:/no/such": "/no/such",
    "train --minutes soon": "Error parsing --minutes: no type matching FLOAT could be instantiated from ['soon']",
    "train --device gpu": "invalid choice 'gpu' for argument '--device'. Expected one of ('auto', 'cpu', 'cuda')",
    "train --set learning_rate": "write NAME=VALUE with one of num_envs",
    "train --set epochs=many": "write it like epochs=2",
    "train --set opponents=rule,shooter": "write it like opponents=rule; shooter",
    "bench --repeats 0": "repeats=0 must be at least 1",
    "bench --seconds inf": "seconds=inf must be above 0 and finite",
    "play --agents rule rule": "--agents names 2; name one for all seats or 3",
    "play --agents nobody": "no agent 'nobody'",
    "play --save /no/such/folder/file": "cannot be written",
    "replay": "name the file of a record or of games",
    "replay /no/such/file": "/no/such/file cannot be read: No such file",
    "train --algorithm dmc": "Unrecognized options: --algorithm, dmc",
    "distil --epochs 0": "epochs=0 must be at least 1",
    "train --set clip=nan": "clip=nan",
    "train --set clip=0.1 clip=0.2": "--set gives clip twice; keep one",
    "train --variants=": "variants='' must be a text, such as black_lady",
    "train --variants black_lady(moon.mode=none,score.card_values={},target=none,max_deals=4)": "nothing to learn",
    "benchmark --check x --plot x.png": "--check draws nothing; leave --plot out",
    "benchmark rule --training-hours nan": "training_hours=nan is not possible",
    "benchmark rule --training-hours -1": "training_hours=-1.0 must be 0 or more",
    "exploit rul": "no agent 'rul'",
    "exploit rule --minutes -1": "minutes must be 0 or more",
    "exploit rule --candidates pimc(worlds=0)": "worlds=0",
    "partners rule": "two agents or more",
    "partners rule guard --variant black_lady": "a game with teams of two, not black_lady",
    "partners rule guard --deals 0": "deals=0 must be 1 or more",
    "evaluate rule --variant openspeil": "closest",
    "evaluate rule --only passing --variant black_lady(cycle=[hold])": "has no pass",
    "evaluate rule --deals 1": "at least 2",
    "evaluate": "name the agents",
    "evaluate rule --only moons --variant queens": "has no moon suite",
    "evaluate ruel": "the closest is rule",
    "evaluate rule --plot passes.txt": "ends in .png or .svg",
    "evaluate rule --processes 0": "processes=0 must be from 1 to 1024",
    "evaluate rule --workers head": "workers=head is no address",
    "evaluate rule --workers a..b:80": "workers=a..b:80 is no address",
    "benchmark rule --split F": "'F' is not a split; splits are A, train_0",
    "benchmark rule --split train_0:4 --reference pimc": "--reference pimc is not for train_0:4",
    "benchmark rul": "no agent 'rul'; the closest is rule",
    "benchmark rule --reference shoter": "no agent 'shoter'; the closest is shooter",
    "benchmark rule --json /no/such/file": "/no/such is not a folder",
    "benchmark rule --told next": "told=next is for a network for all rules",
    "benchmark net(hearts,told=nothing)": "is told nothing of the rules; name the network alone, and add",
    "benchmark": "give one of an agent, --check, --compare, --seeds",
    "benchmark rule --check x": "give one of an agent",
    "benchmark --compare x": "--compare takes two folders, not 1",
    "benchmark --check x": "x holds no entry.json",
}
"""Command lines, and words of the one line with which they are refused."""


def test_bad_arguments_are_refused_in_one_line(capsys: Output) -> None:
    for line, words in REFUSED.items():
        assert words in refused(capsys, *line.split()), line


def test_the_examples_of_the_help_pages_can_be_parsed() -> None:
    for name, command in COMMANDS.items():
        examples = [line for line in (command.__doc__ or "").splitlines() if line.startswith("      hearts ")]
        assert examples, name
        for line in examples:
            words = shlex.split(line)
            assert isinstance(parse(words[1:]), COMMANDS[words[1]])


ABSENT = ModuleNotFoundError("No module named 'torch'", name="torch")


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (KeyboardInterrupt(), 130, "interrupted"),
        (ABSENT, 2, "torch is not installed; pip install 'hearts-env[training]'"),
    ],
)
def test_a_command_that_cannot_go_on_ends_in_one_line(
    capsys: Output, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, line: str
) -> None:
    monkeypatch.setattr(COMMANDS["train"], "run", Mock(side_effect=error))
    assert f"hearts: {line}" in refused(capsys, "train", code=code)


# --- arena, agents, train, bench -------------------------------------------------------------------


def test_a_seed_that_was_drawn_is_shown_at_the_end(tmp_path: Path, capsys: Output) -> None:
    file = tmp_path / "table.json"
    last_line = run(capsys, "arena", "rule", "random", "--deals", "3", "--json", str(file)).splitlines()[-1]
    data = json.loads(file.read_text())
    assert last_line == f"--seed {data['seed']} plays the same deals again."
    assert data["seed"] > 2**32
    again = json.loads(
        run(capsys, "arena", "rule", "random", "--deals", "3", "--json", "-", "--seed", str(data["seed"]))
    )
    assert [agent["points"] for agent in again["agents"]] == [agent["points"] for agent in data["agents"]]
    assert "plays the same deals" not in run(capsys, "arena", "random", "--deals", "1", "--seed", "3")


def test_a_table_of_substitutes_is_told_loudly(capsys: Output) -> None:
    bad = f"exec(command={sys.executable} -I -S {BOTS / 'bad.py'} 'names an illegal card', time_ms=10000)"
    # with this seed nobody shoots the moon, whose shooter would decide once more
    assert main(["arena", bad, "random", "--deals", "1", "--seed", "1"]) == 1
    out, err = capsys.readouterr()
    assert err.endswith("hearts: the table does not measure bad: 256 of 256 decisions were substituted\n")
    assert "bad is exec(command=" in " ".join(out.split())


def test_the_arena_writes_every_form(tmp_path: Path, capsys: Output) -> None:
    arguments = ["arena", "rule", "random", "rule(shoot=0.9)", "--deals=20", "--seatings=round-robin", "--seed=0"]
    files = {name: tmp_path / f"table.{name}" for name in ("json", "csv", "markdown", "svg", "save")}
    options = [f"--{'plot' if name == 'svg' else name}={file}" for name, file in files.items()]
    table = run(capsys, *arguments, *options, "--luck")
    assert set(tmp_path.iterdir()) == set(files.values())
    data = json.loads(files["json"].read_text())
    assert f"{data['agents'][0]['margin_adjusted']:+.2f} ± " in table
    lines = [line.rstrip() for line in table.splitlines()]
    assert " 3 rule(shoot=0.9)" in "\n".join(lines)
    assert "display\n\nmargin" in "\n".join(lines)
    rules = {line for line in lines if line.startswith(" ──")}
    assert len(rules) == 1, "the tables are of one width"
    assert files["svg"].read_text().startswith("<?xml")
    for form in ("csv", "markdown"):
        out = run(capsys, *arguments, *options[-1:], f"--{form}", "-", "--luck")  # from the save: the same times, too
        assert out == files[form].read_text()


def test_the_arena_says_how_many_deals_are_needed(capsys: Output) -> None:
    arguments = ["arena", "rule", "random", "--power", "0.5", "--deals", "40", "--seed", "0"]
    table = run(capsys, *arguments)
    data = json.loads(run(capsys, *arguments, "--json", "-"))
    assert (
        f"Detecting a difference of 0.5 points per deal takes {data['deals']:,} deals (two-sided 5%, power 80%), "
        in table
    )
    assert data["deals"] == max(agent["deals"] for agent in data["agents"])
    assert (data["pilot_deals"], data["difference"], data["alpha"], data["power"]) == (40, 0.5, 0.05, 0.8)


def test_a_failed_agent_leaves_a_record_that_replays(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hearts_agents.uniform import RandomAgent

    def gives_up(agent: RandomAgent, views: he.Views) -> None:
        raise RuntimeError("I give up")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(RandomAgent, "act_batch", gives_up)
    line = refused(capsys, "arena", "rule", "random", "--deals", "3")
    assert "agent random, deal 0, seat 0, phase pass: it raised RuntimeError: I give up" in line
    assert "hearts replay arena-failure.hearts" in line
    assert "seat 0 must pass a card" in run(capsys, "replay", "arena-failure.hearts")


def test_an_interrupted_arena_shows_what_it_has_and_says_how_to_go_on(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hearts_agents import arena

    partial: arena.ArenaResult | None = arena.run_arena(["random"], deals=3)

    def interrupted(*_: Any, **__: Any) -> None:
        raise arena.ArenaInterrupted(partial)

    monkeypatch.setattr(arena, "run_arena", interrupted)
    saving, counted = (
        ["arena", "random", "--save", str(tmp_path / "x")],
        "interrupted; the table counts the finished deals",
    )
    for arguments, message in (
        (saving[:2], counted),
        (saving, f"{counted}; the same command with {' '.join(saving[2:])} continues"),
    ):
        assert main(arguments) == 130
        out, err = capsys.readouterr()
        assert "3 deals" in out
        assert "seed 0" in out
        assert err == f"hearts: {message}\n"
    partial = None
    assert refused(capsys, *saving, code=130) == "hearts: interrupted before any deal was finished\n"
    monkeypatch.setattr(arena, "plan_deals", interrupted)
    assert refused(capsys, "arena", "random", "--power", "1", code=130) == "hearts: interrupted\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_a_table_is_shown_and_other_files_are_written_if_one_cannot_be(
    capsys: Output, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files = ["--json", "one.json", "--csv", "/dev/full", "--markdown", "three.md"]
    assert main(["arena", "rule", "random", "--deals", "2", "--seed", "1", *files]) == 2
    output = capsys.readouterr()
    assert "margin" in output.out
    assert "/dev/full" in output.err
    assert json.loads(Path("one.json").read_text())["deals"] == 2
    assert "random" in Path("three.md").read_text()


def test_agents_are_listed(capsys: Output) -> None:
    data = json.loads(run(capsys, "agents", "--json"))
    assert {"random", "rule", "net"} <= {agent["name"] for agent in data}
    table = run(capsys, "agents")
    assert len(table.splitlines()) < 3 * len(data)
    parameters = run(capsys, "agents", "rule")
    assert all(one["name"] in parameters for one in data[1]["parameters"])
    for agent in data:
        assert agent["name"] in table
        assert all({"name", "type", "default", "doc"} == set(one) for one in agent["parameters"])


@pytest.fixture
def trained(monkeypatch: pytest.MonkeyPatch) -> list[TrainOptions]:
    """The options that training was asked for, in place of training."""
    from hearts_training.train import start as train

    asked: list[TrainOptions] = []

    def pretend(options: TrainOptions) -> Any:
        asked.append(options)
        figures = {"deals": 10, "minutes": 0.5, "decisions_per_second": 1234.0}
        names = {"folder": Path("runs/x"), "agent": "net:runs/x"}
        ends = {"interrupted": options.seed == 13, "table_interrupted": options.seed == 14}
        return SimpleNamespace(arena={}, start="", variant="black_lady", **ends, **names, **figures)

    monkeypatch.setattr(train, "run_training", pretend)
    return asked


def test_train_passes_its_options_on(trained: list[TrainOptions], capsys: Output) -> None:
    out = run(capsys, "train")
    assert trained == [TrainOptions()]
    assert "10 deals in 0.5 minutes, 1,234 decisions/s" in out
    assert "net:runs/x" in out
    line = "train --variant queens --minutes 0.5 --out runs/x --seed 4 --threads 1 --device cpu --arena-deals 7"
    line += " --set objective=match learning_rate=0.01 hidden=32,16 bfloat16=false clip=1"
    run(capsys, *line.split())
    values = {"objective": "match", "learning_rate": 0.01, "hidden": (32, 16), "bfloat16": False, "clip": 1.0}
    options = {"variant": "queens", "minutes": 0.5, "out": Path("runs/x"), "seed": 4, "threads": 1, "device": "cpu"}
    assert trained[1] == TrainOptions(**options, arena_deals=7, hyper_parameters=values)  # type: ignore[arg-type]
    run(capsys, *["train", "--cpu-time", "--set", "opponents=shooter;rule", "hidden=8"])
    values = {"opponents": ("shooter", "rule"), "hidden": (8,)}
    assert trained[2] == TrainOptions(cpu_time=True, hyper_parameters=values)
    assert main(["train", "--seed", "13"]) == 130
    assert "continue with: hearts train --resume runs/x" in capsys.readouterr().err
    assert main(["train", "--seed", "14"]) == 0
    assert "the final table was interrupted; it is played again by: hearts arena net:runs/x" in capsys.readouterr().err


@pytest.mark.exhaustive
@pytest.mark.release
def test_bench_prints_a_table_and_leaves_out_what_is_not_installed(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(startup, "measure", lambda repeats: {"cold_compile": 9.0, "warm_start": 1.0, "import": 0.1})
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    file = tmp_path / "bench.json"
    table = run(capsys, "bench", "--seconds", "0.0001", "--repeats", "1", "--json", str(file))
    data = json.loads(file.read_text())
    assert set(data) == {"machine", "versions", "rows"}
    assert all(set(row) == {"name", "rate", "unit", "threads"} and row["rate"] > 0 for row in data["rows"])
    names = "kernel_random kernel_observed kernel_observed_uint8 vector_env aec_raw aec_env connect_four_raw"
    names += " connect_four_env cold_compile warm_start import"
    assert set(names.split()) == {row["name"] for row in data["rows"]}
    assert {row["threads"] for row in data["rows"] if row["name"] == "vector_env"} == {1, 2}
    assert all(name in table for name in names.split())
    assert "aec_raw: " in table
    assert "numpy" in data["versions"]


# --- play and replay -------------------------------------------------------------------------------


def type_in(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_two_arenas_do_not_share_a_file(tmp_path: Path, capsys: Output) -> None:
    save = tmp_path / "arena.save"
    with hold(save):
        found = refused(capsys, "arena", "random", "--deals", "2", "--seed", "1", "--save", str(save))
    assert "arena.save is in use by another run" in found


def test_play_serves_a_person_and_saves(tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    type_in(
        monkeypatch, "help", "legal", "table", "rules", "", "QX", "2C", f"save {tmp_path / 'one'}", "save", "4c 7C,8c"
    )
    out = run(capsys, "play", "--seed", "7", "--agents", "random", "--save", str(tmp_path / "two"))
    for words in (
        "You are seat 0",
        "save FILE",
        "4C 7C 8C AC",
        "## Scoring",
        "'QX' is not a card",
        "You do not hold that card. Possible: 4C 7C",
        "name a file",
        "you passed ♣4 7 8 and received",
        "you play",
    ):
        assert words in out
    assert "trick 1 of 13" in out
    assert "passing left" in (tmp_path / "one").read_text()
    saved = he.Match.replay((tmp_path / "two").read_text())
    assert saved.log[0].actions[:3] == [(0, "4C"), (0, "7C"), (0, "8C")]
    printed = run(capsys, "replay", str(tmp_path / "two"))
    assert "seat 3" in printed
    assert "trick 1 of 13" in printed
    type_in(monkeypatch, "quit")
    assert "trick 1 of 13" in run(capsys, "play", "--save", str(tmp_path / "two"))
    again = he.Match.replay((tmp_path / "two").read_text())
    assert (again.seed, again.log[0].actions[:3]) == (7, saved.log[0].actions[:3])
    assert "leave out --seed" in refused(capsys, "play", "--save", str(tmp_path / "two"), "--seed", "8")
    (tmp_path / "two").write_text(next(one for one in positions("black_lady(max_deals=1)", 1) if one.over).record())
    assert "exists already" in refused(capsys, "play", "--save", str(tmp_path / "two"))


ADVISED = """2C 5♣ 9c 4D, 10d QD 3H 7H KH 6S JS qs "ace of spades"
down
left
QS JS 2H
QS JS KH
undo
QS JS KH
2D 3D
2D 3D 5D
5C
2c
3C AC 4C
2: 6H

JC kitty 8S
help
totals 5 0 8 13
totals 5
dealer 4
JC 7C
9c
"""


def test_advice_beside_a_real_table(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    """A trick of a stranger's, from a pipe: what is mistyped is said in one line and changes nothing."""
    monkeypatch.setattr("sys.stdin", io.StringIO(ADVISED.replace('"', "")))
    out = run(capsys, "advise")
    lines = out.splitlines()
    for words in (
        "the pass of this deal: left, right, across or hold [left] > down is no pass of this game",
        "the 3 cards that you pass > You do not hold 2H",
        "the 3 cards that you receive > 2 cards named; 3 needed",
        "your lead > You may not play 5C: opening.card fixes the first lead; legal: 2C",
        "the lead of seat 2 > trick 2: seat 2 cannot play 6H under these rules, whatever else it holds",
        "type the lead of seat 2",
        "seat 0 took 0 cards of the kitty; kitty names 1",
        "Type cards in any spelling",
        "totals has 1 entries; black_lady needs 4",
        "dealer=4 is not a seat",
    ):
        assert words in out
    assert out.count("seat 0 passed ♠Q J  ♥K and received ♦2 3 5") == 2
    assert "You have no choice: 2C." in lines
    assert [line.split() for line in lines if line.startswith("QS ")][-1] == ["QS", "100%", "0%", "0%"]
    assert re.search(r"^net:black_lady would choose \w\w$", out, re.MULTILINE)
    assert re.search(r"^\w\w +\d+%  (best|\+\d+\.\d ± \d+\.\d)$", out, re.MULTILINE)
    assert lines[-1].endswith("> the card of seat 1 > ")
    assert "--seat 4 is not at the table; seats are 0 to 3" in refused(capsys, "advise", "--seat", "4")


def test_quit_and_the_end_of_input_leave_quietly(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    type_in(monkeypatch, "quit")
    assert "trick" in run(capsys, "play", "--seat", "2", "--agents", "random", "random", "rule")
    type_in(monkeypatch)
    assert re.search(r"> \nseed \d+\n$", run(capsys, "play"))


def test_the_others_are_not_told_the_seed_of_the_deals(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    from hearts_agents.uniform import RandomAgent

    seeds: list[int] = []
    original = RandomAgent.reset

    def noted(agent: RandomAgent, seed: int) -> None:
        seeds.append(seed)
        original(agent, seed)

    monkeypatch.setattr(RandomAgent, "reset", noted)
    type_in(monkeypatch, "quit")
    out = run(capsys, "play", "--seed", "7", "--seat", "2", "--agents", "random", "random", "random")
    drawn = [seed for seed in seeds if seed]  # 0 is from when they are made
    assert len(set(drawn)) == 3
    assert min(drawn) > 2**32
    assert "seed 7" in out


def test_an_interrupted_game_is_saved(tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    assert main(["play", "--save", str(tmp_path / "saved")]) == 130
    assert capsys.readouterr().err == "hearts: interrupted\n"
    assert he.Match.replay((tmp_path / "saved").read_text()).phase == "pass"


def test_a_person_gets_hints_and_takes_decisions_back(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "saved"
    first = he.Match("black_lady", 7).legal()
    monkeypatch.setattr("hearts_training.cli.play.ADVISER", "pimc(worlds=4)")
    type_in(monkeypatch, "undo", "hint", *first[:2], "undo", "analyse", first[2], "quit")
    out = run(capsys, "play", "--seed", "7", "--save", str(file))
    assert "you have not decided anything yet" in out
    hints = re.findall(r"^  (\w+) +(-?\d+\.\d\d)  ± \d+\.\d\d$", out, re.MULTILINE)
    assert {card for card, _ in hints} == set(first)
    assert [float(margin) for _, margin in hints] == sorted(float(margin) for _, margin in hints)
    assert "1 decisions that were not forced cost" in out
    actions = he.Match.replay(file.read_text()).log[0].actions
    assert actions == [(0, first[0]), (0, first[2])]
    type_in(monkeypatch, "hint", "quit")
    out = run(capsys, "play", "--seed", "7", "--variant", "gong_zhu", "--agents", "random")
    margins = [float(margin) for margin in re.findall(r"^  \w+ +(-?\d+\.\d\d)  ± ", out, re.MULTILINE)]
    assert "higher is better" in out
    assert margins == sorted(margins, reverse=True) != []


def test_the_decisions_of_a_record_are_analysed(tmp_path: Path, capsys: Output) -> None:
    match = he.Match("black_lady(cycle=[hold])", 7)
    while match.deal_number == 0:
        match.play(match.legal()[0])
    (tmp_path / "match").write_text(match.record())
    out = run(capsys, "replay", str(tmp_path / "match"), "--analyse", "pimc(worlds=4)")
    costs = [float(cost) for cost in re.findall(r"deal 1, seat \d, action \d+ .* (\d+\.\d\d) ±", out)]
    assert len(costs) == 10
    assert costs == sorted(costs, reverse=True)
    assert "does not value every action" in refused(capsys, "replay", str(tmp_path / "match"), "--analyse", "rule")


def test_a_picture_of_a_record_shows_probabilities(tmp_path: Path, capsys: Output) -> None:
    match = he.Match("black_lady", 7)
    while match.deal_number == 0:
        match.play(match.legal()[0])
    (tmp_path / "match").write_text(match.record())
    arguments = ("replay", str(tmp_path / "match"), "--plot")
    run(capsys, *arguments, str(tmp_path / "deal.svg"), "--seat", "2")
    assert (tmp_path / "deal.svg").read_text().startswith("<?xml")
    for more, words in [
        (["deal.txt"], "ends in .png or .svg"),
        (["deal.png", "--network", "rule"], "rule gives no probabilities"),
        (["deal.png", "--network", "net:gong_zhu"], "net:gong_zhu was trained on gong_zhu"),
        (["deal.png", "--deal", "3"], "deal=3 must be at most 2"),
        (["deal.png", "--seat", "4"], "seat=4 is not a seat"),
        (["deal.png", "--deal", "2"], "seat 0 has decided nothing in deal 2"),
    ]:
        assert words in refused(capsys, *arguments, str(tmp_path / more[0]), *more[1:])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["deal.svg", "match"]


PHASES_TO_TYPE = [
    "complex_hearts", "turbo_hearts", "joker_hearts(jokers.lead=call, heart_lead=free)", "cancellation_hearts",
    "black_lady(pledge=10)", "black_lady(cycle=[left|hold, pool])",
]  # fmt: skip


@pytest.mark.parametrize("rules", PHASES_TO_TYPE)
def test_every_decision_of_every_game_can_be_typed(
    rules: str, tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, rng = he.Match(rules, seed=3), random.Random(3)
    agents = {seat: make_agent("random") for seat in range(1, match.rules.players)}
    for agent in agents.values():
        agent.reset(3)
    asked: list[str] = []

    def answer(prompt: str) -> str:
        if len(asked) == 60:
            raise EOFError
        action = rng.choice(match.legal())
        asked.append((action.partition(":")[2] or action).lower())
        return asked[-1]

    class Watched(Sitting):
        def _print_trick(self, trick: list[tuple[int, str]], called: list[str]) -> None:
            capsys.readouterr()
            super()._print_trick(trick, called)
            output = capsys.readouterr().out
            if not match.trick and match.phase == "play" and match.tricks_won != [0] * match.rules.players:
                winner = f"seat {match.leader} takes" if match.leader else "you take"
                assert f"{winner} it" in output or "nobody takes it" in output

    monkeypatch.setattr("builtins.input", answer)
    Watched(match, 0, agents).play()
    assert "is not possible" not in capsys.readouterr().out
    assert he.Match.replay(match.record()) == match
    (tmp_path / "match").write_text(match.record(), encoding="utf-8")
    printed = run(capsys, "replay", str(tmp_path / "match"))
    assert re.search(r"\dj\b", printed) is None  # complex numbers are written with i


# --- as a process ----------------------------------------------------------------------------------


def test_lists_and_pages_come_without_heavy_imports() -> None:
    code = (
        "import sys; from hearts_training.cli import main; "
        "print([main(line.split()) for line in ('--help', 'variants', 'rules queens', 'train --help', 'rules nope')]); "
        "print([name for name in ('torch', 'numba', 'gymnasium', 'pettingzoo', 'pyspiel') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-2:] == ["[0, 0, 0, 0, 2]", "[]"]


@pytest.mark.exhaustive
def test_an_interrupt_from_outside() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "hearts_training", "play", "--agents", "random"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert any(line.startswith("you must") for line in iter(process.stdout.readline, ""))
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)  # with its input still open: the end of that would end the play as well
        _, err = process.communicate(timeout=60)
        assert (process.returncode, err) == (130, "hearts: interrupted\n")


def test_terminals_without_unicode_read_letters(capsys: Output) -> None:
    main(["variants"])
    assert "♣2 ♦3 ♥Q ♠A · ☃".encode("ascii", "spell") == b"C2 D3 HQ SA - ?"
