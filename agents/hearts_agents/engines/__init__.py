"""Engines from outside: a line protocol for programs in any language, spoken from both sides.

`exec:COMMAND` seats such a program (`player`), `hearts engine` lets one of our agents be one (`serve`). `teller` finds
the messages that a seat's view has new, `mirror` rebuilds the view from them, `process` keeps the programs in bounds.
"""
