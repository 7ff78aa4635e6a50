"""What the oracle notes of a match: the rare things that a test may want to have happened."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hearts_env.ruleset.model import Rules
from tests.oracle.end import Sheet, best_is_shared
from tests.oracle.moon import Deal, sweepers, took_the_cards
from tests.oracle.rules import JOKER, named_by, suit
from tests.oracle.score import Tally

if TYPE_CHECKING:
    from tests.oracle.game import Oracle


def note_card(oracle: Oracle, name: str) -> None:
    """Note what is special about a card just before it is played."""
    seen, rules, leading = oracle.seen, oracle.rules, not oracle.trick
    when = rules.play.heart_lead
    heart_waits = suit(name) == "H" and (when == "never" or (when == "broken" and not oracle.broken))
    seen["heart led by exception"] += leading and heart_waits
    seen["ban waived"] += oracle.tricks_played == 0 and named_by(rules.play.first_trick_forbidden, name)
    seen["heart led"] += leading and suit(name) == "H"
    seen["joker led"] += leading and name == JOKER
    follows = bool(oracle.trick) and any(suit(card) == suit(oracle.trick[0]) for card in oracle.hands[oracle.turn])
    seen["joker instead of following"] += follows and name == JOKER
    void = bool(oracle.trick) and not follows
    seen["forced discard"] += void and named_by(rules.play.forced_discard, name)
    locked = any(named_by([pattern], name) for pattern, barred in rules.play.locked if leading or barred == "play")
    seen["locked card played"] += locked and not oracle.broken
    seen["shown card played"] += name in oracle.exposed


def note_deal(seen: Counter[str], rules: Rules, deal: Deal, sheet: Sheet, tally: Tally) -> None:
    """Note what is special about a deal just before its points are added to the sheet."""
    takers, shooter = sweepers(rules, deal), tally.shooter
    alone = any(took_the_cards(rules, cards, deal.out_of_play) for cards in deal.taken)
    seen["everything taken"] += bool(takers)
    seen["no award"] += bool(takers) and shooter is None
    seen["shot"] += shooter is not None
    seen["together"] += shooter is not None and not alone
    seen["clean slate"] += tally.way == "clean"
    seen["idle joker"] += any(deal.idle)
    seen["pool kept"] += tally.pool > 0
    for seat in range(rules.table.players):
        _note_seat(seen, rules, deal, sheet, tally, seat)


def _note_seat(seen: Counter[str], rules: Rules, deal: Deal, sheet: Sheet, tally: Tally, seat: int) -> None:
    score, winners = rules.score, deal.winners
    won = winners.count(seat)
    seen["no tricks"] += won == 0
    seen["every trick"] += won == len(winners)
    seen["all but the first"] += won == len(winners) - 1 and winners[0] != seat
    haul = deal.haul(rules, seat)
    seen["hand floor"] += score.bonus_floor_hand and haul.score() < 0 and seat != tally.shooter
    seen["total floor"] += score.bonus_floor_total and sheet.totals[seat] + tally.points[seat] < 0
    seen["alone"] += haul.is_alone()
    seen["multiplied"] += haul.whole_factor() != 1 and haul.score() != 0
    seen["negated"] += any(
        key in haul.cards and any(named_by([pattern], card) for card in haul.cards) for key, pattern in score.negations
    )


def note_end(seen: Counter[str], rules: Rules, before: Sheet, after: Sheet, *, over: bool, ends: bool) -> None:
    """Note what is special about the end of a deal or of the match; `before`: the sheet before lives and moons."""
    seen["played on"] += ends and not over
    seen["exact win"] += over and rules.end.exact_wins in after.totals
    seen["shared"] += over and best_is_shared(rules, after)
    seen["life lost"] += before.lives != after.lives
    seen["put off"] += after.moon_extension and not before.moon_extension
