"""A program that reads questions and chooses the last legal action; with an argument, it behaves badly."""

import json
import sys
import time

for line in sys.stdin:
    question = json.loads(line)
    if question["type"] != "question":
        break
    kind, text = sys.argv[1:] or ["well"], question["turns"][0][1]
    if kind == ["late"]:
        time.sleep(5)
    if kind == ["dies"]:
        sys.exit(1)
    print("no idea" if kind == ["lost"] else f"I choose {text.split()[-1]}", flush=True)
