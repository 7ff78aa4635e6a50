"""Self-play PPO: who is credited with what, advantages, masks, sparse inputs, losses, the anchor, the match critic."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch

from hearts_agents.neural import PolicyNet, network_inputs
from hearts_env.envs.vector import VectorEnv
from hearts_env.seat.view import Views
from hearts_training.optimisers import LEAST, DivergedError, probabilities
from hearts_training.train import sparse
from hearts_training.train.match_critic import MatchCritic
from hearts_training.train.ppo import generalized_advantages
from hearts_training.train.rollout import END, OPEN, Experience
from hearts_training.train.selfplay import SelfPlay, draw_actions
from hearts_training.train.sparse import by_column
from tests.training.runs import play_of, tiny

pytestmark = pytest.mark.usefixtures("one_thread")
SHORT = "black_lady(target=30)"


# --- advantages and credit ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lam", [0.0, 0.7, 1.0])
def test_advantages_equal_the_closed_form(lam: float) -> None:
    rng = np.random.default_rng(1)
    rewards, values = rng.normal(size=(2, 12)).astype(np.float32)
    next_row = np.array([2, 1 + 3, 3, 5, 6, 7, 8, 10, END, OPEN, END, 9 - 9 + END], np.int64)
    out, ready = np.empty(12, np.float32), np.empty(12, np.bool_)
    generalized_advantages(next_row, rewards, values, np.float32(lam), out, ready)
    for first in (0, 1):
        chain = [first]
        while next_row[chain[-1]] >= 0:
            chain.append(int(next_row[chain[-1]]))
        for start in range(len(chain)):
            # sum over k of (lambda ** k) * delta of the k-th decision from here; no discount
            rows = chain[start:]
            after = [*[values[row] for row in rows[1:]], 0.0]
            deltas = [rewards[row] + ahead - values[row] for row, ahead in zip(rows, after, strict=True)]
            expected = sum(lam**k * delta for k, delta in enumerate(deltas))
            assert out[rows[0]] == pytest.approx(expected, abs=1e-5)
    assert ready.tolist() == [True] * 9 + [False, True, True]


def test_a_reward_paid_while_others_move_reaches_the_seat_that_earned_it() -> None:
    env = VectorEnv("black_lady", 2)
    experience = Experience(env, 100, torch.device("cpu"))
    both = np.array([0, 1])
    experience.extend(both, np.array([0, 3], np.int8))  # rows 0, 1
    experience.extend(both, np.array([1, 0], np.int8))  # rows 2, 3
    experience.credit(np.array([[5, 6, 7, 8], [1, 2, 3, 4]], np.float32))
    experience.extend(np.array([0]), np.array([0], np.int8))  # row 4
    experience.credit(np.array([[50, 0, 0, 0], [10, 0, 0, 0]], np.float32))
    assert experience.rewards[:5].tolist() == [5, 4, 6, 11, 50]
    assert experience.next_row[:5].tolist() == [4, OPEN, OPEN, OPEN, OPEN]
    experience.close(np.array([True, False]))
    assert experience.next_row[:5].tolist() == [4, OPEN, END, OPEN, END]


@pytest.mark.parametrize("variant", ["black_lady", "omnibus_hearts(players=5)"])
def test_credited_rewards_sum_to_the_rewards_of_the_environment(variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    play = play_of(tiny(variant))
    paid = np.zeros((16, play.env.game.seats))
    owners: list[tuple[int, int]] = []
    step, extend = play.env.step, play.experience.extend

    def counted(actions: Any) -> Any:
        answer = step(actions)
        paid[:] += play.env.rewards
        return answer

    def noted(games: Any, seats: Any) -> slice:
        owners.extend(zip(games.tolist(), seats.tolist(), strict=True))
        return extend(games, seats)

    monkeypatch.setattr(play.env, "step", counted)
    monkeypatch.setattr(play.experience, "extend", noted)
    play.collect(imitating=False)
    credited = np.zeros_like(paid)
    np.add.at(credited, tuple(np.array(owners).T), play.experience.rewards[: len(owners)])
    assert (paid != 0).sum() > 50
    np.testing.assert_allclose(credited, paid * float(play.env.game.tables["point_scale"]), atol=1e-4)


def test_opponents_hold_all_seats_except_one_or_one_team() -> None:
    for variant, mine in (("black_lady", 1), ("partnership_hearts", 2)):
        play = play_of(tiny(variant, opponent_games=0.5))
        met, teams = play._opponent_seats, np.array(play.env.game.teams)
        assert met.any(axis=1).tolist() == [True] * 8 + [False] * 8
        assert (~met[:8]).sum(axis=1).tolist() == [mine] * 8
        held = [set(teams[~seats]) for seats in met[:8]]
        assert all(len(team) == 1 for team in held)
        assert set.union(*held) == set(teams)


# --- choices --------------------------------------------------------------------------------------------------------


def dense(play: SelfPlay) -> torch.Tensor:
    """All rows of the experience, observations and then hidden hands."""
    return play.experience.inputs.to_dense(torch.arange(play.experience.count), play.experience.inputs.width)


def log_probs(play: SelfPlay) -> torch.Tensor:
    """Log-probabilities of the actions in all rows by the policy of now."""
    rows = torch.arange(play.experience.count)
    with torch.inference_mode():
        found = play.log_probs(play.heads.logits(rows), rows)
    return found.gather(1, play.experience.actions[: len(rows), None])[:, 0]


def test_only_choices_are_stored_legal_and_with_the_probabilities_of_the_policy() -> None:
    learner = tiny(bfloat16=False, imitation=0.0)
    play, policy = play_of(learner), learner.policy
    assert isinstance(policy, PolicyNet)
    play.collect(imitating=False)
    n, experience = play.experience.count, play.experience
    assert (experience.masks[:n].sum(1) >= 2).all()
    assert experience.masks[:n].gather(1, experience.actions[:n, None]).all()
    assert n < play.decisions
    assert (play.deals, play.decisions) == (16, 16 * 64)
    with torch.inference_mode():
        logits = policy(dense(play)[:, : policy.inputs], experience.masks[:n])
    found = torch.log_softmax(logits, 1).gather(1, experience.actions[:n, None])[:, 0]
    assert torch.allclose(found, experience.log_probs[:n], atol=1e-5)
    assert torch.allclose(found, log_probs(play), atol=1e-5)


def test_draws_have_the_probabilities_of_the_policy_and_are_legal() -> None:
    logits, draws = torch.tensor([-1e9, 1.0, -1e9, 0.0, -2.0, -120.0, -1e9]), 20_000
    shares = torch.softmax(logits, 0)
    found = draw_actions(torch.log_softmax(logits, 0).expand(draws, -1), torch.Generator().manual_seed(1))
    counts = torch.bincount(found, minlength=len(logits))
    assert not counts[shares < 1e-9].any()
    errors = (draws * shares * (1 - shares)).sqrt()
    assert ((counts - draws * shares).abs() <= 3 * errors).all()
    assert draw_actions(torch.full((2, 7), torch.nan), torch.Generator()).tolist() == [6, 6]


def test_probabilities_are_exponentials_to_the_last_bit_but_where_they_underflow() -> None:
    logits = torch.linspace(-100, 0, 2001)
    found, least = probabilities(logits), logits < LEAST
    assert torch.equal(found[~least], logits[~least].exp())
    assert (found[least] < 1e-34).all()


def test_the_policy_sees_no_hidden_card_and_the_critic_does() -> None:
    play = play_of(tiny(bfloat16=False))
    play.collect(imitating=False)
    rows = torch.arange(play.experience.count)
    with torch.inference_mode():
        before = play.heads.logits(rows), play.heads.values(rows)
        for row in rows.tolist():
            play.experience.inputs.values[row, int(play.experience.inputs.observed[row]) :] = 7.0
        after = play.heads.logits(rows), play.heads.values(rows)
    assert torch.equal(before[0], after[0])
    assert (before[1] != after[1]).float().mean() > 0.9


@pytest.mark.parametrize("threads", [1, 2])
def test_sparse_rows_are_the_inputs_and_the_hidden_hands(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    torch.set_num_threads(threads)
    monkeypatch.setattr(sparse, "WRITTEN", 1)
    play = play_of(tiny("omnibus_hearts(players=5)"))
    inputs, env = play.experience.inputs, play.env
    for _ in range(60):
        games = np.array([3, 1, 15])
        inputs.write(slice(4, 7), env, games)
        found = inputs.to_dense(torch.arange(4, 7), inputs.width).numpy()
        read = network_inputs(Views(env.game, env.states[games], check=False))[0]
        assert np.array_equal(found, np.concatenate([read, env.hidden()[games]], 1))
        env.step(env.sample_actions(np.random.default_rng(0)))


@pytest.mark.parametrize(("hands", "threads"), [(False, 1), (True, 2)])
def test_products_of_sparse_rows_and_their_gradients_are_those_of_dense_ones(hands: bool, threads: int) -> None:
    torch.set_num_threads(threads)
    play = play_of(tiny())
    play.collect(imitating=False)
    inputs = play.experience.inputs
    width = inputs.width if hands else inputs.input_size
    layer = torch.nn.Linear(width, 24)
    by_column(layer)
    rows = torch.tensor([5, 400, 17, 5, 201])
    weights = torch.rand(5, 24)
    outputs = inputs.product(layer, rows), layer(inputs.to_dense(rows, width))
    assert torch.allclose(*outputs, atol=1e-5)
    gradients = [torch.autograd.grad((output * weights).sum(), list(layer.parameters())) for output in outputs]
    for one, other in zip(*gradients, strict=True):
        assert torch.allclose(one, other, atol=1e-5)


# --- learning -------------------------------------------------------------------------------------------------------


def test_learning_raises_the_probability_of_what_paid() -> None:
    learner = tiny(learning_rate=0.01, entropy=0.0, epochs=9, clip=5.0)
    play, policy = play_of(learner), learner.policy
    assert isinstance(policy, PolicyNet)
    play.collect(imitating=False)
    n, experience = play.experience.count, play.experience
    experience.rewards[:n] = np.where(experience.actions[:n].numpy() < 26, 1.0, -1.0)  # clubs and diamonds are good
    observations, masks = dense(play)[:, : policy.inputs], experience.masks[:n].clone()

    def fraction() -> float:
        with torch.inference_mode():
            probabilities = torch.softmax(policy(observations, masks), 1)
        return float(probabilities[:, :26].sum(1).mean())

    before = fraction()
    learner.update([play], 0.3, np.random.default_rng(0))
    assert fraction() > before + 0.05


def test_imitation_learns_the_moves_of_the_teacher() -> None:
    learner = tiny(imitation=0.5, imitation_learning_rate=0.01, hidden=(64,), num_envs=32)
    losses = [learner.round(0.1)["policy_loss"] for _ in range(8)]
    assert losses[-1] < 0.95 * losses[0]
    play = play_of(learner)
    assert play.experience.count > 0, "deals that were passed to nobody, and ended earlier"
    play.collect(imitating=False)  # what the teacher did is no sample of the policy
    assert torch.allclose(log_probs(play), play.experience.log_probs[: play.experience.count], atol=0.05)
    learner.update([play], 0.6, np.random.default_rng(0))
    play.collect(imitating=True)  # with a longer budget, imitation resumes: what the policy did is not imitated
    assert (play.experience.log_probs[: play.experience.count] == 0).all()


def test_only_the_critic_learns_at_first() -> None:
    learner = tiny(imitation=0.0, critic_first=0.5)
    learner.round(0.6)  # so that Adam has moments of the policy
    nets = learner.networks.policy, learner.networks.critic
    policy, critic = ([parameter.clone() for parameter in net.parameters()] for net in nets)
    learner.round(0.1)
    assert all(map(torch.equal, policy, nets[0].parameters()))
    assert not any(map(torch.equal, critic, nets[1].parameters()))


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_weights_that_are_not_finite_are_noticed_at_once(value: float) -> None:
    learner = tiny(imitation=0.0)
    learner.round(0.5)
    with torch.no_grad():
        list(learner.networks.policy.parameters())[-1][3] = value
    used = iter([0.5] * 3)
    with pytest.raises(DivergedError, match="training diverged: "):
        list(learner.learn(lambda: next(used)))


# --- the match ------------------------------------------------------------------------------------------------------


def watch(variant: str, deals: int) -> Iterator[tuple[VectorEnv, MatchCritic, Any]]:
    """Random players: the environment, the critic and what it has paid, after every step in which a deal has ended."""
    env = VectorEnv(variant, 8, reward="win")
    env.reset(seed=1)
    critic, rng = MatchCritic(env), np.random.default_rng(0)
    while deals > 0:
        number = env.states["deal_number"].copy()
        env.step(env.sample_actions(rng))
        ended = env.terminated | (env.states["deal_number"] != number)
        if ended.any():
            yield env, critic, critic.pay(env, ended)
        deals -= ended.sum()


@pytest.mark.parametrize("variant", [SHORT, "partnership_hearts(target=30)", "complex_hearts(target=30)"])
def test_what_a_match_pays_is_the_win_minus_the_chance_at_the_start(variant: str) -> None:
    fresh = VectorEnv(variant, 8, reward="win")
    fresh.reset(seed=1)
    before, sums, over = MatchCritic(fresh).before, np.zeros((8, 4)), np.zeros(8, np.bool_)
    for env, critic, rewards in watch(variant, 200):
        start = critic.chances(before)  # the critic does not learn here
        assert np.allclose(rewards.sum(1), 0, atol=1e-5)
        sums[~over] += rewards[~over]
        for game in np.flatnonzero(env.terminated & ~over):
            assert np.allclose(sums[game], env.rewards[game] - start[game], atol=1e-4)
        over |= env.terminated
    assert over.all()


@pytest.mark.exhaustive
@pytest.mark.release
def test_the_critic_learns_who_wins() -> None:
    """Nobody can know that from equal totals, but far ahead it is clear."""
    learner = tiny(SHORT, seed=3, imitation=0.0, objective="match", learning_rate=3e-3, final_learning_rate=3e-3)
    critic = learner.games.match_critic
    assert critic is not None
    losses = [learner.round(0.5)["match_loss"] for _ in range(30)]
    assert losses[0] == 0  # no match had ended
    assert 0 < losses[-1] < 1.35  # ln 4 = 1.386 is that of equal chances
    env = VectorEnv(SHORT, 1, reward="win")
    env.reset(options={"totals": [29, 29, 0, 29]}, seed=2)
    chances = critic.chances(MatchCritic(env).before)[0]
    assert chances.argmax() == 2
    assert chances[2] > 0.3


# --- the anchor -----------------------------------------------------------------------------------------------------


def anchored(weight: float) -> tuple[float, dict[str, float]]:
    """How far the policy has moved from where it started, and the figures of the last update."""
    learner = tiny(SHORT, imitation=0.0, anchor=weight, start="somewhere", learning_rate=5e-3)
    policy, env = learner.networks.policy, play_of(learner).env
    assert isinstance(policy, PolicyNet)
    start = PolicyNet(policy.inputs, policy.actions, policy.hidden)
    torch.manual_seed(1)
    for parameter in start.parameters():
        torch.nn.init.normal_(parameter, std=0.1)
    learner.start_from(start.state_dict())
    for _ in range(4):
        figures = learner.round(0.0)
    inputs, masks = (torch.from_numpy(rows) for rows in network_inputs(Views(env.game, env.states, check=False)))
    with torch.inference_mode():
        old, new = (torch.log_softmax(net(inputs, masks), 1) for net in (start, policy))
    return float((new.exp() * (new - old)).sum(1).mean()), figures


def test_an_anchor_holds_the_policy() -> None:
    free, figures = anchored(0.0)
    held, held_figures = anchored(10.0)
    assert held < free / 4
    assert figures["divergence"] == 0
    assert 0 < held_figures["divergence"] < 0.1


def test_the_agent_is_an_average_of_the_policy() -> None:
    learner = tiny(SHORT, imitation=0.1, average=0.25, learning_rate=5e-3)
    learner.round(0.0)
    policy, averaged = learner.networks.policy, learner.policy
    assert averaged is learner.copies["averaged"]
    for own, parameter in zip(averaged.parameters(), policy.parameters(), strict=True):
        assert torch.equal(own, parameter), "it is the policy that has learned to imitate"
    for _ in range(2):
        before = [parameter.clone() for parameter in averaged.parameters()]
        learner.round(0.5)
    for old, own, parameter in zip(before, averaged.parameters(), policy.parameters(), strict=True):
        torch.testing.assert_close(own.detach(), 0.75 * old + 0.25 * parameter.detach())
    assert not all(map(torch.equal, policy.parameters(), averaged.parameters()))
