"""What a view implies about hidden cards: constraints, the number of deals that satisfy them, and random draws."""
