"""The words that fields of `Rules` with a closed set of values accept.

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
    """Treatment of a pack that does not divide evenly among the seats."""

    REMOVE = "remove"
    """Cards leave the pack, in the order of `deck.removal_order`, until it divides."""
    STRICT = "strict"
    """Rules whose pack does not divide are refused."""
    KITTY = "kitty"
    """The cards left over are laid face down: the kitty."""
    JOKERS = "jokers"
    """Unsuited jokers are added until the pack divides."""


class KittyAward(Choice):
    """The player who takes the kitty. The winner of the last trick takes what nobody has taken before."""

    FIRST_TRICK = "first_trick"
    FIRST_PENALTY = "first_penalty"
    """The winner of the first trick that holds a heart or a penalty card."""
    ONE_PER_TRICK = "one_per_trick"
    """The winner of each trick takes one card until none is left."""
    OUT_OF_PLAY = "out_of_play"
    """Nobody takes it, not even the winner of the last trick."""
    LAST_TRICK = "last_trick"
    """The winner of the last trick."""


class TeamScoring(Choice):
    """The number of a team that counts for the end of the match and the ranking."""

    SUM = "sum"
    """The sum of its members' totals."""
    INDIVIDUAL = "individual"
    """Each member's total counts for the end. The team with the worst single total loses; the sum breaks ties."""


class Leader(Choice):
    """The player who leads to the first trick."""

    HOLDER = "holder"
    """The holder of the card that `opening.holder` names."""
    LEFT_OF_DEALER = "left_of_dealer"
    """The seat whose turn follows the dealer's."""


class OpeningCard(Choice):
    """The cards that may be led to the first trick."""

    FORCED = "forced"
    """The card that `opening.holder` names."""
    ANY_OF_SUIT = "any_of_suit"
    """Any card of its suit."""
    ANY = "any"
    """Any card that may be led."""
    BOTH = "both"
    """The card that `opening.holder` names, which every holder of a copy plays to that trick."""


class Rounds(Choice):
    """The turns in which cards are shown before the first trick."""

    ONCE = "once"
    """Each seat has one turn."""
    OTHERS = "others"
    """From the dealer on, until all seats but the last that showed a card have declined in succession."""
    ALL = "all"
    """From the dealer on, until all seats have declined in succession."""
    ONCE_BLIND = "once_blind"
    """As ``once``; the cards are revealed together, after the last turn."""
    OTHERS_BLIND = "others_blind"
    """As ``others``; the cards are revealed together, after the last turn."""
    ALL_BLIND = "all_blind"
    """As ``all``; the cards are revealed together, after the last turn."""


class Schedule(Choice):
    """The entry of `passing.cycle` that a deal uses."""

    CYCLE = "cycle"
    """The next one, deal after deal, beginning again after the last."""
    RANDOM = "random"
    """One drawn at random for each deal."""


class FirstTrickScope(Choice):
    """The plays to the first trick that `play.first_trick_forbidden` restricts."""

    ANY_PLAY = "any_play"
    DISCARD = "discard"
    """Only cards of another suit than the one led."""


class HeartLead(Choice):
    """The time from which hearts may be led."""

    BROKEN = "broken"
    """Once hearts are broken."""
    FREE = "free"
    """At any time."""
    NEVER = "never"
    """Never."""


class BreakBy(Choice):
    """The cards that break hearts."""

    HEARTS = "hearts"
    HEARTS_OR_QS = "hearts_or_qs"
    ANY_PENALTY = "any_penalty"
    """Hearts and all penalty cards."""
    QS = "qs"
    """The queen of spades alone; no heart does."""


class BreakEvent(Choice):
    """The event by which a card of `play.break_by` breaks hearts."""

    PLAYED = "played"
    """Whenever it is played."""
    DISCARDED = "discarded"
    """Only when it is discarded, that is played to a trick of another suit."""


class Locked(Choice):
    """The plays from which `play.locked` bars a card until hearts are broken."""

    PLAY = "play"
    """Any play of the card."""
    LEAD = "lead"
    """Its lead only."""


class LeadException(Choice):
    """The hands that may lead a heart although hearts may not be led."""

    ONLY_HEARTS = "only_hearts"
    """Hands of hearts alone."""
    HEARTS_PLUS_PENALTY = "hearts_plus_penalty"
    """Hands of hearts and other penalty cards alone."""


class Duplicates(Choice):
    """The one of several identical cards that wins a trick if they are its highest."""

    FIRST = "first"
    """The one played first."""
    LAST = "last"
    """The one played last."""
    CANCEL = "cancel"
    """None: identical cards in a trick cancel each other, and the highest of the others wins."""


class DeadTrick(Choice):
    """The condition under which a trick with cancelled cards has no winner (is dead). Its cards go to the winner of the
    next trick.
    """

    NO_LIVE_CARD = "no_live_card"
    """If every card of the led suit is cancelled."""
    TWO_PAIRS = "two_pairs"
    """In that case, and if two pairs or more, of whatever suits, are cancelled."""


class DeadLastTrick(Choice):
    """The player who takes a dead last trick, together with the cards of dead tricks before it."""

    LEADER = "leader"
    SECOND_OF_TOP_PAIR = "second_of_top_pair"
    """The player of the second card of the highest cancelled pair of the led suit; the leader if there is none."""


class ExtendWhen(Choice):
    """The cards of the rank `trick.extend_rank` that extend a trick."""

    ANY = "any"
    LED_SUIT = "led_suit"


class JokerPlay(Choice):
    """The occasions on which an unsuited joker may be played to a trick."""

    ANY = "any"
    """At any time, even by a hand that can follow suit."""
    VOID_ONLY = "void_only"
    """By a hand that cannot follow suit."""


class JokerLead(Choice):
    """Permission to lead an unsuited joker."""

    NEVER = "never"
    """No, except from a hand of jokers alone; the next suited card then sets the suit."""
    CALL = "call"
    """Yes; the leader names the suit to follow: hearts only when they may be led."""
    NEXT_CARD = "next_card"
    """Yes; the next suited card sets the suit."""


class JokerScores(Choice):
    """The condition under which an unsuited joker scores its points."""

    ALWAYS = "always"
    HEART_TRICK = "heart_trick"
    """Only in a trick to which a heart was led."""


class Better(Choice):
    """The total that wins. It decides as well which cards are penalty cards: those that make a total worse."""

    LOW = "low"
    """The lowest."""
    HIGH = "high"
    """The highest."""
    MAGNITUDE = "magnitude"
    """Totals are Gaussian integers. The smallest absolute value wins, and `end.target` is an absolute value."""
    REAL = "real"
    """The same, but among those below the target the smallest real part wins; those at the target rank below them, by
    absolute value."""


class MoonMode(Choice):
    """The effect of shooting the moon, that is of taking all of `moon.cards`."""

    NONE = "none"
    """Nothing: it scores the cards it took."""
    OLD = "old"
    """Every opponent scores `moon.amount`."""
    NEW = "new"
    """The shooter scores minus `moon.amount`."""
    CHOICE = "choice"
    """The shooter chooses between `old` and `new`."""
    NEW_IF_OLD_LOSES = "new_if_old_loses"
    """`old`, unless that would end the match with somebody ahead of the shooter: then `choice`."""
    FIXED_SELF = "fixed_self"
    """The shooter scores `moon.amount` in place of the cards."""
    RESET_OR_DOUBLE = "reset_or_double"
    """The shooter scores no card and chooses: their own total becomes 0 (`self`), or everyone else's doubles
    (`others`)."""
    PAID = "paid"
    """Every opponent scores `moon.amount`, and the shooter minus all that they are charged."""
    WINS = "wins"
    """The shooter, with their team, wins the match, which ends."""


class MoonPolicy(Choice):
    """The way in which a choice of the shooter is made."""

    ASK = "ask"
    """By a decision of the seat."""
    AUTO_BEST = "auto_best"
    """By rule: a match won before one that goes on, and that before one lost; then the greater lead over the opponents;
    if that is equal, what changes the opponents' totals, or, where the match is lost, the shooter's."""


class NewMoonWho(Choice):
    """The player whose total before the deal must be at least `moon.new_moon_min`."""

    SHOOTER = "shooter"
    ANY = "any"


class MoonScope(Choice):
    """The side that must take the cards of the moon: one player, or the members of a team together."""

    PLAYER = "player"
    TEAM = "team"


class MoonSign(Choice):
    """The sign of the award that an opponent scores."""

    PLUS = "plus"
    HURTS = "hurts"
    """For each opponent the sign that moves the total farther from 0, before points for tricks, sets and hands without
    hearts or tricks are added."""
    CHOSEN = "chosen"
    """The sign that the shooter chooses, opponent by opponent."""


class MoonExtends(Choice):
    """Until when a match goes on that an old moon would end with somebody ahead of the shooter."""

    OFF = "off"
    UNTIL_NEXT_MOON = "until_next_moon"
    UNTIL_MOONLESS_DEAL = "until_moonless_deal"


class BigMoonEffect(Choice):
    """The effect of shooting the big moon."""

    ADD_TOTAL = "add_total"
    """The shooter's total becomes 0, and every opponent's rises by the points of the moon cards in all those deals."""
    FIXED_100 = "fixed100"
    """The shooter's total becomes 0, and every opponent's rises by 100."""


class TargetCmp(Choice):
    """The condition under which a total has reached a target."""

    GE = "ge"
    """At the target or beyond it."""
    GT = "gt"
    """Beyond the target."""


class LivesOut(Choice):
    """The consequence for a player who has lost every life."""

    END = "end"
    """The match ends; that player is last."""
    RANK_LAST = "rank_last"
    """Play goes on; that player is last."""
    ELIMINATE = "eliminate"
    """That player plays on without a chance to win; the match ends when only one player has a life left."""


class Tie(Choice):
    """Treatment of a best total that two or more share when the match would end."""

    SHARE = "share"
    """The match ends, and they share the first place."""
    CONTINUE = "continue"
    """Deals go on until one total is best."""
