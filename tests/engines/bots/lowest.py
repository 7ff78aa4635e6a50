"""A bot in ten lines: it plays the first legal action."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "ready", "protocol": 2, "name": "lowest"}
    elif message["type"] == "act":
        answer = {"type": "action", "id": message["id"], "action": message["view"]["legal"][0]}
    else:
        continue
    print(json.dumps(answer), flush=True)
