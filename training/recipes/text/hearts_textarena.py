"""Hearts in TextArena, all seats: `import hearts_textarena`, then `textarena.make("Hearts-v0", variant="black_lady")`.

Options are those of `hearts_env.text_env`. `Hearts-v0` shows the rules and the newest observation, which has the deal
so far; `Hearts-v0-raw` gives messages. The rewards at the end are each seat's sum, in points, not -1 to 1.
"""

from typing import Any

import textarena as ta
from textarena.envs.registration import register_with_versions
from textarena.wrappers import ActionFormattingWrapper, GameMessagesAndCurrentBoardObservationWrapper

import hearts_env as he


class HeartsEnv(ta.Env):
    """A game in which every seat is a player of TextArena. Refusals and forfeits are `text_env`'s.

    Args:
        variant: rules or their text.
        options: of `hearts_env.text_env`, but for `seat` and `opponents`.

    Raises:
        ValueError: bad rules or options.
    """

    def __init__(self, variant: str = "black_lady", **options: Any) -> None:
        self.text = he.text_env(variant, opponents=None, **options)

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Start an episode. Raises ValueError if the game is not for so many players, or the seed is bad."""
        if num_players != self.text.game.seats:
            raise ValueError(f"num_players={num_players} is not possible; the game has {self.text.game.seats} seats")
        info = self.text.reset(seed=seed)[1]
        self.state = ta.FFAMultiPlayerState(num_players)  # without the seed: it would seed Python's global generator
        self.state.reset({}, player_prompt_function=lambda player_id, game_state: self.text.rules)
        self.totals = [0.0] * num_players
        self._show(info["seat"], self.text.observation())

    def step(self, action: str) -> tuple[bool, ta.Info]:
        """Take an answer of the player whose turn it is. Raises ValueError after the end."""
        state, seat = self.state, self.state.current_player_id
        # to that player alone: what is passed is hidden from the others
        state.add_observation(action, ta.ObservationType.PLAYER_ACTION, from_id=seat, to_id=seat)
        text, _, terminated, truncated, info = self.text.step(action)
        self.totals = [total + reward for total, reward in zip(self.totals, info["rewards"], strict=True)]
        state.made_invalid_move = "reason" in info
        state.game_info[seat]["invalid_move"] |= state.made_invalid_move
        if terminated or truncated:
            state.set_game_outcome(dict(enumerate(self.totals)), info.get("reason", "The game is over."))
        state.step_info = {"counts": info["counts"]}
        done, step_info = state.step(rotate_player=False)
        self._show(info["seat"], text)
        return done, step_info

    def _show(self, seat: int, text: str) -> None:
        self.state.manually_set_current_player_id(seat)
        self.state.add_observation(text, ta.ObservationType.GAME_BOARD, to_id=seat)


WRAPPERS = {"default": [GameMessagesAndCurrentBoardObservationWrapper, ActionFormattingWrapper]}
register_with_versions("Hearts-v0", HeartsEnv, WRAPPERS)
