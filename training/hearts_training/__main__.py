"""``python -m hearts_training`` is the `hearts` command."""

import sys

from hearts_training.cli import main

if __name__ == "__main__":
    sys.exit(main())
