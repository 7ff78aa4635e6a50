"""External engines: a line protocol for programs in any language, from both sides.

`player` seats a program in the arena (``exec:COMMAND``), `serve` lets one of our agents be such a program
(``hearts engine``). `messages` and `fields` define the protocol, `view_diff` finds the messages for a seat's view,
`replica` rebuilds the view from them, and `process` runs programs within limits.
"""
