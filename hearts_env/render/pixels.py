"""A picture of a table as pixels: the SVG picture, rasterised by resvg."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_env.compiled.game import Game
from hearts_env.render.svg import render_record_svg, render_view_svg
from hearts_env.seat.view import View
from hearts_env.table.match import Match

FONTS = "Arial, Helvetica, Liberation Sans, DejaVu Sans, Noto Sans, sans-serif"
"""The first of these that the system has: resvg takes the generic name for Arial alone."""


def render_record_pixels(game: Game, record: Any) -> NDArray[np.uint8]:
    """The whole table with every hand, from compiled rules and a `STATE` record.

    Labels need a font of the system, one of `FONTS`.

    Returns:
        Red, green and blue, uint8 (600, 960, 3).

    Raises:
        ModuleNotFoundError: resvg_py or Pillow is not installed.

    >>> import hearts_env as he
    >>> match = he.Match("black_lady", seed=7)
    >>> render_record_pixels(match.game, match.state[0]).shape
    (600, 960, 3)
    """
    return _rasterised(render_record_svg(game, record))


def render_view_pixels(view: View) -> NDArray[np.uint8]:
    """The table as one seat sees it; result and errors as in `render_record_pixels`."""
    return _rasterised(render_view_svg(view))


def render_film(match: Match, deal: int = 1, width: int = 560, millis: int = 700) -> bytes:
    """A deal of a match as a moving picture, a frame for each card played; all hands are shown.

    Args:
        match: the match.
        deal: which deal, from 1.
        width: of the picture, in pixels.
        millis: how long a frame stands; the last one of a trick stands twice as long.

    Returns:
        The content of a GIF file, which repeats.

    Raises:
        ValueError: no card has been played in that deal.
        ModuleNotFoundError: resvg_py or Pillow is not installed.
    """
    frames, times = [], []
    for before, card, last in _plays(match, deal):
        frames.append(_rasterised(render_record_svg(before.game, before.state[0], card)))
        times.append(millis * (2 if last else 1))
    if not frames:
        raise ValueError(f"no card has been played in deal {deal} of this match")
    from PIL import Image

    size = width, width * frames[0].shape[0] // frames[0].shape[1]
    small = [Image.fromarray(frame).resize(size, Image.Resampling.LANCZOS).quantize(32) for frame in frames]
    film = BytesIO()
    small[0].save(film, "GIF", save_all=True, append_images=small[1:], duration=times, loop=0)
    return film.getvalue()


def _plays(match: Match, deal: int) -> Iterator[tuple[Match, str, bool]]:
    """Every card played in a deal: the match before it, the card, and whether it ends a trick."""
    if not 0 < deal <= len(match.log):
        return
    now = match.after(sum(len(one.actions) for one in match.log[: deal - 1]))
    for _, action in match.log[deal - 1].actions:
        before = now.clone()
        now.play(action)
        if before.phase == "play":
            yield before, action, not now.trick


def _rasterised(svg: str) -> NDArray[np.uint8]:
    try:
        from PIL import Image
        from resvg_py import svg_to_bytes
    except ModuleNotFoundError as missing:
        message = f"pictures as pixels need {missing.name}; pip install 'hearts-env[render]' brings it"
        raise ModuleNotFoundError(message, name=missing.name) from None
    png = svg_to_bytes(svg_string=svg.replace('"sans-serif"', f'"{FONTS}"', 1), background="#ffffff")
    return np.array(Image.open(BytesIO(png)).convert("RGB"))
