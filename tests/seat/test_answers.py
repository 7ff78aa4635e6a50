"""Names of cards and actions: one reader at every door, generous in what it takes."""

import pytest

import hearts_env as he
from hearts_env.cards import RANKS, SUITS, card_name

SIGNS = dict(zip(SUITS, "♣♦♥♠", strict=True))
WORDS = dict(zip(SUITS, ("clubs", "diamonds", "hearts", "spades"), strict=True))
NAMES = {"T": "ten", "11": "eleven", "12": "twelve", "J": "jack", "Q": "queen", "K": "king", "A": "ace", "2": "two"}
TINY = "black_lady(deck.ranks=[2,3,4,5,6,7,8,T,Q,K,A], cycle=[hold])"


def spellings(card: str) -> list[str]:
    rank, suit = card[:-1], card[-1]
    ranks = {rank, rank.lower(), NAMES.get(rank, rank), "10" if rank == "T" else rank}
    found = [card.lower(), f" {card}'", *(f"{NAMES.get(rank, rank)} of {suit}" for _ in range(1))]
    for one in ranks:
        found += [f"{one} of {WORDS[suit]}", f"{one.title()} of {WORDS[suit][:-1].title()}", f"{one} {SIGNS[suit]}"]
        if len(one) <= 2:
            found += [f"{one}{SIGNS[suit]}", f"{SIGNS[suit]}{one}", f"{suit}{one}", f"{one}{suit.lower()}\ufe0f"]
    return found


@pytest.mark.parametrize("suit", SUITS)
def test_every_card_is_read_in_every_spelling_and_as_no_other(suit: str) -> None:
    for rank in RANKS:
        for text in spellings(rank + suit):
            assert card_name(text) == rank + suit, text


@pytest.mark.parametrize(
    "text", ["", "Q", "S", "1C", "QQ", "SS", "queen", "queen of", "jack of cups", "C10D", "13H", "aces", "kings"]
)
def test_what_names_no_card_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a card; write rank then suit"):
        card_name(text)


@pytest.mark.parametrize(
    "text", ["10C", "10♣", "♣T", "c10", "ten of clubs", "Ten of\tClubs", "10 ♣", "clubs 10", "10-C"]
)
def test_all_doors_read_the_same_names(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert he.legal_plays("black_lady", [text, "5H"], ["2C"]) == ["TC"]
    assert he.trick_winner("black_lady", ["2C", text]) == 1
    assert he.score_deal(f"black_lady(card_values={{{text}:7}}, moon.mode=none)", [[text], [], [], []]).points[0] == 7
    assert str(he.rules(f"black_lady(opening.holder={text})")) == "black_lady(opening.holder=TC)"
    match = he.Match("black_lady", seed=4)
    hands = match.hands
    owner = next(seat for seat in range(4) if "TC" in hands[seat])
    hands[owner][hands[owner].index("TC")] = text
    again = he.Match.from_hands("black_lady", hands, passing=True, seed=4, deal_number=0)
    env = he.text_env("black_lady", seat=owner, opponents="random", first_deal=0)
    env.reset(seed=1, options={"hands": hands, "passing": True})
    assert "TC" in env.view().hand
    _, _, _, _, info = env.step(f"[{text}]")
    assert env.view().passed == ["TC"]
    assert "reason" not in info
    while again.seat != owner:
        again.play(again.legal()[0])
    again.play(text)
    assert again.view(owner).passed == ["TC"]


def test_choices_are_read_in_every_spelling() -> None:
    game = he.Match("black_lady(card_values={H:1,QS:13,TC:5}, exposing.cards={QS:QS,TC:TC})").game
    for text in ("expose:10C", "Expose:♣10", "expose: ten of clubs", "EXPOSE:TC"):
        assert game.actions[game.action(text)] == "expose:TC"
    joker = he.Match("joker_hearts(jokers.lead=call)").game
    suits = [joker.actions[joker.action(text)] for text in ("suit:♠", "suit:spades", "SUIT:s")]
    assert suits == ["suit:S"] * 3
    with pytest.raises(ValueError, match="there is no action 'expose:9C'"):
        game.action("expose:9C")
