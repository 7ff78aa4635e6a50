"""Networks as agents: what they read, their definition, their files, and play.

Playing needs no torch. `PolicyNet`, `load_policy`, `save_policy` and `TorchAgent`, which do (``pip install
hearts-env[training]``), are imported when they are used.
"""

from typing import TYPE_CHECKING, Any

from hearts_agents.neural.agent import NetAgent
from hearts_agents.neural.forward import ILLEGAL
from hearts_agents.neural.inputs import input_size, network_inputs
from hearts_agents.neural.saved import PolicyInfo

if TYPE_CHECKING:
    from hearts_agents.neural.policy import PolicyNet, load_policy, save_policy
    from hearts_agents.neural.torch_agent import TorchAgent

__all__ = [
    "ILLEGAL",
    "NetAgent",
    "PolicyInfo",
    "PolicyNet",
    "TorchAgent",
    "input_size",
    "load_policy",
    "network_inputs",
    "save_policy",
]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from hearts_agents.neural import policy, torch_agent

        return getattr(policy if hasattr(policy, name) else torch_agent, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
