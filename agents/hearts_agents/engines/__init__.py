"""External engines: a line protocol for programs in any language, from both sides.

`player` seats a program in the arena (``exec:COMMAND``), `serve` lets one of our agents be such a program
(``hearts engine``). `messages` defines the protocol, and `process` runs programs within limits.
"""
