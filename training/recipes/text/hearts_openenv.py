"""Hearts as a server of OpenEnv, and its client: `uvicorn --app-dir training/recipes/text hearts_openenv:app`.

Every session has a game of its own, as many as `SESSIONS` at once. `reset` takes the options of `hearts_env.text_env`,
such as ``variant``; a session keeps those that it was given last. openenv.yaml, beside this file, describes the server.
"""

from typing import Any

from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, EnvironmentMetadata, Observation, State

import hearts_env as he
from hearts_agents.allowed import check_allowed
from hearts_agents.registry import parse_spec
from hearts_env.envs.opponents import specs_in

SESSIONS = 64
OPPONENTS = ("random", "rule", "shooter", "guard", "endgame", "pimc")
"""Agents that a client may play against."""
MOST_WORLDS = 256
"""The largest number in the name of one: a server has no limit of time for an agent that searches."""


class Answer(Action):
    """An answer in words, with the action in brackets."""

    text: str


class Words(Observation):
    """What the seat that is to answer is shown.

    Attributes:
        text: after `reset` the rules and the first observation, then what `TextEnv.step` returns.
        info: that of `TextEnv.step`.
        truncated: whether the episode, if it is done, was cut off.
    """

    text: str
    info: dict[str, Any]
    truncated: bool = False


class HeartsEnvironment(Environment[Answer, Words, State]):
    """One session."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self.options: dict[str, Any] | None = None
        self._state = State()

    def reset(self, seed: int | None = None, episode_id: str | None = None, **options: Any) -> Words:
        """Start an episode. Raises ValueError for bad rules, options or a bad seed, and for opponents that a client may
        not choose: only agents that start no program, read no file and think for a limited time.
        """
        for spec in specs_in(options.get("opponents")):
            if parse_spec(spec)[0] not in OPPONENTS:
                raise ValueError(f"opponent {spec!r} is not one of {', '.join(OPPONENTS)}")
            check_allowed(spec, most=MOST_WORLDS)
        if self.options is None or options:
            self.env, self.options = he.text_env(**options), options
        self._state = State(episode_id=episode_id)
        text, info = self.env.reset(seed=seed)
        return Words(text=text, info=info, reward=0.0)

    def step(self, action: Answer, timeout_s: float | None = None, **_: Any) -> Words:
        """Take an answer. Raises ValueError if no episode is running."""
        if self.options is None:
            raise ValueError("no episode is running; call reset")
        text, reward, terminated, truncated, info = self.env.step(action.text)
        self._state.step_count += 1
        return Words(text=text, info=info, reward=reward, done=terminated or truncated, truncated=truncated)

    @property
    def state(self) -> State:
        """The episode's name and its number of answers."""
        return self._state

    def get_metadata(self) -> EnvironmentMetadata:
        """What the server says of itself."""
        return EnvironmentMetadata(
            name="hearts", description="Hearts and its variants in words", version=he.__version__
        )


class HeartsClient(EnvClient[Answer, Words, State]):
    """A session: `with HeartsClient(base_url="http://localhost:8000").sync() as client: client.reset(seed=7)`."""

    def _step_payload(self, action: Answer) -> dict[str, Any]:
        return {"text": action.text}

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[Words]:
        reward, done = payload["reward"], payload["done"]
        return StepResult(Words(**payload["observation"], reward=reward, done=done), reward, done)

    def _parse_state(self, payload: dict[str, Any]) -> State:
        return State(**payload)


def warm_up() -> None:
    """Play a deal, which compiles: clients that come at once would wait for it for longer than they do."""
    env = HeartsEnvironment()
    words = env.reset(seed=0)
    while not words.done:
        words = env.step(Answer(text=words.text.split()[-1]))


warm_up()
app = create_app(HeartsEnvironment, Answer, Words, env_name="hearts", max_concurrent_envs=SESSIONS)
