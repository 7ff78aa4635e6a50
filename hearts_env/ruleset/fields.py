"""The fields of `Rules`, in groups; the defaults are Basic Hearts for four.

A field is declared once: ``rule(default, game, change, shows)``, where `change` is another value that matters in
`game`, and the attribute `shows` of `Match` shows it first. `hearts_env.ruleset.declaration` has the bounds and points
that may follow.

A *penalty card* is a card whose points make its taker's total worse, a *bonus card* one whose points make it better.
Fields "as patterns" take suits (``H``), ranks (``Q``) and cards (``QS``), as `hearts_env.cards` describes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from hearts_env.cards import STANDARD_RANKS
from hearts_env.ruleset.declaration import Declaration, rule
from hearts_env.ruleset.enums import (
    Better,
    BigMoonEffect,
    BreakBy,
    BreakEvent,
    DeadLastTrick,
    DeadTrick,
    Duplicates,
    ExtendWhen,
    FirstTrickScope,
    HeartLead,
    JokerLead,
    JokerPlay,
    JokerScores,
    KittyAward,
    Leader,
    LeadException,
    LivesOut,
    Locked,
    MoonExtends,
    MoonMode,
    MoonPolicy,
    MoonScope,
    MoonSign,
    NewMoonWho,
    OpeningCard,
    Remainder,
    Rounds,
    Schedule,
    TargetCmp,
    TeamScoring,
    Tie,
)

DOUBLE = "players=6, packs=2, ranks=[Q,K,A], passing.count=1, leader=left_of_dealer, opening.card=any"
"""Twenty-four cards, four in a hand: identical cards meet often."""
SHORT = "ranks=[J,Q,K,A], passing.count=1"
"""Sixteen cards, four in a hand: moons are frequent."""


@dataclass(frozen=True)
class Table:
    """The players at the table, and the dealer."""

    players: int = rule(4, "black_lady", 5, "hands")
    """Number of seats, 2 to 11."""
    direction: int = rule(1, "black_maria", -1, "seat")
    """Direction of play and of the deal: 1 to the left (clockwise, seats 0, 1, 2 ...) or -1 to the right."""
    dealer_next: str = rule("left", "black_maria", "QS", "dealer")
    """The next dealer: ``left`` for the next seat in the direction of play, or a card for the player who took it."""
    teams: tuple[str, ...] = rule((), "black_lady", ["0+2", "1+3"], "ranking")
    """The teams, each written as its seats joined by ``+`` (``[0+2,1+3]``); empty if everybody plays alone."""
    team_scoring: TeamScoring = rule(TeamScoring.SUM, "partnership_hearts", "individual", "ranking")
    """The number of a team that counts for the end of the match and the ranking."""


@dataclass(frozen=True)
class Pack:
    """The cards in play."""

    packs: int = rule(1, "black_maria", 2, "hands", least=1, most=2)
    """Number of packs shuffled together, 1 or 2."""
    ranks: tuple[str, ...] = rule(STANDARD_RANKS, "black_lady", ["7", "8", "9", "T", "J", "Q", "K", "A"], "hands")
    """The ranks of each of the four suits, from the lowest to the highest: their order decides which card wins a
    trick."""
    added: tuple[str, ...] = rule((), "black_lady", ["JK"] * 4, "hands")
    """Cards added to the pack: jokers ``0C``, ``0D`` (lowest of their suit) and ``JK`` (unsuited), or any others. A
    rank that `ranks` leaves out stands right above the rank below it in the usual order."""
    removed: tuple[str, ...] = rule((), "heartsette(players=5)", ["2S"], "hands")
    """Cards taken out of the pack, one copy for each time a card is named."""
    remainder: Remainder = rule(Remainder.REMOVE, "black_lady(players=5)", "strict", "refusal")
    """The way in which a pack is dealt that does not divide evenly among the seats."""
    removal_order: tuple[str, ...] = rule(("2D", "2C", "3D", "3C"), "black_lady(players=3)", ["2C"], "hands")
    """With ``remainder=remove``: the cards that leave the pack until it divides, in this order."""
    hand_size: int | None = rule(None, "heartsette", 11, "hands")
    """With ``remainder=kitty``: the number of cards dealt to each seat; none deals as many as divide evenly."""
    kitty_award: KittyAward = rule(KittyAward.FIRST_TRICK, "heartsette", "out_of_play", "totals")
    """With ``remainder=kitty``: who takes the kitty."""


@dataclass(frozen=True)
class Opening:
    """The lead to the first trick."""

    leader: Leader = rule(Leader.HOLDER, "black_lady(opening.card=any)", "left_of_dealer", "seat")
    """The leader of the first trick."""
    holder: str = rule("C", "black_lady", "2D", "seat")
    """The opening card: a card, or a suit for the lowest card of it in play."""
    card: OpeningCard = rule(OpeningCard.FORCED, "black_lady", "any_of_suit", "legal")
    """The cards that this leader may lead."""
    taker: str | None = rule(None, "black_maria", "QS", "seat")
    """From the second deal on, the player who took this card in the deal before leads, with any card; none if every
    deal opens as the first."""


@dataclass(frozen=True)
class Passing:
    """The exchange before play: every seat picks cards in secret, then all of them change hands at once.

    An entry of the cycle is ``hold`` (no pass), ``scatter`` (one card to each other seat), ``pool`` (the cards of all
    seats are shuffled together, and each seat is dealt the number it gave), or moves joined by ``&``. A move is
    ``left``, ``right``, ``across`` or a signed number of seats to the left (``+2``, ``-2``), followed by ``*`` and a
    number of cards if that differs from `count`. The dealer chooses among entries joined by ``|``: ``left|right|hold``.
    """

    count: int = rule(3, "black_lady", 2, "seat")
    """Number of cards in a move, or given to the pool, where the entry names no number."""
    cycle: tuple[str, ...] = rule((), "black_lady", ["left", "hold"], "phase")
    """The passes, one entry per deal, beginning again after the last. Empty for the usual cycle: left, right, +2, -2
    and so on, across if the number of seats is even, hold."""
    schedule: Schedule = rule(Schedule.CYCLE, "black_lady", "random", "phase")
    """The entry of `cycle` that a deal uses."""
    unpassable: tuple[str, ...] = rule((), "black_lady", ["QS"], "legal")
    """Cards, as patterns, that a hand may pass only if it has nothing else left to pass."""
    refusable: tuple[str, ...] = rule((), "black_lady", ["QS"], "phase")
    """Cards, as patterns, that their receiver may refuse: the passer takes the card back and passes another one."""
    to_partner: bool = rule(True, "partnership_hearts(cycle=[across])", False, "refusal")
    """`cycle` may pass cards to a member of the same team."""


@dataclass(frozen=True)
class Play:
    """The cards that may be led and discarded."""

    first_trick_forbidden: tuple[str, ...] = rule(("H", "QS"), "black_lady", [], "legal")
    """Cards, as patterns, that may be played to the first trick only by a hand without any other legal card."""
    first_trick_scope: FirstTrickScope = rule(
        FirstTrickScope.ANY_PLAY, "hooligan_hearts(first_trick_forbidden=[H,QS,7C])", "discard", "legal"
    )
    """The plays to the first trick that `first_trick_forbidden` restricts."""
    heart_lead: HeartLead = rule(HeartLead.BROKEN, "black_lady", "free", "legal")
    """The time from which hearts may be led."""
    break_by: BreakBy = rule(BreakBy.HEARTS, "black_lady", "hearts_or_qs", "legal")
    """The cards that break hearts."""
    break_event: BreakEvent = rule(BreakEvent.PLAYED, "black_lady(break_by=hearts_or_qs)", "discarded", "legal")
    """The play by which a card of `break_by` breaks hearts."""
    lead_exception: LeadException = rule(
        LeadException.ONLY_HEARTS, f"black_lady({SHORT})", "hearts_plus_penalty", "legal"
    )
    """The hands that may lead a heart although `heart_lead` bars hearts."""
    forced_discard: tuple[str, ...] = rule((), "black_lady", ["QS"], "legal")
    """Cards, as patterns: a hand that cannot follow suit and has some of them must discard one of them."""
    locked: tuple[tuple[str, Locked], ...] = rule((), "black_lady", {"QS": "play"}, "legal")
    """Cards, as a pattern -> what is barred until hearts are broken: every ``play`` of them, or only their ``lead``. A
    hand of nothing but such cards and hearts that may not be led yet leads any of them."""


@dataclass(frozen=True)
class Trick:
    """The winner of a trick, beyond the rule that the highest card of the led suit wins."""

    duplicates: Duplicates = rule(Duplicates.LAST, f"black_lady({DOUBLE})", "first", "leader")
    """The winner among several identical cards that are the highest of a trick."""
    exceptions: tuple[tuple[str, Duplicates], ...] = rule((), f"black_lady({DOUBLE})", {"A": "first"}, "leader")
    """Card, as a pattern -> which of its copies wins instead; later entries override earlier ones."""
    dead_trick: DeadTrick = rule(
        DeadTrick.NO_LIVE_CARD, f"black_lady({DOUBLE}, duplicates=cancel)", "two_pairs", "taken"
    )
    """With ``duplicates=cancel``: when a trick is dead, that is has no winner. Its leader then leads again."""
    dead_last_trick: DeadLastTrick = rule(
        DeadLastTrick.LEADER, f"rickety_kate({DOUBLE}, duplicates=cancel)", "second_of_top_pair", "totals"
    )
    """With ``duplicates=cancel``: who takes a dead last trick."""
    extend_rank: str | None = rule(None, "black_lady", "9", "trick")
    """A rank that extends the trick it is played to: everybody plays a second card to it, if they have cards left. A
    trick is extended only once. None for no such rank."""
    extend_when: ExtendWhen = rule(ExtendWhen.ANY, "booster_nines", "led_suit", "trick")
    """The cards of the rank `extend_rank` that extend a trick."""


@dataclass(frozen=True)
class Jokers:
    """The use of unsuited jokers (``JK``). They never win a trick; a trick of jokers alone goes to its leader."""

    play: JokerPlay = rule(JokerPlay.ANY, "joker_hearts", "void_only", "legal")
    """The hands that may play them."""
    lead: JokerLead = rule(JokerLead.NEVER, "joker_hearts", "next_card", "legal")
    """The leads that they are allowed."""
    scores: JokerScores = rule(
        JokerScores.ALWAYS, "joker_hearts(card_values={H:1,QS:13,JK:5})", "heart_trick", "points"
    )
    """The tricks in which the points count that `score.card_values` gives ``JK``."""


@dataclass(frozen=True)
class Exposing:
    """Cards that their holder may show before the first trick, which multiplies the points of some cards."""

    cards: tuple[tuple[str, str], ...] = rule((), "rickety_kate", {"QS": "QS"}, "phase")
    """Card that may be shown -> the cards, as a pattern, whose points (or whose factor in `score.multipliers`) are
    multiplied by `factor` if it is."""
    factor: int = rule(2, "rickety_kate(exposing.cards={QS:QS,AH:H})", 3, "points", least=2, most=1000)
    """The factor by which a shown card multiplies points (see `cards`)."""
    lock: bool = rule(True, "rickety_kate(exposing.cards={QS:QS,AH:H})", False, "legal")
    """A shown card may not be played to the first trick to which its suit is led, except as its holder's only
    card of the suit."""
    lead_lock: bool = rule(False, "rickety_kate(exposing.cards={QS:QS,AH:H})", True, "legal")
    """A shown card may not be led before its suit has been led, as long as another card may be."""
    rounds: Rounds = rule(Rounds.ONCE, "rickety_kate(exposing.cards={QS:QS,AH:H})", "others", "seat")
    """The turns in which cards are shown, and the moment at which the others see them."""


@dataclass(frozen=True)
class Score:
    """The points of a deal."""

    better: Better = rule(Better.LOW, "rickety_kate(max_deals=9)", "high", "ranking")
    """The total that wins."""
    card_values: tuple[tuple[str, int | complex], ...] = rule(
        (("H", 1), ("QS", 13)), "black_lady", {"H": 1, "QS": 12}, "points"
    )
    """Cards, as a pattern -> points for taking one: a whole number, or a Gaussian integer such as ``13i``. Later
    entries override earlier ones."""
    negations: tuple[tuple[str, str], ...] = rule((), "black_lady", {"QC": "QS"}, "points")
    """Card -> the cards, as a pattern, that score nothing for a seat that took that card as well."""
    multipliers: tuple[tuple[str, str], ...] = rule((), "black_lady", {"TC": "2"}, "points", least=-1000, most=1000)
    """Card -> the factor (``2``, ``2i``) that multiplies the points of all cards its taker took; ``2@H`` multiplies
    those of the hearts only."""
    alone: tuple[tuple[str, int], ...] = rule((), "black_lady(multipliers={TC:2})", {"TC": 50}, "points")
    """Card of `multipliers` -> points for a seat that took it and no card that `card_values` names."""
    multiplied_events: bool = rule(False, "black_lady(multipliers={TC:2}, score.tricks={each:1})", True, "totals")
    """The `multipliers` of all cards that their taker took act on points for other things, too: tricks, sets, hands
    without tricks or hearts, and pledges."""
    sweeps: tuple[tuple[str, str], ...] = rule((), "black_lady", {"2H+3H": "H"}, "points")
    """Cards, as patterns joined by ``+`` -> the cards, as a pattern, whose points change sign for a seat that took all
    of the first."""
    tricks: tuple[tuple[str, int], ...] = rule((), "black_lady", {"each": 1}, "totals")
    """Points for tricks won: ``each`` trick, the ``first`` and the ``last`` of the deal (``{each:1,last:5}``)."""
    sets: tuple[tuple[str, int], ...] = rule((), "black_lady", {"AS+KS": 5}, "totals")
    """Cards, as patterns, and tricks (``each``, ``first``, ``last``) joined by ``+`` -> points for a seat that took all
    of them: ``{first+last+QC:1}``."""
    bonus_floor_hand: bool = rule(False, "omnibus_hearts", True, "totals")
    """Bonus cards cannot bring the points of a deal below 0."""
    bonus_floor_total: bool = rule(False, "omnibus_hearts", True, "totals")
    """A total that would fall below 0 becomes 0."""
    no_tricks: int = rule(0, "black_lady", -5, "totals", pays=(1,))
    """Points for a seat that wins no trick in a deal (-5 is usual); 0 for none."""
    no_tricks_on_moon: bool = rule(False, "black_lady(no_tricks=-5, moon.mode=old)", True, "totals")
    """`no_tricks` counts in deals in which the moon is shot as well."""
    no_hearts: int = rule(0, "black_lady", 1, "totals", pays=(1,))
    """Points for a seat that takes no heart in a deal; 0 for none."""
    no_hearts_on_moon: bool = rule(True, "math_team_hearts", False, "totals")
    """`no_hearts` counts in deals in which the moon is shot as well."""
    pledge: int | None = rule(None, "black_lady", 10, "phase", least=1, pays=(1, -1))
    """Points for a pledge: before play each seat may pledge to take no heart, which makes its score better by this if
    it takes none and worse by this if it does. None if there are no pledges."""
    chips: int | None = rule(None, "rickety_kate(target=none, max_deals=9)", 25, "totals", least=1, most=1000)
    """Number of chips that each seat has at the start; chips are then the totals. In each deal every seat pays one chip
    into the pool, and the seats that take no penalty card share the pool evenly; odd chips stay in it. The match ends
    when a seat has no chip. None if points count instead."""


@dataclass(frozen=True)
class Moon:
    """Shooting the moon (every card of a set), the sun (every trick) and the big moon (deal after deal)."""

    mode: MoonMode = rule(MoonMode.CHOICE, "black_lady(moon.mode=old)", "new", "totals")
    """The effect of shooting the moon."""
    policy: MoonPolicy = rule(MoonPolicy.ASK, "black_lady", "auto_best", "phase")
    """The way in which a choice of the shooter is made."""
    scope: MoonScope = rule(MoonScope.PLAYER, "partnership_hearts", "player", "totals")
    """Those who must take the cards: one player, or a team together."""
    cards: tuple[str, ...] = rule((), "black_lady(moon.mode=old, moon.amount=26)", ["H"], "totals")
    """The cards to take, as patterns; empty for every penalty card."""
    least: tuple[tuple[str, int], ...] = rule((), "black_lady(moon.mode=old)", {"H": 7, "QS": 1}, "totals")
    """Pattern -> number of those cards that is enough to shoot the moon; empty if `cards` says what to take. The award
    is then a sum over the patterns of a number of cards times the points of one: the number in the pack if the shooter
    took them all, otherwise twice the number given here minus the number taken. Bonus cards of the shooter raise the
    award by what they are worth instead of being scored."""
    amount: int | complex | None = rule(None, "black_lady(moon.mode=old)", 13, "totals")
    """Points of the award; none for the penalty points of the cards to take."""
    others_score: bool = rule(
        True, f"black_lady({SHORT}, moon.mode=old, card_values={{H:1,QS:13,JD:-10}})", False, "totals"
    )
    """The opponents score the cards they took in that deal."""
    multiplied: bool = rule(True, "black_lady(moon.mode=old, multipliers={TC:2})", False, "totals")
    """The cards of `score.multipliers` that the shooter took multiply the award that opponents score."""
    sign: MoonSign = rule(MoonSign.PLUS, "complex_hearts", "hurts", "totals")
    """The sign of the award that an opponent scores."""
    new_moon_min: int | None = rule(None, "black_lady", 50, "phase")
    """Lowest total before the deal with which the new moon may be chosen; none if it always may."""
    new_moon_who: NewMoonWho = rule(NewMoonWho.SHOOTER, f"black_lady({SHORT}, new_moon_min=50)", "any", "phase")
    """Whose total must be at least `new_moon_min`: the shooter's, or any player's."""
    extends: MoonExtends = rule(MoonExtends.OFF, f"black_lady({SHORT}, moon.mode=old)", "until_moonless_deal", "over")
    """The time for which a match goes on that an old moon would end with somebody ahead of the shooter."""
    requires_sun: bool = rule(False, "black_lady(moon.mode=old)", True, "totals")
    """The shooter must win every trick of the deal (the sun) as well."""
    sun_skip_first: bool = rule(False, "black_lady(moon.mode=old, requires_sun=true)", True, "totals")
    """The sun needs every trick except the first."""
    sun_amount: int | None = rule(None, "black_lady(moon.mode=old)", 52, "totals")
    """Points of the award if the shooter won every trick (the sun); none for those of the moon."""
    clean_slate: bool = rule(False, "black_lady(moon.mode=old)", True, "totals")
    """The shooter's total becomes 0 after the sun, in place of any award, and nobody scores in that deal."""
    punish: int | None = rule(None, f"black_lady({SHORT}, moon.mode=old)", 52, "totals")
    """Points, after the sun with an old moon, for the seat that passed cards to the shooter; none for those of the
    other opponents."""
    big_moon_deals: int | None = rule(None, "rickety_kate(big_moon_effect=fixed100)", 1, "totals", least=1, most=100)
    """Number of deals in a row in which a seat (or a team, under `moon.scope=team`) must take every penalty card to
    shoot the big moon; none for no big moon."""
    big_moon_effect: BigMoonEffect = rule(
        BigMoonEffect.ADD_TOTAL, "rickety_kate(big_moon_deals=1, target=none, max_deals=40)", "fixed100", "totals"
    )
    """The effect of shooting the big moon."""


@dataclass(frozen=True)
class End:
    """The end of the match."""

    target: int | None = rule(100, "black_lady", 50, "over", least=1)
    """Total that ends the match after the deal in which a seat reaches it; none if no total does."""
    target_cmp: TargetCmp = rule(TargetCmp.GE, f"rickety_kate({SHORT})", "gt", "over")
    """The way in which a total reaches `target` (`lower_target`): at it or beyond, or only beyond it."""
    lower_target: int | None = rule(None, "omnibus_hearts", -10, "over", most=-1)
    """Total below 0 that ends the match after the deal in which a seat falls to it; none if no total does."""
    max_deals: int | None = rule(None, "black_lady", 3, "over", least=1)
    """Number of deals after which the match ends; none for no limit."""
    endless: bool = rule(False, "black_lady", True, "refusal")
    """The match has no end: deals follow one another until the players stop. It needs ``target=none``, and no other
    field that ends a match."""
    tie: Tie = rule(Tie.SHARE, f"rickety_kate({SHORT})", "continue", "over")
    """The result if two or more share the best total when the match would end."""
    exact: tuple[tuple[int, int], ...] = rule((), "black_lady", {50: -50, 100: -50}, "totals")
    """Total -> what is added to it if a seat hits it exactly after a deal: ``{100:-50}`` makes 50 of 100. It is added
    once, even if the new total is listed as well."""
    exact_wins: int | None = rule(None, "black_lady", 26, "over", least=1)
    """Total that wins the match for a seat that has exactly it after a deal, `exact` applied; none if no total does."""
    exact_optional: bool = rule(False, "black_lady(exact={50:-50,100:-50})", True, "phase")
    """The seat may decline the change that `exact` makes."""
    lives: int | None = rule(None, "rickety_kate(max_deals=9)", 1, "lives", least=1, most=100)
    """Number of lives of each player; none for a match without lives."""
    life_threshold: int = rule(15, "danger_hearts(lives=1)", 5, "over", least=1)
    """Lowest number of points in a deal that costs a life."""
    lives_out: LivesOut = rule(LivesOut.END, "danger_hearts(lives=1)", "rank_last", "over")
    """The effect of losing every life."""


@dataclass(frozen=True)
class RuleFields:
    """Every field of the rules, valid or not; `hearts_env.ruleset.model.Rules` adds the validation."""

    table: Table = Table()
    deck: Pack = Pack()
    opening: Opening = Opening()
    passing: Passing = Passing()
    play: Play = Play()
    trick: Trick = Trick()
    jokers: Jokers = Jokers()
    exposing: Exposing = Exposing()
    score: Score = Score()
    moon: Moon = Moon()
    end: End = End()

    @property
    def players(self) -> int:
        """Number of seats."""
        return self.table.players


def flat_fields(rules: RuleFields) -> dict[str, Any]:
    """Every field: ``group.field`` -> value."""
    groups = {group.name: vars(getattr(rules, group.name)) for group in fields(RuleFields)}
    return {f"{name}.{leaf}": value for name, leaves in groups.items() for leaf, value in leaves.items()}


DECLARATIONS: Mapping[str, Declaration] = {
    f"{group.name}.{leaf.name}": leaf.metadata["declaration"]
    for group in fields(RuleFields)
    for leaf in fields(getattr(RuleFields(), group.name))
}
"""Every field: ``group.field`` -> its declaration."""
PAYING = tuple(path for path, declared in DECLARATIONS.items() if declared.pays)
"""The fields that pay a multiple of their number."""
