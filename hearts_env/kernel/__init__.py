"""The kernel: the only code that plays cards. It sees numeric records (`records`), never `Rules`.

`records` describes the memory; `bits`, `random` and `jit` are the tools; `legal`, `tricks`, `scoring`, `deals` and
`steps` are the rules; `observe` writes what a seat may know; `batch` holds the loops over many games that everything
above calls. Importing a module of this package (but `records`) imports Numba; compiled code is cached on disk.
"""
