"""Messages in the words of the page: no paths, no flags, no parameters of Python.

A data set is a file that the user chose in the browser, so a message names the line, not the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from surelist.errors import FormatError, InputError, Message, SurelistError

if TYPE_CHECKING:
    from surelist.errors import Wording

__all__ = ["DEFECT", "WORDS", "error_text", "note_text"]

# What to say about an error that nobody foresaw. The terminal gets the whole of it.
DEFECT = "something unexpected went wrong; the terminal that runs surelist says more"

WORDS: Wording = {
    "field_count": "{found} fields where the header has {expected}; fix the line, or quote fields "
    "that hold {delimiter!r}",
    "encoding_wrong": "{what} is not {encoding} text; save the file as UTF-8",
    "encoding_assumed": "not UTF-8: read as Windows-1252",
    "nul_byte": "NUL byte: the file is damaged, or UTF-16 without a byte-order mark",
    "row_names": "the first column has no name: taken as row names and left out",
    "column_renamed": "two columns are called {name!r}: the second is {new!r} here",
    "almost_numbers": "line {line}: column {column!r} is read as text because of {text}; taking "
    "{text} for “missing” makes it a column of numbers",
    "headerless": "the first line looks like a row, not like names ({names}): put a line of names "
    "above it, and upload the file again",
    "sheet_read": "the sheet {sheet!r} is read; other sheets are not",
    "column_missing": "there is no column {column}; there are {known}",
    "no_column_left": "no column is left to learn from; use at least one",
    "label_unnamed": "choose the column to predict",
    "class_unknown": "class weights: {label!r} is no label; there are {known}",
}


def error_text(error: BaseException) -> str:
    """Return what to tell a user about an error: never a path, never a traceback.

    Examples
    --------
    >>> from surelist.errors import FormatError
    >>> from surelist.web.wording import error_text
    >>> error_text(FormatError("a quote opens in this row", "/home/me/source", 7))
    'line 7: a quote opens in this row'
    """
    if isinstance(error, FormatError):
        place = "" if error.line is None else f"line {error.line}: "
        return place + note_text(error.problem)
    if isinstance(error, SurelistError) and isinstance(error.__cause__, OSError):
        reason = error.__cause__.strerror or "for an unknown reason"
        return f"a file cannot be written ({reason}); see that there is room for Surelist's folder"
    if isinstance(error, InputError):
        return note_text(error.problem)
    if isinstance(error, SurelistError):
        return str(error)
    if isinstance(error, MemoryError):
        return "there was not enough memory within the limit"
    return DEFECT


def note_text(note: str) -> str:
    """Return what was decided while a file was read, as the page says it."""
    return note.worded(WORDS) if isinstance(note, Message) else note
