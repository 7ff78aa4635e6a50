"""OpenSpiel's bots by name: ``ismcts(sims=1000)``, ``random``, ``xinxin``."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from typing import Any

import numpy as np

from hearts_agents.openspiel.loading import load_pyspiel
from hearts_env.ruleset.syntax import parse_call

BotMaker = Callable[[Any, int], Any]
"""(`pyspiel.Game`, seed from 0 to 2**31 - 1) -> a new `pyspiel.Bot` for player 0."""
_DEFAULTS: dict[str, dict[str, int | float]] = {
    "ismcts": {"sims": 1000, "uct_c": 20.0, "rollouts": 1},
    "ismcts_py": {"sims": 100, "uct_c": 20.0, "rollouts": 1},
    "random": {},
    "xinxin": {"sims": 50, "uct_c": 0.4, "worlds": 20},
}


def bot_maker(text: str) -> BotMaker:
    """The function that makes the bot that a text describes.

    ``ismcts(sims=1000, uct_c=20, rollouts=1)``
        OpenSpiel's information-set tree search: simulations per decision, weight of exploration in points, random
        rollouts for each new position. It plays the most visited card. The order of its hash tables depends on
        memory addresses, so the same seed may give another card.
    ``ismcts_py(sims=100, uct_c=20, rollouts=1)``
        The same search in OpenSpiel's Python: far slower, but the same seed gives the same card.
    ``random``
        OpenSpiel's uniformly random bot.
    ``xinxin(sims=50, uct_c=0.4, worlds=20)``
        The bot of N. Sturtevant, if OpenSpiel was built with it; its searches are not reproducible.

    Raises:
        ValueError: OpenSpiel is not installed or was built without the bot; an unknown bot or parameter, or an
            impossible value.
    """
    name, given = parse_call(text)
    if name not in _DEFAULTS:
        close = get_close_matches(name, _DEFAULTS, n=1, cutoff=0)[0]
        raise ValueError(f"there is no bot openspiel:{name}; the closest is {close} (known: {', '.join(_DEFAULTS)})")
    values = dict(_DEFAULTS[name])
    for key, value in given.items():
        values[key] = _read(name, key, value)
    return _MAKERS[name](load_pyspiel(), values)


def choose(make_bot: BotMaker, state: Any, seed: int) -> int:
    """The action of a new bot for player 0. A bot that follows the game is taken through the deal from its start."""
    game = state.get_game()
    bot = make_bot(game, seed)
    if bot.provides_force_action():
        _replay(bot, game.new_initial_state(), state.history())
    return int(bot.step(state))


def _replay(bot: Any, state: Any, history: list[int]) -> None:
    for action in history:
        if state.current_player() == 0:
            bot.force_action(state, action)
        else:
            bot.inform_action(state, state.current_player(), action)
        state.apply_action(action)


def _read(name: str, key: str, text: str) -> int | float:
    known = _DEFAULTS[name]
    if key not in known:
        raise ValueError(f"openspiel:{name} has no parameter {key!r}; it has {', '.join(known) or 'none'}")
    kind = type(known[key])
    try:
        value = kind(text)
    except ValueError:
        value = kind(0)
    if not 0 < value < 2**31:
        needed = "a whole number above 0" if kind is int else "a number above 0"
        raise ValueError(f"openspiel:{name}: {key}={text} is not possible; {key} is {needed}")
    return value


def _ismcts(pyspiel: Any, values: dict[str, int | float]) -> BotMaker:
    class Search(pyspiel.ISMCTSBot):
        """OpenSpiel's search. It does not keep its evaluator alive, so this object does."""

        def __init__(self, seed: int) -> None:
            self.evaluator = pyspiel.RandomRolloutEvaluator(values["rollouts"], seed)
            final = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
            super().__init__(seed, self.evaluator, values["uct_c"], values["sims"], final_policy_type=final)

    return lambda game, seed: Search(seed)


def _ismcts_py(pyspiel: Any, values: dict[str, int | float]) -> BotMaker:
    from open_spiel.python.algorithms import ismcts, mcts

    def make(game: Any, seed: int) -> Any:
        rng = np.random.RandomState(seed)
        evaluator = mcts.RandomRolloutEvaluator(values["rollouts"], rng)
        bot = ismcts.ISMCTSBot(game, evaluator, values["uct_c"], values["sims"], random_state=rng)
        bot.set_resampler(lambda state, player: state.resample_from_infostate(player, rng.uniform))
        return bot

    return make


def _random(pyspiel: Any, values: dict[str, int | float]) -> BotMaker:
    return lambda game, seed: pyspiel.make_uniform_random_bot(0, seed)


def _xinxin(pyspiel: Any, values: dict[str, int | float]) -> BotMaker:
    if not hasattr(pyspiel, "make_xinxin_bot"):
        raise ValueError("this OpenSpiel was built without xinxin; build it with OPEN_SPIEL_BUILD_WITH_XINXIN=ON")
    return lambda game, seed: pyspiel.make_xinxin_bot(
        game.get_parameters(), values["sims"], values["uct_c"], values["worlds"], False
    )


_MAKERS: dict[str, Callable[[Any, dict[str, int | float]], BotMaker]] = {
    "ismcts": _ismcts,
    "ismcts_py": _ismcts_py,
    "random": _random,
    "xinxin": _xinxin,
}
