"""Opponents that nobody may name who is not trusted, in every spelling that a reader might take otherwise."""

PROGRAM = "exec:sh -c 'touch started'"
PROGRAMS = [
    PROGRAM,
    f"rule; {PROGRAM}",
    f"rule(shoot=0.3); {PROGRAM}",
    f"rule(shoot=0.3);{PROGRAM}; rule",
    f"  {PROGRAM}",
    "exec : sh -c 'touch started'",
    "exec(command=sh -c 'touch started')",
    "exec (sh -c 'touch started')",
    "rule(shoot=0.3); text:sh -c 'touch started'",
    "py:started.py:Bot",
    "rule; py(started.py:Bot)",
    "random; llm(model=m, url=http://localhost:1/v1, log=started)",
]
"""Specs, or several of them, with a program among them."""
FOLDERS = ["rule; net:runs/first", "net(folder=runs/first)", "net+pimc(./runs/first, worlds=2)", "rule;sb3:runs/first"]
"""Specs that read a network from a folder."""
LARGE = ["pimc(worlds=100000)", "rule; ismcts(rollouts=20000)", "pimc(millis=1e9)", "endgame(worlds=10001)"]
"""Specs of agents that think for too long."""
