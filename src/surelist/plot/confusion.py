"""What each rule captured, by class: where a rule list is right, and where it is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from surelist._common.messages import shown
from surelist.errors import InputError
from surelist.plot import look
from surelist.plot.sources import find_rule_list, read_column
from surelist.plot.text import (
    font,
    height_of,
    keep_fitting,
    label_ticks,
    points,
    share,
    text_width,
    whole,
    width_of,
    wrap,
)
from surelist.rule_list.rule_list import RuleList

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_confusion_by_rule"]

_SMALLEST = 4.0  # points


def plot_confusion_by_rule(
    source: Any, X: Any = None, y: Any = None, ax: Axes | None = None
) -> Axes:
    """Draw the classes of the rows that each rule captures.

    Rows of the matrix are the rules from top to bottom, columns the true classes. The cell of the
    class that the rule predicts has a frame; rows in the other cells are misclassified. Cells are
    shaded by their share of what the rule captures.

    Parameters
    ----------
    source : fitted RuleListClassifier or RuleList
    X, y : array-likes, optional
        Rows, as the source's ``explain`` takes them, and their labels, for example test data.
        Without them the matrix shows the training data, by weight.
    ax : matplotlib Axes, optional
        Where to draw; None makes a new figure.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InputError
        Where only one of X and y is given, or a label is none of the classes.

    Examples
    --------
    >>> from surelist import RuleListClassifier
    >>> from surelist.plot import plot_confusion_by_rule
    >>> model = RuleListClassifier().fit([[0], [1]] * 5, ["no", "yes"] * 5)
    >>> [label.get_text() for label in plot_confusion_by_rule(model).get_xticklabels()]
    ['no', 'yes']
    """
    rule_list = find_rule_list(source)
    if (X is None) != (y is None):
        raise InputError("pass both X and y, or neither to use the training data")
    rules = (*rule_list.rules, rule_list.default)
    if X is None:
        table = np.array([rule.weights for rule in rules], dtype=np.float64)
    else:
        table = _count(source, rule_list, X, y)
    (panel,) = look.axes_for(ax)
    look.tidy(panel)
    lines = _name_rules(panel, rule_list, grow=ax is None)
    _name_classes(panel, rule_list, grow=ax is None)
    _draw_cells(panel, table, rule_list, lines)
    panel.set_xlabel("true class")
    keep_fitting(panel)
    return panel


def _count(source: Any, rule_list: RuleList, X: Any, y: Any) -> NDArray[np.float64]:
    captured_by = np.array([explanation.rule for explanation in source.explain(X)], dtype=np.intp)
    known = {label: code for code, label in enumerate(rule_list.classes)}
    labels = read_column("y", y, len(captured_by))
    for row, label in enumerate(labels):
        if label not in known:
            raise InputError(
                f"y has the label {shown(label)} in row {row}; "
                f"the model's classes are {shown(list(known))}"
            )
    codes = np.array([known[label] for label in labels], dtype=np.intp)
    table = np.zeros((len(rule_list) + 1, len(rule_list.classes)))
    np.add.at(table, (captured_by, codes), 1)
    return table


def _name_rules(ax: Axes, rule_list: RuleList, *, grow: bool) -> NDArray[np.float64]:
    """Write the rules on the left; return the edges of their rows, which are as high as the texts.

    A figure that we made grows with them; on other Axes, the font shrinks until all fits.
    """
    size = points(look.settings()["ytick.labelsize"])
    while True:
        texts = _rule_texts(rule_list, 0.42 * look.figure_width(ax), size)
        heights = np.array([max(3.1, 1.25 * len(text) + 0.8) for text in texts]) * size
        edges = np.concatenate([[0.0], heights.cumsum()])
        if grow:
            look.set_height(ax, edges[-1] + 6 * size)
            break
        if edges[-1] <= 0.85 * height_of(ax):
            break
        if size <= _SMALLEST:
            raise InputError(
                f"the Axes are too low for {len(texts)} rules; make the figure "
                f"{edges[-1] / 72 / 0.85:.1f} inches high at least"
            )
        size = max(_SMALLEST, 0.93 * size)
    ax.set_ylim(edges[-1], 0)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    ax.tick_params(axis="y", labelsize=size)
    label_ticks(ax, "y", list((edges[:-1] + edges[1:]) / 2), ["\n".join(text) for text in texts])
    return edges


def _rule_texts(rule_list: RuleList, room: float, size: float) -> list[list[str]]:
    rules = [f"if {rule.antecedent}" for rule in rule_list.rules]
    texts = enumerate([*rules, "otherwise"], start=1)
    return [wrap(f"{index}  {text}", room, font(size)) for index, text in texts]


def _name_classes(ax: Axes, rule_list: RuleList, *, grow: bool) -> None:
    """Write the classes below their columns: wrapped, or rotated if words do not fit."""
    size = points(look.settings()["xtick.labelsize"])
    count = len(rule_list.classes)
    ax.set_xlim(-0.5, count - 0.5)
    label_ticks(ax, "x", range(count), [""] * count)
    room = width_of(ax) / count - 0.6 * size
    names = list(map(str, rule_list.classes))
    fits = all(text_width(word, font(size)) <= room for name in names for word in name.split())
    texts = [wrap(name, room if fits else 11 * size, font(size)) for name in names]
    label_ticks(ax, "x", range(count), ["\n".join(text) for text in texts])
    below = 1.25 * size * max(map(len, texts))
    if not fits:
        ax.tick_params(axis="x", labelrotation=90)
        below = max(text_width(line, font(size)) for text in texts for line in text)
    if grow:
        look.set_height(ax, 72 * look.figure_height(ax) + below - 1.25 * size)


def _draw_cells(
    ax: Axes, table: NDArray[np.float64], rule_list: RuleList, edges: NDArray[np.float64]
) -> None:
    from matplotlib.patches import Rectangle

    sums = table.sum(axis=1, keepdims=True)
    shares = np.divide(table, sums, out=np.zeros_like(table), where=sums > 0)
    strong, ground = look.color(ax, 0), look.background(ax)
    size, two_lines = _cell_font(ax, table, edges)
    gap = 0.006 * edges[-1]
    for (row, column), part in np.ndenumerate(shares):
        fill = look.blend(ground, strong, 0.04 + 0.96 * part)
        top, high = edges[row] + gap, edges[row + 1] - edges[row] - 2 * gap
        cell = Rectangle((column - 0.48, top), 0.96, high, facecolor=fill, linewidth=0)
        ax.add_patch(cell)
        predicted = column == rule_list.label_codes[row]
        if predicted:
            frame = Rectangle((column - 0.48, top), 0.96, high, fill=False, zorder=2)
            frame.set(edgecolor=ax.xaxis.label.get_color(), linewidth=0.14 * points())
            ax.add_patch(frame)
        if size >= _SMALLEST:
            below = f"\n{share(part)}" if two_lines and sums[row] else ""
            number = ax.text(column, top + high / 2, whole(float(table[row, column])) + below)
            number.set(ha="center", va="center", fontsize=size, color=look.text_color_on(fill))
            number.set_fontweight("bold" if predicted else "normal")


def _cell_font(
    ax: Axes, table: NDArray[np.float64], edges: NDArray[np.float64]
) -> tuple[float, bool]:
    """Return the font size that fits the cells, and whether two lines fit."""
    size = points()
    width = 0.9 * width_of(ax) / table.shape[1]
    height = 0.85 * height_of(ax) * float(np.diff(edges).min() / edges[-1])
    widest = max(text_width(whole(value), font(size, bold=True)) for value in table.ravel())
    two_lines = height >= 2 * size and width >= text_width("100.0%", font(size, bold=True))
    return size * min(1, width / widest, height / (2.4 if two_lines else 1.2) / size), two_lines
