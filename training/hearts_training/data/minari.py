"""Recorded games as Minari data sets: for every seat, the episodes of a learner in it, as Gymnasium shows them.

It needs Minari (``pip install hearts-env[minari]``). An episode is a deal; a step is an action of the seat and what the
others did until its next one. ``infos["action_mask"]`` holds the legal actions, as in the environment.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium.envs.registration import EnvSpec

import hearts_env
from hearts_env.envs.registration import gymnasium_name
from hearts_env.seat.view import view_of
from hearts_env.variants.registry import rules as read_rules
from hearts_training.data.parts import PART
from hearts_training.data.recorded import RecordedGame, RecordedGames
from hearts_training.data.replay import Replay

try:
    import minari
    from minari.data_collector import EpisodeBuffer
except ImportError as error:
    raise ValueError(f"Minari data sets need {error.name}; install it with: pip install 'hearts-env[minari]'") from None

NAME = re.compile(r"([\w-]{2,}/)*[\w-]+")


def check_name(name: str, variant: str) -> list[str]:
    """The data sets that `export` writes, by seat.

    Raises ValueError for a name that Minari does not take, or that is taken.
    """
    if not NAME.fullmatch(name):
        raise ValueError(
            f"minari={name} is not possible; a name is of letters, digits, _ and -, at least two of them before a /, "
            "such as hearts/rule"
        )
    names = [f"{name}-seat{seat}-v0" for seat in range(read_rules(variant).players)]
    taken = sorted(set(names) & set(minari.list_local_datasets()))
    if taken:
        raise ValueError(f"there is a Minari data set {taken[0]} already; choose another name or delete it")
    return names


def export(
    folder: str | Path, name: str, progress: Callable[[int], None] = lambda deals: None, *, deals: int | None = None
) -> list[str]:
    """Write a Minari data set for each seat; `minari.load_dataset` loads them.

    They are written to Minari's own folder, which the variable ``MINARI_DATASETS_PATH`` names. Minari keeps a file for
    every episode, so that this is for thousands of deals, not for millions.

    Args:
        folder: a data set that `hearts record` wrote.
        name: the name up to the seat: ``hearts/rule`` makes ``hearts/rule-seat0-v0`` and so on.
        progress: called with the number of deals that are finished.
        deals: write the first ones only.

    Returns:
        The names of the data sets.

    Raises:
        ValueError: no such folder, a bad name, or one that is taken.
    """
    games = RecordedGames(folder)
    names = check_name(name, games.description["variant"])
    made: list[minari.MinariDataset] = []
    try:
        for seat, seat_name in enumerate(names):
            made.append(_empty(games, seat, seat_name))
        for place in range(len(games.files)):
            left = PART if deals is None else deals - place * PART
            if left > 0:
                _add(games, place, made, left)
            progress((place + 1) * PART)
    except BaseException:  # Ctrl-C as well: half a data set would be taken for a whole one
        for unfinished in set(names) & set(minari.list_local_datasets()):
            minari.delete_dataset(unfinished)
        raise
    return names


def _add(games: RecordedGames, place: int, made: Sequence[minari.MinariDataset], deals: int) -> None:
    found = games.replay(place)
    options = [_options(game) for game in islice(games.games(place), deals)]
    for seat, dataset in enumerate(made):
        dataset.storage.update_episodes(episodes(games, found, seat, options))


def episodes(
    games: RecordedGames, found: Replay, seat: int, options: Sequence[dict[str, Any]]
) -> Iterator[EpisodeBuffer]:
    """The episodes of a learner in one seat, a deal each; `options` are those of `reset` that deal the same cards."""
    for place, dealt in enumerate(options):
        first = found.offsets[place]
        rows = first + np.flatnonzero(found.seats[first : found.offsets[place + 1]] == seat)
        end = view_of(games.game, found.ends[place : place + 1], seat)
        done = np.arange(len(rows)) == len(rows) - 1
        yield EpisodeBuffer(
            options=dealt,
            observations=np.concatenate([found.observations[rows], end.observation()[None]]),
            actions=found.actions[rows],
            rewards=found.rewards[rows],
            terminations=done,
            truncations=np.zeros_like(done),
            infos={"action_mask": np.concatenate([found.masks[rows], end.action_mask()[None]])},
        )


def _options(game: RecordedGame) -> dict[str, Any]:
    kitty = {"kitty": game.kitty} if game.kitty else {}
    given = {} if game.totals_before is None else {"totals": game.totals_before, "leader": game.leader}
    opening = {"passing": game.leader is None, "deal_number": game.deal_number, "dealer": game.dealer}
    return {"hands": game.hands} | opening | kitty | given


def _empty(games: RecordedGames, seat: int, name: str) -> minari.MinariDataset:
    """A data set without episodes, with the environment that shows the same."""
    description, agents = games.description, games.description["agents"]
    variant = games.game.rules.variant
    options = {"variant": description["variant"], "seat": seat, "deals": 1}
    options |= {"opponents": agents[0]} if len(agents) == 1 and not games.is_given else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that it names no author and no address
        return minari.create_dataset_from_buffers(
            name,
            [],
            env=EnvSpec(gymnasium_name(variant), "hearts_env.envs.gym:LearnerEnv", kwargs=options),
            algorithm_name=", ".join(agents),
            description=f"{description['variant']}, seat {seat}, agents drawn from {', '.join(agents)}",
            requirements=[f"hearts-env=={hearts_env.__version__}"],
            data_format="parquet",
        )
