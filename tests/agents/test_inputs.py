"""The counts that networks read, recomputed card by card from what a player at the table knows."""

from collections import Counter

import numpy as np
import pytest

import hearts_env as he
from hearts_agents.neural.inputs import fingerprint, input_size, network_inputs
from hearts_env.compiled.game import compile_game
from hearts_env.kernel.counts import BLOCKS, SCALE, SUITS
from hearts_env.seat.view import View, Views


def expected(view: View) -> dict[str, dict[str, float]]:
    """Block -> card -> its count, from card names only."""
    deck = view.game.deck
    hand, played = Counter(view.hand), Counter(card for _, card in view.played)
    unseen = {card: deck.copies[card] - hand[card] - played[card] for card in deck.kinds}
    suit = {card: int(view.game.tables["suit_of"][kind]) for kind, card in enumerate(deck.kinds)}
    order = {card: kind for kind, card in enumerate(deck.kinds)}
    found: dict[str, dict[str, float]] = {name: {} for name in BLOCKS if name != "known"}
    for card in hand:
        mates = [other for other in deck.kinds if suit[other] == suit[card]]
        below = sum(unseen[other] for other in mates if order[other] < order[card])
        above = sum(unseen[other] for other in mates if order[other] > order[card])
        found["below"][card], found["above"][card] = below, above
        found["lowest"][card], found["highest"][card] = below == 0, above == 0
        led = int(view.record["led_suit"]) if view.trick else None
        on_table = [order[other] for _, other in view.trick if suit[other] == led]
        beats = led is None or (suit[card] == led and order[card] > max(on_table, default=-1))
        found["takes"][card] = view.phase == "play" and beats
    return found


@pytest.mark.parametrize("variant", ["black_lady", "cancellation_hearts", "joker_hearts", "omnibus_hearts"])
def test_counts_are_what_a_player_counts(variant: str) -> None:
    match, rng = he.Match(variant, seed=3), np.random.default_rng(1)
    game, kinds = match.game, len(match.game.deck.kinds)
    for _ in range(90):
        seat = match.seat
        if seat is None:
            break
        view = match.view(seat)
        row = network_inputs(Views.of(view))[0][0]
        assert row[: int(game.tables["obs_size"])].tobytes() == view.observation().tobytes()
        counts = row[int(game.tables["obs_size"]) :]
        for name, cards in expected(view).items():
            block = counts[BLOCKS.index(name) * kinds :][:kinds]
            scale = SCALE if name in ("below", "above") else np.float32(1)
            wanted = [np.float32(cards.get(card, 0)) * scale for card in game.deck.kinds]
            assert block == pytest.approx(wanted, abs=1e-5), (name, view.hand, view.trick)
        own = counts[len(BLOCKS) * kinds :][:SUITS]
        assert own.sum() == pytest.approx(len(view.hand) / 6, abs=1e-4)
        match.play(str(rng.choice(match.legal())))


DYING = "cancellation_hearts(players=8)"


@pytest.mark.parametrize("variant", ["black_lady", DYING, "joker_hearts", "black_lady(players=5)"])
def test_a_seat_knows_who_takes_the_trick_as_it_lies(variant: str) -> None:
    match, rng, dead = he.Match(variant, seed=5), np.random.default_rng(2), 0
    for _ in range(300):
        seat = match.seat
        if seat is None:
            break
        view = match.view(seat)
        trick = view.trick
        place = he.trick_winner(match.rules, [card for _, card in trick]) if trick and view.phase == "play" else None
        wanted = [0.0] * match.game.seats
        if place is not None:
            wanted[(trick[place][0] - seat) % match.game.seats] = 1.0
        dead += len(trick) > 1 and place is None and view.phase == "play"
        assert network_inputs(Views.of(view))[0][0][-match.game.seats :].tolist() == wanted, trick
        match.play(str(rng.choice(match.legal())))
    assert dead or variant != DYING


def test_passed_cards_are_known_until_they_are_played() -> None:
    match = he.Match("black_lady", seed=3)
    game, kinds = match.game, len(match.game.deck.kinds)

    def known() -> set[str]:
        counts = network_inputs(Views.of(match.view(0)))[0][0][int(game.tables["obs_size"]) :]
        return {game.actions[kind] for kind in np.flatnonzero(counts[BLOCKS.index("known") * kinds :][:kinds])}

    passed: set[str] = set()
    while match.phase == "pass":
        if match.seat == 0:
            passed.add(match.legal()[0])
        match.play(match.legal()[0])
    seen: set[str] = set()
    while match.deal_number == 0:
        seen |= {card for _, card in match.view(0).played}
        if match.seat == 0:
            assert known() == passed - seen
        match.play(match.legal()[0])
    assert passed & seen


def test_a_fingerprint_names_the_rules() -> None:
    games = [compile_game(he.rules(text)) for text in ("black_lady", "black_lady(moon.mode=none)", "omnibus_hearts")]
    assert len({fingerprint(game) for game in games}) == 3
    assert input_size(games[0]) == input_size(games[1])
