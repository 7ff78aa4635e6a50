"""The learner of a run, made from its options and hyper-parameters."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch

from hearts_agents.registry import make_agent
from hearts_agents.workers import check_workers
from hearts_env.compiled.game import compile_game
from hearts_env.ruleset.model import Rules
from hearts_training.train.config import Config
from hearts_training.train.games import Games, ManyGames, OneGame, lasting_entries
from hearts_training.train.learner import Learner
from hearts_training.train.memory import check_memory
from hearts_training.train.networks import GameNets, ManyNets, Networks
from hearts_training.train.options import TrainOptions
from hearts_training.train.selfplay import own_reward


def make_learner(rules: Rules, config: Config, sizes: Mapping[str, int], options: TrainOptions, seed: int) -> Learner:
    """A learner with random weights, before its first round.

    Args:
        rules: the game, or the one that is evaluated where many are learned from.
        config: the hyper-parameters.
        sizes: ``own`` is 1 if the logits of a network for one game have terms of the cards' own counts; ``code`` is the
            size of the codes of a network for all rules.
        options: threads, device and workers.
        seed: fixes weights, games and choices.

    Raises ValueError, in one line, for what contradicts or cannot be had on this machine.
    """
    torch.set_num_threads(options.threads)  # before the learner divides its work among them
    many, device = config.many, torch.device(_device(options, config))
    if options.who != 1 and not (many and many.learners > 1):
        more = "" if many else "--variants and "
        raise ValueError(
            f"workers={options.who} are for learners; add {more}--set learners=8, or leave the workers out"
        )
    check_workers(options.who)
    game = compile_game(rules)
    check_memory(game, config, options.evaluation_games)
    seeds = [int(number) for number in np.random.SeedSequence(seed).generate_state(2)]
    presets = lasting_entries(many.variants, many.open) if many else ()
    with torch.random.fork_rng():
        torch.manual_seed(seeds[0])
        networks: Networks = (
            ManyNets(config, device, sizes["code"]) if many else GameNets(game, config, device, own=bool(sizes["own"]))
        )
    games: Games = (
        ManyGames(presets, config, seed, device) if many else OneGame(rules, networks, config, seeds[1], device)
    )
    return Learner(games, networks, config, seed, options.who)


def _device(options: TrainOptions, config: Config) -> str:
    elsewhere = config.many is not None and isinstance(options.who, str)
    if options.device == "cuda" and elsewhere:
        raise ValueError("device='cuda' is not for learners on a cluster, which have one core each; leave it out")
    if options.device == "cuda" and not torch.cuda.is_available():
        raise ValueError("device='cuda' is not available on this machine; use cpu or auto")
    if options.device == "auto":
        return "cuda" if torch.cuda.is_available() and not elsewhere else "cpu"
    return options.device


def digests(config: Config, learner: Learner) -> dict[str, str]:
    """Digests, by name, of what determines a run besides its options; see `RunState`."""
    found = {spec: make_agent(spec).digest for spec in (config.teacher, *config.opponents)}
    if config.reward:
        found[config.reward] = own_reward(config.reward)[1]
    return {name: digest for name, digest in (found | learner.games.digests()).items() if digest}
