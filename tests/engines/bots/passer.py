"""A bot that passes its highest cards at once, keeps its plan for the deal, and plays the lowest legal card."""

import json
import sys

RANKS = "23456789TJQKA"
plans = {}  # of the deal under way: the suit that the bot wants to be rid of

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "ready", "protocol": 2, "name": "passer"}
    elif message["type"] == "act":
        view, deal = message["view"], message["deal"]
        cards = sorted(view["legal"], key=lambda card: RANKS.find(card[0]))
        if deal not in plans:
            plans = {deal: min("CDS", key=lambda suit: sum(card[1] == suit for card in view["hand"]))}
        if view["phase"] == "pass":
            answer = {"type": "action", "id": message["id"], "action": cards[-message["picks"] :]}
        else:
            wanted = [card for card in cards if card[1] == plans[deal]]
            answer = {"type": "action", "id": message["id"], "action": (wanted or cards)[0]}
    else:
        continue
    print(json.dumps(answer), flush=True)
