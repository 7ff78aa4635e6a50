"""Compare the golden playthroughs with what is played now, write them anew, or show a match as a whole.

``python -m tests.golden`` names the files that differ, ``--write`` writes them, after a change that was meant.
``--show VARIANT`` prints every ply of a match: where a checksum differs, compare this text between two commits.
"""

import argparse
import sys

import hearts_env as he
from tests.golden.playthrough import path_of, playthrough


def main() -> int:
    """Run the command; 1 where a file differs and was not written."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description="Check the golden playthroughs.")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--write", action="store_true", help="write the files that differ")
    what.add_argument("--show", metavar="VARIANT", choices=he.VARIANTS, help="print a whole match")
    arguments = parser.parse_args()
    if arguments.show:
        print(playthrough(arguments.show, whole=True), end="")
        return 0
    differing = [name for name in he.VARIANTS if not _is_current(name)]
    for name in differing:
        if arguments.write:
            path_of(name).write_text(playthrough(name), encoding="utf-8", newline="\n")
        print(f"{path_of(name).name} {'written' if arguments.write else 'differs'}")
    return int(bool(differing) and not arguments.write)


def _is_current(variant: str) -> bool:
    path = path_of(variant)
    return path.exists() and path.read_text(encoding="utf-8") == playthrough(variant)


if __name__ == "__main__":
    sys.exit(main())
