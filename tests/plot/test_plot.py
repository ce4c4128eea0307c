"""Pictures: they show the numbers, whatever the names, and leave matplotlib as it was."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from functools import cache
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from problems import random_problem

from surelist import (
    Binarizer,
    InputError,
    RuleListClassifier,
    RuleLists,
    near_optimal,
    plot,
)
from surelist.datasets import load_breast_cancer
from surelist.errors import UncertifiedWarning
from surelist.plot import look

THEMES = ("light", "dark")


@cache
def fitted(regularization: float = 0.01) -> RuleListClassifier:
    data = load_breast_cancer()
    model = RuleListClassifier(regularization, max_clauses=1, trace_interval=0.001)
    return model.fit(data.X, data.y)


@cache
def unfinished() -> RuleListClassifier:
    data = load_breast_cancer()
    model = RuleListClassifier(0.001, trace_interval=0.01, max_prefixes=2000)
    with pytest.warns(UncertifiedWarning):
        return model.fit(data.X, data.y)


def texts_of(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.texts]


class TestStyle:
    def test_settings_go_back(self) -> None:
        before = dict(mpl.rcParams)
        with plot.style("dark", "slide"):
            plot.plot_rule_list(fitted())
            assert mpl.rcParams["font.size"] == 16
        assert dict(mpl.rcParams) == before

    @pytest.mark.slow
    def test_no_picture_changes_settings_or_shows_a_window(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(*_: Any, **__: Any) -> None:
            raise AssertionError("a window")

        monkeypatch.setattr(plt, "show", refuse)
        before = dict(mpl.rcParams)
        for draw in PICTURES.values():
            draw()
        assert dict(mpl.rcParams) == before

    @pytest.mark.parametrize(
        "arguments", [("bright", "page"), ("light", "poster"), (1, "page"), ("light", 3)]
    )
    def test_unknown_ones_are_refused(self, arguments: tuple[Any, Any]) -> None:
        with pytest.raises(InputError, match="must be None or one of"), plot.style(*arguments):
            pass

    def test_nothing_is_changed_on_request(self) -> None:
        before = dict(mpl.rcParams)
        with plot.style(None, None):
            assert dict(mpl.rcParams) == before

    def test_ticks_keep_the_style_they_were_drawn_in(self) -> None:
        with plot.style("dark"):
            ax: Any = plot.plot_prunes(fitted())
        ax.figure.draw_without_rendering()
        label = ax.get_xticklabels()[0]
        assert mpl.colors.to_hex(label.get_color()) == "#e8e8e8"

    def test_colours_differ_in_grey_and_from_the_background(self) -> None:
        for theme in THEMES:
            with plot.style(theme):
                ax = plt.figure().add_subplot()
                colors = [look.color(ax, index) for index in range(8)]
                ordered = look.ordered_colors(ax, 9)
                ground = look._luminance(look.background(ax))
            assert len(set(colors)) == 8
            for value in colors:
                bright, dim = sorted([look._luminance(value), ground], reverse=True)
                assert (bright + 0.05) / (dim + 0.05) > 1.9, (theme, value)
            greys = [look._luminance(value) for value in ordered]
            assert greys == sorted(greys, reverse=theme == "light")

    @pytest.mark.slow
    def test_without_matplotlib_it_says_what_to_install(self) -> None:
        program = (
            "import sys; sys.modules['matplotlib'] = None\n"
            "import surelist, surelist.plot\n"
            "model = surelist.RuleListClassifier().fit([[0], [1]] * 5, [0, 1] * 5)\n"
            "for draw in (surelist.plot.plot_prunes, surelist.plot.plot_rule_list):\n"
            "    try: draw(model)\n"
            "    except surelist.SurelistError as error: print(error)"
        )
        finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        said = finished.stdout.count("pip install 'surelist[plot]'")
        assert (said, finished.stderr) == (2, "")

    @pytest.mark.slow
    def test_importing_it_loads_no_matplotlib_and_drawing_needs_no_display(self) -> None:
        program = (
            "import sys, surelist.plot, warnings\n"
            "warnings.filterwarnings('ignore', category=DeprecationWarning, module='matplotlib')\n"
            "assert 'matplotlib' not in sys.modules and 'sklearn' not in sys.modules\n"
            "model = surelist.RuleListClassifier().fit([[0], [1]] * 5, [0, 1] * 5)\n"
            "surelist.plot.plot_rule_list(model).figure.canvas.draw()"
        )
        hidden = {"DISPLAY", "WAYLAND_DISPLAY", "MPLBACKEND"}
        environment = {name: value for name, value in os.environ.items() if name not in hidden}
        command = [sys.executable, "-W", "error", "-c", program]
        finished = subprocess.run(command, capture_output=True, text=True, env=environment)
        assert (finished.returncode, finished.stderr) == (0, "")


def alternatives() -> RuleLists:
    X, y = random_problem(5)
    return near_optimal(X, y, tolerance=0.5, regularization=0.02, max_clauses=1)


PICTURES: dict[str, Any] = {
    "trace": lambda ax=None: plot.plot_trace(fitted(), ax),
    "queue": lambda ax=None: plot.plot_queue(fitted(), ax),
    "prunes": lambda ax=None: plot.plot_prunes(fitted(), ax),
    "rule list": lambda ax=None: plot.plot_rule_list(fitted(), ax),
    "confusion": lambda ax=None: plot.plot_confusion_by_rule(fitted(), ax=ax),
    "sparsity": lambda ax=None: plot.plot_sparsity(
        [plot.ModelScores("a", [1, 2], [0.5, 0.6]), plot.ModelScores("b", [60], [0.7])], ax
    ),
    "rates": lambda ax=None: plot.plot_rates_by_group(
        [0, 1] * 4, [0, 1, 1, 1] * 2, list("aabbaabb"), ax
    ),
}
PICTURES["lists"] = lambda ax=None: plot.plot_lists(alternatives(), ax)
PICTURES["lists by group"] = lambda ax=None: plot.plot_lists(
    alternatives(), ax, group=["a", "b"] * 30, rate="error"
)
PANELS = {"trace": 2, "rates": 2}


@pytest.mark.parametrize("name", PICTURES)
class TestEvery:
    def test_it_draws_on_given_axes(self, name: str) -> None:
        count = PANELS.get(name, 1)
        _, grid = plt.subplots(count, squeeze=False)
        given = list(grid.flat)
        open_figures = plt.get_fignums()
        drawn = PICTURES[name](given[0] if count == 1 else given)
        assert list(np.ravel(drawn)) == given
        assert plt.get_fignums() == open_figures

    def test_new_figures_close(self, name: str) -> None:
        ax = np.ravel(PICTURES[name]())[0]
        assert plt.get_fignums() == [ax.figure.number]
        plt.close(ax.figure)
        assert plt.get_fignums() == []

    @pytest.mark.parametrize("given", ["ax", 3, [], [None], object()])
    def test_other_axes_are_refused(self, name: str, given: Any) -> None:
        with pytest.raises(InputError, match=r"ax must be None or (one|two) Axes"):
            PICTURES[name](given)

    @pytest.mark.parametrize(
        ("theme", "size"), [("light", "column"), ("dark", "page"), ("light", "slide")]
    )
    def test_it_draws_without_a_warning(self, name: str, theme: str, size: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with plot.style(theme, size):
                ax = np.ravel(PICTURES[name]())[0]
            ax.figure.canvas.draw()
        assert ax.figure.get_figwidth() == {"column": 3.4, "page": 7.0, "slide": 11.0}[size]


class TestTrace:
    def test_it_plots_the_samples(self) -> None:
        model = fitted()
        above, below = plot.plot_trace(model)
        objective, lower_bound = above.lines[:2]
        trace = model.trace_
        assert np.array_equal(objective.get_ydata(), trace.objective)
        assert np.array_equal(lower_bound.get_ydata(), trace.lower_bound)
        assert np.array_equal(objective.get_xdata(), trace.time)
        drawn = np.asarray(below.lines[0].get_ydata(), dtype=float)
        assert np.array_equal(
            drawn[np.isfinite(drawn)], trace.remaining_fine[np.isfinite(trace.remaining_fine)]
        )
        assert above.get_xscale() == below.get_xscale() == "log"

    def test_the_star_is_the_optimum(self) -> None:
        model = fitted()
        above, _ = plot.plot_trace(model.trace_)
        (star,) = [line for line in above.lines if line.get_marker() == "*"]
        assert star.get_ydata() == [model.objective_]
        assert star.get_xdata() == [model.trace_.time[model.trace_.improved][-1]]
        assert str(len(model.rule_list_)) in texts_of(above)

    def test_without_proof_there_is_no_star(self) -> None:
        above, _ = plot.plot_trace(unfinished())
        assert not [line for line in above.lines if line.get_marker() == "*"]
        labels = [text.get_text() for text in above.get_legend().get_texts()]
        assert labels == ["objective", "lower bound"]

    def test_several(self) -> None:
        above, _ = plot.plot_trace({"$a$": fitted(), "_b": fitted(0.02).trace_})
        labels = [text.get_text() for text in above.get_legend().get_texts()]
        assert {"$a$", "_b"} < set(labels)
        above.figure.canvas.draw()

    def test_without_samples_it_says_what_to_set(self) -> None:
        model = RuleListClassifier().fit([[0], [1]] * 5, [0, 1] * 5)
        for draw in (plot.plot_trace, plot.plot_queue):
            with pytest.raises(InputError, match="trace_interval="):
                draw(model)
        assert plot.plot_prunes(model).get_xlabel() == "prefixes pruned"

    @pytest.mark.parametrize("source", [None, 3, "trace", {}, RuleListClassifier(), {"a": 1}])
    def test_other_things_are_refused(self, source: Any) -> None:
        with pytest.raises(InputError):
            plot.plot_trace(source)

    def test_an_unfitted_model_is_told_to_fit(self) -> None:
        for draw in (plot.plot_prunes, plot.plot_rule_list):
            with pytest.raises(InputError, match="call its fit first"):
                draw(RuleListClassifier())

    def test_a_search_of_no_time(self) -> None:
        model = RuleListClassifier(trace_interval=1).fit([[0], [1]] * 5, [0, 1] * 5)
        for draw in (plot.plot_trace, plot.plot_queue, plot.plot_prunes):
            drawn: Any = draw(model)
            np.ravel(drawn)[0].figure.canvas.draw()


class TestQueue:
    @pytest.mark.parametrize("physical", [False, True])
    def test_it_plots_the_samples(self, physical: bool) -> None:
        trace = fitted().trace_
        queue = trace.queue_physical if physical else trace.queue_logical
        ax: Any = plot.plot_queue(trace, physical=physical)
        lines = {line.get_label(): line for line in ax.lines}
        for length in np.flatnonzero(queue.max(axis=0)):
            drawn = np.asarray(lines[f"length {length}"].get_ydata())
            assert np.array_equal(np.nan_to_num(drawn), queue[:, length])

    def test_another_search_may_be_shaded(self) -> None:
        ax: Any = plot.plot_queue(fitted(0.02), beside=fitted())
        top = ax.collections[0].get_paths()[0].vertices[:, 1].max()
        assert top == fitted().trace_.queue_logical.sum(axis=1).max()

    def test_pictures_of_several_searches_share_their_colors(self) -> None:
        # Both searches take several times the trace's interval: a shorter one has few samples.
        pictures: list[Any] = [plot.plot_queue(fitted(at), longest=9) for at in (0.01, 0.005)]
        colors = [{x.get_label(): x.get_color() for x in ax.get_lines()} for ax in pictures]
        shared = [name for name in colors[0] if name.startswith("length") and name in colors[1]]
        assert len(shared) > 1
        assert all(colors[0][name] == colors[1][name] for name in shared)
        assert all(ax.get_legend() is None for ax in pictures)


def test_a_search_over_all_cuts_says_that_it_counts_no_remaining_space() -> None:
    model = RuleListClassifier(
        0.1, max_clauses=1, binarizer=Binarizer(n_cuts="all"), trace_interval=0.01
    ).fit([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1])
    _, below = plot.plot_trace(model)
    assert [text.get_text() for text in below.texts] == ["not counted in a search over all cuts"]
    plt.close(below.figure)


def test_prunes_are_the_counters() -> None:
    model = fitted()
    ax: Any = plot.plot_prunes(model)
    widths = [bar.get_width() for bar in ax.patches]
    labels = [label.get_text().replace(" ", "_") for label in ax.get_yticklabels()]
    assert dict(zip(labels, widths, strict=True)) == {
        name: count for name, count in model.trace_.pruned.items() if count
    }
    assert widths == sorted(widths, reverse=True)
