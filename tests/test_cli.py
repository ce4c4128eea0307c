"""Every command: what it prints, writes and exits with."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np
import pytest
from cli_helpers import PROGRAM, run, write_people

import surelist
from surelist import RuleListClassifier, corels_text

Captured = pytest.CaptureFixture[str]

EXPECTED = [
    "if (age < 30) then predict yes",
    "else if (age ≥ 60) and (sex = Female) then predict yes",
    "else predict no",
]


@pytest.fixture
def people(tmp_path: Path) -> Path:
    return write_people(tmp_path)


@pytest.fixture
def model(people: Path, capfd: Captured) -> Path:
    path = people.with_name("model.json")
    finished = run(capfd, "fit", people, "--label", "member", "--drop", "postcode", "-o", path)
    assert (finished.code, finished.err) == (0, "")
    return path


def test_fit_prints_the_list_and_what_is_proven(people: Path, capfd: Captured) -> None:
    finished = run(capfd, "fit", people, "--label", "member", "--drop", "postcode")
    assert (finished.code, finished.err) == (0, "")
    lines = finished.out.splitlines()
    assert lines[:3] == EXPECTED
    facts = {line.split("   ")[0]: line.split("   ", 1)[1].strip() for line in lines[4:]}
    assert facts["status"].startswith("optimal: proven")
    assert facts["objective"] == "0.020000 = loss 0.000000 + 0.01 × 2 rules"
    assert facts["lower bound"] == "0.020000"
    assert facts["data"] == "60 rows, 2 columns, label member"
    assert sorted(people.parent.iterdir()) == [people]


def test_fit_for_machines(people: Path, capfd: Captured) -> None:
    path = people.with_name("model.json")
    finished = run(capfd, "fit", people, "-l", "member", "--drop", "postcode", "-o", path, "--json")
    assert (finished.code, finished.err) == (0, "")
    document = finished.json
    assert document["status"] == "optimal"
    assert document["objective_exact"] == document["lower_bound_exact"] == "1/50"
    assert document["gap"] == 0
    assert document["text"] == EXPECTED
    assert [rule["label"] for rule in document["rules"]] == ["yes", "yes", "no"]
    assert sum(rule["captured"] for rule in document["rules"]) == 60
    assert document["data"] == {"path": str(people), "rows": 60, "label": "member"}
    assert document["model"] == str(path)
    assert surelist.load(path).rule_list_.lines() == tuple(EXPECTED)


def test_a_model_from_the_command_line_takes_data_frames(people: Path, model: Path) -> None:
    import pandas as pd

    frame = pd.read_csv(people)
    loaded = surelist.load(model)
    features = frame[["age", "sex"]]
    assert (loaded.predict(features) == frame["member"]).all()
    assert loaded.feature_names_in_.tolist() == ["age", "sex"]


def test_every_parameter_has_a_flag_that_reaches_the_classifier(
    people: Path, capfd: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: dict[str, Any] = {}
    fit = RuleListClassifier.fit

    def spy(self: RuleListClassifier, *arguments: Any, **more: Any) -> RuleListClassifier:
        given.update(self.get_params(deep=False))
        return fit(self, *arguments, **more)

    monkeypatch.setattr(RuleListClassifier, "fit", spy)
    initial = people.with_name("initial.json")
    base = ("fit", people, "-l", "member", "--drop", "postcode", "--column", "age=30,60,")
    assert run(capfd, *base, "-o", initial).code == 0
    flags = (
        *("-r", "0.02", "--max-clauses", "3", "--negations", "--min-support", "1/50"),
        *("--max-length", "5", "--policy", "curiosity", "--symmetry", "permutation"),
        *("--bound", "lookahead", "--bound", "last_rule", "--initial-rule-list", initial),
        *("--antecedent", "age < 30 and sex = Male", "--class-weight", "yes=2"),
        *("--class-weight", "no=1.5", "--laplace", "1", "--time-limit", "60"),
        *("--memory-limit", "500MB", "--max-prefixes", "1000000", "-j", "2"),
        *("--trace-interval", "0.5", "--random-state", "7", "--strategy", "quantile"),
        *("--n-cuts", "3", "--intervals", "--min-frequency", "0.05", "--max-features", "40"),
        *("--column", "sex=category", "--cost", "yes:no=2.5", "--dnf", "yes"),
        *("--first", "age < 30", "--require", "sex = Male", "--forbid", "sex = Female"),
        *("--antecedent-cost", "sex = Male=2"),
        *("--checkpoint", people.with_name("kept"), "--checkpoint-interval", "30"),
    )
    given.clear()
    finished = run(capfd, *base, *flags)
    assert finished.code == 0, finished.err
    binarizer = given.pop("binarizer").get_params()
    assert binarizer == {
        "strategy": "quantile",
        "n_cuts": 3,
        "intervals": True,
        "min_frequency": 0.05,
        "max_features": 40,
        "columns": {"age": [30, 60], "sex": "category"},
    }
    start = given.pop("initial_rule_list")
    assert start.lines() == tuple(EXPECTED)
    assert given == {
        "regularization": 0.02,
        "max_clauses": 3,
        "negations": True,
        "min_support": surelist.regularization.exact(0.02),
        "max_length": 5,
        "policy": "curiosity",
        "symmetry": "permutation",
        "bounds": ["lookahead", "last_rule"],
        "antecedents": ["age < 30 and sex = Male"],
        "antecedents_only": False,
        "class_weight": {"yes": 2.0, "no": 1.5},
        "cost_matrix": {"yes": {"no": 2.5}},
        "dnf": "yes",
        "first": ["age < 30"],
        "required": ["sex = Male"],
        "forbidden": ["sex = Female"],
        "antecedent_costs": {"sex = Male": 2},
        "laplace": 1.0,
        "time_limit": 60.0,
        "memory_limit": "500MB",
        "max_prefixes": 1000000,
        "n_jobs": 2,
        "progress": False,
        "certificate": False,
        "checkpoint": people.with_name("kept"),
        "checkpoint_interval": 30.0,
        "trace_interval": 0.5,
        "random_state": 7,
    }


def test_without_flags_parameters_are_the_classifiers_own(
    people: Path, capfd: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: dict[str, Any] = {}

    def spy(self: RuleListClassifier, *_: Any, **__: Any) -> None:
        given.update(self.get_params(deep=False))
        raise surelist.InputError("seen enough")

    monkeypatch.setattr(RuleListClassifier, "fit", spy)
    assert run(capfd, "fit", people, "-l", "member").error == "seen enough"
    assert given == RuleListClassifier().get_params(deep=False)


def test_defaults_of_features_are_said() -> None:
    from surelist.cli.options import FeatureOptions
    from surelist.training import MAX_FEATURES, N_CUTS

    hints = get_type_hints(FeatureOptions, include_extras=True)
    for name, value in (("n_cuts", N_CUTS), ("max_features", MAX_FEATURES)):
        assert f"[default: {value}]" in hints[name].__metadata__[0].help


def test_choices_are_those_of_the_engine() -> None:
    from surelist import _core
    from surelist.cli.export import Format
    from surelist.cli.options import Policy, Symmetry
    from surelist.export import _FORMATS

    assert {policy.value for policy in Policy} == set(_core.policy_names())
    assert {symmetry.value for symmetry in Symmetry} == set(_core.symmetry_names())
    assert {each.value for each in Format} == set(_FORMATS)


def test_limits_exit_with_three_and_still_write(people: Path, capfd: Captured) -> None:
    path = people.with_name("model.json")
    command = ("fit", people, "-l", "member", "-r", "0.001", "--max-prefixes", "1", "-o", path)
    finished = run(capfd, *command)
    assert finished.code == 3
    assert "prefix_limit: not certified, a better rule list may exist, by at most" in finished.out
    assert surelist.load(path).status_ == "prefix_limit"
    document = run(capfd, *command, "--json", "--force")
    assert document.code == 3
    assert document.json["status"] == "prefix_limit"
    assert document.json["gap"] > 0


def test_weights_count(tmp_path: Path, capfd: Captured) -> None:
    path = tmp_path / "data.csv"
    path.write_text("x,y,w\n0,a,1\n1,b,3\n1,a,1\n0,b,0\n")
    finished = run(capfd, "fit", path, "-l", "y", "--weight", "w", "--json")
    assert finished.json["loss"] == pytest.approx(1 / 5)
    path.write_text("x,y,w\n0,a,1\n1,b,-3\n")
    error = run(capfd, "fit", path, "-l", "y", "--weight", "w").error
    assert error == f"{path}:3: the weight 'w' must be a number of at least 0"


def test_corels_text_is_fitted_as_it_is(data_dir: Path, tmp_path: Path, capfd: Captured) -> None:
    files = [data_dir / "compas" / f"compas_train.{kind}.gz" for kind in ("out", "label")]
    finished = run(capfd, "fit", "--rules", files[0], "--labels", files[1], "-r", "0.01", "--json")
    assert (finished.code, finished.err) == (0, "")
    assert finished.json["objective"] == pytest.approx(0.367973, abs=5e-7)
    assert finished.json["length"] == 2
    table = tmp_path / "train.csv"
    base = ("convert", "--rules", files[0], "--labels", files[1], "-o", table)
    assert run(capfd, *base).code == 0
    same = run(capfd, "fit", table, "--max-clauses", "1", "-r", "0.01", "--json")
    assert "predicting the column 'label'" in same.err
    assert same.json["objective_exact"] == finished.json["objective_exact"]


def records(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_predict(people: Path, model: Path, capfd: Captured) -> None:
    truth = [row["member"] for row in records(people.read_text())]
    finished = run(capfd, "predict", model, people)
    assert (finished.code, finished.err) == (0, "")
    found = records(finished.out)
    assert [row["prediction"] for row in found] == truth
    assert {row["rule"] for row in found} == {"0", "1", "2"}
    assert {row["probability"] for row in found} == {"1.0"}
    output = people.with_name("predictions.csv")
    command = ("predict", model, people, "--label", "member", "--keep", "age", "--proba")
    finished = run(capfd, *command, "-o", output)
    assert finished.out == ""
    assert finished.err == "surelist: note: 100.0% of 60 labels predicted right\n"
    first = records(output.read_text())[0]
    assert first["age"] == "18"
    assert first["probability of yes"] == "1.0"
    document = run(capfd, *command, "--json").json
    assert document["accuracy"] == 1
    assert document["predictions"][0]["prediction"] == "yes"
    assert document["rows"] == len(document["predictions"]) == 60


def test_predict_needs_no_more_than_the_rules_ask_about(
    people: Path, model: Path, capfd: Captured
) -> None:
    other = people.with_name("other.csv")
    other.write_text("sex;extra;age\nFemale;1;70\nMale;2;70\n")
    assert [row["prediction"] for row in records(run(capfd, "predict", model, other).out)] == [
        "yes",
        "no",
    ]
    other.write_text("sex,years\nFemale,70\n")
    error = run(capfd, "predict", model, other).error
    assert error.startswith(f"{other}: there is no column 'age' for the model's rules")
    other.write_text("sex,age\nFemale,70\nMale,old\n")
    error = run(capfd, "predict", model, other).error
    assert error == f"{other}:3: column 'age': expected a number, found 'old'"


def test_texts_that_look_like_numbers_stay_what_they_were(tmp_path: Path, capfd: Captured) -> None:
    train, new = tmp_path / "train.csv", tmp_path / "new.csv"
    train.write_text("zip,y\n" + "01234,a\n" * 9 + "99999,b\n" * 5 + "88888,c\n" * 4)
    new.write_text("zip\n99999\n88888\n")
    model = tmp_path / "model.json"
    assert run(capfd, "fit", train, "-l", "y", "-o", model).code == 0
    found = records(run(capfd, "predict", model, new).out)
    assert [row["prediction"] for row in found] == ["b", "c"]


def test_explain(people: Path, model: Path, capfd: Captured) -> None:
    finished = run(capfd, "explain", model, people, "--row", "1", "--row", "60")
    assert (finished.code, finished.err) == (0, "")
    first, last = finished.out.splitlines()
    assert first == " 1  yes: (age < 30) (right on 100.0% of the 12 it captured in training)"
    assert last.startswith("60  no: no rule applies")
    document = run(capfd, "explain", model, people, "--json").json
    assert len(document) == 60
    assert document[0] == {
        "row": 1,
        "label": "yes",
        "rule": 1,
        "antecedent": "(age < 30)",
        "captured": 12,
        "support": 0.2,
        "accuracy": 1.0,
    }
    assert document[-1]["rule"] == 0
    error = run(capfd, "explain", model, people, "--row", "61").error
    assert error == "--row 61: there are 60 rows, counted from 1"


def test_export(people: Path, model: Path, capfd: Captured) -> None:
    assert run(capfd, "export", model).out.splitlines() == EXPECTED
    assert json.loads(run(capfd, "export", model, "--format", "json").out)["rules"]
    assert "tabular" in run(capfd, "export", model, "--format", "latex").out
    assert "digraph" in run(capfd, "export", model, "--format", "dot").out
    source = run(capfd, "export", model, "--format", "python", "--function", "member").out
    namespace: dict[str, Any] = {}
    exec(source, namespace)
    assert namespace["member"]({"age": 20, "sex": "Male"}) == "yes"
    case = run(capfd, "export", model, "--format", "sql", "--table", "people").out
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE people (age, sex)")
    database.execute("INSERT INTO people VALUES (70, 'Female'), (70, 'Male')")
    query = f"SELECT {case} FROM people"
    assert [label for (label,) in database.execute(query)] == ["yes", "no"]
    database.close()
    output = people.with_name("list.txt")
    document = run(capfd, "export", model, "-o", output, "--json").json
    assert document == {"model": str(model), "format": "text", "output": str(output)}
    assert output.read_text(encoding="utf-8").splitlines() == EXPECTED
    error = run(capfd, "export", model, "--table", "people").error
    assert "has no option 'table'" in error


def test_convert_there_and_back(people: Path, capfd: Captured) -> None:
    folder = people.parent
    out, label, minor = (folder / f"train.{kind}" for kind in ("out", "label", "minor"))
    files = ("--rules", out, "--labels", label)
    finished = run(capfd, "convert", people, "-l", "member", *files, "--minor", minor, "--json")
    assert (finished.code, finished.err) == (0, "")
    written = corels_text.read(out, label, minor)
    assert finished.json["antecedents"] == len(written.antecedents)
    assert written.classes == ("no", "yes")
    table = folder / "again.csv"
    finished = run(capfd, "convert", *files, "-o", table, "--label", "member")
    assert finished.code == 0
    rows = records(table.read_text(encoding="utf-8"))
    assert [row.pop("member") for row in rows] == [
        row["member"] for row in records(people.read_text())
    ]
    bits = np.array([[int(bit) for bit in row.values()] for row in rows])
    assert (bits == written.captures).all()
    assert tuple(rows[0]) == written.antecedents
    files = ("--rules", folder / "2.out", "--labels", folder / "2.label")
    assert run(capfd, "convert", table, "-l", "member", *files).code == 0
    again = corels_text.read(folder / "2.out", folder / "2.label")
    assert again.antecedents == written.antecedents
    assert (again.captures == written.captures).all()
    assert "name --rules and --labels" in run(capfd, "convert", people, "-l", "member").error


def test_demo(capfd: Captured) -> None:
    finished = run(capfd, "demo")
    assert (finished.code, finished.err) == (0, "")
    assert "status        optimal: proven" in finished.out
    assert run(capfd, "demo", "--json").json["status"] == "optimal"


def test_standard_input(people: Path, model: Path) -> None:
    program = [*PROGRAM, "fit", "-", "--label", "member", "--drop", "postcode", "--json"]
    fitted = subprocess.run(program, input=people.read_bytes(), capture_output=True)
    assert (fitted.returncode, fitted.stderr) == (0, b"")
    assert json.loads(fitted.stdout)["text"] == EXPECTED
    program = [*PROGRAM, "predict", str(model), "-"]
    predicted = subprocess.run(program, input=b"age,sex\n20,Male\n", capture_output=True)
    assert predicted.stdout == b"prediction,probability,rule\nyes,1.0,1\n"
    broken = subprocess.run(program, input=b"age,sex\n20\n", capture_output=True)
    assert broken.returncode == 2
    assert broken.stderr.startswith(b"surelist: error: standard input:2: 1 fields")


def test_the_label_is_found_or_has_to_be_named(people: Path, capfd: Captured) -> None:
    error = run(capfd, "fit", people)
    assert error.code == 2
    assert "Name it by --label: 'age', 'sex', 'postcode', 'member'" in error.error
    people.write_text(people.read_text().replace("member", "Target"))
    found = run(capfd, "fit", people)
    assert found.code == 0
    assert found.err == "surelist: note: predicting the column 'Target' (--label names another)\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fit"], "no data: name a file"),
        (["fit", "no.csv", "-l", "y"], "no.csv: cannot be read (No such file or directory)"),
        (["fit", "{data}", "-l", "nope"], "{data}: there is no column 'nope' for --label"),
        (["fit", "{data}", "--lable", "y"], "No such option: --lable"),
        (["fit", "{data}", "-l", "member", "-r", "many"], "--regularization must be a number"),
        (["fit", "{data}", "-l", "member", "-r", "2"], "regularization must be a number of at l"),
        (["fit", "{data}", "-l", "member", "--policy", "x"], "Invalid value for '--policy'"),
        (["fit", "{data}", "-l", "member", "--bound", "x"], "bounds must be"),
        (["fit", "{data}", "-l", "member", "--column", "age"], "--column age: write NAME=HOW"),
        (["fit", "{data}", "-l", "member", "--class-weight", "x=1"], "--class-weight x=1: write"),
        (["fit", "{data}", "-l", "member", "--drop", "x"], "{data}: there is no column 'x' for"),
        (["fit", "{data}", "-l", "member", "-o", "no/m.json"], "no/m.json: there is no folder"),
        (["fit", "{data}", "--rules", "a.out"], "{data} and --rules: give one of them"),
        (["fit", "--rules", "a.out"], "--rules and --labels belong together"),
        (["fit", "--rules", "{data}", "--labels", "{data}"], "{data}:1:1: expected"),
        (["predict", "{data}", "{data}"], "{data}:1:1: this is not JSON"),
        (["explain"], "Missing argument"),
        (["no-such-command"], "No such command 'no-such-command'"),
        (["convert", "--rules", "a", "--labels", "b", "--json"], "--json needs --output"),
    ],
)
def test_errors_are_one_line_and_exit_two(
    people: Path, capfd: Captured, arguments: list[str], message: str
) -> None:
    given = [argument.replace("{data}", str(people)) for argument in arguments]
    finished = run(capfd, *given)
    assert finished.code == 2
    if "--json" in arguments:
        assert json.loads(finished.err)["error"].startswith(message)
    else:
        assert finished.error.startswith(message.replace("{data}", str(people))), finished.err
    assert sorted(people.parent.iterdir()) == [people]


def test_broken_rows_are_named_by_line(people: Path, capfd: Captured) -> None:
    people.write_text(people.read_text() + "1,2\n")
    assert run(capfd, "fit", people, "-l", "member").error.startswith(
        f"{people}:62: 2 fields where the header has 4"
    )
    finished = run(capfd, "fit", people, "-l", "member", "--json")
    document = json.loads(finished.err)
    assert (document["exit_code"], document["path"], document["line"]) == (2, str(people), 62)
    people.write_text("x,y\n1,a\n0,\n")
    assert run(capfd, "fit", people, "-l", "y").error == (
        f"{people}:3: the label 'y' is missing; remove the row or fill it in"
    )


def test_outputs_are_never_overwritten_unasked(people: Path, model: Path, capfd: Captured) -> None:
    before = model.read_bytes()
    commands: list[tuple[object, ...]] = [
        ("fit", people, "-l", "member", "-o", model),
        ("predict", model, people, "-o", model),
        ("export", model, "-o", model),
        ("convert", people, "-l", "member", "--rules", model, "--labels", people),
    ]
    for command in commands:
        assert "exists already; --force replaces it" in run(capfd, *command).error
        assert model.read_bytes() == before
    assert run(capfd, "export", model, "-o", people, "--force").code == 0
    assert people.read_text(encoding="utf-8").splitlines() == EXPECTED


def test_a_failed_write_leaves_what_was_there(
    people: Path, model: Path, capfd: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = model.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    finished = run(capfd, "fit", people, "-l", "member", "-o", model, "--force")
    assert finished.code == 2
    assert "cannot be written (No space left on device)" in finished.err
    assert model.read_bytes() == before
    assert sorted(people.parent.iterdir()) == sorted([people, model])


def test_debug_shows_the_traceback(people: Path, capfd: Captured) -> None:
    finished = run(capfd, "fit", people, "-l", "nope", "--debug")
    assert finished.code == 2
    assert "Traceback" in finished.err
    assert finished.err.splitlines()[-1].startswith("surelist: error: ")


def test_defects_are_one_line_too(
    people: Path, capfd: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("two\nlines")

    monkeypatch.setattr(RuleListClassifier, "fit", broken)
    finished = run(capfd, "fit", people, "-l", "member")
    assert finished.code == 1
    assert finished.error.startswith("ZeroDivisionError: two lines; please report this defect")


def test_help_is_quick_to_load() -> None:
    """What takes long to import is not imported before it is needed."""
    heavy = {"numpy", "sklearn", "scipy", "pandas", "polars", "pyarrow", "narwhals", "matplotlib"}
    for arguments in (["--help"], ["--version"], ["fit", "--help"]):
        program = (
            "import sys; from surelist.cli import main; code = main(sys.argv[1:]);"
            "print(code, *sorted({m.split('.')[0] for m in sys.modules}), file=sys.stderr)"
        )
        finished = subprocess.run(
            [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True
        )
        code, *modules = finished.stderr.split()
        assert code == "0"
        assert heavy.isdisjoint(modules), heavy & set(modules)


@pytest.mark.parametrize("missing", ["typer", "rich"])
def test_missing_libraries_are_named(missing: str) -> None:
    program = (
        f"import sys; sys.modules['{missing}'] = None\n"
        "from surelist.cli import main; sys.exit(main(['--version']))"
    )
    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert finished.returncode == 2
    assert finished.stderr == (
        f"surelist: the command line needs {missing}, which is missing: pip install rich typer\n"
    )


def test_without_pyarrow_parquet_is_refused_with_a_remedy(tmp_path: Path) -> None:
    path = tmp_path / "data.parquet"
    path.write_bytes(b"PAR1")
    program = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from surelist.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", program, "fit", str(path), "-l", "y"]
    finished = subprocess.run(command, capture_output=True, text=True)
    assert finished.returncode == 2
    assert finished.stderr.endswith("needs pyarrow: pip install 'surelist[parquet]'\n")


def test_a_base_install_can_fit_a_csv_file(people: Path) -> None:
    program = (
        "import sys\n"
        "for name in ('pandas', 'polars', 'pyarrow', 'matplotlib'): sys.modules[name] = None\n"
        "from surelist.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", program, "fit", str(people), "-l", "member", "--json"]
    finished = subprocess.run(command, capture_output=True, text=True)
    assert (finished.returncode, finished.stderr) == (0, "")
    assert json.loads(finished.stdout)["status"] == "optimal"


def test_completion_is_offered(capfd: Captured) -> None:
    environment = {"_SURELIST_COMPLETE": "complete_bash", "COMP_WORDS": "surelist fi"}
    environment |= {"COMP_CWORD": "1", "_TYPER_COMPLETE_ARGS": "surelist fi"}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        with pytest.raises(SystemExit):
            run(capfd)
    assert capfd.readouterr().out.split() == ["fit"]


def test_the_program_is_installed() -> None:
    from importlib.metadata import entry_points

    (script,) = entry_points(group="console_scripts", name="surelist")
    assert script.value == "surelist.cli:main"
