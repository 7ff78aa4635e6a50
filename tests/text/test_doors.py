"""Doors of other text frameworks, each with its framework's check and loop, where that is installed."""

import asyncio
import copy
import importlib
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import socket
from threading import Thread
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.support.refused_agents import FOLDERS, LARGE, PROGRAM, PROGRAMS
from tests.text.servers import Handler, serving

DOORS = Path(__file__).parents[2] / "training" / "recipes" / "text"
MOST_LINES = 120
BIN = Path(sys.executable).parent
pytestmark = pytest.mark.filterwarnings("default")  # the frameworks' own


def door(framework: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    pytest.importorskip(framework)
    monkeypatch.syspath_prepend(str(DOORS))
    return importlib.import_module(f"hearts_{framework}")


def test_every_door_is_short_and_tried_here() -> None:
    assert {path.stem for path in DOORS.glob("*.py")} == {"hearts_textarena", "hearts_verifiers", "hearts_openenv"}
    assert all(len(path.read_text(encoding="utf-8").splitlines()) < MOST_LINES for path in DOORS.glob("*.py"))


def last_action(text: str) -> str:
    return f"I choose {text.rsplit(maxsplit=1)[-1]}."


def play_textarena(env: Any, seed: int) -> tuple[Any, list[tuple[int, str]]]:
    env.reset(num_players=4, seed=seed)
    observations, done = [], False
    while not done:
        observations.append(env.get_observation())
        done, _ = env.step(last_action(observations[-1][1]))
    return env.close(), observations


def test_textarena_plays_all_seats_and_leaves_the_global_generator_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    door("textarena", monkeypatch)
    textarena: Any = importlib.import_module("textarena")

    state = random.getstate()
    env = textarena.make("Hearts-v0", variant="black_lady", rules="short")
    before = copy.deepcopy(env)
    (rewards, info), observations = play_textarena(env, 7)
    assert play_textarena(env, 8)[1] != observations
    assert play_textarena(env, 7) == play_textarena(before, 7) == ((rewards, info), observations)
    assert random.getstate() == state
    assert {player for player, _ in observations} == set(rewards) == {0, 1, 2, 3}
    assert sum(rewards.values()) == -26
    assert not any(one["invalid_move"] for one in info.values())
    with pytest.raises(ValueError, match="num_players=3 is not possible; the game has 4 seats"):
        env.reset(num_players=3)


def test_textarena_tells_nobody_else_what_was_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    door("textarena", monkeypatch)
    textarena: Any = importlib.import_module("textarena")

    env = textarena.make("Hearts-v0-raw", tries=0)
    env.reset(num_players=4, seed=1)
    env.get_observation()
    assert env.step("My secret: [moon]")[0]
    assert [len(seen) for seen in env.state.observations.values()] == [2, 1, 1, 1]  # the others: the rules
    rewards, info = env.close()
    assert rewards[0] < 0 == rewards[1]
    assert [one["invalid_move"] for one in info.values()] == [True, False, False, False]


class Reader(Handler):
    """The last legal action of the newest message, in the words that a client asks for: whole, or as a stream."""

    def well(self, messages: list[dict[str, str]]) -> None:
        words, about = last_action(messages[-1]["content"]), {"id": "1", "created": 1, "model": "reader"}
        if not self.server.seen[-1][2].get("stream"):
            return self.say(words, object="chat.completion", **about)
        parts = [({"role": "assistant", "content": words}, None), ({}, "stop")]
        choices = [{"index": 0, "delta": delta, "finish_reason": reason} for delta, reason in parts]
        lines = [json.dumps({**about, "object": "chat.completion.chunk", "choices": [one]}) for one in choices]
        body = "".join(f"data: {line}\n\n" for line in [*lines, "[DONE]"])
        return self.send(body.encode(), 200, **{"Content-Type": "text/event-stream"})


def test_verifiers_runs_an_episode_with_a_served_model(monkeypatch: pytest.MonkeyPatch) -> None:
    door("verifiers", monkeypatch)
    vf: Any = importlib.import_module("verifiers.v1")
    loaders: Any = importlib.import_module("verifiers.v1.utils.loaders")

    monkeypatch.setenv("PATH", f"{BIN}{os.pathsep}{os.environ['PATH']}")  # it starts uv
    settings = {"id": "hearts-verifiers", "options": {"rules": "short", "tries": 0}, "first": 3}
    env = loaders.load_environment(loaders.resolve_env_config({"taskset": settings}))
    (task,) = env.taskset.take(1)

    async def play(url: str) -> Any:
        context = vf.ModelContext("reader", vf.EvalClientConfig(base_url=url, api_key_var="NONE"))
        async with env.serving():
            return await env.run_episode(task, context)

    with serving("well") as server:
        server.RequestHandlerClass = Reader
        episode = asyncio.run(play(server.url))
    assert episode.ok, episode.errors
    (trace,) = episode.traces
    (game, text), total, over = task.start(), 0.0, False
    while not over:
        text, reward, over, _, _ = game.step(last_action(text))
        total += reward
    assert trace.rewards["points"].score == total
    assert trace.metrics == {"answers": 16, "illegal": 0, "unreadable": 0, "forfeits": 0, "finished": 1}


def test_verifiers_finds_the_tasks_valid(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    door("verifiers", monkeypatch)
    command = [str(BIN / "vf-validate"), "hearts-verifiers", "-n", "3", "--only-gold"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(DOORS), os.environ.get("PYTHONPATH", "")])}
    options = ["--runtime.type", "subprocess", "--rich", "false"]
    subprocess.run([*command, *options], cwd=tmp_path, env=environment, check=True, capture_output=True, timeout=300)
    (summary,) = tmp_path.rglob("summary.json")
    assert json.loads(summary.read_text())["outcomes"]["valid"] == 3


@contextmanager
def served(app: Any) -> Iterator[str]:
    """An app on a port of its own."""
    import uvicorn

    with socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
        thread = Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


def test_openenv_has_64_sessions_at_once_and_passes_its_check(monkeypatch: pytest.MonkeyPatch) -> None:
    module = door("openenv", monkeypatch)

    async def play(url: str, seed: int) -> tuple[list[str], float]:
        async with module.HeartsClient(base_url=url) as client:
            found = await client.reset(seed=seed, rules="short")
            texts, total = [found.observation.text], 0.0
            while not found.done:
                found = await client.step(module.Answer(text=last_action(texts[-1])))
                texts.append(found.observation.text)
                total += found.reward
            steps, counts = (await client.state()).step_count, found.observation.info["counts"]
            assert counts == {"answers": steps, "illegal": 0, "unreadable": 0, "forfeits": 0}
            return texts, total

    async def play_all(url: str) -> None:
        together = await asyncio.gather(*(play(url, seed) for seed in range(module.SESSIONS)))
        for seed in (63, 5, 0):
            assert await play(url, seed) == together[seed]

    with served(module.app) as url:
        asyncio.run(play_all(url))
        subprocess.run([str(BIN / "openenv"), "validate", "--url", url], check=True, capture_output=True, timeout=60)


def test_openenv_starts_nothing_that_a_client_names(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    module = door("openenv", monkeypatch)
    monkeypatch.chdir(tmp_path)

    def reset(url: str, opponents: Any) -> int:
        body = json.dumps({"opponents": opponents, "deals": 1}).encode()
        request = Request(f"{url}/reset", body, {"Content-Type": "application/json"})
        try:
            with urlopen(request) as response:
                return int(response.status)
        except HTTPError as error:
            return error.code

    with served(module.app) as url:
        for opponents in (*PROGRAMS, ["rule", "rule", PROGRAM], *FOLDERS, *LARGE, "net:black_lady", "nobody"):
            assert reset(url, opponents) >= 400, opponents
        for allowed in ("rule; pimc(worlds=8)", ["rule", "random", "rule(shoot=0.3)"], None):
            assert reset(url, allowed) == 200, allowed
    assert not list(tmp_path.iterdir())
