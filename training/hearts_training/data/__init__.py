"""Data sets of games: `label` writes searched decisions, `record` writes games, and each has a module that reads them.

`parts` is what both kinds share on disk, `deals` how both are played; `replay` turns recorded games into decisions, and
`minari` into data sets for other libraries.
"""
