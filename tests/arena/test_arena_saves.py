"""What is in a save may be damaged or hostile: it gives the same table or a refusal, and starts nothing."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hearts_agents.arena import ArenaInterrupted, plan_deals, run_arena
from hearts_agents.base import AgentRefused
from hearts_agents.engines.player import ExecAgent
from hearts_agents.files import UNSEALED, seal
from hearts_env.play.match import Match

COMMAND: dict[str, Any] = {"agents": ["rule", "random"], "deals": 4, "seed": 2, "tables_at_once": 16}


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, str]:
    """A finished save, and its table."""
    file = tmp_path_factory.mktemp("saves") / "arena.save"
    result = run_arena(**COMMAND, save=file)
    return file.read_bytes(), result.to_json()


def mutate(content: bytes, random: Random) -> bytes:
    """The content with a bit flipped, or bytes changed, cut out, repeated or exchanged."""
    changed, place, other = bytearray(content), random.randrange(len(content)), random.randrange(len(content))
    size = random.randint(1, 20)
    ways = {
        "flip": lambda: changed.__setitem__(place, changed[place] ^ 1 << random.randrange(8)),
        "digit": lambda: changed.__setitem__(place, random.choice(b'0123456789-.,: []{}"ae')),
        "cut": lambda: changed.__delitem__(slice(place, place + size)),
        "repeat": lambda: changed.__setitem__(slice(place, place), content[other : other + size]),
        "end": lambda: changed.__delitem__(slice(place, None)),
    }
    ways[random.choice(["flip", "digit", "digit", "cut", "repeat", "end"])]()
    return bytes(changed)


def check_mutations(saved: tuple[bytes, str], file: Path, seeds: range) -> int:
    """Each damaged save gives the same table or one line. Returns the number of refusals."""
    content, table = saved
    refusals = []
    for seed in seeds:
        file.write_bytes(mutate(content, Random(seed)))
        try:
            assert run_arena(**COMMAND, save=file).to_json() == table, seed
        except ValueError as error:
            refusals.append(str(error))
    assert all(str(file) in line and "\n" not in line for line in refusals)
    return len(refusals)


def test_a_damaged_save_is_refused_or_gives_the_same_table(saved: tuple[bytes, str], tmp_path: Path) -> None:
    assert check_mutations(saved, tmp_path / "arena.save", range(150)) > 100


@pytest.mark.exhaustive
def test_many_damaged_saves(saved: tuple[bytes, str], tmp_path: Path) -> None:
    assert check_mutations(saved, tmp_path / "arena.save", range(150, 1200)) > 900


def test_a_changed_number_is_refused(saved: tuple[bytes, str], tmp_path: Path) -> None:
    data = json.loads(saved[0])
    data["parts"][0]["sums"][1][0][0] += 1
    file = tmp_path / "arena.save"
    file.write_text(json.dumps(data))
    with pytest.raises(ValueError, match=r"arena\.save is a broken save of an arena; name another file"):
        run_arena(**COMMAND, save=file)


def test_a_save_starts_no_program(saved: tuple[bytes, str], tmp_path: Path) -> None:
    """Not even one whose digest is right."""
    data, touched = json.loads(saved[0]), tmp_path / "touched"
    data["command"]["agents"] = [f"exec:touch {touched}", "random"]
    data["sha256"] = UNSEALED
    file = tmp_path / "arena.save"
    file.write_bytes(seal(json.dumps(data).encode()))
    with pytest.raises(ValueError, match="is of another arena: there agents is exec:touch"):
        run_arena(**COMMAND, save=file)
    assert not touched.exists()


def test_a_record_starts_no_program(tmp_path: Path) -> None:
    touched = tmp_path / "touched"
    record = Match("black_lady", seed=1).record()
    for line in ("agents", "seat 0", "rules", "player 1"):
        with pytest.raises(ValueError, match="line"):
            Match.replay(f"{record}{line} exec:touch {touched}\n")
    assert not touched.exists()


def test_without_a_seed_one_is_drawn_and_a_save_keeps_it(tmp_path: Path) -> None:
    command, file = COMMAND | {"seed": None, "deals": 10}, tmp_path / "arena.save"

    def stop(share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(ArenaInterrupted) as stopped:
        run_arena(**command, save=file, progress=stop)
    assert stopped.value.partial is not None
    whole = run_arena(**command, save=file)
    assert whole.seed == stopped.value.partial.seed == json.loads(file.read_text())["command"]["seed"]
    assert whole.agents[0].margin == run_arena(**command | {"seed": whole.seed}).agents[0].margin
    drawn = {run_arena(["random"], deals=1, seed=None).seed for _ in range(4)}
    assert len(drawn) == 4
    assert max(drawn).bit_length() > 50


def test_a_save_of_seed_0_goes_on_with_seed_0(tmp_path: Path) -> None:
    file = tmp_path / "arena.save"
    run_arena(["random"], deals=1, save=file)
    assert run_arena(["random"], deals=1, seed=None, save=file).seed == 0


def test_a_save_keeps_the_names_of_programs(tmp_path: Path) -> None:
    bot = Path(__file__).parents[1] / "engines" / "bots" / "lowest.py"
    command: dict[str, Any] = {"agents": [f"exec(command={sys.executable} -I -S {bot}, time_ms=10000)"], "deals": 1}
    file = tmp_path / "arena.save"
    assert run_arena(**command, save=file).agents[0].called == "lowest"
    assert run_arena(**command, save=file).agents[0].called == "lowest"  # from the save alone


def test_an_empty_save_stands_in_nobodys_way(tmp_path: Path) -> None:
    file = tmp_path / "arena.save"
    with pytest.raises(AgentRefused, match=r"^net:black_lady plays black_lady, not queens$"):
        run_arena(["net:black_lady", "random"], "queens", deals=4, seed=1, save=file)
    run_arena(["net:black_lady", "random"], "black_lady", deals=4, seed=1, save=file)
    with pytest.raises(ValueError, match="is of another arena: there variant is black_lady, here queens"):
        run_arena(["rule", "random"], "queens", deals=4, seed=1, save=file)


def test_programs_have_different_names() -> None:
    one, other = (ExecAgent(f"{sys.executable} {name}.py") for name in ("a", "b"))
    assert one.name != other.name


def test_a_pilot_takes_no_save(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is not for a pilot, whose time is measured; leave it out"):
        plan_deals(["rule", "random"], 0.5, deals=4, seed=1, save=tmp_path / "arena.save")
