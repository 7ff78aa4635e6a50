"""`hearts arena` and `hearts agents`: compare agents, and list them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import tyro

from hearts_training.cli.arena_tables import arena_tables, log_table, plan_line, plan_table
from hearts_training.cli.command import (
    Command,
    Keeping,
    check_files,
    check_picture,
    console,
    fold,
    progress,
    write_json,
    write_text,
)
from hearts_training.options import UNSET, Count, File, WorkerOptions

if TYPE_CHECKING:
    from hearts_agents.arena import AgentFailed, ArenaResult, GivenDeals, KeptGames, Plan

FAILURE = Path("arena-failure.hearts")
"""File for the position at which an agent failed."""
PILOTS = ("pimc(worlds=8)", "rule")
"""Agents of the pilot of --power if none is named; their margin is typical of agents worth comparing."""


@dataclass(frozen=True)
class Arena(WorkerOptions, Keeping):
    """Compare agents on duplicate deals.

    Duplicate deals are the same deals replayed with the seats exchanged. With one-vs-rest each agent plays alone
    against each other agent, in every seat. Points are penalty points per deal. Margin: own points minus the mean of
    the other seats, per deal; negative is better. Errors are standard errors over deals; JSON, CSV and the plot contain
    95 % confidence intervals. `hearts agents` lists the agents.

    Ctrl-C, or SIGTERM, prints the table of the finished deals; with --save FILE the same command continues from there.
    The pilot of --power is played by pimc(worlds=8) and rule if no agent is named. The exit code is 1 if most decisions
    of an agent were substituted, so that the table does not measure it.

    Examples:
      hearts arena rule random
      hearts arena net:runs/first rule random --deals 5000
      hearts arena "rule(pass_spades=2)" rule --seatings all --json table.json
      hearts arena rule random --variant "black_lady(players=5)" --json -
      hearts arena rule random --matches 100 --processes 2 --save arena.save
      hearts arena random "pimc(worlds=8)" ismcts rule --seatings ladder --deals 100
      hearts arena rule "rule(shoot=0.9)" --power 0.3
      hearts arena net:black_lady rule --deals-from games.jsonl --seatings two-vs-two
      hearts arena net:black_lady rule --records lost --keep worst:20
    """

    agents: Annotated[tuple[str, ...], tyro.conf.Positional, UNSET, tyro.conf.arg(metavar="AGENT [AGENT ...]")]
    """Specs of the agents."""
    variant: str = "black_lady"
    """The variant, optionally with changes to its rules in brackets."""
    deals: Count = None
    """Number of deals, each replayed in every seating; 1000, or 200 with --power."""
    deals_from: Annotated[tuple[Path, ...], UNSET, tyro.conf.arg(metavar="FILE [FILE ...]")] = ()
    """Play the deals of these records or files of games, under their rules, and compare with their players, deal by
    deal. With two-vs-two agents sit as those players did."""
    matches: Count = None
    """Play this number of whole matches instead of single deals."""
    seed: Count = None
    """Fixes the deals and all random choices; random if not given. A small seed can be guessed from the cards of a
    deal: against programs you do not trust, leave it out."""
    seatings: Literal["one-vs-rest", "two-vs-two", "all", "round-robin", "ladder"] = "one-vs-rest"
    """Assignment of agents to seats."""
    luck: Annotated[bool, UNSET] = False
    """Adjust the margins for the luck of the deals, at the cost of some extra play."""
    power: Annotated[float | None, UNSET, tyro.conf.arg(metavar="POINTS")] = None
    """Report how many deals it takes to detect this difference in points per deal, after a short pilot."""
    save: File = None
    """Keep the finished deals in this file; the same command with the same file continues from there."""
    json: File = None
    """Write JSON to this file; - writes it to standard output instead of the table."""
    csv: File = None
    """Write CSV to this file, or to standard output with -."""
    markdown: File = None
    """Write Markdown to this file, or to standard output with -."""
    plot: File = None
    """Draw margins, moons and, with more than two agents, each against each other to this file, .png or .svg."""

    def run(self) -> int:
        """Play, print the table and write the files."""
        self._check()
        with self.keeping() as kept:
            return self._run(kept)

    def _run(self, kept: KeptGames | None) -> int:
        from hearts_agents.arena import AgentFailed, ArenaInterrupted

        try:
            if self.power is not None:
                self._report_plan(self._plan(self.power))
                return 0
            given = self._given()
            result = self._play(given, kept)
            self._report(result, given.compare(result.by_unit) if given else [])
            return _warn(result)
        except ArenaInterrupted as stop:
            if stop.partial is not None and self.power is None:
                console(errors=self._pipes).print(*arena_tables(stop.partial))
            raise KeyboardInterrupt(self._how_to_go_on(stop.partial)) from None
        except AgentFailed as failure:
            raise ValueError(_keep_failure(failure)) from failure

    @property
    def _pipes(self) -> bool:
        """True if a file's content goes to standard output."""
        return "-" in map(str, (self.json, self.csv, self.markdown))

    def _check(self) -> None:
        if not self.agents and self.power is None:
            raise ValueError("name at least one agent, such as: hearts arena rule random (hearts agents lists them)")
        outputs = {"--json": self.json, "--csv": self.csv, "--markdown": self.markdown, "--plot": self.plot}
        check_files({**outputs, "--save": self.save}, "--save")
        check_picture(self.plot)
        if self.plot is not None:
            import_module("matplotlib")  # an optional dependency: report its absence before playing
        if str(self.save) == "-":
            raise ValueError("--save - is not possible: the file must be readable later; name a file")
        if self.deals_from and (self.matches, self.luck, self.power) != (None, False, None):
            raise ValueError("--deals-from plays single deals of a log; leave out --matches, --luck and --power")
        if self.power is not None:
            others = {"--matches": self.matches, "--luck": self.luck or None, "--save": self.save} | outputs
            others["--records"] = self.records
            given = [name for name, value in others.items() if value is not None and name != "--json"]
            if given:
                raise ValueError(
                    f"--power plays a pilot of single deals and reports nothing else; leave out {given[0]}"
                )

    def _how_to_go_on(self, partial: ArenaResult | None) -> str:
        if self.power is not None:
            return "interrupted"
        if partial is None:
            return "interrupted before any deal was finished"
        message = "interrupted; the table counts the finished deals"
        return message if self.save is None else f"{message}; the same command with --save {self.save} continues"

    def _given(self) -> GivenDeals | None:
        """The deals of --deals-from. Raises ValueError if --variant names other rules."""
        from hearts_agents.arena import GivenDeals
        from hearts_env.variants.registry import rules

        if not self.deals_from:
            return None
        given = GivenDeals.read(self.deals_from, self.deals)
        if self.variant != Arena.variant and rules(self.variant) != given.rules:
            raise ValueError(f"--variant {self.variant} is not the game of --deals-from, which is {given.rules}")
        return given

    def _play(self, given: GivenDeals | None, kept: KeptGames | None) -> ArenaResult:
        from hearts_agents.arena import run_arena
        from hearts_training.folders import hold

        with hold(self.save) if self.save else nullcontext(), progress("arena") as show:
            return run_arena(
                self.agents,
                variant=given.rules if given else self.variant,
                deals=None if given else self.deals,
                seed=self.seed,
                seatings=self.seatings,
                given=given,
                kept=kept,
                matches=self.matches,
                luck=self.luck,
                workers=self.who,
                save=self.save,
                progress=show,
                made=self._entry(self.seed),
            )

    def _plan(self, difference: float) -> Plan:
        from hearts_agents.arena import plan_deals
        from hearts_agents.arena.run import PILOT_DEALS

        with progress("pilot") as show:
            return plan_deals(
                self.agents or PILOTS,
                difference,
                variant=self.variant,
                deals=PILOT_DEALS if self.deals is None else self.deals,
                seed=self.seed,
                seatings=self.seatings,
                workers=self.who,
                progress=show,
            )

    def _report(self, result: ArenaResult, log: list[dict[str, Any]]) -> None:
        from hearts_agents.arena.pictures import draw_result
        from hearts_agents.arena.report import to_csv, to_markdown
        from hearts_agents.files import write_file

        if not self._pipes:
            console().print(*arena_tables(result), *log_table(log))
            self._print_seed(result.seed)
        data = (
            result.to_dict()
            | ({"log": log} if log else {})
            | {"run": [{**made, "seed": result.seed} for made in result.run]}
        )
        writes: list[tuple[Path | None, Callable[[Path], None]]] = [
            (self.json, lambda file: write_json(file, data)),
            (self.csv, lambda file: write_text(file, to_csv(result))),
            (self.markdown, lambda file: write_text(file, to_markdown(result))),
            (self.plot, lambda file: write_file(file, draw_result(result, file.suffix[1:]))),
        ]
        errors = []
        for file, write in writes:
            if file is not None:
                try:
                    write(file)
                except OSError as error:
                    errors.append(str(error))
        if errors:
            raise OSError("; ".join(errors))

    def _entry(self, seed: int | None) -> dict[str, Any]:
        from hearts_training.provenance import entry

        names = ("agents", "variant", "deals", "matches", "seatings", "luck", "power")
        files = {"deals_from": [file.name for file in self.deals_from]} if self.deals_from else {}
        return entry({name: getattr(self, name) for name in names} | files, seed, self.agents)

    def _print_seed(self, seed: int) -> None:
        if self.seed is None:
            print(f"--seed {seed} plays the same deals again.")

    def _report_plan(self, plan: Plan) -> None:
        if self.json is not None:
            write_json(self.json, plan.to_dict() | {"run": [self._entry(plan.seed)]})
        if not self._pipes:
            console().print(plan_table(plan))
            print(plan_line(plan))
            self._print_seed(plan.seed)


def _warn(result: ArenaResult) -> int:
    """Name, on standard error, the agents most of whose decisions were substituted. Returns the exit code."""
    from hearts_agents.arena.results import labels_of

    named = zip(labels_of(result.to_dict()["agents"]), result.agents, strict=True)
    bad = [(label, agent) for label, agent in named if 2 * sum(agent.faults.values()) > agent.decisions]
    for label, agent in bad:
        count = f"{sum(agent.faults.values()):,} of {agent.decisions:,}"
        print(f"hearts: the table does not measure {label}: {count} decisions were substituted", file=sys.stderr)
    return 1 if bad else 0


def _keep_failure(failure: AgentFailed) -> str:
    """Write the position at which an agent failed; returns the message with the name of the file."""
    try:
        write_text(FAILURE, failure.record)
    except OSError:
        return f"{failure} (the position could not be written to {FAILURE})"
    return f"{failure} (the position is in {FAILURE}: hearts replay {FAILURE})"


@dataclass(frozen=True)
class Agents(Command):
    """List the agents, or the parameters of one.

    Examples:
      hearts agents
      hearts agents rule
      hearts agents --json
    """

    name: Annotated[str | None, tyro.conf.Positional, UNSET, tyro.conf.arg(metavar="AGENT")] = None
    """The agent whose parameters are listed."""
    json: Annotated[bool, UNSET] = False
    """Print JSON instead of a table."""

    def run(self) -> int:
        """Print the list."""
        from hearts_agents.registry import AGENTS, load_plugins, parse_spec

        load_plugins()
        chosen = list(AGENTS.values()) if self.name is None else [AGENTS[parse_spec(self.name)[0]]]
        if self.json:
            write_json(Path("-"), [_agent_data(agent) for agent in chosen])
            return 0
        from rich.table import Table

        from hearts_agents.weights import shipped

        if self.name is not None:
            table = Table("parameter", "default", "meaning", box=None, padding=(0, 2, 0, 0))
            for one in chosen[0].parameters.values():
                table.add_row(one.name, "" if one.default is None else str(one.default), one.doc)
            console().print(f"{chosen[0].name}: {chosen[0].summary}", table)
            return 0
        table = Table("agent", "", box=None, padding=(0, 2, 0, 0))
        for agent in chosen:
            table.add_row(agent.name, agent.summary)
        console().print(table)
        print(fold(f"\nNetworks that come with the suite: {' '.join(f'net:{name}' for name in shipped())}"))
        print(fold("hearts agents AGENT lists the parameters of an agent."))
        return 0


def _agent_data(agent: Any) -> dict[str, Any]:
    parameters = [
        {"name": one.name, "type": one.kind.__name__, "default": one.default, "doc": one.doc}
        for one in agent.parameters.values()
    ]
    return {"name": agent.name, "summary": agent.summary, "parameters": parameters}
