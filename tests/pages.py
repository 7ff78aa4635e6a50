"""What repeats the code: tables between markers in the pages, and the variants in the stub.

``python -m tests.pages --write`` writes them anew; ``python -m tests.pages`` only says which ones differ.
A part stands between ``<!-- NAME:begin -->`` and ``<!-- NAME:end -->``.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import json
import re
import sys
import textwrap
import tomllib
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import hearts_env as he
from hearts_agents.registry import AGENTS
from hearts_env.benchmark.splits import split
from hearts_env.ruleset import fields
from hearts_env.ruleset.model import field_types
from hearts_env.ruleset.syntax import write_value
from hearts_env.variants.known import KNOWN
from hearts_training.data.croissant import ABOUT
from hearts_training.data.folder import DataFormat
from hearts_training.data.label import LABELS
from hearts_training.data.record import GAMES
from hearts_training.evaluate.blunders_kinds import JUDGED, KINDS
from lab import ladder as ladders
from lab.generalization import pooled, worth
from lab.ladder import ROWS, Curve, curves
from tests.results import RESULTS, code, habits, table

ROOT = Path(__file__).parents[1]
STUB = ROOT / "hearts_env" / "__init__.pyi"


def variants() -> str:
    """Every variant, its players and its summary."""
    return table(
        ["name", "players", "in short"],
        ([code(name), _numbers(variant.players), variant.summary] for name, variant in he.VARIANTS.items()),
    )


def _numbers(numbers: tuple[int, ...]) -> str:
    first, last = numbers[0], numbers[-1]
    if numbers != tuple(range(first, last + 1)):
        return ", ".join(map(str, numbers))
    return str(first) if first == last else f"{first}–{last}"


def observation() -> str:
    """The layout of the observations of Basic Hearts."""
    layout = he.observation_layout("black_lady")
    return table(
        ["field", "columns", "shape", "unit", "meaning"],
        (
            [
                code(name),
                _numbers(tuple(range(field.columns.start, field.columns.stop))),
                " × ".join(map(str, field.shape)),
                field.unit,
                field.meaning,
            ]
            for name, field in layout.items()
        ),
    )


def more_observation() -> str:
    """The fields that only some variants observe, and which these are."""
    common = he.observation_layout("black_lady")
    meanings: dict[str, str] = {}
    users: dict[str, list[str]] = {}
    for name in [*he.VARIANTS, *OPTIONS]:
        for field, about in he.observation_layout(name).items():
            if field not in common:
                meanings[field] = about.meaning
                users.setdefault(field, []).append(code(name))
    return table(["field", "meaning", "in"], ([code(f), meanings[f], ", ".join(users[f])] for f in meanings))


OPTIONS = (
    "black_lady(pledge=10)",
    "rickety_kate(chips=25, target=none)",
    "black_lady(moon.mode=old, moon.extends=until_next_moon, max_deals=30)",
    "black_lady(refusable=[QS])",
    "complex_hearts(moon.sign=chosen)",
)
"""Games with fields that no variant observes by default."""


def rule_fields() -> str:
    """Every field of `Rules`: its default, its meaning and the variants that set it."""
    docs, basic = _field_docs(), he.VARIANTS["black_lady"].standard(4)
    users = {path: [code(v.name) for v in he.VARIANTS.values() if _sets(v, path)] for path in basic}
    return table(
        ["field", "values", "default", "meaning", "set by"],
        (
            [
                code(path),
                _values(kind),
                code("{}" if _is_map(kind) and not basic[path] else write_value(basic[path])),
                docs[path],
                "every variant" if path == "table.players" else ", ".join(users[path]) or "options only",
            ]
            for path, kind in field_types().items()
        ),
    )


def _sets(variant: he.Variant, path: str) -> bool:
    return any(path in delta for delta in (variant.delta, *variant.by_players.values()))


def _values(kind: Any) -> str:
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return ", ".join(code(choice) for choice in kind)
    name = str(kind.__name__ if isinstance(kind, type) else kind)
    words = {"int": "number", "bool": "`true`, `false`", "str": "text", "int | None": "number, `none`"}
    words |= {"str | None": "text, `none`", "int | complex | None": "number, Gaussian integer, `none`"}
    if name in words:
        return words[name]
    return "map `{A:B}`" if _is_map(kind) else "list `[A,B]`"


def _is_map(kind: Any) -> bool:
    return str(kind).startswith("tuple[tuple")


def _field_docs() -> dict[str, str]:
    """``group.field`` -> the docstring below the field, on one line."""
    return {
        f"{group.name}.{name}": doc
        for group in dataclasses.fields(fields.RuleFields)
        for name, doc in _docs_in(fields, str(group.type)).items()
    }


def _docs_in(module: ModuleType, name: str) -> dict[str, str]:
    """The docstrings below the attributes of a class, each on one line."""
    body = next(
        node.body
        for node in ast.parse(inspect.getsource(module)).body
        if isinstance(node, ast.ClassDef) and node.name == name
    )
    docs = {}
    for attribute, doc in pairwise(body):
        target = attribute.targets[0] if isinstance(attribute, ast.Assign) else getattr(attribute, "target", None)
        if isinstance(target, ast.Name) and isinstance(doc, ast.Expr) and isinstance(doc.value, ast.Constant):
            docs[target.id] = _one_line(str(doc.value.value))
    return docs


def values() -> str:
    """What the values of closed choices mean, where their docstrings say it."""
    rows = []
    for path, kind in field_types().items():
        if isinstance(kind, type) and issubclass(kind, StrEnum):
            docs = _docs_in(sys.modules[kind.__module__], kind.__name__)
            rows += [[code(path), code(kind[name]), doc] for name, doc in docs.items()]
    return table(["field", "value", "meaning"], rows)


def _one_line(text: str) -> str:
    return re.sub(r"\bNone\b", "`none`", " ".join(text.replace("``", "`").split()))


def agents() -> str:
    """Every agent and its parameters; those of the rule agent have a table of their own."""
    return table(["name", "what it is", "parameters"], map(_agent_row, AGENTS))


def _agent_row(name: str) -> list[str]:
    kind = AGENTS[name]
    names = [f"`{p.name}={_default(p.default)}`" if p.default is not None else code(p.name) for p in _parameters(name)]
    return [code(name), _one_line(kind.summary), "its weights" if name == "rule" else ", ".join(names)]


def _parameters(name: str) -> Iterable[Any]:
    return AGENTS[name].parameters.values()


def _default(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)


SAMPLED = 300
"""Seeds of `sample_rules` that the page of the distribution counts."""


def sampling() -> str:
    """How often a field differs from Basic Hearts in sampled rules, by group."""
    basic = he.rules("black_lady").flat()
    drawn = [he.sample_rules(seed).flat() for seed in range(SAMPLED)]
    groups: dict[str, list[str]] = {}
    for path, value in basic.items():
        share = sum(rules[path] != value for rules in drawn) / SAMPLED
        group, _, name = path.partition(".")
        groups.setdefault(group, []).append(f"`{name}` {'<1%' if 0 < share < 0.005 else f'{share:.0%}'}")
    return table(["group", "share of the rules"], ([code(group), ", ".join(parts)] for group, parts in groups.items()))


HOLDS_BACK = {
    "V": "a pair of values, each of which occurs in training; for development",
    "B": "a value of a field that varies in training",
    "C": "a pair of values, each of which occurs in training (other pairs than in V)",
    "D": "a mechanism: complex scores, exposed cards, highest total wins, teams, two packs",
    "E": "a number of players: 2, 5, 7 to 11",
    "P": "nothing: 34 variants, those of version 1",
    "matches": "nothing: new rules, played to the end of the match",
}


def splits() -> str:
    """Every split: its size, and what it holds back."""
    rows = [
        ["`train_0` to `train_4`", "5 × 256", "trained on: 3, 4 or 6 players, and none of what the tests hold back"]
    ]
    rows += [[code(name), str(len(split(name))), meaning] for name, meaning in HOLDS_BACK.items()]
    return table(["split", "rules", "holds back"], rows)


def columns(kind: DataFormat) -> list[str]:
    """The columns of a kind of data set."""
    return list(kind.columns({"variant": "black_lady", "observations": True, "from": {}}).names)


def label_columns() -> str:
    """The columns of data sets of decisions."""
    return table(["column", "content"], ([code(name), ABOUT[name]] for name in columns(LABELS)))


def record_columns() -> str:
    """The columns that data sets of games have besides those of decisions."""
    names = [name for name in columns(GAMES) if name not in columns(LABELS)]
    return table(["column", "content"], ([code(name), ABOUT[name]] for name in names))


EXTRAS = {
    "training": "`hearts train`, data sets, tuning, plots and ratings of the arena; `sb3:` agents",
    "openspiel": "[OpenSpiel](../agents/hearts_agents/openspiel/README.md), both ways",
    "render": '`render_mode="rgb_array"` and films',
    "web": "[the browser](../training/hearts_training/web/README.md)",
    "torchrl": "TorchRL's environment",
    "cluster": "`--workers`: [a Ray cluster](../training/README.md#on-a-cluster)",
    "minari": "`hearts record --minari`",
    "notebooks": "the notebooks",
    "docs": "this site",
    "dev": "everything, and the tests",
}
"""Extra -> what it is for."""


def extras() -> str:
    """Every extra of pyproject.toml, and what it is for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    if differ := set(project["optional-dependencies"]) ^ set(EXTRAS):
        raise ValueError(f"EXTRAS and pyproject.toml differ in {', '.join(differ)}")
    return table(["extra", "for"], ([code(extra), purpose] for extra, purpose in EXTRAS.items()))


ENTRIES = ROOT / "docs" / "benchmark"


def entries() -> str:
    """The published entries of the benchmark, by split and score, but for those of `headline` and of split A."""
    order = ["C", "B", "D", "E", "matches", "P", "V"]
    others = (one for one in published(headline=False) if one["split"] != "A")
    found = sorted(others, key=lambda one: order.index(one["split"].partition(":")[0]))
    head = ["split", "agent", "score", "20th percentile", "ahead in", "hours"]
    return table(head, map(_entry_row, found))


def headline() -> str:
    """The entries of all of split C among `rule`."""
    rows = map(_entry_row, published(headline=True))
    return table(["agent", "score", "20th percentile", "ahead in", "hours"], (row[1:] for row in rows))


def published(headline: bool) -> list[dict[str, Any]]:
    """The entries that are of all of split C among `rule`, or the others, the best of a reference first."""
    found = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(ENTRIES.glob("*.json"))]
    kept = [one for one in found if ((one["split"], one["reference"]) == ("C", "rule")) == headline]
    return sorted(kept, key=lambda one: (one["reference"], -one["score"]))


def _entry_row(one: dict[str, Any]) -> list[str]:
    suffix = {"rules": "", "nothing": ", without the rules", "next": ", with other rules"}[one["told"]]
    marks = [mark for name, mark in (("met_reference", "+met"), ("open", "+open")) if one["declared"][name]]
    low, high = one["score_ci"]
    among = "" if one["reference"] == "rule" else f" among {code(one['reference'])}"
    return [
        code(one["split"]) + among,
        " ".join([code(one["agent"]) + suffix, *marks]),
        f"{one['score']:.3f} [{low:.3f}, {high:.3f}]",
        f"{one['p20']:.2f}",
        f"{one['above']:.0%}",
        f"{one['declared']['training_hours']:g}",
    ]


def generalization() -> str:
    """What networks score under rules they have not seen, by how many they learned from and what they are told."""
    found = {(one.rules, one.told): one for one in pooled()}
    titles = {"rules": "with the rules", "nothing": "without"}

    def cells(size: int, given: str) -> list[str]:
        if (size, given) not in found:
            return ["", "", ""]
        one = found[size, given]
        summary = one.summary
        low, high = summary["score_ci"]
        return [str(len(one.lines)), f"{summary['score']:.3f} [{low:.3f}, {high:.3f}]", f"{one.seen:.2f}"]

    head = [cell for title in titles.values() for cell in ("chains", title, "seen")]
    sizes = sorted({size for size, _ in found})
    rows = table(["rules", *head], ([size, *cells(size, "rules"), *cells(size, "nothing")] for size in sizes))
    return f"{rows}\n\n{textwrap.fill(worth(), 120)}"


def ladder() -> str:
    """How close learners come to an equilibrium in the games of a few cards."""
    games = sorted((file.stem for file in ROWS.glob("*.jsonl")), key=len)
    found = {game: {(one.learner, one.policy): one for one in curves(game)} for game in games}
    cells = [
        [
            code(learner) if learner in ladders.AGENTS else learner,
            policy,
            *(_reached(found[game].get((learner, policy))) for game in games),
        ]
        for learner, policy in dict.fromkeys(key for game in games for key in found[game])
    ]
    return table(["learner", "policy", *map(code, games)], cells)


def _reached(curve: Curve | None) -> str:
    seeds = f" ({curve.seeds})" if curve and curve.seeds > 1 else ""
    return curve.last + seeds if curve else ""


def known_rules() -> str:
    """Where people play: what to type, and what that leaves out."""
    rows = (
        [f"{known.title} `{name}`", f"`{known.rules}`" if known.rules else "cannot be typed", known.missing]
        for name, known in KNOWN.items()
    )
    return table(["place and name", "text", "not said"], rows)


def blunders() -> str:
    """The kinds of the blunder suite, those that need a judge last."""
    kinds = sorted(KINDS.items(), key=lambda one: one[1] in JUDGED)
    return table(("kind", "the blunder"), ((code(name), kind.__doc__) for name, kind in kinds))


PARTS: dict[str, tuple[str, Callable[[], str]]] = {
    **{name: ("agents/RESULTS.md", part) for name, part in RESULTS.items()},
    "habits": ("docs/self_play.md", habits),
    "sampling": ("hearts_env/SAMPLING.md", sampling),
    "headline": ("docs/benchmark.md", headline),
    "entries": ("docs/benchmark.md", entries),
    "generalization": ("docs/benchmark.md", generalization),
    "blunders": ("training/EVALUATION.md", blunders),
    "ladder": ("agents/hearts_agents/openspiel/README.md", ladder),
    "splits": ("hearts_env/benchmark/README.md", splits),
    "variants": ("hearts_env/VARIANTS.md", variants),
    "observation": ("hearts_env/README.md", observation),
    "more-observation": ("hearts_env/README.md", more_observation),
    "known": ("docs/known_rules.md", known_rules),
    "fields": ("hearts_env/RULES.md", rule_fields),
    "values": ("hearts_env/RULES.md", values),
    "agents": ("agents/README.md", agents),
    "extras": ("docs/install.md", extras),
    "label-columns": ("training/DATA.md", label_columns),
    "record-columns": ("training/DATA.md", record_columns),
}
"""Name of a part -> its page and what writes it."""


def with_part(text: str, name: str, part: str) -> str:
    """A page with a part put between its markers. Raises ValueError if they do not stand there once."""
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    if text.count(begin) != 1 or text.count(end) != 1:
        raise ValueError(f"the page needs {begin} and {end} once each")
    return re.sub(f"{begin}.*?{end}", lambda _: f"{begin}\n\n{part}\n\n{end}", text, flags=re.DOTALL)


def current() -> Iterator[tuple[Path, str]]:
    """Every file with generated parts, as it should be."""
    for page in dict.fromkeys(page for page, _ in PARTS.values()):
        text = (ROOT / page).read_text(encoding="utf-8")
        for name, (where, write) in PARTS.items():
            text = with_part(text, name, write()) if where == page else text
        yield ROOT / page, text
    modules = "".join(f"{name}_v{variant.version}: _VariantModule\n" for name, variant in he.VARIANTS.items())
    before, _, rest = STUB.read_text(encoding="utf-8").partition("# variants:begin\n")
    yield STUB, f"{before}# variants:begin\n{modules}# variants:end{rest.partition('# variants:end')[2]}"


def differing() -> list[Path]:
    """The files whose generated parts are out of date."""
    return [path for path, text in current() if not path.exists() or path.read_text(encoding="utf-8") != text]


def main(arguments: list[str]) -> int:
    """Write the parts, or say which files differ."""
    if arguments not in ([], ["--write"]):
        print("usage: python -m tests.pages [--write]")
        return 2
    stale = differing()
    for path, text in current():
        if path in stale:
            print(f"{path.relative_to(ROOT)} {'written' if arguments else 'differs'}")
            if arguments:
                path.parent.mkdir(exist_ok=True)
                path.write_text(text, encoding="utf-8", newline="\n")
    return 0 if arguments else min(len(stale), 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
