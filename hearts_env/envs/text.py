"""Play in words: a text environment for language models and people, over any rules."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import Any

import numpy as np

from hearts_env.checks import flag, number, seat_of, seed_of, whole
from hearts_env.envs.illegal import illegal_reward
from hearts_env.envs.opponents import LineUps
from hearts_env.envs.options import one_of, open_game
from hearts_env.envs.outcome import outcome_of
from hearts_env.envs.starts import start_games
from hearts_env.errors import IllegalActionError
from hearts_env.explain.page import rules_page
from hearts_env.explain.short import short_page
from hearts_env.kernel.records import STATE
from hearts_env.ruleset.model import Rules
from hearts_env.ruleset.syntax import brief
from hearts_env.seat.answers import HOW, actions_of
from hearts_env.seat.illegal import action_id, refusal, why_illegal
from hearts_env.seat.view import View, view_of
from hearts_env.table.seeds import agent_seed

MOST_CHARS = 1500
"""The length of an observation under ``history="view"``, above which the oldest tricks of the deal are left out."""
RULES = {"full": rules_page, "short": short_page}
HISTORIES = ("full", "view")
FORFEITS = ("lose", "play", "truncate")
Step = tuple[str, float, bool, bool, dict[str, Any]]


class TextEnv:
    """A game in words: observations and answers are text. See `text_env`.

    Attributes:
        game: the compiled rules.
        seat: the seat that is to answer.
        counts: what came of the answers of this episode, over all seats that are played by text: ``answers``,
            ``illegal`` (an action of the game that the rules forbid now), ``unreadable`` (none), ``forfeits``.
        outcome: what happened, once the episode is over: the keys of `hearts_env.envs.outcome.Outcome`, with lists, one
            entry a seat, and ``shooter`` a number; None before.
        illegal_reward: what a forfeit pays, less what its seat has gained so far.
    """

    def __init__(
        self,
        variant: str | Rules = "black_lady",
        *,
        seat: int = 0,
        opponents: Any = "rule",
        rules: str = "full",
        legal: bool = True,
        history: str = "full",
        tries: int = 3,
        forfeit: str = "lose",
        refusal_cost: float = 1.0,
        **options: Any,
    ) -> None:
        """See `text_env`."""
        for name, value, choices in (
            ("rules", rules, tuple(RULES)),
            ("history", history, HISTORIES),
            ("forfeit", forfeit, FORFEITS),
        ):
            one_of(name, value, choices)
        if options.get("reward") == "vector" or options.get("tokens"):
            raise ValueError("text environments pay one number and have no tokens; see he.env for vectors and tokens")
        self.game, self._episode = open_game(variant, {"deals": 1} | options)
        self._rules, self._legal, self._history, self._forfeit = rules, flag("legal", legal), history, forfeit
        self._first_seat = self.seat = seat_of("seat", seat, self.game.seats)
        self._tries, self._cost = whole("tries", tries, 0, 1000), number("refusal_cost", refusal_cost)
        if self._cost < 0:
            raise ValueError(f"refusal_cost={brief(refusal_cost)} must be at least 0")
        self.illegal_reward = illegal_reward(self.game, self._episode)
        self._lineups = None if opponents is None else LineUps(opponents, self.game.seats - 1)
        self._function = self._episode.function((self.game,))
        if self._function is not None:
            self._function.by_ply = False
        self._record, self._paid = self._episode.record(), np.zeros((self.game.seats, 1), np.float32)
        self._row = np.empty(int(self.game.tables["obs_size"]), np.float32)  # written, and not read
        self._mask = np.empty(len(self.game.actions), np.int8)
        self._rng = np.random.default_rng()
        self._states, self._running = np.zeros(1, STATE), False
        self.counts: Counter[str] = Counter()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Start an episode: the page of rules, how to answer, and the first observation.

        Args:
            seed: fixes the deals and the opponents' random choices, and those of later resets without a seed.
            options: a position to start from, as in `HeartsEnv.reset`.

        Raises:
            ValueError: a bad seed, a misspelt option or an impossible position.
        """
        rng = self._rng if seed is None else np.random.default_rng(seed_of(seed))
        first = int(rng.integers(2**63))
        self._states = start_games(self.game, np.array([first], np.uint64), [options], self._episode)
        self._rng, self._running, self._refused = rng, True, 0
        self.counts = Counter(answers=0, illegal=0, unreadable=0, forfeits=0)
        self._gained, self._deals = np.zeros(self.game.seats), list[str]()
        self._forfeited = np.zeros(self.game.seats, np.bool_)
        self._players: dict[int, Any] = {}
        if self._lineups is not None:
            self._lineups.reset(first)
            lineup = self._lineups.draw(np.random.default_rng(agent_seed(first)), 1)[0]
            others = [(self._first_seat + place) % self.game.seats for place in range(1, self.game.seats)]
            self._players = {seat: self._lineups.players[one] for seat, one in zip(others, lineup, strict=True)}
        self._paid[:] = 0
        rewards = self._play_others()
        return f"{self.rules}\n\n{self.observation()}", self._info(rewards)

    @cached_property
    def rules(self) -> str:
        """The page of rules, and how to answer."""
        return f"{RULES[self._rules](self.game.rules)}\n{HOW.format(example=self.game.deck.kinds[-1])}"

    def step(self, answer: str) -> Step:
        """Take an answer in words: the last brackets in it, or the last few, one for each card still to be picked.

        Returns:
            The next observation, after a refusal with its reason in a line before it; the reward of the seat that
            answered, in which what other seats play until its next turn counts (if all seats are played by text, only
            its own step does: ``info["rewards"]`` has every seat's); whether the episode is over; whether it was
            cut off; and a dict with `counts`, ``seat``, ``rewards``, ``tries_left``, after a refusal ``reason``, and at
            the end ``outcome``.

        Raises:
            ValueError: no episode is running, or the answer is not text.
            IllegalActionError: an opponent's illegal action.
        """
        if not self._running:
            raise ValueError("no episode is running; call reset")
        if not isinstance(answer, str):
            raise ValueError(f"answer={brief(answer)} is not possible; it is text")
        self.counts["answers"] += 1
        if self._function is not None:
            self._function.begin(self._states)
        self._paid[:] = 0
        seat, view, rewards = self.seat, self._seen, np.zeros(self.game.seats)
        try:
            actions = actions_of(view, answer)
        except ValueError as error:
            return self._refuse(view, "unreadable", str(error))
        before = self._states.copy() if len(actions) > 1 else self._states
        for place, action in enumerate(actions):
            if not self._take(action):
                reason = refusal(self.view() if place else view, action, listed=self._legal)
                self._states = before
                return self._refuse(view, "illegal", reason)
            rewards += self._paid[:, 0]
        self._refused = 0
        self._gained += rewards
        rewards += self._finish_step()
        rewards[self._forfeited] = 0
        return self._result(seat, rewards)

    def _take(self, action: int) -> bool:
        """Take an action if it is legal, and return whether it is; `_paid` then has what it pays each seat."""
        from hearts_env.envs.rewards import checked_step  # imports Numba

        step = checked_step if self._function is None else self._function.checked_step
        s = self._states[0]
        deal = int(s["deal_number"])
        if not step(self._states, self.game.table, action, self._record, self._paid, self._row, self._mask):
            return False
        if self._history == "full" and int(s["deal_number"]) != deal:
            points, totals = (" ".join(map(str, self.game.numbers(s[name]))) for name in ("scored", "totals"))
            self._deals.append(f"Deal {deal + 1} scored, by seat: {points}. Totals: {totals}.")
        return True

    def _play_others(self) -> Any:
        """Let opponents play until a seat of text is to act; returns the rewards of all seats, which are also kept."""
        rewards = np.zeros(self.game.seats)
        while (seat := int(self._states[0]["seat"])) in self._players:
            player = self._players[seat]
            action = action_id(self.game, player.act(view_of(self.game, self._states, seat)))
            if not self._take(action):
                self._running = False
                raise IllegalActionError(f"opponent {player}: {why_illegal(self.game, self._states[0], action)}")
            rewards += self._paid[:, 0]
        self._gained += rewards
        self._running = seat >= 0
        if self._running:
            self.seat = seat
        return rewards

    def _finish_step(self) -> Any:
        """Let opponents play; returns the rewards of all seats that `_paid` has not had, which are also kept."""
        rewards = self._play_others()
        if self._function is not None:
            paid = self._function.pay(self._states)[0]
            self._gained += paid
            rewards += paid
        return rewards

    def _refuse(self, view: View, kind: str, reason: str) -> Step:
        self.counts[kind] += 1
        self._refused += 1
        rewards = np.zeros(self.game.seats)
        rewards[self.seat] = -self._cost
        if self._refused <= self._tries:
            left = self._tries - self._refused + 1
            text = f"{reason}. {left} more {'try' if left == 1 else 'tries'}."
            return self._result(self.seat, rewards, text, reason)
        self.counts["forfeits"] += 1
        self._refused, seat = 0, self.seat
        if not self._forfeited[seat]:
            # what was gained before is taken back, so that no legal episode pays less
            rewards[seat] += self.illegal_reward - max(0.0, float(self._gained[seat]))
        self._forfeited[seat] = True
        if self._forfeit == "play":
            name = view.legal()[0]
            self._take(view.legal_ids()[0])
            paid = self._paid[:, 0].astype(np.float64)  # a copy: opponents' steps write there
            self._gained += paid
            paid += self._finish_step()
            rewards += np.where(self._forfeited, 0, paid)
            return self._result(seat, rewards, f"{reason}. [{name}] was played for you.", reason)
        self._running = False
        line = f"{reason}. The game is forfeited; the other seats get nothing for it."
        return self._result(seat, rewards, line, reason, cut_off=self._forfeit == "truncate")

    def _result(self, seat: int, rewards: Any, line: str = "", reason: str = "", *, cut_off: bool = False) -> Step:
        info = self._info(rewards) | ({"reason": reason} if reason else {})
        text = f"{line}\n{self.observation()}" if line else self.observation()
        over = not self._running
        return text, float(rewards[seat]), over and not cut_off, over and cut_off, info

    def _info(self, rewards: Any) -> dict[str, Any]:
        info = {"seat": self.seat, "rewards": rewards.tolist(), "tries_left": self._tries - self._refused + 1}
        outcome = self.outcome
        return info | {"counts": dict(self.counts)} | ({} if outcome is None else {"outcome": outcome})

    @property
    def outcome(self) -> dict[str, Any] | None:
        """What happened in the episode; see the class."""
        if self._running or not hasattr(self, "_deals"):
            return None
        names = [str(self._players.get(seat, "")) for seat in range(self.game.seats)]
        return {name: array.tolist() for name, array in outcome_of(self.game, self._states, [np.array(names)]).items()}

    def view(self) -> View:
        """Everything that the seat that is to answer may know; once the episode is over, everything that the last seat
        to answer may know.
        """
        return view_of(self.game, self._states, self.seat)

    def observation(self) -> str:
        """The present observation, without the rules. Raises ValueError before `reset`."""
        if not hasattr(self, "_deals"):
            raise ValueError("no episode is running; call reset")
        whole = self._history == "full"
        self._seen = self.view()
        text = self._seen.text(None if whole else MOST_CHARS)
        text = text if self._legal else text.rpartition("\n")[0]
        return "\n".join([*self._deals, text])


def text_env(variant: str | Rules = "black_lady", **options: Any) -> TextEnv:
    """A game in words, for language models and people: every text and every answer is a string.

    >>> import hearts_env as he
    >>> env = he.text_env("black_lady", opponents=None, first_deal=3)
    >>> text, info = env.reset(seed=7)
    >>> print(text.splitlines()[-1])
    Legal actions: [2C]
    >>> text, reward, terminated, truncated, info = env.step("I lead low: [3C]")
    >>> print(text.splitlines()[0])
    You do not hold 3C; legal: 2C. 3 more tries.
    >>> reward, info["counts"]["illegal"]
    (-1.0, 1)

    Args:
        variant: rules or their text.
        options: ``seat`` (0), the seat played by text; ``opponents`` (``"rule"``), who plays the others, as in
            `LearnerEnv`, or None where all seats are played by text, in turn (``info["seat"]``); ``rules`` (``"full"``
            or ``"short"``), the page of rules at the start of an episode; ``legal`` (True), whether the legal actions
            are listed, in the last line and in refusals; ``history`` (``"full"``: all of this deal, and the scores of
            those before it; ``"view"``: at most 1,500 characters); ``tries`` (3), further tries a decision after a
            refused answer; ``forfeit``, what comes after the last: ``"lose"`` (the episode ends and pays what an
            illegal action does elsewhere, `EpisodeOptions.illegal_reward`), ``"truncate"`` (the same, reported as
            cut off) or ``"play"`` (the same is paid at once, the first legal action is played, and the game goes on,
            in which the seat then earns nothing); ``refusal_cost`` (1.0), what each refused answer costs.
            Then those of `EpisodeOptions` (``deals`` is 1 here; None plays matches) and any field of the rules.
            Not ``features``: observations are text, and ``env.view()`` has what a function of views needs.

    Raises:
        RulesError: unknown, misspelled or contradictory rules.
        ValueError: a bad option or opponent, or a number out of range.
    """
    return TextEnv(variant, **options)
