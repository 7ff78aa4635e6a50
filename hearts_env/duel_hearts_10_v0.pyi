# What type checkers know of a module made when it is imported. Written by `python -m tests.pages --write`.
from typing import Any

from hearts_env.envs.aec import CheckedEnv, HeartsEnv

def env(*, render_mode: str | None = None, **options: Any) -> CheckedEnv: ...
def raw_env(*, render_mode: str | None = None, **options: Any) -> HeartsEnv: ...
