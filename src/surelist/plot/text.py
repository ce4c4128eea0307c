"""Text in pictures: measured before it is drawn, so that it wraps instead of overlapping.

Names come from users. They may be long, contain dollar signs, which matplotlib would read as
mathematics, or begin with an underscore, which it would omit from a legend.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from surelist.plot import look

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.font_manager import FontProperties

__all__ = [
    "font",
    "height_of",
    "keep_fitting",
    "label_ticks",
    "legend",
    "legend_above",
    "points",
    "share",
    "text_width",
    "whole",
    "width_of",
    "wrap",
]


def points(size: Any = None) -> float:
    """Return a font size in points: of a name such as "small", or that of the current style."""
    usual = look.settings()["font.size"]
    from matplotlib.font_manager import FontProperties

    return float(FontProperties(size=usual if size is None else size).get_size())


def font(size: float, *, bold: bool = False) -> FontProperties:
    """Return the current font in a size."""
    from matplotlib.font_manager import FontProperties

    return FontProperties(size=size, weight="bold" if bold else "normal")


def text_width(text: str, properties: FontProperties) -> float:
    """Return the width of one line in points."""
    import warnings

    from matplotlib.textpath import text_to_path

    with warnings.catch_warnings():
        # A missing glyph gives a warning when it is drawn; one is enough.
        warnings.simplefilter("ignore", UserWarning)
        width, _, _ = text_to_path.get_text_width_height_descent(text, properties, ismath=False)
    return float(width)


def wrap(text: str, width: float, properties: FontProperties) -> list[str]:
    """Break a text into lines of at most a width in points.

    Lines break between words; a word that is wider than a line breaks anywhere.
    """
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if text_width(longer, properties) <= width:
            line = longer
            continue
        if line:
            lines.append(line)
        *full, line = _pieces(word, width, properties)
        lines += full
    return [*lines, line] if line or not lines else lines


def _pieces(word: str, width: float, properties: FontProperties) -> list[str]:
    """Break one word into pieces of at least one character, however narrow the line."""
    pieces: list[str] = []
    while text_width(word, properties) > width and len(word) > 1:
        # Bisect for the longest piece that fits: a name may have thousands of characters.
        fits, too_long = 1, len(word)
        while too_long - fits > 1:
            middle = (fits + too_long) // 2
            if text_width(word[:middle], properties) <= width:
                fits = middle
            else:
                too_long = middle
        pieces.append(word[:fits])
        word = word[fits:]
    return [*pieces, word]


def share(value: float) -> str:
    """Return a percentage with enough digits to distinguish it from 0 % and 100 %.

    Examples
    --------
    >>> from surelist.plot.text import share
    >>> [share(value) for value in (0, 0.0004, 0.123, 0.9999, 1)]
    ['0%', '0.04%', '12.3%', '99.99%', '100%']
    """
    if value in (0, 1):
        return f"{value:.0%}"
    if math.isnan(value):
        return "—"
    distance = min(value, 1 - value)
    digits = 1 if distance >= 0.001 else min(6, math.ceil(-math.log10(distance) - 1e-6) - 2)
    return f"{value:.{digits}%}"


def whole(count: float) -> str:
    """Return a number, which may be large, as a short text.

    Examples
    --------
    >>> from surelist.plot.text import whole
    >>> [whole(count) for count in (958, 61_000, 2_345_678)]
    ['958', '61,000', '2.35 M']
    """
    for limit, unit in ((1e12, "T"), (1e9, "G"), (1e6, "M")):
        if count >= limit:
            return f"{count / limit:.3g} {unit}"
    return f"{count:,.0f}"


def legend(ax: Axes, handles: Sequence[Any], labels: Iterable[str], **options: Any) -> Any:
    """Draw a legend with literal labels."""
    texts = list(labels)
    made = ax.legend(handles, [str(index) for index in range(len(texts))], **options)
    for text, label in zip(made.get_texts(), texts, strict=True):
        text.set_parse_math(False)
        text.set_text(label)
    return made


def label_ticks(ax: Axes, axis: str, places: Sequence[float], labels: Sequence[str]) -> None:
    """Put literal labels at positions of an axis."""
    which = ax.xaxis if axis == "x" else ax.yaxis
    which.set_ticks(list(places), list(labels))
    for tick in which.get_major_ticks():
        tick.label1.set_parse_math(False)


def legend_above(
    ax: Axes, handles: Sequence[Any], labels: Iterable[str], *, grow: bool = False, panels: int = 1
) -> Any:
    """Draw a legend above the Axes, where it covers nothing, in as many columns as fit.

    A figure of our own may grow by the lines it takes, so that the picture stays as high. Of
    several panels beside each other, it begins above the first.
    """
    size = points(look.settings()["legend.fontsize"])
    room = panels * width_of(ax)
    texts = ["\n".join(wrap(label, 0.85 * room - 4 * size, font(size))) for label in labels]
    widest = max(text_width(line, font(size)) for text in texts for line in text.split("\n"))
    columns = max(1, min(len(texts), int(room / (widest + 4.5 * size))))
    if grow:
        lines = math.ceil(len(texts) / columns) * max(text.count("\n") + 1 for text in texts)
        look.set_height(ax, 72 * look.figure_height(ax) + 1.6 * size * max(0, lines - 1))
    # Matplotlib fills a legend by columns, but people read it by rows.
    order = [place for column in range(columns) for place in range(column, len(texts), columns)]
    place = {"loc": "lower left", "bbox_to_anchor": (0, 1), "borderaxespad": 0.3}
    handles, texts = [handles[at] for at in order], [texts[at] for at in order]
    return legend(ax, handles, texts, ncols=columns, frameon=False, columnspacing=1.5, **place)


def keep_fitting(ax: Axes) -> None:
    """Let the texts of the Axes shrink with them.

    A figure's layout may make Axes narrower after they were drawn on, for the labels of others.
    Places scale with them, letters do not; so they are scaled just before they are drawn.
    """
    from matplotlib.artist import Artist

    width, height = _extent(ax)
    sizes = [(text, float(text.get_fontsize())) for text in ax.texts]

    class Scale(Artist):
        def draw(self, _: Any) -> None:
            box, dots = ax.get_window_extent(), look.figure_of(ax).dpi / 72
            scale = min(1, box.width / dots / width, box.height / dots / height)
            for text, size in sizes:
                text.set_fontsize(scale * size)

    first = Scale()
    first.set_zorder(-1)
    ax.add_artist(first)


def width_of(ax: Axes) -> float:
    """Return the width of the Axes in points, after the figure's layout so far."""
    return _extent(ax)[0]


def height_of(ax: Axes) -> float:
    """Return the height of the Axes in points, after the figure's layout so far."""
    return _extent(ax)[1]


def _extent(ax: Axes) -> tuple[float, float]:
    figure = look.figure_of(ax)
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)
    box = ax.get_window_extent()
    return float(box.width) * 72 / figure.dpi, float(box.height) * 72 / figure.dpi
