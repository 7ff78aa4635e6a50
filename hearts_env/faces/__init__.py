"""Faces: the kernel as PettingZoo, batched and Gymnasium environments. Rewards, terminations and agents exist only
here.
"""
