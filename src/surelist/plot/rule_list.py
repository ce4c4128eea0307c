"""A rule list as a picture for people who read no code: a stream of rows with branches.

All rows enter at the top. At each rule, the rows that it captures branch off to the right; the
others flow down to the next rule, and the default gets the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from surelist._common.messages import shown
from surelist._common.rounding import rounded_up
from surelist.errors import InputError
from surelist.plot import look
from surelist.plot.rule_rows import Layout, Row, arrange
from surelist.plot.sources import find_rule_list
from surelist.plot.text import height_of, keep_fitting, points, share, width_of
from surelist.rule_list.rule_list import RuleList
from surelist.tables.regularization import text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_rule_list"]

_SMALLEST = 4.0  # points; smaller print is unreadable


def plot_rule_list(
    source: Any, ax: Axes | None = None, *, title: str = "", counts: bool = True
) -> Axes:
    """Draw a rule list for a slide or a report.

    The rules are drawn from top to bottom, with their predictions. On the left is the stream of
    rows that no rule has captured so far; its width is their share. On the right is what the rule
    captured in training: its share of all rows (the bar), and how much of that has the predicted
    label (filled; the rest is hatched).

    Parameters
    ----------
    source : fitted RuleListClassifier or RuleList
        For a model, the picture says whether the list is proven optimal.
    ax : matplotlib Axes, optional
        Where to draw; the font shrinks until all fits. None makes a new figure, with the width of
        the current style and the height that the list needs.
    title : str, optional
        Written above the list.
    counts : bool, default=True
        Whether to write counts beside percentages; weights, if rows have weights.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InputError
        If ``ax`` is too small for readable text.

    Examples
    --------
    >>> from surelist import RuleListClassifier
    >>> from surelist.plot import plot_rule_list
    >>> model = RuleListClassifier().fit([[0], [1]] * 5, ["no", "yes"] * 5)
    >>> texts = [text.get_text() for text in plot_rule_list(model).texts]
    >>> texts[texts.index("If x0") + 1]
    'predict yes'
    """
    rule_list = find_rule_list(source)
    if not isinstance(title, str):
        raise InputError(f"title must be text; got {shown(title)}")
    foot = _summary(rule_list, source)
    if ax is None:
        panel, layout = _new_axes(rule_list, title, foot, counts)
    else:
        (panel,) = look.axes_for(ax)
        layout = _fit(panel, rule_list, title, foot, counts)
    _draw(panel, layout, rule_list)
    return panel


def _summary(rule_list: RuleList, source: Any) -> str:
    total = rule_list.total_weight
    correct = f"{share(rule_list.accuracy)} of all {total:,} correct in training"
    status = getattr(source, "status_", None)
    price = f"λ = {text(rule_list.regularization)}"
    if status == "optimal":
        return f"{correct}; proven optimal for {price}"
    if isinstance(status, str):
        return f"{correct}; not proven optimal for {price}: gap {rounded_up(source.gap_, '.3g')}"
    return f"{correct}; {price}"


def _new_axes(rule_list: RuleList, title: str, foot: str, counts: bool) -> tuple[Axes, Layout]:
    """Make a figure of exactly the height that the list needs."""
    size = points()
    margin = 0.8 * size / 72
    figure = look.new_figure()
    figure.set_layout_engine("none")
    width = figure.get_figwidth()
    layout = arrange(rule_list, 72 * (width - 2 * margin), size, title, foot, counts=counts)
    height = layout.height / 72 + 2 * margin
    figure.set_figheight(height)
    place = (margin / width, margin / height, 1 - 2 * margin / width, 1 - 2 * margin / height)
    return figure.add_axes(place), layout


def _fit(ax: Axes, rule_list: RuleList, title: str, foot: str, counts: bool) -> Layout:
    """Shrink the font until the list fits the Axes."""
    width, height = width_of(ax), height_of(ax)
    size = points()
    while True:
        layout = arrange(rule_list, width, size, title, foot, counts=counts)
        if layout.height <= height and layout.bar - layout.card > 6 * size:
            return Layout(**(vars(layout) | {"height": height}))
        if size <= _SMALLEST:
            raise InputError(
                f"the Axes, {width / 72:.1f} by {height / 72:.1f} inches, are too small for this "
                f"rule list, which needs a height of {layout.height / 72:.1f} inches even with "
                f"a font of {_SMALLEST:g} points; make the figure larger"
            )
        size = max(_SMALLEST, 0.93 * size)


def _draw(ax: Axes, layout: Layout, rule_list: RuleList) -> None:
    ax.set_xlim(0, layout.width)
    ax.set_ylim(layout.height, 0)
    ax.set_axis_off()
    pen = _Pen(ax, layout)
    pen.head_and_foot()
    pen.stream()
    for row in layout.rows:
        color = look.color(ax, rule_list.classes.index(row.rule.label))
        pen.branch(row, color)
        pen.card(row, color)
        pen.bar(row, color)
    keep_fitting(ax)


class _Pen:
    """Draws the parts of one picture."""

    def __init__(self, ax: Axes, layout: Layout) -> None:
        self._ax = ax
        self._layout = layout
        self._ground = look.background(ax)
        self._ink = look.settings()["text.color"]
        self._muted = look.blend(self._ground, self._ink, 0.72)
        self._water = look.blend(self._ground, self._ink, 0.22)

    def _text(self, x: float, y: float, content: str, size: float, **options: Any) -> None:
        options = {"color": self._ink, "va": "center", "parse_math": False} | options
        self._ax.text(x, y, content, fontsize=size, **options)

    def _lines(self, x: float, top: float, lines: tuple[str, ...], **options: Any) -> float:
        """Write lines below each other; return where the next one would begin."""
        step: float = options.pop("step", self._layout.line)
        size: float = options.pop("size", self._layout.size)
        for index, line in enumerate(lines):
            self._text(x, top + (index + 0.5) * step, line, size, **options)
        return top + len(lines) * step

    def head_and_foot(self) -> None:
        at = self._layout
        below = self._lines(
            0, 0, at.head, step=1.15 * at.line, size=1.15 * at.size, fontweight="bold"
        )
        small = {"color": self._muted, "va": "center"}
        y = below + 0.7 * at.size
        self._text(at.card, y, "the first that holds decides", 0.85 * at.size, **small)
        self._text(at.bar, y, "captured", 0.85 * at.size, **small)
        top = at.rows[-1].top + at.rows[-1].height + 0.8 * at.size
        self._lines(0, top, at.foot, step=0.9 * at.line, size=0.85 * at.size, color=self._muted)

    def stream(self) -> None:
        """Draw the stream of rows that no rule has captured, with its shares."""
        at = self._layout
        y = at.rows[0].top - 1.4 * at.size
        for row, following in zip(at.rows, (*at.rows[1:], None), strict=True):
            thick = row.share * at.stream_width
            turn = row.middle - thick / 2 - at.bend
            self._band(y, turn, row.before)
            self._text(
                at.stream - 0.45 * at.size,
                (y + at.rows[0].top) / 2 if row is at.rows[0] else row.top - 0.45 * at.size,
                share(row.before) if row.before > 1e-12 else "0%",
                0.85 * at.size,
                ha="right",
                color=self._muted,
            )
            y = turn
            if following is None:
                return

    def _band(self, top: float, bottom: float, part: float) -> None:
        from matplotlib.patches import Rectangle

        at = self._layout
        # A minimum width keeps few rows visible.
        width = max(part * at.stream_width, 0.6 if part > 1e-12 else 0.0)
        band = Rectangle((at.stream, top), width, bottom - top, color=self._water, lw=0)
        self._ax.add_patch(band)

    def branch(self, row: Row, color: str) -> None:
        """Draw the branch of a rule: a bend to the right, and an arrow."""
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        at = self._layout
        if not row.rule.captured:
            return
        thick = max(row.share * at.stream_width, 0.6)
        right = at.stream + row.before * at.stream_width
        left, turn = right - thick, row.middle - thick / 2 - at.bend
        inner, outer = 0.5523 * at.bend, 0.5523 * (at.bend + thick)
        center = right + at.bend
        upper, lower = row.middle - thick / 2, row.middle + thick / 2
        tip, base = at.card - 0.15 * at.size, at.card - 0.75 * at.size
        wing = 0.3 * at.size
        outline: list[tuple[tuple[float, float], Any]] = [
            ((right, turn), Path.MOVETO),
            ((right, turn + inner), Path.CURVE4),
            ((center - inner, upper), Path.CURVE4),
            ((center, upper), Path.CURVE4),
            ((base, upper), Path.LINETO),
            ((base, upper - wing), Path.LINETO),
            ((tip, row.middle), Path.LINETO),
            ((base, lower + wing), Path.LINETO),
            ((base, lower), Path.LINETO),
            ((center, lower), Path.LINETO),
            ((center - outer, lower), Path.CURVE4),
            ((left, turn + outer), Path.CURVE4),
            ((left, turn), Path.CURVE4),
            ((right, turn), Path.CLOSEPOLY),
        ]
        path = Path([point for point, _ in outline], [code for _, code in outline])
        fill = look.blend(self._ground, color, 0.55)
        self._ax.add_patch(PathPatch(path, facecolor=fill, linewidth=0))

    def card(self, row: Row, color: str) -> None:
        from matplotlib.patches import Rectangle

        at = self._layout
        width = at.bar - at.card - 0.9 * at.size
        fill = look.blend(self._ground, color, 0.12)
        self._ax.add_patch(Rectangle((at.card, row.top), width, row.height, fc=fill, lw=0))
        strip = 0.35 * at.size
        self._ax.add_patch(Rectangle((at.card, row.top), strip, row.height, fc=color, lw=0))
        text = (len(row.condition) + len(row.prediction)) * at.line
        top = row.middle - text / 2
        x = at.card + strip + 0.5 * at.size
        top = self._lines(x, top, row.condition)
        self._lines(x, top, row.prediction, fontweight="bold")

    def bar(self, row: Row, color: str) -> None:
        """Draw the captured share of all rows: filled where the label is right, else hatched."""
        from matplotlib.patches import Rectangle

        at = self._layout
        full = at.width - at.bar
        step = 0.92 * at.line
        top = row.middle - (1.25 * at.bar_height + step * len(row.captured)) / 2
        right = row.share * row.rule.accuracy * full if row.rule.captured else 0.0

        def box(x: float, width: float, **options: Any) -> None:
            self._ax.add_patch(Rectangle((x, top), width, at.bar_height, **options))

        box(at.bar, full, fc=look.blend(self._ground, self._ink, 0.08), lw=0)
        wrong = row.share * full - right
        faint = look.blend(self._ground, color, 0.25)
        box(at.bar + right, wrong, fc=faint, ec=color, hatch="//////", lw=0)
        box(at.bar, right, fc=color, lw=0)
        self._lines(at.bar, top + 1.25 * at.bar_height, row.captured, step=step, size=0.9 * at.size)
