"""The record of a view, worked out from what one seat knows: its cards, the pass, and the tricks as they fell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hearts_env.cards import SUITS
from hearts_env.checks import MOST, listed, seat_of, whole
from hearts_env.compiled.game import Game
from hearts_env.kernel.records import NOBODY, STATE, Phase, new_record
from hearts_env.ruleset.enums import Schedule
from hearts_env.ruleset.syntax import brief
from hearts_env.seat.as_dict import MOST_CALLS, raise_exposed, replay_tricks
from hearts_env.seat.scratch import scratch_records
from hearts_env.seat.totals import set_scores


class OpenLeadError(ValueError):
    """Who leads to the first trick does not follow from what the seat knows."""


class DealOverError(ValueError):
    """Every card has been played."""


NO_DEAL = "no deal agrees with the cards held, passed, received and exposed"


@dataclass
class Facts:
    """The arguments of `View.of`; the lists of cards become canonical.

    Attributes:
        plays: every (seat, card) in play order.
        calls: the suits called to jokers that were led.
        own: the cards that the seat has played.
    """

    game: Game
    seat: int
    hand: Any
    tricks: Any
    passed: Any
    received: Any
    direction: str | None
    deal_number: int | None
    totals: Sequence[Any] | None
    exposed: Iterable[Any]
    pledges: Iterable[bool]
    dealer: int | None
    kitty: Any
    plays: list[tuple[int, str]] = field(init=False)
    calls: list[int] = field(init=False)
    own: list[str] = field(init=False)

    def __post_init__(self) -> None:
        game, self.seat = self.game, seat_of("seat", self.seat, self.game.seats)
        for name in ("hand", "passed", "received", "kitty"):
            setattr(self, name, game.check_copies(name, [getattr(self, name)])[0])
        self.tricks = [
            [self._pair("tricks", one) for one in listed("tricks", trick)] for trick in listed("tricks", self.tricks)
        ]
        words = [one for trick in self.tricks for one in trick]
        self.plays = [(seat, word) for seat, word in words if ":" not in word]
        self.calls = [SUITS.index(word[-1]) for _, word in words if ":" in word]
        self.own = [card for seat, card in self.plays if seat == self.seat]

    def _pair(self, name: str, one: Any) -> tuple[int, str]:
        """A seat and the name of a card or of a suit called."""
        pair = [] if isinstance(one, str) else listed(name, one)
        if len(pair) != 2:
            raise ValueError(f"{name} has {brief(one)}, which is no pair of seat and card such as (0, 'QS')")
        word = self.game.actions[self.game.action(str(pair[1]))]
        if ":" in word and not word.startswith("suit:"):
            raise ValueError(f"{name} has {word}, which is no card")
        return seat_of(f"the seat of {word}", pair[0], self.game.seats), word

    def record(self) -> Any:
        """The `STATE` record of the view. Raises ValueError, in one line, for what cannot be."""
        from hearts_env.kernel.dealing import clear_deal, clear_match

        game, states = self.game, new_record()
        s, t = states[0], game.tables
        clear_match(s, t)
        clear_deal(s, t)
        number, s["pass_entry"], s["pass_option"] = self._find_pass()
        set_scores(game, s, self.totals, number)
        s["hands"][self.seat], s["dealer"] = game.planes(self.hand), self._dealer()
        size = int(t["option_cards"][s["pass_option"]]) if s["pass_option"] >= 0 else 0
        passing = size > 0 and not (self.tricks or self.received)
        self._check_cards(size, passing)
        for name, cards in (("picks", self.passed), ("received", self.received)):
            s[name][self.seat, : len(cards)] = [game.deck.ids[card] for card in cards]
        if passing:
            s["phase"], s["picked"] = Phase.PASS, len(self.passed) % size
            s["seat"] = self.seat + (len(self.passed) == size)
        elif s["pass_option"] < 0 and not self.tricks:
            s["phase"], s["seat"] = Phase.DIRECTION, s["dealer"]
        else:
            s = self._announce(s)
        return s

    def _find_pass(self) -> tuple[int, int, int]:
        """Number of the deal, its entry of the pass cycle, and its way to pass, -1 where that is open."""
        game, number, wanted = self.game, self.deal_number, self.direction
        masks = [int(mask) for mask in game.tables["entry_options"][: int(game.tables["entries"])]]
        ways = [[option.text for place, option in enumerate(game.options) if mask >> place & 1] for mask in masks]
        drawn = game.rules.passing.schedule is Schedule.RANDOM and len(ways) > 1
        fixed = number is not None and not drawn
        places = [whole("deal_number", number, 0, MOST) % len(ways)] if fixed else range(len(ways))
        possible = ", ".join(dict.fromkeys(way for place in places for way in ways[place]))
        entry = next((place for place in places if wanted in (None, *ways[place])), NOBODY)
        if entry < 0:
            raise ValueError(f"direction={brief(wanted)} is not possible; in this deal it is one of {possible}")
        number = (0 if drawn else entry) if number is None else whole("deal_number", number, 0, MOST)
        wanted = ways[entry][0] if wanted is None and not drawn and len(ways[entry]) == 1 else wanted
        known = bool(self.passed or self.received)
        if wanted is None and (known or (drawn and not self.tricks)):
            raise ValueError(f"direction is missing; it is one of {possible}")
        if wanted is None or (self.tricks and not known and wanted != "hold"):
            return number, 0 if self.tricks else entry, NOBODY
        return number, entry, [option.text for option in game.options].index(wanted)

    def _dealer(self) -> int:
        """The dealer; by default 0, or the seat before the first leader where the rules let the next one lead."""
        if self.dealer is not None:
            return seat_of("dealer", self.dealer, self.game.seats)
        t, sits_before = self.game.tables, bool(self.plays) and not self.game.tables["opener"]
        return int(self.plays[0][0] - t["rotation"]) % self.game.seats if sits_before else 0

    def _check_cards(self, size: int, passing: bool) -> None:
        """Raise ValueError unless the cards named are of one pack, and as many as the deal needs."""
        game, seat, passed = self.game, self.seat, self.passed
        try:
            game.check_copies("cards", [self.hand, self.kitty, passed * passing, (card for _, card in self.plays)])
        except ValueError as error:
            raise ValueError(f"hand and tricks do not agree: {error}") from None
        left = game.hand_size - len(self.own) - len(passed) * passing
        if len(self.hand) != left:
            raise ValueError(
                f"the hand of seat {seat} has {len(self.hand)} cards; by what it passed and played, {left}"
            )
        if passing and len(passed) >= size + (seat < game.seats - 1):
            raise ValueError(
                f"seat {seat} passes {size} cards" + ", the last to do so: received is missing" * (len(passed) == size)
            )
        held = Counter(self.hand + self.own) - Counter(self.received)
        if not passing and (len(passed) != size or len(self.received) != size):
            raise ValueError(
                f"passed has {len(passed)} cards and received {len(self.received)}; in this deal both have {size}"
            )
        if not passing and held.total() != game.hand_size - size:
            raise ValueError(f"seat {seat} received a card that it neither holds nor played")
        if not passing and (double := held + Counter(passed) - game.deck.copies):
            raise ValueError(f"seat {seat} passed {min(double)}, but holds or played it")

    def _announce(self, s: Any) -> Any:
        """The record after what was said before play, and after the cards played."""
        game, t = self.game, self.game.tables
        for seat, card in map(self._shown, listed("exposed", self.exposed)):
            s["shown"][seat] |= np.uint64(game.mask([card]))
        raise_exposed(s, t)
        pledges = [bool(pledge) for pledge in listed("pledges", self.pledges)]
        asked = game.seats if t["score_pledge"] else 0
        if len(pledges) > asked or (self.tricks and len(pledges) < asked):
            raise ValueError(f"pledges has {len(pledges)} entries; in {game.rules} {asked} seats answer")
        s["pledges"][: len(pledges)] = pledges
        if t["exposures"] and not (self.tricks or pledges):
            s["phase"], s["seat"] = Phase.EXPOSE, self.seat
        elif len(pledges) < asked:
            s["phase"], s["seat"] = Phase.PLEDGE, len(pledges)
        else:
            return self._played(s)
        return s

    def _shown(self, one: Any) -> tuple[int, str]:
        """An exposed card and who showed it: the seat named, or the one that holds it here or has played it."""
        game, deck = self.game, self.game.deck
        card = deck.kinds[deck.kind(one)] if isinstance(one, str) else self._pair("exposed", one)[1]
        holders = [self.seat] * (card in self.hand) + [seat for seat, played in self.plays if played == card]
        if isinstance(one, str) and not holders:
            raise ValueError(f"exposed={card} needs its seat, such as (2, {card!r})")
        seat = holders[0] if isinstance(one, str) else self._pair("exposed", one)[0]
        if card not in (names := game.names([int(game.tables["exposable"])])):
            raise ValueError(f"{card} cannot be exposed in {game.rules}; {' '.join(names) or 'no card'} can")
        if seat not in holders and (seat == self.seat or len(holders) == deck.copies[card]):
            raise ValueError(f"seat {seat} cannot have exposed {card}, which it does not hold")
        return seat, card

    def _played(self, s: Any) -> Any:
        """The record in play, or while the shooter chooses."""
        game, plays, calls = self.game, self.plays, self.calls
        if len(calls) > MOST_CALLS:
            raise ValueError(f"tricks call {len(calls)} suits; at most {MOST_CALLS} are called in a deal")
        s["phase"], s["plies"] = Phase.PLAY, len(plays)
        s["called"], s["calls"] = len(calls), sum(suit << 2 * place for place, suit in enumerate(calls))
        s["history"][: len(plays)] = [game.deck.ids[card] for _, card in plays]
        s["history_seat"][: len(plays)] = [seat for seat, _ in plays]
        s["leader"] = s["seat"] = self._first_leader(s)
        complete = len(plays) == game.seats * game.hand_size
        w, lengths = self._after(s, len(plays) - complete)
        given = [sum(":" not in word for _, word in trick) for trick in self.tricks]
        for number, (one, other) in enumerate(zip(filter(None, given), lengths, strict=False), 1):
            if one != other and not (complete and one == other + 1):
                raise ValueError(f"trick {number} has {one} cards; by the rules it has {other} so far")
        if int(w["called"]) != len(calls):
            raise ValueError("tricks call a suit to a card that is no joker, or was not led")
        if not self._has_world(w):
            raise ValueError(self._fault(s))
        return self._scored(w) if complete else w

    def _first_leader(self, s: Any) -> int:
        """The seat that leads to the first trick: the tricks, the rules or the cards known name it."""
        game, t = self.game, self.game.tables
        usual = int(s["dealer"] + t["rotation"]) % game.seats
        taken = int(s["deal_number"]) > 0 and bool(t["opening_taker"])  # who took a card in the deal before leads
        if self.plays:
            leader = self.plays[0][0]
            if taken:
                s["next_leader"], s["free_lead"] = leader, True
            elif not t["opener"] and leader != usual:
                raise ValueError(f"seat {leader} cannot lead first: seat {s['dealer']} dealt, so seat {usual} leads")
            return leader
        leaders = [usual]
        if taken or t["opener"]:
            leaders = [seat for seat in range(game.seats) if taken or self._has_world(_led_by(s, seat))]
        if len(leaders) != 1:
            unknown = OpenLeadError("who leads first does not follow from these cards; name its card in tricks")
            raise unknown if leaders else ValueError(NO_DEAL)
        return leaders[0]

    def _after(self, s: Any, plies: int) -> tuple[Any, list[int]]:
        """The record after so many cards, and the lengths of the tricks until then."""
        game, seat, start = self.game, self.seat, s.copy()
        later = [card for by, card in self.plays[plies:] if by == seat]
        start["plies"], start["hands"][seat] = plies, game.planes(self.hand + later)
        w, finished, current = replay_tricks(game, start, self.plays[:plies])
        slots = np.flatnonzero(w["kitty_seat"][: int(game.tables["kitty_size"])] == seat)
        if len(self.kitty) < len(slots) or (len(self.kitty) > len(slots) and plies == len(self.plays)):
            raise ValueError(f"seat {seat} took {len(slots)} cards of the kitty; kitty names {len(self.kitty)}")
        w["kitty"][slots] = [game.deck.ids[card] for card in self.kitty[: len(slots)]]
        return w, [len(trick["cards"]) for trick in (*finished, current)]

    def _scored(self, w: Any) -> Any:
        """The record after the last card, which `w` lacks, where a decision on the score follows."""
        from hearts_env.kernel.batch import step_first

        (*_, (seat, card)), game = self.plays, self.game
        w["hands"][seat] = game.planes([card])
        step_first(np.frombuffer(w, STATE), game.table, game.deck.ids[card])
        if game.tables["kitty_size"] or w["phase"] not in (Phase.MOON, Phase.SIGN, Phase.EXACT):
            raise DealOverError("every card has been played: the deal is over")
        return w

    def _has_world(self, record: Any) -> bool:
        """True if a deal of the hidden cards agrees with a view."""
        from hearts_env.kernel.deduce.sampling import sample_all

        hidden, scratch = scratch_records()
        worlds, word = np.zeros(1, STATE), np.uint64(1)
        return bool(sample_all(record, self.game.tables, self.seat, word, hidden[0], scratch[0], worlds))

    def _fault(self, s: Any) -> str:
        """The first card that cannot have been played, and why."""
        from hearts_env.kernel.batch import legal_first

        game, plays = self.game, self.plays
        bad = next((ply for ply in range(len(plays)) if not self._has_world(self._after(s, ply)[0])), len(plays))
        if not bad:
            return f"{NO_DEAL}, and with seat {plays[0][0]} leading to the first trick"
        w, _ = self._after(s, bad - 1)
        seat, card = plays[bad - 1]
        where = f"trick {int(w['trick_number']) + 1}: seat {seat} cannot play {card}"
        if seat == self.seat:
            return f"{where}; legal: {' '.join(game.names([legal_first(np.frombuffer(w, STATE), game.table)]))}"
        if card[-1] in SUITS and w["voids"][seat] >> SUITS.index(card[-1]) & 1:
            return f"{where}: it has shown before that it holds no {card[-1]}"
        return f"{where} under these rules, whatever else it holds"


def _led_by(s: Any, seat: int) -> Any:
    led = s.copy()
    led["leader"] = led["seat"] = seat
    return led
