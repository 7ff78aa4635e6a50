"""PSRO, a league of best responses: `python psro.py`. The population grows by a response to its own equilibrium.

Each round plays every pair of agents (`run_payoff`), takes the equilibrium of their payoff matrix, and trains a network
by PPO alone among copies of that mixture, of which one agent is drawn for each game. A response that gains joins the
population. The last mixture is a spec string, an agent everywhere; its arena table against `rule` and `random` ends the
run.

Source: Lanctot et al., A Unified Game-Theoretic Approach to Multiagent Reinforcement Learning, NeurIPS 2017.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import tyro

import hearts_training as ht
from hearts_agents.arena import run_arena
from hearts_agents.arena.report import to_markdown
from hearts_training.evaluate.payoff import draw_payoff


@dataclass
class Args:
    """Every option."""

    variant: str = "black_lady"  # rules, as in `hearts rules`
    agents: tuple[str, ...] = ("random", "rule")  # the population at the start
    responses: int = 4  # rounds, each with a new network
    deals: int = 0  # to train each response with; 0: the minutes count
    minutes: float = 2.0  # of CPU time to train each response
    start: str = ""  # network that each response starts from, a name or a folder; empty: random weights
    width: int = 128  # of both hidden layers, from random weights
    payoff_deals: int = 500  # of each payoff matrix and of each measurement of a gain
    arena_deals: int = 500  # of the table at the end
    least: float = 0.01  # share in the mixture below which an agent is not played against
    out: str = "runs/psro"  # new folder for the networks, result.json, payoff.png
    seed: int = 1  # of deals, weights and choices
    threads: int = 1  # of torch
    exact: bool = False  # compute NashConv of every mixture: games of a few cards only, with open_spiel installed


def mixture_of(found: dict[str, Any], least: float) -> str:
    """The equilibrium as a spec string, without shares below `least`."""
    return "; ".join(f"{one['nash']:.4g}*{one['name']}" for one in found["agents"] if one["nash"] >= least)


def respond(args: Args, mixture: str, number: int) -> str:
    """Train a network among copies of a mixture; returns its spec."""
    size = (args.width, args.width)
    fresh = {"hidden": size, "critic_hidden": size, "entropy": 0.03}
    options = ht.TrainOptions(
        variant=args.variant,
        start=args.start or None,
        out=Path(args.out) / f"response{number}",
        minutes=None if args.deals else args.minutes,
        deals=args.deals or None,
        cpu_time=not args.deals,
        seed=args.seed + number,
        threads=args.threads,
        evaluations=0,
        arena_deals=0,
        hyper_parameters={"opponents": (mixture,), "opponent_games": 1.0} | ({} if args.start else fresh),
    )
    return ht.run_training(options).agent


def nash_conv_of(args: Args, mixture: str) -> float | None:
    """NashConv of a mixture of which each seat draws for itself, in points a deal."""
    if not args.exact:
        return None
    from hearts_agents.openspiel.exploitability import load_tree, nash_conv, tabulate

    return nash_conv(load_tree(args.variant), tabulate(args.variant, [mixture], args.seed)[0])


def main(args: Args) -> None:
    """Grow the population, then compare its mixture with `rule` and `random`, and save all figures."""
    population, rounds = [*args.agents], []
    Path(args.out).mkdir(parents=True)
    for number in range(args.responses + 1):
        found = ht.run_payoff(population, args.variant, args.payoff_deals, args.seed)
        mixture = mixture_of(found, args.least)
        rounds.append({"mixture": mixture, "payoff": found, "nash_conv": nash_conv_of(args, mixture)})
        print(f"round {number}: {mixture}, NashConv {rounds[-1]['nash_conv']}", flush=True)
        if number == args.responses:
            break
        agent = respond(args, mixture, number)
        gain = ht.run_exploit(mixture, args.variant, [agent], args.payoff_deals, 2)
        rounds[-1] |= {"response": agent, "gain": gain["gain"], "gain_se": gain["gain_se"]}
        print(f"  {agent} gains {gain['gain']:+.3f} ± {gain['gain_se']:.3f} points a deal", flush=True)
        if gain["gain"] > 0:
            population.append(agent)
    table = run_arena([mixture, "rule", "random"], args.variant, args.arena_deals, args.seed, "round-robin")
    print(to_markdown(table))
    result = {"args": asdict(args), "rounds": rounds, "arena": table.to_dict()}
    Path(args.out, "result.json").write_text(json.dumps(result, indent=2), encoding="utf-8")
    Path(args.out, "payoff.png").write_bytes(draw_payoff(found, "png"))
    print(f'hearts arena "{mixture}" rule --variant "{args.variant}"')


if __name__ == "__main__":
    main(tyro.cli(Args))
