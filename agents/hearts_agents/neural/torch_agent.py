"""Modules of torch as agents, saved as weights and the address of their code, nothing pickled; ``py:FOLDER`` plays."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from hearts_agents.address import address_of, load
from hearts_agents.base import Agent, AgentRefused
from hearts_agents.neural.forward import ILLEGAL
from hearts_agents.neural.policy import arrays_of  # says what to install where torch is missing
from hearts_agents.neural.saved import digest_of
from hearts_agents.neural.sealed import TORCH, read_network, write_network
from hearts_agents.weights import fits
from hearts_env.compiled.game import Game
from hearts_env.envs.forms import form_of
from hearts_env.envs.options import LAYOUTS
from hearts_env.envs.universal import UniversalForm
from hearts_env.ruleset.model import Rules
from hearts_env.ruleset.syntax import brief
from hearts_env.seat.shared import SharedLayout, shared_layout
from hearts_env.seat.view import View, Views
from hearts_env.table.match import Match
from hearts_env.variants.registry import rules as read_rules

Inputs = Callable[[Views], Any]


class TorchAgent(Agent):
    """Plays the most probable legal action of a module.

    >>> import torch
    >>> import hearts_env as he
    >>> agent = TorchAgent(torch.nn.Linear(684, 54))
    >>> view = he.Match("black_lady", seed=7).view(0)
    >>> sum(agent.probabilities(view).values()) > 0.999, view.game.actions[agent.act(view)] in view.legal()
    (True, True)

    Attributes:
        module: from what `inputs` returns to one logit per action, legal or not, (n, actions).
        inputs: from `Views` to an array (n, ...), or a tuple of arrays, one for each argument of the module; by default
            the observations. It is what ``features=`` of an environment takes, too.
        layout: of the actions, and of the observations that are the default: as ``layout=`` of an environment.
    """

    name = "torch"

    def __init__(
        self, module: torch.nn.Module, inputs: Inputs | None = None, layout: str | SharedLayout = "variant"
    ) -> None:
        self.module, self.inputs, self.layout = module, inputs, layout
        self._forms: dict[Game, UniversalForm | None] = {}

    def logits(self, views: Views) -> NDArray[np.float32]:
        """(n, actions of the layout), `ILLEGAL` for illegal actions.

        Raises ValueError if the module does not fit the game.
        """
        form, (rows, masks) = self._form(views.game), views.observations()
        if form is not None:
            rows = form.rows(views.records, views.records["seat"], rows, masks) if self.inputs is None else rows
            masks = form.masks(masks)
        given = rows if self.inputs is None else self.inputs(views)
        parts = given if isinstance(given, tuple) else (given,)
        weights, training = next(self.module.parameters()), self.module.training
        self.module.eval()
        with torch.inference_mode():
            found = self.module(*(torch.as_tensor(part, device=weights.device) for part in parts)).float().cpu().numpy()
        self.module.train(training)
        if found.shape != masks.shape:
            raise ValueError(f"{self.name} returns logits of shape {found.shape}; {views.game.rules} has {masks.shape}")
        return np.where(masks, found, np.float32(ILLEGAL))

    def _form(self, game: Game) -> UniversalForm | None:
        """The form of observations and actions. Raises AgentRefused for a game that does not fit."""
        if game not in self._forms:
            try:
                self._forms[game] = form_of(game, self.layout)
            except ValueError as error:
                raise AgentRefused(f"{self.name}: {error}") from None
        if self.trained_on and self.layout == "variant" and not fits(self.trained_on, game):
            raise AgentRefused(
                f"{self.name} was trained on {self.trained_on}; {game.rules} has another observation or actions"
            )
        return self._forms[game]

    def act_batch(self, views: Views) -> NDArray[np.int64]:
        """One action per view, (n,)."""
        form, best = self._form(views.game), self.logits(views).argmax(1)
        found: NDArray[np.int64] = best if form is None else form.own(best)
        return found

    def probabilities(self, view: View) -> dict[str, float]:
        """Legal action -> its probability, the most probable first."""
        form, legal = self._form(view.game), view.legal_ids()
        shares = torch.from_numpy(self.logits(Views.of(view))[0]).softmax(0)
        found = shares[legal if form is None else form.numbers(legal)].tolist()
        best = sorted(zip(legal, found, strict=True), key=lambda one: -one[1])
        return {view.game.actions[action]: share for action, share in best}

    def save(
        self,
        folder: str | Path,
        rules: str | Rules,
        arguments: Mapping[str, Any] | None = None,
        make: Callable[..., torch.nn.Module] | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> str:
        """Write the weights, in single precision, and the addresses of the code to a folder.

        A file is named by its way from the folder, so that both can be moved together. It is imported when the agent is
        loaded: a script must train under ``if __name__ == "__main__"``.

        Args:
            folder: the folder, which is created if it does not exist.
            rules: the rules it was trained on; it refuses games with other columns or actions, or those that its layout
                does not fit.
            arguments: what `make` is called with: values of JSON, and classes or functions.
            make: what makes the module; its class by default.
            extra: further JSON values for its description.

        Returns:
            The spec string that plays it, ``py:FOLDER``.

        Raises:
            ValueError: code without an address, such as a lambda; arguments that do not make the module again; one that
                does not fit the rules or has weights that are not finite; or a folder that cannot be written.
        """
        made, path = make or type(self.module), Path(folder).resolve()
        values = {
            "module": address_of(made, path),
            "inputs": "" if self.inputs is None else address_of(self.inputs, path),
            "layout": [self.layout] if isinstance(self.layout, str) else list(self.layout.rules),
            "arguments": _with_addresses(dict(arguments or {}), path),
            "rules": str(read_rules(rules)),
            "extra": dict(extra or {}),
        }
        weights, match = arrays_of(self.module), Match(rules, seed=0)
        again = TorchAgent(_made(values["module"], made, dict(arguments or {}), weights), self.inputs, self.layout)
        try:
            again.act(match.view(match.seat or 0))
        except Exception as error:  # whatever a stranger's module raises
            raise ValueError(f"{values['module']} does not play {match.rules}: {_line(error)}") from error
        write_network(folder, TORCH, values, weights)
        return f"py:{folder}"


def load_agent(folder: str | Path) -> TorchAgent:
    """Load what `TorchAgent.save` wrote, which imports the code that the folder names.

    Raises:
        ValueError: a file is missing, damaged or of another kind, or its code cannot be imported or does not fit.
    """
    values, found = read_network(folder, TORCH)
    weights = dict(sorted(found.items()))  # the library reads them in random order
    where, code = Path(folder).resolve(), list[str]()

    def loaded(address: str) -> Any:
        place, _, name = address.rpartition(":")
        found, digest = load(f"{where / place if place.endswith('.py') else place}:{name}")
        code.append(digest)
        return found

    made = loaded(values["module"])
    module = _made(values["module"], made, _loaded(values["arguments"], loaded), weights).eval()
    layout = values["layout"][0] if values["layout"][0] in LAYOUTS else shared_layout(values["layout"])
    agent = TorchAgent(module, loaded(values["inputs"]) if values["inputs"] else None, layout)
    agent.trained_on = values["rules"]
    agent.digest = hashlib.sha256(" ".join([digest_of(weights), *code]).encode()).hexdigest()
    return agent


def _made(address: str, make: Callable[..., Any], arguments: Mapping[str, Any], weights: Any) -> torch.nn.Module:
    """The module that code makes, with weights. Raises ValueError if they do not fit."""
    try:
        module: torch.nn.Module = make(**arguments)
        module.load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()})
    except Exception as error:  # whatever a stranger's module raises
        raise ValueError(f"{address} does not make the module again of {arguments}: {_line(error)}") from error
    return module


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]


def _with_addresses(value: Any, folder: Path) -> Any:
    """A value as JSON, classes and functions by their addresses. Raises ValueError for other objects."""
    if isinstance(value, Mapping):
        return {key: _with_addresses(part, folder) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_with_addresses(part, folder) for part in value]
    if callable(value):
        return {"py": address_of(value, folder)}
    try:
        json.dumps(value)
    except TypeError:
        raise ValueError(
            f"{brief(value)} cannot be saved; arguments are values of JSON, classes or functions"
        ) from None
    return value


def _loaded(value: Any, load_address: Callable[[str], Any]) -> Any:
    if isinstance(value, dict):
        one = value.keys() == {"py"}
        return load_address(value["py"]) if one else {key: _loaded(part, load_address) for key, part in value.items()}
    return [_loaded(part, load_address) for part in value] if isinstance(value, list) else value
