"""Questions: answers found in another way, seeds, scores of answers, and floors."""

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

import hypothesis.strategies as st
import pytest
from hypothesis import given

import hearts_env as he
from hearts_env.envs.question_kinds import KINDS
from hearts_env.envs.questions import Question, Questions, changed_fields
from tests.oracle.game import Oracle
from tests.seat.test_worlds import TINY, possible
from tests.support.lockstep import shadow
from tests.support.marks import few

ENUMERATED = ["black_lady", *TINY]


def position(entry: Question) -> tuple[he.Match, Oracle]:
    """The position of a question, played again by a match and by the oracle."""
    match = he.Match.replay(entry["metadata"]["record"])
    oracle = shadow(match.after(0))
    oracle.entry_of = lambda _: 0  # of the next deal, which nothing is asked about
    for _, action in match.log[0].actions:
        oracle.play(action)
    return match, oracle


def drawn(kind: str, count: int) -> Iterator[Question]:
    """Questions about rules drawn from all options."""
    return islice(he.questions(kind=kind, seed=5, page="short"), count)


def by_oracle(entry: Question) -> str:
    """The answer of the oracle."""
    _, oracle = position(entry)
    question = entry["question"]
    if entry["metadata"]["kind"] == "legal":
        return " ".join(oracle.legal())
    won = list(oracle.tricks_won)
    found = re.search(r"You play (\w+), the last", question)
    assert found is not None
    oracle.play(found[1])
    if entry["metadata"]["kind"] == "winner":
        return next((str(seat) for seat, number in enumerate(oracle.tricks_won) if number > won[seat]), "nobody")
    for seat, choice in re.findall(r"Then seat (\d+) chooses (\S+)\.", question):
        assert oracle.seat == int(seat)
        oracle.play(choice)
    return " ".join(str(points).strip("()").replace("j", "i") for points in oracle.deal_points[0])


@pytest.mark.parametrize("kind", ["legal", "winner", "score"])
def test_the_oracle_gives_the_same_answers(kind: str) -> None:
    for entry in drawn(kind, 12):
        assert Questions.score_answer(f"[{by_oracle(entry)}]", entry) == 1, entry["question"]


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", ["legal", "winner", "score"])
def test_the_oracle_gives_the_same_answers_where_rules_matter(kind: str) -> None:
    for entry in islice(he.questions(kind=kind, seed=6, differs=True), 3):
        assert Questions.score_answer(f"[{by_oracle(entry)}]", entry) == 1, entry["question"]


@pytest.mark.parametrize("text", few(ENUMERATED, 4))
def test_trying_every_deal_gives_the_same_answers(text: str) -> None:
    for kind in ("void", "fraction"):
        for entry in islice(he.questions(text, kind=kind, seed=2), 1 if text == "black_lady" else 2):
            match = he.Match.replay(entry["metadata"]["record"])
            seat = int(match.seat or 0)
            deals = possible(match, seat)
            others = [other for other in range(match.rules.players) if other != seat]
            found = re.search(r"does seat (\d+) hold (\w+)", entry["question"])
            if found is not None:
                place, card = others.index(int(found[1])), found[2]
                ways = sum(number for deal, number in deals.items() if card in deal[place])
                assert Fraction(entry["answer"]) == Fraction(ways, deals.total())
                continue
            voids = []
            for place, other in enumerate(others):
                held = {card[-1] for deal in deals for card in deal[place]}
                voids += [f"{other}:{suit}" for suit in "CDHS" if match.game.deck.match(suit) and suit not in held]
            assert Questions.score_answer(f"[{' '.join(voids) or 'none'}]", entry) == 1


def test_questions_are_the_same_in_any_order() -> None:
    first = list(islice(he.questions(seed=3), 10))
    again = he.questions(seed=3)
    assert [again[index] for index in reversed(range(10))] == first[::-1]
    assert [entry["metadata"]["kind"] for entry in first[:5]] == list(KINDS)
    assert first[0]["question"] != he.questions(seed=4)[0]["question"]
    assert len({entry["metadata"]["digest"] for entry in first}) == 10


def test_questions_are_json_and_describe_themselves() -> None:
    for entry in islice(he.questions(changes=3, seed=1), 5):
        assert json.loads(json.dumps(entry)) == entry
        data = entry["metadata"]
        rules = he.rules(data["rules"])
        assert changed_fields(rules) == data["changes"]
        assert len(data["changes"]) == 3
        assert entry["question"].startswith(he.rules_page(rules))
        assert not re.search(r"^(Legal actions|Void in|Points): ", entry["question"], re.MULTILINE)


@pytest.mark.parametrize("changes", [0, 1, 8, pytest.param(20, marks=pytest.mark.exhaustive)])
def test_difficulty_is_the_number_of_changed_fields(changes: int) -> None:
    entries = islice(he.questions(kind="legal", changes=changes, page="short"), 4)
    assert all(len(entry["metadata"]["changes"]) == changes for entry in entries)


def test_floors() -> None:
    """A reader who assumes Basic Hearts is right there, and never where the answer differs."""
    for entry in islice(he.questions("black_lady", seed=9), 15):
        assert entry["metadata"]["basic"] == entry["answer"]
        assert 0 <= entry["metadata"]["chance"] < 1
    free = "black_lady(heart_lead=free, first_trick_forbidden=[], card_values={H:2,QS:13})"
    for kind in ("legal", "score"):
        for entry in islice(he.questions(free, kind=kind, differs=True), 3):
            assert Questions.score_answer(f"[{entry['metadata']['basic']}]", entry) == 0


def test_a_search_for_a_question_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hearts_env.envs.questions.TRIES", 3)
    with pytest.raises(ValueError, match="3 deals of black_lady have no position for such a question"):
        he.questions("black_lady", kind="winner", differs=True)[0]


@pytest.mark.parametrize(
    ("kind", "right", "given", "score"),
    [
        ("legal", "2C QS", "Not [KS]. I may play [qs] and [2c]", 1),
        ("legal", "2C TC", "[10c, 2C]", 1),
        ("legal", "2C TC", "[2C]", 0),
        ("legal", "2C TC", "[2C TC 3C]", 0),
        ("legal", "2C TC", "2C, TC", 1),
        ("legal", "2C TC", "2C and then TC", 0),  # without brackets every word counts
        ("winner", "2", "[seat 2]", 1),
        ("winner", "2", "[2] or [3]", 0),
        ("winner", "2", "[0] [2]", 0),
        ("winner", "nobody", "It is [Nobody].", 1),
        ("score", "0 -13 4", "[0, -13, +4]", 1),
        ("score", "0 -13 4", "[-13 0 4]", 0),
        ("score", "8+13i 0", "[13i+8 0]", 0),
        ("score", "8+13i 0", "[8+13I, 0]", 1),
        ("void", "1:CH 3:D", "[3D 1:C 1:H]", 1),
        ("void", "1:CH 3:D", "[1:CH]", 0),
        ("void", "none", "[none]", 1),
        ("void", "none", "", 0),
        ("fraction", "1/2", "[0.5]", 1),
        ("fraction", "1/2", "[50/100]", 1),
        ("fraction", "1/2", "[1/0]", 0),
        ("fraction", "1/2", "[1/2 1/2]", 1),
        ("fraction", "1/2", "[1/2 1/3]", 0),
        ("legal", "2C TC", "[ten of clubs, ♣2]", 1),
        ("fraction", "1/2", "[9e999999999]", 0),
    ],
)
def test_scores_of_answers(kind: str, right: str, given: str, score: int) -> None:
    entry: Question = {"question": "", "answer": right, "metadata": {"kind": kind}}
    assert Questions.score_answer(given, entry) == score
    assert Questions.score_answer(right, entry) == Questions.score_answer(f"so: [{right}]", entry) == 1


@given(
    st.sampled_from(list(KINDS)),
    st.text(alphabet=st.sampled_from("[]0123456789/.:-+iCDHSQK\u00b2\u0663 ,"), max_size=40),
)
def test_any_answer_has_a_score(kind: str, answer: str) -> None:
    entry: Question = {"question": "", "answer": "nothing", "metadata": {"kind": kind}}
    assert Questions.score_answer(answer, entry) == Questions.score_answer(None, entry) == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kind": "moon"}, "kind"),
        ({"page": "none"}, "page"),
        ({"changes": 21}, "changes=21 must be at most 20"),
        ({"rules": "black_lady", "changes": 1}, "leave out rules or changes"),
        ({"seed": -1}, "seed=-1 is out of range"),
        ({"differs": 1}, "differs=1 is not possible; it is True or False"),
    ],
)
def test_bad_options_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        he.questions(**options)  # type: ignore[arg-type]  # bad on purpose
