"""The Gymnasium environment: one learner's seat; opponents play the other seats inside `step`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils.seeding import np_random
from numpy.typing import NDArray

from hearts_env.checks import seat_of, seed_of
from hearts_env.envs.aec import RENDER_MODES, HeartsEnv
from hearts_env.envs.mixture import Mixture
from hearts_env.envs.opponents import LineUps, Opponent, Uniform
from hearts_env.envs.outcome import outcome_of
from hearts_env.envs.starts import draws_returned
from hearts_env.ruleset.model import Rules
from hearts_env.seat.illegal import action_id
from hearts_env.table.seeds import agent_seed

Players = str | Opponent | Callable[..., Any]


class LearnerEnv(gymnasium.Env[NDArray[np.float32], np.int64]):
    """One seat of a game as a Gymnasium environment.

    A step plays the learner's action and then the opponents' until the learner is to act again or the episode ends. Its
    reward is what the learner's seat earned meanwhile. Observations are float32 rows (`hearts_env.observation_layout`).
    Legal actions are in ``info["action_mask"]`` and returned by `action_masks`, the method that sb3-contrib's
    MaskablePPO calls; once the episode is over, where no action matters, all are legal. An illegal action of the space
    ends the episode and pays `illegal_reward`, by default one less than any legal episode pays, and ``info["illegal"]``
    names card, seat and rule. At the end of an episode, ``info["outcome"]`` is `outcome`.

    ``gymnasium.make("hearts_env:Hearts/BlackLady-v0")`` makes one for each variant; so does the class itself:

    >>> from hearts_env.envs.gym import LearnerEnv
    >>> env = LearnerEnv("black_lady", deals=1, first_deal=0)
    >>> observation, info = env.reset(seed=7)
    >>> over = False
    >>> while not over:
    ...     action = info["action_mask"].argmax()
    ...     observation, reward, over, truncated, info = env.step(action)
    >>> reward <= 0, int(info["action_mask"].sum())
    (True, 54)
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012  # Gymnasium declares it so

    def __init__(
        self,
        variant: str | Rules = "black_lady",
        *,
        opponents: Players | Mixture | Sequence[Players] | None = None,
        seat: int = 0,
        render_mode: str | None = None,
        render_seat: int | None = None,
        **options: Any,
    ) -> None:
        """Make the environment.

        Args:
            variant: rules or their text.
            opponents: one player for all other seats, or one for each in the order of the seats after the learner's:
                spec strings such as ``"rule"`` where the agents are installed, objects with ``act(view)``, or
                functions; None plays uniformly at random. Every episode draws one of ``"rule; random"`` or of a
                `Mixture`. See `opponents.LineUps`.
            seat: the learner's seat.
            render_mode: ``ansi``, ``human``, ``rgb_array`` or None, as in `HeartsEnv`.
            render_seat: the seat whose view is shown, the learner's for instance; by default all hands are shown.
            options: layout (see `HeartsEnv`), reward, timing, deals, first_deal, team_rewards, illegal_reward (see
                `EpisodeOptions`) and any field of the rules.

        Raises:
            ValueError: a bad option, seat, opponent or number of opponents.
        """
        for name, value in (("reward", "vector"), ("tokens", True)):
            if options.get(name) == value:
                raise ValueError(f"{name}={value} needs the PettingZoo or the vectorised environment")
        self._env = HeartsEnv(variant, render_mode=render_mode, render_seat=render_seat, **options)
        self._function = self._env._function
        if self._function is not None:
            self._function.by_ply = False
        self.render_mode = render_mode
        game = self._env.game
        self.seat = seat_of("seat", seat, game.seats)
        self._learner = self._env.possible_agents[self.seat]
        self._lineups = LineUps(opponents, game.seats - 1)
        space = self._env.observation_space(self._learner)
        self.observation_space = space["observation"]  # type: ignore[index]  # a Dict space
        self.action_space = spaces.Discrete(self._env.action_spaces[self._learner].n)
        self._illegal: str | None = None
        self._running = False

    def _others(self) -> list[str]:
        agents = self._env.possible_agents
        return agents[self.seat + 1 :] + agents[: self.seat]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Start an episode; `seed`, `options` and errors as in `HeartsEnv.reset`."""
        new_seed = None if seed is None else seed_of(seed)
        rng = self.np_random if new_seed is None else np_random(new_seed)[0]
        with draws_returned(rng):
            first = int(rng.integers(2**31))
            self._env.reset(seed=first, options=options)
        super().reset(seed=new_seed)
        self._np_random = rng
        self._lineups.reset(first)
        self._choices = np.random.default_rng(agent_seed(first))  # not `np_random`: later deals depend on no play
        lineup = self._lineups.draw(self.np_random, 1)[0]
        self._opponents = {agent: self._lineups.players[one] for agent, one in zip(self._others(), lineup, strict=True)}
        self._illegal, self._running = None, True
        self._play_others()
        return self._look()

    def step(self, action: np.int64 | int) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Play the learner's action, then the opponents' up to its next turn.

        Raises:
            IllegalActionError: a number outside the action space, or an opponent's illegal action.
            ValueError: no episode is running.
        """
        if not self._running:
            raise ValueError("no episode is running; call reset")
        number = self._env.check_action(action)
        if not self.action_masks()[number]:
            self._illegal = self._env.why_illegal(number)
            self._running = False
            observation, info = self._look()
            return observation, self._env.illegal_reward, True, False, info
        if self._function is not None:
            self._function.begin(self._env._states)
        self._env.step(number)
        self._play_others()
        self._running = not self._over()
        paid = self._env._cumulative_rewards[self._learner]
        if self._function is not None:
            paid = self._function.pay(self._env._states)[0, self.seat]
        observation, info = self._look()
        return observation, float(paid), self._over(), False, info

    def _over(self) -> bool:
        return self._env.terminations[self._learner]

    def _play_others(self) -> None:
        env = self._env
        while not self._over() and env.agent_selection != self._learner:
            player = self._opponents[env.agent_selection]
            if isinstance(player.source, Uniform):
                env.step(int(self._choices.choice(env.action_mask(env.agent_selection).nonzero()[0])))
            else:
                env.step(env.number(action_id(env.game, player.act(env.view(env.agent_selection), env._form))))

    def _look(self) -> tuple[NDArray[np.float32], dict[str, Any]]:
        seen, form = self._env.observe(self._learner)["observation"].copy(), self._env._form
        if form is not None and not self._running:
            seen = form.with_all_legal(seen)
        info: dict[str, Any] = {"action_mask": self.action_masks(), "deal_number": int(self.record["deal_number"])}
        if (outcome := self.outcome) is not None:
            info["outcome"] = outcome
        return seen, info if self._illegal is None else info | {"illegal": self._illegal}

    @property
    def outcome(self) -> dict[str, Any] | None:
        """What happened in the episode, once it is over: the keys of `hearts_env.envs.outcome.Outcome`, with arrays
        (seats,) and ``shooter`` a number; None before.
        """
        if self._running or not hasattr(self, "_opponents"):
            return None
        names = ["" if agent == self._learner else str(self._opponents[agent]) for agent in self._env.possible_agents]
        return outcome_of(self._env.game, self._env._states, [np.array(names, object)])

    @property
    def record(self) -> Any:
        """The kernel's `STATE` record, hidden cards included."""
        return self._env.record

    def action_masks(self) -> NDArray[np.int8]:
        """The learner's legal actions as 0 or 1; all 1 once the episode is over, where no action matters."""
        masks = self._env.action_mask(self._learner)
        return masks if self._running else np.ones_like(masks)

    def hidden(self) -> NDArray[np.float32]:
        """The hands that the learner does not see, the next seat's first, float32 ((seats - 1) * kinds,).

        For critics, never for policies. Raises ValueError before `reset`.

        >>> env = LearnerEnv("black_lady")
        >>> observation, info = env.reset(seed=7)
        >>> env.hidden().reshape(3, 52).sum(axis=1).tolist()
        [13.0, 13.0, 13.0]
        """
        return self._env.hidden(self._learner)

    def render(self) -> str | NDArray[np.uint8] | None:
        """The table, with all hands unless `render_seat` was given; as in `HeartsEnv`."""
        return self._env.render()
