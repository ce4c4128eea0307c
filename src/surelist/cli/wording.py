"""Messages of the library in the words of the command line: with flags, not with parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from surelist.errors import InputError, Message

if TYPE_CHECKING:
    from surelist.errors import Wording

__all__ = ["WORDS", "worded"]

_COLUMN_FLAGS = ("label", "weight", "drop", "keep", "group")
_CLASS_FLAGS = {"cost_matrix": "--cost", "dnf": "--dnf"}


def _column_missing(column: str, role: str, known: str) -> str:
    wanted = f"--{role}" if role in _COLUMN_FLAGS else role
    return f"there is no column {column} for {wanted}; there are {known}"


def _class_unknown(setting: str, label: str, value: str, known: str) -> str:
    if setting == "class_weight":
        return (
            f"--class-weight {label}={value}: write LABEL=WEIGHT, with a label among {known}; or "
            "balanced"
        )
    return f"{_CLASS_FLAGS[setting]}: {label!r} is no label; there are {known}"


WORDS: Wording = {
    "field_count": "{found} fields where the header has {expected}; fix the line, quote fields "
    "that hold {delimiter!r}, or name another --delimiter",
    "delimiter_invalid": "--delimiter must be one character or 'tab'; got {delimiter!r}",
    "encoding_unknown": "--encoding {encoding}: no such encoding; utf-8, utf-16 and latin-1 are "
    "some",
    "encoding_wrong": "{what} is not {encoding} text; name the right --encoding",
    "encoding_assumed": "{path}: not UTF-8: read as Windows-1252 (--encoding says otherwise)",
    "nul_byte": "NUL byte: the file is damaged, or UTF-16 (then --encoding utf-16)",
    "almost_numbers": "{path}:{line}: column {column!r} is read as text because of {text}; "
    "--missing {text} makes it a column of numbers",
    "column_missing": _column_missing,
    "label_unnamed": "which column is to be predicted? Name it by --label: {known}",
    "label_assumed": "predicting the column {column!r} (--label names another)",
    "class_unknown": _class_unknown,
    "class_weight_assumed": "--class-weight says nothing of {label!r}: it weighs 1",
    "port_unusable": "cannot listen on {host}:{port} ({reason}); choose another --port, or 0 for "
    "any",
    "folder_unusable": "--folder {folder}: cannot be used ({reason})",
    "folder_in_use": "another surelist serve uses {folder}; end it, or choose another --folder",
    "folder_newer": "--folder {folder}: {mark} in it was written by a newer Surelist, or by "
    "another program; install the newer one, or name another folder",
    "folder_shared": "--folder {folder}: it holds {name!r}, which is not the page's; move that "
    "elsewhere",
    "folder_foreign": "--folder {folder}: it holds {name!r}, which is not the page's; name a new "
    "or an empty folder, such as {proposed}",
}


def worded(message: str | Exception) -> str:
    """Return an error or a note as the command line says it.

    Examples
    --------
    >>> from surelist.cli.wording import worded
    >>> from surelist.errors import InputError, Message
    >>> worded(InputError(Message("delimiter_invalid", delimiter="ab")))
    "--delimiter must be one character or 'tab'; got 'ab'"
    """
    return message.worded(WORDS) if isinstance(message, InputError | Message) else str(message)
