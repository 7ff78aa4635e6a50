"""The memory that a training run needs."""

from __future__ import annotations

import os
from itertools import pairwise

from hearts_agents.neural.inputs import input_size
from hearts_env.compiled.game import Game
from hearts_env.kernel.records import STATE
from hearts_training.train.config import Config


def most_decisions(game: Game) -> int:
    """An upper bound of the decisions in a deal."""
    t = game.tables
    return int(t["deck_size"]) + game.seats * (int(t["option_cards"].max()) + 3)


def experience_rows(game: Game, config: Config) -> int:
    """An upper bound of the decisions that are stored between two updates, those of unfinished deals included."""
    return 2 * most_decisions(game) * config.num_envs


def sparse_entries(game: Game) -> int:
    """An upper bound of the nonzero entries of an input and the hidden hands, with a spare one for `sparse.append`.

    It counts each card in both, the fields of each seat, three counts for each of the seat's own cards, the counts
    of the suits, and who wins the trick.
    """
    t = game.tables
    passed = int(t["option_cards"].max())
    most = 2 * (int(t["deck_size"]) + passed) + game.seats * (9 + int(t["scoring_count"])) + 16
    most += 3 * (int(t["hand_size"]) + int(t["kitty_size"])) + passed + 11
    return min(most, input_size(game) + hidden_size(game)) + 1


def hidden_size(game: Game) -> int:
    """Columns of the hidden hands."""
    return (game.seats - 1) * len(game.deck.kinds)


def needed_bytes(game: Game, config: Config, evaluation_games: int) -> int:
    """About the memory that the games, the stored decisions, the networks and a gradient step need.

    In training on many games, each is taken to be as large as `game`; a round holds a deal of every table of theirs.
    """
    columns, actions, hidden = input_size(game), len(game.actions), hidden_size(game)
    per_game = 3 * STATE.itemsize + 4 * (columns + hidden) + actions
    many = config.many
    tables = config.num_envs * (many.games if many else 1)
    rows = experience_rows(game, config) * (many.games if many else 1)
    policy_layers = (many.width,) * (many.depth + 1) if many else config.hidden
    critic_layers = policy_layers if many else config.critic_hidden
    policy = (columns, *policy_layers, actions)
    critic = (columns + hidden, *critic_layers, 1)
    weights = sum(width * next_width for widths in (policy, critic) for width, next_width in pairwise(widths))
    batch = min(max(config.minibatch, 8192, config.num_envs), rows)
    return (
        tables * per_game
        + 4 * evaluation_games * (4 * STATE.itemsize + 4 * columns)
        + rows * (6 * sparse_entries(game) + actions + 40)
        + 16 * weights  # with gradients and two moments
        + 8 * batch * sum((*policy[1:], *critic[1:]))
    )


def check_memory(game: Game, config: Config, evaluation_games: int) -> None:
    """Raise ValueError, in one line, if a run needs more memory than the machine has, where that is known."""
    if not hasattr(os, "sysconf"):
        return
    needed = needed_bytes(game, config, evaluation_games)
    present = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    if needed > present:
        names = ("games", "width", "depth") if config.many else ("hidden", "critic_hidden")
        settings = ", ".join(f"{name}={getattr(config.many or config, name)}" for name in names)
        raise ValueError(
            f"num_envs={config.num_envs}, {settings} and evaluation_games={evaluation_games} need about "
            f"{needed / 2**30:,.0f} GiB of memory; this machine has {present / 2**30:,.0f} GiB"
        )
