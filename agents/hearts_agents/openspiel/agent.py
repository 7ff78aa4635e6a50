"""`openspiel:...`: a bot of OpenSpiel as an agent."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from hearts_agents.base import Agent
from hearts_agents.openspiel.convert import card_name, state_of
from hearts_agents.openspiel.imagine import imagine
from hearts_agents.openspiel.loading import load_hearts
from hearts_agents.openspiel.makers import BotMaker, bot_maker
from hearts_env.play.view import View


class OpenSpielAgent(Agent):
    """Asks a new bot of OpenSpiel for every decision.

    The bot is player 0 of a state in which every card that the seat cannot see is imagined (`imagine`): what it makes
    of hidden cards is its own business, but the real ones are not there to look at. Its seed, and what is imagined,
    depend on the agent's seed and the view alone. A bot that wants to follow the game (`provides_force_action`) is told
    the deal from its start.
    """

    tables_at_once = 32

    def __init__(self, bot: str | BotMaker) -> None:
        """Take a bot's text (see `bot_maker`) or a function that makes one.

        Raises:
            ValueError: OpenSpiel is not installed, the text names no bot, or one with impossible parameters.
        """
        self.make_bot = bot_maker(bot) if isinstance(bot, str) else bot
        self.name = f"openspiel:{bot}" if isinstance(bot, str) else "openspiel"
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Restart from a seed, any whole number from 0 on."""
        self._seed = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]

    def act(self, view: View) -> str:
        """The bot's card. Raises ValueError if OpenSpiel cannot play by the rules of the view."""
        from hearts_agents.uniform_kernel import view_word

        game = load_hearts(view.game.rules)
        word = int(view_word(view.record, self._seed))
        state = state_of(view.game.rules, imagine(view, Random(word)))
        bot = self.make_bot(game, word >> 33)
        if bot.provides_force_action():
            _tell(bot, game.new_initial_state(), state.history())
        return card_name(bot.step(state))


def _tell(bot: Any, state: Any, history: list[int]) -> None:
    """Take the bot of player 0 through a deal."""
    for action in history:
        if state.current_player() == 0:
            bot.force_action(state, action)
        else:
            bot.inform_action(state, state.current_player(), action)
        state.apply_action(action)
