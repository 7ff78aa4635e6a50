"""What play in words costs: characters and tokens of page and observation by variant, and steps a second.

``python training/lab/text.py``; with the word ``questions``, the floors of `he.questions`. Tokens are those of
``cl100k_base`` and need ``pip install tiktoken==0.12.0``, which downloads the table of that encoding at first use.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from itertools import islice
from random import Random
from typing import Any, Literal

import tyro

import hearts_env as he

STEPS = 1000
SESSIONS = 64
KINDS = ("legal", "winner", "score", "void", "fraction")
QUESTIONS = 60


def pick(text: str, rng: Random) -> str:
    """One of the actions in the last line."""
    actions: list[str] = re.findall(r"\[[^\[\]]+\]", text.splitlines()[-1])
    return rng.choice(actions)


def steps_per_second(**options: Any) -> float:
    """Steps per second of processor time of a reader that picks at random, Black Lady."""
    env, rng = he.text_env("black_lady", **options), Random(1)
    text, _ = env.reset(seed=1)
    seconds = 0.0
    for _ in range(STEPS):
        answer, start = pick(text, rng), time.process_time()
        text, _, over, _, _ = env.step(answer)
        if over:
            text, _ = env.reset()
        seconds += time.process_time() - start
    return STEPS / seconds


def lengths(name: str, length: Callable[[str], int]) -> tuple[int, int, int, int]:
    """Lengths of the full and the short page, and the mean and the most of observations over a deal."""
    env, rng = he.text_env(name, opponents=None, history="view"), Random(1)
    text, _ = env.reset(seed=1)
    seen, over = [length(env.observation())], False
    while not over:
        text, _, over, _, _ = env.step(pick(text, rng))
        seen.append(length(text))
    short = he.text_env(name, opponents=None, rules="short").rules
    return length(env.rules), length(short), round(sum(seen) / len(seen)), max(seen)


def units() -> dict[str, Callable[[str], int]]:
    """What lengths are counted in."""
    try:
        from tiktoken import get_encoding
    except ImportError:
        return {"characters": len}
    encoding = get_encoding("cl100k_base")
    return {"characters": len, "tokens": lambda text: len(encoding.encode(text))}


def floors() -> None:
    """Print how many questions of each kind, in percent, a reader gets right that plays Basic Hearts, or guesses."""
    print(f"| changed fields | {' | '.join(KINDS)} |\n| --- |{' --- |' * len(KINDS)}")
    for changes in (0, 2, 4, 8, 16, None):
        row = []
        for kind in KINDS:
            asked = he.questions(kind=kind, changes=changes, page="short", seed=1)
            entries = list(islice(asked, QUESTIONS))
            basic = sum(asked.score_answer(f"[{entry['metadata']['basic']}]", entry) for entry in entries)
            chance = sum(entry["metadata"]["chance"] for entry in entries)
            row.append(f"{100 * basic / QUESTIONS:.0f} ({100 * chance / QUESTIONS:.0f})")
        print(f"| {'`he.sample_rules`' if changes is None else changes} | {' | '.join(row)} |")


def main(what: tyro.conf.Positional[Literal["play", "questions"]] = "play") -> None:
    """Print the tables.

    Args:
        what: play in words, or the floors of `he.questions`.
    """
    if what == "questions":
        floors()
        return
    steps_per_second(opponents="rule")  # compiles
    for opponents in (None, "random", "rule"):
        print(f"opponents={opponents!r}: {steps_per_second(opponents=opponents, history='view'):,.0f} steps/s")
    start, envs, rngs = time.perf_counter(), [], [Random(seed) for seed in range(SESSIONS)]
    for _ in range(SESSIONS):
        envs.append(he.text_env("black_lady", opponents="rule", history="view"))
    texts = [env.reset(seed=seed)[0] for seed, env in enumerate(envs)]
    live, steps = list(range(SESSIONS)), 0
    while live:
        for place in tuple(live):
            texts[place], _, over, _, _ = envs[place].step(pick(texts[place], rngs[place]))
            steps += 1
            if over:
                live.remove(place)
    print(f"{SESSIONS} sessions, a deal each: {steps:,} steps in {time.perf_counter() - start:.1f} s")
    for unit, length in units().items():
        print(f"| {unit} of | page | short page | observation, mean | most |\n| --- | --- | --- | --- | --- |")
        for name in he.VARIANTS:
            print(f"| `{name}` | {' | '.join(f'{count:,}' for count in lengths(name, length))} |")


if __name__ == "__main__":
    tyro.cli(main)
