"""The largest game: the room in the kernel's records, and the limits of the rules that follow from it."""

SEATS = 11
"""Seats at a table."""
KINDS = 64
"""Kinds of cards in a pack, one bit of a mask each."""
CARDS = 112
"""Cards in a pack."""
PLANES = 4
"""Copies of one kind."""
PICKS = 16
"""Cards passed by one seat in one deal."""
KITTY = 16
"""Cards in the kitty."""
OPTIONS = 32
"""Different ways to pass in a cycle."""
ENTRIES = 32
"""Entries of a pass cycle."""
FEW = 8
"""Entries of a map such as `score.sweeps` or `end.exact`."""
