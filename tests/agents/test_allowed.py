"""Agents named by strangers: what is checked is what the reader of ``opponents=`` makes."""

from typing import Any

import pytest

from hearts_agents.allowed import check_allowed
from hearts_agents.registry import names_program
from hearts_env.envs.mixture import Mixture
from hearts_env.envs.opponents import LineUps, specs_in
from tests.support.refused_agents import FOLDERS, LARGE, PROGRAM, PROGRAMS


def check_all(opponents: Any) -> None:
    for spec in specs_in(opponents):
        check_allowed(spec)


@pytest.mark.parametrize("opponents", PROGRAMS)
def test_a_program_is_found_wherever_it_is_named(opponents: str) -> None:
    assert any(names_program(spec) for spec in specs_in(opponents))
    with pytest.raises(ValueError, match="starts a program"):
        check_all(opponents)


@pytest.mark.parametrize("opponents", [["rule", "random", PROGRAM], Mixture("rule", ["rule", PROGRAM, "rule"])])
def test_a_program_is_found_in_lists_and_mixtures(opponents: Any) -> None:
    with pytest.raises(ValueError, match="starts a program"):
        check_all(opponents)


@pytest.mark.parametrize("opponents", FOLDERS)
def test_only_networks_of_the_suite_may_play(opponents: str) -> None:
    with pytest.raises(ValueError, match="is no network of the suite"):
        check_all(opponents)


@pytest.mark.parametrize("opponents", LARGE)
def test_a_search_keeps_to_the_budget(opponents: str) -> None:
    with pytest.raises(ValueError, match="at most 10,000"):
        check_all(opponents)


@pytest.mark.parametrize("opponents", ["rule; random", ["rule", "net:black_lady", "pimc(worlds=64)"], None, "rule"])
def test_what_is_checked_is_what_plays(opponents: Any) -> None:
    check_all(opponents)
    made = {str(player) for player in LineUps(opponents, 3).players if opponents is not None}
    assert made == set(specs_in(opponents))


def test_opponents_that_are_no_specs_are_named() -> None:
    with pytest.raises(ValueError, match="is no spec string"):
        specs_in(["rule", {"x": 1}])
