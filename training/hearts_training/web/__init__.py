"""The table in the browser: play, watch and study any variant with the agents of the suite.

The server holds matches and sends each seat what its `View` says; the page draws that and sends actions back. No
rule is written twice.
"""
