"""What the parts of a network for all rules are worth: each is left out in turn.

    python training/lab/ablations.py train 0 1    # what is missing of chains 0 and 1
    python training/lab/ablations.py table        # of all that is there

They are trainings of `generalization.py` on the 256 rules of a chain with a change, as long and with the same seed, and
their lines lie beside its own. The whole network is trained again beside them: arithmetic differs between machines. The
network of card tokens (`tokens.py`) has the CPU time that the whole one took, in which it sees fewer deals.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any
from unittest.mock import patch

import numpy as np
import tyro

from hearts_agents.neural import features, general, rulesnet
from hearts_agents.neural.features import suit_order
from hearts_agents.neural.rulesnet import RulesNet
from hearts_env.benchmark.splits import CHAINS, SIZES
from hearts_env.compiled.game import Game
from hearts_env.compiled.statics import Statics, statics_of
from hearts_training.train import mixed
from lab.generalization import Pooled, keep, known
from lab.results import show
from lab.tokens import tokens

SIZE = SIZES[-1]


def code(name: str, size: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """A code of a name: `size` normal numbers that depend on nothing else."""
    seed = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "little")
    return np.random.default_rng(seed).standard_normal(size).astype(np.float32)


def by_name(game: Game, told: str = "") -> Statics:
    """Statics in which a code of its name stands for the description of a card or a suit."""
    own, deck = statics_of(game), game.deck
    cards = np.stack([code(card, own.cards.shape[1]) for card in deck.kinds])
    suits = np.stack([code(suit, own.suits.shape[1]) for suit in ("C", "D", "H", "S", "JK")])
    return own._replace(cards=cards, suits=suits)


def by_game(game: Game, told: str = "") -> Statics:
    """The same, with a code of the game's text for the rules that concern no card."""
    return by_name(game)._replace(rules=code(str(game.rules), statics_of(game).rules.shape[-1]))


class WithoutFiLM(RulesNet):
    """Rules change the first and the last layer, but not the hidden ones."""

    def __init__(self, *sizes: int, critic: bool = False) -> None:
        super().__init__(*sizes, critic=critic)
        for parameter in self.films.parameters():
            parameter.requires_grad_(False).zero_()


@contextmanager
def told(statics: Callable[[Game, str], Statics]) -> Iterator[None]:
    """Networks read other statics, and suits have one order."""
    rulesnet.described.cache_clear()
    suit_order.cache_clear()
    one = patch.object(general, "suit_orders", lambda game, told: (suit_order(game, told),))
    with patch.object(features, "told_statics", statics), one:
        yield
    rulesnet.described.cache_clear()
    suit_order.cache_clear()


WHOLE, TOKENS = "nothing left out", "card tokens"
ABLATIONS: dict[str, Callable[[], Any]] = {
    WHOLE: nullcontext,
    "without FiLM": lambda: patch.object(mixed, "RulesNet", WithoutFiLM),
    "cards by name": lambda: told(by_name),
    "cards and games by name": lambda: told(by_game),
    TOKENS: tokens,
}
"""Ablation -> what is changed while it is trained and scored."""


@dataclass(frozen=True)
class Train:
    """Train and score what is missing of some chains."""

    chains: Annotated[tuple[int, ...], tyro.conf.Positional] = tuple(range(CHAINS))
    """The chains, one after the other."""

    def run(self) -> None:
        """Do it; a line is written when its network has been scored."""
        for chain in self.chains:
            for name, change in ABLATIONS.items():
                minutes = _minutes(chain) if name == TOKENS else None
                with change():
                    keep(chain, SIZE, name, minutes)


HEADS = ("chains", "minutes", "score", "difference")


def rows() -> list[list[str]]:
    """Of every ablation: its name, chains, minutes of CPU time, score on C, and the difference from the whole network,
    paired by chain and rule, with its standard error over rules.
    """
    found, whole = [], {line["chain"]: line for line in _lines(WHOLE)}
    for name in ABLATIONS:
        lines = {line["chain"]: line for line in _lines(name) if line["chain"] in whole}
        if not lines:
            continue
        pooled = Pooled(SIZE, name, [*lines.values()]).summary
        ends = ", ".join(f"{end:.3f}" for end in pooled["score_ci"])
        differences = np.mean([_scores(line) - _scores(whole[chain]) for chain, line in lines.items()], axis=0)
        error = differences.std(ddof=1) / np.sqrt(len(differences))
        difference = "" if name == WHOLE else f"{differences.mean():+.3f} ± {error:.3f}"
        minutes = np.mean([line["cpu_minutes"] for line in lines.values()])
        found.append([name, str(len(lines)), f"{minutes:.0f}", f"{pooled['score']:.3f} [{ends}]", difference])
    return found


def _lines(name: str) -> list[dict[str, Any]]:
    return [line for chain in range(CHAINS) for line in known(chain) if (line["rules"], line["told"]) == (SIZE, name)]


def _minutes(chain: int) -> float:
    """CPU time of the whole network of a chain."""
    (minutes,) = (float(line["cpu_minutes"]) for line in _lines(WHOLE) if line["chain"] == chain)
    return minutes


def _scores(line: dict[str, Any]) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.array([score for _, score, _ in line["scores"]])


@dataclass(frozen=True)
class Table:
    """Print the table."""

    def run(self) -> None:
        """Do it."""
        show(rows(), HEADS, title="Left out", caption="score on C, and the difference from the whole", first="part")


if __name__ == "__main__":
    tyro.extras.subcommand_cli_from_dict({"train": Train, "table": Table}, prog=Path(sys.argv[0]).name).run()
