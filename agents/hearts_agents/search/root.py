"""The start of a search: the decision in a view, the policy's own action in it, and a test for a choice to search."""

from __future__ import annotations

from hearts_agents.rule.choose import choose
from hearts_agents.search.evidence import guess_players
from hearts_agents.search.rollout import OVER, first_action, is_random
from hearts_agents.search.workspace import SCRATCH, SearchWorkspace
from hearts_env.kernel.bits import INT64, ONE, lowest
from hearts_env.kernel.deduce.counting import prepare
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import legal
from hearts_env.kernel.records import Mask, Phase, State, Tables

REFUSE, PASS = Phase.REFUSE.value, Phase.PASS.value
MOON, SIGN, EXACT = Phase.MOON.value, Phase.SIGN.value, Phase.EXACT.value


@jit
def begin(view: State, t: Tables, ws: SearchWorkspace, word: Mask) -> bool:
    """Prepare the workspace for a decision. Returns False if no deal agrees with the view."""
    ws.word, ws.default_action, ws.tried = word, default_action(view, t, ws), 0
    ws.sums[:] = 0.0
    ws.fewest_unlikely = -1
    if ws.endgame_tricks:
        ws.keys[:] = 0  # the outcome of a position may depend on the totals, and another view may have others
    if not prepare(view, t, INT64(view.seat), ws.hidden, ws.states[SCRATCH]):
        return False
    guess_players(view, t, ws)
    return True


@jit
def default_action(view: State, t: Tables, ws: SearchWorkspace) -> int:
    """The policy's own action: the rule agent's, or the first legal one for a random policy."""
    options = legal(view, t)
    if options & (options - ONE) == 0 or is_random(ws.epsilons[0]):
        return lowest(options) + first_action(view, t)
    return choose(view, t, ws.policies[0])


@jit
def action_without_search(view: State, t: Tables, ws: SearchWorkspace) -> int:
    """The action of a decision that is not searched: the rule agent's, or the policy's; -1 if it is to be searched."""
    if view.phase == OVER:
        return 0
    if is_left_to_rule(view):
        return choose(view, t, ws.policies[0])
    return default_action(view, t, ws) if is_left_to_policy(view, t, ws) else -1


@jit
def is_left_to_policy(view: State, t: Tables, ws: SearchWorkspace) -> bool:
    """True if there is nothing to search: one legal action, or a pass that is left to the policy."""
    options = legal(view, t)
    replaces = view.phase == PASS and view.refuser >= 0
    return options & (options - ONE) == 0 or replaces or (view.phase == PASS and not ws.searches_pass)


@jit
def is_left_to_rule(view: State) -> bool:
    """True if the rule agent decides.

    After a deal nothing is hidden, and much depends on the rest of the match, which worlds do not contain. Worlds of an
    interrupted pass carry little information.
    """
    phase = view.phase
    return phase == REFUSE or phase == MOON or phase == SIGN or phase == EXACT
