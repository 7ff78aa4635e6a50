"""The page of rules: every variant has one, and no field of the rules is missing from its words."""

import re
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, example, given, settings

import hearts_env as he
from hearts_env.explain import page as page_module
from hearts_env.explain.page import rules_page
from hearts_env.explain.short import short_page
from hearts_env.ruleset.derived import build_deck
from hearts_env.ruleset.fields import DECLARATIONS
from tests.journey.faces import page, written
from tests.support.games import DRAWN, EVERY_TABLE


def words(rules: he.Rules) -> str:
    """The page without its title and the list of fields."""
    sections = rules_page(rules).split("\n## ")[1:]
    return "\n".join(section for section in sections if not section.startswith("Differences"))


@pytest.mark.parametrize("path", [path for path, field in DECLARATIONS.items() if field.shows != "refusal"])
def test_every_field_is_put_into_words(path: str) -> None:
    before = he.rules(DECLARATIONS[path].game)
    after = before.replace(**{path: DECLARATIONS[path].change})
    assert words(before) != words(after)
    assert rules_page(after).startswith(f"# {after}\n")
    if path != "table.players" and after.flat()[path] != he.rules("black_lady").flat()[path]:
        assert f"- {path} = " in rules_page(after)


@pytest.mark.parametrize("text", EVERY_TABLE)
def test_every_table_has_a_page(text: str) -> None:
    page(text)


@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(DRAWN)
@example(he.sample_rules(11 * 104729 + 1))  # a long value is broken between its parts
def test_rules_drawn_at_random_have_a_page_and_read_back(rules: he.Rules) -> None:
    written(str(rules))
    page(str(rules))
    read_back(rules)


def read_back(rules: he.Rules) -> None:
    """What the page writes of the changes and of the differences can be pasted back."""
    head, _, rest = " ".join(rules_page(rules).split()).partition(". ## ")
    items = rest.partition("Differences from Basic Hearts - ")[2].partition(" ## ")[0].split(" - ")
    differences = ", ".join(item.partition(", not ")[0] for item in items)
    for name, text in ((rules.variant.name, head.partition(", changed: ")[2]), ("black_lady", differences)):
        assert he.rules(f"{name}(players={rules.players}, {text})").flat() == rules.flat()


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        (
            "black_lady",
            "3 cards are passed. The direction changes from deal to deal, in rotation: to the left; to the right;",
        ),
        (
            "black_lady(players=6)",
            "to the second player on the left; to the second player on the right; across; no pass (hold).",
        ),
        (
            "black_lady(players=6)",
            "without the two of diamonds, the two of clubs, the three of diamonds and the three of clubs, so that",
        ),
        ("openspiel", "3 cards are passed. The direction is drawn at random in each deal: to the left;"),
        ("black_lady(cycle=[left*2,right*3])", "Deal by deal, in rotation: 2 cards to the left; 3 cards to the right."),
        ("black_lady", "no pass (hold). The holder of the three of clubs leads it to the first trick. - 6 players:"),
        (
            "booster_nines",
            "The highest card of the suit led in both rounds together wins all the cards, which count as",
        ),
        ("turbo_hearts", "If a nine of the suit led is played to a trick, the trick gets a second round"),
        ("pip_hearts", "Hearts may not be played to the first trick unless no other card may be played."),
        ("incredu_hearts", "Points: the queens of spades +13 each; the jacks of diamonds -10 each; each heart +1."),
        (
            "black_lady(moon.mode=new_if_old_loses)",
            "ahead of the shooter, the shooter may choose the new moon instead: the shooter scores -26.",
        ),
        ("big_moon", "that player's total becomes 0, and every other total rises by 260."),
        ("queens", "the next dealer is whoever took the queen of spades."),
        ("rickety_kate", "There is no award for taking all the penalty cards: whoever takes them scores them."),
        (
            "black_lady(exact={100:-50}, exact_optional=true)",
            "A player whose total is exactly 100 after a deal may change it to 50.",
        ),
        ("gong_zhu", "any scoring card (the two, three and four of hearts count as scoring cards) scores +50."),
        ("spot_hearts", "the two to nine of hearts their face value, +2 to +9."),
        ("gong_zhu", "when, after a deal, a total is -1000 or less. The highest total wins."),
        ("turbo_hearts", "If the ten of clubs is shown, it multiplies by 4 instead of 2."),
        ("royal_hearts", "The queen of hearts multiplies what its taker scores for hearts (itself included) by 2."),
        ("incredu_hearts", "for the hearts, 36 minus the number of hearts taken, but 26 for all 26; for each queen"),
        ("likha", "The team of the player with the highest total loses."),
        ("black_lady(score.sets={H:5}, moon.mode=none)", "A player who takes all the hearts scores +5."),
        ("black_lady(card_values={H:1,AH:0,QS:13})", "+13; the ace of hearts 0; each other heart +1."),
        (
            "danger_hearts(tie=continue)",
            "until it is not, unless the match ends because somebody has no lives left: they then share the win.",
        ),
        (
            "black_lady(moon.mode=old, moon.extends=until_moonless_deal, max_deals=30, lives=1)",
            "until 30 deals in all have been played; lost lives end it all the same.",
        ),
        ("black_lady(added=[11C,11D,11H,11S])", "from low to high: 2 3 4 5 6 7 8 9 T 11 J Q K A."),
        (
            "joker_hearts(forced_discard=[QS])",
            "if you have it; otherwise play any card. A joker may not be played instead.",
        ),
        ("complex_hearts(moon.sign=chosen, moon.policy=auto_best)", "added or subtracted, whichever takes that"),
        (
            "gong_zhu(packs=2, opening.leader=left_of_dealer, opening.card=any, opening.taker=none)",
            "count as scoring cards) scores +50 for each copy.",
        ),
        (
            "black_lady(multipliers={TC:2}, multiplied_events=true)",
            "multiplies everything that its taker scores for cards and for what they did besides by 2.",
        ),
        ("greek_hearts(moon.mode=paid)", "scores +26 (old moon), and the shooter minus the sum of that."),
        ("partnership_hearts(moon.mode=wins)", "The team of the shooter wins the match, which ends."),
        ("black_lady(exact_wins=50)", "A player whose total is exactly 50 after a deal wins the match, which ends."),
        ("black_lady(heart_lead=never)", "Hearts may be led only by a player who holds nothing but hearts."),
        ("black_lady(break_by=qs)", "until they are broken, that is, until the queen of spades has been played."),
        (
            "black_lady(locked={QS:lead})",
            "The queen of spades may not be led until hearts are broken, unless no other card may be led. - A player "
            "who holds nothing but such cards and hearts may lead any of them.",
        ),
        ("black_lady(heart_lead=free, locked={QS:play})", "Hearts are broken as soon as a heart has been played."),
        ("likha(locked={QS:play})", "Until hearts are broken it does not apply to cards that wait for that."),
        (
            "likha(first_trick_forbidden=[QS])",
            "On the first trick this does not apply to cards that are barred from it.",
        ),
        (
            "cancellation_hearts(players=9, remainder=kitty, removed=[2C])",
            "lowest club in anybody's hand (of two holders, the one in the seat with the lower number) leads it",
        ),
        ("heartsette", "3 cards are left over and lie face down, as the kitty."),
        (
            "rickety_kate(chips=25, end.target=none)",
            "when, after a deal, somebody has no chips left. The largest number of chips wins.",
        ),
        ("danger_hearts(lives_out=eliminate)", "at most one player has a life left or 10 deals have been played."),
        (
            "black_lady(players=5,remainder=kitty,opening.holder=2C)",
            "in the kitty, the player on the dealer's left leads and may choose any card that the rules below allow.",
        ),
        (
            "black_lady(players=5,remainder=kitty,opening.holder=2C,opening.card=any_of_suit)",
            "If that card lies in the kitty, the player on the dealer's left leads any club; without one, they may",
        ),
        (
            "black_lady(moon.policy=auto_best)",
            "the opponents; if they are equal, the first, or the second where the match is lost.",
        ),
        (
            "black_lady(moon.mode=new_if_old_loses,moon.policy=auto_best,moon.punish=52)",
            "the new moon applies instead, unless it is worse for the shooter: the shooter scores -26.",
        ),
        ("partnership_hearts(moon.sun_amount=52)", "If the shooter's team wins every trick (the sun), the award is 52"),
        ("partnership_hearts(moon.punish=52)", "or a partner passed them, every opponent scores the award."),
        ("gong_zhu(exposing.cards={AH:H,QS:QS})", "opposite sign: +200 in all, unless cards shown multiply it."),
        ("black_lady(moon.punish=52)", "If no cards were passed, every other player scores the award."),
        (
            "uk_black_lady",
            "Either the total of every other player, this deal included, is doubled or the shooter's total becomes",
        ),
    ],
)
def test_the_words_are_right(rules: str, sentence: str) -> None:
    assert sentence in " ".join(rules_page(rules).split())


def test_a_sun_is_worth_nothing_of_its_own_where_totals_are_what_the_moon_changes() -> None:
    assert "the award is 52" not in " ".join(words(he.rules("uk_black_lady(sun_amount=52)")).split())


@pytest.mark.parametrize("game", ["incredu_hearts", "incredu_hearts(players=6, moon.least={H:15,QS:2})"])
def test_the_example_of_the_award_is_what_the_game_pays(game: str) -> None:
    rules = he.rules(game)
    text = " ".join(rules_page(rules).split())
    example = re.search(r"Example: (\d+) hearts and (one|two) queens? of spades make .*= (\d+)\.", text)
    assert example is not None
    hearts = [card for card in build_deck(rules).cards if card[-1] == "H"]
    taken = int(example[1])
    shooter = hearts[:taken] + ["QS"] * {"one": 1, "two": 2}[example[2]]
    others = [hearts[taken:], *([f"{3 + seat}C"] for seat in range(rules.players - 2))]
    assert he.score_deal(rules, [shooter, *others], moon="others").points[2] == int(example[3])


@pytest.mark.parametrize("write", [he.rules_page, short_page])
@pytest.mark.parametrize(
    ("rules", "warned"),
    [
        ("black_lady(card_values={QS:13})", True),
        ("black_lady(moon.cards=[QS])", True),
        ("black_lady(moon.least={QS:1})", True),
        ("black_lady(card_values={QS:13}, moon.mode=none)", False),
        ("black_lady(card_values={QS:13}, moon.requires_sun=true)", False),
        ("black_lady(card_values={Q:13})", False),
        ("cancellation_hearts(card_values={QS:13})", False),
        *((name, False) for name in he.VARIANTS),
    ],
)
def test_a_moon_of_a_single_card_is_named(write: Callable[[str], str], rules: str, warned: bool) -> None:
    text = " ".join(write(rules).split())
    line = "One card is enough for the moon here: whoever takes the queen of spades shoots it, in every deal."
    assert (line in text) == warned
    assert warned or "One card is enough" not in text


def test_a_field_without_words_has_no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    few = page_module.worded_fields() - {"play.heart_lead"}
    monkeypatch.setattr(page_module, "worded_fields", lambda: few)
    for write in (he.rules_page, short_page):
        assert write("black_lady")
        with pytest.raises(ValueError, match=r"^play.heart_lead=free has no words yet"):
            write("black_lady(heart_lead=free)")
    assert he.Match("black_lady(heart_lead=free)").legal()
