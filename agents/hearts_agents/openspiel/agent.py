"""`openspiel:...`: a bot of OpenSpiel as an agent."""

from __future__ import annotations

from collections import Counter
from functools import partial

import numpy as np

from hearts_agents.base import Agent
from hearts_agents.engines.process import FaultError, check_time
from hearts_agents.openspiel.convert import Deal, card_name, state_of
from hearts_agents.openspiel.host import BotProcess
from hearts_agents.openspiel.makers import BotMaker, bot_maker, choose
from hearts_env.play.view import View
from hearts_env.play.worlds import sample_worlds

PASSED, HAND = 3, 13
"""Cards that a seat passes, and cards that it is dealt."""


class OpenSpielAgent(Agent):
    """Makes a new bot of OpenSpiel for every decision, in a process of its own if the bot is given by its text.

    The bot is player 0 of a state in which the hidden cards are a random world (`sample_deal`): the real ones are not
    there to look at. Its seed and the world depend on the agent's seed and the view alone. A bot that follows the game
    (`provides_force_action`) is taken through the deal from its start.

    A bot that takes longer than `time_ms` is ended, because nothing else stops a search in compiled code. Then, or if
    its process dies, the first legal action is substituted and counted in `faults`, as for programs (`ExecAgent`). A
    function that makes bots is called in this process, without a time limit.

    Attributes:
        faults: reason -> number of substituted decisions.
    """

    tables_at_once = 32

    def __init__(self, bot: str | BotMaker, time_ms: int = 1000) -> None:
        """Take the text of a bot (see `bot_maker`) or a function that makes bots.

        Args:
            bot: the text or the function.
            time_ms: time limit of a decision, in milliseconds, for a bot given by its text.

        Raises:
            ValueError: OpenSpiel is not installed, the text names no bot or impossible parameters, or the time limit is
                out of range.
        """
        check_time("openspiel", "time_ms", time_ms)
        make_bot = bot_maker(bot) if isinstance(bot, str) else bot  # checks the text
        self._choose = BotProcess(bot, time_ms).choose if isinstance(bot, str) else partial(choose, make_bot)
        self.faults: Counter[str] = Counter()
        self.name = f"openspiel:{bot}" if isinstance(bot, str) else "openspiel"
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Restart from a seed, 0 or more."""
        self._seed = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]

    def act(self, view: View) -> str:
        """The bot's card. Raises ValueError if OpenSpiel cannot play by the rules of the view, or the bot raised."""
        from hearts_agents.uniform_kernel import view_word

        word = int(view_word(view.record, self._seed))
        state = state_of(view.game.rules, sample_deal(view, word))
        try:
            return card_name(self._choose(state, word >> 33))
        except FaultError as fault:
            self.faults[fault.kind] += 1
            return view.legal()[0]


def sample_deal(view: View, seed: int) -> Deal:
    """A random deal that agrees with a view of OpenSpiel's Hearts, rotated so that the seat of the view is seat 0.

    The hidden cards are drawn by `sample_worlds`: every deal of them that agrees with the view is equally likely. Seat
    0 passes first, so no other seat has passed in a state of the pass. This avoids a defect of OpenSpiel's resampling,
    which goes wrong while a card is on its way to a seat that has not passed yet.

    Raises:
        ValueError: no deal agrees with the view.
    """
    game, kinds = view.game, view.game.deck.kinds
    world = sample_worlds(view, 1, seed).records[0]
    passing, hold = view.phase == "pass", view.direction == "hold"
    hands, picks = [], []
    for seat in range(game.seats):
        held = set(game.names(world["hands"][seat])) | {card for who, card in view.played if who == seat}
        picked = [kinds[kind] for kind in world["picks"][seat][: 0 if hold else PASSED]]
        if passing:
            picked = picked[: HAND - len(held)]  # a card that is put aside has left the hand
        elif not hold:
            held -= {kinds[kind] for kind in world["received"][seat][:PASSED]}
        hands.append(sorted(held | set(picked), key=game.deck.ids.__getitem__))
        picks.append(picked if seat == view.seat or not passing else [])
    turned = [[*cards[view.seat :], *cards[: view.seat]] for cards in (hands, picks)]
    actions = [card for cards in turned[1] for card in cards] + [card for _, card in view.played]
    return Deal(view.direction or "hold", turned[0], actions)
