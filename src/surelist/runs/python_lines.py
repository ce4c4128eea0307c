"""Lines of Python that learn what a run learned: to copy into a script or a notebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from surelist.runs.choices import Policy, Strategy, Symmetry

__all__ = ["python_lines"]

# Parameters with the same name and meaning, and their defaults.
_PARAMETERS = {
    "max_clauses": 2,
    "negations": False,
    "max_length": None,
    "policy": Policy.LOWER_BOUND,
    "symmetry": Symmetry.CAPTURED,
    "bounds": None,
    "n_jobs": 1,
    "time_limit": None,
}
_BINARIZER = {"strategy": Strategy.AUTO, "n_cuts": 3, "max_features": 28}
# As the package reads CSV files; pandas takes more texts for no value.
_MISSING = ("", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null", "NaT")
_ARROW = (".feather", ".arrow", ".ipc")


def python_lines(
    files: Sequence[str], settings: Mapping[str, Any], columns: Sequence[Mapping[str, Any]] = ()
) -> str:
    r"""Return a script that searches as a run with these settings did.

    Parameters
    ----------
    files : sequence of str
        The table; or antecedents and labels in the CORELS text format.
    settings : mapping
        As the page keeps them.
    columns : sequence of mapping
        What the columns hold, as a summary of the table has them: CSV text does not say.

    Examples
    --------
    >>> from surelist.runs.python_lines import python_lines
    >>> text = python_lines(["people.parquet"], {"label": "y", "regularization": "0.02"})
    >>> print("\n".join(text.splitlines()[3:]))
    table = pd.read_parquet("people.parquet")
    y = table.pop("y")
    model = RuleListClassifier(regularization=0.02, work_limit=None)
    model.fit(table, y)
    print(model.rule_list_)
    """
    if len(files) > 1:
        return _corels_lines(files, settings)
    label = settings.get("label")
    lines = [_read(files[0], settings, columns)]
    lines += _label_lines(str(label), settings.get("relabel") or {})
    roles = settings.get("roles") or {}
    if dropped := [name for name, role in roles.items() if role in ("protected", "leave_out")]:
        lines.append(f"table = table.drop(columns={_text(dropped)})")
    binarizer = _binarizer(settings, dropped)
    names = "Binarizer, RuleListClassifier" if binarizer else "RuleListClassifier"
    head = ["import pandas as pd", f"from surelist import {names}", ""]
    return "\n".join([*head, *lines, *_fit_lines(settings, binarizer, "table, y")]) + "\n"


def _corels_lines(files: Sequence[str], settings: Mapping[str, Any]) -> str:
    reading = f"read = surelist.corels_text.read({_text(files[0])}, {_text(files[1])})"
    given = dict(settings) | {"max_clauses": settings.get("max_clauses", 1)}
    head = ["import pandas as pd", "import surelist.corels_text"]
    head += ["from surelist import RuleListClassifier", "", reading]
    head.append("table = pd.DataFrame(read.captures, columns=list(read.antecedents))")
    head.append("y = [read.classes[code] for code in read.labels]")
    return "\n".join([*head, *_fit_lines(given, None, "table, y")]) + "\n"


def _fit_lines(settings: Mapping[str, Any], binarizer: str | None, data: str) -> list[str]:
    parameters = [f"regularization={_plain(str(settings.get('regularization', '0.01')))}"]
    for name, usual in _PARAMETERS.items():
        value = settings.get(name, usual)
        if value != usual:
            parameters.append(f"{name}={_text(value)}")
    if settings.get("min_support") is not None:
        parameters.append(f"min_support={_plain(settings['min_support'])}")
    if settings.get("class_weight") is not None:
        parameters.append(f"class_weight={_class_weight(settings['class_weight'])}")
    if binarizer is not None:
        parameters.append(f"binarizer={binarizer}")
    parameters.append("work_limit=None")
    if memory := settings.get("memory_limit_mb"):
        parameters.append(f"memory_limit={int(memory * 1_000_000)}")
    one = f"model = RuleListClassifier({', '.join(parameters)})"
    if len(one) > 88:
        inside = "".join(f"    {each},\n" for each in parameters)
        one = f"model = RuleListClassifier(\n{inside})"
    return [one, f"model.fit({data})", "print(model.rule_list_)"]


def _read(file: str, settings: Mapping[str, Any], columns: Sequence[Mapping[str, Any]]) -> str:
    lower = file.lower()
    if lower.endswith(".parquet"):
        return f"table = pd.read_parquet({_text(file)})"
    if lower.endswith(_ARROW):
        return f"table = pd.read_feather({_text(file)})"
    missing = [*_MISSING, *(settings.get("missing") or ())]
    parts = [_text(file), f"na_values={_text(missing)}", "keep_default_na=False"]
    if lower.removesuffix(".gz").endswith((".tsv", ".tab")):
        parts.insert(1, 'sep="\\t"')
    if dates := [each["name"] for each in columns if each["kind"] in ("date", "moment")]:
        parts.append(f"parse_dates={_text(dates)}")
    if texts := [each["name"] for each in columns if each["kind"] == "text"]:
        parts.append(f"dtype=dict.fromkeys({_text(texts)}, str)")
    inside = "".join(f"    {each},\n" for each in parts)
    return f"table = pd.read_csv(\n{inside})"


def _label_lines(label: str, how: Mapping[str, Any]) -> list[str]:
    lines = []
    if how.get("skip_missing"):
        lines.append(f"table = table.dropna(subset=[{_text(label)}])")
    lines.append(f"y = table.pop({_text(label)})")
    if how.get("cut") is not None:
        cut = f"{how['cut']:.12g}"
        names = f"{{False: {_text(f'< {cut}')}, True: {_text(f'≥ {cut}')}}}"
        lines.append(f"y = (y >= {cut}).map({names})")
    if how.get("merge"):
        lines.append(f"y = y.astype(str).replace({_text(dict(how['merge']))})")
    return lines


def _binarizer(settings: Mapping[str, Any], dropped: Sequence[str]) -> str | None:
    """Return how columns become features, None where nothing is said about it."""
    given = {name: settings.get(name, usual) for name, usual in _BINARIZER.items()}
    columns = {
        name: how for name, how in (settings.get("columns") or {}).items() if name not in dropped
    }
    least = settings.get("min_frequency") or settings.get("min_support")
    if given == _BINARIZER and not columns and not settings.get("min_frequency"):
        return None
    least = least or settings.get("regularization", "0.01")
    if "all" in (given["n_cuts"], *columns.values()):
        del given["max_features"]  # every cut is kept
    parts = [f"{name}={_text(value)}" for name, value in given.items()]
    parts.append(f"min_frequency={_plain(str(least))}")
    if columns:
        parts.append(f"columns={_text(columns)}")
    return f"Binarizer({', '.join(parts)})"


def _class_weight(given: Any) -> str:
    """Return weights by label; labels that look like numbers are numbers in the table, too."""
    if isinstance(given, str):
        return _text(given)
    pairs = (
        f"{label if label.lstrip('-').isdigit() else _text(label)}: {weight:g}"
        for label, weight in given.items()
    )
    return f"{{{', '.join(pairs)}}}"


def _plain(number: str) -> str:
    return f"0{number}" if number.startswith(".") else number


def _text(value: Any) -> str:
    """Return Python for a value, with double quotes as people write them."""
    if isinstance(value, str):
        shown = repr(str(value))
        return f'"{shown[1:-1]}"' if shown[0] == "'" and '"' not in shown else shown
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_text(k)}: {_text(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_text, value)) + "]"
    return repr(value)
