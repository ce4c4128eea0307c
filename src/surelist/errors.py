"""Every exception and warning that Surelist raises on purpose.

::

    Exception
    └── SurelistError              anything this package refuses or cannot do
        ├── InputError             a bad argument or bad data (also a ValueError)
        │   └── FormatError        a file that cannot be read: path, line, column
        ├── CertificateRefusedError    what `verify` refuses (also a VerificationError)
        ├── UnusableDataError      what `verify` cannot check against (also a DataError)
        └── BundleError            an audit bundle whose parts do not belong together

    ValueError
    ├── VerificationError          a certificate that is refused
    └── DataError                  data that a certificate cannot be checked against

    UserWarning
    ├── UncertifiedWarning         a result that is not certified optimal
    ├── UnwrittenWarning           a file that could not be written; the result is there
    └── ClusterWarning             a cluster that does not do its part of a search

The two ValueErrors are those of `surelist.checker`, which imports nothing from this package, so
that it can be copied and run alone. `surelist.verify` raises both as a SurelistError, too.

A message says what was wrong, where, and what to do about it. What to do depends on where the user
is: at a Python prompt, at a terminal or in a browser. Where that makes a difference, the message is
a `Message`: a code and facts, from which the command line and the page make a text of their own.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

__all__ = [
    "ClusterWarning",
    "FormatError",
    "InputError",
    "Message",
    "SurelistError",
    "UncertifiedWarning",
    "UnwrittenWarning",
]

# A text for each code: with the names of facts in braces, or a function of the facts.
Wording = Mapping[str, str | Callable[..., str]]

# In the words of the library: parameters, not flags and not buttons.
_LIBRARY: Wording = {
    # Reading a table.
    "field_count": "{found} fields where the header has {expected}; fix the line, quote fields "
    "that hold {delimiter!r}, or pass another delimiter",
    "delimiter_invalid": "the delimiter must be one character or 'tab'; got {delimiter!r}",
    "encoding_unknown": "there is no encoding {encoding!r}; utf-8, utf-16 and latin-1 are some",
    "encoding_wrong": "{what} is not {encoding} text; pass the right encoding",
    "encoding_assumed": "{path}: not UTF-8: read as Windows-1252, as no encoding was passed",
    "nul_byte": "NUL byte: the file is damaged, or UTF-16 (then pass encoding='utf-16')",
    "row_names": "{path}: the first column has no name: taken as row names and left out",
    "column_renamed": "{path}: two columns are called {name!r}: the second is {new!r} here",
    "almost_numbers": "{path}:{line}: column {column!r} is read as text because of {text}; "
    "passing missing=[{text}] makes it a column of numbers",
    "headerless": "{path}: the first line looks like a row, not like names ({names}); put a line "
    "of names above it",
    "sheet_read": "{path}: the sheet {sheet!r} is read; other sheets are not",
    # Choosing columns.
    "rows_skipped": "{rows} without a label in {label!r} left out",
    "column_missing": "there is no column {column} for {role}; there are {known}",
    "no_column_left": "no column is left to learn from",
    "label_unnamed": "which column is to be predicted? Pass the label: {known}",
    "label_assumed": "predicting the column {column!r}, as no label was passed",
    "class_unknown": "{setting}: {label!r} is no label; there are {known}",
    "class_weight_assumed": "class_weight says nothing of {label!r}: it weighs 1",
    # Serving the page.
    "port_unusable": "cannot listen on {host}:{port} ({reason}); choose another port, or 0 for any",
    "folder_unusable": "{folder}: the page cannot use this folder ({reason})",
    "folder_in_use": "another page uses the folder {folder}; end it, or choose another folder",
    "folder_newer": "{folder}: {mark} in it was written by a newer Surelist, or by another "
    "program; install the newer one, or choose another folder",
    "folder_shared": "{folder}: it holds {name!r}, which is not the page's; move that elsewhere",
    "folder_foreign": "{folder}: it holds {name!r}, which is not the page's; choose a new "
    "or an empty folder, such as {proposed}",
}


class Message(str):
    """A message that is made of a code and facts.

    It is a text in the words of the library; `worded` makes other texts of the same facts.

    Parameters
    ----------
    code : str
        What is wrong or was decided, in one word.
    **facts
        The values that the text is made of.

    Examples
    --------
    >>> from surelist.errors import Message
    >>> message = Message("delimiter_invalid", delimiter="ab")
    >>> print(message)
    the delimiter must be one character or 'tab'; got 'ab'
    >>> print(message.worded({"delimiter_invalid": "--delimiter {delimiter}: one character"}))
    --delimiter ab: one character
    """

    code: str
    facts: Mapping[str, Any]

    def __new__(cls, code: str, /, **facts: Any) -> Message:  # noqa: D102
        made = super().__new__(cls, _text(_LIBRARY[code], facts))
        made.code, made.facts = code, facts
        return made

    def worded(self, words: Wording) -> str:
        """Return the text for this code among some words; the library's where there is none."""
        return _text(words[self.code], self.facts) if self.code in words else str(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _message, (self.code, dict(self.facts))


def _message(code: str, facts: dict[str, Any]) -> Message:
    return Message(code, **facts)


def _text(wording: str | Callable[..., str], facts: Mapping[str, Any]) -> str:
    return wording.format(**facts) if isinstance(wording, str) else wording(**facts)


class SurelistError(Exception):
    """Base of every error in this package: catch it to catch them all."""


class InputError(SurelistError, ValueError):
    """An argument or data set that cannot be used as it is.

    Attributes
    ----------
    problem : str
        What was wrong and what to do.
    code : str
        One word for what was wrong, where the problem is a `Message`; "" otherwise.
    facts : dict
        The values that such a problem is made of.

    Examples
    --------
    >>> from surelist.errors import InputError, Message
    >>> error = InputError(Message("encoding_unknown", encoding="klingon"))
    >>> error.code, error.facts
    ('encoding_unknown', {'encoding': 'klingon'})
    """

    def __init__(self, problem: str = "", *more: Any) -> None:
        super().__init__(problem, *more)
        self.problem = problem

    def __str__(self) -> str:
        return str(self.problem)

    @property
    def code(self) -> str:  # noqa: D102 - an attribute, described above
        return self.problem.code if isinstance(self.problem, Message) else ""

    @property
    def facts(self) -> dict[str, Any]:  # noqa: D102
        return dict(self.problem.facts) if isinstance(self.problem, Message) else {}

    def worded(self, words: Wording) -> str:
        """Return the message in other words; see `Message.worded`."""
        return self.problem.worded(words) if isinstance(self.problem, Message) else self.problem


class FormatError(InputError):
    """A file that cannot be read.

    Parameters
    ----------
    problem : str
        What was wrong and what to do.
    path : str or os.PathLike
        The file.
    line, column : int, optional
        Where in the file, counted from 1; columns count characters.

    Examples
    --------
    >>> print(FormatError("expected 0 or 1, found '2'", "train.out", 3, 14))
    train.out:3:14: expected 0 or 1, found '2'
    """

    def __init__(
        self,
        problem: str,
        path: str | os.PathLike[str],
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        # All four go to `args`, so that the error survives pickling between processes.
        super().__init__(problem, path, line, column)
        self.path = os.fspath(path)
        self.line = line
        self.column = column

    def __str__(self) -> str:
        return f"{self._place()}: {self.problem}"

    def worded(self, words: Wording) -> str:
        """Return the message in other words, after the place; see `Message.worded`."""
        return f"{self._place()}: {super().worded(words)}"

    def _place(self) -> str:
        known = (str(part) for part in (self.line, self.column) if part is not None)
        return ":".join((self.path, *known))


class UncertifiedWarning(UserWarning):
    """The search stopped before it could certify its result as optimal."""


class UnwrittenWarning(UserWarning):
    """A certificate or a checkpoint could not be written; what the search found is there."""


class ClusterWarning(UserWarning):
    """A cluster has no workers, or none that answers: the search goes on without them."""
