"""Mixtures of agents: ``0.5*rule; 0.3*net:runs/a; 0.2*shooter``."""

import json
from pathlib import Path

import numpy as np
import pytest

import hearts_env as he
from hearts_agents import Agent, make_agent
from hearts_agents.allowed import check_allowed
from hearts_agents.arena import run_arena
from hearts_agents.base import identity_of
from hearts_agents.mixture import MixtureAgent, dealt_codes
from hearts_agents.registry import names_program
from hearts_env.envs.learner import LearnerGames
from hearts_env.envs.mixture import Mixture
from hearts_env.table.match import Match
from hearts_training.cli.train import hyper_parameters
from hearts_training.evaluate.sides import Sides
from hearts_training.exploit import run_exploit
from hearts_training.train.selfplay import turns

MIXED = "3*rule; 1*random"


class Noted(Agent):
    """Plays the first legal action, and notes which cards its seat was dealt in the deals that it played or ended."""

    stateful = True

    def __init__(self) -> None:
        self.seen: set[tuple[int, int]] = set()
        self.ended: set[tuple[int, int]] = set()

    def act(self, view: he.View) -> str:
        self.seen.add((view.deal_number, view.seat))
        return view.legal()[0]

    def on_deal_end(self, view: he.View) -> None:
        self.ended.add((view.deal_number, view.seat))


@pytest.mark.parametrize("variant", he.VARIANTS)
def test_a_seat_draws_once_a_deal(variant: str) -> None:
    match, rng = Match(variant, seed=3), np.random.default_rng(3)
    codes: dict[int, set[int]] = {seat: set() for seat in range(match.rules.players)}
    while not match.over and match.deal_number == 0:
        for seat, found in codes.items():
            found |= {int(dealt_codes(match.game, match.view(seat).record[None], np.array([seat]))[0])}
        match.play(str(rng.choice(match.legal())))
    assert {len(found) for found in codes.values()} == {1}
    assert len(set.union(*codes.values())) > 1


def test_one_draw_a_deal_holds_at_a_table_and_in_all_seatings() -> None:
    """Deal by deal, a mixture in the other seats is one of its parts."""
    mixed, rule, random = (
        run_arena(["guard", other], "black_lady", deals=64, seed=5, seatings="round-robin").by_unit["guard"]["points"]
        for other in (MIXED, "rule", "random")
    )
    of_rule, of_random = mixed == rule, mixed == random
    assert (of_rule | of_random).all()
    assert 35 <= of_rule.sum() <= 60
    assert of_random.sum() >= 6


def test_the_arena_reports_a_mixture_as_an_agent(tmp_path: Path) -> None:
    first = run_arena([MIXED, "rule"], deals=6, seed=1, tables_at_once=24, save=tmp_path / "save")
    assert first.agents[0].name == MIXED
    assert len(first.agents[0].digest) == 64
    assert first.agents[0].decisions > 0
    again = run_arena([make_agent(MIXED), "rule"], deals=6, seed=1, tables_at_once=48)
    assert [one.margin for one in again.agents] == [one.margin for one in first.agents]
    assert MIXED in json.loads((tmp_path / "save").read_text())["command"]["agents"]


def test_its_identity_follows_its_parts() -> None:
    agent = make_agent("0.5*rule; net:black_lady")
    assert agent.digest != make_agent("0.5*rule; net:omnibus_hearts").digest
    assert identity_of(agent)["trained_on"] == make_agent("net:black_lady").trained_on
    assert make_agent("0.1*rule; pimc").tables_at_once == make_agent("pimc").tables_at_once


def test_a_part_that_follows_a_table_sees_its_own_deals() -> None:
    noted = Noted()
    agent = MixtureAgent([noted, make_agent("rule")])
    run_arena([agent, "random"], deals=8, seed=2, seatings="round-robin")
    assert noted.seen
    assert noted.ended == noted.seen
    match = Match("black_lady(end.max_deals=6)", seed=8)
    noted.seen.clear()
    while not match.over:
        match.play(agent.act(match.view(match.seat or 0)))
    assert 4 <= len(noted.seen) <= 20  # of 24 seats, about half


def test_programs_and_networks_are_found_inside() -> None:
    assert names_program("0.5*rule; 0.5*exec:./bot")
    with pytest.raises(ValueError, match="starts a program"):
        check_allowed("0.5*rule; 0.5*exec:./bot")
    with pytest.raises(ValueError, match="is no network of the suite"):
        check_allowed("rule; 2*net:runs/own")
    check_allowed("rule; 2*net:black_lady")


@pytest.mark.parametrize("spec", ["0*rule", "-1*rule; random", "inf*rule", "a*rule", "0.5*; rule", ";", "rule; ruel"])
def test_bad_mixtures_are_refused_in_one_line(spec: str) -> None:
    with pytest.raises(ValueError, match=r"^(.* a number above 0.*|.* names no agent.*|there is no agent 'ruel'.*)$"):
        make_agent(spec)


def test_weights_of_objects_are_checked() -> None:
    for weights in ([1.0], [1.0, 0.0], [1.0, float("nan")]):
        with pytest.raises(ValueError, match="2 finite numbers above 0"):
            Mixture("rule", "random", weights=weights)
    with pytest.raises(ValueError, match="at least one"):
        Mixture()


@pytest.mark.parametrize("opponents", [MIXED, make_agent(MIXED), Mixture("rule", "random", weights=[3, 1])])
def test_environments_draw_by_weight(opponents: object) -> None:
    env = LearnerGames("trio_hearts", 400, opponents=opponents, deals=1)
    env.reset(seed=1)
    others = np.delete(env.players, env.seats[0], axis=1)
    assert (others[:, :1] == others).all()  # one draw for all seats
    assert 270 < (others[:, 0] == 0).sum() < 330


def test_training_shares_its_tables_by_weight() -> None:
    equal = turns([1, 1, 1], 300)
    assert (equal[0] == np.arange(300) % 3).all()
    assert (equal[1] == np.arange(300) // 3).all()
    assert np.bincount(turns([0.5, 0.3, 0.2], 100)[0]).tolist() == [50, 30, 20]
    given = hyper_parameters(("opponents=0.5*rule; 0.3*pimc(worlds=8)",))["opponents"]
    assert given == ("0.5*rule", "0.3*pimc(worlds=8)")


def test_an_agent_exploits_a_mixture_as_much_as_its_parts() -> None:
    """Others draw alike whoever responds; the mixture's own seat draws for itself."""
    sides = Sides.of(he.rules("trio_hearts"))
    mixed, *alone = (sides.margins(make_agent("guard"), make_agent(one), 0) for one in (MIXED, "rule", "random"))
    assert ((mixed == alone[0]) | (mixed == alone[1])).all()
    found = run_exploit("rule; random", "trio_hearts", ["rule", "random"], 250, 250)
    assert found["chosen"] == "rule"
    assert found["at_least"] > 0
