"""A transformer over the events of a deal, cloned from the `rule` agent: `python transformer.py`.

The template for a network of your own: a module, and a function from views to what it reads. `TorchAgent` plays by both
and saves them, and `py:FOLDER` is then an agent in every command.
"""

from dataclasses import dataclass

import torch
import tyro
from torch import Tensor, nn
from torch.utils.tensorboard import SummaryWriter

import hearts_env as he
from hearts_agents.arena import run_arena
from hearts_agents.arena.report import to_markdown
from hearts_agents.neural import ILLEGAL, TorchAgent


@dataclass
class Args:
    """Every option and hyper-parameter."""

    variant: str = "black_lady"  # rules, as in `hearts rules`
    steps: int = 400_000  # decisions to learn from: eight minutes of a core
    out: str = "runs/transformer"  # folder for the network and TensorBoard's log
    seed: int = 1  # of deals and weights
    arena_deals: int = 200  # of the arena at the end
    games: int = 256  # played at once; each gradient step is about one decision of each
    width: int = 64  # of a token
    layers: int = 2  # of the encoder
    learning_rate: float = 1e-3  # Adam's, falling to 0


class Transformer(nn.Module):
    """From the events of the deal, (n, length), and observations, (n, columns), to one logit per action."""

    def __init__(self, vocabulary: int, length: int, columns: int, actions: int, width: int, layers: int) -> None:
        super().__init__()
        self.events, self.known = nn.Embedding(vocabulary, width), nn.Linear(columns, width)
        self.places = nn.Parameter(torch.zeros(1 + length, width))
        layer = nn.TransformerEncoderLayer(width, 4, 2 * width, dropout=0, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.head = nn.Linear(width, actions)

    def forward(self, tokens: Tensor, observations: Tensor) -> Tensor:
        """(n, actions), legal or not."""
        first = self.known(observations)[:, None]  # what is known, such as the hand, is a token before the events
        missing = nn.functional.pad(tokens == 0, (1, 0))
        rows = torch.cat([first, self.events(tokens.int())], 1) + self.places
        return self.head(self.encoder(rows, src_key_padding_mask=missing)[:, 0])


def inputs(views: he.Views) -> tuple:
    """What the network reads: the events, as under `tokens=True`, and the observation."""
    return views.tokens(), views.observations()[0]


def train(args: Args) -> str:
    """Clone `rule` on its own deals. Returns the spec of the agent."""
    torch.manual_seed(args.seed)
    env = he.vector_env(args.variant, args.games, deals=1, tokens=True)
    env.reset(seed=args.seed)
    sizes = {"columns": env.observations.shape[1], "actions": env.action_masks.shape[1], "length": env.tokens.shape[1]}
    sizes |= {"vocabulary": 1 + len(env.game.deck.kinds) * (env.game.seats + 2)}
    sizes |= {"width": args.width, "layers": args.layers}
    net, log = Transformer(**sizes), SummaryWriter(args.out)
    optimizer, updates = torch.optim.Adam(net.parameters(), args.learning_rate), args.steps // args.games
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, updates)
    for update in range(updates):
        wanted = env.act("rule")
        logits = net(*map(torch.from_numpy, inputs(env.views())))
        logits = logits.masked_fill(torch.from_numpy(env.action_masks) == 0, ILLEGAL)
        loss = nn.functional.cross_entropy(logits, torch.from_numpy(wanted))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        env.step(wanted)
        log.add_scalar("loss", loss.item(), update * args.games)
    log.close()
    return TorchAgent(net, inputs).save(args.out, args.variant, sizes)


if __name__ == "__main__":
    args = tyro.cli(Args)
    torch.set_num_threads(1)
    print(to_markdown(run_arena([train(args), "rule", "random"], args.variant, deals=args.arena_deals)))
