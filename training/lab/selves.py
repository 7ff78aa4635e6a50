"""Ideas of learning that are more than options: a league of past selves, and a network of its own for the first tricks.

They are learners on the CPU that take the place of `PPO` in `learning.py`; their runs cannot be resumed.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from hearts_agents.base import Agent
from hearts_agents.neural import NetAgent, PolicyNet, network_inputs, save_policy
from hearts_env.compiled.game import Game
from hearts_env.seat.observation import layout_of
from hearts_env.seat.view import Views
from hearts_training.provenance import Provenance
from hearts_training.train.ppo import PPO
from hearts_training.train.rollout import Rows

FIRST_TRICKS = 4
"""Half of the last chances to stop a moon lie in the pass and these tricks."""


class PastSelf(Agent):
    """A place in a league.

    Attributes:
        net: a policy as it was; None while the first opponent plays in its place.
    """

    net: PolicyNet | None = None


class League(PPO):
    """Plays against past selves: its second and further opponents are places for the policy as it was.

    They are filled one by one, at equal intervals of self-play, and are held by the first opponent until then.
    """

    def add_networks(self) -> None:
        """Make the networks; the league is empty."""
        super().add_networks()
        self.places = [PastSelf() for _ in self.config.opponents[1:]]

    def update(self, progress: float) -> dict[str, float]:
        """As `PPO.update`; then the policy takes the next place in the league, if it is time."""
        figures = super().update(progress)
        self.opponents[1:] = self.places
        fraction = (progress - self.config.imitation) / (1 - self.config.imitation)
        for number, place in enumerate(self.places, 1):
            if place.net is None and fraction * (len(self.places) + 1) >= number:
                place.net = self.make_policy().requires_grad_(False)
                place.net.load_state_dict(self.policy.state_dict())
        return figures

    def _actions_of(self, agent: Agent, games: Rows) -> Rows:
        """The actions of an opponent; a past self samples them, as it did, from rows that are not kept."""
        if not isinstance(agent, PastSelf):
            return super()._actions_of(agent, games)
        if agent.net is None:
            return super()._actions_of(self.opponents[0], games)
        experience = self.experience
        new = slice(experience.count, experience.count + len(games))
        experience.inputs.write(new, self.env, games)
        experience.masks[new] = torch.from_numpy(self.env.action_masks[games] != 0).to(self.device)
        log_probs = self.log_probs_of(torch.arange(new.start, new.stop, device=self.device), agent.net)
        actions: Rows = self.sample(log_probs).cpu().numpy()
        return actions


class TwoNetworks(PPO):
    """A network for the pass and the first tricks, and another one for the rest of the deal, learned together, without
    an anchor or an average.

    Attributes:
        late: the policy for the rest; `policy` is the one for the first tricks.
    """

    def add_networks(self) -> None:
        """Make the networks."""
        super().add_networks()
        self.late = self.make_policy()
        self.learners["late"] = self._with_optimizer(self.late)
        self._hand = layout_of(self.env.game)["hand"].columns
        self._fewest = fewest_early(self.env.game)
        if len(self.env.game.deck.kinds) < int(self.env.game.tables["deck_size"]):
            raise ValueError("two networks count the cards in a hand; name a game without double cards")

    def log_probs_of(self, rows: Tensor, net: PolicyNet | None = None) -> Tensor:
        """Log-probabilities of all actions in some stored decisions, each by the network that makes it."""
        early = self.experience.inputs.block(rows, self._hand).sum(1) >= self._fewest
        parts = early.nonzero().squeeze(1), (~early).nonzero().squeeze(1)
        log_probs_of, nets = super().log_probs_of, (self.policy, self.late)
        said = [log_probs_of(rows[part], net) for part, net in zip(parts, nets, strict=True) if len(part)]
        return torch.cat(said)[torch.cat(parts).argsort()]

    def act_batch(self, views: Views) -> NDArray[np.int64]:
        """The most probable action in every view."""
        inputs, masks = (torch.from_numpy(rows).to(self.device) for rows in network_inputs(views))
        with torch.inference_mode():
            actions = [net(inputs, masks).argmax(1).cpu().numpy() for net in (self.policy, self.late)]
        chosen: NDArray[np.int64] = np.where(is_early(views), *actions)
        return chosen

    def save_agent(self, folder: Path, run: Sequence[Provenance] = ()) -> None:
        """Write both networks: one to the folder, the late one to ``late`` within it."""
        super().save_agent(folder, run)
        save_policy(folder / "late", self.late, self.env.game.rules, {"deals": self.deals}, run=run)


class BothNetworks(Agent):
    """Plays by the two networks that `TwoNetworks` has saved in a folder."""

    def __init__(self, folder: Path, temperature: float = 0.0) -> None:
        """`temperature` is that of `NetAgent`."""
        self.early, self.late = NetAgent(folder, temperature), NetAgent(folder / "late", temperature)
        self.name = f"both:{folder}"

    def reset(self, seed: int) -> None:
        """Seed what is sampled."""
        self.early.reset(seed)
        self.late.reset(seed)

    def act_batch(self, views: Views) -> NDArray[np.int64]:
        """One action per view."""
        early = is_early(views)
        actions = np.empty(len(views), np.int64)
        for net, mine in ((self.early, early), (self.late, ~early)):
            actions[mine] = net.act_batch(Views(views.game, views.records[mine], check=False))
        return actions


def fewest_early(game: Game) -> int:
    """The cards in a hand in the last of the first tricks; with fewer, a decision is one of the rest of the deal."""
    return game.hand_size - FIRST_TRICKS + 1


def is_early(views: Views) -> NDArray[np.bool_]:
    """Whether the decisions are of the pass or the first tricks, (n,)."""
    records = views.records
    hands = np.bitwise_count(records["hands"][np.arange(len(views)), records["seat"]]).sum(axis=-1)
    early: NDArray[np.bool_] = hands >= fewest_early(views.game)
    return early
