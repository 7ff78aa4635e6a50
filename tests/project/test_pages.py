"""What the pages claim: every code block runs, every link leads somewhere, what repeats the code is up to date."""

import importlib.util
import os
import pydoc
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

import hearts_env as he
from hearts_env.ruleset.model import field_types
from hearts_env.ruleset.syntax import read_value
from hearts_training.cli.app import parse
from hearts_training.cli.cite import BIBTEX
from tests.pages import ROOT, differing
from tests.support.marks import marked

FOLDERS = ("", "docs", "hearts_env", "agents", "training")
BUILT = {ROOT / "docs" / "made", ROOT / "docs" / "tree"}
"""What the site is built from."""
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in FOLDERS
    for path in (ROOT / folder).glob("**/*.md" if folder else "*.md")
    if path.name != "CHANGELOG.md" and not BUILT & set(path.parents)
)
FENCE = re.compile(
    r"(?P<before>(?:^<!--[^\n]*-->\n)*)^```(?P<language>\w*)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL
)
GROUPS = {"hearts_env.opponents", "hearts_env.variants"}
"""Groups of entry points, which look like names of modules."""
NOT_RUN = re.compile(r"<!-- not run.*: .+ -->")


@dataclass(frozen=True)
class Block:
    """A code block of a page."""

    page: str
    line: int
    language: str
    code: str
    runs: bool

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def blocks_of(page: str) -> Iterator[Block]:
    text = read(page)
    for found in FENCE.finditer(text):
        line = text.count("\n", 0, found.start("code")) + 1
        yield Block(page, line, found["language"], found["code"], not NOT_RUN.search(found["before"]))


def prose_of(page: str) -> str:
    return FENCE.sub("", read(page))


BLOCKS = [block for page in PAGES for block in blocks_of(page)]


def python_of(page: str) -> list[Block]:
    """The Python blocks of a page that are run."""
    return [block for block in BLOCKS if block.page == page and block.runs and block.language == "python"]


def commands_of(page: str) -> list[Block]:
    """The commands of a page that are run."""
    return [block for block in BLOCKS if block.page == page and block.runs and block.language == "bash"]


def run(command: list[str], folder: Path) -> None:
    """Run a command in a folder where it may write, with the tests' Python first on the path."""
    for name in ("tests", "training"):
        (folder / name).symlink_to(ROOT / name)
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment | {"MPLBACKEND": "Agg"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr


def test_there_are_pages_and_blocks() -> None:
    assert {"README.md", "CONTRIBUTING.md", "hearts_env/RULES.md", "agents/README.md"} <= set(PAGES)
    assert {block.language for block in BLOCKS if block.runs} >= {"python", "bash"}


@pytest.mark.parametrize("page", PAGES)
def test_every_block_is_closed_and_has_a_language(page: str) -> None:
    fences = re.findall(r"^```(\w*)$", read(page), re.MULTILINE)
    assert set(fences[::2]) <= {"python", "bash", "text"}
    assert set(fences[1::2]) <= {""}
    assert len(fences) == 2 * len(list(blocks_of(page)))


RUNNER = """
import sys, traceback
for name, code in __BLOCKS__:
    try:
        exec(compile(code, name, "exec"), {"__name__": "__main__"})
    except BaseException:
        traceback.print_exc()
        sys.exit(name + " failed")
"""
"""Runs blocks one after the other, each with names of its own."""


LONG = {
    *("agents/README.md", "agents/hearts_agents/arena/README.md", "agents/hearts_agents/engines/README.md"),
    *("agents/hearts_agents/openspiel/README.md", "training/EVALUATION.md", "CONTRIBUTING.md", "docs/citing.md"),
    *("docs/tutorials/offline.md", "docs/tutorials/search.md", "docs/tutorials/every_rule.md", "docs/tutorials/ppo.md"),
    *("docs/tutorials/exploitability.md", "docs/tutorials/agent.md", "docs/tutorials/variant.md"),
}
"""Pages whose code is run before a release; every day it is read."""


def turn(page: str, *, daily: bool) -> Any:
    """A page whose code is run: always, exhaustively, or before a release."""
    return page if page == "README.md" else marked(page, *[pytest.mark.release] * (page in LONG or not daily))


def run_python(pages: list[str], folder: Path) -> None:
    """Run the blocks of pages in one process."""
    blocks = [(str(block), block.code) for page in pages for block in python_of(page)]
    run([sys.executable, "-c", RUNNER.replace("__BLOCKS__", repr(blocks))], folder)


@pytest.mark.parametrize("page", [turn(page, daily=False) for page in PAGES if python_of(page)])
def test_python_runs_as_printed(page: str, tmp_path: Path) -> None:
    run_python([page], tmp_path)


@pytest.mark.exhaustive
@pytest.mark.parametrize("folder", FOLDERS[1:])
def test_python_of_a_folder_runs_as_printed(folder: str, tmp_path: Path) -> None:
    """Every day the pages of a folder share what is loaded; before a release each is run by itself."""
    run_python([page for page in PAGES if page.startswith(f"{folder}/") and page not in LONG], tmp_path)


SHARED = re.compile("^hearts (arena|evaluate) (?!.*(--save|runs/)).*$", re.MULTILINE)
"""Commands that leave nothing behind for the next."""


def scripts() -> dict[str, list[str]]:
    """What is run of each page; a command of `SHARED` that several pages print is run once."""
    seen: set[str] = set()

    def once(found: re.Match[str]) -> str:
        command = " ".join(shlex.split(found[0], comments=True))
        again = command in seen
        seen.add(command)
        return "" if again else found[0]

    pages = sorted(PAGES, key=lambda page: page != "README.md")
    return {page: code for page in pages if (code := [SHARED.sub(once, block.code) for block in commands_of(page)])}


SCRIPTS = scripts()


@pytest.mark.parametrize("page", [turn(page, daily=True) for page in SCRIPTS])
def test_commands_run_as_printed(page: str, tmp_path: Path) -> None:
    for place, code in enumerate(SCRIPTS[page]):
        folder = tmp_path / str(place)
        folder.mkdir()
        run(["bash", "-euo", "pipefail", "-c", code], folder)


def hearts_commands(code: str) -> Iterator[list[str]]:
    """The arguments of every `hearts` command of a bash block, which may stand in a loop or after other commands."""
    for line in code.replace("\\\n", " ").splitlines():
        for part in re.split(r"&&|;(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)|\bdo\b", line):
            words = shlex.split(part, comments=True)
            while words and "=" in words[0]:
                words.pop(0)
            if words and Path(words[0]).name == "hearts":
                yield words[1:]


def test_hearts_commands_are_found() -> None:
    code = (
        'A=1 .venv/bin/hearts train \\\n  --set "a=1; b=2"  # why\nfor x in 1; do hearts arena x y; done\necho hearts'
    )
    assert list(hearts_commands(code)) == [["train", "--set", "a=1; b=2"], ["arena", "x", "y"]]


def test_commands_are_possible() -> None:
    for block in (b for b in BLOCKS if b.language == "bash" and (not b.runs or b.page in LONG)):
        done = subprocess.run(["bash", "-n", "-c", block.code], capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{block}: {done.stderr}"
        for arguments in hearts_commands(block.code):
            parse(arguments)
        for module in re.findall(r"python3? -m (\S+)", block.code):
            assert importlib.util.find_spec(module), f"{block}: {module}"


def test_python_compiles() -> None:
    for block in (b for b in BLOCKS if b.language == "python" and (not b.runs or b.page in LONG)):
        compile(block.code, str(block), "exec")


def test_the_whole_bot_is_the_one_that_the_tests_seat() -> None:
    blocks = blocks_of("agents/hearts_agents/engines/README.md")
    bot = next(block.code for block in blocks if block.language == "python")
    assert bot.strip() in (ROOT / "tests" / "engines" / "bots" / "lowest.py").read_text(encoding="utf-8")


def test_what_repeats_the_code_is_up_to_date() -> None:
    assert differing() == [], "python -m tests.pages --write"


def anchors(text: str) -> set[str]:
    """The anchors of the headings of a page, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere(page: str) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", prose_of(page)):
        if link.startswith("http"):
            continue
        path, _, anchor = link.partition("#")
        target = (ROOT / page).parent / path if path else ROOT / page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target.read_text(encoding="utf-8")), link


def code_spans(page: str) -> list[str]:
    return re.findall(r"`([^`\n]+)`", prose_of(page))


@pytest.mark.parametrize("page", PAGES)
def test_every_file_and_module_named_is_there(page: str) -> None:
    tops = ("hearts_env/", "tests/", "agents/", "training/", "notebooks/")
    for span in code_spans(page):
        if span.startswith(tops) or re.fullmatch(r"[\w/]+/\w+\.(py|md)", span):
            assert (ROOT / span).exists() or ((ROOT / page).parent / span).exists(), span
        if re.fullmatch(r"(hearts_env|hearts_agents|hearts_training)(\.\w+)+", span):
            assert span in GROUPS or pydoc.locate(span) is not None, span


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_the_number_of_games_is_that_of_the_variants(page: str) -> None:
    assert f"for {len(he.VARIANTS)} games of the Hearts family" in (ROOT / page).read_text()


@pytest.mark.parametrize("page", PAGES)
def test_all_rules_named_can_be_read(page: str) -> None:
    for span in code_spans(page):
        if span.partition("(")[0] in set(he.VARIANTS) | {"black_lady"} and span.endswith(")"):
            he.rules(span)


def test_the_rulebook_names_fields_that_exist_and_values_that_they_take() -> None:
    groups = {path.split(".")[0] for path in field_types()}
    named = set()
    for span in code_spans("hearts_env/RULES.md"):
        path, _, value = span.partition("=")
        if path.split(".")[0] in groups and "." in path:
            assert path in field_types()
            named.add(path)
            if value:
                read_value(path, field_types()[path], value)
    assert named == set(field_types())


def test_the_rulebook_numbers_its_options_and_cases_without_a_break_in_a_list() -> None:
    """Markdown counts on from the first number of a list, so that a gap must begin a new list."""
    last = None
    for line in read("hearts_env/RULES.md").splitlines():
        if found := re.match(r"(\d+)\. ", line):
            number = int(found[1])
            assert last is None or number == last + 1
            last = number
        elif line.startswith(("<!--", "#", "|")) or (line and not line.startswith(" ")):
            last = None


def test_the_citation_names_the_release_and_an_entity() -> None:
    cited = yaml.safe_load(read("CITATION.cff"))
    assert cited["version"] == he.__version__
    assert cited["authors"] == [{"name": "The Hearts suite authors"}]
    assert f"{len(he.VARIANTS)} games" in cited["title"]
    entry = BIBTEX.format(version=he.__version__, year=cited["date-released"].year)
    assert entry in read("docs/citing.md")


@pytest.mark.parametrize(
    "form", sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")), ids=lambda form: form.stem
)
def test_issue_forms_have_what_they_need(form: Path) -> None:
    found = yaml.safe_load(form.read_text(encoding="utf-8"))
    assert {"name", "description", "body"} <= set(found)
    assert {part["type"] for part in found["body"]} <= {"input", "textarea"}
    assert all(part["attributes"]["label"] for part in found["body"])
    assert len({part["id"] for part in found["body"]}) == len(found["body"])


FILES = [
    path.relative_to(ROOT).as_posix()
    for folder in ("hearts_env", "agents", "training", "tests", "notebooks")
    for path in (ROOT / folder).rglob("*.*")
] + [path.name for path in ROOT.glob("*.*")]
BARE = re.compile(r"""make(?:_vec|_vec_env)?\(\s*["']Hearts/""")


def test_every_gymnasium_name_works_without_an_import() -> None:
    texts = [file for file in FILES if file.endswith((".md", ".py", ".ipynb")) and not file.startswith("tests/")]
    assert not [file for file in texts if BARE.search((ROOT / file).read_text("utf-8").replace("\\", ""))]
