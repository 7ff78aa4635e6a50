"""A bot of OpenSpiel at our tables: `hearts arena "exec:python openspiel_bot.py --sims 200" rule --variant openspiel`.

Each decision makes a new bot, which gets the deal from its start with the hidden cards drawn at random, so that it can
look at none. The deal is rotated so that the bot is player 0, who passes first: OpenSpiel's resampling goes wrong while
a card is on its way to a seat that has not passed yet. For another bot, change `make_bot`.
"""

import sys
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pyspiel
import tyro
from open_spiel.python.algorithms import ismcts, mcts

import hearts_env as he
from hearts_agents import Agent
from hearts_agents.engines.serve import serve
from hearts_agents.openspiel.convert import CARDS, state_of
from hearts_agents.uniform_kernel import view_word


@dataclass
class Args:
    """The bot and its parameters."""

    bot: Literal["ismcts", "ismcts_py", "random", "xinxin"] = "ismcts"  # only ismcts_py and random repeat themselves
    sims: int = 1000  # simulations per decision
    uct_c: float = 20.0  # weight of exploration, in points; 0.4 suits xinxin
    worlds: int = 20  # of xinxin


class OpenSpielAgent(Agent):
    """Makes a new bot for every decision, from a seed that depends on the agent's seed and the view alone."""

    def __init__(self, args: Args) -> None:
        self.args = args
        self.name = f"OpenSpiel's {args.bot}"

    def reset(self, seed: int) -> None:
        """Restart from a seed."""
        self.seed = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]

    def act(self, view: he.View) -> str:
        """The bot's card."""
        word = int(view_word(view.record, self.seed))
        state = state_of(view.game.rules, *sample_deal(view, word))
        bot = self.make_bot(state.get_game(), word >> 33)
        if bot.provides_force_action():
            replay(bot, state.get_game().new_initial_state(), state.history())
        return CARDS[bot.step(state)]

    def make_bot(self, game: Any, seed: int) -> Any:
        """A `pyspiel.Bot` for player 0; `seed` is below 2**31."""
        args = self.args
        if args.bot == "random":
            return pyspiel.make_uniform_random_bot(0, seed)
        if args.bot == "xinxin":  # only if OpenSpiel was built with OPEN_SPIEL_BUILD_WITH_XINXIN=ON
            return pyspiel.make_xinxin_bot(game.get_parameters(), args.sims, args.uct_c, args.worlds, False)
        if args.bot == "ismcts":
            self.evaluator = pyspiel.RandomRolloutEvaluator(1, seed)  # the bot does not keep it alive
            final = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
            return pyspiel.ISMCTSBot(seed, self.evaluator, args.uct_c, args.sims, final_policy_type=final)
        rng = np.random.RandomState(seed)
        rollouts = mcts.RandomRolloutEvaluator(1, rng)
        bot = ismcts.ISMCTSBot(game, rollouts, args.uct_c, args.sims, random_state=rng)
        bot.set_resampler(lambda state, player: state.resample_from_infostate(player, rng.uniform))
        return bot


def replay(bot: Any, state: Any, history: list[int]) -> None:
    """Take a bot that follows the game through a deal."""
    for action in history:
        if state.current_player() == 0:
            bot.force_action(state, action)
        else:
            bot.inform_action(state, state.current_player(), action)
        state.apply_action(action)


def sample_deal(view: he.View, seed: int) -> tuple[str, list[list[str]], list[str]]:
    """Direction, hands and actions of a random deal that agrees with a view, rotated so that its seat is seat 0.

    All such deals are equally likely.
    """
    game, kinds = view.game, view.game.deck.kinds
    world = he.sample_worlds(view, 1, seed).records[0]
    passing, hold = view.phase == "pass", view.direction == "hold"
    hands, picks = [], []
    for seat in range(4):
        held = set(game.names(world["hands"][seat])) | {card for who, card in view.played if who == seat}
        picked = [kinds[kind] for kind in world["picks"][seat][: 0 if hold else 3]]
        if passing:
            picked = picked[: 13 - len(held)]  # a card that is put aside has left the hand
        elif not hold:
            held -= {kinds[kind] for kind in world["received"][seat][:3]}
        hands.append(sorted(held | set(picked), key=game.deck.ids.__getitem__))
        picks.append(picked if seat == view.seat or not passing else [])
    turned = [[*cards[view.seat :], *cards[: view.seat]] for cards in (hands, picks)]
    actions = [card for cards in turned[1] for card in cards] + [card for _, card in view.played]
    return view.direction or "hold", turned[0], actions


if __name__ == "__main__":
    agent = OpenSpielAgent(tyro.cli(Args))
    agent.reset(0)
    serve(agent, sys.stdin.buffer, sys.stdout.buffer)
