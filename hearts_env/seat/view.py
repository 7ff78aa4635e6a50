"""The knowledge of one seat: a state record with everything hidden erased, and its content as names and numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import InitVar, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_env.checks import array_of, seat_of
from hearts_env.compiled.game import Game, compile_game
from hearts_env.kernel.records import NOBODY, STATE, new_record
from hearts_env.ruleset.model import Rules
from hearts_env.ruleset.syntax import brief
from hearts_env.seat.as_dict import ADDED, ViewFields, check_same, record_of, write_view
from hearts_env.seat.observation import token_shape
from hearts_env.seat.public import Public
from hearts_env.seat.text import write_text
from hearts_env.variants.registry import rules as read_rules

ITS_OWN = -2  # as in `kernel.soundness`, which imports Numba


@dataclass(frozen=True, repr=False)
class View(Public):
    """Everything that one seat may know about a deal and the match.

    >>> import hearts_env as he
    >>> match = he.Match("black_lady(cycle=[hold])", seed=7)
    >>> view = match.view(match.seat)
    >>> view.phase, view.legal(), view.hand == match.hands[match.seat]
    ('play', ['2C'], True)
    >>> view
    <View of seat 3: black_lady(passing.cycle=[hold]), deal 1, play, seat 3 to act>

    Attributes:
        game: the compiled rules.
        record: a `STATE` record in which everything the seat may not know is 0.
        seat: the seat whose view it is.
        check: whether the record is checked; it need not be where the kernel made it.

    Raises:
        ValueError: no compiled rules, no record of a position of them, one that shows more than the seat may know, or
            no seat.
    """

    game: Game
    record: Any
    seat: int

    check: InitVar[bool] = True

    def __post_init__(self, check: bool) -> None:
        if check:
            object.__setattr__(self, "seat", seat_of("seat", self.seat, _seats(self.game)))
            check_record(self.game, self.record, self.seat)

    def __repr__(self) -> str:
        turn = "" if self.phase == "over" else f", seat {self.record['seat']} to act"
        return f"<View of seat {self.seat}: {self.game.rules}, deal {self.deal_number + 1}, {self.phase}{turn}>"

    @property
    def _record(self) -> Any:
        return self.record

    @property
    def hand(self) -> list[str]:
        """The cards of the hand, in kind order."""
        return self.game.names(self.record["hands"][self.seat].tolist())

    def legal_ids(self) -> list[int]:
        """Ids of the legal actions, ascending; empty if another seat is to act.

        >>> import hearts_env as he
        >>> view = he.Match("black_lady(cycle=[hold], direction=1)", seed=7).view(0)
        >>> [view.game.actions[action] for action in view.legal_ids()] == view.legal()
        True
        """
        from hearts_env.kernel.batch import legal_first  # imports Numba

        if int(self.record["seat"]) != self.seat:
            return []
        mask = int(legal_first(np.frombuffer(self.record, STATE), self.game.table))
        first = 0 if self.phase in ("pass", "play") else len(self.game.deck.kinds)
        return [first + place for place in range(mask.bit_length()) if mask >> place & 1]

    def legal(self) -> list[str]:
        """Names of the legal actions; empty if another seat is to act."""
        return [self.game.actions[action] for action in self.legal_ids()]

    @property
    def trick(self) -> list[tuple[int, str]]:
        """(seat, card) in play order of the current trick.

        >>> import hearts_env as he
        >>> hands = [[rank + suit for rank in "23456789TJQKA"] for suit in "CDHS"]
        >>> he.Match.from_hands("black_lady", hands, played=["2C", "AD", "3H"]).view(3).trick
        [(0, '2C'), (1, 'AD'), (2, '3H')]
        """
        return self.played[len(self.played) - int(self.record["trick_len"]) :]

    @property
    def passed(self) -> list[str]:
        """Cards this seat passed, or has picked to pass so far, in order.

        >>> import hearts_env as he
        >>> match = he.Match("black_lady", seed=7)
        >>> match.play(match.hands[0][0])
        >>> match.view(0).passed, match.view(1).passed
        (['4C'], [])
        """
        count = self._pass_size
        if self.phase == "pass":
            acting = int(self.record["seat"])
            done = self.seat < acting or int(self.record["refuser"]) >= 0
            count = int(self.record["picked"]) if acting == self.seat else count * done
        return [self.game.deck.kinds[kind] for kind in self.record["picks"][self.seat][:count].tolist()]

    @property
    def picks_left(self) -> int:
        """Number of cards that this seat still picks for its pass; 0 unless it is its turn to pick one.

        >>> import hearts_env as he
        >>> match = he.Match("black_lady", seed=7)
        >>> match.view(0).picks_left, match.view(1).picks_left
        (3, 0)
        """
        picking = self.phase == "pass" and int(self.record["seat"]) == self.seat
        return self._pass_size - int(self.record["picked"]) if picking else 0

    @property
    def received(self) -> list[str]:
        """Cards this seat received in the pass, in order; empty until all seats have passed."""
        count = 0 if self.phase in ("refuse", "pass") else self._pass_size
        return [self.game.deck.kinds[kind] for kind in self.record["received"][self.seat][:count].tolist()]

    @property
    def _pass_size(self) -> int:
        option = int(self.record["pass_option"])
        return int(self.game.tables["option_cards"][option]) if option >= 0 else 0

    @property
    def kitty(self) -> list[str]:
        """Cards of the kitty that this seat took, in the order of the kitty."""
        size, takers = int(self.game.tables["kitty_size"]), self.record["kitty_seat"]
        return [
            self.game.deck.kinds[self.record["kitty"][place]] for place in range(size) if takers[place] == self.seat
        ]

    def observation(self) -> NDArray[np.float32]:
        """The float32 row that `hearts_env.observation_layout` describes, shape (columns,).

        >>> import hearts_env as he
        >>> view = he.Match("black_lady", seed=7).view(0)
        >>> columns = he.observation_layout("black_lady")["hand"].columns
        >>> hand = view.observation()[columns]
        >>> [view.game.actions[kind] for kind in hand.nonzero()[0]] == view.hand
        True
        """
        from hearts_env.kernel.observe import encode

        row = np.empty(int(self.game.tables["obs_size"]), np.float32)
        encode(self.record, self.game.tables, self.seat, row)
        return row

    def action_mask(self) -> NDArray[np.int8]:
        """int8 (actions,): 1 for legal actions, 0 for others.

        >>> import hearts_env as he
        >>> int(he.Match("black_lady", seed=7).view(0).action_mask().sum())
        13
        """
        mask = np.zeros(len(self.game.actions), np.int8)
        mask[self.legal_ids()] = 1
        return mask

    def as_dict(self) -> dict[str, Any]:
        """Everything the view shows, as data for JSON: numbers, text, true, false, null, lists and objects.

        `hearts_env.seat.as_dict.FIELDS` explains every field. Numbers that may be Gaussian integers are text in games
        of those.

        >>> import hearts_env as he
        >>> view = he.Match("black_lady(cycle=[hold])", seed=7).view(3)
        >>> seen = view.as_dict()
        >>> seen["version"], seen["turn"], seen["legal"]
        (1, 3, ['2C'])
        """
        return write_view(self)

    @staticmethod
    def from_dict(data: Any) -> View:
        """The view that `as_dict` wrote: the same observation, legal actions and possible hidden cards.

        Unused memory apart, the record is the same as well.

        >>> import hearts_env as he
        >>> view = he.Match("black_lady(cycle=[hold])", seed=7).view(3)
        >>> he.View.from_dict(view.as_dict()).legal()
        ['2C']
        >>> he.View.from_dict(view.as_dict() | {"dealer": 4})
        Traceback (most recent call last):
        ValueError: dealer=4 is not possible; it is the number of a seat

        Raises:
            ValueError: a field is missing, unknown, of another type, or contradicts the rules or another field.
        """
        data = ADDED | data if isinstance(data, dict) else data
        game, record = record_of(data)
        view = View(game, record, data["seat"])
        check_same(view, data)
        return view

    @staticmethod
    def of(  # noqa: PLR0913 - what a seat may know has so many parts: all named at the call
        rules: Rules | str,
        seat: int,
        hand: Iterable[str],
        *,
        tricks: Iterable[Iterable[tuple[int, str]]] = (),
        passed: Iterable[str] = (),
        received: Iterable[str] = (),
        direction: str | None = None,
        deal_number: int | None = None,
        totals: Sequence[Any] | None = None,
        exposed: Iterable[str | tuple[int, str]] = (),
        pledges: Iterable[bool] = (),
        dealer: int | None = None,
        kitty: Iterable[str] = (),
    ) -> View:
        """The view of one seat, from what it knows: voids, points, whose turn it is and the rest are worked out.

        >>> import hearts_env as he
        >>> hand = "9C JC 2D 7D TD 3H 8H QH 4S JS QS KS".split()
        >>> trick = [(0, "2C"), (1, "AC"), (2, "5C"), (3, "4D")]
        >>> view = he.View.of("black_lady", 1, hand, tricks=[trick], direction="hold")
        >>> view.phase, view.seat, view.legal()[:3], view.points, view.voids
        ('play', 1, ['9C', 'JC', '2D'], [0, 0, 0, 0], ['', '', '', 'C'])
        >>> he.View.of("black_lady", 1, hand[1:], tricks=[trick, [(1, "9C"), (2, "6C"), (3, "7C")]])
        Traceback (most recent call last):
        ValueError: trick 2: seat 3 cannot play 7C: it has shown before that it holds no C

        Args:
            rules: rules or their text.
            seat: whose view it is.
            hand: the cards held now: after the pass, and without those that `tricks` show as played. Without tricks,
                with a direction other than hold, and without `received`, the seat is still to pass; then `passed` are
                the cards put aside so far.
            tricks: (seat, card) in play order, trick by trick, the last one unfinished; ``(seat, "suit:H")`` calls a
                suit to a joker. An empty trick says that play has begun; without it, a seat that may expose cards is
                still to do so.
            passed: cards passed, in order; with tricks but neither `passed` nor `received`, the pass is unknown.
            received: cards received, in the order of the moves of the pass.
            direction: how the deal is passed; by default as `deal_number` says.
            deal_number: number of deals finished before; by default the first that passes in that direction, or 0.
            totals: totals before the deal, per seat; what else earlier deals leave is as at the start of a match.
            exposed: cards exposed before play, as (seat, card), or as a card that is held here or was played.
            pledges: the answers of the seats from 0 on, in games with pledges.
            dealer: the seat that dealt; by default 0, or the one before the first leader where the rules say so.
            kitty: cards of the kitty that the seat took, in order.

        Raises:
            ValueError: in one line, for what cannot be: a card played twice or out of turn, a play that the rules
                forbid with any hand, a hand of the wrong size; and where the first leader does not follow.
        """
        from hearts_env.seat.known import Facts  # compiled code works out the rest

        pass_ = passed, received, direction, deal_number
        facts = Facts(
            compile_game(read_rules(rules)), seat, hand, tricks, *pass_, totals, exposed, pledges, dealer, kitty
        )
        return View(facts.game, facts.record(), facts.seat)

    def text(self, max_chars: int | None = None) -> str:
        """The view in plain words; the last line lists the legal actions.

        >>> import hearts_env as he
        >>> hands = [[rank + suit for rank in "23456789TJQKA"] for suit in "CDHS"]
        >>> print(he.Match.from_hands("black_lady", hands, played=["2C", "3D", "4H", "5S", "3C"]).view(1).text())
        Rules: black_lady
        Deal 1, dealt by seat 0. You are seat 1.
        Tricks, with * for the card that took them:
        1. 0:2C* 1:3D 2:4H 3:5S
        Trick 2 so far: 0:3C
        Void in: seat 1 C, seat 2 C, seat 3 C
        Points: seat 0 1, seat 1 0, seat 2 0, seat 3 0
        Totals: seat 0 0, seat 1 0, seat 2 0, seat 3 0
        Hand: 2D 4D 5D 6D 7D 8D 9D TD JD QD KD AD
        It is your turn: play.
        Legal actions: [2D] [4D] [5D] [6D] [7D] [8D] [9D] [TD] [JD] [QD] [KD] [AD]

        Args:
            max_chars: the length above which the oldest tricks are left out; nothing else is shortened.
        """
        return write_text(self.game, ViewFields(self), max_chars)


def check_records(game: Game, name: str, records: Any, observer: int = NOBODY) -> NDArray[Any]:
    """(n,) `STATE` records that compiled code can read; a copy where they are not contiguous or cannot be written to.

    Args:
        game: the compiled rules.
        name: of the argument, for the message.
        records: the records.
        observer: the seat whose cards they show; -1 for positions without anything hidden, -2 for views of the seats to
            act.

    Raises:
        ValueError: no compiled rules, no such array, or a record that is no position of the game or shows its observer
            too much.
    """
    from hearts_env.kernel.soundness import first_revealing, first_unsound

    _seats(game)
    checked = array_of(name, records, STATE, (None,))
    bad = first_unsound(checked, game.table, observer, np.empty(len(game.deck.kinds), np.int64), new_record())
    if bad >= 0:
        raise ValueError(
            f"{name}[{bad}] is no position of {game.rules}: its numbers contradict each other or the rules"
        )
    if observer != NOBODY:
        bad = first_revealing(checked, game.table, observer, new_record())
        if bad >= 0:
            seat = int(checked["seat"][bad]) if observer == ITS_OWN else observer
            raise ValueError(
                f"{name}[{bad}] shows more than seat {seat} may know; views() of an environment leaves that out"
            )
    return checked


def _seats(game: Any) -> int:
    if not isinstance(game, Game):
        raise ValueError(f"game={brief(game)} is not possible; compile_game(rules) makes one")
    return game.seats


def check_type(record: Any) -> None:
    """Raise ValueError unless `record` is one `STATE` record, of whatever content."""
    if not isinstance(record, np.void) or record.dtype != STATE:
        raise ValueError(f"record={brief(record)} is not possible; it is a STATE record")


def check_record(game: Game, record: Any, observer: int = NOBODY) -> None:
    """Raise ValueError unless `record` is one `STATE` record that compiled code can read; see `check_records`."""
    check_type(record)
    check_records(game, "record", np.asarray(record).reshape(1), observer)


def view_of(game: Game, states: NDArray[Any], seat: int) -> View:
    """The view of one seat of the first record of `states`, which stays unchanged.

    Raises:
        ValueError: no record, or one that is no position of the game; or no seat.
    """
    from hearts_env.kernel.batch import take_view

    given = array_of("states", states, STATE, (None,))
    if not len(given):
        raise ValueError("states holds no record")
    view = new_record()
    take_view(given, game.table, seat_of("seat", seat, game.seats), view)
    return View(game, view[0], seat, check=False)


@dataclass(frozen=True, repr=False)
class Views:
    """Many views at once, each of the seat to act in its game.

    >>> import hearts_env as he
    >>> views = he.Views.of(he.Match("black_lady", seed=7).view(0))
    >>> observations, masks = views.observations()
    >>> len(views), observations.shape, masks.shape
    (1, (1, 684), (1, 54))

    Attributes:
        game: the compiled rules, the same for all.
        records: (n,) `STATE` records; what the seat to act may not know is 0. An array that is not contiguous or cannot
            be written to is copied.
        check: whether they are checked; they need not be where the kernel made them.

    Raises:
        ValueError: no compiled rules, records that are no positions of them, or one that shows what the seat to act may
            not know, such as another hand.
    """

    game: Game
    records: NDArray[Any]

    check: InitVar[bool] = True

    def __post_init__(self, check: bool) -> None:
        if check:
            object.__setattr__(self, "records", check_records(self.game, "records", self.records, ITS_OWN))

    def __repr__(self) -> str:
        return f"<{len(self)} Views of {self.game.rules}>"

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[View]:
        for place in range(len(self.records)):
            yield View(self.game, self.records[place], int(self.records["seat"][place]), check=False)

    @staticmethod
    def of(view: View) -> Views:
        """A batch of one."""
        record = np.frombuffer(bytearray(view.record.tobytes()), STATE)  # quicker than np.array of a nested type
        return Views(view.game, record)  # checked: the seat to act may be another than the view's

    def observations(self) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """Observations, float32 (n, columns), and action masks, int8 (n, actions)."""
        from hearts_env.kernel.batch import encode_all

        rows = np.empty((len(self), int(self.game.tables["obs_size"])), np.float32)
        masks = np.empty((len(self), len(self.game.actions)), np.int8)
        encode_all(self.records, self.game.tables, rows, masks)
        return rows, masks

    def tokens(self) -> NDArray[np.int16]:
        """The deal so far as the seat to act saw it, int16 (n, length); `observation.token_shape` describes a row.

        >>> import hearts_env as he
        >>> Views.of(he.Match("black_lady", seed=7).view(0)).tokens().shape
        (1, 58)
        """
        from hearts_env.kernel.batch import encode_tokens_all

        tokens = np.zeros((len(self), token_shape(self.game)[0]), np.int16)
        encode_tokens_all(self.records, self.game.tables, np.arange(len(self)), tokens)
        return tokens
