"""Two data sets that need no files: one enumerated in code, one that comes with scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["BinaryData", "load_breast_cancer", "load_tic_tac_toe"]

_SQUARES = (
    *("top-left", "top-middle", "top-right"),
    *("middle-left", "centre", "middle-right"),
    *("bottom-left", "bottom-middle", "bottom-right"),
)
_ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8))
_COLUMNS = ((0, 3, 6), (1, 4, 7), (2, 5, 8))
_DIAGONALS = ((0, 4, 8), (2, 4, 6))
_LINES = (*_ROWS, *_COLUMNS, *_DIAGONALS)


@dataclass(frozen=True, eq=False)
class BinaryData:
    """A data set of 0/1 features.

    Attributes
    ----------
    X : ndarray of uint8, shape (rows, features)
    y : ndarray of str
        One label per row.
    feature_names : tuple of str
    label_name : str
        What the labels say.
    """

    X: NDArray[np.uint8]
    y: NDArray[np.str_]
    feature_names: tuple[str, ...]
    label_name: str


def load_tic_tac_toe() -> BinaryData:
    """Return every final board of tic-tac-toe, labelled by whether x, who began, has won.

    Examples
    --------
    >>> from surelist.datasets import load_tic_tac_toe
    >>> boards = load_tic_tac_toe()
    >>> boards.X.shape, int((boards.y == "yes").sum())
    ((958, 27), 626)
    """
    boards = sorted(_final_boards())
    marks = {"x": "x", "o": "o", "blank": " "}
    X = [[square == mark for square in board for mark in marks.values()] for board in boards]
    y = ["yes" if _has_won(board, "x") else "no" for board in boards]
    names = tuple(f"{square} = {mark}" for square in _SQUARES for mark in marks)
    return BinaryData(np.array(X, dtype=np.uint8), np.array(y), names, "x wins")


def _final_boards() -> set[str]:
    """Play all games at once, move by move, and collect the boards on which they end."""
    final: set[str] = set()
    boards = {" " * 9}
    for move in range(9):
        player = "xo"[move % 2]
        boards = {
            board[:square] + player + board[square + 1 :]
            for board in boards
            for square in range(9)
            if board[square] == " "
        }
        won = {board for board in boards if _has_won(board, player)}
        final |= won
        boards -= won
    return final | boards


def _has_won(board: str, player: str) -> bool:
    return any(all(board[square] == player for square in line) for line in _LINES)


def load_breast_cancer() -> BinaryData:
    """Return scikit-learn's breast cancer data, each measurement cut at its quartiles.

    The cuts are rounded to three digits, as a person would write them down.

    Examples
    --------
    >>> from surelist.datasets import load_breast_cancer
    >>> data = load_breast_cancer()
    >>> data.X.shape, data.feature_names[1]
    ((569, 90), 'mean radius < 13.4')
    """
    from sklearn.datasets import load_breast_cancer as load

    measured: Any = load()
    columns: list[NDArray[np.bool_]] = []
    names: list[str] = []
    for name, values in zip(measured.feature_names, measured.data.T, strict=True):
        for cut in np.quantile(values, (0.25, 0.5, 0.75)):
            threshold = np.format_float_positional(cut, 3, fractional=False, trim="-")
            columns.append(values < float(threshold))
            names.append(f"{name} < {threshold}")
    X = np.column_stack(columns).astype(np.uint8)
    return BinaryData(X, measured.target_names[measured.target], tuple(names), "diagnosis")
