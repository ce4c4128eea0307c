"""Example data sets that need no network, as CSV files like those that users upload."""

from __future__ import annotations

from typing import Any

from surelist._common.text_tables import csv_table

__all__ = ["EXAMPLES", "example_csv"]

EXAMPLES: dict[str, dict[str, Any]] = {
    "breast-cancer": {
        "name": "Breast cancer",
        "label": "diagnosis",
        "about": "Is a tumour malignant? 30 measurements of cell nuclei from 569 patients.",
        "rows": 569,
        "columns": 31,
    },
    "tic-tac-toe": {
        "name": "Tic-tac-toe",
        "label": "x wins",
        "about": "Has x won? Every final board of the game: a problem with a known answer.",
        "rows": 958,
        "columns": 10,
    },
    "wine": {
        "name": "Wine",
        "label": "cultivar",
        "about": "Which of three vineyards? 13 chemical measurements of 178 wines.",
        "rows": 178,
        "columns": 14,
    },
    "iris": {
        "name": "Iris",
        "label": "species",
        "about": "Which of three species? Four measurements of 150 flowers.",
        "rows": 150,
        "columns": 5,
    },
}


def example_csv(name: str) -> str:
    """Return an example as the text of a CSV file.

    Examples
    --------
    >>> from surelist.web.examples import example_csv
    >>> example_csv("iris").splitlines()[0]
    'sepal length (cm),sepal width (cm),petal length (cm),petal width (cm),species'
    """
    if name == "tic-tac-toe":
        return _tic_tac_toe()
    from sklearn import datasets

    load = {
        "breast-cancer": datasets.load_breast_cancer,
        "wine": datasets.load_wine,
        "iris": datasets.load_iris,
    }[name]
    data: Any = load()
    names = [str(column) for column in data.feature_names]
    labels = [str(data.target_names[code]) for code in data.target]
    rows = ([*row, label] for row, label in zip(data.data.tolist(), labels, strict=True))
    return csv_table([*names, EXAMPLES[name]["label"]], rows)


def _tic_tac_toe() -> str:
    from surelist.datasets import load_tic_tac_toe

    boards = load_tic_tac_toe()
    squares = list(dict.fromkeys(name.partition(" = ")[0] for name in boards.feature_names))
    marks = ("x", "o", "blank")
    rows = (
        [*(marks[int(code)] for code in row.reshape(-1, 3).argmax(axis=1)), label]
        for row, label in zip(boards.X, boards.y.tolist(), strict=True)
    )
    return csv_table([*squares, boards.label_name], rows)
