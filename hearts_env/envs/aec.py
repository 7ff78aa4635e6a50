"""The PettingZoo environment: one game, one agent at a time, numpy observations and action masks."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger

from hearts_env.checks import index, seat_of, seed_of
from hearts_env.envs.forms import Features, Layout, form_of
from hearts_env.envs.illegal import illegal_reward
from hearts_env.envs.options import open_game
from hearts_env.envs.outcome import outcome_of
from hearts_env.envs.rewards import checked_step, seat_observation
from hearts_env.envs.starts import draws_returned, start_games
from hearts_env.envs.universal import UniversalForm
from hearts_env.errors import IllegalActionError
from hearts_env.kernel import batch
from hearts_env.kernel.cache import one_message
from hearts_env.kernel.observe import encode, encode_hidden, encode_tokens
from hearts_env.kernel.records import STATE
from hearts_env.ruleset.model import Rules
from hearts_env.ruleset.syntax import brief
from hearts_env.seat.illegal import why_illegal
from hearts_env.seat.observation import observation_bounds, token_shape
from hearts_env.seat.view import View, view_of

RENDER_MODES = ("human", "ansi", "rgb_array")
Observation = dict[str, NDArray[Any]]


class HeartsEnv(AECEnv[str, Observation, int]):
    """Hearts as a PettingZoo AEC environment, without checks of the calling order; `env` adds them.

    Agents are ``player_0``, ``player_1`` and so on, seat by seat. An observation is a dict of ``"observation"``,
    float32 (columns,), ``"action_mask"``, int8 (actions,), and under ``tokens=True`` ``"tokens"``, int16 (length,). The
    mask is all 0 for a seat that is not to act, and ``infos[agent]["action_mask"]`` is a copy of it. These arrays are
    the caller's: what is written into them changes nothing that is decided or observed. `deal_number` is
    the number of the deal. An episode is a match, or `deals` deals, of which the first is drawn from the pass cycle.
    An illegal action raises IllegalActionError and changes nothing.
    """

    def __init__(
        self,
        variant: str | Rules = "black_lady",
        *,
        layout: Layout = "variant",
        features: Features | None = None,
        render_mode: str | None = None,
        render_seat: int | None = None,
        **options: Any,
    ) -> None:
        """Make the environment.

        Args:
            variant: rules or their text.
            layout: ``variant`` for observations and actions of this game alone (`hearts_env.observation_layout`), or
                ``universal`` for those that all games share and that describe the rules
                (`hearts_env.universal_layout`), or a `hearts_env.shared_layout`.
            features: a function of `Views` that returns the observations, (n, columns), of the seats to act in place
                of the layout's; those of other seats are 0.
            render_mode: ``ansi`` (`render` returns text), ``rgb_array`` (pixels, see `HeartsEnv.render`), ``human`` (it
                prints) or None.
            render_seat: the seat whose view `render` shows; by default all hands are shown.
            options: reward, timing, deals, first_deal, team_rewards, tokens, illegal_reward (see `EpisodeOptions`)
                and any field of the rules.

        Raises:
            RulesError: unknown, misspelled or contradictory rules.
            ValueError: a bad option, render mode or seat.
        """
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode={render_mode!r} is not one of {', '.join(RENDER_MODES)}")
        self.game, self._episode = open_game(variant, options)
        self._form = form_of(self.game, layout, features)
        self._render_seat = None if render_seat is None else seat_of("render_seat", render_seat, self.game.seats)
        self.illegal_reward, self.render_mode = illegal_reward(self.game, self._episode), render_mode
        name = f"{self.game.rules.variant.name}_v{self.game.rules.variant.version}"
        self.metadata = {"name": name, "render_modes": list(RENDER_MODES), "render_fps": 2, "is_parallelizable": False}
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.seats)]
        t = self.game.tables
        low, high = observation_bounds(self.game)
        actions, self._columns = int(t["actions"]), int(t["obs_size"])
        self._own_mask = np.zeros(actions, np.int8)
        top = np.full((self.game.seats - 1) * len(self.game.deck.kinds), float(t["copies"]), np.float32)
        if self._form is not None:
            (low, high), actions = self._form.bounds, self._form.actions
            top = np.full(self._form.hidden, 4, np.float32)
        self._token_count, vocabulary = token_shape(self.game)
        parts: dict[str, spaces.Space[Any]] = {
            "observation": spaces.Box(low, high, dtype=np.float32),
            "action_mask": spaces.Box(0, 1, (actions,), np.int8),
        }
        if self._episode.tokens:
            parts["tokens"] = spaces.Box(0, vocabulary - 1, (self._token_count,), np.int16)
        self.observation_spaces = {agent: spaces.Dict(deepcopy(parts)) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self.state_space = spaces.Box(np.concatenate([low, 0 * top]), np.concatenate([high, top]), dtype=np.float32)
        self._record, parts_paid = self._episode.record(), self._episode.parts
        self._function = self._episode.function((self.game,))
        self._states = np.zeros(1, STATE)
        self._reward_rows = np.zeros((self.game.seats, parts_paid), np.float32)
        self._nothing: Any = 0.0 if parts_paid == 1 else np.zeros(parts_paid, np.float32)
        reward_range = spaces.Box(-np.inf, np.inf, (parts_paid,), np.float32)
        self.reward_spaces = dict.fromkeys(self.possible_agents, reward_range)
        self._no_action = np.zeros(actions, np.int8)
        self._rng = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The observation space of an agent, the same object at every call."""
        return self.observation_spaces[agent]

    def reward_space(self, agent: str) -> spaces.Box:
        """The space of an agent's rewards as vectors (MOMAland's convention): 2 numbers under ``reward="vector"``."""
        return self.reward_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The action space of an agent, the same object at every call."""
        return self.action_spaces[agent]

    @one_message
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start an episode.

        Args:
            seed: fixes this episode and those started by later resets without a seed; from 0 to 2**64 - 1.
            options: a position to start from, as in `Match.from_hands`: `hands` (card names per seat, before the pass
                if `passing` is true), `totals`, `deal_number`, `dealer`, `leader`, `kitty` (its cards in order).

        Raises:
            ValueError: a bad seed, a misspelt option or an impossible position; the running episode and the seeds of
                later ones are untouched.
        """
        new_seed = None if seed is None else seed_of(seed)
        rng = self._rng if new_seed is None else np.random.default_rng(new_seed)
        with draws_returned(rng):
            states = start_games(self.game, np.array([int(rng.integers(2**63))], np.uint64), [options], self._episode)
        self._states, self._rng = states, rng
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, self._nothing)
        self._cumulative_rewards = dict.fromkeys(self.agents, self._nothing)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._paid = self._over = False
        self._skip_agent_selection = None
        self.agent_selection = self._observer = self.agents[int(states[0]["seat"])]
        self._own_mask = np.empty_like(self._own_mask)
        row = np.empty(self._columns, np.float32)
        batch.encode_all(states, self.game.tables, row[None], self._own_mask[None])
        # no action, so nothing happens, but from now on the step and the observation of any seat are compiled
        checked_step(states, self.game.table, -1, self._record, self._reward_rows, row, self._own_mask)
        self._mask = self._own_mask if self._form is None else self._form.masks(self._own_mask)
        seat_observation(states, self.game.table, int(states[0]["seat"]), row)
        self._row: NDArray[np.float32] | None = row
        self.infos = {agent: {"action_mask": self.action_mask(agent)} for agent in self.agents}

    def observe(self, agent: str) -> Observation:
        """The observation of an agent; see the class."""
        row, mask = None, self._no_action
        if agent == self._observer:
            row, self._row, mask = self._row, None, self._mask  # of the last step; a second observation is made anew
        if row is None:
            row = np.empty(self._columns, np.float32)
            seat_observation(self._states, self.game.table, self.possible_agents.index(agent), row)
        if self._form is not None:
            row = self._universal(self._form, self.possible_agents.index(agent), row)
        seen: Observation = {"observation": row, "action_mask": mask.copy()}
        if self._episode.tokens:
            seen["tokens"] = np.empty(self._token_count, np.int16)
            encode_tokens(self._states[0], self.game.tables, self.possible_agents.index(agent), seen["tokens"])
        return seen

    def _universal(self, form: UniversalForm, seat: int, row: NDArray[np.float32]) -> NDArray[np.float32]:
        found: NDArray[np.float32] = form.rows(self._states, [seat], row[None], self._own_mask[None])[0]
        return found

    def number(self, own: int) -> int:
        """The number of one of the game's actions in this environment's layout."""
        return own if self._form is None else int(self._form.numbers(own))

    def action_mask(self, agent: str) -> NDArray[np.int8]:
        """The legal actions of an agent as 0 or 1, int8 (actions,); all 0 for one that is not to act.

        Raises ValueError before `reset`.
        """
        if not hasattr(self, "_observer"):
            raise ValueError("call reset before action_mask")
        return (self._mask if agent == self._observer else self._no_action).copy()

    @property
    def deal_number(self) -> int:
        """Number of the deal in its match. It is not in `infos`: TorchRL's wrapper takes nothing beside the mask."""
        return int(self._states["deal_number"][0])

    @property
    def outcome(self) -> dict[str, Any] | None:
        """What happened in the episode, once it is over: points, places, moons, queens, tricks; None before.

        The keys are those of `Outcome`, with arrays (seats,) and ``shooter`` a number. It is not in `infos` either.
        """
        return outcome_of(self.game, self._states) if getattr(self, "_over", False) else None

    @property
    def record(self) -> Any:
        """The kernel's `STATE` record, hidden cards included."""
        return self._states[0]

    def view(self, agent: str) -> View:
        """Everything that an agent may know, as a `View`."""
        return view_of(self.game, self._states, self.possible_agents.index(agent))

    def state(self) -> NDArray[np.float32]:
        """The observation of the seat to act, then the other hands in relative order, float32.

        It contains hidden cards: for critics, not for policies.
        """
        seat = max(int(self._states[0]["seat"]), 0)
        row = np.empty(self._columns, np.float32)
        encode(self._states[0], self.game.tables, seat, row)
        if self._form is not None:
            row = self._universal(self._form, seat, row)
        return np.concatenate([row, self._hidden(seat)])

    def hidden(self, agent: str) -> NDArray[np.float32]:
        """The hands that an agent does not see, the next seat's first, float32 ((seats - 1) * kinds,).

        For critics, never for policies. `state` has them for the seat to act. Raises ValueError before `reset`.
        """
        if not hasattr(self, "agents"):
            raise ValueError("call reset before hidden")
        return self._hidden(self.possible_agents.index(agent))

    def _hidden(self, seat: int) -> NDArray[np.float32]:
        kinds = len(self.game.deck.kinds)
        row = np.empty((self.game.seats - 1) * kinds, np.float32)
        encode_hidden(self._states[0], self.game.tables, seat, kinds, row)
        return row if self._form is None else self._form.hidden_rows(row[None])[0]

    def step(self, action: int | None) -> None:
        """Take an action for `agent_selection`.

        Raises IllegalActionError, naming card, seat and rule, if it is illegal; then nothing changes.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        number = self.check_action(action)
        if not self._advance(agent, number):
            raise IllegalActionError(self.why_illegal(number))

    def why_illegal(self, number: int) -> str:
        """The reason why an action of the action space is illegal now."""
        own = number if self._form is None else int(self._form.own(number))
        if self._form is not None and own < 0:
            return self._form.why_not(number)
        return why_illegal(self.game, self._states[0], own)

    def check_action(self, action: Any) -> int:
        """An action of the action space, legal or not, as Python's int. Raises IllegalActionError for anything else."""
        number = index(action)
        if number is None or not 0 <= number < len(self._no_action):
            raise IllegalActionError(f"{brief(action)} is not an action; actions are 0 to {len(self._no_action) - 1}")
        return number

    def _advance(self, agent: str, action: int) -> bool:
        """Take an action if it is legal, and return whether it is."""
        row, mask = np.empty(self._columns, np.float32), self._own_mask
        own = action if self._form is None else int(self._form.own(action))
        step = checked_step if self._function is None else self._function.checked_step
        if not step(self._states, self.game.table, own, self._record, self._reward_rows, row, mask):
            return False
        self._row = row
        self._mask = mask if self._form is None else self._form.masks(mask)
        self._cumulative_rewards[agent] = self._nothing
        self._pay()
        seat = self._states["seat"].item()
        if seat < 0:
            self.terminations, seat, self._over = dict.fromkeys(self.agents, True), 0, True
        self.agent_selection = self._observer = self.agents[seat]
        self.infos[agent] = {"action_mask": self._no_action.copy()}
        self.infos[self._observer] = {"action_mask": self._mask.copy()}
        if self.render_mode == "human":
            self.render()
        return True

    def _pay(self) -> None:
        plain = self._reward_rows.shape[1] == 1
        rewards = self._reward_rows[:, 0].tolist() if plain else list(self._reward_rows.copy())
        if any(rewards) if plain else self._reward_rows.any():
            self.rewards = dict(zip(self.agents, rewards, strict=True))
            self._accumulate_rewards()
            self._paid = True
        elif self._paid:
            self.rewards = dict.fromkeys(self.agents, self._nothing)
            self._paid = False

    def _accumulate_rewards(self) -> None:
        # PettingZoo adds in place, which would change an array that agents share.
        for agent, reward in self.rewards.items():
            self._cumulative_rewards[agent] = self._cumulative_rewards[agent] + reward

    def render(self) -> str | NDArray[np.uint8] | None:
        """The table: returned as text under ``ansi``, printed under ``human``, nothing without a render mode.

        It shows the cards of all seats, or with `render_seat` what that seat may know. Under ``rgb_array`` it is a
        picture, uint8 (600, 960, 3), for which ``pip install 'hearts-env[render]'`` brings resvg and Pillow;
        ModuleNotFoundError if one is not installed.
        """
        if self.render_mode is None:
            return None
        picture = self._picture()
        if self.render_mode != "human":
            return picture
        print(picture, flush=True)  # printing is what this mode is for
        return None

    def _picture(self) -> str | NDArray[np.uint8]:
        from hearts_env.render import ansi, pixels

        as_pixels = self.render_mode == "rgb_array"
        if self._render_seat is None:
            render = pixels.render_record_pixels if as_pixels else ansi.render_match_record
            return render(self.game, self._states[0])
        view = view_of(self.game, self._states, self._render_seat)
        return pixels.render_view_pixels(view) if as_pixels else ansi.render_view(view)

    def close(self) -> None:
        """Nothing to release."""


class CheckedEnv(HeartsEnv):
    """`HeartsEnv` with the checks of PettingZoo's usual wrappers built in.

    Use before `reset` raises AssertionError or AttributeError. An action outside the space raises AssertionError. An
    illegal action ends the episode and pays `illegal_reward` to the seat that took it: by default one less than any
    legal episode pays. A step after the end warns.
    """

    _has_reset = False
    _has_updated = False

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and not self._has_reset:
            raise AttributeError(f"{name} cannot be accessed before reset")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """As in `HeartsEnv`."""
        super().reset(seed=seed, options=options)
        self._has_reset = self._has_updated = True

    def step(self, action: int | None) -> None:
        """As in `HeartsEnv`, but an illegal action ends the episode."""
        if not self._has_reset:
            EnvLogger.error_step_before_reset()
        self._has_updated = True
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        number = index(action)
        if number is None or not 0 <= number < len(self._no_action):
            most = len(self._no_action) - 1
            raise AssertionError(
                f"action is not in action space: {brief(action)}; actions are whole numbers from 0 to {most}"
            )
        if not self._advance(agent, number):
            self._terminate_illegal(agent)

    def _terminate_illegal(self, agent: str) -> None:
        EnvLogger.warn_on_illegal_move()
        self._over = True
        self._cumulative_rewards[agent] = self._nothing
        self._mask = self._no_action
        self.infos[agent] = {"action_mask": self._mask.copy()}
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.rewards = dict.fromkeys(self.agents, self._nothing)
        self.rewards[agent] = (
            self.illegal_reward if self._episode.parts == 1 else np.array([self.illegal_reward, 0], np.float32)
        )
        self._accumulate_rewards()
        self._deads_step_first()

    def observe(self, agent: str) -> Observation:
        """As in `HeartsEnv`."""
        if not self._has_reset:
            EnvLogger.error_observe_before_reset()
        return super().observe(agent)

    def state(self) -> NDArray[np.float32]:
        """As in `HeartsEnv`."""
        if not self._has_reset:
            EnvLogger.error_state_before_reset()
        return super().state()

    def render(self) -> str | NDArray[np.uint8] | None:
        """As in `HeartsEnv`."""
        if not self._has_reset:
            EnvLogger.error_render_before_reset()
        return super().render()

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        """Iterate over the agents to act; call `step` or `reset` before each further iteration."""
        if not self._has_reset:
            EnvLogger.error_agent_iter_before_reset()
        return self._iterate(max_iter)

    def _iterate(self, left: int) -> Iterator[str]:
        while self.agents and left > 0:
            assert self._has_updated, "need to call step() or reset() in a loop over `agent_iter`"
            self._has_updated = False
            left -= 1
            yield self.agent_selection


def raw_env(variant: str | Rules = "black_lady", **options: Any) -> HeartsEnv:
    """A PettingZoo environment without checks of the calling order; see `HeartsEnv` for options and errors.

    >>> import hearts_env as he
    >>> env = he.raw_env("black_lady", cycle="hold")
    >>> env.reset(seed=7)
    >>> env.agent_selection
    'player_1'
    >>> env.step(env.game.action("AS"))
    Traceback (most recent call last):
    hearts_env.errors.IllegalActionError: seat 1 may not play AS: opening.card fixes the first lead; legal: 2C
    """
    return HeartsEnv(variant, **options)


def env(variant: str | Rules = "black_lady", **options: Any) -> CheckedEnv:
    """A PettingZoo environment with its usual checks; see `CheckedEnv`.

    >>> import hearts_env as he
    >>> env = he.env("black_lady", deals=1, reward="points")
    >>> env.reset(seed=7)
    >>> paid = 0
    >>> for agent in env.agent_iter():
    ...     observation, reward, termination, truncation, info = env.last()
    ...     paid += reward
    ...     env.step(None if termination else observation["action_mask"].argmax())
    >>> paid
    -26.0
    """
    return CheckedEnv(variant, **options)
