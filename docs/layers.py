"""A drawing of the rooms of the three packages, and of which imports which, from the imports themselves."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import grimp

PACKAGES = {"hearts_training": "#c8dfc4", "hearts_agents": "#f3deb0", "hearts_env": "#bcd5ec"}
"""Package -> the colour of its rooms."""
WIDTH, ROW, BOX, HIGH = 960, 62, 118, 30
Rooms = dict[str, set[str]]


def rooms() -> Rooms:
    """Every module or package directly in a package -> those that it imports.

    >>> "hearts_env.kernel" in rooms()["hearts_env.envs"]
    True
    """
    graph = grimp.build_graph(*PACKAGES, exclude_type_checking_imports=True, cache_dir=None)
    children = (room for package in PACKAGES for room in graph.find_children(package))
    found = sorted(room for room in children if not room.endswith("__main__"))
    for room in found:
        graph.squash_module(room)
    return {room: graph.find_modules_directly_imported_by(room) & set(found) - {room} for room in found}


def drawing() -> str:
    """The rooms as an SVG picture: each above all that it imports, with a line to those it reaches no other way."""
    imports = rooms()

    @cache
    def below(room: str) -> frozenset[str]:
        return frozenset(imports[room]).union(*map(below, imports[room]))

    @cache
    def level(room: str) -> int:
        floor = max(
            (level(other) for other in imports if PACKAGES_BELOW[_package(room)] == _package(other)), default=-1
        )
        return 1 + max((level(other) for other in imports[room] if _package(other) == _package(room)), default=floor)

    rows: dict[int, list[str]] = {}
    for room in sorted(imports):
        rows.setdefault(level(room), []).append(room)
    top, at = max(rows), dict[str, tuple[float, float]]()
    for high, row in sorted(rows.items()):
        row.sort(key=lambda room: sum(at[o][0] for o in imports[room] if o in at) / (len(imports[room]) or 1))
        for place, room in enumerate(row):
            at[room] = (WIDTH * (place + 0.5) / len(row), (top - high + 0.6) * ROW)
    direct = {room: [o for o in imports[room] if not any(o in below(b) for b in imports[room])] for room in imports}
    lines = [_line(at[room], at[other]) for room in imports for other in sorted(direct[room])]
    boxes = [_box(room, *at[room]) for room in imports]
    size = f'viewBox="0 0 {WIDTH} {(top + 1.2) * ROW:g}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="13">'
    return "\n".join([head, '<rect width="100%" height="100%" fill="#fff"/>', *lines, *boxes, "</svg>"]) + "\n"


PACKAGES_BELOW = {**dict(pairwise(PACKAGES)), "hearts_env": ""}


def _package(room: str) -> str:
    return room.partition(".")[0]


def _line(start: tuple[float, float], end: tuple[float, float]) -> str:
    (x, y), (u, v) = start, end
    middle = (y + v) / 2
    path = f"M{x:.0f} {y:.0f}C{x:.0f} {middle:.0f} {u:.0f} {middle:.0f} {u:.0f} {v:.0f}"
    return f'<path d="{path}" fill="none" stroke="#667" stroke-opacity=".45"/>'


def _box(room: str, x: float, y: float) -> str:
    place = f'x="{x - BOX / 2:.0f}" y="{y - HIGH / 2:.0f}" width="{BOX}" height="{HIGH}" rx="6"'
    box = f'<rect {place} fill="{PACKAGES[_package(room)]}" stroke="#556"/>'
    return f'{box}<text x="{x:.0f}" y="{y + 5:.0f}" text-anchor="middle">{room.partition(".")[2]}</text>'
