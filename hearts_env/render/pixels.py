"""A picture of a table as pixels: the SVG picture, rasterised by resvg."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_env.compiled.game import Game
from hearts_env.play.view import View
from hearts_env.render.svg import render_record_svg, render_view_svg


def render_record_pixels(game: Game, record: Any) -> NDArray[np.uint8]:
    """The whole table with every hand, from compiled rules and a `STATE` record.

    Labels need a font of the system, any that has letters and suits.

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


def _rasterised(svg: str) -> NDArray[np.uint8]:
    try:
        from PIL import Image
        from resvg_py import svg_to_bytes
    except ModuleNotFoundError as missing:
        message = f"pictures as pixels need {missing.name}; pip install 'hearts-env[render]' brings it"
        raise ModuleNotFoundError(message, name=missing.name) from None
    png = svg_to_bytes(svg_string=svg, background="#ffffff")
    return np.array(Image.open(BytesIO(png)).convert("RGB"))
