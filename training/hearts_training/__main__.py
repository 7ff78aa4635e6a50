"""``python -m hearts_training`` is the `hearts` command. Ctrl-C while it is loaded ends it in one line, too."""

import sys


def main() -> int:
    """Run the command; returns its exit code."""
    try:
        from hearts_training.cli import main as run

        return run()
    except KeyboardInterrupt:
        print("hearts: interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
