"""The `hearts` command."""

from hearts_training.cli.app import main

__all__ = ["main"]
