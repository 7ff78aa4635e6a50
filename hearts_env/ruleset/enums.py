"""The closed choices that fields of `Rules` offer, in the words of their text form.

The kernel stores a choice as its `code`, so each notion is one enum from the text of the rules down to compiled code.
"""

from __future__ import annotations

from enum import StrEnum


class Choice(StrEnum):
    """One of the values a field can take.

    >>> Better.MAGNITUDE, Better.MAGNITUDE.code
    (<Better.MAGNITUDE: 'magnitude'>, 2)
    """

    @property
    def code(self) -> int:
        """Place among the choices of its kind, from 0: the number that stands for it in the kernel."""
        return list(type(self)).index(self)


class Remainder(Choice):
    """What happens to the cards that do not divide evenly among the seats."""

    REMOVE = "remove"
    """Cards leave the pack in `removal_order` until it divides."""
    STRICT = "strict"
    """The pack must divide as it is."""
    KITTY = "kitty"
    """The cards left over lie face down: the kitty."""
    JOKERS = "jokers"
    """Unsuited jokers are added until the pack divides."""


class KittyAward(Choice):
    """Who takes the kitty; at the end of the deal the winner of the last trick takes what is left of it."""

    FIRST_TRICK = "first_trick"
    FIRST_PENALTY = "first_penalty"
    """The winner of the first trick that holds a heart or a penalty card."""
    ONE_PER_TRICK = "one_per_trick"
    """The winner of each trick takes one card until none is left."""
    OUT_OF_PLAY = "out_of_play"
    """Nobody."""
    LAST_TRICK = "last_trick"
    """The winner of the last trick."""


class TeamScoring(Choice):
    """How the totals of a team count."""

    SUM = "sum"
    """The totals of its members are added; the sum counts for the end and the ranking."""
    INDIVIDUAL = "individual"
    """Every member's total counts for the end; the team with the worst single total loses, then the worse sum."""


class Leader(Choice):
    """Who leads to the first trick."""

    HOLDER = "holder"
    LEFT_OF_DEALER = "left_of_dealer"


class OpeningCard(Choice):
    """What may be led to the first trick."""

    FORCED = "forced"
    ANY_OF_SUIT = "any_of_suit"
    ANY = "any"


class Schedule(Choice):
    """How the pass of a deal is picked from the cycle."""

    CYCLE = "cycle"
    RANDOM = "random"


class FirstTrickScope(Choice):
    """Which plays the ban of the first trick covers."""

    ANY_PLAY = "any_play"
    DISCARD = "discard"


class HeartLead(Choice):
    """When hearts may be led."""

    BROKEN = "broken"
    FREE = "free"


class BreakBy(Choice):
    """Which cards break hearts."""

    HEARTS = "hearts"
    HEARTS_OR_QS = "hearts_or_qs"
    ANY_PENALTY = "any_penalty"


class BreakEvent(Choice):
    """Whether a breaking card counts whenever it is played or only when thrown off suit."""

    PLAYED = "played"
    DISCARDED = "discarded"


class LeadException(Choice):
    """Which hands may lead an unbroken heart."""

    ONLY_HEARTS = "only_hearts"
    HEARTS_PLUS_PENALTY = "hearts_plus_penalty"


class Duplicates(Choice):
    """Which of two identical cards that are both highest wins."""

    FIRST = "first"
    LAST = "last"
    CANCEL = "cancel"
    """Neither: identical cards in a trick cancel each other."""


class DeadTrick(Choice):
    """When cancelled cards leave a trick without a winner; its cards go to the winner of the next one."""

    NO_LIVE_CARD = "no_live_card"
    """No card of the led suit is left uncancelled."""
    TWO_PAIRS = "two_pairs"
    """Besides, whenever two pairs of any suit were cancelled."""


class DeadLastTrick(Choice):
    """Who takes a dead last trick and what has rolled over to it."""

    LEADER = "leader"
    SECOND_OF_TOP_PAIR = "second_of_top_pair"
    """Whoever played the second card of the highest pair of the led suit; without such a pair the leader."""


class ExtendWhen(Choice):
    """Which cards of the extending rank extend a trick."""

    ANY = "any"
    LED_SUIT = "led_suit"


class JokerPlay(Choice):
    """When an unsuited joker may be played to a trick."""

    ANY = "any"
    """At any time, even by a hand that could follow suit."""
    VOID_ONLY = "void_only"


class JokerLead(Choice):
    """Whether an unsuited joker may be led."""

    NEVER = "never"
    """Only from a hand of nothing else; the next suited card then sets the suit."""
    CALL = "call"
    """Yes; the leader calls the suit to follow, hearts only once they may be led."""
    NEXT_CARD = "next_card"
    """Yes; the next suited card sets the suit."""


class JokerScores(Choice):
    """When an unsuited joker scores its points."""

    ALWAYS = "always"
    HEART_TRICK = "heart_trick"
    """Only if it is taken in a trick to which hearts were led."""


class Better(Choice):
    """Which scores win; cards that score the other way are penalties."""

    LOW = "low"
    HIGH = "high"
    MAGNITUDE = "magnitude"
    """Scores are Gaussian integers; the least absolute value wins and the target is one of absolute values."""
    REAL = "real"
    """The same, but the least real part wins among those who have not reached the target; they lose by magnitude."""


class MoonMode(Choice):
    """What shooting the moon does."""

    NONE = "none"
    """Nothing: the taker scores the cards."""
    OLD = "old"
    """Every other seat scores the amount."""
    NEW = "new"
    """The shooter's score goes down by the amount."""
    CHOICE = "choice"
    """The shooter chooses between old and new."""
    NEW_IF_OLD_LOSES = "new_if_old_loses"
    """New may be chosen only if old would end the match with the shooter behind somebody."""
    FIXED_SELF = "fixed_self"
    """The shooter scores the amount in place of the cards."""
    RESET_OR_DOUBLE = "reset_or_double"
    """The shooter scores no card and chooses: the own total becomes 0 (self), or every other one doubles (others)."""


class MoonPolicy(Choice):
    """Whether the shooter is asked or the better outcome is taken."""

    ASK = "ask"
    AUTO_BEST = "auto_best"


class NewMoonWho(Choice):
    """Whose total must have reached `new_moon_min`."""

    SHOOTER = "shooter"
    ANY = "any"


class MoonScope(Choice):
    """Who must take the cards: one player, or the members of a team together."""

    PLAYER = "player"
    TEAM = "team"


class MoonSign(Choice):
    """Which sign the award has for each opponent."""

    PLUS = "plus"
    HURTS = "hurts"
    """The one that takes the opponent's total farther from 0."""
    CHOSEN = "chosen"
    """The shooter chooses it, opponent by opponent."""


class MoonExtends(Choice):
    """Whether a match that an old moon would end with somebody below the shooter goes on."""

    OFF = "off"
    UNTIL_NEXT_MOON = "until_next_moon"
    UNTIL_MOONLESS_DEAL = "until_moonless_deal"


class BigMoonEffect(Choice):
    """What shooting the big moon does."""

    ADD_TOTAL = "add_total"
    """The shooter's total becomes 0 and every other total rises by the points of all those deals."""
    FIXED_100 = "fixed100"
    """The shooter's total becomes 0 and every other total rises by 100."""


class TargetCmp(Choice):
    """How a total reaches the target."""

    GE = "ge"
    GT = "gt"


class LivesOut(Choice):
    """What happens once a player has lost every life."""

    END = "end"
    """The match ends; that player is last."""
    RANK_LAST = "rank_last"
    """Play goes on; that player is last."""
    ELIMINATE = "eliminate"
    """That player cannot win any more but fills the seat; the match ends when one player with a life is left."""


class Tie(Choice):
    """What happens if the best total is shared when the match would end."""

    SHARE = "share"
    CONTINUE = "continue"
