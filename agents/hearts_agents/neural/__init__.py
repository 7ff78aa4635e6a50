"""Networks as agents: what they read, their definition, their files, and play.

It needs torch and safetensors (``pip install hearts-env[training]``), so it is imported only when a network is used.
"""

from hearts_agents.neural.agent import NetAgent
from hearts_agents.neural.inputs import input_size, network_inputs
from hearts_agents.neural.policy import ILLEGAL, PolicyInfo, PolicyNet, load_policy, save_policy

__all__ = [
    "ILLEGAL",
    "NetAgent",
    "PolicyInfo",
    "PolicyNet",
    "input_size",
    "load_policy",
    "network_inputs",
    "save_policy",
]
