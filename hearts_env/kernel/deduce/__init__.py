"""Conclusions from a view about hidden cards: constraints, the number of deals that satisfy them, and random draws."""
