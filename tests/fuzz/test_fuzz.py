"""The cases of past failures, and a short round of every attack; the long ones are ``python -m tests.fuzz``."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hearts_env as he
from hearts_env.compiled.game import compile_game
from hearts_env.kernel import batch
from hearts_env.kernel.records import STATE
from tests.fuzz import __main__ as command
from tests.fuzz import play
from tests.fuzz.attack import NAMES, Attack, BrokenError, Case, attack_named, corpus
from tests.fuzz.campaign import Tally, campaign, hunt

ROUND = {"play": 1, "oracle": 3, "rules": 100, "files": 60, "data": 20, "bots": 1, "kill": 1, "api": 50}
"""Cases of a short round."""
IN_CHILDREN = ("files", "data", "bots", "kill", "api")
"""Their cases may crash the process that checks them."""
SLOW = ("bots", "kill")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the attacks on processes look into /proc")


def run(attack: Attack, **options: Any) -> Tally:
    """A campaign to its end."""
    tally = Tally(attack.name, 0)
    with closing(campaign(attack, **options)) as tallies:
        for found in tallies:
            tally = found
    return tally


# Cases of past failures


@cache
def _failures(name: str, cases: tuple[str, ...]) -> dict[str, str]:
    attack, given = attack_named(name), [json.loads(case) for case in cases]
    tally = run(attack, cases=given, minutes=10) if name in IN_CHILDREN else hunt(attack, given)
    return {json.dumps(found["case"]): found["failure"] for found in tally.failures}


@pytest.fixture
def failure(name: str, case: Case, request: pytest.FixtureRequest) -> str | None:
    """How a case fails. The cases of an attack that are selected are checked together, in one child process."""
    params = [
        item.callspec.params
        for item in request.session.items
        if isinstance(item, pytest.Function) and hasattr(item, "callspec")
    ]
    chosen = [other["case"] for other in params if other.get("name") == name and "case" in other]
    return _failures(name, tuple(map(json.dumps, chosen))).get(json.dumps(case))


def past(*names: str) -> list[Any]:
    return [_past(name, entry) for name in names for entry in corpus(name)]


def _past(name: str, entry: Case) -> Any:
    return pytest.param(name, entry["case"], id=f"{name}: {entry['note']}")


@pytest.mark.parametrize(("name", "case"), past("play", "oracle", "rules"))
def test_past_failures_of_the_rules_do_not_come_back(failure: str | None) -> None:
    assert failure is None


@pytest.mark.parametrize(("name", "case"), past("files"))
def test_past_failures_of_files_do_not_come_back(failure: str | None) -> None:
    assert failure is None


@pytest.mark.parametrize(("name", "case"), past("api"))
def test_past_failures_of_public_doors_do_not_come_back(failure: str | None) -> None:
    assert failure is None


@pytest.mark.exhaustive
@pytest.mark.parametrize(("name", "case"), past(*SLOW))
def test_past_failures_of_processes_do_not_come_back(failure: str | None) -> None:
    assert failure is None


# Short rounds


@pytest.mark.parametrize("name", ["play", "oracle", "rules"])
def test_a_short_round_finds_nothing(name: str) -> None:
    attack = attack_named(name)
    tally = hunt(attack, [attack.case(1, number) for number in range(ROUND[name])])
    assert tally.failures == []
    assert sum(tally.counts.values()) >= ROUND[name]


@pytest.mark.parametrize("name", ["api"])
def test_a_short_round_in_a_child_process_finds_nothing(name: str) -> None:
    assert run(attack_named(name), seed=1, most=ROUND[name]).failures == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["play", "oracle", "rules", *IN_CHILDREN])
def test_a_longer_round_finds_nothing(name: str) -> None:
    tally = run(attack_named(name), seed=2, most=4 * ROUND[name], minutes=10)
    assert tally.failures == []
    assert tally.cases == 4 * ROUND[name]


# The campaign itself


def test_a_child_that_crashes_or_hangs_is_a_failure_and_the_others_go_on(tmp_path: Path) -> None:
    cases: list[Case] = [{"way": way} for way in ("fine", "crash", "fine", "hang", "raise", "leave", "fine")]
    out = tmp_path / "failures.jsonl"
    tally = run(attack_named("self_check"), cases=cases, out=out, minutes=2)
    assert (tally.cases, tally.counts["fine"]) == (7, 3)
    found = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(one["case"]["way"], one["failure"]) for one in found] == [
        ("crash", "the process crashed: SIGSEGV"),
        ("hang", "hangs for more than 2 s"),
        ("raise", "LookupError: two lines"),
        ("leave", "the process ended with exit code 3"),
    ]
    assert found == tally.failures
    assert all(one["repeat"].startswith("python -m tests.fuzz self_check --case '{") for one in found)


def test_a_campaign_ends_in_time_and_counts() -> None:
    tally = run(attack_named("self_check"), seed=3, minutes=0.02, processes=2)
    assert tally.cases == tally.counts["fine"] > 0
    assert f"self_check: {tally.cases:,} cases, {tally.cases:,} fine; 0 failures" in tally.line()


def test_the_command_ends_with_ctrl_c_and_prints_what_is_done(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: Any, **__: Any) -> Iterator[Tally]:
        tally = Tally("rules", 0)
        tally.add(0, {"text": "x"}, Counter(texts=1), None, None)
        tally.add(1, {"text": "y"}, Counter(), "something broke", None)
        yield tally
        raise KeyboardInterrupt

    monkeypatch.setattr(sys, "argv", ["tests.fuzz", "rules"])
    monkeypatch.setattr(command, "campaign", interrupted)
    assert command.main() == 1
    assert capsys.readouterr().out.splitlines() == [
        "interrupted",
        "1 x something broke",
        "    python -m tests.fuzz rules --seed 0 --number 1",
        "rules: 2 cases, 1 texts; 1 failures; 0 s",
    ]


@pytest.mark.parametrize("name", NAMES)
def test_cases_are_json_and_follow_from_seed_and_number(name: str) -> None:
    attack = attack_named(name)
    drawn = [attack.case(4, number) for number in range(3)]
    assert drawn == [attack.case(4, number) for number in range(3)] == json.loads(json.dumps(drawn))
    assert drawn != [attack.case(5, number) for number in range(3)]


# What must be found is found


def states_of(text: str, decisions: int) -> tuple[Any, Any]:
    game, states = compile_game(he.rules(text)), np.zeros(8, STATE)
    batch.start_all(states, game.tables, np.arange(8, dtype=np.uint64), 0, 0)
    batch.play_random(states, game.tables, np.uint64(1), 8 * decisions)
    return game, states


@pytest.mark.parametrize("text", ["black_lady", "heartsette(players=3)", "cancellation_hearts(players=6)"])
def test_a_card_too_many_is_noticed(text: str) -> None:
    game, states = states_of(text, 30)
    play.check_states(game, states)
    states["hands"][5, 1, 0] ^= np.uint64(4)
    with pytest.raises(BrokenError, match=r"the cards are not those of the pack .*1 of 8 states"):
        play.check_states(game, states)


def test_a_wrong_point_is_noticed() -> None:
    game, states = states_of("black_lady(cycle=[hold])", 30)
    states["points"][2, 3, 0] += 1
    with pytest.raises(BrokenError, match="seat 3's points are not its cards'"):
        play.check_states(game, states)


def test_a_wrong_total_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    game, states = states_of("black_lady(cycle=[hold], opening.card=any)", 51)
    right = batch.play_random

    def wrong(states: Any, *rest: Any) -> Any:
        word = right(states, *rest)
        states["totals"][:, 0, 0] += 1
        return word

    assert play.check_one_step(game, states.copy(), np.uint64(1))
    monkeypatch.setattr(batch, "play_random", wrong)
    with pytest.raises(BrokenError, match="the totals do not rise by the points of the deal"):
        play.check_one_step(game, states, np.uint64(1))


@pytest.mark.parametrize("leak", ["hands", "seed"])
def test_an_observation_that_shows_something_hidden_is_noticed(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, states = states_of("black_lady", 20)
    rng, right = np.random.default_rng(1), play.seen
    assert play.perturb(game, states[0], 0, rng) == play.WORLDS
    monkeypatch.setattr(play, "seen", lambda game, record, seat: right(game, record, seat) + record[leak].tobytes())
    with pytest.raises(BrokenError, match="seat 0 observes hidden cards"):
        play.perturb(game, states[0], 0, rng)


def test_a_number_derived_from_hidden_cards_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that stands in a public field, where dealing the hidden cards anew does not change it."""
    game, rng, right = compile_game(he.rules("black_lady")), np.random.default_rng(1), batch.step_all
    assert play.replay_deals(game, rng) > 20

    def leaking(states: Any, *rest: Any) -> None:
        right(states, *rest)
        states["padding"][:, 0] = states["hands"][:, 1, 0] % 7

    monkeypatch.setattr(batch, "step_all", leaking)
    with pytest.raises(BrokenError, match="could tell worlds apart"):
        play.replay_deals(game, rng)
