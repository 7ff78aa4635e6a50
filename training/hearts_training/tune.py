"""Tuning of the rule agent: CMA-ES (Hansen 2016) over its weights, measured on duplicate deals.

Each generation samples candidates around the current mean and plays all of them on the same new deals against each
opponent: one candidate against three opponents, and three candidates against one opponent. The score of a candidate is
half the difference of the two margins, so it must do well in a minority and in a majority. Each generation has new
deals, so the search cannot overfit to any of them. The same options give the same weights. The folder keeps the scores
of every generation, so that an interrupted search continues where it stopped.
"""

from __future__ import annotations

import dataclasses
import json
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from hearts_agents import make_agent
from hearts_agents.arena import ArenaResult, run_arena
from hearts_agents.files import UNSEALED, is_sealed, read_file, seal, write_file
from hearts_agents.rule import RuleAgent, Weights
from hearts_agents.workers import Submit, Workers, submitting
from hearts_env.compiled.game import compile_game
from hearts_env.variants.registry import rules as read_rules
from hearts_training.folders import hold, make_empty
from hearts_training.options import TuneOptions
from hearts_training.provenance import Provenance, add_entry, entry

VERSION = 2
WIDTH, LEAST_WIDTH = 0.25, 0.08
"""Initial standard deviation of a weight, as a fraction of its absolute value, and the least in absolute terms."""
SCORES, RESULT = "scores.json", "result.json"


def run_tuning(
    options: TuneOptions,
    folder: Path,
    progress: Callable[[float, float], None] | None = None,
    workers: Workers = 1,
) -> dict[str, Any]:
    """Search, or continue the search in `folder`; write ``result.json`` there and return its content.

    Args:
        options: the search.
        folder: where the scores are kept.
        progress: called after each generation with the fraction done and the generation's mean score.
        workers: who plays: a number of processes or the address of a Ray cluster; the result does not depend on it.

    Raises:
        ValueError: a bad agent, or a folder with something else, or a search that has other options.
        KeyboardInterrupt: Ctrl-C; the scores of all finished generations are on disk.
    """
    start = _weights(options.start)
    compile_game(read_rules(options.variant))
    for opponent in options.opponents:
        make_agent(opponent)
    if not (folder / SCORES).exists():
        make_empty(folder)
    specs = (options.start, *options.opponents)
    with hold(folder), submitting(partial(_comparer, options.variant), workers, specs) as submit:
        return _search(options, folder, start, progress, submit)


def _search(
    options: TuneOptions,
    folder: Path,
    start: Weights,
    progress: Callable[[float, float], None] | None,
    submit: Submit,
) -> dict[str, Any]:
    import cma

    names = options.names or tuple(weight.name for weight in dataclasses.fields(Weights))
    middle = np.array([getattr(start, name) for name in names])
    widths = np.maximum(WIDTH * np.abs(middle), LEAST_WIDTH)
    scores, run = _kept_scores(options, folder)
    run = add_entry(run, entry(dataclasses.asdict(options), options.seed))
    seed = (options.seed + 1) % 2**32 or 1  # cma takes 1 to 2**32 - 1
    search = cma.CMAEvolutionStrategy(
        np.zeros(len(names)), 1.0, {"seed": seed, "popsize": options.population, "verbose": -9}
    )
    for generation in range(options.generations):
        points = search.ask()
        if generation == len(scores):
            agents = [_agent(start, names, middle + widths * point) for point in points]
            scores.append([round(score, 6) for score in _scores(agents, options, generation, submit)])
            text = json.dumps({"sha256": UNSEALED, "options": _plain(options), "scores": scores, "run": run})
            write_file(folder / SCORES, seal(text.encode()))
        search.tell(points, scores[generation])
        if progress is not None:
            progress((generation + 1) / options.generations, float(np.mean(scores[generation])))
    found = _agent(start, names, middle + widths * search.result.xfavorite)
    result = _check(found, options, submit) | {"run": run}
    write_file(folder / RESULT, (json.dumps(result, indent=2) + "\n").encode())
    return result


def _plain(options: TuneOptions) -> dict[str, Any]:
    """The options that a continued search must share: all except its length."""
    plain = dataclasses.asdict(options) | {"version": VERSION}
    return json.loads(json.dumps({name: plain[name] for name in plain if name not in ("generations", "check_deals")}))  # type: ignore[no-any-return]


def _kept_scores(options: TuneOptions, folder: Path) -> tuple[list[list[float]], list[Provenance]]:
    file = folder / SCORES
    if not file.exists():
        return [], []
    try:
        content = read_file(file)
        kept = json.loads(content)
        old, scores, run = dict(kept["options"]), list(kept["scores"]), [dict(one) for one in kept.get("run", [])]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise ValueError(f"{file} is damaged or is not the record of a search; name another folder") from None
    for name, value in _plain(options).items():
        if old.get(name) != value:
            raise ValueError(f"{folder} holds a search with {name}={old.get(name)}, not {value}; name another folder")
    if not is_sealed(content):
        raise ValueError(f"{file} is damaged: its digest is not that of its content; name another folder")
    return scores, run


def _weights(spec: str) -> Weights:
    agent = make_agent(spec)
    if not isinstance(agent, RuleAgent):
        raise ValueError(f"{spec} is not a rule agent; only the weights of those are tuned")
    return agent.weights


def _agent(start: Weights, names: Sequence[str], values: Any) -> RuleAgent:
    changed = {name: round(float(value), 3) for name, value in zip(names, values, strict=True)}
    return RuleAgent(dataclasses.replace(start, **changed), "tuned")


def _spec(weights: Weights) -> str:
    default, own = dataclasses.asdict(Weights()), dataclasses.asdict(weights)
    return f"rule({', '.join(f'{name}={own[name]:g}' for name in own if own[name] != default[name])})"


def _scores(agents: Sequence[RuleAgent], options: TuneOptions, generation: int, submit: Submit) -> list[float]:
    """Each candidate's mean over the opponents of half the difference of the margins, in points; lower is better."""
    seed = int(np.random.SeedSequence([options.seed, generation]).generate_state(1)[0])
    opponents = (options.start, *options.opponents)
    played = [[submit((agent, opponent, options.deals, seed)) for opponent in opponents] for agent in agents]
    return [float(np.mean([_score(table.result()) for table in tables])) for tables in played]


Comparison = tuple[RuleAgent, str, int, int]
"""A candidate, its opponent, deals and their seed."""


def _comparer(variant: str) -> Callable[[Comparison], ArenaResult]:
    def compare(item: Comparison) -> ArenaResult:
        agent, opponent, deals, seed = item
        return run_arena([agent, opponent], variant, deals, seed)

    return compare


def _score(result: ArenaResult) -> float:
    one, other = result.agents
    return (one.margin - other.margin) / 2


def _check(agent: RuleAgent, options: TuneOptions, submit: Submit) -> dict[str, Any]:
    """The weights found, and their results against the start and each opponent on new deals."""
    seed = int(np.random.SeedSequence([options.seed, 1 << 31]).generate_state(1)[0])
    began = time.perf_counter()
    opponents = (options.start, *options.opponents)
    played = [submit((agent, opponent, options.check_deals, seed)) for opponent in opponents]
    tables = [table.result().to_dict() for table in played]
    return {
        "weights": dataclasses.asdict(agent.weights),
        "spec": _spec(agent.weights),
        "options": dataclasses.asdict(options),
        "check": tables,
        "check_seconds": round(time.perf_counter() - began, 1),
    }
