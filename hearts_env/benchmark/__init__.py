"""Hearts over rules: frozen splits of rules, to train on some and to test on others.

The protocol, version 1, is in `hearts_env.benchmark.domain`; the rules themselves are in the folder ``v1``, drawn once
from `hearts_env.sample_rules` and never changed. `hearts_env.benchmark.splits` reads them.
"""
