from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import surelist

PUBLIC = {
    "Antecedent",
    "Binarizer",
    "ByCuts",
    "Certificate",
    "Clause",
    "ClusterWarning",
    "CountedRuleLists",
    "Explanation",
    "FairCertificate",
    "Fairness",
    "FairnessPath",
    "FairnessPoint",
    "FairnessReport",
    "Finding",
    "FormatError",
    "GroupRates",
    "InputError",
    "Inspection",
    "LossByLength",
    "PathSegment",
    "RegularizationPath",
    "Rule",
    "RuleList",
    "RuleListClassifier",
    "RuleListClassifierCV",
    "RuleLists",
    "SurelistError",
    "UncertifiedWarning",
    "UnwrittenWarning",
    "Verification",
    "VerificationError",
    "__version__",
    "count_near_optimal",
    "fairness_path",
    "from_query",
    "inspect",
    "load",
    "near_optimal",
    "objective_by_cuts",
    "regularization_path",
    "resume",
    "verify",
}


def test_all_is_exact() -> None:
    assert set(surelist.__all__) == PUBLIC
    assert len(surelist.__all__) == len(PUBLIC)
    for name in PUBLIC:
        assert getattr(surelist, name) is not None
        assert name in dir(surelist)


def test_everything_public_is_named() -> None:
    modules = {module.name for module in pkgutil.iter_modules(surelist.__path__)}
    attributes = {name for name in vars(surelist) if not name.startswith("_")}
    typing_only = {"TYPE_CHECKING", "Any", "annotations", "import_module"}
    assert attributes - modules - typing_only <= PUBLIC


def test_modules_name_only_what_they_have() -> None:
    for module in pkgutil.walk_packages(surelist.__path__, prefix="surelist."):
        if module.name.endswith((".__main__", "._core", "._checker", ".verify")):
            continue
        loaded = importlib.import_module(module.name)
        for name in [] if module.ispkg else loaded.__all__:
            assert hasattr(loaded, name), f"{module.name}.{name}"


def test_public_modules_keep_their_names() -> None:
    public = {
        "conditions": "Interval",
        "corels": "CorelsClassifier",
        "corels_text": "read",
        "datasets": "load_tic_tac_toe",
        "errors": "SurelistError",
        "export": "export",
        "loss_by_length": "LossByLength",
        "plot": "plot_rule_list",
        "predicates": "parse_antecedent",
        "progress": "Progress",
        "query": "from_query",
        "trace": "Trace",
        "verify": "VerificationError",
        "weights": "row_weights",
    }
    for module, name in public.items():
        assert hasattr(importlib.import_module(f"surelist.{module}"), name), f"{module}.{name}"


def test_version_is_the_installed_one() -> None:
    assert surelist.__version__ == version("surelist")
    assert re.fullmatch(r"\d+\.\d+\.\d+.*", surelist.__version__)


def test_unknown_names_are_attribute_errors() -> None:
    assert not hasattr(surelist, "no_such_thing")


def loaded_by(statement: str) -> set[str]:
    """The packages that a statement imports in an interpreter of its own."""
    program = (
        f"import sys\nbefore = set(sys.modules)\n{statement}\n"
        "print(*{name.partition('.')[0] for name in set(sys.modules) - before})"
    )
    finished = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert finished.stderr == ""
    return set(finished.stdout.split())


def test_importing_the_package_is_cheap() -> None:
    # Nothing but the standard library, and of that nothing that takes long.
    loaded = loaded_by("import surelist")
    assert loaded - {"surelist"} <= sys.stdlib_module_names
    assert loaded.isdisjoint({"argparse", "asyncio", "inspect", "json", "logging", "subprocess"})


def test_a_rule_list_needs_no_more_than_numpy() -> None:
    loaded = loaded_by("import surelist; surelist.RuleList")
    assert "numpy" in loaded
    heavy = {"sklearn", "scipy", "pandas", "polars", "pyarrow", "joblib", "matplotlib"}
    assert loaded.isdisjoint(heavy | {"rich", "typer", "click", "duckdb", "psycopg"})


def test_the_estimator_needs_no_data_frame_library() -> None:
    # Not by None in sys.modules, which scikit-learn 1.6 takes for pandas.
    absent = (
        "import sys\n"
        "class Absent:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name in ('pandas', 'polars'):\n"
        "            raise ModuleNotFoundError(name, name=name)\n"
        "sys.meta_path.insert(0, Absent())\n"
    )
    program = (
        f"{absent}from surelist import RuleListClassifier\n"
        "model = RuleListClassifier().fit([[0], [1]] * 5, [0, 1] * 5)\n"
        "assert model.predict([[1]]).tolist() == [1]"
    )
    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "", "")


def signatures(stub: Path) -> dict[str, list[str]]:
    """Every function and property of a stub with the names of its parameters."""
    found = {}
    tree = ast.parse(stub.read_text(encoding="utf-8"))
    holders: list[ast.Module | ast.ClassDef] = [tree]
    holders += [node for node in tree.body if isinstance(node, ast.ClassDef)]
    for holder in holders:
        for node in holder.body:
            if isinstance(node, ast.FunctionDef):
                arguments = [*node.args.args, *node.args.kwonlyargs]
                owner = getattr(holder, "name", "")
                found[f"{owner}.{node.name}"] = [argument.arg for argument in arguments]
    return found


@pytest.mark.parametrize(("module", "least"), [("_core", 20), ("_checker", 4)])
def test_the_stub_of_a_compiled_module_is_up_to_date(
    tmp_path: Path, module: str, least: int
) -> None:
    made = tmp_path / f"{module}.pyi"
    stubgen = [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", f"surelist.{module}", "-o"]
    subprocess.run([*stubgen, str(made)], check=True)
    kept = Path(surelist.__file__).with_name(f"{module}.pyi")
    assert signatures(kept) == signatures(made), "run `make stubs`"
    assert len(signatures(kept)) > least


def test_verify_is_the_function_whatever_is_imported_first() -> None:
    for first in ("import surelist", "import surelist.verify", "from surelist import verify"):
        program = (
            f"{first}\nimport surelist, surelist.verify\n"
            "from surelist.verify import VerificationError\n"
            "print(surelist.verify is surelist.fast_checker.verify, VerificationError.__module__)"
        )
        finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        assert (finished.stdout, finished.stderr) == ("True surelist.checker\n", "")


def test_verify_runs_as_a_program_under_both_names() -> None:
    said = {
        subprocess.run(
            [sys.executable, "-m", f"surelist.{name}", "--help"], capture_output=True, text=True
        ).stdout.partition("\n\n")[2]
        for name in ("verify", "checker")
    }
    assert len(said) == 1
    assert "certificate" in said.pop()
