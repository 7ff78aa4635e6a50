"""`hearts advise`: advice at the terminal for a player at a real table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hearts_env.variants.registry import rules as read_rules
from hearts_training.cli.command import Command, waiting
from hearts_training.interrupt import interrupts

if TYPE_CHECKING:
    from hearts_training.web.advice import Notes

HELP = """Type cards in any spelling, one or more to a line: QS, qs, Q♠, 10h, queen of spades. Each goes to the
seat whose turn it is; a number before a card names its seat: 2 QS. Seats are numbered in the order of
play. Other lines:
  undo              take back the last line
  table             show the table, the advice and who may hold what
  totals 5 8 0 13   the totals before this deal, from seat 0 on
  dealer 3          who dealt, where that decides who leads
  QC kitty 3C 4D    a card that ends a trick, and the cards of the kitty that you took with it
  suit              answers a joker that calls a suit: H or hearts
  quit              leave"""


@dataclass(frozen=True)
class Advise(Command):
    """Sit beside a real table: type your hand and the cards as they fall, and be advised.

    On your turn it names the choice of the strongest agent for the rules, what each choice costs by a search, and who
    may hold the cards that count.

    Examples:
      hearts advise
      hearts advise --variant "omnibus_hearts(target=50)" --seat 2
    """

    variant: str = "black_lady"
    """The variant, optionally with changes to its rules in brackets."""
    seat: int = 0
    """Your seat; seats are numbered from 0 in the order of play."""

    def run(self) -> int:
        """Read lines until the player leaves."""
        rules = read_rules(self.variant)
        if not 0 <= self.seat < rules.players:
            raise ValueError(f"--seat {self.seat} is not at the table; seats are 0 to {rules.players - 1}")
        with waiting("laying the table"):
            from hearts_training.web.advice import Notes

            history = [Notes(rules, self.seat)]
        print(f"{rules}. You are seat {self.seat}; type help for help.")
        with interrupts():
            while (line := _line(history[-1].prompt)).lower() not in ("quit", "exit"):
                try:
                    _take(history, line)
                except ValueError as error:
                    print(error)
        return 0


def _line(prompt: str) -> str:
    try:
        return input(f"{prompt} > ").strip()
    except EOFError:
        print()
        return "quit"


def _take(history: list[Notes], line: str) -> None:
    """Do what a line says. Raises ValueError, with the notes as before, for one that cannot be."""
    if line.lower() in ("help", "?"):
        print(HELP)
        return
    if line.lower() == "undo":
        del history[max(len(history) - 1, 1) :]
    elif line.lower() != "table":
        history.append(history[-1].add(line))
    view = history[-1].view
    if view is not None and (view.legal() or line.lower() == "table"):
        from hearts_training.web.advice import advice

        with waiting("thinking"):
            text = advice(history[-1])
        print(f"\n{text}\n")
