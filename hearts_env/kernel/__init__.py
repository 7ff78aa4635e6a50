"""The kernel: the only code that plays cards. It sees numeric records (`records`), never `Rules`.

`records` describes the memory; `bits`, `jit`, `dispatch`, `cache` and `disk` are the tools. The rules follow the course
of a deal: `dealing`, `before_play` (pass, exposures, pledges), `legal`, `tricks` and `taking`, `points` (what cards
score), `moon`, `scoring`, `choices` (what a shooter chooses), `totals`, `ranking` (who is ahead, and the end); `steps`
runs them. `observe` writes what a seat may know (`rows`, made of `blocks`), `deduce` what follows from it; `batch`
holds the loops over many games. Importing a module of this package imports Numba, except `records`, `columns` and
`disk`; compiled code is cached on disk.
"""
