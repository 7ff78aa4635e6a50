"""`hearts evaluate`: passes and their worth, the suites of moons and blunders, and the habits of play."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import tyro

from hearts_env.checks import seed_of
from hearts_env.ruleset.enums import MoonMode
from hearts_env.variants.registry import rules as read_rules
from hearts_training.cli.command import Keeping, Reporting, check_files, check_picture, progress, results_table
from hearts_training.options import UNSET, Agents, File, WorkerOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rich.table import Table

    from hearts_agents.arena import GivenDeals, KeptGames
    from hearts_env.compiled.game import Game
    from hearts_env.ruleset.model import Rules
    from hearts_training.evaluate.blunders import Blunders
    from hearts_training.evaluate.moon_suite import MoonResult
    from hearts_training.evaluate.passing import Passes
    from hearts_training.evaluate.play import Habit


Row = TypeVar("Row")


@dataclass(frozen=True)
class Evaluate(WorkerOptions, Keeping, Reporting):
    """Measure passing, the moon and blunders.

    Passing: an agent alone among three that play cards as it does but pass as rule, or at random; the suits that a pass
    empties; and how often each card is passed. The moon suite: deals in which shooter shoots the moon against three
    rule, played with the agent in the shooter's seat, and against the shooter. Blunders (--only blunders): positions in
    which a card is a known mistake, kind by kind. Play (--only play): how often an agent, in all seats, follows what
    books advise: it bleeds spades, ducks, throws the queen, begins and finishes moons, empties suits.

    Examples:
      hearts evaluate net:black_lady rule
      hearts evaluate net:black_lady --only passing --deals 5000 --plot passes.png
      hearts evaluate "pimc(worlds=64)" shooter guard --only moons
      hearts evaluate net:black_lady --deals-from games.jsonl
      hearts evaluate net:black_lady --only passing --records passes --keep moons
      hearts evaluate net:partnership_hearts rule --only blunders --variant partnership_hearts
    """

    agents: Annotated[Agents, tyro.conf.Positional, UNSET]
    """Specs of the agents."""
    variant: str = "black_lady"
    """The variant, optionally with changes to its rules in brackets."""
    only: Annotated[Literal["passing", "moons", "blunders", "play"] | None, UNSET] = None
    """Measure only one of them; by default passing and moons."""
    deals: int = 1000
    """Duplicate deals for the passes; deals of which the habits are counted."""
    deals_from: Annotated[tuple[Path, ...], UNSET, tyro.conf.arg(metavar="FILE [FILE ...]")] = ()
    """Measure passing in the deals of these records or files of games, at most --deals, under their rules, and compare
    with what their players passed."""
    seed: int = 0
    """Fixes the deals for the passes and habits; the deals of the suites are fixed."""
    plot: File = None
    """Draw what is measured to this file, .png or .svg."""

    def run(self) -> int:
        """Measure, print the tables and write the files."""
        from hearts_agents.arena import GivenDeals
        from hearts_env.compiled.game import compile_game

        given = GivenDeals.read(self.deals_from, self.deals) if self.deals_from else None
        rules = read_rules(self.variant) if given is None else given.rules
        game, count = compile_game(rules), self.deals if given is None else len(given.starts)
        has_pass = _has_pass(game)
        if given is not None and (self.only not in (None, "passing") or not has_pass or count < 2):
            raise ValueError("--deals-from measures passing, in two deals or more; there is none to measure")
        self._check(rules, has_pass)
        with self.keeping() as kept:
            self._measure(game, count, given, kept)
        return 0

    def _measure(self, game: Game, count: int, given: GivenDeals | None, kept: KeptGames | None) -> None:
        from hearts_training.evaluate.moon_suite import run_suite, suite
        from hearts_training.evaluate.passing import study_passes
        from hearts_training.provenance import entry

        rules, has_pass = game.rules, _has_pass(game)
        passes: list[Passes] = []
        moons: list[MoonResult] = []
        blunders: list[Blunders] = []
        habits: list[Habit] = []
        with progress("evaluating") as show:
            deals = []
            if self.only == "moons" or (self.only is None and given is None and rules.moon.mode != MoonMode.NONE):
                deals = suite(rules, lambda done: show(done, "drawing the moon suite"))  # first: there may be none
            if self.only == "blunders":
                blunders = self._blunders(rules, show)
            elif self.only == "play":
                habits = self._habits(rules, show)
            elif self.only != "moons" and has_pass:
                for spec in self.agents:
                    found = study_passes(
                        spec, rules, count, self.seed, self.who, lambda what, at: show(at, what), given, kept
                    )
                    passes.append(found)
            for place, spec in enumerate(self.agents if deals else ()):
                show(place / len(self.agents), f"moon suite, {spec}")
                moons.append(run_suite(spec, rules, deals, self.who))
        data = {"variant": str(rules), "deals": count, "seed": self.seed}
        data |= {"passing": [one.to_dict(game) for one in passes], "moons": [_plain(vars(one)) for one in moons]}
        for name, rows in (("blunders", blunders), ("play", habits)):
            data |= {name: [_plain(one._asdict()) for one in rows]} if rows else {}
        options = {name: getattr(self, name) for name in ("agents", "variant", "only", "deals")}
        tables = [passes_table(passes, str(rules), self.seed)] if passes else []
        tables += [moons_table(moons, str(rules))] if moons else []
        tables += [blunders_table(blunders, str(rules))] if blunders else []
        tables += [habits_table(habits, str(rules))] if habits else []
        self.report(data | {"run": [entry(options, self.seed, self.agents)]}, *tables)
        self._draw(passes, moons, blunders, habits, game)

    def _draw(
        self, passes: list[Passes], moons: list[MoonResult], blunders: list[Blunders], habits: list[Habit], game: Game
    ) -> None:
        from hearts_agents.files import write_file
        from hearts_training.evaluate.pictures import draw_evaluation

        if self.plot is not None:
            write_file(self.plot, draw_evaluation(passes, moons, blunders, habits, game, self.plot.suffix[1:]))

    def _blunders(self, rules: Rules, show: Callable[[float, str], None]) -> list[Blunders]:
        from hearts_training.evaluate.blunders import find_blunders, spots_of

        spots = spots_of(rules, lambda done: show(done, "drawing positions"))
        return self._of_each("blunders", show, lambda spec: find_blunders(spec, rules, spots, self.who))

    def _habits(self, rules: Rules, show: Callable[[float, str], None]) -> list[Habit]:
        from hearts_training.evaluate.play import study_play

        return self._of_each("habits", show, lambda spec: study_play(spec, rules, self.deals, self.seed, self.who))

    def _of_each(self, what: str, show: Callable[[float, str], None], measure: Callable[[str], list[Row]]) -> list[Row]:
        found = []
        for place, spec in enumerate(self.agents):
            show(place / len(self.agents), f"{what}, {spec}")
            found += measure(spec)
        return found

    def _check(self, rules: Rules, has_pass: bool) -> None:
        from hearts_agents.registry import make_agent
        from hearts_agents.workers import check_workers

        check_workers(self.who)
        check_files({"--json": self.json, "--plot": self.plot})
        check_picture(self.plot)
        seed_of(self.seed)
        if self.records is not None and (self.only not in (None, "passing") or not has_pass):
            raise ValueError("--records holds the games that margins of passes come from; there are none to measure")
        if self.deals < 2:
            raise ValueError(f"--deals {self.deals} must be at least 2")
        if self.only == "passing" and not has_pass:
            raise ValueError(f"{rules} has no pass")
        if self.only is None and not has_pass and rules.moon.mode == MoonMode.NONE:
            raise ValueError(f"{rules} has no pass and no moon suite; there is nothing to measure")
        if not self.agents:
            raise ValueError("name the agents, such as: hearts evaluate rule net:black_lady")
        for spec in self.agents:
            make_agent(spec)


def passes_table(passes: list[Passes], rules: str, seed: int) -> Table:
    """Gains over other passes and voids, a row per agent."""
    caption = (
        "own passes: margin of the agent alone among three that play as it does and pass as named; negative is better"
    )
    heads = [f"against passes of {gain.passes}" for gain in passes[0].gains] + ["suits emptied by a pass"]
    heads += [f"cards of {player.player} passed too" for player in passes[0].alike]
    rows = (
        (
            one.agent,
            *(f"{gain.margin:+.2f} ± {gain.error:.2f}" for gain in one.gains),
            f"{one.voids:.2f}",
            *(f"{player.share:.1%} ± {player.error:.1%}" for player in one.alike),
        )
        for one in passes
    )
    return results_table(heads, rows, title=f"Passing in {rules}, seed {seed}", caption=caption, first="agent")


def moons_table(moons: list[MoonResult], rules: str) -> Table:
    """Moons tried, shot and conceded in the suite, a row per agent."""
    caption = f"{moons[0].deals} deals in which shooter shoots the moon against three rule"
    heads, keys = ("tried", "shot", "conceded to shooter"), ("attempted", "shot", "conceded")
    rows = ((one["agent"], *(f"{one[key]:.1%} ± {one[f'{key}_se']:.1%}" for key in keys)) for one in map(vars, moons))
    return results_table(heads, rows, title=f"The moon suite of {rules}", caption=caption, first="agent")


def _has_pass(game: Game) -> bool:
    return bool(game.tables["option_cards"].any())


def blunders_table(blunders: list[Blunders], rules: str) -> Table:
    """Wrong choices of every agent, a row per kind."""
    agents, kinds = (dict.fromkeys(getattr(one, key) for one in blunders) for key in ("agent", "kind"))
    caption = f"positions with a wrong choice\n{_numbered(agents)}"
    of_kinds = [[one for one in blunders if one.kind == kind] for kind in kinds]
    rows = ((of_kind[0].kind, str(of_kind[0].spots), *(str(one.wrong) for one in of_kind)) for of_kind in of_kinds)
    heads, title = ("positions", *_numbers(agents)), f"Blunders in {rules}"
    return results_table(heads, rows, title=title, caption=caption, first="kind")


def habits_table(habits: list[Habit], rules: str) -> Table:
    """The habits of every agent, a row for each."""
    agents, names = (dict.fromkeys(getattr(one, key) for one in habits) for key in ("agent", "habit"))
    caption = (
        f"share of the positions in which it could, with the positions; the agent holds all seats\n{_numbered(agents)}"
    )
    cells = {(one.habit, one.agent): f"{one.rate:.1%} ± {one.rate_se:.1%} ({one.positions:,})" for one in habits}
    rows = ((name, *(cells.get((name, agent), "") for agent in agents)) for name in names)
    return results_table(_numbers(agents), rows, title=f"Play in {rules}", caption=caption, first="habit")


def _numbers(agents: Iterable[str]) -> list[str]:
    """Headings of a column for each agent, whose names may be long."""
    return [f"agent {number}" for number, _ in enumerate(agents, start=1)]


def _numbered(agents: Iterable[str]) -> str:
    """The agents of these columns, a line each."""
    return "\n".join(f"{number}: {agent}" for number, agent in enumerate(agents, start=1))


def _plain(measured: dict[str, Any]) -> dict[str, Any]:
    """Numbers for JSON: None for those that a single position or deal does not give."""
    return {key: None if isinstance(value, float) and math.isnan(value) else value for key, value in measured.items()}
