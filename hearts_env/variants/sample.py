"""`sample_rules`: a public distribution over rules, the same in every process and on every machine.

Rules are drawn step by step: the seats and the pack first, then one group of fields after the other, each from a table
of its own. A step that contradicts the steps before it is left out, so every outcome is valid. Nothing is played and no
agent is asked: a game may be easy, odd or decided by luck.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from itertools import cycle, islice
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from hearts_env.cards import STANDARD_RANKS, SUITS
from hearts_env.checks import whole
from hearts_env.errors import RulesError
from hearts_env.ruleset import derived
from hearts_env.ruleset.enums import Better, Duplicates, Locked, MoonMode
from hearts_env.ruleset.model import BLACK_LADY, Rules, field_types

Changes = dict[str, Any]
Item = TypeVar("Item")
VERSIONS = (1, 2)
"""Of the distribution. Version 1 is frozen, with the words and steps of ``sample_1.json``; version 2 grows."""
SMALLEST, LARGEST = 3, 20
"""Cards of a hand."""


class Draws:
    """Random integers from a seed: SplitMix64 (Steele, Lea and Flood 2014), in whole numbers only."""

    def __init__(self, seed: int) -> None:
        self._state = seed & _WORD

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _WORD
        word = self._state
        word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 & _WORD
        word = (word ^ (word >> 27)) * 0x94D049BB133111EB & _WORD
        return ((word ^ (word >> 31)) * n) >> 64

    def chance(self, percent: int) -> bool:
        """True in so many of 100 cases."""
        return self.below(100) < percent

    def pick(self, items: Sequence[Item]) -> Item:
        """One of some items."""
        return items[self.below(len(items))]

    def weighted(self, weights: dict[Item, int]) -> Item:
        """One of some items, drawn with a probability proportional to its weight."""
        place = self.below(sum(weights.values()))
        for item, weight in weights.items():
            place -= weight
            if place < 0:
                return item
        raise AssertionError("a place is below the sum of the weights")

    def some(self, items: Sequence[Item], count: int) -> list[Item]:
        """So many different items, or all of them, in the order in which they are drawn."""
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in range(min(count, len(left)))]


class RuleDraws(Draws):
    """The random choices of a step, and the words that it may draw."""

    def __init__(self, seed: int, words: Mapping[str, Sequence[str]] | None) -> None:
        super().__init__(seed)
        self._words = words

    def words(self, path: str) -> list[str]:
        """The values of a field that is a closed choice."""
        return [str(choice) for choice in field_types()[path]] if self._words is None else [*self._words[path]]


_WORD = (1 << 64) - 1
SEATS = {2: 3, 3: 12, 4: 43, 5: 14, 6: 11, 7: 5, 8: 4, 9: 2, 10: 3, 11: 3}
"""Number of seats -> weight."""
PACKS: dict[tuple[str, ...], int] = {
    STANDARD_RANKS: 60,
    tuple("789TJQKA"): 8,
    tuple("56789TJQKA"): 6,
    tuple("9TJQKA"): 5,
    tuple("TJQKA"): 4,
    ("2", "3", "4", "5", "6", "7", "8", "9", "T", "11", "12", "J", "Q", "K", "A"): 7,
    tuple("789JQKTA"): 5,  # the ten below the ace, as in many games of Central Europe
    tuple("A23456789TJQK"): 5,  # aces low
}
"""Ranks of a suit, from the lowest -> weight."""


def sample_rules(seed: int, version: int = 1) -> Rules:
    """Rules drawn at random, as changes of Basic Hearts.

    The same seed gives the same rules in every process; consecutive seeds are independent. `hearts_env/SAMPLING.md`
    lists how often each field differs from Basic Hearts.

    >>> import hearts_env as he
    >>> rules = he.sample_rules(3)
    >>> rules == he.sample_rules(3) != he.sample_rules(4)
    True
    >>> he.rules(str(rules)) == rules
    True

    Args:
        seed: 0 or greater.
        version: version of the distribution. Version 1 never changes. In version 2 every step has random choices of its
            own, so that a rule added later changes only the draws that have it.

    Returns:
        Rules for 2 to 11 seats, of hands of 3 to 20 cards, in which some card costs or earns points.

    Raises:
        ValueError: a seed below 0, or a version that does not exist.
    """
    seed = whole("seed", seed, 0)
    if version not in VERSIONS:
        raise ValueError(f"version={version} is not possible; there are versions 1 and 2 of this distribution")
    return _first(seed) if version == 1 else _second(seed)


def _first(seed: int) -> Rules:
    frozen = _frozen()
    draws = RuleDraws(seed * 0xD1342543DE82EF95 + 1, frozen["words"])
    rules = _started(draws)
    steps = {step.name: step.change for step in STEPS}
    for name, percent in frozen["steps"]:
        if draws.chance(percent):
            rules = _changed(rules, steps[name](draws, rules)) or rules
    return _ending(draws, rules)


def _second(seed: int) -> Rules:
    rules = _started(_stream(seed, "table"))
    for name, percent, change in STEPS:
        draws = _stream(seed, name)
        if draws.chance(percent):
            rules = _changed(rules, change(draws, rules)) or rules
    return _ending(_stream(seed, "ending"), rules)


def _stream(seed: int, name: str) -> RuleDraws:
    return RuleDraws(int.from_bytes(blake2b(f"{seed} {name}".encode(), digest_size=8).digest(), "big"), None)


@cache
def _frozen() -> Any:
    """The steps of version 1, with the number of games of 100 that each changes, and the words that they draw."""
    return json.loads(Path(__file__).with_name("sample_1.json").read_text(encoding="utf-8"))


def _started(draws: RuleDraws) -> Rules:
    rules = None
    while rules is None:
        rules = _table(draws)
    return rules


def _changed(rules: Rules, changes: Changes) -> Rules | None:
    """Rules with some changes, or None if these contradict the others or leave hands or costs that are no game."""
    try:
        changed = rules.replace(**changes)
    except RulesError:
        return None
    deck = derived.build_deck(changed)
    fits = SMALLEST <= derived.hand_size(changed, deck) <= LARGEST
    return changed if fits and any(derived.card_points(changed, deck).values()) else None


# Seats and pack


def _table(draws: RuleDraws) -> Rules | None:
    """Basic Hearts for some seats and a pack that divides among them, or None if the hands are too small or large."""
    seats, ranks = draws.weighted(SEATS), draws.weighted(PACKS)
    packs = 2 if draws.chance(60 if seats > 6 else 8) else 1
    added = ["JK"] * draws.pick([2, 3, 4]) if draws.chance(7) else ["0C", "0D"] if draws.chance(2) else []
    cards = 4 * packs * len(ranks) + len(added)
    changes: Changes = {"players": seats, "deck.ranks": ranks, "deck.packs": packs, "deck.added": added}
    if packs == 2:
        changes |= {"opening.leader": "left_of_dealer", "opening.card": "any", "passing.unpassable": []}
    over = cards % seats
    way = draws.weighted({"remove": 60, "kitty": 30, "jokers": 10} if over else {"remove": 90, "kitty": 10})
    changes["deck.remainder"] = way
    if way == "remove" and over:
        changes["deck.removal_order"] = list(islice(_low_cards(ranks), over))
    elif way == "kitty":
        changes["deck.kitty_award"] = draws.pick(["first_trick", *draws.words("deck.kitty_award")])
        if not over or draws.chance(30):
            changes["deck.hand_size"] = cards // seats - 1
    if not SMALLEST <= cards // seats <= LARGEST:
        return None
    try:
        return BLACK_LADY.build(**changes)
    except RulesError:
        return None


def _low_cards(ranks: Sequence[str]) -> cycle[str]:
    """The lowest diamond, club, spade, then the next ones: cards that leave the pack until it divides."""
    return cycle([rank + suit for rank in ranks[:4] for suit in "DCS"])


# The steps


def _cards(draws: RuleDraws, rules: Rules, count: int, jokers: bool = False) -> list[str]:
    """Different cards of the pack, spades and hearts twice as often as others."""
    deck = derived.build_deck(rules)
    kinds = [card for card in deck.kinds if jokers or card[-1] in SUITS]
    return list(dict.fromkeys(draws.some([*kinds, *(card for card in kinds if card[-1] in "SH")], count)))


def _patterns(draws: RuleDraws, rules: Rules) -> list[str]:
    """One or two cards, or a rank, or hearts, or the queen of spades."""
    common = [["QS"], ["H"], ["H", "QS"], [draws.pick(rules.deck.ranks)]]
    return draws.pick([*common, _cards(draws, rules, 1), _cards(draws, rules, 2)])


def _one(path: str) -> Callable[[RuleDraws, Rules], Changes]:
    """A step that changes a closed choice or a flag to another value."""

    def step(draws: RuleDraws, rules: Rules) -> Changes:
        value = rules.flat()[path]
        if isinstance(value, bool):
            return {path: not value}
        return {path: draws.pick([word for word in draws.words(path) if word != value])}

    return step


def _where(path: str, step: Callable[[RuleDraws, Rules], Changes]) -> Callable[[RuleDraws, Rules], Changes]:
    """A step that is left out where a field is empty, 0, none or a moon that does nothing: it would change nothing."""

    def conditional(draws: RuleDraws, rules: Rules) -> Changes:
        return step(draws, rules) if rules.flat()[path] not in ((), 0, None, MoonMode.NONE) else {}

    return conditional


def _among(path: str, *values: Any) -> Callable[[RuleDraws, Rules], Changes]:
    """A step that draws one of some values."""
    return lambda draws, rules: {path: draws.pick(values)}


def _with_patterns(path: str) -> Callable[[RuleDraws, Rules], Changes]:
    """A step that draws the cards of a field as patterns."""
    return lambda draws, rules: {path: _patterns(draws, rules)}


def _values(draws: RuleDraws, rules: Rules) -> Changes:
    """The points of cards: hearts alike or by rank, the queen of spades, and up to four further cards or ranks."""
    ranks = rules.deck.ranks
    hearts = draws.weighted({"one": 45, "two": 6, "rank": 12, "honours": 12, "high": 12, "none": 13})
    values: dict[str, int] = {"H": 1}
    if hearts == "two":
        values = {"H": draws.pick([2, 3, 5])}
    elif hearts == "rank":
        values = {f"{rank}H": place + 2 for place, rank in enumerate(ranks)}
    elif hearts == "honours":
        values = {f"{rank}H": 10 if rank in "JQKA" else min(place + 2, 10) for place, rank in enumerate(ranks)}
    elif hearts == "high":
        values |= {f"{rank}H": place + 2 for place, rank in enumerate(ranks[-4:])}
    elif hearts == "none":
        values = {}
    if draws.chance(80):
        values["QS"] = draws.pick([4, 5, 7, 10, 13, 13, 13, 13, 20, 25, 26, 40])
    for card in _cards(draws, rules, draws.weighted({0: 40, 1: 30, 2: 18, 3: 8, 4: 4}), jokers=True):
        values[card] = draws.pick([-25, -13, -10, -10, -7, -5, -3, 2, 3, 5, 7, 7, 10, 10, 13, 20])
    if "JK" in rules.deck.added and draws.chance(40):
        values["JK"] = draws.pick([-5, 3, 5, 10])
    if draws.chance(12):
        values[draws.pick(ranks)] = draws.pick([-5, -2, 1, 2, 3, 5])
    return {"score.card_values": values}


def _high(draws: RuleDraws, rules: Rules) -> Changes:
    """The highest total wins, and the costs are below 0."""
    values = {card: -value for card, value in rules.score.card_values}
    return {"score.better": "high", "score.card_values": values, "end.target": None, "end.lower_target": -100}


def _gaussian(draws: RuleDraws, rules: Rules) -> Changes:
    """Totals are complex numbers: some costs are imaginary."""
    values: dict[str, int | complex] = dict(rules.score.card_values)
    for card in draws.some(list(values), 1 + draws.below(2)):
        values[card] = complex(0, complex(values[card]).real)
    better = draws.pick(["magnitude", "magnitude", "real"])
    sign = draws.pick(["plus", "hurts", "chosen"]) if better == "magnitude" else "plus"
    return {"score.better": better, "score.card_values": values, "moon.sign": sign}


def _multipliers(draws: RuleDraws, rules: Rules) -> Changes:
    gaussian = rules.score.better in (Better.MAGNITUDE, Better.REAL)
    factors = ["2", "2", "3", "-1", *(["1i", "2i"] if gaussian else [])]
    entries = {card: draws.pick(factors) for card in _cards(draws, rules, 1 + draws.below(2))}
    return {"score.multipliers": {card: f + draws.pick(["", "", "@H", "@S"]) for card, f in entries.items()}}


def _pairs(path: str) -> Callable[[RuleDraws, Rules], Changes]:
    """A step that draws a map from cards to the cards that they act on."""

    def step(draws: RuleDraws, rules: Rules) -> Changes:
        targets = [card for card, _ in rules.score.card_values]
        return {path: {card: draws.pick([*targets, card]) for card in _cards(draws, rules, 1 + draws.below(3))}}

    return step


def _sweeps(draws: RuleDraws, rules: Rules) -> Changes:
    targets = [card for card, _ in rules.score.card_values]
    required = draws.pick(["H", "+".join(_cards(draws, rules, 2)), draws.pick(rules.deck.ranks)])
    return {"score.sweeps": {required: draws.pick(targets)}}


def _sets(draws: RuleDraws, rules: Rules) -> Changes:
    parts = draws.pick([_cards(draws, rules, 2), _cards(draws, rules, 3), ["last", *_cards(draws, rules, 1)]])
    return {"score.sets": {"+".join(parts): draws.pick([-10, -5, 3, 5, 10])}}


def _tricks(draws: RuleDraws, rules: Rules) -> Changes:
    return {
        "score.tricks": draws.pick([{"each": 1}, {"each": -1}, {"last": 5}, {"first": 3, "last": -5}, {"last": 13}])
    }


def _passes(draws: RuleDraws, rules: Rules) -> Changes:
    """A cycle of one to four passes, some of them chosen by the dealer."""
    seats, entries = rules.players, []
    moves = ["left", "right", "hold", "scatter", "pool", *(f"+{n}" for n in range(2, seats - 1))]
    moves += ["left&right"] if seats > 2 else []  # for two, both neighbours are one seat
    for _ in range(draws.weighted({1: 45, 2: 20, 3: 15, 4: 20})):
        options = draws.some(moves, draws.weighted({1: 88, 2: 8, 3: 4}))
        entries.append("|".join(options))
    return {"passing.cycle": entries}


def _teams(draws: RuleDraws, rules: Rules) -> Changes:
    """Partners opposite each other, or two teams whose members take turns."""
    seats = rules.players
    if seats % 2:
        return {}
    opposite = [f"{seat}+{seat + seats // 2}" for seat in range(seats // 2)]
    by_turns = ["+".join(map(str, range(start, seats, 2))) for start in (0, 1)]
    scoring, scope = draws.pick(["sum", "sum", "individual"]), draws.pick(["player", "team"])
    return {
        "table.teams": draws.pick([opposite, by_turns]),
        "table.team_scoring": scoring,
        "moon.scope": scope,
        "passing.to_partner": True,
    }


def _opening(draws: RuleDraws, rules: Rules) -> Changes:
    how = draws.weighted({"left": 40, "suit": 20, "holder": 40})
    if how == "left":
        return {"opening.leader": "left_of_dealer", "opening.card": "any"}
    if how == "suit":
        return {"opening.card": draws.pick(["any_of_suit", "any"])}
    return {"opening.holder": draws.pick(["D", "S", "H", *_cards(draws, rules, 1)])}


def _copies(draws: RuleDraws, rules: Rules) -> Changes:
    """The one of two identical cards that wins."""
    if rules.deck.packs == 1:
        return {}
    changes: Changes = {"trick.duplicates": draws.weighted({"first": 40, "cancel": 60})}
    if changes["trick.duplicates"] == "cancel":
        changes["trick.dead_trick"] = draws.pick(["no_live_card", "two_pairs"])
        changes["trick.dead_last_trick"] = draws.pick(["leader", "second_of_top_pair"])
    if draws.chance(25):
        changes["trick.exceptions"] = {draws.pick(rules.deck.ranks): draws.pick(list(Duplicates)[:2])}
    return changes


def _extension(draws: RuleDraws, rules: Rules) -> Changes:
    return {"trick.extend_rank": draws.pick(rules.deck.ranks), "trick.extend_when": draws.pick(["any", "led_suit"])}


def _exposing(draws: RuleDraws, rules: Rules) -> Changes:
    scoring = [card for card, value in derived.card_points(rules, derived.build_deck(rules)).items() if value]
    cards = {card: card for card in draws.some([card for card in scoring if card != "JK"], 1 + draws.below(3))}
    if draws.chance(40):
        cards["AH"] = "H"
    return {
        "exposing.cards": cards,
        "exposing.factor": draws.pick([2, 2, 2, 3]),
        "exposing.lock": draws.chance(60),
    }


def _moon(draws: RuleDraws, rules: Rules) -> Changes:
    """The effect of a moon; the award is the points of its cards in most games."""
    mode = draws.weighted(
        {"none": 25, "old": 25, "new": 15, "fixed_self": 5, "new_if_old_loses": 15, "reset_or_double": 15}
    )
    changes: Changes = {"moon.mode": mode}
    if mode not in (MoonMode.NONE, MoonMode.RESET_OR_DOUBLE) and draws.chance(20):
        changes["moon.amount"] = draws.pick([10, 15, 20, 30, 40, 52])
    return changes


def _policy(draws: RuleDraws, rules: Rules) -> Changes:
    asks = rules.moon.mode in (MoonMode.CHOICE, MoonMode.NEW_IF_OLD_LOSES, MoonMode.RESET_OR_DOUBLE)
    return {"moon.policy": "auto_best"} if asks else {}


def _sun(draws: RuleDraws, rules: Rules) -> Changes:
    how = draws.weighted({"requires": 35, "amount": 40, "slate": 15, "punish": 10})
    ways: dict[str, Changes] = {
        "requires": {"moon.requires_sun": True},
        "amount": {"moon.sun_amount": draws.pick([39, 52, 78])},
        "slate": {"moon.clean_slate": True},
        "punish": {"moon.punish": draws.pick([26, 52])},
    }
    return ways[how] | ({"moon.sun_skip_first": True} if draws.chance(25) else {})


def _new_moon(draws: RuleDraws, rules: Rules) -> Changes:
    return {"moon.new_moon_min": draws.pick([20, 50]), "moon.new_moon_who": draws.pick(["shooter", "any"])}


def _least(draws: RuleDraws, rules: Rules) -> Changes:
    """A moon that needs most of the hearts only."""
    deck = derived.build_deck(rules)
    hearts = sum(deck.copies[card] for card in deck.match("H"))
    most = hearts * draws.pick([6, 7, 8]) // 10 + 1
    queens = {"QS": 1} if dict(rules.score.card_values).get("QS") and "QS" in deck.ids else {}
    return {"moon.least": {"H": most, **queens}}


def _chips(draws: RuleDraws, rules: Rules) -> Changes:
    changes: Changes = {"moon.mode": "none", "end.target": None, "score.chips": draws.pick([5, 10, 25])}
    return changes | {"score.multipliers": {}, "score.sweeps": {}, "score.tricks": {}, "score.sets": {}}


def _alone(draws: RuleDraws, rules: Rules) -> Changes:
    return {"score.alone": {card: draws.pick([20, 50]) for card, _ in rules.score.multipliers}}


def _first_trick(draws: RuleDraws, rules: Rules) -> Changes:
    return {"play.first_trick_forbidden": draws.pick([[], [], _patterns(draws, rules)])}


def _locked(draws: RuleDraws, rules: Rules) -> Changes:
    return {"play.locked": {pattern: draws.pick([*Locked]) for pattern in _patterns(draws, rules)}}


def _big_moon(draws: RuleDraws, rules: Rules) -> Changes:
    return {"moon.big_moon_deals": draws.pick([1, 2]), "moon.big_moon_effect": "fixed100"}


def _on_moon(path: str) -> Callable[[RuleDraws, Rules], Changes]:
    """A step that changes whether points of a field are scored in a deal with a moon."""
    return _where(path, _where("moon.mode", _one(f"{path}_on_moon")))


class Step(NamedTuple):
    """A step of the distribution."""

    name: str  # from version 2 on it fixes the step's random choices, and it never changes
    percent: int  # number of games of 100 that it changes
    change: Callable[[RuleDraws, Rules], Changes]


STEPS = (
    Step("table.direction", 12, _among("table.direction", -1)),
    Step("table.dealer_next", 8, lambda draws, rules: {"table.dealer_next": draws.pick(_cards(draws, rules, 2))}),
    Step("teams", 12, _teams),
    Step("opening", 30, _opening),
    Step("opening.taker", 5, lambda draws, rules: {"opening.taker": draws.pick(_cards(draws, rules, 2))}),
    Step("copies", 60, _copies),
    Step("values", 75, _values),
    Step("high", 7, _high),
    Step("gaussian", 9, _gaussian),
    Step("multipliers", 10, _multipliers),
    Step("moon.multiplied", 25, _where("score.multipliers", _among("moon.multiplied", False))),
    Step("score.alone", 25, _alone),
    Step("score.negations", 6, _pairs("score.negations")),
    Step("sweeps", 7, _sweeps),
    Step("tricks", 10, _tricks),
    Step("sets", 7, _sets),
    Step("score.no_tricks", 10, _among("score.no_tricks", -10, -5, -5, 5, 10)),
    Step("score.no_hearts", 8, _among("score.no_hearts", -5, -1, 1, 3, 5)),
    Step("score.pledge", 6, _among("score.pledge", 3, 5, 10)),
    Step("score.bonus_floor_hand", 4, _one("score.bonus_floor_hand")),
    Step("score.bonus_floor_total", 4, _one("score.bonus_floor_total")),
    Step("passing.count", 30, _among("passing.count", 1, 2, 4, 5)),
    Step("passes", 35, _passes),
    Step("passing.schedule", 8, _one("passing.schedule")),
    Step("passing.unpassable", 8, _with_patterns("passing.unpassable")),
    Step("passing.refusable", 5, _with_patterns("passing.refusable")),
    Step("play.first_trick_forbidden", 25, _first_trick),
    Step("play.first_trick_scope", 8, _one("play.first_trick_scope")),
    Step("play.heart_lead", 30, _one("play.heart_lead")),
    Step("play.break_by", 25, _one("play.break_by")),
    Step("play.break_event", 10, _one("play.break_event")),
    Step("play.lead_exception", 10, _one("play.lead_exception")),
    Step("play.forced_discard", 8, _with_patterns("play.forced_discard")),
    Step("extension", 8, _extension),
    Step("jokers.play", 40, _where("deck.added", _one("jokers.play"))),
    Step("jokers.lead", 60, _where("deck.added", _one("jokers.lead"))),
    Step("jokers.scores", 40, _where("deck.added", _one("jokers.scores"))),
    Step("exposing", 8, _exposing),
    Step("moon", 45, _moon),
    Step("policy", 30, _policy),
    Step("moon.cards", 12, _where("moon.mode", _with_patterns("moon.cards"))),
    Step("moon.least", 5, _where("moon.mode", _least)),
    Step("moon.others_score", 8, _where("moon.mode", _one("moon.others_score"))),
    Step("sun", 8, _sun),
    Step("new_moon", 6, _new_moon),
    Step("moon.extends", 6, _one("moon.extends")),
    Step("chips", 3, _chips),
    Step("moon.big_moon_deals", 15, _big_moon),
    Step("score.no_tricks_on_moon", 50, _on_moon("score.no_tricks")),
    Step("score.no_hearts_on_moon", 25, _on_moon("score.no_hearts")),
    Step("exposing.lead_lock", 25, _where("exposing.cards", _among("exposing.lead_lock", True))),
    Step("exposing.rounds", 50, _where("exposing.cards", _one("exposing.rounds"))),
    Step("play.locked", 12, _locked),
    Step("more moons", 5, _among("moon.mode", "paid", "wins")),
    Step("end.exact_wins", 5, _among("end.exact_wins", 20, 50, 75)),
    Step("score.multiplied_events", 40, _where("score.multipliers", _one("score.multiplied_events"))),
)
"""The steps in order. One that finds nothing to change, such as one about jokers in a pack without any, is left out, so
fields change less often than that.
"""


def _ending(draws: RuleDraws, rules: Rules) -> Rules:
    """A match of a usual length: some three to six deals' worth of points, or a number of deals."""
    deck = derived.build_deck(rules)
    worth = sum(abs(derived.badness(rules, points)) for points in derived.card_points(rules, deck).values())
    target = max(10, 10 * (worth * draws.pick([3, 4, 4, 5, 6]) // 10))
    ways: list[Changes] = []
    if rules.score.chips is None:
        if rules.score.better is Better.HIGH:
            ways.append({"end.lower_target": -target})
        elif draws.chance(80):
            ways.append({"end.target": target})
        else:
            ways.append({"end.target": None, "end.max_deals": draws.pick([1, 4, 6, 8, 10])})
    if draws.chance(10):
        ways.append({"end.exact": draws.pick([{50: -50, 100: -50}, {100: -100}, {target: -target}])})
        ways += [{"end.exact_optional": True}] if draws.chance(30) else []
    if draws.chance(5):
        lives = {"end.lives": draws.pick([1, 2, 3]), "end.life_threshold": max(1, worth // 2)}
        ways.append(lives | {"end.max_deals": 10, "end.lives_out": draws.pick(["end", "rank_last", "eliminate"])})
    ways += [{"end.tie": "continue"}] if draws.chance(15) else []
    ways += [{"end.target_cmp": "gt"}] if draws.chance(10) else []
    for changes in ways:
        rules = _changed(rules, changes) or rules
    return rules
