"""The page of each network that comes with the suite, from the description that lies beside its weights."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from hearts_agents.neural.saved import is_taught
from hearts_agents.weights import CARDS, FOLDER


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table in Markdown, or nothing without rows."""
    titles, body = list(head), list(rows)
    lines = [titles, ["---"] * len(titles), *body]
    return "\n".join("| " + " | ".join(str(x).replace("|", "\\|") for x in line) + " |" for line in lines if body)


def network_card(name: str) -> dict[str, Any]:
    """The description of a network that comes with the suite."""
    file = next(FOLDER / name / card for card in CARDS if (FOLDER / name / card).exists())
    card: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return card


def plays(card: dict[str, Any]) -> str:
    """The rules that a network plays."""
    return f"`{card['rules']}`" if "rules" in card else "all rules"


def network_page(name: str, card: dict[str, Any]) -> str:
    """The card of a network, from its description."""
    extra, game = card["extra"], card.get("rules", "").partition("(")[0]
    game_link = f"[{plays(card)}](../variants/{game}.md)" if game else "[all rules](../../tree/hearts_env/SAMPLING.md)"
    size = sum(file.stat().st_size for file in (FOLDER / name).iterdir()) / 1e6
    commands = "\n".join(extra["made_by"]) or "# not recorded"
    run = "".join(f"\n\nCommit: `{entry['commit']}`." for entry in card.get("run", [])[-1:] if entry.get("commit"))
    made = f"{extra['hours']} hours on {extra['machine'] or 'an unnamed machine'}, version {extra['version']}"
    deals = f", {extra['deals']:,} deals of self-play" if "deals" in extra else ""
    return (
        "\n\n".join(
            [
                f"# net:{name}",
                f"Plays {game_link}. {size:.1f} MB, layers of {', '.join(map(str, card['hidden']))}, MIT license. "
                f'`make_agent("net:{name}")` needs NumPy, not torch.',
                f"## How it was made\n\n{made}{deals}:\n\n```text\n{commands}\n```{run}",
                f"## Strength\n\n{_strength(extra['results'])}",
                f"## Limits\n\n{_limits(name, card)}",
                f"SHA-256 of the description: `{card['sha256']}`. [More figures](../../tree/agents/RESULTS.md).",
            ]
        )
        + "\n"
    )


def _strength(results: dict[str, Any]) -> str:
    if "against" in results:
        rows = [
            [
                f"`{rival}`",
                f"{found['deals']:,} deals" if "deals" in found else f"{found['matches']:,} matches",
                _margin(found["network_alone"]),
                _margin(found["opponent_alone"]),
                _won(found.get("network_alone_won")),
                f"{found['shot']:.1%}",
                f"{found['conceded']:.1%}",
            ]
            for rival, found in results["against"].items()
        ]
        head = ["opponents", "played", "network alone", "opponent alone", "matches won", "moons shot", "conceded"]
        head, *rows = zip(*(column for column in zip(head, *rows, strict=True) if any(column[1:])), strict=True)
        return (
            "Margins: own points minus the mean of the other seats, per deal, ± a standard error; negative is better. "
            f"One player alone among copies of the other; seed {results['seed']}.\n\n{table(head, rows)}"
        )
    splits = {name: found for name, found in results.items() if isinstance(found, dict)}
    text = [
        f"Split `{name}` of the [benchmark](../../tree/hearts_env/benchmark/README.md):\n\n"
        + table(["figure", "value"], [[k, _number(v)] for k, v in found.items() if k != "rules"])
        + (f"\n\n{_by_rules(found['rules'])}" if found.get("rules") else "")
        for name, found in splits.items()
    ]
    return "\n\n".join(text) or "No figures are recorded in the description."


def _by_rules(rules: dict[str, list[float | None]]) -> str:
    rows = [
        [f"`{name}`", _margin([m, e]), "" if s is None else _margin([s, se])] for name, (m, e, s, se) in rules.items()
    ]
    return table(["rules", "margin among `rule`", "score"], rows)


def _number(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    return ", ".join(map(_number, value)) if isinstance(value, list) else str(value)


def _margin(pair: Iterable[float | None]) -> str:
    value, error = pair
    return "" if value is None else f"{value:+.2f}" + ("" if error is None else f" ± {error:.2f}")


def _won(pair: list[float] | None) -> str:
    return f"{pair[0]:.1%} ± {pair[1]:.1%}" if pair else ""


def _limits(name: str, card: dict[str, Any]) -> str:
    """What the figures show that the network is bad at."""
    against = card["extra"]["results"].get("against", {})
    lines = [
        f"- Alone among `{rival}` it is not clearly ahead: {_margin(found['network_alone'])}."
        for rival, found in against.items()
        if found["network_alone"][0] + 2 * found["network_alone"][1] > 0
    ]
    if against:
        worst = max(against, key=lambda rival: against[rival]["conceded"])
        lines.append(f"- It concedes most moons to `{worst}`: {against[worst]['conceded']:.1%} of the deals.")
    if "rules" in card:
        lines.append(f"- It refuses rules whose observations or actions differ from those of `{card['rules']}`.")
    if is_taught(card["extra"]):
        lines.append("- It ignores the totals, which the search that it was distilled from did not see.")
    return "\n".join(lines or ["- Nothing has been measured yet."])
