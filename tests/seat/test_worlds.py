"""Worlds: nothing sampled contradicts the view, and by exhaustive counting every deal is equally likely."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, islice, product
from random import Random

import numpy as np
import pytest
from scipy.stats import chi2

import hearts_env as he
from hearts_agents import make_agent
from hearts_env.seat.marginals import marginals_of
from hearts_env.seat.worlds import every_deal, likelihood, sample_worlds
from tests.support.marks import rare

Holding = tuple[tuple[str, ...], ...]
"""Sorted cards of each seat, then of the kitty."""
TINY = [
    "black_lady(ranks=[Q,K,A], passing.count=1)",
    "black_lady(ranks=[J,Q,K,A], players=3, passing.count=1, remainder=kitty, hand_size=4, kitty_award=out_of_play)",
    "black_lady(ranks=[Q,K], packs=2, duplicates=last, passing.count=1, leader=left_of_dealer, opening.card=any)",
    "black_lady(ranks=[Q,K,A], cycle=[hold], first_trick_forbidden=[H,QS], opening.card=any)",
    "black_lady(ranks=[Q,K,A], cycle=[hold], exposing.cards={QS:QS,AH:H}, exposing.lock=true)",
    "black_lady(ranks=[Q,K,A], players=3, passing.count=2, cycle=[left], unpassable=[H,S])",
    "black_lady(ranks=[Q,K,A], cycle=[hold], locked={QS:play,K:lead}, first_trick_forbidden=[])",
    "likha(ranks=[T,Q,K], passing.count=1, removed=[], card_values={H:1,QS:13,TD:10})",
    "black_lady(packs=2, ranks=[Q,A], cycle=[hold], opening.card=both)",
]


def partitions(cards: Sequence[str], sizes: Sequence[int]) -> Iterator[Holding]:
    """Every way to give physical cards to holders of these sizes; equal ways come up as often as there are."""
    if not sizes:
        yield ()
        return
    places = range(len(cards))
    for chosen in combinations(places, sizes[0]):
        rest = [cards[place] for place in places if place not in chosen]
        for others in partitions(rest, sizes[1:]):
            yield (tuple(sorted(cards[place] for place in chosen)), *others)


def possible(match: he.Match, seat: int) -> Counter[Holding]:
    """By trying them all: the deals that a seat cannot rule out, with the number of physical ways to each."""
    game, view = match.game, match.view(seat)
    played = [[card for by, card in view.played if by == other] for other in range(game.seats)]
    kitty = int(game.tables["kitty_size"])
    unseen = game.deck.copies - Counter(view.hand) - Counter(card for _, card in view.played)
    others = [other for other in range(game.seats) if other != seat]
    passes: dict[int, Counter[str]] = {other: Counter() for other in others}
    if view.passed:
        lanes = iter(view.passed)
        for move in game.options[int(view.record["pass_option"])].moves:
            for _ in range(move.count):
                passes[(seat + move.offset) % game.seats][next(lanes)] += 1
    # A copy that was passed lies where it went, until the seat has played one like it.
    kept = {other: passes[other] - Counter(played[other]) for other in others}
    unseen -= sum(kept.values(), Counter())
    sizes = [game.hand_size - len(played[other]) - kept[other].total() for other in others]
    found: Counter[Holding] = Counter()
    verdicts: dict[Holding, bool] = {}
    for parts in partitions(sorted(unseen.elements()), [*sizes, kitty]):
        if parts not in verdicts:
            hands = {other: [*parts[place], *kept[other].elements()] for place, other in enumerate(others)}
            starts = [[*hands.get(other, view.hand), *played[other]] for other in range(game.seats)]
            verdicts[parts] = all(set(view.shown[other]) <= set(starts[other]) for other in others)
            verdicts[parts] = verdicts[parts] and can_happen(match, starts) and can_have_passed(match, seat, starts)
        if verdicts[parts]:
            whole = (
                tuple(sorted((*cards, *kept[other].elements())))
                for other, cards in zip(others, parts[:-1], strict=True)
            )
            found[(*whole, parts[-1])] += 1
    return found


def can_happen(match: he.Match, starts: list[list[str]]) -> bool:
    """Whether a deal of these hands after the pass can be played as it was."""
    view = match.view(0)
    named = int(match.state["named_leader"][0])
    leader = named if named >= 0 else None
    actions = []
    if match.game.tables["exposures"]:
        for exposed in view.shown:
            actions += [*(f"expose:{card}" for card in exposed), "expose:done"]
    try:
        again = he.Match.from_hands(match.rules, starts, dealer=match.dealer, leader=leader, played=actions)
        if again.state["free_lead"] != match.state["free_lead"]:
            return False
        for seat, card in view.played:
            if again.seat != seat:
                return False
            again.play(card)
    except ValueError:
        return False
    return again.seat == match.seat


def can_have_passed(match: he.Match, seat: int, starts: list[list[str]]) -> bool:
    """Whether some cards of these hands can have been passed, all to one seat, with protected ones after all others."""
    game, view, places = match.game, match.view(seat), range(match.game.seats)
    protected = set(game.names([int(game.tables["passing_unpassable"])]))
    if not protected or not view.passed:
        return True
    ((move, *_), known) = game.options[int(view.record["pass_option"])].moves, {seat: [tuple(view.received)]}
    known[(seat + move.offset) % game.seats] = [tuple(view.passed)]
    for received in product(*(known.get(one) or combinations(starts[one], move.count) for one in places)):
        kept = [set(starts[one]) - set(received[one]) for one in places]
        given = [received[(one + move.offset) % game.seats] for one in places]
        if all(one == seat or not protected & {*given[one]} or kept[one] <= protected for one in places):
            return True
    return False


def holding(game_hands: list[list[str]], kitty: list[str], seat: int) -> Holding:
    others = [hand for other, hand in enumerate(game_hands) if other != seat]
    return (*(tuple(sorted(hand)) for hand in others), tuple(sorted(kitty)))


def positions(text: str, seed: int, count: int, *, name_leaders: bool = False) -> Iterator[he.Match]:
    """Positions of random play in which a seat is to play a card; the leader is the rules' or named at random."""
    rng, found = Random(seed), 0
    while found < count:
        match = he.Match(text, seed=rng.randrange(2**32))
        if name_leaders:
            match = he.Match.from_hands(text, match.hands, leader=rng.randrange(match.game.seats))
        stop = rng.randrange(2, 20)
        while not match.over and match.deal_number == 0 and len(match.log[0].actions) < 60:
            if match.phase == "play" and len(match.view(0).played) >= stop % (match.game.hand_size * 3):
                yield match
                found += 1
                break
            match.play(rng.choice(match.legal()))


@pytest.mark.parametrize("text", [TINY[0], *rare(TINY[1:], 2)])
def test_every_deal_is_listed(text: str) -> None:
    """As often as there are ways to deal it, identical cards being different ones."""
    for match in positions(text, seed=8, count=2):
        seat, expected = int(match.seat or 0), Counter[Holding]()
        for deal, ways in possible(match, seat).items():
            expected[deal[:-1]] += ways
        deals = every_deal(match.view(seat), most=100_000)
        assert Counter(holding(hands, [], seat)[:-1] for hands in deals) == expected
        assert all(hands[seat] == match.hands[seat] for hands in deals)


@pytest.mark.parametrize("text", [TINY[0], *rare(TINY[1:], 2)])
def test_marginals_are_the_mean_over_every_deal(text: str) -> None:
    counted = 0
    for match in positions(text, seed=9, count=4):
        view, kinds = match.view(int(match.seat or 0)), match.game.deck.kinds
        belief = he.marginals(he.Views.of(view))[0]
        held = np.array([[[hand.count(kind) for kind in kinds] for hand in deal] for deal in every_deal(view, 10**6)])
        worst = abs(held.mean(0) - belief).max()
        assert worst < 0.05
        counted += worst < 1e-9
    assert counted or "unpassable" in text, "marginals are drawn where they could be counted"


@pytest.mark.parametrize("text", ["black_lady", "black_lady(packs=2, players=6)", "omnibus_hearts(exposing.lock=true)"])
def test_marginals_are_the_mean_over_worlds(text: str) -> None:
    """Within five standard errors of a thousand draws; in the pass the cards picked count."""
    match, rng = he.Match(text, seed=5), Random(5)
    for step in range(60):
        if step % 12 == 2 and match.seat is not None:
            view = match.view(match.seat)
            belief = he.marginals(he.Views.of(view))[0]
            other = match.view((match.seat + 1) % match.game.seats)
            assert marginals_of(other).sum(1) == pytest.approx(belief.sum(1))
            assert (marginals_of(other)[other.seat] == np.rint(marginals_of(other)[other.seat])).all()
            assert belief.sum(1) == pytest.approx([match.game.hand_size - tricks for tricks in played(view)])
            if match.phase == "play":
                worlds = sample_worlds(view, 1_000, seed=step)
                hands = [worlds.hands(place) for place in range(1_000)]
                held = np.array([[[hand.count(kind) for kind in match.game.deck.kinds] for hand in d] for d in hands])
                assert (abs(belief - held.mean(0)) < 5 * np.sqrt(held.var(0) / 1_000 + 1e-6) + 0.01).all()
        match.play(rng.choice(match.legal()))


def played(view: he.View) -> list[int]:
    """Number of cards that each seat has played."""
    return [sum(seat == by for by, _ in view.played) for seat in range(view.game.seats)]


def test_what_cannot_be_listed_is_refused() -> None:
    match = he.Match("black_lady", seed=4)
    with pytest.raises(ValueError, match="cards are not being played: phase pass"):
        every_deal(match.view(0))
    match = he.Match("black_lady(cycle=[hold])", seed=4)
    with pytest.raises(ValueError, match=r"there are \d+ ways to deal the hidden cards, more than most=2000"):
        every_deal(match.view(0))


@pytest.mark.parametrize("text", rare(TINY, 2))
def test_every_deal_is_equally_likely(text: str) -> None:
    assert_uniform(positions(text, seed=5, count=8))


@pytest.mark.parametrize("opening", rare(["any", "forced"], 1))
def test_a_named_leader_has_the_opening_card_or_has_it_not(opening: str) -> None:
    text = f"black_lady(ranks=[Q,K,A], cycle=[hold], opening.card={opening})"
    assert_uniform(positions(text, seed=6, count=4, name_leaders=True))


def assert_uniform(matches: Iterator[he.Match]) -> None:
    draws, surprise, freedom = 6_000, 0.0, 0
    for match in matches:
        assert match.seat is not None
        expected = possible(match, match.seat)
        ways = sum(expected.values())
        if len(expected) > 800:
            continue
        worlds = sample_worlds(match.view(match.seat), draws, seed=freedom)
        drawn = Counter(holding(worlds.hands(place), worlds.kitty(place), match.seat) for place in range(draws))
        assert set(drawn) <= set(expected), "a world that cannot be"
        surprise += sum((drawn[deal] - draws * n / ways) ** 2 / (draws * n / ways) for deal, n in expected.items())
        freedom += len(expected) - 1
    assert freedom > 20
    assert 1e-4 < chi2.sf(surprise, freedom) < 1 - 1e-4


@pytest.mark.exhaustive
def test_the_opening_card_may_lie_in_the_kitty() -> None:
    """Then the seat after the dealer leads, and so a lead by that seat does not tell who has the card."""
    text = (
        "black_lady(ranks=[J,Q,K,A], players=3, hand_size=4, remainder=kitty, kitty_award=first_penalty, "
        "cycle=[hold], opening.holder=JC)"
    )
    closed = (match for match in positions(text, seed=7, count=40) if not match.state["kitty_given"][0])
    assert_uniform(match for match in islice(closed, 4) if len(match.view(0).played) > 1)


def test_worlds_are_reproducible_and_differ_by_seed() -> None:
    view = he.Match("black_lady", seed=4).view(0)
    first, again, other = (sample_worlds(view, 5, seed=seed) for seed in (3, 3, 4))
    assert first.records.tobytes() == again.records.tobytes()
    assert first.records.tobytes() != other.records.tobytes()
    assert np.allclose(first.weights, 0.2)


def test_a_policy_weighs_worlds_by_how_well_it_explains_the_play() -> None:
    """The rule agent's own play must be likelier in the real deal than in the mean world."""
    rule, better, tried, given_up = make_agent("rule"), 0, 0, 0
    for seed in range(12):
        match = he.Match("black_lady(cycle=[hold])", seed=seed)
        for _ in range(24):
            match.play(rule.act(match.view(match.seat or 0)))
        view = match.view(match.seat or 0)
        worlds = sample_worlds(view, 40, seed=seed, policy=rule.act_batch)
        real = likelihood(view, match.state, rule.act_batch)[0]
        guessed = likelihood(view, worlds.records, rule.act_batch)
        actions = len(view.game.actions)
        shares = likelihood(view, worlds.records, lambda views: np.eye(actions)[rule.act_batch(views)])  # noqa: B023
        assert np.allclose(shares, guessed)
        near = likelihood(view, worlds.records, rule.act_batch, behind=2.0)
        kept = np.isfinite(near)
        assert np.array_equal(near[kept], guessed[kept])
        assert kept.any()
        given_up += int((~kept).sum())
        better += real > np.median(guessed)
        tried += 1
        assert math.isclose(worlds.weights.sum(), 1)
        assert (np.argsort(worlds.weights) == np.argsort(guessed)).all() or np.unique(guessed).size < 40
        assert real <= 1e-9
    assert better >= tried - 2
    assert given_up > 40


@pytest.mark.parametrize(
    "rules", [he.sample_rules(90), he.rules("black_lady(score.pledge=10)")], ids=["sampled", "pledge"]
)
def test_a_policy_sees_again_what_was_said_before_play(rules: he.Rules) -> None:
    rule, match = make_agent("rule"), he.Match(rules, seed=3)
    while match.phase != "play" or len(match.view(match.seat or 0).played) < 20:
        match.play(rule.act(match.view(match.seat or 0)))
    assert likelihood(match.view(match.seat or 0), match.state, rule.act_batch, epsilon=1e-9)[0] > -1


def test_a_card_that_may_still_be_refused_is_with_its_giver() -> None:
    found = 0
    for seed in range(40):
        match = he.Match("black_lady(passing.refusable=[QS,KS])", seed=seed)
        while match.phase in ("pass", "refuse"):
            seat = match.seat or 0
            view = match.view(seat)
            offered = int(view.record["offered"][seat])
            if match.phase == "pass" and int(view.record["refuser"]) >= 0 and offered:
                giver = (seat - 1) % 4
                for world in sample_worlds(view, 20).records:
                    picks = [int(kind) for kind in world["picks"][giver][:3]]
                    assert all(kind in picks for kind in range(64) if offered >> kind & 1)
                found += 1
            special = [card for card in ("QS", "KS") if card in match.legal()]
            answers = [action for action in match.legal() if action.startswith("refuse:") and action != "refuse:no"]
            match.play((special or answers or match.legal()[-1:])[0])
    assert found


@pytest.mark.parametrize("behind", [-1.0, math.nan])
def test_worlds_cannot_be_less_than_0_behind(behind: float) -> None:
    view = he.Match("black_lady(cycle=[hold])", seed=4).view(0)
    with pytest.raises(ValueError, match=r"behind=\S+ must be at least 0"):
        likelihood(view, sample_worlds(view, 2).records, make_agent("rule").act_batch, behind=behind)


def test_a_view_that_cannot_be_is_refused() -> None:
    match = he.Match("black_lady(cycle=[hold])", seed=4)
    for _ in range(5):
        match.play(match.legal()[0])
    view = match.view(match.seat or 0)
    view.record["voids"][:] = 15
    view.record["history"][0] = view.record["history"][4]
    with pytest.raises(ValueError, match="no deal agrees with this view"):
        sample_worlds(view, 3)
