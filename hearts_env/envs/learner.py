"""The learner's seat in many games at once; opponents answer inside `step`, in batches."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from hearts_env.checks import MOST, array_of, seat_of, whole, whole_array
from hearts_env.envs.forms import Features, Layout, form_of
from hearts_env.envs.illegal import check_range, illegal_reward
from hearts_env.envs.learner_steps import (
    credited_step,
    encode_learners,
    find_illegal,
    keep_waiting,
    start_next,
)
from hearts_env.envs.opponents import LineUps, Player
from hearts_env.envs.options import open_game
from hearts_env.envs.outcome import Outcome
from hearts_env.envs.starts import Lifecycle, game_rows, game_seeds, start_games
from hearts_env.kernel.batch import encode_hidden_all, take_views
from hearts_env.kernel.cache import one_message
from hearts_env.kernel.records import STATE, Phase
from hearts_env.ruleset.model import Rules
from hearts_env.ruleset.syntax import brief
from hearts_env.seat.illegal import why_illegal
from hearts_env.seat.observation import observation_bounds
from hearts_env.seat.view import Views, check_records
from hearts_env.table.seeds import agent_seed

AUTORESET = ("same_step", "next_step", "disabled")
ROTATING = "rotating"
SAVED = (
    *("states", "finals", "seats", "players", "over", "earned", "rewards", "terminated"),
    *("final_observations", "final_opponents"),
)
"""The arrays of which all others follow."""


class LearnerGames(Lifecycle):
    """The learner's seat in many games.

    A step plays the learner's action in every game, then the opponents' until the learner is to act again or the
    episode ends. All that the learner's seat is paid meanwhile is the reward of that step, so that its rewards add up
    to what its seat earned. Opponents decide in many games at once.

    The environments of other frameworks are made of this one: `gym_vector`, `sb3` and `torchrl` in this folder.

    An illegal action of the action space ends the episode and pays `illegal_reward`; `illegal` names card, seat and
    rule. Arrays are allocated once and written in place by `reset` and `step`. Where an episode is over and no other
    has begun, the mask allows every action, and the action is ignored: no mask is ever all 0.

    >>> from hearts_env.envs.learner import LearnerGames
    >>> games = LearnerGames("black_lady", 100, deals=1, first_deal=0)
    >>> games.reset(seed=7)
    >>> paid = 0
    >>> for _ in range(16):  # three cards to pass and thirteen to play
    ...     games.step(games.action_masks.argmax(axis=1))
    ...     paid += games.rewards.sum()
    >>> bool(games.terminated.all()), bool(paid == -games.finals["totals"][:, 0, 0].sum())
    (True, True)

    Attributes:
        game: the compiled rules.
        num_envs: number of games, n.
        autoreset: when the next episode begins.
        observations: (n, columns) float32, of the learner's seat; `hearts_env.observation_layout`, or
            `hearts_env.universal_layout`, names the columns.
        action_masks: (n, actions) int8, its legal actions.
        rewards: (n,) float32, what it was paid by the last step.
        terminated: (n,) bool, the games whose episode ended in the last step.
        over: (n,) bool, the games whose episode is over and whose next one has not begun.
        final_observations: (n, columns) float32, of the learner's seat at the end of the last episode that ended.
        outcome: what happened in that episode, an `Outcome`: points, places, moons, queens, opponents.
        finals: (n,) `STATE` records at that end.
        illegal: game -> why the learner's last action there was illegal.
        seats: (n,) the learner's seat in each game.
        states: (n,) `STATE` records of the games, hidden cards included.
    """

    def __init__(
        self,
        variant: str | Rules = "black_lady",
        num_envs: int = 1,
        *,
        opponents: Any = None,
        seat: int | str = 0,
        layout: Layout = "variant",
        features: Features | None = None,
        autoreset: str = "same_step",
        **options: Any,
    ) -> None:
        """Make `num_envs` games of a variant.

        Args:
            variant: rules or their text.
            num_envs: number of games, at most 1,000,000.
            opponents: who plays the other seats, as in `opponents.LineUps`: ``"rule"``, ``"rule; random"`` (every
                episode draws one), agents, functions; None for uniformly random play.
            seat: the learner's seat, or ``rotating``: game i begins in seat i, and each episode moves one seat on.
            layout: of observations, masks, actions and hidden hands: ``variant`` for those of this game alone, or
                ``universal`` for those that all games share (`hearts_env.universal_layout`), or a
                `hearts_env.shared_layout`. Opponents that are functions of observations and masks are given the same.
            features: a function of `Views` that returns the observations, (n, columns), in place of the layout's; 0
                where an episode is over.
            autoreset: ``same_step`` (where an episode ends, the next one begins in the same step), ``next_step`` (it
                begins in the next step, which ignores the action and pays 0) or ``disabled`` (`reset` begins it).
            options: reward, timing, deals, first_deal, team_rewards, illegal_reward (see `EpisodeOptions`) and any
                field of the rules.

        Raises:
            RulesError: unknown, misspelled or contradictory rules.
            ValueError: a bad option or opponent, or a number out of range.
        """
        self.num_envs = n = whole("num_envs", num_envs, 1, MOST)
        if autoreset not in AUTORESET:
            raise ValueError(f"autoreset={brief(autoreset)} is not one of {', '.join(AUTORESET)}")
        for name, value in (("reward", "vector"), ("tokens", True)):
            if options.get(name) == value:
                raise ValueError(f"{name}={value} needs the PettingZoo or the vectorised environment")
        self.game, self._episode = open_game(variant, options)
        self.autoreset, self.illegal_reward = autoreset, illegal_reward(self.game, self._episode)
        self._first_seat = None if seat == ROTATING else seat_of("seat", seat, self.game.seats)
        self._lineups = LineUps(opponents, self.game.seats - 1)
        self._check_opponents(self._lineups)
        columns, actions = int(self.game.tables["obs_size"]), len(self.game.actions)
        self.states, self.finals, self._views = (np.zeros(n, STATE) for _ in range(3))
        self.observations, self.final_observations = (np.zeros((n, columns), np.float32) for _ in range(2))
        self.action_masks = np.zeros((n, actions), np.int8)
        low, high = observation_bounds(self.game)
        self._form = form_of(self.game, layout, features)
        self._rows, self._masks = self.observations, self.action_masks  # in the game's own layout
        if self._form is not None:
            (low, high), actions = self._form.bounds, self._form.actions
            self.observations, self.final_observations = (np.zeros((n, len(low)), np.float32) for _ in range(2))
            self.action_masks = np.zeros((n, actions), np.int8)
        self.rewards, self.earned = np.zeros(n, np.float32), np.zeros(n, np.float32)
        self.terminated, self.over = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
        self.seats, self.players = np.zeros(n, np.int64), np.zeros((n, self.game.seats), np.int64)
        self.final_opponents = np.full((n, self.game.seats), "", object)
        self.illegal: dict[int, str] = {}
        self.single_observation_space = spaces.Box(low, high, dtype=np.float32)
        self.single_action_space = spaces.Discrete(actions)
        self._record, self._seat_rewards = self._episode.record(), np.zeros((self.game.seats, 1), np.float32)
        self._function = self._episode.function((self.game,), n)
        self._rng = np.random.default_rng()

    @one_message
    def reset(
        self,
        *,
        seed: int | Sequence[int] | None = None,
        options: dict[str, Any] | Sequence[dict[str, Any] | None] | None = None,
        games: Any = None,
    ) -> None:
        """Start episodes; the arguments and errors of `VectorEnv.reset`.

        A reset of all games restarts the opponents' random choices from the seed as well.
        """
        self._check_open("reset")
        if games is not None:
            self._check_started("reset of some games")
        rows = game_rows(games, self.num_envs)
        seeds = game_seeds(seed, self.states, rows, started=self._started)
        self.states[rows] = start_games(self.game, seeds, options, self._episode)
        if games is None:
            self._seed_opponents(int(seeds[0]))
            self.seats[:] = np.arange(self.num_envs) % self.game.seats if self._first_seat is None else self._first_seat
        elif self._first_seat is None:
            self.seats[rows] = (self.seats[rows] + 1) % self.game.seats
        self.rewards[rows], self.terminated[rows], self.illegal = 0, False, {}
        none = rows[:0]  # a step of no game, but now it is compiled
        find_illegal(self.states, self.game.tables, none, none, np.zeros(0, np.bool_))
        self._credit(none, none)
        self._begin(rows)
        self._encode(rows)
        self._started = True

    def _seed_opponents(self, seed: int) -> None:
        self._rng = np.random.default_rng(agent_seed(seed))
        self._lineups.reset(seed)

    def step(self, actions: NDArray[np.integer[Any]]) -> None:
        """Take the learner's action in every game, and the opponents' up to its next turn.

        Args:
            actions: (n,) integers; ignored where `over` is set.

        Raises:
            IllegalActionError: a number outside the action space (nothing is changed), or an opponent's illegal action
                (call `reset`).
            ValueError: a wrong number of actions, actions that are no integers, or a step before `reset` or after
                `close`.
        """
        self._check_started("step")
        chosen = whole_array("actions", actions, (self.num_envs,))
        resting = np.flatnonzero(self.over)
        live = np.flatnonzero(~self.over)
        check_range(live, chosen, self.action_masks.shape[1])
        own = chosen if self._form is None else self._form.own(chosen)
        self.rewards[:], self.terminated[:], self.illegal = 0, False, {}
        seats = self.seats.copy()
        if self._function is not None:
            self._function.begin(self.states)
        legal = live[~self._end_illegal(live, chosen, own)]
        self._credit(legal, own[legal])
        self._advance(legal)
        self.rewards[legal], self.earned[legal] = self.earned[legal], 0
        self._end(legal[self.states["phase"][legal] == Phase.OVER])
        if self.autoreset == "same_step":
            self._restart(np.flatnonzero(self.terminated))
        elif self.autoreset == "next_step":
            self._restart(resting)
        self._encode(np.arange(self.num_envs))
        if self._function is not None:
            self.rewards[legal] = self._function.pay(self.states)[legal, seats[legal]]

    def _end_illegal(
        self, live: NDArray[np.int64], chosen: NDArray[np.int64], own: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """End the episodes of illegal actions, `own` in the game's numbers. Returns in which of the `live` games."""
        illegal = np.zeros(len(live), np.bool_)
        if find_illegal(self.states, self.game.tables, live, own[live], illegal):
            rows = live[illegal]
            self.illegal = {int(row): self._why(int(row), int(chosen[row]), int(own[row])) for row in rows}
            self.rewards[rows] = self.illegal_reward
            self._end(rows)
        return illegal

    def _why(self, row: int, number: int, own: int) -> str:
        if self._form is not None and own < 0:
            return self._form.why_not(number)
        return why_illegal(self.game, self.states[row], own)

    def _end(self, rows: NDArray[np.int64]) -> None:
        self.finals[rows] = self.states[rows]
        self.terminated[rows] = self.over[rows] = True
        self._encode(rows)
        self.final_observations[rows] = self.observations[rows]
        players = self.players[rows]
        players[np.arange(len(rows)), self.seats[rows]] = -1
        self.final_opponents[rows] = np.array([*map(str, self._lineups.players), ""], object)[players]

    def _restart(self, rows: NDArray[np.int64]) -> None:
        start_next(self.states, self.game.tables, rows, self._record)
        if self._first_seat is None:
            self.seats[rows] = (self.seats[rows] + 1) % self.game.seats
        self._begin(rows)

    def _begin(self, rows: NDArray[np.int64]) -> None:
        """Seat the opponents of new episodes and let them play up to the learner's first turn."""
        self.earned[rows], self.over[rows] = 0, False
        self._seat_opponents(rows)
        self._advance(rows)

    def _seat_opponents(self, rows: NDArray[np.int64]) -> None:
        others = (self.seats[rows, None] + np.arange(1, self.game.seats)) % self.game.seats
        self.players[rows[:, None], others] = self._lineups.draw(self._rng, len(rows))

    def _advance(self, rows: NDArray[np.int64]) -> None:
        """Play the opponents' actions in `rows` until the learner is to act, or the episode is over, in all of them."""
        waiting = rows.copy()
        while count := keep_waiting(self.states, self.seats, waiting):
            waiting = waiting[:count]
            if len(self._lineups.players) == 1:
                self._credit(waiting, self._ask(self._lineups.players[0], waiting))
                continue
            to_act = self.players[waiting, self.states["seat"][waiting]]
            for index, player in enumerate(self._lineups.players):
                if (theirs := waiting[to_act == index]).size:
                    self._credit(theirs, self._ask(player, theirs))

    def _ask(self, player: Player, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The checked actions of an opponent in games in which it is to act."""
        seen = self._views[: len(rows)]
        take_views(self.states, self.game.table, rows, seen)
        return player.act_in(Views(self.game, seen, check=False), rows, self._form)

    def _credit(self, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        if self._function is not None:
            self._function.play(self.states, rows, actions)
            return
        credited_step(
            self.states,
            self.game.tables,
            rows,
            actions,
            self._record,
            self.seats,
            self._seat_rewards,
            self.earned,
        )

    def _encode(self, rows: NDArray[np.int64]) -> None:
        encode_learners(self.states, self.game.tables, rows, self.seats, self.over, self._rows, self._masks)
        if self._form is not None:
            masks, over = self._masks[rows], self.over[rows]
            found = self._form.rows(self.states[rows], self.seats[rows], self._rows[rows], masks)
            found[over] = self._form.with_all_legal(found[over])
            self.observations[rows], self.action_masks[rows] = found, self._form.masks(masks) | over[:, None]

    @property
    def outcome(self) -> Outcome:
        """What happened in the last episode that ended in each place: arrays with a row per game, made when read."""
        return Outcome((self.game,), self.finals, names=self.final_opponents)

    def ended(self) -> tuple[NDArray[np.int64], Outcome]:
        """The games whose episode ended in the last step, and their outcome, which stays as it is."""
        rows = np.flatnonzero(self.terminated)
        return rows, Outcome((self.game,), self.finals[rows], names=self.final_opponents[rows])

    @property
    def hidden_shape(self) -> tuple[int, int]:
        """Of what `hidden` returns."""
        own = (self.game.seats - 1) * len(self.game.deck.kinds)
        return self.num_envs, own if self._form is None else self._form.hidden

    def hidden(self) -> NDArray[np.float32]:
        """The hands that the learner's seats do not see, the next seat's first, float32 (n, (seats - 1) * kinds).

        For critics, never for policies. A new array; raises ValueError before `reset`.

        >>> games = LearnerGames("black_lady", 2)
        >>> games.reset(seed=7)
        >>> games.hidden().reshape(2, 3, 52).sum(axis=2).tolist()
        [[13.0, 13.0, 13.0], [13.0, 13.0, 13.0]]
        """
        self._check_started("hidden")
        games, kinds = np.zeros(self.num_envs, np.int64), len(self.game.deck.kinds)
        rows = np.empty((self.num_envs, (self.game.seats - 1) * kinds), np.float32)
        encode_hidden_all(self.states, self.game.table, games, self.seats, kinds, rows)
        return rows if self._form is None else self._form.hidden_rows(rows)

    def set_opponents(self, opponents: Any) -> None:
        """Replace the opponents, in the games that are running too; for self-play, give snapshots of the learner.

        Raises ValueError, and changes nothing, for a player that cannot play.
        """
        lineups = LineUps(opponents, self.game.seats - 1)
        self._check_opponents(lineups)
        self._lineups = lineups
        if self._started:
            lineups.reset(int(self._rng.integers(2**63)))
            self._seat_opponents(np.arange(self.num_envs))

    def _check_opponents(self, lineups: LineUps) -> None:
        for player in lineups.players:
            if getattr(player.source, "stateful", False):
                raise ValueError(f"opponent {player} follows one table at a time; only gymnasium.make seats it")

    def close(self) -> None:
        """End the games. Every later step, reset, `save` or `restore` raises ValueError."""
        self._closed = True

    def save(self) -> dict[str, Any]:
        """All that `restore` needs to go on from here: copies of arrays, of the opponents and of their random choices.

        Raises ValueError before `reset`.
        """
        self._check_started("save")
        opponents = copy.deepcopy((self._lineups, self._rng))
        return {name: getattr(self, name).copy() for name in SAVED} | {"opponents": opponents}

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Go back to what `save` returned, of this object or of another one with the same rules, shapes and autoreset.

        Raises ValueError, and changes nothing, for something else.
        """
        self._check_open("restore")
        if missing := [name for name in (*SAVED, "opponents") if name not in saved]:
            raise ValueError(f"{missing[0]} is missing; a saved state holds {', '.join(SAVED)} and opponents")
        own = {name: getattr(self, name) for name in SAVED}
        given = {name: array_of(name, saved[name], old.dtype, old.shape) for name, old in own.items()}
        check_records(self.game, "states", given["states"])
        whole_array("seats", given["seats"], self.seats.shape, 0, self.game.seats - 1)
        lineups, rng = _opponents(saved["opponents"])
        whole_array("players", given["players"], self.players.shape, 0, len(lineups.players) - 1)
        self._check_running(given["over"] & (self.autoreset == "same_step"))
        self._lineups, self._rng, self.illegal = lineups, rng, {}
        for name, old in own.items():
            old[...] = given[name]
        self._encode(np.arange(self.num_envs))
        self._started = True


def _opponents(saved: Any) -> tuple[LineUps, np.random.Generator]:
    """A copy of what `LearnerGames.save` keeps of opponents and their random choices."""
    match saved:
        case (LineUps() as lineups, np.random.Generator() as rng):
            return copy.deepcopy((lineups, rng))
    raise ValueError(f"opponents={brief(saved)} is not what save returns")
