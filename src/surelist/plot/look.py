"""What all pictures share: colours, sizes, and where to draw.

Colours are those of Okabe and Ito, which are safe for colour-blind readers, in an order in which
neighbours also differ in grey. Nothing is shown by colour alone. Text, edges and background are
those of the current matplotlib style, light or dark. Settings change only inside `style`.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from surelist._common.messages import shown
from surelist.errors import InputError, SurelistError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "axes_for",
    "background",
    "blend",
    "color",
    "figure_height",
    "figure_of",
    "figure_width",
    "is_dark",
    "log_decimals",
    "marker",
    "new_figure",
    "ordered_colors",
    "picture_bytes",
    "set_height",
    "settings",
    "style",
    "text_color_on",
    "tidy",
]

# Okabe and Ito, without black, which is for text; yellow is darkened on white.
_ON_LIGHT = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#A89A00", "#7F7F7F")
_ON_DARK = ("#56B4E9", "#E69F00", "#1FBF92", "#DE9CC2", "#F0E442", "#F0732B", "#3F9AD6", "#AFAFAF")

_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "h")

_THEMES: dict[str, dict[str, Any]] = {
    "light": {"background": "white", "text": "#1a1a1a", "edge": "#555555", "grid": "#dddddd"},
    "dark": {"background": "#16181d", "text": "#e8e8e8", "edge": "#a0a4ab", "grid": "#3a3e46"},
}

# Width and height in inches, font size in points, line width in points.
_SIZES = {
    "column": (3.4, 2.5, 7.5, 1.2),
    "page": (7.0, 4.2, 9.5, 1.5),
    "slide": (11.0, 6.2, 16.0, 2.5),
}


@contextmanager
def style(theme: str | None = "light", size: str | None = "page") -> Iterator[None]:
    """Draw in one theme and size; earlier settings are restored when the block ends.

    Parameters
    ----------
    theme : {"light", "dark"} or None, default="light"
        None keeps the colours of the current matplotlib style.
    size : {"column", "page", "slide"} or None, default="page"
        For a column of a paper (3.4 inches wide, small letters), a page (7 inches) or a slide
        (11 inches, large letters). None keeps the current sizes.

    Examples
    --------
    >>> import matplotlib as mpl
    >>> from surelist.plot import style
    >>> before = mpl.rcParams["font.size"]
    >>> with style("dark", "slide"):
    ...     print(mpl.rcParams["font.size"])
    16.0
    >>> bool(mpl.rcParams["font.size"] == before)
    True
    """
    changed: dict[str, Any] = {}
    if theme is not None:
        changed |= _theme_settings(_one_of("theme", theme, _THEMES))
    if size is not None:
        changed |= _size_settings(_one_of("size", size, _SIZES))
    mpl = _matplotlib()
    # Initialised inside the block, a notebook's display of pictures would be undone at its end.
    import_module("matplotlib.pyplot").draw_if_interactive()
    with mpl.rc_context(changed):
        yield


def _one_of(name: str, value: Any, known: dict[str, Any]) -> Any:
    if not isinstance(value, str) or value not in known:
        raise InputError(f"{name} must be None or one of {', '.join(known)}; got {shown(value)}")
    return known[value]


def _theme_settings(theme: dict[str, Any]) -> dict[str, Any]:
    texts = ("text.color", "axes.labelcolor", "axes.titlecolor", "xtick.labelcolor")
    edges = ("axes.edgecolor", "xtick.color", "ytick.color", "legend.edgecolor")
    return {
        **dict.fromkeys(("figure.facecolor", "axes.facecolor"), theme["background"]),
        "savefig.facecolor": "auto",
        **dict.fromkeys((*texts, "ytick.labelcolor"), theme["text"]),
        **dict.fromkeys(edges, theme["edge"]),
        "grid.color": theme["grid"],
        "axes.titlelocation": "left",
        "legend.frameon": False,
    }


def _size_settings(size: tuple[float, float, float, float]) -> dict[str, Any]:
    width, height, letters, line = size
    smaller = ("xtick.labelsize", "ytick.labelsize", "legend.fontsize")
    return {
        "figure.figsize": (width, height),
        "font.size": letters,
        **dict.fromkeys(("axes.titlesize", "axes.labelsize", "figure.titlesize"), letters),
        **dict.fromkeys(smaller, 0.9 * letters),
        "lines.linewidth": line,
        "lines.markersize": 3 * line + 1,
        "axes.linewidth": 0.5 * line,
        "grid.linewidth": 0.4 * line,
        "hatch.linewidth": 0.4 * line,
    }


def _matplotlib() -> Any:
    try:
        import matplotlib as mpl
    except ImportError:
        raise SurelistError(
            "plots need matplotlib; install it with: pip install 'surelist[plot]'"
        ) from None
    return mpl


def settings() -> dict[str, Any]:
    """Return matplotlib's current settings.

    Raises
    ------
    SurelistError
        Where matplotlib is not installed.
    """
    found: dict[str, Any] = _matplotlib().rcParams
    return found


def new_figure(height: float | None = None) -> Figure:
    """Make a figure of the current style's width and, unless a height is given, its height."""
    width, usual = settings()["figure.figsize"]
    import matplotlib.pyplot as plt

    return plt.figure(figsize=(width, usual if height is None else height), layout="constrained")


def axes_for(ax: Any, rows: int = 1, columns: int = 1, height: float | None = None) -> list[Axes]:
    """Return the Axes to draw on: those that were given, or those of a new figure.

    Raises
    ------
    InputError
        Where what was given is not as many Axes as there are panels.
    """
    settings()  # whether there is a matplotlib
    from matplotlib.axes import Axes

    panels = rows * columns
    if ax is None:
        grid = new_figure(height).subplots(rows, columns, sharex=columns == 1, squeeze=False)
        return [panel for line in grid for panel in line]
    given = [ax] if isinstance(ax, Axes) else list(ax) if isinstance(ax, Sequence) else _flat(ax)
    if len(given) != panels or not all(isinstance(each, Axes) for each in given):
        number = {1: "one", 2: "two", 3: "three", 4: "four"}.get(panels, str(panels))
        raise InputError(
            f"ax must be None or {number} Axes of matplotlib, one for each panel; got {shown(ax)}"
        )
    return given


def _flat(ax: Any) -> list[Any]:
    return ax.ravel().tolist() if isinstance(ax, np.ndarray) else [ax]


def figure_of(ax: Axes) -> Figure:
    """Return the figure that Axes are part of."""
    figure = ax.get_figure(root=True)
    if figure is None:
        raise InputError("ax was removed from its figure; pass Axes that belong to a figure")
    return figure


def picture_bytes(axes: Any, form: str, *, dpi: int) -> bytes:
    """Return the figure that Axes, or an array of them, are part of as a file, and close it.

    ``form`` is "png", "pdf" or "svg". Equal figures give equal files: dates are left out.
    """
    import matplotlib.pyplot as plt

    figure = figure_of(np.ravel(np.asarray(axes, dtype=object))[0])
    data = io.BytesIO()
    metadata = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}.get(form)
    figure.savefig(data, format=form, dpi=dpi, metadata=metadata)
    plt.close(figure)
    return data.getvalue()


def figure_width(ax: Axes) -> float:
    """Return the width in points of the part of the figure that is reserved for the Axes."""
    spec = ax.get_subplotspec()
    columns = 1 if spec is None else spec.get_gridspec().ncols
    return 72 * float(figure_of(ax).get_figwidth()) / columns


def figure_height(ax: Axes) -> float:
    """Return the height of the figure in inches."""
    return float(figure_of(ax).get_figheight())


def set_height(ax: Axes, height: float) -> None:
    """Set the height, in points, of a figure that we made."""
    figure_of(ax).set_figheight(height / 72)


def log_decimals(ax: Axes) -> None:
    """Make the x axis logarithmic, with the numbers 1, 2, 5, 10 and so on."""
    from matplotlib.ticker import LogLocator, NullFormatter

    ax.set_xscale("log")
    ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    ax.xaxis.set_minor_formatter(NullFormatter())


def _luminance(value: Any) -> float:
    """Return the relative luminance of a colour, from 0 to 1, as WCAG defines it."""
    from matplotlib.colors import to_rgb

    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(value)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def background(ax: Axes) -> Any:
    """Return the colour that is seen behind what is drawn; white where there is none."""
    from matplotlib.colors import to_rgba

    for face in (ax.get_facecolor(), figure_of(ax).get_facecolor()):
        if to_rgba(face)[3] > 0.5:
            return face
    return "white"


def is_dark(ax: Axes) -> bool:
    """Return whether the Axes have a dark background."""
    return _luminance(background(ax)) < 0.2


def color(ax: Axes, index: int) -> str:
    """Return one of the colours that suit the background, cyclically."""
    colors = _ON_DARK if is_dark(ax) else _ON_LIGHT
    return colors[index % len(colors)]


def marker(index: int) -> str:
    """Return one of the markers, cyclically."""
    return _MARKERS[index % len(_MARKERS)]


def ordered_colors(ax: Axes, count: int) -> list[Any]:
    """Return colours from faint to strong for ordered values; the order also shows in grey."""
    import matplotlib as mpl

    # Leave out the end of the map that would vanish in the background.
    start, stop = (0.25, 1.0) if is_dark(ax) else (0.85, 0.0)
    return [mpl.colormaps["viridis"](at) for at in np.linspace(start, stop, max(count, 2))][:count]


def blend(first: Any, second: Any, share: float) -> tuple[float, ...]:
    """Mix two colours without transparency, which some printers and formats lack."""
    from matplotlib.colors import to_rgb

    mixed = (1 - share) * np.array(to_rgb(first)) + share * np.array(to_rgb(second))
    return tuple(map(float, mixed))


def text_color_on(fill: Any) -> str:
    """Return black or white, whichever is easier to read on a colour."""
    return "black" if _luminance(fill) > 0.179 else "white"


def tidy(ax: Axes, *, grid: Literal["x", "y", "both"] | None = None) -> None:
    """Remove the frame, and fix colours and sizes as they are now.

    Matplotlib makes ticks only when it draws. By then `style` is over, so they are told here what
    the settings were.
    """
    current = settings()
    ax.spines[["top", "right"]].set_visible(False)
    axis: Literal["x", "y"]
    for axis in ("x", "y"):
        ticks, labels = current[f"{axis}tick.color"], current[f"{axis}tick.labelcolor"]
        label = ticks if labels == "inherit" else labels
        ax.tick_params(axis=axis, which="both", color=ticks, labelcolor=label)
        ax.tick_params(axis=axis, labelsize=current[f"{axis}tick.labelsize"])
    if grid is not None:
        line = {"color": current["grid.color"], "linewidth": current["grid.linewidth"]}
        ax.grid(True, axis=grid, **line)
        ax.set_axisbelow(True)
