"""Environments: the kernel behind PettingZoo, Gymnasium and batched interfaces. Only here are rewards, terminations and
agents known.
"""
