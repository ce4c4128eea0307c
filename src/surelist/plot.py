"""Pictures of a search and of a rule list, by matplotlib, which is loaded only to draw them.

Colours are told apart by people who are blind to some, and survive a grey printer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from surelist.errors import InputError, SurelistError

if TYPE_CHECKING:
    from surelist.rule_list import RuleList
    from surelist.trace import Trace

__all__ = ["plot_prunes", "plot_queue", "plot_rule_list", "plot_trace"]

_OBJECTIVE = "#0072b2"
_BOUND = "#d55e00"
_REST = "#8a8a8a"
_LABELS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#8a8a8a")


def plot_trace(model: Any, axes: Any = None) -> Any:
    """Draw objective and lower bound over time, and below them what remains to be searched.

    Improvements carry the length of the new best rule list; a star marks a certified optimum.

    Parameters
    ----------
    model : fitted RuleListClassifier or Trace
        Of a search with ``trace_interval``.
    axes : pair of Axes, optional
        Where to draw.

    Returns
    -------
    ndarray of two Axes

    Examples
    --------
    >>> from surelist import RuleListClassifier
    >>> from surelist.plot import plot_trace
    >>> model = RuleListClassifier(trace_interval=0.1).fit([[0, 1], [1, 0]] * 5, [0, 1] * 5)
    >>> above, below = plot_trace(model)
    >>> above.get_ylabel(), below.get_xlabel()
    ('objective', 'seconds')
    """
    trace = _trace(model)
    pair = np.asarray(_subplots(2) if axes is None else axes, dtype=object)
    if pair.shape != (2,):
        raise InputError("axes must be two Axes: one for the objective, one for what remains")
    above, below = pair
    time = _times(trace)
    above.step(time, trace.objective, where="post", color=_OBJECTIVE, label="objective")
    above.step(time, trace.lower_bound, where="post", color=_BOUND, label="lower bound")
    improved = np.flatnonzero(trace.improved)
    above.plot(time[improved], trace.objective[improved], "o", color=_OBJECTIVE, markersize=4)
    for sample in improved:
        above.annotate(
            str(trace.length[sample]),
            (time[sample], trace.objective[sample]),
            textcoords="offset points",
            xytext=(0, 5),
            ha="center",
            fontsize=8,
        )
    if trace.objective[-1] == trace.lower_bound[-1]:
        above.plot(time[-1], trace.objective[-1], "*", color=_OBJECTIVE, markersize=13, zorder=3)
    above.set_ylabel("objective")
    above.set_ylim(bottom=0)
    above.legend(frameon=False, loc="lower right")
    remaining = np.where(np.isfinite(trace.remaining_fine), trace.remaining_fine, 0.0)
    below.step(time, remaining, where="post", color=_REST)
    below.set_ylabel("log10 of prefixes\nthat may remain")
    below.set_ylim(bottom=0)
    _time_axis(below, time)
    above.set_xscale(below.get_xscale())
    return pair


def plot_queue(model: Any, ax: Any = None) -> Any:
    """Draw how many prefixes of each length wait in the queue over time.

    Parameters
    ----------
    model : fitted RuleListClassifier or Trace
        Of a search with ``trace_interval``.
    ax : Axes, optional
        Where to draw.

    Returns
    -------
    Axes
    """
    trace = _trace(model)
    ax = _subplots(1) if ax is None else ax
    time = _times(trace)
    queue = trace.queue_logical
    lengths = np.flatnonzero(queue.any(axis=0))
    for position, length in enumerate(lengths):
        shade = 0.15 + 0.75 * position / max(1, len(lengths) - 1)
        waiting = np.where(queue[:, length] > 0, queue[:, length], np.nan)
        ax.plot(time, waiting, ".-", color=_shade(shade), label=f"length {length}")
    if len(lengths):
        ax.set_yscale("log")
        ax.legend(frameon=False, fontsize=8, ncols=2)
    ax.set_ylabel("prefixes in the queue")
    _time_axis(ax, time)
    return ax


def plot_prunes(model: Any, ax: Any = None) -> Any:
    """Draw how many prefixes each bound cut off, the most telling on top.

    Parameters
    ----------
    model : fitted RuleListClassifier or Trace
    ax : Axes, optional
        Where to draw.

    Returns
    -------
    Axes
    """
    trace = getattr(model, "trace_", model)
    ax = _subplots(1) if ax is None else ax
    counts = sorted((count, name) for name, count in trace.pruned.items() if count)
    names = [name.replace("_", " ") for _, name in counts]
    ax.barh(names, [count for count, _ in counts], color=_OBJECTIVE)
    if counts:
        ax.set_xscale("log")
    ax.set_xlabel("prefixes cut off")
    return ax


def plot_rule_list(rule_list: RuleList, ax: Any = None) -> Any:
    """Draw a rule list as a picture to be read: rules from top to bottom, what each one captures.

    The bar of a rule is as long as what reaches it; its coloured part is what the rule captures,
    the full colour what of that has the predicted label. The grey rest falls through to the next.

    Parameters
    ----------
    rule_list : RuleList
    ax : Axes, optional
        Where to draw.

    Returns
    -------
    Axes

    Examples
    --------
    >>> from surelist import RuleListClassifier
    >>> from surelist.plot import plot_rule_list
    >>> model = RuleListClassifier().fit([[0], [1]] * 5, ["no", "yes"] * 5)
    >>> [text.get_text() for text in plot_rule_list(model.rule_list_).texts][:2]
    ['if (x0) then predict yes', '5 captured (50.0%), 100.0% correct']
    """
    ax = _subplots(1, 0.9 + 0.72 * len(rule_list.all_rules)) if ax is None else ax
    total = rule_list.total_weight
    colours = {label: _LABELS[code % len(_LABELS)] for code, label in enumerate(rule_list.classes)}
    left = total
    for row, (rule, line) in enumerate(zip(rule_list.all_rules, rule_list.lines(), strict=True)):
        colour = colours[rule.label]
        ax.barh(row, left / total, height=0.36, color="0.9")
        ax.barh(row, rule.captured / total, height=0.36, color=colour, alpha=0.45)
        ax.barh(row, rule.correct / total, height=0.36, color=colour)
        ax.text(0, row - 0.24, line, ha="left", va="bottom", fontsize=9)
        share = f"{rule.accuracy:.1%} correct" if rule.captured else "none in training"
        said = f"{rule.captured:,} captured ({rule.captured / total:.1%}), {share}"
        ax.text(1, row + 0.22, said, ha="right", va="top", fontsize=7.5, color="0.35")
        left -= rule.captured
    ax.set_ylim(len(rule_list.all_rules) - 0.4, -0.75)
    ax.set_xlim(0, 1)
    ax.axis("off")
    return ax


def _trace(model: Any) -> Trace:
    trace: Trace = getattr(model, "trace_", model)
    if len(trace) == 0:
        raise InputError(
            "the search kept no samples; fit again with trace_interval (--trace-interval), "
            "such as 0.1"
        )
    return trace


def _times(trace: Trace) -> Any:
    """Return the times of the samples, none of them 0, which a logarithm would lose."""
    return np.maximum(trace.time, 1e-3)


def _time_axis(ax: Any, time: Any) -> None:
    if time[-1] > 10 * time[0]:
        ax.set_xscale("log")
    ax.set_xlabel("seconds")


def _shade(share: float) -> Any:
    import matplotlib as mpl

    return mpl.colormaps["viridis"](share)


def _subplots(rows: int, height: float | None = None) -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise SurelistError(
            "plots need matplotlib; install it with: pip install 'surelist[plot]'"
        ) from None
    size = (7, 2.2 + 1.6 * rows if height is None else height)
    return plt.subplots(rows, 1, sharex=True, figsize=size, layout="constrained")[1]
