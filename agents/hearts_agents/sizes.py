"""Limits on the size of a network, in training and in files. They stand apart because options import nothing."""

MOST_LAYERS = 16
"""Hidden layers; of a network for all rules, those after the first."""
MOST_WIDTH = 1 << 16
"""Width of a hidden layer."""
MOST_CODE = 1 << 12
"""Size of the codes of a network for all rules."""
