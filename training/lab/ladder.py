"""How close learners come to an equilibrium in games so small that NashConv is exact.

    python training/lab/ladder.py measure duel_hearts    # what is missing of docs/ladder/duel_hearts.jsonl
    python training/lab/ladder.py picture                # docs/ladder.png and the table, of all that is there

NashConv is by how many points a deal the seats could improve in all, each alone by a best response; see
`hearts_agents.openspiel.exploitability`. Every learner is measured after 2, 4, 8, ... seconds of CPU time, without the
time of measuring: CFR+ of OpenSpiel, its average and its last policy; its external-sampling MCCFR and its NFSP, the
average; magnetic mirror descent on the whole tree (`lab.mirror`), the last; and `hearts train`, a run of its own for
each budget: the network as it draws actions, and its most probable ones. With three players CFR+ and mirror descent
have no guarantee. Agents that do not learn are measured once.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from time import process_time
from typing import Annotated, Any, NamedTuple

import numpy as np
import torch
import tyro
from matplotlib.figure import Figure
from numpy.typing import NDArray

from hearts_agents.arena.pictures import written
from hearts_agents.files import write_file
from hearts_agents.openspiel.exploitability import StrategyTable, information_sets, load_tree, tabular_agent
from hearts_agents.openspiel.parameters import load_pyspiel
from hearts_training.cli.command import console, results_table
from hearts_training.provenance import entry
from lab.mirror import MirrorDescent
from lab.results import add_lines, read_lines
from lab.trained import trained
from lab.trees import Tree

ROWS = Path(__file__).parents[2] / "docs" / "ladder"
PICTURE = ROWS.with_suffix(".png")
AGENTS = ("random", "rule", "pimc(worlds=64)")
SELF_PLAY: dict[str, Any] = {"imitation": 0.0, "opponent_games": 0.0}
"""Of `hearts train` where nobody imitates or meets `rule`."""
ENTROPY: dict[str, Any] = {**SELF_PLAY, "entropy": 0.1, "final_entropy": 0.05}
"""The same with a bonus that keeps it from being sure, and does not vanish."""

Row = dict[str, Any]
Floats = NDArray[np.float64]


class Setting:
    """A game of a few cards, its tree in arrays, and its information sets as agents see them."""

    def __init__(self, variant: str) -> None:
        self.variant, self.game = variant, load_tree(variant)
        self.tree = Tree(self.game)
        self.sets = [*information_sets(variant)]

    def nash_conv_of(self, spec: str) -> float:
        """Of an agent."""
        agent, table = tabular_agent(spec), StrategyTable()
        for some in self.sets:
            table |= some.table(agent)
        return self.tree.nash_conv(self.tree.policy(table))

    def nash_conv(self, policy: Any) -> float:
        """Of a policy of OpenSpiel."""
        states = self.tree.states.items()
        return self.tree.nash_conv(
            self.tree.policy({name: [*policy.action_probabilities(state).items()] for name, state in states})
        )


Learner = Callable[[Setting, int, float], Iterator[Row]]
"""(game, seed, most seconds) -> rows."""


def budgets(most: float) -> list[float]:
    """2, 4, 8, ... seconds."""
    return [float(2**power) for power in range(1, 20) if 2**power <= most]


def iterated(step: Callable[[], object], most: float) -> Iterator[float]:
    """Take steps until each budget is spent; yields the CPU time there."""
    spent = 0.0
    for budget in budgets(most):
        began = process_time()
        while spent + process_time() - began < budget:
            step()
        spent += process_time() - began
        yield spent


def cfr_plus(setting: Setting, seed: int, most: float) -> Iterator[Row]:
    """CFR+ draws nothing, so every seed is the same."""
    if seed:
        return
    solver = load_pyspiel().CFRPlusSolver(setting.game)
    for seconds in iterated(solver.evaluate_and_update_policy, most):
        policies = {"average": solver.average_policy(), "last": solver.current_policy()}
        for kind, policy in policies.items():
            yield {"policy": kind, "seconds": seconds, "nash_conv": setting.nash_conv(policy)}


def mccfr(setting: Setting, seed: int, most: float) -> Iterator[Row]:
    """External-sampling MCCFR."""
    solver = load_pyspiel().ExternalSamplingMCCFRSolver(setting.game, seed=seed)
    for seconds in iterated(solver.run_iteration, most):
        yield {"policy": "average", "seconds": seconds, "nash_conv": setting.nash_conv(solver.average_policy())}


def mirror_descent(setting: Setting, seed: int, most: float) -> Iterator[Row]:
    """Magnetic mirror descent draws nothing."""
    if seed:
        return
    solver = MirrorDescent(setting.tree)
    for seconds in iterated(solver.step, most):
        yield {"policy": "last", "seconds": seconds, "nash_conv": setting.tree.nash_conv(solver.policy)}


def nfsp(setting: Setting, seed: int, most: float) -> Iterator[Row]:
    """Neural fictitious self-play, one network a seat, with the settings of OpenSpiel's example for Leduc poker."""
    from open_spiel.python.pytorch.nfsp import NFSP
    from open_spiel.python.rl_environment import Environment, ObservationType

    game = setting.game
    environment = Environment(game, observation_type=ObservationType.INFORMATION_STATE)
    environment.seed(seed)
    columns, actions = game.information_state_tensor_size(), game.num_distinct_actions()
    agents = [
        NFSP(
            player,
            columns,
            actions,
            [128],
            reservoir_buffer_capacity=2_000_000,
            anticipatory_param=0.1,
            replay_buffer_capacity=200_000,
            epsilon_start=0.06,
            epsilon_end=0.001,
            seed=seed,
        )
        for player in range(game.num_players())
    ]

    def play_deal() -> None:
        now = environment.reset()
        while not now.last():
            now = environment.step([agents[now.current_player()].step(now).action])
        for agent in agents:
            agent.step(now)

    for seconds in iterated(play_deal, most):
        table = averages(agents, setting.tree)
        yield {"policy": "average", "seconds": seconds, "nash_conv": setting.tree.nash_conv(setting.tree.policy(table))}


def averages(agents: list[Any], tree: Tree) -> StrategyTable:
    """The average policies of NFSP."""
    table: StrategyTable = {}
    for player, agent in enumerate(agents):
        own = {key: state for key, state in tree.states.items() if state.current_player() == player}
        rows = np.array([state.information_state_tensor() for state in own.values()], np.float32)
        with torch.inference_mode():
            logits = agent._avg_network(torch.from_numpy(rows)).numpy()  # as its `step` does row by row
        for (key, state), row in zip(own.items(), logits, strict=True):
            legal = state.legal_actions()
            powers = np.exp(row[legal] - row[legal].max())
            table[key] = [*zip(legal, (powers / powers.sum()).tolist(), strict=True)]
    return table


def hearts_train(settings: dict[str, Any]) -> Learner:
    """`hearts train` with some settings."""

    def learner(setting: Setting, seed: int, most: float) -> Iterator[Row]:
        for budget in budgets(most):
            length = {"minutes": budget / 60, "cpu_time": True}
            options = {"variant": setting.variant, "seed": seed, "hyper_parameters": settings}
            with trained(lambda status: False, **length, **options) as run:
                specs = {"drawn": f"net({run.folder}, temperature=1)", "most probable": f"net:{run.folder}"}
                found = {kind: setting.nash_conv_of(spec) for kind, spec in specs.items()}
            for kind, value in found.items():
                spent = {"seconds": 60 * run.minutes, "decisions": run.decisions}
                yield {"policy": kind, **spent, "nash_conv": value}

    return learner


LEARNERS: dict[str, Learner] = {
    "CFR+": cfr_plus,
    "MCCFR": mccfr,
    "MMD": mirror_descent,
    "NFSP": nfsp,
    "hearts train": hearts_train({}),
    "hearts train, self-play": hearts_train(SELF_PLAY),
    "hearts train, self-play with entropy": hearts_train(ENTROPY),
}


def measure(
    variant: Annotated[str, tyro.conf.Positional] = "duel_hearts",
    seconds: float = 64.0,
    seeds: int = 5,
    learners: tuple[str, ...] = tuple(LEARNERS),
) -> None:
    """Measure what is missing of a game; a row is kept as soon as it is known.

    Args:
        variant: the game: duel_hearts, trio_hearts or duel_hearts_10.
        seconds: the largest budget of CPU time.
        seeds: seeds of the learners that draw.
        learners: which learners.
    """
    file, setting = ROWS / f"{variant}.jsonl", Setting(variant)
    known = {(row["learner"], row["seed"]) for row in read_lines(file)}
    for learner, seed in [*product(AGENTS, [0]), *((name, seed) for seed in range(seeds) for name in learners)]:
        if (learner, seed) in known:
            continue
        if learner in AGENTS:
            found = [{"policy": "as it is", "seconds": 0.0, "nash_conv": setting.nash_conv_of(learner)}]
        else:
            found = [*LEARNERS[learner](setting, seed, seconds)]
        if found:
            made = entry({"seconds": seconds}, seed)
            add_lines(file, *({"learner": learner, "seed": seed, **row, "run": made} for row in found))
            print(f"{learner}, seed {seed}: {found[-1]['nash_conv']:.4f}", flush=True)


class Curve(NamedTuple):
    """NashConv of one kind of policy of a learner, by CPU time.

    Attributes:
        learner, policy: of what.
        seeds: how many there were.
        seconds: (budgets,) CPU time that was spent.
        mean, error: (budgets,) NashConv, and its standard error over seeds, 0 of one seed.
    """

    learner: str
    policy: str
    seeds: int
    seconds: Floats
    mean: Floats
    error: Floats

    @property
    def last(self) -> str:
        """NashConv after the largest budget."""
        return f"{self.mean[-1]:.4f}" + (f" ± {self.error[-1]:.4f}" if self.seeds > 1 else "")


def curves(variant: str) -> list[Curve]:
    """What was measured in a game."""
    rows, found = read_lines(ROWS / f"{variant}.jsonl"), []
    for learner, policy in dict.fromkeys((row["learner"], row["policy"]) for row in rows):
        those = [row for row in rows if (row["learner"], row["policy"]) == (learner, policy)]
        seeds = sorted({row["seed"] for row in those})
        seconds, values = (
            np.array([[row[name] for row in those if row["seed"] == seed] for seed in seeds])
            for name in ("seconds", "nash_conv")
        )
        error = values.std(axis=0, ddof=1) / len(seeds) ** 0.5 if len(seeds) > 1 else np.zeros(values.shape[1])
        found.append(Curve(learner, policy, len(seeds), seconds.mean(axis=0), values.mean(axis=0), error))
    return found


def picture(out: Path = PICTURE) -> None:
    """Draw NashConv by CPU time, and print a table of the largest budgets."""
    files = sorted(ROWS.glob("*.jsonl"), key=lambda file: len(file.stem))
    figure, labels = Figure(figsize=(4 * len(files), 5), layout="constrained"), dict[str, Any]()
    for axes, file in zip(np.ravel(figure.subplots(1, len(files), squeeze=False)), files, strict=True):
        labels |= draw(axes, file)
    figure.legend(labels.values(), labels, loc="outside lower center", ncols=2, fontsize="x-small")
    write_file(out, written(figure, "png"))


def draw(axes: Any, file: Path) -> dict[str, Any]:
    """Draw a game, and print its table; the lines by their labels."""
    lines = {}
    for curve in curves(file.stem):
        if curve.seconds[-1]:
            colour, second = f"C{[*LEARNERS].index(curve.learner)}", curve.policy in ("last", "most probable")
            style = {"color": colour, "linestyle": "--" if second and curve.learner != "MMD" else "-"}
            drawn = axes.errorbar(curve.seconds, curve.mean, curve.error, marker="o", markersize=3, **style)
            lines[f"{curve.learner}, {curve.policy}"] = drawn
        else:
            axes.axhline(curve.mean[0], linestyle=":", color="grey", linewidth=0.8)
            place = (1.02, curve.mean[0])
            axes.annotate(curve.learner, place, xycoords=("axes fraction", "data"), va="center", fontsize="x-small")
    axes.set(xscale="log", yscale="log", xlabel="CPU seconds", ylabel="NashConv (points a deal)", title=file.stem)
    axes.set_xticks(budgets(max(axes.get_xlim())), minor=False)
    axes.set_xticks([], minor=True)
    axes.xaxis.set_major_formatter("{x:.0f}")
    rows = [
        (curve.learner, curve.policy, str(curve.seeds), f"{curve.seconds[-1]:.0f}", curve.last)
        for curve in curves(file.stem)
    ]
    heads, caption = ("policy", "seeds", "CPU s", "NashConv"), "NashConv of the largest budget, and its error"
    console().print(results_table(heads, rows, title=file.stem, caption=caption, first="learner"))
    return lines


if __name__ == "__main__":
    tyro.extras.subcommand_cli_from_dict({"measure": measure, "picture": picture}, prog=Path(sys.argv[0]).name)
