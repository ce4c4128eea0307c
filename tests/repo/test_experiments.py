"""The experiments: raw files become the paper's problems, sources are checked, a report is made."""

from __future__ import annotations

import contextlib
import doctest
import hashlib
import importlib
import sys
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from generated_records import write_compas, write_stops
from repository import ROOT

from experiments import compas, data_sets, paper, peers, run, stops
from experiments.cart import Cart
from experiments.context import Context, Family
from experiments.dataset import Dataset
from experiments.folds import balanced_weights, resampled, split
from experiments.lists import frequencies, parse
from experiments.methods import Scored
from experiments.options import read_options
from experiments.peers import Model
from experiments.report import Figure, Section, Table, write
from experiments.searches import CORELS, SURELIST, antecedents, run_all
from experiments.sources import COMPAS, MissingDataError, Source, Store, nypd_year
from surelist.errors import InputError

MODULES = sorted(path.stem for path in (ROOT / "experiments").glob("*.py"))


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name: str) -> None:
    module = importlib.import_module(f"experiments.{name}" if name != "__init__" else "experiments")
    assert doctest.testmod(module).failed == 0


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder of made-up records."""
    folder = tmp_path_factory.mktemp("data")
    write_compas(folder / "compas" / "compas-scores-two-years.csv.gz")
    write_stops(folder / "nyclu" / "nypd_sqf_2014.csv.gz")
    return folder


def context_of(folder: Path, *arguments: str) -> Context:
    return Context(read_options("test", ["--quick", "--data", str(folder), *arguments]))


# --- Preparation --------------------------------------------------------------------------------


def test_compas_keeps_records_with_dates_and_takes_the_age_at_booking(tmp_path: Path) -> None:
    path = tmp_path / "raw.csv"
    path.write_text(
        "sex,dob,race,juv_fel_count,decile_score,juv_misd_count,juv_other_count,priors_count,"
        "c_jail_in,two_year_recid\n"
        "Male,1993-06-01,Asian,0,3,0,1,0,2013-05-30 10:00:00,1\n"  # not yet 20
        "Female,1993-06-01,Caucasian,1,7,0,0,3,2013-08-01 10:00:00,0\n"  # past 20
        "Male,1950-06-01,Hispanic,0,1,0,0,4,,0\n"
    )
    data = compas.load(path)
    assert data.counts == {"records": 3, "with all dates of the jail stay": 2}
    assert data.labels.tolist() == [1, 0]
    chosen = [[name for name, bits in data.features.items() if bits[row]] for row in range(2)]
    assert chosen[0] == [
        *("sex = male", "age = 18-20", "juvenile felonies = 0", "juvenile misdemeanors = 0"),
        *("juvenile crimes > 0", "priors = 0", "race = Other"),
    ]
    assert chosen[1] == [
        *("sex = female", "age = 21-22", "juvenile felonies > 0", "juvenile misdemeanors = 0"),
        *("juvenile crimes > 0", "priors = 2-3", "race = Caucasian"),
    ]


def test_every_row_has_one_value_of_each_attribute(records: Path) -> None:
    context = context_of(records)
    for data in (context.compas, compas.two_features(context.compas)):
        for clauses in data.attributes.values():
            matrix = np.stack([data.features[clause] for clause in clauses])
            assert (matrix.sum(axis=0) == 1).all()
    assert (len(context.compas.attributes), context.compas.n_binary) == (7, 17)
    assert len(context.data("A").attributes) == 6
    assert (len(context.data("C").features), len(context.data("D").features)) == (28, 20)
    assert len(context.data("E").features) == 46


def test_stops_understand_both_marks_and_drop_what_is_unknown(tmp_path: Path) -> None:
    write_stops(tmp_path / "nypd_sqf_2014.csv.gz", 400)
    data = stops.load_nyclu(tmp_path / "nypd_sqf_2014.csv.gz")
    counts = data.counts
    assert counts["records"] == 400
    assert counts["frisked or searched"] > counts["without missing data, aged 12-89"] == len(data)
    assert counts["with a weapon"] == int(data.labels.sum()) > 0
    with_ones = sum(bits.sum() for name, bits in data.features.items() if "reason" in name)
    assert with_ones / (9 * len(data)) == pytest.approx(2 / 6, abs=0.05)


def test_years_are_read_one_after_the_other_also_from_archives(tmp_path: Path) -> None:
    write_stops(tmp_path / "2008.csv", 200, seed=8)
    write_stops(tmp_path / "plain" / "2009.csv", 300, seed=9)
    with zipfile.ZipFile(tmp_path / "sqf-2009-csv.zip", "w") as archive:
        archive.write(tmp_path / "plain" / "2009.csv", "2009_sqf.csv")
    store = Store(tmp_path)
    paths = [store.find(nypd_year(year)) for year in (2008, 2009)]
    both = stops.load_nypd(paths)
    each = [stops.load_nypd([path]) for path in paths]
    assert both.counts["records"] == 500
    assert len(both) == len(each[0]) + len(each[1])
    # Only "CPW" as it is written counts, and only where somebody was frisked or searched.
    assert both.counts["records"] > both.counts["suspected of CPW"] > len(both)


def test_a_file_that_is_not_the_raw_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match="no column sex"):
        compas.load(path)
    with pytest.raises(InputError, match="is it a yearly file"):
        stops.load_nyclu(path)


def test_folds_are_the_same_every_time_and_resampling_balances() -> None:
    labels = np.array([0] * 90 + [1] * 30, np.int32)
    folds = list(split(labels))
    again = list(split(labels))
    assert all((a.test == b.test).all() for a, b in zip(folds, again, strict=True))
    assert sorted(np.concatenate([fold.test for fold in folds])) == list(range(120))
    rows = resampled(labels, folds[0])
    assert (rows == resampled(labels, folds[0])).all()
    assert np.bincount(labels[rows]).tolist() == [81, 81]
    assert set(rows) <= set(folds[0].train)
    weights = balanced_weights(labels)
    assert weights[labels == 0].sum() == weights[labels == 1].sum()


# --- The real data ------------------------------------------------------------------------------


def test_propublica_is_the_public_binary_file_and_gives_the_papers_antecedents(
    data_dir: Path,
) -> None:
    context = context_of(data_dir, "--folds", "10")
    data = context.data("A")
    features, labels = compas.read_binary(data_dir / "compas" / "compas-binary.csv.gz")
    assert len(data) == 6907
    assert all((data.features[name] == bits).all() for name, bits in features.items())
    assert ((data.labels == 1) == labels).all()
    sizes = [len(context.task(Family("A", "0.005"), fold).names) for fold in context.folds("A")]
    assert (min(sizes), max(sizes)) == (122, 123)


def test_nyclu_is_the_public_file(data_dir: Path) -> None:
    data = context_of(data_dir).nyclu
    theirs = stops.read_authors(data_dir / "nyclu" / "nyclu2014_weapon_29595.csv.gz")
    assert len(data) == 29595
    assert data_sets._multiset(data) == data_sets._multiset(theirs)


def test_optimal_list_of_a_real_fold_is_the_papers(data_dir: Path) -> None:
    context = context_of(data_dir, "--folds", "1", "--long-limit", "60")
    (outcome,) = context.outcomes(Family("A", "0.005"))
    assert outcome.is_optimal
    assert outcome.rule_list.meaning() == paper.LISTS["A", "0.005"][0][0].meaning()


# --- Sources ------------------------------------------------------------------------------------


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder on this machine."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def stores(tmp_path: Path) -> Store:
    (tmp_path / "data").mkdir()
    return Store(tmp_path / "data", tmp_path / "cache", fetch=True)


def test_a_file_is_fetched_once_and_checked(tmp_path: Path) -> None:
    (tmp_path / "public").mkdir()
    file = tmp_path / "public" / "raw.csv"
    file.write_text("a\n1\n")
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    store = stores(tmp_path)
    with served(tmp_path / "public") as address:
        source = Source("raw.csv", ("raw.csv",), f"{address}/raw.csv", digest)
        found = store.find(source)
    assert found == tmp_path / "cache" / "raw.csv"
    assert found.read_text() == "a\n1\n"
    assert store.find(source) == found  # the server is gone
    found.write_text("damaged")
    with pytest.raises(InputError, match="checksum"):
        store.find(source)


def test_a_file_with_the_wrong_checksum_does_not_enter_the_cache(tmp_path: Path) -> None:
    file = tmp_path / "raw.csv"
    file.write_text("another version")
    store = stores(tmp_path)
    source = Source("raw.csv", ("raw.csv",), file.as_uri(), "0" * 64)
    with pytest.raises(InputError, match="checksum"):
        store.find(source)
    assert list((tmp_path / "cache").iterdir()) == []


def test_without_a_known_checksum_the_first_one_counts(tmp_path: Path) -> None:
    file = tmp_path / "raw.csv"
    file.write_text("first")
    store = stores(tmp_path)
    source = Source("raw.csv", ("raw.csv",), file.as_uri())
    cached = store.find(source)
    cached.unlink()
    file.write_text("second")
    with pytest.raises(InputError, match="checksum"):
        store.find(source)


def test_what_cannot_be_fetched_says_what_to_do(tmp_path: Path) -> None:
    store = stores(tmp_path)
    source = Source("raw.csv", ("raw.csv",), (tmp_path / "nowhere").as_uri())
    with pytest.raises(MissingDataError, match="put it into"):
        store.find(source)
    with pytest.raises(MissingDataError, match="--fetch"):
        Store(tmp_path / "data", tmp_path / "cache").find(source)
    with pytest.raises(InputError, match="not a folder"):
        Store(tmp_path / "nowhere")


def test_a_package_that_carries_the_file_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "carrier_of_records"
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('must not be imported')")
    (package / "raw.csv").write_text("a\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    source = replace(COMPAS, paths=("none",), package=("carrier_of_records", "raw.csv"))
    assert Store(tmp_path, tmp_path / "cache").find(source) == package / "raw.csv"


# --- Lists, searches, methods -------------------------------------------------------------------


def test_lists_are_compared_as_the_paper_does() -> None:
    first = parse("stop reason = casing: yes; stop reason ≠ suspicious bulge: no; yes")
    second = parse("stop reason = suspicious bulge: yes; stop reason = casing: yes; no")
    third = parse("stop reason = suspicious bulge: yes; no")
    assert first.meaning() == second.meaning() != third.meaning()
    assert [number for _, number in frequencies([first, third, second])] == [2, 1]
    features = {
        "stop reason = casing": np.array([True, False, False]),
        "stop reason = suspicious bulge": np.array([False, True, False]),
        "stop reason ≠ suspicious bulge": np.array([True, False, True]),
    }
    assert first.predict(features).tolist() == second.predict(features).tolist() == [1, 1, 0]


def test_every_printed_list_asks_for_features_that_there_are(records: Path) -> None:
    context = context_of(records)
    for (letter, _), printed in paper.LISTS.items():
        for each, _ in printed:
            clauses = {clause for rule in each.rules for clause in rule.clauses}
            assert clauses <= set(context.data(letter).features), letter
    for printed in (paper.LISTS["A", value] for value in ("0.02", "0.01", "0.005")):
        assert sum(number for _, number in printed) == 10


def test_both_settings_and_any_number_of_jobs_find_the_same_optimum(records: Path) -> None:
    context = context_of(records)
    family = Family("A", "0.02")
    tasks = [
        context.task(family, fold, setting)
        for fold in context.folds("A")
        for setting in (SURELIST, CORELS)
    ]
    one, two = run_all(tasks), run_all(tasks, jobs=2)
    assert [each.status for each in one] == ["optimal"] * len(tasks)
    assert [each.objective for each in one] == [each.objective for each in two]
    assert one[0].objective == one[1].objective
    data, fold = context.data("A"), context.folds("A")[0]
    lost = (one[0].rule_list.predict(data.features) != data.labels)[fold.train].mean()
    assert one[0].objective == pytest.approx(lost + 0.02 * len(one[0].rule_list))


def test_weights_are_resampling_without_chance() -> None:
    labels = np.array([0] * 6 + [1] * 3, np.int32)
    bits = np.array([0, 0, 0, 0, 0, 1, 1, 1, 0], bool)
    names, captures = antecedents({"a = 1": bits}, clauses=1)
    assert names == ("a = 1",)
    twice = np.concatenate([np.arange(9), np.arange(6, 9)])
    from experiments.searches import Task

    weighted = Task(names, captures, labels, "0.01", weights=balanced_weights(labels))
    drawn = Task(names, captures[twice], labels[twice], "0.01")
    first, second = run_all([weighted, drawn])
    assert first.objective == second.objective
    assert first.rule_list == second.rule_list


def test_cart_keeps_a_split_that_saves_enough_errors() -> None:
    # The first column saves 35 of 50 errors; no other split saves any more.
    X = np.array([[1, 0, 0]] * 30 + [[1, 1, 0]] * 15 + [[0, 0, 1]] * 60, np.uint8)
    y = np.array([1] * 30 + [0] * 5 + [1] * 10 + [0] * 50 + [1] * 10, np.int32)
    weights = np.ones(len(y), np.int64)
    sizes = [Cart(cp).fit(X, y, weights).get_n_leaves() for cp in (0.9, 0.1, 0.0)]
    assert sizes == [1, 2, 2]
    two = Cart(0.1).fit(X, y, weights)
    assert two.predict(X).tolist() == X[:, 0].tolist()
    whole = Cart(0.0).fit(X[:, :1], X[:, 1].astype(np.int32), weights)
    assert (whole.predict(X[:, :1]) == whole._grown.predict(X[:, :1])).all()


def test_a_peer_that_does_not_install_or_run_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from benchmarks.peers import Environment

    models = [Model("C4.5", "", "J48"), Model("SBRL", "", "BRL")]
    X, y = np.zeros((4, 1), np.uint8), np.array([0, 1, 0, 1], np.int32)

    def prepare(name: str) -> Environment:
        return Environment(name, error="no wheel" if name == "imodels" else "")

    monkeypatch.setattr(peers, "prepare", prepare)
    monkeypatch.setattr("shutil.which", lambda _: None)
    results, notes = peers.measure(models, X, y, [], 1.0)
    assert results == {}
    assert notes["C4.5"].endswith("there is no `java`")
    assert notes["SBRL"] == "imodels does not install: no wheel"


def test_the_process_of_a_peer_fits_every_fold(monkeypatch: pytest.MonkeyPatch) -> None:
    from experiments import peer_common

    X = np.array([[0], [1]] * 4, np.uint8)
    y = np.array([0, 1] * 4, np.int32)
    folds = [(fold.train, fold) for fold in split(y, 2)]
    models = [Model("constant", "", "J48"), Model("column", "", "J48")]

    def process(command: list[str], _: float, **__: str) -> tuple[int, str]:
        def fit(*given: Any) -> tuple[Any, float]:
            patterns = given[-1]
            return patterns[:, 0], 2.0

        monkeypatch.setattr(sys, "argv", command[2:])
        peer_common.serve(fit)
        return 0, ""

    monkeypatch.setattr(peers, "run_apart", process)
    found, note = peers._run("python", "module", models, X, y, folds, 60.0)
    assert note == ""
    for per_fold in found.values():
        assert [one.size for one in per_fold] == [2.0, 2.0]
        assert all((one.train == y).all() for one in per_fold)
    found, note = peers._run("python", "module", models, X, y, folds, -1.0)
    assert found == {}
    assert "0 of 2 folds in time" in note


# --- The report ---------------------------------------------------------------------------------


def test_the_report_says_what_was_measured(tmp_path: Path) -> None:
    section = Section("One", ["Text with <angles>.", Table(["a", "b"], [["x", "1"]])])
    (tmp_path / "dot.png").write_bytes(b"picture")
    section.add(Figure("dot.png", "A dot."))
    section.claim("it is so", "seen", True)
    section.claim("it is more", "less", False)
    section.claim("it is far", "not here", None)
    markdown, html = (
        path.read_text(encoding="utf-8") for path in write([section], tmp_path, "In.")
    )
    assert "Of 3 claims 1 hold, 1 do not, and 1 could not be tested." in markdown
    assert "| ✘ does not hold | it is more | less |" in markdown
    assert '<td class="fails">✘ does not hold</td>' in html
    assert 'src="data:image/png;base64,cGljdHVyZQ=="' in html
    assert "&lt;angles&gt;" in html
    assert not list(tmp_path.glob(".*"))


def test_everything_runs_on_made_up_records(records: Path, tmp_path: Path) -> None:
    arguments = ["--quick", "--data", str(records), "--output", str(tmp_path)]
    assert run.main([*arguments, "--limit", "0.2", "--long-limit", "0.3"]) == 0
    report = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "The authors’ own folds" not in report  # they are not there
    assert "Authors folds (skipped)" in report
    for name in ("Tables 1 and 2", "Table 3", "Table 4", "Table 6", "section 6.5", "by race"):
        assert name in report
    pictures = {path.name for path in tmp_path.glob("*.png")}
    assert {"accuracy-propublica.png", "rates-by-race.png", "ablation-progress.png"} <= pictures
    assert all(f"({name})" in report for name in pictures)
    assert "✔ holds" in report
    # Made-up records are not the paper's.
    assert "✘ does not hold | 6,907 of 7,214" in report


def test_without_data_nothing_runs_and_the_reason_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "empty").mkdir()
    arguments = ["--quick", "--data", str(tmp_path / "empty"), "--output", str(tmp_path / "out")]
    assert run.main(arguments) == 2
    assert "--fetch" in capsys.readouterr().err


def test_scores_are_named_by_their_setting() -> None:
    one = Scored("CART", "cp = 0.1", (2.0,), (0.5,), (0.5,), (0.5,), (0.5,))
    assert (one.name, replace(one, setting="").name) == ("CART (cp = 0.1)", "CART")


def test_options() -> None:
    assert read_options("run", []).folds == 10
    quick = read_options("run", ["--quick"])
    assert (quick.folds, quick.ablation_folds, quick.peers) == (2, 1, False)
    with pytest.raises(SystemExit):
        read_options("run", ["--folds", "0"])


def test_dataset_without_and_only() -> None:
    bits = np.array([True])
    data = Dataset("x", {"a = 1": bits, "b > 2": bits}, np.array([1], np.int32))
    assert list(data.without(["a"]).features) == list(data.only(["b"]).features) == ["b > 2"]
