"""Names of players as they are typed: what may stand in them, so that others can read and tell them apart."""

from __future__ import annotations

from unicodedata import category, name

JOINERS = "\u200c\u200d"
BLANK = "\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5\ufffc"
"""Letters and signs that show nothing."""
SELECTORS = {*map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))}
"""Marks that choose how the sign before them looks, and show nothing themselves."""
OTHER_EMOJI = "\u203c\u2049\u2139\u3030"
"""Emoji that are no symbols to Unicode: two marks, a letter and a dash."""
KEYS = "0123456789#*"
NEW_EMOJI = range(0x1F000, 0x1FC00)
"""Code points of emoji that Python's tables may be too old to know."""


def checked_name(text: str) -> str:
    """A name, with single spaces between its words. Raises ValueError, in one line, for one that cannot be read.

    >>> checked_name("  Ann  B. ")
    'Ann B.'
    """
    for place, char in enumerate(text):
        if not _may_stand(text, place):
            sign = f"U+{ord(char):04X}" + f" ({name(char, '').lower()})".replace(" ()", "")
            raise ValueError(f"{sign} cannot stand in a name; letters, digits, signs, emoji and spaces can")
    if not any(_is_seen(char) for char in text):
        raise ValueError("a name has at least one letter, digit or sign that can be seen")
    return " ".join(text.split())


def checked_seat(text: str) -> str:
    """The occupant of a seat: ``person``, ``person NAME`` or an agent's spec. Raises ValueError as `checked_name`."""
    word, space, typed = text.lstrip(" ").partition(" ")
    if word == "person" and space:
        return f"person {checked_name(typed)}"
    checked_name(text)  # an agent is called by its spec
    return text


def _may_stand(text: str, place: int) -> bool:
    """True if a character may stand in a name: it is seen, marks its neighbour, or is a space."""
    char = text[place]
    if char in JOINERS:
        return _joins(text, place)
    if char in SELECTORS:
        return _selects(text, place)
    if category(char) == "Zs":
        return True
    return char not in BLANK and (char.isprintable() or _is_new(char))


def _joins(text: str, place: int) -> bool:
    """True if a joiner stands between two signs that it may join.

    Joiners are format characters (Cf), but emoji such as 👩‍💻 and names in Persian or Sinhala are not spelled without
    them. Between ASCII letters they would only make two names of one; other look-alikes are not kept apart.
    """
    beside = text[place - 1 : place] + text[place + 1 : place + 2]
    return len(beside) == 2 and not any(one.isascii() or one.isspace() or one in JOINERS for one in beside)


def _selects(text: str, place: int) -> bool:
    """Whether a selector stands after an emoji or symbol, or in a keycap such as 1️⃣.

    After a letter it would only make two names of one.
    """
    before, after = text[place - 1 : place], text[place + 1 : place + 2]
    if before.isascii():
        return before != "" and before in KEYS and after == "\u20e3"
    return category(before)[0] == "S" or before in OTHER_EMOJI or _is_new(before)


def _is_seen(char: str) -> bool:
    return category(char)[0] in "LNPS" or _is_new(char)


def _is_new(char: str) -> bool:
    return category(char) == "Cn" and ord(char) in NEW_EMOJI
