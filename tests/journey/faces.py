"""What has to hold for a game in every environment."""

import copy
import pickle
import re
import warnings
from random import Random
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import hearts_env as he
from hearts_env.compiled.game import Game, compile_game
from hearts_env.envs.gym import LearnerEnv
from hearts_env.envs.illegal import worst_return
from hearts_env.envs.learner import LearnerGames
from hearts_env.envs.options import open_game
from hearts_env.explain.page import rules_page
from hearts_env.ruleset.syntax import write_value
from hearts_env.table.ranking import ranking_of
from tests.support.aec_play import any_action, play_on

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # its tests import a game in a way it has deprecated
    from pettingzoo.test import api_test, seed_test


SECTIONS = ("Players", "Pack and deal", "Pass", "Play", "Scoring", "Shooting the moon", "End of the match", "Source")


def written(text: str) -> None:
    """Rules read back equal from their text, and from their changes to the variant."""
    rules = he.rules(text)
    again = he.rules(str(rules))
    assert (again, hash(again), str(again), again.variant) == (rules, hash(rules), str(rules), rules.variant)
    assert rules.replace() == rules
    assert rules.variant.build(rules.players, **rules.changes()) == rules


def page(text: str) -> None:
    """The page of rules has every section, and what is written about the unchanged game is used as that only."""
    rules, whole = he.rules(text), rules_page(text)
    variant, changes = rules.variant, rules.changes()
    titles = [re.sub(" of [A-Z0-9].*", "", title) for title in re.findall("^## (.*)", whole, re.MULTILINE)]
    assert [title for title in SECTIONS if title in titles] == list(SECTIONS)
    assert max(len(line) for line in whole.splitlines() if not line.startswith("#")) <= 88
    assert f"\n- {rules.players} players." in whole
    head, _, rest = " ".join(whole.split()).partition(" ## ")
    sentences = [variant.summary, variant.source, *(reading.text for reading in variant.readings)]
    sentences = [" ".join(sentence.split()) for sentence in sentences]
    if not changes:
        assert all(sentence in f"{head} {rest}" for sentence in sentences)
        assert all(alias.replace("_", " ") in rest for alias in variant.aliases)
        return
    named = ", ".join(f"{path}={write_value(value)}" for path, value in changes.items())
    # a value too long for a line is broken after commas
    assert head.replace(" ", "") == f"# {rules} {variant.title}, changed: {named}.".replace(" ", "")
    own = rest.partition(", unchanged ")[0]
    assert not any(sentence in own for sentence in sentences)
    assert "Other names" not in rest
    assert re.findall(r"## ([A-Z][a-z]+) of ", rest)[-1] == "Source"


def layout(text: str) -> None:
    """The fields of the layout tile the row, and those that count no cards or flags are its numbers in bytes."""
    fields, place = he.observation_layout(text).values(), 0
    for field in fields:
        assert (field.columns.start, field.columns.step) == (place, None)
        place = field.columns.stop
        assert place - field.columns.start == np.prod(field.shape)
        assert field.low < field.high
        assert field.meaning
    t = compile_game(he.rules(text)).tables
    assert place == int(t["obs_size"])
    numbers = [c for f in fields if f.unit not in ("card", "flag") for c in range(f.columns.start, f.columns.stop)]
    assert t["number_column"][: int(t["numbers"])].tolist() == numbers
    assert int(t["byte_size"]) == place + 4 * len(numbers)


def conformance(text: str) -> None:
    """PettingZoo's and Gymnasium's own checks find nothing; warnings are errors."""
    api_test(he.raw_env(text, deals=3 if he.rules(text).end.endless else None), num_cycles=40)
    api_test(he.env(text, deals=1, timing="trick", tokens=True), num_cycles=40)
    seed_test(lambda: he.env(text, deals=1), num_cycles=20)
    env = LearnerEnv(text, deals=1)
    check_env(env, skip_render_check=True)
    assert env.observation_space.contains(env.reset(seed=1)[0])


def rows(text: str) -> None:
    """A row of a batch is a match, through two deals and what follows them; bytes and threads change nothing."""
    options: dict[str, Any] = {"deals": 2, "first_deal": 0}
    env = he.vector_env(text, 3, **options)
    packed = he.vector_env(text, 3, threads=2, observations="uint8", **options)
    for one in (env, packed):
        one.reset(seed=5)
        assert one.single_observation_space.contains(one.observations[0])
    rng = np.random.default_rng(5)
    matches = [he.Match(env.game.rules, seed=int(seed)) for seed in env.states["seed"]]
    ended, seeds = 0, {match.seed for match in matches}
    for _ in range(1500):
        actions = env.sample_actions(rng)
        assert he.widen_observations(packed.observations, env.game.rules).tobytes() == env.observations.tobytes()
        for row, match in enumerate(matches):
            assert int(env.seats[row]) == match.seat
            assert env.observations[row].tobytes() == match.view(match.seat or 0).observation().tobytes()
            assert [env.game.actions[action] for action in env.action_masks[row].nonzero()[0]] == match.legal()
            match.play(int(actions[row]))
        for one in (env, packed):
            assert not one.step(actions)[3].any()
        assert packed.states.tobytes() == env.states.tobytes()
        for row, match in enumerate(matches):
            over = match.over or len(match.deal_points) == 2
            assert env.terminated[row] == over
            if over:
                ended += 1
                assert env.game.numbers(env.finals["scored"][row]) == match.deal_points[-1]
                last = match.totals if match.over else match.log[-1].totals
                assert env.game.numbers(env.finals["totals"][row]) == last
                matches[row] = he.Match(env.game.rules, seed=int(env.states["seed"][row]))
                assert matches[row].seed not in seeds
                seeds.add(matches[row].seed)
        if ended >= 3:
            break
    assert ended


PAID = [("points", "trick"), ("relative", "deal"), ("rank", "deal"), ("vector", "trick")]


def rewards(text: str) -> None:
    """The AEC environment pays what the batch pays, under some rewards and timings, and copies go on alike."""
    for reward, timing in (PAID[0], Random(text).choice(PAID[1:])):
        env = he.env(text, reward=reward, timing=timing, deals=1, tokens=True)
        env.reset(seed=4)
        batch = he.vector_env(text, 1, reward=reward, timing=timing, autoreset=False, deals=1)
        batch.reset()
        batch.states[:] = env._states
        rng = np.random.default_rng(4)
        since: dict[str, Any] = dict.fromkeys(env.possible_agents, 0 * batch.rewards[0, 0])
        for step, agent in enumerate(env.agent_iter()):
            if step == 40 and reward == "points":
                twins = [copy.deepcopy(env), copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
                played = [repr(play_on(twin, 1, 30)) for twin in twins]
                assert played[0] == played[1] == played[2]
                every_seat(env)
            np.testing.assert_array_equal(env.last()[1], since[agent])
            action = any_action(env, rng)
            env.step(action)
            if action is None:
                continue
            batch.step(np.array([action]))
            np.testing.assert_array_equal(list(env.rewards.values()), batch.rewards[0])
            since = {name: (0 * old if name == agent else old) + env.rewards[name] for name, old in since.items()}
            observed = env.observe(env.agent_selection)
            assert observed["observation"].tobytes() == batch.observations[0].tobytes()
            assert observed["action_mask"].tobytes() == batch.action_masks[0].tobytes()
            assert all(env.terminations.values()) == bool(batch.terminated[0])


def every_seat(env: Any) -> None:
    """Every agent is shown its view; the state is the view of the agent to act and the hidden hands."""
    for agent in env.agents:
        observed, view = env.observe(agent), env.view(agent)
        assert observed["observation"].tobytes() == view.observation().tobytes()
        assert observed["action_mask"].tobytes() == view.action_mask().tobytes()
        assert env.infos[agent]["action_mask"].tobytes() == observed["action_mask"].tobytes()
        assert env.observation_space(agent).contains(observed)
    assert env.state_space.contains(env.state())
    columns = len(env.observe(env.agent_selection)["observation"])
    assert (env.state()[columns:] == env.hidden(env.agent_selection)).all()


def sums(text: str, deals: int | None = 1) -> None:
    """Whenever rewards are paid, they add up to what totals and places are worth at the end."""
    for reward in Random(text).sample(("points", "relative", "rank", "win", "vector"), 3):
        ends = []
        for timing in ("deal", "trick"):
            env = he.vector_env(text, 4, deals=deals, reward=reward, timing=timing, autoreset=False)
            env.reset(seed=6)
            rng, paid = np.random.default_rng(6), np.zeros(env.rewards.shape)
            while (env.seats >= 0).any():
                paid += env.step(env.sample_actions(rng))[1]
            wanted = [worth(env.game, final, reward) for final in env.finals]
            np.testing.assert_allclose(paid, wanted, rtol=1e-5, atol=1e-3, err_msg=f"{reward}, {timing}")
            ends.append(env.finals["totals"].tobytes())
        assert ends[0] == ends[1]


def worth(game: Game, final: Any, reward: str) -> Any:
    """What the end of a match is worth to each seat under a kind of reward."""
    rules, chips = game.rules, game.rules.score.chips or 0
    if reward == "vector":
        own = final["totals"][: game.seats] - np.array([chips, 0])
        return np.equal.outer(game.teams, game.teams) @ own if game.team_pay else own
    places = np.array(ranking_of(game, final))
    if reward == "win":
        best = places == places.min()
        return best / best.sum()
    if reward == "rank":  # pairwise: 1 for every opponent behind, -1 for every one before
        return np.sign(places[None, :] - places[:, None]).sum(axis=1) / (game.seats - 1)
    own = np.array([earned(rules, chips, total) for total in game.numbers(final["totals"])])
    mates = np.equal.outer(game.teams, game.teams)
    others = ~mates @ own / (~mates).sum(axis=1)
    size = mates.sum(axis=1) if game.team_pay else 1
    return (mates @ own if game.team_pay else own) - (size * others if reward == "relative" else 0)


def credit(text: str) -> None:
    """A learner's seat is paid every point, and an illegal action less than any legal episode."""
    rules = he.rules(text)
    seat = rules.players - 1
    alone: dict[str, Any] = {"team_rewards": False} if rules.table.teams else {}
    games = LearnerGames(rules, 4, deals=1, seat=seat, first_deal=0, **alone)
    worst = worst_return(*open_game(rules, {"deals": 1, **alone}))
    games.reset(seed=3)
    start = games.game.numbers(games.states["totals"][0])[seat]
    rng, paid, ends = np.random.default_rng(3), np.zeros(4), 0
    while ends < 4:
        games.step((rng.random(games.action_masks.shape) * games.action_masks).argmax(axis=1))
        paid += games.rewards
        for game in games.terminated.nonzero()[0]:
            total = games.game.numbers(games.finals["totals"][game])[seat]
            assert paid[game] == pytest.approx(earned(rules, start, total))
            assert paid[game] >= worst
            paid[game], ends = 0, ends + 1


def earned(rules: he.Rules, start: Any, end: Any) -> float:
    """What a seat gains by its total going from `start` to `end`, more being better."""
    better = rules.score.better
    if better == "magnitude":
        return float(abs(complex(start)) - abs(complex(end)))
    gain = complex(end).real - complex(start).real
    return gain if better == "high" or rules.score.chips is not None else -gain


FACES = [written, page, layout, conformance, rows, rewards, sums, credit]
