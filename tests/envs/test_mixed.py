"""Many rules in one batch, in the layout that all games share."""

import warnings
from copy import deepcopy
from pickle import dumps, loads
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.utils.env_checker import check_env
from numpy.typing import NDArray

import hearts_env as he
from hearts_env.compiled.game import compile_game
from hearts_env.envs.gym import LearnerEnv
from hearts_env.envs.learner import LearnerGames
from hearts_env.envs.mixed import MixedEnv, Sparse
from hearts_env.envs.universal import UniversalForm
from hearts_env.kernel.batch import start_all, take_views
from hearts_env.kernel.observe import encode, encode_mask
from hearts_env.kernel.records import DRAWN, STATE
from hearts_env.seat.universal import byte_codes, byte_width, dynamic_size, number_columns, number_units, universal_of
from tests.support.games import COVERING

TEXTS = list(COVERING)
FEW = TEXTS[::6]


def played(variants: list[str], num_envs: int, **options: Any) -> MixedEnv:
    env = he.mixed_env(variants, num_envs, **({"deals": 3} | options))  # as some have no end
    env.reset(seed=3)
    return env


def dense(rows: Sparse) -> NDArray[np.float32]:
    found = np.zeros((len(rows.counts), dynamic_size()), np.float32)
    for row, (columns, values, count) in enumerate(zip(*rows, strict=True)):
        found[row, columns[:count]] = values[:count]
    return found


@pytest.mark.parametrize("text", FEW)
def test_a_game_is_the_game_of_the_usual_environment(text: str) -> None:
    one, mixed = he.vector_env(text, 6, deals=3), he.mixed_env([text], 6, deals=3)
    one.reset(seed=5)
    mixed.reset(seed=5)
    fit, columns, seats = universal_of(one.game), int(one.game.tables["obs_size"]), one.game.seats
    rng = np.random.default_rng(1)
    for _ in range(120):
        actions = one.sample_actions(rng)
        one.step(actions)
        mixed.step(he.to_universal(actions, text))
        assert one.states.tobytes() == mixed.states.tobytes()
        assert np.array_equal(mixed.rewards[:, :seats], one.rewards)
        assert not mixed.rewards[:, seats:].any()
        assert np.array_equal(mixed.terminated, one.terminated)
        assert np.array_equal(mixed.observations[:, fit.places[:columns]], one.observations)
        assert np.array_equal(mixed.action_masks[:, fit.actions], one.action_masks)
        assert mixed.action_masks.sum() == one.action_masks.sum()


def test_three_forms_say_the_same() -> None:
    forms = {form: played(TEXTS, 2 * len(TEXTS), observations=form) for form in ("float32", "uint8", "sparse")}
    rng = np.random.default_rng(0)
    layout = he.universal_layout()
    for _ in range(60):
        actions = forms["float32"].sample_actions(rng)
        for env in forms.values():
            env.step(actions)
        wide = forms["float32"].observations
        assert np.array_equal(dense(forms["sparse"].observations), wide[:, : dynamic_size()])
        assert forms["sparse"].observations.counts.max() < forms["sparse"].observations.columns.shape[1]
        assert np.array_equal(wide[:, dynamic_size() :], forms["sparse"].rules_rows[forms["sparse"].games])
        narrow = forms["uint8"].observations
        units = np.maximum(-byte_codes().astype(float), 1) * np.ones((len(wide), 1))
        units[:, number_columns()] = np.stack([number_units(game) for game in forms["uint8"].kinds])[env.games]
        whole = np.rint(wide[:, : dynamic_size()] * units).astype(np.int64)
        numbers = np.ascontiguousarray(narrow[:, byte_width() :]).view(np.int32)
        assert np.array_equal(numbers, whole[:, number_columns()])
        whole[:, number_columns()] = 0
        assert np.array_equal(narrow[:, : dynamic_size()], whole)
        cards = wide[:, layout["legal"].columns].sum(1)
        assert ((cards == 0) | (cards == forms["float32"].action_masks.sum(1))).all()


def test_a_sparse_row_names_every_column_once_that_is_not_0() -> None:
    env, rng = played(TEXTS, 2 * len(TEXTS), observations="sparse"), np.random.default_rng(4)
    forms = [UniversalForm(game) for game in env.kinds]
    for _ in range(30):
        env.step(env.sample_actions(rng))
        found = dense(env.observations)
        for i, (columns, values, count) in enumerate(zip(*env.observations, strict=True)):
            form, t, seat = forms[env.games[i]], env.kinds[env.games[i]].tables, max(int(env.seats[i]), 0)
            own, mask = np.zeros((1, int(t["obs_size"])), np.float32), np.zeros((1, int(t["actions"])), np.int8)
            encode(env.states[i], t, seat, own[0])
            encode_mask(env.states[i], t, seat, mask[0])
            wanted = form.rows(env.states[i : i + 1], [seat], own, mask)
            assert np.array_equal(found[i], wanted[0, : dynamic_size()])
            assert values[:count].all()
            assert len(set(columns[:count])) == count


@pytest.mark.parametrize("text", FEW)
def test_an_observation_says_no_more_than_the_view(text: str) -> None:
    env = played([text], 16, observations="sparse")
    rng = np.random.default_rng(2)
    for _ in range(40):
        env.step(env.sample_actions(rng))
        seen = dense(env.observations)
        saved, views = env.save(), np.zeros(16, STATE)
        take_views(env.states, env.kinds[0].table, np.arange(16), views)
        env.states[:] = views
        env._encode()
        assert np.array_equal(dense(env.observations), seen)
        env.restore(saved)


def test_shares_choose_the_games_of_later_episodes() -> None:
    env = played(["black_lady", "gong_zhu", "likha"], 300, deals=1)
    assert np.bincount(env.games).tolist() == [100, 100, 100]
    env.set_shares([0, 3, 1])
    rng = np.random.default_rng(0)
    while env.states["seed"].size and (env.games == 0).any():
        env.step(env.sample_actions(rng))
    for _ in range(150):
        env.step(env.sample_actions(rng))
    share = (env.games == 1).mean()
    assert abs(share - 0.75) < 4 * (0.75 * 0.25 / 300) ** 0.5
    env.set_shares(None)
    kept = env.games.copy()
    for _ in range(120):
        env.step(env.sample_actions(rng))
    assert np.array_equal(env.games, kept)


def test_it_goes_on_from_what_was_saved() -> None:
    env, other = (played(FEW, 24, deals=1, observations="uint8") for _ in range(2))
    rng = np.random.default_rng(4)
    env.set_shares(np.arange(1.0, len(FEW) + 1))
    for _ in range(30):
        env.step(env.sample_actions(rng))
    other.restore(env.save())
    for _ in range(80):
        actions = env.sample_actions(rng)
        for one, two in zip(env.step(actions)[:3], other.step(actions)[:3], strict=True):
            assert np.array_equal(one, two)
    assert np.array_equal(env.hidden(), other.hidden())
    bad = env.save() | {"games": np.full(24, len(FEW))}
    with pytest.raises(ValueError, match="games"):
        other.restore(bad)
    with pytest.raises(ValueError, match="shares is missing"):
        other.restore({name: value for name, value in env.save().items() if name != "shares"})


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.exhaustive)])
def test_a_record_that_changes_its_game_is_as_a_fresh_one(seed: int) -> None:
    """Every variant follows every kind of other one in the same record, which is saved and restored at each step."""
    texts = [*he.VARIANTS, "cancellation_hearts(players=11)"]
    rng = np.random.default_rng(seed)
    env, other = he.mixed_env(texts, 2 * len(texts), deals=1), he.mixed_env(texts, 2 * len(texts), deals=1)
    env.reset(seed=seed)
    other.reset(seed=seed + 1)
    followed = np.zeros(len(texts), int)
    for _ in range(250):
        env.set_shares((rng.permutation(len(texts)) + 1).astype(np.float64))
        env.step(env.sample_actions(rng))
        for place in np.flatnonzero(env.terminated):
            followed[env.games[place]] += 1
            fresh = np.zeros(1, STATE)
            start_all(fresh, env.kinds[env.games[place]].table[0], env.states["seed"][place : place + 1], DRAWN, 1)
            assert env.states[place].tobytes() == fresh.tobytes()
        other.restore(env.save())
    assert followed.min() > 0
    assert other.states.tobytes() == env.states.tobytes()


def test_hidden_hands_are_those_of_the_others() -> None:
    env = played(["black_lady", "incredu_hearts"], 4)
    hidden = env.hidden()
    for row, (state, index) in enumerate(zip(env.states, env.games, strict=True)):
        game, seat = env.kinds[index], int(state["seat"])
        for place in range(10):
            names = game.names(state["hands"][(seat + 1 + place) % game.seats]) if place < game.seats - 1 else []
            found = [game.deck.kinds[kind] for kind in np.flatnonzero(hidden[row, place])]
            assert found == list(dict.fromkeys(names))
            assert hidden[row, place].sum() == len(names)


def test_an_illegal_action_changes_nothing() -> None:
    env = played(["black_lady", "gong_zhu"], 2)
    before, legal = env.states.tobytes(), env.action_masks.argmax(1)
    masks = env.action_masks
    wrong = np.array([legal[0], int(np.flatnonzero(masks[1] == 0)[0])])
    with pytest.raises(he.IllegalActionError, match=r"^game 1: "):
        env.step(wrong)
    with pytest.raises(he.IllegalActionError, match=r"game 0: action direction 5 is none of black_lady"):
        env.step(np.array([192 + 5, legal[1]]))
    assert env.states.tobytes() == before


@pytest.mark.parametrize(
    ("variants", "options", "message"),
    [
        ([], {}, "takes a list of rules"),
        ("black_lady", {}, "takes a list of rules"),
        (["black_lady"], {"observations": "bytes"}, "observations='bytes' is not one of float32, uint8, sparse"),
        (["black_lady"], {"tokens": True}, "tokens=True is for one game"),
        (["black_lady", "hart"], {}, "hart"),
    ],
)
def test_bad_arguments_are_refused(variants: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        he.mixed_env(variants, 2, **options)


LOST = [[1e308, 1e308], [10**400, 1], [1e20, -1], [1e20, 1]]
"""Shares whose running sums are too large, or lose one."""


@pytest.mark.parametrize("shares", [[1], [0, 0], [-1, 2], [np.nan, 1], "ab", *LOST])
def test_bad_shares_are_refused(shares: Any) -> None:
    env = played(["black_lady", "gong_zhu"], 2)
    with pytest.raises(ValueError, match="2 numbers of 0 or more"):
        env.set_shares(shares)


@pytest.mark.parametrize("sums", [[2.0, 1.0], [np.nan, 1.0], [1.0, np.inf], [0.0, 0.0], [-1.0, 1.0]])
def test_saved_shares_that_are_no_running_sums_are_refused(sums: list[float]) -> None:
    env = played(["black_lady", "gong_zhu"], 2)
    env.set_shares([1, 1])
    with pytest.raises(ValueError, match="the running sums of"):
        env.restore(env.save() | {"shares": np.array(sums)})
    assert env.shares.tolist() == [1, 2]


@pytest.mark.parametrize("text", TEXTS)
def test_every_action_has_one_number_everywhere(text: str) -> None:
    game = he.Match(text).game
    actions = np.arange(len(game.actions))
    numbers = he.to_universal(actions, text)
    assert len(set(numbers.tolist())) == len(actions)
    assert np.array_equal(he.from_universal(numbers, text), actions)
    for action, number in zip(game.actions, numbers, strict=True):
        name = he.universal_actions()[number]
        assert name == action or name.split()[0] in ("card", action.split(":")[0])


def test_numbers_that_are_no_action_are_refused() -> None:
    with pytest.raises(ValueError, match=r"action 195 \(direction 3\) is none of black_lady"):
        he.from_universal(195)
    for bad in (-1, 54, 0.5):
        with pytest.raises(ValueError, match="actions of black_lady are numbers from 0 to 53"):
            he.to_universal(bad)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", FEW)
def test_one_game_at_a_time_says_the_same(text: str) -> None:
    mixed = he.vector_env(text, 1, layout="universal")
    env = he.raw_env(text, layout="universal")
    env.reset(seed=1)
    mixed.reset(seed=[int(env.record["seed"])])
    rng = np.random.default_rng(3)
    for _ in range(150):
        agent = env.agent_selection
        if env.terminations[agent]:
            break
        seen = env.observe(agent)
        assert np.array_equal(seen["observation"], mixed.observations[0])
        assert np.array_equal(seen["action_mask"], mixed.action_masks[0])
        assert np.array_equal(seen["action_mask"], env.infos[agent]["action_mask"])
        assert np.array_equal(env.state(), np.concatenate([mixed.observations[0], mixed.hidden()[0].ravel()]))
        assert env.observation_space(agent).contains(seen)
        action = int(rng.choice(np.flatnonzero(seen["action_mask"])))
        env.step(action)
        mixed.step(np.array([action]))


def test_pettingzoo_and_gymnasium_accept_it() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # both warn of what every environment of cards does
        from pettingzoo.test import api_test

        api_test(he.env("black_lady", layout="universal", deals=1), num_cycles=60)
        check_env(LearnerEnv("gong_zhu", layout="universal", deals=1), skip_render_check=True)


def test_actions_of_both_layouts_are_of_one_type() -> None:
    """Compiled code is made for each type of array that it is given, so a further one costs a cold start."""
    form = UniversalForm(compile_game(he.rules("black_lady")))
    assert form.own([0, 237, -1]).dtype == form.numbers([0]).dtype == np.int64
    assert form.own([0, 237, -1]).tolist() == [0, -1, -1]


def test_the_doors_of_learners_take_the_universal_layout() -> None:
    pytest.importorskip("torchrl")
    from hearts_env.envs.sb3 import LearnerVecEnv
    from hearts_env.envs.torchrl import LearnerTorchEnv

    columns, kinds = he.universal_layout()["rules"].columns.stop, 640
    for text in ("gong_zhu", "complex_hearts"):
        rollout = LearnerTorchEnv(text, 2, layout="universal").rollout(5)
        shapes = {name: tuple(rollout[name].shape) for name in ("observation", "action_mask", "hidden")}
        assert shapes == {"observation": (2, 5, columns), "action_mask": (2, 5, 238), "hidden": (2, 5, kinds)}
        envs = LearnerVecEnv(text, 2, layout="universal")
        assert envs.reset().shape == (2, columns)
        envs.step(envs.action_masks().argmax(axis=1))
        assert envs.action_space == spaces.Discrete(238)


@pytest.mark.parametrize("text", FEW)
def test_a_learner_plays_the_same_episodes_in_both_layouts(text: str) -> None:
    own, universal = (LearnerGames(text, 4, opponents="random; rule", layout=one) for one in ("variant", "universal"))
    single = LearnerEnv(text, opponents="rule", layout="universal")
    assert universal.single_action_space == single.action_space == spaces.Discrete(238)
    for games in (own, universal):
        games.reset(seed=2)
    fit, rng, kinds = universal_of(own.game), np.random.default_rng(1), len(own.game.deck.kinds)
    columns = int(own.game.tables["obs_size"])
    for _ in range(40):
        assert np.array_equal(universal.observations[:, fit.places[:columns]], own.observations)
        assert np.array_equal(universal.action_masks[:, fit.actions], own.action_masks)
        hidden = universal.hidden().reshape(4, 10, 64)[:, : own.game.seats - 1, :kinds]
        assert np.array_equal(hidden.reshape(4, -1), own.hidden())
        chosen = np.array([rng.choice(np.flatnonzero(mask)) for mask in own.action_masks])
        own.step(chosen)
        universal.step(he.to_universal(chosen, text))
        assert np.array_equal(own.rewards, universal.rewards)
        assert np.array_equal(own.terminated, universal.terminated)
    _, info = single.reset(seed=1)
    for _ in range(40):
        _, _, over, _, info = single.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
        assert "illegal" not in info
        if over:
            _, info = single.reset()


def test_opponents_that_read_rows_read_the_same_layout() -> None:
    def first(rows: NDArray[np.float32], masks: NDArray[np.int8]) -> Any:
        assert (rows.shape[1], masks.shape[1]) == (he.universal_layout()["rules"].columns.stop, 238)
        return masks.argmax(1)

    games = LearnerGames("gong_zhu", 3, opponents=first, layout="universal", deals=1)
    games.reset(seed=1)
    for _ in range(30):
        games.step(games.action_masks.argmax(1))
    assert not games.illegal
    games.step(np.full(3, he.universal_actions().index("sign:plus")))
    assert games.terminated.all()
    assert games.illegal[0] == "action sign:plus is none of gong_zhu"
    games = LearnerGames("gong_zhu", 3, opponents=lambda rows, masks: np.full(len(rows), 237), layout="universal")
    with pytest.raises(he.IllegalActionError, match="opponent"):
        games.reset(seed=1)


def test_an_action_of_another_game_is_refused_in_words() -> None:
    env = he.raw_env("black_lady", layout="universal")
    env.reset(seed=1)
    with pytest.raises(he.IllegalActionError, match="action sign:plus is none of black_lady"):
        env.step(he.universal_actions().index("sign:plus"))
    with pytest.raises(he.IllegalActionError, match="238 is not an action; actions are 0 to 237"):
        env.step(238)
    with pytest.raises(ValueError, match="layout='universl' is not one of variant, universal"):
        he.raw_env("black_lady", layout="universl")


@pytest.mark.parametrize("form", ["float32", "uint8", "sparse"])
def test_copies_go_on_like_the_original(form: str) -> None:
    env = played(["black_lady", "gong_zhu(players=5)"], 8, observations=form)
    for copied in (deepcopy(env), loads(dumps(env))):
        env.restore(saved := env.save())
        rng = np.random.default_rng(1)
        for _ in range(30):
            actions = env.sample_actions(rng)
            for one in (env, copied):
                one.step(actions)
            own, theirs = (dense(one.observations) if form == "sparse" else one.observations for one in (env, copied))
            assert np.array_equal(own, theirs)
        env.restore(saved)


def test_shares_choose_the_games_of_a_reset() -> None:
    env = played(["black_lady", "gong_zhu(players=5)"], 40, deals=1, autoreset=False)
    env.set_shares([1, 1])
    env.reset(seed=4)
    games = env.games.copy()
    assert 0 < games.sum() < 40
    assert not np.array_equal(games, np.arange(40) % 2)
    env.reset(seed=5)
    env.reset(seed=4)
    assert np.array_equal(env.games, games)


def test_ended_games_take_any_action_and_are_not_restored_where_others_should_follow() -> None:
    env = played(["black_lady"], 2, deals=1, autoreset=False)
    with pytest.raises(he.IllegalActionError, match="game 1: 999 is not an action; actions are 0 to 237"):
        env.step(np.array([0, 999]))
    rng = np.random.default_rng(0)
    while (env.seats >= 0).any():
        env.step(env.sample_actions(rng))
    env.step(np.array([-1, 999]))
    assert not env.rewards.any()
    with pytest.raises(ValueError, match="ended games, which this environment would never follow"):
        he.mixed_env(["black_lady"], 2, deals=1).restore(env.save())
    env.close()
    with pytest.raises(ValueError, match="the environment is closed"):
        env.reset(seed=1)


def test_functions_read_the_layout_of_the_learner_at_one_table_too() -> None:
    seen = set()

    def first(rows: NDArray[np.float32], masks: NDArray[np.int8]) -> Any:
        seen.add((rows.shape[1], masks.shape[1]))
        return masks.argmax(1)

    env = LearnerEnv("black_lady", deals=1, first_deal=3, layout="universal", opponents=first)
    _, info = env.reset(seed=1)
    over = False
    while not over:
        _, _, over, _, info = env.step(int(info["action_mask"].argmax()))
    assert seen == {(he.universal_layout()["rules"].columns.stop, 238)}
    bad = LearnerEnv("black_lady", deals=1, first_deal=0, seat=1, opponents=lambda rows, masks: [0.7] * len(rows))
    with pytest.raises(ValueError, match="the actions of opponent"):
        bad.reset(seed=0)


def test_after_an_illegal_action_every_card_is_legal() -> None:
    legal = he.universal_layout()["legal"].columns
    env = LearnerEnv("black_lady", deals=1, first_deal=3, layout="universal")
    _, info = env.reset(seed=3)
    row, _, over, _, info = env.step(int((info["action_mask"] == 0).argmax()))
    assert over
    assert row[legal].tolist() == [1] * 52 + [0] * 12
    assert env.action_masks().all()
    assert info["action_mask"].all()
    games = LearnerGames("black_lady", 1, deals=1, first_deal=3, layout="universal", autoreset="disabled")
    games.reset(seed=3)
    games.step(games.action_masks.argmin(axis=1))
    assert games.illegal
    assert np.array_equal(games.final_observations[0, legal], row[legal])
    games.reset(seed=3)
    assert not games.illegal
