"""The games that a run learns from: one, whose matches go on from update to update, or a mix of many.

Every round of a mix draws some games and plays one deal at each table of theirs, in matches in which some deals have
been played at random. What a seat earns there is counted in standard deviations of a deal's margin among copies of
``rule``, and advantages are normalised in each game, so that games of large points weigh no more.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.stats import rankdata
from torch import Tensor

from hearts_agents.neural import PolicyNet, load_policy
from hearts_agents.neural.inputs import input_size
from hearts_agents.registry import make_agent
from hearts_agents.weights import GENERAL_NAME, folder_of, strongest_agent
from hearts_env.benchmark.domain import Membership, split_of
from hearts_env.benchmark.splits import SEEN, SPLITS, split, withheld_in
from hearts_env.compiled.game import compile_game
from hearts_env.kernel.records import STATE
from hearts_env.ruleset.model import Rules
from hearts_env.ruleset.syntax import brief
from hearts_env.variants.registry import VARIANTS
from hearts_env.variants.registry import rules as read_rules
from hearts_env.variants.sample import VERSIONS, sample_rules
from hearts_training.evaluate.sides import Sides
from hearts_training.train.config import Config
from hearts_training.train.networks import Networks
from hearts_training.train.selfplay import SelfPlay, TrainingGame
from hearts_training.train.sparse import by_column

SMOOTHING = 0.2
"""Weight of the newest round in the moving average of how far the policy is behind in a game."""
KEPT = 64
"""Sampled rules that are played again, at most."""
ROUNDS = 4
"""Rounds in which sampled rules are played before others take their place."""
SEEDS_OF_RUN, RUNS = 1_000_000, 1000
"""Seeds of sampled rules that a run has for itself, and the number of such runs: the benchmark's begin at 10**9."""
SEEDS_APART = 1000
"""Distance from a seed whose rules are of no use to the seed that is tried instead."""


class Draw(NamedTuple):
    """The games of a round.

    Attributes:
        known: those drawn from `ManyGames.presets`.
        seeds: seeds of the sampled rules that are also played.
    """

    known: tuple[TrainingGame, ...] = ()
    seeds: tuple[int, ...] = ()


Behind = Sequence[tuple[TrainingGame, float]]
"""Games, and how far the policy is behind in each, where that is known; see `SelfPlay.behind`."""


class OneGame:
    """One game, whose matches go on from round to round.

    Attributes:
        play: its tables.
        match_critic: pays the chance to win the match; None where points are paid.
        teachers: none.
    """

    teachers: tuple[str, ...] = ()

    def __init__(self, rules: Rules, networks: Networks, config: Config, seed: int, device: torch.device) -> None:
        """Start a match at every table."""
        game = TrainingGame(rules, float(compile_game(rules).tables["point_scale"]))
        self.play = SelfPlay(game, networks, config, seed=seed, device=device)
        self.match_critic = self.play.match_critic

    def draw(self, random: np.random.Generator, updates: int, learner: int) -> Draw:
        """Nothing: the game is always the same."""
        return Draw()

    def tables(self, draw: Draw, networks: Networks, random: np.random.Generator) -> list[SelfPlay]:
        """The tables of the game."""
        return [self.play]

    def weigh(self, behind: Behind) -> None:
        """Nothing depends on it."""

    def digests(self) -> dict[str, str]:
        """None."""
        return {}

    def tensors(self) -> dict[str, Tensor]:
        """The matches in progress, the decisions that have not been learned from, and the random generator."""
        play = self.play
        experience, n = play.experience, play.experience.count
        inputs = experience.inputs
        unused = torch.arange(inputs.columns.shape[1], device=play.device) >= inputs.counts[:n, None]
        rows = {name: tensor[:n] for name, tensor in experience.tensors.items()}
        rows |= {name: rows[name].masked_fill(unused, 0) for name in ("columns", "values")}
        rows |= {name: torch.from_numpy(getattr(experience, name)[:n]) for name in ("rewards", "next_row")}
        matches = {} if self.match_critic is None else self.match_critic.tensors()
        tensors = {
            "generator": play.generator.get_state(),
            "imitating": torch.tensor(play.imitating),
            "states": torch.from_numpy(play.env.states.view(np.uint8)),
            "last_row": torch.from_numpy(experience.last_row.copy()),
            **{f"rows.{name}": tensor for name, tensor in rows.items()},
            **{f"matches.{name}": tensor for name, tensor in matches.items()},
        }
        return {name: tensor.detach().cpu().clone().contiguous() for name, tensor in tensors.items()}

    def restore(self, tensors: Mapping[str, Tensor]) -> None:
        """Go back to what `tensors` returned. Raises KeyError, ValueError or RuntimeError for what is missing or does
        not fit.
        """
        play, n = self.play, len(tensors["rows.rewards"])
        experience, env = play.experience, play.env
        play.generator.set_state(tensors["generator"])
        play.imitating = bool(tensors["imitating"])
        states = tensors["states"].numpy().view(STATE)
        env.restore(env.save() | {"states": states})
        experience.count = n
        for name, tensor in experience.tensors.items():
            tensor[:n] = tensors[f"rows.{name}"]
        for name in ("rewards", "next_row"):
            getattr(experience, name)[:n] = tensors[f"rows.{name}"].numpy()
        experience.last_row[...] = tensors["last_row"].numpy()
        if self.match_critic is not None:
            matches = {name: tensor for name, tensor in tensors.items() if name.startswith("matches.")}
            self.match_critic.restore({name.removeprefix("matches."): tensor for name, tensor in matches.items()})


def entry_of(rules: Rules, seed: int = -1) -> TrainingGame | None:
    """A game of a mix; None if no deal is worth more than another to ``rule``."""
    sides = Sides.of(rules)
    sd, worst = sides.spread(), float(sides.margins(make_agent("random"), make_agent("rule"), 0).mean())
    if not sd:
        return None
    game = compile_game(rules)
    team_size = int(game.tables["team_size"]) if game.team_pay else 1  # a margin is a mean over a team
    return TrainingGame(rules, 1 / (sd * team_size), worst / sd, seed)


@lru_cache(maxsize=256)
def sampled_entry(seed: int, open_: bool) -> TrainingGame:
    """The rules that `hearts_env.sample_rules` draws from a seed, or from a later one if they are of no use.

    They are of no use if no deal is worth more than another to ``rule``, or if `open_` is false and they are not of the
    kind that the benchmark trains on.
    """
    for attempt in count():
        rules = sample_rules(seed + attempt * SEEDS_APART, VERSIONS[-1])
        if open_ or (split_of(rules) == Membership("train") and withheld_in(rules) is None):
            found = entry_of(rules, seed)
            if found is not None:
                return found
    raise AssertionError


def lasting_entries(variants: str, open_: bool) -> tuple[TrainingGame, ...]:
    """The games that every round draws from: the registered variants, those of a split or a file, or one.

    Raises ValueError, in one line, for what cannot be read, or for rules which the benchmark tests.
    """
    if variants == "sampled" and not open_:
        return ()
    if variants in ("all", "sampled"):
        given = [read_rules(name) for name in VARIANTS]
    elif variants.partition(":")[0] in (SEEN, *SPLITS):
        given = [read_rules(line.rules) for line in split(variants)]
    else:
        given = _read(variants)
    found = list(dict.fromkeys(given))
    for rules in found:
        check_open(rules, open_ or variants == "all")
    entries = tuple(entry for entry in map(entry_of, found) if entry is not None)
    if not entries:
        raise ValueError(f"there is nothing to learn in {variants}: no deal is worth more than another to rule")
    return entries


def _read(variants: str) -> list[Rules]:
    """Some rules by their text, or those of the lines of a file."""
    try:
        return [read_rules(variants)]
    except ValueError as error:
        no_rules = error
    try:
        texts = [line.strip() for line in Path(variants).read_text("utf-8").splitlines() if line.strip()]
    except FileNotFoundError:
        raise ValueError(
            f"variants={variants} is not all, sampled, a split, a file or the text of some rules ({no_rules})"
        ) from None
    except (OSError, ValueError) as error:
        raise ValueError(
            f"variants={variants} cannot be read ({error}); it is all, sampled, a split, a file or some rules"
        ) from None
    if not texts:
        raise ValueError(f"variants={variants} is empty; write the text of some rules in each line")
    found = []
    for text in texts:
        try:
            found.append(read_rules(text))
        except ValueError as error:
            raise ValueError(f"{variants} has the line {brief(text)}, which is no rules ({error})") from None
    return found


def check_open(rules: Rules, open_: bool) -> None:
    """Raise ValueError if the benchmark holds some rules back, unless the training is marked open."""
    name = None if open_ else withheld_in(rules)
    if name is not None:
        raise ValueError(
            f"{rules} is in split {name} of the benchmark, where a network trained on it is no entry; to train on it "
            "nevertheless, add --open"
        )


def teacher_of(rules: Rules) -> str | None:
    """The spec of the network that comes with the suite for a game alone, as it is; None if there is none."""
    spec = strongest_agent(rules)
    return spec if spec.startswith("net:") and spec != f"net:{GENERAL_NAME}" else None


@lru_cache(maxsize=256)
def specialist_of(rules: Rules, device: torch.device) -> PolicyNet | None:
    """The network that `teacher_of` names, on a device; None if there is none that reads the counts."""
    spec = teacher_of(rules)
    if spec is None:
        return None
    net, info = load_policy(folder_of(spec.removeprefix("net:")))
    if info.inputs != input_size(compile_game(rules)):
        return None
    by_column(net.body[0])
    return net.to(device)


def drawn(random: np.random.Generator, behind: NDArray[np.float64], size: int) -> list[int]:
    """Draw the places of `size` different games; the game in which the policy is nth furthest behind weighs 1/n.

    Ranks distinguish games even if the policy is ahead in all of them (prioritized level replay: Jiang et al. 2021,
    arXiv:2010.03934, with a temperature of 1). Tied games have the mean of their ranks.
    """
    if not size:
        return []
    shares = 1 / rankdata(-behind)
    places: list[int] = random.choice(len(behind), size, replace=False, p=shares / shares.sum()).tolist()
    return places


class ManyGames:
    """A mix of games: registered or given ones, of which every round draws some, and sampled ones.

    Attributes:
        presets: the games of which every round draws some, those more often in which the policy is behind.
        behind: (presets,) how far it is behind in each, smoothed. 1 at first.
        kept: seed of sampled rules -> how far it is behind in them: those that are played again.
        teachers: specs of the networks for one game that teach.
    """

    match_critic = None

    def __init__(self, presets: Sequence[TrainingGame], config: Config, seed: int, device: torch.device) -> None:
        """The seed fixes the rules that are sampled."""
        assert config.many is not None
        self.config, self.mix, self.seed, self.device = config, config.many, seed, device
        self.presets, self.behind, self.kept = tuple(presets), np.ones(len(presets)), dict[int, float]()
        specs = {teacher_of(game.rules) for game in presets} if self.mix.teaching else set()
        self.teachers = tuple(sorted(spec for spec in specs if spec is not None))

    def draw(self, random: np.random.Generator, updates: int, learner: int) -> Draw:
        """The games of a learner's next round: presets, and seeds of sampled rules: some that are kept, and new ones
        that stay for `ROUNDS` rounds each.
        """
        mix = self.mix
        sampled = max(mix.sampled, mix.games - len(self.presets)) if mix.variants == "sampled" else 0
        known = drawn(random, self.behind, min(mix.games - sampled, len(self.presets)))
        new = [self._sample_seed(place, updates, learner) for place in range(sampled)]
        kept = {seed: behind for seed, behind in self.kept.items() if seed not in new}
        again = drawn(random, np.array([*kept.values()]), min(sampled // 2, len(kept)))
        seeds = [*map([*kept].__getitem__, again), *new][:sampled]
        return Draw(tuple(self.presets[place] for place in known), tuple(seeds))

    def _sample_seed(self, place: int, updates: int, learner: int) -> int:
        """The seed of the rules in a place of a learner's round; the places change one after the other."""
        games = self.mix.games
        generation = (updates + place * ROUNDS // games) // ROUNDS
        offset = (generation * self.mix.learners + learner) * games + place
        return self.seed % RUNS * SEEDS_OF_RUN + offset % SEEDS_OF_RUN

    def tables(self, draw: Draw, networks: Networks, random: np.random.Generator) -> list[SelfPlay]:
        """New tables of these games."""
        games = [*draw.known, *(sampled_entry(seed, self.mix.open) for seed in draw.seeds)]
        return [
            SelfPlay(
                game, networks, self.config, seed=int(random.integers(1 << 62)), device=self.device, played_on=True
            )
            for game in games
        ]

    def weigh(self, behind: Behind) -> None:
        """Note how far the policy is behind in some games, and keep the sampled rules in which it is most."""
        for game, distance in behind:
            if game.seed < 0:
                place = self.presets.index(game)
                self.behind[place] += SMOOTHING * (distance - self.behind[place])
            else:
                before = self.kept.get(game.seed, distance)
                self.kept[game.seed] = before + SMOOTHING * (distance - before)
        while len(self.kept) > KEPT:
            del self.kept[min(self.kept, key=self.kept.__getitem__)]

    def digests(self) -> dict[str, str]:
        """Digests of the given rules and of the weights of those that teach."""
        rules = "\n".join(str(game.rules) for game in self.presets)
        teachers = {spec: make_agent(spec).digest for spec in self.teachers}
        return {**teachers, self.mix.variants: hashlib.sha256(rules.encode()).hexdigest()}

    def tensors(self) -> dict[str, Tensor]:
        """`behind` and `kept`: every round starts its own tables."""
        return {
            "behind": torch.from_numpy(self.behind.copy()),
            "kept": torch.tensor([*self.kept], dtype=torch.int64),
            "kept_behind": torch.tensor([*self.kept.values()], dtype=torch.float64),
        }

    def restore(self, tensors: Mapping[str, Tensor]) -> None:
        """Go back to what `tensors` returned. Raises KeyError or ValueError for what is missing or does not fit."""
        self.behind[...] = tensors["behind"].numpy()
        self.kept = dict(zip(tensors["kept"].tolist(), tensors["kept_behind"].tolist(), strict=True))


Games = OneGame | ManyGames
"""What a learner plays."""
