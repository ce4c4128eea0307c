"""Runs through the page's requests: searched, stopped, queued, understood, kept, deleted."""

from __future__ import annotations

import asyncio
import csv
import hashlib
import html
import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from web_server import Page, compas_csv, serving, slow_csv, until

import surelist
from surelist.tables.files import open_table
from surelist.web.file_names import download_name
from surelist.web.limits import Limits
from surelist.web.run_queue import RunQueue
from surelist.web.store import Store

SETTINGS: dict[str, Any] = {
    "label": "recidivated",
    "roles": {"sex": "protected", "race": "protected", "id": "leave_out", "name": "leave_out"},
    "regularization": "0.02",
}

SLOW: dict[str, Any] = {"label": "label", "regularization": "0.001", "max_clauses": 2}


@pytest.fixture(scope="module")
def server_flags() -> Sequence[str]:
    return ("--max-memory", "1000")


@pytest.fixture(scope="module")
def data(page: Page) -> str:
    return page.dataset(compas_csv(), "compas.csv")


@pytest.fixture(scope="module")
def done(page: Page, data: str) -> Any:
    run = page.wait(page.run(data, **SETTINGS, held_out=0.25))["id"]
    assert page.wait_for_job(run, "test", begun=True)["state"] == "finished"
    return page.get(f"/api/runs/{run}")


@pytest.fixture(scope="module")
def slow(page: Page) -> str:
    return page.dataset(slow_csv(), "slow.csv")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("table") / "compas.csv"
    path.write_bytes(compas_csv())
    return path


def cli(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "surelist.cli", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd)


# Before a search.


def test_the_preview_shows_cuts_and_counts(page: Page, data: str) -> None:
    columns = page.post(f"/api/datasets/{data}/columns", SETTINGS, status=200)
    found = {column["name"]: column for column in columns["columns"]}
    assert set(found) == {"age", "priors_count", "charge"}
    assert found["age"]["cuts"] == sorted(found["age"]["cuts"])
    assert len(found["age"]["cuts"]) >= 1
    counts = found["age"]["histogram"]["counts"]
    assert sum(map(sum, counts)) == 600
    assert found["charge"]["cuts"] is None
    moved = SETTINGS | {"columns": {"age": [22, 40.0]}}
    again = page.post(f"/api/datasets/{data}/columns", moved, status=200)
    assert again["columns"][0]["cuts"] == [22, 40]
    problem = page.post(f"/api/datasets/{data}/problem", moved, status=200)
    assert problem["rows"] == 600
    assert problem["antecedents"] > problem["features"] > 5
    assert 1 < problem["groups"] <= 600


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"label": "nothing"}, "no column 'nothing'"),
        ({"label": None}, "choose the column"),
        ({"roles": {"nothing": "leave_out"}}, "no column 'nothing'"),
        ({"regularization": "2"}, "regularization"),
        ({"regularization": "0.1; drop"}, "regularization"),
        ({"max_clauses": 0}, "max_clauses"),
        ({"bounds": ["nonsense"]}, "bounds"),
        ({"class_weight": {"maybe": 1}}, "no label"),
        ({"policy": "best"}, "policy"),
        ({"label": "name"}, "too many for classes"),
        ({"surprise": 1}, "surprise"),
    ],
)
def test_settings_that_cannot_be_used_are_refused(
    page: Page, data: str, change: dict[str, Any], reason: str
) -> None:
    body = {"dataset": data, "settings": SETTINGS | change}
    answer = page.client.post("/api/runs", json=body)
    assert answer.status_code == 422, answer.text
    text = answer.json()["error"]
    assert reason in text
    assert str(page.folder) not in text


# A search that ends with a proof.


def test_a_run_finds_what_the_library_finds(page: Page, done: Any, table: Path) -> None:
    result = done["result"]
    model = surelist.load(page.folder / "runs" / done["id"] / "model.json")
    rows = open_table(table)
    own = surelist.RuleListClassifier(regularization=0.02)
    own.fit(
        rows.without(["id", "name", "sex", "race", "recidivated"]),
        [rows.column(7).values[code] for code in rows.column(7).codes],  # type: ignore[union-attr]
    )
    assert result["status"] == own.status_ == "optimal"
    assert result["text"] == list(own.rule_list_.lines()) == list(model.rule_list_.lines())
    assert result["objective_exact"] == str(own.objective_exact_)
    assert result["gap"] == 0
    asked = {clause for rule in result["rules"] for clause in rule["clauses"]}
    assert not any("sex" in clause or "race" in clause for clause in asked)


def test_counts_add_up(done: Any) -> None:
    result = done["result"]
    rules = result["rules"]
    assert sum(rule["captured"] for rule in rules) == result["rows"] == 600
    right = sum(rule["correct"] for rule in rules)
    assert result["accuracy"] == pytest.approx(right / 600)
    assert result["loss"] == pytest.approx(1 - right / 600)
    confusion = result["confusion"]
    assert confusion[0][0] + confusion[1][1] == right
    for column in result["groups"]:
        total = sum(sum(map(sum, group["counts"])) for group in column["groups"])
        assert total == 600
    protected = [column["column"] for column in result["groups"] if column["protected"]]
    assert sorted(protected) == ["race", "sex"]
    for rule in rules:
        for row in rule["examples"]["rows"]:
            assert 2 <= row["line"] <= 601


def test_held_out_rows_were_not_learned_from(done: Any) -> None:
    held = done["result"]["held_out"]
    assert (held["rows"], held["train_rows"]) == (150, 450)
    assert sum(map(sum, held["confusion"])) == 150
    assert 0.5 < held["accuracy"] <= 1


def test_one_person_gets_the_prediction_of_the_model(page: Page, done: Any, table: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(table.read_text())))
    model = surelist.load(page.folder / "runs" / done["id"] / "model.json")
    expected = model.rule_list_.predict(open_table(table)).tolist()
    for index in (0, 9, 17, 59, 100):
        found = page.post(f"/api/runs/{done['id']}/explain", {"values": rows[index]}, status=200)
        assert found["label"] == expected[index]
        assert sum(found["probabilities"].values()) == pytest.approx(1)
        assert [step["fires"] for step in found["steps"][:-1]] == [False] * (
            len(found["steps"]) - 1
        )
    empty = page.post(f"/api/runs/{done['id']}/explain", {"values": {}}, status=200)
    assert empty["label"] in ("yes", "no")
    wrong = page.client.post(f"/api/runs/{done['id']}/explain", json={"values": {"age": "old"}})
    assert wrong.status_code == 422
    assert "age must be a number" in wrong.json()["error"]


def test_everything_can_be_downloaded(page: Page, done: Any) -> None:
    begins = {
        "model.json": b"{",
        "certificate.cert": b"surelist certificate 2\n",
        "rules.txt": b"if (",
        "rules.tex": b"",
        "rules.py": b"",
        "rules.sql": b"CASE",
        "rules.dot": b"digraph",
        "rules.png": b"\x89PNG",
        "rules.svg": b"<?xml",
        "search.png": b"\x89PNG",
        "search.svg": b"<?xml",
        "predictions.csv": b"id,name",
        "report.html": b"<!doctype html>",
        "bundle.zip": b"PK",
    }
    assert set(done["downloads"]) == set(begins)
    for kind, begin in begins.items():
        answer = page.client.get(f"/api/runs/{done['id']}/downloads/{kind}")
        assert answer.status_code == 200, kind
        assert answer.content.startswith(begin), kind
        # By the name of the run, so that the files of two runs are told apart.
        named = quote(download_name(done["name"], kind))
        said = answer.headers["content-disposition"]
        assert said in (
            f"attachment; filename*=utf-8''{named}",
            f'attachment; filename="{named}"',
        )
    assert page.client.get(f"/api/runs/{done['id']}/downloads/spec.json").status_code == 404
    assert page.client.get(f"/api/runs/{done['id']}/downloads/..%2fspec.json").status_code == 404


def test_the_report_stands_alone(page: Page, done: Any) -> None:
    text = page.client.get(f"/api/runs/{done['id']}/downloads/report.html").text
    assert "Proven optimal" in text
    assert "surelist verify certificate.cert compas.csv --label recidivated" in text
    assert "By race" in text
    assert "<script" not in text
    assert "src=" not in text
    assert "http-equiv" in text


def test_the_bundle_is_the_same_again_and_one_command_accepts_it(
    page: Page, done: Any, table: Path, tmp_path: Path
) -> None:
    bundle = tmp_path / "bundle.zip"
    first, second = (
        page.client.get(f"/api/runs/{done['id']}/downloads/bundle.zip").content for _ in range(2)
    )
    assert first == second
    bundle.write_bytes(first)
    finished = cli("verify", bundle, table)
    assert finished.returncode == 0, finished.stderr
    assert "has the rule list that was proven" in finished.stdout
    with zipfile.ZipFile(bundle) as archive:
        manifest = json.loads(archive.read("manifest.json"))
        report = archive.read("report.html").decode()
    assert manifest["data"]["files"][0]["sha256"] == hashlib.sha256(table.read_bytes()).hexdigest()
    assert manifest["settings"]["held_out"] == 0.25
    for line in done["result"]["held_out"]["text"]:  # the list of the test, too
        assert html.escape(line) in report
    # The command in it finds the same list, and proves it.
    flags = manifest["reproduce"].split()[1:]
    assert flags[:2] == ["fit", "compas.csv"]
    again = cli("fit", table, *flags[2:], "--json", cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout)["text"] == done["result"]["text"]


def test_markup_and_formulas_in_data_do_no_harm(page: Page) -> None:
    bad = "=cmd|' /C calc'!A0", "<script>alert(1)</script>"
    rows = "".join(f'"{bad[n % 2]}","{"<b>yes</b>" if n % 2 else "=no"}"\n' for n in range(40))
    data = page.dataset(f'"<i>x</i>",y\n{rows}'.encode(), "<b>.csv")
    run = page.wait(page.run(data, label="y", regularization="0.05"))
    text = page.client.get(f"/api/runs/{run['id']}/downloads/report.html").text
    body = text[text.index("<h1>") :]
    assert "<script" not in body
    assert "<b>yes</b>" not in body.replace("&lt;b&gt;yes&lt;/b&gt;", "")
    assert "&lt;script&gt;" in body
    table = page.client.get(f"/api/runs/{run['id']}/downloads/predictions.csv").text
    for row in csv.reader(io.StringIO(table)):
        assert not any(cell.startswith(("=", "+", "@")) for cell in row), row


# The proof.


def test_verify_says_what_is_proven_and_refuses_what_is_not(page: Page, data: str) -> None:
    run = page.wait(page.run(data, **SETTINGS))
    job = page.wait_for_job(run["id"], "verify")
    assert job["outcome"]["verified"]
    assert job["outcome"]["statement"].startswith("Verified: no rule list over these")
    assert job["outcome"]["objective"] == run["result"]["objective_exact"]
    assert job["outcome"]["reader"] == "the checker's own CSV reader"
    report = page.client.get(f"/api/runs/{run['id']}/downloads/report.html").text
    assert "The data were read by the checker&#x27;s own CSV reader." in report
    path = page.folder / "runs" / run["id"] / "certificate.cert"
    good = path.read_bytes()
    path.write_bytes(good.replace(b'"n_rows": 600', b'"n_rows": 601'))
    job = page.wait_for_job(run["id"], "verify")
    assert job["outcome"]["verified"] is False
    assert job["outcome"]["reason"]


def test_the_command_line_accepts_the_certificate(
    page: Page, done: Any, table: Path, tmp_path: Path
) -> None:
    proof = tmp_path / "certificate.cert"
    proof.write_bytes(page.client.get(f"/api/runs/{done['id']}/downloads/certificate.cert").content)
    finished = cli("verify", proof, table, "--label", "recidivated")
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.startswith("Verified: no rule list")


def test_the_path_has_the_run_on_it(page: Page, done: Any) -> None:
    job = page.wait_for_job(done["id"], "path")
    segments = job["outcome"]["segments"]
    assert segments[0]["start"] == pytest.approx(0.01)
    lengths = [segment["length"] for segment in segments]
    assert lengths == sorted(lengths, reverse=True)
    own = next(each for each in segments if each["start"] <= 0.02 <= each["stop"])
    assert own["text"] == done["result"]["text"]


def test_two_runs_side_by_side(page: Page, data: str, done: Any) -> None:
    other = page.wait(page.run(data, **SETTINGS | {"regularization": "0.45"}))
    found = page.get(f"/api/compare?a={done['id']}&b={other['id']}")
    assert [run["id"] for run in found["runs"]] == [done["id"], other["id"]]
    assert found["agreement"]["rows"] == 600
    assert 0 < found["agreement"]["same"] <= 600
    same = page.get(f"/api/compare?a={done['id']}&b={done['id']}")
    assert same["agreement"]["same"] == 600

    # The rows on which they differ, and the rates of both by group.
    asked = {"other": other["id"]}
    differ = page.post(f"/api/runs/{done['id']}/rows", asked, status=200)
    assert differ["total"] == 600 - found["agreement"]["same"] > 0
    assert all(row["predicted"][0] != row["predicted"][1] for row in differ["rows"])
    only = other["result"]["rules"][0]["label"]
    assert {row["predicted"][1] for row in differ["rows"]} == {only}
    body = {"columns": ["race"], "positive": only, **asked}
    for group in page.post(f"/api/runs/{done['id']}/rates", body, status=200)["groups"]:
        assert group["models"]["other"]["selected"]["share"] == 1
        assert group["models"]["training"]["selected"]["share"] < 1
    again = page.wait(page.run(page.dataset(compas_csv(600)), **SETTINGS))
    assert again["dataset"] != done["dataset"]  # the same file, sent twice
    assert page.get(f"/api/compare?a={done['id']}&b={again['id']}")["agreement"]["same"] == 600
    differ = page.post(f"/api/runs/{done['id']}/rows", {"other": again["id"]}, status=200)
    assert differ["total"] == 0
    elsewhere = page.wait(page.run(page.dataset(compas_csv(100)), **SETTINGS))
    refused = {"other": elsewhere["id"]}
    for kind, body in (("rows", {}), ("rates", {"columns": ["race"], "positive": only})):
        answer = page.client.post(f"/api/runs/{done['id']}/{kind}", json=body | refused)
        assert answer.status_code == 422
        assert "different data" in answer.json()["error"]


# Searches that do not end by themselves.


def test_a_stopped_run_keeps_the_best_list_and_its_gap(page: Page, slow: str) -> None:
    run = page.run(slow, **SLOW)
    seen = page.wait_for_points(run, 12)
    points = [point for point in seen["points"] if "objective" in point]
    assert points[0]["rules"][-1]["antecedent"] is None
    assert points[-1]["queue_by_length"]
    assert sum(points[-1]["pruned"].values()) > 0
    for point in points:
        assert point["lower_bound"] <= point["objective"]
    later = page.get(f"/api/runs/{run}/progress?after={seen['next']}")
    assert len(later["points"]) == later["next"] - seen["next"]
    page.post(f"/api/runs/{run}/stop", status=200)
    found = page.wait(run)
    assert found["state"] == "finished"
    assert found["result"]["status"] == "interrupted"
    assert 0 < found["result"]["gap"] < 1
    # A gap can be verified, too.
    job = page.wait_for_job(run, "verify")
    assert job["outcome"]["verified"], job
    assert job["outcome"]["optimal"] is False


def test_a_time_limit_ends_a_run(page: Page, slow: str) -> None:
    found = page.wait(page.run(slow, **SLOW, time_limit=2, held_out=0.2))
    assert found["result"]["status"] == "time_limit"
    assert found["result"]["gap"] > 0
    # The model keeps the limit that was given.
    model = surelist.load(page.folder / "runs" / found["id"] / "model.json")
    assert model.time_limit == 2


def test_runs_queue_and_can_leave_it(page: Page, slow: str) -> None:
    first, second, third = (page.run(slow, **SLOW) for _ in range(3))
    page.wait_for_points(first)
    states = [page.get(f"/api/runs/{run}")["state"] for run in (first, second, third)]
    assert states == ["running", "queued", "queued"]
    waiting = [page.get(f"/api/runs/{run}/progress")["waiting"] for run in (second, third)]
    assert waiting == [0, 1]
    page.post(f"/api/runs/{second}/stop", status=200)
    assert page.get(f"/api/runs/{second}")["outcome"]["error"] == "it was stopped before it began"
    page.post(f"/api/runs/{first}/stop", status=200)
    page.wait(first)
    page.wait_for_points(third)
    assert page.client.delete(f"/api/runs/{third}").status_code == 204
    assert page.client.get(f"/api/runs/{third}").status_code == 404
    assert not (page.folder / "runs" / third).exists()


def test_a_search_that_wants_too_much_memory_ends_alone(tmp_path: Path) -> None:
    """Its process is refused the memory, or dies; the queue says so and goes on."""
    limits = Limits(beside=330_000_000)
    store = Store(tmp_path)
    data = store.new_id()
    folder = store.data_folder(data)
    folder.mkdir()
    (folder / "about.json").write_text('{"kind": "table", "name": "wide.csv"}')
    (folder / "source").write_bytes(slow_csv(4000, 120))
    store.add_dataset(data, "wide.csv", "table", 0, {"rows": 4000, "columns": []})

    async def both() -> list[Any]:
        queue = RunQueue(store, limits)
        runs = [store.new_id(), store.new_id()]
        wide = {"label": "label", "regularization": "0.001", "max_clauses": 3, "held_out": 0}
        small = {"label": "label", "regularization": "0.1", "max_clauses": 1, "held_out": 0}
        for run, settings in zip(runs, (wide, small), strict=True):
            store.add_run(run, data, "run", settings | {"memory_limit_mb": 16, "max_features": 99})
            queue.submit(run)
        while store.run(runs[1])["state"] not in ("finished", "failed"):  # type: ignore[index]
            await asyncio.sleep(0.05)
        await queue.close()
        return [store.run(run) for run in runs]

    first, second = asyncio.run(both())
    store.close()
    assert first["state"] == "failed"
    assert "memory" in first["outcome"]["error"]
    assert second["state"] == "finished", second


def test_stopping_twice_keeps_the_best_list(page: Page, slow: str) -> None:
    run = page.run(slow, **SLOW)
    page.wait_for_points(run)
    for _ in range(3):
        page.post(f"/api/runs/{run}/stop", status=200)
    found = page.wait(run)
    assert found["state"] == "finished"
    assert found["result"]["status"] == "interrupted"


def test_what_is_discarded_is_gone(page: Page, slow: str) -> None:
    run = page.run(slow, **SLOW)
    page.wait_for_points(run)
    found = page.post(f"/api/runs/{run}/discard", status=200)
    assert found["state"] == "failed"
    assert "discarded" in found["outcome"]["error"]
    until(lambda: not (page.folder / "runs" / run).exists())
    # A finished run is not thrown away so.
    done = page.wait(page.run(slow, **SLOW, time_limit=0.5))["id"]
    assert page.post(f"/api/runs/{done}/discard", status=200)["state"] == "finished"


# What is kept.


def test_runs_can_be_renamed_and_deleted_with_their_data(page: Page) -> None:
    data = page.dataset(compas_csv(60), "short.csv")
    run = page.wait(page.run(data, **SETTINGS | {"regularization": "0.1"}))["id"]
    renamed = page.client.patch(f"/api/runs/{run}", json={"name": "  <b>mine</b> "})
    assert renamed.json()["name"] == "<b>mine</b>"
    assert page.client.patch(f"/api/runs/{run}", json={"name": " "}).status_code == 422
    assert page.client.delete(f"/api/datasets/{data}").status_code == 204
    assert page.client.get(f"/api/runs/{run}").status_code == 404
    assert not (page.folder / "data" / data).exists()
    assert not (page.folder / "runs" / run).exists()


def test_what_is_kept_survives_the_page(tmp_path: Path) -> None:
    with serving(tmp_path) as page:
        data = page.dataset(compas_csv(), "compas.csv")
        done = page.wait(page.run(data, **SETTINGS))["id"]
        slow = page.dataset(slow_csv(), "slow.csv")
        running = page.run(slow, **SLOW)
        page.wait_for_points(running)
        lost = page.run(slow, **SLOW, time_limit=1)
    with serving(tmp_path) as page:
        assert page.get(f"/api/runs/{done}")["result"]["status"] == "optimal"
        # Ctrl-C lets a search keep what it has, and it goes on before what waited.
        until(lambda: page.get(f"/api/runs/{running}")["outcome"].get("returns") == 1)
        stop_at_last(page, running)
        assert page.wait(running)["result"]["status"] == "interrupted"
        assert page.wait(lost)["result"]["status"] == "time_limit"
        killed = page.run(slow, **SLOW)
        page.wait_for_points(killed)
        page.process.kill()
        page.process.wait()
    with serving(tmp_path) as page:
        until(lambda: page.get(f"/api/runs/{killed}")["outcome"].get("returns") == 1)
        stop_at_last(page, killed)
        found = page.wait(killed)
        # Its process noticed that the page was gone, and the next page went on with it.
        assert found["state"] == "finished"
        assert found["result"]["length"] > 0


def stop_at_last(page: Page, run: str) -> None:
    """Stop a run as soon as it has a process."""
    until(lambda: page.post(f"/api/runs/{run}/stop", status=200)["state"] != "running")


def test_the_interface_is_described(page: Page) -> None:
    document = page.get("/api/openapi.json")
    paths = set(document["paths"])
    assert {"/api/start", "/api/datasets", "/api/runs", "/api/runs/{run}/progress"} <= paths
    for path, methods in document["paths"].items():
        for method, about in methods.items():
            assert about["summary"], (path, method)
            assert about["description"], (path, method)
    for path, title, script in (
        ("/", "Start", "start"),
        ("/data/0", "Data", "data"),
        ("/data/0/setup", "Set up", "setup"),
        ("/runs/0", "Run", "run"),
        ("/compare", "Compare", "compare"),
        ("/api", "API", "apidocs"),
        ("/nowhere", "Not found", "lost"),
    ):
        answer = page.client.get(path)
        assert answer.status_code == (404 if path == "/nowhere" else 200)
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert f"<title>{title} · Surelist</title>" in answer.text
        assert page.client.get(f"/static/js/{script}.js").status_code == 200
        assert f'src="/static/js/{script}.js"' in answer.text


# The command.


def test_the_command_says_what_is_wrong(tmp_path: Path, page: Page) -> None:
    port = page.base.rpartition(":")[2]
    finished = cli("serve", "--no-browser", "--port", port, "--folder", tmp_path)
    assert finished.returncode == 2
    assert "choose another --port" in finished.stderr
    finished = cli("serve", "--no-browser", "--searches", "0")
    assert finished.returncode == 2
    assert "--searches must be at least 1" in finished.stderr
    finished = cli("serve", "--no-browser", "--port", "0", "--folder", page.folder)
    assert finished.returncode == 2
    assert "another surelist serve uses" in finished.stderr
    file = tmp_path / "file"
    file.touch()
    finished = cli("serve", "--no-browser", "--port", "0", "--folder", file)
    assert finished.returncode == 2
    assert "--folder" in finished.stderr


def test_the_command_says_what_to_install() -> None:
    program = (
        "import sys; sys.modules['fastapi'] = None\n"
        "from surelist.cli import main\nsys.exit(main(['serve', '--no-browser', '--json']))"
    )
    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert finished.returncode == 2
    assert "pip install 'surelist[web]'" in json.loads(finished.stderr)["error"]


def test_help_loads_nothing_of_it() -> None:
    program = (
        "import sys\nfrom surelist.cli import main\nmain(['serve', '--help'])\n"
        "print(sorted({'fastapi', 'uvicorn', 'numpy', 'plotly'} & set(sys.modules)))"
    )
    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert finished.stdout.endswith("[]\n")
    assert "--max-upload" in finished.stdout


def test_ctrl_c_ends_it_cleanly(tmp_path: Path) -> None:
    from cli_helpers import in_terminal

    pressed: list[bytes] = []

    def act(pid: int, seen: str) -> bytes | None:
        del pid
        if pressed or "Ctrl-C ends it" not in seen:
            return None
        pressed.append(b"\x03")
        return pressed[0]

    flags = ["--no-browser", "--port", "0", "--folder", tmp_path]
    code, seen = in_terminal(["serve", *flags], act)
    assert code == 0, seen
    assert "http://127.0.0.1:" in seen
    assert "Traceback" not in seen
