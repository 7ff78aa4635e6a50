"""Measurements of agents: during training, of their passes and moons, and of the decisions of a match."""
