"""Pictures of rule lists and of the searches that found them, with matplotlib.

Every function returns the Axes it drew on, and draws on Axes of yours with ``ax=``. None shows a
window, changes a setting or needs a display. matplotlib is loaded when the first picture is drawn;
it comes with ``pip install 'surelist[plot]'``.

>>> from surelist import RuleListClassifier
>>> from surelist.plot import plot_rule_list, style
>>> model = RuleListClassifier().fit([[0], [1]] * 5, ["no", "yes"] * 5)
>>> with style("light", "slide"):
...     ax = plot_rule_list(model)
"""

from __future__ import annotations

from surelist.plot.by_cuts import plot_by_cuts
from surelist.plot.confusion import plot_confusion_by_rule
from surelist.plot.fairness import plot_fairness_path
from surelist.plot.lists import plot_lists
from surelist.plot.look import style
from surelist.plot.path import plot_loss_by_length, plot_path
from surelist.plot.prunes import plot_prunes
from surelist.plot.queue import plot_queue
from surelist.plot.rates import plot_rates_by_group
from surelist.plot.rule_list import plot_rule_list
from surelist.plot.sparsity import ModelScores, plot_sparsity
from surelist.plot.trace import plot_trace

__all__ = [
    "ModelScores",
    "plot_by_cuts",
    "plot_confusion_by_rule",
    "plot_fairness_path",
    "plot_lists",
    "plot_loss_by_length",
    "plot_path",
    "plot_prunes",
    "plot_queue",
    "plot_rates_by_group",
    "plot_rule_list",
    "plot_sparsity",
    "plot_trace",
    "style",
]
