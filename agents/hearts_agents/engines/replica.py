"""A seat's view rebuilt from messages: `hearts engine` plays on it, and the arena compares views with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from hearts_agents.engines import fields
from hearts_agents.engines.messages import Unchecked
from hearts_env.compiled.game import Game
from hearts_env.kernel.records import NOBODY, STATE, Phase
from hearts_env.play.setup import check_copies, planes
from hearts_env.play.view import PHASES, View, view_of

SEAT_STANDING = {"lives": ("lives", -1), "lost_at": ("lost_at", -1), "streak": ("streak", 0)}
"""Field of the message `deal` with a value per seat -> field of the `STATE` record, least value."""
MATCH_STANDING = {
    "pool": ("pool", 10**6),
    "due": ("tie_pending", 1),
    "extended": ("moon_extension", 1),
    "deal_limit": ("deal_limit", 10**9),
}
"""Field of the message `deal` with one value -> field of the `STATE` record, greatest value; 0 is the least."""
SILENT = (Phase.PASS, Phase.EXPOSE, Phase.PLEDGE, Phase.EXACT)
"""Phases in which the turn goes from seat to seat without a message."""


class Replica:
    """The table as one seat knows it, updated by `apply`. Cards that are hidden from the seat are absent.

    Attributes:
        game: the compiled rules.
        seat: whose view it is.
        record: the `STATE` record; at each decision of the seat it equals the record of the seat's view, except for
            scratch fields.
        led: whether the opening leader has been named.
        over: whether the deal is over, or none has begun.
        kitty_known: places of the kitty whose cards are known.
    """

    def __init__(self, game: Game, seat: int) -> None:
        self.game, self.seat = game, seat
        self._states = np.zeros(1, STATE)
        self.record: Any = self._states[0]
        self.led = False
        self.over = True
        self.kitty_known: set[int] = set()
        self._deal_limit = 0

    def apply(self, message: Unchecked) -> None:
        """Update the table by a message; types without information for it are ignored.

        Raises:
            ValueError: the message is impossible here; one line.
        """
        kind = str(message["type"])
        if kind not in self._HANDLERS:
            return
        if self.over and kind != "deal":
            raise ValueError(f"the message {kind} needs a deal under way; deal begins one")
        self._HANDLERS[kind](self, message)

    def view(self) -> View:
        """The seat's view."""
        view = view_of(self.game, self._states, self.seat)
        view.record["deal_limit"] = self._deal_limit
        return view

    # The start of a deal

    def _deal(self, message: Unchecked) -> None:
        from hearts_env.kernel.dealing import clear_deal, clear_match

        s, t = self._states[0], self.game.tables
        dealer, entry = self._seat(message, "dealer"), self._entry(message)
        leader = NOBODY if message.get("leader") is None else self._seat(message, "leader")
        scored = s["scored"].copy()
        self._states[:] = np.zeros(1, STATE)
        s["scored"] = scored
        s["deal_number"] = fields.number(message, "number", 0, 10**9)
        s["dealer"] = dealer
        s["hands"][self.seat] = planes(self.game, self._hand(message))
        s["totals"][: self.game.seats] = fields.scores(message, self.game, "totals")
        clear_match(s, t)
        clear_deal(s, t)
        self._set_standing(message)
        self.led, self.over, self.kitty_known = False, False, set()
        self._open(entry, leader)

    def _entry(self, message: Unchecked) -> int:
        entries = int(self.game.tables["entries"])
        return NOBODY if message.get("entry") is None else fields.number(message, "entry", 0, entries - 1)

    def _hand(self, message: Unchecked) -> list[str]:
        fields.kinds(message, self.game, "hand")
        hand = check_copies(self.game, [fields.words(message, "hand")])[0]
        if len(hand) != self.game.hand_size:
            raise ValueError(f"the message deal: the hand has {len(hand)} cards; it is {self.game.hand_size} cards")
        return hand

    def _set_standing(self, message: Unchecked) -> None:
        s, seats = self.record, self.game.seats
        for key, (name, low) in SEAT_STANDING.items():
            if key in message:
                s[name][:seats] = fields.per_seat(message, self.game, key, low, 100)
        for key, (name, high) in MATCH_STANDING.items():
            if key in message:
                s[name] = fields.number(message, key, 0, high)
        self._deal_limit = int(s["deal_limit"])
        s["deal_limit"] = s["deal_number"] + 1  # so that the kernel's scoring does not start the next deal

    def _open(self, entry: int, leader: int) -> None:
        from hearts_env.kernel.before_play import after_pass, begin

        s, t = self.record, self.game.tables
        if entry >= 0:
            s["next_leader"] = leader
            begin(s, t, entry)
            return
        s["pass_option"] = NOBODY
        s["named_leader"] = leader
        after_pass(s, t)

    # Before play

    def _direction(self, message: Unchecked) -> None:
        self._decide(message, f"direction:{fields.word(message, 'direction')}", Phase.DIRECTION)

    def _pass(self, message: Unchecked) -> None:
        from hearts_env.kernel.tricks import remove_card

        s = self.record
        for kind in fields.kinds(message, self.game):
            if s["phase"] != Phase.PASS or s["picked"] >= self._pass_size() or not self._holds(kind):
                raise ValueError(f"the message pass: {self.game.deck.kinds[kind]} cannot be passed now")
            remove_card(s["hands"], self.seat, kind)
            s["picks"][self.seat, s["picked"]] = kind
            s["picked"] += 1

    def _receive(self, message: Unchecked) -> None:
        from hearts_env.kernel.before_play import after_pass

        s, cards = self.record, fields.kinds(message, self.game)
        if s["phase"] != Phase.PASS or not s["picked"] == len(cards) == self._pass_size():
            raise ValueError(f"the message receive: {len(cards)} cards cannot be received now")
        hand = self.view().hand + [self.game.deck.kinds[kind] for kind in cards]
        s["hands"][self.seat] = planes(self.game, check_copies(self.game, [hand])[0])
        s["received"][self.seat, : len(cards)] = cards
        s["picked"] = 0
        after_pass(s, self.game.tables)

    def _expose(self, message: Unchecked) -> None:
        from hearts_env.kernel.before_play import expose

        s, t = self.record, self.game.tables
        seat = self._seat(message)
        for kind in fields.kinds(message, self.game):
            name = f"expose:{self.game.deck.kinds[kind]}"
            if s["phase"] != Phase.EXPOSE or name not in self.game.actions:
                raise ValueError(f"the message expose: {self.game.deck.kinds[kind]} cannot be shown now")
            s["seat"] = seat
            expose(s, t, self.game.action(name) - int(t["expose_action"]))

    def _pledge(self, message: Unchecked) -> None:
        if not self.game.tables["score_pledge"]:
            raise ValueError(f"the message pledge: there are no pledges in {self.game.rules}")
        self.record["pledges"][self._seat(message)] = int(fields.flag(message, "pledge"))

    def _lead(self, message: Unchecked) -> None:
        s = self.record
        seat = self._seat(message)
        if self.led or s["phase"] not in (Phase.EXPOSE, Phase.PLEDGE, Phase.PLAY):
            raise ValueError("the message lead: play cannot begin now")
        s["phase"] = Phase.PLAY
        s["leader"] = s["seat"] = seat
        s["free_lead"] = int(fields.flag(message, "free"))
        self.led = True

    # Play

    def _play(self, message: Unchecked) -> None:
        from hearts_env.kernel.legal import is_legal
        from hearts_env.kernel.steps import play

        s, t = self.record, self.game.tables
        seat, kind = self._seat(message), fields.kind_of(message, self.game, "card", fields.word(message, "card"))
        own = seat == self.seat
        if not self._to_act(seat, Phase.PLAY) or not (is_legal(s, t, kind) if own else self._is_left([kind])):
            raise ValueError(f"the message play: seat {seat} cannot play {message['card']} now")
        play(s, t, kind)

    def _call(self, message: Unchecked) -> None:
        self._decide(message, f"suit:{fields.word(message, 'suit')}", Phase.SUIT)

    def _kitty(self, message: Unchecked) -> None:
        s, cards, seat = self.record, fields.kinds(message, self.game), self._seat(message)
        size = int(self.game.tables["kitty_size"])
        places = [place for place in range(size) if s["kitty_seat"][place] == seat and place not in self.kitty_known]
        if len(cards) != len(places):
            raise ValueError(f"the message kitty: {len(cards)} cards are named, but seat {seat} took {len(places)}")
        if not self._is_left(cards):
            raise ValueError(
                f"the message kitty: not all of {' '.join(fields.words(message, 'cards'))} can have been in it"
            )
        s["kitty"][places] = cards
        self.kitty_known.update(places)

    # The end of a deal

    def _moon(self, message: Unchecked) -> None:
        self._score_cards()
        self._decide(message, f"moon:{fields.word(message, 'choice')}", Phase.MOON)

    def _totals(self, message: Unchecked) -> None:
        self._score_cards()
        if self.record["phase"] != Phase.EXACT:
            raise ValueError("the message totals: they do not change now")
        self.record["totals"][: self.game.seats] = fields.scores(message, self.game, "totals")

    def _score(self, message: Unchecked) -> None:
        from hearts_env.kernel.steps import conclude

        s, seats = self.record, self.game.seats
        points, totals = (fields.scores(message, self.game, key) for key in ("points", "totals"))
        self._score_cards()
        s["scored"][:seats], s["totals"][:seats] = points, totals
        if s["phase"] == Phase.EXACT:  # the totals show what others decided
            conclude(s, self.game.tables)
        s["phase"], s["seat"] = Phase.OVER, NOBODY
        self.over = True

    def _score_cards(self) -> None:
        """Have the kernel score the deal once its last card is played."""
        from hearts_env.kernel.steps import PLAYED_OUT, go_on_scoring

        s, t = self.record, self.game.tables
        if s["scoring"] != PLAYED_OUT:
            return
        taken = [place for place in range(int(t["kitty_size"])) if s["kitty_seat"][place] >= 0]
        if not self.kitty_known.issuperset(taken):
            raise ValueError("the deal cannot be scored: cards of the kitty that were taken are unknown")
        go_on_scoring(s, t)

    # Decisions

    def _act(self, message: Unchecked) -> None:
        """Start the phase of a decision, if no message announced it."""
        s, name = self.record, fields.word(message, "phase")
        if name not in PHASES[: Phase.OVER]:
            raise ValueError(f"the message act: phase={name} is not possible; it is one of {', '.join(PHASES[:-1])}")
        phase = Phase(PHASES.index(name))
        if phase in (Phase.MOON, Phase.EXACT):
            self._score_cards()
        if s["phase"] == phase in SILENT or (s["phase"] == Phase.EXPOSE and phase == Phase.PLEDGE):
            s["phase"], s["seat"] = phase, self.seat
        if not self._to_act(self.seat, phase) or (phase == Phase.PLAY and not self.led):
            raise ValueError(f"the message act: seat {self.seat} has nothing to decide in phase {name} now")

    def _decide(self, message: Unchecked, action: str, phase: Phase) -> None:
        """Take a special action, which is public."""
        from hearts_env.kernel.legal import is_legal
        from hearts_env.kernel.steps import step

        s, t, seat = self.record, self.game.tables, self._seat(message)
        known = action in self.game.actions
        if not known or not self._to_act(seat, phase) or not is_legal(s, t, self.game.action(action)):
            raise ValueError(f"the message {message['type']}: seat {seat} cannot choose {action} now")
        step(s, t, self.game.action(action))

    # Checks, because the kernel trusts its caller

    def _seat(self, message: Unchecked, key: str = "seat") -> int:
        return fields.number(message, key, 0, self.game.seats - 1)

    def _to_act(self, seat: int, phase: Phase) -> bool:
        return bool(self.record["phase"] == phase and self.record["seat"] == seat)

    def _pass_size(self) -> int:
        option = int(self.record["pass_option"])
        return int(self.game.tables["option_cards"][option]) if option >= 0 else 0

    def _holds(self, kind: int) -> bool:
        return bool(int(self.record["hands"][self.seat, 0]) >> kind & 1)

    def _is_left(self, cards: list[int]) -> bool:
        """Whether these cards are in the deck in addition to those played, in the hand and known in the kitty."""
        s, kinds = self.record, self.game.deck.kinds
        known = Counter(self.game.names([*s["played"][0], *s["hands"][self.seat]]))
        known.update(kinds[kind] for kind in [*cards, *(s["kitty"][place] for place in self.kitty_known)])
        return known <= self.game.deck.copies

    _HANDLERS: ClassVar[dict[str, Callable[[Replica, Unchecked], None]]] = {
        "deal": _deal,
        "direction": _direction,
        "pass": _pass,
        "receive": _receive,
        "expose": _expose,
        "pledge": _pledge,
        "lead": _lead,
        "play": _play,
        "call": _call,
        "kitty": _kitty,
        "moon": _moon,
        "totals": _totals,
        "score": _score,
        "act": _act,
    }
