"""Play in words: what a reader is told, what is refused, and what it pays."""

import re
from random import Random
from typing import Any

import numpy as np
import pytest

import hearts_env as he
from hearts_env.envs.text import MOST_CHARS, TextEnv
from hearts_env.seat.worlds import sample_worlds
from tests.journey.faces import worth
from tests.support.games import COVERING
from tests.support.marks import marked, rare

LISTED = re.compile(r"\[([^\[\]]+)\]")
REFUSING = next(game for game in COVERING if "refusable" in game)
FEW = ["black_lady", "turbo_hearts", "complex_hearts", "partnership_hearts", "gong_zhu"]


def listed(text: str) -> list[str]:
    """The legal actions in the last line, which is all that a reader sees."""
    last = text.splitlines()[-1]
    assert last.startswith("Legal actions: ")
    return LISTED.findall(last)


def play(env: TextEnv, seed: int, rng: Random) -> tuple[list[str], float, dict[str, Any]]:
    """An episode of a reader that picks a listed action: every text, what the reader is paid, and the last info."""
    text, info = env.reset(seed=seed)
    texts, paid, over = [text], 0.0, False
    while not over:
        text, reward, over, cut_off, info = env.step(f"After some thought: [{rng.choice(listed(text))}]")
        assert not cut_off
        texts.append(text)
        paid += reward
    return texts, paid, info


@pytest.mark.parametrize("name", list(he.VARIANTS))
def test_a_deal_of_every_variant_is_played_by_one_that_only_reads(name: str) -> None:
    env = he.text_env(name, opponents="random", history="view", rules="short")
    texts, _, info = play(env, 3, Random(3))
    assert texts[-1].splitlines()[-2:] == ["The match is over.", "Legal actions: none"]
    assert info["counts"] == {"answers": len(texts) - 1, "illegal": 0, "unreadable": 0, "forfeits": 0}
    assert env.game.seats != 4 or max(map(len, texts[1:])) <= MOST_CHARS


@pytest.mark.parametrize("game", rare(COVERING, 8))
def test_a_match_is_played_to_its_end(game: str) -> None:
    env = he.text_env(game, opponents=None, deals=None if he.rules(game).end.target else 3)
    texts, _, info = play(env, 5, Random(5))
    assert info["counts"]["answers"] == len(texts) - 1
    assert sum(info["counts"].values()) == len(texts) - 1


@pytest.mark.parametrize("name", FEW)
def test_rewards_are_those_of_the_learners_environment(name: str) -> None:
    env = he.text_env(name, opponents="random", deals=2)
    _, paid, _ = play(env, 11, Random(1))
    assert paid == pytest.approx(worth(env.game, env._states[0], "points")[0])
    env = he.text_env(name, opponents=None, deals=2)
    text, _ = env.reset(seed=1)
    rng, earned, over = Random(2), np.zeros(env.game.seats), False
    while not over:
        text, _, over, _, info = env.step(f"[{rng.choice(listed(text))}]")
        earned += info["rewards"]
    assert earned == pytest.approx(worth(env.game, env._states[0], "points"))


@pytest.mark.parametrize("game", [*FEW, REFUSING])
def test_hidden_cards_change_no_byte(game: str) -> None:
    env, rng = he.text_env(game, opponents=None), Random(7)
    text, _ = env.reset(seed=9)
    for number in range(24):
        if number % 6 == 5:
            world = sample_worlds(env.view(), 1, seed=number).records
            own = env.observation()
            assert (world["hands"][0] != env._states["hands"][0]).any()
            env._states, before = world.copy(), env._states
            assert env.observation() == own
            assert env.step("[nothing]")[0].endswith(own)
            env._states, env._refused = before, 0
            text = env.observation()
        text, _, over, _, _ = env.step(f"[{rng.choice(listed(text))}]")
        if over:
            text, _ = env.reset()


HANDS = [
    "2C 3C 4C 5C 6C 7C 8C 9C TC QC KC AC 2H",
    "4D JC 2D 3D 5D 6D 7D 8D 9D TD JD 3H QS",
    "KD AD QD 4H 5H 6H 7H 8H 9H TH JH QH KH",
    "AH 2S 3S 4S 5S 6S 7S 8S 9S TS JS KS AS",
]


def second(**options: Any) -> TextEnv:
    """Seat 1 of a deal in which seat 0, played by text, has led the two of clubs."""
    env = he.text_env("black_lady", opponents=None, **options)
    env.reset(seed=1, options={"hands": [hand.split() for hand in HANDS], "leader": 0})
    env.step("[2C]")
    return env


@pytest.mark.parametrize(
    ("answer", "reason", "silent", "kind"),
    [
        ("[QS]", "You must follow clubs: JC", "You must follow clubs", "illegal"),
        ("[2S]", "You do not hold 2S; legal: JC", "You do not hold 2S", "illegal"),
        (
            "[moon:self]",
            "moon:self is not possible now: you must play a card; legal: JC",
            "moon:self is not possible now: you must play a card",
            "illegal",
        ),
        ("JC", "No action in brackets was found", "No action in brackets was found", "unreadable"),
        ("[]", "No action in brackets was found", "No action in brackets was found", "unreadable"),
        ("[jack of cups]", "[JACK] is no action of this game", "[JACK] is no action of this game", "unreadable"),
        ("", "No action in brackets was found", "No action in brackets was found", "unreadable"),
    ],
)
def test_a_refusal_names_the_rule(answer: str, reason: str, silent: str, kind: str) -> None:
    for env, line in ((second(), reason), (second(legal=False), silent)):
        state = env._states.copy()
        text, reward, over, cut_off, info = env.step(answer)
        assert text.splitlines()[0] == f"{line}. 3 more tries."
        assert info["reason"] == line
        assert (reward, over, cut_off, info["counts"][kind], info["tries_left"]) == (-1, False, False, 1, 3)
        assert (env._states == state).all()
        assert text.endswith(env.observation())
        assert ("Legal actions" in text) == env._legal


ALSO = ["not [QS], [JC]", "[QS]? No: [J♣]", "I play [jack of clubs], **not** [QS].", "[JC] [jc]", "[♣J]"]
ALSO += [
    "[jack of\nclubs]",
    "[jack of\u00a0clubs]",
    "[the jack of clubs]",
    "[**JC**]",
    "[`JC`]",
    "[J clubs.]",
    "\uff3b\uff2a\uff23\uff3d",
]
ALSO += [f"{word}[QS]. [JC]" for word in ('not "', "not `", "not (", "not [", "not - ", "not<b>", "not [2D] or ")]


@pytest.mark.parametrize("answer", ["[JC]", "[2D] or [QS]? No: [jc]", "I must follow [clubs], so [ JC ].", *ALSO])
def test_the_last_brackets_count(answer: str) -> None:
    env = second()
    env.step(answer)
    assert env.view().trick[-1] == (1, "JC")


def test_several_picks_are_taken_at_once_and_missing_ones_asked_for() -> None:
    env = he.text_env("black_lady", opponents="random", first_deal=0)
    env.reset(seed=4)
    hand = env.view().hand
    absent = next(card for card in env.game.deck.kinds if card not in hand)
    refused = env.step("".join(f"[{card}]" for card in hand[:4]))
    assert "4 actions are in the last brackets, and 3 are due" in refused[0]
    refused = env.step(f"[{hand[0]}] [{absent}]")
    assert f"You do not hold {absent}" in refused[0]
    assert env.view().passed == []
    env.step(f"Not [{hand[5]}]. [{hand[0]}] and [{hand[1]}] [{hand[0]}]")
    assert env.view().passed == hand[:2]
    assert "2 actions are in the last brackets, and 1 is due" in env.step(f"[{hand[2]}, {hand[3]}]")[0]
    env.step(f"[{hand[3]}]")
    assert env.view().passed == [*hand[:2], hand[3]]


@pytest.mark.parametrize("text", ["black_lady", "gong_zhu(players=5)", "cancellation_hearts"])
def test_an_answer_that_repeats_the_question_is_none(text: str) -> None:
    env = he.text_env(text, opponents="random", tries=1000)
    words, _ = env.reset(seed=3)
    several = 0
    for _ in range(60):
        view = env.view()
        actions = view.legal()
        if len(actions) > max(view.picks_left, 1):
            several += 1
            repeated = (" or ", ", or ", "/", " | ", "\n- ", "\n1. ", " & ")[several % 7].join(
                f"[{one}]" for one in actions
            )
            for answer in (words, words.splitlines()[-1], repeated):
                _, _, _, _, info = env.step(answer)
                assert "are in the last brackets" in info["reason"]
        _, _, over, _, info = env.step(f"So: [{actions[-1]}]")
        words = env.observation()
        if over:
            break
    assert several > 5


def test_forfeits() -> None:
    for forfeit, ends in (("lose", (True, False)), ("truncate", (False, True)), ("play", (False, False))):
        env = second(forfeit=forfeit, tries=1, refusal_cost=0.5)
        assert env.step("?")[1] == -0.5
        text, reward, terminated, truncated, info = env.step("?")
        assert (terminated, truncated) == ends
        assert info["counts"]["forfeits"] == 1
        assert reward == env.illegal_reward - 0.5 == -53.5
        assert info["rewards"][0] == 0
        if forfeit == "play":
            assert "[JC] was played for you" in text
            assert env.seat == 2
        else:
            with pytest.raises(ValueError, match="call reset"):
                env.step("[JC]")


@pytest.mark.parametrize("opponents", ["random", None])
def test_the_others_earn_their_own_where_a_card_is_played_for_somebody(opponents: str | None) -> None:
    env = he.text_env("black_lady", opponents=opponents, forfeit="play", tries=0, timing="trick")
    earned, over = np.array(env.reset(seed=1)[1]["rewards"]), False
    while not over:
        answer = "?" if env.seat == 0 else f"[{env.view().legal()[0]}]"
        _, _, over, _, info = env.step(answer)
        earned += info["rewards"]
    assert earned[1:].tolist() == [-total for total in env.view().totals[1:]]
    assert sum(env.view().totals[1:]) > 0
    assert earned[0] < env.illegal_reward


@pytest.mark.parametrize("name", ["omnibus_hearts", "spot_hearts", "gong_zhu", "complex_hearts", "big_moon"])
@pytest.mark.parametrize(("timing", "forfeit"), [("deal", "lose"), ("trick", "lose"), ("trick", "play")])
def test_no_forfeit_pays_more_than_any_legal_episode(name: str, timing: str, forfeit: str) -> None:
    rng, paid, forfeited = Random(1), [], []
    env = he.text_env(name, opponents="random", timing=timing, tries=0, forfeit=forfeit)
    for seed in range(6):
        paid.append(play(env, seed, rng)[1])
        text, _ = env.reset(seed=seed)
        gained = 0.0
        for _ in range(rng.randrange(12)):
            text, reward, over, _, _ = env.step(f"[{rng.choice(listed(text))}]")
            gained += reward
            assert not over
        text, reward, over, _, _ = env.step("?")
        gained += reward
        while not over:
            text, reward, over, _, _ = env.step(rng.choice(["?", f"[{rng.choice(listed(text))}]"]))
            gained += reward
        forfeited.append(gained)
    assert max(forfeited) < min(paid)


def mutated(answer: str, rng: Random, names: list[str]) -> str:
    """An answer with a few characters changed, repeated, dropped or put in."""
    signs = list(answer)
    for _ in range(rng.randint(1, 4)):
        place, kind = rng.randrange(len(signs) + 1), rng.randrange(4)
        if kind == 0:
            signs[place:place] = rng.choice(["[", "]", "\n", "\0", "é", "[[", rng.choice(names), "9" * 50, "and", "♥"])
        elif kind == 1 and signs:
            signs[place - 1] = chr(rng.randrange(1, 0x2FF))
        elif kind == 2:
            del signs[place : place + 2]
        else:
            signs += signs[place:]
    return "".join(signs)


@pytest.mark.parametrize(("count", "fewest"), [(300, 100), marked((4_000, 1_200), pytest.mark.release)])
def test_mutated_answers_get_one_line_and_touch_no_state(count: int, fewest: int) -> None:
    rng, refused = Random(13), 0
    env = he.text_env("turbo_hearts", opponents="random", tries=1000, legal=False, history="view")
    text, _ = env.reset(seed=0)
    for number in range(count):
        answer = mutated(f"I play [{rng.choice(env.view().legal())}].", rng, list(env.game.actions))
        state = env._states.copy()
        text, reward, over, _, info = env.step(answer)
        if "reason" in info:
            refused += 1
            assert (env._states == state).all()
            assert not over
            assert reward == -1
            assert info["reason"].isprintable()
            assert text == f"{text.splitlines()[0]}\n{env.observation()}"
        if over:
            text, _ = env.reset(seed=number)
    assert refused > fewest


def test_sessions_in_any_order_play_the_same() -> None:
    def session(seed: int) -> list[str]:
        return play(he.text_env("black_lady", opponents="rule; random", history="view"), seed, Random(seed))[0]

    alone = [session(seed) for seed in range(4)]
    envs = [he.text_env("black_lady", opponents="rule; random", history="view") for _ in range(4)]
    texts, rngs = [[env.reset(seed=seed)[0]] for seed, env in enumerate(envs)], [Random(seed) for seed in range(4)]
    while live := [place for place in (3, 1, 0, 2) if listed(texts[place][-1])]:
        for place in live:
            texts[place].append(envs[place].step(f"After all: [{rngs[place].choice(listed(texts[place][-1]))}]")[0])
    assert texts == alone


def test_the_history_of_a_match() -> None:
    env = he.text_env("small_hearts", opponents="random", deals=2)
    texts, _, _ = play(env, 1, Random(1))
    assert any(re.match(r"Deal \d scored, by seat: ", text) for text in texts)
    env = he.text_env("small_hearts", opponents="random", deals=2, history="view")
    assert not any(re.match(r"Deal \d scored", text) for text in play(env, 1, Random(1))[0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rules": "long"}, "rules='long' is not one of full, short"),
        ({"history": "all"}, "history='all' is not one of"),
        ({"forfeit": "loose"}, "the closest is 'lose'"),
        ({"legal": 1}, "legal=1 is not possible"),
        ({"tries": -1}, "tries=-1 must be at least 0"),
        ({"refusal_cost": -1}, "refusal_cost=-1 must be at least 0"),
        ({"seat": 4}, "seat=4 is not a seat"),
        ({"reward": "vector"}, "pay one number"),
        ({"oppponents": "rule"}, "oppponents"),
    ],
)
def test_bad_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        he.text_env("black_lady", **options)
    assert "\n" not in str(caught.value)


def test_calls_out_of_order() -> None:
    env = he.text_env("black_lady", opponents="random")
    with pytest.raises(ValueError, match="call reset"):
        env.step("[2C]")
    env.reset(seed=1)
    with pytest.raises(ValueError, match="it is text"):
        env.step(3)  # type: ignore[arg-type]  # what is refused
