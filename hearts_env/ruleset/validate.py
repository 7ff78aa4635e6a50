"""The contradictions that `Rules` must not contain; each error names both sides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from hearts_env.cards import JOKER, Deck
from hearts_env.errors import RulesError
from hearts_env.ruleset import derived
from hearts_env.ruleset.enums import (
    BreakBy,
    DeadLastTrick,
    DeadTrick,
    Duplicates,
    JokerLead,
    JokerScores,
    KittyAward,
    Leader,
    OpeningCard,
    Remainder,
)
from hearts_env.ruleset.fields import DECLARATIONS, Exposing, Jokers, RuleFields, flat_fields
from hearts_env.ruleset.limits import CARDS, ENTRIES, FEW, KINDS, KITTY, OPTIONS, PICKS, PLANES
from hearts_env.ruleset.passing import PassOption, pass_schedule
from hearts_env.ruleset.syntax import brief, write_value
from hearts_env.ruleset.validate_scoring import check_scoring

MIN_SEATS, MAX_SEATS = 2, 11


def check(rules: RuleFields) -> None:
    """Raise RulesError, naming both sides, if the fields contradict each other."""
    _check_sizes(rules)
    _check_table(rules)
    _check_ranks(rules)
    deck = derived.build_deck(rules)
    _check_deck(rules, deck)
    _check_patterns(rules, deck)
    _check_opening(rules, deck)
    _check_passing(rules, deck)
    _check_tricks(rules, deck)
    _check_jokers(rules, deck)
    check_scoring(rules, deck)
    _check_exposing(rules, deck)


def _check_sizes(rules: RuleFields) -> None:
    factors = {"score.multipliers": tuple(factor for _, factor, _ in derived.multipliers(rules))}
    for path, value in flat_fields(rules).items():
        least, most = DECLARATIONS[path].least, DECLARATIONS[path].most
        for number in _numbers(factors.get(path, value)):
            if not (abs(number) <= most if isinstance(number, complex) else least <= number <= most):
                raise RulesError(
                    f"{path}={brief(write_value(value))} is not possible; numbers from {least} to {most} are"
                )


def _numbers(value: Any) -> Iterator[int | complex]:
    if isinstance(value, int | complex):
        yield value
    for part in value if isinstance(value, tuple) else ():
        yield from _numbers(part)


def _check_table(rules: RuleFields) -> None:
    table, seats = rules.table, rules.table.players
    if not MIN_SEATS <= seats <= MAX_SEATS:
        raise RulesError(f"players={seats} is not possible; Hearts is for {MIN_SEATS} to {MAX_SEATS} players")
    if table.direction not in (1, -1):
        raise RulesError(f"table.direction={table.direction} is not possible; it is 1 (to the left) or -1")
    if table.teams:
        teams = [[int(seat) for seat in team.split("+")] for team in table.teams]
        named = sorted(seat for team in teams for seat in team)
        if named != list(range(seats)) or len({len(team) for team in teams}) > 1 or len(teams) < 2:
            raise RulesError(
                f"table.teams=[{','.join(table.teams)}] and players={seats} contradict: two or more teams of equal "
                "size must name every seat once"
            )


def _check_ranks(rules: RuleFields) -> None:
    pack = rules.deck
    if not pack.ranks or len(set(pack.ranks)) != len(pack.ranks) or "0" in pack.ranks:
        raise RulesError(f"deck.ranks=[{','.join(pack.ranks)}] must name each rank of a suit once (0 is a joker's)")


def _check_deck(rules: RuleFields, deck: Deck) -> None:
    pack, seats = rules.deck, rules.players
    if len(deck) > CARDS or len(deck.kinds) > KINDS:
        raise RulesError(
            f"the pack has {len(deck)} cards of {len(deck.kinds)} kinds; at most {CARDS} of {KINDS} are possible"
        )
    for card, copies in deck.copies.items():
        if copies > PLANES:
            raise RulesError(f"the pack has {card} {copies} times; at most {PLANES} copies are possible")
    if pack.remainder is not Remainder.KITTY:
        for path, value in (("hand_size", pack.hand_size), ("kitty_award", pack.kitty_award)):
            if value not in (None, KittyAward.FIRST_TRICK):
                raise RulesError(f"deck.{path}={value} needs a kitty, but deck.remainder={pack.remainder}; use kitty")
    hand = derived.hand_size(rules, deck)
    if hand < 1 or seats * hand > len(deck):
        raise RulesError(f"deck.hand_size={hand} is not possible: {len(deck)} cards among players={seats}")
    if derived.kitty_size(rules, deck) > KITTY:
        raise RulesError(
            f"deck.hand_size={hand} leaves {derived.kitty_size(rules, deck)} cards for the kitty; at most "
            f"{KITTY} are possible"
        )


def _check_patterns(rules: RuleFields, deck: Deck) -> None:
    score = rules.score
    named: dict[str, Iterable[str]] = {
        "passing.unpassable": rules.passing.unpassable,
        "passing.refusable": rules.passing.refusable,
        "play.break_by": ["QS"] if rules.play.break_by is BreakBy.QS else [],
        "play.forced_discard": rules.play.forced_discard,
        "play.locked": [pattern for pattern, _ in rules.play.locked],
        "trick.exceptions": [pattern for pattern, _ in rules.trick.exceptions],
        "exposing.cards": [pattern for pair in rules.exposing.cards for pattern in pair],
        "score.card_values": [pattern for pattern, _ in score.card_values],
        "score.negations": [pattern for pair in score.negations for pattern in pair],
        "score.multipliers": [m.card for m in derived.multipliers(rules)]
        + [m.scope for m in derived.multipliers(rules) if m.scope is not None],
        "score.sweeps": [p for left, right in score.sweeps for p in (*derived.sweep_patterns(left), right)],
        "moon.cards": rules.moon.cards,
        "moon.least": [pattern for pattern, _ in rules.moon.least],
        "opening.taker": [rules.opening.taker] if rules.opening.taker else [],
        "table.dealer_next": [rules.table.dealer_next] if rules.table.dealer_next != "left" else [],
    }
    for path, patterns in named.items():
        for pattern in patterns:
            if not deck.match(pattern):
                raise RulesError(f"{path} names {pattern}, but the pack of {len(deck)} cards has none")
    maps: dict[str, Sequence[tuple[str, Any]]] = {
        "trick.exceptions": rules.trick.exceptions,
        "exposing.cards": rules.exposing.cards,
        "score.alone": score.alone,
        "moon.least": rules.moon.least,
    }
    for path, pairs in maps.items():
        if len(dict(pairs)) != len(pairs):
            raise RulesError(f"{path} names a card twice")


def _check_opening(rules: RuleFields, deck: Deck) -> None:
    opening, pack = rules.opening, rules.deck
    opener = derived.opening_card(rules, deck)
    if opening.leader is Leader.LEFT_OF_DEALER and opening.card is not OpeningCard.ANY:
        raise RulesError(
            f"opening.leader=left_of_dealer and opening.card={opening.card} contradict: that seat need not hold "
            "such a card; use opening.card=any"
        )
    both, dealt = opening.card is OpeningCard.BOTH, pack.remainder is not Remainder.KITTY
    if both and not (deck.copies[opener] > 1 and dealt):
        why = f"{opener} occurs once" if dealt else "a copy may lie in the kitty"
        raise RulesError(
            f"opening.card=both needs two of the opening card in hands, but {why}; use opening.card=forced"
        )
    if opening.leader is Leader.HOLDER and deck.copies[opener] > 1 and not both:
        raise RulesError(
            f"opening.leader=holder and the pack contradict: {opener} occurs {deck.copies[opener]} times, so nobody "
            f"alone holds it; use {'opening.card=both, or ' * dealt}opening.leader=left_of_dealer with opening.card=any"
        )
    for path, card in (("opening.taker", opening.taker), ("table.dealer_next", rules.table.dealer_next)):
        if card is not None and deck.copies[card] > 1:
            raise RulesError(f"{path}={card} is in the pack {deck.copies[card]} times; name a card that is there once")
    if pack.kitty_award is KittyAward.OUT_OF_PLAY and opening.holder not in "CDHS" and opening.leader is Leader.HOLDER:
        raise RulesError(f"opening.holder={opening.holder} may lie in the kitty, out of play; name a suit")


def _check_refusable(rules: RuleFields, deck: Deck, schedule: Sequence[Sequence[PassOption]]) -> None:
    cards = derived.refusable_cards(rules, deck)
    if len(cards) > FEW:
        raise RulesError(f"passing.refusable names {len(cards)} cards; at most {FEW} are possible")
    for option in (option for entry in schedule for option in entry if rules.passing.refusable):
        if len(option.moves) > 1 or any(move.offset == 0 for move in option.moves):
            raise RulesError(
                f"passing.refusable needs one receiver for the cards of a seat, but a pass may be {option.text}"
            )


def _check_passing(rules: RuleFields, deck: Deck) -> None:
    passing = rules.passing
    if passing.count < 1:
        raise RulesError(f"passing.count={passing.count} must be at least 1; for no passing use passing.cycle=[hold]")
    entries = pass_schedule(passing.cycle, rules.table.players, passing.count)
    ways = len({option for entry in entries for option in entry})
    if len(entries) > ENTRIES or ways > OPTIONS:
        raise RulesError(
            f"passing.cycle has {len(entries)} entries and {ways} ways to pass; at most {ENTRIES} and {OPTIONS} are "
            "possible"
        )
    _check_refusable(rules, deck, entries)
    hand = derived.hand_size(rules, deck)
    for entry in entries:
        if len(set(entry)) != len(entry):
            raise RulesError(f"the dealer's choice {'|'.join(o.text for o in entry)} offers the same pass twice")
        for option in entry:
            _check_option(rules, option, hand)
    if passing.schedule == "random" and any(len(entry) > 1 for entry in entries):
        raise RulesError("passing.schedule=random and a dealer's choice in passing.cycle contradict; keep one of them")


def _check_option(rules: RuleFields, option: PassOption, hand: int) -> None:
    total = sum(move.count for move in option.moves)
    if total > hand:
        raise RulesError(f"the pass {option.text} moves {total} cards, but a hand has {hand}")
    if total > PICKS:
        raise RulesError(f"the pass {option.text} moves {total} cards; at most {PICKS} are possible")
    team, seats = derived.team_of(rules), rules.players
    partner = any(
        move.offset and team[seat] == team[(seat + move.offset) % seats]
        for move in option.moves
        for seat in range(seats)
    )
    if partner and not rules.passing.to_partner:
        raise RulesError(f"the pass {option.text} goes to a partner, but passing.to_partner=false")
    if rules.table.teams and any(move.offset == 0 for move in option.moves) and not rules.passing.to_partner:
        raise RulesError(f"the pass {option.text} may go to a partner, but passing.to_partner=false")


def _check_tricks(rules: RuleFields, deck: Deck) -> None:
    trick = rules.trick
    cancel = trick.duplicates is Duplicates.CANCEL
    for path, value, default in (
        ("dead_trick", trick.dead_trick, DeadTrick.NO_LIVE_CARD),
        ("dead_last_trick", trick.dead_last_trick, DeadLastTrick.LEADER),
    ):
        if value != default and not cancel:
            raise RulesError(f"trick.{path}={value} is about cancelled cards, but trick.duplicates={trick.duplicates}")
    if (cancel or trick.exceptions) and not any(deck.copies[card] > 1 for card in deck.kinds if card != JOKER):
        what = "trick.duplicates=cancel" if cancel else "trick.exceptions"
        raise RulesError(f"{what} needs two of a card, but deck.packs={rules.deck.packs} has one of each")
    for pattern, rule in trick.exceptions:
        if rule is Duplicates.CANCEL:
            raise RulesError(f"trick.exceptions has {pattern}:cancel; an exception says first or last")
    if trick.extend_rank is not None and trick.extend_rank not in rules.deck.ranks:
        raise RulesError(f"trick.extend_rank={trick.extend_rank} is not among deck.ranks")
    if trick.extend_rank is not None and cancel:
        raise RulesError(
            "trick.extend_rank and trick.duplicates=cancel contradict: pairs across the two rounds are not defined"
        )
    if trick.extend_rank is None and trick.extend_when != "any":
        raise RulesError(f"trick.extend_when={trick.extend_when} needs trick.extend_rank, which is none")


def _check_jokers(rules: RuleFields, deck: Deck) -> None:
    jokers = rules.jokers
    if JOKER not in deck.ids:
        if jokers != Jokers():
            raise RulesError("a field of jokers is set, but the pack has no JK; add some with deck.added=[JK,JK]")
        return
    if jokers.scores is JokerScores.HEART_TRICK and not derived.card_points(rules, deck)[JOKER]:
        raise RulesError("jokers.scores=heart_trick has nothing to score: score.card_values gives JK no points")
    if len(deck.match_all("CDHS")) == 0 and jokers.lead is JokerLead.NEVER:
        raise RulesError("jokers.lead=never needs other cards to lead")


def _check_exposing(rules: RuleFields, deck: Deck) -> None:
    exposing = rules.exposing
    if not exposing.cards:
        if exposing != Exposing():
            raise RulesError("exposing.factor or another field of exposing is set, but exposing.cards is empty")
        return
    points, cards = derived.card_points(rules, deck), {m.card for m in derived.multipliers(rules)}
    for card, pattern in exposing.cards:
        if card == JOKER or deck.copies[card] > 1:
            raise RulesError(f"exposing.cards names {card}, of which the pack has more than one or which has no suit")
        if not any(points[name] or name in cards for name in deck.match(pattern)):
            raise RulesError(f"exposing.cards has {card}:{pattern}, but {pattern} scores nothing")
