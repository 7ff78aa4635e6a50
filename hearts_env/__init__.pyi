from types import ModuleType
from typing import Any

from hearts_env.envs.aec import CheckedEnv as CheckedEnv
from hearts_env.envs.aec import HeartsEnv as HeartsEnv
from hearts_env.envs.aec import env as env
from hearts_env.envs.aec import raw_env as raw_env
from hearts_env.envs.late import late_rewards as late_rewards
from hearts_env.envs.mixed import MixedEnv as MixedEnv
from hearts_env.envs.mixed import mixed_env as mixed_env
from hearts_env.envs.questions import Questions as Questions
from hearts_env.envs.questions import questions as questions
from hearts_env.envs.text import TextEnv as TextEnv
from hearts_env.envs.text import text_env as text_env
from hearts_env.envs.vector import VectorEnv as VectorEnv
from hearts_env.envs.vector import vector_env as vector_env
from hearts_env.errors import IllegalActionError as IllegalActionError
from hearts_env.errors import RulesError as RulesError
from hearts_env.explain.page import rules_page as rules_page
from hearts_env.ruleset.model import Rules as Rules
from hearts_env.ruleset.model import Variant as Variant
from hearts_env.seat.marginals import marginals as marginals
from hearts_env.seat.observation import observation_layout as observation_layout
from hearts_env.seat.observation import widen_observations as widen_observations
from hearts_env.seat.shared import SharedLayout as SharedLayout
from hearts_env.seat.shared import shared_layout as shared_layout
from hearts_env.seat.universal import from_universal as from_universal
from hearts_env.seat.universal import to_universal as to_universal
from hearts_env.seat.universal import universal_actions as universal_actions
from hearts_env.seat.universal import universal_layout as universal_layout
from hearts_env.seat.view import View as View
from hearts_env.seat.view import Views as Views
from hearts_env.seat.view import view_of as view_of
from hearts_env.seat.worlds import sample_worlds as sample_worlds
from hearts_env.table.games import read_games as read_games
from hearts_env.table.games import write_games as write_games
from hearts_env.table.match import Match as Match
from hearts_env.table.score import (
    DealScore as DealScore,
)
from hearts_env.table.score import (
    legal_plays as legal_plays,
)
from hearts_env.table.score import (
    score_deal as score_deal,
)
from hearts_env.table.score import (
    trick_winner as trick_winner,
)
from hearts_env.variants.registry import VARIANTS as VARIANTS
from hearts_env.variants.registry import register as register
from hearts_env.variants.registry import rules as rules
from hearts_env.variants.sample import sample_rules as sample_rules

__all__: list[str]
__version__: str

def __getattr__(name: str) -> Any: ...  # the variants of plug-ins

class _VariantModule(ModuleType):
    """A module made when it is imported: the environments of one variant."""

    @staticmethod
    def env(*, render_mode: str | None = None, **options: Any) -> CheckedEnv: ...
    @staticmethod
    def raw_env(*, render_mode: str | None = None, **options: Any) -> HeartsEnv: ...

# variants:begin
black_lady_v0: _VariantModule
omnibus_hearts_v0: _VariantModule
black_maria_v0: _VariantModule
rickety_kate_v0: _VariantModule
big_moon_v0: _VariantModule
four_five_four_v0: _VariantModule
queens_v0: _VariantModule
booster_nines_v0: _VariantModule
danger_hearts_v0: _VariantModule
joker_hearts_v0: _VariantModule
five_hundred_hearts_v0: _VariantModule
small_hearts_v0: _VariantModule
turbo_hearts_v0: _VariantModule
greek_hearts_v0: _VariantModule
dirty_hearts_v0: _VariantModule
heartsette_v0: _VariantModule
openspiel_v0: _VariantModule
spot_hearts_v0: _VariantModule
spot_hearts_129_v0: _VariantModule
pip_hearts_v0: _VariantModule
hooligan_hearts_v0: _VariantModule
high_hearts_v0: _VariantModule
royal_hearts_v0: _VariantModule
math_team_hearts_v0: _VariantModule
complex_hearts_v0: _VariantModule
uk_black_lady_v0: _VariantModule
incredu_hearts_v0: _VariantModule
cancellation_hearts_v0: _VariantModule
partnership_hearts_v0: _VariantModule
likha_v0: _VariantModule
gong_zhu_v0: _VariantModule
duel_hearts_v0: _VariantModule
duel_hearts_10_v0: _VariantModule
trio_hearts_v0: _VariantModule
reversis_v0: _VariantModule
four_jacks_v0: _VariantModule
hearts_1850_v0: _VariantModule
# variants:end
