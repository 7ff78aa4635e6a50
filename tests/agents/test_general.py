"""The network for all rules: its layers in every game, on disk, and as an agent."""

from __future__ import annotations

import hashlib
import warnings
from dataclasses import asdict
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

import hearts_env as he
from hearts_agents import make_agent
from hearts_agents.arena import run_arena
from hearts_agents.base import UnreadRules
from hearts_env.compiled import names as names_module
from hearts_env.compiled.game import Game, compile_game
from hearts_env.compiled.names import names as names_of
from hearts_env.compiled.statics import CARD_TERMS, SEAT_TERMS
from tests.support.games import COVERING
from tests.support.marks import few

torch = pytest.importorskip("torch")

from hearts_agents.neural import NetAgent  # noqa: E402
from hearts_agents.neural.features import FACTS, NOTHING, columns_of, suit_order, suit_orders, told_statics  # noqa: E402
from hearts_agents.neural.forward import Network  # noqa: E402
from hearts_agents.neural.general import layers_of  # noqa: E402
from hearts_agents.neural.inputs import input_size, network_inputs  # noqa: E402
from hearts_agents.neural.known import (  # noqa: E402
    AXES,
    _listed,
    _placed,
    first_digest,
    known_names,
    with_all_names,
)
from hearts_agents.neural.policy import arrays_of, load_policy, save_policy  # noqa: E402
from hearts_agents.neural.rulesnet import RulesNet, described, load_general, save_general  # noqa: E402
from hearts_agents.neural.saved import GENERAL, GeneralInfo  # noqa: E402
from hearts_agents.neural.sealed import write_network  # noqa: E402
from hearts_training.cli import main  # noqa: E402

TEXTS = list(COVERING)


@pytest.fixture(scope="module")
def net() -> RulesNet:
    with torch.random.fork_rng():
        torch.manual_seed(0)
        made = RulesNet(width=16, depth=2, code=8)
        for parameter in made.parameters():
            torch.nn.init.normal_(parameter, std=0.2)
    return made.eval()


def in_order(net: RulesNet, game: Game) -> Network:
    """Its layers of a game, with suits that the rules do not tell apart in the order of the pack."""
    return layers_of(arrays_of(net), game, "", suit_order(game))


@pytest.mark.parametrize("text", TEXTS)
def test_every_game_has_layers_of_its_size(net: RulesNet, text: str) -> None:
    game = compile_game(he.rules(text))
    (layers,) = net.layers([described(game)])
    assert layers.first.shape == (input_size(game), net.width)
    assert layers.head.shape == (len(game.actions), net.width)
    columns = columns_of(game, suit_order(game))
    assert columns.inputs == input_size(game)
    assert len(columns.fact) == columns.inputs + (game.seats - 1) * len(game.deck.kinds)
    assert columns.fact.max() == len(FACTS) - 1


def test_gradients_do_not_depend_on_the_order_in_which_threads_finish() -> None:
    """Otherwise a training on two threads would not repeat with its seed."""
    net, threads = RulesNet(64, 2, 32), torch.get_num_threads()
    games = [described(compile_game(he.rules(text))) for text in TEXTS[:4]]
    found = set()
    torch.set_num_threads(2)
    try:
        for _ in range(6):
            net.zero_grad()
            parts = [part for layers in net.layers(games) for part in layers if part is not None]
            torch.stack([part.square().sum() for part in parts]).sum().backward()
            found.add(b"".join(one.grad.numpy().tobytes() for one in net.parameters() if one.grad is not None))
    finally:
        torch.set_num_threads(threads)
    assert len(found) == 1


def test_layers_made_together_are_those_made_alone(net: RulesNet) -> None:
    games = [described(compile_game(he.rules(text))) for text in TEXTS[:6]]
    for game, layers in zip(games, net.layers(games), strict=True):
        (alone,) = net.layers([game])
        for one, other in zip(layers, alone, strict=True):
            torch.testing.assert_close(one, other)


@pytest.mark.parametrize("text", few(TEXTS, 12))
def test_a_game_is_played_by_the_layers_that_are_learned(net: RulesNet, text: str) -> None:
    match = he.Match(text, seed=4)
    assert match.seat is not None
    inputs, masks = network_inputs(he.Views.of(match.view(match.seat)))
    (layers,) = net.layers([described(match.game)])
    rows, kinds, first = torch.from_numpy(inputs), len(match.game.deck.kinds), int(match.game.tables["obs_size"])
    own = rows[:, first : first + 6 * kinds].view(1, 6, kinds)
    wanted = net.outputs(layers, torch.addmm(layers.bias, rows, layers.first), own).detach().numpy()
    found = in_order(net, match.game).logits(inputs, np.ones_like(masks))
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("sizes", [(32, 2), (48, 3)])
def test_a_grown_network_plays_as_before(net: RulesNet, sizes: tuple[int, int]) -> None:
    match = he.Match("likha", seed=4)
    assert match.seat is not None
    inputs, masks = network_inputs(he.Views.of(match.view(match.seat)))
    with torch.random.fork_rng():
        larger = net.grown(*sizes)
    wanted, found = (one.network(match.game).logits(inputs, np.ones_like(masks)) for one in (net, larger))
    tolerance = 1e-3 if sizes[1] == net.depth else 0.1 * wanted.std()  # a further layer does something
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=tolerance)
    halves = larger.state_dict()["hidden.0.weight"].chunk(sizes[0] // net.width, 1)
    assert not torch.allclose(halves[0], halves[1])


@pytest.mark.parametrize("sizes", [(8, 2), (24, 2), (16, 1)])
def test_a_network_grows_to_multiples_only(net: RulesNet, sizes: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="policy of width 16 and depth 2 grows to a multiple of that width"):
        net.grown(*sizes)


@pytest.mark.parametrize("text", few(TEXTS, 12))
def test_its_layers_of_a_game_become_an_ordinary_policy(net: RulesNet, text: str, tmp_path: Path) -> None:
    match = he.Match(text, seed=4)
    assert match.seat is not None
    inputs, masks = network_inputs(he.Views.of(match.view(match.seat)))
    policy = net.policy(match.game)
    wanted = in_order(net, match.game).logits(inputs, masks)
    found = policy(torch.from_numpy(inputs), torch.from_numpy(masks)).detach().numpy()
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-3)
    save_policy(tmp_path, policy, text)
    read = load_policy(tmp_path)[0](torch.from_numpy(inputs), torch.from_numpy(masks))
    np.testing.assert_array_equal(read.detach().numpy(), found)
    again = NetAgent(tmp_path).network(match.game).logits(inputs, masks)
    np.testing.assert_allclose(again, wanted, rtol=1e-4, atol=1e-3)


def test_a_changed_card_value_changes_the_layers(net: RulesNet) -> None:
    games = [described(compile_game(he.rules(f"black_lady(card_values={{H:1,QS:{value}}})"))) for value in (13, 12)]
    one, other = net.layers(games)
    assert not torch.equal(one.first, other.first)


def test_a_network_can_be_told_nothing_or_other_rules() -> None:
    game = compile_game(he.rules("black_lady"))
    own, none = told_statics(game), told_statics(game, NOTHING)
    assert [part.shape for part in none] == [part.shape for part in own]
    assert not none.rules.any()
    assert not none.suits.any()
    for part, same, terms, number in ((none.cards, own.cards, CARD_TERMS, 4), (none.seats, own.seats, SEAT_TERMS, 8)):
        names = [name for place, name in enumerate(terms) if part[:, place].any()]
        assert len(names) == number, names
        for place, name in enumerate(terms):
            np.testing.assert_array_equal(part[:, place], same[:, place] if name in names else 0)
    assert len({tuple(row) for row in none.cards.tolist()}) == 13
    with_teams = told_statics(compile_game(he.rules("partnership_hearts")), NOTHING)
    np.testing.assert_array_equal(with_teams.seats, none.seats)
    other = told_statics(game, "rickety_kate(players=5)")
    assert [part.shape for part in other] == [part.shape for part in own]
    assert not np.array_equal(other.rules, own.rules)
    for one, equal in zip(own, told_statics(game, str(game.rules)), strict=True):
        np.testing.assert_array_equal(one, equal)
    with pytest.raises(ValueError, match="plays one game and reads no rules"):
        make_agent("net(black_lady, told=nothing)")


@pytest.mark.exhaustive
def test_what_it_is_told_matters() -> None:
    result = run_arena(["net(hearts, told=nothing)", "net:hearts"], "spot_hearts", deals=60, seed=1)
    assert result.agents[0].margin > 2 * result.agents[0].margin_se


def test_suits_are_ordered_by_the_rules() -> None:
    places = {text: suit_order(compile_game(he.rules(text))) for text in ("black_lady", "black_lady(opening.holder=D)")}
    assert places["black_lady"] == (2, 3, 0, 1, 4)
    assert places["black_lady(opening.holder=D)"] == (3, 2, 0, 1, 4)


SYMMETRIC = {
    "black_maria": "CD",
    "pip_hearts": "DS",
    "black_lady(opening.leader=left_of_dealer, opening.card=any, first_trick_forbidden=[], card_values={H:1})": "CDS",
    "black_lady(opening.leader=left_of_dealer, opening.card=any, jokers.lead=call, deck.added=[JK,JK])": "CD",
}
"""Rules, and the suits that they do not tell apart."""


@pytest.mark.parametrize("text", list(SYMMETRIC))
def test_renaming_suits_that_the_rules_do_not_tell_apart_renames_what_it_answers(net: RulesNet, text: str) -> None:
    suits = SYMMETRIC[text]
    names = str.maketrans(suits, suits[1:] + suits[0])
    match = he.Match(text, seed=3)
    game, passing = match.game, match.phase == "pass"
    renamed = [[card.translate(names) for card in hand] for hand in match.hands]
    other = he.Match.from_hands(text, renamed, passing=passing, leader=None if passing else match.seat)
    places = [game.actions.index(name.translate(names)) for name in game.actions]
    assert len(suit_orders(game)) == len(list(permutations(suits)))
    network, random = net.network(game), np.random.default_rng(1)
    while not match.over and match.deal_number == 0:
        assert match.seat is not None
        (inputs, masks), (rows, others) = (network_inputs(he.Views.of(one.view(match.seat))) for one in (match, other))
        assert np.array_equal(others[:, places], masks)
        np.testing.assert_allclose(network.logits(rows, others)[:, places], network.logits(inputs, masks), atol=1e-3)
        action = int(random.choice(np.flatnonzero(masks[0])))
        match.play(action)
        other.play(places[action])
    assert match.totals == other.totals


def test_it_is_read_back_as_written_and_plays_any_game(net: RulesNet, tmp_path: Path) -> None:
    info = save_general(tmp_path / "net", net, {"deals": 3})
    read, again = load_general(tmp_path / "net")
    assert again == info
    assert info.names == known_names()
    for name, value in net.state_dict().items():
        assert torch.equal(read.state_dict()[name], value)
    agent = make_agent(f"net:{tmp_path / 'net'}")
    for text in (*TEXTS[:4], str(he.sample_rules(5))):
        match = he.Match(text, seed=2)
        for _ in range(8):
            seat = match.seat
            assert seat is not None
            view = match.view(seat)
            action = agent.act(view)
            assert action in view.legal_ids()
            match.play(action)


DROPPED = {
    "cards": "exposable", "suits": "opens", "rules": "exposing.lock", "options": "pool", "seats": "opposite",
    "decisions": "expose", "words": "done", "facts": "exposed", "counts": "known",
}  # fmt: skip
"""Of each table a name that a network of an earlier release does not know."""


def save_older(folder: Path, net: RulesNet) -> RulesNet:
    """Save a network as an earlier release, without the names above, would have; returns one that plays like it."""
    known = {table: tuple(name for name in of if name != DROPPED[table]) for table, of in known_names().items()}
    assert all(len(of) < len(known_names()[table]) for table, of in known.items())
    weights = arrays_of(net)
    for name, (axis, tables) in AXES.items():
        old, new = (_listed(tables, of) for of in (known_names(), known))
        weights[name] = _placed(weights[name], axis, old, new)
    info = GeneralInfo(known, net.width, net.depth, net.code, (net.width,) * (net.depth + 1), {})
    write_network(folder, GENERAL, asdict(info), weights)
    equal = RulesNet(net.width, net.depth, net.code)
    equal.load_state_dict({name: torch.tensor(value) for name, value in with_all_names(weights, known).items()})
    return equal


def test_a_network_of_an_earlier_release_plays_what_it_knows_as_before(net: RulesNet, tmp_path: Path) -> None:
    equal = save_older(tmp_path / "net", net)
    read, info = load_general(tmp_path / "net")
    assert DROPPED["cards"] not in info.names["cards"]
    for name, value in net.state_dict().items():
        assert torch.equal(read.state_dict()[name], equal.state_dict()[name])
        assert (name in AXES) != torch.equal(value, read.state_dict()[name])
    column = known_names()["cards"].index(DROPPED["cards"])
    assert not read.state_dict()["cards.0.weight"][:, column].any()
    assert torch.equal(read.state_dict()["cards.0.weight"][:, :column], net.state_dict()["cards.0.weight"][:, :column])
    save_general(tmp_path / "again", read)
    inputs = {table: known_names()[table] for table in ("facts", "counts")}
    assert load_general(tmp_path / "again")[1].names == {**info.names, **inputs}
    equal.get_parameter("rules.0.weight").data[0, known_names()["rules"].index(DROPPED["rules"])] = 0.1
    equal.facts.data[FACTS.index("hidden")] = 0
    save_general(tmp_path / "learned", equal)
    names = load_general(tmp_path / "learned")[1].names
    assert DROPPED["rules"] in names["rules"]
    assert names["facts"] == tuple(fact for fact in FACTS if fact != "hidden")


def test_a_game_whose_rules_a_network_does_not_read_is_played_with_a_warning(
    net: RulesNet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_older(tmp_path / "net", net)
    agent = NetAgent(tmp_path / "net")
    names = r"exposable, opens, opposite and 4 more, which turbo_hearts uses"
    with pytest.warns(UnreadRules, match=names):
        agent.act(he.Match("turbo_hearts", seed=1).view(0))
    with pytest.warns(UnreadRules, match=names) as shown:
        run_arena([f"net:{tmp_path / 'net'}", "random"], "turbo_hearts", deals=4, seed=1, processes=2)
    assert len(shown) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("always")  # Python forgets what it showed, as after some imports
        assert main(["arena", f"net:{tmp_path / 'net'}", "random", "--variant", "turbo_hearts", "--deals", "4"]) == 0
    assert capsys.readouterr().err.count("was trained without exposable") == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        agent.act(he.Match("turbo_hearts", seed=1).view(0))
        NetAgent("hearts").act(he.Match("turbo_hearts", seed=1).view(0))


def test_the_names_of_version_1_are_frozen() -> None:
    assert first_digest() == "20c5178ca4a84362"
    assert names_of(1).decisions == names_of().decisions[: len(names_of(1).decisions)]
    content = Path(names_module.__file__).with_name("names_1.json").read_bytes()
    assert hashlib.sha256(content).hexdigest()[:16] == "ec688e1419ded874"
