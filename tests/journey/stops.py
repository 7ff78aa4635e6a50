"""What has to hold wherever a match stands: each function looks at one match and changes nothing in it."""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

import hearts_env as he
from hearts_agents import make_agent
from hearts_env.compiled.game import Game
from hearts_env.kernel.observe import encode, encode_mask, encode_tokens, hide
from hearts_env.kernel.records import Phase
from hearts_env.ruleset import derived
from hearts_env.seat.observation import observation_bounds, token_shape
from hearts_env.seat.view import View, Views, view_of
from hearts_env.seat.worlds import sample_worlds
from tests.journey.columns import check_columns
from tests.support.picture import picture
from tests.support.worlds import another_world, finished, snapshot, some_seats, told_tricks

AGENTS = ("random", "rule", "guard", "rule(shoot=0.01, shoot_pass=0)")
Check = Callable[[he.Match, Random], None]


def position(match: he.Match, rng: Random) -> None:
    """The legal actions are in the hand, no card is lost or doubled, and cards taken count what they are worth."""
    rules, legal = match.rules, match.legal()
    assert bool(legal) is not match.over
    assert len(set(legal)) == len(legal)
    cards = match.phase in {"pass", "play"}
    assert all(cards is (":" not in action) for action in legal)
    if cards:
        assert match.seat is not None
        assert set(legal) <= set(match.hands[match.seat])
    scored = match.phase in {"moon", "sign", "exact", "over"}
    passing = match.phase in {"refuse", "pass"}
    picks = [card for seat in range(rules.players) for card in match.view(seat).passed if passing]
    kitty = match.kitty if not scored or rules.deck.kitty_award == "out_of_play" else []
    seen: Counter[str] = Counter()
    for place in (*match.hands, *match.taken, match.trick, match.rolled, kitty, picks):
        seen.update(place)
    assert seen == Counter(match.game.deck.cards)
    assert sum(match.tricks_won) + int(match.state[0]["rolled_tricks"]) == finished(match)
    for _, played in told_tricks(match):
        turn = [(played[0][0] + rules.table.direction * place) % rules.players for place in range(len(played))]
        assert [seat for seat, _ in played] == turn
    score = rules.score
    special = score.negations, score.multipliers, score.alone, score.sweeps, rules.exposing.cards
    if match.phase == "play" and not any(special) and rules.jokers.scores == "always":
        values = derived.card_points(rules, match.game.deck)
        assert match.points == [sum(values[card] for card in taken) for taken in match.taken]


def bounds(match: he.Match, rng: Random) -> None:
    """Points of finished deals, and every column of every seat, lie within the published bounds."""
    low, high = match.game.point_bounds
    for points in match.deal_points:
        for part in (part for one in points for part in (complex(one).real, complex(one).imag)):
            assert low <= part <= high
    floor, ceiling = observation_bounds(match.game)
    for seat in range(match.rules.players):
        row = match.view(seat).observation()
        outside = (row < floor) | (row > ceiling)
        layout = he.observation_layout(match.rules).items()
        assert [name for name, field in layout if outside[field.columns].any()] == []


def observation(match: he.Match, rng: Random) -> None:
    """Columns hold what they are called, in bytes as well, and the view's row is the state's."""
    seats = some_seats(match, rng)
    check_columns(match, seats)
    for seat in seats:
        view, whole = match.view(seat), seen(match.game, match.state[0], seat)
        assert seen(match.game, view.record, seat) == whole
        assert view.observation().tobytes() == whole[0]
        assert view.action_mask().tobytes() == whole[1]
        assert view.legal() == (match.legal() if seat == match.seat else [])
        size = int(match.game.tables["byte_size"])
        row = np.full(size + 128, 77, np.uint8)
        encode(match.state[0], match.game.tables, seat, row[:size])
        assert he.widen_observations(row[:size], match.rules).tobytes() == whole[0]
        assert (row[size:] == 77).all(), "written behind its end"
        tokens = np.frombuffer(whole[2], np.int16)
        wanted = tokens_of(match, seat)
        assert tokens.tolist() == wanted + [0] * (len(tokens) - len(wanted))


def tokens_of(match: he.Match, seat: int) -> list[int]:
    """The deal so far in order: cards that the seat passed, received, and cards played by relative seats."""
    view, kinds, n = match.view(seat), match.game.deck.kinds, match.rules.players
    cards = [(n, card) for card in view.passed] + [(n + 1, card) for card in view.received]
    cards += [((who - seat) % n, card) for who, card in view.played]
    return [1 + len(kinds) * source + kinds.index(card) for source, card in cards]


def seen(game: Game, state: Any, seat: int) -> tuple[bytes, bytes, bytes]:
    """Observation, mask and tokens of a seat in a state, written over whatever was there."""
    t = game.tables
    row, mask = np.full(int(t["obs_size"]), 77, np.float32), np.full(int(t["actions"]), 77, np.int8)
    tokens = np.full(token_shape(game)[0], 77, np.int16)
    encode(state, t, seat, row)
    encode_mask(state, t, seat, mask)
    encode_tokens(state, t, seat, tokens)
    return row.tobytes(), mask.tobytes(), tokens.tobytes()


def secrets(match: he.Match, rng: Random) -> None:
    """Hidden cards dealt anew change nothing that a seat sees, and no agent's decision."""
    game, state = match.game, match.state[0]
    for seat in some_seats(match, rng):
        twin = another_world(game, state, seat, rng)
        assert not match.view(seat).record["history"][int(state["plies"]) :].any(), "the order of the shuffle"
        assert seen(game, twin, seat) == seen(game, state, seat)
        assert hidden(match, twin, seat) == hidden(match, state, seat)
        if seat == match.seat:
            views = (view_of(game, np.array([record]), seat) for record in (state, twin))
            mine, theirs = ([decided(spec, view) for spec in AGENTS] for view in views)
            assert mine == theirs


def hidden(match: he.Match, state: Any, seat: int) -> bytes:
    """The record of a seat's view."""
    view = state.copy()
    hide(view, match.game.tables, seat)
    content: bytes = view.tobytes()
    return content


def decided(spec: str, view: View) -> int:
    """The agent's legal action, the same for one view and for several."""
    agent = make_agent(spec)
    agent.reset(3)
    action = view.game.action(agent.act(view))
    assert action in view.legal_ids()
    agent.reset(3)
    assert [int(each) for each in agent.act_batch(Views.of(view))] == [action]
    return action


def record(match: he.Match, rng: Random) -> None:
    """A record replays to an equal match; a clone plays on alike and apart."""
    before, text = snapshot(match), match.record()
    copies = [he.Match.replay(text), match.clone()]
    for copy in copies:
        assert copy == match
        assert copy.record() == text
        assert snapshot(copy) == before
        assert copy.legal() == match.legal()
    for _ in range(12):
        if copies[0].over:
            break
        action = rng.choice(copies[0].legal())
        for copy in copies:
            copy.play(action)
    assert copies[0] == copies[1]
    assert snapshot(copies[0]) == snapshot(copies[1])
    assert (copies[0] != match) is not match.over
    assert snapshot(match) == before
    assert match.record() == text


def mistakes(match: he.Match, rng: Random) -> None:
    """Every illegal action is refused in one line, and nothing changes."""
    before, text, legal = snapshot(match), match.record(), set(match.legal())
    illegal = [action for action in match.game.actions if action not in legal]
    wrong: list[str | int] = [*rng.sample(illegal, min(4, len(illegal))), "ZZ", "", "moon:nobody", -1, 10_000]
    for action in wrong:
        with pytest.raises(ValueError, match=r"\S") as refusal:
            match.play(action)
        assert "\n" not in str(refusal.value)
    assert snapshot(match) == before
    assert match.record() == text


def worlds(match: he.Match, rng: Random) -> None:
    """Sampled deals look the same from the seat, and use up the pack."""
    seat = rng.choice([rng.randrange(match.game.seats), match.seat or 0])
    view = match.view(seat)
    sampled = sample_worlds(view, 4, seed=rng.randrange(2**32))
    for place in range(len(sampled)):
        again = view_of(view.game, sampled.records[place : place + 1], seat)
        assert again.record.tobytes() == view.record.tobytes()
        hands, kitty = sampled.hands(place), sampled.kitty(place)
        held = Counter(card for hand in hands for card in hand) + Counter(card for _, card in view.played)
        passing = view.phase in ("refuse", "pass") and int(view.record["pass_option"]) >= 0
        if not passing and int(view.record["phase"]) <= Phase.SUIT:
            assert held + Counter(kitty) == view.game.deck.copies
            passes_agree(view, sampled.records[place])


def passes_agree(view: View, world: Any) -> None:
    """In a world every card received was passed, by the seat that the direction names or by way of the pool."""
    if int(world["pass_option"]) < 0:
        return
    moves = view.game.options[int(world["pass_option"])].moves
    lanes = list(enumerate(move.offset for move in moves for _ in range(move.count)))
    seats, pool = range(view.game.seats), [lane for lane, offset in lanes if not offset]
    assert sorted(world["picks"][seats][:, pool].ravel()) == sorted(world["received"][seats][:, pool].ravel())
    for lane, offset in lanes:
        for seat in seats if offset else []:
            assert world["received"][(seat + offset) % view.game.seats, lane] == world["picks"][seat, lane]


CHECKS: list[Check] = [position, bounds, observation, secrets, picture, record, mistakes, worlds]
