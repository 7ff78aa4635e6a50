"""Every variant as a game of OpenSpiel: ``pyspiel.load_game("hearts_env(variant=black_lady)")``.

The game is a single deal. Importing this module registers it, and so does importing both `hearts_env` and `pyspiel`.
Changed rules stand in quotation marks, because OpenSpiel reads a value that ends in a bracket as another game.

>>> import pyspiel
>>> import hearts_env.envs.openspiel
>>> game = pyspiel.load_game('hearts_env(variant="black_lady(players=3, passing.cycle=[hold])")')
>>> game.num_players(), game.num_distinct_actions(), game.max_game_length()
(3, 53, 52)

OpenSpiel is an extra: ``pip install 'hearts-env[openspiel]'``.
"""

from hearts_env.envs.openspiel import registered as registered
