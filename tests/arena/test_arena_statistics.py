"""Statistics of the arena: intervals, the control variate, ratings, round robin and sample sizes."""

import json

import numpy as np
import pytest

from hearts_agents.arena import plan_deals, run_arena
from hearts_agents.arena.stats import (
    FRESH_DEALS,
    ControlVariate,
    adjust,
    control_variate,
    mean_of,
    rate_agents,
    sample_size,
    student,
)
from hearts_env.compiled.game import compile_game
from hearts_env.variants.registry import rules


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (5, 2.5706), (10, 2.2281), (30, 2.0423), (1000, 1.9623)],
)
def test_quantiles_of_student(freedom: int, quantile: float) -> None:
    assert student(0.975, freedom) == pytest.approx(quantile, abs=0.004)


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    samples = np.random.default_rng(1).normal(3, 2, (4000, 6))
    held = [low <= 3 <= high for low, high in (mean_of(sample).interval for sample in samples)]
    assert np.mean(held) == pytest.approx(0.95, abs=0.012)


def synthetic(rng: np.random.Generator, slopes: np.ndarray, deals: int) -> tuple[np.ndarray, ControlVariate]:
    """Margins of mean 1 that depend on skewed features, and those less an estimate of their mean."""
    played, fresh = (rng.exponential(2, (many, len(slopes))) for many in (deals, FRESH_DEALS * deals))
    margins = 1 + (played - 2) @ slopes + rng.normal(0, 1, deals)
    return margins, ControlVariate(played - fresh.mean(axis=0), np.cov(fresh.T) / len(fresh))


@pytest.mark.parametrize(
    ("slopes", "least", "most"), [((1.0, -0.5, 0.0), 0.4, 1.0), ((0.0, 0.0, 0.0), -0.5, 0.0)], ids=["some", "nothing"]
)
def test_the_control_variate_adds_no_bias_and_its_error_is_right(
    slopes: tuple[float, ...], least: float, most: float
) -> None:
    """Features that explain nothing cost a little."""
    rng = np.random.default_rng(5)
    found = [adjust(*synthetic(rng, np.array(slopes), 40)) for _ in range(1500)]
    values = np.array([one.margin.value for one in found])
    assert abs(values.mean() - 1) < 4 * values.std() / len(values) ** 0.5
    assert values.std() == pytest.approx(np.mean([one.margin.error for one in found]), rel=0.1)
    assert least < np.mean([one.removed for one in found]) < most


@pytest.mark.parametrize("text", ["black_lady", pytest.param("partnership_hearts", marks=pytest.mark.exhaustive)])
def test_the_control_variate_depends_on_the_deals_alone(text: str) -> None:
    game = compile_game(rules(text))
    seeds = np.arange(30, dtype=np.uint64)
    variate = control_variate(game, seeds, 1)
    assert variate.features.shape == (30, 4)
    assert np.isfinite(variate.features).all()
    assert (np.linalg.eigvalsh(variate.error) > -1e-12).all()
    assert (control_variate(game, seeds, 1).features == variate.features).all()
    assert (abs(variate.features.mean(axis=0)) <= variate.features.std(axis=0)).all()
    itself = run_arena(["random"], text, deals=30, luck=True).agents[0]
    assert (itself.margin_adjusted, itself.margin_adjusted_se, itself.variance_removed) == (0, 0, 0)
    assert itself.rating is None, "a single agent is not rated"


def test_ratings_follow_the_places() -> None:
    lineups = [(0, 1, 1, 1), (1, 0, 0, 0)]
    costs = np.array([[[1, 2, 2, 3], [9, 0, 1, 0]]] * 20)
    rated = rate_agents(2, lineups, costs, 1000)
    assert rated is not None
    assert rated[0][0] > 30
    assert rated[1][0] < 20
    assert rated == rate_agents(2, lineups, costs, 40)
    assert rated != rate_agents(2, lineups, costs, 10)
    assert rate_agents(2, lineups, costs[:0], 10) == [(25.0, 25 / 3)] * 2
    level = rate_agents(2, lineups, np.ones_like(costs), 1000)
    assert level is not None
    assert level[0] == pytest.approx(level[1])


# --- sample sizes ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("effect", "deals"), [(0.2, 197), (0.5, 32), (0.8, 13), (9.0, 2)])
def test_sample_sizes_of_a_paired_test(effect: float, deals: int) -> None:
    """Cohen's small, medium and large effect: two-sided 5 %, power 80 %, known standard deviation."""
    assert sample_size(sd=3.0, difference=3.0 * effect, alpha=0.05, power=0.8) == deals


def test_a_plan_reports_the_sample_sizes() -> None:
    plan = plan_deals(["rule", "random"], 0.5, deals=60, seed=1)
    pilot = run_arena(["rule", "random"], deals=60, seed=1)
    spread = pilot.agents[1].margin_se * 60**0.5
    assert plan.agents[1].sd == pytest.approx(spread)
    assert plan.deals == plan.agents[1].deals == int(np.ceil(((1.959964 + 0.841621) * spread / 0.5) ** 2))
    assert plan.seconds > 0
    finer = plan_deals(["rule", "random"], 0.25, deals=60, seed=1)
    assert finer.deals == pytest.approx(4 * plan.deals, abs=4)
    assert json.loads(json.dumps(plan.to_dict()))["agents"][1]["deals"] == plan.deals
