"""Observations: what every column says, and that nothing hidden shows."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import hearts_env as he
from hearts_env.kernel.observe import encode, encode_mask, encode_tokens, hide
from hearts_env.kernel.records import COMMON_PHASES, Phase
from hearts_env.play.observation import observation_bounds, token_shape
from tests.support.games import COVERING, FEW_CARDS
from tests.support.worlds import another_world, finished, told_tricks


def stops(text: str, rng: Random, plies: int, count: int) -> Iterator[he.Match]:
    """A match at `count` of its first `plies` moments; the last is the end, if it is that short."""
    match = he.Match(text, seed=rng.randrange(2**63))
    chosen = set(rng.sample(range(plies), count))
    for ply in range(plies):
        if ply in chosen or match.over:
            yield match
        if match.over:
            return
        match.play(rng.choice(match.legal()))


def seen(match: he.Match, state: Any, seat: int) -> tuple[bytes, bytes, bytes]:
    """Observation, mask and tokens of a seat in a state."""
    t = match.game.tables
    row, mask = np.empty(int(t["obs_size"]), np.float32), np.empty(int(t["actions"]), np.int8)
    tokens = np.empty(token_shape(match.game)[0], np.int16)
    encode(state, t, seat, row)
    encode_mask(state, t, seat, mask)
    encode_tokens(state, t, seat, tokens)
    return row.tobytes(), mask.tobytes(), tokens.tobytes()


def hidden(match: he.Match, state: Any, seat: int) -> bytes:
    """The record of a seat's view."""
    view = state.copy()
    hide(view, match.game.tables, seat)
    content: bytes = view.tobytes()
    return content


# Hidden cards


@pytest.mark.parametrize("text", COVERING)
def test_hidden_cards_change_nothing_that_a_seat_sees(text: str) -> None:
    rng = Random(text)
    moved = 0
    for match in stops(text, rng, 140, 4):
        for seat in range(match.rules.players):
            state = match.state[0]
            other = another_world(match.game, state, seat, rng)
            moved += int((other["hands"] != state["hands"]).any())
            assert seen(match, other, seat) == seen(match, state, seat)
            assert hidden(match, other, seat) == hidden(match, state, seat)
    assert moved > 3 or len(match.game.deck) <= FEW_CARDS


@pytest.mark.parametrize("text", ["black_lady", "four_five_four", "black_maria(players=3)"])
def test_a_view_says_nothing_of_the_shuffle(text: str) -> None:
    """The cards of the record that are not dealt with yet are no trace of the order they were dealt in."""
    for match in stops(text, Random(0), 70, 12):
        for seat in range(match.rules.players):
            record = match.view(seat).record
            assert not record["history"][int(record["plies"]) :].any()


@pytest.mark.parametrize("text", COVERING)
def test_a_view_encodes_as_the_state_it_is_of(text: str) -> None:
    for match in stops(text, Random(1), 140, 4):
        for seat in range(match.rules.players):
            view = match.view(seat)
            whole = seen(match, match.state[0], seat)
            assert seen(match, view.record, seat) == whole
            assert view.observation().tobytes() == whole[0]
            assert view.action_mask().tobytes() == whole[1]
            assert view.legal() == (match.legal() if seat == match.seat else [])


@pytest.mark.parametrize(
    "text", ["black_lady", "black_lady(players=6)", "four_five_four", "black_lady(cycle=[scatter])"]
)
def test_picks_stay_hidden_until_every_seat_has_passed(text: str) -> None:
    match, rng = he.Match(text, seed=3), Random(3)
    layout, dealt = he.observation_layout(text), match.hands
    picks: list[list[str]] = [[] for _ in dealt]
    while match.phase == "pass":
        for seat, picked in enumerate(picks):
            view, row = match.view(seat), match.view(seat).observation()
            assert view.passed == picked
            assert view.received == []
            assert sorted(view.hand + picked) == sorted(dealt[seat])
            assert row[layout["passed"].columns].sum() == len(picked)
            assert not row[layout["received"].columns].any()
            others = [other for other in range(match.rules.players) if other != seat]
            assert not view.record["hands"][others].any()
            assert not view.record["picks"][others].any()
        assert match.seat is not None
        picks[match.seat].append(rng.choice(match.legal()))
        match.play(picks[match.seat][-1])
    (option,) = [option for option in match.game.options if option.text == match.direction]
    offsets = [move.offset for move in option.moves for _ in range(move.count)]
    for seat in range(match.rules.players):
        sources = [(seat - offset) % match.rules.players for offset in offsets]
        received = [picks[source][lane] for lane, source in enumerate(sources)]
        assert match.view(seat).received == received
        kept = [card for card in dealt[seat] if card not in picks[seat]]
        assert sorted(match.view(seat).hand) == sorted(kept + received)


# Columns

SIGNS = ("plus", "minus")


def fields(match: he.Match, seat: int) -> dict[str, NDArray[np.float32]]:
    """The named parts of what a seat observes, in their shapes."""
    row = match.view(seat).observation()
    return {name: row[field.columns].reshape(field.shape) for name, field in he.observation_layout(match.rules).items()}


def lines(match: he.Match, *rows: list[str]) -> list[list[int]]:
    """Cards per row as columns of kinds."""
    return [[row.count(kind) for kind in match.game.deck.kinds] for row in rows]


def expected(match: he.Match, seat: int) -> dict[str, Any]:
    """What the columns of a seat should say, from the words of the match; numbers in their natural units."""
    game, n, view = match.game, match.rules.players, match.view(seat)
    around = [(seat + place) % n for place in range(n)]
    played, trick, taken, voids = view.played, view.trick, match.taken, shown_voids(match)
    scoring = game.names([game.tables["scoring"]])
    by_place: dict[str, list[Any]] = {
        "played": lines(match, *([card for who, card in played if who == other] for other in around)),
        "trick": lines(match, *([card for who, card in trick if who == other] for other in around)),
        "scoring_taken": [[taken[other].count(card) for card in scoring] for other in around],
        "voids": [[suit in voids[other] for suit in "CDHS"] for other in around],
        "leader": [other == match.leader for other in around],
        "dealer": [other == match.dealer for other in around],
    }
    by_place |= {
        name: [values[other].real for other in around]
        for name, values in (("tricks_won", match.tricks_won), ("points", match.points), ("totals", match.totals))
    }
    led = told_tricks(match)[-1][0] if trick else None
    return (
        by_place
        | {
            "hand": lines(match, match.hands[seat]),
            "led_suit": [led == suit for suit in "CDHS"],
            "phase": [match.phase == phase.name.lower() for phase in COMMON_PHASES],
            "direction": [match.direction == option.text for option in game.options],
            "broken": [match.broken],
            "trick_number": [finished(match)],
            "deal_number": [match.deal_number],
        }
        | special(match, seat, around)
    )


def special(match: he.Match, seat: int, around: list[int]) -> dict[str, Any]:
    """The same of the columns that only some games have."""
    rules, takers = match.rules, match.state[0]["kitty_seat"]
    size = int(match.game.tables["kitty_size"])
    owners = [int(takers[place]) for place in range(size)]
    have: dict[str, tuple[bool, Any]] = {
        "points_im": (match.game.gaussian, [complex(match.points[other]).imag for other in around]),
        "totals_im": (match.game.gaussian, [complex(match.totals[other]).imag for other in around]),
        "exposed": (bool(rules.exposing.cards), lines(match, *(shown_by(match, other) for other in around))),
        "pledges": (
            rules.score.pledge is not None,
            [[match.pledges[other] is said for other in around] for said in (True, False)],
        ),
        "pool": (rules.score.chips is not None, [match.pool]),
        "lives": (rules.end.lives is not None, [match.lives[other] for other in around] if match.lives else []),
        "rolled": (cancels(rules), lines(match, match.rolled)),
        "kitty": (
            size > 0,
            lines(match, [card for card, owner in zip(match.kitty, owners, strict=True) if owner == seat]),
        ),
        "kitty_taken": (size > 0, [owners.count(other) for other in around]),
        "extended": (rules.moon.extends != "off", [bool(match.state[0]["moon_extension"])]),
        "refusing": (bool(rules.passing.refusable), [match.phase == "refuse"]),
        "handed_back": (
            bool(rules.passing.refusable),
            lines(match, *(handed_back_to(match, other) for other in around)),
        ),
    }
    signs = signs_of(match)
    have["signs"] = rules.moon.sign == "chosen", [[signs.get(other) == which for other in around] for which in SIGNS]
    have["sign_for"] = rules.moon.sign == "chosen", [signs.get(other) == "next" for other in around]
    return {name: values for name, (there, values) in have.items() if there}


def shown_by(match: he.Match, seat: int) -> list[str]:
    """The cards a seat has shown in the deal."""
    return [
        action.removeprefix("expose:") for who, action in match.log[-1].actions if who == seat and "expose:" in action
    ]


def handed_back_to(match: he.Match, seat: int) -> list[str]:
    """The cards that a seat passed in the deal and took back because they were refused."""
    refusals = [(who, action[7:]) for who, action in match.log[-1].actions if "refuse:" in action]
    offsets = {move.offset for option in match.game.options for move in option.moves if option.text == match.direction}
    return [
        card
        for who, card in refusals
        for offset in offsets
        if card != "no" and (seat + offset - who) % match.rules.players == 0
    ]


def signs_of(match: he.Match) -> dict[int, str]:
    """``plus`` or ``minus`` for each seat whose sign the shooter has chosen, ``next`` for whom it chooses now."""
    chosen = [(who, action[5:]) for who, action in match.log[-1].actions if "sign:" in action]
    if match.phase == "sign":
        chosen.append((match.seat or 0, "next"))
    n, turn = match.rules.players, match.rules.table.direction
    return {(who + turn * (place + 1)) % n: sign for place, (who, sign) in enumerate(chosen)}


def cancels(rules: he.Rules) -> bool:
    """Whether tricks may be dead."""
    return "cancel" in (rules.trick.duplicates, *(how for _, how in rules.trick.exceptions))


def shown_voids(match: he.Match) -> list[str]:
    """Suits each seat has shown to lack in the deal, from the cards played."""
    voids: list[set[str]] = [set() for _ in range(match.rules.players)]
    jokers = match.rules.jokers
    for led, cards in told_tricks(match):
        known = False
        for seat, card in cards:
            joker = card == "JK"
            if known and led is not None and (jokers.play == "void_only" if joker else card[-1] != led):
                voids[seat].add(led)
            known = known or not joker or jokers.lead == "call"
    return ["".join(sorted(suits)) for suits in voids]


@pytest.mark.parametrize("text", COVERING)
def test_every_field_says_what_its_name_says(text: str) -> None:
    t = he.Match(text).game.tables
    units = {"points": float(t["point_scale"]), "totals": float(t["total_scale"]), "deal_number": 1 / 16}
    units |= dict.fromkeys(("tricks_won", "trick_number"), 1 / int(t["hand_size"]))
    units |= {"points_im": units["points"], "totals_im": units["totals"], "pool": units["totals"]}
    units |= {"lives": 1 / max(int(t["end_lives"]), 1), "kitty_taken": 1 / max(int(t["kitty_size"]), 1)}
    for match in stops(text, Random(text), 150, 3):
        assert match.view(0).voids == shown_voids(match)
        for seat in range(match.rules.players):
            have = fields(match, seat)
            want = expected(match, seat)
            for name, values in want.items():
                scaled = np.array(values, np.float32) * np.float32(units.get(name, 1))
                np.testing.assert_allclose(have[name], scaled.reshape(have[name].shape), rtol=1e-6, err_msg=name)
            for name in ("passed", "received"):
                cards = getattr(match.view(seat), name)
                np.testing.assert_array_equal(have[name].sum(axis=0), lines(match, cards)[0], err_msg=name)
            assert not set(have) - set(want) - {"passed", "received"}


def test_cards_passed_are_told_by_the_seat_they_go_to_and_come_from() -> None:
    match, rng = he.Match("four_five_four", seed=1), Random(1)
    picks: list[list[str]] = [[] for _ in range(4)]
    while match.phase == "pass":
        assert match.seat is not None
        picks[match.seat].append(rng.choice(match.legal()))
        match.play(picks[match.seat][-1])
    for seat in range(4):
        have = fields(match, seat)
        for lane, (offset, cut) in enumerate([(1, slice(0, 4)), (2, slice(4, 9)), (3, slice(9, 13))]):
            assert have["passed"][lane].tolist() == lines(match, picks[seat][cut])[0]
            assert have["received"][lane].tolist() == lines(match, picks[(seat - offset) % 4][cut])[0]


@pytest.mark.parametrize("text", COVERING)
def test_the_layout_tiles_the_row(text: str) -> None:
    game = he.Match(text).game
    place = 0
    for field in he.observation_layout(text).values():
        assert field.columns.start == place
        assert field.columns.step is None
        place = field.columns.stop
        assert place - field.columns.start == np.prod(field.shape)
        assert field.low < field.high
        assert field.unit
        assert field.meaning
    assert place == int(game.tables["obs_size"])
    low, high = observation_bounds(game)
    assert low.shape == high.shape == (place,)


@pytest.mark.parametrize("text", COVERING)
def test_values_stay_within_the_published_bounds(text: str) -> None:
    env = he.vector_env(he.rules(text), 16, autoreset=False)
    space = env.single_observation_space
    env.reset(seed=2)
    rng = np.random.default_rng(2)
    for _ in range(420):
        assert outside(env.game.rules, env.observations, space.low, space.high) == []
        env.step(env.sample_actions(rng))
    assert (env.states["phase"] == Phase.OVER).any() or env.states["deal_number"].min() >= 3


@pytest.mark.parametrize("chips", [1, 12])
def test_the_points_of_a_running_deal_for_chips_stay_within_the_published_bounds(chips: int) -> None:
    """A running deal counts the cards taken, whatever few chips there are; a finished one the chips paid."""
    rules = he.rules(f"black_lady(chips={chips}, target=none, moon.mode=none, cycle=[hold])")
    match = he.Match.from_hands(rules, [list(he.Match(rules).game.deck.match(suit)) for suit in "CDHS"])
    low, high = observation_bounds(match.game)
    while not match.over:
        match.play(match.legal()[0])
        for seat in range(4):
            assert outside(rules, match.view(seat).observation()[None], low, high) == []


def outside(rules: he.Rules, rows: Any, low: Any, high: Any) -> list[str]:
    """The fields that hold a value below `low` or above `high`."""
    columns = ((rows < low) | (rows > high)).any(axis=0)
    return [name for name, field in he.observation_layout(rules).items() if columns[field.columns].any()]


@pytest.mark.parametrize(
    "text",
    [
        "black_lady(moon.mode=old)",
        "rickety_kate(big_moon_deals=1, big_moon_effect=fixed100)",
        "black_lady(moon.mode=new)",
        "black_lady(moon.mode=old, moon.amount=99, no_tricks=7, no_tricks_on_moon=true)",
        "black_lady(moon.mode=fixed_self, moon.amount=99)",
        "black_lady(moon.mode=new, sun_amount=200)",
        "omnibus_hearts(moon.mode=new, no_tricks=-5)",
        "rickety_kate(no_tricks=-5)",
        "rickety_kate(no_tricks=-5, bonus_floor_hand=true)",
    ],
)
def test_the_last_observation_stays_within_the_published_bounds(text: str) -> None:
    """Once a match is over `points` are those of the last deal, the moon and missed tricks included."""
    rules = he.rules(text).replace(max_deals=1)
    deck = he.Match(rules).game.deck
    match = he.Match.from_hands(rules, [list(deck.match(suit)) for suit in "CDHS"])  # the clubs win every trick
    while not match.over:
        match.play(match.legal()[0])
    low, high = observation_bounds(match.game)
    for seat in range(4):
        assert outside(rules, match.view(seat).observation()[None], low, high) == []


def test_tokens_tell_the_deal_in_order() -> None:
    match, rng = he.Match("black_lady", seed=4), Random(4)
    kinds = match.game.deck.kinds
    length, vocabulary = token_shape(match.game)
    assert (length, vocabulary) == (52 + 6, 1 + 52 * 6)
    for _ in range(60):
        for seat in range(4):
            tokens = np.frombuffer(seen(match, match.state[0], seat)[2], np.int16)
            view = match.view(seat)
            told = [(4, card) for card in view.passed] + [(5, card) for card in view.received]
            told += [((who - seat) % 4, card) for who, card in view.played]
            want = [1 + 52 * source + kinds.index(card) for source, card in told]
            assert tokens.tolist() == want + [0] * (length - len(want))
        match.play(rng.choice(match.legal()))


def test_more_seats_than_the_variants_own_pack_allows() -> None:
    rules = he.rules("black_lady(players=11, removal_order=[2C,2D,2S,3C,3D,3S,4C,4D], passing.count=1)")
    assert he.rules(str(rules)) == rules
    assert he.vector_env(rules, 2).game.seats == 11


# Bytes


@pytest.mark.parametrize("text", COVERING)
def test_bytes_widen_to_the_same_observation(text: str) -> None:
    for match in stops(text, Random(text), 150, 4):
        t = match.game.tables
        for seat in range(match.rules.players):
            row = np.full(int(t["byte_size"]), 77, np.uint8)
            encode(match.state[0], t, seat, row)
            assert he.widen_observations(row, match.rules).tobytes() == match.view(seat).observation().tobytes()


@pytest.mark.parametrize("text", COVERING)
def test_numbers_are_the_fields_that_count_no_cards(text: str) -> None:
    t = he.Match(text).game.tables
    fields = he.observation_layout(text).values()
    columns = [column for f in fields if f.unit not in ("card", "flag") for column in range(*f.columns.indices(9999))]
    assert t["number_column"][: int(t["numbers"])].tolist() == columns
    assert int(t["byte_size"]) == int(t["obs_size"]) + 4 * len(columns)


def test_large_numbers_survive_in_bytes() -> None:
    match = he.Match("black_lady", seed=1)
    match.state["totals"][0, :4, 0] = [-1, 255, 123_456_789, -(2**31)]
    match.state["points"][0, :4, 0] = [-13, 26, 70_000, 3]
    row = np.zeros(int(match.game.tables["byte_size"]), np.uint8)
    encode(match.state[0], match.game.tables, 2, row)
    assert he.widen_observations(row).tobytes() == match.view(2).observation().tobytes()


def test_fractions_are_rounded_as_in_a_division() -> None:
    for n in range(1, 128):
        for parts in range(n + 1):
            assert np.float32(np.float64(np.float32(parts)) * (1 / n)) == np.float32(parts) / np.float32(n)


def test_the_row_is_filled_to_its_end_and_not_beyond() -> None:
    """Every column and no byte behind is written, whatever was there."""
    for text in ("black_lady", "cancellation_hearts(players=11)", "black_lady(ranks=[Q,K,A], players=3, cycle=[hold])"):
        match = he.Match(text, seed=2)
        t = match.game.tables
        for kind, size in ((np.float32, int(t["obs_size"])), (np.uint8, int(t["byte_size"]))):
            clean, dirty = np.zeros(size, kind), np.full(size + 128, 77, kind)
            encode(match.state[0], t, 1, clean)
            encode(match.state[0], t, 1, dirty[:size])
            assert dirty[:size].tobytes() == clean.tobytes()
            assert (dirty[size:] == 77).all()


@pytest.mark.parametrize(
    "rows", [np.zeros((2, 684), np.uint8), np.zeros((2, 740), np.int8), np.zeros(0, np.uint8), [1, 2]]
)
def test_other_rows_are_refused(rows: Any) -> None:
    with pytest.raises(ValueError, match="rows"):
        he.widen_observations(rows)
