"""One description of a run: flags and forms that say the same make the same parameters."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from surelist import RuleListClassifier, _core
from surelist.cli.options import DataOptions, FeatureOptions, LimitOptions, SearchOptions
from surelist.cli.run_flags import describe_run as from_flags
from surelist.errors import FormatError, InputError
from surelist.runs.choices import Policy, Strategy, Symmetry
from surelist.runs.description import RunDescription, parameters_of, read_number
from surelist.runs.rows import Columns, Rows, Source, choose_columns, read_corels
from surelist.tables.files import open_table
from surelist.web.run_description import describe_run as from_form
from surelist.web.settings import RunSettings

TABLE = "age,sex,weight,member\n25,Male,1,yes\n31,Female,2,no\n40,Male,1,no\n19,Female,1,yes\n"


@pytest.fixture
def source(tmp_path: Path) -> Source:
    path = tmp_path / "people.csv"
    path.write_text(TABLE)
    return Source(open_table(path))


@pytest.fixture
def rows(source: Source) -> Rows:
    return choose_columns(source, Columns("member", "weight"))


def test_choices_are_those_of_the_engine() -> None:
    from surelist.features.binarizer import Binarizer

    assert set(Policy) == set(_core.policy_names())
    assert set(Symmetry) == set(_core.symmetry_names())
    assert Binarizer().strategy == Strategy.AUTO


def test_a_form_has_the_defaults_of_the_library() -> None:
    from surelist.problem.training_data import MAX_FEATURES, N_CUTS

    form, model = RunSettings(), RuleListClassifier()
    assert (form.n_cuts, form.max_features) == (N_CUTS, MAX_FEATURES)
    for name in ("max_clauses", "negations", "policy", "symmetry", "max_length", "min_support"):
        assert getattr(form, name) == getattr(model, name), name
    assert read_number("λ", form.regularization) == model.regularization


def test_flags_and_a_form_that_say_the_same_make_the_same_parameters(rows: Rows) -> None:
    flags = from_flags(
        read_number("-r", "0.05"),
        FeatureOptions(
            max_clauses=2,
            min_support="0.1",
            strategy=Strategy.QUANTILE,
            n_cuts="4",
            max_features=9,
            columns=["age=18,25", "sex=category"],
        ),
        SearchOptions(class_weight=["yes=2"], policy=Policy.CURIOSITY, bounds=["lookahead"]),
        LimitOptions(work_limit="none", time_limit=600, memory_limit="500000000"),
    )
    form = RunSettings(
        regularization="0.05",
        min_support="0.1",
        strategy=Strategy.QUANTILE,
        n_cuts=4,
        max_features=9,
        columns={"age": [18.0, 25.0], "sex": "category"},
        class_weight={"yes": 2},
        policy=Policy.CURIOSITY,
        bounds=["lookahead"],
        memory_limit_mb=500,
    ).model_dump()
    ours, theirs = parameters_of(flags, rows), parameters_of(from_form(form, rows), rows)
    assert vars(ours.pop("binarizer")) == vars(theirs.pop("binarizer"))
    assert ours == theirs


def test_settings_that_the_page_kept_as_plain_text_still_count(rows: Rows) -> None:
    kept = {"policy": "depth_first", "strategy": "uniform"}
    found = parameters_of(from_form(kept, rows), rows)
    assert found["policy"] == "depth_first"
    assert type(found["policy"]) is str
    assert found["binarizer"].strategy == "uniform"


def test_without_settings_the_parameters_are_the_defaults(rows: Rows) -> None:
    found = parameters_of(RunDescription(0.01), rows)
    assert found.items() <= RuleListClassifier().get_params().items()


def test_labels_are_named_by_their_text(rows: Rows) -> None:
    run = RunDescription(
        0.01, class_weight={"yes": 2.0}, cost_matrix={"yes": {"no": Decimal(5)}}, dnf="yes"
    )
    notes: list[str] = []
    found = parameters_of(run, rows, notes)
    assert found["class_weight"] == {"yes": 2.0, "no": 1.0}
    assert found["cost_matrix"] == {"yes": {"no": 5}}
    assert found["dnf"] == "yes"
    assert notes == ["class_weight says nothing of 'no': it weighs 1"]


@pytest.mark.parametrize(
    ("setting", "value"),
    [("class_weight", {"x": 1.0}), ("cost_matrix", {"yes": {"x": 1}}), ("dnf", "x")],
)
def test_a_text_that_is_no_label_is_refused(rows: Rows, setting: str, value: Any) -> None:
    with pytest.raises(InputError, match=f"{setting}: 'x' is no label; there are 'no', 'yes'") as e:
        parameters_of(RunDescription(0.01, **{setting: value}), rows)
    assert (e.value.code, e.value.facts["label"]) == ("class_unknown", "x")


def test_numbers_are_read_as_they_were_written() -> None:
    assert read_number("λ", "5e-3") == 0.005
    assert read_number("λ", "1/300") == Fraction(1, 300)
    for text in ("many", "1/0", ""):
        with pytest.raises(InputError, match=r"^λ must be a number such as 0\.01; got"):
            read_number("λ", text)


def test_columns_are_labels_weights_features_or_left_out(source: Source) -> None:
    rows = choose_columns(source, Columns("member", "weight", ["sex"]))
    assert rows.table.names == ("age",)
    assert rows.labels.tolist() == ["yes", "no", "no", "yes"]
    assert rows.weights.tolist() == [1, 2, 1, 1]
    assert rows.classes == ["no", "yes"]
    assert rows.training().keys() == {"X", "y", "sample_weight"}


@pytest.mark.parametrize(
    ("columns", "code"),
    [
        (Columns(), "label_unnamed"),
        (Columns("x"), "column_missing"),
        (Columns("member", "x"), "column_missing"),
        (Columns("member", left_out=["x"]), "column_missing"),
        (Columns("member", left_out=["age", "sex", "weight"]), "no_column_left"),
    ],
)
def test_columns_that_cannot_be_chosen_are_refused(
    source: Source, columns: Columns, code: str
) -> None:
    with pytest.raises(FormatError) as refused:
        choose_columns(source, columns)
    assert refused.value.code == code
    assert refused.value.path == source.table.path


def test_some_rows_know_the_classes_of_all(rows: Rows) -> None:
    import numpy as np

    some = rows.take(np.array([1, 2]))
    assert some.labels.tolist() == ["no", "no"]
    assert some.weights.tolist() == [2, 1]
    assert some.table.n_rows == some.source.table.n_rows == 2
    assert some.classes == ["no", "yes"]
    assert some.table.column(0).values.tolist() == [31, 40]


def test_corels_text_brings_its_labels(tmp_path: Path) -> None:
    from surelist.cli.data import open_source

    rules, labels = tmp_path / "t.out", tmp_path / "t.label"
    rules.write_text("{a} 0 1 1\n{b} 1 0 1\n")
    labels.write_text("{no} 1 0 0\n{yes} 0 1 1\n")
    for source in (
        read_corels(rules, labels),
        open_source(DataOptions(rules=rules, labels=labels)),
    ):
        rows = choose_columns(source, Columns())
        assert rows.table.names == ("a", "b")
        assert rows.labels.tolist() == ["no", "yes", "yes"]
        assert rows.label == str(labels)
        assert parameters_of(RunDescription(0.01), rows)["max_clauses"] == 1
