"""`hearts replay`: check and show the record of a match, or games of others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import tyro

from hearts_env.ruleset.syntax import write_gaussian
from hearts_env.table.games import read_matches
from hearts_env.table.match import Match
from hearts_training.cli.command import Command, check_files, check_picture, console
from hearts_training.options import UNSET, Count

if TYPE_CHECKING:
    from rich.table import Table

    from hearts_training.evaluate.probabilities import Rater


@dataclass(frozen=True)
class Replay(Command):
    """Check and show the record of a match, or games of others.

    Every line is replayed; then the points of each deal and the current table are shown. Records are written by `hearts
    play --save FILE` and by Match.record(), files of games by hearts_env.write_games and a script of your own.

    Examples:
      hearts replay match.txt
      hearts replay games.jsonl more.jsonl
      hearts replay games.jsonl --game 3
      hearts replay match.txt --analyse "pimc(worlds=64)"
      hearts replay match.txt --plot deal.png --network net:black_lady --deal 2 --seat 1
      hearts replay match.txt --film deal.gif
    """

    files: Annotated[tuple[Path, ...], tyro.conf.Positional, tyro.conf.arg(metavar="FILE [FILE ...]")]
    """Files with a record or with games."""
    game: Count = None
    """The match to show, from 1; several matches are listed if it is not given."""
    analyse: Annotated[str | None, UNSET, tyro.conf.arg(metavar="AGENT")] = None
    """A search that values every decision, such as pimc(worlds=64); the costliest are listed."""
    plot: Annotated[Path | None, UNSET, tyro.conf.arg(metavar="FILE")] = None
    """Draw one seat's decisions in one deal to this file, .png or .svg, with the probabilities that a network gives."""
    network: Annotated[str | None, UNSET, tyro.conf.arg(metavar="AGENT")] = None
    """The network of the picture, trained on the rules of the record; that of the suite if not given."""
    film: Annotated[Path | None, UNSET, tyro.conf.arg(metavar="FILE")] = None
    """Draw one deal, card by card, to this file, .gif."""
    deal: int = 1
    """The deal of the picture or the film, from 1."""
    seat: int = 0
    """The seat of the picture."""

    def run(self) -> int:
        """Print the table of deals and the table of players, and draw the picture."""
        if not self.files:
            raise ValueError("name the file of a record or of games")
        matches = [match for file in self.files for match in read_matches(file)]
        if self.game is None and len(matches) > 1 and (self.analyse, self.plot, self.film) == (None, None, None):
            console().print(matches_table(matches))
            return 0
        if not 1 <= (self.game or len(matches)) <= len(matches) or (self.game is None and len(matches) > 1):
            raise ValueError(f"there are {len(matches)} matches; name one with --game, from 1 to {len(matches)}")
        return self._show(matches[(self.game or 1) - 1])

    def _show(self, match: Match) -> int:
        if self.analyse is not None:
            from hearts_training.cli.analysis import adviser

            adviser(self.analyse)  # refused before anything is printed
        check_files({"--plot": self.plot, "--film": self.film})
        check_picture(self.plot)
        if self.film is not None and self.film.suffix != ".gif":
            raise ValueError(f"--film {self.film} must be a file that ends in .gif")
        if self.network is not None and self.plot is None:
            raise ValueError(f"--network {self.network} is for a picture; add --plot")
        if self.plot is not None:
            self._draw(match, self.plot)
        if self.film is not None:
            _film(match, self.film, self.deal)
        from hearts_env.render.ansi import render_match

        terminal = console()
        terminal.print(deals_table(match))
        print(render_match(match, color=terminal.is_terminal))
        if self.analyse is not None:
            from hearts_training.cli.analysis import print_analysis

            print_analysis(match, self.analyse)
        return 0

    def _draw(self, match: Match, file: Path) -> None:
        from hearts_agents.files import write_file
        from hearts_agents.weights import strongest_agent
        from hearts_training.evaluate.probabilities import draw_probabilities

        agent = _rater(self.network or strongest_agent(match.rules))
        write_file(file, draw_probabilities(match, agent, self.deal, self.seat, file.suffix[1:]))


def _film(match: Match, file: Path, deal: int) -> None:
    from hearts_agents.files import write_file
    from hearts_env.render.pixels import render_film

    write_file(file, render_film(match, deal))


def _rater(spec: str) -> Rater:
    from hearts_agents.registry import make_agent

    agent = make_agent(spec)
    if not hasattr(agent, "probabilities"):
        raise ValueError(f"{spec} gives no probabilities; name a network such as net:black_lady")
    return cast("Rater", agent)


def matches_table(matches: Iterable[Match]) -> Table:
    """A row per match: its rules, finished deals, players and totals."""
    from rich.table import Table

    table = Table("game", "rules", "deals", "players", "totals")
    for number, match in enumerate(matches, 1):
        totals = " ".join(map(write_gaussian, match.totals))
        table.add_row(str(number), str(match.rules), str(len(match.deal_points)), ", ".join(match.players), totals)
    return table


def deals_table(match: Match) -> Table:
    """Points of each finished deal, totals and lives, per seat."""
    from rich.table import Table

    table = Table("deal", title=str(match.rules), title_justify="left")
    for seat in range(match.rules.players):
        table.add_column(match.players[seat] if match.players else f"seat {seat}", justify="right")
    for deal in match.log:
        if deal.points is not None:
            table.add_row(str(deal.number + 1), *map(write_gaussian, deal.points))
    table.add_section()
    table.add_row("chips" if match.rules.score.chips else "total", *map(write_gaussian, match.totals))
    if match.lives:
        table.add_row("lives", *map(str, match.lives))
    return table
