"""A network of card tokens, the ablation of `ablations.py` whose every layer sees the cards one by one.

Every kind of card is a token, and one more stands for all else. A column of the input is added to the token of the card
that it is about, by weights that are made from the rules as those of `RulesNet` are; then every layer lets each token
see itself, the mean of its suit and the mean of all (deep sets: Zaheer et al. 2017, arXiv:1703.06114). The logit of a
card comes from its token, those of other actions from the last one. A decision costs some eight times as much.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from hearts_agents.neural import ILLEGAL, agent, rulesnet, saved
from hearts_agents.neural.features import SUITS, Described
from hearts_agents.neural.policy import with_own
from hearts_agents.neural.rulesnet import RulesNet, described
from hearts_env.compiled.game import Game
from hearts_env.kernel.counts import BLOCKS as COUNTS
from hearts_training.train import mixed
from hearts_training.train.mixed import MixedGame


class Made(NamedTuple):
    """What the rules of one game make.

    Attributes:
        first: (columns, code) weights of the columns.
        token: (columns,) the token that each is added to.
        start: (kinds + 1, code) the tokens before anything is added.
        suits: (suits, kinds + 1) each row takes the mean of a suit.
        suit: (kinds + 1,) the suit of each token; the last token is a suit of its own.
        head: (outputs, code), and `head_bias`: (outputs,).
        own: (counts, kinds) weights of the counts of each card in its logit; None in a critic.
    """

    first: Tensor
    token: Tensor
    start: Tensor
    suits: Tensor
    suit: Tensor
    head: Tensor
    head_bias: Tensor
    own: Tensor | None


class Tokens(RulesNet):
    """A policy of card tokens, or a critic; see `RulesNet`. All layers are as wide as codes, whatever `width` is."""

    def __init__(self, width: int = 128, depth: int = 2, code: int = 64, *, critic: bool = False) -> None:
        super().__init__(code, depth, code, critic=critic)
        del self.hidden, self.films
        self.start = nn.Linear(code, code)
        self.norms = nn.ModuleList(nn.LayerNorm(code) for _ in range(depth))
        self.own = nn.ModuleList(nn.Linear(code, code) for _ in range(depth))
        self.suit = nn.ModuleList(nn.Linear(code, code, bias=False) for _ in range(depth))
        self.all = nn.ModuleList(nn.Linear(code, code, bias=False) for _ in range(depth))
        self.added = nn.ModuleList(nn.Linear(code, code) for _ in range(depth))

    def layers(self, games: Sequence[Described]) -> list[Any]:
        """`Made` of some games, made together."""
        codes = self._codes(games)
        cards, _, suits, options, _ = codes
        firsts = self._first_layers(games, codes)
        kinds = [len(game.cards) for game in games]
        rules = self.bias(self.rules(torch.stack([game.rules for game in games])))
        starts = [torch.cat(parts) for parts in zip(self.start(cards).split(kinds), rules[:, None], strict=True)]
        heads: list[tuple[Tensor, Tensor, Tensor | None]]
        if self.critic:
            heads = [(self.value.weight, self.value.bias, None)] * len(games)
        else:
            heads = [*self._heads(games, cards, suits, options)]
        tokens = [game.about[: len(first), 0] for game, first in zip(games, firsts, strict=True)]
        tokens = [torch.where(token < 0, count, token) for token, count in zip(tokens, kinds, strict=True)]
        made = zip(firsts, tokens, starts, map(_suits, games), heads, strict=True)
        return [
            Made(first, token, start, means, suit, head, bias, own)
            for first, token, start, (means, suit), (head, bias, own) in made
        ]

    def answers(self, made: Made, row: Tensor, column: Tensor, value: Tensor, own: Tensor | None, size: int) -> Tensor:
        """Logits or values.

        Args:
            made: of the game.
            row: of each input that is not 0.
            column: of each.
            value: of each.
            own: (size, counts, kinds) the counts of each card; None in a critic.
            size: number of rows.

        Returns:
            (size, actions) logits, legal or not; (size, 1) values of a critic.
        """
        count = len(made.start)
        added = made.first.index_select(0, column) * value[:, None]
        empty = added.new_zeros(size * count, self.code)
        x = empty.index_add(0, row * count + made.token[column], added).view(size, count, -1) + made.start
        for norm, own_layer, suit, every, more in zip(
            self.norms, self.own, self.suit, self.all, self.added, strict=True
        ):
            normal = norm(x)
            means = torch.matmul(made.suits, normal)
            pooled = suit(means) + every(normal.mean(1, keepdim=True))
            x = x + more(torch.relu(own_layer(normal) + pooled.index_select(1, made.suit)))
        x = nn.functional.layer_norm(x.float(), (self.code,))
        if own is None or made.own is None:
            return nn.functional.linear(x[:, -1], made.head, made.head_bias)
        cards = (x[:, :-1] * made.head[: count - 1]).sum(2)
        logits = torch.cat([cards, x[:, -1] @ made.head[count - 1 :].t()], 1) + made.head_bias
        return with_own(logits, own, made.own)

    def network(self, game: Game, told: str = "") -> Any:
        """The network that plays a game."""
        return Played(self, game)


def _suits(game: Described) -> tuple[Tensor, Tensor]:
    """`Made.suits` and `Made.suit`."""
    suit = torch.cat([game.cards[:, -SUITS:].argmax(1), torch.tensor([SUITS])])
    members = nn.functional.one_hot(suit, SUITS + 1).t().float()
    return members / members.sum(1, keepdim=True).clamp(min=1), suit


class Played:
    """A network that plays one game."""

    def __init__(self, net: Tokens, game: Game) -> None:
        """Make its layers."""
        self.net, self.kinds, self.counted = net, len(game.deck.kinds), int(game.tables["obs_size"])
        with torch.no_grad():
            (self.made,) = net.layers([described(game)])

    @torch.no_grad()
    def logits(self, rows: NDArray[np.float32], masks: NDArray[np.int8]) -> NDArray[np.float32]:
        """Logits, as of `hearts_agents.neural.forward.Network`."""
        inputs = torch.from_numpy(rows)
        row, column = inputs.nonzero(as_tuple=True)
        counts = inputs[:, self.counted :][:, : len(COUNTS) * self.kinds]
        own = counts.view(-1, len(COUNTS), self.kinds)
        found = self.net.answers(self.made, row, column, inputs[row, column], own, len(rows)).numpy()
        return np.where(masks > 0, found, np.float32(ILLEGAL))


class TokenGame(MixedGame):
    """The tables of one game in one round."""

    def log_probs_by(self, layers: Any, rows: Tensor) -> Tensor:
        """Log-probabilities of all actions in some stored decisions, (n, actions)."""
        inputs = self.experience.inputs
        logits = self._answers("policy", layers, rows, inputs.observed, inputs.card_counts(rows))
        return torch.log_softmax(logits.masked_fill(~self.experience.masks[rows], ILLEGAL), 1)

    def values_by(self, layers: Any, rows: Tensor) -> Tensor:
        """The critic's estimates of the return of some stored decisions, (n,)."""
        return self._answers("critic", layers, rows, self.experience.inputs.counts, None).squeeze(1)

    def _answers(self, name: str, made: Made, rows: Tensor, counts: Tensor, own: Tensor | None) -> Tensor:
        inputs, net = self.experience.inputs, self.nets[name]
        assert isinstance(net, Tokens)
        row, entry = (torch.arange(inputs.columns.shape[1]) < counts[rows, None]).nonzero(as_tuple=True)
        column, value = (part[rows[row], entry] for part in (inputs.columns, inputs.values))
        with self.autocast():
            return net.answers(made, row, column.long(), value, own, len(rows)).float()


def _played(weights: Mapping[str, NDArray[np.float32]], game: Game, told: str = "") -> Played:
    """A saved network plays a game."""
    depth, code = sum(name.startswith("added.") for name in weights) // 2, len(weights["start.bias"])
    net = Tokens(depth=depth, code=code)
    net.load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()})
    return Played(net.eval(), game)


def _shapes(info: saved.GeneralInfo) -> dict[str, tuple[int, ...]]:
    """Name -> shape of every weight."""
    return {name: tuple(one.shape) for name, one in Tokens(depth=info.depth, code=info.code).state_dict().items()}


@contextmanager
def tokens() -> Iterator[None]:
    """Networks for all rules are networks of card tokens, in training and in play."""
    with ExitStack() as stack:
        for module, name, value in (
            (mixed, "RulesNet", Tokens),
            (mixed, "MixedGame", TokenGame),
            (rulesnet, "RulesNet", Tokens),
            (saved, "general_shapes", _shapes),
            (agent, "network_for", _played),
        ):
            stack.enter_context(patch.object(module, name, value))
        yield
