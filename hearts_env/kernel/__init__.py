"""The kernel: the only code that plays cards. It sees numeric records (`records`), never `Rules`.

`records` describes the memory; `bits` and `jit` are the tools; `legal`, `tricks`, `scoring` and `steps` are the rules;
`observe` writes what a seat may know; `batch` holds the loops over many games. Importing a module of this package (but
`records`) imports Numba; compiled code is cached on disk.
"""
