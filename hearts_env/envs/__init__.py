"""Environments for PettingZoo, Gymnasium and vectorised use; only here are there rewards, terminations and agents."""
