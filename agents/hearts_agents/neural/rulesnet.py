"""A network whose first and last layers are made from the rules: one network for every game.

Small networks encode the static description of each card, suit, seat and way to pass (`hearts_env.compiled.statics`) as
a code. The weights of an input column are those of its fact, applied to the product of the codes of what it is about
(`features`); the logit of a card is the product of the last hidden layer with a vector made from the card's code, plus
a sum of the card's own counts with weights made from it. The rules that concern no card are the bias of the first
layer, and the scale and shift of every hidden layer (FiLM: Perez et al. 2018, arXiv:1709.07871). `RulesNet.layers`
makes all this once a game; a decision then costs what it costs an ordinary network.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from hearts_agents.neural.features import FACTS, LANES, SUITS, Described, describe
from hearts_agents.neural.forward import Averaged, Network
from hearts_agents.neural.general import network_for
from hearts_agents.neural.known import with_all_names, with_learned_names
from hearts_agents.neural.policy import PolicyNet, arrays_of, with_own
from hearts_agents.neural.saved import GENERAL, GeneralInfo, read_general
from hearts_agents.neural.sealed import write_network
from hearts_env.compiled.decisions import DECISIONS
from hearts_env.compiled.game import Game
from hearts_env.compiled.statics import CARD_TERMS, OPTION_TERMS, RULE_TERMS, SEAT_TERMS, SUIT_TERMS, WORDS
from hearts_env.kernel.counts import BLOCKS as COUNTS

UNEVEN = 0.5
"""Unevenness of the split of a unit's weight among its copies when a network grows; 0 is an even split."""
SMALL = 0.01
"""Factor on the weights of an added layer when a network grows."""


@lru_cache(maxsize=512)
def described(game: Game, told: str = "", device: torch.device | None = None) -> Described:
    """A game as the small networks read it, as tensors; `told` as in `features.told_statics`."""
    *parts, inputs = describe(game, told)
    return Described._make([*(torch.tensor(part, device=device) for part in parts), inputs])


class Layers(NamedTuple):
    """The layers of one game.

    Attributes:
        first: (columns, width) weights of the first layer, a row for each column.
        bias: (width,) of the first layer.
        norms: (hidden layers, 2, width) scale and shift after the normalisation in each.
        head: (outputs, width), and `head_bias`: (outputs,).
        own: (counts, kinds) weights of the counts of each card in its logit; None in a critic.
    """

    first: Tensor
    bias: Tensor
    norms: Tensor
    head: Tensor
    head_bias: Tensor
    own: Tensor | None


def _encoder(inputs: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(inputs, 2 * outputs), nn.ReLU(), nn.Linear(2 * outputs, outputs))


class RulesNet(nn.Module):
    """A policy for all rules, or a critic that also sees the hidden hands.

    Attributes:
        width: of the hidden layers.
        depth: number of hidden layers after the first.
        code: size of the codes.
        critic: whether it estimates a value instead of choosing an action.
    """

    def __init__(self, width: int = 128, depth: int = 2, code: int = 64, *, critic: bool = False) -> None:
        super().__init__()
        self.width, self.depth, self.code, self.critic = width, depth, code, critic
        self.cards = _encoder(len(CARD_TERMS) + SUITS, code)
        self.suits = _encoder(len(SUIT_TERMS) + SUITS, code)
        self.seats = _encoder(len(SEAT_TERMS), code)
        self.options = _encoder(len(OPTION_TERMS), code)
        self.lanes = nn.Parameter(0.3 * torch.randn(LANES, code))
        self.rules = _encoder(len(RULE_TERMS), code)
        self.facts = nn.Parameter(torch.randn(len(FACTS), code, width) * (0.5 / (code * width) ** 0.5))
        self.bias = nn.Linear(code, width)
        self.films = nn.Linear(code, depth * 2 * width)
        self.hidden = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))
        for layer in self.hidden:
            assert isinstance(layer, nn.Linear)
            nn.init.orthogonal_(layer.weight, 2**0.5)
            nn.init.zeros_(layer.bias)
        for made in (self.bias, self.films):
            nn.init.normal_(made.weight, std=0.1 / code**0.5)
            nn.init.zeros_(made.bias)
        if critic:
            self.value = nn.Linear(width, 1)
            nn.init.normal_(self.value.weight, std=0.01)
            nn.init.zeros_(self.value.bias)
            return
        self.specials = _encoder(len(DECISIONS) + len(WORDS), code)
        self.named = nn.ModuleList(nn.Linear(code, code, bias=False) for _ in range(3))
        self.card_head = nn.Linear(code, width + 1 + len(COUNTS))
        self.special_head = nn.Linear(code, width + 1)
        for head in (self.card_head, self.special_head):
            nn.init.normal_(head.weight, std=0.01 / code**0.5)
            nn.init.zeros_(head.bias)

    def layers(self, games: Sequence[Described]) -> list[Layers]:
        """The layers of some games, made together."""
        codes = self._codes(games)
        cards, _, suits, options, _ = codes
        firsts = self._first_layers(games, codes)
        rules = self.rules(torch.stack([game.rules for game in games]))
        biases = self.bias(rules)
        norms = self.films(rules).view(-1, self.depth, 2, self.width) + rules.new_tensor([1.0, 0.0])[:, None]
        made = zip(firsts, biases, norms, strict=True)
        if self.critic:
            return [Layers(*parts, self.value.weight, self.value.bias, None) for parts in made]
        heads = self._heads(games, cards, suits, options)
        return [Layers(*parts, *head) for parts, head in zip(made, heads, strict=True)]

    def _codes(self, games: Sequence[Described]) -> tuple[Tensor, ...]:
        """The codes of cards, seats, suits and ways to pass of some games, and those of lanes."""
        cards = nn.functional.layer_norm(self.cards(torch.cat([game.cards for game in games])), (self.code,))
        suits = nn.functional.layer_norm(self.suits(torch.cat([game.suits for game in games])), (self.code,))
        seats = self.seat_codes(games)
        options = 1 + self.options(torch.cat([game.options for game in games]))
        return cards, seats, suits, options, 1 + self.lanes

    def seat_codes(self, games: Sequence[Described]) -> Tensor:
        """(seats, code): the codes of the seats of some games; weights of facts about a seat are applied to its own."""
        made: Tensor = 1 + self.seats(torch.cat([game.seats for game in games]))
        return made

    def _first_layers(self, games: Sequence[Described], codes: Sequence[Tensor]) -> tuple[Tensor, ...]:
        """(columns, width) of each game. The columns of a fact, of all games, are multiplied by its weights at once."""
        sizes = [len(game.fact) if self.critic else game.inputs for game in games]
        fact = torch.cat([game.fact[:size] for game, size in zip(games, sizes, strict=True)])
        about = _rows(games, [game.about[:size] for game, size in zip(games, sizes, strict=True)], codes)
        order = fact.argsort(stable=True)
        one = self.lanes.new_ones(1, self.code)
        # index_select, since the gradient of indexing depends on the order in which threads finish
        described = torch.cat([codes[0], one]).index_select(0, about[order, 0])
        for axis, code in enumerate(codes[1:], 1):
            described = described * torch.cat([code, one]).index_select(0, about[order, axis])
        found, counts = fact.unique(return_counts=True)
        facts = self.facts.unbind()
        blocks = described.split(counts.tolist())
        made = torch.cat([block @ facts[one] for block, one in zip(blocks, found.tolist(), strict=True)])
        return tuple(made[order.argsort()].split(sizes))

    def _heads(
        self, games: Sequence[Described], cards: Tensor, suits: Tensor, options: Tensor
    ) -> list[tuple[Tensor, Tensor, Tensor]]:
        """The last layer of each game, its bias, and the weights of the counts."""
        heads = self.card_head(cards).split([len(game.cards) for game in games])
        code = self.specials(torch.cat([game.specials for game in games]))
        codes = (cards, suits, options)
        zero = cards.new_zeros(1, self.code)
        named = _rows(games, [game.named for game in games], codes, (0, 2, 3))
        for part, layer, place in zip(codes, self.named, named.unbind(1), strict=True):
            code = code + layer(torch.cat([part, zero]).index_select(0, place))
        specials = self.special_head(code).split([len(game.specials) for game in games])
        made = []
        for head, special in zip(heads, specials, strict=True):
            weights, biases, own = head.split((self.width, 1, len(COUNTS)), 1)
            weights = torch.cat([weights, special[:, : self.width]])
            made.append((weights, torch.cat([biases, special[:, self.width :]]).squeeze(1), own.t()))
        return made

    def network(self, game: Game, told: str = "") -> Network | Averaged:
        """The layers of a game, to play it by; `told` as in `features.told_statics`."""
        return network_for(arrays_of(self), game, told)

    @torch.no_grad()
    def grown(self, width: int, depth: int) -> RulesNet:
        """A larger network that plays as this one does: Net2Net (Chen et al. 2016, arXiv:1511.05641).

        Every hidden unit is copied, and its outgoing weights are split among the copies at random, so that the copies
        learn different things. The weights of added layers start so small that they change almost nothing.

        Raises:
            ValueError: it is a critic, the width is no multiple of this one's, or the depth is less.

        >>> RulesNet(8, 1, 4).grown(16, 2).width
        16
        """
        copies, left = divmod(width, self.width)
        if self.critic or not copies or left or depth < self.depth:
            raise ValueError(
                f"a policy of width {self.width} and depth {self.depth} grows to a multiple of that width and at least "
                f"that depth, not to {width} and {depth}"
            )
        new = RulesNet(width, depth, self.code)
        made, old = new.state_dict(), self.state_dict()
        for name, value in old.items():
            if name == "facts":
                made[name] = value.repeat(1, 1, copies)
            elif name.startswith(("bias.", "hidden.")):
                made[name] = value.repeat(copies, *[1] * (value.dim() - 1))
            elif name.startswith("films."):
                parts = value.view(self.depth, 2, self.width, *value.shape[1:])
                every = made[name].view(depth, 2, width, *value.shape[1:])
                every[: self.depth] = parts.repeat(1, 1, copies, *[1] * (value.dim() - 1))
            elif name.startswith(("card_head.", "special_head.")):
                units, rest = value.split((self.width, len(value) - self.width))
                made[name] = torch.cat([_split(units, copies, 0), rest])
            else:
                made[name] = value
            if name.startswith("hidden.") and name.endswith("weight"):
                made[name] = _split(made[name], copies, 1)
        for place in range(self.depth, depth):
            made[f"hidden.{place}.weight"] *= SMALL
        new.load_state_dict(made)
        return new

    @torch.no_grad()
    def policy(self, game: Game, told: str = "") -> PolicyNet:
        """The layers of a game as an ordinary policy, whose weights are free; `told` as in `features.told_statics`."""
        (layers,) = self.layers([described(game, told)])
        kinds = len(game.deck.kinds)
        hidden, counted = (self.width,) * (self.depth + 1), int(game.tables["obs_size"])
        made = PolicyNet(len(layers.first), len(game.actions), hidden, kinds, counted)
        weights = {"body.0.weight": layers.first.t(), "body.0.bias": layers.bias, "own": layers.own}
        for place, (layer, (scale, shift)) in enumerate(zip(self.hidden, layers.norms, strict=True), 2):
            weights |= {f"body.{place}.norm.weight": scale, f"body.{place}.norm.bias": shift}
            weights |= {f"body.{place}.linear.{name}": value for name, value in layer.state_dict().items()}
        made.load_state_dict(weights | {"head.weight": layers.head, "head.bias": layers.head_bias})
        return made

    def outputs(self, layers: Layers, product: Tensor, own: Tensor | None = None) -> Tensor:
        """Logits or values.

        Args:
            layers: of the game.
            product: (n, width) what the first layer makes of the inputs, its bias included.
            own: (n, counts, kinds) the counts of each card; None in a critic.

        Returns:
            (n, actions) logits, legal or not; (n, 1) values of a critic.
        """
        hidden = torch.relu(product)
        for layer, (scale, shift) in zip(self.hidden, layers.norms, strict=True):
            normal = nn.functional.layer_norm(hidden, (self.width,), scale.to(hidden.dtype), shift.to(hidden.dtype))
            hidden = hidden + torch.relu(layer(normal))
        found = nn.functional.linear(hidden, layers.head.to(hidden.dtype), layers.head_bias.to(hidden.dtype)).float()
        return found if own is None or layers.own is None else with_own(found, own, layers.own)


def _split(weights: Tensor, copies: int, axis: int) -> Tensor:
    """Split the weights of some units among copies of these units, along an axis; the parts add up to the weights."""
    noise = torch.randn(copies, *weights.shape)
    shares = (1 + UNEVEN * (noise - noise.mean(0))) / copies
    return torch.cat([*(shares * weights)], axis)


def _rows(
    games: Sequence[Described], places: Sequence[Tensor], codes: Sequence[Tensor], axes: Sequence[int] = range(5)
) -> Tensor:
    """Places within each game as rows of the codes of all games; -1 becomes the row after the last."""
    last = torch.tensor([len(code) for code in codes], device=codes[0].device)
    starts = torch.zeros_like(last)
    found = []
    for game, place in zip(games, places, strict=True):
        found.append(torch.where(place < 0, last, place + starts))
        starts = starts + game.sizes[list(axes)]
    return torch.cat(found)


def save_general(
    folder: str | Path,
    net: RulesNet,
    extra: Mapping[str, Any] | None = None,
    *,
    half: bool = False,
    run: Sequence[Mapping[str, Any]] = (),
) -> GeneralInfo:
    """Write a network for all rules to a folder, which is created if it does not exist.

    Args:
        folder: the folder.
        net: the policy.
        extra: further JSON values for its description.
        half: write weights in half precision, half the size.
        run: how it came to be: JSON values for the key ``run`` of ``general.json``, which no reader compares.

    Raises:
        ValueError: its weights are not finite, or the folder cannot be written.
    """
    hidden = (net.width,) * (net.depth + 1)
    weights, known = with_learned_names(arrays_of(net, half=half))
    info = GeneralInfo(known, net.width, net.depth, net.code, hidden, dict(extra or {}))
    write_network(folder, GENERAL, asdict(info), weights, run)
    return info


def load_general(folder: str | Path) -> tuple[RulesNet, GeneralInfo]:
    """Read a network that `save_general` wrote.

    Raises:
        ValueError: a file is missing, damaged or of another kind; the message names the file and the defect.
    """
    weights, info = read_general(folder)
    weights = with_all_names(weights, info.names)
    with torch.device("meta"):
        net = RulesNet(info.width, info.depth, info.code)
    net.load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()}, assign=True)
    return net.eval(), info
