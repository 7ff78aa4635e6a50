"""`hearts play`: play at the terminal against agents."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from hearts_env.cards import JOKER, SUITS, names_in
from hearts_env.compiled.decisions import DECISIONS, Decision
from hearts_env.ruleset.syntax import write_gaussian
from hearts_env.table.games import read_matches
from hearts_env.table.match import Match
from hearts_env.table.seeds import agent_seed
from hearts_env.variants.registry import rules as read_rules
from hearts_training.cli.command import Command, check_writable, console, fold, waiting, write_text
from hearts_training.interrupt import interrupts
from hearts_training.options import UNSET
from hearts_training.web.why import why_not

if TYPE_CHECKING:
    from hearts_agents import Agent

HELP = """Type cards by their names, rank then suit: QS is the queen of spades, TC the
ten of clubs. You may pass several cards at once: QS KS AS. Other decisions are
words such as left, self or yes; AH done exposes the ace of hearts and no other
card. Commands:
  table      show the table again
  legal      list your legal actions
  rules      explain the rules
  hint       what a search thinks of your legal actions
  undo       take back your last decision
  analyse    what your decisions cost so far, the costliest first
  save FILE  save the match so far, for `hearts replay` and `hearts play --save`
  quit       leave"""

COMMANDS = ("help", "?", "table", "legal", "rules", "hint", "undo", "analyse", "save")
ADVISER = "pimc(worlds=64)"
"""The search that gives hints and analyses."""


@dataclass(frozen=True)
class Play(Command):
    """Play a match at the terminal against agents.

    The table is shown whenever it is your turn. Type the name of a card, such as QS, or help. `hearts agents` lists the
    agents.

    Examples:
      hearts play
      hearts play --variant "omnibus_hearts(target=50)" --seed 7
      hearts play --agents net:runs/first rule random
      hearts play --save match.txt
    """

    variant: str = "black_lady"
    """The variant, optionally with changes to its rules in brackets."""
    seat: int = 0
    """Your seat; seats are numbered from 0, each to the left of the one before."""
    agents: Annotated[tuple[str, ...], UNSET, tyro.conf.arg(metavar="AGENT [AGENT ...]")] = ()
    """The other players: one agent for all seats, or one per seat, starting with the seat after yours. The network that
    comes with the suite for these rules if not given, or rule where there is none."""
    seed: Annotated[int | None, UNSET] = None
    """Fixes the deals; random if not given, and shown at the end. A small seed can be guessed from the cards of a
    deal: against programs you do not trust, leave it out."""
    save: Annotated[Path | None, UNSET, tyro.conf.arg(metavar="FILE")] = None
    """Write the match to this file when you leave; the same command goes on with a match that is not over."""

    def run(self) -> int:
        """Play until the match is over or the person leaves."""
        check_writable(self.save)
        with waiting("laying the table"):
            match = self._saved(self.save) if self.save and self.save.exists() else Match(self.variant, self.seed)
            if not 0 <= self.seat < match.rules.players:
                raise ValueError(f"--seat {self.seat} is not at the table; seats are 0 to {match.rules.players - 1}")
            sitting = Sitting(match, self.seat, _seat_agents(self.agents, match, self.seat))
        try:
            with interrupts():
                sitting.play()
        finally:
            self._finish(sitting.match)
        return 0

    def _saved(self, file: Path) -> Match:
        """The match of the file of --save, which is not over. Raises ValueError for another file or other options."""
        found = list(read_matches(file))
        if len(found) != 1 or found[0].over:
            raise ValueError(f"{file} exists already and holds no match that goes on; name a new file")
        match = found[0]
        if self.seed not in (None, match.seed) or read_rules(self.variant) not in (
            match.rules,
            read_rules(Play.variant),
        ):
            raise ValueError(f"{file} goes on with its own cards and rules; leave out --seed and --variant")
        return match

    def _finish(self, match: Match) -> None:
        failed = None
        if self.save is not None:  # first, because nobody may be there to read what is printed
            try:
                write_text(self.save, match.record())
            except OSError as error:
                failed = error
        print(f"seed {match.seed}")
        if failed is not None:
            print(match.record())
            raise failed
        if self.save is not None:
            print(f"the match is saved in {self.save}")


def _check_new(target: Path | None) -> None:
    check_writable(target)
    if target is not None and target.exists():
        raise ValueError(f"{target} exists already; name a new file")


def _seat_agents(specs: tuple[str, ...], match: Match, own: int) -> dict[int, Agent]:
    from hearts_agents import make_agent
    from hearts_agents.weights import strongest_agent

    seats = match.rules.players
    specs = specs or (strongest_agent(match.rules),)
    if len(specs) not in (1, seats - 1):
        raise ValueError(f"--agents names {len(specs)}; name one for all seats or {seats - 1}, one for each")
    agents = [make_agent(spec) for spec in specs] * (1 if len(specs) > 1 else seats - 1)
    found = {(own + 1 + place) % seats: agent for place, agent in enumerate(agents)}
    for seat, agent in found.items():
        agent.reset(agent_seed(match.seed, seat))
    return found


class Sitting:
    """A person at a table with agents."""

    def __init__(self, match: Match, own: int, agents: dict[int, Agent]) -> None:
        self.match, self.own, self.agents = match, own, agents
        terminal = console()
        self._is_terminal = terminal.is_terminal
        self._color = terminal.color_system is not None and not terminal.no_color

    def play(self) -> None:
        """Play until the match is over or the person leaves."""
        print(f"{self.match.rules}. You are seat {self.own}; type help for help.")
        while (seat := self.match.seat) is not None:
            if seat != self.own:
                self._take(self.agents[seat].act(self.match.view(seat)))
            elif not self._ask():
                return
        places = self.match.ranking
        print(f"The match is over; you are number {places[self.own]} of {len(places)}.")
        self._offer_analysis()

    def _offer_analysis(self) -> None:
        if not self._is_terminal:
            return
        with suppress(EOFError):
            if input("analyse your decisions? y or n> ").strip().lower() in ("y", "yes"):
                self._analyse()

    def _take(self, action: str | int) -> None:
        """Take an action for the seat to act, and print what everybody at the table sees of it."""
        match, deals = self.match, len(self.match.deal_points)
        seat, phase, trick, led = match.seat or 0, match.phase, match.view(self.own).trick, self._called()
        name = match.game.actions[match.game.action(action)]
        match.play(action)
        if phase == "play":
            self._print_trick([*trick, (seat, name)], led)
        elif phase != "pass":
            print(f"{self._who(seat)}: {name}")
        if len(match.deal_points) > deals:
            self._print_deal()

    def _who(self, seat: int) -> str:
        return "you" if seat == self.own else f"seat {seat}"

    def _called(self) -> list[str]:
        """The suit called for the joker that leads the trick on the table, as an action."""
        trick, suit = self.match.trick, int(self.match.state[0]["led_suit"])
        calls = trick[:1] == [JOKER] and "suit:C" in self.match.game.actions and 0 <= suit < len(SUITS)
        return [f"suit:{SUITS[suit]}"] if calls else []

    def _print_trick(self, trick: list[tuple[int, str]], called: list[str]) -> None:
        if self.match.trick:
            return
        from hearts_env.render.ansi import cards_text, paint
        from hearts_env.table.score import trick_winner

        place = trick_winner(self.match.rules, [trick[0][1], *called, *(card for _, card in trick[1:])])
        cards = ", ".join(f"{self._who(seat)} {cards_text([card])}" for seat, card in trick)
        winner = "nobody" if place is None else self._who(trick[place][0])
        print(f"trick: {paint(cards) if self._color else cards}; {winner} {'take' if winner == 'you' else 'takes'} it")

    def _print_deal(self) -> None:
        match = self.match
        points, totals = (" ".join(map(write_gaussian, row)) for row in (match.deal_points[-1], match.totals))
        more = f"; lives {' '.join(map(str, match.lives))}" if match.lives else ""
        more += f"; pool {match.pool}" if match.rules.score.chips is not None else ""
        print(f"The deal is over. Points {points}; totals {totals}{more}.\n")

    def _ask(self) -> bool:
        """Prompt the person until they take their turn. Returns False if they leave."""
        self._show()
        while True:
            try:
                line = input(f"{self._decision.prompt} > ")
            except EOFError:
                print()
                return False
            word, _, rest = line.strip().partition(" ")
            if word.lower() in ("quit", "exit"):
                return False
            if word.lower() in COMMANDS:
                self._serve(word.lower(), rest.strip())
            elif word and self._act(names_in(line)):
                return True

    def _show(self) -> None:
        from hearts_env.render.ansi import render_view

        print("\n" + render_view(self.match.view(self.own), color=self._color, as_you=True))

    @property
    def _decision(self) -> Decision:
        return DECISIONS[self.match.phase]

    def _serve(self, command: str, rest: str) -> None:
        if command == "table":
            self._show()
        elif command == "legal":
            print(" ".join(map(self._tinted, self.match.legal())))
        elif command == "rules":
            from hearts_env.explain.page import rules_page

            print(rules_page(self.match.rules))
        elif command == "hint":
            self._hint()
        elif command == "undo":
            self._undo()
        elif command == "analyse":
            self._analyse()
        elif command == "save":
            self._save(rest)
        else:
            print(fold(HELP))

    def _hint(self) -> None:
        from hearts_agents.values import estimates
        from hearts_training.cli.analysis import adviser

        with waiting("thinking"):
            found = estimates(adviser(ADVISER), self.match.view(self.own))
        sign = self.match.game.cost_sign
        better = "lower" if sign > 0 else "higher"
        print(f"expected margin, own points minus the mean of the others; {better} is better:")
        for estimate in found:
            action = self._tinted(f"{estimate.action:<8}")
            print(f"  {action} {sign * estimate.margin:6.2f}  ± {estimate.error:.2f}")

    def _tinted(self, action: str) -> str:
        """An action, in red for a card of a red suit."""
        is_red = self._color and ":" not in action and action.strip()[-1] in "DH"
        return f"\x1b[31m{action}\x1b[39m" if is_red else action

    def _undo(self) -> None:
        takers = [seat for deal in self.match.log for seat, _ in deal.actions]
        own = [at for at, seat in enumerate(takers) if seat == self.own]
        if not own:
            print("you have not decided anything yet")
            return
        self.match = self.match.after(own[-1])
        self._show()

    def _analyse(self) -> None:
        from hearts_training.cli.analysis import print_analysis

        print_analysis(self.match, ADVISER, self.own)

    def _save(self, name: str) -> None:
        try:
            if not name:
                raise ValueError("name a file: save FILE")
            _check_new(Path(name))
            write_text(Path(name), self.match.record())
            print(f"the match is saved in {name}")
        except (ValueError, OSError) as error:
            print(error)

    def _act(self, words: list[str]) -> bool:
        """Take the actions named. Returns whether at least one was legal."""
        turn = self.match.deal_number, self.match.phase
        for place, word in enumerate(words):
            if place and (self.match.seat, self.match.deal_number, self.match.phase) != (self.own, *turn):
                return True
            try:
                self._take(self._action(word))
            except ValueError as error:
                print(self._why(word, error))
                return place > 0
        return True

    def _why(self, word: str, error: ValueError) -> str:
        view = self.match.view(self.own)
        with suppress(ValueError):
            if self._decision.of_cards:
                action = view.game.actions[view.game.action(word)]
                return f"{why_not(view, action)} Possible: {' '.join(map(self._tinted, view.legal()))}."
        return str(error)

    def _action(self, word: str) -> str:
        """The name of an action: a card in any spelling, or a choice with or without its phase (``direction:left``)."""
        if self._decision.of_cards:
            return word
        legal, choice = self.match.legal(), word if ":" in word else f"{self.match.phase}:{word}"
        with suppress(ValueError):
            if (action := self.match.game.actions[self.match.game.action(choice)]) in legal:
                return action
        raise ValueError(f"{word.lower()} is not possible; choose one of {', '.join(legal)}")
