"""Our agents as `pyspiel.Bot`."""

from __future__ import annotations

from functools import cache
from typing import Any

from hearts_agents.base import Agent
from hearts_agents.openspiel.convert import card_action, from_pyspiel
from hearts_agents.openspiel.parameters import load_pyspiel
from hearts_agents.registry import make_agent


def as_bot(agent: str | Agent, player_id: int) -> Any:
    """A `pyspiel.Bot` that plays Hearts with an agent.

    The agent sees only the view of its seat. The bot's policy gives probability 1 to the agent's action.

    Args:
        agent: a spec string or an agent; its `reset` fixes its random choices.
        player_id: its seat, 0 to 3.

    Raises:
        ValueError: OpenSpiel is not installed; an unknown agent or seat.
    """
    if player_id not in range(4):
        raise ValueError(f"player_id={player_id} is not a seat; seats are 0 to 3")
    return _bot_class(load_pyspiel())(make_agent(agent), player_id)


@cache
def _bot_class(pyspiel: Any) -> type[Any]:
    class AgentBot(pyspiel.Bot):
        """See `as_bot`."""

        def __init__(self, agent: Agent, player_id: int) -> None:
            pyspiel.Bot.__init__(self)
            self.agent = agent
            self.player_id = player_id

        def restart(self) -> None:
            """Do nothing: agents act on views."""

        def restart_at(self, state: Any) -> None:
            """Do nothing, as in `restart`."""

        def inform_action(self, state: Any, player: int, action: int) -> None:
            """Show a stateful agent the end of the deal."""
            if player >= 0:
                self._end(state, action)

        def step(self, state: Any) -> int:
            """The agent's action."""
            match = from_pyspiel(state)
            if match.seat != self.player_id:
                raise ValueError(f"it is the turn of seat {match.seat}, not of seat {self.player_id}")
            action = match.game.action(self.agent.act(match.view(self.player_id)))
            chosen = card_action(match.game.actions[action])
            self._end(state, chosen)
            return chosen

        def _end(self, state: Any, action: int) -> None:
            if self.agent.stateful and (after := state.child(action)).is_terminal():
                self.agent.on_deal_end(from_pyspiel(after).view(self.player_id))

        def provides_policy(self) -> bool:
            """True: `get_policy` works."""
            return True

        def get_policy(self, state: Any) -> list[tuple[int, float]]:
            """Every legal action with its probability, 0 or 1."""
            return self.step_with_policy(state)[0]

        def step_with_policy(self, state: Any) -> tuple[list[tuple[int, float]], int]:
            """The policy and the action."""
            chosen = self.step(state)
            return [(action, float(action == chosen)) for action in state.legal_actions()], chosen

    return AgentBot
