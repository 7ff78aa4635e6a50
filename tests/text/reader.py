"""A program that reads questions and chooses the last legal action; with an argument, it behaves badly."""

import json
import sys
import time


def main() -> None:
    """Answer until the input ends."""
    for line in sys.stdin:
        question = json.loads(line)
        if question["type"] != "question":
            break
        if "late" in sys.argv:
            time.sleep(5)
        if "dies" in sys.argv:
            sys.exit(1)
        last = question["turns"][0][1].split()[-1]
        print("no idea" if "lost" in sys.argv else f"I choose {last}", flush=True)


if __name__ == "__main__":
    main()
