"""Pictures of rule lists and of models: right numbers, and texts that never overlap."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from surelist import Antecedent, Clause, InputError, Rule, RuleList, RuleListClassifier, plot
from surelist.plot.text import font, share, text_width, wrap

NAMES = [
    "age < 25",
    "Straße = „Königsallee“ & Größe ≥ 170 cm",
    "a_name_without_any_space_that_has_to_break_somewhere_or_it_would_not_fit_at_all",
    "price between $50 and $100",
    "_hidden",
    "число судимостей > 3",
]
CLASSES: list[list[Any]] = [
    ["no", "yes"],
    [0, 1, 2],
    ["$a", "b$", "a rather long name of a class", "ещё один", "_e", "f", "g", "h", "i", "j"],
]


def made_up(length: int, classes: list[Any], seed: int = 1) -> RuleList:
    """A rule list of any length over difficult names; its weights are random."""
    rng = np.random.default_rng(seed)

    def rule(antecedent: Antecedent | None) -> Rule:
        weights = tuple(rng.integers(0, 1000, len(classes)).tolist())
        best = int(np.argmax(weights))
        return Rule(antecedent, classes[best], weights[best], weights)

    def antecedent(index: int) -> Antecedent:
        places = [(index + step) % len(NAMES) for step in range(1 + index % 3)]
        return Antecedent(tuple(Clause(place, NAMES[place], place % 2 == 1) for place in places))

    rules = tuple(rule(antecedent(index)) for index in range(length))
    return RuleList(rules, rule(None), tuple(classes), tuple(NAMES), Fraction(1, 100))


def texts_of(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.texts]


def assert_no_overlap(ax: Any) -> None:
    """No two texts of the Axes cover each other, and none leaves the figure."""
    figure = ax.figure
    figure.canvas.draw()
    shown = list(ax.texts)
    if ax.axison:
        shown += [*ax.get_xticklabels(), *ax.get_yticklabels(), ax.xaxis.label, ax.yaxis.label]
    shown = [text for text in shown if text.get_text()]
    boxes = [text.get_window_extent() for text in shown]
    for index, box in enumerate(boxes):
        assert min(box.x0, box.y0) >= -1, shown[index]
        assert box.x1 <= figure.bbox.x1 + 1, shown[index]
        assert box.y1 <= figure.bbox.y1 + 1, shown[index]
        for text, other in zip(shown[:index], boxes, strict=False):
            width = min(box.x1, other.x1) - max(box.x0, other.x0)
            height = min(box.y1, other.y1) - max(box.y0, other.y0)
            # Boxes have room for the tallest letters, so lines may touch by a little.
            assert width <= 1 or height <= 0.2 * box.height, (shown[index], text)


@pytest.mark.slow
@pytest.mark.parametrize("classes", CLASSES)
@pytest.mark.parametrize("length", [0, 1, 3, 15])
@pytest.mark.parametrize("size", ["column", "slide"])
def test_texts_never_overlap(length: int, classes: list[Any], size: str) -> None:
    rule_list = made_up(length, classes)
    for draw in (plot.plot_rule_list, plot.plot_confusion_by_rule):
        with plot.style("light", size):
            assert_no_overlap(draw(rule_list))


class TestRuleList:
    def test_it_says_what_the_list_says(self) -> None:
        rule_list = made_up(3, ["no", "yes"])
        with plot.style("light", "slide"):
            ax = plot.plot_rule_list(rule_list, title="Who?")
        texts = " ".join(texts_of(ax))
        assert texts.startswith("Who?")
        assert texts.count("predict") == 4
        assert "If age < 25" in texts
        assert "Otherwise" in texts
        for rule in (*rule_list.rules, rule_list.default):
            support = share(rule.captured / rule_list.total_weight)
            assert f"{support} of all ({rule.captured:,})" in texts
            assert f"{share(rule.accuracy)} correct" in texts
        assert f"{share(1 - float(rule_list.loss))} of all {rule_list.total_weight:,}" in texts

    def test_the_stream_is_as_wide_as_what_is_left(self) -> None:
        rule_list = made_up(4, ["no", "yes"])
        ax: Any = plot.plot_rule_list(rule_list)
        bands = [patch.get_width() for patch in ax.patches[:5]]
        left = 1.0
        for band, rule in zip(bands, (*rule_list.rules, rule_list.default), strict=True):
            assert band / bands[0] == pytest.approx(left)
            left -= rule.captured / rule_list.total_weight

    def test_a_model_says_whether_it_is_proven(self) -> None:
        model = RuleListClassifier().fit([[0], [1]] * 5, [0, 1] * 5)
        drawn = " ".join(texts_of(plot.plot_rule_list(model)))
        assert "; proven optimal for λ = 0.01" in drawn
        alone = " ".join(texts_of(plot.plot_rule_list(model.rule_list_)))
        assert "proven" not in alone

    def test_what_was_saved_will_do(self) -> None:
        rule_list = made_up(2, ["no", "yes"])
        assert texts_of(plot.plot_rule_list(rule_list.to_dict())) == texts_of(
            plot.plot_rule_list(rule_list)
        )

    def test_counts_can_be_left_out(self) -> None:
        texts = " ".join(texts_of(plot.plot_rule_list(made_up(2, ["no", "yes"]), counts=False)))
        assert "(" not in texts

    def test_a_default_that_captured_nothing(self) -> None:
        some = Rule(Antecedent((Clause(0, "x"),)), 1, 5, (0, 5))
        rule_list = RuleList((some,), Rule(None, 0, 0, (0, 0)), (0, 1), ("x",), Fraction(0))
        assert "none in training" in texts_of(plot.plot_rule_list(rule_list))
        plot.plot_confusion_by_rule(rule_list).figure.canvas.draw()

    @pytest.mark.slow
    def test_letters_shrink_until_it_fits(self) -> None:
        figure, (left, right) = plt.subplots(1, 2, figsize=(9, 5), layout="constrained")
        small: Any = plot.plot_rule_list(made_up(8, ["no", "yes"]), left)
        large: Any = plot.plot_rule_list(made_up(1, ["no", "yes"]), right)
        assert small.texts[-1].get_fontsize() < large.texts[-1].get_fontsize()
        assert_no_overlap(small)
        assert figure.get_size_inches().tolist() == [9, 5]

    @pytest.mark.slow
    def test_it_fits_when_the_layout_changes_afterwards(self) -> None:
        _, (left, right) = plt.subplots(1, 2, figsize=(12, 5), layout="constrained")
        plot.plot_rule_list(made_up(4, ["no", "yes"]), left)
        before = left.get_window_extent().width
        plot.plot_confusion_by_rule(made_up(4, ["no", "yes"]), ax=right)
        assert_no_overlap(left)
        assert left.get_window_extent().width < 0.9 * before
        assert_no_overlap(right)

    @pytest.mark.slow
    def test_axes_that_are_too_small_are_refused(self) -> None:
        _, ax = plt.subplots(figsize=(2, 1))
        with pytest.raises(InputError, match="too small"):
            plot.plot_rule_list(made_up(8, ["no", "yes"]), ax)
        _, ax = plt.subplots(figsize=(2, 1))
        with pytest.raises(InputError, match="too low"):
            plot.plot_confusion_by_rule(made_up(8, ["no", "yes"]), ax=ax)

    @pytest.mark.parametrize("source", [None, "if x", {"format": "other"}, 3, [1]])
    def test_other_things_are_refused(self, source: Any) -> None:
        for draw in (plot.plot_rule_list, plot.plot_confusion_by_rule):
            with pytest.raises(InputError):
                draw(source)

    def test_a_title_is_text(self) -> None:
        with pytest.raises(InputError, match="title must be text"):
            plot.plot_rule_list(made_up(1, [0, 1]), title=3)  # type: ignore[arg-type]


class TestConfusion:
    def cells(self, ax: Any) -> list[int]:
        return [int(text.split("\n")[0].replace(",", "")) for text in texts_of(ax)]

    @pytest.mark.parametrize("classes", [["no", "yes"], ["a", "b", "c"]])
    def test_cells_are_the_weights(self, classes: list[str]) -> None:
        rule_list = made_up(4, classes)
        ax = plot.plot_confusion_by_rule(rule_list)
        rules = (*rule_list.rules, rule_list.default)
        assert self.cells(ax) == [weight for rule in rules for weight in rule.weights]
        bold = [text.get_fontweight() == "bold" for text in ax.texts]
        predicted = [label == rule.label for rule in rules for label in classes]
        assert bold == predicted

    def test_other_data_are_counted(self) -> None:
        X, y = [[0, 0], [0, 1], [1, 0], [1, 1]] * 5, ["a", "b", "c", "c"] * 5
        model = RuleListClassifier(regularization=0.01).fit(X, y)
        for source in (model, model.rule_list_):
            again = plot.plot_confusion_by_rule(source, X, y)
            assert self.cells(again) == self.cells(plot.plot_confusion_by_rule(source))
            fewer = plot.plot_confusion_by_rule(source, np.array(X[:4]), np.array(y[:4]))
            assert sum(self.cells(fewer)) == 4

    def test_other_data_are_refused_where_they_do_not_fit(self) -> None:
        model = RuleListClassifier().fit([[0], [1]] * 5, [0, 1] * 5)
        for X, y, message in (
            ([[0]], None, "both X and y"),
            (None, [0], "both X and y"),
            ([[0]], [7], "has the label 7 in row 0"),
            ([[0]], [0, 1], "2 values where there are 1 rows"),
            ([[0]], [None], "no value in row 0"),
            ([[0]], [[0]], "one column"),
        ):
            with pytest.raises(InputError, match=message):
                plot.plot_confusion_by_rule(model, X, y)


class TestSparsity:
    def test_points_are_means_and_bars_deviations(self) -> None:
        models = [
            plot.ModelScores("a", [3, 4, 5], [0.6, 0.7, 0.8], [0.9, 0.9, 0.6], "λ = 1"),
            plot.ModelScores("b", [9], [0.5]),
        ]
        ax: Any = plot.plot_sparsity(models, score="TPR")
        first, second = ax.containers
        assert first[0].get_xydata().tolist() == [pytest.approx([4, 0.7])]
        assert second[0].get_xydata().tolist() == [[9, 0.5]]
        (across, along) = first[2]
        assert across.get_segments()[0].tolist() == [
            pytest.approx([3, 0.7]),
            pytest.approx([5, 0.7]),
        ]
        assert along.get_segments()[0][:, 1].tolist() == pytest.approx([0.6, 0.8])
        assert not second[2]
        circles = [line for line in ax.lines if line.get_fillstyle() == "none"]
        assert circles[0].get_ydata() == pytest.approx([0.8])
        labels = [text.get_text() for text in ax.get_legend().get_texts()]
        assert labels == ["a (λ = 1)", "b", "on training data"]
        assert ax.get_ylabel() == "test TPR"

    def test_wide_ranges_are_logarithmic(self) -> None:
        models = [plot.ModelScores("a", [size], [0.5]) for size in (1, 100)]
        assert plot.plot_sparsity(models).get_xscale() == "log"
        assert plot.plot_sparsity(models[:1]).get_xscale() == "linear"

    @pytest.mark.parametrize(
        ("models", "message"),
        [
            ([], "models is empty"),
            ([3], "must hold ModelScores"),
            ([plot.ModelScores("a", [1, 2], [0.5])], "2 sizes but 1 scores"),
            ([plot.ModelScores("a", [1], [0.5], [0.1, 0.2])], "2 training_scores but 1"),
            ([plot.ModelScores("a", [], [])], "a: sizes must be finite numbers"),
            ([plot.ModelScores("a", [1], [float("nan")])], "a: scores must be finite"),
            ([plot.ModelScores("a", ["x"], [1])], "a: sizes must be numbers"),
        ],
    )
    def test_odd_input_is_refused(self, models: list[Any], message: str) -> None:
        with pytest.raises(InputError, match=message):
            plot.plot_sparsity(models)


class TestRates:
    def points(self, ax: Any) -> list[float]:
        return [float(container[0].get_xdata()[0]) for container in ax.containers]

    def test_rates_are_right(self) -> None:
        names = ("TPR", "FPR", "TNR", "FNR")
        true = ["bad", "bad", "good", "good", "bad", "good", "good", "good"]
        said = ["bad", "good", "bad", "good", "bad", "bad", "good", "fair"]
        group = list("ppppqqqq")
        axes = plot.plot_rates_by_group(true, said, group, positive="bad", rates=names)
        found = {name: self.points(ax) for name, ax in zip(names, axes, strict=True)}
        third = pytest.approx(1 / 3)
        assert found["TPR"] == [0.5, 1]
        assert found["FPR"] == [0.5, third]
        assert found["TNR"] == [0.5, pytest.approx(2 / 3)]
        assert found["FNR"] == [0.5, 0]
        labels = [label.get_text() for label in axes[0].get_yticklabels()]
        assert labels == ["p\nn = 4", "q\nn = 4"]

    def test_models_and_folds(self) -> None:
        true, said = [1, 1, 1, 1, 0, 0], {"$m$": [1, 0, 1, 1, 0, 1], "_k": [1] * 6}
        axes = plot.plot_rates_by_group(true, said, list("aaaaaa"), fold=[0, 0, 1, 1, 0, 1])
        assert self.points(axes[0]) == [0.75, 1]
        bars = axes[0].containers[0][2][0].get_segments()[0]
        assert bars[:, 0].tolist() == pytest.approx([0.75 - 0.125**0.5, 0.75 + 0.125**0.5])
        labels = [text.get_text() for text in axes[0].get_legend().get_texts()]
        assert labels == ["$m$", "_k"]
        axes[0].figure.canvas.draw()

    def test_a_group_without_such_rows_is_told(self) -> None:
        tpr, fpr = plot.plot_rates_by_group([1, 1, 0], [1, 0, 0], ["a", "a", "b"])
        assert texts_of(tpr) == texts_of(fpr) == ["no such rows"]

    @pytest.mark.parametrize(
        ("arguments", "options", "message"),
        [
            (([], [], []), {}, "y_true is empty"),
            (([0, 1], [0], [1, 1]), {}, "y_pred has 1 values where there are 2 rows"),
            (([0, 1], {"m": [0]}, [1, 1]), {}, "y_pred m has 1 values"),
            (([0, 1], {}, [1, 1]), {}, "holds no model"),
            (([0, 1], [0, 1], [1, None]), {}, "group has no value in row 1"),
            (([0, 1], [0, 1], [1, 1]), {"fold": [1]}, "fold has 1 values"),
            ((["a", "b"], ["a", "b"], [1, 1]), {}, "pass positive="),
            ((["a", "b"], ["a", "b"], [1, 1]), {"positive": "c"}, "none of the classes"),
            (([0, 1], [0, 1], [1, 1]), {"rates": ["PPV"]}, "rates must be some of TPR"),
            (([0, 1], [0, 1], [1, 1]), {"rates": []}, "rates must be some of TPR"),
            (([[0], [1]], [0, 1], [1, 1]), {}, "one column of values"),
        ],
    )
    def test_odd_input_is_refused(self, arguments: Any, options: Any, message: str) -> None:
        with pytest.raises(InputError, match=message):
            plot.plot_rates_by_group(*arguments, **options)


class TestText:
    @settings(max_examples=50, deadline=None)
    @given(st.text("abcWil m_", max_size=60), st.floats(15, 200))
    def test_lines_are_no_wider_than_asked_and_lose_nothing(self, text: str, width: float) -> None:
        lines = wrap(text, width, font(10))
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")
        assert all(text_width(line, font(10)) <= width for line in lines)
        assert len(lines) >= 1

    @given(st.floats(0, 1))
    def test_a_share_is_none_or_all_only_if_it_is(self, value: float) -> None:
        text = share(value)
        assert text.endswith("%")
        if 1e-7 < value < 1 - 1e-7:
            assert 0 < float(text[:-1]) < 100
        assert float(text[:-1]) / 100 == pytest.approx(value, abs=5.1e-4)
